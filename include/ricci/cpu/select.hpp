// Elements that a map chooses as it is computed: registers of truths pack registers of elements, without a mask in
// memory.
#pragma once
#include "compress.hpp"
#include "row.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether a register of the map's truths is as many elements of U's size as one that can be packed.
template <class Sweep, class U>
constexpr bool packs_registers() {
    using T = lane_type_t<typename Sweep::tree_type>;
    if constexpr (!lanes_supported<T>() || Sweep::inputs == 0) return false;
    else if constexpr (sizeof(T) != sizeof(U)) return false;
    else return has_compressor<sizeof(U)>;
}
/// The n elements of x for which a map is true, one after the other, and how many they are; y has room for all. The
/// map's inputs are at `at`: elements beside those of x, or, where `mask` is 0, a register of the same one.
template <class Sweep, class U>
RICCI_INLINE index_t select_registers(const Sweep& sweep, std::byte* const* at, const index_t* mask, const U* x,
                                      index_t n, U* y) {
    using T = lane_type_t<typename Sweep::tree_type>;
    using registers = compressor<sizeof(U)>;
    using bits = typename registers::mask;
    constexpr index_t lanes = registers::lanes;
    static_assert(lanes == simd<T>::lanes);
    simd_inputs<Sweep, T> in(span_args{n, at, mask, nullptr, nullptr, nullptr});
    const auto chosen = [&](index_t i) RICCI_INLINE_LAMBDA {
        in.i = i;
        step_outputs<Sweep, simd_domain<T>, merging::none> truths(nullptr);
        sweep.template run<simd_domain<T>>(in, truths);
        return static_cast<bits>(mask_bits(truths.template at<0>().raw()));
    };
    if (n < lanes) {
        const bits some = static_cast<bits>(chosen(0) & registers::first(n));
        const index_t count = __builtin_popcount(some);
        registers::store(y, registers::first(count), registers::pack(x, some));
        return count;
    }
    index_t i = 0, k = 0;
    for (; i + lanes <= n; i += lanes) {  // whole registers: the next one follows inside it
        const bits some = chosen(i);
        registers::store_all(y + k, registers::pack_all(x + i, some));
        k += __builtin_popcount(some);
    }
    if (i == n) return k;
    const bits some = static_cast<bits>(chosen(n - lanes) & (registers::all << (lanes - (n - i))));  // those from i on
    const index_t rest = __builtin_popcount(some);
    registers::store(y + k, registers::first(rest), registers::pack(x + (n - lanes), some));
    return k + rest;
}
/// The same of inputs of which some are one element: `still` says which.
template <class Sweep, class U>
RICCI_INLINE index_t select_where(const Sweep& sweep, std::byte* const* from, const bool* still, const U* x, index_t n,
                                  U* y) {
    constexpr index_t lanes = compressor<sizeof(U)>::lanes;
    constexpr int inputs = Sweep::inputs;
    alignas(64) std::byte buffer[inputs][64];
    std::byte* at[inputs];
    index_t mask[inputs];
    for_indices<inputs>([&](auto k) RICCI_INLINE_LAMBDA {
        constexpr std::size_t item = sizeof(typename Sweep::template input_type<k()>);
        mask[k()] = still[k()] ? 0 : -1;
        at[k()] = still[k()] || n < lanes ? buffer[k()] : from[k()];
        if (still[k()])
            for (std::size_t i = 0; i < lanes; ++i) std::memcpy(buffer[k()] + i * item, from[k()], item);
        else if (n < lanes) {
            std::memset(buffer[k()], 0, sizeof buffer[k()]);
            std::memcpy(buffer[k()], from[k()], static_cast<std::size_t>(n) * item);
        }
    });
    return select_registers(sweep, at, mask, x, n, y);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
