// The modified Bessel functions of the second kind of the orders 0 and 1, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// K_n(x), or exp(x) K_n(x). Up to 2 by the logarithm times I_n and a polynomial of t = (x / 2)^2, beyond by sqrt(x)
/// exp(x) K_n(x), a polynomial of 4 / x - 1; all by Chebyshev interpolation.
template <int Order, bool Scaled>
struct bessel_k_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S zero(0), two(2), infinity(std::numeric_limits<double>::infinity());
        const auto beyond = two < x;
        S y(0);
        if (any_lane(!beyond)) y = near(math::minimum(x, two));
        if (any_lane(beyond)) y = math::select(beyond, far(math::maximum(x, two)), y);
        y = math::select(x == zero, infinity, y);
        return math::select(zero <= x, y, S(std::numeric_limits<double>::quiet_NaN()));
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static S near(const S& x) {
        const S half = S(0.5) * x, t = half * half;
        S y;
        if constexpr (Order == 0) {
            const S first = math::fma(t, bessel_series<0, double>(t), S(1));
            y = math::fma(-math::log(half), first, small_part(t));
        } else {
            const S first = math::fma(t * bessel_series<1, double>(t), half, half);
            y = math::fma(math::log(half), first, S(0.5) * half * small_part(t)) + S(1) / x;
        }
        return Scaled ? y * math::exp(x) : y;
    }
    template <class S>
    RICCI_HD RICCI_INLINE static S far(const S& x) {
        const S y = large_part(S(4) / x - S(1)) / math::sqrt(x);
        return Scaled ? y : math::exp(-x) * y;
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S small_part(const S& t) {
        if constexpr (Order == 0)
            return long_horner<double>(t, -0.5772156649015329, 0.4227843350984672, 0.23069608377461445,
                                       0.03489215745646892, 0.002614787618610217, 0.00011848039436836223,
                                       3.612622452747443e-06, 7.935328137352067e-08, 1.3147877336324059e-09,
                                       1.8015293331696398e-11);
        else
            return long_horner<double>(t, 0.15443132980306573, -0.6727843350984671, -0.1815751669608552,
                                       -0.019182189839336106, -0.0011153594919305174, -4.142247702703162e-05,
                                       -1.0715456092277125e-06, -2.0453287949503006e-08, -2.998424669071998e-10,
                                       -3.665214307982683e-12);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S large_part(const S& u) {
        if constexpr (Order == 0)
            return long_horner<double>(
                u, 1.2185953385133905, -0.031071461824889863, 0.003032891810274143, -0.00047976905673534966,
                9.95605474680701e-05, -2.4735205374482363e-05, 7.002244891192467e-06, -2.191167925216506e-06,
                7.427862249156294e-07, -2.6897300718519323e-07, 1.0292557328065749e-07, -4.106658027115221e-08,
                1.713185600678902e-08, -8.004851515961861e-09, 3.649704196745876e-09, -6.909445532095268e-10,
                2.3928247577454007e-10, -1.2154646925329214e-09, 6.696909677353191e-10, 4.297822831935991e-10,
                -2.511583623750801e-10, -1.7415792636713548e-10, 9.815402008859526e-11);
        else
            return long_horner<double>(
                u, 1.363151890371342, 0.1033497377538656, -0.005566729880073309, 0.0007357241548745106,
                -0.0001395902196146278, 3.2843866443823695e-05, -8.961206568008175e-06, 2.7300306911646126e-06,
                -9.067153917791994e-07, 3.230534911986308e-07, -1.2200063909110853e-07, 4.8165011477502914e-08,
                -1.990916912542139e-08, 9.191838293612963e-09, -4.159564044495663e-09, 8.254002611298962e-10,
                -2.915889725458638e-10, 1.3385849977465314e-09, -7.347807544194839e-10, -4.671582670762342e-10,
                2.7260400995214217e-10, 1.9076899650576552e-10, -1.0724391572705258e-10);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(k0, detail::bessel_k_kernel<0, false>)
RICCI_KERNEL_1(k1, detail::bessel_k_kernel<1, false>)
RICCI_KERNEL_1(k0e, detail::bessel_k_kernel<0, true>)
RICCI_KERNEL_1(k1e, detail::bessel_k_kernel<1, true>)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
