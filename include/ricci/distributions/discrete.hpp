// Distributions of whole numbers: bernoulli, binomial, geometric, poisson, negative_binomial, categorical, multinomial.
#pragma once
#include "../ops/elementwise.hpp"
#include "../ops/index.hpp"
#include "../ops/rearrange.hpp"
#include "../ops/scan.hpp"
#include "../ops/softmax.hpp"
#include "distribution.hpp"

namespace ricci::distributions {

/// Says that probabilities are given by their logits, bernoulli(logits(x)): log(p / (1 - p)), of categories the
/// logarithms of p but for a constant.
template <class E>
struct logits {
    E value;

    template <operand X>
    explicit logits(const X& x) : value(detail::kept(x)) {}
};
template <class X>
logits(const X&) -> logits<detail::kept_t<X>>;

namespace detail {

/// Whether x is a whole number, 0 or more.
template <class X>
auto is_count(const X& x) {
    return x >= 0 && floor(x) == x;
}
/// What a distribution of probabilities keeps: these, or logits.
template <class P>
struct chance {
    static constexpr bool by_logits = false;
    P value;

    chance(const P& p, const char* name) : value(p) { require(value, condition::probability, name, "the probability"); }
    const P& probs() const { return value; }
    /// log(p^k (1 - p)^n), 0 of k = 0 or n = 0.
    template <class K, class N>
    auto log_of_trials(const K& k, const N& n) const {
        return xlogy(k, value) + xlog1py(n, -value);
    }
};
template <class L>
struct chance<logits<L>> {
    static constexpr bool by_logits = true;
    L value;

    chance(const logits<L>& l, const char*) : value(l.value) {}
    auto probs() const { return sigmoid(value); }
    template <class K, class N>
    auto log_of_trials(const K& k, const N& n) const {
        return k * value - (k + n) * softplus(value);
    }
};
/// Probabilities, or logits, as they are kept.
template <class P>
auto kept_chance(const P& p) {
    return kept(p);
}
template <class E>
auto kept_chance(const logits<E>& l) {
    return l;
}
template <class P>
using kept_chance_t = decltype(kept_chance(std::declval<const P&>()));

}  // namespace detail

/// 1 with probability `probs`, else 0; given by probabilities or logits. What is drawn are truth values.
/// (torch.distributions.Bernoulli.)
template <class P>
struct bernoulli : distribution<bernoulli<P>> {
    static constexpr const char* name = "bernoulli";
    static constexpr bool reparameterized = false;
    detail::chance<P> success;

    template <class A>
    explicit bernoulli(const A& p) : success(detail::kept_chance(p), name) {}
    auto probs() const { return success.probs(); }
    auto parameters() const { return std::tie(success.value); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::bernoulli(detail::parameter(probs()), extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(at == 0 || at == 1, at, success.log_of_trials(at, 1 - at));
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto at = detail::point(x);
        return where(at < 0, 0, where(at < 1, 1 - probs(), where(isnan(at), at, 1)));
    }
    auto mean() const { return this->spread(probs()); }
    auto variance() const { return this->spread(probs() * (1 - probs())); }
    auto entropy() const { return this->spread(-success.log_of_trials(probs(), 1 - probs())); }
};
template <class A>
bernoulli(const A&) -> bernoulli<detail::kept_chance_t<A>>;

/// How many of `total_count` trials succeed, a whole number that is not negative, each with probability `probs`, given
/// by probabilities or logits. (torch.distributions.Binomial.)
template <class N, class P>
struct binomial : distribution<binomial<N, P>> {
    static constexpr const char* name = "binomial";
    static constexpr bool reparameterized = false;
    N total_count;
    detail::chance<P> success;

    template <operand A, class B>
    binomial(const A& trials, const B& p) : total_count(detail::kept(trials)), success(detail::kept_chance(p), name) {
        this->shape();
        detail::require_all(detail::parameter(detail::is_count(total_count)), name,
                            "the number of trials must be whole and not negative");
    }
    auto probs() const { return success.probs(); }
    auto parameters() const { return std::tie(total_count, success.value); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::binomial(total_count, detail::parameter(probs()), extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        const auto ways = lgamma(total_count + 1) - lgamma(at + 1) - lgamma(total_count - at + 1);
        return detail::where_supported(detail::is_count(at) && at <= total_count, at,
                                       ways + success.log_of_trials(at, total_count - at));
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto at = floor(detail::point(x));
        const auto below = at < total_count;  // elsewhere betainc is asked for numbers that it takes, and not used
        const auto k = where(below && at >= 0, at, 0);
        const auto rest = where(below, total_count - k, 1);
        return where(at < 0, 0, where(below, betainc(rest, k + 1, 1 - probs()), where(isnan(at), at, 1)));
    }
    auto mean() const { return this->spread(total_count * probs()); }
    auto variance() const { return this->spread(total_count * probs() * (1 - probs())); }
};
template <class A, class B>
binomial(const A&, const B&) -> binomial<detail::kept_t<A>, detail::kept_chance_t<B>>;

/// How many trials fail before the first one that succeeds, each with probability 0 < `probs` <= 1; given by
/// probabilities or logits. (torch.distributions.Geometric; random::geometric counts the trials, one more.)
template <class P>
struct geometric : distribution<geometric<P>> {
    static constexpr const char* name = "geometric";
    static constexpr bool reparameterized = false;
    detail::chance<P> success;

    template <class A>
    explicit geometric(const A& p) : success(detail::kept_chance(p), name) {
        if constexpr (!detail::chance<P>::by_logits)
            detail::require(success.value, detail::condition::positive, name, "the probability");
    }
    auto probs() const { return success.probs(); }
    auto parameters() const { return std::tie(success.value); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return evaluate(random::geometric(detail::parameter(probs()), extents, g) - 1);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(detail::is_count(at), at, success.log_of_trials(1, at));
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto trials = floor(maximum(detail::point(x), -1)) + 1;
        return -expm1(success.log_of_trials(0, trials));
    }
    auto mean() const { return this->spread((1 - probs()) / probs()); }
    auto variance() const { return this->spread((1 - probs()) / square(probs())); }
    auto entropy() const { return this->spread(-success.log_of_trials(probs(), 1 - probs()) / probs()); }
};
template <class A>
geometric(const A&) -> geometric<detail::kept_chance_t<A>>;

/// Poisson of `rate` >= 0, its mean. (torch.distributions.Poisson.)
template <class K>
struct poisson : distribution<poisson<K>> {
    static constexpr const char* name = "poisson";
    static constexpr bool reparameterized = false;
    K rate;

    template <operand A>
    explicit poisson(const A& r) : rate(detail::kept(r)) {
        detail::require(rate, detail::condition::not_negative, name, "the rate");
    }
    auto parameters() const { return std::tie(rate); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::poisson(rate, extents, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        return detail::where_supported(detail::is_count(at), at, xlogy(at, rate) - rate - lgamma(at + 1));
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto at = detail::point(x);
        return where(at < 0, 0, gammaincc(floor(maximum(at, 0)) + 1, rate));
    }
    auto mean() const { return this->spread(rate); }
    auto variance() const { return this->spread(rate); }
};
template <class A>
poisson(const A&) -> poisson<detail::kept_t<A>>;

/// How many trials succeed, each with probability `probs` < 1, before `total_count` > 0 fail, a number that need not be
/// whole; given by probabilities or logits. (torch.distributions.NegativeBinomial; SciPy's nbinom has 1 - probs.)
template <class N, class P>
struct negative_binomial : distribution<negative_binomial<N, P>> {
    static constexpr const char* name = "negative_binomial";
    static constexpr bool reparameterized = false;
    N total_count;
    detail::chance<P> success;

    template <operand A, class B>
    negative_binomial(const A& failures, const B& p)
        : total_count(detail::kept(failures)), success(detail::kept_chance(p), name) {
        this->shape();
        detail::require(total_count, detail::condition::positive, name, "the number of failures");
        if constexpr (!detail::chance<P>::by_logits)
            detail::require_all(detail::parameter(success.value < 1), name, "the probability must be less than 1");
    }
    auto probs() const { return success.probs(); }
    auto parameters() const { return std::tie(total_count, success.value); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::poisson(random::gamma(total_count, detail::parameter(probs() / (1 - probs())), extents, g), g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        const auto at = detail::point(x);
        const auto ways = lgamma(total_count + at) - lgamma(at + 1) - lgamma(total_count);
        return detail::where_supported(detail::is_count(at), at, ways + success.log_of_trials(at, total_count));
    }
    template <operand X>
    auto cdf(const X& x) const {
        const auto at = detail::point(x);
        return where(at < 0, 0, betainc(total_count, floor(maximum(at, 0)) + 1, 1 - probs()));
    }
    auto mean() const { return this->spread(total_count * probs() / (1 - probs())); }
    auto variance() const { return this->spread(total_count * probs() / square(1 - probs())); }
};
template <class A, class B>
negative_binomial(const A&, const B&) -> negative_binomial<detail::kept_t<A>, detail::kept_chance_t<B>>;

/// One of the categories 0 ... K - 1, whose weights, not negative and of any sum but 0, or logits, are along the last
/// axis of extent K: the batch has the other axes. log_prob throws value_error for a number that is no category.
/// (torch.distributions.Categorical.)
template <class E>
struct categorical : distribution<categorical<E>> {
    static constexpr const char* name = "categorical";
    static constexpr bool reparameterized = false;
    E log_probs;  // of each category

    template <expression W>
    explicit categorical(const W& weights) : log_probs(of_weights(weights)) {}
    template <class L>
    explicit categorical(const logits<L>& l) : log_probs(evaluate(log_softmax(l.value, -1))) {}

    template <expression W>
    static auto of_weights(const W& weights) {
        static_assert(W::rank >= 1, "ricci: the weights of categories are along an axis");
        const auto w = detail::kept(weights);
        detail::require(w, detail::condition::not_negative, name, "a weight");
        const auto total = evaluate(sum(w, -1, keepdims));
        detail::require(total, detail::condition::positive, name, "the sum of the weights");
        detail::require(total, detail::condition::finite, name, "the sum of the weights");
        return evaluate(log(w / total));
    }
    index_t count() const { return log_probs.shape()[E::rank - 1]; }
    auto probs() const { return exp(log_probs); }
    auto parameters() const { return std::tie(log_probs); }
    auto shape() const { return detail::without_last<1>(log_probs.shape()); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::categorical(broadcast_to(log_probs, detail::batch_of(extents, ricci::shape<1>{count()})), -1, g);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        if constexpr (!expression<X>) {
            static_assert(std::is_integral_v<X>, "ricci: categories are integers");
            return log_prob(tensor<std::int64_t, 0>(static_cast<std::int64_t>(x)));
        } else {
            static_assert(std::is_integral_v<typename X::value_type>, "ricci: categories are integers");
            detail::require_between<value_error>(x, 0, count() - 1, name, "the category");
            const auto at = detail::sample_shape(detail::common_size{}, name, x, index(log_probs, ellipsis, 0));
            const auto all = broadcast_to(log_probs, detail::batch_of(at, ricci::shape<1>{count()}));
            const auto chosen = expand_dims(broadcast_to(astype<std::int64_t>(x), at), -1);
            return squeeze(take_along_axis(all, chosen, -1), -1);
        }
    }
    auto entropy() const { return sum(entr(probs()), -1); }
};
template <expression W>
categorical(const W&) -> categorical<decltype(categorical<tensor<double, 1>>::of_weights(std::declval<const W&>()))>;
template <class L>
categorical(const logits<L>&) -> categorical<decltype(evaluate(log_softmax(std::declval<const L&>(), -1)))>;

/// How many of `total_count` independent draws of a categorical distribution, given as it is, fall into each of its
/// categories: arrays of whole numbers, of that sum, along the last axis. (torch.distributions.Multinomial.)
template <class C>
struct multinomial : distribution<multinomial<C>> {
    static constexpr const char* name = "multinomial";
    static constexpr bool reparameterized = false;
    static constexpr int event_rank = 1;
    std::int64_t total_count;
    C category;

    template <std::integral N, class W>
    multinomial(N trials, const W& weights) : total_count(static_cast<std::int64_t>(trials)), category(weights) {
        if (total_count < 0)
            detail::raise<value_error>({"[multinomial] the number of trials must not be negative: ", total_count});
    }
    auto probs() const { return category.probs(); }
    auto parameters() const { return category.parameters(); }
    auto shape() const { return category.shape(); }
    /// Category by category a binomial number of the trials that are left.
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        const auto p = evaluate(stop_gradient(probs()));
        const auto rest = evaluate(flip(cumulative_sum(flip(p, -1), -1), -1));  // of this category and those behind it
        const index_t count = category.count();
        auto left = full<std::int64_t>(extents, total_count);
        const auto counts = zeros<std::int64_t>(detail::batch_of(extents, ricci::shape<1>{count}));
        for (index_t k = 0; k < count; ++k) {
            const auto of_rest = rest(ellipsis, k);
            const auto share = evaluate(where(of_rest > 0, minimum(p(ellipsis, k) / of_rest, 1), 1));
            const auto n = k + 1 < count ? evaluate(random::binomial(left, share, extents, g)) : left;
            counts(ellipsis, k) = n;
            left = evaluate(left - n);
        }
        return counts;
    }
    template <expression X>
    auto log_prob(const X& x) const {
        const auto total = static_cast<double>(total_count);
        const auto least = min(where(detail::is_count(x), x, where(isnan(x), x, -1)), -1);
        const auto ways = lgamma(total + 1) - sum(lgamma(maximum(x, 0) + 1), -1);
        return detail::where_supported(least >= 0 && sum(x, -1) == total, least,
                                       ways + sum(where(x > 0, x * category.log_probs, 0), -1));
    }
    auto mean() const { return static_cast<double>(total_count) * probs(); }
    auto variance() const { return static_cast<double>(total_count) * probs() * (1 - probs()); }
};
template <std::integral N, class W>
multinomial(N, const W&) -> multinomial<decltype(categorical(std::declval<const W&>()))>;

}  // namespace ricci::distributions
