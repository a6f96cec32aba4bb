// Derivatives of matmul in both factors, for every combination of ranks and broadcast leading axes.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto product = [](auto a, auto b) { return matmul(a, b); };

}  // namespace

TEST_CASE("derivatives: matmul of matrices and vectors") {
    check_first_order(product, spread({3, 4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({3, 4}, 1), spread({4}, 2));
    check_first_order(product, spread({4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({4}, 1), spread({4}, 2));
}
TEST_CASE("derivatives: matmul of stacks") {
    check_first_order(product, spread({2, 3, 4}, 1), spread({2, 4, 2}, 2));
    check_first_order(product, spread({2, 3, 4}, 1), spread({4, 2}, 2));
    check_first_order(product, spread({3, 4}, 1), spread({2, 4, 2}, 2));
    check_first_order(product, spread({2, 1, 2, 3}, 1), spread({3, 3, 2}, 2));
}
TEST_CASE("derivatives: matmul of what depends on one array, twice") {
    const auto x = spread({3, 3}, 1);
    auto f = [](auto a) { return matmul(sin(a), permute(a, {1, 0})); };
    check_orders(f, x);
    check_reverse_twice(f, x);
}
TEST_CASE("derivatives: matmul without elements") {
    const auto [y, pull] = vjp(product, zeros<double>({3, 0}), zeros<double>({0, 2}));
    check_close(y, zeros<double>({3, 2}));
    const auto [a_bar, b_bar] = pull(ones<double>({3, 2}));
    CHECK(a_bar.shape() == shape<2>{3, 0});
    CHECK(b_bar.shape() == shape<2>{0, 2});
}
