// Second derivatives where slopes are infinite or overflow: those of JAX 0.10 and PyTorch 2.15, in all four modes.
#include <cmath>
#include <limits>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Equal elements, infinities and NaN included.
void check_same(const tensor<double, 1>& actual, const tensor<double, 1>& expected) {
    REQUIRE(actual.shape() == expected.shape());
    for (index_t i = 0; i < actual.size(); ++i) {
        CAPTURE(i);
        if (std::isfinite(expected.at(i)))
            CHECK(actual.at(i) == doctest::Approx(expected.at(i)).epsilon(1e-14).scale(1e-300));
        else CHECK(actual.at(i) == expected.at(i));
    }
}
/// Forward over forward, forward over reverse, reverse over forward and reverse over reverse of f, element-wise.
template <class F>
void check_four_modes(const F& f, const tensor<double, 1>& x, const tensor<double, 1>& expected) {
    const tensor<double, 1> one = ones<double>(x.shape());
    const auto push = [f, one](const auto& v) { return std::get<1>(jvp(f, v, one)); };
    const auto pull = grad([f](const auto& v) { return sum(f(v)); });
    check_same(std::get<1>(jvp(push, x, one)), expected);
    check_same(std::get<1>(jvp(pull, x, one)), expected);
    check_same(grad([push](const auto& v) { return sum(push(v)); })(x), expected);
    check_same(grad([pull](const auto& v) { return sum(pull(v)); })(x), expected);
}

}  // namespace

TEST_CASE("second orders: roots and reciprocals at 0") {
    check_four_modes([](const auto& x) { return sqrt(x); }, {0, -0.0, 4, inf}, {-inf, inf, -0.03125, -0.0});
    check_four_modes([](const auto& x) { return 1 / x; }, {0, -0.0, 2, 5e-324}, {inf, -inf, 0.25, inf});
    check_four_modes([](const auto& x) { return cbrt(x); }, {0, -0.0, inf, -8}, {-inf, inf, 0, 2.0 / 9 / 32});
}
TEST_CASE("second orders: powers whose exponents are numbers") {
    check_four_modes([](const auto& x) { return pow(x, 3); }, {0, -2, 1e200, -inf}, {0, -12, 6e200, -inf});
    check_four_modes([](const auto& x) { return pow(x, -1); }, {0, -0.0, -2}, {inf, -inf, -0.25});
    check_four_modes([](const auto& x) { return pow(x, 1.5); }, {0, 4, inf}, {inf, 0.375, 0});
}
TEST_CASE("second orders: logarithms and exponentials where they end") {
    check_four_modes([](const auto& x) { return log(x); }, {0, 2, inf}, {-inf, -0.25, -0.0});
    check_four_modes([](const auto& x) { return exp(x); }, {-inf, 0, 1e200}, {0, 1, inf});
    check_four_modes([](const auto& x) { return asin(x); }, {-1, 0, 1}, {-inf, 0, inf});
}
TEST_CASE("second orders: powers whose exponents are arrays, of negative bases and of 0") {
    const tensor<double, 1> x{-2, -2, -2, -1, 0, 0, 0, -0.0}, y{0, 1, 3, -1, 0, 1, -1, 2};
    check_four_modes([y](const auto& v) { return pow(v, y); }, x, {0, 0, -12, -2, 0, 0, inf, 2});
    const auto slope = [](const auto& u, const auto& v) {  // y is an argument, and no tangent of its own
        return grad([](const auto& a, const auto& b) { return sum(pow(a, b)); })(u, v);
    };
    const auto one = ones<double>(x.shape());
    check_same(std::get<1>(jvp([&](const auto& v) { return slope(v, y); }, x, one)), {0, 0, -12, -2, 0, 0, inf, 2});
    const tensor<double, 1> u{-2, -2, -1}, v{1, 3, -1};
    check_same(diagonal(hessian([](const auto& a, const auto& b) { return sum(pow(a, b)); })(u, v)), {0, -12, -2});
}
TEST_CASE("second orders: the third is the limit, too") {
    const tensor<double, 1> x{0, 4}, one{1, 1};
    const auto push = [&](const auto& f) { return [f, one](const auto& v) { return std::get<1>(jvp(f, v, one)); }; };
    const auto root = [](const auto& v) { return sqrt(v); };
    check_same(push(push(push(root)))(x), {inf, 3.0 / 256});
    const dual<dual<double>> at_0(dual<double>(0, 1), dual<double>(1, 0));
    CHECK(sqrt(at_0).tangent.tangent == -inf);
    CHECK((1 / at_0).tangent.tangent == inf);
}
