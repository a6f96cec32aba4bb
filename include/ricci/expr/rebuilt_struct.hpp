// Structs of arrays, made anew with members of other types.
#pragma once
#include <array>
#include <tuple>
#include <type_traits>

#include "../core/error.hpp"

namespace ricci::detail {

/// A class template whose parameters are types of its members, each of one or more, with a function `members` that ties
/// all, in the order of their declaration, as the struct is made anew of them by braces:
///
///     template <class W, class B>
///     struct layer {
///         W weight;
///         B bias;
///         friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }
///     };
template <class S>
concept has_members = requires(const S& s) { members(s); };

/// The members of a structure, of types M, which build S.
template <class... M>
struct member_list;

/// The first type that is not void.
template <class... T>
struct first_type {
    using type = void;
};
template <class T, class... Rest>
struct first_type<T, Rest...> : std::conditional_t<std::is_void_v<T>, first_type<Rest...>, std::type_identity<T>> {};

/// What P has become where M has become N: N if M is P, else what the parameter P of the template M has become; void if
/// there is none.
template <class P, class M, class N>
struct become {
    using type = void;
};
template <class P, class N>
struct become<P, P, N> {
    using type = N;
};
template <class P, class M, class N, std::size_t Size>
    requires(!std::is_same_v<P, std::array<M, Size>>)
struct become<P, std::array<M, Size>, std::array<N, Size>> : become<P, M, N> {};
template <class P, template <class...> class S, class... M, class... N>
    requires(!std::is_same_v<P, S<M...>> && sizeof...(M) == sizeof...(N))
struct become<P, S<M...>, S<N...>> : first_type<typename become<P, M, N>::type...> {};

/// What a template parameter has become where the members M have become N. (A struct: nvcc gives g++ an alias of this
/// wrongly.)
template <class Parameter, class M, class N>
struct changed;
template <class Parameter, class... M, class... N>
struct changed<Parameter, member_list<M...>, member_list<N...>>
    : first_type<typename become<Parameter, M, N>::type...> {};

template <class R, class... M>
concept built_of = requires(const M&... m) { R{m...}; };
/// What may stand for a member of any type.
struct any_member {
    template <class T>
    operator T() const;
};
/// Whether braces around values of all types M leave members of R out.
template <class R, class... M>
concept has_more_members = std::is_aggregate_v<R> && requires(const M&... m) { R{m..., any_member{}}; };
/// A struct S<P...> with members of the types M, again with members of other types: a parameter becomes what has become
/// of the first member that is of its type or made of it, as std::vector<layer<P>>; in the order of the members if they
/// are the parameters.
template <class From, class To>
struct rebuilt_struct;
template <template <class...> class S, class... P, class... M>
struct rebuilt_struct<S<P...>, member_list<M...>> {
    template <class... New>
    static constexpr auto rebuilt() {
        if constexpr (std::is_same_v<member_list<P...>, member_list<M...>>) return std::type_identity<S<New...>>{};
        else return substituted<typename changed<P, member_list<M...>, member_list<New...>>::type...>();
    }
    template <class... New>
    auto operator()(const New&... made) const {
        using result = typename decltype(rebuilt<New...>())::type;
        static_assert(built_of<result, New...>,
                      "ricci: members that share a template parameter are given results of one type");
        static_assert(!has_more_members<result, New...>,
                      "ricci: members(x) of a struct of arrays must tie all of its members: transforms make the struct "
                      "anew of those, and would lose the others; keep settings outside of it or make them static");
        return result{made...};
    }

   private:
    template <class... Q>
    static constexpr auto substituted() {
        static_assert((!std::is_void_v<Q> && ...),
                      "ricci: the parameters of a struct template of arrays are types of its members, or of what these "
                      "are made of");
        return std::type_identity<S<Q...>>{};
    }
};
template <class Tuple>
struct members_of;
template <class... M>
struct members_of<std::tuple<M...>> {
    using type = member_list<std::remove_cvref_t<M>...>;
    static constexpr int count = sizeof...(M);
    static constexpr bool by_reference = (std::is_reference_v<M> && ...);
};

/// Whether references to members are in the order of their addresses.
template <class... M>
bool in_order(const std::tuple<M...>& tied) {
    const void* last = nullptr;
    const auto follows = [&](const void* member) {
        const bool after = last < member;
        last = member;
        return after;
    };
    return std::apply([&](const auto&... m) { return (follows(&m) && ...); }, tied);
}
/// members(x). Throws value_error where it ties them in another order than that of their declaration: those of one type
/// would change places wherever x is made anew.
template <class S>
auto members_in_order(const S& x) {
    const auto all = members(x);
    using tied = std::remove_cv_t<decltype(all)>;
    if constexpr (std::is_aggregate_v<S> && members_of<tied>::by_reference) {
        if (!in_order(all))
            raise<value_error>({"[members] the members of a struct must be tied in the order of their declaration"});
    }
    return all;
}

}  // namespace ricci::detail
