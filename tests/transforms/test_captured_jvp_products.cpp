// Values captured from an outer jvp by inner products of Jacobians.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from jvp: grad") {
    check_captured<outer_jvp, inner_grad>();
}
TEST_CASE("captured from jvp: value_and_grad") {
    check_captured<outer_jvp, inner_value_and_grad>();
}
TEST_CASE("captured from jvp: jvp") {
    check_captured<outer_jvp, inner_jvp>();
}
TEST_CASE("captured from jvp: jvp along a captured tangent") {
    check_captured<outer_jvp, inner_jvp_along_captured>();
}
TEST_CASE("captured from jvp: vjp") {
    check_captured<outer_jvp, inner_vjp>();
}
TEST_CASE("captured from jvp: vjp of a captured cotangent") {
    check_captured<outer_jvp, inner_vjp_of_captured>();
}
TEST_CASE("captured from jvp: hvp") {
    check_captured<outer_jvp, inner_hvp>();
}
