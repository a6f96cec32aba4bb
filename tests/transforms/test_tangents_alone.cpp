// hvp and hessian ask for no values of gradients: the tangents are those of jvp(grad(f)), however adjoints reach the
// leaf.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// Adjoints of the same leaf from windows on it, a product with a matrix, sums and maps.
constexpr auto mixed = [](auto x) {
    const auto head = x(slice(0, -1)), tail = x(slice(1, none));
    const tensor<double, 2> m = reshape(linspace(-1.0, 1.0, 12 * 40), {12, 40});
    return sum(100.0 * square(tail - square(head)) + square(1.0 - head)) + sum(exp(matmul(m, x(slice(0, 40))))) +
           log(1.0 + sum(x * x));
};

template <class F, class X>
auto by_jvp(const F& f, const X& x, const X& v) {
    const auto [g, g_dot] = jvp(grad(f), x, v);
    CHECK(allclose(g, grad(f)(x), 1e-12, 1e-12));  // the values, which are asked for here
    return g_dot;
}

}  // namespace

TEST_CASE("hvp and hessian: the tangents of the gradient, without its values") {
    for (const index_t n : {41, 1000, 200000}) {  // rows in one piece, in tiles, in chunks
        const tensor<double, 1> x = 0.5 * randn<double>({n}, generator(1)), v = randn<double>({n}, generator(2));
        const tensor<double, 1> expected = by_jvp(mixed, x, v), got = hvp(mixed, x, v);
        CAPTURE(n);
        CHECK(allclose(got, expected, 1e-12, 1e-12));
    }
    const tensor<double, 1> x = 0.5 * randn<double>({41}, generator(3));
    const tensor<double, 2> h = hessian(mixed)(x);
    index_t wrong = 0;
    for (index_t i = 0; i < 41; ++i) {
        tensor<double, 1> unit = zeros<double>({41});
        unit.at(i) = 1;
        const tensor<double, 1> column = by_jvp(mixed, x, unit);
        for (index_t j = 0; j < 41; ++j)
            wrong += !(std::abs(h.at(j, i) - column.at(j)) <= 1e-11 * (1 + std::abs(column.at(j))));
    }
    CHECK(wrong == 0);
}

TEST_CASE("hvp: Rosenbrock's function by its formula") {
    const index_t n = 300;
    const tensor<double, 1> x = randn<double>({n}, generator(4)), v = randn<double>({n}, generator(5));
    const tensor<double, 1> h = hvp(
        [](auto y) {
            const auto head = y(slice(0, -1)), tail = y(slice(1, none));
            return sum(100.0 * square(tail - square(head)) + square(1.0 - head));
        },
        x, v);
    double largest = 0;
    for (index_t i = 0; i < n; ++i) {
        double expected = 0;
        if (i + 1 < n)
            expected += (1200 * x.at(i) * x.at(i) - 400 * x.at(i + 1) + 2) * v.at(i) - 400 * x.at(i) * v.at(i + 1);
        if (i > 0) expected += 200 * v.at(i) - 400 * x.at(i - 1) * v.at(i - 1);
        largest = std::max(largest, std::abs(h.at(i) - expected) / (1 + std::abs(expected)));
    }
    CHECK(largest < 1e-12);  // terms of some hundreds, few of them
}
