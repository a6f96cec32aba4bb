// What the bitwise ops share: integers and truth values, no derivative.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct integers {
    static constexpr bool differentiable = false;
    static constexpr bool takes_bits = true;
    static constexpr bool takes_masks = true;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    struct common {
        using type = common_t<K...>;
        static_assert(std::is_integral_v<type>,
                      "ricci: bitwise functions take integers and truth values, as gcd and lcm do");
    };
    template <class... K>
    using result = typename common<K...>::type;
};
}  // namespace ops
}  // namespace ricci
