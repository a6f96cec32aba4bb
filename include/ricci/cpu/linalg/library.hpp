// Factorizations of one matrix, by LAPACK where it is there and the matrix is large, else by kernels of our own.
#pragma once
#include "lapack.hpp"
#include "lu.hpp"
#include "qr.hpp"
#include "svd.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {
inline namespace RICCI_LAPACK_NAMESPACE {

template <class T>
void lu_of(const matrix_span<T>& a, index_t* swaps) {
#if defined(RICCI_USE_LAPACK)
    if (use_lapack<T>(a.rows, a.columns)) {
        lapack_lu(a, swaps);
        return;
    }
#endif
    factor_lu(a, swaps);
}
/// X becomes A^-1 X and A is spoilt; the place of a zero pivot, or -1.
template <class T>
index_t solve_system(const matrix_span<T>& a, const matrix_span<T>& x) {
    const matrix_buffer<index_t> swaps(1, a.rows);
#if defined(RICCI_USE_LAPACK)
    if (use_lapack<T>(a.rows, a.columns) && use_lapack<T>(a.rows, 64) && lapack_solve(a, x) == 0) return -1;
#endif
    factor_lu(a, swaps.data());
    if (const index_t k = zero_pivot(a); k >= 0) return k;
    solve_factored(a, swaps.data(), x);
    return -1;
}
template <class T>
index_t invert(const matrix_span<T>& a) {
    const index_t n = a.rows;
    const matrix_buffer<T> copy(n, n);
    copy_matrix(a, copy.span());
#if defined(RICCI_USE_LAPACK)
    if (use_lapack<T>(n, n)) {
        if (lapack_inverse(a) == 0) return -1;
    }
#endif
    fill_identity(a);
    const matrix_buffer<index_t> swaps(1, n);
    factor_lu(copy.span(), swaps.data());
    if (const index_t k = zero_pivot(copy.span()); k >= 0) return k;
    solve_factored(copy.span(), swaps.data(), a);
    return -1;
}
/// U, s and V^H of any matrix, which is spoilt; u and vh empty where only s is wanted.
template <class T>
bool svd_of(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
#if defined(RICCI_USE_LAPACK)
    if (use_lapack<T>(a.rows, a.columns)) return lapack_svd(a, u, s, vh) == 0;
#endif
    if (a.rows >= a.columns) return factor_tall_svd(a, u, s, vh);
    // A^H = V S U^H
    const bool vectors = u.rows > 0 || vh.rows > 0;
    const matrix_buffer<T> adjoint(a.columns, a.rows), v(vectors ? a.columns : 0, vh.rows),
        uh(vectors ? a.rows : 0, a.rows);
    copy_adjoint(a, adjoint.span());
    if (!factor_tall_svd(adjoint.span(), v.span(), s, uh.span())) return false;
    if (vectors) {
        copy_adjoint(v.span(), vh);
        copy_adjoint(uh.span(), u);
    }
    return true;
}
template <class T>
void qr_of(const matrix_span<T>& a, const matrix_span<T>& q) {
#if defined(RICCI_USE_LAPACK)
    if (use_lapack<T>(a.rows, a.columns) && lapack_qr(a, q) == 0) return;
#endif
    const matrix_buffer<T> tau(1, std::min(a.rows, a.columns));
    factor_qr(a, tau.data());
    if (q.columns > 0) form_q(a, tau.data(), q);
}

}  // namespace RICCI_LAPACK_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
