// A map over the elements of a matrix product, computed block by block as the product completes them.
#pragma once
#include "../core/shape.hpp"
#include "bind.hpp"
#include "gemm/problem.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// A kernel whose operands, inputs before the one output, broadcast to a product's shape; an input without data is the
/// product itself. The output may be the product's own memory.
class product_map : public gemm_epilogue {
   public:
    static constexpr int most_operands = 16;

    product_map(const row_kernel& kernel, const operand_ref* operands, const void* product)
        : gemm_epilogue{take_block, product}, kernel_(kernel), operands_(kernel.inputs + 1) {
        const operand_ref& result = operands[kernel.inputs];
        for (int o = 0; o < operands_; ++o) data_[o] = operands[o].data;
        for (int d = result.rank - 1; d >= 0; --d)
            if (result.extent[d] != 1 || (d == 0 && axes_ == 0)) add_axis(operands, d, result.rank);
    }

   private:
    static void take_block(const gemm_epilogue& self, const void* values, index_t values_row, index_t at, index_t rows,
                           index_t columns, index_t row) {
        static_cast<const product_map&>(self).take_runs(static_cast<const std::byte*>(values), values_row, at, rows,
                                                        columns, row);
    }
    /// Axis d of the result, outside of those before: joined with the last one where all operands let it.
    void add_axis(const operand_ref* operand, int d, int rank) {
        index_t step[most_operands];
        const index_t n = operand[kernel_.inputs].extent[d];
        bool joins = axes_ > 0;
        for (int o = 0; o < operands_; ++o) {
            const operand_ref& x = operand[o];
            const int e = d - (rank - x.rank);
            step[o] = 0;
            if (o == kernel_.inputs || !x.data) step[o] = count_;
            else if (e >= 0 && x.extent[e] != 1) step[o] = x.stride[e];
            joins = joins && step[o] == step_[axes_ - 1][o] * extent_[axes_ - 1];
        }
        count_ *= n;
        if (joins) {
            extent_[axes_ - 1] *= n;
            return;
        }
        extent_[axes_] = n;
        for (int o = 0; o < operands_; ++o) step_[axes_][o] = step[o];
        ++axes_;
    }
    index_t item(int operand) const { return static_cast<index_t>(kernel_.copier[operand]->size); }
    index_t value_item() const {
        for (int o = 0; o < kernel_.inputs; ++o)
            if (!data_[o]) return item(o);
        return 0;  // the map does not look at the product
    }

    /// Runs of a result that lies as the map's innermost axis, or as one axis, are a block; others are taken apart.
    void take_runs(const std::byte* values, index_t values_row, index_t at, index_t rows, index_t columns,
                   index_t row) const {
        if (rows > 1 && row == columns && values_row == columns) {
            columns *= rows;
            rows = 1;
        }
        const index_t line = extent_[0];
        if (axes_ == 1 || ((rows == 1 || row == line) && (at == 0 ? 0 : at % line) + columns <= line))
            return take_lines(values, values_row, at, rows, columns, row);
        for (; rows > 0; --rows, at += row, values += values_row * value_item())
            for (index_t done = 0, some; done < columns; done += some) {
                const index_t left = columns - done, column = (at + done) % line;
                const bool whole = column == 0 && left >= line;
                some = whole ? left / line * line : least(left, line - column);
                take_lines(values + done * value_item(), whole ? line : some, at + done, whole ? some / line : 1,
                           whole ? line : some, line);
            }
    }
    /// A block within lines along the innermost axis; lines of one index of the axes beyond the second are one call.
    void take_lines(const std::byte* values, index_t values_row, index_t at, index_t rows, index_t columns,
                    index_t row) const {
        index_t index[max_loop_rank] = {at};
        if (axes_ == 1 || (at == 0 && rows <= extent_[1])) return run(values, values_row, index, row, rows, columns);
        index[0] = at % extent_[0];
        index_t line = at / extent_[0];
        for (index_t some; rows > 0; rows -= some, line += some) {
            index_t rest = line;
            for (int d = 1; d < axes_; rest /= extent_[d++]) index[d] = rest % extent_[d];
            some = least(rows, extent_[1] - index[1]);
            run(values, values_row, index, row, some, columns);
            values += some * values_row * value_item();
        }
    }
    /// The kernel on one block, whose first element is at `index`.
    void run(const std::byte* values, index_t values_row, const index_t* index, index_t row, index_t rows,
             index_t columns) const {
        index_t extents[most_operands][2], strides[most_operands][2];
        operand_ref operand[most_operands];
        for (int o = 0; o < operands_; ++o) {
            std::byte* data = data_[o];
            if (data) {
                for (int d = 0; d < axes_; ++d) data += index[d] * step_[d][o] * item(o);
                strides[o][0] = axes_ == 1 ? row * step_[0][o] : step_[1][o];
                strides[o][1] = step_[0][o];
            } else {
                data = const_cast<std::byte*>(values);
                strides[o][0] = values_row;
                strides[o][1] = 1;
            }
            index_t* const extent = extents[o];
            extent[0] = strides[o][0] == 0 ? 1 : rows;
            extent[1] = strides[o][1] == 0 ? 1 : columns;
            const bool dense = (extent[1] == 1 || strides[o][1] == 1) && (extent[0] == 1 || strides[o][0] == extent[1]);
            operand[o] = {data, extent, strides[o], 2, dense ? extent[0] * extent[1] : 0};
        }
        run_kernel(kernel_, operand);
    }

    const row_kernel& kernel_;
    const int operands_;
    int axes_ = 0;
    index_t count_ = 1;
    index_t extent_[max_loop_rank];  // innermost first
    std::byte* data_[most_operands];
    index_t step_[max_loop_rank][most_operands];
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
