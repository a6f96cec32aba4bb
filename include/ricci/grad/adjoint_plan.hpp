// Where the adjoints of a fused op's inputs go: into cotangents that exist, and through views to what these view.
#pragma once
#include "../expr/fused.hpp"
#include "graph_value.hpp"

namespace ricci::detail {

/// Views that keep the rank show a value of their own type, which has a place for their cotangents.
template <class Op>
inline constexpr bool is_window_op_v = false;
template <int R>
inline constexpr bool is_window_op_v<view_op<R, R>> = true;

template <int R, int Rank>
output_window<Rank> window_at(const view_spec<R, R>& at, const shape<R>& whole, output_window<Rank> w) {
    const shape<R> steps = row_major(whole);
    w.whole = false;
    w.offset = 0;
    for (int d = 0; d < R; ++d) w.offset += at.start[d] * steps[d];
    for (int d = 0; d < R; ++d) w.strides[Rank - R + d] = at.source[d] < 0 ? 0 : at.step[d] * steps[at.source[d]];
    return w;
}

template <class V>
using view_spec_of = view_spec<decltype(V::extents)::rank, decltype(V::extents)::rank>;
/// The value that v shows, through any number of views of its own type, and in `at` where v lies there: v itself if it
/// is none, or unless `takes()`.
template <class V, class Takes>
V* viewed_by(V* v, backward_pass& pass, view_spec_of<V>& at, const Takes& takes) {
    using spec = view_spec_of<V>;
    void* viewed = nullptr;
    const void* found = v->owner->window(pass, viewed);
    if (!found || !takes()) return v;
    at = *static_cast<const spec*>(found);
    v = static_cast<V*>(viewed);
    while ((found = v->owner->window(pass, viewed))) {
        at = composed(*static_cast<const spec*>(found), at);
        v = static_cast<V*>(viewed);
    }
    return v;
}

/// The extents of the batch axes of arrays that are wrapped as Y, the outermost first: those of an op on such and plain
/// ones.
template <class Y>
struct batch_extents {
    static constexpr int depth =
        std::remove_cvref_t<decltype(innermost_array(std::declval<const Y&>()))>::rank - Y::rank;
    shape<depth> extents = unit_shape<depth>();

    template <class X>
    static constexpr bool agrees = std::is_same_v<chain_of_t<X>, chain_of_t<Y>>;
    template <class X>
    void join(const X& x) {
        if constexpr (!std::is_void_v<typename X::wrapper> && agrees<X>)
            for (int d = 0; d < depth; ++d)
                if (extents[d] == 1) extents[d] = innermost_array(x).shape()[d];
    }
    template <class X>
    bool are_those_of(const X& x) const {
        for (int d = 0; d < depth; ++d)
            if (innermost_array(x).shape()[d] != extents[d]) return false;
        return true;
    }
};

/// For the outputs of the pullback of a fused op of that rank with so many active inputs: whose cotangent each is for,
/// which are the same and added up in registers, which lie in windows, and which are added to a cotangent that exists.
/// Windows and Adds say whether any may. The windows of an op of rank 0 are single elements, of plain arrays: these are
/// added to.
template <int Rank, int Count, bool Windows, bool Adds>
class adjoint_plan {
   public:
    static constexpr bool adds = Adds;
    unsigned char merged[Count + 1];

    /// Output k is for the value v; returns the shape of what comes back. `extents()` are those that the op iterates
    /// over: where adjoints are summed, there are no windows. `fits(c)` tells whether adjoints differ between the same
    /// members of a batch as the cotangent c does.
    template <class V, class Extents, class Fits>
    RICCI_INLINE auto place(int k, V* v, backward_pass& pass, const Extents& extents, const Fits& fits) {
        const int before = std::exchange(last_, k);
        if (before < 0 || given_ != v) {
            given_ = v;
            return place_other(k, v, pass, extents, fits);
        }
        values_[k] = values_[before];
        of_leaf_[k] = of_leaf_[before];
        if constexpr (Adds) into_[k] = into_[before];
        if (any() && !windows_[before].whole) windows_[k] = windows_[before];
        return static_cast<V*>(values_[k])->extents;
    }
    /// Once all are placed.
    void finish() {
        into_[Count] = nullptr;
        of_leaf_[Count] = false;
        if (!any()) return merge_wholes();
        if (in_batch_order_)  // where windows are not
            for (int k = 0; k < Count; ++k) into_[k] = nullptr;
        for (int k = 0; k < Count; ++k) {
            int j = 0;
            while (!same(j, k)) ++j;
            merged[k] = static_cast<unsigned char>(j);
            if (!windows_[k].whole) {
                for (j = 0; windows_[j].whole || values_[j] != values_[k];) ++j;
                windows_[k].home = static_cast<unsigned char>(j);
            }
            if constexpr (Adds) keep_one(k);
        }
    }
    /// Null where no output has a window.
    const output_window<Rank>* through() const { return any() ? windows_ : nullptr; }
    added_arrays into() const { return {Adds ? into_ : nullptr, in_batch_order_}; }
    /// Outputs whose tangents are all that is asked for, where they are duals.
    const bool* without_values(const backward_pass& pass) const { return pass.leaf_values ? nullptr : of_leaf_; }
    /// Whether output k has an array of its own, rather than being part of another one.
    bool is_apart(int k) const { return merged[k] == k && (!any() || windows_[k].home == k); }
    /// Whether that array is one that existed.
    bool is_added(int k) const { return Adds && into_[k]; }
    void* value(int k) const { return values_[k]; }

   private:
    template <class V, class Extents, class Fits>
    auto place_other(int k, V* v, backward_pass& pass, const Extents& extents, const Fits& fits) {
        if constexpr (Windows && Rank > 0) v = open_window(k, v, pass, extents);
        values_[k] = v;
        of_leaf_[k] = !pass.leaf_values && v->owner->is_variable();
        if (!v->cotangent && !pass.is_recent(*v->owner)) v->owner->prefetch();  // among those that follow soon
        if constexpr (Adds) {
            into_[k] = pass.checking ? nullptr : addable(v->cotangent);
            if (into_[k] && !(fits(*v->cotangent) && fits_order(innermost_array(*v->cotangent)))) into_[k] = nullptr;
            if constexpr (Windows && Rank == 0)
                if (!v->cotangent) into_[k] = v->owner->element(pass);
        }
        return v->extents;
    }
    /// Whether the elements of a cotangent are in the order of the others that are added to.
    template <class A>
    bool fits_order(const A& elements) {
        const bool batch_order = !elements.is_contiguous();
        if (!std::exchange(adds_any_, true)) in_batch_order_ = batch_order;
        return batch_order == in_batch_order_;
    }
    /// What v shows, if it is a view.
    template <class V, class Extents>
    V* open_window(int k, V* v, backward_pass& pass, const Extents& extents) {
        view_spec_of<V> at;
        V* const home = viewed_by(v, pass, at, [&] { return v->extents.count() == extents().count(); });
        if (home == v) return v;
        open_windows();
        windows_[k] = window_at(at, home->extents, windows_[k]);
        return home;
    }
    void open_windows() {
        for (int k = 0; k <= Count && !any(); ++k) windows_[k] = {true, static_cast<unsigned char>(k), 0, {}};
        any_ = true;
    }
    /// Whether an output lies in a window.
    bool any() const { return Windows && Rank > 0 && any_; }
    bool same(int j, int k) const {
        if (values_[j] != values_[k]) return false;
        const output_window<Rank>&a = windows_[j], &b = windows_[k];
        return a.whole == b.whole && (a.whole || (a.offset == b.offset && a.strides == b.strides));
    }
    /// Where no output has a window.
    RICCI_INLINE void merge_wholes() {
        for (int k = 0; k < Count; ++k) {
            int j = 0;
            while (values_[j] != values_[k]) ++j;
            merged[k] = static_cast<unsigned char>(j);
            if constexpr (Adds)
                if (j != k) into_[k] = nullptr;
        }
    }
    /// What is whole and what lies in windows is not added to the same array at a time: threads could meet there.
    void keep_one(int k) {
        if (!is_apart(k)) into_[k] = nullptr;
        for (int j = 0; into_[k] && j < k; ++j)
            if (values_[j] == values_[k]) into_[k] = nullptr;
    }
    output_window<Rank> windows_[Count + 1];
    void* values_[Count + 1];
    void* into_[Count + 1];
    bool of_leaf_[Count + 1];
    bool any_ = false, adds_any_ = false, in_batch_order_ = false;
    const void* given_ = nullptr;  // the value that was placed last, and the output that it was for, if any
    int last_ = -1;
};

}  // namespace ricci::detail
