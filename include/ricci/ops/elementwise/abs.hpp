// The absolute value.
#pragma once
#include "where.hpp"

namespace ricci {
namespace ops {
struct abs : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::abs(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        static_assert(!is_complex_v<detail::scalar_base_t<S>>,
                      "ricci: abs of a complex number has no complex derivative");
        return ricci::where(x > 0, y_bar, ricci::where(x < 0, -y_bar, 0));
    }
};
}  // namespace ops

/// Absolute value of each element, in its own type; of complex elements the modulus, real. abs(-0) = 0.
/// Derivative the sign of x, 0 at 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto abs(E&& x) {
    return map<ops::abs>(std::forward<E>(x));
}
}  // namespace ricci
