// Distributions of positive numbers, and of the unit interval: exponential, gamma, chi2, inverse_gamma, beta, weibull,
// pareto, log_normal, half_normal, half_cauchy.
#pragma once
#include "../ops/elementwise.hpp"
#include "../ops/special/betaincinv.hpp"
#include "../ops/special/gammaincinv.hpp"
#include "continuous.hpp"

namespace ricci::distributions {

/// Exponential of `rate` > 0, one over the mean. (torch.distributions.Exponential.)
template <class K>
struct exponential : distribution<exponential<K>> {
    static constexpr const char* name = "exponential";
    static constexpr bool reparameterized = true;
    K rate;

    template <operand A>
    explicit exponential(const A& r) : rate(detail::kept(r)) {
        detail::require(rate, detail::condition::positive, name, "the rate");
    }
    auto parameters() const { return std::tie(rate); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::exponential(1 / rate, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(at >= 0, at, log(rate) - rate * at);
    }
    template <operand X>
    auto cdf(const X& x) const {
        return -expm1(-rate * maximum(detail::point(x), 0));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return -log1p(-detail::probability(detail::point(q))) / rate;
    }
    auto mean() const { return this->spread(1 / rate); }
    auto variance() const { return this->spread(1 / square(rate)); }
    auto entropy() const { return this->spread(1 - log(rate)); }
};
template <class A>
exponential(const A&) -> exponential<detail::kept_t<A>>;

/// Gamma of `concentration` > 0, the shape, and `rate` > 0, one over the scale. (torch.distributions.Gamma.)
template <class C, class K>
struct gamma : distribution<gamma<C, K>> {
    static constexpr const char* name = "gamma";
    static constexpr bool reparameterized = false;
    C concentration;
    K rate;

    template <operand A, operand B>
    gamma(const A& form, const B& r) : concentration(detail::kept(form)), rate(detail::kept(r)) {
        detail::require(concentration, detail::condition::positive, name, "the concentration");
        detail::require(rate, detail::condition::positive, name, "the rate");
        this->shape();
    }
    auto parameters() const { return std::tie(concentration, rate); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::gamma(concentration, 1 / rate, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(
            at >= 0, at, xlogy(concentration, rate) + xlogy(concentration - 1, at) - rate * at - lgamma(concentration));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return gammainc(concentration, rate * maximum(detail::point(x), 0));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return gammaincinv(concentration, detail::point(q)) / rate;
    }
    auto mean() const { return this->spread(concentration / rate); }
    auto variance() const { return this->spread(concentration / square(rate)); }
    auto entropy() const {
        return this->spread(concentration - log(rate) + lgamma(concentration) +
                            (1 - concentration) * digamma(concentration));
    }
};
template <class A, class B>
gamma(const A&, const B&) -> gamma<detail::kept_t<A>, detail::kept_t<B>>;

/// Chi-square of `df` > 0 degrees of freedom: gamma(df / 2, 1 / 2). (torch.distributions.Chi2.)
template <operand N>
auto chi2(const N& df) {
    return gamma(0.5 * detail::kept(df), 0.5);
}

/// Of one over a gamma-distributed number. (torch.distributions.InverseGamma.)
template <class C, class K>
struct inverse_gamma : distribution<inverse_gamma<C, K>> {
    static constexpr const char* name = "inverse_gamma";
    static constexpr bool reparameterized = false;
    gamma<C, K> base;

    template <operand A, operand B>
    inverse_gamma(const A& form, const B& r) : base(form, r) {}
    auto parameters() const { return base.parameters(); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return evaluate(1 / base.draw(extents, g));
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        const auto& a = base.concentration;
        const auto& b = base.rate;
        return detail::where_supported(at > 0, at, xlogy(a, b) - lgamma(a) - (a + 1) * log(at) - b / at);
    }
    template <operand X>
    auto cdf(const X& x) const {
        return gammaincc(base.concentration, base.rate / maximum(detail::point(x), 0));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return base.rate / gammainccinv(base.concentration, detail::point(q));
    }
    auto mean() const {
        const auto a = detail::point(base.concentration);
        return this->spread(where(a > 1, base.rate / (a - 1), detail::infinity));
    }
    auto variance() const {
        const auto a = detail::point(base.concentration);
        return this->spread(where(a > 2, square(base.rate / (a - 1)) / (a - 2), detail::infinity));
    }
    auto entropy() const {
        return this->spread(base.concentration + log(base.rate) + lgamma(base.concentration) -
                            (1 + base.concentration) * digamma(base.concentration));
    }
};
template <class A, class B>
inverse_gamma(const A&, const B&) -> inverse_gamma<detail::kept_t<A>, detail::kept_t<B>>;

/// Beta of two concentrations > 0, in the order that torch has: of 1, and of 0. (torch.distributions.Beta.)
template <class A, class B>
struct beta : distribution<beta<A, B>> {
    static constexpr const char* name = "beta";
    static constexpr bool reparameterized = false;
    A concentration1;
    B concentration0;

    template <operand P, operand Q>
    beta(const P& of_1, const Q& of_0) : concentration1(detail::kept(of_1)), concentration0(detail::kept(of_0)) {
        detail::require(concentration1, detail::condition::positive, name, "concentration1");
        detail::require(concentration0, detail::condition::positive, name, "concentration0");
        this->shape();
    }
    auto parameters() const { return std::tie(concentration1, concentration0); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::beta(concentration1, concentration0, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(
            at >= 0 && at <= 1, at,
            xlogy(concentration1 - 1, at) + xlog1py(concentration0 - 1, -at) - betaln(concentration1, concentration0));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return betainc(concentration1, concentration0, clip(detail::point(x), 0, 1));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return betaincinv(concentration1, concentration0, detail::point(q));
    }
    auto mean() const { return this->spread(concentration1 / (concentration1 + concentration0)); }
    auto variance() const {
        const auto total = concentration1 + concentration0;
        return this->spread(concentration1 * concentration0 / (square(total) * (total + 1)));
    }
    auto entropy() const {
        const auto total = concentration1 + concentration0;
        return this->spread(betaln(concentration1, concentration0) - (concentration1 - 1) * digamma(concentration1) -
                            (concentration0 - 1) * digamma(concentration0) + (total - 2) * digamma(total));
    }
};
template <class P, class Q>
beta(const P&, const Q&) -> beta<detail::kept_t<P>, detail::kept_t<Q>>;

/// Weibull of `scale` > 0 and `concentration` > 0, the shape. (torch.distributions.Weibull.)
template <class S, class C>
struct weibull : distribution<weibull<S, C>> {
    static constexpr const char* name = "weibull";
    static constexpr bool reparameterized = true;
    S scale;
    C concentration;

    template <operand A, operand B>
    weibull(const A& width, const B& form) : scale(detail::kept(width)), concentration(detail::kept(form)) {
        detail::require(scale, detail::condition::positive, name, "the scale");
        detail::require(concentration, detail::condition::positive, name, "the concentration");
        this->shape();
    }
    auto parameters() const { return std::tie(scale, concentration); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::weibull(concentration, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        const auto z = at / scale;
        return detail::where_supported(
            at >= 0, at, log(concentration / scale) + xlogy(concentration - 1, z) - pow(z, concentration));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return -expm1(-pow(maximum(detail::point(x), 0) / scale, concentration));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return scale * pow(-log1p(-detail::probability(detail::point(q))), 1 / concentration);
    }
    auto mean() const { return this->spread(scale * exp(lgamma(1 + 1 / concentration))); }
    auto variance() const {
        return this->spread(square(scale) *
                            (exp(lgamma(1 + 2 / concentration)) - exp(2 * lgamma(1 + 1 / concentration))));
    }
    auto entropy() const {
        return this->spread(std::numbers::egamma * (1 - 1 / concentration) + log(scale / concentration) + 1);
    }
};
template <class A, class B>
weibull(const A&, const B&) -> weibull<detail::kept_t<A>, detail::kept_t<B>>;

/// Pareto, of type 1, from `scale` > 0 on, with the exponent `alpha` > 0. (torch.distributions.Pareto.)
template <class S, class A>
struct pareto : distribution<pareto<S, A>> {
    static constexpr const char* name = "pareto";
    static constexpr bool reparameterized = true;
    S scale;
    A alpha;

    template <operand P, operand Q>
    pareto(const P& least, const Q& exponent) : scale(detail::kept(least)), alpha(detail::kept(exponent)) {
        detail::require(scale, detail::condition::positive, name, "the scale");
        detail::require(alpha, detail::condition::positive, name, "alpha");
        this->shape();
    }
    auto parameters() const { return std::tie(scale, alpha); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return evaluate(scale * exp(random::exponential(1 / alpha, extents, g)));
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(at >= scale, at, log(alpha) + alpha * log(scale) - (alpha + 1) * log(at));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return -expm1(alpha * log(scale / maximum(detail::point(x), scale)));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return scale * exp(-log1p(-detail::probability(detail::point(q))) / alpha);
    }
    auto mean() const {
        const auto a = detail::point(alpha);
        return this->spread(where(a > 1, scale * (a / (a - 1)), detail::infinity));
    }
    auto variance() const {
        const auto a = detail::point(alpha);
        return this->spread(where(a > 2, square(scale / (a - 1)) * (a / (a - 2)), detail::infinity));
    }
    auto entropy() const { return this->spread(log(scale / alpha) + (1 + 1 / alpha)); }
};
template <class P, class Q>
pareto(const P&, const Q&) -> pareto<detail::kept_t<P>, detail::kept_t<Q>>;

/// Of exp of a normal of mean `loc` and standard deviation `scale` > 0. (torch.distributions.LogNormal.)
template <class L, class S>
struct log_normal : distribution<log_normal<L, S>> {
    static constexpr const char* name = "log_normal";
    static constexpr bool reparameterized = true;
    normal<L, S> base;

    template <operand A, operand B>
    log_normal(const A& location, const B& deviation) : base(location, deviation) {}
    auto parameters() const { return base.parameters(); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::lognormal(base.loc, base.scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        const auto logarithm = log(at);
        return detail::where_supported(at > 0, at, base.log_prob(logarithm) - logarithm);
    }
    template <operand X>
    auto cdf(const X& x) const {
        return base.cdf(log(maximum(detail::point(x), 0)));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return exp(base.icdf(q));
    }
    auto mean() const { return this->spread(exp(base.loc + 0.5 * square(base.scale))); }
    auto variance() const { return this->spread(expm1(square(base.scale)) * exp(2 * base.loc + square(base.scale))); }
    auto entropy() const { return this->spread(base.entropy() + base.loc); }
};
template <class A, class B>
log_normal(const A&, const B&) -> log_normal<detail::kept_t<A>, detail::kept_t<B>>;

namespace detail {
/// Of the size of what a distribution that is even draws, whose location is 0.
template <class Base, class X>
auto folded_log_prob(const Base& base, const X& x) {
    return where_supported(x >= 0, x, base.log_prob(x) + std::numbers::ln2);
}
}  // namespace detail

/// Of the size of a normal of mean 0 and standard deviation `scale` > 0. (torch.distributions.HalfNormal.)
template <class S>
struct half_normal : distribution<half_normal<S>> {
    static constexpr const char* name = "half_normal";
    static constexpr bool reparameterized = true;
    normal<double, S> base;

    template <operand A>
    explicit half_normal(const A& deviation) : base(0, deviation) {}
    auto parameters() const { return std::tie(base.scale); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return evaluate(abs(base.draw(extents, g)));
    }
    template <operand X>
    auto log_prob(const X& x) const {
        return detail::folded_log_prob(base, detail::point(x));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return erf(maximum(detail::point(x), 0) / (std::numbers::sqrt2 * base.scale));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return base.scale * std::numbers::sqrt2 * erfinv(detail::probability(detail::point(q)));
    }
    auto mean() const { return this->spread(base.scale * std::sqrt(2 * std::numbers::inv_pi)); }
    auto variance() const { return this->spread(square(base.scale) * (1 - 2 * std::numbers::inv_pi)); }
    auto entropy() const { return this->spread(base.entropy() - std::numbers::ln2); }
};
template <class A>
half_normal(const A&) -> half_normal<detail::kept_t<A>>;

/// Of the size of a Cauchy-distributed number of median 0 and `scale` > 0. (torch.distributions.HalfCauchy.)
template <class S>
struct half_cauchy : distribution<half_cauchy<S>> {
    static constexpr const char* name = "half_cauchy";
    static constexpr bool reparameterized = true;
    cauchy<double, S> base;

    template <operand A>
    explicit half_cauchy(const A& width) : base(0, width) {}
    auto parameters() const { return std::tie(base.scale); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return evaluate(abs(base.draw(extents, g)));
    }
    template <operand X>
    auto log_prob(const X& x) const {
        return detail::folded_log_prob(base, detail::point(x));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return 2 * std::numbers::inv_pi * atan(maximum(detail::point(x), 0) / base.scale);
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return base.scale * tan(0.5 * std::numbers::pi * detail::probability(detail::point(q)));
    }
    auto mean() const { return this->spread(detail::infinity * base.scale); }
    auto variance() const { return this->spread(detail::infinity * base.scale); }
    auto entropy() const { return this->spread(base.entropy() - std::numbers::ln2); }
};
template <class A>
half_cauchy(const A&) -> half_cauchy<detail::kept_t<A>>;

}  // namespace ricci::distributions
