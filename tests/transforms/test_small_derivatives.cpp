// Derivatives that are small because a function is nearly straight keep their digits. The numbers are mpmath's.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("small derivatives: functions made of exp(-|x|), at 30") {
    const auto f = [](const auto& x) {
        return stack(ricci::tuple(softplus(x), sigmoid(x), log_sigmoid(x), silu(x), mish(x)));
    };
    const tensor<double, 1> first{0.99999999999990642377, 9.3576229688384233e-14, 9.3576229688392989e-14,
                                  1.0000000000027137107, 1.0000000000000000000};
    const tensor<double, 1> second{9.3576229688384233e-14, -9.357622968836672e-14, -9.3576229688384233e-14,
                                   -2.62013443127423313e-12, -2.03151049694472743e-24};
    const auto slope = [f](const auto& x) { return std::get<1>(jvp(f, x, 1.0)); };
    check_close(slope(30.0) / first, ones<double>({5}), 1e-14);
    check_close(std::get<1>(jvp(slope, 30.0, 1.0)) / second, ones<double>({5}), 1e-14);
    const auto series = std::get<1>(jet(f, 30.0, ricci::tuple(1.0, 0.0)));
    check_close(std::get<1>(series)(slice(0, 2)) / second(slice(0, 2)), ones<double>({2}), 1e-14);
}
TEST_CASE("small derivatives: third ones, in reverse mode") {
    const auto third = [](const auto& f) { return grad(grad(grad(f)))(30.0).item(); };
    CHECK(third([](const auto& x) { return sigmoid(x); }) / 9.3576229688331694e-14 ==
          doctest::Approx(1).epsilon(1e-14));
    CHECK(third([](const auto& x) { return mish(x); }) / 3.99296890778704691e-24 == doctest::Approx(1).epsilon(1e-14));
}
