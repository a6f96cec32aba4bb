// What NumPy users write next to the documented form: lists of axes, numbers in an array's place, extents in a
// std::array, edges of bins, two variables. Values are NumPy's.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <array>
#include <sstream>

#include "../reference.hpp"

using namespace ricci;
using reference::values;

TEST_CASE("expand_dims: several axes, of the result") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK(expand_dims(x, {0, -1}).shape() == shape{1, 2, 3, 1});
    CHECK(expand_dims(x, {3, 1, 0}).shape() == shape{1, 1, 2, 1, 3});
    CHECK(values(expand_dims(x.T(), {0, 2})) == std::vector<double>{1, 4, 2, 5, 3, 6});
    CHECK_THROWS_AS(expand_dims(x, {0, 4}), index_error);
    CHECK_THROWS_AS(expand_dims(x, {0, -4}), index_error);
}

TEST_CASE("tile, repeat: numbers of times, without an axis") {
    const tensor<int, 2> x{{1, 2}, {3, 4}};
    CHECK(values(tile(x, 2)) == std::vector<int>{1, 2, 1, 2, 3, 4, 3, 4});
    CHECK(values(tile(ravel(x), {2})) == std::vector<int>{1, 2, 3, 4, 1, 2, 3, 4});
    CHECK(values(repeat(x, tensor{1, 0, 2, 1})) == std::vector<int>{1, 3, 3, 4});
    CHECK(tile(x, 0).shape() == shape{2, 0});
    CHECK_THROWS_AS(tile(x, -1), value_error);
}

TEST_CASE("searchsorted: of one number, in the common type") {
    const tensor<int, 1> sorted{1, 2, 2, 5};
    CHECK(searchsorted(sorted, 2).item() == 1);
    CHECK(searchsorted(sorted, 2, true).item() == 3);
    CHECK(searchsorted(sorted, 1.5).item() == 1);
    CHECK(searchsorted(sorted, 9).item() == 4);
}

TEST_CASE("histogram: between edges, and in a range") {
    const tensor<double, 1> v{-2, -0.5, 0, 0.5, 0.75, 2, 2.5, std::numeric_limits<double>::quiet_NaN()};
    const tensor<double, 1> edges{-1, -0.5, 0.5, 0.5, 2};
    const auto [counts, same] = histogram(v, edges);
    CHECK(values(counts) == std::vector<std::int64_t>{0, 2, 0, 3});
    CHECK(values(same) == values(edges));
    CHECK(values(std::get<0>(histogram(tensor<int, 2>{{0, 1}, {3, 2}}, tensor<double, 1>{0.5, 1, 3}))) ==
          std::vector<std::int64_t>{0, 3});
    CHECK(values(std::get<0>(histogram(v, 2, {-2.0, 2.0}))) == std::vector<std::int64_t>{2, 4});
    CHECK_THROWS_WITH_AS(histogram(v, v), "[histogram] the edges must ascend", value_error);
    CHECK_THROWS_AS(histogram(v, tensor<double, 1>{1}), value_error);
}

TEST_CASE("cov, corrcoef, average: of one variable, of two, over all elements") {
    const tensor<double, 1> a{1, 2, 4, 9}, b{2, 0, 1, -3};
    CHECK(cov(a).item() == doctest::Approx(38.0 / 3).epsilon(1e-14));
    CHECK(cov(a, 0.0).item() == doctest::Approx(9.5).epsilon(1e-14));
    CHECK(reference::values(cov(a, b)) == values(cov(stack({a, b}))));
    CHECK(values(corrcoef(a, b)) == values(corrcoef(stack({a, b}))));
    CHECK(average(a, tensor<double, 1>{1, 0, 0, 3}).item() == 7);
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    CHECK(average(x, tensor<double, 2>{{0, 1}, {1, 0}}).item() == 2.5);
    CHECK_THROWS_AS(average(x, x(all, slice(0, 1))), shape_error);
    const auto kept = average(x, tensor<double, 1>{1, 3}, 1, keepdims);
    CHECK(kept.shape() == shape{2, 1});
    CHECK(values(kept) == std::vector<double>{1.75, 3.75});
    CHECK(average(x, x, keepdims).shape() == shape{1, 1});
    CHECK(average(x, x, keepdims).item() == 3);
    CHECK(average(x).item() == 2.5);
    CHECK(values(average(x, 0)) == std::vector<double>{2, 3});
    CHECK(average(x, {0, 1}, keepdims).shape() == shape{1, 1});
    CHECK(cov(x(slice(0, 1))).shape() == shape{1, 1});
}

TEST_CASE("ravel_multi_index: of numbers") {
    CHECK(ravel_multi_index(std::tuple(1, 2), {3, 4}).item() == 6);
    CHECK(ravel_multi_index(std::tuple(0, 2u, 1L), shape{1, 3, 2}).item() == 5);
    CHECK_THROWS_WITH_AS(ravel_multi_index(std::tuple(3, 2), {3, 4}),
                         "[ravel_multi_index] an index 3 does not lie between 0 and 2", index_error);
}

TEST_CASE("extents in a std::array") {
    const std::array<int, 2> extents{2, 3};
    CHECK(zeros(extents).shape() == shape{2, 3});
    CHECK(ones<float>(std::array<index_t, 1>{4}).shape() == shape{4});
    CHECK(values(full(extents, 7)) == std::vector<int>(6, 7));
    CHECK(values(full<float>(extents, 7)) == std::vector<float>(6, 7));
    CHECK(empty<int>(std::array<std::size_t, 3>{1, 0, 2}).shape() == shape{1, 0, 2});
    CHECK(values(randn(extents, generator(3))) == values(randn({2, 3}, generator(3))));
    CHECK(values(rand(extents, generator(3))) == values(rand({2, 3}, generator(3))));
    const auto x = arange(6);
    CHECK(x.reshape(extents).shape() == shape{2, 3});
    CHECK(reshape(x, std::array<int, 2>{-1, 2}).shape() == shape{3, 2});
    CHECK(broadcast_to(x, std::array<int, 2>{2, 6}).shape() == shape{2, 6});
    CHECK_THROWS_AS(zeros(std::array<int, 2>{2, -3}), value_error);
}

TEST_CASE("variables of braces") {
    const variable<double, 1> w{1, 2, 3};
    CHECK(values(w.value()) == std::vector<double>{1, 2, 3});
    const variable<double, 2> m = {{1, 2}, {3, 4}};
    sum(m * m).backward();
    CHECK(values(m.grad()) == std::vector<double>{2, 4, 6, 8});
    const tensor<double, 1> x{5};
    const variable<double, 1> shared{x};
    CHECK(shared.value().data() == x.data());
}

TEST_CASE("slices and lists of arrays are written") {
    const auto text = [](const auto& x) {
        std::ostringstream out;
        out << x;
        return out.str();
    };
    CHECK(text(slice(1, none)) == "slice(1, none)");
    CHECK(text(slice(none, -1, 2)) == "slice(none, -1, 2)");
    CHECK(text(split(tensor<double, 1>{1, 2, 3, 4}, 2)) == "[[1. 2.], [3. 4.]]");
    CHECK(text(std::vector<tensor<int, 1>>{}) == "[]");
}

TEST_CASE("a number that an array's integers cannot hold is no value to select or write") {
    tensor<std::uint8_t, 1> u{1, 2, 255};
    CHECK_THROWS_AS(u({0, 1}) = -1, value_error);
    CHECK_THROWS_AS(u(u > 1) = 256, value_error);
    CHECK_THROWS_AS(static_cast<void>(index_put(u, std::tuple(0), 256)), value_error);
    CHECK_THROWS_AS(static_cast<void>(masked_fill(u, u > 1, 256)), value_error);
    CHECK_THROWS_AS(clip(u, 256, 300), value_error);
    CHECK_THROWS_AS(u(0) = 256.5, value_error);
    CHECK_THROWS_AS(u(0) = -1.0, value_error);
    CHECK_THROWS_AS(u(all) = std::numeric_limits<double>::quiet_NaN(), value_error);
    CHECK_THROWS_AS(full<int>({2}, 1e10), value_error);
    u(0) = 1.9;  // cut off, as NumPy's and C++'s
    u(2) = 255.9;
    CHECK(array_equal(u, tensor<std::uint8_t, 1>{1, 2, 255}));
    CHECK(tensor<std::int8_t, 1>(full<std::int8_t>({1}, -128.5)).at(0) == -128);
    u(1) = -0.5;
    CHECK(u.at(1) == 0);
    u(1) = 2;
    CHECK_THROWS_WITH_AS(full<std::uint8_t>({2}, 300), doctest::Contains("the number 300 is out of the range of uint8"),
                         value_error);
    CHECK_THROWS_AS(full<std::uint8_t>(2, -1), value_error);
    CHECK_THROWS_AS(full<std::uint8_t>(std::array<int, 1>{2}, 256), value_error);
    CHECK_THROWS_AS(full_like(u, 256), value_error);
    CHECK_THROWS_AS(pad(u, 1, 256), value_error);
    CHECK(values(full<std::uint8_t>({2}, tensor<int, 0>(255))) == std::vector<std::uint8_t>{255, 255});
    CHECK(values(full<int>({1}, 2.7)) == std::vector<int>{2});
    using z = std::complex<double>;
    CHECK(values(full<z>(shape{1}, {1, 2})) == std::vector<z>{{1, 2}});
    CHECK(values(u) == std::vector<std::uint8_t>{1, 2, 255});
    CHECK(values(clip(u, 2)) == std::vector<std::uint8_t>{2, 2, 255});
}

TEST_CASE("irfft2 and irfftn: back to a shape, as numpy.fft.irfft2(y, x.shape)") {
    const auto x = randn({3, 5, 7}, generator(1));
    CHECK(allclose(fft::irfft2(fft::rfft2(x), {5, 7}), x));
    CHECK(allclose(fft::irfft2(fft::rfft2(x(0)), x(0).shape()), x(0)));
    CHECK(allclose(fft::irfftn(fft::rfftn(x), x.shape()), x));
    CHECK(allclose(fft::irfftn(fft::rfftn(x, {.axes = {0, 2}}), {.s = shape{3, 7}, .axes = {0, 2}}), x));
}

TEST_CASE("cosine and sine transforms: type, n, axis and norm, as scipy.fft.dct(x, 2, 4, 0, norm)") {
    const auto x = randn({3, 5}, generator(1));
    CHECK(array_equal(fft::dct(x, 2, 4, 0, fft::ortho), fft::dct(x, 2, {.n = 4, .axis = 0, .norm = fft::ortho})));
    CHECK(array_equal(fft::idct(x, 3, 4), fft::idct(x, 3, {.n = 4})));
    CHECK(array_equal(fft::dct(x, {.n = 4, .norm = fft::ortho}), fft::dct(x, 2, 4, -1, fft::ortho)));
    CHECK(array_equal(fft::idst(x, {.axis = 0}), fft::idst(x, 2, {.axis = 0})));
    CHECK(array_equal(fft::dst(x, 1, 4, 0), fft::dst(x, 1, {.n = 4, .axis = 0})));
    CHECK(array_equal(fft::idst(x, 4, 6, -1), fft::idst(x, 4, {.n = 6})));
}

TEST_CASE("periodogram: with a window of the line's length") {
    const tensor<double, 1> x{1, 2, 3, 4, 0, 1, 5, 2};
    const auto w = signal::hann(8);
    // scipy.signal.periodogram(x, window=numpy.hanning(8)), (x, 2, window, detrend=False, scaling="spectrum")
    CHECK(allclose(
        std::get<1>(signal::periodogram(x, w)),
        tensor{0.03666497935772231, 3.6543342367580416, 12.056893055710638, 8.319623986468454, 1.5462174038608056}));
    CHECK(allclose(
        std::get<1>(signal::periodogram(x, w, {.rate = 2, .detrend = false, .power = true})),
        tensor{4.671483591991953, 3.2341040797534326, 2.5502819721410126, 1.7639057250313228, 0.3313323008273152}));
    CHECK_THROWS_WITH_AS(signal::periodogram(x, signal::hann(4)),
                         "[periodogram] the window must be as long as the lines: 4 != 8", shape_error);
}

TEST_CASE("clone: of an expression its value") {
    const tensor<double, 1> x{1, 2};
    auto y = (x + x).clone();
    y += 1;
    CHECK(values(y) == std::vector<double>{3, 5});
    CHECK(values(x.astype<int>().clone()) == std::vector<int>{1, 2});
}

TEST_CASE("one random number") {
    generator g(4), same(4);
    CHECK(random::uniform(g).item() == random::uniform({}, same).item());
    CHECK(random::normal<float>(g).item() == random::normal<float>({}, same).item());
    const double u = random::uniform();
    CHECK((0 <= u && u < 1));
    CHECK(std::isfinite(double(random::normal())));
    CHECK(random::integers(10, g).item() == random::integers(0, 10, same).item());
    const std::int64_t k = random::integers(10);
    CHECK((0 <= k && k < 10));
    static_assert(std::is_same_v<decltype(random::integers<int>(10)), tensor<int, 0>>);
}

TEST_CASE("a complex element of its parts, arrays of C") {
    tensor<std::complex<double>, 1> z{{1, 2}, {3, 4}};
    z(0) = {5.0, 6.0};
    z(1) = {7.0};
    CHECK(values(z) == std::vector<std::complex<double>>{{5, 6}, {7, 0}});
    const double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    CHECK(asarray(rows).shape() == shape{2, 3});
    CHECK(values(asarray(rows)) == std::vector<double>{1, 2, 3, 4, 5, 6});
    double line[2] = {1, 2};
    borrow(line)(0) = 7.0;
    CHECK(values(asarray(line)) == std::vector<double>{7, 2});
}
