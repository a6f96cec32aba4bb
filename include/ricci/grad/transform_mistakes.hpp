// What the transforms say to a point given beside a function that they make a function of, and to a function without
// its point.
#pragma once
#include "../ops/operand_mistakes.hpp"
#include "transforms.hpp"

namespace ricci {
namespace detail {

template <class F>
struct refused_parameters : refused_function {
    static_assert(takes_any_types<F>());
};

}  // namespace detail

template <detail::names_its_types F>
auto grad(F) {
    return detail::refused_parameters<F>();
}
template <detail::names_its_types F>
auto value_and_grad(F) {
    return detail::refused_parameters<F>();
}

template <class F, expression X, expression... More>
auto grad(F, const X& x, const More&...) {
    static_assert(always_false<F>, "ricci: grad(f) is a function: grad(f)(x)");
    return x;
}

template <class F, expression X, expression... More>
auto value_and_grad(F, const X& x, const More&...) {
    static_assert(always_false<F>, "ricci: value_and_grad(f) is a function: value_and_grad(f)(x)");
    return std::make_tuple(x, x);
}

template <class F, class... More>
    requires(!expression<F> && !detail::list_of_elements<F>)
auto gradient(const F&, const More&...) {
    static_assert(always_false<F>,
                  "ricci: gradient(y) is of samples, numpy.gradient; that of a function is grad(f)(x)");
    return detail::refused_function();
}

template <class F>
auto vjp(F f) {
    static_assert(always_false<F>, "ricci: vjp takes the arguments, too: auto [y, pull] = vjp(f, x)");
    return [f](const auto&... x) { return vjp(f, x...); };
}
template <class F>
auto linearize(F f) {
    static_assert(always_false<F>, "ricci: linearize takes the arguments, too: auto [y, push] = linearize(f, x)");
    return [f](const auto&... x) { return linearize(f, x...); };
}
template <class F, class... X>
    requires(sizeof...(X) < 2)
auto jvp(F f, const X&...) {
    static_assert(always_false<F>,
                  "ricci: jvp takes the arguments and their tangents, too: auto [y, y_dot] = jvp(f, x, x_dot)");
    return [f](const auto& x, const auto&...) { return jvp(f, x, x); };
}
template <class F, class... X>
    requires(sizeof...(X) < 2)
auto hvp(F, const X&...) {
    static_assert(always_false<F>, "ricci: hvp takes a point and a direction, too: hvp(f, x, v)");
    return [](const auto& x, const auto&...) { return x; };
}

}  // namespace ricci
