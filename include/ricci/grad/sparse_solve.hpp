// Sparse systems solved by their LU factors, differentiable as the iterative solvers are: spsolve.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "../cpu/sparse_lu.hpp"
#include "iterative.hpp"

namespace ricci {
namespace detail {

/// The factors of the last matrix that was solved with, for the right sides that follow: other columns, a batch's
/// members, derivatives.
template <class T>
class kept_factors {
   public:
    /// The factors of the matrix of a pattern that is the same at every call, whose columns are its rows.
    const sparse_lu<T>& of(const csr_pattern& pattern, const tensor<T, 1>& values) {
        if (!factors_ || !std::equal(values_.begin(), values_.end(), values.data())) {
            values_.assign(values.data(), values.data() + values.size());
            factors_.emplace(pattern.extents[0], pattern.offsets.data(), pattern.columns.data(), values.data());
        }
        return *factors_;
    }
    std::mutex& mutex() { return mutex_; }

   private:
    std::vector<T> values_;
    std::optional<sparse_lu<T>> factors_;
    std::mutex mutex_;
};

/// The method of krylov_op that factorizes.
template <class T>
struct direct_method {
    std::shared_ptr<kept_factors<T>> kept;

    template <bool Transposed, class V>
    void solve(const sparse_operator<Transposed>& matrix, const V& values, const tensor<T, 1>& b,
               const tensor<T, 1>& x) const {
        matrix.pattern.check_unchanged();
        std::copy_n(b.data(), b.size(), x.data());
        const std::scoped_lock lock(kept->mutex());
        const sparse_lu<T>& factors = kept->of(matrix.pattern, dense_of(values));  // of the transpose
        if constexpr (Transposed) factors.solve(x.data());
        else factors.solve_transposed(x.data());
    }
};
template <class T>
direct_method<T> restarted(const direct_method<T>& m) {
    return m;
}
template <class T>
direct_method<T> transposed_method(const direct_method<T>& m) {
    return m;
}

}  // namespace detail

/// The solution of a x = b for a square sparse matrix and a vector (n,) or a matrix (n, k) of right sides, by LU
/// factors with threshold pivoting, the columns in an order of minimum degree: exact to rounding, in memory of the
/// factors' size. They are computed once for all right sides, and for derivatives. Elements are those of linalg::solve.
///
/// Differentiable in the matrix's values (only the pattern's entries have a derivative) and in b, forward and backward,
/// to any order; vmap solves members one by one. Throws shape_error for shapes that do not fit, linalg_error where a
/// column has no pivot. (scipy.sparse.linalg.spsolve, torch.sparse.spsolve.)
template <element T, class V, expression B>
auto spsolve(const csr_matrix<T, V>& a, const B& right) {
    static_assert(B::rank == 1 || B::rank == 2, "ricci: spsolve takes a vector or a matrix of right sides");
    using U = detail::matrix_element<promote_t<T, typename B::value_type>>;
    const auto b = evaluate(right);
    if (a.extents[0] != a.extents[1])
        detail::raise<shape_error>({"[spsolve] a matrix of shape ", a.extents, " is not square"});
    if (b.shape()[0] != a.extents[0])
        detail::raise<shape_error>({"[spsolve] a matrix of shape ", a.extents, " does not fit right sides of shape ",
                                    b.shape(), ": ", a.extents[0], " != ", b.shape()[0]});
    const detail::sparse_operator<false> matrix{a.pattern()};
    const detail::direct_method<U> method{std::make_shared<detail::kept_factors<U>>()};
    constexpr int batch = B::rank - 1;
    const detail::krylov_op<detail::sparse_operator<false>, detail::direct_method<U>, batch> op{
        {}, matrix, method, nullptr};
    const auto values = detail::evaluate_as<U>(a.values);
    if constexpr (batch == 0) {
        return detail::call1(op, values, detail::evaluate_as<U>(b));
    } else {
        const auto rows = detail::call1(op, detail::reshaped(values, shape<2>{1, a.nnz()}),
                                        evaluate(matrix_transpose(detail::evaluate_as<U>(b))));
        return evaluate(matrix_transpose(rows));
    }
}

template <element T, class V, class B>
auto spsolve(const coo_matrix<T, V>&, const B&) {
    return detail::refused_entries<T>();
}

}  // namespace ricci
