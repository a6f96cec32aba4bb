// The passes of the Fourier transform: butterflies of radix 2, 3, 4, 5, 7, 8 and of any odd radix, in Stockham's order.
#pragma once
#include <utility>

#include "vector.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// One pass over n = radix m s elements, each of as many complex numbers as V has lanes.
template <class T>
struct fft_pass {
    int radix = 0;
    index_t m = 0, s = 0;
    const T* twiddles = nullptr;  // of p = 0 ... m - 1: the roots that outputs 1 ... radix - 1 are multiplied by
    const T* roots =
        nullptr;  // of a radix without code of its own: cos and sin of 2 pi j k / radix, j, k = 1 ... radix / 2
};
inline constexpr int largest_radix = 31;

/// The transform of R elements in place.
template <int R>
struct fft_butterfly;
template <>
struct fft_butterfly<2> {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        const auto a = z[0];
        z[0] = a + z[1];
        z[1] = a - z[1];
    }
};
template <>
struct fft_butterfly<4> {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        run<T>(z[0], z[1], z[2], z[3]);
    }
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>& z0, fft_pair<V>& z1, fft_pair<V>& z2, fft_pair<V>& z3) {
        const auto a = z0 + z2, b = z0 - z2, c = z1 + z3, d = z1 - z3;
        z0 = a + c;
        z2 = a - c;
        z1 = {b.re + d.im, b.im - d.re};
        z3 = {b.re - d.im, b.im + d.re};
    }
};
template <>
struct fft_butterfly<8> {
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        const auto a = z[0], b = z[2], c = z[4], d = z[6], e = z[1], f = z[3], g = z[5], h = z[7];
        fft_pair<V> even[4] = {a, b, c, d}, odd[4] = {e, f, g, h};
        fft_butterfly<4>::run<T>(even);
        fft_butterfly<4>::run<T>(odd);
        const V half_root(static_cast<T>(0.707106781186547524400844362104849039L));
        const fft_pair<V> one = {(odd[1].re + odd[1].im) * half_root, (odd[1].im - odd[1].re) * half_root};
        const fft_pair<V> three = {(odd[3].im - odd[3].re) * half_root, -(odd[3].re + odd[3].im) * half_root};
        z[0] = even[0] + odd[0];
        z[4] = even[0] - odd[0];
        z[1] = even[1] + one;
        z[5] = even[1] - one;
        z[2] = {even[2].re + odd[2].im, even[2].im - odd[2].re};
        z[6] = {even[2].re - odd[2].im, even[2].im + odd[2].re};
        z[3] = even[3] + three;
        z[7] = even[3] - three;
    }
};

/// cos and sin of 2 pi k / R for k = 1 ... R / 2.
template <int R>
inline constexpr long double unit_circle[1][2] = {};
template <>
inline constexpr long double unit_circle<3>[1][2] = {{-0.5L, 0.866025403784438646763723170752936183L}};
template <>
inline constexpr long double unit_circle<5>[2][2] = {
    {0.309016994374947424102293417182819059L, 0.951056516295153572116439333379382143L},
    {-0.809016994374947424102293417182819059L, 0.587785252292473129168705954639072769L}};
template <>
inline constexpr long double unit_circle<7>[3][2] = {
    {0.623489801858733530525004884004239811L, 0.781831482468029808708444526674057751L},
    {-0.222520933956314404288902564496794759L, 0.974927912181823607018131682993931217L},
    {-0.900968867902419126236102319507445051L, 0.433883739117558120475768332848358754L}};

/// An odd radix: sums and differences of the elements that mirror each other, from which each pair of outputs is made.
template <int R>
struct fft_butterfly {
    static constexpr int half = R / 2;
    static constexpr long double cosine(int k) {
        return k % R == 0 ? 1 : unit_circle<R>[(k % R <= half ? k % R : R - k % R) - 1][0];
    }
    static constexpr long double sine(int k) {
        return k % R == 0 ? 0 : k % R <= half ? unit_circle<R>[k % R - 1][1] : -unit_circle<R>[R - k % R - 1][1];
    }
    template <class T, class V>
    RICCI_INLINE static void run(fft_pair<V>* z) {
        run<T>(z, std::make_integer_sequence<int, half>{});
    }

   private:
    template <class T, class V, int... J>
    RICCI_INLINE static void run(fft_pair<V>* z, std::integer_sequence<int, J...> all) {
        const fft_pair<V> sum[] = {z[J + 1] + z[R - 1 - J]...}, difference[] = {z[J + 1] - z[R - 1 - J]...};
        const auto first = z[0];
        ((z[0] = z[0] + sum[J]), ...);
        (output<T, J + 1>(z, first, sum, difference, all), ...);
    }
    template <class T, int K, class V, int... J>
    RICCI_INLINE static void output(fft_pair<V>* z, const fft_pair<V>& first, const fft_pair<V>* sum,
                                    const fft_pair<V>* difference, std::integer_sequence<int, J...>) {
        auto c = first;
        fft_pair<V> d{difference[0].re * V(T(sine(K))), difference[0].im * V(T(sine(K)))};
        ((c.re = mul_add(sum[J].re, V(T(cosine((J + 1) * K))), c.re),
          c.im = mul_add(sum[J].im, V(T(cosine((J + 1) * K))), c.im)),
         ...);
        ((J == 0 ? void()
                 : void((d.re = mul_add(difference[J].re, V(T(sine((J + 1) * K))), d.re),
                         d.im = mul_add(difference[J].im, V(T(sine((J + 1) * K))), d.im)))),
         ...);
        z[K] = {c.re + d.im, c.im - d.re};
        z[R - K] = {c.re - d.im, c.im + d.re};
    }
};

/// What passes read and write: elements that fill registers,
template <class V>
struct fft_elements {
    using pair = fft_pair<V>;
    static constexpr bool are_rows = false;
    pair* at;
    RICCI_INLINE fft_elements operator+(index_t i) const { return {at + i}; }
    RICCI_INLINE const pair& load(index_t i) const { return at[i]; }
    RICCI_INLINE void store(index_t i, const pair& z) const { at[i] = z; }
};
/// or as many complex numbers of each row of an array, whose parts are multiplied by `re` and `im`. The inverse
/// transform is the conjugate of the conjugates' one.
template <class T>
struct fft_rows_read {
    using pair = fft_pair<fft_register<T>>;
    static constexpr bool are_rows = true;
    const std::complex<T>* at;
    index_t step;
    T im;
    RICCI_INLINE fft_rows_read operator+(index_t i) const { return {at + i * step, step, im}; }
    RICCI_INLINE pair load(index_t i) const {
        const pair z = load_in_any_order<fft_register<T>>(at + i * step);
        return {z.re, z.im * fft_register<T>(im)};
    }
};
template <class T>
struct fft_rows_written {
    using pair = fft_pair<fft_register<T>>;
    static constexpr bool are_rows = true;
    std::complex<T>* at;
    index_t step;
    T re, im;
    RICCI_INLINE fft_rows_written operator+(index_t i) const { return {at + i * step, step, re, im}; }
    RICCI_INLINE void store(index_t i, const pair& z) const {
        using V = fft_register<T>;
        store_in_that_order(at + i * step, pair{z.re * V(re), z.im * V(im)});
    }
};

template <int R, bool Twiddled, class T, class From, class To, int... J>
RICCI_INLINE void fft_pass_loop(const From x, const To y, index_t m, index_t s, const T* __restrict w,
                                std::integer_sequence<int, J...>) {
    using pair = typename From::pair;
    using V = decltype(pair::re);
    for (index_t p = 0; p < m; ++p) {
        const From from = x + p * s;
        const To to = y + p * s * R;
        const T* const root = w + p * (2 * (R - 1));
        for (index_t q = 0; q < s; ++q) {
            pair z[R] = {from.load(q + s * m * J)...};
            fft_butterfly<R>::template run<T>(z);
            if constexpr (Twiddled)
                (to.store(q + s * J,
                          J == 0 ? z[0] : times(z[J], V(root[J ? 2 * J - 2 : 0]), V(root[J ? 2 * J - 1 : 0]))),
                 ...);
            else (to.store(q + s * J, z[J]), ...);
        }
    }
}
/// The roots of last passes, which alone write rows, are 1. What reads rows and writes elements is never the last.
template <int R, class T, class From, class To>
RICCI_NOINLINE void run_radix(const From& x, const To& y, const fft_pass<T>& pass) {
    constexpr std::make_integer_sequence<int, R> all;
    if constexpr (To::are_rows || (!From::are_rows && R != 2 && R != 7))
        if (To::are_rows || pass.m == 1) return fft_pass_loop<R, false>(x, y, 1, pass.s, pass.twiddles, all);
    if constexpr (!To::are_rows) fft_pass_loop<R, true>(x, y, pass.m, pass.s, pass.twiddles, all);
}
/// Any odd radix up to the largest.
template <class T, class From, class To>
RICCI_NOINLINE void run_odd_radix(const From& x, const To& y, const fft_pass<T>& pass) {
    using pair = typename From::pair;
    using V = decltype(pair::re);
    const int r = pass.radix, half = r / 2;
    const index_t m = pass.m, s = pass.s;
    pair sum[largest_radix / 2], difference[largest_radix / 2];
    for (index_t p = 0; p < m; ++p) {
        const T* const root = pass.twiddles + p * (2 * (r - 1)) - 2;
        for (index_t q = 0; q < s; ++q) {
            const From from = x + (p * s + q);
            const To to = y + (p * s * r + q);
            const auto first = from.load(0);
            auto total = first;
            for (int j = 0; j < half; ++j) {
                const pair a = from.load((j + 1) * s * m), b = from.load((r - 1 - j) * s * m);
                sum[j] = a + b;
                difference[j] = a - b;
                total = total + sum[j];
            }
            to.store(0, total);
            for (int k = 1; k <= half; ++k) {
                const T* const table = pass.roots + (k - 1) * (2 * half);
                auto c = first;
                pair d{V(T(0)), V(T(0))};
                for (int j = 0; j < half; ++j) {
                    const V cosine(table[2 * j]), sine(table[2 * j + 1]);
                    c = {mul_add(sum[j].re, cosine, c.re), mul_add(sum[j].im, cosine, c.im)};
                    d = {mul_add(difference[j].re, sine, d.re), mul_add(difference[j].im, sine, d.im)};
                }
                const pair one{c.re + d.im, c.im - d.re}, other{c.re - d.im, c.im + d.re};
                to.store(k * s, times(one, V(root[2 * k]), V(root[2 * k + 1])));
                to.store((r - k) * s, times(other, V(root[2 * (r - k)]), V(root[2 * (r - k) + 1])));
            }
        }
    }
}
template <class T, class From, class To>
void run_pass(const From& x, const To& y, const fft_pass<T>& pass) {
    switch (pass.radix) {
        case 2:
            return run_radix<2>(x, y, pass);
        case 3:
            return run_radix<3>(x, y, pass);
        case 4:
            return run_radix<4>(x, y, pass);
        case 5:
            return run_radix<5>(x, y, pass);
        case 7:
            return run_radix<7>(x, y, pass);
        case 8:
            return run_radix<8>(x, y, pass);
        default:
            return run_odd_radix(x, y, pass);
    }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
