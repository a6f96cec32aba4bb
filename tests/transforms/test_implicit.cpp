// Roots of equations, differentiated by the implicit function theorem: closed forms of value and derivatives, three
// orders.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

// Newton's iteration, with branches and numbers that no transform could follow
const auto root_of = custom_root([](auto x, auto a) { return x * x - a; },
                                 [](auto a) {
                                     double x = 1;
                                     while (std::fabs(x * x - a.item()) > 1e-15 * a.item())
                                         x = 0.5 * (x + a.item() / x);
                                     return x;
                                 });

}  // namespace

TEST_CASE("custom_root: a square root, both modes, three orders") {
    CHECK(root_of(2.0).item() == doctest::Approx(std::sqrt(2.0)).epsilon(1e-14));
    const auto [x, t] = jvp(root_of, 2.0, 1.0);
    CHECK(x.item() == doctest::Approx(std::sqrt(2.0)).epsilon(1e-14));
    CHECK(t.item() == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-14));
    CHECK(grad(root_of)(2.0).item() == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-14));
    auto second = [](auto a) { return grad([](auto b) { return grad(root_of)(b); })(a); };
    CHECK(second(2.0).item() == doctest::Approx(-0.25 * std::pow(2.0, -1.5)).epsilon(1e-13));
    CHECK(hvp(root_of, 2.0, 1.0).item() == doctest::Approx(-0.25 * std::pow(2.0, -1.5)).epsilon(1e-13));
    CHECK(std::get<1>(jvp(second, 2.0, 1.0)).item() == doctest::Approx(0.375 * std::pow(2.0, -2.5)).epsilon(1e-12));
}
TEST_CASE("custom_root: variables, create_graph") {
    variable<double, 0> a = tensor<double, 0>(2.0);
    const auto [slope] = autograd::grad(root_of(a), ricci::tuple(a), {.create_graph = true});
    CHECK(slope.item() == doctest::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-14));
    backward(slope * 1.0);
    CHECK(a.grad().item() == doctest::Approx(-0.25 * std::pow(2.0, -1.5)).epsilon(1e-13));
}
