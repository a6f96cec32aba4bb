// Copies between arrays of any strides: axes are merged and put into the order in which elements are written; where
// neighbours of one array are no neighbours in the other, blocks are turned in registers. Elements are bytes,
// which copiers of their size move.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "bind.hpp"
#include "thread_pool.hpp"

RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// Copies elements of `item` bytes to where they broadcast to; neither array overlaps the other.
void copy_nest(const item_copier& item, const operand_ref& from, const operand_ref& to);
/// The same of one axis, or none.
void copy_line(const item_copier& item, const operand_ref& from, const operand_ref& to);
/// Whether so few elements of two axes are copied, not in rows that are dense on both sides, that to find out how best
/// to takes longer than that.
RICCI_INLINE bool is_small_turned(const operand_ref& from, const operand_ref& to) {
    constexpr index_t few = 128;
    return from.rank == 2 && from.stride && to.stride && from.extent[0] == to.extent[0] &&
           from.extent[1] == to.extent[1] && to.extent[1] > 1 && to.extent[0] <= few && to.extent[1] <= few &&
           to.extent[0] * to.extent[1] <= few && !(from.stride[1] == 1 && to.stride[1] == 1);
}
/// Copies elements of type T to where they broadcast to, an array of so many axes.
template <class T, int Rank>
RICCI_INLINE void copy_elements(const operand_ref& from, const operand_ref& to) {
    // as many elements, side by side: in the same order then, whatever axes of one element there are
    if (to.dense > 0 && to.dense < 1024 && from.dense == to.dense)
        copy_items<decltype(copied_item<sizeof(T)>())>(to.data, 1, from.data, 1, to.dense);
    else if (Rank == 2 && is_small_turned(from, to))
        copy_small<decltype(copied_item<sizeof(T)>())>(to.data, to.stride, from.data, from.stride, to.extent);
    else if constexpr (Rank > 1) copy_nest(copier_of<T>, from, to);
    else if (from.rank == to.rank && from.stride && to.stride && from.extent[0] == to.extent[0] && to.extent[0] < 1024)
        copy_items<decltype(copied_item<sizeof(T)>())>(to.data, to.stride[0], from.data, from.stride[0], to.extent[0]);
    else copy_line(line_copier_of<T>, from, to);
}

#if RICCI_ENGINE_BODIES
/// One line, which threads share where it is long.
struct line_pieces {
    static constexpr index_t grain = index_t(1) << 15;
    const item_copier& item;
    std::byte* to;
    const std::byte* from;
    index_t extent, to_step, from_step;

    void run() const {
        if (extent <= grain) return item.copy(to, to_step, from, from_step, extent);
        const auto piece = [](void* p, index_t chunk) {
            const line_pieces& l = *static_cast<const line_pieces*>(p);
            const index_t first = chunk * grain, rest = l.extent - first, size = static_cast<index_t>(l.item.size);
            l.item.copy(l.to + first * l.to_step * size, l.to_step, l.from + first * l.from_step * size, l.from_step,
                        rest < grain ? rest : grain);
        };
        parallel_for((extent + grain - 1) / grain, piece, const_cast<line_pieces*>(this));
    }
};

class copy_loop {
   public:
    copy_loop(const item_copier& item, const operand_ref& from, const operand_ref& to)
        : item_(item), size_(static_cast<index_t>(item.size)), from_(from.data), to_(to.data) {
        index_t dense = 1, from_dense = 1;
        for (int d = to.rank - 1; d >= 0; --d) {
            const int e = d - (to.rank - from.rank);
            const index_t to_step = to.stride ? to.stride[d] : dense;
            index_t from_step = 0;
            if (e >= 0 && from.extent[e] != 1) from_step = from.stride ? from.stride[e] : from_dense;
            if (e >= 0) from_dense *= from.extent[e];
            dense *= to.extent[d];
            add_axis(to.extent[d], to_step, from_step);
        }
        empty_ = dense == 0;
    }
    void run() {
        if (empty_) return;
        merge();
        if (rank_ < 2) return run_line();
        if (!find_blocks()) turn();
        a_ = axis_[rank_ - 1];
        b_ = axis_[rank_ - 2];
        split();
    }

   private:
    struct axis {
        index_t extent, to, from;  // steps in elements
    };
    static constexpr index_t grain = line_pieces::grain;

    /// Axes in the order of the steps between the elements written, the longest first; these steps are positive.
    void add_axis(index_t n, index_t to, index_t from) {
        if (n < 2) return;
        axis x{n, to, from};
        if (to < 0) flip(x);
        int at = rank_++;
        for (; at > 0 && (axis_[at - 1].to < x.to); --at) axis_[at] = axis_[at - 1];
        axis_[at] = x;
    }
    void flip(axis& x) {
        to_ += (x.extent - 1) * x.to * size_;
        from_ += (x.extent - 1) * x.from * size_;
        x.to = -x.to;
        x.from = -x.from;
    }
    void merge() {
        int last = 0;
        for (int d = 1; d < rank_; ++d) {
            axis &x = axis_[last], &y = axis_[d];
            if (x.to == y.to * y.extent && x.from == y.from * y.extent) x = {x.extent * y.extent, y.to, y.from};
            else axis_[++last] = y;
        }
        if (rank_ > 0) rank_ = last + 1;
    }
    /// Makes the axis of the shortest steps through what is read the one before the last, unless it is the last
    /// already; and the last one long, unless it repeats elements.
    void turn() {
        constexpr index_t few = 8, least_row = 12;
        int best = rank_ - 1;
        for (int d = rank_ - 2; d >= 0; --d)
            if (axis_[d].from != 0 && std::abs(axis_[d].from) < std::abs(axis_[best].from)) best = d;
        turns_ = best < rank_ - 1;
        if (turns_) {
            const axis x = axis_[best];
            for (int d = best; d + 1 < rank_ - 1; ++d) axis_[d] = axis_[d + 1];
            axis_[rank_ - 2] = x;
            if (x.from < 0) flip(axis_[rank_ - 2]);
        } else {
            axis &x = axis_[rank_ - 2], &y = axis_[rank_ - 1];
            repeats_ = y.extent < few && y.from == 0 && y.to == 1 && x.to == y.extent;
            const bool moves = y.to == 1 && y.from == 1 && y.extent * size_ >= least_row;  // row by row: see sheet
            if (!repeats_ && !moves && y.extent < few && x.extent > 4 * y.extent) std::swap(x, y);
        }
    }

    /// Whether the last axes are small blocks, dense on both sides, in another order; a block is one axis then.
    bool find_blocks() {
        index_t size = axis_[rank_ - 1].extent;
        if (axis_[rank_ - 1].to != 1) return false;
        int first = rank_;
        for (int d = rank_ - 2; d >= 0 && axis_[d].to == size; --d) {
            size *= axis_[d].extent;
            if (size > block_order::most) break;
            if (reads_dense(d, size)) first = d;
        }
        if (first == rank_) return false;
        order_.size = 1;
        for (int d = rank_ - 1; d >= first; --d) {
            const int inner = order_.size;
            order_.size *= static_cast<int>(axis_[d].extent);
            for (int i = inner; i < order_.size; ++i)
                order_.at[i] = order_.at[i % inner] + i / inner * static_cast<int>(axis_[d].from);
        }
        rank_ = first;
        if (rank_ == 0) axis_[rank_++] = {1, 0, 0};
        axis_[rank_++] = {order_.size, 1, 1};
        return true;
    }
    /// Whether what the axes from the first one on read are `size` elements side by side.
    bool reads_dense(int first, index_t size) const {
        index_t step = 1;
        while (step < size) {
            int d = first;
            while (d < rank_ && axis_[d].from != step) ++d;
            if (d == rank_) return false;
            step *= axis_[d].extent;
        }
        return true;
    }

    void run_line() {
        if (rank_ == 0) line_pieces{item_, to_, from_, 1, 1, 1}.run();
        else line_pieces{item_, to_, from_, axis_[0].extent, axis_[0].to, axis_[0].from}.run();
    }
    void line(std::byte* to, const std::byte* from, index_t n) const { item_.copy(to, a_.to, from, a_.from, n); }

    /// Sheets of the last two axes, or strips of them, are what threads take.
    void split() {
        unpacks_ = turns_ && a_.to == 1 && b_.from == 1 && a_.extent < 16 && b_.extent > a_.extent;
        if (unpacks_) find_rows();
        if (rank_ == 2 && b_.extent <= most_rows && a_.extent <= most_rows) return run_rows(to_, from_, b_.extent);
        strip_ = turns_ && !unpacks_ ? most_rows : std::max(grain / a_.extent, index_t(1));
        strip_ = std::min(strip_, b_.extent);
        strips_ = (b_.extent + strip_ - 1) / strip_;
        index_t sheets = 1;
        for (int d = 0; d < rank_ - 2; ++d) sheets *= axis_[d].extent;
        const index_t units = sheets * strips_, work = a_.extent * strip_;
        together_ = work >= grain ? 1 : grain / work + 1;
        units_ = units;
        const auto chunk = [](void* p, index_t c) {
            const copy_loop& self = *static_cast<const copy_loop*>(p);
            const index_t first = c * self.together_;
            self.run_units(first, std::min(first + self.together_, self.units_));
        };
        const index_t chunks = (units + together_ - 1) / together_;
        if (chunks == 1) run_units(0, units);
        else parallel_for(chunks, chunk, this);
    }
    /// The rows that are unpacked into small dense blocks, of one axis or several.
    void find_rows() {
        rows_ = 0;
        const auto join = [&](const axis& x) {
            const index_t inner = rows_ ? rows_ : 1;
            rows_ = inner * x.extent;
            for (index_t k = 0; k < rows_; ++k) {
                row_to_[k] = k * size_;
                row_from_[k] =
                    (k < inner ? (k == 0 ? 0 : row_from_[k]) : row_from_[k % inner] + k / inner * x.from * size_);
            }
        };
        join(a_);
        while (rank_ > 2 && axis_[rank_ - 3].to == rows_ && rows_ * axis_[rank_ - 3].extent <= most_rows) {
            join(axis_[rank_ - 3]);
            axis_[rank_ - 3] = axis_[rank_ - 2];
            axis_[rank_ - 2] = axis_[rank_ - 1];
            --rank_;
        }
    }
    void run_units(index_t first, index_t end) const {
        for (index_t u = first; u < end; ++u) {
            const index_t row = u % strips_ * strip_;
            index_t to = row * b_.to, from = row * b_.from, rest = u / strips_;
            for (int d = rank_ - 3; d >= 0; --d) {
                const index_t i = rest % axis_[d].extent;
                rest /= axis_[d].extent;
                to += i * axis_[d].to;
                from += i * axis_[d].from;
            }
            run_rows(to_ + to * size_, from_ + from * size_, std::min(strip_, b_.extent - row));
        }
    }
    void run_rows(std::byte* to, std::byte* from, index_t rows) const {
        if (order_.size) permuted(to, from, rows);
        else if (repeats_) repeated(to, from, rows);
        else if (turns_) turned(to, from, rows);
        else sheet(to, from, rows);
    }
    void sheet(std::byte* to, const std::byte* from, index_t rows) const {
        constexpr index_t few_bytes = 512;  // beside which a call for each row counts
        if (const index_t bytes = a_.extent * size_; bytes <= few_bytes && a_.to == 1 && a_.from == 1)
            return item_.move_rows(to, b_.to * size_, from, b_.from * size_, bytes, rows);
        for (index_t r = 0; r < rows; ++r) line(to + r * b_.to * size_, from + r * b_.from * size_, a_.extent);
    }
    /// Each element of a column several times; the last ones without what is written behind them.
    void repeated(std::byte* to, const std::byte* from, index_t rows) const {
        const index_t bytes = a_.extent * size_, most = rows - (repeat_slack + bytes - 1) / bytes;
        const index_t quick = most > 0 ? most : 0;
        item_.repeat_rows(to, from, b_.from * size_, a_.extent, quick);
        sheet(to + quick * bytes, from + quick * b_.from * size_, rows - quick);
    }
    void permuted(std::byte* to, const std::byte* from, index_t blocks) const {
        item_.permute(order_, to, b_.to * size_, from, b_.from * size_, blocks);
    }
    /// Rows of what is written, which are columns of what is read; or, where the rows are short, the columns one by
    /// one.
    void turned(std::byte* to, std::byte* from, index_t rows) const {
        if (a_.to == 1 && b_.from == 1) {
            if (unpacks_) {
                item_.pack(false, {to, from, row_to_, row_from_, rows_, b_.to * size_}, rows);
            } else {
                index_t strided[most_rows], packed[most_rows];
                for (index_t k = 0; k < rows; ++k) {
                    strided[k] = k * size_;
                    packed[k] = k * b_.to * size_;
                }
                item_.pack(true, {from, to, strided, packed, rows, a_.from * size_}, a_.extent);
            }
            return;
        }
        constexpr index_t together = 64;  // of columns whose rows may share cache lines
        for (index_t i = 0; i < a_.extent; i += together)
            for (index_t r = 0; r < rows; ++r)
                line(to + (r * b_.to + i * a_.to) * size_, from + (r * b_.from + i * a_.from) * size_,
                     std::min(together, a_.extent - i));
    }

    static constexpr index_t most_rows = 32;
    const item_copier& item_;
    index_t size_;
    std::byte* from_;
    std::byte* to_;
    int rank_ = 0;
    bool empty_ = false, turns_ = false, unpacks_ = false, repeats_ = false;
    block_order order_;
    axis a_{}, b_{};  // the last one, and the one before it
    index_t strip_ = 1, strips_ = 1, units_ = 1, together_ = 1;
    index_t rows_ = 0, row_to_[most_rows], row_from_[most_rows];  // in bytes, where it unpacks
    axis axis_[max_loop_rank];
};

RICCI_NOINLINE RICCI_ENGINE void copy_nest(const item_copier& item, const operand_ref& from, const operand_ref& to) {
    copy_loop(item, from, to).run();
}
RICCI_NOINLINE RICCI_ENGINE void copy_line(const item_copier& item, const operand_ref& from, const operand_ref& to) {
    const index_t n = to.rank == 0 ? 1 : to.extent[0], last = (n - 1) * static_cast<index_t>(item.size);
    line_pieces l{item, to.data, from.data, n, to.line_step(), from.line_step()};
    if (l.to_step < 0 && n > 0) {  // from the other end: written in the order of memory
        l.to += last * l.to_step;
        l.from += last * l.from_step;
        l.to_step = -l.to_step;
        l.from_step = -l.from_step;
    }
    l.run();
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
RICCI_CONTROL_END
