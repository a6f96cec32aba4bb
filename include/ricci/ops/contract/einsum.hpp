// einsum: sums of products named by subscripts, which the compiler reads.
#pragma once
#include "../../core/dtype_info.hpp"
#include "../diagonal.hpp"
#include "einsum_list.hpp"
#include "einsum_pair.hpp"
#include "products.hpp"

namespace ricci {
namespace detail {

template <class E>
constexpr int rank_of_operand() {
    if constexpr (expression<E>) return E::rank;
    else return 0;
}
/// Says, at compile time, what is wrong with subscripts.
template <fixed_string Text, class... E>
consteval bool check_einsum() {
    constexpr einsum_text text(Text);
    using problem = einsum_error;
    static_assert(text.error != problem::character,
                  "ricci: einsum: subscripts are letters, a comma between operands, '->' before the result, '...'");
    static_assert(text.error != problem::dots, "ricci: einsum: an ellipsis is '...', once for each operand");
    static_assert(text.error != problem::arrow, "ricci: einsum: the result stands behind one '->'");
    static_assert(text.error != problem::size, "ricci: einsum: more than 16 operands or subscripts of one");
    static_assert(text.error != problem::repeated, "ricci: einsum: the result names a subscript twice");
    static_assert(text.error != problem::unknown, "ricci: einsum: the result names a subscript that no operand has");
    if constexpr (text.error == problem::none) {
        static_assert(text.operands == sizeof...(E),
                      "ricci: einsum: the number of operands is not that of their subscripts");
        if constexpr (text.operands == sizeof...(E)) {
            constexpr int ranks[] = {rank_of_operand<E>()..., 0};
            constexpr einsum_layout layout(text, ranks);
            static_assert(layout.fits, "ricci: einsum: an operand's rank is not the number of its subscripts");
            static_assert(layout.keeps_dots, "ricci: einsum: the axes of '...' must be in the result");
            static_assert(layout.is_small_enough, "ricci: einsum: more than 32 axes");
            return layout.fits && layout.keeps_dots && layout.is_small_enough;
        }
    }
    return false;
}

/// x with the axes of the common layout, those named twice being its diagonals. Where x, a plain array, outlives what
/// is returned, that may be borrowed, which counts no handle.
template <axis_places Places, int L, bool Borrows, class X>
auto laid_out(const X& x, const char* text, const char* subscripts) {
    constexpr auto twice = Places.repeated();
    if constexpr (twice.first < Places.count) {
        const index_t n = x.shape()[twice.first], m = x.shape()[twice.second];
        if (n != m) {
            const extents_ref extents{x.shape().extent, X::rank};
            refuse_einsum(text, subscripts[Places.at[twice.first]], extents, n, extents, m);
        }
        constexpr axis_places places = Places.joined(twice);
        auto y = diagonal(x, 0, twice.first, twice.second);
        if constexpr (places.template is_all<L>()) return y;
        else return laid_out<places, L, false>(y, text, subscripts);
    } else if constexpr (Borrows && Places.template is_all<L>()) {
        return tensor<typename X::element_type, L, typename X::device_type>(storage(), x.data(), x.shape(),
                                                                            x.strides());
    } else if constexpr (Borrows) {
        shape<L> extents = unit_shape<L>(), strides{};
        for (int d = 0; d < X::rank; ++d) {
            extents[Places.at[d]] = x.shape()[d];
            strides[Places.at[d]] = x.strides()[d];
        }
        return tensor<typename X::element_type, L, typename X::device_type>(storage(), x.data(), extents, strides);
    } else if constexpr (Places.template is_all<L>()) {
        return x;  // under a transform a view would stand between x and the map
    } else {
        return spread_axes<L>(x, Places.at);
    }
}
/// The same, the axes that no other operand has being summed.
template <axis_places Places, int L, bool Borrows, class X>
auto laid_out_among_others(const X& x, const char* text, const char* subscripts) {
    if constexpr (Places.alone == 0) {
        return laid_out<Places, L, Borrows>(x, text, subscripts);
    } else {
        const auto y = laid_out<Places, L, Borrows>(x, text, subscripts);
        shape<L> left = y.shape();
        for (int d = 0; d < L; ++d)
            if (Places.alone >> d & 1) left[d] = 1;
        return sum_to(y, left);
    }
}

/// Contracts operands of one type.
template <class X, int N>
X contract_list(X (&x)[N], const einsum_step* step) {
    for (int k = 0; k + 1 < N; ++k) {
        const auto [i, j, summed] = step[k];
        x[i] = contract(x[i], x[j], summed);
        x[j] = X();
    }
    return x[0];
}
/// Contracts operands of several types: those that no transform wraps stay so until they meet one that is wrapped.
template <class... X>
auto contract_all(const einsum_step* step, const int* alive, const std::tuple<X...>& x) {
    constexpr int n = sizeof...(X);
    if constexpr (n == 1) {
        return std::get<0>(x);
    } else {
        const auto take = [&]<int I, int J, int... K>(std::integer_sequence<int, I, J, K...>) {
            const int left[] = {step->first, alive[K]..., 0};
            return contract_all(
                step + 1, left,
                std::make_tuple(contract(std::get<I>(x), std::get<J>(x), step->summed), std::get<K>(x)...));
        };
        const auto with = [&]<int I, int J>() {
            constexpr auto others = []<int... K>(std::integer_sequence<int, K...>) {
                return std::integer_sequence<int, I, J, (K < I ? K : K + 1 < J ? K + 1 : K + 2)...>{};
            };
            return take(others(std::make_integer_sequence<int, n - 2>{}));
        };
        using result = decltype(with.template operator()<0, 1>());
        std::optional<result> y;
        for_indices<n * n>([&](auto both) {
            constexpr int I = both() / n, J = both() % n;
            if constexpr (I < J) {
                const auto [first, second] = std::minmax(alive[I], alive[J]);
                if (first == step->first && second == step->second) y.emplace(with.template operator()<I, J>());
            }
        });
        return *y;
    }
}

template <class First, class... X>
auto contract_operands(const einsum_step* step, const First& first, const X&... x) {
    if constexpr (sizeof...(X) == 1) return contract(first, x..., step->summed);
    else if constexpr ((std::is_same_v<First, X> && ...)) {
        First list[] = {first, x...};
        return contract_list(list, step);
    } else if constexpr (sizeof...(X) < 4) {
        const int alive[] = {0, 1, 2, 3};
        return contract_all(step, alive, std::make_tuple(first, x...));
    } else {
        using chain = chain_of_t<First, X...>;
        return contract_operands(step, lift(chain{}, first), lift(chain{}, x)...);
    }
}

/// x, a map of the common layout, summed over the axes that the result lacks.
template <class T, int Result, class E>
auto summed_rest(const E& x) {
    constexpr int summed = E::rank - Result;
    if constexpr (summed == 0) {
        return evaluate_as<T>(x);
    } else if constexpr (Result == 0) {
        return evaluate_as<T>(sum(x));
    } else {
        int axes[summed];
        for (int i = 0; i < summed; ++i) axes[i] = Result + i;
        return evaluate_as<T>(sum(x, axes));
    }
}

/// Throws where two operands, laid out, do not agree on a subscript.
template <int L>
void check_pair(const shape<L>& x, const shape<L>& y, const einsum_layout& layout, const char* text,
                const extents_ref* given) {
    if (x == y) return;
    const shape<L> both[] = {x, y};
    double extent[L + 1];
    einsum_extents(both, 2, layout, text, given, extent);
}

/// Two operands or more, of which the subscripts do not say that they are matrices: a map that is summed, or
/// contractions of pairs in the order that takes the fewest multiplications.
template <fixed_string Text, class T, const einsum_layout& Layout, std::size_t... I, class... X>
auto einsum_by_steps(std::index_sequence<I...>, const X&... x) {
    constexpr int L = Layout.axes, n = sizeof...(X), R = Layout.result_rank;
    if constexpr (n > 2)
        if constexpr (multiplies_list<Layout, X...>())
            if (const auto c = multiplied_list<Text, Layout>(x...)) return evaluate_as<T>(*c);
    constexpr bool plain = (std::is_void_v<typename X::wrapper> && ...);
    constexpr bool is_map = n == 2 && !pair_kinds(Layout).has_matrices();
    constexpr bool lies_so = ((Layout.operand[I].template is_all<L>() && Layout.operand[I].alone == 0) && ...);
    const extents_ref given[] = {{x.shape().extent, X::rank}...};
    if constexpr (is_map && lies_so) {
        check_pair(x.shape()..., Layout, Text.text, given);
        return summed_rest<T, R>((x * ...));
    } else {
        const auto operands =
            std::make_tuple(laid_out_among_others<Layout.operand[I], L, plain>(x, Text.text, Layout.subscript)...);
        if constexpr (is_map) {
            check_pair(std::get<I>(operands).shape()..., Layout, Text.text, given);
            return summed_rest<T, R>((std::get<I>(operands) * ...));
        } else {
            const shape<L> extents[] = {std::get<I>(operands).shape()...};
            const auto steps = known_einsum_steps<Text, Layout>(extents, given);
            const auto y = contract_operands(steps.step, std::get<I>(operands)...);
            shape<R> result;
            for (int d = 0; d < R; ++d) result[d] = y.shape()[d];
            return evaluate_as<T>(without_const(reshaped(y, result)));
        }
    }
}
template <fixed_string Text, class T, std::size_t... I, class... X>
auto einsum_of(std::index_sequence<I...> operands, const X&... x) {
    static constexpr einsum_text text(Text);
    static constexpr int ranks[] = {X::rank...};
    static constexpr einsum_layout layout(text, ranks);
    constexpr int L = layout.axes, n = sizeof...(X), R = layout.result_rank;
    if constexpr (n == 1) {
        auto y = laid_out<layout.operand[0], L, false>(x..., Text.text, layout.subscript);
        if constexpr (L == R && std::is_same_v<decltype(y), decltype(evaluate_as<T>(y))>)
            return y;  // moved, not copied
        else return summed_rest<T, R>(y);
    } else {
        if constexpr (n == 2)
            if constexpr (multiplies_pair<layout, X...>())
                if (const auto c = multiplied_pair<layout>(x...)) return evaluate_as<T>(*c);
        if constexpr (is_pair_of_matrices<layout, X...>()) return evaluate_as<T>(product_of_pair<Text, layout>(x...));
        else return einsum_by_steps<Text, T, layout>(operands, x...);
    }
}

/// An operand in the type that is computed in, itself where it is such an array; a number is an array of rank 0, where
/// the others are.
template <class T, class D, class E>
decltype(auto) einsum_operand(const E& e) {
    if constexpr (!expression<E>) return tensor<T, 0>(static_cast<T>(e)).to(D{});
    else if constexpr (std::is_same_v<decltype(evaluate_as<T>(e)), E>) return (e);
    else return evaluate_as<T>(e);
}

}  // namespace detail

/// Sums of products of operands' elements, by Einstein's convention: einsum<"ij,jk->ik">(a, b) is their matrix product.
/// Each letter names an axis; operands agree on its extent or broadcast (extent 1); a letter twice in an operand takes
/// the diagonal; letters that the result lacks are summed; "..." stands for any leading axes, which broadcast. Without
/// "->" the result has the axes of "..." and the letters that stand in one place, in alphabetical order. What the text
/// decides (which rank the result has, whether the ranks of the operands fit) is the compiler's business.
///
/// Operands are contracted in pairs, in the order that takes the fewest multiplications, by matrix products without
/// copies wherever axes lie so that they join; one operand alone is a view where nothing is summed. Numbers are
/// operands without subscripts. Elements have the common type; those of 16 bits are multiplied and added as float and
/// rounded once. Throws shape_error where extents differ.
template <fixed_string Text, operand... E>
auto einsum(const E&... operands) {
    static_assert((expression<E> || ...), "ricci: einsum needs an array among the operands");
    if constexpr (detail::check_einsum<Text, E...>()) {
        using T = result_type_t<E...>;
        static_assert(!std::is_same_v<T, bool>, "ricci: einsum multiplies numbers: convert truth values with astype");
        using device = typename detail::common_device<E...>::type;
        return detail::einsum_of<Text, T>(std::index_sequence_for<E...>{},
                                          detail::einsum_operand<compute_t<T>, device>(operands)...);
    }
}
template <class Text, expression... E>
    requires(!expression<Text>)
auto einsum(const Text&, const E&...) {
    static_assert(always_false<Text>,
                  "ricci: the subscripts are a template argument, known to the compiler: einsum<\"ij,jk->ik\">(a, b)");
    return detail::refused_result();
}

}  // namespace ricci
