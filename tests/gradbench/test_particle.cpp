// GradBench's particle in all nestings of forward and reverse mode, against the result that the suite expects.
#include <doctest/doctest.h>

#include "../../bench/gradbench/nested_hand.hpp"
#include "../../bench/gradbench/particle.hpp"

using namespace gradbench;

namespace {

// the suite's own tolerance on this number, which steps of 1e-5 near a flat minimum determine
void check(double w) { CHECK(w == doctest::Approx(0.2071918746486116).epsilon(1e-4)); }

}  // namespace

TEST_CASE("gradbench: particle, forward in forward") { check(particle_control(forward_mode, forward_mode, 0)); }
TEST_CASE("gradbench: particle, reverse in forward") { check(particle_control(forward_mode, reverse_mode, 0)); }
TEST_CASE("gradbench: particle, forward in reverse") { check(particle_control(reverse_mode, forward_mode, 0)); }
TEST_CASE("gradbench: particle, reverse in reverse") { check(particle_control(reverse_mode, reverse_mode, 0)); }
TEST_CASE("gradbench: particle by hand, and its slope against differences") {
    check(particle_by_hand(0));
    // truncation h^2 = 1e-10, rounding 1e-13 / h; the number of steps is the same on both sides
    double slope = 0, unused = 0;
    (void)particle_miss_by_hand(0.3, slope);
    const double h = 1e-5, above = particle_miss_by_hand(0.3 + h, unused),
                 below = particle_miss_by_hand(0.3 - h, unused);
    CHECK(slope == doctest::Approx((above - below) / (2 * h)).epsilon(1e-6));
}
