// Graphs of many vertices: the order in which they are pulled, and short rows that many of them add to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class T>
tensor<T, 1> ramp(index_t n, double low, double high) {
    return evaluate(astype<T>(linspace<double>(low, high, n)));
}

/// y <- a b y + c d e + x y: seven arrays, of which one is read twice and six are added to in every step.
constexpr int steps = 3;
constexpr auto recurrence = [](const auto& x, const auto& a, const auto& b, const auto& c, const auto& d,
                               const auto& e) {
    auto y = evaluate(x * 1);
    for (int t = 0; t < steps; ++t) y = evaluate(a * b * y + c * d * e + x * y);
    return sum(y);
};
/// The six adjoints of element i, backward through the loop.
struct element_adjoints {
    double bar[6] = {};

    explicit element_adjoints(const double (&in)[6]) {
        const auto [x, a, b, c, d, e] = in;
        double y[steps + 1] = {x};
        for (int t = 0; t < steps; ++t) y[t + 1] = a * b * y[t] + c * d * e + x * y[t];
        double y_bar = 1;
        for (int t = steps - 1; t >= 0; --t) {
            const double terms[] = {y[t], b * y[t], a * y[t], d * e, c * e, c * d};
            for (int k = 0; k < 6; ++k) bar[k] += y_bar * terms[k];
            y_bar *= a * b + x;
        }
        bar[0] += y_bar;
    }
};
template <class T>
void check_rows(double tolerance) {
    const auto gradient = grad(recurrence, argnums<0, 1, 2, 3, 4, 5>);
    for (index_t n = 1; n < 140; n += n < 40 ? 1 : 7) {
        CAPTURE(n);
        const tensor<T, 1> in[] = {ramp<T>(n, -1, 0.5),   ramp<T>(n, 0.25, 1), ramp<T>(n, 1, -1),
                                   ramp<T>(n, 0.5, 0.75), ramp<T>(n, -1, 1),   ramp<T>(n, 1, 0)};
        const auto [x, a, b, c, d, e] = gradient(in[0], in[1], in[2], in[3], in[4], in[5]);
        const tensor<T, 1> bars[] = {x, a, b, c, d, e};
        double error = 0;
        for (index_t i = 0; i < n; ++i) {
            double at[6];
            for (int k = 0; k < 6; ++k) at[k] = in[k].data()[i];
            const element_adjoints expected(at);
            for (int k = 0; k < 6; ++k) error = std::max(error, std::abs(bars[k].data()[i] - expected.bar[k]));
        }
        CHECK(error < tolerance);
    }
}

}  // namespace

TEST_CASE("long graphs: steps add to the same rows, of all lengths") {
    check_rows<double>(2e-14);  // some thirty roundings of numbers below 6
    check_rows<float>(1e-5);
}

TEST_CASE("long graphs: vertices that wait are pulled after all that use them, in whatever order they came to wait") {
    // a chain v[i] = v[i - 1] / 2 + c[i] x, and sums that use its links in a shuffled order; a link that is pulled too
    // early is asked again after it let go of its inputs
    constexpr int links = 64, uses = 600;
    const auto place = [](int k) { return std::size_t(k * 37 % 101 % links); };
    const auto weight = [](int k) { return 1.0 + k % 7; };
    const auto f = [&](const auto& x) {
        std::vector v{evaluate(x * 1.0)};
        for (int i = 1; i < links; ++i) v.push_back(evaluate(v.back() * 0.5 + x * (i % 5)));
        auto total = evaluate(x * 0.0);
        for (int k = 0; k < uses; ++k) total = evaluate(total + v[place(k)] * weight(k));
        return sum(total);
    };
    double used[links] = {};
    for (int k = 0; k < uses; ++k) used[place(k)] += weight(k);
    double expected = 0, v_bar = 0;
    for (int i = links - 1; i >= 0; --i) {
        v_bar = used[i] + 0.5 * v_bar;
        expected += v_bar * (i == 0 ? 1 : i % 5);
    }
    for (const index_t n : {1, 5}) {
        const auto slope = grad(f)(ramp<double>(n, 0, 1));
        for (index_t i = 0; i < n; ++i) CHECK(slope.data()[i] == doctest::Approx(expected).epsilon(1e-13));
    }
}

TEST_CASE("long graphs: a pass that follows another finds what that left") {
    constexpr int links = 1000;
    variable<double, 1> x(ramp<double>(5, 0, 1));
    auto y = evaluate(x * 1.0);
    for (int i = 0; i < links; ++i) y = evaluate(y * 0.999 + x);
    const auto total = evaluate(sum(y));
    total.backward({.retain_graph = true});
    const double decay = std::pow(0.999, links), expected = decay + (1 - decay) / 0.001;
    CHECK(x.grad().at(3) == doctest::Approx(expected).epsilon(1e-12));
    total.backward();
    CHECK(x.grad().at(3) == doctest::Approx(2 * expected).epsilon(1e-12));
    CHECK_THROWS_AS(total.backward(), gradient_error);
}
