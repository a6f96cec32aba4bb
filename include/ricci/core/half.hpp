// Floating types of 16 bits, which tensors store and kernels compute with as float: IEEE's binary16 and bfloat16.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "config.hpp"

namespace ricci {

struct float16;
struct bfloat16;

/// The floating types of 16 bits.
template <class T>
inline constexpr bool is_half_v = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

namespace detail {

/// binary16 to binary32, exactly; a NaN keeps sign and payload and becomes a quiet one.
RICCI_HD RICCI_INLINE constexpr float float16_value(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = (bits & 0x7fffu) << 13;
    if (magnitude >= 0x0f800000u)  // infinity, NaN
        return std::bit_cast<float>(sign | 0x7f800000u | magnitude | (magnitude > 0x0f800000u ? 0x400000u : 0u));
    const bool subnormal = magnitude < 0x00800000u;  // of float it must not become one: -ffast-math would take it for 0
    const float value = subnormal ? std::bit_cast<float>(magnitude | 0x38800000u) - 0x1p-14f
                                  : std::bit_cast<float>(magnitude + 0x38000000u);
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}
/// binary32 to binary16, the nearest, the even one of two; a NaN stays one.
RICCI_HD RICCI_INLINE constexpr std::uint16_t float16_bits(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x), magnitude = bits & 0x7fffffffu;
    const std::uint32_t sign = (bits >> 16) & 0x8000u;
    std::uint32_t half = 0;
    if (magnitude > 0x7f800000u) half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    else if (magnitude >= 0x477ff000u) half = 0x7c00u;  // from 65520 on: half way to what would come after the largest
    else if (magnitude < 0x38800000u)  // below 2^-14 the sum with 1/2 is rounded where a subnormal ends
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
    else half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}
/// The upper half of binary32 to binary32, exactly, NaN included.
RICCI_HD RICCI_INLINE constexpr float bfloat16_value(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
/// The nearest, the even one of two; a NaN becomes a quiet one.
RICCI_HD RICCI_INLINE constexpr std::uint16_t bfloat16_bits(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    const std::uint32_t rounded = nan ? bits | 0x400000u : bits + 0x7fffu + ((bits >> 16) & 1u);
    return static_cast<std::uint16_t>(rounded >> 16);
}
/// To float by rounding to odd, so that rounding again, to fewer bits, gives what rounding once would.
RICCI_HD RICCI_INLINE constexpr float rounded_to_odd(double x) {
    constexpr double most = std::numeric_limits<float>::max();
    constexpr std::uint64_t magnitude = ~std::uint64_t(0) >> 1;
    const float nearest = static_cast<float>(x > most ? most : x < -most ? -most : x);  // all that is more is infinite
    // as integers: compilers make branches of comparisons of numbers, which are not foreseen
    const auto size = std::bit_cast<std::uint64_t>(x) & magnitude,
               size_back = std::bit_cast<std::uint64_t>(static_cast<double>(nearest)) & magnitude;
    const std::uint32_t outside = size_back > size, inexact = size_back != size;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(nearest) - outside) | inexact);
}
/// To float by rounding to odd, twice: an integer with more bits than a double first to its upper 53.
template <class N>
RICCI_HD RICCI_INLINE constexpr float rounded_to_odd_integer(N x) {
    constexpr std::uint64_t lost = (std::uint64_t(1) << 11) - 1;
    const auto bits = static_cast<std::uint64_t>(x), magnitude = x < 0 ? 0 - bits : bits;
    const bool inexact = magnitude >> 53 != 0 && (bits & lost) != 0;
    return rounded_to_odd(static_cast<double>(inexact ? static_cast<N>((bits & ~lost) | (lost + 1)) : x));
}
/// To double by rounding to odd, where long double has more bits.
template <class N>  // which need not name long double to nvcc, who warns of it
constexpr double rounded_to_odd_double(N x) {
    constexpr double most = std::numeric_limits<double>::max();
    const auto nearest = static_cast<double>(x > most ? most : x < -most ? -most : x);
    if (nearest == x) return nearest;
    const bool outside = (nearest > x) == (x > 0);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(nearest) - outside) | 1u);
}
template <class N>
RICCI_HD RICCI_INLINE constexpr float narrowed(N x) {
    if constexpr (std::is_same_v<N, float>) return x;
    else if constexpr (std::is_floating_point_v<N> && sizeof(N) > sizeof(double))
        return rounded_to_odd(rounded_to_odd_double(x));
    else if constexpr (std::is_integral_v<N> && sizeof(N) == sizeof(double)) return rounded_to_odd_integer(x);
    else return rounded_to_odd(static_cast<double>(x));
}

/// The same for float16, of which integers beyond 2^17 are infinities: what is left of them float holds exactly.
template <class N>
RICCI_HD RICCI_INLINE constexpr float narrowed_to_float16(N x) {
    if constexpr (std::is_integral_v<N> && sizeof(N) > 2) {
        constexpr N most = N(1) << 17, least = std::is_signed_v<N> ? N(0) - most : N(0);
        return static_cast<float>(static_cast<std::int32_t>(x > most ? most : x < least ? least : x));
    } else {
        return narrowed(x);
    }
}

}  // namespace detail

/// IEEE 754's binary16: 11 bits of precision, up to 65504. Converts from any number with one rounding, to the nearest,
/// ties to even, and to float exactly.
struct float16 {
    std::uint16_t bits;

    float16() = default;
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_HD RICCI_INLINE constexpr float16(N x) : bits(detail::float16_bits(detail::narrowed_to_float16(x))) {}
    RICCI_HD RICCI_INLINE explicit constexpr float16(bfloat16 x);
    RICCI_HD RICCI_INLINE constexpr operator float() const { return detail::float16_value(bits); }
    /// The number with these bits.
    RICCI_HD RICCI_INLINE static constexpr float16 from_bits(std::uint16_t b) {
        float16 x{};
        x.bits = b;
        return x;
    }
};

/// The upper half of a float: 8 bits of precision, the range of float. Converts as float16 does.
struct bfloat16 {
    std::uint16_t bits;

    bfloat16() = default;
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_HD RICCI_INLINE constexpr bfloat16(N x) : bits(detail::bfloat16_bits(detail::narrowed(x))) {}
    RICCI_HD RICCI_INLINE explicit constexpr bfloat16(float16 x) : bfloat16(static_cast<float>(x)) {}
    RICCI_HD RICCI_INLINE constexpr operator float() const { return detail::bfloat16_value(bits); }
    /// The number with these bits.
    RICCI_HD RICCI_INLINE static constexpr bfloat16 from_bits(std::uint16_t b) {
        bfloat16 x{};
        x.bits = b;
        return x;
    }
};
RICCI_HD RICCI_INLINE constexpr float16::float16(bfloat16 x) : float16(static_cast<float>(x)) {}

static_assert(sizeof(float16) == 2 && std::is_trivially_copyable_v<float16>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

// Arithmetic of two of a kind is computed in float and rounded; beside any other number they are floats, as comparisons
// are.
#define RICCI_HALF_OPERATOR(op)                                             \
    template <class A, class B>                                             \
        requires(is_half_v<A> && std::is_same_v<A, B>)                      \
    RICCI_HD RICCI_INLINE constexpr A operator op(const A& a, const B& b) { \
        return A(static_cast<float>(a) op static_cast<float>(b));           \
    }                                                                       \
    template <class A, class B>                                             \
        requires(is_half_v<A> && std::is_convertible_v<B, float>)           \
    RICCI_HD RICCI_INLINE constexpr A& operator op##=(A & a, const B & b) { \
        return a = A(static_cast<float>(a) op b);                           \
    }
RICCI_HALF_OPERATOR(+)
RICCI_HALF_OPERATOR(-)
RICCI_HALF_OPERATOR(*)
RICCI_HALF_OPERATOR(/)
#undef RICCI_HALF_OPERATOR
template <class A>
    requires(is_half_v<A>)
RICCI_HD RICCI_INLINE constexpr A operator-(const A& a) {
    return A::from_bits(static_cast<std::uint16_t>(a.bits ^ 0x8000u));
}
template <class A>
    requires(is_half_v<A>)
RICCI_HD RICCI_INLINE constexpr A operator+(const A& a) {
    return a;
}

namespace detail {

/// What std::numeric_limits says of a type with Digits bits of precision and exponents from 1 - Bias to Bias.
template <class H, int Digits, int Bias>
struct half_limits {
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, is_iec559 = true;
    static constexpr bool is_bounded = true, is_modulo = false, traps = false, tinyness_before = false;
    static constexpr std::float_round_style round_style = std::round_to_nearest;
    static constexpr int radix = 2, digits = Digits, digits10 = (Digits - 1) * 30103 / 100000;
    static constexpr int max_digits10 = 2 + Digits * 30103 / 100000;
    static constexpr int min_exponent = 2 - Bias, max_exponent = Bias + 1;
    static constexpr int min_exponent10 = -((Bias - 1) * 30103 / 100000), max_exponent10 = (Bias + 1) * 30103 / 100000;

    static constexpr H min() noexcept { return H::from_bits(1u << (Digits - 1)); }
    static constexpr H max() noexcept { return H::from_bits(top - 1); }
    static constexpr H lowest() noexcept { return H::from_bits(0x8000u | (top - 1)); }
    static constexpr H epsilon() noexcept { return H::from_bits((Bias - Digits + 1) << (Digits - 1)); }
    static constexpr H round_error() noexcept { return H(0.5f); }
    static constexpr H infinity() noexcept { return H::from_bits(top); }
    static constexpr H quiet_NaN() noexcept { return H::from_bits(top | (1u << (Digits - 2))); }
    static constexpr H signaling_NaN() noexcept { return H::from_bits(top | (1u << (Digits - 3))); }
    static constexpr H denorm_min() noexcept { return H::from_bits(1); }

   private:
    static constexpr std::uint16_t top = static_cast<std::uint16_t>((2 * Bias + 1) << (Digits - 1));
};

}  // namespace detail
}  // namespace ricci

template <>
struct std::numeric_limits<ricci::float16> : ricci::detail::half_limits<ricci::float16, 11, 15> {};
template <>
struct std::numeric_limits<ricci::bfloat16> : ricci::detail::half_limits<ricci::bfloat16, 8, 127> {};
