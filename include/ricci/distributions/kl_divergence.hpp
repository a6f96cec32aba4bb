// Kullback-Leibler divergences of distributions of one family, by their closed forms.
#pragma once
#include "mixture.hpp"
#include "multivariate.hpp"
#include "positive.hpp"

namespace ricci::distributions {

/// The Kullback-Leibler divergence of p from q, the mean under p of log p - log q, in nats; of the shape that the
/// batches broadcast to. Infinite where p has values that q has not. Differentiable in all parameters.
/// (torch.distributions.kl_divergence.)
template <class A, class B, class C, class D>
auto kl_divergence(const normal<A, B>& p, const normal<C, D>& q) {
    const auto ratio = square(p.scale / q.scale);
    return 0.5 * (ratio + square((p.loc - q.loc) / q.scale) - 1 - log(ratio));
}
template <class A, class B, class C, class D>
auto kl_divergence(const log_normal<A, B>& p, const log_normal<C, D>& q) {
    return kl_divergence(p.base, q.base);
}
template <class A, class B>
auto kl_divergence(const half_normal<A>& p, const half_normal<B>& q) {
    return kl_divergence(p.base, q.base);
}
template <class A, class B, class C, class D>
auto kl_divergence(const laplace<A, B>& p, const laplace<C, D>& q) {
    const auto apart = abs(p.loc - q.loc);
    const auto ratio = p.scale / q.scale;
    return apart / q.scale + ratio * exp(-apart / p.scale) - 1 - log(ratio);
}
template <class A, class B, class C, class D>
auto kl_divergence(const gumbel<A, B>& p, const gumbel<C, D>& q) {
    const auto ratio = p.scale / q.scale;
    const auto moved = (q.loc - p.loc) / q.scale;
    return -log(ratio) + std::numbers::egamma * (ratio - 1) + exp(moved + lgamma(1 + ratio)) - moved - 1;
}
template <class A, class B, class C, class D>
auto kl_divergence(const cauchy<A, B>& p, const cauchy<C, D>& q) {
    return log((square(p.scale + q.scale) + square(p.loc - q.loc)) / (4 * p.scale * q.scale));
}
template <class A, class B, class C, class D>
auto kl_divergence(const uniform<A, B>& p, const uniform<C, D>& q) {
    return where(detail::point(p.low) >= q.low && detail::point(p.high) <= q.high,
                 log((q.high - q.low) / (p.high - p.low)), detail::infinity);
}
template <class A, class B>
auto kl_divergence(const exponential<A>& p, const exponential<B>& q) {
    const auto ratio = q.rate / p.rate;
    return ratio - 1 - log(ratio);
}
template <class A, class B, class C, class D>
auto kl_divergence(const gamma<A, B>& p, const gamma<C, D>& q) {
    const auto& a = p.concentration;
    const auto& b = q.concentration;
    return b * log(p.rate / q.rate) + lgamma(b) - lgamma(a) + (a - b) * digamma(a) + a * (q.rate / p.rate - 1);
}
template <class A, class B, class C, class D>
auto kl_divergence(const inverse_gamma<A, B>& p, const inverse_gamma<C, D>& q) {
    return kl_divergence(p.base, q.base);
}
template <class A, class B, class C, class D>
auto kl_divergence(const beta<A, B>& p, const beta<C, D>& q) {
    const auto& a = p.concentration1;
    const auto& b = p.concentration0;
    const auto& c = q.concentration1;
    const auto& d = q.concentration0;
    return betaln(c, d) - betaln(a, b) + (a - c) * digamma(a) + (b - d) * digamma(b) + (c - a + d - b) * digamma(a + b);
}
template <class A, class B, class C, class D>
auto kl_divergence(const pareto<A, B>& p, const pareto<C, D>& q) {
    const auto ratio = q.alpha / p.alpha;
    return where(detail::point(p.scale) >= q.scale, q.alpha * log(p.scale / q.scale) - log(ratio) + ratio - 1,
                 detail::infinity);
}
template <class A, class B, class C, class D>
auto kl_divergence(const weibull<A, B>& p, const weibull<C, D>& q) {
    const auto& k = p.concentration;
    const auto& n = q.concentration;
    return log(k / n) - k * log(p.scale) + n * log(q.scale) + (k - n) * (log(p.scale) - std::numbers::egamma / k) +
           pow(p.scale / q.scale, n) * exp(lgamma(1 + n / k)) - 1;
}
template <class A, class B>
auto kl_divergence(const poisson<A>& p, const poisson<B>& q) {
    return rel_entr(p.rate, q.rate) - p.rate + q.rate;
}
template <class A, class B>
auto kl_divergence(const bernoulli<A>& p, const bernoulli<B>& q) {
    const auto a = p.probs();
    return -q.success.log_of_trials(a, 1 - a) - p.entropy();
}
template <class A, class B>
auto kl_divergence(const geometric<A>& p, const geometric<B>& q) {
    const auto a = p.probs();
    return -q.success.log_of_trials(1, (1 - a) / a) - p.entropy();
}
template <class A, class B>
auto kl_divergence(const categorical<A>& p, const categorical<B>& q) {
    return sum(rel_entr(p.probs(), q.probs()), -1);
}
template <class A, class B>
auto kl_divergence(const dirichlet<A>& p, const dirichlet<B>& q) {
    const auto total = sum(p.concentration, -1, keepdims);
    return q.log_normalizer() - p.log_normalizer() +
           sum((p.concentration - q.concentration) * (digamma(p.concentration) - digamma(total)), -1);
}
template <class A, class B, class C, class D>
auto kl_divergence(const multivariate_normal<A, B>& p, const multivariate_normal<C, D>& q) {
    const auto n = static_cast<double>(p.loc.shape()[A::rank - 1]);
    const auto spread = sum(square(linalg::solve_triangular(q.factor, p.factor, false)), {-2, -1});
    return detail::half_log_determinant(q.factor) - detail::half_log_determinant(p.factor) +
           0.5 * (spread + detail::squared_mahalanobis(q.factor, evaluate(q.loc - p.loc)) - n);
}
template <int N, class P, class Q>
auto kl_divergence(const independent_axes<N, P>& p, const independent_axes<N, Q>& q) {
    return detail::sum_last<N>(kl_divergence(p.base, q.base));
}
/// Of two distributions of which no closed form is here.
template <class P, class Q>
auto kl_divergence(const P&, const Q&) {
    static_assert(
        always_false<P>,
        "ricci: kl_divergence has no closed form for these two: the mean of p.log_prob(x) - q.log_prob(x) over "
        "x = p.sample({1000}) estimates it");
}

}  // namespace ricci::distributions
