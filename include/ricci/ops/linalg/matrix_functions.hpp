// Functions of square matrices and equations for one: sqrtm, logm, solve_sylvester, solve_continuous_lyapunov,
// solve_discrete_lyapunov.
#pragma once
#include "../../cpu/linalg/matrix_functions.hpp"
#include "../../cpu/linalg/sylvester.hpp"
#include "../join.hpp"
#include "matrix_op.hpp"

namespace ricci {
namespace detail {

/// f(matrix) for each of a dense stack's.
template <class Y, class F>
void for_each_matrix(const Y& y, const F& f) {
    using T = typename Y::value_type;
    static_assert(std::is_same_v<typename Y::device_type, cpu_device>,
                  "ricci: sqrtm, logm and the solvers of Sylvester's and Lyapunov's equations run on the CPU only");
    const index_t m = y.shape()[Y::rank - 2], n = y.shape()[Y::rank - 1], k = std::max(m, n);
    if (y.size() == 0) return;
    for_matrices(y.size() / (m * n), 100 * k * k * k,
                 [&](index_t i) { f(i, matrix_span<T>{y.data() + i * m * n, m, n, n}); });
}

/// The X with A X + X B = Q or, `discrete`, X - A X B = Q.
struct sylvester_op : matrix_op<sylvester_op> {
    static constexpr const char* name = "solve_sylvester";
    bool discrete;
    const char* caller;

    sylvester_op(bool d, const char* who) : discrete(d), caller(who) {}
    template <class A, class B, class Q>
    auto value(const A& a, const B& b, const Q& q) const {
        using T = typename Q::value_type;
        const auto left = dense_of(a), right = dense_of(b);
        const auto x = q.clone();
        const index_t m = q.shape()[Q::rank - 2], n = q.shape()[Q::rank - 1];
        for_each_matrix(x, [&](index_t i, const matrix_span<T>& y) {
            const matrix_span<const T> p{left.data() + i * m * m, m, m, m}, r{right.data() + i * n * n, n, n, n};
            if (!detail::solve_sylvester(p, r, y, discrete, caller))
                raise<linalg_error>({"[", caller, "] the equation is singular: an eigenvalue of one matrix and one of ",
                                     discrete ? "the other multiply to 1" : "the other add up to 0"});
        });
        return make_pack(x);
    }
    template <class Active, class A, class B, class Q, class Y, class C>
    auto adjoints(const pack<const A*, const B*, const Q*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto &a = *get<0>(inputs), &b = *get<1>(inputs);
        const auto& x = get<0>(y);
        const auto turned = matrix_transpose(x);
        const auto q_bar = call1(*this, matrix_transpose(a), matrix_transpose(b), get<0>(bars));
        const auto adjoint = [&](auto which) {
            if constexpr (which() == 2) return q_bar;
            else if constexpr (which() == 0)
                return discrete ? product(q_bar, matrix_transpose(product(x, b))) : evaluate(-product(q_bar, turned));
            else return discrete ? product(matrix_transpose(product(a, x)), q_bar) : evaluate(-product(turned, q_bar));
        };
        return [&]<int... K>(std::integer_sequence<int, K...>) {
            return make_pack(adjoint(std::integral_constant<int, K>{})...);
        }(active_indices<Active>{});
    }
    template <class Active, class A, class B, class Q, class Y, class... D>
    auto tangents(const pack<const A*, const B*, const Q*>& inputs, const pack<Y>& y,
                  const pack<const D*...>& dots) const {
        const auto &a = *get<0>(inputs), &b = *get<1>(inputs);
        const auto& x = get<0>(y);
        const auto moved = [&](auto which, const auto& dot) {
            if constexpr (which() == 2) return dot;
            else if constexpr (which() == 0) return discrete ? product(dot, x, b) : evaluate(-product(dot, x));
            else return discrete ? product(a, x, dot) : evaluate(-product(x, dot));
        };
        const auto right = [&]<int... I, int... K>(std::integer_sequence<int, I...>, std::integer_sequence<int, K...>) {
            return evaluate((moved(std::integral_constant<int, I>{}, *get<K>(dots)) + ...));
        }(active_indices<Active>{}, active_order<Active>{});
        return make_pack(call1(*this, a, b, right));
    }
    template <class Mapped, class A, class B, class Q>
    auto call_batched(const A& a, const B& b, const Q& q) const {
        return with_common_batches(with_batch_axis<Mapped::at[0]>(a), with_batch_axis<Mapped::at[1]>(b),
                                   with_batch_axis<Mapped::at[2]>(q), caller,
                                   [&](const auto&... x) { return call(*this, x...); });
    }
    /// f of three stacks of matrices, broadcast to their common leading extents.
    template <class A, class B, class Q, class F>
    static auto with_common_batches(const A& a, const B& b, const Q& q, const char* op, const F& f) {
        return with_common_batch(a, b, op, [&](const auto& x, const auto& y) {
            return with_common_batch(x, q, op, [&](const auto& left, const auto& right) {
                return with_common_batch(y, right, op,
                                         [&](const auto& middle, const auto& last) { return f(left, middle, last); });
            });
        });
    }
};
/// The solution for matrices of any types and batches.
template <class A, class B, class Q>
auto sylvester_solution(const A& a, const B& b, const Q& q, bool discrete, const char* who) {
    using T = promote_t<promote_t<matrix_element<typename A::value_type>, matrix_element<typename B::value_type>>,
                        matrix_element<typename Q::value_type>>;
    const auto left = square_argument(as_type<T>(a), who);
    const auto right = square_argument(as_type<T>(b), who);
    const auto wanted = matrix_argument(as_type<T>(q));
    const index_t m = wanted.shape(-2), n = wanted.shape(-1);
    if (left.shape(-1) != m || right.shape(-1) != n)
        raise<shape_error>({"[", who, "] matrices ", left.shape(), " and ", right.shape(), " do not fit a right side ",
                            wanted.shape()});
    return sylvester_op::with_common_batches(
        left, right, wanted, who, [&](const auto&... x) { return call1(sylvester_op(discrete, who), x...); });
}

struct sqrtm_op : matrix_op<sqrtm_op> {
    static constexpr const char* name = "sqrtm";

    template <class A>
    auto value(const A& a) const {
        const auto y = a.clone();
        for_each_matrix(y, [](index_t, const auto& m) { principal(m, principal_function::square_root, name); });
        return make_pack(y);
    }
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>&, const pack<Y>& y, const pack<C>& bars) const {
        const auto turned = matrix_transpose(get<0>(y));
        return make_pack(call1(sylvester_op(false, name), turned, turned, get<0>(bars)));
    }
    /// X X' + X' X = A'.
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>&, const pack<Y>& y, const pack<const D*>& dots) const {
        return make_pack(call1(sylvester_op(false, name), get<0>(y), get<0>(y), *get<0>(dots)));
    }
};

struct logm_op : matrix_function_op<logm_op> {
    static constexpr const char* name = "logm";

    template <class A>
    auto value(const A& a) const {
        const auto y = a.clone();
        for_each_matrix(y, [](index_t, const auto& m) { principal(m, principal_function::logarithm, name); });
        return make_pack(y);
    }
};

}  // namespace detail

namespace linalg {

/// The principal square root of the square matrices in the last two axes: the X with X X = A whose eigenvalues have
/// real parts that are not negative, of a negative eigenvalue the one on the positive imaginary axis. By the complex
/// Schur form, in double, on the CPU. Throws value_error for a real matrix with a negative eigenvalue, which has no
/// real principal root (give it as a complex one), and for a singular one without a root; linalg_error for elements
/// that are not finite. Derivative: X X' + X' X = A', which is singular where A is (linalg_error).
/// (scipy.linalg.sqrtm; the root of a Hermitian matrix is a product of eigh's parts, faster.)
template <expression A>
auto sqrtm(const A& a) {
    return detail::call1(detail::sqrtm_op{}, detail::square_argument(a, "sqrtm"));
}
/// The principal logarithm of the square matrices in the last two axes: the X with matrix_exp(X) = A whose eigenvalues
/// have imaginary parts above -pi, up to pi. By roots of the complex Schur form and Pade approximants (Al-Mohy and
/// Higham 2012), in double, on the CPU. Throws value_error for singular matrices and for a real one with a negative
/// eigenvalue, which has no real logarithm (give it as a complex one); linalg_error for elements that are not finite.
/// The derivative along E is a block of the logarithm of [A E; 0 A]. (scipy.linalg.logm.)
template <expression A>
auto logm(const A& a) {
    return detail::call1(detail::logm_op{}, detail::square_argument(a, "logm"));
}

/// The X with A X + X B = Q, of square A (..., m, m) and B (..., n, n); leading axes broadcast. By the Schur forms of
/// both (Bartels and Stewart 1972), in double, on the CPU. Throws linalg_error where an eigenvalue of A and one of B
/// add up to 0, so that no X or many solve it, and for elements that are not finite; shape_error where extents do not
/// fit. Derivatives in all three, by the same equation. (scipy.linalg.solve_sylvester.)
template <expression A, expression B, expression Q>
auto solve_sylvester(const A& a, const B& b, const Q& q) {
    return detail::sylvester_solution(a, b, q, false, "solve_sylvester");
}
/// The X with A X + X A^H = Q. Else as solve_sylvester. (scipy.linalg.solve_continuous_lyapunov.)
template <expression A, expression Q>
auto solve_continuous_lyapunov(const A& a, const Q& q) {
    const auto x = evaluate(a);
    return detail::sylvester_solution(x, detail::adjoint(x), q, false, "solve_continuous_lyapunov");
}
/// The X with X - A X A^H = Q. Throws linalg_error where an eigenvalue of A and the conjugate of one multiply to 1.
/// Else as solve_sylvester. (scipy.linalg.solve_discrete_lyapunov.)
template <expression A, expression Q>
auto solve_discrete_lyapunov(const A& a, const Q& q) {
    const auto x = evaluate(a);
    return detail::sylvester_solution(x, detail::adjoint(x), q, true, "solve_discrete_lyapunov");
}

}  // namespace linalg
}  // namespace ricci
