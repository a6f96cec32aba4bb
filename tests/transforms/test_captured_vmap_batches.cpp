// Values captured from an outer vmap by inner vmaps.
#include "captured.hpp"

using namespace captured;

TEST_CASE("captured from vmap: vmap") {
    check_captured<outer_vmap, inner_vmap>();
}
TEST_CASE("captured from vmap: vmap of grad") {
    check_captured<outer_vmap, inner_vmap_of_grad>();
}
TEST_CASE("captured from vmap: vmap of a pullback") {
    check_captured<outer_vmap, inner_pull_in_vmap>();
}
TEST_CASE("captured from vmap: hessian") {
    check_captured<outer_vmap, inner_hessian>();
}
TEST_CASE("captured from vmap: jacfwd") {
    check_captured<outer_vmap, inner_jacfwd>();
}
TEST_CASE("captured from vmap: jacrev") {
    check_captured<outer_vmap, inner_jacrev>();
}
