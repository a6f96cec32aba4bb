// Plans of the transforms of power.hpp: which passes, and their tables of roots.
#pragma once
#include <memory>
#include <new>

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
/// Tables of a plan, aligned likewise. They outlive calls, and with them perhaps an allocator that tensors had for a
/// while.
template <class E>
class fft_table {
    static constexpr std::align_val_t alignment{64};
    struct release {
        void operator()(void* memory) const { ::operator delete(memory, alignment); }
    };
    std::unique_ptr<void, release> memory_;
    index_t bytes_ = 0;

   public:
    fft_table() = default;
    explicit fft_table(index_t count)
        : memory_(::operator new(static_cast<std::size_t>(count) * sizeof(E), alignment)),
          bytes_(count * static_cast<index_t>(sizeof(E))) {}
    E* data() const { return static_cast<E*>(memory_.get()); }
    index_t bytes() const { return bytes_; }
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
    pass passes_[8] = {};
    int count_ = 0;
    index_t width_ = 0;  // elements that a vector has of one line
    fft_table<T> roots_;

    static bool is_power(index_t size) { return (size & (size - 1)) == 0; }
    /// Of other lengths than powers of two, neighbours stay together from the first pass on, which makes as many of
    /// them as a vector has lanes, or more.
    static constexpr index_t mixed_width(index_t size) {
        return std::min<index_t>(fft_lanes<T>(), size % 8 == 0 && size >= 64 ? 8 : 4);
    }

   public:
    index_t n = 0;

    static bool suits(index_t size) {
        if (fft_lanes<T>() == 1 || size < 8 || size > most) return false;
        if (is_power(size)) return true;
        if (size < 16 || size % 4 != 0) return false;
        for (const int r : {2, 3, 5})
            while (size % r == 0) size /= r;
        return size == 1;
    }
    /// Of many lines, too: those of mixed lengths are faster in the lanes of registers of 8.
    static bool suits_many(index_t size) { return (is_power(size) || fft_lanes<T>() <= 4) && suits(size); }
    fft_power_plan() = default;
    RICCI_COLD explicit fft_power_plan(index_t size) : n(size) {
        choose_radices();
        width_ = is_power(n) ? fft_power_width<T>(n) : mixed_width(n);
        const index_t width = width_, lanes = width * (is_power(n) ? fft_power_lines<T>(n) : 1);
        index_t room = 0;
        for (int i = 0; i + 1 < count_; ++i) {
            const index_t r = passes_[i].radix, s = passes_[i].s;
            passes_[i].roots = room;
            room += 2 * (r - 1) * (s < width ? vectors(n / r, width) * lanes : n / (r * s));
        }
        roots_ = fft_table<T>(room);
        for (int i = 0; i + 1 < count_; ++i) fill_roots(passes_[i], width, lanes);
    }
    index_t bytes() const { return roots_.bytes(); }
    /// How many numbers `run` works with: one line of them, or, where the first pass could not write into y when that
    /// is x, two.
    index_t work_size() const { return n <= 64 && is_power(n) ? 0 : count_ % 2 ? 4 * n : 2 * n; }
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
            run_lines<fft_lanes<T>()>(x, y, lines, inverse, scale, work);
        }
#else
        static_cast<void>(x), static_cast<void>(y), static_cast<void>(lines), static_cast<void>(inverse),
            static_cast<void>(scale), static_cast<void>(work);
#endif
    }

   private:
    static index_t vectors(index_t elements, index_t width) { return (elements + width - 1) / width; }
    RICCI_COLD void choose_radices() {
        if (!is_power(n)) return choose_mixed_radices();
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
    RICCI_COLD void choose_mixed_radices() {
        index_t s = 1;
        const auto add = [&](int radix) {
            passes_[count_++] = {radix, s, 0};
            s *= radix;
        };
        add(mixed_width(n) == 8 ? 8 : 4);
        for (const int odd : {5, 3})
            while (n / s % odd == 0) add(odd);
        int bits = 0;
        while (n / s >> bits > 1) ++bits;
        for (; bits >= 3 && bits != 4; bits -= 3) add(8);
        for (; bits >= 2; bits -= 2) add(4);
        if (bits) add(2);
    }
    RICCI_COLD void fill_roots(const pass& p, index_t width, index_t lanes) {
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
        const index_t elements = n / r;
        for (index_t next = 0; next < elements; next += width)
            for (index_t j = 1; j < r; ++j, to += 2 * lanes)
                for (index_t l = 0; l < lanes; ++l) {
                    const index_t first = std::min(next, elements - width);
                    const auto w = root_of_unity<T>((first + l % width) / p.s * j, order);
                    to[l] = w.real();
                    to[lanes + l] = w.imag();
                }
    }

#if defined(RICCI_HAS_SIMD)
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
    template <int L>
    void run_lines(const std::complex<T>* x, std::complex<T>* y, index_t lines, bool inverse, T scale, T* work) const {
        if constexpr (L > 4)
            if (width_ < L) return run_lines<L / 2>(x, y, lines, inverse, scale, work);
        for (index_t i = 0; i < lines; ++i) run_passes<fft_vector<T, L>>(x + i * n, y + i * n, inverse, scale, work);
    }
    /// From memory to memory: the last pass but one writes into `work`, the others by turns there and where y will be;
    /// the first one elsewhere if it reads there.
    template <class V>
    RICCI_NOINLINE void run_passes(const std::complex<T>* x, std::complex<T>* y, bool inverse, T scale, T* work) const {
        T* const other = count_ % 2 && x == y ? work + 2 * n : reinterpret_cast<T*>(y);
        T *from = count_ % 2 ? other : work, *to = count_ % 2 ? work : other;
        constexpr int widest = V::lanes == fft_lanes<T>() ? 8 : V::lanes;  // as mixed lengths begin
        if (passes_[0].radix == widest) first<widest, V>(x, from, inverse);
        else first<4, V>(x, from, inverse);
        for (int i = 1; i + 1 < count_; ++i) {
            middle<V>(passes_[i], from, to);
            std::swap(from, to);
        }
        last<V>(from, y, inverse, scale);
    }
    // What vectors of so many lanes are for (mixed_width): of whole registers powers of two, of 8 lanes or fewer mixed
    // lengths, too, of 4 where registers have more no other than 24, 40, 48 and 4 times an odd number.
    template <class V>
    static constexpr bool is_mixed = V::lanes <= 8;
    template <class V>
    static constexpr bool is_narrow = V::lanes == 4 && fft_lanes<T>() > 4;

    template <class V>
    void middle(const pass& p, const T* x, T* y) const {
        constexpr int lanes = V::lanes;
        const T* const roots = roots_.data() + p.roots;
        if constexpr (lanes > 4)
            if (p.s == 4) return p.radix == 4 ? mixing<4, 4, V>(x, y, roots) : mixing<8, 4, V>(x, y, roots);
        if constexpr (lanes > 8)
            if (p.s == 8) return mixing<8, 8, V>(x, y, roots);
        if constexpr (is_mixed<V>) {
            if (p.radix == 3) return whole<3, V>(x, y, p.s, roots);
            if (p.radix == 5) return whole<5, V>(x, y, p.s, roots);
        }
        if constexpr (!is_narrow<V>) {
            if (p.radix == 4) return whole<4, V>(x, y, p.s, roots);
            whole<8, V>(x, y, p.s, roots);
        }
    }
    template <class V>
    void last(const T* x, std::complex<T>* y, bool inverse, T scale) const {
        const int radix = passes_[count_ - 1].radix;
        if constexpr (is_mixed<V>) {
            if (radix == 2) return last<2, V>(x, y, inverse, scale);
            if (radix == 3) return last<3, V>(x, y, inverse, scale);
            if (radix == 5) return last<5, V>(x, y, inverse, scale);
        }
        if (is_narrow<V> || radix == 4) return last<4, V>(x, y, inverse, scale);
        if constexpr (!is_narrow<V>) last<8, V>(x, y, inverse, scale);
    }
    template <int R, class V>
    RICCI_NOINLINE RICCI_FLATTEN void first(const std::complex<T>* x, T* y, bool inverse) const {
        first_power_pass<R, V>({x}, y, n, roots_.data(), inverse);
    }
    template <int R, int S, class V>
    RICCI_NOINLINE RICCI_FLATTEN void mixing(const T* x, T* y, const T* roots) const {
        mixing_power_pass<R, S, V>(x, y, n, roots);
    }
    template <int R, class V>
    RICCI_NOINLINE RICCI_FLATTEN void whole(const T* x, T* y, index_t s, const T* roots) const {
        whole_power_pass<R, V>(x, y, n, s, roots);
    }
    template <int R, class V>
    RICCI_NOINLINE RICCI_FLATTEN void last(const T* x, std::complex<T>* y, bool inverse, T scale) const {
        last_power_pass<R, V>(x, {y}, n, inverse, scale);
    }
#endif
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
