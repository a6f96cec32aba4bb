// Linear algebra on the CPU: the decompositions of stacks of matrices, by kernels of our own or LAPACK, and what is
// wrong with a matrix that has none.
#pragma once
#include "../core/linalg_backend.hpp"
#include "../core/spinlock.hpp"
#include "executor.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/determinant.hpp"
#include "linalg/eigh.hpp"
#include "linalg/exponential.hpp"
#include "linalg/least_squares.hpp"
#include "linalg/library.hpp"
#include "linalg/small_jacobi.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {
inline namespace RICCI_LAPACK_NAMESPACE {

/// Dense matrices one after the other.
template <class T>
struct matrix_stack {
    T* data;
    index_t count, rows, columns;

    matrix_span<T> operator[](index_t i) const { return {data + i * rows * columns, rows, columns, columns}; }
};
template <class T, int R, class D>
matrix_stack<T> stack_of(const tensor<T, R, D>& x) {
    index_t count = 1;
    for (int d = 0; d < R - 2; ++d) count *= x.shape()[d];
    return {x.data(), count, x.shape()[R - 2], x.shape()[R - 1]};
}

/// The first matrix of a stack that failed, and how.
class first_failure {
   public:
    void report(index_t matrix, index_t code) {
        const spin_guard guard(lock_);
        if (matrix_ >= 0 && matrix_ <= matrix) return;
        matrix_ = matrix;
        code_ = code;
    }
    explicit operator bool() const { return matrix_ >= 0; }
    index_t matrix() const { return matrix_; }
    index_t code() const { return code_; }
    /// "the matrix" or "matrix 3 of the batch".
    std::string subject(index_t count) const {
        return count == 1 ? "the matrix" : "matrix " + std::to_string(matrix_) + " of the batch";
    }

   private:
    spinlock lock_;
    index_t matrix_ = -1, code_ = 0;
};
inline void check_singular(const first_failure& f, const char* op, index_t count) {
    if (f)
        raise<linalg_error>(
            {"[", op, "] ", f.subject(count).c_str(), " is singular: U(", f.code(), ", ", f.code(), ") is 0"});
}
inline void check_converged(const first_failure& f, const char* op, index_t count) {
    if (f) raise<linalg_error>({"[", op, "] the iteration for ", f.subject(count).c_str(), " does not converge"});
}
inline void check_positive(const first_failure& f, index_t count) {
    if (f)
        raise<linalg_error>({"[cholesky] ", f.subject(count).c_str(),
                             " is not positive definite: the leading minor of order ", f.code(), " is not positive"});
}
inline void check_triangle(const first_failure& f, const char* op, index_t count) {
    if (f)
        raise<linalg_error>({"[", op, "] ", f.subject(count).c_str(), " is singular: the element (", f.code(), ", ",
                             f.code(), ") is 0"});
}
inline void refuse_not_finite(const first_failure& f, index_t count, index_t columns, const char* op) {
    if (f)
        raise<linalg_error>({"[", op, "] ", f.subject(count).c_str(), " has an element that is not finite, at (",
                             f.code() / columns, ", ", f.code() % columns, ")"});
}
/// Refuses elements that are NaN or infinite, of the lower triangles if so asked.
template <class T>
void check_finite(const matrix_stack<T>& a, const char* op, bool lower = false) {
    first_failure f;
    for_matrices(a.count, a.rows * a.columns, [&](index_t k) {
        const auto m = a[k];
        for (index_t i = 0; i < m.rows; ++i)
            for (index_t j = 0; j < (lower ? i + 1 : m.columns); ++j)
                if (!is_finite(m(i, j))) return f.report(k, i * m.columns + j);
    });
    refuse_not_finite(f, a.count, a.columns, op);
}
/// one(matrix number) for each of some matrices.
template <class One>
auto each_of(const One& one) {
    return [&one](index_t first, index_t count) {
        for (index_t i = first; i < first + count; ++i) one(i);
    };
}
/// body(matrix number), several at a time unless a library that has threads of its own does the work.
template <class Body>
void for_factorizations(index_t count, index_t work, bool library, const Body& body) {
    if (!library) return for_matrices(count, work, body);
    for (index_t i = 0; i < count; ++i) body(i);
}

}  // namespace RICCI_LAPACK_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace detail

/// Arguments are dense arrays, the first one spoilt unless it is said otherwise; results are new and dense.
template <>
struct linalg_backend<cpu_device> {
    template <class T, int R>
    using stack = detail::matrix_stack<T>;

    /// x = a^-1 x for each matrix; one matrix for all right sides if a has only one.
    template <class T, int Q, int R>
    static void solve(const tensor<T, Q>& a, const tensor<T, R>& x) {
        const auto as = detail::stack_of(a), xs = detail::stack_of(x);
        const index_t n = as.rows;
        detail::first_failure f;
        if (as.count == 1 && xs.count > 1) {
            const detail::matrix_buffer<index_t> swaps(1, n);
            return factor_and_solve(a, swaps.data(), x);
        }
        const auto one = [&](index_t i) {
            if (const index_t k = detail::solve_system(as[i], xs[i]); k >= 0) f.report(i, k);
        };
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>)
            if (detail::fits_lanes<T>(as.count, n) && xs.columns >= 1 && xs.columns <= 8) {
                detail::solve_small<Q>(as.data, xs.data, as.count, n, xs.columns, detail::each_of(one));
                return detail::check_singular(f, "solve", as.count);
            }
#endif
        detail::for_matrices(xs.count, n * n * (n + xs.columns), one);
        detail::check_singular(f, "solve", as.count);
    }
    /// The same with a's factors in its place, and how its rows were exchanged: n numbers for each matrix.
    template <class T, int Q, int R>
    static void factor_and_solve(const tensor<T, Q>& a, index_t* swaps, const tensor<T, R>& x) {
        const auto as = detail::stack_of(a), xs = detail::stack_of(x);
        const index_t n = as.rows;
        detail::first_failure f;
        detail::for_matrices(as.count, n * n * n, [&](index_t i) {
            detail::factor_lu(as[i], swaps + i * n);
            if (const index_t k = detail::zero_pivot(as[i]); k >= 0) f.report(i, k);
        });
        detail::check_singular(f, "solve", as.count);
        detail::for_matrices(xs.count, n * n * xs.columns, [&](index_t i) {
            const index_t k = as.count == 1 ? 0 : i;
            detail::solve_factored(as[k], swaps + k * n, xs[i]);
        });
    }
    /// x = a^-T x by these factors.
    template <class T, int Q, int R>
    static void solve_transposed(const tensor<T, Q>& lu, const index_t* swaps, const tensor<T, R>& x, const char* op) {
        const auto as = detail::stack_of(lu), xs = detail::stack_of(x);
        const index_t n = as.rows;
        detail::first_failure f;
        for (index_t i = 0; i < as.count; ++i)
            if (const index_t k = detail::zero_pivot(as[i]); k >= 0) f.report(i, k);
        detail::check_singular(f, op, as.count);
        detail::for_matrices(xs.count, n * n * xs.columns, [&](index_t i) {
            const index_t k = as.count == 1 ? 0 : i;
            detail::solve_factored_transposed(as[k], swaps + k * n, xs[i]);
        });
    }
    /// x = a^-1 x for triangular matrices, of which the other triangle is not read; a keeps its elements.
    template <class T, int R>
    static void solve_triangular(const tensor<T, R>& a, const tensor<T, R>& x, bool upper, bool unit) {
        const auto as = detail::stack_of(a), xs = detail::stack_of(x);
        const index_t n = as.rows;
        detail::first_failure f;
        if (!unit)
            for (index_t i = 0; i < as.count; ++i)
                if (const index_t k = detail::zero_pivot(as[i]); k >= 0) f.report(i, k);
        detail::check_triangle(f, "solve_triangular", as.count);
        detail::for_matrices(xs.count, n * n * xs.columns, [&](index_t i) {
            detail::solve_triangle(detail::triangle<T>{as[i].data, n, 1, upper, unit}, xs[i]);
        });
    }
    /// y = a^-1; a, of any layout, keeps its elements.
    template <class T, int R>
    static void inverse(const tensor<T, R>& a, const tensor<std::remove_const_t<T>, R>& y) {
        using E [[maybe_unused]] = std::remove_const_t<T>;
        const auto ys = detail::stack_of(y);
        const index_t n = ys.rows;
        detail::first_failure f;
        const auto one = [&](index_t i) {
            if (const index_t k = detail::invert(ys[i]); k >= 0) f.report(i, k);
        };
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<E>)
            if (detail::fits_lanes<E>(ys.count, n)) {
                const auto dense = detail::dense_of(a);
                detail::invert_small<R, E>(
                    dense.data(), y.data(), ys.count, static_cast<int>(n), [&](index_t first, index_t count) {
                        std::copy(dense.data() + first * n * n, dense.data() + (first + count) * n * n,
                                  y.data() + first * n * n);
                        for (index_t i = first; i < first + count; ++i) one(i);
                    });
                return detail::check_singular(f, "inv", ys.count);
            }
#endif
        executor<cpu_device>::copy(a, y);
        detail::for_matrices(ys.count, 2 * n * n * n, one);
        detail::check_singular(f, "inv", ys.count);
    }
    /// a = L and U in one; order: the rows of P A are these rows of A.
    template <class T, int R>
    static void lu(const tensor<T, R>& a, index_t* order) {
        const auto as = detail::stack_of(a);
        for_lu(as, [&](index_t i, const index_t* swaps) {
            index_t* const to = order + i * as.rows;
            for (index_t k = 0; k < as.rows; ++k) to[k] = k;
            for (index_t k = 0; k < std::min(as.rows, as.columns); ++k) std::swap(to[k], to[swaps[k]]);
        });
    }
    /// The same without exchanging rows.
    template <class T, int R>
    static void lu_in_order(const tensor<T, R>& a) {
        const auto as = detail::stack_of(a);
        const index_t steps = std::min(as.rows, as.columns);
        detail::for_matrices(as.count, as.rows * as.columns * steps, [&](index_t i) {
            const detail::matrix_buffer<index_t> swaps(1, steps);
            detail::factor_lu<false>(as[i], swaps.data());
        });
    }
    /// a, of any layout, keeps its elements.
    template <class T, int R>
    static void determinants(const tensor<T, R>& a, std::remove_const_t<T>* to) {
        using E [[maybe_unused]] = std::remove_const_t<T>;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<E>) {
            const auto as = detail::stack_of(a);
            if (detail::fits_lanes<E>(as.count, as.rows)) {
                const auto dense = detail::dense_of(a);
                return detail::small_determinants<R, E>(dense.data(), to, as.count, as.rows);
            }
        }
#endif
        const auto factors = a.clone();
        const auto as = detail::stack_of(factors);
        for_lu(as, [&](index_t i, const index_t* swaps) { to[i] = detail::determinant(as[i], swaps); });
    }
    /// With `kept`, where the exchanges of rows go, n for each matrix, a = its factors; without, what a has then is of
    /// no use.
    template <class T, int R>
    static void log_determinants(const tensor<T, R>& a, T* sign, real_t<T>* logarithm, index_t* kept = nullptr) {
        const auto as = detail::stack_of(a);
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>)
            if (!kept && detail::fits_lanes<T>(as.count, as.rows))
                return detail::small_log_determinants<R>(as.data, sign, logarithm, as.count, as.rows);
#endif
        for_lu(as, [&](index_t i, const index_t* swaps) {
            if (kept) std::copy(swaps, swaps + as.rows, kept + i * as.rows);
            const detail::log_determinant<T> d(as[i], swaps);
            sign[i] = d.sign;
            logarithm[i] = d.logarithm;
        });
    }
    template <class T, int R>
    static void cofactors(const tensor<T, R>& a) {
        const auto as = detail::stack_of(a);
        detail::first_failure f;
        detail::for_matrices(as.count, 4 * as.rows * as.rows * as.rows, [&](index_t i) {
            if (!detail::cofactors(as[i])) f.report(i, 0);
        });
        detail::check_converged(f, "det", as.count);
    }
    /// b = the derivatives of the matrices of cofactors of a along b.
    template <class T, int R>
    static void cofactor_changes(const tensor<T, R>& a, const tensor<T, R>& b) {
        const auto as = detail::stack_of(a), bs = detail::stack_of(b);
        detail::first_failure f;
        detail::for_matrices(as.count, 8 * as.rows * as.rows * as.rows, [&](index_t i) {
            if (!detail::cofactor_changes(as[i], bs[i])) f.report(i, 0);
        });
        detail::check_converged(f, "det", as.count);
    }
    /// a = its factor, zeros above the diagonal.
    template <class T, int R>
    static void cholesky(const tensor<T, R>& a) {
        const auto as = detail::stack_of(a);
        const index_t n = as.rows;
        detail::first_failure f;
        const auto one = [&](index_t i) {
            const auto m = as[i];
            const index_t order = detail::factor_cholesky(m);
            if (order) return f.report(i, order);
            for (index_t r = 0; r < n; ++r) std::fill(m.row(r) + r + 1, m.row(r) + n, T(0));
        };
        const auto every = [&] {
#if defined(RICCI_HAS_SIMD)
            if constexpr (simd_supported<T>)
                if (detail::fits_lanes<T>(as.count, n))
                    return detail::small_cholesky<R>(as.data, as.count, n, detail::each_of(one));
#endif
            detail::for_matrices(as.count, n * n * n, one);
        };
        every();
        detail::check_positive(f, as.count);
    }
    /// g, the cotangent of a's factor l, becomes that of a, spread evenly over both triangles.
    template <class T, int R>
    static void cholesky_adjoint(const tensor<T, R>& l, const tensor<T, R>& g) {
        const auto ls = detail::stack_of(l), gs = detail::stack_of(g);
        const index_t n = ls.rows;
        detail::for_matrices(ls.count, 2 * n * n * n, [&](index_t i) {
            detail::pull_cholesky(ls[i], gs[i]);
            for (index_t e = 0; e < n * n; ++e) gs[i].data[e] *= real_t<T>(0.5);
        });
    }
    /// r has zeros below its diagonal; q is empty where it is not wanted.
    template <class T, int R>
    static void qr(const tensor<T, R>& a, const tensor<T, R>& q, const tensor<T, R>& r) {
        const auto as = detail::stack_of(a), qs = detail::stack_of(q), rs = detail::stack_of(r);
        detail::for_factorizations(as.count, 2 * as.rows * as.columns * as.columns,
                                   detail::use_lapack(as.rows, as.columns, detail::lapack_from<T>::qr), [&](index_t i) {
                                       detail::qr_of(as[i], qs[i]);
                                       detail::copy_upper(as[i], rs[i]);
                                   });
    }
    /// a = the eigenvectors, where they are wanted.
    template <class T, int R>
    static void eigh(const tensor<T, R>& a, real_t<T>* w, bool vectors, const char* op) {
        const auto as = detail::stack_of(a);
        const index_t n = as.rows;
        detail::check_finite(as, op, true);
        detail::first_failure f;
        const bool library = detail::use_lapack(n, n, detail::lapack_from<T>::eigh);
        const auto one = [&](index_t i) {
#if defined(RICCI_USE_LAPACK)
            if (library) {
                if (detail::lapack_eigh(as[i], w + i * n, vectors) != 0) f.report(i, 0);
                return;
            }
#endif
            if (!detail::factor_eigh(as[i], w + i * n, vectors)) f.report(i, 0);
        };
        const auto every = [&] {
#if defined(RICCI_HAS_SIMD)
            if constexpr (simd_supported<T>)
                if (detail::suits_jacobi_lanes<T>(as.count, n))
                    return detail::eigh_small<R>(as.data, w, as.count, n, vectors, detail::each_of(one));
#endif
            detail::for_factorizations(as.count, 8 * n * n * n, library, one);
        };
        every();
        detail::check_converged(f, op, as.count);
    }
    /// u and vh are empty where they are not wanted.
    template <class T, int R>
    static void svd(const tensor<T, R>& a, const tensor<T, R>& u, real_t<T>* s, const tensor<T, R>& vh, bool vectors,
                    const char* op) {
        const auto as = detail::stack_of(a), us = detail::stack_of(u), vs = detail::stack_of(vh);
        const index_t k = std::min(as.rows, as.columns);
        detail::check_finite(as, op);
        detail::first_failure f;
        const detail::matrix_span<T> nowhere{nullptr, 0, 0, 0};
        const auto one = [&](index_t i) {
            if (!detail::svd_of(as[i], vectors ? us[i] : nowhere, s + i * k, vectors ? vs[i] : nowhere)) f.report(i, 0);
        };
        const auto every = [&] {
#if defined(RICCI_HAS_SIMD)
            if constexpr (simd_supported<T>)
                if (as.rows == as.columns && detail::suits_jacobi_lanes<T>(as.count, k))
                    return detail::svd_small<R>(as.data, vectors ? us.data : nullptr, s, vs.data, as.count, k,
                                                detail::each_of(one));
#endif
            const bool library = detail::use_lapack(as.rows, as.columns, detail::lapack_from<T>::svd);
            detail::for_factorizations(as.count, 16 * as.rows * as.columns * k, library, one);
        };
        every();
        detail::check_converged(f, op, as.count);
    }
    /// x = the shortest of those with the least |a x - b|; b, too, is spoilt. s: a's values, of which those up to
    /// `relative` times the largest count as 0.
    template <class T, int R>
    static void least_squares(const tensor<T, R>& a, const tensor<T, R>& b, const tensor<T, R>& x, real_t<T>* s,
                              real_t<T> relative, const char* op) {
        const auto as = detail::stack_of(a), bs = detail::stack_of(b), xs = detail::stack_of(x);
        const index_t k = std::min(as.rows, as.columns);
        detail::check_finite(as, op);
        detail::first_failure f;
        detail::for_matrices(as.count, as.rows * as.columns * (4 * k + bs.columns), [&](index_t i) {
            if (!detail::least_squares(as[i], bs[i], xs[i], s + i * k, relative)) f.report(i, 0);
        });
        detail::check_converged(f, op, as.count);
    }
    template <class T, int R, class C>
    static void eig(const tensor<T, R>& a, C* w, const tensor<C, R>& v, bool vectors, const char* op) {
        const auto as = detail::stack_of(a);
        const auto vs = detail::stack_of(v);
        detail::check_finite(as, op);
        detail::first_failure f;
#if defined(RICCI_USE_LAPACK)
        const detail::matrix_span<C> nowhere{nullptr, 0, 0, 0};
        for (index_t i = 0; i < as.count && as.rows > 0; ++i)
            if (detail::lapack_eig(as[i], w + i * as.rows, vectors ? vs[i] : nowhere) != 0) f.report(i, 0);
#else
        (void)w, (void)vs, (void)vectors;
        static_assert(
            always_false<T>,
            "ricci: linalg::eig and eigvals need LAPACK: define RICCI_USE_LAPACK (CMake: link ricci::lapack)");
#endif
        detail::check_converged(f, op, as.count);
    }
    template <class T, int R>
    static void exponential(const tensor<T, R>& a) {
        const auto as = detail::stack_of(a);
        detail::for_matrices(as.count, 20 * as.rows * as.rows * as.rows, [&](index_t i) {
            if (as.rows > 0) detail::pade<T>(as[i]).run();
        });
    }

   private:
    template <class T, class Then>
    static void for_lu(const detail::matrix_stack<T>& as, const Then& then) {
        const index_t m = as.rows, n = as.columns;
        detail::for_matrices(as.count, m * n * std::min(m, n), [&](index_t i) {
            const detail::matrix_buffer<index_t> swaps(1, std::min(m, n));
            detail::factor_lu(as[i], swaps.data());
            then(i, swaps.data());
        });
    }
};

}  // namespace ricci
