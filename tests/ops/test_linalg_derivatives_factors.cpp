// Derivatives of linalg's factorizations, first and second, backward and forward; of eigenvectors through functions
// that do not see their phases.
#include "linalg.hpp"

using namespace linear;

TEST_CASE("linalg: derivatives of cholesky, qr, lu and eigh") {
    check_derivatives(
        [](const auto& a) {
            const auto [q, r] = linalg::qr(a);
            const auto [p, l, u] = linalg::lu(a);
            const auto [w, v] = linalg::eigh(hermitian(a));
            return joined<complex_double>(linalg::cholesky(definite(a)), q, r, l, u,
                                          matmul(evaluate(v * detail::as_row(evaluate(sin(w)))), turned(v)));
        },
        some<complex_double>(shape{2, 2}, 1));
}
TEST_CASE("linalg: derivatives of factors of matrices that are not square") {
    const auto parts = [](const auto& a) {
        const auto [q, r] = linalg::qr(a);
        const auto [p, l, u] = linalg::lu(a);
        return joined<complex_double>(q, r, l, u);
    };
    CHECK(gradcheck(parts, std::make_tuple(some<complex_double>(shape{3, 2}, 1))));
    CHECK(gradcheck(parts, std::make_tuple(some<complex_double>(shape{2, 3}, 1))));
}
TEST_CASE("linalg: derivatives of factors in real numbers") {
    CHECK(gradcheck(
        [](const auto& a) {
            const auto [q, r] = linalg::qr(a);
            return joined<double>(linalg::cholesky(definite(a), true), q, r, linalg::eigvalsh(hermitian(a)));
        },
        std::make_tuple(some<double>(shape{3, 3}, 1))));
    // equal eigenvalues: symmetric functions of them are smooth
    CHECK(gradcheck([](const auto& a) { return sum(square(linalg::eigvalsh(hermitian(a)))); },
                    std::make_tuple(eye<double>(3))));
}
TEST_CASE_TEMPLATE("linalg: the derivative of cholesky by blocks", T, double, complex_double) {
    const index_t n = 57;  // halved twice, into odd numbers of rows
    const auto a = evaluate(definite(some<T>(shape{n, n}, 1)));
    const auto half = [](const auto& x) { return sum(log(real(diagonal(linalg::cholesky(x))))); };
    const auto inverse = linalg::inv(a);  // of log det A
    CHECK(largest(evaluate(2 * grad(half)(a) - inverse)) < 1e-12 * largest(inverse));
    // and of all elements, beside forward mode's, which is another formula
    const auto c = some<T>(shape{n, n}, 2), along = evaluate(hermitian(some<T>(shape{n, n}, 3)));
    const auto all_of_it = [&](const auto& x) { return sum(real(c * linalg::cholesky(x))); };
    const double slope = sum(real(conj(grad(all_of_it)(a)) * along)).item();
    CHECK(slope == doctest::Approx(std::get<1>(jvp(all_of_it, tuple(a), tuple(along))).item()).epsilon(1e-10));
}
TEST_CASE("linalg: derivatives at equal eigenvalues") {
    const tensor<double, 2> c{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, a{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
    // a vector of another eigenvalue has one
    const auto other = [&](const auto& x) {
        const auto v = evaluate(index(linalg::eigh(x).eigenvectors, all, slice(2, 3)));
        return sum(c * matmul(v, turned(v)));
    };
    const tensor<double, 2> slope{{0, 0, 5}, {0, 0, 7}, {5, 7, 0}};  // (C_i2 + C_2i) / 2 over the gap, 1
    CHECK(largest(evaluate(grad(other)(a) - slope)) < 1e-14);
    CHECK(std::get<1>(jvp(other, tuple(a), tuple(c))).item() == doctest::Approx(sum(slope * c).item()));
    // that of exp(A) = V exp(w) V^H, exp(1) C where both are equal, cannot be told from the cotangents of w and V
    const auto exponential = [&](const auto& x) {
        const auto [w, v] = linalg::eigh(x);
        return sum(c * matmul(evaluate(v * detail::as_row(evaluate(exp(w)))), turned(v)));
    };
    CHECK(std::isnan(grad(exponential)(a).at(0, 1)));
    CHECK(std::isnan(std::get<1>(jvp(exponential, tuple(a), tuple(c))).item()));
}
#ifdef RICCI_USE_LAPACK
TEST_CASE("linalg: derivatives of eig") {
    const auto values = [](const auto& a) {
        const auto [w, v] = linalg::eig(a);
        const auto lengths = evaluate(v * conj(v));
        return evaluate(sin(w) * sum(lengths * lengths, -2));
    };
    check_derivatives(values, some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck(values, std::make_tuple(some<double>(shape{3, 3}, 1))));
}
#endif
