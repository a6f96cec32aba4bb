// Exponential, logarithm and hyperbolic tangent on simd registers: own kernels, at most 2 ulp, with all special values.
#pragma once
#include "basics.hpp"
#include "tables.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// ---- Exponential ---------------------------------------------------------------------------------------------------

inline constexpr double log2_e = 1.4426950408889634;

/// x - n log(2); the first product is exact, n being small and the constant short.
template <class T>
RICCI_INLINE simd<T> minus_n_log2(simd<T> x, simd<T> n) {
    if constexpr (sizeof(T) == 4) return math::fma(n, 2.12194440e-4f, math::fma(n, -0.693359375f, x));
    else return math::fma(n, -0x1.ef35793c7673p-45, math::fma(n, -0x1.62e42fefa38p-1, x));
}
/// exp(r) - 1 - r for |r| <= log(2) / 2.
template <class T>
RICCI_INLINE simd<T> small_expm1_tail(simd<T> r) {
    if constexpr (sizeof(T) == 4)
        return r * r * polynomial(r, 0.5f, 0.166666657f, 0.0416663475f, 0.0083333971f, 0.00139416975f, 0.000198421651f);
    else
        return r * r *
               polynomial(r, 0.5, 0.16666666666666677, 0.041666666666666477, 0.0083333333333206819,
                          0.0013888888888975276, 0.00019841269888840984, 2.4801587149997813e-5, 2.7557241197355004e-6,
                          2.7557419392002918e-7, 2.5110173633636883e-8, 2.0870922579797112e-9);
}
/// 1 / d within 2^-14, of doubles 2^-28, for corrections that square its error; where that is no faster, as exact as a
/// quotient.
template <class T>
RICCI_INLINE simd<T> coarse_reciprocal(simd<T> d) {
    const simd<T> one(T(1));
#if defined(__AVX512F__)
    if constexpr (simd<T>::traits::mask_is_bits) {
        const auto inverse = simd<T>::from_native(reciprocal14(d.raw()));
        if constexpr (sizeof(T) == 8) return math::fma(inverse, math::fma(-d, inverse, one), inverse);
        else return inverse;
    }
#endif
    return one / d;
}
/// 1 / d within an ulp, for quotients whose remainders are carried.
template <class T>
RICCI_INLINE simd<T> near_reciprocal(simd<T> d) {
    const simd<T> inverse = coarse_reciprocal(d);
    return simd<T>::traits::mask_is_bits ? math::fma(inverse, math::fma(-d, inverse, T(1)), inverse) : inverse;
}
/// e / (e + 2) for e + e_low >= 0, e_low the smaller by far.
template <class T>
RICCI_INLINE simd<T> over_itself_plus_2(simd<T> e, simd<T> e_low) {
    const simd<T> one(T(1)), d = e + simd<T>(T(2));
    if constexpr (fused_multiply_add) {
        const auto inverse = coarse_reciprocal(d);
        const auto q = e * inverse, rest = math::fma(-q, e, math::fma(q, T(-2), e));
        return math::fma(rest + e_low, inverse, q);
    } else {
        const auto q = e / d, rest = e_low - q * (e - (d - simd<T>(T(2))) + e_low);
        const auto corrected = q + rest * simd<T>(T(0.5)) * (one - q);  // 1 / d = (1 - q) / 2
        return simd<T>::from_native(smaller(one.raw(), corrected.raw()));
    }
}
/// exp(r) for |r| <= log(2) / 2: one coefficient less does.
template <class T>
RICCI_INLINE simd<T> small_exp(simd<T> r) {
    simd<T> q;
    if constexpr (sizeof(T) == 4)
        q = polynomial(r, 0.49999994f, 0.166665152f, 0.0416685008f, 0.00836945232f, 0.00138099364f);
    else
        q = polynomial(r, 0.50000000000000122, 0.16666666666666374, 0.041666666666518908, 0.008333333333515219,
                       0.0013888888947012122, 0.00019841269468563955, 2.4801489234941359e-5, 2.7557613886772698e-6,
                       2.7631735333785869e-7, 2.4993424853591874e-8);
    return math::fma(r * r, q, r) + simd<T>(T(1));
}
template <class T>
RICCI_INLINE simd<T> exp_anywhere(simd<T> x) {
    using S = simd<T>;
    constexpr T least = sizeof(T) == 4 ? T(-104) : T(-746), most = sizeof(T) == 4 ? T(89) : T(710);
    x = S::from_native(smaller(S(most).raw(), x.raw()));
#if defined(__AVX512F__)
    if constexpr (S::traits::mask_is_bits) {
        const nearest_integer<T> n(x, T(log2_e));
        return S::from_native(scaled_from(least, x.raw(), small_exp(minus_n_log2(x, n.value)).raw(), n.value.raw()));
    }
#endif
    const auto nothing = x < S(least);  // computed, it takes the microcode to find that it is 0
    x = math::select(nothing, S(T(0)), x);
    const nearest_integer<T> n(x, T(log2_e));
    const S y = S::from_native(scaled(small_exp(minus_n_log2(x, n.value)).raw(), n.value.raw()));
    return math::select(nothing, S(T(0)), y);
}
/// exp where some lane overflows, underflows or is NaN; the same bits in the others.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> special_exp(simd<T> x) {
    return exp_anywhere(x);
}

// ---- Hyperbolic tangent --------------------------------------------------------------------------------------------

template <class T>
RICCI_INLINE simd<T> tanh_by_table(simd<T> x) {
#if defined(__AVX512F__)
    const auto size = simd<T>::from_native(smaller(simd<T>(14.5f).raw(), magnitude_of(x.raw())));
    const auto cell = _mm512_maskz_srli_epi32(all16, (__m512i)(size + simd<T>(1.0f)).bits(), 20);
    const auto entry = [cell](int i) RICCI_INLINE_LAMBDA {
        return simd<T>::from_native(
            _mm512_permutex2var_ps(_mm512_load_ps(tanh_table[i]), cell, _mm512_load_ps(tanh_table[i] + 16)));
    };
    const auto d = size - entry(0);
    auto y = math::fma(entry(6), d, entry(5));
    for (int i = 4; i > 0; --i) y = math::fma(y, d, entry(i));
    return math::copysign(y, x);
#else
    return x;
#endif
}

// ---- Logarithm -----------------------------------------------------------------------------------------------------

/// x as 2^exponent * mantissa, the mantissa in [0.75, 1.5). For positive, finite, normal x; on AVX-512 for any x, zero,
/// infinity and NaN ending in what log makes of them, negative numbers in NaN.
template <class T>
struct exponent_and_mantissa {
    simd<T> exponent, mantissa;
    RICCI_INLINE explicit exponent_and_mantissa(simd<T> x) {
#if defined(__AVX512F__)
        if constexpr (simd<T>::traits::mask_is_bits && sizeof(T) == 4) {
            const __m512 m = _mm512_maskz_getmant_ps(all16, x.raw(), _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
            mantissa = simd<T>::from_native(m);
            exponent = simd<T>::from_native(_mm512_maskz_getexp_ps(all16, x.raw()) - _mm512_maskz_getexp_ps(all16, m));
            return;
        } else if constexpr (simd<T>::traits::mask_is_bits) {
            const __m512d m = _mm512_maskz_getmant_pd(all8, x.raw(), _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
            mantissa = simd<T>::from_native(m);
            exponent = simd<T>::from_native(_mm512_maskz_getexp_pd(all8, x.raw()) - _mm512_maskz_getexp_pd(all8, m));
            return;
        } else
#endif
        {
            constexpr int bits = std::numeric_limits<T>::digits - 1, bias = std::numeric_limits<T>::max_exponent - 1;
            using natural = std::make_unsigned_t<typename simd<T>::traits::integer>;
            // x / 0.75 in whole binades, kept positive: 64-bit lanes have no arithmetic shift before AVX-512
            constexpr natural up = natural(bias + 1) << bits,
                              three_quarters = (natural(bias - 1) << bits) + (natural(1) << (bits - 1));
            const auto n = (x.bits() + (up - three_quarters)) >> bits;
            const auto shift = simd<T>(rounding_shift<T>);
            exponent = simd<T>::from_bits(n + shift.bits()) - shift - simd<T>(T(bias + 1));
            mantissa = simd<T>::from_bits(x.bits() - ((n - natural(bias + 1)) << bits));
        }
    }
};

RICCI_INLINE simd<float> log_of(exponent_and_mantissa<float> x) {
    const auto f = x.mantissa - simd<float>(1), f2 = f * f;
    auto y = f2 * f *
             polynomial(f, 0.333334506f, -0.250000954f, 0.199908614f, -0.16647312f, 0.144783944f, -0.131611913f,
                        0.104630232f, -0.0450748242f);
    y = math::fma(x.exponent, 0x1.7f7d1cp-20f, y);
    y = math::fma(f2, -0.5f, y);
    return math::fma(x.exponent, 0x1.62e4p-1f, f + y);
}

#if defined(__AVX512F__)
// c and -log(c) for c near 1 / m, by the four leading bits of m's fraction, m in [0.75, 1.5). c is short: m c - 1 is
// exact but for its last bits. Around 1 c is 1, so that nothing cancels there.
alignas(64) inline constexpr double log_table[32] = {0x1p+0,
                                                     0x1.d4p-1,
                                                     0x1.bbp-1,
                                                     0x1.a4p-1,
                                                     0x1.9p-1,
                                                     0x1.7dp-1,
                                                     0x1.6cp-1,
                                                     0x1.5dp-1,
                                                     0x1.4e8p+0,
                                                     0x1.418p+0,
                                                     0x1.35p+0,
                                                     0x1.2ap+0,
                                                     0x1.1f8p+0,
                                                     0x1.158p+0,
                                                     0x1.0c8p+0,
                                                     0x1p+0,
                                                     0,
                                                     0.089856329121861048,
                                                     0.14475485499437216,
                                                     0.19806991376209379,
                                                     0.24686007793152578,
                                                     0.29552524991280682,
                                                     0.34117075740276714,
                                                     0.38325270283708063,
                                                     -0.26745943508872067,
                                                     -0.22782009919811161,
                                                     -0.18816383241818299,
                                                     -0.15191604202584197,
                                                     -0.11604541575784265,
                                                     -0.080643488706926725,
                                                     -0.047673469469356904,
                                                     0};

struct log_cell {
    simd<double> inverse, log;
    RICCI_INLINE explicit log_cell(simd<double> mantissa) {
        const __m512i i = _mm512_maskz_srli_epi64(all8, (__m512i)mantissa.bits(), 48);
        inverse = entry(i, log_table);
        log = entry(i, log_table + 16);
    }
    static RICCI_INLINE simd<double> entry(__m512i i, const double* t) {
        return simd<double>::from_native(_mm512_permutex2var_pd(_mm512_load_pd(t), i, _mm512_load_pd(t + 8)));
    }
};

RICCI_INLINE simd<double> log_of(exponent_and_mantissa<double> x) {
    const log_cell cell(x.mantissa);
    const auto r = math::fma(x.mantissa, cell.inverse, -1.0);
    const auto t = cell.log, head = t + r, tail = (t - head) + r;  // |t| > |r| or t = 0
    const auto p = polynomial(r, -0.49999999999999811, 0.333333333333517, -0.25000000001595485, 0.19999999937172239,
                              -0.16666662979052355, 0.14285764128357631, -0.12503259178109696, 0.11113871165639744,
                              -0.090314389860482541);
    return math::fma(x.exponent, 0x1.62e42fefa38p-1, head) +
           math::fma(r * r, p, math::fma(x.exponent, 0x1.ef35793c7673p-45, tail));
}
#else
/// log(1 + f) - (f - f^2 / 2) + rest for f in [-0.25, 0.5), by fdlibm's scheme: with s = f / (2 + f), log(1 + f) = 2
/// atanh(s).
template <class T>
    requires(sizeof(T) == 8)
RICCI_INLINE simd<T> log_tail(simd<T> f, simd<T> half_square, simd<T> rest) {
    const auto s = f / (simd<T>(2) + f), z = s * s;
    const auto r = z * polynomial(z, 0.66666666666666596, 0.40000000000056951, 0.28571428555767903, 0.22222224302847016,
                                  0.18181665512552544, 0.15391123356484393, 0.13173413210786195, 0.13844269320386215);
    return math::fma(s, half_square + r, rest);
}
template <class T>
    requires(sizeof(T) == 8)
RICCI_INLINE simd<T> log_of(exponent_and_mantissa<T> x) {
    const auto f = x.mantissa - simd<T>(1), half_square = simd<T>(0.5) * f * f;
    const auto tail = log_tail(f, half_square, x.exponent * simd<T>(0x1.ef35793c7673p-45));
    return math::fma(x.exponent, 0x1.62e42fefa38p-1, f - (half_square - tail));
}
#endif

/// log where some lane is zero, subnormal, negative, infinite or NaN.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> special_log(simd<T> x) {
    using limits = std::numeric_limits<T>;
    constexpr T up = sizeof(T) == 4 ? T(1 << 25) : T(std::int64_t(1) << 54);
    const auto tiny = x < simd<T>(limits::min());
    exponent_and_mantissa<T> parts(math::select(tiny, x * simd<T>(up), x));
    parts.exponent = parts.exponent - math::select(tiny, simd<T>(sizeof(T) == 4 ? T(25) : T(54)), simd<T>(T(0)));
    auto y = log_of(parts);
    y = math::select(x < simd<T>(limits::infinity()), y, x);
    y = math::select(x == simd<T>(T(0)), simd<T>(-limits::infinity()), y);
    return math::select(x < simd<T>(T(0)), simd<T>(limits::quiet_NaN()), y);
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> exp(simd<T> x) {
    using namespace detail;
    if constexpr (simd<T>::traits::mask_is_bits) {
        return exp_anywhere(x);
    } else {
        if (!math::all(math::abs(x) <= simd<T>(sizeof(T) == 4 ? T(87) : T(708)))) return special_exp(x);
        const nearest_integer<T> n(x, T(log2_e));
        const auto y = small_exp(minus_n_log2(x, n.value));
        return simd<T>::from_bits(y.bits() + (n.shifted.bits() << (std::numeric_limits<T>::digits - 1)));
    }
}

template <class T>
RICCI_INLINE simd<T> log(simd<T> x) {
    using namespace detail;
    if constexpr (!simd<T>::traits::mask_is_bits) {
        using limits = std::numeric_limits<T>;
        if (!math::all((simd<T>(limits::min()) <= x) & (x <= simd<T>(limits::max())))) return special_log(x);
    }
    return log_of(exponent_and_mantissa<T>(x));
}

template <class T>
RICCI_INLINE simd<T> tanh(simd<T> x) {
    using namespace detail;
    if constexpr (simd<T>::lanes == 16) return tanh_by_table(x);
    // e / (e + 2) with e = exp(2|x|) - 1, beyond the bound 1
    const auto size = math::abs(x);
    const auto y = simd<T>::from_native(smaller(simd<T>(sizeof(T) == 4 ? T(20) : T(40)).raw(), (size + size).raw()));
    const nearest_integer<T> n(y, T(log2_e));
    constexpr int bits = std::numeric_limits<T>::digits - 1;
    const auto power = simd<T>::from_bits((n.shifted.bits() << bits) + simd<T>(T(1)).bits());
    const auto r = minus_n_log2(y, n.value), tail = small_expm1_tail(r), p = r + tail;
    const auto a = power * p, b = power - simd<T>(T(1));
    const auto e = fused_multiply_add ? math::fma(power, p, b) : a + b;
    auto e_low = power * (tail - (p - r));  // what rounding p has lost
    if constexpr (!fused_multiply_add) e_low += (b - e) + a;
    return math::copysign(over_itself_plus_2(e, e_low), x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci

#endif  // RICCI_HAS_SIMD
