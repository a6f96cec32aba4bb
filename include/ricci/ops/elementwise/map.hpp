// The user's own element-wise function.
#pragma once
#include "../../expr/tape.hpp"
#include "../declarations.hpp"
#include "function_by_name.hpp"
#include "where.hpp"

namespace ricci {

namespace detail {

template <class... S>
constexpr degrees_t most_degrees() {
    degrees_t most = 0;
    for (const degrees_t d : {degrees_v<S>...}) most = d > most ? d : most;
    return most;
}

/// An argument of a user's function for the derivative along one of them: a dual with the given tangent (or none) over
/// a nest of the given degrees. All arguments come to one depth, so that none is taken for a constant of the others'
/// levels.
template <degrees_t Degrees, class D, class S>
RICCI_HD RICCI_INLINE constexpr auto seeded(const D& x_dot, const S& x) {
    using inner = nest_t<scalar_base_t<S>, Degrees>;
    if constexpr (!std::is_same_v<D, nothing>) return dual<inner>(inner(x), inner(rebased<inner>(x_dot)));
    else if constexpr (Degrees > 0) return dual<inner>(inner(x), inner(0));
    else return as_number(x);
}

}  // namespace detail

namespace ops {
/// Calls `f` on scalars. Its derivatives come from a backward sweep over a tape (expr/tape.hpp) where it goes onto one,
/// else from calling it on duals, one argument at a time.
template <class F>
struct user : detail::held<F> {
    static constexpr bool differentiable = true;
    static constexpr bool selects = true;  // perhaps
    static constexpr int cost = 16;
    template <int, class... K>
    using argument = common_t<K...>;
    /// What `f` gives; where it computes in float for arguments of 16 bits, their type.
    template <class... K>
    struct result_of {
        using common = common_t<K...>;
        template <class>
        using one = number<compute_t<common>>;
        static constexpr bool takes_them = requires(const F& f, one<K>... x) { f(x...); };
        static_assert(takes_them,
                      "ricci: map takes a function with one argument, as auto, for each array or number that follows: "
                      "map([](auto a, auto b) { return a * b; }, x, y)");
        using given = decltype(std::declval<std::conditional_t<takes_them, const F&, one<F> (&)(...)>>()(
            std::declval<one<K>>()...));
        static_assert(!std::is_void_v<given>, "ricci: the function of map returns its result, here it returns nothing");
        using computed = std::remove_cvref_t<decltype(detail::plain(
            std::declval<std::conditional_t<std::is_void_v<given>, compute_t<common>, given>>()))>;
        using type = std::conditional_t<is_half_v<common> && std::is_same_v<computed, float>, common, computed>;
    };
    template <class... K>
    using result = typename result_of<K...>::type;

    /// f within the loop, whatever its size: outside of it, its arguments would go through memory.
    template <class... S>
    RICCI_HD RICCI_INLINE constexpr decltype(auto) call(const S&... x) const {
        RICCI_INLINE_CALL return this->get()(x...);
    }
    template <class... S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S&... x) const {
        return detail::plain(call(detail::as_number(x)...));
    }
    template <class... X>
    RICCI_HD RICCI_INLINE constexpr auto series(const X&... x) const {
        using T = detail::first_series_t<X...>;
        return T(detail::plain(call(detail::as_number(x)...)));
    }
    template <class Y, class... Rest>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const Rest&... rest) const {
        return each_argument<Y>(y_bar, adjoint_of{}, detail::make_pack(rest...),
                                std::make_integer_sequence<int, sizeof...(Rest) - 1>{});
    }
    template <class D, class X, class... Rest>
        requires(is_complex_scalar_v<X>)
    RICCI_HD RICCI_INLINE constexpr auto pushforward(const D& x_dot, const X& x, const Rest&... rest) const {
        return each_argument<D>(x_dot, tangent_of{}, detail::make_pack(x, rest...),
                                std::make_integer_sequence<int, sizeof...(Rest)>{});
    }

   private:
    struct adjoint_of {};
    struct tangent_of {};

    template <class Y, class Kind, class Pack, int... I>
    RICCI_HD RICCI_INLINE constexpr auto each_argument(const Y& given, Kind kind, const Pack& x,
                                                       std::integer_sequence<int, I...> all) const {
        return adjoints(along<I>(given, kind, x, all)...);
    }
    template <int I, class D, class Pack, class Indices>
    RICCI_HD RICCI_INLINE constexpr auto along(const D& x_dot, tangent_of, const Pack& x, Indices all) const {
        return tangent(partial<I>(x_dot, x, all), x_dot);
    }
    /// Of a complex argument, by the tangents u and v along 1 and i: Re(y_bar (a u + b v)) = Re(x_bar (a + i b)).
    template <int I, class Y, class Pack, class Indices>
    RICCI_HD RICCI_INLINE constexpr auto along(const Y& y_bar, adjoint_of, const Pack& x, Indices all) const {
        using S = detail::scalar_base_t<detail::pack_element_t<I, Pack>>;
        const auto u = partial<I>(S(1), x, all);
        if constexpr (!is_complex_scalar_v<S>) {
            return scaled(y_bar, u);
        } else if constexpr (!is_dual_v<std::remove_cvref_t<decltype(u)>>) {
            return decltype(ricci::complex(ricci::real(y_bar), 0))(0);
        } else {
            const auto v = partial<I>(S(0, 1), x, all);
            return ricci::complex(ricci::real(y_bar * u.tangent), -ricci::real(y_bar * v.tangent));
        }
    }
    template <int I, class D, class Pack, int... J>
    RICCI_HD RICCI_INLINE constexpr auto partial(const D& x_dot, const Pack& x,
                                                 std::integer_sequence<int, J...>) const {
        constexpr degrees_t degrees = detail::most_degrees<D, detail::pack_element_t<J, Pack>...>();
        return call(detail::seeded<degrees>(pick < I == J > (x_dot), detail::get<J>(x))...);
    }
    template <bool Here, class D>
    RICCI_HD RICCI_INLINE static constexpr auto pick(const D& x_dot) {
        if constexpr (Here) return x_dot;
        else return detail::nothing{};
    }
    template <class D, class X>
    RICCI_HD RICCI_INLINE static constexpr auto tangent(const D& y, const X&) {
        if constexpr (is_dual_v<D>) return y.tangent;
        else return X(0);
    }
    template <class Y, class D>
    RICCI_HD RICCI_INLINE static constexpr auto scaled(const Y& y_bar, const D& y) {
        if constexpr (is_dual_v<D>) return y_bar * y.tangent;
        else return Y(0);
    }
};
}  // namespace ops

namespace detail {

/// Whether a function of such arguments goes onto a tape, whose entries are all of one type. With up to two, one after
/// the other takes no longer.
template <class F, class... X>
constexpr bool takes_tape() {
    if constexpr (sizeof...(X) < 3) {
        return false;
    } else {
        using S = scalar_base_t<pack_element_t<0, pack<X...>>>;
        if constexpr (is_complex_scalar_v<S> || is_eager_v<S> || is_dependence_v<S> || std::is_integral_v<S> ||
                      !(std::is_same_v<S, scalar_base_t<X>> && ...))
            return false;
        else return goes_onto_tape<F, sizeof...(X)>();
    }
}
/// The value and the partial derivatives, by one run of the function: a compiler does not always see that a second one
/// computes the same. What is larger than a few registers it would keep in memory, the tape for one.
template <class F, class... X>
    requires(takes_tape<F, X...>())
struct traced_value<ops::user<F>, X...> {
    static constexpr int inputs = sizeof...(X);
    using S = nest_t<scalar_base_t<pack_element_t<0, pack<X...>>>, most_degrees<X...>()>;
    S y, partial[inputs];
    RICCI_HD RICCI_INLINE constexpr traced_value(const ops::user<F>& op, const X&... x) {
        record(op, std::make_integer_sequence<int, inputs>{}, x...);
    }
    RICCI_HD RICCI_INLINE constexpr const S& value() const { return y; }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const ops::user<F>&, const Y& y_bar, const X&...) const {
        return transform_indices<inputs>([&](auto i) { return y_bar * partial[i()]; },
                                         [](const auto&... bar) { return adjoints(bar...); });
    }

   private:
    template <int... I>
    RICCI_HD RICCI_INLINE constexpr void record(const ops::user<F>& op, std::integer_sequence<int, I...>,
                                                const X&... x) {
        using plan = plan_of<F, inputs>;
        using run = tape<S, inputs, plan::value.ops, std::conditional_t<evaluates_in_order, plan, void>>;
        run t;
        int size = 0;
        const taped<run> result = op.call(taped<run>(S(x), {&t, &size}, I)...);
        S bar[inputs];
        t.sweep(size, result.at, S(1), bar);
        ((partial[I] = copied(bar[I])), ...);
        y = copied(result.value);
    }
};

/// The types of what a function takes and gives, where it is one function: no template, not overloaded.
template <class R, class... A>
struct signature {
    using result = std::remove_cvref_t<R>;
    template <int I>
    using argument = std::remove_cvref_t<std::tuple_element_t<I, std::tuple<A...>>>;
    static constexpr int arity = sizeof...(A);
    static constexpr bool of_numbers = element<result> && (element<std::remove_cvref_t<A>> && ...);
};
struct no_signature {
    static constexpr bool of_numbers = false;
};
no_signature signature_of(...);
template <class R, class... A>
signature<R, A...> signature_of(R (*)(A...));
template <class R, class C, class... A>
signature<R, A...> signature_of(R (C::*)(A...) const);
template <class R, class C, class... A>
signature<R, A...> signature_of(R (C::*)(A...));
template <class R, class C, class... A>
signature<R, A...> signature_of(R (C::*)(A...) const noexcept);

template <class F>
struct signature_in {
    using type = decltype(signature_of(std::declval<F>()));
};
template <class F>
    requires requires { &F::operator(); }
struct signature_in<F> {
    using type = decltype(signature_of(&F::operator()));
};
template <class F>
using signature_t = typename signature_in<F>::type;

}  // namespace detail

namespace ops {
/// Calls a function of numbers, whose code is not ours to call with registers or duals.
template <class F>
struct function_of_numbers {
    using signature = detail::signature_t<F>;
    static constexpr bool differentiable = true;  // in truth not: its pullback says so
    static constexpr bool takes_elements = true;
    static constexpr int cost = user<F>::cost;
    F* f;
    template <int I, class...>
    using argument = typename signature::template argument<I>;
    template <class...>
    using result = typename signature::result;

    template <class... S>
    auto value(const S&... x) const {
        return (*f)(x...);
    }
    template <class Y, class... X>
    constexpr auto pullback(const Y&, const X&... x) const {
        static_assert(
            always_false<Y>,
            "ricci: a function of numbers, [](double a) { ... }, has a value but no derivative in map: take its "
            "arguments as auto, or give the derivative by custom_vjp or custom_jvp");
        return detail::make_pack(x...);
    }
};
}  // namespace ops

/// Your own function of scalars, element by element over broadcast arguments in their common type: one pass, on
/// registers or on the GPU, with derivatives of any order and batching. `f` is generic,
/// `[](auto a, auto b) { return a * b + sin(a); }`, and must not branch on its arguments: select with
/// `where(mask, a, b)`.
///
/// A function that names the numbers that it takes, `[&](double a, int b) { ... }`, a std::function or a function's
/// address, is called at once, one time for each element, on the CPU, and may branch and look things up; from several
/// threads where the array is large and set_num_threads allows them. Elements become what it takes; the result is an
/// array of what it gives, and has no derivative. (numpy.vectorize.)
template <class F, class... A>
    requires(operands<A...> && !operand<F>)
RICCI_INLINE auto map(F f, A&&... args) {
    using signature = detail::signature_t<F>;
    if constexpr (signature::of_numbers) {
        static_assert(signature::arity == sizeof...(A),
                      "ricci: map takes as many arrays as its function takes arguments");
        static_assert(std::is_same_v<typename detail::common_device<std::remove_cvref_t<A>...>::type, cpu_device>,
                      "ricci: a function of numbers runs on the CPU: move its arguments there by .to(cpu)");
        return evaluate(detail::make_map(ops::function_of_numbers<F>{&f}, std::forward<A>(args)...));
    } else {
        return detail::make_map(ops::user<F>{{f}}, std::forward<A>(args)...);
    }
}
/// A function of <cmath> by its name, map(std::cbrt, x): as a lambda of numbers, without SIMD and derivatives.
template <expression E>
auto map(detail::function_by_name f, E&& x) {
    return map([f](double number) { return f.function(number); }, std::forward<E>(x));
}
template <class F, class... A>
    requires(!operands<A...> && !operand<F>)
auto map(F, A&&...) {
    static_assert(always_false<F>,
                  "ricci: map takes a function, then expressions and numbers, at least one expression");
}

}  // namespace ricci
