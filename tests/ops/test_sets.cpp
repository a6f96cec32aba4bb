// unique_values, unique_counts, unique_inverse, unique_all, isin, bincount and histogram against NumPy; NaN, batches,
// errors.
#include "../golden/sets.hpp"
#include "calls.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("sets: NumPy's results, in every memory layout") {
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        const auto x = reference::make<int>(l, shape{3, 4, 7}, [](index_t i) { return 37 * i % 11 - 5; });
        const auto p = evaluate(ravel(x) + 5);
        RICCI_SET_CASES(RICCI_CHECK_CALL);
    }
}

TEST_CASE("sets: each NaN by itself, and nowhere") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const tensor<double, 1> x{nan, 2, nan, 2, -0.0, 0.0};
    const auto [values, first, inverse, counts] = unique_all(x);
    CHECK(values.size() == 4);
    CHECK((values.at(0) == 0 && values.at(1) == 2 && std::isnan(values.at(2)) && std::isnan(values.at(3))));
    CHECK(allclose(counts, tensor<int, 1>{2, 2, 1, 1}));
    CHECK(allclose(inverse, tensor<int, 1>{2, 1, 3, 1, 0, 0}));
    CHECK(count_nonzero(isin(x, x)).item() == 4);
    CHECK(array_equal(isin(tensor<float, 1>{0.1f, 2, 3}, {0.1, 3.0}), tensor<bool, 1>{true, false, true}));
    CHECK(array_equal(isin(tensor<int, 1>{0, 2, 3}, {0, 3}, true), tensor<bool, 1>{false, true, false}));
    CHECK(unique_values(zeros<double>({0, 2})).size() == 0);
}

TEST_CASE("sets: weights differentiate, batches share what decides a shape") {
    const tensor<int, 1> numbers{2, 0, 2};
    const tensor<double, 1> w{1, 2, 3};
    CHECK(allclose(grad([&](auto v) { return sum(square(bincount(numbers, v))); })(w), tensor<double, 1>{8, 4, 8}));
    CHECK(allclose(vmap([&](auto v) { return bincount(numbers, v); })(stack({w, w}))(1), bincount(numbers, w)));
    CHECK(allclose(vmap([&](auto v) { return isin(v, w); })(tensor<double, 2>{{1, 9}, {8, 3}}),
                   tensor<int, 2>{{1, 0}, {0, 1}}));
    const auto in_bins = [](auto v) { return std::get<0>(histogram(v, 2, 0, 4)); };
    CHECK(allclose(vmap(in_bins)(tensor<double, 2>{{1, 3, 4}, {0, 1, 5}}), tensor<int, 2>{{1, 2}, {2, 0}}));
    const tensor<double, 1> y{1, 1, 3};
    const auto weigh = [&](auto v) { return std::get<0>(histogram(y, 2, {0, 4}, v)); };
    CHECK(allclose(grad([&](auto v) { return sum(square(weigh(v))); })(w), tensor<double, 1>{6, 6, 6}));
    CHECK(allclose(vmap(weigh)(stack(ricci::tuple(w, 2 * w))), tensor<double, 2>{{3, 3}, {6, 6}}));
    CHECK_THROWS_WITH_AS(histogram(y, 2, w(slice(0, 2))),
                         "[histogram] weights of shape (2,) for elements of shape (3,)", shape_error);
    const auto m = zeros<double>({2, 3}), other = zeros<double>({3, 2});
    CHECK(std::get<0>(histogram(m, 1, m + 1)).item() == 6);
    CHECK_THROWS_AS(histogram(m, 1, other), shape_error);
    CHECK_THROWS_AS(histogram(m, tensor{-1.0, 1.0}, other), shape_error);
    CHECK_THROWS_WITH_AS(histogram2d(m, m, 1, 1, other),
                         "[histogram2d] weights of shape (3, 2) for elements of shape (2, 3)", shape_error);
    CHECK_THROWS_WITH_AS(vmap([](auto v) { return std::get<0>(histogram(v)); })(tensor<double, 2>{{1, 2}, {1, 1}}),
                         "[histogram] under vmap the range must be given", value_error);
    CHECK_THROWS_AS(vmap([](auto v) { return unique_values(v); })(tensor<double, 2>{{1, 2}, {1, 1}}), value_error);
}

TEST_CASE("sets: float weights are added in double") {
    const auto x = zeros<int>({1000000});
    const auto w = full<float>({1000000}, 0.1f);
    static_assert(std::is_same_v<decltype(bincount(x, w))::value_type, float>);
    CHECK(bincount(x, w).at(0) == 100000.0f);
    CHECK(std::get<0>(histogram(x, 1, w)).at(0) == 100000.0f);
    CHECK(std::get<0>(histogram2d(x, x, 1, 1, w)).at(0, 0) == 100000.0f);
    CHECK(bincount(x, complex(w, -w)).at(0) == std::complex<float>(100000, -100000));
    CHECK(array_equal(grad([&](auto v) { return bincount(tensor{0, 1, 1}, v)(1); })(tensor{1.0f, 2.0f, 3.0f}),
                      tensor{0.0f, 1.0f, 1.0f}));
}

TEST_CASE("sets: errors") {
    CHECK_THROWS_WITH_AS(bincount(tensor<int, 1>{1, -2}), "[bincount] the numbers must not be negative: -2",
                         value_error);
    CHECK_THROWS_WITH_AS(bincount(tensor<std::uint64_t, 1>{std::uint64_t(1) << 63}),
                         "[bincount] the largest number is too large to be counted up to", value_error);
    CHECK_THROWS_WITH_AS(bincount(tensor<int, 1>{1, 2}, tensor<double, 1>{1}), "[bincount] 1 weights for 2 numbers",
                         shape_error);
    CHECK_THROWS_WITH_AS(bincount(tensor<int, 1>{1, 2}, -3),
                         "[bincount] the least number of counts must not be negative: -3", value_error);
    CHECK_THROWS_AS(bincount(tensor<int, 1>{1, 2}, tensor<double, 1>{1, 2}, -3), value_error);
    CHECK_THROWS_AS(histogram(zeros<double>({2}), 0), value_error);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_AS(histogram(zeros<double>({2}), most), value_error);
    const auto pair = std::make_tuple(zeros<double>({2}), zeros<double>({2}));
    CHECK_THROWS_WITH_AS(histogramdd(pair, {most, most}),
                         "[histogramdd] the size of shape (9223372036854775807, 9223372036854775807) overflows",
                         value_error);
    CHECK_THROWS_WITH_AS(histogram(zeros<double>({2}), 2, -1e308, 1e308),
                         "[histogram] the range must be finite and not empty: -1e+308 to 1e+308", value_error);
    CHECK_THROWS_AS(histogram(zeros<double>({2}), 2, 1, 1), value_error);
    CHECK_THROWS_WITH_AS(histogram(tensor<double, 1>{1, 1 + 4e-16}, 10),
                         "[histogram] there are not as many numbers in the range as would be edges: 10 bins",
                         value_error);
    const auto [tiny, edges] = histogram(tensor<double, 1>{0, 0.5e-310, 0.95e-310}, 10, 0.0, 1e-310);
    CHECK(allclose(tiny, tensor<int, 1>{1, 0, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST_CASE_TEMPLATE("sets: integers close together and far apart, beside a search", T, std::int8_t, std::uint8_t,
                   std::int32_t, std::int64_t, std::uint64_t) {
    using limits = std::numeric_limits<T>;
    const tensor<T, 1> close{3, 5, 5, 9}, ends{limits::min(), 7, limits::max()};
    tensor<T, 1> x = concat({ends, astype<T>(arange(12)).clone()});
    for (const auto& among : {close, ends, tensor<T, 1>{limits::max()}, tensor<T, 1>{limits::min()}}) {
        for (const bool invert : {false, true}) {
            const auto found = isin(x, among, invert);
            for (index_t i = 0; i < x.size(); ++i) {
                CAPTURE(i);
                CHECK(found(i).item() ==
                      ((std::find(among.begin(), among.end(), x(i).item()) != among.end()) != invert));
            }
        }
    }
    const auto rows = reshape(x, {3, 5});
    CHECK(array_equal(vmap([&](auto v) { return isin(v, close); })(rows), isin(rows, close)));
    const auto [values, first, inverse, counts] = unique_all(x);
    CHECK(array_equal(values, unique_values(x)));
    CHECK(array_equal(counts, unique_counts(x).counts));
    CHECK(array_equal(inverse, unique_all(x).inverse_indices));
    CHECK(array_equal(take(values, inverse, 0), x));
    CHECK(array_equal(take(x, first, 0), values));
}
TEST_CASE("histogram: of many elements the sum of those of their parts") {
    const index_t n = 100003, piece = 10007;
    const auto numbers = arange(n) * 7919 % 1009;
    const tensor<double, 1> x = where(numbers == 5, std::nan(""), numbers / 8.0);
    const tensor<int, 1> whole = astype<int>(numbers);
    const tensor<double, 1> edges{0, 3, 10, 10.125, 90};
    const auto parts = [&](const auto& of) {
        auto sum = of(slice(0, piece));
        for (index_t at = piece; at < n; at += piece) sum = evaluate(sum + of(slice(at, at + piece)));
        return sum;
    };
    const auto check = [&](const auto& of) { CHECK(array_equal(of(slice(0, n)), parts(of))); };
    check([&](slice s) { return histogram(x(s), 100, {1, 101}).counts; });
    check([&](slice s) { return histogram(astype<float>(x(s)), 7, {1, 101}).counts; });
    check([&](slice s) { return histogram(whole(s), 13, {0, 1008}).counts; });
    check([&](slice s) { return histogram(x(s), 10, {1, 101}, whole(s)).counts; });
    check([&](slice s) { return histogram(x(s), edges).counts; });
    check([&](slice s) { return histogram2d(x(s), whole(s), 5, 4, {0, 50}, {0, 1000}).counts; });
    CHECK(sum(histogram(whole, 13).counts).item() == n);
}
