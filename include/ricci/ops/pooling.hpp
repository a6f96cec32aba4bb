// The largest and the mean of windows of pictures: max_pool1d, avg_pool1d, max_unpool1d and those over two and three
// axes.
#pragma once
#include <array>
#include <limits>

#include "../core/optional_value.hpp"
#include "checked_values.hpp"
#include "create.hpp"
#include "each_axis.hpp"
#include "elementwise/pow.hpp"
#include "grid.hpp"
#include "index.hpp"
#include "named.hpp"
#include "pad.hpp"
#include "rearrange.hpp"
#include "stop_gradient.hpp"

namespace ricci {

/// What max_pool takes, with torch's meanings: how far windows are apart, their size where it is 0; the elements around
/// the picture, at most half of a window; how far a window's elements are apart; and whether there is a last window
/// that leaves the picture, of which it begins inside or in the margin before it.
template <int R>
struct pooling_options {
    detail::no_position by_name = {};
    each_axis<R> stride = 0, padding = 0, dilation = 1;
    detail::yes_or_no ceil_mode = false;
};
/// What avg_pool takes: the same, and whether the margin's zeros count among a window's elements.
template <int R>
struct averaging_options {
    detail::no_position by_name = {};
    each_axis<R> stride = 0, padding = 0;
    detail::yes_or_no ceil_mode = false, count_include_pad = true;
};

namespace detail {

/// The windows along an axis of n elements.
struct pooling_axis {
    index_t n, window, stride, padding, dilation, positions;

    template <class Options>
    pooling_axis(index_t extent, index_t k, const Options& o, int d, const char* who)
        : n(extent), window(k), stride(o.stride[d] == 0 ? k : o.stride[d]), padding(o.padding[d]), dilation(1) {
        if constexpr (requires { o.dilation; }) dilation = o.dilation[d];
        if (padding < 0 || padding > window / 2 || padding > far_apart - n / 4)
            raise<value_error>({"[", who, "] a padding of ", padding, " around windows of ", window, " elements"});
        if (n < 1 || window < 1 || stride < 1 || dilation < 1 || window - 1 > (n + 2 * padding - 1) / dilation)
            raise<value_error>({"[", who, "] windows of ", window, " elements, ", dilation, " apart, every ", stride,
                                " of an axis of ", n, " with margins of ", padding});
        const index_t room = n + 2 * padding - reach();
        stride = std::min(stride, n + 2 * padding);  // from there on it takes no second window anywhere
        positions = room / stride + 1;
        if (o.ceil_mode && room % stride != 0 && positions * stride < n + padding) ++positions;
    }
    /// The elements from a window's first to its last.
    index_t reach() const { return (window - 1) * dilation + 1; }
    /// The elements to put behind the axis.
    index_t behind() const { return std::max(padding, (positions - 1) * stride + reach() - n - padding); }
    /// How many elements a window has, of those that are padding or of the picture alone.
    index_t elements(index_t i, bool with_margin) const {
        const index_t first = i * stride - padding, margin = with_margin ? padding : 0;
        return std::min(first + window, n + margin) - std::max(first, -margin);
    }
};

template <int R, class A, class Options>
std::array<pooling_axis, R> pooling_axes(const A& x, const each_axis<R>& window, const Options& o, const char* who) {
    static_assert(A::rank >= R, "ricci: pooling takes pictures with an axis for each of a window's");
    return [&]<std::size_t... D>(std::index_sequence<D...>) {
        return std::array<pooling_axis, R>{
            pooling_axis(x.shape()[A::rank - R + int(D)], window[int(D)], o, int(D), who)...};
    }(std::make_index_sequence<R>{});
}

/// join(window's elements) along the last R axes, one axis after the other: k elements in k - 1 fused passes over
/// slices, which vectorize, where windows as axes of their own are too short to. What is outside of the picture is
/// `around`.
template <int R, class A, class Join>
auto pooled(const A& given, const std::array<pooling_axis, R>& axes, typename A::value_type around, const Join& join) {
    margin margins[A::rank];
    bool any = false;
    for (int d = 0; d < R; ++d) {
        margins[A::rank - R + d] = {axes[d].padding, axes[d].behind()};
        any = any || axes[d].padding + axes[d].behind() > 0;
    }
    A x = any ? A(pad(given, margins, around)) : given;
    for (int d = 0; d < R; ++d) {
        const pooling_axis& p = axes[d];
        if (p.window == 1 && p.stride == 1) continue;
        const auto element = [&](index_t i) {
            auto spec = identity_view(x.shape());
            const int axis = A::rank - R + d;
            spec.start[axis] = i * p.dilation;
            spec.step[axis] = p.stride;
            spec.extents[axis] = p.positions;
            return view_of(x, spec);
        };
        auto y = A(evaluate(element(0)));
        index_t i = 1;
        for (; i + 1 < p.window; i += 2) y = A(evaluate(join(join(y, element(i)), element(i + 1))));
        if (i < p.window) y = A(evaluate(join(y, element(i))));
        x = y;
    }
    return unshared(x);  // of windows of one element, it is the argument still
}

/// The maximum of nothing.
template <class T>
constexpr T least_value() {
    using limits = std::numeric_limits<compute_t<T>>;
    return static_cast<T>(limits::has_infinity ? -limits::infinity() : limits::lowest());
}
template <int R, class E>
auto max_pool(const E& x, const each_axis<R>& window, const pooling_options<R>& options, const char* who) {
    const auto a = without_const(evaluate(x));
    return pooled<R>(a, pooling_axes<R>(a, window, options, who), least_value<typename E::value_type>(),
                     [](const auto& p, const auto& q) { return maximum(p, q); });
}
template <int R, class E>
auto avg_pool(const E& x, const each_axis<R>& window, const averaging_options<R>& options, const char* who) {
    return computed_wide(without_const(evaluate(as_type<inexact_t<typename E::value_type>>(x))), [&](const auto& wide) {
        using A = std::remove_cvref_t<decltype(wide)>;
        using S = real_t<typename A::value_type>;
        const auto axes = pooling_axes<R>(wide, window, options, who);
        auto means =
            pooled<R>(wide, axes, typename A::value_type{}, [](const auto& p, const auto& q) { return p + q; });
        index_t whole = 1;  // elements along the axes whose windows all have as many
        for (int d = 0; d < R; ++d) {
            const pooling_axis& p = axes[d];
            if (p.behind() == (options.count_include_pad ? p.padding : 0)) {
                whole *= p.window;
                continue;
            }
            const auto elements = vector_of<S, device_t<A>>(
                p.positions, [&](index_t i) { return p.elements(i, options.count_include_pad); });
            means = A(evaluate(means / beside_axis<A::rank>(elements, A::rank - R + d)));
        }
        return whole == 1 ? means : A(evaluate(means / static_cast<S>(whole)));
    });
}

/// The places of the largest elements of windows, counted in row-major order in the last R axes: of several the first
/// one's, of several NaN the last one's. One axis after the other, the last one first.
template <int R, class A>
auto places_of_largest(const A& given, const std::array<pooling_axis, R>& axes) {
    using T = typename A::value_type;
    constexpr int first = A::rank - R;
    shape<A::rank> pictures = unit_shape<A::rank>();
    for (int d = 0; d < R; ++d) pictures[first + d] = axes[d].n;
    auto x = unshared(given);
    const auto numbers = reshape(arange<std::int64_t>(pictures.count()), pictures).to(device_t<A>{});
    auto at = evaluate(numbers + zeros_like<std::int64_t>(given));
    for (int d = R - 1; d >= 0; --d) {
        const pooling_axis& p = axes[d];
        margin margins[A::rank] = {};
        margins[first + d] = {p.padding, p.behind()};
        const auto wide = evaluate(pad(x, margins, least_value<T>()));
        const auto places = evaluate(pad(at, margins, std::int64_t(-1)));
        const auto element = [&](const auto& a, index_t i) {
            return steps_of(a, first + d, i * p.dilation, p.stride, p.positions);
        };
        x = evaluate(element(wide, 0));
        at = evaluate(element(places, 0));
        for (index_t i = 1; i < p.window; ++i) {
            const auto next = evaluate(element(wide, i));
            const auto where_next = evaluate(element(places, i));
            // the margin's elements, smaller than all but equal to -inf, give way to any other
            const auto larger = evaluate(next > x || isnan(next) || (at < 0 && where_next >= 0 && !isnan(x)));
            at = evaluate(where(larger, where_next, at));
            x = evaluate(where(larger, next, x));
        }
    }
    return at;
}
template <int R, class E>
auto max_pool_with_indices(const E& x, const each_axis<R>& window, const pooling_options<R>& options, const char* who) {
    const auto a = without_const(evaluate(x));
    const auto axes = pooling_axes<R>(a, window, options, who);
    const auto at = places_of_largest<R>(stop_gradient(a), axes);
    constexpr int L = E::rank - R;
    shape<L + 1> flat;
    shape<L + 1> rows;
    for (int d = 0; d < L; ++d) flat[d] = rows[d] = a.shape()[d];
    flat[L] = rows[L] = 1;
    for (int d = L; d < E::rank; ++d) {
        flat[L] *= a.shape()[d];
        rows[L] *= at.shape()[d];
    }
    const auto values = reshape(take_along_axis(reshape(a, flat), reshape(at, rows), -1), at.shape());
    return selected(evaluate(values), at);
}
/// Elements put at places of pictures of the given extents, counted in row-major order, among zeros.
template <int R, class E, class I>
auto max_unpool(const E& x, const I& places, const each_axis<R>& extents, const char* who) {
    static_assert(E::rank >= R && E::rank == I::rank, "ricci: max_unpool takes elements and as many places");
    const auto a = evaluate(x);
    const auto at = detail::evaluate_as<std::int64_t>(places);
    if (!(a.shape() == at.shape()))
        raise<shape_error>({"[", who, "] elements of shape ", a.shape(), " with places of shape ", at.shape()});
    constexpr int L = E::rank - R;
    auto whole = a.shape();
    shape<L + 1> flat, rows;
    for (int d = 0; d < L; ++d) flat[d] = rows[d] = whole[d];
    flat[L] = rows[L] = 1;
    for (int d = 0; d < R; ++d) {
        rows[L] *= whole[L + d];
        whole[L + d] = extents[d];
    }
    check_extents(whole, sizeof(typename E::value_type), who);
    for (int d = 0; d < R; ++d) flat[L] *= extents[d];
    require_between<index_error>(at, 0, flat[L] - 1, who, "the place");
    const auto none = zeros<typename E::value_type>(flat, device_t<E>{});
    return evaluate(reshape(put_along_axis(none, reshape(at, rows), reshape(a, rows), -1), whole));
}
/// The extents of the pictures that windows were laid on, without what they left out.
template <int R, class E>
each_axis<R> unpooled_extents(const E& x, const each_axis<R>& window, const pooling_options<R>& o) {
    each_axis<R> extents(0);
    for (int d = 0; d < R; ++d) {
        const index_t stride = o.stride[d] == 0 ? window[d] : o.stride[d];
        const index_t n = x.shape()[E::rank - R + d], reach = (window[d] - 1) * o.dilation[d] + 1;
        if (stride < 1 || stride > far_apart / (n + 1))
            raise<value_error>({"[max_unpool] windows every ", stride, " of ", n, " elements"});
        extents.of[d] = (n - 1) * stride - 2 * o.padding[d] + reach;
    }
    return extents;
}

}  // namespace detail

/// The largest element of each window of the last axis, NaN where there is one: max_pool1d(x, 2), {.stride = 1,
/// .padding = 1, .dilation = 2, .ceil_mode = true}; windows that would leave the picture are left out without the last
/// of these. Where several are largest, the derivative is shared as `maximum` shares it. Throws value_error for a
/// window that does not fit. (torch's max_pool1d; max_pool2d over the last two axes, windows 3 or {3, 2}; max_pool3d.)
template <expression E>
auto max_pool1d(const E& x, each_axis<1> window, const pooling_options<1>& options = {}) {
    return detail::max_pool<1>(x, window, options, "max_pool1d");
}
template <expression E>
auto max_pool2d(const E& x, each_axis<2> window, const pooling_options<2>& options = {}) {
    return detail::max_pool<2>(x, window, options, "max_pool2d");
}
template <expression E>
auto max_pool3d(const E& x, each_axis<3> window, const pooling_options<3>& options = {}) {
    return detail::max_pool<3>(x, window, options, "max_pool3d");
}
/// The mean of each window, zeros of the margin counted unless {.count_include_pad = false}, otherwise as max_pool1d;
/// integers give double. Linear. (torch's avg_pool1d, avg_pool2d and avg_pool3d.)
template <expression E>
auto avg_pool1d(const E& x, each_axis<1> window, const averaging_options<1>& options = {}) {
    return detail::avg_pool<1>(x, window, options, "avg_pool1d");
}
template <expression E>
auto avg_pool2d(const E& x, each_axis<2> window, const averaging_options<2>& options = {}) {
    return detail::avg_pool<2>(x, window, options, "avg_pool2d");
}
template <expression E>
auto avg_pool3d(const E& x, each_axis<3> window, const averaging_options<3>& options = {}) {
    return detail::avg_pool<3>(x, window, options, "avg_pool3d");
}

namespace detail {
template <int R, class E>
auto power_pool(const E& x, double p, const each_axis<R>& window, const averaging_options<R>& o, const char* who) {
    if (!(p > 0)) raise<value_error>({"[", who, "] the power must be positive: ", p});
    const auto a = evaluate(as_type<inexact_t<typename E::value_type>>(x));
    double elements = 1;
    for (const index_t n : window.of) elements *= static_cast<double>(n);
    const auto powers = p == 2 ? evaluate(a * a) : evaluate(pow(a, p));
    const auto sums = evaluate(avg_pool<R>(powers, window, o, who) * elements);
    const auto empty = sums == 0;  // where a root would have no derivative
    return evaluate(where(empty, 0, pow(where(empty, 1, sums), 1 / p)));
}
}  // namespace detail

/// (the sum of x^p)^(1/p) over windows, the power-average pooling of avg_pool1d's windows: for p = 1 their sums, for
/// large p near their largest elements. Derivative 0 where the sum is 0. Throws value_error unless p > 0. (torch's
/// lp_pool1d, lp_pool2d and lp_pool3d.)
template <expression E>
auto lp_pool1d(const E& x, double p, each_axis<1> window, const averaging_options<1>& options = {}) {
    return detail::power_pool<1>(x, p, window, options, "lp_pool1d");
}
template <expression E>
auto lp_pool2d(const E& x, double p, each_axis<2> window, const averaging_options<2>& options = {}) {
    return detail::power_pool<2>(x, p, window, options, "lp_pool2d");
}
template <expression E>
auto lp_pool3d(const E& x, double p, each_axis<3> window, const averaging_options<3>& options = {}) {
    return detail::power_pool<3>(x, p, window, options, "lp_pool3d");
}

/// The same as max_pool1d with where the largest elements are, .values and .indices, counted in row-major order in the
/// last axis (or two or three): for max_unpool1d. Of several that are largest the first one's, which alone has the
/// derivative. (torch's max_pool1d with return_indices=True.)
template <expression E>
auto max_pool1d_with_indices(const E& x, each_axis<1> window, const pooling_options<1>& options = {}) {
    return detail::max_pool_with_indices<1>(x, window, options, "max_pool1d_with_indices");
}
template <expression E>
auto max_pool2d_with_indices(const E& x, each_axis<2> window, const pooling_options<2>& options = {}) {
    return detail::max_pool_with_indices<2>(x, window, options, "max_pool2d_with_indices");
}
template <expression E>
auto max_pool3d_with_indices(const E& x, each_axis<3> window, const pooling_options<3>& options = {}) {
    return detail::max_pool_with_indices<3>(x, window, options, "max_pool3d_with_indices");
}
/// The elements of x at the places that max_pool1d_with_indices gave, among zeros, in an array of the extents that
/// windows of such a size with these options lay on, or of given ones: of elements that go to one place one is left.
/// Throws index_error for a place outside of it. Linear in x. (torch's max_unpool1d, max_unpool2d and max_unpool3d.)
template <expression E, expression I>
auto max_unpool1d(const E& x, const I& indices, each_axis<1> window, const pooling_options<1>& options = {}) {
    return detail::max_unpool<1>(x, indices, detail::unpooled_extents<1>(x, window, options), "max_unpool1d");
}
template <expression E, expression I>
auto max_unpool1d(const E& x, const I& indices, each_axis<1>, const pooling_options<1>&, each_axis<1> output_size) {
    return detail::max_unpool<1>(x, indices, output_size, "max_unpool1d");
}
template <expression E, expression I>
auto max_unpool2d(const E& x, const I& indices, each_axis<2> window, const pooling_options<2>& options = {}) {
    return detail::max_unpool<2>(x, indices, detail::unpooled_extents<2>(x, window, options), "max_unpool2d");
}
template <expression E, expression I>
auto max_unpool2d(const E& x, const I& indices, each_axis<2>, const pooling_options<2>&, each_axis<2> output_size) {
    return detail::max_unpool<2>(x, indices, output_size, "max_unpool2d");
}
template <expression E, expression I>
auto max_unpool3d(const E& x, const I& indices, each_axis<3> window, const pooling_options<3>& options = {}) {
    return detail::max_unpool<3>(x, indices, detail::unpooled_extents<3>(x, window, options), "max_unpool3d");
}
template <expression E, expression I>
auto max_unpool3d(const E& x, const I& indices, each_axis<3>, const pooling_options<3>&, each_axis<3> output_size) {
    return detail::max_unpool<3>(x, indices, output_size, "max_unpool3d");
}

}  // namespace ricci
