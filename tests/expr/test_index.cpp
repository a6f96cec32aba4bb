// Basic indexing against NumPy's results, chains of views, writing through them, and steps that would overflow.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "../golden/index.hpp"
#include "../reference.hpp"

using namespace ricci;
using reference::values;
using ints = std::vector<int>;

namespace {

tensor<int, 3> numbers() { return reshape(arange<int>(24), {2, 3, 4}); }

/// `y` has the shape and the elements, and they lie in `x`.
template <int R>
void check_view(const char* index, const tensor<int, 3>& x, const tensor<int, R>& y, const std::vector<index_t>& shape,
                const ints& elements) {
    CAPTURE(index);
    CHECK(std::vector<index_t>(y.shape().begin(), y.shape().end()) == shape);
    CHECK(values(y) == elements);
    CHECK(y.memory() == x.memory());
}

slice make_slice(index_t start, index_t stop, index_t step) {
    if (start == golden::open && stop == golden::open) return slice(none, none, step);
    if (start == golden::open) return slice(none, stop, step);
    if (stop == golden::open) return slice(start, none, step);
    return slice(start, stop, step);
}

}  // namespace

TEST_CASE("index: every kind of slice of one axis") {
    for (std::size_t i = 0; i < std::size(golden::lengths); ++i) {
        const auto x = arange<int>(static_cast<int>(golden::lengths[i]));
        for (std::size_t j = 0; j < std::size(golden::steps); ++j) {
            const char* code = golden::slices[i][j];
            for (index_t start : golden::ends)
                for (index_t stop : golden::ends) {
                    const auto y = x(make_slice(start, stop, golden::steps[j]));
                    bool right = y.size() == *code++ - '0';
                    const int first = *code++ - '0';
                    for (index_t k = 0; k < y.size(); ++k) right = right && y.at(k) == first + k * golden::steps[j];
                    CAPTURE(golden::lengths[i]);
                    CAPTURE(golden::steps[j]);
                    CAPTURE(start);
                    CAPTURE(stop);
                    CHECK(right);
                }
        }
    }
}

#define RICCI_STRIP(...) __VA_ARGS__
#define RICCI_CHECK_INDEX(index, shape, elements) \
    check_view("x" #index, x, x index, {RICCI_STRIP shape}, {RICCI_STRIP elements});

TEST_CASE("index: integers, slices, all, ellipsis and newaxis in combination") {
    const auto x = numbers();
    RICCI_INDEX_CASES(RICCI_CHECK_INDEX);
}

TEST_CASE("index: any integer type") {
    const auto x = numbers();
    const std::size_t i = 1;
    const short j = -1;
    CHECK(x(i, j, 2u).item() == 22);
    CHECK(x(std::int8_t(0), 0L, 0ULL).item() == 0);
    CHECK(x(slice(i, none), all, slice(std::uint8_t(2)))(0, 0, 1).item() == 13);
    const auto far = static_cast<std::size_t>(-1);  // where nothing was found, and not the last
    CHECK_THROWS_AS(x(far), index_error);
    CHECK_THROWS_AS(x(0, far, 0), index_error);
    CHECK_THROWS_AS(x.at(0, 0, far), index_error);
    CHECK(x(0, 0, std::uint32_t(1)).item() == 1);
}

TEST_CASE("index: views of views, of other layouts, of lazy maps") {
    const auto x = numbers();
    CHECK(values(x(slice(), 1, slice())) == values(x(all, 1)));  // libtorch's Slice()
    CHECK(values(x(1)(slice(none, none, -1))(all, slice(1, none, 2))(0)) == ints{21, 23});
    CHECK(values(permute(x, {2, 0, 1})(1, all, slice(none, none, 2))) == ints{1, 9, 13, 21});
    CHECK(values(expand(x(0, 0, newaxis, all), {2, 4})(all, slice(none, none, -3))) == ints{3, 0, 3, 0});
    CHECK(values((x * 2)(0, all, 1)) == ints{2, 10, 18});
    CHECK(values(x(0, all, all)(newaxis, all, newaxis, slice(0, 1))) == ints{0, 4, 8});
    auto every = x(ellipsis);
    CHECK(every.data() == x.data());
    CHECK(every.strides() == x.strides());
}

TEST_CASE("index: writing through every kind of view") {
    auto x = zeros<int>({2, 3, 4});
    x(1, slice(none, none, -2), slice(1, 3)) = tensor<int, 2>{{1, 2}, {3, 4}};
    x(0, newaxis, all, -1) = tensor<int, 1>{7, 8, 9};
    permute(x, {2, 1, 0})(0, slice(0, 2), 0) = 5;
    CHECK(values(x) == ints{5, 0, 0, 7, 5, 0, 0, 8, 0, 0, 0, 9, 0, 3, 4, 0, 0, 0, 0, 0, 0, 1, 2, 0});
}

TEST_CASE("index: rank 0 and no elements") {
    const tensor<int, 0> s = 4;
    CHECK(s(ellipsis).item() == 4);
    CHECK(s(newaxis, newaxis).shape() == shape{1, 1});
    CHECK(s().data() == s.data());
    const auto none_ = zeros<int>({0, 3});
    CHECK(none_(all, 1).shape() == shape{0});
    CHECK(none_(slice(5, none), slice(none, none, -1)).shape() == shape{0, 3});
    CHECK(none_(newaxis, ellipsis).shape() == shape{1, 0, 3});
}

TEST_CASE("index: steps and ends as large as an integer") {
    constexpr index_t most = std::numeric_limits<index_t>::max(), least = std::numeric_limits<index_t>::min() + 1;
    const auto x = arange<int>(5);
    CHECK(values(x(slice(none, none, most))) == ints{0});
    CHECK(values(x(slice(none, none, least))) == ints{4});
    CHECK(values(x(slice(none, none, least - 1))) == ints{4});
    CHECK(values(x(slice(least, most))) == ints{0, 1, 2, 3, 4});
    CHECK(values(x(slice(most, least, -2))) == ints{4, 2, 0});
    constexpr auto npos = std::numeric_limits<std::size_t>::max();
    CHECK(values(x(slice(0, npos))) == ints{0, 1, 2, 3, 4});
    CHECK(values(x(slice(npos, none, -1))) == ints{4, 3, 2, 1, 0});
    CHECK(x(slice(0, least - 1)).size() == 0);
    CHECK(values(x(slice(none, none, 3))(slice(none, none, most))) == ints{0});
    CHECK(values(x(slice(none, none, most))(slice(none, none, most))) == ints{0});
}
