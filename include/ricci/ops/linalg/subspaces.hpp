// Orthonormal bases of a matrix's kernel and range: null_space, orth.
#pragma once
#include "../index/mask.hpp"
#include "factor.hpp"
#include "svd.hpp"

namespace ricci {
namespace detail {

inline constexpr const char* rank_decides =
    "how many vectors a basis has depends on the matrix, which vmap makes differ between the members of a batch: pinv "
    "gives projectors, whose shape does not";

/// An orthonormal basis of the range of a projector P near a given basis N, of which P N is given: P N L^-H with
/// L L^H = N^H P N. It is N where P is N's, and as smooth as P.
template <class P, class N>
auto moved_basis(const P& projected, const N& basis) {
    const auto l = call1(cholesky_op{}, hermitian_part(product(adjoint(basis), projected)));
    return triangular_solve_right(adjoint(l), projected, true);
}
/// A basis of the kernel, the last columns of V, or of the range, the first ones of U.
template <bool Kernel, class A>
auto subspace(const A& a, double rcond, const char* who) {
    const auto plain = plain_values(a, who, rank_decides);
    const index_t m = plain.shape()[0], n = plain.shape()[1];
    const auto y = svd_parts(plain, Kernel, who);
    const index_t rank = sum(astype<index_t>(counted(get<1>(y), rcond, m, n))).item();
    const auto basis = [&] {
        if constexpr (Kernel) return evaluate(adjoint(stretch_of(get<2>(y), 0, rank, n - rank)));
        else return get<0>(y)(all, slice(0, rank)).clone();
    }();
    if constexpr (std::is_void_v<typename A::wrapper>) {
        return basis;
    } else {
        const auto inverse = call1(pinv_op(rcond), a);
        if constexpr (Kernel) return moved_basis(evaluate(basis - product(inverse, product(a, basis))), basis);
        else return moved_basis(product(a, product(inverse, basis)), basis);
    }
}

}  // namespace detail

namespace linalg {

/// An orthonormal basis, the columns, of the x with A x = 0, of one matrix (m, n): (n, n - rank), of the rank that
/// matrix_rank and pinv count, singular values up to `rcond` times the largest being 0; a negative rcond stands for
/// max(m, n) eps. A basis is determined up to rotations: the derivative, at constant rank, is right for functions that
/// do not depend on the choice. Under vmap the members must share the matrix (value_error). (scipy.linalg.null_space.)
template <expression A>
auto null_space(const A& a, detail::plain_number rcond = -1) {
    static_assert(A::rank == 2, "ricci: null_space takes one matrix: those of a stack differ in rank");
    return detail::subspace<true>(detail::matrix_argument(a), rcond, "null_space");
}
/// An orthonormal basis, the columns, of what A x can be, of one matrix (m, n): (m, rank). Else as null_space.
/// (scipy.linalg.orth.)
template <expression A>
auto orth(const A& a, detail::plain_number rcond = -1) {
    static_assert(A::rank == 2, "ricci: orth takes one matrix: those of a stack differ in rank");
    return detail::subspace<false>(detail::matrix_argument(a), rcond, "orth");
}

}  // namespace linalg
}  // namespace ricci
