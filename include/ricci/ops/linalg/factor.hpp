// Triangular factors: cholesky, lu, lu_factor, lu_solve, qr.
#pragma once
#include <utility>
#include <vector>

#include "../checked_values.hpp"
#include "solve.hpp"

namespace ricci {
namespace detail {

// Rules that are not holomorphic are written for conjugated cotangents, as they stand in papers: conjugated takes these
// in and gives their results out.

struct cholesky_op : matrix_op<cholesky_op> {
    static constexpr const char* name = "cholesky";

    template <class A>
    auto value(const A& a) const {
        return computed_in_place(a, [](auto backend, const auto& y) { backend.cholesky(y); });
    }
    /// Murray 2016: by blocks where the device can and nothing is to be differentiated again, else equations 8 and 10.
    /// Symmetric in both triangles, as torch has it.
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>&, const pack<Y>& y, const pack<C>& bars) const {
        const auto& l = get<0>(y);
        const auto bar = conjugated(get<0>(bars));
        if constexpr (std::is_void_v<typename Y::wrapper> && std::is_same_v<typename Y::wrapper, typename C::wrapper> &&
                      requires { linalg_backend<typename Y::device_type>::cholesky_adjoint(l, l); }) {
            const auto g = whole_cotangent(bar, l.shape()).clone();
            linalg_backend<typename Y::device_type>::cholesky_adjoint(l, g);
            return make_pack(conjugated(g));
        } else {
            const auto h = adjoint(l);
            const auto left = triangular_solve(h, lower_half(product(h, bar)), true);
            return make_pack(conjugated(hermitian_part(adjoint(triangular_solve(h, adjoint(left), true)))));
        }
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>&, const pack<Y>& y, const pack<const D*>& dots) const {
        const auto left = triangular_solve(get<0>(y), hermitian_part(*get<0>(dots)), false);
        const auto both = adjoint(triangular_solve(get<0>(y), adjoint(left), false));
        return make_pack(product(get<0>(y), lower_half(both)));
    }
};

/// The rows of P A, as positions in A; no derivative.
struct lu_order_op : opaque_op {
    static constexpr const char* name = "lu";

    template <class A>
    auto value(const A& a) const {
        using D = typename A::device_type;
        auto order = tensor<index_t, A::rank - 1, D>::uninitialized(
            vector_shape(batch_shape(a.shape()), a.shape()[A::rank - 2]));
        linalg_backend<D>::lu(a.clone(), order.data());
        return make_pack(order);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(*this, a);
    }
};
/// A = L U of square matrices that need no exchange of rows, both in one: L below the diagonal, where U begins.
struct lu_in_order_op : matrix_op<lu_in_order_op> {
    static constexpr const char* name = "lu";

    template <class A>
    auto value(const A& a) const {
        return computed_in_place(a, [](auto backend, const auto& y) { backend.lu_in_order(y); });
    }
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>&, const pack<Y>& y, const pack<C>& bars) const {
        const auto l_t = matrix_transpose(get<0>(y)), u_t = l_t;  // each solve reads its triangle
        const auto l = evaluate(tril(get<0>(y), -1) + identity_like(get<0>(y)));
        const auto& bar = get<0>(bars);
        const auto lower = tril(product(matrix_transpose(l), evaluate(tril(bar, -1))), -1);
        const auto upper = triu(product(evaluate(triu(bar)), matrix_transpose(evaluate(triu(get<0>(y))))));
        const auto left = triangular_solve(l_t, evaluate(lower + upper), true, true);
        return make_pack(triangular_solve_right(u_t, left, false));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>&, const pack<Y>& y, const pack<const D*>& dots) const {
        const auto inner =
            triangular_solve_right(get<0>(y), triangular_solve(get<0>(y), *get<0>(dots), false, true), true);
        const auto l = evaluate(tril(get<0>(y), -1) + identity_like(get<0>(y)));
        return make_pack(evaluate(product(l, evaluate(tril(inner, -1))) +
                                  product(evaluate(triu(inner)), evaluate(triu(get<0>(y))))));
    }
};
/// A block of the last two axes. A view.
template <class A>
auto matrix_block(const A& a, index_t row, index_t rows, index_t column, index_t columns) {
    return stretch_of(stretch_of(a, A::rank - 2, row, rows), A::rank - 1, column, columns);
}
/// The same of any extents.
template <class A>
A lu_in_order(const A& a) {
    const index_t m = a.shape()[A::rank - 2], n = a.shape()[A::rank - 1], k = m < n ? m : n;
    const A square = call1(lu_in_order_op{}, matrix_block(a, 0, k, 0, k));
    if (m > n) {
        const A below = triangular_solve_right(square, matrix_block(a, k, m - k, 0, k), true);
        return concat_list(std::vector<A>{square, below}, A::rank - 2, "lu");
    }
    if (m < n) {
        const A beside = triangular_solve(square, matrix_block(a, 0, k, k, n - k), false, true);
        return concat_list(std::vector<A>{square, beside}, A::rank - 1, "lu");
    }
    return square;
}
/// L and U in one, and the order of the rows.
template <class A>
auto lu_parts(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        using D = typename A::device_type;
        want_linalg<D>();
        auto order = tensor<index_t, A::rank - 1, D>::uninitialized(
            vector_shape(batch_shape(a.shape()), a.shape()[A::rank - 2]));
        const auto y = a.clone();
        linalg_backend<D>::lu(y, order.data());
        return make_pack(y, order);
    } else {
        const auto order = call1(lu_order_op{}, stop_gradient(a));
        const auto rows = take_along_axis(a, evaluate(as_column(order)), A::rank - 2);
        return make_pack(lu_in_order(rows), order);
    }
}

/// Q and R of matrices with at least as many rows as columns; with `complete` Q is square and has no derivative.
struct qr_op : matrix_op<qr_op> {
    static constexpr const char* name = "qr";
    bool complete;

    explicit qr_op(bool c) : complete(c) {}
    template <class A>
    auto value(const A& a) const {
        using D = typename A::device_type;
        want_linalg<D>();
        const auto batch = batch_shape(a.shape());
        const index_t m = a.shape()[A::rank - 2], n = a.shape()[A::rank - 1];
        const index_t k = complete ? m : std::min(m, n);
        const auto q = A::uninitialized(matrix_shape(batch, m, k));
        const auto r = A::uninitialized(matrix_shape(batch, k, n));
        linalg_backend<D>::qr(a.clone(), q, r);
        return make_pack(q, r);
    }
    /// Of torch's linalg_qr_backward; R's diagonal is real.
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>& inputs, const pack<Y, Y>& y, const pack<C, C>& bars) const {
        refuse_complete(*get<0>(inputs));
        const auto &q = get<0>(y), &r = get<1>(y);
        const auto q_bar = conjugated(whole_cotangent(get<0>(bars), q.shape()));
        const auto r_bar = conjugated(whole_cotangent(get<1>(bars), r.shape()));
        const auto inner = evaluate(product(r_bar, adjoint(r)) - product(adjoint(q), q_bar));
        const auto upper = lower_half(adjoint(inner));  // its lower triangle: that of the upper one's adjoint
        const auto both = evaluate(upper + adjoint(upper));
        return make_pack(conjugated(triangular_solve_right(adjoint(r), evaluate(q_bar + product(q, both)), false)));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>& inputs, const pack<Y, Y>& y, const pack<const D*>& dots) const {
        refuse_complete(*get<0>(inputs));
        const auto &q = get<0>(y), &r = get<1>(y);
        const auto turned = triangular_solve_right(r, *get<0>(dots), true);
        const auto inner = product(adjoint(q), turned);
        const auto upper = adjoint(lower_half(evaluate(inner + adjoint(inner))));
        return make_pack(evaluate(turned - product(q, upper)), product(upper, r));
    }

   private:
    template <class A>
    void refuse_complete(const A& a) const {
        if (complete && a.shape()[A::rank - 2] > a.shape()[A::rank - 1])
            raise<gradient_error>(
                {"[qr] the complete factors of matrices with more rows than columns have no derivative: a ",
                 a.shape()});
    }
};

/// Throws value_error unless each of the rows 0 ... n - 1 is once in every line of an order.
template <class P>
void require_each_once(const P& order, index_t n) {
    const auto& plain = plain_array(order);
    const auto line = dense_of(plain.to(cpu_device{}));
    std::vector<index_t> last(static_cast<std::size_t>(n), -1);  // the line that had a row last
    for (index_t i = 0; i < line.size(); ++i) {
        const auto row = line.data()[i];
        if (std::exchange(last[static_cast<std::size_t>(row)], i / n) == i / n)
            raise<value_error>({"[lu_solve] an order names each row once, and row ", row, " is there twice"});
    }
}

}  // namespace detail

namespace linalg {

/// The lower triangular L, its diagonal positive, with A = L L^H, of the Hermitian positive definite matrices in the
/// last two axes, of which the lower triangle is read; with `upper` the upper one is, and L^H returned. Throws
/// linalg_error, with the order of the leading minor that is not positive. The derivative is spread evenly over both
/// triangles.
template <expression A>
auto cholesky(const A& a, detail::yes_or_no upper = false) {
    const auto x = detail::square_argument(a, "cholesky");
    if (!upper) return detail::call1(detail::cholesky_op{}, x);
    return detail::adjoint(detail::call1(detail::cholesky_op{}, detail::adjoint(x)));
}

/// The result of lu_factor: for bindings, std::get and std::tie as a tuple is.
template <class Factors, class Order>
struct lu_factor_result {
    using ricci_named = void;
    Factors LU;
    Order order;
    friend auto members(const lu_factor_result& y) { return std::tie(y.LU, y.order); }
    operator std::tuple<Factors&, Order&>() { return {LU, order}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// P A = L U with partial pivoting: L, whose diagonal of ones is left out, below the diagonal of LU, and
/// U on and above it; row i of P A is row order[i] of A. For lu_solve. A singular matrix has factors too.
template <expression A>
auto lu_factor(const A& a) {
    return detail::named<lu_factor_result>(detail::lu_parts(detail::matrix_argument(a)));
}
/// The X with A X = B from lu_factor's result. Throws linalg_error where U's diagonal has a 0, shape_error for an order
/// of another length than U's, index_error for a row in it that there is not, value_error for one that is there twice.
template <expression L, expression P, expression B>
auto lu_solve(const L& lu, const P& order, const B& b) {
    constexpr bool is_order = std::is_integral_v<typename P::value_type> && P::rank < L::rank;
    static_assert(is_order, "ricci: lu_solve(LU, order, b) takes both results of lu_factor, then the right side");
    if constexpr (is_order) {
        const auto x = detail::square_argument(lu, "lu_solve");
        const auto positions = evaluate(order);
        const index_t n = x.shape()[std::remove_cvref_t<decltype(x)>::rank - 1];
        if (positions.shape()[P::rank - 1] != n)
            detail::raise<shape_error>({"[lu_solve] an order of shape ", positions.shape(), " for factors of shape ",
                                        x.shape(), ": ", positions.shape()[P::rank - 1], " != ", n});
        detail::require_between<index_error>(positions, 0, n - 1, "lu_solve", "a row's position");
        detail::require_each_once(positions, n);
        const auto rows = evaluate(detail::as_column(positions));
        return detail::with_right_side(x, b, "lu_solve", [&](const auto& factors, const auto& right) {
            constexpr int R = std::remove_cvref_t<decltype(right)>::rank;
            auto extents = right.shape();
            const auto where = detail::expanded(
                rows, detail::matrix_shape(detail::batch_shape(extents), extents[R - 2], extents[R - 1]));
            const auto moved = take_along_axis(right, where, R - 2);
            return detail::triangular_solve(factors, detail::triangular_solve(factors, moved, false, true), true);
        });
    }
}
/// The same of the two as lu_factor gives them: lu_solve(lu_factor(A), b). (scipy.linalg.lu_solve.)
template <class Factors, class Order, expression B>
auto lu_solve(const lu_factor_result<Factors, Order>& factors, const B& b) {
    return lu_solve(factors.LU, factors.order, b);
}
/// The result of lu: for bindings, std::get and std::tie as a tuple is.
template <class Permutation, class Lower, class Upper>
struct lu_result {
    using ricci_named = void;
    Permutation P;
    Lower L;
    Upper U;
    friend auto members(const lu_result& y) { return std::tie(y.P, y.L, y.U); }
    operator std::tuple<Permutation&, Lower&, Upper&>() { return {P, L, U}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// A = P L U with partial pivoting: P a permutation, L unit lower triangular or, of k = min(m, n) columns,
/// trapezoidal, and U upper. (torch.linalg.lu, scipy.linalg.lu.)
template <expression A>
auto lu(const A& a) {
    const auto x = detail::matrix_argument(a);
    using X = std::remove_cvref_t<decltype(x)>;
    const auto [parts, order] = lu_factor(x);
    const index_t m = x.shape()[X::rank - 2], n = x.shape()[X::rank - 1], k = m < n ? m : n;
    using T = typename X::value_type;
    const auto lower = detail::matrix_block(parts, 0, m, 0, k), upper = detail::matrix_block(parts, 0, k, 0, n);
    const auto ones = eye<real_t<T>>(m, k, 0, device_t<X>{});
    const auto from = evaluate(detail::as_row(order));
    const auto at = evaluate(detail::as_column(arange<index_t>(m).to(device_t<X>{})));
    return detail::named<lu_result>(
        detail::make_pack(evaluate(astype<T>(from == at)), evaluate(tril(lower, -1) + ones), evaluate(triu(upper))));
}

/// Which columns of Q qr gives: as many as A has rows or columns, whichever are fewer, or all.
enum class qr_mode { reduced, complete };

/// The result of qr: for bindings, std::get and std::tie as a tuple is.
template <class Orthonormal, class Upper>
struct qr_result {
    using ricci_named = void;
    Orthonormal Q;
    Upper R;
    friend auto members(const qr_result& y) { return std::tie(y.Q, y.R); }
    operator std::tuple<Orthonormal&, Upper&>() { return {Q, R}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// A = Q R, Q's columns orthonormal and R upper triangular, of the matrices in the last two axes. R's
/// diagonal is real, of either sign. Derivatives where the first columns are independent; complete factors of tall
/// matrices have none (gradient_error).
template <expression A>
auto qr(const A& a, qr_mode mode = qr_mode::reduced) {
    const auto x = detail::matrix_argument(a);
    using X = std::remove_cvref_t<decltype(x)>;
    const index_t m = x.shape()[X::rank - 2], n = x.shape()[X::rank - 1];
    const detail::qr_op op(mode == qr_mode::complete);
    if constexpr (!std::is_void_v<typename X::wrapper>) {
        if (m < n) {  // of the first columns, the others turned: their rule is that of the product
            const auto y = detail::call(op, detail::matrix_block(x, 0, m, 0, m));
            const X beside =
                detail::product(detail::adjoint(detail::get<0>(y)), detail::matrix_block(x, 0, m, m, n - m));
            const X r = detail::get<1>(y);
            return qr_result<X, X>{detail::get<0>(y),
                                   detail::concat_list(std::vector<X>{r, beside}, X::rank - 1, "qr")};
        }
    }
    return detail::named<qr_result>(detail::call(op, x));
}

}  // namespace linalg
}  // namespace ricci
