// A map without its leaves: the static function that kernels evaluate. Forward on any scalar, and backward by a register
// sweep over traces built in place.
#pragma once
#include "map.hpp"
#include "op.hpp"

namespace ricci {

namespace ops {
struct where;
}

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

template <class T>
struct constant_node {
    using value_type = T;
    T value;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load&) const {
        return typename Load::domain::template lane<T>(value);
    }
};

/// Converts between lanes of two element types within a domain, through duals.
template <class Domain, class To, class From, class S>
RICCI_HD RICCI_INLINE constexpr auto convert_lane(const S& x) {
    if constexpr (is_dual_v<S>) {
        auto value = convert_lane<Domain, To, From>(x.value);
        return dual<decltype(value)>(value, convert_lane<Domain, To, From>(x.tangent));
    } else {
        return Domain::template convert<To, From>(x);
    }
}

template <class To, class Child>
struct cast_node {
    using value_type = To;
    using from = typename Child::value_type;
    [[no_unique_address]] Child child;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        const auto x = child(load);
        if constexpr (!std::is_floating_point_v<To>) return convert_lane<typename Load::domain, To, from>(strip_duals(x));
        else return convert_lane<typename Load::domain, To, from>(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto strip_duals(const S& x) {
        if constexpr (is_dual_v<S>) return strip_duals(x.value);
        else return x;
    }
};

/// `Op` over child functions whose values are already of the types that it computes in.
template <class Op, class T, class... Child>
struct op_node {
    using value_type = T;
    [[no_unique_address]] Op op;
    [[no_unique_address]] pack<Child...> children;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        return unpack([&](const auto&... c) { return evaluate_op(op, c(load)...); }, children);
    }
};

// ---- traces: the values of a forward sweep, kept in registers for the backward one --------------------------------------

/// `Node` evaluated with its intermediates; `reverse(y_bar, sink)` adds the adjoints of its slots to the sink.
template <class Node, class Load>
struct trace;

template <int I, class T, class Load>
struct trace<slot<I, T>, Load> {
    static constexpr bool active = Load::template active<I> && std::is_floating_point_v<T>;
    decltype(std::declval<const Load&>().template get<I>()) y;
    RICCI_HD RICCI_INLINE constexpr trace(const slot<I, T>&, const Load& load) : y(load.template get<I>()) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const slot<I, T>&, const S& y_bar, Sink& sink) const {
        sink.template add<I>(y_bar);
    }
};

template <class T, class Load>
struct trace<constant_node<T>, Load> {
    static constexpr bool active = false;
    typename Load::domain::template lane<T> y;
    RICCI_HD RICCI_INLINE constexpr trace(const constant_node<T>& n, const Load& load) : y(n(load)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
};

template <class To, class Child, class Load>
struct trace<cast_node<To, Child>, Load> {
    using node = cast_node<To, Child>;
    using child_trace = trace<Child, Load>;
    static constexpr bool active = child_trace::active && std::is_floating_point_v<To>;
    child_trace child;
    decltype(std::declval<const node&>()(std::declval<const Load&>())) y;
    RICCI_HD RICCI_INLINE constexpr trace(const node& n, const Load& load) : child(n.child, load), y(converted(child.value())) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        child.reverse(n.child, convert_lane<typename Load::domain, typename node::from, To>(y_bar), sink);
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto converted(const S& x) {
        if constexpr (!std::is_floating_point_v<To>)
            return convert_lane<typename Load::domain, To, typename node::from>(node::strip_duals(x));
        else
            return convert_lane<typename Load::domain, To, typename node::from>(x);
    }
};

/// mask ? a : b (see ops/elementwise/where.hpp).
template <class M, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto select_lane(const M& mask, const A& a, const B& b);

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
    RICCI_HD RICCI_INLINE constexpr trace_member(const Node& n, const Load& load) : value(n, load) {}
};
template <class Indices, class Load, class... Child>
struct child_traces;
template <int... I, class Load, class... Child>
struct child_traces<std::integer_sequence<int, I...>, Load, Child...> : trace_member<I, Child, Load>... {
    RICCI_HD RICCI_INLINE constexpr child_traces(const pack<Child...>& c, const Load& load)
        : trace_member<I, Child, Load>(detail::get<I>(c), load)... {}
    template <int J, class Node>
    static RICCI_HD RICCI_INLINE constexpr const auto& at(const trace_member<J, Node, Load>& m) {
        return m.value;
    }
};

template <class Op, class T, class... Child, class Load>
struct trace<op_node<Op, T, Child...>, Load> {
    using node = op_node<Op, T, Child...>;
    using traces = child_traces<std::make_integer_sequence<int, sizeof...(Child)>, Load, Child...>;
    static constexpr bool active = Op::differentiable && (trace<Child, Load>::active || ...);

    traces children;
    traced_value<Op, std::remove_cvref_t<decltype(std::declval<const trace<Child, Load>&>().value())>...> result;

    RICCI_HD RICCI_INLINE constexpr trace(const node& n, const Load& load)
        : children(n.children, load), result(with_values([&](const auto&... x) { return decltype(result)(n.op, x...); })) {}
    trace(const trace&) = delete;  // built in place, never moved
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return result.value(); }

    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        const auto bars = with_values([&](const auto&... x) { return result.pullback(n.op, y_bar, x...); });
        for_indices<sizeof...(Child)>([&](auto i) {
            if constexpr (std::remove_cvref_t<decltype(traces::template at<i()>(children))>::active)
                reverse_child<i()>(n, get<i()>(bars), sink);
        });
    }

   private:
    template <class F>
    RICCI_HD RICCI_INLINE constexpr decltype(auto) with_values(F&& f) const {
        return transform_indices<sizeof...(Child)>(
            [&](auto i) -> const auto& { return traces::template at<i()>(children).value(); }, std::forward<F>(f));
    }
    template <int I, class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse_child(const node& n, const S& bar, Sink& sink) const {
        const auto& child = traces::template at<I>(children);
        if constexpr (std::is_same_v<Op, ops::where> && I > 0) {
            const auto chosen = Op::chosen(traces::template at<0>(children).value(), std::integral_constant<int, I>{});
            masked_sink<Sink, decltype(chosen)> masked{sink, chosen};
            child.reverse(get<I>(n.children), bar, masked);
        } else {
            child.reverse(get<I>(n.children), bar, sink);
        }
    }
};

// ---- cost ----------------------------------------------------------------------------------------------------------------

/// Instructions of an op, roughly: 1 unless the op says otherwise.
template <class Op>
constexpr int op_cost() {
    if constexpr (requires { Op::cost; }) return Op::cost;
    else return 1;
}
/// Instructions of a tree.
template <class Node>
inline constexpr int tree_cost_v = 0;
template <class To, class Child>
inline constexpr int tree_cost_v<cast_node<To, Child>> = 1 + tree_cost_v<Child>;
template <class Op, class T, class... Child>
inline constexpr int tree_cost_v<op_node<Op, T, Child...>> = op_cost<Op>() + (0 + ... + tree_cost_v<Child>);

// ---- from a map to its function ------------------------------------------------------------------------------------------

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
    else return cast_node<To, Node>{n};
}

/// The function of an expression, its slots numbered from First in the order of its leaves.
template <int First, class E>
RICCI_INLINE auto make_tree(const E& e) {
    if constexpr (is_constant_v<E>) {
        return constant_node<typename E::value_type>{e.value};
    } else if constexpr (E::is_array) {
        return slot<First, typename E::value_type>{};
    } else {
        return make_op_node<First>(e, e.arguments());
    }
}
template <int I, class... Args>
constexpr int slots_before() {
    constexpr int counts[] = {slot_count_v<Args>..., 0};
    int n = 0;
    for (int i = 0; i < I; ++i) n += counts[i];
    return n;
}
template <int First, class Op, class... Args>
RICCI_INLINE auto make_op_node(const map_node<Op, Args...>& e, const pack<Args...>& args) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        auto children = make_pack(convert_node<typename Op::template argument<I, typename Args::value_type...>>(
            make_tree<First + slots_before<I, Args...>()>(get<I>(args)))...);
        return unpack(
            [&](const auto&... c) {
                return op_node<Op, typename map_node<Op, Args...>::value_type, std::remove_cvref_t<decltype(c)>...>{e.op(),
                                                                                                                   children};
            },
            children);
    }(std::make_integer_sequence<int, sizeof...(Args)>{});
}

RICCI_INLINE constexpr auto concat_all() { return pack<>{}; }
template <class P, class... Rest>
RICCI_INLINE constexpr auto concat_all(const P& p, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) return p;
    else return concat(p, concat_all(rest...));
}

/// Pointers to the arrays at the leaves of an expression, in slot order.
template <class E>
RICCI_INLINE auto leaves_of(const E& e) {
    if constexpr (is_constant_v<E>) return pack<>{};
    else if constexpr (E::is_array) return make_pack(&e);
    else return unpack([](const auto&... a) { return concat_all(leaves_of(a)...); }, e.arguments());
}

}  // namespace detail
}  // namespace ricci
