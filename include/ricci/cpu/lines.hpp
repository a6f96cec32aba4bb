// Work on the lines of dense arrays along an axis: scans, softmax and sorting.
#pragma once
#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <vector>

#include "../core/dtype.hpp"
#include "../core/shape.hpp"
#include "extremum_line.hpp"
#include "line_grid.hpp"
#include "line_kernels.hpp"
#include "sort_lines.hpp"

namespace ricci::detail {

// ---- scans ---------------------------------------------------------------------------------------------------------

/// f(which one of the outer sheets, the first of its lines, how many) for bands of `Width` lines that lie beside each
/// other, with so many steps for each element.
template <index_t Width, class F>
void for_bands(const line_grid& g, index_t steps, const F& f) {
    const index_t across = (g.inner + Width - 1) / Width;
    for_blocks(g.outer * across, steps * g.n * std::min(g.inner, Width), [&](index_t block) {
        const index_t first = block % across * Width;
        f(block / across, first, std::min(Width, g.inner - first));
    });
}
/// Running sums, floats in double.
struct scan_sum {
    template <class T>
    using state = std::conditional_t<std::is_same_v<compute_t<T>, float>, double, T>;
    template <class S, class T>
    static void step(S& s, T x, index_t) {
        if constexpr (std::is_integral_v<T>)
            s = static_cast<S>(static_cast<std::uint64_t>(s) + static_cast<std::uint64_t>(x));  // modulo 2^64
        else s += static_cast<S>(x);
    }
    template <class Y, class S>
    static Y result(const S& s) {
        return static_cast<Y>(s);
    }
    template <class S>
    static S start() {
        return S(0);
    }
};
struct scan_product : scan_sum {
    template <class S, class T>
    static void step(S& s, T x, index_t) {
        if constexpr (std::is_integral_v<T>)
            s = static_cast<S>(static_cast<std::uint64_t>(s) * static_cast<std::uint64_t>(x));
        else s *= static_cast<S>(x);
    }
    template <class S>
    static S start() {
        return S(1);
    }
};
/// Logarithms of running sums of exponentials, in double.
struct scan_log_sum : scan_sum {
    template <class>
    using state = double;
    template <class T>
    static void step(double& s, T x, index_t) {
        s = log_of_exponentials(s, static_cast<double>(x));
    }
    template <class S>
    static S start() {
        return -std::numeric_limits<S>::infinity();
    }
};
/// The first `lines` of the lines that lie beside each other from x on, at most Width; of few, as constants, the states
/// stay in registers.
template <class Scan, index_t Width, class T, class Y, class Lines>
RICCI_VECTORIZE void scan_beside(const T* x, Y* y, Lines lines, const line_grid& g, bool backwards) {
    using state = typename Scan::template state<T>;
    state s[Width];
    for (index_t j = 0; j < lines; ++j) s[j] = Scan::template start<state>();
    for (index_t k = 0; k < g.n; ++k) {
        const index_t i = backwards ? g.n - 1 - k : k, row = i * g.inner;
        for (index_t j = 0; j < lines; ++j) {
            Scan::step(s[j], x[row + j], i);
            y[row + j] = Scan::template result<Y>(s[j]);
        }
    }
}
/// Lines whose elements lie side by side, one behind the other, the state of one in registers. What is independent of a
/// short line's sums, the lines behind it, goes on meanwhile.
template <class Scan, bool Backwards, class T, class Y>
RICCI_VECTORIZE void scan_rows(const T* x, Y* y, index_t n, index_t lines) {
    using state = typename Scan::template state<T>;
    for (; lines > 0; --lines, x += n, y += n) {
        state s = Scan::template start<state>();
        for (index_t k = 0; k < n; ++k) {
            const index_t i = Backwards ? n - 1 - k : k;
            Scan::step(s, x[i], i);
            y[i] = Scan::template result<Y>(s);
        }
    }
}
template <class Scan, class T, class Y>
void scan_lines(const T* x, Y* y, const line_grid& g, bool backwards) {
    constexpr index_t longest = 64, some = 256;  // of a short line, and elements of several
    if constexpr (std::is_same_v<Scan, scan_sum> && std::is_same_v<T, Y> && std::is_floating_point_v<T>)
        if (g.inner == 1 && g.n > longest)
            return for_blocks(g.outer, g.n, [&](index_t i) {
                (backwards ? running_sums<true, T> : running_sums<false, T>)(x + i * g.n, y + i * g.n, g.n);
            });
    if constexpr (std::is_same_v<Scan, scan_log_sum> && std::is_floating_point_v<T>)
        if (g.inner == 1)
            return for_blocks(g.outer, 8 * g.n, [&](index_t i) { running_log_sums(x + i * g.n, y + i * g.n, g.n); });
    if (g.inner == 1) {
        const index_t together = std::max<index_t>(1, some / std::max<index_t>(1, g.n));
        return for_blocks((g.outer + together - 1) / together, together * g.n, [&](index_t block) {
            const index_t line = block * together, first = line * g.n;
            (backwards ? scan_rows<Scan, true, T, Y>
                       : scan_rows<Scan, false, T, Y>)(x + first, y + first, g.n, std::min(together, g.outer - line));
        });
    }
    constexpr index_t width = 128;
    for_bands<width>(g, 1, [&](index_t sheet, index_t first, index_t lines) {
        const index_t base = sheet * g.n * g.inner + first;
        const auto scan = [&](auto count) { scan_beside<Scan, width>(x + base, y + base, count, g, backwards); };
        if (lines == 2) scan(std::integral_constant<index_t, 2>());
        else if (lines == 3) scan(std::integral_constant<index_t, 3>());
        else if (lines == 4) scan(std::integral_constant<index_t, 4>());
        else scan(lines);
    });
}

#if defined(RICCI_HAS_SIMD)
/// of(line, its number) for lines whose elements lie side by side; of many short ones of(short_lines, the first one's
/// number), the last of which overlap those before.
template <class T, class Of>
void for_lines(const T* x, const line_grid& g, const Of& of) {
    using many = short_lines<T>;
    if (g.n > 0 && g.n <= many::longest && g.outer >= many::lanes)
        return for_blocks((g.outer + many::lanes - 1) / many::lanes, 8 * g.n * many::lanes, [&](index_t block) {
            const index_t first = std::min(block * many::lanes, g.outer - many::lanes);
            many lines(x + first * g.n, g.n);
            of(lines, first);
        });
    for_blocks(g.outer, 8 * g.n, [&](index_t i) {
        line<T> one{x + i * g.n, g.n};
        of(one, i);
    });
}
#endif

/// The first position of each line's extremum, or of a NaN; a long line alone is what threads share.
template <bool Largest, class T>
void extremum_lines(const T* x, std::int64_t* y, const line_grid& g) {
    constexpr index_t piece = 1 << 16;
    if (g.outer != 1 || g.n <= piece)
        return for_blocks(g.outer, g.n / 4, [&](index_t i) { y[i] = extremum_position<Largest>(x + i * g.n, g.n); });
    std::vector<index_t> at(static_cast<std::size_t>((g.n + piece - 1) / piece));
    for_blocks(static_cast<index_t>(at.size()), piece, [&](index_t i) {
        const index_t first = i * piece;
        at[static_cast<std::size_t>(i)] = first + extremum_position<Largest>(x + first, std::min(piece, g.n - first));
    });
    index_t best = at[0];
    for (const index_t i : at) {
        if (x[best] != x[best]) break;
        if (!keeps<Largest>(x[i], x[best])) best = i;
    }
    *y = best;
}

inline constexpr index_t extremum_band = 64;
/// Of bands that wide f(At, the sheet, the first line, how many), a constant of whole ones: positions of type At are as
/// wide as elements are, where they can be, for as many in a register.
template <class T, class F>
void for_extremum_bands(const line_grid& g, const F& f) {
    for_bands<extremum_band>(g, 1, [&](index_t sheet, index_t first, index_t count) {
        const auto call = [&]<class At>(At at) {
            if (count == extremum_band) f(at, sheet, first, std::integral_constant<index_t, extremum_band>());
            else f(at, sheet, first, count);
        };
        if (sizeof(T) <= 4 && g.n >> 31 == 0) call(std::int32_t());
        else call(std::int64_t());
    });
}

/// The same of lines that lie beside each other, `count` of the first place's `inner` ones, as many of them as
/// registers have lanes.
template <bool Largest, class At, class T, class Count>
RICCI_VECTORIZE void extremum_of_columns(const T* x, std::int64_t* y, index_t n, index_t inner, Count count) {
    T best[extremum_band];
    At at[extremum_band];
    for (index_t j = 0; j < count; ++j) best[j] = x[j], at[j] = 0;
    for (index_t k = 1; k < n; ++k) {
        const T* const row = x + k * inner;
        const At here = static_cast<At>(k);
        for (index_t j = 0; j < count; ++j) {
            const T v = row[j], old = best[j];
            const bool is_number = old == old, stays = keeps<Largest>(v, old);
            const bool better = is_number & !stays;
            best[j] = better ? v : old;
            at[j] = better ? here : at[j];
        }
    }
    for (index_t j = 0; j < count; ++j) y[j] = at[j];
}
template <bool Largest, class T>
void extremum_columns(const T* x, std::int64_t* y, const line_grid& g) {
    for_extremum_bands<T>(g, [&]<class At>(At, index_t sheet, index_t first, auto count) {
        extremum_of_columns<Largest, At>(x + sheet * g.n * g.inner + first, y + sheet * g.inner + first, g.n, g.inner,
                                         count);
    });
}

/// Whether x takes the place of the extremum so far: as PyTorch has it, the latest of equal ones does, and NaN.
template <bool Largest, class T>
RICCI_INLINE bool takes_place(const T& x, const T& extremum) {
    return (x != x) | (Largest ? x >= extremum : x <= extremum);
}
/// Whether any of the elements in a register does.
template <bool Largest, class T>
RICCI_INLINE bool any_takes_place(const T* x, index_t n, T extremum) {
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        const auto v = simd<T>::load(x);
        const simd<T> old(extremum);
        return math::any((v != v) | (Largest ? old <= v : v <= old));
    }
#endif
    bool any = false;
    for (index_t i = 0; i < n; ++i) any = any | takes_place<Largest>(x[i], extremum);
    return any;
}
/// The extremum up to each element of a line and its position. Most elements are no news: registers of such are seen at
/// once.
template <bool Largest, class T>
RICCI_VECTORIZE void running_extremum(const T* x, T* y, std::int64_t* at, index_t n) {
    constexpr index_t block = [] {
        if constexpr (simd_supported<T>) return index_t(simd<T>::lanes);
        else return index_t(16);
    }();
    T extremum = n > 0 ? x[0] : T();
    index_t place = 0;
    for (index_t i = 0; i < n;) {
        if (i + block <= n && !any_takes_place<Largest>(x + i, block, extremum)) {
            if (y) std::fill(y + i, y + i + block, extremum);
            std::fill(at + i, at + i + block, place);
            i += block;
            continue;
        }
        for (const index_t end = std::min(n, i + block); i < end; ++i) {
            if (takes_place<Largest>(x[i], extremum)) [[unlikely]] {  // no selection, for which the next one would wait
                extremum = x[i];
                place = i;
            }
            if (y) y[i] = extremum;
            at[i] = place;
        }
    }
}
/// The same of lines that lie beside each other, `count` of the first place's `inner` ones.
template <bool Largest, class At, class T, class Count>
RICCI_VECTORIZE void running_extremum_of_columns(const T* x, T* y, std::int64_t* at, index_t n, index_t inner,
                                                 Count count) {
    T extremum[extremum_band];
    At place[extremum_band];
    for (index_t j = 0; j < count; ++j) extremum[j] = x[j], place[j] = 0;
    for (index_t k = 0; k < n; ++k, x += inner, at += inner) {
        for (index_t j = 0; j < count; ++j) {
            const bool takes = takes_place<Largest>(x[j], extremum[j]);
            extremum[j] = takes ? x[j] : extremum[j];
            place[j] = takes ? static_cast<At>(k) : place[j];
            at[j] = place[j];
        }
        if (!y) continue;
        for (index_t j = 0; j < count; ++j) y[j] = extremum[j];
        y += inner;
    }
}
/// The extremum up to each element along an axis, to y if it is not null, and its position.
template <bool Largest, class T>
void running_extrema(const T* x, T* y, std::int64_t* at, const line_grid& g) {
    if (g.inner == 1)
        return for_blocks(g.outer, g.n, [&](index_t i) {
            running_extremum<Largest>(x + i * g.n, y ? y + i * g.n : y, at + i * g.n, g.n);
        });
    if (g.n == 0) return;
    for_extremum_bands<T>(g, [&]<class At>(At, index_t sheet, index_t first, auto count) {
        const index_t from = sheet * g.n * g.inner + first;
        running_extremum_of_columns<Largest, At>(x + from, y ? y + from : y, at + from, g.n, g.inner, count);
    });
}

// ---- counting ------------------------------------------------------------------------------------------------------

/// Adds how often each of the numbers 0 ... bins - 1 occurs. Equal numbers near each other wait for each other's
/// counts: many go to four tables in turn.
template <class T>
void count_numbers(const T* x, index_t n, std::int64_t* counts, index_t bins) {
    index_t i = 0;
    if (n >= 4 * bins && bins > 0) {
        std::vector<std::int64_t> tables(static_cast<std::size_t>(3 * bins));
        std::int64_t *const second = tables.data(), *const third = second + bins, *const fourth = third + bins;
        for (; i + 4 <= n; i += 4) {
            ++counts[x[i]];
            ++second[x[i + 1]];
            ++third[x[i + 2]];
            ++fourth[x[i + 3]];
        }
        for (index_t b = 0; b < bins; ++b) counts[b] += second[b] + third[b] + fourth[b];
    }
    for (; i < n; ++i) ++counts[x[i]];
}

// ---- searching ----------------------------------------------------------------------------------------------------

/// Whether a search goes on behind `element`.
template <bool Behind, class T>
RICCI_HD RICCI_INLINE bool stands_behind(const T& element, const T& value) {
    if constexpr (!std::is_floating_point_v<T>)
        return Behind ? !sorts_before(value, element, false) : sorts_before(element, value, false);
    else if constexpr (Behind) return (element <= value) | (value != value);
    else return (element < value) | ((value != value) & (element == element));
}
/// Where each value would stand in a sorted list: before equal ones, or behind them. All take the same number of steps,
/// without branches, so that many searches go on at a time.
template <bool Behind, int Together, class T>
RICCI_INLINE void search_together(const T* sorted, index_t n, const T* values, std::int64_t* at) {
    for (index_t w = 0; w < Together; ++w) at[w] = 0;
    if (n == 0) return;
    for (index_t left = n, half; left > 1; left -= half) {
        half = left / 2;
        const T* const middle = sorted + (half - 1);
        for (index_t w = 0; w < Together; ++w)
            at[w] += half & -std::int64_t(stands_behind<Behind>(middle[at[w]], values[w]));
    }
    for (index_t w = 0; w < Together; ++w) at[w] += stands_behind<Behind>(sorted[at[w]], values[w]);
}
template <class T, bool Behind>
void search_sorted(const T* sorted, index_t n, const T* values, std::int64_t* y, index_t count) {
    constexpr int together = 32;
    for_blocks((count + together - 1) / together, 64 * together, [&](index_t block) {
        const index_t first = block * together, m = std::min<index_t>(together, count - first);
        T value[together];
        std::int64_t at[together];
        for (index_t w = 0; w < together; ++w) value[w] = values[first + std::min(w, m - 1)];
        bool ascending = true;  // then all stand between the first and the last, mostly few elements apart
        for (index_t w = 1; w < together; ++w) ascending &= value[w - 1] <= value[w];
        index_t begin = 0, end = n;
        if (ascending) {
            const T ends[2] = {value[0], value[together - 1]};
            search_together<Behind, 2>(sorted, n, ends, at);
            begin = at[0], end = at[1];
        }
        search_together<Behind, together>(sorted + begin, end - begin, value, at);
        for (index_t w = 0; w < m; ++w) y[first + w] = begin + at[w];
    });
}
template <class T>
void search_sorted(const T* sorted, index_t n, const T* values, std::int64_t* y, index_t count, bool behind) {
    if (behind) search_sorted<T, true>(sorted, n, values, y, count);
    else search_sorted<T, false>(sorted, n, values, y, count);
}

// ---- shuffling -----------------------------------------------------------------------------------------------------

/// 0, 1, ... in order but for what was written since, to `most` elements or fewer: in a table that is half empty or
/// more.
template <class I>
class sparse_identity {
   public:
    explicit sparse_identity(index_t most)
        : bits_(std::bit_width(static_cast<std::uint64_t>(most))), table_(std::size_t(2) << bits_, {I(-1), I(-1)}) {}
    I& operator[](I i) {
        auto k = static_cast<std::size_t>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> (63 - bits_));
        while (table_[k].at != i && table_[k].at != I(-1)) k = (k + 1) & (table_.size() - 1);
        if (table_[k].at != i) table_[k] = {i, i};
        return table_[k].value;
    }

   private:
    struct entry {
        I at, value;
    };
    int bits_;
    std::vector<entry> table_;
};
/// The first k of 0 ... n - 1 after element i was exchanged with element swaps[i] >= i, for i = 0 ... k - 1 (Fisher
/// and Yates).
template <class Order, class I>
void exchange(Order& order, const I* swaps, I* y, index_t k) {
    for (index_t i = 0; i < k; ++i) {
        const I here = order[i];
        auto& other = order[swaps[i]];
        y[i] = other;
        other = here;
    }
}
template <class I>
void shuffle_lines(const I* swaps, I* y, index_t lines, index_t k, index_t n) {
    const bool few = k < n / 64;
    for_blocks(lines, few ? 16 * k : n + k, [&](index_t line) {
        if (few) {
            sparse_identity<I> order(2 * k);
            exchange(order, swaps + line * k, y + line * k, k);
        } else {
            std::vector<I> order(static_cast<std::size_t>(n));
            std::iota(order.begin(), order.end(), I(0));
            auto* const places = order.data();
            exchange(places, swaps + line * k, y + line * k, k);
        }
    });
}

}  // namespace ricci::detail
