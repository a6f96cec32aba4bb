// The arrays that the cases of golden/indexing.hpp index with, and x in every memory layout.
#pragma once
#include <doctest/doctest.h>

#include <ricci/ops/compare.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/index.hpp>

#include "../golden/indexing.hpp"
#include "../reference.hpp"

namespace indexing {

using namespace ricci;
using reference::values;
using ints = std::vector<int>;

template <int R>
tensor<bool, R> every(const shape<R>& extents, int period, int phase) {
    return reference::make<bool>(reference::layout::contiguous, extents, [=](index_t i) { return i % period == phase; });
}
struct arrays {
    tensor<int, 1> rows{2, 0, -1}, one{1};
    tensor<std::int64_t, 2> table{{0, 1, -2}, {2, 2, 0}};
    tensor<int, 0> scalar{-2};
    tensor<int, 2> column{{0}, {-1}};
    tensor<int, 1> nothing;
    tensor<bool, 1> mask1{true, false, true}, mask4{false, true, true, true};
    tensor<bool, 2> mask12 = every(shape{3, 4}, 3, 1), never = every(shape{3, 4}, 1, 1);
    tensor<bool, 3> mask3 = every(shape{3, 4, 5}, 7, 2);
    tensor<bool, 0> yes{true}, no{false};
};
inline tensor<int, 3> numbers(reference::layout l = reference::layout::contiguous) {
    return reference::make<int>(l, shape{3, 4, 5}, [](index_t i) { return i; });
}
/// base, base + 1, ... in an array of a shape.
template <int R>
tensor<int, R> counting(const shape<R>& extents, int base) {
    return reference::make<int>(reference::layout::contiguous, extents, [=](index_t i) { return base + i; });
}
template <class E>
void check_values(const char* index, const E& e, const std::vector<index_t>& shape, const ints& elements) {
    CAPTURE(index);
    CHECK(std::vector<index_t>(e.shape().begin(), e.shape().end()) == shape);
    const auto y = evaluate(e);
    CHECK(std::vector<index_t>(y.shape().begin(), y.shape().end()) == shape);
    const auto all = values(y);
    CHECK(ints(all.begin(), all.end()) == elements);
}

}  // namespace indexing

#define RICCI_NAMES                                                                 \
    const ::indexing::arrays a;                                                     \
    [[maybe_unused]] const auto &rows = a.rows, &one = a.one, &nothing = a.nothing; \
    [[maybe_unused]] const auto& table = a.table;                                   \
    [[maybe_unused]] const auto& column = a.column;                                 \
    [[maybe_unused]] const auto& scalar = a.scalar;                                 \
    [[maybe_unused]] const auto &mask1 = a.mask1, &mask4 = a.mask4;                 \
    [[maybe_unused]] const auto &mask12 = a.mask12, &never = a.never;               \
    [[maybe_unused]] const auto& mask3 = a.mask3;                                   \
    [[maybe_unused]] const auto &yes = a.yes, &no = a.no

#define RICCI_STRIP(...) __VA_ARGS__
#define RICCI_CHECK_READING(index, shape, elements) \
    ::indexing::check_values("x" #index, x index, {RICCI_STRIP shape}, {RICCI_STRIP elements});
