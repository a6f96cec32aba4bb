// Residuals of factorizations: 100 random matrices of each size, well and ill conditioned, in double and complex float.
//
// The bounds are those of the textbooks' error analyses: a backward stable factorization of an n x n matrix A leaves
// a residual of at most c n eps |A| in norm, with c of a few units (Higham 2002, theorems 9.3, 10.3 and 19.4; LU's
// growth of n^(2/3) for random matrices adds to it). Here c = 10 in the norm of the largest element times n. An ill
// conditioned matrix does not enlarge it, which is the point of the second family: its singular values fall evenly to
// eps.
#include "linalg.hpp"

using namespace linear;

namespace {

constexpr index_t count = reference::is_sample ? 3 : 100;

template <class T>
double bound(index_t n) {
    return 10 * static_cast<double>(n) * epsilon<T>;
}
/// Differences at most c n eps times the scale, matrix by matrix; false for NaN.
template <class T, class A, class B>
void check_near(const A& actual, const B& expected, double scale, index_t n) {
    CHECK(largest(evaluate(actual - expected)) <= bound<T>(n) * scale);
}
/// Matrices with singular values 1 ... eps, as Q D R'Q.
template <class T>
tensor<T, 3> ill_conditioned(index_t n) {
    using R = real_t<T>;
    const auto q = linalg::qr(some<T>(shape{count, n, n}, 5)).Q;
    const auto p = linalg::qr(some<T>(shape{count, n, n}, 6)).Q;
    auto d = tensor<R, 1>::uninitialized({n});
    for (index_t i = 0; i < n; ++i)
        d.data()[i] =
            static_cast<R>(std::pow(epsilon<T>, n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0));
    return matmul(evaluate(q * d), p);
}
template <class T>
void check_orthonormal(const tensor<T, 3>& q) {
    check_near<T>(matmul(turned(q), q), eye<real_t<T>>(q.shape()[2]), 1, q.shape()[1]);
}

template <class T>
void check_factors(const tensor<T, 3>& a) {
    const index_t n = a.shape()[1];
    CAPTURE(n);
    const double size = largest(a) * std::sqrt(static_cast<double>(n));
    const auto [p, l, u] = linalg::lu(a);
    check_near<T>(matmul(matmul(p, l), u), a, size, n);
    // pivots are the largest; of complex ones the measure is |Re| + |Im|
    CHECK(largest(l) <= (is_complex_v<T> ? std::sqrt(2.0) : 1) + 4 * epsilon<T>);
    const auto [q, r] = linalg::qr(a);
    check_near<T>(matmul(q, r), a, size, n);
    check_orthonormal(q);
    const auto h = hermitian(a);
    const auto [w, v] = linalg::eigh(h);
    check_near<T>(matmul(h, v), evaluate(v * detail::as_row(w)), 2 * size, n);
    check_orthonormal(v);
    check_near<T>(linalg::eigvalsh(h), w, 2 * size, n);
    const auto [left, s, right] = linalg::svd(a);
    check_near<T>(matmul(evaluate(left * detail::as_row(s)), right), a, size, n);
    check_orthonormal(left);
    check_orthonormal(turned(right));
    check_near<T>(linalg::svdvals(a), s, size, n);
    const auto definite_ones = definite(a);
    const auto c = linalg::cholesky(definite_ones);
    check_near<T>(matmul(c, turned(c)), definite_ones, largest(definite_ones) * std::sqrt(static_cast<double>(n)), n);
    const auto y = linalg::inv(a);
    const auto apart = evaluate(max(abs(matmul(a, y) - eye<real_t<T>>(n)), {1, 2}) / max(abs(y), {1, 2}));
    CHECK(largest(apart) <= bound<T>(n) * size * std::sqrt(static_cast<double>(n)));
    // |A X - B| <= c n eps |A| |X|: also where X is huge
    const auto b = some<T>(shape{count, n, 2}, 9);
    const auto x = linalg::solve(a, b);
    const auto error = evaluate(max(abs(matmul(a, x) - b), {1, 2}) / max(abs(x), {1, 2}));
    CHECK(largest(error) <= bound<T>(n) * size * std::sqrt(static_cast<double>(n)));
}
template <class T>
void check_sizes() {
    for (const index_t n : {1, 2, 3, 4, 7, 12, 25, 33, 64}) {
        if (reference::is_sample && n > 25) continue;
        check_factors(some<T>(shape{count, n, n}, static_cast<int>(n)));
        check_factors(ill_conditioned<T>(n));
    }
}

}  // namespace

TEST_CASE("linalg: residuals in double") { check_sizes<double>(); }
TEST_CASE("linalg: residuals in complex float") { check_sizes<std::complex<float>>(); }

TEST_CASE("linalg: systems with one right side") {
    const auto check = [](auto number) {
        using T = decltype(number);
        for (const index_t n : {1, 2, 5, 8, 9, 15, 16, 17, 24, 31, 32, 40, 67, 100, 150}) {
            CAPTURE(n);
            const auto a = some<T>(shape{n, n}, 3);
            const auto b = some<T>(shape{n}, 4);
            const auto near = [&](const auto& m, const auto& x) {
                CHECK(largest(evaluate(matmul(m, x) - b)) <=
                      bound<T>(n) * std::sqrt(double(n)) * largest(a) * largest(x));
            };
            near(a, linalg::solve(a, b));
            if constexpr (!is_complex_v<T>) {  // the gradient is a solve with the transpose, by the factors
                const auto slope = grad([&](const auto& v) { return sum(linalg::solve(a, v) * b); });
                near(evaluate(matrix_transpose(a)), slope(some<T>(shape{n}, 5)));
            }
            const auto steady = evaluate(a + real_t<T>(4 * n) * eye<real_t<T>>(n));
            near(evaluate(tril(steady)), linalg::solve_triangular(steady, b, false));
            near(evaluate(triu(steady)), linalg::solve_triangular(steady, b, true));
        }
    };
    check(float());
    check(double());
    check(std::complex<double>());
}

TEST_CASE("linalg: matrices that are not square") {
    for (const auto& extents : {shape{5, 9, 4}, shape{5, 4, 9}, shape{2, 90, 70}, shape{2, 70, 90}, shape{3, 6, 1}}) {
        const auto a = some<double>(extents, 3);
        const index_t m = extents[1], n = extents[2], k = std::min(m, n);
        for (const bool full : {false, true}) {
            const auto [u, s, vh] = linalg::svd(a, full);
            const auto kept =
                matmul(evaluate(u(all, all, slice(0, k)) * detail::as_row(s)), evaluate(vh(all, slice(0, k))));
            check_near<double>(kept, a, 10, m + n);
            check_orthonormal(u);
            check_orthonormal(evaluate(matrix_transpose(vh)));
            const auto [q, r] = linalg::qr(a, full ? linalg::qr_mode::complete : linalg::qr_mode::reduced);
            check_near<double>(matmul(q, r), a, 10, m + n);
            check_orthonormal(q);
            CHECK(largest(tril(r, -1)) == 0);
        }
        const auto [p, l, u] = linalg::lu(a);
        check_near<double>(matmul(matmul(p, l), u), a, 10, m + n);
        const auto y = linalg::pinv(a);  // the conditions of Moore and Penrose
        check_near<double>(matmul(matmul(a, y), a), a, 100, m + n);
        check_near<double>(matmul(matmul(y, a), y), y, 100, m + n);
    }
}

/// x of lstsq is that of the pseudoinverse, which goes by singular vectors; rank and values are matrix_rank's and
/// svdvals'.
template <class T>
void check_least_squares(index_t m, index_t n, index_t rank, index_t columns, double scale) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(rank);
    using R = real_t<T>;
    const auto a = evaluate(matmul(some<T>(shape{index_t(2), m, rank}, 1), some<T>(shape{index_t(2), rank, n}, 2)) *
                            T(static_cast<R>(scale)));
    const auto b = some<T>(shape{index_t(2), m, columns}, 3);
    const auto [x, squares, found, s] = linalg::lstsq(a, b);
    CHECK(largest(evaluate(found - rank)) == 0);
    const double size = largest(s);
    CHECK(largest(evaluate(s - linalg::svdvals(a))) <= bound<T>(m + n) * size);
    const auto inverse = linalg::pinv(a);
    const double condition = size * largest(inverse);  // sqrt(min(m, n)) times less, which the bound has room for
    const auto expected = matmul(inverse, b);
    const double error = bound<T>(m + n) * condition * (largest(expected) + condition / size * largest(b));
    CHECK(largest(evaluate(x - expected)) <= error);
}
TEST_CASE_TEMPLATE("linalg: least squares of every aspect and rank", T, double, std::complex<float>) {
    const double small = is_complex_v<T> ? 1e-30 : 1e-290, large = is_complex_v<T> ? 1e15 : 1e140;
    constexpr index_t extents[][2] = {{1, 1},   {3, 1},   {1, 3},   {5, 5},   {20, 17},
                                      {17, 20}, {60, 20}, {20, 60}, {70, 68}, {68, 70}};
    for (const auto& [m, n] : extents)
        for (const index_t rank : {std::min(m, n), (std::min(m, n) + 1) / 2})
            for (const index_t columns : {1, 3, 40}) {
                check_least_squares<T>(m, n, rank, columns, 1);
                if (m + n == 10) check_least_squares<T>(m, n, rank, columns, small);
                if (m + n == 10) check_least_squares<T>(m, n, rank, columns, large);
            }
}
TEST_CASE("linalg: least squares of nothing and of zeros") {
    CHECK(largest(linalg::lstsq(zeros<double>({4, 3}), ones<double>({4})).solution) == 0);
    CHECK(linalg::lstsq(zeros<double>({4, 3}), ones<double>({4})).rank.item() == 0);
    CHECK(largest(linalg::lstsq(zeros<double>({0, 3}), ones<double>({0, 2})).solution) == 0);
    CHECK(linalg::lstsq(zeros<double>({3, 0}), ones<double>({3, 2})).solution.shape() == shape{0, 2});
}

TEST_CASE("linalg: inverses of small matrices, one in each lane") {
    for (index_t n = 1; n <= 9; ++n) {
        CAPTURE(n);
        const auto a = some<float>(shape{37, n, n}, static_cast<int>(n));  // the last registers are not full
        const auto y = linalg::inv(a);
        const auto apart = evaluate(max(abs(matmul(a, y) - eye<float>(n)), {1, 2}) / max(abs(y), {1, 2}));
        CHECK(largest(apart) <= bound<float>(n) * largest(a) * static_cast<double>(n));
        const auto turned_ones = linalg::inv(matrix_transpose(a));
        CHECK(largest(evaluate(max(abs(matmul(matrix_transpose(a), turned_ones) - eye<float>(n)), {1, 2}) /
                               max(abs(turned_ones), {1, 2}))) <=
              bound<float>(n) * largest(a) * static_cast<double>(n));
        const auto spoilt = a.clone();
        spoilt(33, 0) = 0;
        CHECK(reference::message<linalg_error>([&] { linalg::inv(spoilt); }) ==
              "[inv] matrix 33 of the batch is singular: U(" + std::to_string(n - 1) + ", " + std::to_string(n - 1) +
                  ") is 0");
    }
    // every order of pivots
    const auto p = tensor<double, 3>{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                     {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                     {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    CHECK(largest(evaluate(linalg::inv(p) - matrix_transpose(p))) == 0);
}

TEST_CASE_TEMPLATE("linalg: factors of small matrices, one in each lane", T, double, float) {
    const double huge = std::numeric_limits<T>::max() / 100, tiny = std::numeric_limits<T>::min() * 4;
    for (index_t n = 1; n <= 8; ++n) {
        const auto plain = some<double>(shape{37, n, n}, static_cast<int>(n));
        const auto falling = exp(-2 * (detail::as_row(arange<double>(n)) + detail::as_column(arange<double>(n))));
        const tensor<double, 3> families[] = {
            plain,
            evaluate(plain * falling),                                              // graded
            evaluate(plain * pow(tiny, detail::as_column(arange<double>(n)) / 3)),  // the small vectors' squares vanish
            evaluate(sum(plain, 1, keepdims) + 0 * plain),                          // of rank 1
            evaluate(eye<double>(n) + 0 * plain),                                   // all values the same
            evaluate(where(detail::as_matrix(arange<double>(37)) < 9, 0 * plain, plain)),  // some 0
            evaluate(plain * huge),                                                        // squares overflow
            evaluate(plain * tiny),                                                        // squares vanish
            evaluate(plain * exp(detail::as_matrix(arange<double>(37)) - 18))              // of each scale
        };
        for (const auto& family : families) {
            CAPTURE(n);
            CAPTURE(&family - families);
            const auto a = evaluate(astype<T>(family));
            const auto h = evaluate(a / T(2) + matrix_transpose(a) / T(2));
            const double scale = std::max(largest(a), std::numeric_limits<double>::min());
            const auto exactly = [](const auto& x) { return evaluate(astype<double>(x)); };
            const auto orthonormal = [&](const auto& q) {
                return largest(evaluate(matmul(matrix_transpose(q), q) - eye<double>(n))) <= bound<T>(n);
            };
            const auto [w, v] = linalg::eigh(h);
            const auto vectors = exactly(v);
            const auto values = evaluate(exactly(w) / scale);
            CHECK(largest(evaluate(matmul(evaluate(exactly(h) / scale), vectors) - vectors * detail::as_row(values))) <=
                  bound<T>(n));
            CHECK(orthonormal(vectors));
            CHECK(all(diff(values, 1) >= 0).item());
            CHECK(largest(evaluate(exactly(linalg::eigvalsh(h)) / scale - values)) <= bound<T>(n));
            const auto [u, s, vh] = linalg::svd(a);
            const auto left = exactly(u), right = exactly(vh);
            const auto stretched = evaluate(exactly(s) / scale);
            CHECK(largest(evaluate(matmul(evaluate(left * detail::as_row(stretched)), right) - exactly(a) / scale)) <=
                  bound<T>(n));
            CHECK(orthonormal(left));
            CHECK(orthonormal(right));
            CHECK(all(diff(stretched, 1) <= 0).item());
            CHECK(largest(evaluate(exactly(linalg::svdvals(a)) / scale - stretched)) <= bound<T>(n));
        }
    }
}
TEST_CASE_TEMPLATE("linalg: systems and determinants of small matrices, one in each lane", T, double, float) {
    for (index_t n = 1; n <= 9; ++n) {
        CAPTURE(n);
        const auto a = some<T>(shape{37, n, n}, static_cast<int>(n));
        const double size = largest(a) * std::sqrt(static_cast<double>(n));
        for (const index_t columns : {1, 3, 8, 9}) {
            const auto b = some<T>(shape{37, n, columns}, 2), x = linalg::solve(a, b);
            const auto rest = evaluate(max(abs(matmul(a, x) - b), {1, 2}) / max(abs(x), {1, 2}));
            CHECK(largest(rest) <= bound<T>(n) * size);
        }
        const auto determinants = linalg::det(a);
        for (index_t k = 0; k < 37; ++k) {
            const double one = linalg::det(evaluate(astype<double>(index(a, k)))).item();
            CHECK(std::abs(static_cast<double>(determinants(k)) - one) <= bound<T>(n) * std::pow(size, n));
        }
        const auto [sign, logarithm] = linalg::slogdet(a);
        CHECK(largest(evaluate(sign * exp(logarithm) - determinants)) <= bound<T>(n) * std::pow(size, n));
        const auto positive = definite(a), l = linalg::cholesky(positive);
        check_near<T>(matmul(l, matrix_transpose(l)), positive, largest(positive), n);
        CHECK(largest(evaluate(l - tril(l))) == 0);
        const auto spoilt = a.clone(), indefinite = positive.clone();
        spoilt(33, n - 1) = 0;
        indefinite(35, n - 1, n - 1) = -1;
        CHECK(linalg::det(spoilt)(33) == 0);
        const auto [no_sign, no_logarithm] = linalg::slogdet(spoilt);
        CHECK((no_sign(33) == 0 && no_logarithm(33) == -std::numeric_limits<T>::infinity()));
        const std::string last = std::to_string(n - 1);
        CHECK(reference::message<linalg_error>([&] { linalg::solve(spoilt, some<T>(shape{37, n, 2}, 3)); }) ==
              "[solve] matrix 33 of the batch is singular: U(" + last + ", " + last + ") is 0");
        CHECK(reference::message<linalg_error>([&] { linalg::cholesky(indefinite); }) ==
              "[cholesky] matrix 35 of the batch is not positive definite: the leading minor of order " +
                  std::to_string(n) + " is not positive");
    }
    // every order of pivots, and subnormal ones, whose reciprocals overflow
    const auto p = tensor<T, 3>{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
    CHECK(all(linalg::det(p) == tensor<T, 1>{1, -1, -1, -1, 1, 1, 1, 1}).item());
    // neither overflow nor underflow
    const T scale = std::numeric_limits<T>::min();
    const auto [signs, logarithms] = linalg::slogdet(evaluate(p * scale));
    CHECK(all(signs == tensor<T, 1>{1, -1, -1, -1, 1, 1, 1, 1}).item());
    CHECK(largest(evaluate(logarithms / (3 * std::log(scale)) - 1)) <= 4 * std::numeric_limits<T>::epsilon());
    const auto eye_of_all = evaluate(eye<T>(3) + 0 * p);
    CHECK(all(linalg::solve(p, eye_of_all) == matrix_transpose(p)).item());
    const T least = std::numeric_limits<T>::denorm_min();
    CHECK(all(linalg::solve(evaluate(p * least), evaluate(p * least)) == eye_of_all).item());
}

TEST_CASE("linalg: larger matrices, of low rank, graded and of every aspect") {
    const auto check = [](auto number) {
        using T = decltype(number);
        const auto check_all = [](const tensor<T, 3>& a) {
            const index_t m = a.shape()[1], n = a.shape()[2], k = std::min(m, n);
            CAPTURE(m);
            CAPTURE(n);
            const double size = largest(a) * std::sqrt(static_cast<double>(m * n));  // at least its 2-norm
            const auto [u, s, vh] = linalg::svd(a, true);
            check_near<T>(
                matmul(evaluate(u(all, all, slice(0, k)) * detail::as_row(s)), evaluate(vh(all, slice(0, k)))), a, size,
                n);
            check_orthonormal(u);
            check_orthonormal(turned(vh));
            check_near<T>(linalg::svdvals(a), s, size, n);
            CHECK(largest(minimum(diff(s, 1, -1), 0) - diff(s, 1, -1)) == 0);  // descending
            const auto [q, r] = linalg::qr(a);
            check_near<T>(matmul(q, r), a, size, n);
            check_orthonormal(q);
            if (m != n) return;
            const auto h = hermitian(a);
            const auto [w, v] = linalg::eigh(h);
            check_near<T>(matmul(h, v), evaluate(v * detail::as_row(w)), 2 * size, n);
            check_orthonormal(v);
            check_near<T>(linalg::eigvalsh(h), w, 2 * size, n);
        };
        for (const index_t n : {17, 40, 90}) {
            check_all(some<T>(shape{1, n, n}, 3));
            check_all(some<T>(shape{1, n + n / 3, n}, 3));
            check_all(some<T>(shape{1, n, 3 * n}, 3));
            check_all(tensor<T, 3>(
                ones<T>({1, n, n})));  // reduced, all but the first numbers are rounding errors of rounding errors
            check_all(tensor<T, 3>(zeros<T>({1, n, n})));
            const auto falling = evaluate(exp(-0.5 * arange<double>(n)));
            check_all(evaluate(astype<T>(some<T>(shape{1, n, n}, 3) * astype<T>(falling))));
            check_all(evaluate(
                astype<T>(some<T>(shape{1, n, n}, 3) * astype<T>(flip(falling)) * astype<T>(falling)(all, newaxis))));
        }
    };
    check(float());
    check(double());
    check(std::complex<double>());
}

TEST_CASE("linalg: matrices of the size that is LAPACK's, where it is there") {
    const auto a = some<double>(shape{1, 400, 400}, 3);
    const double size = largest(a) * 20;
    const auto [q, r] = linalg::qr(a);
    check_near<double>(matmul(q, r), a, size, 400);
    const auto y = linalg::inv(a);
    CHECK(largest(evaluate(matmul(a, y) - eye<double>(400))) <= bound<double>(400) * size * largest(y));
    const auto b = evaluate(a(all, slice(0, 230), slice(0, 230)));
    const auto [u, s, vh] = linalg::svd(b);
    check_near<double>(matmul(evaluate(u * detail::as_row(s)), vh), b, size, 230);
    check_orthonormal(u);
    const auto [w, v] = linalg::eigh(hermitian(b));
    check_near<double>(matmul(hermitian(b), v), evaluate(v * detail::as_row(w)), 2 * size, 230);
    check_orthonormal(v);
}

TEST_CASE("linalg: scales at the edge of the range") {
    for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
        CAPTURE(scale);
        const auto a = evaluate(some<double>(shape{3, 6, 6}, 4) * scale);
        const auto h = hermitian(a);
        const auto [w, v] = linalg::eigh(h);
        CHECK(largest(evaluate((matmul(h, v) - v * detail::as_row(w)) / scale)) < 1e-13);
        const auto [u, s, vh] = linalg::svd(a);
        CHECK(largest(evaluate((matmul(evaluate(u * detail::as_row(s)), vh) - a) / scale)) < 1e-13);
        const auto [q, r] = linalg::qr(a);
        CHECK(largest(evaluate((matmul(q, r) - a) / scale)) < 1e-13);
    }
}

TEST_CASE("linalg: small singular values are exact where the matrix determines them") {
    // columns of very different length: one-sided Jacobi's strength (Demmel and Veselic 1992), which more than 16
    // columns are not given
    const auto a =
        evaluate(some<double>(shape{8, 8}, 2) * tensor<double, 1>{1e20, 1e10, 1, 1e-3, 1e-5, 1e-10, 1e-15, 1e-20});
    const auto whole = linalg::svdvals(a);
    const double product = std::exp(static_cast<double>(sum(log(whole)).item()));
    CHECK(std::abs(product / std::abs(linalg::det(a).item()) - 1) < 1e-12);
}

TEST_CASE("linalg: results do not depend on the number of threads") {
    const int before = num_threads();
    const auto a = some<double>(shape{50, 20, 20}, 8);
    set_num_threads(1);
    const auto x = linalg::inv(a), v = linalg::eigh(a).eigenvectors;
    set_num_threads(4);
    CHECK(reference::values(linalg::inv(a)) == reference::values(x));
    CHECK(reference::values(linalg::eigh(a).eigenvectors) == reference::values(v));
    set_num_threads(before);
}
