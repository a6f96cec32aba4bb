// pure_callback and custom_root of structures: closed forms.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace {

const tensor<double, 1> a0{2, 4}, b0{8, 1};

// x^2 = a b, y = x + a: x = sqrt(a b)
const auto residual = [](const auto& u, const auto& p) {
    const auto& [a, b] = p;
    return layer{evaluate(u.weight * u.weight - a * b), evaluate(u.bias - u.weight - sum(a))};
};
const auto both = custom_root(residual, [](const auto& p) {
    const auto& [a, b] = p;
    const auto x = evaluate(sqrt(a * b));
    return layer{x, evaluate(x + sum(a))};
});

}  // namespace

TEST_CASE("custom_root: a solution in a struct, of parameters in a tuple") {
    const auto x = evaluate(sqrt(a0 * b0));
    const auto solution = both(ricci::tuple(a0, b0));
    check_close(solution.weight, x);
    check_close(solution.bias, x + 6);
    const auto total = [](const auto& p) {
        const auto u = both(p);
        return sum(u.weight) + 2 * sum(u.bias);
    };
    const auto [a_bar, b_bar] = grad(total)(ricci::tuple(a0, b0));
    check_close(a_bar, 3 * b0 / (2 * x) + 4);
    check_close(b_bar, 3 * a0 / (2 * x));
    const auto [y, t] = jvp(total, ricci::tuple(ricci::tuple(a0, b0)), ricci::tuple(ricci::tuple(b0, a0)));
    check_close(t, sum(3 * (b0 * b0 + a0 * a0) / (2 * x) + 4 * b0));
    const auto rows = tensor{{2.0, 4.0}, {1.0, 9.0}};
    const auto fallback = set_vmap_fallback(vmap_fallback::silent);
    check_close(std::get<0>(vmap(grad(total), in_axes(0))(ricci::tuple(rows, rows))), full({2, 2}, 1.5 + 4.0));
    set_vmap_fallback(fallback);
}
TEST_CASE("custom_fixed_point: a list of unknowns") {
    // x = c / (1 + x) for each of two shapes
    const auto step = [](const auto& x, const auto& c) {
        return tree_map([&](const auto& u) { return c / (1 + u); }, x);
    };
    const auto root = custom_fixed_point(step, [](const auto& c) {
        const double x = 0.5 * (std::sqrt(1 + 4 * c.item()) - 1);
        return std::vector{full({2}, x), full({1}, x)};
    });
    const auto total = [&](const auto& c) { return sum(root(c)[0]) + sum(root(c)[1]); };
    CHECK(grad(total)(2.0).item() == doctest::Approx(3.0 / std::sqrt(9.0)).epsilon(1e-13));
}
TEST_CASE("pure_callback: structures to structures") {
    const auto f = pure_callback([](const auto& p, const auto& n) {
        const auto& [a, b] = p;
        return layer{evaluate(a + n), evaluate(sum(b))};
    });
    const auto y = f(ricci::tuple(a0, b0), 3);
    check_close(y.weight, a0 + 3);
    check_close(y.bias, sum(b0));
    const auto fallback = set_vmap_fallback(vmap_fallback::silent);
    const auto each =
        vmap(f, in_axes(ricci::tuple(0, none), none))(ricci::tuple(tensor{{2.0, 4.0}, {1.0, 9.0}}, b0), 3);
    check_close(each.weight, tensor{{5.0, 7.0}, {4.0, 12.0}});
    check_close(each.bias, tensor{9.0, 9.0});
    set_vmap_fallback(fallback);
}
