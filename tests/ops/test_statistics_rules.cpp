// Derivatives and batches of statistics and of functions of samples; lift.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("statistics: derivatives and batches") {
    const auto x = spread({3, 5}), w = evaluate(square(spread({3, 5}, 9)) + 1.0);
    const tensor<double, 1> places{-2, -0.4, 0.3, 1, 2.5}, values{1, -2, 3, 0, 5};
    const auto averages = [](auto a, auto b) { return average(a, b, 1); };
    CHECK(gradgradcheck(averages, ricci::tuple(x, w)));
    CHECK(gradcheck([](auto a) { return corrcoef(a); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto a) { return cov(a); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a, auto p, auto v) { return interp(a, p, v); }, ricci::tuple(x, places, values)));
    CHECK(gradcheck([](auto a) { return nanquantile(a, 0.4, 1); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto c, auto a) { return polyval(c, a); }, ricci::tuple(values, evaluate(x(0)))));
    CHECK(gradcheck([](auto y, auto p) { return gradient(y, p, -1, 2); }, ricci::tuple(x, places)));
    check_vmap(averages, in_axes(0, 0), 0, spread({2, 3, 5}), evaluate(square(spread({2, 3, 5}, 9)) + 1.0));
    check_vmap([](auto a) { return cov(a); }, spread({2, 3, 4}));
    check_vmap([&](auto a) { return interp(a, places, values, -1.0); }, x);
    check_vmap([](auto a) { return gradient(a); }, x);
    check_vmap([](auto a) { return nanmedian(a, 0); }, x);
    // NaN among the elements has no derivative
    const tensor<double, 1> holed{3, std::numeric_limits<double>::quiet_NaN(), 1, 2};
    check_close(grad([](auto a) { return nanmedian(a); })(holed), tensor<double, 1>{0, 0, 0, 1});
}

TEST_CASE("lift: a state that a loop changes under a transform") {
    const auto steps = [](auto rate) {
        auto state = lift(tensor<double, 1>{1, 2}, rate);
        for (int k = 0; k < 3; ++k) state = evaluate(state * rate);
        return sum(state);
    };
    const tensor<double, 0> rate(1.5);
    CHECK(steps(rate).item() == 3 * 1.5 * 1.5 * 1.5);
    CHECK(grad(steps)(rate).item() == 9 * 1.5 * 1.5);
    CHECK(hessian(steps)(rate).item() == 18 * 1.5);
    check_vmap(steps, spread({4}));
}
