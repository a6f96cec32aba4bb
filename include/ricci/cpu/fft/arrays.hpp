// Fourier transforms of tensors on the CPU: what the executor offers.
#pragma once
#include "../../expr/view.hpp"
#include "../fft.hpp"

namespace ricci::detail {

/// Axis `axis` as the last one, and the reverse. A view.
template <class T, int R, class D>
tensor<T, R, D> with_axis_last(const tensor<T, R, D>& x, int axis) {
    auto spec = identity_view(x.shape());
    for (int d = axis; d < R; ++d) spec.source[d] = d + 1 < R ? d + 1 : axis;
    for (int d = 0; d < R; ++d) spec.extents[d] = x.shape()[spec.source[d]];
    return apply_view(spec, x);
}
template <class T, int R, class D>
tensor<T, R, D> with_last_axis_at(const tensor<T, R, D>& x, int axis) {
    auto spec = identity_view(x.shape());
    for (int d = axis; d < R; ++d) spec.source[d] = d > axis ? d - 1 : R - 1;
    for (int d = 0; d < R; ++d) spec.extents[d] = x.shape()[spec.source[d]];
    return apply_view(spec, x);
}

inline namespace RICCI_ISA {

/// Of every kind of transform: whether it is done along this axis, and its lines.
template <class T>
struct complex_transform {
    using from = std::complex<T>;
    using to = std::complex<T>;
    bool inverse;
    T scale;
    static bool in_place(index_t n, index_t inner) { return transforms_in_place<T>(n, inner); }
    void run(const from* x, to* y, const line_grid& g) const { transform_lines(x, y, g, inverse, scale); }
};
template <class T>
struct from_real_transform {
    using from = T;
    using to = std::complex<T>;
    fft_weights<T> weights;
    static bool in_place(index_t n, index_t inner) {
        return inner == 1 || (n % 2 == 0 && transforms_in_place<T>(n / 2, inner));
    }
    void run(const from* x, to* y, const line_grid& g) const { transform_real_lines(x, y, g, weights); }
};
template <class T>
struct to_real_transform {
    using from = std::complex<T>;
    using to = T;
    fft_weights<T> weights;
    static bool in_place(index_t n, index_t inner) { return from_real_transform<T>::in_place(n, inner); }
    void run(const from* x, to* y, const line_grid& g) const { transform_to_real_lines(x, y, g, weights); }
};

template <class Library, class T>
struct fft_kinds {
    using complex = complex_transform<T>;
    using from_real = from_real_transform<T>;
    using to_real = to_real_transform<T>;
};

/// y, of the extents given, is the transform of x; n is the length of the lines.
template <class Kind, int R>
tensor<typename Kind::to, R> transform_axis(const Kind& kind, const tensor<typename Kind::from, R>& x, int axis,
                                            index_t n, const shape<R>& extents) {
    index_t inner = 1;
    for (int d = axis + 1; d < R; ++d) inner *= extents[d];
    if (R > 1 && !kind.in_place(n, inner)) {
        shape<R> to = extents;
        for (int d = axis; d + 1 < R; ++d) to[d] = extents[d + 1];
        to[R - 1] = extents[axis];
        return with_last_axis_at(transform_axis(kind, with_axis_last(x, axis), R - 1, n, to), axis);
    }
    if (!x.is_contiguous()) return transform_axis(kind, x.clone(), axis, n, extents);
    shape<R> grid = extents;
    grid[axis] = n;
    auto y = tensor<typename Kind::to, R>::uninitialized(extents);
    kind.run(x.data(), y.data(), line_grid(grid, axis));
    return y;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
