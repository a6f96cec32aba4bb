// The fused op: a sweep over broadcast inputs whose outputs may be sums over the axes that their shapes lack. Every
// element-wise map, sum, gradient and tangent is one of these, and so are all their derivatives and batches.
#pragma once
#include <limits>

#include "call.hpp"
#include "output_window.hpp"
#include "parts.hpp"
#include "sweep.hpp"
#include "unit_directions.hpp"
#include "view.hpp"

namespace ricci {
struct combine_plus;  // cpu/combine.hpp
}

namespace ricci::detail {

template <class A>
auto constant_array(const shape<A::rank>& extents, typename A::value_type value);
template <class A, int Number>
auto fixed_array(const shape<A::rank>& extents);
template <class A>
auto unasked_array(const shape<A::rank>& extents);
template <int Rank, bool Reduces, int ResultRank, class Slots, class Tree>
RICCI_INLINE auto forward_op(const Tree& tree, const shape<Rank>& padded, const shape<ResultRank>& result);
template <class... A>
type_list<typename A::value_type...> slot_types(const pack<const A*...>&);

/// A sweep with the shapes of its outputs; without Reduces no output is ever summed. `Rank` is the rank that all inputs are broadcast to. An output's `padded` shape
/// has extent 1 where the sweep's values are summed; its `result` shape is what the caller sees of the same elements.
/// Outputs k with merge[k] != k are added into output merge[k] and come back empty.
template <class Sweep, int Rank, bool Reduces, int... ResultRank>
struct fused {
    using sweep_type = Sweep;
    static constexpr int rank = Rank;
    static constexpr int outputs = Sweep::outputs;
    static constexpr bool reduces = Reduces;
    /// A reduction's value is computed together with its gradient, so that it need not be computed before.
    static constexpr bool value_with_gradient = Reduces && !Sweep::reverse && Sweep::order == 0;
    static constexpr bool differentiable = is_inexact_v<typename Sweep::value_type>;
    static constexpr bool linear = false;
    static constexpr bool merges = true;
    static constexpr const char* name = "map";

    Sweep sweep;
    shape<Rank> padded[outputs > 0 ? outputs : 1];
    pack<shape<ResultRank>...> result;
    unsigned char merge[outputs > 0 ? outputs : 1];
    const output_window<Rank>* windows = nullptr;  // one for each output; the caller's, for as long as the call takes
    void* const* into = nullptr;  // likewise: dense elements that an output is added to; it comes back empty then
    const bool* tangents_only = nullptr;  // likewise: outputs of whose value nobody asks where they are duals
    const bool* unasked = nullptr;        // likewise: outputs of which nobody asks; a device may give zeros
    bool batched = false;                 // axis 0 is a batch, along which results may lie in memory if inputs do

    template <class... T>
    auto value(const T&... inputs) const {
        return executor<typename common_device<T...>::type>::template run<
            std::conditional_t<Reduces, combine_plus, void>>(*this, inputs...);
    }

    /// Adjoints of the active inputs, in order; with Value, this op's own value after them. They may be added to arrays that
    /// exist (`added_to`), of some the tangents alone may be asked for where they are duals (`without_values`), and those of
    /// inputs that are views may go to what they view (`through`): `wholes` has the shapes of what comes back. Those of the same array are `merged`.
    template <class Active, bool Value, class Wholes, class... A, class... C>
    auto pullback_through(const unsigned char* merged, const output_window<Rank>* through, void* const* added_to,
                          const bool* without_values, const Wholes& wholes, const pack<const A*...>& inputs,
                          const pack<C...>& bars) const {
        if constexpr (!Value && shares_partials<Active, pack<A...>, C...>()) {
            using factors = first_of_pairs<Active::count>;
            return with_linear_part<Active>(active_inputs<Active>(inputs), partial_derivatives<Active, false>(inputs),
                                            [&](const auto& products, const auto& leaves) {
                                                return products.template pullback_at_once<factors, false>(
                                                    merged, through, added_to, without_values, wholes, leaves, bars);
                                            });
        } else {
            return pullback_at_once<Active, Value>(merged, through, added_to, without_values, wholes, inputs, bars);
        }
    }
    template <class Active, bool Value, class Wholes, class... A, class... C>
    auto pullback_at_once(const unsigned char* merged, const output_window<Rank>* through, void* const* added_to,
                          const bool* without_values, const Wholes& wholes, const pack<const A*...>& inputs,
                          const pack<C...>& bars) const {
        auto g = pullback_sweep<Active, Value>(sweep);
        auto op = with_targets(g, concat(active_shapes<Active>(inputs), value_shape<Value>()));
        op.into = added_to;
        op.tangents_only = without_values;
        op.batched = batched;
        if (through) {
            op.windows = through;
            op.result = concat(wholes, value_shape<Value>());
        }
        for (int k = 0; k < Active::count; ++k) {
            int first = merged[k];
            RICCI_KEEP_SCALAR(first);  // else several at a time, which waits for the stores of each
            op.merge[k] = static_cast<unsigned char>(first);
        }
        if constexpr (Value) {
            op.merge[Active::count] = Active::count;
            op.padded[Active::count] = padded[0];
        }
        return unpack(
            [&](const auto*... a) {
                return transform_indices<sizeof...(C)>(
                    [&](auto k) { return reshaped<Rank>(get<k()>(bars), bar_shape(get<k()>(bars), padded[k()])); },
                    [&](const auto&... bar) { return call(op, *a..., bar...); });
            },
            inputs);
    }

    /// The outputs followed by their tangents; `tangents` holds those of the active inputs.
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        if constexpr (shares_curvature<Active, pack<A...>>()) {
            if (gives_one_adjoint()) return curved<Active>(inputs, tangents);
            return expansion<1, Active>(inputs, tangents);
        } else if constexpr (!takes_values_once<Active, pack<A...>>()) return expansion<1, Active>(inputs, tangents);
        else if constexpr (selects_v<typename Sweep::tree_type>) return value_apart<Active>(inputs, tangents);
        else return linearized<Active>(inputs, tangents);
    }
    /// The outputs, then their first coefficients, and so on to the degree; `series` holds those of each active input in turn.
    template <int Degree, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        const auto g = expansion_sweep<Active, Degree>(sweep);
        auto op = with_results(g, repeated<Degree + 1>(result));
        op.batched = batched;
        for (int n = 0; n < op.outputs; ++n) {
            op.padded[n] = padded[n % outputs];
            op.merge[n] = static_cast<unsigned char>(n - n % outputs + merge[n % outputs]);
        }
        output_window<Rank> expanded[may_have_windows ? op.outputs : 1];
        if constexpr (may_have_windows) {
            for (int n = 0; windows && n < op.outputs; ++n) {
                expanded[n] = windows[n % outputs];
                expanded[n].home = static_cast<unsigned char>(n - n % outputs + expanded[n].home);
            }
            op.windows = windows ? expanded : nullptr;
        }
        bool left_out[op.outputs];
        if (tangents_only || unasked) {
            for (int n = 0; n < op.outputs; ++n)
                left_out[n] = (tangents_only && n < outputs && tangents_only[n]) || (unasked && unasked[n % outputs]);
            op.unasked = left_out;
        }
        return unpack(
            [&](const auto*... a) { return unpack([&](const auto*... d) { return call(op, *a..., *d...); }, series); },
            inputs);
    }

    /// The same over arrays whose mapped ones have the batch as axis 0 (of extent 1 where all members share the values).
    template <class Mapped, class... A>
    auto call_batched(const A&... inputs) const {
        index_t batch = 1;
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (Mapped::at[i()]) broadcast_extent(batch, get<i()>(make_pack(&inputs...))->shape()[0]);
        });
        fused<Sweep, Rank + 1, Reduces, (ResultRank + 1)...> op{sweep, {}, prefixed_results(batch), {}};
        op.into = into;
        op.tangents_only = tangents_only;
        op.unasked = unasked;
        op.batched = true;
        for (int k = 0; k < outputs; ++k) {
            op.padded[k] = prefixed<Rank>(batch, padded[k]);
            op.merge[k] = merge[k];
        }
        output_window<Rank + 1> prefixed_windows[may_have_windows ? outputs : 1];
        if constexpr (may_have_windows) {
            if (windows) {
                for_indices<outputs>([&](auto k) {
                    const output_window<Rank>& w = windows[k()];
                    prefixed_windows[k()] = {w.whole, w.home, w.offset,
                                             prefixed<Rank>(get<k()>(result).count(), w.strides)};
                });
                op.windows = prefixed_windows;
            }
        }
        const auto refs = make_pack(&inputs...);
        return transform_indices<sizeof...(A)>(
            [&](auto i) -> decltype(auto) {
                if constexpr (Mapped::at[i()]) return pad_after_first<Rank + 1>(*get<i()>(refs));
                else return *get<i()>(refs);
            },
            [&](const auto&... a) { return call(op, a...); });
    }

    /// The shape that the inputs are broadcast to.
    template <class... T>
    static shape<Rank> iteration_shape(const T&... inputs) {
        shape<Rank> extents = unit_shape<Rank>();
        (broadcast_into(extents, inputs.shape()), ...);
        return extents;
    }

   private:
    static constexpr bool may_have_windows = Reduces && Sweep::reverse;

    template <class Active, int... I>
    static auto varying(std::integer_sequence<int, I...>)
        -> activity<(Active::at[I] && Sweep::template varies_with<I>)...>;
    template <class Active>
    using reached_of = decltype(varying<Active>(std::make_integer_sequence<int, Sweep::inputs>{}));
    template <class Active, class... A>
    static auto active_inputs(const pack<const A*...>& inputs) {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (Active::at[i()]) return make_pack(get<i()>(inputs));
                else return pack<>{};
            },
            [](const auto&... p) { return concat_all(p...); });
    }
    /// Instructions from which on it pays to compute partial derivatives once for many cotangents.
    static constexpr int dear = 8;
    /// Whether many cotangents go with one set of values, so that adjoints are products with partial derivatives that are computed
    /// once. Not of what selects: 0 times the infinite slope of what is left out would be NaN.
    template <class Active, class Inputs, class... Bars>
    static constexpr bool shares_partials() {
        if constexpr (!(is_shared<Bars>() && ...) || !takes_values_once<Active, Inputs>()) return false;
        else if constexpr (tree_cost_v<typename Sweep::tree_type> < dear) return false;
        else return !selects_v<typename Sweep::tree_type> && reached_of<Active>::count == Active::count;
    }
    /// Whether many tangents go with one set of values, as of the directions of a Jacobian.
    template <class Active, class Inputs>
    static constexpr bool takes_values_once() {
        if constexpr (Sweep::reverse || Sweep::order != 0 || outputs != 1 || Inputs::size != Sweep::inputs || Rank == 0)
            return false;
        else if constexpr (!std::is_floating_point_v<typename Sweep::value_type>) return false;
        else {
            constexpr std::make_integer_sequence<int, Sweep::inputs> all{};
            return reached_of<Active>::count > 0 && shares_values<Active, Inputs>(all);
        }
    }
    /// Whether many tangents, of the inputs and of the cotangent, go with one set of values, as in a Hessian.
    template <class Active, class Inputs>
    static constexpr bool shares_curvature() {
        if constexpr (!Sweep::reverse || Sweep::order != 0 || Rank == 0 || Inputs::size != Sweep::inputs) return false;
        else if constexpr (!std::is_floating_point_v<typename Sweep::value_type>) return false;
        else if constexpr (selects_v<typename Sweep::tree_type> || tree_cost_v<typename Sweep::tree_type> < dear)
            return false;
        else {
            using first = pack_element_t<0, pack<shape<ResultRank>...>>;
            constexpr std::make_integer_sequence<int, Sweep::inputs> all{};
            return (std::is_same_v<shape<ResultRank>, first> && ...) && gives_each<Active>(all) &&
                   shares_values<Active, Inputs>(all);
        }
    }
    /// Whether the outputs are the adjoints of all active inputs, the cotangent being one of these.
    template <class Active, int... I>
    static constexpr bool gives_each(std::integer_sequence<int, I...>) {
        return Active::at[Sweep::inputs - 1] && outputs == Active::count - 1 &&
               ((Active::at[I] == (Sweep::out.mentions(I) || I == Sweep::slots)) && ...);
    }
    /// Whether all active inputs are one array, whose adjoint goes to memory of its own.
    bool gives_one_adjoint() const {
        for (int k = 0; k < outputs; ++k)
            if (merge[k] != 0 || (into && into[k])) return false;
        return !windows;
    }
    template <class Active, class Inputs, int... I>
    static constexpr bool shares_values(std::integer_sequence<int, I...>) {
        return (input_shares_values<Active::at[I], pack_element_t<I, Inputs>>() && ...);
    }
    template <bool IsActive, class A>
    static constexpr bool input_shares_values() {
        if constexpr (!IsActive) return true;
        else if constexpr (std::is_same_v<typename A::value_type, typename Sweep::value_type>) return is_shared<A>();
        else return false;
    }
    template <class A>
    static constexpr bool is_shared() {
        return requires { requires A::wrapper::shares_values; };
    }
    /// The value and the tangent, each by itself. What selects has no partial derivatives to multiply by: of what it leaves out
    /// an infinite tangent is to count for nothing, and 0 times that would be NaN.
    template <class Active, class... A, class... D>
    auto value_apart(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        if constexpr (Active::count == 1 && reached_of<Active>::count == 1 &&
                      tree_cost_v<typename Sweep::tree_type> >= dear) {
            return probed<Active>(inputs, *get<0>(tangents));
        } else {
            auto op = with_results(expansion_sweep<Active, 1, 1>(sweep), result);
            op.batched = batched;
            op.padded[0] = padded[0];
            return unpack(
                [&](const auto*... a) {
                    const auto push = [&](const auto*... d) { return call1(op, *a..., *d...); };
                    return make_pack(call1(*this, *a...), unpack(push, tangents));
                },
                inputs);
        }
    }
    /// The same of one input by its slope, which is computed once; where a tangent of NaN does not come through, the input is
    /// left out.
    template <class Active, class X, class... A>
    auto probed(const pack<const A*...>& inputs, const X& x_dot) const {
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return iteration_shape(*a...); }, inputs);
        auto op = with_results(expansion_sweep<Active, 1>(sweep), concat(result, make_pack(full)));
        op.batched = batched;
        op.padded[0] = padded[0];
        op.padded[1] = full;
        op.merge[1] = 1;
        const auto push = [&](typename Sweep::value_type along) {
            const one tangent = constant_array<one>(unit_shape<Rank>(), along);
            return unpack([&](const auto*... a) { return call(op, *a..., tangent); }, inputs);
        };
        const auto both = push(1), probe = push(std::numeric_limits<typename Sweep::value_type>::quiet_NaN());
        const auto &slope = get<1>(both), &reached = get<1>(probe);
        return make_pack(get<0>(both), summed(where(reached != reached, x_dot * slope, slope)));
    }
    /// With respect to the inputs that the value varies with, and with Value that; unsummed. If they are to be `together`, the
    /// first is the sum of all.
    template <class Active, bool Value, class... A>
    auto partial_derivatives(const pack<const A*...>& inputs, bool together = false) const {
        using reached = reached_of<Active>;
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return iteration_shape(*a...); }, inputs);
        const auto g = pullback_sweep<reached, Value>(sweep);
        auto op = with_targets(g, concat(generate<reached::count>([&](auto) { return full; }), value_shape<Value>()));
        for (int k = 0; k < op.outputs; ++k)
            op.merge[k] = static_cast<unsigned char>(together && k < reached::count ? 0 : k);
        if constexpr (Value) op.padded[reached::count] = padded[0];
        op.batched = batched;
        return unpack([&](const auto*... a) { return call(op, *a..., fixed_array<one, 1>(unit_shape<Rank>())); },
                      inputs);
    }
    /// use(op, leaves) of a map of leaves over what the inputs are broadcast to, added up as the first output is.
    template <class Tree, class Leaves, class Use>
    auto with_sum(const Tree& tree, const Leaves& leaves, const Use& use) const {
        auto op = forward_op<Rank, Reduces, pack_element_t<0, decltype(result)>::rank, decltype(slot_types(leaves))>(
            tree, padded[0], get<0>(result));
        op.batched = batched;
        return use(op, leaves);
    }
    template <class Tree, class Leaves>
    auto summed(const Tree& tree, const Leaves& all) const {
        return with_sum(tree, all, [](const auto& op, const auto& leaves) {
            return unpack([&](const auto*... a) { return call1(op, *a...); }, leaves);
        });
    }
    template <class Map>
    auto summed(const Map& map) const {
        return summed(make_tree(map), leaves_of(map));
    }
    /// The tree of a map that has no numbers of its own: nothing is to be built of the arrays for it.
    template <class Map>
    using tree_of = decltype(make_tree(std::declval<const Map&>()));
    /// use(op, leaves) of the sum of products of the varying ones of `factors`, one for each active input, with the
    /// partial derivatives.
    template <class Active, class Factors, class Partials, class Use>
    auto with_linear_part(const Factors& factors, const Partials& partials, const Use& use) const {
        using reached = reached_of<Active>;
        const auto product = [&](auto i) {
            return *get<Active::before(i())>(factors) * get<reached::before(i())>(partials);
        };
        const auto leaves = transform_indices<Sweep::inputs>(
            [&](auto i) {
                if constexpr (!reached::at[i()]) return pack<>{};
                else return make_pack(get<Active::before(i())>(factors), &get<reached::before(i())>(partials));
            },
            [](const auto&... p) { return concat_all(p...); });
        return with_sum(tree_of<decltype(sum_of_products<reached, 0>(product))>{}, leaves, use);
    }
    /// The value and the tangent, by partial derivatives, which are computed once: the tangent is a sum of products.
    template <class Active, class... A, class... D>
    auto linearized(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        constexpr int value = reached_of<Active>::count;
        const auto products = [&] {
            auto partials = partial_derivatives<Active, true>(inputs);
            return with_linear_part<Active>(tangents, partials, [&](const auto& op, const auto& leaves) {
                auto tangent = unpack([&](const auto*... a) { return call1(op, *a...); }, leaves);
                return make_pack(std::move(get<value>(partials)), std::move(tangent));
            });
        };
        if constexpr (Reduces && (shows_unit_directions<D>() && ...)) {
            const auto* units = unpack([](const auto*... d) { return common_units(*d...); }, tangents);
            const auto full = unpack([](const auto*... a) { return iteration_shape(*a...); }, inputs);
            if (units && padded[0].count() == 1 && full.count() == units->n) {
                using Y = pack_element_t<1, decltype(products())>;
                auto partials = partial_derivatives<Active, true>(inputs, true);
                auto tangent = along_units<Y>(get<0>(partials), *units, get<0>(tangents)->level());
                return make_pack(std::move(get<value>(partials)), std::move(tangent));
            }
        }
        return products();
    }
    /// The first and the second derivative with respect to the array that all active inputs are, unsummed.
    template <class Active, class... A>
    auto first_and_second(const pack<const A*...>& inputs) const {
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return iteration_shape(*a...); }, inputs);
        const auto g = expansion_sweep<Active, 1>(sweep);
        auto op = with_results(g, generate<2 * outputs>([&](auto) { return full; }));
        for (int n = 0; n < op.outputs; ++n) {
            op.padded[n] = full;
            op.merge[n] = static_cast<unsigned char>(n - n % outputs);
        }
        op.batched = batched;
        const one seed = fixed_array<one, 1>(unit_shape<Rank>()), still = fixed_array<one, 0>(unit_shape<Rank>());
        constexpr int cotangent = Sweep::inputs - 1;
        const auto value = [&](auto i) -> const auto& {
            if constexpr (i() == cotangent) return seed;
            else return *get<i()>(inputs);
        };
        const auto tangent = [&](auto k) -> const one& { return k() + 1 == Active::count ? still : seed; };
        auto both = transform_indices<Sweep::inputs>(value, [&](const auto&... a) {
            return transform_indices<Active::count>(tangent, [&](const auto&... d) { return call(op, a..., d...); });
        });
        return make_pack(std::move(get<0>(both)), std::move(get<outputs>(both)));
    }
    /// The adjoint and its tangent, by derivatives that are computed once for all tangents.
    template <class Active, class... A, class... D>
    auto curved(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        const auto both = first_and_second<Active>(inputs);
        const auto& bar = *get<Sweep::inputs - 1>(inputs);
        const auto& x_dot = *get<0>(tangents);
        const auto& bar_dot = *get<Active::count - 1>(tangents);
        const auto &slope = get<0>(both), &curvature = get<1>(both);
        using product = tree_of<decltype(bar * slope)>;
        using R = decltype(summed(product{}, make_pack(&bar_dot, &slope)));
        R moved = [&] {
            if constexpr (shows_unit_directions<R>()) {
                const auto* units = common_units(x_dot);
                if (units && get<0>(result).count() == units->n && bar_dot.inner().shape()[0] == units->count &&
                    are_along(*units, bar, curvature)) {
                    R rows = summed(product{}, make_pack(&bar_dot, &slope));
                    if (add_along_units(rows, curvature, bar, *units)) return rows;
                }
            }
            using change = tree_of<decltype(x_dot * (curvature * bar) + bar_dot * slope)>;
            return summed(change{}, make_pack(&x_dot, &curvature, &bar, &bar_dot, &slope));
        }();
        R at = tangents_only && tangents_only[0] ? unasked_array<R>(get<0>(result))
                                                 : R(summed(product{}, make_pack(&bar, &slope)));
        return generate<2 * outputs>([&](auto n) {
            if constexpr (n() == 0) return std::move(at);
            else if constexpr (n() == outputs) return std::move(moved);
            else return R();
        });
    }
    /// Of the inputs from I on that are reached.
    template <class Reached, int I, class Product>
    static auto sum_of_products(const Product& product) {
        if constexpr (!Reached::at[I]) return sum_of_products<Reached, I + 1>(product);
        else if constexpr (Reached::before(I) + 1 == Reached::count) return product(std::integral_constant<int, I>{});
        else return product(std::integral_constant<int, I>{}) + sum_of_products<Reached, I + 1>(product);
    }

    static void broadcast_extent(index_t& a, index_t b) {
        if (a == 1) a = b;
        else if (b != 1 && b != a)
            detail::raise<shape_error>({"[vmap] mapped axes of different sizes: ", a, " and ", b});
    }
    auto prefixed_results(index_t batch) const {
        return generate<outputs>([&](auto k) {
            using S = pack_element_t<k(), pack<shape<ResultRank>...>>;
            return prefixed<S::rank>(batch, get<k()>(result));
        });
    }
    /// The padded shape of a cotangent; unit axes for the single zero that stands for an absent one.
    template <class C>
    static shape<Rank> bar_shape(const C& bar, const shape<Rank>& full) {
        if (bar.shape().count() == full.count()) return full;
        return unit_shape<Rank>();
    }
    template <class Active, class... A>
    static auto active_shapes(const pack<const A*...>& inputs) {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (Active::at[i()]) return make_pack(get<i()>(inputs)->shape());
                else return pack<>{};
            },
            [](const auto&... p) { return concat_all(p...); });
    }
    template <bool Value>
    auto value_shape() const {
        if constexpr (Value) return result;
        else return pack<>{};
    }
    template <int Times>
    static auto repeated(const pack<shape<ResultRank>...>& shapes) {
        if constexpr (Times == 1) return shapes;
        else return concat(shapes, repeated<Times - 1>(shapes));
    }
    template <class G, int... Q>
    static auto with_results(const G& g, const pack<shape<Q>...>& shapes) {
        return fused<G, Rank, Reduces, Q...>{g, {}, shapes, {}};
    }
    template <class G, int... Q>
    static auto with_targets(const G& g, const pack<shape<Q>...>& shapes) {
        fused<G, Rank, true, Q...> op{g, {}, shapes, {}};
        for_indices<sizeof...(Q)>([&](auto k) { op.padded[k()] = pad_front<Rank>(get<k()>(shapes)); });
        return op;
    }
};

/// The value of a map's function over its leaves.
template <int Rank, bool Reduces, int ResultRank, class Slots, class Tree>
RICCI_INLINE auto forward_op(const Tree& tree, const shape<Rank>& padded, const shape<ResultRank>& result) {
    auto f = value_sweep<Slots>(tree);
    return fused<decltype(f), Rank, Reduces, ResultRank>{f, {padded}, {{{result}}}, {0}};
}

}  // namespace ricci::detail

namespace ricci {

/// The value of an expression: an array as it is, a map computed in one pass into a new array (of the wrappers of its leaves).
template <expression E>
RICCI_INLINE auto evaluate(const E& e) {
    if constexpr (E::is_array) {
        return e;
    } else if constexpr (deferred<E>) {
        return e.fetch();
    } else {
        return detail::with_parts(e, [&](const auto& map) {
            const auto leaves = detail::leaves_of(map);
            const auto op = detail::forward_op<E::rank, false, E::rank, decltype(detail::slot_types(leaves))>(
                detail::make_tree(map), e.shape(), e.shape());
            return detail::unpack([&](const auto*... a) { return detail::call1(op, *a...); }, leaves);
        });
    }
}

}  // namespace ricci
