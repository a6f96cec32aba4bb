// How many elements, or how much weight, lie in intervals: histogram, histogram_bin_edges, histogram2d, histogramdd.
#pragma once
#include <array>
#include <limits>
#include <tuple>

#include "create.hpp"
#include "elementwise/where.hpp"
#include "grid.hpp"
#include "index.hpp"
#include "named.hpp"
#include "search.hpp"
#include "sets.hpp"
#include "stop_gradient.hpp"

namespace ricci {

/// What histogram and histogramdd give: the counts, or sums of weights, and the edges (an array, or a std::array of
/// them).
template <class Counts, class Edges>
struct histogram_result {
    using ricci_named = void;
    Counts counts;
    Edges edges;
    friend auto members(const histogram_result& y) { return std::tie(y.counts, y.edges); }
    operator std::tuple<Counts&, Edges&>() { return {counts, edges}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// What histogram2d gives.
template <class Counts, class Edges>
struct histogram2d_result {
    using ricci_named = void;
    Counts counts;
    Edges x_edges, y_edges;
    friend auto members(const histogram2d_result& y) { return std::tie(y.counts, y.x_edges, y.y_edges); }
    operator std::tuple<Counts&, Edges&, Edges&>() { return {counts, x_edges, y_edges}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};

namespace detail {

template <class Counts, class Edges>
auto counted(const Counts& counts, const Edges& edges) {
    return histogram_result<Counts, Edges>{counts, edges};
}
template <class Counts, class Edges>
auto counted_in_grid(const histogram_result<Counts, std::array<Edges, 2>>& y) {
    return histogram2d_result<Counts, Edges>{y.counts, y.edges[0], y.edges[1]};
}

/// f of an array's elements, each by itself, a stretch at a time: what f makes on the way stays in the cache.
template <class X, class F>
auto by_stretches(const X& x, const F& f) {
    using Y = std::remove_cvref_t<decltype(evaluate(f(x)))>;
    constexpr index_t stretch = index_t(1) << 14;
    if constexpr (std::is_void_v<typename X::wrapper> && std::is_same_v<device_t<X>, cpu_device>) {
        if (x.size() > 2 * stretch) {
            const auto y = Y::uninitialized(x.shape());
            for (index_t from = 0; from < x.size(); from += stretch) {
                const auto some = slice(from, from + stretch);
                write(index(y, some), f(index(x, some)));
            }
            return y;
        }
    }
    return Y(evaluate(f(x)));
}
/// Which of some bins of equal width each element lies in, one past the last where in none, and the edges.
template <class E>
auto bins_of(const char* who, const E& x, index_t bins, double low, double high) {
    if (bins < 1 || bins > std::numeric_limits<index_t>::max() / 16)
        raise<value_error>(
            {"[", who, "] the bins must be at least one, and no more than memory holds edges of: ", bins});
    if (!(low < high) || !(high - low <= std::numeric_limits<double>::max()))
        raise<value_error>({"[", who, "] the range must be finite and not empty: ", low, " to ", high});
    const auto values = evaluate(stop_gradient(x));
    const auto edges = linspace(low, high, bins + 1).to(device_t<decltype(values)>{});
    if (!all(index(edges, slice(1, none)) > index(edges, slice(none, -1))).item())
        raise<value_error>(
            {"[", who, "] there are not as many numbers in the range as would be edges: ", bins, " bins"});
    // rounding may take the quotient into the bin before or behind the one whose edges hold the element; of a range so
    // small that no number is its reciprocal, both are scaled
    const double scale = high - low < 0x1p-900 ? 0x1p200 : 1;
    const double per_unit = static_cast<double>(bins) / ((high - low) * scale);
    const auto place = by_stretches(values, [&](const auto& some) {
        const auto flat = evaluate_as<double>(some);
        const auto inside = flat >= low && flat <= high;
        const auto quotient = (flat - low) * scale * per_unit;
        const auto guess = evaluate(minimum(astype<std::int64_t>(where(inside, quotient, 0.0)), bins - 1));
        const auto below = take(edges, guess, 0), above = take(edges, evaluate(guess + 1), 0);
        return where(
            inside,
            guess - astype<std::int64_t>(flat < below) + astype<std::int64_t>(flat >= above && guess < bins - 1), bins);
    });
    return std::make_tuple(place, edges);
}

/// The same for given edges.
template <class E, class B>
auto bins_of(const char* who, const E& x, const B& edges) {
    static_assert(B::rank == 1, "ricci: histograms take edges of rank 1");
    using T = common_t<typename E::value_type, typename B::value_type>;
    const auto list = evaluate(stop_gradient(edges));
    const index_t bins = list.size() - 1;
    if (bins < 1) raise<value_error>({"[", who, "] there must be two edges or more: ", list.size()});
    const auto p = evaluate_as<T>(list);
    if (!all(index(p, slice(1, none)) >= index(p, slice(none, -1))).item())
        raise<value_error>({"[", who, "] the edges must ascend"});
    const auto place = by_stretches(evaluate(stop_gradient(ravel(x))), [&](const auto& some) {
        const auto flat = evaluate_as<T>(some);
        const auto below = minimum(searchsorted(p, flat, true) - 1, bins - 1);
        return where(flat >= index(p, 0) && flat <= index(p, bins), below, bins);
    });
    return std::make_tuple(place, list);
}

/// How often each of the numbers below `bins` occurs among those up to `bins`, or, with weights, the sums of theirs.
template <class P>
auto tally(const P& place, index_t bins) {
    return index(counts_of(place, bins + 1), slice(0, bins));
}
template <class P, class W>
auto tally(const P& place, index_t bins, const W& weights) {
    return index(sums_of_weights(place, bins + 1, weights), slice(0, bins));
}
/// The weights of x's elements, as a list like them.
template <class E, class W>
auto listed_weights(const char* who, const E& x, const W& weights) {
    static_assert(E::rank == W::rank, "ricci: the weights of a histogram have the shape of what is counted");
    if (!(x.shape() == weights.shape()))
        raise<shape_error>({"[", who, "] weights of shape ", weights.shape(), " for elements of shape ", x.shape()});
    return ravel(weights);
}
/// Bins of equal width along one axis, and how elements are put into them.
struct even_bins {
    index_t bins;
    std::array<double, 2> range;
    index_t count() const { return bins; }
    template <class E>
    auto operator()(const char* who, const E& x) const {
        return bins_of(who, x, bins, range[0], range[1]);
    }
};
/// Bins between given edges.
template <class B>
struct edged_bins {
    B edges;
    index_t count() const { return std::max<index_t>(edges.size() - 1, 0); }
    template <class E>
    auto operator()(const char* who, const E& x) const {
        return bins_of(who, x, edges);
    }
};
/// Those of several axes, in the edges' common type.
template <class... B>
auto edged_bins_along(const B&... edges) {
    using T = common_t<typename B::value_type...>;
    return std::array{edged_bins<decltype(evaluate_as<T>(edges))>{evaluate_as<T>(edges)}...};
}
template <std::size_t N>
std::array<even_bins, N> bins_along(const std::array<index_t, N>& bins,
                                    const std::array<std::array<double, 2>, N>& ranges) {
    std::array<even_bins, N> along;
    for (std::size_t d = 0; d < N; ++d) along[d] = {bins[d], ranges[d]};
    return along;
}
/// The counts of points in the cells of a grid, or the sums of their weights, and the edges along each axis.
template <class... X, class Bins, class... W, std::size_t N = sizeof...(X)>
auto grid_counts(const char* who, const std::tuple<X...>& points, const Bins& bins, const W&... weights) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
        const auto flat = std::make_tuple(ravel(std::get<D>(points))...);
        const index_t n = std::get<0>(flat).size();
        ((std::get<D>(flat).size() == n ? void()
                                        : raise<shape_error>({"[", who, "] coordinates of different lengths: ", n,
                                                              " and ", std::get<D>(flat).size()})),
         ...);
        shape<static_cast<int>(N)> extents;
        ((extents[static_cast<int>(D)] = std::get<D>(bins).count()), ...);
        check_extents(extents, sizeof(double), who);
        const auto binned = std::make_tuple(std::get<D>(bins)(who, std::get<D>(flat))...);
        const auto strides = row_major(extents);
        const auto inside = evaluate(((std::get<0>(std::get<D>(binned)) < extents[static_cast<int>(D)]) && ...));
        const auto place = evaluate(((std::get<0>(std::get<D>(binned)) * strides[static_cast<int>(D)]) + ...));
        const index_t cells = extents.count();
        [[maybe_unused]] const auto listed = [&](const auto& w) {
            if constexpr (rank_v<decltype(w)> == 1) return listed_weights(who, std::get<0>(flat), w);
            else return listed_weights(who, std::get<0>(points), w);
        };
        const auto counts = tally(evaluate(where(inside, place, cells)), cells, listed(weights)...);
        return counted(evaluate(reshape(counts, extents)), std::array{std::get<1>(std::get<D>(binned))...});
    }(std::make_index_sequence<N>{});
}
/// From the smallest to the largest element; of equal ones half a unit to either side, of none 0 to 1.
template <class E>
std::array<double, 2> range_of(const E& x, const char* who) {
    const auto flat =
        evaluate_as<double>(plain_values(stop_gradient(ravel(x)), who, "under vmap the range must be given"));
    if (flat.size() == 0) return {0, 1};
    const double low = min(flat).item(), high = max(flat).item();
    if (low == high) return {low - 0.5, high + 0.5};
    return {low, high};
}
template <class... X, std::size_t N = sizeof...(X)>
std::array<std::array<double, 2>, N> ranges_of(const std::tuple<X...>& points, const char* who) {
    return std::apply([who](const auto&... x) { return std::array<std::array<double, 2>, N>{{range_of(x, who)...}}; },
                      points);
}

}  // namespace detail

/// How many elements lie in each of `bins` intervals of equal width between `low` and `high`, the last one closed, and
/// the bins + 1 edges: `auto [counts, edges]`, or .counts and .edges. Others are not counted. With weights, of x's
/// shape, their sums instead, which are linear in them. Throws value_error unless bins > 0 and low < high, both finite,
/// shape_error for weights of another shape. (numpy.histogram; its density is counts / (sum(counts) * diff(edges)).)
template <expression E, expression... W>
auto histogram(const E& x, index_t bins, double low, double high, const W&... weights) {
    static_assert(sizeof...(W) < 2, "ricci: histogram takes one array of weights");
    const auto [place, edges] = detail::bins_of("histogram", ravel(x), bins, low, high);
    return detail::counted(detail::tally(place, bins, detail::listed_weights("histogram", x, weights)...), edges);
}
/// The range as numpy.histogram has it: histogram(x, 10, {0.0, 1.0}).
template <expression E, expression... W>
auto histogram(const E& x, index_t bins, const double (&range)[2], const W&... weights) {
    return histogram(x, bins, range[0], range[1], weights...);
}
/// Between the smallest and the largest element (of equal ones half a unit to either side); 0 to 1 of none.
template <expression E, expression... W>
auto histogram(const E& x, index_t bins, const W&... weights) {
    const auto range = detail::range_of(x, "histogram");
    return histogram(x, bins, range[0], range[1], weights...);
}
template <expression E>
auto histogram(const E& x) {
    return histogram(x, 10);
}
/// In bins between given edges, of rank 1 and in ascending order, the last bin closed. Throws value_error for fewer
/// than two, or in another order.
template <expression E, expression B, expression... W>
auto histogram(const E& x, const B& edges, const W&... weights) {
    static_assert(sizeof...(W) < 2, "ricci: histogram takes one array of weights");
    const auto [place, list] = detail::bins_of("histogram", x, edges);
    return detail::counted(detail::tally(place, list.size() - 1, detail::listed_weights("histogram", x, weights)...),
                           list);
}

/// The edges that histogram(x, bins) and histogram(x, bins, {low, high}) have. (numpy.histogram_bin_edges.)
template <expression E>
auto histogram_bin_edges(const E&, index_t bins, const double (&range)[2]) {
    return std::get<1>(
        detail::bins_of("histogram_bin_edges", zeros<double>(shape<1>{0}, device_t<E>{}), bins, range[0], range[1]));
}
template <expression E>
auto histogram_bin_edges(const E& x, index_t bins = 10) {
    const auto range = detail::range_of(x, "histogram_bin_edges");
    return histogram_bin_edges(x, bins, {range[0], range[1]});
}

/// How many points, whose coordinates are a std::tuple of arrays of one size, lie in each cell of a grid over ranges,
/// one for each coordinate: .counts, and as .edges a std::array of those along each axis. As histogram in each
/// direction, and with weights as there, or a list of them, one for each point. (numpy.histogramdd:
/// histogramdd(rc::tuple(x, y, z), {4, 5, 6}, {{0, 1}, {0, 1}, {-1, 1}}).)
template <expression... X, int N, expression... W>
auto histogramdd(const std::tuple<X...>& points, const extent (&bins)[N], const double (&ranges)[N][2],
                 const W&... weights) {
    static_assert(N == sizeof...(X), "ricci: histogramdd takes bins and a range for each coordinate");
    std::array<index_t, N> counts;
    std::array<std::array<double, 2>, N> bounds;
    for (std::size_t d = 0; d < N; ++d) {
        counts[d] = bins[d].value;
        bounds[d] = {ranges[d][0], ranges[d][1]};
    }
    return detail::grid_counts("histogramdd", points, detail::bins_along(counts, bounds), weights...);
}
/// From the smallest to the largest of each coordinate.
template <expression... X, int N, expression... W>
auto histogramdd(const std::tuple<X...>& points, const extent (&bins)[N], const W&... weights) {
    static_assert(N == sizeof...(X), "ricci: histogramdd takes as many numbers of bins as there are coordinates");
    std::array<index_t, N> counts;
    for (std::size_t d = 0; d < N; ++d) counts[d] = bins[d].value;
    return detail::grid_counts("histogramdd", points,
                               detail::bins_along(counts, detail::ranges_of(points, "histogramdd")), weights...);
}
/// In the cells between given edges along each axis, ascending, of rank 1.
template <expression... X, expression... B, expression... W>
auto histogramdd(const std::tuple<X...>& points, const std::tuple<B...>& edges, const W&... weights) {
    static_assert(sizeof...(B) == sizeof...(X), "ricci: histogramdd takes edges for each coordinate");
    const auto bins = std::apply([](const auto&... e) { return detail::edged_bins_along(e...); }, edges);
    return detail::grid_counts("histogramdd", points, bins, weights...);
}
/// As many bins along each.
template <expression... X, expression... W>
auto histogramdd(const std::tuple<X...>& points, index_t bins = 10, const W&... weights) {
    std::array<index_t, sizeof...(X)> counts;
    counts.fill(bins);
    return detail::grid_counts("histogramdd", points,
                               detail::bins_along(counts, detail::ranges_of(points, "histogramdd")), weights...);
}
/// How many points (x, y) lie in each rectangle of a grid of `columns` x `rows` equal ones over a range: .counts
/// (columns x rows: the first axis is x), .x_edges and .y_edges. As histogram in each direction, and
/// with weights as there. (numpy.histogram2d.)
template <expression X, expression Y, expression... W>
auto histogram2d(const X& x, const Y& y, index_t columns, index_t rows, const double (&x_range)[2],
                 const double (&y_range)[2], const W&... weights) {
    const std::array<index_t, 2> bins{columns, rows};
    const std::array<std::array<double, 2>, 2> ranges{{{x_range[0], x_range[1]}, {y_range[0], y_range[1]}}};
    return detail::counted_in_grid(
        detail::grid_counts("histogram2d", std::make_tuple(x, y), detail::bins_along(bins, ranges), weights...));
}
/// Between the smallest and the largest place in x and in y.
template <expression X, expression Y, expression... W>
auto histogram2d(const X& x, const Y& y, index_t columns = 10, index_t rows = -1, const W&... weights) {
    const auto points = std::make_tuple(x, y);
    const std::array<index_t, 2> bins{columns, rows < 0 ? columns : rows};
    return detail::counted_in_grid(detail::grid_counts(
        "histogram2d", points, detail::bins_along(bins, detail::ranges_of(points, "histogram2d")), weights...));
}
/// In the rectangles between given edges, ascending, of rank 1.
template <expression X, expression Y, expression A, expression B, expression... W>
auto histogram2d(const X& x, const Y& y, const A& x_edges, const B& y_edges, const W&... weights) {
    return detail::counted_in_grid(detail::grid_counts("histogram2d", std::make_tuple(x, y),
                                                       detail::edged_bins_along(x_edges, y_edges), weights...));
}

}  // namespace ricci
