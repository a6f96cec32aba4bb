// Reductions of few elements: with the axes that stay as rows, which are added up block by block.
#pragma once
#include "item_block.hpp"

#if RICCI_ENGINE_BODIES
namespace ricci::detail {

/// One output, of which every element is a reduction over the same axes. Rows are what lies along the axes that stay,
/// also where memory has them the other way round: they are packed then. Rows shorter than a register go on into the
/// next one, and what is computed of that is left.
class few_sums {
   public:
    explicit few_sums(const row_kernel& kernel) : kernel_(kernel) {}

    /// False, and nothing done, where it is not that case.
    template <class Operand>
    bool run(const Operand* operand, const index_t* extent, int rank, index_t count) {
        if (kernel_.outputs != 1 || kernel_.lanes == 1 || kernel_.inputs > most_inputs || count > most ||
            rank > item_block::most_axes)
            return false;
        const Operand& out = operand[kernel_.inputs];
        if (!kernel_.writes(0) || kernel_.fills(0) || !out.dense) return false;
        find_axes(out, extent, rank);
        if (length_ == 1 || rows_ == 1 || rows_ > most_rows || lies_in_rows(operand, rank)) return false;
        if (!place(operand, extent, rank)) return false;
        add_rows(out);
        return true;
    }

   private:
    static constexpr int most_inputs = 4;
    static constexpr index_t most = 1024;      // elements
    static constexpr index_t most_rows = 256;  // that are added up in the element type, as by the nest
    static constexpr index_t sheet = 16;

    /// The axes that stay, from the innermost one on, then the others.
    template <class Operand>
    void find_axes(const Operand& out, const index_t* extent, int rank) {
        int reduced[item_block::most_axes], n = 0;
        for (int d = rank - 1; d >= 0; --d) {
            const int e = d - (rank - out.rank);
            if (e >= 0 && out.extent[e] == extent[d]) {
                axis_[axes_++] = d;
                length_ *= extent[d];
            } else {
                reduced[n++] = d;
                rows_ *= extent[d];
            }
        }
        for (int i = 0; i < n; ++i) axis_[axes_ + i] = reduced[i];
        kept_ = axes_;
        axes_ += n;
    }
    template <class Operand>
    static index_t stride_of(const Operand& x, int d, int rank) {
        const int e = d - (rank - x.rank);
        if (e < 0 || x.extent[e] == 1) return 0;
        if (x.stride) return x.stride[e];
        index_t dense = 1;
        for (int i = x.rank - 1; i > e; --i) dense *= x.extent[i];
        return dense;
    }
    /// Whether the lines that are added up are rows of their own, long enough for registers.
    template <class Operand>
    bool lies_in_rows(const Operand* operand, int rank) const {
        const int inner = axis_[kept_];
        if (operand[kernel_.inputs].extent == nullptr || rows_ < sheet) return false;
        for (int i = 0; i < kernel_.inputs; ++i) {
            const index_t step = stride_of(operand[i], inner, rank);
            if (step != 0 && step != 1) return false;
        }
        return true;
    }
    /// Where each input's rows are, and their distance.
    template <class Operand>
    bool place(const Operand* operand, const index_t* extent, int rank) {
        n_ = length_ < kernel_.lanes ? kernel_.lanes : length_;
        index_t used = 0;
        for (int i = 0; i < kernel_.inputs; ++i) {
            const Operand& x = operand[i];
            const index_t size = static_cast<index_t>(kernel_.copier[i]->size);
            step_[i] = 1;
            apart_[i] = length_ * size;
            at_[i] = x.data;
            if (x.dense == 1) {
                step_[i] = apart_[i] = 0;
                continue;
            }
            item_block block;
            index_t dense = 1;
            bool in_rows = length_ >= kernel_.lanes && kept_ + 1 == axes_;
            for (int a = 0; a < axes_; ++a) {
                const index_t step = stride_of(x, axis_[a], rank), n = extent[axis_[a]];
                if (n == 1) continue;
                in_rows = in_rows && (a >= kept_ || step == dense);
                dense *= n;
                block.add_axis(n, step);
                if (a == kept_ && in_rows) apart_[i] = step * size;
            }
            if (in_rows) continue;
            apart_[i] = length_ * size;
            const index_t bytes = length_ * rows_ * size, beyond = (n_ - length_) * size;
            if (used + bytes + beyond + 2 * repeat_slack > index_t(sizeof buffer_)) return false;
            at_[i] = buffer_ + used;
            std::memset(at_[i] + bytes, 0, static_cast<std::size_t>(beyond));
            block.move(*kernel_.copier[i], true, x.data, at_[i]);
            used += (bytes + beyond + repeat_slack + 63) & ~index_t(63);
        }
        return true;
    }
    template <class Operand>
    void add_rows(const Operand& out) {
        const output_rules& rules = *kernel_.rules[0];
        alignas(64) std::byte sums[64];
        std::byte* to = length_ < n_ ? sums : out.data;
        const index_t out_step = 1;
        const output_mode mode = output_mode::add;
        rules.clear(to, n_);
        for (index_t left = rows_; left > 0;) {
            const index_t blocks = kernel_.takes_blocks ? left / row_kernel::block : 0;
            const int rows = blocks > 0 ? static_cast<int>(blocks * row_kernel::block) : 1;
            kernel_.run(kernel_.function, row_args{n_, at_, step_, &to, &out_step, &mode, kernel_.merge, rows, apart_});
            for (int i = 0; i < kernel_.inputs; ++i) at_[i] += rows * apart_[i];
            left -= rows;
        }
        if (to == sums) std::memcpy(out.data, sums, static_cast<std::size_t>(length_) * rules.item);
    }

    const row_kernel& kernel_;
    int axes_ = 0, kept_ = 0, axis_[item_block::most_axes];
    index_t length_ = 1, rows_ = 1, n_ = 0;
    std::byte* at_[most_inputs];
    index_t step_[most_inputs], apart_[most_inputs];
    alignas(64) std::byte buffer_[1 << 14];
};

}  // namespace ricci::detail
#endif  // RICCI_ENGINE_BODIES
