// Determinants of factored matrices, and their derivatives, of singular matrices too.
#pragma once
#include "../../core/product_in_range.hpp"
#include "lu.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {
inline namespace RICCI_LAPACK_NAMESPACE {

/// The determinant of a factored matrix as mantissa and logarithm: m exp(l), |m| = 1 or 0.
template <class T>
struct log_determinant {
    T sign{1};
    real_t<T> logarithm = 0;
    log_determinant(const matrix_span<T>& lu, const index_t* swaps) {
        for (index_t k = 0; k < lu.rows; ++k) {
            const T pivot = lu(k, k);
            const real_t<T> size = std::abs(pivot);
            if (swaps[k] != k) sign = -sign;
            sign = size == 0 ? T(0) : times(sign, T(pivot / size));
            logarithm += std::log(size);
        }
    }
};
/// The determinant of a factored matrix, whose pivots may change places.
template <class T>
T determinant(const matrix_span<T>& lu, const index_t* swaps) {
    bool odd = false;
    for (index_t k = 0; k < lu.rows; ++k) odd = odd != (swaps[k] != k);
    const T product = product_in_range(lu.data, lu.step + 1, lu.rows, [](const T& x) { return size_of(x); });
    return odd ? T(-product) : product;
}

/// What the derivatives of a determinant are made of: the inverse and the determinant or, of a matrix that is nearly
/// singular or has a determinant out of range, U, S and V^H and the determinant of U V^H. "Nearly" is a least pivot
/// below `worst` of the largest one.
template <class T>
struct determinant_parts {
    using R = real_t<T>;
    index_t n;
    bool regular = true;
    T factor{1};
    matrix_buffer<T> inverse, u, vh;
    matrix_buffer<R> s;

    explicit determinant_parts(index_t order)
        : n(order), inverse(order, order), u(order, order), vh(order, order), s(1, order) {}
    /// False where the singular values do not converge; `a` is spoilt.
    bool find(const matrix_span<T>& a, R worst) {
        using limits = std::numeric_limits<R>;
        const matrix_buffer<T> lu(n, n);
        const matrix_buffer<index_t> swaps(1, n);
        const auto factorize = [&](const matrix_span<T>& m) {
            copy_matrix(m, lu.span());
            factor_lu(lu.span(), swaps.data());
        };
        factorize(a);
        R least = limits::infinity(), most = 0;
        for (index_t k = 0; k < n; ++k) {
            least = std::min(least, std::abs(lu.span()(k, k)));
            most = std::max(most, std::abs(lu.span()(k, k)));
        }
        regular = !(least <= most * worst);  // of NaN, too; not of zeros
        if (regular) {
            fill_identity(inverse.span());
            solve_factored(lu.span(), swaps.data(), inverse.span());
            factor = determinant(lu.span(), swaps.data());
            const R size = size_of(factor);  // out of range, the cofactors may be in it
            regular = !(most <= limits::max()) || (limits::min() <= size && size <= limits::max());
            if (regular) return true;
        }
        if (!svd_of(a, u.span(), s.data(), vh.span())) return false;
        factor = T(1);
        for (const auto* unitary : {&u, &vh}) {
            factorize(unitary->span());
            factor = times(factor, determinant(lu.span(), swaps.data()));
        }
        return true;
    }
    /// The product of the singular values but for these two: they fall, so that what is larger than 1 meets the
    /// smallest.
    R others(index_t i, index_t j) const {
        R product = 1;
        for (index_t first = 0, last = n - 1; first <= last;) {
            const index_t k = product > 1 ? last-- : first++;
            if (k != i && k != j) product *= s.data()[k];
        }
        return product;
    }
    /// to = det(U V^H) conj(U) m conj(V^H); m and vh are spoilt.
    void turn_back(const matrix_span<T>& m, const matrix_span<T>& to) const {
        const matrix_buffer<T> half(n, n);
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                u.span()(i, j) = times(factor, conjugate(u.span()(i, j)));
                vh.span()(i, j) = conjugate(vh.span()(i, j));
            }
        multiply(u.span(), m, half.span());
        multiply(half.span(), vh.span(), to);
    }
};

/// The matrix of cofactors in place of the matrix: its determinant times its inverse's transpose, and the limit of
/// that for singular ones, from A = U S V^H: that of each factor.
template <class T>
bool cofactors(const matrix_span<T>& a) {
    const index_t n = a.rows;
    determinant_parts<T> parts(n);
    const matrix_buffer<T> middle(n, n);
    copy_matrix(a, middle.span());
    if (!parts.find(middle.span(), std::sqrt(std::numeric_limits<real_t<T>>::epsilon()))) return false;
    if (parts.regular) {
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) a(i, j) = times(parts.factor, parts.inverse.span()(j, i));
        return true;
    }
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) middle.span()(i, j) = i == j ? T(parts.others(i, i)) : T(0);
    parts.turn_back(middle.span(), a);
    return true;
}
/// b becomes the derivative of a's matrix of cofactors along b; a is spoilt. With W = A^-1 it is
/// det(A) (tr(W B) W - W B W)^T. Of a diagonal S, whose determinant's terms of second order are s_k ... (x_ii x_jj -
/// x_ij x_ji), all others' product, it is made of those products.
template <class T>
bool cofactor_changes(const matrix_span<T>& a, const matrix_span<T>& b) {
    using R = real_t<T>;
    const index_t n = a.rows;
    determinant_parts<T> parts(n);
    // the difference cancels more digits the less regular A is
    if (!parts.find(a, std::sqrt(std::sqrt(std::numeric_limits<R>::epsilon())))) return false;
    const matrix_buffer<T> half(n, n), middle(n, n);
    if (parts.regular) {
        const auto w = parts.inverse.span();
        multiply(w, b, half.span());
        multiply(half.span(), w, middle.span());
        T trace(0);
        for (index_t i = 0; i < n; ++i) trace += half.span()(i, i);
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                b(i, j) = times(parts.factor, T(times(trace, w(j, i)) - middle.span()(j, i)));
        return true;
    }
    const matrix_buffer<T> turned(n, n);
    copy_adjoint(parts.u.span(), turned.span());
    multiply(turned.span(), b, half.span());
    copy_adjoint(parts.vh.span(), turned.span());
    multiply(half.span(), turned.span(), middle.span());
    const auto from = middle.span(), to = half.span();
    for (index_t i = 0; i < n; ++i) to(i, i) = T(0);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < i; ++j) {
            const R others = parts.others(i, j);
            to(i, i) += from(j, j) * others;
            to(j, j) += from(i, i) * others;
            to(i, j) = -from(j, i) * others;
            to(j, i) = -from(i, j) * others;
        }
    parts.turn_back(to, b);
    return true;
}

}  // namespace RICCI_LAPACK_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
