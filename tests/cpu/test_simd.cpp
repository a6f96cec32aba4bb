// Registers lane by lane against scalars: memory, arithmetic, masks, reductions, the functions of math.hpp to 2 ulp.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <ricci/cpu/math.hpp>
#include <type_traits>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {

namespace math = ricci::math;

TEST_CASE_TEMPLATE("scalar functions", T, float, double) {
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    CHECK(math::round(T(0.5)) == T(0));
    CHECK(math::round(T(1.5)) == T(2));
    CHECK(std::signbit(math::round(T(-0.25))));
    CHECK(std::isnan(math::maximum(T(1), nan)));
    CHECK(std::isnan(math::maximum(nan, T(1))));
    CHECK(std::isnan(math::minimum(T(1), nan)));
    CHECK(std::isnan(math::minimum(nan, T(1))));
    CHECK(math::maximum(T(1), inf) == inf);
    CHECK(math::minimum(-inf, T(1)) == -inf);
    CHECK(math::select(true, T(1), T(2)) == T(1));
    CHECK(math::isnan(nan));
    CHECK(math::isinf(-inf));
    CHECK(!math::isinf(T(1)));
    CHECK(math::signbit(T(-0.0)));
    CHECK(math::fma(T(2), T(3), T(4)) == T(10));
    CHECK(math::pow(T(-2), T(3)) == T(-8));
    T s, c;
    math::sincos(T(1), s, c);
    CHECK(s == std::sin(T(1)));
    CHECK(c == std::cos(T(1)));
    static_assert(std::is_same_v<decltype(math::exp(T(1))), T>);
    static_assert(std::is_same_v<decltype(math::abs(std::complex<T>())), T>);
    CHECK(math::exp(std::complex<T>()) == std::complex<T>(1));
}

TEST_CASE("scalar functions of integers") {
    static_assert(std::is_same_v<decltype(math::exp(1)), double>);
    static_assert(std::is_same_v<decltype(math::floor(1)), int>);
    CHECK(math::abs(-3) == 3);
    CHECK(math::abs(std::int8_t(-128)) == std::int8_t(-128));
    CHECK(math::abs(3u) == 3u);
    CHECK(math::pow(3, 4) == 81);
    CHECK(math::pow(2, -1) == 0);
    CHECK(math::pow(-1, -3) == -1);
    CHECK(math::pow(std::uint8_t(3), std::uint8_t(6)) == std::uint8_t(729 % 256));
    CHECK(math::maximum(1, 2) == 2);
    CHECK(!math::isnan(1));
    CHECK(math::fma(2, 3, 4) == 10);
}

#if defined(RICCI_HAS_SIMD)

template <class T>
struct lanes {
    static constexpr int n = ricci::simd<T>::lanes;
    T v[n];
    lanes() = default;
    explicit lanes(ricci::simd<T> x) { x.store(v); }
    ricci::simd<T> load() const { return ricci::simd<T>::load(v); }
};
template <class T>
struct flags {
    static constexpr int n = ricci::simd<T>::lanes;
    bool v[n];
    flags() = default;
    explicit flags(ricci::simd_mask<T> m) { m.store(v); }
    ricci::simd_mask<T> load() const { return ricci::simd_mask<T>::load(v); }
};

template <class T>
std::vector<T> specials() {
    using l = std::numeric_limits<T>;
    const T big = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);
    std::vector<T> v{0,
                     T(0.25),
                     T(0.5),
                     T(0.75),
                     1,
                     T(1.5),
                     2,
                     T(2.5),
                     3,
                     T(3.5),
                     10,
                     T(1e6),
                     T(1e9),
                     l::min(),
                     l::denorm_min(),
                     l::min() / 3,
                     l::epsilon(),
                     l::max(),
                     l::infinity(),
                     l::quiet_NaN(),
                     big,
                     big - T(0.5),
                     big + 1,
                     big / 2 + T(0.5),
                     T(87.5),
                     T(88.8),
                     T(104),
                     T(709.5),
                     T(745),
                     T(746)};
    const std::size_t n = v.size();
    for (std::size_t i = 0; i < n; ++i) v.push_back(-v[i]);
    return v;
}

template <class T>
bool same(T a, T b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Calls body with registers that hold all values of `v`, the last one filled up.
template <class T, class F>
void for_registers(const std::vector<T>& v, F body) {
    lanes<T> x;
    for (std::size_t i = 0; i < v.size(); i += lanes<T>::n) {
        for (std::size_t k = 0; k < lanes<T>::n; ++k) x.v[k] = v[(i + k) % v.size()];
        body(x);
    }
}

TEST_CASE_TEMPLATE("memory: whole and partial registers", T, float, double) {
    using S = ricci::simd<T>;
    constexpr int n = S::lanes;
    std::vector<T> from(n + 1), to(n + 2);
    for (int i = 0; i <= n; ++i) from[static_cast<std::size_t>(i)] = T(i + 1);
    S::load(from.data() + 1).store(to.data() + 1);
    for (int i = 0; i < n; ++i) CHECK(to[static_cast<std::size_t>(i + 1)] == T(i + 2));
    CHECK(to[0] == 0);
    CHECK(to.back() == 0);
    for (int part = 1; part < n; ++part) {
        const lanes<T> x(S::load_partial(from.data(), part));
        for (int i = 0; i < n; ++i) CHECK(x.v[i] == (i < part ? T(i + 1) : T(0)));
        std::vector<T> out(n, T(-1));
        S::load(from.data()).store_partial(out.data(), part);
        for (int i = 0; i < n; ++i) CHECK(out[static_cast<std::size_t>(i)] == (i < part ? T(i + 1) : T(-1)));
    }
    CHECK(S(T(3))[n - 1] == T(3));
}

TEST_CASE_TEMPLATE("memory: masks", T, float, double) {
    using M = ricci::simd_mask<T>;
    constexpr int n = M::lanes;
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        flags<T> a;
        for (bool& b : a.v) b = random() % 2;
        const flags<T> back(a.load());
        CHECK(std::memcmp(a.v, back.v, n) == 0);
        for (int part = 1; part < n; ++part) {
            const flags<T> x(M::load_partial(a.v, part));
            bool out[n] = {};
            M(true).store_partial(out, part);
            for (int i = 0; i < n; ++i) {
                CHECK(x.v[i] == (i < part && a.v[i]));
                CHECK(out[i] == (i < part));
            }
        }
    }
}

#if __has_include(<sys/mman.h>)
TEST_CASE_TEMPLATE("memory: partial registers touch nothing beyond a page", T, float, double) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto* pages = static_cast<unsigned char*>(
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + page, page, PROT_NONE) == 0);
    for (int part = 1; part < ricci::simd<T>::lanes; ++part) {
        T* values = reinterpret_cast<T*>(pages + page) - part;
        ricci::simd<T>(T(2)).store_partial(values, part);
        CHECK(ricci::reduce_add(ricci::simd<T>::load_partial(values, part)) == T(2 * part));
        bool* booleans = reinterpret_cast<bool*>(pages + page) - part;
        ricci::simd_mask<T>(true).store_partial(booleans, part);
        CHECK(math::any(ricci::simd_mask<T>::load_partial(booleans, part)));
    }
    munmap(pages, 2 * page);
}
#endif

TEST_CASE_TEMPLATE("arithmetic and comparisons are those of scalars", T, float, double) {
    const auto v = specials<T>();
    int wrong = 0;
    for (std::size_t shift = 0; shift < v.size(); ++shift) {
        std::vector<T> w(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) w[i] = v[(i * 7 + shift) % v.size()];
        std::size_t at = 0;
        for_registers<T>(v, [&](const lanes<T>& a) {
            lanes<T> b;
            for (T& x : b.v) x = w[at++ % w.size()];
            const auto x = a.load(), y = b.load();
            auto sum = x;
            sum += y;
            const lanes<T> add(sum), subtract(x - y), multiply(x * y), divide(x / y), negative(-x),
                copied(math::copysign(x, y));
            const lanes<T> larger(math::maximum(x, y)), smaller(math::minimum(x, y)), chosen(math::select(x < y, x, y));
            const flags<T> less(x < y), less_equal(x <= y), greater(x > y), greater_equal(x >= y), equal(x == y),
                unequal(x != y);
            for (int i = 0; i < lanes<T>::n; ++i) {
                const T p = a.v[i], q = b.v[i];
                wrong += !same(add.v[i], p + q) + !same(subtract.v[i], p - q) + !same(multiply.v[i], p * q);
                wrong += !same(divide.v[i], p / q) + !same(negative.v[i], -p) + !same(copied.v[i], std::copysign(p, q));
                wrong += less.v[i] != (p < q) || less_equal.v[i] != (p <= q) || greater.v[i] != (p > q);
                wrong += greater_equal.v[i] != (p >= q) || equal.v[i] != (p == q) || unequal.v[i] != (p != q);
                wrong += !same(chosen.v[i], p < q ? p : q);
                if (p != 0 || q != 0) {
                    wrong += !same(larger.v[i], math::maximum(p, q)) + !same(smaller.v[i], math::minimum(p, q));
                }
            }
        });
    }
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("roundings, sqrt and classification", T, float, double) {
    std::vector<T> v = specials<T>();
    std::mt19937 random(2);
    for (int i = 0; i < 1000; ++i) v.push_back((static_cast<T>(random()) - T(2147483648u)) / T(1 << 27));
    int wrong = 0;
    for_registers<T>(v, [&](const lanes<T>& a) {
        const auto x = a.load();
        const lanes<T> floor(math::floor(x)), ceil(math::ceil(x)), trunc(math::trunc(x)), round(math::round(x)),
            root(math::sqrt(x)), size(math::abs(x));
        const flags<T> nan(math::isnan(x)), infinite(math::isinf(x)), sign(math::signbit(x));
        for (int i = 0; i < lanes<T>::n; ++i) {
            const T p = a.v[i];
            wrong +=
                !same(floor.v[i], std::floor(p)) + !same(ceil.v[i], std::ceil(p)) + !same(trunc.v[i], std::trunc(p));
            wrong +=
                !same(round.v[i], std::nearbyint(p)) + !same(root.v[i], std::sqrt(p)) + !same(size.v[i], std::fabs(p));
            wrong += nan.v[i] != std::isnan(p) || infinite.v[i] != std::isinf(p) || sign.v[i] != std::signbit(p);
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("operations on masks", T, float, double) {
    constexpr int n = ricci::simd<T>::lanes;
    for (int p = 0; p < 16; ++p)
        for (int q = 0; q < 16; ++q) {
            flags<T> a, b;
            for (int i = 0; i < n; ++i) a.v[i] = p >> (i % 4) & 1, b.v[i] = q >> (i % 4) & 1;
            const auto x = a.load(), y = b.load();
            const flags<T> both(x & y), either(x | y), one(x ^ y), equal(x == y), unequal(x != y), inverse(!x),
                chosen(math::select(x, y, !y));
            int wrong = 0;
            bool any = false, all = true;
            for (int i = 0; i < n; ++i) {
                wrong += both.v[i] != (a.v[i] && b.v[i]) || either.v[i] != (a.v[i] || b.v[i]) ||
                         one.v[i] != (a.v[i] != b.v[i]);
                wrong +=
                    equal.v[i] != (a.v[i] == b.v[i]) || unequal.v[i] != (a.v[i] != b.v[i]) || inverse.v[i] == a.v[i];
                wrong += chosen.v[i] != (a.v[i] ? b.v[i] : !b.v[i]);
                any = any || a.v[i];
                all = all && a.v[i];
            }
            CHECK(wrong == 0);
            CHECK(math::any(x) == any);
            CHECK(math::all(x) == all);
        }
}

TEST_CASE_TEMPLATE("reductions over the lanes", T, float, double) {
    lanes<T> x;
    for (int i = 0; i < lanes<T>::n; ++i) x.v[i] = T((i * 5) % lanes<T>::n);
    CHECK(ricci::reduce_add(x.load()) == T(lanes<T>::n * (lanes<T>::n - 1) / 2));
    CHECK(ricci::reduce_max(x.load()) == T(lanes<T>::n - 1));
    CHECK(ricci::reduce_min(x.load()) == T(0));
    for (T& lane : x.v) {
        const T before = lane;
        lane = std::numeric_limits<T>::quiet_NaN();
        CHECK(std::isnan(ricci::reduce_max(x.load())));
        CHECK(std::isnan(ricci::reduce_min(x.load())));
        CHECK(std::isnan(ricci::reduce_add(x.load())));
        lane = before;
    }
}

// ---- Accuracy: against the next wider type ------------------------------------------------------------------------

template <class T>
using reference_t = std::conditional_t<sizeof(T) == 4, double, long double>;

/// The distance of `got` from the exact value, in units of the last place of T; huge when only one is infinite, NaN or
/// negative zero.
template <class T>
double ulps(T got, reference_t<T> exact) {
    const T rounded = static_cast<T>(exact);
    if (same(got, rounded)) {
        if (got == 0 || std::isinf(got) || std::isnan(got)) return 0;
    } else if (!std::isfinite(got) || !std::isfinite(rounded) || (got == 0 && rounded == 0)) {
        return 1e30;
    }
    using l = std::numeric_limits<T>;
    int exponent;
    std::frexp(exact == 0 ? reference_t<T>(l::min()) : exact, &exponent);
    const int last =
        exponent - l::digits < l::min_exponent - l::digits ? l::min_exponent - l::digits : exponent - l::digits;
    return static_cast<double>(std::fabs(static_cast<reference_t<T>>(got) - exact) /
                               std::ldexp(reference_t<T>(1), last));
}

template <class T, class F, class G>
double worst_ulps(const std::vector<T>& v, F function, G reference) {
    double worst = 0;
    for_registers<T>(v, [&](const lanes<T>& a) {
        const lanes<T> y(function(a.load()));
        for (int i = 0; i < lanes<T>::n; ++i) {
            const double u = ulps(y.v[i], reference(static_cast<reference_t<T>>(a.v[i])));
            if (u > 2) MESSAGE("at ", a.v[i], ": ", y.v[i]);
            if (u > worst) worst = u;
        }
    });
    return worst;
}

template <class T>
std::vector<T> samples(double low, double high) {
    std::vector<T> v = specials<T>();
    std::mt19937_64 random(3);
    for (int i = 0; i < 20000; ++i)
        v.push_back(static_cast<T>(low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53)));
    for (int i = 0; i < 20000; ++i) {  // all binades
        const auto bits = random();
        T x;
        std::memcpy(&x, &bits, sizeof x);
        v.push_back(x);
    }
    return v;
}

#define RICCI_CHECK_FUNCTION(name, low, high) \
    CHECK(worst_ulps(                         \
              samples<T>(low, high), [](auto x) { return math::name(x); }, [](auto x) { return std::name(x); }) <= 2)

TEST_CASE_TEMPLATE("exp and log", T, float, double) {
    const double most = sizeof(T) == 4 ? 90 : 712;
    RICCI_CHECK_FUNCTION(exp, -1, 1);
    RICCI_CHECK_FUNCTION(exp, -most * 1.2, most);
    RICCI_CHECK_FUNCTION(log, 0, 2);
    RICCI_CHECK_FUNCTION(log, 0.9, 1.1);
}

TEST_CASE_TEMPLATE("sin, cos and both", T, float, double) {
    for (const double range : {3.0, 100.0, 50000.0, 1e7}) {
        CAPTURE(range);
        const auto v = samples<T>(-range, range);
        const auto s = [](auto x) { return std::sin(x); };
        const auto c = [](auto x) { return std::cos(x); };
        CHECK(worst_ulps(v, [](auto x) { return math::sin(x); }, s) <= 2);
        CHECK(worst_ulps(v, [](auto x) { return math::cos(x); }, c) <= 2);
        ricci::simd<T> other;
        CHECK(worst_ulps(
                  v,
                  [&](auto x) {
                      ricci::simd<T> y;
                      math::sincos(x, y, other);
                      return y;
                  },
                  s) <= 2);
        CHECK(worst_ulps(
                  v,
                  [&](auto x) {
                      ricci::simd<T> y;
                      math::sincos(x, other, y);
                      return y;
                  },
                  c) <= 2);
        int beyond = 0;
        for_registers<T>(v, [&](const lanes<T>& a) {
            beyond += math::any(ricci::simd<T>(T(1)) < math::abs(math::sin(a.load())));
            beyond += math::any(ricci::simd<T>(T(1)) < math::abs(math::cos(a.load())));
        });
        CHECK(beyond == 0);
    }
    CHECK(math::cos(ricci::simd<T>(T(0)))[0] == T(1));
}

TEST_CASE_TEMPLATE("tanh", T, float, double) {
    RICCI_CHECK_FUNCTION(tanh, -1, 1);
    RICCI_CHECK_FUNCTION(tanh, -25, 25);
}

TEST_CASE_TEMPLATE("a lane's result does not depend on the others", T, float, double) {
    const auto v = specials<T>();
    const auto one = [](auto f, T x) { return f(ricci::simd<T>(x))[0]; };
    int wrong = 0;
    const auto check = [&](auto f) {
        for_registers<T>(v, [&](const lanes<T>& a) {
            const lanes<T> y(f(a.load()));
            for (int i = 0; i < lanes<T>::n; ++i) wrong += !same(y.v[i], one(f, a.v[i]));
        });
    };
    check([](auto x) { return math::exp(x); });
    check([](auto x) { return math::log(x); });
    check([](auto x) { return math::sin(x); });
    check([](auto x) { return math::cos(x); });
    check([](auto x) { return math::tanh(x); });
    check([](auto x) { return math::pow(x, x); });
    CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("pow", T, float, double) {
    const auto v = specials<T>();
    std::vector<std::pair<T, T>> pairs;
    for (const T x : v)
        for (const T y : v) pairs.emplace_back(x, y);
    std::mt19937_64 random(4);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
    };
    const double most = sizeof(T) == 4 ? 88 : 709;
    for (int i = 0; i < 20000; ++i) {
        const T x = static_cast<T>(std::exp(uniform(-most, most)));
        pairs.emplace_back(x, static_cast<T>(uniform(-most, most) / std::log(x)));
        const T near = static_cast<T>(uniform(0.7, 1.5));
        pairs.emplace_back(near, static_cast<T>(uniform(-most, most) / std::log(near)));
        pairs.emplace_back(static_cast<T>(uniform(-5, 5)), static_cast<T>(std::floor(uniform(-20, 20))));
    }
    for (int i = 96; i <= 192; ++i)  // where cells of the logarithm's table meet
        for (const T towards : {T(0), T(i) / 128, T(2)}) {
            const T x = std::nextafter(T(i) / 128, towards);
            for (int k = 0; k < 20; ++k)
                if (x != 1) pairs.emplace_back(x, static_cast<T>(uniform(-most, most) / std::log(x)));
        }
    double worst = 0;
    for (std::size_t i = 0; i + lanes<T>::n <= pairs.size(); i += lanes<T>::n) {
        lanes<T> x, y;
        for (std::size_t k = 0; k < lanes<T>::n; ++k) x.v[k] = pairs[i + k].first, y.v[k] = pairs[i + k].second;
        const lanes<T> z(math::pow(x.load(), y.load()));
        for (int k = 0; k < lanes<T>::n; ++k) {
            const double u =
                ulps(z.v[k], std::pow(static_cast<reference_t<T>>(x.v[k]), static_cast<reference_t<T>>(y.v[k])));
            if (u > 2) MESSAGE(x.v[k], " to the power ", y.v[k], ": ", z.v[k]);
            if (u > worst) worst = u;
        }
    }
    CHECK(worst <= 2);
}

#endif  // RICCI_HAS_SIMD

}  // namespace
