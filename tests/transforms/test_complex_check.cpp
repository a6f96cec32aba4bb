// Complex derivatives against differences along the real and the imaginary direction, and where they are refused.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: gradcheck and gradgradcheck") {
    const auto f = [](const auto& z, const auto& r) { return conj(z) * z * r + abs(z) * exp(z * w0); };
    CHECK(gradcheck(f, std::tuple(z0, r0)));
    CHECK(gradgradcheck([](const auto& z) { return square(abs(z)) * z; }, std::tuple(z0)));
    // analytic where it should be conjugate
    const auto wrong =
        custom_vjp([](const auto& z) { return z * z; }, [](const auto& z) { return ricci::tuple(z * z, z); },
                   [](const auto& z, const auto& bar) { return 2 * bar * z; });
    CHECK_THROWS_AS(gradcheck<gradcheck_mode::backward>(wrong, std::tuple(z0)), gradient_error);
}
TEST_CASE("complex: pushforward and pullback are transposes under the real inner product") {
    const auto f = [](const auto& z) { return conj(z) * abs(z) + angle(z) * imag(z * w0) * z; };
    const auto y_dot = std::get<1>(jvp(f, z0, t0));
    const auto z_bar = std::get<1>(vjp(f, z0))(c0);
    CHECK(sum(real(conj(c0) * y_dot)).item() == doctest::Approx(sum(real(conj(z_bar) * t0)).item()).epsilon(1e-12));
}
TEST_CASE("complex: derivatives are 0 where abs and angle have none") {
    const tensor<complex128, 1> zero{0};
    CHECK(grad([](const auto& z) { return sum(abs(z)); })(zero).at(0) == 0.0);
    CHECK(grad([](const auto& z) { return sum(angle(z)); })(zero).at(0) == 0.0);
    CHECK(std::get<1>(jvp([](const auto& z) { return abs(z) + angle(z); }, zero, zero + complex128(1, 1))).at(0) ==
          0.0);
    CHECK(grad([](const auto& z) { return var(z); })(tensor<complex128, 1>{2, 2}).at(0) == 0.0);
}
TEST_CASE("complex: derivative of one number, analytic functions only") {
    const complex128 z(1, 2);
    const auto [y, d] = derivative([](auto a) { return exp(a) * a; }, z);
    CHECK(std::abs(d - (exp(z) * z + exp(z))) < 1e-14);
    CHECK(std::abs(ricci::derivatives<3>([](auto a) { return a * a * a; }, z)[3] - 6.0) < 1e-13);
    CHECK_THROWS_AS(derivative([](auto a) { return conj(a) * a; }, z), gradient_error);
    CHECK_THROWS_AS(ricci::derivatives<2>([](auto a) { return abs(a) * a; }, z), gradient_error);
}
