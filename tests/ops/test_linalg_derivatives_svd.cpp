// Derivatives of what linalg computes from singular values: through functions that do not see the vectors' phases.
#include "linalg.hpp"

using namespace linear;

namespace {

/// U f(s) V^H, which no phase changes.
constexpr auto recomposed = [](const auto& a) {
    const auto [u, s, vh] = linalg::svd(a, false);
    return evaluate(matmul(evaluate(u * detail::as_row(evaluate(sin(s)))), vh));
};

}  // namespace

TEST_CASE("linalg: derivatives of svd") {
    check_derivatives(recomposed, some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck(recomposed, std::make_tuple(some<complex_double>(shape{3, 2}, 1))));
    CHECK(gradcheck(recomposed, std::make_tuple(some<complex_double>(shape{2, 3}, 1))));
    const auto values = [](const auto& a) { return linalg::svdvals(a); };
    check_derivatives(values, some<double>(shape{3, 2}, 1));
    // equal singular values: symmetric functions of them are smooth
    CHECK(gradcheck([](const auto& a) { return sum(square(linalg::svdvals(a))); }, std::make_tuple(eye<double>(3))));
}
TEST_CASE("linalg: derivatives of pinv and lstsq") {
    const auto pinv = [](const auto& a) { return linalg::pinv(a); };
    check_derivatives(pinv, some<complex_double>(shape{3, 2}, 1));
    CHECK(gradcheck(pinv, std::make_tuple(some<double>(shape{2, 3}, 1))));
    const auto lstsq = [](const auto& a, const auto& b) { return std::get<0>(linalg::lstsq(a, b)); };
    CHECK(gradcheck(lstsq, std::make_tuple(some<complex_double>(shape{3, 2}, 1), some<complex_double>(shape{3, 1}, 2))));
    CHECK(gradcheck(lstsq, std::make_tuple(some<double>(shape{2, 3}, 1), some<double>(shape{2}, 2))));
    CHECK(gradcheck([](const auto& a) { return std::get<1>(linalg::lstsq(a, tensor<double, 1>{1, 2, 3})); },
                    std::make_tuple(some<double>(shape{3, 2}, 1))));
}
TEST_CASE("linalg: derivatives of norms and condition numbers") {
    const auto a = some<double>(shape{2, 2}, 1);
    for (const double order : {1.0, -1.0, 2.0, -2.0, double(INFINITY), -double(INFINITY)})
        CHECK(gradcheck([order](const auto& x) { return linalg::matrix_norm(x, order); }, std::make_tuple(a)));
    for (const auto order : {linalg::matrix_order::frobenius, linalg::matrix_order::nuclear})
        CHECK(gradcheck([order](const auto& x) { return linalg::matrix_norm(x, order); },
                        std::make_tuple(some<complex_double>(shape{2, 3}, 1))));
    CHECK(gradcheck([](const auto& x) { return evaluate(linalg::cond(x) + linalg::cond(x, 1)); }, std::make_tuple(a)));
}
