// What nvcc makes of the CPU's kernels, whose packs of lanes it cannot take, so that some have other code there; against plain
// loops. No GPU is needed.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace rc = ricci;
using rc::index_t;

namespace {

/// Numbers without order, of which a few are equal.
template <class T>
T number(index_t i) {
    const auto k = static_cast<int>(i * i % 61 - 30);
    if constexpr (rc::is_complex_v<T>) return T(static_cast<rc::real_t<T>>(k), static_cast<rc::real_t<T>>(i * 7 % 23));
    else return static_cast<T>(k);
}
template <class T, int R>
rc::tensor<T, R> numbers(const rc::shape<R>& extents) {
    const auto x = rc::tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = number<T>(i);
    return x;
}
template <class T>
constexpr double eps = static_cast<double>(std::numeric_limits<rc::real_t<T>>::epsilon());

template <class T>
void check_copies() {
    for (const index_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17})
        for (const index_t rows : {1, 3, 8, 37}) {
            CAPTURE(columns);
            CAPTURE(rows);
            const auto x = numbers<T>(rc::shape{rows, columns});
            const auto turned = rc::permute(x, {1, 0}).clone(), back = rc::permute(turned, {1, 0}).clone();
            const auto reversed = x(rc::all, rc::slice(rc::none, rc::none, -1)).clone();
            const auto third = x(rc::all, rc::slice(rc::none, rc::none, 3)).clone();
            int wrong = 0;
            for (index_t i = 0; i < rows; ++i)
                for (index_t j = 0; j < columns; ++j) {
                    wrong += turned.data()[j * rows + i] != x.at(i, j);
                    wrong += back.data()[i * columns + j] != x.at(i, j);
                    wrong += reversed.at(i, columns - 1 - j) != x.at(i, j);
                    if (j % 3 == 0) wrong += third.at(i, j / 3) != x.at(i, j);
                }
            CHECK(wrong == 0);
        }
}
template <class T>
void check_transform(index_t n, index_t lines, int axis) {
    CAPTURE(n);
    CAPTURE(lines);
    CAPTURE(axis);
    using C = std::complex<T>;
    const auto x = numbers<C>(axis == 0 ? rc::shape{n, lines} : rc::shape{lines, n});
    const auto real = rc::evaluate(rc::real(x));
    const auto y = rc::fft::fft(x, {.axis = axis});
    const auto back = rc::fft::ifft(y, {.axis = axis});
    const auto half = rc::fft::rfft(real, {.axis = axis});
    const auto real_back = rc::fft::irfft(half, {.n = n, .axis = axis});
    double wrong = 0, size = 0;
    const auto differ = [&](auto a, auto b) { wrong = std::abs(a - b) <= wrong ? wrong : std::abs(a - b); };
    for (index_t l = 0; l < lines; ++l)
        for (index_t k = 0; k < n; ++k) {
            const auto at = [&](const auto& a, index_t i) { return axis == 0 ? a.at(i, l) : a.at(l, i); };
            std::complex<double> sum = 0, real_sum = 0;
            for (index_t j = 0; j < n; ++j) {
                const auto root = std::polar(1.0, -2 * 3.14159265358979323846 * static_cast<double>(j * k % n) / n);
                sum += std::complex<double>(at(x, j)) * root;
                real_sum += static_cast<double>(at(real, j)) * root;
            }
            size = std::max(size, std::abs(sum));
            differ(std::complex<double>(at(y, k)), sum);
            differ(std::complex<double>(at(back, k)), std::complex<double>(at(x, k)));
            if (k <= n / 2) differ(std::complex<double>(at(half, k)), real_sum);
            differ(static_cast<double>(at(real_back, k)), static_cast<double>(at(real, k)));
        }
    CHECK(wrong <= size * eps<T> * (4 + 2 * std::log2(static_cast<double>(n))));
}
template <class T>
void check_reductions(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto x = numbers<T>(rc::shape{rows, columns});
    const auto down = rc::evaluate(rc::sum(x, 0)), across = rc::evaluate(rc::sum(x * x, 1));
    const auto largest = rc::evaluate(rc::max(x, 0)), smallest = rc::evaluate(rc::min(x, 1));
    const auto place = rc::evaluate(rc::argmax(x, 1));
    const auto running = rc::evaluate(rc::cumulative_sum(x, 1));
    int wrong = 0;
    for (index_t j = 0; j < columns; ++j) {  // all sums are of small integers
        T sum = 0, most = x.at(0, j);
        for (index_t i = 0; i < rows; ++i) sum += x.at(i, j), most = std::max(most, x.at(i, j));
        wrong += (down.at(j) != sum) + (largest.at(j) != most);
    }
    for (index_t i = 0; i < rows; ++i) {
        const T* const row = x.data() + i * columns;
        T squares = 0, sum = 0;
        for (index_t j = 0; j < columns; ++j) {
            squares += row[j] * row[j];
            wrong += running.at(i, j) != (sum += row[j]);
        }
        wrong += across.at(i) != squares;
        wrong += smallest.at(i) != *std::min_element(row, row + columns);
        wrong += place.at(i) != std::max_element(row, row + columns) - row;
    }
    CHECK(wrong == 0);
}
template <class T>
void check_order(index_t n, index_t columns) {
    CAPTURE(n);
    CAPTURE(columns);
    const auto x = numbers<T>(rc::shape{n, columns});
    const auto up = rc::evaluate(rc::sort(x, 0)), down = rc::evaluate(rc::sort(x, 0, true));
    const auto order = rc::evaluate(rc::argsort(x, 0));
    int wrong = 0;
    for (index_t j = 0; j < columns; ++j) {
        std::vector<T> column;
        for (index_t i = 0; i < n; ++i) column.push_back(x.at(i, j));
        std::sort(column.begin(), column.end());
        for (index_t i = 0; i < n; ++i) {
            const T v = column[static_cast<std::size_t>(i)];
            wrong += (up.at(i, j) != v) + (down.at(n - 1 - i, j) != v) + (x.at(order.at(i, j), j) != v);
        }
    }
    CHECK(wrong == 0);
}
template <class T>
void check_product(index_t m, index_t k, index_t n) {
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    const auto a = numbers<T>(rc::shape{m, k}), b = numbers<T>(rc::shape{k, n});
    const auto c = rc::matmul(a, b);
    int wrong = 0;
    for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) {
            T sum = 0;
            for (index_t l = 0; l < k; ++l) sum += a.at(i, l) * b.at(l, j);
            wrong += c.at(i, j) != sum;
        }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("nvcc, CPU: copies of few and many columns, turned, reversed and with steps") {
    check_copies<std::uint8_t>();
    check_copies<std::int16_t>();
    check_copies<float>();
    check_copies<std::complex<float>>();
    check_copies<std::complex<double>>();
}
TEST_CASE("nvcc, CPU: Fourier transforms") {
    for (const index_t n : {2, 3, 4, 7, 8, 12, 16, 24, 32, 60, 64, 96, 100, 128, 47, 202})
        for (const index_t lines : {1, 3, 5, 8, 17})
            for (const int axis : {0, 1}) {
                check_transform<float>(n, lines, axis);
                check_transform<double>(n, lines, axis);
            }
}
TEST_CASE("nvcc, CPU: reductions and scans") {
    for (const index_t rows : {1, 5, 33})
        for (const index_t columns : {1, 3, 4, 8, 13, 100}) {
            check_reductions<float>(rows, columns);
            check_reductions<std::int32_t>(rows, columns);
        }
}
TEST_CASE("nvcc, CPU: sorting") {
    for (const index_t n : {1, 2, 7, 16, 40, 300})
        for (const index_t columns : {1, 9}) {
            check_order<float>(n, columns);
            check_order<std::int64_t>(n, columns);
        }
}
TEST_CASE("nvcc, CPU: products of matrices") {
    for (const index_t m : {1, 4, 7, 40})
        for (const index_t n : {1, 3, 16, 50}) {
            check_product<float>(m, 19, n);
            check_product<std::complex<double>>(m, 19, n);
        }
}
TEST_CASE("nvcc, CPU: functions in chains, powers, complex numbers, halves, divisions by one number") {
    for (const index_t n : {1, 3, 8, 29, 100}) {
        const auto x = numbers<float>(rc::shape{n});
        const auto z = numbers<std::complex<float>>(rc::shape{n});
        const auto i = numbers<std::int32_t>(rc::shape{n});
        const auto y = rc::evaluate(rc::exp(rc::sin(x)) * 2.0f + x * x), p = rc::evaluate(rc::pow(rc::abs(x), 1.7f));
        const auto w = rc::evaluate(rc::exp(z * 0.1f) / (z + 100.0f));
        const auto h = rc::evaluate(rc::astype<rc::float16>(x) * 3);
        const auto q = rc::evaluate(rc::floor_divide(i, 7)), r = rc::evaluate(i % 7);
        for (index_t k = 0; k < n; ++k) {
            const double v = x.at(k);
            const std::complex<double> u(z.at(k)), expected = std::exp(u * 0.1) / (u + 100.0);
            CHECK(y.at(k) == doctest::Approx(std::exp(std::sin(v)) * 2 + v * v).epsilon(8 * eps<float>));
            CHECK(p.at(k) == doctest::Approx(std::pow(std::abs(v), 1.7)).epsilon(8 * eps<float>));
            CHECK(std::abs(std::complex<double>(w.at(k)) - expected) <= 16 * eps<float> * std::abs(expected));
            CHECK(static_cast<float>(h.at(k)) == 3 * x.at(k));
            CHECK(7 * q.at(k) + r.at(k) == i.at(k));
            CHECK((0 <= r.at(k) && r.at(k) < 7));
        }
    }
}
