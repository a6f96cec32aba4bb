// Arguments whose leading axes are a batch, by shape: how they broadcast, where their members lie, and one axis more of
// them.
#pragma once
#include "../shape.hpp"

namespace ricci::detail {

/// An argument of an op under vmap with its batch in front, of extent 1 where it has none.
template <bool IsMapped, class A>
auto with_batch_axis(const A& a) {
    if constexpr (IsMapped) return a;
    else return unsqueeze_front(a);
}

/// Such an op for one more leading axis, which the arguments in Mapped have.
template <class Mapped, class Op, class A, class B>
auto call_with_batch(const Op& batched, const A& a, const B& b) {
    return call(batched, with_batch_axis<Mapped::at[0]>(a), with_batch_axis<Mapped::at[1]>(b));
}
/// Where the members of a batch begin in an array whose leading axes broadcast.
template <int Batch, class A>
index_t member_offset(const A& a, const shape<Batch>& batch, index_t member) {
    index_t offset = 0;
    for (int d = Batch - 1; d >= 0; --d) {
        if (a.shape()[d] != 1) offset += member % batch[d] * a.strides()[d];
        member /= batch[d];
    }
    return offset;
}
/// The same array, or a copy, with dense members.
template <int Batch, class A>
A dense_members(const A& a) {
    index_t step = 1;
    for (int d = A::rank - 1; d >= Batch; --d) {
        if (a.shape()[d] != 1 && a.strides()[d] != step) return A(a.clone());
        step *= a.shape()[d];
    }
    return a;
}
/// The batch of two arguments together.
template <int Batch, class A, class B>
shape<Batch> common_batch(const A& a, const B& b) {
    shape<Batch> batch, other;
    for (int d = 0; d < Batch; ++d) {
        batch[d] = a.shape()[d];
        other[d] = b.shape()[d];
    }
    broadcast_into(batch, other);
    return batch;
}
/// The shape of an array of members in that batch.
template <int Batch, int N>
shape<Batch + N> batch_of(const shape<Batch>& batch, const shape<N>& member) {
    shape<Batch + N> y;
    for (int d = 0; d < Batch; ++d) y[d] = batch[d];
    for (int d = 0; d < N; ++d) y[Batch + d] = member[d];
    return y;
}

}  // namespace ricci::detail
