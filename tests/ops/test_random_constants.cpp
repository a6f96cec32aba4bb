// Samples as constants of the derivatives in parameters that have none.
#include "random.hpp"

using namespace samples;

TEST_CASE("random: no derivative in shapes and bounds") {
    const auto a = tensor<double, 1>{0.5, 1, 2};
    const auto of_gamma = [&](auto k) { return sum(random::gamma(k, k, generator(1))); };
    CHECK(allclose(grad(of_gamma)(a), random::gamma(a, 1.0, generator(1))));
    CHECK(allclose(std::get<1>(jvp(of_gamma, a, a)), of_gamma(a)));
    CHECK(allclose(grad([](auto k) { return sum(k * random::beta(k, 1.0, generator(1))); })(a),
                   random::beta(a, 1.0, generator(1))));
    CHECK(allclose(grad([](auto k) { return sum(k * random::truncated_normal(k, k, -1.0, k, generator(1))); })(a),
                   random::truncated_normal(a, a, -1.0, a, generator(1))));
}

TEST_CASE("random: shapes alone, of the standard parameters") {
    CHECK(array_equal(random::uniform({3, 2}, generator(1)), random::uniform(0.0, 1.0, {3, 2}, generator(1))));
    CHECK(array_equal(random::normal<float>(shape<1>{5}, generator(1)),
                      random::normal<float>(0.0, 1.0, {5}, generator(1))));
    CHECK(array_equal(random::exponential({5}, generator(1)), random::exponential(1.0, {5}, generator(1))));
}

TEST_CASE("random: complex normal numbers have the variance of randn's, half of it in each part") {
    using complex = std::complex<double>;
    CHECK(array_equal(random::normal<complex>({3, 2}, generator(1)), randn<complex>({3, 2}, generator(1))));
    const auto z = random::normal<complex>(complex(1, -2), 0.5, {100000}, generator(5));
    CHECK(std::abs(mean(z).item() - complex(1, -2)) < 0.01);
    CHECK(var(real(z)).item() == doctest::Approx(0.125).epsilon(0.03));
    CHECK(var(imag(z)).item() == doctest::Approx(0.125).epsilon(0.03));
    const tensor<complex, 1> middle{complex(0, 1), complex(2, 0)};
    const auto spread = tensor<double, 1>{0, 3};
    const auto y = random::normal(middle, spread, generator(2));
    static_assert(std::is_same_v<decltype(y)::value_type, complex>);
    CHECK(y(0).item() == complex(0, 1));
    CHECK(allclose(y, middle + spread * randn<complex>({2}, generator(2))));
    CHECK_THROWS_AS(random::normal<complex>(0.0, -1.0, {2}), value_error);
}
TEST_CASE("random: what is left out is 1") {
    CHECK(array_equal(random::gamma(2.5, {7}, generator(3)), random::gamma(2.5, 1.0, {7}, generator(3))));
    CHECK(array_equal(random::gamma(ones<double>({4}), generator(3)), random::gamma(ones<double>({4}), 1.0, generator(3))));
    generator g(5), same(5);
    CHECK(random::exponential(g) == random::exponential(1.0, same));
    CHECK(random::exponential().item() >= 0);
}
