// Sums of exponentials that do not overflow: logsumexp, softmax, log_softmax.
#pragma once
#include "reduce.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// What is taken from the exponents, so that the largest is 0; the result does not depend on it, nor do derivatives. 0
/// where the largest is not finite, so that infinities and NaN come out as they must.
template <int N, class E>
auto largest_over(const E& x, const int* axes, const char* what) {
    return extremum_over<combine_maximum>(stop_gradient(x),
                                          reduction_axes<E::rank, N, keepdims_t>(x.shape(), axes, what), what);
}
template <int N, class E>
auto exponent_shift(const E& x, const int* axes, const char* what) {
    using T = typename E::value_type;
    const auto largest = largest_over<N>(x, axes, what);
    return evaluate(where(abs(largest) < std::numeric_limits<T>::infinity(), largest, T(0)));
}
/// Whether the device has kernels for lines of such an array, which no transform wraps.
template <class A>
constexpr bool has_softmax_kernel() {
    if constexpr (!std::is_void_v<typename A::wrapper> || A::rank == 0) return false;
    else if constexpr (!requires { executor<device_t<A>>::template has_softmax<typename A::value_type>; }) return false;
    else return executor<device_t<A>>::template has_softmax<typename A::value_type>;
}
/// Whether these run along an axis, not negative.
template <class A>
bool has_softmax_along(const A& x, int axis) {
    if (axis == A::rank - 1) return true;
    if constexpr (requires { executor<device_t<A>>::has_softmax_along(x, axis); })
        return executor<device_t<A>>::has_softmax_along(x, axis);
    else return false;
}
template <int N, class Keep, class E>
auto logsumexp_axes(const E& e, const int* axes) {
    using T = inexact_t<typename E::value_type>;
    static_assert(!is_complex_v<T>, "ricci: logsumexp takes real numbers");
    if constexpr (is_half_v<T>) {
        return computed_wide(e, [&](const auto& x) { return logsumexp_axes<N, Keep>(x, axes); });
    } else {
        const auto x = evaluate(as_type<T>(e));
        const reduction_axes<E::rank, N, Keep> a(x.shape(), axes, "logsumexp");
        if (a.reduced_count == 0) return evaluate(log(sum_over<T>(x, a)));  // of nothing: log 0
        using A = std::remove_cvref_t<decltype(x)>;
        if constexpr (has_softmax_kernel<A>() && (N == 1 || (N < 0 && E::rank == 1))) {
            const int axis = N == 1 ? normalize_axis(axes[0], E::rank, "logsumexp") : 0;
            if (has_softmax_along(x, axis)) {
                auto y = tensor<T, a.result_rank, device_t<A>>::uninitialized(a.result);
                executor<device_t<A>>::log_sum_exp(x, y, axis);
                return y;
            }
        }
        const auto shift = exponent_shift<N>(x, axes, "logsumexp");
        return evaluate(log(sum_over<T>(exp(x - shift), a)) + reshaped(shift, a.result));
    }
}
template <bool Logarithm, class A>
auto softmax_of_lines(const A& a, int axis) {
    const auto y = tensor<typename A::value_type, A::rank, device_t<A>>::uninitialized(a.shape());
    executor<device_t<A>>::template softmax<Logarithm>(a, y, axis);
    return y;
}
template <class A>
auto softmax_along(const A& a, int axis) {
    if constexpr (has_softmax_kernel<A>())
        if (has_softmax_along(a, axis)) return softmax_of_lines<false>(a, axis);
    const auto e = evaluate(exp(a - largest_over<1>(a, &axis, "softmax")));
    return evaluate(e / sum(e, axis, keepdims));
}
template <class A>
auto log_softmax_along(const A& a, int axis) {
    if constexpr (has_softmax_kernel<A>())
        if (has_softmax_along(a, axis)) return softmax_of_lines<true>(a, axis);
    const auto shifted = a - largest_over<1>(a, &axis, "log_softmax");
    return evaluate(shifted - log(sum(exp(shifted), axis, keepdims)));
}

}  // namespace detail

/// log(sum(exp(x))) over all, one or several axes, without overflow; integers give double, no elements -inf. Derivative
/// softmax.
template <expression E, keep_option Keep = dropdims_t>
auto logsumexp(const E& x, Keep = {}) {
    return detail::logsumexp_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto logsumexp(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::logsumexp_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto logsumexp(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::logsumexp_axes<N, Keep>(x, axes);
}

/// exp(x) / sum(exp(x)) along an axis, without overflow: positive numbers that add up to 1. Integers give double; NaN
/// where all elements are -inf or one is inf.
template <expression E>
auto softmax(const E& x, int axis) {
    using T = inexact_t<typename E::value_type>;
    const auto a = detail::readable_as<T>(x);
    const int d = detail::normalize_axis(axis, E::rank, "softmax");
    if (a.size() == 0) return evaluate(exp(a));
    return detail::computed_wide(a, [d](const auto& wide) { return detail::softmax_along(wide, d); });
}
template <expression E>
auto softmax(const E& x) {
    static_assert(always_false<E>, "ricci: softmax is along an axis, softmax(x, -1)");
    return x;
}

/// softmax(-x).
template <expression E>
auto softmin(const E& x, int axis) {
    return softmax(-detail::as_type<inexact_t<typename E::value_type>>(x), axis);
}

/// x - logsumexp(x) along an axis: the logarithm of softmax, exact where that is 0.
template <expression E>
auto log_softmax(const E& x, int axis) {
    using T = inexact_t<typename E::value_type>;
    const auto a = detail::readable_as<T>(x);
    const int d = detail::normalize_axis(axis, E::rank, "log_softmax");
    if (a.size() == 0) return evaluate(exp(a));
    return detail::computed_wide(a, [d](const auto& wide) { return detail::log_softmax_along(wide, d); });
}
template <expression E>
auto log_softmax(const E& x) {
    static_assert(always_false<E>, "ricci: log_softmax is along an axis, log_softmax(x, -1)");
    return x;
}

}  // namespace ricci
