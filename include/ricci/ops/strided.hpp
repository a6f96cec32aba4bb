// Views that show elements more than once: windows that slide over an axis, and arrays by strides.
#pragma once
#include <cstdlib>

#include "shape.hpp"

namespace ricci {

/// The windows of `size` successive elements of an axis, `step` apart: that axis counts windows, a new last axis the
/// elements of each. A view: nothing is copied, and neighbouring windows share elements. Throws value_error unless 1 <=
/// size <= the axis and step >= 1. (torch.Tensor.unfold; numpy.lib.stride_tricks.sliding_window_view.)
template <expression E>
auto unfold(const E& x, int axis, index_t size, index_t step = 1) {
    static_assert(E::rank >= 1, "ricci: unfold needs an array of rank 1 or more");
    const int d = detail::normalize_axis(axis, E::rank, "unfold");
    const auto a = evaluate(x);
    const index_t n = a.shape()[d];
    if (size < 1 || size > n || step < 1)
        detail::raise<value_error>(
            {"[unfold] windows of ", size, " elements, ", step, " apart, of axis ", d, " of shape ", a.shape()});
    const auto spec = detail::window_spec(a.shape(), d, (n - size) / step + 1, size, step);
    detail::check_extents(spec.extents, 1, "unfold");
    return detail::view_of(a, spec);
}

/// The array of the given shape whose element (i, j, ...) is element offset + i strides[0] + j strides[1] + ... of x's,
/// counted in row-major order: strides may be zero or negative, and elements may show many times. A view where x is
/// contiguous; where it is not (and in every transform), the elements are still counted in row-major order, whatever
/// memory holds, so that the same call means the same under grad and vmap. Throws shape_error for a negative extent,
/// index_error where an element would lie outside of x. (torch.as_strided; numpy.lib.stride_tricks.as_strided counts
/// bytes.)
template <expression E, int R>
auto as_strided(const E& x, const index_t (&extents)[R], const index_t (&strides)[R], index_t offset = 0) {
    const auto a = evaluate(x);
    const auto flat = detail::reshaped(a, shape<1>{a.size()});
    detail::view_spec<1, R> spec;
    bool empty = false;
    for (int d = 0; d < R; ++d) {
        if (extents[d] < 0)
            detail::raise<shape_error>({"[as_strided] the extent ", extents[d], " of axis ", d, " is negative"});
        empty = empty || extents[d] == 0;
    }
    const index_t last = a.size() - 1;
    if (!empty && (offset < 0 || offset > last))
        detail::raise<index_error>({"[as_strided] an offset of ", offset, " in an array of ", a.size(), " elements"});
    index_t before = offset, behind = last - offset;  // what is left of x on both sides
    for (int d = 0; d < R; ++d) {
        spec.extents[d] = extents[d];
        spec.step[d] = strides[d];
        spec.source[d] = strides[d] == 0 ? -1 : 0;
        if (empty || strides[d] == 0 || extents[d] == 1) continue;
        index_t& room = strides[d] < 0 ? before : behind;
        if (strides[d] < -last || strides[d] > last ||
            extents[d] - 1 > room / std::abs(strides[d]))  // no product overflows
            detail::raise<index_error>({"[as_strided] axis ", d, " of extent ", extents[d], " and stride ", strides[d],
                                        " leaves an array of ", a.size(), " elements"});
        room -= (extents[d] - 1) * std::abs(strides[d]);
    }
    detail::check_extents(spec.extents, 1, "as_strided");
    if (!empty) spec.start[0] = offset;
    return detail::view_of(flat, spec);
}

}  // namespace ricci
