// The fused op: a sweep over broadcast inputs whose outputs may be sums over the axes that their shapes lack. Every
// element-wise map, sum, gradient and tangent is one of these, and so are all their derivatives and batches.
#pragma once
#include "by_partials.hpp"
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

/// A sweep with the shapes of its outputs; without Reduces no output is ever summed. `Rank` is the rank that all inputs
/// are broadcast to. An output's `padded` shape has extent 1 where the sweep's values are summed; its `result` shape is
/// what the caller sees of the same elements. Outputs k with merge[k] != k are added into output merge[k] and come back
/// empty.
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
    added_arrays into = {};                        // likewise: what an output is added to; it comes back empty then
    const bool* tangents_only = nullptr;           // likewise: outputs of whose value nobody asks where they are duals
    const bool* unasked = nullptr;                 // likewise: outputs of which nobody asks; a device may give zeros
    bool put_off = false;                          // what records it computes its value when somebody asks
    bool batched = false;  // axis 0 is a batch, along which results may lie in memory if inputs do

    template <class... T>
    auto value(const T&... inputs) const {
        return executor<typename common_device<T...>::type>::template run<
            std::conditional_t<Reduces, combine_plus, void>>(*this, inputs...);
    }

    /// Adjoints of the active inputs, in order; with Value, this op's own value after them, or anything where it
    /// `is_known`. They may be added to arrays that exist (`added_to`), of some the tangents alone may be asked for
    /// where they are duals (`without_values`), and those of inputs that are views may go to what they view
    /// (`through`): `wholes` has the shapes of what comes back. Those of the same array are `merged`. What a vertex
    /// kept is `kept`.
    template <class Active, bool Value, class Wholes, class... A, class... C, class Kept = nothing>
    auto pullback_through(const unsigned char* merged, const output_window<Rank>* through, const added_arrays& added_to,
                          const bool* without_values, const Wholes& wholes, const pack<const A*...>& inputs,
                          const pack<C...>& bars, bool is_known = false, Kept* kept = nullptr) const {
        if constexpr (!Value && partials::template shares_partials<Active, pack<A...>, C...>()) {
            return partials(*this).template pullback<Active>(merged, through, added_to, without_values, wholes, inputs,
                                                             bars);
        } else {
            return pullback_at_once<Active, Value>(merged, through, added_to, without_values, wholes, inputs, bars,
                                                   is_known, kept);
        }
    }
    template <class Active, bool Value, class Wholes, class... A, class... C, class Kept = nothing>
    auto pullback_at_once(const unsigned char* merged, const output_window<Rank>* through, const added_arrays& added_to,
                          const bool* without_values, const Wholes& wholes, const pack<const A*...>& inputs,
                          const pack<C...>& bars, bool is_known = false, Kept* kept = nullptr) const {
        auto g = pullback_sweep<Active, Value>(sweep);
        auto op = with_targets(g, concat(shapes_at(inputs, active_indices<Active>{}), value_shape<Value>()));
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
        bool left_out[Active::count + 1] = {};
        if constexpr (Value) {
            op.merge[Active::count] = Active::count;
            op.padded[Active::count] = padded[0];
            left_out[Active::count] = is_known;
            // what wraps arrays may keep the op
            if constexpr ((std::is_void_v<typename A::wrapper> && ...) && (std::is_void_v<typename C::wrapper> && ...))
                op.unasked = left_out;
        }
        if constexpr (std::is_same_v<Kept, nothing>) return call_with_bars(op, inputs, bars);
        else return call_with_bars(keeping_op<decltype(op), Kept>{op, kept}, inputs, bars);
    }

    /// The outputs followed by their tangents; `tangents` holds those of the active inputs.
    template <class Active, class... A, class... D, class Kept = nothing>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents, Kept* kept = nullptr) const {
        if constexpr (partials::template shares_curvature<Active, pack<A...>>()) {
            if (partials(*this).gives_one_adjoint())
                return partials(*this).template curved<Active>(inputs, tangents, kept);
            return expansion<1, Active>(inputs, tangents);
        } else if constexpr (!partials::template takes_values_once<Active, pack<A...>>()) {
            return expansion<1, Active>(inputs, tangents);
        } else if constexpr (selects_v<typename Sweep::tree_type>) {
            return partials(*this).template value_apart<Active>(inputs, tangents);
        } else {
            return partials(*this).template linearized<Active>(inputs, tangents, kept);
        }
    }
    /// The outputs, then their first coefficients, and so on to the degree; `series` holds those of each active input
    /// in turn.
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
        return call_all(op, inputs, series);
    }

    /// The same over arrays whose mapped ones have the batch as axis 0 (of extent 1 where all members share the
    /// values).
    template <class Mapped, class... A>
    auto call_batched(const A&... inputs) const {
        const index_t batch = batch_extent<Mapped>(inputs...);
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
    using partials = by_partials<fused>;
    friend partials;
    static constexpr bool may_have_windows = Reduces && Sweep::reverse;

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
    /// A pullback of the inputs and these cotangents.
    template <class G, int... I, class... A, int... K, class... C>
    auto call_with_bars(const G& g, const pack_base<std::integer_sequence<int, I...>, const A*...>& inputs,
                        const pack_base<std::integer_sequence<int, K...>, C...>& bars) const {
        return call(g, *get<I>(inputs)..., reshaped<Rank>(get<K>(bars), bar_shape(get<K>(bars), padded[K]))...);
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
    template <class G, int... K, int... Q>
    static auto with_targets(const G& g, const pack_base<std::integer_sequence<int, K...>, shape<Q>...>& shapes) {
        return fused<G, Rank, true, Q...>{g, {pad_front<Rank>(get<K>(shapes))...}, {{{get<K>(shapes)}...}}, {}};
    }
};

/// The value of a map's function over its leaves.
template <int Rank, bool Reduces, int ResultRank, class Slots, class Tree>
RICCI_INLINE auto forward_op(const Tree& tree, const shape<Rank>& padded, const shape<ResultRank>& result) {
    auto f = value_sweep<Slots>(tree);
    return fused<decltype(f), Rank, Reduces, ResultRank>{f, {padded}, {{{result}}}, {0}};
}

/// The value of a map in one pass.
template <bool PutOff, class E>
RICCI_INLINE auto evaluate_map(const E& map) {
    const auto leaves = leaves_of(map);
    auto op =
        forward_op<E::rank, false, E::rank, decltype(slot_types(leaves))>(make_tree(map), map.shape(), map.shape());
    if constexpr (PutOff) op.put_off = true;
    return get<0>(call_all(op, leaves));
}
/// The value of an expression; of a map with PutOff, where it is recorded, when somebody asks for it.
template <bool PutOff, class E>
RICCI_INLINE auto evaluate_now_or_later(const E& e) {
    if constexpr (E::is_array) {
        return e;
    } else if constexpr (deferred<E>) {
        return e.fetch();
    } else if constexpr (may_come_apart<E>()) {
        return with_parts(e, [](const auto& map) { return evaluate_map<PutOff>(map); });
    } else {
        return evaluate_map<PutOff>(e);
    }
}

}  // namespace ricci::detail

namespace ricci {

/// The value of an expression: an array as it is, a map computed in one pass into a new array (of the wrappers of its
/// leaves).
template <expression E>
RICCI_INLINE auto evaluate(const E& e) {
    return detail::evaluate_now_or_later<false>(e);
}

}  // namespace ricci
