// Few elements: loops over indices, arrays shorter than a register, in-place maps; powers that are small numbers;
// searches of many values.
#include <cmath>
#include <vector>

#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

using namespace ricci;

namespace {

template <class T>
tensor<T, 1> wave(index_t n, double phase) {
    auto x = empty<T>({n});
    for (index_t i = 0; i < n; ++i) x.data()[i] = static_cast<T>(10 * std::sin(1.7 * double(i) + phase));
    return x;
}

/// Maps of each length around those of registers, against a loop, into new memory, old memory and memory that they
/// read.
template <class T>
void check_lengths() {
    for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100}) {
        CAPTURE(n);
        const auto a = wave<T>(n, 0), b = wave<T>(n, 1);
        tensor<T, 1> y = a.clone();
        for (int pass = 0; pass < 2; ++pass) {
            y = a - 2 * b;
            for (index_t i = 0; i < n; ++i) CHECK(y.data()[i] == static_cast<T>(a.data()[i] - 2 * b.data()[i]));
        }
        const auto before = y.clone();
        y += b;
        for (index_t i = 0; i < n; ++i) CHECK(y.data()[i] == static_cast<T>(before.data()[i] + b.data()[i]));
        y(all) = y * 2 - y;
        y -= y * 2;
        for (index_t i = 0; i < n; ++i) CHECK(y.data()[i] == static_cast<T>(-(before.data()[i] + b.data()[i])));
        auto z = zeros<T>({n + 1});
        z(slice(0, n)) = a.clone();
        z(slice(1, n + 1)) = z(slice(0, n)) + b;  // overlaps, shifted
        CHECK(z.data()[0] == a.data()[0]);
        for (index_t i = 0; i < n; ++i) CHECK(z.data()[i + 1] == static_cast<T>(a.data()[i] + b.data()[i]));
        CHECK(a.data()[n - 1] == wave<T>(n, 0).data()[n - 1]);
    }
}

template <class T>
void check_powers() {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    const T large = std::sqrt(std::numeric_limits<T>::max()), small = std::numeric_limits<T>::min();
    std::vector<T> places{T(0), T(-0.0), 1, -1, inf, -inf, nan, large, -large, large * 2, small, -small, small / 8};
    for (int i = 0; i < 400; ++i) places.push_back(static_cast<T>(std::exp(0.02 * i - 4) * (i % 2 ? 1 : -1)));
    for (int i = 0; i < 64; ++i)  // where the fourth powers underflow
        places.push_back(static_cast<T>(-std::pow(static_cast<double>(small), 0.24 + 0.001 * i)));
    const auto x = from_span(std::span<const T>(places));
    for (const double p : {2.0, 3.0, 1.0, -1.0, 0.5, 4.0, 0.0}) {
        const auto y = evaluate(pow(x, p));
        const auto z = evaluate(pow(x, full<T>({x.size()}, p)));
        for (index_t i = 0; i < x.size(); ++i) {
            const T exact =
                static_cast<T>(std::pow(static_cast<long double>(x.data()[i]), static_cast<long double>(p)));
            CAPTURE(p);
            CAPTURE(x.data()[i]);
            if (std::isnan(exact)) {
                CHECK(std::isnan(y.data()[i]));
                continue;
            }
            CHECK(std::signbit(y.data()[i]) == std::signbit(exact));
            // 2 ulp; of numbers without a last place to count in, one step more
            const T step = std::isfinite(exact) ? std::nextafter(std::abs(exact), inf) - std::abs(exact) : T(0);
            CHECK((y.data()[i] == exact || std::abs(y.data()[i] - exact) <= 2 * step));
            CHECK((z.data()[i] == y.data()[i]));
        }
    }
    // exponents that differ from element to element
    const auto mixed = evaluate(pow(tensor<T, 1>{2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3},
                                    tensor<T, 1>{2, 2, 2, 2, 2, 2, 2, 3, 2, 2, 2, 2, 4, 2, 2, 2, 1}));
    const T expected[] = {4, 4, 4, 4, 4, 4, 4, 8, 4, 9, 9, 9, 81, 9, 9, 9, 3};
    for (int i = 0; i < 17; ++i) CHECK(std::abs(mixed.data()[i] - expected[i]) <= 1e-5 * expected[i]);
}

}  // namespace

TEST_CASE("few elements: maps of every length are those of a loop") {
    check_lengths<float>();
    check_lengths<double>();
    check_lengths<int>();
}

TEST_CASE("few elements: loops over indices") {
    const auto x = wave<double>(50, 0);
    const tensor<int, 1> k{3, 1, 2};
    auto y = zeros<double>({50});
    auto m = zeros<float>({5, 10});
    y(0) = 1.0;
    for (index_t i = 1; i < 50; ++i) y(i) = 0.5 * y(i - 1) + x(i);
    for (index_t i = 0; i < 5; ++i)
        for (index_t j = 0; j < 10; ++j) m(i, j) = x(10 * i + j) / 4;
    double last = 1;
    for (int i = 1; i < 50; ++i) {
        last = 0.5 * last + x.data()[i];
        CHECK(y.data()[i] == doctest::Approx(last).epsilon(1e-15));
        CHECK(m.data()[i] == static_cast<float>(x.data()[i] / 4));
    }
    y(3) += 2.0;
    y(3) = y(3);
    y(4) = k(0);
    CHECK(y.at(4) == 3);
    const double difference = y(3) - y(2);
    CHECK(difference == y.at(3) - y.at(2));
    int positive = 0;
    for (int i = 0; i < 50; ++i) positive += x(i) > 0.0 ? 1 : 0;
    CHECK(positive == count_nonzero(x > 0.0).item());
    CHECK((7 / k(2)).item() == 3.5);
    CHECK((k(0) < k(1)).item() == false);
    // a function of one element is what it is among many
    const auto s = evaluate(sin(x));
    for (int i = 0; i < 50; ++i) CHECK(double(sin(x(i))) == s.data()[i]);
}

TEST_CASE("few elements: powers that are small numbers") {
    check_powers<float>();
    check_powers<double>();
    const auto x = wave<double>(20, 0.3);
    const auto slope = grad([](auto a) { return sum(pow(a, 3.0) + pow(a, 2.0)); })(x);
    const auto curvature = hessian([](auto a) { return sum(pow(a, 3.0)); })(x);
    for (int i = 0; i < 20; ++i) {
        const double v = x.data()[i];
        CHECK(slope.data()[i] == doctest::Approx(3 * v * v + 2 * v).epsilon(1e-13));
        CHECK(curvature.at(i, i) == doctest::Approx(6 * v).epsilon(1e-13));
    }
}

TEST_CASE("any, all and count_nonzero of maps, under transforms too") {
    const tensor<double, 2> x{{1, -2, 3}, {-1, -2, -3}};
    CHECK(bool(any(x > 2.5)));
    CHECK(!bool(any(x > 3.0)));
    CHECK(bool(all(x < 3.5)));
    CHECK(!bool(all(x < 3.0)));
    CHECK(array_equal(any(x > 0.0, 1), tensor<bool, 1>{true, false}));
    CHECK(array_equal(all(x * 2 < 0.0, 1), tensor<bool, 1>{false, true}));
    CHECK(array_equal(count_nonzero(x - 3.0, 0), tensor<std::int64_t, 1>{2, 2, 1}));
    CHECK(array_equal(vmap([](auto row) { return any(row > 0.0); })(x), tensor<bool, 1>{true, false}));
    const auto g = grad([](auto a) { return sum(where(any(a * a > 8.0), a * 2, a)); })(x);
    CHECK(array_equal(g, full<double>({2, 3}, 2)));
}

namespace {

/// Places in sorted lists of many lengths, NaN last, as counts of the elements that come before.
template <class T>
void check_places() {
    std::vector<T> wanted;
    for (int i = -3; i < 75; ++i) wanted.push_back(static_cast<T>(i / 2.0));
    if constexpr (std::is_floating_point_v<T>) {
        wanted.push_back(std::numeric_limits<T>::quiet_NaN());
        wanted.push_back(std::numeric_limits<T>::infinity());
        wanted.push_back(-std::numeric_limits<T>::infinity());
    }
    const auto comes_before = [](T a, T b) { return a < b || (b != b && a == a); };
    for (const index_t n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 31, 33}) {
        auto list = empty<T>({n});
        for (index_t i = 0; i < n; ++i) list.data()[i] = static_cast<T>(i - i % 3);
        if (std::is_floating_point_v<T> && n > 4) list.data()[n - 1] = std::numeric_limits<T>::quiet_NaN();
        for (const index_t count : {0, 1, 31, 32, 33, 78}) {
            const auto values = from_span(std::span<const T>(wanted))(slice(-count, none));
            const auto x = count == 0 ? empty<T>({0}) : evaluate(values);
            const auto left = searchsorted(list, x), right = searchsorted(list, x, true);
            for (index_t k = 0; k < x.size(); ++k) {
                index_t before = 0, not_behind = 0;
                for (index_t i = 0; i < n; ++i) {
                    before += comes_before(list.at(i), x.at(k));
                    not_behind += !comes_before(x.at(k), list.at(i));
                }
                CHECK(left.at(k) == before);
                CHECK(right.at(k) == not_behind);
            }
        }
    }
}

}  // namespace

TEST_CASE("searchsorted: many values at a time") {
    check_places<float>();
    check_places<double>();
    check_places<std::int16_t>();
}

TEST_CASE("elements: a function of numbers by its name") {
    const tensor x{-8.0, 0.0, 27.0};
    CHECK(allclose(map(std::cbrt, x), tensor{-2.0, 0.0, 3.0}));
    CHECK(allclose(map(std::cbrt, x * 8.0), tensor{-4.0, 0.0, 6.0}));
}
