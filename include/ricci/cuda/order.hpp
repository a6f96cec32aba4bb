// The order of lines on the device: sorting by keys with Thrust and CUB, order statistics and searches.
#pragma once
#include <thrust/functional.h>
#include <thrust/sort.h>

#include <bit>
#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include <cub/device/device_segmented_sort.cuh>
#endif

#include "../cpu/lines.hpp"
#include "scan.hpp"

namespace ricci::detail {

/// Keys in whose order the elements of lines sort, NaN last, with the lines above them where there is room for both;
/// and where the elements stand.
template <class K, class T>
struct order_key_kernel {
    const T* x;
    K* key;
    index_t* at;
    line_places places;
    bool descending;
    RICCI_HD void operator()(index_t place) const {
        const auto own = order_key(x[places(place)], descending);
        if constexpr (sizeof(K) > sizeof(own)) key[place] = K(places.line(place)) << 32 | own;
        else key[place] = own;
        at[place] = place;
    }
};
struct line_key_kernel {
    const index_t* at;
    std::uint64_t* key;
    line_places places;
    RICCI_HD void operator()(index_t i) const { key[i] = static_cast<std::uint64_t>(places.line(at[i])); }
};

template <class K>
void sort_places(const tensor<K, 1, cuda_device>& key, const tensor<index_t, 1, cuda_device>& at) {
    call_thrust([&](const auto& policy) {
        thrust::stable_sort_by_key(policy, key.data(), key.data() + key.size(), at.data());
    });
}
#if defined(RICCI_HAS_GPU)
struct line_begin {
    index_t n;
    RICCI_HD index_t operator()(index_t line) const { return line * n; }
};
/// The same of lines of n keys each, within each line. Where lines are many and not long: a block, or less, sorts each.
template <class K>
void sort_places(const tensor<K, 1, cuda_device>& key, tensor<index_t, 1, cuda_device>& at, index_t n) {
    const auto sorted_key = tensor<K, 1, cuda_device>::uninitialized(key.shape());
    const auto sorted_at = tensor<index_t, 1, cuda_device>::uninitialized(key.shape());
    const auto begin = thrust::make_transform_iterator(thrust::counting_iterator<index_t>(0), line_begin{n});
    std::size_t bytes = 0;
    const auto run = [&](void* scratch) {
        check_cuda(cub::DeviceSegmentedSort::StableSortPairs(scratch, bytes, key.data(), sorted_key.data(), at.data(),
                                                             sorted_at.data(), key.size(), key.size() / n, begin,
                                                             begin + 1, device_stream()),
                   "sort");
    };
    run(nullptr);
    const storage scratch = cuda_device::allocate(bytes);
    run(scratch.data());
    at = sorted_at;
}
#endif
/// Where, in the order of lines, the elements of each line's sorted order stand; equal ones in order.
template <class T>
tensor<index_t, 1, cuda_device> sorted_places(const T* x, const line_grid& g, bool descending) {
#if defined(RICCI_HAS_GPU)
    static_assert(!std::is_same_v<T, long double>, "ricci: the GPU has no long double: convert with astype<double>");
#else
    static_assert(!std::is_same_v<T, long double>,
                  "ricci: the device sorts no long double: convert with astype<double>");
#endif
    using own = decltype(order_key(T(), descending));
    const shape<1> count{{g.size()}};
    auto at = tensor<index_t, 1, cuda_device>::uninitialized(count);
    const line_places places(g);
    const index_t lines = g.outer * g.inner;
    const auto by = [&]<class K>(K) {
        const auto key = tensor<K, 1, cuda_device>::uninitialized(count);
        launch(g.size(), order_key_kernel<K, T>{x, key.data(), at.data(), places, descending});
        sort_places(key, at);
    };
    if (g.size() == 0) return at;
#if defined(RICCI_HAS_GPU)
    if (lines >= 64 && g.n <= index_t(1) << 16 && g.size() >> 31 == 0) {
        const auto key = tensor<own, 1, cuda_device>::uninitialized(count);
        launch(g.size(), order_key_kernel<own, T>{x, key.data(), at.data(), places, descending});
        sort_places(key, at, g.n);
        return at;
    }
#endif
    if (lines > 1 && sizeof(own) == 4 && lines >> 32 == 0) {
        by(std::uint64_t());
    } else {
        by(own());
        if (lines > 1) {
            const auto key = tensor<std::uint64_t, 1, cuda_device>::uninitialized(count);
            launch(g.size(), line_key_kernel{at.data(), key.data(), places});
            sort_places(key, at);
        }
    }
    return at;
}

/// Every NaN as the one that Thrust sorts last.
template <class T>
struct last_nan_kernel {
    T* x;
    bool descending;
    RICCI_HD void operator()(index_t i) const {
        if (x[i] != x[i]) x[i] = std::bit_cast<T>(descending ? ~bits(0) : ~bits(0) >> 1);
    }
    using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
};
/// Sorts n elements in place: numbers of 32 and 64 bits, of which Thrust sorts the digits.
template <class T>
void sort_line(T* x, index_t n, bool descending) {
    if constexpr (std::is_floating_point_v<T>) launch(n, last_nan_kernel<T>{x, descending});
    call_thrust([&](const auto& policy) {
        if (descending) thrust::stable_sort(policy, x, x + n, thrust::greater<T>());
        else thrust::stable_sort(policy, x, x + n, thrust::less<T>());
    });
}

/// The first elements of each line's order, as positions along the line.
struct position_kernel {
    const index_t* at;
    std::int64_t* y;
    line_places from, to;
    RICCI_HD void operator()(index_t place) const {
        const index_t line = to.line(place), k = place - line * to.n.value;
        y[to.element(line, k)] = from.position(at[line * from.n.value + k]);
    }
};
/// y = x in the order of its lines.
template <class T>
struct reorder_kernel {
    const T* x;
    const index_t* at;
    T* y;
    line_places places;
    RICCI_HD void operator()(index_t place) const { y[places(place)] = x[places(at[place])]; }
};

/// line_order of cpu/quantiles.hpp, from the order of all lines.
template <bool Skips, class T, class Rule>
struct order_statistics_kernel {
    const T* x;
    const index_t* sorted;
    std::int64_t* at;
    double* weight;
    line_places from, to;
    Rule rule;

    RICCI_HD void operator()(index_t line) const {
        const index_t* const order = sorted + line * from.n.value;
        const index_t numbers = count_numbers(order);
        index_t first = 0, second = 0;
        double between = 0;
        if (!Skips && numbers < from.n.value) {
            first = second = from.position(order[numbers]);
        } else if (numbers > 0) {
            const auto [place, part] = rule(numbers);
            first = second = from.position(order[place]);
            between = part;
            if (part != 0) second = from.position(order[place + 1]);
        }
        weight[line] = between;
        at[to.element(line, 0)] = first;
        if (to.n.value == 2) at[to.element(line, 1)] = second;
    }

   private:
    /// NaN is last.
    RICCI_HD index_t count_numbers(const index_t* order) const {
        index_t begin = 0, end = from.n.value;
        while (begin < end) {
            const index_t middle = begin + (end - begin) / 2;
            const T& v = x[from(order[middle])];
            if (v == v) begin = middle + 1;
            else end = middle;
        }
        return begin;
    }
};

template <bool Behind, class T>
struct search_kernel {
    const T* sorted;
    index_t n;
    const T* values;
    std::int64_t* y;
    RICCI_HD void operator()(index_t i) const {
        const T value = values[i];
        index_t begin = 0, end = n;
        while (begin < end) {
            const index_t middle = begin + (end - begin) / 2;
            if (stands_behind<Behind>(sorted[middle], value)) begin = middle + 1;
            else end = middle;
        }
        y[i] = begin;
    }
};

}  // namespace ricci::detail
