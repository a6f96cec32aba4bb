// Arguments and results that are tuples, vectors and structs of arrays: taken apart into their arrays, and put together
// with others.
#pragma once
#include <array>
#include <tuple>

#include "lift.hpp"
#include "rebuilt_struct.hpp"

namespace ricci::detail {

/// How the arrays in an argument are found, `arrays(x)`, what is no array being made one by `as`, and how it is built
/// again around others: `at<Offset>(arrays)`. Those of a std::vector's elements are one list in the place of an array
/// (expr/list_of_arrays.hpp).
template <class S>
struct structure {
    static_assert(!has_members<S>,
                  "ricci: a struct of arrays is a template of its members' types, which differ inside of a transform: "
                  "template <class W, class B> struct layer { W weight; B bias; ... }");
    static_assert(has_members<S> || operand<S>,
                  "ricci: an argument or a result of a transform is an array, a number, a tuple, std::array, "
                  "std::vector or std::map of them, or a struct that lists its members: "
                  "friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }");
    static constexpr int count = 1, parts = 1;
    template <class As = as_argument_of<true>>
    static auto arrays(const S& x, const As& as = {}) {
        return make_pack(as(x));
    }
    template <class F>
    static auto map(const S& x, const F& f) {
        return f(x);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return get<Offset>(arrays);
    }
};

/// The members of a structure, of types M, which build S.
template <class... M>
struct member_list {
    static constexpr int count = (0 + ... + structure<M>::count);
    template <class Tuple, class As>
    static auto arrays(const Tuple& all, const As& as) {
        return std::apply(
            [&](const auto&... m) { return concat_all(structure<std::remove_cvref_t<decltype(m)>>::arrays(m, as)...); },
            all);
    }
    template <int Offset, class Pack, class Build>
    static auto build(const Pack& arrays, const Build& to) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return to(structure<M>::template at<Offset + before(I)>(arrays)...);
        }(std::make_integer_sequence<int, sizeof...(M)>{});
    }
    template <class Tuple, class F, class Build>
    static auto map(const Tuple& all, const F& f, const Build& to) {
        return std::apply(
            [&](const auto&... m) { return to(structure<std::remove_cvref_t<decltype(m)>>::map(m, f)...); }, all);
    }
    static constexpr int before(int i) {
        const int counts[] = {structure<M>::count..., 0};
        int n = 0;
        for (int k = 0; k < i; ++k) n += counts[k];
        return n;
    }
};

template <class... M>
struct structure<std::tuple<M...>> {
    using list = member_list<M...>;
    static constexpr int count = list::count, parts = sizeof...(M);
    static constexpr int before(int i) { return list::before(i); }
    template <class As = as_argument_of<true>>
    static auto arrays(const std::tuple<M...>& x, const As& as = {}) {
        return list::arrays(x, as);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return list::template build<Offset>(arrays, [](const auto&... m) { return std::make_tuple(m...); });
    }
    template <class F>
    static auto map(const std::tuple<M...>& x, const F& f) {
        return list::map(x, f, [](const auto&... m) { return std::make_tuple(m...); });
    }
};

template <class A, class B>
struct structure<std::pair<A, B>> : structure<std::tuple<A, B>> {
    using list = member_list<A, B>;
    static constexpr auto paired = [](const auto& a, const auto& b) { return std::make_pair(a, b); };
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return list::template build<Offset>(arrays, paired);
    }
    template <class F>
    static auto map(const std::pair<A, B>& x, const F& f) {
        return list::map(x, f, paired);
    }
};

template <class M, std::size_t N>
struct structure<std::array<M, N>> {
    static constexpr int count = int(N) * structure<M>::count, parts = int(N);
    static constexpr int before(int i) { return i * structure<M>::count; }
    template <class As = as_argument_of<true>>
    static auto arrays(const std::array<M, N>& x, const As& as = {}) {
        return std::apply([&](const auto&... m) { return concat_all(structure<M>::arrays(m, as)...); }, x);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::array{structure<M>::template at<Offset + I * structure<M>::count>(arrays)...};
        }(std::make_integer_sequence<int, int(N)>{});
    }
    template <class F>
    static auto map(const std::array<M, N>& x, const F& f) {
        return std::apply([&](const auto&... m) { return std::array{structure<M>::map(m, f)...}; }, x);
    }
};

/// As many elements as there are at run time: for each array in an element there is the list of those of all elements.
template <class M>
struct element_list {
    static constexpr int count = structure<M>::count, parts = 1;
    static constexpr int before(int i) { return i * count; }
    /// The lists of the arrays in of(e) for all e in x.
    template <class Range, class Of, class As>
    static auto arrays(const Range& x, const Of& of, const As& as, const std::shared_ptr<const list_keys>& keys = {}) {
        using of_one = decltype(structure<M>::arrays(std::declval<const M&>(), as));
        auto lists = generate<count>([&](auto k) {
            list_of_arrays<pack_element_t<k(), of_one>> list{.keys = keys};
            list.items.reserve(x.size());
            return list;
        });
        for (const auto& e : x) {
            auto one = structure<M>::arrays(of(e), as);
            for_indices<count>([&](auto k) { get<k()>(lists).items.push_back(std::move(get<k()>(one))); });
        }
        return lists;
    }
    /// add(the i-th element, built again, i) for all of them.
    template <int Offset, class Pack, class Add>
    static void build(const Pack& arrays, const Add& add) {
        const std::size_t size = get<Offset>(arrays).items.size();
        for (std::size_t i = 0; i < size; ++i) add(element<Offset>(arrays, i), i);
    }
    template <int Offset, class Pack>
    static auto element(const Pack& arrays, std::size_t i) {
        return structure<M>::template at<0>(
            generate<count>([&](auto k) { return get<Offset + k()>(arrays).items[i]; }));
    }
};

template <class M>
struct structure<std::vector<M>> : element_list<M> {
    using elements = element_list<M>;
    template <class As = as_argument_of<true>>
    static auto arrays(const std::vector<M>& x, const As& as = {}) {
        return elements::arrays(x, [](const M& m) -> const M& { return m; }, as);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        std::vector<decltype(elements::template element<Offset>(arrays, 0))> made;
        made.reserve(get<Offset>(arrays).items.size());
        elements::template build<Offset>(arrays, [&](auto&& m, std::size_t) { made.push_back(std::move(m)); });
        return made;
    }
    template <class F>
    static auto map(const std::vector<M>& x, const F& f) {
        std::vector<decltype(structure<M>::map(x[0], f))> made;
        made.reserve(x.size());
        for (const M& m : x) made.push_back(structure<M>::map(m, f));
        return made;
    }
};

/// std::map, and what is like it.
template <class S>
inline constexpr bool is_ordered_map_v = requires {
    typename S::mapped_type;
    typename S::key_compare;
};
/// Elements under keys, as a std::vector of them in the order of the keys.
template <template <class...> class Map, class K, class M, class Compare, class... Rest>
    requires(is_ordered_map_v<Map<K, M, Compare, Rest...>>)
struct structure<Map<K, M, Compare, Rest...>> : element_list<M> {
    using elements = element_list<M>;
    using whole = Map<K, M, Compare, Rest...>;
    template <class As = as_argument_of<true>>
    static auto arrays(const whole& x, const As& as = {}) {
        const auto keys = std::make_shared<keys_of<K>>();
        for (const auto& entry : x) keys->all.push_back(entry.first);
        return elements::arrays(x, [](const auto& entry) -> const M& { return entry.second; }, as, keys);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        Map<K, decltype(elements::template element<Offset>(arrays, 0)), Compare> made;
        const auto& keys = keys_in<K>(get<Offset>(arrays).keys.get());
        elements::template build<Offset>(
            arrays, [&](auto&& m, std::size_t i) { made.emplace_hint(made.end(), keys[i], std::move(m)); });
        return made;
    }
    template <class F>
    static auto map(const whole& x, const F& f) {
        Map<K, decltype(structure<M>::map(std::declval<const M&>(), f)), Compare> made;
        for (const auto& [key, m] : x) made.emplace_hint(made.end(), key, structure<M>::map(m, f));
        return made;
    }
};

template <scalar_value M>
struct structure<std::vector<M>> {
    static_assert(always_false<M>,
                  "ricci: transforms take numbers as one array: asarray(v) of a std::vector of numbers");
    static constexpr int count = 1, parts = 1;  // from here on that array, so that this is the only error
    template <class As = as_argument_of<true>>
    static auto arrays(const std::vector<M>&, const As& = {}) {
        return make_pack(tensor<M, 1>());
    }
    template <class F>
    static auto map(const std::vector<M>&, const F& f) {
        return f(tensor<M, 1>());
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return get<Offset>(arrays);
    }
};

template <template <class...> class S, class... P>
    requires(has_members<S<P...>>)
struct structure<S<P...>> {
    using own = members_of<decltype(members(std::declval<const S<P...>&>()))>;
    using list = typename own::type;
    using rebuilt = rebuilt_struct<S<P...>, list>;
    static constexpr int count = list::count, parts = own::count;
    static constexpr int before(int i) { return list::before(i); }
    template <class As = as_argument_of<true>>
    static auto arrays(const S<P...>& x, const As& as = {}) {
        return list::arrays(members_in_order(x), as);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return list::template build<Offset>(arrays, rebuilt{});
    }
    template <class F>
    static auto map(const S<P...>& x, const F& f) {
        return list::map(members_in_order(x), f, rebuilt{});
    }
};

/// The same structure with f(array) in place of each array.
template <class S, class F>
auto map_arrays(const S& x, const F& f) {
    return structure<S>::map(x, f);
}
/// What transforms take as an argument and give as a result.
template <class S>
inline constexpr bool is_structure_v = operand<S> || has_members<S>;
template <class... M>
inline constexpr bool is_structure_v<std::tuple<M...>> = (is_structure_v<M> && ...);
template <class A, class B>
inline constexpr bool is_structure_v<std::pair<A, B>> = is_structure_v<A> && is_structure_v<B>;
template <class M, std::size_t N>
inline constexpr bool is_structure_v<std::array<M, N>> = is_structure_v<M>;
template <class M>
inline constexpr bool is_structure_v<std::vector<M>> = is_structure_v<M> && !scalar_value<M>;
template <class S>
    requires(is_ordered_map_v<S>)
inline constexpr bool is_structure_v<S> = is_structure_v<typename S::mapped_type>;
template <class S>
concept structured = is_structure_v<S>;
/// Whether any array in S may become one of another type and leave the others theirs.
template <class S>
inline constexpr bool members_apart_v = operand<S>;
template <class... M>
inline constexpr bool members_apart_v<std::tuple<M...>> = (members_apart_v<M> && ...);
template <class M>
inline constexpr bool members_apart_v<std::vector<M>> = members_apart_v<M>;
template <class S>
    requires(is_ordered_map_v<S>)
inline constexpr bool members_apart_v<S> = members_apart_v<typename S::mapped_type>;
template <class A, class B>
inline constexpr bool members_apart_v<std::pair<A, B>> = members_apart_v<A> && members_apart_v<B>;
template <template <class...> class S, class... P>
    requires(has_members<S<P...>>)
inline constexpr bool members_apart_v<S<P...>> =
    std::is_same_v<member_list<P...>, typename structure<S<P...>>::list> && (members_apart_v<P> && ...);
/// Vectors and maps.
template <class S>
inline constexpr bool has_any_length_v = is_ordered_map_v<S>;
template <class M>
inline constexpr bool has_any_length_v<std::vector<M>> = true;

/// The types of the arrays in structures.
template <class... S>
using arrays_of_t = decltype(concat_all(structure<S>::arrays(std::declval<const S&>())...));

/// A function's result with everything in it evaluated, or with PutOff recorded, to be evaluated when somebody asks.
template <bool PutOff = false, class R>
auto evaluate_result(const R& r) {
    return map_arrays(r, [](const auto& part) {
        if constexpr (expression<decltype(part)>)
            return evaluate_now_or_later<PutOff>(static_cast<const std::remove_cvref_t<decltype(part)>&>(part));
        else return tensor<std::remove_cvref_t<decltype(part)>, 0>(part);
    });
}
/// A result without the wrapper W.
template <class W, class R>
auto peel_result(const R& r) {
    return map_arrays(r, [](const auto& part) { return peel<W>(part); });
}

/// The wrappers in results that are structures (see entry_chain).
template <class W, template <class...> class S, class... M>
    requires(has_members<S<M...>>)
struct result_chain<W, S<M...>> : result_chain<W, std::tuple<M...>> {};
template <class W, class A, class B>
struct result_chain<W, std::pair<A, B>> : result_chain<W, std::tuple<A, B>> {};
template <class W, class M, std::size_t N>
struct result_chain<W, std::array<M, N>> : result_chain<W, M> {};
template <class W, class M>
struct result_chain<W, std::vector<M>> : result_chain<W, M> {};
template <class W, class S>
    requires(is_ordered_map_v<S>)
struct result_chain<W, S> : result_chain<W, typename S::mapped_type> {};

/// All arguments as they are: nothing to take apart. A fixed tensor is a structure of one array.
template <class... A>
inline constexpr bool all_operands_v = ((operand<A> && !fixed_expression<A>) && ...);

/// f of structures as a function of their arrays.
template <class F, class... S>
struct flat_function {
    using made_of = F;
    F f;
    template <class... A>
    auto operator()(const A&... arrays) const {
        const auto all = make_pack(arrays...);
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return f(structure<S>::template at<member_list<S...>::before(I)>(all)...);
        }(std::make_integer_sequence<int, sizeof...(S)>{});
    }
};

/// The arrays in the arguments of a transform that acts on those numbered I: of the others, numbers are what they are.
template <int... I, class... S>
auto arrays_acted_on(const S&... args) {
    const auto all = std::tie(args...);
    return transform_indices<sizeof...(S)>(
        [&](auto k) {
            using argument = std::remove_cvref_t<std::tuple_element_t<std::size_t(k()), std::tuple<S...>>>;
            return structure<argument>::arrays(std::get<std::size_t(k())>(all), as_argument_of<((k() == I) || ...)>{});
        },
        [](const auto&... packs) { return concat_all(packs...); });
}
/// f(arrays...) of the arrays in structures.
template <class F, class... S>
auto with_arrays(const F& f, const S&... args) {
    return unpack(f, concat_all(structure<S>::arrays(args)...));
}
/// One array, or the tuple of several.
template <class... B>
auto one_or_tuple(const pack<B...>& b) {
    if constexpr (sizeof...(B) == 1) return get<0>(b);
    else return unpack([](const auto&... x) { return std::make_tuple(x...); }, b);
}
/// One array or the tuple of several, or a struct of them, as a pack.
template <class R>
auto pack_of(const R& r) {
    if constexpr (operand<R> || is_list_v<R>) return make_pack(r);
    else if constexpr (has_members<R>) return pack_of(members(r));
    else {
        static_assert(
            requires { std::tuple_size<R>::value; },
            "ricci: a function with derivative rules of its own returns one array, or the tuple of several");
        return std::apply([](const auto&... x) { return make_pack(x...); }, r);
    }
}

/// What stands in a structure, numbers as they are.
struct as_they_stand {
    template <class A>
    A operator()(const A& a) const {
        return a;
    }
};
/// What takes the place of Was in a structure: an array, or a number for a number, unless a transform is about it.
template <class Was, class Made>
auto in_place_of(const Made& made) {
    if constexpr (is_list_v<Made>) {
        return each_array([](const auto& part) { return as_array(part); }, made);
    } else if constexpr (element<Was> && operand<Made>) {
        const auto y = as_array(made);
        using Y = decltype(y);
        if constexpr (rank_v<Y> == 0 && all_plain<Y>() && std::is_same_v<device_t<Y>, cpu_device>) return y.item();
        else return y;
    } else {
        return as_array(made);
    }
}

}  // namespace ricci::detail

namespace ricci {

/// x as a constant of the transforms that the arrays in `like` are under, in the type that results of both have: where
/// a loop under grad, jvp or vmap begins, `auto state = lift(start, parameters)`, which may be assigned and written to
/// then: outside of transforms, too, where it is a copy of x. Both may be tuples, vectors or structs of arrays; x may
/// be a number, for an array of rank 0, or beside a dual or series for one of these.
template <detail::structured S, detail::structured... Like>
    requires(sizeof...(Like) > 0)
auto lift(const S& x, const Like&... like) {
    if constexpr ((kernel_scalar<Like> || ...)) {
        return std::remove_cvref_t<decltype((x + ... + like))>(x);
    } else {
        return detail::map_arrays(x, [](const auto& part) {
            const auto a = detail::as_array(part);
            return [&]<class... A>(std::type_identity<detail::pack<A...>>) {
                using array = std::remove_cvref_t<decltype(a)>;
                using chain = detail::chain_of_t<array, A...>;
                constexpr bool plain = std::is_same_v<chain, detail::type_list<>>;
                if constexpr (plain || std::is_same_v<decltype(detail::lift(chain{}, a)), array>) {
                    if constexpr (std::is_same_v<array, std::remove_cvref_t<decltype(part)>>) return a.clone();
                    else return a;  // computed just now
                } else {
                    return detail::lift(chain{}, a);
                }
            }(std::type_identity<detail::arrays_of_t<Like...>>{});
        });
    }
}

/// f(array, array of the next structure, ...) for the arrays of structures of one kind, tuples, vectors or structs that
/// list their members: the first structure with the results in the places of its arrays, numbers for numbers, or
/// nothing where f returns nothing. So models are trained: `model = tree_map([](auto w, auto dw) { return w - 0.1 * dw;
/// }, model, gradient)`, and in place, since handles share, `tree_map([](auto w, auto dw) { w -= 0.1 * dw; }, model,
/// gradient)`. (jax.tree.map.)
template <class F, detail::structured S, detail::structured... More>
auto tree_map(const F& f, const S& first, const More&... more) {
    static_assert(((detail::structure<More>::count == detail::structure<S>::count) && ...),
                  "ricci: the structures that tree_map goes through have the same number of arrays");
    const auto zipped =
        detail::make_pack(detail::structure<S>::arrays(first), detail::structure<More>::arrays(more)...);
    constexpr int count = detail::structure<S>::count;
    const auto each = [&](auto k) {
        return detail::unpack([&](const auto&... arrays) { return detail::each_array(f, detail::get<k()>(arrays)...); },
                              zipped);
    };
    if constexpr (std::is_void_v<decltype(each(std::integral_constant<int, 0>{}))>) detail::for_indices<count>(each);
    else
        return detail::structure<S>::template at<0>(detail::generate<count>([&](auto k) {
            using stood = decltype(detail::structure<S>::arrays(first, detail::as_they_stand{}));
            using was = std::remove_cvref_t<decltype(detail::get<k()>(std::declval<const stood&>()))>;
            return detail::in_place_of<was>(each(k));
        }));
}

}  // namespace ricci
