// Philox: known answers, distributions, reproducibility under any split, and the generator.
#include <doctest/doctest.h>
#include <ricci/core/philox.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ricci;
using detail::philox_words;

namespace {

template <class T>
std::vector<T> uniforms(index_t n, std::uint64_t seed, std::uint64_t offset = 0, T low = 0, T high = 1) {
    std::vector<T> v(static_cast<std::size_t>(n));
    detail::fill_uniform(v.data(), n, seed, offset, low, high);
    return v;
}
template <class T>
std::vector<T> normals(index_t n, std::uint64_t seed, std::uint64_t offset = 0, T mean = 0, T deviation = 1) {
    std::vector<T> v(static_cast<std::size_t>(n));
    detail::fill_normal(v.data(), n, seed, offset, mean, deviation);
    return v;
}

// The moments of a sample: mean, and central moments 2 to 4.
struct moments {
    double mean = 0, m2 = 0, m3 = 0, m4 = 0;
    template <class T>
    explicit moments(const std::vector<T>& v) {
        const auto n = static_cast<double>(v.size());
        for (T x : v) mean += x / n;
        for (T x : v) {
            const double d = x - mean;
            m2 += d * d / n;
            m3 += d * d * d / n;
            m4 += d * d * d * d / n;
        }
    }
};

// The greatest distance between the sample's distribution and `cdf` (Kolmogorov and Smirnov), times sqrt(n).
template <class T, class Cdf>
double kolmogorov(std::vector<T> v, Cdf cdf) {
    std::sort(v.begin(), v.end());
    double most = 0;
    const auto n = static_cast<double>(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double p = cdf(static_cast<double>(v[i])), rank = static_cast<double>(i);
        most = std::max({most, std::abs(p - rank / n), std::abs(p - (rank + 1) / n)});
    }
    return most * std::sqrt(n);
}

template <class A, class B>
double correlation(const std::vector<A>& a, const std::vector<B>& b, std::size_t lag = 0) {
    const moments ma(a), mb(b);
    double sum = 0;
    const std::size_t n = std::min(a.size(), b.size()) - lag;
    for (std::size_t i = 0; i < n; ++i) sum += (a[i] - ma.mean) * (b[i + lag] - mb.mean);
    return sum / static_cast<double>(n) / std::sqrt(ma.m2 * mb.m2);
}

}  // namespace

TEST_CASE("philox: the known answers of Random123") {
    CHECK(detail::philox({{0, 0, 0, 0}}, 0, 0) == philox_words{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
    const std::uint32_t ones = 0xffffffff;
    CHECK(detail::philox({{ones, ones, ones, ones}}, ones, ones) ==
          philox_words{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
    CHECK(detail::philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0) ==
          philox_words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
    static_assert(detail::philox({{0, 0, 0, 0}}, 0, 0).word[0] == 0x6627e8d5);
}

TEST_CASE("philox: conversions cover their intervals") {
    CHECK(detail::unit_float(0) == 0);
    CHECK(detail::unit_float(0xffffffff) == 1 - 0x1p-24f);
    CHECK(detail::unit_double(0, 0) == 0);
    CHECK(detail::unit_double(0, 32) == 0x1p-53);
    CHECK(detail::unit_double(0xffffffff, 0xffffffff) == 1 - 0x1p-53);
}

TEST_CASE("philox: the formulas of the normals against the standard library") {
    double worst_log = 0, worst_sin = 0, worst_logf = 0, worst_sinf = 0;
    for (int i = 1; i <= 20000; ++i) {
        const double u = i <= 53 ? std::ldexp(1.0, -i) : i / 20000.0, root = std::sqrt(-2 * std::log(u));
        worst_log =
            std::max(worst_log, std::abs(detail::square_root(detail::minus_two_log(u)) - root) / (root + 1e-300));
        const float uf = static_cast<float>(u);
        const double rootf = std::sqrt(-2 * std::log(static_cast<double>(uf)));
        worst_logf =
            std::max(worst_logf, std::abs(detail::square_root(detail::minus_two_log(uf)) - rootf) / (rootf + 1e-300));
        const double a = (i - 10000) / 10000.0 * 0.785398163397448;
        double s, c;
        detail::small_sincos(a, s, c);
        worst_sin = std::max({worst_sin, std::abs(s - std::sin(a)), std::abs(c - std::cos(a))});
        float sf, cf;
        const float af = static_cast<float>(a);
        detail::small_sincos(af, sf, cf);
        worst_sinf = std::max({worst_sinf, std::abs(sf - std::sin(static_cast<double>(af))),
                               std::abs(cf - std::cos(static_cast<double>(af)))});
    }
    CHECK(worst_log < 5e-16);
    CHECK(worst_sin < 3e-16);
    CHECK(worst_logf < 3e-7);
    CHECK(worst_sinf < 1.5e-7);
    for (std::uint32_t v : {0u, 0x20000000u, 0x40000000u, 0x80000000u, 0xffffffffu}) {
        float a, b;
        detail::box_muller(0u, v, a, b);
        CHECK(std::sqrt(a * a + b * b) == doctest::Approx(std::sqrt(64 * std::log(2.0))));
        detail::box_muller(0xffffffffu, v, a, b);
        CHECK(std::abs(a) + std::abs(b) < 1e-3f);
        double c, d;
        detail::box_muller(0xffffffffu, 0xffffffffu, v, v, c, d);
        CHECK(std::sqrt(c * c + d * d) == doctest::Approx(std::sqrt(106 * std::log(2.0))));
    }
}

TEST_CASE_TEMPLATE("philox: an element depends on the seed and its index alone", T, float, double) {
    const auto u = uniforms<T>(1000, 42, 3), z = normals<T>(1000, 42, 3);
    for (index_t cut : {1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 500, 997}) {
        std::vector<T> parts(1000), normal_parts(1000);
        for (index_t from = 0; from < 1000; from += cut) {
            const index_t n = std::min<index_t>(cut, 1000 - from);
            detail::fill_uniform<T>(parts.data() + from, n, 42, 3 + static_cast<std::uint64_t>(from), 0, 1);
            detail::fill_normal<T>(normal_parts.data() + from, n, 42, 3 + static_cast<std::uint64_t>(from), 0, 1);
        }
        CHECK(parts == u);
        CHECK(normal_parts == z);
    }
    for (std::size_t i = 0; i < 1000; ++i) {
        REQUIRE(detail::uniform_at<T>(42, 3 + i) == u[i]);
        REQUIRE(detail::normal_at<T>(42, 3 + i) == doctest::Approx(z[i]).epsilon(1e-6));
    }
    const std::uint64_t far = (std::uint64_t(1) << 40) + 17;  // a counter beyond 32 bits
    CHECK(uniforms<T>(1, 1, far)[0] == detail::uniform_at<T>(1, far));
    CHECK(uniforms<T>(1, 1, far)[0] != detail::uniform_at<T>(1, 17));
    CHECK(uniforms<T>(64, 1) != uniforms<T>(64, 2));
    CHECK(uniforms<T>(64, 1) != uniforms<T>(64, std::uint64_t(1) << 32 | 1));
    T untouched = 5;
    detail::fill_normal<T>(&untouched, 0, 1, 0, 0, 1);
    CHECK(untouched == 5);
}

TEST_CASE_TEMPLATE("philox: uniforms are uniform", T, float, double) {
    const auto u = uniforms<T>(200000, 7);
    CHECK(*std::min_element(u.begin(), u.end()) >= 0);
    CHECK(*std::max_element(u.begin(), u.end()) < 1);
    CHECK(kolmogorov(u, [](double x) { return x; }) < 1.95);  // passed by 99.9% of perfect samples
    for (std::size_t lag : {1u, 2u, 3u, 4u, 16u, 64u}) CHECK(std::abs(correlation(u, u, lag)) < 0.009);

    const auto v = uniforms<T>(100000, 8, 0, -3, 5);
    CHECK(moments(v).mean == doctest::Approx(1).epsilon(0.03));
    CHECK(moments(v).m2 == doctest::Approx(64 / 12.0).epsilon(0.02));
    const T next = std::nextafter(T(1), T(2));
    for (T x : uniforms<T>(1000, 9, 0, 1, next)) REQUIRE(x == 1);  // never `high`, whatever rounding does
    for (T x : uniforms<T>(100, 9, 0, 2, 2)) REQUIRE(x == 2);
}

TEST_CASE_TEMPLATE("philox: normals are normal", T, float, double) {
    const auto z = normals<T>(400000, 11);
    const moments m(z);
    CHECK(std::abs(m.mean) < 0.006);
    CHECK(std::abs(m.m2 - 1) < 0.009);
    CHECK(std::abs(m.m3) < 0.02);
    CHECK(std::abs(m.m4 - 3) < 0.06);
    CHECK(kolmogorov(z, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }) < 1.95);
    for (std::size_t lag : {1u, 2u, 3u, 4u, 32u, 64u}) CHECK(std::abs(correlation(z, z, lag)) < 0.006);
    int quadrant[4] = {};
    for (std::size_t i = 0; i < z.size(); i += 2) ++quadrant[(z[i] > 0) * 2 + (z[i + 1] > 0)];
    for (int count : quadrant) CHECK(std::abs(count - 50000) < 800);
    CHECK(moments(normals<T>(100000, 1, 0, 10, 2)).mean == doctest::Approx(10).epsilon(0.003));
    CHECK(moments(normals<T>(100000, 1, 0, 10, 2)).m2 == doctest::Approx(4).epsilon(0.03));
}

TEST_CASE("philox: draws of different kinds share no bits") {
    const auto f = uniforms<float>(100000, 5), f2 = uniforms<float>(100000, 5, 100000);
    const auto d = uniforms<double>(100000, 5);
    CHECK(std::abs(correlation(f, d)) < 0.013);
    CHECK(std::abs(correlation(f2, d)) < 0.013);
}

TEST_CASE("philox: a generator advances, copies repeat, seeds start over") {
    generator g(42);
    CHECK(g.seed() == 42);
    CHECK(g.advance(10) == 0);
    generator copy = g;
    CHECK(g.advance(5) == 10);
    CHECK(copy.advance(5) == 10);
    CHECK(g.offset() == 15);
    g.reseed(1);
    CHECK(g.seed() == 1);
    CHECK(g.offset() == 0);
    manual_seed(99);
    CHECK(default_generator().seed() == 99);
    CHECK(default_generator().advance(3) == 0);
    CHECK(default_generator().offset() == 3);
    manual_seed(0);
}
