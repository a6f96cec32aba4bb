// Calls of reductions that nobody can mean, refused in a line: the array not first, axes that are no integers, max of two.
#pragma once
#include "../core/refused.hpp"

namespace ricci {

struct keepdims_t;
struct dropdims_t;

namespace detail {

template <class A>
concept no_axis =
    std::is_floating_point_v<A> || std::is_convertible_v<A, const char*> ||
    (!expression<A> && requires(const A& a) { a.data(); }) ||
    (std::is_class_v<A> && !expression<A> && !std::is_same_v<A, keepdims_t> && !std::is_same_v<A, dropdims_t>);
template <class A, class B, class... More>
concept misplaced_axes = (expression<A> && (no_axis<B> || (!expression<B> && (std::is_same_v<More, bool> || ...)))) ||
                         (!expression<A> && (expression<B> || (expression<More> || ...)));
template <class A, class B>
concept two_values = (expression<A> && is_inexact_v<B>) || expression<B>;

template <class A, class... B>
struct refused_axes : refused_result {
    static constexpr bool kept = (std::is_same_v<B, bool> || ...);
    static_assert(expression<A>, "ricci: the array comes first, then the axis: sum(x, 0)");
    static_assert(!expression<A> || !kept, "ricci: reduced axes are kept by `keepdims`: sum(x, 0, keepdims)");
    static_assert(!expression<A> || kept,
                  "ricci: the axes of a reduction are an integer, or integers in braces: sum(x, 0), sum(x, {0, 1})");
};

/// {.keepdims = true}: {} is none.
struct keepdims_keyword {
    struct given {
        constexpr given(bool) {}
    } keepdims;
};

template <class N>
concept bare_correction = std::is_arithmetic_v<N> && !std::is_same_v<N, bool>;
template <class Never>
struct refused_correction : refused_result {
    static_assert(always_false<Never>,
                  "ricci: a correction comes after what is kept: stddev(x, 0, {}, 1), stddev(x, 0, keepdims, 1)");
};

}  // namespace detail

#define RICCI_REFUSE_KEEPDIMS_KEYWORD(function)                     \
    template <expression E>                                         \
    auto function(const E&, int, const detail::keepdims_keyword&) { \
        return detail::refused_axes<E, bool>();                     \
    }                                                               \
    template <expression E, std::integral A, std::integral B>       \
        requires(!std::is_same_v<B, bool>)                          \
    auto function(const E&, A, B) {                                 \
        return detail::refused_axes<E, A, B>();                     \
    }
RICCI_REFUSE_KEEPDIMS_KEYWORD(sum)
RICCI_REFUSE_KEEPDIMS_KEYWORD(mean)
RICCI_REFUSE_KEEPDIMS_KEYWORD(max)
RICCI_REFUSE_KEEPDIMS_KEYWORD(min)
#undef RICCI_REFUSE_KEEPDIMS_KEYWORD

template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...>)
auto sum(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto sum(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...>)
auto mean(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto mean(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...>)
auto prod(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto prod(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...>)
auto var(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto var(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <expression E, std::integral Axis, detail::bare_correction N>
auto var(const E&, Axis, N) {
    return detail::refused_correction<E>();
}
template <expression E, int M, detail::bare_correction N>
auto var(const E&, const int (&)[M], N) {
    return detail::refused_correction<E>();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...>)
auto stddev(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto stddev(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <expression E, std::integral Axis, detail::bare_correction N>
auto stddev(const E&, Axis, N) {
    return detail::refused_correction<E>();
}
template <expression E, int M, detail::bare_correction N>
auto stddev(const E&, const int (&)[M], N) {
    return detail::refused_correction<E>();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...> && !detail::two_values<A, B>)
auto max(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto max(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <class A, class B>
    requires(detail::two_values<A, B>)
auto max(const A&, const B&) {
    static_assert(always_false<A>, "ricci: max reduces over axes; the larger of two is maximum(a, b)");
    return detail::refused_result();
}
template <class A, class B, class... More>
    requires(detail::misplaced_axes<A, B, More...> && !detail::two_values<A, B>)
auto min(const A&, const B&, const More&...) {
    return detail::refused_axes<A, B, More...>();
}
template <expression E, int N>
auto min(const E&, const int (&)[N], bool) {
    return detail::refused_axes<E, bool>();
}
template <class A, class B>
    requires(detail::two_values<A, B>)
auto min(const A&, const B&) {
    static_assert(always_false<A>, "ricci: min reduces over axes; the smaller of two is minimum(a, b)");
    return detail::refused_result();
}

}  // namespace ricci
