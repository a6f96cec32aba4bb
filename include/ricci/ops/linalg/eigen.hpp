// Eigenvalues and eigenvectors: eigh, also of two matrices, eigvalsh, eig, eigvals.
#pragma once
#include "factor.hpp"

namespace ricci {
namespace detail {

// What belongs to one eigenvalue of several vectors can be turned at will, and functions of the vectors that do not see
// it have no derivative along that. But V f(w) V^-1, which does not see it either, moves by f', which the cotangents do
// not show: of functions of both w and V the derivative is NaN where eigenvalues are equal.

/// 1 / (w_j - w_i) in row i and column j, where they are equal `at_zero`.
template <class W, class Z>
auto inverse_gaps(const W& w, const Z& at_zero) {
    return inverse_of_pairs(evaluate(as_row(w) - as_column(w)), at_zero);
}
/// How V turns in its own basis as A moves by `inner` there.
template <class A, class W>
auto turned(const A& inner, const W& w) {
    return evaluate(inner * inverse_gaps(w, undetermined<real_t<typename A::value_type>>(abs(inner) != 0)));
}

/// The eigenvalues of Hermitian matrices, ascending, and eigenvectors.
struct eigh_op : matrix_op<eigh_op> {
    static constexpr const char* name = "eigh";

    template <class A>
    auto value(const A& a) const {
        using D = typename A::device_type;
        want_linalg<D>();
        const auto v = a.clone();
        auto w = tensor<real_t<typename A::value_type>, A::rank - 1, D>::uninitialized(
            vector_shape(batch_shape(a.shape()), a.shape()[A::rank - 1]));
        linalg_backend<D>::eigh(v, w.data(), true, name);
        return make_pack(w, v);
    }
    template <class Active, class A, class W, class V, class WBar, class VBar>
    auto adjoints(const pack<const A*>&, const pack<W, V>& y, const pack<WBar, VBar>& bars) const {
        using T = typename A::value_type;
        using R = real_t<T>;
        const auto& w = get<0>(y);
        const auto& vectors = get<1>(y);
        const auto h = adjoint(vectors);
        const auto w_bar = evaluate_as<T>(whole_cotangent(get<0>(bars), w.shape()));
        const auto v_bar = conjugated(whole_cotangent(get<1>(bars), vectors.shape()));
        auto inner = diagonal_matrix(w_bar);
        if (has_cotangent(get<1>(bars), vectors.shape())) {
            const auto gaps = inverse_gaps(w, undetermined<R>(has_cotangent(get<0>(bars), w.shape())));
            inner = evaluate(product(h, v_bar) * gaps + inner);
        }
        return make_pack(conjugated(hermitian_part(product(vectors, inner, h))));
    }
    template <class Active, class A, class W, class V, class D>
    auto tangents(const pack<const A*>&, const pack<W, V>& y, const pack<const D*>& dots) const {
        const auto& v = get<1>(y);
        const auto inner = product(adjoint(v), hermitian_part(*get<0>(dots)), v);
        return make_pack(real_diagonal(inner), product(v, turned(inner, get<0>(y))));
    }
};

/// The eigenvalues and eigenvectors of any square matrices, complex.
struct eig_op : matrix_op<eig_op> {
    static constexpr const char* name = "eig";

    template <class A>
    auto value(const A& a) const {
        using D = typename A::device_type;
        using C = std::complex<real_t<typename A::value_type>>;
        want_linalg<D>();
        auto w = tensor<C, A::rank - 1, D>::uninitialized(vector_shape(batch_shape(a.shape()), a.shape()[A::rank - 1]));
        const auto v = tensor<C, A::rank, D>::uninitialized(a.shape());
        linalg_backend<D>::eig(a.clone(), w.data(), v, true, name);
        return make_pack(w, v);
    }
    /// Of torch's linalg_eig_backward (Boeddeker et al. 2017, section 4.6, with vectors of length 1).
    template <class Active, class A, class W, class V, class WBar, class VBar>
    auto adjoints(const pack<const A*>&, const pack<W, V>& y, const pack<WBar, VBar>& bars) const {
        using C = typename V::value_type;
        using R = real_t<C>;
        const auto& w = get<0>(y);
        const auto& v = get<1>(y);
        const auto h = adjoint(v);
        const auto w_bar = conjugated(whole_cotangent(get<0>(bars), w.shape()));
        const auto v_bar = conjugated(whole_cotangent(get<1>(bars), v.shape()));
        const auto along = product(h, v_bar);
        const auto lengths = evaluate(astype<C>(as_row(real_diagonal(along))));
        const auto across = evaluate(along - product(h, evaluate(v * lengths)));
        auto inner = diagonal_matrix(w_bar);
        if (has_cotangent(get<1>(bars), v.shape())) {
            const auto gaps = inverse_gaps(w, undetermined<R>(has_cotangent(get<0>(bars), w.shape())));
            inner = evaluate(across * conjugated(gaps) + inner);
        }
        return make_pack(in_type<typename A::value_type>(conjugated(call1(solve_op{}, h, product(inner, h)))));
    }
    template <class Active, class A, class W, class V, class D>
    auto tangents(const pack<const A*>&, const pack<W, V>& y, const pack<const D*>& dots) const {
        using C = typename V::value_type;
        const auto& v = get<1>(y);
        const auto inner = call1(solve_op{}, v, product(evaluate_as<C>(*get<0>(dots)), v));
        const auto moved = product(v, turned(inner, get<0>(y)));
        const auto lengths = evaluate(astype<C>(as_row(real_diagonal(product(adjoint(v), moved)))));
        return make_pack(evaluate(diagonal_of(inner)), evaluate(moved - v * lengths));
    }
};

template <bool Hermitian, class A>
auto eigenvalues(const A& a, const char* op) {
    using T = typename A::value_type;
    using W = std::conditional_t<Hermitian, real_t<T>, std::complex<real_t<T>>>;
    if constexpr (std::is_void_v<typename A::wrapper>) {  // without vectors
        using D = typename A::device_type;
        want_linalg<D>();
        auto w = tensor<W, A::rank - 1, D>::uninitialized(vector_shape(batch_shape(a.shape()), a.shape()[A::rank - 1]));
        const auto spoilt = a.clone();
        if constexpr (Hermitian) linalg_backend<D>::eigh(spoilt, w.data(), false, op);
        else linalg_backend<D>::eig(spoilt, w.data(), tensor<W, A::rank, D>(), false, op);
        return w;
    } else {
        return call1(std::conditional_t<Hermitian, eigh_op, eig_op>{}, a);
    }
}

/// L^-1 A L^-H, Hermitian, and L, for B = L L^H: the problem A v = w B v as one of a single matrix, whose eigenvectors
/// are L^H v.
template <class A, class B>
auto reduced_problem(const A& a, const B& b, const char* op) {
    using T = promote_t<matrix_element<typename A::value_type>, matrix_element<typename B::value_type>>;
    const auto x = square_argument(as_type<T>(a), op);
    const auto l = linalg::cholesky(square_argument(as_type<T>(b), op));
    if (x.shape()[A::rank - 1] != l.shape()[B::rank - 1])
        raise<shape_error>({"[", op, "] the matrices must have the same size: ", x.shape(), " and ", l.shape()});
    const auto half = linalg::solve_triangular(l, x, false);
    return std::make_tuple(linalg::solve_triangular(l, adjoint(half), false), l);
}

}  // namespace detail

namespace linalg {

/// Which triangle of a Hermitian matrix is read.
enum class triangle { lower, upper };

/// The result of eigh and eig: for bindings, std::get and std::tie as a tuple is.
template <class Values, class Vectors>
struct eigen_result {
    using ricci_named = void;
    Values eigenvalues;
    Vectors eigenvectors;
    friend auto members(const eigen_result& y) { return std::tie(y.eigenvalues, y.eigenvectors); }
    operator std::tuple<Values&, Vectors&>() { return {eigenvalues, eigenvectors}; }
    template <detail::no_reference... T>
    operator std::tuple<T...>() const {
        return members(*this);
    }
};
/// The eigenvalues w, real and ascending, and an orthonormal basis of eigenvectors, the columns of V, of the
/// Hermitian matrices in the last two axes: A V = V diag(w). One triangle is read, the lower
/// one unless it is said otherwise. Throws linalg_error for elements that are not finite. Eigenvectors are determined
/// up to factors of absolute value 1, and those of equal eigenvalues up to rotations: the derivative is right for
/// functions that do not depend on these, but NaN where eigenvalues are equal and the function uses w as well as V
/// (backward) or A moves so as to part them (forward). It is spread evenly over both triangles.
template <expression A>
auto eigh(const A& a, triangle part = triangle::lower) {
    const auto x = detail::square_argument(a, "eigh");
    return detail::named<eigen_result>(
        detail::call(detail::eigh_op{}, part == triangle::lower ? x : detail::adjoint(x)));
}
/// The eigenvalues alone, of eigh. Second derivatives, which go through the vectors, are NaN at equal ones.
template <expression A>
auto eigvalsh(const A& a, triangle part = triangle::lower) {
    const auto x = detail::square_argument(a, "eigvalsh");
    return detail::eigenvalues<true>(part == triangle::lower ? x : detail::adjoint(x), "eigvalsh");
}
/// Of two matrices, A Hermitian and B Hermitian and positive definite: the w, real and ascending, and V with A V = B V
/// diag(w) and V^H B V = 1, by B's Cholesky factor. Batches broadcast; of B the lower triangle is read, of A both.
/// Throws linalg_error for a B that is not positive definite, shape_error for matrices that differ in size. Derivatives
/// in A and B as of one matrix. (scipy.linalg.eigh(a, b).)
template <expression A, expression B>
auto eigh(const A& a, const B& b) {
    const auto [reduced, l] = detail::reduced_problem(a, b, "eigh");
    const auto y = eigh(reduced);
    const auto v = solve_triangular(detail::adjoint(l), y.eigenvectors, true);
    return eigen_result<std::remove_cvref_t<decltype(y.eigenvalues)>, std::remove_cvref_t<decltype(v)>>{y.eigenvalues,
                                                                                                        v};
}
template <expression A, expression B>
auto eigvalsh(const A& a, const B& b) {
    return eigvalsh(std::get<0>(detail::reduced_problem(a, b, "eigvalsh")));
}
/// The eigenvalues w, complex and in no order, and eigenvectors of length 1, the columns of V, of any square matrices
/// in the last two axes: A V = V diag(w). Needs LAPACK (ricci::lapack). Throws linalg_error
/// for elements that are not finite. Eigenvectors are determined up to a factor of absolute value 1: the derivative
/// is right for functions that do not depend on it; at equal eigenvalues as eigh's.
template <expression A>
auto eig(const A& a) {
    return detail::named<eigen_result>(detail::call(detail::eig_op{}, detail::square_argument(a, "eig")));
}
/// The eigenvalues alone, of eig.
template <expression A>
auto eigvals(const A& a) {
    return detail::eigenvalues<false>(detail::square_argument(a, "eigvals"), "eigvals");
}

}  // namespace linalg
}  // namespace ricci
