// The error function and its relatives on simd registers.
#pragma once
#include "exponential_relatives.hpp"
#include "special.hpp"
#include "tables.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// exp(power + power_tail) as (head + tail) 2^n.
struct wide_exp {
    simd<double> head, tail, n;
    RICCI_INLINE wide_exp(simd<double> power, simd<double> power_tail) {
        using S = simd<double>;
        power = clamped<double>(power, -800, 710);
        const nearest_integer<double> nearest(power, log2_e);
        n = nearest.value;
        const S a = math::fma(n, -0x1.62e42fefa38p-1, power), b = math::fma(n, -0x1.ef35793c7673p-45, power_tail);
        const exact_sum<double> r(a, b);
        const S rest = small_expm1_tail(r.head);
        head = S(1) + r.head;
        tail = ((S(1) - head) + r.head) + math::fma(r.tail, head, rest);
    }
};
/// (1 + 2x) exp(x^2) erfc(x) in t = (x - 3) / (x + 3), floats (x - 2) / (x + 2), from x = 0.4 up to where erfc
/// vanishes.
template <class T>
RICCI_INLINE simd<T> erfcx_polynomial(simd<T> t) {
    if constexpr (sizeof(T) == 4)
        return long_polynomial(t, 1.27697838f, -0.0927638255f, -0.166030331f, 0.16405097f, -0.0542231548f,
                               -0.00802361853f, 0.0087591074f, 0.00115252341f, -0.00155045943f);
    else
        return long_polynomial(t, 1.2530080582697296, -0.13562110612458142, -0.047562294353446916, 0.1296451587027896,
                               -0.11927366341555674, 0.06830802734293012, -0.02377051491232605, 0.0025293918333795765,
                               0.0018886902754534662, -0.000779832428253149, -0.0001051591434732395,
                               0.00012510019036507324, 4.946239873415647e-06, -2.010333832536317e-05,
                               -7.211005202048245e-07, 3.4780054934834846e-06, 3.351290973512469e-07,
                               -6.230343182603596e-07, -1.1295719050738284e-07, 1.049144868236197e-07,
                               1.9578458373183435e-08, -1.2568364109642774e-08);
}
/// exp(x^2) erfc(x) for x >= 0.4, within a few ulp: both quotients come from one division, which takes as long as the
/// rest.
template <class T>
RICCI_INLINE simd<T> erfcx(simd<T> x) {
    const simd<T> middle(sizeof(T) == 4 ? T(2) : T(3)), one(T(1));
    const simd<T> sum = x + middle, slope = math::fma(simd<T>(T(2)), x, one), inverse = one / (sum * slope);
    return erfcx_polynomial((x - middle) * (slope * inverse)) * (sum * inverse);
}
/// erf(x) / x - 1 in u = x^2 <= 1.
template <class T>
RICCI_INLINE simd<T> small_erf(simd<T> u) {
    if constexpr (sizeof(T) == 4)
        return polynomial(u, 0.128379166f, -0.376126267f, 0.112835947f, -0.026854212f, 0.00518908742f, -0.000801686429f,
                          7.87587506e-05f);
    else
        return long_polynomial(u, 0.1283791670955126, -0.37612638903183754, 0.1128379167095512, -0.02686617064512984,
                               0.0052239776254232985, -0.000854832702193483, 0.00012055332902888736,
                               -1.4925647567519332e-05, 1.6462045441468418e-06, -1.6364642158167616e-07,
                               1.4792401209404813e-08, -1.216456005728345e-09, 8.709045129053106e-11,
                               -4.230945824295338e-12);
}

#if defined(__AVX512F__)
RICCI_INLINE __m512 erf_entry(int i, simd<float> cell) {
    return _mm512_permutex2var_ps(_mm512_load_ps(erf_of_floats[i]), (__m512i)cell.bits(),
                                  _mm512_load_ps(erf_of_floats[i] + 16));
}
RICCI_INLINE __m512d erf_entry(int i, simd<double> cell) {
    return _mm512_permutex2var_pd(_mm512_load_pd(erf_of_doubles[i]), (__m512i)cell.bits(),
                                  _mm512_load_pd(erf_of_doubles[i] + 8));
}
template <class T>
RICCI_INLINE simd<T> erf_by_table(simd<T> x) {
    constexpr bool floats = sizeof(T) == 4;
    constexpr T width = floats ? T(0.125) : T(erf_cell);
    constexpr int last = floats ? 5 : 13;
    const auto entry = [](int i, simd<T> cell) RICCI_INLINE_LAMBDA { return simd<T>::from_native(erf_entry(i, cell)); };
    const auto size = simd<T>::from_native(smaller(simd<T>(floats ? T(3.93) : T(5.94)).raw(), magnitude_of(x.raw())));
    const nearest_integer<T> cell(size, 1 / width);
    const auto d = math::fma(cell.value, -width, size);
    auto y = entry(last, cell.shifted);
    for (int i = last - 1; i > 0; --i) y = math::fma(y, d, entry(i, cell.shifted));
    return math::copysign(entry(0, cell.shifted) + math::fma(y, d, d), x);
}
#endif

/// erfc(x + x_tail) scale for x >= 0.4, with minus the square given as power + power_tail. What the denominator, the
/// quotient and the argument lose is carried: the slope of exp(x^2) erfc(x) = q is 2 x q - 2 / sqrt(pi).
RICCI_INLINE simd<double> erfc_tail(simd<double> x, simd<double> x_tail, simd<double> power, simd<double> power_tail,
                                    simd<double> scale) {
    using S = simd<double>;
    const S one(1), three(3), twice = x + x, sum = x + three, difference = x - three;
    const S d = one + twice, d_tail = twice + (one - d), inverse = one / (sum * d);  // one division for both quotients
    const S of_sum = inverse * d, of_d = inverse * sum, t = difference * of_sum;
    const S p = erfcx_polynomial(math::fma(math::fma(-t, sum, difference), of_sum, t)) * scale, q = p * of_d;
    const S q_tail = math::fma(x_tail, math::fma(twice, q, scale * S(-1.1283791670955126)),
                               (math::fma(-q, d, p) - q * d_tail) * of_d);
    const wide_exp e(power, power_tail);
    const exact_product<double> y(e.head, q);
    const S z = y.head + (y.tail + math::fma(e.head, q_tail, e.tail * q));
    return S::from_native(scaled(z.raw(), e.n.raw()));
}
struct erfc_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = clamped<double>(math::abs(x), 0.4, 28), one(1);
        const exact_product<double> square(size, size);
        const S tail = erfc_tail(size, S(0), -square.head, -square.tail, one);
        const S near = math::fma(-x, small_erf(x * x), one - x);
        return math::select(math::abs(x) < S(0.4), near, math::select(x < S(0.0), S(2) - tail, tail));
    }
};
/// The normal distribution function, 1/2 erfc(-x / sqrt(2)), whose exponent is -x^2 / 2; times x where that is gelu.
template <bool TimesX>
struct normal_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = clamped<double>(math::abs(x), 0.5656854249492381, 39), z = x * S(0.70710678118654752);
        const exact_product<double> square(size, size);
        const S half(0.5), zero(0), one(1), factor = TimesX ? x : one;
        const auto negative = x < zero;
        const exact_product<double> u(size, S(0.70710678118654757));
        const S u_tail = math::fma(size, -4.833646656726457e-17, u.tail);
        const S scale = half * math::select(negative, factor, one);
        const S tail = erfc_tail(u.head, u_tail, square.head * -half, square.tail * -half, scale);
        const S near = factor * (half * math::fma(z, small_erf(z * z), z + one));
        const S y = math::select(math::abs(z) < S(0.4), near, math::select(negative, tail, factor * (one - tail)));
        return math::select(x < S(-39.0), TimesX ? -zero : zero, y);
    }
};
/// erfc(x) scale in doubles as precise as floats need, within 2^-26 of itself; for 0 <= x <= 11.
RICCI_INLINE simd<double> float_erfc_tail(simd<double> x, simd<double> scale) {
    using S = simd<double>;
    const S one(1), sum = x + S(3), slope = math::fma(S(2), x, one), inverse = one / (sum * slope);
    const S p = long_polynomial((x - S(3)) * (slope * inverse), 1.25300805996, -0.135621145087, -0.0475624878191,
                                0.129646530929, -0.119269496136, 0.0682959705435, -0.0238053574808, 0.00256013769074,
                                0.00201287767959, -0.000758560135448, -0.000260659793973);
    return (scale * float_exp(-x * x)) * (p * (sum * inverse));
}
// Of floats doubles have bits to spare, so that one word and no case of its own near 0 will do.
struct float_erfc_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S tail = float_erfc_tail(clamped<double>(math::abs(x), 0, 11), S(1));
        return math::select(x < S(0.0), S(2) - tail, tail);
    }
};
template <bool TimesX>
struct float_normal_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = clamped<double>(math::abs(x), 0, 15.5), factor = TimesX ? x : S(1);
        const S half_tail = float_erfc_tail(size * S(0.70710678118654752), S(0.5));
        return math::select(x < S(0.0), (TimesX ? -size : S(1)) * half_tail, factor * (S(1) - half_tail));
    }
};
#if defined(__AVX512F__) && !defined(__FAST_MATH__)  // which takes what the second word is for 0
#define RICCI_NORMAL_BY_TABLE 1
/// The same in floats alone: exp(-x^2 / 2), the exponent in two words, times a tabulated function that hardly changes.
template <bool TimesX, class S>  // simd<float>
RICCI_INLINE S normal_by_table(S x) {
    const auto size = S::from_native(smaller(S(14.5f).raw(), magnitude_of(x.raw())));
    const auto cell = _mm512_maskz_srli_epi32(all16, (__m512i)(size + S(1.0f)).bits(), 20);
    const auto entry = [cell](int i) RICCI_INLINE_LAMBDA {
        return S::from_native(
            _mm512_permutex2var_ps(_mm512_load_ps(normal_table[i]), cell, _mm512_load_ps(normal_table[i] + 16)));
    };
    const S d = size - entry(0), half(-0.5f), square = size * size, power = square * half;
    S y = math::fma(entry(6), d, entry(5));
    for (int i = 4; i > 0; --i) y = math::fma(y, d, entry(i));
    if constexpr (TimesX) y = y * size;
    const nearest_integer<float> n(power, static_cast<float>(log2_e));
    // as minus_n_log2, with what is small added up first
    const S low = math::fma(n.value, 2.12194440e-4f, math::fma(size, size, -square) * half);
    const S r = math::fma(n.value, -0.693359375f, power) + low;
    const S tail = S::from_native(scaled((y * small_exp(r)).raw(), n.value.raw()));
    return math::select(x < S(0.0f), TimesX ? -tail : tail, (TimesX ? x : S(1.0f)) - tail);
}
#else
#define RICCI_NORMAL_BY_TABLE 0
#endif
/// What erfinv(x) / |x| is made of, in w = -log(1 - x^2): sqrt(pi) / 2 + w q(w) up to w = 6.25, and beyond that sqrt(w)
/// + r(sqrt(w)). q is its first coefficient and t times the polynomial that `erfinv_q` is, t = 0.32 w - 1.
template <class T>
RICCI_INLINE simd<T> erfinv_q(simd<T> t) {
    if constexpr (sizeof(T) == 4)
        return long_polynomial(t, -0.00541866305f, -0.0134365563f, 0.00620318028f, -0.00050452119f, -0.000819824363f,
                               0.000412906821f, -1.69789544e-05f, -6.75500273e-05f, 2.71815202e-05f, 2.49313443e-06f,
                               -4.2537529e-06f, 6.92038086e-07f);
    else
        return long_polynomial(
            t, -0.005418661488122015, -0.013436559985088158, 0.006203136799988568, -0.000504461018073769,
            -0.0008194795828119021, 0.0004125380557888962, -1.8142672453833702e-05, -6.646329062010265e-05,
            2.9058852792839348e-05, 8.186510085571238e-07, -5.6274814792149975e-06, 2.0253612962160945e-06,
            2.561605958635475e-07, -4.7547729714074925e-07, 1.3665978932993014e-07, 3.67922461135805e-08,
            -4.0236314910794085e-08, 7.787884525454183e-09, 4.87134683350056e-09, -2.7597855919983795e-09,
            -3.219996724648343e-11, 3.0490010975664964e-10, -4.981612664054544e-11);
}
template <class T>
RICCI_INLINE simd<T> erfinv_r(simd<T> s) {
    using S = simd<T>;
    if constexpr (sizeof(T) == 4)
        return long_polynomial(math::fma(s, S(1.25f), S(-4.125f)), -0.165838475f, 0.0046150006f, 0.00310027653f,
                               -0.00168203952f, 0.000858527703f, -0.000479194175f, 0.000226723192f, -5.40413697e-05f,
                               -1.92118241e-06f);
    else
        return long_polynomial(
            math::fma(s, S(0.5555555555555556), S(-2.388888888888889)), -0.1572759552793206, 0.018081174723636503,
            0.0020239307699238995, -0.0033068394198309246, 0.0020664928144223118, -0.001102049988178269,
            0.0006389407193784213, -0.0004984967658265093, 0.0004980554858801456, -0.0005026879591622943,
            0.0004366371387649236, -0.0002927742035381775, 0.00012009199209650541, 1.6282877561608912e-05,
            -7.86834970179412e-05, 7.397751250273198e-05, -3.7318346270859734e-05, 3.2800452658720117e-06,
            1.1871900509549431e-05, -1.0732624518959386e-05, 4.367475568745554e-06, -3.0466665867629666e-07,
            -9.514695402721902e-07, 9.97659953094935e-07, -4.785017171815592e-07, -3.0999848885899025e-08,
            1.2417122154324542e-07, -3.462824995683148e-08);
}
template <class T>
RICCI_INLINE simd<T> erfinv(simd<T> x) {
    using S = simd<T>;
    using limits = std::numeric_limits<T>;
    const S one(T(1)), size = math::abs(x), w = -math::log((one - size) * (one + size));
    const auto far = S(T(6.25)) < w;
    // q and its product with w in two words, which would be rounded twice otherwise, as the last sum is
    const S t = math::fma(w, S(T(0.32)), -one), first(T(0.24557684391371032)), more = erfinv_q(t);
    const S q = math::fma(t, more, first), q_tail = math::fma(t, more, first - q), z = size * w;
    S y = math::fma(size, S(T(0.886226925452758)), math::fma(z, q, math::fma(z, q_tail, math::fma(size, w, -z) * q)));
    if (math::any(far)) {
        const S s = math::sqrt(w), s_tail = math::fma(-s, s, w) / (s + s);
        y = math::select(far, math::fma(size, s, size * (erfinv_r(s) + s_tail)), y);
    }
    y = math::select(size == one, S(limits::infinity()), y);
    return math::copysign(math::select(size <= one, y, S(limits::quiet_NaN())), x);
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> erf(simd<T> x) {
    using namespace detail;
#if defined(__AVX512F__)
    if constexpr (simd<T>::traits::mask_is_bits) return erf_by_table(x);
#endif
    const simd<T> one(T(1)), size = math::abs(x), u = x * x;
    const auto near = math::fma(x, small_erf(u), x);
    const auto beyond = one < size;
    if (!math::any(beyond)) return near;
    const auto bounded = clamped<T>(size, T(0.9), T(6.5));
    const auto far = one - math::exp(-bounded * bounded) * erfcx(bounded);
    return math::select(beyond, math::copysign(far, x), near);
}

template <class T>
[[gnu::noinline]] simd<T> erfc(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::erfc(v); }, x, x);
    else if constexpr (sizeof(T) == 4) return detail::in_doubles(detail::float_erfc_kernel(), x);
    else return detail::in_doubles(detail::erfc_kernel(), x);
}

template <class T>
[[gnu::noinline]] simd<T> gelu(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::gelu(v); }, x, x);
    else if constexpr (sizeof(T) == 4)
#if RICCI_NORMAL_BY_TABLE
        return detail::normal_by_table<true>(x);
#else
        return detail::in_doubles(detail::float_normal_kernel<true>(), x);
#endif
    else return detail::in_doubles(detail::normal_kernel<true>(), x);
}
template <class T>
[[gnu::noinline]] simd<T> ndtr(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::ndtr(v); }, x, x);
    else if constexpr (sizeof(T) == 4)
#if RICCI_NORMAL_BY_TABLE
        return detail::normal_by_table<false>(x);
#else
        return detail::in_doubles(detail::float_normal_kernel<false>(), x);
#endif
    else return detail::in_doubles(detail::normal_kernel<false>(), x);
}
template <class T>
[[gnu::noinline]] simd<T> erfinv(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::erfinv(v); }, x, x);
    else return detail::erfinv(x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#undef RICCI_NORMAL_BY_TABLE
#endif
