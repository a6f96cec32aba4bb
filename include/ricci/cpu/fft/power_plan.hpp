// Plans of the transforms of contiguous lines of 2^k elements (power.hpp): which passes, and their tables of roots.
#pragma once
#include "../../core/tensor.hpp"
#include "power.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Memory for transforms, aligned for registers.
template <class E>
class fft_buffer {
    tensor<unsigned char, 1> memory_;

   public:
    fft_buffer() = default;
    explicit fft_buffer(index_t count)
        : memory_(tensor<unsigned char, 1>::uninitialized({count * static_cast<index_t>(sizeof(E))})) {}
    E* data() const { return reinterpret_cast<E*>(memory_.data()); }
    index_t bytes() const { return memory_.size(); }
};
/// Memory of one function for some elements: a little is on the stack.
template <class E>
class fft_scratch {
    static constexpr index_t room = 8192 / static_cast<index_t>(sizeof(E));
    alignas(64) unsigned char few_[room * sizeof(E)];
    fft_buffer<E> many_;
    E* data_ = reinterpret_cast<E*>(few_);

   public:
    explicit fft_scratch(index_t count) {
        if (count <= room) return;
        many_ = fft_buffer<E>(count);
        data_ = many_.data();
    }
    fft_scratch(const fft_scratch&) = delete;
    E* data() const { return data_; }
};

template <class T>
class fft_power_plan {
    struct pass {
        int radix;
        index_t s;  // neighbours that stay together
        index_t roots;
    };
    static constexpr index_t most = 1 << 14;
    pass passes_[6] = {};
    int count_ = 0;
    fft_buffer<T> roots_;

   public:
    index_t n = 0;

    static bool suits(index_t size) {
        return fft_lanes<T>() > 1 && size >= 8 && size <= most && (size & (size - 1)) == 0;
    }
    fft_power_plan() = default;
    explicit fft_power_plan(index_t size) : n(size) {
        choose_radices();
        const index_t width = fft_power_width<T>(n), lanes = width * fft_power_lines<T>(n);
        index_t room = 0;
        for (int i = 0; i + 1 < count_; ++i) {
            const index_t r = passes_[i].radix, s = passes_[i].s;
            passes_[i].roots = room;
            room += 2 * (r - 1) * (s < width ? n / (r * width) * lanes : n / (r * s));
        }
        roots_ = fft_buffer<T>(room);
        for (int i = 0; i + 1 < count_; ++i) fill_roots(passes_[i], width, lanes);
    }
    index_t bytes() const { return roots_.bytes(); }
    /// How many numbers `run` works with: one line of them, or, where the first pass could not write into y when that
    /// is x, two.
    index_t work_size() const { return n <= 64 ? 0 : count_ % 2 ? 4 * n : 2 * n; }
    /// y = scale times the transforms of x's contiguous lines; y may be x.
    void run(const std::complex<T>* x, std::complex<T>* y, index_t lines, bool inverse, T scale, T* work) const {
#if defined(RICCI_HAS_SIMD)
        if constexpr (fft_lanes<T>() > 1) {
            constexpr bool wide = fft_lanes<T>() > 8;  // a pass of radix 8 would not fill registers
            constexpr int first = wide ? 4 : 8, middle = wide ? 4 : 0;
            if (n == 8) return run_few<8, 4, 0, 2>(x, y, lines, inverse, scale);
            if (n == 16) return run_few<16, 4, 0, 4>(x, y, lines, inverse, scale);
            if (n == 32) return run_few<32, 4, 0, 8>(x, y, lines, inverse, scale);
            if (n == 64) return run_few<64, first, middle, first>(x, y, lines, inverse, scale);
            for (index_t i = 0; i < lines; ++i) run_passes(x + i * n, y + i * n, inverse, scale, work);
        }
#else
        static_cast<void>(x), static_cast<void>(y), static_cast<void>(lines), static_cast<void>(inverse),
            static_cast<void>(scale), static_cast<void>(work);
#endif
    }

   private:
    void choose_radices() {
        int bits = 0;
        while ((index_t(1) << bits) < n) ++bits;
        index_t s = 1;
        const auto add = [&](int radix) {
            passes_[count_++] = {radix, s, 0};
            s *= radix;
        };
        if (n <= 32) {
            add(4);
            return add(1 << (bits - 2));
        }
        const bool fours_only = n < 8 * fft_lanes<T>();  // vectors do not hold an eighth of the line
        const int passes = fours_only ? bits / 2 : (bits + 2) / 3;
        for (int fours = fours_only ? passes : 3 * passes - bits; count_ < passes; --fours) add(fours > 0 ? 4 : 8);
    }
    void fill_roots(const pass& p, index_t width, index_t lanes) {
        const index_t r = p.radix, order = n / p.s;
        T* to = roots_.data() + p.roots;
        if (p.s >= width) {
            for (index_t k = 0; k < order / r; ++k)
                for (index_t j = 1; j < r; ++j) {
                    const auto w = root_of_unity<T>(k * j, order);
                    *to++ = w.real();
                    *to++ = w.imag();
                }
            return;
        }
        for (index_t g = 0; g < n / (r * width); ++g)
            for (index_t j = 1; j < r; ++j, to += 2 * lanes)
                for (index_t l = 0; l < lanes; ++l) {
                    const auto w = root_of_unity<T>((g * width + l % width) / p.s * j, order);
                    to[l] = w.real();
                    to[lanes + l] = w.imag();
                }
    }

#if defined(RICCI_HAS_SIMD)
    using vector = fft_vector<T, fft_lanes<T>()>;

    template <int N, int First, int Middle, int Last>
    RICCI_NOINLINE RICCI_FLATTEN void run_few(const std::complex<T>* x, std::complex<T>* y, index_t lines, bool inverse,
                                              T scale) const {
        using V = fft_power_vector<T, N>;
        constexpr index_t together = V::lines;
        const T* const roots = roots_.data();
        for (index_t i = 0; i < lines; i += together) {
            [[maybe_unused]] const index_t second =
                std::min(i + together, lines) - 1;  // of an odd number the last itself
            const std::complex<T>* from[together];
            std::complex<T>* to[together];
            from[0] = x + i * N, to[0] = y + i * N;
            if constexpr (together > 1) from[1] = x + second * N, to[1] = y + second * N;
            alignas(64) T between[2 * N * together];  // g++ keeps it in registers where there are enough
            first_power_pass<First, V>(from, between, N, roots, inverse);
            if constexpr (Middle > 0) {
                alignas(64) T after[2 * N * together];
                mixing_power_pass<Middle, First, V>(between, after, N, roots + passes_[1].roots);
                last_power_pass<Last, V>(after, to, N, inverse, scale);
            } else {
                last_power_pass<Last, V>(between, to, N, inverse, scale);
            }
        }
    }
    /// From memory to memory: the last pass but one writes into `work`, the others by turns there and where y will be;
    /// the first one elsewhere if it reads there.
    RICCI_NOINLINE void run_passes(const std::complex<T>* x, std::complex<T>* y, bool inverse, T scale, T* work) const {
        T* const other = count_ % 2 && x == y ? work + 2 * n : reinterpret_cast<T*>(y);
        T *from = count_ % 2 ? other : work, *to = count_ % 2 ? work : other;
        first(x, from, inverse);
        for (int i = 1; i + 1 < count_; ++i) {
            middle(passes_[i], from, to);
            std::swap(from, to);
        }
        last(from, y, inverse, scale);
    }
    void first(const std::complex<T>* x, T* y, bool inverse) const {
        if (passes_[0].radix == 4) first<4>(x, y, inverse);
        else first<8>(x, y, inverse);
    }
    void middle(const pass& p, const T* x, T* y) const {
        constexpr int lanes = fft_lanes<T>();
        const T* const roots = roots_.data() + p.roots;
        const bool four = p.radix == 4;
        if (p.s >= lanes) return four ? whole<4>(x, y, p.s, roots) : whole<8>(x, y, p.s, roots);
        if constexpr (lanes > 4)
            if (p.s == 4) return four ? mixing<4, 4>(x, y, roots) : mixing<8, 4>(x, y, roots);
        if constexpr (lanes > 8)
            if (p.s == 8) mixing<8, 8>(x, y, roots);
    }
    template <int R>
    RICCI_NOINLINE RICCI_FLATTEN void first(const std::complex<T>* x, T* y, bool inverse) const {
        first_power_pass<R, vector>({x}, y, n, roots_.data(), inverse);
    }
    template <int R, int S>
    RICCI_NOINLINE RICCI_FLATTEN void mixing(const T* x, T* y, const T* roots) const {
        mixing_power_pass<R, S, vector>(x, y, n, roots);
    }
    template <int R>
    RICCI_NOINLINE RICCI_FLATTEN void whole(const T* x, T* y, index_t s, const T* roots) const {
        whole_power_pass<R, vector>(x, y, n, s, roots);
    }
    RICCI_NOINLINE RICCI_FLATTEN void last(const T* x, std::complex<T>* y, bool inverse, T scale) const {
        last_power_pass<8, vector>(x, {y}, n, inverse, scale);
    }
#endif
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
