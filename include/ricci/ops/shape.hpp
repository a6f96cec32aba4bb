// Functions that move elements to another shape: permute, reshape, expand and their relatives. Views where strides
// allow.
#pragma once
#include "../expr/fused.hpp"

namespace ricci {
namespace detail {

/// Two axes in each other's place. A view.
template <class A>
auto exchange_axes(const A& a, int i, int j) {
    auto spec = identity_view(a.shape());
    std::swap(spec.source[i], spec.source[j]);
    std::swap(spec.extents[i], spec.extents[j]);
    return view_of(a, spec);
}
/// The view of elements start, start + step, ... along an axis.
template <class A>
auto steps_of(const A& a, int axis, index_t start, index_t step, index_t count) {
    auto spec = identity_view(a.shape());
    spec.start[axis] = count > 0 ? start : 0;
    spec.step[axis] = step;
    spec.extents[axis] = count;
    return view_of(a, spec);
}
/// The view of elements first ... first + count - 1 along an axis.
template <class A>
auto stretch_of(const A& a, int axis, index_t first, index_t count) {
    return steps_of(a, axis, first, 1, count);
}
/// The view of `count` windows of `width` elements of an axis, `hop` apart: that axis counts windows, a new last one
/// their elements.
template <int R>
view_spec<R, R + 1> window_spec(const shape<R>& extents, int axis, index_t count, index_t width, index_t hop) {
    view_spec<R, R + 1> spec;
    for (int d = 0; d < R; ++d) {
        spec.source[d] = d;
        spec.step[d] = d == axis ? hop : 1;
        spec.extents[d] = d == axis ? count : extents[d];
    }
    spec.source[R] = axis;
    spec.step[R] = 1;
    spec.extents[R] = width;
    return spec;
}
/// Numbers for the places of an axis, as an array that broadcasts along it.
template <int R, class V>
auto beside_axis(const V& v, int axis) {
    shape<R> extents = unit_shape<R>();
    extents[axis] = v.size();
    return reshaped(v, extents);
}

}  // namespace detail

/// The axes of `x` in another order: axis d of the result is axis `axes[d]` of x. A view. Throws index_error when the
/// axes are no permutation.
template <expression E, int R>
auto permute(const E& x, const int (&axes)[R]) {
    static_assert(R == E::rank, "ricci: permute needs one axis number for each axis");
    const auto a = evaluate(x);
    auto spec = detail::identity_view(a.shape());
    bool seen[R] = {};
    for (int d = 0; d < R; ++d) {
        const int s = detail::normalize_axis(axes[d], R, "permute");
        if (seen[s]) detail::raise<index_error>({"[permute] axis ", s, " is named twice"});
        seen[s] = true;
        spec.source[d] = s;
        spec.extents[d] = a.shape()[s];
    }
    return detail::view_of(a, spec);
}

/// With the axes in a std::array.
template <expression E>
auto permute(const E& x, const detail::extent_list auto& axes) {
    const auto list = detail::shape_of_list(axes);
    int numbers[decltype(list)::rank];
    for (int d = 0; d < list.size(); ++d) numbers[d] = static_cast<int>(list[d]);
    return permute(x, numbers);
}
template <expression E, std::integral... Axis>
auto permute(const E& x, Axis...) {
    static_assert(always_false<E>, "ricci: the axes stand in braces: permute(x, {1, 0})");
    return x;
}
/// permute under the array API's name.
template <expression E, int R>
auto permute_dims(const E& x, const int (&axes)[R]) {
    return permute(x, axes);
}

/// The last two axes exchanged. A view.
template <expression E>
auto matrix_transpose(const E& x) {
    static_assert(E::rank >= 2, "ricci: matrix_transpose needs an array of rank 2 or more");
    return detail::exchange_axes(evaluate(x), E::rank - 2, E::rank - 1);
}

/// The same elements in row-major order under another shape; one extent may be -1 and is then inferred. A view where
/// strides allow, else a copy. Throws shape_error when the numbers of elements differ.
template <expression E, int R>
auto reshape(const E& x, const shape<R>& extents) {
    const auto a = evaluate(x);
    const index_t n = a.shape().count();
    shape<R> to = extents;
    int open = -1;
    for (int d = 0; d < R; ++d) {
        if (to[d] >= 0) continue;
        if (to[d] != -1 || open >= 0)
            detail::raise<value_error>({"[reshape] one extent may be -1, no more: ", extents});
        open = d;
        to[d] = 1;
    }
    detail::check_extents(to, 1, "reshape");
    const index_t known = to.count();
    if (open >= 0) to[open] = known > 0 ? n / known : 0;
    if (to.count() != n || (open >= 0 && known == 0))
        detail::raise<shape_error>(
            {"[reshape] an array of shape ", a.shape(), " has ", n, " elements and does not fit shape ", extents});
    return detail::reshaped(a, to);
}
template <expression E, int R>
auto reshape(const E& x, const extent (&extents)[R]) {
    return reshape(x, detail::to_shape(extents));
}
/// The only element, of rank 0.
template <expression E>
auto reshape(const E& x, no_extents) {
    return reshape(x, shape<0>{});
}
template <expression E, std::integral... N>
    requires(sizeof...(N) > 0)
auto reshape(const E& x, N... extents) {
    return reshape(x, shape<int(sizeof...(N))>{static_cast<index_t>(extents)...});
}
template <expression E>
auto reshape(const E& x, const detail::extent_list auto& extents) {
    return reshape(x, detail::shape_of_list(extents));
}

/// `x` with the axes from Start to End, negative ones counted from the end, as one: flatten<1>(images). A number
/// becomes a vector of one. As reshape, a view where strides allow. (torch.flatten.)
template <int Start = 0, int End = -1, expression E>
auto flatten(const E& x) {
    constexpr int R = E::rank > 0 ? E::rank : 1;
    constexpr int first = Start < 0 ? Start + R : Start, last = End < 0 ? End + R : End;
    static_assert(0 <= first && first <= last && last < R, "ricci: flatten<Start, End>(x) names axes of x, in order");
    if constexpr (!(0 <= first && first <= last && last < R)) {
        return evaluate(x);
    } else if constexpr (E::rank == 0) {
        return reshape(x, shape<1>{1});
    } else {
        const auto a = evaluate(x);
        shape<R - (last - first)> extents;
        for (int d = 0; d < R; ++d) {
            const int at = d < first ? d : d <= last ? first : d - (last - first);
            extents[at] = d > first && d <= last ? extents[at] * a.shape()[d] : a.shape()[d];
        }
        return reshape(a, extents);
    }
}
template <expression E, std::integral... I>
    requires(sizeof...(I) > 0)
auto flatten(const E& x, I...) {
    static_assert(always_false<E>, "ricci: the axes decide about the rank: flatten<1>(x), flatten<0, 1>(x)");
    return x;
}

namespace detail {
/// A view of `a` under a shape that its own broadcasts to.
template <detail::array A, int R>
auto broadcast_view(const A& a, const shape<R>& extents, const char* who) {
    view_spec<A::rank, R> spec;
    for (int d = 0; d < R; ++d) {
        const int s = d - (R - A::rank);
        const index_t have = s < 0 ? 1 : a.shape()[s];
        spec.extents[d] = extents[d];
        spec.source[d] = s >= 0 && have == extents[d] ? s : -1;
        spec.step[d] = 1;
        if (extents[d] < 0 || (have != extents[d] && have != 1))
            raise<shape_error>({"[", who, "] shape ", a.shape(), " does not broadcast to ", extents});
    }
    check_extents(extents, 1, who);
    return view_of(a, spec);
}
/// expand as ops use it, which write into nothing that is expanded: of the type that other views have.
template <expression E, int R>
auto expanded(const E& x, const shape<R>& extents) {
    static_assert(R >= E::rank, "ricci: expand cannot drop axes");
    const auto a = evaluate(x);
    shape<R> to = extents;
    for (int d = R - E::rank; d < R; ++d)
        if (to[d] == -1) to[d] = a.shape()[d - (R - E::rank)];
    return broadcast_view(a, to, "expand");
}
}  // namespace detail

/// `x` broadcast to a shape that its own broadcasts to, where -1 stands for the extent that x has. A view whose
/// repeated axes have stride 0; of plain arrays a read-only one, since an element stands for several places: clone()
/// can be written to. Throws shape_error when it does not. (torch's Tensor.expand.)
template <expression E, int R>
auto expand(const E& x, const shape<R>& extents) {
    return detail::read_only(detail::expanded(x, extents));
}
template <expression E, int R>
auto expand(const E& x, const extent (&extents)[R]) {
    return expand(x, detail::to_shape(extents));
}
template <expression E>
auto expand(const E& x, const detail::extent_list auto& extents) {
    return expand(x, detail::shape_of_list(extents));
}

namespace detail {

/// Axis `from` at position `to`, the others in their order. A view.
template <class A>
auto move_axis(const A& a, int from, int to) {
    auto spec = identity_view(a.shape());
    int s = 0;
    for (int d = 0; d < A::rank; ++d) {
        if (s == from) ++s;
        spec.source[d] = d == to ? from : s++;
        spec.extents[d] = a.shape()[spec.source[d]];
    }
    return view_of(a, spec);
}

/// One new axis of extent 1 at the front. A view.
template <class A>
auto unsqueeze_front(const A& a) {
    return reshaped(a, prefixed(1, a.shape()));
}

/// What belongs to the elements of one axis (weights, places): of rank 1, as many as the axis has, as an array that
/// broadcasts along it; or of the array's own shape, as it is.
template <int R, class W>
auto broadcast_along(const W& w, const shape<R>& extents, int axis, const char* who, const char* what) {
    static_assert(W::rank == 1 || W::rank == R,
                  "ricci: weights and places along an axis are of rank 1, or of the array's rank");
    shape<R> to;
    for (int d = 0; d < R; ++d) to[d] = W::rank == R || d == axis ? extents[d] : 1;
    if (W::rank == R ? pad_front<R>(w.shape()) != to : w.shape()[0] != to[axis])
        raise<shape_error>({"[", who, "] ", what, " of shape ", w.shape(), " for axis ", axis, " of shape ", extents});
    return reshaped(w, to);
}

/// `a` summed over the axes along which `to` was broadcast to its shape: the transpose of broadcasting.
template <int Q, class A>
auto sum_to(const A& a, const shape<Q>& to) {
    using T = typename A::value_type;
    const auto summed = [&] {
        return call1(forward_op<A::rank, true, Q, type_list<T>>(slot<0, T>{}, pad_front<A::rank>(to), to), a);
    };
    if constexpr (variable_like<A>) {
        if constexpr (A::rank == Q)
            if (a.shape() == to) return a;
        view_spec<Q, A::rank> spec;  // as a linear op, which has no kernel for its derivative
        for (int d = 0; d < A::rank; ++d) {
            const int s = d - (A::rank - Q);
            spec.extents[d] = a.shape()[d];
            spec.source[d] = s >= 0 && to[s] == a.shape()[d] ? s : -1;
            spec.step[d] = 1;
        }
        return call1(unview_op<Q, A::rank>(spec, to), a);
    } else {
        if constexpr (std::is_same_v<decltype(summed()), A>)
            if (a.shape() == to) return a;
        return summed();
    }
}

}  // namespace detail
}  // namespace ricci
