// A map without its leaves: the static function that kernels evaluate. Forward on any scalar, and backward by a
// register sweep over traces built in place.
#pragma once
#include "map.hpp"
#include "op.hpp"

namespace ricci {

namespace ops {
struct where;
struct add;
struct subtract;
struct negative;
struct multiply;
struct divide;
}  // namespace ops

namespace detail {

/// The I-th argument of a function, of element type T.
template <int I, class T>
struct slot {
    using value_type = T;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        return load.template get<I>();
    }
};

/// A number as a tree holds it. Of a complex one its parts: g++ tells each user of a structure with a complex member
/// how old versions passed it.
template <class T>
struct held_number {
    T value;
    RICCI_HD RICCI_INLINE constexpr T get() const { return value; }
};
template <class T>
struct held_number<std::complex<T>> {
    T real, imag;
    RICCI_HD RICCI_INLINE constexpr held_number(const std::complex<T>& z) : real(z.real()), imag(z.imag()) {}
    RICCI_HD RICCI_INLINE constexpr std::complex<T> get() const { return {real, imag}; }
};

template <class T>
struct constant_node {
    using value_type = T;
    held_number<T> number;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load&) const {
        return typename Load::domain::template lane<T>(number.get());
    }
};

/// Converts between lanes of two element types within a domain, through duals and series.
template <class Domain, class To, class From, class S>
RICCI_HD RICCI_INLINE constexpr auto convert_lane(const S& x) {
    if constexpr (is_dual_v<S>) {
        auto value = convert_lane<Domain, To, From>(x.value);
        return dual<decltype(value)>(value, convert_lane<Domain, To, From>(x.tangent));
    } else if constexpr (is_taylor_v<S>) {
        return each_coefficient(x, [](const auto& c) { return convert_lane<Domain, To, From>(c); });
    } else {
        return Domain::template convert<To, From>(x);
    }
}

template <class To, class Child>
struct cast_node : held<Child> {
    using value_type = To;
    using from = typename Child::value_type;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        const auto x = this->get()(load);
        if constexpr (!is_inexact_v<To>) return convert_lane<typename Load::domain, To, from>(innermost(x));
        else return convert_lane<typename Load::domain, To, from>(x);
    }
};

/// Whether argument K of an op is a divisor: a leaf or a number there may be known for a whole row before its elements
/// are. T is what the op computes in.
template <class Op, int K, class T>
constexpr bool is_divisor() {
    if constexpr (requires { Op::divisor; }) return Op::divisor == K;
    else if constexpr (requires { Op::integer_divisor; }) return Op::integer_divisor == K && std::is_integral_v<T>;
    else return false;
}

/// Whether the type of a function (or op) says all of it: no constants, no captures. What holds such a one makes it
/// anew.
template <class Node>
inline constexpr bool stateless_v = std::is_empty_v<Node> && std::is_default_constructible_v<Node>;

/// The op of a node and its child functions. Of a node that its type says all of, nothing is kept, so that no tree is
/// an empty class of many bytes.
template <bool Stateless, class Op, class... Child>
struct node_parts {
    Op held_op;
    pack<Child...> children;
    RICCI_HD RICCI_INLINE constexpr const Op& op() const { return held_op; }
    template <int I, class C>
    RICCI_HD RICCI_INLINE constexpr const C& child() const {
        return detail::get<I>(children);
    }
};
template <class Op, class... Child>
struct node_parts<true, Op, Child...> {
    RICCI_HD RICCI_INLINE constexpr Op op() const { return {}; }
    template <int I, class C>
    RICCI_HD RICCI_INLINE constexpr C child() const {
        return {};
    }
};

/// What an op makes of `From`s: complex numbers of real ones are the standard library's wherever the parts are plain
/// numbers, and become the domain's.
template <class Domain, class To, class... From, class S>
RICCI_HD RICCI_INLINE constexpr auto lane_of_parts(const S& x) {
    using T = typename To::value_type;
    if constexpr (is_complex_v<T> && !(is_complex_v<typename From::value_type> || ...))
        return convert_lane<Domain, T, T>(x);
    else return x;
}

template <class Indices, class Op, class T, class... Child>
struct op_function;
template <int... I, class Op, class T, class... Child>
struct op_function<std::integer_sequence<int, I...>, Op, T, Child...>
    : node_parts<(stateless_v<Op> && ... && stateless_v<Child>), Op, Child...> {
    using value_type = T;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        using domain = typename Load::domain;
        if constexpr ((is_divisor<Op, I, T>() || ...))
            return lane_of_parts<domain, op_function, Child...>(
                evaluate_op(this->op(), argument<I>(this->template child<I, Child>(), load)...));
        else
            return lane_of_parts<domain, op_function, Child...>(
                evaluate_op(this->op(), this->template child<I, Child>()(load)...));
    }

   private:
    template <int K, class Node, class Load>
    RICCI_HD RICCI_INLINE static constexpr auto argument(const Node& child, const Load& load) {
        if constexpr (!is_divisor<Op, K, T>()) return child(load);
        else if constexpr (requires { load.divisor(child); }) return load.divisor(child);
        else return child(load);
    }
};
/// `Op` over child functions whose values are already of the types that it computes in.
template <class Op, class T, class... Child>
struct op_node : op_function<std::make_integer_sequence<int, sizeof...(Child)>, Op, T, Child...> {};

/// The slots of a tree that something is divided by, as bits; those from 64 on are not told.
template <class Node>
inline constexpr std::uint64_t divisor_slots_v = 0;
template <class To, class Child>
inline constexpr std::uint64_t divisor_slots_v<cast_node<To, Child>> = divisor_slots_v<Child>;
template <bool Divides, class Node>
inline constexpr std::uint64_t divisor_bit_v = divisor_slots_v<Node>;
template <int I, class T>
inline constexpr std::uint64_t divisor_bit_v<true, slot<I, T>> = I < 64 ? std::uint64_t(1) << (I & 63) : 0;
template <class Op, class T, class... Child>
inline constexpr std::uint64_t divisor_slots_v<op_node<Op, T, Child...>> =
    []<int... K>(std::integer_sequence<int, K...>) {
        return (std::uint64_t(0) | ... | divisor_bit_v<is_divisor<Op, K, T>(), Child>);
    }(std::make_integer_sequence<int, sizeof...(Child)>{});

// ---- what a derivative reaches --------------------------------------------------------------------------------------

/// Whether a function varies smoothly with any of the slots for which `Slots` says `active<I>`: what is only compared,
/// counted or made an integer does not.
template <class Node, class Slots>
inline constexpr bool varies_with_v = false;
template <int I, class T, class Slots>
inline constexpr bool varies_with_v<slot<I, T>, Slots> = Slots::template active<I> && is_inexact_v<T>;
template <class To, class Child, class Slots>
inline constexpr bool varies_with_v<cast_node<To, Child>, Slots> = varies_with_v<Child, Slots> && is_inexact_v<To>;
template <class Op, class T, class... Child, class Slots>
inline constexpr bool varies_with_v<op_node<Op, T, Child...>, Slots> =
    Op::differentiable && (varies_with_v<Child, Slots> || ...);

/// Whether a tree has ops whose derivative leaves arguments out (where, maximum, relu, floor), so that one of 0 means
/// that a tangent counts for nothing, an infinite one too, as PyTorch's forward mode has it.
template <class Node>
inline constexpr bool selects_v = false;
template <class To, class Child>
inline constexpr bool selects_v<cast_node<To, Child>> = selects_v<Child>;
template <class Op, class T, class... Child>
inline constexpr bool selects_v<op_node<Op, T, Child...>> = requires { Op::selects; } || (selects_v<Child> || ...);

/// Whether a tree is a linear combination of its slots, with numbers: its derivative knows none of their values.
template <class Node>
inline constexpr bool is_combination_v = false;
template <class Node>
inline constexpr bool is_constant_tree_v = false;
template <class T>
inline constexpr bool is_constant_tree_v<constant_node<T>> = true;
template <class To, class Child>
inline constexpr bool is_constant_tree_v<cast_node<To, Child>> = is_constant_tree_v<Child>;
template <int I, class T>
inline constexpr bool is_combination_v<slot<I, T>> = is_inexact_v<T>;
template <class T>
inline constexpr bool is_combination_v<constant_node<T>> = true;
template <class To, class Child>
inline constexpr bool is_combination_v<cast_node<To, Child>> = is_combination_v<Child> && is_inexact_v<To>;
template <class T, class A, class B>
inline constexpr bool is_combination_v<op_node<ops::add, T, A, B>> = is_combination_v<A> && is_combination_v<B>;
template <class T, class A, class B>
inline constexpr bool is_combination_v<op_node<ops::subtract, T, A, B>> = is_combination_v<A> && is_combination_v<B>;
template <class T, class A>
inline constexpr bool is_combination_v<op_node<ops::negative, T, A>> = is_combination_v<A>;
template <class T, class A, class B>
inline constexpr bool is_combination_v<op_node<ops::multiply, T, A, B>> =
    (is_constant_tree_v<A> && is_combination_v<B>) || (is_combination_v<A> && is_constant_tree_v<B>);
template <class T, class A, class B>
inline constexpr bool is_combination_v<op_node<ops::divide, T, A, B>> = is_combination_v<A> && is_constant_tree_v<B>;

template <int K>
struct one_slot {
    template <int I>
    static constexpr bool active = I == K;
};

// ---- traces: the values of a forward sweep, kept in registers for the backward one ----------------------------------

template <class Node>
struct children_of {
    using indices = void;
};
template <class Op, class T, class... Child>
struct children_of<op_node<Op, T, Child...>> {
    using indices = std::make_integer_sequence<int, sizeof...(Child)>;
};
/// `Node` evaluated with its intermediates; `reverse(y_bar, sink)` adds the adjoints of its slots to the sink.
template <class Node, class Load, class Indices = typename children_of<Node>::indices>
struct trace;

template <int I, class T, class Load>
struct trace<slot<I, T>, Load, void> {
    static constexpr bool active = varies_with_v<slot<I, T>, Load>;
    decltype(std::declval<const Load&>().template get<I>()) y;
    RICCI_HD RICCI_INLINE constexpr trace(const slot<I, T>&, const Load& load) : y(load.template get<I>()) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const slot<I, T>&, const S& y_bar, Sink& sink) const {
        sink.template add<I>(y_bar);
    }
};

template <class T, class Load>
struct trace<constant_node<T>, Load, void> {
    static constexpr bool active = false;
    typename Load::domain::template lane<T> y;
    RICCI_HD RICCI_INLINE constexpr trace(const constant_node<T>& n, const Load& load) : y(n(load)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
};

template <class To, class Child, class Load>
struct trace<cast_node<To, Child>, Load, void> {
    using node = cast_node<To, Child>;
    using child_trace = trace<Child, Load>;
    static constexpr bool active = varies_with_v<node, Load>;
    child_trace child;
    decltype(std::declval<const node&>()(std::declval<const Load&>())) y;
    RICCI_HD RICCI_INLINE constexpr trace(const node& n, const Load& load)
        : child(n.get(), load), y(converted(child.value())) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        child.reverse(n.get(), convert_lane<typename Load::domain, typename node::from, To>(y_bar), sink);
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto converted(const S& x) {
        if constexpr (!is_inexact_v<To>)
            return convert_lane<typename Load::domain, To, typename node::from>(innermost(x));
        else return convert_lane<typename Load::domain, To, typename node::from>(x);
    }
};

/// Adds only where `mask` holds: what a branch that `where` did not select computes, infinities included, never reaches
/// a leaf.
template <class Sink, class Mask>
struct masked_sink {
    Sink& sink;
    const Mask& mask;
    template <int I, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x_bar) {
        sink.template add<I>(select_lane(mask, x_bar, S(0)));
    }
};

template <int I, class Node, class Load>
struct trace_member {
    trace<Node, Load> value;
};
template <class Op, class T, class... Child, class Load, int... I>
struct trace<op_node<Op, T, Child...>, Load, std::integer_sequence<int, I...>> : trace_member<I, Child, Load>... {
    using node = op_node<Op, T, Child...>;
    static constexpr bool active = varies_with_v<node, Load>;

    traced_value<Op, std::remove_cvref_t<decltype(std::declval<const trace<Child, Load>&>().value())>...> result;

    RICCI_HD RICCI_INLINE constexpr trace(const node& n, const Load& load)
        : trace_member<I, Child, Load>{{n.template child<I, Child>(), load}}...,
          result(n.op(), trace_member<I, Child, Load>::value.value()...) {}
    trace(const trace&) = delete;  // built in place, never moved
    RICCI_HD RICCI_INLINE constexpr decltype(auto) value() const {
        if constexpr (is_complex_v<T>) return lane_of_parts<typename Load::domain, node, Child...>(result.value());
        else return result.value();
    }

    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        const auto bars = result.pullback(n.op(), y_bar, trace_member<I, Child, Load>::value.value()...);
        (reverse_child<I>(n.template child<I, Child>(), trace_member<I, Child, Load>::value, detail::get<I>(bars),
                          sink),
         ...);
    }

   private:
    template <int K, class Node, class Trace, class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse_child(const Node& n, const Trace& child, const S& bar,
                                                       Sink& sink) const {
        if constexpr (!Trace::active) {
            return;
        } else if constexpr (std::is_same_v<Op, ops::where> && K > 0) {
            const auto& condition = first_of(trace_member<I, Child, Load>::value...);
            const auto chosen = Op::chosen(condition.value(), std::integral_constant<int, K>{});
            masked_sink<Sink, decltype(chosen)> masked{sink, chosen};
            child.reverse(n, bar, masked);
        } else {
            child.reverse(n, lane_of_parts<typename Load::domain, Node, node>(bar), sink);
        }
    }
    template <class A, class... B>
    RICCI_HD RICCI_INLINE static constexpr const A& first_of(const A& a, const B&...) {
        return a;
    }
};

// ---- cost -----------------------------------------------------------------------------------------------------------

/// Instructions of a tree.
template <class Node>
inline constexpr int tree_cost_v = 0;
template <class To, class Child>
inline constexpr int tree_cost_v<cast_node<To, Child>> = 1 + tree_cost_v<Child>;
template <class Op, class T, class... Child>
inline constexpr int tree_cost_v<op_node<Op, T, Child...>> = op_cost<Op>() + (0 + ... + tree_cost_v<Child>);

/// Instructions of the dearest op of a tree.
template <class Node>
inline constexpr int dearest_op_v = 0;
template <class To, class Child>
inline constexpr int dearest_op_v<cast_node<To, Child>> = dearest_op_v<Child>;
template <class Op, class T, class... Child>
inline constexpr int dearest_op_v<op_node<Op, T, Child...>> = [] {
    int cost = op_cost<Op>();
    ((cost = dearest_op_v<Child> > cost ? dearest_op_v<Child> : cost), ...);
    return cost;
}();

// ---- from a map to its function -------------------------------------------------------------------------------------

/// How many slots the function of an expression has.
template <class E>
inline constexpr int slot_count_v = 1;
template <class T>
inline constexpr int slot_count_v<constant<T>> = 0;
template <class Op, class... Args>
inline constexpr int slot_count_v<map_node<Op, Args...>> = (0 + ... + slot_count_v<Args>);

template <class To, class Node>
RICCI_INLINE constexpr auto convert_node(const Node& n) {
    if constexpr (std::is_same_v<To, typename Node::value_type>) return n;
    else return cast_node<To, Node>{{n}};
}
template <class To, class Node>
using converted_node = std::conditional_t<std::is_same_v<To, typename Node::value_type>, Node, cast_node<To, Node>>;

template <int I, class... Args>
constexpr int slots_before() {
    constexpr int counts[] = {slot_count_v<Args>..., 0};
    int n = 0;
    for (int i = 0; i < I; ++i) n += counts[i];
    return n;
}

/// The function of an expression, its slots numbered from First in the order of its leaves: its type, and how to make
/// it. And where the arrays at these leaves are.
template <int First, class E>
struct tree_of {
    using type = slot<First, typename E::value_type>;
    static RICCI_INLINE type make(const E&) { return {}; }
    static RICCI_INLINE void find_leaves(const E& e, const void** leaves) { leaves[First] = &e; }
};
template <int First, class T>
struct tree_of<First, constant<T>> {
    using type = constant_node<T>;
    static RICCI_INLINE type make(const constant<T>& c) { return {{c.value}}; }
    static RICCI_INLINE void find_leaves(const constant<T>&, const void**) {}
};
template <int First, class E, class Indices>
struct op_tree;
template <int First, class Op, class... Args, int... I>
struct op_tree<First, map_node<Op, Args...>, std::integer_sequence<int, I...>> {
    using node = map_node<Op, Args...>;
    template <int K, class A>
    using child = tree_of<First + slots_before<K, Args...>(), A>;
    template <int K, class A>
    using child_type =
        converted_node<typename Op::template argument<K, typename Args::value_type...>, typename child<K, A>::type>;
    using type = op_node<Op, typename node::value_type, child_type<I, Args>...>;
    static RICCI_INLINE type make(const node& e) {
        if constexpr (stateless_v<type>) return {};
        else return {{e.op(), {{{child_type<I, Args>{child<I, Args>::make(get<I>(e.arguments()))}}...}}}};
    }
    static RICCI_INLINE void find_leaves(const node& e, const void** leaves) {
        (child<I, Args>::find_leaves(get<I>(e.arguments()), leaves), ...);
    }
};
template <int First, class Op, class... Args>
struct tree_of<First, map_node<Op, Args...>>
    : op_tree<First, map_node<Op, Args...>, std::make_integer_sequence<int, sizeof...(Args)>> {};

/// The function of an expression.
template <class E>
RICCI_INLINE auto make_tree(const E& e) {
    return tree_of<0, E>::make(e);
}

RICCI_INLINE constexpr auto concat_all() { return pack<>{}; }
template <class P, class... Rest>
RICCI_INLINE constexpr auto concat_all(const P& p, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) return p;
    else if constexpr (sizeof...(Rest) == 1) return concat(p, rest...);
    else return concat(p, concat_all(rest...));
}

template <class... P>
struct joined_packs {
    using type = pack<>;
};
template <class... A>
struct joined_packs<pack<A...>> {
    using type = pack<A...>;
};
template <class... A, class... B, class... P>
struct joined_packs<pack<A...>, pack<B...>, P...> : joined_packs<pack<A..., B...>, P...> {};

/// Pointers to the arrays at the leaves of an expression, in slot order.
template <class E>
struct leaf_pointers {
    using type = pack<const E*>;
};
template <class T>
struct leaf_pointers<constant<T>> {
    using type = pack<>;
};
template <class Op, class... Args>
struct leaf_pointers<map_node<Op, Args...>> : joined_packs<typename leaf_pointers<Args>::type...> {};
template <class E>
using leaf_pointers_t = typename leaf_pointers<E>::type;

template <int... I, class... A>
RICCI_INLINE pack<A...> typed_pointers(const void* const* p, const pack_base<std::integer_sequence<int, I...>, A...>*) {
    return {{{static_cast<A>(p[I])}...}};
}
/// They are found untyped: packs of the leaves of each node would be functions for each node and for each two of its
/// arguments.
template <class E>
RICCI_INLINE leaf_pointers_t<E> leaves_of(const E& e) {
    const void* leaves[slot_count_v<E> + 1];
    tree_of<0, E>::find_leaves(e, leaves);
    return typed_pointers(leaves, static_cast<const leaf_pointers_t<E>*>(nullptr));
}

}  // namespace detail
}  // namespace ricci
