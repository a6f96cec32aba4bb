// Singular values and what is computed from them: svd, svdvals, pinv, matrix_rank, lstsq.
#pragma once
#include "solve.hpp"

namespace ricci {
namespace detail {

/// U, s and V^H of plain matrices; errors name `op`.
template <class A>
auto svd_parts(const A& a, bool full, const char* op) {
    using D = typename A::device_type;
    want_linalg<D>();
    const auto batch = batch_shape(a.shape());
    const index_t m = a.shape()[A::rank - 2], n = a.shape()[A::rank - 1], k = std::min(m, n);
    const auto u = A::uninitialized(matrix_shape(batch, m, full ? m : k));
    const auto vh = A::uninitialized(matrix_shape(batch, full ? n : k, n));
    auto s = tensor<real_t<typename A::value_type>, A::rank - 1, D>::uninitialized(vector_shape(batch, k));
    linalg_backend<D>::svd(a.clone(), u, s.data(), vh, true, op);
    return make_pack(u, s, vh);
}
/// U, s and V^H; `full` for square U and V^H, whose further columns and rows have no derivative.
struct svd_op : matrix_op<svd_op> {
    static constexpr const char* name = "svd";
    bool full;

    explicit svd_op(bool f) : full(f) {}
    template <class A>
    auto value(const A& a) const {
        return svd_parts(a, full, name);
    }
    /// Of torch's svd_backward (Townsend 2016; Seeger et al. 2017).
    template <class Active, class A, class U, class S, class V, class UBar, class SBar, class VBar>
    auto adjoints(const pack<const A*>& inputs, const pack<U, S, V>& y, const pack<UBar, SBar, VBar>& bars) const {
        using T = typename A::value_type;
        const auto &u = get<0>(y), &vh = get<2>(y);
        const auto& s = get<1>(y);
        const index_t m = u.shape()[A::rank - 2], n = vh.shape()[A::rank - 1], k = s.shape()[A::rank - 2];
        const auto s_bar = evaluate_as<T>(whole_cotangent(get<1>(bars), s.shape()));
        if (!has_cotangent(get<0>(bars), u.shape()) && !has_cotangent(get<2>(bars), vh.shape()))
            return make_pack(conjugated(
                product(stretch_of(u, A::rank - 1, 0, k), diagonal_matrix(s_bar), stretch_of(vh, A::rank - 2, 0, k))));
        refuse_full(*get<0>(inputs));
        const auto u_bar = conjugated(whole_cotangent(get<0>(bars), u.shape()));
        const auto v_bar = matrix_transpose(whole_cotangent(get<2>(bars), vh.shape()));
        const auto uh = adjoint(u), v = adjoint(vh);
        const auto left = skew_part(product(uh, u_bar)), right = skew_part(product(vh, v_bar));
        const auto used =
            evaluate(sum(abs(u_bar), -2) + sum(abs(v_bar), -2) + abs(s_bar) != 0);  // of each value, or its vectors
        const auto half = real_t<T>(0.5);
        const auto gaps = inverse_gaps(s, undetermined<real_t<T>>(has_cotangent(get<1>(bars), s.shape())));
        const auto sums = inverse_sums(s, undetermined<real_t<T>>(as_row(used) || as_column(used)));
        auto inner = evaluate(((left + right) * gaps + (left - right) * sums) * half + diagonal_matrix(s_bar));
        const auto inverse = inverse_or(s, undetermined<real_t<T>>(used));
        if constexpr (is_complex_v<T>)  // what the phases of U alone do; those of V follow
            inner = evaluate(inner + diagonal_matrix(evaluate(quotient_or_nan(diagonal_of(left), s) * half)));
        auto a_bar = product(u, inner, vh);
        if (m > k && has_cotangent(get<0>(bars), u.shape())) {
            const auto outside = evaluate((u_bar - product(u, product(uh, u_bar))) * as_row(inverse));
            a_bar = evaluate(a_bar + product(outside, vh));
        }
        if (n > k && has_cotangent(get<2>(bars), vh.shape())) {
            const auto h = adjoint(v_bar);
            const auto outside = evaluate(as_column(inverse) * (h - product(product(h, v), vh)));
            a_bar = evaluate(a_bar + product(u, outside));
        }
        return make_pack(conjugated(a_bar));
    }
    template <class Active, class A, class U, class S, class V, class D>
    auto tangents(const pack<const A*>& inputs, const pack<U, S, V>& y, const pack<const D*>& dots) const {
        using T = typename A::value_type;
        refuse_full(*get<0>(inputs));
        const auto &u = get<0>(y), &vh = get<2>(y);
        const auto& s = get<1>(y);
        const auto& a_dot = *get<0>(dots);
        const index_t m = u.shape()[A::rank - 2], n = vh.shape()[A::rank - 1], k = s.shape()[A::rank - 2];
        const auto uh = adjoint(u), v = adjoint(vh);
        const auto moved = product(a_dot, v), turned = product(uh, a_dot);
        const auto inner = product(uh, moved), inner_h = adjoint(inner);
        const auto even = evaluate((inner + inner_h) * real_t<T>(0.5)), odd = evaluate(inner - even);
        const auto nan_unless_0 = [](const auto& x) { return undetermined<real_t<T>>(abs(x) != 0); };
        const auto together = evaluate(even * inverse_gaps(s, nan_unless_0(even)));
        const auto apart = evaluate(odd * inverse_sums(s, nan_unless_0(odd)));
        auto u_inner = evaluate(together + apart);
        if constexpr (is_complex_v<T>) {
            const auto phase = evaluate(imag(diagonal_of(inner)));
            u_inner = evaluate(u_inner + diagonal_matrix(evaluate(quotient_or_nan(phase, s) * T(0, 1))));
        }
        auto u_dot = product(u, u_inner);
        auto vh_dot = product(adjoint(evaluate(together - apart)), vh);
        if (m > k) u_dot = evaluate(u_dot + quotient_or_nan(evaluate(moved - product(u, inner)), as_row(s)));
        if (n > k) vh_dot = evaluate(vh_dot + quotient_or_nan(evaluate(turned - product(inner, vh)), as_column(s)));
        return make_pack(u_dot, real_diagonal(inner), vh_dot);
    }

   private:
    template <class A>
    static auto skew_part(const A& a) {
        return evaluate(a - adjoint(a));
    }
    // With L and R skew, (L s_j + s_i R) / (s_j^2 - s_i^2) in two parts. Of equal values only the first is not
    // determined: functions of the vectors alone, such as U V^H, have none of it; of U f(s) V^H it is NaN, as eigh's
    // is.
    template <class S, class Z>
    static auto inverse_gaps(const S& s, const Z& at_zero) {
        return inverse_of_pairs(evaluate(as_row(s) - as_column(s)), at_zero);
    }
    template <class S, class Z>
    static auto inverse_sums(const S& s, const Z& at_zero) {
        return inverse_of_pairs(evaluate(as_row(s) + as_column(s)), at_zero);
    }
    template <class A>
    void refuse_full(const A& a) const {
        if (full && a.shape()[A::rank - 2] != a.shape()[A::rank - 1])
            raise<gradient_error>({"[svd] the full U and V of matrices that are not square have no derivative: a ",
                                   a.shape(), ". Take svd(a, false), or svdvals(a)"});
    }
};
template <class A>
auto singular_values(const A& a, const char* op) {
    if constexpr (std::is_void_v<typename A::wrapper>) {  // without vectors
        using D = typename A::device_type;
        want_linalg<D>();
        const index_t k = std::min(a.shape()[A::rank - 2], a.shape()[A::rank - 1]);
        auto s = tensor<real_t<typename A::value_type>, A::rank - 1, D>::uninitialized(
            vector_shape(batch_shape(a.shape()), k));
        linalg_backend<D>::svd(a.clone(), A(), s.data(), A(), false, op);
        return s;
    } else {
        return get<1>(call(svd_op(false), a));
    }
}
/// The rtol that a negative one stands for.
template <class R>
R relative_tolerance(double rtol, index_t m, index_t n) {
    return static_cast<R>(rtol < 0 ? static_cast<double>(std::max(m, n)) * std::numeric_limits<R>::epsilon() : rtol);
}
/// Which singular values count: those above atol and above rtol times the largest; a negative rtol stands for max(m, n)
/// eps.
template <class S>
auto counted(const S& s, double rtol, index_t m, index_t n, double atol = 0) {
    using R = typename S::value_type;
    const auto relative = relative_tolerance<R>(rtol, m, n);
    const index_t first = s.shape()[S::rank - 1] > 0 ? 1 : 0;
    return evaluate(s > maximum(relative * stretch_of(s, S::rank - 1, 0, first), static_cast<R>(atol)));
}

/// The pseudoinverse.
struct pinv_op : matrix_op<pinv_op> {
    static constexpr const char* name = "pinv";
    double rtol;

    explicit pinv_op(double r) : rtol(r) {}
    template <class A>
    auto value(const A& a) const {
        const auto y = svd_parts(a, false, name);
        const auto& s = get<1>(y);
        const index_t m = a.shape()[A::rank - 2], n = a.shape()[A::rank - 1];
        using R = real_t<typename A::value_type>;
        const auto inverse = evaluate(where(counted(s, rtol, m, n), R(1) / s, R(0)));
        return make_pack(product(evaluate(adjoint(get<2>(y)) * as_row(inverse)), adjoint(get<0>(y))));
    }
    /// Of constant rank (Golub and Pereyra 1973): the transpose of the tangent below.
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>& inputs, const pack<Y>& results, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& y = get<0>(results);
        const auto h = matrix_transpose(get<0>(bars));  // of the cotangent as papers have it the conjugate transpose
        const auto y_h = adjoint(y);
        const auto first = adjoint(product(y, h, y));
        const auto second = product(evaluate(h - product(a, product(y, h))), product(y, y_h));
        const auto third = product(product(y_h, y), evaluate(h - product(product(h, y), a)));
        return make_pack(conjugated(evaluate(second + third - first)));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>& inputs, const pack<Y>& results, const pack<const D*>& dots) const {
        const auto& a = *get<0>(inputs);
        const auto& y = get<0>(results);
        const auto& a_dot = *get<0>(dots);
        const auto h = adjoint(a_dot);
        const auto y_h = adjoint(y);
        const auto first = product(y, a_dot, y);
        const auto second = product(product(y, y_h), evaluate(h - product(product(h, a), y)));
        const auto third = product(evaluate(h - product(y, product(a, h))), product(y_h, y));
        return make_pack(evaluate(second + third - first));
    }
};

/// The X of least length among those with least |A X - B|.
struct lstsq_op : matrix_op<lstsq_op> {
    static constexpr const char* name = "lstsq";
    double rcond;

    explicit lstsq_op(double r) : rcond(r) {}
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        return make_pack(get<0>(solve(a, b)));
    }
    /// X and A's singular values, which come with it.
    template <class A, class B>
    auto solve(const A& a, const B& b) const {
        using D = typename A::device_type;
        using R = real_t<typename A::value_type>;
        want_linalg<D>();
        const auto batch = batch_shape(a.shape());
        const index_t m = a.shape()[A::rank - 2], n = a.shape()[A::rank - 1];
        constexpr bool has_solver =
            requires(const A& x, R* s) { linalg_backend<D>::least_squares(x, x, x, s, R(), name); };
        if constexpr (has_solver) {
            const auto x = A::uninitialized(matrix_shape(batch, n, b.shape()[A::rank - 1]));
            auto s = tensor<R, A::rank - 1, D>::uninitialized(vector_shape(batch, std::min(m, n)));
            linalg_backend<D>::least_squares(a.clone(), b.clone(), x, s.data(), relative_tolerance<R>(rcond, m, n),
                                             name);
            return make_pack(x, s);
        } else {
            const auto y = svd_parts(a, false, name);
            const auto& s = get<1>(y);
            const auto inverse = evaluate(where(counted(s, rcond, m, n), R(1) / s, R(0)));
            const auto parts = product(adjoint(get<0>(y)), b);
            return make_pack(product(adjoint(get<2>(y)), evaluate(as_column(inverse) * parts)), s);
        }
    }
    /// X = A^+ B, with the rule of the pseudoinverse and the product.
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>&, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& bar = get<0>(bars);
        const auto y = call1(pinv_op(rcond), a);
        return two_adjoints<Active>(
            [&] {
                const auto y_bar = product(bar, matrix_transpose(*get<1>(inputs)));
                return get<0>(pinv_op(rcond).template adjoints<activity<true>>(pack<const A*>{{{&a}}}, make_pack(y),
                                                                               make_pack(y_bar)));
            },
            [&] { return product(matrix_transpose(y), bar); });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>&, const pack<const D*...>& dots) const {
        const auto& a = *get<0>(inputs);
        const auto y = call1(pinv_op(rcond), a);
        const auto by_a = [&] {
            const auto& a_dot = *get<0>(dots);
            using DA = std::remove_cvref_t<decltype(a_dot)>;
            return product(get<0>(pinv_op(rcond).template tangents<activity<true>>(pack<const A*>{{{&a}}}, make_pack(y),
                                                                                   pack<const DA*>{{{&a_dot}}})),
                           *get<1>(inputs));
        };
        if constexpr (Active::at[0] && Active::at[1]) return make_pack(evaluate(by_a() + product(y, *get<1>(dots))));
        else if constexpr (Active::at[0]) return make_pack(by_a());
        else return make_pack(product(y, *get<0>(dots)));
    }
};

}  // namespace detail

namespace linalg {

/// The result of svd: for bindings, std::get and std::tie as a tuple is.
template <class Left, class Values, class Right>
struct svd_result {
    using ricci_named = void;
    Left U;
    Values S;
    Right Vh;
    friend auto members(const svd_result& y) { return std::tie(y.U, y.S, y.Vh); }
    operator std::tuple<Left&, Values&, Right&>() { return {U, S, Vh}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// A = U diag(S) V^H with orthonormal columns of U and rows of V^H, and S descending, of the matrices in the last two
/// axes, as U, S and Vh. Full matrices are square; without `full_matrices` they have as many columns or
/// rows as S. Throws linalg_error for elements that are not finite. Singular vectors are determined up to factors of
/// absolute value 1 that a pair shares, those of equal values up to rotations: the derivative is right for functions
/// that do not depend on these, but NaN where values are equal and the function uses S as well as vectors (backward),
/// or A moves so as to part them (forward), and where vectors of values 0 are used. Full matrices of A's that are not
/// square have none (gradient_error), only S beside them, backward.
template <expression A>
auto svd(const A& a, detail::yes_or_no full_matrices = true) {
    return detail::named<svd_result>(detail::call(detail::svd_op(full_matrices), detail::matrix_argument(a)));
}
/// The singular values alone, descending. Second derivatives, which go through the vectors, are NaN at equal ones.
template <expression A>
auto svdvals(const A& a) {
    return detail::singular_values(detail::matrix_argument(a), "svdvals");
}

/// The Moore-Penrose pseudoinverse: singular values up to rtol times the largest count as 0; a negative rtol stands
/// for max(m, n) eps. The derivative is that at constant rank.
template <expression A>
auto pinv(const A& a, detail::plain_number rtol = -1) {
    return detail::call1(detail::pinv_op(rtol), detail::matrix_argument(a));
}
/// What singular values must exceed to count: `atol` itself and `rtol` times the largest. A negative rtol stands for
/// max(m, n) eps or, where an atol above 0 is given, for 0. (torch.linalg.matrix_rank's.)
struct rank_options {
    double atol = 0;
    double rtol = -1;
};
/// How many singular values exceed a tolerance: matrix_rank(a, {.rtol = 1e-6}). 64-bit integers, without derivative.
template <expression A>
auto matrix_rank(const A& a, const rank_options& o = {}) {
    const auto x = stop_gradient(detail::matrix_argument(a));
    using X = std::remove_cvref_t<decltype(x)>;
    const auto s = detail::singular_values(x, "matrix_rank");
    const double rtol = o.rtol < 0 && o.atol > 0 ? 0 : o.rtol;
    const auto kept = detail::counted(s, rtol, x.shape()[X::rank - 2], x.shape()[X::rank - 1], o.atol);
    return evaluate(sum(astype<std::int64_t>(kept), -1));
}
/// A number alone is an absolute tolerance, as NumPy's and PyTorch's `tol`.
template <expression A, scalar_value S>
auto matrix_rank(const A& a, S tol) {
    return matrix_rank(a, rank_options{.atol = detail::plain_number(tol), .rtol = 0});
}

/// The result of lstsq: for bindings, std::get and std::tie as a tuple is.
template <class Solution, class Residuals, class Rank, class Values>
struct lstsq_result {
    using ricci_named = void;
    Solution solution;
    Residuals residuals;
    Rank rank;
    Values singular_values;
    friend auto members(const lstsq_result& y) { return std::tie(y.solution, y.residuals, y.rank, y.singular_values); }
    operator std::tuple<Solution&, Residuals&, Rank&, Values&>() {
        return {solution, residuals, rank, singular_values};
    }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// Least squares: the X with the least |A X - B|, of several the shortest, the sums of squares |A X - B|^2 of each
/// column, the rank of A by matrix_rank's rule, and A's singular values, computed in the common type of A and B. A `b`
/// of rank 1 is one vector. (numpy.linalg.lstsq; the residuals are given whatever the rank.)
template <expression A, expression B>
auto lstsq(const A& a, const B& b, detail::plain_number rcond = -1) {
    using T = promote_t<detail::matrix_element<typename A::value_type>, detail::matrix_element<typename B::value_type>>;
    const auto x = detail::evaluate_as<T>(detail::matrix_argument(a));
    using X = std::remove_cvref_t<decltype(x)>;
    const detail::lstsq_op op(rcond);
    std::conditional_t<std::is_void_v<typename X::wrapper>,
                       tensor<real_t<typename X::value_type>, X::rank - 1, device_t<X>>, std::nullptr_t>
        values{};
    bool known = false;
    const auto solution = detail::with_right_side(x, b, "lstsq", [&](const auto& p, const auto& q) {
        using P = std::remove_cvref_t<decltype(p)>;
        using Q = std::remove_cvref_t<decltype(q)>;
        if constexpr (std::is_same_v<P, X> && std::is_void_v<typename P::wrapper> &&
                      std::is_void_v<typename Q::wrapper>)
            if (p.shape() == x.shape()) {  // the values come with the solution
                const auto y = op.solve(p, q);
                values = detail::get<1>(y);
                known = true;
                return detail::get<0>(y);
            }
        return detail::call1(op, p, q);
    });
    const auto fit = [&] {
        if constexpr (B::rank == 1) return evaluate(index(matmul(x, detail::as_column(solution)), ellipsis, 0));
        else return matmul(x, solution);
    }();
    const auto error = evaluate(fit - b);
    const auto squares = [&] {
        if constexpr (is_complex_v<typename decltype(error)::value_type>) return map<ops::squared_abs>(error);
        else return square(error);
    }();
    const auto s = [&] {
        if constexpr (std::is_void_v<typename X::wrapper>)
            if (known) return values;
        return detail::singular_values(x, "lstsq");
    }();
    const auto kept = detail::counted(stop_gradient(s), rcond, x.shape(-2), x.shape(-1));
    return detail::named<lstsq_result>(detail::make_pack(solution, evaluate(sum(squares, B::rank == 1 ? -1 : -2)),
                                                         evaluate(sum(astype<std::int64_t>(kept), -1)), s));
}

}  // namespace linalg
}  // namespace ricci
