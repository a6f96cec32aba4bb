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
inline std::vector<index_t> largest_first(const std::vector<index_t>& degree) {
    index_t most = 0;
    for (const index_t d : degree) most = d > most ? d : most;
    std::vector<index_t> start(static_cast<std::size_t>(most + 2)), order(degree.size());
    for (const index_t d : degree) ++start[static_cast<std::size_t>(most - d + 1)];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (std::size_t v = 0; v < degree.size(); ++v)
        order[static_cast<std::size_t>(start[static_cast<std::size_t>(most - degree[v])]++)] = static_cast<index_t>(v);
    return order;
}
inline std::vector<index_t> natural_order(index_t n) {
    std::vector<index_t> order;
    for (index_t v = 0; v < n; ++v) order.push_back(v);
    return order;
}

/// Gives each vertex, in this order, the least colour that `forbid(v, colors, forbidden)` leaves: it sets forbidden[c]
/// = v.
template <class Forbid>
coloring color_greedily(const std::vector<index_t>& order, const Forbid& forbid) {
    const auto n = static_cast<index_t>(order.size());
    coloring result{tensor<std::int64_t, 1>::uninitialized({n}), 0};
    std::int64_t* colors = result.colors.data();
    std::fill_n(colors, n, -1);
    std::vector<index_t> forbidden(order.size() + 1, -1);
    for (const index_t v : order) {
        forbid(v, colors, forbidden.data());
        index_t c = 0;
        while (forbidden[static_cast<std::size_t>(c)] == v) ++c;
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
    std::vector<index_t> degree(static_cast<std::size_t>(n)), seen(static_cast<std::size_t>(n), -1);
    for (index_t v = 0; v < n; ++v)
        detail::for_conflicts(pattern, t, v, [&](index_t w) {
            degree[static_cast<std::size_t>(v)] += seen[static_cast<std::size_t>(w)] != v;
            seen[static_cast<std::size_t>(w)] = v;
        });
    const auto forbid = [&](index_t v, const std::int64_t* colors, index_t* forbidden) {
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
    std::vector<index_t> degree;
    for (index_t v = 0; v < n; ++v) degree.push_back(first[v + 1] - first[v]);
    std::vector<index_t> times(static_cast<std::size_t>(n + 1));  // how many neighbours of v have a colour
    const auto forbid = [&](index_t v, const std::int64_t* colors, index_t* forbidden) {
        const auto colored = [&](index_t w) { return w != v && colors[w] >= 0; };
        const auto count = [&](index_t by) {
            for (index_t k = first[v]; k < first[v + 1]; ++k)
                if (colored(to[k])) times[static_cast<std::size_t>(colors[to[k]])] += by;
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
                bool two = times[static_cast<std::size_t>(colors[w])] > 1;
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
