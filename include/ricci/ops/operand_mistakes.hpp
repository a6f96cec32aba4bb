// Functions of what is no array yet, a vector or braces, shapes with what does not belong to them, and functions by
// their names alone, refused in a line.
#pragma once
#include <initializer_list>
#include <span>

#include "../core/philox.hpp"
#include "../core/refused.hpp"
#include "elementwise/function_by_name.hpp"

namespace ricci {

struct margin;

namespace detail {

/// What stands behind the shape of a distribution, where only a generator may.
template <class A>
concept no_generator = !std::is_convertible_v<A&, generator_ref>;
/// NumPy's and PyTorch's keywords.
struct keyword {
    constexpr keyword() = default;
    template <class A>
    constexpr keyword(A) {}
};
struct sort_keywords {
    keyword axis, dim, descending, stable, reverse;
};
struct argnums_keyword {
    keyword argnums, has_aux;
};
struct clip_keywords {
    keyword min, max, a_min, a_max, lower, upper;
};
template <class Never>
struct refused_order : refused_result {
    static_assert(always_false<Never>,
                  "ricci: the parameters come before the shape, a generator after it: "
                  "random::normal(0, 1, {3, 4}, generator(42))");
};

/// A function of anything, so that the error before it is the only one.
struct refused_function {
    template <class... A>
    double operator()(const A&...) const;
};
template <class Never>
struct refused_name : refused_function {
    static_assert(always_false<Never>,
                  "ricci: a transform takes a lambda, since the name alone says many functions: "
                  "grad([](auto x) { return sum(sin(x)); })(v), vmap([](auto x) { return sin(x); })(v)");
};
template <class E>
struct refused_value : refused_function {
    static_assert(always_false<E>,
                  "ricci: a transform takes a function, not a value of it: grad([](auto x) { return sum(x * x); })(v)");
};
template <class Never>
struct refused_options : refused_function {
    static_assert(
        always_false<Never>,
        "ricci: a transform takes a lambda and options of its own: derivatives argnums<0, 2>, has_aux and, "
        "if they are matrices, {.chunk_size = 64}; vmap in_axes(none, 0), out_axes(0) and {.chunk_size = 64}");
};

}  // namespace detail

// The element type alone is given, not the rank; and extents are integers.
#define RICCI_REFUSE_RANK(function)                                                                       \
    template <element T, int Rank, int R, class... More>                                                  \
    auto function(const extent(&)[R], const More&...) {                                                   \
        static_assert(always_false<T>, "ricci: the extents say the rank: " #function "<double>({3, 4})"); \
        return detail::refused_result();                                                                  \
    }                                                                                                     \
    template <element T, int Rank, std::integral N, class... More>                                        \
    auto function(N, const More&...) {                                                                    \
        static_assert(always_false<T>, "ricci: the extents say the rank: " #function "<double>({3, 4})"); \
        return detail::refused_result();                                                                  \
    }                                                                                                     \
    template <element T = double, std::floating_point N, class... More>                                   \
    auto function(N, const More&...) {                                                                    \
        static_assert(always_false<N>, "ricci: extents are integers: " #function "({3, 4})");             \
        return detail::refused_result();                                                                  \
    }                                                                                                     \
    template <element T = double, std::floating_point N, int R, class... More>                            \
    auto function(const N(&)[R], const More&...) {                                                        \
        static_assert(always_false<N>, "ricci: extents are integers: " #function "({3, 4})");             \
        return detail::refused_result();                                                                  \
    }                                                                                                     \
    template <element T = double, class First, class... N, class... More>                                 \
    auto function(const std::tuple<First, N...>&, const More&...) { /* not {}, which is rank 0 */         \
        static_assert(always_false<T>, "ricci: extents stand in braces: " #function "({3, 4})");          \
        return detail::refused_result();                                                                  \
    }
RICCI_REFUSE_RANK(zeros)
RICCI_REFUSE_RANK(ones)
RICCI_REFUSE_RANK(empty)
RICCI_REFUSE_RANK(rand)
RICCI_REFUSE_RANK(randn)
#undef RICCI_REFUSE_RANK

// A transform of a name, and through the ellipsis of what no other overload takes: the compiler would list them all.
#define RICCI_REFUSE_FUNCTIONS(transform)                                        \
    template <class Never = void>                                                \
    auto transform(detail::function_by_name) {                                   \
        return detail::refused_name<Never>();                                    \
    }                                                                            \
    template <expression E>                                                      \
    auto transform(E) {                                                          \
        return detail::refused_value<E>();                                       \
    }                                                                            \
    template <class Never = void>                                                \
    auto transform(...) {                                                        \
        return detail::refused_options<Never>();                                 \
    }                                                                            \
    template <int Position, int...>                                              \
    auto transform(...) {                                                        \
        return detail::refused_options<std::integral_constant<int, Position>>(); \
    }
RICCI_REFUSE_FUNCTIONS(grad)
RICCI_REFUSE_FUNCTIONS(value_and_grad)
#define RICCI_REFUSE_ARGNUMS(transform)                        \
    template <class F>                                         \
    auto transform(const F&, const detail::argnums_keyword&) { \
        return detail::refused_options<F>();                   \
    }
RICCI_REFUSE_ARGNUMS(grad)
RICCI_REFUSE_ARGNUMS(value_and_grad)
#undef RICCI_REFUSE_ARGNUMS
RICCI_REFUSE_FUNCTIONS(jacfwd)
RICCI_REFUSE_FUNCTIONS(jacrev)
RICCI_REFUSE_FUNCTIONS(hessian)
RICCI_REFUSE_FUNCTIONS(vmap)
#undef RICCI_REFUSE_FUNCTIONS

// JAX's order.
#define RICCI_REFUSE_GENERATOR_FIRST(function)                                                                   \
    template <class T = void, std::same_as<generator> G>                                                         \
    auto function(const G&, std::initializer_list<index_t>) {                                                    \
        static_assert(always_false<G>,                                                                           \
                      "ricci: the shape comes first, the generator last: " #function "({3, 4}, generator(42))"); \
        return detail::refused_result();                                                                         \
    }
RICCI_REFUSE_GENERATOR_FIRST(rand)
RICCI_REFUSE_GENERATOR_FIRST(randn)
namespace random {
RICCI_REFUSE_GENERATOR_FIRST(uniform)
RICCI_REFUSE_GENERATOR_FIRST(normal)
}  // namespace random
#undef RICCI_REFUSE_GENERATOR_FIRST

template <element T = double, int R, class V>
    requires(!device_tag<V>)
auto zeros(const extent (&extents)[R], const V&) {
    static_assert(always_false<V>,
                  "ricci: zeros takes a shape; other values are full({2, 3}, 1.5), types zeros<float>({2, 3})");
    return zeros<T>(extents);
}
template <element T = double, int R, class V>
    requires(!device_tag<V>)
auto ones(const extent (&extents)[R], const V&) {
    static_assert(always_false<V>,
                  "ricci: ones takes a shape; other values are full({2, 3}, 1.5), types ones<float>({2, 3})");
    return ones<T>(extents);
}
template <element T = double, int R>
auto full(const extent (&extents)[R]) {
    static_assert(always_false<T>, "ricci: full is told the value: full({2, 3}, 1.5)");
    return zeros<T>(extents);
}
template <detail::extent_value N, detail::extent_value M, class V, class... More>
auto full(const N&, const M&, const V&, const More&...) {
    static_assert(always_false<N>, "ricci: the shape that full takes stands in braces: full({2, 3}, 1.5)");
    return detail::refused_result();
}
template <element T = double, expression E>
    requires(!detail::extent_value<E>)
auto ones(const E& x) {
    static_assert(always_false<E>, "ricci: ones takes a shape; of the shape of an array is ones_like(x)");
    return x;
}
template <element T = double, expression E>
    requires(!detail::extent_value<E>)
auto zeros(const E& x) {
    static_assert(always_false<E>, "ricci: zeros takes a shape; of the shape of an array is zeros_like(x)");
    return x;
}
template <expression E, scalar_value Order, std::integral Axis>
auto norm(const E& x, Order, Axis) {
    static_assert(always_false<E>,
                  "ricci: norm(x, 1) is the 2-norm along an axis: others are linalg::norm(x, order, axis)");
    return x;
}
template <expression E>
auto clip(const E& x) {
    static_assert(always_false<E>, "ricci: clip is told the bounds: clip(x, 0, 1), clip(x, 0, none), clip(x, none, 1)");
    return x;
}
template <expression E>
auto clip(const E& x, const detail::clip_keywords&) {
    static_assert(always_false<E>, "ricci: clip is told the bounds: clip(x, 0, 1), clip(x, 0, none), clip(x, none, 1)");
    return x;
}
template <scalar_value V>
auto full(V, std::initializer_list<index_t>) {
    static_assert(always_false<V>, "ricci: the shape comes first, then the value: full({2, 3}, 1.5)");
    return detail::refused_result();
}
template <expression E, class F, class... More>
    requires(!operand<F>)
auto map(const E& x, const F&, const More&...) {
    static_assert(always_false<E>, "ricci: the function comes first: map([](auto a) { return sin(a); }, x)");
    return x;
}
template <expression E, int N>
auto pad(const E& x, const margin (&)[N], const char*) {
    static_assert(always_false<E>, "ricci: how to pad is no text: pad(x, 1, 0.5), pad(x, 1, pad_mode::reflect)");
    return x;
}
template <expression E>
auto sort(const E& x, const char*) {
    static_assert(always_false<E>, "ricci: sort takes an axis and whether to descend: sort(x, -1, true)");
    return x;
}
template <expression E>
auto sort(const E& x, const detail::sort_keywords&) {
    static_assert(always_false<E>, "ricci: sort takes an axis and whether to descend: sort(x, -1, true)");
    return x;
}
template <expression E, int N>
auto argmax(const E& x, const int (&)[N]) {
    static_assert(always_false<E>, "ricci: argmax takes one axis, or none for the position among all elements");
    return x;
}
template <expression E, int N>
auto argmin(const E& x, const int (&)[N]) {
    static_assert(always_false<E>, "ricci: argmin takes one axis, or none for the position among all elements");
    return x;
}
template <expression E, std::floating_point T>
auto reshape(const E& x, std::initializer_list<T>) {
    static_assert(always_false<E>, "ricci: extents are integers: reshape(x, {3, 4})");
    return x;
}
template <expression E, std::floating_point Axis>
auto cumsum(const E& x, Axis) {
    static_assert(always_false<E>, "ricci: an axis is an integer: cumsum(x, 0)");
    return x;
}
template <expression E, std::floating_point I, class... Axis>
auto take(const E& x, I, Axis...) {
    static_assert(always_false<E>, "ricci: take's positions are integers: take(x, 1, 0)");
    return x;
}

// Those that are given a list most often. An overload is found only where the argument is one, or among several, any.
#define RICCI_REFUSE_LISTS(function)                     \
    template <detail::list_of_elements A, class... More> \
        requires(!(expression<More> || ...))             \
    auto function(const A&, const More&...) {            \
        return detail::refused_list<A>();                \
    }
// What a loop over an array gives, where rows were meant. One number: a user's own sum(1, 2, 3) is left to them, and the
// empty pack has a template of theirs win.
#define RICCI_REFUSE_NUMBERS(function)                                                                     \
    template <class N, class... More>                                                                      \
        requires(std::is_arithmetic_v<N> && sizeof...(More) == 0)                                          \
    auto function(const N&, const More&...) {                                                              \
        static_assert(always_false<N>, "ricci: " #function                                                 \
                                       " takes an array, not a number: `for (double a : x)` goes through " \
                                       "elements; the rows of x are x(i), for i below x.shape(0)");        \
        return detail::refused_result();                                                                   \
    }
#define RICCI_REFUSE_LISTS_AMONG(function)   \
    template <class... A>                    \
        requires(detail::any_list<A...>)     \
    auto function(const A&...) {             \
        return detail::refused_list<A...>(); \
    }
#define RICCI_REFUSE_OPERANDS(function, how)                                              \
    template <class... A>                                                                 \
    auto function(const A&...) {                                                          \
        static_assert(detail::any_list<A...> || always_false<void(A...)>, "ricci: " how); \
        if constexpr (detail::any_list<A...>) return detail::refused_list<A...>();        \
        else return detail::refused_result();                                             \
    }
#define RICCI_REFUSE_BRACES(function)                   \
    template <class A, element T>                       \
    auto function(const A&, std::initializer_list<T>) { \
        return detail::refused_list<A>();               \
    }
template <detail::list_of_elements A, class... More>
    requires(std::is_arithmetic_v<typename A::value_type>)
auto stack(const A&, const More&...) {
    return detail::refused_list<A>();
}
RICCI_REFUSE_LISTS(sum)
RICCI_REFUSE_LISTS(mean)
RICCI_REFUSE_NUMBERS(sum)
RICCI_REFUSE_NUMBERS(mean)
RICCI_REFUSE_LISTS(var)
RICCI_REFUSE_LISTS(stddev)
RICCI_REFUSE_LISTS(max)
RICCI_REFUSE_LISTS(min)
RICCI_REFUSE_LISTS(median)
RICCI_REFUSE_LISTS(cumsum)
RICCI_REFUSE_LISTS(diff)
RICCI_REFUSE_LISTS(sort)
RICCI_REFUSE_LISTS(argsort)
RICCI_REFUSE_LISTS(exp)
RICCI_REFUSE_LISTS(log)
RICCI_REFUSE_LISTS(sqrt)
RICCI_REFUSE_LISTS(sin)
RICCI_REFUSE_LISTS(cos)
RICCI_REFUSE_LISTS(abs)
RICCI_REFUSE_LISTS(square)
RICCI_REFUSE_LISTS_AMONG(quantile)
RICCI_REFUSE_LISTS_AMONG(percentile)
RICCI_REFUSE_LISTS_AMONG(where)
RICCI_REFUSE_OPERANDS(matmul, "matmul multiplies arrays, matmul(a, b); a * 2 multiplies by a number")
RICCI_REFUSE_BRACES(matmul)
RICCI_REFUSE_OPERANDS(dot, "dot multiplies two arrays: dot(a, b)")
RICCI_REFUSE_BRACES(dot)
RICCI_REFUSE_OPERANDS(vdot, "vdot multiplies two arrays: vdot(a, b)")
RICCI_REFUSE_OPERANDS(inner, "inner multiplies two arrays: inner(a, b)")
RICCI_REFUSE_OPERANDS(kron, "kron multiplies two arrays: kron(a, b)")
RICCI_REFUSE_OPERANDS(outer, "outer multiplies two arrays: outer(a, b)")
RICCI_REFUSE_LISTS_AMONG(interp)
RICCI_REFUSE_LISTS_AMONG(polyval)
RICCI_REFUSE_LISTS_AMONG(trapezoid)
RICCI_REFUSE_LISTS_AMONG(simpson)
RICCI_REFUSE_LISTS_AMONG(cov)
RICCI_REFUSE_LISTS_AMONG(corrcoef)
RICCI_REFUSE_LISTS_AMONG(histogram)
RICCI_REFUSE_LISTS_AMONG(searchsorted)
template <element T, class X>
auto polyval(std::initializer_list<T>, const X&) {
    return detail::refused_list<X>();
}

namespace detail {
/// NumPy's keyword of lstsq.
struct named_rcond {
    double rcond;
};
}  // namespace detail
namespace linalg {

RICCI_REFUSE_LISTS(norm)
RICCI_REFUSE_OPERANDS(solve, "linalg::solve takes a matrix and a right side, arrays both: solve(a, b); inv(a) inverts")
RICCI_REFUSE_BRACES(solve)
RICCI_REFUSE_LISTS_AMONG(lstsq)
RICCI_REFUSE_BRACES(lstsq)
template <class A, class B>
auto lstsq(const A&, const B&, const detail::named_rcond&) {
    static_assert(always_false<A>, "ricci: linalg::lstsq takes the tolerance as a number: lstsq(a, b, 1e-3)");
    return detail::refused_result();
}
template <class A>
auto lstsq(const A&, ...) {
    static_assert(always_false<A>, "ricci: linalg::lstsq takes a matrix and a right side, arrays both: lstsq(a, b)");
    return detail::refused_result();
}

}  // namespace linalg
}  // namespace ricci
#undef RICCI_REFUSE_LISTS
#undef RICCI_REFUSE_NUMBERS
#undef RICCI_REFUSE_LISTS_AMONG
#undef RICCI_REFUSE_OPERANDS
#undef RICCI_REFUSE_BRACES
