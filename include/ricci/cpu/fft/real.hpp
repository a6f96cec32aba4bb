// Transforms of real lines by complex ones of half the length: what comes after, and, for real results, before.
#pragma once
#include "line.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A real transform of even length 2 n: the complex one of length n, and the roots of order 2 n.
template <class T>
struct fft_real_plan {
    index_t n;
    std::vector<T>
        roots;  // of k = 0 ... n / 2: real parts and imaginary parts apart, each followed by room for a register
    index_t apart;

    explicit fft_real_plan(index_t size) : n(size), apart(size / 2 + 1 + fft_lanes<T>()) {
        roots.assign(static_cast<std::size_t>(2 * apart), T(0));
        for (index_t k = 0; k <= n / 2; ++k) {
            const auto w = root_of_unity<T>(k, 2 * n);
            roots[static_cast<std::size_t>(k)] = w.real();
            roots[static_cast<std::size_t>(apart + k)] = w.imag();
        }
    }
    index_t bytes() const { return static_cast<index_t>(roots.size() * sizeof(T)); }
    const T* re() const { return roots.data(); }
    const T* im() const { return roots.data() + apart; }
};

/// What the outputs are multiplied by: the first and, of an even length, the last `edge`, those between `inner`; the
/// imaginary parts with the sign that makes them the conjugates, where that is wanted.
template <class T>
struct fft_weights {
    T edge, inner;
    bool conjugates;
};

/// Elements k and n - k of the spectrum from those of the complex transform: their even parts, and their odd parts
/// times -i w.
template <class V, class T>
RICCI_INLINE void split_spectrum(fft_pair<V>& a, fft_pair<V>& b, V re, V im, V half, V half_sign) {
    const fft_pair<V> even{a.re + b.re, a.im - b.im}, odd{a.im + b.im, b.re - a.re};  // odd is -i (a - conj b)
    const fft_pair<V> turned = times(odd, re, im);
    a = {(even.re + turned.re) * half, (even.im + turned.im) * half_sign};
    b = {(even.re - turned.re) * half, (turned.im - even.im) * half_sign};
}
/// The reverse: from elements k and n - k of a spectrum those that the inverse complex transform begins with.
template <class V, class T>
RICCI_INLINE void join_spectrum(fft_pair<V>& a, fft_pair<V>& b, V re, V im, V scale, V sign) {
    const V a_im = a.im * sign, b_im = b.im * sign;
    const fft_pair<V> even{a.re + b.re, a_im - b_im}, odd{-(a_im + b_im), a.re - b.re};  // odd is i (a - conj b)
    const fft_pair<V> turned = times(odd, re, -im);
    a = {(even.re + turned.re) * scale, (even.im + turned.im) * scale};
    b = {(even.re - turned.re) * scale, (turned.im - even.im) * scale};
}

/// f(k, n - k) for all pairs of elements but the ends, 2 k <= n, unrolled where N, which is n, is given.
template <int N, class F>
RICCI_INLINE void for_pairs(index_t n, const F& f) {
    if constexpr (N > 0) {
        RICCI_UNROLL
        for (int k = 1; 2 * k <= N; ++k) f(k, N - k);
    } else {
        for (index_t k = 1; 2 * k <= n; ++k) f(k, n - k);
    }
}
/// Element 0 ... n - 1 of z, the transform of n complex numbers, become the n + 1 of the real line's spectrum, for
/// each lane.
template <int N = 0, class T, class V>
RICCI_INLINE void finish_spectrum(const fft_real_plan<T>& plan, fft_pair<V>* z, const fft_weights<T>& weights) {
    const index_t n = N ? N : plan.n;
    const auto first = z[0];
    const V edge(weights.edge), none(T(0)), half(weights.inner / 2),
        half_sign(weights.conjugates ? -weights.inner / 2 : weights.inner / 2);
    for_pairs<N>(n, [&](index_t k, index_t other) RICCI_INLINE_LAMBDA {
        auto a = z[k], b = z[other];
        split_spectrum<V, T>(a, b, V(plan.re()[k]), V(plan.im()[k]), half, half_sign);
        z[other] = b;
        z[k] = a;  // the later of both where they are one
    });
    z[0] = {(first.re + first.im) * edge, none};
    z[n] = {(first.re - first.im) * edge, none};
}
/// The reverse, of which the inverse transform of z's n first elements is the real line: their parts are swapped
/// already. Imaginary parts at both ends count for nothing.
template <int N = 0, class T, class V>
RICCI_INLINE void begin_from_spectrum(const fft_real_plan<T>& plan, fft_pair<V>* z, const fft_weights<T>& weights) {
    const index_t n = N ? N : plan.n;
    const V edge(weights.edge), scale(weights.inner / 2), sign(weights.conjugates ? T(-1) : T(1));
    const V first = z[0].re * edge, last = z[n].re * edge;
    for_pairs<N>(n, [&](index_t k, index_t other) RICCI_INLINE_LAMBDA {
        auto a = z[k], b = z[other];
        join_spectrum<V, T>(a, b, V(plan.re()[k]), V(plan.im()[k]), scale, sign);
        z[other] = {b.im, b.re};
        z[k] = {a.im, a.re};
    });
    z[0] = {first - last, first + last};
}

#if defined(RICCI_HAS_SIMD)
template <class T>
RICCI_INLINE simd<T> reversed(simd<T> v) {
#if defined(__CUDACC__)
    T from[simd<T>::lanes], to[simd<T>::lanes];
    v.store(from);
    for (int i = 0; i < simd<T>::lanes; ++i) to[i] = from[simd<T>::lanes - 1 - i];
    return simd<T>::load(to);
#else
    return [&]<std::size_t... I>(std::index_sequence<I...>) RICCI_INLINE_LAMBDA {
        return simd<T>::from_native(
            __builtin_shufflevector(v.raw(), v.raw(), static_cast<int>(simd<T>::lanes - 1 - I)...));
    }(std::make_index_sequence<simd<T>::lanes>{});
#endif
}
#endif

/// The middle elements of one line, by Step = split_spectrum or join_spectrum: as many as fill registers at a time.
template <auto Vectors, auto Numbers, class T>
void pair_elements(const fft_real_plan<T>& plan, const std::complex<T>* x, std::complex<T>* y, T by, T sign) {
    const index_t n = plan.n;
    index_t k = 1;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using V = simd<T>;
        constexpr index_t lanes = V::lanes;
        for (; 2 * (k + lanes - 1) < n; k += lanes) {  // the two stretches do not meet
            auto a = load_complex<V>(x + k, lanes), b = load_complex<V>(x + n - k - lanes + 1, lanes);
            b = {reversed(b.re), reversed(b.im)};
            Vectors(a, b, V::load(plan.re() + k), V::load(plan.im() + k), V(by), V(sign));
            store_complex(y + k, lanes, a);
            store_complex(y + n - k - lanes + 1, lanes, fft_pair<V>{reversed(b.re), reversed(b.im)});
        }
    }
#endif
    for (; 2 * k <= n; ++k) {
        fft_pair<T> a{x[k].real(), x[k].imag()}, b{x[n - k].real(), x[n - k].imag()};
        Numbers(a, b, plan.re()[k], plan.im()[k], by, sign);
        if (2 * k < n) y[n - k] = {b.re, b.im};
        y[k] = {a.re, a.im};
    }
}
/// The spectrum of one line, of n + 1 elements, in place of the transform of n complex numbers.
template <class T>
void finish_line(const fft_real_plan<T>& plan, std::complex<T>* z, const fft_weights<T>& weights) {
    const auto first = z[0];
    const T half = weights.inner / 2;
    pair_elements<&split_spectrum<fft_register<T>, T>, &split_spectrum<T, T>>(plan, z, z, half,
                                                                              weights.conjugates ? -half : half);
    z[0] = (first.real() + first.imag()) * weights.edge;
    z[plan.n] = (first.real() - first.imag()) * weights.edge;
}
template <class T>
void begin_line(const fft_real_plan<T>& plan, const std::complex<T>* x, std::complex<T>* z,
                const fft_weights<T>& weights) {
    const T first = x[0].real() * weights.edge, last = x[plan.n].real() * weights.edge;
    pair_elements<&join_spectrum<fft_register<T>, T>, &join_spectrum<T, T>>(plan, x, z, weights.inner / 2,
                                                                            weights.conjugates ? T(-1) : T(1));
    z[0] = {first + last, first - last};
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
