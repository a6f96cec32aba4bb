// Three transforms nested in vmap: the innermost captures from both outer ones.
#include "nested.hpp"

using namespace nested;

TEST_CASE("nested: vmap of grad of each") {
    check_each_both<by_vmap, by_grad>();
}
TEST_CASE("nested: vmap of jvp of each") {
    check_each_both<by_vmap, by_jvp>();
}
TEST_CASE("nested: vmap of vmap of each") {
    check_each_both<by_vmap, by_vmap>();
}
