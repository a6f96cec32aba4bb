// A number that an option may be given or not.
#pragma once
#include <type_traits>

namespace ricci::detail {

/// A number or none, made from numbers: what options need of std::optional, whose instantiations every file would
/// compile.
template <class T>
struct optional_value {
    T value = {};
    bool given = false;

    constexpr optional_value() = default;
    template <class N>  // fractions from all that converts to one, an array without axes, too
        requires(std::is_same_v<N, T> || std::is_integral_v<N> ||
                 (std::is_floating_point_v<T> && std::is_convertible_v<N, T>))
    constexpr optional_value(const N& n) : value(static_cast<T>(n)), given(true) {
        static_assert(std::is_same_v<T, bool> || !std::is_same_v<N, bool>,
                      "ricci: a number stands here, not true or false");
    }

    constexpr explicit operator bool() const { return given; }
    constexpr T operator*() const { return value; }
    constexpr T value_or(T otherwise) const { return given ? value : otherwise; }
};

}  // namespace ricci::detail
