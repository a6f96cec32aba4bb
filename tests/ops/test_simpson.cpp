// simpson against SciPy (golden values: scipy.integrate.simpson), on polynomials, with derivatives and batches.
#include <doctest/doctest.h>
#include <ricci/grad/gradcheck.hpp>
#include <ricci/ops/compare.hpp>
#include <ricci/ops/sampled.hpp>
#include <ricci/vmap/vmap.hpp>

using namespace ricci;

TEST_CASE("simpson: samples at equal distances") {
    const auto y = sin(arange(24.0)).reshape(2, 3, 4);
    CHECK(allclose(simpson(y, 0.5, 0)(0),
                   tensor{-0.13414322950010873, 0.3154095054086343, 0.47497619563013804, 0.19785196205424602}, 1e-13));
    CHECK(allclose(simpson(y, 0.5, 1)(1),
                   tensor{-0.12920682232217806, -0.431461215359255, -0.33703215678037296, 0.06726271243895927}, 1e-13));
    CHECK(allclose(simpson(y, 0.5),
                   tensor{{1.0099680805969151, -0.728296961915498, -0.05787475409608667},
                          {0.8039558895634126, -0.9931265232416235, 0.49434574369127704}},
                   1e-13));
    CHECK(allclose(simpson(matrix_transpose(y(0)), 0.5, 0), simpson(y(0), 0.5), 1e-15));
    CHECK(simpson(arange(5) * arange(5) * arange(5)).item() ==
          doctest::Approx(64).epsilon(1e-14));  // a cubic, of integers
    CHECK(simpson(square(arange(6)), 2.0).item() == doctest::Approx(2 * 125.0 / 3).epsilon(1e-14));
    const auto half = simpson(full({7}, float16(2.0f)), 0.1);
    static_assert(std::is_same_v<decltype(half)::value_type, float16>);
    CHECK(float(half.item()) == doctest::Approx(1.2).epsilon(1e-3));
    CHECK(real(simpson(std::complex(1.0, 2.0) * ones({3}))).item() == doctest::Approx(2).epsilon(1e-14));
}
TEST_CASE("simpson: samples at places") {
    const auto y = sin(arange(24.0)).reshape(2, 3, 4);
    CHECK(allclose(simpson(y, tensor{0.0, 0.5, 1.5, 2.0})(1),
                   tensor{1.2717655758610962, -1.5355715533444132, 0.7356675245853107}, 1e-13));
    CHECK(allclose(simpson(y, tensor{0.0, 1.0, 1.5}, 1)(0),
                   tensor{-0.8514028072214193, -0.7632381896930697, 0.02664409958583902, 0.792029926581088}, 1e-12));
    CHECK(allclose(simpson(y, cumulative_sum(abs(y) + 0.1, 2), -1)(0),
                   tensor{1.5438900712019963, -1.2504043221516181, -0.6482371830142133}, 1e-12));
    CHECK(simpson(square(arange(6)), pow(arange(6.0), 1.5)).item() ==
          doctest::Approx(119.70116398449738).epsilon(1e-13));
    CHECK_THROWS_WITH_AS(simpson(y, zeros({3})), "[simpson] places of shape (3,) for axis 2 of shape (2, 3, 4)",
                         shape_error);
    CHECK_THROWS_AS(simpson(y, 1.0, 3), index_error);
}
TEST_CASE("simpson: fewer samples than a parabola has") {
    CHECK(simpson(tensor{1.0, 3.0}, 0.5).item() == 1);
    CHECK(simpson(tensor{1.0, 3.0}, tensor{1.0, 4.0}).item() == 6);
    CHECK(simpson(tensor{3.0}).item() == 0);
    CHECK(array_equal(simpson(zeros({2, 0})), zeros({2})));
    CHECK(simpson(zeros({0, 4})).shape() == shape{0});
}
TEST_CASE("simpson: derivatives and batches") {
    const tensor<double, 2> y{{1, 3, 2, 5}, {2, 2, -1, 0}};
    const tensor<double, 1> x{0, 1, 1.5, 3};
    CHECK(gradcheck([](auto a, auto b) { return simpson(a, b); }, ricci::tuple(y, x)));
    CHECK(gradgradcheck([](auto a, auto b) { return simpson(a, b); }, ricci::tuple(evaluate(y(0)), x)));
    CHECK(gradcheck([](auto a) { return simpson(a, 0.5, 0); }, ricci::tuple(matrix_transpose(y))));
    CHECK(allclose(vmap([=](auto a) { return simpson(a, x); })(y), simpson(y, x), 1e-14));
    CHECK(allclose(vmap([=](auto a) { return simpson(a, 0.5); }, in_axes(1))(y), simpson(y, 0.5, 0), 1e-14));
}
