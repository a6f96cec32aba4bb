// Distributions on the Thrust backend against the CPU.
#include "agree.hpp"

TEST_CASE("cuda: distributions are those of the CPU") {
    rc::generator a(7), b(7);
    const auto shapes = rc::evaluate(rc::abs(random_tensor({40, 1})));
    const auto scales = rc::evaluate(rc::abs(random_tensor({25}, 2)));
    const auto there = shapes.to(rc::cuda);
    const auto scales_there = scales.to(rc::cuda);
    check_equal(rc::random::gamma(there, scales_there, a), rc::random::gamma(shapes, scales, b));
    check_equal(rc::random::normal<float>(1, 2, {30}, a, rc::cuda), rc::random::normal<float>(1, 2, {30}, b));
    check_equal(rc::random::poisson(30 * there, {40, 10}, a), rc::random::poisson(30 * shapes, {40, 10}, b));
    check_equal(rc::random::integers(-5, 1000, {99}, a, rc::cuda), rc::random::integers(-5, 1000, {99}, b));
    check_equal(rc::random::bernoulli(0.3, {99}, a, rc::cuda), rc::random::bernoulli(0.3, {99}, b));
    CHECK(a.offset() == b.offset());
}
