// Work along the lines of dense arrays on the device: where the elements of lines are, and running results by Thrust.
#pragma once
#include <thrust/functional.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/scan.h>

#include "../cpu/line_grid.hpp"
#include "kernel.hpp"
#include "thrust_call.hpp"

namespace ricci::detail {

/// Places in the order of lines, one line after the other, and the elements there of outer x n x inner elements.
struct line_places {
    divisor n, inner;
    bool backwards, in_order;

    explicit line_places(const line_grid& g, bool from_the_end = false)
        : n(g.n > 0 ? g.n : 1),
          inner(g.inner > 0 ? g.inner : 1),
          backwards(from_the_end),
          in_order(inner.value == 1 && !backwards) {}
    RICCI_HD index_t line(index_t place) const { return n.quotient(place); }
    RICCI_HD index_t element(index_t line, index_t k) const {
        const index_t o = inner.quotient(line);
        return (o * n.value + k) * inner.value + line - o * inner.value;
    }
    RICCI_HD index_t position(index_t place) const { return place - line(place) * n.value; }
    RICCI_HD index_t operator()(index_t place) const {
        if (in_order) return place;
        const index_t l = line(place), k = place - l * n.value;
        return element(l, backwards ? n.value - 1 - k : k);
    }
};
struct line_of_place {
    line_places places;
    RICCI_HD index_t operator()(index_t place) const { return places.line(place); }
};

// ---- what a scan keeps: `first` of one element, `join` of what came sooner and later, `result` of it ----------------

template <class T, bool Product>
struct device_total {
    using lane = device_lane_t<T>;
    using state = std::conditional_t<std::is_same_v<lane, float>, double, lane>;  // as the CPU's scan_sum
    RICCI_HD static state first(const device_item_t<T>& x, index_t) { return static_cast<state>(in_compute_type(x)); }
    RICCI_HD static state join(const state& sooner, const state& later) {
        if constexpr (std::is_integral_v<state>) {  // modulo 2^64
            const auto a = static_cast<std::uint64_t>(sooner), b = static_cast<std::uint64_t>(later);
            return static_cast<state>(Product ? a * b : a + b);
        } else if constexpr (Product) {
            return sooner * later;
        } else {
            return sooner + later;
        }
    }
    RICCI_HD static device_item_t<T> result(const state& s) { return static_cast<device_item_t<T>>(s); }
};
/// The position of the extremum so far: the latest of equal ones, and of NaN (takes_place, cpu/lines.hpp).
template <class T, bool Largest>
struct device_extremum {
    struct state {
        T value;
        std::int64_t at;
    };
    RICCI_HD static state first(const T& x, index_t k) { return {x, k}; }
    RICCI_HD static state join(const state& a, const state& b) {
        if constexpr (is_real_floating_v<T>) {
            if (b.value != b.value) return b;
            if (a.value != a.value) return a;
        }
        return (Largest ? b.value >= a.value : b.value <= a.value) ? b : a;
    }
    RICCI_HD static std::int64_t result(const state& s) { return s.at; }
};

template <class Rule, class T>
struct scan_load {
    const T* x;
    line_places places;
    RICCI_HD typename Rule::state operator()(index_t place) const {
        return Rule::first(x[places(place)], places.position(place));
    }
};
template <class Rule>
struct scan_join {
    RICCI_HD typename Rule::state operator()(const typename Rule::state& a, const typename Rule::state& b) const {
        return Rule::join(a, b);
    }
};
template <class Rule>
struct scan_store {
    RICCI_HD auto operator()(const typename Rule::state& s) const { return Rule::result(s); }
};

/// Running results along the lines of a dense array. How sums are associated is Thrust's affair: their last bits may
/// differ from one run on a GPU to the next.
template <class Rule, class T, class Y>
void scan_on_device(const T* x, Y* y, const line_grid& g, bool backwards) {
    const index_t count = g.size();
    if (count == 0) return;
    const line_places places(g, backwards);
    const thrust::counting_iterator<index_t> place(0);
    const auto keys = thrust::make_transform_iterator(place, line_of_place{places});
    const auto values = thrust::make_transform_iterator(place, scan_load<Rule, T>{x, places});
    const auto to = thrust::make_transform_output_iterator(
        thrust::make_permutation_iterator(y, thrust::make_transform_iterator(place, places)), scan_store<Rule>());
    call_thrust([&](const auto& policy) {
        if (g.outer * g.inner == 1) thrust::inclusive_scan(policy, values, values + count, to, scan_join<Rule>());
        else
            thrust::inclusive_scan_by_key(policy, keys, keys + count, values, to, thrust::equal_to<index_t>(),
                                          scan_join<Rule>());
    });
}

}  // namespace ricci::detail
