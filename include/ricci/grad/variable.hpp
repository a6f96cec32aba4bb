// The imperative style of torch.autograd: variables, backward, autograd::grad.
#pragma once
#include "replay.hpp"

namespace ricci {
namespace detail {

template <class Y>
auto one_like(const Y&) {
    static_assert(Y::rank == 0, "ricci: backward starts from a scalar (rank 0): reduce the result first");
    return constant_array<typename Y::inner_type>(shape<0>{}, 1);
}

}  // namespace detail

/// An array that records what is computed from it, for backward() and autograd::grad(). Made from a tensor, which it shares;
/// `w.value()` is that tensor, `w.grad()` the gradient that backward() accumulated.
template <class T, int R, class Device = cpu_device>
using variable = recorded<tensor<T, R, Device>, detail::variable_tag>;

/// Adds the derivative of a scalar to `.grad()` of every variable that it was computed from.
template <expression E>
void backward(const E& loss) {
    const auto y = evaluate(loss);
    using Y = std::remove_cvref_t<decltype(y)>;
    static_assert(std::is_same_v<typename Y::wrapper, record_by<detail::variable_tag>>,
                  "ricci: backward needs a value that was computed from variables");
    detail::accumulate_into(y.output()->cotangent, detail::one_like(y));
    detail::backward_pass pass;
    pass.accumulating = true;
    pass.push(y.owner());
    pass.run();
}

namespace autograd {

/// create_graph: the gradients are recorded in their turn, for derivatives of higher order. Maps are replayed op by op for that:
/// an infinite derivative in a branch that `where` did not select gives NaN then, as in PyTorch (nested grad is free of it).
/// allow_unused: an input that the
/// output does not depend on gets zeros; otherwise that is an error.
struct grad_options {
    bool create_graph = false;
    bool allow_unused = false;
};

}  // namespace autograd

namespace detail {

/// Marks the values whose cotangents autograd::grad asks for, while it runs.
template <class... X>
class request {
   public:
    explicit request(const std::tuple<X...>& inputs) : inputs_(inputs) { mark(true); }
    request(const request&) = delete;
    request& operator=(const request&) = delete;
    ~request() { mark(false); }

   private:
    void mark(bool wanted) const {
        auto set = [wanted](auto& output) {
            output.wanted = wanted;
            output.seen.reset();
            output.recorded_seen.reset();
        };
        std::apply([&](const auto&... x) { (set(*x.output()), ...); }, inputs_);
    }
    const std::tuple<X...>& inputs_;
};

template <class X>
X requested_gradient(const X& x, bool create_graph, bool allow_unused) {
    const auto& output = *x.output();
    if (create_graph && output.recorded_seen) return *output.recorded_seen;
    if (!create_graph && output.seen) return X(*output.seen);
    if (!allow_unused)
        ricci::detail::raise<gradient_error>(
            {"[autograd::grad] an input of shape ", x.shape(),
             " is not part of the output's graph: pass {.allow_unused = true} to get zeros"});
    return X(constant_array<typename X::inner_type>(x.shape(), 0));
}

}  // namespace detail

namespace autograd {

/// The derivatives of a scalar with respect to the given variables (or computed values), as a tuple of variables; `.grad()` is
/// left alone. Throws gradient_error for an input that the output does not depend on, unless allow_unused.
template <expression E, class... X>
auto grad(const E& output, const std::tuple<X...>& inputs, grad_options options = {}) {
    const auto y = evaluate(output);
    using Y = std::remove_cvref_t<decltype(y)>;
    static_assert(std::is_same_v<typename Y::wrapper, record_by<ricci::detail::variable_tag>>,
                  "ricci: autograd::grad needs a value that was computed from variables");
    const ricci::detail::request<X...> request(inputs);
    ricci::detail::backward_pass pass;
    pass.recording = options.create_graph;
    if (options.create_graph)
        ricci::detail::accumulate_into(y.output()->recorded_cotangent, Y(ricci::detail::one_like(y)));
    else ricci::detail::accumulate_into(y.output()->cotangent, ricci::detail::one_like(y));
    pass.push(y.owner());
    pass.run();
    return std::apply(
        [&](const auto&... x) {
            return std::make_tuple(ricci::detail::requested_gradient(x, options.create_graph, options.allow_unused)...);
        },
        inputs);
}

}  // namespace autograd
}  // namespace ricci
