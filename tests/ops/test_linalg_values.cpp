// linalg against NumPy where values are unique: every function in double and complex, batches, layouts, integers, no
// elements.
#include "../golden/linalg.hpp"
#include "linalg.hpp"

using namespace linear;
namespace golden = golden_linalg;

namespace {

/// A golden array under a shape.
template <class T, std::size_t N, int R>
tensor<T, R> of(const T (&values)[N], const shape<R>& extents) {
    const auto x = tensor<T, R>::uninitialized(extents);
    if (x.size() != static_cast<index_t>(N)) throw shape_error("the golden array has another size");
    std::copy(values, values + N, x.data());
    return x;
}
/// The condition numbers are below 100, so that both computations are exact to 1e-12.
template <class E, class T, std::size_t N>
void check(const E& actual, const T (&expected)[N]) {
    const auto y = evaluate(actual);
    const auto z = of(expected, y.shape());
    CHECK(largest(evaluate(y - z)) <= 1e-12 * (1 + largest(z)));
}
template <class T>
void check_number(const T& actual, const T& expected) {
    CHECK(std::abs(actual - expected) <= 1e-12 * (1 + std::abs(expected)));
}

const auto a = of(golden::a, shape{3, 3});
const auto c = of(golden::c, shape{3, 3});
const auto b = of(golden::b, shape{3, 2});
const auto b4 = of(golden::b4, shape{4});
const auto tall = of(golden::tall, shape{4, 2});
const auto deficient = of(golden::deficient, shape{4, 3});
const auto matrices = of(golden::stack, shape{3, 3, 3});

}  // namespace

TEST_CASE("linalg: determinants, inverses and systems") {
    check_number(linalg::det(a).item(), golden::det_a[0]);
    check_number(linalg::det(c).item(), golden::det_c[0]);
    check(linalg::det(matrices), golden::det_stack);
    const auto [sign, logarithm] = linalg::slogdet(c);
    check_number(sign.item(), golden::slogdet_c_sign[0]);
    check_number(logarithm.item(), golden::slogdet_c_log[0]);
    check(linalg::inv(a), golden::inv_a);
    check(linalg::inv(c), golden::inv_c);
    check(linalg::inv(matrices), golden::inv_stack);
    check(linalg::solve(a, b), golden::solve_a);
    check(linalg::solve(matrices, b), golden::solve_stack);
    CHECK(linalg::solve(matrices, evaluate(b(all, 0))).shape() == shape{3, 3});
    CHECK(largest(evaluate(linalg::solve(matrices, evaluate(b(all, 0))) - linalg::solve(matrices, b)(ellipsis, 0))) <
          1e-14);
    CHECK(largest(evaluate(linalg::solve(a, stack({b, b}))(1) - linalg::solve(a, b))) < 1e-14);
    const auto map = of(golden::map_of, shape{2, 3, 6});
    check(linalg::tensorinv(map), golden::tensorinv);
    check(linalg::tensorsolve(map, matrix_transpose(b)), golden::tensorsolve);
    const auto factors = linalg::lu_factor(matrices);
    CHECK(largest(evaluate(linalg::lu_solve(factors.LU, factors.order, b) - linalg::solve(matrices, b))) < 1e-13);
    CHECK(array_equal(linalg::lu_solve(factors, b), linalg::lu_solve(factors.LU, factors.order, b)));
    const auto plu = linalg::lu(tall);
    CHECK(largest(evaluate(matmul(matmul(plu.P, plu.L), plu.U) - tall)) < 1e-14);
    CHECK(plu.P.shape() == shape{4, 4});
    CHECK(plu.L.shape() == shape{4, 2});
    CHECK(plu.P(2, 0).item() == 1);  // 5 is the largest of the first column
}

TEST_CASE("linalg: triangles") {
    const auto lower = evaluate(tril(a)), upper = evaluate(triu(a));
    CHECK(largest(evaluate(matmul(lower, linalg::solve_triangular(a, b, false)) - b)) < 1e-14);
    CHECK(largest(evaluate(matmul(upper, linalg::solve_triangular(a, b, true)) - b)) < 1e-14);
    // L L^T x = b, both ways round
    CHECK(largest(evaluate(matmul(lower, matmul(lower.T(), linalg::cholesky_solve(b, a))) - b)) < 1e-13);
    CHECK(largest(evaluate(matmul(upper.T(), matmul(upper, linalg::cholesky_solve(b, a, true))) - b)) < 1e-13);
    const auto row = matrix_transpose(b);
    CHECK(largest(evaluate(matmul(linalg::solve_triangular(a, row, true, false), upper) - row)) < 1e-14);
    const auto unit = evaluate(tril(a, -1) + eye<double>(3));
    CHECK(largest(evaluate(matmul(unit, linalg::solve_triangular(a, b, false, true, true)) - b)) < 1e-14);
    const auto v = evaluate(b(all, 1));
    CHECK(largest(evaluate(matmul(linalg::solve_triangular(a, v, false, false), lower) - v)) < 1e-14);
    check(linalg::cholesky(of(golden::definite, shape{3, 3})), golden::cholesky_definite);
    const auto h = of(golden::hermitian_definite, shape{3, 3});
    check(linalg::cholesky(h), golden::cholesky_hermitian);
    CHECK(largest(evaluate(linalg::cholesky(triu(h), true) - turned(linalg::cholesky(tril(h))))) < 1e-14);
}

TEST_CASE("linalg: eigenvalues and singular values") {
    const auto symmetric = of(golden::symmetric, shape{3, 3});
    const auto h = of(golden::hermitian, shape{3, 3});
    check(linalg::eigvalsh(symmetric), golden::eigvalsh_symmetric);
    check(linalg::eigvalsh(tril(h)), golden::eigvalsh_hermitian);
    check(linalg::eigvalsh(triu(h), linalg::triangle::upper), golden::eigvalsh_hermitian);
    const auto [w, v] = linalg::eigh(h);
    check(w, golden::eigvalsh_hermitian);
    CHECK(largest(evaluate(matmul(h, v) - v * w)) < 1e-13);
    check(linalg::svdvals(tall), golden::svdvals_tall);
    check(linalg::svdvals(matrix_transpose(tall)), golden::svdvals_tall);
    check(linalg::svdvals(c), golden::svdvals_c);
    check(linalg::pinv(tall), golden::pinv_tall);
    check(linalg::pinv(deficient), golden::pinv_deficient);
    const auto [x, residuals, rank, singular] = linalg::lstsq(tall, b4);
    check(singular, golden::svdvals_tall);
    check(x, golden::lstsq_tall);
    check_number(residuals.item(), golden::lstsq_residual[0]);
    CHECK(rank.item() == 2);
    const auto several = linalg::lstsq(tall, evaluate(b4(newaxis, all, newaxis) * ones<double>({2, 1, 3})));
    check(several.solution(1, all, 2), golden::lstsq_tall);
    check(several.singular_values, golden::svdvals_tall);
    CHECK(several.rank.item() == 2);
    check(linalg::lstsq(deficient, b4).solution, golden::lstsq_deficient);
    CHECK(linalg::matrix_rank(deficient).item() == 2);
    CHECK(linalg::matrix_rank(evaluate(a * 0)).item() == 0);
    CHECK(linalg::matrix_rank(a, {.rtol = 0.99}).item() == 1);
    const auto scales = evaluate(diag(tensor<double, 1>{100, 1, 1e-14}));  // numbers from numpy.linalg.matrix_rank
    CHECK(linalg::matrix_rank(scales).item() == 2);
    CHECK(linalg::matrix_rank(scales, 2.0).item() == 1);
    CHECK(linalg::matrix_rank(scales, 0).item() == 3);
    CHECK(linalg::matrix_rank(scales, {.rtol = 0.02}).item() == 1);
    CHECK(linalg::matrix_rank(scales, {.atol = 1e-15}).item() == 3);
    CHECK(linalg::matrix_rank(scales, {.atol = 1e-15, .rtol = 0.005}).item() == 2);
    // equal ones, zeros, and what LAPACK calls graded: each found as exactly as it is determined
    CHECK(largest(evaluate(linalg::svdvals(diag(tensor<double, 1>{3, 0, 3})) - tensor<double, 1>{3, 3, 0})) == 0);
    const auto [u0, s0, vh0] = linalg::svd(zeros<double>({3, 2}));
    CHECK(largest(evaluate(matmul(matrix_transpose(u0), u0) - eye<double>(3))) < 1e-15);
    CHECK(largest(s0) == 0);
    const auto usv = linalg::svd(tall, false);
    CHECK(largest(evaluate(matmul(usv.U * usv.S, usv.Vh) - tall)) < 1e-13);
#ifdef RICCI_USE_LAPACK
    const auto values = linalg::eigvals(a);
    const auto expected = of(golden::eigvals_a, shape{3});
    for (index_t i = 0; i < 3; ++i) CHECK(static_cast<double>(min(abs(values - expected(i))).item()) < 1e-12);
    const auto [we, ve] = linalg::eig(a);
    CHECK(largest(evaluate(matmul(astype<complex_double>(a), ve) - ve * we)) < 1e-13);
#endif
}

TEST_CASE("linalg: norms, powers and products") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const auto norms = [&](const auto& x) {
        using linalg::matrix_norm;
        return stack({matrix_norm(x), matrix_norm(x, linalg::matrix_order::nuclear), matrix_norm(x, 1),
                      matrix_norm(x, -1), matrix_norm(x, 2), matrix_norm(x, -2), matrix_norm(x, inf),
                      matrix_norm(x, -inf)});
    };
    check(norms(a), golden::norms_a);
    check(norms(c), golden::norms_c);
    CHECK(linalg::matrix_norm(matrices, 2, keepdims).shape() == shape{3, 1, 1});
    const auto stacked = evaluate(permute(matrices, {2, 0, 1}));  // rows last, columns first
    for (const double order : {1.0, -inf, 2.0, -2.0}) {
        CHECK(largest(evaluate(linalg::norm(stacked, order, {2, 0}) - linalg::matrix_norm(matrices, order))) < 1e-13);
        CHECK(largest(evaluate(linalg::norm(matrices, order, {0, 1}) - linalg::matrix_norm(stacked, order))) < 1e-13);
    }
    const auto kept = linalg::norm(stacked, linalg::matrix_order::frobenius, {-1, 0}, keepdims);
    CHECK(kept.shape() == shape{1, 3, 1});
    CHECK(largest(evaluate(ravel(kept) - norm(matrices, {1, 2}))) < 1e-13);
    CHECK(array_equal(linalg::norm(matrices, 3, 1), norm(matrices, 1, {}, 3)));
    CHECK(array_equal(linalg::norm(matrices, 2, 0, keepdims), norm(matrices, 0, keepdims)));
    CHECK(array_equal(linalg::norm(a, 1, keepdims), linalg::matrix_norm(a, 1, keepdims)));
    CHECK(array_equal(linalg::norm(b4, 1, keepdims), norm(b4, keepdims, 1)));
    CHECK(array_equal(linalg::norm(matrices, keepdims), norm(matrices, keepdims)));
    CHECK(linalg::norm(a, linalg::matrix_order::nuclear, keepdims).shape() == shape{1, 1});
    CHECK_THROWS_WITH_AS(linalg::matrix_norm(matrices, 1, {1, -2}),
                         "[matrix_norm] rows and columns must be two axes: 1 twice", value_error);
    check_number(linalg::norm(a, 1).item(), golden::norms_a[2]);
    check_number(linalg::norm(a).item(), golden::norms_a[0]);
    check_number(linalg::norm(a, linalg::matrix_order::nuclear).item(), golden::norms_a[1]);
    check_number(linalg::norm(b4, 1).item(), 7.5);
    CHECK(linalg::vector_norm(matrices, 1, {0, 2}).shape() == shape{3});
    CHECK(linalg::vector_norm(b, 2, 0, keepdims).shape() == shape{1, 2});
    check_number(linalg::vector_norm(b4, inf).item(), 4.0);
    check_number(linalg::cond(a).item(), golden::cond_a[0]);
    check_number(linalg::cond(a, 1).item(), golden::cond_a_1[0]);
    check_number(linalg::cond(a, linalg::matrix_order::frobenius).item(), golden::cond_a_fro[0]);
    const tensor<double, 2> wide{{3, 0, 0}, {0, 4, 0}};
    check_number(linalg::cond(wide, 2).item(), 4.0 / 3);
    check_number(linalg::cond(wide, -2).item(), 0.75);
    CHECK_THROWS_AS(linalg::cond(wide, 1), shape_error);
    check(linalg::matrix_power(a, 3), golden::power_3);
    check(linalg::matrix_power(a, -2), golden::power_minus_2);
    CHECK(largest(evaluate(linalg::matrix_power(matrices, 0)(2) - eye<double>(3))) == 0);
    CHECK(array_equal(linalg::matrix_power(full<double>({2, 2}, std::numeric_limits<double>::infinity()), 0),
                      eye<double>(2)));
    check(
        linalg::multi_dot(matrix_transpose(b), a, evaluate(matrix_transpose(matrix_transpose(tall)(all, slice(0, 3)))),
                          matrix_transpose(tall)),
        golden::multi_dot);
    check_number(linalg::multi_dot(evaluate(b(all, 0)), a, evaluate(b(all, 1))).item(),
                 matmul(matmul(evaluate(b(all, 0)), a), evaluate(b(all, 1))).item());
    check(linalg::cross(a, evaluate(b(all, 0))), golden::cross);
    CHECK(largest(evaluate(linalg::cross(matrix_transpose(a), evaluate(b(all, slice(0, 1))), 0) -
                           matrix_transpose(linalg::cross(a, evaluate(b(all, 0)))))) == 0);
    check(linalg::vander(b4, 3), golden::vander);
    check_number(linalg::trace(matrices)(2).item(), 9.0);
    CHECK(linalg::diagonal(matrices, 1).shape() == shape{3, 2});
    CHECK(linalg::matrix_transpose(tall).shape() == shape{2, 4});
    CHECK(array_equal(linalg::vecdot(tall, tall), vecdot(tall, tall)));
    CHECK(array_equal(linalg::outer(tall(0), tall(1)), outer(tall(0), tall(1))));
    // the Q of factors that are made by hand: one reflection of (3, 4) onto -5
    const auto q = linalg::householder_product(tensor<double, 2>{{-5}, {0.5}}, tensor<double, 1>{1.6});
    CHECK(largest(evaluate(q - tensor<double, 2>{{-0.6}, {-0.8}})) < 1e-15);
}

TEST_CASE("linalg: the exponential") {
    // Moler and Van Loan 2003, section 3
    const auto e = linalg::matrix_exp(tensor<double, 2>{{-49, 24}, {-64, 31}});
    const double p = std::exp(-1), q = std::exp(-17);
    CHECK(largest(evaluate(
              e - tensor<double, 2>{{-2 * p + 3 * q, 1.5 * p - 1.5 * q}, {-4 * p + 4 * q, 3 * p - 2 * q}})) < 1e-13);
    for (const double t : {1e-3, 0.2, 0.9, 2.0, 5.0, 40.0}) {  // every degree, and squarings
        const auto turn = linalg::matrix_exp(evaluate(tensor<double, 2>{{0, -1}, {1, 0}} * t));
        CHECK(largest(evaluate(turn - tensor<double, 2>{{std::cos(t), -std::sin(t)}, {std::sin(t), std::cos(t)}})) <
              1e-14 * (1 + t));
    }
    CHECK(largest(evaluate(linalg::matrix_exp(tensor<double, 2>{{0, 1, 2}, {0, 0, 3}, {0, 0, 0}}) -
                           tensor<double, 2>{{1, 1, 3.5}, {0, 1, 3}, {0, 0, 1}})) < 1e-15);
    CHECK(std::isnan(linalg::matrix_exp(tensor<double, 2>{{INFINITY}}).item()));
}

TEST_CASE_TEMPLATE("linalg: the exponential of matrices far from normal ones", T, double, float) {
    // of (1 b; 0 -1), whose square is the identity: each element to a few ulp
    for (const T b : {T(1e3), T(1e6), T(sizeof(T) == 8 ? 1e18 : 1e5)}) {
        CAPTURE(b);
        const auto e = linalg::matrix_exp(tensor<T, 2>{{1, b}, {0, -1}});
        const T expected[] = {static_cast<T>(std::exp(1.0)), b * static_cast<T>(std::sinh(1.0)), 0,
                              static_cast<T>(std::exp(-1.0))};
        for (int k = 0; k < 4; ++k)
            CHECK(std::abs(e.data()[k] - expected[k]) <=
                  16 * std::numeric_limits<T>::epsilon() * std::abs(expected[k]));
    }
    // nilpotent: 1 + N + N^2 / 2
    const auto e = linalg::matrix_exp(tensor<T, 2>{{0, 1e5, 3e8}, {0, 0, 1e4}, {0, 0, 0}});
    CHECK(largest(evaluate(e - tensor<T, 2>{{1, 1e5, 8e8}, {0, 1, 1e4}, {0, 0, 1}})) <=
          8e8 * 4 * std::numeric_limits<T>::epsilon());
    // with eigenvalues that do need squarings
    const auto far = linalg::matrix_exp(tensor<T, 2>{{20, 1e6}, {0, -20}});
    CHECK(std::abs(far(0, 1).item() / (1e6 * std::sinh(20.0) / 20) - 1) < 400 * std::numeric_limits<T>::epsilon());
}
TEST_CASE("linalg: layouts, integers, floats, no elements") {
    for (const auto l : reference::layouts) {
        if (l == reference::layout::expanded) continue;  // singular
        const auto x = reference::make<double>(l, shape{3, 3}, [](index_t i) { return golden::a[i]; });
        check(linalg::inv(x), golden::inv_a);
        check(linalg::solve(x, b), golden::solve_a);
    }
    const auto whole = linalg::inv(tensor<int, 2>{{2, 1}, {1, 1}});
    static_assert(std::is_same_v<decltype(whole)::value_type, double>);
    CHECK(largest(evaluate(whole - tensor<double, 2>{{1, -1}, {-1, 2}})) < 1e-15);
    const auto single = linalg::det(tensor<float, 2>{{2, 1}, {1, 1}});
    static_assert(std::is_same_v<decltype(single)::value_type, float>);
    CHECK(linalg::det(zeros<double>({0, 0})).item() == 1);
    CHECK(linalg::det(zeros<double>({0, 2, 2})).shape() == shape{0});
    CHECK(linalg::inv(zeros<double>({2, 0, 0})).shape() == shape{2, 0, 0});
    CHECK(linalg::solve(zeros<double>({0, 0}), zeros<double>({0, 3})).shape() == shape{0, 3});
    CHECK(linalg::solve(a, zeros<double>({3, 0})).shape() == shape{3, 0});
    CHECK(linalg::cholesky(zeros<double>({0, 0})).shape() == shape{0, 0});
    CHECK(linalg::eigvalsh(zeros<double>({0, 0})).shape() == shape{0});
    CHECK(linalg::svdvals(zeros<double>({3, 0})).shape() == shape{0});
    const auto [u, s, vh] = linalg::svd(zeros<double>({3, 0}));
    CHECK(largest(evaluate(u - eye<double>(3))) == 0);
    CHECK(vh.shape() == shape{0, 0});
    CHECK(linalg::pinv(zeros<double>({3, 0})).shape() == shape{0, 3});
    const auto [q, r] = linalg::qr(zeros<double>({3, 0}), linalg::qr_mode::complete);
    CHECK(largest(evaluate(q - eye<double>(3))) == 0);
    CHECK(r.shape() == shape{3, 0});
    CHECK(linalg::matrix_exp(zeros<double>({0, 0})).shape() == shape{0, 0});
    CHECK(linalg::lu_factor(zeros<double>({0, 3})).LU.shape() == shape{0, 3});
    CHECK(linalg::matrix_rank(zeros<double>({0, 3})).item() == 0);
}
TEST_CASE("linalg: lstsq of a float matrix and doubles, powers of small integers") {
    const tensor<float, 2> close{{1, 0}, {0, 1e-7f}, {0, 0}};  // of full rank, as a matrix of doubles
    const auto [x, residuals, rank, s] = linalg::lstsq(close, tensor<double, 1>{1, 1, 2});
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(s)>::value_type, double>);
    CHECK(rank.item() == 2);
    check_number(x(0).item(), 1.0);
    check_number(x(1).item(), 1 / double(1e-7f));
    check_number(residuals.item(), 4.0);
    const auto powers = linalg::vander(tensor<std::int8_t, 1>{2, -10}, 11);
    static_assert(std::is_same_v<decltype(powers)::value_type, std::int64_t>);
    CHECK((powers(0, 10).item() == 1024 && powers(1, 9).item() == -1000000000));
    CHECK(linalg::vander(tensor<std::int32_t, 1>{100000}, 3)(0, 2).item() == 10000000000);
}
