// Pictures at any places: grid_sample and the grid of an affine map, affine_grid.
#pragma once
#include <vector>

#include "pad.hpp"
#include "resize.hpp"

namespace ricci {

/// What grid_sample takes: what lies around a picture, zeros (constant), its edge (replicate) or its mirror image (reflect); and
/// whether -1 and 1 are the centres of the outer elements, or the edges of the picture.
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

/// The elements of one axis that each place is made of, and their weights.
template <class Weight, class Place, class Inside>
struct axis_taps {
    std::vector<Weight> weights;
    std::vector<Place> places;
    std::vector<Inside> inside;
};
/// Of an axis of n elements at coordinates c, -1 ... 1 from end to end.
template <interpolation Mode, class C>
auto taps_of_axis(const C& c, index_t n, const sampling_options& options) {
    using T = typename C::value_type;
    constexpr bool cubic = Mode == interpolation::cubic;
    // Infinities stay numbers that integers hold.
    const auto unit = clip(where(isnan(c), -1, c), -1e9, 1e9) + 1;
    const double size = static_cast<double>(n);
    C at = options.align_corners ? C(evaluate(unit * ((size - 1) / 2))) : C(evaluate((unit * size - 1) / 2));
    if constexpr (!cubic) at = shown_in_axis(at, n, options);
    const auto known = stop_gradient(at);
    const auto base = evaluate(Mode == interpolation::nearest ? evaluate(round(known)) : evaluate(floor(known)));
    const C t = evaluate(at - base);
    const auto place_of = [&](const auto& i) { return evaluate(astype<std::int64_t>(clip(i, 0, size - 1))); };
    const auto is_inside = [&](const auto& i) { return evaluate(i >= 0 && i < size); };
    axis_taps<C, decltype(place_of(base)), decltype(is_inside(base))> taps;
    const auto add = [&](int k, const auto& weight) {
        auto i = evaluate(base + static_cast<T>(k));
        if constexpr (cubic) i = shown_in_axis(i, n, options);
        taps.weights.push_back(evaluate(weight));
        taps.places.push_back(place_of(i));
        taps.inside.push_back(is_inside(i));
    };
    if constexpr (Mode == interpolation::linear) {
        add(0, 1 - t);
        add(1, t);
    } else if constexpr (cubic) {
        add(-1, cubic_far(t + 1));
        add(0, cubic_near(t));
        add(1, cubic_near(1 - t));
        add(2, cubic_far(2 - t));
    } else {
        add(0, ones_like(t));
    }
    return taps;
}
/// Pictures x, (batch, channels, elements), of the given extents, at `count` places of each: coordinates (batch, places, axes),
/// those of the last axis first.
template <interpolation Mode, int R, class X, class G>
auto sampled_pictures(const X& x, const G& grid, const index_t* extents, const sampling_options& options) {
    using T = typename X::value_type;
    const auto coordinates = [&](int d) { return evaluate(index(grid, all, newaxis, all, R - 1 - d)); };
    std::vector axes{taps_of_axis<Mode>(coordinates(0), extents[0], options)};
    for (int d = 1; d < R; ++d) axes.push_back(taps_of_axis<Mode>(coordinates(d), extents[d], options));
    const std::size_t taps = axes[0].weights.size();
    std::size_t terms = 1;
    for (int d = 0; d < R; ++d) terms *= taps;
    const auto term = [&](std::size_t i) {
        const auto& outer = axes[0];
        auto k = i % taps;
        auto [weight, place, inside] = std::tuple(outer.weights[k], outer.places[k], outer.inside[k]);
        for (int d = 1; d < R; ++d) {
            const auto& axis = axes[static_cast<std::size_t>(d)];
            k = (i /= taps) % taps;
            place = evaluate(place * extents[d] + axis.places[k]);
            if (Mode != interpolation::nearest) weight = evaluate(weight * axis.weights[k]);
            inside = evaluate(inside && axis.inside[k]);
        }
        const auto elements = take_along_axis(x, place, 2);
        // Where nothing is, not 0 times what lies elsewhere, which may be infinite.
        return evaluate(weight * where(inside, elements, T(0)));
    };
    auto y = term(0);
    for (std::size_t i = 1; i < terms; ++i) y = evaluate(y + term(i));
    return y;
}

}  // namespace detail

/// Pictures at the places of a grid: x (batch, channels, height, width), the grid (batch, rows, columns, 2) with each place's
/// x, -1 at the left edge and 1 at the right one, and its y; (batch, channels, rows, columns). Between elements by linear,
/// nearest or cubic interpolation: grid_sample(x, grid), grid_sample<interpolation::cubic>(x, grid, {.padding =
/// pad_mode::reflect}). Of lines and of solids with one axis less or more. Differentiable in both; the derivatives in a grid
/// are those of the piece that begins at a place, and 0 of nearest. NaN in a grid counts as -1. Integers give double. Throws
/// shape_error where batches or axes do not fit, value_error for pictures without elements, or another padding. (torch's
/// grid_sample, whose "bilinear" is linear.)
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
    index_t extents[R], elements = 1, places = 1;
    shape<E::rank> result = a.shape();
    for (int d = 0; d < R; ++d) {
        elements *= extents[d] = a.shape()[d + 2];
        places *= result[d + 2] = g.shape()[d + 1];
    }
    if (elements == 0) detail::raise<value_error>({"[grid_sample] pictures of shape ", a.shape(), " have no elements"});
    const auto flat = detail::reshaped(a, shape<3>{a.shape()[0], a.shape()[1], elements});
    const auto at = detail::reshaped(g, shape<3>{a.shape()[0], places, R});
    return detail::evaluate_as<T>(reshape(detail::sampled_pictures<Mode, R>(flat, at, extents, options), result));
}

/// The grid, for grid_sample, at whose places a picture is seen through affine maps: theta (batch, 2, 3) takes (x, y, 1) of the
/// result to x and y of the picture, which is of the size (batch, channels, rows, columns). Of lines and of solids
/// (batch, 1, 2) and (batch, 3, 4). Linear. Throws shape_error where they do not fit, value_error for a size
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
