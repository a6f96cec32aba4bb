// libtorch's contestants, written as its users write them, eagerly. Its headers are heavy, so they are compiled once.
// OMP_NUM_THREADS=1 in the environment keeps it to one thread.
#include "problems.hpp"

#if RICCI_BENCH_TORCH
#include <torch/torch.h>

namespace gradbench {
namespace {

using torch::Tensor;

Tensor borrowed(const double* data, std::vector<std::int64_t> extents) {
    return torch::from_blob(const_cast<double*>(data), extents, torch::kFloat64);
}
/// The value, unrecorded, and the gradient of a scalar function of parameters.
template <class F>
contestant contest(const F& f, std::vector<Tensor> parameters) {
    for (auto& p : parameters) p.requires_grad_(true);
    return {[=] {
                const torch::NoGradGuard off;
                (void)f(parameters).template item<double>();
            },
            [=] { (void)torch::autograd::grad({f(parameters)}, parameters); }};
}
Tensor log_sum_exp(const Tensor& x, std::int64_t axis) { return torch::logsumexp(x, axis); }

}  // namespace

contestant torch_gmm(const double* points, const double* alphas, const double* means, const double* roots, index_t n,
                     index_t d, index_t k) {
    const auto x = borrowed(points, {n, d});
    const auto below = torch::tril_indices(d, d, -1);
    // ADBench lists the entries below the diagonal by columns, tril_indices by rows
    auto order = torch::empty({d * (d - 1) / 2}, torch::kInt64);
    for (index_t i = 0, l = 0; i < d; ++i)
        for (index_t j = 0; j < i; ++j, ++l) order[l] = j * d - j * (j + 1) / 2 + i - j - 1;
    return contest(
        [=](const std::vector<Tensor>& at) {
            const auto log_diagonal = at[2].slice(1, 0, d), diagonal = log_diagonal.exp(), rest = at[2].slice(1, d);
            auto q = torch::diag_embed(diagonal);
            q.index_put_({torch::indexing::Slice(), below[0], below[1]}, rest.index_select(1, order));
            const auto y = torch::einsum("kij,knj->kni", {q, x.unsqueeze(0) - at[1].unsqueeze(1)});
            const auto log_volume = log_diagonal.sum(1);
            const auto terms = (at[0] + log_volume).unsqueeze(1) - 0.5 * y.square().sum(2);
            const auto prior = 0.5 * (diagonal.square().sum() + rest.square().sum());
            return log_sum_exp(terms, 0).sum() - double(n) * log_sum_exp(at[0], 0) + prior;
        },
        {borrowed(alphas, {k}), borrowed(means, {k, d}), borrowed(roots, {k, d * (d + 1) / 2})});
}

contestant torch_kmeans(const double* points, const double* centroids, index_t n, index_t d, index_t k) {
    const auto x = borrowed(points, {n, d});
    const auto cost = [=](const Tensor& c) {
        const auto nearest = (x.unsqueeze(1) - c.detach().unsqueeze(0)).square().sum(2).argmin(1);
        return (x - c.index_select(0, nearest)).square().sum();
    };
    auto c = borrowed(centroids, {k, d}).requires_grad_(true);
    return {[=] {
                const torch::NoGradGuard off;
                (void)cost(c).item<double>();
            },
            [=] {
                const auto gradient = torch::autograd::grad({cost(c)}, {c}, {}, true, true)[0];
                const auto diagonal = torch::autograd::grad({gradient}, {c}, {torch::ones_like(gradient)})[0];
                (void)(gradient.detach() / diagonal);
            }};
}

contestant torch_llsq(const double* x, index_t n, index_t m) {
    const auto t = torch::linspace(-1, 1, n, torch::kFloat64);
    const auto powers = t.unsqueeze(1).pow(torch::arange(m, torch::kFloat64)), signs = t.sign();
    return contest(
        [=](const std::vector<Tensor>& at) { return 0.5 * (signs - torch::matmul(powers, at[0])).square().sum(); },
        {borrowed(x, {m})});
}

contestant torch_lse(const double* x, index_t n) {
    return contest([](const std::vector<Tensor>& at) { return log_sum_exp(at[0], 0); }, {borrowed(x, {n})});
}

contestant torch_lstm(const double* main, const double* extra, const double* state, const double* sequence, index_t l,
                      index_t c, index_t b) {
    const auto start = borrowed(state, {2 * l, b}), bits = borrowed(sequence, {c, b});
    return contest(
        [=](const std::vector<Tensor>& at) {
            std::vector<Tensor> hidden, cell, weight, bias;
            for (index_t i = 0; i < l; ++i) {
                hidden.push_back(start[2 * i]);
                cell.push_back(start[2 * i + 1]);
                weight.push_back(at[0][2 * i]);
                bias.push_back(at[0][2 * i + 1]);
            }
            auto total = torch::zeros({}, torch::kFloat64);
            for (index_t t = 0; t + 1 < c; ++t) {
                auto x = bits[t] * at[1][0];
                for (std::size_t i = 0; i < hidden.size(); ++i) {
                    const auto gates = (torch::cat({x, hidden[i], x, hidden[i]}) * weight[i] + bias[i]).chunk(4);
                    cell[i] = cell[i] * torch::sigmoid(gates[0]) + torch::sigmoid(gates[1]) * torch::tanh(gates[3]);
                    x = hidden[i] = torch::sigmoid(gates[2]) * torch::tanh(cell[i]);
                }
                const auto y = x * at[1][1] + at[1][2];
                total = total + (bits[t + 1] * (y - torch::log(y.exp().sum() + 2))).sum();
            }
            return -total / double((c - 1) * b);
        },
        {borrowed(main, {2 * l, 4 * b}), borrowed(extra, {3, b})});
}

}  // namespace gradbench

#else

namespace gradbench {

contestant torch_gmm(const double*, const double*, const double*, const double*, index_t, index_t, index_t) {
    return {};
}
contestant torch_kmeans(const double*, const double*, index_t, index_t, index_t) { return {}; }
contestant torch_llsq(const double*, index_t, index_t) { return {}; }
contestant torch_lse(const double*, index_t) { return {}; }
contestant torch_lstm(const double*, const double*, const double*, const double*, index_t, index_t, index_t) {
    return {};
}

}  // namespace gradbench

#endif
