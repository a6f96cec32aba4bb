// The scalar functions of kernels: one name each for scalars (host and device) and for simd registers.
#pragma once
#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <type_traits>

#include "../../core/config.hpp"
#include "../simd.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
concept real_scalar = std::is_floating_point_v<T>;
template <class T>
concept inexact_scalar = std::is_floating_point_v<T> || is_complex<T>;
template <class T>
concept real_number = std::is_arithmetic_v<T>;

// Integers are promoted to double, as NumPy does.
#define RICCI_MATH_UNARY(name, scalars)            \
    template <scalars T>                           \
    RICCI_HD inline T name(T x) {                  \
        using std::name;                           \
        return name(x);                            \
    }                                              \
    template <std::integral T>                     \
    RICCI_HD inline double name(T x) {             \
        return math::name(static_cast<double>(x)); \
    }
RICCI_MATH_UNARY(exp, inexact_scalar)
RICCI_MATH_UNARY(log, inexact_scalar)
RICCI_MATH_UNARY(sin, inexact_scalar)
RICCI_MATH_UNARY(cos, inexact_scalar)
RICCI_MATH_UNARY(tan, inexact_scalar)
RICCI_MATH_UNARY(atan, inexact_scalar)
RICCI_MATH_UNARY(tanh, inexact_scalar)
RICCI_MATH_UNARY(sinh, inexact_scalar)
RICCI_MATH_UNARY(cosh, inexact_scalar)
RICCI_MATH_UNARY(asin, inexact_scalar)
RICCI_MATH_UNARY(acos, inexact_scalar)
RICCI_MATH_UNARY(asinh, inexact_scalar)
RICCI_MATH_UNARY(acosh, inexact_scalar)
RICCI_MATH_UNARY(atanh, inexact_scalar)
RICCI_MATH_UNARY(sqrt, inexact_scalar)
RICCI_MATH_UNARY(expm1, real_scalar)
RICCI_MATH_UNARY(log1p, real_scalar)
RICCI_MATH_UNARY(exp2, real_scalar)
RICCI_MATH_UNARY(log2, real_scalar)
RICCI_MATH_UNARY(log10, real_scalar)
RICCI_MATH_UNARY(cbrt, real_scalar)
RICCI_MATH_UNARY(erf, real_scalar)
RICCI_MATH_UNARY(erfc, real_scalar)
#undef RICCI_MATH_UNARY

#define RICCI_MATH_ROUNDING(name, function) \
    template <real_scalar T>                \
    RICCI_HD inline T name(T x) {           \
        using std::function;                \
        return function(x);                 \
    }                                       \
    template <std::integral T>              \
    RICCI_HD inline T name(T x) {           \
        return x;                           \
    }
RICCI_MATH_ROUNDING(floor, floor)
RICCI_MATH_ROUNDING(ceil, ceil)
RICCI_MATH_ROUNDING(trunc, trunc)
RICCI_MATH_ROUNDING(round, nearbyint)  // half to even, as NumPy
#undef RICCI_MATH_ROUNDING

/// Sine and cosine together.
template <inexact_scalar T>
RICCI_HD inline void sincos(T x, T& s, T& c) {
    s = math::sin(x);
    c = math::cos(x);
}

#define RICCI_MATH_BINARY(name)        \
    template <real_scalar T>           \
    RICCI_HD inline T name(T x, T y) { \
        using std::name;               \
        return name(x, y);             \
    }
RICCI_MATH_BINARY(atan2)
RICCI_MATH_BINARY(fmod)
RICCI_MATH_BINARY(hypot)
RICCI_MATH_BINARY(nextafter)
#undef RICCI_MATH_BINARY

// Of complex numbers, for which the standard has none of these.
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T log2(T x) {
    return math::log(x) * static_cast<typename T::value_type>(1.44269504088896340736L);
}
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T log10(T x) {
    return math::log(x) * static_cast<typename T::value_type>(0.43429448190325182765L);
}
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T exp2(T x) {
    return math::exp(x * static_cast<typename T::value_type>(0.69314718055994530942L));
}
/// cos(b) - 1 = -2 sin(b / 2)^2, so that nothing cancels near 0.
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T expm1(T x) {
    const auto a = x.real(), b = x.imag(), half = math::sin(b / 2);
    return T(math::expm1(a) * math::cos(b) - 2 * half * half, math::exp(a) * math::sin(b));
}
/// |1 + x|^2 - 1 = a (2 + a) + b^2, where squares are harmless.
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T log1p(T x) {
    const auto a = x.real(), b = x.imag();
    const bool small = a * a < 0.25 && b * b < 0.25;
    return T(small ? math::log1p(a * (2 + a) + b * b) / 2 : math::log(math::hypot(1 + a, b)), math::atan2(b, 1 + a));
}

/// Integers as unsigned ones of at least 32 bits, whose arithmetic wraps as NumPy's does instead of being undefined;
/// anything else as it is, also integers beside what are none. What is computed so is converted back by whoever knows
/// the result's type.
template <class... Beside, class S>
RICCI_HD RICCI_INLINE constexpr auto wrap(const S& x) {
    if constexpr ((std::is_integral_v<S> && ... && std::is_integral_v<Beside>))
        return static_cast<std::conditional_t<(sizeof(S) > 4), std::uint64_t, std::uint32_t>>(x);
    else return x;
}

/// Absolute value; of a complex number the modulus. The most negative integer stays as it is.
template <class T>
    requires inexact_scalar<T>
RICCI_HD inline auto abs(T x) {
    using std::abs;
    return abs(x);
}
template <std::integral T>
RICCI_HD constexpr T abs(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0 ? static_cast<T>(-static_cast<std::make_unsigned_t<T>>(x)) : x;
    else return x;
}

/// x to the power y, IEEE 754's special values; of integers by repeated squaring, modulo 2^bits; 0 for a negative power
/// unless x is 1 or -1.
template <real_scalar T>
RICCI_HD inline T pow(T x, T y) {
    using std::pow;
    return pow(x, y);
}
/// Of complex numbers as NumPy: small whole powers by repeated squaring, 1 for the power 0, of 0 else 0, or NaN for a
/// power whose real part is not positive; exp(y log(x)) otherwise.
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T pow(T x, T y) {
    using R = decltype(x.real());
    const auto times = [](const T& a, const T& b) {
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    };
    const R re = y.real();
    if (re == R(0) && y.imag() == R(0)) return T(R(1));
    if (x.real() == R(0) && x.imag() == R(0)) {
        if (re > R(0)) return T(R(0));
        return T(std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::quiet_NaN());
    }
    if (y.imag() == R(0) && re > R(-100) && re < R(100) && re == static_cast<R>(static_cast<int>(re))) {
        int n = static_cast<int>(re < R(0) ? -re : re);
        T base = x;
        for (; (n & 1) == 0; n >>= 1) base = times(base, base);
        T result = base;
        while (n >>= 1) {
            base = times(base, base);
            if (n & 1) result = times(result, base);
        }
        return re < R(0) ? T(R(1)) / result : result;
    }
    return math::exp(times(y, math::log(x)));
}
template <std::integral T>
RICCI_HD constexpr T pow(T x, T y) {
    if constexpr (std::is_same_v<T, bool>) {
        return x || !y;
    } else {
        if (y < 0) return x == 1 ? T(1) : x == T(-1) ? T(y % 2 != 0 ? -1 : 1) : T(0);
        std::make_unsigned_t<T> result = 1, base = static_cast<std::make_unsigned_t<T>>(x);
        for (; y != 0; y = static_cast<T>(y >> 1)) {
            if (y & 1) result = static_cast<std::make_unsigned_t<T>>(1ull * result * base);
            base = static_cast<std::make_unsigned_t<T>>(1ull * base * base);
        }
        return static_cast<T>(result);
    }
}

/// a * b + c, rounded once where the hardware does that at full speed, else twice.
template <real_scalar T>
RICCI_HD inline T fma(T a, T b, T c) {
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__) || defined(__CUDA_ARCH__)
    using std::fma;
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}
template <class T>
    requires(std::integral<T> || is_complex<T>)
RICCI_HD constexpr T fma(T a, T b, T c) {
    return static_cast<T>(a * b + c);
}

template <real_number T>
RICCI_HD constexpr bool isnan(T x) {
    return x != x;
}
template <real_number T>
RICCI_HD constexpr bool isinf(T x) {
    if constexpr (std::is_floating_point_v<T>)
        return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
    else return false;
}

template <class T>
    requires(is_complex<T>)
RICCI_HD constexpr bool isnan(T x) {
    return math::isnan(x.real()) || math::isnan(x.imag());
}
template <class T>
    requires(is_complex<T>)
RICCI_HD constexpr bool isinf(T x) {
    return math::isinf(x.real()) || math::isinf(x.imag());
}

/// The larger and the smaller of the two; NaN if either is. Of zeros of different sign either.
template <real_number T>
RICCI_HD constexpr T maximum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) return a | b;
    else return a > b || a != a ? a : b;
}
template <real_number T>
RICCI_HD constexpr T minimum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) return a & b;
    else return a < b || a != a ? a : b;
}

/// a if the condition holds, else b.
template <class T>
    requires(real_number<T> || is_complex<T>)
RICCI_HD constexpr T select(bool condition, T a, T b) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)  // else a jump, where masks come from memory
        return static_cast<T>(b ^ ((a ^ b) & static_cast<T>(-static_cast<T>(condition))));
    else if constexpr (std::is_same_v<T, bool>) return (condition & a) | (!condition & b);
    else return condition ? a : b;
}

template <real_scalar T>
RICCI_HD inline T copysign(T magnitude, T sign) {
    using std::copysign;
    return copysign(magnitude, sign);
}
template <real_number T>
RICCI_HD inline bool signbit(T x) {
    if constexpr (std::is_floating_point_v<T>) {
        using std::signbit;
        return signbit(x);
    } else {
        return x < 0;
    }
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
