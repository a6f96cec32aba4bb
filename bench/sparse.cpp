// Products of sparse matrices, the five-point Laplacian of a square grid in float64, beside plain loops over the same
// arrays.
#include "bench.hpp"

#if RICCI_BENCH_EIGEN
#include <Eigen/Sparse>
#endif

namespace {

using namespace bench;

/// Of a grid of n x n points.
const rc::csr_matrix<double>& laplacian(index_t n) {
    static std::map<index_t, rc::csr_matrix<double>> made;
    const auto found = made.find(n);
    if (found != made.end()) return found->second;
    const auto line = rc::sparse_diags(rc::tuple(-2.0, 1.0, 1.0), {0, 1, -1}, {n, n}), one = rc::sparse_eye(n);
    return made.emplace(n, rc::kron(line, one) + rc::kron(one, line)).first->second;
}
std::vector<double> expected(index_t n, index_t columns) {
    const auto& a = laplacian(n);
    const double* x = input<double>(0, n * n * columns).data();
    std::vector<double> y(static_cast<std::size_t>(n * n * columns));
    for (index_t i = 0; i < n * n; ++i)
        for (index_t e = a.row_offsets.at(i); e < a.row_offsets.at(i + 1); ++e)
            for (index_t j = 0; j < columns; ++j)
                y[static_cast<std::size_t>(i * columns + j)] += a.values.at(e) * x[a.columns.at(e) * columns + j];
    return y;
}

/// A x for Columns vectors, the rows of x side by side.
template <int Columns>
[[gnu::noinline]] void by_hand(const std::int64_t* offset, const std::int64_t* column, const double* value,
                               index_t rows, const double* x, double* y) {
    for (index_t i = 0; i < rows; ++i, y += Columns) {
        double sum[Columns] = {};
        for (std::int64_t e = offset[i]; e < offset[i + 1]; ++e)
            for (int j = 0; j < Columns; ++j) sum[j] += value[e] * x[column[e] * Columns + j];
        for (int j = 0; j < Columns; ++j) y[j] = sum[j];
    }
}
template <int Columns>
void sparse_product(index_t n) {
    const row r("sparse_times_" + std::to_string(Columns), by(n, n), 1e-14, [n] { return expected(n, Columns); });
    r.add("ricci", [n] {
        return [a = laplacian(n), x = input<double>(0, n * n, Columns), y = rc::tensor<double, 2>()]() mutable {
            y = rc::matmul(a, x);
            return whole(y);
        };
    });
    r.add("hand", [n] {
        return [a = laplacian(n), x = input<double>(0, n * n, Columns), y = rc::empty<double>({n * n, Columns}), n] {
            by_hand<Columns>(a.row_offsets.data(), a.columns.data(), a.values.data(), n * n, x.data(), y.data());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        using matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;
        using columns =
            Eigen::Matrix<double, Eigen::Dynamic, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
        const auto& a = laplacian(n);
        const matrix m =
            Eigen::Map<const matrix>(n * n, n * n, a.nnz(), a.row_offsets.data(), a.columns.data(), a.values.data());
        const columns x = Eigen::Map<const columns>(input<double>(0, n * n * Columns).data(), n * n, Columns);
        return [m, x, y = columns(n * n, Columns)]() mutable {
            y.noalias() = m * x;
            return result{y.data(), y.size()};
        };
    });
#endif
}
/// The square of the matrix: its pattern and its values.
void sparse_square(index_t n) {
    const auto squared = [](const auto& v) {
        const auto x = v.clone();
        return std::vector<double>(x.data(), x.data() + x.size());
    };
    const row r("sparse_square", by(n, n), 1e-14, [=] {
        const auto dense = laplacian(n).to_dense();
        return squared(rc::to_sparse_csr(rc::matmul(dense, dense)).values);
    });
    r.add("ricci", [n] {
        return [a = laplacian(n), c = laplacian(n)]() mutable {
            c = rc::matmul(a, a);
            return whole(c.values);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        using matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;
        const auto& a = laplacian(n);
        const matrix m =
            Eigen::Map<const matrix>(n * n, n * n, a.nnz(), a.row_offsets.data(), a.columns.data(), a.values.data());
        return [m, c = matrix()]() mutable {
            c = m * m;
            return result{c.valuePtr(), c.nonZeros()};
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : {30, 300}) {
        sparse_product<1>(n);
        sparse_product<16>(n);
    }
    sparse_square(30);
    return true;
}();

}  // namespace
