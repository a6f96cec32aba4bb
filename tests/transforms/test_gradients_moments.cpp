// Derivatives of products, variances and standard deviations.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x2 = spread({3, 4}, 1);
const auto x3 = spread({2, 3, 2}, 5);

}  // namespace

TEST_CASE("derivatives: prod") {
    check_first_order([](auto x) { return prod(x); }, x2);
    check_first_order([](auto x) { return prod(x, {2, 0}); }, x3);
    check_first_order([](auto x) { return prod(x, -1, keepdims); }, x2);
    check_orders([](auto x) { return prod(x, 0); }, x2);
}
TEST_CASE("derivatives: prod with one and two zeros, which a division by the element would lose") {
    auto f = [](auto x) { return prod(x); };
    const tensor<double, 1> one{2, 0, 3}, two{0, 5, 0};
    check_close(grad(f)(one), tensor<double, 1>{0, 6, 0});
    check_close(grad(f)(two), tensor<double, 1>{0, 0, 0});
    check_close(hessian(f)(one), tensor<double, 2>{{0, 3, 0}, {3, 0, 2}, {0, 2, 0}});
    check_close(hessian(f)(two), tensor<double, 2>{{0, 0, 5}, {0, 0, 0}, {5, 0, 0}});
    check_close(std::get<1>(jvp(f, one, ones<double>({3}))), tensor<double, 0>(6));
}
TEST_CASE("derivatives: prod of one and of no elements") {
    auto f = [](auto x) { return prod(x); };
    check_close(grad(f)(tensor<double, 1>{7}), tensor<double, 1>{1});
    CHECK(grad(f)(zeros<double>({0})).shape() == shape<1>{0});
    const auto [y, pull] = vjp([](auto x) { return prod(x, 0); }, zeros<double>({0, 3}));
    check_close(y, ones<double>({3}));
    CHECK(pull(ones<double>({3})).shape() == shape<2>{0, 3});
}
TEST_CASE("derivatives: var") {
    check_first_order([](auto x) { return var(x); }, x2);
    check_first_order([](auto x) { return var(x, {0, 1}, keepdims, 1); }, x2);
    check_orders([](auto x) { return var(x, 1); }, x2);
}
TEST_CASE("derivatives: stddev") {
    check_first_order([](auto x) { return stddev(x, 0, keepdims) * x; }, x2);
    check_orders([](auto x) { return stddev(x * x); }, x2);
}
