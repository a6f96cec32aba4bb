// The product of a matrix and a vector as one op: on the tape the axis that the vector lacks would be a vertex, and to
// drop it from the result another one.
#pragma once
#include "matrices.hpp"

namespace ricci::detail {

/// Matrices in the last two axes, of rank R, or with `turns` their transposes, times vectors in the last one; the
/// leading axes broadcast.
template <int R>
struct matvec_op : bilinear_op<matvec_op<R>> {
    static constexpr const char* name = "matmul";
    static constexpr int rank = R - 1;
    bool turns = false;

    template <class A, class X>
    auto value(const A& a, const X& x) const {
        if (turns) return make_pack(index(get<0>(matmul_op<R>{}.value(row(x), a)), ellipsis, 0, all));
        return make_pack(index(get<0>(matmul_op<R>{}.value(a, column(x))), ellipsis, 0));
    }
    template <class A, class X, class Y>
    auto left_adjoint(const A& a, const X& x, const Y& y_bar) const {
        return turns ? matmul_op<R>{}.right_adjoint(row(x), a, row(y_bar))
                     : matmul_op<R>{}.left_adjoint(a, column(x), column(y_bar));
    }
    template <class A, class X, class Y>
    auto right_adjoint(const A& a, const X& x, const Y& y_bar) const {
        return sum_to(call1(matvec_op{{}, !turns}, a, y_bar), x.shape());
    }
    /// As matmul_op's.
    template <int K, class Z, class A, class X, class Y>
    bool add_adjoint(const Z& to, const A& a, const X& x, const Y& y_bar) const {
        const matmul_op<R> op;
        if constexpr (K == 0)
            return turns ? op.template add_adjoint<1>(to, row(x), a, row(y_bar))
                         : op.template add_adjoint<0>(to, a, column(x), column(y_bar));
        else
            return turns ? op.template add_adjoint<0>(row(to), row(x), a, row(y_bar))
                         : op.template add_adjoint<1>(column(to), a, column(x), column(y_bar));
    }
    matvec_op<R + 1> batched() const { return {{}, turns}; }

   private:
    template <class X>
    static auto column(const X& x) {
        return index(x, ellipsis, newaxis);
    }
    template <class X>
    static auto row(const X& x) {
        return index(x, ellipsis, newaxis, all);
    }
};

}  // namespace ricci::detail
