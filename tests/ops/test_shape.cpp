// permute, matrix_transpose, reshape and expand: what they give, what they share, what they copy.
#include <doctest/doctest.h>

#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::values;
using ints = std::vector<int>;

namespace {

tensor<int, 3> numbers() { return reshape(arange<int>(24), {2, 3, 4}); }
template <class X, class Y>
bool shares(const X& x, const Y& y) {
    return x.memory() == y.memory();
}

}  // namespace

TEST_CASE("shape: permute reorders axes without copying") {
    const auto x = numbers();
    const auto y = permute(x, {2, 0, 1});
    CHECK(y.shape() == shape{4, 2, 3});
    CHECK(shares(x, y));
    bool right = true;
    reference::for_each_index(
        x.shape(), [&](const auto& i) { right = right && y.at(i[2], i[0], i[1]) == x.at(i[0], i[1], i[2]); });
    CHECK(right);
    CHECK(permute(x, {0, 1, 2}).strides() == x.strides());
    CHECK(permute(x, {-1, -3, -2}).shape() == shape{4, 2, 3});
    CHECK(values(permute(permute(x, {2, 0, 1}), {1, 2, 0})) == values(x));
    CHECK(values(permute(tensor<int, 2>{{1, 2, 3}} * 2, {1, 0})) == ints{2, 4, 6});
    CHECK(matrix_transpose(x).shape() == shape{2, 4, 3});
    CHECK(matrix_transpose(x).at(1, 3, 2) == x.at(1, 2, 3));
    CHECK(permute(zeros<int>({0, 2}), {1, 0}).shape() == shape{2, 0});
}

TEST_CASE("shape: reshape keeps row-major order, and is a view where strides allow") {
    const auto x = numbers();
    const auto y = reshape(x, {4, 6});
    CHECK(shares(x, y));
    CHECK(values(y) == values(x));
    CHECK((x.shape() == std::tuple(2, 3, 4)));
    CHECK_FALSE((x.shape() == std::tuple(2, 3, 5)));
    CHECK_FALSE((x.shape() == std::tuple(2, 3)));
    CHECK(flatten<1>(x).shape() == shape{2, 12});
    CHECK(values(flatten<0, 1>(x)) == values(reshape(x, {6, 4})));
    CHECK(flatten<-2, -1>(x).shape() == shape{2, 12});
    CHECK(flatten<1, 1>(x).shape() == shape{2, 3, 4});
    CHECK(shares(x, flatten(x)));
    CHECK(flatten(zeros<int>({2, 0, 3})).shape() == shape{0});
    CHECK(flatten(x(0, 0, 0)).shape() == shape{1});
    CHECK(reshape(x, {-1}).shape() == shape{24});
    CHECK(reshape(x, {2, -1, 2}).shape() == shape{2, 6, 2});
    CHECK(reshape(x(slice(1, 2), 1, 2), {}).item() == x(1, 1, 2).item());
    CHECK((x + 1).reshape({2, -1})(1, 0).reshape({}).item() == 13);
    CHECK_THROWS_AS(reshape(x, {}), shape_error);
    CHECK(reshape(x(0, 0, 0), {1, 1}).shape() == shape{1, 1});
    CHECK(reshape(x(0, 0, slice(0, 1)), shape<0>{}).item() == 0);

    const auto every_other = x(all, all, slice(none, none, 2));  // (2, 3, 2), strides (12, 4, 2)
    const auto merged = reshape(every_other, {12});
    CHECK(shares(x, merged));
    CHECK(merged.strides() == shape{2});
    CHECK(values(merged) == values(every_other));
    const auto split = reshape(x(all, slice(0, 2), all), {2, 2, 2, 2});  // strides (12, 4, 1)
    CHECK(shares(x, split));
    CHECK(values(split) == values(x(all, slice(0, 2), all)));
    CHECK(shares(x, reshape(x(all, 1, all), {1, 2, 1, 2, 2, 1})));
    CHECK(shares(x, reshape(x(slice(none, none, -1), all, all), {2, 12})));
    CHECK(values(reshape(x(slice(none, none, -1), all, all), {2, 12})) == values(x(slice(none, none, -1), all, all)));

    const auto across = x(all, slice(0, 2), all);
    CHECK_FALSE(shares(x, reshape(across, {16})));
    CHECK(values(reshape(across, {16})) == values(across));
    const auto t = permute(x, {2, 1, 0});
    CHECK_FALSE(shares(x, reshape(t, {4, 6})));
    CHECK(values(reshape(t, {4, 6})) == values(t));
    CHECK(values(reshape(t, {2, 2, 3, 2})) == values(t));
    CHECK(shares(x, reshape(t, {2, 2, 3, 2})));
    const auto repeated = expand(x(0, 0, newaxis, all), {3, 4});
    CHECK(values(reshape(repeated, {12})) == values(repeated));
    CHECK(reshape(zeros<int>({0, 3}), {3, 0, 5}).shape() == shape{3, 0, 5});
    CHECK(reshape(zeros<int>({0, 3}), {2, -1}).shape() == shape{2, 0});
    CHECK(values(reshape(x(0, 0, all) + 1, {2, 2})) == ints{1, 2, 3, 4});
}

TEST_CASE("shape: reshape of every layout to every shape") {
    const shape<3> from[] = {{2, 3, 4}, {4, 6, 1}, {1, 8, 3}, {24, 1, 1}};
    for (layout l : reference::layouts)
        for (const auto& extents : from) {
            CAPTURE(reference::name(l));
            CAPTURE(to_string(extents));
            const auto x = reference::make<int>(l, extents, [](index_t i) { return i; });
            CHECK(values(reshape(x, {24})) == values(x));
            CHECK(values(reshape(x, {6, 4})) == values(x));
            CHECK(values(reshape(x, {2, 12})) == values(x));
            CHECK(values(reshape(x, {3, 1, 2, 4})) == values(x));
            CHECK(values(reshape(x, {2, 2, 2, 3})) == values(x));
        }
}

TEST_CASE("shape: expand repeats without copying") {
    const tensor<int, 2> column{{1}, {2}};
    const auto y = expand(column, {3, 2, 4});
    CHECK(shares(column, y));
    CHECK(y.strides() == shape{0, 1, 0});
    CHECK(y.at(2, 1, 3) == 2);
    CHECK(expand(column, {-1, 5}).shape() == shape{2, 5});
    CHECK(expand(tensor<int, 0>(7), {2, 2}).at(1, 1) == 7);
    CHECK(expand(zeros<int>({1, 3}), {0, 3}).size() == 0);
    CHECK(sum(expand(column, {100, 2, 10})).item() == 3000);
    CHECK(values(expand(column, {2, 1})) == ints{1, 2});
}
