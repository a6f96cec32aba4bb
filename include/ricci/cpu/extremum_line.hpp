// The first position of the largest or smallest element of a line, of a NaN if there is one.
#pragma once
#include <cstring>

#include "lanes.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether x is neither beyond the best so far nor NaN.
template <bool Largest, class X>
RICCI_INLINE auto keeps(const X& x, const X& best) {
    if constexpr (Largest) return x <= best;
    else return x >= best;
}
#if defined(RICCI_HAS_SIMD)
/// Of one register to a few, without branches: which of them has it is as likely as not.
template <bool Largest, class T>
RICCI_VECTORIZE index_t extremum_of_few(const T* x, index_t n) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    alignas(64) static constexpr auto lane_numbers = [] {
        std::array<T, lanes> a{};
        for (int i = 0; i < lanes; ++i) a[static_cast<std::size_t>(i)] = static_cast<T>(i);
        return a;
    }();
    const index_t last = n - lanes;
    lane best = lane::load(x + last);
    for (index_t i = 0; i < last; i += lanes) {
        if constexpr (Largest) best = math::maximum(best, lane::load(x + i));
        else best = math::minimum(best, lane::load(x + i));
    }
    best = lane(Largest ? reduce_max(best) : reduce_min(best));
    const lane numbers = lane::load(lane_numbers.data()), none(static_cast<T>(n));
    lane at = none;
    const auto see = [&](index_t i) RICCI_INLINE_LAMBDA {
        const lane v = lane::load(x + i);
        at = math::minimum(at, math::select((v == best) | (v != v), numbers + lane(static_cast<T>(i)), none));
    };
    for (index_t i = 0; i < last; i += lanes) see(i);
    see(last);
    return static_cast<index_t>(reduce_min(at));
}
/// Of at least one register. Most registers are compared with the best so far and nothing else is done to them; the
/// block that had the last better one has the position.
template <bool Largest, class T>
RICCI_VECTORIZE index_t extremum_by_registers(const T* x, index_t n) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes, together = 4;
    lane best(Largest ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity());
    index_t at = 0;
    const auto join = [](const lane& a, const lane& b) RICCI_INLINE_LAMBDA {
        if constexpr (Largest) return math::maximum(a, b);
        else return math::minimum(a, b);
    };
    const auto is_last = [&]<int... R>(index_t i, std::integer_sequence<int, R...>) RICCI_INLINE_LAMBDA {
        const lane v[] = {lane::load(x + i + R * lanes)...};  // a NaN ends the search
        if (math::all((keeps<Largest>(v[R], best) & ...))) [[likely]]
            return false;
        lane joined = v[0];
        ((joined = join(joined, v[R])), ...);
        const T found = Largest ? reduce_max(joined) : reduce_min(joined);
        best = lane(found);
        at = i;
        return found != found;
    };
    const auto search = [&]() RICCI_INLINE_LAMBDA {
        index_t i = 0;
        for (; i + together * lanes <= n; i += together * lanes)
            if (is_last(i, std::make_integer_sequence<int, together>{})) return;
        for (; i + lanes <= n; i += lanes)
            if (is_last(i, std::integer_sequence<int, 0>{})) return;
        if (i < n) is_last(n - lanes, std::integer_sequence<int, 0>{});
    };
    search();
    const T value = best[0];
    const auto is_here = [&](const lane& v) RICCI_INLINE_LAMBDA { return (v == best) | (v != v); };
    while (at + lanes <= n && !math::any(is_here(lane::load(x + at)))) at += lanes;
    while (!(x[at] == value || x[at] != x[at])) ++at;
    return at;
}
#endif
/// Of integers: blocks are compared with the best so far, and the one that had the last better one has the position.
/// Nothing comes after the best of all numbers, which short ones often have.
template <bool Largest, class T>
RICCI_VECTORIZE index_t extremum_of_integers(const T* x, index_t n) {
    constexpr T limit = Largest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
    const auto better = [](const T& a, const T& b) RICCI_INLINE_LAMBDA { return keeps<Largest>(a, b) ? b : a; };
    index_t at = 0, i = 0;
    T best = x[0];
    // loops of known length become registers; of bytes many at a time, since it takes long to find the best in a
    // register
    if constexpr (sizeof(T) == 1) {
        constexpr index_t side = 128, block = 16 * side;
        for (; i + block <= n && best != limit; i += block) {
            T top[side];
            for (index_t k = 0; k < side; ++k) top[k] = x[i + k];
            for (index_t b = side; b < block; b += side)
                for (index_t k = 0; k < side; ++k) top[k] = better(top[k], x[i + b + k]);
            T found = top[0];
            for (index_t k = 1; k < side; ++k) found = better(found, top[k]);
            if (keeps<Largest>(found, best)) continue;
            best = found;
            at = i;
        }
    }
    constexpr index_t block = 64;
    for (; i + block <= n && best != limit; i += block) {
        T top = x[i];
        for (index_t k = 1; k < block; ++k) top = better(top, x[i + k]);
        if (keeps<Largest>(top, best)) continue;
        best = top;
        at = i;
    }
    for (; i < n && best != limit; ++i)
        if (!keeps<Largest>(x[i], best)) {
            best = x[i];
            at = i;
        }
    if constexpr (sizeof(T) == 1)
        return static_cast<const T*>(
                   std::memchr(x + at, static_cast<unsigned char>(best), static_cast<std::size_t>(n - at))) -
               x;
    while (x[at] != best) ++at;
    return at;
}
template <bool Largest, class T>
RICCI_VECTORIZE index_t extremum_position(const T* x, index_t n) {
    if constexpr (std::is_same_v<T, bool>) {  // the first one that holds, or does not; of none the first of all
        const void* const found = std::memchr(x, Largest ? 1 : 0, static_cast<std::size_t>(n));
        return found ? static_cast<const T*>(found) - x : 0;
    } else if constexpr (std::is_integral_v<T>) {
        return extremum_of_integers<Largest>(x, n);
    }
#if defined(RICCI_HAS_SIMD)
    if constexpr (lanes_supported<T>())
        if (n >= simd<T>::lanes)
            return n <= 8 * simd<T>::lanes ? extremum_of_few<Largest>(x, n) : extremum_by_registers<Largest>(x, n);
#endif
    index_t at = 0;
    T best = x[0];
    for (index_t i = 1; i < n && best == best; ++i)
        if (!keeps<Largest>(x[i], best)) {
            best = x[i];
            at = i;
        }
    return at;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
