// Sets and counts of values: unique_values and its kin, isin, bincount, one_hot of as many classes as occur.
#pragma once
#include "grid.hpp"
#include "search.hpp"
#include "searchsorted.hpp"
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
index_t numbers_end(const X& numbers, const char* who) {
    if (numbers.size() == 0) return 0;
    if constexpr (std::is_signed_v<typename X::value_type>)
        if (min(numbers).item() < 0)
            raise<value_error>({"[", who, "] the numbers must not be negative: ", index_t(min(numbers).item())});
    const auto largest = static_cast<std::uint64_t>(max(numbers).item());
    if (largest >= std::uint64_t(std::numeric_limits<index_t>::max()))
        raise<value_error>({"[", who, "] the largest number is too large to be counted up to"});
    return static_cast<index_t>(largest) + 1;
}

}  // namespace detail

/// The distinct elements in ascending order, each NaN by itself. How many there are is known at run time only: under
/// vmap all members must share `x` (value_error); no derivative.
template <expression E>
auto unique_values(const E& x) {
    const auto sorted = sort(detail::flat_values(x, "unique_values"));
    return compress(detail::first_of_runs(sorted), sorted, 0);
}
/// What unique_counts, unique_inverse and unique_all give, with the array API's names: for bindings, std::get and
/// std::tie as tuples are.
template <class Values, class Counts>
struct unique_counts_result {
    using ricci_named = void;
    Values values;
    Counts counts;
    friend auto members(const unique_counts_result& y) { return std::tie(y.values, y.counts); }
    operator std::tuple<Values&, Counts&>() { return {values, counts}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
template <class Values, class Inverse>
struct unique_inverse_result {
    using ricci_named = void;
    Values values;
    Inverse inverse_indices;
    friend auto members(const unique_inverse_result& y) { return std::tie(y.values, y.inverse_indices); }
    operator std::tuple<Values&, Inverse&>() { return {values, inverse_indices}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
template <class Values, class Indices, class Inverse, class Counts>
struct unique_all_result {
    using ricci_named = void;
    Values values;
    Indices indices;
    Inverse inverse_indices;
    Counts counts;
    friend auto members(const unique_all_result& y) {
        return std::tie(y.values, y.indices, y.inverse_indices, y.counts);
    }
    operator std::tuple<Values&, Indices&, Inverse&, Counts&>() { return {values, indices, inverse_indices, counts}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
template <class Values, class Inverse, class Counts>
struct unique_consecutive_result {
    using ricci_named = void;
    Values values;
    Inverse inverse_indices;
    Counts counts;
    friend auto members(const unique_consecutive_result& y) { return std::tie(y.values, y.inverse_indices, y.counts); }
    operator std::tuple<Values&, Inverse&, Counts&>() { return {values, inverse_indices, counts}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};

/// The distinct elements, and how often each occurs: .values and .counts.
template <expression E>
auto unique_counts(const E& x) {
    const auto sorted = sort(detail::flat_values(x, "unique_counts"));
    const auto first = detail::first_of_runs(sorted);
    return detail::named<unique_counts_result>(
        detail::make_pack(compress(first, sorted, 0), detail::run_lengths(first)));
}
/// The distinct elements, and for each element of `x`, in its shape, which of them it is: .values and
/// .inverse_indices.
template <expression E>
auto unique_inverse(const E& x) {
    const auto flat = detail::flat_values(x, "unique_inverse");
    const auto order = argsort(flat);
    const auto sorted = take(flat, order, 0);
    const auto first = detail::first_of_runs(sorted);
    return detail::named<unique_inverse_result>(
        detail::make_pack(compress(first, sorted, 0), detail::run_numbers(first, order, x.shape())));
}
/// The distinct elements, where each occurs first among all in row-major order, which of them each element of `x` is,
/// and how often each occurs: .values, .indices, .inverse_indices and .counts.
template <expression E>
auto unique_all(const E& x) {
    const auto flat = detail::flat_values(x, "unique_all");
    const auto order = argsort(flat);
    const auto sorted = take(flat, order, 0);
    const auto first = detail::first_of_runs(sorted);
    return detail::named<unique_all_result>(detail::make_pack(compress(first, sorted, 0), compress(first, order, 0),
                                                              detail::run_numbers(first, order, x.shape()),
                                                              detail::run_lengths(first)));
}

/// The elements in their order, in row-major order, but of equal ones beside each other one, which of these each
/// element of `x` is, and how many each stands for: .values, .inverse_indices and .counts. NaN equals nothing.
/// (torch.unique_consecutive.)
template <expression E>
auto unique_consecutive(const E& x) {
    const auto flat = detail::flat_values(x, "unique_consecutive");
    const auto first = detail::first_of_runs(flat);
    const auto number = evaluate(cumulative_sum(first, 0) - 1);
    return detail::named<unique_consecutive_result>(
        detail::make_pack(compress(first, flat, 0), reshape(number, x.shape()), detail::run_lengths(first)));
}

/// For each element of `x` whether it is a number (or, with `invert`, whether it is not), and whether a number occurs
/// among elements, of rank 0.
template <expression E, scalar_value S>
auto isin(const E& x, const S& number, detail::yes_or_no invert = false) {
    const bool inverted = invert;
    return evaluate((stop_gradient(x) == number) != inverted);
}
template <scalar_value S, expression E>
auto isin(const S& number, const E& among, detail::yes_or_no invert = false) {
    const bool inverted = invert;
    return evaluate(any(stop_gradient(among) == number) != inverted);
}
/// For each element of `x` whether it occurs in `among`, of any shape (or, with `invert`, whether it does not), in the
/// common type. NaN occurs nowhere.
template <expression E, expression S>
auto isin(const E& x, const S& among, detail::yes_or_no invert = false) {
    using T = promote_t<typename E::value_type, typename S::value_type>;
    const auto a = detail::evaluate_as<T>(stop_gradient(x));
    const auto list = detail::evaluate_as<T>(detail::plain_values(
        stop_gradient(ravel(among)), "isin", "under vmap all members of the batch must share what is searched"));
    const index_t n = list.size();
    const bool inverted = invert;
    const auto nowhere = [&] { return a != a && a == a; };
    if (n == 0) return evaluate(nowhere() != inverted);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // Among integers that lie close together a table is asked instead, of which one more place says no.
        const T low = min(list).item(), high = max(list).item();
        const auto gap = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        if (gap < 6 * static_cast<std::uint64_t>(n + a.size()) + 64) {
            const auto past = static_cast<std::int64_t>(gap) + 1;
            const auto table = full<bool>(shape<1>{past + 1}, inverted, device_t<decltype(list)>{});
            const auto places = [low](const auto& e) {
                return astype<std::int64_t>(astype<std::uint64_t>(e) - static_cast<std::uint64_t>(low));
            };
            table(evaluate(places(list))) = !inverted;
            return evaluate(take(table, evaluate(where(a >= low && a <= high, places(a), past)), 0));
        }
    }
    const auto compared = [&] {  // a pass over the elements compares them with four
        const auto is = [&](index_t i) { return a == index(list, std::min(i, n - 1)); };
        auto found = evaluate(nowhere());
        for (index_t i = 0; i < n; i += 4) found = evaluate(found || is(i) || is(i + 1) || is(i + 2) || is(i + 3));
        return evaluate(found != inverted);
    };
    if constexpr (is_complex_v<T>) {  // which have no order
        return compared();
    } else {
        if (n <= 32) return compared();
        const auto sorted = sort(list);
        const auto place = evaluate(minimum(searchsorted(sorted, a), n - 1));
        return evaluate((take(sorted, place, 0) == a) != inverted);
    }
}
template <expression E, scalar_value S, std::size_t N>
auto isin(const E& x, const S (&among)[N], detail::yes_or_no invert = false) {
    return isin(x, detail::array_in_braces<typename E::value_type>(among), invert);
}

/// The distinct elements of both, in ascending order, in the common type. (numpy.union1d; as for the others here, the
/// result's shape depends on the values, see unique_values.)
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
/// The distinct elements that only one of the two has, in ascending order; NaN, which equals nothing, is one of them.
/// (numpy.setxor1d.)
template <expression A, expression B>
auto setxor1d(const A& a, const B& b) {
    const auto values = union1d(a, b);
    return compress((isin(values, a) != isin(values, b)) | (values != values), values, 0);
}

namespace detail {
/// The sums of the weights at each of the places below n. Weights are added one by one: floats in double, as NumPy's
/// are.
template <class P, class W>
auto sums_of_weights(const P& place, index_t n, const W& weights) {
    using T = sum_type<typename W::value_type>;
    using S = std::conditional_t<std::is_same_v<real_t<T>, float>, promote_t<T, double>, T>;
    const auto none = full<S>(shape<1>{n}, S(0), device_t<P>{});
    return evaluate_as<T>(index_add(none, 0, place, as_type<S>(weights)));
}
/// One more than the largest of the numbers that bincount counts, or `least`.
template <class X>
index_t counted_to(const X& numbers, index_t least) {
    if (least < 0) raise<value_error>({"[bincount] the least number of counts must not be negative: ", least});
    return std::max(numbers_end(numbers, "bincount"), least);
}
}  // namespace detail

/// The sums of the weights of the elements of each of the numbers 0, 1, ... among integers of rank 1: one entry for
/// each number up to the largest, and at least `least` of them; linear in the weights. Throws value_error for a
/// negative number or `least`, shape_error unless there are as many weights.
template <expression I, expression W>
auto bincount(const I& x, const W& weights, index_t least = 0) {
    static_assert(I::rank == 1 && W::rank == 1, "ricci: bincount takes integers and weights of rank 1");
    static_assert(std::is_integral_v<typename I::value_type>, "ricci: bincount counts integers");
    const auto numbers = detail::plain_values(evaluate(x), "bincount", detail::values_decide);
    if (!(numbers.shape() == weights.shape()))
        detail::raise<shape_error>({"[bincount] ", weights.size(), " weights for ", numbers.size(), " numbers"});
    return detail::sums_of_weights(numbers, detail::counted_to(numbers, least), weights);
}

/// How often each number occurs.
template <expression I>
auto bincount(const I& x, index_t least = 0) {
    static_assert(I::rank == 1 && std::is_integral_v<typename I::value_type>,
                  "ricci: bincount takes integers of rank 1");
    const auto numbers = detail::plain_values(evaluate(x), "bincount", detail::values_decide);
    return detail::counts_of(numbers, detail::counted_to(numbers, least));
}

/// one_hot of one class more than the largest number. Under vmap all members must share `numbers`. Throws value_error
/// for a negative number, and for none at all. (torch's one_hot.)
template <element T = std::int64_t, expression E>
auto one_hot(const E& numbers) {
    static_assert(std::is_integral_v<typename E::value_type>, "ricci: one_hot takes integers");
    const auto plain = detail::plain_values(evaluate(stop_gradient(numbers)), "one_hot", detail::values_decide);
    const index_t classes = detail::numbers_end(plain, "one_hot");
    if (classes == 0)
        detail::raise<value_error>({"[one_hot] no numbers tell of no classes: one_hot(numbers, classes)"});
    return one_hot<T>(numbers, classes);
}

}  // namespace ricci
