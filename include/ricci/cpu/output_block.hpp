// Values of a kernel's outputs on their way through a small block: which way each goes is decided once for a block.
#pragma once
#include <bit>

#include "nest.hpp"
#include "simd.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// A stretch of at least one register; the last register overlaps the one before it where the length is no multiple of
/// the lanes. Inputs that stay put along the row have mask 0 and point to one register's worth of copies.
struct span_args {
    index_t n;
    std::byte* const* in;
    const index_t* in_mask;
    std::byte* const* out;
    const output_mode* mode;
    const unsigned char* merge;
    const index_t* row_bytes = nullptr;  // for blocks of rows: see row_args
    int rows = 1;                        // of a sheet, where row_bytes has the outputs', too
    int blocks = 1;                      // of rows that are added to the same row
};
/// Adds n numbers, a register or more, to others; x(i) are those from the i-th on. The last register, which overlaps,
/// is added up before what it overlaps is written: masked stores take many times as long on some processors.
template <class T, class X>
RICCI_INLINE void add_registers(T* y, index_t n, const X& x) {
    const auto sum_at = [&](index_t i) RICCI_INLINE_LAMBDA { return simd<T>::load(y + i) + x(i); };
    const index_t last = n - simd<T>::lanes;
    const simd<T> rest = sum_at(last);
    index_t i = 0;
    for (; i + simd<T>::lanes < last; i += 2 * simd<T>::lanes) {
        const simd<T> a = sum_at(i), b = sum_at(i + simd<T>::lanes);
        a.store(y + i);
        b.store(y + i + simd<T>::lanes);
    }
    if (i < last) sum_at(i).store(y + i);
    rest.store(y + last);
}
/// Adds n numbers to others at a step.
template <class T>
void add_row(std::byte* to, index_t step, const std::byte* from, index_t n) {
    T* const y = reinterpret_cast<T*>(to);
    const T* const x = reinterpret_cast<const T*>(from);
    if constexpr (simd_supported<T>)
        if (step == 1 && n > 0) {
            if (n >= simd<T>::lanes)
                return add_registers(y, n, [&](index_t i) RICCI_INLINE_LAMBDA { return simd<T>::load(x + i); });
            return (simd<T>::load_partial(y, n) + simd<T>::load_partial(x, n)).store_partial(y, n);
        }
    for (index_t i = 0; i < n; ++i) y[i * step] += x[i];
}

/// A block of values of each output, on their way to where the table and the modes send them. Decided once for a block,
/// it costs the loop over registers nothing; and what is added to may overlap.
template <class T, int Outputs>
struct output_block {
    static constexpr int lanes = simd<T>::lanes;
    /// As long as fits into the first cache beside what is read: what surrounds a block takes as long as many
    /// registers.
    static constexpr index_t size = [] {
        constexpr index_t most = 512, all = (12 << 10) / (Outputs * sizeof(T));
        const index_t n = index_t(std::bit_floor(std::uint64_t(std::min(most, all))));
        return std::max(n, index_t(4 * lanes));
    }();
    alignas(64) T values[Outputs][size];

    /// How many of the elements that are left go through at a time: no rest is shorter than a register.
    static index_t stretch(index_t left) {
        if (left <= size) return left;
        return left < size + lanes ? size - lanes : size;
    }
    static bool is_direct(const span_args& a, int k) { return a.merge[k] == k && a.mode[k] == output_mode::store; }
    /// For the spans of `a`, whose table says what is merged.
    RICCI_NOINLINE explicit output_block(const span_args& a) {
        std::uint8_t last[Outputs] = {};
        for (int k = 0; k < Outputs; ++k) {
            const int j = a.merge[k];
            const output_mode mode = a.mode[j];
            next_[k] = none;
            if (j != k) {
                if (mode == output_mode::store && last[j] == j) stored_[stored_count_++] = static_cast<std::uint8_t>(j);
                next_[last[j]] = static_cast<std::uint8_t>(k);
            } else if (mode != output_mode::store && mode != output_mode::skip) {
                added_[added_count_++] = static_cast<std::uint8_t>(j);
            }
            last[j] = static_cast<std::uint8_t>(k);
        }
    }
    /// n elements of each output, from `first` on; direct ones are where they belong already. Outputs that are stored
    /// go first: others may be added to the same elements.
    RICCI_NOINLINE void send(const span_args& a, index_t first, index_t n, simd<T>* total) const {
        for (int i = 0; i < stored_count_; ++i) send_terms(target(a, stored_[i], first), next_[stored_[i]], n);
        for (int i = 0; i < added_count_; ++i) {
            const int j = added_[i];
            if (a.mode[j] == output_mode::total)
                for (int k = j; k != none; k = next_[k]) total[j] = total[j] + sum(values[k], n);
            else send_terms(target(a, j, first), j, n);
        }
    }

   private:
    static constexpr std::uint8_t none = 255;
    static_assert(Outputs <= none);
    std::uint8_t next_[Outputs];    // the outputs that are merged into one, a list for each
    std::uint8_t stored_[Outputs];  // those that are stored, where others are merged into them
    std::uint8_t added_[Outputs];   // those that are added up or to what is there
    int stored_count_ = 0, added_count_ = 0;

    static T* target(const span_args& a, int j, index_t first) { return reinterpret_cast<T*>(a.out[j]) + first; }
    /// Adds output k and those behind it in its list to y, two at a time.
    void send_terms(T* y, int k, index_t n) const {
        do {
            const T* const x = values[k];
            if ((k = next_[k]) == none)
                return add_registers(y, n, [&](index_t i) RICCI_INLINE_LAMBDA { return simd<T>::load(x + i); });
            add(y, x, values[k], n);
        } while ((k = next_[k]) != none);
    }
    static simd<T> sum(const T* x, index_t n) {
        simd<T> a(T(0)), b(T(0));
        index_t i = 0;
        for (; i + 2 * lanes <= n; i += 2 * lanes) {
            a = a + simd<T>::load(x + i);
            b = b + simd<T>::load(x + i + lanes);
        }
        for (; i + lanes <= n; i += lanes) a = a + simd<T>::load(x + i);
        if (i < n) a = a + simd<T>::load_partial(x + i, n - i);
        return a + b;
    }
    static void add(T* y, const T* a, const T* b, index_t n) {
        add_registers(y, n, [&](index_t i) RICCI_INLINE_LAMBDA { return simd<T>::load(a + i) + simd<T>::load(b + i); });
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
