// Distances between rows of matrices, and sums of the rows' weighted differences, which their derivatives are, as ops.
#pragma once
#include "../cpu/row_distances.hpp"
#include "index.hpp"
#include "linalg/matrix_op.hpp"
#include "reduce.hpp"
#include "resized_axis.hpp"

namespace ricci::detail {

/// Whether a device has kernels for distances of rows of such elements.
template <class D, class T>
#if defined(RICCI_HAS_SIMD)
constexpr bool has_row_distances = std::is_same_v<D, cpu_device> && simd_supported<T>;
#else
constexpr bool has_row_distances = false;
#endif

/// What a metric's derivative has in the place of a difference, times what is beside it, summed along an axis.
template <int Axis, class D, class X>
auto sum_of_slopes(row_metric metric, const D& difference, const X& beside) {
    if (metric == row_metric::city_block) return evaluate(sum(sign(difference) * beside, Axis));
    return evaluate(sum(difference * beside, Axis));
}
/// Each row of a matrix beside all rows of another, (..., m, 1, k) and (..., 1, n, k).
template <class X>
auto rows_of_pairs(const X& x) {
    return index(x, ellipsis, newaxis, all);
}
template <class X>
auto columns_of_pairs(const X& x) {
    return index(x, ellipsis, newaxis, all, all);
}
/// f(a member of y, dense, of `size` elements, the same member of each x) for all of the members in the last Axes axes.
template <int Axes, class Y, class F, class... X>
void for_members(const Y& y, index_t size, const F& f, const X&... x) {
    constexpr int batch = Y::rank - Axes;
    shape<batch> extents;
    for (int d = 0; d < batch; ++d) extents[d] = y.shape()[d];
    for (index_t i = 0, n = extents.count(); i < n; ++i)
        f(y.data() + i * size, (x.data() + member_offset<batch>(x, extents, i))...);
}

/// The sum over j of w[i][j] times x[i] - y[j], rows of x (m x k) and y (n x k), or times its signs where the metric is
/// city_block's: m x k. Euclidean, it is linear in x and y, too.
struct weighted_differences_op : matrix_op<weighted_differences_op> {
    static constexpr const char* name = "cdist";
    row_metric metric;

    explicit weighted_differences_op(row_metric m) : metric(m) {}
    template <class W, class X, class Y>
    auto value(const W& w, const X& x, const Y& y) const {
        using T = std::remove_const_t<typename X::value_type>;
        constexpr int R = X::rank;
        const index_t m = x.shape()[R - 2], k = x.shape()[R - 1], n = y.shape()[R - 2];
        const auto sums = tensor<T, R>::uninitialized(x.shape());
        if (sums.size() == 0) return make_pack(sums);
        const bool lies_well = w.strides()[R - 1] == 1 || w.strides()[R - 2] == 1;
        const W weights = lies_well ? w : W(w.clone());
        const auto turned = tensor<T, 1>::uninitialized(shape<1>{n * k});
        const auto of_member = [&](T* to, const T* of, const T* a, const T* b) {
            copy_transposed(n, k, b, k, 1, turned.data(), n);
            const auto run = [&](const auto& sum) {
                for_blocks(sum.blocks(), sum.work(), [&](index_t i) { sum.run(i, of, a, turned.data(), to); });
            };
            const index_t row = weights.strides()[R - 2], column = weights.strides()[R - 1];
            if (metric == row_metric::city_block) run(weighted_differences<true, T>(m, n, k, row, column));
            else run(weighted_differences<false, T>(m, n, k, row, column));
        };
        for_members<2>(sums, m * k, of_member, weights, dense_members<R - 2>(x), dense_members<R - 2>(y));
        return make_pack(sums);
    }
    template <class Active, class W, class X, class Y, class S, class C>
    auto adjoints(const pack<const W*, const X*, const Y*>& inputs, const pack<S>&, const pack<C>& bars) const {
        return adjoints_of(*get<0>(inputs), *get<1>(inputs), *get<2>(inputs), get<0>(bars), active_indices<Active>{});
    }
    template <class Active, class W, class X, class Y, class S, class... D>
    auto tangents(const pack<const W*, const X*, const Y*>& inputs, const pack<S>&,
                  const pack<const D*...>& dots) const {
        return make_pack(tangent(*get<0>(inputs), *get<1>(inputs), *get<2>(inputs), dots, active_indices<Active>{},
                                 active_order<Active>{}));
    }
    template <class Mapped, class W, class X, class Y>
    auto call_batched(const W& w, const X& x, const Y& y) const {
        const auto expanded_all = [&](const auto&... a) {
            index_t members = 1;
            ((members = a.shape()[0] == 1 ? members : a.shape()[0]), ...);
            const auto whole = [&](const auto& one) {
                auto extents = one.shape();
                extents[0] = members;
                return detail::expanded(one, extents);
            };
            return call(*this, whole(a)...);
        };
        return expanded_all(with_batch_axis<Mapped::at[0]>(w), with_batch_axis<Mapped::at[1]>(x),
                            with_batch_axis<Mapped::at[2]>(y));
    }

   private:
    template <class W, class X, class Y, class C, int... I>
    auto adjoints_of(const W& w, const X& x, const Y& y, const C& bar, std::integer_sequence<int, I...>) const {
        return make_pack(adjoint_of<I>(w, x, y, bar)...);
    }
    template <int I, class W, class X, class Y, class C>
    auto adjoint_of(const W& w, const X& x, const Y& y, const C& bar) const {
        if constexpr (I == 0)
            return sum_of_slopes<-1>(metric, rows_of_pairs(x) - columns_of_pairs(y), rows_of_pairs(bar));
        else if constexpr (I == 1) {
            const auto sums = evaluate(bar * sum(w, -1, keepdims));
            return metric == row_metric::city_block ? evaluate(0 * sums) : sums;
        } else {
            const auto sums = evaluate(-product(matrix_transpose(w), bar));
            return metric == row_metric::city_block ? evaluate(0 * sums) : sums;
        }
    }
    template <class W, class X, class Y, class... D, int... I, int... K>
    auto tangent(const W& w, const X& x, const Y& y, const pack<const D*...>& dots, std::integer_sequence<int, I...>,
                 std::integer_sequence<int, K...>) const {
        return evaluate((part<I>(w, x, y, *get<K>(dots)) + ...));
    }
    template <int I, class W, class X, class Y, class D>
    auto part(const W& w, const X& x, const Y& y, const D& dot) const {
        if constexpr (I == 0) return call1(*this, dot, x, y);
        else {
            const auto change = [&] {
                if constexpr (I == 1) return evaluate(dot * sum(w, -1, keepdims));
                else return evaluate(-product(w, dot));
            };
            return metric == row_metric::city_block ? evaluate(0 * change()) : change();
        }
    }
};

/// What the cotangents of distances become as those of the sums of which these are roots, and tangents the other way
/// round.
template <class C, class Y>
auto through_root(row_metric metric, const C& c, const Y& distances) {
    if (metric == row_metric::city_block) return evaluate(c);
    return evaluate(c * inverse_or(distances, typename Y::value_type(0)));
}

/// The distances of rows of x (m x k) to rows of y (n x k): m x n. The largest difference has no derivative here.
struct row_distances_op : matrix_op<row_distances_op> {
    static constexpr const char* name = "cdist";
    row_metric metric;

    explicit row_distances_op(row_metric m) : metric(m) {}
    template <class X, class Y>
    auto value(const X& x, const Y& y) const {
        using T = std::remove_const_t<typename X::value_type>;
        constexpr int R = X::rank;
        const index_t m = x.shape()[R - 2], k = x.shape()[R - 1], n = y.shape()[R - 2];
        shape<R> extents = x.shape();
        extents[R - 1] = n;
        const auto distances = tensor<T, R>::uninitialized(extents);
        if (k == 0) std::fill(distances.data(), distances.data() + distances.size(), T(0));
        if (distances.size() == 0 || k == 0) return make_pack(distances);
        // lanes are those of rows of y: where these are few, of x
        const bool turns = n < simd<T>::lanes && n < m;
        const auto turned = tensor<T, 1>::uninitialized(shape<1>{turns && n > 1 ? m * n : 0});
        const auto of_member = [&](T* to, const T* a, const T* b) {
            if (turns) find<T>(n, m, k, b, a, n > 1 ? turned.data() : to);
            else find<T>(m, n, k, a, b, to);
            if (turns && n > 1) copy_transposed(n, m, turned.data(), m, 1, to, n);
        };
        for_members<2>(distances, m * n, of_member, dense_members<R - 2>(x), dense_members<R - 2>(y));
        return make_pack(distances);
    }
    template <class Active, class X, class Y, class D, class C>
    auto adjoints(const pack<const X*, const Y*>& inputs, const pack<D>& distances, const pack<C>& bars) const {
        const auto w = through_root(metric, get<0>(bars), get<0>(distances));
        const auto& x = *get<0>(inputs);
        const auto& y = *get<1>(inputs);
        const weighted_differences_op sums(metric);
        return two_adjoints<Active>([&] { return call1(sums, w, x, y); },
                                    [&] { return call1(sums, evaluate(matrix_transpose(w)), y, x); });
    }
    template <class Active, class X, class Y, class D, class... Dot>
    auto tangents(const pack<const X*, const Y*>& inputs, const pack<D>& distances,
                  const pack<const Dot*...>& dots) const {
        const auto difference = rows_of_pairs(*get<0>(inputs)) - columns_of_pairs(*get<1>(inputs));
        const auto sums = [&] {
            if constexpr (!Active::at[1]) return sum_of_slopes<-1>(metric, difference, rows_of_pairs(*get<0>(dots)));
            else if constexpr (!Active::at[0])
                return sum_of_slopes<-1>(metric, difference, -columns_of_pairs(*get<0>(dots)));
            else
                return sum_of_slopes<-1>(metric, difference,
                                         rows_of_pairs(*get<0>(dots)) - columns_of_pairs(*get<1>(dots)));
        }();
        return make_pack(through_root(metric, sums, get<0>(distances)));
    }

   private:
    template <class T>
    void find(index_t m, index_t n, index_t k, const T* x, const T* y, T* to) const {
        with_metric(metric, [&]<class Metric>(Metric) {
            const row_distances<false, Metric, T> all(m, n, k);
            for_blocks(all.blocks(), all.work(), [&](index_t i) { all.run(i, x, y, to); });
        });
    }
};

/// The distances of each row of x (n x k) to those behind it, one row's after the other's: n (n - 1) / 2.
struct pair_distances_op : matrix_op<pair_distances_op> {
    static constexpr const char* name = "pdist";
    row_metric metric;

    explicit pair_distances_op(row_metric m) : metric(m) {}
    template <class X>
    auto value(const X& x) const {
        using T = std::remove_const_t<typename X::value_type>;
        constexpr int R = X::rank;
        const index_t n = x.shape()[R - 2], k = x.shape()[R - 1], pairs = n > 0 ? n * (n - 1) / 2 : 0;
        const auto distances = tensor<T, R - 1>::uninitialized(vector_shape(batch_shape(x.shape()), pairs));
        if (k == 0) std::fill(distances.data(), distances.data() + distances.size(), T(0));
        if (distances.size() == 0 || k == 0) return make_pack(distances);
        const auto of_member = [&](T* to, const T* a) {
            with_metric(metric, [&]<class Metric>(Metric) {
                const row_distances<true, Metric, T> all(n, n, k);
                for_blocks(all.blocks(), all.work(), [&](index_t i) { all.run(i, a, a, to); });
            });
        };
        for_members<1>(distances, pairs, of_member, dense_members<R - 2>(x));
        return make_pack(distances);
    }
    template <class Active, class X, class D, class C>
    auto adjoints(const pack<const X*>& inputs, const pack<D>& distances, const pack<C>& bars) const {
        const auto& x = *get<0>(inputs);
        const auto w = of_all_pairs(through_root(metric, get<0>(bars), get<0>(distances)), x.shape()[X::rank - 2]);
        return make_pack(call1(weighted_differences_op(metric), w, x, x));
    }
    template <class Active, class X, class D, class Dot>
    auto tangents(const pack<const X*>& inputs, const pack<D>& distances, const pack<const Dot*>& dots) const {
        const auto [i, j] = triu_indices(get<0>(inputs)->shape()[X::rank - 2], 1);
        const auto difference = [&](const auto& x) { return take(x, i, -2) - take(x, j, -2); };
        const auto sums = sum_of_slopes<-1>(metric, difference(*get<0>(inputs)), difference(*get<0>(dots)));
        return make_pack(through_root(metric, sums, get<0>(distances)));
    }

   private:
    /// A number for each pair as a symmetric matrix with zeros on its diagonal.
    template <class W>
    static auto of_all_pairs(const W& w, index_t n) {
        const index_t pairs = w.shape()[W::rank - 1];
        const auto place = tensor<std::int64_t, 2>::uninitialized({n, n});
        for (index_t i = 0; i < n; ++i) {
            std::int64_t* const row = place.data() + i * n;
            for (index_t j = 0; j < i; ++j) row[j] = j * (2 * n - j - 3) / 2 - 1 + i;
            row[i] = pairs;
            for (index_t j = i + 1; j < n; ++j) row[j] = i * (2 * n - i - 3) / 2 - 1 + j;
        }
        return evaluate(take(resized_axis(w, W::rank - 1, pairs + 1), place, -1));
    }
};

}  // namespace ricci::detail
