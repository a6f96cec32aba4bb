// Linear filters with feedback: lfilter.
#pragma once
#include "../linalg/matrix_op.hpp"
#include "convolve.hpp"

namespace ricci {
namespace detail {

/// y[n] = u[n] - sum over k of a[k] y[n - 1 - k] along the last axis of u (..., rows, n), for the a (..., 1, q) of its matrix: the
/// inverse of a triangular Toeplitz matrix times u, with the derivatives of such.
struct feedback_op : matrix_op<feedback_op> {
    static constexpr const char* name = "lfilter";

    template <class A, class U>
    auto value(const A& feedback, const U& u) const {
        using T = typename U::value_type;
        static_assert(std::is_same_v<typename U::device_type, cpu_device>, "ricci: lfilter runs on the CPU only");
        const auto a = dense_of(feedback);
        const auto y = u.clone();
        const index_t q = a.shape()[A::rank - 1], n = u.shape()[U::rank - 1], rows = u.shape()[U::rank - 2];
        if (n > 0)
            for_blocks(y.size() / n, n * (q + 1), [&](index_t row) {
                const T* const by = a.data() + row / rows * q;
                T* const line = y.data() + row * n;
                for (index_t i = 1; i < n; ++i) {
                    T sum = line[i];
                    for (index_t k = std::min(q, i) - 1; k >= 0; --k) sum -= by[k] * line[i - 1 - k];
                    line[i] = sum;
                }
            });
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

}  // namespace detail

namespace signal {

/// The filter with the transfer function b(z) / a(z), coefficients of z^0, z^-1, ..., along an axis of x, which is 0 before its
/// begin: a[0] y[n] = sum over k of b[k] x[n - k] - sum over k >= 1 of a[k] y[n - k]. b and a are of rank 1, the result has x's
/// shape, in the common type, integers as double, 16 bits as float. Where a[0] is 0 it is not finite. Throws shape_error for b or
/// a without an element, index_error for an axis out of range. Differentiable in x, b and a, to any order. On the CPU.
/// (scipy.signal.lfilter, without zi.)
template <expression B, expression A, expression X>
auto lfilter(const B& b, const A& a, const X& x, int axis = -1) {
    static_assert(B::rank == 1 && A::rank == 1,
                  "ricci: lfilter(b, a, x): the filter's coefficients b and a are of rank 1");
    static_assert(X::rank >= 1, "ricci: lfilter needs an array of rank 1 or more");
    using T = inexact_t<
        compute_t<promote_t<promote_t<typename B::value_type, typename A::value_type>, typename X::value_type>>>;
    const auto forward = detail::evaluate_as<T>(b);
    const auto back = detail::evaluate_as<T>(a);
    if (forward.size() == 0 || back.size() == 0)
        detail::raise<shape_error>(
            {"[lfilter] the coefficients b ", forward.shape(), " and a ", back.shape(), " must not be empty"});
    const int at = detail::normalize_axis(axis, X::rank, "lfilter");
    const auto lines = detail::move_axis(detail::evaluate_as<T>(x), at, X::rank - 1);
    const index_t n = lines.shape()[X::rank - 1];
    const auto rows = evaluate(reshape(lines, shape<2>{n > 0 ? lines.size() / n : 0, n}));
    const auto scaled = [&](const auto& c) { return evaluate(index(c / index(back, slice(0, 1)), newaxis, all)); };
    auto y = detail::call1(detail::convolve_op<1, 1>(shape<1>{0}, shape<1>{n}), scaled(forward), rows);
    if (back.size() > 1) y = detail::call1(detail::feedback_op{}, scaled(index(back, slice(1, none))), y);
    return detail::move_axis(evaluate(reshape(y, lines.shape())), X::rank - 1, at);
}

}  // namespace signal
}  // namespace ricci
