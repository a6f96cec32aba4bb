// eigh of matrices large enough to be divided: residuals and orthogonality where values are apart, equal, clustered and
// graded.
#include "linalg.hpp"

using namespace ricci;

namespace {

template <class T>
tensor<T, 2> with_values(const tensor<T, 1>& w) {
    const index_t n = w.size();
    const auto q = linalg::qr(randn<T>({n, n}, generator(7))).Q;
    const auto a = evaluate(matmul(q * w, matrix_transpose(q)));
    return evaluate((a + matrix_transpose(a)) / T(2));
}
/// d on the diagonal, e beside it.
template <class T, class D, class E>
tensor<T, 2> tridiagonal(index_t n, D d, E e) {
    const auto a = zeros<T>({n, n});
    for (index_t i = 0; i < n; ++i) a.data()[i * n + i] = T(d(i));
    for (index_t i = 0; i + 1 < n; ++i) a.data()[i * n + i + 1] = a.data()[(i + 1) * n + i] = T(e(i));
    return a;
}
/// A V = V diag(w), V unitary, w ascending and the values that are found without vectors.
template <class T>
void check_vectors(const tensor<T, 2>& a) {
    using R = real_t<T>;
    const index_t n = a.shape()[0];
    const auto [w, v] = linalg::eigh(a);
    const auto values = linalg::eigvalsh(a);
    const R largest = max(abs(a)).item(), eps = std::numeric_limits<R>::epsilon() * static_cast<R>(n);
    const auto v_adjoint = evaluate(conj(matrix_transpose(v)));
    CHECK(max(abs(matmul(a, v) - v * w)).item() <= 2 * eps * largest);
    CHECK(max(abs(matmul(v_adjoint, v) - eye<R>(n))).item() <= eps);
    CHECK(max(abs(w - values)).item() <= 4 * eps * largest);
    bool ascending = true;
    for (index_t i = 1; i < n; ++i) ascending = ascending && w.at(i - 1) <= w.at(i);
    CHECK(ascending);
}
template <class T>
void check_kinds() {
    const T eps = std::numeric_limits<T>::epsilon();
    for (const index_t n : {100, 131, 257}) {
        CAPTURE(n);
        const auto b = randn<T>({n, n}, generator(static_cast<std::uint64_t>(n)));
        check_vectors<T>(evaluate(b + matrix_transpose(b)));
    }
    const index_t n = 150;
    const auto u = evaluate(astype<T>(arange<index_t>(n)));
    check_vectors<T>(zeros<T>({n, n}));
    check_vectors<T>(evaluate(T(3) * eye<T>(n)));
    check_vectors<T>(evaluate(u * eye<T>(n)));
    check_vectors<T>(with_values<T>(evaluate(floor(u / T(25)))));
    check_vectors<T>(with_values<T>(evaluate(1 + u * eps)));
    check_vectors<T>(with_values<T>(evaluate(where(u < T(70), T(-1), T(1)))));
    check_vectors<T>(with_values<T>(evaluate(exp(-u / T(2)))));
    check_vectors<T>(with_values<T>(evaluate(where(u == T(0), 1 / eps, T(1)))));
    const auto b = randn<T>({n, 4}, generator(3));
    check_vectors<T>(evaluate(matmul(b, matrix_transpose(b))));
    check_vectors<T>(tridiagonal<T>(n, [](index_t) { return 2; }, [](index_t) { return -1; }));
    // Wilkinson's: pairs of values that agree to rounding; and copies of it that hardly touch
    check_vectors<T>(tridiagonal<T>(151, [](index_t i) { return std::abs(i - 75); }, [](index_t) { return 1; }));
    check_vectors<T>(tridiagonal<T>(
        210, [](index_t i) { return std::abs(i % 21 - 10); },
        [eps](index_t i) { return i % 21 == 20 ? std::sqrt(eps) : T(1); }));
}

}  // namespace

TEST_CASE("eigh of large matrices: residuals, double") { check_kinds<double>(); }
TEST_CASE("eigh of large matrices: residuals, float") { check_kinds<float>(); }
TEST_CASE("eigh of large matrices: complex ones") {
    using C = std::complex<double>;
    const index_t n = 120;
    const auto a = evaluate(randn<double>({n, n}, generator(1)) + C(0, 1) * randn<double>({n, n}, generator(2)));
    check_vectors<C>(evaluate(a + conj(matrix_transpose(a))));
}
TEST_CASE("eigh of large matrices: elements whose squares overflow or vanish") {
    const index_t n = 110;
    const auto b = randn<double>({n, n}, generator(1));
    for (const double factor : {1e200, 1e-200, 1e-300})
        check_vectors<double>(evaluate((b + matrix_transpose(b)) * factor));
}
TEST_CASE("eigh of large matrices: values over thirty orders of magnitude converge") {
    const index_t n = 300;
    const auto u = evaluate(astype<double>(arange<index_t>(n)));
    check_vectors<double>(with_values<double>(evaluate(pow(10.0, -u / 10))));
    const auto graded = [](index_t i) { return std::pow(10.0, -0.1 * double(i)); };
    check_vectors<double>(tridiagonal<double>(n, graded, [&](index_t i) { return graded(i) / 3; }));
}
