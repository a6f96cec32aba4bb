// Derivatives of the reductions over no, one and several axes, of arrays and of the maps that fuse with them.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x2 = spread({3, 4}, 1);
const auto x3 = spread({2, 3, 2}, 5);

}  // namespace

TEST_CASE("derivatives: sum") {
    check_first_order([](auto x) { return sum(x * x); }, x2);
    check_first_order([](auto x) { return sum(sin(x), 0); }, x2);
    check_first_order([](auto x) { return sum(x * x, -1, keepdims); }, x2);
    check_first_order([](auto x) { return sum(x * x, {0, 2}); }, x3);
    check_orders([](auto x) { return sum(sin(x), 1) * sum(x); }, x2);
}
TEST_CASE("derivatives: mean") {
    check_first_order([](auto x) { return mean(x * x); }, x2);
    check_first_order([](auto x) { return mean(x, {0, 1}, keepdims) * x; }, x2);
    check_orders([](auto x) { return x - mean(x * x, 1, keepdims); }, x2);
}
TEST_CASE("derivatives: max and min") {
    check_first_order([](auto x) { return max(x); }, x2);
    check_first_order([](auto x) { return max(x * x, 0); }, x2);
    check_first_order([](auto x) { return min(x, {0, 2}, keepdims); }, x3);
    check_orders([](auto x) { return square(max(sin(x), 1)); }, x2);
    check_orders([](auto x) { return square(min(x, 0)); }, x2);
}
