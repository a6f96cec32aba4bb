// Few elements, or short rows: many of them as one row, for which operands that do not lie so are packed.
#pragma once
#include <algorithm>

#include "common_axes.hpp"
#include "item_block.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// Maps, whose outputs have an element for each place. A tile, which is whole axes from the innermost one on and a
/// stretch of one more, is run as one row. An operand is in it as it lies where its elements are side by side, or the
/// same throughout.
class tile_loop {
   public:
    tile_loop(const row_kernel& kernel, const common_axes& merged)
        : kernel_(kernel),
          operands_(kernel.inputs + kernel.outputs),
          merged_(merged),
          axes_(merged.axes),
          extent_(merged.extent),
          stride_(merged.stride) {}

    /// False, and nothing done, where rows are better taken as they are.
    bool run(const operand_ref* operand, index_t count) {
        if (axes_ == 0 || axes_ > most_axes || !is_better(count) || !stores_all()) return false;
        for (int o = 0; o < operands_; ++o) data_[o] = operand[o].data;
        choose_tile();
        place();
        walk();
        return true;
    }

   private:
    static constexpr int most_operands = common_axes::most_operands, most_axes = item_block::most_axes;
    static constexpr index_t few = 1024;  // elements, for which the nest's preparations take longer than they do
    static constexpr index_t longest_tile = 512, buffer_bytes = index_t(1) << 14;

    bool is_used(int o) const { return o < kernel_.inputs || kernel_.writes(o - kernel_.inputs); }
    index_t item(int o) const { return static_cast<index_t>(kernel_.copier[o]->size); }
    /// Whether each output has new elements, one for each place.
    bool stores_all() const {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (kernel_.fills(k)) return false;
            for (int d = 0; d < axes_ && kernel_.writes(k); ++d)
                if (stride_[kernel_.inputs + k][d] == 0) return false;
        }
        return true;
    }
    /// Whether rows as they lie are short, or would go through buffers after all.
    bool is_better(index_t count) const {
        constexpr index_t sheet = 16, longest = 64;
        if (axes_ == 1) return true;
        if (extent_[0] >= sheet && (axes_ == 2 || count > few) && merged_.is_flat(operands_, 0)) return false;
        for (int d = 1; d < axes_ && count > few; ++d)  // batches that lie member by member
            if (extent_[d] >= longest && merged_.is_flat(operands_, d)) return false;
        return count <= few || extent_[0] < longest;
    }
    bool takes_steps() const { return kernel_.any_step && axes_ == 1; }
    void choose_tile() {
        index_t bytes = 0;
        for (int o = 0; o < operands_; ++o)
            if (!is_dense(o, axes_) && !is_still(o, axes_)) bytes += item(o);
        if (bytes == 0 || takes_steps()) {
            whole_ = axes_;
            inside_ = 1;
            for (int d = 0; d < axes_; ++d) inside_ *= extent_[d];
            return;
        }
        const index_t longest = std::min(longest_tile, (buffer_bytes - 2 * repeat_slack * operands_) / bytes);
        for (; whole_ < axes_ && inside_ * extent_[whole_] <= longest; ++whole_) inside_ *= extent_[whole_];
        if (whole_ == axes_) return;
        const index_t n = extent_[whole_], together = std::max<index_t>(1, longest / inside_);
        const index_t tiles = (n + together - 1) / together;
        stretch_ = (n + tiles - 1) / tiles;
    }
    /// Whether an operand's elements lie side by side along the first axes, or stay the same.
    bool is_dense(int o, int axes) const {
        index_t next = 1;
        for (int d = 0; d < axes; ++d) {
            if (stride_[o][d] != next) return false;
            next *= extent_[d];
        }
        return true;
    }
    bool is_still(int o, int axes) const {
        for (int d = 0; d < axes; ++d)
            if (stride_[o][d] != 0) return false;
        return true;
    }
    /// How each operand is in the tiles, and where it is packed.
    void place() {
        const index_t n = inside_ * stretch_;
        const int axes = whole_ + (stretch_ > 1);
        if (whole_ == axes_ && n < kernel_.lanes) padded_ = kernel_.lanes;
        index_t used = 0;
        for (int o = 0; o < operands_; ++o) {
            packed_[o] = nullptr;
            step_[o] = 0;
            if (o >= kernel_.inputs) mode_[o - kernel_.inputs] = is_used(o) ? output_mode::store : output_mode::skip;
            if (is_still(o, axes)) continue;
            step_[o] = takes_steps() ? stride_[o][0] : 1;
            if (takes_steps() || (is_dense(o, axes) && !padded_)) continue;
            packed_[o] = buffer_ + used;
            const index_t bytes = (std::max(n, padded_) * item(o) + 63) & ~index_t(63);
            if (padded_) std::memset(packed_[o], 0, static_cast<std::size_t>(bytes));
            used += bytes + repeat_slack;
        }
    }
    void walk() {
        const bool split = whole_ < axes_;
        const index_t n = split ? extent_[whole_] : 1;
        index_t index[most_axes] = {};
        for (bool first = true;;) {
            for (index_t from = 0; from < n; from += stretch_) {
                run_tile(split ? from : 0, std::min(stretch_, n - from), first);
                first = false;
            }
            int d = whole_ + 1;
            for (; d < axes_; ++d) {
                const index_t by = ++index[d] < extent_[d] ? 1 : 1 - extent_[d];
                for (int o = 0; o < operands_; ++o) data_[o] += by * stride_[o][d] * item(o);
                if (by == 1) break;
                index[d] = 0;
            }
            if (d >= axes_) return;
        }
    }
    void run_tile(index_t from, index_t stretch, bool first) {
        std::byte *at[most_operands], *row[most_operands];
        for (int o = 0; o < operands_; ++o) {
            at[o] = data_[o];
            if (from) at[o] += from * stride_[o][whole_] * item(o);
            row[o] = packed_[o] ? packed_[o] : at[o];
            if (packed_[o] && o < kernel_.inputs && (first || !is_repeated(o)))
                move(true, o, at[o], first ? stretch_ : stretch);
        }
        const index_t n = padded_ ? padded_ : inside_ * stretch;
        kernel_.run(kernel_.function,
                    row_args{n, row, step_, row + kernel_.inputs, step_ + kernel_.inputs, mode_, kernel_.merge});
        for (int o = kernel_.inputs; o < operands_; ++o)
            if (packed_[o]) move(false, o, at[o], stretch);
    }
    /// Whether all tiles are the same to an operand.
    bool is_repeated(int o) const {
        for (int d = whole_; d < axes_; ++d)
            if (stride_[o][d] != 0) return false;
        return true;
    }

    /// Packs an operand's elements of a tile, or puts them where they belong.
    void move(bool pack, int o, std::byte* at, index_t stretch) const {
        item_block block;
        for (int d = 0; d < axes_ && d <= whole_; ++d)
            block.add_axis(d == whole_ ? stretch : extent_[d], stride_[o][d]);
        block.move(*kernel_.copier[o], pack, at, packed_[o]);
    }

    const row_kernel& kernel_;
    const int operands_;
    const common_axes& merged_;
    const int axes_;
    const index_t* const extent_;
    const index_t (*const stride_)[max_loop_rank];
    int whole_ = 0;                     // axes of a tile
    index_t inside_ = 1, stretch_ = 1;  // their elements, and the stretch of the next one
    index_t padded_ = 0;                // elements of a tile that is shorter than a register
    std::byte *data_[most_operands], *packed_[most_operands];
    index_t step_[most_operands];
    output_mode mode_[most_operands];
    alignas(64) std::byte buffer_[buffer_bytes];
};

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
