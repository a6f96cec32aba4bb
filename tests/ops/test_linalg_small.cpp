// Determinants, inverses and products of many small matrices: exact references, matrices near singular ones, elements
// near the ends of their type's range, and numbers of matrices that fill no register.
#include "linalg.hpp"

using namespace linear;

namespace {

/// u v^T with small integers added: all minors of two rows are small differences of large products.
tensor<long long, 3> nearly_singular(index_t count, index_t n, long long size) {
    generator g(5);
    const auto u = random::integers<long long>(1LL, size, shape{count, n, 1}, g),
               v = random::integers<long long>(1LL, size, shape{count, 1, n}, g);
    return evaluate(u * v + random::integers<long long>(-3LL, 4LL, shape{count, n, n}, g));
}
/// The determinant of n rows by minors, in integers: exact.
long long determinant_of(const long long* a, int n, int row, unsigned columns) {
    if (row == n) return 1;
    long long sum = 0, sign = 1;
    for (int j = 0; j < n; ++j)
        if (columns >> j & 1) {
            sum += sign * a[row * n + j] * determinant_of(a, n, row + 1, columns & ~(1u << j));
            sign = -sign;
        }
    return sum;
}
long long determinant_of(const long long* a, int n) { return determinant_of(a, n, 0, (1u << n) - 1); }
/// The minor without a row and a column.
long long minor_of(const long long* a, int n, int row, int column) {
    long long rest[16];
    int k = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (i != row && j != column) rest[k++] = a[i * n + j];
    return determinant_of(rest, n - 1);
}
template <class T>
void check_near_singular(index_t count, index_t n, long long size) {
    const auto exact = nearly_singular(count, n, size);
    const auto a = evaluate(astype<T>(exact));
    const auto det = evaluate(linalg::det(a));
    int regular = 0;
    for (index_t k = 0; k < count; ++k) {
        const long long* const m = exact.data() + k * n * n;
        const auto determinant = static_cast<double>(determinant_of(m, static_cast<int>(n)));
        if (determinant == 0) continue;
        ++regular;
        double largest_inverse = 0, largest_error = 0;
        const auto y = evaluate(linalg::inv(a(slice(k, k + 1))));
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) {
                const auto minor =
                    static_cast<double>(minor_of(m, static_cast<int>(n), static_cast<int>(j), static_cast<int>(i)));
                const double element = ((i + j) % 2 ? -minor : minor) / determinant;
                largest_inverse = std::max(largest_inverse, std::abs(element));
                largest_error = std::max(largest_error, std::abs(static_cast<double>(y(0, i, j)) - element));
            }
        // what a change of A's elements by half a unit of their last place does, up to a small factor of n
        const double condition = largest(a(k)) * largest_inverse * static_cast<double>(n * n);
        CAPTURE(n);
        CAPTURE(k);
        CHECK(std::abs(static_cast<double>(det(k)) - determinant) <=
              4 * epsilon<T> * condition * std::abs(determinant));
        if (condition * epsilon<T> < 0.1) CHECK(largest_error <= 4 * epsilon<T> * condition * largest_inverse);
    }
    CHECK(regular > count / 2);
}
template <class T>
void check_range(double large) {
    const auto scaled = [](double x, double y, double z) {
        tensor<double, 3> m = zeros<double>({1, 3, 3});
        m(0, 0, 0) = x, m(0, 1, 1) = y, m(0, 2, 2) = z;
        return evaluate(astype<T>(m));
    };
    const double small = 1 / large;
    // the product of the last two is no number of the type, or one of few digits; that of the first two is
    CHECK(static_cast<double>(linalg::det(scaled(small, large, large)).item()) == doctest::Approx(large));
    CHECK(static_cast<double>(linalg::det(scaled(large, small, small)).item()) == doctest::Approx(small));
    const auto y = evaluate(linalg::inv(scaled(small, small, large)));
    CHECK(static_cast<double>(y(0, 0, 0)) * small == doctest::Approx(1));
    CHECK(static_cast<double>(y(0, 2, 2)) * large == doctest::Approx(1));
    for (const double size : {small, large}) {
        const auto two = evaluate(astype<T>(tensor<double, 3>{{{size, 2 * size}, {3 * size, size}}}));
        const auto x = evaluate(linalg::inv(two));
        CHECK(static_cast<double>(x(0, 0, 1)) * size == doctest::Approx(0.4));
        CHECK(static_cast<double>(x(0, 1, 0)) * size == doctest::Approx(0.6));
    }
    const T infinity = std::numeric_limits<T>::infinity();
    CHECK(linalg::det(tensor<T, 3>{{{infinity, 0}, {0, 1}}}).item() == infinity);
}

/// Pivots whose product leaves the range on the way, one after the other and in reversed rows, whose sign is another.
template <class T>
void check_product_of_pivots(index_t n, double large) {
    CAPTURE(n);
    for (const bool falling : {false, true}) {
        auto a = zeros<T>({3, n, n});
        double expected = 1;
        for (index_t i = 0; i < n; ++i) {
            const double pivot = ((i < n / 2) == falling ? large : 1 / large) * static_cast<double>(1 + i % 2);
            a(0, i, i) = static_cast<T>(pivot);
            a(1, i, n - 1 - i) = static_cast<T>(-pivot);
            a(2, i, i) = T(2);
            expected *= static_cast<double>(1 + i % 2);
        }
        const double odd = n % 4 == 2 || n % 4 == 3 ? -1.0 : 1.0, tolerance = 4 * static_cast<double>(n) * epsilon<T>;
        const auto y = evaluate(linalg::det(a));
        CHECK(std::abs(y.at(0) - T(expected)) <= tolerance * expected);
        CHECK(std::abs(y.at(1) - T(odd * expected)) <= tolerance * expected);  // n is even
        CHECK(y.at(2) == std::pow(T(2), static_cast<int>(n)));
        CHECK(std::abs(linalg::det(a(0)).item() - T(expected)) <= tolerance * expected);
        a(0, n - 1, n - 1) = T(0);
        CHECK(linalg::det(a).at(0) == T(0));
    }
}

}  // namespace

TEST_CASE("linalg: determinants in the range whose pivots' products are not") {
    for (const index_t n : {4, 6, 8, 10, 40}) {
        check_product_of_pivots<double>(n, 1e200);
        check_product_of_pivots<float>(n, 1e25);
        check_product_of_pivots<std::complex<double>>(n, 1e200);
    }
}
TEST_CASE("linalg: small determinants and inverses near singular matrices") {
    for (const index_t n : {2, 3}) {
        check_near_singular<double>(40, n, 1 << 9);
        check_near_singular<float>(40, n, 1 << 5);
    }
    check_near_singular<double>(40, 4, 1 << 6);
    check_near_singular<float>(40, 4, 1 << 3);
}
TEST_CASE("linalg: small determinants and inverses near the ends of the range") {
    check_range<double>(1e200);
    check_range<float>(1e25);
}
TEST_CASE("linalg: small matrices, any number of them, in any layout") {
    const auto check = [](auto zero) {
        using T = decltype(zero);
        for (const index_t n : {1, 2, 3, 4, 5, 9})
            for (const index_t count : {1, 2, 3, 5, 8, 17}) {
                CAPTURE(n);
                CAPTURE(count);
                const auto a = evaluate(some<T>(shape{count, n, n}, 3) + static_cast<T>(2 * n) * eye<T>(n));
                const auto b = some<T>(shape{count, n, 1}, 4);
                const auto turned = evaluate(matrix_transpose(a)).clone();
                const auto y = evaluate(linalg::inv(a)), x = evaluate(linalg::solve(a, b));
                CHECK(largest(matmul(a, y) - eye<T>(n)) <= 1e3 * epsilon<T>);
                CHECK(largest(matmul(a, x) - b) <= 1e3 * epsilon<T>);
                CHECK(array_equal(a, matrix_transpose(turned)));  // unspoilt
                CHECK(largest(linalg::det(a) - linalg::det(matrix_transpose(turned))) == 0);
                CHECK(largest(linalg::det(a(slice(0, 1))) / linalg::det(a)(slice(0, 1)) - T(1)) <= 1e3 * epsilon<T>);
                const auto [sign, logarithm] = linalg::slogdet(a);
                CHECK(largest(sign * exp(logarithm) / linalg::det(a) - T(1)) <= 1e3 * epsilon<T>);
                const auto c = matmul(a, y), d = matmul(turned, matrix_transpose(turned));
                for (index_t k = 0; k < count; ++k) {
                    CHECK(largest(c(k) - matmul(a(k), y(k))) <= 100 * epsilon<T>);
                    CHECK(largest(d(k) - matmul(turned(k), a(k))) <=
                          static_cast<double>(n) * epsilon<T> * largest(d(k)));
                }
            }
    };
    check(1.0f);
    check(1.0);
}
TEST_CASE("linalg: inverses of small matrices whose cofactors overflow") {
    const auto check = [](auto large) {
        using T = decltype(large);
        const auto a = zeros<T>({3, 3});
        a.at(0, 0) = a.at(1, 1) = large;
        a.at(2, 2) = 1 / large;
        const auto y = evaluate(linalg::inv(a));
        CHECK(y(2, 2) == doctest::Approx(large).epsilon(4 * epsilon<T>));
        CHECK(y(0, 0) * large == doctest::Approx(1).epsilon(4 * epsilon<T>));
    };
    check(1e20F);
    check(1e200);
}
TEST_CASE("linalg: a singular matrix among small ones") {
    for (const index_t n : {2, 3, 4}) {
        auto a = evaluate(some<double>(shape{9, n, n}, 3) + 3.0 * eye<double>(n)).clone();
        a(7) = 0.0;
        const auto text = "[inv] matrix 7 of the batch is singular: U(0, 0) is 0";
        CHECK_THROWS_WITH_AS(linalg::inv(a), text, linalg_error);
        CHECK(linalg::det(a)(7).item() == 0);
        CHECK(largest(linalg::det(a)(slice(0, 7)) - linalg::det(a(slice(0, 7)))) <= 1e-12);
    }
}
