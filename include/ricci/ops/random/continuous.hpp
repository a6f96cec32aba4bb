// Random numbers of continuous distributions: uniform, normal, exponential, gamma, beta, truncated_normal.
//
// What all functions of ricci::random share. Parameters are numbers or arrays that broadcast; the sample has their
// common shape, or one that is given, to which they must broadcast. Its element type is T if that is given, else the
// arrays' (integers count as double), of numbers alone double; it lives where its parameters do. It is drawn from the
// generator that is given last, or the default one: equal generators give equal numbers on any number of threads and,
// but for rounding, on the GPU. Under vmap the option `randomness` says what a draw means (see rand_like): with
// `different`, one parameter at least must be mapped by it, such as 0 * x + mean. Throws value_error for parameters
// that the distribution does not have, shape_error when shapes do not fit, before anything is drawn.
#pragma once
#include "../operand_mistakes.hpp"
#include "parameters.hpp"
#include "variates.hpp"

namespace ricci {
namespace detail {

template <class T, class D, class L, class H, class Size>
auto uniform_sample(const L& given_low, const H& given_high, const Size& size, generator& g) {
    using Y = sample_type<T, L, H>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: uniform gives floating-point numbers; integers gives integers");
    const auto low = parameter(given_low);
    const auto high = parameter(given_high);
    const auto extents = sample_shape(size, "uniform", low, high);
    const auto width =
        constant_map([](const auto& a, const auto& b) { return parameter_as<U>(b) - parameter_as<U>(a); }, low, high);
    require(width, condition::not_negative, "uniform", "high - low");
    require(low, condition::finite, "uniform", "low");
    require(high, condition::finite, "uniform", "high");
    require(width, condition::finite, "uniform", "high - low");
    const auto u = draw<random_source::uniform, U, D>(extents, g, "uniform", low, high);
    const auto from = parameter_as<U>(low);
    const auto to = parameter_as<U>(high);
    const auto x = from + u * (to - from);  // may round up to `high`
    const auto below = reusing(u, where(x < to, x, nextafter(to, from)));
    if constexpr (!is_half_v<Y>) {
        return below;
    } else {  // rounded once more
        const auto y = evaluate_as<Y>(below);
        const auto end = parameter_as<Y>(high);
        return evaluate(where(y < end, y, nextafter(end, parameter_as<Y>(low))));
    }
}

template <class T, class D, class M, class S, class Size>
auto normal_sample(const M& given_mean, const S& given_stddev, const Size& size, generator& g) {
    using U = sample_type<T, M, S>;
    static_assert(is_inexact_v<U>, "ricci: normal gives floating-point numbers, or complex ones");
    static_assert(!is_complex_v<decltype(floating_parameters<S>())>,
                  "ricci: a standard deviation is real, also of complex numbers, of whose variance each part has half");
    const auto mean = parameter(given_mean);
    const auto stddev = parameter(given_stddev);
    const auto extents = sample_shape(size, "normal", mean, stddev);
    require(stddev, condition::not_negative, "normal", "the standard deviation");
    const auto z = draw<random_source::normal, U, D>(extents, g, "normal", mean, stddev);
    return reusing(z, parameter_as<U>(mean) + z * parameter_as<real_t<U>>(stddev));
}

template <class T, class D, class S, class Size>
auto exponential_sample(const S& given_scale, const Size& size, generator& g) {
    using Y = sample_type<T, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: exponential gives floating-point numbers");
    const auto scale = parameter(given_scale);
    const auto extents = sample_shape(size, "exponential", scale);
    require(scale, condition::not_negative, "exponential", "the scale");
    const auto u = draw<random_source::uniform, U, D>(extents, g, "exponential", scale);
    return evaluate_as<Y>(reusing(u, -log1p(-u) * parameter_as<U>(scale)));
}

template <class T, class D, class K, class S, class Size>
auto gamma_sample(const K& given_shape, const S& given_scale, const Size& size, generator& g) {
    using Y = sample_type<T, K, S>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: gamma gives floating-point numbers");
    const auto form = parameter(given_shape);
    const auto scale = parameter(given_scale);
    const auto extents = sample_shape(size, "gamma", form, scale);
    require(form, condition::not_negative, "gamma", "the shape parameter");
    require(scale, condition::not_negative, "gamma", "the scale");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "gamma", form, scale);
    const auto x = make_map(ops::gamma_variate{{g.seed()}}, index, constant_parameter(form));
    return evaluate_as<Y>(as_type<U>(x) * parameter_as<U>(scale));
}

template <class T, class D, class A, class B, class Size>
auto beta_sample(const A& given_a, const B& given_b, const Size& size, generator& g) {
    using Y = sample_type<T, A, B>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: beta gives floating-point numbers");
    const auto a = constant_parameter(parameter(given_a));
    const auto b = constant_parameter(parameter(given_b));
    const auto extents = sample_shape(size, "beta", a, b);
    require(a, condition::positive, "beta", "the parameter a");
    require(b, condition::positive, "beta", "the parameter b");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "beta", a, b);
    return evaluate_as<Y>(as_type<U>(make_map(ops::beta_variate{{g.seed()}}, index, a, b)));
}

template <class T, class D, class M, class S, class L, class H, class Size>
auto truncated_normal_sample(const M& given_mean, const S& given_stddev, const L& given_low, const H& given_high,
                             const Size& size, generator& g) {
    using Y = sample_type<T, M, S, L, H>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: truncated_normal gives floating-point numbers");
    constexpr const char* who = "truncated_normal";
    const auto mean = constant_parameter(parameter(given_mean));
    const auto stddev = constant_parameter(parameter(given_stddev));
    const auto low = constant_parameter(parameter(given_low));
    const auto high = constant_parameter(parameter(given_high));
    const auto extents = sample_shape(size, who, mean, stddev, low, high);
    require(mean, condition::finite, who, "the mean");
    require(stddev, condition::positive, who, "the standard deviation");
    require(stddev, condition::finite, who, "the standard deviation");
    require_all(parameter(low < high), who, "low must be less than high");
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, who, mean, stddev, low, high);
    const auto x = make_map(ops::truncated_normal_variate{{g.seed()}}, index, mean, stddev, low, high);
    return evaluate_as<Y>(minimum(maximum(as_type<U>(x), parameter_as<U>(low)), parameter_as<U>(high)));
}

}  // namespace detail

namespace random {

/// Uniform in [low, high); `low` where they are equal. Differentiable in both. Throws value_error unless low <= high,
/// both finite, as high - low must be. (numpy.random.Generator.uniform.)
template <class T = void, operand L, operand H>
auto uniform(const L& low, const H& high, generator_ref g = {}) {
    return detail::uniform_sample<T, cpu_device>(low, high, detail::common_size{}, g);
}
template <class T = void, operand L, operand H, int R, device_tag D = cpu_device>
auto uniform(const L& low, const H& high, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::uniform_sample<T, D>(low, high, extents, g);
}
template <class T = void, operand L, operand H, int R, device_tag D = cpu_device>
auto uniform(const L& low, const H& high, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::uniform_sample<T, D>(low, high, detail::to_shape(extents), g);
}
/// Of [0, 1), double unless T says otherwise: random::uniform({3, 4}).
template <class T = void, int R, device_tag D = cpu_device>
auto uniform(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return uniform<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto uniform(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return uniform<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}
template <class T = void, device_tag D = cpu_device>
auto uniform(no_extents, generator_ref g = {}, D device = {}) {
    return uniform<T>(0.0, 1.0, shape<0>{}, g, device);
}
/// One number: random::uniform().
template <class T = void>
auto uniform() {
    return uniform<T>(0.0, 1.0);
}
template <class T = void>
auto uniform(generator& g) {
    return uniform<T>(0.0, 1.0, g);
}
template <class T = void, std::integral N>
auto uniform(N) {
    return detail::refused_size<N>();
}
template <class T = void, class A, class B, std::integral N, class... More>
auto uniform(const A&, const B&, N, const More&...) {
    return detail::refused_size<N>();
}
template <class T = void, int R, detail::no_generator A, class... More>
auto uniform(const extent (&)[R], const A&, const More&...) {
    return detail::refused_order<A>();
}
template <class T = void, class A, class B, int R, std::integral Seed>
auto uniform(const A&, const B&, const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}

/// Normal of a mean and a standard deviation. Differentiable in both. Complex numbers have the variance of randn's
/// times the deviation's square, half of it in each part: normal<std::complex<double>>({3}), or of a complex mean.
/// Throws value_error for a negative standard deviation. (numpy.random.Generator.normal, torch.normal.)
template <class T = void, operand M, operand S>
auto normal(const M& mean, const S& stddev, generator_ref g = {}) {
    return detail::normal_sample<T, cpu_device>(mean, stddev, detail::common_size{}, g);
}
template <class T = void, operand M, operand S, int R, device_tag D = cpu_device>
auto normal(const M& mean, const S& stddev, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::normal_sample<T, D>(mean, stddev, extents, g);
}
template <class T = void, operand M, operand S, int R, device_tag D = cpu_device>
auto normal(const M& mean, const S& stddev, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::normal_sample<T, D>(mean, stddev, detail::to_shape(extents), g);
}
/// Of mean 0 and variance 1, double unless T says otherwise: random::normal({3, 4}).
template <class T = void, int R, device_tag D = cpu_device>
auto normal(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return normal<T>(0.0, 1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto normal(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return normal<T>(0.0, 1.0, detail::to_shape(extents), g, device);
}
template <class T = void, device_tag D = cpu_device>
auto normal(no_extents, generator_ref g = {}, D device = {}) {
    return normal<T>(0.0, 1.0, shape<0>{}, g, device);
}
template <class T = void>
auto normal() {
    return normal<T>(0.0, 1.0);
}
template <class T = void>
auto normal(generator& g) {
    return normal<T>(0.0, 1.0, g);
}
template <class T = void, std::integral N>
auto normal(N) {
    return detail::refused_size<N>();
}
template <class T = void, class A, class B, std::integral N, class... More>
auto normal(const A&, const B&, N, const More&...) {
    return detail::refused_size<N>();
}
template <class T = void, int R, detail::no_generator A, class... More>
auto normal(const extent (&)[R], const A&, const More&...) {
    return detail::refused_order<A>();
}
template <class T = void, class A, class B, int R, std::integral Seed>
auto normal(const A&, const B&, const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}

/// Exponential of a scale, its mean (1 / rate). Differentiable in it. Throws value_error for a negative scale.
/// (numpy.random.Generator.exponential.)
template <class T = void, operand S>
auto exponential(const S& scale, generator_ref g = {}) {
    return detail::exponential_sample<T, cpu_device>(scale, detail::common_size{}, g);
}
template <class T = void, operand S, int R, device_tag D = cpu_device>
auto exponential(const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::exponential_sample<T, D>(scale, extents, g);
}
template <class T = void, operand S, int R, device_tag D = cpu_device>
auto exponential(const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::exponential_sample<T, D>(scale, detail::to_shape(extents), g);
}
/// Of scale 1, double unless T says otherwise: random::exponential({3, 4}).
template <class T = void, int R, device_tag D = cpu_device>
auto exponential(const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return exponential<T>(1.0, extents, g, device);
}
template <class T = void, int R, device_tag D = cpu_device>
auto exponential(const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return exponential<T>(1.0, detail::to_shape(extents), g, device);
}
template <class T = void>
auto exponential() {
    return exponential<T>(1.0);
}
template <class T = void>
auto exponential(generator& g) {
    return exponential<T>(1.0, g);
}
template <class T = void, int R, detail::no_generator A, class... More>
auto exponential(const extent (&)[R], const A&, const More&...) {
    return detail::refused_order<A>();
}

/// Gamma of a shape parameter and a scale; 0 where one of them is. Differentiable in the scale; a constant of the shape
/// parameter. Throws value_error for negative ones. (numpy.random.Generator.gamma.)
template <class T = void, operand K, operand S>
auto gamma(const K& form, const S& scale, generator_ref g = {}) {
    return detail::gamma_sample<T, cpu_device>(form, scale, detail::common_size{}, g);
}
template <class T = void, operand K, operand S, int R, device_tag D = cpu_device>
auto gamma(const K& form, const S& scale, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::gamma_sample<T, D>(form, scale, extents, g);
}
template <class T = void, operand K, operand S, int R, device_tag D = cpu_device>
auto gamma(const K& form, const S& scale, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::gamma_sample<T, D>(form, scale, detail::to_shape(extents), g);
}
/// Of scale 1: random::gamma(2.0, {3, 4}).
template <class T = void, operand K>
auto gamma(const K& form, generator_ref g = {}) {
    return gamma<T>(form, 1.0, g);
}
template <class T = void, operand K, int R, device_tag D = cpu_device>
auto gamma(const K& form, const shape<R>& extents, generator_ref g = {}, D device = {}) {
    return gamma<T>(form, 1.0, extents, g, device);
}
template <class T = void, operand K, int R, device_tag D = cpu_device>
auto gamma(const K& form, const extent (&extents)[R], generator_ref g = {}, D device = {}) {
    return gamma<T>(form, 1.0, detail::to_shape(extents), g, device);
}

/// Beta of two positive parameters; a constant of every derivative. Throws value_error otherwise.
/// (numpy.random.Generator.beta.)
template <class T = void, operand A, operand B>
auto beta(const A& a, const B& b, generator_ref g = {}) {
    return detail::beta_sample<T, cpu_device>(a, b, detail::common_size{}, g);
}
template <class T = void, operand A, operand B, int R, device_tag D = cpu_device>
auto beta(const A& a, const B& b, const shape<R>& extents, generator_ref g = {}, D = {}) {
    return detail::beta_sample<T, D>(a, b, extents, g);
}
template <class T = void, operand A, operand B, int R, device_tag D = cpu_device>
auto beta(const A& a, const B& b, const extent (&extents)[R], generator_ref g = {}, D = {}) {
    return detail::beta_sample<T, D>(a, b, detail::to_shape(extents), g);
}

/// Normal of a mean and a positive standard deviation, given that it lies between `low` and `high`, which may be
/// infinite and as far out in a tail as they like; a constant of every derivative. Throws value_error unless low <
/// high. (torch.nn.init.trunc_normal_, scipy.stats.truncnorm.)
template <class T = void, operand M, operand S, operand L, operand H>
auto truncated_normal(const M& mean, const S& stddev, const L& low, const H& high, generator_ref g = {}) {
    return detail::truncated_normal_sample<T, cpu_device>(mean, stddev, low, high, detail::common_size{}, g);
}
template <class T = void, operand M, operand S, operand L, operand H, int R, device_tag D = cpu_device>
auto truncated_normal(const M& mean, const S& stddev, const L& low, const H& high, const shape<R>& extents,
                      generator_ref g = {}, D = {}) {
    return detail::truncated_normal_sample<T, D>(mean, stddev, low, high, extents, g);
}
template <class T = void, operand M, operand S, operand L, operand H, int R, device_tag D = cpu_device>
auto truncated_normal(const M& mean, const S& stddev, const L& low, const H& high, const extent (&extents)[R],
                      generator_ref g = {}, D = {}) {
    return detail::truncated_normal_sample<T, D>(mean, stddev, low, high, detail::to_shape(extents), g);
}

}  // namespace random
}  // namespace ricci
