// Rows element by element: where some type of a sweep has no SIMD register.
#pragma once
#include "lanes.hpp"
#include "loop.hpp"
#include "scalar_reduce.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

template <class Sweep>
struct scalar_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t step[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    explicit scalar_inputs(const row_args& r) {
        for (int k = 0; k < Sweep::inputs; ++k) at[k] = r.in[k], step[k] = r.in_step[k];
    }
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return in_compute_type(reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i * step[K]]);
    }
};
/// Unit steps known to the compiler, so that simple loops vectorise.
template <class Sweep>
struct dense_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    explicit dense_inputs(const row_args& r) {
        for (int k = 0; k < Sweep::inputs; ++k) at[k] = r.in[k];
    }
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return in_compute_type(reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i]);
    }
};

template <class Sweep, class Combine>
struct scalar_row {
    using outputs_type = step_outputs<Sweep, scalar_domain, merging::none>;

    static void run(const void* self, const row_args& r) {
        const Sweep& sweep = *static_cast<const Sweep*>(self);
        bool dense = true;
        for (int i = 0; i < Sweep::inputs; ++i) dense = dense && r.in_step[i] == 1;
        if constexpr (!std::is_void_v<Combine> && Sweep::outputs == 1) {
            using reduction = scalar_reduction<Sweep, Combine, outputs_type, scalar_domain>;
            if (dense) reduction::run(sweep, dense_inputs<Sweep>(r), r);
            else reduction::run(sweep, scalar_inputs<Sweep>(r), r);
        } else {
            for (int o = 0; o < Sweep::outputs; ++o) dense = dense && r.out_step[o] == 1;
            if (dense && std::is_void_v<Combine>) run_dense(sweep, r);
            else run_strided(sweep, r);
        }
    }

   private:
    static void run_dense(const Sweep& function, const row_args& r) {
        if constexpr (Sweep::outputs == 1) {
            const Sweep sweep = function;  // a copy, as n is: a store of bytes could change what lies in memory
            const index_t n = r.n;
            dense_inputs<Sweep> in(r);
            auto* out = reinterpret_cast<typename Sweep::template output_type<0>*>(r.out[0]);
            for (in.i = 0; in.i < n; ++in.i) {
                outputs_type step(nullptr);
                sweep.template run<scalar_domain>(in, step);
                out[in.i] = step.template at<0>();
            }
        } else {
            run_strided(function, r);
        }
    }
    static void run_strided(const Sweep& sweep, const row_args& r) {
        scalar_inputs<Sweep> in(r);
        for (in.i = 0; in.i < r.n; ++in.i) {
            outputs_type step(nullptr);
            sweep.template run<scalar_domain>(in, step);
            for_indices<Sweep::outputs>([&](auto k) { put<k()>(r, in.i, step.template at<k()>()); });
        }
    }
    /// Merged outputs are added one by one into the element (or accumulator) that they share.
    template <int K, class S>
    RICCI_INLINE static void put(const row_args& r, index_t i, const S& v) {
        using U = typename Sweep::template output_type<K>;
        const int k = r.merge[K];
        U* out = reinterpret_cast<U*>(r.out[k]);
        if constexpr (std::is_void_v<Combine>) {
            out[i * r.out_step[k]] = v;
        } else if (r.mode[k] == output_mode::total) {
            reinterpret_cast<wide_accumulator<Combine, U>*>(r.out[k])->add(v);
        } else {
            U& at = out[i * r.out_step[k]];
            at = r.mode[k] == output_mode::add || k != K ? Combine::join(at, v) : v;
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
