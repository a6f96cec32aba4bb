// The Thrust backend's reductions against the CPU: every choice of axes, layouts, sizes that are shared out, special
// values.
#include "agree.hpp"

namespace {

/// Sum, maximum and the rest of a map of x over some axes.
template <class X, class... Axes>
void agree_over(const X& x, const Axes&... axes) {
    agree([&](auto a) { return rc::sum(a * a - 1, axes...); }, x);
    agree([&](auto a) { return rc::sum(a, axes..., rc::keepdims); }, x);
    agree([&](auto a) { return rc::max(a + a, axes...); }, x);
    agree([&](auto a) { return rc::min(a, axes..., rc::keepdims); }, x);
    agree([&](auto a) { return rc::prod(a * 0.5, axes...); }, x);
    agree([&](auto a) { return rc::mean(a, axes...); }, x);
}

template <class X>
void agree_over_all_axes(const X& x) {
    agree_over(x);
    for (int i = 0; i < 3; ++i) agree_over(x, i);
    for (int i = 0; i < 3; ++i) {
        const int two[] = {i, (i + 1) % 3};
        agree_over(x, two);
    }
}

}  // namespace

TEST_CASE_TEMPLATE("cuda: reductions over every choice of axes", T, float, double) {
    agree_over_all_axes(random_tensor<T>({3, 4, 5}));
    agree_over_all_axes(rc::permute(random_tensor<T>({4, 1, 6}), {2, 0, 1}));
    agree_over_all_axes(
        random_tensor<T>({6, 8, 10})(rc::slice(rc::none, rc::none, -2), rc::slice(1, 4), rc::slice(0, 9, 3)));
}

TEST_CASE("cuda: reductions of integers, bools and broadcast maps") {
    const auto i = random_tensor<int>({5, 6, 7});
    const auto j = random_tensor<int>({6, 1}, 2);
    agree([](auto a) { return rc::sum(a, 1); }, i);
    agree([](auto a) { return rc::prod(a(0), 0); }, i);
    agree([](auto a, auto b) { return rc::sum(a > b, {0, 2}); }, i, j);
    agree([](auto a, auto b) { return rc::max(a * b, 2); }, i, j);
    agree([](auto a) { return rc::max(a > 0, 1); }, i);
    agree([](auto a, auto b) { return rc::var(a / 3.0 + b, 0); }, i, j);
    agree([](auto a) { return rc::stddev(a, rc::keepdims, 1); }, i);
    agree([](auto a) { return (a - rc::mean(a, 0)) / rc::stddev(a, 0); }, random_tensor({50, 3}));
    CHECK(rc::allclose(i.to(rc::cuda), i.to(rc::cuda) + 1e-12));
    CHECK_FALSE(rc::allclose(i.to(rc::cuda), i.to(rc::cuda) + 1));
}

TEST_CASE("cuda: reductions of nothing") {
    agree([](auto a) { return rc::sum(a, 1); }, rc::zeros<float>({3, 0}));
    agree([](auto a) { return rc::sum(a, 0); }, rc::zeros<float>({3, 0}));
    agree([](auto a) { return rc::prod(a); }, rc::zeros<double>({0}));
    agree([](auto a) { return rc::mean(a); }, rc::zeros<double>({0}));
    agree([](auto a) { return rc::sum(a, 0); }, rc::ones<double>({1, 4}));
    agree([](auto a) { return rc::sum(a); }, rc::ones<double>({1}));
    CHECK_THROWS_AS(rc::max(rc::zeros<float>({0}, rc::cuda)), rc::value_error);
}

TEST_CASE("cuda: reductions that are shared out over threads") {
    agree_over(random_tensor<float>({300000}));
    agree([](auto a) { return rc::sum(a * 2.0, 0); }, random_tensor({200000, 3}));
    agree([](auto a) { return rc::sum(rc::exp(-a), 1); }, random_tensor({3, 200000}));
    agree([](auto a) { return rc::max(a, {0, 2}); }, random_tensor<float>({300, 5, 300}));
    agree([](auto a, auto b) { return rc::sum(a * b, 0); }, rc::permute(random_tensor({40, 9000}), {1, 0}),
          random_tensor({40}, 2));
}

TEST_CASE("cuda: sums are accurate") {
    const auto one = rc::ones<float>({1}, rc::cuda);
    CHECK(rc::sum(rc::expand(one, {20000000})).item() == 20000000);
    CHECK(rc::sum(rc::expand(one, {3, 20000000}), 1)(2).item() == 20000000);
    rc::tensor<double, 1> x{1, 1e100, 1, -1e100};
    CHECK(rc::sum(x.to(rc::cuda)).item() == 2);
    rc::tensor<double, 1> y{1, std::numeric_limits<double>::infinity(), 2};
    CHECK(rc::sum(y.to(rc::cuda)).item() == std::numeric_limits<double>::infinity());
    y.data()[0] = std::nan("");
    CHECK(std::isnan(rc::max(y.to(rc::cuda)).item()));
    CHECK(std::isnan(rc::min(y.to(rc::cuda)).item()));
}

TEST_CASE("cuda: whether any or all hold, and integers by numbers") {
    const auto x = ricci::evaluate(ricci::remainder(ricci::arange<int>(6000) * 7919, 1009));
    const auto a = ricci::reshape(x, {60, 100});
    const auto b = a.to(ricci::cuda);
    for (const int axis : {0, 1}) {
        CHECK(ricci::array_equal(ricci::any(b > 1000, axis).to(ricci::cpu), ricci::any(a > 1000, axis)));
        CHECK(ricci::array_equal(ricci::all(b != 5, axis).to(ricci::cpu), ricci::all(a != 5, axis)));
    }
    CHECK(ricci::any(b == 5).item());
    CHECK(!ricci::all(b == 5).item());
    CHECK(ricci::array_equal(ricci::evaluate(ricci::floor_divide(b - 500, -7)).to(ricci::cpu),
                             ricci::floor_divide(a - 500, -7)));
}
