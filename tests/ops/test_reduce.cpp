// max, min, prod, mean, var and stddev over every choice of axes of arrays in every layout; their special values.
#include <doctest/doctest.h>

#include <vector>

#include "reference_reduce.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;
using doubles = std::vector<double>;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
double whole(index_t i) { return static_cast<double>((i * 7919 + 13) % 101) - 50; }

template <class X>
bool near(const X& x, const doubles& expected, double tolerance) {
    const auto v = values(x);
    if (v.size() != expected.size()) return false;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double got = static_cast<double>(v[i]);
        if (!(std::abs(got - expected[i]) <= tolerance * (1 + std::abs(expected[i]))) && !reference::same(got, expected[i])) return false;
    }
    return true;
}

template <int N, class T, int R>
void check_axes(const tensor<T, R>& x) {
    const double tolerance = std::is_same_v<T, float> ? 2e-6 : 1e-14;
    reference::for_each_choice<N, R>([&](const int (&axes)[N], unsigned set) {
        CAPTURE(set);
        const auto greatest = reference::fold(x, set, -inf, [](double a, double b) { return b > a ? b : a; });
        const auto least = reference::fold(x, set, inf, [](double a, double b) { return b < a ? b : a; });
        const auto total = reference::fold(x, set, 0.0, [](double a, double b) { return a + b; });
        const auto squares = reference::fold(x, set, 0.0, [](double a, double b) { return a + b * b; });
        const double n = total.empty() ? 1 : static_cast<double>(x.size()) / static_cast<double>(total.size());
        doubles mean_, var_, corrected, stddev_;
        for (std::size_t i = 0; i < total.size(); ++i) {
            mean_.push_back(total[i] / n);
            var_.push_back((squares[i] - total[i] * total[i] / n) / n);
            corrected.push_back(var_.back() * n / (n - 1));
            stddev_.push_back(std::sqrt(var_.back()));
        }
        CHECK(near(max(x, axes), greatest, 0));
        CHECK(near(min(x, axes, keepdims), least, 0));
        CHECK(near(mean(x, axes), mean_, tolerance));
        CHECK(near(var(x, axes, keepdims), var_, 4 * tolerance));
        if (n > 1) CHECK(near(var(x, axes, {}, 1), corrected, 4 * tolerance));
        CHECK(near(stddev(x, axes), stddev_, 1e3 * tolerance));  // the reference's own cancellation, in a root
    });
}

template <class T, int R>
void check_layouts(const shape<R>& extents) {
    CAPTURE(to_string(extents));
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto x = make<T>(l, extents, whole);
        check_axes<1>(x);
        check_axes<2>(x);
        check_axes<3>(x);
    }
}

}  // namespace

TEST_CASE("reduce: float") {
    check_layouts<float>(shape{3, 4, 5});
    check_layouts<float>(shape{17, 3, 35});
    check_layouts<float>(shape{40, 70, 60});
}
TEST_CASE("reduce: double") {
    check_layouts<double>(shape{3, 4, 5});
    check_layouts<double>(shape{300, 1, 19});
}
TEST_CASE("reduce: int") { check_layouts<int>(shape{3, 7, 5}); }

TEST_CASE("reduce: products over every choice of axes") {
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto x = make<double>(l, shape{3, 4, 5}, [](index_t i) { return 0.5 + static_cast<double>(i % 4) * 0.5; });
        const auto i = make<std::int8_t>(l, shape{3, 4}, [](index_t k) { return k % 3 - 2 + (k % 3 == 2); });
        const auto f = make<float>(l, shape{30, 70}, [](index_t k) { return 1 + static_cast<double>(k % 7 - 3) * 0.01; });
        reference::for_each_choice<2, 3>([&](const int (&axes)[2], unsigned set) {
            CHECK(near(prod(x, axes), reference::fold(x, set, 1.0, [](double a, double b) { return a * b; }), 1e-14));
        });
        reference::for_each_choice<1, 2>([&](const int (&axes)[1], unsigned set) {
            const auto times = [](std::int64_t a, std::int64_t b) { return a * b; };
            CHECK(values(prod(i, axes)) == reference::fold(i, set, std::int64_t(1), times));
            CHECK(near(prod(f, axes, keepdims), reference::fold(f, set, 1.0, [](double a, double b) { return a * b; }), 1e-5));
        });
    }
    CHECK(prod(tensor<bool, 1>{true, false}).item() == 0);
    CHECK(values(prod(zeros<double>({2, 0}), 1)) == doubles{1, 1});
    CHECK(prod(zeros<int>({0})).item() == 1);
    CHECK(prod(tensor<double, 0>(4)).item() == 4);
}

TEST_CASE("reduce: a NaN anywhere makes max and min NaN") {
    for (index_t n : {1, 2, 7, 8, 16, 33, 64, 100, 5000, 150000}) {
        CAPTURE(n);
        for (index_t at : {index_t(0), n / 2, n - 1}) {
            CAPTURE(at);
            auto x = make<double>(layout::contiguous, shape{n}, whole);
            x(at) = nan_;
            CHECK(std::isnan(max(x).item()));
            CHECK(std::isnan(min(x).item()));
            CHECK(std::isnan(max(astype<float>(x)).item()));
            CHECK(std::isnan(min(reshape(x, {n, 1}), 0).item()));
            CHECK(std::isnan(max(expand(reshape(x, {n, 1}), {n, 3}), 0).at(1)));
            CHECK(std::isnan(mean(x).item()));
        }
    }
    const tensor<double, 2> m{{1, nan_}, {nan_, 2}, {3, 4}};
    CHECK(std::isnan(max(m, 1).at(0)));
    CHECK(max(m, 1).at(2) == 4);
    CHECK(std::isnan(min(m, 0).at(0)));
}

TEST_CASE("reduce: infinities, zeros of either sign, extremes of integers") {
    CHECK(max(tensor<double, 1>{-inf, -inf}).item() == -inf);
    CHECK(min(tensor<float, 1>{std::numeric_limits<float>::infinity()}).item() == std::numeric_limits<float>::infinity());
    CHECK(max(tensor<double, 1>{-inf, 5, inf}).item() == inf);
    CHECK(max(tensor<double, 1>{-0.0, 0.0}).item() == 0);
    CHECK(std::signbit(min(full<double>({40}, -0.0)).item()));
    CHECK(std::signbit(max(full<double>({40}, -0.0)).item()));
    CHECK(max(tensor<int, 1>{std::numeric_limits<int>::min()}).item() == std::numeric_limits<int>::min());
    CHECK(min(tensor<std::uint8_t, 1>{255, 7}).item() == 7);
    CHECK(max(tensor<bool, 1>{false, true}).item());
    CHECK_FALSE(min(tensor<double, 1>{1, -1} > 0.0).item());
    CHECK(values(max(tensor<double, 2>{{1, -1}, {-1, -1}} > 0.0, 1)) == std::vector<bool>{true, false});
}

TEST_CASE("reduce: mean, var and stddev of few and of none") {
    CHECK(std::isnan(mean(zeros<double>({0})).item()));
    CHECK(std::isnan(var(zeros<float>({0})).item()));
    CHECK(mean(tensor<int, 1>{1, 2}).item() == 1.5);
    CHECK(mean(tensor<bool, 1>{true, false, true, true}).item() == 0.75);
    CHECK(var(tensor<double, 1>{5}).item() == 0);
    CHECK(std::isnan(var(tensor<double, 1>{5}, {}, 1).item()));
    CHECK(var(tensor<double, 1>{1, 2, 3, 4}, 0, {}, 1).item() == doctest::Approx(5.0 / 3));
    CHECK(stddev(tensor<double, 1>{1, 2, 3, 4}, {0}, keepdims).shape() == shape{1});
    // two passes: nothing cancels beside a large mean
    CHECK(var(tensor<double, 1>{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}).item() == 22.5);
    CHECK(mean(tensor<double, 0>(3)).item() == 3);
    CHECK(var(tensor<double, 0>(3)).item() == 0);
}

TEST_CASE("reduce: products of complex numbers, also of those beyond a register, along both axes, infinite ones") {
    using complex = std::complex<float>;
    // whole numbers of modulus 1 and sqrt(2): exact
    auto z = tensor<complex, 2>::uninitialized({37, 45});
    for (index_t i = 0; i < z.size(); ++i)
        z.data()[i] = i % 7 == 3 ? complex(1, 1) : i % 3 ? complex(0, 1) : complex(1, 0);
    const auto along = [&](index_t first, index_t step, index_t n) {
        complex y(1);
        for (index_t i = 0; i < n; ++i) y *= z.data()[first + i * step];
        return y;
    };
    for (index_t i = 0; i < 37; ++i) CHECK(prod(z, 1).at(i) == along(45 * i, 1, 45));
    for (index_t i = 0; i < 45; ++i) CHECK(prod(z, 0).at(i) == along(i, 45, 37));
    CHECK(prod(z(slice(0, 4), all)).item() == along(0, 1, 180));
    // as NumPy multiplies, from 1 on: (1 + 0 i)(inf + inf i) = nan + nan i
    const float inf = std::numeric_limits<float>::infinity();
    const complex y = prod(tensor<complex, 1>{{inf, inf}, {1, 1}}).item();
    CHECK(y.real() != y.real());
    CHECK(y.imag() != y.imag());
}

TEST_CASE("reduce: complex elements") {
    using complex = std::complex<double>;
    const tensor<complex, 2> z{{{1, 2}, {3, 4}}, {{-1, 0}, {0, 1}}};
    CHECK(sum(z).item() == complex(3, 7));
    CHECK(values(sum(z, 0)) == std::vector<complex>{{0, 2}, {3, 5}});
    CHECK(mean(z).item() == complex(0.75, 1.75));
    CHECK(prod(z, 1).at(0) == complex(-5, 10));
    CHECK(var(z(0, all)).item() == doctest::Approx(2));
    CHECK(stddev(z(0, all)).item() == doctest::Approx(std::sqrt(2.0)));
}
