// Complex arrays against loops over std::complex: every layout and length, mixed with real arrays and masks; special
// values.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cmath>
#include <limits>

using namespace ricci;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();
using complex128 = std::complex<double>;

template <class T>
std::complex<T> sample(index_t i, double seed) {
    const double k = static_cast<double>(i) + seed;
    return {static_cast<T>(2 * std::sin(k * 1.7)), static_cast<T>(2 * std::cos(k * 2.3 + seed))};
}
template <class T, int R>
tensor<std::complex<T>, R> samples(const shape<R>& extents, double seed) {
    auto x = tensor<std::complex<T>, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = sample<T>(i, seed);
    return x;
}
/// (a b + r c) / a where the real part of b is positive, else conj(c): everything that runs on registers.
template <class C, class T>
C expected(C a, C b, C c, T r) {
    return b.real() > 0 ? (a * b + r * c) / a : std::conj(c) * std::abs(b);
}
template <class A, class B, class C, class R>
auto computed(const A& a, const B& b, const C& c, const R& r) {
    return where(real(b) > 0, (a * b + r * c) / a, conj(c) * abs(b));
}
/// A few operations' rounding.
template <class T>
bool close(std::complex<T> x, std::complex<T> y, T scale = 8) {
    return std::abs(x - y) <= 8 * std::numeric_limits<T>::epsilon() * (scale + std::abs(y));
}

template <class T>
void check_layouts(index_t m, index_t n) {
    CAPTURE(m);
    CAPTURE(n);
    const auto a = samples<T>(shape<2>{m, n}, 1), b = samples<T>(shape<2>{n, m}, 2),
               c = samples<T>(shape<2>{m, 2 * n}, 3);
    const auto row = samples<T>(shape<1>{n}, 4);
    const auto reals = evaluate(imag(samples<T>(shape<2>{m, n}, 5)));
    // dense, transposed, every second one backwards; then a row and a column broadcast
    const auto every_second = c(all, slice(none, none, -2));
    const auto y = evaluate(computed(a, permute(b, {1, 0}), every_second, reals));
    const auto z = evaluate(computed(a, row, index(b, slice(0, 1), all)(0, all, newaxis), reals));
    const auto total = evaluate(sum(a * row));
    const auto rows = evaluate(sum(a * row, 1)), columns = evaluate(sum(a * row, 0));
    std::complex<T> all_sum = 0;
    for (index_t i = 0; i < m; ++i) {
        std::complex<T> row_sum = 0;
        for (index_t j = 0; j < n; ++j) {
            CHECK(close(y.at(i, j), expected(a.at(i, j), b.at(j, i), c.at(i, 2 * n - 1 - 2 * j), reals.at(i, j))));
            CHECK(close(z.at(i, j), expected(a.at(i, j), row.at(j), b.at(0, i), reals.at(i, j))));
            row_sum += a.at(i, j) * row.at(j);
        }
        CHECK(close(rows.at(i), row_sum, static_cast<T>(n)));
        all_sum += row_sum;
    }
    CHECK(close(total.item(), all_sum, static_cast<T>(m * n)));
    for (index_t j = 0; j < n; ++j) {
        std::complex<T> column_sum = 0;
        for (index_t i = 0; i < m; ++i) column_sum += a.at(i, j) * row.at(j);
        CHECK(close(columns.at(j), column_sum, static_cast<T>(m)));
    }
}

template <class A>
auto first(const A& a) {
    return evaluate(a).at(0);
}
bool same(double a, double b) { return a == b || (a != a && b != b); }
bool same(complex128 a, complex128 b) { return same(a.real(), b.real()) && same(a.imag(), b.imag()); }

}  // namespace

TEST_CASE("complex: layouts and lengths") {
    for (const index_t n : {1, 3, 8, 17, 40}) {
        check_layouts<double>(3, n);
        check_layouts<float>(5, n);
    }
}
TEST_CASE("complex: the parts and back") {
    const auto z = samples<float>(shape<1>{21}, 1);
    const auto back = evaluate(ricci::complex(real(z), imag(z))), turned = evaluate(polar(abs(z), angle(z)));
    CHECK(std::is_same_v<decltype(evaluate(real(z)))::value_type, float>);
    CHECK(std::is_same_v<decltype(evaluate(angle(z)))::value_type, float>);
    CHECK(std::is_same_v<decltype(evaluate(abs(z)))::value_type, float>);
    CHECK(std::is_same_v<decltype(evaluate(ricci::complex(tensor<int, 1>{1}, 2)))::value_type, complex128>);
    CHECK(std::is_same_v<decltype(evaluate(z + 2.0))::value_type, std::complex<float>>);
    for (index_t i = 0; i < z.size(); ++i) {
        CHECK(back.at(i) == z.at(i));
        CHECK(close(turned.at(i), z.at(i)));
        CHECK(first(isreal(z)) == false);
    }
    const auto mixed =
        evaluate(isreal(tensor<complex128, 1>{{1, 0}, {1, -0.0}, {0, 1}, {no_number, 0}, {0, no_number}}));
    CHECK(mixed.at(0));
    CHECK(mixed.at(1));
    CHECK_FALSE(mixed.at(2));
    CHECK(mixed.at(3));
    CHECK_FALSE(mixed.at(4));
}
TEST_CASE("complex: abs does not overflow, and has C's special values") {
    const tensor<complex128, 1> z{{3e200, 4e200},   {3e-200, -4e-200}, {0, 0},  {-inf, no_number},
                                  {no_number, inf}, {no_number, 1},    {-3, 4}, {5e-324, 0}};
    const auto y = evaluate(abs(z));
    const double expected[] = {5e200, 5e-200, 0, inf, inf, no_number, 5, 5e-324};
    for (index_t i = 0; i < z.size(); ++i)
        CHECK((same(y.at(i), expected[i]) || std::abs(y.at(i) / expected[i] - 1) < 1e-15));
    const tensor<std::complex<float>, 1> single{{3e30f, 4e30f}, {3e-40f, 4e-40f}, {1e-45f, 0}, {3e38f, 3e38f}};
    const auto short_y = evaluate(abs(single));
    for (index_t i = 0; i < single.size(); ++i) {
        const std::complex<float> at = single.at(i);
        const double exact = std::hypot(double(at.real()), double(at.imag()));
        const double ulp = std::max(exact * 0x1p-23, 0x1p-149);
        CHECK((same(short_y.at(i), static_cast<float>(exact)) || std::abs(short_y.at(i) - exact) <= 1.5 * ulp));
    }
}
TEST_CASE("complex: products and quotients are NumPy's") {
    // of (inf + i NaN) (1 + 0i) C makes an infinity, the formula NaN
    const tensor<complex128, 1> a{{inf, no_number}, {1, 2}, {1, 2}, {1e300, 1e300}, {1, 2}},
        b{{1, 0}, {0, 0}, {inf, 0}, {1e300, 1e300}, {0, 2}};
    CHECK(same(first(a * b), {no_number, no_number}));
    const auto q = evaluate(a / b);
    CHECK(same(q.at(1), {inf, inf}));
    CHECK(same(q.at(2), {0, 0}));
    CHECK(same(q.at(3), {1, 0}));
    CHECK(same(q.at(4), {1, -0.5}));
}
TEST_CASE("complex: exp and pow at the edges") {
    const tensor<complex128, 1> z{{-inf, 1}, {1000, 0}, {0, 3.14159265358979323846 / 2}, {710, 0.5}};
    const auto y = evaluate(exp(z));
    for (index_t i = 0; i < z.size(); ++i) {
        const auto e = std::exp(z.at(i));
        CHECK((same(y.at(i), e) || std::abs(y.at(i) - e) <= 4e-16 * std::abs(e)));
    }
    CHECK(first(pow(tensor<complex128, 1>{complex128(0)}, complex128(0))) == 1.0);
    CHECK(first(pow(tensor<complex128, 1>{complex128(0)}, complex128(2, 1))) == 0.0);
    CHECK(same(first(pow(tensor<complex128, 1>{complex128(0)}, complex128(-1))), {no_number, no_number}));
    CHECK(first(pow(tensor<complex128, 1>{complex128(1, 2)}, 3.0)) == complex128(-11, -2));
    CHECK(first(pow(tensor<complex128, 1>{complex128(0, 2)}, -2.0)) == -0.25);
}
TEST_CASE("complex: what is NaN, infinite or neither, and its place takers") {
    const tensor<complex128, 1> z{{no_number, 1}, {inf, no_number}, {0, -inf}, {1, 2}, {1, no_number}};
    const auto nan = evaluate(isnan(z)), infinite = evaluate(isinf(z)), finite = evaluate(isfinite(z));
    for (index_t i = 0; i < z.size(); ++i) {
        CHECK(nan.at(i) == (i == 0 || i == 1 || i == 4));
        CHECK(infinite.at(i) == (i == 1 || i == 2));
        CHECK(finite.at(i) == (i == 3));
    }
    const auto replaced = evaluate(nan_to_num(z, {.nan = 7, .posinf = 8, .neginf = 9}));
    CHECK(replaced.at(0) == complex128(7, 1));
    CHECK(replaced.at(1) == complex128(8, 7));
    CHECK(replaced.at(2) == complex128(0, 9));
    CHECK(first(sign(tensor<complex128, 1>{complex128(0, -3)})) == complex128(0, -1));
    CHECK(first(sign(tensor<complex128, 1>{complex128(0, 0)})) == complex128(0, 0));
    const tensor<complex128, 1> far{{0, inf}, {-inf, 3}, {2, -inf}, {inf, no_number}, {inf, inf}, {no_number, 0}};
    const auto direction = evaluate(sign(far));  // NumPy's
    CHECK(direction.at(0) == complex128(0, 1));
    CHECK(direction.at(1) == complex128(-1, 0));
    CHECK(direction.at(2) == complex128(0, -1));
    CHECK(direction.at(3) == complex128(1, 0));
    CHECK(std::isnan(direction.at(4).real()));
    CHECK(std::isnan(direction.at(5).real()));
    CHECK(sign(complex128(2, -inf)) == complex128(0, -1));
}
TEST_CASE("complex: log1p and expm1 near 0") {
    // 1 + z and exp(z) alone keep 5 of these digits; Taylor's series to the second order has all
    const complex128 z(1e-11, 2e-11);
    const auto log = first(log1p(tensor<complex128, 1>{z})), exp = first(expm1(tensor<complex128, 1>{z}));
    CHECK(std::abs(log - (z - z * z / 2.0)) < 1e-15 * std::abs(z));
    CHECK(std::abs(exp - (z + z * z / 2.0)) < 1e-15 * std::abs(z));
}
TEST_CASE("complex: conversions") {
    const tensor<complex128, 1> z{{1.5, 2}, {0, 0}, {0, -1}};
    const auto reals = evaluate(astype<double>(z));
    CHECK(reals.at(0) == 1.5);
    const auto truth = evaluate(astype<bool>(z));
    CHECK(truth.at(0));
    CHECK_FALSE(truth.at(1));
    CHECK(truth.at(2));
    CHECK(evaluate(astype<complex128>(tensor<float, 1>{2})).at(0) == 2.0);
    CHECK(evaluate(astype<std::complex<float>>(z)).at(2) == std::complex<float>(0, -1));
}
