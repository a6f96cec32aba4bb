// Fused ops over few dense elements: their kernel's span, called at once where preparations for any layout would take
// as long.
#pragma once
#include "bind.hpp"
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

inline constexpr int most_dense_operands = 32;

/// Inputs of one shape, beside single elements, into new memory of that shape, sums of all, or what these are added to.
/// Along one axis inputs may have a step where they are a register or less. One copy of this code serves all kernels of
/// T and Combine.
template <class T, class Combine>
class dense_op {
    static constexpr int lanes = simd<T>::lanes;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

    static constexpr int most = most_dense_operands;

   public:
    /// Operands are the inputs, then the outputs: null where they are not to be written, added to where `into` has
    /// them. False, and nothing done, where it is not that.
    static RICCI_NOINLINE bool run(const simd_kernel& kernel, const unsigned char* merge, const operand_ref* operands,
                                   const void* const* into) {
        const operand_ref* space = operands;
        while (space + 1 < operands + kernel.inputs && elements_of(*space) == 1) ++space;
        dense_op d(kernel, elements_of(*space));
        if (d.n_ <= 0 || d.n_ > most_flat) return false;
        for (int k = 0; k < kernel.inputs; ++k)
            if (!d.place(k, operands[k], *space)) return false;
        for (int k = 0; k < kernel.outputs; ++k)
            if (!d.place_output(k, operands[kernel.inputs + k], into && into[k])) return false;
        if (d.n_ < lanes) d.run_short(merge);
        else d.run_span(merge);
        return true;
    }

   private:
    RICCI_INLINE dense_op(const simd_kernel& kernel, index_t n) : kernel_(kernel), n_(n) {}

    static RICCI_INLINE index_t elements_of(const operand_ref& x) { return x.rank == 1 ? x.extent[0] : x.dense; }
    /// Of operands with as many elements, one or more: the rest of the extents tell the first.
    static RICCI_INLINE bool same_extents(const operand_ref& x, const operand_ref& y) {
        if (x.rank != y.rank) return false;
        for (int d = 1; d < x.rank; ++d)
            if (x.extent[d] != y.extent[d]) return false;
        return true;
    }
    RICCI_INLINE bool place(int k, const operand_ref& x, const operand_ref& space) {
        in_[k] = x.data;
        mask_[k] = -1;
        if (x.dense == n_ && same_extents(x, space)) [[likely]]
            return true;
        if (elements_of(x) == 1) {
            simd<T>(*reinterpret_cast<const T*>(x.data)).store(copies_[k]);
            mask_[k] = 0;
            in_[k] = byte_pointer(copies_[k]);
            return true;
        }
        return place_at_step(k, x, space);
    }
    /// By a call: it is rare, and its loop would take the registers that the others want.
    RICCI_NOINLINE bool place_at_step(int k, const operand_ref& x, const operand_ref& space) {
        if (x.rank != 1 || space.rank != 1 || x.extent[0] != n_ || n_ > lanes) return false;
        for (index_t i = 0; i < n_; ++i) copies_[k][i] = reinterpret_cast<const T*>(x.data)[i * x.stride[0]];
        in_[k] = byte_pointer(copies_[k]);
        return true;
    }
    RICCI_INLINE bool place_output(int k, const operand_ref& y, bool adds) {
        constexpr index_t most_summed = 4096;  // in one precision
        const index_t count = y.dense;
        out_[k] = y.data;
        mode_[k] = !y.data ? output_mode::skip : adds ? output_mode::add : output_mode::store;
        if (count == n_ || !y.data) return true;
        adds_[k] = adds;
        mode_[k] = output_mode::total;
        sums_ = true;
        return count == 1 && n_ <= most_summed;
    }
    RICCI_INLINE void run_span(const unsigned char* merge) {
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        kernel_.span(kernel_.sweep, span_args{n_, in_, mask_, out_, mode_, merge}, totals);
        if constexpr (!std::is_void_v<Combine>)
            for (int k = 0; sums_ && k < kernel_.outputs; ++k)
                if (mode_[k] == output_mode::total)
                    finish_total(k, [&](wide& sum) {
                        simd_row<T, Combine>::add_total(reinterpret_cast<const simd<T>*>(totals)[k], &sum);
                    });
    }
    template <class Add>
    RICCI_INLINE void finish_total(int k, const Add& add) {
        T* const y = reinterpret_cast<T*>(out_[k]);
        wide sum;
        if (adds_[k]) sum.add(*y);
        add(sum);
        *y = sum.result();
    }
    /// Less than a register: through copies of what is there.
    void run_short(const unsigned char* merge) {
        alignas(64) T results[most][lanes];
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        std::byte* to[most];
        output_mode stores[most];
        for (int k = 0; k < kernel_.inputs; ++k) {
            if (mask_[k] == 0) continue;
            simd<T>::load_partial(reinterpret_cast<const T*>(in_[k]), n_).store(copies_[k]);
            in_[k] = byte_pointer(copies_[k]);
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            to[k] = byte_pointer(results[k]);
            stores[k] = output_mode::store;
        }
        kernel_.span(kernel_.sweep, span_args{lanes, in_, mask_, to, stores, merge}, totals);
        for (int k = 0; k < kernel_.outputs; ++k) put_short(k, results[k]);
    }
    RICCI_INLINE void put_short(int k, const T* result) {
        T* const y = reinterpret_cast<T*>(out_[k]);
        if (mode_[k] == output_mode::store) {
            simd<T>::load(result).store_partial(y, n_);
        } else if constexpr (!std::is_void_v<Combine>) {
            if (mode_[k] == output_mode::add)
                Combine::join(simd<T>::load_partial(y, n_), simd<T>::load(result)).store_partial(y, n_);
            else if (mode_[k] == output_mode::total)
                finish_total(k, [&](wide& sum) {
                    for (index_t i = 0; i < n_; ++i) sum.add(result[i]);
                });
        }
    }

    const simd_kernel& kernel_;
    const index_t n_;
    bool sums_ = false;
    std::byte* in_[most];
    index_t mask_[most];
    std::byte* out_[most];
    output_mode mode_[most];
    bool adds_[most];
    alignas(64) T copies_[most][lanes];
};

/// Whether a kernel's fused ops may be taken so: every number is one of the registers'.
template <class Sweep, class Combine>
constexpr bool takes_dense_op() {
    using kernel = cpu_kernel<Sweep, Combine>;
    if constexpr (!kernel::vectorised || Sweep::inputs == 0 || Sweep::inputs + Sweep::outputs > most_dense_operands) {
        return false;
    } else {
        using T = typename kernel::T;
        bool same = true;
        for_indices<Sweep::inputs>(
            [&](auto k) { same = same && std::is_same_v<typename Sweep::template input_type<k()>, T>; });
        for_indices<Sweep::outputs>(
            [&](auto k) { same = same && std::is_same_v<typename Sweep::template output_type<k()>, T>; });
        return same;
    }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
