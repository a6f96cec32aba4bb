// Three transforms nested in vmap: the innermost captures from the outermost.
#include "nested.hpp"

using namespace nested;

TEST_CASE("skipping: vmap of grad of each") {
    check_each_skipping<by_vmap, by_grad>();
}
TEST_CASE("skipping: vmap of jvp of each") {
    check_each_skipping<by_vmap, by_jvp>();
}
TEST_CASE("skipping: vmap of vmap of each") {
    check_each_skipping<by_vmap, by_vmap>();
}
