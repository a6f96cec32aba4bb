// has_aux: functions that return, beside what is differentiated, something that is handed on.
#pragma once
#include "../expr/structure.hpp"

namespace ricci {

/// For functions that return rc::tuple(value, aux): only the value is differentiated, aux is handed on: grad(f,
/// has_aux)(x), vjp(f, x, has_aux). Aux is an array, a structure of arrays, a number, a text or whatever else, or a
/// tuple of such. It is the last argument, but for vmap_options.
struct has_aux_t {
    explicit constexpr has_aux_t(int) {}  // empty braces are other options
};
inline constexpr has_aux_t has_aux{0};

namespace detail {

/// Whether a result R may be rc::tuple(value, aux): it has two members.
template <class R>
inline constexpr bool is_value_and_aux_v = requires { requires std::tuple_size<R>::value == 2; };

template <class R>
constexpr void require_aux() {
    static_assert(is_value_and_aux_v<R>, "ricci: has_aux wants a function that returns rc::tuple(value, aux)");
}
/// Whether R is an array or a structure of arrays, or a template of their types, which is refused where it is no
/// structure.
template <class R>
inline constexpr bool may_hold_arrays_v = is_structure_v<R> && !scalar_value<R>;
template <template <class...> class S, class... P>
inline constexpr bool may_hold_arrays_v<S<P...>> = is_structure_v<S<P...>> || (may_hold_arrays_v<P> || ...);
template <scalar_value M, std::size_t N>
inline constexpr bool may_hold_arrays_v<std::array<M, N>> = false;
/// Aux with f(array) in the place of each array; what holds none is handed on.
template <class R, class F>
auto map_aux(const R& aux, const F& f) {
    if constexpr (may_hold_arrays_v<R>) return map_arrays(aux, f);
    else return aux;
}
template <class... R, class F>
auto map_aux(const std::tuple<R...>& aux, const F& f) {
    return std::apply([&](const auto&... one) { return std::make_tuple(map_aux(one, f)...); }, aux);
}
template <class A, class B, class F>
auto map_aux(const std::pair<A, B>& aux, const F& f) {
    return std::make_pair(map_aux(aux.first, f), map_aux(aux.second, f));
}
/// Aux with all arrays evaluated; with PutOff see evaluate_result.
template <bool PutOff = false, class R>
auto evaluate_aux(const R& aux) {
    return map_aux(aux, [](const auto& part) { return evaluate_result<PutOff>(part); });
}
template <class W, class R>
auto peel_aux(const R& aux) {
    return map_aux(aux, [](const auto& part) { return peel_result<W>(part); });
}

/// What is differentiated of a function: f, or with Aux the first of its two results.
template <bool Aux, class F>
auto value_function(const F& f) {
    if constexpr (!Aux) {
        return f;
    } else {
        return made_from<F>([f](const auto&... args) {
            using R = std::remove_cvref_t<decltype(f(args...))>;
            require_aux<R>();
            if constexpr (is_value_and_aux_v<R>) return std::get<0>(f(args...));
            else return f(args...);
        });
    }
}
/// `call(aux, arguments...)` for arguments without a last one that is has_aux, where aux() says whether there was one.
template <class Call, class... A>
auto without_aux(const Call& call, const A&... args) {
    if constexpr ((std::is_same_v<A, has_aux_t> || ...)) {
        const auto all = std::tie(args...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            constexpr bool last = (!std::is_same_v<std::tuple_element_t<I, std::tuple<A...>>, has_aux_t> && ...);
            static_assert(last, "ricci: has_aux comes last: vjp(f, x, y, has_aux)");
            if constexpr (last) return call(std::true_type(), std::get<I>(all)...);
            else return std::tuple(0, 0, 0);
        }(std::make_index_sequence<sizeof...(A) - 1>{});
    } else {
        return call(std::false_type(), args...);
    }
}

}  // namespace detail
}  // namespace ricci
