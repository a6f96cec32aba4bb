// The transposes of convolutions: conv_transpose1d, conv_transpose2d, conv_transpose3d.
#pragma once
#include "convolution.hpp"

namespace ricci {

/// What conv_transpose1d (R = 1), 2d and 3d take, with torch's meanings: the options of the convolution that
/// they transpose, and how many elements more the result has at the ends of its axes, less than a stride or a dilation.
template <int R>
struct transposed_convolution_options {
    detail::no_position by_name = {};
    each_axis<R> stride = 1, padding = 0, output_padding = 0, dilation = 1;
    index_t groups = 1;
};

namespace detail {

template <int R, class X, class W>
void require_transposed_convolution(const X& x, const W& weight, const transposed_convolution_options<R>& options,
                                    const char* who) {
    const index_t channels = x.shape()[X::rank - R - 1], groups = options.groups;
    if (groups < 1 || channels != weight.shape()[0] || channels % groups != 0)
        raise<shape_error>({"[", who, "] ", groups, " groups of weights of shape ", weight.shape(),
                            " for pictures of shape ", x.shape(), ": channels ", channels, " and ", weight.shape()[0]});
    for (int d = 0; d < R; ++d) {
        const index_t stride = options.stride[d], dilation = options.dilation[d], more = options.output_padding[d];
        const index_t n = x.shape()[X::rank - R + d], kernel = weight.shape()[2 + d];
        if (stride < 1 || options.padding[d] < 0 || dilation < 1 || more < 0 || more >= std::max(stride, dilation) ||
            std::max(more, options.padding[d]) > far_apart || n - 1 > far_apart / stride ||
            kernel - 1 > far_apart / dilation)
            raise<value_error>({"[", who, "] axis ", d, ": stride ", stride, ", padding ", options.padding[d],
                                ", output_padding ", more, ", dilation ", dilation});
        if (n < 1 || kernel < 1 || (n - 1) * stride + (kernel - 1) * dilation + 1 + more <= 2 * options.padding[d])
            raise<shape_error>({"[", who, "] axis ", d, " has no result: pictures of shape ", x.shape(),
                                ", weights of shape ", weight.shape(), ", padding ", options.padding[d]});
    }
}

template <int R, class X, class W>
auto transposed_convolution(const X& given, const W& weight, const transposed_convolution_options<R>& options,
                            const char* who) {
    static_assert(W::rank == R + 2,
                  "ricci: weights of transposed convolutions have axes for input, output and each axis of a window");
    static_assert(X::rank == R + 2 || X::rank == R + 1,
                  "ricci: pictures have axes for batch (or none), channels and each axis of a picture");
    require_transposed_convolution<R>(given, weight, options, who);
    convolution_geometry<R> geometry{{}, options.groups};
    for (int d = 0; d < R; ++d) {
        auto& axis = geometry.axis[d];
        axis = {0,
                weight.shape()[2 + d],
                given.shape()[X::rank - R + d],
                options.stride[d],
                options.padding[d],
                options.dilation[d]};
        axis.picture =
            (axis.places - 1) * axis.stride + axis.reach() + 1 + options.output_padding[d] - 2 * axis.padding;
    }
    return convolved<convolution_part::pictures>(given, weight, geometry);
}
template <int R, class X, class W, class B>
auto transposed_convolution(const X& x, const W& weight, const B& bias,
                            const transposed_convolution_options<R>& options, const char* who) {
    const auto y = transposed_convolution<R>(x, weight, options, who);
    return evaluate(y + bias_beside<R>(bias, weight.shape()[1] * options.groups, weight, who));
}

}  // namespace detail

/// The transpose of conv1d as a linear map of pictures: what its gradient does to the adjoints of its results. x of
/// shape (batch, inputs, length) or without the batch, weights (inputs, outputs / groups, window), a bias of one number
/// for each output or none: conv_transpose1d(x, w, {.stride = 2}), conv_transpose1d(x, w, b, {.stride = 2,
/// .output_padding = 1}). An axis of n elements gets (n - 1) stride - 2 padding + dilation (window - 1) +
/// output_padding + 1. Linear in each. Throws shape_error where channels do not fit or nothing is left, value_error for
/// options that are none. (torch's conv_transpose1d.)
template <expression X, expression W>
auto conv_transpose1d(const X& x, const W& weight, const transposed_convolution_options<1>& options = {}) {
    return detail::transposed_convolution<1>(x, weight, options, "conv_transpose1d");
}
template <expression X, expression W, expression B>
auto conv_transpose1d(const X& x, const W& weight, const B& bias,
                      const transposed_convolution_options<1>& options = {}) {
    return detail::transposed_convolution<1>(x, weight, bias, options, "conv_transpose1d");
}
/// The same over height and width, as conv2d. (torch's conv_transpose2d.)
template <expression X, expression W>
auto conv_transpose2d(const X& x, const W& weight, const transposed_convolution_options<2>& options = {}) {
    return detail::transposed_convolution<2>(x, weight, options, "conv_transpose2d");
}
template <expression X, expression W, expression B>
auto conv_transpose2d(const X& x, const W& weight, const B& bias,
                      const transposed_convolution_options<2>& options = {}) {
    return detail::transposed_convolution<2>(x, weight, bias, options, "conv_transpose2d");
}
/// The same over depth, height and width, as conv3d. (torch's conv_transpose3d.)
template <expression X, expression W>
auto conv_transpose3d(const X& x, const W& weight, const transposed_convolution_options<3>& options = {}) {
    return detail::transposed_convolution<3>(x, weight, options, "conv_transpose3d");
}
template <expression X, expression W, expression B>
auto conv_transpose3d(const X& x, const W& weight, const B& bias,
                      const transposed_convolution_options<3>& options = {}) {
    return detail::transposed_convolution<3>(x, weight, bias, options, "conv_transpose3d");
}

}  // namespace ricci
