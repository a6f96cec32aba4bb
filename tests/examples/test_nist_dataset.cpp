// The parts of examples/nist_fit that need no gradients: reading StRD files, good and broken, QR, Levenberg-Marquardt.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "../../examples/nist/agreement.hpp"
#include "../../examples/nist/dataset.hpp"
#include "../../examples/nist/levenberg_marquardt.hpp"

namespace {

// A complete file with two predictors and a response whose logarithm is fitted; the figures are invented.
const char* const whole = R"(NIST/ITL StRD
Dataset Name:  Invented          (Invented.dat)

File Format:   ASCII
               Starting Values   (lines 18 to  19)
               Certified Values  (lines 18 to  24)
               Data              (lines 27 to 30)

Description:   Data for the parser.

Data:          1 Response  (y)
               2 Predictors (x1 = time; x2 = temperature)
               4 Observations
Model:         Exponential Class
               2 Parameters (b1 to b2)
               log[y] = b1*x1 + b2*x2  +  e
        Start 1     Start 2           Parameter     Standard Deviation
  b1 =  -0.5         2.5          1.5000000000E+00  1.7000000000E-02
  b2 =   1.0D+00     +.25         -2.5000000000E-01  0

Residual Sum of Squares:                    8.0000000000E-02
Residual Standard Deviation:                2.0000000000E-01
Degrees of Freedom:                                2
Number of Observations:                            4

Data:   y              x1            x2
     15.00E0         1E0         180E0
     17.00E0         1E0         180E0
      1              2           -225E0
     1E+1            8            0

)";

/// `whole` with the first `from` replaced by `to`.
std::string with(const std::string& from, const std::string& to) {
    std::string text = whole;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

struct file {
    std::string path;
    explicit file(const std::string& text)
        : path((std::filesystem::temp_directory_path() / ("ricci_nist_" + std::to_string(std::random_device{}())))
                   .string()) {
        std::ofstream(path) << text;
    }
    ~file() { std::filesystem::remove(path); }
};

/// What reading `text` says is wrong, without the file's name; empty when it is accepted.
std::string complaint(const std::string& text) {
    const file f(text);
    try {
        nist::read_dataset(f.path);
    } catch (const ricci::io_error& e) {
        const std::string what = e.what();
        CHECK(what.starts_with(f.path));
        return what.substr(f.path.size() + 1);
    }
    return "";
}

std::string first_lines(const std::string& text, int count) {
    std::size_t end = 0;
    for (int i = 0; i < count; ++i) end = text.find('\n', end) + 1;
    return text.substr(0, end);
}

}  // namespace

TEST_CASE("nist: a file is read whole") {
    const file f(whole);
    const nist::dataset set = nist::read_dataset(f.path);
    CHECK(set.name == "Invented");
    CHECK(set.observations == 4);
    CHECK(set.predictors == 2);
    CHECK(set.parameters == 2);
    CHECK(set.log_response);
    CHECK(set.start[0] == std::vector<double>{-0.5, 1.0});
    CHECK(set.start[1] == std::vector<double>{2.5, 0.25});
    CHECK(set.certified == std::vector<double>{1.5, -0.25});
    CHECK(set.certified_deviation == std::vector<double>{0.017, 0});
    CHECK(set.residual_sum_of_squares == 0.08);
    CHECK(set.residual_deviation == 0.2);
    CHECK(set.degrees_of_freedom == 2);
    CHECK(set.y == std::vector<double>{std::log(15.0), std::log(17.0), 0.0, std::log(10.0)});
    CHECK(set.x == std::vector<double>{1, 180, 1, 180, 2, -225, 8, 0});
}

TEST_CASE("nist: line ends of other systems and a missing last line end") {
    std::string windows;
    for (char c : std::string(whole)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(complaint(windows) == "");
    std::string bare = whole;
    while (bare.back() == '\n') bare.pop_back();
    CHECK(complaint(bare) == "");
}

TEST_CASE("nist: broken files are refused with the line") {
    CHECK_THROWS_WITH_AS(nist::read_dataset("/nowhere/at/all.dat"), "/nowhere/at/all.dat: cannot open the file",
                         ricci::io_error);
    CHECK(complaint("") == " not a StRD file: the first line is not 'NIST/ITL StRD'");
    CHECK(complaint("y x\n1 2\n") == " not a StRD file: the first line is not 'NIST/ITL StRD'");
    CHECK(complaint(first_lines(whole, 3)).starts_with(" no line 'File Format:'"));
    CHECK(complaint(first_lines(whole, 28)) == "7: 'Data' ends at line 30, but the file has only 28 lines");
    CHECK(complaint(with("27 to 30", "27 to")) == "7: expected 'Data (lines FIRST to LAST)'");
    CHECK(complaint(with("27 to 30", "27 to 3O")) == "7: '3O' is not a whole number");
    CHECK(complaint(with("27 to 30", "30 to 27")) == "7: lines 30 to 27 are no valid range");
    CHECK(complaint(with("27 to 30", "27 to 99999999999999999999")).ends_with("is not a whole number"));
    CHECK(complaint(with("27 to 30", "24 to 27")) == " the header's line ranges overlap or are out of order");
    CHECK(complaint(with("18 to  24", "18 to  23"))
              .starts_with(" no line 'Number of Observations:' among lines 18 to 23"));
    CHECK(complaint(with("Dataset Name:  Invented          (Invented.dat)", "Dataset Name:")) ==
          "2: the data set has no name");
    CHECK(complaint(with("4 Observations", "many Observations")) ==
          " the header does not say how many Observations there are");
    CHECK(complaint(with("4 Observations", "0 Observations")) == "13: the number of Observations must be positive");
    CHECK(complaint(with("1 Response", "2 Response")) == " more than one response");
}

TEST_CASE("nist: counts and figures that contradict each other") {
    CHECK(complaint(with("4 Observations", "5 Observations")) ==
          "24: the header names 5 observations, the certified values 4");
    CHECK(complaint(with("2 Parameters", "3 Parameters")) ==
          "18: the header names 3 parameters, the starting values have 2 lines");
    CHECK(complaint(with("27 to 30", "27 to 29")) == "27: the header names 4 observations, the data have 3 lines");
    CHECK(complaint(with("2.0000000000E-01", "2.0000100000E-01"))
              .starts_with("22: the residual standard deviation does not agree"));
    CHECK(complaint(with("8.0000000000E-02", "-8.0000000000E-02")) == "21: a sum of squares cannot be negative");
    CHECK(complaint(with("1.7000000000E-02", "-1.7000000000E-02")) == "18: a standard deviation cannot be negative");
    CHECK(complaint(with("2 Predictors", "1 Predictor")) == "26: expected 'Data: y' and the names of 1 predictors");
}

TEST_CASE("nist: broken numbers and lines") {
    CHECK(complaint(with("b2 = ", "b3 = ")) == "19: expected 'b2 = START1 START2 CERTIFIED DEVIATION'");
    CHECK(complaint(with("2.5          1.5", "1.5")) == "18: expected 'b1 = START1 START2 CERTIFIED DEVIATION'");
    CHECK(complaint(with("-0.5 ", "-0.5x ")) == "18: '-0.5x' is not a number");
    CHECK(complaint(with("-0.5 ", "+-0.5 ")) == "18: '+-0.5' is not a number");
    CHECK(complaint(with("-0.5 ", "nan ")) == "18: 'nan' is not a number");
    CHECK(complaint(with("-0.5 ", "inf ")) == "18: 'inf' is not a number");
    CHECK(complaint(with("-0.5 ", "1e999 ")) == "18: '1e999' is out of the range of double");
    CHECK(complaint(with("17.00E0", "17,00E0")) == "28: '17,00E0' is not a number");
    CHECK(complaint(with("17.00E0         1E0", "17.00E0")) == "28: expected 3 numbers, found 2");
    CHECK(complaint(with("     17.00E0         1E0         180E0", "")) == "28: expected 3 numbers, found 0");
    CHECK(complaint(with("17.00E0", "-17.00E0")) ==
          "28: the model takes the logarithm of a response that is not positive");
    CHECK(complaint(std::string(whole) + "1 2 3\n") == "32: text after the last observation");
}

TEST_CASE("nist: QR solves least squares and sees dependent columns") {
    nist::matrix a(4, 3);
    const double columns[3][4] = {{1, 1, 1, 1}, {1, 2, 3, 4}, {1e-3, -1e-3, 2e-3, 5e-3}};
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 4; ++i) a(i, j) = columns[j][i];
    const nist::pivoted_qr qr(a);
    CHECK(qr.rank() == 3);
    std::vector<double> right(4);
    for (std::size_t i = 0; i < 4; ++i) right[i] = 2 * a(i, 0) - 3 * a(i, 1) + 500 * a(i, 2);
    const auto x = qr.solve_projected(qr.project(right));
    CHECK(x[0] == doctest::Approx(2).epsilon(1e-12));
    CHECK(x[1] == doctest::Approx(-3).epsilon(1e-12));
    CHECK(x[2] == doctest::Approx(500).epsilon(1e-12));

    for (std::size_t i = 0; i < 4; ++i) a(i, 2) = a(i, 0) + a(i, 1);
    CHECK(nist::pivoted_qr(a).rank() == 2);
    CHECK(nist::pivoted_qr(nist::matrix(4, 3)).rank() == 0);
}

TEST_CASE("nist: a straight line and its deviations, by the textbook's formulas") {
    const std::vector<double> x{1, 2, 3, 4, 5}, y{1.1, 1.9, 3.2, 3.9, 5.1};
    auto line = [&](const std::vector<double>& b) {
        nist::linearization at{y, nist::matrix(5, 2)};
        for (std::size_t i = 0; i < 5; ++i) {
            at.residual[i] -= b[0] + b[1] * x[i];
            at.jacobian(i, 0) = 1;
            at.jacobian(i, 1) = x[i];
        }
        return at;
    };
    const nist::fit found = nist::levenberg_marquardt(line, y, {-100, 1e6});
    CHECK(found.parameters[0] == doctest::Approx(0.04).epsilon(1e-12));
    CHECK(found.parameters[1] == doctest::Approx(1.0).epsilon(1e-12));
    CHECK(found.residual_sum_of_squares == doctest::Approx(0.072).epsilon(1e-12));
    const double s = std::sqrt(0.072 / 3);
    CHECK(found.residual_deviation == doctest::Approx(s).epsilon(1e-12));
    CHECK(found.deviation[0] == doctest::Approx(s * std::sqrt(1.0 / 5 + 9.0 / 10)).epsilon(1e-12));
    CHECK(found.deviation[1] == doctest::Approx(s / std::sqrt(10)).epsilon(1e-12));
    CHECK(found.rounding[1] < 1e-14);
    CHECK_THROWS_AS(nist::levenberg_marquardt(line, {1}, {0, 0}), ricci::value_error);
}

TEST_CASE("nist: steps to where the model is not finite are taken back") {
    const std::vector<double> y{2, 2};
    auto root = [&](const std::vector<double>& b) {  // sqrt(100 - b) = 2: Gauss-Newton overshoots to where it is NaN
        nist::linearization at{y, nist::matrix(2, 1)};
        for (std::size_t i = 0; i < 2; ++i) {
            at.residual[i] -= std::sqrt(100 - b[0]);
            at.jacobian(i, 0) = -0.5 / std::sqrt(100 - b[0]);
        }
        return at;
    };
    CHECK(nist::levenberg_marquardt(root, y, {1}, {.first_radius = 1e9}).parameters[0] ==
          doctest::Approx(96).epsilon(1e-12));
    CHECK_THROWS_WITH_AS(nist::levenberg_marquardt(root, y, {101}), "the model is not finite at the starting values",
                         ricci::value_error);
}

TEST_CASE("nist: digits of agreement") {
    CHECK(nist::digits_of_agreement(2, 2) == 11);
    CHECK(nist::digits_of_agreement(0, 0) == 11);
    CHECK(nist::digits_of_agreement(1.001, 1) == doctest::Approx(3));
    CHECK(nist::digits_of_agreement(-1, 1) == 0);
    CHECK(nist::digits_of_agreement(1, 0) == 0);
    CHECK(nist::digits_of_agreement(std::nan(""), 1) == 0);
    CHECK(nist::digits_of_agreement(std::numeric_limits<double>::infinity(), 1) == 0);
}
