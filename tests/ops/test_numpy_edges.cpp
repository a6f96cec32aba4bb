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
TEST_CASE("edges: counts of shifts are numbers that the integers hold, masks are bits") {
    const bytes x{1, 2, 255};
    CHECK(array_equal(x & -2, bytes{0, 2, 254}));
    CHECK(array_equal(x << 3, bytes{8, 16, 248}));
    CHECK_THROWS_AS(evaluate(x << -7), value_error);  // NumPy: OverflowError
    CHECK_THROWS_AS(evaluate(x >> 300), value_error);
    CHECK_THROWS_AS(evaluate(-1 >> x), value_error);
}
TEST_CASE("edges: histograms by name, as tuples, and by bindings") {
    const tensor<double, 1> x{0, 1, 1, 4};
    const auto h = histogram(x, 4);
    CHECK(array_equal(h.counts, tensor<std::int64_t, 1>{1, 2, 0, 1}));
    CHECK(array_equal(std::get<1>(h), h.edges));
    const auto [counts, x_edges, y_edges] = histogram2d(x, x, 2);
    CHECK(array_equal(counts, histogram2d(x, x, 2).counts));
    CHECK(array_equal(histogramdd(ricci::tuple(x), 4).edges[0], h.edges));
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
    // values of x's rank: NumPy moves their axis 0 to the axis
    const tensor<int, 2> a{{1, 2}, {3, 4}, {5, 6}}, column{{9}, {8}, {7}}, row{{7, 8, 9}};
    CHECK(array_equal(insert(a, 1, column, 1), tensor<int, 2>{{1, 9, 8, 7, 2}, {3, 9, 8, 7, 4}, {5, 9, 8, 7, 6}}));
    CHECK(array_equal(insert(a, 1, row, 1), tensor<int, 2>{{1, 7, 2}, {3, 8, 4}, {5, 9, 6}}));
    CHECK(array_equal(insert(a, -1, row.T(), 0), tensor<int, 2>{{1, 2}, {3, 4}, {7, 7}, {8, 8}, {9, 9}, {5, 6}}));
    const auto deep = insert(reshape(arange(8), {2, 2, 2}), 0, tensor<int, 3>{{{1, 2}}, {{3, 4}}}, 2);
    CHECK(array_equal(deep, reshape(tensor{1, 3, 0, 1, 2, 4, 2, 3, 1, 3, 4, 5, 2, 4, 6, 7}, {2, 2, 4})));
    CHECK_THROWS_AS(insert(a, 1, a(all, slice(0, 2)).T(), 0), shape_error);
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
                         "[percentile] the percent must lie between 0 and 100: 101", value_error);
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
TEST_CASE("where: the type of two numbers does not depend on their order") {
    const tensor<bool, 1> m{true, false};
    constexpr std::int64_t large = 5000000000;
    CHECK(array_equal(where(m, 0, large), tensor<std::int64_t, 1>{0, large}));
    CHECK(array_equal(where(m, large, 0), tensor<std::int64_t, 1>{large, 0}));
    CHECK(evaluate(where(m, 0.0F, 1e-60)).at(1) == 1e-60);
    CHECK(evaluate(where(m, 1e-60, 0.0F)).at(0) == 1e-60);
    CHECK(array_equal(where(m, 1U, -1), tensor<std::int64_t, 1>{1, -1}));
    CHECK(array_equal(where(m, std::uint64_t(7), -1), tensor<std::int64_t, 1>{7, -1}));
    static_assert(std::is_same_v<result_type_t<decltype(where(m, 1, 0.5F))>, float>);
    static_assert(std::is_same_v<result_type_t<decltype(where(m, 0.5F, 1))>, float>);
    static_assert(std::is_same_v<result_type_t<decltype(where(m, true, 2))>, int>);
    static_assert(std::is_same_v<result_type_t<decltype(where(m, 1, 0))>, int>);
}
TEST_CASE("insert: values are broadcast to a row without its axis") {
    const auto y = insert(zeros({2, 3, 4}), 1, tensor<double, 1>{0, 1, 2}, 2);
    REQUIRE(y.shape() == shape{2, 3, 5});
    for (index_t i = 0; i < 2; ++i)
        for (index_t k = 0; k < 5; ++k) CHECK(array_equal(y(i, all, k), k == 1 ? tensor{0.0, 1.0, 2.0} : zeros({3})));
    CHECK(array_equal(insert(tensor{1.0, 2.0}, 1, tensor<double, 0>(5), 0), tensor{1.0, 5.0, 2.0}));
}
TEST_CASE("sizes that overflow are refused before anything is written") {
    constexpr index_t large = index_t(1) << 62;
    const auto e = evaluate(expand(zeros({1}), {large}));
    CHECK_THROWS_WITH_AS(concat(std::vector{e, e, e, e}), "[concat] the arrays' extents of axis 0 overflow",
                         value_error);
    CHECK_THROWS_WITH_AS(repeat(ones({4}), tensor<std::int64_t, 1>{large}, 0),
                         "[repeat] the repetitions of axis 0 of shape (4,) overflow", value_error);
    CHECK_THROWS_WITH_AS(as_strided(ones({3}), {index_t(1) << 32, index_t(1) << 32}, {0, 0}),
                         "[as_strided] the size of shape (4294967296, 4294967296) overflows", value_error);
}
TEST_CASE("unfold: adjoints of 16-bit floats are added in float") {
    const auto g = grad([](auto a) { return sum(unfold(a, 0, 512)); })(ones<bfloat16>({1024}));
    CHECK(static_cast<float>(g.at(511)) == 512);
}
TEST_CASE("vmap: bit operators in place, lists of lists of positions") {
    const tensor<double, 2> x{{2, 0, 3}, {-3, 1, 3}};
    const auto far = vmap([](auto r) {
        auto hit = evaluate(r > 2.0);
        hit |= r < -2.0;
        hit ^= true;
        return hit;
    });
    CHECK(array_equal(far(x), abs(x) <= 2.0));
    const auto set = vmap([](auto r) {
        auto y = evaluate(1.0 * r);
        y({{0, 1}, {1, 0}}) = 7.0;
        return y;
    });
    CHECK(array_equal(set(x), tensor<double, 2>{{7, 7, 3}, {7, 7, 3}}));
}
TEST_CASE("functions of arrays and numbers: abs of a number is no integer's; isclose beside a number") {
    const auto f = [](auto x) { return abs(x) + 0.5; };
    CHECK(f(-2.25) == 2.75);
    CHECK(array_equal(f(tensor{-2.25}), tensor{2.75}));
    CHECK(allclose(tensor{0.25, 0.25}, 0.25));
    CHECK_FALSE(allclose(tensor{0.25F, 0.5F}, 0.25));
    CHECK(array_equal(ricci::isclose(0.25, tensor{0.25, 1.0}), tensor{true, false}));
}
TEST_CASE("cumulative_prod: derivatives of 16-bit floats are sums in float") {
    const auto f = [](auto v) { return sum(cumulative_prod(v, 0)); };
    const auto x = ones<bfloat16>({512});
    CHECK(static_cast<float>(grad(f)(x).at(0)) == 512);
    CHECK(static_cast<float>(grad(f)(x).at(511)) == 1);
}
TEST_CASE("averages of ones are 1, of any number of them") {
    for (const index_t n : {7, 41, 47, 55}) {
        CHECK(array_equal(avg_pool1d(ones<float>({2, n}), n), ones<float>({2, 1})));
        CHECK(array_equal(adaptive_avg_pool1d(ones<float>({2, n + 1}), 3), ones<float>({2, 3})));
    }
    CHECK(array_equal(avg_pool2d(ones({1, 1, 7, 7}), 7), ones({1, 1, 1, 1})));
}
TEST_CASE("grid_sample: clamped places do not meet what is infinite with a weight of 0") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const tensor<double, 4> x{{{{1, infinity}}}};
    CHECK(grid_sample(x, tensor<double, 4>{{{{1.0, 0.0}}}}, {.padding = pad_mode::replicate}).item() == infinity);
}
TEST_CASE("random: extents of another array, weights beside a number, histograms with weights alone") {
    const auto k = random::integers(10, shape{3, 4}, generator(1));
    CHECK(k.shape() == shape{3, 4});
    CHECK(array_equal(k, random::integers(0, 10, {3, 4}, generator(1))));
    CHECK(array_equal(random::choice(4, {5}, tensor{0.0, 0.0, 2.0, 0.0}), full<std::int64_t>({5}, 2)));
    CHECK_THROWS_AS(random::choice(3, {5}, tensor{1.0, 1.0}), shape_error);
    const tensor<double, 1> u{0, 0.5, 1}, v{0, 1, 1}, w{1, 2, 3};
    const tensor<double, 2> counts{{1, 0}, {0, 5}};
    CHECK(array_equal(std::get<0>(histogram2d(u, v, 2, 2, w)), counts));
    CHECK(array_equal(std::get<0>(histogramdd(ricci::tuple(u, v), {2, 2}, w)), counts));
    CHECK(array_equal(std::get<0>(histogramdd(ricci::tuple(u, v), 2, w)), counts));
}
TEST_CASE("isin: complex numbers; cdist: points without coordinates; max: many ties in 16 bits") {
    using complex128 = std::complex<double>;
    CHECK(array_equal(isin(tensor<complex128, 1>{{1, 2}, {3, 4}}, tensor<complex128, 1>{{3, 4}}), tensor{false, true}));
    CHECK(array_equal(cdist(zeros({2, 0}), zeros({3, 0}), std::numeric_limits<double>::infinity()), zeros({2, 3})));
    const tensor<double, 2> points{{0, 1, 2}, {0, 1, 3}, {5, 6, 7}};  // torch.cdist(p=0) counts what is unequal
    CHECK(array_equal(cdist(points, points, 0), tensor{{0.0, 1, 3}, {1.0, 0, 3}, {3.0, 3, 0}}));
    CHECK(array_equal(pdist(points, 0), tensor{1.0, 3, 3}));
    const auto share = grad([](auto a) { return max(a); })(zeros<float16>({70000}));
    CHECK(static_cast<float>(share.at(5)) == static_cast<float>(float16(1.0F / 70000)));
}
TEST_CASE("random: distributions of 16-bit floats are those of float, rounded once, and uniform below its end") {
    const auto x = random::uniform<bfloat16>(1.0, 2.0, {20000}, generator(1));
    CHECK(all(x < 2).item());
    CHECK(all(x >= 1).item());
    CHECK(array_equal(random::exponential<float16>({9}, generator(2)),
                      astype<float16>(random::exponential<float>({9}, generator(2)))));
    CHECK(array_equal(random::gamma<float16>(2.0, {9}, generator(2)),
                      astype<float16>(random::gamma<float>(2.0, {9}, generator(2)))));
}
TEST_CASE("a part of a map is computed, and nothing else") {
    const auto far = ones({300, 1000});
    reset_peak_statistics();
    const auto before = allocator_statistics().peak_bytes_in_use;
    CHECK((far + far)(3, 4).item() == 2);
    CHECK(array_equal((far * 3.0)(all, 7), full({300}, 3.0)));
    CHECK(allocator_statistics().peak_bytes_in_use - before < 100000);
    const auto x = evaluate(arange(12.0).reshape(3, 4));
    const tensor<double, 1> row{1, 2, 3, 4}, column = x(all, 1);
    const auto z = x * row + column(all, newaxis);
    const auto y = evaluate(z);
    CHECK(array_equal(z(slice(none, none, -1), slice(1, 3)), y(slice(none, none, -1), slice(1, 3))));
    CHECK(array_equal(z(newaxis, 1, ellipsis), y(newaxis, 1, ellipsis)));
    CHECK(z(slice(2, 2)).shape() == shape{0, 4});
    CHECK(array_equal((z > 5)(2), y(2) > 5));
    CHECK_THROWS_AS(z(3), index_error);
    const auto both = [](auto v) { return (v * v + 1)(1) * (v + v)(0); };
    CHECK(array_equal(grad(both)(row), tensor{10.0, 8.0, 0.0, 0.0}));
}
