// The modified Bessel functions of the first kind of the orders 0 and 1, of numbers and registers alike.
#pragma once
#include "../simd/arithmetic.hpp"
#include "special.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// c0 + c1 x + c2 x^2 + ..., each step rounded as the machine does it.
template <class T, class S>
RICCI_HD RICCI_INLINE constexpr S horner(const S&, T c) {
    return S(c);
}
template <class T, class S, class... C>
RICCI_HD RICCI_INLINE constexpr S horner(const S& x, T c, C... higher) {
    return math::fma(horner<T>(x, higher...), x, S(c));
}

/// The same by pairs of terms, in half of the steps: see long_polynomial.
template <class T, class S>
RICCI_HD RICCI_INLINE constexpr S paired_horner(const S&, const S&, T c) {
    return S(c);
}
template <class T, class S, class... C>
RICCI_HD RICCI_INLINE constexpr S paired_horner(const S& x, const S& square, T c, T d, C... higher) {
    const S pair = math::fma(S(d), x, S(c));
    if constexpr (sizeof...(C) == 0) return pair;
    else return math::fma(paired_horner<T>(x, square, higher...), square, pair);
}
template <class T, class S, class... C>
RICCI_HD RICCI_INLINE constexpr S long_horner(const S& x, T c, C... higher) {
    return math::fma(paired_horner<T>(x, x * x, higher...), x, S(c));
}

/// (I_n(x) / (x / 2)^n - 1) / t for t = (x / 2)^2 up to 16: Chebyshev interpolations of the power series, whose terms
/// are all positive.
template <int Order, class T, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_series(const S& t) {
    if constexpr (sizeof(T) == 4 && Order == 0)
        return horner<T>(t, 1.00000007f, 0.249999272f, 0.0277789862f, 0.00173534131f, 6.96889987e-5f, 1.88565661e-6f,
                         4.3833379e-8f, 3.52754363e-10f, 1.54608672e-11f);
    else if constexpr (sizeof(T) == 4)
        return horner<T>(t, 0.500000006f, 0.0833332703f, 0.00694454918f, 0.000347155465f, 1.15953002e-5f,
                         2.71805038e-7f, 5.30992126e-9f, 4.54082879e-11f, 1.4527061e-12f);
    else if constexpr (Order == 0)
        return horner<T>(t, 1.0, 0.24999999999999978, 0.02777777777777875, 0.0017361111111093212, 6.944444444616768e-05,
                         1.9290123446808463e-06, 3.936759926835679e-08, 6.151186352073215e-10, 7.594076203674035e-12,
                         7.593826261486644e-14, 6.2782596125899935e-16, 4.3438583592285594e-18, 2.6459481729049967e-20,
                         1.1142728859197163e-22, 9.319037302519698e-25);
    else
        return horner<T>(t, 0.5, 0.08333333333333331, 0.0069444444444445004, 0.0003472222222221193,
                         1.1574074074173187e-05, 2.7557319218244207e-07, 4.9209498831124465e-09, 6.834652024432265e-11,
                         7.594068659611249e-13, 6.903555797446423e-15, 5.231322675888681e-17, 3.3442300506385306e-19,
                         1.880771354951542e-21, 7.606752944827284e-24, 5.669579277854459e-26);
}
/// sqrt(x) exp(-x) I_n(x) for u = 16 / x - 1 between -1 and 1.
template <int Order, class T, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_tail(const S& u) {
    if constexpr (sizeof(T) == 4 && Order == 0)
        return horner<T>(u, 0.402176513f, 0.00336055314f, 0.000136156154f, 1.11221557e-5f, 1.63903983e-6f,
                         3.54762008e-7f);
    else if constexpr (sizeof(T) == 4)
        return horner<T>(u, 0.389398455f, -0.00974957848f, -0.000219168268f, -1.50152753e-5f, -2.00963727e-6f,
                         -4.1209136e-7f);
    else if constexpr (Order == 0)
        return horner<T>(u, 0.4021765094450081, 0.0033605519836678913, 0.00013621607438951463, 1.114303378845176e-05,
                         1.4838476780922646e-06, 2.9735992084667734e-07, 8.872014585661555e-08, 3.932512321137824e-08,
                         2.156780676115673e-08, 7.559364098665437e-09, -6.856484545962442e-09, -1.3427511481900905e-08,
                         -5.0175940345046716e-09, 7.600254486433509e-09, 6.522264862032271e-09, -3.5862834111582305e-09,
                         -4.5305710768621196e-09, 1.6084886155781772e-09, 2.163681278413876e-09, -6.327909921997027e-10,
                         -6.494591114401118e-10, 1.7698085539456536e-10, 9.114760157514253e-11,
                         -2.4421972688131832e-11);
    else
        return horner<T>(u, 0.38939845902587233, -0.009749577193235765, -0.00021923576383137776,
                         -1.5038547198221758e-05, -1.8349102493990178e-06, -3.4838563464253135e-07,
                         -1.0001075046243961e-07, -4.3128498031006734e-08, -2.3394122958362557e-08,
                         -8.432168972932417e-09, 6.84757829926934e-09, 1.4051746928735543e-08, 5.5720183980930355e-09,
                         -7.687251308765992e-09, -6.9444186339873875e-09, 3.501765193290176e-09, 4.763780078020254e-09,
                         -1.5218214060680734e-09, -2.2624401109204446e-09, 5.870664618471487e-10, 6.7727478454462e-10,
                         -1.6283264322621244e-10, -9.491890392992048e-11, 2.2421768596847442e-11);
}
template <int Order, class T, bool Scaled = false, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_i(const S& x) {
    const S size = math::abs(x), half = size * S(T(0.5)), t = half * half;
    const S series = bessel_series<Order, T>(t);
    S near_zero;
    if constexpr (Order == 0) near_zero = math::fma(t, series, S(T(1)));
    else near_zero = math::fma(t * series, half, half);
    const S tail = bessel_tail<Order, T>(S(T(16)) / size - S(T(1))) / math::sqrt(size);
    S y;
    if constexpr (Scaled) {
        y = math::select(size <= S(T(8)), near_zero * math::exp(-size), tail);
    } else {
        // half of the exponential at a time: the whole one is infinite before the function is
        const S root = math::exp(half), far = root * tail * root;
        y = math::select(size <= S(T(8)), near_zero, math::select(math::isinf(size), size, far));
    }
    if constexpr (Order == 0) return y;
    else return math::copysign(y, x);
}

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

template <real_scalar T>
RICCI_HD inline T i0(T x) {
    return detail::bessel_i<0, T>(x);
}
template <real_scalar T>
RICCI_HD inline T i1(T x) {
    return detail::bessel_i<1, T>(x);
}
template <real_scalar T>
RICCI_HD inline T i0e(T x) {
    return detail::bessel_i<0, T, true>(x);
}
template <real_scalar T>
RICCI_HD inline T i1e(T x) {
    return detail::bessel_i<1, T, true>(x);
}
#if defined(RICCI_HAS_SIMD)
template <class T>
RICCI_INLINE simd<T> i0(simd<T> x) {
    return detail::bessel_i<0, T>(x);
}
template <class T>
RICCI_INLINE simd<T> i1(simd<T> x) {
    return detail::bessel_i<1, T>(x);
}
template <class T>
RICCI_INLINE simd<T> i0e(simd<T> x) {
    return detail::bessel_i<0, T, true>(x);
}
template <class T>
RICCI_INLINE simd<T> i1e(simd<T> x) {
    return detail::bessel_i<1, T, true>(x);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
