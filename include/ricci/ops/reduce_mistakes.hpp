// Calls of reductions that nobody can mean, refused in a line: the array not first, axes that are no integers, max of
// two.
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

template <class E>
struct refused_order_of_complex : refused_result {
    static_assert(always_false<E>, "ricci: complex numbers have no order: max(abs(z)), max(real(z))");
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

#define RICCI_REFUSE_MISPLACED_AXES(function, ...)      \
    template <class A, class B, class... More>          \
        requires(__VA_ARGS__)                           \
    auto function(const A&, const B&, const More&...) { \
        return detail::refused_axes<A, B, More...>();   \
    }                                                   \
    template <expression E, int N>                      \
    auto function(const E&, const int(&)[N], bool) {    \
        return detail::refused_axes<E, bool>();         \
    }
RICCI_REFUSE_MISPLACED_AXES(sum, detail::misplaced_axes<A, B, More...>)
RICCI_REFUSE_MISPLACED_AXES(mean, detail::misplaced_axes<A, B, More...>)
RICCI_REFUSE_MISPLACED_AXES(prod, detail::misplaced_axes<A, B, More...>)
RICCI_REFUSE_MISPLACED_AXES(var, detail::misplaced_axes<A, B, More...>)
RICCI_REFUSE_MISPLACED_AXES(stddev, detail::misplaced_axes<A, B, More...>)
RICCI_REFUSE_MISPLACED_AXES(max, detail::misplaced_axes<A, B, More...> && !detail::two_values<A, B>)
RICCI_REFUSE_MISPLACED_AXES(min, detail::misplaced_axes<A, B, More...> && !detail::two_values<A, B>)
#undef RICCI_REFUSE_MISPLACED_AXES

#define RICCI_REFUSE_CORRECTION(function)                                  \
    template <expression E, std::integral Axis, detail::bare_correction N> \
    auto function(const E&, Axis, N) {                                     \
        return detail::refused_correction<E>();                            \
    }                                                                      \
    template <expression E, int M, detail::bare_correction N>              \
    auto function(const E&, const int(&)[M], N) {                          \
        return detail::refused_correction<E>();                            \
    }
RICCI_REFUSE_CORRECTION(var)
RICCI_REFUSE_CORRECTION(stddev)
#undef RICCI_REFUSE_CORRECTION

// The axis as a template argument.
#define RICCI_REFUSE_TEMPLATE_AXIS(function)                                                                        \
    template <int Axis, int... More, expression E, class... A>                                                      \
    auto function(const E&, const A&...) {                                                                          \
        static_assert(always_false<E>, "ricci: axes are arguments: " #function "(x, 0), " #function "(x, {0, 1})"); \
        return detail::refused_result();                                                                            \
    }
RICCI_REFUSE_TEMPLATE_AXIS(sum)
RICCI_REFUSE_TEMPLATE_AXIS(mean)
RICCI_REFUSE_TEMPLATE_AXIS(max)
RICCI_REFUSE_TEMPLATE_AXIS(min)
#undef RICCI_REFUSE_TEMPLATE_AXIS

template <class A, class B>
    requires(detail::two_values<A, B>)
auto max(const A&, const B&) {
    static_assert(always_false<A>, "ricci: max reduces over axes; the larger of two is maximum(a, b)");
    return detail::refused_result();
}
template <class A, class B>
    requires(detail::two_values<A, B>)
auto min(const A&, const B&) {
    static_assert(always_false<A>, "ricci: min reduces over axes; the smaller of two is minimum(a, b)");
    return detail::refused_result();
}

}  // namespace ricci
