// linalg under vmap: values and gradients of each function against a loop over the members.
#include "linalg.hpp"

#include "../transforms/exhaustive.hpp"

using namespace linear;

TEST_CASE("linalg: batches of functions of one matrix") {
    check_batches(
        [](const auto& x) {
            const auto [sign, logarithm] = linalg::slogdet(x);
            const auto [p, l, u] = linalg::lu(x);
            const auto [q, r] = linalg::qr(x);
            const auto [w, v] = linalg::eigh(hermitian(x));
            const auto [y, s, vh] = linalg::svd(x);
            return joined<double>(linalg::inv(x), linalg::det(x), linalg::matrix_exp(x), linalg::cholesky(definite(x)),
                                  linalg::pinv(x), sign, logarithm, p, l, u, q, r,
                                  matmul(evaluate(v * detail::as_row(w)), turned(v)), matmul(y, vh), s);
        },
        some<double>(shape{3, 3, 3}, 1));
}
TEST_CASE("linalg: batches of two arguments, mapped in every way") {
    mapped::check_every_way(
        [](const auto& a, const auto& b) {
            const auto x = evaluate(a + 4 * eye<double>(3));
            return evaluate(linalg::solve(x, b) + linalg::solve_triangular(x, b, true) + linalg::lstsq(x, b).solution);
        },
        shape{3, 3}, shape{3, 2});
}
