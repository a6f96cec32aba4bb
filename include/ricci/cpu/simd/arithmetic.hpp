// Remainders, roots and neighbours on simd registers.
#pragma once
#include "../math/exponential_relatives.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Powers of two keep the squares from overflow and underflow.
struct hypot_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x, simd<double> y) const {
        using S = simd<double>;
        const S a = math::abs(x), b = math::abs(y), infinity(std::numeric_limits<double>::infinity());
        const S high = math::maximum(a, b), low = math::minimum(a, b);
        const auto large = S(0x1p500) < high, small = high < S(0x1p-500);
        const S down = math::select(large, S(0x1p-600), math::select(small, S(0x1p600), S(1)));
        const S up = math::select(large, S(0x1p600), math::select(small, S(0x1p-600), S(1)));
        const S h = high * down, l = low * down;
        return math::select((a == infinity) | (b == infinity), infinity, math::sqrt(math::fma(h, h, l * l)) * up);
    }
};
/// A positive number as 2^exponent times a mantissa from 1 on, below 2. Without AVX-512 the number is normal.
template <class T>
struct binade {
    simd<T> exponent, mantissa;
    RICCI_INLINE explicit binade(simd<T> x) {
#if defined(__AVX512F__)
        if constexpr (simd<T>::traits::mask_is_bits && sizeof(T) == 4) {
            mantissa =
                simd<T>::from_native(_mm512_maskz_getmant_ps(all16, x.raw(), _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
            exponent = simd<T>::from_native(_mm512_maskz_getexp_ps(all16, x.raw()));
        } else if constexpr (simd<T>::traits::mask_is_bits) {
            mantissa =
                simd<T>::from_native(_mm512_maskz_getmant_pd(all8, x.raw(), _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
            exponent = simd<T>::from_native(_mm512_maskz_getexp_pd(all8, x.raw()));
        } else
#endif
        {
            constexpr int bits = std::numeric_limits<T>::digits - 1, bias = std::numeric_limits<T>::max_exponent - 1;
            using natural = std::make_unsigned_t<typename simd<T>::traits::integer>;
            const auto n = x.bits() >> bits;
            const simd<T> shift(rounding_shift<T>);
            exponent = simd<T>::from_bits(n + shift.bits()) - shift - simd<T>(T(bias));
            mantissa = simd<T>::from_bits(x.bits() - ((n - natural(bias)) << bits));
        }
    }
};
/// 2^(-r / 3) nearly, for r = -1, 0 or 1, which the low bits of `at` have, too: from a table, or a parabola through the
/// three.
template <class T>
RICCI_INLINE simd<T> root_of_eighth([[maybe_unused]] simd<T> at, [[maybe_unused]] simd<T> r) {
#if defined(__AVX512F__)
    constexpr T up = T(1.2599210498948732), down = T(0.79370052598409974);
    if constexpr (simd<T>::traits::mask_is_bits && sizeof(T) == 4) {
        const __m512 t = _mm512_setr_ps(1, down, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, up);
        return simd<T>::from_native(_mm512_maskz_permutexvar_ps(all16, (__m512i)at.bits(), t));
    } else if constexpr (simd<T>::traits::mask_is_bits) {
        const __m512d t = _mm512_setr_pd(1, down, 0, 0, 0, 0, 0, up);
        return simd<T>::from_native(_mm512_maskz_permutexvar_pd(all8, (__m512i)at.bits(), t));
    } else
#endif
        return polynomial(r, T(1), T(-0.23311026195538665), T(0.02681078793948649));
}
/// The cube root of positive, finite numbers: x = 8^q 2^r m, r -1, 0 or 1, and Newton's method once on y^3 = a = 2^r m.
/// What goes into it is c = a^(-1/3): of m a polynomial within 2^-14.7, of doubles made exact to 2^-41 by a step of the
/// third order.
template <class T>
RICCI_INLINE simd<T> cube_root(simd<T> x) {
    using S = simd<T>;
    constexpr int bits = std::numeric_limits<T>::digits - 1;
    simd_mask<T> tiny(false);
    if constexpr (!S::traits::mask_is_bits) {
        tiny = x < S(std::numeric_limits<T>::min());
        x = math::select(tiny, x * S(sizeof(T) == 4 ? T(1 << 24) : T(std::int64_t(1) << 54)), x);
    }
    const binade<T> parts(x);
    const S m = parts.mantissa, shift(rounding_shift<T>);
    S exponent = parts.exponent;
    if constexpr (!S::traits::mask_is_bits)
        exponent = math::select(tiny, exponent - S(sizeof(T) == 4 ? T(24) : T(54)), exponent);
    const nearest_integer<T> q(exponent, T(1.0 / 3));
    const S r = math::fma(q.value, T(-3), exponent + shift);
    S c = polynomial(m, T(1.67000677267578453), T(-1.17288031828635452), T(0.695482751812580092),
                     T(-0.221237909288677017), T(0.0285910346498877884));
    if constexpr (sizeof(T) == 8) {
        const S e = math::fma(-m * c, c * c, 1.0);
        c = math::fma(c * e, math::fma(e, 2.0 / 9, S(1.0 / 3)), c);
    }
    c = c * root_of_eighth(r, r - shift);
    const S a = S::from_bits(m.bits() + (r.bits() << bits)), square = c * c, y = a * square;
    const S root = math::fma(math::fma(-(y * y), y, a), square * S(T(1.0 / 3)), y);
    return S::from_bits(root.bits() + (q.shifted.bits() << bits));
}

template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> by_lane(simd_mask<T> m, T (*function)(T, T), simd<T> a, simd<T> b,
                                                    simd<T> y) {
    T left[simd<T>::lanes], right[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    a.store(left);
    b.store(right);
    y.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = function(left[i], right[i]);
    return simd<T>::load(out);
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> hypot(simd<T> x, std::type_identity_t<simd<T>> y) {
    if constexpr (!simd_supported<double>)
        return detail::by_lane(simd_mask<T>(true), +[](T a, T b) { return math::hypot(a, b); }, x, y, x);
    else return detail::in_doubles(detail::hypot_kernel(), x, y);
}
template <class T>
RICCI_INLINE simd<T> cbrt(simd<T> x) {
    const simd<T> size = math::abs(x);
    const auto usual = (simd<T>(T(0)) < size) & (size <= simd<T>(std::numeric_limits<T>::max()));
    return math::select(usual, math::copysign(detail::cube_root(size), x), x);
}

/// Exact: the fused multiply gives the remainder of a quotient that is off by one at most. Quotients that have no unit
/// digit are left to the standard library.
template <class T>
RICCI_INLINE simd<T> fmod(simd<T> x, std::type_identity_t<simd<T>> y) {
    const simd<T> a = math::abs(x), b = math::abs(y), ratio = a / b, q = math::trunc(ratio);
    auto r = math::fma(-q, b, a);
    r = math::select(r < simd<T>(T(0)), r + b, r);
    r = math::copysign(math::select(b <= r, r - b, r), x);
    constexpr T most = sizeof(T) == 4 ? T(1 << 22) : T(std::int64_t(1) << 51);
    const auto usual = (ratio <= simd<T>(most)) & (b <= simd<T>(std::numeric_limits<T>::max()));
    const auto rare = detail::fused_multiply_add ? !usual : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, +[](T u, T v) { return math::fmod(u, v); }, x, y, r);
    return r;
}

template <class T>
RICCI_INLINE simd<T> nextafter(simd<T> x, std::type_identity_t<simd<T>> y) {
    const simd<T> zero(T(0)), up = simd<T>::from_bits(x.bits() + 1), down = simd<T>::from_bits(x.bits() - 1);
    auto r = math::select((x < y) == (zero < x), up, down);
    r = math::select(x == zero, math::copysign(simd<T>(std::numeric_limits<T>::denorm_min()), y), r);
    r = math::select(x == y, y, r);
    return math::select((x != x) | (y != y), x + y, r);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
