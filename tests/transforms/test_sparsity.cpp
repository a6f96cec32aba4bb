// Patterns found in functions: all that an element is computed from, whatever the values, and no more where ops tell.
#include "patterns.hpp"

using namespace derivative_checks;

namespace {

const auto x0 = spread({6});
const auto two = band(5, 6, 0, 1);

}  // namespace

TEST_CASE("jacobian_sparsity: both branches, ties, kinks and zeros count; comparisons do not") {
    check_pattern(
        jacobian_sparsity([](auto x) { return where(x(slice(0, -1)) > 5, x(slice(0, -1)), x(slice(1, none))); }, x0),
        two);
    check_pattern(jacobian_sparsity([](auto x) { return maximum(x(slice(0, -1)), x(slice(1, none)) - 9); }, x0), two);
    check_pattern(
        jacobian_sparsity([](auto x) { return 0 * x(slice(0, -1)) + abs(x(slice(1, none))); }, evaluate(0 * x0)), two);
    check_pattern(
        jacobian_sparsity([](auto x) { return where(x(slice(0, -1)) > 0, 1.0, 2.0) * x(slice(1, none)); }, x0),
        band(5, 6, 1, 1));
    const tensor<bool, 2> pairs{{true, true, false, false, false, false},
                                {false, false, true, true, false, false},
                                {false, false, false, false, true, true}};
    check_pattern(jacobian_sparsity([](auto x) { return max(reshape(x, {3, 2}), 1); }, x0), pairs);
}
TEST_CASE("jacobian_sparsity: products with matrices and unknown rules are dense, constants empty") {
    const auto a = eye<double>(4, 6);
    check_pattern(jacobian_sparsity([a](auto x) { return matmul(a, x); }, x0), ones<bool>({4, 6}));
    const auto sine = custom_jvp(
        [](auto x) { return sin(x); },
        [](auto p, auto t) { return ricci::tuple(sin(std::get<0>(p)), cos(std::get<0>(p)) * std::get<0>(t)); });
    const auto middle = jacobian_sparsity([sine](auto x) { return sine(x(slice(2, 5))); }, x0);
    check_pattern(middle, tensor<bool, 2>(expand(arange<double>(6) >= 2 && arange<double>(6) < 5, {3, 6})));
    check_pattern(jacobian_sparsity([](auto x) { return stop_gradient(x); }, x0), zeros<bool>({6, 6}));
    check_pattern(jacobian_sparsity([](auto x) { return map([](auto u, auto v) { return u + 0 * v; }, x, x(0)); }, x0),
                  tensor<bool, 2>(eye<bool>(6) || expand(arange<double>(6) < 1, {6, 6})));
}
TEST_CASE("hessian_sparsity: terms of a sum keep apart") {
    check_pattern(hessian_sparsity([](auto x) { return sum(sin(x(slice(0, -1))) + exp(x(slice(1, none)))); }, x0),
                  eye<bool>(6));
    check_pattern(hessian_sparsity([](auto x) { return sum(x * 3 + 1); }, x0), zeros<bool>({6, 6}));
    check_pattern(hessian_sparsity([](auto x) { return sum(x(slice(0, -1)) * x(slice(1, none))); }, x0),
                  tensor<bool, 2>(eye<bool>(6, 6, 1) || eye<bool>(6, 6, -1)));
    check_pattern(hessian_sparsity([](auto x) { return exp(sum(x(slice(0, 3)))); }, x0),
                  tensor<bool, 2>(expand(arange<double>(6) < 3, {6, 6}) && reshape(arange<double>(6) < 3, {6, 1})));
    check_pattern(
        hessian_sparsity(
            [](auto x) {
                return sum(map([](auto a, auto b) { return a * a + sin(b); }, x(slice(0, -1)), x(slice(1, none))));
            },
            x0),
        eye<bool>(6));
}
