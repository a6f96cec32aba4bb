// Fused ops over few dense elements: their kernel's span, called at once where preparations for any layout would take as long.
#pragma once
#include "bind.hpp"
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Inputs of one shape, beside cotangents of one element, into new memory of that shape or sums of all.
template <class Sweep, class Combine>
class dense_op {
    using kernel_type = cpu_kernel<Sweep, Combine>;
    using T = typename kernel_type::T;
    static constexpr int lanes = simd<T>::lanes;
    template <int K>
    static constexpr bool is_cotangent = Sweep::in.at[K].variable == Sweep::slots;

   public:
    /// Whether every number is one of the registers'.
    static constexpr bool take = [] {
        bool all = true;
        for_indices<Sweep::inputs>(
            [&](auto k) { all = all && std::is_same_v<typename Sweep::template input_type<k()>, T>; });
        for_indices<Sweep::outputs>(
            [&](auto k) { all = all && std::is_same_v<typename Sweep::template output_type<k()>, T>; });
        return all;
    }();

    /// False, and nothing done, where it is not that.
    template <class Op, class Outputs, class... X>
    static RICCI_INLINE bool run(const kernel_type& kernel, const Op& op, const Outputs& outputs, const X&... inputs) {
        const pack<const X*...> all{{{&inputs}...}};
        const auto& extents = get<0>(all)->shape();
        dense_op d(extents.count());
        if (d.n_ < lanes || d.n_ > most_flat) return false;
        bool fits = true;
        for_indices<Sweep::inputs>([&](auto k) { fits = fits && d.template place<k()>(*get<k()>(all), extents); });
        if (!fits) return false;
        for_indices<Sweep::outputs>([&](auto k) {
            if (op.merge[k()] != k()) return;
            fits = fits && !(op.into && op.into[k()]) &&
                   d.place_output(k(), get<k()>(outputs).data(), op.padded[k()], extents);
        });
        if (!fits) return false;
        d.run_span(kernel, op.merge);
        return true;
    }

   private:
    RICCI_INLINE explicit dense_op(index_t n) : n_(n) {
        for (int k = 0; k < Sweep::outputs; ++k) {
            out_[k] = nullptr;
            mode_[k] = output_mode::skip;
        }
    }
    template <int K, class X, int R>
    RICCI_INLINE bool place(const X& x, const shape<R>& extents) {
        if constexpr (is_cotangent<K>) {
            if (x.size() != 1) return false;
            simd<T>(*x.data()).store(copies_[K]);
            in_[K] = byte_pointer(copies_[K]);
            mask_[K] = 0;
            return true;
        } else if constexpr (X::rank == R) {
            in_[K] = byte_pointer(x.data());
            mask_[K] = -1;
            return x.shape() == extents && x.is_contiguous();
        } else {
            return false;
        }
    }
    template <int R>
    RICCI_INLINE bool place_output(int k, T* data, const shape<R>& padded, const shape<R>& extents) {
        constexpr index_t most_summed = 4096;  // in one precision
        out_[k] = byte_pointer(data);
        mode_[k] = padded == extents ? output_mode::store : output_mode::total;
        return mode_[k] == output_mode::store || (padded.count() == 1 && n_ <= most_summed);
    }
    RICCI_INLINE void run_span(const kernel_type& kernel, const unsigned char* merge) {
        alignas(64) std::byte totals[Sweep::outputs * sizeof(simd<T>)];
        kernel.registers.span(&kernel.sweep, span_args{n_, in_, mask_, out_, mode_, merge}, totals);
        if constexpr (!std::is_void_v<Combine>)
            for (int k = 0; k < Sweep::outputs; ++k) {
                if (mode_[k] != output_mode::total) continue;
                wide_accumulator<Combine, T> sum;
                simd_row<T, Combine>::add_total(reinterpret_cast<const simd<T>*>(totals)[k], &sum);
                *reinterpret_cast<T*>(out_[k]) = sum.result();
            }
    }

    const index_t n_;
    std::byte* in_[Sweep::inputs];
    index_t mask_[Sweep::inputs];
    std::byte* out_[Sweep::outputs];
    output_mode mode_[Sweep::outputs];
    alignas(64) T copies_[Sweep::inputs][lanes];
};

/// Whether fused ops on such arrays may be taken so.
template <class Sweep, class Combine, int Rank, class X, class... More>
constexpr bool takes_dense_op() {
    if constexpr (!cpu_kernel<Sweep, Combine>::vectorised || X::rank != Rank || Sweep::inputs + Sweep::outputs > 32)
        return false;
    else return dense_op<Sweep, Combine>::take;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
