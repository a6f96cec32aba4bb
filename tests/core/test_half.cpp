// Numbers of 16 bits on their own: conversions against the definition of the format, all of them, and against NumPy.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "../golden/half.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

using namespace ricci;

namespace {

template <class H>
struct format;
template <>
struct format<float16> {
    static constexpr int digits = 11, bias = 15;
};
template <>
struct format<bfloat16> {
    static constexpr int digits = 8, bias = 127;
};

/// The number with these bits, by the definition of binary formats.
template <class H>
double defined(unsigned bits) {
    constexpr int fraction = format<H>::digits - 1, bias = format<H>::bias;
    const unsigned exponent = (bits & 0x7fff) >> fraction, mantissa = bits & ((1u << fraction) - 1);
    double x = exponent == 0 ? std::ldexp(mantissa, 1 - bias - fraction)
                             : std::ldexp(mantissa + (1u << fraction), static_cast<int>(exponent) - bias - fraction);
    if (exponent == 2 * bias + 1) x = mantissa ? std::nan("") : HUGE_VAL;
    return bits & 0x8000 ? -x : x;
}
/// The nearest number of the format, the even one of two.
template <class H>
double nearest(double x) {
    if (!std::isfinite(x) || x == 0) return x;
    int exponent;
    std::frexp(x, &exponent);
    const int last = std::max(exponent, 2 - format<H>::bias) - format<H>::digits;
    const double y = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
    return std::fabs(y) > defined<H>(((2 * format<H>::bias + 1) << (format<H>::digits - 1)) - 1)
               ? std::copysign(HUGE_VAL, x)
               : y;
}
bool same(double a, double b) {
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}

template <class H>
void check_every_value() {
    int wrong = 0, wrong_back = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const H x = H::from_bits(static_cast<std::uint16_t>(bits));
        const float f = x;
        wrong += !same(f, defined<H>(bits)) || std::signbit(f) != ((bits & 0x8000) != 0);
        const H back = f;
        wrong_back += std::isnan(f) ? !std::isnan(static_cast<float>(back)) : back.bits != bits;
    }
    CHECK(wrong == 0);
    CHECK(wrong_back == 0);
}
/// Floats around every number of the format and around what is half way to the next.
template <class H>
void check_rounding() {
    int wrong = 0;
    for (unsigned bits = 0; bits + 1 < static_cast<unsigned>((2 * format<H>::bias + 1) << (format<H>::digits - 1));
         ++bits) {
        const double here = defined<H>(bits), next = defined<H>(bits + 1), middle = here + (next - here) / 2;
        for (const double x : {here, middle}) {
            const float f = static_cast<float>(x);
            for (const float y : {f, std::nextafter(f, -HUGE_VALF), std::nextafter(f, HUGE_VALF), -f})
                wrong += !same(H(y), nearest<H>(y));
            for (const double y : {x, std::nextafter(x, -HUGE_VAL), std::nextafter(x, HUGE_VAL)})
                wrong += !same(H(y), nearest<H>(y));
        }
    }
    CHECK(wrong == 0);
    CHECK(same(H(HUGE_VAL), HUGE_VAL));
    CHECK(same(H(-1e300), -HUGE_VAL));
    CHECK(std::isnan(static_cast<float>(H(std::nan("")))));
    CHECK(std::signbit(static_cast<float>(H(-std::nan("")))) == std::signbit(-std::nan("")));
}
template <class H>
void check_limits() {
    using limits = std::numeric_limits<H>;
    CHECK(limits::max() == nearest<H>(defined<H>(limits::max().bits)));
    CHECK(std::isinf(static_cast<float>(H::from_bits(limits::max().bits + 1))));
    CHECK(limits::lowest() == -limits::max());
    CHECK(1 + static_cast<double>(limits::epsilon()) == defined<H>(H(1).bits + 1));
    CHECK(static_cast<double>(limits::min()) == std::ldexp(1.0, limits::min_exponent - 1));
    CHECK(limits::denorm_min() == defined<H>(1));
    CHECK(limits::digits == format<H>::digits);
    CHECK(std::isinf(static_cast<float>(limits::infinity())));
    CHECK(std::isnan(static_cast<float>(limits::quiet_NaN())));
    CHECK(std::isnan(static_cast<float>(limits::signaling_NaN())));
}
template <class H>
void check_numpy() {
    std::size_t i = 0;
    for (const double x : golden::doubles) {
        CAPTURE(x);
        CHECK(H(x).bits == golden::halves<H>::from_doubles[i++]);
    }
}

static_assert(float16(1.5f) + float16(2) == 3.5f && std::is_same_v<decltype(float16(1) * float16(2)), float16>);
static_assert(std::is_same_v<decltype(float16(1) * 2.0f), float> &&
              std::is_same_v<decltype(bfloat16(1) + 2.0), double>);
static_assert(std::is_same_v<decltype(-bfloat16(1)), bfloat16> && -bfloat16(1) < bfloat16(0));
static_assert(float16(65519.0f) == 65504 && float16(65520.0f) == std::numeric_limits<float>::infinity());
static_assert(float16(bfloat16(3)) == 3 && bfloat16(float16(3)) == 3 && int(float16(-7.9)) == -7);

}  // namespace

TEST_CASE("half: every float16 and bfloat16 becomes the float that it is, and comes back") {
    check_every_value<float16>();
    check_every_value<bfloat16>();
}
TEST_CASE("half: floats and doubles become the nearest float16 and bfloat16, the even one of two") {
    check_rounding<float16>();
    check_rounding<bfloat16>();
}
TEST_CASE("half: what numeric_limits says of them is so") {
    check_limits<float16>();
    check_limits<bfloat16>();
}
TEST_CASE("half: doubles are rounded once, as NumPy does") {
    check_numpy<float16>();
    check_numpy<bfloat16>();
}
TEST_CASE("half: long doubles are rounded once") {
    if (std::numeric_limits<long double>::digits == std::numeric_limits<double>::digits) return;
    using long_limits = std::numeric_limits<long double>;
    const long double tie = 1 + 0x1p-11L, bfloat_tie = 1 + 0x1p-8L;
    for (const long double sign : {1.0L, -1.0L}) {
        CHECK(float(float16(sign * tie)) == sign);
        CHECK(float(float16(sign * (tie + 0x1p-60L))) == sign * (1 + 0x1p-10L));
        CHECK(float(float16(sign * (tie - 0x1p-60L))) == sign);
        CHECK(float(bfloat16(sign * (bfloat_tie + 0x1p-60L))) == sign * (1 + 0x1p-7L));
        CHECK(float(bfloat16(sign * (bfloat_tie - 0x1p-60L))) == sign);
        CHECK(std::isinf(float(float16(sign * 65520.0L))));
        CHECK(float(float16(sign * (65520.0L - 0x1p-47L))) == sign * 65504);
        CHECK(std::isinf(float(bfloat16(sign * long_limits::max()))));
        CHECK(std::isinf(float(float16(sign * long_limits::infinity()))));
        CHECK(float(float16(sign * long_limits::min())) == 0);
        CHECK(std::signbit(float(float16(sign * long_limits::min()))) == (sign < 0));
    }
    CHECK(std::isnan(float(float16(long_limits::quiet_NaN()))));
    CHECK(float(float16(0x1p-25L + 0x1p-88L)) == 0x1p-24f);
    static_assert(float16(2.5L).bits == float16(2.5).bits);
}
TEST_CASE("half: integers of 64 bits are rounded once") {
    for (int power = 50; power < 63; ++power) {
        const std::int64_t here = std::int64_t(1) << power, middle = here + (here >> 8);
        for (const std::int64_t off : {0, 1, 513}) {
            CAPTURE(power);
            CAPTURE(off);
            const double up = std::ldexp(1 + 1 / 128.0, power), down = std::ldexp(1, power);
            CHECK(double(bfloat16(middle + off)) == (off > 0 ? up : down));
            CHECK(double(bfloat16(-middle - off)) == (off > 0 ? -up : -down));
            CHECK(double(bfloat16(static_cast<std::uint64_t>(middle - off))) == down);
            CHECK(double(bfloat16(off - middle)) == -down);
        }
    }
    CHECK(double(bfloat16(~std::uint64_t(0))) == 0x1p64);
    CHECK(double(bfloat16(std::uint64_t(0xff80000000000001))) == 0x1p64);
    CHECK(double(bfloat16(std::uint64_t(0xff7fffffffffffff))) == 0x1.fep63);
    CHECK(double(bfloat16(std::numeric_limits<std::int64_t>::min())) == -0x1p63);
    CHECK(float(float16(std::int64_t(65519))) == 65504);
}
#if defined(__SSE__)
TEST_CASE("half: subnormals are numbers where those of float count as 0, as they do after -ffast-math") {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        volatile std::uint16_t stored = static_cast<std::uint16_t>(bits);
        const float f = float16::from_bits(stored);
        wrong += f != defined<float16>(bits) || float16(f).bits != bits;
    }
    _mm_setcsr(before);
    CHECK(wrong == 0);
}
#endif
TEST_CASE("half: arithmetic with assignment") {
    float16 x = 3;
    x += 1;
    x *= float16(2);
    x -= 0.5;
    x /= 3;
    CHECK(x == 2.5f);
}
