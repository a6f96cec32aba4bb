// A register of complex numbers: the real parts in one register, the imaginary ones in another.
#pragma once
#include <complex>

#include "../math/exponential.hpp"
#include "../math/sine.hpp"

namespace ricci {
namespace detail {

/// The complex number whose parts are of type S.
template <class S>
struct complex_of {
    using type = std::complex<S>;
};

}  // namespace detail

#if defined(RICCI_HAS_SIMD)
namespace detail {
#if !defined(__CUDACC__)  // nvcc loses the pack of a shuffle
inline namespace RICCI_ISA {

// Vectors of the compiler's own. Those of 32 bytes are shuffled in two steps of one instruction each, within halves and
// of halves: g++ makes three of the one, of which AVX2's permutations take two cycles.

/// Within each 16 bytes on their own: every second lane of a's, then of b's; and what brings a's and b's back from both
/// of these.
template <int First, class T, class V, std::size_t... I>
RICCI_INLINE V every_second_in_blocks(V a, V b, std::index_sequence<I...>) {
    constexpr std::size_t n = sizeof...(I), block = 16 / sizeof(T);
    return __builtin_shufflevector(
        a, b, static_cast<int>(I / block * block + I % (block / 2) * 2 + First + (I % block < block / 2 ? 0 : n))...);
}
template <bool Second, class T, class V, std::size_t... I>
RICCI_INLINE V interleaved_in_blocks(V a, V b, std::index_sequence<I...>) {
    constexpr std::size_t n = sizeof...(I), block = 16 / sizeof(T);
    return __builtin_shufflevector(
        a, b, static_cast<int>(I / block * block + Second * (block / 2) + I % block / 2 + I % 2 * n)...);
}
/// Every second lane of two vectors, from the first or from the second on.
template <int First, class T, class V, std::size_t... I>
RICCI_INLINE V every_second_of(V a, V b, std::index_sequence<I...> all) {
    if constexpr (sizeof(V) == 32) {
        constexpr std::size_t n = sizeof...(I), half = n / 2;
        const V low = __builtin_shufflevector(a, b, static_cast<int>(I + (I < half ? 0 : half))...);
        const V high = __builtin_shufflevector(a, b, static_cast<int>(I + (I < half ? half : n))...);
        return every_second_in_blocks<First, T>(low, high, all);
    } else {
        return __builtin_shufflevector(a, b, static_cast<int>(2 * I + First)...);
    }
}
/// The lanes of two vectors in turn: the first half of that, or with First = lanes the second.
template <int First, class T, class V, std::size_t... I>
RICCI_INLINE V interleaved_of(V a, V b, std::index_sequence<I...> all) {
    constexpr std::size_t n = sizeof...(I);
    if constexpr (sizeof(V) == 32) {
        constexpr std::size_t half = n / 2;
        const V low = interleaved_in_blocks<false, T>(a, b, all), high = interleaved_in_blocks<true, T>(a, b, all);
        return __builtin_shufflevector(low, high,
                                       static_cast<int>(I % half + (I < half ? 0 : n) + (First == 0 ? 0 : half))...);
    } else {
        return __builtin_shufflevector(a, b, static_cast<int>((First + I) / 2 + (First + I) % 2 * n)...);
    }
}
/// The same of registers.
template <int First, class T, std::size_t... I>
RICCI_INLINE simd<T> every_second(simd<T> a, simd<T> b, std::index_sequence<I...> lanes) {
    return simd<T>::from_native(every_second_of<First, T>(a.raw(), b.raw(), lanes));
}
template <int First, class T, std::size_t... I>
RICCI_INLINE simd<T> interleaved(simd<T> a, simd<T> b, std::index_sequence<I...> lanes) {
    return simd<T>::from_native(interleaved_of<First, T>(a.raw(), b.raw(), lanes));
}

}  // namespace RICCI_ISA
#endif
template <class T>
struct complex_of<simd<T>> {
    using type = simd_complex<T>;
};
}  // namespace detail

inline namespace RICCI_ISA {

template <class T>
struct simd_complex {
    using value_type = std::complex<T>;
    using mask = simd_mask<T>;
    static constexpr int lanes = simd<T>::lanes;
    simd<T> re, im;

    simd_complex() = default;
    RICCI_INLINE simd_complex(simd<T> r, simd<T> i) : re(r), im(i) {}
    RICCI_INLINE simd_complex(simd<T> r) : re(r), im(T(0)) {}
    RICCI_INLINE simd_complex(std::complex<T> z) : re(z.real()), im(z.imag()) {}
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_INLINE simd_complex(N n) : simd_complex(simd<T>(static_cast<T>(n))) {}
    RICCI_INLINE simd<T> real() const { return re; }
    RICCI_INLINE simd<T> imag() const { return im; }

    static RICCI_INLINE simd_complex load(const std::complex<T>* p) {
        const T* at = reinterpret_cast<const T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes];
        for (int i = 0; i < 2 * lanes; ++i) part[i % 2][i / 2] = at[i];
        return {simd<T>::load(part[0]), simd<T>::load(part[1])};
#else
        const auto a = simd<T>::load(at), b = simd<T>::load(at + lanes);
        constexpr std::make_index_sequence<lanes> all;
        return {detail::every_second<0>(a, b, all), detail::every_second<1>(a, b, all)};
#endif
    }
    RICCI_INLINE void store(std::complex<T>* p) const {
        T* at = reinterpret_cast<T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes];
        re.store(part[0]);
        im.store(part[1]);
        for (int i = 0; i < 2 * lanes; ++i) at[i] = part[i % 2][i / 2];
#else
        constexpr std::make_index_sequence<lanes> all;
        detail::interleaved<0>(re, im, all).store(at);
        detail::interleaved<lanes>(re, im, all).store(at + lanes);
#endif
    }

    friend RICCI_INLINE simd_complex operator+(simd_complex a, simd_complex b) { return {a.re + b.re, a.im + b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a, simd_complex b) { return {a.re - b.re, a.im - b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a) { return {-a.re, -a.im}; }
    friend RICCI_INLINE simd_complex operator+(simd_complex a) { return a; }
    friend RICCI_INLINE simd_complex operator*(simd_complex a, simd_complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    /// Smith's, as NumPy's: by the larger part of the divisor.
    friend RICCI_INLINE simd_complex operator/(simd_complex a, simd_complex b) {
        const auto swapped = math::abs(b.re) < math::abs(b.im);
        const auto large = math::select(swapped, b.im, b.re), small = math::select(swapped, b.re, b.im);
        const simd<T> zero(T(0)), ratio = math::select(large == zero, zero, small / large);
        const auto by = large + small * ratio;
        return {math::select(swapped, a.re * ratio + a.im, a.re + a.im * ratio) / by,
                math::select(swapped, a.im * ratio - a.re, a.im - a.re * ratio) / by};
    }
    friend RICCI_INLINE simd_complex operator+(simd_complex a, simd<T> b) { return {a.re + b, a.im}; }
    friend RICCI_INLINE simd_complex operator+(simd<T> a, simd_complex b) { return {a + b.re, b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a, simd<T> b) { return {a.re - b, a.im}; }
    friend RICCI_INLINE simd_complex operator-(simd<T> a, simd_complex b) { return {a - b.re, -b.im}; }
    friend RICCI_INLINE simd_complex operator*(simd_complex a, simd<T> b) { return {a.re * b, a.im * b}; }
    friend RICCI_INLINE simd_complex operator*(simd<T> a, simd_complex b) { return b * a; }
    friend RICCI_INLINE simd_complex operator/(simd_complex a, simd<T> b) { return {a.re / b, a.im / b}; }
    friend RICCI_INLINE simd_complex operator/(simd<T> a, simd_complex b) { return simd_complex(a) / b; }
    friend RICCI_INLINE mask operator==(simd_complex a, simd_complex b) { return (a.re == b.re) & (a.im == b.im); }
    friend RICCI_INLINE mask operator==(simd_complex a, simd<T> b) { return a == simd_complex(b); }
    friend RICCI_INLINE mask operator!=(simd_complex a, simd<T> b) { return a != simd_complex(b); }
    friend RICCI_INLINE mask operator!=(simd_complex a, simd_complex b) { return (a.re != b.re) | (a.im != b.im); }
    RICCI_INLINE simd_complex& operator+=(simd_complex b) { return *this = *this + b; }
    RICCI_INLINE simd_complex& operator-=(simd_complex b) { return *this = *this - b; }
    RICCI_INLINE simd_complex& operator*=(simd_complex b) { return *this = *this * b; }
    RICCI_INLINE simd_complex& operator/=(simd_complex b) { return *this = *this / b; }
};

// Beside C++ numbers, which would convert to either kind of register.
#define RICCI_SIMD_COMPLEX_OPERATOR(op)                     \
    template <class N, class T>                             \
        requires(std::is_arithmetic_v<N>)                   \
    RICCI_INLINE auto operator op(N a, simd_complex<T> b) { \
        return simd<T>(static_cast<T>(a)) op b;             \
    }                                                       \
    template <class N, class T>                             \
        requires(std::is_arithmetic_v<N>)                   \
    RICCI_INLINE auto operator op(simd_complex<T> a, N b) { \
        return a op simd<T>(static_cast<T>(b));             \
    }
RICCI_SIMD_COMPLEX_OPERATOR(+)
RICCI_SIMD_COMPLEX_OPERATOR(-)
RICCI_SIMD_COMPLEX_OPERATOR(*)
RICCI_SIMD_COMPLEX_OPERATOR(/)
RICCI_SIMD_COMPLEX_OPERATOR(==)
RICCI_SIMD_COMPLEX_OPERATOR(!=)
#undef RICCI_SIMD_COMPLEX_OPERATOR

}  // namespace RICCI_ISA

namespace math {
inline namespace RICCI_ISA {

/// f of each number, one by one.
template <class T, class F, class... Z>
RICCI_INLINE simd_complex<T> by_number(F f, simd_complex<T> a, Z... b) {
    std::complex<T> x[simd<T>::lanes], y[sizeof...(Z) + 1][simd<T>::lanes];
    a.store(x);
    int k = 0;
    (b.store(y[k++]), ...);
    for (int i = 0; i < simd<T>::lanes; ++i) {
        if constexpr (sizeof...(Z) == 0) x[i] = f(x[i]);
        else x[i] = f(x[i], y[0][i]);
    }
    return simd_complex<T>::load(x);
}
template <class T>
RICCI_INLINE simd_complex<T> select(simd_mask<T> m, simd_complex<T> a, simd_complex<T> b) {
    return {math::select(m, a.re, b.re), math::select(m, a.im, b.im)};
}
#define RICCI_SIMD_COMPLEX_UNARY(name)                                              \
    template <class T>                                                              \
    RICCI_INLINE simd_complex<T> name(simd_complex<T> x) {                          \
        return math::by_number([](std::complex<T> z) { return math::name(z); }, x); \
    }
RICCI_SIMD_COMPLEX_UNARY(log)
RICCI_SIMD_COMPLEX_UNARY(tan)
RICCI_SIMD_COMPLEX_UNARY(tanh)
RICCI_SIMD_COMPLEX_UNARY(asin)
RICCI_SIMD_COMPLEX_UNARY(acos)
RICCI_SIMD_COMPLEX_UNARY(atan)
RICCI_SIMD_COMPLEX_UNARY(asinh)
RICCI_SIMD_COMPLEX_UNARY(acosh)
RICCI_SIMD_COMPLEX_UNARY(atanh)
RICCI_SIMD_COMPLEX_UNARY(sqrt)
RICCI_SIMD_COMPLEX_UNARY(log2)
RICCI_SIMD_COMPLEX_UNARY(log10)
RICCI_SIMD_COMPLEX_UNARY(exp2)
#undef RICCI_SIMD_COMPLEX_UNARY
template <class T>
RICCI_INLINE simd_mask<T> isnan(simd_complex<T> x) {
    return math::isnan(x.re) | math::isnan(x.im);
}
template <class T>
RICCI_INLINE simd_mask<T> isinf(simd_complex<T> x) {
    return math::isinf(x.re) | math::isinf(x.im);
}
template <class T>
RICCI_INLINE simd_complex<T> pow(simd_complex<T> x, simd_complex<T> y) {
    if (math::all((y.re == simd<T>(T(2))) & (y.im == simd<T>(T(0))))) return x * x;
    return math::by_number([](std::complex<T> a, std::complex<T> b) { return math::pow(a, b); }, x, y);
}
/// y where it is finite, else f of the number in x: where a factor overflows a product need not, and for what is
/// infinite or NaN there are rules.
template <class T, class F>
RICCI_INLINE simd_complex<T> if_finite(simd_complex<T> y, simd_complex<T> x, F f) {
    const simd<T> huge(std::numeric_limits<T>::max());
    const auto finite = (math::abs(y.re) <= huge) & (math::abs(y.im) <= huge);
    if (math::all(finite)) [[likely]]
        return y;
    return math::select(finite, y, math::by_number(f, x));
}
/// e^a (cos b + i sin b).
template <class T>
RICCI_INLINE simd_complex<T> exp(simd_complex<T> x) {
    const auto size = math::exp(x.re);
    simd<T> s, c;
    math::sincos(x.im, s, c);
    return math::if_finite(simd_complex<T>(size * c, size * s), x, [](std::complex<T> z) { return math::exp(z); });
}
/// The root of the sum of squares, of numbers scaled by a power of two where these leave the range of T.
template <class T>
RICCI_INLINE simd<T> abs(simd_complex<T> x) {
    using limits = std::numeric_limits<T>;
    const auto square = x.re * x.re + x.im * x.im;
    const simd<T> zero(T(0)), low(limits::min() / limits::epsilon()), high(limits::max());
    if (math::all(((low <= square) & (square <= high)) | ((x.re == zero) & (x.im == zero)))) [[likely]]
        return math::sqrt(square);
    constexpr bool single = sizeof(T) == 4;
    constexpr T down = single ? T(0x1p-75) : T(0x1p-600), up = single ? T(0x1p100) : T(0x1p600);
    const auto scaled_by = [&](T large, T small) RICCI_INLINE_LAMBDA {
        return math::select(high < square, simd<T>(large), math::select(square < low, simd<T>(small), simd<T>(T(1))));
    };
    const auto factor = scaled_by(down, up), back = scaled_by(1 / down, 1 / up);
    const auto re = x.re * factor, im = x.im * factor;
    return math::select(math::isinf(x), simd<T>(limits::infinity()), math::sqrt(re * re + im * im) * back);
}

}  // namespace RICCI_ISA
}  // namespace math
#endif  // RICCI_HAS_SIMD

}  // namespace ricci
