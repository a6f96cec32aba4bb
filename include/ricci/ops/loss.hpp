// Losses, means over all elements: mse_loss, l1_loss, huber_loss, smooth_l1_loss, cross_entropy and its kin.
#pragma once
#include "index.hpp"
#include "rearrange.hpp"
#include "softmax.hpp"

namespace ricci {

/// The mean of (x - y)^2, broadcast. Its names and those below are torch.nn.functional's.
template <operand X, operand Y>
    requires(operands<X, Y>)
auto mse_loss(const X& x, const Y& y) {
    return mean(square(x - y));
}
/// The mean of |x - y|.
template <operand X, operand Y>
    requires(operands<X, Y>)
auto l1_loss(const X& x, const Y& y) {
    return mean(abs(x - y));
}
/// The mean of d^2 / 2 where d = |x - y| is at most delta, and of delta (d - delta / 2) where it is more.
template <operand X, operand Y>
    requires(operands<X, Y>)
auto huber_loss(const X& x, const Y& y, double delta = 1) {
    const auto d = abs(x - y);
    const auto inside = minimum(d, delta);
    return mean(inside * (d - 0.5 * inside));
}
/// huber_loss(x, y, beta) / beta.
template <operand X, operand Y>
    requires(operands<X, Y>)
auto smooth_l1_loss(const X& x, const Y& y, double beta = 1) {
    return evaluate(huber_loss(x, y, beta) / beta);
}

/// The mean of -log softmax(logits)[class], along the last axis, of integer classes, whose shape is that of logits without its
/// last axis. Throws index_error for a class that there is not.
template <expression X, expression C>
    requires(std::is_integral_v<typename C::value_type>)
auto cross_entropy(const X& logits, const C& classes) {
    static_assert(C::rank == X::rank - 1, "ricci: cross_entropy takes a class for each row of logits");
    const auto at = expand_dims(astype<std::int64_t>(stop_gradient(classes)), -1);
    return evaluate(-mean(take_along_axis(log_softmax(logits, -1), evaluate(at), -1)));
}
/// Of probabilities of all classes, in the shape of logits.
template <expression X, expression P>
    requires(!std::is_integral_v<typename P::value_type>)
auto cross_entropy(const X& logits, const P& probabilities) {
    static_assert(P::rank == X::rank, "ricci: cross_entropy takes classes, or probabilities in the shape of logits");
    return evaluate(-mean(sum(probabilities * log_softmax(logits, -1), -1)));
}
/// The mean of -t log p - (1 - t) log(1 - p) for p = sigmoid(logits), without overflow.
template <expression X, operand Y>
auto binary_cross_entropy_with_logits(const X& logits, const Y& targets) {
    return mean(softplus(logits) - targets * logits);
}

}  // namespace ricci
