// Calls with torch's positional arguments, refused in a line: strides and paddings as numbers, keepdim as a truth
// value.
#pragma once
#include "call_mistakes.hpp"
#include "fold.hpp"
#include "neural.hpp"
#include "reduce_mistakes.hpp"
#include "resize.hpp"
#include "sort.hpp"
#include "statistics.hpp"
#include "transposed_convolution.hpp"

namespace ricci {
namespace detail {

template <class Never>
struct refused_positions : refused_result {
    static_assert(always_false<Never>,
                  "ricci: stride, padding and the like are options: max_pool2d(x, 2, {.stride = 2, .padding = 1})");
};
template <class Never>
struct refused_mode : refused_result {
    static_assert(always_false<Never>,
                  "ricci: how to interpolate comes first, whether corners meet last: "
                  "interpolate<interpolation::linear>(x, {64, 64}, true)");
};
struct interpolate_keywords {
    never_listed none = never_listed(0);
    keyword mode, align_corners;
};

}  // namespace detail

#define RICCI_REFUSE_POSITIONS(function, R)                         \
    template <expression E, std::integral S, std::integral... More> \
    auto function(const E&, each_axis<R>, S, More...) {             \
        return detail::refused_positions<E>();                      \
    }
RICCI_REFUSE_POSITIONS(max_pool1d, 1)
RICCI_REFUSE_POSITIONS(max_pool2d, 2)
RICCI_REFUSE_POSITIONS(avg_pool1d, 1)
RICCI_REFUSE_POSITIONS(avg_pool2d, 2)
RICCI_REFUSE_POSITIONS(max_pool3d, 3)
RICCI_REFUSE_POSITIONS(avg_pool3d, 3)
#undef RICCI_REFUSE_POSITIONS
#define RICCI_REFUSE_OPTIONS(function)                                                          \
    template <expression X, expression W, std::integral S, std::integral... More>               \
    auto function(const X&, const W&, S, More...) {                                             \
        return detail::refused_positions<X>();                                                  \
    }                                                                                           \
    template <expression X, expression W, expression B, std::integral S, std::integral... More> \
    auto function(const X&, const W&, const B&, S, More...) {                                   \
        return detail::refused_positions<X>();                                                  \
    }
RICCI_REFUSE_OPTIONS(conv1d)
RICCI_REFUSE_OPTIONS(conv2d)
RICCI_REFUSE_OPTIONS(conv3d)
RICCI_REFUSE_OPTIONS(conv_transpose1d)
RICCI_REFUSE_OPTIONS(conv_transpose2d)
RICCI_REFUSE_OPTIONS(conv_transpose3d)
#undef RICCI_REFUSE_OPTIONS
template <expression E, std::integral S, std::integral... More>
auto fold(const E&, each_axis<2>, each_axis<2>, S, More...) {
    return detail::refused_positions<E>();
}

template <interpolation Mode = interpolation::nearest, expression E, class Size, class... More>
    requires std::is_arithmetic_v<Size>
auto interpolate(const E& x, Size, More...) {
    static_assert(always_false<E>,
                  "ricci: interpolate takes the extents that pictures are to have: interpolate(x, {64, 64})");
    return x;
}
template <interpolation Mode = interpolation::nearest, expression E, int N, class... More>
auto interpolate(const E&, const extent (&)[N], const char*, More...) {
    return detail::refused_mode<E>();
}
template <interpolation Mode = interpolation::nearest, expression E, int N>
auto interpolate(const E&, const extent (&)[N], const detail::interpolate_keywords&) {
    return detail::refused_mode<E>();
}

#define RICCI_REFUSE_NO_EXTENTS(function, call)                                                             \
    template <expression E>                                                                                 \
    auto function(const E& x) {                                                                             \
        static_assert(always_false<E>, "ricci: " #function " is told the extents of the last axes: " call); \
        return x;                                                                                           \
    }                                                                                                       \
    template <expression E, expression W, class... More>                                                    \
    auto function(const E& x, const W&, const More&...) {                                                   \
        static_assert(always_false<E>, "ricci: " #function " is told the extents of the last axes: " call); \
        return x;                                                                                           \
    }
RICCI_REFUSE_NO_EXTENTS(layer_norm, "layer_norm(x, {64}, weight, bias)")
RICCI_REFUSE_NO_EXTENTS(rms_norm, "rms_norm(x, {64}, weight)")
#undef RICCI_REFUSE_NO_EXTENTS

#define RICCI_REFUSE_KEPT(function)                                                     \
    template <expression E, std::integral Axis, std::same_as<bool> Keep, class... More> \
    auto function(const E&, Axis, Keep, More...) {                                      \
        return detail::refused_axes<E, bool>();                                         \
    }                                                                                   \
    template <expression E, int N, std::same_as<bool> Keep, class... More>              \
    auto function(const E&, const int(&)[N], Keep, More...) {                           \
        return detail::refused_axes<E, bool>();                                         \
    }
RICCI_REFUSE_KEPT(logsumexp)
RICCI_REFUSE_KEPT(aminmax)
RICCI_REFUSE_KEPT(var_mean)
RICCI_REFUSE_KEPT(std_mean)
#undef RICCI_REFUSE_KEPT
template <expression E, std::same_as<bool> Keep>
auto kthvalue(const E&, index_t, int, Keep) {
    return detail::refused_axes<E, bool>();
}

}  // namespace ricci
