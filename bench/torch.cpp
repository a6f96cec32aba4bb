// libtorch's entries in the rows of the other files: its headers are heavy, so they are compiled once.
// OMP_NUM_THREADS=1 in the environment keeps it to one thread; at::set_num_threads would start some, after which every
// library in the process counts its references by locked instructions.
#if RICCI_BENCH_TORCH
#include <torch/torch.h>

#include "torch_rows.hpp"

namespace bench {
namespace {

template <class T = float>
torch::Tensor tensor(int k, std::vector<std::int64_t> shape) {
    index_t n = 1;
    for (const auto extent : shape) n *= extent;
    return torch::from_blob(const_cast<T*>(input<T>(k, n).data()), shape, torch::CppTypeToScalarType<T>::value);
}
/// A contestant that keeps the tensor whose elements it gives.
template <class T = float, class Run>
contestant keep(Run run) {
    return [run, y = torch::Tensor()]() mutable {
        y = run();
        return result{y.template data_ptr<T>(), static_cast<index_t>(y.numel())};
    };
}
/// The same without recording for gradients.
template <class Run>
contestant plain(Run run) {
    return keep([run] {
        const torch::NoGradGuard off;
        return run().contiguous();
    });
}
torch::Tensor indices(const rc::tensor<std::int64_t, 1>& i) {
    return torch::from_blob(i.data(), {i.size()}, torch::kInt64).clone();
}
torch::Tensor chain_of(const torch::Tensor& x) { return torch::sin(x) * torch::exp(-x * x) / (1 + x * x); }

}  // namespace

contestant torch_multiply_add(index_t n) {
    return plain([a = tensor(0, {n}), b = tensor(1, {n}), c = tensor(2, {n})] { return a * b + c; });
}
contestant torch_chain(index_t n) {
    return plain([x = tensor(0, {n})] { return chain_of(x); });
}
contestant torch_gradient(index_t n) {
    return keep([x = tensor(0, {n}).requires_grad_(true)] { return torch::autograd::grad({chain_of(x).sum()}, {x})[0]; });
}
contestant torch_sum_exp(index_t n) {
    return plain([x = tensor(0, {n})] { return torch::exp(-x * x).sum(); });
}
contestant torch_sum_axis(index_t n, int axis) {
    return plain([x = tensor(0, {n, n}), axis] { return x.sum(axis); });
}
contestant torch_sum_middle(index_t groups, index_t rows, index_t columns) {
    return plain([x = tensor(0, {groups, rows, columns})] { return x.sum(1); });
}
contestant torch_add_middle(index_t groups, index_t rows, index_t columns) {
    return plain([x = tensor(0, {groups, rows, columns}), w = tensor(1, {groups, 1, columns})] { return x + w; });
}
contestant torch_broadcast(index_t n, bool column) {
    return plain([a = tensor(0, {n, n}), line = column ? tensor(1, {n, 1}) : tensor(1, {1, n})] { return a + line; });
}
contestant torch_matmul(index_t n) {
    return plain([a = tensor(0, {n, n}), b = tensor(1, {n, n})] { return torch::matmul(a, b); });
}
contestant torch_gather(index_t rows, index_t columns, const rc::tensor<std::int64_t, 1>& positions) {
    return plain([x = columns ? tensor(0, {rows, columns}) : tensor(0, {rows}), i = indices(positions)] {
        return x.index_select(0, i);
    });
}
contestant torch_select_positive(index_t n) {
    return plain([x = tensor(0, {n})] { return x.masked_select(x > 0); });
}
contestant torch_add_rows(index_t rows, index_t columns, const rc::tensor<std::int64_t, 1>& positions) {
    return plain([x = tensor(0, {rows, columns}), i = indices(positions), columns] {
        return torch::zeros({10, columns}).index_add_(0, i, x);
    });
}
contestant torch_scatter_add(index_t n, index_t bins, const rc::tensor<std::int64_t, 1>& positions) {
    return plain(
        [x = tensor(0, {n}), i = indices(positions), bins] { return torch::zeros({bins}).scatter_add_(0, i, x); });
}
contestant torch_by_rows(index_t rows, index_t columns, by_row what) {
    return plain([x = tensor(0, {rows, columns}), what] {
        if (what == by_row::softmax) return torch::softmax(x, 1);
        if (what == by_row::logsumexp) return torch::logsumexp(x, 1);
        return (x - x.mean(1, true)) / x.std(1, false, true);
    });
}
contestant torch_along(index_t n, along what) {
    return plain([x = tensor(0, {n}), what] {
        if (what == along::cumulative_sum) return torch::cumsum(x, 0);
        if (what == along::sort) return std::get<0>(torch::sort(x));
        if (what == along::every_second) return x.slice(0, 0, x.numel(), 2);
        return x.flip(0);
    });
}
contestant torch_argmax(index_t rows, index_t columns) {
    return keep<double>([x = tensor(0, {rows, columns})] { return x.argmax(1).to(torch::kFloat64); });
}
contestant torch_transpose(index_t n) {
    return plain([x = tensor(0, {n, n})] { return x.t(); });
}
contestant torch_laplace(index_t n) {
    return plain([x = tensor(0, {n, n}), n] {
        const auto of = [&](index_t i, index_t j) { return x.slice(0, i, i + n - 2).slice(1, j, j + n - 2); };
        return of(0, 1) + of(2, 1) + of(1, 0) + of(1, 2) - 4 * of(1, 1);
    });
}
contestant torch_rosenbrock_hvp(index_t n) {
    return keep([x = tensor(0, {n}).requires_grad_(true), v = tensor(1, {n})] {
        const auto head = x.slice(0, 0, -1), tail = x.slice(0, 1);
        const auto y = (100 * (tail - head.square()).square() + (1 - head).square()).sum();
        const auto g = torch::autograd::grad({y}, {x}, {}, true, true)[0];
        return torch::autograd::grad({g}, {x}, {v})[0];
    });
}

contestant torch_per_sample_mlp(index_t batch) {
    constexpr index_t inputs = 784, hidden = 256, outputs = 10;
    const auto w1 = (tensor(0, {hidden, inputs}) * 0.05).requires_grad_(true),
               b1 = tensor(2, {hidden}).clone().requires_grad_(true);
    const auto w2 = (tensor(1, {outputs, hidden}) * 0.1).requires_grad_(true),
               b2 = tensor(3, {outputs}).clone().requires_grad_(true);
    return keep([=, x = tensor(4, {batch, inputs}), y = tensor(5, {batch, outputs})] {
        const auto picked = torch::empty({batch, inputs + hidden});
        for (index_t s = 0; s < batch; ++s) {
            const auto h = torch::tanh(torch::matmul(w1, x[s]) + b1);
            const auto g = torch::autograd::grad({(torch::matmul(w2, h) + b2 - y[s]).square().sum()}, {w1, b1, w2, b2});
            const torch::NoGradGuard off;
            picked[s].slice(0, 0, inputs).copy_(g[0][s % hidden]);
            picked[s].slice(0, inputs).copy_(g[2][s % outputs]);
        }
        return picked;
    });
}
contestant torch_logistic(index_t samples, index_t features) {
    return keep<double>([x = tensor<double>(0, {samples, features}),
                         t = (tensor<double>(1, {samples}) > 0).to(torch::kFloat64),
                         w = (tensor<double>(2, {features}) * 0.1).requires_grad_(true)] {
        const auto z = torch::matmul(x, w);
        return torch::autograd::grad({(torch::log(1 + torch::exp(z)) - t * z).mean()}, {w})[0];
    });
}

}  // namespace bench
#endif
