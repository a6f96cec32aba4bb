// Gradients through slices: adjoints of slices of one array meet in its gradient.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// Rosenbrock's function, whose slices overlap.
inline constexpr auto rosenbrock = [](const auto& x) {
    const auto head = x(slice(0, -1)), tail = x(slice(1, none));
    return sum(100 * square(tail - square(head)) + square(1 - head));
};
/// Squares of the 5-point Laplacian, whose slices overlap along both axes.
inline constexpr auto laplacian = [](const auto& u) {
    const slice inner(1, -1), low(0, -2), high(2, none);
    return square(u(inner, low) + u(inner, high) + u(low, inner) + u(high, inner) - 4 * u(inner, inner));
};

tensor<double, 1> rosenbrock_gradient(const tensor<double, 1>& x) {
    auto g = zeros<double>(x.shape());
    for (index_t i = 0; i + 1 < x.size(); ++i) {
        const double a = x.at(i), b = x.at(i + 1);
        g.data()[i] += -400 * a * (b - a * a) - 2 * (1 - a);
        g.data()[i + 1] += 200 * (b - a * a);
    }
    return g;
}
tensor<double, 1> rosenbrock_product(const tensor<double, 1>& x, const tensor<double, 1>& v) {
    auto h = zeros<double>(x.shape());
    for (index_t i = 0; i + 1 < x.size(); ++i) {
        const double a = x.at(i), b = x.at(i + 1);
        h.data()[i] += (1200 * a * a - 400 * b + 2) * v.at(i) - 400 * a * v.at(i + 1);
        h.data()[i + 1] += 200 * v.at(i + 1) - 400 * a * v.at(i);
    }
    return h;
}

}  // namespace

// From fewer elements than a register has to several tiles.
TEST_CASE("slices: Rosenbrock's function at many lengths") {
    for (const index_t n : {1, 2, 3, 8, 9, 17, 100, 1024, 1025, 5000, 20001}) {
        CAPTURE(n);
        const auto x = spread({n}), v = spread({n}, 5);
        check_close(grad(rosenbrock)(x), rosenbrock_gradient(x), 1e-13);
        check_close(hvp(rosenbrock, x, v), rosenbrock_product(x, v), 1e-13);
    }
}
// Long enough for chunks, which share elements at their ends.
TEST_CASE("slices: gradients do not depend on the number of threads") {
    const auto x = spread({400001});
    const auto u = spread({700, 601});
    const int threads = num_threads();
    set_num_threads(1);
    const auto one = grad(rosenbrock)(x);
    const auto plane = grad([](const auto& a) { return sum(laplacian(a)); })(u);
    set_num_threads(4);
    const auto four = grad(rosenbrock)(x);
    const auto plane_of_four = grad([](const auto& a) { return sum(laplacian(a)); })(u);
    set_num_threads(threads);
    check_close(one, rosenbrock_gradient(x), 1e-13);
    check_close(one, four, 0);
    check_close(plane, plane_of_four, 0);
    // The energy is quadratic: its value is half the product of its gradient with the point.
    CHECK(sum(plane * u).item() == doctest::Approx(2 * sum(laplacian(u)).item()).epsilon(1e-12));
}
TEST_CASE("slices: the 5-point Laplacian") {
    check_first_order(laplacian, spread({5, 7}));
    const auto x = spread({6, 11});
    const auto v = spread({6, 11}, 3);
    const auto slope = grad([](const auto& u) { return sum(laplacian(u)); });
    check_close(hvp([](const auto& u) { return sum(laplacian(u)); }, x, v), slope(v));  // linear in its argument
}
TEST_CASE("slices: steps, negative ones too") {
    check_first_order(
        [](const auto& x) {
            return x(slice(0, none, 2)) * x(slice(1, none, 2)) + sin(x(slice(none, none, -2))) * x(slice(5, 10));
        },
        spread({10}));
    check_first_order([](const auto& x) { return x(slice(none, none, -1)) * x * x(slice(none, none, -1)); },
                      spread({13}));
}
TEST_CASE("slices: of slices, equal ones, ones of a transposed array") {
    check_first_order(
        [](const auto& x) {
            const auto inner = x(slice(1, none), slice(none, none, -1));
            const auto across = permute(inner, {1, 0});
            return inner(slice(0, 3), slice(0, 3)) * across(slice(0, 3), slice(1, 4)) +
                   exp(inner(slice(0, 3), slice(0, 3)) * x(slice(2, 5), slice(1, 4)));
        },
        spread({5, 6}));
}
TEST_CASE("slices: broadcast ones are summed, whole ones and others meet") {
    check_first_order(
        [](const auto& x) {
            const auto rows = x(slice(1, 3), all), first = x(slice(0, 1), all), column = x(slice(0, 2), slice(2, 3));
            return rows * first + sin(column) * rows;
        },
        spread({3, 4}));
    check_first_order([](const auto& x) { return x * x(slice(0, 1)) * sin(x); }, spread({9}));
    check_first_order(
        [](const auto& x) { return x(2, all) * x(slice(0, 1), all) + x(all, newaxis, 1)(slice(0, 1), all); },
        spread({3, 3}));
}
TEST_CASE("slices: of two arrays and of what was computed") {
    check_first_order(
        [](const auto& a, const auto& b) {
            const auto product = evaluate(a * b);
            const auto difference = product(slice(1, none)) - product(slice(0, -1));
            return difference * a(slice(1, none)) * b(slice(0, -1));
        },
        spread({12}), spread({12}, 4));
}
TEST_CASE("slices: no elements") {
    check_close(grad([](const auto& x) { return sum(x(slice(2, 2)) * x(slice(0, 0))) + sum(x); })(spread({4})),
                ones<double>({4}));
    check_close(grad([](const auto& x) { return sum(x(slice(2, 2)) * x(slice(0, 0))); })(spread({4})),
                zeros<double>({4}));
}
TEST_CASE("slices: single precision and mixed types") {
    const auto x = evaluate(astype<float>(spread({37})));
    const auto g = grad([](const auto& a) { return sum(a(slice(1, none)) * a(slice(0, -1))); })(x);
    auto expected = zeros<float>({37});
    for (index_t i = 0; i < 37; ++i) expected.data()[i] = (i > 0 ? x.at(i - 1) : 0.0F) + (i < 36 ? x.at(i + 1) : 0.0F);
    check_close(g, expected, 0);
    const auto mixed = grad([](const auto& a) { return sum(astype<double>(a(slice(1, none))) * a(slice(0, -1))); })(x);
    check_close(mixed, expected, 0);
}
