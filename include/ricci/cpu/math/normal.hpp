// The quantiles and the logarithm of the normal distribution function, of numbers and registers alike.
#pragma once
#include "bessel.hpp"
#include "error_function.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The y whose normal distribution function is p: rational functions of p around 1/2 and of r = sqrt(-log p) in the
/// tails. (Wichura 1988, algorithm AS 241.)
template <class T, class S>
RICCI_HD RICCI_INLINE constexpr S normal_quantile(const S& p) {
    const S one(T(1)), q = p - S(T(0.5)), middle = S(T(0.180625)) - q * q;
    const S center = q *
                     horner<T>(middle, T(3.3871328727963666080e0), T(1.3314166789178437745e2),
                               T(1.9715909503065514427e3), T(1.3731693765509461125e4), T(4.5921953931549871457e4),
                               T(6.7265770927008700853e4), T(3.3430575583588128105e4), T(2.5090809287301226727e3)) /
                     horner<T>(middle, T(1), T(4.2313330701600911252e1), T(6.8718700749205790830e2),
                               T(5.3941960214247511077e3), T(2.1213794301586595867e4), T(3.9307895800092710610e4),
                               T(2.8729085735721942674e4), T(5.2264952788528545610e3));
    const auto lower = q < S(T(0));
    const S r = math::sqrt(-math::log(math::select(lower, p, one - p)));
    const S near = r - S(T(1.6)), far = r - S(T(5));
    const S near_tail =
        horner<T>(near, T(1.42343711074968357734e0), T(4.63033784615654529590e0), T(5.76949722146069140550e0),
                  T(3.64784832476320460504e0), T(1.27045825245236838258e0), T(2.41780725177450611770e-1),
                  T(2.27238449892691845833e-2), T(7.74545014278341407640e-4)) /
        horner<T>(near, T(1), T(2.05319162663775882187e0), T(1.67638483018380384940e0), T(6.89767334985100004550e-1),
                  T(1.48103976427480074590e-1), T(1.51986665636164571966e-2), T(5.47593808499534494600e-4),
                  T(1.05075007164441684324e-9));
    const S far_tail =
        horner<T>(far, T(6.65790464350110377720e0), T(5.46378491116411436990e0), T(1.78482653991729133580e0),
                  T(2.96560571828504891230e-1), T(2.65321895265761230930e-2), T(1.24266094738807843860e-3),
                  T(2.71155556874348757815e-5), T(2.01033439929228813265e-7)) /
        horner<T>(far, T(1), T(5.99832206555887937690e-1), T(1.36929880922735805310e-1), T(1.48753612908506148525e-2),
                  T(7.86869131145613259100e-4), T(1.84631831751005468180e-5), T(1.42151175831644588870e-7),
                  T(2.04426310338993978564e-15));
    const S size = math::select(r <= S(T(5)), near_tail, far_tail);
    const S tail = math::select(math::isinf(r), r, size);
    return math::select(math::abs(q) <= S(T(0.425)), center, math::select(lower, -tail, tail));
}

/// log of the normal distribution function: of the function itself or what it lacks to 1, far out by its asymptotic
/// series.
template <class T, class S>
RICCI_HD RICCI_INLINE constexpr S log_normal(const S& x) {
    constexpr T far = sizeof(T) == 4 ? T(-10) : T(-20);  // where both are as exact as T
    const S one(T(1)), bounded = math::maximum(x, S(far));
    const auto low = x < S(T(-1));
    const S p = math::ndtr(math::select(low, bounded, -x));
    const S near = math::select(low, math::log(p), math::log1p(-p));
    const S u = one / (x * x);
    const S series = u * horner<T>(u, T(-1), T(3), T(-15), T(105), T(-945), T(10395), T(-135135));
    const S beyond = (math::log1p(series) - math::log(-x)) - S(T(0.91893853320467274178)) - S(T(0.5)) * x * x;
    return math::select(x < S(far), beyond, near);
}

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

template <real_scalar T>
RICCI_HD inline T ndtri(T p) {
    return detail::normal_quantile<T>(p);
}
template <real_scalar T>
RICCI_HD inline T log_ndtr(T x) {
    return detail::log_normal<T>(x);
}
#if defined(RICCI_HAS_SIMD)
template <class T>
[[gnu::noinline]] simd<T> ndtri(simd<T> p) {
    return detail::normal_quantile<T>(p);
}
template <class T>
[[gnu::noinline]] simd<T> log_ndtr(simd<T> x) {
    return detail::log_normal<T>(x);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
