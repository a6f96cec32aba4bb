// Samples of continuous distributions in the element type T against SciPy.
#pragma once
#include "random.hpp"

namespace samples {

template <class T>
void check_continuous() {
    generator g(1);
    const shape<1> n{many};
    check_sample("uniform(-2, 3)", random::uniform<T>(-2, 3, n, g));
    check_sample("normal(1.5, 0.5)", random::normal<T>(1.5, 0.5, n, g));
    check_sample("exponential(2)", random::exponential<T>(2, n, g));
    const auto gamma = [&](double k, double scale) { return random::gamma<T>(k, scale, n, g); };
    check_sample("gamma(0.05, 1)", gamma(0.05, 1));
    check_sample("gamma(0.5, 2)", gamma(0.5, 2));
    check_sample("gamma(1, 1)", gamma(1, 1));
    check_sample("gamma(3.7, 0.25)", gamma(3.7, 0.25));
    check_sample("gamma(1000, 1)", gamma(1000, 1));
    const auto beta = [&](double a, double b) { return random::beta<T>(a, b, n, g); };
    check_sample("beta(0.5, 0.5)", beta(0.5, 0.5));
    check_sample("beta(2, 5)", beta(2, 5));
    check_sample("beta(0.05, 3)", beta(0.05, 3));
    check_sample("beta(300, 200)", beta(300, 200));
    const auto truncated = [&](double mean, double stddev, double low, double high) {
        const auto x = random::truncated_normal<T>(mean, stddev, low, high, n, g);
        static_assert(std::is_same_v<decltype(x), const tensor<T, 1>>);
        CHECK(static_cast<double>(min(x).item()) >= low);
        CHECK(static_cast<double>(max(x).item()) <= (std::is_same_v<T, float> ? static_cast<float>(high) : high));
        return x;
    };
    check_sample("truncated_normal(0, 1, -1, 2)", truncated(0, 1, -1, 2));
    check_sample("truncated_normal(0, 1, -0.5, 0.5)", truncated(0, 1, -0.5, 0.5));
    check_sample("truncated_normal(2, 3, -inf, 0.5)", truncated(2, 3, -inf, 0.5));
    check_sample("truncated_normal(0, 1, 3, inf)", truncated(0, 1, 3, inf));
    check_sample("truncated_normal(0, 1, 8, 8.1)", truncated(0, 1, 8, 8.1));
    check_sample("truncated_normal(0, 1, -30, -20)", truncated(0, 1, -30, -20));
    check_sample("truncated_normal(0, 1, -0.1, inf)", truncated(0, 1, -0.1, inf));
    CHECK(g.offset() == 19 * many);
}

}  // namespace samples
