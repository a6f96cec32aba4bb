// GradBench's saddle in all nestings of forward and reverse mode, against the result that the suite expects.
#include <doctest/doctest.h>

#include "../../bench/gradbench/nested_hand.hpp"
#include "../../bench/gradbench/saddle.hpp"

using namespace gradbench;

namespace {

void check(const rc::tensor<double, 1>& point) {
    // every descent ends where its slope is 1e-5: the digits are those of its path
    for (index_t i = 0; i < 4; ++i) CHECK(point.at(i) == doctest::Approx(8.246324826140356e-06).epsilon(1e-9));
}
const rc::tensor<double, 1> start{1, 1};

}  // namespace

TEST_CASE("gradbench: saddle, forward in forward") { check(saddle_point(forward_mode, forward_mode, start)); }
TEST_CASE("gradbench: saddle, reverse in forward") { check(saddle_point(forward_mode, reverse_mode, start)); }
TEST_CASE("gradbench: saddle, forward in reverse") { check(saddle_point(reverse_mode, forward_mode, start)); }
TEST_CASE("gradbench: saddle, reverse in reverse") { check(saddle_point(reverse_mode, reverse_mode, start)); }
TEST_CASE("gradbench: saddle by hand") {
    const auto point = saddle_by_hand({1, 1});
    check(rc::from_span(std::span(point)));
}
