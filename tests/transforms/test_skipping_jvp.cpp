// Three transforms nested in jvp: the innermost captures from the outermost.
#include "nested.hpp"

using namespace nested;

TEST_CASE("skipping: jvp of grad of each") {
    check_each_skipping<by_jvp, by_grad>();
}
TEST_CASE("skipping: jvp of jvp of each") {
    check_each_skipping<by_jvp, by_jvp>();
}
TEST_CASE("skipping: jvp of vmap of each") {
    check_each_skipping<by_jvp, by_vmap>();
}
