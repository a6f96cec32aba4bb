// What the CPU backend does along the lines of an array, that is along an axis: scans, softmax and moments, orders,
// searches, truths as bits. Results are new and dense.
#pragma once
#include "../core/tensor.hpp"
#include "bits.hpp"
#include "column_exponentials.hpp"
#include "lines.hpp"
#include "quantiles.hpp"
#include "strided_copy.hpp"

namespace ricci::detail {

struct line_executor {
    template <class T, int R, class Y>
    static void cumulative_sum(const tensor<T, R>& x, const Y& y, int axis, bool backwards) {
        const auto dense = dense_of(x);
        scan_lines<scan_sum>(dense.data(), y.data(), {x.shape(), axis}, backwards);
    }
    template <class T, int R, class Y>
    static void cumulative_prod(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        scan_lines<scan_product>(dense.data(), y.data(), {x.shape(), axis}, false);
    }
    template <class T, int R, class Y>
    static void cumulative_log_sum(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        scan_lines<scan_log_sum>(dense.data(), y.data(), {x.shape(), axis}, false);
    }
    template <bool Largest, class T, int R, class Y>
    static void cumulative_position(const tensor<T, R>& x, const Y& at, int axis) {
        const auto dense = dense_of(x);
        running_extrema<Largest, std::remove_const_t<T>>(dense.data(), nullptr, at.data(), {x.shape(), axis});
    }
    /// With the values.
    template <bool Largest, class T, int R, class Y, class At>
    static void cumulative_extremum(const tensor<T, R>& x, const Y& y, const At& at, int axis) {
        const auto dense = dense_of(x);
        running_extrema<Largest, std::remove_const_t<T>>(dense.data(), y.data(), at.data(), {x.shape(), axis});
    }
#if defined(RICCI_HAS_SIMD)
    /// Whether softmax has kernels of its own, in which lines stay in the cache, along the last axis at least.
    template <class T>
    static constexpr bool has_softmax = std::is_floating_point_v<T>;
    /// Whether another axis has as many lines side by side that these suit them.
    template <class T, int R>
    static bool has_softmax_along(const tensor<T, R>& x, int axis) {
        return 2 * line_grid(x.shape(), axis).inner >= simd<std::remove_const_t<T>>::lanes;
    }
    /// Of each line along an axis, which is not empty: y has as many lines.
    template <bool Logarithm, class T, int R, class Y>
    static void softmax(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        for_exponentials(dense.data(), {x.shape(), axis}, [&](auto& line, index_t first, index_t) {
            if constexpr (Logarithm) line.log_softmax(y.data() + first);
            else line.softmax(y.data() + first);
        });
    }
    /// Whether the mean and variance of each line of an array have kernels of their own, in which a line stays in the
    /// cache.
    template <class T, int R>
    static bool has_moments(const tensor<T, R>& x) {
        constexpr index_t longest = (index_t(1) << 18) / static_cast<index_t>(sizeof(T));
        return std::is_floating_point_v<T> && x.shape()[R - 1] > 0 && x.shape()[R - 1] <= longest && x.is_contiguous();
    }
    /// y has one element for each line.
    template <class T, int R, class Y>
    static void mean(const tensor<T, R>& x, const Y& y) {
        for_moments<false>(x, [&](auto& lines, index_t i, int count) {
            lines.find_means();
            std::copy(lines.mean, lines.mean + count, y.data() + i);
        });
    }
    /// y has one element for each line: the sum of the squares of the differences from its mean over a number, or its
    /// root.
    template <bool Root, class T, int R, class Y>
    static void variance(const tensor<T, R>& x, const Y& y, double by) {
        for_moments<true>(x, [&](auto& lines, index_t i, int) {
            lines.find_squares();
            lines.template divide_totals<Root>(by, y.data() + i);
        });
    }
    /// y, of x's shape and dense: each line less its mean over sqrt(squares / by + epsilon), and, unless null, what
    /// that multiplied each line by. Lines are multiplied by the first of `vectors`, which are as long and dense, and
    /// the second is added.
    template <class T, int R, class Y, class... V>
    static void standardize(const tensor<T, R>& x, const Y& y, std::remove_const_t<T>* factors, double by,
                            double epsilon, const V&... vectors) {
        for_moments<false>(x, [&](auto& lines, index_t i, int count) {
            lines.standardize(by, epsilon, y.data() + i * x.shape()[R - 1],
                              [&](const auto& v, const auto& beside)
                                  RICCI_INLINE_LAMBDA { return scaled_lanes(v, beside, vectors.data()...); });
            if (factors) std::copy(lines.factor, lines.factor + count, factors + i);
        });
    }
    /// y has one element for each line.
    template <class T, int R, class Y>
    static void log_sum_exp(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        for_exponentials(dense.data(), {x.shape(), axis},
                         [&](auto& line, index_t, index_t i) { line.log_sum_exp(y.data() + i); });
    }
#endif
    /// Whether there are as many lines side by side along an axis that is not empty that `extremum_position` suits
    /// them.
    template <class T, int R>
    static bool has_extremum_position(const tensor<T, R>& x, int axis) {
        constexpr index_t few = 8;
        return x.shape()[axis] > 0 && (axis == R - 1 || (!is_half_v<T> && line_grid(x.shape(), axis).inner >= few));
    }
    /// Where the extremum of each line along an axis is first; of a NaN if there is one.
    template <bool Largest, class T, int R, class Y>
    static void extremum_position(const tensor<T, R>& x, const Y& y, int axis) {
        const auto dense = dense_of(x);
        const line_grid lines(x.shape(), axis);
        if (axis == R - 1) extremum_lines<Largest>(dense.data(), y.data(), lines);
        else extremum_columns<Largest>(dense.data(), y.data(), lines);
    }
    /// y has the first elements of each sorted line: how many is its extent.
    template <class T, int R, class Y>
    static void argsort(const tensor<T, R>& x, const Y& y, int axis, bool descending) {
        const auto dense = dense_of(x);
        argsort_lines(dense.data(), y.data(), {x.shape(), axis}, y.shape()[axis], descending);
    }
    /// What `rule` wants of each line's order (line_order); `at` has one position for each line, or two.
    template <bool Skips, class T, int R, class Rule>
    static void order_positions(const tensor<T, R>& x, const tensor<std::int64_t, R>& at,
                                const tensor<double, R>& weight, int axis, const Rule& rule) {
        const auto dense = dense_of(x);
        detail::order_positions<Skips>(dense.data(), {x.shape(), axis}, rule, at.data(), at.shape()[axis],
                                       weight.data());
    }
    /// x, dense, is sorted in place.
    template <class T, int R>
    static void sort(const tensor<T, R>& x, int axis, bool descending) {
        sort_lines(x.data(), {x.shape(), axis}, descending);
    }
    /// x, dense, is put in place into an order of which only `place` is certain.
    template <class T, int R>
    static void partition(const tensor<T, R>& x, index_t place, int axis) {
        partition_lines(x.data(), {x.shape(), axis}, place);
    }
    /// y, of the swaps' shape, has for each line of them the first of n things in the order that they make.
    template <class S, class Y>
    static void shuffle(const S& swaps, const Y& y, index_t n) {
        const auto dense = dense_of(swaps);
        const index_t k = y.shape()[Y::rank - 1];
        if (y.size() > 0) shuffle_lines(dense.data(), y.data(), y.size() / k, k, n);
    }
    /// y, new and dense, gets the elements of some dense arrays in turn; false, and nothing done, where these have not
    /// one each along the last axis.
    template <class T, int R, class Y>
    static bool interleave(const std::vector<tensor<T, R>>& list, const Y& y) {
        constexpr std::size_t most = 16;
        const std::size_t count = list.size();
        if (count < 2 || count > most || y.size() == 0) return false;
        const auto place = [](const auto& x) { return reinterpret_cast<std::intptr_t>(x.data()); };
        index_t packed_at[most], strided_at[most];
        for (std::size_t i = 0; i < count; ++i) {
            if (list[i].shape()[R - 1] != 1 || !list[i].is_contiguous()) return false;
            packed_at[i] = static_cast<index_t>(place(list[i]) - place(list[0]));
            strided_at[i] = static_cast<index_t>(i * sizeof(T));
        }
        constexpr index_t together = 1 << 14, size = sizeof(T);
        const index_t rows = static_cast<index_t>(count), n = y.size() / rows;
        auto* const to = reinterpret_cast<std::byte*>(y.data());
        auto* const from = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(list[0].data()));
        for_blocks((n + together - 1) / together, together * rows, [&](index_t block) {
            const index_t at = block * together;
            copier_of<std::remove_const_t<T>>.pack(
                false, {to + at * rows * size, from + at * size, strided_at, packed_at, rows, rows * size},
                std::min(together, n - at));
        });
        return true;
    }
    /// Adds to `counts`, dense, how often x has each of the numbers that it can have.
    template <class T>
    static void count_numbers(const tensor<T, 1>& x, const tensor<std::int64_t, 1>& counts) {
        const auto dense = dense_of(x);
        detail::count_numbers(dense.data(), dense.size(), counts.data(), counts.size());
    }
    template <class T, int R, class Y>
    static void search_sorted(const tensor<T, 1>& sorted, const tensor<T, R>& values, const Y& y, bool behind) {
        const auto list = dense_of(sorted);
        const auto dense = dense_of(values);
        detail::search_sorted(list.data(), list.size(), dense.data(), y.data(), y.size(), behind);
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
        const auto unpack = from_highest ? detail::unpack_bits<true> : detail::unpack_bits<false>;
        for (index_t i = 0, rows = n == 0 ? 0 : to.size() / n; i < rows; ++i)
            unpack(dense.data() + i * bytes, n, to.data() + i * n);
    }

   protected:
#if defined(RICCI_HAS_SIMD)
    /// of(a line or several, where the first element of these is, the number of their first one).
    template <class T, class Of>
    static void for_exponentials(const T* x, const line_grid& g, const Of& of) {
        if (g.inner == 1) return for_lines(x, g, [&](auto& line, index_t i) { of(line, i * g.n, i); });
        using columns = lines_beside<std::remove_const_t<T>>;
        for_bands<columns::most>(g, 8, [&](index_t sheet, index_t first, index_t count) {
            const index_t at = sheet * g.n * g.inner + first;
            columns beside(x + at, g.n, g.inner, count);
            of(beside, at, sheet * g.inner + first);
        });
    }
    template <class V, class Beside>
    RICCI_INLINE static V scaled_lanes(const V& v, const Beside&) {
        return v;
    }
    template <class V, class Beside, class T>
    RICCI_INLINE static V scaled_lanes(const V& v, const Beside& beside, const T* weight) {
        return v * beside(weight);
    }
    template <class V, class Beside, class T>
    RICCI_INLINE static V scaled_lanes(const V& v, const Beside& beside, const T* weight, const T* bias) {
        return v * beside(weight) + beside(bias);
    }
    /// of(moments of some lines, the first one's number, how many they are). With Backwards the last lines come first:
    /// they are what the cache has where the mean was asked for just before.
    template <bool Backwards, class T, int R, class Of>
    static void for_moments(const tensor<T, R>& x, const Of& of) {
        using moments = line_moments<std::remove_const_t<T>>;
        constexpr index_t cache = index_t(1) << 14, longest = index_t(1) << 15;
        const index_t n = x.shape()[R - 1], bytes = n * static_cast<index_t>(sizeof(T)), lines = x.size() / n;
        const index_t together = bytes > longest ? 1 : std::clamp<index_t>(cache / bytes, 4, moments::most);
        const index_t blocks = (lines + together - 1) / together;
        for_blocks(blocks, 8 * together * n, [&](index_t block) {
            const index_t first = (Backwards ? blocks - 1 - block : block) * together;
            const int count = static_cast<int>(std::min(together, lines - first));
            moments m(x.data() + first * n, n, count);
            of(m, first, count);
        });
    }
#endif
};

}  // namespace ricci::detail
