// Logarithms that lose nothing: in two words, and to the bases 2 and 10.
#pragma once
#include "exponential.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Whether kernels in doubles exist: fused multiplies carry their low words.
inline constexpr bool precise_doubles = simd_supported<double> && fused_multiply_add;

/// The exact value x + y as head + tail; |x| >= |y| or x = 0.
template <class T>
struct exact_sum {
    simd<T> head, tail;
    RICCI_INLINE exact_sum(simd<T> x, simd<T> y) : head(x + y), tail((x - head) + y) {}
};
/// The exact product.
template <class T>
struct exact_product {
    simd<T> head, tail;
    RICCI_INLINE exact_product(simd<T> x, simd<T> y) : head(x * y), tail(math::fma(x, y, -head)) {}
};

#if defined(__AVX512F__)
/// Cells of mantissas m in [0.75, 1.5), by the four leading bits of the fraction of m + 1/32. c is near 1 / m, and so
/// short that r = m c - 1 is exact, |r| < 0.0345; around 1 c is 1. Of -log(c) to a base there are two words, the first
/// so short that its sum with an exponent times the first word of log(2) is exact. The second word of log(2) is
/// positive: infinite exponents agree.
template <class T>
struct log_cells {
    T inverse[16];
    struct words {
        T high[16], low[16], log_2, log_2_low;
    } natural, binary, decimal;
};
template <class T>
alignas(64) inline constexpr log_cells<T> log_cells_of{};
template <>
alignas(64) inline constexpr log_cells<float> log_cells_of<float>{
    {0x1p+0f, 0x1.ep-1f, 0x1.c8p-1f, 0x1.bp-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.7p-1f, 0x1.6p-1f, 0x1.58p-1f, 0x1.5p+0f,
     0x1.4p+0f, 0x1.38p+0f, 0x1.28p+0f, 0x1.2p+0f, 0x1.18p+0f, 0x1.1p+0f},
    {{0, 0x1.086p-4f, 0x1.da7p-4f, 0x1.5bf8p-3f, 0x1.d1p-3f, 0x1.1178p-2f, 0x1.522cp-2f, 0x1.7fbp-2f, 0x1.973cp-2f,
      -0x1.1674p-2f, -0x1.c9p-3f, -0x1.9528p-3f, -0x1.2958p-3f, -0x1.e27p-4f, -0x1.6f1p-4f, -0x1.f0ap-5f},
     {0, -0x1.9d2988p-18f, 0x1.3b1c22p-19f, -0x1.fca55ep-18f, 0x1.bf932ap-18f, 0x1.d044fcp-19f, -0x1.1f8c76p-18f,
      -0x1.7109fap-20f, -0x1.cbcecap-18f, -0x1.cababap-18f, 0x1.070cacp-20f, 0x1.2b185ep-18f, 0x1.683fp-18f,
      -0x1.db8abcp-22f, 0x1.6ba8d4p-19f, -0x1.86008cp-20f},
     0x1.62e4p-1f,
     0x1.7f7d1cp-20f},
    {{0, 0x1.7d6p-4f, 0x1.564p-3f, 0x1.f6p-3f, 0x1.4f7p-2f, 0x1.8a88p-2f, 0x1.e7ep-2f, 0x1.14c4p-1f, 0x1.25cp-1f,
      -0x1.91b8p-2f, -0x1.49a8p-2f, -0x1.244p-2f, -0x1.acfp-3f, -0x1.5cp-3f, -0x1.08cp-3f, -0x1.664p-4f},
     {0, 0x1.25b3eep-22f, -0x1.1eb002p-18f, -0x1.3ab7cep-18f, -0x1.134c4ep-20f, 0x1.80abfcp-18f, -0x1.40358ep-19f,
      0x1.60fe68p-17f, 0x1.408c78p-18f, -0x1.d448f8p-17f, 0x1.ed0cbap-20f, -0x1.eac382p-20f, -0x1.78b6d4p-17f,
      -0x1.a39fbep-19f, -0x1.62336ap-17f, 0x1.20a6dep-21f},
     1,
     0},
    {{0, 0x1.cb4p-6f, 0x1.9c2p-5f, 0x1.2e38p-4f, 0x1.93e8p-4f, 0x1.db1p-4f, 0x1.25bcp-3f, 0x1.4d44p-3f, 0x1.61b8p-3f,
      -0x1.e3cp-4f, -0x1.8cfp-4f, -0x1.5fe8p-4f, -0x1.024p-4f, -0x1.a31p-5f, -0x1.3edp-5f, -0x1.af6p-6f},
     {0, -0x1.c0cc9ep-20f, -0x1.a1504p-19f, 0x1.3a05bcp-19f, -0x1.0f81ep-23f, 0x1.ed766ap-20f, -0x1.7dea5p-19f,
      -0x1.f6296ep-25f, -0x1.6c667cp-19f, 0x1.f2a79p-19f, -0x1.838864p-20f, -0x1.222bd4p-26f, -0x1.460f84p-19f,
      0x1.58a7d8p-19f, -0x1.199a5ep-21f, 0x1.b53fc6p-24f},
     0x1.344p-2f,
     0x1.3509f8p-18f}};
template <>
alignas(64) inline constexpr log_cells<double> log_cells_of<double>{
    {0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1, 0x1.58p-1, 0x1.5p+0, 0x1.4p+0,
     0x1.38p+0, 0x1.28p+0, 0x1.2p+0, 0x1.18p+0, 0x1.1p+0},
    {{0, 0x1.08598b59e4p-4, 0x1.da72763844p-4, 0x1.5bf406b544p-3, 0x1.d1037f2656p-3, 0x1.1178e8227ep-2,
      0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.973a343135p-2, -0x1.1675cababap-2, -0x1.c8ff7c79aap-3,
      -0x1.9525a9cf46p-3, -0x1.29552f82p-3, -0x1.e27076e2bp-4, -0x1.6f0d28ae58p-4, -0x1.f0a30c0118p-5},
     {0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46, -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47,
      0x1.1ef78ce2d07f2p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, 0x1.ab73b16bf4984p-44,
      -0x1.8380e731f55c4p-44, 0x1.7794f689f8434p-45, 0x1.297137d9f158fp-44, 0x1.5b967f4471dfcp-44,
      0x1.a342c2af0003cp-45, 0x1.4b4641b664613p-44, 0x1.d599e83368e91p-45},
     0x1.62e42fefa38p-1,
     0x1.ef35793c7673p-45},
    {{0, 0x1.7d60496cfcp-4, 0x1.563dc29ffap-3, 0x1.f5fd8a9064p-3, 0x1.4f6fbb2cecp-2, 0x1.8a8980abfcp-2,
      0x1.e7df5fe539p-2, 0x1.14c560fe688p-1, 0x1.25c0a0463cp-1, -0x1.91bba891f1p-2, -0x1.49a784bcd2p-2,
      -0x1.24407ab0ep-2, -0x1.acf5e2db4ep-3, -0x1.5c01a39fbep-3, -0x1.08c588cda8p-3, -0x1.663f6fac9p-4},
     {0, -0x1.2ce6312ebb81dp-46, 0x1.964190e41bca7p-44, -0x1.cb6f70109b0f1p-47, 0x1.661e393a16b95p-44,
      -0x1.66cccab240e9p-45, -0x1.532c412ba94dbp-44, 0x1.7c407050799bfp-44, -0x1.50520a377c7ecp-45,
      -0x1.c22d2cad415aep-44, 0x1.1d406db502403p-44, -0x1.ce60916e52e91p-44, -0x1.927dfc23d978p-44,
      0x1.2f0c0bfe9dbecp-44, 0x1.871a7610e40bdp-45, -0x1.3167ccc538261p-44},
     1,
     0},
    {{0, 0x1.cb38fccd88p-6, 0x1.9c197abfp-5, 0x1.2e3a740b78p-4, 0x1.93e7de0fc4p-4, 0x1.db11ed766ap-4, 0x1.25ba8215afp-3,
      0x1.4d43f8275ap-3, 0x1.61b6939983p-3, -0x1.e3bc1ab0e2p-4, -0x1.8cf1838864p-4, -0x1.5fe80488bp-4,
      -0x1.02428c1f08p-4, -0x1.a30a9d60ap-5, -0x1.3ed1199a6p-5, -0x1.af5f92b01p-6},
     {0, 0x1.fedb4b594a31bp-45, 0x1.badcf3d6e4566p-46, 0x1.d288560689912p-53, -0x1.80743406505e6p-48,
      0x1.7e865b8783768p-45, 0x1.ff081a4e81f0bp-45, 0x1.20ca9a2bcc728p-45, 0x1.1e472c751a4cp-49, 0x1.8070aa756b03ep-46,
      -0x1.019365163f2fcp-45, 0x1.606adb567e739p-45, -0x1.5ea6bc2bc8c2cp-52, 0x1.0163d7e67d282p-45,
      0x1.bdafc8ad828b8p-45, 0x1.9f05921f59258p-46},
     0x1.34413509f78p-2,
     0x1.fef311f12b358p-46}};

RICCI_INLINE simd<float> cell_entry(__m512i cell, const float* t) {
    return simd<float>::from_native(_mm512_maskz_permutexvar_ps(all16, cell, _mm512_loadu_ps(t)));
}
RICCI_INLINE simd<double> cell_entry(__m512i cell, const double* t) {
    return simd<double>::from_native(_mm512_permutex2var_pd(_mm512_loadu_pd(t), cell, _mm512_loadu_pd(t + 8)));
}
RICCI_INLINE __m512i cell_of(simd<float> mantissa) {
    return _mm512_maskz_srli_epi32(all16, (__m512i)(mantissa + simd<float>(0x1p-5f)).bits(), 19);
}
RICCI_INLINE __m512i cell_of(simd<double> mantissa) {
    return _mm512_maskz_srli_epi64(all8, (__m512i)(mantissa + simd<double>(0x1p-5)).bits(), 48);
}
/// log(x) = whole + rest + log(1 + r), whole exact, for positive x.
template <class T>
struct log_reduction {
    simd<T> r, whole, rest;
    RICCI_INLINE log_reduction(simd<T> x, const typename log_cells<T>::words& words) {
        const exponent_and_mantissa<T> parts(x);
        const auto cell = cell_of(parts.mantissa);
        r = math::fma(parts.mantissa, cell_entry(cell, log_cells_of<T>.inverse), simd<T>(T(-1)));
        whole = math::fma(parts.exponent, words.log_2, cell_entry(cell, words.high));
        rest = cell_entry(cell, words.low);
        if (words.log_2_low != 0) rest = math::fma(parts.exponent, words.log_2_low, rest);
    }
};

/// log(x) as head + tail within 2^-62 of itself, of floats 2^-34, for positive normal x: log(1 + r) =
/// r - r^2 / 2 + r^3 (1/3 - ...), of which all but the last term is carried to twice the precision.
template <class T>
RICCI_INLINE exact_sum<T> precise_log(simd<T> x) {
    using S = simd<T>;
    const log_reduction<T> by(x, log_cells_of<T>.natural);
    const S r = by.r, square = r * r;
    S p;
    if constexpr (sizeof(T) == 4) p = polynomial(r, 0.3333333f, -0.24999948f, 0.20015125f, -0.16770914f);
    else
        p = paired_terms(r, square, 0.3333333333333333, -0.25, 0.19999999999998488, -0.16666666666665264,
                         0.14285714295872695, -0.12500000009433032, 0.11111087219714731, -0.09999977814660127,
                         0.09113836937125108, -0.08354623819689523);
    const S half(T(-0.5)), near = math::fma(square, half, r), near_tail = math::fma(square, half, r - near);
    const exact_sum<T> sum(by.whole, near);  // |whole| > |near| or whole = 0
    const S square_tail = math::fma(r, r, -square);
    const S tail = (sum.tail + near_tail) + math::fma(square * r, p, math::fma(square_tail, half, by.rest));
    return {sum.head, tail};
}

/// log(x) to the base of `words`, from 1 / log(base) in two words and the terms of log(1 + r) / r that follow it, for
/// any x:
/// |whole| > |log(1 + r)| or whole = 0, so that one word of the latter will do.
template <class T, class Terms>
RICCI_INLINE simd<T> log_to_base(simd<T> x, const typename log_cells<T>::words& words, T factor, T factor_low,
                                 const Terms& terms) {
    const log_reduction<T> by(x, words);
    const auto small = math::fma(by.r, terms(by.r), simd<T>(factor_low));
    return by.whole + (by.rest + math::fma(by.r, factor, by.r * small));
}
RICCI_INLINE simd<float> log2_of(simd<float> x) {
    return log_to_base(x, log_cells_of<float>.binary, 0x1.715476p+0f, 0x1.4ae0cp-26f, [](auto r) RICCI_INLINE_LAMBDA {
        return polynomial(r, -0.7213475f, 0.4808975f, -0.36092833f, 0.29028654f);
    });
}
RICCI_INLINE simd<float> log10_of(simd<float> x) {
    return log_to_base(
        x, log_cells_of<float>.decimal, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f,
        [](auto r) RICCI_INLINE_LAMBDA { return polynomial(r, -0.21714723f, 0.14476456f, -0.10865025f, 0.08738496f); });
}
RICCI_INLINE simd<double> log2_of(simd<double> x) {
    return log_to_base(x, log_cells_of<double>.binary, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56,
                       [](auto r) RICCI_INLINE_LAMBDA {
                           return polynomial(r, -0.7213475204444817, 0.4808983469629822, -0.3606737602218888,
                                             0.2885390082479193, -0.24044917548430708, 0.2060990517742578,
                                             -0.18033327229490745, 0.16060554040947375, -0.14637064594772567);
                       });
}
RICCI_INLINE simd<double> log10_of(simd<double> x) {
    return log_to_base(x, log_cells_of<double>.decimal, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57,
                       [](auto r) RICCI_INLINE_LAMBDA {
                           return polynomial(r, -0.2171472409516259, 0.14476482730108226, -0.10857362047570698,
                                             0.08685889640176057, -0.07238241425344881, 0.062041996661955465,
                                             -0.05428572417700753, 0.048347085133075236, -0.04406195491497798);
                       });
}
#else
/// log(x) as head + tail within 2^-64 of itself, for positive normal x. With s = (m - 1) / (m + 1) for the mantissa m,
/// log(m) = 2 s + s z (2/3 + z (2/5 + ...)), z = s^2: all but the polynomial after 2/3 is carried to double precision's
/// double. Needs fused multiplies.
RICCI_INLINE exact_sum<double> precise_log(simd<double> x) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
    const S m = parts.mantissa, e = parts.exponent, f = m - S(1);
    const S d = m + S(1), d_tail = m - (d - S(1)), inverse = S(1) / d;
    const S s = f * inverse, s_tail = inverse * math::fma(-s, d_tail, math::fma(-s, d, f));
    const exact_product<double> z(s, s);
    const S z_tail = math::fma(s + s, s_tail, z.tail);
    const S q = z.head * polynomial(z.head, 0.40000000000000002, 0.28571428571426116, 0.22222222222850929,
                                    0.18181818097091124, 0.15384622148099303, 0.13332997047414827, 0.11775217258959092,
                                    0.10326231949428243, 0.11618243187839369);
    const exact_sum<double> v(S(0x1.5555555555555p-1), q);
    const exact_product<double> t(z.head, v.head);
    const S t_tail = t.tail + math::fma(z.head, v.tail + S(0x1.5555555555555p-55), z_tail * v.head);
    const exact_product<double> st(s, t.head);
    const S st_tail = st.tail + math::fma(s, t_tail, s_tail * t.head);
    const exact_sum<double> log_m(s + s, st.head);
    const exact_sum<double> sum(e * S(0x1.62e42fefa38p-1), log_m.head);
    const S tail = math::fma(e, 0x1.ef35793c7673p-45, log_m.tail + (st_tail + (s_tail + s_tail)));
    return {sum.head, sum.tail + tail};
}

/// The logarithm of positive normal floats to a base, from 1 / log(base) and the logarithm of 2. Of a mantissa 1 + f,
/// what is below f - f^2 / 2 is small enough for one word; an exponent times the first 16 bits of the logarithm of 2 is
/// exact.
RICCI_INLINE simd<float> float_log_to_base(simd<float> x, double factor, double log_2) {
    using S = simd<float>;
    const auto by = static_cast<float>(factor), by_low = static_cast<float>(factor - static_cast<double>(by));
    const float two = static_cast<float>(static_cast<int>(log_2 * 0x1p17)) * 0x1p-17f;
    const auto two_low = static_cast<float>(log_2 - static_cast<double>(two));
    const exponent_and_mantissa<float> parts(x);
    const S f = parts.mantissa - S(1), square = f * f, head = math::fma(square, S(-0.5f), f);
    const S lost = math::fma(S(-0.5f), math::fma(f, f, -square), math::fma(square, S(-0.5f), f - head));
    const S tail = math::fma(square * f,
                             polynomial(f, 0.333333331f, -0.250000567f, 0.200001409f, -0.166608175f, 0.14268306f,
                                        -0.126393111f, 0.116806818f, -0.0956134001f, 0.042871978f),
                             lost);
    const S p = head * S(by), p_low = math::fma(head, S(by), -p) + math::fma(head, S(by_low), tail * S(by));
    const S whole = parts.exponent * S(two), sum = whole + p;  // |whole| > |p| or whole = 0
    return sum + (((whole - sum) + p) + math::fma(parts.exponent, S(two_low), p_low));
}
/// The same of doubles, from 1 / log(base) in two words and the logarithm of 2 in two, of which the first is so short
/// that an exponent times it is exact. (fdlibm's scheme, as that of log.)
RICCI_INLINE simd<double> double_log_to_base(simd<double> x, double factor, double factor_low, double log_2,
                                             double log_2_low) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
    const S f = parts.mantissa - S(1), half = S(0.5) * f, half_square = half * f, head = f - half_square;
    const S lost = ((f - head) - half_square) - math::fma(half, f, -half_square);
    const S tail = log_tail(f, half_square, lost);
    const S p = head * S(factor), p_low = math::fma(head, factor, -p) + math::fma(head, factor_low, tail * S(factor));
    const S whole = parts.exponent * S(log_2), sum = whole + p;  // |whole| > |p| or whole = 0
    return sum + (((whole - sum) + p) + math::fma(parts.exponent, log_2_low, p_low));
}
#endif

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

#if defined(__AVX512F__)
template <class T>
RICCI_INLINE simd<T> log2(simd<T> x) {
    return detail::log2_of(x);
}
template <class T>
RICCI_INLINE simd<T> log10(simd<T> x) {
    return detail::log10_of(x);
}
#else
template <class T>
RICCI_INLINE simd<T> log_to_base(simd<T> x, double factor, double factor_low, double log_2, double log_2_low,
                                 T (*scalar)(T)) {
    using limits = std::numeric_limits<T>;
    const auto usual = (simd<T>(limits::min()) <= x) & (x <= simd<T>(limits::max()));
    auto y = x;
    if constexpr (detail::precise_doubles && sizeof(T) == 4)
        y = detail::float_log_to_base(x, factor, log_2 + log_2_low);
    else if constexpr (detail::precise_doubles) y = detail::double_log_to_base(x, factor, factor_low, log_2, log_2_low);
    const auto rare = detail::precise_doubles ? !usual : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, scalar, x, y);
    return y;
}
template <class T>
[[gnu::noinline]] simd<T> log2(simd<T> x) {
    return math::log_to_base(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0, +[](T v) { return math::log2(v); });
}
template <class T>
[[gnu::noinline]] simd<T> log10(simd<T> x) {
    return math::log_to_base(
        x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f78p-2, 0x1.fef311f12b358p-46,
        +[](T v) { return math::log10(v); });
}
#endif

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
