// norm of other orders than 2: NumPy's results, derivatives, errors.
#include "reduced.hpp"

using namespace reduced;

TEST_CASE("norm: NumPy's results for every order") {
    const auto x = numbers();
    RICCI_NORM_ORDER_CASES(RICCI_CHECK_REDUCED);
    const auto zero = zeros<double>({1, 1, 0});
    CHECK_THROWS_WITH_AS(norm(zero, 2, dropdims_t{}, inf),
                         "[norm] of an empty axis: shape (1, 1, 0) has no elements there", value_error);
    CHECK(norm(zero, 2, dropdims_t{}, 3).item() == 0);
    CHECK_THROWS_WITH_AS(norm(x, 1, dropdims_t{}, NAN), "[norm] the order must not be NaN", value_error);
}
TEST_CASE("norm: derivatives for every order, 0 of elements that are 0") {
    const tensor<double, 1> x{3, -4, 0}, zero{0, 0, 0};
    const auto of = [](double p) { return grad([p](auto v) { return norm(v, 0, dropdims_t{}, p); }); };
    check_same(of(1)(x), tensor<double, 1>{1, -1, 0});
    check_same(of(2)(x), x / 5.0);
    check_same(of(inf)(x), tensor<double, 1>{0, -1, 0});
    check_same(of(0)(x), zero);
    const double cubes = std::cbrt(27.0 + 64.0);  // sign(x) x^2 / norm^2
    check_same(of(3)(x), tensor<double, 1>{9 / (cubes * cubes), -16 / (cubes * cubes), 0});
    const double roots = std::sqrt(3.0) + 2;  // sign(x) roots / sqrt(|x|)
    check_same(of(0.5)(x), tensor<double, 1>{roots / std::sqrt(3.0), -roots / 2, 0});
    for (const double p : {2.0, 1.0, 3.0, 0.5}) check_same(of(p)(zero), zero);
}
