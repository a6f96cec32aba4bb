// GradBench's particle in all nestings of forward and reverse mode, against the result that the suite expects.
#include <doctest/doctest.h>

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
