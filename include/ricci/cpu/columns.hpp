// Sums over the axis next to the innermost one where rows are short: what comes before each row would take longer than
// the row does, so that a call adds up many of them, in columns of registers.
#pragma once
#include <algorithm>

#include "loop.hpp"

#if RICCI_ENGINE_BODIES
RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// The rows of a chunk that are added up, and how many at a time. Elements that stay put along rows, and rows shorter
/// than a register behind which nothing may be read, are copied to registers' worth of memory.
class column_sums : loop_space {
   public:
    /// `whole` where nothing but a group of rows is added up in a row of the output, which holds nothing yet.
    column_sums(const loop_space& space, const chunk_state& s, bool whole)
        : loop_space(space), s_(s), inner_(nest_.rank - 1), out_(kernel_.inputs) {
        if (!suits(kernel_, nest_) || s.mode[0] != output_mode::add) return;
        index_t bytes = 0, copied = 0;
        for (int o = 0; o < kernel_.inputs; ++o) {
            if (s.step[o] != 0) bytes += s.length * size(o);
            copied += s.step[o] == 0 || s.length < kernel_.lanes;
        }
        if (bytes > (copied > 0 ? column_args::most_bytes : longest)) return;
        if (s.length * (register_bytes / kernel_.lanes) > column_args::most_bytes)
            return;  // sums may be wider than elements
        const index_t most = std::min(most_rows, copied > 0 ? room / copied : most_rows);
        visit_ = std::min(most, cache / std::max(bytes, index_t(1)));
        grouped_ = whole && s.extent[inner_ - 1] <= visit_;
        axis_ = grouped_ ? inner_ - 2 : inner_ - 1;
    }
    bool any() const { return visit_ > 0; }
    /// The axis to walk in steps of `visit` rows, or of any number of groups; -1 where there is one group.
    int axis() const { return axis_; }
    bool grouped() const { return grouped_; }
    index_t visit() const { return visit_; }

    /// Whether a kernel is better run over the innermost axis, short as it may be. Groups that are added up in parts
    /// want rows that fill registers.
    static bool suits(const row_kernel& kernel, const loop_nest& nest) {
        const int inner = nest.rank - 1;
        if (!kernel.columns || kernel.inputs > most_inputs || inner < 1) return false;
        const index_t n = nest.extent[inner], rows = nest.extent[inner - 1], *out = nest.stride[kernel.inputs];
        int still = 0;
        for (int o = 0; o < kernel.inputs; ++o) {
            const index_t step = nest.stride[o][inner];
            if (step != 0 && step != 1) return false;
            still += step == 0;
        }
        if (still == kernel.inputs || out[inner] != 1 || out[inner - 1] != 0 || n * rows < fewest) return false;
        return rows <= most_rows || n >= kernel.lanes || (still == 0 && 4 * n >= kernel.lanes);
    }

    /// Adds up the rows at the chunk's position, `left` of which are behind them along their axis.
    void run(index_t rows, index_t groups, index_t left) const {
        alignas(64) std::byte copies[(room + 1) * register_bytes];
        for (index_t g = 0; g < groups;) g += run_groups(rows, g, groups, left, copies);
    }

   private:
    static constexpr int most_inputs = 6;
    static constexpr index_t fewest = 8;       // elements in a group
    static constexpr index_t most_rows = 256;  // that are added up in the element type, as by the loop
    static constexpr index_t register_bytes = 64, room = 256;
    static constexpr index_t cache = index_t(1) << 15, longest = 1024;  // bytes of rows

    index_t size(int o) const { return static_cast<index_t>(item(o)); }
    index_t row_bytes(int o) const { return jump(s_, o, inner_ - 1); }
    index_t group_bytes(int o) const { return grouped_ && inner_ > 1 ? jump(s_, o, inner_ - 2) : 0; }
    bool is_short() const { return s_.length < kernel_.lanes; }
    /// Of so many groups of rows shorter than a register, how many may be read beyond their ends: what lies there is of
    /// the same array, its next rows.
    index_t readable(int o, index_t rows, index_t groups, index_t left) const {
        const index_t row = row_bytes(o), group = group_bytes(o),
                      beyond = kernel_.lanes * size(o) - s_.length * size(o);
        if (row != s_.length * size(o) || (groups > 1 && group != rows * row)) return 0;
        const index_t there = left * row;
        if (beyond <= there) return groups;
        return group == 0 ? 0 : std::max(index_t(0), groups - (beyond - there + group - 1) / group);
    }
    /// As many groups as can be run together, from the g-th on; gives their number.
    index_t run_groups(index_t rows, index_t g, index_t groups, index_t left, std::byte* copies) const {
        index_t n = groups - g;
        bool copied[most_inputs];
        for (int o = 0; o < kernel_.inputs; ++o) copied[o] = s_.step[o] == 0;
        if (is_short()) {
            index_t most = 0;
            for (int o = 0; o < kernel_.inputs; ++o)
                if (!copied[o]) most = std::max(most, readable(o, rows, n, left));
            for (int o = 0; o < kernel_.inputs; ++o)
                copied[o] = copied[o] || most == 0 || readable(o, rows, n, left) < most;
            if (most > 0) n = most;
        }
        index_t apart = 0, shared = 0;
        for (int o = 0; o < kernel_.inputs; ++o)
            if (copied[o]) (n > 1 && group_bytes(o) != 0 ? apart : shared) += rows;
        if (apart > 0) n = std::min(n, (room - shared) / apart);

        std::byte* in[most_inputs];
        index_t mask[most_inputs], row[most_inputs], group[most_inputs];
        for (int o = 0; o < kernel_.inputs; ++o) {
            in[o] = s_.at[o] + g * group_bytes(o);
            mask[o] = s_.step[o] == 0 ? 0 : -1;
            row[o] = row_bytes(o);
            group[o] = group_bytes(o);
            if (!copied[o]) continue;
            const index_t times = n > 1 && group[o] != 0 ? n : 1;
            copy(o, in[o], rows, times, copies);
            in[o] = copies;
            row[o] = kernel_.lanes * size(o);
            group[o] = group[o] != 0 ? rows * row[o] : 0;
            copies += rows * times * register_bytes;
        }
        const index_t out_bytes = group_bytes(out_), dense = s_.length * size(out_);
        const index_t ahead = out_bytes == dense ? (kernel_.lanes - 1) / s_.length : n;
        kernel_.columns(kernel_.function,
                        column_args{s_.length, rows, n, in, mask, row, group, s_.at[out_] + g * out_bytes, out_bytes,
                                    is_short() ? std::min(ahead, n) : 0, !grouped_ || kernel_.fills(0)});
        return n;
    }
    /// A register for each row.
    void copy(int o, const std::byte* from, index_t rows, index_t groups, std::byte* to) const {
        const index_t bytes = kernel_.lanes * size(o);
        for (; groups > 0; --groups, from += group_bytes(o), to += rows * bytes) {
            if (s_.step[o] == 0) kernel_.copier[o]->repeat_rows(to, from, row_bytes(o), kernel_.lanes, rows);
            else {
                std::memset(to, 0, static_cast<std::size_t>(rows * bytes));
                kernel_.copier[o]->move_rows(to, bytes, from, row_bytes(o), s_.length * size(o), rows);
            }
        }
    }

    const chunk_state& s_;
    const int inner_, out_;
    int axis_ = -1;
    index_t visit_ = 0;
    bool grouped_ = false;
};

}  // namespace ricci::detail
RICCI_CONTROL_END
#endif  // RICCI_ENGINE_BODIES
