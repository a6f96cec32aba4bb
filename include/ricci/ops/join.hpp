// Joining arrays: concat along an axis that they have, stack along a new one. One linear op of a list of arrays.
#pragma once
#include <array>
#include <tuple>
#include <vector>

#include "../core/refused.hpp"
#include "../expr/lift.hpp"
#include "contract.hpp"

namespace ricci {
namespace detail {

/// Arrays that are joined along an axis of y become their parts of it.
template <class A, class Y, class Part>
void write_parts(const std::vector<A>& list, const Y& y, int axis, const Part& part) {
    using on = executor<typename Y::device_type>;
    if constexpr (A::rank > 0)  // an array without axes alternates with none
        if constexpr (requires { on::copy_parts(list, y, axis, part); })
            if (on::copy_parts(list, y, axis, part)) return;
    for (std::size_t i = 0; i < list.size(); ++i) on::copy(list[i], part(i));
}
/// Arrays one after the other along an axis. `begin[i]` is where the i-th starts, the last entry where all end. Linear:
/// its derivative is itself, its transpose gives each array the view of its part.
template <int R>
struct concat_op {
    static constexpr const char* name = "concat";
    int axis;
    std::vector<index_t> begin;
    shape<R> extents;

    /// The view of the i-th array's part.
    view_op<R, R> part(std::size_t i) const {
        auto spec = identity_view(extents);
        spec.start[axis] = begin[i];
        spec.extents[axis] = begin[i + 1] - begin[i];
        return {spec, extents};
    }
    template <class T, class D>
    auto value(const std::vector<tensor<T, R, D>>& list) const {
        const auto y = tensor<std::remove_const_t<T>, R, D>::uninitialized(extents);
        if constexpr (R > 0 && requires { executor<D>::interleave(list, y); })
            if (axis == R - 1 && executor<D>::interleave(list, y)) return y;
        write_parts(list, y, axis, [&](std::size_t i) { return apply_view(part(i).spec, y); });
        return y;
    }
    concat_op<R + 1> batched(index_t batch) const { return {axis + 1, begin, prefixed(batch, extents)}; }
};

/// Checked, and applied to arrays of one type.
template <class A>
auto concat_list(const std::vector<A>& list, int at, const char* who) {
    static_assert(A::rank >= 1, "ricci: concat needs arrays of rank 1 or more; stack joins scalars");
    if (list.empty()) detail::raise<value_error>({"[", who, "] needs at least one array"});
    concat_op<A::rank> op{normalize_axis(at, A::rank, who), {0}, list[0].shape()};
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto extents = list[i].shape();
        if (extents[op.axis] > std::numeric_limits<index_t>::max() - op.begin.back())
            raise<value_error>({"[", who, "] the arrays' extents of axis ", op.axis, " overflow"});
        op.begin.push_back(op.begin.back() + extents[op.axis]);
        extents[op.axis] = op.extents[op.axis];
        if (!(extents == op.extents))
            detail::raise<shape_error>({"[", who, "] the arrays must agree in every axis but axis ", op.axis,
                                        ": array ", index_t(i), " has shape ", list[i].shape(), ", array 0 has ",
                                        list[0].shape()});
    }
    op.extents[op.axis] = op.begin.back();
    return call_list(op, list);
}

template <class L>
inline constexpr bool is_array_sequence = false;
template <expression E>
inline constexpr bool is_array_sequence<std::vector<E>> = true;
template <expression E, std::size_t N>
inline constexpr bool is_array_sequence<std::array<E, N>> = true;
template <expression... E>
inline constexpr bool is_array_sequence<std::tuple<E...>> = true;
/// A list of arrays: a vector or a std::array of one type, or a tuple of several.
template <class L>
concept array_sequence = is_array_sequence<L>;

/// The arrays to join, evaluated, of one type: the common element type under all of their wrappers.
template <class E>
auto array_list(const E* list, std::size_t count) {
    using A = std::remove_cvref_t<decltype(evaluate(*list))>;
    std::vector<A> arrays;
    arrays.reserve(count);
    for (std::size_t i = 0; i < count; ++i) arrays.push_back(evaluate(list[i]));
    return arrays;
}
template <class First, class... E>
auto array_list(const std::tuple<First, E...>& list) {
    constexpr bool alike = ((First::rank == E::rank) && ...);
    static_assert(alike, "ricci: arrays to join must have the same rank");
    using T = common_t<typename First::value_type, typename E::value_type...>;
    if constexpr (!alike) return array_list(&std::get<0>(list), 1);
    else
        return std::apply(
            [](const auto&... x) {
                const auto arrays = make_pack(readable_as<T>(x)...);
                return unpack(
                    [](const auto&... a) {
                        using chain = chain_of_t<std::remove_cvref_t<decltype(a)>...>;
                        return std::vector{lift(chain{}, a)...};
                    },
                    arrays);
            },
            list);
}
template <class E>
auto array_list(const std::vector<E>& list) {
    return array_list(list.data(), list.size());
}
template <class E, std::size_t N>
auto array_list(const std::array<E, N>& list) {
    return array_list(list.data(), N);
}

/// Members of a list of which some are numbers.
template <class... A>
concept some_numbers = (operand<A> && ...) && (scalar_value<A> || ...);
/// The list with arrays of rank 0 for its numbers, which take part in promotion as in arithmetic.
template <class... A>
auto with_arrays_for_numbers(const std::tuple<A...>& list) {
    using T = common_t<kind_t<A>...>;
    using D = std::conditional_t<(expression<A> || ...), typename common_device<A...>::type, cpu_device>;
    const auto as_member = []<class X>(const X& x) {
        if constexpr (expression<X>) return x;
        else return tensor<T, 0>(convert_number<T>(x)).to(D{});
    };
    return std::apply([&](const auto&... x) { return ricci::tuple(as_member(x)...); }, list);
}

/// A new axis of extent 1 as axis `at`. A view.
template <class A>
auto unsqueeze(const A& a, int at) {
    view_spec<A::rank, A::rank + 1> spec;
    for (int d = 0; d <= A::rank; ++d) {
        spec.step[d] = 1;
        spec.source[d] = d == at ? -1 : d - (d > at);
        spec.extents[d] = d == at ? 1 : a.shape()[spec.source[d]];
    }
    return view_of(a, spec);
}
/// Arrays of rank R one after the other along a new axis, in a result of the given shape. Linear: its derivative is
/// itself, its transpose gives each array the view of its place.
template <int R>
struct stack_op {
    static constexpr const char* name = "stack";
    int axis;
    shape<R + 1> extents;

    /// The view of the i-th array's place.
    view_op<R + 1, R> part(std::size_t i) const {
        view_spec<R + 1, R> spec;
        spec.start[axis] = static_cast<index_t>(i);
        for (int d = 0; d < R; ++d) {
            spec.source[d] = d + (d >= axis);
            spec.extents[d] = extents[spec.source[d]];
            spec.step[d] = 1;
        }
        return {spec, extents};
    }
    template <class T, class D>
    auto value(const std::vector<tensor<T, R, D>>& list) const {
        const auto y = tensor<std::remove_const_t<T>, R + 1, D>::uninitialized(extents);
        if (axis == R && interleaved(list, y)) return y;
        write_parts(list, y, axis, [&](std::size_t i) { return apply_view(part(i).spec, y); });
        return y;
    }
    stack_op<R + 1> batched(index_t batch) const { return {axis + 1, prefixed(batch, extents)}; }

   private:
    template <class T, class D, class Y>
    static bool interleaved(const std::vector<tensor<T, R, D>>& list, const Y& y) {
        if constexpr (R > 0 && requires(const std::vector<tensor<T, R + 1, D>>& columns) {
                          executor<D>::interleave(columns, y);
                      }) {
            std::vector<tensor<T, R + 1, D>> columns;
            columns.reserve(list.size());
            for (const auto& x : list) columns.push_back(unsqueeze(x, R));
            return executor<D>::interleave(columns, y);
        } else {
            return false;
        }
    }
};

template <class A>
auto stack_list(const std::vector<A>& list, int at, const char* who) {
    if (list.empty()) detail::raise<value_error>({"[", who, "] needs at least one array"});
    constexpr int rank = A::rank;
    stack_op<rank> op{normalize_axis(at, rank + 1, who), {}};
    for (int d = 0; d <= rank; ++d)
        op.extents[d] = d == op.axis ? static_cast<index_t>(list.size()) : list[0].shape()[d - (d > op.axis)];
    for (std::size_t i = 1; i < list.size(); ++i)
        if (!(list[i].shape() == list[0].shape()))
            detail::raise<shape_error>({"[", who, "] the arrays must have the same shape: array ", index_t(i), " has ",
                                        list[i].shape(), ", array 0 has ", list[0].shape()});
    return call_list(op, list);
}
/// Expressions of rank 0 on the CPU that no transform sees.
template <class... E>
concept plain_elements =
    ((E::rank == 0 && all_plain<E>() && !deferred<E> && std::is_same_v<typename E::device_type, cpu_device>) && ...);
/// Such in a row, each computed where it goes.
template <class... E>
auto stack_elements(int at, const E&... e) {
    normalize_axis(at, 1, "stack");
    using T = common_t<typename E::value_type...>;
    const auto y = tensor<T, 1>::uninitialized({static_cast<index_t>(sizeof...(E))});
    T* to = y.data();
    (run_map_into(e, tensor<T, 0>(storage(), to++, {}, {})), ...);
    return y;
}
template <class A>
auto flatten_list(const std::vector<A>& list) {
    std::vector<std::remove_cvref_t<decltype(reshaped(list[0], shape<1>{}))>> flat;
    for (const auto& a : list) flat.push_back(reshaped(a, shape<1>{a.size()}));
    return concat_list(flat, 0, "concat");
}
template <class... A>
struct refused_braces {
    static_assert(sizeof...(A) == 0,
                  "ricci: braces join arrays of one type, and expressions differ in theirs: write rc::tuple(a, b) "
                  "for {a, b}");
};
/// What braces around arrays of several types are taken for, to say so, before what they are part of is looked at.
struct mixed_braces {
    template <class First, class... A>
        requires(sizeof...(A) > 0 && !(std::is_same_v<First, A> && ...) && sizeof(refused_braces<First, A...>) > 0)
    mixed_braces(const First&, const A&...);
};

}  // namespace detail

/// The arrays of a list one after the other along an axis that they have: concat({a, b}, 1), concat(rc::tuple(a, b))
/// for arrays of several types, or a std::vector or std::array of them. Their shapes agree but for that axis; element
/// types are promoted. Throws shape_error when shapes differ otherwise, index_error for an axis out of range,
/// value_error for an empty list. Linear: the adjoint of each array is its part of the result's.
template <detail::array_sequence List>
auto concat(const List& arrays, int axis = 0) {
    return detail::concat_list(detail::array_list(arrays), axis, "concat");
}
template <expression E, std::size_t N>
auto concat(const E (&arrays)[N], int axis = 0) {
    return detail::concat_list(detail::array_list(arrays, N), axis, "concat");
}
template <class... A, class Axis = int>
    requires detail::some_numbers<A...>
auto concat(const std::tuple<A...>&, const Axis& = 0) {
    static_assert(always_false<void(A...)>,
                  "ricci: concat joins arrays along an axis that they have, and a number has none: "
                  "concat(rc::tuple(x, tensor<double, 1>{0.5})); stack joins numbers and results of rank 0");
    return detail::refused_result();
}
void concat(detail::mixed_braces arrays, int axis = 0);
template <std::integral Axis, expression A, class... Rest>
auto concat(Axis, const A& a, const Rest&...) {
    static_assert(always_false<A>, "ricci: the arrays come first, in braces, then the axis: concat({a, b}, 0)");
    return a;
}
template <expression A, expression B, class... Rest>
auto concat(const A& a, const B&, const Rest&...) {
    static_assert(always_false<A>, "ricci: the arrays to join stand in braces: concat({a, b}, axis)");
    return a;
}
/// With `none` for an axis, all elements of arrays of any one rank, flattened.
template <detail::array_sequence List>
auto concat(const List& arrays, none_t) {
    return detail::flatten_list(detail::array_list(arrays));
}
template <expression E, std::size_t N>
auto concat(const E (&arrays)[N], none_t) {
    return detail::flatten_list(detail::array_list(arrays, N));
}

/// The arrays of a list, given as concat's and all of one shape, along a new axis at position `axis` of the result.
/// Throws shape_error when their shapes differ, index_error for an axis out of range, value_error for an empty list.
/// Linear.
template <detail::array_sequence List>
auto stack(const List& arrays, int axis = 0) {
    return detail::stack_list(detail::array_list(arrays), axis, "stack");
}
template <class First, class... E>
    requires detail::plain_elements<First, E...>
auto stack(const std::tuple<First, E...>& elements, int axis = 0) {
    return std::apply([&](const auto&... e) { return detail::stack_elements(axis, e...); }, elements);
}
template <expression E, std::size_t N>
auto stack(const E (&arrays)[N], int axis = 0) {
    return detail::stack_list(detail::array_list(arrays, N), axis, "stack");
}
/// Of numbers among arrays of rank 0: stack(rc::tuple(cos(a), 0)).
template <class... A>
    requires detail::some_numbers<A...>
auto stack(const std::tuple<A...>& arrays, int axis = 0) {
    constexpr bool scalars = (detail::is_number<A> && ...);
    static_assert(
        scalars,
        "ricci: stack joins numbers with results of rank 0 alone; beside other arrays write full_like(x, 0.5)");
    if constexpr (scalars) return stack(detail::with_arrays_for_numbers(arrays), axis);
    else return detail::refused_result();
}
void stack(detail::mixed_braces arrays, int axis = 0);
template <std::integral Axis, expression A, class... Rest>
auto stack(Axis, const A& a, const Rest&...) {
    static_assert(always_false<A>, "ricci: the arrays come first, in braces, then the axis: stack({a, b}, 0)");
    return a;
}
template <expression A, expression B, class... Rest>
auto stack(const A& a, const B&, const Rest&...) {
    static_assert(always_false<A>, "ricci: the arrays to join stand in braces: stack({a, b}, axis)");
    return a;
}

}  // namespace ricci
