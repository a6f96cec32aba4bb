// Threads that pull cotangents back through one graph take turns; each gets the derivative along its own.
#include <doctest/doctest.h>

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
