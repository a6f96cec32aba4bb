// What is done to each row of a matrix: softmax, logsumexp, standardisation.
#include "bench.hpp"
#include "hand.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"
#if RICCI_BENCH_XTENSOR
#include <xtensor/xview.hpp>
#endif

namespace hand {

[[gnu::always_inline]] inline float largest(const float* x, index_t n) {
    reg a = reg::load(x), b = a;
    index_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        a = ricci::math::maximum(a, reg::load(x + i));
        b = ricci::math::maximum(b, reg::load(x + i + lanes));
    }
    if (i + lanes <= n) a = ricci::math::maximum(a, reg::load(x + i));
    return reduce_max(ricci::math::maximum(ricci::math::maximum(a, b), reg::load(x + n - lanes)));
}
[[gnu::noinline]] void softmax(const float* x, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r, x += columns, y += columns) {
        const reg shift(largest(x, columns));
        const float total = sum_registers<2>(columns, [&](index_t i) {
            const reg e = ricci::math::exp(reg::load(x + i) - shift);
            e.store(y + i);
            return e;
        });
        const float scale = 1 / total;
        // elements that the last register shares with the one before it are scaled once
        index_t i = 0;
        for (; i + lanes <= columns; i += lanes) (reg::load(y + i) * reg(scale)).store(y + i);
        for (; i < columns; ++i) y[i] *= scale;
    }
}
[[gnu::noinline]] void logsumexp(const float* x, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r, x += columns) {
        const float shift = largest(x, columns);
        y[r] = shift + std::log(sum_registers<2>(
                           columns, [&](index_t i) { return ricci::math::exp(reg::load(x + i) - reg(shift)); }));
    }
}
[[gnu::noinline]] void standardise(const float* x, float* y, index_t rows, index_t columns) {
    for (index_t r = 0; r < rows; ++r, x += columns, y += columns) {
        const float n = static_cast<float>(columns);
        const reg mean(sum_registers<4>(columns, [&](index_t i) { return reg::load(x + i); }) / n);
        const float squares = sum_registers<4>(columns, [&](index_t i) {
            const reg d = reg::load(x + i) - mean;
            return d * d;
        });
        const reg scale(1 / std::sqrt(squares / n));
        each_register(columns, [&](index_t i) { ((reg::load(x + i) - mean) * scale).store(y + i); });
    }
}

}  // namespace hand

namespace {

using namespace bench;

using plain_row = std::vector<double> (*)(std::vector<double>);

std::vector<double> by_rows(index_t rows, index_t columns, plain_row of) {
    std::vector<double> y;
    for (index_t r = 0; r < rows; ++r) {
        const float* const x = input(0, rows * columns).data() + r * columns;
        for (const double v : of(std::vector<double>(x, x + columns))) y.push_back(v);
    }
    return y;
}
std::vector<double> plain_logsumexp(std::vector<double> x) {
    double sum = 0;
    for (const double v : x) sum += std::exp(v);
    return {std::log(sum)};
}
std::vector<double> plain_softmax(std::vector<double> x) {
    const double total = plain_logsumexp(x)[0];
    for (double& v : x) v = std::exp(v - total);
    return x;
}
std::vector<double> plain_standardise(std::vector<double> x) {
    const double n = static_cast<double>(x.size());
    double mean = 0, squares = 0;
    for (const double v : x) mean += v / n;
    for (const double v : x) squares += (v - mean) * (v - mean) / n;
    for (double& v : x) v = (v - mean) / std::sqrt(squares);
    return x;
}

void softmax(index_t rows, index_t columns) {
    const row r("softmax", by(rows, columns), 1e-5, [=] { return by_rows(rows, columns, plain_softmax); });
    r.add("ricci", [=] {
        return [x = input(0, rows, columns), y = rc::tensor<float, 2>()]() mutable {
            y = rc::softmax(x, 1);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, rows, columns), y = rc::empty<float>({rows, columns})] {
            hand::softmax(x.data(), y.data(), x.shape(0), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, rows, columns), y = eigen_matrix(rows, columns)]() mutable {
            y = (x.colwise() - x.rowwise().maxCoeff()).exp();
            y.colwise() /= y.rowwise().sum().eval();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_array(0, rows, columns), y = xtensor_array(0, rows, columns)]() mutable {
            const auto now = xt::evaluation_strategy::immediate;
            const auto shift = xt::amax(x, {1}, now);
            xt::noalias(y) = xt::exp(x - xt::view(shift, xt::all(), xt::newaxis()));
            const auto total = xt::sum(y, {1}, now);
            y /= xt::view(total, xt::all(), xt::newaxis());
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_by_rows(rows, columns, by_row::softmax); });
#endif
}
void logsumexp(index_t rows, index_t columns) {
    const row r("logsumexp", by(rows, columns), 1e-5, [=] { return by_rows(rows, columns, plain_logsumexp); });
    r.add("ricci", [=] {
        return [x = input(0, rows, columns), y = rc::tensor<float, 1>()]() mutable {
            y = rc::logsumexp(x, 1);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, rows, columns), y = rc::empty<float>({rows})] {
            hand::logsumexp(x.data(), y.data(), x.shape(0), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, rows, columns), y = Eigen::ArrayXf(rows)]() mutable {
            const Eigen::ArrayXf shift = x.rowwise().maxCoeff();
            y = (x.colwise() - shift).exp().rowwise().sum().log() + shift;
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_by_rows(rows, columns, by_row::logsumexp); });
#endif
}
/// As the library's function and, with `written`, as the expression that it stands for.
void standardise(index_t rows, index_t columns, bool written) {
    const row r(written ? "standardise written" : "standardise", by(rows, columns), 1e-4,
                [=] { return by_rows(rows, columns, plain_standardise); });
    r.add("ricci", [=] {
        return [=, x = input(0, rows, columns), y = rc::tensor<float, 2>()]() mutable {
            if (written) y = (x - mean(x, 1, rc::keepdims)) / rc::stddev(x, 1, rc::keepdims);
            else y = rc::standardize(x, 1);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, rows, columns), y = rc::empty<float>({rows, columns})] {
            hand::standardise(x.data(), y.data(), x.shape(0), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, rows, columns), y = eigen_matrix(rows, columns)]() mutable {
            y = x.colwise() - x.rowwise().mean();
            y.colwise() /= y.square().rowwise().mean().sqrt().eval();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_by_rows(rows, columns, by_row::standardise); });
#endif
}

const bool registered = [] {
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{5, 20}, {100, 100}, {1000, 1000}}) {
        softmax(rows, columns);
        logsumexp(rows, columns);
        standardise(rows, columns, false);
        standardise(rows, columns, true);
    }
    return true;
}();

}  // namespace
