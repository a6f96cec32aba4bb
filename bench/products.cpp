// Batches of small products beside hand-written loops, and products with a map beside the two one after the other.
#include "bench.hpp"
#include "peers.hpp"

namespace {

using namespace bench;

template <class E>
std::vector<double> numbers(const E& e) {
    const auto y = rc::evaluate(rc::astype<double>(e));
    const auto z = y.clone();
    return {z.data(), z.data() + z.size()};
}

/// Products of N x N matrices, one after the other, as one writes them: the compiler keeps a matrix in registers.
template <int N>
void multiply_each(const float* a, const float* b, float* c, index_t count) {
    for (index_t k = 0; k < count; ++k, a += N * N, b += N * N, c += N * N) {
        float sum[N][N] = {};
        for (int p = 0; p < N; ++p)
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j) sum[i][j] += a[i * N + p] * b[p * N + j];
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) c[i * N + j] = sum[i][j];
    }
}
template <int N>
rc::tensor<float, 3> small_matrices(int k, index_t count) {
    return rc::reshape(input(k, count * N * N), {count, N, N});
}
template <int N>
void small_products(index_t count) {
    const row r("matmul_" + by(N, N), count, 1e-6, [count] {
        return numbers(rc::matmul(rc::astype<double>(small_matrices<N>(0, count)),
                                  rc::astype<double>(small_matrices<N>(1, count))));
    });
    r.add("ricci", [count] {
        return
            [a = small_matrices<N>(0, count), b = small_matrices<N>(1, count), c = rc::tensor<float, 3>()]() mutable {
                c = rc::matmul(a, b);
                return whole(c);
            };
    });
    r.add("hand", [count] {
        return [a = small_matrices<N>(0, count), b = small_matrices<N>(1, count),
                c = small_matrices<N>(0, count).clone(), count] {
            multiply_each<N>(a.data(), b.data(), c.data(), count);
            return whole(c);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [count] {
        using matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
        return [a = small_matrices<N>(0, count), b = small_matrices<N>(1, count),
                c = small_matrices<N>(0, count).clone(), count] {
            for (index_t k = 0, at = 0; k < count; ++k, at += N * N)
                Eigen::Map<matrix>(c.data() + at).noalias() =
                    Eigen::Map<const matrix>(a.data() + at) * Eigen::Map<const matrix>(b.data() + at);
            return whole(c);
        };
    });
#endif
}

/// A layer, relu(x w + c): the map computed with the product, beside the product and then the map.
void layer(index_t m, index_t k, index_t n) {
    const row r("matmul_relu", by(m, k) + "x" + std::to_string(n), 1e-5, [=] {
        const auto x = rc::astype<double>(input(0, m, k)), w = rc::astype<double>(input(1, k, n));
        return numbers(rc::relu(rc::matmul(x, w) + rc::astype<double>(input(2, n))));
    });
    r.add("ricci", [=] {
        return [x = input(0, m, k), w = input(1, k, n), c = input(2, n), y = rc::tensor<float, 2>()]() mutable {
            y = rc::matmul(x, w, [&](auto xw) { return rc::relu(xw + c); });
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, m, k), w = input(1, k, n), c = input(2, n), y = rc::tensor<float, 2>()]() mutable {
            y = rc::relu(rc::matmul(x, w) + c);
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, m, k), w = eigen_array(1, k, n), c = input(2, n), y = eigen_matrix(m, n)]() mutable {
            y.matrix().noalias() = x.matrix() * w.matrix();
            y = (y.rowwise() + Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>>(c.data(), c.size()))
                    .cwiseMax(0.0f);
            return result{y.data(), y.size()};
        };
    });
#endif
}

const bool registered = [] {
    small_products<4>(10000);
    small_products<8>(10000);
    small_products<16>(10000);
    layer(64, 64, 64);
    layer(256, 784, 256);
    layer(1000, 16, 1000);
    return true;
}();

}  // namespace
