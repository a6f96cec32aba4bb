// Sets and counts of values: unique_values and its kin, isin, bincount, histogram.
#pragma once
#include "grid.hpp"
#include "sort.hpp"

namespace ricci {
namespace detail {

inline constexpr const char* values_decide =
    "the result's shape depends on the values, which vmap makes differ between the members of a batch";

template <class E>
auto flat_values(const E& x, const char* who) {
    return evaluate(plain_values(stop_gradient(ravel(x)), who, values_decide));
}
/// Which elements of a sorted list are the first of their value. NaN equals nothing.
template <class A>
auto first_of_runs(const A& sorted) {
    const index_t n = sorted.size(), rest = n > 0 ? n - 1 : 0;
    auto first = tensor<bool, 1, device_t<A>>::uninitialized({n});
    if (n > 0) write(index(first, 0), true);
    write(index(first, slice(1, none)), stretch_of(sorted, 0, 1, rest) != stretch_of(sorted, 0, 0, rest));
    return first;
}
/// How long the runs are that begin where `first` holds.
template <class B>
auto run_lengths(const B& first) {
    const auto at = std::get<0>(nonzero(first));
    return diff(concat(std::make_tuple(at, full<std::int64_t>(shape<1>{1}, first.size(), device_t<decltype(at)>{}))));
}
/// The number of its run for each element, in the order in which they were before they were sorted.
template <class B, class P, int R>
auto run_numbers(const B& first, const P& order, const shape<R>& extents) {
    const auto number = evaluate(cumulative_sum(first, 0) - 1);
    return reshape(put_along_axis(zeros_like<std::int64_t>(order), order, number, 0), extents);
}

/// Which of some bins of equal width each element lies in, one past the last where in none, and the edges.
template <class E>
auto bins_of(const E& x, index_t bins, double low, double high) {
    if (bins < 1) raise<value_error>({"[histogram] there must be at least one bin: ", bins});
    if (!(low < high) || !(high - low <= std::numeric_limits<double>::max()))
        raise<value_error>({"[histogram] the range must be finite and not empty: ", std::to_string(low).c_str(), " to ",
                            std::to_string(high).c_str()});
    const auto flat = evaluate_as<double>(stop_gradient(x));
    const auto edges = linspace(low, high, bins + 1).to(device_t<decltype(flat)>{});
    // rounding may take the quotient into the bin before or behind the one whose edges hold the element
    const double per_unit = static_cast<double>(bins) / (high - low);
    const auto inside = flat >= low && flat <= high;
    const auto guess = evaluate(minimum(astype<std::int64_t>(where(inside, (flat - low) * per_unit, 0.0)), bins - 1));
    const auto below = take(edges, guess, 0), above = take(edges, evaluate(guess + 1), 0);
    const auto place =
        guess - astype<std::int64_t>(flat < below) + astype<std::int64_t>(flat >= above && guess < bins - 1);
    return std::make_tuple(evaluate(where(inside, place, bins)), edges);
}

/// How often each of the numbers 0 ... count - 1, of which x has no others, occurs in it.
template <class X>
auto counts_of(const X& x, index_t count) {
    const auto none = zeros<std::int64_t>(shape<1>{count}, device_t<X>{});
    if constexpr (std::is_void_v<typename X::wrapper> && std::is_integral_v<typename X::value_type> &&
                  requires { executor<device_t<X>>::count_numbers(x, none); }) {
        executor<device_t<X>>::count_numbers(x, none);
        return none;
    } else {
        return index_add(none, 0, x, std::int64_t(1));
    }
}
/// One more than the largest of some numbers, 0 of none. Throws value_error for a negative one.
template <class X>
index_t numbers_end(const X& numbers) {
    if (numbers.size() == 0) return 0;
    if constexpr (std::is_signed_v<typename X::value_type>)
        if (min(numbers).item() < 0)
            raise<value_error>({"[bincount] the numbers must not be negative: ", index_t(min(numbers).item())});
    const auto largest = static_cast<std::uint64_t>(max(numbers).item());
    if (largest >= std::uint64_t(std::numeric_limits<index_t>::max()))
        raise<value_error>({"[bincount] the largest number is too large to be counted up to"});
    return static_cast<index_t>(largest) + 1;
}

}  // namespace detail

/// The distinct elements in ascending order, each NaN by itself. How many there are is known at run time only: under vmap all
/// members must share `x` (value_error); no derivative.
template <expression E>
auto unique_values(const E& x) {
    const auto sorted = sort(detail::flat_values(x, "unique_values"));
    return compress(detail::first_of_runs(sorted), sorted, 0);
}
/// The distinct elements, and how often each occurs, as a std::tuple.
template <expression E>
auto unique_counts(const E& x) {
    const auto sorted = sort(detail::flat_values(x, "unique_counts"));
    const auto first = detail::first_of_runs(sorted);
    return std::make_tuple(compress(first, sorted, 0), detail::run_lengths(first));
}
/// The distinct elements, and for each element of `x`, in its shape, which of them it is, as a std::tuple.
template <expression E>
auto unique_inverse(const E& x) {
    const auto flat = detail::flat_values(x, "unique_inverse");
    const auto order = argsort(flat);
    const auto sorted = take(flat, order, 0);
    const auto first = detail::first_of_runs(sorted);
    return std::make_tuple(compress(first, sorted, 0), detail::run_numbers(first, order, x.shape()));
}
/// The distinct elements, where each occurs first among all in row-major order, which of them each element of `x` is, and how
/// often each occurs, as a std::tuple.
template <expression E>
auto unique_all(const E& x) {
    const auto flat = detail::flat_values(x, "unique_all");
    const auto order = argsort(flat);
    const auto sorted = take(flat, order, 0);
    const auto first = detail::first_of_runs(sorted);
    return std::make_tuple(compress(first, sorted, 0), compress(first, order, 0),
                           detail::run_numbers(first, order, x.shape()), detail::run_lengths(first));
}

/// For each element of `x` whether it occurs in `among`, of any shape (or, with `invert`, whether it does not), in the common
/// type. NaN occurs nowhere.
template <expression E, expression S>
auto isin(const E& x, const S& among, bool invert = false) {
    using T = promote_t<typename E::value_type, typename S::value_type>;
    const auto a = detail::evaluate_as<T>(stop_gradient(x));
    const auto list = detail::evaluate_as<T>(detail::plain_values(
        stop_gradient(ravel(among)), "isin", "under vmap all members of the batch must share what is searched"));
    const index_t n = list.size();
    auto found = evaluate(a != a && a == a);
    if (n == 0) return evaluate(found != invert);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // Among integers that lie close together a table is asked instead, of which one more place says no.
        const T low = min(list).item(), high = max(list).item();
        const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        if (gap < 6 * static_cast<std::uint64_t>(n + a.size()) + 64) {
            const auto past = static_cast<std::int64_t>(gap) + 1;
            const auto table = full<bool>(shape<1>{past + 1}, invert, device_t<decltype(list)>{});
            const auto places = [low](const auto& e) {
                return astype<std::int64_t>(astype<std::uint64_t>(e) - static_cast<std::uint64_t>(low));
            };
            table(evaluate(places(list))) = !invert;
            return evaluate(take(table, evaluate(where(a >= low && a <= high, places(a), past)), 0));
        }
    }
    if (n <= 32) {  // a pass over the elements compares them with four
        const auto is = [&](index_t i) { return a == index(list, std::min(i, n - 1)); };
        for (index_t i = 0; i < n; i += 4) found = evaluate(found || is(i) || is(i + 1) || is(i + 2) || is(i + 3));
        return evaluate(found != invert);
    }
    const auto sorted = sort(list);
    const auto place = evaluate(minimum(searchsorted(sorted, a), n - 1));
    return evaluate((take(sorted, place, 0) == a) != invert);
}

/// The distinct elements of both, in ascending order, in the common type. (numpy.union1d; as for the others here, the result's
/// shape depends on the values, see unique_values.)
template <expression A, expression B>
auto union1d(const A& a, const B& b) {
    return unique_values(concat(std::make_tuple(ravel(a), ravel(b)), 0));
}
/// The distinct elements that both have, in ascending order. (numpy.intersect1d.)
template <expression A, expression B>
auto intersect1d(const A& a, const B& b) {
    using T = promote_t<typename A::value_type, typename B::value_type>;
    const auto values = unique_values(detail::evaluate_as<T>(a));
    return compress(isin(values, b), values, 0);
}
/// The distinct elements of `a` that `b` does not have, in ascending order. (numpy.setdiff1d.)
template <expression A, expression B>
auto setdiff1d(const A& a, const B& b) {
    const auto values = unique_values(a);
    return compress(isin(values, b, true), values, 0);
}
/// The distinct elements that only one of the two has, in ascending order. (numpy.setxor1d.)
template <expression A, expression B>
auto setxor1d(const A& a, const B& b) {
    const auto values = union1d(a, b);
    return compress(isin(values, a) != isin(values, b), values, 0);
}

/// The sums of the weights of the elements of each of the numbers 0, 1, ... among integers of rank 1: one entry for each number up
/// to the largest, and at least `least` of them; linear in the weights. Throws value_error for a negative number, shape_error
/// unless there are as many weights.
template <expression I, expression W>
auto bincount(const I& x, const W& weights, index_t least = 0) {
    static_assert(I::rank == 1 && W::rank == 1, "ricci: bincount takes integers and weights of rank 1");
    static_assert(std::is_integral_v<typename I::value_type>, "ricci: bincount counts integers");
    const auto numbers = detail::plain_values(evaluate(x), "bincount", detail::values_decide);
    if (!(numbers.shape() == weights.shape()))
        detail::raise<shape_error>({"[bincount] ", weights.size(), " weights for ", numbers.size(), " numbers"});
    const index_t most = detail::numbers_end(numbers);
    using T = detail::sum_type<typename W::value_type>;
    const auto start = full<T>(shape<1>{most > least ? most : least}, T(0), device_t<I>{});
    return index_add(start, 0, numbers, detail::as_type<T>(weights));
}

/// How often each number occurs.
template <expression I>
auto bincount(const I& x, index_t least = 0) {
    static_assert(I::rank == 1 && std::is_integral_v<typename I::value_type>,
                  "ricci: bincount takes integers of rank 1");
    const auto numbers = detail::plain_values(evaluate(x), "bincount", detail::values_decide);
    return detail::counts_of(numbers, std::max(detail::numbers_end(numbers), least));
}
/// How many elements lie in each of `bins` intervals of equal width between `low` and `high`, the last one closed, and the
/// bins + 1 edges, as a std::tuple. Others are not counted. Throws value_error unless bins > 0 and low < high, both finite.
template <expression E>
auto histogram(const E& x, index_t bins, double low, double high) {
    const auto [counted, edges] = detail::bins_of(ravel(x), bins, low, high);
    const auto counts = detail::counts_of(counted, bins + 1);
    return std::make_tuple(index(counts, slice(0, bins)), edges);
}
/// The range as numpy.histogram has it: histogram(x, 10, {0.0, 1.0}).
template <expression E>
auto histogram(const E& x, index_t bins, const double (&range)[2]) {
    return histogram(x, bins, range[0], range[1]);
}
/// In bins between given edges, of rank 1 and in ascending order, the last bin closed. Throws value_error for fewer than two, or in
/// another order.
template <expression E, expression B>
auto histogram(const E& x, const B& edges) {
    static_assert(B::rank == 1, "ricci: histogram takes edges of rank 1");
    using T = common_t<typename E::value_type, typename B::value_type>;
    const auto list = evaluate(stop_gradient(edges));
    const index_t bins = list.size() - 1;
    if (bins < 1) detail::raise<value_error>({"[histogram] there must be two edges or more: ", list.size()});
    const auto p = detail::evaluate_as<T>(list);
    if (!all(index(p, slice(1, none)) >= index(p, slice(none, -1))).item())
        detail::raise<value_error>({"[histogram] the edges must ascend"});
    const auto flat = detail::evaluate_as<T>(stop_gradient(ravel(x)));
    const auto place = evaluate(minimum(searchsorted(p, flat, true) - 1, bins - 1));
    const auto counted = evaluate(where(flat >= index(p, 0) && flat <= index(p, bins), place, bins));
    const auto counts = detail::counts_of(counted, bins + 1);
    return std::make_tuple(index(counts, slice(0, bins)), list);
}
namespace detail {

/// The counts of points in the cells of a grid, and the edges along each axis.
template <class... X, std::size_t N = sizeof...(X)>
auto grid_counts(const char* who, const std::tuple<X...>& points, const std::array<index_t, N>& bins,
                 const std::array<std::array<double, 2>, N>& ranges) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
        const auto flat = std::make_tuple(ravel(std::get<D>(points))...);
        const index_t n = std::get<0>(flat).size();
        ((std::get<D>(flat).size() == n ? void()
                                        : raise<shape_error>({"[", who, "] coordinates of different lengths: ", n,
                                                              " and ", std::get<D>(flat).size()})),
         ...);
        const auto binned = std::make_tuple(bins_of(std::get<D>(flat), bins[D], ranges[D][0], ranges[D][1])...);
        shape<static_cast<int>(N)> extents;
        ((extents[static_cast<int>(D)] = bins[D]), ...);
        const auto strides = row_major(extents);
        const auto inside = evaluate(((std::get<0>(std::get<D>(binned)) < bins[D]) && ...));
        const auto place = evaluate(((std::get<0>(std::get<D>(binned)) * strides[static_cast<int>(D)]) + ...));
        const index_t cells = extents.count();
        const auto counts = counts_of(evaluate(where(inside, place, cells)), cells + 1);
        return std::make_tuple(evaluate(reshape(index(counts, slice(0, cells)), extents)),
                               std::array{std::get<1>(std::get<D>(binned))...});
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
    return std::apply([who](const auto&... x) { return std::array{range_of(x, who)...}; }, points);
}

}  // namespace detail

/// How many points, whose coordinates are a std::tuple of arrays of one size, lie in each cell of a grid over ranges, one for each
/// coordinate, as a std::tuple of the counts and a std::array of the edges along each axis. As histogram in each direction.
/// (numpy.histogramdd: histogramdd(rc::tuple(x, y, z), {4, 5, 6}, {{0, 1}, {0, 1}, {-1, 1}}).)
template <expression... X, int N>
auto histogramdd(const std::tuple<X...>& points, const extent (&bins)[N], const double (&ranges)[N][2]) {
    static_assert(N == sizeof...(X), "ricci: histogramdd takes bins and a range for each coordinate");
    std::array<index_t, N> counts;
    std::array<std::array<double, 2>, N> bounds;
    for (std::size_t d = 0; d < N; ++d) {
        counts[d] = bins[d].value;
        bounds[d] = {ranges[d][0], ranges[d][1]};
    }
    return detail::grid_counts("histogramdd", points, counts, bounds);
}
/// From the smallest to the largest of each coordinate.
template <expression... X, int N>
auto histogramdd(const std::tuple<X...>& points, const extent (&bins)[N]) {
    static_assert(N == sizeof...(X), "ricci: histogramdd takes as many numbers of bins as there are coordinates");
    std::array<index_t, N> counts;
    for (std::size_t d = 0; d < N; ++d) counts[d] = bins[d].value;
    return detail::grid_counts("histogramdd", points, counts, detail::ranges_of(points, "histogramdd"));
}
/// As many bins along each.
template <expression... X>
auto histogramdd(const std::tuple<X...>& points, index_t bins = 10) {
    std::array<index_t, sizeof...(X)> counts;
    counts.fill(bins);
    return detail::grid_counts("histogramdd", points, counts, detail::ranges_of(points, "histogramdd"));
}
/// How many points (x, y) lie in each rectangle of a grid of `columns` x `rows` equal ones over a range, as a std::tuple of the
/// counts (columns x rows: the first axis is x), and the edges in x and in y. As histogram in each direction.
/// (numpy.histogram2d.)
template <expression X, expression Y>
auto histogram2d(const X& x, const Y& y, index_t columns, index_t rows, const double (&x_range)[2],
                 const double (&y_range)[2]) {
    const std::array<index_t, 2> bins{columns, rows};
    const std::array<std::array<double, 2>, 2> ranges{{{x_range[0], x_range[1]}, {y_range[0], y_range[1]}}};
    const auto [counts, edges] = detail::grid_counts("histogram2d", std::make_tuple(x, y), bins, ranges);
    return std::make_tuple(counts, edges[0], edges[1]);
}
/// Between the smallest and the largest place in x and in y.
template <expression X, expression Y>
auto histogram2d(const X& x, const Y& y, index_t columns = 10, index_t rows = -1) {
    const auto points = std::make_tuple(x, y);
    const std::array<index_t, 2> bins{columns, rows < 0 ? columns : rows};
    const auto [counts, edges] =
        detail::grid_counts("histogram2d", points, bins, detail::ranges_of(points, "histogram2d"));
    return std::make_tuple(counts, edges[0], edges[1]);
}

/// Between the smallest and the largest element (of equal ones half a unit to either side); 0 to 1 of none.
template <expression E>
auto histogram(const E& x, index_t bins = 10) {
    const auto range = detail::range_of(x, "histogram");
    return histogram(x, bins, range[0], range[1]);
}

}  // namespace ricci
