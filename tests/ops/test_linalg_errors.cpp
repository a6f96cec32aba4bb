// What linalg refuses, and what it says.
#include "linalg.hpp"

using namespace linear;
using reference::message;

namespace {

const tensor<double, 2> singular{{1, 2, 3}, {4, 5, 6}, {7, 8, 9.0}};
const tensor<double, 2> two_by_three{{1, 2, 3}, {4, 5, 6}};
const tensor<double, 2> fine{{2, 1}, {1, 3}};
const tensor<double, 2> zero = zeros<double>({2, 2});

template <class F>
std::string refused(F f) {
    return message<linalg_error>(f);
}
template <class F>
std::string misshaped(F f) {
    return message<shape_error>(f);
}

}  // namespace

TEST_CASE("linalg: matrices that are not square") {
    const auto square = [](const char* op) {
        return "[" + std::string(op) + "] the last two extents of a (2, 3) must be equal: 2 != 3";
    };
    CHECK(misshaped([] { linalg::inv(two_by_three); }) == square("inv"));
    CHECK(misshaped([] { linalg::det(two_by_three); }) == square("det"));
    CHECK(misshaped([] { linalg::slogdet(two_by_three); }) == square("slogdet"));
    CHECK(misshaped([] { linalg::solve(two_by_three, two_by_three); }) == square("solve"));
    CHECK(misshaped([] { linalg::solve_triangular(two_by_three, two_by_three, true); }) == square("solve_triangular"));
    CHECK(misshaped([] { linalg::cholesky(two_by_three); }) == square("cholesky"));
    CHECK(misshaped([] { linalg::eigh(two_by_three); }) == square("eigh"));
    CHECK(misshaped([] { linalg::eigvalsh(two_by_three); }) == square("eigvalsh"));
    CHECK(misshaped([] { linalg::matrix_exp(two_by_three); }) == square("matrix_exp"));
    CHECK(misshaped([] { linalg::matrix_power(two_by_three, 2); }) == square("matrix_power"));
    CHECK(misshaped([] { linalg::cond(two_by_three, 1); }) == square("cond"));
}

TEST_CASE("linalg: powers of matrices of integers") {
    const tensor<int, 2> x{{1, 2}, {3, 4}};
    static_assert(std::is_same_v<decltype(linalg::matrix_power(x, 3))::value_type, int>);
    CHECK(array_equal(linalg::matrix_power(x, 3), tensor<int, 2>{{37, 54}, {81, 118}}));
    CHECK(array_equal(linalg::matrix_power(x, 0), tensor<int, 2>{{1, 0}, {0, 1}}));
    CHECK_THROWS_AS(linalg::matrix_power(x, -1), value_error);
    CHECK_THROWS_AS(linalg::matrix_power(tensor<int, 2>{{1, 2}}, 2), shape_error);
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (const double order : {1.0, 2.0, inf}) {
        CHECK(linalg::matrix_norm(zeros<double>({0, 3}), order).item() == 0);
        CHECK(linalg::matrix_norm(zeros<double>({3, 0}), order).item() == 0);
        CHECK(linalg::matrix_norm(zeros<double>({0, 0}), order).item() == 0);
    }
    CHECK(linalg::matrix_norm(zeros<double>({0, 3}), -1).item() == 0);
    CHECK(linalg::matrix_norm(zeros<double>({3, 0}), -inf).item() == 0);
    const auto no_smallest = [](index_t rows, index_t columns, double order) {
        return message<value_error>([&] { linalg::matrix_norm(zeros<double>({2, rows, columns}), order); });
    };
    CHECK(no_smallest(3, 0, -1) ==
          "[matrix_norm] there is no smallest column of a matrix in an array of shape (2, 3, 0)");
    CHECK(no_smallest(0, 3, -inf) ==
          "[matrix_norm] there is no smallest row of a matrix in an array of shape (2, 0, 3)");
    CHECK(no_smallest(0, 3, -2) ==
          "[matrix_norm] there is no smallest singular value of a matrix in an array of shape (2, 0, 3)");
    CHECK(message<value_error>([] { linalg::cond(zeros<double>({2, 0, 3})); }) ==
          "[cond] empty matrices have no condition number: shape (2, 0, 3)");
    CHECK(message<value_error>([] { linalg::cond(zeros<double>({0, 0}), 1); }) ==
          "[cond] empty matrices have no condition number: shape (0, 0)");
    CHECK(message<value_error>([] { linalg::vander(fine(0), -2); }) ==
          "[vander] the number of columns must not be negative: -2");
}
TEST_CASE("linalg: extents that do not fit") {
    using places = tensor<std::int64_t, 1>;
    const tensor<double, 1> b{1, 2};
    CHECK(misshaped([&] { linalg::lu_solve(fine, places{0}, b); }) ==
          "[lu_solve] an order of shape (1,) for factors of shape (2, 2): 1 != 2");
    CHECK_THROWS_WITH_AS(linalg::lu_solve(fine, places{1, 1}, b),
                         "[lu_solve] an order names each row once, and row 1 is there twice", value_error);
    CHECK_THROWS_WITH_AS(linalg::lu_solve(fine, places{5, 0}, b),
                         "[lu_solve] a row's position 5 does not lie between 0 and 1", index_error);
    CHECK(misshaped([&] { linalg::cholesky_solve(ones({3}), fine); }).starts_with("[cholesky_solve]"));
    CHECK_THROWS_WITH_AS(linalg::cond(fine, 3), "[cond] the order of a matrix norm must be 1, -1, 2, -2 or infinite: 3",
                         value_error);
    CHECK_THROWS_AS(linalg::norm(fine, 0.5), value_error);
    CHECK(misshaped([] { linalg::solve(fine, zeros<double>({3, 2})); }) ==
          "[solve] the rows of a (2, 2) and b (3, 2) must be as many: 2 != 3");
    CHECK(misshaped([] { linalg::solve(fine, zeros<double>({3})); }) ==
          "[solve] the rows of a (2, 2) and b (3,) must be as many: 2 != 3");
    CHECK(misshaped([] { linalg::lstsq(two_by_three, zeros<double>({3})); }) ==
          "[lstsq] the rows of a (2, 3) and b (3,) must be as many: 2 != 3");
    CHECK(misshaped([] { linalg::solve(zeros<double>({4, 2, 2}), zeros<double>({3, 2, 2})); }) ==
          "[solve] the leading dimensions of a (4, 2, 2) and b (3, 2, 2) must broadcast: 4 != 3");
    CHECK(misshaped([] { linalg::multi_dot(fine, two_by_three, fine); }) ==
          "[multi_dot] the columns of factor 1 (2, 3) must be as many as the rows of factor 2 (2, 2): 3 != 2");
    CHECK(misshaped([] { linalg::cross(fine, fine); }) ==
          "[cross] the vectors must have 3 elements along axis -1: shapes (2, 2) and (2, 2)");
    CHECK(misshaped([] { linalg::tensorinv<1>(two_by_three); }) ==
          "[tensorinv] the first 1 axes of a (2, 3) have 2 elements, the others 3");
    CHECK(misshaped([] { linalg::tensorsolve(two_by_three, zeros<double>({2})); }) ==
          "[tensorsolve] a (2, 3) is no square map to b (2,)");
    CHECK(misshaped([] { linalg::householder_product(two_by_three, zeros<double>({2})); }) ==
          "[householder_product] a (2, 3) must have at least as many rows as columns, and tau (2,) at most as many "
          "elements");
}

TEST_CASE("linalg: singular matrices") {
    const auto exact = tensor<double, 2>{{1, 2, 4}, {2, 4, 8}, {0, 1, 1}};  // no rounding on the way
    CHECK(refused([&] { linalg::inv(exact); }) == "[inv] the matrix is singular: U(2, 2) is 0");
    CHECK(refused([&] { linalg::solve(exact, exact); }) == "[solve] the matrix is singular: U(2, 2) is 0");
    CHECK(refused([&] { linalg::solve(stack({fine, fine, zero, zero}), fine); }) ==
          "[solve] matrix 2 of the batch is singular: U(0, 0) is 0");
    CHECK(refused([&] { linalg::solve(zero, stack({fine, fine})); }) == "[solve] the matrix is singular: U(0, 0) is 0");
    CHECK(refused([&] { linalg::inv(stack({fine, zero})); }) ==
          "[inv] matrix 1 of the batch is singular: U(0, 0) is 0");
    CHECK(refused([&] {
              linalg::solve_triangular(triu(two_by_three(all, slice(0, 2))) * tensor<double, 2>{{1, 1}, {1, 0}}, fine,
                                       true);
          }) == "[solve_triangular] the matrix is singular: the element (1, 1) is 0");
    CHECK(refused([&] { grad([](auto x) { return linalg::slogdet(x).logabsdet; })(zero); }) ==
          "[inv] the matrix is singular: U(0, 0) is 0");
    // larger ones, which LAPACK takes where it is linked
    auto large = evaluate(eye<double>(80) * 1);
    large(50, 50) = 0;
    CHECK(refused([&] { linalg::inv(large); }) == "[inv] the matrix is singular: U(50, 50) is 0");
    CHECK(refused([&] { linalg::solve(large, large); }) == "[solve] the matrix is singular: U(50, 50) is 0");
    CHECK(linalg::det(zero).item() == 0);
    const auto [sign, logarithm] = linalg::slogdet(zero);
    CHECK(sign.item() == 0);
    CHECK(logarithm.item() == -INFINITY);
    CHECK(linalg::cond(zero).item() == INFINITY);
    CHECK(linalg::cond(diag(tensor<double, 1>{1, 0})).item() == INFINITY);
    CHECK(array_equal(linalg::cond(tensor<double, 3>{{{1, 2}, {2, 4}}, {{1, 2}, {3, 4}}}, INFINITY),
                      tensor<double, 1>{INFINITY, 21}));
    CHECK(std::abs(linalg::det(singular).item()) < 1e-14);
}

TEST_CASE("linalg: matrices that are not positive definite") {
    const tensor<double, 2> indefinite{{4, 2, 0}, {2, 1, 0}, {0, 0, 1}};
    CHECK(refused([&] { linalg::cholesky(indefinite); }) ==
          "[cholesky] the matrix is not positive definite: the leading minor of order 2 is not positive");
    CHECK(refused([&] { linalg::cholesky(stack({fine, evaluate(-fine)})); }) ==
          "[cholesky] matrix 1 of the batch is not positive definite: the leading minor of order 1 is not positive");
    auto large = evaluate(eye<double>(100) * 2);
    large(70, 70) = -1;
    CHECK(refused([&] { linalg::cholesky(large); }) ==
          "[cholesky] the matrix is not positive definite: the leading minor of order 71 is not positive");
    CHECK(refused([&] { linalg::cholesky(evaluate(fine * NAN)); }) ==
          "[cholesky] the matrix is not positive definite: the leading minor of order 1 is not positive");
}

TEST_CASE("linalg: elements that are not finite, results that have no derivative") {
    tensor<double, 2> bad = fine.clone();
    bad(1, 0) = INFINITY;
    CHECK(refused([&] { linalg::eigh(bad); }) == "[eigh] the matrix has an element that is not finite, at (1, 0)");
    CHECK(refused([&] { linalg::eigvalsh(stack({fine, bad})); }) ==
          "[eigvalsh] matrix 1 of the batch has an element that is not finite, at (1, 0)");
    CHECK(refused([&] { linalg::svd(evaluate(bad * 0)); }) ==
          "[svd] the matrix has an element that is not finite, at (1, 0)");
    CHECK(refused([&] { linalg::svdvals(bad); }) ==
          "[svdvals] the matrix has an element that is not finite, at (1, 0)");
    CHECK(refused([&] { linalg::pinv(bad); }) == "[pinv] the matrix has an element that is not finite, at (1, 0)");
#ifdef RICCI_USE_LAPACK
    CHECK(refused([&] { linalg::eig(bad); }) == "[eig] the matrix has an element that is not finite, at (1, 0)");
#endif
    CHECK(message<value_error>([] { linalg::matrix_norm(fine, 3); }) ==
          "[matrix_norm] the order of a matrix norm must be 1, -1, 2, -2 or infinite: 3");
    const auto tall = matrix_transpose(two_by_three);
    CHECK(message<gradient_error>([&] { grad([](auto x) { return sum(linalg::svd(x).U); })(tall); }) ==
          "[svd] the full U and V of matrices that are not square have no derivative: a (3, 2). "
          "Take svd(a, false), or svdvals(a)");
    CHECK(message<gradient_error>([&] {
              grad([](auto x) { return sum(linalg::qr(x, linalg::qr_mode::complete).Q); })(tall);
          }) == "[qr] the complete factors of matrices with more rows than columns have no derivative: a (3, 2)");
}
TEST_CASE("linalg: NaN in a column of zeros is not lost by qr") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& x : {tensor<double, 2>{{1, 2}, {nan, 4}}, tensor<double, 2>{{1, 2}, {0, 4}, {nan, 5}, {0, 6}}})
        CHECK(all(isnan(linalg::qr(x).R(0))).item());
}
