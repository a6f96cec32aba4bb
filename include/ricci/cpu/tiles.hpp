// Few elements, or short rows: many of them as one row, for which operands that do not lie so are packed.
#pragma once
#include <algorithm>

#include "common_axes.hpp"
#include "item_block.hpp"
#include "thread_pool.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// Maps and sums. A tile, which is whole axes from the innermost one on and a stretch of one more, is run as one row.
/// An operand is in it as it lies where its elements are side by side, or the same throughout; what is added up is
/// joined to its place after the tile.
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
        if (axes_ == 0 || axes_ > most_axes) return false;
        if (!find_outputs(count > few) || !is_better(count)) return false;
        operand_ = operand;
        choose_tile();
        if (!flushes_seldom() || !split(count)) return false;
        place();
        if (adds_) prepare_sums();
        parallel_for(chunks_, run_chunk, this);
        if (adds_) finish_sums();
        return true;
    }

   private:
    class tiles;
    static void run_chunk(void* self, index_t chunk);
    static constexpr int most_operands = common_axes::most_operands, most_axes = item_block::most_axes;
    static constexpr index_t few = 1024;  // elements, for which the nest's preparations take longer than they do
    static constexpr index_t longest_tile = 512, buffer_bytes = index_t(1) << 14;
    static constexpr index_t most_joined = 256;  // elements that are added up in the element type, as by the loop

    index_t item(int o) const { return static_cast<index_t>(kernel_.copier[o]->size); }
    /// How many elements meet in each of an output, along axes up to one.
    index_t joined(int o, int axes) const {
        index_t n = 1;
        for (int d = 0; d < axes; ++d)
            if (stride_[o][d] == 0) n *= extent_[d];
        return n;
    }
    /// Which outputs are added up, or to what their memory holds; of more than a few elements, in wide accumulators.
    /// False where that `may_add` not be.
    bool find_outputs(bool may_add) {
        for (int k = 0; k < kernel_.outputs; ++k) {
            const int o = kernel_.inputs + k;
            mode_[k] = output_mode::skip;
            is_wide_[k] = false;
            if (!kernel_.writes(k)) continue;
            const index_t n = joined(o, axes_);
            mode_[k] = output_mode::store;
            if (n == 1 && !kernel_.fills(k)) continue;
            if (!may_add) return false;
            adds_ = true;
            mode_[k] = n > 1 && is_still(o, axes_) ? output_mode::total : output_mode::add;
            is_wide_[k] = n > most_joined || mode_[k] == output_mode::total;
        }
        return true;
    }
    /// Whether rows as they lie are short, or would go through buffers after all.
    bool is_better(index_t count) const {
        constexpr index_t sheet = 16, longest = 64, sheet_elements = 512;
        if (axes_ == 1) return count <= most_flat && !adds_;
        if (adds_ && !joins_well()) return false;
        if (count <= few && axes_ > 2) return true;
        const bool flat = merged_.is_flat(operands_, 0);
        if (flat && extent_[0] >= sheet && (axes_ == 2 || extent_[0] * extent_[1] > sheet_elements)) return false;
        if (count <= few) return true;
        if (extent_[0] >= longest || (!flat && (adds_ || count > most_flat))) return false;
        for (int d = 1; d < axes_; ++d)  // batches that lie member by member
            if (extent_[d] >= longest && merged_.is_flat(operands_, d)) return false;
        return true;
    }
    /// Whether what is added up is worth the way through memory: very short rows have faster ones, and cheap sums have
    /// columns.
    bool joins_well() const {
        constexpr index_t shortest = 4, shortest_line = 6;
        bool lines = kernel_.lanes == 1;
        for (int k = 0; k < kernel_.outputs; ++k)
            lines = lines || (mode_[k] == output_mode::add && stride_[kernel_.inputs + k][0] == 0);
        if (!lines && kernel_.columns && 4 * extent_[0] >= kernel_.lanes) return false;
        return lines ? extent_[0] >= shortest_line && axes_ > 2 : extent_[0] >= shortest || kernel_.columns;
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
        const index_t pieces = (n + together - 1) / together;
        stretch_ = (n + pieces - 1) / pieces;
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
    index_t joined_in_tile(int o) const {
        const index_t last = whole_ < axes_ && stride_[o][whole_] == 0 ? stretch_ : 1;
        return joined(o, whole_) * last;
    }
    /// Whether wide accumulators are few beside the tiles between two times that they take up sums.
    bool flushes_seldom() const {
        for (int k = 0; k < kernel_.outputs && adds_; ++k) {
            const int o = kernel_.inputs + k;
            if (is_wide_[k] && mode_[k] == output_mode::add &&
                joined_in_tile(o) * size(k) * 4 > most_joined * longest_tile)
                return false;
        }
        return true;
    }
    /// Chunks, of many elements, are parts of the longest axis that goes through tiles and along which no two of them
    /// add to the same elements. False where there is none.
    bool split(index_t count) {
        constexpr index_t grain = index_t(1) << 16, most_chunks = 64;
        if (count < 2 * grain) return true;
        index_t most = 0;
        for (int d = whole_; d < axes_; ++d) {
            bool apart = true;
            for (int k = 0; k < kernel_.outputs; ++k)
                apart = apart && (mode_[k] != output_mode::add || is_wide_[k] || stride_[kernel_.inputs + k][d] != 0);
            if (!apart || units(d) <= most) continue;
            most = units(d);
            split_ = d;
        }
        chunks_ = std::min({count / grain, most, most_chunks});
        for (int k = 0; k < kernel_.outputs; ++k)  // accumulators must stay few beside the work
            while (is_wide_[k] && chunks_ > 1 && chunks_ * 256 > joined(kernel_.inputs + k, axes_)) chunks_ /= 2;
        return chunks_ > 0;
    }
    index_t unit(int d) const { return d == whole_ ? stretch_ : 1; }
    index_t units(int d) const { return (extent_[d] + unit(d) - 1) / unit(d); }
    /// How each operand is in the tiles.
    void place() {
        const index_t n = inside_ * stretch_;
        const int axes = whole_ + (stretch_ > 1);
        if (whole_ == axes_ && n < kernel_.lanes) padded_ = kernel_.lanes;
        for (int o = 0; o < operands_; ++o) {
            const output_mode mode = o < kernel_.inputs ? output_mode::store : mode_[o - kernel_.inputs];
            buffer_at_[o] = none;
            step_[o] = 0;
            if (mode == output_mode::skip || (mode != output_mode::add && is_still(o, axes))) continue;
            step_[o] = takes_steps() ? stride_[o][0] : 1;
            if (takes_steps() || (is_dense(o, axes) && !padded_)) continue;
            buffer_at_[o] = used_;
            used_ += ((std::max(n, padded_) * item(o) + 63) & ~index_t(63)) + repeat_slack;
        }
    }

    // ---- sums: to where they belong, or, of many elements, to accumulators of each chunk and what goes there next -

    /// The elements of an output.
    index_t size(int k) const {
        index_t n = 1;
        for (int d = 0; d < axes_; ++d)
            if (stride_[kernel_.inputs + k][d] != 0) n *= extent_[d];
        return n;
    }
    static index_t align(index_t n) { return (n + 63) & ~index_t(63); }
    std::byte* wide(int k, index_t chunk) const {
        return accumulators_ + wide_at_[k] + chunk * size(k) * index_t(kernel_.rules[k]->wide_item);
    }
    std::byte* partial(int k, index_t chunk) const {
        return accumulators_ + partial_at_[k] + chunk * size(k) * index_t(kernel_.rules[k]->item);
    }
    void prepare_sums() {
        index_t bytes = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!is_wide_[k]) continue;
            wide_at_[k] = bytes;
            partial_at_[k] = bytes += align(chunks_ * size(k) * index_t(kernel_.rules[k]->wide_item));
            bytes += align(chunks_ * size(k) * index_t(kernel_.rules[k]->item));
        }
        if (bytes > 0) {
            memory_ = storage::allocate(static_cast<std::size_t>(bytes));
            accumulators_ = static_cast<std::byte*>(memory_.data());
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            const output_rules& rules = *kernel_.rules[k];
            std::byte* const to = operand_[kernel_.inputs + k].data;
            if (is_wide_[k]) {
                rules.clear_wide(wide(k, 0), chunks_ * size(k));
                if (kernel_.fills(k)) rules.flush(to, wide(k, 0), size(k));
                rules.clear(partial(k, 0), chunks_ * size(k));
            } else if (mode_[k] == output_mode::add && !kernel_.fills(k)) {
                rules.clear(to, size(k));
            }
        }
    }
    void finish_sums() {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!is_wide_[k]) continue;
            for (index_t c = 1; c < chunks_; ++c) kernel_.rules[k]->join(wide(k, 0), wide(k, c), size(k));
            kernel_.rules[k]->finish(wide(k, 0), operand_[kernel_.inputs + k].data, size(k));
        }
    }

    const row_kernel& kernel_;
    const int operands_;
    const common_axes& merged_;
    const int axes_;
    const index_t* const extent_;
    const index_t (*const stride_)[max_loop_rank];
    const operand_ref* operand_ = nullptr;
    int whole_ = 0;                     // axes of a tile
    index_t inside_ = 1, stretch_ = 1;  // their elements, and the stretch of the next one
    index_t padded_ = 0;                // elements of a tile that is shorter than a register
    int split_ = 0;
    index_t chunks_ = 1;
    static constexpr index_t none = -1;
    index_t step_[most_operands], buffer_at_[most_operands], used_ = 0;
    output_mode mode_[most_operands];
    bool is_wide_[most_operands], adds_ = false;
    index_t wide_at_[most_operands], partial_at_[most_operands];
    std::byte* accumulators_ = nullptr;
    storage memory_;
};

/// The tiles of a chunk, one after the other.
class tile_loop::tiles {
   public:
    tiles(const tile_loop& loop, index_t chunk) : l_(loop), chunk_(chunk) {
        for (int d = 0; d < l_.axes_; ++d) extent_[d] = l_.extent_[d];
        index_t begin = 0;
        if (l_.chunks_ > 1) {
            const index_t unit = l_.unit(l_.split_), units = l_.units(l_.split_);
            begin = units * chunk / l_.chunks_ * unit;
            extent_[l_.split_] = std::min(extent_[l_.split_], units * (chunk + 1) / l_.chunks_ * unit) - begin;
        }
        for (int o = 0; o < l_.operands_; ++o) {
            data_[o] = l_.operand_[o].data;
            packed_[o] = l_.buffer_at_[o] == none ? nullptr : buffer_ + l_.buffer_at_[o];
            if (o >= l_.kernel_.inputs) begin_output(o);
            if (begin) data_[o] += begin * l_.stride_[o][l_.split_] * l_.item(o);
        }
        if (l_.padded_) std::memset(buffer_, 0, static_cast<std::size_t>(l_.used_));
    }
    void walk() {
        const bool split = l_.whole_ < l_.axes_;
        const index_t n = split ? extent_[l_.whole_] : 1;
        index_t index[most_axes] = {};
        for (bool first = true;;) {
            for (index_t from = 0; from < n; from += l_.stretch_) {
                run_tile(split ? from : 0, std::min(l_.stretch_, n - from), first);
                first = false;
            }
            int d = l_.whole_ + 1;
            for (; d < l_.axes_; ++d) {
                const index_t by = ++index[d] < extent_[d] ? 1 : 1 - extent_[d];
                for (int o = 0; o < l_.operands_; ++o) data_[o] += by * l_.stride_[o][d] * l_.item(o);
                if (by == 1) break;
                index[d] = 0;
            }
            if (d >= l_.axes_) break;
        }
        if (l_.adds_) flush();
    }

   private:
    void begin_output(int o) {
        const int k = o - l_.kernel_.inputs;
        mode_[k] = l_.mode_[k] == output_mode::add && packed_[o] ? output_mode::store : l_.mode_[k];
        if (!l_.is_wide_[k]) return;
        data_[o] = mode_[k] == output_mode::total ? l_.wide(k, chunk_) : l_.partial(k, chunk_);
        if (mode_[k] == output_mode::total) return;
        unflushed_ = std::min(unflushed_, most_joined / l_.joined_in_tile(o));
    }
    void run_tile(index_t from, index_t stretch, bool first) {
        const row_kernel& kernel = l_.kernel_;
        std::byte *at[most_operands], *row[most_operands];
        for (int o = 0; o < l_.operands_; ++o) {
            at[o] = data_[o];
            if (from) at[o] += from * l_.stride_[o][l_.whole_] * l_.item(o);
            row[o] = packed_[o] ? packed_[o] : at[o];
            if (packed_[o] && o < kernel.inputs && (first || !is_repeated(o)))
                block(o, stretch).move(*kernel.copier[o], true, at[o], packed_[o]);
        }
        const index_t n = l_.padded_ ? l_.padded_ : l_.inside_ * stretch;
        kernel.run(kernel.function,
                   row_args{n, row, l_.step_, row + kernel.inputs, l_.step_ + kernel.inputs, mode_, kernel.merge});
        for (int k = 0; k < kernel.outputs; ++k) {
            const int o = kernel.inputs + k;
            if (!packed_[o]) continue;
            if (l_.mode_[k] == output_mode::add) block(o, stretch).join(*kernel.rules[k], at[o], packed_[o]);
            else block(o, stretch).move(*kernel.copier[o], false, at[o], packed_[o]);
        }
        if (l_.adds_ && ++since_ >= unflushed_) flush();
    }
    /// Whether all tiles are the same to an operand.
    bool is_repeated(int o) const {
        for (int d = l_.whole_; d < l_.axes_; ++d)
            if (l_.stride_[o][d] != 0) return false;
        return true;
    }
    /// An operand's elements of a tile.
    item_block block(int o, index_t stretch) const {
        item_block block;
        for (int d = 0; d < l_.axes_ && d <= l_.whole_; ++d)
            block.add_axis(d == l_.whole_ ? stretch : l_.extent_[d], l_.stride_[o][d]);
        return block;
    }
    void flush() {
        since_ = 0;
        for (int k = 0; k < l_.kernel_.outputs; ++k)
            if (l_.is_wide_[k] && mode_[k] != output_mode::total)
                l_.kernel_.rules[k]->flush(l_.partial(k, chunk_), l_.wide(k, chunk_), l_.size(k));
    }

    const tile_loop& l_;
    const index_t chunk_;
    index_t extent_[most_axes];
    output_mode mode_[most_operands];
    index_t since_ = 0, unflushed_ = most_joined;  // tiles that have been added up, and may be, before they are flushed
    std::byte *data_[most_operands], *packed_[most_operands];
    alignas(64) std::byte buffer_[buffer_bytes];
};
RICCI_ENGINE void tile_loop::run_chunk(void* self, index_t chunk) {
    tiles(*static_cast<const tile_loop*>(self), chunk).walk();
}

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
