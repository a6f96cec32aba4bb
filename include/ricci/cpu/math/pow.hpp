// Powers of simd registers: floats by way of doubles, doubles by a logarithm of twice the precision.
#pragma once
#include "../simd/widen.hpp"
#include "exponential.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Replaces the lanes of `z` where `m` by x to the y of the standard library.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> pow_by_lane(simd_mask<T> m, simd<T> x, simd<T> y, simd<T> z) {
    T base[simd<T>::lanes], power[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    x.store(base);
    y.store(power);
    z.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = math::pow(base[i], power[i]);
    return simd<T>::load(out);
}

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
/// c near 1 / m, and -log(c) in two words, by the four leading bits of the fraction of m + 1/32, m in [0.75, 1.5). c is so short
/// that r = m c - 1 is exact, |r| < 0.0345; around 1 c is 1. The first word is a multiple of 2^-42, as that of log(2) is.
alignas(64) inline constexpr double precise_log_table[3][16] = {
    {0x1p+0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1, 0x1.58p-1, 0x1.5p+0, 0x1.4p+0,
     0x1.38p+0, 0x1.28p+0, 0x1.2p+0, 0x1.18p+0, 0x1.1p+0},
    {0, 0x1.08598b59e4p-4, 0x1.da72763844p-4, 0x1.5bf406b544p-3, 0x1.d1037f2656p-3, 0x1.1178e8227ep-2,
     0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.973a343135p-2, -0x1.1675cababap-2, -0x1.c8ff7c79aap-3,
     -0x1.9525a9cf46p-3, -0x1.29552f82p-3, -0x1.e27076e2bp-4, -0x1.6f0d28ae58p-4, -0x1.f0a30c0118p-5},
    {0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46, -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47,
     0x1.1ef78ce2d07f2p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, 0x1.ab73b16bf4984p-44, -0x1.8380e731f55c4p-44,
     0x1.7794f689f8434p-45, 0x1.297137d9f158fp-44, 0x1.5b967f4471dfcp-44, 0x1.a342c2af0003cp-45, 0x1.4b4641b664613p-44,
     0x1.d599e83368e91p-45}};

/// log(x) as head + tail within 2^-62 of itself, for positive normal x: log(1 + r) = r - r^2 / 2 + r^3 (1/3 - ...), of which all
/// but the last term is carried to twice the precision.
RICCI_INLINE exact_sum<double> precise_log(simd<double> x) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
    const __m512i cell = _mm512_maskz_srli_epi64(all8, (__m512i)(parts.mantissa + S(0x1p-5)).bits(), 48);
    const S r = math::fma(parts.mantissa, log_cell::entry(cell, precise_log_table[0]), S(-1)), square = r * r;
    const S whole = math::fma(parts.exponent, 0x1.62e42fefa38p-1, log_cell::entry(cell, precise_log_table[1]));
    const S rest = math::fma(parts.exponent, 0x1.ef35793c7673p-45, log_cell::entry(cell, precise_log_table[2]));
    const S p = paired_terms(r, square, 0.3333333333333333, -0.25, 0.19999999999998488, -0.16666666666665264,
                             0.14285714295872695, -0.12500000009433032, 0.11111087219714731, -0.09999977814660127,
                             0.09113836937125108, -0.08354623819689523);
    const S near = math::fma(square, S(-0.5), r), near_tail = math::fma(square, S(-0.5), r - near);
    const exact_sum<double> sum(whole, near);  // |whole| > |near| or whole = 0
    const S square_tail = math::fma(r, r, -square);
    const S tail = (sum.tail + near_tail) + math::fma(square * r, p, math::fma(square_tail, S(-0.5), rest));
    return {sum.head, tail};
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
#endif

RICCI_INLINE simd<double> positive_pow(simd<double> x, simd<double> y) {
    using S = simd<double>;
    const auto log_x = precise_log(x);
    const exact_product<double> product(y, log_x.head);
    const S power = clamped<double>(product.head, -746, 710);
    const S rest = math::select(power == product.head, math::fma(y, log_x.tail, product.tail), S(0));
    const nearest_integer<double> n(power, log2_e);
    const S r = math::fma(n.value, -0x1.62e42fefa38p-1, power) + math::fma(n.value, -0x1.ef35793c7673p-45, rest);
    return S::from_native(scaled(small_exp(r).raw(), n.value.raw()));
}

// The lower or upper half of a register of floats, widened, and back.
#if defined(__CUDACC__)  // nvcc loses packs of lanes
template <int First, std::size_t... I>
RICCI_INLINE simd<double> widen(simd<float> x, std::index_sequence<I...>) {
    float from[simd<float>::lanes];
    x.store(from);
    const double to[] = {from[First + I]...};
    return simd<double>::load(to);
}
template <std::size_t... I>
RICCI_INLINE simd<float> narrow(simd<double> low, simd<double> high, std::index_sequence<I...>) {
    double from[sizeof...(I)];
    low.store(from);
    high.store(from + simd<double>::lanes);
    const float to[] = {static_cast<float>(from[I])...};
    return simd<float>::load(to);
}
#else
template <int First, std::size_t... I>
RICCI_INLINE simd<double> widen(simd<float> x, std::index_sequence<I...>) {
    typedef double doubles __attribute__((vector_size(sizeof(simd<double>))));
    const auto r = x.raw();
    return simd<double>::from_native((typename simd<double>::native)widened<doubles>(
        __builtin_shufflevector(r, r, (First + static_cast<int>(I))...)));
}
template <std::size_t... I>
RICCI_INLINE simd<float> narrow(simd<double> low, simd<double> high, std::index_sequence<I...>) {
    typedef float halves __attribute__((vector_size(sizeof(simd<float>) / 2)));
    typedef double doubles __attribute__((vector_size(sizeof(simd<double>))));
    const halves a = __builtin_convertvector((doubles)low.raw(), halves),
                 b = __builtin_convertvector((doubles)high.raw(), halves);
    return simd<float>::from_native(
        (typename simd<float>::native)__builtin_shufflevector(a, b, static_cast<int>(I)...));
}
#endif
/// log(x) in doubles as precise as floats need, within 2^-32 of itself; for positive normal x.
RICCI_INLINE simd<double> float_log(simd<double> x) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
#if defined(__AVX512F__)
    const log_cell cell(parts.mantissa);
    const S r = math::fma(parts.mantissa, cell.inverse, S(-1));
    const S p = polynomial(r, -0.49999999998789485, 0.33333332174366515, -0.24999998425145095, 0.20002184701943221,
                           -0.166848521990558, 0.13348323779505875);
    const S log_m = math::fma(r * r, p, cell.log + r);
#else
    const S f = parts.mantissa - S(1), s = f / (S(2) + f), z = s * s;
    const S p = polynomial(z, 0.66666666710868228, 0.39999984474097977, 0.28573196545051838, 0.22134715643338967,
                           0.20127007825607299);
    const S log_m = math::fma(s * z, p, s + s);
#endif
    return math::fma(parts.exponent, 0.69314718055994531, log_m);
}
/// x to the power y, as precise.
RICCI_INLINE simd<double> float_pow(simd<double> x, simd<double> y) {
    using S = simd<double>;
    const S power = clamped<double>(y * float_log(x), -110, 90);
    const nearest_integer<double> n(power, log2_e);
    const S r2 = math::fma(n.value, -0.69314718055994531, power);
    const S q = polynomial(r2, 0.50000000717201731, 0.16666665792784427, 0.041666279974596439, 0.0083335108214351028,
                           0.0013945784534720473, 0.00019785034377321534);
    const S e = math::fma(r2 * r2, q, r2) + S(1);
    return S::from_bits(e.bits() + (n.shifted.bits() << 52));
}
RICCI_INLINE simd<float> positive_pow(simd<float> x, simd<float> y) {
    constexpr int middle = simd<double>::lanes;
    using half = std::make_index_sequence<simd<double>::lanes>;
    return narrow(float_pow(widen<0>(x, half()), widen<0>(y, half())),
                  float_pow(widen<middle>(x, half()), widen<middle>(y, half())),
                  std::make_index_sequence<simd<float>::lanes>());
}

/// x^4 within 1 ulp: what rounding x^2 has lost is added to its square. What is lost of a power that underflows may be
/// negative, the power is not.
template <class T>
RICCI_INLINE simd<T> fourth_power(simd<T> x) {
    const auto square = x * x;
    const auto lost = math::fma(x, x, -square);
    const auto power = math::fma(lost + lost, square, square * square);
    return math::abs(math::select(square <= simd<T>(std::numeric_limits<T>::max()), power, square));
}
/// A root as pow(x, 0.5) is one: 0 at -0, infinite at -infinity.
template <class T>
RICCI_INLINE simd<T> power_of_half(simd<T> x) {
    const simd<T> infinity(std::numeric_limits<T>::infinity());
    return math::select(x == -infinity, infinity, math::sqrt(x) + simd<T>(T(0)));
}
/// The powers that are products, quotients or roots, each with its function.
template <class T, class Each>
RICCI_INLINE void for_small_powers(const Each& each) {
    using S = simd<T>;
    each(S(T(2)), [](S x) RICCI_INLINE_LAMBDA { return x * x; });
    each(S(T(3)), [](S x) RICCI_INLINE_LAMBDA { return x * x * x; });
    each(S(T(1)), [](S x) RICCI_INLINE_LAMBDA { return x; });
    each(S(T(-1)), [](S x) RICCI_INLINE_LAMBDA { return S(T(1)) / x; });
    each(S(T(0.5)), [](S x) RICCI_INLINE_LAMBDA { return power_of_half(x); });
    if constexpr (fused_multiply_add) each(S(T(4)), [](S x) RICCI_INLINE_LAMBDA { return fourth_power(x); });
}
template <class T>
RICCI_INLINE simd<T> any_power(simd<T> x, simd<T> y) {
    if constexpr (!simd_supported<double> || (sizeof(T) == 8 && !fused_multiply_add)) {
        return pow_by_lane(simd_mask<T>(true), x, y, x);
    } else {
        using limits = std::numeric_limits<T>;
        const simd<T> size = math::abs(x), largest(limits::max());
        auto z = positive_pow(size, y);
        if (math::any(math::signbit(x))) {
            const auto half = y * simd<T>(T(0.5));
            const auto integral = math::round(y) == y;
            const auto odd = integral & (math::round(half) != half);
            const auto signed_z = math::select(integral, math::select(odd, -z, z), simd<T>(limits::quiet_NaN()));
            z = math::select(x < simd<T>(T(0)), signed_z, z);
        }
        const auto usual = (simd<T>(limits::min()) <= size) & (size <= largest) & (math::abs(y) <= largest);
        if (!math::all(usual)) [[unlikely]]
            return pow_by_lane(!usual, x, y, z);
        return z;
    }
}
/// A small power is the same among others as among its like: results do not depend on neighbours.
template <class T>
[[gnu::noinline]] simd<T> general_pow(simd<T> x, simd<T> y) {
    const auto twice = y + y;  // of small powers a small integer
    if (!math::any((math::round(twice) == twice) & (math::abs(twice) <= simd<T>(T(8))))) return any_power(x, y);
    simd<T> z;
    bool alike = false;
    for_small_powers<T>([&](simd<T> power, const auto& f) RICCI_INLINE_LAMBDA {
        if (alike || !math::all(y == power)) return;
        z = f(x);
        alike = true;
    });
    if (alike) return z;
    z = any_power(x, y);
    for_small_powers<T>([&](simd<T> power, const auto& f) RICCI_INLINE_LAMBDA {
        if (const auto lanes = y == power; math::any(lanes)) [[unlikely]]
            z = math::select(lanes, f(x), z);
    });
    return z;
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

/// x to the power y with the special values of IEEE 754. Not inlined but for squares: it is long, and kernels are short of
/// registers. Powers are mostly one small number for all elements, which a branch tells: a product takes a twentieth of the time.
template <class T>
RICCI_INLINE simd<T> pow(simd<T> x, std::type_identity_t<simd<T>> y) {
    if (math::all(y == simd<T>(T(2)))) return x * x;
    return detail::general_pow<T>(x, y);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
