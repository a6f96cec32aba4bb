// Derivatives that are small because a function is nearly straight, or of huge or tiny numbers, keep their digits. The
// numbers are mpmath's.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// The first and the second derivative of f at each x, over what they should be.
template <class F, class T>
void check_digits(const F& f, const tensor<T, 1>& x, const tensor<T, 1>& first, const tensor<T, 1>& second,
                  double tolerance) {
    const auto slope = grad([f](const auto& v) { return sum(f(v)); });
    check_close(astype<double>(slope(x) / first), ones<double>(x.shape()), tolerance);
    check_close(astype<double>(grad([slope](const auto& v) { return sum(slope(v)); })(x) / second),
                ones<double>(x.shape()), tolerance);
}

}  // namespace

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
TEST_CASE("small derivatives: erfcx, by its series far out") {
    const auto f = [](const auto& x) { return erfcx(x); };
    check_digits(f, tensor{0.5, 11.9, 12.1, 3000.0, 1e6},
                 tensor{-0.512688822902586699, -0.0039426339742260288, -0.00381466947150532425, -6.26877210573539054e-8,
                        -5.64189583546910003e-13},
                 tensor{0.718691865483265051, 6.55776381595848906e-4, 6.24213469241179214e-4, 4.1791807072936306e-11,
                        1.12837916709212744e-18},
                 1e-10);
    check_digits(f, tensor{3000.0f, 1e8f}, tensor{-6.26877210573539054e-8f, -5.64189583547756285e-17f},
                 tensor{4.1791807072936306e-11f, 1.12837916709551257e-24f}, 1e-6);
    const tensor<double, 1> ends{-30, 1e200, std::numeric_limits<double>::infinity()};
    const auto slope = grad([f](const auto& x) { return sum(f(x)); })(ends);
    CHECK(slope.at(0) == -std::numeric_limits<double>::infinity());
    CHECK(slope.at(1) == 0);
    CHECK(slope.at(2) == 0);
}
TEST_CASE("small derivatives: selu, an exponential function below 0") {
    const double scaled = 1.7580993408473768600 * std::exp(-40.0), one = 1.0507009873554804934;
    const auto f = [](const auto& x) { return selu(x); };
    check_digits(f, tensor{-40.0, -1.0}, tensor{scaled, scaled * std::exp(39.0)},
                 tensor{scaled, scaled * std::exp(39.0)}, 1e-14);
    check_close(grad([f](const auto& x) { return sum(f(x)); })(tensor{0.0, 800.0}), tensor{1.7580993408473768600, one});
    check_close(grad(grad(f))(800.0), tensor<double, 0>(0));
}
TEST_CASE("small derivatives: sinc far from 0") {
    const auto f = [](const auto& x) { return sinc(x); };
    check_digits(f, tensor{1000.5, -7.3, 100000.25, 3.0},
                 tensor{-3.17991814870965988e-7, 0.0756861368799927829, 7.07102762644477483e-6, -1.0 / 3},
                 tensor{-0.00314002200660286207, 0.36890056437227596, -2.22145005750929224e-5, 2.0 / 9}, 1e-10);
    check_digits(f, tensor{1000.5f, 100000.25f}, tensor{-3.17991814870965988e-7f, 7.07102762644477483e-6f},
                 tensor{-0.00314002200660286207f, -2.22145005750929224e-5f}, 1e-3);
}
TEST_CASE("small derivatives: the angle of points whose squares are no numbers") {
    const tensor<float, 1> y{0, 3e-23f, 3e25f, 0}, x{1e-23f, 4e-23f, 4e25f, -2e30f};
    const auto [y_bar, x_bar] = grad([](auto a, auto b) { return sum(atan2(a, b)); }, argnums<0, 1>)(y, x);
    const tensor<float, 1> of_y{1e23f, 1.6e22f, 1.6e-26f, -5e-31f}, of_x{1, -1.2e22f, -1.2e-26f, 1};
    check_close(astype<double>(y_bar / of_y), ones<double>({4}), 1e-6);
    check_close(astype<double>(x_bar / of_x), tensor<double, 1>{0, 1, 1, 0}, 1e-6);
}
TEST_CASE("small derivatives: elliptic integrals beside their pole") {
    check_digits([](const auto& p) { return ellipkm1(p); }, tensor{1e-18, 1e-5, 0.3, 0.97},
                 tensor{-499999999999999959.0, -49998.5892946217971, -1.47395625561448103, -0.406379931919432696},
                 tensor{4.99999999999999928e35, 4999987501.4698693, 5.27820612413766551, 0.470719917433897609}, 1e-13);
}
TEST_CASE("small derivatives: second ones of inverse functions near 0, and of huge numbers") {
    const tensor tiny{1e-20, -1e-9}, one = ones<double>({2});
    check_digits([](const auto& x) { return asin(x); }, tiny, one, tiny, 1e-14);
    check_digits([](const auto& x) { return acos(x); }, tiny, evaluate(-one), evaluate(-tiny), 1e-14);
    check_digits([](const auto& x) { return atanh(x); }, tiny, one, evaluate(2 * tiny), 1e-14);
    check_digits([](const auto& x) { return asin(x); }, tensor{0.4, 0.999999},
                 tensor{1.09108945117996195, 707.106957953142452}, tensor{0.519566405323791404, 353553302.189576684},
                 1e-10);
    const auto curvature = [](auto f) {
        return grad([f](const auto& v) { return sum(grad([f](const auto& u) { return sum(f(u)); })(v)); });
    };
    const tensor huge{1e308, -1e308, 1e200};
    check_close(curvature([](const auto& x) { return atan(x); })(huge), zeros<double>({3}));
    check_close(curvature([](const auto& x) { return acosh(x); })(tensor{1e308}), zeros<double>({1}));
    CHECK(grad([](const auto& x) { return acosh(x); })(1e308) * 1e308 == doctest::Approx(1));
    CHECK(grad([](const auto& x) { return asinh(x); })(-1e308) * 1e308 == doctest::Approx(1));
    check_close(curvature([](const auto& x) { return asinh(x); })(tensor{1e308}), zeros<double>({1}));
    check_digits([](const auto& x) { return atan(x); }, tensor{1e-20, 0.3, 1.0, -7.0, 1e100},
                 tensor{1, 1 / 1.09, 0.5, 0.02, 1e-200}, tensor{-2e-20, -0.6 / 1.1881, -0.5, 14 / 2500.0, -2e-300},
                 1e-14);
    check_digits([](const auto& x) { return acosh(x); }, tensor{2.0, 1e100, 1e150},
                 tensor{0.577350269189625765, 1e-100, 1 / 1e150}, tensor{-0.384900179459750510, -1e-200, -1e-300},
                 1e-14);
}
