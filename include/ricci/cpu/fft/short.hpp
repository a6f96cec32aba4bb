// Fourier transforms of contiguous lines of a few elements, number by number: to bring them into registers takes longer.
#pragma once
#include "../thread_pool.hpp"
#include "pass.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Of A B elements, A and B without a common factor: transforms of A, then of B, without roots between them (Good 1958).
template <int A, int B>
struct fft_coprime_butterfly {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        fft_pair<V> part[A][B];
        RICCI_UNROLL
        for (int j = 0; j < B; ++j) {
            fft_pair<V> w[A];
            RICCI_UNROLL
            for (int i = 0; i < A; ++i) w[i] = z[(B * i + A * j) % (A * B)];
            fft_butterfly<A>::template run<T>(w);
            RICCI_UNROLL
            for (int i = 0; i < A; ++i) part[i][j] = w[i];
        }
        RICCI_UNROLL
        for (int i = 0; i < A; ++i) fft_butterfly<B>::template run<T>(part[i]);
        RICCI_UNROLL
        for (int k = 0; k < A * B; ++k) z[k] = part[k % A][k % B];
    }
};

template <int N, class Butterfly, class T>
RICCI_NOINLINE RICCI_FLATTEN void short_lines(const std::complex<T>* x, std::complex<T>* y, index_t lines, bool inverse,
                                              T scale) {
    for (index_t i = 0; i < lines; ++i, x += N, y += N) {
        // parts that change places before and after make the inverse transform of the forward one
        const T *const from = reinterpret_cast<const T*>(x), *const re = from + inverse, *const im = from + !inverse;
        T* const to = reinterpret_cast<T*>(y);
        fft_pair<T> z[N];
        RICCI_UNROLL
        for (int j = 0; j < N; ++j) z[j] = {re[2 * j], im[2 * j]};
        Butterfly::template run<T>(z);
        RICCI_UNROLL
        for (int j = 0; j < N; ++j) {
            to[2 * j + inverse] = z[j].re * scale;
            to[2 * j + !inverse] = z[j].im * scale;
        }
    }
}
/// y = scale times the transforms of x's lines of n elements; y may be x. False, and nothing done, where others are faster: lines
/// of more than a few elements are, when there are several, side by side in registers.
template <class T>
bool transform_short(const std::complex<T>* x, std::complex<T>* y, index_t lines, index_t n, bool inverse, T scale) {
    if (n > 12 || (n > 6 && lines > 1)) return false;
    void (*run)(const std::complex<T>*, std::complex<T>*, index_t, bool, T) = nullptr;
    switch (n) {
        case 2:
            run = short_lines<2, fft_butterfly<2>, T>;
            break;
        case 3:
            run = short_lines<3, fft_butterfly<3>, T>;
            break;
        case 4:
            run = short_lines<4, fft_butterfly<4>, T>;
            break;
        case 5:
            run = short_lines<5, fft_butterfly<5>, T>;
            break;
        case 6:
            run = short_lines<6, fft_coprime_butterfly<2, 3>, T>;
            break;
        case 7:
            run = short_lines<7, fft_butterfly<7>, T>;
            break;
        case 10:
            run = short_lines<10, fft_coprime_butterfly<2, 5>, T>;
            break;
        case 12:
            run = short_lines<12, fft_coprime_butterfly<4, 3>, T>;
            break;
        default:
            return false;
    }
    constexpr index_t together = 1 << 10;
    if (lines <= together) {
        run(x, y, lines, inverse, scale);
    } else {
        for_blocks((lines + together - 1) / together, 20 * n * together, [&](index_t b) {
            const index_t first = b * together;
            run(x + first * n, y + first * n, std::min(together, lines - first), inverse, scale);
        });
    }
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
