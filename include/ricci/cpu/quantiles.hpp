// The elements at given places of a line's sorted order, found without sorting it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "../core/dtype.hpp"
#include "lines.hpp"
#include "../core/intrinsics.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// The lanes where `some`, one after the other, and how many they are; what follows them in a register's length is
/// overwritten.
template <class T>
RICCI_INLINE index_t pack_lanes(simd_mask<T> some, const simd<T>& x, T* to) {
#if defined(__AVX512F__)
    if constexpr (simd_mask<T>::traits::mask_is_bits) {
        if constexpr (sizeof(T) == 4) simd<T>::from_native(_mm512_maskz_compress_ps(some.raw(), x.raw())).store(to);
        else simd<T>::from_native(_mm512_maskz_compress_pd(some.raw(), x.raw())).store(to);
        return __builtin_popcount(some.raw());
    }
#endif
    if (!math::any(some)) return 0;
    bool kept[simd<T>::lanes];
    T lane[simd<T>::lanes];
    some.store(kept);
    x.store(lane);
    index_t k = 0;
    for (int i = 0; i < simd<T>::lanes; ++i) {  // a lane that is left out is overwritten by the next
        to[k] = lane[i];
        k += kept[i];
    }
    return k;
}
#endif

/// The elements of x from `first` to `last`, both kept, and NaN; `to` has room for n and may be x. Gives how many they
/// are, and in `before` how many are less than `first`.
template <class T>
index_t keep_between(const T* x, index_t n, T first, T last, T* to, index_t& before) {
    index_t i = 0, kept = 0;
    before = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using lane = simd<T>;
        constexpr index_t block = index_t(1) << 20;  // of which lanes of floats count the elements exactly
        while (i + lane::lanes <= n) {
            lane less(T(0));
            for (const index_t end = std::min(n, i + block); i + lane::lanes <= end; i += lane::lanes) {
                const lane v = lane::load(x + i);
                const auto under = v < lane(first);
                less = math::select(under, less + lane(T(1)), less);
                kept += pack_lanes(!(under | (lane(last) < v)), v, to + kept);
            }
            before += static_cast<index_t>(reduce_add(less));
        }
    }
#endif
    for (; i < n; ++i) {
        const T v = x[i];
        to[kept] = v;
        kept += !(v < first) & !(last < v);
        before += v < first;
    }
    return kept;
}
/// The elements that are numbers; `to` has room for n.
template <class T>
index_t keep_numbers(const T* x, index_t n, T* to) {
    index_t i = 0, kept = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>)
        for (; i + simd<T>::lanes <= n; i += simd<T>::lanes) {
            const auto v = simd<T>::load(x + i);
            kept += pack_lanes(v == v, v, to + kept);
        }
#endif
    for (; i < n; ++i) {
        to[kept] = x[i];
        kept += x[i] == x[i];
    }
    return kept;
}
/// Where the first element is that equals `value`, of which `skip` come before it; n if there is none. NaN equals NaN.
template <class T>
index_t find_element(const T* x, index_t n, T value, index_t skip = 0) {
    const bool nan = value != value;
    index_t i = 0;
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) {
        using lane = simd<T>;
        const auto hits = [&](index_t at) RICCI_INLINE_LAMBDA {
            const lane v = lane::load(x + at);
            return nan ? v != v : v == lane(value);
        };
        for (; i + 4 * lane::lanes <= n; i += 4 * lane::lanes) {
            if (!math::any((hits(i) | hits(i + lane::lanes)) | (hits(i + 2 * lane::lanes) | hits(i + 3 * lane::lanes))))
                continue;
            for (index_t k = i; k < i + 4 * lane::lanes; ++k)
                if ((nan ? x[k] != x[k] : x[k] == value) && skip-- == 0) return k;
        }
    }
#endif
    for (; i < n; ++i)
        if ((nan ? x[i] != x[i] : x[i] == value) && skip-- == 0) return i;
    return n;
}

/// An element and how many of its line are less.
template <class T>
struct placed_element {
    T value;
    index_t before;
};
/// What stands at `place` in sorted order, and next to it. With a NaN in the line that is both of them.
template <class T>
struct placed_pair {
    placed_element<T> low, high;
};

/// Two elements between which a sample of n, taken everywhere, expects what stands at `place`, with a chance of one in
/// 10^4 to be wrong; NaN if the sample meets one.
template <class T>
std::pair<T, T> sampled_bracket(const T* x, index_t n, index_t place) {
    constexpr index_t most = 1024;
    T sample[most];
    const index_t count = std::clamp<index_t>(n / 16, 32, most);
    bool nan = false;
    for (index_t i = 0; i < count; ++i) {  // by the golden ratio, in step with no period of the data
        const auto fraction = static_cast<double>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> 11) * 0x1p-53;
        sample[i] = x[static_cast<index_t>(fraction * static_cast<double>(n))];
        nan = nan || sample[i] != sample[i];
    }
    if (nan) return {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
    const double q = (static_cast<double>(place) + 0.5) / static_cast<double>(n), c = static_cast<double>(count);
    const double slack = (n < 4096 ? 2.5 : 4) * std::sqrt(c * q * (1 - q)) + 1;
    const double low = std::floor(q * c - slack), high = std::ceil(q * c + slack);
    std::pair<T, T> bracket(-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::infinity());
    T* rest = sample;
    if (low >= 0) {
        rest = sample + static_cast<index_t>(low);
        std::nth_element(sample, rest, sample + count);
        bracket.first = *rest;
    }
    if (high < c) {
        std::nth_element(rest, sample + static_cast<index_t>(high), sample + count);
        bracket.second = sample[static_cast<index_t>(high)];
    }
    return bracket;
}
/// The same of n elements, not NaN, by partitions in place, `before` smaller ones having been left out.
template <class T>
placed_pair<T> select_in_place(T* x, index_t n, index_t place, index_t before) {
    std::nth_element(x, x + place, x + n);
    const T low = x[place];
    index_t less = before;
    for (index_t i = 0; i < place; ++i) less += x[i] < low;
    if (place + 1 == n) return {{low, less}, {low, less}};
    const T high = *std::min_element(x + place + 1, x + n);
    return {{low, less}, {high, high == low ? less : before + place + 1}};
}
/// What stands at `place` of n elements and next to it (Floyd and Rivest, CACM 18, 1975): a bracket from a sample
/// leaves out all but a few in one pass, and so on. `room` is for n elements.
template <class T>
placed_pair<T> select_pair(const T* x, index_t n, index_t place, T* room) {
    constexpr index_t few = 128;
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    const T* from = x;
    index_t count = n, before = 0;
    while (count > few) {
        const auto [first, last] = sampled_bracket(from, count, place - before);
        if (first != first) return {{nan, 0}, {nan, 0}};
        index_t less = 0;
        const index_t kept = keep_between(from, count, first, last, room, less), at = place - before - less;
        if (from == x && find_element(room, kept, nan) < kept) return {{nan, 0}, {nan, 0}};
        if (at < 0 || at >= kept || (at + 1 == kept && place + 1 < n)) break;  // the sample was wrong
        before += less;
        if (first == last) return {{first, before}, {first, before}};
        if (4 * kept > 3 * count) return select_in_place(room, kept, at, before);
        from = room;
        count = kept;
    }
    if (from == room && count <= few) return select_in_place(room, count, place - before, before);
    if (find_element(x, n, nan) < n) return {{nan, 0}, {nan, 0}};
    std::copy(x, x + n, room);
    return select_in_place(room, n, place, 0);
}

/// Of each line the positions of two elements that are next to each other in its order, or of the first, and how far
/// from the first to the second `rule(n)` of n elements wants to be. Where a line has NaN both are the first of these;
/// with Skips they count for nothing, unless there is nothing else.
template <bool Skips, class T>
class line_order {
   public:
    explicit line_order(index_t n) : n_(n), room_(new T[static_cast<std::size_t>(Skips ? 2 * n : n)]) {}

    template <class Rule>
    double operator()(const T* x, const Rule& rule, std::int64_t (&at)[2]) {
        const T* numbers = x;
        index_t n = n_;
        if constexpr (Skips) {
            n = keep_numbers(x, n_, room_.get() + n_);
            if (n < n_) numbers = room_.get() + n_;
        }
        at[0] = at[1] = 0;
        if (n == 0) return 0;
        const auto [place, weight] = rule(n);
        const auto pair = select_pair(numbers, n, place, room_.get());
        const auto& [low, high] = pair;
        const bool nan = low.value != low.value;
        at[0] = at[1] = find_element(x, n_, low.value, nan ? 0 : place - low.before);
        if (weight == 0 || nan) return 0;
        at[1] = find_element(x, n_, high.value, place + 1 - high.before);
        return weight;
    }

   private:
    index_t n_;
    std::unique_ptr<T[]> room_;
};
/// line_order of all lines: `at` has `pair` elements for each, one or two, and `weight` one. Lines that do not lie side
/// by side are copied, as many at a time as share their cache lines.
template <bool Skips, class T, class Rule>
void order_positions(const T* x, const line_grid& g, const Rule& rule, std::int64_t* at, index_t pair, double* weight) {
    using W = compute_t<T>;
    const index_t width = std::clamp<index_t>(g.inner, 1, 64 / static_cast<index_t>(sizeof(T)));
    const index_t across = (g.inner + width - 1) / width;
    const bool copies = g.inner > 1 || !std::is_same_v<T, W>;
    for_blocks(g.outer * across, 8 * g.n * width, [&](index_t block) {
        const index_t o = block / across, first = block % across * width, lines = std::min(width, g.inner - first);
        const T* const from = x + o * g.n * g.inner + first;
        line_order<Skips, W> order(g.n);
        const std::unique_ptr<W[]> copy(copies ? new W[static_cast<std::size_t>(g.n * lines)] : nullptr);
        if (copies)
            for (index_t i = 0; i < g.n; ++i)
                for (index_t j = 0; j < lines; ++j) copy[j * g.n + i] = static_cast<W>(from[i * g.inner + j]);
        for (index_t j = 0; j < lines; ++j) {
            const W* line = copy.get() + j * g.n;
            if constexpr (std::is_same_v<T, W>)
                if (!copies) line = from;
            std::int64_t place[2];
            weight[o * g.inner + first + j] = order(line, rule, place);
            for (index_t k = 0; k < pair; ++k) at[(o * pair + k) * g.inner + first + j] = place[k];
        }
    });
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
