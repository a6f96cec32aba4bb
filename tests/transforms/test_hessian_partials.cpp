// Hessians, whose directions share the first and second derivatives of maps, against products with one direction each.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

/// The Hessian of a function of a vector, one product for each column.
template <class F>
rc::tensor<double, 2> by_columns(const F& f, const rc::tensor<double, 1>& x) {
    const auto h = rc::zeros<double>({x.size(), x.size()});
    for (index_t i = 0; i < x.size(); ++i) {
        auto v = rc::zeros<double>({x.size()});
        v.data()[i] = 1;
        h(rc::all, i) = rc::hvp(f, x, v);
    }
    return h;
}
template <class F>
void check(const F& f, const rc::tensor<double, 1>& x) {
    CHECK(rc::allclose(rc::hessian(f)(x), by_columns(f, x), 1e-12, 1e-12));
}
const rc::tensor<double, 1> x = rc::evaluate(0.3 + 0.2 * rc::arange<double>(7.0));
const rc::tensor<double, 2> matrix = rc::reshape(rc::evaluate(rc::cos(rc::arange<double>(35.0))), {5, 7});

}  // namespace

TEST_CASE("sums of maps, by the closed form") {
    const auto h = rc::hessian([](auto v) { return log(1 + sum(exp(v) * v)) * sum(sin(v)); })(x);
    double total = 1, sines = 0;
    for (const double v : {0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5}) {
        total += std::exp(v) * v;
        sines += std::sin(v);
    }
    for (index_t i = 0; i < 7; ++i)
        for (index_t j = 0; j < 7; ++j) {
            const double a = x.at(i), b = x.at(j), u = std::exp(a) * (1 + a), w = std::exp(b) * (1 + b);
            double expected = (u * std::cos(b) + w * std::cos(a) - sines * u * w / total) / total;
            if (i == j) expected += std::exp(a) * (2 + a) / total * sines - std::log(total) * std::sin(a);
            CHECK(h.at(i, j) == doctest::Approx(expected).epsilon(1e-13));
        }
}
TEST_CASE("maps of a leaf that comes several times") {
    check([](auto v) { return sum(sin(v) * exp(-v * v) / (1 + v * v)); }, x);
}
TEST_CASE("in chunks, in a batch, and in the order of the other modes") {
    const auto f = [](auto v) { return sum(exp(v) * v) * sum(sin(v)); };
    const auto expected = by_columns(f, x);
    CHECK(rc::allclose(rc::hessian(f, rc::vmap_options{.chunk_size = 3})(x), expected, 1e-12, 1e-12));
    CHECK(rc::allclose(rc::jacrev(rc::grad(f))(x), expected, 1e-12, 1e-12));
    const auto both = rc::vmap(rc::hessian(f))(rc::stack({x, rc::evaluate(x + 0.25)}));
    CHECK(rc::allclose(both(0), expected, 1e-12, 1e-12));
    CHECK(rc::allclose(both(1), by_columns(f, rc::evaluate(x + 0.25)), 1e-12, 1e-12));
}
TEST_CASE("maps of values on the way, whose adjoints go on, and of several") {
    check([](auto v) { return sum(exp(sin(matmul(matrix, v)))); }, x);
    check(
        [](auto v) {
            const auto u = matmul(matrix, v);
            return sum(exp(u) * sin(u * sum(v)));
        },
        x);
}
TEST_CASE("slices of one array, and broadcast ones") {
    check([](auto v) { return sum(exp(v(rc::slice(1, rc::none))) * sin(v(rc::slice(0, -1)))); }, x);
    check([](auto v) { return sum(square(sum(exp(sin(v) * matrix), 1))); }, x);
}
TEST_CASE("what selects, and inputs that the value does not vary with") {
    check([](auto v) { return sum(where(v > 1.0, exp(v) * v, sin(v) * exp(-v))); }, x);
    check([](auto v) { return sum(exp(v) * sin(v) * floor(3 * v)); }, x);
    const auto h = rc::hessian([](auto v) { return sum(where(v > 0.0, sqrt(v) * v * v, 0.0 * v)); })(
        rc::tensor<double, 1>({0.0, 1.0}));
    CHECK(rc::allclose(h, rc::tensor<double, 2>({{0.0, 0.0}, {0.0, 3.75}}), 1e-13, 1e-13));
}
TEST_CASE("infinite slopes stay with their own rows") {
    const auto f = [](auto v) { return sum(sqrt(v) * exp(v)) + sum(v * v); };
    const auto at = rc::tensor<double, 1>({0.0, 1.0, 2.0});
    const auto h = rc::hessian(f)(at), expected = by_columns(f, at);
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 3; ++j) {
            CHECK(std::isfinite(h.at(i, j)) == (i > 0));  // as hvp has it
            CHECK(std::isfinite(expected.at(i, j)) == (i > 0));
            if (i > 0) CHECK(h.at(i, j) == doctest::Approx(expected.at(i, j)).epsilon(1e-13));
        }
}
TEST_CASE("float, one variable, none, and many") {
    const auto f = [](auto v) { return sum(exp(sin(v)) * v) * sum(v * v); };
    check(f, rc::tensor<double, 1>({0.7}));
    CHECK(rc::hessian(f)(rc::zeros<double>({0})).shape() == rc::shape<2>{0, 0});
    check(f, rc::evaluate(rc::sin(rc::arange<double>(65.0))));
    const auto single = rc::hessian(f)(rc::tensor<float, 1>({0.25f, 0.5f, 1.5f}));
    const auto expected = by_columns(f, rc::tensor<double, 1>({0.25, 0.5, 1.5}));
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 3; ++j) CHECK(single.at(i, j) == doctest::Approx(expected.at(i, j)).epsilon(1e-5));
}
TEST_CASE("rows of every length beside a register") {
    for (const index_t n : {2, 7, 8, 9, 16, 19, 20, 31, 64, 70}) {
        CAPTURE(n);
        check([](auto v) { return log(1 + sum(exp(v) * v)) * sum(sin(v)); },
              rc::evaluate(rc::cos(rc::arange<double>(double(n)))));
    }
}
TEST_CASE("rows that are added to rows, also of more elements than are walked at once") {
    for (const index_t n : {3, 20, 400}) {
        CAPTURE(n);
        check([](auto v) { return sum(exp(v) * v) * sum(sin(v)) + log(sum(exp(sin(v)))) * sum(v * v); },
              rc::evaluate(rc::cos(rc::arange<double>(double(n))) + 0.5));
    }
}
TEST_CASE("third derivatives, by the closed form") {
    const auto f = [](auto v) { return sum(exp(v)) * sum(sin(v)); };
    const auto by_hand = [](const rc::tensor<double, 1>& at, index_t i, index_t j, index_t k) {
        double a = 0, b = 0;
        for (index_t l = 0; l < at.size(); ++l) {
            a += std::exp(at.at(l));
            b += std::sin(at.at(l));
        }
        const double e = std::exp(at.at(i)), s = std::sin(at.at(i)), c = std::cos(at.at(i));
        const auto pair = [&](index_t m, index_t l) {  // of which two are m
            return std::exp(at.at(m)) * std::cos(at.at(l)) - std::exp(at.at(l)) * std::sin(at.at(m));
        };
        if (i == j && j == k) return e * b + 3 * e * c - 3 * e * s - a * c;
        return i == j ? pair(i, k) : i == k ? pair(i, j) : j == k ? pair(j, i) : 0.0;
    };
    const auto forward = rc::jacfwd(rc::hessian(f))(x), reverse = rc::jacrev(rc::hessian(f))(x),
               nested = rc::jacfwd(rc::jacfwd(rc::grad(f)))(x);
    for (index_t i = 0; i < 7; ++i)
        for (index_t j = 0; j < 7; ++j)
            for (index_t k = 0; k < 7; ++k) {
                const auto expected = doctest::Approx(by_hand(x, i, j, k)).epsilon(1e-12);
                CHECK(forward.at(i, j, k) == expected);
                CHECK(reverse.at(i, j, k) == expected);
                CHECK(nested.at(i, j, k) == expected);
            }
}
TEST_CASE("matrices, whose sums are whole or along an axis") {
    const auto f = [](auto w) {
        return sum(exp(w) * sin(w)) * sum(cos(w)) + sum(square(sum(exp(w) * w, 1))) +
               sum(exp(w(rc::slice(rc::none, rc::none, -1), rc::all) * sum(w) * w));
    };
    const rc::tensor<double, 1> flat = rc::sin(rc::arange<double>(18.0));
    const auto expected = by_columns([&](auto v) { return f(reshape(v, {3, 6})); }, flat);
    const auto w = rc::reshape(flat, {3, 6});
    for (const index_t n : {18, 5, 1}) {
        CAPTURE(n);
        const auto h = rc::hessian(f, rc::vmap_options{.chunk_size = n})(w);
        CHECK(rc::allclose(rc::reshape(h, {18, 18}), expected, 1e-12, 1e-12));
    }
    CHECK(rc::allclose(rc::reshape(rc::hessian(f)(w), {18, 18}), expected, 1e-12, 1e-12));
}
TEST_CASE("of one of two arguments, and with a Jacobian inside") {
    const auto f = [](auto a, auto b) { return sum(exp(a) * a) * sum(sin(b)) + sum(exp(a * b)); };
    const auto h = rc::hessian(f, rc::argnums<1>)(x, rc::evaluate(x * 2.0));
    const auto one = [&](auto b) { return f(x, b); };
    CHECK(rc::allclose(h, by_columns(one, rc::evaluate(x * 2.0)), 1e-12, 1e-12));
    const auto inner = [](auto v) {
        return sum(square(rc::jacfwd([](auto u) { return sum(exp(u) * u); })(v)) * sin(v));
    };
    const auto closed = [](auto v) { return sum(square(exp(v) * (1 + v)) * sin(v)); };
    CHECK(rc::allclose(rc::hessian(inner)(x), by_columns(closed, x), 1e-12, 1e-12));
    const auto third = rc::jacfwd(rc::hessian([](auto v) { return sum(exp(v) * v) * sum(v * v); }))(x);
    for (index_t i = 0; i < 7; ++i) {
        const auto part = [&](auto v) {
            return rc::hessian([](auto u) { return sum(exp(u) * u) * sum(u * u); })(v)(0, i);
        };
        CHECK(rc::allclose(third(0, i), rc::grad([&](auto v) { return sum(part(v)); })(x), 1e-11, 1e-11));
    }
}
TEST_CASE("slopes that are finite where the curvature is not") {
    const auto h =
        rc::hessian([](auto v) { return sum(v * sqrt(v)) * sum(exp(v)); })(rc::tensor<double, 1>({0.0, 1.0}));
    CHECK(h.at(1, 1) == doctest::Approx(0.75 * (1 + std::exp(1.0)) + 2 * 1.5 * std::exp(1.0) + std::exp(1.0)));
}
TEST_CASE("derivatives of it") {
    const auto f = [](auto v) { return sum(exp(sin(v)) * v) * sum(v); };
    const auto total = [f](auto v) { return sum(square(rc::hessian(f)(v))); };
    const auto g = rc::grad(total)(x);
    for (index_t i = 0; i < 7; ++i) {
        const auto up = x.clone(), down = x.clone();
        up.data()[i] += 1e-5;
        down.data()[i] -= 1e-5;
        CHECK(g.data()[i] == doctest::Approx((total(up).item() - total(down).item()) / 2e-5).epsilon(1e-7));
    }
}
