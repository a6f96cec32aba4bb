// NumPy's rules at the edges of types and arrays: narrow integers, 16-bit products, NaN in sets, signs of fractions.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN(),
             infinity = std::numeric_limits<double>::infinity();
using bytes = tensor<std::uint8_t, 1>;

}  // namespace

TEST_CASE("edges: products of 16-bit floats are rounded once under transforms, too") {
    const tensor<float16, 1> x{300, .001, 300, .001};
    const auto product = [](auto a) { return prod(a); };
    const auto plain = evaluate(prod(x));
    CHECK(array_equal(vmap(product)(stack({x, x})), stack({plain, plain})));
    const auto [value, slopes] = value_and_grad(product)(x);
    CHECK(value == plain);
    CHECK(allclose(astype<float>(slopes), tensor<float, 1>{3e-4f, 90, 3e-4f, 90}, 2e-3));
}
TEST_CASE("edges: the fraction of a number") {
    const auto fraction = [](auto a) { return std::get<0>(modf(a)); };
    const auto slopes = grad([&](auto a) { return sum(fraction(a)); })(tensor{2, 2.5, 0, -3});
    CHECK(array_equal(slopes, ones<double>({4})));
    const tensor<double, 1> x{-3, -0.0, infinity, -infinity, -2.25, 2.25};
    CHECK(array_equal(fraction(x), tensor{0, 0, 0, 0, -.25, .25}));
    CHECK(array_equal(signbit(fraction(x)), tensor{true, true, false, true, true, false}));
}
TEST_CASE("edges: correlations are at most 1, and variances real") {
    const auto x = spread({40, 6});
    for (index_t i = 0; i < 40; ++i) CHECK(all(abs(corrcoef(x(i), 3 * x(i) + 1)) <= 1.0));
    const auto z = ricci::complex(x(slice(0, 3)), x(slice(3, 6)));
    CHECK(array_equal(imag(diagonal(cov(z))), zeros<double>({3})));
    CHECK(gradcheck([](auto a) { return corrcoef(a); }, ricci::tuple(spread({2, 4}))));
}
TEST_CASE("edges: narrow integers") {
    CHECK(array_equal(polyder(tensor<std::int8_t, 1>{100, 0, 0, 1}), tensor<std::int64_t, 1>{300, 0, 0}));
    CHECK(array_equal(polyder(tensor{true, true, true}), tensor<std::int64_t, 1>{2, 1}));
    const tensor<std::uint64_t, 1> large{10'000'000'000'000'000'000u};
    CHECK(array_equal(round(large, -1), large));
    CHECK(round(tensor<std::int64_t, 1>{std::numeric_limits<std::int64_t>::max()}, -1).at(0) >
          9'223'372'036'854'770'000);
    const bytes x{0, 10, 200};
    CHECK(array_equal(clip(x, -5, 10), bytes{0, 10, 10}));
    CHECK(array_equal(clip(x, 'a', 'z'), bytes{97, 97, 122}));
    CHECK(array_equal(clip(x, 1, 256), bytes{1, 10, 200}));
    CHECK(array_equal(clip(x, none, 300), x));
    CHECK(array_equal(vmap([](auto a) { return hardtanh(a); })(x), bytes{0, 1, 1}));
    CHECK(searchsorted(bytes{0, 50, 255}, 300) == 3);
    CHECK(searchsorted(bytes{0, 50, 255}, -1) == 0);
    CHECK(searchsorted(bytes{0, 50, 255}, 255) == 2);
}
TEST_CASE("edges: what is equal, and close") {
    CHECK(array_equal(isnan(setxor1d(tensor{1, not_a_number}, tensor{1.0, 2.0})), tensor{false, true}));
    const tensor<double, 1> x{1e308, infinity, infinity, 1}, y{1.1e308, 1e308, infinity, infinity};
    CHECK(array_equal(isclose(x, y, 10.0), tensor{true, false, true, false}));
}
TEST_CASE("edges: elements more, or fewer, without an axis, of the array flattened") {
    const tensor<int, 2> x{{1, 2}, {3, 4}};
    CHECK(array_equal(insert(x, 1, 9), tensor{1, 9, 2, 3, 4}));
    CHECK(array_equal(insert(x, {1, 2}, tensor{5, 6}), tensor{1, 5, 2, 6, 3, 4}));
    CHECK(array_equal(insert(x, 1, 9, 0), tensor<int, 2>{{1, 2}, {9, 9}, {3, 4}}));
    CHECK(array_equal(erase(x, 1), tensor{1, 3, 4}));
    CHECK(array_equal(erase(x, {0, 2}), tensor{2, 4}));
    CHECK(array_equal(erase(x, 1, 0), tensor<int, 2>{{1, 2}}));
}
TEST_CASE("edges: one number of repetitions, values of a tall matrix's diagonal, numbers of segments") {
    CHECK(array_equal(repeat(tensor{1, 2}, tensor{2}), tensor{1, 1, 2, 2}));
    CHECK(repeat(spread({3, 4}), tensor{0}, 1).shape() == shape<2>{3, 0});
    CHECK_THROWS_AS(repeat(tensor{1, 2, 3}, tensor{2, 1}), shape_error);
    CHECK(array_equal(fill_diagonal(zeros<int>({3, 2}), tensor{7, 8}), tensor<int, 2>{{7, 0}, {0, 8}, {0, 0}}));
    CHECK(array_equal(fill_diagonal(zeros<int>({2, 3}), tensor{7, 8}), tensor<int, 2>{{7, 0, 0}, {0, 8, 0}}));
    CHECK_THROWS_WITH_AS(fill_diagonal(zeros<int>({3, 2}), tensor{7, 8, 9}),
                         "[fill_diagonal] 3 values for a diagonal of 2", shape_error);
    const auto sums = [](auto numbers) { return segment_reduce<reduction::sum>(tensor{1.0, 2.0, 3.0}, numbers, 3); };
    CHECK_THROWS_WITH_AS(sums(tensor{0, -1, 1}),
                         "[segment_reduce] the number of a segment -1 does not lie between 0 and 2", index_error);
    CHECK(array_equal(sums(tensor{1, 2, 2} - 1), tensor{1.0, 5.0, 0.0}));
    CHECK_THROWS_WITH_AS(percentile(spread({4}), 101),
                         "[percentile] the percent must lie between 0 and 100: 101.000000", value_error);
}

TEST_CASE("interp: places and slopes that are infinite") {
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(interp(0.0, tensor{-inf, 1.0}, tensor{2.0, 3.0}).item() == 3);
    CHECK(array_equal(interp(tensor{-inf, 1.0}, tensor{-inf, 1.0}, tensor{2.0, 3.0}), tensor{2.0, 3.0}));
    CHECK(interp(inf, tensor{-1.0, inf}, tensor{2.0, 3.0}).item() == 3);
    CHECK(interp(0.0, tensor{0.0, 1.0}, tensor{-1e308, 1e308}).item() == -1e308);
    CHECK(interp(1e-320, tensor{0.0, 1e-320}, tensor{0.0, 1.0}).item() == 1);
    CHECK(grad([](auto a) { return interp(a, tensor{0.0, 1.0, 2.0}, tensor{0.0, 2.0, 3.0}); })(tensor<double, 0>(1))
              .item() == 1);
}

TEST_CASE("det: NaN below a pivot of 0") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(linalg::det(tensor{{0.0, 1.0}, {nan, 1.0}}).item()));
    auto a = eye(5);
    a(0, 0) = 0.0;
    a(1, 0) = nan;
    CHECK(std::isnan(linalg::det(a).item()));
}

TEST_CASE("multi_dot: integers are exact") {
    const std::int64_t large = 9007199254740993;
    const tensor<std::int64_t, 2> a{{large}}, one{{1}};
    CHECK(linalg::multi_dot(a, one, one).at(0, 0) == large);
}
