// examples/nist_fit: all 27 models against their formulas in the files, and the fits of the data sets that are there.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "../../examples/nist/agreement.hpp"
#include "../../examples/nist/problem.hpp"

namespace {

struct value {
    std::string name;
    std::vector<double> parameters, predictors;
    double expected;
};

// The files' formulas at the certified parameters and one observation's predictors, evaluated with 40 digits.
const std::vector<value> values = {
    // clang-format off
    {"Bennett5", {-2.5235058043E+03, 4.6736564644E+01, 9.3218483193E-01}, {11.191410}, -32.424124199655628},
    {"BoxBOD", {2.1380940889E+02, 5.4723748542E-01}, {3}, 172.40561364280254},
    {"Chwirut1", {1.9027818370E-01, 6.1314004477E-03, 1.0530908399E-02}, {3.0000}, 14.978575806554784},
    {"Chwirut2", {1.6657666537E-01, 5.1653291286E-03, 1.2150007096E-02}, {3.000}, 14.578621623688756},
    {"DanWood", {7.6886226176E-01, 3.8604055871E+00}, {1.490}, 3.584410848175413},
    {"ENSO", {1.0510749193E+01, 3.0762128085E+00, 5.3280138227E-01, 4.4311088700E+01, -1.6231428586E+00, 5.2554493756E-01, 2.6887614440E+01, 2.1232288488E-01, 1.4966870418E+00}, {57.00000}, 12.036379853652167},
    {"Eckerle4", {1.5543827178E+00, 4.0888321754E+00, 4.5154121844E+02}, {441.000000}, 0.013700064610332854},
    {"Gauss1", {9.8778210871E+01, 1.0497276517E-02, 1.0048990633E+02, 6.7481111276E+01, 2.3129773360E+01, 7.1994503004E+01, 1.7899805021E+02, 1.8389389025E+01}, {84.00000}, 101.23929988880846},
    {"Gauss2", {9.9018328406E+01, 1.0994945399E-02, 1.0188022528E+02, 1.0703095519E+02, 2.3578584029E+01, 7.2045589471E+01, 1.5327010194E+02, 1.9525972636E+01}, {84.00000}, 78.560616251137895},
    {"Gauss3", {9.8940368970E+01, 1.0945879335E-02, 1.0069553078E+02, 1.1163619459E+02, 2.3300500029E+01, 7.3705031418E+01, 1.4776164251E+02, 1.9668221230E+01}, {84.00000}, 64.116611499573411},
    {"Hahn1", {1.0776351733E+00, -1.2269296921E-01, 4.0863750610E-03, -1.4262662514E-06, -5.7609940901E-03, 2.4053735503E-04, -1.2314450199E-07}, {268.62}, 16.31774180102211},
    {"Kirby2", {1.6745063063E+00, -1.3927397867E-01, 2.5961181191E-03, -1.7241811870E-03, 2.1664802578E-05}, {157.76}, 34.971349009246074},
    {"Lanczos1", {9.5100000027E-02, 1.0000000001E+00, 8.6070000013E-01, 3.0000000002E+00, 1.5575999998E+00, 5.0000000001E+00}, {4.000000000000E-01}, 0.53378353173863555},
    {"Lanczos2", {9.6251029939E-02, 1.0057332849E+00, 8.6424689056E-01, 3.0078283915E+00, 1.5529016879E+00, 5.0028798100E+00}, {4.00000E-01}, 0.53378396464764124},
    {"Lanczos3", {8.6816414977E-02, 9.5498101505E-01, 8.4400777463E-01, 2.9515951832E+00, 1.5825685901E+00, 4.9863565084E+00}, {4.00000E-01}, 0.5337818538170879},
    {"MGH09", {1.9280693458E-01, 1.9128232873E-01, 1.2305650693E-01, 1.3606233068E-01}, {5.000000E-01}, 0.14889056143390284},
    {"MGH10", {5.6096364710E-03, 6.1813463463E+03, 3.4522363462E+02}, {7.500000E+01}, 13716.977583360009},
    {"MGH17", {3.7541005211E-01, 1.9358469127E+00, -1.4646871366E+00, 1.2867534640E-02, 2.2122699662E-02}, {1.100000E+02}, 0.71697895594063555},
    {"Misra1a", {2.3894212918E+02, 5.5015643181E-04}, {239.9}, 29.543687348561694},
    {"Misra1b", {3.3799746163E+02, 3.9039091287E-04}, {239.9}, 29.562724513576145},
    {"Misra1c", {6.3642725809E+02, 2.0813627256E-04}, {239.9}, 29.58010167510437},
    {"Misra1d", {4.3736970754E+02, 3.0227324449E-04}, {239.9}, 29.571621490986704},
    {"Nelson", {2.5906836021E+00, 5.6177717026E-09, -5.7701013174E-02}, {4, 250}, 2.5493377465571233},
    {"Rat42", {7.2462237576E+01, 2.6180768402E+00, 6.7359200066E-02}, {28.000}, 23.532240342917121},
    {"Rat43", {6.9964151270E+02, 5.2771253025E+00, 7.5962938329E-01, 1.2792483859E+00}, {6.0}, 292.38127579150299},
    {"Roszman1", {2.0196866396E-01, -6.1953516256E-06, 1.2044556708E+03, -1.8134269537E+02}, {-2469.45}, 0.34090421982342574},
    {"Thurber", {1.2881396800E+03, 1.4910792535E+03, 5.8323836877E+02, 7.5416644291E+01, 9.6629502864E-01, 3.9797285797E-01, 4.9727297349E-02}, {-1.501}, 392.09596717874888},
    // clang-format on
};

/// Indexing by call, as tensors have it, for evaluating a model on plain numbers.
struct indexed {
    const double* values;
    double operator()(int i) const { return values[i]; }
};

double predict(const std::string& name, const std::vector<double>& parameters, const double* x) {
    return nist::models::visit(name, [&](const auto& model) {
        if constexpr (std::remove_cvref_t<decltype(model)>::predictors == 1)
            return model(indexed{parameters.data()}, *x);
        else
            return model(indexed{parameters.data()}, indexed{x});
    });
}

const std::string folder = RICCI_TEST_DATA "/nist_strd";

std::vector<std::string> files() {
    std::vector<std::string> paths;
    if (std::filesystem::is_directory(folder))
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".dat") paths.push_back(entry.path().string());
    if (paths.empty()) MESSAGE("skipped: there are no data sets in ", folder);
    return paths;
}

}  // namespace

TEST_CASE("nist: every model of the collection on plain numbers") {
    CHECK(values.size() == 27);
    for (const value& v : values) {
        CAPTURE(v.name);
        CHECK(predict(v.name, v.parameters, v.predictors.data()) == doctest::Approx(v.expected).epsilon(1e-12));
    }
    CHECK_THROWS_WITH_AS(predict("misra1a", {1, 1}, nullptr), "no model for the data set 'misra1a'",
                         ricci::value_error);
}

TEST_CASE("nist: every model through jacfwd") {
    for (const value& v : values) {
        CAPTURE(v.name);
        nist::dataset set;
        set.name = v.name;
        set.observations = 2;
        set.parameters = v.parameters.size();
        set.predictors = v.predictors.size();
        set.y = {v.expected, 0};
        set.x = v.predictors;
        for (double x : v.predictors) set.x.push_back(1.01 * x);
        const nist::linearization at = nist::linearize(set)(v.parameters);
        CHECK(std::abs(at.residual[0]) <= 1e-12 * std::abs(v.expected));
        for (std::size_t i = 0; i < set.observations; ++i)
            for (std::size_t j = 0; j < set.parameters; ++j) {
                CAPTURE(j);
                // Central differences with Richardson's extrapolation: good for about 9 digits of the prediction's
                // scale.
                const double h = 1e-4 * std::abs(v.parameters[j]);
                auto slope = [&](double step) {
                    auto up = v.parameters, down = v.parameters;
                    up[j] += step, down[j] -= step;
                    const double* x = set.x.data() + i * set.predictors;
                    return (predict(v.name, up, x) - predict(v.name, down, x)) / (up[j] - down[j]);
                };
                const double expected = (4 * slope(h / 2) - slope(h)) / 3;
                const double scale = std::abs(v.expected / v.parameters[j]);
                CHECK(std::abs(at.jacobian(i, j) - expected) <= 1e-6 * std::max(std::abs(expected), scale));
            }
    }
}

TEST_CASE("nist: a data set that does not fit its model is refused") {
    nist::dataset set;
    set.name = "Misra1a";
    set.observations = 2;
    set.parameters = 3;
    set.predictors = 1;
    CHECK_THROWS_WITH_AS(nist::linearize(set),
                         "the model of Misra1a has 2 parameters and 1 predictors, the data set 3 and 1",
                         ricci::value_error);
}

TEST_CASE("nist: both starts reach the certified values") {
    for (const std::string& path : files()) {
        const nist::dataset set = nist::read_dataset(path);
        const nist::linearizer linearize = nist::linearize(set);
        for (int start : {0, 1}) {
            CAPTURE(set.name);
            CAPTURE(start);
            const nist::fit found = nist::levenberg_marquardt(linearize, set.y, set.start[start]);
            const nist::agreement digits = nist::compare(found, set);
            CHECK(digits.worst_parameter >= std::min(8.0, digits.attainable_parameter - 1));
            CHECK(digits.worst_deviation >= std::min(8.0, digits.attainable_deviation - 1));
            CHECK(found.evaluations < 2000);
        }
    }
}
