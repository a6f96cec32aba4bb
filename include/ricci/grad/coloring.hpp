// Colourings of sparsity patterns: which columns (or rows) of a derivative can be computed together.
#pragma once
#include "sparsity.hpp"

namespace ricci {

/// A colour for each column, row or variable, numbered from 0, and how many colours there are.
struct coloring {
    tensor<std::int64_t, 1> colors;
    index_t count = 0;
};

namespace detail {

/// The vertices 0 .. n-1, those of large degree first, equal ones in order (Welsh and Powell 1967).
inline tensor<std::int64_t, 1> largest_first(const tensor<std::int64_t, 1>& degree) {
    const index_t n = degree.size();
    const std::int64_t* const d = degree.data();
    index_t most = 0;
    for (index_t v = 0; v < n; ++v) most = d[v] > most ? d[v] : most;
    const auto starts = filled_with(most + 2, 0), order = filled_with(n, 0);
    std::int64_t* const start = starts.data();
    for (index_t v = 0; v < n; ++v) ++start[most - d[v] + 1];
    for (index_t k = 0; k <= most; ++k) start[k + 1] += start[k];
    for (index_t v = 0; v < n; ++v) order.data()[start[most - d[v]]++] = v;
    return order;
}
inline tensor<std::int64_t, 1> natural_order(index_t n) {
    const auto order = filled_with(n, 0);
    for (index_t v = 0; v < n; ++v) order.data()[v] = v;
    return order;
}

/// Gives each vertex, in this order, the least colour that `forbid(v, colors, forbidden)` leaves: it sets forbidden[c]
/// = v.
template <class Forbid>
coloring color_greedily(const tensor<std::int64_t, 1>& order, const Forbid& forbid) {
    const index_t n = order.size();
    coloring result{filled_with(n, -1), 0};
    std::int64_t* const colors = result.colors.data();
    const auto of_whom = filled_with(n + 1, -1);
    std::int64_t* const forbidden = of_whom.data();
    for (index_t k = 0; k < n; ++k) {
        const index_t v = order.data()[k];
        forbid(v, colors, forbidden);
        index_t c = 0;
        while (forbidden[c] == v) ++c;
        colors[v] = c;
        result.count = c + 1 > result.count ? c + 1 : result.count;
    }
    return result;
}

/// For p and its transpose: f(w) for each column w that shares a row with column v, v itself included, perhaps
/// repeatedly.
template <class F>
void for_conflicts(const sparsity_pattern& p, const sparsity_pattern& t, index_t v, const F& f) {
    for (index_t k = t.row_offsets().data()[v]; k < t.row_offsets().data()[v + 1]; ++k) {
        const index_t i = t.columns().data()[k];
        for (index_t l = p.row_offsets().data()[i]; l < p.row_offsets().data()[i + 1]; ++l) f(p.columns().data()[l]);
    }
}

}  // namespace detail

/// Colours such that no two columns of a colour have entries in one row (Curtis, Powell and Reid 1974; Coleman and Moré
/// 1983): a product with the sum of a colour's unit vectors gives all entries of its columns. Greedy, the columns in
/// their order and by falling number of conflicts; the better of both.
inline coloring column_coloring(const sparsity_pattern& pattern) {
    const auto t = pattern.transpose();
    const index_t n = pattern.shape()[1];
    const auto degree = detail::filled_with(n, 0), seen = detail::filled_with(n, -1);
    for (index_t v = 0; v < n; ++v)
        detail::for_conflicts(pattern, t, v, [&](index_t w) {
            degree.data()[v] += seen.data()[w] != v;
            seen.data()[w] = v;
        });
    const auto forbid = [&](index_t v, const std::int64_t* colors, std::int64_t* forbidden) {
        detail::for_conflicts(pattern, t, v, [&](index_t w) {
            if (colors[w] >= 0) forbidden[colors[w]] = v;
        });
    };
    const auto banded = detail::color_greedily(detail::natural_order(n), forbid);
    const auto sorted = detail::color_greedily(detail::largest_first(degree), forbid);
    return banded.count <= sorted.count ? banded : sorted;
}
/// The same for rows: no two of a colour have entries in one column.
inline coloring row_coloring(const sparsity_pattern& pattern) { return column_coloring(pattern.transpose()); }

/// Colours of the variables of a symmetric matrix such that neighbours differ and no path of four variables has only
/// two: a star colouring (Coleman and Moré 1984; Gebremedhin, Manne and Pothen 2005, section 4), which finds every
/// entry or its mirror image alone in a product. Greedy, by falling degree. Throws value_error when the pattern is not
/// symmetric.
inline coloring star_coloring(const sparsity_pattern& pattern) {
    if (!(pattern == pattern.transpose()))
        detail::raise<value_error>({"[star_coloring] the pattern of shape ", pattern.shape(), " is not symmetric"});
    const std::int64_t* first = pattern.row_offsets().data();
    const std::int64_t* to = pattern.columns().data();
    const index_t n = pattern.shape()[0];
    const auto degree = detail::filled_with(n, 0), neighbours = detail::filled_with(n + 1, 0);
    for (index_t v = 0; v < n; ++v) degree.data()[v] = first[v + 1] - first[v];
    std::int64_t* const times = neighbours.data();  // how many neighbours of v have a colour
    const auto forbid = [&](index_t v, const std::int64_t* colors, std::int64_t* forbidden) {
        const auto colored = [&](index_t w) { return w != v && colors[w] >= 0; };
        const auto count = [&](index_t by) {
            for (index_t k = first[v]; k < first[v + 1]; ++k)
                if (colored(to[k])) times[colors[to[k]]] += by;
        };
        count(1);
        for (index_t k = first[v]; k < first[v + 1]; ++k) {
            const index_t w = to[k];
            if (!colored(w)) continue;
            forbidden[colors[w]] = v;
            for (index_t l = first[w]; l < first[w + 1]; ++l) {
                const index_t x = to[l];
                if (x == w || !colored(x)) continue;
                // w2 - v - w - x, with w2 as w
                bool two = times[colors[w]] > 1;
                // v - w - x - y, with y as w
                for (index_t m = first[x]; m < first[x + 1] && !two; ++m)
                    two = to[m] != w && colors[to[m]] == colors[w];
                if (two) forbidden[colors[x]] = v;
            }
        }
        count(-1);
    };
    return detail::color_greedily(detail::largest_first(degree), forbid);
}

}  // namespace ricci
