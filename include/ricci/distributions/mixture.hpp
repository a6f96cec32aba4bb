// Distributions made of others: independent, mixture_same_family.
#pragma once
#include "../ops/reduce.hpp"
#include "discrete.hpp"

namespace ricci::distributions {
namespace detail {

/// How many of the last axes of what a distribution draws make one value of it.
template <class D>
constexpr int event_rank() {
    if constexpr (requires { D::event_rank; }) return D::event_rank;
    else return 0;
}
/// The sum over the last N axes.
template <int N, class E>
auto sum_last(const E& e) {
    if constexpr (N == 0) return e;
    else return sum_last<N - 1>(sum(e, -1));
}

}  // namespace detail

/// A distribution whose last N axes of the batch are those of one value: log_prob and entropy are sums over them.
template <int N, class D>
struct independent_axes : distribution<independent_axes<N, D>> {
    static constexpr const char* name = D::name;
    static constexpr bool reparameterized = D::reparameterized;
    static constexpr int event_rank = detail::event_rank<D>() + N;
    D base;

    explicit independent_axes(const D& d) : base(d) {}
    auto parameters() const { return base.parameters(); }
    auto shape() const { return split_shape().first; }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return base.draw(detail::batch_of(extents, split_shape().second), g);
    }
    template <expression X>
    auto log_prob(const X& x) const {
        return detail::sum_last<N>(base.log_prob(x));
    }
    auto mean() const { return base.mean(); }
    auto variance() const { return base.variance(); }
    auto entropy() const { return detail::sum_last<N>(base.entropy()); }

   private:
    /// The axes of the batch, and those of a value.
    auto split_shape() const {
        const auto whole = base.shape();
        constexpr int rank = decltype(base.shape())::rank - N;
        static_assert(N >= 0 && rank >= 0, "ricci: independent<N> of a distribution with fewer than N axes");
        ricci::shape<N> inside;
        for (int d = 0; d < N; ++d) inside[d] = whole[rank + d];
        return std::make_pair(detail::without_last<N>(whole), inside);
    }
};
/// d with the last N axes of its batch as those of one value: independent<1>(normal(mean, deviation)) is of vectors.
/// (torch.distributions.Independent.)
template <int N, class D>
auto independent(const D& d) {
    return independent_axes<N, D>(d);
}

/// One of the components, which are a distribution whose batch's last axis has one for each category. Its log_prob
/// takes values of a component, and is differentiable in them and all parameters.
/// (torch.distributions.MixtureSameFamily.)
template <class Weights, class D>
struct mixture_same_family : distribution<mixture_same_family<Weights, D>> {
    static constexpr const char* name = "mixture_same_family";
    static constexpr bool reparameterized = false;
    static constexpr int event_rank = detail::event_rank<D>();
    Weights mixture;  // a categorical
    D component;

    mixture_same_family(const Weights& weights, const D& components) : mixture(weights), component(components) {
        const auto axes = component.shape();
        constexpr int rank = decltype(component.shape())::rank;
        static_assert(rank >= 1, "ricci: the components of a mixture are along the last axis of a batch");
        if (axes[rank - 1] != mixture.count())
            detail::raise<shape_error>(
                {"[mixture_same_family] ", mixture.count(), " weights do not fit components of shape ", axes});
    }
    auto parameters() const { return std::tuple_cat(mixture.parameters(), component.parameters()); }
    auto shape() const {
        constexpr int of_components = decltype(component.shape())::rank - 1;
        constexpr int of_weights = decltype(mixture.shape())::rank;
        constexpr int rank = of_components > of_weights ? of_components : of_weights;
        auto lead = detail::pad_front<rank>(detail::without_last<1>(component.shape()));
        detail::broadcast_into(lead, mixture.shape());
        return lead;
    }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        const auto all = component.draw(detail::batch_of(extents, ricci::shape<1>{mixture.count()}), g);
        using A = std::remove_cvref_t<decltype(all)>;
        auto one = all.shape();
        one[R] = 1;
        const auto chosen = mixture.draw(extents, g);
        return squeeze(evaluate(take_along_axis(all, broadcast_to(behind<A::rank - R>(chosen), one), R)), R);
    }
    template <operand X>
    auto log_prob(const X& x) const {
        if constexpr (expression<X>)
            return logsumexp(mixture.log_probs + component.log_prob(expand_dims(x, -1 - event_rank)), -1);
        else return logsumexp(mixture.log_probs + component.log_prob(x), -1);
    }
    template <operand X>
    auto cdf(const X& x) const {
        if constexpr (expression<X>) return sum(mixture.probs() * component.cdf(expand_dims(x, -1)), -1);
        else return sum(mixture.probs() * component.cdf(x), -1);
    }
    auto mean() const { return average_of(component.mean()); }
    auto variance() const {
        const auto m = evaluate(component.mean());
        return average_of(component.variance() + square(m - expand_dims(average_of(m), -1 - event_rank)));
    }

   private:
    /// With N axes of extent 1 behind.
    template <int N, class A>
    static auto behind(const A& a) {
        if constexpr (N == 0) return a;
        else return behind<N - 1>(expand_dims(a, -1));
    }
    template <class A>
    auto average_of(const A& a) const {
        return sum(behind<event_rank>(mixture.probs()) * a, -1 - event_rank);
    }
};

}  // namespace ricci::distributions
