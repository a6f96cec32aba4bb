// Reductions of few elements: with the axes that stay as rows, which are added up block by block.
#pragma once
#include <algorithm>

#include "item_block.hpp"

#if RICCI_ENGINE_BODIES
namespace ricci::detail {

/// One output, of which every element is a reduction over the same axes. Rows are what lies along the axes that stay,
/// also where memory has them the other way round: they are packed then. Rows shorter than a register go on into the
/// next one, and what is computed of that is left. More elements, of which no axis makes long rows, are taken in pieces
/// of the outermost axis that stays.
class few_sums {
   public:
    explicit few_sums(const row_kernel& kernel) : kernel_(kernel) {}

    /// False, and nothing done, where it is not that case.
    template <class Operand>
    bool run(const Operand* operand, const index_t* extent, int rank, index_t count) {
        if (kernel_.outputs != 1 || kernel_.lanes == 1 || kernel_.inputs > most_inputs || count > most_in_pieces ||
            rank > item_block::most_axes)
            return false;
        const Operand& out = operand[kernel_.inputs];
        if (!kernel_.writes(0) || kernel_.fills(0) || !out.dense) return false;
        find_axes(out, extent, rank);
        if (length_ == 1 || rows_ == 1 || rows_ > most_rows || lies_in_rows(operand, rank)) return false;
        if (count > most && makes_long_rows(operand, extent, rank, count)) return false;
        find_twins(operand, rank);
        const index_t longest = longest_piece(operand);
        if (count > longest && count <= most && makes_long_rows(operand, extent, rank, count)) return false;
        index_t extents[item_block::most_axes];
        std::copy_n(extent, rank, extents);
        const int along = outermost(extent);
        const index_t n = extent[along], inside = length_ / n;
        const index_t together = count > longest ? longest / (count / n) : n;
        if (together == 0) return false;
        const index_t pieces = (n + together - 1) / together, stretch = (n + pieces - 1) / pieces;
        for (index_t from = 0; from < n; from += stretch) {
            const bool again = from > 0 && n - from >= stretch;
            extents[along] = std::min(stretch, n - from);
            length_ = inside * extents[along];
            if (!place(operand, extents, rank, along, from, again)) return false;
            add_rows(out.data + from * inside * static_cast<index_t>(kernel_.rules[0]->item));
        }
        return true;
    }

   private:
    static constexpr int most_inputs = 4;
    static constexpr index_t most = 1024;  // elements of a piece
    static constexpr index_t most_in_pieces = index_t(1) << 15, long_row = 48, longest_row = 1000, enough_columns = 5;
    static constexpr index_t most_rows = 256;  // that are added up in the element type, as by the nest
    static constexpr index_t sheet = 16;

    /// The elements that there is room for, should all inputs be packed.
    template <class Operand>
    index_t longest_piece(const Operand* operand) const {
        index_t bytes = 0, room = sizeof buffer_;
        for (int i = 0; i < kernel_.inputs; ++i) {
            if (twin_[i] < i || operand[i].dense == 1) continue;
            bytes += static_cast<index_t>(kernel_.copier[i]->size);
            room -= 2 * repeat_slack + 128;
        }
        return bytes == 0 ? most : std::min(most, room / bytes);
    }
    /// Whether the nest finds rows that it need not pack, or such long ones that it may.
    template <class Operand>
    bool makes_long_rows(const Operand* operand, const index_t* extent, int rank, index_t count) const {
        bool whole = false;  // an input, of which columns are not worth packing
        for (int i = 0; i < kernel_.inputs; ++i) whole = whole || operand[i].dense == count;
        if (columns(operand, extent, rank) >= (whole ? 2 : enough_columns)) return true;
        for (int a = 0; a < axes_; ++a) {
            const index_t n = extent[axis_[a]];
            if (n >= longest_row || (n >= long_row && is_flat(operand, axis_[a], rank))) return true;
        }
        return false;
    }
    /// How many neighbours in the output come from neighbours in each input, or from one element.
    template <class Operand>
    index_t columns(const Operand* operand, const index_t* extent, int rank) const {
        index_t n = 1;
        bool moves[most_inputs] = {};
        for (int a = 0; a < kept_; n *= extent[axis_[a++]]) {
            if (extent[axis_[a]] == 1) continue;
            for (int i = 0; i < kernel_.inputs; ++i) {
                const index_t step = stride_of(operand[i], axis_[a], rank);
                if (n == 1) moves[i] = step != 0;
                if (step != (moves[i] ? n : 0)) return n;
            }
        }
        return n;
    }
    /// Whether all inputs lie side by side along an axis or stay put.
    template <class Operand>
    bool is_flat(const Operand* operand, int d, int rank) const {
        for (int i = 0; i < kernel_.inputs; ++i) {
            const index_t step = stride_of(operand[i], d, rank);
            if (step != 0 && step != 1) return false;
        }
        return true;
    }
    /// The outermost axis that stays and is longer than 1.
    int outermost(const index_t* extent) const {
        int a = kept_ - 1;
        while (extent[axis_[a]] == 1) --a;
        return axis_[a];
    }
    /// For each input an earlier one that is the same elements, or itself.
    template <class Operand>
    void find_twins(const Operand* operand, int rank) {
        for (int i = 0; i < kernel_.inputs; ++i) {
            twin_[i] = i;
            for (int p = 0; p < i && twin_[i] == i; ++p) {
                if (operand[p].data != operand[i].data || kernel_.copier[p] != kernel_.copier[i]) continue;
                int d = 0;
                while (d < rank && stride_of(operand[p], d, rank) == stride_of(operand[i], d, rank)) ++d;
                if (d == rank) twin_[i] = p;
            }
        }
    }
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
        return operand[kernel_.inputs].extent && rows_ >= sheet && is_flat(operand, inner, rank);
    }
    /// Where each input's rows are in the piece from some place on along an axis, and their distance. What the piece
    /// before it has `again` is still packed.
    template <class Operand>
    bool place(const Operand* operand, const index_t* extent, int rank, int along, index_t from, bool again) {
        n_ = length_ < kernel_.lanes ? kernel_.lanes : length_;
        index_t used = 0;
        for (int i = 0; i < kernel_.inputs; ++i) {
            const Operand& x = operand[i];
            const index_t size = static_cast<index_t>(kernel_.copier[i]->size);
            if (twin_[i] < i) {
                step_[i] = step_[twin_[i]];
                apart_[i] = apart_[twin_[i]];
                at_[i] = at_[twin_[i]];
                continue;
            }
            const index_t moves = stride_of(x, along, rank);
            step_[i] = 1;
            apart_[i] = length_ * size;
            std::byte* const begin = x.data + from * moves * size;
            at_[i] = begin;
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
            if (!again || moves != 0) {
                std::memset(at_[i] + bytes, 0, static_cast<std::size_t>(beyond));
                block.move(*kernel_.copier[i], true, begin, at_[i]);
            }
            used += (bytes + beyond + repeat_slack + 63) & ~index_t(63);
        }
        return true;
    }
    void add_rows(std::byte* out) {
        const output_rules& rules = *kernel_.rules[0];
        alignas(64) std::byte sums[64];
        std::byte* to = length_ < n_ ? sums : out;
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
        if (to == sums) std::memcpy(out, sums, static_cast<std::size_t>(length_) * rules.item);
    }

    const row_kernel& kernel_;
    int axes_ = 0, kept_ = 0, axis_[item_block::most_axes];
    index_t length_ = 1, rows_ = 1, n_ = 0;
    std::byte* at_[most_inputs];
    int twin_[most_inputs];
    index_t step_[most_inputs], apart_[most_inputs];
    alignas(64) std::byte buffer_[1 << 14];
};

}  // namespace ricci::detail
#endif  // RICCI_ENGINE_BODIES
