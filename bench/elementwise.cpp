// y = a * b + c and y = sin(x) exp(-x^2) / (1 + x^2), into memory that exists.
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

const bool registered = [] {
    for (const index_t n : sizes) multiply_add(n);
    for (const index_t n : sizes) chain_value(n);
    return true;
}();

}  // namespace
