// Values between those of a grid of any number of axes: map_coordinates, interpn.
#pragma once
#include <array>
#include <tuple>

#include "../../core/optional_value.hpp"
#include "../checked_values.hpp"
#include "../pad.hpp"
#include "../rearrange.hpp"
#include "../searchsorted.hpp"
#include "piecewise.hpp"

namespace ricci {

/// What is beyond the first and the last element of an axis for map_coordinates: a value, or the element nearest.
struct coordinate_options {
    pad_mode padding = pad_mode::constant;  // or replicate
    double value = 0;
};
/// Outside its grid, interpn throws value_error, unless a value for there is given.
struct grid_options {
    detail::optional_value<double> outside = {};
};

namespace detail {

/// An axis at places: the element before each, between 0 and n - 2, how far it is to the next, 0 ... 1, and whether it
/// lies between the axis's ends.
template <class Low, class Fraction, class Inside>
struct between_elements {
    Low low;
    Fraction fraction;
    Inside inside;
};
template <class Low, class Fraction, class Inside>
auto make_between(const Low& low, const Fraction& fraction, const Inside& inside) {
    return between_elements<Low, Fraction, Inside>{low, fraction, inside};
}
/// Position `which` of each place's corners in the flattened values, and what it counts for.
template <int R, class Axes, std::size_t... D>
auto corner_place(const shape<R>& extents, const Axes& axes, const bool (&next)[R], std::index_sequence<D...>) {
    index_t step[R];
    step[R - 1] = 1;
    for (int d = R - 2; d >= 0; --d) step[d] = step[d + 1] * extents[d + 1];
    return evaluate((((std::get<D>(axes).low + index_t(next[D] && extents[D] > 1)) * step[D]) + ...));
}
/// The weighted sum of the corners of each place's cell; of Order 0 the nearest of them, of two as near the next one if
/// `upwards`. Axes of one element have that alone.
template <int Order, class V, class Axes, std::size_t... D>
auto sum_of_corners(const V& values, const Axes& axes, bool upwards, std::index_sequence<D...> order) {
    constexpr int R = V::rank;
    const auto flat = evaluate(reshape(values, {-1}));
    if constexpr (Order == 0) {
        const bool none_of[R] = {};
        const auto nearest = std::make_tuple([&](const auto& a) {
            const auto next = a.fraction > 0.5 || (a.fraction == 0.5 && upwards);
            return make_between(evaluate(a.low + astype<index_t>(next)), a.fraction, a.inside);
        }(std::get<D>(axes))...);
        const auto place = corner_place(values.shape(), nearest, none_of, order);
        return evaluate(take(flat, place, 0) + ((0 * stop_gradient(std::get<D>(axes).fraction)) + ...));  // NaN at NaN
    } else {
        const auto corner = [&](int which) {
            bool next[R];
            for (int d = 0; d < R; ++d) next[d] = which >> d & 1;
            const auto weight = [&](bool later, const auto& t) { return later ? evaluate(1 * t) : evaluate(1 - t); };
            return evaluate(take(flat, corner_place(values.shape(), axes, next, order), 0) *
                            (weight(next[D], std::get<D>(axes).fraction) * ...));
        };
        auto y = corner(0);
        for (int which = 1; which < 1 << R; ++which) y = evaluate(y + corner(which));
        return y;
    }
}

}  // namespace detail

/// The values of `x` between its elements: at the coordinates (x.rank, ...), along the first axis one for each axis of
/// x, of which 0 is the first element and n - 1 the last; (...). By lines along each axis, Order 1, or the nearest
/// element, 0. Beyond the ends a value, 0, or with {.padding = pad_mode::replicate} what is at the end; NaN at NaN.
/// Differentiable in x and, of order 1, the coordinates. Throws shape_error for another number of coordinates,
/// value_error for an empty x. (scipy.ndimage.map_coordinates, jax.scipy.ndimage.map_coordinates.)
template <int Order = 1, expression E, expression C>
auto map_coordinates(const E& x, const C& coordinates, const coordinate_options& options = {}) {
    static_assert(Order == 0 || Order == 1,
                  "ricci: map_coordinates is of order 0 or 1; cubic_spline goes along an axis");
    static_assert(E::rank >= 1 && C::rank >= 1,
                  "ricci: map_coordinates(x, coordinates) takes (x.rank, ...) coordinates");
    using T = compute_t<inexact_t<common_t<typename E::value_type, typename C::value_type>>>;
    const auto v = detail::evaluate_as<T>(x);
    const auto c = detail::evaluate_as<real_t<T>>(coordinates);
    if (c.shape()[0] != E::rank)
        detail::raise<shape_error>(
            {"[map_coordinates] coordinates ", c.shape(), " of an x ", v.shape(), ": ", c.shape()[0], " != ", E::rank});
    if (v.size() == 0) detail::raise<value_error>({"[map_coordinates] of an empty x: shape ", v.shape()});
    if (options.padding != pad_mode::constant && options.padding != pad_mode::replicate)
        detail::raise<value_error>({"[map_coordinates] the padding must be constant or replicate"});
    const auto axis = [&](int d) {
        const double last = static_cast<double>(v.shape()[d] - 1);
        const auto at = evaluate(index(c, d));
        const auto held = evaluate(where(isnan(at), at, clip(at, 0, last)));
        const auto known = stop_gradient(where(isnan(held), 0, held));
        const auto low = evaluate(astype<index_t>(minimum(floor(known), std::max(last - 1, 0.0))));
        return detail::make_between(low, evaluate(held - low), evaluate(!(at < 0) && !(at > last)));
    };
    const bool held = options.padding == pad_mode::replicate;
    return [&]<std::size_t... D>(std::index_sequence<D...> order) {
        const auto axes = std::make_tuple(axis(int(D))...);
        const auto y = detail::sum_of_corners<Order>(v, axes, true, order);
        return evaluate(where((std::get<D>(axes).inside && ...) || held, y, static_cast<real_t<T>>(options.value)));
    }(std::make_index_sequence<static_cast<std::size_t>(E::rank)>{});
}

/// The values at `places` (..., R) between those on a grid of R axes, whose places, of rank 1 and ascending, are given
/// as a tuple: interpn(rc::tuple(u, v), x, places); (...). By lines along each axis, Order 1, or the nearest value, 0.
/// NaN at NaN. Differentiable in the values and, of order 1, in the places and the grid's. Throws value_error for
/// places outside the grid, unless {.outside = 0.0} gives a value for there, and for a grid that does not ascend;
/// shape_error where extents do not fit. (scipy.interpolate.interpn, RegularGridInterpolator.)
template <int Order = 1, expression... P, expression V, expression X>
auto interpn(const std::tuple<P...>& grid, const V& values, const X& places, const grid_options& options = {}) {
    static_assert(Order == 0 || Order == 1, "ricci: interpn is of order 0 or 1");
    static_assert(((P::rank == 1) && ...) && sizeof...(P) == V::rank && X::rank >= 1,
                  "ricci: interpn(tuple(places of each axis...), values, (..., axes)) takes one vector for each axis");
    using T = compute_t<inexact_t<common_t<typename V::value_type, typename X::value_type, typename P::value_type...>>>;
    const auto v = detail::evaluate_as<T>(values);
    const auto x = detail::evaluate_as<real_t<T>>(places);
    if (x.shape()[X::rank - 1] != V::rank)
        detail::raise<shape_error>({"[interpn] places ", x.shape(), " in a grid of shape ", v.shape(), ": ",
                                    x.shape()[X::rank - 1], " != ", V::rank});
    const auto axis = [&](const auto& given, int d) {
        const auto p = detail::evaluate_as<real_t<T>>(given);
        const index_t n = p.shape()[0];
        if (n < 2 || v.shape()[d] != n)
            detail::raise<shape_error>({"[interpn] ", n, " places for axis ", d, " of values ", v.shape(),
                                        ": as many as values, and two or more"});
        detail::require_all(stop_gradient(index(p, slice(1, none)) > index(p, slice(none, -1))), "interpn",
                            "the places of an axis must ascend");
        const auto at = evaluate(index(x, ellipsis, d));
        const auto low = evaluate(clip(searchsorted(stop_gradient(p), stop_gradient(at), true) - 1, 0, n - 2));
        const auto from = take(p, low, 0), to = take(p, evaluate(low + 1), 0);
        return detail::make_between(low, evaluate((at - from) / (to - from)),
                                    evaluate(!(at < index(p, 0)) && !(at > index(p, n - 1))));
    };
    const bool fills = bool(options.outside);
    return [&]<std::size_t... D>(std::index_sequence<D...> order) {
        const auto axes = std::make_tuple(axis(std::get<D>(grid), int(D))...);
        const auto inside = evaluate((std::get<D>(axes).inside && ...));
        if (!fills) detail::require_all(stop_gradient(inside), "interpn", "a place lies outside the grid");
        const auto y = detail::sum_of_corners<Order>(v, axes, false, order);
        return evaluate(where(inside || !fills, y, static_cast<real_t<T>>(fills ? *options.outside : 0)));
    }(std::make_index_sequence<sizeof...(P)>{});
}

}  // namespace ricci
