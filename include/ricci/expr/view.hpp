// The two structural ops behind indexing, permute, expand and reshape: an affine view with its transpose, and a
// reshape.
#pragma once
#include <algorithm>
#include <array>

#include "call.hpp"

namespace ricci::detail {

template <class T, class E>
auto evaluate_as(const E& e);  // ops/elementwise/astype.hpp

/// Where each axis of a view comes from: out axis d walks source[d] (or nothing: a new or expanded axis) by step[d];
/// start says where each input axis begins. Several axes may walk one.
template <int In, int Out>
struct view_spec {
    shape<In> start;
    shape<Out> extents;
    shape<Out> step;
    int source[Out > 0 ? Out : 1] = {};
};

/// Nothing moved: the spec of the identity, to be edited.
template <int R>
constexpr view_spec<R, R> identity_view(const shape<R>& extents) {
    view_spec<R, R> v;
    v.extents = extents;
    for (int d = 0; d < R; ++d) {
        v.step[d] = 1;
        v.source[d] = d;
    }
    return v;
}

/// The same view of arrays that have a batch as axis 0.
template <int In, int Out>
constexpr view_spec<In + 1, Out + 1> batched_view(const view_spec<In, Out>& v, index_t batch) {
    view_spec<In + 1, Out + 1> b;
    b.extents[0] = batch;
    b.step[0] = 1;
    b.source[0] = 0;
    for (int d = 0; d < In; ++d) b.start[d + 1] = v.start[d];
    for (int d = 0; d < Out; ++d) {
        b.extents[d + 1] = v.extents[d];
        b.step[d + 1] = v.step[d];
        b.source[d + 1] = v.source[d] < 0 ? -1 : v.source[d] + 1;
    }
    return b;
}

/// The view of a view: `inner` first, then `outer`.
template <int Mid, int In, int Out>
constexpr view_spec<In, Out> composed(const view_spec<In, Mid>& inner, const view_spec<Mid, Out>& outer) {
    view_spec<In, Out> v;
    v.start = inner.start;
    v.extents = outer.extents;
    for (int d = 0; d < Mid; ++d)
        if (inner.source[d] >= 0) v.start[inner.source[d]] += inner.step[d] * outer.start[d];
    for (int d = 0; d < Out; ++d) {
        const int through = outer.source[d];
        v.source[d] = through < 0 ? -1 : inner.source[through];
        v.step[d] = through < 0 ? 0 : outer.step[d] * inner.step[through];
    }
    return v;
}
/// The axes of a view along which elements are shown that its other axes show, too: expanded ones, and, where several
/// walk one axis (windows that slide), all but a largest choice of them that shows every element once.
template <int In, int Out>
constexpr std::array<bool, Out + 1> repeating_axes(const view_spec<In, Out>& v) {
    std::array<bool, Out + 1> repeats{}, seen{};
    const auto pace = [&](int d) { return v.step[d] < 0 ? -v.step[d] : v.step[d]; };
    // whether axis d and the axes kept so far show no element twice: each steps over all that the shorter steps reach
    const auto steps_clear = [&](int d) {
        for (int i = 0; i < Out; ++i) {
            if (v.source[i] != v.source[d] || v.extents[i] == 1 || (i != d && (!seen[i] || repeats[i]))) continue;
            index_t reach = 0;
            for (int j = 0; j < Out; ++j)
                if (j != i && v.source[j] == v.source[d] && (j == d || (seen[j] && !repeats[j])) &&
                    (pace(j) < pace(i) || (pace(j) == pace(i) && j > i)))
                    reach += (v.extents[j] - 1) * pace(j);
            if (pace(i) <= reach) return false;
        }
        return true;
    };
    for (int n = 0; n < Out; ++n) {
        int longest = -1;
        for (int d = 0; d < Out; ++d)
            if (!seen[d] && (longest < 0 || v.extents[d] > v.extents[longest])) longest = d;
        repeats[longest] = v.extents[longest] != 1 && (v.source[longest] < 0 || !steps_clear(longest));
        seen[longest] = true;
    }
    return repeats;
}
/// What an array shows of its memory.
template <int R>
constexpr view_spec<1, R> view_of_memory(const shape<R>& extents, const shape<R>& strides) {
    view_spec<1, R> shown;
    shown.extents = extents;
    shown.step = strides;
    return shown;
}
/// Whether a view shows no element twice.
template <int In, int Out>
constexpr bool shows_once(const view_spec<In, Out>& v) {
    bool walked[In + 1] = {}, shared = false;
    for (int d = 0; d < Out; ++d) {
        if (v.extents[d] == 1) continue;
        if (v.source[d] < 0) return false;
        shared = shared || walked[v.source[d]];
        walked[v.source[d]] = true;
    }
    if (!shared) return true;
    const auto repeats = repeating_axes(v);
    return std::find(repeats.begin(), repeats.end(), true) == repeats.end();
}

template <int In, int Out, class T, class D>
RICCI_INLINE tensor<T, Out, D> apply_view(const view_spec<In, Out>& v, const tensor<T, In, D>& x) {
    shape<Out> strides;
    T* data = x.data();
    if (v.extents.count() > 0)
        for (int d = 0; d < In; ++d) data += v.start[d] * x.strides()[d];
    for (int d = 0; d < Out; ++d) strides[d] = v.source[d] < 0 ? 0 : x.strides()[v.source[d]] * v.step[d];
    return tensor<T, Out, D>(x.memory(), data, v.extents, strides);
}

template <int Q, class A>
auto sum_to(const A& a, const shape<Q>& to);
template <class E, class O>
RICCI_INLINE void run_map_into(const E& e, const O& out);

/// The rules that every linear op of one argument shares.
template <class Op>
struct linear_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = true;
    static constexpr bool merges = false;

    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        const Op& self = static_cast<const Op&>(*this);
        return make_pack(call1(self, *get<0>(inputs)), call1(self, *get<0>(tangents)));
    }
    template <int, class Active, class A, class... D>
    auto expansion(const pack<const A*>& inputs, const pack<const D*...>& series) const {
        const Op& self = static_cast<const Op&>(*this);
        return unpack([&](const auto*... c) { return make_pack(call1(self, *get<0>(inputs)), call1(self, *c)...); },
                      series);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(static_cast<const Op&>(*this).batched(a.shape()[0]), a);
    }
};

template <int In, int Out>
struct unview_op;

/// A part of memory that is written in place under a transform, copied: a share of it would keep it from being written.
/// Where the part is large it is shared nevertheless, and the next write copies what took nearly as long to be read.
template <class T, int R, class D>
tensor<T, R, D> apart_from_writes(const tensor<T, R, D>& part, index_t whole, bool follows) {
    constexpr index_t least_share = 8;
    if (!part.memory().is_logged() || part.size() * least_share > whole) return part;
    const tensor<T, R, D> copy(part.clone());
    if (follows) copy.memory().follow_writes(part.memory());
    return copy;
}

/// A view: x's elements by strides, nothing copied.
template <int In, int Out>
struct view_op : linear_op<view_op<In, Out>> {
    static constexpr const char* name = "view";
    view_spec<In, Out> spec;
    shape<In> from;
    bool sees_writes = true;  // a copied part, too: not one that no name reads

    view_op(const view_spec<In, Out>& s, const shape<In>& f, bool sees = true) : spec(s), from(f), sees_writes(sees) {}
    template <class T, class D>
    auto value(const tensor<T, In, D>& x) const {
        return make_pack(apart_from_writes(apply_view(spec, x), x.size(), sees_writes));
    }
    shape<Out> result_shape() const { return spec.extents; }
    auto transpose() const { return unview_op<In, Out>(spec, from); }
    auto batched(index_t batch) const {
        return view_op<In + 1, Out + 1>(batched_view(spec, batch), prefixed<In>(batch, from), sees_writes);
    }
};

/// The transpose of a view: zeros of the viewed shape with the argument added in through the view.
template <int In, int Out>
struct unview_op : linear_op<unview_op<In, Out>> {
    static constexpr const char* name = "unview";
    view_spec<In, Out> spec;
    shape<In> from;

    unview_op(const view_spec<In, Out>& s, const shape<In>& f) : spec(s), from(f) {}
    template <class T, class D>
    auto value(const tensor<T, Out, D>& y) const {
        // Elements seen many times through an expanded axis are summed first, so that what is left is a plain copy. A
        // view without elements stays so: its other axes may lead anywhere.
        view_spec<In, Out> once = spec;
        for (int d = 0; d < Out; ++d)
            if (once.source[d] < 0 && once.extents[d] > 1) once.extents[d] = 1;
        const auto shown = once.extents == y.shape() ? y : tensor<T, Out, D>(sum_to(y, once.extents));
        if (!shows_once(once)) {
            const auto sums = tensor<compute_t<T>, In, D>::uninitialized(from);
            executor<D>::fill(sums, compute_t<T>(0));
            add_layers(shown, sums, once, repeating_axes(once));
            return make_pack(evaluate_as<T>(sums));
        }
        auto x = tensor<T, In, D>::uninitialized(from);
        if (once.extents.count() != x.size()) executor<D>::fill(x, T(0));
        executor<D>::copy(shown, apply_view(once, x));
        return make_pack(x);
    }
    shape<In> result_shape() const { return from; }
    auto transpose() const { return view_op<In, Out>(spec, from); }
    auto batched(index_t batch) const {
        return unview_op<In + 1, Out + 1>(batched_view(spec, batch), prefixed<In>(batch, from));
    }

   private:
    /// Adds what is shown of elements that several axes show: for each place on the repeating ones in turn, where none
    /// is seen twice. They are passes over all that is shown: of blocks that a cache has room for, where there is one
    /// to speak of.
    template <class T, class S, class D>
    static void add_layers(const tensor<T, Out, D>& y, const tensor<S, In, D>& x, const view_spec<In, Out>& once,
                           const std::array<bool, Out + 1>& repeats) {
        view_spec<Out, Out> layer = identity_view(once.extents);
        index_t layers = once.extents.count() > 0 ? 1 : 0;
        for (int d = 0; d < Out; ++d)
            if (repeats[d]) {
                layers *= once.extents[d];
                layer.extents[d] = 1;
            }
        if constexpr (requires { executor<D>::prefers_blocks(0, 0); }) {
            int d = 0;
            while (d < Out && (repeats[d] || once.extents[d] == 1)) ++d;
            const index_t bytes = once.extents.count() * static_cast<index_t>(sizeof(T));
            if (d < Out && executor<D>::prefers_blocks(bytes, layer.extents.count())) {
                view_spec<Out, Out> part = identity_view(once.extents);
                for (const bool second : {false, true}) {
                    part.start[d] = second ? once.extents[d] / 2 : 0;
                    part.extents[d] = (once.extents[d] + second) / 2;
                    add_layers(apply_view(part, y), x, composed(once, part), repeats);
                }
                return;
            }
        }
        for (index_t i = 0; i < layers; ++i) {
            index_t rest = i;
            for (int d = 0; d < Out; ++d)
                if (repeats[d]) {
                    layer.start[d] = rest % once.extents[d];
                    rest /= once.extents[d];
                }
            const auto part = apply_view(composed(once, layer), x);
            run_map_into(part + apply_view(layer, y), part);
        }
    }
};

/// The same elements in row-major order under another shape: a view where strides allow, else a copy.
template <int In, int Out>
struct reshape_op : linear_op<reshape_op<In, Out>> {
    static constexpr const char* name = "reshape";
    shape<In> from;
    shape<Out> to;

    reshape_op(const shape<In>& f, const shape<Out>& t) : from(f), to(t) {}
    template <class T, class D>
    auto value(const tensor<T, In, D>& x) const {
        shape<Out> strides;
        if (x.is_contiguous() || !strides_after(x, strides)) {
            const auto source = dense_of(x);
            return make_pack(tensor<T, Out, D>(source.memory(), source.data(), to, row_major(to)));
        }
        return make_pack(tensor<T, Out, D>(x.memory(), x.data(), to, strides));
    }
    shape<Out> result_shape() const { return to; }
    auto transpose() const { return reshape_op<Out, In>(to, from); }
    auto batched(index_t batch) const {
        return reshape_op<In + 1, Out + 1>(prefixed<In>(batch, from), prefixed<Out>(batch, to));
    }

   private:
    /// The strides of a view, where there is one: the axes of both shapes fall into groups of equal size, and x's axes
    /// in a group must lie in memory as one axis would. x is not empty.
    template <class T, class D>
    bool strides_after(const tensor<T, In, D>& x, shape<Out>& strides) const {
        index_t extent[In + 1] = {}, stride[In + 1] = {}, wanted[Out + 1] = {};
        for (int d = 0; d < Out; ++d) wanted[d] = to[d];
        int n = 0;
        for (int d = 0; d < In; ++d) {
            if (from[d] == 1) continue;
            extent[n] = from[d];
            stride[n++] = x.strides()[d];
        }
        int o = 0;
        for (int i = 0; i < n; ++i) {
            const int first = o;
            index_t have = extent[i], want = wanted[o++];
            while (have != want) {
                if (want < have) {
                    want *= wanted[o++];
                } else {
                    if (stride[i] != stride[i + 1] * extent[i + 1]) return false;
                    have *= extent[++i];
                }
            }
            strides[o - 1] = stride[i];
            for (int d = o - 1; d > first; --d) strides[d - 1] = strides[d] * wanted[d];
        }
        return true;
    }
};

/// Division by a number, or a product with one, as a linear op: its derivative needs no value, so that a mean's sum may
/// stay uncomputed.
template <class T, int R, bool Divides = true>
struct scale_op : linear_op<scale_op<T, R, Divides>> {
    static constexpr const char* name = Divides ? "scale" : "multiply";
    T number;
    shape<R> extents;

    scale_op(T by, const shape<R>& e) : number(by), extents(e) {}
    template <class X>
    auto value(const X& x) const {
        if constexpr (Divides) return make_pack(evaluate(x / number));
        else return make_pack(evaluate(x * number));
    }
    shape<R> result_shape() const { return extents; }
    auto transpose() const { return *this; }
    auto batched(index_t batch) const { return scale_op<T, R + 1, Divides>(number, prefixed(batch, extents)); }
};

template <int In, int Out, class A>
RICCI_INLINE auto view_of(const A& a, const view_spec<In, Out>& spec) {
    if constexpr (std::is_void_v<typename A::wrapper>) return apply_view(spec, a);
    else return call1(view_op<In, Out>(spec, a.shape()), a);
}

/// `a` under another shape of as many elements; itself when the rank is the same (the callers' shapes then are, too).
template <int R, class A>
auto reshaped(const A& a, const shape<R>& to) {
    if constexpr (A::rank == R) {
        if (a.shape() == to) return a;
    }
    return call1(reshape_op<A::rank, R>(a.shape(), to), a);
}

/// Unit axes inserted before axis 0, up to rank R: (2, 3) -> (1, 2, 3).
template <int R, class A>
decltype(auto) pad_before_first(const A& a) {
    if constexpr (A::rank == R) return (a);
    else return reshaped(a, pad_front<R>(a.shape()));
}
/// Unit axes inserted behind axis 0, up to rank R: (B, 3) -> (B, 1, 3).
template <int R, class A>
decltype(auto) pad_after_first(const A& a) {
    if constexpr (A::rank == R) {
        return (a);
    } else {
        shape<R> to;
        to[0] = a.shape()[0];
        for (int i = 1; i < R; ++i) to[i] = i < R - A::rank + 1 ? 1 : a.shape()[i - (R - A::rank)];
        return reshaped(a, to);
    }
}

}  // namespace ricci::detail
