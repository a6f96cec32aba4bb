// Scalar functions that the standard library lacks, or gives in a form that threads cannot share.
#pragma once
#include <numbers>

#include "integer_divisor.hpp"
#include "scalar.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

/// log |gamma(x)|; the standard library's own writes a global sign.
template <real_scalar T>
RICCI_HD inline T lgamma(T x) {
#if defined(__CUDA_ARCH__) || !(defined(_GNU_SOURCE) || defined(_DEFAULT_SOURCE) || defined(__APPLE__))
    using std::lgamma;
    return lgamma(x);
#else
    // Near its zeros among the negative numbers it is as exact as the type above: those are few.
    int sign;
    if constexpr (sizeof(T) == 4) {
        return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
    } else {
#if defined(__GLIBC__)
        if (x < 0) return static_cast<T>(::lgammal_r(static_cast<long double>(x), &sign));
#endif
        return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
    }
#endif
}

}  // namespace RICCI_ISA
}  // namespace math

namespace detail {

/// The type that scalar series are summed in: one wider than the result's, where there is one that is not slow.
#if defined(__x86_64__) && !defined(__CUDACC__)
template <class T>
using series_t = std::conditional_t<sizeof(T) == 4, double, long double>;
#else
template <class T>
using series_t = double;
#endif

/// cos(pi x) / sin(pi x) for x that is no integer.
template <class T>
RICCI_HD inline T cotangent_of_turns(T x) {
    using std::floor;
    using std::tan;
    const T f = x - floor(x + T(0.5));  // in [-1/2, 1/2]
    return f > T(0.25)    ? tan(std::numbers::pi_v<T> * (T(0.5) - f))
           : f < T(-0.25) ? -tan(std::numbers::pi_v<T> * (T(0.5) + f))
                          : 1 / tan(std::numbers::pi_v<T> * f);
}

/// digamma for x > 0: recurrence up to 16, then log(x) - 1 / 2x - sum of B_2k / (2k x^2k).
template <class T>
RICCI_HD inline T positive_digamma(T x) {
    using std::log;
    T sum = 0;
    for (; x < 16; x += 1) sum -= 1 / x;
    const T u = 1 / (x * x);
    const T series =
        u *
        (T(1) / 12 -
         u * (T(1) / 120 -
              u * (T(1) / 252 - u * (T(1) / 240 - u * (T(1) / 132 - u * (T(691) / 32760 -
                                                                         u * (T(1) / 12 - u * (T(3617) / 8160))))))));
    return sum + (log(x) - T(0.5) / x - series);
}
inline constexpr int euler_maclaurin_terms = 12;
/// B_2k / (2k)! of the Euler-Maclaurin formula, k counted from 0 for B_2.
RICCI_HD constexpr double euler_maclaurin(int k) {
    constexpr double coefficients[euler_maclaurin_terms] = {1. / 12,
                                                            -1. / 720,
                                                            1. / 30240,
                                                            -1. / 1209600,
                                                            1. / 47900160,
                                                            -5.284190138687493e-10,
                                                            1.3382536530684679e-11,
                                                            -3.389680296322583e-13,
                                                            8.586062056277845e-15,
                                                            -2.174868698558062e-16,
                                                            5.509002828360229e-18,
                                                            -1.3954464685812523e-19};
    return coefficients[k];
}
/// x^-n for n >= 0; by multiplications where the type has bits to spare.
template <class T>
RICCI_HD inline T inverse_power(T x, long long n) {
    using std::pow;
    if constexpr (sizeof(T) <= sizeof(double)) {
        return pow(x, T(-n));
    } else {
        T power = 1;
        for (T factor = 1 / x; n > 0; n /= 2, factor *= factor)
            if (n % 2) power *= factor;
        return power;
    }
}
/// polygamma of order n >= 1 for x > 0, without its sign: n! sum of 1 / (x + k)^(n+1), by the Euler-Maclaurin formula
/// from where it converges, or as long as there are terms that count. Of n > 170 the factorial is infinite.
template <class T>
RICCI_HD inline T positive_polygamma(int n, T x) {
    T factorial = 1;
    for (int k = 2; k <= n && factorial <= std::numeric_limits<T>::max(); ++k) factorial *= T(k);
    const T order = T(n);
    T sum = 0;
    for (; x < 16 + order; x += 1) {
        const T term = inverse_power(x, n + 1LL);
        if (sum + term * (1 + x / order) == sum) return factorial * sum;  // all that follow are no more
        sum += term;
    }
    const T power = inverse_power(x, n), u = 1 / (x * x);
    sum += power / order + power / (2 * x);
    T factor = power * u * (order + 1);  // of B_2k / (2k)!: (n+1)...(n+2k-1) / x^(n+2k)
    for (int k = 0; k < 8; ++k) {
        sum += T(euler_maclaurin(k)) * factor;
        factor *= u * (order + T(2 * k + 2)) * (order + T(2 * k + 3));
    }
    return factorial * sum;
}
/// The n-th derivative of -pi cot(pi x) at x: a polynomial in c = cot(pi x), as c' = -pi (1 + c^2).
template <class T>
RICCI_HD inline T cotangent_derivative(int n, T x) {
    constexpr int most = 32;
    T p[most + 2] = {0, 1};
    if (n > most) return std::numeric_limits<T>::quiet_NaN();
    T scale = -std::numbers::pi_v<T>;
    for (int k = 1; k <= n; ++k) {
        T next[most + 2] = {};
        for (int i = 1; i <= k; ++i) {
            next[i - 1] += T(i) * p[i];
            if (i + 1 <= most + 1) next[i + 1] += T(i) * p[i];
        }
        for (int i = 0; i <= k + 1 && i < most + 2; ++i) p[i] = next[i];
        scale *= -std::numbers::pi_v<T>;
    }
    const T c = cotangent_of_turns(x);
    T y = 0;
    for (int i = n + 1; i >= 0; --i) y = y * c + p[i];
    return scale * y;
}

}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

/// The derivative of log gamma(x): NaN at the negative integers and at -inf, -+inf at +-0.
template <real_scalar T>
RICCI_HD inline T digamma(T x) {
    using S = detail::series_t<T>;
    using limits = std::numeric_limits<T>;
    using std::floor;
    if (x > 0) return x <= limits::max() ? static_cast<T>(detail::positive_digamma(static_cast<S>(x))) : x;
    if (x == 0) return -math::copysign(limits::infinity(), x);
    if (!(x < 0) || floor(x) == x) return limits::quiet_NaN();
    const S z = static_cast<S>(x);
    return static_cast<T>(detail::positive_digamma(1 - z) - std::numbers::pi_v<S> * detail::cotangent_of_turns(z));
}

/// The n-th derivative of digamma, n >= 0; below 0 for n up to 32.
template <real_scalar T>
RICCI_HD inline T polygamma(int n, T x) {
    using S = detail::series_t<T>;
    using limits = std::numeric_limits<T>;
    using std::floor;
    if (n < 0) return limits::quiet_NaN();
    if (n == 0) return math::digamma(x);
    const S sign = n % 2 ? S(1) : S(-1), z = static_cast<S>(x);
    if (x > limits::max()) return static_cast<T>(sign) * T(0);
    if (x > 0) return static_cast<T>(sign * detail::positive_polygamma(n, z));
    if (x == 0) return n % 2 ? limits::infinity() : -math::copysign(limits::infinity(), x);
    if (x != x || x < -limits::max()) return limits::quiet_NaN();
    if (floor(x) == x) return n % 2 ? limits::infinity() : limits::quiet_NaN();
    // psi(1 - x) - psi(x) = pi cot(pi x), differentiated
    return static_cast<T>(detail::cotangent_derivative(n, z) - detail::positive_polygamma(n, 1 - z));
}

// ---- Integers and remainders, NumPy's rules
// ------------------------------------------------------------------------------

/// The remainder with the sign of x; of integers 0 for a zero divisor.
template <std::integral T>
RICCI_HD constexpr T fmod(T x, T y) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == -1) return 0;  // the most negative number over -1 overflows
    return static_cast<T>(x % y);
}
template <std::integral T>
RICCI_HD constexpr T remainder(T x, T y) {
    const T r = math::fmod(x, y);
    return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
}
template <std::integral T>
RICCI_HD constexpr T floor_divide(T x, T y) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == -1) return static_cast<T>(-wrap(x));
    const T q = static_cast<T>(x / y);
    return x % y != 0 && (x < 0) != (y < 0) ? static_cast<T>(q - 1) : q;
}
template <std::integral T>
RICCI_HD constexpr T left_shift(T x, T n) {
    constexpr int bits = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
    if (n < 0 || n >= static_cast<std::int64_t>(bits)) return 0;
    return static_cast<T>(wrap(x) << n);
}
template <std::integral T>
RICCI_HD constexpr T right_shift(T x, T n) {
    constexpr int bits = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
    if (n < 0 || n >= static_cast<std::int64_t>(bits)) return static_cast<T>(x < 0 ? -1 : 0);
    return static_cast<T>(x >> n);
}

/// The normal distribution function, erfc(u) / 2, where what rounding loses of u = -x / sqrt(2) counts.
template <real_scalar T>
RICCI_HD inline double wide_ndtr(T x) {
    using std::erfc;
    using std::exp;
    using std::fma;
    const double z = static_cast<double>(x), factor = -0.70710678118654757, u = z * factor;
    const double lost = fma(z, factor, -u) + z * 4.8336466567264567e-17;
    return 0.5 * (erfc(u) - lost * (1.1283791670955126 * exp(-u * u)));
}
template <real_scalar T>
RICCI_HD inline T ndtr(T x) {
    if (x < T(-40)) return T(0);
    return x > T(40) ? T(1) : static_cast<T>(wide_ndtr(x));
}
template <real_scalar T>
RICCI_HD inline T gelu(T x) {
    if (x < T(-40)) return -T(0);
    return x > T(40) ? x : static_cast<T>(static_cast<double>(x) * wide_ndtr(x));
}

/// The inverse of the error function, by Newton's method on erf near 0 and on erfc near its ends.
template <real_scalar T>
RICCI_HD inline T erfinv(T x) {
    using limits = std::numeric_limits<T>;
    using std::erf;
    using std::erfc;
    using std::exp;
    using std::log;
    using std::sqrt;
    const T size = math::abs(x);
    if (!(size < 1)) return size == 1 ? math::copysign(limits::infinity(), x) : limits::quiet_NaN();
    if (size < T(1e-8)) return x * T(0.88622692545275801);
    // Winitzki's approximation, within 2e-3
    const double z = static_cast<double>(size), w = log((1 - z) * (1 + z)), a = 4.3307467508479 + w / 2;
    double y = sqrt(sqrt(a * a - w * 6.802721088435374) - a);
    for (int i = 0; i < 4; ++i) {
        const double error = z > 0.5 ? (1 - z) - erfc(y) : erf(y) - z;
        const double step = error * 0.88622692545275801 * exp(y * y);
        y -= step / (1 + step * y);
    }
    return math::copysign(static_cast<T>(y), x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
