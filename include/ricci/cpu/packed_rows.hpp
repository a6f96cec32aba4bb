// Rows over operands with steps: neighbouring rows at a time, their elements packed into buffers by tiles, so that what
// lies beside each other in memory is read and written together, and once for all rows that share it.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "loop.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// The rows of a chunk in groups: whole axes before the innermost one, and a stretch of one more. An operand with steps
/// has a packed row for each of the group's rows that differ in it.
class packed_rows : loop_space {
   public:
    packed_rows(const loop_space& space, const chunk_state& s, bool allowed)
        : loop_space(space), s_(s), inner_(nest_.rank - 1) {
        if (!allowed || inner_ < 1 || !any_steps()) return;
        choose_axes();
        if (!shares_lines()) {
            axis_ = -1;
            return;
        }
        choose_tile();
        allocate();
    }
    bool any() const { return axis_ >= 0; }
    /// The axis that groups are a stretch of, and its length; the axes behind it are in groups as a whole.
    int axis() const { return axis_; }
    index_t stretch() const { return extent_[axis_]; }
    /// The rows of a group; without groups, `stretch`.
    index_t rows(index_t stretch) const {
        return any() ? rows_along(stretch, [](int) { return true; }) : stretch;
    }

    /// Runs the group that begins at the chunk's position, whose stretch is shorter at the end of the axis.
    void run(index_t stretch) const {
        for (index_t from = 0; from < s_.length; from += tile_) {
            const index_t n = s_.length - from < tile_ ? s_.length - from : tile_;
            std::byte *at[max_operands], *row[max_operands];
            index_t step[max_operands];
            for (int o = 0; o < operands_; ++o) {
                at[o] = is_total(s_, o) ? s_.at[o] : s_.at[o] + from * jump(s_, o, inner_);
                row[o] = packed_[o] ? packed_[o] : at[o];
                step[o] = packed_[o] ? 1 : s_.step[o];
                if (packed_[o] && twin_[o] < 0 &&
                    (o < kernel_.inputs || s_.mode[o - kernel_.inputs] == output_mode::add))
                    copy(true, o, at[o], stretch, n);
            }
            run_rows(row, step, stretch, n);
            for (int o = kernel_.inputs; o < operands_; ++o)
                if (packed_[o]) copy(false, o, at[o], stretch, n);
        }
    }
    /// Bytes from where operand o is in the group's first row to where it is in its lowest, or highest, one.
    index_t reach(int o, index_t stretch, bool up) const {
        index_t bytes = 0;
        for (int d = any() ? axis_ : inner_; d < inner_; ++d) {
            const index_t by = (extent(d, stretch) - 1) * jump(s_, o, d);
            if ((by > 0) == up) bytes += by;
        }
        return bytes;
    }

   private:
    // Stretches so long that operands without steps are still fetched ahead of their use: packed rows may fill a part
    // of the second level, where those of stretches short enough for the first one had every row begin with misses.
    static constexpr index_t most_rows = 16, shortest_tile = 64, longest_tile = 1024;
    static constexpr index_t cache = index_t(128) << 10;

    index_t extent(int d, index_t stretch) const { return d == axis_ ? stretch : extent_[d]; }
    template <class Counts>
    index_t rows_along(index_t stretch, Counts counts) const {
        index_t rows = 1;
        for (int d = axis_; d < inner_; ++d)
            if (counts(d)) rows *= extent(d, stretch);
        return rows;
    }
    /// The rows of a whole group that differ in an operand.
    index_t rows_of(int o) const {
        return rows_along(extent_[axis_], [&](int d) { return nest_.stride[o][d] != 0; });
    }
    bool has_steps(int o) const {
        if (o < kernel_.inputs) return s_.step[o] != 0 && s_.step[o] != 1;
        return s_.mode[o - kernel_.inputs] != output_mode::skip && !is_total(s_, o) && s_.step[o] != 1;
    }
    bool any_steps() const {
        for (int o = 0; o < operands_; ++o)
            if (has_steps(o)) return true;
        return false;
    }
    /// Whether rows with steps are in the same cache lines, or the same; of kernels that could do without, whether they
    /// lie beside each other. Else, as of rows that run backwards, each is read or written by itself while the next one
    /// is being fetched.
    bool shares_lines() const {
        constexpr index_t line = 64;
        for (int o = 0; o < operands_; ++o)
            for (int d = axis_; d < inner_; ++d) {
                if (!has_steps(o) || extent_[d] == 1) continue;
                const index_t apart = std::abs(nest_.stride[o][d]);
                if (kernel_.any_step ? apart == 1 : apart * static_cast<index_t>(item(o)) < line) return true;
            }
        return false;
    }
    void choose_axes() {
        index_t rows = 1;
        axis_ = inner_;
        for (; axis_ > 0 && rows * s_.extent[axis_ - 1] <= most_rows; --axis_) rows *= s_.extent[axis_ - 1];
        for (int d = axis_; d < inner_; ++d) extent_[d] = s_.extent[d];
        if (axis_ > 0 && rows <= most_rows / 2) extent_[--axis_] = most_rows / rows;
    }
    void choose_tile() {
        index_t bytes = 0;
        for (int o = 0; o < operands_; ++o)
            if (has_steps(o)) bytes += rows_of(o) * static_cast<index_t>(item(o));
        tile_ = (cache / bytes) & ~index_t(15);
        tile_ = std::clamp(tile_, shortest_tile, longest_tile);
        if (tile_ > s_.length) tile_ = s_.length;
    }
    std::size_t packed_bytes(int o) const { return align(static_cast<std::size_t>(rows_of(o) * tile_) * item(o)); }

    void allocate() {
        std::size_t bytes = align(static_cast<std::size_t>(operands_ * inner_) * sizeof(index_t));
        for (int o = 0; o < operands_; ++o) {
            twin_[o] = -1;
            packed_[o] = nullptr;
            if (!has_steps(o)) continue;
            if (o < kernel_.inputs) twin_[o] = find_twin(o);
            if (twin_[o] < 0) bytes += packed_bytes(o);
        }
        memory_ = storage::allocate(bytes);
        std::byte* at = static_cast<std::byte*>(memory_.data());
        jumps_ = reinterpret_cast<index_t*>(at);
        at += align(static_cast<std::size_t>(operands_ * inner_) * sizeof(index_t));
        for (int o = 0; o < operands_; ++o) {
            if (has_steps(o)) {
                packed_[o] = twin_[o] < 0 ? at : packed_[twin_[o]];
                if (twin_[o] < 0) at += packed_bytes(o);
            }
            for (int d = axis_; d < inner_; ++d) jumps_[d * operands_ + o] = packed_[o] ? 0 : jump(s_, o, d);
            if (!packed_[o]) continue;
            int axes[max_loop_rank];
            index_t row = tile_ * static_cast<index_t>(item(o));
            for (int a = memory_order(o, axes) - 1; a >= 0; row *= extent_[axes[a--]])
                jumps_[axes[a] * operands_ + o] = row;
        }
    }
    /// An earlier input that is the same elements: a leaf that occurs more than once.
    int find_twin(int o) const {
        for (int p = 0; p < o; ++p)
            if (packed_of(p) && nest_.data[p] == nest_.data[o] && item(p) == item(o) &&
                std::memcmp(nest_.stride[p], nest_.stride[o], static_cast<std::size_t>(nest_.rank) * sizeof(index_t)) ==
                    0)
                return p;
        return -1;
    }
    bool packed_of(int p) const { return has_steps(p) && twin_[p] < 0; }

    void run_rows(std::byte** at, const index_t* step, index_t stretch, index_t n) const {
        index_t index[max_loop_rank] = {};
        for (;;) {
            kernel_.run(kernel_.function,
                        row_args{n, at, step, at + kernel_.inputs, step + kernel_.inputs, s_.mode, kernel_.merge});
            int d = inner_ - 1;
            for (; d >= axis_; --d) {
                const index_t by = ++index[d] < extent(d, stretch) ? 1 : 1 - extent(d, stretch);
                const index_t* const jumps = jumps_ + d * operands_;
                for (int o = 0; o < operands_; ++o) at[o] += by * jumps[o];
                if (by == 1) break;
                index[d] = 0;
            }
            if (d < axis_) return;
        }
    }
    /// n elements of each row of an operand into its packed rows, or back.
    void copy(bool pack, int o, std::byte* at, index_t stretch, index_t n) const {
        index_t strided[most_rows] = {0}, packed[most_rows] = {0}, rows = 1;
        int axes[max_loop_rank];
        for (int a = 0, count = memory_order(o, axes); a < count;
             ++a) {  // each row so far becomes as many as the axis has
            const int d = axes[a];
            const index_t e = extent(d, stretch), by = jump(s_, o, d), packed_by = jumps_[d * operands_ + o];
            for (index_t r = rows - 1; r >= 0; --r)
                for (index_t i = e - 1; i >= 0; --i) {
                    strided[r * e + i] = strided[r] + i * by;
                    packed[r * e + i] = packed[r] + i * packed_by;
                }
            rows *= e;
        }
        const row_pairs pairs{at, packed_[o], strided, packed, rows, jump(s_, o, inner_)};
        kernel_.copier[o]->pack(pack, pairs, n);
    }
    /// The axes of a group along which an operand moves, those with the longest strides first; gives their number.
    int memory_order(int o, int* axes) const {
        int count = 0;
        for (int d = axis_; d < inner_; ++d) {
            const index_t stride = std::abs(nest_.stride[o][d]);
            if (stride == 0) continue;
            int at = count++;
            for (; at > 0 && std::abs(nest_.stride[o][axes[at - 1]]) < stride; --at) axes[at] = axes[at - 1];
            axes[at] = d;
        }
        return count;
    }

    const chunk_state& s_;
    int inner_, axis_ = -1;
    index_t tile_ = 0, extent_[max_loop_rank];
    index_t* jumps_ = nullptr;  // bytes along each axis, of all operands
    std::byte* packed_[max_operands];
    int twin_[max_operands];
    storage memory_;
};

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
