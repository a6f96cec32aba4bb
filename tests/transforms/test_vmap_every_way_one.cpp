// Every way to map the argument of an op of one array: values and gradients.
#include "exhaustive.hpp"

using namespace mapped;

namespace {

const shape<2> matrix{4, 3};
template <class F>
void check(const F& f) {
    check_every_way(f, matrix);
    check_gradients_every_way(f, matrix);
}

}  // namespace

TEST_CASE("every way: element-wise") {
    check([](auto x) { return sin(x) * exp(x); });
    check([](auto x) { return where(x > 0, x * x, -x); });
}
TEST_CASE("every way: reductions") {
    check([](auto x) { return sum(x, 0); });
    check([](auto x) { return mean(x, -1, keepdims); });
    check([](auto x) { return max(x, 1); });
    check([](auto x) { return var(x); });
}
TEST_CASE("every way: views") {
    check([](auto x) { return permute(x, {1, 0}); });
    check([](auto x) { return reshape(x, {2, 6}); });
    check([](auto x) { return expand(x(all, newaxis, 1), {4, 2}); });
    check([](auto x) { return x(slice(none, none, -2), newaxis, 1); });
}
TEST_CASE("every way: concat, stack") {
    check([](auto x) { return concat({x, x}, -1); });
    check([](auto x) { return stack(std::vector{x, x, x}, 1); });
}
