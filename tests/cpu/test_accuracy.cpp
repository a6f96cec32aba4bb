// How exact the SIMD kernels are: the largest error of each in units of the last place, over noise between bounds and
// over all exponents. RICCI_ALL_FLOATS=1 in the environment tries every float instead, which takes hours.
#include <doctest/doctest.h>

#include <ricci/cpu/math.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../reference.hpp"

#if defined(RICCI_HAS_SIMD)
namespace {

using real = long double;
constexpr real root_half = 0.707106781186547524400844362104849039L,
               half_root_pi = 0.886226925452758013649083741670572591L;

/// digamma for x > 0, its zero taken out where it cancels.
real digamma(real x) {
    real sum = 0;
    for (; x < 40; ++x) sum -= 1 / x;
    const real u = 1 / (x * x);
    return sum + (std::log(x) - 0.5L / x - u * (1 / 12.0L - u * (1 / 120.0L - u * (1 / 252.0L - u / 240.0L))));
}
/// The sum of n! / (x + k)^(n+1) for x > 0, the rest by an integral and two terms, by which it does not differ.
template <int N>
real polygamma(real x) {
    const auto power = [](real v, int n) {
        real y = 1;
        for (int i = 0; i < n; ++i) y *= v;
        return 1 / y;
    };
    real terms[400], factorial = 1;
    int count = 0;
    for (; x < 300; ++x) terms[count++] = power(x, N + 1);
    const real u = 1 / (x * x), end = power(x, N);
    real sum = end / x * N * (N + 1) / 12 / x * (1 - u * (N + 2) * (N + 3) / 60 * (1 - u * (N + 4) * (N + 5) / 42));
    sum = end / N + (end / x / 2 + sum / N);
    while (count > 0) sum += terms[--count];
    for (int i = 2; i <= N; ++i) factorial *= i;
    return N % 2 ? factorial * sum : -factorial * sum;
}
real ndtr(real x) { return 0.5L * std::erfc(-x * root_half); }
real gelu(real x) { return x * (0.5L * std::erfc(-x * root_half)); }
real erfinv(real x) {
    const real start = ricci::math::erfinv(static_cast<double>(x));
    real y = start;
    if (!(std::abs(start) > 0 && std::abs(start) < HUGE_VALL)) return y;
    for (int i = 0; i < 4; ++i) {
        const real error = x > 0.5L ? (1 - x) - std::erfc(y) : x < -0.5L ? std::erfc(-y) - (1 + x) : std::erf(y) - x;
        const real step = error * half_root_pi * std::exp(y * y);
        y -= step / (1 + step * y);
    }
    return y;
}

/// A kernel on one register of floats and one of doubles, its reference, where it is tried, and what it may be off.
struct kernel {
    const char* name;
    void (*floats)(const float*, float*);
    void (*doubles)(const double*, double*);
    real (*reference)(real);
    double low, high, limit;
};
template <class T, class F>
void apply(const T* in, T* out) {
    F()(ricci::simd<T>::load(in)).store(out);
}
#define KERNEL(name, reference, low, high, limit)                          \
    {#name,                                                                \
     apply<float, decltype([](auto x) { return ricci::math::name(x); })>,  \
     apply<double, decltype([](auto x) { return ricci::math::name(x); })>, \
     [](real x) -> real { return reference(x); },                          \
     low,                                                                  \
     high,                                                                 \
     limit}
#define POLYGAMMA(n)                                                               \
    {"polygamma",                                                                  \
     apply<float, decltype([](auto x) { return ricci::math::polygamma(n, x); })>,  \
     apply<double, decltype([](auto x) { return ricci::math::polygamma(n, x); })>, \
     polygamma<n>,                                                                 \
     0,                                                                            \
     40,                                                                           \
     2}
const kernel kernels[] = {
    KERNEL(exp, std::exp, -80, 80, 1.5),
    KERNEL(exp2, std::exp2, -120, 120, 1.5),
    KERNEL(expm1, std::expm1, -20, 20, 2),
    KERNEL(log, std::log, 0, 20, 1.5),
    KERNEL(log1p, std::log1p, -1, 20, 2),
    KERNEL(log2, std::log2, 0, 20, 1),
    KERNEL(log10, std::log10, 0, 20, 1),
    KERNEL(sin, std::sin, -40, 40, 2),
    KERNEL(cos, std::cos, -40, 40, 2),
    KERNEL(tan, std::tan, -40, 40, 2),
    KERNEL(asin, std::asin, -1, 1, 1),
    KERNEL(acos, std::acos, -1, 1, 1),
    KERNEL(atan, std::atan, -10, 10, 2),
    KERNEL(sinh, std::sinh, -20, 20, 2),
    KERNEL(cosh, std::cosh, -20, 20, 2),
    KERNEL(tanh, std::tanh, -5, 5, 2),
    KERNEL(asinh, std::asinh, -10, 10, 2),
    KERNEL(acosh, std::acosh, 1, 10, 2),
    KERNEL(atanh, std::atanh, -1, 1, 2),
    KERNEL(cbrt, std::cbrt, -10, 10, 1),
    KERNEL(erf, std::erf, -4, 4, 1.5),
    KERNEL(erfc, std::erfc, -4, 10, 2),
    KERNEL(erfinv, erfinv, -1, 1, 2),
    KERNEL(gelu, gelu, -9, 5, 3),
    KERNEL(lgamma, std::lgamma, 0, 20, 2),
    KERNEL(lgamma, std::lgamma, -40, 0, 2),
    KERNEL(digamma, digamma, 1.6, 20, 2),
    KERNEL(ndtr, ndtr, -9, 9, 3),
    POLYGAMMA(1),
    POLYGAMMA(2),
    POLYGAMMA(5),
};

struct errors {
    double worst = 0, at = 0;
};
template <class T>
errors measure(const kernel& k, void (*run)(const T*, T*), const std::vector<T>& points) {
    constexpr std::size_t lanes = ricci::simd<T>::lanes;
    errors e;
    for (std::size_t i = 0; i + lanes <= points.size(); i += lanes) {
        T y[lanes];
        run(points.data() + i, y);
        for (std::size_t j = 0; j < lanes; ++j) {
            const double u = reference::ulps(y[j], k.reference(static_cast<real>(points[i + j])));
            if (u > e.worst) e = {u, static_cast<double>(points[i + j])};
        }
    }
    return e;
}
/// Noise between the bounds, and of all exponents between them.
template <class T>
std::vector<T> samples(const kernel& k) {
    reference::noise random;
    std::vector<T> x;
    for (int i = 0; i < 1 << 16; ++i) x.push_back(static_cast<T>(random.between(k.low, k.high)));
    constexpr int lowest = std::numeric_limits<T>::min_exponent;
    while (x.size() < 1 << 17) {
        const T size = static_cast<T>(std::ldexp(1 + random(), static_cast<int>(random.between(lowest, 8))));
        const T v = random() < 0.5 ? -size : size;
        if (k.low <= v && v <= k.high) x.push_back(v);
    }
    return x;
}
errors every_float(const kernel& k) {
    errors e;
    std::vector<float> block(1 << 16);
    for (std::uint64_t first = 0; first < 1ull << 32; first += block.size()) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            const auto bits = static_cast<std::uint32_t>(first + i);
            float v;
            __builtin_memcpy(&v, &bits, sizeof v);
            block[i] = k.low <= v && v <= k.high ? v : static_cast<float>(k.high);
        }
        const errors b = measure<float>(k, k.floats, block);
        if (b.worst > e.worst) e = b;
    }
    return e;
}

}  // namespace

TEST_CASE("kernels in registers keep to their error bounds") {
    const bool all = std::getenv("RICCI_ALL_FLOATS") != nullptr;
    std::printf("%-10s %10s %24s %10s %24s\n", "", "float ulp", "at", "double ulp", "at");
    for (const kernel& k : kernels) {
        const errors f = all ? every_float(k) : measure<float>(k, k.floats, samples<float>(k));
        const errors d = measure<double>(k, k.doubles, samples<double>(k));
        std::printf("%-10s %10.3f %24.9g %10.3f %24.17g\n", k.name, f.worst, f.at, d.worst, d.at);
        CAPTURE(std::string(k.name));
        // without fused multiplies many are the C library's, lane by lane
        double limit = ricci::detail::fused_multiply_add ? k.limit : std::max(k.limit, 4.0);
#if defined(__FAST_MATH__)
        limit = 8;  // products are reordered, those of the reference, which takes the processor's fsin, too
#endif
        CHECK(f.worst <= limit);
        CHECK(d.worst <= limit);
    }
}
#endif
