// The functions of math.hpp for simd registers: own kernels, at most 2 ulp, with all special values.
#pragma once
#include "scalar_math.hpp"
#include "simd_tables.hpp"

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
/// The same by pairs of terms, as many operations in half of the steps: where a polynomial is so long that iterations do not
/// hide its latency. The first term is added last, as Horner's rule has it, so that the result is as exact.
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
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> by_lane(simd_mask<T> m, T (*function)(T), simd<T> x, simd<T> y) {
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
/// e / (e + 2) for e + e_low >= 0, e_low the smaller by far.
template <class T>
RICCI_INLINE simd<T> over_itself_plus_2(simd<T> e, simd<T> e_low) {
    const simd<T> one(T(1)), d = e + simd<T>(T(2));
    if constexpr (fused_multiply_add) {
        // The correction squares the error of the reciprocal, so that a coarse one does.
#if defined(__AVX512F__)
        auto inverse = simd<T>::from_native(reciprocal14(d.raw()));
        if constexpr (sizeof(T) == 8) inverse = math::fma(inverse, math::fma(-d, inverse, one), inverse);
#else
        const auto inverse = one / d;
#endif
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
/// Bounds x to where exp is neither infinite nor 0. NaN stays: the hardware's min and max give the second operand.
template <class T>
RICCI_INLINE simd<T> clamped(simd<T> x, T low, T high) {
    return simd<T>::from_native(larger(simd<T>(low).raw(), smaller(simd<T>(high).raw(), x.raw())));
}

template <class T>
RICCI_INLINE simd<T> exp_anywhere(simd<T> x) {
    x = sizeof(T) == 4 ? clamped<T>(x, T(-104), T(89)) : clamped<T>(x, T(-746), T(710));
    const nearest_integer<T> n(x, T(log2_e));
    return simd<T>::from_native(scaled(small_exp(minus_n_log2(x, n.value)).raw(), n.value.raw()));
}
/// exp where some lane overflows, underflows or is NaN; the same bits in the others.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> special_exp(simd<T> x) {
    return exp_anywhere(x);
}

// ---- Sine and cosine -----------------------------------------------------------------------------------------------

/// Beyond it, reduction by few words of pi is not exact enough.
template <class T>
inline constexpr T far_angle =
    sizeof(T) == 4 ? (fused_multiply_add ? T(65536) : T(4096)) : (fused_multiply_add ? T(1 << 30) : T(1 << 19));

/// x - n pi scale. The first difference is exact, with fused multiplies by itself, without because the words are short.
template <class T>
RICCI_INLINE simd<T> minus_n_pi(simd<T> x, simd<T> n, T scale) {
    if constexpr (sizeof(T) == 4 && fused_multiply_add) {
        const auto r = math::fma(n, 0x1.777a5cp-24f * scale, math::fma(n, -0x1.921fb6p+1f * scale, x));
        return math::fma(n, 0x1.ee59dap-49f * scale, r);
    } else if constexpr (fused_multiply_add) {
        const auto r = math::fma(n, -0x1.1a62633145c07p-53 * scale, math::fma(n, -0x1.921fb54442d18p+1 * scale, x));
        return math::fma(n, 0x1.f1976b7ed8fbcp-109 * scale, r);
    } else {
        constexpr double wide[] = {0x1.921fb544p+1, 0, 0x1.0b4611a6p-33, 0x1.3198a2e037073p-68};
        constexpr double narrow[] = {0x1.92p+1, 0x1.fb4p-11, 0x1.444p-23, 0x1.68c234p-38};
        const auto word = [&](int i) {
            return n * simd<T>(static_cast<T>((sizeof(T) == 4 ? narrow : wide)[i]) * scale);
        };
        const auto r = sizeof(T) == 4 ? x - word(0) - word(1) : x - word(0), third = word(2);
        const auto rest = r - third;
        return rest + (((r - rest) - third) - word(3));
    }
}
/// sin(r) for |r| <= pi/2.
template <class T>
RICCI_INLINE simd<T> half_turn_sin(simd<T> r) {
    const auto u = r * r;
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, -0.166666582f, 0.00833303202f, -0.000198069683f, 2.59974172e-6f);
    else
        p = polynomial(u, -0.16666666666666666, 0.0083333333333331493, -0.00019841269841192681, 2.7557319208283799e-6,
                       -2.505210661022466e-8, 1.605892646197826e-10, -7.6426461391265743e-13, 2.7175357665376524e-15);
    return clamped<T>(math::fma(u * r, p, r), T(-1), T(1));  // at pi/2 rounding may overshoot
}
/// sin(r) and cos(r) for |r| <= pi/4.
template <class T>
RICCI_INLINE simd<T> quarter_turn_sin(simd<T> r, simd<T> u) {
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, -0.166666538f, 0.00833206344f, -0.000195021348f);
    else
        p = polynomial(u, -0.16666666666666621, 0.0083333333333196515, -0.00019841269827577859, 2.7557312912995687e-6,
                       -2.5050635505951824e-8, 1.5889660165489617e-10);
    return math::fma(u * r, p, r);
}
template <class T>
RICCI_INLINE simd<T> quarter_turn_cos(simd<T> u) {
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, 0.0416666418f, -0.00138871849f, 2.44181283e-5f);
    else
        p = polynomial(u, 0.041666666666666574, -0.0013888888888869534, 2.4801587286635124e-5, -2.7557313535281528e-7,
                       2.0875612929244763e-9, -1.135397109657728e-11);
    return math::fma(u * u, p, math::fma(u, T(-0.5), T(1)));
}
/// The bits of n moved so that its lowest becomes the sign.
template <class T>
RICCI_INLINE auto lowest_to_sign(typename simd<T>::naturals n) {
    return n << (sizeof(T) * 8 - 1);
}
template <class T>
RICCI_INLINE simd_mask<T> lowest_is_set(typename simd<T>::naturals n) {
    return simd_mask<T>::from_native((typename simd_mask<T>::native)lowest_set(n, simd<T>(T(0)).raw()));
}
template <class T>
inline constexpr auto sign_only = std::make_unsigned_t<typename simd<T>::traits::integer>(1) << (sizeof(T) * 8 - 1);

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
// fdlibm's scheme: with s = f / (2 + f), log(1 + f) = 2 atanh(s).
template <class T>
    requires(sizeof(T) == 8)
RICCI_INLINE simd<T> log_of(exponent_and_mantissa<T> x) {
    const auto f = x.mantissa - simd<T>(1), s = f / (simd<T>(2) + f), z = s * s, half_square = simd<T>(0.5) * f * f;
    const auto r = z * polynomial(z, 0.66666666666666596, 0.40000000000056951, 0.28571428555767903, 0.22222224302847016,
                                  0.18181665512552544, 0.15391123356484393, 0.13173413210786195, 0.13844269320386215);
    const auto tail = math::fma(s, half_square + r, x.exponent * simd<T>(0x1.ef35793c7673p-45));
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

/// Sine and cosine together, of one reduction.
template <class T>
RICCI_INLINE void sincos(simd<T> x, simd<T>& s, simd<T>& c) {
    using namespace detail;
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.63661977236758134));
    const auto r = minus_n_pi(size, n.value, T(0.5)), u = r * r;
    const auto a = quarter_turn_sin(r, u), b = quarter_turn_cos(u);
    const auto turned = n.shifted.bits();
    const auto odd = lowest_is_set<T>(turned);
    s = math::select(odd, b, a);
    c = math::select(odd, a, b);
    s = simd<T>::from_bits(s.bits() ^ (((turned & 2) << (sizeof(T) * 8 - 2)) ^ (x.bits() & sign_only<T>)));
    c = simd<T>::from_bits(c.bits() ^ (((turned + 1) & 2) << (sizeof(T) * 8 - 2)));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]] {
        s = by_lane(far, +[](T v) { return math::sin(v); }, x, s);
        c = by_lane(far, +[](T v) { return math::cos(v); }, x, c);
    }
}

template <class T>
RICCI_INLINE simd<T> sin(simd<T> x) {
    using namespace detail;
    if constexpr (!fused_multiply_add) {
        simd<T> s, c;
        math::sincos(x, s, c);
        return s;
    }
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.31830988618379067));
    const auto y = half_turn_sin(minus_n_pi(size, n.value, T(1)));
    const auto s = simd<T>::from_bits(y.bits() ^ lowest_to_sign<T>(n.shifted.bits()) ^ (x.bits() & sign_only<T>));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]]
        return by_lane(far, +[](T v) { return math::sin(v); }, x, s);
    return s;
}

/// By quarter turns, two polynomials: one of half turns would not give cos(0) = 1.
template <class T>
RICCI_INLINE simd<T> cos(simd<T> x) {
    using namespace detail;
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.63661977236758134));
    const auto r = minus_n_pi(size, n.value, T(0.5)), u = r * r;
    const auto turned = n.shifted.bits();
    auto c = math::select(lowest_is_set<T>(turned), quarter_turn_sin(r, u), quarter_turn_cos(u));
    c = simd<T>::from_bits(c.bits() ^ (((turned + 1) & 2) << (sizeof(T) * 8 - 2)));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]]
        return by_lane(far, +[](T v) { return math::cos(v); }, x, c);
    return c;
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
