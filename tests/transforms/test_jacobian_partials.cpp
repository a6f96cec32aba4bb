// Jacobians in reverse mode, whose cotangents share the partial derivatives of maps, against products with one
// cotangent each.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

/// The rows of the Jacobian, one call of the pullback for each.
template <class F>
rc::tensor<double, 2> by_rows(const F& f, const rc::tensor<double, 1>& x) {
    const auto [y, pull] = rc::vjp(f, x);
    const auto rows = rc::zeros<double>({y.size(), x.size()});
    for (index_t i = 0; i < y.size(); ++i) {
        auto bar = rc::zeros<double>({y.size()});
        bar.data()[i] = 1;
        rows(i) = pull(bar);
    }
    return rows;
}
template <class F>
void check(const F& f, const rc::tensor<double, 1>& x) {
    const auto expected = by_rows(f, x);
    CHECK(rc::allclose(rc::jacrev(f)(x), expected, 1e-12, 1e-12));
    CHECK(rc::allclose(rc::jacrev(f, rc::vmap_options{.chunk_size = 3})(x), expected, 1e-12, 1e-12));
    const auto batch = rc::stack({x, rc::evaluate(x + 0.25)});
    const auto both = rc::vmap(rc::jacrev(f))(batch);
    CHECK(rc::allclose(both(0), expected, 1e-12, 1e-12));
    CHECK(rc::allclose(both(1), by_rows(f, rc::evaluate(x + 0.25)), 1e-12, 1e-12));
}
const rc::tensor<double, 1> x = rc::evaluate(0.3 + 0.2 * rc::arange<double>(5.0));

}  // namespace

TEST_CASE("maps of a leaf that comes several times, and of sums") {
    check([](auto v) { return exp(sin(v)) * sum(v * v); }, x);
    check([](auto v) { return tanh(v) / (1 + exp(-v)) + v; }, x);
}
TEST_CASE("maps of slices of one array, and of broadcast ones") {
    check([](auto v) { return exp(v(rc::slice(1, rc::none))) * sin(v(rc::slice(0, -1))); }, x);
    check([](auto v) { return sum(exp(v(rc::all, rc::newaxis) * sin(v(rc::newaxis))), 1); }, x);
}
TEST_CASE("constants beside, and inputs that the value does not vary with") {
    const auto c = rc::evaluate(2.0 + x);
    check([c](auto v) { return exp(sin(v) * c) * c; }, x);
    check([](auto v) { return exp(v) * floor(3 * v); }, x);
}
TEST_CASE("a cotangent of zero beside an infinite value") {
    const auto at = rc::tensor<double, 1>({1000.0, 0.5});
    const auto f = [](auto v) { return exp(v) * sin(v); };
    const auto rows = by_rows(f, at), j = rc::jacrev(f)(at);
    for (index_t i = 0; i < 4; ++i) CHECK(std::isnan(j.data()[i]) == std::isnan(rows.data()[i]));
}
TEST_CASE("derivatives of it") {
    const auto f = [](auto v) { return exp(sin(v)) * sum(v); };
    const auto total = [f](auto v) { return sum(square(rc::jacrev(f)(v))); };
    const auto g = rc::grad(total)(x);
    for (index_t i = 0; i < 5; ++i) {
        const auto up = x.clone(), down = x.clone();
        up.data()[i] += 1e-5;
        down.data()[i] -= 1e-5;
        CHECK(g.data()[i] == doctest::Approx((total(up).item() - total(down).item()) / 2e-5).epsilon(1e-7));
    }
    const auto scalar = [](auto v) { return sum(exp(sin(v)) * v) * sum(v * v); };
    CHECK(rc::allclose(rc::jacrev(rc::grad(scalar))(x), rc::hessian(scalar)(x), 1e-11, 1e-11));
}
