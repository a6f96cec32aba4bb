// True division.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace detail {

/// Scalars of which a quotient's derivative takes one reciprocal for all that it divides. It may be an ulp or two off,
/// and is infinite for subnormal divisors; the quotient itself is not made of it. Integers that a user's function
/// divides by have none.
template <class S>
inline constexpr bool shares_reciprocal_v = !is_eager_v<S> && !is_dependence_v<S> && !is_complex_scalar_v<S> &&
                                            !is_taylor_v<S> && !is_number_v<S> && !std::is_integral_v<S>;

}  // namespace detail
namespace ops {
struct divide : floating {
    static constexpr int cost = 4;
    static constexpr int divisor = 1;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a / b;
    }
    template <class A, class B>
        requires(detail::shares_reciprocal_v<A> && detail::shares_reciprocal_v<B>)
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const A& a, const B& b) {
        return detail::make_pack(a / b, detail::scalar_base_t<B>(1) / b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        return detail::series_quotient(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B& b, const R& y) {
        const auto a_bar = y_bar / b;
        return adjoints(a_bar, -(a_bar * y));
    }
    /// By the reciprocal: a sweep that gives no value divides once.
    template <class Y, class A, class B, class R, class I>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B&, const R&,
                                                         const I& reciprocal) {
        const auto a_bar = y_bar * reciprocal;
        return adjoints(a_bar, -(a_bar * (a * reciprocal)));
    }
};
}  // namespace ops

/// a / b element by element, broadcast; integers are divided as doubles. x / 0 = +-inf, 0 / 0 = NaN.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto divide(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator/(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
