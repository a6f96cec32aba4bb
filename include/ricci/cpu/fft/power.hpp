// Fourier transforms of contiguous lines of 2^k elements, or of 4 or 8 times 2^i 3^j 5^k: a line fills whole registers
// from the first pass on, and the first passes also move numbers between lanes, until neighbours stay together.
#pragma once
#include <algorithm>

#include "pass.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// How many lanes the lines of n = 2^k elements have, and how many of these lines lie beside each other.
template <class T>
constexpr int fft_power_width(index_t n) {
    return n > 32 ? fft_lanes<T>() : std::min(n == 8 ? 2 : 4, fft_lanes<T>());
}
template <class T>
constexpr int fft_power_lines(index_t n) {
    return n <= 32 && 2 * fft_power_width<T>(n) <= fft_lanes<T>() ? 2 : 1;
}

#if defined(RICCI_HAS_SIMD)

/// A vector of L numbers, which need not fill a register: A lines side by side, each with `width` = L / A lanes.
template <class T, int L, int A = 1>
struct fft_vector {
    typedef T native __attribute__((vector_size(L * sizeof(T))));
    typedef native unaligned __attribute__((aligned(1), may_alias));
    using value_type = T;
    static constexpr int lanes = L, lines = A, width = L / A;
    native v;

    fft_vector() = default;
    RICCI_INLINE explicit fft_vector(T x) : v(x - native{}) {}
    static RICCI_INLINE fft_vector from_native(native r) {
        fft_vector x;
        x.v = r;
        return x;
    }
    static RICCI_INLINE fft_vector load(const T* p) {
        native r = *reinterpret_cast<const unaligned*>(p);
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
        asm("" : "+v"(r));  // once: g++ reads it from memory for each use, and loads are what there is most of here
#endif
        return from_native(r);
    }
    RICCI_INLINE void store(T* p) const { *reinterpret_cast<unaligned*>(p) = v; }

    friend RICCI_INLINE fft_vector operator+(fft_vector a, fft_vector b) { return from_native(a.v + b.v); }
    friend RICCI_INLINE fft_vector operator-(fft_vector a, fft_vector b) { return from_native(a.v - b.v); }
    friend RICCI_INLINE fft_vector operator*(fft_vector a, fft_vector b) { return from_native(a.v * b.v); }
    friend RICCI_INLINE fft_vector operator-(fft_vector a) { return from_native(-a.v); }

    /// Lane i is lane Map::lane(i) of a, or, from L on, of b.
    template <class Map>
    static RICCI_INLINE fft_vector shuffled(fft_vector a, fft_vector b) {
#if defined(__CUDACC__)  // nvcc loses the pack
        T from[2 * L], to[L];
        a.store(from);
        b.store(from + L);
        for (int i = 0; i < L; ++i) to[i] = from[Map::lane(i)];
        return load(to);
#else
        return [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA {
            return from_native(__builtin_shufflevector(a.v, b.v, Map::lane(I)...));
        }(std::make_integer_sequence<int, L>{});
#endif
    }
};

/// Every second lane of a and b, from the first or from the second on.
template <int First>
struct fft_every_second {
    static constexpr int lane(int i) { return 2 * i + First; }
};
/// Blocks of S lanes of a and of b in turn, in each of L / W stretches of W lanes on its own: the first half of what
/// that gives, or the second.
template <int L, int W, int S, bool Second>
struct fft_blocks_in_turn {
    static constexpr int lane(int i) {
        const int block = (i % W + (Second ? W : 0)) / S;
        return i / W * W + block / 2 * S + i % S + block % 2 * L;
    }
};
/// Parts of complex numbers that stand in turn, and numbers of parts, by the best instructions (simd/complex.hpp).
template <class V>
RICCI_INLINE fft_pair<V> apart(V a, V b) {
#if defined(__CUDACC__)
    return {V::template shuffled<fft_every_second<0>>(a, b), V::template shuffled<fft_every_second<1>>(a, b)};
#else
    using T = typename V::value_type;
    constexpr std::make_index_sequence<V::lanes> all;
    return {V::from_native(every_second_of<0, T>(a.v, b.v, all)), V::from_native(every_second_of<1, T>(a.v, b.v, all))};
#endif
}
template <class V>
RICCI_INLINE fft_pair<V> in_turn(V a, V b) {
    constexpr int L = V::lanes;
#if defined(__CUDACC__)
    return {V::template shuffled<fft_blocks_in_turn<L, L, 1, false>>(a, b),
            V::template shuffled<fft_blocks_in_turn<L, L, 1, true>>(a, b)};
#else
    using T = typename V::value_type;
    constexpr std::make_index_sequence<L> all;
    return {V::from_native(interleaved_of<0, T>(a.v, b.v, all)), V::from_native(interleaved_of<L, T>(a.v, b.v, all))};
#endif
}

template <class T, index_t N>
using fft_power_vector = fft_vector<T, fft_power_width<T>(N) * fft_power_lines<T>(N), fft_power_lines<T>(N)>;

// ---- The passes, in Stockham's order (pass.hpp) ---------------------------------------------------------------------

/// V::width complex numbers of each line.
template <class V, class T>
RICCI_INLINE fft_pair<V> load_beside(const std::complex<T>* const (&x)[V::lines], index_t first) {
    constexpr int lanes = V::lanes;
    V a, b;
    if constexpr (V::lines == 1) {
        const T* const at = reinterpret_cast<const T*>(x[0] + first);
        a = V::load(at), b = V::load(at + lanes);
    } else {  // half of the lanes are one line's, so that its numbers are one vector
        a = V::load(reinterpret_cast<const T*>(x[0] + first));
        b = V::load(reinterpret_cast<const T*>(x[1] + first));
    }
    return apart(a, b);
}
template <class V, class T>
RICCI_INLINE void store_beside(std::complex<T>* const (&y)[V::lines], index_t first, const fft_pair<V>& z) {
    constexpr int lanes = V::lanes;
    const auto [a, b] = in_turn(z.re, z.im);
    T* const at = reinterpret_cast<T*>(y[0] + first);
    a.store(at);
    b.store(V::lines == 1 ? at + lanes : reinterpret_cast<T*>(y[V::lines - 1] + first));
}
template <class V, class T>
RICCI_INLINE fft_pair<V> load_pair(const T* p) {
    return {V::load(p), V::load(p + V::lanes)};
}
template <class V, class T>
RICCI_INLINE void store_pair(T* p, const fft_pair<V>& z) {
    z.re.store(p);
    z.im.store(p + V::lanes);
}

/// Blocks of S lanes of R vectors in turn: block 0 of each of them, then block 1 of each, ...
template <int R, int S, class V>
RICCI_INLINE void put_in_turn(V (&v)[R]) {
    constexpr int W = V::width, blocks = W / S, group = blocks < R ? blocks : R;
    using low = fft_blocks_in_turn<V::lanes, W, S, false>;
    using high = fft_blocks_in_turn<V::lanes, W, S, true>;
    // As often as there are bits in `group`, vectors and their blocks change places by one bit.
    RICCI_UNROLL
    for (int bits = 1; bits < group; bits *= 2) {
        V to[R];
        RICCI_UNROLL
        for (int first = 0; first < R; first += group) {
            RICCI_UNROLL
            for (int i = 0; i < group / 2; ++i) {
                const V a = v[first + i], b = v[first + i + group / 2];
                if constexpr (W == V::lanes && S == 1) {
                    const auto [even, odd] = in_turn(a, b);
                    to[first + 2 * i] = even;
                    to[first + 2 * i + 1] = odd;
                } else {
                    to[first + 2 * i] = V::template shuffled<low>(a, b);
                    to[first + 2 * i + 1] = V::template shuffled<high>(a, b);
                }
            }
        }
        RICCI_UNROLL
        for (int i = 0; i < R; ++i) v[i] = to[i];
    }
    V to[R];
    RICCI_UNROLL
    for (int i = 0; i < R; ++i) to[i % group * (R / group) + i / group] = v[i];
    RICCI_UNROLL
    for (int i = 0; i < R; ++i) v[i] = to[i];
}

/// A butterfly of vectors whose lanes hold S < width neighbours of each p: multiplied by the roots of each lane, and
/// then put in turn.
template <int R, int S, class V, class T>
RICCI_INLINE void mixing_butterfly(fft_pair<V> (&z)[R], const T* roots, T* to) {
    constexpr int pair = 2 * V::lanes;
    fft_butterfly<R>::template run<T>(z);
    V re[R], im[R];
    RICCI_UNROLL
    for (int j = 0; j < R; ++j) {
        if (j) {
            const auto root = load_pair<V>(roots + (j - 1) * pair);
            z[j] = times(z[j], root.re, root.im);
        }
        re[j] = z[j].re;
        im[j] = z[j].im;
    }
    put_in_turn<R, S>(re);
    put_in_turn<R, S>(im);
    RICCI_UNROLL
    for (int j = 0; j < R; ++j) store_pair(to + j * pair, fft_pair<V>{re[j], im[j]});
}

/// The first pass, of n elements; with `swapped` the parts of x's are exchanged. The last vector begins where it ends
/// with the elements, whose results may be written twice.
template <int R, class V, class T>
RICCI_INLINE void first_power_pass(const std::complex<T>* const (&x)[V::lines], T* y, index_t n, const T* roots,
                                   bool swapped) {
    constexpr int pair = 2 * V::lanes;
    const index_t step = n / R;
    for (index_t next = 0; next < step; next += V::width, roots += (R - 1) * pair) {
        const index_t p = std::min(next, step - V::width);
        fft_pair<V> z[R];
        RICCI_UNROLL
        for (int j = 0; j < R; ++j) {
            const auto w = load_beside<V>(x, p + j * step);
            z[j] = swapped ? fft_pair<V>{w.im, w.re} : w;
        }
        mixing_butterfly<R, 1>(z, roots, y + p * (R * pair / V::width));
    }
}
/// A pass of which S < width neighbours stay together.
template <int R, int S, class V, class T>
RICCI_INLINE void mixing_power_pass(const T* x, T* y, index_t n, const T* roots) {
    constexpr int pair = 2 * V::lanes;
    const index_t groups = n / (R * V::width);
    for (index_t g = 0; g < groups; ++g, x += pair, y += R * pair, roots += (R - 1) * pair) {
        fft_pair<V> z[R];
        RICCI_UNROLL
        for (int j = 0; j < R; ++j) z[j] = load_pair<V>(x + j * groups * pair);
        mixing_butterfly<R, S>(z, roots, y);
    }
}
/// A pass of which s neighbours stay together, which fill registers.
template <int R, class V, class T>
RICCI_INLINE void whole_power_pass(const T* x, T* y, index_t n, index_t s, const T* roots) {
    constexpr int pair = 2 * V::lanes;
    const index_t step = n / (R * V::width) * pair, wide = s / V::width * pair;
    for (const T* const end = x + step; x < end; y += (R - 1) * wide, roots += 2 * (R - 1)) {
        V root[2 * (R - 1)];
        RICCI_UNROLL
        for (int j = 0; j < 2 * (R - 1); ++j) root[j] = V(roots[j]);
        for (index_t q = 0; q < wide; q += pair, x += pair, y += pair) {
            fft_pair<V> z[R];
            RICCI_UNROLL
            for (int j = 0; j < R; ++j) z[j] = load_pair<V>(x + j * step);
            fft_butterfly<R>::template run<T>(z);
            store_pair(y, z[0]);
            RICCI_UNROLL
            for (int j = 1; j < R; ++j) store_pair(y + j * wide, times(z[j], root[2 * j - 2], root[2 * j - 1]));
        }
    }
}
/// The last pass, whose roots are 1.
template <int R, class V, class T>
RICCI_INLINE void last_power_pass(const T* x, std::complex<T>* const (&y)[V::lines], index_t n, bool swapped, T scale) {
    constexpr int pair = 2 * V::lanes;
    const index_t s = n / R;
    const V by(scale);
    for (index_t q = 0; q < s; q += V::width, x += pair) {
        fft_pair<V> z[R];
        RICCI_UNROLL
        for (int j = 0; j < R; ++j) z[j] = load_pair<V>(x + j * (s / V::width * pair));
        fft_butterfly<R>::template run<T>(z);
        RICCI_UNROLL
        for (int j = 0; j < R; ++j) {
            const V re = z[j].re * by, im = z[j].im * by;
            store_beside(y, q + j * s, swapped ? fft_pair<V>{im, re} : fft_pair<V>{re, im});
        }
    }
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail
