// checkpoint: a function whose backward pass computes it once more.
#pragma once
#include "custom.hpp"

namespace ricci {

template <class F, class A, class... More>
auto checkpoint(F f, const A& first, const More&... args);

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
    template <class A, class... More>
    auto operator()(const A& first, const More&... more) const {
        if constexpr (std::is_void_v<decltype(f(first, more...))>) {
            static_cast<void>(sizeof(no_result<F>));
            return first;
        } else {
            return f(first, more...);
        }
    }
};
/// A function whose backward pass starts from its arguments alone. It gives the constants among them adjoints, too, which
/// nobody reads.
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

template <class A>
auto shapes_of(const list_of_arrays<A>& list) {
    return each_array([](const auto& a) { return a.shape(); }, list);
}
/// The place of an array or of a list of them as one array: a list's elements in a row.
template <class A>
struct in_a_row {
    explicit in_a_row(const A&) {}
    static const A& join(const A& a) { return a; }
    template <class B>
    static const B& part(const B& b) {
        return b;
    }
};
template <class A>
struct in_a_row<list_of_arrays<A>> {
    using array_type = array_in_t<A>;

    explicit in_a_row(const list_of_arrays<A>& list) : extents(shapes_of(list)) {}
    static auto join(const list_of_arrays<A>& list) {
        std::vector<array_type> all;
        each_array([&](const auto& a) { all.push_back(a); }, list);
        using row = std::remove_cvref_t<decltype(concat(all, none))>;
        return all.empty() ? constant_array<row>({0}, 0) : concat(all, none);
    }
    template <class B>
    auto part(const B& row) const {
        index_t at = 0;
        return each_array(
            [&](const auto& to) {
                const index_t from = std::exchange(at, at + to.count());
                return reshaped(evaluate(index(row, slice(from, at))), to);
            },
            extents);
    }

   private:
    decltype(shapes_of(std::declval<const list_of_arrays<A>&>())) extents;
};
/// A function of places as one of arrays.
template <class F, class... Row>
struct function_of_rows {
    using made_of = F;
    F f;
    pack<Row...> rows;
    template <class... A>
    auto operator()(const A&... a) const {
        return unpack([&](const auto&... row) { return f(row.part(a)...); }, rows);
    }
};
template <class F, class... P>
auto checkpoint_places(const F& f, const P&... places) {
    const function_of_rows<F, in_a_row<P>...> of_rows{f, {{{in_a_row<P>(places)}...}}};
    return checkpoint(of_rows, in_a_row<P>::join(places)...);
}

}  // namespace detail

/// f(args...), of which the backward pass remembers the arguments alone and computes the rest once more: memory for time;
/// forward mode differentiates f itself. Arguments of integers, truths and numbers are constants; numbers beside arrays reach
/// f as they are. An f that writes to its arguments throws gradient_error; one that draws random numbers draws the same ones
/// again (directly under vmap that is refused: grad stands inside of the vmap then). Arguments may be tuples, structs and
/// std::vectors of arrays (of which the elements are copied into one), the result one array or the tuple of several (of a
/// struct that lists its members, of these). (torch.utils.checkpoint.)
template <class F, class A, class... More>
auto checkpoint(F f, const A& first, const More&... args) {
    using arrays = detail::activity<!scalar_value<A>, !scalar_value<More>...>;
    if constexpr (arrays::count > 0 && arrays::count < 1 + int(sizeof...(More))) {
        const auto given = std::make_tuple(first, args...);
        const auto of_arrays = detail::function_of_chosen<arrays>(f, given);
        return detail::unpack([&](const auto&... a) { return checkpoint(of_arrays, a...); },
                              detail::chosen_among<arrays>(given));
    } else if constexpr (detail::all_operands_v<A, More...>) {
        using G = detail::repeating<detail::with_result<F>>;
        const G g{{f}};
        return custom_vjp(g, detail::compute_to_recompute<G>{g}, detail::recompute<G>{g},
                          detail::push_to_recompute<G>{g})(first, args...);
    } else {
        return detail::with_arrays(
            [&](const auto&... places) {
                const detail::flat_function<F, A, More...> flat{f};
                if constexpr ((detail::is_list_v<std::remove_cvref_t<decltype(places)>> || ...))
                    return detail::checkpoint_places(flat, places...);
                else return checkpoint(flat, places...);
            },
            first, args...);
    }
}
/// That as a function. (jax.checkpoint.)
template <class F>
auto checkpoint(F f) {
    return [f](const auto& first, const auto&... args) { return checkpoint(f, first, args...); };
}

}  // namespace ricci
