// Matrix products as BLAS wants them: column-major, transposed or not, in batches with constant steps.
#pragma once
#include "kernel.hpp"

namespace ricci::detail {

/// One call of a strided batched gemm, column-major: C (m x n) = op(A) (m x k) op(B) (k x n), in elements.
struct gemm_call {
    std::int64_t m, n, k;
    bool transpose_a, transpose_b;
    std::int64_t lda, ldb, ldc;
    std::int64_t a_step, b_step, c_step, batch;
};

/// How a row-major matrix by strides looks to column-major BLAS, which is to read its transpose.
struct gemm_operand {
    bool fits = false;       // otherwise it must be copied first
    bool transpose = false;  // a column-major matrix in memory
    std::int64_t leading = 1;

    gemm_operand(index_t rows, index_t columns, index_t row_step, index_t column_step) {
        if (columns == 1 || column_step == 1) {
            leading = rows == 1 ? columns : row_step;
            fits = leading >= columns;
        }
        if (!fits && (rows == 1 || row_step == 1)) {
            transpose = true;
            leading = columns == 1 ? rows : column_step;
            fits = leading >= rows;
        }
    }
};
template <class X>
gemm_operand as_gemm_operand(const X& x) {
    constexpr int R = X::rank;
    return {x.shape()[R - 2], x.shape()[R - 1], x.strides()[R - 2], x.strides()[R - 1]};
}

/// Calls gemm(call, x, y, z) until z, the contiguous and not empty `c`, is the product of `a` and `b`. BLAS computes
/// the transpose c^T = b^T a^T, so that its A is `b` and its B is `a`: x points into `b`, y into `a`.
template <class A, class B, class C, class Gemm>
void for_each_gemm(const A& a, const B& b, const C& c, const Gemm& gemm) {
    const gemm_operand left = as_gemm_operand(a), right = as_gemm_operand(b);
    if (!left.fits) return for_each_gemm(a.clone(), b, c, gemm);
    if (!right.fits) return for_each_gemm(a, b.clone(), c, gemm);
    constexpr int R = C::rank;
    axis_table<3, R> axes;
    axes.bind(0, a);
    axes.bind(1, b);
    axes.bind(2, c);
    strided_loop<3, R> outer, batch;
    for (int d = 0; d + 2 < R; ++d) batch.append(c.shape()[d], axes.step[d]);
    gemm_call call{c.shape()[R - 1],
                   c.shape()[R - 2],
                   a.shape()[A::rank - 1],
                   right.transpose,
                   left.transpose,
                   right.leading,
                   left.leading,
                   c.shape()[R - 1],
                   0,
                   0,
                   0,
                   1};
    if (batch.rank > 0) {
        const int last = batch.rank - 1;
        for (int d = 0; d < last; ++d) outer.append(batch.extent[d].value, batch.stride[d]);
        call.a_step = batch.stride[last][1];
        call.b_step = batch.stride[last][0];
        call.c_step = batch.stride[last][2];
        call.batch = batch.extent[last].value;
    }
    for (index_t i = 0; i < outer.count; ++i) {
        index_t offset[3] = {};
        outer.add_offsets(i, offset);
        gemm(call, b.data() + offset[1], a.data() + offset[0], c.data() + offset[2]);
    }
}

}  // namespace ricci::detail
