// Options with a number for each axis of a picture: strides, paddings, windows.
#pragma once
#include <concepts>
#include <limits>

#include "../core/concepts.hpp"
#include "../core/shape.hpp"

namespace ricci {

/// A number for each axis of a picture: one for all, 2, or one for each, {2, 1}.
template <int R>
struct each_axis {
    index_t of[R];
    constexpr each_axis(index_t every) {
        for (index_t& n : of) n = every;
    }
    template <std::integral... N>
        requires(sizeof...(N) == R && R > 1)
    constexpr each_axis(N... n) : of{static_cast<index_t>(n)...} {}
    constexpr index_t operator[](int axis) const { return of[axis]; }
};

namespace detail {
/// Sums of a few numbers up to here are no larger than an index can be.
inline constexpr index_t far_apart = std::numeric_limits<index_t>::max() / 4;
/// The first member of options, which nothing fills: {2, 1} would be a stride and a padding where torch means strides
/// (2, 1).
struct no_position {
    constexpr no_position() = default;
    template <std::integral N>
    constexpr no_position(N) {
        static_assert(always_false<N>, "ricci: stride, padding and the like are options by name: {.stride = {2, 1}}");
    }
};
}  // namespace detail

}  // namespace ricci
