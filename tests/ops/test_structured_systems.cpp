// linalg::toeplitz, linalg::solve_tridiagonal and linalg::solve_banded: SciPy's results, dense systems, derivatives,
// batches, errors.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// The dense matrix of three diagonals.
template <class L, class M, class U>
auto dense_of_diagonals(const L& l, const M& d, const U& u) {
    return evaluate(diag(d) + diag(l, -1) + diag(u, 1));
}

/// The dense matrix of bands as SciPy has them.
template <class A>
auto dense_of_bands(index_t l, index_t u, const A& bands) {
    const index_t n = bands.shape(1);
    auto a = evaluate(diag(bands(u)));
    for (index_t k = 1; k <= u && k < n; ++k) a = evaluate(a + diag(bands(u - k, slice(k, none)), int(k)));
    for (index_t k = 1; k <= l && k < n; ++k) a = evaluate(a + diag(bands(u + k, slice(none, n - k)), int(-k)));
    return a;
}

}  // namespace

TEST_CASE("toeplitz: SciPy's matrices") {
    const tensor<double, 1> c{1, 2, 3}, r{9, 4, 5, 6};
    CHECK(array_equal(linalg::toeplitz(c, r), tensor<double, 2>{{1, 4, 5, 6}, {2, 1, 4, 5}, {3, 2, 1, 4}}));
    CHECK(array_equal(linalg::toeplitz(c), tensor<double, 2>{{1, 2, 3}, {2, 1, 2}, {3, 2, 1}}));
    CHECK(array_equal(linalg::toeplitz(r, c), tensor<double, 2>{{9, 2, 3}, {4, 9, 2}, {5, 4, 9}, {6, 5, 4}}));
    using complex = std::complex<double>;
    const tensor<complex, 1> z{{1, 0}, {2, 3}};
    CHECK(array_equal(linalg::toeplitz(z), tensor<complex, 2>{{{1, 0}, {2, -3}}, {{2, 3}, {1, 0}}}));
    const tensor<int, 2> lines{{1, 2}, {3, 4}};
    CHECK(array_equal(linalg::toeplitz(lines), tensor<int, 3>{{{1, 2}, {2, 1}}, {{3, 4}, {4, 3}}}));
    CHECK(array_equal(linalg::toeplitz(tensor<float, 1>{7}, tensor<int, 1>{1}), tensor<float, 2>{{7}}));
    const auto written = linalg::toeplitz(c);
    written(0, 0) = 5;
    CHECK(written.at(1, 1) == 1);
    CHECK(c.at(0) == 1);
    CHECK_THROWS_WITH_AS(linalg::toeplitz(zeros<double>({0}), r),
                         "[toeplitz] a column (0,) and a row (4,) must have elements", shape_error);
}
TEST_CASE("toeplitz: derivatives and batches") {
    const tensor<double, 1> c{1, 2, 3}, r{9, 4, 5, 6};
    const auto f = [](auto column, auto row) { return sum(sin(linalg::toeplitz(column, row))); };
    CHECK(gradgradcheck(f, ricci::tuple(c, r)));
    const auto [gc, gr] = grad(f, argnums<0, 1>)(c, r);
    CHECK(gr.at(0) == 0);
    CHECK(allclose(gc, tensor<double, 1>{3 * std::cos(1.0), 2 * std::cos(2.0), std::cos(3.0)}));
    const auto columns = evaluate(stack(ricci::tuple(c, 2 * c)));
    const auto each = vmap([&](auto column) { return linalg::toeplitz(column, r); })(columns);
    CHECK(array_equal(each(1), linalg::toeplitz(2 * c, r)));
}

TEST_CASE("solve_tridiagonal: scipy.linalg.solve_banded") {
    const tensor<double, 1> l{1, 2, -3}, d{4, 0.5, 1, -2}, u{2, -1, 5}, b{1, 2, 3, 4};
    // rounding of 4 steps of numbers of order 1, through a matrix of condition number 6
    CHECK(allclose(linalg::solve_tridiagonal(l, d, u, b), tensor<double, 1>{-0.15625, 0.8125, -1.75, 0.625}, 1e-14,
                   1e-14));
    const tensor<double, 2> columns{{1, 0}, {0, 1}, {2, 2}, {-1, 3}};
    CHECK(allclose(linalg::solve_tridiagonal(l, d, u, columns),
                   tensor<double, 2>{{-0.03125, -0.75}, {0.5625, 1.5}, {0.25, -1}, {0.125, 0}}, 1e-14, 1e-14));
    const tensor<int, 1> empty_line{};
    CHECK(allclose(linalg::solve_tridiagonal(empty_line, tensor<int, 1>{4}, empty_line, tensor<int, 1>{6}),
                   tensor<double, 1>{1.5}));
}
TEST_CASE("solve_tridiagonal: the rows are exchanged where pivots are small, as in dense systems") {
    for (const index_t n : {2, 3, 4, 17, 64}) {
        const auto l = randn<double>({n - 1}, generator(1)), u = randn<double>({n - 1}, generator(2));
        const auto d = randn<double>({n}, generator(3)) * 1e-3;  // never dominant
        const auto b = randn<double>({n, 2}, generator(4));
        const auto x = linalg::solve_tridiagonal(l, d, u, b);
        const auto t = dense_of_diagonals(l, evaluate(d), u);
        CAPTURE(n);
        // a backward stable solution leaves a residual of some n eps |T| |x|
        CHECK(max(abs(matmul(t, x) - b)).item() <= 1e-15 * double(n) * max(abs(x)).item() * max(abs(t)).item());
    }
    using complex = std::complex<double>;
    const tensor<complex, 1> l{{0, 1}, {2, -1}}, d{{0, 0}, {1, 1}, {3, 0}}, u{{1, 0}, {0, 2}},
        b{{1, 0}, {0, 1}, {2, 2}};
    const auto x = linalg::solve_tridiagonal(l, d, u, b);
    CHECK(allclose(x, linalg::solve(dense_of_diagonals(l, d, u), b)));
}
TEST_CASE("solve_tridiagonal: leading axes broadcast") {
    const auto d = evaluate(randn<double>({3, 5}, generator(1)) + 4.0);
    const auto l = randn<double>({3, 4}, generator(2)), u = randn<double>({3, 4}, generator(3));
    const auto b = randn<double>({2, 1, 5, 2}, generator(4));
    const auto x = linalg::solve_tridiagonal(l, d, u, b);
    REQUIRE(x.shape() == shape{2, 3, 5, 2});
    for (index_t i = 0; i < 2; ++i)
        for (index_t j = 0; j < 3; ++j)
            CHECK(allclose(x(i, j), linalg::solve(dense_of_diagonals(l(j), d(j), u(j)), b(i, 0))));
    const auto v = linalg::solve_tridiagonal(l, d, u, b(0, 0, all, 0));
    REQUIRE(v.shape() == shape{3, 5});
    CHECK(allclose(v(2), linalg::solve_tridiagonal(l(2), d(2), u(2), b(0, 0, all, 0))));
}
TEST_CASE("solve_tridiagonal: derivatives are those of dense systems, to third order, and map") {
    const tensor<double, 1> l{1, 2, -3}, d{4, 0.5, 1, -2}, u{2, -1, 5}, b{1, 2, 3, 4};
    const auto f = [](auto a, auto m, auto c, auto y) { return sum(sin(linalg::solve_tridiagonal(a, m, c, y))); };
    const auto g = [](auto a, auto m, auto c, auto y) {
        return sum(sin(linalg::solve(diag(m) + diag(a, -1) + diag(c, 1), y)));
    };
    const auto same = [](const auto& p, const auto& q) { CHECK(allclose(p, q, 1e-9, 1e-11)); };
    const auto [fl, fd, fu, fb] = grad(f, argnums<0, 1, 2, 3>)(l, d, u, b);
    const auto [gl, gd, gu, gb] = grad(g, argnums<0, 1, 2, 3>)(l, d, u, b);
    same(fl, gl), same(fd, gd), same(fu, gu), same(fb, gb);
    same(std::get<1>(jvp(f, ricci::tuple(l, d, u, b), ricci::tuple(u, b, l, d))),
         std::get<1>(jvp(g, ricci::tuple(l, d, u, b), ricci::tuple(u, b, l, d))));
    const auto at = [&](auto h) { return [=](auto m) { return h(l, m, 2 * u, m); }; };
    const auto second = hessian(at(f));
    same(second(d), hessian(at(g))(d));
    // the third by differences, of a truncation error of some 1e-10 and a rounding error of 1e-11
    const auto third = jacfwd([&](auto m) { return sum(second(m), 0); })(d);
    for (index_t i = 0; i < 4; ++i) {
        const auto step = evaluate(where(arange(4) == i, 1e-5, 0.0));
        const auto difference = evaluate(sum(second(evaluate(d + step)) - second(evaluate(d - step)), 0) / 2e-5);
        CHECK(allclose(third(all, i), difference, 1e-6, 1e-7));
    }
    const auto rows = evaluate(stack(ricci::tuple(d, 2 * d + 1.0)));
    const auto mapped = vmap(grad(at(f)))(rows);
    same(mapped(1), grad(at(f))(evaluate(2 * d + 1.0)));
}
TEST_CASE("solve_tridiagonal: what does not fit") {
    const tensor<double, 1> two{1, 1}, three{1, 1, 1};
    CHECK_THROWS_WITH_AS(
        linalg::solve_tridiagonal(three, three, two, three),
        "[solve_tridiagonal] diagonals (3,), (3,) and (2,) must be one shorter than the main one on either side of it",
        shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_tridiagonal(two, three, two, two),
                         "[solve_tridiagonal] diagonals (3,) do not fit a right side (2,): 3 != 2", shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_tridiagonal(two, zeros<double>({3}), two, three),
                         "[solve_tridiagonal] a matrix of 3 rows is singular", linalg_error);
}
TEST_CASE("solve_banded: scipy.linalg.solve_banded, and dense systems") {
    const double nan = std::numeric_limits<double>::quiet_NaN();  // in corners that do not count
    const tensor<double, 2> bands{{nan, nan, -1, 2, 3}, {nan, 2, 2, 1, -2}, {1, 4, 0.5, 2, 3}, {3, 1, 2, 1, nan}};
    CHECK(allclose(
        linalg::solve_banded({1, 2}, bands, tensor{0, 1, 2, 2, 3}),
        linalg::solve(
            tensor<double, 2>{{1, 2, -1, 0, 0}, {3, 4, 2, 2, 0}, {0, 1, 0.5, 1, 3}, {0, 0, 2, 2, -2}, {0, 0, 0, 1, 3}},
            tensor<double, 1>{0, 1, 2, 2, 3}),
        1e-13, 1e-13));
    for (const index_t n : {1, 2, 3, 6, 20})
        for (const index_t l : {0, 1, 2, 4})
            for (const index_t u : {0, 1, 3}) {
                CAPTURE(n);
                CAPTURE(l);
                CAPTURE(u);
                const auto a = randn<double>({l + 1 + u, n}, generator(1));
                const auto b = randn<double>({n, 2}, generator(2));
                const auto x = linalg::solve_banded({l, u}, a, b), dense = dense_of_bands(l, u, a);
                CHECK(max(abs(matmul(dense, x) - b)).item() <=
                      1e-14 * double(n) * max(abs(x)).item() * max(abs(a)).item());
            }
    const auto a = randn<std::complex<double>>({4, 6}, generator(3));
    const auto b = randn<std::complex<double>>({6}, generator(4));
    CHECK(allclose(linalg::solve_banded({2, 1}, a, b), linalg::solve(dense_of_bands(2, 1, a), b)));
    const auto stacked = randn<double>({3, 4, 6}, generator(5));
    const auto y = randn<double>({6}, generator(6));
    CHECK(allclose(linalg::solve_banded({2, 1}, stacked, y)(1), linalg::solve_banded({2, 1}, stacked(1), y)));
}
TEST_CASE("solve_banded: derivatives and batches") {
    const auto a = randn<double>({4, 5}, generator(7));
    const auto b = randn<double>({5}, generator(8));
    const auto f = [](auto p, auto y) { return sum(sin(linalg::solve_banded({2, 1}, p, y))); };
    const auto g = [](auto p, auto y) { return sum(sin(linalg::solve(dense_of_bands(2, 1, p), y))); };
    const auto same = [](const auto& p, const auto& q) { CHECK(allclose(p, q, 1e-9, 1e-11)); };
    const auto [fa, fb] = grad(f, argnums<0, 1>)(a, b);
    const auto [ga, gb] = grad(g, argnums<0, 1>)(a, b);
    same(fa, ga), same(fb, gb);
    same(std::get<1>(jvp(f, ricci::tuple(a, b), ricci::tuple(2 * a, b))),
         std::get<1>(jvp(g, ricci::tuple(a, b), ricci::tuple(2 * a, b))));
    CHECK(gradgradcheck(f, ricci::tuple(a, b)));
    const auto each = randn<double>({3, 4, 5}, generator(9));
    same(vmap(grad([&](auto p) { return f(p, b); }))(each)(2), grad([&](auto p) { return f(p, b); })(each(2)));
}
TEST_CASE("solve_banded: what does not fit") {
    CHECK_THROWS_WITH_AS(linalg::solve_banded({1, 1}, ones({2, 4}), ones({4})),
                         "[solve_banded] bands (2, 4) are not 1 + 1 + 1 diagonals of a row or more", shape_error);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_AS(linalg::solve_banded({most, most}, ones({3, 3}), ones({3})), shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_banded({1, 0}, ones({2, 4}), ones({3})),
                         "[solve_banded] bands (2, 4) do not fit a right side (3,): 4 != 3", shape_error);
    CHECK_THROWS_WITH_AS(linalg::solve_banded({1, 0}, zeros({2, 4}), ones({4})),
                         "[solve_banded] a matrix of 4 rows is singular", linalg_error);
}
