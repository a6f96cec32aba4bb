// The function transforms of forward mode, jvp and linearize, and what they share with those of reverse mode: how a
// function that is differentiated is called.
#pragma once
#include <memory>

#include "../core/randomness.hpp"
#include "../expr/structure.hpp"
#include "../expr/versions.hpp"
#include "dual_tensor.hpp"
#include "has_aux.hpp"

namespace ricci {
namespace detail {

/// The arrays in a place, with elements of type T.
template <class T, class A>
auto place_as(const A& place) {
    return each_array([](const auto& a) { return evaluate_as<T>(a); }, place);
}
/// A place that derivatives are taken with respect to. One of integers goes on as one of doubles, so that this is the
/// only error.
template <class A>
decltype(auto) differentiated_place(const A& place) {
    constexpr bool inexact = is_inexact_v<typename array_in_t<A>::value_type>;
    static_assert(inexact, "ricci: derivatives are taken with respect to floating or complex arguments");
    if constexpr (inexact) return (place);
    else return place_as<double>(place);
}
/// Whether what is differentiated of a result R is a plain number: R, or with Aux the first of its two.
template <bool Aux, class R>
consteval bool is_plain_number() {
    if constexpr (Aux && is_value_and_aux_v<R>) return scalar_value<std::tuple_element_t<0, R>>;
    else return scalar_value<R>;
}
/// What f gives for the arguments of a transform that differentiates it, evaluated.
template <bool PutOff = false, bool Aux = false, class F, class... A>
auto differentiated_call(const F& f, const pack<A...>& inside) {
    return unpack(
        [&](const auto&... a) {
            static_assert(
                !is_plain_number<Aux, decltype(f(a...))>(),
                "ricci: the function of a derivative returns a plain number, which depends on no argument: keep "
                "values as auto (one that a loop changes begins as lift(start, x)), without item()");
            using R = std::remove_cvref_t<decltype(f(a...))>;
            if constexpr (Aux && is_value_and_aux_v<R>) {
                const auto both = f(a...);
                return std::make_tuple(evaluate_result<PutOff>(std::get<0>(both)),
                                       evaluate_aux<PutOff>(std::get<1>(both)));
            } else {
                return evaluate_result<PutOff>(f(a...));
            }
        },
        inside);
}
/// An argument as functions get it: numbers and maps as arrays.
template <class A>
auto as_argument(const A& a) {
    if constexpr (operand<A>) return as_array(a);
    else return a;
}
/// A function that runs as it ran first whenever it does: it draws the same random numbers, and records under the same
/// no_grad. All copies run the same call of it.
template <class F>
struct repeating {
    using made_of = F;
    F f;
    std::shared_ptr<recorded_draws> draws = std::make_shared<recorded_draws>();
    level_t quiet = quiet_level();
    template <class... A>
    auto operator()(const A&... a) const {
        const quiet_scope as_first(quiet);
        return draws->run([&] { return f(a...); });
    }
};
struct copy_of_plain {
    template <class A>
    A operator()(const A& a) const {
        return a;
    }
    template <class T, int R, class D>
    auto operator()(const tensor<T, R, D>& x) const {
        return x.clone();
    }
};
/// The same for a call outside of the transform, where `a += 1` in f must not reach the caller's array, as it does not
/// inside.
template <class A>
auto argument_to_change(const A& a) {
    return map_arrays(as_argument(a), copy_of_plain{});
}
/// The same of several, of which a transform acts on those numbered I.
template <int... I, class... A>
auto arguments_to_change(const A&... a) {
    const auto all = std::tie(a...);
    return generate<sizeof...(A)>([&](auto k) {
        constexpr bool acts = ((k() == (I < 0 ? I + int(sizeof...(A)) : I)) || ...);
        const auto& one = std::get<std::size_t(k())>(all);
        if constexpr (!acts && scalar_value<decltype(one)>) return one;
        else return argument_to_change(one);
    });
}

/// The values and the tangents of a function's results.
template <class W, class Y>
auto split_dual(const Y& result) {
    const auto tangent = [](const auto& y) {
        using R = std::remove_cvref_t<decltype(y)>;
        if constexpr (wrapped_by_v<W, R>) return y.tangent();
        else return constant_array<R>(y.shape(), 0);
    };
    return std::make_tuple(peel_result<W>(result), map_arrays(result, tangent));
}

/// Value and tangent of f at the primals along the tangents, with Aux a third, aux. `who` is named by errors.
template <bool Aux, class F, class... A, class... D>
auto jvp_of(const char* who, const F& f, const pack<A...>& primals, const pack<D...>& tangents) {
    using W = push_by<F>;
    static_assert(sizeof...(A) == sizeof...(D), "ricci: jvp needs one tangent for each primal");
    static_assert(((array_in_t<A>::rank == array_in_t<D>::rank) && ...), "ricci: a tangent's rank is not its primal's");
    using enter =
        entered<W, all_arrays<int(sizeof...(A))>(), decltype(lift(chain_of_t<A, D>{}, std::declval<const A&>()))...>;
    using chain = typename entry_chain<W, F, enter, A..., D...>::type;
    const transform_scope scope;
    const auto with_tangent = [&](const auto& x, const auto& d) {
        if (!(x.shape() == d.shape()))
            detail::raise<shape_error>(
                {"[", who, "] the tangent's shape ", d.shape(), " is not the primal's ", x.shape()});
        auto value = lift(chain{}, x);
        using V = decltype(value);
        return dual_tensor<V, F>(value, lift(chain{}, evaluate_as<typename V::value_type>(d)), scope.level);
    };
    const auto inside =
        generate<sizeof...(A)>([&](auto i) { return each_array(with_tangent, get<i()>(primals), get<i()>(tangents)); });
    const auto result = differentiated_call<false, Aux>(f, inside);
    if constexpr (!Aux) {
        return split_dual<W>(result);
    } else {
        require_aux<std::remove_const_t<decltype(result)>>();
        return std::tuple_cat(split_dual<W>(std::get<0>(result)), std::make_tuple(peel_aux<W>(std::get<1>(result))));
    }
}
/// The arguments that jvp was given: one, or a tuple.
template <class T>
auto arguments_of(const T& t) {
    if constexpr (operand<T> || has_members<T> || has_any_length_v<T>) return std::tuple<T>(t);
    else return t;
}
template <bool Aux = false, class F, class... P, class T>
auto structured_jvp(const F& f, const std::tuple<P...>& primals, const T& tangents, const char* who = "jvp") {
    const auto arrays = [](const auto&... a) {
        return concat_all(structure<std::remove_cvref_t<decltype(a)>>::arrays(a)...);
    };
    const auto values =
        unpack([](const auto&... a) { return make_pack(differentiated_place(a)...); }, std::apply(arrays, primals));
    const auto directions = std::apply(arrays, tangents);
    if constexpr (all_operands_v<P...>) return jvp_of<Aux>(who, f, values, directions);
    else return jvp_of<Aux>(who, flat_function<F, P...>{f}, values, directions);
}

}  // namespace detail

/// The tuple (f(primals), Jacobian times tangents). Primals and tangents: one array each, or tuples of as many as f has
/// arguments, tangents of the primals' shapes. With has_aux, jvp(f, primals, tangents, has_aux), f returns
/// rc::tuple(value, aux), and the tuple is (value, tangent, aux). Of complex arrays, the derivative along the tangents,
/// which need not be holomorphic: f'(z) z_dot where f is. Throws shape_error for a tangent of another shape than its
/// primal's.
template <class F, class P, class T>
auto jvp(F f, const P& primals, const T& tangents) {
    return detail::structured_jvp(f, detail::arguments_of(primals), detail::arguments_of(tangents));
}
template <class F, class P, class T>
auto jvp(F f, const P& primals, const T& tangents, has_aux_t) {
    return detail::structured_jvp<true>(f, detail::arguments_of(primals), detail::arguments_of(tangents));
}

/// The tuple (f(args...), the derivative at args as a function): `push(tangents...)` gives the tangent of the result,
/// along one tangent for each argument, of its shape. The value is computed once; each call of `push` is a jvp, which
/// computes it anew in the pass that computes the tangent (in fused maps that is almost free, in matmul it doubles the
/// work). Linear in the tangents as far as every transform is concerned: its transpose is the pullback of `vjp(f,
/// args...)`, and that of any linear function is the pullback of its vjp at zeros. With has_aux as the last argument, of f that
/// returns rc::tuple(value, aux), the tuple (value, push, aux). (jax.linearize, torch.func.linearize;
/// jax.linear_transpose.)
template <class F, class... A>
auto linearize(F f, const A&... args) {
    const auto at = [&](auto aux, const auto&... a) {
        const auto primals = std::make_tuple(detail::as_argument(a)...);
        detail::recorded_draws draws;
        const auto result = draws.run([&] {
            const auto y = f(detail::argument_to_change(a)...);
            if constexpr (aux() && detail::is_value_and_aux_v<std::remove_const_t<decltype(y)>>)
                return std::make_tuple(detail::evaluate_result(std::get<0>(y)), detail::evaluate_aux(std::get<1>(y)));
            else return detail::evaluate_result(y);
        });
        const auto versions = detail::versions_of_arguments(primals);
        const auto push = [g = detail::value_function<aux()>(f), primals, draws, versions](const auto&... tangents) {
            static_assert(sizeof...(tangents) == sizeof...(a),
                          "ricci: the linear map needs one tangent for each argument of linearize");
            if (detail::versions_of_arguments(primals) != versions) detail::refuse_changed_argument("linearize");
            auto same = draws;
            return std::get<1>(same.run([&] { return jvp(g, primals, std::make_tuple(tangents...)); }));
        };
        if constexpr (aux()) {
            detail::require_aux<std::remove_const_t<decltype(result)>>();
            return std::make_tuple(std::get<0>(result), push, std::get<1>(result));
        } else {
            return std::make_tuple(result, push);
        }
    };
    return detail::without_aux(at, args...);
}

}  // namespace ricci
