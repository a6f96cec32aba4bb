// cumulative_simpson, romb, gauss_legendre, fixed_quad: SciPy's and NumPy's values, derivatives, batches, errors.
#include <doctest/doctest.h>
#include <ricci/scientific.hpp>

#include <cmath>

using namespace ricci;

namespace {

const tensor<double, 1> x{0, 1, 2.5, 3, 4.5, 5}, y{1, -1, 2, 2.5, 0, 1};

template <class A, class B>
bool close(const A& a, const B& b) {
    return allclose(a, b, 1e-14, 1e-14);
}

}  // namespace

TEST_CASE("quadrature: SciPy's running integrals by Simpson's rule") {
    CHECK(close(cumulative_simpson(y, x), tensor<double, 1>{-0.2666666666666666, -0.41666666666666663,
                                                            0.736111111111111, 3.361111111111111, 3.5729166666666665}));
    const auto five = y(slice(none, 5));
    const tensor<double, 1> integrals{-0.20833333333333331, -0.16666666666666666, 1.0833333333333333,
                                      1.8333333333333333};
    CHECK(close(cumulative_simpson(five, 0.5), integrals));
    CHECK(close(cumulative_simpson(five, 0.5)(-1), simpson(five, 0.5)));
    CHECK(close(cumulative_simpson(stack(std::make_tuple(five, 2 * five), 1), 0.5, 0)(all, 1), 2 * integrals));
    CHECK(close(cumulative_simpson(y(slice(none, 2)), 0.5), tensor<double, 1>{0}));
    CHECK(cumulative_simpson(tensor<int, 1>{1, 2, 3})(1).item() == 4);
    CHECK(cumulative_simpson(zeros<double>({1})).size() == 0);
}

TEST_CASE("quadrature: Romberg's method") {
    const auto t = linspace(0, 1, 9);
    CHECK(close(romb(exp(t), 0.125), full(shape<0>{}, 1.7182818287945303)));  // SciPy's
    CHECK(close(romb(pow(t, 7), 0.125), full(shape<0>{}, 0.125)));            // exact
    CHECK(romb(tensor<int, 1>{1, 3}).item() == 2);
    CHECK(close(romb(stack(std::make_tuple(t, 2 * t), 1), 0.125, 0), tensor<double, 1>{0.5, 1}));
    CHECK_THROWS_WITH_AS(romb(zeros<double>({4})), "[romb] 2^k + 1 samples, not 4", shape_error);
}

TEST_CASE("quadrature: places and weights of Gauss, of NumPy and of Abramowitz and Stegun") {
    const auto [places, weights] = gauss_legendre(5);
    CHECK(close(places,
                tensor<double, 1>{-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831, 0.906179845938664}));
    CHECK(close(weights, tensor<double, 1>{0.23692688505618908, 0.4786286704993665, 128 / 225.0, 0.4786286704993665,
                                           0.23692688505618908}));
    const auto [many, shares] = gauss_legendre(64);
    CHECK(close(many(slice(none, 2)), tensor<double, 1>{-0.9993050417357722, -0.9963401167719553}));
    CHECK(close(shares(slice(none, 2)), tensor<double, 1>{0.001783280721696433, 0.004147033260562468}));
    for (const index_t n : {1, 2, 3, 16, 301}) CHECK(std::abs(sum(gauss_legendre(n)[1]).item() - 2) < 1e-13);
    static_assert(std::is_same_v<decltype(gauss_legendre<float>(3)), std::array<tensor<float, 1>, 2>>);
    CHECK_THROWS_AS(gauss_legendre(0), value_error);
}

TEST_CASE("quadrature: fixed_quad and its derivatives in the ends and in what is captured") {
    const auto f = [](auto t) { return pow(t, 9); };
    CHECK(close(fixed_quad(f, 0.0, 2.0), full(shape<0>{}, 102.4)));
    const auto ends = tensor<double, 1>{1, 2};
    CHECK(close(fixed_quad(f, 0, ends), pow(ends, 10) / 10));
    const auto of = [](auto a, auto b) { return fixed_quad([&](auto t) { return exp(a * t); }, a, b, 12); };
    const auto a = tensor<double, 0>(0.5), b = tensor<double, 0>(2.0);
    CHECK(gradcheck(of, std::make_tuple(a, b)));
    CHECK(gradgradcheck<gradcheck_mode::backward>(of, std::make_tuple(a, b)));
    CHECK(close(vmap(grad([&](auto to) { return fixed_quad(f, 0.0, to); }))(ends), pow(ends, 9)));
}

TEST_CASE("quadrature: derivatives and batches of running integrals") {
    const auto both = [](auto u, auto v) {
        return concat(std::make_tuple(cumulative_simpson(u, v), cumulative_simpson(u, 0.5)), 0);
    };
    CHECK(gradcheck(both, std::make_tuple(y, x)));
    const auto lines = stack(std::make_tuple(y, 2 * y));
    CHECK(close(vmap([](auto v) { return cumulative_simpson(v, x); })(lines), cumulative_simpson(lines, x)));
    CHECK(close(vmap([](auto v) { return romb(v, 0.5); })(lines(all, slice(none, 5))),
                romb(lines(all, slice(none, 5)), 0.5)));
}
