// Fused ops over few dense elements: their kernel's span, called at once where preparations for any layout would take as long.
#pragma once
#include "bind.hpp"
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Inputs of one shape, beside single elements, into new memory of that shape, sums of all, or what these are added to. Along
/// one axis inputs may have a step where they are a register or less.
template <class Sweep, class Combine>
class dense_op {
    using kernel_type = cpu_kernel<Sweep, Combine>;
    using T = typename kernel_type::T;
    static constexpr int lanes = simd<T>::lanes;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

   public:
    /// Whether every number is one of the registers'.
    static constexpr bool take = [] {
        bool same = true;
        for_indices<Sweep::inputs>(
            [&](auto k) { same = same && std::is_same_v<typename Sweep::template input_type<k()>, T>; });
        for_indices<Sweep::outputs>(
            [&](auto k) { same = same && std::is_same_v<typename Sweep::template output_type<k()>, T>; });
        return same;
    }();

    /// `written` are the outputs' elements: null where they are not to be written. False, and nothing done, where it is not that.
    template <class Op, class X, class... More>
    static RICCI_INLINE bool run(const kernel_type& kernel, const Op& op, std::byte* const* written, const X& first,
                                 const More&... inputs) {
        std::byte* const data[] = {byte_pointer(first.data()), byte_pointer(inputs.data())...};
        if constexpr (Op::rank == 1) {
            index_t n = first.size();
            ((n = n == 1 ? inputs.size() : n), ...);
            dense_op d(n);
            if (!d.takes()) return false;
            if (d.n_ >= lanes && (d.is_row(first) && ... && d.is_row(inputs))) {
                d.read_all(data);
            } else {
                const fit fits[] = {d.fit_along(first), d.fit_along(inputs)...};
                const index_t steps[] = {step_of(first), step_of(inputs)...};
                if (!d.place_all(data, fits, steps)) return false;
            }
            return d.run_on(kernel, op, written);
        } else {
            const auto& extents = first.shape();
            dense_op d(extents.count());
            if (!d.takes() || !first.is_contiguous()) return false;
            const fit fits[] = {fit::whole, fit_of(inputs, extents)...};
            return d.place_all(data, fits, nullptr) && d.run_on(kernel, op, written);
        }
    }

   private:
    bool takes() const { return n_ > 0 && n_ <= most_flat; }
    /// How an input lies beside the others.
    enum class fit : unsigned char { whole, single, stepped, other };
    RICCI_INLINE bool place_all(std::byte* const* data, const fit* fits, const index_t* steps) {
        for (int k = 0; k < Sweep::inputs; ++k)
            if (!(fits[k] == fit::stepped ? gather(k, data[k], steps[k]) : place(k, data[k], fits[k]))) return false;
        in_ = placed_;
        mask_ = placed_mask_;
        return true;
    }
    /// Where all inputs are whole.
    RICCI_INLINE void read_all(std::byte* const* data) {
        in_ = data;
        mask_ = all_whole.data();
    }
    template <class Op>
    RICCI_INLINE bool run_on(const kernel_type& kernel, const Op& op, std::byte* const* written) {
        for (int k = 0; k < Sweep::outputs; ++k) {
            bool adds = false;
            if constexpr (Sweep::reverse) adds = op.into && op.into[k];
            if (!place_output(k, written[k], adds, op.padded[k].count())) return false;
        }
        if (n_ < lanes) run_short(kernel, op.merge);
        else run_span(kernel, op.merge);
        return true;
    }

    RICCI_INLINE explicit dense_op(index_t n) : n_(n) {}
    template <class X>
    RICCI_INLINE bool is_row(const X& x) const {
        return x.size() == n_ && step_of(x) == 1;
    }
    template <class X>
    RICCI_INLINE fit fit_along(const X& x) const {
        if (x.size() == 1) return fit::single;
        if (x.size() != n_) return fit::other;
        return step_of(x) == 1 ? fit::whole : n_ <= lanes ? fit::stepped : fit::other;
    }
    template <class X>
    static RICCI_INLINE index_t step_of(const X& x) {
        if constexpr (X::rank == 1) return x.strides()[0];
        else return 0;
    }
    template <class X, int R>
    static RICCI_INLINE fit fit_of(const X& x, const shape<R>& extents) {
        if constexpr (X::rank == R)
            if (x.shape() == extents) return x.is_contiguous() ? fit::whole : fit::other;
        return x.size() == 1 ? fit::single : fit::other;
    }
    RICCI_INLINE bool place(int k, std::byte* data, fit how) {
        placed_[k] = data;
        placed_mask_[k] = -1;
        if (how == fit::whole) return true;
        if (how == fit::other) return false;
        simd<T>(*reinterpret_cast<const T*>(data)).store(copies_[k]);
        placed_[k] = byte_pointer(copies_[k]);
        placed_mask_[k] = 0;
        return true;
    }
    RICCI_INLINE bool gather(int k, const std::byte* data, index_t step) {
        for (index_t i = 0; i < n_; ++i) copies_[k][i] = reinterpret_cast<const T*>(data)[i * step];
        placed_[k] = byte_pointer(copies_[k]);
        placed_mask_[k] = -1;
        return true;
    }
    /// An output of so many elements; nowhere if it is merged into another one.
    RICCI_INLINE bool place_output(int k, std::byte* data, bool adds, index_t count) {
        constexpr index_t most_summed = 4096;  // in one precision
        out_[k] = data;
        mode_[k] = !data ? output_mode::skip : adds ? output_mode::add : output_mode::store;
        if (count == n_ || !data) return true;
        adds_[k] = adds;
        mode_[k] = output_mode::total;
        sums_ = true;
        return count == 1 && n_ <= most_summed;
    }
    RICCI_INLINE void run_span(const kernel_type& kernel, const unsigned char* merge) {
        alignas(64) std::byte totals[Sweep::outputs * sizeof(simd<T>)];
        kernel.registers.span(&kernel.sweep, span_args{n_, in_, mask_, out_, mode_, merge}, totals);
        if constexpr (!std::is_void_v<Combine>)
            for (int k = 0; sums_ && k < Sweep::outputs; ++k)
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
    RICCI_NOINLINE void run_short(const kernel_type& kernel, const unsigned char* merge) {
        alignas(64) T results[Sweep::outputs][lanes];
        alignas(64) std::byte totals[Sweep::outputs * sizeof(simd<T>)];
        std::byte* to[Sweep::outputs];
        output_mode stores[Sweep::outputs];
        for (int k = 0; k < Sweep::inputs; ++k) {
            if (mask_[k] == 0) continue;
            simd<T>::load_partial(reinterpret_cast<const T*>(in_[k]), n_).store(copies_[k]);
            placed_[k] = byte_pointer(copies_[k]);
        }
        for (int k = 0; k < Sweep::outputs; ++k) {
            to[k] = byte_pointer(results[k]);
            stores[k] = output_mode::store;
        }
        kernel.registers.span(&kernel.sweep, span_args{lanes, in_, mask_, to, stores, merge}, totals);
        for (int k = 0; k < Sweep::outputs; ++k) put_short(k, results[k]);
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

    static constexpr auto all_whole = [] {
        std::array<index_t, Sweep::inputs> mask{};
        for (index_t& m : mask) m = -1;
        return mask;
    }();

    const index_t n_;
    std::byte* const* in_;  // the inputs' own elements, or `placed_`
    const index_t* mask_;
    bool sums_ = false;
    std::byte* placed_[Sweep::inputs];
    index_t placed_mask_[Sweep::inputs];
    std::byte* out_[Sweep::outputs];
    output_mode mode_[Sweep::outputs];
    bool adds_[Sweep::outputs];
    alignas(64) T copies_[Sweep::inputs][lanes];
};

/// Whether fused ops on such arrays may be taken so.
template <class Sweep, class Combine, int Rank, class X, class... More>
constexpr bool takes_dense_op() {
    if constexpr (!cpu_kernel<Sweep, Combine>::vectorised || (X::rank != Rank && Rank != 1) ||
                  Sweep::inputs + Sweep::outputs > 32)
        return false;
    else return dense_op<Sweep, Combine>::take;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
