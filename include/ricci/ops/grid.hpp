// Arrays of other arrays' shapes, values and products of their axes: zeros_like and its kin, full of an array without
// axes, meshgrid, indices, choose, cartesian_prod, combinations, ix_, one_hot, block_diag, kron.
#pragma once
#include <algorithm>
#include <limits>

#include "../expr/lift.hpp"
#include "checked_values.hpp"
#include "create.hpp"
#include "elementwise/comparison.hpp"
#include "index/mask.hpp"
#include "index/take.hpp"
#include "join.hpp"
#include "rearrange.hpp"
#include "stop_gradient.hpp"

namespace ricci {

namespace detail {

/// What transforms an array like x of type T is under: those of x, but without derivatives where T has none. Arrays
/// like a variable are plain, as an optimizer's state is.
template <class T, class E>
struct chain_like {
    static constexpr auto make() {
        if constexpr (all_plain<E>()) {
            return type_list<>{};
        } else {
            using A = decltype(evaluate(std::declval<const E&>()));
            using derived = std::conditional_t<is_inexact_v<T>, A, decltype(stop_gradient(std::declval<const A&>()))>;
            return []<class... W>(type_list<W...>) {
                return join_all(std::conditional_t<variable_wrapper<W>, type_list<>, type_list<W>>{}...);
            }(chain_of_t<derived>{});
        }
    }
    using type = decltype(make());
};
template <class T, class E>
using element_like = std::conditional_t<std::is_void_v<T>, typename E::value_type, T>;

/// n! / (k! (n - k)!) for 0 <= k; 0 where k is greater than n.
inline index_t binomial(index_t n, index_t k, const char* who) {
    if (k > n) return 0;
    k = std::min(k, n - k);
    index_t ways = 1;
    for (index_t i = 1; i <= k; ++i) {
        if (__builtin_mul_overflow(ways, n - k + i, &ways))
            raise<shape_error>({"[", who, "] there are more ways to choose ", k, " of ", n, " than an array has rows"});
        ways /= i;
    }
    return ways;
}
/// All rows of r positions below n, each `step` (0 or 1) more than the one before at least, in lexicographic order.
template <std::integral I>
tensor<I, 2> chosen_positions(index_t n, index_t r, index_t step, const char* who) {
    const index_t rows = binomial(step == 1 || r == 0 ? n : n == 0 ? 0 : n - 1 + r, r, who);
    auto all = tensor<I, 2>::uninitialized({rows, r});
    const auto last = [&](index_t j) { return n - 1 - (r - 1 - j) * step; };
    for (index_t i = 0; i < rows; ++i) {
        I* const row = all.data() + i * r;
        index_t from = 0;
        I first = 0;
        if (i > 0) {
            std::copy_n(row - r, r, row);
            for (from = r - 1; row[from] == last(from);) --from;
            first = row[from] + 1;
        }
        for (index_t j = from; j < r; ++j) row[j] = first + (j - from) * step;
    }
    return all;
}

}  // namespace detail

/// An array without axes, max(x), at every place of a new one; linear in it. Errors as those of full with a number.
template <std::nullptr_t = nullptr, int R, expression V>
    requires(rank_v<V> == 0)
auto full(const shape<R>& extents, const V& value) {
    detail::check_extents(extents, sizeof(value_type_t<V>), "full");
    return detail::expanded(value, extents).clone();
}
template <std::nullptr_t = nullptr, int R, expression V>
    requires(rank_v<V> == 0)
auto full(const extent (&extents)[R], const V& value) {
    return full(detail::to_shape(extents), value);
}
template <std::nullptr_t = nullptr, detail::extent_value N, expression V>
    requires(rank_v<V> == 0)
auto full(const N& n, const V& value) {
    return full(shape<1>{extent(n).value}, value);
}

/// Constants of the shape, device and (unless T is given) element type of `x`. Of an x under transforms they are of the
/// shape of one member under vmap, without derivative, and under the same transforms: what is written to them may have
/// both.
template <class T = void, expression E, detail::fills<detail::element_like<T, E>> V = detail::element_like<T, E>>
auto full_like(const E& x, const V& value) {
    using U = detail::element_like<T, E>;
    return detail::lift(typename detail::chain_like<U, E>::type{}, full<U>(x.shape(), value, device_t<E>{}));
}
template <class T = void, expression E>
auto zeros_like(const E& x) {
    return full_like<T>(x, 0);
}
template <class T = void, expression E>
auto ones_like(const E& x) {
    return full_like<T>(x, 1);
}
/// The same, the elements not set.
template <class T = void, expression E>
auto empty_like(const E& x) {
    using U = detail::element_like<T, E>;
    return detail::lift(typename detail::chain_like<U, E>::type{}, empty<U>(x.shape(), device_t<E>{}));
}

/// How meshgrid orders the axes of its results: x first (matrix columns are x, NumPy's default), or as the arguments
/// are.
enum class indexing { xy, ij };

/// The coordinates of a grid's points: of vectors of lengths n1, n2, ... as many arrays, each holding one vector's
/// elements along its axis and repeating them along the others, as a std::tuple of views, read-only ones of plain
/// arrays: clone() can be written to. Shape (n1, n2, ...) with indexing::ij; with xy the first two axes are exchanged.
template <expression... E>
auto meshgrid(const std::tuple<E...>& vectors, indexing order = indexing::xy) {
    constexpr int R = sizeof...(E);
    static_assert(R > 0 && ((E::rank == 1) && ...), "ricci: meshgrid takes vectors");
    shape<R> extents = std::apply([](const auto&... v) { return shape<R>{v.shape()[0]...}; }, vectors);
    const bool exchanged = order == indexing::xy && R > 1;
    if constexpr (R > 1)
        if (exchanged) std::swap(extents[0], extents[1]);
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto along = [&](const auto& v, int i) {
            const int axis = exchanged && i < 2 ? 1 - i : i;
            shape<R> own;
            for (int d = 0; d < R; ++d) own[d] = d == axis ? v.shape()[0] : 1;
            return detail::read_only(detail::expanded(reshape(v, own), extents));
        };
        return std::make_tuple(along(std::get<I>(vectors), I)...);
    }(std::make_integer_sequence<int, R>{});
}
/// The vectors as arguments, the order after them: meshgrid(u, v), meshgrid(u, v, indexing::ij).
template <expression First, expression... E>
auto meshgrid(const First& first, const E&... vectors) {
    return meshgrid(std::make_tuple(first, vectors...));
}
template <expression A>
auto meshgrid(const A& a, indexing order) {
    return meshgrid(std::make_tuple(a), order);
}
template <expression A, expression B>
auto meshgrid(const A& a, const B& b, indexing order) {
    return meshgrid(std::make_tuple(a, b), order);
}
template <expression A, expression B, expression C>
auto meshgrid(const A& a, const B& b, const C& c, indexing order) {
    return meshgrid(std::make_tuple(a, b, c), order);
}

/// The coordinates of the places of an array of the given shape, those along axis d as element d of a new first axis.
/// (numpy.indices; numpy.mgrid[0:2, 0:3] is the same.)
template <element T = std::int64_t, int R>
tensor<T, R + 1> indices(const shape<R>& extents) {
    const auto y = tensor<T, R + 1>::uninitialized(detail::prefixed(R, extents));
    const index_t n = extents.count();
    index_t inner = n;
    for (int d = 0; d < R && n > 0; ++d) {
        inner /= extents[d];
        for (index_t i = 0; i < n; ++i) y.data()[d * n + i] = static_cast<T>(i / inner % extents[d]);
    }
    return y;
}
template <element T = std::int64_t, int R>
tensor<T, R + 1> indices(const extent (&extents)[R]) {
    return indices<T>(detail::to_shape(extents));
}

namespace detail {

template <class K, class Last>
auto chosen(const K&, index_t, const Last& last) {
    return last;
}
template <class K, class First, class Second, class... More>
auto chosen(const K& k, index_t from, const First& first, const Second& second, const More&... more) {
    return where(k == from, first, chosen(k, from + 1, second, more...));
}

}  // namespace detail

/// The elements, place by place, of the choice that k, an array of integers, has the number of: choose(k, rc::tuple(x,
/// y, 0.0)); all broadcast. A fused map. Throws index_error for a number that none has. (numpy.choose.)
template <expression K, operand... Choices>
auto choose(const K& k, const std::tuple<Choices...>& choices) {
    static_assert(std::is_integral_v<typename K::value_type>,
                  "ricci: choose takes numbers of choices, which are integers");
    static_assert(sizeof...(Choices) > 1, "ricci: choose takes several choices: choose(k, rc::tuple(x, y))");
    const auto numbers = detail::evaluate_as<std::int64_t>(k);
    detail::require_between<index_error>(numbers, 0, sizeof...(Choices) - 1, "choose", "the choice");
    return std::apply([&](const auto&... c) { return detail::chosen(numbers, 0, c...); }, choices);
}

/// All tuples of an element of each vector, one a row, in the order of nested loops over them: n1 n2 ... x vectors. Of
/// one vector it is a column. (torch.cartesian_prod, which gives one vector back.)
template <expression... E>
auto cartesian_prod(const E&... vectors) {
    static_assert(sizeof...(E) > 0 && ((E::rank == 1) && ...), "ricci: cartesian_prod takes vectors");
    using T = common_t<typename E::value_type...>;
    return std::apply(
        [](const auto&... along) { return stack(std::make_tuple(evaluate(detail::as_type<T>(ravel(along)))...), 1); },
        meshgrid(std::make_tuple(vectors...), indexing::ij));
}
/// All choices of `r` elements of a vector, one a row, in lexicographic order of their positions; with repetition those
/// in which an element may stand several times. Throws value_error for a negative number, shape_error for more rows
/// than can be counted. (torch.combinations, itertools.combinations.)
template <expression E>
auto combinations(const E& vector, index_t r = 2, detail::yes_or_no with_replacement = false) {
    static_assert(E::rank == 1, "ricci: combinations takes a vector");
    if (r < 0 || r > std::numeric_limits<index_t>::max() / 2)
        detail::raise<value_error>({"[combinations] of ", r, " elements"});
    const auto v = evaluate(vector);
    const auto at = detail::chosen_positions<std::int64_t>(v.size(), r, with_replacement ? 0 : 1, "combinations");
    return take(v, at.to(device_t<E>{}), 0);
}

/// Positions of each axis as index arrays that broadcast to a grid, a std::tuple: x(ix_(rows, columns)) is all of these
/// rows at all of these columns. Masks, of rank 1, stand for the positions at which they are true. (numpy.ix_.)
template <expression... E>
auto ix_(const E&... positions) {
    constexpr int R = sizeof...(E);
    static_assert(R > 0 && ((E::rank == 1 && std::is_integral_v<typename E::value_type>) && ...),
                  "ricci: ix_ takes positions or masks of rank 1");
    const auto along = [](const auto& at, int axis) {
        using I = std::remove_cvref_t<decltype(at)>;
        const auto whole = [&] {
            if constexpr (std::is_same_v<typename I::value_type, bool>) return flatnonzero(at);
            else return evaluate(at);
        }();
        shape<R> own;
        for (int d = 0; d < R; ++d) own[d] = d == axis ? whole.size() : 1;
        return reshape(whole, own);
    };
    return [&]<int... D>(std::integer_sequence<int, D...>) {
        return std::make_tuple(along(positions, D)...);
    }(std::make_integer_sequence<int, R>{});
}

/// A new last axis with 1 at each number's place and 0 elsewhere, of `classes` elements; zeros for a number that is
/// none. A fused map, 64-bit integers unless T is given. Throws value_error for a negative number of classes.
/// (torch.nn.functional.one_hot, jax.nn.one_hot.)
template <element T = std::int64_t, expression E>
auto one_hot(const E& numbers, index_t classes) {
    static_assert(std::is_integral_v<typename E::value_type>, "ricci: one_hot takes integers");
    if (classes < 0) detail::raise<value_error>({"[one_hot] ", classes, " classes"});
    const auto each = arange<std::int64_t>(classes).to(device_t<E>{});
    return astype<T>(expand_dims(stop_gradient(numbers), -1) == each);
}

/// Matrices, of any sizes, one after the other on a diagonal, zeros elsewhere, in the common type; linear in each.
/// (scipy.linalg.block_diag.)
template <expression First, expression... E>
auto block_diag(const First& first, const E&... matrices) {
    static_assert(First::rank == 2 && ((E::rank == 2) && ...), "ricci: block_diag takes matrices");
    using T = common_t<typename First::value_type, typename E::value_type...>;
    const index_t width = (first.shape()[1] + ... + matrices.shape()[1]);
    index_t before = 0;
    const auto widened = [&](const auto& matrix) {
        const auto a = evaluate(detail::as_type<T>(matrix));
        const index_t rows = a.shape()[0], columns = a.shape()[1];
        const auto gap = [&](index_t n) { return zeros<T>(shape<2>{rows, n}, device_t<First>{}); };
        const auto row = concat(std::make_tuple(gap(before), a, gap(width - before - columns)), 1);
        before += columns;
        return row;
    };
    const std::tuple rows{widened(first), widened(matrices)...};  // braces: in order
    return concat(rows, 0);
}

/// Kronecker's product: each element of `a` times the whole of `b`, in its place. The lesser rank gets axes of extent 1
/// in front; numbers multiply. Shape: extent by extent the product of both.
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto kron(const A& a, const B& b) {
    if constexpr (detail::is_number<A> || detail::is_number<B>) {
        return evaluate(a * b);
    } else {
        constexpr int R = A::rank > B::rank ? A::rank : B::rank;
        const auto x = evaluate(a);
        const auto y = evaluate(b);
        const shape<R> outer = detail::pad_front<R>(x.shape()), inner = detail::pad_front<R>(y.shape());
        shape<2 * R> left, right;
        shape<R> whole;
        for (int d = 0; d < R; ++d) {
            left[2 * d] = outer[d];
            right[2 * d + 1] = inner[d];
            left[2 * d + 1] = right[2 * d] = 1;
            whole[d] = outer[d] * inner[d];
        }
        return reshape(detail::reshaped(x, left) * detail::reshaped(y, right), whole);
    }
}

}  // namespace ricci
