// The ops of advanced indexing: gather, its transpose scatter, and put. They are closed under derivatives and batches,
// and all functions of indices come down to them.
#pragma once
#include "../../expr/rounding.hpp"
#include "../contract.hpp"

namespace ricci::detail {

/// Arrays of indices into an array x of rank R: N of them, of rank Q and one shape, for the N axes of x from `at` on.
/// The first B axes of all arrays are a batch that x and the indices share; those of extent 1 broadcast. `axis` has the
/// axes' numbers as the user counts them. What the indices select has x's shape with their own Q - B axes at `at`.
template <int R, int N, int Q, int B>
struct index_spec {
    static constexpr int from_rank = R, arrays = N, index_rank = Q, batch_rank = B, rank = R - N + Q - B;
    using batched = index_spec<R + 1, N, Q + 1, B + 1>;
    int at = B;
    int axis[N] = {};

    batched in_batch() const {
        batched b{at + 1, {}};
        for (int k = 0; k < N; ++k) b.axis[k] = axis[k];
        return b;
    }
    /// The shape of what is selected from a shape.
    template <class... I>
    RICCI_INLINE shape<rank> selected(const shape<R>& from, const I&... index) const {
        const shape<Q> named = common_shape(index...);
        shape<rank> s;
        for (int d = 0; d < B; ++d) s[d] = from[d] == 1 ? named[d] : from[d];
        // each axis by its number: where `at` is not known yet, axes found by it would make `s` wait in memory
        for (int d = B; d < rank; ++d) {
            if (d < R && d < at) s[d] = from[d];
            for (int own = B; own < Q; ++own)
                if (d - at == own - B) s[d] = named[own];
            if (d >= Q && d >= at + Q - B) s[d] = from[d - (Q - B) + N];
        }
        return s;
    }
    /// The shape of x with values v in it: a batch of v's or of the indices is its own.
    template <class... I>
    shape<R> written(shape<R> x, const shape<rank>& v, const I&... index) const {
        const shape<Q> named = common_shape(index...);
        for (int d = 0; d < B; ++d)
            if (x[d] == 1) x[d] = v[d] != 1 ? v[d] : named[d];
        return x;
    }
    /// The shape that the index arrays broadcast to: their batches may have different extents, one of them 1.
    template <class... I>
    RICCI_INLINE static shape<Q> common_shape(const I&... index) {
        shape<Q> named = unit_shape<Q>();
        (broadcast_into(named, index.shape()), ...);
        return named;
    }
};

template <class Spec>
struct scatter_op;

/// An op of arrays and index arrays under vmap: all of them get a batch axis, of extent 1 where they are shared.
template <class Mapped, class Op, class... A>
auto call_in_batch(const Op& op, const A&... a) {
    const auto all = make_pack(&a...);
    return transform_indices<sizeof...(A)>(
        [&](auto i) -> decltype(auto) {  // handles are not copied: what has one may be written in place
            if constexpr (Mapped::at[i()]) return (*get<i()>(all));
            else return unsqueeze_front(*get<i()>(all));
        },
        [&](const auto&... x) { return call(op, x...); });
}
/// `a`, summed over the axes of extent 1 in `to` where it is longer.
template <int Q, class A>
auto summed_to(const A& a, const shape<Q>& to) {
    return a.shape() == to ? a : sum_to(a, to);
}
/// Calls f with the arrays that a pack points at from First on.
template <int First, class F, class Pack>
auto with_rest(const Pack& p, const F& f) {
    return transform_indices<Pack::size - First>([&](auto k) -> const auto& { return *get<First + k()>(p); }, f);
}

/// The rules that ops share which are linear in their first argument and take index arrays after it.
template <class Op>
struct linear_in_first : opaque_op {
    template <class Active, class... A, class D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        const Op& self = static_cast<const Op&>(*this);
        return with_rest<1>(inputs, [&](const auto&... index) {
            return unpack(
                [&](const auto*... c) {
                    return make_pack(call1(self, *get<0>(inputs), index...), call1(self, *c, index...)...);
                },
                series);
        });
    }
    template <class Active, class... A, class D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }
};

/// The shape that index arrays of any ranks broadcast to.
template <class... I>
RICCI_INLINE auto common_extents(const I&... index) {
    constexpr int rank = [] {
        int r = 0;
        ((r = I::rank > r ? I::rank : r), ...);
        return r;
    }();
    shape<rank> extents = unit_shape<rank>();
    (broadcast_into(extents, index.shape()), ...);
    return extents;
}
/// An index array, evaluated, on the device of what it indexes.
template <class D, class I>
RICCI_INLINE auto placed(const I& i) {
    if constexpr (std::is_same_v<typename I::device_type, D>) return without_const(evaluate(i));
    else return evaluate(i).to(D{});
}

/// The elements of x that index arrays name: x, index... -> y. Linear in x; the transpose is scatter_op.
template <class Spec>
struct gather_op : linear_in_first<gather_op<Spec>> {
    static constexpr const char* name = "gather";
    Spec spec;

    explicit gather_op(const Spec& s) : spec(s) {}
    template <class X, class... I>
    auto value(const X& x, const I&... index) const {
        using D = typename X::device_type;
        auto y = tensor<typename X::value_type, Spec::rank, D>::uninitialized(spec.selected(x.shape(), index...));
        executor<D>::gather(spec, x, y, index...);
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<1>(inputs, [&](const auto&... index) {
            return call(scatter_op<Spec>(spec, get<0>(inputs)->shape()), get<0>(bars), index...);
        });
    }
    template <class Mapped, class X, class... I>
    auto call_batched(const X& x, const I&... index) const {
        return call_in_batch<Mapped>(gather_op<typename Spec::batched>(spec.in_batch()), x, index...);
    }
};

/// Zeros of a shape with the elements of y added where index arrays say: y, index... -> x. Where the batch of `to` has
/// extent 1 all members are added to the same elements. Linear in y; the transpose is gather_op. Positions that are
/// named more than once are added to in the order of the indices, on any number of threads.
template <class Spec>
struct scatter_op : linear_in_first<scatter_op<Spec>> {
    static constexpr const char* name = "scatter_add";
    Spec spec;
    shape<Spec::from_rank> to;

    scatter_op(const Spec& s, const shape<Spec::from_rank>& t) : spec(s), to(t) {}
    template <class Y, class... I>
    auto value(const Y& y, const I&... index) const {
        using D = typename Y::device_type;
        using T = typename Y::value_type;
        using W = compute_t<T>;
        auto x = tensor<W, Spec::from_rank, D>::uninitialized(to);
        executor<D>::fill(x, W(0));
        executor<D>::template combine_at<combine_plus>(spec, x, converted_result<W>(y), index...);
        return make_pack(converted_result<T>(x));
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<1>(inputs, [&](const auto&... index) {
            return make_pack(summed_to(call1(gather_op<Spec>(spec), get<0>(bars), index...), get<0>(inputs)->shape()));
        });
    }
    template <class Mapped, class Y, class... I>
    auto call_batched(const Y& y, const I&... index) const {
        shape<1> batch{1};
        int k = 0;
        const auto widen = [&](const auto& a) {
            if (Mapped::at[k++]) broadcast_into(batch, shape<1>{a.shape()[0]});
        };
        (widen(y), ..., widen(index));
        return call_in_batch<Mapped>(scatter_op<typename Spec::batched>(spec.in_batch(), prefixed(batch[0], to)), y,
                                     index...);
    }
};

}  // namespace ricci::detail
