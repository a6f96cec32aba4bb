// Three transforms nested in grad: the innermost captures from the outermost.
#include "nested.hpp"

using namespace nested;

TEST_CASE("skipping: grad of grad of each") {
    check_each_skipping<by_grad, by_grad>();
}
TEST_CASE("skipping: grad of jvp of each") {
    check_each_skipping<by_grad, by_jvp>();
}
TEST_CASE("skipping: grad of vmap of each") {
    check_each_skipping<by_grad, by_vmap>();
}
