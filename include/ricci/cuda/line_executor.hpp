// What the Thrust backend does along the lines of an array, as cpu/line_executor.hpp does on the CPU. Results are new
// and dense.
#pragma once
#include "../cpu/executor.hpp"
#include "order.hpp"

namespace ricci::detail {

struct device_line_executor {
    template <class T, int R, class Y>
    static void cumulative_sum(const tensor<T, R, cuda_device>& x, const Y& y, int axis, bool backwards) {
        scan_totals<false>(x, y, axis, backwards);
    }
    template <class T, int R, class Y>
    static void cumulative_prod(const tensor<T, R, cuda_device>& x, const Y& y, int axis) {
        scan_totals<true>(x, y, axis, false);
    }
    template <bool Largest, class T, int R, class Y>
    static void cumulative_position(const tensor<T, R, cuda_device>& x, const Y& y, int axis) {
        using E = std::remove_const_t<T>;
        const auto dense = dense_of(x);
        scan_on_device<device_extremum<E, Largest>>(dense.data(), y.data(), {x.shape(), axis}, false);
    }
    /// y has the first elements of each sorted line: how many is its extent.
    template <class T, int R, class Y>
    static void argsort(const tensor<T, R, cuda_device>& x, const Y& y, int axis, bool descending) {
        const auto dense = dense_of(x);
        const line_grid from(x.shape(), axis), to(y.shape(), axis);
        const auto at = sorted_places(dense.data(), from, descending);
        launch(y.size(), position_kernel{at.data(), y.data(), line_places(from), line_places(to)});
    }
    /// What `rule` wants of each line's order (line_order); `at` has one position for each line, or two.
    template <bool Skips, class T, int R, class Rule>
    static void order_positions(const tensor<T, R, cuda_device>& x, const tensor<std::int64_t, R, cuda_device>& at,
                                const tensor<double, R, cuda_device>& weight, int axis, const Rule& rule) {
        using E = std::remove_const_t<T>;
        const auto dense = dense_of(x);
        const line_grid from(x.shape(), axis), to(at.shape(), axis);
        const auto sorted = sorted_places(dense.data(), from, false);
        launch(weight.size(),
               order_statistics_kernel<Skips, E, Rule>{dense.data(), sorted.data(), at.data(), weight.data(),
                                                       line_places(from), line_places(to), rule});
    }
    /// x, dense, is sorted in place.
    template <class T, int R>
    static void sort(const tensor<T, R, cuda_device>& x, int axis, bool descending) {
        const line_grid g(x.shape(), axis);
#if defined(RICCI_HAS_GPU)  // elsewhere Thrust compares, and NaN has no place
        if constexpr (has_radix_key<T>)
            if (g.outer * g.inner == 1) return sort_line(x.data(), x.size(), descending);
#endif
        const auto at = sorted_places(x.data(), g, descending);
        const auto from = x.clone();
        launch(x.size(), reorder_kernel<T>{from.data(), at.data(), x.data(), line_places(g)});
    }
    template <class T, int R>
    static void partition(const tensor<T, R, cuda_device>& x, index_t, int axis) {
        sort(x, axis, false);
    }
    /// y, of the swaps' shape, has for each line of them the first of n things in the order that they make. On the
    /// host: each exchange waits for the one before it.
    template <class S, class Y>
    static void shuffle(const S& swaps, const Y& y, index_t n) {
        const auto order = tensor<std::int64_t, Y::rank>::uninitialized(y.shape());
        executor<cpu_device>::shuffle(transfer<cpu_device>(swaps), order, n);
        upload(y.data(), order.data(), static_cast<std::size_t>(y.size()) * sizeof(std::int64_t));
    }
    template <class T, int R, class Y>
    static void search_sorted(const tensor<T, 1, cuda_device>& sorted, const tensor<T, R, cuda_device>& values,
                              const Y& y, bool behind) {
        using E = std::remove_const_t<T>;
        const auto list = dense_of(sorted);
        const auto dense = dense_of(values);
        if (behind) launch(y.size(), search_kernel<true, E>{list.data(), list.size(), dense.data(), y.data()});
        else launch(y.size(), search_kernel<false, E>{list.data(), list.size(), dense.data(), y.data()});
    }

   private:
    template <bool Product, class T, int R, class Y>
    static void scan_totals(const tensor<T, R, cuda_device>& x, const Y& y, int axis, bool backwards) {
        using E = std::remove_const_t<T>;
        using item = device_item_t<E>;
        const auto dense = dense_of(x);
        scan_on_device<device_total<E, Product>>(reinterpret_cast<const item*>(dense.data()),
                                                 reinterpret_cast<item*>(y.data()), {x.shape(), axis}, backwards);
    }
};

}  // namespace ricci::detail
