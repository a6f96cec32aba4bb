// GradBench's BA: errors and Jacobian against plain loops, and those against differences in long double.
#include <doctest/doctest.h>

#include <filesystem>

#include "../../bench/gradbench/ba_hand.hpp"
#include "golden.hpp"

using namespace gradbench;

namespace {

void check_ba(const ba_data& d) {
    const ba_objective f(d);
    const auto errors = rc::empty<double>({3 * d.p()});
    ba_errors_by_hand(d, errors.data());
    // a few dozen roundings, some in differences of numbers a thousand times as large
    CHECK(rc::allclose(f(), errors, 1e-12, 1e-10));

    const auto expected = ba_jacobian_by_hand(d), got = f.jacobian();
    CHECK(rc::sum(got.row_offsets != expected.row_offsets).item() == 0);
    CHECK(rc::sum(got.columns != expected.columns).item() == 0);
    const double largest = rc::evaluate(rc::max(abs(expected.values))).item();
    CHECK(rc::allclose(got.values, expected.values, 1e-11, 1e-13 * largest));
}

/// The rows of one observation against central differences: truncation h^2 = 1e-12, rounding 1e-19 / h = 1e-13, both
/// relative to the derivatives of the third order and the value, which are of the size of the first here.
void check_differences(const ba_data& d) {
    using real = long double;
    real x[observed_size];
    for (index_t k = 0; k < camera_size; ++k) x[k] = d.cameras.at(0, k);
    for (index_t k = 0; k < 3; ++k) x[camera_size + k] = d.points.at(0, k);
    x[observed_size - 1] = d.weights.at(0);
    const auto error = [&](const real* at, real* jacobian) {
        std::array<real, 2> e;
        ba_by_hand<real>::project(at, at + camera_size, at[observed_size - 1], d.features.data(), e.data(), jacobian);
        return e;
    };
    real jacobian[2 * observed_size];
    error(x, jacobian);
    for (index_t k = 0; k < observed_size; ++k) {
        const real h = 1e-6L, kept = x[k];
        x[k] = kept + h;
        const auto above = error(x, nullptr);
        x[k] = kept - h;
        const auto below = error(x, nullptr);
        x[k] = kept;
        for (std::size_t i = 0; i < 2; ++i)
            CHECK(double(jacobian[i * observed_size + std::size_t(k)]) ==
                  doctest::Approx(double((above[i] - below[i]) / (2 * h))).epsilon(1e-8));
    }
}

}  // namespace

TEST_CASE("gradbench: BA of different cameras") {
    const auto d = make_ba(3, 11, 50);
    check_differences(d);
    check_ba(d);
}
TEST_CASE("gradbench: BA without rotation") {
    auto d = make_ba(1, 1, 2);
    d.cameras(rc::all, rc::slice(0, 3)) = 0.0;
    check_differences(d);
    check_ba(d);
}
TEST_CASE("gradbench: BA of the suite's file") {
    const std::string path = std::string(RICCI_TEST_DATA) + "/adbench/ba_test.txt";
    if (!std::filesystem::exists(path)) {
        MESSAGE("skipped: there is no " << path);
        return;
    }
    const auto d = read_ba(path);
    CHECK(d.p() == 10);
    check_differences(d);
    check_ba(d);
}

TEST_CASE("gradbench: BA against PyTorch") {
    const auto d = make_ba(2, 3, 4);
    const ba_objective f(d);
    CHECK(as_torch(f(), golden::gradbench::ba_value));
    CHECK(as_torch(f.jacobian().to_dense(), golden::gradbench::ba_jacobian));
}
