// Relatives of the exponential and the logarithm on simd registers.
#pragma once
#include "pow.hpp"

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The exact value a + b as head + tail, whichever is larger (Knuth).
template <class T>
RICCI_INLINE void add_exactly(simd<T> a, simd<T> b, simd<T>& head, simd<T>& tail) {
    head = a + b;
    const simd<T> part = head - a;
    tail = (a - (head - part)) + (b - part);
}

/// exp(x) / 2, which overflows no sooner than cosh.
template <class T>
RICCI_INLINE simd<T> half_exp(simd<T> x) {
    x = sizeof(T) == 4 ? clamped<T>(x, T(-105), T(90)) : clamped<T>(x, T(-747), T(711));
    const nearest_integer<T> n(x, T(log2_e));
    return simd<T>::from_native(scaled(small_exp(minus_n_log2(x, n.value)).raw(), (n.value - simd<T>(T(1))).raw()));
}

/// f on registers of floats, computed in doubles; of doubles as it is.
template <class F, class... S>
RICCI_INLINE simd<double> in_doubles(const F& f, simd<double> x, S... more) {
    return f(x, more...);
}
template <class F, class... S>
RICCI_INLINE simd<float> in_doubles(const F& f, simd<float> x, S... more) {
    constexpr int middle = simd<double>::lanes;
    using half = std::make_index_sequence<simd<double>::lanes>;
    return narrow(f(widen<0>(x, half()), widen<0>(more, half())...),
                  f(widen<middle>(x, half()), widen<middle>(more, half())...),
                  std::make_index_sequence<simd<float>::lanes>());
}

/// log(1 + u + u_tail) for finite u >= 0; u itself must be taken where it is below 2^-28, of floats 2^-13. What 1 + u
/// loses is u - (head - 1) also beyond 1: up to where head has no bits below 1 the difference is exact, from there on
/// it does not count.
template <class T>
RICCI_INLINE simd<T> log_of_one_plus(simd<T> u, simd<T> u_tail) {
    const simd<T> one(T(1)), head = one + u, tail = (u - (head - one)) + u_tail;
    return math::fma(tail, coarse_reciprocal(head), log_of(exponent_and_mantissa<T>(head)));
}

/// From where on x^2 + 1 is x^2, while both are finite.
template <class T>
inline constexpr T too_large_for_one = sizeof(T) == 4 ? T(0x1p60) : T(0x1p500);
/// Up to where asinh(x) and atanh(x) are x.
template <class T>
inline constexpr T nearly_zero = sizeof(T) == 4 ? T(0x1p-13) : T(0x1p-28);

// By log(1 + u), with the second word of u where it counts: u small.

struct asinh_kernel {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> x) const {
        using S = simd<T>;
        const S size = math::abs(x), one(T(1)), most(too_large_for_one<T>);
        const S a = S::from_native(smaller(most.raw(), size.raw())), square = a * a;
        const S q = square / (one + math::sqrt(square + one)), u = a + q;  // q < a
        const auto large = most < size;
        S y = log_of_one_plus(math::select(large, size, u), q - (u - a));
        y = math::select(large, y + S(T(0.69314718055994531)), y);
        y = math::select(size < S(nearly_zero<T>), size, y);
        return math::copysign(math::select(size <= S(std::numeric_limits<T>::max()), y, size), x);
    }
};
struct acosh_kernel {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> x) const {
        using S = simd<T>;
        const S one(T(1)), most(too_large_for_one<T>);
        const S t = S::from_native(smaller(most.raw(), x.raw())) - one, square = math::fma(t, t, t + t);
        const S root = math::sqrt(square), u = root + t;  // root >= t
        const S twice = S::from_native(larger(S(std::numeric_limits<T>::min()).raw(), (root + root).raw()));
        const S rest = math::fma(-root, root, square) * coarse_reciprocal(twice);
        const auto large = most < x;
        S y = log_of_one_plus(math::select(large, x, u), (t - (u - root)) + rest);
        y = math::select(large, y + S(T(0.69314718055994531)), y);
        y = math::select(x <= S(std::numeric_limits<T>::max()), y, x);
        return math::select(x < one, S(std::numeric_limits<T>::quiet_NaN()), y);
    }
};
struct atanh_kernel {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> x) const {
        using S = simd<T>;
        using limits = std::numeric_limits<T>;
        const S size = math::abs(x), one(T(1)), below = one - size, below_tail = (one - below) - size;
        const S twice = size + size, inverse = near_reciprocal(below), u = twice * inverse;
        const S rest = math::fma(-u, below_tail, math::fma(-u, below, twice));
        S y = S(T(0.5)) * log_of_one_plus(u, rest * inverse);
        y = math::select(size < S(nearly_zero<T>), size, y);
        y = math::select(size == one, S(limits::infinity()), y);
        return math::copysign(math::select(size <= one, y, S(limits::quiet_NaN())), x);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> log1p(simd<T> x) {
    const simd<T> zero(T(0));
    simd<T> head, tail;
    detail::add_exactly(simd<T>(T(1)), x, head, tail);
    const auto log = math::log(head);
    const auto usual = (zero < head) & (head <= simd<T>(std::numeric_limits<T>::max()));
    const auto y = math::select(usual, log + tail / head, log);
    return math::select(math::abs(x) < simd<T>(std::numeric_limits<T>::epsilon() / 4), x, y);
}

template <class T>
RICCI_INLINE simd<T> expm1(simd<T> x) {
    using namespace detail;
    constexpr T most = sizeof(T) == 4 ? T(88) : T(709);
    const auto y = clamped<T>(x, T(-40), most);
    const nearest_integer<T> n(y, T(log2_e));
    constexpr int bits = std::numeric_limits<T>::digits - 1;
    const auto power = simd<T>::from_bits((n.shifted.bits() << bits) + simd<T>(T(1)).bits());
    const auto r = minus_n_log2(y, n.value), tail = small_expm1_tail(r);
    const auto e = math::copysign(math::fma(power, tail, math::fma(power, r, power - simd<T>(T(1)))), x);
    const auto large = simd<T>(most) < x;
    if (math::any(large)) [[unlikely]]
        return math::select(large, math::exp(x), e);
    return e;
}

template <class T>
RICCI_INLINE simd<T> exp2(simd<T> x) {
    using namespace detail;
    x = sizeof(T) == 4 ? clamped<T>(x, T(-151), T(129)) : clamped<T>(x, T(-1076), T(1025));
    const auto n = math::round(x), r = x - n, a = r * simd<T>(T(0.69314718055994531));
    // what the product has lost
    const auto rest = fused_multiply_add ? math::fma(r, T(0.69314718055994531), -a) : simd<T>(T(0));
    constexpr T low = sizeof(T) == 4 ? T(-1.90465429995776804525e-9) : T(2.3190468138462996e-17);
    const auto y = small_exp(a);
    return simd<T>::from_native(scaled(math::fma(y, math::fma(r, low, rest), y).raw(), n.raw()));
}

/// By a polynomial up to 1, where the difference of exponentials would cancel.
template <class T>
RICCI_INLINE simd<T> sinh(simd<T> x) {
    using namespace detail;
    const auto size = math::abs(x), u = x * x, half = half_exp(size);
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, 0.166666666f, 0.00833333968f, 0.00019838102f, 2.80628026e-06f);
    else
        p = polynomial(u, 0.16666666666666666, 0.008333333333333299, 0.00019841269841324198, 2.7557319191381816e-06,
                       2.5052117695907823e-08, 1.6057679623801638e-10, 7.746178593018827e-13);
    const auto large = math::copysign(half - simd<T>(T(0.25)) / half, x);
    return math::select(size < simd<T>(T(1)), math::fma(u * x, p, x), large);
}
template <class T>
RICCI_INLINE simd<T> cosh(simd<T> x) {
    const auto half = detail::half_exp(math::abs(x));
    return half + simd<T>(T(0.25)) / half;
}

#define RICCI_MATH_PRECISE(name)                                                                  \
    template <class T>                                                                            \
    [[gnu::noinline]] simd<T> name(simd<T> x) {                                                   \
        if constexpr (!detail::precise_doubles)                                                   \
            return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::name(v); }, x, x); \
        else return detail::name##_kernel()(x);                                                   \
    }
RICCI_MATH_PRECISE(asinh)
RICCI_MATH_PRECISE(acosh)
RICCI_MATH_PRECISE(atanh)
#undef RICCI_MATH_PRECISE

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
