// Level confusion: what tells nested transforms apart, in the cases where types alone do not.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("levels: d/dx of x * (d/dy of (x + y) at 1) at 1") {
    auto f = [](auto x) { return x * grad([x](auto y) { return x + y; })(1.0); };
    CHECK(grad(f)(1.0).item() == 1);
    auto g = [](auto x) { return x * std::get<1>(jvp([x](auto y) { return x + y; }, 1.0, 1.0)); };
    CHECK(std::get<1>(jvp(g, 1.0, 1.0)).item() == 1);
    CHECK(grad(g)(1.0).item() == 1);
    CHECK(std::get<1>(jvp(f, 1.0, 1.0)).item() == 1);
}
TEST_CASE("levels: the order of captured value and argument in an expression does not matter") {
    auto left = [](auto x) { return grad([x](auto y) { return x * y * y; })(3.0) * x; };
    auto right = [](auto x) { return x * grad([x](auto y) { return y * y * x; })(3.0); };
    auto only = [](auto x) { return grad([x](auto y) { return y * (x * x) + sin(x); })(3.0); };
    CHECK(grad(left)(2.0).item() == 24);
    CHECK(grad(right)(2.0).item() == 24);
    CHECK(grad(only)(2.0).item() == 4);
}
TEST_CASE("levels: grad of grad of grad, of one function and with captured values") {
    auto quartic = [](auto x) { return x * x * x * x; };
    CHECK(grad(grad(grad(quartic)))(0.5).item() == 12);
    auto f = [](auto x) {
        return grad([x](auto y) { return grad([x, y](auto z) { return x * x * y * y * z * z; })(1.0) * y; })(1.0) * x;
    };
    CHECK(grad(f)(2.0).item() == 72);  // z: 2 x^2 y^2; y: 6 x^2; x: 18 x^2
}
TEST_CASE("levels: an inner function that uses only the captured value") {
    CHECK(grad([](auto x) { return x + grad([x](auto) { return x * x; })(1.0); })(3.0).item() == 1);
    CHECK(grad([](auto x) { return sum(vmap([x](auto) { return x * x; })(zeros<double>({4}))); })(3.0).item() == 24);
    CHECK(grad([](auto x) { return std::get<0>(jvp([x](auto) { return x * x; }, 1.0, 1.0)); })(3.0).item() == 6);
}
TEST_CASE("levels: a captured value that is compared but not computed with") {
    auto f = [](auto x) { return x * grad([x](auto y) { return where(x > 1, y * y, 5 * y); })(3.0); };
    CHECK(grad(f)(2.0).item() == 6);
    CHECK(grad(f)(0.5).item() == 5);
    const auto y = vmap([](auto x) { return grad([x](auto v) { return where(x > 1, v * v, 5 * v); })(3.0); })(tensor<double, 1>{2, 0.5});
    check_close(y, tensor<double, 1>{6, 5});
}
TEST_CASE("levels: three nested vmaps whose innermost function captures all") {
    const tensor<double, 1> a{1, 2}, b{3, 4, 5}, c{6, 7, 8, 9};
    const auto y = vmap([b, c](auto x) {
        return vmap([c, x](auto u) { return vmap([x, u](auto w) { return x * 100 + u * 10 + w; })(c); })(b);
    })(a);
    REQUIRE(y.shape() == shape<3>{2, 3, 4});
    check_close(y, 100 * a(all, newaxis, newaxis) + 10 * b(all, newaxis) + c);
    const auto z = vmap([c](auto x) { return vmap([x](auto u) { return u - x * x; })(c) * x; })(a);
    check_close(z, (c - square(a(all, newaxis))) * a(all, newaxis));
}
TEST_CASE("levels: transforms that throw leave the count of levels as it was") {
    const auto x = spread({3});
    for (int k = 0; k < 3; ++k) {
        CHECK_THROWS_AS(grad([](auto v) { return sum(vmap([](auto u) { return u * spread({2}); })(v) + spread({7})); })(x), shape_error);
        CHECK(grad([](auto v) { return sum(v * v); })(x).at(1) == 2 * x.at(1));
    }
}
