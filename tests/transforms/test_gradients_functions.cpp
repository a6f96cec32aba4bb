// Derivatives of the element-wise functions of one argument, to second order.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 2> signed_values = spread({2, 3}) * 1.7;
const tensor<double, 2> positive_values = spread({2, 3}) + 1.5;

}  // namespace

TEST_CASE("derivatives: exp") {
    check_orders([](auto x) { return exp(x); }, signed_values);
}
TEST_CASE("derivatives: log") {
    check_orders([](auto x) { return log(x); }, positive_values);
}
TEST_CASE("derivatives: sin") {
    check_orders([](auto x) { return sin(x); }, signed_values);
}
TEST_CASE("derivatives: cos") {
    check_orders([](auto x) { return cos(x); }, signed_values);
}
TEST_CASE("derivatives: tanh") {
    check_orders([](auto x) { return tanh(x); }, signed_values);
}
TEST_CASE("derivatives: sqrt") {
    check_orders([](auto x) { return sqrt(x); }, positive_values);
}
TEST_CASE("derivatives: square") {
    check_orders([](auto x) { return square(x); }, signed_values);
}
TEST_CASE("derivatives: negative") {
    check_orders([](auto x) { return -x; }, signed_values);
}
TEST_CASE("derivatives: abs away from 0") {
    check_orders([](auto x) { return abs(x) * x; }, signed_values);
}
