// Gradients of float32, of mixed element types, and of arrays without elements.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> x1{0.3, -0.7, 1.1};

}  // namespace

TEST_CASE("gradients: float32, and types mixed in one expression") {
    const tensor<float, 1> xf = x1;
    const tensor<int, 1> n{1, 2, 3};
    const tensor<bool, 1> mask{true, false, true};
    const auto g = grad([](auto x) { return sum(sin(x) * exp(-x * x)); })(xf);
    static_assert(std::is_same_v<decltype(g)::value_type, float>);
    check_close(g, cos(x1) * exp(-x1 * x1) - 2 * x1 * sin(x1) * exp(-x1 * x1), 1e-6);
    const auto mixed = grad([n, mask](auto x) { return sum(x * x * n * mask); })(xf);
    static_assert(std::is_same_v<decltype(mixed)::value_type, float>);
    check_close(mixed, tensor<double, 1>{0.6, 0, 6.6}, 1e-6);
    const auto widened = grad([](auto x) { return sum(x * x1); })(xf);  // the product is double, the gradient float
    static_assert(std::is_same_v<decltype(widened)::value_type, float>);
    check_close(widened, x1, 1e-6);
    const auto integers = grad([](auto x, auto k) { return sum(pow(x, k)); })(x1, n);
    check_close(integers, tensor<double, 1>{1, -1.4, 3.63});
    check_close(hvp([n](auto x) { return sum(x * x * n); }, xf, tensor<float, 1>{1, 1, 1}), tensor<double, 1>{2, 4, 6}, 1e-6);
    const auto cast = grad([](auto x) { return sum(square(astype<double>(x))); })(xf);
    static_assert(std::is_same_v<decltype(cast)::value_type, float>);
    check_close(cast, 2 * x1, 1e-6);
}
TEST_CASE("gradients: arrays without elements") {
    const auto empty_vector = zeros<double>({0});
    CHECK(grad([](auto x) { return sum(sin(x) * x); })(empty_vector).shape() == shape<1>{0});
    CHECK(hessian([](auto x) { return sum(sin(x) * x); })(empty_vector).shape() == shape<2>{0, 0});
    const auto empty_matrix = zeros<double>({0, 3});
    const auto [y, pull] = vjp([](auto a, auto b) { return a * b; }, empty_matrix, x1);
    const auto [a_bar, b_bar] = pull(empty_matrix);
    CHECK(a_bar.shape() == shape<2>{0, 3});
    check_close(b_bar, zeros<double>({3}));  // a sum of no rows
    const auto [value, slope] = jvp([](auto x) { return sum(x, 0); }, empty_matrix, empty_matrix);
    check_close(slope, zeros<double>({3}));
    CHECK(jacfwd([](auto x) { return sin(x); })(empty_vector).shape() == shape<2>{0, 0});
    CHECK(jacrev([](auto x) { return sum(x) + x1; })(empty_vector).shape() == shape<2>{3, 0});
    CHECK_THROWS_AS(grad([](auto x) { return max(x); })(empty_vector), value_error);
}
