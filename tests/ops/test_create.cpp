// Creation: arange, linspace and eye against NumPy, constants, random numbers by their seed.
#include <doctest/doctest.h>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/grid.hpp>
#include <ricci/ops/random_like.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/search.hpp>

#include <array>
#include <limits>
#include <vector>

#include "../golden/create.hpp"
#include "../reference.hpp"

using namespace ricci;
using reference::values;

TEST_CASE("create: arange of integers") {
    for (const auto& r : golden::ranges_int) {
        CAPTURE(r.start);
        CAPTURE(r.stop);
        CAPTURE(r.step);
        CHECK(values(arange<std::int64_t>(r.start, r.stop, r.step)) ==
              std::vector<std::int64_t>(r.values.begin(), r.values.end()));
        CHECK(values(arange<int>(static_cast<int>(r.start), static_cast<int>(r.stop), static_cast<int>(r.step))) ==
              std::vector<int>(r.values.begin(), r.values.end()));
    }
    CHECK(values(arange<int>(4)) == std::vector<int>{0, 1, 2, 3});
    CHECK(arange<int>(-3).size() == 0);
    const auto wrapped = arange<std::int16_t>(100000);  // as numpy.arange(100000, dtype="i2")
    CHECK(wrapped.size() == 100000);
    CHECK(wrapped.data()[99999] == -31073);
    CHECK(values(arange<std::uint8_t>(300, 254, -20)) == std::vector<std::uint8_t>{44, 24, 4});
    CHECK(arange<std::uint8_t>(-3).size() == 0);
    CHECK(values(arange<std::uint8_t>(250, 255)) == std::vector<std::uint8_t>{250, 251, 252, 253, 254});
    constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    CHECK(values(arange<std::int64_t>(least, most, std::int64_t(1) << 62)) ==
          std::vector<std::int64_t>{least, least / 2, 0, -(least / 2)});
    CHECK(values(arange<std::int64_t>(most, least, least)) == std::vector<std::int64_t>{most, -1});
}

TEST_CASE("create: arange of floats") {
    for (const auto& r : golden::ranges_float) {
        CAPTURE(r.start);
        CAPTURE(r.stop);
        CAPTURE(r.step);
        const auto x = arange<double>(r.start, r.stop, r.step);
        REQUIRE(x.size() == static_cast<index_t>(r.values.size()));
        const double tolerance = 4e-16 * std::max(std::abs(r.start), std::abs(r.stop));
        for (index_t i = 0; i < x.size(); ++i)
            CHECK(std::abs(x.at(i) - r.values[static_cast<std::size_t>(i)]) <= tolerance);
    }
    CHECK(values(arange<float>(3)) == std::vector<float>{0, 1, 2});
    CHECK(values(arange<double>(0, 1)) == std::vector<double>{0});
    CHECK(values(arange<float>(0, 1, 0.25f)) == std::vector<float>{0, 0.25f, 0.5f, 0.75f});
}

TEST_CASE("create: linspace") {
    for (const auto& s : golden::spaces) {
        CAPTURE(s.start);
        CAPTURE(s.stop);
        CAPTURE(s.n);
        const auto x = linspace(s.start, s.stop, s.n);
        REQUIRE(x.size() == s.n);
        for (index_t i = 0; i < x.size(); ++i)
            CHECK(std::abs(x.at(i) - s.values[static_cast<std::size_t>(i)]) <=
                  3e-16 * std::max(std::abs(s.start), std::abs(s.stop)));
        if (s.n > 1) CHECK(x.at(-1) == s.stop);
    }
    for (const index_t n : {3, 11, 101}) CHECK(linspace(-1, 1, n).at(n / 2) == 0);  // no product is kept unrounded
    CHECK(values(linspace<float>(0, 1, 3)) == std::vector<float>{0, 0.5f, 1});
    CHECK(values(linspace(1, 0, 4, false)) == std::vector<double>{1, 0.75, 0.5, 0.25});
    CHECK(values(linspace(0, 1)) == values(linspace(0, 1, 50)));
    CHECK(values(linspace(3, 4, 1, false)) == std::vector<double>{3});
    CHECK(linspace(3, 4, 0, false).size() == 0);
    CHECK(values(linspace(0, 7, 11, true)) == values(linspace(0, 7, 11)));
    CHECK(linspace<std::complex<double>>({0, 1}, {1, 0}, 3).at(1) == std::complex<double>(0.5, 0.5));
}

TEST_CASE("create: eye") {
    for (const auto& e : golden::eyes) {
        CAPTURE(e.rows);
        CAPTURE(e.columns);
        CAPTURE(e.k);
        const auto x = eye<int>(e.rows, e.columns, e.k);
        CHECK(x.shape() == shape{e.rows, e.columns});
        CHECK(values(x) == e.values);
    }
    CHECK(values(eye<bool>(2)) == std::vector<bool>{true, false, false, true});
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK(sum(eye<float>(3, 4, most)).item() == 0);
    CHECK(sum(eye<float>(3, 4, -most - 1)).item() == 0);
}

TEST_CASE("create: constants of every element type and rank") {
    CHECK(values(zeros<float>({2, 2})) == std::vector<float>{0, 0, 0, 0});
    CHECK(values(ones<std::complex<double>>({1})) == std::vector<std::complex<double>>{1});
    CHECK(values(full<bool>({3}, true)) == std::vector<bool>{true, true, true});
    CHECK(values(full<int>(shape{2, 1}, 7)) == std::vector<int>{7, 7});
    CHECK(full<double>(shape<0>{}, 2.5).item() == 2.5);
    CHECK(zeros<double>({3, 0, 2}).shape() == shape{3, 0, 2});
    const std::size_t n = 2;
    CHECK(empty<std::uint8_t>({n, 3}).shape() == shape{2, 3});
    const auto large = full<float>({300, 1000}, -1.5f);
    CHECK(min(large).item() == -1.5f);
    CHECK(max(large).item() == -1.5f);
    CHECK(zeros<float>(large.shape()).size() == 300000);
}

TEST_CASE("create: random numbers are a function of the seed") {
    const auto a = rand<double>({1000}, generator(42)), b = rand<double>({1000}, generator(42)),
               c = rand<double>({1000}, generator(43));
    CHECK(values(rand<double>(a.shape(), generator(42))) == values(a));
    CHECK(values(a) == values(b));
    CHECK(values(a) != values(c));
    CHECK(min(a).item() >= 0);
    CHECK(max(a).item() < 1);
    CHECK(mean(a).item() == doctest::Approx(0.5).epsilon(0.05));
    generator g(7);
    const auto first = randn<float>({501, 3}, g), second = randn<float>({501, 3}, g);
    CHECK(values(first) != values(second));
    CHECK(std::abs(mean(first).item()) < 0.1);
    CHECK(stddev(first).item() == doctest::Approx(1).epsilon(0.1));
    const auto one_thread = num_threads();
    set_num_threads(1);
    const auto serial = randn<double>({100000}, generator(1));
    set_num_threads(4);
    CHECK(values(randn<double>({100000}, generator(1))) == values(serial));
    set_num_threads(one_thread);
    CHECK(rand<float>({0, 4}).size() == 0);
    CHECK(rand<float>(shape<0>{}).size() == 1);
}

TEST_CASE("create: one random number") {
    generator a(3), b(3);
    const double uniform = rand(a), normal = randn(a);
    CHECK(uniform == rand({}, b).item());
    CHECK(normal == randn({}, b).item());
    const float other = rand<float32>(generator(3));
    CHECK(other == rand<float>({}, generator(3)).item());
    CHECK(ricci::rand().item() != ricci::rand().item());
}

TEST_CASE("create: complex random numbers are of two real ones, normal ones of variance 1") {
    using z = std::complex<double>;
    const auto parts = randn({1000, 2}, generator(3));
    const auto x = randn<z>({1000}, generator(3));
    const double half = 0.70710678118654752440;
    CHECK(array_equal(x, complex(parts(all, 0) * half, parts(all, 1) * half)));
    CHECK(array_equal(x, randn_like(x, generator(3))));
    CHECK(array_equal(real(rand<z>({1000}, generator(3))), rand({1000, 2}, generator(3))(all, 0)));
    CHECK(randn<std::complex<float>>({2, 0}).size() == 0);
}

TEST_CASE("create: braces without extents are rank 0, double unless said, extents taken apart") {
    CHECK(zeros<float>({}).item() == 0);
    CHECK(ones({}).item() == 1);
    CHECK(full<int>({}, 7).item() == 7);
    CHECK(empty({}).size() == 1);
    CHECK(rand({}, generator(3)).item() == rand({1}, generator(3))(0).item());
    CHECK(randn<float>({}, generator(3)).item() == randn<float>({1}, generator(3))(0).item());
    static_assert(std::is_same_v<decltype(zeros({2, 3})), tensor<double, 2>>);
    const auto [rows, columns] = zeros({2, 3}).shape();
    static_assert(std::is_same_v<decltype(rows), const index_t>);
    CHECK(rows == 2);
    CHECK(columns == 3);
    CHECK(ones({columns, rows + 1}).shape() == shape{3, 3});
}

TEST_CASE("create: types that the arguments say") {
    static_assert(std::is_same_v<decltype(arange(3)), tensor<int, 1>>);
    static_assert(std::is_same_v<decltype(arange(0, 1, 0.25)), tensor<double, 1>>);
    static_assert(std::is_same_v<decltype(arange(0.5f, 3)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(arange<double>(0, 3)), tensor<double, 1>>);
    static_assert(std::is_same_v<decltype(linspace(0.0F, 1.0F, 3)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(linspace(0.0F, 1.0F, 3, false)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(linspace(0, 1)), tensor<double, 1>>);
    static_assert(std::is_same_v<decltype(linspace(0.0F, 1.0, 3)), tensor<double, 1>>);
    static_assert(std::is_same_v<decltype(linspace<double>(0.0F, 1.0F, 3)), tensor<double, 1>>);
    CHECK(values(linspace(0.0F, 1.0F, 3)) == std::vector<float>{0, 0.5F, 1});
    static_assert(std::is_same_v<decltype(full({2, 3}, 1)), tensor<int, 2>>);
    static_assert(std::is_same_v<decltype(full<float>({2, 3}, 1)), tensor<float, 2>>);
    CHECK(full({}, 7.5).item() == 7.5);
    CHECK(values(arange(3)) == std::vector<int>{0, 1, 2});
    CHECK(values(arange(5, 2, -1)) == std::vector<int>{5, 4, 3});
    CHECK(values(arange(0, 1, 0.25)) == std::vector<double>{0, 0.25, 0.5, 0.75});
    CHECK(values(full({2, 2}, 1.5)) == std::vector<double>{1.5, 1.5, 1.5, 1.5});
    CHECK(values(full(3, 1.5)) == std::vector<double>{1.5, 1.5, 1.5});
    static_assert(std::is_same_v<decltype(full(3, 1)), tensor<int, 1>>);
    static_assert(std::is_same_v<decltype(full<float>(index_t(3), 1)), tensor<float, 1>>);
    CHECK_THROWS_AS(full(-1, 0.5), value_error);
    CHECK_THROWS_WITH_AS(full<int>({2}, 1e300), doctest::Contains("the number 1e+300 is out of"), value_error);
    CHECK_THROWS_WITH_AS(full<int>({2}, 3000000000.5), doctest::Contains("number 3000000000.5 is"), value_error);
    CHECK_THROWS_WITH_AS(full<int>({2}, ~std::uint64_t(0)), doctest::Contains("18446744073709551615"), value_error);
    CHECK(values(full(shape<1>{2}, true)) == std::vector<bool>{true, true});
    auto filled = full({2, 2}, max(tensor{1.5, 0.5}));  // an array without axes
    filled(0, 0) = 0.0;
    CHECK(values(filled) == std::vector<double>{0, 1.5, 1.5, 1.5});
    CHECK(values(full(2, sum(tensor{1, 2}) * 2)) == std::vector<std::int64_t>{6, 6});
    CHECK_THROWS_AS(full(-1, sum(tensor{1, 2})), value_error);
    CHECK_THROWS_WITH_AS(arange(0, 3, 0), "[arange] the step must not be zero", value_error);
}

TEST_CASE("shapes: compared with shapes of other ranks, with vectors and arrays") {
    const auto x = zeros({2, 3});
    CHECK(x.shape() == std::vector{2, 3});
    CHECK(std::array<index_t, 2>{2, 3} == x.shape());
    CHECK(x.shape() != std::vector{3, 2});
    CHECK(x.shape() != std::vector{2, 3, 1});
    CHECK(x.shape() != std::vector<std::size_t>{2});
    CHECK(x.shape() != zeros({2, 3, 1}).shape());
    static_assert(shape<1>{2} != shape<2>{2, 1});
}

TEST_CASE("tensors: no vector converts to one") {
    static_assert(!std::is_convertible_v<std::vector<double>, tensor<double, 1>>);
    static_assert(!std::is_constructible_v<tensor<double, 1>, std::vector<double>>);
    static_assert(std::is_convertible_v<tensor<float, 1>, tensor<double, 1>>);
}

TEST_CASE("create: extents without braces, as torch.zeros(3, 4)") {
    CHECK(zeros(3, 4).shape() == shape{3, 4});
    CHECK(values(ones<int>(2)) == std::vector<int>{1, 1});
    CHECK(empty<float>(2, 0).size() == 0);
    CHECK(rand<float>(2, 3).shape() == shape{2, 3});
    CHECK(randn(5).size() == 5);
    CHECK(arange(6).reshape(2, 3).shape() == shape{2, 3});
    CHECK(reshape(arange(6), -1, 2).shape() == shape{3, 2});
    CHECK_THROWS_AS(zeros(-1), value_error);
    CHECK_THROWS_AS(arange(6).reshape(4, 2), shape_error);
}
TEST_CASE("create: extents and bounds that are results of rank 0") {
    const tensor<int, 1> k{1, 4, 2};
    CHECK(zeros(max(k) + 1).shape() == shape<1>{5});
    CHECK(zeros({max(k) + 1, 3}).shape() == shape<2>{5, 3});
    CHECK(zeros<int>(k(2), k(1)).shape() == shape<2>{2, 4});
    CHECK(ones<float>(max(k)).shape() == shape<1>{4});
    CHECK(empty({max(k), k(0)}).shape() == shape<2>{4, 1});
    CHECK(full({k(0), 2}, 7.0).shape() == shape<2>{1, 2});
    CHECK(all(full(max(k), 2.5) == tensor<double, 1>{2.5, 2.5, 2.5, 2.5}));
    CHECK(all(full(max(k), k(0)) == tensor<int, 1>{1, 1, 1, 1}));
    CHECK(arange(8).reshape(k(2), 4).shape() == shape<2>{2, 4});
    CHECK(reshape(arange(8), {max(k), 2}).shape() == shape<2>{4, 2});
    CHECK_THROWS_AS(zeros(min(k) - 2), value_error);

    static_assert(std::is_same_v<decltype(arange(max(k)))::value_type, int>);
    CHECK(all(arange(max(k)) == tensor<int, 1>{0, 1, 2, 3}));
    CHECK(all(arange(1, max(k)) == tensor<int, 1>{1, 2, 3}));
    CHECK(all(arange(k(0), k(1) + 3, k(2)) == tensor<int, 1>{1, 3, 5}));
    CHECK(all(arange(0.5, max(k)) == tensor<double, 1>{0.5, 1.5, 2.5, 3.5}));
    CHECK(all(arange(0, tensor<double, 0>(1), 0.25) == tensor<double, 1>{0, 0.25, 0.5, 0.75}));
    const tensor<std::uint64_t, 0> n = 3;
    CHECK(all(arange(n - 1, -1, -1) == tensor<std::int64_t, 1>{2, 1, 0}));
}
