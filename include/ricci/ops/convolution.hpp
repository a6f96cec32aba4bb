// Convolutions of pictures, conv1d, conv2d and conv3d, and the op that they are, with its adjoints.
#pragma once
#include <algorithm>
#include <limits>
#include <string_view>

#include "../core/convolution_problem.hpp"
#include "contract.hpp"
#include "each_axis.hpp"
#include "pad.hpp"

namespace ricci {

/// How many zeros are around a picture, along each axis: a number, or "same" for results of the picture's extents (one
/// zero more behind where windows are even), "valid" for none.
template <int R>
struct picture_margin : each_axis<R> {
    bool same = false;
    using each_axis<R>::each_axis;
    template <std::size_t N>  // an array: of a pointer 0 would be one
    picture_margin(const char (&text)[N]) : each_axis<R>(0), same(text[0] == 's') {
        if (std::string_view(text) != "same" && std::string_view(text) != "valid")
            detail::raise<value_error>({"[convolution] padding is a number, \"same\" or \"valid\": ", text});
    }
};
/// What conv1d (R = 1), conv2d (R = 2) and conv3d (R = 3) take, with torch's meanings: how far windows are apart, the
/// zeros around the picture, how far a window's elements are apart, and in how many groups channels are, which do not
/// see each other.
template <int R>
struct convolution_options {
    detail::no_position by_name = {};
    each_axis<R> stride = 1;
    picture_margin<R> padding = 0;
    each_axis<R> dilation = 1;
    index_t groups = 1;
};

}  // namespace ricci

namespace ricci::detail {

/// How windows lie on pictures, and groups of channels.
template <int R>
struct convolution_geometry {
    convolution_axis axis[R];
    index_t groups = 1;

    /// Whether copies of all windows, and of pictures with their margin, are little larger than pictures.
    bool has_small_copies() const {
        double copies = 1, picture = 1;
        for (const convolution_axis& a : axis) {
            const double windows = static_cast<double>(a.kernel) * static_cast<double>(a.places);
            copies *= std::max(windows, static_cast<double>(a.picture + 2 * a.padding));
            picture *= static_cast<double>(a.picture);
        }
        return copies <= 1.25 * picture;
    }
    bool is_pointwise() const {
        return std::all_of(axis, axis + R, [](const convolution_axis& a) { return a.is_pointwise(); });
    }
    shape<R> of(index_t convolution_axis::* extent) const {
        shape<R> extents;
        for (int d = 0; d < R; ++d) extents[d] = axis[d].*extent;
        return extents;
    }
};

/// `x` with a margin around its last axes, `value` in it.
template <int R, class A, class P>
A around_pictures(const A& x, const P& padding, typename A::value_type value) {
    margin margins[A::rank];
    bool any = false;
    for (int d = 0; d < R; ++d) {
        margins[A::rank - R + d] = {padding[d], padding[d]};
        any = any || padding[d] != 0;
    }
    return any ? A(pad(x, margins, value)) : x;
}

/// Windows of pictures that have their margin: behind `Lead` axes the elements of a window, then the places of windows.
template <int R, int Lead>
auto window_view(const shape<Lead + R>& extents, const convolution_geometry<R>& windows) {
    auto spec = view_spec<Lead + R, Lead + 2 * R>{};
    for (int d = 0; d < Lead; ++d) {
        spec.extents[d] = extents[d];
        spec.source[d] = d;
        spec.step[d] = 1;
    }
    for (int d = 0; d < R; ++d) {
        const int element = Lead + d, place = Lead + R + d;
        spec.source[element] = spec.source[place] = Lead + d;
        spec.extents[element] = windows.axis[d].kernel;
        spec.step[element] = windows.axis[d].dilation;
        spec.extents[place] = windows.axis[d].places;
        spec.step[place] = windows.axis[d].stride;
    }
    return spec;
}

/// Whether a device has kernels for convolutions of plain arrays; others multiply matrices whose columns are windows,
/// as all do where copies of these are small.
template <class D, class T, int R>
constexpr bool has_convolution_kernels() {
    if constexpr (requires { executor<D>::template has_convolutions<T, R>; })
        return executor<D>::template has_convolutions<T, R>;
    else return false;
}

/// Part of pictures (batch, channels, picture), weights (outputs, channels / groups, kernel) and results (batch,
/// outputs, places), from the other two, in that order; Batch axes in front of all broadcast. Its adjoints are the
/// other two parts, with the adjoint of this one in its place.
template <int R, int Batch, convolution_part Part>
struct convolution_op : bilinear_op<convolution_op<R, Batch, Part>> {
    using part = convolution_part;
    static constexpr const char* name = Part == part::results    ? "convolution"
                                        : Part == part::pictures ? "convolution of pictures' adjoints"
                                                                 : "convolution of weights' adjoints";
    static constexpr int rank = Batch + R + 2;
    convolution_geometry<R> geometry;

    explicit convolution_op(const convolution_geometry<R>& g) : geometry(g) {}
    template <class A, class B>
    shape<rank> result_shape(const A& a, const B& b) const {
        constexpr int n = Batch;
        const auto member = [&](index_t first, index_t second, index_t convolution_axis::* extent) {
            shape<R + 2> extents;
            extents[0] = first;
            extents[1] = second;
            for (int d = 0; d < R; ++d) extents[2 + d] = geometry.axis[d].*extent;
            return batch_of<Batch>(common_batch<Batch>(a, b), extents);
        };
        if constexpr (Part == part::results) return member(a.shape()[n], b.shape()[n], &convolution_axis::places);
        else if constexpr (Part == part::pictures)
            return member(b.shape()[n], a.shape()[n + 1] * geometry.groups, &convolution_axis::picture);
        else return member(b.shape()[n + 1], a.shape()[n + 1] / geometry.groups, &convolution_axis::kernel);
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using D = typename A::device_type;
        using T = std::remove_const_t<typename A::value_type>;
        if constexpr (has_convolution_kernels<D, T, R>())
            if (!geometry.has_small_copies()) return make_pack(by_kernels<T, D>(a, b));
        return make_pack(by_products(a, b));
    }
    template <class A, class B, class C>
    auto left_adjoint(const A& a, const B& b, const C& c_bar) const {
        if constexpr (Part == part::results) return adjoint_of<part::pictures>(a, b, c_bar);
        else if constexpr (Part == part::pictures) return adjoint_of<part::weights>(a, c_bar, b);
        else return adjoint_of<part::pictures>(a, c_bar, b);
    }
    template <class A, class B, class C>
    auto right_adjoint(const A& a, const B& b, const C& c_bar) const {
        if constexpr (Part == part::results) return adjoint_of<part::weights>(b, a, c_bar);
        else if constexpr (Part == part::pictures) return adjoint_of<part::results>(b, c_bar, a);
        else return adjoint_of<part::results>(b, a, c_bar);
    }
    auto batched() const { return convolution_op<R, Batch + 1, Part>(geometry); }

   private:
    template <part Other, class X, class A, class B>
    auto adjoint_of(const X& x, const A& a, const B& b) const {
        const auto bar = call1(convolution_op<R, Batch, Other>(geometry), a, b);
        if constexpr (Batch > 0) return sum_to(bar, x.shape());
        else return bar;
    }
    template <class T, class D, class A, class B>
    tensor<T, rank, D> by_kernels(const A& a, const B& b) const {
        const auto x = dense_members<Batch>(a);
        const auto y = dense_members<Batch>(b);
        const auto c = tensor<T, rank, D>::uninitialized(result_shape(a, b));
        if (c.size() == 0) return c;
        if (x.size() == 0 || y.size() == 0) return constant_array<tensor<T, rank, D>>(c.shape(), T(0));
        const index_t(&weights)[rank] = (Part == part::weights ? c : Part == part::results ? y : x).shape().extent;
        const index_t(&many)[rank] = (Part == part::pictures ? y : x).shape().extent;
        convolution_problem problem{
            many[Batch], geometry.groups, weights[Batch + 1], weights[Batch] / geometry.groups, {}};
        for (int d = 0; d < R; ++d) problem.axis[2 - R + d] = geometry.axis[d];
        const shape<Batch> batch = common_batch<Batch>(a, b);
        index_t members = batch.count(), step = 1;
        for (int d = Batch; d < rank; ++d) step *= c.shape()[d];
        if (Batch > 0 && is_one_batch(a, b)) {  // the same weights for all
            problem.batch *= members;
            members = 1;
        }
        for (index_t i = 0; i < members; ++i)
            if (!executor<D>::template convolve<Part, T>(problem, x.data() + member_offset<Batch>(x, batch, i),
                                                         y.data() + member_offset<Batch>(y, batch, i),
                                                         c.data() + i * step))
                return by_products(a, b);
        return c;
    }
    template <class A, class B>
    static bool is_one_batch(const A& a, const B& b) {
        if constexpr (Part == part::weights) return false;
        else if constexpr (Part == part::results) return a.is_contiguous() && members_of(b) == 1;
        else return b.is_contiguous() && members_of(a) == 1;
    }
    template <class A>
    static index_t members_of(const A& a) {
        index_t n = 1;
        for (int d = 0; d < Batch; ++d) n *= a.shape()[d];
        return n;
    }

    /// As products of matrices: of weights, one row for each output, and windows, one column for each place.
    template <class A, class B>
    auto by_products(const A& a, const B& b) const {
        const shape<rank> extents = result_shape(a, b);
        if constexpr (Part == part::results) {
            return evaluate(reshape(matmul(rows(b), columns(a)), extents));
        } else if constexpr (Part == part::pictures) {
            const auto products = evaluate(matmul(matrix_transpose(rows(a)), places(b)));
            if (geometry.is_pointwise()) return evaluate(reshape(products, extents));
            shape<rank> whole = extents;
            auto inside = identity_view(extents);
            for (int d = 0; d < R; ++d) {
                const index_t padding = geometry.axis[d].padding;
                whole[Batch + 2 + d] += 2 * padding;
                inside.start[Batch + 2 + d] = padding;
            }
            const auto windows = window_view<R, Batch + 2>(whole, geometry);
            const auto sums = call1(unview_op<rank, rank + R>(windows, whole), reshaped(products, windows.extents));
            return evaluate(view_of(sums, inside));
        } else {
            const auto products = evaluate(matmul(places(b), matrix_transpose(columns(a))));
            return evaluate(reshape(sum(products, Batch), extents));
        }
    }
    /// Weights as matrices beside those of pictures, results as matrices, windows as columns: (..., batch, group, two
    /// axes).
    template <class W>
    auto rows(const W& w) const {
        shape<Batch + 4> extents = grouped(w);
        extents[Batch] = 1;
        extents[Batch + 2] = w.shape()[Batch] / geometry.groups;
        extents[Batch + 3] = w.shape()[Batch + 1] * geometry.of(&convolution_axis::kernel).count();
        return reshape(w, extents);
    }
    template <class Y>
    auto places(const Y& y) const {
        shape<Batch + 4> extents = grouped(y);
        extents[Batch + 2] = y.shape()[Batch + 1] / geometry.groups;
        extents[Batch + 3] = geometry.of(&convolution_axis::places).count();
        return reshape(y, extents);
    }
    template <class X>
    auto columns(const X& x) const {
        shape<Batch + 4> extents = grouped(x);
        extents[Batch + 2] = x.shape()[Batch + 1] / geometry.groups * geometry.of(&convolution_axis::kernel).count();
        extents[Batch + 3] = geometry.of(&convolution_axis::places).count();
        using T = typename X::value_type;
        const auto padded = around_pictures<R>(x, geometry.of(&convolution_axis::padding), T{});
        return reshape(view_of(padded, window_view<R, Batch + 2>(padded.shape(), geometry)), extents);
    }
    template <class X>
    shape<Batch + 4> grouped(const X& x) const {
        shape<Batch + 4> extents;
        for (int d = 0; d <= Batch; ++d) extents[d] = x.shape()[d];
        extents[Batch + 1] = geometry.groups;
        return extents;
    }
};

/// Results of given pictures, or, for part::pictures, pictures of given results; without a batch where they lack its
/// axis.
template <convolution_part Part, int R, class X, class W>
auto convolved(const X& given, const W& weight, convolution_geometry<R> geometry) {
    for (convolution_axis& axis : geometry.axis)  // a longer stride leads nowhere
        axis.stride = std::min(axis.stride, axis.picture + 2 * axis.padding);
    using T = promote_t<typename X::value_type, typename W::value_type>;
    const auto factors = matmul_factors<T>(given, weight);
    const auto& x0 = without_const(get<0>(factors));
    const auto& w = without_const(get<1>(factors));
    const convolution_op<R, 0, Part> op(geometry);
    const auto of_batch = [&](const auto& x) {
        if constexpr (Part == convolution_part::results) return call1(op, x, w);
        else return call1(op, w, x);
    };
    if constexpr (X::rank == R + 2) return evaluate_as<T>(of_batch(x0));
    else return evaluate_as<T>(squeeze(of_batch(evaluate(expand_dims(x0, 0))), 0));
}

/// The picture with one zero more behind an axis whose windows are even, and the options with the margin that it takes
/// besides for results of the picture's extents.
template <int R, class A, class W>
A with_same_margin(const A& x, const W& weight, convolution_options<R>& options, const char* who) {
    margin behind[A::rank];
    bool any = false;
    for (int d = 0; d < R; ++d) {
        const index_t reach = std::max<index_t>(weight.shape()[2 + d] - 1, 0), dilation = options.dilation[d];
        if (options.stride[d] != 1 || dilation < 1 || (reach > 0 && dilation > far_apart / reach))
            raise<value_error>({"[", who, "] axis ", d, ": padding \"same\" with stride ", options.stride[d],
                                ", which must be 1, and dilation ", dilation});
        options.padding.of[d] = reach * dilation / 2;
        const index_t odd = reach * dilation % 2;
        behind[A::rank - R + d] = {0, odd};
        any = any || odd != 0;
    }
    return any ? A(pad(x, behind, typename A::value_type{})) : x;
}
template <int R, class X, class W>
void require_convolution(const X& x, const W& weight, const convolution_options<R>& options, const char* who) {
    const index_t channels = x.shape()[X::rank - R - 1], outputs = weight.shape()[0], groups = options.groups;
    if (groups < 1 || channels % groups != 0 || channels / groups != weight.shape()[1] || outputs % groups != 0)
        raise<shape_error>({"[", who, "] ", groups, " groups of weights of shape ", weight.shape(),
                            " for pictures of shape ", x.shape(), ": channels ", channels, " and ", groups, " * ",
                            weight.shape()[1]});
    for (int d = 0; d < R; ++d) {
        const index_t stride = options.stride[d], padding = options.padding[d], dilation = options.dilation[d];
        const index_t extent = x.shape()[X::rank - R + d], kernel = weight.shape()[2 + d];
        if (stride < 1 || padding < 0 || dilation < 1 || padding > far_apart - extent / 4 ||
            kernel - 1 > far_apart / dilation)
            raise<value_error>(
                {"[", who, "] axis ", d, ": stride ", stride, ", padding ", padding, ", dilation ", dilation});
        const index_t have = extent + 2 * padding;
        if (kernel < 1 || (kernel - 1) * dilation + 1 > have)
            raise<shape_error>({"[", who, "] axis ", d, " of the weights, of shape ", weight.shape(), ", spans ",
                                (kernel - 1) * dilation + 1, " elements, of the picture with its margin there are ",
                                have});
    }
}

/// A number for each output channel, beside pictures.
template <int R, class B, class W>
auto bias_beside(const B& bias, index_t outputs, const W& weight, const char* who) {
    static_assert(B::rank == 1, "ricci: the bias of a convolution is a vector, a number for each output channel");
    const auto b = evaluate(bias);
    if (b.size() != outputs)
        raise<shape_error>({"[", who, "] a bias of shape ", b.shape(), " for weights of shape ", weight.shape()});
    shape<R + 1> beside;
    for (int d = 0; d <= R; ++d) beside[d] = d == 0 ? outputs : 1;
    return reshape(b, beside);
}
template <int R, class X, class W>
auto picture_convolution(const X& x, const W& weight, convolution_options<R> options, const char* who) {
    static_assert(W::rank == R + 2,
                  "ricci: weights of convolutions have axes for output, input and each axis of a window");
    static_assert(X::rank == R + 2 || X::rank == R + 1,
                  "ricci: pictures have axes for batch (or none), channels and each axis of a picture");
    if constexpr (W::rank != R + 2 || (X::rank != R + 2 && X::rank != R + 1)) {
        return evaluate(x);
    } else {
        const auto whole = evaluate(x);
        const auto given = options.padding.same ? with_same_margin<R>(whole, weight, options, who) : whole;
        require_convolution<R>(given, weight, options, who);
        convolution_geometry<R> geometry{{}, options.groups};
        for (int d = 0; d < R; ++d) {
            auto& axis = geometry.axis[d];
            axis = {given.shape()[X::rank - R + d],
                    weight.shape()[2 + d],
                    0,
                    options.stride[d],
                    options.padding[d],
                    options.dilation[d]};
            axis.places = (axis.picture + 2 * axis.padding - axis.reach() - 1) / axis.stride + 1;
        }
        return convolved<convolution_part::results>(given, weight, geometry);
    }
}
template <int R, class X, class W, class B>
auto picture_convolution(const X& x, const W& weight, const B& bias, const convolution_options<R>& options,
                         const char* who) {
    const auto b = bias_beside<R>(bias, weight.shape()[0], weight, who);
    return evaluate(picture_convolution<R>(x, weight, options, who) + b);
}

}  // namespace ricci::detail

namespace ricci {

/// Each output channel's weights, laid on every window of a picture's length, times what lies below, summed: x of shape
/// (batch, channels, length) or without the batch, weights (outputs, channels / groups, window), a bias of one number
/// for each output or none: conv1d(x, w, {.stride = 2}), conv1d(x, w, b, {.padding = 1}). On the CPU windows that
/// overlap much are not copied, unless elements are integers or complex. Linear in each.
/// Throws shape_error where channels or windows do not fit, value_error for options that are none. (torch's conv1d.)
template <expression X, expression W>
auto conv1d(const X& x, const W& weight, const convolution_options<1>& options = {}) {
    return detail::picture_convolution<1>(x, weight, options, "conv1d");
}
template <expression X, expression W, expression B>
auto conv1d(const X& x, const W& weight, const B& bias, const convolution_options<1>& options = {}) {
    return detail::picture_convolution<1>(x, weight, bias, options, "conv1d");
}
/// The same over height and width: x (batch, channels, height, width), weights (outputs, channels / groups, window's
/// height, width); options may differ by axis, {.stride = {2, 1}}. (torch's conv2d.)
template <expression X, expression W>
auto conv2d(const X& x, const W& weight, const convolution_options<2>& options = {}) {
    return detail::picture_convolution<2>(x, weight, options, "conv2d");
}
template <expression X, expression W, expression B>
auto conv2d(const X& x, const W& weight, const B& bias, const convolution_options<2>& options = {}) {
    return detail::picture_convolution<2>(x, weight, bias, options, "conv2d");
}
/// The same over depth, height and width, with all windows copied. (torch's conv3d.)
template <expression X, expression W>
auto conv3d(const X& x, const W& weight, const convolution_options<3>& options = {}) {
    return detail::picture_convolution<3>(x, weight, options, "conv3d");
}
template <expression X, expression W, expression B>
auto conv3d(const X& x, const W& weight, const B& bias, const convolution_options<3>& options = {}) {
    return detail::picture_convolution<3>(x, weight, bias, options, "conv3d");
}

}  // namespace ricci
