// Blocks of few elements with steps, packed side by side or put back.
#pragma once
#include "nest.hpp"

RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// Packs the elements of an operand, broadcast to a shape, side by side; or, of one that is not broadcast, puts them
/// back.
void pack_operand(const item_copier& copier, const operand_ref& x, const index_t* extent, int rank, std::byte* packed);
void unpack_operand(const item_copier& copier, const operand_ref& x, std::byte* packed);

#if RICCI_ENGINE_BODIES
/// Elements with steps along some axes, which are added from the innermost one on and merged where they are one.
class item_block {
   public:
    static constexpr int most_axes = 8;

    void add_axis(index_t n, index_t step) {
        if (n == 1) return;
        if (axes_ > 0 && step == step_[axes_ - 1] * extent_[axes_ - 1]) {
            extent_[axes_ - 1] *= n;
        } else {
            extent_[axes_] = n;
            step_[axes_++] = step;
        }
    }
    /// Packs the elements at `at`, or unpacks them.
    void move(const item_copier& copier, bool pack, std::byte* at, std::byte* packed) const {
        const index_t size = static_cast<index_t>(copier.size), n = axes_ > 0 ? extent_[0] : 1;
        const bool repeats = axes_ > 1 && step_[0] == 1 && step_[1] == 0;  // whole blocks
        const int rows = repeats ? 2 : 1;
        const sheet s{n, axes_ > 0 ? step_[0] : 1, axes_ > rows ? extent_[rows] : 1,
                      axes_ > rows ? step_[rows] * size : 0};
        if (axes_ < 3 && !repeats) return move_sheet(copier, pack, at, packed, s);
        const index_t times = repeats ? extent_[1] : 1;
        index_t index[most_axes] = {};
        for (;;) {
            if (repeats) copier.repeat_blocks(packed, at, s.apart, n * size, times, s.rows);
            else move_sheet(copier, pack, at, packed, s);
            packed += times * s.rows * n * size;
            if (!advance(index, rows + 1, size, at)) return;
        }
    }

    /// Joins packed elements to those at `at`.
    void join(const output_rules& rules, std::byte* at, const std::byte* packed) const {
        const index_t size = static_cast<index_t>(rules.item);
        const auto extent = [&](int d) { return d < axes_ ? extent_[d] : 1; };
        const auto step = [&](int d) { return d < axes_ ? step_[d] * size : 0; };
        const block_places places{extent(0), step(0), extent(1), step(1), extent(2), step(2)};
        index_t index[most_axes] = {};
        for (;;) {
            rules.join_block(at, packed, places);
            packed += places.n * places.rows * places.groups * size;
            if (!advance(index, 3, size, at)) return;
        }
    }

   private:
    /// Rows of n elements with a step, so many bytes apart; packed they are one behind the other.
    struct sheet {
        index_t n, step, rows, apart;
    };
    static void move_sheet(const item_copier& copier, bool pack, std::byte* at, std::byte* packed, const sheet& s) {
        const index_t bytes = s.n * static_cast<index_t>(copier.size);
        if (s.step == 1) {
            if (pack) copier.move_rows(packed, bytes, at, s.apart, bytes, s.rows);
            else copier.move_rows(at, s.apart, packed, bytes, bytes, s.rows);
            return;
        }
        if (s.step == 0) return copier.repeat_rows(packed, at, s.apart, s.n, s.rows);
        if (s.apart == static_cast<index_t>(copier.size) && s.rows >= turned_rows && s.n >= turned)
            return turn_sheet(copier, pack, at, packed, s);
        for (index_t r = 0; r < s.rows; ++r, at += s.apart, packed += bytes) {
            if (pack) copier.copy(packed, 1, at, s.step, s.n);
            else copier.copy(at, s.step, packed, 1, s.n);
        }
    }

    // Rows that are neighbours in memory, and elements of each, to be turned in registers.
    static constexpr index_t turned_rows = 5, turned = 8;
    static void turn_sheet(const item_copier& copier, bool pack, std::byte* at, std::byte* packed, const sheet& s) {
        constexpr index_t together = 32;
        const index_t size = static_cast<index_t>(copier.size);
        index_t strided_at[together], packed_at[together];
        for (index_t r = 0; r < together; ++r) {
            strided_at[r] = r * size;
            packed_at[r] = r * s.n * size;
        }
        for (index_t r = 0; r < s.rows; r += together) {
            const index_t rows = s.rows - r < together ? s.rows - r : together;
            const row_pairs pairs{at + r * size, packed + r * s.n * size, strided_at, packed_at, rows, s.step * size};
            copier.pack(pack, pairs, s.n);
        }
    }

    /// To the next place along the axes from one on; false behind the last one.
    bool advance(index_t* index, int first, index_t size, std::byte*& at) const {
        for (int d = first; d < axes_; ++d) {
            const index_t by = ++index[d] < extent_[d] ? 1 : 1 - extent_[d];
            at += by * step_[d] * size;
            if (by == 1) return true;
            index[d] = 0;
        }
        return false;
    }

    int axes_ = 0;
    index_t extent_[most_axes], step_[most_axes];
};
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
RICCI_CONTROL_END
