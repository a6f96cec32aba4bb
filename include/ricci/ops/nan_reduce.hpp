// Reductions that leave NaN out: nansum, nanprod, nanmean, nanmax, nanmin, nanvar, nanstddev.
#pragma once
#include "reduce.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// `e` with NaN replaced, still a map to be fused.
template <class E>
auto without_nan(const E& e, typename E::value_type replacement) {
    return where(isnan(e), replacement, e);
}
/// How many elements are no NaN, in type T.
template <class T, class E, class Axes>
auto counted(const E& e, const Axes& axes) {
    return astype<T>(sum_over<std::int64_t>(!isnan(stop_gradient(e)), axes));
}

template <int N, class Keep, class E>
auto nansum_axes(const E& e, const int* axes) {
    using T = typename E::value_type;
    return sum_over<sum_type<T>>(without_nan(e, T(0)), reduction_axes<E::rank, N, Keep>(e.shape(), axes, "nansum"));
}
template <int N, class Keep, class E>
auto nanprod_axes(const E& e, const int* axes) {
    using T = typename E::value_type;
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, "nanprod");
    return product_over<sum_type<T>>(without_nan(e, T(1)), a, axes, N);
}
template <int N, class Keep, class E>
auto nanmean_axes(const E& e, const int* axes) {
    using T = inexact_t<typename E::value_type>;
    if constexpr (is_half_v<T>) {
        return computed_wide(e, [&](const auto& x) { return nanmean_axes<N, Keep>(x, axes); });
    } else {
        const auto x = evaluate(as_type<T>(e));
        const reduction_axes<E::rank, N, Keep> a(x.shape(), axes, "nanmean");
        return evaluate(sum_over<T>(without_nan(x, T(0)), a) / counted<real_t<T>>(x, a));
    }
}
template <class Combine, int N, class Keep, class E>
auto nan_extremum_axes(const E& e, const int* axes, const char* who) {
    using T = typename E::value_type;
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, who);
    if constexpr (!is_real_floating_v<T>) {
        return extremum_over<Combine>(e, a, who);
    } else {
        const auto x = evaluate(e);
        constexpr T none = Combine::template identity<T>();
        const auto found = extremum_over<Combine>(without_nan(x, none), a, who);
        if constexpr (all_plain<E>())  // mostly every line has a number
            if (!any_over(found == none, reduction_axes<a.result_rank, -1, dropdims_t>(a.result, nullptr, who)).item())
                return found;
        const auto some = any_over(!isnan(stop_gradient(x)), a);
        constexpr T nan = std::numeric_limits<T>::quiet_NaN();
        if constexpr (all_plain<E>()) return evaluate(where(some, found, nan));
        // where the extremum is what NaN were replaced by, all numbers are it, and share its adjoint without them
        else return evaluate(where(some, where(found == none, nanmean_axes<N, Keep>(x, axes), found), nan));
    }
}
/// Two passes, as var.
template <int N, class Keep, class E>
auto nanvar_axes(const E& e, const int* axes, double correction) {
    using T = inexact_t<typename E::value_type>;
    static_assert(!is_complex_v<T>, "ricci: nanvar takes real numbers");
    if constexpr (is_half_v<T>) {
        return computed_wide(e, [&](const auto& x) { return nanvar_axes<N, Keep>(x, axes, correction); });
    } else {
        const auto x = evaluate(as_type<T>(e));
        const reduction_axes<E::rank, N, Keep> a(x.shape(), axes, "nanvar");
        const auto difference = x - nanmean_axes<N, keepdims_t>(x, axes);
        const auto degrees = counted<T>(x, a) - static_cast<T>(correction);
        const auto squares = sum_over<T>(square(where(isnan(x), T(0), difference)), a);
        return evaluate(squares / where(degrees > T(0), degrees, T(0)));
    }
}
template <int N, class Keep, class E>
auto nanstddev_axes(const E& e, const int* axes, double correction) {
    return computed_wide(e, [&](const auto& x) { return root_of_variance(nanvar_axes<N, Keep>(x, axes, correction)); });
}

}  // namespace detail

/// Sum of the elements that are no NaN, as sum; 0 of none. NaN has no derivative.
template <expression E, keep_option Keep = dropdims_t>
auto nansum(const E& x, Keep = {}) {
    return detail::nansum_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nansum(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::nansum_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nansum(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::nansum_axes<N, Keep>(x, axes);
}

/// Product of the elements that are no NaN, as prod; 1 of none.
template <expression E, keep_option Keep = dropdims_t>
auto nanprod(const E& x, Keep = {}) {
    return detail::nanprod_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanprod(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::nanprod_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanprod(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::nanprod_axes<N, Keep>(x, axes);
}

/// Mean of the elements that are no NaN, as mean; NaN of none.
template <expression E, keep_option Keep = dropdims_t>
auto nanmean(const E& x, Keep = {}) {
    return detail::nanmean_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanmean(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::nanmean_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanmean(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::nanmean_axes<N, Keep>(x, axes);
}

/// Largest of the elements that are no NaN, as max; NaN where all are. Throws value_error of an empty axis.
template <expression E, keep_option Keep = dropdims_t>
auto nanmax(const E& x, Keep = {}) {
    return detail::nan_extremum_axes<combine_maximum, -1, Keep>(x, nullptr, "nanmax");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanmax(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::nan_extremum_axes<combine_maximum, 1, Keep>(x, &number, "nanmax");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanmax(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::nan_extremum_axes<combine_maximum, N, Keep>(x, axes, "nanmax");
}

/// Smallest of the elements that are no NaN, as nanmax.
template <expression E, keep_option Keep = dropdims_t>
auto nanmin(const E& x, Keep = {}) {
    return detail::nan_extremum_axes<combine_minimum, -1, Keep>(x, nullptr, "nanmin");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanmin(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::nan_extremum_axes<combine_minimum, 1, Keep>(x, &number, "nanmin");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanmin(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::nan_extremum_axes<combine_minimum, N, Keep>(x, axes, "nanmin");
}

/// Variance of the elements that are no NaN, over their number - correction; NaN where that is not positive and they do
/// not differ, as var.
template <expression E, keep_option Keep = dropdims_t>
auto nanvar(const E& x, Keep = {}, double correction = 0) {
    return detail::nanvar_axes<-1, Keep>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanvar(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::nanvar_axes<1, Keep>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanvar(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::nanvar_axes<N, Keep>(x, axes, correction);
}

/// Square root of nanvar. (numpy.nanstd.)
template <expression E, keep_option Keep = dropdims_t>
auto nanstddev(const E& x, Keep = {}, double correction = 0) {
    return detail::nanstddev_axes<-1, Keep>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto nanstddev(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::nanstddev_axes<1, Keep>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto nanstddev(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::nanstddev_axes<N, Keep>(x, axes, correction);
}

}  // namespace ricci
