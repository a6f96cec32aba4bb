// The CPU backend: runs fused ops over tensors; fills, copies, products, selections and transforms, beside work on lines.
#pragma once
#include <array>

#include "../core/philox.hpp"
#include "../expr/rounding.hpp"
#include "bind.hpp"
#include "bits.hpp"
#include "copy_loop.hpp"
#include "dense_op.hpp"
#include "dense_rows.hpp"
#include "dense_sums.hpp"
#include "few.hpp"
#include "fft/executor.hpp"
#include "fill.hpp"
#include "gemm.hpp"
#include "index_loop.hpp"
#include "kernel.hpp"
#include "line_executor.hpp"
#include "product_map.hpp"
#include "scaled.hpp"
#include "select.hpp"
#include "single_op.hpp"
#include "small_sheets.hpp"

namespace ricci {

template <>
struct executor<cpu_device> : detail::line_executor, detail::fourier_executor {
    static constexpr bool takes_windows = true;
    static constexpr bool takes_additions = true;
    /// Instructions on elements, as ops count them, that take as long as one more kernel with memory for what it gives.
    static constexpr index_t part_overhead = 700;

    /// Computes a fused op into new tensors; outputs merged into another one, or added to an array, come back empty.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class... T>
    static auto run(const detail::fused<Sweep, Rank, Reduces, ResultRank...>& op, const T&... inputs) {
        using namespace detail;
        using running = kernel_sweep<Sweep, Combine>;
        const auto references = [&] {
            return std::array<operand_ref, sizeof...(T) + Sweep::outputs>{refer(inputs)...};
        };
        bool along_batch = false;
        if constexpr (Rank > 1)
            along_batch = op.batched && !op.windows && (begins_with_batch<Rank>(inputs) || ...) &&
                          follow_batch(references().data(), sizeof...(T), Rank);
        auto outputs = generate<Sweep::outputs>([&](auto k) {
            using R = std::remove_cvref_t<decltype(get<k()>(op.result))>;
            using out = tensor<typename running::template output_type<k()>, R::rank, cpu_device>;
            const bool own = op.merge[k()] == k() && (!op.windows || op.windows[k()].home == k()) && !added_to(op, k());
            const output_plan plan{own, own && unasked_of<running, Combine>(op, k()), Rank > 1 && along_batch};
            if constexpr (Sweep::outputs > 2) return plan.make_apart<out>(get<k()>(op.result));
            else return plan.make<out>(get<k()>(op.result));
        });
        if constexpr (std::is_void_v<Combine> && !Reduces && Rank == 0 && is_arithmetic_of_elements<Sweep, T...>) {
            const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
            *get<0>(outputs).data() = element_of(op.sweep, at, 0);
            return outputs;
        }
        if constexpr (takes_single_op<Combine, Sweep, Rank>) {
            run_single(op, outputs, inputs...);
            return outputs;
        } else {
            return run_kernel_of<Combine>(op, std::move(outputs), along_batch, inputs...);
        }
    }

    /// Computes a map into memory that exists: the elements of `out`, any strides.
    template <class Combine, class Sweep, int Rank, class O, class... T>
    static void run_into(const Sweep& sweep, const shape<Rank>& extents, const O& out, const shape<Rank>& out_strides,
                         const T&... inputs) {
        using namespace detail;
        if constexpr (Rank == 0 && is_arithmetic_of_elements<Sweep, T...>) {
            const std::byte* const at[] = {byte_pointer(inputs.data())..., nullptr};
            *out.data() = element_of(sweep, at, 0);
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
    /// A map of single elements that loops over indices write, `y(i) = 2 * x(i) + x(i - 1)`: so little to compute that it is
    /// done in place, without a kernel.
    template <class Sweep, class... X>
    static constexpr bool is_arithmetic_of_elements = ((X::rank == 0) && ...) && detail::is_arithmetic<Sweep>;
    /// The short way for few elements: inputs of the same shape, or dense or the same along rows, into dense memory, which may be
    /// an input's, each element in the place of its own. False, and nothing done, where it is not that.
    template <class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense(const Sweep& sweep, const O& out, const X&... inputs) {
        using namespace detail;
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
                    if (data[i] == to) return false;  // registers overlap at the end
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

    /// Adds dense elements to others of the same shape; false, and nothing done, where they are many or not dense.
    template <std::floating_point T, int R>
    static bool add_dense(const tensor<T, R>& to, const tensor<T, R>& from) {
        if (to.size() > detail::most_flat || !to.is_contiguous() || !from.is_contiguous()) return false;
        detail::add_row<T>(detail::byte_pointer(to.data()), 1, detail::byte_pointer(from.data()), to.size());
        return true;
    }

    /// Whether `scale` takes elements of that type.
    template <class T>
    static constexpr bool scales = std::is_same_v<T, float> || std::is_same_v<T, double>;
    template <int R>
    static detail::broadcast_rows<R> scaled_rows(const shape<R>& extents, const shape<R>& by) {
        return {extents, by};
    }
    /// y, dense and perhaps x itself, becomes x, dense, times what is beside it. False where y is of no use: something is not
    /// finite, or a factor so large that it would show what x lost where it is below the normal numbers.
    template <class T, int R, int Rank, int Q>
    static bool scale(const tensor<T, R>& x, const tensor<T, R>& y, const detail::broadcast_rows<Rank>& rows,
                      const tensor<T, Q>& by) {
        constexpr T large = 1 << 20;
        const auto factors = dense_of(by);
        bool small = true;
        for (index_t i = 0, n = factors.size(); i < n; ++i) small = small & (std::abs(factors.data()[i]) <= large);
        return small && detail::scale_rows(x.data(), factors.data(), y.data(), rows);
    }

    template <class T, int R>
    static void fill(const tensor<T, R>& x, const std::type_identity_t<T>& value) {
        constexpr index_t together = (index_t(1) << 18) / sizeof(T);
        const index_t n = x.size();
        if (x.is_contiguous() && n <= together) return detail::fill_row(x.data(), n, value);
        if (x.is_contiguous())
            return detail::for_blocks((n + together - 1) / together, together, [&](index_t block) {
                detail::fill_row(x.data() + block * together, std::min(together, n - block * together), value);
            });
        detail::copy_elements<T, R>({detail::byte_pointer(&value), nullptr, nullptr, 0, 1}, detail::refer(x));
    }
    /// Truths along the last axis as bits, eight to a byte, and the bits of bytes as bytes.
    template <int R>
    static void pack_bits(const tensor<bool, R>& from, const tensor<std::uint8_t, R>& to, bool from_highest) {
        const auto truths = dense_of(from);
        const index_t n = from.shape()[R - 1], bytes = to.shape()[R - 1];
        const auto* p = reinterpret_cast<const std::uint8_t*>(truths.data());
        for (index_t i = 0, rows = bytes == 0 ? 0 : to.size() / bytes; i < rows; ++i)
            detail::pack_bits(p + i * n, n, to.data() + i * bytes, from_highest);
    }
    template <int R>
    static void unpack_bits(const tensor<std::uint8_t, R>& from, const tensor<std::uint8_t, R>& to, bool from_highest) {
        const auto dense = dense_of(from);
        const index_t bytes = from.shape()[R - 1], n = to.shape()[R - 1];
        for (index_t i = 0, rows = n == 0 ? 0 : to.size() / n; i < rows; ++i)
            detail::unpack_bits(dense.data() + i * bytes, n, to.data() + i * n, from_highest);
    }
    /// Elements first, first + 1, ... of a seed's stream of random numbers into a contiguous tensor.
    template <detail::random_source Source, class T, int R>
    static void random(const tensor<T, R>& x, std::uint64_t seed, std::uint64_t first) {
        constexpr index_t together = 1 << 14;  // an element depends on its index alone
        const index_t n = x.size();
        detail::for_blocks((n + together - 1) / together, together, [&](index_t block) {
            const index_t at = block * together;
            detail::fill_source<Source>(x.data() + at, std::min(together, n - at), seed,
                                        first + static_cast<std::uint64_t>(at));
        });
    }
    /// Copies elements of one type to where they broadcast to; the caller has seen to overlap.
    template <class T, int R, class U, int Q>
    static void copy(const tensor<T, R>& from, const tensor<U, Q>& to) {
        static_assert(std::is_same_v<std::remove_const_t<T>, U> && R <= Q);
        if constexpr (Q == 0) {
            *to.data() = *from.data();
            return;
        }
        detail::copy_elements<U, Q>(detail::refer(from), detail::refer(to));
    }
    static constexpr bool has_half_products = true;
    /// c = a times b over the last two axes, the leading ones broadcast; c is new and dense.
    template <class A, class B, class C>
    static void matmul(const A& a, const B& b, const C& c, const detail::gemm_epilogue* epilogue = nullptr) {
        using T = typename C::value_type;
        detail::gemm_batch<T> batch;
        batch.product = {a.shape()[A::rank - 2],
                         b.shape()[B::rank - 1],
                         a.shape()[A::rank - 1],
                         a.data(),
                         a.strides()[A::rank - 2],
                         a.strides()[A::rank - 1],
                         b.data(),
                         b.strides()[B::rank - 2],
                         b.strides()[B::rank - 1],
                         c.data(),
                         b.shape()[B::rank - 1],
                         epilogue};
        for (int d = 0; d < C::rank - 2; ++d) {
            const int i = d - (C::rank - A::rank), j = d - (C::rank - B::rank);
            batch.add_axis(c.shape()[d], i < 0 || a.shape()[i] == 1 ? 0 : a.strides()[i],
                           j < 0 || b.shape()[j] == 1 ? 0 : b.strides()[j]);
        }
        batch.run();
    }
    /// The leaves that a map of a product may have to be computed with it.
    static constexpr int most_product_leaves = detail::product_map::most_operands - 1;
    /// y, new and dense, becomes a map of the product of a and b: `sweep` over inputs of which those without data are the
    /// product. c has the product's shape; what is in it is not the product, and its memory may be y's.
    template <class Sweep, class A, class B, class C, class Y, class... X>
    static void matmul_map(const Sweep& sweep, const A& a, const B& b, const C& c, const Y& y, const X&... inputs) {
        using namespace detail;
        if (y.size() == 0) return;
        static constexpr unsigned char merge[1] = {0};
        const cpu_kernel<Sweep, void> kernel(sweep, merge);
        const row_kernel row = kernel.template row<Y::rank>();
        operand_ref operands[] = {refer(inputs)..., refer(y)};
        constexpr index_t in_cache = 1024;  // elements, of which one pass takes less than to find blocks of them
        if (y.size() <= in_cache && !is_half_v<typename C::value_type>) {
            matmul(a, b, c);
            for (operand_ref& x : operands)
                if (!x.data) x.data = byte_pointer(c.data());
            return run_kernel(row, operands);
        }
        const product_map epilogue(row, operands, c.data());
        matmul(a, b, c, &epilogue);
    }
    /// y, which is new, becomes what index arrays select from x (ops/index/gather.hpp).
    template <class Spec, class X, class Y, class... I>
    static void gather(const Spec& spec, const X& x, const Y& y, const I&... index) {
        if (detail::gather_few(spec, x, y, index...)) return;
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.gather(); }, index...);
    }
    /// The same where y has a value to keep if an index is wrong; false, and nothing done, where that is no faster than memory
    /// of its own.
    template <class Spec, class X, class Y, class... I>
    static bool gather_over(const Spec& spec, const X& x, const Y& y, const I&... index) {
        if (detail::gather_few(spec, x, y, index...)) return true;
        bool done = false;
        with_index_loop(spec, x, y, [&](detail::index_loop& loop) { done = loop.gather_over(); }, index...);
        return done;
    }
    /// Throws index_error for an index that is out of x's range.
    template <class Spec, class X, class Y, class... I>
    static void check_indices(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.check(); }, index...);
    }
    /// The elements of y are added to, or become, those of x that the index arrays name, one after the other. Throws index_error,
    /// x as it was, for an index that is out of range.
    template <class Spec, class X, class Y, class... I>
    static void scatter_add(const Spec& spec, const X& x, const Y& y, const I&... index) {
        using T = typename X::value_type;
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.scatter(detail::add_rows<T>); }, index...);
    }
    template <class Spec, class X, class Y, class... I>
    static void put(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.put(); }, index...);
    }
    /// The number of true ones.
    template <int R>
    static index_t count_true(const tensor<bool, R>& mask) {
        const auto dense = dense_of(mask);
        return detail::count_true(dense.data(), dense.size());
    }
    /// Where they are: row d has the positions along axis d.
    template <int R>
    static void find_true(const tensor<bool, R>& mask, const tensor<index_t, 2>& positions) {
        detail::find_true(detail::refer(mask), positions.data(), positions.shape()[1]);
    }
    /// The elements of x where a mask of its shape is true, of which y, new and dense, has the number.
    template <class X, int R, class Y>
    static void compress(const X& x, const tensor<bool, R>& mask, const Y& y) {
        const auto from = dense_of(x);
        const auto chosen = dense_of(mask);
        detail::compress_bytes(sizeof(typename X::value_type), detail::byte_pointer(from.data()), chosen.data(),
                               from.size(), detail::byte_pointer(y.data()), y.size());
    }
    /// The elements of y, one after the other, to those of x where a mask of its shape is true; y has as many.
    static constexpr bool spreads_by_masks = true;
    template <class X, int R, class Y>
    static void spread(const X& x, const tensor<bool, R>& mask, const Y& y) {
        if (!x.is_contiguous()) {
            const auto dense = x.clone();
            spread(dense, mask, y);
            return copy(dense, x);
        }
        const auto from = dense_of(y);
        const auto chosen = dense_of(mask);
        detail::spread_bytes(sizeof(typename X::value_type), detail::byte_pointer(from.data()), from.size(),
                             chosen.data(), detail::byte_pointer(x.data()));
    }
    /// Whether a map can choose elements as it is computed, instead of a mask.
    static constexpr bool selects_by_maps = true;
    /// The elements of x where a map is true, of whose function the leaves are given, and how many they are; y has room for all
    /// of x. Block by block, so that no mask is ever in memory. -1, and nothing done, where operands do not lie side by side.
    template <class X, class Sweep, class... L>
    static index_t select(const Sweep& sweep, const X& x, typename X::value_type* y, const L&... leaves) {
        using namespace detail;
        const auto beside = [&](const auto& leaf) {  // in step with x, or the same element throughout
            if constexpr (std::remove_cvref_t<decltype(leaf)>::rank == X::rank)
                if (leaf.shape() == x.shape()) return leaf.is_contiguous();
            return leaf.size() == 1;
        };
        if (!(x.is_contiguous() && ... && beside(leaves))) return -1;
        std::byte* at[] = {byte_pointer(leaves.data())..., nullptr};
        using U = typename item_of<sizeof(typename X::value_type)>::type;
        if constexpr (packs_registers<Sweep, U>()) {
            const bool still[] = {(leaves.size() == 1 && x.size() != 1)...};
            return select_where(sweep, at, still, reinterpret_cast<const U*>(x.data()), x.size(),
                                reinterpret_cast<U*>(y));
        } else {
            static constexpr unsigned char merge[1] = {0};
            static constexpr index_t size[] = {sizeof(typename L::value_type)...};
            const cpu_kernel<Sweep, void> kernel(sweep, merge);
            const index_t step[] = {(leaves.size() == 1 && x.size() != 1 ? 0 : 1)..., 1};
            return compress_where(kernel.template row<1>(), at, step, size, sizeof(typename X::value_type),
                                  byte_pointer(x.data()), x.size(), byte_pointer(y));
        }
    }

    template <int R>
    static shape<R> batch_strides(const shape<R>& extents) {
        return detail::batch_order::strides(extents);
    }
    template <class T, int R>
    static bool suits_batch_order(const tensor<T, R>& x) {
        return x.size() > 0 && detail::batch_order::suits(x.shape().extent, R);
    }
    /// x, or where that is the better order of a batch, a copy whose axis 0 lies in memory as the last one of others does.
    template <class T, int R>
    static tensor<T, R> batch_ordered(const tensor<T, R>& x)
        requires(!std::is_const_v<T>)
    {
        if (x.strides()[0] == 1 || !suits_batch_order(x)) return x;
        const auto y = tensor<T, R>::uninitialized(x.shape());
        const tensor<T, R> ordered(y.memory(), y.data(), y.shape(), batch_strides(y.shape()));
        copy(x, ordered);
        return ordered;
    }

    template <class T, class X>
    static T read(const X& x) {
        return *x.data();
    }

   private:
    /// Fills the outputs of a fused op by its kernel.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class Outputs, class... T>
    static RICCI_INLINE auto run_kernel_of(const detail::fused<Sweep, Rank, Reduces, ResultRank...>& op, Outputs outputs,
                                           bool along_batch, const T&... inputs) {
        using namespace detail;
        using running = kernel_sweep<Sweep, Combine>;
        const auto references = [&] {
            return std::array<operand_ref, sizeof...(T) + Sweep::outputs>{refer(inputs)...};
        };
        decltype(auto) sweep = sweep_for_kernel<Combine>(op.sweep);
        if constexpr (Reduces && Rank > 1 && ((T::rank == Rank) && ...))
            if (!along_batch && sum_dense<Combine>(sweep, op.padded[0], get<0>(outputs).data(), inputs...))
                return rounded_results<Combine>(op, outputs);
        const cpu_kernel<running, Combine> kernel(sweep, op.merge);
        std::byte* written[Sweep::outputs > 0 ? Sweep::outputs : 1];
        for_indices<Sweep::outputs>([&](auto k) { written[k()] = byte_pointer(get<k()>(outputs).data()); });
        for (int k = 0; k < Sweep::outputs; ++k) {
            if (unasked_of<running, Combine>(op, k)) written[k] = nullptr;
            else if (added_to(op, k)) written[k] = static_cast<std::byte*>(op.into[k]);
        }
        if constexpr (std::is_same_v<running, Sweep> && takes_dense_op<running, Combine, Rank, T...>())
            if (!(op.windows || along_batch) && dense_op<running, Combine>::run(kernel, op, written, inputs...))
                return outputs;
        row_kernel row = kernel.template row<Rank>();
        auto operands = references();
        shape<Rank> strides[Rank > 1 ? Sweep::outputs : 1];
        for (int k = 0; k < Sweep::outputs; ++k) {
            operand_ref& y = operands[sizeof...(T) + k];
            y = {written[k], op.padded[k].extent, nullptr, Rank, op.padded[k].count()};
            if constexpr (Rank > 1)
                if (along_batch && !added_to(op, k)) {
                    strides[k] = batch_order::strides(op.padded[k]);
                    y.stride = strides[k].extent;
                    y.dense = 0;
                }
        }
        if constexpr (Rank > 1 && (... && (ResultRank > 0)) && std::is_same_v<running, Sweep> &&
                      takes_small_sheets<running, Combine>)
            if (run_small_sheet<Combine>(sweep, operands.data())) return outputs;
        if constexpr (Sweep::reverse) row.into = op.into;
        if constexpr (may_leave_out<running, Combine>) row.unasked = op.unasked;
        if constexpr (Reduces && Sweep::reverse) {
            if (op.windows) {
                run_through_windows(op, row, operands.data());
                return rounded_results<Combine>(op, outputs);
            }
        }
        run_over<Rank>(row, operands.data());
        return rounded_results<Combine>(op, outputs);
    }
    /// Fused ops of rank 0 on registers, which need no kernel.
    template <class Combine, class Sweep, int Rank>
    static constexpr bool takes_single_op = [] {
        if constexpr (Rank != 0 || !(std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>)) return false;
        else return detail::single_op<Sweep>::take;
    }();
    template <class Op, class Outputs, class... T>
    static RICCI_INLINE void run_single(const Op& op, const Outputs& outputs, const T&... inputs) {
        using Sweep = typename Op::sweep_type;
        const std::byte* const at[] = {detail::byte_pointer(inputs.data())..., nullptr};
        typename Sweep::value_type* written[Sweep::outputs];
        detail::for_indices<Sweep::outputs>(
            [&](auto k) { written[k()] = op.unasked && op.unasked[k()] ? nullptr : detail::get<k()>(outputs).data(); });
        detail::single_op<Sweep>::run(op.sweep, op.merge, at, written, Sweep::reverse ? op.into : nullptr);
    }

    /// How an output of an op comes to be: whether it has an array of its own, whether anybody asks for it, and its order.
    struct output_plan {
        bool own, unasked, along_batch;

        template <class Out, int R>
        RICCI_INLINE Out make(const shape<R>& extents) const {
            if (!own) return Out(storage(), nullptr, {}, {});  // of rank 0, Out() would have an element
            if (unasked) return detail::unasked_array<Out>(extents);
            auto y = Out::uninitialized(extents);
            if (along_batch) return Out(y.memory(), y.data(), y.shape(), detail::batch_order::strides(y.shape()));
            return y;
        }
        /// By a call, where there are so many that their code would be most of what there is to compile.
        template <class Out, int R>
        RICCI_NOINLINE Out make_apart(const shape<R>& extents) const {
            return make<Out>(extents);
        }
    };
    template <class T, class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense_rows(const Sweep& sweep, const O& out, const X&... inputs) {
        if constexpr (O::rank < 2 || !detail::dense_rows<Sweep, T, O::rank>::take) return false;
        else return out.size() > 0 && detail::dense_rows<Sweep, T, O::rank>::run(sweep, out, inputs...);
    }
    /// Whether the elements along axis 0 lie side by side.
    template <int Rank, class X>
    static RICCI_INLINE bool begins_with_batch(const X& x) {
        if constexpr (X::rank != Rank || Rank == 0) return false;
        else return x.strides()[0] == 1 && x.shape()[0] != 1;
    }
    template <class Sweep, class Combine>
    static constexpr bool takes_small_sheets = [] {
        using kernel = detail::cpu_kernel<Sweep, Combine>;
        if constexpr (!kernel::vectorised) return false;
        else if constexpr (std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>)
            return detail::small_sheet_loop<Sweep, typename kernel::T, Combine>::take();
        else return false;
    }();
    template <class Combine, class Sweep>
    static RICCI_INLINE bool run_small_sheet(const Sweep& sweep, const detail::operand_ref* operands) {
        return detail::small_sheet_loop<Sweep, typename detail::cpu_kernel<Sweep, Combine>::T, Combine>(sweep).run(
            operands);
    }
    /// Adjoints that are duals, on registers.
    template <class Sweep, class Combine>
    static constexpr bool may_leave_out =
        Sweep::reverse && Sweep::order != 0 && detail::cpu_kernel<Sweep, Combine>::vectorised;
    /// Whether nobody asks for output k.
    template <class Sweep, class Combine, class Op>
    static RICCI_INLINE bool unasked_of(const Op& op, int k) {
        if constexpr (may_leave_out<Sweep, Combine>) return op.unasked && op.unasked[k];
        else return false;
    }
    /// The short way for few dense elements of one shape; false, and nothing done, where it is not that.
    template <class Combine, class Sweep, int Rank, class Y, class X, class... More>
    static RICCI_INLINE bool sum_dense(const Sweep& sweep, const shape<Rank>& padded, Y* out, const X& first,
                                       const More&... inputs) {
        using namespace detail;
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
    /// Whether output k is added to an array that exists.
    template <class Op>
    static RICCI_INLINE bool added_to(const Op& op, int k) {
        if constexpr (Op::sweep_type::reverse) return op.into && op.into[k];
        else return false;
    }
    template <class Spec, class X, class Y, class F, class... I>
    static void with_index_loop(const Spec& spec, const X& x, const Y& y, F use, const I&... index) {
        int k = 0;
        const detail::index_key keys[] = {detail::refer_key(index, spec.axis[k++])...};
        detail::index_loop loop(detail::refer(x), detail::refer(y), sizeof(typename X::value_type), Spec::batch_rank,
                                spec.at, keys, Spec::arrays);
        use(loop);
    }
    /// Outputs that are windows are added up in their homes.
    template <class Op>
    static void run_through_windows(const Op& op, detail::row_kernel& row, detail::operand_ref* operands) {
        detail::memory_range homes[Op::outputs];
        detail::for_indices<Op::outputs>([&](auto k) {
            std::byte* const begin = operands[row.inputs + k()].data;
            const index_t size = begin ? detail::get<k()>(op.result).count() : 0;  // a window has no array of its own
            homes[k()] = {begin, begin + static_cast<std::size_t>(size) * row.rules[k()]->item, added_to(op, k())};
        });
        detail::memory_range at[Op::outputs];
        for (int k = 0; k < Op::outputs; ++k) {
            const auto& window = op.windows[k];
            if (window.whole || !homes[window.home].begin) continue;
            detail::operand_ref& x = operands[row.inputs + k];
            at[k] = homes[window.home];
            x.data = at[k].begin + window.offset * static_cast<index_t>(row.rules[k]->item);
            x.stride = window.strides.extent;
        }
        detail::run_over_into<Op::rank>(row, operands, at);
    }
};

}  // namespace ricci
