// Repeated subtrees: the tree of `s * s` holds that of s twice. Where both turn out to have the same arrays and
// numbers, kernels compute s once.
#pragma once
#include <array>
#include <cstring>

#include "lanes.hpp"

namespace ricci::detail {

/// Whether two trees are the same function of their slots and numbers, both counted from the tree's first.
template <class A, class B>
inline constexpr bool same_form_v = std::is_same_v<A, B>;
template <int I, int J, class T>
inline constexpr bool same_form_v<slot<I, T>, slot<J, T>> = true;
template <class To, class A, class B>
inline constexpr bool same_form_v<cast_node<To, A>, cast_node<To, B>> = same_form_v<A, B>;
template <class Op, class T, class... A, class... B>
    requires(sizeof...(A) == sizeof...(B))
inline constexpr bool same_form_v<op_node<Op, T, A...>, op_node<Op, T, B...>> =
    std::is_empty_v<Op> && (same_form_v<A, B> && ...);

/// How many slots and numbers a tree has. Its slots follow each other from `first` on.
struct leaf_counts {
    int first = 0, slots = 0, numbers = 0;
    constexpr leaf_counts operator+(const leaf_counts& next) const {
        return {slots > 0 ? first : next.first, slots + next.slots, numbers + next.numbers};
    }
};
template <class Node>
inline constexpr leaf_counts leaf_counts_v{};
template <int I, class T>
inline constexpr leaf_counts leaf_counts_v<slot<I, T>>{I, 1, 0};
template <class T>
inline constexpr leaf_counts leaf_counts_v<constant_node<T>>{0, 0, 1};
template <class To, class Child>
inline constexpr leaf_counts leaf_counts_v<cast_node<To, Child>> = leaf_counts_v<Child>;
template <class Op, class T, class... Child>
inline constexpr leaf_counts leaf_counts_v<op_node<Op, T, Child...>> = (leaf_counts{} + ... + leaf_counts_v<Child>);

/// A subtree, and how many numbers come before its own.
template <class Node, int Numbers>
struct placed_node {};

/// The subtrees worth computing once: a division or a function at least, of more than leaves where it is as cheap as a
/// division.
template <class Node, int Numbers>
struct dear_subtrees {
    using type = type_list<>;
};
template <class To, class Child, int Numbers>
struct dear_subtrees<cast_node<To, Child>, Numbers> : dear_subtrees<Child, Numbers> {};
template <class Node, int Numbers, class Indices>
struct dear_children;
template <class Op, class T, class... Child, int Numbers, int... I>
struct dear_children<op_node<Op, T, Child...>, Numbers, std::integer_sequence<int, I...>> {
    static constexpr int before(int i) {
        constexpr int counts[] = {leaf_counts_v<Child>.numbers...};
        int n = Numbers;
        for (int k = 0; k < i; ++k) n += counts[k];
        return n;
    }
    using type = typename join_lists<typename dear_subtrees<Child, before(I)>::type...>::type;
};
template <class Op, class T, class... Child, int Numbers>
    requires(dearest_op_v<op_node<Op, T, Child...>> >= 4)
struct dear_subtrees<op_node<Op, T, Child...>, Numbers> {
    using node = op_node<Op, T, Child...>;
    static constexpr bool own = op_cost<Op>() >= 4 && tree_cost_v<node> > 4;
    using below = typename dear_children<node, Numbers, std::make_integer_sequence<int, int(sizeof...(Child))>>::type;
    using type =
        typename join_lists<std::conditional_t<own, type_list<placed_node<node, Numbers>>, type_list<>>, below>::type;
};

/// Of each slot and number of a tree the first one that has its place in a subtree of the same form, or itself.
template <class Tree>
class repeats {
   public:
    static constexpr leaf_counts counts = leaf_counts_v<Tree>;
    std::array<int, std::size_t(counts.slots + 1)> slot{};
    std::array<int, std::size_t(counts.numbers + 1)> number{};

    constexpr repeats() {
        for (int i = 0; i < counts.slots; ++i) slot[std::size_t(i)] = i;
        for (int i = 0; i < counts.numbers; ++i) number[std::size_t(i)] = i;
        meet_all(typename dear_subtrees<Tree, 0>::type{});
    }
    /// Whether sharing saves a fifth of the tree's work: compilers work for it as for another kernel.
    constexpr bool any() const { return saved_ > 0 && 5 * saved_ >= tree_cost_v<Tree>; }

   private:
    int saved_ = 0;

    constexpr void meet_all(type_list<>) {}
    template <class First, class... Rest>
    constexpr void meet_all(type_list<First, Rest...>) {
        (meet(First{}, Rest{}), ...);
        meet_all(type_list<Rest...>{});
    }
    template <class A, int M, class B, int N>
    constexpr void meet(placed_node<A, M>, placed_node<B, N>) {
        if constexpr (same_form_v<A, B>) {
            constexpr leaf_counts a = leaf_counts_v<A>, b = leaf_counts_v<B>;
            if (a.slots > 0 && slot[std::size_t(b.first)] == b.first) saved_ += tree_cost_v<B>;
            for (int i = 0; i < a.slots; ++i) join(slot.data(), a.first + i, b.first + i);
            for (int i = 0; i < a.numbers; ++i) join(number.data(), M + i, N + i);
        }
    }
    /// Subtrees are met from the left, each with all on its right: what is joined to others already is joined to the
    /// first.
    static constexpr void join(int* first, int a, int b) { first[b] = first[a] < first[b] ? first[a] : first[b]; }
};
template <class Tree>
inline constexpr repeats<Tree> repeats_v{};

/// The N-th number of a tree.
template <int N, class Node>
RICCI_INLINE auto& number_of(Node& n);
template <int N, int I, class Op, class T, class... Child>
RICCI_INLINE auto& number_below(op_node<Op, T, Child...>& n) {
    constexpr int here = leaf_counts_v<std::remove_reference_t<decltype(get<I>(n.children))>>.numbers;
    if constexpr (N < here) return number_of<N>(get<I>(n.children));
    else return number_below<N - here, I + 1>(n);
}
template <int N, class T>
RICCI_INLINE auto& number_of_node(constant_node<T>& n) {
    return n.number;
}
template <int N, class To, class Child>
RICCI_INLINE auto& number_of_node(cast_node<To, Child>& n) {
    return number_of<N>(n.get());
}
template <int N, class Op, class T, class... Child>
RICCI_INLINE auto& number_of_node(op_node<Op, T, Child...>& n) {
    return number_below<N, 0>(n);
}
template <int N, class Node>
RICCI_INLINE auto& number_of(Node& n) {
    return number_of_node<N>(n);
}

/// Whether the numbers of repeated subtrees are the same. Compilers learn it of `tree`, which is the caller's own.
template <class Tree>
RICCI_INLINE bool share_numbers(Tree& tree) {
    bool same = true;
    for_indices<repeats<Tree>::counts.numbers>([&](auto n) {
        constexpr int first = repeats_v<Tree>.number[std::size_t(n())];
        if constexpr (first != n()) {
            auto& number = number_of<n()>(tree);
            same = same && std::memcmp(&number, &number_of<first>(tree), sizeof number) == 0;
            number = number_of<first>(tree);
        }
    });
    return same;
}

}  // namespace ricci::detail
