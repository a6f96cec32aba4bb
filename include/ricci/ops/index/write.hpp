// New arrays with elements written or added at positions: index_put, index_add, and the functions along an axis.
#pragma once
#include "../create.hpp"
#include "take.hpp"

namespace ricci {
namespace detail {

/// Values to write: of type T, under the shape of what they go to.
template <class T, class D, class V, int R>
auto values_for(const V& v, const shape<R>& selected, const char* who) {
    check_value_stays_complex<T, V>();
    if constexpr (scalar_value<V>) {
        return expanded(tensor<T, 0, D>(convert_number<T>(v)), selected);
    } else {
        static_assert(V::rank <= R, "ricci: the values have more dimensions than what they are written to");
        for (int d = 0; d < V::rank; ++d)
            if (v.shape()[d] != 1 && v.shape()[d] != selected[R - V::rank + d])
                raise<shape_error>(
                    {"[", who, "] values of shape ", v.shape(), " do not broadcast to the selected shape ", selected});
        if constexpr (V::rank == R) {
            const auto values = evaluate_as<T>(v);
            return values.shape() == selected ? values : expanded(values, selected);
        } else {
            return expanded(evaluate_as<T>(v), selected);
        }
    }
}
template <class... A>
concept plain_arrays = (std::is_void_v<typename std::remove_const_t<A>::wrapper> && ...);
/// x with y added, in the type in which sums are made, to what index arrays name of part(x). No transform sees it: the
/// sums need no array of their own, as they do for a derivative.
template <class Spec, class X, class Part, class Y, class... I>
auto added_in_copy(const Spec& spec, const X& x, const Part& part, const Y& y, const I&... index) {
    using D = typename X::device_type;
    using W = typename Y::value_type;
    const auto z = tensor<W, X::rank, D>::uninitialized(x.shape());
    executor<D>::copy(converted_result<W>(x), z);
    executor<D>::template combine_at<combine_plus>(spec, part(z), y, index...);
    return converted_result<typename X::value_type>(z);
}
/// x with v written (or, with Add, added) where index arrays say, along the axes from `at` on.
template <bool Add, bool Unique, class X, class V, class... I>
auto written(const X& x, int at, const V& v, const char* who, bool in_place, const I&... index) {
    using T = typename X::value_type;
    const auto extents = common_extents(index...);
    using spec_type = index_spec<X::rank, sizeof...(I), decltype(common_extents(index...))::rank, 0>;
    static_assert(int(sizeof...(I)) <= X::rank, "ricci: more indices than the array has axes");
    spec_type spec{at, {}};
    for (int k = 0; k < spec_type::arrays; ++k) spec.axis[k] = at + k;
    const auto values = [&](const auto&... i) {
        using W = std::conditional_t<Add, compute_t<T>, T>;  // sums of 16-bit floats are rounded once
        const auto y = values_for<W, typename X::device_type>(v, spec.selected(x.shape(), i...), who);
        if constexpr (!Add) return call1(put_op<spec_type, Unique>(spec, in_place), x, y, i...);
        else if constexpr (plain_arrays<X, std::remove_cvref_t<decltype(y)>, std::remove_cvref_t<decltype(i)>...>)
            return added_in_copy(spec, x, [](const auto& z) { return z; }, y, i...);
        else return evaluate_as<T>(x + call1(scatter_op<spec_type>(spec, x.shape()), y, i...));
    };
    return values(expanded_index(index, extents)...);
}
/// x with v written at x(indices...) where these are a view.
template <bool Add, class X, class V, class... I>
auto index_put_view(const X& x, const V& v, bool in_place, const I&... i) {
    constexpr int out = decltype(index(x, i...))::rank;
    const auto spec = index_view<out>(x.shape(), i...);
    const auto y = values_for<typename X::value_type, typename X::device_type>(v, spec.extents, "index_put");
    if constexpr (Add) return evaluate(x + call1(unview_op<X::rank, out>(spec, x.shape()), y));
    else return call1(replace_op<X::rank, out>(spec, x.shape(), in_place), x, y);
}
/// What x(indices...) names among the elements of x in row-major order.
template <class X, class... I>
auto positions_in(const X& x, const std::tuple<I...>& indices) {
    const auto numbers = reshaped(arange<index_t>(x.size()).to(typename X::device_type{}), x.shape());
    return std::apply([&](const auto&... i) { return evaluate(index(numbers, i...)); }, indices);
}
/// The same whatever the indices are: where in the array they lead is where they lead among its positions.
template <bool Add, class X, class V, class... I>
auto index_put_positions(const X& x, const std::tuple<I...>& indices, const V& v) {
    const auto at = positions_in(x, indices);
    return reshaped(written<Add, false>(reshaped(x, shape<1>{x.size()}), 0, v, "index_put", false, at), x.shape());
}
template <bool Add, class X, class V, class... I>
auto index_put_arrays(const X& x, const std::tuple<I...>& indices, const V& v, bool in_place = false) {
    if constexpr ((!is_index_array<I> && ...))
        return std::apply([&](const auto&... i) { return index_put_view<Add>(x, v, in_place, i...); }, indices);
    else if constexpr (!(is_index_array<I> && ...)) return index_put_positions<Add>(x, indices, v);
    else
        return std::apply(
            [&](const auto&... i) {
                int first = 0;
                (..., (check_mask(x.shape(), first, i), first += use_of<I>().used));
                static_assert(((use_of<I>().used > 0) && ...), "ricci: index_put takes no masks of rank 0");
                return unpack(
                    [&](const auto&... array) { return written<Add, false>(x, 0, v, "index_put", in_place, array...); },
                    concat_all(arrays_of<typename X::device_type>(i)...));
            },
            indices);
}

template <class X, class... I, class V>
auto put_over(const X& x, const std::tuple<I...>& indices, const V& v) {
    return index_put_arrays<false>(x, indices, v, true);
}

/// The op's spec along an axis: all other axes are a batch, and the axis is the last one.
template <int R>
using along_spec = index_spec<R, 1, R, R - 1>;
template <int R>
along_spec<R> along(int axis) {
    return {R - 1, {axis}};
}
/// The first extents of each axis but the last one.
template <class A, int R>
auto region_of(const A& a, const shape<R>& extents) {
    auto spec = identity_view(a.shape());
    for (int d = 0; d < R - 1; ++d) spec.extents[d] = extents[d];
    return spec;
}
template <int R, class E, class I>
int check_along(const E& x, int axis, const I& index, const char* who, bool smaller) {
    static_assert(R >= 1 && I::rank == R, "ricci: the indices must have as many dimensions as the array");
    static_assert(std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
                  "ricci: the indices must be integers");
    const int at = normalize_axis(axis, R, who);
    for (int d = 0; d < R; ++d) {
        const index_t n = index.shape()[d], have = x.shape()[d];
        if (d != at && (smaller ? n > have : n != have && n != 1 && have != 1))
            raise<shape_error>({"[", who, "] indices of shape ", index.shape(), " do not fit an array of shape ",
                                x.shape(), " along axis ", at});
    }
    return at;
}
/// x with v written along an axis, in the region that the indices cover, by `write(part, spec, values, indices)`: of a
/// part whose last axis is that one.
template <class X, class I, class V, class Write>
auto changed_along(const X& x, int axis, const I& index, const V& v, const char* who, const Write& write) {
    constexpr int R = X::rank;
    using D = typename X::device_type;
    const auto target = move_axis(x, axis, R - 1);
    const auto i = move_axis(index, axis, R - 1);
    const auto y = move_axis(values_for<typename X::value_type, D>(v, index.shape(), who), axis, R - 1);
    const auto region = region_of(target, i.shape());
    const auto part = write(view_of(target, region), along<R>(axis), y, i);
    if (region.extents == target.shape()) return move_axis(part, R - 1, axis);
    const auto filled = [&](const auto& a) { return call1(unview_op<R, R>(region, target.shape()), a); };
    const auto inside = expanded(tensor<bool, 0, D>(true), region.extents);
    return move_axis(evaluate(where(filled(inside), filled(part), target)), R - 1, axis);
}
template <class X, class I, class V>
auto written_along(const X& x, int axis, const I& index, const V& v, const char* who) {
    return changed_along(x, axis, index, v, who, [](const auto& part, const auto& spec, const auto&... from) {
        return call1(put_op<std::remove_cvref_t<decltype(spec)>, false>(spec), part, from...);
    });
}
/// x with v added along an axis.
template <class X, class I, class V>
auto added_along(const X& x, int axis, const I& index, const V& v, const char* who) {
    constexpr int R = X::rank;
    const auto target = move_axis(x, axis, R - 1);
    const auto i = move_axis(index, axis, R - 1);
    using T = typename X::value_type;
    const auto y = values_for<compute_t<T>, typename X::device_type>(v, index.shape(), who);
    const auto region = region_of(target, i.shape());
    const auto lines = move_axis(y, axis, R - 1);
    if constexpr (plain_arrays<X, decltype(y), decltype(i)>) {
        const auto part = [&](const auto& z) { return view_of(move_axis(z, axis, R - 1), region); };
        return added_in_copy(along<R>(axis), x, part, lines, i);
    } else {
        const auto sums = call1(scatter_op<along_spec<R>>(along<R>(axis), region.extents), lines, i);
        return evaluate_as<T>(x + move_axis(call1(unview_op<R, R>(region, target.shape()), sums), R - 1, axis));
    }
}

}  // namespace detail

/// `x` with the elements x(indices...) replaced by `v`, which is broadcast: index_put(x, rc::tuple(rows, columns), v),
/// or index_put(x, rc::tuple(slice(1, -1), 0), v), the form of x(slice(1, -1), 0) = v that derivatives pass through. An
/// element that is named more than once gets the last value, and the derivative of the others is 0. Throws as
/// x(indices...) does, and shape_error when `v` does not broadcast. (torch.index_put, jax's x.at[].set.)
template <expression E, class... I, class V>
[[nodiscard]] auto index_put(const E& x, const std::tuple<I...>& indices, const V& v) {
    return detail::index_put_arrays<false>(evaluate(x), indices, v);
}
/// With `accumulate`, `v` is added, to elements that are named several times as often.
template <expression E, class... I, class V>
[[nodiscard]] auto index_put(const E& x, const std::tuple<I...>& indices, const V& v, detail::yes_or_no accumulate) {
    const auto a = evaluate(x);
    return accumulate ? detail::index_put_arrays<true>(a, indices, v) : detail::index_put_arrays<false>(a, indices, v);
}

/// `x` with `v` added to its rows along `axis` at the positions `indices` (rank 1), to a row that is named several
/// times as often. Throws index_error for a position or an axis out of range, shape_error when `v` does not broadcast
/// to those rows.
template <expression E, expression I, class V>
[[nodiscard]] auto index_add(const E& x, int axis, const I& indices, const V& v) {
    static_assert(I::rank == 1, "ricci: index_add takes indices of rank 1");
    const int at = detail::normalize_axis(axis, E::rank, "index_add");
    return detail::written<true, true>(evaluate(x), at, v, "index_add", false, detail::placed<device_t<E>>(indices));
}

/// For each line of `x` along `axis` the elements at the positions in the same line of `indices`; the other axes
/// broadcast. Throws index_error for a position or an axis out of range, shape_error where the other axes do not
/// broadcast. (numpy.take_along_axis: what argsort gives.)
template <expression E, expression I>
auto take_along_axis(const E& x, const I& indices, int axis = -1) {
    constexpr int R = E::rank;
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<R>(a, axis, i, "take_along_axis", false);
    const auto source = detail::move_axis(a, at, R - 1);
    const auto lines = detail::move_axis(i, at, R - 1);
    const auto y = detail::call1(detail::gather_op<detail::along_spec<R>>(detail::along<R>(at)), source, lines);
    return detail::move_axis(y, R - 1, at);
}
/// y[i][j] = x[indices[i][j]][j] along axis 0, and so on: as take_along_axis, with indices that may cover only a part
/// of the other axes. (torch.gather.)
template <expression E, expression I>
auto gather(const E& x, int axis, const I& indices) {
    constexpr int R = E::rank;
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<R>(a, axis, i, "gather", true);
    auto spec = detail::identity_view(a.shape());
    for (int d = 0; d < R; ++d) spec.extents[d] = d == at ? a.shape()[d] : i.shape()[d];
    return take_along_axis(detail::view_of(a, spec), i, at);
}

/// `x` with `v` written at the positions that take_along_axis reads. (numpy.put_along_axis, which writes in place.)
template <expression E, expression I, class V>
[[nodiscard]] auto put_along_axis(const E& x, const I& indices, const V& v, int axis) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<E::rank>(a, axis, i, "put_along_axis", false);
    auto extents = i.shape();
    for (int d = 0; d < E::rank; ++d)
        if (d != at) extents[d] = a.shape()[d];
    return detail::written_along(a, at, detail::expanded(i, extents), v, "put_along_axis");
}
/// `x` with `v` written at the positions that gather reads; `v` broadcasts to the indices. An element that is named
/// more than once gets the last value, and the derivative of the others is 0. (torch.scatter.)
template <expression E, expression I, class V>
[[nodiscard]] auto scatter(const E& x, int axis, const I& indices, const V& v) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    return detail::written_along(a, detail::check_along<E::rank>(a, axis, i, "scatter", true), i, v, "scatter");
}
/// `x` with `v` added at the positions that gather reads: the transpose of gather. (torch.scatter_add.)
template <expression E, expression I, class V>
[[nodiscard]] auto scatter_add(const E& x, int axis, const I& indices, const V& v) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    return detail::added_along(a, detail::check_along<E::rank>(a, axis, i, "scatter_add", true), i, v, "scatter_add");
}

}  // namespace ricci
