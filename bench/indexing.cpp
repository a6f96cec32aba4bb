// Index arrays and masks: rows of a matrix, single elements, what a mask selects, and sums of rows and elements by
// position.
#include "bench.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"
#if RICCI_BENCH_XTENSOR
#include <xtensor/xindex_view.hpp>
#include <xtensor/xview.hpp>
#endif
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace hand {

using ricci::index_t;

[[gnu::noinline]] void gather_rows(const float* x, const std::int64_t* i, float* y, index_t n, index_t columns) {
    for (index_t t = 0; t < n; ++t)
        std::memcpy(y + t * columns, x + i[t] * columns, static_cast<std::size_t>(columns) * sizeof(float));
}
[[gnu::noinline]] void gather(const float* x, const std::int64_t* i, float* y, index_t n) {
    index_t t = 0;
#if defined(__AVX512F__)
    for (; t + 8 <= n; t += 8) _mm256_storeu_ps(y + t, _mm512_i64gather_ps(_mm512_loadu_si512(i + t), x, 4));
#endif
    for (; t < n; ++t) y[t] = x[i[t]];
}
/// The positive elements; y has room for a register more.
[[gnu::noinline]] index_t positive(const float* x, float* y, index_t n) {
    index_t t = 0, k = 0;
#if defined(__AVX512F__)
    for (; t + 16 <= n; t += 16) {
        const __m512 v = _mm512_loadu_ps(x + t);
        const __mmask16 m = _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GT_OQ);
        _mm512_storeu_ps(y + k, _mm512_maskz_compress_ps(m, v));
        k += __builtin_popcount(m);
    }
#endif
    for (; t < n; ++t) {
        y[k] = x[t];
        k += x[t] > 0;
    }
    return k;
}
[[gnu::noinline]] void add_rows(float* x, const std::int64_t* i, const float* y, index_t n, index_t columns) {
    for (index_t t = 0; t < n; ++t)
        for (index_t c = 0; c < columns; ++c) x[i[t] * columns + c] += y[t * columns + c];
}
[[gnu::noinline]] void add_at(float* to, const std::int64_t* i, const float* x, index_t n) {
    for (index_t t = 0; t < n; ++t) to[i[t]] += x[t];
}

}  // namespace hand

namespace {

using namespace bench;

/// n positions below `rows` without pattern.
rc::tensor<std::int64_t, 1> positions(index_t n, index_t rows) {
    auto i = rc::empty<std::int64_t>({n});
    for (index_t t = 0; t < n; ++t) i.data()[t] = (t * 7919 + t / 3) % rows;
    return i;
}
#if RICCI_BENCH_XTENSOR
auto kept(const rc::tensor<std::int64_t, 1>& i) {
    return xt::keep(std::vector<std::ptrdiff_t>(i.data(), i.data() + i.size()));
}
#endif

/// n elements in rows of 100 from a matrix of as many rows.
void gather_rows(index_t n) {
    const index_t columns = 100, rows = n / columns;
    const row r("gather_rows", n, 0, [=] {
        std::vector<double> y;
        const auto i = positions(rows, rows);
        for (index_t t = 0; t < rows; ++t)
            for (index_t c = 0; c < columns; ++c) y.push_back(input(0, n).data()[i.data()[t] * columns + c]);
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, rows, columns), i = positions(rows, rows), y = rc::tensor<float, 2>()]() mutable {
            y = x(i, rc::all);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, rows, columns), i = positions(rows, rows), y = rc::empty<float>({rows, columns})] {
            hand::gather_rows(x.data(), i.data(), y.data(), i.size(), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return
            [x = eigen_array(0, rows, columns), i = positions(rows, rows), y = eigen_matrix(rows, columns)]() mutable {
                y = x(Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>(i.data(), i.size()), Eigen::all);
                return result{y.data(), y.size()};
            };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_array(0, rows, columns), i = positions(rows, rows),
                y = xtensor_array(0, rows, columns)]() mutable {
            xt::noalias(y) = xt::view(x, kept(i), xt::all());
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_gather(rows, columns, positions(rows, rows)); });
#endif
}
void gather(index_t n) {
    const row r("gather", n, 0, [=] {
        std::vector<double> y;
        const auto i = positions(n, n);
        for (index_t t = 0; t < n; ++t) y.push_back(input(0, n).data()[i.data()[t]]);
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n), i = positions(n, n), y = rc::tensor<float, 1>()]() mutable {
            y = x(i);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), i = positions(n, n), y = rc::empty<float>({n})] {
            hand::gather(x.data(), i.data(), y.data(), i.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_gather(n, 0, positions(n, n)); });
#endif
}
/// The positive ones of n elements.
void select_positive(index_t n) {
    const row r("select_positive", n, 0, [=] {
        std::vector<double> y;
        for (const double e : each([](double x) { return x; }, input(0, n)))
            if (e > 0) y.push_back(e);
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n), y = rc::tensor<float, 1>()]() mutable {
            y = x(x > 0);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), y = rc::empty<float>({n + 16})] {
            return result{y.data(), hand::positive(x.data(), y.data(), x.size())};
        };
    });
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_vector(0, n), y = xtensor_like(0)]() mutable {
            y = xt::filter(x, x > 0.0f);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_select_positive(n); });
#endif
}
/// n elements in rows of 100 added to 10 rows: the derivative of a lookup in a table.
void add_rows(index_t n) {
    const index_t columns = 100, rows = n / columns;
    const row r("add_rows", n, 1e-4, [=] {
        std::vector<double> y(1000);
        for (index_t t = 0; t < rows; ++t)
            for (index_t c = 0; c < columns; ++c)
                y[static_cast<std::size_t>(positions(rows, 10).data()[t] * columns + c)] +=
                    input(0, n).data()[t * columns + c];
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, rows, columns), i = positions(rows, 10), y = rc::empty<float>({10, columns})]() mutable {
            y(rc::ellipsis) = 0.0F;
            y(i).add(x);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, rows, columns), i = positions(rows, 10), y = rc::empty<float>({10, columns})] {
            std::fill_n(y.data(), y.size(), 0.0F);
            hand::add_rows(y.data(), i.data(), x.data(), i.size(), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_add_rows(rows, columns, positions(rows, 10)); });
#endif
}

/// n numbers added to a tenth as many sums.
void scatter_add(index_t n) {
    const index_t bins = n / 10;
    const row r("scatter_add", n, 1e-4, [=] {
        std::vector<double> y(static_cast<std::size_t>(bins));
        const auto i = positions(n, bins);
        for (index_t t = 0; t < n; ++t) y[static_cast<std::size_t>(i.data()[t])] += input(0, n).data()[t];
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n), i = positions(n, bins), y = rc::empty<float>({bins})]() mutable {
            y(rc::all) = 0.0F;
            y(i).add(x);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), i = positions(n, bins), y = rc::empty<float>({bins})] {
            std::fill_n(y.data(), y.size(), 0.0F);
            hand::add_at(y.data(), i.data(), x.data(), x.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_scatter_add(n, bins, positions(n, bins)); });
#endif
}

const bool registered = [] {
    for (const index_t n : sizes) gather_rows(n);
    for (const index_t n : sizes) gather(n);
    for (const index_t n : sizes) select_positive(n);
    for (const index_t n : {10000, 1000000}) add_rows(n);
    for (const index_t n : sizes) scatter_add(n);
    return true;
}();

}  // namespace
