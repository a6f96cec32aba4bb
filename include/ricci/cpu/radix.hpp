// Sorting by digits: numbers of four and eight bytes as unsigned keys, stable.
#pragma once
#include <bit>
#include <memory>
#include <type_traits>
#include <utility>

#include "../core/config.hpp"

namespace ricci::detail {

template <class T>
inline constexpr bool has_radix_key =
    (std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>) &&
    (sizeof(T) == 4 || sizeof(T) == 8);
/// From how many elements on it pays to sort by digits.
template <class T>
inline constexpr index_t radix_worth = 512 * sizeof(T);

/// An unsigned number in whose order `x` sorts: zeros of both signs are equal, NaN is behind all, whichever way.
template <class T>
RICCI_HD RICCI_INLINE auto radix_key(T x, bool descending) {
    using K = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr K sign = K(1) << (8 * sizeof(K) - 1);
    K key;
    if constexpr (std::is_floating_point_v<T>) {
        key = std::bit_cast<K>(x + T(0));  // -0 + 0 is 0
        key = key & sign ? ~key : key | sign;
    } else {
        key = static_cast<K>(x) ^ (std::is_signed_v<T> ? sign : K(0));
    }
    if (descending) key = ~key;
    if constexpr (std::is_floating_point_v<T>)
        if (x != x) key = ~K(0);
    return key;
}

/// Sorts n items by key(item), digit by digit from the lowest, between two buffers; the one that holds the result.
template <class Item, class Key>
Item* radix_sort(Item* from, Item* to, index_t n, const Key& key) {
    using K = decltype(key(*from));
    constexpr int bits = 11, digits = (static_cast<int>(8 * sizeof(K)) + bits - 1) / bits, values = 1 << bits;
    std::size_t counts[digits][values] = {};
    K before = 0;
    bool sorted = true;
    for (index_t i = 0; i < n; ++i) {
        const K k = key(from[i]);
        sorted = sorted && before <= k;
        before = k;
        for (int d = 0; d < digits; ++d) ++counts[d][k >> (bits * d) & (values - 1)];
    }
    if (sorted) return from;
    for (int d = 0; d < digits; ++d) {
        std::size_t place[values], sum = 0;
        bool one_value = false;
        for (int v = 0; v < values; ++v) {
            place[v] = sum;
            sum += counts[d][v];
            one_value = one_value || counts[d][v] == static_cast<std::size_t>(n);
        }
        if (one_value) continue;
        for (index_t i = 0; i < n; ++i) {
            const Item item = from[i];
            to[place[key(item) >> (bits * d) & (values - 1)]++] = item;
        }
        std::swap(from, to);
    }
    return from;
}

}  // namespace ricci::detail
