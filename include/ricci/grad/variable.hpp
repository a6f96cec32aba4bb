// The imperative style of torch.autograd: variables, backward, autograd::grad.
#pragma once
#include <array>

#include "../core/optional_value.hpp"
#include "../expr/structure.hpp"
#include "modes.hpp"
#include "replay.hpp"
#include "ways.hpp"

namespace ricci {

/// An array that records what is computed from it, for backward() and autograd::grad(). Made from a tensor, which it
/// shares; `w.value()` is that tensor, `w.grad()` the gradient that backward() accumulated.
template <class T, int R, class Device = cpu_device>
using variable = recorded<tensor<T, R, Device>, detail::variable_tag>;

/// What is under a transform is taken for a tensor, for the constructor to refuse.
template <template <class, class> class Wrapper, class T, int R, class Device, class Tag>
recorded(const Wrapper<tensor<T, R, Device>, Tag>&) -> recorded<tensor<T, R, Device>, detail::variable_tag>;

namespace autograd {

/// Refuses cotangents among the options.
struct misplaced_outputs {
    constexpr misplaced_outputs() = default;
    template <class G>
    constexpr misplaced_outputs(const G&) {
        static_assert(
            always_false<G>,
            "ricci: grad_outputs stand behind the inputs: autograd::grad(y, x, y_bar, {.create_graph = true})");
    }
};
/// A pass goes through what leads from the outputs to the inputs, lets go of it, and another one through the same part
/// throws gradient_error; retain_graph: true keeps it, for one more. create_graph: the gradients are recorded in their
/// turn, for derivatives of higher order, and the graph is kept unless retain_graph says otherwise. Maps are replayed
/// op by op for that: an infinite derivative in a branch that `where` did not select gives NaN then, as in PyTorch
/// (nested grad is free of it). allow_unused: an input that the outputs do not depend on gets zeros; otherwise that is
/// an error.
struct grad_options {
    misplaced_outputs grad_outputs = {};
    detail::optional_value<bool> retain_graph = {};  // as create_graph
    bool create_graph = false;
    bool allow_unused = false;
};
struct backward_options {
    bool retain_graph = false;
};

}  // namespace autograd

namespace detail {

template <class Y>
auto one_like(const Y&) {
    static_assert(
        Y::rank == 0,
        "ricci: backward starts from a scalar (rank 0): reduce the result first, or give the gradient of the result");
    static_assert(
        !is_complex_v<typename Y::value_type>,
        "ricci: backward starts from a real scalar: take abs, real or imag of it, or give the gradient of the result");
    return constant_array<typename Y::inner_type>(shape<Y::rank>{}, 1);  // of rank 0, else that is the only error
}
/// Up to which level a backward pass through variables and their hooks record nothing: a no_grad around one, outside of
/// transforms, is not about what create_graph asks for.
inline level_t quiet_level_of_pass(bool create_graph) {
    return create_graph && quiet_level() <= variable_level ? 0 : std::max(quiet_level(), variable_level);
}
/// The output of a computation with variables.
template <class E>
auto differentiable_output(const E& e) {
    auto y = evaluate(e);
    constexpr bool computed = wrapped_by_v<record_by<variable_tag>, decltype(y)>;
    static_assert(computed, "ricci: backward needs a value that was computed from variables");
    if constexpr (computed) {
        if (!y.requires_grad())
            raise<gradient_error>(
                {"[backward] this value is a constant: it was computed under no_grad, or from detached values only"});
        return y;
    } else {  // so that this is the only error
        return recorded<decltype(y), variable_tag>(y, 0);
    }
}
/// Has a pass go through what leads from outputs to inputs, and leave all else alone.
template <class... Y, class Inputs>
void keep_to_ways(backward_pass& pass, const pack<Y...>& outputs, const Inputs& inputs) {
    ways between(pass);
    const auto ask = [&](const auto& x) { between.ask_for(*x.owner()); };
    unpack([&](const auto&... x) { (each_array(ask, x), ...); }, inputs);
    unpack([&](const auto&... y) { (between.find_from(*y.owner()), ...); }, outputs);
}
template <class... X>
consteval bool are_variables(std::type_identity<pack<X...>>) {
    return (wrapped_by_v<record_by<variable_tag>, array_in_t<X>> && ...);
}
/// Sends a cotangent, a plain array or a recorded one, into an output.
template <class Y, class G>
void seed(backward_pass& pass, const Y& y, const G& gradient) {
    using A = typename Y::inner_type;
    const auto bar = evaluate(conjugated(evaluate_as<typename Y::value_type>(as_array(gradient))));
    using B = std::remove_cvref_t<decltype(bar)>;
    static_assert(B::rank == Y::rank, "ricci: the gradient's rank is not the output's");
    if (!(bar.shape() == y.shape()))
        raise<shape_error>({"[backward] the gradient's shape ", bar.shape(), " is not the output's ", y.shape()});
    if (pass.recording) accumulate_into(y.output()->recorded_cotangent, Y(bar));
    else if constexpr (std::is_same_v<B, A>) accumulate_into(y.output()->cotangent, bar);
    else accumulate_into(y.output()->cotangent, bar.inner());
    pass.push(y.owner());
}

/// Has the values whose cotangents autograd::grad asks for keep them, while it runs.
template <class... X>
class request {
   public:
    explicit request(pack<X...> inputs) : inputs_(std::move(inputs)) { mark(true); }
    request(const request&) = delete;
    request& operator=(const request&) = delete;
    ~request() { mark(false); }

   private:
    void mark(bool wanted) const {
        const auto set = [wanted](const auto& x) {
            auto& requests = x.output()->requests();
            requests.wanted = wanted;
            requests.seen.reset();
            requests.recorded_seen.reset();
        };
        unpack([&](const auto&... x) { (each_array(set, x), ...); }, inputs_);
    }
    pack<X...> inputs_;
};

template <class X>
X requested_gradient(const X& x, autograd::grad_options options) {
    const auto& found = x.output()->requests();
    if (options.create_graph && found.recorded_seen) return *found.recorded_seen;
    if (!options.create_graph && found.seen) return X(*found.seen, 0);
    if (!options.allow_unused)
        raise<gradient_error>({"[autograd::grad] an input of shape ", x.shape(),
                               " is not part of the output's graph: pass {.allow_unused = true} to get zeros"});
    return X(constant_array<typename X::inner_type>(x.shape(), 0), 0);
}

}  // namespace detail

/// Adds the derivative of a scalar to `.grad()` of every variable that it was computed from, and of the computed values
/// that retain_grad() was called of. Throws gradient_error for a constant, for a graph that another pass has freed, and
/// where a value that the derivative needs was changed in place. One thread at a time may run through a graph; several
/// may read its values.
template <expression E>
void backward(const E& loss, autograd::backward_options options = {}) {
    const auto y = detail::differentiable_output(loss);
    backward(y, detail::one_like(y), options);
}
/// The same for an output of any shape, with the derivative of the final scalar with respect to it (same shape), as
/// `y.backward(gradient)` in PyTorch.
template <expression E, operand G>
void backward(const E& output, const G& gradient, autograd::backward_options options = {}) {
    const auto y = detail::differentiable_output(output);
    detail::backward_pass pass;
    pass.accumulating = true;
    pass.freeing = !options.retain_graph;
    detail::seed(pass, y, gradient);
    const detail::quiet_scope quiet(detail::quiet_level_of_pass(false));
    pass.run();
}
template <class... Arguments>
void detail::run_backward_from(const Arguments&... arguments) {
    backward(arguments...);
}

namespace autograd {

/// The derivatives of a scalar with respect to variables (or computed values): one, or a tuple, a std::vector or a
/// struct of them (expr/structure.hpp), of which the result is a structure like it, of variables; `.grad()` is left
/// alone. Throws gradient_error for an input that the output does not depend on, unless allow_unused.
template <expression E, ricci::detail::structured X>
auto grad(const E& output, const X& inputs, grad_options options = {}) {
    const auto y = ricci::detail::differentiable_output(output);
    return grad(std::make_tuple(y), inputs, std::make_tuple(ricci::detail::one_like(y)), options);
}
/// With respect to variables of one type in braces, grad(loss, {a, b}): a std::array of their derivatives.
template <expression E, expression V, std::size_t N>
auto grad(const E& output, const V (&inputs)[N], grad_options options = {}) {
    return grad(output, std::to_array(inputs), options);
}
/// The same for outputs of any shape, with the derivatives of the final scalar with respect to each (PyTorch's
/// grad_outputs); under create_graph these may be variables themselves.
template <class... E, ricci::detail::structured X, class... G>
auto grad(const std::tuple<E...>& outputs, const X& inputs, const std::tuple<G...>& grad_outputs,
          grad_options options = {}) {
    static_assert(sizeof...(E) == sizeof...(G), "ricci: autograd::grad needs one of grad_outputs for each output");
    const auto arrays = ricci::detail::structure<X>::arrays(inputs);
    using arrays_type = std::remove_const_t<decltype(arrays)>;
    constexpr bool variables = ricci::detail::are_variables(std::type_identity<arrays_type>{});
    static_assert(variables, "ricci: autograd::grad takes derivatives with respect to variables");
    if constexpr (!variables) {
        return inputs;
    } else {
        const ricci::detail::request request(arrays);
        ricci::detail::backward_pass pass;
        pass.recording = options.create_graph;
        pass.freeing = !options.retain_graph.value_or(options.create_graph);
        [&]<int... I>(std::integer_sequence<int, I...>) {
            const auto y = ricci::detail::make_pack(ricci::detail::differentiable_output(std::get<I>(outputs))...);
            ricci::detail::keep_to_ways(pass, y, arrays);
            (ricci::detail::seed(pass, ricci::detail::get<I>(y), std::get<I>(grad_outputs)), ...);
        }(std::make_integer_sequence<int, sizeof...(E)>{});
        const ricci::detail::reading_scope graph;
        const ricci::detail::quiet_scope quiet(ricci::detail::quiet_level_of_pass(options.create_graph));
        pass.run();
        return ricci::detail::map_arrays(inputs,
                                         [&](const auto& x) { return ricci::detail::requested_gradient(x, options); });
    }
}
/// Of one output.
template <expression E, ricci::detail::structured X, expression G>
auto grad(const E& output, const X& inputs, const G& grad_output, grad_options options = {}) {
    return grad(std::make_tuple(output), inputs, std::make_tuple(grad_output), options);
}
template <expression E, class X>
auto grad(const E& output, const X&, std::same_as<bool> auto) {
    static_assert(always_false<E>, "ricci: options have names: autograd::grad(y, x, {.create_graph = true})");
    return output;
}

}  // namespace autograd
}  // namespace ricci
