// Products of square matrices. There is no hand-written row: the mark is Eigen's kernel.
#include "bench.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;

void matmul(index_t n) {
    const row r("matmul", by(n, n), 1e-5, [n] {
        const float *a = input(0, n * n).data(), *b = input(1, n * n).data();
        std::vector<double> c(static_cast<std::size_t>(n * n));
        for (index_t i = 0; i < n; ++i)
            for (index_t k = 0; k < n; ++k)
                for (index_t j = 0; j < n; ++j)
                    c[static_cast<std::size_t>(i * n + j)] += double(a[i * n + k]) * b[k * n + j];
        return c;
    });
    r.add("ricci", [n] {
        return [a = input(0, n, n), b = input(1, n, n), c = rc::tensor<float, 2>()]() mutable {
            c = rc::matmul(a, b);
            return whole(c);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        return [a = eigen_array(0, n, n), b = eigen_array(1, n, n), c = eigen_matrix(n, n)]() mutable {
            c.matrix().noalias() = a.matrix() * b.matrix();
            return result{c.data(), c.size()};
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [n] { return torch_matmul(n); });
#endif
}

/// Half of the work is enough.
void gram(index_t n) {
    const row r("gram", by(n, n), 1e-5, [n] {
        const float* a = input(0, n * n).data();
        std::vector<double> c(static_cast<std::size_t>(n * n));
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                for (index_t k = 0; k < n; ++k) c[static_cast<std::size_t>(i * n + j)] += double(a[i * n + k]) * a[j * n + k];
        return c;
    });
    r.add("ricci", [n] {
        return [a = input(0, n, n), c = rc::tensor<float, 2>()]() mutable {
            c = rc::matmul(a, rc::matrix_transpose(a));
            return whole(c);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        return [a = eigen_array(0, n, n), c = eigen_matrix(n, n)]() mutable {
            c.matrix().noalias() = a.matrix() * a.matrix().transpose();
            return result{c.data(), c.size()};
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : {256, 512, 1024}) matmul(n);
    for (const index_t n : {100, 300, 1000}) gram(n);
    return true;
}();

}  // namespace
