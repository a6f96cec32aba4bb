// Filters of second-order sections along lines, all sections in one pass.
#pragma once
#include <algorithm>
#include <vector>

#include "gemm.hpp"
#include "line_grid.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Lines of n elements through sections {b0, b1, b2, 1, a1, a2}, in place. Some sections' coefficients and states, the
/// delays of the transposed direct form, stay in registers: an element goes through all of them before the next one is
/// read, and does not wait for it. Many lines are filtered side by side, a lane each.
template <class T>
class filter_sections {
    static constexpr index_t together = 4;  // sections
    const T* sections_;
    index_t count_, n_;

    /// V is a number or a register, of which `state` has two for each section.
    template <int Count, class V>
    RICCI_NOINLINE static void some(const T* sections, T* state, T* line, index_t n) {
        constexpr index_t step = sizeof(V) / sizeof(T);
        T b[Count][3], a[Count][2];
        V near[Count], far[Count];
        for (int s = 0; s < Count; ++s) {
            std::copy(sections + s * 6, sections + s * 6 + 3, b[s]);
            std::copy(sections + s * 6 + 4, sections + s * 6 + 6, a[s]);
            near[s] = loaded<V>(state + 2 * s * step);
            far[s] = loaded<V>(state + (2 * s + 1) * step);
        }
        for (index_t i = 0; i < n; ++i) {
            V x = loaded<V>(line + i * step);
            RICCI_UNROLL
            for (int s = 0; s < Count; ++s) {
                const V y = multiply_add(b[s][0], x, near[s]);
                near[s] = multiply_add(-a[s][0], y, multiply_add(b[s][1], x, far[s]));
                far[s] = multiply_add(-a[s][1], y, V(b[s][2]) * x);
                x = y;
            }
            store(x, line + i * step);
        }
        for (int s = 0; s < Count; ++s) {
            store(near[s], state + 2 * s * step);
            store(far[s], state + (2 * s + 1) * step);
        }
    }
    template <class V>
    static RICCI_INLINE V loaded(const T* at) {
        if constexpr (std::is_same_v<V, T>) return *at;
        else return V::load(at);
    }
    template <class V>
    static RICCI_INLINE void store(const V& x, T* at) {
        if constexpr (std::is_same_v<V, T>) *at = x;
        else x.store(at);
    }
    template <class V>
    static RICCI_INLINE V multiply_add(T factor, const V& x, const V& sum) {
        if constexpr (std::is_same_v<V, T>) return factor * x + sum;
        else return math::fma(V(factor), x, sum);
    }
    template <class V>
    void all(T* state, T* line, index_t n) const {
        for (index_t s = 0; s < count_; s += together) {
            const T* const from = sections_ + s * 6;
            T* const at = state + 2 * s * static_cast<index_t>(sizeof(V) / sizeof(T));
            switch (std::min(together, count_ - s)) {
                case 1:
                    some<1, V>(from, at, line, n);
                    break;
                case 2:
                    some<2, V>(from, at, line, n);
                    break;
                case 3:
                    some<3, V>(from, at, line, n);
                    break;
                default:
                    some<4, V>(from, at, line, n);
            }
        }
    }
#if defined(RICCI_HAS_SIMD)
    void side_by_side(const T* states, T* lines) const {
        constexpr index_t lanes = simd<T>::lanes, block = 256;
        gemm_scratch<T> scratch, memory;
        T* const part = scratch.get(block * lanes);
        T* const state = memory.get(2 * count_ * lanes);
        for (index_t k = 0; k < 2 * count_; ++k)
            for (index_t l = 0; l < lanes; ++l) state[k * lanes + l] = states ? states[l * 2 * count_ + k] : T(0);
        for (index_t i = 0; i < n_; i += block) {
            const index_t n = std::min(block, n_ - i);
            copy_transposed(lanes, n, lines + i, n_, 1, part, lanes);
            all<simd<T>>(state, part, n);
            copy_transposed(n, lanes, part, lanes, 1, lines + i, n_);
        }
    }
#endif

   public:
    filter_sections(const T* sections, index_t count, index_t n) : sections_(sections), count_(count), n_(n) {}
    /// `states` has two numbers for each section of each line; null where all are 0.
    void run(index_t lines, const T* states, T* x) const {
        if (n_ == 0) return;
        const index_t work = n_ * count_ * 4;
        const auto own = [&](index_t line) { return states ? states + line * 2 * count_ : nullptr; };
        index_t first = 0;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>) {
            constexpr index_t lanes = simd<T>::lanes;
            for_blocks(lines / lanes, work, [&](index_t g) { side_by_side(own(g * lanes), x + g * lanes * n_); });
            first = lines / lanes * lanes;
        }
#endif
        for_blocks(lines - first, work, [&](index_t l) {
            std::vector<T> state(static_cast<std::size_t>(2 * count_));
            if (states) std::copy(own(first + l), own(first + l) + 2 * count_, state.begin());
            all<T>(state.data(), x + (first + l) * n_, n_);
        });
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
