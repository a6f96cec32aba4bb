// The function transforms of reverse mode: grad, value_and_grad, vjp, and hvp, which is forward over it.
#pragma once
#include "../expr/structure.hpp"
#include "../ops/contract.hpp"
#include "argnums.hpp"
#include "forward.hpp"
#include "recorded.hpp"

namespace ricci {

namespace detail {

/// Marks what one grad or vjp of F recorded. With Value, the value of a sum is wanted of the pass that computes its
/// gradient; where nobody asks for it, that pass goes without.
template <class F, bool Value = false>
struct record_tag {
    using made_of = F;
    static constexpr bool is_variable = false;
    static constexpr bool wants_value = Value;
};

template <class X>
auto adjoint_or_zero(const X& x) {
    auto bar = taken(x.output()->cotangent);
    return bar ? std::move(*bar) : constant_array<typename X::inner_type>(x.shape(), 0);
}

/// Runs the backward pass from those results `y` that W recorded, and returns the gradient of each variable, of the
/// type of its value. With Consume it is the only pass through that graph; without LeafValues the gradients' tangents,
/// if they are duals, are all that is asked for.
template <class W, bool Consume, bool LeafValues = true, class... Y, class... C, class... X>
auto run_backward(const pack<Y...>& y, const pack<C...>& y_bar, const X&... x) {
    backward_pass pass;
    pass.consuming = Consume;
    pass.leaf_values = LeafValues;
    const auto begin = [&](const auto& result, const auto& bar) {
        if constexpr (wrapped_by_v<W, std::remove_cvref_t<decltype(result)>>) {
            accumulate_into(result.output()->cotangent, conjugated(bar));
            pass.push(result.owner());
        }
    };
    for_indices<sizeof...(Y)>([&](auto k) { each_array(begin, get<k()>(y), get<k()>(y_bar)); });
    pass.run();
    return make_pack(each_array([](const auto& leaf) { return conjugated(adjoint_or_zero(leaf)); }, x)...);
}
/// f applied to arguments of which those in the mask Wrapped are recorded: the traced result, and the variables. With
/// Consume, the graph is used up by the caller; with PutOff, the value of what the function returns is perhaps not
/// asked for.
template <array_set Wrapped, class W, bool Consume, bool PutOff = false, bool Aux = false, class F, class Chain,
          class... A>
auto record_call(const F& f, Chain chain, level_t level, const A&... args) {
    const auto given = make_pack(&args...);
    auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto& a = *get<i()>(given);
        if constexpr ((Wrapped >> i()) & 1) {
            return each_array(
                [&](const auto& x) {
                    return typename W::template wrapped<std::remove_cvref_t<decltype(x)>>(x, level, Consume);
                },
                differentiated_place(lift(chain, a)));
        } else {
            return lift_constant(chain, a);
        }
    });
    const shared_elements elements;
    auto y = differentiated_call<PutOff, Aux>(f, inside);
    return make_pack(std::move(y), std::move(inside));
}
template <array_set Wrapped, class W, class F, class... A>
using record_chain = typename entry_chain<W, F, entered<W, Wrapped, A...>, A...>::type;

/// Whether grad takes functions of that result. The first reason why it does not is an error, and meant to be the only
/// one.
template <bool Aux, class R>
consteval bool is_differentiated_result() {
    if constexpr (Aux) {
        require_aux<R>();
        if constexpr (is_value_and_aux_v<R>) return is_differentiated_result<false, std::tuple_element_t<0, R>>();
        else return false;
    } else if constexpr (!expression<R>) {
        static_assert(always_false<R>, "ricci: grad takes functions of one result; use has_aux, or vjp for several");
        return false;
    } else {
        using T = typename R::value_type;
        constexpr bool scalar = R::rank == 0, real = !is_complex_v<T>, inexact = is_inexact_v<T>;
        static_assert(scalar,
                      "ricci: grad takes functions with a scalar result (rank 0); use vjp, jacrev or a sum, and for "
                      "second derivatives jacfwd(jacrev(f))");
        static_assert(inexact || !scalar,
                      "ricci: grad takes functions with a floating result: integers and truths have no derivative");
        static_assert(real || !scalar,
                      "ricci: grad takes functions with a real result: of a complex one take vjp, or the abs, real or "
                      "imag of it");
        return scalar && real && inexact;
    }
}
/// Whether any of the arrays in a result has derivatives.
template <class... Y>
consteval bool any_inexact(std::type_identity<pack<Y...>>) {
    return (is_inexact_v<typename array_in_t<Y>::value_type> || ...);
}
template <class Y>
inline constexpr bool has_derivatives_v =
    any_inexact(std::type_identity<decltype(structure<Y>::arrays(std::declval<const Y&>()))>{});

/// Value, gradient and aux of a scalar function, with respect to the arguments I.
template <bool Value, bool Aux, bool LeafValues, int... I, class F, class... A>
auto gradient_of(argnums_t<I...>, const F& f, const A&... args) {
    using W = record_by<record_tag<F, Value>>;
    constexpr array_set wrapped = (array_set(0) | ... | only_array(I));
    using chain = record_chain<wrapped, W, F, A...>;
    const transform_scope scope;
    constexpr bool put_off = !Value && !Aux;
    const auto traced = record_call<wrapped, W, true, put_off, Aux>(f, chain{}, scope.level, args...);
    const auto& result = get<0>(traced);
    const auto& inside = get<1>(traced);
    if constexpr (!is_differentiated_result<Aux, std::remove_cvref_t<decltype(result)>>()) {
        const auto refused = one_or_tuple(make_pack(peel<W>(get<I>(inside))...));
        if constexpr (Aux || Value) return std::make_tuple(refused, refused);
        else return refused;
    } else {
        const auto& y = [&]() -> const auto& {
            if constexpr (Aux) return std::get<0>(result);
            else return result;
        }();
        using Y = std::remove_cvref_t<decltype(y)>;
        const auto gradient = one_or_tuple([&] {
            if constexpr (wrapped_by_v<W, Y>)
                return run_backward<W, true, LeafValues>(
                    make_pack(y), make_pack(constant_array<typename Y::inner_type>(shape<0>{}, 1)), get<I>(inside)...);
            else  // does not depend on the arguments
                return make_pack(each_array([](const auto& x) { return adjoint_or_zero(x); }, get<I>(inside))...);
        }());
        if constexpr (Aux) {
            const auto aux = peel_aux<W>(std::get<1>(result));
            if constexpr (Value) return std::make_tuple(std::make_tuple(peel<W>(y), aux), gradient);
            else return std::make_tuple(gradient, aux);
        } else {
            if constexpr (Value) return std::make_tuple(peel<W>(y), gradient);
            else return gradient;
        }
    }
}

/// The numbers of the arrays in the arguments I, of structures S.
template <class List, class... S, int... I>
auto array_numbers(argnums_t<I...>) {
    static constexpr int counts[] = {structure<S>::count..., 0};
    constexpr auto numbers = [] {
        struct {
            int at[List::count + 1] = {}, size = 0;
        } n;
        for (const int i : {I...})
            for (int k = 0; k < counts[i]; ++k) n.at[n.size++] = List::before(i) + k;
        return n;
    }();
    return [&]<int... K>(std::integer_sequence<int, K...>) {
        return argnums_t<numbers.at[K]...>{};
    }(std::make_integer_sequence<int, numbers.size>{});
}
/// Derivatives with respect to arrays, put together as the arguments, of types S, that the arrays belong to.
template <class... S, class Arrays>
auto regrouped(const Arrays& arrays) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return one_or_tuple(make_pack(structure<S>::template at<member_list<S...>::before(I)>(arrays)...));
    }(std::make_integer_sequence<int, sizeof...(S)>{});
}
template <int I, class... S>
using argument_t = std::tuple_element_t<I, std::tuple<S...>>;

/// gradient_of for arguments that may be structures of arrays.
template <bool Value, bool Aux, bool LeafValues, int... I, class F, class... S>
auto numbered_gradient(argnums_t<I...> arguments, const F& f, const S&... args) {
    if constexpr (all_operands_v<S...>) {
        return unpack([&](const auto&... a) { return gradient_of<Value, Aux, LeafValues>(arguments, f, a...); },
                      arrays_acted_on<I...>(args...));
    } else if constexpr (!(structured<S> && ...)) {
        return std::make_tuple(structure<S>::count..., 0);  // after the error of one
    } else {
        const auto numbers = array_numbers<member_list<S...>, S...>(arguments);
        const flat_function<F, S...> flat{f};
        const auto result =
            unpack([&](const auto&... a) { return gradient_of<Value, Aux, LeafValues>(numbers, flat, a...); },
                   arrays_acted_on<I...>(args...));
        if constexpr (!Value && !Aux) return regrouped<argument_t<I, S...>...>(pack_of(result));
        else if constexpr (!Value)
            return std::make_tuple(regrouped<argument_t<I, S...>...>(pack_of(std::get<0>(result))),
                                   std::get<1>(result));
        else
            return std::make_tuple(std::get<0>(result),
                                   regrouped<argument_t<I, S...>...>(pack_of(std::get<1>(result))));
    }
}

template <bool Value, bool Aux, bool LeafValues = true, int... I, class F, class... S>
auto structured_gradient(argnums_t<I...> arguments, const F& f, const S&... args) {
    return numbered_gradient<Value, Aux, LeafValues>(numbered_from_zero<int(sizeof...(S))>(arguments), f, args...);
}

/// grad(f) for a jvp of whose results the tangent alone is asked for.
template <bool Aux, class F, int... I>
auto grad_for_tangents(const F& f, argnums_t<I...> arguments) {
    return made_from<F>(
        [f, arguments](const auto&... args) { return structured_gradient<false, Aux, false>(arguments, f, args...); });
}
template <bool Aux, class F, class... A>
auto grad_for_tangents(const F& f, const std::tuple<A...>&) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return grad_for_tangents<Aux>(f, argnums<static_cast<int>(I)...>);
    }(std::index_sequence_for<A...>());
}

inline spinlock turns_of_nothing;
/// What threads that pull back through one graph take turns by: the lock of its first variable, if it has one.
template <class... X>
spinlock& turns_of(const pack<X...>& variables) {
    spinlock* first = nullptr;
    const auto find = [&](const auto& x) { first = first ? first : &x.owner()->pulling; };
    for_indices<sizeof...(X)>([&](auto k) { each_array(find, get<k()>(variables)); });
    return first ? *first : turns_of_nothing;
}

/// The callable that vjp returns: cotangents of f's result to adjoints of its arguments.
template <class F, class Chain, class Traced, class... A>
class pullback_function {
    using W = record_by<record_tag<F>>;

   public:
    pullback_function(const F& f, level_t level, const Traced& traced, const recorded_draws& draws, const A&... args)
        : f_(f), level_(level), traced_(traced), draws_(draws), versions_(versions_of(args...)), args_{{{args}...}} {}

    /// The function's result, recorded: its value may not have been computed.
    const auto& result() const { return get<0>(traced_); }
    /// One adjoint for one argument, else a tuple of them. Cotangents under an outer transform (vmap of the pullback,
    /// say) record the function anew under that transform.
    template <class C>
    auto operator()(const C& cotangent) const {
        using Y = std::remove_cvref_t<decltype(get<0>(traced_))>;
        static_assert(
            structure<C>::count == structure<Y>::count,
            "ricci: the pullback takes one cotangent for each array in the result, in a structure like the result's");
        const auto results = structure<Y>::arrays(get<0>(traced_));
        const auto given = structure<C>::arrays(cotangent);
        const auto bars = generate<structure<Y>::count>([&](auto k) {
            using R = array_in_t<pack_element_t<k(), decltype(results)>>;
            static_assert(array_in_t<pack_element_t<k(), decltype(given)>>::rank == R::rank,
                          "ricci: the cotangent's rank is not the result's");
            return place_as<typename R::value_type>(get<k()>(given));
        });
        return unpack([&](const auto&... c) { return pull_lifted(c...); }, bars);
    }

   private:
    template <class... C>
    auto pull_lifted(const C&... c) const {
        using extended = chain_of_t<phantom<Chain>, phantom<chain_of_t<C>>...>;
        if constexpr (std::is_same_v<extended, Chain>) {
            return pull(traced_, make_pack(lift(Chain{}, c)...));
        } else {
            const transform_scope scope;
            constexpr array_set every = all_arrays<int(sizeof...(A))>();
            return unpack(
                [&](const auto&... a) {
                    if (versions_of(a...) != versions_) refuse_changed_argument("vjp");
                    recorded_draws same = draws_;
                    return pull(
                        same.run([&] { return record_call<every, W, false, true>(f_, extended{}, scope.level, a...); }),
                        make_pack(lift(extended{}, c)...));
                },
                args_);
        }
    }
    template <class T, class Bars>
    static auto pull(const T& traced, const Bars& bars) {
        using Y = std::remove_cvref_t<decltype(get<0>(traced))>;
        const auto results = structure<Y>::arrays(get<0>(traced));
        const auto check = [](const auto& y, const auto& bar) {
            if (!(bar.shape() == y.shape()))
                detail::raise<shape_error>(
                    {"[vjp] the cotangent's shape ", bar.shape(), " is not the result's ", y.shape()});
        };
        for_indices<structure<Y>::count>([&](auto k) { each_array(check, get<k()>(results), get<k()>(bars)); });
        const spin_guard alone(turns_of(get<1>(traced)));
        return unpack([&](const auto&... x) { return one_or_tuple(run_backward<W, false>(results, bars, x...)); },
                      get<1>(traced));
    }
    F f_;
    level_t level_;
    Traced traced_;
    recorded_draws draws_;
    std::uint64_t versions_;
    pack<A...> args_;
};

/// What was recorded of what is differentiated, without aux.
template <bool Aux, class Traced>
decltype(auto) differentiated_part(const Traced& traced) {
    if constexpr (Aux) return make_pack(std::get<0>(get<0>(traced)), get<1>(traced));
    else return (traced);
}
/// The function's result and its pullback, with Aux a third, aux; without Value the pullback alone, and of the result
/// no more than that needs.
template <bool Value = true, bool Aux = false, class F, class... A>
auto vjp_of(const F& f, const A&... args) {
    constexpr array_set every = all_arrays<int(sizeof...(A))>();
    const auto differentiated = value_function<Aux>(f);
    using G = std::remove_const_t<decltype(differentiated)>;
    using W = record_by<record_tag<G>>;
    using chain = record_chain<every, W, G, A...>;
    const transform_scope scope;
    recorded_draws draws;
    const auto all =
        draws.run([&] { return record_call<every, W, false, !Value, Aux>(f, chain{}, scope.level, args...); });
    const auto& traced = differentiated_part<Aux>(all);
    static_assert(
        has_derivatives_v<std::remove_cvref_t<decltype(get<0>(traced))>>,
        "ricci: vjp and jacrev take functions of floating or complex results: integers and truths have no derivative");
    pullback_function<G, chain, std::remove_cvref_t<decltype(traced)>, A...> pull(differentiated, scope.level, traced,
                                                                                  draws, args...);
    if constexpr (Aux)
        return std::make_tuple(peel_result<W>(get<0>(traced)), std::move(pull), peel_aux<W>(std::get<1>(get<0>(all))));
    else if constexpr (Value) return std::make_tuple(peel_result<W>(get<0>(traced)), std::move(pull));
    else return pull;
}

/// vjp_of for arguments that may be structures of arrays.
template <bool Aux, class F, class... A>
auto structured_vjp(const F& f, const A&... args) {
    if constexpr (all_operands_v<A...>) {
        return vjp_of<true, Aux>(f, as_array(args)...);
    } else {
        const flat_function<F, A...> flat{f};
        const auto all = with_arrays([&](const auto&... a) { return vjp_of<true, Aux>(flat, a...); }, args...);
        const auto pull = [pull = std::get<1>(all)](const auto& cotangent) {
            return regrouped<A...>(pack_of(pull(cotangent)));
        };
        if constexpr (Aux) return std::make_tuple(std::get<0>(all), pull, std::get<2>(all));
        else return std::make_tuple(std::get<0>(all), pull);
    }
}

}  // namespace detail

/// The gradient of a function with a scalar result: a function of the same arguments that gives the derivative with
/// respect to the first one, of its shape, or to those that `argnums<0, -1>` names, as a tuple (-1 is the last). With
/// has_aux, f returns rc::tuple(value, aux), and the result is the tuple (gradient, aux). An argument may be a tuple, a
/// std::array, a std::vector, a std::map or a struct of arrays (expr/structure.hpp), in any combination; its gradient
/// is one of the same kind. Numbers among the other arguments reach f as they are, integers as integers. Of a complex argument z
/// the gradient is dL/d(Re z) + i dL/d(Im z), PyTorch's convention; the result L is real. Composes with every
/// transform, itself included.
template <class F, int... I>
auto grad(F f, argnums_t<I...> arguments) {
    return [f, arguments](const auto&... args) {
        return detail::structured_gradient<false, false>(arguments, f, args...);
    };
}
template <class F, int... I>
auto grad(F f, argnums_t<I...> arguments, has_aux_t) {
    return
        [f, arguments](const auto&... args) { return detail::structured_gradient<false, true>(arguments, f, args...); };
}
template <class F>
auto grad(F f) {
    return grad(f, argnums<0>);
}
template <class F>
auto grad(F f, has_aux_t) {
    return grad(f, argnums<0>, has_aux);
}

/// As grad, giving the tuple (value, gradient); a sum's value comes out of the gradient's own pass. With has_aux, the
/// tuple ((value, aux), gradient).
template <class F, int... I>
auto value_and_grad(F f, argnums_t<I...> arguments) {
    return
        [f, arguments](const auto&... args) { return detail::structured_gradient<true, false>(arguments, f, args...); };
}
template <class F, int... I>
auto value_and_grad(F f, argnums_t<I...> arguments, has_aux_t) {
    return
        [f, arguments](const auto&... args) { return detail::structured_gradient<true, true>(arguments, f, args...); };
}
template <class F>
auto value_and_grad(F f) {
    return value_and_grad(f, argnums<0>);
}
template <class F>
auto value_and_grad(F f, has_aux_t) {
    return value_and_grad(f, argnums<0>, has_aux);
}
/// The tuple (f(args...), pullback). `pullback(c)` is the vector-Jacobian product of a cotangent of the result's shape:
/// the adjoint of the argument, or the tuple of those of several. A result that is a tuple or a struct of arrays takes
/// a structure of cotangents like it. With has_aux, vjp(f, x, y, has_aux), f returns rc::tuple(value, aux), and the
/// tuple is (value, pullback, aux). Threads may call the pullback at the same time: they take turns. Of complex arrays,
/// PyTorch's: the gradient of Re(sum(conj(c) y)); that is c conj(f'(z)) where f is holomorphic. The pullback throws
/// shape_error for a cotangent of another shape than the result's. A plain number among several results, of item() say,
/// is a constant, as it is for jvp and jacrev (torch refuses it).
template <class F, class... A>
auto vjp(F f, const A&... args) {
    return detail::without_aux([&](auto aux, const auto&... a) { return detail::structured_vjp<aux()>(f, a...); },
                               args...);
}

/// Hessian of f at x times v, forward over reverse: the cost of a few gradients, no matrix. Of several arguments x and
/// v are tuples, as jvp takes them, and so is the product, the Hessian being that in all of them
/// (torch.autograd.functional.hvp). With has_aux, of f that returns rc::tuple(value, aux), the tuple (product, aux).
template <class F, class X, class V>
auto hvp(F f, const X& x, const V& v) {
    const auto at = detail::arguments_of(x);
    return std::get<1>(
        detail::structured_jvp(detail::grad_for_tangents<false>(f, at), at, detail::arguments_of(v), "hvp"));
}
template <class F, class X, class V>
auto hvp(F f, const X& x, const V& v, has_aux_t) {
    const auto at = detail::arguments_of(x);
    const auto both =
        detail::structured_jvp<true>(detail::grad_for_tangents<true>(f, at), at, detail::arguments_of(v), "hvp");
    return std::make_tuple(std::get<1>(both), std::get<2>(both));
}

}  // namespace ricci

#include "transform_mistakes.hpp"
