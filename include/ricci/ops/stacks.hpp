// Arrays of any ranks joined as rows, columns or sheets: vstack, hstack, dstack, column_stack.
#pragma once
#include "join.hpp"
#include "rearrange.hpp"

namespace ricci {
namespace detail {

/// The arrays of a list along an axis of what `each` makes of them.
template <array_sequence List, class F>
auto concat_each(const List& arrays, F each, int axis) {
    if constexpr (requires { arrays[0]; }) {
        std::vector<decltype(each(arrays[0]))> ready;
        for (const auto& a : arrays) ready.push_back(each(a));
        return concat(ready, axis);
    } else {
        return std::apply([&](const auto&... a) { return concat(std::tuple(each(a)...), axis); }, arrays);
    }
}
/// A vector as a column, (n, 1). A matrix as it is.
inline constexpr auto make_column = [](const auto& a) {
    if constexpr (std::remove_cvref_t<decltype(a)>::rank >= 2) return atleast_2d(a);
    else return expand_dims(atleast_1d(a), 1);
};
/// The rank of a list's arrays; of a tuple, of its first.
template <class List>
inline constexpr int rank_of_list = std::remove_cvref_t<decltype(std::get<0>(std::declval<const List&>()))>::rank;
template <expression E>
inline constexpr int rank_of_list<std::vector<E>> = E::rank;

}  // namespace detail

/// The arrays of a list, given as concat's, one below the other along axis 0; vectors are rows, numbers rows of one.
/// Shapes, errors and derivative as concat. (numpy.vstack.)
template <detail::array_sequence List>
auto vstack(const List& arrays) {
    return detail::concat_each(arrays, [](const auto& a) { return atleast_2d(a); }, 0);
}
template <expression E, std::size_t N>
auto vstack(const E (&arrays)[N]) {
    return vstack(std::vector<E>(arrays, arrays + N));
}
void vstack(detail::mixed_braces arrays);

/// Side by side: along axis 1, vectors along their only axis. (numpy.hstack.)
template <detail::array_sequence List>
auto hstack(const List& arrays) {
    constexpr int axis = detail::rank_of_list<List> > 1;
    return detail::concat_each(arrays, [](const auto& a) { return atleast_1d(a); }, axis);
}
template <expression E, std::size_t N>
auto hstack(const E (&arrays)[N]) {
    return hstack(std::vector<E>(arrays, arrays + N));
}
void hstack(detail::mixed_braces arrays);

/// Behind each other along axis 2; vectors are (1, n, 1), matrices (m, n, 1). (numpy.dstack.)
template <detail::array_sequence List>
auto dstack(const List& arrays) {
    return detail::concat_each(arrays, [](const auto& a) { return atleast_3d(a); }, 2);
}
template <expression E, std::size_t N>
auto dstack(const E (&arrays)[N]) {
    return dstack(std::vector<E>(arrays, arrays + N));
}
void dstack(detail::mixed_braces arrays);

/// As columns: along axis 1, vectors as (n, 1). (numpy.column_stack.)
template <detail::array_sequence List>
auto column_stack(const List& arrays) {
    return detail::concat_each(arrays, detail::make_column, 1);
}
template <expression E, std::size_t N>
auto column_stack(const E (&arrays)[N]) {
    return column_stack(std::vector<E>(arrays, arrays + N));
}
void column_stack(detail::mixed_braces arrays);

}  // namespace ricci
