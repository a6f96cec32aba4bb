// The CPU backend: binds fused ops to tensors and runs them; fills and copies.
#pragma once
#include <array>

#include "../core/philox.hpp"
#include "../expr/fused.hpp"
#include "bind.hpp"
#include "complex_row.hpp"
#include "compress.hpp"
#include "copy_loop.hpp"
#include "fft_arrays.hpp"
#include "fftw.hpp"
#include "gemm.hpp"
#include "index_loop.hpp"
#include "lines.hpp"
#include "row.hpp"
#include "scalar_row.hpp"

namespace ricci {
namespace detail {

/// A sweep as the loop driver wants it: its row function and its tables, with the code for registers or for scalars.
template <class Sweep, class Combine>
struct cpu_kernel {
    using combine = std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>;
    using T = lane_type_t<typename Sweep::tree_type>;
    static constexpr int inputs = Sweep::inputs, outputs = Sweep::outputs;
    template <int... K>
    static constexpr bool any_bool_output(std::integer_sequence<int, K...>) {
        return (std::is_same_v<typename Sweep::template output_type<K>, bool> || ...);
    }
    /// On registers; the maximum of truth values, which are no register of T, is not.
    static constexpr bool vectorised =
        lanes_supported<T>() &&
        (std::is_void_v<Combine> || !any_bool_output(std::make_integer_sequence<int, outputs>{}));
    /// The same with complex numbers: their parts' type, or void.
    static constexpr auto complex_parts() {
        if constexpr (std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>) return complex_lanes<T>();
        else return std::type_identity<void>{};
    }
    using P = typename decltype(complex_parts())::type;
    static_assert(inputs + outputs <= max_operands, "ricci: too many leaves in one expression");

    template <int... I, int... O>
    static constexpr std::array<const item_copier*, inputs + outputs> all_copiers(std::integer_sequence<int, I...>,
                                                                                  std::integer_sequence<int, O...>) {
        return {&copier_of<typename Sweep::template input_type<I>>...,
                &copier_of<typename Sweep::template output_type<O>>...};
    }
    template <int... I>
    static constexpr std::array<unsigned char, inputs + 1> input_items(std::integer_sequence<int, I...>) {
        return {sizeof(typename Sweep::template input_type<I>)..., 0};
    }
    template <int... I>
    static constexpr std::array<const output_rules*, outputs> output_tables(std::integer_sequence<int, I...>) {
        return {&typed_output_rules<combine, typename Sweep::template output_type<I>>::rules...};
    }
    template <int... I>
    static constexpr std::array<unsigned char, outputs> output_items(std::integer_sequence<int, I...>) {
        return {sizeof(typename Sweep::template output_type<I>)...};
    }
    static constexpr auto copiers =
        all_copiers(std::make_integer_sequence<int, inputs>{}, std::make_integer_sequence<int, outputs>{});
    static constexpr auto in_item = input_items(std::make_integer_sequence<int, inputs>{});
    static constexpr auto tables = output_tables(std::make_integer_sequence<int, outputs>{});
    static constexpr auto out_item = output_items(std::make_integer_sequence<int, outputs>{});

    const Sweep& sweep;
    const unsigned char* merge;
    [[no_unique_address]] std::conditional_t<vectorised, simd_kernel, nothing> registers{};

    cpu_kernel(const Sweep& s, const unsigned char* m) : sweep(s), merge(m) {
        if constexpr (vectorised) {
            registers = simd_kernel{&sweep, nullptr, inputs, outputs, in_item.data(), out_item.data()};
            registers.span = span(registers.blocks);
        }
    }
    row_kernel row() const {
        row_kernel k{&sweep, nullptr, inputs, outputs, copiers.data(), tables.data(), merge, !vectorised};
        if constexpr (vectorised) {
            k.function = &registers;
            k.run = simd_row<T, Combine>::run;
            k.takes_sheets = true;
            if constexpr (!std::is_void_v<Combine>)
                k.takes_blocks = simd_span<Sweep, T, merging::none, Combine>::unrolled;
            if constexpr (Sweep::reverse) {
                k.add = add_row<T>;
                k.adds_apart = registers.blocks;
            }
        } else if constexpr (!std::is_void_v<P>) {
            k.run = complex_row<Sweep, P, Combine>::run;
            k.any_step = false;
            if constexpr (Sweep::reverse) k.add = add_row<P>;
        } else {
            k.run = scalar_row<Sweep, Combine>::run;
        }
        return k;
    }

   private:
    /// The span for the way in which outputs meet: when all adjoints belong to one leaf their sum stays in one register.
    span_function span(bool& blocks) const {
        blocks = false;
        // which codes are worth compiling: two adjoints are one or apart, many are hardly ever all apart
        constexpr int adjoint_count = [] {
            int n = 0;
            for (int k = 0; k < outputs; ++k) n += Sweep::out.at[k].variable != Sweep::slots;
            return n;
        }();
        if constexpr (!Sweep::reverse || adjoint_count < 2) {
            return simd_span<Sweep, T, merging::none, Combine>::run;
        } else {
            const bool none = merged_as(each_apart.data()), all = merged_as(all_groups.data());
            if (all) return simd_span<Sweep, T, merging::all, Combine>::run;
            if constexpr (adjoint_count <= 4)
                if (none) return simd_span<Sweep, T, merging::none, Combine>::run;
            if constexpr (adjoint_count == 2 && Sweep::order == 0) {
                return simd_span<Sweep, T, merging::none, Combine>::run;
            } else {
                blocks = true;
                return simd_span<Sweep, T, merging::table, Combine>::run;
            }
        }
    }
    bool merged_as(const unsigned char* table) const { return std::memcmp(merge, table, outputs) == 0; }
    template <int... K>
    static constexpr std::array<unsigned char, outputs> group_table(std::integer_sequence<int, K...>) {
        return {static_cast<unsigned char>(step_outputs<Sweep, scalar_domain, merging::all>::template group<K>())...};
    }
    static constexpr auto each_apart = [] {
        std::array<unsigned char, outputs> t{};
        for (std::size_t k = 0; k < t.size(); ++k) t[k] = static_cast<unsigned char>(k);
        return t;
    }();
    static constexpr auto all_groups = group_table(std::make_integer_sequence<int, outputs>{});
};

}  // namespace detail

template <>
struct executor<cpu_device> {
    static constexpr bool takes_windows = true;
    static constexpr bool takes_additions = true;

    /// Computes a fused op into new tensors; outputs merged into another one, or added to an array, come back empty.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class... T>
    static auto run(const detail::fused<Sweep, Rank, Reduces, ResultRank...>& op, const T&... inputs) {
        using namespace detail;
        using running = kernel_sweep<Sweep, Combine>;
        auto outputs = generate<Sweep::outputs>([&](auto k) {
            using R = std::remove_cvref_t<decltype(get<k()>(op.result))>;
            using out = tensor<typename running::template output_type<k()>, R::rank, cpu_device>;
            const bool own = op.merge[k()] == k() && (!op.windows || op.windows[k()].home == k()) && !added_to(op, k());
            return own ? out::uninitialized(get<k()>(op.result)) : out();
        });
        decltype(auto) sweep = sweep_for_kernel<Combine>(op.sweep);
        const cpu_kernel<running, Combine> kernel(sweep, op.merge);
        row_kernel row = kernel.row();
        operand_ref operands[sizeof...(T) + Sweep::outputs] = {refer(inputs)...};
        for_indices<Sweep::outputs>([&](auto k) {
            std::byte* const at = byte_pointer(get<k()>(outputs).data());
            operands[sizeof...(T) + k()] = {added_to(op, k()) ? static_cast<std::byte*>(op.into[k()]) : at,
                                            op.padded[k()].extent, nullptr, Rank, op.padded[k()].count()};
        });
        if constexpr (Sweep::reverse) row.into = op.into;
        if constexpr (Reduces && Sweep::reverse) {
            if (op.windows) {
                run_through_windows(op, row, operands);
                return rounded_results<Combine>(op, outputs);
            }
        }
        bound_kernel(row, operands).run();
        return rounded_results<Combine>(op, outputs);
    }

    /// Computes a map into memory that exists: the elements of `out`, any strides.
    template <class Combine, class Sweep, int Rank, class O, class... T>
    static void run_into(const Sweep& sweep, const shape<Rank>& extents, const O& out, const shape<Rank>& out_strides,
                         const T&... inputs) {
        using namespace detail;
        static constexpr unsigned char merge[1] = {0};
        const cpu_kernel<Sweep, Combine> kernel(sweep, merge);
        const row_kernel row = kernel.row();
        const operand_ref operands[] = {refer(inputs)..., refer(out.data(), extents, out_strides)};
        bound_kernel(row, operands).run();
    }
    /// The short way for few elements: dense inputs into other, dense memory. False, and nothing done, where it is not that.
    template <class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense(const Sweep& sweep, const O& out, const X&... inputs) {
        using namespace detail;
        using T = typename cpu_kernel<Sweep, void>::T;
        constexpr int n_inputs = sizeof...(X);
        if constexpr (!cpu_kernel<Sweep, void>::vectorised || n_inputs == 0 || n_inputs > 8 ||
                      ((X::rank != O::rank) || ...)) {
            return false;
        } else {
            const index_t n = out.size();
            if (n < simd<T>::lanes || n > flat_loop::most) return false;
            if (!((inputs.shape() == out.shape() && inputs.is_contiguous()) && ...)) return false;
            const std::byte* const data[] = {byte_pointer(inputs.data())...};
            std::byte* const to = byte_pointer(out.data());
            for (int i = 0; i < n_inputs; ++i)
                if (data[i] == to) return false;  // registers overlap at the end
            if constexpr (tree_cost_v<typename Sweep::tree_type> <= 4) {
                store_registers<T>(sweep, data, to, n);
            } else {
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
        if (to.size() > detail::flat_loop::most || !to.is_contiguous() || !from.is_contiguous()) return false;
        detail::add_row<T>(detail::byte_pointer(to.data()), 1, detail::byte_pointer(from.data()), to.size());
        return true;
    }

    template <class T, int R>
    static void fill(const tensor<T, R>& x, const std::type_identity_t<T>& value) {
        if (x.is_contiguous() && x.size() <= detail::flat_loop::most) {
            for (index_t i = 0, n = x.size(); i < n; ++i) x.data()[i] = value;
            return;
        }
        detail::copy_elements(detail::copier_of<T>, {detail::byte_pointer(&value), nullptr, nullptr, 0, 1},
                              detail::refer(x));
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
        detail::copy_elements(detail::copier_of<U>, detail::refer(from), detail::refer(to));
    }
    static constexpr bool has_half_products = true;
    /// c = a times b over the last two axes, the leading ones broadcast; c is new and dense.
    template <class A, class B, class C>
    static void matmul(const A& a, const B& b, const C& c) {
        using T = typename C::value_type;
        detail::gemm_batch<T> batch;
        batch.product = {a.shape()[A::rank - 2],   b.shape()[B::rank - 1],   a.shape()[A::rank - 1], a.data(),
                         a.strides()[A::rank - 2], a.strides()[A::rank - 1], b.data(),               b.strides()[B::rank - 2],
                         b.strides()[B::rank - 1], c.data(),                 b.shape()[B::rank - 1]};
        for (int d = 0; d < C::rank - 2; ++d) {
            const int i = d - (C::rank - A::rank), j = d - (C::rank - B::rank);
            batch.add_axis(c.shape()[d], i < 0 || a.shape()[i] == 1 ? 0 : a.strides()[i],
                           j < 0 || b.shape()[j] == 1 ? 0 : b.strides()[j]);
        }
        batch.run();
    }
    /// y, which is new, becomes what index arrays select from x (ops/index/gather.hpp).
    template <class Spec, class X, class Y, class... I>
    static void gather(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.gather(); }, index...);
    }
    /// The same where y has a value to keep if an index is wrong; false, and nothing done, where that is no faster than memory
    /// of its own.
    template <class Spec, class X, class Y, class... I>
    static bool gather_over(const Spec& spec, const X& x, const Y& y, const I&... index) {
        bool done = false;
        with_index_loop(spec, x, y, [&](detail::index_loop& loop) { done = loop.gather_over(); }, index...);
        return done;
    }
    /// Throws index_error for an index that is out of x's range.
    template <class Spec, class X, class Y, class... I>
    static void check_indices(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.check(); }, index...);
    }
    /// The elements of y are added to, or become, those of x that the index arrays name, one after the other.
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

    // ---- along an axis; y is new and dense
    static constexpr bool has_line_kernels = true;
    template <class T, int R, class Y>
    static void cumulative_sum(const tensor<T, R>& x, const Y& y, int axis, bool backwards) {
        const auto dense = dense_of(x);
        detail::scan_lines<detail::scan_sum>(dense.data(), y.data(), {x.shape(), axis}, backwards);
    }
    template <class T, int R, class Y>
    static void cumulative_prod(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        detail::scan_lines<detail::scan_product>(dense.data(), y.data(), {x.shape(), axis}, false);
    }
    template <bool Largest, class T, int R, class Y>
    static void cumulative_position(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        detail::scan_lines<detail::scan_extremum<Largest>>(dense.data(), y.data(), {x.shape(), axis}, false);
    }
#if defined(RICCI_HAS_SIMD)
    /// Whether softmax of rows has kernels of its own, in which a row stays in the cache.
    template <class T>
    static constexpr bool has_softmax = std::is_floating_point_v<T>;
    /// Of each line along the last axis, which is not empty: y has as many lines.
    template <bool Logarithm, class T, int R, class Y>
    static void softmax(const tensor<T, R>& x, const Y& y) {
        const auto dense = dense_of(x);
        const index_t n = x.shape()[R - 1];
        detail::for_lines(dense.data(), {x.shape(), R - 1}, [&](const auto& line, index_t i) {
            if constexpr (Logarithm) line.log_softmax(y.data() + i * n);
            else line.softmax(y.data() + i * n);
        });
    }
    /// Whether the variance of each line of an array has a kernel of its own, in which a line stays in the cache.
    template <class T, int R>
    static bool has_variance(const tensor<T, R>& x) {
        constexpr index_t longest = (index_t(1) << 18) / static_cast<index_t>(sizeof(T));
        return std::is_floating_point_v<T> && x.shape()[R - 1] > 0 && x.shape()[R - 1] <= longest && x.is_contiguous();
    }
    /// y has one element for each line: the sum of the squares of the differences from its mean over a number.
    template <class T, int R, class Y>
    static void variance(const tensor<T, R>& x, const Y& y, T by) {
        detail::for_lines(x.data(), {x.shape(), R - 1}, [&](const auto& line, index_t i) {
            y.data()[i] = static_cast<T>(line.squared_differences() / static_cast<double>(by));
        });
    }
    /// y has one element for each line.
    template <class T, int R, class Y>
    static void log_sum_exp(const tensor<T, R>& x, const Y& y) {
        const auto dense = dense_of(x);
        detail::for_lines(dense.data(), {x.shape(), R - 1},
                          [&](const auto& line, index_t i) { y.data()[i] = line.log_sum_exp(); });
    }
#endif
    /// Where the extremum of each line along the last axis is first; of a NaN if there is one.
    template <bool Largest, class T, int R, class Y>
    static void extremum_position(const tensor<T, R>& x, const Y& y) {
        const auto dense = dense_of(x);
        detail::extremum_lines<Largest>(dense.data(), y.data(), {x.shape(), R - 1});
    }
    /// y has the first elements of each sorted line: how many is its extent.
    template <class T, int R, class Y>
    static void argsort(const tensor<T, R>& x, const Y& y, int axis, bool descending) {
        const auto dense = dense_of(x);
        detail::argsort_lines(dense.data(), y.data(), {x.shape(), axis}, y.shape()[axis], descending);
    }
    /// x, dense, is sorted in place.
    template <class T, int R>
    static void sort(const tensor<T, R>& x, int axis, bool descending) {
        detail::sort_lines(x.data(), {x.shape(), axis}, descending);
    }
    /// y, of the swaps' shape, has for each line of them the first of n things in the order that they make.
    template <class S, class Y>
    static void shuffle(const S& swaps, const Y& y, index_t n) {
        const auto dense = dense_of(swaps);
        const index_t k = y.shape()[Y::rank - 1];
        if (y.size() > 0) detail::shuffle_lines(dense.data(), y.data(), y.size() / k, k, n);
    }
    template <class T, int R, class Y>
    static void search_sorted(const tensor<T, 1>& sorted, const tensor<T, R>& values, const Y& y, bool behind) {
        const auto list = dense_of(sorted);
        const auto dense = dense_of(values);
        detail::search_sorted(list.data(), list.size(), dense.data(), y.data(), y.size(), behind);
    }

    // ---- Fourier transforms along an axis (ops/fft/transform.hpp); Library says whose
    static constexpr bool has_fourier_transforms = true;
    template <class Library, class X, int R, class T>
    static auto fourier(Library, const tensor<X, R>& x, int axis, bool inverse, T scale) {
        using kind = typename detail::fft_kinds<Library, T>::complex;
        return detail::transform_axis(kind{inverse, scale}, x, axis, x.shape()[axis], x.shape());
    }
    template <class Library, class X, int R, class T>
    static auto fourier_from_real(Library, const tensor<X, R>& x, int axis, bool inverse, T scale, T interior,
                                  const shape<R>& extents) {
        using kind = typename detail::fft_kinds<Library, T>::from_real;
        return detail::transform_axis(kind{{scale, scale * interior, inverse}}, x, axis, x.shape()[axis], extents);
    }
    template <class Library, class X, int R, class T>
    static auto fourier_to_real(Library, const tensor<X, R>& x, int axis, bool inverse, T scale, T interior,
                                const shape<R>& extents) {
        using kind = typename detail::fft_kinds<Library, T>::to_real;
        return detail::transform_axis(kind{{scale, scale * interior, !inverse}}, x, axis, extents[axis], extents);
    }

    template <class T, class X>
    static T read(const X& x) {
        return *x.data();
    }

   private:
    /// Whether output k is added to an array that exists.
    template <class Op>
    static RICCI_INLINE bool added_to(const Op& op, int k) {
        if constexpr (Op::sweep_type::reverse) return op.into && op.into[k];
        else return false;
    }
    /// The same elements in row-major order: x itself, or a copy.
    template <class T, int R>
    static tensor<std::remove_const_t<T>, R> dense_of(const tensor<T, R>& x) {
        if constexpr (!std::is_const_v<T>)
            if (x.is_contiguous()) return x;
        return x.clone();
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
            if (window.whole) continue;
            detail::operand_ref& x = operands[row.inputs + k];
            at[k] = homes[window.home];
            x.data = at[k].begin + window.offset * static_cast<index_t>(row.rules[k]->item);
            x.stride = window.strides.extent;
        }
        detail::bound_kernel(row, operands, at).run();
    }
};

}  // namespace ricci
