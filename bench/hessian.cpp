// The Hessian of a function of 20 variables, in float64.
#include "bench.hpp"

namespace {

using namespace bench;

constexpr index_t n = 20;

/// log(1 + sum(x e^x)) sum(sin x): no entry is zero.
inline constexpr auto function = [](auto x) { return log(1 + sum(exp(x) * x)) * sum(sin(x)); };

/// With E = 1 + sum(x e^x), u its gradient and S = sum(sin x).
void by_hand(const double* x, double* h) {
    double e[n], sine[n], cosine[n], u[n], total = 1, sines = 0;
    for (index_t i = 0; i < n; ++i) {
        e[i] = std::exp(x[i]);
        sine[i] = std::sin(x[i]);
        cosine[i] = std::cos(x[i]);
        u[i] = e[i] * (1 + x[i]);
        total += e[i] * x[i];
        sines += sine[i];
    }
    const double logarithm = std::log(total), r = 1 / total;
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j)
            h[i * n + j] = r * (u[i] * cosine[j] + u[j] * cosine[i] - r * sines * u[i] * u[j]);
        h[i * n + i] += r * e[i] * (2 + x[i]) * sines - logarithm * sine[i];
    }
}
double gradient_at(const double* x, index_t k) {
    double total = 1, sines = 0;
    for (index_t i = 0; i < n; ++i) {
        total += std::exp(x[i]) * x[i];
        sines += std::sin(x[i]);
    }
    return std::exp(x[k]) * (1 + x[k]) / total * sines + std::log(total) * std::cos(x[k]);
}
void hessian() {
    const row r("hessian", n, 1e-8, [] {  // central differences of the gradient
        const auto x = input<double>(0, n).clone();
        std::vector<double> h;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                const double at = x.at(j), step = 1e-5;
                x.data()[j] = at + step;
                const double up = gradient_at(x.data(), i);
                x.data()[j] = at - step;
                h.push_back((up - gradient_at(x.data(), i)) / (2 * step));
                x.data()[j] = at;
            }
        return h;
    });
    r.add("ricci", [] {
        return [x = input<double>(0, n), h = rc::tensor<double, 2>()]() mutable {
            h = rc::hessian(function)(x);
            return whole(h);
        };
    });
    r.add("hand", [] {
        return [x = input<double>(0, n), h = rc::empty<double>({n, n})] {
            by_hand(x.data(), h.data());
            return whole(h);
        };
    });
}

const bool registered = [] {
    hessian();
    return true;
}();

}  // namespace
