// linalg under vmap: values and gradients of each function against a loop over the members.
#include "linalg.hpp"

#include "../transforms/exhaustive.hpp"

using namespace linear;

TEST_CASE("linalg: batches of functions of one matrix") {
    const auto a = some<complex_double>(shape{3, 2, 2}, 1);
    check_batches([](const auto& x) { return linalg::inv(x); }, a);
    check_batches([](const auto& x) { return linalg::det(x); }, a);
    check_batches([](const auto& x) { return linalg::matrix_exp(x); }, a);
    check_batches([](const auto& x) { return linalg::cholesky(definite(x)); }, a);
    check_batches([](const auto& x) { return linalg::pinv(x); }, some<double>(shape{3, 3, 2}, 1));
}
TEST_CASE("linalg: batches of functions with several results") {
    const auto a = some<double>(shape{3, 3, 3}, 1);
    check_batches(
        [](const auto& x) {
            const auto [sign, logarithm] = linalg::slogdet(x);
            const auto [p, l, u] = linalg::lu(x);
            return evaluate(sign * logarithm + matmul(p, l) * u);
        },
        a);
    check_batches(
        [](const auto& x) {
            const auto [q, r] = linalg::qr(x);
            const auto [w, v] = linalg::eigh(hermitian(x));
            const auto [y, s, vh] = linalg::svd(x);
            return evaluate(q * r + matmul(evaluate(v * detail::as_row(w)), turned(v)) + matmul(y, vh) * detail::as_row(s));
        },
        a);
}
TEST_CASE("linalg: batches of two arguments, mapped in every way") {
    const auto solve = [](const auto& a, const auto& b) {
        return linalg::solve(evaluate(a + 4 * eye<double>(3)), b);
    };
    mapped::check_every_way(solve, shape{3, 3}, shape{3, 2});
    mapped::check_gradients_every_way(solve, shape{3, 3}, shape{3});
}
