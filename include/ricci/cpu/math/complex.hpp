// Functions of registers of complex numbers that those of their parts give. Not inlined, being several long ones each.
#pragma once
#include "../simd/arithmetic.hpp"
#include "../simd/complex.hpp"
#include "trigonometric.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

template <class T>
[[gnu::noinline]] simd_complex<T> sin(simd_complex<T> x) {
    simd<T> s, c;
    math::sincos(x.re, s, c);
    return math::if_finite(simd_complex<T>(s * math::cosh(x.im), c * math::sinh(x.im)), x,
                           [](std::complex<T> z) { return math::sin(z); });
}
template <class T>
[[gnu::noinline]] simd_complex<T> cos(simd_complex<T> x) {
    simd<T> s, c;
    math::sincos(x.re, s, c);
    return math::if_finite(simd_complex<T>(c * math::cosh(x.im), -(s * math::sinh(x.im))), x,
                           [](std::complex<T> z) { return math::cos(z); });
}
template <class T>
RICCI_INLINE void sincos(simd_complex<T> x, simd_complex<T>& s, simd_complex<T>& c) {
    s = math::sin(x);
    c = math::cos(x);
}
template <class T>
[[gnu::noinline]] simd_complex<T> sinh(simd_complex<T> x) {
    simd<T> s, c;
    math::sincos(x.im, s, c);
    return math::if_finite(simd_complex<T>(math::sinh(x.re) * c, math::cosh(x.re) * s), x,
                           [](std::complex<T> z) { return math::sinh(z); });
}
template <class T>
[[gnu::noinline]] simd_complex<T> cosh(simd_complex<T> x) {
    simd<T> s, c;
    math::sincos(x.im, s, c);
    return math::if_finite(simd_complex<T>(math::cosh(x.re) * c, math::sinh(x.re) * s), x,
                           [](std::complex<T> z) { return math::cosh(z); });
}
/// As of one number (math/scalar.hpp).
template <class T>
[[gnu::noinline]] simd_complex<T> expm1(simd_complex<T> x) {
    simd<T> s, c;
    math::sincos(x.im, s, c);
    const auto half = math::sin(x.im * simd<T>(T(0.5)));
    const simd<T> two(T(2));
    return math::if_finite(simd_complex<T>(math::expm1(x.re) * c - two * half * half, math::exp(x.re) * s), x,
                           [](std::complex<T> z) { return math::expm1(z); });
}
template <class T>
[[gnu::noinline]] simd_complex<T> log1p(simd_complex<T> x) {
    const auto a = x.re, b = x.im, above = a + simd<T>(T(1));
    const simd<T> quarter(T(0.25)), two(T(2)), half(T(0.5));
    const auto small = (a * a < quarter) & (b * b < quarter);
    const auto near = half * math::log1p(math::select(small, a * (two + a) + b * b, simd<T>(T(0))));
    return {math::select(small, near, math::log(math::hypot(above, b))), math::atan2(b, above)};
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
