// Values captured from the other outer transforms: they share the rules of grad and jvp, so a few inner ones do.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from value_and_grad: grad") {
    check_captured<outer_value_and_grad, inner_grad>();
}
TEST_CASE("captured from value_and_grad: jvp") {
    check_captured<outer_value_and_grad, inner_jvp>();
}
TEST_CASE("captured from value_and_grad: vmap") {
    check_captured<outer_value_and_grad, inner_vmap>();
}
TEST_CASE("captured from vjp: grad") {
    check_captured<outer_vjp, inner_grad>();
}
TEST_CASE("captured from vjp: jvp") {
    check_captured<outer_vjp, inner_jvp>();
}
TEST_CASE("captured from vjp: vmap") {
    check_captured<outer_vjp, inner_vmap>();
}
