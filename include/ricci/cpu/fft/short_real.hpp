// Fourier transforms of contiguous real lines of a few elements, from and to half of their spectra: all of a line in
// registers, as many lines as these have lanes.
#pragma once
#include "real.hpp"
#include "short.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Real lines of 2 M elements, as complex ones of M (real.hpp), and M + 1 elements of their spectra.
template <int M, class Butterfly, class T>
struct short_real {
    const fft_real_plan<T>& plan;
    const fft_weights<T>& weights;

    /// `lines` transforms of x's lines; y is another array.
    RICCI_NOINLINE RICCI_FLATTEN void from_real(const T* x, T* y, index_t lines) const {
        run<2 * M, 2 * M + 2>(x, y, lines, [&](const auto* a, auto* b) RICCI_INLINE_LAMBDA { forward(a, b); });
    }
    RICCI_NOINLINE RICCI_FLATTEN void to_real(const T* x, T* y, index_t lines) const {
        run<2 * M + 2, 2 * M>(x, y, lines, [&](const auto* a, auto* b) RICCI_INLINE_LAMBDA { backward(a, b); });
    }

   private:
    template <class V>
    RICCI_INLINE void forward(const V* a, V* b) const {
        fft_pair<V> z[M + 1];
        RICCI_UNROLL
        for (int j = 0; j < M; ++j) z[j] = {a[2 * j], a[2 * j + 1]};
        Butterfly::template run<T>(z);
        finish_spectrum<M>(plan, z, weights);
        RICCI_UNROLL
        for (int j = 0; j <= M; ++j) b[2 * j] = z[j].re, b[2 * j + 1] = z[j].im;
    }
    template <class V>
    RICCI_INLINE void backward(const V* a, V* b) const {
        fft_pair<V> z[M + 1];
        RICCI_UNROLL
        for (int j = 0; j <= M; ++j) z[j] = {a[2 * j], a[2 * j + 1]};
        begin_from_spectrum<M>(plan, z, weights);
        Butterfly::template run<T>(z);  // the parts are swapped: this is the inverse transform
        RICCI_UNROLL
        for (int j = 0; j < M; ++j) b[2 * j] = z[j].im, b[2 * j + 1] = z[j].re;
    }
    /// one(a, b) of lines of From and To numbers, in lanes; the last few number by number, for bringing them into lanes
    /// takes longer.
    template <int From, int To, class F>
    RICCI_INLINE static void run(const T* x, T* y, index_t lines, const F& one) {
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>) {
            using V = simd<T>;
            constexpr index_t lanes = V::lanes;
            for (; lines >= lanes; lines -= lanes, x += From * lanes, y += To * lanes) {
                V a[From], b[To];
                load_group<From>(x, a);
                one(a, b);
                store_group<To>(b, y);
            }
        }
#endif
        for (; lines > 0; --lines, x += From, y += To) one(x, y);
    }
};

/// f(short_real) where lines of 2 m real numbers are transformed so; false, and nothing done, where they are not.
template <class T, class F>
bool with_short_real(const fft_real_plan<T>& plan, const fft_weights<T>& weights, const F& f) {
    switch (plan.n) {  // of more lengths there would be more to compile
        case 4:
            f(short_real<4, fft_butterfly<4>, T>{plan, weights});
            return true;
        case 8:
            f(short_real<8, fft_butterfly<8>, T>{plan, weights});
            return true;
        default:
            return false;
    }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
