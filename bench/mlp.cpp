// Gradients for each sample of a perceptron with one hidden layer, 784-256-10: vmap of grad, against products and loops
// over the whole batch written by hand.
#include <algorithm>

#include "bench.hpp"
#include "torch_rows.hpp"

namespace {

using namespace bench;

constexpr index_t inputs = 784, hidden = 256, outputs = 10;

/// A batch and the weights, the same numbers for all. The gradients of a batch have hundreds of megabytes: what is
/// compared is a row of each weight matrix's gradient for each sample.
struct problem {
    index_t batch;
    rc::tensor<float, 2> w1 = rc::evaluate(0.05 * input(0, hidden, inputs)),
                         w2 = rc::evaluate(0.1 * input(1, outputs, hidden));
    rc::tensor<float, 1> b1 = input(2, hidden), b2 = input(3, outputs);
    rc::tensor<float, 2> x = input(4, batch, inputs), y = input(5, batch, outputs);
    rc::tensor<float, 2> picked = rc::empty<float>({batch, inputs + hidden});

    result pick(const float* g1, const float* g2) const {
        for (index_t s = 0; s < batch; ++s) {
            float* const to = picked.data() + s * (inputs + hidden);
            std::copy_n(g1 + (s * hidden + s % hidden) * inputs, inputs, to);
            std::copy_n(g2 + (s * outputs + s % outputs) * hidden, hidden, to + inputs);
        }
        return whole(picked);
    }
};

std::vector<double> expected(const problem& p) {
    std::vector<double> picked;
    for (index_t s = 0; s < p.batch; ++s) {
        std::vector<double> h(hidden), o_bar(outputs);
        for (index_t i = 0; i < hidden; ++i) {
            double z = p.b1.at(i);
            for (index_t j = 0; j < inputs; ++j) z += double(p.w1.at(i, j)) * p.x.at(s, j);
            h[static_cast<std::size_t>(i)] = std::tanh(z);
        }
        for (index_t i = 0; i < outputs; ++i) {
            double z = p.b2.at(i) - p.y.at(s, i);
            for (index_t j = 0; j < hidden; ++j) z += p.w2.at(i, j) * h[static_cast<std::size_t>(j)];
            o_bar[static_cast<std::size_t>(i)] = 2 * z;
        }
        const index_t row = s % hidden;
        double slope = 0;
        for (index_t i = 0; i < outputs; ++i) slope += p.w2.at(i, row) * o_bar[static_cast<std::size_t>(i)];
        const double at = h[static_cast<std::size_t>(row)];
        for (index_t j = 0; j < inputs; ++j) picked.push_back(slope * (1 - at * at) * p.x.at(s, j));
        for (const double v : h) picked.push_back(o_bar[static_cast<std::size_t>(s % outputs)] * v);
    }
    return picked;
}

/// to(i, j) = left(i) right(j) for each sample.
void outer_products(index_t batch, index_t m, index_t n, const float* left, const float* right, float* to) {
    using reg = rc::simd<float>;
    for (index_t s = 0; s < batch; ++s, right += n)
        for (index_t i = 0; i < m; ++i, to += n) {
            const reg factor(*left++);
            for (index_t j = 0; j < n; j += reg::lanes) (factor * reg::load(right + j)).store(to + j);
        }
}
result by_hand(const problem& p) {
    using reg = rc::simd<float>;
    using rc::detail::gemm;
    const index_t batch = p.batch;
    const auto g1 = rc::empty<float>({batch, hidden, inputs}), g2 = rc::empty<float>({batch, outputs, hidden});
    const auto h = rc::empty<float>({batch, hidden}), h_bar = rc::empty<float>({batch, hidden}),
               o_bar = rc::empty<float>({batch, outputs});
    gemm<float>(batch, hidden, inputs, p.x.data(), inputs, 1, p.w1.data(), 1, inputs, h.data(), hidden);
    for (index_t s = 0; s < batch; ++s)
        for (index_t j = 0; j < hidden; j += reg::lanes) {
            float* const at = h.data() + s * hidden + j;
            rc::math::tanh(reg::load(at) + reg::load(p.b1.data() + j)).store(at);
        }
    gemm<float>(batch, outputs, hidden, h.data(), hidden, 1, p.w2.data(), 1, hidden, o_bar.data(), outputs);
    for (index_t i = 0; i < batch * outputs; ++i)
        o_bar.data()[i] = 2 * (o_bar.data()[i] + p.b2.data()[i % outputs] - p.y.data()[i]);
    gemm<float>(batch, hidden, outputs, o_bar.data(), outputs, 1, p.w2.data(), hidden, 1, h_bar.data(), hidden);
    for (index_t i = 0; i < batch * hidden; i += reg::lanes) {
        const reg v = reg::load(h.data() + i);
        (reg::load(h_bar.data() + i) * (reg(1.0f) - v * v)).store(h_bar.data() + i);
    }
    outer_products(batch, outputs, hidden, o_bar.data(), h.data(), g2.data());
    outer_products(batch, hidden, inputs, h_bar.data(), p.x.data(), g1.data());
    return p.pick(g1.data(), g2.data());
}

inline constexpr auto loss = [](auto w1, auto b1, auto w2, auto b2, auto x, auto y) {
    const auto h = rc::evaluate(tanh(matmul(w1, x) + b1));
    return sum(square(matmul(w2, h) + b2 - y));
};

void per_sample(index_t batch) {
    const row r("per_sample_mlp", batch, 1e-4, [=] { return expected(problem{batch}); });
    r.add("ricci", [=] {
        return [p = problem{batch}] {
            const auto each = rc::vmap(rc::grad(loss, rc::argnums<0, 1, 2, 3>),
                                       rc::in_axes(rc::none, rc::none, rc::none, rc::none, 0, 0));
            const auto g = each(p.w1, p.b1, p.w2, p.b2, p.x, p.y);
            return p.pick(std::get<0>(g).data(), std::get<2>(g).data());
        };
    });
    r.add("hand", [=] { return [p = problem{batch}] { return by_hand(p); }; });
#if RICCI_BENCH_TORCH
    r.add("torch", [=] { return torch_per_sample_mlp(batch); });
#endif
}

const bool registered = [] {
    per_sample(256);
    return true;
}();

}  // namespace
