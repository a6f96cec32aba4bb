// The models of the 27 nonlinear data sets of NIST's StRD, as generic lambdas of the parameters b and the predictor x.
#pragma once
#include <ricci/core/error.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <string_view>

namespace nist::models {

/// A model: the lambda that predicts y from the parameters b(0), b(1), ... and the predictor, which is `x`, or x(0) and
/// x(1) where there are two. It runs on whatever `b(i)` gives: double, dual numbers, lazy expressions.
template <int Parameters, int Predictors, class Predict>
struct model : Predict {
    static constexpr std::size_t parameters = Parameters, predictors = Predictors;
};

template <int Parameters, int Predictors = 1, class Predict>
constexpr model<Parameters, Predictors, Predict> with(Predict predict) {
    return {predict};
}

// Functions are named without a namespace so that the argument's own is found; these serve double.
using std::atan, std::cos, std::exp, std::pow, std::sin, std::sqrt;
inline double square(double x) { return x * x; }

// Exponential class.
inline constexpr auto misra1a = with<2>([](auto b, auto x) { return b(0) * (1.0 - exp(-b(1) * x)); });
inline constexpr auto chwirut = with<3>([](auto b, auto x) { return exp(-b(0) * x) / (b(1) + b(2) * x); });
inline constexpr auto lanczos =
    with<6>([](auto b, auto x) { return b(0) * exp(-b(1) * x) + b(2) * exp(-b(3) * x) + b(4) * exp(-b(5) * x); });
inline constexpr auto gauss = with<8>([](auto b, auto x) {
    return b(0) * exp(-b(1) * x) + b(2) * exp(-square((x - b(3)) / b(4))) + b(5) * exp(-square((x - b(6)) / b(7)));
});
inline constexpr auto nelson =
    with<3, 2>([](auto b, auto x) { return b(0) - b(1) * x(0) * exp(-b(2) * x(1)); });  // of log(y)
inline constexpr auto mgh17 =
    with<5>([](auto b, auto x) { return b(0) + b(1) * exp(-b(3) * x) + b(2) * exp(-b(4) * x); });
inline constexpr auto mgh10 = with<3>([](auto b, auto x) { return b(0) * exp(b(1) / (x + b(2))); });
inline constexpr auto rat42 = with<3>([](auto b, auto x) { return b(0) / (1.0 + exp(b(1) - b(2) * x)); });
inline constexpr auto rat43 =
    with<4>([](auto b, auto x) { return b(0) / pow(1.0 + exp(b(1) - b(2) * x), 1.0 / b(3)); });
inline constexpr auto eckerle4 =
    with<3>([](auto b, auto x) { return b(0) / b(1) * exp(-0.5 * square((x - b(2)) / b(1))); });

// Rational class, by Horner's rule.
inline constexpr auto kirby2 =
    with<5>([](auto b, auto x) { return (b(0) + x * (b(1) + x * b(2))) / (1.0 + x * (b(3) + x * b(4))); });
inline constexpr auto cubic_over_cubic = with<7>([](auto b, auto x) {
    return (b(0) + x * (b(1) + x * (b(2) + x * b(3)))) / (1.0 + x * (b(4) + x * (b(5) + x * b(6))));
});
inline constexpr auto mgh09 = with<4>([](auto b, auto x) { return b(0) * (x * (x + b(1))) / (x * (x + b(2)) + b(3)); });

// Miscellaneous class.
inline constexpr auto misra1b =
    with<2>([](auto b, auto x) { return b(0) * (1.0 - 1.0 / square(1.0 + b(1) * x * 0.5)); });
inline constexpr auto misra1c = with<2>([](auto b, auto x) { return b(0) * (1.0 - 1.0 / sqrt(1.0 + 2.0 * b(1) * x)); });
inline constexpr auto misra1d = with<2>([](auto b, auto x) { return b(0) * b(1) * x / (1.0 + b(1) * x); });
inline constexpr auto danwood = with<2>([](auto b, auto x) { return b(0) * pow(x, b(1)); });
inline constexpr auto roszman1 =
    with<4>([](auto b, auto x) { return b(0) - b(1) * x - atan(b(2) / (x - b(3))) * std::numbers::inv_pi; });
inline constexpr auto enso = with<9>([](auto b, auto x) {
    auto t = 2.0 * std::numbers::pi * x;
    return b(0) + b(1) * cos(t / 12.0) + b(2) * sin(t / 12.0) + b(4) * cos(t / b(3)) + b(5) * sin(t / b(3)) +
           b(7) * cos(t / b(6)) + b(8) * sin(t / b(6));
});
inline constexpr auto bennett5 = with<3>([](auto b, auto x) { return b(0) * pow(b(1) + x, -1.0 / b(2)); });

/// Calls `visit` with the model of the data set `name` (27 data sets, 20 models) and returns what it returns.
/// Throws ricci::value_error for a name that is not in the collection.
template <class Visitor>
auto visit(std::string_view name, Visitor visit) {
    if (name == "Misra1a" || name == "BoxBOD") return visit(misra1a);
    if (name == "Misra1b") return visit(misra1b);
    if (name == "Misra1c") return visit(misra1c);
    if (name == "Misra1d") return visit(misra1d);
    if (name == "Chwirut1" || name == "Chwirut2") return visit(chwirut);
    if (name == "Lanczos1" || name == "Lanczos2" || name == "Lanczos3") return visit(lanczos);
    if (name == "Gauss1" || name == "Gauss2" || name == "Gauss3") return visit(gauss);
    if (name == "DanWood") return visit(danwood);
    if (name == "Kirby2") return visit(kirby2);
    if (name == "Hahn1" || name == "Thurber") return visit(cubic_over_cubic);
    if (name == "Nelson") return visit(nelson);
    if (name == "MGH09") return visit(mgh09);
    if (name == "MGH10") return visit(mgh10);
    if (name == "MGH17") return visit(mgh17);
    if (name == "Roszman1") return visit(roszman1);
    if (name == "ENSO") return visit(enso);
    if (name == "Rat42") return visit(rat42);
    if (name == "Rat43") return visit(rat43);
    if (name == "Eckerle4") return visit(eckerle4);
    if (name == "Bennett5") return visit(bennett5);
    throw ricci::value_error("no model for the data set '" + std::string(name) + "'");
}

}  // namespace nist::models
