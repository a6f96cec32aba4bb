// An array put together from blocks, which nested lists hold as they lie.
#pragma once
#include <algorithm>
#include <initializer_list>

#include "join.hpp"

namespace ricci {
namespace detail {

/// How deep lists of blocks nest, and the largest rank among the blocks.
template <class B>
struct blocks_of {
    static constexpr int depth = 0;
    static constexpr int rank = [] {
        if constexpr (expression<B>) return B::rank;
        else return 0;
    }();
};
template <class... B>
struct blocks_of<std::tuple<B...>> {
    static_assert(sizeof...(B) > 0, "ricci: block needs at least one array in each list");
    static constexpr int depth = 1 + std::max({0, blocks_of<B>::depth...});
    static constexpr int rank = std::max({0, blocks_of<B>::rank...});
    static_assert(((blocks_of<B>::depth + 1 == depth) && ...),
                  "ricci: the lists of block nest to one depth: block(rc::tuple(rc::tuple(a, b), rc::tuple(c)))");
};
template <class B>
struct blocks_of<std::vector<B>> {
    static constexpr int depth = 1 + blocks_of<B>::depth;
    static constexpr int rank = blocks_of<B>::rank;
};
template <class B, std::size_t N>
struct blocks_of<std::array<B, N>> : blocks_of<std::vector<B>> {};
template <class B>
concept block_list = blocks_of<B>::depth > 0;

/// A block with axes of extent 1 in front, of rank R.
template <int R, expression A>
auto joined_blocks(const A& a) {
    if constexpr (A::rank == R) return evaluate(a);
    else return joined_blocks<R>(unsqueeze(evaluate(a), 0));
}
/// The blocks of a list, each joined by itself, one after the other along the axis that the list's depth stands for.
template <int R, block_list B>
auto joined_blocks(const B& list);
template <int R, class... B>
auto joined_blocks_of(const std::tuple<B...>& list) {
    if constexpr (some_numbers<B...>) return joined_blocks_of<R>(with_arrays_for_numbers(list));
    else return std::apply([](const auto&... b) { return ricci::tuple(joined_blocks<R>(b)...); }, list);
}
template <int R, class L>
auto joined_blocks_of(const L& list) {
    std::vector<decltype(joined_blocks<R>(list[0]))> blocks;
    for (const auto& b : list) blocks.push_back(joined_blocks<R>(b));
    return blocks;
}
template <int R, block_list B>
auto joined_blocks(const B& list) {
    return concat_list(array_list(joined_blocks_of<R>(list)), R - blocks_of<B>::depth, "block");
}

/// What a row in braces is taken for where block({{a, b}, {c, d}}) does not find one type, to say so.
struct row_in_braces {
    template <class First, class... A>
        requires(std::is_same_v<First, A> && ...)
    row_in_braces(const First&, const A&...);
    template <class First, class... A>
        requires(!(std::is_same_v<First, A> && ...) && sizeof(refused_braces<First, A...>) > 0)
    row_in_braces(const First&, const A&...);
};

}  // namespace detail

/// An array of blocks, given in nested lists as they lie in it: block({{a, b}, {c, d}}) has a beside b above c beside
/// d, of arrays of one type; block(rc::tuple(rc::tuple(a, 2 * b), rc::tuple(c, 0))) of expressions and numbers.
/// std::vectors and std::arrays are lists, too. The innermost lists are joined along the last axis, those around them
/// along the one before; blocks of lesser rank get axes of extent 1 in front. Types are promoted. Throws shape_error
/// when blocks do not fit, value_error for a list without blocks. Linear, as concat is. (NumPy's.)
template <detail::block_list List>
auto block(const List& blocks) {
    using B = detail::blocks_of<List>;
    return detail::joined_blocks<std::max(B::depth, B::rank)>(blocks);
}
template <expression E>
auto block(std::initializer_list<std::initializer_list<E>> rows) {
    std::vector<std::vector<E>> lists;
    for (const auto& row : rows) lists.emplace_back(row);
    return block(lists);
}
template <expression E>
auto block(std::initializer_list<E> row) {
    return block(std::vector<E>(row));
}
void block(std::initializer_list<detail::row_in_braces> rows);

}  // namespace ricci
