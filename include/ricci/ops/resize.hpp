// Pictures of another size: adaptive pooling, interpolate, pixel_shuffle and its inverse.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "elementwise/where.hpp"
#include "pooling.hpp"
#include "tap_sum.hpp"

namespace ricci {

/// How interpolate makes elements between others: the one that begins at or before them, the nearest one, straight
/// lines or cubic polynomials through them, the means of what lies below.
enum class interpolation { nearest, nearest_exact, linear, cubic, area };

namespace detail {

/// The bins of n elements that m means or maxima are over: i n / m, rounded down, until (i + 1) n / m, rounded up.
struct adaptive_bins {
    index_t n, m;
    index_t first(index_t i) const { return i * n / m; }
    index_t end(index_t i) const { return ((i + 1) * n + m - 1) / m; }
    bool even() const { return n % m == 0; }
    /// No bin has more elements.
    index_t most() const { return n / m + (even() ? 0 : m % (n % m) == 0 ? 1 : 2); }
};

/// The sum over k < taps of weight(i, k) x[at(i, k)], for i < m, along an axis.
template <class A, class At, class Weight>
auto weighted_takes(const A& x, int axis, index_t m, int taps, const At& at, const Weight& weight) {
    using T = typename A::value_type;
    using D = device_t<A>;
    const auto term = [&](int k) {
        const auto from = vector_of<index_t, D>(m, [&](index_t i) { return at(i, k); });
        const auto by = vector_of<T, D>(m, [&](index_t i) { return weight(i, k); });
        return std::pair(take(x, from, axis), beside_axis<A::rank>(by, axis));
    };
    const auto pair = [&](int k) {
        const auto [x0, w0] = term(k);
        const auto [x1, w1] = term(k + 1);
        return A(evaluate(w0 * x0 + w1 * x1));
    };
    A y = pair(0);
    for (int k = 2; k < taps; k += 2) y = A(evaluate(y + pair(k)));
    return y;
}
/// Whether all of the last N axes are better resized at once, by sums over taps: not where these would be found for few
/// pictures, nor for more elements than there were, which passes over whole rows make faster.
template <int N, class A>
bool prefers_tap_sums(const A& x, const index_t* sizes) {
    if constexpr (!has_tap_sums<device_t<A>, typename A::value_type>()) return false;
    else {
        constexpr index_t many = 16;
        index_t elements = 1, places = 1;
        for (int d = 0; d < N; ++d) {
            elements *= x.shape()[A::rank - N + d];
            places *= sizes[d];
        }
        return elements > 0 && 2 * places <= elements && x.size() / elements >= many;
    }
}
/// Those axes resized to the given sizes: for element i along axis d the sum over k < Taps of weight(d, i, k), 1 unless
/// Weighted, times the element at(d, i, k), which is none below 0.
template <int N, int Taps, bool Weighted, class A, class At, class Weight>
A sums_over_axes_taps(const A& x, const index_t* sizes, const At& at, const Weight& weight) {
    using T = typename A::value_type;
    shape<N> extents;
    shape<A::rank> result = x.shape();
    index_t places = 1;
    for (int d = 0; d < N; ++d) {
        extents[d] = x.shape()[A::rank - N + d];
        places *= result[A::rank - N + d] = sizes[d];
    }
    const auto table = [&](auto type, int d, const auto& of) {
        using U = decltype(type);
        const auto t = tensor<U, 3>::uninitialized(shape<3>{1, Taps, places});
        index_t inner = 1;
        for (int e = d + 1; e < N; ++e) inner *= sizes[e];
        U* to = t.data();
        for (int k = 0; k < Taps; ++k)
            for (index_t before = 0; before < places; before += inner * sizes[d])
                for (index_t i = 0; i < sizes[d]; ++i, to += inner)
                    std::fill(to, to + inner, static_cast<U>(of(d, i, k)));
        return t;
    };
    const auto flat = reshaped(x, shape<3>{1, x.size() / extents.count(), extents.count()});
    const tap_sum_op<N, Taps, Weighted, 1, 0> op(extents);
    const auto y = [&]<int... D>(std::integer_sequence<int, D...>) {
        if constexpr (Weighted) return call1(op, flat, table(T(), D, weight)..., table(std::int64_t(), D, at)...);
        else return call1(op, flat, table(std::int64_t(), D, at)...);
    }(std::make_integer_sequence<int, N>{});
    return A(reshaped(y, result));
}
/// The elements of an axis' bins along an axis of their own behind it, `missing` where a bin has fewer than others.
template <class A>
auto elements_of_bins(const A& x, int axis, index_t m, typename A::value_type missing) {
    using D = device_t<A>;
    const adaptive_bins bins{x.shape()[axis], m};
    const index_t most = bins.most();
    shape<A::rank + 1> extents;
    for (int d = 0; d <= A::rank; ++d) extents[d] = x.shape()[d > axis ? d - 1 : d];
    extents[axis] = m;
    extents[axis + 1] = most;
    using B = std::remove_cvref_t<decltype(reshaped(x, extents))>;
    if (bins.even()) return B(reshaped(x, extents));
    const auto place = [&](index_t j) { return bins.first(j / most) + j % most; };
    const auto last = [&](index_t j) { return bins.end(j / most) - 1; };
    const auto from = vector_of<index_t, D>(m * most, [&](index_t j) { return std::min(place(j), last(j)); });
    const auto inside = vector_of<bool, D>(m * most, [&](index_t j) { return place(j) <= last(j); });
    auto along = unit_shape<A::rank + 1>();
    along[axis] = m;
    along[axis + 1] = most;
    const auto elements = take(x, reshaped(from, shape<2>{m, most}), axis);
    return B(evaluate(where(reshaped(inside, along), elements, missing)));
}
/// By sums of what is chosen, for weights of 0 would spread an infinity over all bins.
template <class A>
auto adaptive_means(const A& x, int axis, index_t m) {
    using T = typename A::value_type;
    const adaptive_bins bins{x.shape()[axis], m};
    const auto elements = vector_of<real_t<T>, device_t<A>>(m, [&](index_t i) { return bins.end(i) - bins.first(i); });
    return A(evaluate(sum(elements_of_bins(x, axis, m, T{}), axis + 1) / beside_axis<A::rank>(elements, axis)));
}
/// Whether no bin of the last N axes has more than four elements along any.
template <int N, int R>
bool means_of_few(const shape<R>& extents, const index_t* sizes) {
    for (int d = 0; d < N; ++d)
        if (adaptive_bins{extents[R - N + d], sizes[d]}.most() > 4) return false;
    return true;
}
/// The means of such bins.
template <int N, class A>
A adaptive_means_at_once(const A& x, const index_t* sizes) {
    const auto bins = [&](int d) { return adaptive_bins{x.shape()[A::rank - N + d], sizes[d]}; };
    A y = sums_over_axes_taps<N, 4, false>(
        x, sizes,
        [&](int d, index_t i, int k) { return bins(d).first(i) + k < bins(d).end(i) ? bins(d).first(i) + k : -1; }, 0);
    for (int d = 0; d < N; ++d) {
        const auto elements = vector_of<real_t<typename A::value_type>, device_t<A>>(
            sizes[d], [&](index_t i) { return bins(d).end(i) - bins(d).first(i); });
        y = A(evaluate(y / beside_axis<A::rank>(elements, A::rank - N + d)));
    }
    return y;
}
/// Refuses sizes that the last N axes cannot be resized to.
template <int N, int R>
void require_sizes(const shape<R>& from, const index_t* sizes, const char* who) {
    static_assert(N <= R, "ricci: pictures have an axis for each size");
    for (int d = 0; d < N; ++d)
        if (sizes[d] < 1 || from[R - N + d] < 1 || sizes[d] > 2 * far_apart / from[R - N + d])  // places are i n / m
            raise<value_error>(
                {"[", who, "] axis ", R - N + d, " of shape ", from, " cannot be resized to ", sizes[d], " elements"});
}
template <int N, class A, class Step>
A along_last_axes(A x, const index_t* sizes, const Step& step) {
    for (int d = N - 1; d >= 0; --d)
        if (x.shape()[A::rank - N + d] != sizes[d]) x = step(x, A::rank - N + d, sizes[d]);
    return unshared(x);  // of no new size, it is the argument still
}
template <int R, class E>
auto adaptive_avg_pool(const E& x, const index_t* sizes, const char* who) {
    const auto a = evaluate(as_type<inexact_t<typename E::value_type>>(x));
    require_sizes<R>(a.shape(), sizes, who);
    bool even = true;
    for (int d = 0; d < R; ++d) even = even && a.shape()[E::rank - R + d] % sizes[d] == 0;
    return computed_wide(a, [&](const auto& wide) {
        using A = std::remove_cvref_t<decltype(wide)>;
        if constexpr (has_tap_sums<device_t<A>, typename A::value_type>())
            if (!even && prefers_tap_sums<R>(wide, sizes) && means_of_few<R>(wide.shape(), sizes))
                return adaptive_means_at_once<R>(wide, sizes);
        if (!even)
            return along_last_axes<R>(wide, sizes,
                                      [](const A& y, int axis, index_t m) { return adaptive_means(y, axis, m); });
        each_axis<R> window = 1;
        for (int d = 0; d < R; ++d) window.of[d] = wide.shape()[A::rank - R + d] / sizes[d];
        return A(avg_pool<R>(wide, window, averaging_options<R>{}, who));
    });
}
/// The elements of the bins of the last N axes, each of which gets an axis for them behind it.
template <int N, class A>
auto bins_of_last_axes(const A& x, const index_t* sizes) {
    const auto y = elements_of_bins(x, A::rank - 1, sizes[N - 1], least_value<typename A::value_type>());
    if constexpr (N == 1) {
        return y;
    } else {
        // the last axis and its bins wait in front
        const auto others = moveaxis(moveaxis(y, -1, 0), -1, 0);
        const auto rest = bins_of_last_axes<N - 1>(others, sizes);
        return moveaxis(moveaxis(rest, 0, -1), 0, -1);
    }
}
template <int R, class E>
auto adaptive_max_pool(const E& x, const index_t* sizes, const char* who) {
    const auto a = evaluate(x);
    require_sizes<R>(a.shape(), sizes, who);
    int within[R];  // a bin, an axis behind each of those that stay: all at once, so that all that are largest share alike
    for (int d = 0; d < R; ++d) within[d] = E::rank - R + 2 * d + 1;
    return evaluate(max(bins_of_last_axes<R>(a, sizes), within));
}

/// Where element i of m lies among n, and in between.
struct resized_places {
    index_t n, m;
    bool align_corners;
    double operator()(index_t i) const {
        const double at = static_cast<double>(i);
        if (align_corners) return m > 1 ? at * static_cast<double>(n - 1) / static_cast<double>(m - 1) : 0;
        return (at + 0.5) * (static_cast<double>(n) / static_cast<double>(m)) - 0.5;
    }
    index_t inside(index_t i) const { return std::clamp<index_t>(i, 0, n - 1); }
};
template <class A>
auto resized_nearest(const A& x, int axis, index_t m, bool exact) {
    const index_t n = x.shape()[axis];
    if (m % n == 0) return A(repeat(x, m / n, axis));
    const auto from =
        vector_of<index_t, device_t<A>>(m, [&](index_t i) { return exact ? (2 * i + 1) * n / (2 * m) : i * n / m; });
    return A(take(x, from, axis));
}
/// Where element i of a line of straight lines lies: the k-th of two elements, and its weight.
struct linear_places : resized_places {
    double place(index_t i) const { return std::max((*this)(i), 0.0); }
    index_t element(index_t i, int k) const { return inside(static_cast<index_t>(place(i)) + k); }
    double weight(index_t i, int k) const {
        const double t = place(i) - std::floor(place(i));
        return k == 0 ? 1 - t : t;
    }
};
template <class A>
auto resized_linear(const A& x, int axis, index_t m, bool align_corners) {
    const linear_places at{{x.shape()[axis], m, align_corners}};
    return weighted_takes(
        x, axis, m, 2, [&](index_t i, int k) { return at.element(i, k); },
        [&](index_t i, int k) { return at.weight(i, k); });
}
template <int N, class A>
A resized_linear_at_once(const A& x, const index_t* sizes, bool align_corners) {
    const auto along = [&](int d) { return linear_places{{x.shape()[A::rank - N + d], sizes[d], align_corners}}; };
    return sums_over_axes_taps<N, 2, true>(
        x, sizes, [&](int d, index_t i, int k) { return along(d).element(i, k); },
        [&](int d, index_t i, int k) { return along(d).weight(i, k); });
}
/// The parameter of Keys' convolution kernel (1981), a.
inline constexpr double keys_parameter = -0.75;
/// Its two polynomials: weights of elements up to 1 away, and further.
template <class S>
auto cubic_near(const S& s) {
    constexpr double a = keys_parameter;
    return ((a + 2) * s - (a + 3)) * s * s + 1;
}
template <class S>
auto cubic_far(const S& s) {
    constexpr double a = keys_parameter;
    return ((a * s - 5 * a) * s + 8 * a) * s - 4 * a;
}
template <class A>
auto resized_cubic(const A& x, int axis, index_t m, bool align_corners) {
    const resized_places at{x.shape()[axis], m, align_corners};
    return weighted_takes(
        x, axis, m, 4, [&](index_t i, int k) { return at.inside(static_cast<index_t>(std::floor(at(i))) + k - 1); },
        [&](index_t i, int k) {
            const double s = std::abs(at(i) - std::floor(at(i)) - (k - 1));
            return s <= 1 ? cubic_near(s) : cubic_far(s);
        });
}
template <interpolation Mode, int N, class E>
auto interpolated(const E& x, const index_t* sizes, bool align_corners) {
    require_sizes<N>(x.shape(), sizes, "interpolate");
    if constexpr (Mode == interpolation::nearest || Mode == interpolation::nearest_exact) {
        const auto a = evaluate(x);
        using A = std::remove_cvref_t<decltype(a)>;
        return along_last_axes<N>(A(a), sizes, [](const A& y, int axis, index_t m) {
            return resized_nearest(y, axis, m, Mode == interpolation::nearest_exact);
        });
    } else if constexpr (Mode == interpolation::area) {
        return adaptive_avg_pool<N>(x, sizes, "interpolate");
    } else {
        const auto a = evaluate(as_type<inexact_t<typename E::value_type>>(x));
        return computed_wide(a, [&](const auto& wide) {
            using A = std::remove_cvref_t<decltype(wide)>;
            if constexpr (Mode == interpolation::linear && has_tap_sums<device_t<A>, typename A::value_type>())
                if (prefers_tap_sums<N>(wide, sizes)) return resized_linear_at_once<N>(wide, sizes, align_corners);
            return along_last_axes<N>(wide, sizes, [&](const A& y, int axis, index_t m) {
                if constexpr (Mode == interpolation::linear) return resized_linear(y, axis, m, align_corners);
                else return resized_cubic(y, axis, m, align_corners);
            });
        });
    }
}

}  // namespace detail

/// The means of as many windows as are wanted of the last axis, whatever its extent: window i of m of n elements goes
/// from i n / m, rounded down, to (i + 1) n / m, rounded up; adaptive_avg_pool2d of the last two axes, {7, 7} or 7.
/// Integers give double. Linear. Throws value_error for no elements or none wanted. (torch's adaptive_avg_pool1d, 2d
/// and 3d.)
template <expression E>
auto adaptive_avg_pool1d(const E& x, each_axis<1> size) {
    return detail::adaptive_avg_pool<1>(x, size.of, "adaptive_avg_pool1d");
}
template <expression E>
auto adaptive_avg_pool2d(const E& x, each_axis<2> size) {
    return detail::adaptive_avg_pool<2>(x, size.of, "adaptive_avg_pool2d");
}
template <expression E>
auto adaptive_avg_pool3d(const E& x, each_axis<3> size) {
    return detail::adaptive_avg_pool<3>(x, size.of, "adaptive_avg_pool3d");
}
/// The largest elements of these windows; NaN where there is one. Where several are largest, they share the derivative
/// evenly. (Where windows differ in length, one of the shorter that holds -inf alone loses a part of it.)
template <expression E>
auto adaptive_max_pool1d(const E& x, each_axis<1> size) {
    return detail::adaptive_max_pool<1>(x, size.of, "adaptive_max_pool1d");
}
template <expression E>
auto adaptive_max_pool2d(const E& x, each_axis<2> size) {
    return detail::adaptive_max_pool<2>(x, size.of, "adaptive_max_pool2d");
}
template <expression E>
auto adaptive_max_pool3d(const E& x, each_axis<3> size) {
    return detail::adaptive_max_pool<3>(x, size.of, "adaptive_max_pool3d");
}

/// The last axes with other extents, interpolate<interpolation::linear>(images, {64, 64}): axis after axis, by
/// `nearest` unless another way is named (torch's "bilinear" and "bicubic" are linear and cubic along each of two
/// axes). Element i of m lies at (i + 1/2) n / m - 1/2 of n elements; with align_corners, of lines and polynomials
/// alone, at i (n - 1) / (m - 1). Nothing is smoothed where pictures become smaller, save by area. Integers stay so
/// where elements are taken as they are, else give double. Linear. Throws value_error for no elements or none wanted.
/// (torch's interpolate.)
template <interpolation Mode = interpolation::nearest, expression E, int N>
auto interpolate(const E& x, const extent (&sizes)[N], detail::yes_or_no align_corners = false) {
    index_t wanted[N];
    for (int d = 0; d < N; ++d) wanted[d] = sizes[d].value;
    if (align_corners && Mode != interpolation::linear && Mode != interpolation::cubic)
        detail::raise<value_error>({"[interpolate] align_corners is of linear and cubic interpolation alone"});
    return detail::interpolated<Mode, N>(x, wanted, align_corners);
}

/// Channels as parts of pictures `factor` times as large: (..., c f f, h, w) to (..., c, h f, w f), where channel (k f
/// + i) f + j becomes element (i, j) of each place's f x f elements of channel k. Throws shape_error unless the
/// channels divide. (torch's pixel_shuffle.)
template <expression E, std::integral F>
auto pixel_shuffle(const E& x, F factor) {
    constexpr int R = E::rank;
    static_assert(R >= 3, "ricci: pixel_shuffle takes pictures, (..., channels, height, width)");
    const auto a = evaluate(x);
    const index_t f = static_cast<index_t>(factor), channels = a.shape()[R - 3];
    if (f < 1 || channels % f != 0 || channels / f % f != 0)
        detail::raise<shape_error>({"[pixel_shuffle] channels of shape ", a.shape(), " for a factor of ", f});
    shape<R + 2> parts;
    shape<R> whole = a.shape();
    for (int d = 0; d < R - 3; ++d) parts[d] = whole[d];
    parts[R - 3] = whole[R - 3] = channels / f / f;
    parts[R - 2] = parts[R - 1] = f;
    for (int d = R - 2; d < R; ++d) {
        parts[d + 2] = whole[d];
        whole[d] *= f;
    }
    int order[R + 2];
    for (int d = 0; d < R + 2; ++d) order[d] = d;
    const int behind[] = {R, R - 2, R + 1, R - 1};
    for (int d = 0; d < 4; ++d) order[R - 2 + d] = behind[d];
    return detail::unshared(reshape(permute(reshape(a, parts), order), whole));
}
/// The inverse of pixel_shuffle: (..., c, h f, w f) to (..., c f f, h, w). Throws shape_error unless height and width
/// divide.
template <expression E, std::integral F>
auto pixel_unshuffle(const E& x, F factor) {
    constexpr int R = E::rank;
    static_assert(R >= 3, "ricci: pixel_unshuffle takes pictures, (..., channels, height, width)");
    const auto a = evaluate(x);
    const index_t f = static_cast<index_t>(factor);
    if (f < 1 || a.shape()[R - 2] % f != 0 || a.shape()[R - 1] % f != 0)
        detail::raise<shape_error>({"[pixel_unshuffle] pictures of shape ", a.shape(), " for a factor of ", f});
    shape<R + 2> parts;
    shape<R> whole = a.shape();
    for (int d = 0; d < R - 2; ++d) parts[d] = whole[d];
    for (int d = 0; d < 2; ++d) {
        parts[R - 2 + 2 * d] = whole[R - 2 + d] /= f;
        parts[R - 1 + 2 * d] = f;
    }
    whole[R - 3] *= f * f;
    int order[R + 2];
    for (int d = 0; d < R + 2; ++d) order[d] = d;
    const int behind[] = {R - 1, R + 1, R - 2, R};
    for (int d = 0; d < 4; ++d) order[R - 2 + d] = behind[d];
    return detail::unshared(reshape(permute(reshape(a, parts), order), whole));
}

}  // namespace ricci
