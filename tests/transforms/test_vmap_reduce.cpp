// vmap of reductions with their axes and keepdims, and of every kind of element-wise function.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto cube = spread({2, 3, 4}, 2);
const auto matrix = spread({3, 4}, 1);

}  // namespace

TEST_CASE("vmap: sum and mean") {
    check_vmap([](auto x) { return sum(x); }, cube);
    check_vmap([](auto x) { return sum(x * x, 0); }, cube);
    check_vmap([](auto x) { return sum(x, -1, keepdims); }, in_axes(1), 0, cube);
    check_vmap([](auto x) { return mean(x, {1, 0}); }, cube);
    check_vmap([](auto x) { return x - mean(x, {0, 1}, keepdims); }, in_axes(2), 1, cube);
}
TEST_CASE("vmap: max, min, prod") {
    check_vmap([](auto x) { return max(x); }, cube);
    check_vmap([](auto x) { return max(x * x, 0, keepdims); }, cube);
    check_vmap([](auto x) { return min(x, -1); }, in_axes(1), 0, cube);
    check_vmap([](auto x) { return min(x, {0, 1}); }, cube);
    check_vmap([](auto x) { return prod(x, 1); }, cube);
    check_vmap([](auto x) { return prod(x); }, in_axes(2), 0, cube);
}
TEST_CASE("vmap: var, stddev") {
    check_vmap([](auto x) { return var(x, 0); }, cube);
    check_vmap([](auto x) { return var(x, {0, 1}, keepdims, 1); }, cube);
    check_vmap([](auto x) { return stddev(x, -1) * 2; }, in_axes(1), 0, cube);
}
TEST_CASE("vmap: a softmax") {
    check_vmap(
        [](auto x) {
            const auto e = evaluate(exp(x - max(x)));
            return e / sum(e);
        },
        matrix);
}
TEST_CASE("vmap: element-wise functions with mapped and shared arguments") {
    const auto row = spread({4}, 3);
    check_vmap([](auto x) { return sin(x) * exp(-x * x) / (1 + x * x); }, matrix);
    check_vmap([](auto x) { return abs(x) + sqrt(square(x) + 1) - cos(x) * tanh(x); }, matrix);
    check_vmap([](auto a, auto b) { return maximum(a, b) - minimum(a, b); }, in_axes(0, none), 0, matrix, row);
    check_vmap([](auto a, auto b) { return where(a > b, a, b * b); }, in_axes(none, 0), 0, row, matrix);
    check_vmap([](auto a, auto b) { return clip(a, -0.3, abs(b)); }, in_axes(0, none), 0, matrix, row);
    check_vmap([](auto a, auto b) { return pow(abs(a) + 1, b); }, in_axes(0, 0), 0, matrix, spread({3}));
    check_vmap([](auto a, auto b) { return map([](auto u, auto v) { return u * v + sin(u); }, a, b); }, in_axes(0, none), 0, matrix, row);
    const auto flags = vmap([](auto a, auto b) { return logical_and(a < b, b > 0); }, in_axes(0, none))(matrix, row);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) CHECK(flags.at(i, j) == (matrix.at(i, j) < row.at(j) && row.at(j) > 0));
}
