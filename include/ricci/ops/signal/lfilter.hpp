// Linear filters with feedback: lfilter.
#pragma once
#include <algorithm>

#include "../../core/dtype_info.hpp"
#include "../linalg/matrix_op.hpp"
#include "convolve.hpp"

namespace ricci {
namespace detail {

/// y[n] = u[n] - sum over k < q of a[k] y[n - 1 - k] in place of u. For a q known to the compiler, what earlier results
/// than the last contribute waits in registers (the transposed direct form): no element waits for more than the last
/// one's product.
template <int Q, class T>
void feed_back(const T* a, T* line, index_t n) {
    T by[Q], later[Q]{}, last = line[0];  // later[k]: what is to be taken off the element after the next k, so far
    std::copy(a, a + Q, by);
    for (index_t i = 1; i < n; ++i) {
        const T rest = line[i] - later[0];
        RICCI_UNROLL
        for (int k = 1; k < Q; ++k) later[k - 1] = later[k] + by[k] * last;
        line[i] = last = rest - by[0] * last;
    }
}
template <int Q = 1, class T>
void feed_back(const T* a, index_t q, T* line, index_t n) {
    if (q == Q) return feed_back<Q>(a, line, n);
    if constexpr (Q < 8) feed_back<Q + 1>(a, q, line, n);
    else
        for (index_t i = 1; i < n; ++i) {
            T sum = line[i];
            for (index_t k = std::min(q, i) - 1; k >= 0; --k) sum -= a[k] * line[i - 1 - k];
            line[i] = sum;
        }
}

/// y[n] = u[n] - sum over k of a[k] y[n - 1 - k] along the last axis of u (..., rows, n), for the a (..., 1, q) of its
/// matrix: the inverse of a triangular Toeplitz matrix times u, with the derivatives of such.
struct feedback_op : matrix_op<feedback_op> {
    static constexpr const char* name = "lfilter";

    template <class A, class U>
    auto value(const A& feedback, const U& u) const {
        static_assert(std::is_same_v<typename U::device_type, cpu_device>, "ricci: lfilter runs on the CPU only");
        const auto a = dense_of(feedback);
        const auto y = u.clone();
        const index_t q = a.shape()[A::rank - 1], n = u.shape()[U::rank - 1], rows = u.shape()[U::rank - 2];
        if (n > 0)
            for_blocks(y.size() / n, n * (q + 1),
                       [&](index_t row) { feed_back(a.data() + row / rows * q, q, y.data() + row * n, n); });
        return make_pack(y);
    }
    template <class Active, class A, class U, class Y, class C>
    auto adjoints(const pack<const A*, const U*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        constexpr int last = U::rank - 1;
        const auto u_bar = flip(call1(*this, *get<0>(inputs), flip(get<0>(bars), last)), last);
        return two_adjoints<Active>(
            [&] {
                const index_t n = u_bar.shape()[last], q = get<0>(inputs)->shape()[last];
                const auto lagged = window(u_bar, flip(get<0>(y), last), n, q);
                return evaluate(-sum(lagged, last - 1, keepdims));
            },
            [&] { return u_bar; });
    }
    template <class Active, class A, class U, class Y, class... D>
    auto tangents(const pack<const A*, const U*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto late = [&] { return window(*get<0>(dots), get<0>(y), -1, get<0>(y).shape()[U::rank - 1]); };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, late)));
    }

   private:
    /// Elements `start` and so on of the convolutions along the last axis.
    template <class A, class B>
    static auto window(const A& a, const B& b, index_t start, index_t count) {
        return call1(convolve_op<A::rank - 1, 1>(shape<1>{start}, shape<1>{count}), a, b);
    }
};

/// Coefficients as a matrix of one row, divided by the first one of a.
template <class C, class A>
auto filter_row(const C& c, const A& a) {
    return evaluate(index(c / index(a, slice(0, 1)), newaxis, all));
}
/// The filter b / a, rows whose a begins with 1, of lines (rows, n); what joins their first elements, if given, is what
/// is left of the elements before them, as lfilter's state.
template <class B, class A, class X, class... Z>
auto filter_lines(const B& b, const A& a, const X& x, const Z&... state) {
    const index_t n = x.shape()[1], q = a.shape()[1] - 1;
    const auto fed = call1(convolve_op<1, 1>(shape<1>{0}, shape<1>{n}), b, x);
    auto y = evaluate((fed + ... + resized_axis(state, 1, n)));
    if (q > 0) y = call1(feedback_op{}, evaluate(stretch_of(a, 1, 1, q)), y);
    return y;
}
/// The state of such a filter behind the last elements: what is left of them, and of the state before.
template <class B, class A, class X, class Z, class Y>
auto state_behind(const B& b, const A& a, const X& x, const Z& state, const Y& y) {
    const index_t n = x.shape()[1], order = state.shape()[1], gone = std::min(n, order);
    const auto rest = [&](const auto& c, const auto& line) {
        return call1(convolve_op<1, 1>(shape<1>{n}, shape<1>{order}), c, line);
    };
    return evaluate(rest(b, x) - rest(a, y) +
                    resized_axis(evaluate(stretch_of(state, 1, gone, order - gone)), 1, order));
}

/// Arrays as rows along their last axis, and rows as arrays of such extents again, moved to `axis`.
template <class X>
auto rows_of_lines(const X& lines) {
    index_t rows = 1;
    for (int d = 0; d < X::rank - 1; ++d) rows *= lines.shape()[d];
    return evaluate(reshape(lines, shape<2>{rows, lines.shape()[X::rank - 1]}));
}
template <class Y, int R>
auto lines_of_rows(const Y& rows, shape<R> extents, int axis) {
    extents[R - 1] = rows.shape()[1];
    return move_axis(evaluate(reshape(rows, extents)), R - 1, axis);
}
/// What filters compute in; numbers among the coefficients leave it to the arrays.
template <class... E>
using filter_element = inexact_t<compute_t<result_type_t<E...>>>;

/// Of two sets of coefficients one that is no number.
template <class B, class A>
using coefficient_array = std::conditional_t<expression<B>, B, A>;
/// A number is the one coefficient that there is.
template <class T, class C>
auto coefficients(const C& c) {
    if constexpr (!expression<C>) return coefficients<T>(as_array(c));
    else if constexpr (C::rank == 0) return reshaped(evaluate_as<T>(c), shape<1>{1});
    else return evaluate_as<T>(c);
}

/// Coefficients in braces, in the type of what is filtered, as numbers are.
template <class X, int N>
auto listed_coefficients(const double (&list)[N]) {
    using T = real_t<inexact_t<compute_t<typename X::value_type>>>;
    const auto c = tensor<T, 1>::uninitialized({N});
    std::transform(list, list + N, c.data(), [](double value) { return static_cast<T>(value); });
    return c.to(device_t<X>{});
}
/// f(b, a, x's rows), whose result become lines along x's axis again: what all filters of coefficients do.
template <class T, class B, class A, class X, class F>
auto filter_along(const B& b, const A& a, const X& x, int axis, const char* who, const F& f) {
    const auto forward = coefficients<T>(b);
    const auto back = coefficients<T>(a);
    static_assert(std::remove_cvref_t<decltype(forward)>::rank == 1 && std::remove_cvref_t<decltype(back)>::rank == 1,
                  "ricci: a filter's coefficients b and a are of rank 1: lfilter(b, a, x), filtfilt(b, a, x)");
    static_assert(X::rank >= 1, "ricci: filters need an array of rank 1 or more");
    if (forward.size() == 0 || back.size() == 0)
        raise<shape_error>(
            {"[", who, "] the coefficients b ", forward.shape(), " and a ", back.shape(), " must not be empty"});
    const int at = normalize_axis(axis, X::rank, who);
    const auto lines = move_axis(evaluate_as<T>(x), at, X::rank - 1);
    return f(filter_row(forward, back), filter_row(back, back), rows_of_lines(lines),
             [&](const auto& rows) { return lines_of_rows(rows, lines.shape(), at); });
}

}  // namespace detail

namespace signal {

/// The filter with the transfer function b(z) / a(z), coefficients of z^0, z^-1, ..., along an axis of x, which is 0
/// before its begin: a[0] y[n] = sum over k of b[k] x[n - k] - sum over k >= 1 of a[k] y[n - k]. b and a are of rank 1,
/// or numbers; the result has x's shape, in the common type, integers as double, 16 bits as float. Where a[0] is 0 it
/// is not finite. Throws shape_error for b or a without an element, index_error for an axis out of range.
/// Differentiable in x, b and a, to any order. On the CPU. (scipy.signal.lfilter.)
template <operand B, operand A, expression X>
auto lfilter(const B& b, const A& a, const X& x, int axis = -1) {
    using T = detail::filter_element<X, B, A>;
    return detail::filter_along<T>(b, a, x, axis, "lfilter",
                                   [](const auto& forward, const auto& back, const auto& rows, const auto& lines) {
                                       return lines(detail::filter_lines(forward, back, rows));
                                   });
}

template <class Filtered, class State>
struct lfilter_result {
    using ricci_named = void;
    Filtered y;
    State zf;
    friend auto members(const lfilter_result& r) { return std::tie(r.y, r.zf); }
    operator std::tuple<Filtered&, State&>() { return {y, zf}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// A line in parts: from the state that the elements before x have left the filter in, `zi`, as y and the state behind
/// x, zf, from which the next part goes on. States have x's shape but for the axis, along which they have max(b.size(),
/// a.size()) - 1 elements; zi broadcasts to that. They are the delays of the transposed direct form, as SciPy's.
/// Differentiable in all four.
template <operand B, operand A, expression X, expression Z>
auto lfilter(const B& b, const A& a, const X& x, const Z& zi, int axis = -1) {
    using T = detail::filter_element<X, B, A, Z>;
    return detail::filter_along<T>(
        b, a, x, axis, "lfilter", [&](const auto& forward, const auto& back, const auto& rows, const auto& lines) {
            auto extents = x.shape();
            const int at = detail::normalize_axis(axis, X::rank, "lfilter");
            extents[at] = std::max(forward.shape()[1], back.shape()[1]) - 1;
            const auto state = detail::rows_of_lines(
                detail::move_axis(evaluate(detail::expanded(detail::evaluate_as<T>(zi), extents)), at, X::rank - 1));
            const auto y = detail::filter_lines(forward, back, rows, state);
            const auto filtered = lines(y);
            const auto left = lines(detail::state_behind(forward, back, rows, state, y));
            return lfilter_result<std::remove_const_t<decltype(filtered)>, std::remove_const_t<decltype(left)>>{
                filtered, left};
        });
}

/// The state of a filter that has seen ones for ever: times a line's first element a start for lfilter without a jump.
/// Not finite where a's sum is 0. Differentiable. (scipy.signal.lfilter_zi.)
template <operand B, operand A>
    requires(expression<B> || expression<A>)
auto lfilter_zi(const B& b, const A& a) {
    using T = detail::filter_element<detail::coefficient_array<B, A>, B, A>;
    return detail::filter_along<T>(b, a, zeros<T>(shape<1>{1}), 0, "lfilter_zi",
                                   [](const auto& forward, const auto& back, const auto&, const auto&) {
                                       const index_t n = std::max(forward.shape()[1], back.shape()[1]);
                                       const auto p = detail::resized_axis(forward, 1, n);
                                       const auto q = detail::resized_axis(back, 1, n);
                                       const auto left = index(p - q * (sum(p, 1, keepdims) / sum(q, 1, keepdims)), 0,
                                                               slice(1, none));
                                       return evaluate(flip(cumulative_sum(flip(evaluate(left)))));
                                   });
}

}  // namespace signal
}  // namespace ricci
