// sum(exp(-x^2)), sums over one axis, and broadcasts of a column and a row.
#include "bench.hpp"
#include "hand.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"
#if RICCI_BENCH_XTENSOR
#include <xtensor/xview.hpp>
#endif

namespace {

using namespace bench;

void sum_exp(index_t n) {
    const row r("sum_exp", n, 1e-3, [n] {
        double sum = 0;
        for (const double e : each([](double x) { return std::exp(-x * x); }, input(0, n))) sum += e;
        return std::vector<double>{sum};
    });
    const auto once = [](auto f) { return [f, y = 0.0f]() mutable { return result{&(y = f()), 1}; }; };
    r.add("ricci", [=] { return once([x = input(0, n)] { return sum(exp(-x * x)).item(); }); });
    r.add("hand", [=] { return once([x = input(0, n).data(), n] { return hand::sum_exp(x, n); }); });
    r.add("xsimd", [=] { return once([x = input(0, n).data(), n] { return hand::plain::sum_exp(x, n); }); });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] { return once([x = eigen_vector(0, n)] { return (-x * x).exp().sum(); }); });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return once([x = xtensor_vector(0, n)] { return xt::sum(xt::exp(-x * x), xt::evaluation_strategy::immediate)(); });
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_sum_exp(n); });
#endif
}

std::vector<double> axis_sums(index_t n, int axis) {
    std::vector<double> y(static_cast<std::size_t>(n));
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) y[static_cast<std::size_t>(axis == 0 ? j : i)] += input(0, n * n).data()[i * n + j];
    return y;
}
void sum_axis(index_t n, int axis) {
    const row r("sum_axis" + std::to_string(axis), by(n, n), 1e-4, [=] { return axis_sums(n, axis); });
    r.add("ricci", [=] {
        return [x = input(0, n, n), axis, y = rc::tensor<float, 1>()]() mutable {
            y = sum(x, axis);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n, n), axis, y = rc::empty<float>({n})] {
            (axis == 0 ? hand::sum_axis0 : hand::sum_axis1)(x.data(), y.data(), x.shape(0), x.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [x = eigen_array(0, n, n), axis, y = Eigen::ArrayXf(n)]() mutable {
            if (axis == 0) y = x.colwise().sum();
            else y = x.rowwise().sum();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [x = xtensor_array(0, n, n), axis, y = xtensor_like(n)]() mutable {
            y = xt::sum(x, {axis}, xt::evaluation_strategy::immediate);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_sum_axis(n, axis); });
#endif
}

/// Of groups of rows, each a few numbers.
void sum_middle(index_t groups, index_t rows, index_t columns) {
    const index_t n = groups * rows * columns;
    const row r("sum_middle", by(groups, rows) + "x" + std::to_string(columns), 1e-5, [=] {
        std::vector<double> y(static_cast<std::size_t>(groups * columns));
        for (index_t i = 0; i < n; ++i)
            y[static_cast<std::size_t>(i / (rows * columns) * columns + i % columns)] += input(0, n).data()[i];
        return y;
    });
    r.add("ricci", [=] {
        return [x = reshape(input(0, n), {groups, rows, columns}), y = rc::tensor<float, 2>()]() mutable {
            y = sum(x, 1);
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), y = rc::empty<float>({groups, columns}), rows] {
            hand::sum_middle(x.data(), y.data(), y.shape(0), rows, y.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_sum_middle(groups, rows, columns); });
#endif
}

/// A row added to each group of rows.
void add_middle(index_t groups, index_t rows, index_t columns) {
    const index_t n = groups * rows * columns;
    const row r("add_middle", by(groups, rows) + "x" + std::to_string(columns), 1e-6, [=] {
        std::vector<double> y;
        for (index_t i = 0; i < n; ++i)
            y.push_back(double(input(0, n).data()[i]) +
                        double(input(1, groups * columns).data()[i / (rows * columns) * columns + i % columns]));
        return y;
    });
    r.add("ricci", [=] {
        return [x = reshape(input(0, n), {groups, rows, columns}),
                w = reshape(input(1, groups * columns), {groups, 1, columns}), y = rc::tensor<float, 3>()]() mutable {
            y = x + w;
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [x = input(0, n), w = input(1, groups * columns), y = rc::empty<float>({groups, rows, columns})] {
            hand::add_middle(x.data(), w.data(), y.data(), y.shape(0), y.shape(1), y.shape(2));
            return whole(y);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_add_middle(groups, rows, columns); });
#endif
}

void broadcast(index_t n, bool column) {
    const row r(column ? "add_column" : "add_row", by(n, n), 1e-6, [=] {
        std::vector<double> y;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                y.push_back(double(input(0, n * n).data()[i * n + j]) + double(input(1, n).data()[column ? i : j]));
        return y;
    });
    r.add("ricci", [=] {
        const auto line = column ? input(1, n, 1) : input(1, 1, n);
        return [a = input(0, n, n), line, y = rc::tensor<float, 2>()]() mutable {
            y = a + line;
            return whole(y);
        };
    });
    r.add("hand", [=] {
        return [a = input(0, n, n), line = input(1, n).data(), y = rc::empty<float>({n, n}), column] {
            (column ? hand::add_column : hand::add_row)(a.data(), line, y.data(), a.shape(0), a.shape(1));
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [a = eigen_array(0, n, n), line = eigen_vector(1, n), y = eigen_matrix(n, n), column]() mutable {
            if (column) y = a.colwise() + line;
            else y = a.rowwise() + line.transpose();
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [=] {
        return [a = xtensor_array(0, n, n), line = column ? xtensor_array(1, n, 1) : xtensor_array(1, 1, n),
                y = xtensor_array(0, n, n)]() mutable {
            xt::noalias(y) = a + line;
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_broadcast(n, column); });
#endif
}

const bool registered = [] {
    for (const index_t n : sizes) sum_exp(n);
    for (const int axis : {0, 1})
        for (const index_t n : {1000, 1024}) sum_axis(n, axis);
    sum_middle(10000, 10, 16);
    sum_middle(10000, 10, 3);
    add_middle(10000, 10, 8);
    add_middle(10000, 10, 12);
    for (const bool column : {true, false})
        for (const index_t n : {1000, 1024}) broadcast(n, column);
    return true;
}();

}  // namespace
