// GradBench's HT: errors and Jacobian against plain loops, and those against differences.
#include <doctest/doctest.h>

#include "../../bench/gradbench/ht_hand.hpp"
#include "golden.hpp"

using namespace gradbench;

namespace {

void check_ht(const rc::tensor<double, 1>& theta, bool complicated) {
    const index_t n = 13, width = complicated ? 28 : 26;
    const auto d = make_ht(40, n);
    const auto places = make_ht_places(n), error = rc::empty<double>({3, n});
    const auto expected = rc::empty<double>({3, n, width});
    ht_by_hand hand(d);
    const double* u = complicated ? places.data() : nullptr;
    hand(theta.data(), u, error.data(), expected.data());

    const ht_objective f(d);
    // chains of seven products of small matrices, whose elements are of about 1
    CHECK(rc::allclose(complicated ? f(theta, places) : f(theta), error, 1e-12, 1e-13));
    CHECK(rc::allclose(complicated ? f.jacobian(theta, places) : f.jacobian(theta), expected, 1e-11, 1e-13));

    // truncation h^2 = 1e-10, rounding 1e-15 / h = 1e-10
    const double h = 1e-5;
    const auto above = rc::empty<double>({3, n}), below = rc::empty<double>({3, n});
    const auto check = [&](double& at, index_t column, index_t only) {
        const double kept = at;
        at = kept + h;
        hand(theta.data(), u, above.data(), nullptr);
        at = kept - h;
        hand(theta.data(), u, below.data(), nullptr);
        at = kept;
        for (index_t i = 0; i < 3; ++i)
            for (index_t p = 0; p < n; ++p)
                if (only < 0 || only == p)
                    CHECK(std::abs(expected.at(i, p, column) - (above.at(i, p) - below.at(i, p)) / (2 * h)) < 2e-8);
    };
    for (index_t k = 0; k < ht_data::parameters; ++k) check(theta.at(k), width - ht_data::parameters + k, -1);
    if (complicated)
        for (index_t p = 0; p < n; ++p)
            for (index_t k = 0; k < 2; ++k) check(places.at(p, k), k, p);
}

}  // namespace

TEST_CASE("gradbench: HT, simple") { check_ht(make_ht_pose(), false); }
TEST_CASE("gradbench: HT, complicated") { check_ht(make_ht_pose(), true); }
TEST_CASE("gradbench: HT against PyTorch") {
    const auto d = make_ht(10, 3);
    const auto theta = make_ht_pose();
    const auto places = make_ht_places(3);
    const ht_objective f(d);
    CHECK(as_torch(f(theta), golden::gradbench::ht_simple_value));
    CHECK(as_torch(f.jacobian(theta), golden::gradbench::ht_simple_jacobian));
    CHECK(as_torch(f(theta, places), golden::gradbench::ht_complicated_value));
    CHECK(as_torch(f.jacobian(theta, places), golden::gradbench::ht_complicated_jacobian));
}
