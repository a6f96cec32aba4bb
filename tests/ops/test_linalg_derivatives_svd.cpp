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
TEST_CASE("linalg: derivatives of svd at equal singular values") {
    const tensor<double, 2> c{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    const auto polar = [&](const auto& x) {
        const auto [u, s, vh] = linalg::svd(x, false);
        return sum(c * matmul(u, vh));
    };
    // of s U V^H by A the skew part of C over 2 s
    const auto slope = grad(polar)(evaluate(2 * eye<double>(3)));
    CHECK(largest(evaluate(slope - (c - matrix_transpose(c)) / 4)) < 1e-14);
    CHECK(std::isnan(grad(polar)(zeros<double>({3, 3})).at(0, 1)));
    // sin(1) and cos(1) both count: the cotangents of U, s and V^H don't show the second
    const auto g = grad([&](const auto& x) { return sum(recomposed(x)(slice(0, 9)) * ravel(c)); })(eye<double>(3));
    CHECK(std::isnan(g.at(0, 1)));
    // values alone: those of a zero column
    CHECK(array_equal(grad([](const auto& x) { return sum(linalg::svdvals(x)); })(zeros<double>({2, 1})),
                      tensor<double, 2>{{1}, {0}}));
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
