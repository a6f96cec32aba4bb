// Derivatives of what linalg computes from singular values: through functions that do not see the vectors' phases.
#include "linalg.hpp"

using namespace linear;

namespace {

/// U f(s) V^H, which no phase changes, and the pseudoinverse.
constexpr auto recomposed = [](const auto& a) {
    const auto [u, s, vh] = linalg::svd(a, false);
    return joined<typename std::remove_cvref_t<decltype(a)>::value_type>(
        matmul(evaluate(u * detail::as_row(evaluate(sin(s)))), vh), linalg::pinv(a));
};

}  // namespace

TEST_CASE("linalg: derivatives of svd and pinv") {
    check_derivatives(recomposed, some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck(recomposed, std::make_tuple(some<complex_double>(shape{3, 2}, 1))));
    CHECK(gradcheck(recomposed, std::make_tuple(some<complex_double>(shape{2, 3}, 1))));
    CHECK(gradcheck(recomposed, std::make_tuple(some<double>(shape{3, 2}, 1))));
    // equal singular values: symmetric functions of them are smooth
    CHECK(gradcheck([](const auto& a) { return sum(square(linalg::svdvals(a))); }, std::make_tuple(eye<double>(3))));
}
TEST_CASE("linalg: derivatives of lstsq") {
    const auto lstsq = [](const auto& a, const auto& b) {
        const auto [x, residuals, rank, s] = linalg::lstsq(a, b);
        return joined<complex_double>(x, residuals);
    };
    CHECK(
        gradcheck(lstsq, std::make_tuple(some<complex_double>(shape{3, 2}, 1), some<complex_double>(shape{3, 1}, 2))));
    CHECK(
        gradcheck(lstsq, std::make_tuple(some<complex_double>(shape{2, 3}, 1), some<complex_double>(shape{2, 1}, 2))));
}
TEST_CASE("linalg: derivatives of norms and condition numbers") {
    CHECK(gradcheck(
        [](const auto& x) {
            constexpr double inf = std::numeric_limits<double>::infinity();
            using linalg::matrix_norm;
            return stack({matrix_norm(x, 1), matrix_norm(x, -1), matrix_norm(x, 2), matrix_norm(x, -2),
                          matrix_norm(x, inf), matrix_norm(x, -inf), matrix_norm(x),
                          matrix_norm(x, linalg::matrix_order::nuclear), linalg::cond(x), linalg::cond(x, 1)});
        },
        std::make_tuple(some<double>(shape{2, 2}, 1))));
}
