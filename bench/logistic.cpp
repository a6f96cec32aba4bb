// The gradient of logistic regression in float64: the mean of log(1 + exp(x w)) - t x w over all samples.
#include "bench.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;
using reg = rc::simd<double>;

struct problem {
    rc::tensor<double, 2> x;
    rc::tensor<double, 1> t, w;
    problem(index_t samples, index_t features)
        : x(input<double>(0, samples, features)),
          t(rc::evaluate(astype<double>(input<double>(1, samples) > 0.0))),
          w(rc::evaluate(0.1 * input<double>(2, features))) {}
    index_t samples() const { return x.shape(0); }
    index_t features() const { return x.shape(1); }
};

std::vector<double> expected(const problem& p) {
    std::vector<double> g(static_cast<std::size_t>(p.features()));
    for (index_t i = 0; i < p.samples(); ++i) {
        double z = 0;
        for (index_t j = 0; j < p.features(); ++j) z += p.x.at(i, j) * p.w.at(j);
        const double slope = (1 / (1 + std::exp(-z)) - p.t.at(i)) / double(p.samples());
        for (index_t j = 0; j < p.features(); ++j) g[static_cast<std::size_t>(j)] += slope * p.x.at(i, j);
    }
    return g;
}

double dot(const double* a, const double* b, index_t n) {
    reg even(0.0), odd(0.0);
    index_t j = 0;
    for (; j + 2 * reg::lanes <= n; j += 2 * reg::lanes) {
        even = rc::math::fma(reg::load(a + j), reg::load(b + j), even);
        odd = rc::math::fma(reg::load(a + j + reg::lanes), reg::load(b + j + reg::lanes), odd);
    }
    double sum = reduce_add(even + odd);
    for (; j < n; ++j) sum += a[j] * b[j];
    return sum;
}
/// g += a[0] x[0] + ... + a[3] x[3], rows of n.
void add_four_rows(const double* a, const double* x, double* g, index_t n) {
    const reg a0(a[0]), a1(a[1]), a2(a[2]), a3(a[3]);
    index_t j = 0;
    for (; j + reg::lanes <= n; j += reg::lanes) {
        const reg low = a0 * reg::load(x + j) + a1 * reg::load(x + n + j);
        const reg high = a2 * reg::load(x + 2 * n + j) + a3 * reg::load(x + 3 * n + j);
        (reg::load(g + j) + (low + high)).store(g + j);
    }
    for (; j < n; ++j) g[j] += a[0] * x[j] + a[1] * x[n + j] + a[2] * x[2 * n + j] + a[3] * x[3 * n + j];
}
/// For numbers of samples that are multiples of the lanes.
void by_hand(const problem& p, double* slope, double* g) {
    const index_t samples = p.samples(), features = p.features();
    for (index_t i = 0; i < samples; ++i) slope[i] = dot(p.x.data() + i * features, p.w.data(), features);
    const reg one(1.0), scale(1 / double(samples));
    for (index_t i = 0; i < samples; i += reg::lanes)
        ((one / (one + rc::math::exp(-reg::load(slope + i))) - reg::load(p.t.data() + i)) * scale).store(slope + i);
    for (index_t j = 0; j < features; ++j) g[j] = 0;
    for (index_t i = 0; i < samples; i += 4) add_four_rows(slope + i, p.x.data() + i * features, g, features);
}

void logistic(index_t samples, index_t features) {
    const row r("logistic_gradient", by(samples, features), 1e-9, [=] { return expected(problem(samples, features)); });
    r.add("ricci", [=] {
        return [p = problem(samples, features), g = rc::tensor<double, 1>()]() mutable {
            const auto loss = [&p](auto w) {
                const auto z = rc::evaluate(matmul(p.x, w));
                return rc::mean(log(1 + exp(z)) - p.t * z);
            };
            g = rc::grad(loss)(p.w);
            return whole(g);
        };
    });
    r.add("hand", [=] {
        return
            [p = problem(samples, features), slope = rc::empty<double>({samples}), g = rc::empty<double>({features})] {
                by_hand(p, slope.data(), g.data());
                return whole(g);
            };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_logistic(samples, features); });
#endif
}

const bool registered = [] {
    logistic(10000, 100);
    return true;
}();

}  // namespace
