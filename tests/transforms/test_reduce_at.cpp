// Reductions to positions: second derivatives of products of zeros, batches of arrays, positions and values.
#include "mapped.hpp"

using namespace mapped;

TEST_CASE("reduce_at: second derivatives where factors are zero") {
    // a b c d, where two of them are 0: one second derivative is left
    const auto place = zeros<int>({4});
    const auto product = [=](auto f) { return index_reduce<reduction::prod>(lift(ones({1}), f), 0, place, f)(0); };
    tensor<double, 2> expected = zeros({4, 4});
    expected(0, 2) = expected(2, 0) = 10.0;
    check_close(hessian(product)(tensor<double, 1>{0, 2, 0, 5}), expected);
    check_close(hessian(product)(zeros({4})), zeros({4, 4}));
}

TEST_CASE("reduce_at: batches") {
    const auto cube = spread({2, 3, 4}, 2), values = spread({2, 3, 4}, 9);
    const tensor<int, 2> lists{{0, 2, 0}, {1, 1, -1}};
    const auto largest = [](auto x, auto i, auto v) { return index_reduce<reduction::amax>(x, 0, i, v); };
    check_vmap(largest, in_axes(none, 0, none), 0, cube(0), lists, values(0));
    check_vmap(largest, in_axes(0, none, 0), 0, cube, lists(1), values);
    check_vmap(largest, in_axes(none, none, 0), 0, cube(0), lists(1), values);
    const auto slope = [&](auto x, auto i) {
        return grad([&](auto a) { return sum(square(index_reduce<reduction::amax>(a, 0, i, values(0), false))); })(x);
    };
    check_vmap(slope, in_axes(0, 0), 0, cube, lists);
}

TEST_CASE("reduce_at: x(i).add(e) of a value under a transform") {
    const tensor<double, 1> x{2, 0, 3};
    const tensor<int, 1> positions{0, 0, 2};
    const auto f = [positions](auto a) {
        auto y = zeros_like(a);
        y(positions).add(a * a);
        return y;
    };
    CHECK(array_equal(f(x), tensor{4.0, 0.0, 9.0}));
    CHECK(array_equal(jacfwd(f)(x), tensor{{4.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 6.0}}));
    const auto part = [positions](auto a) {
        auto y = a.clone();
        y(0)(positions).add(a(1));
        return y;
    };
    CHECK(array_equal(vmap(part)(tensor{{{0.0, 1.0, 2.0}, {3.0, 4.0, 5.0}}}),
                      tensor{{{7.0, 1.0, 7.0}, {3.0, 4.0, 5.0}}}));
}
