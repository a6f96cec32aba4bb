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
