// Floats and 16-bit numbers beside doubles, and doubles that are stored as such: on registers, to the values of
// conversions one by one.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

std::uint64_t next(std::uint64_t& state) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}
/// Doubles of all sizes, those that are hard to round to H among them: half way between two numbers and just beside.
template <class H>
tensor<double, 1> hard_to_round(index_t n) {
    tensor<double, 1> x = empty<double>({n});
    std::uint64_t state = 88172645463325252u;
    for (index_t i = 0; i < n; ++i) {
        const std::uint64_t bits = next(state);
        double y = std::bit_cast<double>(bits);
        if (bits % 4 != 0) {  // between a number of H and the next one
            const H low = H::from_bits(static_cast<std::uint16_t>((bits >> 8) & 0x7fffu));
            const H high = H::from_bits(static_cast<std::uint16_t>(low.bits + 1));
            y = (static_cast<double>(low) + static_cast<double>(high)) / 2;
            if (bits % 4 == 2) y = std::nextafter(y, std::numeric_limits<double>::infinity());
            if (bits % 4 == 3) y = std::nextafter(y, 0.0);
            if (bits >> 63) y = -y;
        }
        x.data()[i] = y;
    }
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const double special[] = {0.0,    -0.0,      inf,   -inf,         nan,     1e300,    -1e300,
                              5e-324, 65519.999, 65520, 3.3961775e38, 0x1p128, -0x1p-150};
    for (index_t i = 0; i < std::min<index_t>(n, 13); ++i) x.data()[n - 1 - i] = special[i];
    return x;
}
template <class T>
bool is_same(T a, T b) {
    if constexpr (is_half_v<T>) return a.bits == b.bits || (std::isnan(float(a)) && std::isnan(float(b)));
    else return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}
template <class Y, class F>
void check_elements(const Y& y, const F& expected) {
    using T = typename Y::value_type;
    index_t wrong = 0;
    for (index_t i = 0; i < y.size(); ++i) wrong += !is_same<T>(y(i).item(), static_cast<T>(expected(i)));
    CHECK(wrong == 0);
}
constexpr index_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 1000};

}  // namespace

TEST_CASE_TEMPLATE("narrower floats: beside doubles, of every length and step", H, float, float16, bfloat16) {
    for (const index_t n : lengths) {
        const tensor<H, 1> h = astype<H>(randn<float>({2 * n}, generator(1)));
        const tensor<double, 1> x = rand<double>({n}, generator(2));
        const auto at = [&](index_t i) { return static_cast<double>(h.data()[i]); };
        // The sum before the product: a product to which something is added is fused by one compiler and not by
        // another.
        check_elements(evaluate((h(slice(0, n)) + x) * x),
                       [&](index_t i) { return (at(i) + x.data()[i]) * x.data()[i]; });
        check_elements(evaluate(x - h(slice(0, 2 * n, 2))), [&](index_t i) { return x.data()[i] - at(2 * i); });
        check_elements(evaluate(h(slice(n - 1, none, -1)) / x), [&](index_t i) { return at(n - 1 - i) / x.data()[i]; });
        check_elements(evaluate(x + h(slice(0, 1))), [&](index_t i) { return x.data()[i] + at(0); });
        check_elements(evaluate(astype<double>(h(slice(0, n)))), at);
        check_elements(evaluate(h(slice(0, n)) < x), [&](index_t i) { return at(i) < x.data()[i]; });
        check_elements(evaluate(where(x > 0.5, h(slice(0, n)), x)),
                       [&](index_t i) { return x.data()[i] > 0.5 ? at(i) : x.data()[i]; });
        double sum_of_products = 0;
        for (index_t i = 0; i < n; ++i) sum_of_products += at(i) * x.data()[i];
        CHECK(double(sum(h(slice(0, n)) * x)) == doctest::Approx(sum_of_products).epsilon(1e-12));
        CHECK(double(max(h(slice(0, n)) * x)) == double(max(astype<double>(h(slice(0, n))) * x)));
        CHECK(any(h(slice(0, n)) > x + 100).item() == false);
    }
}

TEST_CASE_TEMPLATE("narrower floats: doubles are stored with one rounding", H, float16, bfloat16) {
    for (const index_t n : {1, 5, 16, 33, 20000}) {
        const auto x = hard_to_round<H>(n);
        const auto at = [&](index_t i) { return x.data()[i]; };
        check_elements(evaluate(astype<H>(x)), at);
        check_elements(evaluate(astype<H>(x * 1.0)), at);
        tensor<H, 1> backwards = zeros<H>({n});
        backwards(slice(none, none, -1)) = x;
        check_elements(flip(backwards), at);
        check_elements(evaluate(astype<float>(x)), at);
        tensor<float, 1> every_other = zeros<float>({2 * n});
        every_other(slice(0, none, 2)) = -x;
        check_elements(every_other(slice(0, none, 2)), [&](index_t i) { return -at(i); });
    }
}

TEST_CASE_TEMPLATE("narrower floats: in place, with doubles", H, float, float16, bfloat16) {
    for (const index_t n : lengths) {
        const tensor<double, 1> x = randn<double>({n}, generator(3));
        const tensor<H, 1> before = astype<H>(randn<float>({n}, generator(4)));
        tensor<H, 1> y = before.clone();
        y += x;
        check_elements(y, [&](index_t i) { return static_cast<double>(before.data()[i]) + x.data()[i]; });
        y = before.clone();
        y = exp(x);
        check_elements(y, [&](index_t i) { return evaluate(exp(x)).data()[i]; });
        y(all) = x > 0;
        check_elements(y, [&](index_t i) { return x.data()[i] > 0 ? 1 : 0; });
    }
}

TEST_CASE("narrower floats: rows and columns, derivatives, batches and complex numbers") {
    const auto f = randn<float>({5, 9}, generator(5));
    const auto x = randn<double>({5, 9}, generator(6));
    const auto wide = astype<double>(f);
    CHECK(array_equal(evaluate(x * f(0) + f(all, slice(0, 1))), evaluate(x * wide(0) + wide(all, slice(0, 1)))));
    CHECK(array_equal(evaluate(permute(f, {1, 0}) * permute(x, {1, 0})), permute(evaluate(wide * x), {1, 0})));
    CHECK(allclose(sum(f * x, 0), sum(wide * x, 0), 1e-14, 0));
    const auto loss = [&](auto a) { return sum(a * x * exp(x)); };
    const auto slope = grad(loss)(f);
    static_assert(std::is_same_v<decltype(slope)::value_type, float>);
    CHECK(allclose(slope, x * exp(x), 1e-6, 0));
    CHECK(allclose(grad([&](auto a) { return sum(a * f * a); })(x), 2.0 * x * wide, 1e-14, 0));
    CHECK(array_equal(vmap([](auto a, auto b) { return a * b + b; })(f, x), evaluate(wide * x + x)));
    const auto loss_of_rounded = [](auto a) { return sum(astype<float>(a * a)); };
    CHECK(allclose(grad(loss_of_rounded)(x), 2.0 * x, 1e-6, 0));
    const auto [y, t] = jvp([](auto a) { return astype<float>(a * a); }, tuple(x), tuple(wide));
    CHECK(array_equal(y, evaluate(astype<float>(x * x))));
    CHECK(allclose(t, astype<float>(2.0 * x * wide), 1e-6, 1e-7));
    using C = std::complex<double>;
    const tensor<C, 2> z = complex(x, 2.0 * x);
    CHECK(array_equal(evaluate(z * f), evaluate(z * wide)));
}
