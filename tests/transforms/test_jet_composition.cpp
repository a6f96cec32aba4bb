// jet inside and around the other transforms, and on ops that have only a pushforward.
#include "derivatives.hpp"

using namespace ricci;
using derivative_checks::check_close;
using derivative_checks::spread;

namespace {

const auto f = [](auto a) { return sum(sin(a) * exp(-0.5 * a * a)); };
const auto line = [](auto g, auto x, auto v) { return std::get<1>(jet(g, x, ricci::tuple(v, 0.0 * v))); };

}  // namespace

TEST_CASE("jet of grad: third derivatives") {
    const auto x = spread({4}), v = spread({4}, 3);
    const auto s = line(grad(f), x, v);
    check_close(std::get<0>(s), hvp(f, x, v));
    const auto curvature = [&](auto a) {
        return std::get<1>(jvp([&](auto b) { return std::get<1>(jvp(f, b, v)); }, a, v));
    };
    check_close(std::get<1>(s), grad(curvature)(x));
}

TEST_CASE("grad of jet: the adjoint of each coefficient") {
    const auto x = spread({4}), v = spread({4}, 3);
    const auto second = [&](auto a) { return std::get<1>(line(f, a, v)); };
    const auto nested = [&](auto a) {
        return std::get<1>(jvp([&](auto b) { return std::get<1>(jvp(f, b, v)); }, a, v));
    };
    check_close(second(x), nested(x));
    check_close(grad(second)(x), grad(nested)(x));
    // with respect to the direction: f'' along v is v.H v, of gradient 2 H v
    check_close(grad([&](auto b) { return std::get<1>(line(f, x, b)); })(v), 2.0 * hvp(f, x, v));
}

TEST_CASE("grad of grad of jet, jvp of jet, jet of jvp") {
    const tensor<double, 0> x(0.7), v(1.0);
    const auto cube = [](auto a) { return sin(a) * a; };
    // the k-th derivative of x sin x is x sin(x + k pi/2) + k sin(x + (k - 1) pi/2)
    const auto exact = [](int k) {
        const double turn = std::acos(0.0);
        return 0.7 * std::sin(0.7 + k * turn) + k * std::sin(0.7 + (k - 1) * turn);
    };
    const auto second = [&](auto a) { return std::get<1>(line(cube, a, v)); };
    CHECK(grad(grad(second))(x).item() == doctest::Approx(exact(4)).epsilon(1e-13));
    CHECK(std::get<1>(jvp(second, x, v)).item() == doctest::Approx(exact(3)).epsilon(1e-13));
    const auto slope = [&](auto a) { return std::get<1>(jvp(cube, a, v)); };
    CHECK(std::get<1>(line(slope, x, v)).item() == doctest::Approx(exact(3)).epsilon(1e-13));
    CHECK(std::get<1>(line(second, x, v)).item() == doctest::Approx(exact(4)).epsilon(1e-13));
}

TEST_CASE("vmap of jet and jet of vmap") {
    const auto x = spread({3, 4}), v = spread({3, 4}, 5);
    const auto one = [](auto a, auto b) { return std::get<1>(line(f, a, b)); };
    const auto rows = vmap(one)(x, v);
    for (index_t i = 0; i < 3; ++i) check_close(rows(i), one(evaluate(x(i)), evaluate(v(i))));
    check_close(std::get<1>(line(vmap(f), x, v)), rows);
    // a batch of directions at one point
    const auto at_first = vmap([&](auto b) { return one(evaluate(x(0)), b); })(v);
    for (index_t i = 0; i < 3; ++i) check_close(at_first(i), one(evaluate(x(0)), evaluate(v(i))));
}

TEST_CASE("jet: a user's scalar function") {
    const auto x = spread({4}), v = spread({4}, 3), w = spread({4}, 6);
    const auto user = [](auto a, auto b) {
        return map([](auto p, auto q) { return p * q + sin(p) / (2 + q * q); }, a, b);
    };
    const auto library = [](auto a, auto b) { return a * b + sin(a) / (2 + b * b); };
    const auto series = ricci::tuple(ricci::tuple(v, w), ricci::tuple(w, v));
    const auto args = ricci::tuple(x, evaluate(x + 1.0));
    const auto [y, s] = jet(user, args, series);
    const auto [z, t] = jet(library, args, series);
    check_close(y, z);
    check_close(std::get<0>(s), std::get<0>(t));
    check_close(std::get<1>(s), std::get<1>(t));
    const auto inner = [&](auto a) { return sum(user(a, a)); };  // its reverse sweep on series
    const auto same = [&](auto a) { return sum(library(a, a)); };
    check_close(std::get<1>(line(grad(inner), x, v)), std::get<1>(line(grad(same), x, v)));
}

TEST_CASE("jet: an op with a forward rule alone") {
    // exp, whose rule calls it again
    const auto g = custom_jvp([](auto a) { return exp(a); },
                              [](auto primals, auto tangents) {
                                  const auto y = exp(std::get<0>(primals));
                                  return ricci::tuple(y, y * std::get<0>(tangents));
                              });
    const auto x = spread({4}), v = spread({4}, 3);
    const auto h = [](auto a) { return exp(a); };
    const auto both = [&](auto fn) { return std::get<1>(jet(fn, x, ricci::tuple(v, 2.0 * v, v))); };
    const auto s = both(g), t = both(h);
    check_close(std::get<0>(s), std::get<0>(t));
    check_close(std::get<1>(s), std::get<1>(t));
    check_close(std::get<2>(s), std::get<2>(t));
}

TEST_CASE("jet: values captured from an outer transform are constants of the inner one") {
    const tensor<double, 0> one(1.0), two(2.0);
    // d/dx x (d/dy (x + y)) is 1; x (d2/dy2 x y^2) = 2 x^2 has derivatives 4 x and 4
    const auto sum_slope = [&](auto x) { return x * std::get<0>(line([&](auto y) { return x + y; }, one, one)); };
    const auto curvature = [&](auto x) { return x * std::get<1>(line([&](auto y) { return x * y * y; }, one, one)); };
    CHECK(std::get<0>(line(sum_slope, one, one)).item() == 1);
    CHECK(std::get<0>(line(curvature, two, one)).item() == 8);
    CHECK(std::get<1>(line(curvature, two, one)).item() == 4);
    CHECK(grad(curvature)(two).item() == 8);
    CHECK(std::get<1>(jvp(curvature, two, one)).item() == 8);
    const auto slope = [&](auto x) { return x * grad([&](auto y) { return x * y * y; })(one); };  // 2 x^2
    CHECK(std::get<1>(line(slope, two, one)).item() == 4);
}
