// What a convolution of pictures and its adjoints are computed from.
#pragma once
#include <algorithm>

#include "config.hpp"

namespace ricci::detail {

/// Of pictures, weights and results, the one that is computed from the other two, in that order: the sum over all
/// windows of the products of all three is linear in each, so that each is the derivative by itself of products of the
/// others.
enum class convolution_part { pictures, weights, results };

/// An axis of pictures, and how windows lie on it.
struct convolution_axis {
    index_t picture = 1, kernel = 1, places = 1, stride = 1, padding = 0, dilation = 1;

    index_t reach() const { return (kernel - 1) * dilation; }
    /// How many different phases of a stride the elements of windows may have, and how many cells a plane of one has.
    index_t phases() const { return std::min(stride, reach() + 1); }
    index_t cells() const { return places + reach() / stride; }
    /// Whether windows are the picture's elements.
    bool is_pointwise() const { return kernel == 1 && stride == 1 && padding == 0 && places == picture; }
};
/// Dense pictures x (batch, groups * inputs, picture), weights w (groups * outputs, inputs, kernel) and results y
/// (batch, groups * outputs, places), each with two axes behind.
struct convolution_problem {
    index_t batch, groups, inputs, outputs;
    convolution_axis axis[2];

    index_t taps() const { return axis[0].kernel * axis[1].kernel; }
    index_t picture() const { return axis[0].picture * axis[1].picture; }
    index_t places() const { return axis[0].places * axis[1].places; }
    index_t plane() const { return axis[0].cells() * axis[1].cells(); }
    index_t phases() const { return axis[0].phases() * axis[1].phases(); }
    index_t phase_of(index_t tap) const {
        return tap / axis[1].kernel * axis[0].dilation % axis[0].stride * axis[1].phases() +
               tap % axis[1].kernel * axis[1].dilation % axis[1].stride;
    }
    /// How many cells a tap lies behind its window's first element, in planes of their phases.
    index_t cell_of(index_t tap) const {
        return tap / axis[1].kernel * axis[0].dilation / axis[0].stride * axis[1].cells() +
               tap % axis[1].kernel * axis[1].dilation / axis[1].stride;
    }
};

}  // namespace ricci::detail
