// average, cov, corrcoef, nanquantile, nanmedian, interp, digitize, gradient, polyval, logspace, geomspace and isclose
// against NumPy; their refusals; asarray, permute_dims, broadcast_shapes, array_equal.
#include "../golden/statistics.hpp"
#include "../transforms/mapped.hpp"
#include "close_calls.hpp"

using namespace mapped;
using calls::not_a_number;

namespace {

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto value = [](index_t i) { return static_cast<double>(37 * i % 11 - 5); };
    const auto x = reference::make<double>(l, shape{3, 4, 7}, value);
    const auto m = evaluate(x(0));
    const auto v = evaluate(x(0, 0));
    const auto n = evaluate(where(x == -5, not_a_number, x));
    n(0, 0) = not_a_number;
    const auto w = arange<double>(1, 8);
    const tensor<int, 1> k{1, 0, 2, 1, 3, 1, 1};
    const tensor<double, 1> places{-4, -1, 0, 2.5, 4}, values{1, -2, 3, 0, 5}, at{0, 0.5, 2, 2.25, 4, 5, 5.5};
    RICCI_STATISTICS_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("statistics: NumPy's results, in two memory layouts") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}

TEST_CASE("cov: weights are repeated observations, or their reliability") {
    const auto m = spread({3, 7});
    const tensor<int, 1> k{1, 0, 2, 1, 3, 1, 1};
    check_close(cov(m, true, 1, k), cov(repeat(m, k, 1)));
    const auto z = evaluate(ricci::complex(m, spread({3, 7}, 5)));
    check_close(real(cov(z, true, 1, k)), real(cov(repeat(z, k, 1))));
    check_close(imag(cov(z, true, 1, k)), imag(cov(repeat(z, k, 1))));
    check_close(cov(matrix_transpose(m), false, 1, none, exp(spread({7}))), cov(m, true, 1, none, exp(spread({7}))));
    check_first_order([](auto v, auto w) { return cov(v, true, 1, none, exp(w)); }, m, spread({7}));
    CHECK_THROWS_WITH_AS(cov(m, true, 1, tensor{1, 2}), "[cov] weights of shape (2,) for 7 observations", shape_error);
    CHECK_THROWS_AS(cov(m, true, 1, none, -exp(spread({7}))), value_error);
}

TEST_CASE("statistics: integers, floats, complex numbers") {
    const tensor<int, 2> n{{1, 2, 4}, {0, 3, 3}};
    static_assert(std::is_same_v<decltype(cov(n))::value_type, double>);
    check_close(cov(n), cov(astype<double>(n)));
    static_assert(std::is_same_v<decltype(interp(tensor<float, 1>(), n(0), n(0)))::value_type, double>);
    CHECK(interp(tensor<float, 1>{1.5f}, tensor<float, 1>{1, 2}, tensor<float, 1>{3, 5}).at(0) == 4.0f);
    // of several points at one place the last one counts, also at the end
    const tensor<double, 1> places{0, 0, 1, 1, 2, 2}, values{1, 3, 5, 7, 9, 11}, at_places{0, 1, 2};
    check_close(interp(at_places, places, values), tensor<double, 1>{3, 7, 11});
    CHECK(std::isnan(interp(tensor<double, 1>{std::numeric_limits<double>::quiet_NaN()}, places, values).at(0)));
    CHECK(interp(1.5, tensor<double, 1>{1, 2}, tensor<double, 1>{3, 5}).item() == 4);
    const tensor<double, 1> ends{0, 1},
        steep{1e20, 1};  // the value of the last place, too, whatever the slope before it
    CHECK(array_equal(interp(tensor{0.0, 1.0, 2.0}, ends, steep), tensor{1e20, 1.0, 1.0}));
    CHECK(grad([&](auto a) { return interp(a, ends, tensor<double, 1>{3, 1}); })(1.0) == -2);
    CHECK(
        array_equal(grad([&](auto v) { return sum(interp(tensor<double, 1>{1}, ends, v)); })(steep), tensor{0.0, 1.0}));
    CHECK(array_equal(grad([&](auto p) { return sum(interp(tensor<double, 1>{1}, p, tensor<double, 1>{3, 1})); })(ends),
                      tensor{0.0, 2.0}));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const tensor<double, 1> steps{0, 1, 2, 3};
    const tensor<double, 1> between{0, 0.5, 1, 1.5, 2, 2.5, 3};  // numpy.interp of the same
    CHECK(allclose(interp(between, steps, tensor<double, 1>{1, 2, infinity, 3}),
                   tensor<double, 1>{1, 1.5, 2, infinity, infinity, infinity, 3}));
    CHECK(allclose(interp(between, steps, tensor<double, 1>{infinity, infinity, 1, -infinity}),
                   tensor<double, 1>{infinity, infinity, infinity, infinity, 1, -infinity, -infinity}));
    const tensor<float, 1> parabola{1, -2, 3};  // 3 - 2 x + x^2
    CHECK(polyval(parabola, 2.0).item() == 3);
    static_assert(
        std::is_same_v<decltype(polyval(parabola, 2.0))::value_type, float>);  // a number has no type of its own
    CHECK(gradient(n, 1, 1).at(0, 1) == 1.5);
    const auto [down, right] = gradient(n, 0.5);  // of every axis
    CHECK(array_equal(down, gradient(n, 0.5, 0)));
    CHECK(array_equal(right, gradient(n, 0.5, 1)));
    const auto flat = full<double>({5}, 0.1);
    CHECK(sum(abs(gradient(flat, 0.3, 0, 2))).item() == 0);
    CHECK_FALSE(any(signbit(gradient(flat, 0.3))).item());
    CHECK(sum(abs(gradient(flat, tensor<double, 1>{0, 0.1, 0.3, 0.7, 0.8}, 0, 2))).item() == 0);
    // of equally spaced samples the one in the middle does not count
    CHECK(gradient(tensor<double, 1>{1, std::numeric_limits<double>::quiet_NaN(), 4}, 0.5).at(1) == 3);
    const tensor<double, 2> y{{0, 1, 4}, {0, 1, 2}}, at{{0, 1, 2}, {0, 2, 4}};  // places of the samples' shape
    check_close(gradient(y, at, -1), tensor<double, 2>{{1, 2, 3}, {0.5, 0.5, 0.5}});
    using z = std::complex<double>;
    const tensor<z, 2> c{{{1, 2}, {0, 1}, {3, -1}}, {{2, 0}, {1, 1}, {0, -2}}};
    // numpy.cov of the same
    check_close(real(cov(c)), tensor<double, 2>{{14, 2.5}, {2.5, 10}} / 3.0);
    check_close(imag(cov(c)), tensor<double, 2>{{0, 11.5}, {-11.5, 0}} / 3.0);
}

TEST_CASE("corrcoef: whatever the units are") {
    const tensor<double, 1> x{1, 2, 3}, y{1, 2, 4};
    const auto r = [](const auto& a, const auto& b) { return corrcoef(a, b)(0, 1).item(); };
    const double expected = 0.9819805060619657;  // numpy.corrcoef(x, y)
    for (const float unit : {1e20f, 1e-30f}) {
        CHECK(std::abs(r(astype<float>(x) * unit, astype<float>(y)) - expected) < 1e-6);
        CHECK(std::abs(r(astype<float>(y), astype<float>(x) * unit) - expected) < 1e-6);
    }
    for (const double unit : {1e307, 1e200, 1e-200, 1e-300})
        CHECK(std::abs(r(x * unit, y * 1e-160) - expected) < 1e-14);
    const tensor<std::complex<double>, 1> z{1, {3, -2}, 4}, w{1, {0, 2}, 4};
    CHECK(std::abs(r(z * 1e200, w) - r(z, w)) < 1e-14);
    CHECK(std::isnan(r(zeros<double>({3}), y)));
}

TEST_CASE("corrcoef, digitize: variables in columns, edges in braces") {
    const auto x = spread({3, 50});
    const auto columns = evaluate(matrix_transpose(x).clone());
    CHECK(allclose(corrcoef(columns, false), corrcoef(x), 1e-14));
    CHECK(array_equal(digitize(x, {-1.0, 0.5}), digitize(x, tensor<double, 1>{-1, 0.5})));
    CHECK(array_equal(digitize(x, {1, 0}, true), digitize(x, tensor<int, 1>{1, 0}, true)));
}

TEST_CASE("statistics: errors") {
    const auto x = spread({3, 5});
    CHECK_THROWS_WITH_AS(average(x, spread({3}), 1), "[average] weights of shape (3,) for axis 1 of shape (3, 5)",
                         shape_error);
    CHECK_THROWS_WITH_AS(cov(zeros<double>({2, 0})), "[cov] of no observations: shape (2, 0)", value_error);
    CHECK_THROWS_AS(nanquantile(x, -0.1, 0), value_error);
    CHECK_THROWS_WITH_AS(digitize(x, tensor<double, 1>{3, 1, 2}),
                         "[digitize] edges that neither ascend nor descend throughout", value_error);
    CHECK_THROWS_AS(digitize(x, tensor<double, 1>{1, 3, 2}), value_error);
    CHECK(digitize(tensor<double, 1>{1, 2}, tensor<double, 1>{2, 1, 1}).at(0) ==
          1);  // as NumPy: equal edges are in order
    CHECK_THROWS_AS(nanmedian(zeros<double>({0})), value_error);
    CHECK_THROWS_WITH_AS(interp(x, spread({3}), spread({4})), "[interp] places of shape (3,) with values of shape (4,)",
                         shape_error);
    CHECK_THROWS_WITH_AS(gradient(spread({1}), 1.0),
                         "[gradient] an axis of 1 samples is too short: edge_order 1 takes 2", shape_error);
    CHECK_THROWS_AS(gradient(x, 1.0, 1, 3), value_error);
    CHECK_THROWS_WITH_AS(gradient(x, spread({3}), 1), "[gradient] places of shape (3,) for axis 1 of shape (3, 5)",
                         shape_error);
    CHECK_THROWS_AS(logspace(0, 1, -1), value_error);
    CHECK_THROWS_AS(geomspace(-1, 1, 3), value_error);
    CHECK(allclose(geomspace(1e-200, 1e200, 5), tensor<double, 1>{1e-200, 1e-100, 1, 1e100, 1e200}, 1e-12, 0));
    CHECK(allclose(geomspace(-1e-200, -1e-180, 3), tensor<double, 1>{-1e-200, -1e-190, -1e-180}, 1e-14, 0));
    CHECK(geomspace(3, 3, 4).at(2) == 3);
    CHECK(array_equal(arange(std::size_t(2), -1, -1), tensor<std::int64_t, 1>{2, 1, 0}));
    CHECK(array_equal(arange(-1, 2u), tensor<std::int64_t, 1>{-1, 0, 1}));
}

TEST_CASE("16 bits hold the results of sums that they do not hold") {
    const tensor<float16, 1> big{300, 400, 0}, small{3e-5, 4e-5, 0};
    const auto near = [](const auto& x, double y) {
        return std::abs(static_cast<double>(evaluate(x).item()) / y - 1) < 2e-3;
    };
    CHECK(near(norm(big), 500));
    CHECK(near(norm(small), 5e-5));
    CHECK(near(norm(big, 0, {}, 3), 449.7941));
    CHECK(near(normalize(small)(1), 0.8));
    CHECK(near(cosine_similarity(big, small), 1));
    CHECK(near(cdist(reshape(big, {1, 3}), zeros<float16>({1, 3}))(0, 0), 500));
    CHECK(near(pdist(stack({big, small}))(0), 500));
    CHECK(near(pairwise_distance(big, small), 500));
    CHECK(near(average(big, big), 2500 / 7.0));
    CHECK(near(cov(tensor<float16, 1>{200, -200, 200, -200}), 160000 / 3.0));
    CHECK(near(corrcoef(big, small)(0, 1), 1));
    CHECK(near(avg_pool1d(full<float16>({1, 4}, 30000), 4)(0, 0), 30000));
    CHECK(near(nll_loss(full<float16>({200, 2}, -1), zeros<int>({200}), tensor<float16, 1>{1000, 1}), 1));
}

TEST_CASE("binary_cross_entropy_with_logits: small losses keep their digits") {
    const tensor<float, 1> sure{20, -20}, right{1, 0};
    CHECK(std::abs(binary_cross_entropy_with_logits(sure, right).item() / 2.0611536e-9f - 1) < 1e-6f);
    CHECK(gradcheck([](auto x, auto t) { return binary_cross_entropy_with_logits(x, t); },
                    ricci::tuple(tensor<double, 1>{-3, 0, 2}, tensor<double, 1>{0.2, 0.5, 1})));
}

TEST_CASE("asarray, permute_dims, broadcast_shapes, array_equal") {
    std::vector<double> numbers{1, 2, 3};
    const auto seen = asarray(std::span(numbers));
    numbers[0] = 7;
    CHECK(seen.at(0) == 7);
    CHECK(asarray(seen).data() == seen.data());
    static_assert(std::is_same_v<decltype(asarray<float>(seen))::value_type, float>);
    CHECK(asarray(2 * seen).at(1) == 4);
    const auto x = spread({2, 3});
    CHECK(array_equal(permute_dims(x, {1, 0}), matrix_transpose(x)));
    CHECK(!array_equal(x, matrix_transpose(x)));
    CHECK(!array_equal(x, ravel(x)));
    CHECK(!array_equal(seen, seen + not_a_number));
    CHECK(broadcast_shapes(shape{3, 1}, shape{4}, shape{1, 1}) == shape{3, 4});
    CHECK_THROWS_AS(broadcast_shapes(shape{3}, shape{2}), shape_error);
}
