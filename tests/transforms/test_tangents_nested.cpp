// hvp under other transforms: what surrounds it sees whole derivatives, though it asks for no values of gradients
// itself.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

TEST_CASE("hvp under other transforms: what surrounds it sees whole derivatives") {
    const auto f = [](auto x) { return sum(exp(x) * x) * sum(sin(x)); };
    const tensor<double, 1> x = randn<double>({30}, generator(6)), v = randn<double>({30}, generator(7));
    const auto along = [&](auto y) { return sum(hvp(f, y, v) * v); };
    const tensor<double, 1> third = grad(along)(x);
    double largest = 0;
    for (index_t i = 0; i < 30; i += 7) {  // central differences: an error of the step's square
        const tensor<double, 1> up = x.clone(), down = x.clone();
        up.data()[i] += 1e-4, down.data()[i] -= 1e-4;
        const double slope = (evaluate(along(up)).item() - evaluate(along(down)).item()) / 2e-4;
        largest = std::max(largest, std::abs(third.at(i) - slope) / (1 + std::abs(slope)));
    }
    CHECK(largest < 1e-5);
    // the gradient's own value, used beside the product
    const auto both = [&](auto y) { return sum(grad(f)(y) * hvp(f, y, v)); };
    const tensor<double, 1> g = grad(f)(x), hv = hvp(f, x, v);
    CHECK(evaluate(both(x)).item() == doctest::Approx(evaluate(sum(g * hv)).item()).epsilon(1e-13));
    const tensor<double, 2> points = randn<double>({5, 30}, generator(8));
    const tensor<double, 2> mapped = vmap([&](auto p) { return hvp(f, p, v); })(points);
    for (index_t i = 0; i < 5; ++i) {
        const tensor<double, 1> one = hvp(f, tensor<double, 1>(points(i)), v), row = mapped(i);
        CHECK(allclose(row, one, 1e-13, 1e-13));
    }
}

TEST_CASE("hessian: of a member's own function, whose arguments no batch has") {
    const tensor<double, 1> a = sin(arange(5.0)), b = linspace(0.1, 0.9, 5);
    const auto at = [&](const auto& s) {
        return hessian([&](auto c) { return sum(sin(s * b * c) * exp(-s * b) + s * b * square(c)); })(a);
    };
    const tensor<double, 3> mapped = vmap(at)(b);
    for (index_t i = 0; i < 5; ++i) {
        // d^2/dc^2 of the i-th member's function, on the diagonal: 2 s b - (s b)^2 sin(s b c) exp(-s b)
        const tensor<double, 1> sb = b.at(i) * b;
        const tensor<double, 2> expected = diag(evaluate(2 * sb - square(sb) * sin(sb * a) * exp(-sb)));
        CHECK(allclose(tensor<double, 2>(mapped(i)), expected, 1e-13, 1e-13));
    }
}
