// The ops that write elements: at positions that index arrays name, where what is named more than once gets the last value, and
// through a view.
#pragma once
#include "gather.hpp"

namespace ricci::detail {

/// Which of the positions that index arrays name in a space of some extents, behind a batch, are named for the last time:
/// index... -> truth values of the arrays' shape. The space has the rank of the batch and one axis for each array.
template <class Spec>
struct last_named_op {
    static constexpr const char* name = "last_named";
    Spec spec;
    shape<Spec::arrays> extents;

    template <class... I>
    auto value(const I&... index) const {
        using D = typename common_device<I...>::type;
        const auto named = Spec::common_shape(index...);
        shape<Spec::from_rank> space;
        for (int d = 0; d < Spec::batch_rank; ++d) space[d] = named[d];
        for (int k = 0; k < Spec::arrays; ++k) space[Spec::batch_rank + k] = extents[k];
        const auto order = reshape(positions<D>(named.count()), named);
        const auto last = tensor<index_t, Spec::from_rank, D>::uninitialized(space);
        const auto seen = tensor<index_t, Spec::index_rank, D>::uninitialized(named);
        executor<D>::put(spec, last, order, index...);
        executor<D>::gather(spec, last, seen, index...);
        return make_pack(evaluate(seen == order));
    }
    template <class Mapped, class... I>
    auto call_batched(const I&... index) const {
        return call_in_batch<Mapped>(last_named_op<typename Spec::batched>{spec.in_batch(), extents}, index...);
    }

   private:
    template <class D>
    static auto positions(index_t n) {
        auto p = tensor<index_t, 1>::uninitialized({n});
        for (index_t i = 0; i < n; ++i) p.data()[i] = i;
        return p.to(D{});
    }
};

/// x with the elements that index arrays name replaced by those of v, one after the other: x, v, index... -> y. Linear in x and
/// v together. Of a value that a later one replaces the derivative is 0; Unique promises that there is none.
template <class Spec, bool Unique>
struct put_op : opaque_op {
    static constexpr const char* name = "index_put";
    Spec spec;

    template <class X, class V, class... I>
    auto value(const X& x, const V& v, const I&... index) const {
        using D = typename X::device_type;
        auto extents = x.shape();
        const auto named = Spec::common_shape(index...);
        for (int d = 0; d < Spec::batch_rank; ++d)
            extents[d] = x.shape()[d] != 1 ? x.shape()[d] : v.shape()[d] != 1 ? v.shape()[d] : named[d];
        auto y = tensor<typename X::value_type, Spec::from_rank, D>::uninitialized(extents);
        executor<D>::copy(x, y);
        executor<D>::put(spec, y, v, index...);
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto& x = *get<0>(inputs);
            const auto& v = *get<1>(inputs);
            const auto x_bar = [&] {
                return summed_to(call1(*this, get<0>(bars), zeros_like(v), index...), x.shape());
            };
            const auto v_bar = [&] { return summed_to(kept(x, get<0>(bars), index...), v.shape()); };
            if constexpr (Active::at[0] && Active::at[1]) return make_pack(x_bar(), v_bar());
            else if constexpr (Active::at[0]) return make_pack(x_bar());
            else return make_pack(v_bar());
        });
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int Degree, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto& x = *get<0>(inputs);
            const auto& v = *get<1>(inputs);
            return generate<Degree + 1>([&](auto k) {
                if constexpr (k() == 0) return call1(*this, x, v, index...);
                else if constexpr (!Active::at[1]) return call1(*this, *get<k() - 1>(series), zeros_like(v), index...);
                else if constexpr (!Active::at[0]) return call1(*this, zeros_like(x), *get<k() - 1>(series), index...);
                else return call1(*this, *get<k() - 1>(series), *get<Degree + k() - 1>(series), index...);
            });
        });
    }
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        return call_in_batch<Mapped>(put_op<typename Spec::batched, Unique>{{}, spec.in_batch()}, a...);
    }

   private:
    template <class A>
    static A zeros_like(const A& a) {
        return constant_array<A>(a.shape(), 0);
    }
    /// What comes back to v: of replaced values nothing.
    template <class X, class C, class... I>
    auto kept(const X& x, const C& y_bar, const I&... index) const {
        const auto v_bar = call1(gather_op<Spec>(spec), y_bar, index...);
        if constexpr (Unique) {
            return v_bar;
        } else {
            constexpr int batch = Spec::batch_rank;
            using space = index_spec<batch + Spec::arrays, Spec::arrays, Spec::index_rank, batch>;
            last_named_op<space> op{{batch, {}}, {}};
            for (int k = 0; k < Spec::arrays; ++k) {
                op.spec.axis[k] = spec.axis[k];
                op.extents[k] = x.shape()[spec.at + k];
            }
            const auto last = call1(op, index...);
            auto extents = unit_shape<Spec::rank>();
            for (int d = 0; d < batch; ++d) extents[d] = last.shape()[d];
            for (int d = batch; d < Spec::index_rank; ++d) extents[spec.at + d - batch] = last.shape()[d];
            return evaluate(where(reshaped(last, extents), v_bar, typename C::value_type(0)));
        }
    }
};

/// x with the elements that a view shows, each once, replaced by those of v: x, v -> y. Linear in x and v together, which broadcast
/// to the shapes of y and of the view.
template <int In, int Out>
struct replace_op : opaque_op {
    static constexpr const char* name = "index_put";
    view_spec<In, Out> spec;
    shape<In> to;

    template <class X, class V>
    auto value(const X& x, const V& v) const {
        using D = typename X::device_type;
        const auto y = tensor<typename X::value_type, In, D>::uninitialized(to);
        if (spec.extents.count() != to.count()) executor<D>::copy(x, y);
        executor<D>::copy(v, apply_view(spec, y));
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        const auto& x = *get<0>(inputs);
        const auto& v = *get<1>(inputs);
        const auto x_bar = [&] { return summed_to(call1(*this, get<0>(bars), zero_of(v)), x.shape()); };
        const auto v_bar = [&] { return summed_to(view_of(get<0>(bars), spec), v.shape()); };
        if constexpr (Active::at[0] && Active::at[1]) return make_pack(x_bar(), v_bar());
        else if constexpr (Active::at[0]) return make_pack(x_bar());
        else return make_pack(v_bar());
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int Degree, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        const auto& x = *get<0>(inputs);
        const auto& v = *get<1>(inputs);
        return generate<Degree + 1>([&](auto k) {
            if constexpr (k() == 0) return call1(*this, x, v);
            else if constexpr (!Active::at[1]) return call1(*this, *get<k() - 1>(series), zero_of(v));
            else if constexpr (!Active::at[0]) return call1(*this, zero_of(x), *get<k() - 1>(series));
            else return call1(*this, *get<k() - 1>(series), *get<Degree + k() - 1>(series));
        });
    }
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }
    template <class Mapped, class X, class V>
    auto call_batched(const X& x, const V& v) const {
        const index_t batch = Mapped::at[0] && x.shape()[0] != 1 ? x.shape()[0] : Mapped::at[1] ? v.shape()[0] : 1;
        return call_in_batch<Mapped>(
            replace_op<In + 1, Out + 1>{{}, batched_view(spec, batch), prefixed<In>(batch, to)}, x, v);
    }

   private:
    template <class A>
    static A zero_of(const A&) {
        return constant_array<A>(unit_shape<A::rank>(), 0);
    }
};

}  // namespace ricci::detail
