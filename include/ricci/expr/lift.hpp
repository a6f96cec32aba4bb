// Bringing a transform's arguments to a common set of wrappers, the captured ones included, before it adds its own.
#pragma once
#include <tuple>

#include "fused.hpp"
#include "list_of_arrays.hpp"

namespace ricci {

/// Arguments or results of a transformed function, several at a time: rc::tuple(x, y).
template <class... T>
std::tuple<std::decay_t<T>...> tuple(T&&... values) {
    return {std::forward<T>(values)...};
}

namespace detail {

// A chain is the list of wrappers around arrays, the outermost first.

template <class Chain, class A>
struct wrap_chain;
template <class A>
struct wrap_chain<type_list<>, A> {
    using type = A;
};
template <class W, class... Rest, class A>
struct wrap_chain<type_list<W, Rest...>, A> {
    using type = typename W::template wrapped<typename wrap_chain<type_list<Rest...>, A>::type>;
};
/// A number in the place of an array has no wrapper.
template <scalar_value A>
struct array_in<A> {
    using type = tensor<A, 0>;
};
/// An array type that bears a chain, to ask ordering questions about.
template <class Chain>
using phantom = typename wrap_chain<Chain, tensor<float, 8>>::type;

template <class W, class A>
struct peeled {
    using type = A;
};
template <class W, class A>
    requires(std::is_same_v<typename A::wrapper, W>)
struct peeled<W, A> {
    using type = typename A::inner_type;
};

template <class... A>
struct chain_of {
    using W = outermost_t<A...>;
    static constexpr auto make() {
        if constexpr (std::is_void_v<W>) return type_list<>{};
        else
            return []<class... Rest>(type_list<Rest...>) {
                return type_list<W, Rest...>{};
            }(typename chain_of<typename peeled<W, A>::type...>::type{});
    }
    using type = decltype(make());
};
template <>
struct chain_of<> {
    using type = type_list<>;
};
/// All wrappers of some arrays, each once, in the order in which they would be peeled.
template <class... A>
using chain_of_t = typename chain_of<array_in_t<A>...>::type;

constexpr type_list<> join_all() { return {}; }
template <class... A>
constexpr type_list<A...> join_all(type_list<A...>) {
    return {};
}
template <class... A, class... B, class... Rest>
constexpr auto join_all(type_list<A...>, type_list<B...>, Rest... rest) {
    return join_all(type_list<A..., B...>{}, rest...);
}
template <class W, class... V>
constexpr auto without(type_list<V...>) {
    return join_all(std::conditional_t<std::is_same_v<V, W>, type_list<>, type_list<V>>{}...);
}

/// The wrappers in the results of a function, W aside.
template <class W, class R>
struct result_chain {
    static constexpr auto make() {
        if constexpr (expression<R>) return without<W>(chain_of_t<decltype(evaluate(std::declval<const R&>()))>{});
        else return type_list<>{};
    }
    using type = decltype(make());
};
template <class W, class... R>
struct result_chain<W, std::tuple<R...>> {
    using type = chain_of_t<phantom<typename result_chain<W, R>::type>...>;
};

/// `a` with every wrapper of the chain, as a constant of those that it lacks. A number is one under any.
template <class... W, class A>
auto lift(type_list<W...>, const A& a) {
    if constexpr (scalar_value<A>) return a;
    else if constexpr (sizeof...(W) == 0) return without_const(a);
    else return lift_one(type_list<W...>{}, a);
}
template <class W, class... Rest, class A>
auto lift_one(type_list<W, Rest...>, const A& a) {
    if constexpr (std::is_same_v<typename A::wrapper, W>)
        return a.with_inner([](const auto& x) { return lift(type_list<Rest...>{}, x); });
    else return W::constant(lift(type_list<Rest...>{}, a));
}

template <class... W, class A>
auto lift(type_list<W...> chain, const list_of_arrays<A>& list) {
    return each_array([&](const auto& a) { return lift(chain, a); }, list);
}

/// The same of a value that is handed over.
template <class Chain, class A>
auto lifted(Chain chain, A a) {
    if constexpr (std::is_same_v<decltype(lift(chain, a)), A>) return a;
    else return lift(chain, a);
}

/// The same of an argument that a transform does not act on: one that no transform is around stays as it is, for
/// kernels to see that its tangent is none.
template <class Chain, class A>
auto lift_constant(Chain chain, const A& a) {
    if constexpr (chain_of_t<A>::size == 0) return lift(type_list<>{}, a);
    else return lift(chain, a);
}

/// What a transform makes of a caller's argument that it acts on: numbers become arrays of rank 0, maps are evaluated.
template <class A>
auto as_array(const A& a) {
    if constexpr (expression<A>) return evaluate(a);
    else if constexpr (std::is_integral_v<A>) return tensor<double, 0>(static_cast<double>(a));
    else return tensor<A, 0>(a);
}
/// The same of one that it does not act on: a number stays what it is, for the function to count, index and decide by.
template <class A>
auto as_constant(const A& a) {
    if constexpr (scalar_value<A>) return a;
    else return as_array(a);
}
/// These as objects, `Acts` saying which.
template <bool Acts>
struct as_argument_of {
    template <class A>
    auto operator()(const A& a) const {
        if constexpr (Acts) return as_array(a);
        else return as_constant(a);
    }
};

/// A function that names the types of its parameters: its operator() is no template, and none of several; or a plain
/// function.
template <class F>
concept names_its_types = requires { &F::operator(); } || std::is_function_v<std::remove_pointer_t<F>>;
/// True, or a compile error that is the only one: what a transform calls it with is of no type that it could name.
template <class F>
constexpr bool takes_any_types() {
    static_assert(!names_its_types<F>,
                  "ricci: a transform calls its function with what it records, so the parameters are auto: "
                  "grad([](auto x) { return sum(x * x); })(v)");
    return true;
}

/// The wrappers that a transform W of f must lift its arguments to: those of the arguments, and those of values that f
/// captured from outer transforms, which its result shows. `Enter` gives the type of an argument inside.
template <class W, class F, class Enter, class... A>
struct entry_chain {
    using arguments = chain_of_t<A...>;
    template <class Chain, class L>
    struct call;
    template <class Chain, class... L>
    struct call<Chain, type_list<L...>> {
        static_assert(takes_any_types<typename user_function<F>::type>());
        static_assert(
            requires(const F& f, const L&... a) { f(a...); },
            "ricci: the function of a transform takes as many arguments as are given, each as auto, and is not "
            "mutable (or else an error in it stands above)");
        using type = std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<const L&>()...))>;
        static_assert(!std::is_void_v<type>,
                      "ricci: the function of a transform returns its result, here it returns nothing");
    };
    template <class Chain>
    using result = typename call<Chain, typename Enter::template types<Chain>>::type;
    template <class Chain>
    using extended = chain_of_t<phantom<Chain>, phantom<typename result_chain<W, result<Chain>>::type>>;
    using type = extended<arguments>;
};

/// Some of a transform's arrays: a bit for each.
using array_set = std::uint64_t;
constexpr array_set only_array(int i) { return array_set(1) << i; }
template <int N>
consteval array_set all_arrays() {
    static_assert(
        N <= 64,
        "ricci: a transform takes 64 arrays at most, in all of its arguments: put equal ones into a std::vector");
    return N >= 64 ? ~array_set(0) : only_array(N) - 1;
}

/// Arguments at the inside of a transform W: those whose bit is set in Wrapped bear W around the chain.
template <class W, array_set Wrapped, class... A>
struct entered {
    template <class Chain>
    struct at {
        template <int I>
        static auto one() {
            using given = pack_element_t<I, pack<A...>>;
            if constexpr ((Wrapped >> I) & 1)
                return std::type_identity<wrapped_in_t<W, decltype(lift(Chain{}, std::declval<const given&>()))>>{};
            else return std::type_identity<decltype(lift_constant(Chain{}, std::declval<const given&>()))>{};
        }
        template <int... I>
        static auto list(std::integer_sequence<int, I...>) {
            return type_list<typename decltype(one<I>())::type...>{};
        }
        using type = decltype(list(std::make_integer_sequence<int, sizeof...(A)>{}));
    };
    template <class Chain>
    using types = typename at<Chain>::type;
};

/// An array of type A with all elements equal, at whatever level its wrappers turn out to be.
template <class A>
auto constant_array(const shape<A::rank>& extents, typename A::value_type value) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        using D = typename A::device_type;
        auto x = tensor<typename A::value_type, A::rank, D>::uninitialized(extents);
        executor<D>::fill(x, value);
        return x;
    } else {
        return A::wrapper::template constant_of<A>(extents, value);
    }
}
/// An array for an op to read, of elements that are one number in memory that nobody owns, on a device that can.
template <class A, int Number>
auto fixed_array(const shape<A::rank>& extents) {
    using T = typename A::value_type;
    if constexpr (std::is_same_v<A, tensor<T, A::rank, cpu_device>>) {
        static constexpr T number = T(Number);
        return A(storage(), const_cast<T*>(&number), extents, {});
    } else {
        return constant_array<A>(extents, T(Number));
    }
}
/// Zeros in the place of an array of which nobody asks.
template <class A>
auto unasked_array(const shape<A::rank>& extents) {
    if constexpr (requires { A::wrapper::template unasked<A>(extents); })
        return A::wrapper::template unasked<A>(extents);
    else if constexpr (std::is_void_v<typename A::wrapper>) return fixed_array<A, 0>(extents);
    else return constant_array<A>(extents, 0);
}

}  // namespace detail

}  // namespace ricci
