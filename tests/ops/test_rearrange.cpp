// moveaxis, swapaxes, expand_dims, squeeze, ravel, broadcast_to, broadcast_arrays, flip, rot90, roll, tile, repeat,
// unstack and split against NumPy; as views, under grad and vmap; errors.
#include "rearrange.hpp"

using namespace ricci;

TEST_CASE("rearrange: NumPy's results, in every memory layout") {
    rearrange::in_every_layout([](const auto& x, const auto& m, const auto& v, const auto& one, const auto& nothing) {
        RICCI_REARRANGE_CASES(RICCI_CHECK_CALL);
    });
}

TEST_CASE("rearrange: views write what they view") {
    tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    flip(x, 1)(0, 0) = 30;
    swapaxes(x, 0, 1)(0, 1) = 40;
    unstack(x, 1)[1](all) = tensor<double, 1>{20, 50};
    split(x, 3, 1)[2](1, 0) = 60;
    rot90(x)(2, 0) = 10;
    CHECK(allclose(x, tensor<double, 2>{{10, 20, 30}, {40, 50, 60}}));
}

TEST_CASE("rearrange: a number of rows or pieces that is known takes apart") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const auto [first, second] = unstack<2>(x);
    CHECK(array_equal(second, tensor<double, 1>{4, 5, 6}));
    const auto [a, b, c] = split<3>(x, 1);
    CHECK(array_equal(c, tensor<double, 2>{{3}, {6}}));
    a(0, 0) = 10;
    CHECK(double(first(0)) == 10);
    const auto slope = grad([](auto v) {
        auto [p, q, r] = unstack<3>(v);
        return p * q * q + 0 * r;
    })(second);
    CHECK(array_equal(slope, tensor<double, 1>{25, 40, 0}));
    CHECK_THROWS_WITH_AS(unstack<3>(x), "[unstack] axis 0 of shape (2, 3) has 2 rows, not 3", shape_error);
    CHECK_THROWS_AS(split<2>(x, 1), value_error);
}

TEST_CASE("rearrange: gradients are the transposes, vmap maps") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}}, w{{7, 8, 9}, {1, 3, 5}};
    CHECK(allclose(grad([&](auto a) { return sum(roll(a, 1, 1) * w); })(x), roll(w, -1, 1)));
    CHECK(allclose(grad([&](auto a) { return sum(flip(a, 0) * w); })(x), flip(w, 0)));
    CHECK(allclose(grad([&](auto a) { return sum(tile(a, {1, 2}) * repeat(w, 2, 1)); })(x),
                   repeat(w, 2, 1)(all, slice(0, 3)) + repeat(w, 2, 1)(all, slice(3, none))));
    CHECK(allclose(grad([&](auto a) { return sum(square(repeat(a, 3, 0))); })(x), 6 * x));
    CHECK(allclose(grad([&](auto a) { return sum(stack(unstack(a, 1), 1) * w); })(x), w));
    CHECK(allclose(vmap([](auto row) { return roll(row, 1); })(x), roll(x, 1, 1)));
    CHECK(allclose(vmap([](auto row) { return tile(row, {2}); })(x), tile(x, {1, 2})));
    CHECK(allclose(vmap([](auto row) { return split(row, 3)[1]; })(x), x(all, slice(1, 2))));
}

TEST_CASE("rearrange: pad and roll, which have loops of their own for arrays, are the same under transforms") {
    const auto x = reshape(sin(arange<double>(24)), {2, 3, 4});
    const auto check = [&](auto f) {
        const auto y = f(x);
        const auto w = evaluate(cos(reshape(arange<double>(static_cast<double>(y.size())), y.shape())));
        const auto [value, tangent] = jvp(f, ricci::tuple(x), ricci::tuple(x));
        CHECK(array_equal(value, y));
        CHECK(array_equal(tangent, y));
        const auto x_bar = grad([&](auto a) { return sum(f(a) * w); })(x);
        CHECK(std::abs(sum(x_bar * x).item() - sum(y * w).item()) < 1e-12);
        const auto pair = stack({x, evaluate(-x)});
        CHECK(array_equal(vmap(f)(pair), stack({y, f(evaluate(-x))})));
    };
    check([](auto a) { return roll(a, {1, -3, 5, 2}, {0, 2, 1, 0}); });
    check([](auto a) { return roll(a, {2, 4}, {0, -1}); });
    check([](auto a) { return pad(a, {{1, 2}, {0, 0}, {3, 1}}); });
    for (const auto mode : {pad_mode::reflect, pad_mode::symmetric, pad_mode::edge, pad_mode::wrap, pad_mode::constant})
        check([mode](auto a) { return pad(a, {{3, 1}, {0, 7}, {9, 2}}, mode); });
    CHECK(pad(zeros<double>({0, 3}), {{0, 0}, {2, 2}}, pad_mode::reflect).shape() == shape{0, 7});
    CHECK(array_equal(pad(zeros<int>({0, 2}), {{1, 0}, {0, 1}}, 5), full<int>({1, 3}, 5)));
    CHECK(roll(zeros<double>({0, 3}), {2, 1}, {0, 1}).shape() == shape{0, 3});
}

TEST_CASE("rearrange: one margin or shift for several axes, numbers of repetitions in braces, as NumPy's") {
    const tensor<int, 2> x{{2, 1}, {1, 3}};
    CHECK(array_equal(pad(x, {{1, 2}}), pad(x, {{1, 2}, {1, 2}})));
    CHECK(array_equal(pad(x, {{1, 2}}, 7), pad(x, {1, 2}, 7)));
    CHECK(array_equal(pad(x, {{1, 2}}, pad_mode::edge), pad(x, {{1, 2}, {1, 2}}, pad_mode::edge)));
    CHECK(array_equal(roll(x, 1, {0, -1}), tensor<int, 2>{{3, 1}, {1, 2}}));
    CHECK(array_equal(roll(x, {1}, {0}), roll(x, 1, 0)));
    CHECK(array_equal(roll(x, 1, {1}), roll(x, 1, 1)));
    CHECK(array_equal(roll(x, {1}, 1), roll(x, 1, 1)));
    CHECK(array_equal(roll(x(0), max(x(0)), 0), x(0)));
    CHECK(array_equal(moveaxis(x, {0}, {1}), x.T()));
    CHECK(expand_dims(x, {0}).shape() == shape{1, 2, 2});
    CHECK(array_equal(repeat(x, {2, 1}, 0), tensor<int, 2>{{2, 1}, {2, 1}, {1, 3}}));
    CHECK(array_equal(repeat(x(0), {0, 3}), tensor{1, 1, 1}));
    CHECK(array_equal(permute(x, std::array{1, 0}), x.T()));
    CHECK(array_equal(expand(x(0), std::array{2, 2}), tensor{{2, 1}, {2, 1}}));
    CHECK_THROWS_WITH_AS(repeat(x, {1, 2, 3}, 1), "[repeat] 3 numbers of repetitions for axis 1 of shape (2, 2)",
                         shape_error);
}

TEST_CASE("rearrange: errors") {
    const tensor<double, 2> x = zeros<double>({2, 3});
    CHECK_THROWS_WITH_AS(squeeze(x, 1), "[squeeze] axis 1 of shape (2, 3) has extent 3, not 1", shape_error);
    CHECK_THROWS_WITH_AS(broadcast_to(x, {2, 2}), "[broadcast_to] shape (2, 3) does not broadcast to (2, 2)",
                         shape_error);
    CHECK_THROWS_WITH_AS(broadcast_to(x, {-1, 3}), "[broadcast_to] shape (2, 3) does not broadcast to (-1, 3)",
                         shape_error);
    CHECK(expand(x, {4, -1, 3}).shape() == shape<3>{4, 2, 3});
    CHECK_THROWS_WITH_AS(flip(x, {0, -2}), "[flip] axis 0 is named twice", index_error);
    CHECK_THROWS_AS(flip(x, 2), index_error);
    CHECK_THROWS_AS(roll(x, 1, -3), index_error);
    CHECK_THROWS_AS(rot90(x, 1, {1, 1}), index_error);
    CHECK_THROWS_WITH_AS(split(x, 2, 1), "[split] axis 1 of shape (2, 3) does not divide into 2 equal parts",
                         value_error);
    CHECK_THROWS_WITH_AS(tile(x, {1, -1}), "[tile] the number of repetitions must not be negative: -1", value_error);
    CHECK_THROWS_AS(tile(x, {1, std::numeric_limits<index_t>::max()}), value_error);
    CHECK_THROWS_WITH_AS(repeat(x, tensor<int, 1>{1, 2}, 1),
                         "[repeat] 2 numbers of repetitions for axis 1 of shape (2, 3)", shape_error);
    CHECK_THROWS_AS(broadcast_arrays(x, zeros<double>({2})), shape_error);
}
