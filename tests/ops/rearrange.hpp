// The arrays of golden/rearrange.hpp in every memory layout, and a check of what a call gives.
#pragma once
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../golden/rearrange.hpp"
#include "../reference.hpp"

namespace rearrange {

using namespace ricci;
using reference::layout;

template <int R>
tensor<int, R> counting(layout l, const shape<R>& extents) {
    return reference::make<int>(l, extents, [](index_t i) { return i; });
}
template <class E>
void check_values(const char* call, const E& e, const std::vector<index_t>& shape, const std::vector<int>& elements) {
    CAPTURE(call);
    const auto y = evaluate(e);
    CHECK(std::vector<index_t>(y.shape().begin(), y.shape().end()) == shape);
    const auto all = reference::values(y);
    CHECK(std::vector<int>(all.begin(), all.end()) == elements);
}
template <class F>
void in_every_layout(const F& f) {
    for (const layout l : reference::layouts) {
        if (l == layout::expanded) continue;  // all elements equal
        CAPTURE(reference::name(l));
        f(counting(l, shape{2, 3, 4}), counting(l, shape{3, 4}), counting(l, shape{5}), counting(l, shape{3, 1}),
          counting(l, shape{0, 3}));
    }
}

}  // namespace rearrange

#define RICCI_STRIP(...) __VA_ARGS__
#define RICCI_CHECK_CALL(call, shape, elements) \
    rearrange::check_values(#call, RICCI_STRIP call, {RICCI_STRIP shape}, {RICCI_STRIP elements});
