// The ops that write elements: at positions that index arrays name, where what is named more than once gets the last
// value, and through a view.
#pragma once
#include "gather.hpp"

namespace ricci::detail {

/// Which of the positions that index arrays name in a space of some extents, behind a batch, are named for the last
/// time: index... -> truth values of the arrays' shape. The space has the rank of the batch and one axis for each
/// array.
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

/// The rules of ops that replace elements of x by those of v: x, v, index... -> y, linear in x and v together. Op gives
/// its value and `kept(x_shape, y_bar, index...)`, what comes back to v.
template <class Op>
struct replacing_op : opaque_op {
    static constexpr const char* name = "index_put";
    static constexpr bool replaces = true;
    /// x's name is bound to the result: where nobody else has a share in its memory, that is written.
    bool in_place = false;

    /// The adjoints, for which x and v are asked for their shapes alone. y_bar becomes x's, without the elements that
    /// were replaced.
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, pack<C> bars) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto& x = get<0>(inputs)->shape();
            const auto& v = get<1>(inputs)->shape();
            const auto v_bar = [&] { return summed_to(self().kept(x, get<0>(bars), index...), v); };
            const auto x_bar = [&] {
                Op clear = self();
                clear.in_place = true;
                return summed_to(call1(clear, get<0>(bars), zeros<C>(v), index...), x);
            };
            if constexpr (!Active::at[0]) return make_pack(v_bar());
            else if constexpr (!Active::at[1]) return make_pack(x_bar());
            else {
                auto part = v_bar();
                return make_pack(x_bar(), std::move(part));
            }
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
            using X = std::remove_cvref_t<decltype(x)>;
            const Op& op = self();
            return generate<Degree + 1>([&](auto k) {
                if constexpr (k() == 0) return call1(op, x, v, index...);
                else if constexpr (!Active::at[1])
                    return call1(op, *get<k() - 1>(series), zeros<X>(v.shape()), index...);
                else if constexpr (!Active::at[0])
                    return call1(op, zeros<X>(x.shape()), *get<k() - 1>(series), index...);
                else return call1(op, *get<k() - 1>(series), *get<Degree + k() - 1>(series), index...);
            });
        });
    }
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }

   protected:
    /// What is to have elements replaced: x itself where that may be, else a copy, of which later writes may be in
    /// place.
    template <class X>
    auto target(const X& x, const shape<X::rank>& extents, bool replaces_all) const {
        using Y = tensor<typename X::value_type, X::rank, typename X::device_type>;
        if constexpr (std::is_same_v<X, Y>) {
            const bool own = in_place && is_reusable(x) && x.memory().is_logged() && x.is_contiguous();
            if (own && x.shape() == extents) {
                x.memory().bump_version();
                return x;
            }
        }
        const Y y = Y::uninitialized(extents);
        if (in_place) y.memory().log_writes();
        if (!replaces_all) executor<typename X::device_type>::copy(x, y);
        return y;
    }

   private:
    const Op& self() const { return static_cast<const Op&>(*this); }
    template <class A, int R>
    static auto zeros(const shape<R>& extents) {
        using D = typename A::device_type;
        return detail::expanded(constant_array<tensor<typename A::value_type, 0, D>>({}, 0), extents);
    }
};

/// x with the elements that index arrays name replaced by those of v, one after the other. Of a value that a later one
/// replaces the derivative is 0; Unique promises that there is none.
template <class Spec, bool Unique>
struct put_op : replacing_op<put_op<Spec, Unique>> {
    Spec spec;

    explicit put_op(const Spec& s, bool overwrites = false) : spec(s) { this->in_place = overwrites; }
    template <class X, class V, class... I>
    auto value(const X& x, const V& v, const I&... index) const {
        const auto y = this->target(x, spec.written(x.shape(), v.shape(), index...), false);
        executor<typename X::device_type>::put(spec, y, v, index...);
        return make_pack(y);
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        return call_in_batch<Mapped>(put_op<typename Spec::batched, Unique>(spec.in_batch(), this->in_place), a...);
    }
    /// What comes back to v: of replaced values nothing.
    template <int R, class C, class... I>
    auto kept(const shape<R>& x, const C& y_bar, const I&... index) const {
        const auto v_bar = call1(gather_op<Spec>(spec), y_bar, index...);
        if constexpr (Unique) {
            return v_bar;
        } else {
            constexpr int batch = Spec::batch_rank;
            using space = index_spec<batch + Spec::arrays, Spec::arrays, Spec::index_rank, batch>;
            last_named_op<space> op{{batch, {}}, {}};
            for (int k = 0; k < Spec::arrays; ++k) {
                op.spec.axis[k] = spec.axis[k];
                op.extents[k] = x[spec.at + k];
            }
            const auto last = call1(op, index...);
            auto extents = unit_shape<Spec::rank>();
            for (int d = 0; d < batch; ++d) extents[d] = last.shape()[d];
            for (int d = batch; d < Spec::index_rank; ++d) extents[spec.at + d - batch] = last.shape()[d];
            return evaluate(where(reshaped(last, extents), v_bar, typename C::value_type(0)));
        }
    }
};

/// x with the elements that a view shows, each once, replaced by those of v; x and v broadcast to the shapes of y and
/// of the view.
template <int In, int Out>
struct replace_op : replacing_op<replace_op<In, Out>> {
    view_spec<In, Out> spec;
    shape<In> to;

    replace_op(const view_spec<In, Out>& s, const shape<In>& t, bool overwrites = false) : spec(s), to(t) {
        this->in_place = overwrites;
    }
    template <class X, class V>
    auto value(const X& x, const V& v) const {
        const auto y = this->target(x, to, spec.extents.count() == to.count());
        executor<typename X::device_type>::copy(v, apply_view(spec, y));
        return make_pack(y);
    }
    template <class Mapped, class X, class V>
    auto call_batched(const X& x, const V& v) const {
        const index_t batch = Mapped::at[0] && x.shape()[0] != 1 ? x.shape()[0] : Mapped::at[1] ? v.shape()[0] : 1;
        return call_in_batch<Mapped>(
            replace_op<In + 1, Out + 1>(batched_view(spec, batch), prefixed<In>(batch, to), this->in_place), x, v);
    }
    template <class C>
    auto kept(const shape<In>&, const C& y_bar) const {
        return call1(view_op<In, Out>(spec, to, false), y_bar);
    }
};

}  // namespace ricci::detail
