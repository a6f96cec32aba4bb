// median, quantile, percentile, nanquantile and nanmedian of lines of every length against sorted copies: ties, NaN,
// infinities, periods, other types and axes; where derivatives go, batches, errors.
#include <ricci/ricci.hpp>

#include "../reference.hpp"
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// quantile of a line by its definition, of the numbers in it or of all.
double reference_quantile(std::vector<double> x, double q, quantile_method method, bool skips) {
    const auto numbers = std::partition(x.begin(), x.end(), [](double a) { return a == a; });
    if (numbers == x.begin() || (numbers != x.end() && !skips)) return not_a_number;
    x.erase(numbers, x.end());
    std::sort(x.begin(), x.end());
    const double at = q * static_cast<double>(x.size() - 1), low = std::floor(at), high = std::ceil(at);
    const auto element = [&](double place) { return x[static_cast<std::size_t>(place)]; };
    switch (method) {
        case quantile_method::lower:
            return element(low);
        case quantile_method::higher:
            return element(high);
        case quantile_method::nearest:
            return element(std::nearbyint(at));
        default:
            break;
    }
    const double a = element(low), b = element(high), weight = method == quantile_method::midpoint ? 0.5 : at - low;
    if (at == low || (std::isinf(a) && b != -a)) return a;  // what is infinite is an end, and no difference
    return a + weight * (b - a);
}
template <class T>
void check_line(const tensor<T, 1>& x, double tolerance = 1e-15) {
    std::vector<double> values(x.size() ? static_cast<std::size_t>(x.size()) : 0);
    for (index_t i = 0; i < x.size(); ++i) values[static_cast<std::size_t>(i)] = static_cast<double>(x.at(i));
    const auto check = [&](const auto& y, double expected) {
        const auto actual = static_cast<double>(y.item());
        if (std::isnan(expected)) CHECK(std::isnan(actual));
        else CHECK((actual == expected || std::abs(actual - expected) <= tolerance * (1 + std::abs(expected))));
    };
    using enum quantile_method;
    for (const double q : {0.0, 0.001, 0.1, 0.5, 0.77, 0.999, 1.0}) {
        CAPTURE(q);
        check(quantile(x, q), reference_quantile(values, q, linear, false));
        check(nanquantile(x, q), reference_quantile(values, q, linear, true));
    }
    for (const auto method : {lower, higher, midpoint, nearest}) {
        check(quantile(x, 0.3, method), reference_quantile(values, 0.3, method, false));
        check(nanquantile(x, 0.3, method), reference_quantile(values, 0.3, method, true));
    }
    check(median(x), reference_quantile(values, 0.5, lower, false));
    check(nanmedian(x), reference_quantile(values, 0.5, lower, true));
}

}  // namespace

TEST_CASE("quantile: lines of every kind and length") {
    for (const index_t n : {1, 2, 3, 7, 127, 129, 300, 1000, 4097, 70000}) {
        CAPTURE(n);
        const auto x = randn<double>({n}, generator(static_cast<std::uint64_t>(n)));
        check_line(x);
        check_line(evaluate(astype<float>(x)), 1e-6);
        check_line(arange<double>(n));
        check_line(evaluate(flip(arange<double>(n), 0)));
        check_line(full<double>({n}, 2.5));                                      // one value
        check_line(evaluate(floor(2 * x)));                                      // few values
        check_line(evaluate(where(x > 0, 1.0, 0.0)));                            // two
        check_line(evaluate(sin(0.1 * arange<double>(n))));                      // a period
        check_line(evaluate(where(arange<double>(n) > double(n - 3), x, 7.0)));  // one, and a few others
        check_line(evaluate(where(x > 1.5, not_a_number, x)));
        check_line(evaluate(where(arange<double>(n) == double(n / 2), not_a_number, x)));
        check_line(full<double>({n}, not_a_number));
        check_line(evaluate(exp(20 * x)));
    }
}

TEST_CASE("quantile: other axes, layouts and types") {
    const auto x = randn<double>({3, 300, 21}, generator(3));
    for (int axis : {0, 1, 2, -2}) {
        const auto y = quantile(x, 0.3, axis);
        const auto lines = moveaxis(x, axis, -1);
        const auto expected = moveaxis(sort(lines, -1), -1, 0);
        const double at = 0.3 * static_cast<double>(expected.shape()[0] - 1), low = std::floor(at);
        const auto k = static_cast<index_t>(low);
        check_close(y, expected(k) + (at - low) * (expected(k + 1) - expected(k)));
        check_close(quantile(permute(x, {2, 1, 0}), 0.3, axis < 0 ? -1 - axis : 2 - axis), evaluate(y.T()));
        CHECK(array_equal(median(x, axis),
                          moveaxis(sort(x, axis), axis, 0)((x.shape()[axis < 0 ? 3 + axis : axis] - 1) / 2)));
    }
    CHECK(median(tensor<int, 1>{5, 1, 4}).item() == 4.0);
    const auto h = astype<float16>(randn<float>({500}, generator(4)));
    static_assert(std::is_same_v<decltype(median(h))::value_type, float16>);
    CHECK(float(median(h).item()) == median(astype<float>(h)).item());
    set_num_threads(4);
    const auto wide = randn<float>({2000, 40}, generator(5));
    const auto columns = median(wide, 0), rows = median(wide, 1);
    set_num_threads(1);
    CHECK(array_equal(columns, median(wide, 0)));
    CHECK(array_equal(rows, median(wide, 1)));
}

TEST_CASE("quantile: several axes, and axes that are kept") {
    const auto x = evaluate(square(arange<double>(24).reshape({2, 3, 4}) - 7.0));
    // numpy.quantile(x, 0.3, axis=(0, 2)), numpy.quantile(x, [0.25, 1], axis=(2, 1)), numpy.percentile(x, 70, axis=(0,
    // 1, 2))
    check_close(quantile(x, 0.3, {0, 2}), tensor<double, 1>{26.1, 4.5, 9.7});
    check_close(quantile(x, {0.25, 1.0}, {2, 1}), tensor<double, 2>{{3.25, 60.25}, {49, 256}});
    CHECK(percentile(x, 70, {0, 1, 2}).item() == doctest::Approx(82.9));
    CHECK(array_equal(quantile(x, 0.3, {-1, 0}, keepdims), quantile(x, 0.3, {0, 2}).reshape({1, 3, 1})));
    CHECK(array_equal(quantile(x, {0.1, 0.6}, 1, quantile_method::lower, keepdims),
                      quantile(x, {0.1, 0.6}, 1, quantile_method::lower).reshape({2, 2, 1, 4})));
    CHECK(array_equal(percentile(x, {10, 35}, 1, keepdims, quantile_method::nearest),
                      quantile(x, {0.1, 0.35}, 1, keepdims, quantile_method::nearest)));
    CHECK(quantile(x, 0.5, keepdims).shape() == shape<3>{1, 1, 1});
    CHECK(array_equal(nanquantile(x, {0.2, 0.5}, {1, 2}), quantile(x, {0.2, 0.5}, {1, 2})));
    CHECK(array_equal(median(x, 1, keepdims), median(x, 1).reshape({2, 1, 4})));
    CHECK(array_equal(median(x, {0, 1}), median(x.reshape({6, 4}), 0)));
    CHECK(array_equal(nanmedian(where(x > 200, not_a_number, x), {0, 1}), tensor<double, 1>{25, 36, 25, 16}));
    CHECK_THROWS_WITH_AS(quantile(x, 0.5, {0, -3}), "[quantile] axis 0 is named twice", index_error);
    CHECK_THROWS_AS(quantile(x, 0.5, {0, 3}), index_error);
    const auto y = spread({2, 3, 2});
    CHECK(gradcheck([](auto v) { return quantile(v, {0.3, 0.8}, {0, 2}, keepdims); }, ricci::tuple(y)));
    check_close(vmap([](auto v) { return quantile(v, 0.4, {0, 1}, keepdims); })(y), quantile(y, 0.4, {1, 2}, keepdims));
}

TEST_CASE("percentile") {
    const auto x = randn<double>({4, 50}, generator(6));
    CHECK(array_equal(percentile(x, 25, 1), quantile(x, 0.25, 1)));
    CHECK(array_equal(percentile(x, {5, 95}, 0), quantile(x, {0.05, 0.95}, 0)));
    CHECK(percentile(x, 37.5).item() == quantile(x, 0.375).item());
    CHECK(array_equal(percentile(x, {0, 50}, quantile_method::lower), quantile(x, {0.0, 0.5}, quantile_method::lower)));
    CHECK_THROWS_WITH_AS(percentile(x, 101), "[percentile] the percent must lie between 0 and 100: 101",
                         value_error);
    check_close(percentile(tensor<double, 1>{1, 2, 4, 8}, 40), tensor<double, 0>(2.4));  // numpy.percentile
}

TEST_CASE("quantile: derivatives and batches") {
    const auto x = spread({3, 5});
    for (const auto q : {0.0, 0.3, 0.5, 1.0}) {
        CHECK(gradcheck([=](auto v) { return quantile(v, q, 1); }, ricci::tuple(x)));
        CHECK(gradcheck([=](auto v) { return nanquantile(v, q, 0); }, ricci::tuple(x)));
        check_close(vmap([=](auto v) { return quantile(v, q); })(x), quantile(x, q, 1));
        check_close(vmap([=](auto v) { return nanquantile(v, q); })(x), nanquantile(x, q, 1));
    }
    check_close(grad([](auto v) { return quantile(v, 0.5); })(tensor<double, 1>{4, 1, 2, 9}),
                tensor<double, 1>{0.5, 0, 0.5, 0});
    check_close(grad([](auto v) { return quantile(v, 0.5); })(tensor<double, 1>{2, 1, 2, 9}),  // two equal ones
                tensor<double, 1>{0.5, 0, 0.5, 0});
    check_close(grad([](auto v) { return median(v); })(tensor<double, 1>{3, 3, 3, 3}), tensor<double, 1>{0, 1, 0, 0});
    const auto holed = evaluate(where(x > 0.5, not_a_number, x));
    check_close(vmap([](auto v) { return nanquantile(v, 0.4); })(holed), nanquantile(holed, 0.4, 1));
}

TEST_CASE("quantile: an array of fractions, whose axes come first") {
    const auto x = spread({3, 5, 2});
    const tensor<double, 1> q{0.5, 0.1, 1};
    CHECK(array_equal(quantile(x, q, 1), quantile(x, {0.5, 0.1, 1.0}, 1)));
    CHECK(
        array_equal(quantile(x, q(all, newaxis) * 1.0, {0, 2}, quantile_method::higher, keepdims),
                    quantile(x, {0.5, 0.1, 1.0}, {0, 2}, quantile_method::higher, keepdims).reshape({3, 1, 1, 5, 1})));
    CHECK(array_equal(percentile(x, tensor<int, 2>{{5, 95}}), percentile(x, {5, 95}).reshape({1, 2})));
    CHECK(array_equal(nanquantile(x, q, -1), quantile(x, q, -1)));
    CHECK(quantile(x, empty<double>({0}), 1).shape() == shape{0, 3, 2});
    CHECK(quantile(x, tensor<double, 0>(0.5), 1).shape() == shape{3, 2});
    CHECK_THROWS_AS(quantile(x, q + 0.5, 1), value_error);
    CHECK(gradcheck([=](auto v) { return quantile(v, q, 1); }, ricci::tuple(x)));
    check_close(vmap([=](auto v) { return quantile(v, q, 0); })(x), moveaxis(quantile(x, q, 1), 0, 1));
    CHECK_THROWS_WITH_AS(vmap([=](auto f) { return quantile(x, f, 0); })(spread({2, 3})),
                         "[quantile] under vmap all members of the batch must share the fractions", value_error);
}

TEST_CASE("quantile: infinities") {
    for (const index_t n : {3, 200, 2000}) {
        const auto i = arange<double>(n);
        check_line(evaluate(where(i < double(n / 3), -inf, where(i < double(n / 2), inf, i))));
        CHECK(quantile(full<double>({n}, inf), 0.4).item() == inf);
    }
}

TEST_CASE("quantile: no lines") {
    CHECK(quantile(zeros<float>({4, 0}), 0.3, 0).shape() == shape<1>{0});
    CHECK(median(zeros<double>({2, 5, 0}), 1).shape() == shape<2>{2, 0});
    CHECK(nanquantile(zeros<double>({0, 3}), 0.5, 1).shape() == shape<1>{0});
    CHECK_THROWS_AS(quantile(zeros<double>({0, 3}), 0.5, 0), value_error);
}
