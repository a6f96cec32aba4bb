// Functions with derivative rules of their own: custom_vjp, custom_jvp.
#pragma once
#include "../core/randomness.hpp"
#include "../vmap/vmap.hpp"
#include "function_of_arrays.hpp"
#include "transforms.hpp"

namespace ricci {

namespace detail {

template <class B>
auto as_tuple(const B& b) {
    if constexpr (operand<B>) return std::make_tuple(b);
    else return b;
}

/// Those of some arguments that derivatives are taken with respect to; integers and truths are constants.
template <class... A>
using differentiated_among = activity<is_inexact_v<typename A::value_type>...>;
/// The chosen ones of some values, as a pack.
template <class Chosen, class... A>
auto chosen_among(const std::tuple<A...>& all) {
    return generate<Chosen::count>([&](auto k) { return std::get<std::size_t(Chosen::find(k()))>(all); });
}
/// `all` as a tuple, with others in the place of those chosen.
template <class Chosen, class... X, class... A>
auto with_chosen(const pack<X...>& chosen, const std::tuple<A...>& all) {
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            if constexpr (Chosen::at[i()]) return get<Chosen::before(i())>(chosen);
            else return std::get<std::size_t(i())>(all);
        },
        [](const auto&... a) { return std::make_tuple(a...); });
}
/// f as a function of the chosen arguments, the others being constants.
template <class Chosen, class F, class... A>
auto function_of_chosen(const F& f, const std::tuple<A...>& all) {
    return made_from<F>(
        [f, all](const auto&... x) { return std::apply(f, with_chosen<Chosen>(make_pack(x...), all)); });
}

/// The cotangent that a user's rule takes, of one result or the tuple of those of several, in their shapes: that of a
/// result which nobody used is a zero that broadcasts.
template <class... C, class... Y>
auto cotangent_for_rule(const pack<C...>& bars, const pack<Y...>& results) {
    return one_or_tuple(generate<sizeof...(C)>([&](auto k) {
        const auto bar = conjugated(get<k()>(bars));
        return sizeof...(C) == 1 || bar.shape() == get<k()>(results).shape()
                   ? bar
                   : evaluate(expanded(bar, get<k()>(results).shape()));
    }));
}

/// What a user's rule gives for an argument x, checked and under x's wrappers.
template <class X, class B>
auto fitted_adjoint(const X& x, const B& b, const char* who) {
    const auto bar = evaluate_as<typename X::value_type>(as_array(b));
    static_assert(std::remove_cvref_t<decltype(bar)>::rank == X::rank,
                  "ricci: a derivative rule gave an array of another rank than the argument's");
    if (!(bar.shape() == x.shape()))
        raise<shape_error>({"[", who, "] the rule gave shape ", bar.shape(), " for an argument of shape ", x.shape()});
    return lift(chain_of_t<X>{}, bar);
}
/// The adjoints of the active arguments, from a tuple of the gradients of all.
template <class Active, class... A, class... B>
auto active_adjoints(const pack<const A*...>& inputs, const std::tuple<B...>& bars, const char* who) {
    static_assert(sizeof...(A) == sizeof...(B), "ricci: the backward rule must give one adjoint for each argument");
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            if constexpr (Active::at[i()])
                return make_pack(
                    conjugated(fitted_adjoint(*get<i()>(inputs), std::get<static_cast<std::size_t>(i())>(bars), who)));
            else return pack<>{};
        },
        [](const auto&... p) { return concat_all(p...); });
}

/// vmap's axes for arguments of which the mapped ones have the batch in front.
template <class Mapped, int... I>
auto mapped_axes(std::integer_sequence<int, I...>) {
    auto axis = []<int K>(std::integral_constant<int, K>) {
        if constexpr (Mapped::at[K]) return 0;
        else return none;
    };
    return std::make_tuple(axis(std::integral_constant<int, I>{})...);
}
/// Mapped arguments with the whole batch, where it is of extent 1 because all members share the values.
template <class Mapped, class F, class... A>
auto with_whole_batch(const mapped_part& part, const F& f, const A&... a) {
    // what is drawn for each member differs between all of them
    const index_t batch = part.randomness == randomness::different ? part.count : batch_extent<Mapped>(a...);
    const auto refs = make_pack(&a...);
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            const auto& x = *get<i()>(refs);
            auto full = x.shape();
            if constexpr (Mapped::at[i()]) full[0] = batch;
            return expanded(x, full);
        },
        f);
}
/// f of members as a function of batches, in the place of the vmap whose part they are.
template <class F, class... Axis>
auto mapped_in_place(const mapped_part& part, const F& f, const std::tuple<Axis...>& in) {
    return make_vmap(f, in, std::make_tuple(0), part);
}
/// A batched backward rule: adjoints of arguments that are not mapped are summed over the batch.
template <class Mapped, class Backward>
auto batched_backward(const mapped_part& part, const Backward& backward) {
    return [part, backward](const auto&... r) {
        const auto rule = [backward](const auto&... x) { return as_tuple(backward(x...)); };
        return std::apply(
            [](const auto&... bar) {
                const auto refs = make_pack(&bar...);
                return transform_indices<sizeof...(bar)>(
                    [&](auto i) {
                        if constexpr (Mapped::at[i()]) return *get<i()>(refs);
                        else return evaluate(sum(*get<i()>(refs), 0));
                    },
                    [](const auto&... b) { return std::make_tuple(b...); });
            },
            make_vmap(rule, 0, 0, part)(r...));
    };
}

/// A tangent of zeros for each argument.
template <class... A>
auto zero_tangents(const pack<const A*...>& inputs) {
    return unpack([](const auto*... a) { return std::make_tuple(evaluate(constant_array<A>(a->shape(), 0))...); },
                  inputs);
}
template <class... Y, class... D>
void check_rule_tangents(const pack<Y...>& values, const pack<D...>& tangents) {
    static_assert(sizeof...(Y) == sizeof...(D), "ricci: a forward rule gives a tangent for each result");
    for_indices<sizeof...(Y)>([&](auto k) {
        const auto& y = get<k()>(values).shape();
        const auto& d = get<k()>(tangents).shape();
        static_assert(std::is_same_v<decltype(y), decltype(d)>,
                      "ricci: a forward rule gives tangents of the values' rank");
        if (!(y == d))
            raise<shape_error>({"[custom_jvp] the rule gave a tangent of shape ", d, " for a value of shape ", y});
    });
}
/// Value and tangent by a user's rule(primals, tangents); the tangents of inactive arguments are zeros.
template <class Active, class Rule, class... A, class... D>
auto push_by_rule(const Rule& rule, const pack<const A*...>& inputs, const pack<const D*...>& tangents) {
    const auto all = unpack(
        [&](const auto*... t) { return with_chosen<Active>(make_pack(*t...), zero_tangents(inputs)); }, tangents);
    const auto both = unpack([&](const auto*... a) { return rule(std::make_tuple(*a...), all); }, inputs);
    const auto values = pack_of(evaluate_result(std::get<0>(both))),
               moved = pack_of(evaluate_result(std::get<1>(both)));
    check_rule_tangents(values, moved);
    return concat(values, moved);
}
template <class Mapped, int... I>
auto mapped_axes_twice(std::integer_sequence<int, I...> all) {
    const auto axes = mapped_axes<Mapped>(all);
    return std::tuple_cat(axes, axes);
}
/// rule((x...), (t...)) from one list of arguments.
template <std::size_t N, class Rule, class... X>
auto split_rule(const Rule& rule, const X&... xt) {
    const auto all = std::make_tuple(xt...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return rule(std::make_tuple(std::get<I>(all)...), std::make_tuple(std::get<N + I>(all)...));
    }(std::make_index_sequence<N>{});
}
/// A batched forward rule.
template <class Mapped, class Rule>
auto batched_rule(const mapped_part& part, const Rule& rule) {
    return [part, rule](const auto& primals, const auto& tangents) {
        return std::apply(
            [&](const auto&... x) {
                const auto both = [rule](const auto&... xt) { return split_rule<sizeof...(x)>(rule, xt...); };
                const auto axes = mapped_axes_twice<Mapped>(std::make_integer_sequence<int, sizeof...(x)>{});
                return std::apply([&](const auto&... t) { return mapped_in_place(part, both, axes)(x..., t...); },
                                  tangents);
            },
            primals);
    };
}

/// In place of a forward rule that was not given.
struct no_rule {};

/// A custom function as W recorded it: its value is known, with what the forward rule saved for the backward one.
template <class W, class Forward, class Backward, class Y, class... R>
struct saved_op : opaque_op {
    static constexpr const char* name = "custom_vjp";
    using known_to = W;
    Forward forward;
    Backward backward;
    Y y;
    std::tuple<R...> residuals;
    recorded_draws draws;
    std::uint64_t versions = versions_of_arguments(residuals);

    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        if (versions_of_arguments(residuals) != versions)
            refuse_changed("custom_vjp", "what the forward function saved");
        const auto bar = cotangent_for_rule(bars, y);
        const auto pull = [&](const auto&... r) { return as_tuple(backward(r..., bar)); };
        if constexpr ((wrapped_by_v<W, A> || ...)) {  // create_graph: what was saved must be recorded, too
            recorded_draws same = draws;
            const auto again =
                same.run([&] { return unpack([&](const auto*... a) { return forward(*a...); }, inputs); });
            return active_adjoints<Active>(
                inputs, std::apply([&](const auto&, const auto&... r) { return pull(evaluate_result(r)...); }, again),
                name);
        } else {
            return active_adjoints<Active>(inputs, std::apply(pull, residuals), name);
        }
    }
};

template <class F, class Forward, class Backward, class Push = no_rule>
struct custom_vjp_op : opaque_op {
    static constexpr const char* name = "custom_vjp";
    static constexpr bool maps_functions = true;
    F f;
    Forward forward;
    Backward backward;
    [[no_unique_address]] Push push;

    template <class... A>
    auto value(const A&... a) const {
        return pack_of(evaluate_result(f(a...)));
    }
    /// The same op with the value and the residuals that W's backward pass will need.
    template <class W, class... A>
    auto saved(const A&... a) const {
        recorded_draws draws;
        const auto all = draws.run([&] { return evaluate_result(forward(a...)); });
        return std::apply(
            [&](const auto& y, const auto&... r) {
                const auto results = pack_of(y);
                return saved_op<W, Forward, Backward, std::remove_cvref_t<decltype(results)>,
                                std::remove_cvref_t<decltype(r)>...>{{}, forward, backward, results, {r...}, draws};
            },
            all);
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        constexpr bool given = !std::is_same_v<Push, no_rule>;
        static_assert(
            given, "ricci: a custom_vjp function has no forward mode: give it a forward rule too, or use custom_jvp");
        if constexpr (given) return push_by_rule<Active>(push, inputs, tangents);
    }
    template <class Mapped, class... A>
    auto call_batched(const mapped_part& part, const A&... a) const {
        const auto in = mapped_axes<Mapped>(std::make_integer_sequence<int, sizeof...(A)>{});
        const auto batched_f = mapped_in_place(part, f, in);
        const auto batched_forward = mapped_in_place(part, forward, in);
        const auto rule = batched_backward<Mapped>(part, backward);
        const auto batched_push = [&] {
            if constexpr (std::is_same_v<Push, no_rule>) return push;
            else return batched_rule<Mapped>(part, push);
        }();
        const custom_vjp_op<std::remove_cvref_t<decltype(batched_f)>, std::remove_cvref_t<decltype(batched_forward)>,
                            std::remove_cvref_t<decltype(rule)>, std::remove_cvref_t<decltype(batched_push)>>
            op{{}, batched_f, batched_forward, rule, batched_push};
        return with_whole_batch<Mapped>(part, [&](const auto&... x) { return call(op, evaluate(x)...); }, a...);
    }
};

template <class F, class Rule>
struct custom_jvp_op : opaque_op {
    static constexpr const char* name = "custom_jvp";
    static constexpr bool maps_functions = true;
    F f;
    Rule rule;

    template <class... A>
    auto value(const A&... a) const {
        return pack_of(evaluate_result(f(a...)));
    }
    /// The transpose of the tangent map, which is linear.
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        const auto primals = unpack([](const auto*... a) { return std::make_tuple(*a...); }, inputs);
        const auto zero = zero_tangents(inputs);
        const auto push = [&](const auto&... t) {
            return std::get<1>(rule(primals, with_chosen<Active>(make_pack(t...), zero)));
        };
        const auto transposed = unpack([&](const auto&... t) { return vjp(push, t...); }, chosen_among<Active>(zero));
        const auto bar = cotangent_for_rule(bars, pack_of(std::get<0>(transposed)));
        return active_adjoints<Active>(inputs, with_chosen<Active>(pack_of(std::get<1>(transposed)(bar)), zero), name);
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return push_by_rule<Active>(rule, inputs, tangents);
    }
    template <class Mapped, class... A>
    auto call_batched(const mapped_part& part, const A&... a) const {
        const auto in = mapped_axes<Mapped>(std::make_integer_sequence<int, sizeof...(A)>{});
        const auto batched_f = mapped_in_place(part, f, in);
        const auto rule_of_batches = batched_rule<Mapped>(part, rule);
        const custom_jvp_op<std::remove_cvref_t<decltype(batched_f)>, std::remove_cvref_t<decltype(rule_of_batches)>>
            op{{}, batched_f, rule_of_batches};
        return with_whole_batch<Mapped>(part, [&](const auto&... x) { return call(op, evaluate(x)...); }, a...);
    }
};

/// The rules of a function of structures as those of one of arrays.
template <class Forward, class In, class Out>
struct forward_of_arrays {
    using made_of = Forward;
    Forward forward;
    In in;
    Out out;
    template <class... A>
    auto operator()(const A&... a) const {
        const auto args = in.together(make_pack(a...));
        const auto all = std::apply(forward, args);
        constexpr bool saves = requires { std::tuple_size<std::remove_const_t<decltype(all)>>::value; };
        static_assert(saves,
                      "ricci: the forward function of custom_vjp returns the value and what the backward one needs of "
                      "it: rc::tuple(y, x)");
        if constexpr (saves)
            return std::apply(
                [&](const auto& y, const auto&... saved) { return std::make_tuple(out.apart(y), saved...); }, all);
        else return std::make_tuple(out.apart(all));
    }
};
template <class Backward, class In, class Out>
struct backward_of_arrays {
    using made_of = Backward;
    Backward backward;
    In in;
    Out out;
    template <class... R>
    auto operator()(const R&... saved_then_bar) const {
        const auto all = std::tie(saved_then_bar...);
        constexpr std::size_t last = sizeof...(R) - 1;
        const auto bar = out.together(pack_of(std::get<last>(all)));
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return in.adjoints(backward(std::get<I>(all)..., bar), "custom_vjp");
        }(std::make_index_sequence<last>{});
    }
};
template <class Rule, class In, class Out>
struct push_of_arrays {
    using made_of = Rule;
    Rule rule;
    In in;
    Out out;
    template <class... A, class... D>
    auto operator()(const std::tuple<A...>& primals, const std::tuple<D...>& tangents) const {
        const auto as_pack = [](const auto&... x) { return make_pack(x...); };
        const auto both = rule(in.together(std::apply(as_pack, primals)), in.tangents(std::apply(as_pack, tangents)));
        const auto value = out.apart(std::get<0>(both));
        return std::make_tuple(value, out.apart_alike(std::get<1>(both), "custom_jvp"));
    }
};
/// What custom_vjp and custom_jvp return.
template <class F, class Forward, class Backward, class Push>
struct custom_vjp_function {
    F f;
    Forward forward;
    Backward backward;
    [[no_unique_address]] Push push;
    template <class... S>
    auto operator()(const S&... args) const {
        const auto op = [this]<class In, class Out>(const In& in, const Out& out) {
            using rule = std::conditional_t<std::is_same_v<Push, no_rule>, no_rule, push_of_arrays<Push, In, Out>>;
            const auto pushed = [&] {
                if constexpr (std::is_same_v<Push, no_rule>) return push;
                else return rule{push, in, out};
            };
            return custom_vjp_op<function_of_arrays<F, In, Out>, forward_of_arrays<Forward, In, Out>,
                                 backward_of_arrays<Backward, In, Out>, rule>{
                {}, {f, in, out}, {forward, in, out}, {backward, in, out}, pushed()};
        };
        return call_of_arrays<numbers_beside<S...>>(f, op, args...);
    }
};
template <class F, class Rule>
struct custom_jvp_function {
    F f;
    Rule rule;
    template <class... S>
    auto operator()(const S&... args) const {
        const auto op = [this]<class In, class Out>(const In& in, const Out& out) {
            return custom_jvp_op<function_of_arrays<F, In, Out>, push_of_arrays<Rule, In, Out>>{
                {}, {f, in, out}, {rule, in, out}};
        };
        return call_of_arrays<numbers_beside<S...>>(f, op, args...);
    }
};

}  // namespace detail

/// `f` with a backward rule of its own. `forward(args...)` gives rc::tuple(value, saved...);
/// `backward(saved..., cotangent)` the adjoint of the argument, or rc::tuple of those of all (of complex ones, in the
/// convention of vjp). Arguments, values and what is saved may be tuples, std::vectors and structs of arrays
/// (expr/structure.hpp), in any combination: a cotangent comes in the value's structure, an adjoint is given in the
/// argument's, or as `none` where it is zero. Numbers beside arrays reach the functions as they are, and have no
/// derivative: what is given for them is not read. Written with the library's functions, both differentiate again; the
/// function can be batched. Forward mode is refused at compile time. Throws shape_error for an adjoint of another shape
/// than its argument's. (JAX's custom_vjp, torch.autograd.Function.)
template <class F, class Forward, class Backward>
auto custom_vjp(F f, Forward forward, Backward backward) {
    return detail::custom_vjp_function<F, Forward, Backward, detail::no_rule>{f, forward, backward, {}};
}
/// The same with a forward rule as well, `push(primals, tangents)` as custom_jvp's: both modes go by the rules given.
template <class F, class Forward, class Backward, class Push>
auto custom_vjp(F f, Forward forward, Backward backward, Push push) {
    return detail::custom_vjp_function<F, Forward, Backward, Push>{f, forward, backward, push};
}

template <class F, class... Rules>
    requires(sizeof...(Rules) < 2)
auto custom_vjp(F f, Rules...) {
    static_assert(
        always_false<F>,
        "ricci: custom_vjp is told f, its forward and its backward function: custom_vjp(f, forward, backward)");
    return f;
}

/// `f` with a forward rule of its own: `rule(primals, tangents)`, both tuples, gives rc::tuple(value, tangent) and must
/// be linear in the tangents; reverse mode is its transpose. Differentiates again and can be batched. Arguments and
/// values may be structures as those of custom_vjp, tangents are alike; the tangent of a number among the arguments is
/// 0. What `f` captures may not be under the transform: it must be an argument. Throws shape_error for a tangent of
/// another shape than its value's. (JAX's custom_jvp.)
template <class F, class Rule>
auto custom_jvp(F f, Rule rule) {
    return detail::custom_jvp_function<F, Rule>{f, rule};
}

}  // namespace ricci
