// grid_sample: second derivatives in pictures and grid, and gradients in batches.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("grid_sample: second derivatives in both") {
    const auto x = spread({1, 2, 4, 3}), grid = evaluate(spread({1, 2, 2, 2}, 3) * 0.4);
    CHECK(gradgradcheck([](auto a, auto g) { return grid_sample(a, g); }, ricci::tuple(x, grid)));
    check_vmap([&](auto g) { return grad([&](auto a) { return sum(square(grid_sample(a, g))); })(x); }, in_axes(0), 0,
               evaluate(stack(std::make_tuple(grid, evaluate(-grid)), 0)));
}
