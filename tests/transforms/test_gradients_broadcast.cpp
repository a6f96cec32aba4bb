// Adjoints of broadcast leaves: sums over the axes along which they were repeated.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto matrix = spread({3, 4}, 1);
const auto row = spread({4}, 2);
const auto column = spread({3, 1}, 3);
const tensor<double, 0> scalar(0.37);

}  // namespace

TEST_CASE("broadcast: a matrix with each of the smaller shapes") {
    auto f = [](auto a, auto b) { return sin(a * b) + b * b; };
    check_first_order(f, matrix, row);
    check_first_order(f, matrix, column);
    check_first_order(f, matrix, scalar);
}
TEST_CASE("broadcast: shapes of which neither is the result's") {
    auto f = [](auto a, auto b) { return a * exp(b) - b; };
    check_first_order(f, row, column);
    check_first_order(f, scalar, row);
    check_first_order(f, column, scalar);
}
TEST_CASE("broadcast: four shapes in one expression, reduced or not") {
    auto f = [](auto a, auto b, auto c, auto d) { return a * b + sin(c * d) - b / (d + 3) + c * a; };
    check_first_order(f, matrix, row, column, scalar);
    check_first_order([f](auto... x) { return sum(f(x...)); }, matrix, row, column, scalar);
    check_first_order([f](auto... x) { return sum(f(x...), 0); }, matrix, row, column, scalar);
    check_first_order([f](auto... x) { return mean(f(x...), 1, keepdims); }, matrix, row, column, scalar);
}
TEST_CASE("broadcast: second derivatives across four shapes") {
    check_reverse_twice(
        [](auto x) {
            const auto a = reshape(x(slice(0, 12)), {3, 4});
            const auto c = reshape(x(slice(16, 19)), {3, 1});
            return a * x(slice(12, 16)) + sin(c * x(19)) * a;
        },
        spread({20}));
}
TEST_CASE("broadcast: unit axes on both sides and in the middle") {
    check_first_order([](auto a, auto b) { return a * b * b; }, spread({2, 1, 3}, 1), spread({1, 4, 1}, 2));
    check_first_order([](auto a, auto b) { return a * b + a; }, spread({1, 1}, 1), spread({2, 3}, 2));
}
TEST_CASE("broadcast: the same leaf in two shapes") {
    check_orders([](auto x) { return x * x(all, slice(0, 1)) + x(0); }, matrix);
}
