// The product of matrices as an op.
#pragma once
#include "../reduce.hpp"
#include "bilinear.hpp"

namespace ricci::detail {

/// Throws shape_error unless the leading extents of two arrays of matrices broadcast.
template <int RA, int RB>
void check_batches(const shape<RA>& a, const shape<RB>& b, const char* op) {
    for (int i = RA < RB ? RA : RB; i >= 3; --i)
        if (a[RA - i] != b[RB - i] && a[RA - i] != 1 && b[RB - i] != 1)
            raise<shape_error>({"[", op, "] the leading dimensions of a ", a, " and b ", b,
                                " must broadcast: ", a[RA - i], " != ", b[RB - i]});
}

/// The product of matrices in the last two axes, of rank 2 or more, the leading axes broadcast. Factors and product may
/// each be transposed: so adjoints are such products too, and lie as what they are the adjoints of.
template <int R>
struct matmul_op : bilinear_op<matmul_op<R>> {
    static constexpr const char* name = "matmul";
    static constexpr int rank = R;
    bool turns_a = false, turns_b = false, turns_c = false;

    template <class A, class B>
    shape<R> result_shape(const A& a, const B& b) const {
        shape<R> batch = a.shape(), other = b.shape();
        for (int i = R - 2; i < R; ++i) batch[i] = other[i] = 1;
        broadcast_into(batch, other);
        batch[R - 2 + turns_c] = a.shape()[R - 2 + turns_a];
        batch[R - 1 - turns_c] = b.shape()[R - 1 - turns_b];
        return batch;
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using D = typename A::device_type;
        auto c = tensor<typename A::value_type, R, D>::uninitialized(result_shape(a, b));
        if (turns_c) executor<D>::matmul(factor(b, !turns_b), factor(a, !turns_a), c);
        else executor<D>::matmul(factor(a, turns_a), factor(b, turns_b), c);
        return make_pack(c);
    }
    template <class A, class B, class C>
    auto left_adjoint(const A& a, const B& b, const C& c_bar) const {
        return product_to(a.shape(), {{}, turns_c, !turns_b, turns_a}, c_bar, b);
    }
    template <class A, class B, class C>
    auto right_adjoint(const A& a, const B& b, const C& c_bar) const {
        return product_to(b.shape(), {{}, !turns_a, turns_c, turns_b}, a, c_bar);
    }
    /// Adds the adjoint of the left factor (K = 0) or of the right one to `to`, which is that factor's shape with any
    /// strides and is plain, as all are; false, and nothing done, where the adjoint is a sum over leading axes.
    template <int K, class X, class A, class B, class C>
    bool add_adjoint(const X& to, const A& a, const B& b, const C& c_bar) const {
        if constexpr (K == 0) return add_product(to, {{}, turns_c, !turns_b, turns_a}, c_bar, b);
        else return add_product(to, {{}, !turns_a, turns_c, turns_b}, a, c_bar);
    }
    matmul_op<R + 1> batched() const { return {{}, turns_a, turns_b, turns_c}; }

   private:
    /// Adds op(x, y) to `to`, unless their leading axes were broadcast. Of one column and one row each element is one
    /// product.
    template <class Z, class X, class Y>
    static bool add_product(const Z& to, const matmul_op& op, const X& x, const Y& y) {
        if (to.shape() != op.result_shape(x, y)) return false;
        const auto sums = factor(to, op.turns_c);
        const bool turns = sums.strides()[R - 1] != 1 && sums.strides()[R - 2] == 1;
        const auto rows = factor(sums, turns);
        if (x.shape()[R - 1 - op.turns_a] == 1 &&
            (turns ? added_outer(factor(y, !op.turns_b), factor(x, !op.turns_a), rows)
                   : added_outer(factor(x, op.turns_a), factor(y, op.turns_b), rows)))
            return true;
        run_map_into(rows + get<0>(matmul_op{{}, op.turns_a, op.turns_b, turns}.value(x, y)), rows);
        return true;
    }
    template <class X, class Y, class Z>
    static bool added_outer(const X& column, const Y& row, const Z& to) {
        using executor_type = executor<typename Z::device_type>;
        if constexpr (requires { executor_type::add_outer(column, row, to); })
            return executor_type::add_outer(column, row, to);
        else return false;
    }
    /// The product of x and y, summed over those leading axes that have the extent 1 in `to`. Over all of them it is
    /// one product, of the rows that lie one after the other in both, and needs no room for the many.
    template <class X, class Y>
    static auto product_to(const shape<R>& to, const matmul_op& op, const X& x, const Y& y) {
        if constexpr (R > 2) {
            const index_t inner = x.shape()[R - 1 - op.turns_a];
            index_t count = 1;
            bool sums_all = true;
            for (int d = 0; d < R - 2; ++d) {
                count *= x.shape()[d];
                sums_all = sums_all && to[d] == 1;
            }
            if (sums_all && count > 1 && (inner == 1 || (op.turns_a && !op.turns_b))) {
                const matmul_op one{{}, true, false, op.turns_c};
                return sum_to(call1(one, stacked(x, count * inner, x.shape()[R - 2 + op.turns_a]),
                                    stacked(y, count * inner, y.shape()[R - 1 - op.turns_b])),
                              to);
            }
        }
        return sum_to(call1(op, x, y), to);
    }
    /// All elements of x as one matrix beside leading axes of extent 1.
    template <class X>
    static auto stacked(const X& x, index_t rows, index_t columns) {
        shape<R> to;
        for (int d = 0; d < R - 2; ++d) to[d] = 1;
        to[R - 2] = rows;
        to[R - 1] = columns;
        return reshaped(x, to);
    }
    /// The matrices of x or their transposes, borrowed.
    template <class X>
    static auto factor(const X& x, bool turns) {
        shape<X::rank> extents = x.shape(), strides = x.strides();
        if (turns) {
            std::swap(extents[X::rank - 2], extents[X::rank - 1]);
            std::swap(strides[X::rank - 2], strides[X::rank - 1]);
        }
        return tensor<typename X::element_type, X::rank, typename X::device_type>(storage(), x.data(), extents,
                                                                                  strides);
    }
};

}  // namespace ricci::detail
