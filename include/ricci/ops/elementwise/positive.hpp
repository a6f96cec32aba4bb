// Each element as it is, and unary plus.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct positive : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar;
    }
};
}  // namespace ops

/// Each element, in its own type. Derivative 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto positive(E&& x) {
    return map<ops::positive>(std::forward<E>(x));
}

template <class E>
    requires(operator_operands<E>)
RICCI_HD RICCI_INLINE constexpr auto operator+(E&& x) {
    return positive(std::forward<E>(x));
}
}  // namespace ricci
