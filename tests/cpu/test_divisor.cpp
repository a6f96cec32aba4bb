// Quotients by a number that is the same along a row, to the bit those of a division.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <ricci/ricci.hpp>
#include <vector>

namespace rc = ricci;
using rc::index_t;

namespace {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
T from_bits(std::uint64_t random) {
    const auto low = static_cast<bits_of<T>>(random);
    T x;
    std::memcpy(&x, &low, sizeof x);
    return x;
}
template <class T>
bool same(T a, T b) {
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}
/// Any bits, numbers of moderate size, and numbers just above 1 and below 2, where reciprocals are worst.
template <class T>
T number(std::mt19937_64& random, std::uint64_t kind) {
    const std::uint64_t bits = random();
    if (kind == 0) return from_bits<T>(bits);
    const T m = 1 + static_cast<T>(bits >> 12) * T(0x1p-52);  // [1, 2]
    if (kind == 1) return std::ldexp(m, static_cast<int>(bits % 40) - 20);
    const T ulps = static_cast<T>(bits % 64) * std::numeric_limits<T>::epsilon();
    return kind == 2 ? T(2) - ulps : T(1) + ulps;
}
/// Quotients of these by d are of every kind: any, zero, and as close as can be to the middle between two neighbours.
template <class T>
std::vector<T> numerators(T d, std::mt19937_64& random, index_t n) {
    const T inf = std::numeric_limits<T>::infinity(), least = std::numeric_limits<T>::denorm_min();
    const T small = sizeof(T) == 4 ? T(0x1p-65) : T(0x1p-517);  // quotients below this are looked at
    std::vector<T> a{T(0),
                     -T(0),
                     inf,
                     -inf,
                     std::numeric_limits<T>::quiet_NaN(),
                     least,
                     -least,
                     d,
                     -d,
                     d / 2,
                     d * 3,
                     std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max(),
                     T(0x1p-95),
                     T(0x1.fffffep-96),
                     T(0x1p-767),
                     T(0x1.fffffffffffffp-768),
                     small * d,
                     std::nextafter(small * d, T(0)),
                     std::nextafter(small * d, inf)};
    while (static_cast<index_t>(a.size()) < n) {
        const std::uint64_t kind = random() % 7;
        if (kind < 4 || kind == 6) {
            a.push_back(kind == 6 ? small * d * number<T>(random, 1) : number<T>(random, kind));
            continue;
        }
        const T q = number<T>(random, 1), step = std::nextafter(q, inf) - q;
        const T product = std::fma(q, d, step * d / 2);
        a.push_back(kind == 4 ? product : std::nextafter(product, random() % 2 ? inf : -inf));
    }
    return a;
}
template <class T>
void check_divisor(T d, std::mt19937_64& random, index_t n) {
    const auto numbers = numerators(d, random, n);
    const auto x = rc::borrow(std::span(numbers));
    const auto rows = rc::reshape(x, {1, n});
    const auto column = rc::full<T>({1, 1}, d);
    const rc::tensor<T, 2> by_row = rows / column;
    const rc::tensor<T, 1> by_number = x / d;
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i) {
        const volatile T by = d;  // a division of this file's own
        const T expected = numbers[static_cast<std::size_t>(i)] / by;
        wrong += !same(by_row.data()[i], expected) || !same(by_number.data()[i], expected);
    }
    CAPTURE(d);
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("quotients by one number are rounded to nearest", T, float, double) {
    std::mt19937_64 random(sizeof(T));
    const T inf = std::numeric_limits<T>::infinity();
    for (const T d :
         {T(1), T(3), T(-3), T(0), -T(0), inf, -inf, std::numeric_limits<T>::quiet_NaN(), T(0x1p30), T(0x1p-30),
          std::nextafter(T(0x1p30), inf), std::nextafter(T(0x1p-30), T(0)), std::numeric_limits<T>::min(),
          std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::max()})
        check_divisor(d, random, 200);
    for (int k = 0; k < 1500; ++k) check_divisor(number<T>(random, random() % 4), random, 200);
}

TEST_CASE("divisors by rows, in sums, and several at a time") {
    const index_t rows = 7, columns = 45;
    const auto x = rc::randn<float>({rows, columns}, rc::generator(1));
    const rc::tensor<float, 2> by = rc::randn<float>({rows, 1}, rc::generator(2)),
                               of = rc::exp(rc::randn<float>({rows, 1}, rc::generator(3)));
    const rc::tensor<float, 2> twice = x / by / of, one = 2 / (x / of);
    const auto sums = rc::sum(x / of, 1), down = rc::sum(x / of, 0);
    const rc::tensor<float, 2> column = x(rc::all, rc::slice(0, 1)).clone();
    const rc::tensor<float, 2> beside = column / of;  // both step along the only axis
    for (index_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (index_t j = 0; j < columns; ++j) {
            const float q = x.at(i, j) / of.at(i, 0);
            CHECK(twice.at(i, j) == x.at(i, j) / by.at(i, 0) / of.at(i, 0));
            CHECK(one.at(i, j) == 2 / q);
            sum += q;
        }
        CHECK(beside.at(i, 0) == column.at(i, 0) / of.at(i, 0));
        CHECK(sums.at(i) == doctest::Approx(sum).epsilon(1e-5));  // 45 roundings of terms, each below 2^-24
    }
    for (index_t j = 0; j < columns; ++j) {
        double sum = 0;
        for (index_t i = 0; i < rows; ++i) sum += x.at(i, j) / of.at(i, 0);
        CHECK(down.at(j) == doctest::Approx(sum).epsilon(1e-5));
    }
}
