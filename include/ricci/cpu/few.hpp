// Maps of so few elements that a kernel's preparations would take longer than they do: operands are packed, and one
// call runs all.
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
    index_t lanes, item;                                                // of a register: its elements and their bytes
    void (*load_few)(std::byte* to, const std::byte* from, index_t n);  // fewer than a register has, and zeros

    template <class Sweep>
    static constexpr bool take() {
        return cpu_kernel<Sweep, void>::vectorised && Sweep::inputs > 0 && Sweep::inputs <= most_inputs;
    }
    template <class Sweep, bool Axes>
    static few_elements of(const Sweep& sweep) {
        using kernel = cpu_kernel<Sweep, void>;
        using T = typename kernel::T;
        return {&sweep,
                simd_span<Sweep, T, merging::none, void>::run,
                kernel::template copiers<Axes>.data(),
                Sweep::inputs,
                simd<T>::lanes,
                sizeof(T),
                [](std::byte* to, const std::byte* from, index_t n) {
                    simd<T>::load_partial(reinterpret_cast<const T*>(from), n).store(reinterpret_cast<T*>(to));
                }};
    }
    /// n elements: inputs that broadcast to the output, which is behind them. All have one axis at most unless there
    /// are Axes.
    template <bool Axes>
    void run(const operand_ref* operand, index_t n) const;

   private:
    /// Any number of elements, a register or more, to where an input is: the last register, which would read what was
    /// written there, is computed first.
    void run_over(std::byte* const* in, const index_t* mask, std::byte* to, index_t n) const;
    bool run_rows(const operand_ref* operand) const;
    /// What input k is read from: where it is dense the memory itself, elsewhere `buffer`, which is filled.
    template <bool Axes>
    std::byte* gathered(const operand_ref* operand, int k, index_t n, std::byte* buffer) const;
    void run_span(std::byte* const* in, const index_t* mask, std::byte* to, index_t n) const {
        static constexpr output_mode mode[1] = {output_mode::store};
        static constexpr unsigned char merge[1] = {0};
        span(sweep, span_args{n, in, mask, &to, mode, merge}, nullptr);
    }
    /// Whether rows as the output's take about as few registers as the same elements without gaps between rows.
    bool suits_rows(const operand_ref& out, index_t n) const {
        const index_t length = out.rank > 1 ? out.extent[out.rank - 1] : 0;
        return length >= lanes && (length + lanes - 1) / lanes * lanes * 4 <= 5 * length && n > length;
    }
};

/// Where all lie in rows of at least a register, as windows on an array do, or stay put along these, nothing is packed
/// but what stays put; false, and nothing done, where it is not that.
RICCI_NOINLINE inline bool few_elements::run_rows(const operand_ref* operand) const {
    const operand_ref& out = operand[inputs];
    common_axes axes;
    if (!axes.find(operand, inputs + 1, out.extent, out.rank) || !axes.is_sheet(inputs + 1)) return false;
    const index_t length = axes.length(), rows = axes.rows();
    if (length < lanes) return false;
    if (length % lanes != 0)
        for (int k = 0; k < inputs; ++k)
            if (operand[k].data == out.data) return false;  // registers overlap at the end
    constexpr index_t room =
        most * sizeof(double) + repeat_slack;  // a register for each row is at most what the rows take
    alignas(64) std::byte buffer[most_inputs][room];
    std::byte* at[most_inputs + 1];
    index_t mask[most_inputs], row_bytes[most_inputs + 1];
    for (int k = 0; k <= inputs; ++k) {
        const index_t size = static_cast<index_t>(copier[k]->size);
        at[k] = operand[k].data;
        row_bytes[k] = axes.jump(k) * size;
        if (k == inputs) break;
        mask[k] = axes.step(k) == 0 ? 0 : -1;
        if (mask[k] != 0) continue;
        const bool same = axes.jump(k) == 0;
        copier[k]->repeat_rows(buffer[k], at[k], row_bytes[k], lanes, same ? 1 : rows);
        at[k] = buffer[k];
        if (!same) row_bytes[k] = lanes * size;
    }
    static constexpr output_mode mode[1] = {output_mode::store};
    static constexpr unsigned char merge[1] = {0};
    span(sweep,
         span_args{length, at, mask, at + inputs, mode, merge, rows > 1 ? row_bytes : nullptr, static_cast<int>(rows)},
         nullptr);
    return true;
}

RICCI_NOINLINE inline void few_elements::run_over(std::byte* const* in, const index_t* mask, std::byte* to,
                                                  index_t n) const {
    const index_t last = n - lanes, size = static_cast<index_t>(copier[inputs]->size);
    alignas(64) std::byte end[64];
    std::byte* from[most_inputs];
    for (int k = 0; k < inputs; ++k) from[k] = in[k] + (mask[k] & last) * static_cast<index_t>(copier[k]->size);
    run_span(from, mask, end, lanes);
    run_span(in, mask, to, n - n % lanes);
    std::memcpy(to + last * size, end, static_cast<std::size_t>(lanes * size));
}

template <bool Axes>
std::byte* few_elements::gathered(const operand_ref* operand, int k, index_t n, std::byte* buffer) const {
    const operand_ref &x = operand[k], &out = operand[inputs];
    const bool padded = n < lanes;
    if (x.dense == n && n > 1 && !padded && (x.data != out.data || out.dense == n)) return x.data;
    if (x.dense == 1) {
        if constexpr (Axes) copier[k]->repeat_rows(buffer, x.data, 0, lanes, 1);
        else copier[k]->copy(buffer, 1, x.data, 0, lanes);
    } else if (padded && x.dense == n && static_cast<index_t>(copier[k]->size) == item) {
        load_few(buffer, x.data, n);
    } else {
        if (padded) std::memset(buffer, 0, static_cast<std::size_t>(lanes * item));
        if constexpr (Axes) pack_operand(*copier[k], x, out.extent, out.rank, buffer);
        else copier[k]->copy(buffer, 1, x.data, x.line_step(), n);
    }
    return buffer;
}

template <bool Axes>
RICCI_NOINLINE void few_elements::run(const operand_ref* operand, index_t n) const {
    constexpr index_t room = most * sizeof(double) + repeat_slack;
    const operand_ref& out = operand[inputs];
    if constexpr (Axes) {
        bool dense = out.dense == n;
        for (int k = 0; k < inputs; ++k) dense = dense && (operand[k].dense == 1 || operand[k].dense == n);
        if (!dense && suits_rows(out, n) && run_rows(operand)) return;
    }
    alignas(64) std::byte buffer[most_inputs + 1][room];
    std::byte* at[most_inputs];
    index_t mask[most_inputs];
    const bool padded = n < lanes, in_place = out.dense == n && !padded;
    bool over = false;  // an input, and the last register would read what was written there
    for (int k = 0; k < inputs; ++k) {
        mask[k] = operand[k].dense == 1 ? 0 : -1;
        at[k] = gathered<Axes>(operand, k, n, buffer[k]);
        over = over || (in_place && at[k] == out.data && n % lanes != 0);
    }
    std::byte* const to = in_place ? out.data : buffer[inputs];
    if (over) return run_over(at, mask, to, n);
    run_span(at, mask, to, padded ? lanes : n);
    if (in_place) return;
    if constexpr (Axes) unpack_operand(*copier[inputs], out, to);
    else copier[inputs]->copy(out.data, out.line_step(), to, 1, n);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
