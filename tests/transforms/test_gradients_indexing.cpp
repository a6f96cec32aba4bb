// Gradients of reading through index arrays and masks: what comes back to the same element adds up.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto cube = spread({2, 3, 4}, 2);
const tensor<int, 1> twice{1, -1, 1, 1}, rows{1, 0};

}  // namespace

TEST_CASE("gradients: index arrays") {
    check_first_order([](auto x) { return x(all, twice); }, cube);
    check_first_order([](auto x) { return x(tensor<int, 2>{{0, 1}, {1, 1}}, all, tensor<int, 1>{3, -4}) * x(rows, 0, 0)(1); }, cube);
    check_first_order([](auto x) { return take(x, {2, 2, 0}, 1); }, cube);
    check_first_order([](auto x) { return take(x, tensor<int, 2>{{23, 0}, {0, -1}}); }, cube);
}
TEST_CASE("gradients: masks") {
    const tensor<bool, 2> mask{{true, false, true}, {false, false, true}};
    check_first_order([=](auto x) { return x(mask); }, cube);
    check_first_order([](auto x) { return x(x > 0.1) * 3.0; }, cube);
    // d/dx of the sum of the squares of the positive elements
    check_close(grad([](auto x) { return sum(square(x(x > 0))); })(cube), evaluate(where(cube > 0, 2 * cube, 0.0)));
}
