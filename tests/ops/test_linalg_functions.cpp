// sqrtm, logm, solve_sylvester and Lyapunov's equations: SciPy's values, residuals, errors.
#include <ricci/scientific.hpp>

#include "linalg.hpp"

using namespace linear;

namespace {

const tensor<double, 2> a{{2, 1, 0}, {-1, 3, 0.5}, {0.2, -0.7, 1.5}}, b{{1, 2}, {-0.5, 0.25}},
    q{{-1, 0}, {1, 2}, {3, 4}}, s{{1, 0.5, 0}, {0.5, 2, 1}, {0, 1, 3}};

template <class A, class B>
bool close(const A& x, const B& y) {
    return largest(evaluate(x - y)) <= 1e-14 * (1 + largest(y));  // the eigenvalues are well apart: few roundings
}

/// Residuals at a size, relative to the terms', in the element type's roundings.
template <class T>
void check_residuals(index_t n) {
    CAPTURE(n);
    const double bound = 20 * static_cast<double>(n) * epsilon<T>;
    const auto x = evaluate(some<T>(shape<2>{n, n}, 3) / static_cast<real_t<T>>(std::sqrt(double(n))));
    const auto y = evaluate(some<T>(shape<2>{n, n}, 4) / static_cast<real_t<T>>(std::sqrt(double(n))));
    const auto e = linalg::matrix_exp(x);  // has a real logarithm, and root
    CHECK(largest(evaluate(linalg::logm(e) - x)) < bound * linalg::cond(e).item());
    const auto root = linalg::sqrtm(e);
    CHECK(largest(evaluate(matmul(root, root) - e)) < bound * (1 + largest(e)));
    const auto right = evaluate(y + T(4) * eye<real_t<T>>(n));
    const auto z = linalg::solve_sylvester(x, right, y);
    CHECK(largest(evaluate(matmul(x, z) + matmul(z, right) - y)) < bound * (1 + 4 * largest(z)));
    const auto half = evaluate(x * real_t<T>(0.4));  // of spectral radius below 1
    const auto d = linalg::solve_discrete_lyapunov(half, y);
    CHECK(largest(evaluate(d - matmul(half, matmul(d, turned(half))) - y)) < bound * (1 + largest(d)));
}

}  // namespace

TEST_CASE("linalg: SciPy's square roots, logarithms and solutions of Sylvester's equation") {
    CHECK(close(linalg::sqrtm(a), tensor<double, 2>{{1.4483389881593665, 0.3092520054135446, -0.01886624810294417},
                                                    {-0.3130252550341349, 1.7707973672449748, 0.16405912675824472},
                                                    {0.04675740260035384, -0.2372292767027205, 1.2408874907643501}}));
    CHECK(close(linalg::logm(a), tensor<double, 2>{{0.7806633617320798, 0.3766798745974817, -0.05025109370318433},
                                                   {-0.38673009333812, 1.192519001921793, 0.213465484150333},
                                                   {0.03513509995694928, -0.31895211529174045, 0.4516203620644229}}));
    CHECK(close(linalg::solve_sylvester(a, b, q), tensor<double, 2>{{-0.33566089737517546, 0.08519966981068262},
                                                                    {0.04958252703086758, 0.47962253767631535},
                                                                    {1.4116405266790255, 0.8545227366018465}}));
    CHECK(close(linalg::solve_continuous_lyapunov(a, s),
                tensor<double, 2>{{0.2106364724298252, 0.07872705514034935, -0.03730235166153103},
                                  {0.07872705514034942, 0.33565237255884345, 0.14353987492763828},
                                  {-0.03730235166153106, 0.14353987492763828, 1.071958921854434}}));
    CHECK(close(linalg::solve_discrete_lyapunov(a / 4, s),
                tensor<double, 2>{{2.1794918477264127, 1.4960723846089696, -0.18258705603200848},
                                  {1.4960723846089696, 4.169612634281074, 0.9790581586805602},
                                  {-0.18258705603200853, 0.9790581586805599, 3.4578774712849376}}));
    using c = complex_double;
    const tensor<c, 2> z{{c(-1), c(0, 2)}, {c(0.5), c(1, -1)}};
    CHECK(close(linalg::sqrtm(z), tensor<c, 2>{{c(0, -0.8164965809277263), c(-0.816496580927726, 0.816496580927726)},
                                               {c(0.20412414523193156, 0.20412414523193156),
                                                c(1.2247448713915892, -0.408248290463863)}}));
    CHECK(close(linalg::logm(z), tensor<c, 2>{{c(-0.6045997880780731, -2.7799959029510424), c(-2.418399152312292, 0)},
                                              {c(0, 0.604599788078073), c(0.6045997880780729, -0.36159675063875124)}}));
}

TEST_CASE("linalg: functions of triangular matrices far from normal ones keep the digits of each element") {
    const tensor<double, 2> t{{1, 1e4, 0}, {0, 1.001, 2e3}, {0, 0, 1e-3}};
    const tensor<double, 2> log{{0, 9995.003330835332, -118303392.31695071},
                                {0, 9.995003330834232e-4, 13817.509558630443},
                                {0, 0, -6.907755278982137}};  // divided differences of 60 digits
    CHECK(allclose(linalg::logm(t), log, 1e-13, 0));
    CHECK(allclose(linalg::sqrtm(t),
                   tensor<double, 2>{{1, 4998.750624609648, -9389430.150146395},
                                     {0, 1.000499875062461, 1937.7541969215545},
                                     {0, 0, 0.03162277660168379}},
                   1e-14, 0));
    const tensor<double, 2> jordan{{2, 1, 0}, {0, 2, 1}, {0, 0, 2}};  // log: 1/2, -1/8; root: 2^-1.5, -2^-3.5 / 2
    CHECK(close(linalg::logm(jordan),
                tensor<double, 2>{{std::log(2.0), 0.5, -0.125}, {0, std::log(2.0), 0.5}, {0, 0, std::log(2.0)}}));
    const double r = std::sqrt(2.0);
    CHECK(close(linalg::sqrtm(jordan),
                tensor<double, 2>{{r, 1 / (2 * r), -1 / (16 * r)}, {0, r, 1 / (2 * r)}, {0, 0, r}}));
}

TEST_CASE("linalg: residuals of matrix functions at several sizes and types") {
    for (const index_t n : {1, 2, 7, 40}) {
        check_residuals<double>(n);
        check_residuals<complex_double>(n);
    }
    check_residuals<float>(9);
    check_residuals<std::complex<float>>(9);
}

TEST_CASE("linalg: stacks, other types and empty matrices of matrix functions") {
    const auto both = stack(std::make_tuple(a, evaluate(a + 1)));
    CHECK(close(evaluate(index(linalg::sqrtm(both), 1)), linalg::sqrtm(evaluate(a + 1))));
    const auto x = linalg::solve_sylvester(both, b, q);  // leading axes broadcast
    CHECK(x.shape() == shape<3>{2, 3, 2});
    CHECK(close(evaluate(index(x, 0)), linalg::solve_sylvester(a, b, q)));
    CHECK(linalg::logm(zeros<double>({0, 0})).shape() == shape<2>{0, 0});
    CHECK(linalg::sqrtm(zeros<double>({4, 0, 0})).shape() == shape<3>{4, 0, 0});
    CHECK(close(linalg::sqrtm(tensor<int, 2>{{4, 0}, {0, 9}}), tensor<double, 2>{{2, 0}, {0, 3}}));
    const auto f = linalg::logm(astype<float>(a));
    static_assert(std::is_same_v<decltype(f), const tensor<float, 2>>);
    CHECK(allclose(f, linalg::logm(a), 1e-6, 1e-6));
}

TEST_CASE("linalg: roots of singular and negative matrices") {
    const tensor<double, 2> ones_of{{1, 1}, {1, 1}};
    CHECK(allclose(linalg::sqrtm(ones_of), ones_of / std::sqrt(2.0), 1e-7,
                   1e-7));  // the eigenvalue 0 has half the digits
    using c = complex_double;
    const tensor<c, 2> negative{{c(-4), c(0)}, {c(0), c(1)}};
    CHECK(close(linalg::sqrtm(negative), tensor<c, 2>{{c(0, 2), c(0)}, {c(0), c(1)}}));
    CHECK(close(linalg::logm(negative), tensor<c, 2>{{c(std::log(4.0), std::acos(-1.0)), c(0)}, {c(0), c(0)}}));
    CHECK_THROWS_WITH_AS(linalg::sqrtm(tensor<double, 2>{{-4, 0}, {0, 1}}),
                         "[sqrtm] a real matrix with a negative eigenvalue, -4, has no real principal square root: "
                         "convert it to a complex one",
                         value_error);
    CHECK_THROWS_AS(linalg::logm(tensor<double, 2>{{1, 2}, {2, 1}}), value_error);
    CHECK_THROWS_WITH_AS(linalg::logm(zeros<double>({2, 2})), "[logm] a singular matrix has no logarithm", value_error);
    CHECK_THROWS_WITH_AS(linalg::sqrtm(tensor<double, 2>{{0, 1}, {0, 0}}),
                         "[sqrtm] a singular matrix without a square root", value_error);
    CHECK_THROWS_WITH_AS(linalg::sqrtm(tensor<double, 2>{{1, NAN}, {0, 1}}),
                         "[sqrtm] a matrix has an element that is not finite", linalg_error);
    CHECK_THROWS_AS(linalg::sqrtm(q), shape_error);
}

TEST_CASE("linalg: Sylvester's equations that have no solution") {
    CHECK_THROWS_WITH_AS(linalg::solve_sylvester(a, -a, s),
                         "[solve_sylvester] the equation is singular: an eigenvalue of one matrix and one of the other "
                         "add up to 0",
                         linalg_error);
    CHECK_THROWS_WITH_AS(linalg::solve_discrete_lyapunov(eye(3), s),
                         "[solve_discrete_lyapunov] the equation is singular: an eigenvalue of one matrix and one of "
                         "the other multiply to 1",
                         linalg_error);
    CHECK_THROWS_WITH_AS(linalg::solve_sylvester(a, a, q),
                         "[solve_sylvester] matrices (3, 3) and (3, 3) do not fit a right side (3, 2)", shape_error);
}
