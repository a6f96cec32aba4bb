// The CPU backend: fills, copies, products and selections, beside fused ops, work on lines and Fourier transforms.
#pragma once
#include "../core/philox.hpp"
#include "convolution.hpp"
#include "copy_loop.hpp"
#include "fft/executor.hpp"
#include "fill.hpp"
#include "fused_executor.hpp"
#include "gemm.hpp"
#include "index_loop.hpp"
#include "line_executor.hpp"
#include "outer_rows.hpp"
#include "product_map.hpp"
#include "scaled.hpp"
#include "select.hpp"
#include "tap_sums.hpp"
#include "thread_pool.hpp"

namespace ricci {

template <>
struct executor<cpu_device> : detail::fused_executor, detail::line_executor, detail::fourier_executor {
    /// Adds dense elements to others of the same shape; false, and nothing done, where they are many or not dense.
    template <std::floating_point T, int R>
    static bool add_dense(const tensor<T, R>& to, const tensor<T, R>& from) {
        if (to.size() > detail::most_flat || !to.is_contiguous() || !from.is_contiguous()) return false;
        detail::add_row<T>(detail::byte_pointer(to.data()), 1, detail::byte_pointer(from.data()), to.size());
        return true;
    }

    /// The outer product of dense factors and a dense row, written to dense elements or added to them; false, and
    /// nothing done, where they are many or not dense.
    template <class T, int R, int Q, int P>
    static bool outer_rows(const tensor<T, R>& to, const tensor<T, Q>& factors, const tensor<T, P>& row, bool adds) {
        if (factors.size() * row.size() != to.size() || to.size() > detail::most_flat) return false;
        if (!to.is_contiguous() || !factors.is_contiguous() || !row.is_contiguous()) return false;
        detail::outer_rows<T>(to.data(), factors.size(), row.size(), factors.data(), row.data(), adds);
        return true;
    }

    /// Whether `scale` takes elements of that type.
    template <class T>
    static constexpr bool scales = std::is_same_v<T, float> || std::is_same_v<T, double>;
    template <int R>
    static detail::broadcast_rows<R> scaled_rows(const shape<R>& extents, const shape<R>& by) {
        return {extents, by};
    }
    /// y, dense and perhaps x itself, becomes x, dense, times what is beside it. False where y is of no use: something
    /// is not finite, or a factor so large that it would show what x lost where it is below the normal numbers.
    template <class T, int R, int Rank, int Q>
    static bool scale(const tensor<T, R>& x, const tensor<T, R>& y, const detail::broadcast_rows<Rank>& rows,
                      const tensor<T, Q>& by) {
        constexpr T large = 1 << 20;
        const auto factors = detail::dense_of(by);
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
    /// Each element of a dense array becomes f of it, which takes registers or numbers: for an instruction or two, a
    /// kernel would take longer to prepare and to compile.
    template <std::floating_point T, int R, class F>
    static void map_dense(const tensor<T, R>& x, const F& f) {
        constexpr index_t together = 1 << 14;
        const index_t n = x.size();
        detail::for_blocks((n + together - 1) / together, together, [&](index_t block) {
            detail::map_row(x.data() + block * together, std::min(together, n - block * together), f);
        });
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
    /// So many members of the first axis, for as long as x lives.
    template <class T, int R>
    static tensor<T, R> members(const tensor<T, R>& x, index_t first, index_t n) {
        auto extents = x.shape();
        extents[0] = n;
        return {storage(), x.data() + first * x.strides()[0], extents, x.strides()};
    }
    /// Arrays joined along an axis of y, each into its `part(i)`, where these alternate in memory: a stretch of the
    /// first axis at a time, so that what two of them share, cache lines and pages, comes once. False, and nothing
    /// done, where that is of no use.
    template <class List, class T, int R, class Part>
    static bool copy_parts(const List& list, const tensor<T, R>& y, int axis, const Part& part) {
        constexpr index_t stretch = (index_t(1) << 16) / sizeof(T);
        const index_t n = y.shape()[0], row = n > 0 ? y.size() / n : 0;
        if (axis == 0 || list.size() < 2 || row > stretch || y.size() < 4 * stretch) return false;
        const index_t together = stretch / row;
        detail::for_blocks((n + together - 1) / together, stretch, [&](index_t block) {
            const index_t first = block * together, count = std::min(together, n - first);
            for (std::size_t i = 0; i < list.size(); ++i)
                copy(members(list[i], first, count), members(part(i), first, count));
        });
        return true;
    }
    /// Whether several passes over parts of `bytes` in all, `elements` in each, are better made block by block, which
    /// stays in the second cache beside what is added to: not of so few elements that starting a pass counts, nor where
    /// many threads share each.
    static bool prefers_blocks(index_t bytes, index_t elements) {
        constexpr index_t cached_bytes = 1 << 17, shared_elements = 1 << 17, few_elements = 1 << 12;
        return bytes > cached_bytes && elements > few_elements && (elements < shared_elements || num_threads() < 4);
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
    /// c += a column times a row; false, and nothing done, but of floats and doubles whose row, and c's rows, are
    /// contiguous.
    template <class A, class B, class C>
    static bool add_outer(const A& column, const B& row, const C& c) {
#if defined(RICCI_HAS_SIMD)
        using T = typename C::value_type;
        if constexpr (C::rank == 2 && simd_supported<T>) {
            const index_t m = c.shape()[0], n = c.shape()[1];
            if (m == 0 || n == 0 || c.strides()[1] != 1 || row.strides()[1] != 1) return false;
            detail::outer_product<true>(detail::gemm_problem<T>{m, n, 1, column.data(), column.strides()[0], 1,
                                                                row.data(), n, 1, c.data(), c.strides()[0]});
            return true;
        }
#endif
        return false;
    }
#if defined(RICCI_HAS_SIMD)
    /// Whether convolutions of pictures of R axes have kernels of their own; false of these, where c is of no use.
    template <class T, int R>
    static constexpr bool has_convolutions = R <= 2 && simd_supported<T>;
    template <detail::convolution_part Part, class T>
    static bool convolve(const detail::convolution_problem& problem, const T* a, const T* b, T* c) {
        return detail::convolve<Part>(problem, a, b, c);
    }
#endif
    /// Whether sums over taps have kernels (ops/tap_sum.hpp).
    template <class T>
    static constexpr bool has_tap_sums = std::is_floating_point_v<T>;
    template <int Slot, int Taps, class T, int R, class Member>
    static void tap_sums(const detail::tap_sum_sizes<R>& sizes, index_t members, const Member& member) {
        detail::add_tap_sums<Slot, Taps, T>(sizes, members, member);
    }
    /// The leaves that a map of a product may have to be computed with it.
    static constexpr int most_product_leaves = detail::product_map::most_operands - 1;
    /// y, new and dense, becomes a map of the product of a and b: `sweep` over inputs of which those without data are
    /// the product. c has the product's shape; what is in it is not the product, and its memory may be y's.
    template <class Sweep, class A, class B, class C, class Y, class... X>
    static void matmul_map(const Sweep& sweep, const A& a, const B& b, const C& c, const Y& y, const X&... inputs) {
        using namespace detail;
        if (y.size() == 0) return;
        static constexpr unsigned char merge[1] = {0};
        const cpu_kernel<Sweep, void> kernel(sweep, merge);
        const row_kernel row = kernel.template row<(Y::rank > 1 ? Y::rank : 2)>();  // run on blocks, of two axes
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
        with_index_loop(
            spec, x, y, [](detail::index_loop& loop) { loop.gather(detail::move_rows<item_t<X>, false>); }, index...);
    }
    /// The same where y has a value to keep if an index is wrong; false, and nothing done, where that is no faster than
    /// memory of its own.
    template <class Spec, class X, class Y, class... I>
    static bool gather_over(const Spec& spec, const X& x, const Y& y, const I&... index) {
        if (detail::gather_few(spec, x, y, index...)) return true;
        bool done = false;
        with_index_loop(
            spec, x, y, [&](detail::index_loop& loop) { done = loop.gather_over(detail::move_rows<item_t<X>, false>); },
            index...);
        return done;
    }
    /// Throws index_error for an index that is out of x's range.
    template <class Spec, class X, class Y, class... I>
    static void check_indices(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.check(); }, index...);
    }
    /// The elements of y are joined to (combine.hpp), or become, those of x that the index arrays name, one after the
    /// other. Throws index_error, x as it was, for an index that is out of range.
    template <class Combine, class Spec, class X, class Y, class... I>
    static void combine_at(const Spec& spec, const X& x, const Y& y, const I&... index) {
        using T = typename X::value_type;
        with_index_loop(
            spec, x, y, [](detail::index_loop& loop) { loop.scatter(detail::combine_rows<Combine, T>); }, index...);
    }
    template <class Spec, class X, class Y, class... I>
    static void put(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(
            spec, x, y, [](detail::index_loop& loop) { loop.scatter(detail::move_rows<item_t<X>, true>); }, index...);
    }
    /// The number of true ones.
    template <int R>
    static index_t count_true(const tensor<bool, R>& mask) {
        const auto dense = detail::dense_of(mask);
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
        const auto from = detail::dense_of(x);
        const auto chosen = detail::dense_of(mask);
        detail::compress_elements(reinterpret_cast<const item_t<X>*>(from.data()), chosen.data(), from.size(),
                                  reinterpret_cast<item_t<X>*>(y.data()), y.size());
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
        const auto from = detail::dense_of(y);
        const auto chosen = detail::dense_of(mask);
        detail::spread_elements(reinterpret_cast<const item_t<X>*>(from.data()), from.size(), chosen.data(),
                                reinterpret_cast<item_t<X>*>(x.data()));
    }
    /// Whether a map can choose elements as it is computed, instead of a mask.
    static constexpr bool selects_by_maps = true;
    /// The elements of x where a map is true, of whose function the leaves are given, and how many they are; y has room
    /// for all of x. Block by block, so that no mask is ever in memory. -1, and nothing done, where operands do not lie
    /// side by side.
    template <class X, class Sweep, class... L>
    RICCI_INLINE static index_t select(const Sweep& sweep, const X& x, typename X::value_type* y, const L&... leaves) {
        using namespace detail;
        const auto beside = [&](const auto& leaf) {  // in step with x, or the same element throughout
            if constexpr (std::remove_cvref_t<decltype(leaf)>::rank == X::rank)
                if (leaf.shape() == x.shape()) return leaf.is_contiguous();
            return leaf.size() == 1;
        };
        if (!(x.is_contiguous() && ... && beside(leaves))) return -1;
        std::byte* at[] = {byte_pointer(leaves.data())..., nullptr};
        using U = item_t<X>;
        if constexpr (packs_registers<Sweep, U>()) {
            const bool still[] = {(leaves.size() == 1 && x.size() != 1)...};
            return select_where(sweep, at, still, reinterpret_cast<const U*>(x.data()), x.size(),
                                reinterpret_cast<U*>(y));
        } else {
            static constexpr unsigned char merge[1] = {0};
            static constexpr index_t size[] = {sizeof(typename L::value_type)...};
            const cpu_kernel<Sweep, void> kernel(sweep, merge);
            const index_t step[] = {(leaves.size() == 1 && x.size() != 1 ? 0 : 1)..., 1};
            return compress_where(kernel.template row<1>(), at, step, size, reinterpret_cast<const U*>(x.data()),
                                  x.size(), reinterpret_cast<U*>(y));
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
    /// x, or where that is the better order of a batch, a copy whose axis 0 lies in memory as the last one of others
    /// does.
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
    /// What has the size of an element of X.
    template <class X>
    using item_t = typename detail::item_of<sizeof(typename X::value_type)>::type;
    template <class Spec, class X, class Y, class F, class... I>
    static void with_index_loop(const Spec& spec, const X& x, const Y& y, F use, const I&... index) {
        int k = 0;
        const detail::index_key keys[] = {detail::refer_key(index, spec.axis[k++])...};
        detail::index_loop loop(detail::refer(x), detail::refer(y), sizeof(typename X::value_type), Spec::batch_rank,
                                spec.at, keys, Spec::arrays);
        use(loop);
    }
};

}  // namespace ricci
