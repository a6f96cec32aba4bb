// Views whose elements show many times, unfold and as_strided: values and adjoints against loops over their
// definitions, under grad and vmap, by every kind of overlap; and what is refused.
#include <doctest/doctest.h>

#include <limits>
#include <ricci/ricci.hpp>
#include <vector>

using namespace ricci;

namespace {

/// x's elements in row-major order.
std::vector<double> flat(const tensor<double, 2>& x) {
    std::vector<double> all;
    for (index_t i = 0; i < x.shape()[0]; ++i)
        for (index_t j = 0; j < x.shape()[1]; ++j) all.push_back(x.at(i, j));
    return all;
}
struct places {
    index_t extents[2], strides[2], offset;
};
/// In turn: apart, side by side, interlocked, sliding, backwards, one axis still, both equal, and no elements.
constexpr places kinds[] = {{{3, 4}, {4, 1}, 0},    {{2, 3}, {3, 1}, 5}, {{2, 3}, {3, 2}, 1}, {{5, 4}, {1, 2}, 0},
                            {{3, 2}, {-4, -1}, 11}, {{4, 3}, {0, 5}, 1}, {{3, 3}, {2, 2}, 2}, {{0, 3}, {50, 1}, 99}};

tensor<double, 2> image() { return tensor<double, 2>{{1, 2, 4, 7}, {-3, 5, 0.5, 9}, {8, -6, 11, 0.25}}; }

}  // namespace

TEST_CASE("as_strided: elements and adjoints") {
    const tensor<double, 2> x = image();
    const tensor<double, 2> turned = permute(evaluate(permute(x, {1, 0})).clone(), {1, 0});  // the same in other memory
    for (const auto& [extents, strides, offset] : kinds) {
        const tensor<double, 2> weights =
            evaluate(reshape(arange<double>(1, 1.0 + extents[0] * extents[1]), {extents[0], extents[1]}));
        const auto show = [&](auto a) { return as_strided(a, extents, strides, offset); };
        const auto elements = flat(x);
        std::vector<double> adjoint(elements.size());
        for (const auto& a : {x, turned}) {
            const tensor<double, 2> y = show(a);
            REQUIRE(y.shape() == ricci::shape{extents[0], extents[1]});
            for (index_t i = 0; i < extents[0]; ++i)
                for (index_t j = 0; j < extents[1]; ++j)
                    CHECK(y.at(i, j) == elements[offset + i * strides[0] + j * strides[1]]);
        }
        for (index_t i = 0; i < extents[0]; ++i)
            for (index_t j = 0; j < extents[1]; ++j)
                adjoint[offset + i * strides[0] + j * strides[1]] += weights.at(i, j);
        const auto g = grad([&](auto a) { return sum(weights * show(a)); })(turned);
        CHECK(flat(g) == adjoint);
        const auto both = vmap(grad([&](auto a) { return sum(weights * show(a)); }))(stack({x, turned, x}));
        for (int k = 0; k < 3; ++k) CHECK(flat(evaluate(both(k))) == adjoint);
        variable<double, 2> v(x);
        backward(sum(weights * show(v)));
        CHECK(flat(v.grad()) == adjoint);
        CHECK(flat(evaluate(std::get<1>(jvp(show, x, x)))) == flat(evaluate(show(x))));
    }
}

TEST_CASE("unfold: every size and step, any axis") {
    const tensor<double, 2> x = image();
    for (int axis = 0; axis < 2; ++axis)
        for (index_t size = 1; size <= x.shape()[axis]; ++size)
            for (index_t step = 1; step <= 4; ++step) {
                CAPTURE(axis);
                CAPTURE(size);
                CAPTURE(step);
                const tensor<double, 3> y = unfold(x, axis, size, step);
                const index_t windows = (x.shape()[axis] - size) / step + 1;
                const ricci::shape<3> expected =
                    axis == 0 ? ricci::shape{windows, 4, size} : ricci::shape{3, windows, size};
                REQUIRE(y.shape() == expected);
                tensor<double, 2> adjoint = zeros<double>({3, 4}), counts = zeros<double>({3, 4});
                for (index_t i = 0; i < y.shape()[0]; ++i)
                    for (index_t j = 0; j < y.shape()[1]; ++j)
                        for (index_t k = 0; k < size; ++k) {
                            const index_t row = axis == 0 ? i * step + k : i, column = axis == 1 ? j * step + k : j;
                            CHECK(y.at(i, j, k) == x.at(row, column));
                            adjoint.at(row, column) += 2 * x.at(row, column);
                            counts.at(row, column) += 2;
                        }
                const auto f = [axis, size, step](auto a) { return sum(square(unfold(a, axis, size, step))); };
                CHECK(all(equal(grad(f)(x), adjoint)).item());
                CHECK(all(equal(vmap(grad(f))(stack({x, evaluate(2 * x)}))(1), 2 * adjoint)).item());
                CHECK(all(equal(hvp(f, x, x), counts * x)).item());
            }
}

TEST_CASE("unfold: a view, so that a mean of windows copies none") {
    const auto x = arange<float>(0, 6);
    const auto windows = unfold(x, 0, 3);
    CHECK(windows.data() == x.data());
    CHECK(all(equal(mean(windows, -1), tensor<float, 1>{1, 2, 3, 4})).item());
    CHECK(as_strided(x, {2, 2}, {3, 1}, 1).data() == x.data() + 1);
    const tensor<std::int64_t, 1> n{1, 2, 3};
    CHECK(all(equal(unfold(n, 0, 2), tensor<std::int64_t, 2>{{1, 2}, {2, 3}})).item());
}

TEST_CASE("views that repeat elements: errors") {
    const auto x = arange<double>(0, 6);
    CHECK_THROWS_WITH_AS(as_strided(x, {3}, {2}, 2),
                         "[as_strided] axis 0 of extent 3 and stride 2 leaves an array of 6 elements", index_error);
    CHECK_THROWS_WITH_AS(as_strided(x, {3}, {-2}, 3),
                         "[as_strided] axis 0 of extent 3 and stride -2 leaves an array of 6 elements", index_error);
    CHECK_THROWS_WITH_AS(as_strided(x, {2}, {1}, 6), "[as_strided] an offset of 6 in an array of 6 elements",
                         index_error);
    constexpr index_t far = index_t(1) << 62;
    CHECK_THROWS_AS(as_strided(x, {5}, {far}), index_error);  // 4 times 2^62 is 0 in 64 bits
    CHECK_THROWS_AS(as_strided(x, {far, far}, {2, 2}), index_error);
    CHECK_THROWS_AS(as_strided(x, {2}, {std::numeric_limits<index_t>::min()}, 3), index_error);
    CHECK_THROWS_WITH_AS(as_strided(x, {-1}, {1}), "[as_strided] the extent -1 of axis 0 is negative", shape_error);
    CHECK_THROWS_WITH_AS(unfold(x, 0, 7), "[unfold] windows of 7 elements, 1 apart, of axis 0 of shape (6,)",
                         value_error);
    auto windows = unfold(x, 0, 3);
    CHECK_THROWS_WITH_AS(
        windows(all, all) = 1.0,
        "[assign] axis 1 of a view of shape (4, 3) repeats elements of other axes: write to a clone() of it",
        value_error);
    windows(all, 0) = 7.0;  // one element of each window: none twice
    CHECK(all(equal(x, tensor<double, 1>{7, 7, 7, 7, 4, 5})).item());
}

TEST_CASE("views that repeat elements: none at all, whose adjoint reaches no memory") {
    const tensor<double, 1> x{1, 2, 3};
    const auto f = [](const auto& v) { return sum(v) + sum(sin(as_strided(v, {0, 2}, {0, -2}))); };
    for (int k = 0; k < 3; ++k) CHECK(all(equal(grad(f)(x), ones<double>({3}))).item());
    const auto g = [](const auto& v) { return sum(broadcast_to(v(slice(none, none, -1)), {0, 3})); };
    CHECK(all(equal(grad(g)(x), zeros<double>({3}))).item());
}
TEST_CASE("unfold: adjoints of more windows than a cache has room for") {
    const auto image = rand<float>({303, 207}, generator(1));
    const auto w = rand<float>({3, 2}, generator(2));
    const auto slopes = grad([&](const auto& x) { return sum(unfold(unfold(x, 0, 3, 2), 1, 2, 1) * w); })(image);
    bool right = true;
    for (index_t i = 0; i < 303; ++i)
        for (index_t j = 0; j < 207; ++j) {
            float expected = 0;
            for (index_t a = 0; a < 3; ++a)
                for (index_t b = 0; b < 2; ++b) {
                    const bool shown = i >= a && (i - a) % 2 == 0 && i - a + 3 <= 303 && j >= b && j - b + 2 <= 207;
                    expected += shown ? w.at(a, b) : 0.0f;
                }
            right = right && std::abs(slopes.at(i, j) - expected) <= 1e-6f;  // four numbers below 1 are added
        }
    CHECK(right);
}
