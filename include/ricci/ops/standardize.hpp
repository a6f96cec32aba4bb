// Numbers less their mean over their standard deviation: standardize.
#pragma once
#include "linalg/matrix_op.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

/// y = (x - mean) r along the last axis, for r = 1 / sqrt(squares / degrees + epsilon), and r, with the squares of the differences
/// from the mean added up. Derivatives are in terms of both results.
struct standardize_op : matrix_op<standardize_op> {
    static constexpr const char* name = "standardize";
    double degrees, epsilon;

    standardize_op(double d, double e) : degrees(d), epsilon(e) {}
    template <class X>
    auto value(const X& x) const {
        using T = typename X::value_type;
        using D = device_t<X>;
        using plain = tensor<std::remove_const_t<T>, X::rank, D>;
        if constexpr (has_moment_kernels<X>())
            if (executor<D>::has_moments(x)) {
                auto extents = x.shape();
                const auto y = plain::uninitialized(extents);
                extents[X::rank - 1] = 1;
                const auto r = plain::uninitialized(extents);
                executor<D>::standardize(x, y, r.data(), degrees, epsilon);
                return make_pack(y, r);
            }
        const auto centered = evaluate(x - mean(x, -1, keepdims));
        const plain r =
            evaluate(rsqrt(sum(square(centered), -1, keepdims) / static_cast<T>(degrees) + static_cast<T>(epsilon)));
        return make_pack(plain(evaluate(centered * r)), r);
    }
    template <class Active, class X, class Y, class R, class C, class S>
    auto adjoints(const pack<const X*>&, const pack<Y, R>& results, const pack<C, S>& bars) const {
        const auto& y = get<0>(results);
        const auto& r = get<1>(results);
        const auto y_bar = whole_cotangent(get<0>(bars), y.shape()), r_bar = whole_cotangent(get<1>(bars), r.shape());
        using T = real_t<typename Y::value_type>;
        const auto along = evaluate((sum(y_bar * y, -1, keepdims) + r * r_bar) / static_cast<T>(degrees));
        return make_pack(evaluate((y_bar - mean(y_bar, -1, keepdims) - along * y) * r));
    }
    template <class Active, class X, class Y, class R, class D>
    auto tangents(const pack<const X*>&, const pack<Y, R>& results, const pack<const D*>& dots) const {
        const auto& y = get<0>(results);
        const auto& r = get<1>(results);
        const auto& x_dot = *get<0>(dots);
        using T = real_t<typename Y::value_type>;
        const auto along = evaluate(sum(x_dot * y, -1, keepdims) / static_cast<T>(degrees));
        return make_pack(evaluate((x_dot - mean(x_dot, -1, keepdims) - along * y) * r), evaluate(-(along * r * r)));
    }
};

/// (x - mean) / sqrt(var + epsilon) over the axes named by N numbers: of plain rows while a row is in the cache.
template <int N, class A>
auto standardize_axes(const A& a, const int (&axes)[N], double epsilon, double correction) {
    using T = real_t<typename A::value_type>;
    if constexpr (N == 1 && std::is_floating_point_v<typename A::value_type>)
        if (is_last_axis<A::rank, N>(axes)) {
            const double left = static_cast<double>(a.shape()[A::rank - 1]) - correction;
            const double degrees = left > 0 ? left : 0;
            if constexpr (has_moment_kernels<A>()) {
                if (executor<device_t<A>>::has_moments(a)) {
                    const auto y = tensor<T, A::rank, device_t<A>>::uninitialized(a.shape());
                    executor<device_t<A>>::standardize(a, y, nullptr, degrees, epsilon);
                    return y;
                }
            } else if constexpr (!std::is_void_v<typename A::wrapper>) {
                return evaluate(get<0>(call(standardize_op(degrees, epsilon), a)));
            }
        }
    const auto deviation = sqrt(var(a, axes, keepdims, correction) + static_cast<T>(epsilon));
    return evaluate((a - mean(a, axes, keepdims)) / deviation);
}

}  // namespace detail

/// What standardize takes: `epsilon` is added to the variance, `correction` taken from the number of elements that it is over.
struct standardize_options {
    double epsilon = 0;
    double correction = 0;
};
/// (x - mean(x)) / sqrt(var(x) + epsilon) along one or several axes: numbers of mean 0 and variance 1; rows are read once. With an
/// epsilon, {.epsilon = 1e-5}, it is what a layer's normalization does. Integers give double; NaN where nothing varies and
/// epsilon is 0. (jax.nn.standardize, scipy.stats.zscore; torch's layer_norm without weights.)
template <expression E, int N>
auto standardize(const E& x, const int (&axes)[N], standardize_options options = {}) {
    const auto a = evaluate(detail::as_type<inexact_t<typename E::value_type>>(x));
    return detail::computed_wide(
        a, [&](const auto& wide) { return detail::standardize_axes(wide, axes, options.epsilon, options.correction); });
}
template <expression E, std::integral Axis>
auto standardize(const E& x, Axis axis, standardize_options options = {}) {
    return standardize(x, {detail::axis_number(axis)}, options);
}

}  // namespace ricci
