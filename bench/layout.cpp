// Copies that rearrange: a transposed matrix, every second element, an array turned round; and a stencil of slices.
#include "bench.hpp"
#include "hand.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"
#if RICCI_BENCH_XTENSOR
#include <xtensor/xview.hpp>
#endif
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace hand {

#if defined(__AVX512F__)
/// Sixteen rows of sixteen elements, transposed in registers: pairs, quadruples, then quarters of registers change
/// places.
[[gnu::always_inline]] inline void transpose_block(const float* x, index_t x_rows, float* y, index_t y_rows) {
    __m512 r[16], t[16];
    for (int i = 0; i < 16; ++i) r[i] = _mm512_loadu_ps(x + i * x_rows);
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_ps(r[i], r[i + 1]);
    }
    const auto low = [](__m512 a, __m512 b) {
        return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
    };
    const auto high = [](__m512 a, __m512 b) {
        return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
    };
    for (int i = 0; i < 16; i += 4) {  // r[i + k]: column 4 q + k of rows i .. i + 3, for each quarter q
        r[i] = low(t[i], t[i + 2]);
        r[i + 1] = high(t[i], t[i + 2]);
        r[i + 2] = low(t[i + 1], t[i + 3]);
        r[i + 3] = high(t[i + 1], t[i + 3]);
    }
    for (int k = 0; k < 4; ++k) {
        const __m512 a = _mm512_shuffle_f32x4(r[k], r[4 + k], 0x88),
                     b = _mm512_shuffle_f32x4(r[8 + k], r[12 + k], 0x88);
        const __m512 c = _mm512_shuffle_f32x4(r[k], r[4 + k], 0xdd),
                     d = _mm512_shuffle_f32x4(r[8 + k], r[12 + k], 0xdd);
        _mm512_storeu_ps(y + k * y_rows, _mm512_shuffle_f32x4(a, b, 0x88));
        _mm512_storeu_ps(y + (4 + k) * y_rows, _mm512_shuffle_f32x4(c, d, 0x88));
        _mm512_storeu_ps(y + (8 + k) * y_rows, _mm512_shuffle_f32x4(a, b, 0xdd));
        _mm512_storeu_ps(y + (12 + k) * y_rows, _mm512_shuffle_f32x4(c, d, 0xdd));
    }
}
#endif
/// y (columns x rows) = transpose of x (rows x columns), by blocks of 16; what the blocks leave over, one by one.
[[gnu::noinline]] void transpose(const float* x, float* y, index_t rows, index_t columns) {
    index_t done_rows = 0, done_columns = 0;
#if defined(__AVX512F__)
    done_rows = rows / 16 * 16;
    done_columns = columns / 16 * 16;
    for (index_t j = 0; j < done_columns; j += 16)
        for (index_t i = 0; i < done_rows; i += 16) {
            for (int k = 0; k < 16; ++k) __builtin_prefetch(x + (i + 64 + k) * columns + j);
            transpose_block(x + i * columns + j, columns, y + j * rows + i, rows);
        }
#endif
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = i < done_rows ? done_columns : 0; j < columns; ++j) y[j * rows + i] = x[i * columns + j];
}
[[gnu::noinline]] void every_second(const float* x, float* y, index_t n) {
    for (index_t i = 0; i < n; ++i) y[i] = x[2 * i];
}
[[gnu::noinline]] void reversed(const float* x, float* y, index_t n) {
    index_t i = 0;
#if defined(__AVX512F__)
    const __m512i order = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (; i + 16 <= n; i += 16) _mm512_storeu_ps(y + i, _mm512_permutexvar_ps(order, _mm512_loadu_ps(x + n - i - 16)));
#endif
    for (; i < n; ++i) y[i] = x[n - 1 - i];
}
[[gnu::noinline]] void laplace(const float* x, float* y, index_t n) {
    for (index_t i = 1; i + 1 < n; ++i) {
        const float* const at = x + i * n + 1;
        each_register(n - 2, [&](index_t j) {
            const reg around =
                (reg::load(at + j - n) + reg::load(at + j + n)) + (reg::load(at + j - 1) + reg::load(at + j + 1));
            (around - reg(4.0f) * reg::load(at + j)).store(y + (i - 1) * (n - 2) + j);
        });
    }
}

}  // namespace hand

namespace {

using namespace bench;

void transpose(index_t n) {
    const row r("transpose", by(n, n), 0, [n] {
        std::vector<double> y;
        for (index_t j = 0; j < n; ++j)
            for (index_t i = 0; i < n; ++i) y.push_back(input(0, n * n).data()[i * n + j]);
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n, n), y = rc::empty<float>({n, n})] {
            y(rc::ellipsis) = rc::permute(x, {1, 0});
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n, n), y = rc::empty<float>({n, n})] {
            hand::transpose(x.data(), y.data(), x.shape(0), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, n, n), y = eigen_matrix(n, n)]() mutable {
            y = x.transpose();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_array(0, n, n), y = xtensor_array(0, n, n)]() mutable {
            xt::noalias(y) = xt::transpose(x);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_transpose(n); });
#endif
}
/// n elements out of 2 n.
void every_second(index_t n) {
    const row r("every_second", n, 0, [n] {
        std::vector<double> y;
        for (index_t i = 0; i < n; ++i) y.push_back(input(0, 2 * n).data()[2 * i]);
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, 2 * n), y = rc::empty<float>({n})] {
            y(rc::all) = x(rc::slice(0, rc::none, 2));
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, 2 * n), y = rc::empty<float>({n})] {
            hand::every_second(x.data(), y.data(), y.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        const Eigen::Map<const Eigen::ArrayXf, 0, Eigen::InnerStride<2>> x(input(0, 2 * n).data(), n);
        return [x, y = Eigen::ArrayXf(n)]() mutable {
            y = x;
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_vector(0, 2 * n), y = xtensor_like(n)]() mutable {
            xt::noalias(y) = xt::view(x, xt::range(0, x.size(), 2));
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_along(2 * n, along::every_second); });
#endif
}
void reversed(index_t n) {
    const row r("reversed", n, 0, [n] {
        auto y = each([](double x) { return x; }, input(0, n));
        std::reverse(y.begin(), y.end());
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n), y = rc::empty<float>({n})] {
            y(rc::all) = rc::flip(x);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), y = rc::empty<float>({n})] {
            hand::reversed(x.data(), y.data(), x.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_vector(0, n), y = Eigen::ArrayXf(n)]() mutable {
            y = x.reverse();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_along(n, along::flip); });
#endif
}
/// The five-point difference of the inner points of an n x n grid.
void laplace(index_t n) {
    const row r("laplace", by(n, n), 1e-5, [n] {
        std::vector<double> y;
        const auto x = [at = input(0, n * n), n](index_t i, index_t j) { return double(at.data()[i * n + j]); };
        for (index_t i = 1; i + 1 < n; ++i)
            for (index_t j = 1; j + 1 < n; ++j)
                y.push_back(x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1) - 4 * x(i, j));
        return y;
    });
    r.add("ricci", [=] {
        return [x = input(0, n, n), y = rc::tensor<float, 2>()]() mutable {
            const rc::slice head(0, -2), inner(1, -1), tail(2, rc::none);
            y = x(head, inner) + x(tail, inner) + x(inner, head) + x(inner, tail) - 4 * x(inner, inner);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n, n), y = rc::empty<float>({n - 2, n - 2})] {
            hand::laplace(x.data(), y.data(), x.shape(0));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, n, n), y = eigen_matrix(n - 2, n - 2), m = n - 2]() mutable {
            y = x.block(0, 1, m, m) + x.block(2, 1, m, m) + x.block(1, 0, m, m) + x.block(1, 2, m, m) -
                4 * x.block(1, 1, m, m);
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_laplace(n); });
#endif
}

const bool registered = [] {
    for (const index_t n : {10, 1000, 1024, 4096}) transpose(n);
    for (const index_t n : sizes) every_second(n);
    for (const index_t n : sizes) reversed(n);
    for (const index_t n : {18, 1000}) laplace(n);
    return true;
}();

}  // namespace
