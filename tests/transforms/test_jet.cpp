// jet: derivatives of functions of arrays along curves, against nested jvps, closed forms and other transforms.
#include "derivatives.hpp"
#include "layer.hpp"

using namespace ricci;
using derivative_checks::check_close;
using derivative_checks::spread;

namespace {

/// The first three derivatives of f along x + v t + w t^2 / 2, by nested jvps of t.
template <class F, class X, class V>
void check_jet(const F& f, const X& x, const V& v, const V& w) {
    const auto path = [&](auto t) { return f(evaluate(x + t * v + 0.5 * t * t * w)); };
    const auto along = [](auto g) { return [g](auto t) { return std::get<1>(jvp(g, t, 1.0)); }; };
    const auto first = along(path);
    const auto second = along(first);
    const auto third = along(second);
    const auto [y, series] = jet(f, x, ricci::tuple(v, w, 0.0 * v));
    check_close(y, f(x));
    check_close(std::get<0>(series), first(0.0));
    check_close(std::get<1>(series), second(0.0));
    check_close(std::get<2>(series), third(0.0));
}

}  // namespace

TEST_CASE("jet: a fused map, a broadcast and a reduction") {
    const auto x = spread({3, 4}), v = spread({3, 4}, 5), w = spread({3, 4}, 9);
    check_jet([](auto a) { return sum(sin(a) * exp(-a * a) / (1 + a * a), 1) / (2 + mean(tanh(a))); }, x, v, w);
}

TEST_CASE("jet: derivatives, not coefficients, up to order 6") {
    // d^k/dt^k exp(2 t) = 2^k, in one element each of a line with another slope
    const tensor<double, 1> x{0, 0}, v{2, -3}, none{0, 0};
    const auto [y, s] = jet([](auto a) { return exp(a); }, x, ricci::tuple(v, none, none, none, none, none));
    check_close(y, tensor<double, 1>{1, 1});
    check_close(std::get<0>(s), v, 1e-15);
    check_close(std::get<3>(s), tensor<double, 1>{16, 81}, 1e-14);
    check_close(std::get<5>(s), tensor<double, 1>{64, 729}, 1e-14);
}

TEST_CASE("jet: matrix products, views and extrema") {
    const auto x = spread({3, 3}), v = spread({3, 3}, 4), w = spread({3, 3}, 7), c = spread({3, 3}, 2);
    check_jet([](auto a) { return matmul(a, matmul(permute(a, {1, 0}), a)); }, x, v, w);
    check_jet([&](auto a) { return matmul(c, a)(slice(0, 2), 1) * reshape(matmul(sin(a), c), {9})(slice(2, 4)); }, x, v,
              w);
    check_jet([](auto a) { return max(a * a, 0) + prod(a, 1); }, x, v, w);
}

TEST_CASE("jet: several arguments, several results, numbers") {
    // y = x1 x2 with x1 = 2 + 3 t + 5/2 t^2, x2 = 7 + 11 t + 13/2 t^2:
    // y' = 3 7 + 2 11 = 43, y'' = 5 7 + 2 3 11 + 2 13 = 127
    const auto f = [](auto a, auto b) { return ricci::tuple(a * b, a + b); };
    const auto [y, s] = jet(f, ricci::tuple(2.0, 7.0), ricci::tuple(ricci::tuple(3.0, 5.0), ricci::tuple(11.0, 13.0)));
    CHECK(std::get<0>(y).item() == 14);
    CHECK(std::get<1>(y).item() == 9);
    CHECK(std::get<0>(std::get<0>(s)).item() == 43);
    CHECK(std::get<1>(std::get<0>(s)).item() == 14);
    CHECK(std::get<0>(std::get<1>(s)).item() == 127);
    CHECK(std::get<1>(std::get<1>(s)).item() == 18);
}

TEST_CASE("jet: of one order is jvp; a result that does not depend has zeros") {
    const auto x = spread({5}), v = spread({5}, 3);
    const auto f = [](auto a) { return sum(sin(a) * a); };
    check_close(std::get<0>(std::get<1>(jet(f, x, ricci::tuple(v)))), std::get<1>(jvp(f, x, v)), 1e-15);
    const auto constant = [&](auto) { return evaluate(x * 2.0); };
    const auto [y, s] = jet(constant, x, ricci::tuple(v, v));
    check_close(y, 2.0 * x);
    CHECK(sum(abs(std::get<1>(s))).item() == 0);
}

TEST_CASE("jet: float arrays stay float") {
    const tensor<float, 1> x{0.5f, 1.5f}, v{1.0f, 2.0f}, none{0.0f, 0.0f};
    const auto [y, s] = jet([](auto a) { return a * a * a; }, x, ricci::tuple(v, none, none));
    static_assert(std::is_same_v<decltype(std::get<2>(s).item()), float>);
    CHECK(std::get<2>(s).data()[0] == 6);  // (x + v t)^3: 6 v^3
    CHECK(std::get<2>(s).data()[1] == 48);
    CHECK(y.data()[1] == 3.375f);
}

TEST_CASE("jet: results in structs and vectors") {
    const auto x = spread({3}), v = spread({3}, 5);
    const auto [y, s] = jet([](auto a) { return layer{a * a, sum(a)}; }, x, ricci::tuple(v, 0.0 * v));
    check_close(y.weight, x * x);
    check_close(std::get<0>(s).weight, 2.0 * x * v);
    check_close(std::get<1>(s).weight, 2.0 * v * v);
    check_close(std::get<0>(s).bias, sum(v));
    const auto [list, slopes] =
        jet([](auto a) { return std::vector{evaluate(a * a), evaluate(2.0 * a)}; }, x, ricci::tuple(v));
    check_close(list[0], x * x);
    check_close(std::get<0>(slopes)[1], 2.0 * v);
}

TEST_CASE("jet: errors") {
    const tensor<double, 1> x{1, 2, 3}, v{1, 2, 3}, shorter{1, 2};
    const auto f = [](auto a) { return a * a; };
    CHECK_THROWS_WITH_AS(jet(f, x, ricci::tuple(v, shorter)),
                         "[jet] derivative 2 of an argument has shape (2,), the argument (3,)", shape_error);
    CHECK_THROWS_WITH_AS(jet(f, x, ricci::tuple(shorter, v)),
                         "[jet] derivative 1 of an argument has shape (2,), the argument (3,)", shape_error);
}
