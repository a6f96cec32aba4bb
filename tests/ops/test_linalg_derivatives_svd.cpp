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
TEST_CASE("linalg: forward mode along many directions agrees with reverse mode") {
    const auto A = some<double>(shape{3, 2}, 1);
    const auto y = some<double>(shape{3}, 2);
    constexpr auto agree = [](const auto& f, const auto& x) {
        return allclose(jacfwd(f)(x), jacrev(f)(x), 1e-11, 1e-12);
    };
    CHECK(agree([](const auto& x) { return linalg::pinv(x); }, A));
    CHECK(agree([&](const auto& x) { return linalg::lstsq(x, y).solution; }, A));
    CHECK(agree([&](const auto& v) { return linalg::lstsq(A, v).solution; }, y));
    const auto of_right = [&](const auto& v) { return sum(linalg::lstsq(A, v).residuals); };
    CHECK(allclose(hessian(of_right)(y), 2 * (eye<double>(3) - matmul(A, linalg::pinv(A))), 1e-11, 1e-12));
}
TEST_CASE("linalg: the singular values that come with full U and V have their derivative") {
    const auto by_svd = grad([](const auto& x) { return sum(sin(linalg::svd(x).S)); });
    const auto alone = grad([](const auto& x) { return sum(sin(linalg::svdvals(x))); });
    for (const auto& x : {some<double>(shape{3, 2}, 1), some<double>(shape{2, 4}, 2)})
        CHECK(allclose(by_svd(x), alone(x), 1e-13, 1e-14));
    CHECK_THROWS_AS(grad([](const auto& x) { return sum(linalg::svd(x).U); })(some<double>(shape{3, 2}, 1)),
                    gradient_error);
}
TEST_CASE("linalg: cofactors in range of determinants that are not") {
    const auto cofactors = grad([](const auto& x) { return linalg::det(x); });
    const auto of = [&](double a) { return cofactors(tensor<double, 2>{{a, 0}, {0, 2 * a}}); };
    CHECK(allclose(of(1e200) / 1e200, tensor<double, 2>{{2, 0}, {0, 1}}, 1e-13, 1e-13));
    CHECK(allclose(of(1e-200) * 1e200, tensor<double, 2>{{2, 0}, {0, 1}}, 1e-13, 1e-13));
    CHECK(allclose(hessian([](const auto& x) { return linalg::det(x); })(1e200 * eye<double>(2))(0, 0),
                   tensor<double, 2>{{0, 0}, {0, 1}}, 1e-13, 1e-13));
}
