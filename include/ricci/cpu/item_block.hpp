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
        const sheet s{n, axes_ > 0 ? step_[0] : 1, axes_ > 1 ? extent_[1] : 1, axes_ > 1 ? step_[1] * size : 0};
        if (axes_ < 3) return move_sheet(copier, pack, at, packed, s);
        index_t index[most_axes] = {};
        for (;;) {
            move_sheet(copier, pack, at, packed, s);
            packed += s.rows * n * size;
            int d = 2;
            for (; d < axes_; ++d) {
                const index_t by = ++index[d] < extent_[d] ? 1 : 1 - extent_[d];
                at += by * step_[d] * size;
                if (by == 1) break;
                index[d] = 0;
            }
            if (d == axes_) return;
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
        if (s.apart == static_cast<index_t>(copier.size) && s.rows >= turned && s.n >= turned)
            return turn_sheet(copier, pack, at, packed, s);
        for (index_t r = 0; r < s.rows; ++r, at += s.apart, packed += bytes) {
            if (pack) copier.copy(packed, 1, at, s.step, s.n);
            else copier.copy(at, s.step, packed, 1, s.n);
        }
    }

    static constexpr index_t turned =
        8;  // rows that are neighbours in memory, and elements of each, to be turned in registers
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

    int axes_ = 0;
    index_t extent_[most_axes], step_[most_axes];
};
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
RICCI_CONTROL_END
