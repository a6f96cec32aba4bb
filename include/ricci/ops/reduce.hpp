// Reductions over no, one or several axes. A lazy map is fused into the reduction that consumes it.
#pragma once
#include "../cpu/combine.hpp"
#include "../expr/assign.hpp"
#include "../expr/index.hpp"
#include "elementwise.hpp"
#include "reduce_mistakes.hpp"
#include "shape.hpp"

namespace ricci {

/// Keeps the reduced axes, with extent 1.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};
struct dropdims_t {};

template <class K>
concept keep_option = std::is_same_v<K, keepdims_t> || std::is_same_v<K, dropdims_t>;

namespace detail {

/// The axes of a reduction of an array of rank R, and the shapes that it leaves. N is their number, or -1 for all.
template <int R, int N, class Keep>
struct reduction_axes {
    static constexpr int count = N < 0 ? R : N;
    static_assert(count <= R, "ricci: more reduction axes than the array has");
    static constexpr int result_rank = std::is_same_v<Keep, keepdims_t> ? R : count > R ? 0 : R - count;
    shape<R> padded;
    shape<result_rank> result;
    index_t reduced_count = 1;  // elements joined into one

    reduction_axes(const shape<R>& extents, const int* axes, const char* what) : padded(extents) {
        bool reduced[R + 1] = {};
        for (int i = 0; i < count; ++i) {
            const int d = N < 0 ? i : normalize_axis(axes[i], R, what);
            if (reduced[d]) detail::raise<index_error>({"[", what, "] axis ", d, " is named twice"});
            reduced[d] = true;
            reduced_count *= extents[d];
            padded[d] = 1;
        }
        int out = 0;
        for (int d = 0; d < R; ++d)
            if (result_rank == R || !reduced[d]) result[out++] = padded[d];
    }
};

/// run(op, leaves...) of the fused op that joins the map `e`, in type T, over the axes.
template <class T, class E, class Axes, class Run>
auto reduce_map(const E& e, const Axes& axes, Run run) {
    return with_parts(e, [&](const auto& map) {
        const auto leaves = leaves_of(map);
        const auto op = forward_op<E::rank, true, Axes::result_rank, decltype(slot_types(leaves))>(
            convert_node<T>(make_tree(map)), axes.padded, axes.result);
        return unpack([&](const auto*... a) { return run(op, *a...); }, leaves);
    });
}
/// The same of plain arrays, joined by a monoid other than addition.
template <class Combine, class T, class E, class Axes>
auto combine_plain(const E& e, const Axes& axes) {
    return reduce_map<T>(e, axes, [](const auto& op, const auto&... a) {
        return get<0>(executor<typename E::device_type>::template run<Combine>(op, a...));
    });
}

/// The sum of the map `e` over the axes, in type T.
template <class T, class E, class Axes>
auto sum_over(const E& e, const Axes& axes) {
    if constexpr (deferred<E>) return sum_over<T>(e.fetch(), axes);
    else return reduce_map<T>(e, axes, [](const auto& op, const auto&... a) { return call1(op, a...); });
}

/// The type that sums and products of T are computed in: integers widen to 64 bits.
template <class T>
using sum_type = std::conditional_t<
    is_inexact_v<T>, T,
    std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, std::uint64_t, std::int64_t>>;

/// A reduction of an array by a monoid other than addition.
template <class Combine, int R, int Q>
struct combined_op : opaque_op {
    static constexpr int result_rank = Q;
    shape<R> padded;
    shape<Q> result;

    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        using U = std::remove_const_t<T>;
        return executor<D>::template run<Combine>(forward_op<R, true, Q, type_list<U>>(slot<0, U>{}, padded, result),
                                                  x);
    }
};
/// max, min.
template <class Combine, int R, int Q>
struct extremum_op : combined_op<Combine, R, Q> {
    static constexpr const char* name = std::is_same_v<Combine, combine_minimum> ? "min" : "max";
    using combined_op<Combine, R, Q>::padded;
    using combined_op<Combine, R, Q>::result;

    /// Elements equal to the extremum share its adjoint evenly. Which ones these are is kept as truth values: a byte
    /// each, and constants under every transform.
    template <class X, class Y>
    auto hits(const X& x, const Y& y) const {
        return evaluate(x == reshaped(y, padded));
    }
    /// One over how many share; infinite, so that the adjoint is NaN, where the extremum is NaN and equals nothing.
    template <class T, class H>
    auto share(const H& hit) const {
        using W = compute_t<T>;  // 16 bits do not count far
        return evaluate_as<T>(W(1) / sum_over<W>(where(hit, W(1), W(0)), *this));
    }
    template <class T, class H, class S, class D>
    auto shared(const H& hit, const S& each, const D& x_dot) const {
        return evaluate(sum_over<T>(where(hit, x_dot, T(0)), *this) * each);
    }
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        const auto& x = *get<0>(inputs);
        using T = typename std::remove_cvref_t<decltype(x)>::value_type;
        const auto hit = hits(x, call1(*this, x));
        const auto each = share<T>(hit);
        return make_pack(evaluate(where(hit, reshaped(get<0>(bars), padded), T(0)) * reshaped(each, padded)));
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int, class Active, class A, class... D>
    auto expansion(const pack<const A*>& inputs, const pack<const D*...>& series) const {
        using T = typename A::value_type;
        const auto& x = *get<0>(inputs);
        const auto y = call1(*this, x);
        const auto hit = hits(x, y);
        const auto each = share<T>(hit);
        return unpack([&](const auto*... c) { return make_pack(y, shared<T>(hit, each, *c)...); }, series);
    }
    /// Every element may be the extremum.
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>&, const pack<const D*...>& marks) const {
        return make_pack(reshaped(sum_to(*get<0>(marks), padded), result));
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        const index_t b = a.shape()[0];
        return call(extremum_op<Combine, R + 1, Q + 1>{{{}, prefixed(b, padded), prefixed(b, result)}}, a);
    }
};

template <class Combine, class E, class Axes>
auto extremum_over(const E& e, const Axes& axes, const char* what) {
    if (axes.reduced_count == 0 && axes.result.count() > 0)
        detail::raise<value_error>({"[", what, "] of an empty axis: shape ", e.shape(), " has no elements there"});
    if constexpr (deferred<E>) {
        return extremum_over<Combine>(e.fetch(), axes, what);
    } else if constexpr (all_plain<E>()) {
        return combine_plain<Combine, typename E::value_type>(e, axes);
    } else {
        return call1(extremum_op<Combine, E::rank, Axes::result_rank>{{{}, axes.padded, axes.result}}, evaluate(e));
    }
}

/// Whether any of the truth values `e` holds: of plain arrays without counting them.
template <class E, class Axes>
auto any_over(const E& e, const Axes& axes) {
    if constexpr (deferred<E>) {
        return any_over(e.fetch(), axes);
    } else if constexpr (all_plain<E>()) {
        return combine_plain<combine_or, bool>(e, axes);
    } else {
        return evaluate(sum_over<std::int64_t>(e, axes) != 0);
    }
}

/// The product along axis 0, by products of halves: every derivative is that of multiplication, exact where factors are
/// zero.
template <class A>
auto product_of_halves(A a) {
    A odd;
    bool has_odd = false;
    while (a.shape()[0] > 1) {
        const index_t n = a.shape()[0], half = n / 2;
        if (n % 2) {
            const auto last = index(a, slice(n - 1, n));
            odd = has_odd ? evaluate(odd * last) : last;
            has_odd = true;
        }
        a = evaluate(index(a, slice(0, half)) * index(a, slice(half, 2 * half)));
    }
    return index(has_odd ? evaluate(a * odd) : a, 0);
}

template <int R>
constexpr shape<R - 1> dropped_first(const shape<R>& s) {
    shape<R - 1> t;
    for (int i = 1; i < R; ++i) t[i - 1] = s[i];
    return t;
}

template <class T, class E, class Axes>
auto product_over(const E& e, const Axes& axes, const int* numbers, int count) {
    if constexpr (deferred<E>) {
        return product_over<T>(e.fetch(), axes, numbers, count);
    } else if constexpr (all_plain<E>()) {
        return combine_plain<combine_multiply, T>(e, axes);
    } else if constexpr (is_half_v<T>) {  // rounded once, as plain products are
        return evaluate(astype<T>(product_over<float>(evaluate(astype<float>(e)), axes, numbers, count)));
    } else {
        // the reduced axes to the front, flattened into one
        constexpr int kept = E::rank - Axes::count;
        const auto a = evaluate(e);
        auto spec = identity_view(a.shape());
        shape<kept + 1> flat;
        int front = 0, back = Axes::count;
        for (int d = 0; d < E::rank; ++d) {
            bool reduced = count < 0;
            for (int i = 0; i < count; ++i) reduced = reduced || normalize_axis(numbers[i], E::rank, "prod") == d;
            const int to = reduced ? front++ : back++;
            spec.source[to] = d;
            spec.extents[to] = a.shape()[d];
            if (!reduced) flat[to - Axes::count + 1] = a.shape()[d];
        }
        flat[0] = axes.reduced_count;
        const auto rows = reshaped(view_of(a, spec), flat);
        if (axes.reduced_count == 0) return reshaped(evaluate(sum_to(rows, dropped_first(flat)) + T(1)), axes.result);
        return reshaped(product_of_halves(rows), axes.result);
    }
}

/// f of x as it is, or, of 16 bits, f in float and its result rounded once: for what sums up along the way.
template <class E, class F>
auto computed_wide(const E& x, F f) {
    using T = typename E::value_type;
    if constexpr (is_half_v<T>) return evaluate(astype<T>(f(evaluate(astype<float>(x)))));
    else return f(x);
}

// Each reduction over the axes named by N numbers (all axes for N = -1).

template <int N, class Keep, class E>
auto sum_axes(const E& e, const int* axes) {
    return sum_over<sum_type<typename E::value_type>>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "sum"));
}
/// Whether the device has a loop for an instruction or two on such an array, which nobody else sees yet.
template <class A>
constexpr bool maps_dense() {
    return requires(const A& fresh) { executor<device_t<A>>::map_dense(fresh, [](const auto& v) { return v; }); };
}
/// A sum, which nobody else sees yet, over a number.
template <class A, class T>
auto divided(const A& sum, T by) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        if constexpr (maps_dense<A>())
            executor<device_t<A>>::map_dense(sum, [by]<class V>(const V& v) RICCI_INLINE_LAMBDA {
                return v / V(static_cast<typename A::value_type>(by));
            });
        else update(sum, sum / by);
        return sum;
    } else {
        return call1(scale_op<T, A::rank>(by, sum.shape()), sum);
    }
}
/// Whether the device has kernels for the mean and variance of the lines of such an array, which no transform wraps.
template <class A>
constexpr bool has_moment_kernels() {
    if constexpr (!requires { requires A::is_array && std::is_void_v<typename A::wrapper> && A::rank > 0; })
        return false;
    else if constexpr (!std::is_floating_point_v<typename A::value_type>) return false;
    else return requires(const A& a) { executor<device_t<A>>::has_moments(a); };
}
template <int R, int N>
bool is_last_axis(const int* axes) {
    if constexpr (N == 1) return axes[0] == R - 1 || axes[0] == -1;
    else return N < 0 && R == 1;
}
template <int N, class Keep, class E>
auto mean_axes(const E& e, const int* axes) {
    using T = inexact_t<typename E::value_type>;
    using W = compute_t<T>;
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, "mean");
    if constexpr (has_moment_kernels<E>())
        if (is_last_axis<E::rank, N>(axes) && executor<device_t<E>>::has_moments(e)) {
            const auto y = tensor<T, decltype(a)::result_rank, device_t<E>>::uninitialized(a.result);
            executor<device_t<E>>::mean(e, y);
            return y;
        }
    const auto quotient = divided(sum_over<W>(e, a), W(static_cast<real_t<W>>(a.reduced_count)));
    if constexpr (is_half_v<T>) return evaluate(astype<T>(quotient));
    else return quotient;
}
template <int N, class Keep, class E>
auto max_axes(const E& e, const int* axes, const char* who = "max") {
    if constexpr (is_complex_v<typename E::value_type>) return refused_order_of_complex<E>();
    else return extremum_over<combine_maximum>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, who), who);
}
template <int N, class Keep, class E>
auto min_axes(const E& e, const int* axes, const char* who = "min") {
    if constexpr (is_complex_v<typename E::value_type>) return refused_order_of_complex<E>();
    else return extremum_over<combine_minimum>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, who), who);
}
template <int N, class Keep, class E>
auto prod_axes(const E& e, const int* axes) {
    return product_over<sum_type<typename E::value_type>>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "prod"),
                                                          axes, N);
}
/// f(s), and where the mask holds `there`, with derivatives 0. f does not see these elements: 0 times an infinite
/// slope would be NaN where rules are differentiated op by op (create_graph).
template <class M, class T, class S, class F>
auto constant_where(const M& mask, T there, const S& s, const F& f) {
    return where(mask, there, f(where(mask, typename S::value_type(1), s)));
}
/// The square root, whose derivative at 0 counts as 0.
template <class S>
auto flat_root(const S& s) {
    using T = typename S::value_type;
    return constant_where(s == T(0), T(0), s, [](const auto& t) { return sqrt(t); });
}
/// The standard deviation of a variance that nobody else sees yet.
template <class V>
auto root_of_variance(const V& variance) {
    if constexpr (std::is_void_v<typename V::wrapper>) {
        if constexpr (maps_dense<V>())
            executor<device_t<V>>::map_dense(variance, [](const auto& v) RICCI_INLINE_LAMBDA { return math::sqrt(v); });
        else update(variance, sqrt(variance));
        return variance;
    } else {
        return evaluate(flat_root(variance));
    }
}
/// The variance or, with Root, the standard deviation. Two passes, so that nothing cancels: the mean, then the mean
/// square of the differences from it.
template <int N, class Keep, bool Root, class E>
auto var_axes(const E& e, const int* axes, double correction) {
    if constexpr (is_half_v<typename E::value_type>) {
        return computed_wide(e, [&](const auto& x) { return var_axes<N, Keep, Root>(x, axes, correction); });
    } else {
        using T = real_t<inexact_t<typename E::value_type>>;
        const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, Root ? "stddev" : "var");
        const auto x = evaluate(e);
        const double degrees = static_cast<double>(a.reduced_count) - correction;
        const T by = static_cast<T>(degrees > 0 ? degrees : 0);
        if constexpr (has_moment_kernels<std::remove_cvref_t<decltype(x)>>())
            if (is_last_axis<E::rank, N>(axes) && executor<device_t<E>>::has_moments(x)) {
                const auto y = tensor<T, decltype(a)::result_rank, device_t<E>>::uninitialized(a.result);
                executor<device_t<E>>::template variance<Root>(x, y, by);
                return y;
            }
        const auto difference = x - mean_axes<N, keepdims_t>(x, axes);
        const auto variance = [&] {
            if constexpr (is_complex_v<typename E::value_type>)
                return divided(sum_over<T>(map<ops::squared_abs>(difference), a), by);
            else return divided(sum_over<T>(square(difference), a), by);
        }();
        if constexpr (Root) return root_of_variance(variance);
        else return variance;
    }
}

/// An axis of any integer type; a template, so that braces, `sum(x, {0})`, mean the list of axes.
template <std::integral Axis>
constexpr int axis_number(Axis axis) {
    const auto wide = static_cast<long long>(axis);
    return wide == static_cast<int>(wide) ? static_cast<int>(wide)
                                          : std::numeric_limits<int>::max();  // out of range as well
}

}  // namespace detail

/// Sum of the elements; integers and bools are summed as 64-bit integers. The sum of no elements is 0. Floats are added
/// in blocks with a wider accumulator: the error does not grow with the number of elements as a plain loop's does. Sums
/// of 16 bits are float until they are complete, and rounded once.
template <expression E, keep_option Keep = dropdims_t>
auto sum(const E& x, Keep = {}) {
    return detail::sum_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto sum(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::sum_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto sum(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::sum_axes<N, Keep>(x, axes);
}

/// Arithmetic mean; integers give double. NaN of no elements.
template <expression E, keep_option Keep = dropdims_t>
auto mean(const E& x, Keep = {}) {
    return detail::mean_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto mean(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::mean_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto mean(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::mean_axes<N, Keep>(x, axes);
}

/// Largest element; NaN if any is NaN. Throws value_error when there is none. Elements that tie share the derivative
/// evenly.
template <expression E, keep_option Keep = dropdims_t>
auto max(const E& x, Keep = {}) {
    return detail::max_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto max(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::max_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto max(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::max_axes<N, Keep>(x, axes);
}

/// Smallest element; NaN if any is NaN. Throws value_error when there is none. Elements that tie share the derivative
/// evenly.
template <expression E, keep_option Keep = dropdims_t>
auto min(const E& x, Keep = {}) {
    return detail::min_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto min(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::min_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto min(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::min_axes<N, Keep>(x, axes);
}

/// Product of the elements; integers and bools as 64-bit integers. The product of no elements is 1. Derivatives are
/// exact also where elements are zero.
template <expression E, keep_option Keep = dropdims_t>
auto prod(const E& x, Keep = {}) {
    return detail::prod_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto prod(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::prod_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto prod(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::prod_axes<N, Keep>(x, axes);
}

/// Variance, the mean square of the (of complex elements, absolute) differences from the mean, over n - correction (0:
/// of the population, NumPy's and the array API's default; 1: the unbiased estimate). Computed in two passes.
template <expression E, keep_option Keep = dropdims_t>
auto var(const E& x, Keep = {}, double correction = 0) {
    return detail::var_axes<-1, Keep, false>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto var(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::var_axes<1, Keep, false>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto var(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::var_axes<N, Keep, false>(x, axes, correction);
}

/// Standard deviation, the square root of var. The derivative where it is 0 is 0, as torch has it.
template <expression E, keep_option Keep = dropdims_t>
auto stddev(const E& x, Keep = {}, double correction = 0) {
    return detail::var_axes<-1, Keep, true>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto stddev(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::var_axes<1, Keep, true>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto stddev(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::var_axes<N, Keep, true>(x, axes, correction);
}

}  // namespace ricci
