// Values captured from an outer jvp by inner vmaps.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from jvp: vmap") {
    check_captured<outer_jvp, inner_vmap>();
}
TEST_CASE("captured from jvp: vmap of grad") {
    check_captured<outer_jvp, inner_vmap_of_grad>();
}
TEST_CASE("captured from jvp: vmap of a pullback") {
    check_captured<outer_jvp, inner_pull_in_vmap>();
}
TEST_CASE("captured from jvp: hessian") {
    check_captured<outer_jvp, inner_hessian>();
}
TEST_CASE("captured from jvp: jacfwd") {
    check_captured<outer_jvp, inner_jacfwd>();
}
TEST_CASE("captured from jvp: jacrev") {
    check_captured<outer_jvp, inner_jacrev>();
}
