// Derivatives of a fused op by its partial derivatives: many tangents or cotangents that go with one set of values, as
// of a Jacobian's directions, are multiplied by what is computed once.
#pragma once
#include <limits>
#include <optional>

#include "call.hpp"
#include "output_window.hpp"
#include "sweep.hpp"
#include "unit_directions.hpp"
#include "view.hpp"

namespace ricci::detail {

template <class A>
auto constant_array(const shape<A::rank>& extents, typename A::value_type value);
template <class A>
auto unasked_array(const shape<A::rank>& extents);
template <int Rank, bool Reduces, int ResultRank, class Slots, class Tree>
RICCI_INLINE auto forward_op(const Tree& tree, const shape<Rank>& padded, const shape<ResultRank>& result);
template <class... A>
type_list<typename A::value_type...> slot_types(const pack<const A*...>&);

template <class... A, int... I>
auto shapes_at(const pack<const A*...>& inputs, std::integer_sequence<int, I...>) {
    return make_pack(get<I>(inputs)->shape()...);
}

/// What a vertex keeps for the tangents of its adjoints: the first and the second derivative, arrays D, and what the
/// tangent, an array X, of the adjoint that it computes may be added to, if there is anything.
template <class D, class X>
struct kept_derivatives {
    std::optional<pack<D, D>> both;
    const X* sum = nullptr;
};
template <class Kept, class D>
inline constexpr bool keeps_v = false;
template <class D, class X>
inline constexpr bool keeps_v<kept_derivatives<D, X>, D> = true;
/// A fused op under a vertex that keeps what its tangents and those of its adjoints are products with.
template <class Op, class Kept>
struct keeping_op : Op {
    Kept* kept;

    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return Op::template pushforward<Active>(inputs, tangents, kept);
    }
};

/// Of a fused op F: whether its derivatives are products with partial derivatives, and these products.
template <class F>
class by_partials {
    using Sweep = typename F::sweep_type;
    using results = decltype(F::result);
    static constexpr int Rank = F::rank, outputs = F::outputs;
    static constexpr bool Reduces = F::reduces;

   public:
    explicit by_partials(const F& f) : f_(f) {}

    /// Whether many cotangents go with one set of values, so that adjoints are products with partial derivatives that
    /// are computed once. Not of what selects: 0 times the infinite slope of what is left out would be NaN.
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
            constexpr std::make_integer_sequence<int, Sweep::inputs> all{};
            return have_one_rank(static_cast<const results*>(nullptr)) && gives_each<Active>(all) &&
                   shares_values<Active, Inputs>(all);
        }
    }
    /// Whether a Hessian would find both derivatives of the map useful: tangents of the value and of the adjoints are
    /// products.
    template <class Active, class Inputs>
    static constexpr bool keeps_curvature() {
        if constexpr (!takes_values_once<Active, Inputs>()) return false;
        else
            return !selects_v<typename Sweep::tree_type> && tree_cost_v<typename Sweep::tree_type> >= dear &&
                   reached_of<Active>::count == Active::count;
    }
    /// What a vertex then keeps, of inputs A.
    template <class Active, class... A>
    auto kept_of(const pack<const A*...>& inputs) const {
        using first = std::remove_cvref_t<decltype(*get<Active::find(0)>(inputs))>;
        return kept_derivatives<pack_element_t<0, decltype(with_curvature<Active>(inputs, false))>, first>();
    }
    /// Whether all active inputs are one array, whose adjoint goes to memory of its own.
    bool gives_one_adjoint() const {
        for (int k = 0; k < outputs; ++k)
            if (f_.merge[k] != 0 || (f_.into && f_.into[k])) return false;
        return !f_.windows;
    }

    /// The adjoints of the active inputs, where the op `shares_partials`; arguments as of fused::pullback_through.
    template <class Active, class Wholes, class... A, class... C>
    auto pullback(const unsigned char* merged, const output_window<Rank>* through, const added_arrays& added_to,
                  const bool* without_values, const Wholes& wholes, const pack<const A*...>& inputs,
                  const pack<C...>& bars) const {
        using factors = first_of_pairs<Active::count>;
        return with_linear_part<Active>(inputs_at(inputs, active_indices<Active>{}),
                                        partial_derivatives<Active, false>(inputs),
                                        [&](const auto& products, const auto& leaves) {
                                            return products.template pullback_at_once<factors, false>(
                                                merged, through, added_to, without_values, wholes, leaves, bars);
                                        });
    }
    /// The value and the tangent, each by itself. What selects has no partial derivatives to multiply by: of what it
    /// leaves out an infinite tangent is to count for nothing, and 0 times that would be NaN.
    template <class Active, class... A, class... D>
    auto value_apart(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        if constexpr (Active::count == 1 && reached_of<Active>::count == 1 &&
                      tree_cost_v<typename Sweep::tree_type> >= dear) {
            return probed<Active>(inputs, *get<0>(tangents));
        } else {
            auto op = F::with_results(expansion_sweep<Active, 1, 1>(f_.sweep), f_.result);
            op.batched = f_.batched;
            op.padded[0] = f_.padded[0];
            return make_pack(get<0>(call_all(f_, inputs)), get<0>(call_all(op, inputs, tangents)));
        }
    }
    /// The value and the tangent, by partial derivatives, which are computed once: the tangent is a sum of products.
    template <class Active, class... A, class... D, class Kept = nothing>
    auto linearized(const pack<const A*...>& inputs, const pack<const D*...>& tangents, Kept* kept = nullptr) const {
        constexpr int value = reached_of<Active>::count;
        const auto products = [&] {
            auto partials = value_and_partials<Active>(inputs, value == 1, kept);
            return with_linear_part<Active>(tangents, partials, [&](const auto& op, const auto& leaves) {
                return make_pack(std::move(get<value>(partials)), get<0>(call_all(op, leaves)));
            });
        };
        using Y = pack_element_t<1, decltype(products())>;
        if constexpr (Reduces && shows_unit_directions<Y>() && (shows_unit_directions<D>() && ...)) {
            const auto* units = unpack([](const auto*... d) { return common_units(*d...); }, tangents);
            const auto full = unpack([](const auto*... a) { return F::iteration_shape(*a...); }, inputs);
            if (units && f_.padded[0].count() == 1 && full.count() == units->n) {
                auto partials = value_and_partials<Active>(inputs, true, kept);
                auto tangent = along_units<Y>(get<0>(partials), *units, get<0>(tangents)->level());
                return make_pack(std::move(get<value>(partials)), std::move(tangent));
            }
        }
        return products();
    }
    /// The adjoint and its tangent, by derivatives that are computed once for all tangents.
    template <class Active, class... A, class... D, class Kept = nothing>
    auto curved(const pack<const A*...>& inputs, const pack<const D*...>& tangents, Kept* kept = nullptr) const {
        using derivative = pack_element_t<0, decltype(first_and_second<Active>(inputs))>;
        const auto both = [&] {
            if constexpr (keeps_v<Kept, derivative>)
                if (kept->both) return *kept->both;
            return first_and_second<Active>(inputs);
        }();
        const auto& bar = *get<Sweep::inputs - 1>(inputs);
        const auto& x_dot = *get<0>(tangents);
        const auto& bar_dot = *get<Active::count - 1>(tangents);
        const auto &slope = get<0>(both), &curvature = get<1>(both);
        using product = tree_of<decltype(bar * slope)>;
        using R = decltype(summed(product{}, make_pack(&bar_dot, &slope)));
        R moved = [&] {
            if constexpr (shows_unit_directions<R>()) {
                const auto* units = common_units(x_dot);
                if (units && get<0>(f_.result).count() == units->n && bar_dot.inner().shape()[0] == units->count &&
                    are_along(*units, bar, curvature)) {
                    const auto outer = [&](auto adds, auto& rows) {
                        return outer_along_units<adds()>(rows, bar_dot, slope, *units, get<0>(f_.result),
                                                         x_dot.level());
                    };
                    if constexpr (std::is_same_v<Kept, kept_derivatives<derivative, R>>)
                        if (kept->sum && outer(std::true_type(), *kept->sum)) {
                            add_along_units(*kept->sum, curvature, bar, *units);
                            kept->sum->inner().memory().bump_version();
                            return expanded_zeros(*kept->sum);
                        }
                    R rows;
                    if (!outer(std::false_type(), rows)) rows = summed(product{}, make_pack(&bar_dot, &slope));
                    if (add_along_units(rows, curvature, bar, *units)) return rows;
                }
            }
            using change = tree_of<decltype(x_dot * (curvature * bar) + bar_dot * slope)>;
            return summed(change{}, make_pack(&x_dot, &curvature, &bar, &bar_dot, &slope));
        }();
        R at = f_.tangents_only && f_.tangents_only[0] ? unasked_array<R>(get<0>(f_.result))
                                                       : R(summed(product{}, make_pack(&bar, &slope)));
        return generate<2 * outputs>([&](auto n) {
            if constexpr (n() == 0) return std::move(at);
            else if constexpr (n() == outputs) return std::move(moved);
            else return R();
        });
    }

   private:
    template <class Active, int... I>
    static auto varying(std::integer_sequence<int, I...>)
        -> activity<(Active::at[I] && Sweep::template varies_with<I>)...>;
    template <class Active>
    using reached_of = decltype(varying<Active>(std::make_integer_sequence<int, Sweep::inputs>{}));
    template <class... A, int... I>
    static auto inputs_at(const pack<const A*...>& inputs, std::integer_sequence<int, I...>) {
        return make_pack(get<I>(inputs)...);
    }
    /// Instructions from which on it pays to compute partial derivatives once for many cotangents.
    static constexpr int dear = 8;
    template <class First, class... Rest>
    static constexpr bool have_one_rank(const pack<First, Rest...>*) {
        return (std::is_same_v<Rest, First> && ...);
    }
    /// Whether the outputs are the adjoints of all active inputs, the cotangent being one of these.
    template <class Active, int... I>
    static constexpr bool gives_each(std::integer_sequence<int, I...>) {
        return Active::at[Sweep::inputs - 1] && outputs == Active::count - 1 &&
               ((Active::at[I] == (Sweep::out.mentions(I) || I == Sweep::slots)) && ...);
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
    /// The same of one input by its slope, which is computed once; where a tangent of NaN does not come through, the
    /// input is left out.
    template <class Active, class X, class... A>
    auto probed(const pack<const A*...>& inputs, const X& x_dot) const {
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return F::iteration_shape(*a...); }, inputs);
        auto op = F::with_results(expansion_sweep<Active, 1>(f_.sweep), concat(f_.result, make_pack(full)));
        op.batched = f_.batched;
        op.padded[0] = f_.padded[0];
        op.padded[1] = full;
        op.merge[1] = 1;
        const auto push = [&](typename Sweep::value_type along) {
            const one tangent = constant_array<one>(unit_shape<Rank>(), along);
            return call_all(op, inputs, make_pack(&tangent));
        };
        const auto both = push(1), probe = push(std::numeric_limits<typename Sweep::value_type>::quiet_NaN());
        const auto &slope = get<1>(both), &reached = get<1>(probe);
        return make_pack(get<0>(both), summed(where(reached != reached, x_dot * slope, slope)));
    }
    /// With respect to the inputs that the value varies with, and with Value that; unsummed. If they are to be
    /// `together`, the first is the sum of all.
    template <class Active, bool Value, class... A>
    auto partial_derivatives(const pack<const A*...>& inputs, bool together = false) const {
        using reached = reached_of<Active>;
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return F::iteration_shape(*a...); }, inputs);
        const auto g = pullback_sweep<reached, Value>(f_.sweep);
        auto op = F::with_targets(
            g, concat(generate<reached::count>([&](auto) { return full; }), f_.template value_shape<Value>()));
        for (int k = 0; k < op.outputs; ++k)
            op.merge[k] = static_cast<unsigned char>(together && k < reached::count ? 0 : k);
        if constexpr (Value) op.padded[reached::count] = f_.padded[0];
        op.batched = f_.batched;
        const one bar = fixed_array<one, 1>(unit_shape<Rank>());
        return call_all(op, inputs, make_pack(&bar));
    }
    /// The partial derivatives and behind them the value. If they are to be `together`, as where all inputs are one
    /// array, the first is the sum of all, and is kept with its own derivative along that array.
    template <class Active, class Kept, class... A>
    auto value_and_partials(const pack<const A*...>& inputs, bool together, Kept* kept) const {
        if constexpr (std::is_same_v<Kept, nothing>) {
            return partial_derivatives<Active, true>(inputs, together);
        } else {
            auto all = with_curvature<Active>(inputs, together);
            if (kept && together) kept->both.emplace(make_pack(get<0>(all), get<reached_of<Active>::count + 1>(all)));
            return all;
        }
    }
    /// The same, and behind the value the derivatives of the partial ones along all inputs, the first the sum of all.
    template <class Active, class... A>
    auto with_curvature(const pack<const A*...>& inputs, bool together) const {
        using reached = reached_of<Active>;
        constexpr int n = reached::count;
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return F::iteration_shape(*a...); }, inputs);
        const auto each = generate<n>([&](auto) { return full; });
        auto op = F::with_targets(curvature_sweep<reached>(f_.sweep),
                                  concat(concat(each, f_.template value_shape<true>()), each));
        for (int k = 0; k < op.outputs; ++k)
            op.merge[k] = static_cast<unsigned char>(k > n ? n + 1 : together && k < n ? 0 : k);
        op.padded[n] = f_.padded[0];
        op.batched = f_.batched;
        const one seed = fixed_array<one, 1>(unit_shape<Rank>());
        return call_all(op, inputs, generate<n + 1>([&](auto) -> const one* { return &seed; }));
    }
    /// use(op, leaves) of a map of leaves over what the inputs are broadcast to, added up as the first output is.
    template <class Tree, class Leaves, class Use>
    auto with_sum(const Tree& tree, const Leaves& leaves, const Use& use) const {
        auto op = forward_op<Rank, Reduces, pack_element_t<0, results>::rank, decltype(slot_types(leaves))>(
            tree, f_.padded[0], get<0>(f_.result));
        op.batched = f_.batched;
        return use(op, leaves);
    }
    template <class Tree, class Leaves>
    auto summed(const Tree& tree, const Leaves& all) const {
        return with_sum(tree, all, [](const auto& op, const auto& leaves) { return get<0>(call_all(op, leaves)); });
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
    /// The first and the second derivative with respect to the array that all active inputs are, unsummed.
    template <class Active, class... A>
    auto first_and_second(const pack<const A*...>& inputs) const {
        using one = tensor<typename Sweep::value_type, Rank, typename common_device<A...>::type>;
        const auto full = unpack([](const auto*... a) { return F::iteration_shape(*a...); }, inputs);
        const auto g = expansion_sweep<Active, 1>(f_.sweep);
        auto op = F::with_results(g, generate<2 * outputs>([&](auto) { return full; }));
        for (int n = 0; n < op.outputs; ++n) {
            op.padded[n] = full;
            op.merge[n] = static_cast<unsigned char>(n - n % outputs);
        }
        op.batched = f_.batched;
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
    /// Of the inputs from I on that are reached.
    template <class Reached, int I, class Product>
    static auto sum_of_products(const Product& product) {
        if constexpr (!Reached::at[I]) return sum_of_products<Reached, I + 1>(product);
        else if constexpr (Reached::before(I) + 1 == Reached::count) return product(std::integral_constant<int, I>{});
        else return product(std::integral_constant<int, I>{}) + sum_of_products<Reached, I + 1>(product);
    }

    const F& f_;
};

}  // namespace ricci::detail
