// The arc tangent.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace math {
inline namespace RICCI_ISA {

template <inexact_scalar T>
RICCI_HD inline T atan(T x) {
    using std::atan;
    return atan(x);
}
template <std::integral T>
RICCI_HD inline double atan(T x) {
    return math::atan(static_cast<double>(x));
}

#if defined(RICCI_HAS_SIMD)
/// With z = x up to 1 and -1 / x beyond: z + z^3 p(z^2), plus a quarter turn beyond 1; p is the minimax polynomial of
/// (atan(z) / z - 1) / z^2, off by 3e-17 (double) and 3e-9 (float).
template <class T>
RICCI_INLINE simd<T> atan(simd<T> x) {
    const simd<T> one(T(1)), size = math::abs(x);
    const auto beyond = one < size;
    const simd<T> z = math::select(beyond, -one / size, size), u = z * z;
    simd<T> p;
    if constexpr (sizeof(T) == 8)
        p = detail::polynomial(
            u, -0.33333333333333330252, 0.19999999999997532204, -0.14285714285384131545, 0.11111111093490828096,
            -0.090909085908919342252, 0.07692298971033216917, -0.066665646992891042112, 0.058815068777936560666,
            -0.05257973334284110807, 0.047377495795277789723, -0.042603566326016521328, 0.037494868125352471116,
            -0.03127718906699638479, 0.023696731580048622013, -0.015535152475414176125, 0.0083689311784501621357,
            -0.00349588597391630952, 0.0010496035084968515073, -0.00019996189377901382062, 0.000018061954618612152202);
    else
        p = detail::polynomial(u, -0.3333333308f, 0.1999994932f, -0.1428400379f, 0.1108826163f, -0.08931826777f,
                               0.0703191425f, -0.04896051403f, 0.02630500111f, -0.009144629761f, 0.001488691939f);
    // pi / 2 rounded to T, and what that leaves: added where the sum is small, or it would be rounded away.
    constexpr T turn = T(1.57079632679489661923),
                rest = sizeof(T) == 8 ? T(6.12323399573676604e-17) : T(-4.37113883e-8);
    const simd<T> zero(T(0)), y = z + math::fma(z * u, p, math::select(beyond, simd<T>(rest), zero));
    return math::copysign(y + math::select(beyond, simd<T>(turn), zero), x);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math

namespace ops {
struct atan : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::atan(x);
    }
    /// y' = x' / (1 + x^2)
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        const auto low = detail::truncated(x);
        return detail::integral<T::order>(detail::evaluate_op(atan{}, x[0]),
                                          detail::derivative_of(x) / (1 + low * low));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (1 + x * x);
    }
};
}  // namespace ops

/// Arc tangent of each element, in radians from -pi/2 to pi/2; integers promoted to double. atan(+-0) = +-0,
/// atan(+-inf) = +-pi/2. At most 2 ulp. Derivative 1 / (1 + x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto atan(E&& x) {
    return map<ops::atan>(std::forward<E>(x));
}
}  // namespace ricci
