// Derivatives of linalg's factorizations, first and second, backward and forward; of singular and eigenvectors through functions
// that do not see their phases.
#include "linalg.hpp"

using namespace linear;

namespace {

constexpr auto of_hermitian = [](const auto& a) {
    const auto [w, v] = linalg::eigh(hermitian(a));
    return evaluate(matmul(evaluate(v * detail::as_row(evaluate(sin(w)))), turned(v)));
};

}  // namespace

TEST_CASE("linalg: derivatives of cholesky") {
    const auto a = some<complex_double>(shape{2, 2}, 1);
    check_derivatives([](const auto& x) { return linalg::cholesky(hermitian(x)); }, evaluate(definite(a)));
    CHECK(gradcheck([](const auto& x) { return linalg::cholesky(hermitian(x), true); },
                    std::make_tuple(definite(some<double>(shape{3, 3}, 1)))));
}
TEST_CASE("linalg: derivatives of qr") {
    check_derivatives(
        [](const auto& a) {
            const auto [q, r] = linalg::qr(a);
            return concat(std::make_tuple(q, r), 0);
        },
        some<complex_double>(shape{3, 2}, 1));
    CHECK(gradcheck(
        [](const auto& a) {
            const auto [q, r] = linalg::qr(a);
            return concat(std::make_tuple(q, r), 1);
        },
        std::make_tuple(some<complex_double>(shape{2, 3}, 1))));
}
TEST_CASE("linalg: derivatives of lu") {
    const auto both = [](const auto& a) {
        const auto [p, l, u] = linalg::lu(a);
        return evaluate(concat(std::make_tuple(ravel(l), ravel(u)), 0));
    };
    check_derivatives(both, some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck(both, std::make_tuple(some<double>(shape{3, 2}, 1))));
    CHECK(gradcheck(both, std::make_tuple(some<double>(shape{2, 3}, 1))));
}
TEST_CASE("linalg: derivatives of eigh") {
    check_derivatives(of_hermitian, some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck([](const auto& a) { return linalg::eigvalsh(hermitian(a)); }, std::make_tuple(some<double>(shape{3, 3}, 1))));
    // equal eigenvalues: symmetric functions of them are smooth
    CHECK(gradcheck([](const auto& a) { return sum(square(linalg::eigvalsh(hermitian(a)))); }, std::make_tuple(eye<double>(3))));
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
