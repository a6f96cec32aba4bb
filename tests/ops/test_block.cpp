// block: arrays put together from nested lists, as NumPy's (golden values: numpy.block).
#include <doctest/doctest.h>

#include <ricci/grad/gradcheck.hpp>
#include <ricci/grad/jacobian.hpp>
#include <ricci/ops/block.hpp>
#include <ricci/ops/compare.hpp>
#include <ricci/vmap/vmap.hpp>

using namespace ricci;

namespace {

const tensor<double, 2> a{{1, 2}, {3, 4}}, b{{5}, {6}}, c{{7, 8}};

}  // namespace

TEST_CASE("block: matrices in braces, in tuples and in vectors") {
    const tensor<double, 2> whole{{1, 2, 5}, {3, 4, 6}, {7, 8, 9}};
    const auto d = tensor<double, 2>{{9}};
    CHECK(array_equal(block({{a, b}, {c, d}}), whole));
    CHECK(array_equal(block(ricci::tuple(ricci::tuple(a, 1.0 * b), ricci::tuple(c, 9))), whole));
    CHECK(array_equal(block(std::vector<std::vector<tensor<double, 2>>>{{a, b}, {c, d}}), whole));
    CHECK(array_equal(block(std::array{ricci::tuple(a, b), ricci::tuple(c, d)}), whole));
    CHECK(array_equal(block({a, b}), whole(slice(0, 2))));
    CHECK(array_equal(block(ricci::tuple(ricci::tuple(matrix_transpose(a), b))),
                      tensor<double, 2>{{1, 3, 5}, {2, 4, 6}}));
    CHECK(array_equal(block({{zeros({0, 2}), zeros({0, 1})}, {a, b}}), whole(slice(0, 2))));
}
TEST_CASE("block: ranks, types and numbers") {
    const auto v = arange(3);
    CHECK(array_equal(block(ricci::tuple(v, 7, max(v))), tensor{0, 1, 2, 7, 2}));
    CHECK(array_equal(block(ricci::tuple(ricci::tuple(v), ricci::tuple(v + 1))), tensor{{0, 1, 2}, {1, 2, 3}}));
    const auto mixed = block(ricci::tuple(ricci::tuple(astype<float>(a), astype<int>(b)), ricci::tuple(c, true)));
    static_assert(std::is_same_v<decltype(mixed), const tensor<double, 2>>);
    CHECK(mixed.at(2, 2) == 1);
    const auto cube =
        block(ricci::tuple(ricci::tuple(ones({2, 1, 2}), zeros({2, 1, 1})), ricci::tuple(ones({2, 2, 3}))));
    CHECK(cube.shape() == shape{2, 3, 3});
    CHECK(sum(cube).item() == 16);
    const auto deep = block(
        ricci::tuple(ricci::tuple(ricci::tuple(v), ricci::tuple(v)), ricci::tuple(ricci::tuple(v), ricci::tuple(v))));
    CHECK(deep.shape() == shape{2, 2, 3});
    const auto z = block(ricci::tuple(ricci::tuple(a, std::complex(0.0, 1.0) * b)));
    CHECK(z.at(1, 2) == std::complex(0.0, 6.0));
}
TEST_CASE("block: derivatives and batches") {
    const auto kkt = [](auto h, auto j) {
        return block(ricci::tuple(ricci::tuple(h * h, matrix_transpose(j)), ricci::tuple(j, 0)));
    };
    CHECK(gradcheck([=](auto h, auto j) { return sum(square(kkt(h, j)) * arange(9.0).reshape(3, 3)); },
                    ricci::tuple(a, c)));
    const auto batch = vmap([=](auto h) { return kkt(h, c); })(stack(ricci::tuple(a, 2 * a)));
    CHECK(array_equal(batch(1), kkt(2 * a, c)));
    CHECK(jacfwd([=](auto h) { return kkt(h, c); })(a).shape() == shape{3, 3, 2, 2});
}
TEST_CASE("block: blocks that do not fit") {
    CHECK_THROWS_WITH_AS(
        block({{a, c}, {c, c}}),
        "[block] the arrays must agree in every axis but axis 1: array 1 has shape (1, 2), array 0 has (2, 2)",
        shape_error);
    CHECK_THROWS_AS(block(std::vector<tensor<double, 1>>()), value_error);
}
