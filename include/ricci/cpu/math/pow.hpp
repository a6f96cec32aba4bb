// Powers of simd registers, by a logarithm of twice the precision; of floats without AVX-512 by way of doubles.
#pragma once
#include "../simd/widen.hpp"
#include "precise_log.hpp"

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

/// x to the power y for positive normal x.
template <class T>
RICCI_INLINE simd<T> positive_pow(simd<T> x, std::type_identity_t<simd<T>> y) {
    using S = simd<T>;
    const auto log_x = precise_log(x);
    const exact_product<T> product(y, log_x.head);
    const S power =
        sizeof(T) == 4 ? clamped<T>(product.head, T(-105), T(90)) : clamped<T>(product.head, T(-746), T(710));
    const S rest = math::select(power == product.head, math::fma(y, log_x.tail, product.tail), S(T(0)));
    const nearest_integer<T> n(power, T(log2_e));
    constexpr T log_2 = sizeof(T) == 4 ? T(0.693359375) : T(0x1.62e42fefa38p-1),
                log_2_low = sizeof(T) == 4 ? T(-2.12194440e-4) : T(0x1.ef35793c7673p-45);
    const S r = math::fma(n.value, -log_2, power) + math::fma(n.value, -log_2_low, rest);
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
/// exp(x) in doubles as precise as floats need, within 2^-27 of itself; for |x| < 700.
RICCI_INLINE simd<double> float_exp(simd<double> x) {
    using S = simd<double>;
    const nearest_integer<double> n(x, log2_e);
    const S r = math::fma(n.value, -0.69314718055994531, x);
    const S q = polynomial(r, 0.50000000717201731, 0.16666665792784427, 0.041666279974596439, 0.0083335108214351028,
                           0.0013945784534720473, 0.00019785034377321534);
    const S e = math::fma(r * r, q, r) + S(1);
    return S::from_bits(e.bits() + (n.shifted.bits() << 52));
}
/// log(x) in doubles as precise as floats need, within 2^-32 of itself; for positive normal x.
RICCI_INLINE simd<double> float_log(simd<double> x) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
    const S f = parts.mantissa - S(1), s = f / (S(2) + f), z = s * s;
    const S p = polynomial(z, 0.66666666710868228, 0.39999984474097977, 0.28573196545051838, 0.22134715643338967,
                           0.20127007825607299);
    const S log_m = math::fma(s * z, p, s + s);
    return math::fma(parts.exponent, 0.69314718055994531, log_m);
}
#if !defined(__AVX512F__)
/// x to the power y, as precise.
RICCI_INLINE simd<double> float_pow(simd<double> x, simd<double> y) {
    return float_exp(clamped<double>(y * float_log(x), -110, 90));
}
RICCI_INLINE simd<float> positive_pow(simd<float> x, simd<float> y) {
    constexpr int middle = simd<double>::lanes;
    using half = std::make_index_sequence<simd<double>::lanes>;
    return narrow(float_pow(widen<0>(x, half()), widen<0>(y, half())),
                  float_pow(widen<middle>(x, half()), widen<middle>(y, half())),
                  std::make_index_sequence<simd<float>::lanes>());
}
#endif

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
    each(S(T(-2)), [](S x) RICCI_INLINE_LAMBDA {  // within 2 ulp; 1 / (x * x) would be 0 where the power is subnormal
        const S r = S(T(1)) / x;
        return r * r;
    });
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

/// x to the power y with the special values of IEEE 754. Not inlined but for squares and cubes: it is long, and kernels
/// are short of registers. Powers are mostly one small number for all elements, which a branch tells: a product takes a
/// twentieth of the time.
template <class T>
RICCI_INLINE simd<T> pow(simd<T> x, std::type_identity_t<simd<T>> y) {
    if (math::all(y == simd<T>(T(2)))) return x * x;
    if (math::all(y == simd<T>(T(3)))) return x * x * x;
    return detail::general_pow<T>(x, y);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
