// Sorting as many lines at a time as a register has lanes: Batcher's bitonic merges of rows of registers, each lane a
// line.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../core/config.hpp"
#include "simd/native.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(__AVX512F__)
inline constexpr index_t sort_bytes = 64;
#elif defined(__AVX__)
inline constexpr index_t sort_bytes = 32;
#else
inline constexpr index_t sort_bytes = 16;
#endif

/// A number of each lane.
template <class K>
struct value_row {
    using scalar = K;
    static constexpr index_t lanes = sort_bytes / static_cast<index_t>(sizeof(K));
    typedef K vector __attribute__((vector_size(sort_bytes)));
    vector v;
    void set(index_t lane, K x) { v[lane] = x; }
    K get(index_t lane) const { return v[lane]; }
    static constexpr K last() {
        if constexpr (std::is_floating_point_v<K>) return std::numeric_limits<K>::infinity();
        else return std::numeric_limits<K>::max();
    }
};
/// An element with its position, by which equal ones are told apart.
template <class K>
struct keyed_position {
    K key, at;
    friend RICCI_INLINE bool operator<(const keyed_position& a, const keyed_position& b) {
        return (a.key < b.key) | ((a.key == b.key) & (a.at < b.at));
    }
};
template <class K>
struct keyed_row {
    using scalar = keyed_position<K>;
    static constexpr index_t lanes = value_row<K>::lanes;
    typename value_row<K>::vector key, at;
    void set(index_t lane, scalar x) { key[lane] = x.key, at[lane] = x.at; }
    scalar get(index_t lane) const { return {key[lane], at[lane]}; }
    static constexpr scalar last() { return {value_row<K>::last(), std::numeric_limits<K>::max()}; }
};

/// Puts the lesser of each lane into a. One comparison decides both, so that none of two equal ones is lost.
template <class K>
RICCI_INLINE void in_order(value_row<K>& a, value_row<K>& b) {
#if defined(RICCI_HAS_SIMD)
    if constexpr (std::is_floating_point_v<K>) {  // of equal ones the second either way, and none is NaN
        const auto least = smaller(b.v, a.v);
        b.v = larger(a.v, b.v);
        a.v = least;
        return;
    }
#endif
    const auto less = b.v < a.v ? b.v : a.v;
    b.v = b.v < a.v ? a.v : b.v;
    a.v = less;
}
template <class K>
RICCI_INLINE void in_order(keyed_row<K>& a, keyed_row<K>& b) {
    const auto swap = (b.key < a.key) | ((b.key == a.key) & (b.at < a.at));
    const auto key = swap ? b.key : a.key, at = swap ? b.at : a.at;
    b.key = swap ? a.key : b.key;
    b.at = swap ? a.at : b.at;
    a.key = key, a.at = at;
}
template <class Row>
RICCI_INLINE void merge_bitonic(Row& a, Row& b, Row& c, Row& d) {
    in_order(a, c), in_order(b, d);
    in_order(a, b), in_order(c, d);
}
/// The steps of a bitonic merge at distances of four, two and one strides.
template <class Row>
RICCI_INLINE void merge_eight(Row* r, index_t s) {
    Row a = r[0], b = r[s], c = r[2 * s], d = r[3 * s], e = r[4 * s], f = r[5 * s], g = r[6 * s], h = r[7 * s];
    in_order(a, e), in_order(b, f), in_order(c, g), in_order(d, h);
    merge_bitonic(a, b, c, d), merge_bitonic(e, f, g, h);
    r[0] = a, r[s] = b, r[2 * s] = c, r[3 * s] = d, r[4 * s] = e, r[5 * s] = f, r[6 * s] = g, r[7 * s] = h;
}
template <class Row>
RICCI_INLINE void merge_four(Row* r, index_t s) {
    Row a = r[0], b = r[s], c = r[2 * s], d = r[3 * s];
    merge_bitonic(a, b, c, d);
    r[0] = a, r[s] = b, r[2 * s] = c, r[3 * s] = d;
}
/// Sorts eight rows: Batcher's odd-even network.
template <class Row>
RICCI_INLINE void sort_eight(Row* r) {
    Row a = r[0], b = r[1], c = r[2], d = r[3], e = r[4], f = r[5], g = r[6], h = r[7];
    in_order(a, b), in_order(c, d), in_order(e, f), in_order(g, h);
    in_order(a, c), in_order(b, d), in_order(e, g), in_order(f, h);
    in_order(b, c), in_order(f, g);
    in_order(a, e), in_order(b, f), in_order(c, g), in_order(d, h);
    in_order(c, e), in_order(d, f);
    in_order(b, c), in_order(d, e), in_order(f, g);
    r[0] = a, r[1] = b, r[2] = c, r[3] = d, r[4] = e, r[5] = f, r[6] = g, r[7] = h;
}
/// The steps of a bitonic merge at distances k, k / 2, ... 1, of the first m rows.
template <class Row>
void merge_steps(Row* r, index_t m, index_t k) {
    for (; k > 2; k /= 8)
        for (index_t s = k / 4, block = 0; block < m; block += 8 * s)
            for (index_t i = block; i < std::min(block + s, m); ++i) merge_eight(r + i, s);
    if (k == 2)
        for (index_t i = 0; i < m; i += 4) merge_four(r + i, 1);
    else if (k == 1)
        for (index_t i = 0; i < m; i += 2) in_order(r[i], r[i + 1]);
}
/// How many rows must be there to sort m: those behind hold last().
inline index_t rows_to_sort(index_t m) {
    return std::max<index_t>(8, static_cast<index_t>(std::bit_ceil(static_cast<std::size_t>(m))));
}
/// Sorts each lane of m rows. The first of the steps that merge two runs of p compares each row with its mirror image.
template <class Row>
void sort_columns(Row* rows, index_t m) {
    for (index_t i = 0; i < m; i += 8) sort_eight(rows + i);
    for (index_t p = 8; p < m; p *= 2)
        for (index_t first = 0; first + p < m; first += 2 * p) {
            Row* const r = rows + first;
            const index_t valid = std::min(2 * p, m - first), half = p / 2;
            for (index_t i = std::max<index_t>(0, 2 * p - half - valid); i < half; ++i) {
                Row a = r[i], b = r[i + half], c = r[2 * p - 1 - i - half], d = r[2 * p - 1 - i];
                in_order(a, d), in_order(b, c);
                in_order(a, b), in_order(c, d);
                r[i] = a, r[i + half] = b, r[2 * p - 1 - i - half] = c, r[2 * p - 1 - i] = d;
            }
            merge_steps(r, valid, half / 2);
        }
}

/// Two sorted runs of n items into one: from both ends at a time, without a branch.
template <class Item>
RICCI_INLINE void merge_runs(const Item* a, const Item* b, index_t n, Item* to) {
    const Item *a_end = a + (n - 1), *b_end = b + (n - 1);
    for (index_t i = 0, j = 2 * n - 1; i < n; ++i, --j) {
        const bool takes_b = *b < *a, takes_a = *b_end < *a_end;
        to[i] = takes_b ? *b : *a;
        b += takes_b, a += !takes_b;
        to[j] = takes_a ? *a_end : *b_end;
        a_end -= takes_a, b_end -= !takes_a;
    }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
