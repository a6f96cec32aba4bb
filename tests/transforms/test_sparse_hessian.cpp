// Sparse Hessians: star colourings, values against closed forms and dense Hessians.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto rosenbrock = [](auto x) {
    const auto a = x(slice(0, -1)), b = x(slice(1, none));
    return sum(100 * square(b - a * a) + square(1 - a));
};

}  // namespace

TEST_CASE("sparse_hessian: Rosenbrock's function of 20 variables, three colours") {
    const auto x = spread({20});
    const auto hessian = sparse_hessian(rosenbrock);
    const auto h = hessian(x);
    CHECK(hessian.colors(x) == 3);
    CHECK(h.nnz() == 58);
    // f = sum 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2
    auto expected = zeros<double>({20, 20});
    for (index_t i = 0; i < 19; ++i) {
        expected.at(i, i) += 1200 * x.at(i) * x.at(i) - 400 * x.at(i + 1) + 2;
        expected.at(i + 1, i + 1) += 200;
        expected.at(i, i + 1) = expected.at(i + 1, i) = -400 * x.at(i);
    }
    check_close(h.to_dense(), expected);
}
TEST_CASE("sparse_hessian: an arrow takes two colours, where its columns would take all") {
    const auto x = spread({12});
    auto f = [](auto v) { return v(0) * sum(square(v)); };
    const auto arrow = sparse_hessian(f);
    CHECK(arrow.colors(x) == 2);
    CHECK(column_coloring(arrow.pattern(x)).count == 12);
    CHECK(arrow(x).nnz() == 34);
    auto expected = eye<double>(12) * (2 * x.at(0));
    auto dense = evaluate(expected);
    for (index_t i = 0; i < 12; ++i) {
        dense.at(0, i) += 2 * x.at(i);
        dense.at(i, 0) += 2 * x.at(i);
    }
    check_close(arrow(x).to_dense(), dense);
}
TEST_CASE("sparse_hessian: given patterns of scattered entries; star colourings are what they should be") {
    for (int seed = 1; seed < 9; ++seed)
        for (const double density : {0.05, 0.2, 0.6}) {
            const auto chance = spread({15, 15}, 17 * seed), value = spread({15, 15}, 3 * seed);
            const auto half = evaluate(where(chance < 2 * density - 1, value, 0.0));
            const auto a = evaluate(half + matrix_transpose(half));
            const auto x = spread({15});
            const sparsity_pattern pattern(evaluate(a != 0));
            check_close(sparse_hessian([a](auto v) { return sum(v * matmul(a, v)) / 2; }, pattern)(x).to_dense(), a);

            const auto star = star_coloring(pattern);
            const auto c = [&](index_t i) { return star.colors.at(i); };
            const auto joined = [&](index_t i, index_t j) { return i != j && a.at(i, j) != 0; };
            index_t wrong = 0;
            for (index_t i = 0; i < 15; ++i)
                for (index_t j = 0; j < 15; ++j) {
                    if (!joined(i, j)) continue;
                    wrong += c(i) == c(j);
                    for (index_t k = 0; k < 15; ++k)
                        for (index_t l = 0; l < 15; ++l)
                            if (k != i && l != j && joined(j, k) && joined(k, l)) wrong += c(i) == c(k) && c(j) == c(l);
                }
            CHECK(wrong == 0);
        }
}
TEST_CASE("sparse_hessian: what does not fit is refused") {
    const auto x = spread({20});
    CHECK_THROWS_AS(sparse_hessian(rosenbrock, sparsity_pattern(ones<bool>({20, 19}))), shape_error);
    CHECK_THROWS_AS(sparse_hessian(rosenbrock, sparsity_pattern(ones<bool>({19, 19})))(x), shape_error);
    CHECK_THROWS_AS(sparse_hessian(rosenbrock, sparsity_pattern(eye<bool>(20, 20, 1))), value_error);
}
