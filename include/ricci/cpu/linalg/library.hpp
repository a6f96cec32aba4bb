// Orthogonal factorizations of one matrix, by LAPACK where it is there and the matrix is large, else by kernels of our
// own.
#pragma once
#include "lapack.hpp"
#include "lu.hpp"
#include "qr.hpp"
#include "svd.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {
inline namespace RICCI_LAPACK_NAMESPACE {

/// U, s and V^H of any matrix, which is spoilt; u and vh empty where only s is wanted.
template <class T>
bool svd_of(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
#if defined(RICCI_USE_LAPACK)
    if (use_lapack(a.rows, a.columns, lapack_from<T>::svd)) return lapack_svd(a, u, s, vh) == 0;
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
    if (use_lapack(a.rows, a.columns, lapack_from<T>::qr)) {
        if (const int info = lapack_qr(a, q); info != 0) raise<linalg_error>({"[qr] LAPACK ends with info = ", info});
        return;
    }
#endif
    const matrix_buffer<T> tau(1, std::min(a.rows, a.columns));
    factor_qr(a, tau.data());
    if (q.columns > 0) form_q(a, tau.data(), q);
}

}  // namespace RICCI_LAPACK_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
