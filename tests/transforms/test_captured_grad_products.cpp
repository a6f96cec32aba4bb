// Values captured from an outer grad by inner products of Jacobians.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from grad: grad") {
    check_captured<outer_grad, inner_grad>();
}
TEST_CASE("captured from grad: value_and_grad") {
    check_captured<outer_grad, inner_value_and_grad>();
}
TEST_CASE("captured from grad: jvp") {
    check_captured<outer_grad, inner_jvp>();
}
TEST_CASE("captured from grad: jvp along a captured tangent") {
    check_captured<outer_grad, inner_jvp_along_captured>();
}
TEST_CASE("captured from grad: vjp") {
    check_captured<outer_grad, inner_vjp>();
}
TEST_CASE("captured from grad: vjp of a captured cotangent") {
    check_captured<outer_grad, inner_vjp_of_captured>();
}
TEST_CASE("captured from grad: hvp") {
    check_captured<outer_grad, inner_hvp>();
}
