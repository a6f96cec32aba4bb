// Remainders, roots and neighbours on simd registers.
#pragma once
#include "simd_exponential.hpp"

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
/// Newton's method once on exp(log(x) / 3); numbers so small that their cubes would be inexact are scaled.
struct cbrt_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x);
        const auto small = size < S(0x1p-900);
        const S a = math::select(small, size * S(0x1p162), size);
        const S y = math::exp(math::log(a) * S(1.0 / 3)), square = y * y;
        const S root = y - math::fma(square, y, -a) / (square * S(3));
        const S unscaled = math::select(small, root * S(0x1p-54), root);
        const auto usual = (S(0.0) < size) & (size <= S(std::numeric_limits<double>::max()));
        return math::select(usual, math::copysign(unscaled, x), x);
    }
};

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
[[gnu::noinline]] simd<T> cbrt(simd<T> x) {
    if constexpr (!simd_supported<double>)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::cbrt(v); }, x, x);
    else return detail::in_doubles(detail::cbrt_kernel(), x);
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
