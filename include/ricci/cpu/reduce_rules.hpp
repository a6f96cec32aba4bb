// How partial results of a reduction are kept and joined: accumulators wider than the element type, so that long sums
// stay exact to the last bits, behind function pointers that the loop driver calls.
#pragma once
#include <complex>
#include <cstddef>
#include <limits>

#include "../core/dtype.hpp"
#include "combine.hpp"

namespace ricci {

namespace detail {

template <class T>
struct wide_of {
    using type = T;
};
template <>
struct wide_of<float> {
    using type = double;
};
template <>
struct wide_of<std::complex<float>> {
    using type = std::complex<double>;
};

/// The accumulator of a reduction over many rows: for sums, double the precision of float, and compensation of doubles;
/// for anything else one element.
template <class Combine, class T>
struct wide_accumulator {
    T value = Combine::template identity<T>();
    RICCI_HD void add(T x) { value = Combine::join(value, x); }
    RICCI_HD void add(const wide_accumulator& other) { add(other.value); }
    /// The same, sooner where it is the first.
    RICCI_HD void add_total(T x) { add(x); }
    RICCI_HD T result() const { return value; }
};
template <class T>
    requires(std::is_same_v<T, float> || is_complex_v<T>)
struct wide_accumulator<combine_plus, T> {
    using W = typename wide_of<T>::type;
    W value = W(0);
    RICCI_HD void add(W x) { value += x; }
    RICCI_HD void add(const wide_accumulator& other) { value += other.value; }
    RICCI_HD void add_total(W x) { add(x); }
    RICCI_HD T result() const { return convert_element<T>(value); }
};
template <>
struct wide_accumulator<combine_plus, double> {
    double value = 0, carry = 0;
    RICCI_HD void add(double x) {
        const double t = value + x, back = t - value;
        const double c = (value - (t - back)) + (x - back);  // Knuth's two-sum: the rounding error, exactly
        carry += c == c ? c : 0.0;                           // infinities would leave NaN in the compensation
        value = t;
    }
    RICCI_HD void add(const wide_accumulator& other) {
        add(other.value);
        carry += other.carry;
    }
    RICCI_HD void add_total(double x) {
        if (value == 0) value += x;
        else add(x);
    }
    RICCI_HD double result() const { return value + carry; }
};

/// Where the elements of a block, which are packed, belong: bytes from one to the next, from one row of them to the
/// next, and from one group of rows to the next.
struct block_places {
    index_t n, step, rows, row, groups, group;
};
/// What the driver must know of an output's type.
struct output_rules {
    std::size_t item;
    std::size_t wide_item;
    void (*clear)(void* out, index_t n);  // identities
    void (*clear_wide)(void* wide, index_t n);
    void (*flush)(void* partial, void* wide, index_t n);  // into the accumulators; clears the partial row
    void (*finish)(const void* wide, void* out, index_t n);
    void (*join)(void* wide, const void* other, index_t n);
    void (*join_block)(std::byte* to, const std::byte* block, const block_places&);
};

inline namespace RICCI_ISA {

/// Joins rows of n elements, one behind the other, to the same n. Of rows shorter than a register a register is read.
template <class Combine, class T>
RICCI_INLINE void join_columns(T* to, const T* from, index_t n, index_t rows) {
    if constexpr (simd_supported<T>) {
        constexpr index_t lanes = simd<T>::lanes;
        for (index_t i = 0; i < n; i += lanes) {
            simd<T> sum = simd<T>::load(from + i);
            for (index_t r = 1; r < rows; ++r) sum = Combine::join(sum, simd<T>::load(from + r * n + i));
            if (n - i >= lanes) Combine::join(simd<T>::load(to + i), sum).store(to + i);
            else Combine::join(simd<T>::load_partial(to + i, n - i), sum).store_partial(to + i, n - i);
        }
    } else {
        for (index_t r = 0; r < rows; ++r, from += n)
            for (index_t i = 0; i < n; ++i) to[i] = Combine::join(to[i], from[i]);
    }
}
template <class Combine, class T>
RICCI_INLINE T join_line(T sum, const T* from, index_t n) {
    T part[4] = {from[0], from[1], from[2], from[3]};  // side by side they hide the latency of the addition
    index_t i = 4;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) part[k] = Combine::join(part[k], from[i + k]);
    sum = Combine::join(sum, Combine::join(Combine::join(part[0], part[1]), Combine::join(part[2], part[3])));
    for (; i < n; ++i) sum = Combine::join(sum, from[i]);
    return sum;
}
/// Joins a block, behind which a register may be read, to what is there. Few are joined to each element.
template <class Combine, class T>
void join_block(std::byte* to, const std::byte* block, const block_places& places) {
    const block_places b = places;
    const T* from = reinterpret_cast<const T*>(block);
    for (index_t g = 0; g < b.groups; ++g, to += b.group) {
        if (b.row == 0 && b.step == index_t(sizeof(T))) {
            join_columns<Combine>(reinterpret_cast<T*>(to), from, b.n, b.rows);
            from += b.rows * b.n;
            continue;
        }
        const auto at = [&](index_t r, index_t i) -> T& { return *reinterpret_cast<T*>(to + r * b.row + i * b.step); };
        if (b.step == 0 && b.n >= 8) {
            for (index_t r = 0; r < b.rows; ++r) at(r, 0) = join_line<Combine>(at(r, 0), from + r * b.n, b.n);
        } else {  // down the rows: these are many
            for (index_t i = 0; i < b.n; ++i)
                for (index_t r = 0; r < b.rows; ++r) at(r, i) = Combine::join(at(r, i), from[r * b.n + i]);
        }
        from += b.rows * b.n;
    }
}

template <class Combine, class T>
struct typed_output_rules {
    using wide = wide_accumulator<Combine, T>;
    static void clear(void* out, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = Combine::template identity<T>();
    }
    static void clear_wide(void* w, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i] = wide{};
    }
    static void flush(void* partial, void* w, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i].add(static_cast<const T*>(partial)[i]);
        clear(partial, n);
    }
    static void finish(const void* w, void* out, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = static_cast<const wide*>(w)[i].result();
    }
    static void join(void* w, const void* other, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i].add(static_cast<const wide*>(other)[i]);
    }
    static constexpr output_rules rules{sizeof(T), sizeof(wide), clear, clear_wide,
                                        flush,     finish,       join,  join_block<Combine, T>};
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
