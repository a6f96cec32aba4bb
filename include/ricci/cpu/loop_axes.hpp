// Loops over several axes: merges those that all operands can merge, chooses the inner one, and walks the rows of a
// chunk.
#pragma once
#include "columns.hpp"
#include "packed_rows.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

class loop_axes {
   public:
    static const axes_steps* steps() {
        static constexpr axes_steps all{[](loop_driver& d) { loop_axes(d).arrange(); },
                                        [](loop_driver& d, chunk_state& s) { loop_axes(d).walk_chunk(s); }};
        return &all;
    }

   private:
    explicit loop_axes(loop_driver& d) : d_(d), nest_(d.nest_), kernel_(d.kernel_), operands_(d.operands_) {}

    void arrange() {
        merge_axes();  // first: an inner axis that is short may be none of its own
        choose_inner();
        merge_axes();
    }
    void walk_chunk(chunk_state& s) {
        const bool whole = d_.direct_[0] && !kernel_.fills(0) && !d_.is_reduced(0, 0, nest_.rank - 2);
        const column_sums columns(d_, s, whole);
        if (columns.any() && !d_.homes_) {
            walk_columns(s, columns);
            if (s.flushes) flush(s);
            return;
        }
        const packed_rows packed(d_, s, !d_.homes_);
        if (!packed.any()) d_.set_buffers(s);
        if (!packed.any() && !d_.homes_ && leaves_cache(s)) walk_parts(s, packed);
        else walk(s, packed);
        if (s.flushes) flush(s);
    }
    /// The inner axis is the one along which rows cost least: long, and contiguous in most operands.
    void choose_inner() {
        if (nest_.rank < 2 || column_sums::suits(kernel_, nest_)) return;
        int best = nest_.rank - 1;
        double best_cost = row_cost(best);
        for (int d = nest_.rank - 2; d >= 0; --d) {
            const double cost = row_cost(d);
            if (cost < 0.7 * best_cost) {
                best = d;
                best_cost = cost;
            }
        }
        for (int d = best; d + 1 < nest_.rank; ++d) swap_axes(d, d + 1);
    }
    void swap_axes(int a, int b) {
        std::swap(nest_.extent[a], nest_.extent[b]);
        for (int o = 0; o < operands_; ++o) std::swap(nest_.stride[o][a], nest_.stride[o][b]);
    }
    /// Nanoseconds for an element when axis d is the inner one, roughly: a row costs 15, one shorter than a register,
    /// where each operand goes through a buffer, 50 or more, and a strided access 1.
    double row_cost(int d) const {
        constexpr index_t lanes = 16;
        const double row = nest_.extent[d] < lanes ? std::max(50.0, 15.0 * operands_) : 15.0;
        double cost = 0.2 + row / static_cast<double>(nest_.extent[d]);
        for (int o = 0; o < operands_; ++o)
            if (nest_.stride[o][d] != 0 && nest_.stride[o][d] != 1) cost += 1;
        return cost;
    }
    void merge_axes() {
        int last = 0;
        for (int d = 1; d < nest_.rank; ++d) {
            bool together = true;
            for (int o = 0; o < operands_ && together; ++o)
                together = nest_.stride[o][last] == nest_.stride[o][d] * nest_.extent[d];
            if (together) {
                const index_t n = nest_.extent[last] * nest_.extent[d];
                d_.move_axis(d, last);
                nest_.extent[last] = n;
            } else {
                d_.move_axis(d, ++last);
            }
        }
        if (nest_.rank) nest_.rank = last + 1;
    }

    /// Whether rows that are added to the same rows are so long that these are out of the first cache when the next one
    /// comes.
    bool leaves_cache(const chunk_state& s) const {
        constexpr index_t cache = index_t(1) << 15;
        const int next = nest_.rank - 2;
        if (next < 0 || s.extent[next] < 4 || kernel_.takes_blocks) return false;
        index_t bytes = 0;
        bool adds = false;
        for (int o = 0; o < operands_; ++o) {
            const int k = o - kernel_.inputs;
            if (s.step[o] == 0 || (k >= 0 && s.mode[k] == output_mode::skip)) continue;
            bytes += s.length * static_cast<index_t>(d_.item(o));
            adds = adds || (k >= 0 && s.mode[k] == output_mode::add && d_.out_stride(k)[next] == 0);
        }
        return adds && bytes > 2 * cache;
    }
    /// All rows by parts of their length.
    void walk_parts(chunk_state& s, const packed_rows& packed) {
        constexpr index_t longest = 1024;
        std::byte* begin[max_operands];
        for (int o = 0; o < operands_; ++o) begin[o] = s.at[o];
        const index_t length = s.length;
        for (index_t from = 0; from < length; from += s.length) {
            s.length = length - from < 2 * longest ? length - from : longest;  // no part is short
            for (int o = 0; o < operands_; ++o)
                s.at[o] = begin[o] + from * (d_.is_total(s, o) ? 0 : d_.jump(s, o, nest_.rank - 1));
            walk(s, packed);
        }
    }
    void walk(chunk_state& s, const packed_rows& packed) {
        const int outer = nest_.rank > 0 ? nest_.rank - 1 : 0, next = packed.any() ? packed.axis() : outer - 1;
        const bool blocks = next >= 0 && !packed.any() && can_block(s, next);
        const bool sheets = next >= 0 && !packed.any() && !blocks && can_sheet(s, next);
        index_t index[max_loop_rank] = {};
        for (;;) {
            int rows = blocks ? block_rows(s, s.extent[next] - index[next]) : 1;
            if (sheets) rows = sheet_rows(s, s.extent[next] - index[next]);
            if (packed.any()) rows = static_cast<int>(std::min(packed.stretch(), s.extent[next] - index[next]));
            if (s.flushes)
                touch_rows(s, [&](int o, bool up) {
                    const index_t apart = sheets ? d_.jump(s, o, next) : 0;
                    return (apart > 0) == up ? (rows - 1) * apart : packed.reach(o, rows, up);
                });
            if (packed.any()) packed.run(rows);
            else d_.row(s, rows, sheets);
            if (s.flushes && (s.rows += packed.rows(rows)) >= loop_driver::flush_visits) flush(s);
            if (!advance(s, index, next, rows)) return;
        }
    }
    /// To the next position, so many steps along an axis or one along those before it; false behind the last one.
    bool advance(chunk_state& s, index_t* index, int axis, index_t steps) const {
        for (int d = axis; d >= 0; --d, steps = 1) {
            index[d] += steps;
            const index_t by = index[d] < s.extent[d] ? steps : steps - s.extent[d];
            for (int o = 0; o < operands_; ++o) s.at[o] += by * d_.jump(s, o, d);
            if (by == steps) return true;
            index[d] = 0;
        }
        return false;
    }
    void walk_columns(chunk_state& s, const column_sums& columns) {
        const int axis = columns.axis();
        index_t index[max_loop_rank] = {};
        for (;;) {
            index_t steps = 1;
            if (columns.grouped()) {
                if (axis >= 0) steps = s.extent[axis];
                columns.run(s.extent[nest_.rank - 2], steps, 0);
            } else {
                const index_t left = s.extent[axis] - index[axis];
                steps = std::min(left, columns.visit());
                if (s.flushes) {
                    steps = std::min(steps, loop_driver::flush_visits - s.rows);
                    touch_rows(s, [](int, bool) { return index_t(0); });
                }
                columns.run(steps, 1, left - steps);
                if (s.flushes && (s.rows += steps) >= loop_driver::flush_visits) flush(s);
            }
            if (!advance(s, index, axis, steps)) return;
        }
    }
    /// How many of so many rows that are added to the same one go to the kernel at once: blocks, as many as there may
    /// be before the sums are flushed, since what comes before each call keeps the processor from loading ahead.
    static int block_rows(const chunk_state& s, index_t left) {
        const index_t most = s.flushes ? loop_driver::flush_visits - s.rows : loop_driver::flush_visits;
        const index_t rows = std::min(left, most) / row_kernel::block * row_kernel::block;
        return rows > 0 ? static_cast<int>(rows) : 1;
    }
    /// Whether neighbouring rows along an axis are added to the same row, so that it is better loaded and stored once
    /// for several.
    bool can_block(chunk_state& s, int axis) const {
        if (!kernel_.takes_blocks || s.buffered || s.length > s.tile || s.mode[0] != output_mode::add) return false;
        if (d_.out_stride(0)[axis] != 0) return false;
        for (int o = 0; o < kernel_.inputs; ++o) {
            if (s.step[o] == 0 && nest_.stride[o][axis] != 0) return false;
            s.row_bytes[o] = d_.jump(s, o, axis);
        }
        return true;
    }
    static int sheet_rows(const chunk_state& s, index_t left) {
        return static_cast<int>(s.flushes ? std::min(left, loop_driver::flush_visits - s.rows) : left);
    }
    /// Whether the rows along an axis are so short that what comes before each of them counts, and stand apart.
    bool can_sheet(chunk_state& s, int axis) const {
        constexpr index_t longest = 4096;
        if (d_.homes_ || !kernel_.takes_sheets || s.buffered || s.length > longest || s.length > s.tile) return false;
        if (s.extent[axis] > std::numeric_limits<int>::max()) return false;
        for (int o = 0; o < operands_; ++o) s.row_bytes[o] = d_.jump(s, o, axis);
        return true;
    }
    /// `reach(output, up)`: bytes from where it is to its lowest, or highest, row that is added to.
    template <class Reach>
    void touch_rows(chunk_state& s, Reach reach) {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add || !d_.reduced_[k] || d_.direct_[k]) continue;
            const int o = kernel_.inputs + k;
            const index_t bytes = static_cast<index_t>(d_.item(o)), at = s.at[o] - s.partial[k];
            const index_t low = at + reach(o, false);
            const index_t high = at + reach(o, true) + (s.length - 1) * s.step[o] * bytes + bytes;
            if (low < s.touched_low[k]) s.touched_low[k] = low;
            if (high > s.touched_high[k]) s.touched_high[k] = high;
        }
    }
    void flush(chunk_state& s) {
        s.rows = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add || !d_.reduced_[k] || d_.direct_[k] ||
                s.touched_high[k] <= s.touched_low[k])
                continue;
            const output_rules& rules = *kernel_.rules[k];
            const index_t bytes = static_cast<index_t>(rules.item), low = s.touched_low[k] / bytes;
            rules.flush(s.partial[k] + low * bytes, s.wide[k] + low * static_cast<index_t>(rules.wide_item),
                        s.touched_high[k] / bytes - low);
            s.touched_low[k] = std::numeric_limits<index_t>::max();
            s.touched_high[k] = 0;
        }
    }

    loop_driver& d_;
    loop_nest& nest_;
    const row_kernel& kernel_;
    const int operands_;
};

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
