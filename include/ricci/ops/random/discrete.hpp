// Random numbers of discrete distributions: integers, bernoulli, poisson, categorical, multinomial. What they share
// stands in continuous.hpp.
#pragma once
#include <cmath>

#include "../sort.hpp"
#include "parameters.hpp"
#include "variates.hpp"

namespace ricci {
namespace detail {

/// Throws value_error unless the integers W hold the bounds, of fractions their whole parts.
template <class W, class P>
void require_held(const P& bounds) {
    const auto range = parameter_range(bounds);
    if (!range.any) return;
    const auto whole = [](auto x) {
        if constexpr (std::is_integral_v<decltype(x)>) return x;
        else return std::trunc(static_cast<double>(x));
    };
    const auto least = whole(range.low), most = whole(range.high);
    const bool is_number = !std::isnan(static_cast<double>(least));  // then both are
    const bool low_fits = is_number && !is_below_all<W>(least) && !is_above_all<W>(least);
    if (low_fits && !is_above_all<W>(most)) return;
    raise<value_error>(
        {"[integers] ", dtype_name<W>(), " does not hold the bound ", low_fits ? range.high : range.low});
}

template <class T, class D, class L, class H, class Size>
auto integers_sample(const L& given_low, const H& given_high, const Size& size, generator& g) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "ricci: integers gives integers");
    using W = std::conditional_t<sizeof(T) == 8 && std::is_unsigned_v<T>, std::uint64_t, std::int64_t>;
    require_held<W>(parameter(given_low));
    require_held<W>(parameter(given_high));
    const auto low = parameter(parameter_as<W>(constant_parameter(given_low)));
    const auto high = parameter(parameter_as<W>(constant_parameter(given_high)));
    const auto extents = sample_shape(size, "integers", low, high);
    require_all(parameter(low < high), "integers", "low must be less than high");
    if constexpr (sizeof(T) < 8) {
        const auto least = parameter_range(low), most = parameter_range(high);
        if ((least.any && least.low < W(std::numeric_limits<T>::min())) ||
            (most.any && most.high - 1 > W(std::numeric_limits<T>::max())))
            raise<value_error>({"[integers] ", dtype_name<T>(), " does not hold all integers from ", least.low, " to ",
                                most.high - 1});
    }
    const auto bits = draw<random_source::bits, std::uint64_t, D>(extents, g, "integers", low, high);
    return evaluate(as_type<T>(make_map(ops::integer_variate<W>{{g.seed()}}, bits, low, high)));
}

template <class D, class P, class Size>
auto bernoulli_sample(const P& given, const Size& size, generator& g) {
    using U = compute_t<sample_type<void, P>>;  // 16 bits have no uniform numbers fine enough for a small p
    const auto p = constant_parameter(parameter(given));
    const auto extents = sample_shape(size, "bernoulli", p);
    require(p, condition::probability, "bernoulli", "the probability");
    return evaluate(draw<random_source::uniform, U, D>(extents, g, "bernoulli", p) < parameter_as<U>(p));
}

/// Counts in the type that was asked for; throws value_error unless that holds them.
template <class T, class X>
auto counts_as(const X& drawn, const char* who) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) < 8) {
        const auto counts = parameter_range(drawn);
        if (counts.any && is_above_all<T>(counts.high))
            raise<value_error>({"[", who, "] ", dtype_name<T>(), " does not hold ", counts.high, ", which was drawn"});
    }
    return evaluate(as_type<T>(drawn));
}

template <class T, class D, class P, class Size>
auto poisson_sample(const P& given, const Size& size, generator& g) {
    const auto rate = constant_parameter(parameter(given));
    const auto extents = sample_shape(size, "poisson", rate);
    require(rate, condition::not_negative, "poisson", "the rate");
    const auto range = parameter_range(rate);
    if (range.any && !(static_cast<double>(range.high) <= ops::poisson_variate::most))
        raise<value_error>({"[poisson] the rate must be at most 9.2e18, so that 64 bits hold what is drawn"});
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "poisson", rate);
    return counts_as<T>(evaluate(make_map(ops::poisson_variate{{g.seed()}}, index, rate)), "poisson");
}

/// Where each value falls among a line's running sums: behind those that are not above it. Lines are the last axis.
struct inverse_distribution_op : opaque_op {
    static constexpr const char* name = "multinomial";

    template <class S, class V>
    auto value(const S& sums, const V& values) const {
        using D = typename S::device_type;
        constexpr int R = S::rank;
        auto lead = sums.shape(), to = values.shape();
        for (int d = 0; d < R - 1; ++d) lead[d] = to[d] = lead[d] == 1 ? to[d] : lead[d];
        const auto lists = expanded(sums, lead).clone();
        const auto wanted = expanded(values, to).clone();
        const auto y = tensor<std::int64_t, R, D>::uninitialized(to);
        const index_t n = lead[R - 1], k = to[R - 1];
        for (index_t i = 0; k > 0 && i < y.size() / k; ++i) {
            const auto line = [&](const auto& x, index_t length) {
                using X = std::remove_cvref_t<decltype(x)>;
                return tensor<typename X::value_type, 1, D>(x.memory(), x.data() + i * length, {length}, {1});
            };
            executor<D>::search_sorted(line(lists, n), line(wanted, k), line(y, k), true);
        }
        return make_pack(y);
    }
    template <class Mapped, class S, class V>
    auto call_batched(const S& sums, const V& values) const {
        return call_in_batch<Mapped>(*this, sums, values);
    }
};

/// Throws value_error unless the weights of each line are such that `count` can be drawn.
template <class A>
void check_weights(const A& weights, index_t count, bool replacement, const char* who) {
    require(weights, condition::not_negative, who, "a weight");
    require(weights, condition::finite, who, "a weight");
    const auto host = plain_array(weights).to(cpu).clone();
    const index_t n = host.shape()[host.rank - 1];
    for (index_t i = 0; n > 0 && i < host.size() / n; ++i) {
        index_t positive = 0;
        for (index_t k = 0; k < n; ++k) positive += host.data()[i * n + k] > 0;
        if (count > 0 && positive < (replacement ? 1 : count))
            raise<value_error>({"[", who, "] ", count, replacement ? " with" : " without",
                                " replacement of a line with ", positive, " weights above 0"});
    }
    if (n == 0 && count > 0) raise<value_error>({"[", who, "] of an empty axis: weights of shape ", weights.shape()});
}
/// Indices along the last axis of weights, `count` of each line; what else is drawn for under vmap are the arrays `x`.
template <class A, class... X>
auto weighted_indices(const A& given, index_t count, bool replacement, generator& g, const char* who, const X&... x) {
    constexpr int last = A::rank - 1;
    const auto weights = evaluate(as_type<double>(stop_gradient(given)));
    using D = device_t<A>;
    if (count < 0) raise<value_error>({"[", who, "] the number of draws must not be negative: ", count});
    check_weights(weights, count, replacement, who);
    auto extents = weights.shape();
    if (!replacement) {  // as if each waited for an exponential time at its rate: the first to come
        const auto u = draw<random_source::uniform, double, D>(extents, g, who, weights, x...);
        return std::get<1>(topk(log(-log1p(-u)) - log(weights), count, last, false));  // the quotient would overflow
    }
    extents[last] = count;
    const auto u = draw<random_source::uniform, double, D>(extents, g, who, weights, x...);
    const index_t n = weights.shape()[last];
    // of weights of at most 1, whose sums are finite; by powers of two, which round nothing
    const auto scaled = [&] {
        if (n == 0) return evaluate(ldexp(weights, 0));  // which may be read-only
        return evaluate(ldexp(weights, -std::get<1>(frexp(max(weights, last, keepdims)))));
    }();
    const auto sums = cumulative_sum(scaled, last);
    const auto total = stretch_of(sums, last, n > 0 ? n - 1 : 0, n > 0 ? 1 : 0);
    const auto v = u * total;  // may round up to it
    return call1(inverse_distribution_op{}, sums, evaluate(where(v < total, v, nextafter(total, 0.0))));
}

}  // namespace detail

namespace random {

/// The integers low ... high - 1, each as often: exactly, no remainders are taken. Of type T, which must hold them.
/// Throws value_error unless low < high and 64 bits hold both. (numpy.random.Generator.integers, torch.randint.)
template <class T = std::int64_t, operand L, operand H>
auto integers(const L& low, const H& high, generator_ref g = {}) {
    return detail::integers_sample<T, cpu_device>(low, high, detail::common_size{}, g);
}
template <class T = std::int64_t, operand L, operand H, int R, device_tag D = cpu_device>
auto integers(const L& low, const H& high, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::integers_sample<T, D>(low, high, extents, g);
}
template <class T = std::int64_t, operand L, operand H, int R, device_tag D = cpu_device>
auto integers(const L& low, const H& high, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::integers_sample<T, D>(low, high, detail::to_shape(extents), g);
}
/// From 0 on.
template <class T = std::int64_t, operand H>
auto integers(const H& high, generator_ref g = {}) {
    return integers<T>(0, high, g);
}
template <class T = std::int64_t, operand H, int R, device_tag D = cpu_device>
auto integers(const H& high, const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return integers<T>(0, high, extents, g, device);
}
template <class T = std::int64_t, operand H, int R, device_tag D = cpu_device>
auto integers(const H& high, const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return integers<T>(0, high, detail::to_shape(extents), g, device);
}
template <class T = void, class A, class B, std::integral N, class... More>
auto integers(const A&, const B&, N, const More&...) {
    return detail::refused_size<N>();
}
template <class T = void, class A, class B, int R, std::integral Seed>
auto integers(const A&, const B&, const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}

/// Truth values, true with probability `p`. No derivative. Throws value_error unless 0 <= p <= 1. (torch.bernoulli.)
template <operand P>
auto bernoulli(const P& p, generator_ref g = {}) {
    return detail::bernoulli_sample<cpu_device>(p, detail::common_size{}, g);
}
template <operand P, int R, device_tag D = cpu_device>
auto bernoulli(const P& p, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::bernoulli_sample<D>(p, extents, g);
}
template <operand P, int R, device_tag D = cpu_device>
auto bernoulli(const P& p, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::bernoulli_sample<D>(p, detail::to_shape(extents), g);
}

/// Poisson of a rate, its mean; of type T. No derivative. Throws value_error for a rate below 0 or above 9.2e18, and
/// when T does not hold what is drawn.
/// (numpy.random.Generator.poisson, torch.poisson.)
template <class T = std::int64_t, operand P>
auto poisson(const P& rate, generator_ref g = {}) {
    return detail::poisson_sample<T, cpu_device>(rate, detail::common_size{}, g);
}
template <class T = std::int64_t, operand P, int R, device_tag D = cpu_device>
auto poisson(const P& rate, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::poisson_sample<T, D>(rate, extents, g);
}
template <class T = std::int64_t, operand P, int R, device_tag D = cpu_device>
auto poisson(const P& rate, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::poisson_sample<T, D>(rate, detail::to_shape(extents), g);
}

/// A position along an axis, drawn with the probabilities softmax(logits): 64-bit integers of logits' shape without
/// that axis, 0 where all logits are -infinity. No derivative. Throws value_error for an empty axis and for a logit
/// that is NaN or infinity. (jax.random.categorical.)
template <expression E>
auto categorical(const E& logits, int axis = -1, generator_ref g = {}) {
    static_assert(E::rank >= 1, "ricci: categorical needs an array of rank 1 or more");
    using T = compute_t<inexact_t<typename E::value_type>>;
    const auto a = evaluate(detail::as_type<T>(stop_gradient(logits)));
    const int d = detail::normalize_axis(axis, E::rank, "categorical");
    if (a.shape()[d] == 0)
        detail::raise<value_error>({"[categorical] of an empty axis: shape ", a.shape(), " has no elements there"});
    const auto range = detail::parameter_range(a);
    if (range.any && !(range.high < std::numeric_limits<T>::infinity()))
        detail::raise<value_error>({"[categorical] a logit must be a number or -infinity"});
    const auto u = detail::draw<detail::random_source::uniform, T, device_t<E>>(a.shape(), g, "categorical", a);
    const auto positive = maximum(u, std::numeric_limits<T>::min());  // a 0 would make every logit -infinity
    return argmax(a - log(-log(positive)), d);                        // the largest of logits with Gumbel noise
}

template <expression E>
auto categorical(const E& logits, generator_ref g) {
    return categorical(logits, -1, g);
}

/// `count` positions along the last axis, drawn with probabilities that are in proportion to `weights`: 64-bit
/// integers, that axis of extent `count`. Without replacement all differ, and come in the order of being drawn. No
/// derivative. Throws value_error for weights that are negative or not finite and for a line with too few above 0.
/// (torch.multinomial; how often each was drawn, which is what NumPy's gives, says bincount.)
template <expression E>
auto multinomial(const E& weights, index_t count, detail::yes_or_no replacement = false, generator_ref g = {}) {
    static_assert(E::rank >= 1, "ricci: multinomial needs an array of rank 1 or more");
    return detail::weighted_indices(evaluate(weights), count, replacement, g, "multinomial");
}
template <expression E, detail::bare_seed Seed>
auto multinomial(const E&, index_t, Seed) {
    return detail::refused_seed<Seed>();
}
template <expression E>
auto multinomial(const E& weights, index_t count, generator_ref g) {
    return multinomial(weights, count, false, g);
}

}  // namespace random
}  // namespace ricci
