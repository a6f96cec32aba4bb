// Random numbers of trials that succeed or fail: binomial, geometric. What they share stands in continuous.hpp.
#pragma once
#include "discrete.hpp"

namespace ricci {
namespace detail {

template <class T, class D, class N, class P, class Size>
auto binomial_sample(const N& given_trials, const P& given_p, const Size& size, generator& g) {
    const auto trials = constant_parameter(parameter(given_trials));
    const auto p = constant_parameter(parameter(given_p));
    const auto extents = sample_shape(size, "binomial", trials, p);
    require(trials, condition::not_negative, "binomial", "the number of trials");
    require(p, condition::probability, "binomial", "the probability");
    const auto range = parameter_range(trials);
    if (range.any && !(static_cast<double>(range.high) <= ops::binomial_variate::most))
        raise<value_error>({"[binomial] the number of trials must be at most 2^53"});
    if constexpr (std::is_floating_point_v<decltype(range.low)>)
        require_all(constant_map([](const auto& n) { return floor(n) == n; }, trials), "binomial",
                    "the number of trials must be whole");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "binomial", trials, p);
    return counts_as<T>(evaluate(make_map(ops::binomial_variate{{g.seed()}}, index, trials, p)), "binomial");
}

template <class T, class D, class P, class Size>
auto geometric_sample(const P& given_p, const Size& size, generator& g) {
    const auto p = constant_parameter(parameter(given_p));
    const auto extents = sample_shape(size, "geometric", p);
    require(p, condition::positive, "geometric", "the probability");
    require(p, condition::probability, "geometric", "the probability");
    constexpr double most = 9.2e18;  // of what 64 bits hold
    const auto u = draw<random_source::uniform, double, D>(extents, g, "geometric", p);
    // an exponential time at the rate that p is in the time of one trial, rounded up
    const auto failures = floor(log1p(-u) / log1p(-parameter_as<double>(p)));
    return counts_as<T>(evaluate(as_type<std::int64_t>(1 + minimum(failures, most))), "geometric");
}

}  // namespace detail

namespace random {

/// How many of a number of trials succeed, each with probability `p`; of type T. No derivative. Throws value_error for
/// a number of trials that is negative, not whole or above 2^53, unless 0 <= p <= 1, and when T does not hold what is
/// drawn. (numpy.random.Generator.binomial, torch.distributions.Binomial.)
template <class T = std::int64_t, operand N, operand P>
auto binomial(const N& trials, const P& p, generator_ref g = {}) {
    return detail::binomial_sample<T, cpu_device>(trials, p, detail::common_size{}, g);
}
template <class T = std::int64_t, operand N, operand P, int R, device_tag D = cpu_device>
auto binomial(const N& trials, const P& p, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::binomial_sample<T, D>(trials, p, extents, g);
}
template <class T = std::int64_t, operand N, operand P, int R, device_tag D = cpu_device>
auto binomial(const N& trials, const P& p, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::binomial_sample<T, D>(trials, p, detail::to_shape(extents), g);
}

/// How many trials it takes until one succeeds, 1 or more, each with probability `p`; of type T, at most 9.2e18. No
/// derivative. Throws value_error unless 0 < p <= 1, and when T does not hold what is drawn.
/// (numpy.random.Generator.geometric; torch.distributions.Geometric counts the failures, one less.)
template <class T = std::int64_t, operand P>
auto geometric(const P& p, generator_ref g = {}) {
    return detail::geometric_sample<T, cpu_device>(p, detail::common_size{}, g);
}
template <class T = std::int64_t, operand P, int R, device_tag D = cpu_device>
auto geometric(const P& p, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::geometric_sample<T, D>(p, extents, g);
}
template <class T = std::int64_t, operand P, int R, device_tag D = cpu_device>
auto geometric(const P& p, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::geometric_sample<T, D>(p, detail::to_shape(extents), g);
}

}  // namespace random
}  // namespace ricci
