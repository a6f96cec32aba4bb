// Where the adjoints of a fused op's inputs go: those of inputs that are views go to what these view, in the same pass.
#pragma once
#include "../expr/fused.hpp"
#include "graph_value.hpp"

namespace ricci::detail {

/// merged[n]: the first of the identities (null ones left out) that equals the n-th.
inline void find_equal(const void* const* ids, int count, unsigned char* merged) {
    for (int i = 0; i < count; ++i) {
        if (!ids[i]) continue;
        int k = 0;
        for (int j = 0; ids[j] != ids[i]; ++j) k += ids[j] != nullptr;
        *merged++ = static_cast<unsigned char>(k);
    }
}
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

/// For the outputs of the pullback of a fused op of that rank with so many active inputs: whose cotangent each is for, which
/// are the same and added up in registers, and which lie in windows.
template <int Rank, int Count>
class window_plan {
   public:
    unsigned char merged[Count + 1];
    output_window<Rank> windows[Count + 1];

    /// Output k is for the value v; returns the shape of what comes back. `extents` are those that the op iterates over: where
    /// adjoints are summed, there are no windows.
    template <class V>
    auto place(int k, V* v, backward_pass& pass, const shape<Rank>& extents) {
        windows[k] = {true, static_cast<unsigned char>(k), 0, {}};
        void* viewed = nullptr;
        if (const void* spec = v->owner->window(pass, viewed); spec && v->extents.count() == extents.count()) {
            constexpr int rank = decltype(v->extents)::rank;
            using spec_type = view_spec<rank, rank>;
            spec_type at = *static_cast<const spec_type*>(spec);
            v = static_cast<V*>(viewed);
            while ((spec = v->owner->window(pass, viewed))) {
                at = composed(*static_cast<const spec_type*>(spec), at);
                v = static_cast<V*>(viewed);
            }
            windows[k] = window_at(at, v->extents, windows[k]);
            any_ = true;
        }
        values_[k] = v;
        return v->extents;
    }
    /// Once all are placed.
    void finish() {
        windows[Count] = {true, Count, 0, {}};
        for (int k = 0; k < Count; ++k) {
            int j = 0;
            while (!same(j, k)) ++j;
            merged[k] = static_cast<unsigned char>(j);
            if (windows[k].whole) continue;
            for (j = 0; windows[j].whole || values_[j] != values_[k];) ++j;
            windows[k].home = static_cast<unsigned char>(j);
        }
    }
    /// Null where no output has a window.
    const output_window<Rank>* through() const { return any_ ? windows : nullptr; }
    /// Whether output k comes back, rather than in another one.
    bool comes_back(int k) const { return merged[k] == k && windows[k].home == k; }
    void* value(int k) const { return values_[k]; }

   private:
    bool same(int j, int k) const {
        const output_window<Rank>&a = windows[j], &b = windows[k];
        if (values_[j] != values_[k] || a.whole != b.whole) return false;
        return a.whole || (a.offset == b.offset && a.strides == b.strides);
    }
    void* values_[Count + 1];
    bool any_ = false;
};

}  // namespace ricci::detail
