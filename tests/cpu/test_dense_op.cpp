// Gradients, tangents and sums of few dense elements, whose kernels are called at once, beside those of the same
// numbers with steps: a register of them is gathered, more are left to the loop nest.
#include <doctest/doctest.h>

#include <tuple>

#include "numbers.hpp"

namespace rc = ricci;
using rc::index_t;
using rc::none;
using rc::slice;

namespace {

/// The same elements in memory with gaps.
template <class T, int R>
rc::tensor<T, R> spread_out(const rc::tensor<T, R>& x) {
    auto extents = x.shape();
    extents[R - 1] = 2 * extents[R - 1];
    const auto wide = rc::tensor<T, R>::uninitialized(extents);
    const auto steps = slice(none, none, 2);
    if constexpr (R == 1) {
        wide(steps) = x;
        return wide(steps);
    } else {
        wide(rc::all, steps) = x;
        return wide(rc::all, steps);
    }
}
template <class T, int R>
bool same(const rc::tensor<T, R>& x, const rc::tensor<T, R>& y) {
    const T tolerance = T(16) * std::numeric_limits<T>::epsilon();
    return x.shape() == y.shape() && rc::allclose(x, y, tolerance, tolerance * T(16));
}

constexpr auto bend = [](const auto& x) { return sin(x) * exp(-x * x) / (1 + x * x); };
constexpr auto total = [](const auto& x) { return sum(bend(x)); };
constexpr auto mixed = [](const auto& x, const auto& y) { return sum(x * y + x / (y * y + 2)); };
constexpr auto scaled = [](const auto& x, const auto& s) { return sum(exp(x * s) * s); };
constexpr auto wave = [](const auto& x) { return sum(exp(x) * sin(x)); };
constexpr auto slopes = [](const auto& x) { return sum(rc::grad(wave)(x)); };
constexpr auto curvatures = [](const auto& x) { return sum(rc::grad(slopes)(x)); };

template <class T, int R>
void check(const rc::tensor<T, R>& integers) {
    const rc::tensor<T, R> x = integers / T(5), y = rc::cos(integers), v = T(1) - x;
    const auto x2 = spread_out(x), y2 = spread_out(y), v2 = spread_out(v);
    CAPTURE(x.size());
    CHECK(std::abs(T(total(x)) - T(total(x2))) <= T(1e-5) * T(x.size()));
    CHECK(same(rc::grad(total)(x), rc::grad(total)(x2)));
    const auto [value, slope] = rc::value_and_grad(total)(x);
    CHECK(same(slope, rc::grad(total)(x2)));
    CHECK(std::abs(value.item() - T(total(x2))) <= T(1e-5) * T(x.size()));
    const auto [by_x, by_y] = rc::grad(mixed, rc::argnums<0, 1>)(x, y);
    const auto [by_x2, by_y2] = rc::grad(mixed, rc::argnums<0, 1>)(x2, y2);
    CHECK(same(by_x, by_x2));
    CHECK(same(by_y, by_y2));
    const auto [bent, tangent] = rc::jvp(bend, x, v);
    const auto [bent2, tangent2] = rc::jvp(bend, x2, v2);
    CHECK(same(bent, bent2));
    CHECK(same(tangent, tangent2));
    // one element for all, whose adjoint is a sum
    const auto [by_array, by_number] = rc::grad(scaled, rc::argnums<0, 1>)(x, rc::tensor<T, 0>(T(0.25)));
    const auto [by_array2, by_number2] = rc::grad(scaled, rc::argnums<0, 1>)(x2, rc::tensor<T, 0>(T(0.25)));
    CHECK(same(by_array, by_array2));
    CHECK(std::abs(by_number.item() - by_number2.item()) <= T(1e-5) * std::abs(by_number2.item()));
}

}  // namespace

TEST_CASE_TEMPLATE("dense ops: of any number of elements", T, float, double) {
    for (const index_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 4095, 4096, 4097, 5000})
        check(numbers<T>(rc::shape<1>{n}));
}
TEST_CASE_TEMPLATE("dense ops: of matrices", T, float, double) {
    for (const index_t rows : {1, 2, 5})
        for (const index_t columns : {1, 3, 8, 16, 17, 40}) check(numbers<T>(rc::shape<2>{rows, columns}));
}
TEST_CASE("dense ops: an adjoint is added to one that is there, and a cotangent of every element") {
    const auto x = rc::linspace<double>(-1.0, 1.0, 40);
    // h is used by two ops: the second adjoint is added to the first
    const auto twice = [](const auto& v) {
        const auto h = evaluate(v * v);
        return sum(h * h) + sum(sin(h));
    };
    const auto g = rc::grad(twice)(x);
    CHECK(rc::allclose(g, 4.0 * x * x * x + 2.0 * x * cos(x * x), 1e-14, 1e-14));
    const auto pull = std::get<1>(rc::vjp(bend, x));
    const auto v = rc::linspace<double>(1.0, 2.0, 40);
    CHECK(rc::allclose(pull(v), rc::grad([&](const auto& u) { return sum(bend(u) * v); })(x), 1e-13, 1e-14));
}
TEST_CASE_TEMPLATE("dense ops: a recurrence adds to the adjoints of what each step uses", T, float, double) {
    const auto steps = [](const auto& x, const auto& w, const auto& s) {
        auto h = evaluate(x + 0 * w);
        for (int i = 0; i < 4; ++i) h = evaluate(h * w + sin(w * s) * h * s);
        return sum(h * x);
    };
    for (const index_t n : {1, 2, 3, 7, 8, 9, 14, 16, 17, 33}) {
        const rc::tensor<T, 1> x = rc::linspace<T>(T(-1), T(1.5), n), w = cos(x + T(1));
        const rc::tensor<T, 0> s(T(0.75));
        CAPTURE(n);
        const auto [by_x, by_w, by_s] = rc::grad(steps, rc::argnums<0, 1, 2>)(x, w, s);
        const auto [by_x2, by_w2, by_s2] = rc::grad(steps, rc::argnums<0, 1, 2>)(spread_out(x), spread_out(w), s);
        CHECK(same(by_x, by_x2));
        CHECK(same(by_w, by_w2));
        CHECK(std::abs(by_s.item() - by_s2.item()) <= T(1e-5) * (1 + std::abs(by_s2.item())));
        // by the product rule
        const T f = T(0.75);
        const rc::tensor<T, 1> factor = w + sin(w * f) * f, cubed = factor * factor * factor;
        CHECK(same(by_x, evaluate(2 * x * cubed * factor)));
        CHECK(same(by_w, evaluate(4 * x * x * cubed * (1 + cos(w * f) * (f * f)))));
        const T expected = sum(4 * x * x * cubed * (sin(w * f) + w * cos(w * f) * f));
        CHECK(std::abs(by_s.item() - expected) <= T(1e-5) * (1 + std::abs(expected)));
    }
}
TEST_CASE("dense ops: a sum of many ones in float is exact") {
    CHECK(rc::sum(rc::exp(rc::zeros<float>({4096}))).item() == 4096.0f);
    CHECK(rc::sum(rc::exp(rc::zeros<float>({100000}))).item() == 100000.0f);
}
TEST_CASE_TEMPLATE("dense ops: a row and a column of as many elements broadcast", T, float, double) {
    const auto all_pairs = [](const auto& x, const auto& y) { return sum(x * y); };
    for (const index_t n : {1, 2, 3, 4, 5, 8, 9, 16, 17}) {
        CAPTURE(n);
        const auto column = numbers<T, 2>(rc::shape<2>({n, 1})), square = numbers<T, 2>(rc::shape<2>({1, n}), 5);
        const auto row = numbers<T, 1>(rc::shape<1>({n}), 4);
        T rows = 0, columns = 0;
        for (index_t i = 0; i < n; ++i) rows += row.at(i), columns += column.at(i, 0);
        CHECK(rc::sum(column * row).item() == rows * columns);
        CHECK(rc::sum(row * column).item() == rows * columns);
        CHECK(rc::sum(spread_out(row) * column).item() == rows * columns);
        CHECK(rc::sum(column * square).item() == columns * rc::sum(square).item());
        const auto [by_column, by_row] = rc::grad(all_pairs, rc::argnums<0, 1>)(column, row);
        CHECK(same(by_column, rc::full({n, 1}, rows)));
        CHECK(same(by_row, rc::full({n}, columns)));
        // a batch of as many numbers as a captured vector has elements
        const auto of_one = [&](const auto& x) { return sum(x * row); };
        CHECK(same(rc::evaluate(rc::vmap(of_one)(row)), rc::evaluate(row * rows)));
        CHECK(same(rc::evaluate(rc::vmap(rc::grad(of_one))(row)), rc::full({n}, rows)));
    }
}
TEST_CASE_TEMPLATE("dense ops: third derivatives, by the closed form", T, float, double) {
    const T tolerance = T(32) * std::numeric_limits<T>::epsilon();
    for (const index_t n : {1, 3, 4, 8, 9, 14, 40}) {
        const auto x = rc::linspace<T>(T(-1), T(2), n);
        CAPTURE(n);
        const auto expected = evaluate(2 * exp(x) * (cos(x) - sin(x)));
        CHECK(rc::allclose(rc::grad(curvatures)(x), expected, tolerance, T(8) * tolerance));
        CHECK(rc::allclose(rc::grad(curvatures)(spread_out(x)), expected, tolerance, T(8) * tolerance));
    }
}
