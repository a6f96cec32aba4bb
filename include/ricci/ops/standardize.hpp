// Numbers less their mean over their standard deviation: standardize.
#pragma once
#include <optional>

#include "linalg/matrix_op.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

/// (x - mean) r over the axes, and r = 1 / sqrt(var + epsilon).
template <int N, class A>
auto standardized_over(const A& a, const int (&axes)[N], double epsilon, double correction) {
    const auto r =
        evaluate(rsqrt(var(a, axes, keepdims, correction) + static_cast<real_t<typename A::value_type>>(epsilon)));
    return make_pack(evaluate((a - mean(a, axes, keepdims)) * r), r);
}

/// The same along the last axis, of plain rows while a row is in the cache. Derivatives are in terms of both results.
struct standardize_op : matrix_op<standardize_op> {
    static constexpr const char* name = "standardize";
    double epsilon, correction;

    standardize_op(double e, double c) : epsilon(e), correction(c) {}
    template <class X>
    auto value(const X& x) const {
        if constexpr (has_moment_kernels<X>())
            if (executor<device_t<X>>::has_moments(x)) {
                using plain = tensor<std::remove_const_t<typename X::value_type>, X::rank, device_t<X>>;
                auto extents = x.shape();
                const auto y = plain::uninitialized(extents);
                extents[X::rank - 1] = 1;
                const auto r = plain::uninitialized(extents);
                executor<device_t<X>>::standardize(x, y, r.data(), degrees(x), epsilon);
                return make_pack(y, r);
            }
        return standardized_over(x, {-1}, epsilon, correction);
    }
    template <class Active, class X, class Y, class R, class C, class S>
    auto adjoints(const pack<const X*>&, const pack<Y, R>& results, const pack<C, S>& bars) const {
        const auto& y = get<0>(results);
        const auto& r = get<1>(results);
        const auto y_bar = whole_cotangent(get<0>(bars), y.shape()), r_bar = whole_cotangent(get<1>(bars), r.shape());
        const auto along = evaluate((sum(y_bar * y, -1, keepdims) + r * r_bar) / degrees(y));
        return make_pack(evaluate((y_bar - mean(y_bar, -1, keepdims) - along * y) * r));
    }
    template <class Active, class X, class Y, class R, class D>
    auto tangents(const pack<const X*>&, const pack<Y, R>& results, const pack<const D*>& dots) const {
        const auto& y = get<0>(results);
        const auto& r = get<1>(results);
        const auto& x_dot = *get<0>(dots);
        const auto along = evaluate(sum(x_dot * y, -1, keepdims) / degrees(y));
        return make_pack(evaluate((x_dot - mean(x_dot, -1, keepdims) - along * y) * r), evaluate(-(along * r * r)));
    }

   private:
    /// What the sum of the squares of a row's differences from its mean is divided by.
    template <class X>
    real_t<typename X::value_type> degrees(const X& x) const {
        const double left = static_cast<double>(x.shape()[X::rank - 1]) - correction;
        return static_cast<real_t<typename X::value_type>>(left > 0 ? left : 0);
    }
};

/// standardize along the last axis times a vector as long, plus a second one, of plain numbers while a row is in the
/// cache; nothing where they are not that.
template <class A, class... V>
auto standardized_and_scaled(const A& x, double epsilon, const V&... vectors) {
    using T = std::remove_const_t<typename A::value_type>;
    using plain = tensor<T, A::rank, device_t<A>>;
    std::optional<plain> y;
    if constexpr (has_moment_kernels<A>() && (std::is_same_v<std::remove_const_t<typename V::value_type>, T> && ...)) {
        const index_t n = x.shape()[A::rank - 1];
        const bool fit = ((vectors.is_contiguous() && vectors.size() == n) && ...);
        if (fit && executor<device_t<A>>::has_moments(x)) {
            y.emplace(plain::uninitialized(x.shape()));
            executor<device_t<A>>::standardize(x, *y, nullptr, static_cast<double>(n), epsilon, vectors...);
        }
    }
    return y;
}

/// (x - mean) / sqrt(var + epsilon) over the axes named by N numbers.
template <int N, class A>
auto standardize_axes(const A& a, const int (&axes)[N], double epsilon, double correction) {
    if constexpr (N == 1 && std::is_floating_point_v<typename A::value_type>)
        if (is_last_axis<A::rank, N>(axes)) return evaluate(get<0>(call(standardize_op(epsilon, correction), a)));
    return evaluate(get<0>(standardized_over(a, axes, epsilon, correction)));
}

}  // namespace detail

/// What standardize takes: `epsilon` is added to the variance, `correction` taken from the number of elements that it
/// is over.
struct standardize_options {
    double epsilon = 0;
    double correction = 0;
};
/// (x - mean(x)) / sqrt(var(x) + epsilon) along one or several axes: numbers of mean 0 and variance 1; rows are read
/// once. With an epsilon, {.epsilon = 1e-5}, it is what a layer's normalization does. Integers give double; NaN where
/// nothing varies and epsilon is 0. (jax.nn.standardize, scipy.stats.zscore; torch's layer_norm without weights.)
template <expression E, int N>
auto standardize(const E& x, const int (&axes)[N], standardize_options options = {}) {
    int own[N];
    for (int i = 0; i < N; ++i) own[i] = detail::normalize_axis(axes[i], E::rank, "standardize");
    const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(x));
    return detail::computed_wide(
        a, [&](const auto& wide) { return detail::standardize_axes(wide, own, options.epsilon, options.correction); });
}
template <expression E, std::integral Axis>
auto standardize(const E& x, Axis axis, standardize_options options = {}) {
    return standardize(x, {detail::axis_number(axis)}, options);
}

}  // namespace ricci
