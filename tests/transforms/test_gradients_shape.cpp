// Derivatives through views and reshapes: what an element was seen as several times adds up, what was not seen is zero.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x2 = spread({3, 4}, 1);
const auto x3 = spread({2, 3, 2}, 5);

}  // namespace

TEST_CASE("derivatives: indexing") {
    check_first_order([](auto x) { return x(1, 2); }, x2);
    check_first_order([](auto x) { return x(-1) * x(all, slice(none, none, -1))(0); }, x2);
    check_first_order([](auto x) { return x(slice(0, none, 2), slice(3, 0, -2)); }, x2);
    check_first_order([](auto x) { return x(ellipsis, 0) * x(all, newaxis, 1, 1); }, x3);
    check_first_order([](auto x) { return x(slice(2, 2)) + x(all, slice(1, 2))(slice(0, 0)); }, x2);
    check_orders([](auto x) { return x(slice(0, -1)) * square(x(slice(1, none))); }, x2);
}
TEST_CASE("derivatives: permute and matrix_transpose") {
    check_first_order([](auto x) { return permute(x, {2, 0, 1}); }, x3);
    check_first_order([](auto x) { return matrix_transpose(x) * spread({2, 2, 3}, 3); }, x3);
    check_orders([](auto x) { return permute(x(all, slice(0, 3)), {1, 0}) * x(all, slice(1, 4)); }, x2);
}
TEST_CASE("derivatives: reshape") {
    check_first_order([](auto x) { return reshape(x, {2, -1}); }, x3);
    check_first_order([](auto x) { return reshape(permute(x, {1, 0}), {2, 6}); }, x2);
    check_first_order([](auto x) { return reshape(x(0, 0), {1, 1}); }, x2);
    check_orders([](auto x) { return reshape(sin(x), {12})(slice(none, none, -1)) * reshape(x, {12}); }, x2);
}
TEST_CASE("derivatives: expand") {
    check_first_order([](auto x) { return expand(x, {2, 3, 4}); }, x2);
    check_first_order([](auto x) { return expand(x(all, slice(0, 1)), {3, 5}); }, x2);
    check_orders([](auto x) { return expand(x(0, 0), {3, 4}) * x; }, x2);
}
TEST_CASE("derivatives: views of views that overlap") {
    check_orders(
        [](auto x) {
            const auto row = x(1);
            return row(slice(0, 3)) * row(slice(1, 4)) + row(slice(none, none, 2))(0) * x(0, slice(1, none));
        },
        x2);
}
