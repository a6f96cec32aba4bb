// Maps of so few elements that a kernel's preparations would take longer than they do: operands are packed, and one call runs all.
#pragma once
#include "bind.hpp"
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The maps of one sweep.
template <class Sweep>
struct few_elements {
    using kernel = cpu_kernel<Sweep, void>;
    using T = typename kernel::T;
    static constexpr int inputs = Sweep::inputs;
    static constexpr index_t most = 512;

    static constexpr bool exists() {
        if constexpr (!kernel::vectorised || inputs == 0 || inputs > 8) return false;
        else return true;
    }
    /// Inputs that broadcast to the output, which is behind them.
    static void run(const Sweep& sweep, const operand_ref* operand, index_t n) {
        constexpr index_t lanes = simd<T>::lanes;
        const operand_ref& out = operand[inputs];
        alignas(64) std::byte buffer[inputs + 1][most * sizeof(T) + repeat_slack];
        std::byte* at[inputs];
        index_t mask[inputs];
        const bool padded = n < lanes;
        for (int k = 0; k < inputs; ++k) {
            const operand_ref& x = operand[k];
            const item_copier& copier = *kernel::copiers[k];
            mask[k] = x.dense == 1 ? 0 : -1;
            at[k] = x.data;
            if (x.dense == n && n > 1 && !padded && x.data != out.data) continue;  // registers overlap at the end
            at[k] = buffer[k];
            if (x.dense == 1) {
                copier.repeat_rows(at[k], x.data, 0, lanes, 1);
            } else {
                if (padded) std::memset(at[k], 0, lanes * sizeof(T));
                pack_operand(copier, x, out.extent, out.rank, at[k]);
            }
        }
        std::byte* const to = out.dense == n && !padded ? out.data : buffer[inputs];
        static constexpr output_mode mode[1] = {output_mode::store};
        static constexpr unsigned char merge[1] = {0};
        span_function span = simd_span<Sweep, T, merging::none, void>::run;
        RICCI_KEEP_SCALAR(span);  // the kernel's code, not compiled a second time
        span(&sweep, span_args{padded ? lanes : n, at, mask, &to, mode, merge}, nullptr);
        if (to != out.data) unpack_operand(*kernel::copiers[inputs], out, to);
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
