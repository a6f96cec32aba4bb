// Along lines: running sums, the position of the largest element, sorting.
#include "bench.hpp"
#include "hand.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"
#if RICCI_BENCH_XTENSOR
#include <xtensor/xsort.hpp>
#endif
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace hand {

/// Added in double, as Ricci adds them.
[[gnu::noinline]] void cumulative_sum(const float* x, float* y, index_t n) {
    index_t i = 0;
    double total = 0;
#if defined(__AVX512F__)
    const __m512d zero = _mm512_setzero_pd();
    const auto up = [&](__m512d v, auto by) {
        return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(v), _mm512_castpd_si512(zero), 8 - by()));
    };
    __m512d carry = zero;
    for (; i + 8 <= n; i += 8) {
        __m512d v = _mm512_cvtps_pd(_mm256_loadu_ps(x + i));
        v = _mm512_add_pd(v, up(v, std::integral_constant<int, 1>{}));
        v = _mm512_add_pd(v, up(v, std::integral_constant<int, 2>{}));
        v = _mm512_add_pd(v, up(v, std::integral_constant<int, 4>{}));
        const __m512d sums = _mm512_add_pd(v, carry);
        carry = _mm512_add_pd(carry, _mm512_permutexvar_pd(_mm512_set1_epi64(7), v));
        _mm256_storeu_ps(y + i, _mm512_cvtpd_ps(sums));
    }
    total = _mm512_cvtsd_f64(carry);
#endif
    for (; i < n; ++i) y[i] = static_cast<float>(total += x[i]);
}
/// The first of the largest elements: the largest of blocks, then its place in its block. No NaN.
[[gnu::noinline]] index_t argmax(const float* x, index_t n) {
    constexpr index_t block = 4 * lanes;
    float best = x[0];
    index_t at = 0, i = 0;
    for (; i + block <= n; i += block) {
        const reg a = ricci::math::maximum(reg::load(x + i), reg::load(x + i + lanes));
        const reg b = ricci::math::maximum(reg::load(x + i + 2 * lanes), reg::load(x + i + 3 * lanes));
        const reg m = ricci::math::maximum(a, b);
        if (ricci::math::any(m > reg(best))) {
            best = reduce_max(m);
            at = i;
        }
    }
    index_t place = at;
    while (x[place] != best) ++place;
    for (; i < n; ++i)
        if (x[i] > best) best = x[place = i];
    return place;
}

}  // namespace hand

namespace {

using namespace bench;

void cumulative_sum(index_t n) {
    const row r("cumulative_sum", n, 1e-5, [n] {
        double sum = 0;
        return each([&](double x) { return sum += x; }, input(0, n));
    });
    r.add("ricci", [=] {
        return [x = input(0, n), y = rc::tensor<float, 1>()]() mutable {
            y = rc::cumulative_sum(x, 0);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), y = rc::empty<float>({n})] {
            hand::cumulative_sum(x.data(), y.data(), x.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_along(n, along::cumulative_sum); });
#endif
}
/// Of one line, or of each row of a matrix.
void argmax(index_t rows, index_t columns) {
    const row r("argmax", rows == 1 ? std::to_string(columns) : by(rows, columns), 0, [=] {
        std::vector<double> y;
        for (index_t i = 0; i < rows; ++i) {
            const float* const x = input(0, rows * columns).data() + i * columns;
            y.push_back(static_cast<double>(std::max_element(x, x + columns) - x));
        }
        return y;
    });
    const auto places = [](auto f) {
        return [f, y = std::vector<double>()]() mutable {
            f(y);
            return result{y.data(), static_cast<index_t>(y.size())};
        };
    };
    r.add("ricci", [=] {
        return places([x = input(0, rows, columns)](std::vector<double>& y) {
            const auto at = rc::argmax(x, 1);
            y.assign(at.data(), at.data() + at.size());
        });
    });
    r.add("hand", [=] {
        return places([x = input(0, rows, columns)](std::vector<double>& y) {
            y.clear();
            for (index_t i = 0; i < x.shape(0); ++i)
                y.push_back(static_cast<double>(hand::argmax(x.data() + i * x.shape(1), x.shape(1))));
        });
    });
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return places([x = xtensor_array(0, rows, columns)](std::vector<double>& y) {
            const auto at = xt::argmax(x, 1);
            y.assign(at.begin(), at.end());
        });
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_argmax(rows, columns); });
#endif
}
/// Against std::sort.
void sort(index_t n) {
    const row r("sort", n, 0, [n] {
        auto y = each([](double x) { return x; }, input(0, n));
        std::sort(y.begin(), y.end());
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n), y = rc::tensor<float, 1>()]() mutable {
            y = rc::sort(x);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), y = rc::empty<float>({n})] {
            std::copy_n(x.data(), x.size(), y.data());
            std::sort(y.data(), y.data() + y.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_vector(0, n), y = xtensor_like(0)]() mutable {
            y = xt::sort(x);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_along(n, along::sort); });
#endif
}
/// Each row, against std::sort of each.
void sort_rows(index_t rows, index_t columns) {
    const auto sort_each = [=](auto* y) {
        for (index_t i = 0; i < rows; ++i) std::sort(y + i * columns, y + (i + 1) * columns);
    };
    const row r("sort rows", by(rows, columns), 0, [=] {
        auto y = each([](double x) { return x; }, input(0, rows * columns));
        sort_each(y.data());
        return y;
    });
    r.add("ricci", [=] {
        return [x = rc::reshape(input(0, rows * columns), {rows, columns}), y = rc::tensor<float, 2>()]() mutable {
            y = rc::sort(x, 1);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [=, x = input(0, rows * columns), y = rc::empty<float>({rows * columns})] {
            std::copy_n(x.data(), x.size(), y.data());
            sort_each(y.data());
            return whole(y);
        };
    });
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_array(0, rows, columns), y = xtensor_array(0, rows, columns)]() mutable {
            y = xt::sort(x, 1);
            return whole(y);
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : sizes) cumulative_sum(n);
    argmax(1, 100);
    argmax(100, 100);
    argmax(1, 1000000);
    for (const index_t n : sizes) sort(n);
    sort_rows(300, 300);
    return true;
}();

}  // namespace
