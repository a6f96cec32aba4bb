// Subtraction.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct subtract : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap<B>(a) - math::wrap<A>(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        using T = detail::first_series_t<A, B>;
        const T x(a), y(b);
        T z;
        for (int k = 0; k <= T::order; ++k) z[k] = x[k] - y[k];
        return z;
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(y_bar, -y_bar);
    }
};
}  // namespace ops

namespace detail {

/// Truth values are added, as `or`, but have no difference (NumPy, PyTorch).
template <class A, class B>
constexpr void check_difference() {
    if constexpr (!kernel_scalar<A> && !kernel_scalar<B>)
        static_assert(!std::is_same_v<common_t<kind_t<A>, kind_t<B>>, bool>,
                      "ricci: truth values are not subtracted: a != b is true where they differ");
}

}  // namespace detail

/// a - b element by element, broadcast, in the common type, which is not bool.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto subtract(A&& a, B&& b) {
    if constexpr (operator_operands<A, B>) detail::check_difference<A, B>();
    return map<ops::subtract>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator-(A&& a, B&& b) {
    detail::check_difference<A, B>();
    return map<ops::subtract>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
