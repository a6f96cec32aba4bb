// vmap against its definition: the function called on one member after the other.
#pragma once
#include "derivatives.hpp"

namespace mapped {

using namespace derivative_checks;

/// x[..., i, ...] at the given axis, as an array of its own.
template <class T, int R>
auto member(const tensor<T, R>& x, int axis, index_t i) {
    int front[R] = {axis < 0 ? axis + R : axis};
    for (int d = 0, k = 1; d < R; ++d)
        if (d != front[0]) front[k++] = d;
    return permute(x, front)(i).clone();
}
template <class X>
auto member(const X& x, none_t, index_t) {
    return x;
}
template <class X>
index_t extent(const X& x, int axis) {
    return x.shape(axis);
}
template <class X>
index_t extent(const X&, none_t) {
    return -1;
}

/// vmap(f, in, out)(x...) is the stack of f(members...) along axis `out`.
template <class F, class... Axis, class... X>
void check_vmap(const F& f, const axes_t<Axis...>& in, int out, const X&... x) {
    const auto actual = vmap(f, in, out)(x...);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        index_t n = -1;
        ((n = std::max(n, extent(x, std::get<I>(in.axis)))), ...);
        for (index_t i = 0; i < n; ++i) {
            CAPTURE(i);
            check_close(member(actual, out, i), f(member(x, std::get<I>(in.axis), i)...));
        }
        CHECK(actual.shape(out) == n);
    }(std::index_sequence_for<X...>{});
}
template <class F, class X>
void check_vmap(const F& f, const X& x) {
    check_vmap(f, in_axes(0), 0, x);
}

}  // namespace mapped
