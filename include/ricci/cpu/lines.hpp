// Work on the lines of dense arrays along an axis: scans, softmax and sorting.
#pragma once
#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include "../core/dtype.hpp"
#include "../core/shape.hpp"
#include "line_kernels.hpp"
#include "radix.hpp"
#include "thread_pool.hpp"

namespace ricci::detail {

/// A dense array as outer x n x inner elements, its lines along the middle axis.
struct line_grid {
    index_t outer = 1, n = 1, inner = 1;
    template <int R>
    line_grid(const shape<R>& extents, int axis) : n(extents[axis]) {
        for (int d = 0; d < axis; ++d) outer *= extents[d];
        for (int d = axis + 1; d < R; ++d) inner *= extents[d];
    }
    index_t size() const { return outer * n * inner; }
};
/// body(block) for blocks 0 ... count - 1, each of about `work` steps; on several threads where that pays.
template <class Body>
void for_blocks(index_t count, index_t work, const Body& body) {
    constexpr index_t worth = 1 << 15;
    const index_t together = work >= worth ? 1 : worth / (work > 0 ? work : 1) + 1;
    struct context {
        const Body& body;
        index_t count, together;
    } c{body, count, together};
    const index_t chunks = (count + together - 1) / together;
    const auto run = [](void* p, index_t chunk) {
        const context& k = *static_cast<const context*>(p);
        const index_t first = chunk * k.together, end = std::min(first + k.together, k.count);
        for (index_t i = first; i < end; ++i) k.body(i);
    };
    if (chunks == 1) run(&c, 0);
    else if (chunks > 1) parallel_for(chunks, run, &c);
}

// ---- scans ---------------------------------------------------------------------------------------------------------

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
/// The position of the extremum so far: the latest of equal ones, and of NaN, as PyTorch has it.
template <bool Largest>
struct scan_extremum {
    template <class T>
    struct state {
        T value;
        index_t at;
    };
    template <class S, class T>
    static void step(S& s, T x, index_t i) {
        const bool takes = s.at < 0 || x != x || (s.value == s.value && (Largest ? x >= s.value : x <= s.value));
        if (takes) s = {x, i};
    }
    template <class Y, class S>
    static Y result(const S& s) {
        return static_cast<Y>(s.at);
    }
    template <class S>
    static S start() {
        return {{}, -1};
    }
};

template <class Scan, class T, class Y>
void scan_lines(const T* x, Y* y, const line_grid& g, bool backwards) {
    if constexpr (std::is_same_v<Scan, scan_sum> && std::is_same_v<T, Y> && std::is_floating_point_v<T>)
        if (g.inner == 1)
            return for_blocks(g.outer, g.n, [&](index_t i) {
                (backwards ? running_sums<true, T> : running_sums<false, T>)(x + i * g.n, y + i * g.n, g.n);
            });
    using state = typename Scan::template state<T>;
    if (g.inner == 1)  // the state of one line in registers
        return for_blocks(g.outer, g.n, [&](index_t line) {
            const index_t first = line * g.n;
            state s = Scan::template start<state>();
            for (index_t k = 0; k < g.n; ++k) {
                const index_t i = backwards ? g.n - 1 - k : k;
                Scan::step(s, x[first + i], i);
                y[first + i] = Scan::template result<Y>(s);
            }
        });
    constexpr index_t width = 128;  // lines side by side
    const index_t across = (g.inner + width - 1) / width;
    for_blocks(g.outer * across, g.n * std::min(g.inner, width), [&](index_t block) {
        const index_t first = block % across * width, lines = std::min(width, g.inner - first);
        const index_t base = block / across * g.n * g.inner + first;
        state s[width];
        for (index_t j = 0; j < lines; ++j) s[j] = Scan::template start<state>();
        for (index_t k = 0; k < g.n; ++k) {
            const index_t i = backwards ? g.n - 1 - k : k, row = base + i * g.inner;
            for (index_t j = 0; j < lines; ++j) {
                Scan::step(s[j], x[row + j], i);
                y[row + j] = Scan::template result<Y>(s[j]);
            }
        }
    });
}

#if defined(RICCI_HAS_SIMD)
/// of(line, its number) for lines whose elements lie side by side.
template <class T, class Of>
void for_lines(const T* x, const line_grid& g, const Of& of) {
    for_blocks(g.outer, 8 * g.n, [&](index_t i) { of(line<T>{x + i * g.n, g.n}, i); });
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

// ---- sorting -------------------------------------------------------------------------------------------------------

/// Whether a comes before b: NaN last, whichever way.
template <class T>
bool sorts_before(const T& a, const T& b, bool descending) {
    if constexpr (is_real_floating_v<T>) {
        if (a != a) return false;
        if (b != b) return true;
    }
    return descending ? b < a : a < b;
}

/// The elements of a line as unsigned keys, in whose order they sort, with their positions, in which equal ones stay. Both in
/// one number where they are of 32 bits.
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
auto order_key(const T& x, bool descending) {
    if constexpr (has_radix_key<T>) return radix_key(x, descending);
    else return radix_key(static_cast<std::conditional_t<is_real_floating_v<T>, float, std::int32_t>>(x), descending);
}

/// The first `count` of n elements. Candidates gather until they are twice as many, and the rest leave; from then on most elements
/// do not come before the last of these, and are passed by.
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
/// All n elements.
template <class Item, class T>
void sorted_items(std::vector<Item>& items, const T* x, index_t n, index_t step, bool descending) {
    items.reserve(static_cast<std::size_t>(n));
    for (index_t k = 0; k < n; ++k) items.push_back(Item(order_key(x[k * step], descending), k));
    std::sort(items.begin(), items.end());
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
/// The positions of a line's first `count` elements.
template <class Item, class T>
void argsort_line(const T* x, std::int64_t* y, index_t n, index_t step, index_t count, bool descending) {
    std::vector<Item> items;
    if (8 * count < n) leading_items(items, x, n, step, count, descending);
    else sorted_items(items, x, n, step, descending);
    for (index_t k = 0; k < count; ++k) y[k * step] = items[static_cast<std::size_t>(k)].at();
}
/// The positions of each line's first `count` elements in sorted order, equal ones in their own; y has lines of that
/// length.
template <class T>
void argsort_lines(const T* x, std::int64_t* y, const line_grid& g, index_t count, bool descending) {
    using K = decltype(order_key(T(), descending));
    const bool few = 8 * count < g.n, is_short = g.n >> 32 == 0;
    for_blocks(g.outer * g.inner, (few ? 2 : 16) * g.n, [&](index_t i) {
        const T* const line = x + i / g.inner * g.n * g.inner + i % g.inner;
        std::int64_t* const to = y + i / g.inner * count * g.inner + i % g.inner;
        if constexpr (has_radix_key<T>)
            if (g.n >= radix_worth<T> && !few && is_short)
                return argsort_by_digits(line, to, g.n, g.inner, count, descending);
        if constexpr (sizeof(K) == 4)
            if (is_short) return argsort_line<short_order_item>(line, to, g.n, g.inner, count, descending);
        argsort_line<order_item<K>>(line, to, g.n, g.inner, count, descending);
    });
}
/// The values in order; zeros of both signs, the only equal ones that differ, keep theirs.
template <class T>
void sort_values(T* first, T* last, bool descending) {
    if constexpr (has_radix_key<T>)
        if (last - first >= radix_worth<T>) {
            const std::unique_ptr<T[]> other(new T[static_cast<std::size_t>(last - first)]);
            const T* const sorted =
                radix_sort(first, other.get(), last - first, [=](T x) { return radix_key(x, descending); });
            if (sorted != first) std::copy(sorted, sorted + (last - first), first);
            return;
        }
    const auto before = [=](const T& a, const T& b) { return sorts_before(a, b, descending); };
    std::vector<T> zeros;
    if constexpr (is_real_floating_v<T>)
        std::copy_if(first, last, std::back_inserter(zeros), [](T x) { return x == 0; });
    std::sort(first, last, before);
    if (!zeros.empty()) std::copy(zeros.begin(), zeros.end(), std::lower_bound(first, last, T(0), before));
}
/// Each line sorted in place.
template <class T>
void sort_lines(T* x, const line_grid& g, bool descending) {
    for_blocks(g.outer * g.inner, 8 * g.n, [&](index_t line) {
        T* const first = x + line / g.inner * g.n * g.inner + line % g.inner;
        if (g.inner == 1) {
            sort_values(first, first + g.n, descending);
            return;
        }
        using V = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;  // std::vector packs bools
        std::vector<V> values(static_cast<std::size_t>(g.n));
        for (index_t i = 0; i < g.n; ++i) values[static_cast<std::size_t>(i)] = first[i * g.inner];
        sort_values(values.data(), values.data() + g.n, descending);
        for (index_t i = 0; i < g.n; ++i) first[i * g.inner] = values[static_cast<std::size_t>(i)];
    });
}
/// Whether a search goes on behind `element`.
template <bool Behind, class T>
RICCI_INLINE bool stands_behind(const T& element, const T& value) {
    if constexpr (!std::is_floating_point_v<T>)
        return Behind ? !sorts_before(value, element, false) : sorts_before(element, value, false);
    else if constexpr (Behind) return (element <= value) | (value != value);
    else return (element < value) | ((value != value) & (element == element));
}
/// Where each value would stand in a sorted list: before equal ones, or behind them. All take the same number of steps, without
/// branches, so that many searches go on at a time.
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

/// 0, 1, ... in order but for the elements that were written since.
class sparse_identity {
   public:
    std::int64_t& operator[](std::int64_t i) {
        const auto at =
            std::lower_bound(moved_.begin(), moved_.end(), i, [](const entry& e, std::int64_t k) { return e.at < k; });
        if (at != moved_.end() && at->at == i) return at->value;
        return moved_.insert(at, {i, i})->value;
    }

   private:
    struct entry {
        std::int64_t at, value;
    };
    std::vector<entry> moved_;
};
/// The first k of 0 ... n - 1 after element i was exchanged with element swaps[i] >= i, for i = 0 ... k - 1 (Fisher
/// and Yates).
template <class Order>
void exchange(Order& order, const std::int64_t* swaps, std::int64_t* y, index_t k) {
    for (index_t i = 0; i < k; ++i) {
        const std::int64_t here = order[i];
        auto& other = order[swaps[i]];
        y[i] = other;
        other = here;
    }
}
inline void shuffle_lines(const std::int64_t* swaps, std::int64_t* y, index_t lines, index_t k, index_t n) {
    const bool few = k <= 1024 && 64 * k < n;
    for_blocks(lines, few ? 64 * k : n + k, [&](index_t line) {
        if (few) {
            sparse_identity order;
            exchange(order, swaps + line * k, y + line * k, k);
        } else {
            std::vector<std::int64_t> order(static_cast<std::size_t>(n));
            std::iota(order.begin(), order.end(), std::int64_t(0));
            auto* const places = order.data();
            exchange(places, swaps + line * k, y + line * k, k);
        }
    });
}

}  // namespace ricci::detail
