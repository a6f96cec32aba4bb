// Reductions of few dense elements over neighbouring axes: the loops that one would write, where a kernel's
// preparations would take longer than they do.
#pragma once
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A dense array as outer x n x inner elements, reduced along the middle axis.
struct middle_axis {
    index_t outer = 1, n = 1, inner = 1;

    /// False where the axes that are reduced are no neighbours.
    template <int R>
    RICCI_INLINE bool find(const shape<R>& extents, const shape<R>& padded) {
        int d = R - 1;
        for (; d >= 0 && padded[d] == extents[d]; --d) inner *= extents[d];
        for (; d >= 0 && padded[d] == 1; --d) n *= extents[d];
        for (; d >= 0 && padded[d] == extents[d]; --d) outer *= extents[d];
        return d < 0;
    }
    /// Whether it is few elements, in lines that registers suit: of many short ones, packing makes long rows.
    bool is_small(index_t lanes) const {
        constexpr index_t most = 1024, most_rows = 256, few = 32;
        const index_t size = outer * n * inner;
        if (size < lanes || size > most || n > most_rows * (inner == 1 ? 4 : 1)) return false;
        return inner == 1 ? 2 * n >= lanes || outer <= few : 2 * inner >= lanes || 4 * outer <= few;
    }
};

/// Whether it is a forward sweep of few instructions, whose loops are worth compiling.
template <class Sweep, class Combine>
inline constexpr bool takes_dense_sums =
    cpu_kernel<Sweep, Combine>::vectorised && !Sweep::reverse && Sweep::outputs == 1 && Sweep::order == 0 &&
    Sweep::inputs > 0 && Sweep::inputs <= 4 && tree_cost_v<typename Sweep::tree_type> <= 4;

template <class Sweep, class T, class Combine>
class dense_sums {
   public:
    RICCI_INLINE dense_sums(const Sweep& sweep, const std::byte* const* data, const middle_axis& axis)
        : sweep_(sweep), data_(data), axis_(axis), size_(axis.outer * axis.n * axis.inner) {}
    void run(T* out) const {
        if (axis_.inner == 1) {
            for (index_t o = 0; o < axis_.outer; ++o) out[o] = line(o * axis_.n);
            return;
        }
        for (index_t o = 0; o < axis_.outer; ++o, out += axis_.inner) {
            const index_t first = o * axis_.n * axis_.inner;
            if (axis_.inner < lanes) {
                columns(first).store_partial(out, axis_.inner);
                continue;
            }
            for (index_t j = 0; j + lanes < axis_.inner; j += lanes) columns(first + j).store(out + j);
            columns(first + axis_.inner - lanes).store(out + axis_.inner - lanes);
        }
    }

   private:
    using lane = simd<T>;
    static constexpr index_t lanes = lane::lanes;

    RICCI_INLINE lane at(index_t i) const {
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep_.template run<simd_domain<T>>(dense_registers<Sweep, T>{data_, i}, results);
        return results.template at<0>();
    }
    /// The register from element i on, which may go beyond the last one; what its lanes are there is of no account.
    RICCI_INLINE lane from(index_t i) const {
        const index_t beyond = i + lanes - size_;
        if (beyond <= 0) return at(i);
        T moved[2 * lanes];
        const lane last = at(size_ - lanes);
        last.store(moved);
        last.store(moved + lanes);
        return lane::load(moved + beyond);
    }
    /// What lies inner elements apart, n times, from element i on.
    RICCI_INLINE lane columns(index_t i) const {
        lane sums[2] = {lane(Combine::template identity<T>()), lane(Combine::template identity<T>())};
        index_t k = 0;
        for (; k + 2 <= axis_.n; k += 2, i += 2 * axis_.inner) {
            sums[0] = Combine::join(sums[0], from(i));
            sums[1] = Combine::join(sums[1], from(i + axis_.inner));
        }
        if (k < axis_.n) sums[0] = Combine::join(sums[0], from(i));
        return Combine::join(sums[0], sums[1]);
    }
    /// The n elements from the i-th on.
    RICCI_INLINE T line(index_t i) const {
        const lane identity(Combine::template identity<T>());
        if (axis_.n < lanes)
            return joined(math::select(simd_mask<T>::load(last_lanes<lanes> + (lanes - axis_.n)), identity, from(i)));
        lane sums[2] = {at(i), identity};
        const index_t end = i + axis_.n;
        for (i += lanes; i + 2 * lanes <= end; i += 2 * lanes) {
            sums[0] = Combine::join(sums[0], at(i));
            sums[1] = Combine::join(sums[1], at(i + lanes));
        }
        for (; i + lanes <= end; i += lanes) sums[0] = Combine::join(sums[0], at(i));
        if (i < end) {
            const auto fresh = simd_mask<T>::load(last_lanes<lanes> + (end - i));
            sums[1] = Combine::join(sums[1], math::select(fresh, at(end - lanes), identity));
        }
        return joined(Combine::join(sums[0], sums[1]));
    }
    struct join_lanes {
        RICCI_INLINE lane operator()(lane a, lane b) const { return Combine::join(a, b); }
    };
    static RICCI_INLINE T joined(const lane& x) { return fold_lanes<lanes / 2>(x, join_lanes()); }

    const Sweep sweep_;  // a copy: what a store could change would be computed anew in every step
    const std::byte* const* data_;
    middle_axis axis_;
    index_t size_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
