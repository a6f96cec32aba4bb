// The loops of advanced indexing on the CPU: elements and rows read from, written to and added to positions that index
// arrays name. One copy of this code serves all ranks; what depends on types are an index's reader and the mover of
// elements.
#pragma once
#include <array>
#include <cstdlib>
#include <utility>

#include "row_moves.hpp"
#include "thread_pool.hpp"

namespace ricci::detail {

/// Moves offset[t], or sets it from *base if that is given, by what the t-th of n indices of one axis says; false when
/// one of them is out of range. Without offsets it only looks.
using add_offsets_function = bool (*)(const std::byte* index, index_t step, index_t n, index_t extent, index_t stride,
                                      index_t* offset, const index_t* base);

/// An index from the front of its axis, whichever end it was counted from.
template <class I>
RICCI_HD RICCI_INLINE index_t wrap_index(I i, index_t extent) {
    if constexpr (std::is_unsigned_v<I>)
        return static_cast<index_t>(i);  // beyond index_t it becomes negative, and is refused
    else return static_cast<index_t>(i) + (i < 0 ? extent : 0);
}
template <class I>
bool add_offsets(const std::byte* bytes, index_t step, index_t n, index_t extent, index_t stride, index_t* offset,
                 const index_t* base) {
    const I* index = reinterpret_cast<const I*>(bytes);
    std::size_t wrong =
        0;  // the highest bit tells of an index below 0 or beyond the last one; unsigned, as it may overflow
    const auto position = [&](index_t at) RICCI_INLINE_LAMBDA {
        const auto i = static_cast<std::size_t>(wrap_index(index[at], extent));
        wrong |= i | (static_cast<std::size_t>(extent) - 1 - i);
        return i;
    };
    const auto each = [&](const auto& at) RICCI_INLINE_LAMBDA {
        const auto by = static_cast<std::size_t>(stride);
        if (!offset)
            for (index_t t = 0; t < n; ++t) position(at(t));
        else if (base)
            for (index_t t = 0; t < n; ++t)
                offset[t] = static_cast<index_t>(static_cast<std::size_t>(*base) + position(at(t)) * by);
        else
            for (index_t t = 0; t < n; ++t)
                offset[t] = static_cast<index_t>(static_cast<std::size_t>(offset[t]) + position(at(t)) * by);
    };
    if (step == 1) each([](index_t t) { return t; });
    else each([=](index_t t) { return t * step; });
    return static_cast<index_t>(wrong) >= 0;
}
/// The t-th index as it was given.
template <class I>
index_t index_value(const std::byte* bytes, index_t at) {
    return static_cast<index_t>(reinterpret_cast<const I*>(bytes)[at]);
}

/// An index array as the loop sees it, and the axis, as its user counts, that it runs along.
struct index_key {
    operand_ref array;
    std::size_t item;
    bool is_index_t;  // its elements are, in memory
    add_offsets_function add;
    index_t (*value)(const std::byte*, index_t);
    int axis;
};
template <class X>
index_key refer_key(const X& x, int axis) {
    using I = typename X::value_type;
    constexpr bool is_index_t = std::is_signed_v<I> && sizeof(I) == sizeof(index_t);
    return {refer(x), sizeof(I), is_index_t, add_offsets<I>, index_value<I>, axis};
}

/// Some axes, merged where all strides allow.
template <int Operands>
struct merged_axes {
    int rank = 0;
    index_t count = 1;
    index_t extent[max_loop_rank];
    index_t stride[max_loop_rank][Operands];

    void swap(int a, int b) {
        std::swap(extent[a], extent[b]);
        std::swap(stride[a], stride[b]);
    }
    void append(index_t n, const index_t* step, int operands) {
        count *= n;
        if (n == 1) return;
        bool together = rank > 0;
        for (int o = 0; o < operands && together; ++o) together = stride[rank - 1][o] == step[o] * n;
        if (together) --rank;
        extent[rank] = together ? extent[rank] * n : n;
        for (int o = 0; o < operands; ++o) stride[rank][o] = step[o];
        ++rank;
    }
};

/// The rows of x that index arrays name beside the rows of y. The axes of x: `batch` that the index arrays have too,
/// then free ones, from `at` on one for each index array, then free ones; of y the same with the index arrays' own axes
/// at `at`.
class index_loop {
   public:
    static constexpr int max_keys = max_loop_rank;

    index_loop(const operand_ref& x, const operand_ref& y, std::size_t item, int batch, int at, const index_key* keys,
               int count)
        : x_(x.data), y_(y.data), item_(static_cast<index_t>(item)), keys_(keys), count_(count) {
        for (int k = 0; k < count; ++k) along_[k] = {x.extent[at + k], x.stride[at + k]};
        const int own = keys[0].array.rank - batch;
        for (int d = 0; d < batch; ++d) name_axis(d, &x, d, y, d);
        for (int d = 0; d < own; ++d) name_axis(batch + d, nullptr, 0, y, at + d);
        for (int d = batch; d < at; ++d) free_axis(x, d, y, d);
        for (int d = at + count; d < x.rank; ++d) free_axis(x, d, y, d - count + own);
        if (free_.rank > 0 && free_.stride[free_.rank - 1][0] == 1 && free_.stride[free_.rank - 1][1] == 1)
            length_ = free_.extent[--free_.rank];
        if (free_.count == 1 && named_.count > tile) find_members();
    }

    /// Throws index_error when an index is out of range.
    RICCI_NOINLINE void check() const {
        if (named_.count == 0) return;
        for (int k = 0; k < count_; ++k)
            if (!all_inside(k)) refuse();
    }
    /// Each row of y becomes one of x, as `move` has it. Throws index_error, y half written, when an index is out of
    /// range.
    RICCI_NOINLINE void gather(move_function move) {
        move_ = move;
        const index_t work = free_.count > 0 ? free_.count : 1;
        if (is_short()) {
            run(0, named_.count, x_, y_, length_, free_);
            if (outside_.load(std::memory_order_relaxed)) refuse();
            return;
        }
        if (turned_) {
            run_members();
            if (outside_.load(std::memory_order_relaxed)) refuse();
            return;
        }
        step_ = work >= grain ? 1 : (grain / work + tile - 1) / tile * tile;
        gathers_ = free_.count == 1;
        parallel_for((named_.count + step_ - 1) / step_,
                     [](void* self, index_t chunk) {
                         index_loop& loop = *static_cast<index_loop*>(self);
                         const index_t from = chunk * loop.step_, rest = loop.named_.count - from;
                         loop.run(from, rest < loop.step_ ? loop.named_.count : from + loop.step_, loop.x_, loop.y_,
                                  loop.length_, loop.free_);
                     },
                     this);
        if (outside_.load(std::memory_order_relaxed)) refuse();
    }
    /// The same where y keeps what it has if an index is wrong: a single tile reads its indices before it writes, more
    /// are read twice. False, and nothing done, where that takes longer than to gather into other memory.
    bool gather_over(move_function move) {
        constexpr index_t long_rows = 8;
        if (!is_short()) {
            if (free_.count < long_rows) return false;
            check();
        }
        gather(move);
        return true;
    }
    /// Moves each row of y to one of x, or adds it, as `move` does, in order, so that the last one stays. Throws
    /// index_error, nothing moved, when an index is out of range: a single tile reads its indices before it writes, of
    /// more all are read before. Threads share members of x or columns, not the rows: which thread comes first never
    /// matters.
    RICCI_NOINLINE void scatter(move_function move) {
        if (named_.count > tile) {
            const index_t* const positions = offsets_in_place();
            from_front_ = positions && are_positions(positions, named_.count, along_[0].extent);
            if (!from_front_) check();
        }
        scatter_checked(move);
        if (outside_.load(std::memory_order_relaxed)) refuse();
    }

   private:
    static constexpr index_t tile = 1024, grain = index_t(1) << 15;
    using free_axes = merged_axes<2>;

    void scatter_checked(move_function move) {
        move_ = move;
        if (members_ >= 0) return run_members();
        const bool large = named_.count * free_.count > grain;
        columns_ = large && length_ >= 128;
        const index_t across = columns_ ? length_ : large && free_.rank > 0 ? free_.extent[0] : 1;
        const index_t each = named_.count * (free_.count / across);  // elements of a step
        step_ = columns_ ? 64 : each > 0 && each < grain ? grain / each : 1;
        const index_t parts = (across + step_ - 1) / step_;
        if (parts <= 1) return run(0, named_.count, x_, y_, length_, free_);
        parallel_for(parts, [](void* self, index_t part) { static_cast<index_loop*>(self)->scatter_part(part); }, this);
    }
    /// An axis along which x has members of its own: no element belongs to two of them, so that these may come in any
    /// order, and threads may share them. Where they lie side by side in y, and the positions of each apart, the axis
    /// becomes the last one, and as many members are taken together as stay in the cache.
    void find_members() {
        const int last = named_.rank - 1;
        for (int d = 0; d < last; ++d)
            if (named_.stride[d][0] != 0 && named_.stride[d][1] == 1 && named_.extent[d] >= 8) members_ = d;
        turned_ = members_ >= 0;
        if (turned_) {
            for (; members_ < last; ++members_) named_.swap(members_, members_ + 1);
            constexpr index_t cache = index_t(1) << 18, line = 64;
            index_t room = item_;
            for (int k = 0; k < count_; ++k) room *= along_[k].extent;
            step_ = std::max(cache / std::max(room, index_t(1)), line / item_);
        } else if (named_.stride[0][0] != 0) {
            members_ = 0;
            const index_t each = named_.count / named_.extent[0];
            step_ = each < grain ? grain / each : 1;
        }
    }
    /// So many members of a loop from `first` on.
    index_loop(const index_loop& all, index_t first, index_t n)
        : x_(all.x_ + first * all.named_.stride[all.members_][0] * all.item_),
          y_(all.y_ + first * all.named_.stride[all.members_][1] * all.item_),
          item_(all.item_),
          keys_(all.keys_),
          count_(all.count_),
          named_(all.named_),
          free_(all.free_),
          length_(all.length_),
          move_(all.move_) {
        named_.count = named_.count / named_.extent[all.members_] * n;
        named_.extent[all.members_] = n;
        for (int k = 0; k < count_; ++k) {
            along_[k] = all.along_[k];
            start_[k] = first * named_.stride[all.members_][2 + k];
        }
    }
    void run_members() {
        const index_t members = named_.extent[members_];
        parallel_for((members + step_ - 1) / step_,
                     [](void* self, index_t part) {
                         index_loop& all = *static_cast<index_loop*>(self);
                         const index_t first = part * all.step_, rest = all.named_.extent[all.members_] - first;
                         index_loop some(all, first, rest < all.step_ ? rest : all.step_);
                         some.run(0, some.named_.count, some.x_, some.y_, some.length_, some.free_);
                         if (some.outside_.load(std::memory_order_relaxed))
                             all.outside_.store(true, std::memory_order_relaxed);
                     },
                     this);
    }
    /// Whether the rows of y that indices name follow each other at one distance.
    bool evenly_written() const {
        for (int d = 1; d < named_.rank; ++d)
            if (named_.stride[d - 1][1] != named_.stride[d][1] * named_.extent[d]) return false;
        return true;
    }
    bool is_short() const {
        return named_.count <= tile && free_.count <= grain && named_.count * free_.count <= grain;
    }
    static index_t tile_size(index_t from, index_t to) { return to - from < tile ? to - from : tile; }
    void name_axis(int d, const operand_ref* x, int of_x, const operand_ref& y, int of_y) {
        index_t n = y.extent[of_y], step[max_keys + 2];
        for (int k = 0; k < count_; ++k) n = keys_[k].array.extent[d] == 1 ? n : keys_[k].array.extent[d];
        if (x && x->extent[of_x] != 1) n = x->extent[of_x];
        step[0] = x && x->extent[of_x] != 1 ? x->stride[of_x] : 0;
        step[1] = y.extent[of_y] != 1 ? y.stride[of_y] : 0;
        for (int k = 0; k < count_; ++k) step[2 + k] = keys_[k].array.extent[d] != 1 ? keys_[k].array.stride[d] : 0;
        named_.append(n, step, 2 + count_);
    }
    void free_axis(const operand_ref& x, int of_x, const operand_ref& y, int of_y) {
        const index_t step[2] = {x.stride[of_x], y.stride[of_y]};
        free_.append(x.extent[of_x], step, 2);
    }

    /// Whether all indices of a key are in range; read along the axis on which they lie closest.
    bool all_inside(int k) const {
        const operand_ref& index = keys_[k].array;
        int inner = index.rank - 1;
        for (int d = inner - 1; d >= 0; --d)
            if (index.extent[d] > 1 && std::abs(index.stride[d]) < std::abs(index.stride[inner])) inner = d;
        const index_t length = inner < 0 ? 1 : index.extent[inner], step = inner < 0 ? 1 : index.stride[inner];
        index_t at[max_loop_rank] = {};
        const std::byte* line = index.data;
        for (;;) {
            if (!keys_[k].add(line, step, length, along_[k].extent, 0, nullptr, nullptr)) return false;
            int d = index.rank - 1;
            for (; d >= 0; --d) {
                if (d == inner) continue;
                const index_t by = ++at[d] < index.extent[d] ? 1 : 1 - index.extent[d];
                line += by * index.stride[d] * static_cast<index_t>(keys_[k].item);
                if (by == 1) break;
                at[d] = 0;
            }
            if (d < 0) return true;
        }
    }
    /// Where the rows from .. from + n - 1 of both start, of y where it is asked for; false when an index is out of
    /// range.
    bool fill(index_t from, index_t n, index_t* x_at, index_t* y_at) const {
        const int last = named_.rank - 1;
        const index_t length = last < 0 ? 1 : named_.extent[last];
        bool inside = true;
        for (index_t done = 0; done < n;) {
            index_t offset[max_keys + 2] = {};
            for (int k = 0; k < count_; ++k) offset[2 + k] = start_[k];
            index_t rest = from + done, room = length - rest;
            for (int d = last; d >= 0; --d) {
                const index_t i = d > 0 ? rest % named_.extent[d] : rest;
                if (d > 0) rest /= named_.extent[d];
                if (d == last) room = length - i;
                for (int o = 0; o < count_ + 2; ++o) offset[o] += i * named_.stride[d][o];
            }
            const index_t part = n - done < room ? n - done : room;
            const index_t x_step = last < 0 ? 0 : named_.stride[last][0],
                          y_step = last < 0 ? 0 : named_.stride[last][1];
            if (y_at)
                for (index_t t = 0; t < part; ++t) y_at[done + t] = offset[1] + t * y_step;
            for (int k = 0; k < count_; ++k) {
                const index_key& key = keys_[k];
                inside &= key.add(key.array.data + offset[2 + k] * static_cast<index_t>(key.item),
                                  last < 0 ? 0 : named_.stride[last][2 + k], part, along_[k].extent, along_[k].stride,
                                  x_at + done, k == 0 ? offset : nullptr);
            }
            if (x_step != 0)
                for (index_t t = 0; t < part; ++t) x_at[done + t] += t * x_step;
            done += part;
        }
        return inside;
    }
    /// The index array, where its elements are offsets as they are unless they count from the end; or null.
    const index_t* offsets_in_place() const {
        const index_key& key = keys_[0];
        const bool plain = count_ == 1 && key.is_index_t && along_[0].stride == 1 && named_.rank == 1 &&
                           named_.stride[0][0] == 0 && named_.stride[0][2] == 1;
        return plain ? reinterpret_cast<const index_t*>(key.array.data) : nullptr;
    }
    void run(index_t from, index_t to, std::byte* x, std::byte* y, index_t length, const free_axes& outer) {
        index_t offsets[tile], y_at[tile];
        const bool listed = !evenly_written();
        const index_t y_step = named_.rank > 0 ? named_.stride[named_.rank - 1][1] : 0;
        const index_t* const positions = offsets_in_place();
        const gather_function gather_tile = positions && gathers_ && y_step == 1 && length == 1 && outer.rank == 0
                                                ? gatherer_of(static_cast<std::size_t>(item_))
                                                : nullptr;
        for (; from < to; from += tile) {
            const index_t n = tile_size(from, to);
            if (gather_tile && gather_tile(x, along_[0].extent, positions + from, y + from * item_, n)) continue;
            const index_t* x_at = positions ? positions + from : offsets;
            if (!positions || !(from_front_ || are_positions(x_at, n, along_[0].extent))) {
                if (!fill(from, n, offsets, listed ? y_at : nullptr))
                    return outside_.store(true, std::memory_order_relaxed);
                x_at = offsets;
            }
            if (free_.count == 0) continue;
            move_outer({x, x_at, listed ? y : y + from * y_step * item_, listed ? y_at : nullptr, y_step, n, length},
                       outer);
        }
    }
    /// The same rows at each position along the outer free axes. Of few rows, columns that are picked from a table,
    /// each goes along the innermost of these at once.
    void move_outer(row_moves m, const free_axes& outer) const {
        constexpr index_t few = 6;
        index_t at[max_loop_rank] = {};
        int inner = outer.rank;
        const bool along = inner > 0 && m.n <= few && outer.extent[inner - 1] > 2 * few;
        if (along) --inner;
        for (;;) {
            if (along) move_along(m, outer.extent[inner], outer.stride[inner]);
            else move_(m);
            int d = inner - 1;
            for (; d >= 0; --d) {
                const index_t by = ++at[d] < outer.extent[d] ? 1 : 1 - outer.extent[d];
                m.x += by * outer.stride[d][0] * item_;
                m.y += by * outer.stride[d][1] * item_;
                if (by == 1) break;
                at[d] = 0;
            }
            if (d < 0) return;
        }
    }
    void move_along(const row_moves& m, index_t extent, const index_t* stride) const {
        constexpr index_t most = 64;  // of which all columns stay in the cache
        index_t offsets[most];
        for (index_t i = 0; i < most; ++i) offsets[i] = i * stride[0];
        for (index_t from = 0; from < extent; from += most)
            for (index_t t = 0; t < m.n; ++t) {
                const index_t y_at = m.y_at ? m.y_at[t] : t * m.y_step;
                move_({m.x + (m.x_at[t] + from * stride[0]) * item_, offsets, m.y + (y_at + from * stride[1]) * item_,
                       nullptr, stride[1], extent - from < most ? extent - from : most, m.length});
            }
    }
    void scatter_part(index_t part) {
        const index_t from = part * step_;
        std::byte* const x = x_ + from * (columns_ ? 1 : free_.stride[0][0]) * item_;
        std::byte* const y = y_ + from * (columns_ ? 1 : free_.stride[0][1]) * item_;
        const index_t rest = (columns_ ? length_ : free_.extent[0]) - from, some = rest < step_ ? rest : step_;
        if (columns_) return run(0, named_.count, x, y, some, free_);
        free_axes inner = free_;
        inner.extent[0] = some;
        run(0, named_.count, x, y, length_, inner);
    }
    /// Names the first index that is out of range.
    [[noreturn, gnu::cold]] RICCI_NOINLINE void refuse() const {
        for (index_t from = 0; from < named_.count; ++from)
            for (int k = 0; k < count_; ++k) {
                index_t rest = from, offset = 0;
                for (int d = named_.rank - 1; d >= 0; --d) {
                    offset += rest % named_.extent[d] * named_.stride[d][2 + k];
                    rest /= named_.extent[d];
                }
                const index_key& key = keys_[k];
                if (!key.add(key.array.data + offset * static_cast<index_t>(key.item), 1, 1, along_[k].extent, 0,
                             nullptr, nullptr))
                    raise<index_error>({"index ", key.value(key.array.data, offset), " is out of bounds for axis ",
                                        key.axis, " with size ", along_[k].extent});
            }
        raise<index_error>({"an index is out of bounds"});
    }

    std::byte* x_;
    std::byte* y_;
    index_t item_;
    const index_key* keys_;
    int count_;
    struct {
        index_t extent, stride;
    } along_[max_keys];
    merged_axes<max_keys + 2> named_;
    free_axes free_;
    index_t start_[max_keys] = {};  // of each key's elements
    index_t length_ = 1, step_ = 1;
    int members_ = -1;  // the axis of x's members
    bool turned_ = false;
    bool columns_ = false;
    bool from_front_ = false;  // all indices are known to be positions
    bool gathers_ = false;     // elements one by one; the output may be written before an index turns out to be wrong
    move_function move_ = nullptr;
    atomic_word<bool> outside_{false};
};

}  // namespace ricci::detail
