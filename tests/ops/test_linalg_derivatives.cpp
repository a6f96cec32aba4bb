// Derivatives of linalg: systems, determinants and the exponential, first and second, backward and forward, in
// complex numbers, and in real ones where the rules differ.
#include "linalg.hpp"

using namespace linear;

TEST_CASE("linalg: derivatives of systems, inverses, determinants and the exponential") {
    check_derivatives(
        [](const auto& a) {
            const auto b = turned(a);
            const auto [sign, logarithm] = linalg::slogdet(a);
            return joined<complex_double>(linalg::solve(a, b), linalg::inv(a),
                                          linalg::solve_triangular(a, b, true, false), linalg::det(a), sign, logarithm,
                                          linalg::matrix_exp(a));
        },
        some<complex_double>(shape{2, 2}, 1));
}
TEST_CASE("linalg: derivatives in real numbers, of one matrix for several right sides, of what is composed") {
    const auto [factors, order] = linalg::lu_factor(some<double>(shape{3, 3}, 3));
    const auto lu = factors;
    const auto rows = order;
    CHECK(gradcheck(
        [&](const auto& a, const auto& b) {
            return joined<double>(linalg::solve(a, b), linalg::solve_triangular(a, b, false, true, true),
                                  linalg::slogdet(a).logabsdet, linalg::matrix_power(a, -3),
                                  linalg::multi_dot(evaluate(index(b, 0, 0)), a, matrix_transpose(a), a),
                                  linalg::lu_solve(evaluate(lu + a), rows, b), linalg::cross(a, b));
        },
        std::make_tuple(some<double>(shape{3, 3}, 1), some<double>(shape{2, 3, 3}, 2))));
    const auto reflections = some<complex_double>(shape{3, 2}, 2);
    CHECK(gradcheck(
        [&](const auto& v) {
            const auto tau = evaluate(index(v, 2));
            return evaluate(linalg::householder_product(v, tau) * linalg::householder_product(reflections, tau));
        },
        std::make_tuple(some<complex_double>(shape{3, 2}, 1))));
}
TEST_CASE("linalg: the derivative of the determinant of singular matrices, of rank n - 1 and below") {
    const tensor<double, 2> singular{{1, 2, 3}, {2, 4, 6}, {0, 1, 1}};
    const auto det = [](const auto& a) { return linalg::det(a); };
    CHECK(gradcheck(det, std::make_tuple(singular)));
    CHECK(gradcheck(det, std::make_tuple(ones<double>({3, 3}))));
    CHECK(gradcheck(det, std::make_tuple(evaluate(singular * complex_double(0.6, 0.8)))));
    CHECK(gradgradcheck(det, std::make_tuple(singular)));
    CHECK(gradgradcheck(det, std::make_tuple(ones<double>({3, 3}))));
    // of rank n - 2 the second derivatives are the products of two elements: those of diag(2, 0, 0)
    auto diagonal = zeros<double>({3, 3});
    diagonal(0, 0) = 2;
    const auto h = hessian(det)(diagonal);
    CHECK(std::abs(h(1, 1, 2, 2).item() - 2) < 1e-15);
    CHECK(std::abs(h(1, 2, 2, 1).item() + 2) < 1e-15);
    CHECK(std::abs(sum(abs(h)).item() - 8) < 1e-14);
    // of no rank at all: det of 2 x 2 is a d - b c
    const auto h0 = hessian(det)(zeros<double>({2, 2}));
    CHECK(std::abs(h0(0, 0, 1, 1).item() - 1) + std::abs(h0(0, 1, 1, 0).item() + 1) < 1e-15);
    CHECK(std::abs(sum(abs(h0)).item() - 4) < 1e-15);
    // det(A + t B) is a polynomial: its third derivative is 6 det(B), at a matrix that has an inverse
    const tensor<double, 2> along{{1, 0, 2}, {0, 3, 1}, {1, 1, 0}};
    const auto cubic = [&](auto t) { return linalg::det(evaluate(eye<double>(3) + t * along)); };
    CHECK(std::abs(grad(grad(grad(cubic)))(tensor<double, 0>(0.25)).item() - 6 * linalg::det(along).item()) < 1e-11);
}
TEST_CASE("linalg: a third derivative, and variables with create_graph") {
    const auto sine = [](auto t) { return evaluate(linalg::matrix_exp(t * tensor<double, 2>{{0, -1}, {1, 0}})(1, 0)); };
    CHECK(std::abs(grad(grad(grad(sine)))(tensor<double, 0>(0.3)).item() + std::cos(0.3)) < 1e-12);
    variable<double, 2> a = tensor<double, 2>{{2, 1}, {1, 3}};
    const auto y = linalg::det(linalg::inv(a));
    auto [slope] = autograd::grad(y, ricci::tuple(a), {.create_graph = true});
    backward(sum(slope * slope));
    const auto twice = grad([](auto x) {
        const auto g = grad([](auto z) { return linalg::det(linalg::inv(z)); })(x);
        return sum(g * g);
    })(a.value());
    CHECK(largest(evaluate(a.grad() - twice)) < 1e-13);
}
