// Three transforms nested in jvp: the innermost captures from both outer ones.
#include "nested.hpp"

using namespace nested;

TEST_CASE("nested: jvp of grad of each") {
    check_each_both<by_jvp, by_grad>();
}
TEST_CASE("nested: jvp of jvp of each") {
    check_each_both<by_jvp, by_jvp>();
}
TEST_CASE("nested: jvp of vmap of each") {
    check_each_both<by_jvp, by_vmap>();
}
