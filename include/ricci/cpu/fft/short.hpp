// Fourier transforms of contiguous lines of a few elements: all of a line in registers, as many lines as these have
// lanes.
#pragma once
#include <algorithm>
#include <array>

#include "../thread_pool.hpp"
#include "groups.hpp"
#include "pass.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <>
inline constexpr long double unit_circle<9>[4][2] = {
    {0.766044443118978035202392650555416674L, 0.642787609686539326322643409907263433L},
    {0.173648177666930348851716626769314796L, 0.984807753012208059366743024589523014L},
    {-0.5L, 0.866025403784438646763723170752936183L},
    {-0.939692620785908384054109277324731470L, 0.342020143325668733044099614682259581L}};
template <>
inline constexpr long double unit_circle<11>[5][2] = {
    {0.841253532831181168861811648919367718L, 0.540640817455597582107635954318691695L},
    {0.415415013001886425529274149229623204L, 0.909631995354518371411715383079028460L},
    {-0.142314838273285140443792668616369669L, 0.989821441880932732376092037776718787L},
    {-0.654860733945285064056925072466293553L, 0.755749574354258283774035843972344420L},
    {-0.959492973614497389890368057066327699L, 0.281732556841429697711417915346616899L}};
template <>
inline constexpr long double unit_circle<13>[6][2] = {
    {0.885456025653209895900375522015098879L, 0.464723172043768545656015335133104778L},
    {0.568064746731155802511807559127516625L, 0.822983865893656394579617423439381991L},
    {0.120536680255323053349067687452543582L, 0.992708874098053992800751649492520179L},
    {-0.354604887042535625969637892600018474L, 0.935016242685414823439784599837830729L},
    {-0.748510748171101098634630599701351384L, 0.663122658240795202376785492666766280L},
    {-0.970941817426052027156982276293789227L, 0.239315664287557767148753726260211895L}};
template <>
inline constexpr long double unit_circle<16>[8][2] = {
    {0.923879532511286756128183189396788287L, 0.382683432365089771728459984030398867L},
    {0.707106781186547524400844362104849039L, 0.707106781186547524400844362104849039L},
    {0.382683432365089771728459984030398867L, 0.923879532511286756128183189396788287L},
    {0.0L, 1.0L},
    {-0.382683432365089771728459984030398867L, 0.923879532511286756128183189396788287L},
    {-0.707106781186547524400844362104849039L, 0.707106781186547524400844362104849039L},
    {-0.923879532511286756128183189396788287L, 0.382683432365089771728459984030398867L},
    {-1.0L, 0.0L}};

/// Of A B elements, A and B without a common factor: transforms of A, then of B, without roots between them (Good
/// 1958).
template <int A, int B>
struct fft_coprime_butterfly {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        run<T>(z, std::make_integer_sequence<int, A * B>{});
    }

   private:
    template <class T, class V, int... K>
    RICCI_INLINE static void run(fft_pair<V>* z, std::integer_sequence<int, K...>) {
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
        ((z[K] = part[K % A][K % B]), ...);
    }
};
/// e^(-2 pi i k / N)
template <int N, class T>
inline constexpr auto short_roots = [] {
    std::array<std::array<T, 2>, N> table{{{T(1), T(0)}}};
    for (int k = 1; k < N; ++k) {
        const long double* const root = unit_circle<N>[(k <= N / 2 ? k : N - k) - 1];
        table[std::size_t(k)] = {T(root[0]), T(k <= N / 2 ? -root[1] : root[1])};
    }
    return table;
}();
/// Of A A elements: transforms of A, twice, and roots between them.
template <int A>
struct fft_square_butterfly {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        constexpr const auto& roots = short_roots<A * A, T>;
        fft_pair<V> part[A][A];
        RICCI_UNROLL
        for (int j = 0; j < A; ++j) {
            fft_pair<V> w[A];
            RICCI_UNROLL
            for (int i = 0; i < A; ++i) w[i] = z[A * i + j];
            fft_butterfly<A>::template run<T>(w);
            part[0][j] = w[0];
            RICCI_UNROLL
            for (int i = 1; i < A; ++i) part[i][j] = j ? times(w[i], V(roots[i * j][0]), V(roots[i * j][1])) : w[i];
        }
        RICCI_UNROLL
        for (int i = 0; i < A; ++i) {
            fft_butterfly<A>::template run<T>(part[i]);
            RICCI_UNROLL
            for (int j = 0; j < A; ++j) z[A * j + i] = part[i][j];
        }
    }
};

#if defined(RICCI_HAS_SIMD)
/// As many lines as there are lanes; y may be x. The inverse transform is the conjugate of the conjugates' one.
template <class Butterfly, class T, int... J>
RICCI_INLINE void short_group(const T* x, T* y, T scale, T sign, std::integer_sequence<int, J...>) {
    using V = simd<T>;
    constexpr int N = sizeof...(J);
    V a[2 * N];
    load_group<2 * N>(x, a);
    fft_pair<V> z[N] = {fft_pair<V>{a[2 * J], a[2 * J + 1] * V(sign)}...};
    Butterfly::template run<T>(z);
    ((a[2 * J] = z[J].re * V(scale), a[2 * J + 1] = z[J].im * V(scale * sign)), ...);
    store_group<2 * N>(a, y);
}
template <int N, class Butterfly, class T>
RICCI_NOINLINE RICCI_FLATTEN void short_groups(const T* x, T* y, index_t lines, T scale, T sign) {
    constexpr std::make_integer_sequence<int, N> all;
    constexpr index_t lanes = simd<T>::lanes, group = 2 * N * lanes;
    T few[group];
    while (lines > 0) {
        const bool rest = lines < lanes;
        if (rest) {
            std::fill(std::copy(x, x + 2 * N * lines, few), few + group, T(0));
            x = few;
        }
        short_group<Butterfly>(x, rest ? few : y, scale, sign, all);
        if (rest) std::copy(few, few + 2 * N * lines, y);
        lines -= lanes, x += group, y += group;
    }
}
#endif
/// The same number by number: for one line or two, to bring them into lanes takes longer.
template <int N, class Butterfly, class T>
RICCI_NOINLINE RICCI_FLATTEN void short_numbers(const T* x, T* y, index_t lines, T scale, T sign) {
    for (index_t i = 0; i < lines; ++i, x += 2 * N, y += 2 * N) {
        fft_pair<T> z[N];
        RICCI_UNROLL
        for (int j = 0; j < N; ++j) z[j] = {x[2 * j], x[2 * j + 1] * sign};
        Butterfly::template run<T>(z);
        RICCI_UNROLL
        for (int j = 0; j < N; ++j) {
            y[2 * j] = z[j].re * scale;
            y[2 * j + 1] = z[j].im * (scale * sign);
        }
    }
}
template <class T>
using short_transform = void (*)(const T*, T*, index_t, T, T);
/// None where power.hpp is faster.
template <int N, class Butterfly, class T>
short_transform<T> choose_short([[maybe_unused]] index_t lines) {
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T> && (N != 16 || fft_lanes<T>() <= 4))
        if (lines > 2 && 2 * lines >= simd<T>::lanes) return short_groups<N, Butterfly, T>;
#endif
    if constexpr (fft_lanes<T>() == 1 || (N != 8 && N < 16)) return short_numbers<N, Butterfly, T>;
    return nullptr;
}
template <class T>
short_transform<T> choose_short(index_t n, index_t lines) {  // of more lengths there would be more to compile
    switch (n) {
        case 2:
            return choose_short<2, fft_butterfly<2>, T>(lines);
        case 3:
            return choose_short<3, fft_butterfly<3>, T>(lines);
        case 4:
            return choose_short<4, fft_butterfly<4>, T>(lines);
        case 5:
            return choose_short<5, fft_butterfly<5>, T>(lines);
        case 6:
            return choose_short<6, fft_coprime_butterfly<2, 3>, T>(lines);
        case 7:
            return choose_short<7, fft_butterfly<7>, T>(lines);
        case 8:
            return choose_short<8, fft_butterfly<8>, T>(lines);
        case 9:
            return choose_short<9, fft_square_butterfly<3>, T>(lines);
        case 10:
            return choose_short<10, fft_coprime_butterfly<2, 5>, T>(lines);
        case 11:
            return choose_short<11, fft_butterfly<11>, T>(lines);
        case 12:
            return choose_short<12, fft_coprime_butterfly<4, 3>, T>(lines);
        case 13:
            return choose_short<13, fft_butterfly<13>, T>(lines);
        case 14:
            return choose_short<14, fft_coprime_butterfly<2, 7>, T>(lines);
        case 15:
            return choose_short<15, fft_coprime_butterfly<3, 5>, T>(lines);
        case 16:
            return choose_short<16, fft_square_butterfly<4>, T>(lines);
        case 20:
            return choose_short<20, fft_coprime_butterfly<4, 5>, T>(lines);
        default:
            return nullptr;
    }
}
/// f(first, count) for stretches of lines of n numbers.
template <class F>
void for_short_lines(index_t lines, index_t n, const F& f) {
    constexpr index_t together = 1 << 10;
    if (lines <= together) return f(index_t(0), lines);
    for_blocks((lines + together - 1) / together, 20 * n * together,
               [&](index_t b) { f(b * together, std::min(together, lines - b * together)); });
}
/// y = scale times the transforms of x's lines of n elements; y may be x. False, and nothing done, where others are
/// faster.
template <class T>
bool transform_short(const std::complex<T>* x, std::complex<T>* y, index_t lines, index_t n, bool inverse, T scale) {
    const auto run = choose_short<T>(n, lines);
    if (!run) return false;
    const T *const from = reinterpret_cast<const T*>(x), sign = inverse ? T(-1) : T(1);
    T* const to = reinterpret_cast<T*>(y);
    for_short_lines(lines, n, [&](index_t first, index_t count) {
        run(from + 2 * first * n, to + 2 * first * n, count, scale, sign);
    });
    return true;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
