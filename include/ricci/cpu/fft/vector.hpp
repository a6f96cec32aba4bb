// What the Fourier transforms compute with: pairs of registers (or numbers) for the parts of complex numbers, rows and
// blocks of interleaved complex numbers loaded into them, and exact roots of unity.
#pragma once
#include <cmath>
#include <complex>
#include <cstring>
#include <type_traits>

#include "../simd/complex.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
template <class T>
using fft_register = std::conditional_t<simd_supported<T>, simd<T>, T>;
#else
template <class T>
using fft_register = T;
#endif
template <class T>
constexpr int fft_lanes() {
    if constexpr (std::is_same_v<fft_register<T>, T>) return 1;
    else return fft_register<T>::lanes;
}

/// A complex number for each lane of V, which is a register or a number.
template <class V>
struct fft_pair {
    V re, im;
};

template <class T>
RICCI_INLINE T mul_add(T a, T b, T c) {
    return a * b + c;  // std::fma of numbers is a call where the processor has none
}
#if defined(RICCI_HAS_SIMD)
template <class T>
RICCI_INLINE simd<T> mul_add(simd<T> a, simd<T> b, simd<T> c) {
    return math::fma(a, b, c);
}
#endif
template <class V>
RICCI_INLINE fft_pair<V> operator+(const fft_pair<V>& a, const fft_pair<V>& b) {
    return {a.re + b.re, a.im + b.im};
}
template <class V>
RICCI_INLINE fft_pair<V> operator-(const fft_pair<V>& a, const fft_pair<V>& b) {
    return {a.re - b.re, a.im - b.im};
}
/// a (re + i im)
template <class V>
RICCI_INLINE fft_pair<V> times(const fft_pair<V>& a, V re, V im) {
    return {mul_add(a.re, re, -(a.im * im)), mul_add(a.re, im, a.im * re)};
}

// ---- Memory --------------------------------------------------------------------------------------------------------

template <class V>
inline constexpr bool is_fft_register = !std::is_arithmetic_v<V>;

template <class T>
RICCI_INLINE T load_register(const T* p, index_t, T) {
    return *p;
}
template <class T>
RICCI_INLINE void store_register(T* p, index_t, T v) {
    *p = v;
}
template <class T>
RICCI_INLINE T first_lane(T v) {
    return v;
}
#if defined(RICCI_HAS_SIMD)
template <class T>
RICCI_INLINE T first_lane(simd<T> v) {
    return v[0];
}
/// The first n of p, zeros after them. The last argument picks the register.
template <class T>
RICCI_INLINE simd<T> load_register(const T* p, index_t n, simd<T>) {
    if (n >= simd<T>::lanes) return simd<T>::load(p);
    return n > 0 ? simd<T>::load_partial(p, n) : simd<T>(T(0));
}
template <class T>
RICCI_INLINE void store_register(T* p, index_t n, simd<T> v) {
    if (n >= simd<T>::lanes) v.store(p);
    else if (n > 0) v.store_partial(p, n);
}
#endif

/// `count` interleaved complex numbers, at most one for each lane, the others zero.
template <class V, class T>
RICCI_INLINE fft_pair<V> load_complex(const std::complex<T>* p, [[maybe_unused]] index_t count) {
    if constexpr (!is_fft_register<V>) {
        return {p->real(), p->imag()};
    } else {
#if defined(RICCI_HAS_SIMD)
        constexpr int lanes = simd<T>::lanes;
        const T* at = reinterpret_cast<const T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes] = {};
        for (index_t i = 0; i < 2 * count; ++i) part[i % 2][i / 2] = at[i];
        return {V::load(part[0]), V::load(part[1])};
#else
        V a, b;
        if (count >= lanes) [[likely]]
            a = V::load(at), b = V::load(at + lanes);
        else a = load_register(at, 2 * count, V()), b = load_register(at + lanes, 2 * count - lanes, V());
        constexpr std::make_index_sequence<lanes> all;
        return {every_second<0>(a, b, all), every_second<1>(a, b, all)};
#endif
#endif
    }
}
template <class V, class T>
RICCI_INLINE void store_complex(std::complex<T>* p, [[maybe_unused]] index_t count, const fft_pair<V>& z) {
    if constexpr (!is_fft_register<V>) {
        *p = {z.re, z.im};
    } else {
#if defined(RICCI_HAS_SIMD)
        constexpr int lanes = simd<T>::lanes;
        T* at = reinterpret_cast<T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes];
        z.re.store(part[0]);
        z.im.store(part[1]);
        for (index_t i = 0; i < 2 * count; ++i) at[i] = part[i % 2][i / 2];
#else
        constexpr std::make_index_sequence<lanes> all;
        const V a = interleaved<0>(z.re, z.im, all), b = interleaved<lanes>(z.re, z.im, all);
        if (count >= lanes) [[likely]] {
            a.store(at);
            b.store(at + lanes);
        } else {
            store_register(at, 2 * count, a);
            store_register(at + lanes, 2 * count - lanes, b);
        }
#endif
#endif
    }
}

/// As many as there are lanes, in an order of lanes that takes the fewest instructions, and back.
template <class V, class T>
RICCI_INLINE fft_pair<V> load_in_any_order(const std::complex<T>* p) {
#if defined(RICCI_HAS_SIMD) && !defined(__CUDACC__)
    if constexpr (is_fft_register<V>) {
        const T* const at = reinterpret_cast<const T*>(p);
        const V a = V::load(at), b = V::load(at + V::lanes);
        constexpr std::make_index_sequence<V::lanes> all;
        return {V::from_native(every_second_in_blocks<0, T>(a.raw(), b.raw(), all)),
                V::from_native(every_second_in_blocks<1, T>(a.raw(), b.raw(), all))};
    }
#endif
    return load_complex<V>(p, fft_lanes<T>());
}
template <class V, class T>
RICCI_INLINE void store_in_that_order(std::complex<T>* p, const fft_pair<V>& z) {
#if defined(RICCI_HAS_SIMD) && !defined(__CUDACC__)
    if constexpr (is_fft_register<V>) {
        T* const at = reinterpret_cast<T*>(p);
        constexpr std::make_index_sequence<V::lanes> all;
        V::from_native(interleaved_in_blocks<false, T>(z.re.raw(), z.im.raw(), all)).store(at);
        V::from_native(interleaved_in_blocks<true, T>(z.re.raw(), z.im.raw(), all)).store(at + V::lanes);
        return;
    }
#endif
    store_complex(p, fft_lanes<T>(), z);
}

#if defined(RICCI_HAS_SIMD)
#if !defined(__CUDACC__)
/// Of a and b, rows Step apart, the lanes that stay in the first row of two when blocks of Step lanes change places
/// across the diagonal, or with Second those in the other one.
template <int Step, bool Second, class T, std::size_t... L>
RICCI_INLINE simd<T> exchanged_blocks(simd<T> a, simd<T> b, std::index_sequence<L...>) {
    constexpr int lanes = simd<T>::lanes;
    return simd<T>::from_native(__builtin_shufflevector(
        a.raw(), b.raw(), static_cast<int>(L & Step ? L + lanes - (Second ? 0 : Step) : L + (Second ? Step : 0))...));
}
/// The transposes of squares of 2 * Step rows and lanes, side by side, in place: blocks off the diagonal change places,
/// then those within blocks. Processors have an instruction for most of these.
template <int Step, int Rows, class T>
RICCI_INLINE void transpose_blocks(simd<T>* v) {
    if constexpr (Step > 0) {
        constexpr std::make_index_sequence<simd<T>::lanes> all;
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            if (i & Step) continue;
            const simd<T> a = v[i], b = v[i + Step];
            v[i] = exchanged_blocks<Step, false>(a, b, all);
            v[i + Step] = exchanged_blocks<Step, true>(a, b, all);
        }
        transpose_blocks<Step / 2, Rows>(v);
    }
}
#endif
/// The transpose of a square of registers, in place.
template <class T>
RICCI_INLINE void transpose_square(simd<T> (&v)[simd<T>::lanes]) {
    constexpr int lanes = simd<T>::lanes;
#if defined(__CUDACC__)
    T at[lanes][lanes], turned[lanes];
    for (int i = 0; i < lanes; ++i) v[i].store(at[i]);
    for (int i = 0; i < lanes; ++i) {
        for (int k = 0; k < lanes; ++k) turned[k] = at[k][i];
        v[i] = simd<T>::load(turned);
    }
#else
    transpose_blocks<lanes / 2, lanes>(v);
#endif
}
/// The lanes of one half of x in both halves' place: the second half's for Second, else the first's of x, then of y.
template <bool Second, class T>
RICCI_INLINE simd<T> joined_halves(simd<T> x, simd<T> y) {
    constexpr int lanes = simd<T>::lanes, half = lanes / 2;
#if defined(__CUDACC__)
    T from[2][lanes], to[lanes];
    x.store(from[0]);
    y.store(from[1]);
    for (int i = 0; i < lanes; ++i) to[i] = from[i / half][i % half + Second * half];
    return simd<T>::load(to);
#else
    return [&]<std::size_t... I>(std::index_sequence<I...>) RICCI_INLINE_LAMBDA {
        return simd<T>::from_native(__builtin_shufflevector(
            x.raw(), y.raw(), static_cast<int>(I < half ? I + Second * half : I - half + Second * half + lanes)...));
    }(std::make_index_sequence<lanes>{});
#endif
}
/// The transposes of the two squares side by side that the halves of half as many registers are, in place.
template <class T>
RICCI_INLINE void transpose_halves(simd<T> (&v)[simd<T>::lanes / 2]) {
    constexpr int lanes = simd<T>::lanes, half = lanes / 2;
#if defined(__CUDACC__)
    T at[half][lanes], turned[lanes];
    for (int i = 0; i < half; ++i) v[i].store(at[i]);
    for (int i = 0; i < half; ++i) {
        for (int k = 0; k < lanes; ++k) turned[k] = at[k % half][k / half * half + i];
        v[i] = simd<T>::load(turned);
    }
#else
    transpose_blocks<half / 2, half>(v);
#endif
}
#else
template <class V>
RICCI_INLINE void transpose_square(V (&)[1]) {}
#endif
template <class T>
    requires(std::is_arithmetic_v<T>)
RICCI_INLINE void transpose_square(T (&)[1]) {}

// ---- Roots of unity ------------------------------------------------------------------------------------------------

/// e^(-2 pi i k / n), both parts correct to the last bit or nearly so: the angle is brought into the first octant in
/// integers and its functions are taken in a longer type.
template <class T>
RICCI_COLD std::complex<T> root_of_unity(index_t k, index_t n) {
    using L = std::conditional_t<std::is_same_v<T, float>, double, long double>;
    k %= n;
    if (k < 0) k += n;
    // 8 k / n: the octant, and what is left of it, counted from the nearer axis
    index_t rest = 8 * (k % n) % n;
    const int octant = static_cast<int>(8 * k / n);
    if (octant % 2) rest = n - rest;
    const L angle = static_cast<L>(0.785398163397448309615660845819875721L) * static_cast<L>(rest) / static_cast<L>(n);
    L c = std::cos(angle), s = std::sin(angle);
    if ((octant + 1) / 2 % 2) std::swap(c, s);
    if (octant >= 2 && octant < 6) c = -c;
    if (octant >= 4) s = -s;
    return {static_cast<T>(c), static_cast<T>(-s)};
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
