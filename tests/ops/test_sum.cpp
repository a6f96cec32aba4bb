// Sums over every choice of axes of arrays in every layout, and their accuracy.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "reference_reduce.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;

namespace {

double whole(index_t i) { return static_cast<double>((i * 7919 + 13) % 101) - 50; }  // sums of these are exact

template <class T>
using sum_of = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

template <int N, class T, int R>
void check_axes(const tensor<T, R>& x) {
    using S = sum_of<T>;
    reference::for_each_choice<N, R>([&](const int (&axes)[N], unsigned set) {
        CAPTURE(set);
        std::vector<S> expected;
        for (double s : reference::fold(x, set, 0.0, [](double a, T b) { return a + static_cast<double>(b); }))
            expected.push_back(static_cast<S>(s));
        CHECK(values(sum(x, axes)) == expected);
        const auto kept = sum(x, axes, keepdims);
        shape<R> keeps = x.shape();
        for (int d = 0; d < R; ++d)
            if ((set >> d) & 1) keeps[d] = 1;
        CHECK(kept.shape() == keeps);
        CHECK(values(kept) == expected);
    });
}

template <class T>
void check_rank_4(const shape<4>& extents) {
    CAPTURE(to_string(extents));
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto x = make<T>(l, extents, whole);
        check_axes<1>(x);
        check_axes<2>(x);
        check_axes<3>(x);
        check_axes<4>(x);
        CHECK(values(sum(x)) == values(sum(x, {0, 1, 2, 3})));
        CHECK(values(sum(x, 2)) == values(sum(x, {2})));
        CHECK(sum(x, keepdims).shape() == shape{1, 1, 1, 1});
    }
}

template <class T>
void check_type() {
    check_rank_4<T>(shape{2, 3, 4, 5});
    check_rank_4<T>(shape{3, 1, 17, 33});
    check_rank_4<T>(shape{2, 0, 3, 4});
    check_rank_4<T>(shape{300, 2, 3, 7});  // more rows than are added up before they go to the wide accumulators
}

}  // namespace

TEST_CASE("sum: float, every choice of axes") { check_type<float>(); }
TEST_CASE("sum: double, every choice of axes") { check_type<double>(); }
TEST_CASE("sum: int32, every choice of axes") { check_type<std::int32_t>(); }
TEST_CASE("sum: int64, every choice of axes") { check_type<std::int64_t>(); }
TEST_CASE("sum: bool, every choice of axes") { check_type<bool>(); }

TEST_CASE("sum: large arrays of every layout, on several threads") {
    for (layout l : layouts) {
        CAPTURE(reference::name(l));
        const auto x = make<float>(l, shape{9, 40, 30, 50}, whole);
        check_axes<1>(x);
        check_axes<2>(x);
        check_axes<3>(x);
        const auto y = make<double>(l, shape{5000, 31}, whole);
        check_axes<1>(y);
        check_axes<2>(y);
        const auto z = make<float>(l, shape{31, 5000}, whole);
        check_axes<1>(z);
        check_axes<2>(z);
    }
}

TEST_CASE("sum: every length around registers, tiles and chunks") {
    std::vector<index_t> lengths(140);
    std::iota(lengths.begin(), lengths.end(), 0);
    for (index_t n : {4095, 4096, 4097, 8191, 8192 + 17, 65535, 65536, 65537, 131071, 131072, 131073, 200001}) lengths.push_back(n);
    for (index_t n : lengths) {
        CAPTURE(n);
        const auto f = make<float>(layout::contiguous, shape{n}, whole);
        const auto d = make<double>(layout::reversed, shape{n}, whole);
        double expected = 0;
        for (index_t i = 0; i < n; ++i) expected += whole(i);
        CHECK(sum(f).item() == static_cast<float>(expected));
        CHECK(sum(d).item() == expected);
        CHECK(sum(f * 2.0f + 1.0f).item() == static_cast<float>(2 * expected + static_cast<double>(n)));
        CHECK(sum(d > 0.0).item() == sum(f > 0.0f).item());
    }
}

TEST_CASE("sum: fused with what feeds it, broadcast operands included") {
    const auto a = make<double>(layout::contiguous, shape{20, 1}, whole), b = make<double>(layout::strided, shape{1, 30}, whole);
    double expected = 0;
    std::vector<double> rows(20, 0.0);
    for (index_t i = 0; i < 20; ++i)
        for (index_t j = 0; j < 30; ++j) {
            expected += whole(i) * whole(j) + 1;
            rows[static_cast<std::size_t>(i)] += whole(i) * whole(j) + 1;
        }
    CHECK(sum(a * b + 1).item() == expected);
    CHECK(values(sum(a * b + 1, 1)) == rows);
    CHECK(values(sum(a * b + 1, -1, keepdims)) == rows);
    const auto counted = sum(a > 0.0, 0);
    CHECK(counted.item() == reference::fold(a, 3, 0, [](int n, double x) { return n + (x > 0); })[0]);
}

TEST_CASE("sum: rank 0, no axes, no elements") {
    const tensor<double, 0> s = 3;
    CHECK(sum(s).item() == 3);
    CHECK(sum(s, keepdims).shape() == shape<0>{});
    CHECK(sum(s + 1).item() == 4);
    CHECK(values(sum(zeros<double>({3, 0}), 1)) == std::vector<double>{0, 0, 0});
    CHECK(sum(zeros<int>({0})).item() == 0);
    CHECK(sum(zeros<float>({0, 4}), 1).size() == 0);
    const double total = sum(s);
    CHECK(total == 3);
}

TEST_CASE("sum: the error of many floats is that of their last rounding") {
    CHECK(sum(ones<float>({30000000})).item() == 3e7f);  // a plain loop stops at 2^24
    CHECK(sum(expand(ones<float>({1}), {100000000})).item() == 1e8f);
    CHECK(sum(expand(ones<float>({1}), {10000, 10000}), 0).at(77) == 1e4f);
    const auto columns = sum(expand(full<float>({1, 3}, 0.1f), {1000000, 3}), 0);
    CHECK(columns.at(1) == doctest::Approx(1e6 * static_cast<double>(0.1f)).epsilon(2e-6));  // rows meet in float, 256 at a time
    reference::noise random;
    for (index_t n : {1000, 100000, 3000000}) {
        CAPTURE(n);
        const auto x = make<float>(layout::contiguous, shape{n}, [&](index_t) { return random(); });
        double exact = 0;
        for (index_t i = 0; i < n; ++i) exact += static_cast<double>(x.at(i));
        CHECK(reference::ulps(sum(x).item(), exact) <= 1);
        const auto y = make<double>(layout::contiguous, shape{n}, [&](index_t) { return random() - 0.25; });
        long double truth = 0;
        for (index_t i = 0; i < n; ++i) truth += y.at(i);
        CHECK(reference::ulps(sum(y).item(), truth) <= 4);
    }
}

TEST_CASE("sum: axes of any integer type, one axis in braces") {
    const auto x = make<double>(layout::contiguous, shape{3, 4}, whole);
    CHECK(values(sum(x, {0})) == values(sum(x, 0)));
    CHECK(values(sum(x, std::size_t(1))) == values(sum(x, index_t(-1))));
    CHECK(values(sum(x, short(0), keepdims)) == values(sum(x, {-2}, keepdims)));
    CHECK_THROWS_AS((void)sum(x, index_t(1) << 32), index_error);
    CHECK_THROWS_AS((void)sum(x, std::numeric_limits<std::size_t>::max() / 2), index_error);
}

TEST_CASE("sum: infinities and NaN") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (index_t n : {1, 5, 64, 1000, 200000}) {
        CAPTURE(n);
        auto x = ones<double>({n});
        x(n / 2) = inf;
        CHECK(sum(x).item() == inf);
        CHECK(sum(astype<float>(x)).item() == std::numeric_limits<float>::infinity());
        x(n - 1) = std::nan("");
        CHECK(std::isnan(sum(x).item()));
        if (n < 3) continue;
        x(n - 1) = -inf;
        CHECK(std::isnan(sum(x).item()));
        CHECK(std::isnan(sum(reshape(x, {n, 1}), 0).item()));
        x(n / 2) = 1.0;
        CHECK(sum(x).item() == -inf);
    }
    CHECK(sum(full<float>({10}, 3e38f)).item() == std::numeric_limits<float>::infinity());
    CHECK(sum(tensor<float, 1>{3e38f, 3e38f, -3e38f}).item() == doctest::Approx(3e38f));
}
