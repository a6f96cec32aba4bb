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
    RICCI_HD T result() const { return value; }
};
template <class T>
    requires(std::is_same_v<T, float> || is_complex_v<T>)
struct wide_accumulator<combine_plus, T> {
    using W = typename wide_of<T>::type;
    W value = W(0);
    RICCI_HD void add(W x) { value += x; }
    RICCI_HD void add(const wide_accumulator& other) { value += other.value; }
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
    RICCI_HD double result() const { return value + carry; }
};

/// What the driver must know of an output's type.
struct output_rules {
    std::size_t item;
    std::size_t wide_item;
    void (*clear)(void* out, index_t n);                        // identities
    void (*clear_wide)(void* wide, index_t n);
    void (*flush)(void* partial, void* wide, index_t n);        // into the accumulators; clears the partial row
    void (*finish)(const void* wide, void* out, index_t n);
    void (*join)(void* wide, const void* other, index_t n);
};

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
    static constexpr output_rules rules{sizeof(T), sizeof(wide), clear, clear_wide, flush, finish, join};
};

}  // namespace detail
}  // namespace ricci
