// checkpoint: a function whose backward pass computes it once more.
#pragma once
#include "custom.hpp"

namespace ricci {

namespace detail {

template <class F>
struct no_result {
    static_assert(always_false<F>, "ricci: the function of checkpoint returns its result, here it returns nothing");
};
/// A function that checkpoint takes. One without a result gives an argument back, so that this is the only error.
template <class F>
struct with_result {
    using made_of = F;
    F f;
    template <class... A>
        requires(!std::is_void_v<std::invoke_result_t<const F&, const A&...>>)
    auto operator()(const A&... args) const {
        return f(args...);
    }
    template <class A, class... More>
        requires(std::is_void_v<std::invoke_result_t<const F&, const A&, const More&...>>)
    A operator()(const A& first, const More&...) const {
        static_cast<void>(sizeof(no_result<F>));
        return first;
    }
};
/// A function whose backward pass starts from its arguments alone. It gives the constants among them adjoints, too,
/// which nobody reads.
template <class F>
struct recompute {
    F f;
    template <class... A>
    auto operator()(const A&... argument_then_bar) const {
        const auto all = std::tie(argument_then_bar...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return pull(std::make_tuple(std::get<I>(all)...), std::get<sizeof...(A) - 1>(all));
        }(std::make_index_sequence<sizeof...(A) - 1>{});
    }

   private:
    template <class... A, class C>
    auto pull(const std::tuple<A...>& all, const C& bar) const {
        using chosen = differentiated_among<A...>;
        const auto of_chosen = function_of_chosen<chosen>(f, all);
        const auto both = unpack([&](const auto&... x) { return vjp(of_chosen, x...); }, chosen_among<chosen>(all));
        return with_chosen<chosen>(pack_of(std::get<1>(both)(bar)), all);
    }
};
/// Its forward rule.
template <class F>
struct push_to_recompute {
    F f;
    template <class... A, class... D>
    auto operator()(const std::tuple<A...>& primals, const std::tuple<D...>& tangents) const {
        using chosen = differentiated_among<A...>;
        const auto as_tuple = [](const auto&... x) { return std::make_tuple(x...); };
        return jvp(function_of_chosen<chosen>(f, primals), unpack(as_tuple, chosen_among<chosen>(primals)),
                   unpack(as_tuple, chosen_among<chosen>(tangents)));
    }
};

/// Its forward pass, which keeps the arguments.
template <class F>
struct compute_to_recompute {
    F f;
    template <class... A>
    auto operator()(const A&... argument) const {
        const std::uint32_t before[] = {version_of(argument)...};
        auto y = f(argument...);
        int i = 0;
        if (((version_of(argument) != before[i++]) || ...))
            raise<gradient_error>(
                {"[checkpoint] the function writes to an argument, from which the backward pass begins: it is to write "
                 "to a "
                 "copy, auto y = x.clone()"});
        return ricci::tuple(std::move(y), argument...);
    }
};

}  // namespace detail

/// f(args...), of which the backward pass remembers the arguments alone and computes the rest once more: memory for
/// time; forward mode differentiates f itself. Arguments of integers, truths and numbers are constants; numbers beside
/// arrays reach f as they are. An f that writes to its arguments throws gradient_error; one that draws random numbers
/// draws the same ones again. Arguments and results may be tuples, structs
/// and std::vectors of arrays (of which the elements are copied into one). (torch.utils.checkpoint.)
template <class F, class A, class... More>
auto checkpoint(F f, const A& first, const More&... args) {
    const detail::with_result<F> result{f};
    const auto op = [&]<class In, class Out>(const In& in, const Out& out) {
        using G = detail::repeating<detail::function_of_arrays<detail::with_result<F>, In, Out>>;
        const G g{{result, in, out}};
        return detail::custom_vjp_op<G, detail::compute_to_recompute<G>, detail::recompute<G>,
                                     detail::push_to_recompute<G>>{{}, g, {g}, {g}, {g}};
    };
    return detail::call_of_arrays<detail::numbers_beside<A, More...>>(result, op, first, args...);
}
/// That as a function. (jax.checkpoint.)
template <class F>
auto checkpoint(F f) {
    return [f](const auto& first, const auto&... args) { return checkpoint(f, first, args...); };
}

}  // namespace ricci
