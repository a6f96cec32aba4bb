// Derivatives: of the sum of the chain in reverse and forward mode, Hessian times vector of Rosenbrock's function, and
// gradients for each sample.
#include "bench.hpp"
#include "hand.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;

inline constexpr auto chain_sum = [](auto x) { return sum(chain::value(x)); };

void gradient(index_t n) {
    const row r("gradient", n, 1e-5, [n] { return each(chain::slope, input(0, n)); });
    r.add("ricci", [n] {
        return [x = input(0, n), g = rc::tensor<float, 1>()]() mutable {
            g = rc::grad(chain_sum)(x);
            return whole(g);
        };
    });
    r.add("hand", [n] {
        return [x = input(0, n).data(), g = rc::empty<float>({n})] {
            hand::chain_gradient(x, g.data(), g.size());
            return whole(g);
        };
    });
    r.add("xsimd", [n] {
        return [x = input(0, n).data(), g = rc::empty<float>({n})] {
            hand::plain::chain_gradient(x, g.data(), g.size());
            return whole(g);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [n] { return torch_gradient(n); });
#endif
}

void value_and_gradient(index_t n) {
    const row r("value_and_gradient", n, 1e-4, [n] {
        auto y = each(chain::slope, input(0, n));
        double sum = 0;
        for (const double v : each(chain::at, input(0, n))) sum += v;
        y[0] += sum;  // the value is checked with the first element
        return y;
    });
    r.add("ricci", [n] {
        return [x = input(0, n), g = rc::tensor<float, 1>()]() mutable {
            auto both = rc::value_and_grad(chain_sum)(x);
            g = std::get<1>(both);
            g.data()[0] += std::get<0>(both).item();
            return whole(g);
        };
    });
    r.add("hand", [n] {
        return [x = input(0, n).data(), g = rc::empty<float>({n})] {
            g.data()[0] += hand::chain_value_and_gradient(x, g.data(), g.size());
            return whole(g);
        };
    });
}

void tangent(index_t n) {
    const row r("jvp", n, 1e-5, [n] {
        return each([](double x, double v) { return chain::at(x) + chain::slope(x) * v; }, input(0, n), input(1, n));
    });
    // both results count: a last pass, the same for all, adds them up
    const auto add_up = [](const float* y, const float* y_dot, const rc::tensor<float, 1>& both) {
        hand::each_register(both.size(), [&](index_t i) {
            (hand::reg::load(y + i) + hand::reg::load(y_dot + i)).store(both.data() + i);
        });
        return whole(both);
    };
    r.add("ricci", [=] {
        return [=, x = input(0, n), v = input(1, n), both = rc::empty<float>({n})] {
            const auto [y, y_dot] = rc::jvp(chain::value, x, v);
            return add_up(y.data(), y_dot.data(), both);
        };
    });
    r.add("hand", [=] {
        return [=, x = input(0, n).data(), v = input(1, n).data(), y = rc::empty<float>({n}), y_dot = rc::empty<float>({n}),
                both = rc::empty<float>({n})] {
            hand::chain_tangent(x, v, y.data(), y_dot.data(), n);
            return add_up(y.data(), y_dot.data(), both);
        };
    });
}

inline constexpr auto rosenbrock = [](auto x) {
    const auto head = x(rc::slice(0, -1)), tail = x(rc::slice(1, rc::none));
    return sum(100 * square(tail - square(head)) + square(1 - head));
};
void rosenbrock_hvp(index_t n) {
    const row r("rosenbrock_hvp", n, 1e-4, [n] {
        const float *x = input(0, n).data(), *v = input(1, n).data();
        std::vector<double> h(static_cast<std::size_t>(n));
        for (index_t i = 0; i + 1 < n; ++i) {
            const double at = x[i], next = x[i + 1], slope = v[i], slope_next = v[i + 1];
            h[static_cast<std::size_t>(i)] += (1200 * at * at - 400 * next + 2) * slope - 400 * at * slope_next;
            h[static_cast<std::size_t>(i + 1)] += 200 * slope_next - 400 * at * slope;
        }
        return h;
    });
    r.add("ricci", [n] {
        return [x = input(0, n), v = input(1, n), h = rc::tensor<float, 1>()]() mutable {
            h = rc::hvp(rosenbrock, x, v);
            return whole(h);
        };
    });
    r.add("hand", [n] {
        return [x = input(0, n).data(), v = input(1, n).data(), h = rc::empty<float>({n})] {
            hand::rosenbrock_hvp(x, v, h.data(), h.size());
            return whole(h);
        };
    });
#if RICCI_BENCH_TORCH
    r.add("torch", [n] { return torch_rosenbrock_hvp(n); });
#endif
}

void per_sample(index_t samples, index_t features) {
    const row r("per_sample_gradients", by(samples, features), 1e-4, [=] {
        const float *w = input(0, features).data(), *x = input(1, samples * features).data(), *y = input(2, samples).data();
        std::vector<double> g;
        for (index_t s = 0; s < samples; ++s, x += features) {
            double dot = 0;
            for (index_t j = 0; j < features; ++j) dot += double(w[j]) * x[j];
            for (index_t j = 0; j < features; ++j) g.push_back(2 * (dot - y[s]) * x[j]);
        }
        return g;
    });
    r.add("ricci", [=] {
        return [w = input(0, features), x = input(1, samples, features), y = input(2, samples), g = rc::tensor<float, 2>()]() mutable {
            const auto loss = [](auto weights, auto sample, auto label) { return square(sum(weights * sample) - label); };
            g = rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0, 0))(w, x, y);
            return whole(g);
        };
    });
    r.add("hand", [=] {
        return [=, w = input(0, features).data(), x = input(1, samples * features).data(), y = input(2, samples).data(),
                g = rc::empty<float>({samples, features})] {
            hand::per_sample_gradients(w, x, y, g.data(), samples, features);
            return whole(g);
        };
    });
}

const bool registered = [] {
    for (const index_t n : sizes) gradient(n);
    for (const index_t n : sizes) value_and_gradient(n);
    for (const index_t n : sizes) tangent(n);
    rosenbrock_hvp(100000);
    per_sample(10000, 64);
    return true;
}();

}  // namespace
