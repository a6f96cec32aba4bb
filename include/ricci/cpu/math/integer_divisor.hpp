// Quotients and remainders by an integer that many are divided by, without a division for each.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "scalar.hpp"

namespace ricci {
namespace detail {

/// The high half of a product.
RICCI_HD RICCI_INLINE constexpr std::uint16_t high_half(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>((std::uint32_t(a) * b) >> 16);
}
RICCI_HD RICCI_INLINE constexpr std::uint32_t high_half(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>((std::uint64_t(a) * b) >> 32);
}
RICCI_HD RICCI_INLINE constexpr std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__) && !defined(__CUDA_ARCH__) && !defined(__AVX512DQ__)  // there loops take eight at a time
    __extension__ using wide = unsigned __int128;
    return static_cast<std::uint64_t>((wide(a) * b) >> 64);
#else
    constexpr std::uint64_t half = 0xffffffff;
    const std::uint64_t low = (a & half) * (b & half), mid = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other = (a & half) * (b >> 32) + (mid & half);
    return (a >> 32) * (b >> 32) + (mid >> 32) + (other >> 32);
#endif
}

/// floor(2^(B - 1 + l) / d) of B bits, where 2^(l - 1) < d <= 2^l; of powers of two the same, or one less. Without
/// loops, branches and calls, so that compilers compute it before the loops in which it is used: estimated in double,
/// and corrected by what the estimate leaves.
RICCI_HD RICCI_INLINE constexpr std::uint16_t reciprocal_digits(std::uint16_t d, int l) {
    const auto power =  // so short that the quotient in double is never rounded up to an integer
        static_cast<double>(std::int32_t(1) << (15 + l));
    return static_cast<std::uint16_t>(static_cast<std::int32_t>(power / static_cast<double>(d)));
}
RICCI_HD RICCI_INLINE constexpr std::uint32_t reciprocal_digits(std::uint32_t d, int l) {
    const std::uint64_t power = std::uint64_t(1) << (31 + l);
    const auto q = static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(power)) / static_cast<double>(d)));
    return static_cast<std::uint32_t>(q - std::uint64_t(q * d > power));
}
RICCI_HD RICCI_INLINE constexpr std::uint64_t reciprocal_digits(std::uint64_t d, int) {
    constexpr std::uint64_t top = std::uint64_t(1) << 63;
    const auto is_power = std::uint64_t((d & (d - 1)) == 0);
    const std::uint64_t high = d << std::countl_zero(d | 1) | is_power;  // 2^127 over this is the same, below 2^64
    const double divisor = 2 * static_cast<double>(static_cast<std::int64_t>(high >> 1));
    const double estimate = 0x1p126 / divisor - 0x1p10;  // half of it, and less, as signed numbers reach
    std::uint64_t q = static_cast<std::uint64_t>(static_cast<std::int64_t>(estimate)) << 1;
    std::uint64_t low = 0 - q * high,
                  rest = top - detail::high_half(q, high) - std::uint64_t(low != 0);  // 2^127 - q high
    const auto left = static_cast<double>(static_cast<std::int64_t>(rest << 32 | low >> 32)) * 0x1p32;
    q += static_cast<std::uint64_t>(static_cast<std::int64_t>(left / divisor));
    low = 0 - q * high, rest = top - detail::high_half(q, high) - std::uint64_t(low != 0);
    const std::uint64_t below = rest >> 63,
                        above = (below ^ 1) & (std::uint64_t(rest != 0) | std::uint64_t(low >= high));
    return ((q - below + above) & (is_power - 1)) | (top & (0 - is_power));
}

}  // namespace detail
namespace math {

/// A divisor and its reciprocal (Granlund and Montgomery 1994). With B bits, e the divisor's size and 2^(l - 1) < e <=
/// 2^l, the high half of u times m = floor(2^(B - 1 + l) / e) + 1, shifted by l - 1, is floor(u / e) of all u <= 2^(B -
/// 1). floor(x / d) is that of x for d > 0 and x >= 0; of others one of u = -x - 1, x - 1, -x, inverted bit by bit
/// where it is negative.
template <class T>
    requires(std::same_as<T, std::int16_t> || std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>)
struct integer_divisor {
    using U = std::make_unsigned_t<T>;
    T value, least;               // -x is divided by negative ones; negative are the quotients of what is below `least`
    U flip, keep;                 // all ones: of negative divisors; of any but 0
    U multiplier = 0, whole = 0;  // `whole` all ones of 1 and -1, whose quotients are u
    int shift = 0;

    RICCI_HD RICCI_INLINE constexpr explicit integer_divisor(T d)
        : value(d), least(d < 0), flip(U(0) - U(d < 0)), keep(U(0) - U(d != 0)) {
        least |= static_cast<T>(U(d == 0) << (8 * sizeof(T) - 1));  // nothing is below the least number
#if !defined(__CUDA_ARCH__)                                         // a device divides one element after the other
        const U size = (static_cast<U>(d) ^ flip) - flip, tiny = U(0) - U(size < 2), other = size + (tiny & 2);
        const int before = 8 * static_cast<int>(sizeof(T)) - 1 - std::countl_zero(static_cast<U>((other - 1) | 1));
        multiplier = static_cast<U>(detail::reciprocal_digits(other, before + 1) + 1) & ~tiny;
        shift = static_cast<int>(static_cast<U>(before) & ~tiny);
        whole = U(0) - U(size == 1);
#endif
    }
    /// floor(x / d), modulo 2^bits; 0 for d = 0.
    RICCI_HD RICCI_INLINE constexpr T quotient(T x) const {
#if defined(__CUDA_ARCH__)
        if (value == 0) return 0;
        if (value == -1) return static_cast<T>(U(0) - static_cast<U>(x));
        return static_cast<T>(x / value - (x % value != 0 && (x < 0) != (value < 0)));
#else
        const U sign = x < least ? ~U(0) : U(0), u = (static_cast<U>(x) - (flip & 1)) ^ sign;
        const U sum = static_cast<U>(detail::high_half(u, multiplier) + (u & whole));  // one of them is 0: not an int's
        const U q = static_cast<U>(sum >> shift);
        return static_cast<T>(q ^ sign ^ flip);
#endif
    }
    RICCI_HD RICCI_INLINE constexpr T number() const { return value; }
    RICCI_HD RICCI_INLINE constexpr T remainder(T x) const {
        const auto product = 1u * static_cast<U>(quotient(x)) * static_cast<U>(value);  // never of ints, which overflow
        return static_cast<T>((static_cast<U>(x) - product) & keep);
    }
};

/// The same of integers that a wider signed type holds, in which they are divided.
template <class T, class Wide>
struct widened_divisor {
    integer_divisor<Wide> wide;

    RICCI_HD RICCI_INLINE constexpr explicit widened_divisor(T d) : wide(static_cast<Wide>(d)) {}
    RICCI_HD RICCI_INLINE constexpr T number() const { return static_cast<T>(wide.value); }
    RICCI_HD RICCI_INLINE constexpr T quotient(T x) const {
        return static_cast<T>(wide.quotient(static_cast<Wide>(x)));
    }
    RICCI_HD RICCI_INLINE constexpr T remainder(T x) const {
        return static_cast<T>(wide.remainder(static_cast<Wide>(x)));
    }
};

/// The same of bytes, by the high half of one product of 16 bits: with m = floor(2^16 / d) + 1, that of x and m over
/// 2^16 is below x / d + 1 / 256. All of it in 16 bits, of which a register holds twice as many lanes as of ints.
struct byte_divisor {
    std::uint16_t value, multiplier = 0, whole, keep;  // `whole` all ones of 1, whose m would be 2^16

    RICCI_HD RICCI_INLINE constexpr explicit byte_divisor(std::uint8_t d)
        : value(d), whole(static_cast<std::uint16_t>(0u - (d == 1))), keep(static_cast<std::uint16_t>(0u - (d != 0))) {
        // in double, which no branch guards, so that compilers compute it before the loops in which it is used
        const auto quotient_of_one = static_cast<std::int32_t>(65536.0 / static_cast<double>(value + (d == 0)));
        multiplier = static_cast<std::uint16_t>((quotient_of_one + 1) & keep & ~whole);
    }
    RICCI_HD RICCI_INLINE constexpr std::uint8_t number() const { return static_cast<std::uint8_t>(value); }
    RICCI_HD RICCI_INLINE constexpr std::uint8_t quotient(std::uint8_t x) const {
        return static_cast<std::uint8_t>(detail::high_half(std::uint16_t(x), multiplier) | (x & whole));
    }
    RICCI_HD RICCI_INLINE constexpr std::uint8_t remainder(std::uint8_t x) const {
        return static_cast<std::uint8_t>((x - 1u * quotient(x) * value) & keep);
    }
};

/// The same of signed bytes, as integer_divisor has those of its integers.
struct signed_byte_divisor {
    std::int8_t value, least;
    std::uint8_t flip;
    byte_divisor size;

    RICCI_HD RICCI_INLINE constexpr explicit signed_byte_divisor(std::int8_t d)
        : value(d),
          least(static_cast<std::int8_t>(d == 0 ? -128 : d < 0)),
          flip(static_cast<std::uint8_t>(0u - (d < 0))),
          size(static_cast<std::uint8_t>((static_cast<std::uint8_t>(d) ^ flip) - flip)) {}
    RICCI_HD RICCI_INLINE constexpr std::int8_t number() const { return value; }
    RICCI_HD RICCI_INLINE constexpr std::int8_t quotient(std::int8_t x) const {
        const auto sign = static_cast<std::uint8_t>(x < least ? 0xff : 0);
        const auto u = static_cast<std::uint8_t>((static_cast<std::uint8_t>(x) - (flip & 1)) ^ sign);
        return static_cast<std::int8_t>(size.quotient(u) ^ sign ^ flip);
    }
    RICCI_HD RICCI_INLINE constexpr std::int8_t remainder(std::int8_t x) const {
        return static_cast<std::int8_t>((x - quotient(x) * value) & (0 - (value != 0)));
    }
};

/// The same of 16 bits, of which the multiplier has one more, 2^16 + m with m = floor(2^16 (2^l - d) / d) + 1 and
/// 2^(l - 1) < d <= 2^l (Granlund and Montgomery, figure 4.1).
struct word_divisor {
    std::uint16_t value, multiplier = 0, keep;
    int once = 0, shift = 0;  // 1 and l - 1, both 0 of 1

    RICCI_HD RICCI_INLINE constexpr explicit word_divisor(std::uint16_t d)
        : value(d), keep(static_cast<std::uint16_t>(0u - (d != 0))) {
#if !defined(__CUDA_ARCH__)  // a device divides one element after the other
        const int l = 32 - std::countl_zero(static_cast<std::uint32_t>(d - (d != 0)));
        // in double, as byte_divisor's, and exact: the quotient of 32 by 16 bits is never rounded up to an integer
        const double digits = 65536.0 * static_cast<double>((1 << l) - d) / static_cast<double>(d + (d == 0));
        multiplier = static_cast<std::uint16_t>(static_cast<std::int32_t>(digits) + 1);
        once = l > 0;
        shift = l - once;
#endif
    }
    RICCI_HD RICCI_INLINE constexpr std::uint16_t number() const { return value; }
    RICCI_HD RICCI_INLINE constexpr std::uint16_t quotient(std::uint16_t x) const {
#if defined(__CUDA_ARCH__)
        return static_cast<std::uint16_t>(value == 0 ? 0 : x / value);
#else
        const std::uint16_t high = detail::high_half(x, multiplier);
        const auto half = static_cast<std::uint16_t>(static_cast<std::uint16_t>(x - high) >> once);
        return static_cast<std::uint16_t>((static_cast<std::uint16_t>(high + half) >> shift) & keep);
#endif
    }
    RICCI_HD RICCI_INLINE constexpr std::uint16_t remainder(std::uint16_t x) const {
        return static_cast<std::uint16_t>((x - 1u * quotient(x) * value) & keep);
    }
};

template <class T>
inline constexpr bool has_integer_divisor =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && (std::is_signed_v<T> || sizeof(T) < 8);
/// `x` as the divisor of many.
template <class T>
    requires has_integer_divisor<T>
RICCI_HD RICCI_INLINE constexpr auto known_divisor(T x) {
    if constexpr (requires { typename integer_divisor<T>; }) return integer_divisor<T>(x);
    else if constexpr (std::is_same_v<T, std::uint8_t>) return byte_divisor(x);
    else if constexpr (sizeof(T) == 1) return signed_byte_divisor(static_cast<std::int8_t>(x));
    else if constexpr (sizeof(T) == 2) return word_divisor(x);
    else return widened_divisor<T, std::int64_t>(x);
}

template <class T, class Divisor>
    requires requires(const Divisor& d, T x) { d.quotient(x); }
RICCI_HD RICCI_INLINE constexpr T remainder(T x, const Divisor& d) {
    return d.remainder(x);
}
/// x to a power that many are raised to: a loop of small ones is made of products alone.
template <class T>
[[gnu::noinline]] RICCI_HD constexpr T unusual_power(T x, T n) {
    return math::pow(x, n);
}
template <class T, class Known>
    requires requires(const Known& n, T x) { n.quotient(x); }
RICCI_HD RICCI_INLINE constexpr T pow(T x, const Known& n) {
    using U = std::conditional_t<(sizeof(T) > 4), std::uint64_t, std::uint32_t>;
    const T y = n.number();
    const U u = static_cast<U>(x);
    if (y == 2) return static_cast<T>(u * u);
    if (y == 3) return static_cast<T>(u * u * u);
    return math::unusual_power(x, y);
}
template <class T, class Divisor>
    requires requires(const Divisor& d, T x) { d.quotient(x); }
RICCI_HD RICCI_INLINE constexpr T floor_divide(T x, const Divisor& d) {
    return d.quotient(x);
}

}  // namespace math
}  // namespace ricci
