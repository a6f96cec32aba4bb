// cubic_spline, cubic_hermite_spline, pchip, akima: SciPy's values, slopes and integrals, shapes, errors.
#include <doctest/doctest.h>
#include <ricci/scientific.hpp>

#include <cmath>

using namespace ricci;

namespace {

const tensor<double, 1> x{0, 1, 2.5, 3, 4.5, 5}, y{1, -1, 2, 2.5, 0, 1}, t{-0.5, 0, 0.3, 1, 2.7, 4.9, 5, 5.5};

template <class A>
bool close(const A& a, const tensor<double, 1>& b) {
    return allclose(a, b, 1e-13, 1e-13);
}
struct known {
    spline_ends ends;
    tensor<double, 1> values, slopes, integrals;
};
const slice first_two(none, 2), first_three(none, 3);

}  // namespace

TEST_CASE("splines: SciPy's CubicSpline with all ends, its slopes and integrals") {
    const known all_of[] = {
        {spline_ends::not_a_knot,
         {4.713977955911824, 1.0, -0.24687014028056117, -1.0, 2.3210897795591183, 0.6200382097528402, 1.0,
          4.670424181696726},
         {-9.741933867735472, -5.282197728790916, -3.0908289913159654, 0.6093186372745492, 1.2812431529726114,
          3.293593186372749, 4.319672678690715, 10.712775551102201},
         {2.898646628256513, -995.4176631039858}},
        {spline_ends::natural,
         {2.352156862745098, 1.0, 0.14362980392156868, -1.0, 2.3376062745098043, 0.7360501960784323, 1.0, 2.0},
         {-2.2347712418300656, -2.9390849673202615, -2.685532026143791, -0.12183006535947705, 1.3067084967320253,
          2.586206535947713, 2.6661437908496732, 0.6677124183006544},
         {2.8019320871459694, 481.7616140159767}},
        {spline_ends::clamped,
         {-0.6094420600858369, 1.0, 0.6336137339055794, -1.0, 2.3608240343347644, 0.9230786838340492, 1.0,
          -2.3075822603719605},
         {7.177396280400572, 0.0, -2.1763090128755365, -1.0414878397711016, 1.3476967095851207, 1.4461230329041443, 0.0,
          -15.537911301859799},
         {2.638145731998093, 2332.8789838658395}},
        {spline_ends::periodic,
         {0.0, 1.0, 0.7567443478260869, -1.0, 2.360709565217392, 0.8711605797101456, 1.0, 0.2510144927536232},
         {1.4110144927536235, 0.7408695652173911, -2.049947826086956, -1.2672463768115945, 1.336440579710144,
          1.7619942028985482, 0.7408695652173911, -2.868405797101449},
         {2.6982223574879223, -7.9637359098228675}}};
    for (const auto& k : all_of) {
        CAPTURE(int(k.ends));
        const auto f = cubic_spline(x, y, k.ends);
        CHECK(close(f(t), k.values));
        CHECK(close(f.derivative()(t), k.slopes));
        CHECK(close(f.integrate(tensor<double, 1>{0.3, 4}, tensor<double, 1>{4.2, -7}), k.integrals));
        CHECK(allclose(f.antiderivative().derivative()(t(slice(1, 7))), k.values(slice(1, 7)), 1e-13, 1e-13));
    }
    const auto f = cubic_spline(x, y);
    CHECK(std::abs(f(2.7).item() - 2.3210897795591183) < 1e-14);
    CHECK(std::abs(f.integrate(0.3, 4.2).item() - 2.898646628256513) < 1e-14);
    CHECK(close(f.derivative(4)(t), zeros<double>({8})));
    CHECK_THROWS_AS(f.derivative(-1), value_error);
}

TEST_CASE("splines: SciPy's with two points and three") {
    const auto of = [](const slice& s, spline_ends ends) { return cubic_spline(x(s), y(s), ends)(t); };
    const tensor<double, 1> line{2, 1, 0.4, -1, -4.4, -8.8, -9, -10};
    CHECK(close(of(first_two, spline_ends::not_a_knot), line));
    CHECK(close(of(first_two, spline_ends::natural), line));
    CHECK(close(of(first_two, spline_ends::clamped), {-1, 1, 0.568, -1, 35.992, 327.536, 351, 485}));
    CHECK(close(of(first_three, spline_ends::not_a_knot), {3.2, 1, 0.064, -1, 2.944, 21.776, 23, 29.6}));
    CHECK(close(of(first_three, spline_ends::natural),
                {2.3, 1, 0.1816, -1, 2.6357333333333333, 2.3072, 1.6666666666666667, -2.8}));
    CHECK(close(of(first_three, spline_ends::clamped),
                {-0.775, 1, 0.6058, -1, 1.8076444444444444, -51.6064, -57.444444444444444, -92.8}));
    CHECK(close(cubic_spline(tensor<double, 1>{0, 1, 3}, tensor<double, 1>{1, 2, 1}, spline_ends::periodic)(t),
                {1.0625, 1, 1.258, 2, 0.9715, 1.5995, 1.5, 1.0625}));
    CHECK(close(cubic_spline(tensor<double, 1>{0, 1}, tensor<double, 1>{2, 2}, spline_ends::periodic)(t),
                full({8}, 2.0)));
}

TEST_CASE("splines: SciPy's PchipInterpolator, Akima1DInterpolator and CubicHermiteSpline") {
    CHECK(close(pchip(x, y)(t), {3.05, 1, 0.0388, -1, 2.266947368421053, 0.7093333333333333, 1, 1.8333333333333333}));
    CHECK(close(pchip(x(first_two), y(first_two))(t), {2, 1, 0.4, -1, -4.4, -8.8, -9, -10}));
    CHECK(close(pchip(x(first_three), y(first_three))(t),
                {3.05, 1, 0.0388, -1, 2.956088888888889, 25.7696, 27.444444444444444, 36.8}));
    CHECK(close(akima(x, y)(t), {3.05, 1, -0.0956, -1, 2.2562285714285717, 0.648701754385965, 1, 3.543859649122807}));
    CHECK(
        close(akima(x(first_three), y(first_three))(t), {3.5, 1, -0.02, -1, 2.8533333333333333, 19.28, 61 / 3.0, 26}));
    CHECK(close(akima(x, 2 * x)(t), evaluate(2 * t)));  // where no slope differs from another
    const auto cubes = cubic_hermite_spline(x, pow(x, 3), 3 * square(x));
    CHECK(close(cubes(t), evaluate(pow(t, 3))));
    CHECK(close(cubes.derivative(2)(t), evaluate(6 * t)));
}

TEST_CASE("splines: several functions at once, other types and shapes") {
    const auto both = stack(std::make_tuple(y, evaluate(2 * y - 1)), 1);
    const auto f = cubic_spline(x, both, spline_ends::natural);
    const auto values = f(reshape(t, {2, 4}));
    CHECK(values.shape() == shape<3>{2, 4, 2});
    CHECK(
        allclose(reshape(values(all, all, 1), {8}), 2 * cubic_spline(x, y, spline_ends::natural)(t) - 1, 1e-13, 1e-13));
    CHECK(f(2.5).shape() == shape<1>{2});
    CHECK(f.integrate(0, 1).shape() == shape<1>{2});
    const auto single = pchip(astype<float>(x), y)(astype<float>(t));
    static_assert(std::is_same_v<decltype(single), const tensor<double, 1>>);
    const auto of_float = akima(astype<float>(x), astype<float>(y))(astype<float>(t));
    static_assert(std::is_same_v<decltype(of_float), const tensor<float, 1>>);
    CHECK(allclose(of_float, akima(x, y)(t), 1e-5, 1e-5));
    CHECK(std::isnan(f(tensor<double, 1>{NAN})(0, 0).item()));
    CHECK(pchip(tensor<int, 1>{0, 2}, tensor<int, 1>{0, 4})(1).item() == 2);
}

TEST_CASE("splines: points that there is no spline through") {
    CHECK_THROWS_WITH_AS(cubic_spline(flip(x), y), "[cubic_spline] the places must ascend", value_error);
    CHECK_THROWS_WITH_AS(pchip(x, y(first_two)), "[pchip] two places or more and as many values: (6,) and (2,)",
                         shape_error);
    CHECK_THROWS_AS(akima(x(slice(none, 1)), y(slice(none, 1))), shape_error);
    CHECK_THROWS_WITH_AS(cubic_spline(x, x, spline_ends::periodic),
                         "[cubic_spline] of periodic ends the last value must be the first", value_error);
    CHECK_THROWS_AS(cubic_hermite_spline(x, y, x(first_two)), shape_error);
}

TEST_CASE("splines: a small piece's integral beside that of a large one") {
    const piecewise_polynomial<tensor<double, 1>, tensor<double, 2>> f{{0, 1, 2}, {{1e-8, 1e8}}};
    CHECK(f.integrate(0, 1).item() == 1e-8);
    CHECK(f.integrate(0, 2).item() == 1e8 + 1e-8);
}
