// The matrix product against the definition, over shapes, strides, element types and numbers of threads.
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <ricci/cpu/gemm.hpp>
#include <vector>

#include "../reference.hpp"

namespace {

using ricci::index_t;

template <class T>
struct wide {
    using type = T;
};
template <>
struct wide<float> {
    using type = double;
};
template <>
struct wide<double> {
    using type = long double;
};

/// A rows x columns matrix somewhere in a buffer: row-major, column-major, with gaps, or reversed.
template <class T>
struct matrix {
    enum layout { row_major, column_major, gaps, reversed, broadcast_rows };
    std::vector<T> buffer;
    const T* data;
    index_t row, col;

    matrix(index_t rows, index_t columns, layout l, std::mt19937& random) : row(columns), col(1) {
        const index_t padding = l == gaps ? 3 : 0;
        buffer.resize(static_cast<std::size_t>((rows + 1) * (columns + padding) * (l == gaps ? 2 : 1) + 1));
        for (T& x : buffer) x = static_cast<T>(static_cast<int>(random() % 17) - 8) / static_cast<T>(4);
        data = buffer.data();
        if (l == column_major) row = 1, col = rows;
        if (l == gaps) row = 2 * (columns + padding), col = 2;
        if (l == reversed) data += rows * columns - 1, row = -columns, col = -1;
        if (l == broadcast_rows) row = 0;
    }
    T operator()(index_t i, index_t j) const { return data[i * row + j * col]; }
};

template <class T>
bool product_is_right(index_t m, index_t n, index_t k, int la, int lb, index_t gap, std::mt19937& random) {
    using layout = typename matrix<T>::layout;
    const matrix<T> a(m, k, static_cast<layout>(la), random), b(k, n, static_cast<layout>(lb), random);
    const index_t c_row = n + gap;
    const T canary = static_cast<T>(77);
    std::vector<T> c(static_cast<std::size_t>(m * c_row + 1), canary);
    ricci::detail::gemm<T>(m, n, k, a.data, a.row, a.col, b.data, b.row, b.col, c.data(), c_row);
    using W = typename wide<T>::type;
    for (index_t i = 0; i < m;
         i += i + 1 < m && i + 1 + m / 24 >= m ? m - 1 - i : 1 + m / 24)  // some rows, the last too
        for (index_t j = 0; j < c_row; j += 1 + (j > 40 && j + 40 < n ? 6 : 0)) {
            const T got = c[static_cast<std::size_t>(i * c_row + j)];
            if (j >= n) {
                if (got != canary) return false;
                continue;
            }
            W sum{};
            for (index_t p = 0; p < k; ++p) sum += static_cast<W>(a(i, p)) * static_cast<W>(b(p, j));
            if (got != static_cast<T>(sum)) return false;  // multiples of 1/16 below 2^20: every sum is exact
        }
    return c.back() == canary;
}

template <class T>
void check_shapes(std::initializer_list<index_t> extents) {
    std::mt19937 random(1);
    for (const index_t m : extents)
        for (const index_t n : extents)
            for (const index_t k : extents)
                for (int la = 0; la < 5; ++la) {
                    if (reference::is_sample && (m + n + k + la) % 3) continue;
                    const int lb = static_cast<int>(random() % 5);
                    CAPTURE(m);
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(la);
                    CAPTURE(lb);
                    CHECK(product_is_right<T>(m, n, k, la, lb, static_cast<index_t>(random() % 2), random));
                }
}

}  // namespace

TEST_CASE_TEMPLATE("products of all small shapes and layouts", T, float, double) {
    check_shapes<T>({1, 2, 3, 5, 8, 13, 17, 33});
}

TEST_CASE_TEMPLATE("products of shapes at the borders of the blocks", T, float, double) {
    check_shapes<T>({1, 31, 65, 97});
    std::mt19937 random(2);
    const index_t d = 384;  // the depth of a block
    const index_t shapes[][3] = {{100, 100, d - 1}, {100, 70, d},   {97, 100, d + 1}, {13, 2100, 2 * d + 3},
                                 {200, 33, 600},    {1, 3000, 300}, {3000, 1, 300},   {2, 900, 700},
                                 {900, 2, 700},     {500, 20, 500}};
    for (const auto& s : shapes)
        for (int la = 0; la < 4; ++la)
            for (int lb = 0; lb < 4; ++lb) {
                if (reference::is_sample && (la + lb) % 3) continue;
                CAPTURE(s[0]);
                CAPTURE(s[1]);
                CAPTURE(s[2]);
                CAPTURE(la);
                CAPTURE(lb);
                CHECK(product_is_right<T>(s[0], s[1], s[2], la, lb, 1, random));
            }
}

TEST_CASE_TEMPLATE("small, narrow and deep products in all layouts", T, float, double) {
    std::mt19937 random(5);
    constexpr index_t shapes[][3] = {{10, 10, 1000}, {10, 1000, 10}, {25, 45, 100}, {4, 1000, 70}, {1000, 4, 70},
                                     {3, 500, 3},    {500, 3, 3},    {2, 2, 2100},  {7, 9, 4097},  {12, 40, 130},
                                     {40, 12, 130},  {1, 300, 70},   {300, 1, 70},  {31, 33, 64},  {30, 600, 50},
                                     {600, 30, 50},  {9, 7, 63},     {64, 16, 17},  {100, 1, 1},   {1, 100, 1},
                                     {1, 1, 5000},   {6, 5, 65},     {11, 4, 66},   {8, 8, 8},     {24, 25, 127},
                                     {200, 200, 1},  {90, 300, 9},   {3, 40000, 1}, {70, 131, 1}};
    for (const auto& s : shapes)
        for (int la = 0; la < 5; ++la)
            for (int lb = 0; lb < 5; ++lb) {
                CAPTURE(s[0]);
                CAPTURE(s[1]);
                CAPTURE(s[2]);
                CAPTURE(la);
                CAPTURE(lb);
                CHECK(product_is_right<T>(s[0], s[1], s[2], la, lb, la == lb, random));
            }
}

TEST_CASE_TEMPLATE("batches advance along all leading axes, and become rows", T, float, double, int) {
    std::mt19937 random(6);
    const index_t m = 3, k = 5;
    for (const index_t n : {1, 4})
        for (const bool shared_a : {false, true})
            for (const bool shared_b : {false, true}) {
                std::vector<T> a(static_cast<std::size_t>(12 * m * k)), b(static_cast<std::size_t>(12 * k * n));
                for (T& x : a) x = static_cast<T>(random() % 9);
                for (T& x : b) x = static_cast<T>(random() % 9);
                std::vector<T> c(static_cast<std::size_t>(12 * m * n)), expected(c);
                ricci::detail::gemm_batch<T> batch;
                batch.product = {m, n, k, a.data(), k, 1, b.data(), n, 1, c.data(), n};
                // axes of 3 and 4: one of them shared by all of A or B
                const index_t a_step[] = {4 * m * k, shared_a ? 0 : m * k},
                              b_step[] = {shared_b ? 0 : 4 * k * n, k * n};
                batch.add_axis(3, a_step[0], b_step[0]);
                batch.add_axis(4, a_step[1], b_step[1]);
                batch.run();
                for (index_t i = 0; i < 3; ++i)
                    for (index_t j = 0; j < 4; ++j)
                        ricci::detail::gemm<T>(m, n, k, a.data() + i * a_step[0] + j * a_step[1], k, 1,
                                               b.data() + i * b_step[0] + j * b_step[1], n, 1,
                                               expected.data() + (i * 4 + j) * m * n, n);
                CHECK(c == expected);
            }
}

TEST_CASE_TEMPLATE("batches of small products of all sizes", T, float, double) {
    std::mt19937 random(8);
    for (const index_t m : {1, 2, 3, 4, 5, 7, 8, 9, 16, 19, 32, 33})
        for (const index_t n : {1, 2, 3, 4, 7, 8, 9, 16, 17, 32, 33})
            for (const index_t k : {1, 3, 8, 32, 33})
                for (const int turned : {0, 1, 2, 3}) {
                    if (reference::is_sample && (m + n + k + turned) % 7) continue;
                    const index_t count = 3, size = (m + n + 2) * (k + 2);
                    std::vector<T> a(static_cast<std::size_t>(count * size)), b(a);
                    for (T& x : a) x = static_cast<T>(static_cast<int>(random() % 17) - 8);
                    for (T& x : b) x = static_cast<T>(static_cast<int>(random() % 17) - 8);
                    std::vector<T> c(static_cast<std::size_t>(count * m * n + 1), T(77)), expected(c);
                    const index_t a_row = turned & 1 ? 1 : k + 1, a_col = turned & 1 ? m : 1;
                    const index_t b_row = turned & 2 ? 1 : n, b_col = turned & 2 ? k + 1 : 1;
                    ricci::detail::gemm_batch<T> batch;
                    batch.product = {m, n, k, a.data(), a_row, a_col, b.data(), b_row, b_col, c.data(), n};
                    batch.add_axis(count, size, size);
                    batch.run();
                    for (index_t i = 0; i < count; ++i)
                        for (index_t r = 0; r < m; ++r)
                            for (index_t j = 0; j < n; ++j) {
                                T sum(0);  // whole numbers below 2^12: exact
                                for (index_t p = 0; p < k; ++p)
                                    sum += a[static_cast<std::size_t>(i * size + r * a_row + p * a_col)] *
                                           b[static_cast<std::size_t>(i * size + p * b_row + j * b_col)];
                                expected[static_cast<std::size_t>((i * m + r) * n + j)] = sum;
                            }
                    CAPTURE(m);
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(turned);
                    CHECK(c == expected);
                }
}

TEST_CASE_TEMPLATE("products of integers wrap, of complex numbers multiply", T, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, int, std::int64_t, std::uint64_t) {
    std::mt19937 random(3);
    for (const index_t n : {1, 3, 8, 40, 300})
        for (const index_t b_col : {1, 2}) {
            std::vector<T> a(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(2 * n * n)), c(a.size());
            for (T& x : a) x = static_cast<T>(random());
            for (T& x : b) x = static_cast<T>(random());
            ricci::detail::gemm<T>(n, n, n, a.data(), n, 1, b.data(), 2 * n, b_col, c.data(), n);
            bool right = true;
            for (index_t i = 0; i < n; i += 1 + n / 7)
                for (index_t j = 0; j < n; ++j) {
                    std::uint64_t sum = 0;
                    for (index_t p = 0; p < n; ++p)
                        sum += static_cast<std::uint64_t>(a[static_cast<std::size_t>(i * n + p)]) *
                               static_cast<std::uint64_t>(b[static_cast<std::size_t>(p * 2 * n + j * b_col)]);
                    right = right && c[static_cast<std::size_t>(i * n + j)] == static_cast<T>(sum);
                }
            CHECK(right);
        }
}

TEST_CASE_TEMPLATE("products of complex numbers", T, std::complex<float>, std::complex<double>) {
    const T i(0, 1), a[] = {T(1), i, T(2), T(3)}, b[] = {i, T(1), T(1), -i};
    T c[4];
    ricci::detail::gemm<T>(2, 2, 2, a, 2, 1, b, 2, 1, c, 2);
    CHECK(c[0] == i + i);
    CHECK(c[1] == T(2));
    CHECK(c[2] == T(3, 2));
    CHECK(c[3] == T(2, -3));
}

TEST_CASE_TEMPLATE("complex products of all shapes and layouts", T, std::complex<float>, std::complex<double>) {
    using R = typename T::value_type;
    std::mt19937 random(7);
    constexpr index_t shapes[][3] = {{1, 1, 1},    {2, 3, 4},    {5, 5, 5},     {40, 1, 70},  {1, 40, 70},
                                     {3, 50, 20},  {50, 3, 20},  {4, 4, 300},   {30, 31, 1},  {33, 34, 35},
                                     {5, 200, 60}, {200, 5, 60}, {97, 98, 140}, {13, 7, 300}, {20, 20, 20},
                                     {64, 64, 64}, {7, 1100, 9}};
    const auto make = [&](index_t rows, index_t columns, int layout, std::vector<T>& buffer, index_t& row,
                          index_t& col) {
        row = layout == 0 ? columns : layout == 1 ? 1 : 2 * (columns + 1);
        col = layout == 0 ? 1 : layout == 1 ? rows : 2;
        buffer.resize(static_cast<std::size_t>(2 * (rows + 1) * (columns + 1)));
        const auto part = [&] { return static_cast<R>(static_cast<int>(random() % 17) - 8) / R(4); };
        for (T& x : buffer) x = T(part(), part());
    };
    for (const auto& s : shapes)
        for (int layouts = 0; layouts < 9; ++layouts) {
            const index_t m = s[0], n = s[1], k = s[2];
            std::vector<T> a, b, c(static_cast<std::size_t>(m * (n + 1)), T(7));
            index_t a_row, a_col, b_row, b_col;
            make(m, k, layouts / 3, a, a_row, a_col);
            make(k, n, layouts % 3, b, b_row, b_col);
            ricci::detail::gemm<T>(m, n, k, a.data(), a_row, a_col, b.data(), b_row, b_col, c.data(), n + 1);
            int wrong = 0;  // multiples of 1/16 below 2^20: every sum is exact
            for (index_t i = 0; i < m; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    T sum{};
                    for (index_t p = 0; p < k; ++p)
                        ricci::detail::add_product(sum, a[static_cast<std::size_t>(i * a_row + p * a_col)],
                                                   b[static_cast<std::size_t>(p * b_row + j * b_col)]);
                    wrong += c[static_cast<std::size_t>(i * (n + 1) + j)] != sum;
                }
                wrong += c[static_cast<std::size_t>(i * (n + 1) + n)] != T(7);
            }
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(k);
            CAPTURE(layouts);
            CHECK(wrong == 0);
        }
}

TEST_CASE_TEMPLATE("16 bits are multiplied as floats and rounded once", T, ricci::float16, ricci::bfloat16) {
    std::mt19937 random(9);
    constexpr index_t shapes[][3] = {{1, 1, 1},   {3, 5, 7},     {33, 34, 35},  {1, 600, 40},    {600, 1, 40},
                                     {2, 3, 700}, {300, 20, 90}, {70, 530, 30}, {260, 520, 520}, {40, 40, 1040}};
    for (const auto& s : shapes)
        for (int la = 0; la < 5; ++la) {
            if (reference::is_sample && s[0] * s[1] * s[2] > 100000 && la > 1) continue;
            const index_t m = s[0], n = s[1], k = s[2];
            using layout = typename matrix<T>::layout;
            const matrix<T> a(m, k, static_cast<layout>(la), random),
                b(k, n, static_cast<layout>((la + m) % 5), random);
            std::vector<T> c(static_cast<std::size_t>(m * (n + 1)), T(77));
            ricci::detail::gemm<T>(m, n, k, a.data, a.row, a.col, b.data, b.row, b.col, c.data(), n + 1);
            int wrong = 0;
            for (index_t i = 0; i < m; ++i) {
                for (index_t j = 0; j < n; ++j) {
                    float sum = 0;  // multiples of 1/16 below 2^20: exact
                    for (index_t p = 0; p < k; ++p) sum += float(a(i, p)) * float(b(p, j));
                    wrong += c[static_cast<std::size_t>(i * (n + 1) + j)].bits != T(sum).bits;
                }
                wrong += c[static_cast<std::size_t>(i * (n + 1) + n)].bits != T(77).bits;
            }
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(k);
            CAPTURE(la);
            CHECK(wrong == 0);
        }
}

TEST_CASE_TEMPLATE("batches of small matrices of 16 bits", T, ricci::float16, ricci::bfloat16) {
    std::mt19937 random(10);
    for (const index_t n : {1, 2, 5, 8, 70})
        for (const bool turned : {false, true})
            for (const bool shared : {false, true}) {
                const index_t count = 2000 / n, k = 3, m = 4;
                std::vector<T> a(static_cast<std::size_t>(count * m * k)), b(static_cast<std::size_t>(count * k * n));
                for (T& x : a) x = T(static_cast<int>(random() % 17) - 8);
                for (T& x : b) x = T(static_cast<int>(random() % 17) - 8);
                std::vector<T> c(static_cast<std::size_t>(count * m * n));
                const index_t b_row = turned ? 1 : n, b_col = turned ? k : 1, b_step = shared ? 0 : k * n;
                ricci::detail::gemm_batch<T> batch;
                batch.product = {m, n, k, a.data(), k, 1, b.data(), b_row, b_col, c.data(), n};
                batch.add_axis(count, m * k, b_step);
                batch.run();
                int wrong = 0;
                for (index_t i = 0; i < count; ++i)
                    for (index_t r = 0; r < m; ++r)
                        for (index_t j = 0; j < n; ++j) {
                            float sum = 0;  // whole numbers below 2^8: exact
                            for (index_t p = 0; p < k; ++p)
                                sum += float(a[static_cast<std::size_t>(i * m * k + r * k + p)]) *
                                       float(b[static_cast<std::size_t>(i * b_step + p * b_row + j * b_col)]);
                            wrong += c[static_cast<std::size_t>((i * m + r) * n + j)].bits != T(sum).bits;
                        }
                CHECK(wrong == 0);
            }
}

TEST_CASE_TEMPLATE("empty sums are zero and empty results untouched", T, float, double, int, std::complex<double>) {
    std::vector<T> c(12, T(5));
    const T x[12] = {};
    ricci::detail::gemm<T>(3, 3, 0, x, 1, 1, x, 1, 1, c.data(), 4);
    for (std::size_t i = 0; i < 12; ++i) CHECK(c[i] == (i % 4 == 3 ? T(5) : T(0)));
    ricci::detail::gemm<T>(0, 3, 2, x, 1, 1, x, 1, 1, c.data(), 4);
    ricci::detail::gemm<T>(3, 0, 2, x, 1, 1, x, 1, 1, c.data(), 4);
    CHECK(c[3] == T(5));
}

TEST_CASE_TEMPLATE("infinities and NaN stay in their rows and columns", T, float, double) {
    const T inf = std::numeric_limits<T>::infinity();
    for (const index_t n : {5, 17, 70, 130}) {
        const auto at = [n](index_t i, index_t j) { return static_cast<std::size_t>(i * n + j); };
        std::vector<T> a(at(n, 0), T(1)), b(a), c(a);
        a[at(n - 1, 2)] = inf;
        b[at(3, n - 1)] = std::numeric_limits<T>::quiet_NaN();
        ricci::detail::gemm<T>(n, n, n, a.data(), n, 1, b.data(), n, 1, c.data(), n);
        int wrong = 0;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                const T x = c[at(i, j)];
                wrong += j == n - 1 ? x == x : i == n - 1 ? x != inf : x != static_cast<T>(n);
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE_TEMPLATE("the same bits for any number of threads", T, float, double, ricci::bfloat16) {
    std::mt19937 random(4);
    const int before = ricci::num_threads();
    const index_t shapes[][3] = {{300, 310, 320}, {2000, 1, 500}, {1, 5000, 300}, {4000, 10, 100},
                                 {10, 20000, 12}, {3, 9000, 700}, {9000, 3, 100}, {40, 9000, 70}};
    for (const auto& s : shapes)
        for (const bool transposed : {false, true}) {
            const index_t m = s[0], n = s[1], k = s[2];
            std::vector<T> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
            for (T& x : a) x = static_cast<T>(static_cast<double>(random()) / 4e9);
            for (T& x : b) x = static_cast<T>(static_cast<double>(random()) / 4e9);
            std::vector<T> one(static_cast<std::size_t>(m * n)), four(one);
            const auto multiply = [&](std::vector<T>& c) {
                if (transposed) ricci::detail::gemm<T>(m, n, k, a.data(), 1, m, b.data(), 1, k, c.data(), n);
                else ricci::detail::gemm<T>(m, n, k, a.data(), k, 1, b.data(), n, 1, c.data(), n);
            };
            ricci::set_num_threads(1);
            multiply(one);
            ricci::set_num_threads(4);
            multiply(four);
#if defined(RICCI_USE_CBLAS)
            // the library's own matter; all terms are positive, so that any two orders agree within this of the sum
            const double unit = static_cast<double>(std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24);
            index_t apart = 0;
            for (std::size_t i = 0; i < one.size(); ++i) {
                const double x = static_cast<double>(one[i]), y = static_cast<double>(four[i]);
                apart += !(std::abs(x - y) <= 2 * static_cast<double>(k) * unit * x);
            }
            CHECK((std::is_same_v<T, ricci::bfloat16> ? one == four : apart == 0));
#else
            CHECK(one == four);
#endif
        }
    ricci::set_num_threads(before);
}

namespace {

/// A A^T of whole numbers, whose sums are exact, beside the same product of a copy; symmetric to the bit with any
/// numbers.
template <class T>
bool square_is_right(index_t n, index_t k, bool columns, index_t gap, std::mt19937& random) {
    const index_t row = columns ? 1 : k, column = columns ? n : 1, c_row = n + gap;
    std::vector<T> a(static_cast<std::size_t>(n * k));
    const auto size = static_cast<std::size_t>(n * c_row + 1);
    for (const int denominator : {1, 7}) {
        for (T& x : a)
            x = static_cast<T>(static_cast<float>(static_cast<int>(random() % 17) - 8) /
                               static_cast<float>(denominator));
        if constexpr (ricci::is_complex_v<T>)
            for (std::size_t i = 1; i < a.size(); ++i) a[i] += T(0, a[i - 1].real());
        const std::vector<T> copy = a;
        const T canary = static_cast<T>(77);
        std::vector<T> c(size, canary), d(size, canary);
        ricci::detail::gemm<T>(n, n, k, a.data(), row, column, a.data(), column, row, c.data(), c_row);
        ricci::detail::gemm<T>(n, n, k, a.data(), row, column, copy.data(), column, row, d.data(), c_row);
        if (denominator == 1 && c != d) return false;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < i; ++j)
                if (c[static_cast<std::size_t>(i * c_row + j)] != c[static_cast<std::size_t>(j * c_row + i)])
                    return false;
    }
    return true;
}

}  // namespace

TEST_CASE("gemm: a matrix times its own transpose") {
    std::mt19937 random(5);
    for (const int threads : {1, 3}) {
        ricci::set_num_threads(threads);
        for (const index_t n : {1, 5, 31, 32, 33, 47, 64, 100, 191, 300})
            for (const index_t k : {1, 3, 40, 385})
                for (const bool columns : {false, true}) {
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(columns);
                    CHECK(square_is_right<double>(n, k, columns, 0, random));
                    CHECK(square_is_right<float>(n, k, columns, 3, random));
                    CHECK(square_is_right<std::complex<double>>(n, k, columns, 1, random));
                    if (n < 100) CHECK(square_is_right<std::int32_t>(n, k, columns, 1, random));
                }
        CHECK(square_is_right<float>(700, 390, false, 0, random));
        CHECK(square_is_right<std::complex<float>>(500, 200, true, 0, random));
    }
    ricci::set_num_threads(1);
}
