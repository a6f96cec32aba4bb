// The axes along which few elements are taken: found once for all the ways of taking them.
#pragma once
#include <cstdlib>
#include <utility>

#include "nest.hpp"

RICCI_CONTROL_BEGIN
namespace ricci::detail {

/// The axes of an iteration space that are longer than 1, the innermost first, merged where they are one in all
/// operands.
struct common_axes {
    static constexpr int most_operands = 16;
    int axes = 0;
    index_t extent[max_loop_rank];
    index_t stride[most_operands][max_loop_rank];  // in elements; 0 where an operand stays put

    /// False where there are too many operands. Operands without data stay put.
    bool find(const operand_ref* operand, int operands, const index_t* extents, int rank);
    /// Takes the axes in the order in which an operand lies in memory, if it moves along all.
    void follow(int o, int operands);
    index_t length() const { return axes > 0 ? extent[0] : 1; }
    index_t rows() const { return axes > 1 ? extent[1] : 1; }
    index_t step(int o) const { return axes > 0 ? stride[o][0] : 0; }
    index_t jump(int o) const { return axes > 1 ? stride[o][1] : 0; }
    /// Whether along an axis all operands lie side by side or stay put.
    bool is_flat(int operands, int axis) const {
        for (int o = 0; o < operands; ++o)
            if (stride[o][axis] != 0 && stride[o][axis] != 1) return false;
        return true;
    }
    /// Whether there are rows of elements that lie so, and at most one axis more.
    bool is_sheet(int operands) const { return (axes == 1 || axes == 2) && is_flat(operands, 0); }

   private:
    void merge(int operands);
};

#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE bool common_axes::find(const operand_ref* operand, int operands, const index_t* extents,
                                                   int rank) {
    if (operands > most_operands) return false;
    int behind[max_loop_rank];  // each axis: how many there are behind it
    axes = 0;
    for (int d = rank - 1; d >= 0; --d) {
        if (extents[d] == 1) continue;
        behind[axes] = rank - 1 - d;
        extent[axes++] = extents[d];
    }
    for (int o = 0; o < operands; ++o) {
        const operand_ref& x = operand[o];
        index_t* const to = stride[o];
        index_t dense = 1;
        for (int a = 0; a < axes; ++a) {
            const int e = x.rank - 1 - behind[a];
            to[a] = 0;
            if (e < 0 || x.extent[e] == 1 || !x.data) continue;
            to[a] = x.stride ? x.stride[e] : dense;
            dense *= extent[a];
        }
    }
    merge(operands);
    return true;
}
RICCI_NOINLINE RICCI_ENGINE void common_axes::follow(int o, int operands) {
    const auto apart = [&](int a) { return std::abs(stride[o][a]); };
    for (int a = 0; a < axes; ++a)
        if (stride[o][a] == 0) return;
    bool moved = false;
    for (int a = 1; a < axes; ++a)
        for (int b = a; b > 0 && apart(b) < apart(b - 1); --b) {
            std::swap(extent[b], extent[b - 1]);
            for (int p = 0; p < operands; ++p) std::swap(stride[p][b], stride[p][b - 1]);
            moved = true;
        }
    if (moved) merge(operands);
}
RICCI_ENGINE void common_axes::merge(int operands) {
    int last = 0;
    for (int a = 1; a < axes; ++a) {
        int o = 0;
        while (o < operands && stride[o][a] == stride[o][last] * extent[last]) ++o;
        if (o == operands) {
            extent[last] *= extent[a];
        } else if (++last != a) {
            extent[last] = extent[a];
            for (o = 0; o < operands; ++o) stride[o][last] = stride[o][a];
        }
    }
    if (axes > 0) axes = last + 1;
}
#endif  // RICCI_ENGINE_BODIES

}  // namespace ricci::detail
RICCI_CONTROL_END
