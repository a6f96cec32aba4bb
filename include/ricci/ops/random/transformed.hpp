// Random numbers of continuous distributions that are functions of a uniform, a normal or a gamma variate: laplace,
// gumbel, cauchy, weibull, lognormal, chisquare, student_t; and vonmises. What they share stands in continuous.hpp.
#pragma once
#include "continuous.hpp"

namespace ricci {
namespace detail {

/// A uniform number, of which a 0 is half the next one: it has a logarithm.
template <class E>
auto above_0(const E& u) {
    return maximum(u, std::numeric_limits<typename E::value_type>::epsilon() / 4);
}
/// location + scale * standard(u) of uniform u in (0, 1).
template <class T, class D, class F, class L, class S, class Size>
auto transformed_sample(const char* who, const F& standard, const L& given_location, const S& given_scale,
                        const Size& size, generator& g) {
    using Y = sample_type<T, L, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: laplace, gumbel and cauchy give floating-point numbers");
    const auto location = parameter(given_location);
    const auto scale = parameter(given_scale);
    const auto extents = sample_shape(size, who, location, scale);
    require(scale, condition::not_negative, who, "the scale");
    const auto u = draw<random_source::uniform, U, D>(extents, g, who, location, scale);
    return evaluate_as<Y>(
        reusing(u, parameter_as<U>(location) + standard(above_0(u), U(0.5)) * parameter_as<U>(scale)));
}

template <class T, class D, class L, class S, class Size>
auto laplace_sample(const L& location, const S& scale, const Size& size, generator& g) {
    const auto standard = [](const auto& u, auto half) { return -copysign(log1p(-2 * abs(u - half)), u - half); };
    return transformed_sample<T, D>("laplace", standard, location, scale, size, g);
}

template <class T, class D, class L, class S, class Size>
auto gumbel_sample(const L& location, const S& scale, const Size& size, generator& g) {
    const auto standard = [](const auto& u, auto) { return -log(-log1p(-u)); };
    return transformed_sample<T, D>("gumbel", standard, location, scale, size, g);
}

template <class T, class D, class L, class S, class Size>
auto cauchy_sample(const L& location, const S& scale, const Size& size, generator& g) {
    // tan(pi (u - 1/2)), in either tail as the reciprocal of what is small there: pi / 2 is not a number
    const auto standard = [](const auto& u, auto half) {
        const auto from_middle = abs(u - half);
        const auto t = tan(std::numbers::pi_v<decltype(half)> * minimum(from_middle, half - from_middle));
        return copysign(where(from_middle < half / 2, t, 1 / t), u - half);
    };
    return transformed_sample<T, D>("cauchy", standard, location, scale, size, g);
}

template <class T, class D, class K, class S, class Size>
auto weibull_sample(const K& given_form, const S& given_scale, const Size& size, generator& g) {
    using Y = sample_type<T, K, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: weibull gives floating-point numbers");
    const auto form = parameter(given_form);
    const auto scale = parameter(given_scale);
    const auto extents = sample_shape(size, "weibull", form, scale);
    require(form, condition::positive, "weibull", "the shape parameter");
    require(scale, condition::not_negative, "weibull", "the scale");
    const auto u = draw<random_source::uniform, U, D>(extents, g, "weibull", form, scale);
    const auto standard = pow(-log1p(-above_0(u)), U(1) / parameter_as<U>(form));
    return evaluate_as<Y>(reusing(u, standard * parameter_as<U>(scale)));
}

template <class T, class D, class M, class S, class Size>
auto lognormal_sample(const M& given_mean, const S& given_sigma, const Size& size, generator& g) {
    using Y = sample_type<T, M, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: lognormal gives floating-point numbers");
    const auto mean = parameter(given_mean);
    const auto sigma = parameter(given_sigma);
    const auto extents = sample_shape(size, "lognormal", mean, sigma);
    require(sigma, condition::not_negative, "lognormal", "the standard deviation");
    const auto z = draw<random_source::normal, U, D>(extents, g, "lognormal", mean, sigma);
    return evaluate_as<Y>(reusing(z, exp(parameter_as<U>(mean) + z * parameter_as<U>(sigma))));
}

template <class T, class D, class N, class Size>
auto chisquare_sample(const N& given_freedom, const Size& size, generator& g) {
    const auto freedom = constant_parameter(parameter(given_freedom));
    require(freedom, condition::not_negative, "chisquare", "the degrees of freedom");
    return gamma_sample<T, D>(freedom * 0.5, 2.0, size, g);
}

template <class T, class D, class N, class L, class S, class Size>
auto student_t_sample(const N& given_freedom, const L& given_location, const S& given_scale, const Size& size,
                      generator& g) {
    using Y = sample_type<T, N, L, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: student_t gives floating-point numbers");
    const auto freedom = constant_parameter(parameter(given_freedom));
    const auto location = parameter(given_location);
    const auto scale = parameter(given_scale);
    const auto extents = sample_shape(size, "student_t", freedom, location, scale);
    require(freedom, condition::positive, "student_t", "the degrees of freedom");
    require(scale, condition::not_negative, "student_t", "the scale");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "student_t", freedom, location, scale);
    const auto x = make_map(ops::student_t_variate{{g.seed()}}, index, freedom);
    return evaluate_as<Y>(parameter_as<U>(location) + as_type<U>(x) * parameter_as<U>(scale));
}

template <class T, class D, class M, class K, class Size>
auto vonmises_sample(const M& given_direction, const K& given_concentration, const Size& size, generator& g) {
    using Y = sample_type<T, M, K>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: vonmises gives floating-point numbers");
    const auto direction = parameter(given_direction);
    const auto concentration = constant_parameter(parameter(given_concentration));
    const auto extents = sample_shape(size, "vonmises", direction, concentration);
    require(direction, condition::finite, "vonmises", "the mean direction");
    require(concentration, condition::not_negative, "vonmises", "the concentration");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "vonmises", direction, concentration);
    const auto x = make_map(ops::vonmises_variate{{g.seed()}}, index, concentration);
    constexpr U pi = std::numbers::pi_v<U>;
    const auto angle = parameter_as<U>(direction) + as_type<U>(x);
    return evaluate_as<Y>(where(abs(angle) > pi, remainder(angle + pi, 2 * pi) - pi, angle));
}

}  // namespace detail

namespace random {

/// Laplace (double exponential) of a location, its mean, and a scale. Differentiable in both. Throws value_error for a
/// negative scale. (numpy.random.Generator.laplace, torch.distributions.Laplace.)
template <class T = void, operand L, operand S>
auto laplace(const L& location, const S& scale, generator_ref g = {}) {
    return detail::laplace_sample<T, cpu_device>(location, scale, detail::common_size{}, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto laplace(const L& location, const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::laplace_sample<T, D>(location, scale, extents, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto laplace(const L& location, const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::laplace_sample<T, D>(location, scale, detail::to_shape(extents), g);
}
/// Of location 0 and scale 1, double unless T says otherwise: random::laplace({3, 4}).
template <class T = void, int R, device_tag D = cpu_device>
auto laplace(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return laplace<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto laplace(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return laplace<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}

/// Gumbel, of the largest of many, of a location, the mode, and a scale. Differentiable in both. Throws value_error for
/// a negative scale. (numpy.random.Generator.gumbel, torch.distributions.Gumbel.)
template <class T = void, operand L, operand S>
auto gumbel(const L& location, const S& scale, generator_ref g = {}) {
    return detail::gumbel_sample<T, cpu_device>(location, scale, detail::common_size{}, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto gumbel(const L& location, const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::gumbel_sample<T, D>(location, scale, extents, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto gumbel(const L& location, const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::gumbel_sample<T, D>(location, scale, detail::to_shape(extents), g);
}
template <class T = void, int R, device_tag D = cpu_device>
auto gumbel(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return gumbel<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto gumbel(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return gumbel<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}

/// Cauchy of a location, its median, and a scale, half the distance of its quartiles. Differentiable in both. Throws
/// value_error for a negative scale. (torch.distributions.Cauchy, numpy.random.Generator.standard_cauchy.)
template <class T = void, operand L, operand S>
auto cauchy(const L& location, const S& scale, generator_ref g = {}) {
    return detail::cauchy_sample<T, cpu_device>(location, scale, detail::common_size{}, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto cauchy(const L& location, const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::cauchy_sample<T, D>(location, scale, extents, g);
}
template <class T = void, operand L, operand S, int R, device_tag D = cpu_device>
auto cauchy(const L& location, const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::cauchy_sample<T, D>(location, scale, detail::to_shape(extents), g);
}
template <class T = void, int R, device_tag D = cpu_device>
auto cauchy(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return cauchy<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto cauchy(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return cauchy<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}

/// Weibull of a positive shape parameter and a scale. Differentiable in both. Throws value_error for a shape parameter
/// that is not positive and a negative scale. (numpy.random.Generator.weibull, torch.distributions.Weibull(scale,
/// form).)
template <class T = void, operand K, operand S>
auto weibull(const K& form, const S& scale, generator_ref g = {}) {
    return detail::weibull_sample<T, cpu_device>(form, scale, detail::common_size{}, g);
}
template <class T = void, operand K, operand S, int R, device_tag D = cpu_device>
auto weibull(const K& form, const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::weibull_sample<T, D>(form, scale, extents, g);
}
template <class T = void, operand K, operand S, int R, device_tag D = cpu_device>
auto weibull(const K& form, const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::weibull_sample<T, D>(form, scale, detail::to_shape(extents), g);
}
/// Of scale 1: random::weibull(2.0, {3, 4}).
template <class T = void, operand K>
auto weibull(const K& form, generator_ref g = {}) {
    return weibull<T>(form, 1.0, g);
}
template <class T = void, operand K, int R, device_tag D = cpu_device>
auto weibull(const K& form, const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return weibull<T>(form, 1.0, extents, g, device);
}
template <class T = void, operand K, int R, device_tag D = cpu_device>
auto weibull(const K& form, const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return weibull<T>(form, 1.0, detail::to_shape(extents), g, device);
}

/// exp of a normal of that mean and standard deviation. Differentiable in both. Throws value_error for a negative
/// standard deviation. (numpy.random.Generator.lognormal, torch.distributions.LogNormal.)
template <class T = void, operand M, operand S>
auto lognormal(const M& mean, const S& sigma, generator_ref g = {}) {
    return detail::lognormal_sample<T, cpu_device>(mean, sigma, detail::common_size{}, g);
}
template <class T = void, operand M, operand S, int R, device_tag D = cpu_device>
auto lognormal(const M& mean, const S& sigma, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::lognormal_sample<T, D>(mean, sigma, extents, g);
}
template <class T = void, operand M, operand S, int R, device_tag D = cpu_device>
auto lognormal(const M& mean, const S& sigma, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::lognormal_sample<T, D>(mean, sigma, detail::to_shape(extents), g);
}
template <class T = void, int R, device_tag D = cpu_device>
auto lognormal(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return lognormal<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto lognormal(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return lognormal<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}

/// Chi-square of degrees of freedom, any number that is not negative: gamma(freedom / 2, 2). A constant of every
/// derivative. (numpy.random.Generator.chisquare, torch.distributions.Chi2.)
template <class T = void, operand N>
auto chisquare(const N& freedom, generator_ref g = {}) {
    return detail::chisquare_sample<T, cpu_device>(freedom, detail::common_size{}, g);
}
template <class T = void, operand N, int R, device_tag D = cpu_device>
auto chisquare(const N& freedom, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::chisquare_sample<T, D>(freedom, extents, g);
}
template <class T = void, operand N, int R, device_tag D = cpu_device>
auto chisquare(const N& freedom, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::chisquare_sample<T, D>(freedom, detail::to_shape(extents), g);
}

/// Student's t of positive degrees of freedom, moved and stretched by a location and a scale. Differentiable in these;
/// a constant of the degrees of freedom. Throws value_error for degrees of freedom that are not positive and a negative
/// scale. (torch.distributions.StudentT.)
template <class T = void, operand N, operand L, operand S>
auto student_t(const N& freedom, const L& location, const S& scale, generator_ref g = {}) {
    return detail::student_t_sample<T, cpu_device>(freedom, location, scale, detail::common_size{}, g);
}
template <class T = void, operand N, operand L, operand S, int R, device_tag D = cpu_device>
auto student_t(const N& freedom, const L& location, const S& scale, const shape<R>& extents, generator_ref g = {},
               D = {}) {
    return detail::student_t_sample<T, D>(freedom, location, scale, extents, g);
}
template <class T = void, operand N, operand L, operand S, int R, device_tag D = cpu_device>
auto student_t(const N& freedom, const L& location, const S& scale, const extent (&extents)[R], generator_ref g = {},
               D = {}) {
    return detail::student_t_sample<T, D>(freedom, location, scale, detail::to_shape(extents), g);
}
/// Of location 0 and scale 1. (numpy.random.Generator.standard_t.)
template <class T = void, operand N>
auto student_t(const N& freedom, generator_ref g = {}) {
    return student_t<T>(freedom, 0.0, 1.0, g);
}
template <class T = void, operand N, int R, device_tag D = cpu_device>
auto student_t(const N& freedom, const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return student_t<T>(freedom, 0.0, 1.0, extents, g, device);
}
template <class T = void, operand N, int R, device_tag D = cpu_device>
auto student_t(const N& freedom, const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return student_t<T>(freedom, 0.0, 1.0, detail::to_shape(extents), g, device);
}

/// Von Mises, the normal distribution of angles, of a mean direction, any angle, and a concentration >= 0, one over the
/// variance where that is small: angles from -pi to pi, in radians. Differentiable in the direction, a constant of the
/// concentration. Throws value_error for a negative concentration and a direction that is not finite.
/// (numpy.random.Generator.vonmises, torch.distributions.VonMises.)
template <class T = void, operand M, operand K>
auto vonmises(const M& direction, const K& concentration, generator_ref g = {}) {
    return detail::vonmises_sample<T, cpu_device>(direction, concentration, detail::common_size{}, g);
}
template <class T = void, operand M, operand K, int R, device_tag D = cpu_device>
auto vonmises(const M& direction, const K& concentration, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::vonmises_sample<T, D>(direction, concentration, extents, g);
}
template <class T = void, operand M, operand K, int R, device_tag D = cpu_device>
auto vonmises(const M& direction, const K& concentration, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::vonmises_sample<T, D>(direction, concentration, detail::to_shape(extents), g);
}

}  // namespace random
}  // namespace ricci
