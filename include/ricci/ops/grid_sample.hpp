// Pictures at any places: grid_sample and the grid of an affine map, affine_grid.
#pragma once
#include <array>

#include "pad.hpp"
#include "resize.hpp"
#include "tap_sum.hpp"

namespace ricci {

/// What grid_sample takes: what lies around a picture, zeros (constant), its edge (replicate) or its mirror image
/// (reflect); and whether -1 and 1 are the centres of the outer elements, or the edges of the picture.
struct sampling_options {
    pad_mode padding = pad_mode::constant;
    bool align_corners = false;
};

namespace detail {

/// Coordinates inside of 0 ... n - 1, without derivative on the edge, as torch has it.
template <class C>
auto within_axis(const C& c, index_t n) {
    const double last = static_cast<double>(n - 1);
    return where(c <= 0, 0, where(c >= last, last, c));
}
/// Coordinates of what surrounds an axis of n elements as those of elements that it shows.
template <class C>
auto shown_in_axis(const C& c, index_t n, const sampling_options& options) {
    if (options.padding == pad_mode::replicate) return C(evaluate(within_axis(c, n)));
    if (options.padding == pad_mode::constant) return c;
    const double low = options.align_corners ? 0 : -0.5, span = static_cast<double>(options.align_corners ? n - 1 : n);
    if (span == 0) return C(evaluate(0 * c));
    const auto turn = evaluate(remainder(abs(c - low), 2 * span));
    return C(evaluate(within_axis(where(turn > span, 2 * span - turn, turn) + low, n)));
}

/// How many elements of an axis a place is made of.
constexpr int taps_by(interpolation mode) {
    return mode == interpolation::cubic ? 4 : mode == interpolation::linear ? 2 : 1;
}
/// The coefficients, constant ones first, of the polynomials in the distance from the element before a place that are
/// the weights of its taps.
template <interpolation Mode>
constexpr auto tap_polynomials() {
    if constexpr (Mode == interpolation::linear) {
        return std::array<std::array<double, 2>, 2>{{{1, -1}, {0, 1}}};
    } else {
        constexpr double a = keys_parameter;
        return std::array<std::array<double, 4>, 4>{
            {{0, a, -2 * a, a}, {1, 0, -(a + 3), a + 2}, {0, -a, 2 * a + 3, -(a + 2)}, {0, 0, a, -a}}};
    }
}
/// The elements of one axis that each place is made of, (batch, taps, places), -1 outside, and their weights.
template <class Weight, class Place>
struct axis_taps {
    Weight weights;
    Place places;
};
/// Of an axis of n elements at coordinates c (batch, 1, places), -1 ... 1 from end to end.
template <interpolation Mode, class E>
auto taps_of_axis(const E& c, index_t n, const sampling_options& options) {
    using C = decltype(evaluate(c));
    using T = typename E::value_type;
    using D = device_t<E>;
    constexpr int taps = taps_by(Mode);
    // Infinities stay numbers that integers hold.
    const auto unit = clip(where(isnan(c), -1, c), -1e9, 1e9) + 1;
    const double size = static_cast<double>(n);
    C at = options.align_corners ? C(evaluate(unit * ((size - 1) / 2))) : C(evaluate((unit * size - 1) / 2));
    if constexpr (Mode != interpolation::cubic) at = shown_in_axis(at, n, options);
    const auto known = stop_gradient(at);
    const auto base = evaluate(Mode == interpolation::nearest ? evaluate(round(known)) : evaluate(floor(known)));
    const auto column = [&](const auto& of) { return reshaped(vector_of<T, D>(taps, of), shape<2>{taps, 1}); };
    auto element = evaluate(base + column([](index_t k) { return k - (taps == 4); }));
    if constexpr (Mode == interpolation::cubic) element = shown_in_axis(element, n, options);
    const auto place = evaluate(astype<std::int64_t>(where(logical_and(element >= 0, element < size), element, T(-1))));
    if constexpr (Mode == interpolation::nearest) {
        return axis_taps<C, std::remove_const_t<decltype(place)>>{at, place};
    } else {
        constexpr auto polynomials = tap_polynomials<Mode>();
        const auto t = at - base;
        const auto coefficient = [&](std::size_t power) {
            return column([&](index_t k) { return polynomials[static_cast<std::size_t>(k)][power]; });
        };
        const auto weight = [&] {
            if constexpr (taps == 2) return evaluate(coefficient(0) + coefficient(1) * t);
            else return evaluate(coefficient(0) + t * (coefficient(1) + t * (coefficient(2) + t * coefficient(3))));
        }();
        return axis_taps<C, std::remove_const_t<decltype(place)>>{weight, place};
    }
}
/// Pictures x, (batch, channels, elements), at places each axis of which is made of taps.
template <interpolation Mode, class X, class Axes, int R>
auto sum_over_taps(const X& x, const Axes& axes, const shape<R>& extents) {
    constexpr int taps = taps_by(Mode);
    constexpr bool weighted = Mode != interpolation::nearest;
    using T = typename X::value_type;
    if constexpr (has_tap_sums<device_t<X>, T>()) {
        const tap_sum_op<R, taps, weighted, 1, 0> op(extents);
        return [&]<std::size_t... D>(std::index_sequence<D...>) {
            if constexpr (weighted) return call1(op, x, axes[D].weights..., axes[D].places...);
            else return call1(op, x, axes[D].places...);
        }(std::make_index_sequence<R>{});
    } else {
        int terms = 1;
        for (int d = 0; d < R; ++d) terms *= taps;
        const auto term = [&](int i) {
            const auto of = [&](const auto& a) { return evaluate(index(a, all, slice(i % taps, i % taps + 1))); };
            auto weight = of(axes[0].weights);
            auto place = of(axes[0].places);
            auto inside = evaluate(place >= 0);
            for (std::size_t d = 1; d < R; ++d) {
                i /= taps;
                const auto along = of(axes[d].places);
                place = evaluate(place * extents[static_cast<int>(d)] + along);
                inside = evaluate(inside && along >= 0);
                if constexpr (weighted) weight = evaluate(weight * of(axes[d].weights));
            }
            const auto elements = take_along_axis(x, evaluate(where(inside, place, 0)), 2);
            // Where nothing is, not 0 times what lies elsewhere, which may be infinite.
            const auto shown = where(inside, elements, T(0));
            if constexpr (weighted) return evaluate(weight * shown);
            else return evaluate(shown);
        };
        auto y = term(0);
        for (int i = 1; i < terms; ++i) y = evaluate(y + term(i));
        return y;
    }
}
/// Pictures x, (batch, channels, elements), of the given extents, at `count` places of each: coordinates (batch,
/// places, axes), those of the last axis first.
template <interpolation Mode, class X, class G, int R>
auto sampled_pictures(const X& x, const G& grid, const shape<R>& extents, const sampling_options& options) {
    const auto along = [&](int d) {
        return taps_of_axis<Mode>(index(grid, all, newaxis, all, R - 1 - d), extents[d], options);
    };
    std::array<decltype(along(0)), R> axes = [&]<int... D>(std::integer_sequence<int, D...>) {
        return std::array<decltype(along(0)), R>{along(D)...};
    }(std::make_integer_sequence<int, R>{});
    return sum_over_taps<Mode>(x, axes, extents);
}

}  // namespace detail

/// Pictures at the places of a grid: x (batch, channels, height, width), the grid (batch, rows, columns, 2) with each
/// place's x, -1 at the left edge and 1 at the right one, and its y; (batch, channels, rows, columns). Between elements
/// by linear, nearest or cubic interpolation: grid_sample(x, grid), grid_sample<interpolation::cubic>(x, grid,
/// {.padding = pad_mode::reflect}). Of lines and of solids with one axis less or more. Differentiable in both; the
/// derivatives in a grid are those of the piece that begins at a place, and 0 of nearest. NaN in a grid counts as -1.
/// Integers give double. Throws shape_error where batches or axes do not fit, value_error for pictures without
/// elements, or another padding. (torch's grid_sample, whose "bilinear" is linear.)
template <interpolation Mode = interpolation::linear, expression E, expression G>
auto grid_sample(const E& x, const G& grid, const sampling_options& options = {}) {
    constexpr int R = E::rank - 2;
    static_assert(
        R >= 1 && G::rank == E::rank,
        "ricci: grid_sample takes pictures, (batch, channels, height, width), and a grid, (batch, rows, columns, 2)");
    static_assert(Mode == interpolation::linear || Mode == interpolation::nearest || Mode == interpolation::cubic,
                  "ricci: grid_sample is linear, nearest or cubic");
    using T = inexact_t<promote_t<typename E::value_type, typename G::value_type>>;
    using S = compute_t<T>;
    const auto a = detail::evaluate_as<S>(x);
    const auto g = detail::evaluate_as<S>(grid);
    if (g.shape()[0] != a.shape()[0] || g.shape()[R + 1] != R)
        detail::raise<shape_error>({"[grid_sample] a grid of shape ", g.shape(), " for pictures of shape ", a.shape()});
    if (options.padding != pad_mode::constant && options.padding != pad_mode::replicate &&
        options.padding != pad_mode::reflect)
        detail::raise<value_error>({"[grid_sample] the padding is constant, replicate or reflect"});
    shape<R> extents;
    index_t places = 1;
    shape<E::rank> result = a.shape();
    for (int d = 0; d < R; ++d) {
        extents[d] = a.shape()[d + 2];
        places *= result[d + 2] = g.shape()[d + 1];
    }
    if (extents.count() == 0)
        detail::raise<value_error>({"[grid_sample] pictures of shape ", a.shape(), " have no elements"});
    const auto flat = detail::reshaped(a, shape<3>{a.shape()[0], a.shape()[1], extents.count()});
    const auto at = detail::reshaped(g, shape<3>{a.shape()[0], places, R});
    return detail::evaluate_as<T>(reshape(detail::sampled_pictures<Mode>(flat, at, extents, options), result));
}

/// The grid, for grid_sample, at whose places a picture is seen through affine maps: theta (batch, 2, 3) takes (x, y,
/// 1) of the result to x and y of the picture, which is of the size (batch, channels, rows, columns). Of lines and of
/// solids (batch, 1, 2) and (batch, 3, 4). Linear. Throws shape_error where they do not fit, value_error for a size
/// that no array has. (torch's affine_grid.)
template <expression E, int K>
auto affine_grid(const E& theta, const shape<K>& size, detail::yes_or_no align_corners = false) {
    constexpr int R = K - 2;
    static_assert(R >= 1 && E::rank == 3,
                  "ricci: affine_grid takes maps, (batch, 2, 3), and a size, {batch, channels, rows, columns}");
    using T = inexact_t<typename E::value_type>;
    const auto maps = detail::evaluate_as<T>(theta);
    if (maps.shape()[0] != size[0] || maps.shape()[1] != R || maps.shape()[2] != R + 1)
        detail::raise<shape_error>({"[affine_grid] maps of shape ", maps.shape(), " for pictures of shape ", size});
    shape<K> result;
    result[0] = size[0];
    result[K - 1] = R;
    index_t places = 1;
    for (int d = 0; d < R; ++d) result[d + 1] = size[d + 2];
    detail::check_extents(result, sizeof(T), "affine_grid");
    for (int d = 0; d < R; ++d) places *= size[d + 2];
    const auto base = tensor<T, 2>::uninitialized(shape<2>{places, R + 1});
    for (index_t p = 0; p < places; ++p) {
        index_t rest = p;
        for (int d = R - 1; d >= 0; --d) {
            const index_t n = size[d + 2], i = rest % n;
            const double from_centre = static_cast<double>(2 * i - (n - 1));
            const double half = static_cast<double>(align_corners ? (n > 1 ? n - 1 : 1) : n);
            base.data()[p * (R + 1) + R - 1 - d] = static_cast<T>(from_centre / half);
            rest /= n;
        }
        base.data()[p * (R + 1) + R] = T(1);
    }
    return reshape(matmul(detail::placed<device_t<E>>(base), matrix_transpose(maps)), result);
}
template <expression E, int K>
auto affine_grid(const E& theta, const extent (&size)[K], detail::yes_or_no align_corners = false) {
    return affine_grid(theta, detail::to_shape(size), align_corners);
}

}  // namespace ricci
