// Parts of a map that have few elements beside the whole are computed first: same values, fewer evaluations.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <ricci/ricci.hpp>

#include "../reference.hpp"

using namespace ricci;
using reference::values;

namespace {

int calls = 0;
/// A square that counts how often it is evaluated, of a register or an element.
const auto counted = [](auto x) {
    ++calls;
    return x * x;
};
template <class F>
int calls_in(const F& f) {
    calls = 0;
    f();
    return calls;
}

template <class T>
tensor<T, 1> ramp(index_t n, double first, double step) {
    tensor<T, 1> v = zeros<T>({n});
    for (index_t i = 0; i < n; ++i) v(i) = static_cast<T>(first + step * static_cast<double>(i));
    return v;
}
/// x as it is broadcast to (n, m), in memory of its own: maps of such have no parts that pay.
template <class T, int R>
tensor<T, 2> spread(const tensor<T, R>& x, index_t n, index_t m) {
    return expand(x, shape{n, m}).clone();
}

}  // namespace

TEST_CASE("parts: a function of a broadcast operand is evaluated at the operand's shape") {
    const int threads = num_threads();
    set_num_threads(1);
    const index_t n = 64;
    const auto v = ramp<double>(n, -1, 0.03), w = ramp<double>(n, 0, 0.02);
    const tensor<double, 2> column = v(all, newaxis), row = w(newaxis, all), square = spread(v, n, n);
    const int least = static_cast<int>(n * n / 16);  // of what has so many elements, whatever the registers
    tensor<double, 2> y = zeros<double>({n, n});
    double total = 0;

    CHECK(calls_in([&] { y = map(counted, column) * cos(w); }) <= n);
    CHECK(calls_in([&] { y = map(counted, column) * cos(row); }) <= n);  // of one rank
    CHECK(calls_in([&] { y = map(counted, w) * square; }) <= n);
    CHECK(calls_in([&] { y = exp(square) * map(counted, w); }) <= n);  // beside a part that is as large as the whole
    CHECK(calls_in([&] { y = map(counted, square) * map(counted, w); }) >= least);
    CHECK(calls_in([&] { y(all, all) = map(counted, column) + w; }) <= n);
    CHECK(calls_in([&] { y(all, all) = map(counted, w); }) <= n);  // the whole, of what is written
    CHECK(calls_in([&] { y(all, all) = map(counted, column); }) <= n);
    CHECK(calls_in([&] { y += map(counted, column) * w; }) <= n);
    CHECK(calls_in([&] { y = evaluate(map(counted, column) * w); }) <= n);
    CHECK(calls_in([&] { total = sum(map(counted, column) * w); }) <= n);
    CHECK(calls_in([&] { total = max(map(counted, column) * w); }) <= n);
    CHECK(calls_in([&] { total = prod(map(counted, column) * w); }) <= n);
    CHECK(calls_in([&] { y = map(counted, square) * w; }) >= least);
    CHECK(calls_in([&] { y = map(counted, column + w) * w; }) >= least);

    const tensor<double, 0> s = 0.5;
    CHECK(calls_in([&] { y = map(counted, s) * square; }) <= 1);
    set_num_threads(threads);
}

TEST_CASE_TEMPLATE("parts: values are those of the map in one pass", T, float, double) {
    for (const index_t n : {1, 2, 3, 9, 10, 33, 300})
        for (const index_t m : {1, 4, 10, 257}) {
            CAPTURE(n);
            CAPTURE(m);
            const auto v = ramp<T>(n, 0.25, 0.01), w = ramp<T>(m, -1, 0.02);
            const auto V = spread(tensor<T, 2>(v(all, newaxis)), n, m), W = spread(w, n, m);
            const tensor<T, 2> column = v(all, newaxis), row = w(newaxis, all);
            const auto product = values(exp(V) * cos(W));
            CHECK(values(exp(column) * cos(w)) == product);
            CHECK(values(exp(column) * cos(row)) == product);
            CHECK(values(exp(V) * cos(w)) == product);
            CHECK(values((W - column) / sqrt(column + T(1e-3))) == values((W - V) / sqrt(V + T(1e-3))));
            CHECK(values(where(exp(column) > 2, W, -w)) == values(where(exp(V) > 2, W, -W)));
            CHECK(values(sqrt(exp(column) + square(w)) * T(1) + sin(v)(all, newaxis)) ==
                  values(sqrt(exp(V) + square(W)) * T(1) + sin(V)));
            const double total = sum(astype<double>(exp(column) * cos(w)));
            CHECK(total == doctest::Approx(static_cast<double>(sum(astype<double>(exp(V)))) *
                                           static_cast<double>(sum(astype<double>(cos(W)))) / double(n * m))
                               .epsilon(sizeof(T) == 4 ? 1e-5 : 1e-12));
        }
}

TEST_CASE("parts: closed forms, promotion and types") {
    const index_t n = 40, m = 30;
    const auto v = ramp<double>(n, -1, 0.05), w = ramp<double>(m, 0, 0.1);
    const auto y = evaluate(exp(v(all, newaxis)) * cos(w));
    const tensor<int, 1> k = arange<int>(1, m + 1);
    const auto quotient = evaluate(1 / k * v(all, newaxis));
    const auto single = evaluate(exp(ramp<float>(n, -1, 0.05)(all, newaxis)) * w);
    const tensor<std::complex<double>, 1> z = complex(w, w);
    const auto turned = evaluate(exp(z) * v(all, newaxis));
    static_assert(std::is_same_v<decltype(quotient)::value_type, double>);
    static_assert(std::is_same_v<decltype(single)::value_type, double>);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < m; ++j) {
            const double a = v(i).item(), b = w(j).item();
            CHECK(y(i, j).item() == doctest::Approx(std::exp(a) * std::cos(b)).epsilon(1e-14));
            CHECK(quotient(i, j).item() == 1.0 / double(j + 1) * a);
            CHECK(single(i, j).item() == doctest::Approx(std::exp(a) * b).epsilon(1e-6));
            const auto t = turned(i, j).item();
            CHECK(std::abs(t - std::exp(std::complex<double>(b, b)) * a) <= 1e-13 * std::abs(t));
        }
}

TEST_CASE("parts: zero-size and rank 0") {
    const tensor<double, 1> none = zeros<double>({0}), v = ramp<double>(5, 0, 1);
    CHECK(evaluate(exp(none) * v(all, newaxis)).shape() == shape{5, 0});
    CHECK(sum(exp(none) * cos(v(all, newaxis))).item() == 0);
    const tensor<double, 2> y = zeros<double>({5, 0});
    y(all, all) = exp(v(all, newaxis));
    const tensor<double, 0> s = 2.0;
    CHECK(evaluate(exp(s) * cos(s)).item() == doctest::Approx(std::exp(2.0) * std::cos(2.0)));
}

TEST_CASE("parts: a right side is read before anything is written") {
    const index_t n = 40;
    const auto start = [&] { return evaluate(reshape(ramp<double>(n * n, -1, 1e-3), {n, n})); };
    const auto x0 = start();
    const auto expected = [&](auto f) {
        std::vector<double> y;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) y.push_back(f(i, j));
        return y;
    };
    const auto at = [&](index_t i, index_t j) { return x0(i, j).item(); };
    const auto check = [&](const tensor<double, 2>& x, const std::vector<double>& y) {
        const auto got = values(x);
        double worst = 0;
        for (std::size_t i = 0; i < y.size(); ++i) worst = std::max(worst, std::abs(got[i] - y[i]));
        CHECK(worst <= 1e-14);
    };
    auto x = start();
    x *= exp(x(all, slice(0, 1)));
    check(x, expected([&](index_t i, index_t j) { return at(i, j) * std::exp(at(i, 0)); }));
    x = start();
    x = x * exp(x(all, slice(0, 1)));
    check(x, expected([&](index_t i, index_t j) { return at(i, j) * std::exp(at(i, 0)); }));
    x = start();
    x(all, all) = exp(x(all, slice(0, 1))) * cos(x(n - 1));
    check(x, expected([&](index_t i, index_t j) { return std::exp(at(i, 0)) * std::cos(at(n - 1, j)); }));
    x = start();
    x(all, all) = exp(x(3));
    check(x, expected([&](index_t, index_t j) { return std::exp(at(3, j)); }));
}

TEST_CASE("parts: of matrices under transforms, what has fewer axes is evaluated once") {
    const index_t n = 40;
    const auto x = spread(ramp<double>(n, -1, 0.03), n, n);
    const tensor<double, 0> s = 0.5;
    const double of_x = sum(x * x);
    const auto f = [&](auto t) { return sum(map(counted, t) * square(x)); };
    tensor<double, 0> slope = 0.0;
    CHECK(calls_in([&] { slope = grad(f)(s); }) <= 4);
    CHECK(slope.item() == doctest::Approx(of_x).epsilon(1e-13));  // 2 s, of s^2
    CHECK(calls_in([&] { slope = grad(grad(f))(s); }) <= 16);
    CHECK(slope.item() == doctest::Approx(2 * of_x).epsilon(1e-13));
    CHECK(std::get<1>(jvp(f, tuple(s), tuple(3.0))).item() == doctest::Approx(3 * of_x).epsilon(1e-13));
}

TEST_CASE("parts: masks of other numbers than the rest") {
    const index_t n = 37;
    const auto x = ramp<double>(n, -1, 0.06);
    const tensor<std::int64_t, 1> k = arange<std::int64_t>(n) % 4;
    const tensor<std::complex<double>, 1> z = complex(x, 2 * x);
    tensor<int, 1> count = zeros<int>({n});
    count += (abs(z) < 1.5) & (k != 1);
    const auto chosen = evaluate(exp(where(k == 3, x, -x)));
    const auto f = [&](auto v) { return sum(where((k == 3) & (v > 0), v * v * v, 2 * v)); };
    const auto slope = grad(f)(x), curvature = grad([&](auto v) { return sum(grad(f)(v)); })(x);
    for (index_t i = 0; i < n; ++i) {
        const double a = x(i).item();
        const bool third = k(i).item() == 3, cubed = third && a > 0;
        CHECK(count(i).item() == int(std::sqrt(5.0) * std::abs(a) < 1.5 && k(i).item() != 1));
        CHECK(chosen(i).item() == doctest::Approx(std::exp(third ? a : -a)).epsilon(1e-15));
        CHECK(slope(i).item() == doctest::Approx(cubed ? 3 * a * a : 2).epsilon(1e-15));
        CHECK(curvature(i).item() == doctest::Approx(cubed ? 6 * a : 0).epsilon(1e-15));
    }
    const auto many = vmap([&](auto v) { return where(k == 3, v, 0); })(evaluate(expand(x, shape{2, n})));
    CHECK(values(many(1)) == values(where(k == 3, x, 0)));
}

TEST_CASE("parts: integers beside other numbers") {
    const index_t n = 37;
    const auto x = ramp<double>(n, -1, 0.06);
    tensor<int, 1> k = arange<int>(n) % 5;
    auto decay = exp(-k / 2.0);
#if defined(RICCI_HAS_SIMD)
    static_assert(detail::takes_integers_apart<decltype(decay)>());
    static_assert(!detail::takes_integers_apart<decltype(exp(k / 2.0))>());  // only converted
#endif
    const auto mixed = evaluate((sin(x) < exp(-k / 2.0)) & (k * k != 4));
    const auto chosen = evaluate(where(k > 2, exp(x), k * 3));
    const auto slope = grad([&](auto v) { return sum(exp(v * (k + 1))); })(x);
    const auto many = vmap([&](auto j, auto v) { return exp(v * (j - 1)); })(k, x);
    for (index_t i = 0; i < n; ++i) {
        const double a = x(i).item(), j = double(i % 5);
        CHECK(decay(i).item() == doctest::Approx(std::exp(-j / 2)).epsilon(1e-15));
        CHECK(mixed(i).item() == ((std::sin(a) < std::exp(-j / 2)) && j != 2));
        CHECK(chosen(i).item() == doctest::Approx(j > 2 ? std::exp(a) : 3 * j).epsilon(1e-15));
        CHECK(slope(i).item() == doctest::Approx((j + 1) * std::exp(a * (j + 1))).epsilon(1e-14));
        CHECK(many(i).item() == doctest::Approx(std::exp(a * (j - 1))).epsilon(1e-14));
    }
    const double before = sum(decay);
    k += 2;  // read when it is computed, as other maps are
    CHECK(sum(decay).item() == doctest::Approx(before * std::exp(-1.0)).epsilon(1e-14));
}

TEST_CASE("parts: derivatives and batches are those of the map") {
    const index_t n = 12;
    const auto v = ramp<double>(n, -1, 0.1);
    const auto f = [](auto x) { return sum(exp(x(all, newaxis)) * cos(x)); };
    const auto slope = grad(f)(v);
    double exps = 0, cosines = 0;
    for (index_t i = 0; i < n; ++i) {
        exps += std::exp(v(i).item());
        cosines += std::cos(v(i).item());
    }
    for (index_t i = 0; i < n; ++i) {
        const double a = v(i).item();
        CHECK(slope(i).item() == doctest::Approx(std::exp(a) * cosines - std::sin(a) * exps).epsilon(1e-13));
    }
    const tensor<double, 2> many = reshape(ramp<double>(3 * n, -1, 0.05), {3, n});
    const auto totals = vmap(f)(many);
    for (index_t b = 0; b < 3; ++b)
        CHECK(totals(b).item() == doctest::Approx(static_cast<double>(f(tensor<double, 1>(many(b))))).epsilon(1e-13));
}
