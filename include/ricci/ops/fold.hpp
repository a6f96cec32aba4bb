// The windows of pictures as columns, and their sums back: unfold of pictures, fold.
#pragma once
#include "convolution.hpp"

namespace ricci {

/// What unfold and fold take, with torch's meanings: how far windows are apart, the zeros around the picture, and how
/// far a window's elements are apart.
struct unfolding_options {
    detail::no_position by_name = {};
    each_axis<2> stride = 1, padding = 0, dilation = 1;
};

namespace detail {

/// The windows of the last two axes of pictures that have their margin: axes for a window's elements, then for the
/// windows.
template <int R>
view_spec<R, R + 2> windows_of(const shape<R>& from, const each_axis<2>& window, const unfolding_options& options,
                               const char* who) {
    convolution_geometry<2> windows;
    for (int d = 0; d < 2; ++d) {
        const index_t k = window[d], stride = options.stride[d], dilation = options.dilation[d], n = from[R - 2 + d];
        if (k < 1 || stride < 1 || dilation < 1 || (k > 1 && dilation > (n - 1) / (k - 1)) || n < 1)
            raise<value_error>({"[", who, "] windows of ", k, " elements, ", dilation, " apart, each ", stride,
                                " from the next, of axis ", R - 2 + d, " of shape ", from, " with its margin"});
        const index_t places = (n - 1 - (k - 1) * dilation) / stride + 1;
        windows.axis[d] = {.kernel = k, .places = places, .stride = stride, .dilation = dilation};
    }
    return window_view<2, R - 2>(from, windows);
}
inline void require_margin(const unfolding_options& options, const char* who) {
    for (int d = 0; d < 2; ++d)
        if (options.padding[d] < 0 || options.padding[d] > far_apart)
            raise<value_error>({"[", who, "] a padding of ", options.padding[d], " elements"});
}

}  // namespace detail

/// The windows of pictures, (..., channels, height, width), as columns: (..., channels h w, windows) for windows of h x
/// w elements, row by row; unfold(images, 3), unfold(images, {3, 2}, {.stride = 2, .padding = 1}). Linear; `fold` is
/// its transpose. Throws value_error for a window that does not fit. (torch.nn.functional.unfold.)
template <expression E>
auto unfold(const E& x, each_axis<2> window, const unfolding_options& options = {}) {
    constexpr int R = E::rank;
    static_assert(
        R >= 3,
        "ricci: unfold of windows takes pictures, (..., channels, height, width); of an axis unfold(x, axis, size)");
    detail::require_margin(options, "unfold");
    const auto a = detail::around_pictures<2>(evaluate(x), options.padding, typename E::value_type{});
    const auto spec = detail::windows_of<R>(a.shape(), window, options, "unfold");
    shape<R - 1> columns;
    for (int d = 0; d < R - 2; ++d) columns[d] = a.shape()[d];
    columns[R - 3] *= window[0] * window[1];
    columns[R - 2] = spec.extents[R] * spec.extents[R + 1];
    return detail::unshared(reshape(detail::view_of(a, spec), columns));
}
/// Pictures of the given height and width as the sums of windows, which are columns: fold(columns, {6, 5}, 3, {.padding
/// = 1}). Linear; fold(unfold(x, ...), ...) is x times the number of windows that show each element. 16 bits are added
/// in float. Throws shape_error where the columns are not those of such pictures' windows, value_error for a window
/// that does not fit. (torch.nn.functional.fold.)
template <expression E>
auto fold(const E& columns, each_axis<2> size, each_axis<2> window, const unfolding_options& options = {}) {
    constexpr int R = E::rank + 1;
    static_assert(R >= 3, "ricci: fold takes columns, (..., channels h w, windows)");
    detail::require_margin(options, "fold");
    const auto y = evaluate(columns);
    shape<R> whole;
    for (int d = 0; d < R - 2; ++d) whole[d] = y.shape()[d];
    for (int d = 0; d < 2; ++d) {
        if (size[d] < 1 || size[d] > detail::far_apart)
            detail::raise<value_error>({"[fold] pictures of ", size[0], " x ", size[1], " elements"});
        whole[R - 2 + d] = size[d] + 2 * options.padding[d];
    }
    detail::check_extents(shape<2>{whole[R - 2], whole[R - 1]}, sizeof(typename E::value_type), "fold");
    const bool may_fit = window[0] > 0 && window[1] > 0 && window[0] <= whole[R - 2] && window[1] <= whole[R - 1];
    const index_t elements = may_fit ? window[0] * window[1] : 1;  // windows_of refuses others
    whole[R - 3] /= elements;
    const auto spec = detail::windows_of<R>(whole, window, options, "fold");
    if (whole[R - 3] * elements != y.shape()[R - 3] || spec.extents[R] * spec.extents[R + 1] != y.shape()[R - 2])
        detail::raise<shape_error>({"[fold] columns of shape ", y.shape(), " for windows of ", window[0], " x ",
                                    window[1], " elements, ", spec.extents[R], " x ", spec.extents[R + 1], " of them"});
    auto inside = detail::identity_view(whole);
    for (int d = 0; d < 2; ++d) {
        inside.start[R - 2 + d] = options.padding[d];
        inside.extents[R - 2 + d] = size[d];
    }
    return detail::computed_wide(y, [&](const auto& wide) {
        const auto sums = detail::call1(detail::unview_op<R, R + 2>(spec, whole), detail::reshaped(wide, spec.extents));
        return evaluate(detail::view_of(sums, inside));
    });
}

}  // namespace ricci
