// What kernels on simd registers are made of: single instructions, polynomials, integers near numbers.
#pragma once
#include "scalar.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

// ---- Single instructions -------------------------------------------------------------------------------------------

template <class T>
RICCI_INLINE simd<T> fma(simd<T> a, std::type_identity_t<simd<T>> b, std::type_identity_t<simd<T>> c) {
    return simd<T>::from_native(detail::multiply_add(a.raw(), b.raw(), c.raw()));
}
template <class T>
RICCI_INLINE simd<T> sqrt(simd<T> x) {
    return simd<T>::from_native(detail::square_root(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> abs(simd<T> x) {
    return simd<T>::from_native(detail::magnitude_of(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> copysign(simd<T> magnitude, std::type_identity_t<simd<T>> sign) {
    return simd<T>::from_native(detail::with_sign_of(magnitude.raw(), sign.raw()));
}
template <class T>
RICCI_INLINE simd<T> round(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::to_nearest>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> floor(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::down>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> ceil(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::up>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> trunc(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::to_zero>(x.raw()));
}
template <class T>
RICCI_INLINE simd_mask<T> isnan(simd<T> x) {
    return x != x;
}
template <class T>
RICCI_INLINE simd_mask<T> isinf(simd<T> x) {
    return math::abs(x) == simd<T>(std::numeric_limits<T>::infinity());
}
template <class T>
RICCI_INLINE simd_mask<T> signbit(simd<T> x) {
    return math::copysign(simd<T>(T(1)), x) < simd<T>(T(0));
}

}  // namespace RICCI_ISA
}  // namespace math

namespace detail {
inline namespace RICCI_ISA {

#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool fused_multiply_add = true;
#else
inline constexpr bool fused_multiply_add = false;
#endif

/// c0 + c1 x + c2 x^2 + ... by Horner's rule: the fewest operations; a loop's iterations hide the latency.
template <class T>
RICCI_INLINE simd<T> polynomial(simd<T>, std::type_identity_t<T> c) {
    return c;
}
template <class T, class... C>
RICCI_INLINE simd<T> polynomial(simd<T> x, std::type_identity_t<T> c, C... higher) {
    return math::fma(polynomial(x, higher...), x, c);
}
/// The same by pairs of terms, as many operations in half of the steps: where a polynomial is so long that iterations
/// do not hide its latency. The first term is added last, as Horner's rule has it, so that the result is as exact.
template <class T>
RICCI_INLINE simd<T> paired_terms(simd<T>, simd<T>, std::type_identity_t<T> c) {
    return c;
}
template <class T, class... C>
RICCI_INLINE simd<T> paired_terms(simd<T> x, simd<T> square, std::type_identity_t<T> c, std::type_identity_t<T> d,
                                  C... higher) {
    const simd<T> pair = math::fma(simd<T>(d), x, simd<T>(c));
    if constexpr (sizeof...(C) == 0) return pair;
    else return math::fma(paired_terms(x, square, higher...), square, pair);
}
template <class T, class... C>
RICCI_INLINE simd<T> long_polynomial(simd<T> x, std::type_identity_t<T> c, C... higher) {
    return math::fma(paired_terms(x, x * x, higher...), x, simd<T>(c));
}

/// Replaces the lanes of `y` where `m` by the scalar function of x. For inputs so rare that they may be slow.
template <class T, class F>
[[gnu::noinline, gnu::cold]] inline simd<T> by_lane(simd_mask<T> m, F function, simd<T> x, simd<T> y) {
    T in[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    x.store(in);
    y.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = function(in[i]);
    return simd<T>::load(out);
}

/// An integer near x in lanes of type T, and the same in the low bits of `shifted`.
template <class T>
struct nearest_integer {
    simd<T> shifted, value;
    RICCI_INLINE nearest_integer(simd<T> x, T factor)
        : shifted(math::fma(x, factor, rounding_shift<T>)), value(shifted - simd<T>(rounding_shift<T>)) {}
};
/// x between bounds. NaN stays: the hardware's min and max give the second operand.
template <class T>
RICCI_INLINE simd<T> clamped(simd<T> x, T low, T high) {
    return simd<T>::from_native(larger(simd<T>(low).raw(), smaller(simd<T>(high).raw(), x.raw())));
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif
