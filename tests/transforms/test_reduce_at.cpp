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

TEST_CASE("reduce_at: x(i).multiply(e), maximum and minimum, and writes at masks, of values under a transform") {
    const tensor<double, 1> x{2, -1, 3};
    const tensor<int, 1> positions{0, 0, 2};
    const auto writes = [positions](auto a) {
        auto y = evaluate(1.0 * a);
        y(positions).maximum(2.0 * a);  // 2 a0, a1, 2 a2
        y(positions).minimum(5.0 * a);  // 5 a1, a1, 2 a2
        y(positions).multiply(a);       // 5 a0 a1^2, a1, 2 a2^2
        y(y > 8.0).add(a(0));           // of the first and the last
        y(y > 15.0).multiply(a(1));     // the last
        y(y < -10.0).minimum(a(0));     // as it is
        y(y == -1.0).maximum(a(0));
        return y;
    };
    const auto pure = [](auto a) {
        return stack({evaluate(5.0 * a(0) * a(1) * a(1) + a(0)), evaluate(1.0 * a(0)),
                      evaluate((2.0 * a(2) * a(2) + a(0)) * a(1))});
    };
    CHECK(array_equal(writes(x), pure(x)));
    CHECK(allclose(jacfwd(writes)(x), jacfwd(pure)(x)));
    const auto total = [](const auto& f) { return [f](auto a) { return sum(f(a) * f(a)); }; };
    CHECK(allclose(hessian(total(writes))(x), hessian(total(pure))(x)));
    const auto part = [positions](auto a) {
        auto y = a.clone();
        y(0)(positions).multiply(a(1));
        return y;
    };
    CHECK(array_equal(vmap(part)(tensor{{{2.0, 1.0, 2.0}, {3.0, 4.0, 5.0}}}),
                      tensor{{{24.0, 1.0, 10.0}, {3.0, 4.0, 5.0}}}));
}
