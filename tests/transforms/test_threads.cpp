// Threads that pull cotangents back through one graph take turns; each gets the derivative along its own.
#include <doctest/doctest.h>

#include <optional>
#include <thread>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

TEST_CASE("vjp: one pullback, called by several threads at once") {
    const auto x = linspace<double>(-1.0, 1.0, 200);
    const auto f = [](const auto& v) {
        const auto a = evaluate(v * v);
        const auto b = evaluate(sin(v));
        return evaluate(a * b + a);
    };
    const auto pull = std::get<1>(vjp(f, x));
    const auto slope = evaluate(2.0 * x * sin(x) + x * x * cos(x) + 2.0 * x);
    std::vector<double> errors(4, 1.0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            double worst = 0;
            for (int i = 0; i < 50; ++i) {
                const double seed = 1.0 + t * 50 + i;
                worst = std::max(worst, double(max(abs(pull(full<double>({200}, seed)) - seed * slope)).item()));
            }
            errors[std::size_t(t)] = worst;
        });
    for (auto& t : threads) t.join();
    for (const double error : errors) CHECK(error < 1e-12);  // some roundings of numbers below 1000
}

TEST_CASE("grad: values that leave for another thread are dropped there, before or after the gradient is complete") {
    const auto x = linspace<double>(-1.0, 1.0, 500);
    const auto before = allocator_statistics().bytes_in_use;
    for (const bool outlives : {false, true}) {
        CAPTURE(outlives);
        std::thread other;
        const auto f = [&](const auto& v) {
            auto y = evaluate(v * v);
            // one handle is moved, whose count was this thread's, and one copied there
            other = std::thread([kept = y, v]() mutable {
                auto copy = std::optional(v);
                kept = evaluate(kept + kept);
                copy.reset();
            });
            if (!outlives) other.join();
            return sum(y * v);
        };
        const auto g = grad(f)(x);
        if (outlives) other.join();
        CHECK(double(max(abs(g - 3.0 * x * x)).item()) < 1e-14);
    }
    std::thread([] {}).join();
    const auto more = linspace<double>(-1.0, 1.0, 500);  // what came back is counted as memory is wanted
    for (index_t n = 1; n < 4000; n *= 2) static_cast<void>(zeros<double>({n}));
    CHECK(allocator_statistics().bytes_in_use <= before + (index_t(1) << 14));
}
TEST_CASE("grad: the last handle on a graph is dropped by another thread, at any time") {
    const auto x = linspace<double>(0.0, 1.0, 50);
    std::vector<std::thread> others;
    for (int i = 0; i < 20; ++i) {
        const auto f = [&](const auto& v) {
            auto y = evaluate(sin(v) * v);
            others.emplace_back([y, w = v] { static_cast<void>(evaluate(y + w)); });
            return sum(y);
        };
        const auto g = grad(f)(x);
        CHECK(double(max(abs(g - (cos(x) * x + sin(x)))).item()) < 1e-14);
    }
    for (auto& t : others) t.join();
}
TEST_CASE("backward: a graph that threads built in turns is walked from its end") {
    variable<double, 1> w = linspace<double>(0.0, 1.0, 8);
    for (int i = 0; i < 100; ++i) static_cast<void>(evaluate(w * 2.0));  // vertices of this thread alone
    const auto a = evaluate(w * 2.0);
    std::optional<variable<double, 1>> m;
    std::thread([&] { m = evaluate(a * 3.0); }).join();
    int seen = 0;
    a.register_hook([&](const tensor<double, 1>& gradient) {
        ++seen;
        CHECK(double(gradient.at(0)) == 4.0);
    });
    backward(sum(*m + a));
    CHECK(seen == 1);
    CHECK(double(max(abs(w.grad() - 8.0)).item()) == 0);
}
