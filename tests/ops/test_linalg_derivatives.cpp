// Derivatives of linalg: systems, determinants and the exponential, first and second, backward and forward, in complex numbers,
// and in real ones where the rules differ.
#include "linalg.hpp"

using namespace linear;

TEST_CASE("linalg: derivatives of solve and inv") {
    check_derivatives([](const auto& a, const auto& b) { return linalg::solve(a, b); }, some<complex_double>(shape{2, 2}, 1),
                      some<complex_double>(shape{2, 1}, 2));
    check_derivatives([](const auto& a) { return linalg::inv(a); }, some<complex_double>(shape{2, 2}, 1));
    // one matrix, several right sides: its adjoint is summed
    CHECK(gradcheck([](const auto& a, const auto& b) { return linalg::solve(a, b); },
                    std::make_tuple(some<double>(shape{3, 3}, 1), some<double>(shape{2, 3, 2}, 2))));
}
TEST_CASE("linalg: derivatives of solve_triangular") {
    check_derivatives([](const auto& a) { return linalg::solve_triangular(a, turned(a), true, false); },
                      some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck([](const auto& a, const auto& b) { return linalg::solve_triangular(a, b, false, true, true); },
                    std::make_tuple(some<double>(shape{3, 3}, 1), some<double>(shape{3}, 2))));
}
TEST_CASE("linalg: derivatives of determinants") {
    check_derivatives([](const auto& a) { return linalg::det(a); }, some<complex_double>(shape{2, 2}, 1));
    check_derivatives(
        [](const auto& a) {
            const auto [sign, logarithm] = linalg::slogdet(a);
            return evaluate(sign * logarithm);
        },
        some<complex_double>(shape{2, 2}, 1));
    CHECK(gradcheck([](const auto& a) { return std::get<1>(linalg::slogdet(a)); }, std::make_tuple(some<double>(shape{3, 3}, 1))));
    // cofactors of singular matrices, of rank n - 1 and below
    const tensor<double, 2> singular{{1, 2, 3}, {2, 4, 6}, {0, 1, 1}};
    CHECK(gradcheck([](const auto& a) { return linalg::det(a); }, std::make_tuple(singular)));
    CHECK(gradcheck([](const auto& a) { return linalg::det(a); }, std::make_tuple(ones<double>({3, 3}))));
    CHECK(gradcheck([](const auto& a) { return linalg::det(a); },
                    std::make_tuple(evaluate(astype<complex_double>(singular) * complex_double(0.6, 0.8)))));
}
TEST_CASE("linalg: derivatives of the exponential") {
    check_derivatives([](const auto& a) { return linalg::matrix_exp(a); }, some<complex_double>(shape{2, 2}, 1));
    const auto third = [](auto t) { return evaluate(linalg::matrix_exp(t * tensor<double, 2>{{0, -1}, {1, 0}})(1, 0)); };
    const tensor<double, 0> at(0.3);  // the sine
    CHECK(std::abs(grad(grad(grad(third)))(at).item() + std::cos(0.3)) < 1e-12);
}
TEST_CASE("linalg: derivatives of functions that are composed") {
    CHECK(gradcheck([](const auto& a) { return linalg::matrix_power(a, -3); }, std::make_tuple(some<double>(shape{2, 2}, 1))));
    CHECK(gradcheck([](const auto& a, const auto& v) { return linalg::multi_dot(v, a, matrix_transpose(a), a); },
                    std::make_tuple(some<double>(shape{2, 3}, 1), some<double>(shape{2}, 2))));
    CHECK(gradcheck([](const auto& v, const auto& t) { return linalg::householder_product(v, t); },
                    std::make_tuple(some<complex_double>(shape{3, 2}, 1), some<complex_double>(shape{2}, 2))));
    CHECK(gradcheck([](const auto& a, const auto& b) { return linalg::cross(a, b); },
                    std::make_tuple(some<double>(shape{2, 3}, 1), some<double>(shape{3}, 2))));
    const auto [lu, order] = linalg::lu_factor(some<double>(shape{3, 3}, 1));
    const auto rows = order;
    CHECK(gradcheck([rows](const auto& f, const auto& b) { return linalg::lu_solve(f, rows, b); },
                    std::make_tuple(lu, some<double>(shape{3, 2}, 2))));
}
TEST_CASE("linalg: jet, and variables with create_graph") {
    // d^k/dt^k of 1 / (1 + t) by the inverse of a matrix
    const auto f = [](auto t) { return evaluate(linalg::inv(t * tensor<double, 2>{{1, 0}, {0, 2}} + eye<double>(2))(0, 0)); };
    CHECK(std::abs(grad(grad(f))(tensor<double, 0>(0.5)).item() - 2 / std::pow(1.5, 3)) < 1e-12);
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
