// What layers do with whole channels of pictures, the axis before those of a picture's places: dropout of features,
// shuffles, and normalization by neighbours.
#pragma once
#include "neural.hpp"
#include "pad.hpp"

namespace ricci {

/// What local_response_norm divides by: (k + alpha mean(x^2))^beta, the mean over `size` neighbouring channels.
struct response_options {
    double alpha = 1e-4, beta = 0.75, k = 1;
};

namespace detail {

/// Dropout of whole channels, each the last N axes.
template <int N, class E>
auto channel_dropout(const E& x, double p, bool training, generator_ref g, const char* who) {
    static_assert(
        E::rank == N + 1 || E::rank == N + 2,
        "ricci: dropout1d, 2d and 3d take (batch, channels, ...) or (channels, ...), with so many axes of a picture");
    require(p, condition::probability, who, "the probability");
    using T = real_t<compute_t<typename E::value_type>>;
    const auto a = evaluate(x);
    using A = std::remove_const_t<decltype(a)>;
    if (!training || p == 0 || a.size() == 0) return A(a);
    auto one = stop_gradient(a);
    for (int d = E::rank - N; d < E::rank; ++d) one = stretch_of(one, d, 0, 1);
    const T scale = p < 1 ? static_cast<T>(1 / (1 - p)) : T(0);
    return A(evaluate(where(rand_like(as_type<T>(one), g) >= static_cast<T>(p), a * scale, T(0))));
}

}  // namespace detail

/// dropout of whole channels, of lines (channels, n) or a batch of them, (batch, channels, n): each is made 0 by
/// chance, or else divided by 1 - p. Throws value_error unless 0 <= p <= 1. (torch's dropout1d; dropout2d of pictures,
/// dropout3d of volumes; Tompson et al. 2015.)
template <expression E>
auto dropout1d(const E& x, double p = 0.5, detail::yes_or_no training = true, generator_ref g = {}) {
    return detail::channel_dropout<1>(x, p, training, g, "dropout1d");
}
template <expression E>
auto dropout2d(const E& x, double p = 0.5, detail::yes_or_no training = true, generator_ref g = {}) {
    return detail::channel_dropout<2>(x, p, training, g, "dropout2d");
}
template <expression E>
auto dropout3d(const E& x, double p = 0.5, detail::yes_or_no training = true, generator_ref g = {}) {
    return detail::channel_dropout<3>(x, p, training, g, "dropout3d");
}

/// The channels, axis 1, in another order: of so many groups the first ones, then the second ones. Throws shape_error
/// where groups do not divide them. (torch's channel_shuffle; Zhang et al. 2018.)
template <expression E>
auto channel_shuffle(const E& x, index_t groups) {
    static_assert(E::rank >= 2, "ricci: channel_shuffle takes (batch, channels, ...)");
    const auto a = evaluate(x);
    const auto whole = a.shape();
    if (groups < 1 || whole[1] % groups != 0)
        detail::raise<shape_error>({"[channel_shuffle] ", whole[1], " channels do not make ", groups, " groups"});
    shape<E::rank + 1> apart;
    for (int d = 0; d < E::rank; ++d) apart[d + (d > 1)] = whole[d];
    apart[1] = groups;
    apart[2] = whole[1] / groups;
    return evaluate(reshape(swapaxes(reshape(a, apart), 1, 2), whole));
}

/// Each element over (k + alpha s)^beta, where s is the mean of the squares in `size` neighbouring channels, axis 1,
/// zeros beyond the ends. Integers give double. Throws value_error for a size below 1. (torch's local_response_norm;
/// Krizhevsky et al. 2012.)
template <expression E>
auto local_response_norm(const E& x, index_t size, const response_options& o = {}) {
    static_assert(E::rank >= 3, "ricci: local_response_norm takes pictures, (batch, channels, ...)");
    if (size < 1) detail::raise<value_error>({"[local_response_norm] a mean of ", size, " channels"});
    const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(x));
    margin around[E::rank] = {};
    around[1] = {size / 2, (size - 1) / 2};
    const auto squares = mean(unfold(pad(square(a), around), 1, size), -1);
    return evaluate(a / pow(o.k + o.alpha * squares, o.beta));
}

}  // namespace ricci
