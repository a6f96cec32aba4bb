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
/// The cube root of positive, finite numbers: x = 8^q 2^r m, r -1, 0 or 1, and Newton's method once on y^3 = 2^r m. What goes
/// into it is c = m^(-1/3), a polynomial within 2^-14.7, of doubles made exact to 2^-41 by a step of the third order, and
/// powers of 2^r, parabolas through their three values.
template <class T>
RICCI_INLINE simd<T> cube_root(simd<T> x) {
    using S = simd<T>;
    simd_mask<T> tiny(false);
    if constexpr (!S::traits::mask_is_bits) {
        tiny = x < S(std::numeric_limits<T>::min());
        x = math::select(tiny, x * S(sizeof(T) == 4 ? T(1 << 24) : T(std::int64_t(1) << 54)), x);
    }
    const exponent_and_mantissa<T> parts(x);
    const S m = parts.mantissa;
    S exponent = parts.exponent;
    if constexpr (!S::traits::mask_is_bits)
        exponent = math::select(tiny, exponent - S(sizeof(T) == 4 ? T(24) : T(54)), exponent);
    const nearest_integer<T> q(exponent, T(1.0 / 3));
    const S r = math::fma(q.value, T(-3), exponent);
    S c = polynomial(m, T(1.83808028574384007), T(-1.72122908719278739), T(1.36084942657950986),
                     T(-0.577194240643835836), T(0.0994560135437370674));
    if constexpr (sizeof(T) == 8) {
        const S e = math::fma(-m * c, c * c, 1.0);
        c = math::fma(c * e, math::fma(e, 2.0 / 9, S(1.0 / 3)), c);
    }
    const S a = m * polynomial(r, T(1), T(0.75), T(0.25)), square = c * c;
    const S y = m * square * polynomial(r, T(1), T(0.2331102619553867), T(0.026810787939486547));
    const S third = square * polynomial(r, T(1.0 / 3), T(-0.15957342117012713), T(0.03622692948593934));
    const S root = math::fma(math::fma(-y * y, y, a), third, y);
    return S::from_bits(root.bits() + (q.shifted.bits() << (std::numeric_limits<T>::digits - 1)));
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
