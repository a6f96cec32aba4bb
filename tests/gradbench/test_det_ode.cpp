// GradBench's det and ode: values and gradients against plain loops, and those against differences.
#include <doctest/doctest.h>

#include "../../bench/gradbench/det_hand.hpp"
#include "../../bench/gradbench/ode_hand.hpp"
#include "golden.hpp"

using namespace gradbench;

namespace {

const auto det_with_gradient = rc::value_and_grad([](const auto& x) { return determinant(x); });
const auto ode_with_gradient = [](const auto& x, index_t steps) {
    return rc::value_and_grad([steps](const auto& v) { return ode_last(v, steps); })(x);
};

}  // namespace

TEST_CASE("gradbench: det") {
    for (const index_t l : {1, 2, 5}) {
        const auto a = make_det(l), expected = rc::zeros<double>({l, l});
        det_by_hand hand(a);
        const double by_hand = hand.gradient(expected.data());
        const auto [value, gradient] = det_with_gradient(a);
        // sums of l! products of numbers below 1
        CHECK(std::abs(value.item() - by_hand) < 1e-13);
        CHECK(rc::allclose(gradient, expected, 1e-12, 1e-13));
        // linear in each element: differences are exact but for rounding
        for (index_t i = 0; i < l * l; ++i) {
            double& at = a.data()[i];
            const double kept = at;
            at = kept + 1;
            CHECK(std::abs(expected.data()[i] - (hand.value() - by_hand)) < 1e-12);
            at = kept;
        }
    }
}

TEST_CASE("gradbench: ode") {
    const index_t n = 7, steps = 9;
    const auto x = make_ode(n), y = rc::empty<double>({n}), expected = rc::empty<double>({n}),
               other = rc::empty<double>({n});
    ode_by_hand hand(n, steps);
    hand.gradient(x.data(), y.data(), expected.data());
    CHECK(rc::allclose(ode_solution(x, steps), y, 1e-13, 1e-16));
    // y_i = prod x_0..x_i t^(i+1) / (i+1)!, which the method has exactly up to fourth order
    CHECK(y.at(2) == doctest::Approx(x.at(0) * x.at(1) * x.at(2) * 8 / 6).epsilon(1e-13));
    CHECK(rc::allclose(std::get<1>(ode_with_gradient(x, steps)), expected, 1e-12, 1e-15));
    // linear in each element, as y is
    for (index_t i = 0; i < n; ++i) {
        const double kept = x.at(i);
        x.at(i) = kept + 1;
        hand.value(x.data(), other.data());
        x.at(i) = kept;
        CHECK(expected.at(i) == doctest::Approx(other.at(n - 1) - y.at(n - 1)).epsilon(1e-10));
    }
}

TEST_CASE("gradbench: det and ode against PyTorch") {
    const auto [volume, slopes] = det_with_gradient(make_det(5));
    CHECK(as_torch(volume, golden::gradbench::det_value));
    CHECK(as_torch(slopes, golden::gradbench::det_gradient));
    const auto [last, gradient] = ode_with_gradient(make_ode(6), 5);
    CHECK(as_torch(last, golden::gradbench::ode_value));
    CHECK(as_torch(gradient, golden::gradbench::ode_gradient));
}
