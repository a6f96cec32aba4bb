// The negative of each element, and unary minus.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct negative : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& x) {
        return static_cast<S>(-math::wrap(x));
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::each_coefficient(x, [](const auto& c) { return -c; });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return -y_bar;
    }
};
}  // namespace ops

/// Minus each element, in its own type, which is not bool.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto negative(E&& x) {
    if constexpr (expression<E>)
        static_assert(!std::is_same_v<value_type_t<E>, bool>,
                      "ricci: truth values have no negative: !a is true where a is not");
    return map<ops::negative>(std::forward<E>(x));
}

template <class E>
    requires(operator_operands<E>)
RICCI_HD RICCI_INLINE constexpr auto operator-(E&& x) {
    return negative(std::forward<E>(x));
}
}  // namespace ricci
