// Roots of systems of equations, differentiated by the implicit function theorem: closed forms and errors.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace derivative_checks;

namespace {

// x0 + x1 = p, x0 x1 = q: x = (p -+ sqrt(p^2 - 4 q)) / 2
const auto vieta =
    custom_root([](auto x, auto p, auto q) { return where(arange<double>(2) < 1, x(0) + x(1) - p, x(0) * x(1) - q); },
                [](auto p, auto q) {
                    const double s = p.item(), d = std::sqrt(s * s - 4 * q.item());
                    return tensor<double, 1>{(s - d) / 2, (s + d) / 2};
                });

}  // namespace

TEST_CASE("custom_root: two equations, two parameters") {
    const double p = 5, q = 3, d = std::sqrt(p * p - 4 * q);
    check_close(vieta(p, q), tensor<double, 1>{(p - d) / 2, (p + d) / 2});
    const tensor<double, 1> by_p{(1 - p / d) / 2, (1 + p / d) / 2}, by_q{1 / d, -1 / d};
    check_close(jacfwd(vieta)(p, q), by_p);
    const auto [to_p, to_q] = jacrev(vieta, argnums<0, 1>)(p, q);
    check_close(to_p, by_p);
    check_close(to_q, by_q);
    // the second derivative by q: d = sqrt(p^2 - 4 q), d' = -2 / d, (1 / d)' = 2 / d^3
    auto larger = [p](auto v) { return vieta(p, v)(1); };
    CHECK(hessian(larger)(q).item() == doctest::Approx(-2 / (d * d * d)).epsilon(1e-12));
}
TEST_CASE("custom_root: a residual of another shape and a singular Jacobian are refused") {
    const auto bad = custom_root([](auto x, auto a) { return x(slice(0, 2)) - a; },
                                 [](auto a) { return tensor<double, 1>(expand(a, {3})); });
    CHECK_THROWS_WITH_AS(jvp(bad, 2.0, 1.0), "[custom_root] the residual's shape (2,) is not the solution's (3,)",
                         shape_error);
    CHECK_THROWS_AS(std::get<1>(vjp(bad, 2.0))(ones<double>({3})), shape_error);
    const auto flat = custom_root([](auto x, auto a) { return x(0) * x - a; },
                                  [](auto a) { return tensor<double, 1>(expand(0 * a, {2})); });
    CHECK_THROWS_AS(jvp(flat, 0.0, 1.0), value_error);
}
TEST_CASE("custom_root: parameters in a struct, and a tuple") {
    // a x^2 = b: dx/da = -x / (2 a), dx/db = x / (2 b)
    const auto root = custom_root([](auto x, auto p) { return p.weight * x * x - p.bias; },
                                  [](auto p) { return evaluate(sqrt(p.bias / p.weight)); });
    const tensor<double, 1> a{2, 4}, b{8, 1}, solution{2, 0.5};
    const auto slope = grad([&](auto p) { return sum(root(p)); })(layer{a, b});
    check_close(slope.weight, -solution / (2.0 * a));
    check_close(slope.bias, solution / (2.0 * b));
    const auto of_pair = custom_root([](auto x, auto p) { return std::get<0>(p) * x - std::get<1>(p); },
                                     [](auto p) { return evaluate(std::get<1>(p) / std::get<0>(p)); });
    check_close(of_pair(ricci::tuple(a, b)), b / a);
}
TEST_CASE("custom_root: one equation with a singular Jacobian is refused") {
    const auto flat = custom_root([](auto x, auto a) { return x * x * a; }, [](auto a) { return 0 * a.item(); });
    CHECK_THROWS_WITH_AS(jvp(flat, 1.0, 1.0),
                         "[custom_root] the Jacobian of the residual, 1 x 1, is singular at the solution", value_error);
    CHECK_THROWS_AS(grad(flat)(1.0), value_error);
    CHECK_THROWS_AS(vmap(grad(flat))(ones<double>({2})), value_error);
}
TEST_CASE("custom_root: a residual that branches on its unknowns") {
    // x |x| = a, of each element
    const auto root =
        custom_root([](auto x, auto a) { return x(0).item() > 0 ? evaluate(x * x - a) : evaluate(-x * x - a); },
                    [](auto a) { return evaluate(sign(a) * sqrt(abs(a))); });
    const auto slopes = [](const auto& a) { return 0.5 / sqrt(abs(a)); };
    for (const double side : {1.0, -1.0}) {
        const auto a = evaluate(side * tensor<double, 1>{0.25, 4});
        check_close(grad([&](auto v) { return sum(root(v)); })(a), slopes(a));
        check_close(std::get<1>(jvp(root, a, ones<double>({2}))), slopes(a));
    }
}
