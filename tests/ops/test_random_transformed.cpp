// laplace, gumbel, cauchy, weibull, lognormal, chisquare, student_t, vonmises: SciPy's distributions, derivatives, errors.
#include "random.hpp"

using namespace samples;

namespace {

template <class T>
void check_transformed() {
    generator g(6);
    const shape<1> n{many};
    check_sample("laplace(1, 2)", random::laplace<T>(1, 2, n, g));
    check_sample("gumbel(-1, 0.5)", random::gumbel<T>(-1, 0.5, n, g));
    check_sample("cauchy(1, 2)", random::cauchy<T>(1, 2, n, g));
    check_sample("weibull(0.7, 2)", random::weibull<T>(0.7, 2, n, g));
    check_sample("weibull(3, 1)", random::weibull<T>(3, n, g));
    check_sample("lognormal(0.5, 0.75)", random::lognormal<T>(0.5, 0.75, n, g));
    check_sample("chisquare(3)", random::chisquare<T>(3, n, g));
    check_sample("student_t(0.5, 0, 1)", random::student_t<T>(0.5, n, g));
    check_sample("student_t(5, 1, 2)", random::student_t<T>(5, 1, 2, n, g));
    check_sample("vonmises(0, 0)", random::vonmises<T>(0, 0, n, g));
    check_sample("vonmises(0, 0.2)", random::vonmises<T>(0, 0.2, n, g));
    check_sample("vonmises(0, 4)", random::vonmises<T>(0, 4, n, g));
    check_sample("vonmises(0, 3000)", random::vonmises<T>(0, 3000, n, g));
    check_sample("vonmises(0, 1e9)", random::vonmises<T>(0, 1e9, n, g));
    CHECK(g.offset() == 14 * many);
}

}  // namespace

TEST_CASE("random: functions of uniform, normal and gamma variates follow SciPy's distributions") {
    check_transformed<double>();
    check_transformed<float>();
}

TEST_CASE("random: such an element depends on its place alone, on any number of threads") {
    const auto check = [](const auto& draw) {
        check_threads([&](generator g) { return draw(70000, g); });
        check_places(draw);
    };
    check([](index_t n, generator g) { return random::cauchy(1, 2, {n}, g); });
    check([](index_t n, generator g) { return random::weibull(0.7, 2, {n}, g); });
    check([](index_t n, generator g) { return random::student_t(3, {n}, g); });
}

TEST_CASE("random: the tails are finite, at the first number of a stream's grid as well") {
    // what a uniform of 0 becomes: a quarter of epsilon, of which the quantiles are those of SciPy
    const auto least = detail::above_0(zeros<double>({1})).item();
    CHECK(least == 0x1p-54);
    const auto x = random::cauchy<float>({many}, generator(2));
    CHECK(max(abs(x)).item() < 1e8);
    CHECK(max(abs(x)).item() > 1e4);  // exceeded with probability 1 - exp(-many 2e-4 / pi)
    CHECK(std::isfinite(max(abs(random::student_t(0.1, {many}, generator(3)))).item()));
    CHECK(std::abs(random::student_t(1e300, {1}, generator(3)).item()) < 9);  // a normal
    CHECK(random::cauchy(3.0, 0.0).item() == 3);
    CHECK(values(random::chisquare(zeros<double>({2}), generator(1))) == std::vector<double>(2));
}

TEST_CASE("random: standard parameters, other element types, broadcasting") {
    CHECK(array_equal(random::laplace({5}, generator(1)), random::laplace(0.0, 1.0, {5}, generator(1))));
    CHECK(array_equal(random::gumbel<float>({5}, generator(1)), random::gumbel<float>(0.0, 1.0, {5}, generator(1))));
    CHECK(array_equal(random::lognormal({5}, generator(1)), exp(randn<double>({5}, generator(1)))));
    CHECK(array_equal(random::chisquare(3.0, {5}, generator(1)), random::gamma(1.5, 2.0, {5}, generator(1))));
    const tensor<float, 2> scale{{1}, {2}};
    const auto x = random::student_t(tensor<float, 1>{1, 2, 3}, 0, scale, generator(1));
    static_assert(std::is_same_v<decltype(x), const tensor<float, 2>>);
    CHECK(x.shape() == shape<2>{2, 3});
    const auto half = random::weibull(tensor<float16, 1>{1, 2}, generator(1));
    static_assert(std::is_same_v<decltype(half), const tensor<float16, 1>>);
}

TEST_CASE("random: derivatives of samples in location, scale and Weibull's shape") {
    const auto a = tensor<double, 1>{0.5, 1, 2};
    const auto all_of = [](auto location, auto scale) {
        return stack(
            std::make_tuple(
                random::laplace(location, scale, generator(1)), random::gumbel(location, scale, generator(2)),
                random::cauchy(location, scale, generator(3)), random::weibull(location, scale, generator(4)),
                random::lognormal(location, scale, generator(5)), random::student_t(3.0, location, scale, generator(6)),
                random::vonmises(location, 2.0, generator(7)) * scale),
            0);
    };
    CHECK(gradcheck(all_of, std::make_tuple(a, a + 1)));
    CHECK(gradgradcheck<gradcheck_mode::backward>(all_of, std::make_tuple(a, a + 1)));
    const auto constant = [](auto n) {
        return sum(n * random::student_t(n, generator(1))) + sum(n * random::chisquare(n, generator(1))) +
               sum(n * random::vonmises(0.0, n, generator(1)));
    };
    CHECK(allclose(grad(constant)(a), random::student_t(a, generator(1)) + random::chisquare(a, generator(1)) +
                                          random::vonmises(0.0, a, generator(1))));
}

TEST_CASE("random: angles are those of direction 0, turned, from -pi to pi") {
    const auto turned = random::vonmises(tensor<double, 2>{{2.5}, {-100}}, 1.5, {2, 1000}, generator(4));
    const auto x = random::vonmises(0.0, 1.5, {2, 1000}, generator(4));
    CHECK(double(max(abs(turned))) <= std::numbers::pi);
    CHECK(allclose(cos(turned - x), cos(tensor<double, 2>{{2.5}, {-100}}) + zeros<double>({2, 1000})));
}

TEST_CASE("random: parameters that these distributions do not have") {
    generator g(1);
    CHECK_THROWS_WITH_AS(random::laplace(0, -1, g), "[laplace] the scale must not be negative: -1", value_error);
    CHECK_THROWS_WITH_AS(random::gumbel(0, -1, g), "[gumbel] the scale must not be negative: -1", value_error);
    CHECK_THROWS_WITH_AS(random::cauchy(0, -1, g), "[cauchy] the scale must not be negative: -1", value_error);
    CHECK_THROWS_WITH_AS(random::weibull(0, 1, g), "[weibull] the shape parameter must be positive: 0", value_error);
    CHECK_THROWS_WITH_AS(random::lognormal(0, -1, g), "[lognormal] the standard deviation must not be negative: -1",
                         value_error);
    CHECK_THROWS_WITH_AS(random::chisquare(-1, g), "[chisquare] the degrees of freedom must not be negative: -1",
                         value_error);
    CHECK_THROWS_WITH_AS(random::student_t(0, g), "[student_t] the degrees of freedom must be positive: 0",
                         value_error);
    CHECK_THROWS_WITH_AS(random::vonmises(0, -1, g), "[vonmises] the concentration must not be negative: -1",
                         value_error);
    CHECK(g.offset() == 0);
}
