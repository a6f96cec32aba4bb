// What loops do with many rows at once, against plain loops: running sums of short lines, sums of complex rows,
// comparisons with what is repeated along a row, normalization with a weight, windows of every second element.
#include <cmath>
#include <complex>

#include <doctest/doctest.h>

#include <ricci/grad/transforms.hpp>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/convolution.hpp>
#include <ricci/ops/grid.hpp>
#include <ricci/ops/neural.hpp>
#include <ricci/ops/random.hpp>
#include <ricci/ops/rearrange.hpp>
#include <ricci/ops/scan.hpp>

namespace rc = ricci;
using rc::index_t;

TEST_CASE("running sums and products of lines of any length, either way") {
    for (const index_t n : {1, 2, 5, 8, 31, 63, 64, 65, 130})
        for (const index_t lines : {1, 3, 300}) {
            const auto x = rc::evaluate(rc::rand<float>({lines, n}, rc::generator(1)) + 0.5f);
            const auto sums = rc::evaluate(rc::cumulative_sum(x, 1)),
                       products = rc::evaluate(rc::cumulative_prod(x, 1));
            const auto back = rc::grad([](const auto& v) { return rc::sum(rc::cumulative_sum(v, 1)); })(x);
            bool same = true;
            for (index_t i = 0; i < lines; ++i) {
                double sum = 0, product = 1;
                for (index_t j = 0; j < n; ++j) {
                    sum += x.at(i, j), product *= x.at(i, j);
                    same = same && std::abs(sums.at(i, j) - sum) <= 1e-6 * sum;
                    same = same && std::abs(products.at(i, j) - product) <= 1e-6 * product;
                    same = same && back.at(i, j) == float(n - j);
                }
            }
            CHECK(same);
        }
}

TEST_CASE("sums of complex rows of any length") {
    for (const index_t n : {1, 7, 8, 16, 17, 32, 33, 48, 64, 100}) {
        const auto re = rc::evaluate(rc::randn<float>({5, n}, rc::generator(2)));
        const auto im = rc::evaluate(rc::randn<float>({5, n}, rc::generator(3)));
        const auto z = rc::evaluate(rc::complex(re, im));
        const auto sums = rc::evaluate(rc::sum(z, 1)), squares = rc::evaluate(rc::sum(z * z, 1));
        bool same = true;
        for (index_t i = 0; i < 5; ++i) {
            std::complex<double> sum, square;
            for (index_t j = 0; j < n; ++j) {
                const std::complex<double> v(re.at(i, j), im.at(i, j));
                sum += v, square += v * v;
            }
            same = same && std::abs(std::complex<double>(sums.at(i)) - sum) <= 1e-5 * std::sqrt(double(n));
            same = same && std::abs(std::complex<double>(squares.at(i)) - square) <= 1e-5 * double(n);
        }
        CHECK(same);
    }
}

TEST_CASE("numbers that are repeated along rows of integers, in place, too") {
    for (const index_t n : {1, 15, 16, 100, 256, 300}) {
        const auto at = rc::evaluate(rc::random::integers(0, n, {40}, rc::generator(4)));
        const auto ones = rc::evaluate(rc::one_hot(at, n));
        const auto each = rc::evaluate(rc::arange<std::int64_t>(40 * n));
        auto in_place = rc::reshape(each, {40, n}).clone();
        in_place -= rc::index(at, rc::all, rc::newaxis) * in_place;
        bool same = true;
        for (index_t i = 0; i < 40; ++i)
            for (index_t j = 0; j < n; ++j) {
                same = same && ones.at(i, j) == (at.at(i) == j);
                same = same && in_place.at(i, j) == (i * n + j) * (1 - at.at(i));
            }
        CHECK(same);
    }
}

TEST_CASE_TEMPLATE("rows that are normalized, weighted and shifted in one pass", T, float, double) {
    for (const index_t n : {1, 3, 16, 40, 70}) {
        const auto x = rc::evaluate(rc::randn<T>({9, n}, rc::generator(5)));
        const auto w = rc::evaluate(rc::randn<T>({n}, rc::generator(6))),
                   b = rc::evaluate(rc::randn<T>({n}, rc::generator(7)));
        const auto close = [](const auto& p, const auto& q) { return rc::allclose(p, q, 1e-5, 1e-5); };
        const auto plain = rc::evaluate(rc::standardize(x, 1, {.epsilon = 1e-5}));
        CHECK(close(rc::layer_norm(x, n, w), plain * w));
        CHECK(close(rc::layer_norm(x, n, w, b), plain * w + b));
        CHECK(close(rc::layer_norm(x, n, rc::flip(w, 0), b), plain * rc::flip(w, 0) + b));
        CHECK(close(rc::layer_norm(x, n, rc::ones<T>({1}), b), plain + b));
        const auto r = rc::evaluate(1 / rc::sqrt(rc::mean(rc::square(x), 1, rc::keepdims) + T(0.01)));
        CHECK(close(rc::rms_norm(x, n, w, 0.01), x * r * w));
        const auto loss = [n](const auto& v, const auto& p) {
            return rc::sum(rc::square(rc::rms_norm(v, n, p, 0.01)));
        };
        const auto [x_bar, w_bar] = rc::grad(loss, rc::argnums<0, 1>)(x, w);
        const auto y_bar = rc::evaluate(2 * x * r * w);
        CHECK(close(w_bar, rc::sum(y_bar * x * r, 0)));
        CHECK(close(x_bar, r * y_bar * w - x * rc::mean(x * y_bar * w, 1, rc::keepdims) * (r * r * r)));
    }
}

TEST_CASE("windows of each channel alone, every second of any width") {
    for (const index_t n : {3, 8, 15, 30, 34, 37, 67}) {
        const auto x = rc::evaluate(rc::randn<float>({2, 3, 5, n}, rc::generator(8)));
        const auto w = rc::evaluate(rc::randn<float>({3, 1, 3, 3}, rc::generator(9)));
        rc::convolution_options<2> options;
        options.stride = 2, options.padding = 1, options.groups = 3;
        const auto y = rc::evaluate(rc::conv2d(x, w, options));
        REQUIRE(y.shape() == rc::shape<4>{2, 3, 3, (n + 1) / 2});
        bool same = true;
        for (index_t b = 0; b < 2; ++b)
            for (index_t c = 0; c < 3; ++c)
                for (index_t i = 0; i < 3; ++i)
                    for (index_t j = 0; j < (n + 1) / 2; ++j) {
                        double sum = 0;
                        for (index_t p = 0; p < 3; ++p)
                            for (index_t q = 0; q < 3; ++q) {
                                const index_t row = 2 * i + p - 1, column = 2 * j + q - 1;
                                if (row < 0 || row >= 5 || column < 0 || column >= n) continue;
                                sum += double(x.at(b, c, row, column)) * w.at(c, 0, p, q);
                            }
                        same = same && std::abs(y.at(b, c, i, j) - sum) < 1e-5;
                    }
        CHECK(same);
    }
}
