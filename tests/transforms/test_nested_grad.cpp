// Three transforms nested in grad: the innermost captures from both outer ones.
#include "nested.hpp"

using namespace nested;

TEST_CASE("nested: grad of grad of each") {
    check_each_both<by_grad, by_grad>();
}
TEST_CASE("nested: grad of jvp of each") {
    check_each_both<by_grad, by_jvp>();
}
TEST_CASE("nested: grad of vmap of each") {
    check_each_both<by_grad, by_vmap>();
}
