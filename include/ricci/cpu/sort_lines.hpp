// Sorting the lines of dense arrays: by pivots or by digits where they are long, else in the lanes of registers.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/dtype.hpp"
#include "line_grid.hpp"
#include "line_kernels.hpp"
#include "radix.hpp"
#include "sort_columns.hpp"
#include "sort_registers.hpp"

namespace ricci::detail {

/// Whether a comes before b: NaN last, whichever way.
template <class T>
RICCI_HD bool sorts_before(const T& a, const T& b, bool descending) {
    if constexpr (is_real_floating_v<T>) {
        if (a != a) return false;
        if (b != b) return true;
    }
    return descending ? b < a : a < b;
}

/// The elements of a line as unsigned keys, in whose order they sort, with their positions, in which equal ones stay.
/// Both in one number where they are of 32 bits.
template <class K>
struct order_item {
    K key_;
    std::int64_t at_;
    K key() const { return key_; }
    std::int64_t at() const { return at_; }
    friend bool operator<(const order_item& a, const order_item& b) {
        return (a.key_ < b.key_) | ((a.key_ == b.key_) & (a.at_ < b.at_));
    }
};
struct short_order_item {
    std::uint64_t bits;
    short_order_item(std::uint32_t key, std::int64_t at)
        : bits(std::uint64_t(key) << 32 | static_cast<std::uint32_t>(at)) {}
    std::uint32_t key() const { return static_cast<std::uint32_t>(bits >> 32); }
    std::int64_t at() const { return static_cast<std::uint32_t>(bits); }
    friend bool operator<(const short_order_item& a, const short_order_item& b) { return a.bits < b.bits; }
};
template <class T>
RICCI_HD auto order_key(const T& x, bool descending) {
    if constexpr (has_radix_key<T>) return radix_key(x, descending);
    else return radix_key(static_cast<std::conditional_t<is_real_floating_v<T>, float, std::int32_t>>(x), descending);
}

/// The first `count` of n elements. Candidates gather until they are twice as many, and the rest leave; from then on
/// most elements do not come before the last of these, and are passed by.
template <class Item, class T>
void leading_items(std::vector<Item>& best, const T* x, index_t n, index_t step, index_t count, bool descending) {
    if (count == 0) return;
    const auto room = static_cast<std::size_t>(count + std::max<index_t>(count, 16));
    best.reserve(room);
    bool bounded = false;
    Item last(0, 0);
    const auto keep_first = [&] {
        std::nth_element(best.begin(), best.begin() + (count - 1), best.end());
        best.erase(best.begin() + count, best.end());
        last = best.back();
        bounded = true;
    };
    for (index_t i = 0, end = 0; i < n; i = end) {
        end = std::min(i + line_block, n);
        if (bounded && step == 1 && end - i == line_block && !any_before(x + i, x[last.at()], descending)) continue;
        for (index_t k = i; k < end; ++k) {
            const auto key = order_key(x[k * step], descending);
            if (bounded && key >= last.key()) continue;
            best.push_back(Item(key, k));
            if (best.size() == room) keep_first();
        }
    }
    if (static_cast<index_t>(best.size()) > count) keep_first();
    std::sort(best.begin(), best.end());
}
template <class T>
void leading_positions(const T* x, std::int64_t* y, index_t n, index_t step, index_t count, bool descending) {
    const auto store = [&]<class Item>(std::vector<Item> best) {
        leading_items(best, x, n, step, count, descending);
        for (index_t k = 0; k < count; ++k) y[k * step] = best[static_cast<std::size_t>(k)].at();
    };
    using K = decltype(order_key(T(), descending));
    if constexpr (sizeof(K) == 4)
        if (n >> 32 == 0) return store(std::vector<short_order_item>());
    store(std::vector<order_item<K>>());
}
template <class T>
void argsort_by_digits(const T* x, std::int64_t* y, index_t n, index_t step, index_t count, bool descending) {
    using K = decltype(radix_key(T(), descending));
    struct entry {
        K key;
        std::uint32_t at;
    };
    const std::unique_ptr<entry[]> entries(new entry[2 * static_cast<std::size_t>(n)]);
    for (index_t i = 0; i < n; ++i) entries[i] = {radix_key(x[i * step], descending), static_cast<std::uint32_t>(i)};
    const entry* const sorted = radix_sort(entries.get(), entries.get() + n, n, [](const entry& e) { return e.key; });
    for (index_t i = 0; i < count; ++i) y[i * step] = sorted[i].at;
}

inline namespace RICCI_ISA {

/// Rows of registers to sort m rows in, all of them last(): on the stack where they are few.
template <class Row>
class sort_room {
   public:
    explicit sort_room(index_t m) : count_(rows_to_sort(m)) {
        if (count_ > near) far_.reset(new Row[static_cast<std::size_t>(count_)]);
        Row last;
        for (index_t w = 0; w < Row::lanes; ++w) last.set(w, Row::last());
        std::fill(rows(), rows() + count_, last);
    }
    Row* rows() { return far_ ? far_.get() : near_; }

   private:
    static constexpr index_t near = 32;
    index_t count_;
    std::unique_ptr<Row[]> far_;
    Row near_[near];
};
/// Calls of(k) in order for the n items that set(k) gives: they are sorted in pieces, a lane for each, which are
/// merged.
template <class Row, class Set, class Of>
void sort_line(index_t n, const Set& set, const Of& of) {
    using item = typename Row::scalar;
    const index_t m = (n + Row::lanes - 1) / Row::lanes, size = m * Row::lanes;
    sort_room<Row> room(m);
    Row* const rows = room.rows();
    for (index_t i = 0; i < n; ++i) rows[i / Row::lanes].set(i % Row::lanes, set(i));
    sort_columns(rows, m);
    const std::unique_ptr<item[]> runs(new item[2 * static_cast<std::size_t>(size)]);
    item *from = runs.get(), *to = from + size;
    for (index_t k = 0; k < m; ++k)
        for (index_t w = 0; w < Row::lanes; ++w) from[w * m + k] = rows[k].get(w);
    for (index_t run = m; run < size; run *= 2) {
        for (index_t i = 0; i < size; i += 2 * run) merge_runs(from + i, from + i + run, run, to + i);
        std::swap(from, to);
    }
    of([=](index_t k) { return from[k]; });
}

// ---- values --------------------------------------------------------------------------------------------------------

/// Elements as numbers that registers compare: NaN is last, unsigned ones and those of 16 bits are signed integers.
template <class T>
using sort_lane = std::conditional_t<
    std::is_floating_point_v<T>, T,
    std::conditional_t<sizeof(T) == 8, std::int64_t,
                       std::conditional_t<sizeof(T) == 4, std::int32_t,
                                          std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>>;
/// The bits of a half that make its order that of integers: all but the sign where that is set. Its own inverse.
inline std::int16_t half_order(std::uint16_t bits) {
    return static_cast<std::int16_t>(bits & 0x8000 ? bits ^ 0x7fff : bits);
}
template <class T>
RICCI_INLINE sort_lane<T> to_lane(T x) {
    using K = sort_lane<T>;
    if constexpr (std::is_floating_point_v<T>) return x == x ? x : value_row<K>::last();
    else if constexpr (is_half_v<T>) return x == x ? half_order(x.bits) : value_row<K>::last();
    else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        return static_cast<K>(x ^ (T(1) << (8 * sizeof(T) - 1)));
    else return static_cast<K>(x);
}
template <class T>
RICCI_INLINE T from_lane(sort_lane<T> k) {
    if constexpr (is_half_v<T>)
        return T::from_bits(static_cast<std::uint16_t>(half_order(static_cast<std::uint16_t>(k))));
    else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
        return static_cast<T>(static_cast<T>(k) ^ (T(1) << (8 * sizeof(T) - 1)));
    else return static_cast<T>(k);
}
template <class T>
RICCI_INLINE bool is_negative_zero(T x) {
    using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    return std::bit_cast<bits>(x) == bits(bits(1) << (8 * sizeof(T) - 1));
}
/// Whether there are NaN or negative zeros among n elements.
template <class T>
bool any_special(const T* x, index_t n, index_t step) {
    if constexpr (std::is_floating_point_v<T>) {
        using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        constexpr bits sign = bits(1) << (8 * sizeof(T) - 1), infinite = 2 * std::bit_cast<bits>(value_row<T>::last());
        const auto any = [=](index_t apart) RICCI_INLINE_LAMBDA {
            bits some = 0;
            for (index_t i = 0; i < n; ++i) {
                const bits b = std::bit_cast<bits>(x[i * apart]);
                some |= static_cast<bits>(b == sign) | static_cast<bits>(2 * b > infinite);
            }
            return some != 0;
        };
        return step == 1 ? any(1) : any(step);
    } else if constexpr (is_real_floating_v<T>) {
        for (index_t i = 0; i < n; ++i)
            if (x[i * step] != x[i * step] || is_negative_zero(x[i * step])) return true;
    }
    return false;
}
/// Writes a sorted line over x; NaN and the zeros of both signs, which the lanes do not tell apart, from x in their
/// order.
template <class T, class Sorted>
void store_sorted(T* x, index_t n, index_t step, bool descending, const Sorted& sorted) {
    index_t numbers = n;
    const auto store = [&] {
        if (descending)
            for (index_t i = 0; i < numbers; ++i) x[i * step] = from_lane<T>(sorted(numbers - 1 - i));
        else
            for (index_t i = 0; i < numbers; ++i) x[i * step] = from_lane<T>(sorted(i));
    };
    if constexpr (is_real_floating_v<T>) {
        if (any_special(x, n, step)) {
            std::vector<T> zeros, nans;
            for (index_t i = 0; i < n; ++i)
                if (const T v = x[i * step]; v != v) nans.push_back(v);
                else if (v == 0) zeros.push_back(v);
            numbers -= static_cast<index_t>(nans.size());
            store();
            for (index_t i = 0; const T v : nans) x[(numbers + i++) * step] = v;
            index_t first = 0;
            while (!zeros.empty() && x[first * step] != 0) ++first;
            for (const T v : zeros) x[first++ * step] = v;
            return;
        }
    }
    store();
}
/// Up to as many lines as registers have lanes: those that line(0), line(1), ... give.
template <class T, class Line>
void sort_together(const Line& line, index_t lines, index_t n, index_t step, bool descending) {
    using Row = value_row<sort_lane<T>>;
    sort_room<Row> room(n);
    Row* const rows = room.rows();
    T* at[Row::lanes];
    for (index_t w = 0; w < Row::lanes; ++w) at[w] = line(std::min(w, lines - 1));
    for (index_t k = 0; k < n; ++k)
        for (index_t w = 0; w < Row::lanes; ++w) rows[k].set(w, to_lane(at[w][k * step]));
    sort_columns(rows, n);
    for (index_t w = 0; w < lines; ++w)
        store_sorted(at[w], n, step, descending, [=](index_t k) { return rows[k].get(w); });
}
#if RICCI_HAS_REGISTER_SORT
/// A line of numbers whose lanes have a sort of their own; unless that is -1 only `place` needs what sorting puts
/// there, with nothing greater before it and nothing less behind it.
template <class T>
void sort_in_registers(T* x, index_t n, index_t step, bool descending, index_t place = -1) {
    using K = sort_lane<T>;
    const bool copied = !std::is_same_v<T, K> || step != 1;
    const bool special = (!copied || place >= 0) && any_special(x, n, step), in_place = !copied && !special;
    const std::unique_ptr<K[]> room(new K[static_cast<std::size_t>(in_place ? n : 2 * n)]);
    K* const keys = in_place ? reinterpret_cast<K*>(x) : room.get() + n;
    if (!in_place)
        for (index_t i = 0; i < n; ++i) keys[i] = to_lane(x[i * step]);
    if (std::is_sorted(keys, keys + n, [](K a, K b) { return b < a; })) std::reverse(keys, keys + n);
    else if (!std::is_sorted(keys, keys + n)) {
        const auto otherwise = [](K* from, K* other, index_t count, K* result) {
            const K* const sorted = radix_sort(from, other, count, [](K v) { return radix_key(v, false); });
            if (sorted != result) std::copy(sorted, sorted + count, result);
        };
        const int depth = 2 * std::bit_width(static_cast<std::size_t>(n));
        if (place < 0 || special) register_sort<K>().run(keys, room.get(), n, keys, depth, otherwise);
        else register_sort<K>().select(keys, room.get(), n, keys, place, depth, otherwise);
    }
    if (!in_place) store_sorted(x, n, step, descending, [=](index_t k) { return keys[k]; });
    else if (descending) std::reverse(keys, keys + n);
}
#endif
/// There are as few values as bytes have, and equal ones do not differ: long lines are sorted by counting.
template <class T>
inline constexpr bool has_few_values = std::is_integral_v<T> && sizeof(T) == 1;
/// From how many elements on that pays.
inline constexpr index_t counting_worth = 256;

/// From how long a line is sorted alone although there are others; lines side by side are read together.
template <class T>
index_t sorted_alone(index_t step) {
    if constexpr (has_register_sort<sort_lane<T>>)
        if (step == 1) return (sort_bytes == 64 ? 128 : 512) * sizeof(T);
    if constexpr (has_few_values<T>)
        if (step == 1) return 4 * counting_worth;
    if constexpr (has_radix_key<T>) return radix_worth<T>;
    else return std::numeric_limits<index_t>::max();
}
/// A line of bytes, written anew from how often each value occurs.
template <class T>
void sort_by_counts(T* x, index_t n, index_t step, bool descending) {
    constexpr int values = 256, least = std::numeric_limits<T>::min();
    index_t counts[values] = {};
    for (index_t i = 0; i < n; ++i) ++counts[static_cast<int>(x[i * step]) - least];
    index_t i = 0;
    for (int k = 0; k < values; ++k) {
        const int v = descending ? values - 1 - k : k;
        for (const index_t end = i + counts[v]; i < end; ++i) x[i * step] = static_cast<T>(v + least);
    }
}
template <class T>
void sort_values(T* x, index_t n, index_t step, bool descending) {
    if constexpr (has_few_values<T>)
        if (n >= counting_worth) return sort_by_counts(x, n, step, descending);
#if RICCI_HAS_REGISTER_SORT
    if constexpr (has_register_sort<sort_lane<T>>)
        if (n >= 2 * value_row<sort_lane<T>>::lanes) return sort_in_registers(x, n, step, descending);
#endif
    if constexpr (has_radix_key<T>)
        if (n >= radix_worth<T>) {
            const std::unique_ptr<T[]> room(new T[2 * static_cast<std::size_t>(n)]);
            for (index_t i = 0; i < n; ++i) room[i] = x[i * step];
            const T* const sorted =
                radix_sort(room.get(), room.get() + n, n, [=](T v) { return radix_key(v, descending); });
            for (index_t i = 0; i < n; ++i) x[i * step] = sorted[i];
            return;
        }
    sort_line<value_row<sort_lane<T>>>(
        n, [=](index_t i) { return to_lane(x[i * step]); },
        [=](const auto& sorted) { store_sorted(x, n, step, descending, sorted); });
}
/// Each line sorted in place; zeros of both signs, the only equal ones that differ, keep their order.
template <class T>
void sort_lines(T* x, const line_grid& g, bool descending) {
    constexpr index_t lanes = value_row<sort_lane<T>>::lanes;
    const index_t lines = g.outer * g.inner;
    const auto line = [=](index_t i) { return x + i / g.inner * g.n * g.inner + i % g.inner; };
    if (g.n < 2) return;
    if (2 * lines <= lanes || g.n >= sorted_alone<T>(g.inner))
        return for_blocks(lines, 8 * g.n, [&](index_t i) { sort_values(line(i), g.n, g.inner, descending); });
    for_blocks((lines + lanes - 1) / lanes, 8 * g.n * lanes, [&](index_t block) {
        const index_t first = block * lanes;
        sort_together<T>([=](index_t w) { return line(first + w); }, std::min(lanes, lines - first), g.n, g.inner,
                         descending);
    });
}

/// Each line in place as far as its element `place` needs it: nothing greater before what sorting puts there, and
/// nothing less behind. Lines without a sort in registers are sorted.
template <class T>
void partition_lines(T* x, const line_grid& g, [[maybe_unused]] index_t place) {
#if RICCI_HAS_REGISTER_SORT
    if constexpr (has_register_sort<sort_lane<T>>)
        if (g.n > register_block<sort_lane<T>>::most && (g.inner == 1 || g.n >= sorted_alone<T>(g.inner)))
            return for_blocks(g.outer * g.inner, 4 * g.n, [&](index_t i) {
                T* const line = x + i / g.inner * g.n * g.inner + i % g.inner;
                sort_in_registers(line, g.n, g.inner, false, place);
            });
#endif
    sort_lines(x, g, false);
}

// ---- positions -----------------------------------------------------------------------------------------------------

/// An element's key and its position in registers: both in one number where they are of 32 bits.
template <class Row>
typename Row::scalar position_item(std::uint64_t key, index_t at) {
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    if constexpr (std::is_integral_v<typename Row::scalar>)
        return static_cast<std::int64_t>((key << 32 | static_cast<std::uint32_t>(at)) ^ sign);
    else return {static_cast<std::int64_t>(key ^ sign), at};
}
inline std::int64_t position_of(std::int64_t item) { return item & 0xffffffff; }
inline std::int64_t position_of(const keyed_position<std::int64_t>& item) { return item.at; }

template <class Row, class T>
void argsort_line(const T* x, std::int64_t* y, index_t n, index_t step, index_t count, bool descending) {
    sort_line<Row>(
        n, [=](index_t i) { return position_item<Row>(order_key(x[i * step], descending), i); },
        [=](const auto& sorted) {
            for (index_t k = 0; k < count; ++k) y[k * step] = position_of(sorted(k));
        });
}
template <class Row, class X, class Y>
void argsort_together(const X& x, const Y& y, index_t lines, index_t n, index_t step, index_t count, bool descending) {
    sort_room<Row> room(n);
    Row* const rows = room.rows();
    for (index_t w = 0; w < lines; ++w) {
        const auto* const line = x(w);
        for (index_t k = 0; k < n; ++k) rows[k].set(w, position_item<Row>(order_key(line[k * step], descending), k));
    }
    sort_columns(rows, n);
    for (index_t w = 0; w < lines; ++w) {
        std::int64_t* const line = y(w);
        for (index_t k = 0; k < count; ++k) line[k * step] = position_of(rows[k].get(w));
    }
}
/// Those of a line of bytes, from how often each value occurs.
template <class T>
void argsort_by_counts(const T* x, std::int64_t* y, index_t n, index_t step, index_t count, bool descending) {
    constexpr int values = 256, least = std::numeric_limits<T>::min();
    const auto key = [=](index_t i) {
        const int v = static_cast<int>(x[i * step]) - least;
        return descending ? values - 1 - v : v;
    };
    index_t place[values + 1] = {};
    for (index_t i = 0; i < n; ++i) ++place[key(i) + 1];
    for (int v = 1; v < values; ++v) place[v] += place[v - 1];
    for (index_t i = 0; i < n; ++i)
        if (const index_t at = place[key(i)]++; at < count) y[at * step] = i;
}
/// The positions of each line's first `count` elements in sorted order, equal ones in their own; y has lines of that
/// length.
template <class T>
void argsort_lines(const T* x, std::int64_t* y, const line_grid& g, index_t count, bool descending) {
    using K = decltype(order_key(T(), descending));
    using wide = keyed_row<std::int64_t>;
    using row = std::conditional_t<sizeof(K) == 4, value_row<std::int64_t>, wide>;
    const index_t lines = g.outer * g.inner;
    const bool few = 8 * count < g.n, is_short = g.n >> 32 == 0;
    bool by_digits = false;
    if constexpr (has_radix_key<T>) by_digits = g.n >= radix_worth<T> && is_short;
    const auto from = [=](index_t i) { return x + i / g.inner * g.n * g.inner + i % g.inner; };
    const auto to = [=](index_t i) { return y + i / g.inner * count * g.inner + i % g.inner; };
    if constexpr (has_few_values<T>)
        if (!few && g.n >= counting_worth)
            return for_blocks(lines, 2 * g.n,
                              [&](index_t i) { argsort_by_counts(from(i), to(i), g.n, g.inner, count, descending); });
    if (!few && !by_digits && is_short && 2 * lines > row::lanes)
        return for_blocks((lines + row::lanes - 1) / row::lanes, 16 * g.n * row::lanes, [&](index_t block) {
            const index_t first = block * row::lanes;
            argsort_together<row>([=](index_t w) { return from(first + w); }, [=](index_t w) { return to(first + w); },
                                  std::min(row::lanes, lines - first), g.n, g.inner, count, descending);
        });
    for_blocks(lines, (few ? 2 : 16) * g.n, [&](index_t i) {
        if (few) return leading_positions(from(i), to(i), g.n, g.inner, count, descending);
        if constexpr (has_radix_key<T>)
            if (by_digits) return argsort_by_digits(from(i), to(i), g.n, g.inner, count, descending);
        if (is_short) argsort_line<row>(from(i), to(i), g.n, g.inner, count, descending);
        else argsort_line<wide>(from(i), to(i), g.n, g.inner, count, descending);
    });
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
