// Maps of so few elements that a kernel's preparations would take longer than they do: operands are packed, and one call runs all.
#pragma once
#include "bind.hpp"
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A map on registers, as few elements go through it.
struct few_elements {
    static constexpr int most_inputs = 8;
    static constexpr index_t most = 512;

    const void* sweep;
    span_function span;
    const item_copier* const* copier;
    int inputs;
    index_t lanes, item;  // of a register: its elements and their bytes

    template <class Sweep>
    static constexpr bool take() {
        return cpu_kernel<Sweep, void>::vectorised && Sweep::inputs > 0 && Sweep::inputs <= most_inputs;
    }
    template <class Sweep>
    static few_elements of(const Sweep& sweep) {
        using kernel = cpu_kernel<Sweep, void>;
        using T = typename kernel::T;
        return {&sweep,
                simd_span<Sweep, T, merging::none, void>::run,
                kernel::copiers.data(),
                Sweep::inputs,
                simd<T>::lanes,
                sizeof(T)};
    }
    /// n elements: inputs that broadcast to the output, which is behind them.
    void run(const operand_ref* operand, index_t n) const;
};

RICCI_NOINLINE inline void few_elements::run(const operand_ref* operand, index_t n) const {
    constexpr index_t room = most * sizeof(double) + repeat_slack;
    const operand_ref& out = operand[inputs];
    alignas(64) std::byte buffer[most_inputs + 1][room];
    std::byte* at[most_inputs];
    index_t mask[most_inputs];
    const bool padded = n < lanes;
    for (int k = 0; k < inputs; ++k) {
        const operand_ref& x = operand[k];
        mask[k] = x.dense == 1 ? 0 : -1;
        at[k] = x.data;
        if (x.dense == n && n > 1 && !padded && x.data != out.data) continue;  // registers overlap at the end
        at[k] = buffer[k];
        if (x.dense == 1) {
            copier[k]->repeat_rows(at[k], x.data, 0, lanes, 1);
        } else {
            if (padded) std::memset(at[k], 0, static_cast<std::size_t>(lanes * item));
            pack_operand(*copier[k], x, out.extent, out.rank, at[k]);
        }
    }
    std::byte* const to = out.dense == n && !padded ? out.data : buffer[inputs];
    static constexpr output_mode mode[1] = {output_mode::store};
    static constexpr unsigned char merge[1] = {0};
    span(sweep, span_args{padded ? lanes : n, at, mask, &to, mode, merge}, nullptr);
    if (to != out.data) unpack_operand(*copier[inputs], out, to);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
