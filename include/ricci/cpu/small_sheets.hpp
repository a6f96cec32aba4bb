// Few elements in rows, as tangents and the partial derivatives that they share have them: the loops that one would
// write, where a kernel's preparations would take longer than they do.
#pragma once
#include "dense_rows.hpp"

namespace ricci::detail {

/// A small iteration space of two axes, along the first of which all operands lie side by side or stay put.
struct small_sheet {
    static constexpr int most_operands = 9;
    static constexpr index_t most = 1024, most_rows = 128;

    index_t n, rows;
    index_t step[most_operands], jump[most_operands];  // in elements, to the next one and to the next row

    /// False where it is not that; inputs first, the output behind them.
    bool find(const operand_ref* operand, int operands, index_t lanes);

   private:
    bool is_flat(const index_t* steps, int operands) const {
        for (int o = 0; o < operands; ++o)
            if (steps[o] != 0 && steps[o] != 1) return false;
        return true;
    }
};

#if RICCI_ENGINE_BODIES
RICCI_NOINLINE RICCI_ENGINE bool small_sheet::find(const operand_ref* operand, int operands, index_t lanes) {
    const int rank = operand[operands - 1].rank;
    index_t dense[most_operands], *steps[] = {step, jump}, extents[] = {1, 1};
    for (int o = 0; o < operands; ++o) dense[o] = 1;
    int axes = 0;
    for (int behind = 0; behind < rank; ++behind) {
        index_t extent = 1, by[most_operands];
        for (int o = 0; o < operands; ++o) {
            const operand_ref& x = operand[o];
            const int d = x.rank - 1 - behind;
            by[o] = 0;
            if (d < 0 || x.extent[d] == 1) continue;
            extent = x.extent[d];
            by[o] = x.stride ? x.stride[d] : dense[o];
            dense[o] *= extent;
        }
        if (extent == 1) continue;
        bool joins = axes > 0;
        for (int o = 0; joins && o < operands; ++o) joins = by[o] == steps[axes - 1][o] * extents[axes - 1];
        if (joins) {
            extents[axes - 1] *= extent;
        } else {
            if (axes == 2) return false;
            extents[axes] = extent;
            std::copy_n(by, operands, steps[axes++]);
        }
    }
    if (axes != 2 || extents[0] * extents[1] > most) return false;
    n = extents[0];
    rows = extents[1];
    const bool flat = n >= lanes && rows <= most_rows && is_flat(step, operands);
    if (!flat) {
        std::swap(n, rows);
        std::swap_ranges(step, step + operands, jump);
        if (n < lanes || rows > most_rows || !is_flat(step, operands)) return false;
    }
    return step[operands - 1] != 0 || jump[operands - 1] != 0;
}
#endif  // RICCI_ENGINE_BODIES

inline namespace RICCI_ISA {

template <class Sweep, class T, class Combine>
class small_sheet_loop {
   public:
    /// A sweep of few instructions, whose loops are worth compiling: sums of products above all.
    static constexpr bool take() {
        if constexpr (!std::is_floating_point_v<T> || Sweep::reverse || Sweep::order != 0 || Sweep::outputs != 1)
            return false;
        else if constexpr (Sweep::inputs < 2 || Sweep::inputs >= small_sheet::most_operands) return false;
        else if constexpr (tree_cost_v<typename Sweep::tree_type> > 5) return false;
        else return takes_only<Sweep, T>(std::make_integer_sequence<int, Sweep::inputs>{});
    }

    RICCI_INLINE explicit small_sheet_loop(const Sweep& sweep) : sweep_(sweep) {}

    /// False, and nothing done, where it is not such a sheet.
    RICCI_NOINLINE bool run(const operand_ref* operand) {
        if (!sheet_.find(operand, inputs + 1, lanes)) return false;
        T* const out = reinterpret_cast<T*>(operand[inputs].data);
        const index_t step = sheet_.step[inputs], jump = sheet_.jump[inputs];
        if (step == 0 && std::find(sheet_.step, sheet_.step + inputs, 0) != sheet_.step + inputs) return false;
        if (!place(operand)) return false;
        if (step != 0 && jump != 0) {
            columns<false>(out, jump);
        } else if constexpr (!std::is_void_v<Combine>) {
            if (jump == 0) columns<true>(out, 0);
            else lines(out, jump);
        }
        return true;
    }

   private:
    using lane = simd<T>;
    static constexpr index_t lanes = lane::lanes;
    static constexpr int inputs = Sweep::inputs;
    static constexpr index_t room = 256;  // registers of copies of what stays put along rows

    struct registers {
        const std::byte* const* at;
        index_t i;
        template <int K>
        RICCI_INLINE auto get() const {
            return lane::load(reinterpret_cast<const T*>(at[K]) + i);
        }
    };
    RICCI_INLINE bool place(const operand_ref* operand) {
        index_t used = 0;
        for (int k = 0; k < inputs; ++k) {
            const index_t jump = sheet_.jump[k];
            at_[k] = operand[k].data;
            mask_[k] = -1;
            by_[k] = jump * index_t(sizeof(T));
            if (sheet_.step[k] != 0) continue;
            const index_t copies = jump == 0 ? 1 : sheet_.rows;
            if (used + copies > room) return false;
            const T* from = reinterpret_cast<const T*>(at_[k]);
            at_[k] = reinterpret_cast<const std::byte*>(copies_[used]);
            for (index_t r = 0; r < copies; ++r, from += jump) lane(*from).store(copies_[used++]);
            mask_[k] = 0;
            if (jump != 0) by_[k] = sizeof(lane);
        }
        return true;
    }
    RICCI_INLINE lane value(const std::byte* const* at, index_t i = 0) const {
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep_.template run<simd_domain<T>>(registers{at, i}, results);
        return results.template at<0>();
    }
    /// A column of registers at a time, which is walked down the rows; with Sum these are added up.
    template <bool Sum>
    RICCI_INLINE void columns(T* out, index_t jump) const {
        index_t by[inputs];  // copies: a store could change the members, for all that the compiler knows
        std::copy_n(by_, inputs, by);
        const index_t rows = sheet_.rows;
        for (index_t i = 0;;) {
            const std::byte* at[inputs];
            for (int k = 0; k < inputs; ++k) at[k] = at_[k] + (i & mask_[k]) * index_t(sizeof(T));
            T* to = out + i;
            lane sum(T(0));
            for (index_t r = rows; r > 0; --r) {
                const lane y = value(at);
                for (int k = 0; k < inputs; ++k) at[k] += by[k];
                if constexpr (Sum) {
                    sum = Combine::join(sum, y);
                } else {
                    y.store(to);
                    to += jump;
                }
            }
            if constexpr (Sum) sum.store(to);
            if (i == sheet_.n - lanes) return;
            i = std::min(i + lanes, sheet_.n - lanes);
        }
    }
    /// Each row, along which no input stays put, is added up.
    RICCI_INLINE void lines(T* out, index_t jump) const {
        const index_t n = sheet_.n, rest = n % lanes;
        const auto fresh = simd_mask<T>::load(last_lanes<lanes> + (rest != 0 ? rest : lanes));
        const std::byte* row[inputs];
        for (int k = 0; k < inputs; ++k) row[k] = at_[k];
        for (index_t r = sheet_.rows; r > 0; --r, out += jump) {
            lane sum = math::select(fresh, value(row, n - lanes), lane(T(0)));
            for (index_t i = 0; i < n - lanes; i += lanes) sum = Combine::join(sum, value(row, i));
            *out = reduce_add(sum);
            for (int k = 0; k < inputs; ++k) row[k] += by_[k];
        }
    }

    const Sweep sweep_;  // a copy: what a store could change would be computed anew in every step
    small_sheet sheet_;
    const std::byte* at_[inputs];
    index_t mask_[inputs], by_[inputs];  // 0 where an input stays put along rows; bytes to the next row
    alignas(64) T copies_[room][lanes];
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
