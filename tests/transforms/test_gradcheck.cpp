// gradcheck and gradgradcheck: right derivatives pass, wrong ones are named.
#include <string>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x0 = spread({3});
const auto m0 = spread({2, 3}, 5);

/// The text of the error that `check` throws.
template <class F>
std::string refusal(F check) {
    try {
        check();
    } catch (const gradient_error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("gradcheck: of maps, which it evaluates") {
    const ricci::tensor<double, 1> x{1, 2};
    CHECK(gradcheck([](auto a, auto b) { return a * sin(b); }, ricci::tuple(x + 1.0, x)));
}

TEST_CASE("gradcheck: functions of one and of several arguments") {
    CHECK(gradcheck([](auto x) { return sin(x) * sum(exp(x)); }, x0));
    CHECK(gradgradcheck([](auto x) { return sum(sin(x) * exp(x)); }, x0 + 1.0));
    CHECK(gradcheck([](auto x) { return sin(x) * sum(exp(x)); }, std::tuple(x0)));
    CHECK(gradcheck([](auto x, auto m) { return matmul(m, x) / (1 + sum(x * x)); }, std::tuple(x0, m0)));
    CHECK(gradcheck([](auto x) { return sum(x * x * x); }, std::tuple(x0)));
}
TEST_CASE("gradcheck: of results in a structure, counted one array after the other") {
    CHECK(gradcheck([](auto x, auto m) { return ricci::tuple(sin(x), matmul(m, x)); }, std::tuple(x0, m0)));
    const auto cut = [](auto x, auto y) { return ricci::tuple(x + y, y * stop_gradient(y)); };
    const tensor<double, 1> x{1, 2}, y{3, 4};
    for (const auto& text : {refusal([&] { gradcheck<gradcheck_mode::backward>(cut, std::tuple(x, y)); }),
                             refusal([&] { gradcheck<gradcheck_mode::forward>(cut, std::tuple(x, y)); })})
        CHECK(text.find("output element 2 by element 0 of argument 1 is 3, differences give ") != std::string::npos);
}
TEST_CASE("gradgradcheck") {
    CHECK(gradgradcheck([](auto x) { return sin(x) * sum(exp(x)); }, std::tuple(x0)));
    CHECK(gradgradcheck([](auto x, auto m) { return matmul(m, x * x); }, std::tuple(x0, m0)));
}
TEST_CASE("gradcheck: a wrong rule is named with both numbers") {
    const auto wrong = custom_vjp([](auto x) { return x * x; }, [](auto x) { return ricci::tuple(x * x, x); },
                                  [](auto x, auto bar) { return 3 * bar * x; });
    const auto text = refusal([&] { gradcheck<gradcheck_mode::backward>(wrong, std::tuple(tensor<double, 1>{0.5})); });
    CHECK(text.find("backward: the derivative of output element 0 by element 0 of argument 0 is 1.5") !=
          std::string::npos);
    const auto difference = text.find("differences give ");
    REQUIRE(difference != std::string::npos);
    CHECK(std::stod(text.substr(difference + 17)) == doctest::Approx(1.0));
    const auto forward = custom_jvp([](auto x) { return x * x; },
                                    [](auto p, auto t) {
                                        const auto& x = std::get<0>(p);
                                        return ricci::tuple(x * x, 2 * x * std::get<0>(t) + 0.1 * std::get<0>(t));
                                    });
    CHECK(refusal([&] { gradcheck(forward, std::tuple(x0)); }).find("the derivative of output element 0") !=
          std::string::npos);
}
TEST_CASE("gradgradcheck: a second derivative that is cut off") {
    auto cut = [](auto x) { return x * x * stop_gradient(x); };
    CHECK(refusal([&] { gradgradcheck(cut, std::tuple(x0)); }) != "nothing was thrown");
    auto second = [](auto x, auto m) {
        return matmul(m, x * stop_gradient(x));
    };  // the other argument's adjoint is right
    CHECK(refusal([&] { gradgradcheck(second, std::tuple(x0, m0)); }).find("of argument 0") != std::string::npos);
}
