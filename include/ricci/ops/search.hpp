// Reductions to truth values, counts and positions: all, any, count_nonzero, argmax, argmin.
#pragma once
#include <array>
#include <concepts>

#include "checked_values.hpp"
#include "create.hpp"
#include "elementwise/floor_divide.hpp"
#include "elementwise/remainder.hpp"
#include "index/take.hpp"
#include "reduce.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// What is counted: truth values have no derivative, so that a map of plain arrays need not be evaluated first.
template <class E>
auto counted_operand(const E& e) {
    if constexpr (deferred<E> || E::is_array || !all_plain<E>()) return stop_gradient(e);
    else return e;
}
template <int N, class Keep, class E>
auto count_axes(const E& e, const int* axes, const char* what) {
    const auto x = counted_operand(e);
    return sum_over<std::int64_t>(x != typename E::value_type(0),
                                  reduction_axes<E::rank, N, Keep>(e.shape(), axes, what));
}
template <int N, class Keep, class E>
auto any_axes(const E& e, const int* axes) {
    using T = typename E::value_type;
    const auto x = counted_operand(e);
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, "any");
    if constexpr (std::is_same_v<T, bool>) return any_over(x, a);
    else return any_over(x != T(0), a);
}
template <int N, class Keep, class E>
auto all_axes(const E& e, const int* axes) {
    using T = typename E::value_type;
    const auto x = counted_operand(e);
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, "all");
    if constexpr (std::is_same_v<T, bool>) return evaluate(!any_over(!x, a));
    else return evaluate(!any_over(x == T(0), a));
}

/// 0, 1, ... along an axis of arrays of rank R.
template <class P, int R, class D>
auto positions_along(int axis, index_t n, D device) {
    shape<R> extents;
    for (int d = 0; d < R; ++d) extents[d] = d == axis ? n : 1;
    return reshape(arange<P>(static_cast<P>(n)).to(device), extents);
}
/// The first position along an axis where `hit` holds, computed in the type P, which the kernel shares with the values.
template <class P, class Keep, class H>
auto first_position(const H& hit, int axis) {
    const index_t n = hit.shape()[axis];
    const auto at = positions_along<P, H::rank>(axis, n, device_t<H>{});
    return evaluate(astype<std::int64_t>(min_axes<1, Keep>(where(hit, at, static_cast<P>(n)), &axis)));
}
/// Where an extremum is first; a NaN is one.
template <class Combine, class Keep, class E>
auto arg_extremum(const E& e, int axis, const char* what) {
    using T = typename E::value_type;
    static_assert(!is_complex_v<T>, "ricci: complex numbers have no order");
    const auto x = evaluate(stop_gradient(e));
    const int d = normalize_axis(axis, E::rank, what);
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_void_v<typename A::wrapper> &&
                  requires { executor<device_t<A>>::has_extremum_position(x, d); }) {
        const reduction_axes<E::rank, 1, Keep> axes(x.shape(), &d, what);
        if (executor<device_t<A>>::has_extremum_position(x, d)) {
            using Y = tensor<std::int64_t, decltype(axes)::result_rank, device_t<A>>;
            const auto y = Y::uninitialized(axes.result);
            executor<device_t<A>>::template extremum_position<std::is_same_v<Combine, combine_maximum>>(x, y, d);
            return y;
        }
    }
    const auto extremum = extremum_over<Combine>(x, reduction_axes<E::rank, 1, keepdims_t>(x.shape(), &d, what), what);
    if constexpr (std::is_same_v<compute_t<T>, float>) {
        const auto hit = x == extremum || x != x;
        if (x.shape()[d] <= (index_t(1) << 24)) return first_position<float, Keep>(hit, d);
        return first_position<double, Keep>(hit, d);
    } else if constexpr (std::is_same_v<T, double>) {
        return first_position<double, Keep>(x == extremum || x != x, d);
    } else {
        return first_position<std::int64_t, Keep>(x == extremum, d);
    }
}

/// What no element is worse than.
template <class Combine, class E>
constexpr auto extremum_identity() {
    static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
    using T = compute_t<typename E::value_type>;
    if constexpr (std::is_same_v<T, bool>) return false;
    else return Combine::template identity<T>();
}

/// What rc::all(x, ...) gives: the name is that of the index, which calls these.
template <class E>
struct all_reduction {
    template <keep_option Keep = dropdims_t>
    static auto over(const E& x, Keep = {}) {
        return all_axes<-1, Keep>(x, nullptr);
    }
    template <std::integral Axis, keep_option Keep = dropdims_t>
    static auto over(const E& x, Axis axis, Keep = {}) {
        const int number = axis_number(axis);
        return all_axes<1, Keep>(x, &number);
    }
    template <int N, keep_option Keep = dropdims_t>
    static auto over(const E& x, const int (&axes)[N], Keep = {}) {
        return all_axes<N, Keep>(x, axes);
    }
};

}  // namespace detail

/// Whether any element is not zero (NaN is not), over all, one or several axes; false of no elements. `all(x, ...)`
/// (the object that also names a whole axis in an index) is whether every element is, true of no elements. No
/// derivative.
template <expression E, keep_option Keep = dropdims_t>
auto any(const E& x, Keep = {}) {
    return detail::any_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto any(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::any_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto any(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::any_axes<N, Keep>(x, axes);
}

/// How many elements are not zero (NaN is not), as 64-bit integers. No derivative.
template <expression E, keep_option Keep = dropdims_t>
auto count_nonzero(const E& x, Keep = {}) {
    return detail::count_axes<-1, Keep>(x, nullptr, "count_nonzero");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto count_nonzero(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::count_axes<1, Keep>(x, &number, "count_nonzero");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto count_nonzero(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::count_axes<N, Keep>(x, axes, "count_nonzero");
}

/// The position along an axis of the largest element, the first of equal ones; of a NaN if there is one. Without an
/// axis, the position among all elements in row-major order. 64-bit integers; no derivative. Throws value_error for an
/// empty axis.
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto argmax(const E& x, Axis axis, Keep = {}) {
    return detail::arg_extremum<combine_maximum, Keep>(x, detail::axis_number(axis), "argmax");
}
template <expression E, std::integral Axis, std::same_as<bool> Keep>
auto argmax(const E&, Axis, Keep) {
    return detail::refused_axes<E, Keep>();
}
template <expression E>
auto argmax(const E& x) {
    return argmax(detail::reshaped(evaluate(x), shape<1>{x.shape().count()}), 0);
}
template <expression E>
auto argmax(const E& x, keepdims_t) {
    return detail::reshaped(argmax(x), detail::unit_shape<E::rank>());
}

/// The position of the smallest element, as argmax.
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto argmin(const E& x, Axis axis, Keep = {}) {
    return detail::arg_extremum<combine_minimum, Keep>(x, detail::axis_number(axis), "argmin");
}
template <expression E, std::integral Axis, std::same_as<bool> Keep>
auto argmin(const E&, Axis, Keep) {
    return detail::refused_axes<E, Keep>();
}
template <expression E>
auto argmin(const E& x) {
    return argmin(detail::reshaped(evaluate(x), shape<1>{x.shape().count()}), 0);
}
template <expression E>
auto argmin(const E& x, keepdims_t) {
    return detail::reshaped(argmin(x), detail::unit_shape<E::rank>());
}

namespace detail {

/// The position of an extremum among what is no NaN, of all elements or along an axis.
template <class Combine, class E, class... Axis>
auto position_without_nan(const E& x, const char* who, Axis... axis) {
    const auto numbers = where(isnan(x), extremum_identity<Combine, E>(), x);
    if constexpr (sizeof...(Axis) > 0) return arg_extremum<Combine, dropdims_t>(numbers, axis_number(axis)..., who);
    else return arg_extremum<Combine, dropdims_t>(reshaped(evaluate(numbers), shape<1>{x.shape().count()}), 0, who);
}

}  // namespace detail

/// argmax of what is no NaN; of a line of nothing but NaN the first. (numpy.nanargmax, which throws for such.)
template <expression E, std::integral... Axis>
auto nanargmax(const E& x, Axis... axis) {
    return detail::position_without_nan<combine_maximum>(x, "nanargmax", axis...);
}
/// argmin of what is no NaN, as nanargmax.
template <expression E, std::integral... Axis>
auto nanargmin(const E& x, Axis... axis) {
    return detail::position_without_nan<combine_minimum>(x, "nanargmin", axis...);
}

/// The positions, one index array for each axis, among all elements in row-major order: what unravel_index takes apart.
/// Throws index_error for an index that the shape does not have. No derivative. (numpy.ravel_multi_index.)
template <expression... I, int R>
auto ravel_multi_index(const std::tuple<I...>& indices, const shape<R>& extents) {
    static_assert(sizeof...(I) == R && R >= 1, "ricci: ravel_multi_index needs one index array for each axis");
    static_assert(
        ((std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>) && ...),
        "ricci: indices are integers");
    const shape<R> strides = detail::row_major(extents);
    const auto part = [&](const auto& indices_of_axis, int d) {
        const auto i = evaluate(astype<std::int64_t>(stop_gradient(indices_of_axis)));
        detail::require_between<index_error>(i, 0, extents[d] - 1, "ravel_multi_index", "an index");
        return i * strides[d];
    };
    return [&]<int... D>(std::integer_sequence<int, D...>) {
        return evaluate((part(std::get<D>(indices), D) + ...));
    }(std::make_integer_sequence<int, R>{});
}
template <expression... I, int R>
auto ravel_multi_index(const std::tuple<I...>& indices, const extent (&extents)[R]) {
    return ravel_multi_index(indices, detail::to_shape(extents));
}
/// Of one element, whose indices are numbers.
template <std::integral... I, int R>
auto ravel_multi_index(const std::tuple<I...>& indices, const shape<R>& extents) {
    const auto number = [](auto i) { return full(shape<0>{}, static_cast<std::int64_t>(i)); };
    return std::apply([&](auto... i) { return ravel_multi_index(std::make_tuple(number(i)...), extents); }, indices);
}
template <std::integral... I, int R>
auto ravel_multi_index(const std::tuple<I...>& indices, const extent (&extents)[R]) {
    return ravel_multi_index(indices, detail::to_shape(extents));
}
/// Of the std::array that unravel_index gives.
template <expression I, std::size_t N, int R>
auto ravel_multi_index(const std::array<I, N>& indices, const shape<R>& extents) {
    return ravel_multi_index(std::tuple_cat(indices), extents);
}

/// Positions among the elements of an array of the given shape, in row-major order as argmax(x) counts them, as one
/// index array for each axis, in a std::array: auto [i, j] = unravel_index(argmax(x), x.shape()). Throws index_error
/// for a position that the shape does not have. No derivative. (numpy.unravel_index.)
template <expression E, int R>
auto unravel_index(const E& positions, const shape<R>& extents) {
    static_assert(R >= 1, "ricci: unravel_index needs a shape of rank 1 or more");
    static_assert(detail::is_index_array<E> && !std::is_same_v<typename E::value_type, bool>,
                  "ricci: positions are integers");
    const auto flat = evaluate(astype<std::int64_t>(stop_gradient(positions)));
    detail::require_between<index_error>(flat, 0, extents.count() - 1, "unravel_index", "a position");
    std::array<std::remove_cvref_t<decltype(flat)>, R> axes;
    auto rest = flat;
    for (int d = R - 1; d > 0; --d) {
        const index_t n = extents[d] > 0 ? extents[d] : 1;
        const auto above = evaluate(floor_divide(rest, n));
        axes[static_cast<std::size_t>(d)] = evaluate(rest - above * n);
        rest = above;
    }
    axes[0] = rest;
    return axes;
}
template <expression E, int R>
auto unravel_index(const E& positions, const extent (&extents)[R]) {
    return unravel_index(positions, detail::to_shape(extents));
}
/// Of one position, numbers of rank 0.
template <std::integral I, int R>
auto unravel_index(I position, const shape<R>& extents) {
    return unravel_index(full(shape<0>{}, static_cast<std::int64_t>(position)), extents);
}
template <std::integral I, int R>
auto unravel_index(I position, const extent (&extents)[R]) {
    return unravel_index(position, detail::to_shape(extents));
}

}  // namespace ricci
