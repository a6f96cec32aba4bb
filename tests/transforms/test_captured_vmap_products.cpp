// Values captured from an outer vmap by inner products of Jacobians.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from vmap: grad") {
    check_captured<outer_vmap, inner_grad>();
}
TEST_CASE("captured from vmap: value_and_grad") {
    check_captured<outer_vmap, inner_value_and_grad>();
}
TEST_CASE("captured from vmap: jvp") {
    check_captured<outer_vmap, inner_jvp>();
}
TEST_CASE("captured from vmap: jvp along a captured tangent") {
    check_captured<outer_vmap, inner_jvp_along_captured>();
}
TEST_CASE("captured from vmap: vjp") {
    check_captured<outer_vmap, inner_vjp>();
}
TEST_CASE("captured from vmap: vjp of a captured cotangent") {
    check_captured<outer_vmap, inner_vjp_of_captured>();
}
TEST_CASE("captured from vmap: hvp") {
    check_captured<outer_vmap, inner_hvp>();
}
