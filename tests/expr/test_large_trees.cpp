// Expressions of many leaves, whose functions are large types: what stands beside them must be kept.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// h = x b + c, g = h h + h c: 8 leaves, so that its square has 16.
auto g_of(const tensor<double, 1>& x, const tensor<double, 1>& b, const tensor<double, 1>& c) {
    const auto h = x * b + c;
    return h * h + h * c;
}

}  // namespace

// With x = 1, b = 0.5, c = 1.5: h = 2, g = 7. All values are exact in double.
TEST_CASE("numbers beside 16 and 32 leaves") {
    const tensor<double, 1> x{1.0, 2.0}, b{0.5, 0.25}, c{1.5, -1.0};
    const auto g = g_of(x, b, c);
    const auto w = g * g;
    const tensor<double, 1> left = 2.5 + w, right = w + 2.5, scaled = 3.0 * w, wide = 2.5 + w * w;
    CHECK(left(0) == 51.5);
    CHECK(right(0) == 51.5);
    CHECK(scaled(0) == 147.0);
    CHECK(wide(0) == 2403.5);
    CHECK(double(sum(2.5 + w)) == 51.5 + 3.0625);
    const tensor<double, 1> clipped = clip(w, 0.0, 10.0), chosen = where(x > 1.5, 2.5, w), powers = pow(w, 0.5);
    CHECK(clipped(0) == 10.0);
    CHECK(clipped(1) == 0.5625);
    CHECK(chosen(0) == 49.0);
    CHECK(chosen(1) == 2.5);
    CHECK(powers(0) == 7.0);
}

TEST_CASE("a captured number beside a large tree") {
    const tensor<double, 1> x{1.0, 2.0}, b{0.5, 0.25}, c{1.5, -1.0};
    const auto g = g_of(x, b, c);
    const tensor<double, 1> y = map([k = 2.5](auto p, auto q) { return k + p * q; }, g * g, g * g);
    CHECK(y(0) == 2403.5);
}

// d/dx (2.5 + g^2)^2 = 2 (2.5 + g^2) 2 g (2 h + c) b.
TEST_CASE("the gradient of a large tree with a number on the left") {
    const tensor<double, 1> x{1.0, 2.0}, b{0.5, 0.25}, c{1.5, -1.0};
    const auto f = [&](auto v) {
        const auto h = v * b + c;
        const auto g = h * h + h * c;
        return sum(square(2.5 + g * g));
    };
    const tensor<double, 1> slope = grad(f)(x);
    CHECK(slope(0) == 2 * 51.5 * 2 * 7.0 * (2 * 2.0 + 1.5) * 0.5);
}
