// Sparse Jacobians by given patterns and plans that are kept; errors.
#include "patterns.hpp"

using namespace derivative_checks;

namespace {

/// About one entry in `sparse` of a matrix, by a fixed rule that repeats nothing.
tensor<double, 2> scattered(index_t rows, index_t columns, index_t sparse, int seed) {
    const auto a = spread({rows, columns}, seed), chance = spread({rows, columns}, seed + 100);
    return evaluate(where(chance < 2.0 / static_cast<double>(sparse) - 1, a, 0.0));
}

const auto x0 = spread({10});

}  // namespace

TEST_CASE("sparse_jacobian: given patterns of scattered entries") {
    for (int seed = 1; seed < 6; ++seed)
        for (const index_t sparse : {2, 4, 9}) {
            const auto a = scattered(17, 12, sparse, 31 * seed);
            const auto b = evaluate(matrix_transpose(a));
            const auto x = spread({12}), y = spread({17});
            check_close(
                sparse_jacobian([a](auto v) { return matmul(a, v); }, sparsity_pattern(evaluate(a != 0)))(x).to_dense(),
                a);
            check_close(
                sparse_jacobian([b](auto v) { return matmul(b, v); }, sparsity_pattern(evaluate(b != 0)))(y).to_dense(),
                b);
        }
}
TEST_CASE("sparse_jacobian: the plan is made once, and anew for another size") {
    int calls = 0;
    auto f = [&calls](auto x) {
        ++calls;
        return x(slice(1, none)) * x(slice(0, -1));
    };
    const auto jacobian = sparse_jacobian(f);
    jacobian(x0);
    calls = 0;
    const auto copy = jacobian;
    check_close(copy(x0 * 2).to_dense(), jacfwd(f)(evaluate(x0 * 2)));
    CHECK(calls == 2);  // one for the sparse Jacobian, one for the dense
    CHECK(jacobian(x0(slice(0, 4))).shape() == shape{3, 4});
}
TEST_CASE("sparse_jacobian: what does not fit is refused") {
    auto f = [](auto x) { return x(slice(1, none)) * 2; };
    CHECK_THROWS_AS(sparse_jacobian(f, sparsity_pattern(band(9, 11, 0, 1)))(x0), shape_error);
    CHECK_THROWS_WITH_AS(sparse_jacobian(f, sparsity_pattern(band(8, 10, 0, 1)))(x0),
                         "[sparse_jacobian] a pattern of shape (8, 10) does not fit a function with 9 results",
                         shape_error);
    CHECK_THROWS_AS(sparse_jacobian(f, sparsity_pattern(ones<bool>({2, 10})))(x0), shape_error);  // by rows
    const tensor<std::int64_t, 1> offsets{0, 2, 3}, columns{0, 2, 1};
    CHECK(sparsity_pattern(offsets, columns, {2, 3}).to_dense().at(0, 2));
    CHECK_THROWS_AS(sparsity_pattern(offsets, columns, {3, 3}), shape_error);
    CHECK_THROWS_AS(sparsity_pattern(offsets, columns, {2, 2}), index_error);
    CHECK_THROWS_AS(sparsity_pattern({0, 2, 3}, {2, 0, 1}, {2, 3}), index_error);
    CHECK_THROWS_AS(sparsity_pattern({0, 4, 3}, columns, {2, 3}), value_error);
    CHECK_THROWS_AS(sparsity_pattern({0, 2, 2}, columns, {2, 3}), value_error);
}
TEST_CASE("sparse_jacobian: blocks, in float") {
    const tensor<float, 1> x{1, 2, 3, 4, 5, 6};
    auto f = [](auto v) {
        const auto m = reshape(v, {3, 2});
        return reshape(m * sum(m, 1, keepdims), {6});
    };
    const auto jacobian = sparse_jacobian(f);
    CHECK(jacobian.colors(x) == 2);
    CHECK(jacobian(x).nnz() == 12);
    check_close(jacobian(x).to_dense(), jacfwd(f)(x), 1e-6);
}
