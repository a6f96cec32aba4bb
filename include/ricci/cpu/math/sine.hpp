// Sine and cosine on simd registers: at most 2 ulp, with all special values.
#pragma once
#include "basics.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

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
RICCI_INLINE auto sign_bits(simd<T> x) {
    return simd<T>::from_native(sign_of(x.raw())).bits();
}
/// x with the other sign in the lanes whose highest bit is set.
template <class T>
RICCI_INLINE simd<T> with_flipped_sign(simd<T> x, typename simd<T>::naturals by) {
    return simd<T>::from_bits(x.bits() ^ sign_bits(simd<T>::from_bits(by)));
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

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
    const auto half_turns = turned << (sizeof(T) * 8 - 2);  // in the sign, whether n is odd in the bit beside it
    s = with_flipped_sign(s, half_turns ^ x.bits());
    c = with_flipped_sign(c, half_turns ^ (half_turns << 1));
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
    const auto s = simd<T>::from_bits(y.bits() ^ lowest_to_sign<T>(n.shifted.bits()) ^ sign_bits(x));
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
    const auto half_turns = turned << (sizeof(T) * 8 - 2);
    const auto c =
        with_flipped_sign(math::select(lowest_is_set<T>(turned), quarter_turn_sin(r, u), quarter_turn_cos(u)),
                          half_turns ^ (half_turns << 1));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]]
        return by_lane(far, +[](T v) { return math::cos(v); }, x, c);
    return c;
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
