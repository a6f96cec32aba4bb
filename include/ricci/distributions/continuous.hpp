// Distributions of all real numbers, of an interval, and of angles, by location and scale: normal, laplace, gumbel,
// cauchy, student_t, uniform, von_mises.
#pragma once
#include "../ops/elementwise.hpp"
#include "../ops/special/betaincinv.hpp"
#include "distribution.hpp"

namespace ricci::distributions {

namespace detail {

/// What distributions of a location, any number, and a scale above 0 have in common.
template <class Self, class L, class S>
struct location_scale : distribution<Self> {
    static constexpr bool reparameterized = true;
    L loc;
    S scale;

    template <operand A, operand B>
    location_scale(const A& location, const B& width) : loc(kept(location)), scale(kept(width)) {
        require(scale, condition::positive, Self::name, "the scale");
        this->shape();
    }
    auto parameters() const { return std::tie(loc, scale); }

   protected:
    template <class X>
    auto standardized(const X& x) const {
        return (point(x) - loc) / scale;
    }
};

}  // namespace detail

/// Normal of mean `loc` and standard deviation `scale` > 0. (torch.distributions.Normal.)
template <class L, class S>
struct normal : detail::location_scale<normal<L, S>, L, S> {
    static constexpr const char* name = "normal";
    using base = detail::location_scale<normal, L, S>;
    using base::base, base::loc, base::scale;

    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::normal(loc, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        return -0.5 * square(this->standardized(x)) - log(scale) - detail::half_log_2pi;
    }
    template <operand X>
    auto cdf(const X& x) const {
        return ndtr(this->standardized(x));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return loc + scale * ndtri(detail::point(q));
    }
    auto mean() const { return this->spread(loc); }
    auto variance() const { return this->spread(square(scale)); }
    auto entropy() const { return this->spread(log(scale) + (0.5 + detail::half_log_2pi)); }
};
template <class A, class B>
normal(const A&, const B&) -> normal<detail::kept_t<A>, detail::kept_t<B>>;

/// Laplace, double exponential, of mean `loc` and `scale` > 0. (torch.distributions.Laplace.)
template <class L, class S>
struct laplace : detail::location_scale<laplace<L, S>, L, S> {
    static constexpr const char* name = "laplace";
    using base = detail::location_scale<laplace, L, S>;
    using base::base, base::loc, base::scale;

    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::laplace(loc, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        return -abs(this->standardized(x)) - log(scale) - std::numbers::ln2;
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto z = this->standardized(x);
        const auto tail = 0.5 * exp(-abs(z));
        return where(z < 0, tail, 1 - tail);
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        const auto p = detail::probability(detail::point(q));
        return loc + scale * where(p < 0.5, log(2 * p), -log(2 * (1 - p)));
    }
    auto mean() const { return this->spread(loc); }
    auto variance() const { return this->spread(2 * square(scale)); }
    auto entropy() const { return this->spread(log(scale) + (1 + std::numbers::ln2)); }
};
template <class A, class B>
laplace(const A&, const B&) -> laplace<detail::kept_t<A>, detail::kept_t<B>>;

/// Gumbel, of the largest of many, of mode `loc` and `scale` > 0. (torch.distributions.Gumbel.)
template <class L, class S>
struct gumbel : detail::location_scale<gumbel<L, S>, L, S> {
    static constexpr const char* name = "gumbel";
    using base = detail::location_scale<gumbel, L, S>;
    using base::base, base::loc, base::scale;

    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::gumbel(loc, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto z = (loc - detail::point(x)) / scale;
        return z - exp(z) - log(scale);
    }
    template <operand X>
    auto cdf(const X& x) const {
        return exp(-exp((loc - detail::point(x)) / scale));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return loc - scale * log(-log(detail::probability(detail::point(q))));
    }
    auto mean() const { return this->spread(loc + std::numbers::egamma * scale); }
    auto variance() const { return this->spread(square(scale) * (std::numbers::pi * std::numbers::pi / 6)); }
    auto entropy() const { return this->spread(log(scale) + (1 + std::numbers::egamma)); }
};
template <class A, class B>
gumbel(const A&, const B&) -> gumbel<detail::kept_t<A>, detail::kept_t<B>>;

/// Cauchy of median `loc` and `scale` > 0, half the distance of its quartiles. (torch.distributions.Cauchy.)
template <class L, class S>
struct cauchy : detail::location_scale<cauchy<L, S>, L, S> {
    static constexpr const char* name = "cauchy";
    using base = detail::location_scale<cauchy, L, S>;
    using base::base, base::loc, base::scale;

    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::cauchy(loc, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        return -log1p(square(this->standardized(x))) - log(std::numbers::pi * scale);
    }
    template <operand X>
    auto cdf(const X& x) const {
        return 0.5 + std::numbers::inv_pi * atan(this->standardized(x));
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return loc + scale * tan(std::numbers::pi * (detail::probability(detail::point(q)) - 0.5));
    }
    auto mean() const { return this->spread(detail::not_a_number * scale); }
    auto variance() const { return this->spread(detail::not_a_number * scale); }
    auto entropy() const { return this->spread(log(4 * std::numbers::pi * scale)); }
};
template <class A, class B>
cauchy(const A&, const B&) -> cauchy<detail::kept_t<A>, detail::kept_t<B>>;

/// Student's t of `df` > 0 degrees of freedom, moved by `loc` and stretched by `scale` > 0; student_t(df) is of
/// location 0 and scale 1. rsample is differentiable in these, a constant of df. (torch.distributions.StudentT.)
template <class N, class L, class S>
struct student_t : distribution<student_t<N, L, S>> {
    static constexpr const char* name = "student_t";
    static constexpr bool reparameterized = true;
    N df;
    L loc;
    S scale;

    template <operand A, operand B, operand C>
    student_t(const A& freedom, const B& location, const C& width)
        : df(detail::kept(freedom)), loc(detail::kept(location)), scale(detail::kept(width)) {
        detail::require(df, detail::condition::positive, name, "the degrees of freedom");
        detail::require(scale, detail::condition::positive, name, "the scale");
        this->shape();
    }
    template <operand A>
    explicit student_t(const A& freedom) : student_t(freedom, 0, 1) {}
    auto parameters() const { return std::tie(df, loc, scale); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::student_t(df, loc, scale, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto half = detail::point(0.5 * df);
        const auto z = (detail::point(x) - loc) / scale;
        return lgamma(half + 0.5) - lgamma(half) - 0.5 * log(std::numbers::pi * df) - log(scale) -
               (half + 0.5) * log1p(square(z) / df);
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto z = (detail::point(x) - loc) / scale;
        const auto tail = 0.5 * betainc(0.5 * df, 0.5, df / (df + square(z)));
        return where(z < 0, tail, 1 - tail);
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        const auto p = detail::probability(detail::point(q));
        const auto b = betaincinv(0.5 * df, 0.5, 2 * minimum(p, 1 - p));
        return loc + scale * where(p < 0.5, -1, 1) * sqrt(df * (1 - b) / b);
    }
    auto mean() const { return this->spread(where(detail::point(df) > 1, loc, detail::not_a_number)); }
    auto variance() const {
        const auto n = detail::point(df);
        return this->spread(where(n > 2, square(scale) * (n / maximum(n - 2, 0)),
                                  where(n > 1, detail::infinity, detail::not_a_number)));
    }
    auto entropy() const {
        const auto half = detail::point(0.5 * df);
        return this->spread(log(scale) + (half + 0.5) * (digamma(half + 0.5) - digamma(half)) + 0.5 * log(df) +
                            betaln(half, 0.5));
    }
};
template <class A, class B, class C>
student_t(const A&, const B&, const C&) -> student_t<detail::kept_t<A>, detail::kept_t<B>, detail::kept_t<C>>;
template <class A>
student_t(const A&) -> student_t<detail::kept_t<A>, double, double>;

/// Uniform between `low` and `high`, low < high, both finite; the density is that of the closed interval.
/// (torch.distributions.Uniform.)
template <class L, class H>
struct uniform : distribution<uniform<L, H>> {
    static constexpr const char* name = "uniform";
    static constexpr bool reparameterized = true;
    L low;
    H high;

    template <operand A, operand B>
    uniform(const A& from, const B& to) : low(detail::kept(from)), high(detail::kept(to)) {
        this->shape();
        detail::require(low, detail::condition::finite, name, "low");
        detail::require(high, detail::condition::finite, name, "high");
        detail::require_all(detail::parameter(detail::point(low) < high), name, "low must be less than high");
    }
    auto parameters() const { return std::tie(low, high); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::uniform(low, high, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(at >= low && at <= high, at, -log(high - low));
    }
    template <operand X>
    auto cdf(const X& x) const {
        return clip((detail::point(x) - low) / (high - low), 0, 1);
    }
    template <operand Q>
    auto icdf(const Q& q) const {
        return low + (high - low) * detail::probability(detail::point(q));
    }
    auto mean() const { return this->spread(0.5 * (low + high)); }
    auto variance() const { return this->spread(square(high - low) / 12); }
    auto entropy() const { return this->spread(log(high - low)); }
};
template <class A, class B>
uniform(const A&, const B&) -> uniform<detail::kept_t<A>, detail::kept_t<B>>;

/// Von Mises, the normal distribution of angles, in radians, of a mean direction `loc`, any angle, and a `concentration`
/// > 0, one over the variance where that is small. Samples are from -pi to pi, log_prob takes any angle; `variance()` is
/// the circular one, 1 - E cos(x - loc). rsample is differentiable in loc, a constant of the concentration.
/// (torch.distributions.VonMises.)
template <class L, class K>
struct von_mises : distribution<von_mises<L, K>> {
    static constexpr const char* name = "von_mises";
    static constexpr bool reparameterized = true;
    L loc;
    K concentration;

    template <operand A, operand B>
    von_mises(const A& direction, const B& k) : loc(detail::kept(direction)), concentration(detail::kept(k)) {
        detail::require(concentration, detail::condition::positive, name, "the concentration");
        this->shape();
    }
    auto parameters() const { return std::tie(loc, concentration); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::vonmises(loc, concentration, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        // cos - 1 by the half angle: what is left of narrow distributions
        const auto half = sin(0.5 * (detail::point(x) - loc));
        return -2 * concentration * square(half) - log(2 * std::numbers::pi * i0e(concentration));
    }
    auto mean() const { return this->spread(loc); }
    auto variance() const { return this->spread(1 - i1e(concentration) / i0e(concentration)); }
    auto entropy() const {
        const auto k = detail::point(concentration);
        return this->spread(log(2 * std::numbers::pi * i0e(k)) + k * (1 - i1e(k) / i0e(k)));
    }
};
template <class A, class B>
von_mises(const A&, const B&) -> von_mises<detail::kept_t<A>, detail::kept_t<B>>;

}  // namespace ricci::distributions
