// Batches of small products beside hand-written loops, products with a map beside the two one after the other, and einsum
// beside the products that one would choose by hand.
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

/// An einsum, and the products and views that give the same: `sum` and `by_hand` are functions of `arrays`.
template <class Sum, class ByHand, class... A>
void contraction(const char* size, Sum sum, ByHand by_hand, const A&... arrays) {
    const row r("einsum", size, 1e-4, [=] { return numbers(sum(rc::evaluate(rc::astype<double>(arrays))...)); });
    r.add("ricci", [=] {
        return [=, y = rc::evaluate(sum(arrays...))]() mutable {
            y = sum(arrays...);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [=, y = rc::evaluate(sum(arrays...))]() mutable {
            y = by_hand(arrays...);
            return whole(y);
        };
    });
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
    using rc::matmul;
    using rc::matrix_transpose;
    using rc::reshape;
    contraction(
        "ij,jk->ik", [](auto a, auto b) { return rc::einsum<"ij,jk->ik">(a, b); },
        [](auto a, auto b) { return matmul(a, b); }, input(0, 200, 300), input(1, 300, 250));
    contraction(
        "ij,kj->ik", [](auto a, auto b) { return rc::einsum<"ij,kj->ik">(a, b); },
        [](auto a, auto b) { return matmul(a, matrix_transpose(b)); }, input(0, 500, 500), input(1, 500, 500));
    contraction(
        "bij,bjk->bik", [](auto a, auto b) { return rc::einsum<"bij,bjk->bik">(a, b); },
        [](auto a, auto b) { return matmul(a, b); }, reshape(input(0, 16 * 4096), {16, 64, 64}),
        reshape(input(1, 16 * 4096), {16, 64, 64}));
    contraction(
        "abcd,cde->abe", [](auto a, auto b) { return rc::einsum<"abcd,cde->abe">(a, b); },
        [](auto a, auto b) { return reshape(matmul(reshape(a, {400, 256}), reshape(b, {256, 40})), {20, 20, 40}); },
        reshape(input(0, 20 * 20 * 256), {20, 20, 16, 16}), reshape(input(1, 256 * 40), {16, 16, 40}));
    contraction(
        "ij,jk,kl->il", [](auto a, auto b, auto c) { return rc::einsum<"ij,jk,kl->il">(a, b, c); },
        [](auto a, auto b, auto c) { return matmul(a, matmul(b, c)); }, input(0, 400, 300), input(1, 300, 400),
        input(2, 400, 10));
    contraction(
        "bqhd,bkhd->bhqk", [](auto q, auto k) { return rc::einsum<"bqhd,bkhd->bhqk">(q, k); },
        [](auto q, auto k) { return matmul(rc::permute(q, {0, 2, 1, 3}), rc::permute(k, {0, 2, 3, 1})); },
        reshape(input(0, 2 * 128 * 8 * 64), {2, 128, 8, 64}), reshape(input(1, 2 * 128 * 8 * 64), {2, 128, 8, 64}));
    return true;
}();

}  // namespace
