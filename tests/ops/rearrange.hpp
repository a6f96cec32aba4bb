// The arrays of golden/rearrange.hpp in every memory layout.
#pragma once
#include "../golden/rearrange.hpp"
#include "calls.hpp"

namespace rearrange {

using namespace ricci;
using reference::layout;

template <int R>
tensor<int, R> counting(layout l, const shape<R>& extents) {
    return reference::make<int>(l, extents, [](index_t i) { return i; });
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
