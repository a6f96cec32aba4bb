// Running results along an axis: cumulative_sum, cumulative_prod, cummax, cummin; differences and trapezoids.
#pragma once
#include "create.hpp"
#include "elementwise/abs.hpp"
#include "elementwise/isnan.hpp"
#include "elementwise/logaddexp.hpp"
#include "elementwise/remainder.hpp"
#include "elementwise/where.hpp"
#include "index/write.hpp"
#include "join.hpp"
#include "named.hpp"
#include "rearrange.hpp"
#include "reduce.hpp"
#include "running_product.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

/// Running sums along an axis, from its end if backwards. Linear: the transpose runs the other way.
template <int R>
struct cumulative_sum_op : linear_op<cumulative_sum_op<R>> {
    static constexpr const char* name = "cumulative_sum";
    int axis;
    bool backwards;
    shape<R> extents;

    cumulative_sum_op(int a, bool b, const shape<R>& e) : axis(a), backwards(b), extents(e) {}
    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        auto y = tensor<std::remove_const_t<T>, R, D>::uninitialized(extents);
        executor<D>::cumulative_sum(x, y, axis, backwards);
        return make_pack(y);
    }
    shape<R> result_shape() const { return extents; }
    auto transpose() const { return cumulative_sum_op<R>(axis, !backwards, extents); }
    auto batched(index_t batch) const {
        return cumulative_sum_op<R + 1>(axis + 1, backwards, prefixed(batch, extents));
    }
};

/// Running results of an associative map by doubling: after k steps each element joins the 2^k up to it. Every
/// derivative is that of the map.
template <class A, class Join>
A scan_by_doubling(A a, int axis, const Join& join, const char* who) {
    const index_t n = a.shape()[axis];
    for (index_t reach = 1; reach < n; reach *= 2) {
        const auto head = stretch_of(a, axis, 0, reach), tail = stretch_of(a, axis, reach, n - reach);
        const auto joined = evaluate(join(stretch_of(a, axis, 0, n - reach), tail));
        a = concat_list(std::vector{evaluate(head), joined}, axis, who);
    }
    return a;
}

/// The positions of the extrema so far; no derivative.
template <bool Largest, int R>
struct cumulative_position_op : opaque_op {
    static constexpr const char* name = Largest ? "cummax" : "cummin";
    int axis;
    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        auto y = tensor<std::int64_t, R, D>::uninitialized(x.shape());
        executor<D>::template cumulative_position<Largest>(x, y, axis);
        return make_pack(y);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(cumulative_position_op<Largest, R + 1>{{}, axis + 1}, a);
    }
};
/// Whether a device gives values and positions at once.
template <class X>
inline constexpr bool has_cumulative_extremum =
    requires(const X& x, tensor<std::remove_const_t<typename X::value_type>, X::rank, device_t<X>> y,
             tensor<std::int64_t, X::rank, device_t<X>> at) {
        executor<device_t<X>>::template cumulative_extremum<true>(x, y, at, 0);
    };
template <bool Largest, class E>
auto cumulative_extremum(const E& e, int axis, const char* what) {
    static_assert(!is_complex_v<typename E::value_type>, "ricci: complex numbers have no order");
    const auto x = evaluate(e);
    const int d = normalize_axis(axis, E::rank, what);
    using X = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_void_v<typename X::wrapper> && has_cumulative_extremum<X>) {
        using T = std::remove_const_t<typename X::value_type>;
        const auto y = tensor<T, E::rank, device_t<X>>::uninitialized(x.shape());
        const auto at = tensor<std::int64_t, E::rank, device_t<X>>::uninitialized(x.shape());
        executor<device_t<X>>::template cumulative_extremum<Largest>(x, y, at, d);
        return selected(y, at);
    } else {
        const auto at = call1(cumulative_position_op<Largest, E::rank>{{}, d}, stop_gradient(x));
        return selected(take_along_axis(x, at, d), at);
    }
}
/// join(each element but the first, the one before it) along an axis.
template <class A, class Join>
auto of_neighbours(const A& a, int axis, const Join& join) {
    const index_t first = a.shape()[axis] > 0 ? 1 : 0, n = a.shape()[axis] - first;
    return join(stretch_of(a, axis, first, n), stretch_of(a, axis, 0, n));
}
template <class A>
auto sums_of_neighbours(const A& a, int axis) {
    return of_neighbours(a, axis, [](const auto& later, const auto& sooner) { return later + sooner; });
}
template <class A>
auto widths_between(const A& a, int axis) {
    return of_neighbours(a, axis, [](const auto& later, const auto& sooner) { return later - sooner; });
}

}  // namespace detail

/// The sums of the elements up to each along an axis; integers and bools as 64-bit integers, floats added in double.
/// With `include_initial` there is a 0 in front. Derivative: running sums from the other end.
template <expression E>
auto cumulative_sum(const E& x, int axis, detail::yes_or_no include_initial = false) {
    const auto a = evaluate(detail::as_type<detail::sum_type<typename E::value_type>>(x));
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_sum");
    using A = std::remove_cvref_t<decltype(a)>;
    const A y = detail::call1(detail::cumulative_sum_op<E::rank>(d, false, a.shape()), a);
    return include_initial ? A(detail::with_initial(y, d, 0)) : y;
}
/// Without an axis, of all elements in row-major order.
template <expression E>
auto cumulative_sum(const E& x) {
    return cumulative_sum(ravel(x), 0);
}

/// cumulative_sum under NumPy's and PyTorch's name.
template <expression E, std::integral... Axis>
auto cumsum(const E& x, Axis... axis) {
    return detail::as_called("cumsum", [&] { return cumulative_sum(x, axis...); });
}

/// The products of the elements up to each along an axis, as cumulative_sum; the first of include_initial is 1.
/// Derivatives are exact also where elements are zero.
template <expression E>
auto cumulative_prod(const E& x, int axis, detail::yes_or_no include_initial = false) {
    const auto a = detail::readable_as<detail::sum_type<typename E::value_type>>(x);
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_prod");
    using A = std::remove_cvref_t<decltype(a)>;
    const A y = [&]() -> A {
        if constexpr (std::is_void_v<typename A::wrapper>) {
            auto to = A::uninitialized(a.shape());
            executor<device_t<A>>::cumulative_prod(a, to, d);
            return to;
        } else if constexpr (is_half_v<typename A::value_type>) {  // derivatives are sums, which 16 bits would stall
            return detail::computed_wide(a, [&](const auto& wide) { return cumulative_prod(wide, d); });
        } else if constexpr (E::rank == 1) {
            return index(detail::call1(detail::running_product_op{}, evaluate(index(a, newaxis))), 0);
        } else {
            const auto lines = evaluate(detail::move_axis(a, d, E::rank - 1));
            return detail::move_axis(detail::call1(detail::running_product_op{}, lines), E::rank - 1, d);
        }
    }();
    return include_initial ? A(detail::with_initial(y, d, 1)) : y;
}
template <expression E>
auto cumulative_prod(const E& x) {
    return cumulative_prod(ravel(x), 0);
}
/// cumulative_prod under NumPy's and PyTorch's name.
template <expression E, std::integral... Axis>
auto cumprod(const E& x, Axis... axis) {
    return detail::as_called("cumprod", [&] { return cumulative_prod(x, axis...); });
}

/// The largest of the elements up to each along an axis and its position, the latest of equal ones:
/// `auto [values, indices]`, or .values and .indices; NaN from the first NaN on, the positions then those of the
/// latest. The derivative goes to the element at the position. Without an axis, of all elements in row-major order.
/// (torch.cummax.)
template <expression E>
auto cummax(const E& x, int axis) {
    return detail::cumulative_extremum<true>(x, axis, "cummax");
}
template <expression E>
auto cummax(const E& x) {
    return cummax(ravel(x), 0);
}
/// The smallest of the elements up to each, as cummax.
template <expression E>
auto cummin(const E& x, int axis) {
    return detail::cumulative_extremum<false>(x, axis, "cummin");
}
template <expression E>
auto cummin(const E& x) {
    return cummin(ravel(x), 0);
}

/// The logarithms of the running sums of exp(x) along an axis, without overflow or underflow. Integers give double.
/// Under transforms by doubling, so that every derivative is logaddexp's. Without an axis, of all elements.
/// (torch.logcumsumexp.)
template <expression E>
auto logcumsumexp(const E& x, int axis) {
    const auto a = detail::readable_as<inexact_t<typename E::value_type>>(x);
    const int d = detail::normalize_axis(axis, E::rank, "logcumsumexp");
    using A = std::remove_cvref_t<decltype(a)>;
    if constexpr (std::is_void_v<typename A::wrapper> &&
                  requires { executor<device_t<A>>::cumulative_log_sum(a, a, d); }) {
        const auto y = A::uninitialized(a.shape());
        executor<device_t<A>>::cumulative_log_sum(a, y, d);
        return y;
    } else {
        const auto join = [](const auto& sooner, const auto& later) { return logaddexp(sooner, later); };
        return detail::scan_by_doubling(a, d, join, "logcumsumexp");
    }
}

template <expression E>
auto logcumsumexp(const E& x) {
    return logcumsumexp(ravel(x), 0);
}

/// cumsum with NaN counted as 0. (numpy.nancumsum.)
template <expression E, std::integral... Axis>
auto nancumsum(const E& x, Axis... axis) {
    return detail::as_called("nancumsum", [&] { return cumulative_sum(where(isnan(x), 0, x), axis...); });
}
/// cumprod with NaN counted as 1. (numpy.nancumprod.)
template <expression E, std::integral... Axis>
auto nancumprod(const E& x, Axis... axis) {
    return detail::as_called("nancumprod", [&] { return cumulative_prod(where(isnan(x), 1, x), axis...); });
}

/// The differences of successive elements along an axis, `times` times over: one element less each time. Throws
/// value_error for a negative number. Of truth values, whether they differ.
template <expression E>
auto diff(const E& x, int times = 1, int axis = -1) {
    if (times < 0) detail::raise<value_error>({"[diff] the number of times must not be negative: ", times});
    const int d = detail::normalize_axis(axis, E::rank, "diff");
    auto a = evaluate(x);
    for (int k = 0; k < times && a.shape()[d] > 0; ++k) {
        const index_t n = a.shape()[d] - 1;
        const auto later = detail::stretch_of(a, d, 1, n), sooner = detail::stretch_of(a, d, 0, n);
        if constexpr (std::is_same_v<typename E::value_type, bool>) a = evaluate(later != sooner);
        else a = evaluate(later - sooner);
    }
    return a;
}
namespace detail {
/// What stands at an end of x along an axis: a tuple of an array, or of none.
template <class A, class End>
auto end_piece(const A& x, int axis, const End& end) {
    if constexpr (std::is_same_v<End, none_t>) {
        return std::tuple();
    } else if constexpr (expression<End>) {
        return std::make_tuple(evaluate(end));
    } else {
        using T = value_type_t<decltype(x + end)>;  // numbers are weak, but a fraction makes integers double
        auto one = x.shape();
        one[axis] = 1;
        return std::make_tuple(full(one, convert_number<T>(end), device_t<A>{}));
    }
}
}  // namespace detail
/// Of `x` with elements more in front, and behind: arrays of x's rank, a number for one along the axis, or `none`.
/// Element types are promoted. Linear in each. (numpy.diff's prepend and append.)
template <expression E, class Before, class Behind = none_t>
    requires((expression<Before> || scalar_value<Before> || std::is_same_v<Before, none_t>) &&
             (expression<Behind> || scalar_value<Behind> || std::is_same_v<Behind, none_t>))
auto diff(const E& x, int times, int axis, const Before& before, const Behind& behind = none) {
    const auto a = evaluate(x);
    const int d = detail::normalize_axis(axis, E::rank, "diff");
    const auto joined =
        std::tuple_cat(detail::end_piece(a, d, before), std::make_tuple(a), detail::end_piece(a, d, behind));
    return detail::as_called("diff", [&] { return diff(concat(joined, d), times, d); });
}

/// diff of all elements in row-major order. (numpy.ediff1d.)
template <expression E>
auto ediff1d(const E& x) {
    return diff(ravel(x));
}

/// Angles along an axis with whole periods added so that none differs from the one before by more than half a period:
/// jumps of less than `discontinuity` (half a period, if that is more) stay. Integers give double. Derivative 1.
/// (numpy.unwrap.)
template <expression E>
auto unwrap(const E& x, int axis = -1, double period = 6.283185307179586, double discontinuity = 0) {
    using T = inexact_t<typename E::value_type>;
    static_assert(!is_complex_v<T>, "ricci: unwrap takes real numbers");
    const int d = detail::normalize_axis(axis, E::rank, "unwrap");
    const auto a = evaluate(detail::as_type<T>(x));
    const double half = period / 2, least = discontinuity > half ? discontinuity : half;
    const auto step = evaluate(diff(stop_gradient(a), 1, d));
    const auto turned = evaluate(remainder(step + half, period) - half);
    const auto nearest = where(turned == -half && step > 0, half, turned);
    const auto whole = where(abs(step) < least, 0, nearest - step);
    return evaluate(a + detail::with_initial(cumulative_sum(whole, d), d, 0));
}

/// The integral along an axis by the trapezoidal rule, of samples `dx` apart.
template <expression E>
auto trapezoid(const E& y, double dx = 1, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "trapezoid");
    return sum(detail::sums_of_neighbours(a, d) * static_cast<real_t<T>>(dx / 2), d);
}
/// Of samples at the places `x`: of rank 1, as many as the axis has elements, or of y's shape. Throws shape_error
/// otherwise.
template <expression E, expression X>
auto trapezoid(const E& y, const X& x, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "trapezoid");
    const auto places = detail::broadcast_along(evaluate(x), a.shape(), d, "trapezoid", "places");
    return sum(detail::widths_between(places, d) * detail::sums_of_neighbours(a, d) * real_t<T>(0.5), d);
}

/// The integrals from the first sample to each of the others, as trapezoid's: one fewer than samples. (scipy.integrate,
/// torch.cumulative_trapezoid.)
template <expression E>
auto cumulative_trapezoid(const E& y, double dx = 1, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_trapezoid");
    return cumulative_sum(detail::sums_of_neighbours(a, d) * static_cast<real_t<T>>(dx / 2), d);
}
/// Of samples at the places `x`, as trapezoid has them.
template <expression E, expression X>
auto cumulative_trapezoid(const E& y, const X& x, int axis = -1) {
    using T = inexact_t<typename E::value_type>;
    const auto a = evaluate(detail::as_type<T>(y));
    const int d = detail::normalize_axis(axis, E::rank, "cumulative_trapezoid");
    const auto places = detail::broadcast_along(evaluate(x), a.shape(), d, "cumulative_trapezoid", "places");
    return cumulative_sum(detail::widths_between(places, d) * detail::sums_of_neighbours(a, d) * real_t<T>(0.5), d);
}

}  // namespace ricci
