// Complex derivatives of second order against PyTorch: grad of grad, forward over reverse, create_graph.
#include "complex.hpp"

using namespace complex_numbers;

namespace {

const auto loss = [](const auto& z, const auto& r) { return sum(square(abs(r * z * z + w0))); };
/// The real inner product.
const auto paired = [](const auto& a, const auto& b) { return sum(real(a * conj(b))); };

}  // namespace

TEST_CASE("complex: grad of grad, with a real argument beside a complex one") {
    const auto slopes = grad(loss, argnums<0, 1>);
    const auto [gz, gr] = slopes(z0, r0);
    check_elements(gz, golden::complex_loss[0]);
    check_elements(gr, golden::complex_loss[1]);
    const auto second = [&](const auto& z, const auto& r) {
        const auto [z_bar, r_bar] = slopes(z, r);
        return paired(z_bar, t0) + sum(r_bar * r_bar);
    };
    const auto [hz, hr] = grad(second, argnums<0, 1>)(z0, r0);
    check_elements(hz, golden::complex_loss[2]);
    check_elements(hr, golden::complex_loss[3]);
}
TEST_CASE("complex: the Hessian of a real loss is symmetric under the real inner product") {
    const auto f = [](const auto& z) { return loss(z, r0); };
    const auto along_t = hvp(f, z0, t0), along_c = hvp(f, z0, c0);
    CHECK(paired(along_t, c0).item() == doctest::Approx(paired(along_c, t0).item()).epsilon(1e-12));
    check_close(grad([&](const auto& z) { return paired(grad(f)(z), t0); })(z0), along_t);
}
TEST_CASE("complex: a value captured from an outer grad") {
    // d/dz of sum |z|^2 g(z), where g is the gradient of sum |u z|^2 by u at 1: that is 2 |z|^2
    const auto f = [](const auto& z) {
        const auto inner = grad([&](const auto& u) { return sum(square(abs(u * z))); });
        return sum(square(abs(z)) * real(inner(tensor<complex128, 1>{1, 1, 1})));
    };
    check_close(grad(f)(z0), evaluate(8 * square(abs(z0)) * z0));
}
