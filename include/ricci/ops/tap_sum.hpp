// Weighted sums of the elements of pictures that places are made of, as an op with its adjoints.
#pragma once
#include "../cpu/executor.hpp"
#include "index/gather.hpp"

namespace ricci::detail {

/// Whether a device has kernels for sums over taps.
template <class D, class T>
constexpr bool has_tap_sums() {
    if constexpr (requires { executor<D>::template has_tap_sums<T>; }) return executor<D>::template has_tap_sums<T>;
    else return false;
}

/// Results (channels, places) of pictures (channels, elements): the sum over all choices of one tap for each of R axes
/// of the product of these taps' weights, (taps, places) for each axis (all 1 unless Weighted), times the element where
/// they lie. The taps' places along each axis, (taps, places), below 0 outside of the picture, come last. Batch axes in
/// front of all broadcast.
///
/// The sum of results' adjoint times results is linear in that, the pictures and each axis' weights, which are slots 0,
/// 1 and 2 ...: the op computes the Slot-th, or its adjoint, from the others in turn, and its own adjoints are such
/// ops.
template <int R, int Taps, bool Weighted, int Batch, int Slot>
struct tap_sum_op : opaque_op {
    static constexpr const char* name = Slot == 0   ? "sum over taps"
                                        : Slot == 1 ? "sum over taps: pictures' adjoints"
                                                    : "sum over taps: weights' adjoints";
    static constexpr int slots = Weighted ? R + 2 : 2, rank = Batch + 2;
    shape<R> extents;

    explicit tap_sum_op(const shape<R>& e) : extents(e) {}
    template <class First, class... Rest>
    auto value(const First& first, const Rest&... rest) const {
        using T = std::remove_const_t<typename First::value_type>;
        const auto inputs = make_pack(dense_members<Batch>(first), dense_members<Batch>(rest)...);
        const shape<rank> whole = result_shape(first, rest...);
        const auto y = tensor<T, rank>::uninitialized(whole);
        if (Slot == 1) std::fill(y.data(), y.data() + y.size(), T(0));
        if (y.size() == 0) return make_pack(y);
        shape<Batch> batch;
        for (int d = 0; d < Batch; ++d) batch[d] = whole[d];
        const auto& taps = get<slots - 1>(inputs);
        const index_t channels = (Slot == 0 ? whole : get<0>(inputs).shape())[Batch];
        const tap_sum_sizes<R> sizes{extents, channels, extents.count(), taps.shape()[rank - 1]};
        const auto member = [&](index_t i) {
            tap_sum_member<T, R> m = {};
            const auto slot = [&](auto s) {
                if constexpr (s() == Slot) return y.data() + i * (y.size() / batch.count());
                else {
                    const auto& x = get<place_of(s())>(inputs);
                    return const_cast<T*>(x.data()) + member_offset<Batch>(x, batch, i);
                }
            };
            m.results = slot(std::integral_constant<int, 0>{});
            m.pictures = slot(std::integral_constant<int, 1>{});
            for_indices<R>([&](auto d) {
                if constexpr (Weighted) m.weights[d()] = slot(std::integral_constant<int, d() + 2>{});
                const auto& at = get<slots - 1 + d()>(inputs);
                m.taps[d()] = at.data() + member_offset<Batch>(at, batch, i);
            });
            return m;
        };
        executor<cpu_device>::template tap_sums<Slot, Taps, T>(sizes, batch.count(), member);
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return all_adjoints(inputs, get<0>(bars), active_indices<Active>{});
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return make_pack(own_value(inputs),
                         tangent(inputs, tangents, active_indices<Active>{}, active_order<Active>{}));
    }
    /// As if no factor were zero.
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        const auto ones = generate<slots - 1>([&](auto k) {
            using X = std::remove_cvref_t<decltype(*get<k()>(inputs))>;
            return constant_array<X>(get<k()>(inputs)->shape(), 1);
        });
        const auto all = generate<sizeof...(A)>([&](auto k) {
            if constexpr (k() < slots - 1) return &get<k()>(ones);
            else return get<k()>(inputs);
        });
        return make_pack(tangent(all, marks, active_indices<Active>{}, active_order<Active>{}));
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        return call_in_batch<Mapped>(tap_sum_op<R, Taps, Weighted, Batch + 1, Slot>(extents), a...);
    }

   private:
    /// Which input a slot is.
    static constexpr int place_of(int slot) { return slot < Slot ? slot : slot - 1; }
    template <class... A>
    shape<rank> result_shape(const A&... a) const {
        const auto all = make_pack(&a...);
        shape<Batch> batch = unit_shape<Batch>();
        const auto widen = [&](const auto& s) {
            shape<Batch> own;
            for (int d = 0; d < Batch; ++d) own[d] = s[d];
            broadcast_into(batch, own);
        };
        (widen(a.shape()), ...);
        const shape<rank>&first = get<0>(all)->shape(), &taps = get<slots - 1>(all)->shape();
        if constexpr (Slot == 0) return batch_of<Batch>(batch, shape<2>{first[Batch], taps[rank - 1]});
        else if constexpr (Slot == 1) return batch_of<Batch>(batch, shape<2>{first[Batch], extents.count()});
        else return batch_of<Batch>(batch, shape<2>{taps[Batch], taps[rank - 1]});
    }
    template <class... A>
    auto own_value(const pack<const A*...>& inputs) const {
        return unpack([&](const auto*... a) { return call1(*this, *a...); }, inputs);
    }
    template <class... A, class C, int... I>
    auto all_adjoints(const pack<const A*...>& inputs, const C& bar, std::integer_sequence<int, I...>) const {
        return make_pack(adjoint_of<(I < Slot ? I : I + 1)>(inputs, bar, get<I>(inputs)->shape())...);
    }
    /// Of another slot: the adjoint of the result is in its own slot.
    template <int Other, class... A, class C>
    auto adjoint_of(const pack<const A*...>& inputs, const C& bar, const shape<rank>& extents_of_it) const {
        const tap_sum_op<R, Taps, Weighted, Batch, Other> op(extents);
        const auto x = transform_indices<sizeof...(A)>(
            [&](auto k) -> const auto& {
                constexpr int slot = k() < Other ? k() : k() + 1;
                if constexpr (k() >= slots - 1) return *get<k()>(inputs);
                else if constexpr (slot == Slot) return bar;
                else return *get<place_of(slot)>(inputs);
            },
            [&](const auto&... a) { return call1(op, a...); });
        if constexpr (Batch > 1) return sum_to(x, extents_of_it);
        else return x;
    }
    template <class... A, class... D, int... I, int... K>
    auto tangent(const pack<const A*...>& inputs, const pack<const D*...>& tangents, std::integer_sequence<int, I...>,
                 std::integer_sequence<int, K...>) const {
        return evaluate((with_input<I>(inputs, *get<K>(tangents)) + ...));
    }
    template <int I, class... A, class D>
    auto with_input(const pack<const A*...>& inputs, const D& x) const {
        return transform_indices<sizeof...(A)>(
            [&](auto k) -> const auto& {
                if constexpr (k() == I) return x;
                else return *get<k()>(inputs);
            },
            [&](const auto&... a) { return call1(*this, a...); });
    }
};

}  // namespace ricci::detail
