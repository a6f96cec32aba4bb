// Bad input: the class of each exception, a message that says what was asked and both shapes, and nothing written
// before.
#include <doctest/doctest.h>
#include <ricci/ops/strided.hpp>

#include <limits>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::message;
using reference::values;
using doubles = std::vector<double>;

namespace {

constexpr index_t huge = std::numeric_limits<index_t>::max();

/// f throws an Error whose text contains every part.
template <class Error, class F, class... Part>
void refused(F f, const Part&... part) {
    const std::string text = message<Error>(f);
    CAPTURE(text);
    (CHECK(reference::contains(text, part)), ...);
}

}  // namespace

TEST_CASE("errors: all derive from ricci::error, itself a std::runtime_error") {
    CHECK_THROWS_AS(throw shape_error("x"), ricci::error);
    CHECK_THROWS_AS(throw index_error("x"), ricci::error);
    CHECK_THROWS_AS(throw value_error("x"), ricci::error);
    CHECK_THROWS_AS(throw io_error("x"), ricci::error);
    CHECK_THROWS_AS(throw device_error("x"), ricci::error);
    CHECK_THROWS_AS(throw gradient_error("x"), std::runtime_error);
}

TEST_CASE("errors: shapes that do not broadcast") {
    const auto a = zeros<double>({2, 3}), b = zeros<double>({4, 3});
    CHECK(message<shape_error>([&] { (void)(a + b); }) ==
          "The size of tensor a (2) must match the size of tensor b (4) at non-singleton dimension 0: shapes (2, 3) "
          "and (4, 3)");
    refused<shape_error>([] { (void)(zeros<double>({3}) * zeros<double>({5, 4})); }, "tensor a (3)", "tensor b (4)",
                         "dimension 1", "(3,) and (5, 4)");
    refused<shape_error>([] { (void)(zeros<double>({5, 4}) * zeros<double>({3})); }, "tensor a (4)", "tensor b (3)",
                         "(5, 4) and (3,)");
    refused<shape_error>([] { (void)(zeros<double>({1, 3}) < zeros<double>({5, 4})); }, "(1, 3) and (5, 4)");
    refused<shape_error>([] { (void)(zeros<double>({0}) + zeros<double>({2})); }, "tensor a (0)", "tensor b (2)");
    refused<shape_error>([&] { (void)where(a > 0.0, zeros<double>({3}), b); }, "tensor b (4)",
                         "(2, 3) and (3,) and (4, 3)");
    refused<shape_error>([&] { (void)clip(zeros<double>({7}), 0, a); }, "(7,) and (2, 3)");
    refused<shape_error>([&] { (void)map([](auto x, auto y) { return x * y; }, a, b); }, "(2, 3) and (4, 3)");
    refused<shape_error>([&] { (void)allclose(a, b); }, "(2, 3)", "(4, 3)");
}

TEST_CASE("errors: writes that do not fit leave the destination alone") {
    tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const double* buffer = x.data();
    const tensor<double, 1> two{1, 2};
    const tensor<double, 2> wide{{1, 2, 3, 4}, {5, 6, 7, 8}};
    CHECK(message<shape_error>([&] { x(0, all) = two; }) ==
          "[assign] shape (2,) does not broadcast to the view's shape (3,)");
    refused<shape_error>([&] { x(all, all) = wide * 2.0; }, "(2, 4)", "(2, 3)");
    refused<shape_error>([&] { x += wide; }, "(2, 3) and (2, 4)");
    refused<shape_error>([&] { x(slice(0, 1), all) += x; }, "(2, 3)", "(1, 3)");  // the sum has two rows
    refused<shape_error>([&] { x(slice(0, 1), all) = x; }, "(2, 3)", "(1, 3)");
    refused<shape_error>([&] { x = x + wide; }, "(2, 3) and (2, 4)");
    refused<value_error>([&] { as_strided(x, {4, 3}, {0, 1}) = 1.0; }, "(4, 3)", "axis 0");
    refused<value_error>([&] { as_strided(x, {4, 3}, {0, 1}) += 1.0; }, "(4, 3)", "clone()");
    CHECK(x.data() == buffer);
    CHECK(values(x) == doubles{1, 2, 3, 4, 5, 6});
}

TEST_CASE("errors: indices and slices") {
    tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK(message<index_error>([&] { (void)x(2, 0); }) == "index 2 is out of bounds for axis 0 with size 2");
    CHECK(message<index_error>([&] { (void)x(all, -4); }) == "index -4 is out of bounds for axis 1 with size 3");
    refused<index_error>([&] { (void)x(ellipsis, 3); }, "index 3", "axis 1", "size 3");
    refused<index_error>([&] { (void)x(newaxis, 5); }, "index 5", "axis 0", "size 2");
    refused<index_error>([&] { (void)x(slice(0, 0), all)(0); }, "index 0", "size 0");
    refused<index_error>([&] { x(5, all) = 1.0; }, "index 5");
    CHECK(message<index_error>([&] { (void)x.at(0, 3); }) == "[at] index 3 is out of bounds for axis 1 with size 3");
    refused<index_error>([&] { (void)x.at(huge, 0); }, std::to_string(huge));
    refused<index_error>([&] { (void)x.at(-huge - 1, 0); }, "out of bounds");
    refused<value_error>([&] { (void)x(slice(0, 2, 0)); }, "step", "zero");
    refused<index_error>([&] { (void)x.shape(2); }, "axis 2", "rank 2");
    refused<index_error>([&] { (void)(x + 1).shape(-3); }, "axis -3", "rank 2");
    CHECK(values(x) == doubles{1, 2, 3, 4, 5, 6});
}

TEST_CASE("errors: axes") {
    const auto x = zeros<double>({2, 3, 4});
    CHECK(message<index_error>([&] { (void)sum(x, 3); }) == "[sum] axis 3 is out of range for rank 3");
    refused<index_error>([&] { (void)mean(x, -4); }, "[mean]", "axis -4", "rank 3");
    refused<index_error>([&] { (void)max(x, {0, 7}); }, "[max]", "axis 7");
    refused<index_error>([&] { (void)min(x, {1, 1}); }, "[min]", "axis 1", "twice");
    refused<index_error>([&] { (void)prod(x, {2, -1}); }, "[prod]", "axis 2", "twice");
    refused<index_error>([&] { (void)var(x, {0, 1, -3}, keepdims); }, "[var]", "axis 0", "twice");
    refused<index_error>([&] { (void)stddev(x, 5); }, "[stddev]", "axis 5");
    refused<index_error>([&] { (void)permute(x, {0, 1, 1}); }, "[permute]", "axis 1", "twice");
    refused<index_error>([&] { (void)permute(x, {0, 1, 3}); }, "[permute]", "axis 3", "rank 3");
    refused<index_error>([&] { (void)permute(x, {0, 1, -4}); }, "[permute]", "axis -4");
}

TEST_CASE("errors: reductions of nothing") {
    const auto none_ = zeros<double>({0, 3});
    CHECK(message<value_error>([&] { (void)max(none_); }) ==
          "[max] of an empty axis: shape (0, 3) has no elements there");
    refused<value_error>([&] { (void)min(none_, 0); }, "[min]", "(0, 3)");
    refused<value_error>([&] { (void)max(zeros<int>({2, 0}), 1, keepdims); }, "[max]", "(2, 0)");
    CHECK(max(none_, 1).shape() == shape{0});
}

TEST_CASE("errors: reshape and expand") {
    const auto x = zeros<double>({2, 3});
    CHECK(message<shape_error>([&] { (void)reshape(x, {4, 2}); }) ==
          "[reshape] an array of shape (2, 3) has 6 elements and does not fit shape (4, 2)");
    refused<shape_error>([&] { (void)reshape(x, {-1, 4}); }, "(2, 3)", "(-1, 4)");
    refused<shape_error>([&] { (void)reshape(x, {0, -1}); }, "(2, 3)", "(0, -1)");
    refused<shape_error>([&] { (void)reshape(zeros<double>({0}), {0, -1}); }, "(0,)", "(0, -1)");
    refused<value_error>([&] { (void)reshape(x, {-1, -1}); }, "(-1, -1)");
    refused<value_error>([&] { (void)reshape(x, {-2, -3}); }, "(-2, -3)");
    refused<value_error>([&] { (void)reshape(zeros<double>({0}), {index_t(1) << 32, index_t(1) << 32}); }, "[reshape]",
                         "overflows");
    CHECK(message<shape_error>([&] { (void)expand(x, {4, 2, 5}); }) ==
          "[expand] shape (2, 3) does not broadcast to (4, 2, 5)");
    refused<shape_error>([&] { (void)expand(x, {-1, 2, 3}); }, "(2, 3)", "(-1, 2, 3)");
    refused<shape_error>([&] { (void)expand(x, {1, 3}); }, "(2, 3)", "(1, 3)");
    refused<value_error>([&] { (void)expand(zeros<double>({1, 1}), {index_t(1) << 40, index_t(1) << 40}); }, "[expand]",
                         "overflows");
}

TEST_CASE("errors: matmul") {
    const auto a = zeros<double>({2, 3});
    CHECK(message<shape_error>([&] { (void)matmul(a, a); }) ==
          "[matmul] the last dimension of a (2, 3) must match the second to last of b (2, 3): 3 != 2");
    refused<shape_error>([&] { (void)matmul(a, zeros<double>({2})); }, "(2, 3)", "(2,)", "3 != 2");
    refused<shape_error>([&] { (void)matmul(zeros<double>({4}), a); }, "(4,)", "(2, 3)", "4 != 2");
    refused<shape_error>([&] { (void)matmul(zeros<double>({4}), zeros<double>({5})); }, "(4,)", "(5,)", "4 != 5");
    refused<shape_error>([&] { (void)matmul(zeros<double>({2, 4, 3}), zeros<double>({5, 3, 4})); }, "[matmul]",
                         "(2, 4, 3)", "(5, 3, 4)");
}

TEST_CASE("errors: sizes") {
    refused<value_error>([] { (void)zeros<double>({2, -1}); }, "[shape] negative", "(2, -1)");
    refused<value_error>([] { (void)empty<double>({huge, 2}); }, "overflow", std::to_string(huge));
    refused<value_error>([] { (void)full<double>({huge / 4}, 1.0); }, "overflow");
    refused<value_error>([] { (void)ones<float>({index_t(1) << 32, index_t(1) << 32}); }, "overflow");
    refused<value_error>([] { (void)zeros<float>({index_t(1) << 40, 0, index_t(1) << 40}); }, "overflow");
    CHECK(zeros<float>({index_t(1) << 40, 0, 1}).size() == 0);
    refused<value_error>([] { (void)eye<float>(-1); }, "(-1, -1)");
    refused<value_error>([] { (void)eye<float>(3, -2); }, "(3, -2)");
    refused<value_error>([] { (void)linspace(0.0, 1.0, -1); }, "[linspace]", "-1");
    refused<value_error>([] { (void)arange<int>(0, 5, 0); }, "[arange]", "step");
    refused<value_error>([] { (void)arange<double>(0, 1, 0); }, "[arange]", "step");
    refused<value_error>([] { (void)arange<double>(0, std::numeric_limits<double>::infinity()); }, "[arange]");
    refused<value_error>([] { (void)arange<double>(0, 1, std::numeric_limits<double>::quiet_NaN()); }, "[arange]");
    refused<value_error>([] { (void)rand<float>({-3}); }, "(-3,)");
    const auto column = zeros<float>({index_t(1) << 21, 1}), row = zeros<float>({1, index_t(1) << 21});
    const auto cube = expand(column, {index_t(1) << 21, index_t(1) << 21})(newaxis, all, all) +
                      expand(row, {index_t(1) << 21, 1, index_t(1) << 21});
    refused<value_error>([&] { (void)evaluate(cube); }, "overflow");
}

TEST_CASE("errors: memory that there is not") {
    CHECK_THROWS_AS(zeros<double>({huge / 16}), std::bad_alloc);
    tensor<double, 1> x = ones<double>({1000});
    const double* buffer = x.data();
    const auto wide = ones<double>({1000, 1});
    empty_cache();
    set_memory_limit(allocator_statistics().bytes_in_use + (1 << 20));
    CHECK_THROWS_AS(x = reshape(wide + x, {1000000}), std::bad_alloc);
    CHECK_THROWS_AS(x = sum(expand(x, {1000, 1000}).clone(), 0), std::bad_alloc);
    const auto y = expand(x, {1000, 1000});
    CHECK_THROWS_AS((void)evaluate(y * 2.0), std::bad_alloc);
    set_memory_limit(0);
    CHECK(x.data() == buffer);
    CHECK(sum(x).item() == 1000);
}

TEST_CASE("errors: ragged braces") {
    CHECK(message<shape_error>([] { (void)tensor<double, 2>{{1, 2}, {3}}; }) ==
          "[tensor] ragged braces: 1 elements where the first list has 2");
    refused<shape_error>([] { (void)tensor<double, 3>{{{1}, {2}}, {{3}}}; }, "ragged", "1 elements", "has 2");
    refused<shape_error>([] { (void)tensor<double, 2>{{}, {3}}; }, "ragged");
    refused<shape_error>([] { (void)tensor<double, 3>{{{1, 2}, {3}}, {{4, 5}, {6, 7}}}; }, "ragged");
}

TEST_CASE("errors: sizes overflow beside an extent of 0, too, as in NumPy; null pointers") {
    refused<value_error>([] { (void)zeros<float>({0, huge, huge}); }, "the size of shape (0, ", "overflows");
    CHECK(zeros<float>({0, 5, huge / 64}).size() == 0);
    CHECK(message<value_error>([] { borrow(static_cast<float*>(nullptr), {2, 3}); }) ==
          "[borrow] a null pointer to shape (2, 3)");
}
