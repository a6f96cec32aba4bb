// Complex variables: backward, hooks, create_graph, against PyTorch.
#include "complex.hpp"

using namespace complex_numbers;

namespace {

const auto loss = [](const auto& z, const auto& r) { return sum(square(abs(r * z * z + w0))); };

}  // namespace

TEST_CASE("complex: backward accumulates gradients") {
    variable<complex128, 1> z = z0;
    variable<double, 1> r = r0;
    backward(loss(z, r));
    check_elements(z.grad(), golden::complex_loss[0]);
    check_elements(r.grad(), golden::complex_loss[1]);
    backward(loss(z, r));
    check_close(z.grad(), evaluate(2 * array_of(golden::complex_loss[0])));
    z.zero_grad();
    backward(z * w0, c0);
    check_close(z.grad(), evaluate(c0 * conj(w0)));
}
TEST_CASE("complex: hooks and retained gradients see gradients, and what a hook gives goes on") {
    variable<complex128, 1> z = z0;
    const variable<complex128, 1> y = z * w0;
    y.retain_grad();
    tensor<complex128, 1> seen;
    y.register_hook([&](const tensor<complex128, 1>& g) {
        seen = g.clone();
        return evaluate(g * complex128(0, 2));
    });
    backward(sum(square(abs(y))));
    check_close(seen, evaluate(2 * z0 * w0));
    check_close(y.grad(), evaluate(seen * complex128(0, 2)));
    check_close(z.grad(), evaluate(seen * complex128(0, 2) * conj(w0)));
}
TEST_CASE("complex: create_graph") {
    const variable<complex128, 1> z = z0;
    const variable<double, 1> r = r0;
    const auto [gz, gr] = autograd::grad(loss(z, r), tuple(z, r), {.create_graph = true});
    check_elements(gz.value(), golden::complex_loss[0]);
    const auto [hz, hr] = autograd::grad(sum(real(gz * conj(t0))) + sum(gr * gr), tuple(z, r));
    check_elements(hz.value(), golden::complex_loss[2]);
    check_elements(hr.value(), golden::complex_loss[3]);
}
