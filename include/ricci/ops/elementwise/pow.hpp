// The power.
#pragma once
#include "isfinite.hpp"
#include "log.hpp"
#include "where.hpp"

namespace ricci {
namespace detail {

/// b >= 0; of a complex number, its real part.
template <class B>
RICCI_HD RICCI_INLINE constexpr auto not_negative(const B& b) {
    if constexpr (is_complex_scalar_v<B>) return not_negative(ricci::real(b));
    else if constexpr (is_nested_v<B>) return not_negative(primal(b));
    else return b >= 0;
}

/// The power of a series to an exponent that does not vary: binomial coefficients, which end where a whole exponent's
/// do.
template <class T, class B>
RICCI_HD RICCI_INLINE constexpr T power_of_series(const T& a, const B& b) {
    using S = typename T::value_type;
    T c(ricci::pow(a[0], b));
    S binomial(1), lower(b);
    for (int k = 1; k <= T::order; ++k) {
        binomial = binomial * (lower / factor<S>(k));
        lower = lower - S(1);
        c[k] = select_lane(innermost(a[0]) == scalar_base_t<S>(0) && innermost(binomial) == scalar_base_t<S>(0), S(0),
                           S(binomial * ricci::pow(a[0], lower)));
    }
    return composed(c, a);
}

/// Scalars that are real numbers or registers, with or without derivatives.
template <class A>
inline constexpr bool shares_power_v =
    !is_taylor_v<A> && (std::is_floating_point_v<scalar_base_t<A>> || !std::is_void_v<typename register_in<A>::type>);

}  // namespace detail
namespace ops {
struct pow : arithmetic {
    static constexpr int integer_divisor = 1;  // known for a row, though nothing is divided by it
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::pow(a, b);
    }
    /// a^b = a^b[0] exp((b - b[0]) log(a)); the second factor is 1 where the pullback gives b no adjoint.
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        if constexpr (!is_taylor_v<B>) {
            return detail::power_of_series(a, b);
        } else {
            B change(b);
            change[0] = typename B::value_type(0);
            const auto& value = detail::first_coefficient(a);
            const auto exponent = ricci::where(value == 0 && detail::not_negative(b[0]), 0, change * ricci::log(a));
            return ricci::pow(a, b[0]) * ricci::exp(exponent);
        }
    }
    /// With the power that the derivative takes, which second derivatives ask for twice.
    template <class A, class B>
        requires(detail::shares_power_v<A>)
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const A& a, const B& b) {
        return detail::make_pack(ricci::pow(a, b), ricci::pow(a, b - 1));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        return pullback(y_bar, a, b, y, ricci::pow(a, b - 1));
    }
    template <class Y, class A, class B, class R, class P>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y,
                                                         const P& power) {
        const auto a_bar = y_bar * (b * power);
        const auto flat = a == 0 && detail::not_negative(b);
        const auto b_bar = y_bar * (y * ricci::log(ricci::where(flat, 1, a)));  // no slope of log at 0, as in abs
        // not wherever b is 0: the derivative of a_bar with respect to b is not 0
        return adjoints(ricci::where(b == 0 && !ricci::isfinite(power), 0, a_bar),
                        ricci::where(flat, 0, b_bar));
    }
};
}  // namespace ops

/// a to the power of b, broadcast, in the common type. pow(x, 0) = 1 for every x; pow(x < 0, b) is NaN unless b is
/// integral. Derivatives b a^(b-1), 0 where b is 0, and a^b log(a), 0 where a is 0 and b is not negative. Of integers
/// to a negative number, which is no integer, throws value_error; exponents in arrays are not looked at, and give 0
/// there, or 1 and -1 of these. Two of C++'s integers count as double, as std::pow has them.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto pow(A&& a, B&& b) {
    using X = std::remove_cvref_t<A>;
    using Y = std::remove_cvref_t<B>;
    if constexpr (std::is_integral_v<X> && std::is_integral_v<Y>)
        return ops::pow::value(static_cast<double>(a), static_cast<double>(b));
    else return map<ops::pow>(std::forward<A>(a), std::forward<B>(b));
}
template <expression A, operand B>
    requires(std::is_integral_v<typename std::remove_cvref_t<A>::value_type> &&
             std::signed_integral<std::remove_cvref_t<B>>)
constexpr auto pow(A&& a, B&& b) {
    if (b < 0)
        detail::raise<value_error>({"[pow] integers have no powers of ", b, ": pow(astype<double>(x), ", b, ")"});
    return map<ops::pow>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
