// Rows element by element: where some type of a sweep has no SIMD register.
#pragma once
#include <algorithm>

#include "lanes.hpp"
#include "loop.hpp"
#include "scalar_reduce.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// An element in memory as loops compute with it. Truth values are read as bytes and compared with 0: of loops over
/// bool beside comparisons of other types g++ makes no vector code.
template <class T>
RICCI_INLINE compute_t<T> element_at(const std::byte* row, index_t i) {
    if constexpr (std::is_same_v<T, bool>) return std::to_integer<unsigned char>(row[i]) != 0;
    else return in_compute_type(reinterpret_cast<const T*>(row)[i]);
}

template <class Sweep>
struct scalar_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t step[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    explicit scalar_inputs(const row_args& r) {
        for (int k = 0; k < Sweep::inputs; ++k) at[k] = r.in[k], step[k] = r.in_step[k];
    }
    template <int K>
    RICCI_INLINE auto get() const {
        return element_at<typename Sweep::template input_type<K>>(at[K], i * step[K]);
    }
};
/// One element of each of some dense inputs.
template <class Sweep>
struct element_inputs {
    const std::byte* const* at;
    index_t i;
    template <int K>
    RICCI_INLINE auto get() const {
        return element_at<typename Sweep::template input_type<K>>(at[K], i);
    }
};
/// Whether an element of a tree is the same computed alone as in a register: functions, which have kernels, may not be.
template <class Sweep>
inline constexpr bool is_arithmetic =
    Sweep::order == 0 && !Sweep::reverse && Sweep::outputs == 1 && dearest_op_v<typename Sweep::tree_type> <= 4;
template <class Sweep>
RICCI_INLINE auto element_of(const Sweep& sweep, const std::byte* const* data, index_t i) {
    step_outputs<Sweep, scalar_domain, merging::none> y(nullptr);
    sweep.template run<scalar_domain>(element_inputs<Sweep>{data, i}, y);
    return static_cast<typename Sweep::template output_type<0>>(y.template at<0>());
}
/// Unit steps known to the compiler, so that simple loops vectorise.
template <class Sweep>
struct dense_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    explicit dense_inputs(const row_args& r) {
        for (int k = 0; k < Sweep::inputs; ++k) at[k] = r.in[k];
    }
    template <int K>
    RICCI_INLINE auto get() const {
        return element_at<typename Sweep::template input_type<K>>(at[K], i);
    }
};

template <class Sweep, class Combine>
struct scalar_row {
    using outputs_type = step_outputs<Sweep, scalar_domain, merging::none>;

    static void run(const void* self, const row_args& r) {
        const Sweep& sweep = *static_cast<const Sweep*>(self);
        if constexpr (!std::is_void_v<Combine> && Sweep::outputs == 1) {
            bool dense = true;
            for (int i = 0; i < Sweep::inputs; ++i) dense = dense && r.in_step[i] == 1;
            using reduction = scalar_reduction<Sweep, Combine, outputs_type, scalar_domain>;
            if (dense) reduction::run(sweep, dense_inputs<Sweep>(r), r);
            else reduction::run(sweep, scalar_inputs<Sweep>(r), r);
        } else if constexpr (Sweep::outputs == 1) {
            bool dense = Sweep::inputs <= most_checked && r.out_step[0] == 1;
            for (int i = 0; i < Sweep::inputs; ++i) dense = dense && r.in_step[i] == 1;
            if (dense) run_dense(sweep, r);
            else run_blocks(sweep, r);
        } else {
            run_strided(sweep, r);
        }
    }

   private:
    template <int... K>
    static constexpr std::size_t widest_of(std::integer_sequence<int, K...>) {
        return std::max({std::size_t(1), sizeof(typename Sweep::template input_type<K>)...});
    }
    static constexpr std::size_t widest = widest_of(std::make_integer_sequence<int, Sweep::inputs>{});
    /// Operands of which compilers check that none lies where the result does, to use registers then.
    static constexpr int most_checked = 4;
    RICCI_VECTORIZE static void run_dense(const Sweep& function, const row_args& r) {
        const Sweep sweep = function;  // a copy, as n is: a store of bytes could change what lies in memory
        const index_t n = r.n;
        dense_inputs<Sweep> in(r);
        auto* out = reinterpret_cast<typename Sweep::template output_type<0>*>(r.out[0]);
        for (in.i = 0; in.i < n; ++in.i) {
            outputs_type step(nullptr);
            sweep.template run<scalar_domain>(in, step);
            out[in.i] = step.template at<0>();
        }
    }
    /// Blocks in memory of their own, where the compiler sees that no result is an operand, and that all steps are 1:
    /// else it would not use registers, for what is repeated along the row, or for many operands. Dense results of few
    /// operands, none of which lies there, need none.
    RICCI_VECTORIZE static void run_blocks(const Sweep& function, const row_args& r) {
        using U = typename Sweep::template output_type<0>;
        constexpr index_t block = 256;
        const Sweep sweep = function;  // a copy: a store of bytes could change what lies in memory
        alignas(64) U results[block];
        alignas(64) std::byte copies[Sweep::inputs > 0 ? Sweep::inputs : 1][block * widest];
        const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1] = {};
        bool direct = Sweep::inputs <= most_checked && r.out_step[0] == 1;
        for (int k = 0; k < Sweep::inputs; ++k) direct = direct && r.in[k] != r.out[0];
        for (index_t first = 0; first < r.n; first += block) {
            const index_t n = r.n - first < block ? r.n - first : block;
            U* const to = reinterpret_cast<U*>(r.out[0]) + first * r.out_step[0];
            U* const y = direct ? to : results;
            for_indices<Sweep::inputs>([&](auto k) RICCI_INLINE_LAMBDA {
                using X = typename Sweep::template input_type<k()>;
                const index_t step = r.in_step[k()];
                const X* const from = reinterpret_cast<const X*>(r.in[k()]) + first * step;
                at[k()] = step == 1 ? reinterpret_cast<const std::byte*>(from) : copies[k()];
                X* const copy = reinterpret_cast<X*>(copies[k()]);
                if (step == 0 && first == 0) std::fill_n(copy, n, *from);
                if (step == 0 || step == 1) return;
                for (index_t i = 0; i < n; ++i) copy[i] = from[i * step];
            });
            for (index_t i = 0; i < n; ++i) {
                outputs_type step(nullptr);
                sweep.template run<scalar_domain>(element_inputs<Sweep>{at, i}, step);
                y[i] = step.template at<0>();
            }
            if (direct) continue;
            if (r.out_step[0] == 1) std::copy_n(results, n, to);
            else
                for (index_t i = 0; i < n; ++i) to[i * r.out_step[0]] = results[i];
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
