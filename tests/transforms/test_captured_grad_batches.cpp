// Values captured from an outer grad by inner vmaps.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from grad: vmap") {
    check_captured<outer_grad, inner_vmap>();
}
TEST_CASE("captured from grad: vmap of grad") {
    check_captured<outer_grad, inner_vmap_of_grad>();
}
TEST_CASE("captured from grad: vmap of a pullback") {
    check_captured<outer_grad, inner_pull_in_vmap>();
}
TEST_CASE("captured from grad: hessian") {
    check_captured<outer_grad, inner_hessian>();
}
TEST_CASE("captured from grad: jacfwd") {
    check_captured<outer_grad, inner_jacfwd>();
}
TEST_CASE("captured from grad: jacrev") {
    check_captured<outer_grad, inner_jacrev>();
}
