// Gradients of values that several kernels use, under vmap and jvp: adjoints are added, part by part, into cotangents
// that exist, where these differ between the same members of a batch.
#include <doctest/doctest.h>

#include "derivatives.hpp"

using namespace ricci;
using derivative_checks::check_close;

namespace {

/// Uses of x and w by kernels that are cut apart by evaluate: sum(x^2 + w x + sin(x) w^2).
constexpr auto uses = [](const auto& x, const auto& w) {
    const auto a = evaluate(x * x);
    const auto b = evaluate(w * x);
    const auto c = evaluate(sin(x) * (w * w));
    return evaluate(sum(a) + sum(b) + sum(c));
};
const auto x_slope = [](const auto& x, const auto& w) { return evaluate(2.0 * x + w + cos(x) * w * w); };
const auto w_slope = [](const auto& x, const auto& w) { return evaluate(x + 2.0 * sin(x) * w); };

constexpr double tolerance = 1e-13;  // some roundings of numbers below 100

}  // namespace

TEST_CASE("shared: kernels add to the gradients of a batch") {
    const auto x = randn<double>({5, 17}, generator(1)), w = randn<double>({5, 17}, generator(2));
    const auto slopes = vmap(grad(uses, argnums<0, 1>))(x, w);
    check_close(std::get<0>(slopes), x_slope(x, w), tolerance);
    check_close(std::get<1>(slopes), w_slope(x, w), tolerance);
}

TEST_CASE("shared: of an argument that all members share, and of one member") {
    const auto x = randn<double>({5, 17}, generator(1));
    const auto w = randn<double>({17}, generator(2));
    const auto slopes = vmap(grad(uses, argnums<0, 1>), in_axes(0, none))(x, w);
    check_close(std::get<0>(slopes), x_slope(x, w), tolerance);
    check_close(std::get<1>(slopes), w_slope(x, w), tolerance);
    const auto one = vmap(grad(uses, argnums<0, 1>), in_axes(0, none))(x(slice(0, 1)), w);
    check_close(std::get<0>(one), x_slope(x(slice(0, 1)), w), tolerance);
    check_close(std::get<1>(one), w_slope(x(slice(0, 1)), w), tolerance);
}

TEST_CASE("shared: kernels of which some see no batch") {
    // w's cotangent is one for all members after the first kernels on the way back, and one for each after the last
    const auto f = [](const auto& w, const auto& x) {
        const auto a = evaluate(w * x);
        const auto b = evaluate(w * w * w);
        const auto c = evaluate(exp(w));
        return evaluate(sum(a) + sum(b) + sum(c));
    };
    const auto g = [](const auto& w, const auto& x) {  // the other way round
        const auto a = evaluate(w * w * w);
        const auto b = evaluate(exp(w));
        const auto c = evaluate(w * x);
        return evaluate(sum(a) + sum(b) + sum(c));
    };
    const auto x = randn<double>({4, 9}, generator(3));
    const auto w = randn<double>({9}, generator(4));
    check_close(vmap(grad(f), in_axes(none, 0))(w, x), evaluate(x + 3.0 * w * w + exp(w)), tolerance);
    check_close(vmap(grad(g), in_axes(none, 0))(w, x), evaluate(x + 3.0 * w * w + exp(w)), tolerance);
}

TEST_CASE("shared: in batches of batches") {
    const auto x = randn<double>({3, 4, 7}, generator(5));
    const auto w = randn<double>({4, 7}, generator(6));
    const auto u = randn<double>({7}, generator(7));
    const auto inner = [](const auto& a, const auto& b) { return vmap(grad(uses, argnums<0, 1>))(a, b); };
    const auto slopes = vmap(inner, in_axes(0, none))(x, w);
    check_close(std::get<0>(slopes), x_slope(x, w), tolerance);
    check_close(std::get<1>(slopes), w_slope(x, w), tolerance);
    const auto captured =
        vmap([u](const auto& a) { return vmap(grad([u](const auto& v) { return uses(v, u); }))(a); })(x);
    check_close(captured, x_slope(x, u), tolerance);
}

TEST_CASE("shared: values and tangents, each to its own") {
    const auto x = randn<double>({17}, generator(8)), w = randn<double>({17}, generator(9)),
               v = randn<double>({17}, generator(10));
    const auto of_x = [w](const auto& a) { return uses(a, w); };
    const auto both = jvp(grad(of_x), x, v);
    const auto curvature = [](const auto& a, const auto& b) { return evaluate(2.0 - sin(a) * b * b); };
    check_close(std::get<0>(both), x_slope(x, w), tolerance);
    check_close(std::get<1>(both), evaluate(curvature(x, w) * v), tolerance);
    const auto directions = randn<double>({3, 17}, generator(11));
    const auto products = vmap([&](const auto& d) { return hvp(of_x, x, d); })(directions);
    check_close(products, evaluate(curvature(x, w) * directions), tolerance);
}
