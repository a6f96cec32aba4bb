// Runs fused ops over tensors on the CPU: their outputs, and which of the ways to compute them fits.
#pragma once
#include "../expr/rounding.hpp"
#include "bind.hpp"
#include "copy_loop.hpp"
#include "dense_op.hpp"
#include "dense_rows.hpp"
#include "dense_sums.hpp"
#include "few.hpp"
#include "kernel.hpp"
#include "single_op.hpp"
#include "small_sheets.hpp"
#include "write_behind.hpp"

namespace ricci::detail {

struct fused_executor {
    static constexpr bool takes_windows = true;
    static constexpr bool takes_additions = true;
    /// Instructions on elements, as ops count them, that take as long as one more kernel with memory for what it gives.
    static constexpr index_t part_overhead = 700;
    /// Whether a tree runs one element at a time for its masks, of other numbers than it, and loses by that: of few
    /// cheap ops on real numbers compilers make loops over registers, but of no derivatives.
    template <class Tree, bool Plain>
    static constexpr bool masks_apart() {
        constexpr bool complex = []<class... T>(std::type_identity<type_list<T...>>) {
            return (is_complex_v<T> || ...);
        }(std::type_identity<typename node_types<Tree>::type>{});
        return std::is_same_v<lane_type_t<Tree>, mixed_lanes> && (!Plain || complex || dearest_op_v<Tree> > 4);
    }

    /// Computes a fused op into new tensors; outputs merged into another one, or added to an array, come back empty.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class... T>
    static auto run(const fused<Sweep, Rank, Reduces, ResultRank...>& op, const T&... inputs) {
        using running = kernel_sweep<Sweep, Combine>;
        operand_ref operands[sizeof...(T) + Sweep::outputs] = {refer(inputs)...};
        bool along_batch = false;
        if constexpr (Rank > 1) along_batch = op.batched && !op.windows && follow_batch(operands, sizeof...(T), Rank);
        const added_arrays into = Sweep::reverse ? op.into : added_arrays{};
        const bool* const unasked = may_leave_out<running, Combine> ? op.unasked : nullptr;
        output_plan plans[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            const bool own = op.merge[k] == k && (!op.windows || op.windows[k].home == k) && !(into && into[k]);
            plans[k] = {own, own && unasked && unasked[k], along_batch};
        }
        auto outputs = make_outputs<running>(op.result, plans);
        if constexpr (std::is_void_v<Combine> && !Reduces && Rank == 0 && is_arithmetic_of_elements<Sweep, T...>) {
            const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
            *get<0>(outputs).data() = element_of(op.sweep, at, 0);
            return outputs;
        }
        if constexpr (takes_single_op<Combine, Sweep, Rank>) run_single(op, outputs, inputs...);
        else if constexpr (adds_complex<Combine, Sweep, Rank, T...>) {
            if (along_batch || !add_parts(op, get<0>(outputs), inputs...))
                run_kernel_of<Combine>(op, outputs, along_batch, operands, inputs...);
        } else run_kernel_of<Combine>(op, outputs, along_batch, operands, inputs...);
        if constexpr (std::is_same_v<running, Sweep>) return outputs;
        else return rounded_results<Combine>(op, outputs);
    }

    /// Computes a map into memory that exists: the elements of `out`, any strides.
    template <class Combine, class Sweep, int Rank, class O, class... T>
    static void run_into(const Sweep& sweep, const shape<Rank>& extents, const O& out, const shape<Rank>& out_strides,
                         const T&... inputs) {
        if constexpr (Rank == 0 && is_arithmetic_of_elements<Sweep, T...>) {
            const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
            *out.data() = element_of(sweep, at, 0);
        } else if constexpr (takes_single_op<Combine, Sweep, Rank>) {
            static constexpr unsigned char merge[1] = {0};
            const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
            typename Sweep::value_type* const written[] = {out.data()};
            single_op<Sweep>::run(sweep, merge, at, written, nullptr);
        } else {
            static constexpr unsigned char merge[1] = {0};
            const operand_ref operands[] = {refer(inputs)..., refer(out.data(), extents, out_strides)};
            if constexpr (std::is_void_v<Combine> && Rank <= 8 && few_elements::take<Sweep>()) {
                const index_t n = extents.count();
                if (n > 0 && n <= few_elements::most)
                    return few_elements::of<Sweep, (Rank > 1)>(sweep).template run<(Rank > 1)>(operands, n);
            }
            const cpu_kernel<Sweep, Combine> kernel(sweep, merge);
            const row_kernel row = kernel.template row<Rank>();
            run_over<Rank>(row, operands);
        }
    }
    /// Computes a map into elements, not none, that inputs may share, as if it were computed before any is written.
    template <class Sweep, int Rank, class O, class... T>
    static void run_over_inputs(const Sweep& sweep, const shape<Rank>& extents, const O& out, const T&... inputs) {
        using R = typename O::value_type;
        if constexpr (Rank == O::rank && Rank > 0) {
            if (extents == out.shape() && is_long_behind(out.size() * index_t(sizeof(R)))) {
                static constexpr unsigned char merge[1] = {0};
                const operand_ref operands[] = {refer(inputs)..., refer(out)};
                const cpu_kernel<Sweep, void> kernel(sweep, merge);
                if (run_behind(kernel.template row<Rank>(), operands, copy_elements<R, Rank>, run_over<Rank>)) return;
            }
        }
        const auto value = tensor<R, Rank, cpu_device>::uninitialized(extents);
        run_into<void>(sweep, extents, value, value.strides(), inputs...);
        if constexpr (O::rank == 0) *out.data() = *value.data();
        else copy_elements<R, O::rank>(refer(value), refer(out));
    }
    /// A map of single elements that loops over indices write, `y(i) = 2 * x(i) + x(i - 1)`: so little to compute that
    /// it is done in place, without a kernel.
    template <class Sweep, class... X>
    static constexpr bool is_arithmetic_of_elements = ((X::rank == 0) && ...) && is_arithmetic<Sweep>;
    /// The short way for few elements: inputs of the same shape, or dense or the same along rows, into dense memory,
    /// which may be an input's, each element in the place of its own. False, and nothing done, where it is not that.
    template <class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense(const Sweep& sweep, const O& out, const X&... inputs) {
        using T = typename cpu_kernel<Sweep, void>::T;
        constexpr int n_inputs = sizeof...(X);
        if constexpr (!cpu_kernel<Sweep, void>::vectorised || n_inputs == 0 || n_inputs > 8) {
            return false;
        } else if constexpr (((X::rank != O::rank) || ...)) {
            return run_dense_rows<T>(sweep, out, inputs...);
        } else {
            constexpr bool is_cheap = tree_cost_v<typename Sweep::tree_type> <= 4;
            const index_t n = out.size();
            if (n < (is_cheap ? 1 : simd<T>::lanes) || n > most_flat) return false;
            if (!((inputs.shape() == out.shape() && inputs.is_contiguous()) && ...))
                return run_dense_rows<T>(sweep, out, inputs...);
            const std::byte* const data[] = {byte_pointer(inputs.data())...};
            std::byte* const to = byte_pointer(out.data());
            if constexpr (is_cheap) {
                if (n < simd<T>::lanes) {
                    for (index_t i = 0; i < n; ++i) {
                        out.data()[i] = element_of(sweep, data, i);
                        asm volatile("");  // else compilers use registers, for what is less than one
                    }
                } else {
                    const auto at = [&](index_t i) RICCI_INLINE_LAMBDA { return dense_registers<Sweep, T>{data, i}; };
                    store_registers<T>(sweep, at, out.data(), n);
                }
            } else {
                for (int i = 0; i < n_inputs; ++i)
                    if (data[i] == to && n % simd<T>::lanes != 0) return false;  // registers overlap at the end
                std::byte* const from[] = {byte_pointer(inputs.data())...};
                static constexpr index_t mask[] = {index_t(sizeof(X) ? -1 : 0)...};
                static constexpr output_mode mode[1] = {output_mode::store};
                static constexpr unsigned char merge[1] = {0};
                simd_span<Sweep, T, merging::none, void>::run(&sweep, span_args{n, from, mask, &to, mode, merge},
                                                              nullptr);
            }
            return true;
        }
    }

   private:
    /// Fills the outputs of a fused op by its kernel; `operands` are the inputs, and room for the outputs.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, int... K, class... Y, class... X>
    static RICCI_INLINE void run_kernel_of(const fused<Sweep, Rank, Reduces, ResultRank...>& op,
                                           const pack_base<std::integer_sequence<int, K...>, Y...>& outputs,
                                           bool along_batch, operand_ref* operands, const X&... inputs) {
        using running = kernel_sweep<Sweep, Combine>;
        const added_arrays into = Sweep::reverse ? op.into : added_arrays{};
        const bool* const unasked = may_leave_out<running, Combine> ? op.unasked : nullptr;
        decltype(auto) sweep = sweep_for_kernel<Combine>(op.sweep);
        if constexpr (Reduces && Rank > 1 && ((X::rank == Rank) && ...))
            if (!along_batch && sum_dense<Combine>(sweep, op.padded[0], get<0>(outputs).data(), inputs...)) return;
        const cpu_kernel<running, Combine> kernel(sweep, op.merge);
        std::byte* const written[] = {byte_pointer(get<K>(outputs).data())...};
        shape<Rank> strides[Rank > 1 ? Sweep::outputs : 1];
        for (int k = 0; k < Sweep::outputs; ++k) {
            operand_ref& y = operands[sizeof...(X) + k];
            std::byte* const at = into && into[k] ? static_cast<std::byte*>(into[k]) : written[k];
            y = {unasked && unasked[k] ? nullptr : at, op.padded[k].extent, nullptr, Rank, op.padded[k].count()};
            if constexpr (Rank > 1)
                if (into && into[k] ? into.in_batch_order : along_batch) {
                    strides[k] = batch_order::strides(op.padded[k]);
                    y.stride = strides[k].extent;
                    y.dense = 0;
                }
        }
        if constexpr (std::is_same_v<running, Sweep> && takes_dense_op<running, Combine>())
            if (!(op.windows || along_batch || into.in_batch_order) &&
                dense_op<typename cpu_kernel<running, Combine>::T, Combine>::run(kernel.registers, op.merge, operands,
                                                                                 into.at))
                return;
        row_kernel row = kernel.template row<Rank>();
        if constexpr (Rank > 1 && (... && (ResultRank > 0)) && std::is_same_v<running, Sweep> &&
                      takes_small_sheets<running, Combine>)
            if (run_small_sheet<Combine>(sweep, operands)) return;
        row.into = into.at;
        row.unasked = unasked;
        if constexpr (Reduces && Sweep::reverse) {
            if (op.windows) {
                const index_t counts[] = {get<K>(op.result).count()...};
                return run_through_windows(op, counts, row, operands);
            }
        }
        run_over<Rank>(row, operands);
    }
    /// Sums of complex numbers as they are.
    template <class Combine, class Sweep, int Rank, class... X>
    static constexpr bool adds_complex = [] {
        if constexpr (!std::is_same_v<Combine, combine_plus> || Sweep::reverse || sizeof...(X) != 1 || Rank < 2 ||
                      Rank >= max_loop_rank)
            return false;
        else
            return is_complex_v<typename Sweep::value_type> && ((X::rank == Rank) && ...) &&
                   std::is_same_v<typename Sweep::tree_type, slot<0, typename Sweep::value_type>>;
    }();
    /// Where their last axis stays: of their parts, which lie beside each other, whole rows at a time. False, and
    /// nothing done, where it does not.
    template <class Op, class X, class Y>
    static bool add_parts(const Op& op, const Y& y, const X& x) {
        using P = typename X::value_type::value_type;
        constexpr int last = X::rank - 1;
        if (op.padded[0][last] != x.shape()[last] || x.strides()[last] != 1) return false;
        const auto with_parts = [](const auto& numbers, index_t n, index_t times) {
            constexpr int R = std::remove_cvref_t<decltype(numbers)>::rank;
            shape<R + 1> to;
            for (int d = 0; d < R; ++d) to[d] = numbers[d] * times;
            to[R] = n;
            return to;
        };
        const auto parts = [&](const auto& z) {  // borrowed
            constexpr int R = std::remove_cvref_t<decltype(z)>::rank;
            return tensor<P, R + 1>(storage(), const_cast<P*>(reinterpret_cast<const P*>(z.data())),
                                    with_parts(z.shape(), 2, 1), with_parts(z.strides(), 1, 2));
        };
        const auto sums = forward_op<X::rank + 1, true, Y::rank + 1, type_list<P>>(
            slot<0, P>{}, with_parts(op.padded[0], 2, 1), with_parts(y.shape(), 2, 1));
        const auto from = parts(x);
        operand_ref operands[] = {refer(from), {}};
        run_kernel_of<combine_plus>(sums, make_pack(parts(y)), false, operands, from);
        return true;
    }
    /// Fused ops of rank 0 on registers, which need no kernel.
    template <class Combine, class Sweep, int Rank>
    static constexpr bool takes_single_op = [] {
        if constexpr (Rank != 0 || !(std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>)) return false;
        else return single_op<Sweep>::take;
    }();
    template <class Op, int... K, class... Y, class... T>
    static RICCI_INLINE void run_single(const Op& op, const pack_base<std::integer_sequence<int, K...>, Y...>& outputs,
                                        const T&... inputs) {
        using Sweep = typename Op::sweep_type;
        const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
        typename Sweep::value_type* const written[] = {
            (op.unasked && op.unasked[K] ? nullptr : get<K>(outputs).data())...};
        single_op<Sweep>::run(op.sweep, op.merge, at, written, Sweep::reverse ? op.into.at : nullptr);
    }

    /// How an output of an op comes to be: whether it has an array of its own, whether anybody asks for it, and its
    /// order.
    struct output_plan {
        bool own, unasked, along_batch;

        /// By a call, where there are so many that their code would be most of what there is to compile.
        template <class Out, bool Apart, int R>
        RICCI_INLINE Out make(const shape<R>& extents) const {
            if (!own) return Out(storage(), nullptr, {}, {});  // of rank 0, Out() would have an element
            if constexpr (Apart) return make_apart<Out>(extents);
            else return make_own<Out>(extents);
        }

       private:
        template <class Out, int R>
        RICCI_INLINE Out make_own(const shape<R>& extents) const {
            if (unasked) return unasked_array<Out>(extents);
            auto y = Out::uninitialized(extents);
            if (along_batch) return Out(y.memory(), y.data(), y.shape(), batch_order::strides(y.shape()));
            return y;
        }
        template <class Out, int R>
        RICCI_NOINLINE Out make_apart(const shape<R>& extents) const {
            return make_own<Out>(extents);
        }
    };
    template <class Sweep, int... K, int... R>
    static RICCI_INLINE auto make_outputs(const pack_base<std::integer_sequence<int, K...>, shape<R>...>& extents,
                                          const output_plan* plans) {
        constexpr bool many = sizeof...(K) > 1;
        return pack<tensor<typename Sweep::template output_type<K>, R, cpu_device>...>{
            {{plans[K].template make<tensor<typename Sweep::template output_type<K>, R, cpu_device>, many>(
                get<K>(extents))}...}};
    }
    template <class T, class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense_rows(const Sweep& sweep, const O& out, const X&... inputs) {
        if constexpr (O::rank < 2 || !dense_rows<Sweep, T, O::rank>::take) return false;
        else return out.size() > 0 && dense_rows<Sweep, T, O::rank>::run(sweep, out, inputs...);
    }
    template <class Sweep, class Combine>
    static constexpr bool takes_small_sheets = [] {
        using kernel = cpu_kernel<Sweep, Combine>;
        if constexpr (!kernel::vectorised) return false;
        else if constexpr (std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>)
            return small_sheet_loop<Sweep, typename kernel::T, Combine>::take();
        else return false;
    }();
    template <class Combine, class Sweep>
    static RICCI_INLINE bool run_small_sheet(const Sweep& sweep, const operand_ref* operands) {
        return small_sheet_loop<Sweep, typename cpu_kernel<Sweep, Combine>::T, Combine>(sweep).run(operands);
    }
    /// Adjoints that are duals, and the value beside adjoints, on registers.
    template <class Sweep, class Combine>
    static constexpr bool may_leave_out =
        Sweep::reverse && cpu_kernel<Sweep, Combine>::vectorised &&
        (Sweep::order != 0 || Sweep::out.at[Sweep::outputs - 1].variable == Sweep::slots);
    /// The short way for few dense elements of one shape; false, and nothing done, where it is not that.
    template <class Combine, class Sweep, int Rank, class Y, class X, class... More>
    static RICCI_INLINE bool sum_dense(const Sweep& sweep, const shape<Rank>& padded, Y* out, const X& first,
                                       const More&... inputs) {
        using E = typename cpu_kernel<Sweep, Combine>::T;
        if constexpr (!std::is_same_v<Y, E> || !takes_dense_sums<Sweep, Combine>) {
            return false;
        } else {
            middle_axis axis;
            if (!axis.find(first.shape(), padded) || !axis.is_small(simd<E>::lanes)) return false;
            if (!(first.is_contiguous() && ... && (inputs.shape() == first.shape() && inputs.is_contiguous())))
                return false;
            const std::byte* const data[] = {byte_pointer(first.data()), byte_pointer(inputs.data())...};
            dense_sums<Sweep, E, Combine>(sweep, data, axis).run(out);
            return true;
        }
    }
    /// Outputs that are windows are added up in their homes, which have so many elements.
    template <class Op>
    static void run_through_windows(const Op& op, const index_t* counts, row_kernel& row, operand_ref* operands) {
        memory_range homes[Op::outputs];
        for (int k = 0; k < Op::outputs; ++k) {
            std::byte* const begin = operands[row.inputs + k].data;
            const index_t size = begin ? counts[k] : 0;  // a window has no array of its own
            homes[k] = {begin, begin + static_cast<std::size_t>(size) * row.rules[k]->item, op.into && op.into[k]};
        }
        memory_range at[Op::outputs];
        for (int k = 0; k < Op::outputs; ++k) {
            const auto& window = op.windows[k];
            if (window.whole || !homes[window.home].begin) continue;
            operand_ref& x = operands[row.inputs + k];
            at[k] = homes[window.home];
            x.data = at[k].begin + window.offset * static_cast<index_t>(row.rules[k]->item);
            x.stride = window.strides.extent;
        }
        run_over_into<Op::rank>(row, operands, at);
    }
};

}  // namespace ricci::detail
