// y = a * b + c, y = sin(x) exp(-x^2) / (1 + x^2) and y[i, j] = exp(v[i]) cos(v[j]), into memory that exists.
#include "bench.hpp"
#include "hand.hpp"
#include "peers.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;

void multiply_add(index_t n) {
    const row r("multiply_add", n, 1e-6,
                [n] { return each([](double a, double b, double c) { return a * b + c; }, input(0, n), input(1, n), input(2, n)); });
    r.add("ricci", [n] {
        return [a = input(0, n), b = input(1, n), c = input(2, n), y = rc::tensor<float, 1>()]() mutable {
            y = a * b + c;
            return whole(y);
        };
    });
    r.add("hand", [n] {
        return [a = input(0, n).data(), b = input(1, n).data(), c = input(2, n).data(), y = rc::empty<float>({n})] {
            hand::multiply_add(a, b, c, y.data(), y.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        return [a = eigen_vector(0, n), b = eigen_vector(1, n), c = eigen_vector(2, n), y = Eigen::ArrayXf(n)]() mutable {
            y = a * b + c;
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [n] {
        return [a = xtensor_vector(0, n), b = xtensor_vector(1, n), c = xtensor_vector(2, n), y = xtensor_like(n)]() mutable {
            xt::noalias(y) = a * b + c;
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [n] { return torch_multiply_add(n); });
#endif
}

void chain_value(index_t n) {
    const row r("chain", n, 1e-5, [n] { return each(chain::at, input(0, n)); });
    r.add("ricci", [n] {
        return [x = input(0, n), y = rc::tensor<float, 1>()]() mutable {
            y = sin(x) * exp(-x * x) / (1 + x * x);
            return whole(y);
        };
    });
    r.add("hand", [n] {
        return [x = input(0, n).data(), y = rc::empty<float>({n})] {
            hand::chain(x, y.data(), y.size());
            return whole(y);
        };
    });
    r.add("xsimd", [n] {
        return [x = input(0, n).data(), y = rc::empty<float>({n})] {
            hand::plain::chain(x, y.data(), y.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        return [x = eigen_vector(0, n), y = Eigen::ArrayXf(n)]() mutable {
            y = x.sin() * (-x * x).exp() / (1 + x * x);
            return result{y.data(), y.size()};
        };
    });
#endif
#if RICCI_BENCH_XTENSOR
    r.add("xtensor", [n] {
        return [x = xtensor_vector(0, n), y = xtensor_like(n)]() mutable {
            xt::noalias(y) = xt::sin(x) * xt::exp(-x * x) / (1.0f + x * x);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_TORCH
    r.add("torch", [n] { return torch_chain(n); });
#endif
}

void outer_functions(index_t n) {
    const row r("outer_functions", by(n, n), 1e-6, [n] {
        std::vector<double> y;
        const float* const v = input(0, n).data();
        for (index_t i = 0; i < n * n; ++i) y.push_back(std::exp(double(v[i / n])) * std::cos(double(v[i % n])));
        return y;
    });
    r.add("ricci", [n] {
        return [v = input(0, n), y = rc::tensor<float, 2>()]() mutable {
            y = exp(v(rc::all, rc::newaxis)) * cos(v);
            return whole(y);
        };
    });
    r.add("hand", [n] {
        return [v = input(0, n).data(), exps = rc::empty<float>({n}), cosines = rc::empty<float>({n}),
                y = rc::empty<float>({n, n})] {
            hand::outer_functions(v, exps.data(), cosines.data(), y.data(), exps.size());
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        return [v = eigen_vector(0, n), y = Eigen::ArrayXXf(n, n)]() mutable {
            y.matrix().noalias() = v.cos().matrix() * v.exp().matrix().transpose();  // columns are our rows
            return result{y.data(), y.size()};
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : sizes) multiply_add(n);
    for (const index_t n : sizes) chain_value(n);
    for (const index_t n : {32, 300, 1000}) outer_functions(n);
    return true;
}();

}  // namespace
