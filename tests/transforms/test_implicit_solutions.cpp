// Derivatives of solutions: ridge regression, the square root of a matrix.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto design = spread({6, 3});
const auto target = spread({6}, 40);

/// Solves k x = b by sweeps of Gauss and Seidel; k is positive definite.
tensor<double, 1> relax(const tensor<double, 2>& k, const tensor<double, 1>& b) {
    auto x = evaluate(0 * b);
    for (int sweep = 0; sweep < 2000; ++sweep)
        for (index_t i = 0; i < b.size(); ++i) x.at(i) += (b.at(i) - sum(k(i) * x).item()) / k.at(i, i);
    return x;
}
const auto normal_matrix = [](const auto& weight) {
    return evaluate(matmul(matrix_transpose(design), design) + weight * eye<double>(3));
};
// argmin |design x - y|^2 + weight |x|^2
const auto ridge = custom_root(
    [](auto x, auto weight, auto y) {
        return matmul(matrix_transpose(design), evaluate(matmul(design, x) - y)) + weight * x;
    },
    [](auto weight, auto y) { return relax(normal_matrix(weight), evaluate(matmul(matrix_transpose(design), y))); });

}  // namespace

TEST_CASE("custom_root: the derivative of a ridge regression's solution") {
    const tensor<double, 0> weight(0.7);
    const auto k = normal_matrix(weight);
    const auto x = ridge(weight, target);
    check_close(matmul(k, x), matmul(matrix_transpose(design), target));
    const auto [by_weight, by_target] = jacfwd(ridge, argnums<0, 1>)(weight, target);
    check_close(matmul(k, by_weight), -x);  // (k + t 1) x = b, so that k x' = -x
    check_close(matmul(k, by_target), matrix_transpose(design));
    check_close(jacrev(ridge)(weight, target), by_weight);
    // second derivative: k x'' = -2 x'
    auto along = [](auto w) { return jacfwd(ridge)(w, target); };
    check_close(matmul(k, jacfwd(along)(weight)), -2 * by_weight);
}
TEST_CASE("custom_root: an array of rank 2") {
    // x x = a by Denman and Beavers for 2 x 2: x = (a + sqrt(det) 1) / sqrt(trace + 2 sqrt(det))
    const auto root =
        custom_root([](auto x, auto a) { return matmul(x, x) - a; },
                    [](auto a) {
                        const double s = std::sqrt(a.at(0, 0) * a.at(1, 1) - a.at(0, 1) * a.at(1, 0));
                        return evaluate((a + s * eye<double>(2)) / std::sqrt(a.at(0, 0) + a.at(1, 1) + 2 * s));
                    });
    const tensor<double, 2> a{{4, 1}, {0.5, 3}};
    check_close(matmul(root(a), root(a)), a);
    check_first_order(root, a);
}
