// Derivatives of the element-wise operators and functions of several arguments. All depend on one array, so that the
// second derivatives hold the mixed ones.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 2> x0 = spread({2, 3}, 4) + 1.6;

}  // namespace

TEST_CASE("derivatives: add, subtract") {
    check_orders([](auto x) { return (1 - x) + 2 * x - 1 + x; }, x0);
}
TEST_CASE("derivatives: multiply") {
    check_orders([](auto x) { return x * (x + 1) * 3; }, x0);
}
TEST_CASE("derivatives: divide") {
    check_orders([](auto x) { return (1 - x) / (x + 2); }, x0);
    check_orders([](auto x) { return 2 / x + x / 3; }, x0);
}
TEST_CASE("derivatives: pow") {
    check_orders([](auto x) { return pow(x, 2 - x); }, x0);
    check_orders([](auto x) { return pow(x, 3) + pow(2, x); }, x0);
}
TEST_CASE("derivatives: maximum, minimum away from ties") {
    check_orders([](auto x) { return maximum(x * x, 2 * x); }, x0);
    check_orders([](auto x) { return minimum(x * x, 2 * x); }, x0);
}
TEST_CASE("derivatives: clip away from the limits") {
    check_orders([](auto x) { return clip(x * x, 0.8 * x, 1.5 + 0.1 * x); }, x0);
}
