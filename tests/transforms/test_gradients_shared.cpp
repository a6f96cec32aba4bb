// Gradients of values that several kernels use: adjoints are added into cotangents that exist, and never into what a
// user sees.
#include <doctest/doctest.h>

#include "derivatives.hpp"

using namespace ricci;

namespace {

/// The gradients of a scalar function against central differences.
template <class F, class... X>
void check_gradients(const F& f, const X&... x) {
    const tensor<double, 0> one(1.0);
    [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto slopes = derivative_checks::as_tuple(grad(f, argnums<I...>)(x...));
        (derivative_checks::check_close(std::get<I>(slopes),
                                        derivative_checks::difference_gradient<I>(f, one, std::make_tuple(x...)),
                                        derivative_checks::difference_tolerance),
         ...);
    }(std::make_integer_sequence<int, sizeof...(X)>{});
}

template <class T>
tensor<T, 1> ramp(index_t n) {
    return evaluate(astype<T>(linspace<double>(-1.0, 1.25, n)));
}
/// Three kernels that use x, one of them twice: x^2, exp(x) and x^3 / 6, cut apart by evaluate.
constexpr auto three_uses = [](const auto& x) {
    const auto a = evaluate(x * x);
    const auto b = evaluate(exp(x));
    const auto c = evaluate(x * x * x * 0.125);
    return evaluate(sum(a) + sum(b) + sum(c));
};
template <class T>
void check_lengths(double tolerance) {
    for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 5000, 140000}) {
        CAPTURE(n);
        const auto x = ramp<T>(n);
        const auto slope = grad(three_uses)(x);
        double error = 0;
        for (index_t i = 0; i < n; ++i) {
            const double at = x.data()[i];
            error = std::max(error, std::abs(slope.data()[i] - (2 * at + std::exp(at) + 0.375 * at * at)));
        }
        CHECK(error < tolerance);
    }
}

}  // namespace

TEST_CASE("shared: three kernels add to one gradient, at all lengths") {
    check_lengths<double>(4e-15);  // a few roundings of numbers below 7
    check_lengths<float>(4e-6);
}

TEST_CASE("shared: sums into a cotangent that exists, along each axis and along all") {
    const auto f = [](const auto& a, const auto& row, const auto& column, const auto& one) {
        auto y = evaluate(a * row);
        for (int i = 0; i < 3; ++i) y = evaluate(sin(y * row) + column(all, newaxis) * one);
        return evaluate(sum(y * y));
    };
    check_gradients(f, derivative_checks::spread({7, 9}, 1), derivative_checks::spread({9}, 2),
                    derivative_checks::spread({7}, 3), tensor<double, 0>(0.25));
}

TEST_CASE("shared: strided and transposed uses, and windows beside whole ones") {
    const auto f = [](const auto& x) {
        const auto y = evaluate(sin(x));
        const auto t = evaluate(permute(y, {1, 0}) * y);
        const auto inner = evaluate(y(slice(1, none), all) * y(slice(0, -1), all) + y(slice(1, none), all));
        const auto steps = evaluate(y(all, slice(0, none, 2)) * 3.0);
        return evaluate(sum(t * t * y) + sum(inner) + sum(exp(steps)) + sum(y));
    };
    for (const index_t n : {2, 3, 5, 8, 17, 40}) {
        CAPTURE(n);
        check_gradients(f, derivative_checks::spread({n, n}, 4));
    }
}

TEST_CASE("shared: rows large enough for threads give the same as one thread") {
    const auto x = randn<double>({300000}, generator(5));
    const auto f = [](const auto& v) {
        const auto a = evaluate(v(slice(1, none)) * v(slice(0, -1)));
        const auto b = evaluate(v(slice(2, none)) - v(slice(0, -2)));
        return evaluate(sum(square(a)) + sum(sin(b)) + sum(v * v));
    };
    const auto many = grad(f)(x);
    const int before = num_threads();
    set_num_threads(1);
    const auto alone = grad(f)(x);
    set_num_threads(before);
    CHECK(all(many == alone).item());
    const auto at = [&](index_t i) { return x.data()[i]; };
    for (const index_t i : {2, 3, 4095, 4096, 150000, 299997}) {
        const double expected = 2 * at(i) * (at(i - 1) * at(i - 1) + at(i + 1) * at(i + 1)) +
                                std::cos(at(i) - at(i - 2)) - std::cos(at(i + 2) - at(i)) + 2 * at(i);
        CHECK(many.data()[i] == doctest::Approx(expected).epsilon(1e-13));
    }
}

TEST_CASE("shared: complex and empty arrays") {
    const tensor<std::complex<double>, 1> z{{0.5, 1}, {-1, 0.25}, {0, 2}, {1.5, -0.5}, {-0.75, -1}};
    const auto g = grad([](const auto& v) {
        const auto a = evaluate(v * v), b = evaluate(v * 2.0);
        return evaluate(sum(real(a * conj(a))) + sum(real(b)) + sum(imag(a)));
    })(z);
    for (index_t i = 0; i < 5; ++i) {
        const auto w = z.data()[i];  // |w|^4 + 2 Re w + Im w^2
        const auto expected = 4.0 * std::norm(w) * w + 2.0 + std::conj(std::complex<double>(0, -2) * w);
        CHECK(std::abs(g.data()[i] - expected) < 1e-13 * (1 + std::abs(expected)));
    }
    const auto nothing = grad(
        [](const auto& v, const auto& w) {
            const auto y = evaluate(v * w);
            return evaluate(sum(y) + sum(y * w) + sum(w * w));
        },
        argnums<0, 1>)(zeros<double>({0}), tensor<double, 0>(3.0));
    CHECK(std::get<0>(nothing).size() == 0);
    CHECK(std::get<1>(nothing).item() == 6.0);  // of the last term alone
}
TEST_CASE("shared: cotangents are complete in whatever order their uses wait") {
    // each value is of three earlier ones, all over the graph, and values are joined forwards, backwards and shuffled
    const index_t n = 301;
    for (const index_t stride : {index_t(1), index_t(-1), index_t(110), index_t(2)}) {
        const auto f = [&](const auto& x) {
            std::vector values{evaluate(x * x)};
            for (index_t i = 1; i < n; ++i) {
                const auto &a = values[std::size_t((i * 7919 + 5) % i)], &b = values[std::size_t((i * i + 3) % i)];
                const auto& c = values[std::size_t(i * 104729 / 7 % i)];
                values.push_back(evaluate(a * 0.25 + b * 0.25 + c * 0.25 + x));
            }
            std::vector<std::decay_t<decltype(values[0])>> shuffled;
            for (index_t i = 0; i < n; ++i) shuffled.push_back(values[std::size_t(((i * stride) % n + n) % n)]);
            return sum(stack(shuffled));
        };
        const tensor<double, 1> x{0.5, -1.25, 2};
        std::vector<double> weight(std::size_t(n), 0), rest(std::size_t(n), 0);  // of x^2 and of x in each value
        weight[0] = 1;
        double squares = 1, lines = 0;
        for (index_t i = 1; i < n; ++i) {
            const auto at = [&](index_t j) { return std::size_t(j % i); };
            const auto of = [&](const std::vector<double>& v) {
                return 0.25 * (v[at(i * 7919 + 5)] + v[at(i * i + 3)] + v[at(i * 104729 / 7)]);
            };
            weight[std::size_t(i)] = of(weight);
            rest[std::size_t(i)] = of(rest) + 1;
            squares += weight[std::size_t(i)];
            lines += rest[std::size_t(i)];
        }
        CAPTURE(stride);
        CHECK(allclose(grad(f)(x), 2 * squares * x + lines, 1e-12, 1e-12));
    }
}
