// An axis cut or filled up with zeros, for transforms, filters and bands.
#pragma once
#include "create.hpp"
#include "rearrange.hpp"

namespace ricci::detail {

/// Lines with zeros after their elements; the transpose cuts them off.
template <int R>
struct zero_fill_op : linear_op<zero_fill_op<R>> {
    static constexpr const char* name = "zero_fill";
    int axis;
    shape<R> from, to;

    zero_fill_op(int a, const shape<R>& f, const shape<R>& t) : axis(a), from(f), to(t) {}
    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        const auto y = tensor<std::remove_const_t<T>, R, D>::uninitialized(to);
        auto zeros = transpose().spec;
        executor<D>::copy(x, apply_view(zeros, y));
        zeros.start[axis] = from[axis];
        zeros.extents[axis] = to[axis] - from[axis];
        executor<D>::fill(apply_view(zeros, y), T(0));
        return make_pack(y);
    }
    shape<R> result_shape() const { return to; }
    auto transpose() const { return view_op<R, R>(identity_view(from), to); }
    auto batched(index_t batch) const {
        return zero_fill_op<R + 1>(axis + 1, prefixed(batch, from), prefixed(batch, to));
    }
};
/// `a` cut to n elements along an axis, or filled up with zeros.
template <class A>
A resized_axis(const A& a, int axis, index_t n) {
    const index_t have = a.shape()[axis];
    if (n == have) return a;
    if (n < have) return stretch_of(a, axis, 0, n);
    auto wide = a.shape();
    wide[axis] = n;
    return call1(zero_fill_op<A::rank>(axis, a.shape(), wide), a);
}

}  // namespace ricci::detail
