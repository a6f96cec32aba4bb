// Reference arithmetic that shares nothing with the library: quadruple precision, its elementary functions, and central
// differences that stay exact to double precision when nested three deep.
#pragma once
#include <cmath>
#include <vector>

namespace reference {

// With eps the precision and h the step, a difference of order k is off by h^2 (truncation) and eps / h^k (rounding):
// for h = 2^-23 and eps = 1e-34, by 1e-14 and, at order 3, 1e-13. Where long double is the widest type, order 3 has no
// digits.
#if defined(__SIZEOF_FLOAT128__)
using real = __float128;
#else
using real = long double;
#endif
inline constexpr double step = 1.0 / (1 << 23);

inline real exp(real x) {
    const int halvings = 12;
    x /= 1 << halvings;
    real term = 1, sum = 0;  // of exp(x) - 1
    for (int k = 1; k < 16; ++k) sum += term *= x / k;
    for (int k = 0; k < halvings; ++k) sum = sum * (sum + 2);
    return sum + 1;
}
inline real log(real x) {
    real y = std::log(static_cast<double>(x));
    for (int k = 0; k < 3; ++k) y += x * exp(-y) - 1;
    return y;
}
/// Of |x| up to about 10.
inline real sin(real x) {
    real term = x, sum = x;
    for (int k = 2; k < 80; k += 2) sum += term *= -x * x / (k * (k + 1));
    return sum;
}
inline real cos(real x) {
    real term = 1, sum = 1;
    for (int k = 1; k < 80; k += 2) sum += term *= -x * x / (k * (k + 1));
    return sum;
}
inline real tanh(real x) {
    const real e = exp(2 * x);
    return (e - 1) / (e + 1);
}
inline real sqrt(real x) {
    real y = std::sqrt(static_cast<double>(x));
    if (y == 0) return 0;
    for (int k = 0; k < 3; ++k) y = (y + x / y) / 2;
    return y;
}

/// df/dx by central differences.
template <class F>
real derivative(const F& f, real x) {
    return (f(x + step) - f(x - step)) / (2 * real(step));
}

}  // namespace reference
