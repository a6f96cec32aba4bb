// Calls in C++ beside what NumPy gave for the same: the macros of golden files apply RICCI_CHECK_CALL to each.
#pragma once
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../reference.hpp"

namespace calls {

template <class E>
void check_values(const char* call, const E& e, const std::vector<ricci::index_t>& shape,
                  const std::vector<int>& elements) {
    CAPTURE(call);
    const auto y = ricci::evaluate(e);
    CHECK(std::vector<ricci::index_t>(y.shape().begin(), y.shape().end()) == shape);
    const auto all = reference::values(y);
    CHECK(std::vector<int>(all.begin(), all.end()) == elements);
}
}  // namespace calls

#define RICCI_STRIP(...) __VA_ARGS__
#define RICCI_CHECK_CALL(call, shape, elements) \
    calls::check_values(#call, RICCI_STRIP call, {RICCI_STRIP shape}, {RICCI_STRIP elements});
