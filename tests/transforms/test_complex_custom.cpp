// Functions with rules of their own and user's functions of complex numbers: rules see gradients in PyTorch's
// convention.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: custom_vjp") {
    const auto f = custom_vjp([](const auto& z) { return exp(z) * w0; },
                              [](const auto& z) { return ricci::tuple(exp(z) * w0, z); },
                              [](const auto& z, const auto& bar) { return bar * conj(exp(z) * w0); });
    const auto plain = [](const auto& z) { return exp(z) * w0; };
    check_close(std::get<1>(vjp(f, z0))(c0), std::get<1>(vjp(plain, z0))(c0));
    const auto norm = [](const auto& g) { return [=](const auto& z) { return sum(abs(g(z))); }; };
    check_close(grad([&](const auto& z) { return sum(real(grad(norm(f))(z) * t0)); })(z0),
                grad([&](const auto& z) { return sum(real(grad(norm(plain))(z) * t0)); })(z0));
}
TEST_CASE("complex: custom_jvp, whose transpose is taken, and checkpoint") {
    const auto f = custom_jvp([](const auto& z) { return z * conj(z) * w0; },
                              [](const auto& primals, const auto& tangents) {
                                  const auto& z = std::get<0>(primals);
                                  const auto& z_dot = std::get<0>(tangents);
                                  return ricci::tuple(z * conj(z) * w0, (z_dot * conj(z) + z * conj(z_dot)) * w0);
                              });
    const auto plain = [](const auto& z) { return z * conj(z) * w0; };
    const auto expected = std::get<1>(vjp(plain, z0))(c0);
    check_close(std::get<1>(vjp(f, z0))(c0), expected);
    check_close(std::get<1>(jvp(f, z0, t0)), std::get<1>(jvp(plain, z0, t0)));
    check_close(std::get<1>(vjp([&](const auto& z) { return checkpoint(plain, z); }, z0))(c0), expected);
}
TEST_CASE("complex: map of a function that is not analytic") {
    const auto scalar = [](auto a, auto b) { return a * conj(b) + abs(a) * b + real(a) * exp(a); };
    const auto f = [&](const auto& z) { return map(scalar, z, w0); };
    const auto plain = [](const auto& z) { return z * conj(w0) + abs(z) * w0 + real(z) * exp(z); };
    check_close(std::get<1>(vjp(f, z0))(c0), std::get<1>(vjp(plain, z0))(c0));
    check_close(std::get<1>(jvp(f, z0, t0)), std::get<1>(jvp(plain, z0, t0)));
}
