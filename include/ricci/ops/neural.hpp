// What layers of networks compute, as functions: normalization, gates, embedding, dropout. Convolutions, pooling and
// attention have files of their own.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "../core/optional_value.hpp"
#include "checked_values.hpp"
#include "contract.hpp"
#include "create.hpp"
#include "diagonal.hpp"
#include "elementwise/leaky_relu.hpp"
#include "elementwise/where.hpp"
#include "index.hpp"
#include "random_like.hpp"
#include "rearrange.hpp"
#include "softmax.hpp"
#include "standardize.hpp"
#include "stop_gradient.hpp"
#include "strided.hpp"

namespace ricci {

namespace detail {

/// The last axes of a shape, which must have the given extents.
template <int N, int R>
void last_axes(int (&axes)[N], const shape<R>& all, const shape<N>& extents, const char* who) {
    static_assert(N <= R, "ricci: a normalization is given more extents than the array has axes");
    for (int i = 0; i < N; ++i) {
        axes[i] = R - N + i;
        if (all[axes[i]] != extents[i])
            raise<shape_error>({"[", who, "] extent ", extents[i], " for axis ", axes[i], " of shape ", all,
                                ", which has ", all[axes[i]]});
    }
}

/// Throws shape_error unless a weight has the extents that are normalized, each or as one number for all.
template <int N, class W>
void require_extents(const W& weight, const shape<N>& extents, const char* who) {
    for (int d = 0; d < N; ++d)
        if (weight.shape()[d] != extents[d] && weight.shape()[d] != 1)
            raise<shape_error>({"[", who, "] a weight or bias of shape ", weight.shape(), " for extents ", extents});
}
template <class Y, class W, class B>
auto scaled_and_shifted(const Y& y, const W& weight, const B& bias) {
    return evaluate(y * weight + bias);
}
template <class Y, class W>
auto scaled_and_shifted(const Y& y, const W& weight) {
    return evaluate(y * weight);
}
/// layer_norm times a weight, plus a bias.
template <class E, int N, class... V>
auto scaled_layer_norm(const E& x, const shape<N>& extents, double epsilon, const V&... vectors) {
    const auto a = evaluate(x);
    int axes[N];
    last_axes(axes, a.shape(), extents, "layer_norm");
    (require_extents(vectors, extents, "layer_norm"), ...);
    const auto given = std::make_tuple(evaluate(vectors)...);
    return std::apply(
        [&](const auto&... v) {
            using Y = decltype(scaled_and_shifted(standardize(a, axes), v...));
            if constexpr (N == 1 && all_plain<std::remove_cvref_t<decltype(a)>>() &&
                          (all_plain<std::remove_cvref_t<decltype(v)>>() && ...))
                if (const auto y = standardized_and_scaled(a, epsilon, v...)) return Y(*y);
            return scaled_and_shifted(standardize(a, axes, {.epsilon = epsilon}), v...);
        },
        given);
}
/// 1 over the root of the mean of squares, plus epsilon or that of the type, along some axes.
template <class A, int N>
auto rms_factor(const A& a, const int (&axes)[N], const optional_value<double>& epsilon) {
    using T = typename A::value_type;
    const T least = epsilon ? static_cast<T>(*epsilon) : std::numeric_limits<T>::epsilon();
    return evaluate(rsqrt(mean(square(a), axes, keepdims) + least));
}
/// Refuses a weight of a linear layer for another number of features than the last axis of x has.
template <class E, class W>
void require_features(const E& x, const W& weight) {
    static_assert(W::rank == 2, "ricci: linear takes a weight of (features out, features in)");
    static_assert(E::rank >= 1, "ricci: linear takes features along the last axis of an array");
    if (x.shape()[E::rank - 1] != weight.shape()[1])
        raise<shape_error>({"[linear] ", x.shape()[E::rank - 1], " features in the last axis of shape ", x.shape(),
                            " for a weight of shape ", weight.shape(),
                            ", (features out, features in): ", x.shape()[E::rank - 1], " != ", weight.shape()[1]});
}
/// A vector of channels beside pictures: axis 1 of rank R.
template <int R, class V>
auto beside_channels(const V& vector, index_t channels, const char* who) {
    static_assert(V::rank == 1 && R >= 2, "ricci: channels are axis 1, a number for each in a vector");
    const auto v = evaluate(vector);
    if (v.size() != channels)
        raise<shape_error>({"[", who, "] a vector of shape ", v.shape(), " for ", channels, " channels"});
    shape<R - 1> extents;
    for (int d = 0; d < R - 1; ++d) extents[d] = d == 0 ? channels : 1;
    return evaluate(reshape(v, extents));
}

}  // namespace detail

/// `x` standardized over its last axes, whose extents are given, layer_norm(x, {64}) or layer_norm(x, y.shape()), with
/// a weight of that shape, layer_norm(x, {64}, weight), and a bias, layer_norm(x, {64}, weight, bias). Throws
/// shape_error where they differ. (torch's layer_norm.)
template <expression E, int N>
auto layer_norm(const E& x, const shape<N>& extents, detail::plain_number epsilon = 1e-5) {
    const auto a = evaluate(x);
    int axes[N];
    detail::last_axes(axes, a.shape(), extents, "layer_norm");
    return standardize(a, axes, {.epsilon = epsilon});
}
template <expression E, int N, expression W>
auto layer_norm(const E& x, const shape<N>& extents, const W& weight, detail::plain_number epsilon = 1e-5) {
    static_assert(W::rank == N, "ricci: the weight of layer_norm has the shape that it is given");
    return detail::scaled_layer_norm(x, extents, epsilon, weight);
}
template <expression E, int N, expression W, expression B>
auto layer_norm(const E& x, const shape<N>& extents, const W& weight, const B& bias,
                detail::plain_number epsilon = 1e-5) {
    static_assert(W::rank == N && B::rank == N,
                  "ricci: the weight and the bias of layer_norm have the shape that it is given");
    return detail::scaled_layer_norm(x, extents, epsilon, weight, bias);
}

/// Over the last axis alone, whose extent may stand without braces.
template <expression E, std::integral N, class... More>
auto layer_norm(const E& x, N last, const More&... more) {
    return layer_norm(x, shape<1>{static_cast<index_t>(last)}, more...);
}
template <expression E, int N, class... More>
auto layer_norm(const E& x, const extent (&extents)[N], const More&... more) {
    return layer_norm(x, detail::to_shape(extents), more...);
}

/// `x` over the root of the mean of its squares, plus epsilon, over its last axes, whose extents are given as
/// layer_norm's; with a weight of that shape, rms_norm(x, {64}, weight). The epsilon is that of the type it is computed
/// in, float for 16 bits, unless given. Throws shape_error unless the extents are x's last ones and the weight
/// broadcasts with them. (torch's rms_norm.)
template <expression E, int N>
auto rms_norm(const E& x, const shape<N>& extents, detail::optional_value<double> epsilon = {}) {
    const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(x));
    int axes[N];
    detail::last_axes(axes, a.shape(), extents, "rms_norm");
    return detail::computed_wide(
        a, [&](const auto& wide) { return evaluate(wide * detail::rms_factor(wide, axes, epsilon)); });
}
template <expression E, int N, expression W>
auto rms_norm(const E& x, const shape<N>& extents, const W& weight, detail::optional_value<double> epsilon = {}) {
    static_assert(W::rank == N, "ricci: the weight of rms_norm has the shape that it is given");
    detail::require_extents(weight, extents, "rms_norm");
    if constexpr (is_half_v<typename E::value_type>) {
        return evaluate(rms_norm(x, extents, epsilon) * weight);
    } else {
        const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(x));
        int axes[N];
        detail::last_axes(axes, a.shape(), extents, "rms_norm");
        return evaluate(a * detail::rms_factor(a, axes, epsilon) * weight);
    }
}
template <expression E, std::integral N, class... More>
auto rms_norm(const E& x, N last, const More&... more) {
    return rms_norm(x, shape<1>{static_cast<index_t>(last)}, more...);
}
template <expression E, int N, class... More>
auto rms_norm(const E& x, const extent (&extents)[N], const More&... more) {
    return rms_norm(x, detail::to_shape(extents), more...);
}

/// The channels, axis 1, in groups, each standardized together with all that lies behind them: x of shape (batch,
/// channels, ...); with a weight, or a weight and a bias, of each channel group_norm(x, 4, weight, bias). Throws
/// shape_error unless the groups divide the channels. (torch's group_norm.)
template <expression E, std::integral G>
auto group_norm(const E& x, G groups, detail::plain_number epsilon = 1e-5) {
    static_assert(E::rank >= 2, "ricci: group_norm takes an array whose axis 1 has channels");
    const auto a = evaluate(x);
    const index_t count = static_cast<index_t>(groups), channels = a.shape()[1];
    if (count < 1 || channels % count != 0)
        detail::raise<shape_error>(
            {"[group_norm] ", count, " groups do not divide the ", channels, " channels of shape ", a.shape()});
    const index_t rows = a.shape()[0] * count;
    const auto together = detail::reshaped(a, shape<2>{rows, rows == 0 ? 0 : a.size() / rows});
    return evaluate(detail::reshaped(standardize(together, -1, {.epsilon = epsilon}), a.shape()));
}
template <expression E, std::integral G, expression W>
auto group_norm(const E& x, G groups, const W& weight, detail::plain_number epsilon = 1e-5) {
    return evaluate(group_norm(x, groups, epsilon) *
                    detail::beside_channels<E::rank>(weight, x.shape()[1], "group_norm"));
}
template <expression E, std::integral G, expression W, expression B>
auto group_norm(const E& x, G groups, const W& weight, const B& bias, detail::plain_number epsilon = 1e-5) {
    return detail::scaled_and_shifted(group_norm(x, groups, epsilon),
                                      detail::beside_channels<E::rank>(weight, x.shape()[1], "group_norm"),
                                      detail::beside_channels<E::rank>(bias, x.shape()[1], "group_norm"));
}
/// group_norm with each channel as a group of its own. (torch's instance_norm.)
template <expression E, class... More>
auto instance_norm(const E& x, const More&... more) {
    static_assert(E::rank >= 3, "ricci: instance_norm takes pictures, (batch, channels, ...)");
    return group_norm(x, std::max<index_t>(x.shape()[1], 1), more...);
}

/// The first half of an axis times sigmoid of the second. Throws shape_error for an odd extent. (torch's glu.)
template <expression E>
auto glu(const E& x, int axis = -1) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "glu");
    const index_t n = a.shape()[d];
    if (n % 2 != 0) detail::raise<shape_error>({"[glu] axis ", d, " of shape ", a.shape(), " has no halves"});
    return evaluate(detail::stretch_of(a, d, 0, n / 2) * sigmoid(detail::stretch_of(a, d, n / 2, n / 2)));
}
/// x for x > 0, else its channel's slope times x: slopes are a vector, one for each place of axis 1. Throws shape_error
/// for another number of slopes. (torch's prelu; with one slope for all it is leaky_relu.)
template <expression E, expression W>
auto prelu(const E& x, const W& slopes) {
    const auto a = evaluate(x);
    return evaluate(leaky_relu(a, detail::beside_channels<E::rank>(slopes, a.shape()[1], "prelu")));
}

/// Each channel, a place of axis 1, standardized over all other axes, times its weight, plus its bias: what torch's
/// batch_norm computes when it trains. Throws shape_error for vectors of another length than there are channels.
template <expression E, expression W, expression B>
auto batch_norm(const E& x, const W& weight, const B& bias, detail::plain_number epsilon = 1e-5) {
    static_assert(E::rank >= 2, "ricci: batch_norm takes arrays of rank 2 or more, whose axis 1 is the channels");
    const auto a = evaluate(x);
    const index_t channels = a.shape()[1];
    int axes[E::rank - 1];
    for (int d = 0; d < E::rank - 1; ++d) axes[d] = d == 0 ? 0 : d + 1;
    return detail::scaled_and_shifted(standardize(a, axes, {.epsilon = epsilon}),
                                      detail::beside_channels<E::rank>(weight, channels, "batch_norm"),
                                      detail::beside_channels<E::rank>(bias, channels, "batch_norm"));
}
/// With means and variances that are known, (x - mean) / sqrt(var + epsilon) weight + bias: torch's batch_norm in use.
/// Throws as above.
template <expression E, expression M, expression V, expression W, expression B>
auto batch_norm(const E& x, const M& mean, const V& variance, const W& weight, const B& bias,
                detail::plain_number epsilon = 1e-5) {
    const auto a = evaluate(x);
    const auto each = [&](const auto& v) { return detail::beside_channels<E::rank>(v, a.shape()[1], "batch_norm"); };
    using T = inexact_t<typename V::value_type>;
    const auto spread = detail::as_type<T>(each(variance)) + static_cast<real_t<compute_t<T>>>(epsilon);
    const auto scale = evaluate(each(weight) / sqrt(spread));
    return evaluate((a - each(mean)) * scale + each(bias));
}

/// x times the transpose of a weight, (features out, features in), plus a bias, which is added while the product is in
/// the cache. Features are the last axis of x. Throws shape_error where they differ. (torch's linear.)
template <expression E, expression W>
auto linear(const E& x, const W& weight) {
    detail::require_features(x, weight);
    return matmul(x, matrix_transpose(weight));
}
template <expression E, expression W, expression B>
auto linear(const E& x, const W& weight, const B& bias) {
    static_assert(B::rank == 1, "ricci: linear takes a bias of a number for each feature");
    detail::require_features(x, weight);
    if (weight.shape()[0] != bias.shape()[0])
        detail::raise<shape_error>(
            {"[linear] a bias of shape ", bias.shape(), " for a weight of shape ", weight.shape()});
    const auto b = evaluate(bias);
    return matmul(x, matrix_transpose(weight), [&](const auto& y) { return y + b; });
}

/// For each output k the sum of a[i] weight[k][i][j] b[j]: weight (outputs, features of a, features of b), features the
/// last axes of a and b, whose other axes broadcast. Throws shape_error where they differ. (torch's bilinear.)
template <expression A, expression B, expression W>
auto bilinear(const A& a, const B& b, const W& weight) {
    static_assert(W::rank == 3 && A::rank >= 1 && B::rank >= 1,
                  "ricci: bilinear takes a weight of rank 3: outputs, features of a, features of b");
    const auto w = evaluate(weight);
    if (a.shape()[A::rank - 1] != w.shape()[1] || b.shape()[B::rank - 1] != w.shape()[2])
        detail::raise<shape_error>(
            {"[bilinear] features of shapes ", a.shape(), " and ", b.shape(), " for a weight of shape ", w.shape()});
    const auto pairs = evaluate(expand_dims(evaluate(a), -1) * expand_dims(evaluate(b), -2));
    constexpr int R = rank_v<decltype(pairs)>;
    shape<R - 1> joined;
    for (int d = 0; d < R - 1; ++d) joined[d] = pairs.shape()[d];
    joined[R - 2] *= w.shape()[2];
    return linear(reshape(pairs, joined), reshape(w, shape<2>{w.shape()[0], joined[R - 2]}));
}
template <expression A, expression B, expression W, expression Bias>
auto bilinear(const A& a, const B& b, const W& weight, const Bias& bias) {
    static_assert(Bias::rank == 1, "ricci: bilinear takes a bias of a number for each output");
    const auto c = evaluate(bias);
    if (weight.shape()[0] != c.shape()[0])
        detail::raise<shape_error>(
            {"[bilinear] a bias of shape ", c.shape(), " for a weight of shape ", weight.shape()});
    return evaluate(bilinear(a, b, weight) + c);
}

/// The rows of `weight` that integers number, in the integers' shape and one axis more. Throws index_error for a number
/// of no row; no number counts from the end. (torch's embedding.)
template <expression K, expression W>
auto embedding(const K& numbers, const W& weight) {
    static_assert(W::rank == 2, "ricci: embedding takes integers and a matrix, whose rows they number");
    const auto at = evaluate(stop_gradient(numbers));
    detail::require_between<index_error>(at, 0, weight.shape()[0] - 1, "embedding", "the number of a row");
    return take(weight, at, 0);
}

/// `x` with a share p of its elements made 0 by chance, the others divided by 1 - p; `x` itself unless training. Under
/// vmap as rand_like. Throws value_error unless 0 <= p <= 1. (torch's dropout.)
template <expression E>
auto dropout(const E& x, double p = 0.5, detail::yes_or_no training = true, generator_ref g = {}) {
    if (!(p >= 0 && p <= 1)) detail::raise<value_error>({"[dropout] the probability must lie between 0 and 1: ", p});
    using T = real_t<compute_t<typename E::value_type>>;
    const auto a = evaluate(x);
    using A = std::remove_const_t<decltype(a)>;
    if (!training || p == 0) return A(a);
    const T scale = p < 1 ? static_cast<T>(1 / (1 - p)) : T(0);
    return A(evaluate(where(rand_like(detail::as_type<T>(stop_gradient(a)), g) >= static_cast<T>(p), a * scale, T(0))));
}
/// dropout for networks of selu: what is dropped is what selu gives of -inf, and the result is scaled and shifted so
/// that standard normal elements keep mean and variance. Else as dropout. (torch's alpha_dropout; Klambauer et al.
/// 2017.)
template <expression E>
auto alpha_dropout(const E& x, double p = 0.5, detail::yes_or_no training = true, generator_ref g = {}) {
    if (!(p >= 0 && p <= 1))
        detail::raise<value_error>({"[alpha_dropout] the probability must lie between 0 and 1: ", p});
    using T = real_t<compute_t<typename E::value_type>>;
    constexpr double least = -1.7580993408473766;
    const auto a = evaluate(x);
    using A = std::remove_const_t<decltype(a)>;
    if (!training || p == 0) return A(a);
    const double scale = p < 1 ? 1 / std::sqrt((1 - p) * (1 + p * least * least)) : 0;
    const T factor = static_cast<T>(scale), shift = static_cast<T>(-scale * least * p);
    const auto kept = rand_like(detail::as_type<T>(stop_gradient(a)), g) >= static_cast<T>(p);
    return A(evaluate(where(kept, a * factor + shift, static_cast<T>(least) * factor + shift)));
}
/// x for x > 0, else x times a slope drawn for each element between two bounds, or, unless training, their mean.
/// Integers are promoted to double. Throws value_error unless lower <= upper. (torch's rrelu; Xu et al. 2015.)
template <expression E>
auto rrelu(const E& x, double lower = 1.0 / 8, double upper = 1.0 / 3, detail::yes_or_no training = false,
           generator_ref g = {}) {
    if (!(lower <= upper)) detail::raise<value_error>({"[rrelu] slopes between ", lower, " and ", upper});
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(x));
    using A = std::remove_const_t<decltype(a)>;
    if (!training) return A(evaluate(leaky_relu(a, (lower + upper) / 2)));
    const auto slope = rand_like(stop_gradient(a), g) * (upper - lower) + lower;
    return A(evaluate(leaky_relu(a, slope)));
}
/// softmax((x + g) / tau) along an axis, where g are random numbers of Gumbel's distribution: draws of classes, by the
/// logarithms of their probabilities, that have derivatives. With `hard` they are exactly 0 and 1, and the derivatives
/// those of the others. Under vmap as rand_like. (torch's gumbel_softmax; Jang, Gu and Poole 2017.)
template <expression E>
auto gumbel_softmax(const E& logits, double tau = 1, detail::yes_or_no hard = false, int axis = -1,
                    generator_ref g = {}) {
    const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(logits));
    using A = std::remove_const_t<decltype(a)>;
    const auto soft = evaluate(softmax((a - log(-log(rand_like(stop_gradient(a), g)))) / tau, axis));
    if (!hard) return A(soft);
    const auto values = stop_gradient(soft);
    const int d = detail::normalize_axis(axis, E::rank, "gumbel_softmax");
    const auto first = expand_dims(argmax(values, d), d);
    const auto drawn = put_along_axis(zeros_like(values), first, 1, d);
    return A(evaluate(drawn + (soft - values)));
}
template <expression E, detail::bare_seed Seed>
auto dropout(const E&, double, Seed) {
    return detail::refused_seed<Seed>();
}

}  // namespace ricci
