// Sparse systems by their factors: against dense ones, orders and pivots, derivatives, batches, errors.
#include <doctest/doctest.h>
#include <ricci/scientific.hpp>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// Random entries, `each` in a row, and ones on the diagonal where `diagonal` is not 0: needs pivots where it is.
csr_matrix<double> scattered(index_t n, index_t each, double diagonal) {
    const auto rows = evaluate(arange(n * each) % n);
    const auto columns = random::integers(n, {n * each}, generator(3));
    const auto values = spread({n * each});
    // a cycle makes it regular without the diagonal
    const auto cycle = coo_matrix{arange(n), (arange(n) + 1) % n, 3 + 0 * arange(n) * 1.0, {n, n}}.to_csr();
    return coo_matrix{rows, columns, values, {n, n}}.to_csr() + cycle + diagonal * sparse_eye(n);
}
csr_matrix<double> laplacian(index_t n) {
    const auto line = sparse_diags(ricci::tuple(2.0, -1.0, -1.0), {0, 1, -1}, {n, n}), one = sparse_eye(n);
    return kron(line, one) + kron(one, line);
}

}  // namespace

TEST_CASE("spsolve: the solutions of dense systems") {
    for (const index_t n : {1, 2, 7, 60})
        for (const double diagonal : {0.0, 10.0}) {
            const auto a = scattered(n, 3, diagonal);
            const auto b = spread({n});
            const auto x = spsolve(a, b);
            CAPTURE(n);
            check_close(matmul(a, x), b, 1e-11);
            check_close(x, linalg::solve(a.to_dense(), b), 1e-10);
        }
    CHECK(spsolve(csr_matrix<double>{zeros<int>({1}), zeros<int>({0}), zeros<double>({0}), {0, 0}}, zeros<double>({0}))
              .size() == 0);
    const auto b = spread({49, 3});
    check_close(matmul(laplacian(7), spsolve(laplacian(7), b)), b, 1e-12);
    // entries at one place, in any order; integers
    const csr_matrix<double> untidy{{0, 3, 4}, {1, 0, 0, 1}, {1.0, 2.0, 3.0, 4.0}, {2, 2}};
    check_close(spsolve(untidy, tensor{7, 8}), tensor{1.0, 2.0});
    const auto single = spsolve(to_sparse_csr(tensor<float, 2>{{2, 0}, {0, 4}}), tensor<float, 1>{2, 4});
    static_assert(std::is_same_v<decltype(single)::value_type, float>);
    check_close(single, ones<float>({2}));
}
TEST_CASE("spsolve: a grid's Laplacian, whose factors minimum degree keeps sparse") {
    const auto a = laplacian(60);  // 3600 unknowns; in rows' order L has 60 * 3600 entries
    const auto b = spread({3600});
    check_close(matmul(a, spsolve(a, b)), b, 1e-11);
    const detail::sparse_lu<double> factors(3600, a.row_offsets.data(), a.columns.data(), a.values.data());
    CHECK(factors.nonzeros() < 2 * 60 * 3600 / 2);
}
TEST_CASE("spsolve: complex systems") {
    const auto re = scattered(9, 3, 4), im = scattered(9, 3, 0);
    const auto a = re.with_values(ricci::complex(re.values, evaluate(0.5 * sin(re.values))));
    const auto b = evaluate(ricci::complex(spread({9}), spread({9}, 5)));
    check_close(matmul(a, spsolve(a, b)), b, 1e-12);
}
TEST_CASE("spsolve: derivatives in the values and the right side, and maps") {
    const auto a = scattered(5, 2, 4);
    const auto b = spread({5});
    const auto solve = [=](auto v, auto right) { return spsolve(a.with_values(v), right); };
    CHECK(gradcheck(solve, ricci::tuple(a.values, b)));
    CHECK(gradgradcheck(solve, ricci::tuple(a.values, b)));
    check_close(jacrev([=](auto right) { return solve(a.values, right); })(b), linalg::inv(a.to_dense()), 1e-12);
    CHECK(gradcheck(solve, ricci::tuple(a.values, spread({5, 2}))));
    const auto many = stack({b, evaluate(b * b)});
    const auto values = stack({a.values, evaluate(a.values * 1.5)});
    const auto x = vmap(solve)(values, many);
    for (index_t i = 0; i < 2; ++i) check_close(x(i), solve(evaluate(values(i)), evaluate(many(i))));
    check_close(vmap(solve, in_axes(none, 0))(a.values, many)(1), solve(a.values, evaluate(many(1))));
}
TEST_CASE("spsolve: errors") {
    const csr_matrix<double> singular{{0, 1, 2}, {0, 0}, {1.0, 2.0}, {2, 2}};
    CHECK_THROWS_WITH_AS(spsolve(singular, ones<double>({2})),
                         doctest::Contains("[spsolve] the matrix, 2 x 2, is singular, or not finite"), linalg_error);
    CHECK_THROWS_AS(spsolve(singular.with_values(tensor{1.0, std::nan("")}), ones<double>({2})), linalg_error);
    CHECK_THROWS_WITH_AS(spsolve(sparse_eye(3), ones<double>({2})),
                         "[spsolve] a matrix of shape (3, 3) does not fit right sides of shape (2,): 3 != 2",
                         shape_error);
    CHECK_THROWS_WITH_AS(spsolve(to_sparse_csr(ones<double>({2, 3})), ones<double>({2})),
                         "[spsolve] a matrix of shape (2, 3) is not square", shape_error);
}
