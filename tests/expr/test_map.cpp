// Lazy maps: broadcasting, mixed types, many leaves, deep expressions, the user's functions.
#include <doctest/doctest.h>

#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::make;
using reference::values;

namespace {

double small(index_t i) { return static_cast<double>((i * 7919 + 13) % 101) - 50; }
double other(index_t i) { return static_cast<double>((i * 104729 + 5) % 31) - 15; }

}  // namespace

TEST_CASE("map: broadcasting") {
    const auto column = make<double>(layout::contiguous, shape{37, 1}, small);
    const auto row = make<double>(layout::reversed, shape{1, 45}, other);
    const auto vector = make<double>(layout::strided, shape{45}, small);
    const auto cube = make<double>(layout::permuted, shape{3, 37, 45}, other);
    const tensor<double, 0> s = 0.5;
    const tensor<double, 3> y = (cube + column) * row - vector * s;
    CHECK(y.shape() == shape{3, 37, 45});
    bool right = true;
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 37; ++j)
            for (index_t k = 0; k < 45; ++k)
                right = right && y.at(i, j, k) == (cube.at(i, j, k) + column.at(j, 0)) * row.at(0, k) - vector.at(k) * 0.5;
    CHECK(right);
    CHECK((column + row).shape() == shape{37, 45});
    CHECK((zeros<double>({1, 0}) + zeros<double>({4, 1})).shape() == shape{4, 0});
    CHECK(values(tensor<double, 2>{{1}, {2}} + tensor<double, 1>{10, 20}) == std::vector<double>{11, 21, 12, 22});
    CHECK((s + s).item() == 1);
    CHECK(evaluate(expand(s, {2, 0, 3}) + 1).size() == 0);
}

TEST_CASE("map: mixed element types in one expression") {
    const tensor<float, 1> f{0.5f, -1.5f, 2.5f};
    const tensor<int, 1> i{1, 2, 3};
    const tensor<bool, 1> b{true, false, true};
    const tensor<std::complex<double>, 1> z{{0, 1}, {1, 0}, {1, 1}};
    CHECK(values(f * i) == std::vector<double>{0.5, -3, 7.5});
    CHECK(values(f * b + i) == std::vector<double>{1.5, 2, 5.5});
    CHECK(values(where(b, f, i)) == std::vector<double>{0.5, 2, 2.5});
    CHECK(values(i + b) == std::vector<int>{2, 2, 4});
    CHECK(values(z * f) == std::vector<std::complex<double>>{{0, 0.5}, {-1.5, 0}, {2.5, 2.5}});
    CHECK(values(abs(z * 2)) == std::vector<double>{2, 2, 2 * std::sqrt(2.0)});
    CHECK(values(astype<int>(f) + i) == std::vector<int>{1, 1, 5});
    CHECK(values(astype<float>(i) / 2) == std::vector<float>{0.5f, 1, 1.5f});
    CHECK(values(astype<bool>(f - 0.5f)) == std::vector<bool>{false, true, true});
}

TEST_CASE("map: more leaves than there are registers") {
    std::vector<tensor<float, 1>> x;
    for (int i = 0; i < 20; ++i) x.push_back(make<float>(layout::contiguous, shape{77}, [i](index_t k) { return small(k + i); }));
    const tensor<float, 1> y = x[0] * x[1] + x[2] * x[3] + x[4] * x[5] + x[6] * x[7] + x[8] * x[9] + x[10] * x[11] +
                               x[12] * x[13] + x[14] * x[15] + x[16] * x[17] + x[18] * x[19];
    bool right = true;
    for (index_t k = 0; k < 77; ++k) {
        float sum = 0;
        for (std::size_t i = 0; i < 20; i += 2) sum += x[i].at(k) * x[i + 1].at(k);
        right = right && y.at(k) == sum;
    }
    CHECK(right);
}

TEST_CASE("map: an expression that uses itself twice, nested ten deep") {
    const tensor<double, 1> x{0.25, -0.5, 0.125};
    auto step = [](const auto& h) { return h * h + h; };
    const auto once = step(step(step(step(step(x)))));
    const auto y = evaluate(step(step(step(step(step(once))))));
    for (index_t i = 0; i < 3; ++i) {
        double h = x.at(i);
        for (int k = 0; k < 10; ++k) h = h * h + h;
        CHECK(y.at(i) == doctest::Approx(h).epsilon(1e-14));
    }
}

TEST_CASE("map: the user's function, with loops, several arguments, mixed types, captured numbers") {
    const auto x = make<float>(layout::contiguous, shape{5, 33}, [](index_t i) { return 0.01 * static_cast<double>(i); });
    const auto column = make<float>(layout::contiguous, shape{5, 1}, [](index_t i) { return 1 + static_cast<double>(i); });
    auto horner = [c = 0.5f](auto a, auto b) {
        auto y = b;
        for (int k = 0; k < 4; ++k) y = y * a + c;
        return y;
    };
    const tensor<float, 2> y = map(horner, x, column);
    bool right = true;
    for (index_t i = 0; i < 5; ++i)
        for (index_t j = 0; j < 33; ++j)
            right = right && std::abs(y.at(i, j) - horner(x.at(i, j), column.at(i, 0))) <= 4e-6f * std::abs(y.at(i, j));
    CHECK(right);
    const tensor<int, 1> n{1, 2, 3};
    CHECK(values(map([](auto a, auto b) { return a * b + sin(a * 0); }, n, 2.5)) == std::vector<double>{2.5, 5, 7.5});
    CHECK(values(map([](auto a) { return a > 1 && a < 3; }, n)) == std::vector<bool>{false, true, false});
    CHECK(values(map([](auto a, auto b) { return where(a > b, a, b) + 1; }, n, 2)) == std::vector<int>{3, 3, 4});
    CHECK(sum(map([](auto a) { return a * a; }, n)).item() == 14);
    CHECK(map([](auto a) { return -a; }, tensor<double, 0>(3)).item() == -3);
}

TEST_CASE("map: a lazy map has shape and size, and gives its element") {
    const tensor<double, 2> a{{1, 2, 3}, {4, 5, 6}};
    const auto e = a + 1;
    CHECK(e.shape() == shape{2, 3});
    CHECK(e.shape(-1) == 3);
    CHECK(e.size() == 6);
    CHECK(e.ndim() == 2);
    CHECK((a(0, 0) + 1).item() == 2);
    CHECK_THROWS_AS((void)e.item(), shape_error);
    const double x = a(1, 2) * 2;
    CHECK(x == 12);
}
