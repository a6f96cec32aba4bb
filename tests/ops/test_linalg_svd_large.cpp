// svd of matrices large enough to be divided: residuals and orthogonality where values are apart, equal, clustered,
// graded and 0.
#include "linalg.hpp"

using namespace ricci;

namespace {

/// d on the diagonal, e above it.
template <class T, class D, class E>
tensor<T, 2> bidiagonal(index_t n, D d, E e) {
    const auto a = zeros<T>({n, n});
    for (index_t i = 0; i < n; ++i) a.data()[i * n + i] = T(d(i));
    for (index_t i = 0; i + 1 < n; ++i) a.data()[i * n + i + 1] = T(e(i));
    return a;
}
template <class T>
tensor<T, 2> with_values(const tensor<T, 1>& s) {
    const index_t n = s.size();
    const auto q = linalg::qr(randn<T>({n, n}, generator(7))).Q;
    const auto p = linalg::qr(randn<T>({n, n}, generator(8))).Q;
    return matmul(evaluate(q * s), p);
}
/// A = U diag(s) V^H, U and V^H unitary, s descending and the values that are found without vectors.
template <class T>
void check_vectors(const tensor<T, 2>& a) {
    using R = real_t<T>;
    const index_t m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
    const auto [u, s, vh] = linalg::svd(a, false);
    const R largest = std::max(max(s).item(), std::numeric_limits<R>::min());
    const R eps = std::numeric_limits<R>::epsilon() * static_cast<R>(std::max(m, n));
    CHECK(max(abs(matmul(evaluate(u * s), vh) - a)).item() <= 2 * eps * largest);
    CHECK(max(abs(matmul(conj(matrix_transpose(u)), u) - eye<R>(k))).item() <= eps);
    CHECK(max(abs(matmul(vh, conj(matrix_transpose(vh))) - eye<R>(k))).item() <= eps);
    CHECK(max(abs(s - linalg::svdvals(a))).item() <= eps * largest);
    bool descending = s.at(k - 1) >= R(0);
    for (index_t i = 1; i < k; ++i) descending = descending && s.at(i - 1) >= s.at(i);
    CHECK(descending);
}
template <class T>
void check_kinds() {
    const T eps = std::numeric_limits<T>::epsilon();
    for (const index_t n : {65, 131})
        for (const auto& extents : {shape{n, n}, shape{n + n / 4, n}, shape{n, 2 * n}}) {
            CAPTURE(n);
            check_vectors<T>(randn<T>(extents, generator(static_cast<std::uint64_t>(n))));
        }
    const index_t n = 100;
    const auto u = evaluate(astype<T>(arange<index_t>(n)));
    const auto one = [](index_t) { return T(1); };
    check_vectors<T>(zeros<T>({n, n}));
    check_vectors<T>(evaluate(T(3) * eye<T>(n)));
    check_vectors<T>(evaluate(u * eye<T>(n)));
    check_vectors<T>(with_values<T>(evaluate(floor(u / T(25)))));
    check_vectors<T>(with_values<T>(evaluate(1 + u * eps)));
    check_vectors<T>(with_values<T>(evaluate(exp(-u / T(2)))));
    check_vectors<T>(with_values<T>(evaluate(where(u == T(0), 1 / eps, T(1)))));
    check_vectors<T>(matmul(randn<T>({n, 4}, generator(3)), randn<T>({4, n}, generator(4))));
    check_vectors<T>(bidiagonal<T>(n, one, one));
    check_vectors<T>(bidiagonal<T>(n, one, [](index_t) { return T(-1); }));
    check_vectors<T>(bidiagonal<T>(n, [](index_t) { return T(0); }, one));
    check_vectors<T>(bidiagonal<T>(n, [](index_t i) { return T(i % 3); }, one));
    check_vectors<T>(bidiagonal<T>(n, one, [eps](index_t i) { return i % 10 == 9 ? std::sqrt(eps) : T(1); }));
    // parts of every scale, down to what is nothing beside the whole
    const auto falling = [](index_t i) { return std::exp(T(-1.2) * static_cast<T>(i)); };
    check_vectors<T>(bidiagonal<T>(n, falling, falling));
    check_vectors<T>(
        bidiagonal<T>(n, [&](index_t i) { return falling(n - 1 - i); }, [&](index_t i) { return falling(n - 1 - i); }));
    check_vectors<T>(ones<T>({n, n}));
}

}  // namespace

TEST_CASE("svd of large matrices: residuals, double") { check_kinds<double>(); }
TEST_CASE("svd of large matrices: residuals, float") { check_kinds<float>(); }
TEST_CASE("svd of large matrices: complex ones") {
    using C = std::complex<double>;
    for (const auto& extents : {shape{80, 80}, shape{100, 80}, shape{80, 160}})
        check_vectors<C>(
            evaluate(randn<double>(extents, generator(1)) + C(0, 1) * randn<double>(extents, generator(2))));
}
