// Reductions, products and linear algebra of fixed tensors against those of tensors, and closed forms.
#include <doctest/doctest.h>

#include <ricci/fixed.hpp>

using namespace ricci;

namespace {

/// Whether a fixed tensor has the element type, the shape and the values of what a function gives of tensors.
template <class A, class B>
bool agrees(const A& fixed, const B& expected, double tolerance = 1e-14) {
    static_assert(is_fixed_v<A> && std::is_same_v<typename A::value_type, typename B::value_type>);
    if constexpr (A::rank != B::rank) return false;
    else return fixed.shape() == expected.shape() && allclose(fixed.fetch(), expected, tolerance, tolerance);
}

template <int N>
void check_matrices() {
    CAPTURE(N);
    const auto A = randn<double>({N, N}, generator(N)), B = randn<double>({N, N}, generator(17));
    const tensor<double, 2> S = matmul(A, matrix_transpose(A)) + eye<double>(N);
    const auto X = randn<double>({N}, generator(3));
    const fixed_tensor<double, N, N> a = A, b = B, s = S;
    const fixed_tensor<double, N> x = X;
    CHECK(agrees(matmul(a, b), matmul(A, B)));
    CHECK(agrees(matmul(a, x), matmul(A, X)));
    CHECK(agrees(matmul(x, a), matmul(X, A)));
    CHECK(agrees(matmul(x, x), matmul(X, X)));
    CHECK(agrees(inner(a, b), inner(A, B)));
    CHECK(agrees(outer(a, x), evaluate(outer(A, X))));
    CHECK(agrees(vdot(a, b), vdot(A, B)));
    CHECK(agrees(matrix_transpose(a), matrix_transpose(A)));
    CHECK(agrees(trace(a), trace(A)));
    CHECK(agrees(trace(a, 1), trace(A, 1)));
    // the condition numbers of these are below 1e4
    CHECK(agrees(linalg::det(a), linalg::det(A), 1e-12));
    CHECK(agrees(linalg::inv(a), linalg::inv(A), 1e-11));
    CHECK(agrees(linalg::solve(a, x), linalg::solve(A, X), 1e-11));
    CHECK(agrees(linalg::solve(a, b), linalg::solve(A, B), 1e-11));
    CHECK(agrees(linalg::cholesky(s), linalg::cholesky(S), 1e-13));
    CHECK(agrees(linalg::cholesky(s, true), linalg::cholesky(S, true), 1e-13));
    CHECK(agrees(matmul(linalg::inv(a), a), eye<double>(N), 1e-11));
    const auto zero = fixed_tensor<double, N, N>::zeros();
    CHECK_THROWS_WITH_AS(linalg::inv(zero), "[inv] the matrix is singular: U(0, 0) is 0", linalg_error);
    CHECK_THROWS_WITH_AS(linalg::solve(zero, x), "[solve] the matrix is singular: U(0, 0) is 0", linalg_error);
    CHECK_THROWS_WITH_AS(linalg::cholesky(-s),
                         "[cholesky] the matrix is not positive definite: the leading minor of order 1 is not positive",
                         linalg_error);
    CHECK(linalg::det(zero).item() == 0);
}

}  // namespace

TEST_CASE("fixed: reductions") {
    const auto T = randn<double>({2, 3, 5}, generator(1));
    const fixed_tensor<double, 2, 3, 5> t = T;
    CHECK(agrees(sum(t), sum(T)));
    CHECK(agrees(sum(t, keepdims), sum(T, keepdims)));
    CHECK(agrees(sum(t, along<1>), sum(T, 1)));
    CHECK(agrees(sum(t, along<-1, 0>), sum(T, {-1, 0})));
    CHECK(agrees(mean(t, along<0, 2>, keepdims), evaluate(mean(T, {0, 2}, keepdims))));
    CHECK(agrees(prod(t, along<2>), prod(T, 2)));
    CHECK(agrees(max(t, along<0>), max(T, 0)));
    CHECK(agrees(min(t), min(T)));
    CHECK(agrees(norm(t, along<1>), norm(T, 1)));
    CHECK(agrees(norm(t), norm(T)));
    CHECK(array_equal(sum(T, along<1>), sum(T, 1)));  // of a tensor
    const auto many = fixed_tensor<double, 101>::ones();
    CHECK(sum(many).item() == 101);
    CHECK(sum(fixed_tensor<double, 0>()).item() == 0);
    CHECK(prod(fixed_tensor<double, 2, 0>(), along<1>)(1) == 1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(max(fixed_tensor<double, 3>{1, nan, 2}).item()));
    CHECK(std::isnan(min(fixed_tensor<double, 3>{1, 2, nan}).item()));
}

TEST_CASE("fixed: types of results") {
    const fixed_tensor<int, 2, 2> i{{1, 2}, {3, 4}};
    const tensor<int, 2> I = i;
    CHECK(agrees(sum(i), sum(I)));
    CHECK(agrees(mean(i), evaluate(mean(I))));
    CHECK(agrees(prod(i, along<0>), prod(I, 0)));
    CHECK(agrees(max(i), max(I)));
    CHECK(agrees(norm(i), norm(I)));
    CHECK(agrees(matmul(i, i), matmul(I, I)));
    CHECK(agrees(linalg::det(i), linalg::det(I)));
    const fixed_tensor<std::int8_t, 2> big{100, 100};
    CHECK(agrees(matmul(big, big), matmul(tensor<std::int8_t, 1>(big), tensor<std::int8_t, 1>(big))));
    const fixed_tensor<float16, 4> h{1, 2, 3, 0.1};
    const tensor<float16, 1> H = h;
    CHECK(agrees(sum(h), sum(H), 0));
    CHECK(agrees(mean(h), evaluate(mean(H)), 0));
    CHECK(agrees(matmul(h, h), matmul(H, H), 0));
    CHECK(agrees(norm(h), norm(H), 0));
    const fixed_tensor<std::complex<double>, 2, 2> c{{{2, 0}, {1, 1}}, {{1, -1}, {4, 0}}};
    const tensor<std::complex<double>, 2> C = c;
    CHECK(agrees(sum(c, along<0>), sum(C, 0)));
    CHECK(agrees(norm(c), norm(C)));
    CHECK(agrees(vdot(c, c), vdot(C, C)));
    CHECK(agrees(matmul(linalg::inv(c), c), eye<std::complex<double>>(2)));
    const auto lower = linalg::cholesky(c), upper = linalg::cholesky(c, true);
    CHECK(agrees(matmul(lower, matrix_transpose(conj(lower))), C));
    CHECK(agrees(matmul(matrix_transpose(conj(upper)), upper), C));
}

TEST_CASE("fixed: matrices") {
    check_matrices<2>();
    check_matrices<3>();
    check_matrices<4>();
    check_matrices<6>();
    const fixed_tensor<double, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
    static_assert(std::is_same_v<decltype(matmul(a, matrix_transpose(a))), fixed_tensor<double, 2, 2>>);
    static_assert(matmul(fixed_tensor<int, 2, 2>{{1, 2}, {3, 4}}, fixed_tensor<int, 2>{1, 1})(1) == 7);
    static_assert(linalg::det(fixed_tensor<double, 2, 2>{{1, 2}, {3, 4}}).item() == -2);
    const auto wide = fixed_tensor<double, 9, 8>::generate([](index_t k) { return static_cast<double>(k % 11); });
    CHECK(agrees(matmul(wide, matrix_transpose(wide)), matmul(wide.fetch(), matrix_transpose(wide.fetch()))));
}

TEST_CASE("fixed: cross products, and matrices whose determinants leave the range") {
    const fixed_tensor<double, 3> u{1, 2, 3}, v{3, -1, 2};
    CHECK(array_equal(linalg::cross(u, v), fixed_tensor<double, 3>{7, 7, -7}));
    const auto tiny = fixed_tensor<double, 3, 3>::eye() * 1e-200;
    const auto huge = fixed_tensor<double, 4, 4>::eye() * 1e200;
    CHECK(linalg::inv(tiny)(1, 1) == doctest::Approx(1e200).epsilon(1e-15));
    CHECK(linalg::inv(huge)(3, 3) == doctest::Approx(1e-200).epsilon(1e-15));
    CHECK(linalg::solve(tiny, u)(2) == doctest::Approx(3e200).epsilon(1e-15));
    const fixed_tensor<double, 3, 3> singular{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
    CHECK_THROWS_AS(linalg::inv(singular), linalg_error);
    CHECK_THROWS_AS(linalg::solve(singular, u), linalg_error);
    const fixed_tensor<double, 2, 2> saddle{{1, 2}, {2, 1}};
    CHECK_THROWS_WITH_AS(linalg::cholesky(saddle),
                         "[cholesky] the matrix is not positive definite: the leading minor of order 2 is not positive",
                         linalg_error);
}

namespace {

/// The matrix with these numbers on the diagonal: its determinant, its inverse and what it solves are known.
template <class T, std::size_t N>
auto diagonal_matrix(const T (&d)[N]) {
    constexpr auto n = static_cast<index_t>(N);
    return fixed_tensor<T, n, n>::generate([&](index_t k) { return k % (n + 1) == 0 ? d[k / (n + 1)] : T(0); });
}
template <class T, std::size_t N>
void check_diagonal(const T (&d)[N], double determinant) {
    const auto a = diagonal_matrix(d);
    const double some = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
    const auto y = linalg::inv(a);
    for (std::size_t k = 0; k < N; ++k) {
        CAPTURE(k);
        const auto i = static_cast<index_t>(k);
        CHECK(static_cast<double>(y(i, i)) * static_cast<double>(d[k]) == doctest::Approx(1).epsilon(some));
        fixed_tensor<T, static_cast<index_t>(N)> b;
        b(i) = d[k];
        CHECK(static_cast<double>(linalg::solve(a, b)(i)) == doctest::Approx(1).epsilon(some));
    }
    CHECK(static_cast<double>(linalg::det(a).item()) == doctest::Approx(determinant).epsilon(some));
}

}  // namespace

TEST_CASE("fixed: matrices whose minors leave the range") {
    const double infinity = std::numeric_limits<double>::infinity();
    check_diagonal<float>({1e13F, 1e13F, 1e13F, 1e-3F}, 1e36);
    check_diagonal<float>({1e-15F, 1e-15F, 1e-15F, 1e10F}, 1e-35);
    check_diagonal<float>({1e-12F, 1e-12F, 1e-12F}, 1e-36);
    check_diagonal<float>({1e-20F, 1e-25F, 1e20F}, 1e-25);
    check_diagonal<float>({1e20F, 1e-25F, 1e-20F}, 1e-25);
    check_diagonal<float>({1e-20F, 1e20F}, 1);
    check_diagonal<double>({1e-200, 1e200, 1e200}, 1e200);
    check_diagonal<double>({1e200, 1e200, 1e-200}, 1e200);
    check_diagonal<double>({1e200, 1e-200, 1e-200}, 1e-200);
    check_diagonal<double>({1e200, 1e200, 1e-200, 1e-200}, 1);
    check_diagonal<double>({1e-200, 1e-200, 1e200, 1e200}, 1);
    check_diagonal<double>({1e200, 1e200, 1e200, 1e-200, 1e-200}, 1e200);
    CHECK(linalg::det(diagonal_matrix<double>({1e200, 1e200, 1, 1})).item() == infinity);
    check_diagonal<double>({1e300}, 1e300);
    // of small integers a singular matrix has the determinant 0
    CHECK(linalg::det(fixed_tensor<double, 3, 3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}).item() == 0);
    CHECK(linalg::det(fixed_tensor<float, 4, 4>{{1, 2, 3, 4}, {5, 6, 7, 8}, {2, 4, 6, 8}, {0, 1, 0, 1}}).item() == 0);
    CHECK(linalg::det(fixed_tensor<double, 3, 3>()).item() == 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    auto a = fixed_tensor<double, 5, 5>::eye();
    a(0, 0) = 0;
    a(1, 0) = nan;
    CHECK(std::isnan(linalg::det(a).item()));
    const fixed_tensor<std::complex<double>, 3, 3> c =
        fixed_tensor<double, 3, 3>::eye() * std::complex<double>(0, 1e120);
    CHECK(std::abs(linalg::inv(c)(2, 2) * std::complex<double>(0, 1e120) - 1.0) < 1e-15);
}
TEST_CASE("fixed: right sides of which products with minors leave the range") {
    const auto eye3 = fixed_tensor<float, 3, 3>::eye();
    const auto solved = [&](float a, float b) { return linalg::solve(eye3 * a, fixed_tensor<float, 3>::full(b))(1); };
    CHECK(solved(2e11F, 1e16F) == doctest::Approx(5e4).epsilon(1e-6));
    CHECK(solved(1e10F, 1e19F) == doctest::Approx(1e9).epsilon(1e-6));
    CHECK(solved(1e-12F, 1e-20F) == doctest::Approx(1e-8).epsilon(1e-6));
    const auto x = linalg::solve(fixed_tensor<double, 2, 2>::eye() * 1e100, fixed_tensor<double, 2>{1e250, 1e100});
    CHECK(x(0) == doctest::Approx(1e150).epsilon(1e-15));
    CHECK(x(1) == doctest::Approx(1).epsilon(1e-15));
}
TEST_CASE("fixed: traces of any diagonal") {
    const fixed_tensor<int, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
    const tensor<int, 2> A = a;
    for (const index_t k : {-5, -2, -1, 0, 1, 2, 3, 9})
        for (const int first : {0, 1, -1, -2}) {
            const int second = first % 2 == 0 ? 1 : 0;
            CHECK(trace(a, k, first, second).item() == trace(A, k, first, second).item());
        }
    static_assert(trace(fixed_tensor<int, 2, 2>{{1, 2}, {3, 4}}).item() == 5);
    CHECK(trace(a, std::numeric_limits<index_t>::min()).item() == 0);
    CHECK(trace(a, std::numeric_limits<index_t>::max(), 1, 0).item() == 0);
    CHECK_THROWS_WITH_AS(trace(a, 0, 1, -1), "[trace] axis 1 is named twice", index_error);
}

namespace {

/// Products of rotations and the given singular values, in each of many orders, beside what elimination in long double
/// gives.
template <int N>
void check_ill_conditioned(const tensor<double, 1>& singular_values, double tolerance) {
    for (int k = 0; k < 20; ++k) {
        CAPTURE(k);
        const auto U = linalg::qr(randn<double>({N, N}, generator(k))).Q;
        const auto V = linalg::qr(randn<double>({N, N}, generator(100 + k))).Q;
        const tensor<double, 2> A = matmul(U * singular_values, V);
        const fixed_tensor<double, N, N> a = A;
        const fixed_tensor<long double, N, N> wide = a;
        const auto exact = linalg::inv(wide);
        double error = 0, size = 0;
        const auto inverse = linalg::inv(a);
        const auto identity = linalg::solve(a, fixed_tensor<double, N, N>::eye());
        for (int i = 0; i < N * N; ++i) {
            const auto x = static_cast<double>(exact.data()[i]);
            size = std::max(size, std::abs(x));
            error = std::max({error, std::abs(inverse.data()[i] - x), std::abs(identity.data()[i] - x)});
        }
        CHECK(error <= tolerance * size);
        const auto determinant = static_cast<double>(linalg::det(wide).item());
        CHECK(std::abs(linalg::det(a).item() - determinant) <= tolerance * std::abs(determinant));
    }
}

}  // namespace

TEST_CASE("fixed: ill-conditioned matrices lose no more digits than by elimination") {
    // some units in the last place times the condition number; of long double beside it a thousandth of these
    check_ill_conditioned<2>({1, 1e-7}, 1e-8);
    check_ill_conditioned<3>({1, 1e-6, 1e-6}, 1e-9);
    check_ill_conditioned<3>({1e-30, 1e-34, 1e-38}, 1e-7);
    check_ill_conditioned<3>({1e-80, 1e-84, 1e-88}, 1e-7);
    check_ill_conditioned<3>({1, 0.03, 0.02}, 1e-12);
    check_ill_conditioned<4>({1, 1e-3, 1e-6, 1e-9}, 1e-6);
    check_ill_conditioned<4>({1e50, 1e45, 1e45, 1e45}, 1e-10);
    CHECK(linalg::det(fixed_tensor<double, 3, 3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}).item() == 0);
}
