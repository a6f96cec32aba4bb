// Parts of a map that have few elements beside the whole, exp(v(all, newaxis)) in exp(v(all, newaxis)) * cos(w), or
// that keep it from registers: computed first, each at its own shape, where that saves more than it takes.
#pragma once
#include "tree.hpp"

namespace ricci::detail {

/// Whether no leaf of a map is under a transform.
template <class E>
constexpr bool all_plain() {
    if constexpr (deferred<E>) {
        return std::is_void_v<typename std::remove_cvref_t<decltype(std::declval<const E&>().fetch())>::wrapper>;
    } else {
        return []<class... A>(std::type_identity<pack<const A*...>>) {
            return (std::is_void_v<typename A::wrapper> && ...);
        }(std::type_identity<leaf_pointers_t<E>>{});
    }
}

/// Instructions of an op from which on its value may be worth a place in memory. What is cheaper can be contracted with
/// the op that takes it, a * b + c: its value is rounded where it is stored, and would differ.
inline constexpr int least_part_cost = 4;

/// What makes a map a part of a larger one: that it may have fewer elements, that its type says so by fewer axes, or
/// that it is a mask or of integers in a map of other numbers.
enum class part_kind { any, lower, integers };
template <class E, class Whole, part_kind Kind>
inline constexpr bool is_part_v = false;
template <class Op, class... Args, class Whole, part_kind Kind>
inline constexpr bool is_part_v<map_node<Op, Args...>, Whole, Kind> =
    op_cost<Op>() >= least_part_cost && slot_count_v<map_node<Op, Args...>> < slot_count_v<Whole> &&
    (map_node<Op, Args...>::rank < Whole::rank || Kind == part_kind::any) &&
    !is_half_v<typename map_node<Op, Args...>::value_type>;  // computed wider
template <class Op, class... Args, class Whole>
inline constexpr bool is_part_v<map_node<Op, Args...>, Whole, part_kind::integers> =
    std::is_integral_v<typename map_node<Op, Args...>::value_type> &&
    (std::is_same_v<typename map_node<Op, Args...>::value_type, bool> ||
     !std::is_same_v<typename map_node<Op, Args...>::value_type, typename Whole::value_type>) &&
    !std::is_same_v<map_node<Op, Args...>, Whole> && slot_count_v<map_node<Op, Args...>> > 0;

/// How many parts an argument of a map has.
template <class E, class Whole, part_kind Kind>
inline constexpr int part_count_v = 0;
template <class Op, class... Args, class Whole, part_kind Kind>
inline constexpr int part_count_v<map_node<Op, Args...>, Whole, Kind> =
    is_part_v<map_node<Op, Args...>, Whole, Kind> ? 1 : (0 + ... + part_count_v<Args, Whole, Kind>);

/// Whether leaves of a map are spread along axes that they lack.
template <class E, int Rank>
inline constexpr bool spreads_v = E::rank > 0 && E::rank < Rank;
template <class Op, class... Args, int Rank>
inline constexpr bool spreads_v<map_node<Op, Args...>, Rank> = (spreads_v<Args, Rank> || ...);

/// Whether it is compiled, and then asked, if parts of a map have few elements. Where types do not tell that leaves
/// differ in shape, they are mostly the same array if they are many, as x is in sin(x) * exp(-x * x) / (1 + x * x).
template <class E, part_kind Kind>
constexpr bool may_have_parts() {
    constexpr int most_alike = 3;
    if constexpr (part_count_v<E, E, Kind> == 0) return false;
    else if constexpr (Kind == part_kind::any &&
                       (E::rank < 2 || (!spreads_v<E, E::rank> && slot_count_v<E> > most_alike)))
        return false;
    else return requires { executor<typename E::device_type>::part_overhead; } && all_plain<E>();
}

/// Few enough elements for memory of their own not to count beside the whole's.
RICCI_INLINE constexpr bool is_few(index_t n, index_t whole) { return n <= whole / 4; }

/// Whether a map is better computed before it is copied to the elements that it is broadcast to.
template <class Device, class E>
RICCI_INLINE bool pays_apart(const E& e, index_t elements) {
    if constexpr (E::is_array || !requires { executor<Device>::part_overhead; }) return false;
    else
        return is_few(e.size(), elements) &&
               (elements - e.size()) * tree_cost_v<typename tree_of<0, E>::type> >= executor<Device>::part_overhead;
}

/// Whether a map under a transform has its parts computed first, whatever its shape: of matrices and more those that
/// have fewer axes, exp(s) beside x in x / exp(s). The code that asks for shapes, and compiles both ways, would be too
/// much there.
template <class E>
constexpr bool takes_parts_apart() {
    if constexpr (E::rank < 2 || part_count_v<E, E, part_kind::lower> == 0) return false;
    else return requires { executor<typename E::device_type>::part_overhead; } && !all_plain<E>();
}

/// Whether a map has its masks and integers computed first, k == 3 and -k beside real numbers: the rest may run on
/// registers then.
template <class E>
constexpr bool takes_integers_apart() {
    if constexpr (E::rank == 0 || part_count_v<E, E, part_kind::integers> == 0) return false;
    else if constexpr (!requires { executor<typename E::device_type>::part_overhead; }) return false;
    else return executor<typename E::device_type>::template masks_apart<typename tree_of<0, E>::type, all_plain<E>()>();
}

/// What it saves to compute parts at their own shapes: instructions on elements.
template <class Whole, part_kind Kind>
struct part_saving {
    index_t elements;  // of the whole
    index_t instructions = 0;
    bool small = true;

    template <class E>
    RICCI_INLINE void add(const E& e) {
        if constexpr (is_part_v<E, Whole, Kind>) {
            const index_t n = e.size();
            small = small && is_few(n, elements);
            instructions += (elements - n) * tree_cost_v<typename tree_of<0, E>::type>;
        } else if constexpr (part_count_v<E, Whole, Kind> > 0) {
            unpack([&](const auto&... a) { (add(a), ...); }, e.arguments());
        }
    }
};
template <part_kind Kind, class E>
RICCI_INLINE bool parts_pay(const E& e) {
    part_saving<E, Kind> saving{e.size()};
    saving.add(e);
    constexpr index_t overhead = executor<typename E::device_type>::part_overhead * part_count_v<E, E, Kind>;
    return saving.small && saving.instructions >= overhead;
}

/// The value of a map of plain leaves (assign.hpp).
template <class E>
RICCI_NOINLINE tensor<typename E::value_type, E::rank, typename E::device_type> evaluate_plain(const E& e);
template <bool PutOff, class E>
RICCI_INLINE auto evaluate_now_or_later(const E& e);
/// The map with its parts computed.
template <class Whole, part_kind Kind, class E>
auto with_parts_computed(const E& e) {
    if constexpr (is_part_v<E, Whole, Kind> && all_plain<E>()) return evaluate_plain(e);
    else if constexpr (is_part_v<E, Whole, Kind>) return evaluate_now_or_later<false>(e);
    else if constexpr (part_count_v<E, Whole, Kind> == 0) return e;
    else
        return unpack([&](const auto&... a) { return make_map(e.op(), with_parts_computed<Whole, Kind>(a)...); },
                      e.arguments());
}

/// Whether parts of a map may be computed first.
template <class E>
constexpr bool may_come_apart() {
    return takes_integers_apart<E>() || takes_parts_apart<E>() || may_have_parts<E, part_kind::any>() ||
           may_have_parts<E, part_kind::lower>();
}
/// f(map) of a map of plain leaves, or of the same with those parts computed that are few elements.
template <class E, class F>
RICCI_INLINE decltype(auto) with_few_parts(const E& e, const F& f) {
    constexpr bool any = may_have_parts<E, part_kind::any>(), lower = may_have_parts<E, part_kind::lower>();
    if constexpr (any)
        if (parts_pay<part_kind::any>(e)) return f(with_parts_computed<E, part_kind::any>(e));
    if constexpr (lower && !(any && part_count_v<E, E, part_kind::lower> == part_count_v<E, E, part_kind::any>))
        if (parts_pay<part_kind::lower>(e)) return f(with_parts_computed<E, part_kind::lower>(e));
    return f(e);
}
/// f(map) of a map, or of the same with those parts computed that are better computed first.
template <class E, class F>
RICCI_INLINE decltype(auto) with_parts(const E& e, const F& f) {
    if constexpr (takes_integers_apart<E>()) return with_parts(with_parts_computed<E, part_kind::integers>(e), f);
    else if constexpr (takes_parts_apart<E>()) return f(with_parts_computed<E, part_kind::lower>(e));
    else return with_few_parts(e, f);
}

}  // namespace ricci::detail
