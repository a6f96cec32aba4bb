// Rows of benchmarks: several contestants compute the same result from the same inputs, checked before they are timed.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ricci/ricci.hpp>

namespace bench {

namespace rc = ricci;
using rc::index_t;

/// What one run of a contestant gives: floats or doubles.
struct result {
    result(const float* x, index_t n) : data(x), size(n), is_double(false) {}
    result(const double* x, index_t n) : data(x), size(n), is_double(true) {}
    double operator[](index_t i) const {
        return is_double ? static_cast<const double*>(data)[i] : double(static_cast<const float*>(data)[i]);
    }
    const void* data;
    index_t size;
    bool is_double;
};

/// Input number k of a row: n normally distributed numbers, the same memory for all contestants.
template <class T = float>
const rc::tensor<T, 1>& input(int k, index_t n) {
    static std::map<std::pair<int, index_t>, rc::tensor<T, 1>> made;
    auto& x = made[{k, n}];
    if (x.size() == 0) x = rc::randn<T>({n}, rc::generator(static_cast<std::uint64_t>(k + 1)));
    return x;
}
template <class T = float>
rc::tensor<T, 2> input(int k, index_t rows, index_t columns) {
    return rc::reshape(input<T>(k, rows * columns), {rows, columns});
}

/// How the size of a matrix is written.
inline std::string by(index_t rows, index_t columns) { return std::to_string(rows) + "x" + std::to_string(columns); }

/// A row of the table. `expected` computes its result plainly in double; a contestant that differs by more than
/// `tolerance` times the largest expected element is not timed.
class row {
   public:
    template <class Expected>
    row(std::string name, std::string size, double tolerance, Expected expected)
        : name_(std::move(name) + "/" + std::move(size)), tolerance_(tolerance), expected_(std::make_shared<reference>()) {
        expected_->compute = expected;
    }
    template <class Expected>
    row(std::string name, index_t size, double tolerance, Expected expected)
        : row(std::move(name), std::to_string(size), tolerance, expected) {}

    /// `make()` prepares the contestant and returns the callable that is timed, which gives a `result`.
    template <class Make>
    void add(const std::string& who, Make make) const {
        const auto time = [make, expected = expected_, tolerance = tolerance_](benchmark::State& state) {
            rc::set_num_threads(1);
            auto run = make();
            if (!expected->agrees(run(), tolerance)) return state.SkipWithError("wrong result");
            for (auto _ : state) {
                benchmark::DoNotOptimize(run().data);
                benchmark::ClobberMemory();
            }
        };
        benchmark::RegisterBenchmark((name_ + "/" + who).c_str(), time);
    }

   private:
    struct reference {
        std::function<std::vector<double>()> compute;
        std::vector<double> values;

        bool agrees(const result& r, double tolerance) {
            if (values.empty()) values = compute();
            if (r.size != static_cast<index_t>(values.size())) return false;
            double largest = 0;
            for (const double v : values) largest = std::max(largest, std::abs(v));
            for (index_t i = 0; i < r.size; ++i)
                if (!(std::abs(r[i] - values[static_cast<std::size_t>(i)]) <= tolerance * largest)) return false;
            return true;
        }
    };
    std::string name_;
    double tolerance_;
    std::shared_ptr<reference> expected_;
};

/// f(x[i], ...) in double for each i.
template <class F, class... X>
std::vector<double> each(F f, const rc::tensor<float, 1>& first, const X&... x) {
    std::vector<double> y;
    for (index_t i = 0; i < first.size(); ++i) y.push_back(f(double(first.data()[i]), double(x.data()[i])...));
    return y;
}

template <class T, int R>
result whole(const rc::tensor<T, R>& x) {
    return {x.data(), x.size()};
}

inline constexpr index_t sizes[] = {100, 10000, 1000000};

/// sin(x) exp(-x^2) / (1 + x^2), the chain that most rows are about, and its first two derivatives.
namespace chain {
inline constexpr auto value = [](auto x) { return sin(x) * exp(-x * x) / (1 + x * x); };
inline double at(double x) { return std::sin(x) * std::exp(-x * x) / (1 + x * x); }
inline double slope(double x) {
    const double r = 1 / (1 + x * x);
    return std::exp(-x * x) * r * (std::cos(x) - 2 * x * std::sin(x) * (1 + r));
}
}  // namespace chain

}  // namespace bench
