// Derivatives of splines in places, values and x, and batches of them.
#include <doctest/doctest.h>
#include <ricci/scientific.hpp>

#include <cmath>

using namespace ricci;

namespace {

const tensor<double, 1> x{0, 1, 2.5, 3, 4.5, 5}, y{1, -1, 2, 2.5, 0, 1}, t{-0.5, 0.3, 1.2, 2.7, 4.9, 5.5};

}  // namespace

TEST_CASE("splines: derivatives in places, values and x") {
    const auto cubic = [](const auto& places, const auto& values, const auto& at) {
        const auto f = cubic_spline(places, values);
        return concat(std::make_tuple(f(at), cubic_spline(places, values, spline_ends::natural).derivative()(at),
                                      reshape(f.integrate(0.3, at), {-1})),
                      0);
    };
    CHECK(gradcheck(cubic, std::make_tuple(x, y, t)));
    CHECK(gradgradcheck<gradcheck_mode::backward>(cubic, std::make_tuple(x, y, t)));
}

TEST_CASE("splines: derivatives of monotone, local and periodic ones") {
    const auto others = [](const auto& places, const auto& values, const auto& at) {
        const auto once = concat(std::make_tuple(values, values(slice(none, 1))), 0);
        const auto around = concat(std::make_tuple(places, evaluate(places(slice(5, none)) + 1)), 0);
        return concat(std::make_tuple(pchip(places, values)(at), akima(places, values)(at),
                                      cubic_spline(around, once, spline_ends::periodic)(at)),
                      0);
    };
    CHECK(gradcheck(others, std::make_tuple(x, y, t)));
}

TEST_CASE("splines: batches of values and of places") {
    const auto lines = stack(std::make_tuple(y, evaluate(y * y), evaluate(sin(y))));
    const auto spline = [](const auto& values) { return cubic_spline(x, values)(t); };
    CHECK(allclose(vmap(spline)(lines), matrix_transpose(cubic_spline(x, matrix_transpose(lines))(t)), 1e-13, 1e-13));
    const auto places = stack(std::make_tuple(x, evaluate(x * 1.5 - 0.2)));
    const auto each = vmap([](const auto& p, const auto& at) { return pchip(p, y)(at); }, in_axes(0, none))(places, t);
    CHECK(allclose(each(1), pchip(places(1), y)(t), 1e-13, 1e-13));
    const auto slope = [](const auto& at) { return sum(cubic_spline(x, y)(at)); };
    CHECK(allclose(vmap(grad(slope))(t), cubic_spline(x, y).derivative()(t), 1e-12, 1e-12));
}
