// The regularised incomplete gamma functions and their derivatives, of numbers and registers alike, in doubles.
#pragma once
#include "erfcx.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// 1 / gamma(1 + a) - 1 for 0 <= a <= 1.3, with its zeros as factors.
template <class S>
RICCI_HD RICCI_INLINE constexpr S reciprocal_gamma(const S& a) {
    return a * (a - S(1)) *
           horner<double>(a, -0.5772156649015329, 0.07866240661872105, 0.12066504165281375, -0.04587356972940177,
                          -0.003675835175061439, 0.005946136364501858, -0.0012728069577030213, -0.00010763902278505111,
                          0.00010760151741723761, -2.0445972949282113e-05, -3.163128290778012e-07,
                          9.415316958051124e-07, -1.994005535128494e-07, 1.2631267022015465e-08, 2.7028695297452755e-09,
                          -6.998251049452246e-10, 5.4887731685458174e-11);
}
/// Stirling's formula over gamma(a) for a >= 1, a polynomial in 1 / a.
template <class S>
RICCI_HD RICCI_INLINE constexpr S stirling_ratio(const S& a) {
    return horner<double>(S(2) / a - S(1), 0.9595021757444916, -0.03907638904927449, 0.001618534496058312,
                          0.00014007351826922362, -5.410225621266939e-05, 5.908543980514213e-06, 1.6296284165239201e-06,
                          -1.093677167271571e-06, 3.07872731304022e-07, -1.852012750618614e-08, -3.3184337875198314e-08,
                          2.2879721637072757e-08, -8.891715770861706e-09, 1.6290143524708148e-09, 4.854125444401559e-10,
                          -5.529535261691999e-10, 5.30614943609676e-10, -4.41239594765915e-10, 7.234935954812618e-11,
                          1.1767122567991188e-10, -4.991370859115627e-11);
}

/// c log(p / c) - (p - c) for c >= 1, c log(p) - p below, of p = head + tail, as head + tail. Near p = c, where the
/// logarithm and its first term cancel, by the power series of what is left.
template <class S>
struct power_exponent {
    S head, tail, away;  // away = p - c or p

    RICCI_HD RICCI_INLINE constexpr power_exponent(const S& c, const S& p, const S& p_tail, const S& subtracted) {
        const S zero(0), one(1);
        const auto small = c < one;
        const S scale = math::select(small, one, c), ratio = p / scale;
        const S ratio_tail = (rounded_once(-ratio, scale, p) + p_tail) / p;
        const auto tiny = ratio < S(0x1p-1000);
        S log, log_tail;
        log_in_two_words(math::select(tiny, ratio * S(0x1p200), ratio), log, log_tail);
        log = math::select(tiny, log - S(138.62943611198906), log);
        const S product = c * log, product_tail = rounded_once(c, log, -product);
        const S middle = math::select(small, zero, c), difference = subtracted - middle, part = difference - subtracted;
        const S difference_tail = (subtracted - (difference - part)) - (middle + part);
        const S sum = product - difference, other = sum - product;
        const S rest = math::select(subtracted == zero, zero, p_tail) + difference_tail;
        head = sum;
        tail = ((product - (sum - other)) - (difference + other)) +
               (product_tail + math::fma(c, log_tail + ratio_tail, -rest));
        away = difference + rest;
        const auto near = (one <= c) & (math::abs(difference) < S(0.03125) * c);
        if (any_lane(near)) {
            const S m = difference / c, twice = c + c, square = difference * difference;
            const S square_tail = rounded_once(difference, difference, -square) + S(2) * difference * rest;
            const S first = square / twice, first_tail = (rounded_once(-first, twice, square) + square_tail) / twice;
            const S series = m * horner<double>(m, -2. / 3, 2. / 4, -2. / 5, 2. / 6, -2. / 7, 2. / 8, -2. / 9, 2. / 10,
                                                -2. / 11, 2. / 12);
            const S correction = first * series, size = first + correction;
            head = math::select(near, -size, head);
            tail = math::select(near, -(((first - size) + correction) + first_tail), tail);
        }
    }
};
/// x^a exp(-x) / gamma(1 + a) for positive, finite arguments. Its exponent is carried in two words; from a = 1 on it is
/// taken off the largest value, at x = a.
template <class S>
struct gamma_power {
    S distance, exponential, value;  // -log(value / largest value), its exponential, value

    RICCI_HD RICCI_INLINE constexpr gamma_power(const S& a, const S& x) {
        const S one(1);
        const auto small = a < one;
        const power_exponent<S> exponent(a, x, S(0), x);
        const S power = math::exp(exponent.head);
        exponential = math::fma(power, exponent.tail, power);
        distance = -(exponent.head + exponent.tail);
        const S factor = math::select(
            small, one + reciprocal_gamma(math::minimum(a, one)),
            stirling_ratio(math::maximum(a, one)) / math::sqrt(S(6.283185307179586) * math::maximum(a, one)));
        value = exponential * factor;
    }
};

/// The function of eta and a whose product with exp(-a eta^2 / 2) / sqrt(2 pi a) is the distance from the normal
/// approximation, |eta| < 0.7 and a >= 12. (Temme 1979; Gil, Segura and Temme 2012.)
template <class S>
RICCI_HD RICCI_INLINE constexpr S uniform_expansion(const S& eta, const S& a) {
    constexpr double f[] = {1.0,
                            -0.3333333333333333,
                            0.08333333333333333,
                            -0.014814814814814815,
                            0.0011574074074074073,
                            0.0003527336860670194,
                            -0.0001787551440329218,
                            3.919263178522438e-05,
                            -2.185448510679992e-06,
                            -1.85406221071516e-06,
                            8.296711340953087e-07,
                            -1.7665952736826078e-07,
                            6.707853543401498e-09,
                            1.0261809784240309e-08,
                            -4.382036018453353e-09,
                            9.14769958223679e-10,
                            -2.5514193994946248e-11,
                            -5.830772132550426e-11,
                            2.4361948020667415e-11,
                            -5.0276692801141755e-12,
                            1.1004392031956135e-13,
                            3.371763262400985e-13,
                            -1.392388722418162e-13,
                            2.8534893807447045e-14,
                            -5.139111834242572e-16,
                            -1.9752288294429442e-15,
                            8.099521156704561e-16};
    constexpr int last = 24;
    const S w = S(1) / a;
    S b[last + 2];
    b[last + 1] = S(f[last + 2]);
    b[last] = S(f[last + 1]);
    for (int m = last; m > 0; --m) b[m - 1] = math::fma(b[m + 1] * w, S(m + 1.0), S(f[m]));
    S sum = b[last];
    for (int m = last - 1; m >= 0; --m) sum = math::fma(sum, eta, b[m]);
    return sum / math::fma(b[1], w, S(1));
}

/// P(a, x), or Q = 1 - P where Upper: of the two the smaller one is computed, by its power series, its continued
/// fraction or, from a = 12 on and for x from 0.5 a to 1.8 a, uniformly. (Gil, Segura and Temme 2012, ACM TOMS 939.)
template <bool Upper>
struct incomplete_gamma_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE constexpr S operator()(const S& given_a, const S& given_x) const {
        const S zero(0), one(1), most(1e60);
        const S infinity(std::numeric_limits<double>::infinity()), nan(std::numeric_limits<double>::quiet_NaN());
        const auto usual = (zero < given_a) & (zero < given_x) & (given_a < most) & (given_x < most);
        const S a = math::select(usual, given_a, one), x = math::select(usual, given_x, one);
        const gamma_power<S> power(a, x);
        const auto uniform = (S(12) <= a) & (S(0.5) * a <= x) & (x <= S(1.8) * a);
        const S edge =
            math::select(x < S(0.5), S(-0.6931471805599453) / math::log(math::minimum(x, S(0.5))), x + S(0.25));
        const auto series = (edge < a) & !uniform;
        const auto low = (x < one) & !series & !uniform;
        const auto fraction = !(series | low | uniform);
        const auto lower = series | (uniform & (x < a));
        S y = zero;
        if (any_lane(uniform)) y = near_middle(a, x, power);
        if (any_lane(series)) y = math::select(series, power_series(a, x, series) * power.value, y);
        if (any_lane(fraction)) y = math::select(fraction, continued_fraction(a, x, fraction) * power.value, y);
        if (any_lane(low)) y = math::select(low, near_zero(a, x), y);
        y = math::select(Upper ? lower : !lower, one - y, y);
        // at the ends: 0 or 1, NaN where both arguments are 0 or infinite
        const auto valid = (zero <= given_a) & (zero <= given_x);
        const S end = math::select(given_x < given_a, zero, math::select(given_a < given_x, one, S(0.5)));
        const auto undecided = (given_a == given_x) & ((given_a == zero) | (given_a == infinity));
        return math::select(usual, y, math::select(valid & !undecided, Upper ? one - end : end, nan));
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S near_middle(const S& a, const S& x, const gamma_power<S>& power) {
        const S distance = math::maximum(power.distance, S(0)), z = math::sqrt(distance);
        const S eta = math::copysign(math::sqrt(S(2) * distance / a), x - a);
        const S bounded = math::maximum(math::minimum(eta, S(0.7)), S(-0.7));
        const S rest = uniform_expansion(bounded, math::maximum(a, S(12))) / math::sqrt(S(6.283185307179586) * a);
        return power.exponential * (S(0.5) * math::erfcx(z) + math::copysign(rest, rest * (x - a)));
    }
    /// The sum of x^n / (a + 1) ... (a + n).
    template <class S, class M>
    RICCI_HD RICCI_INLINE static constexpr S power_series(const S& a, const S& x, const M& wanted) {
        S term(1), sum(1), k = a;
        for (int n = 0; n < 4000; n += 2) {
            for (int i = 0; i < 2; ++i) {
                k = k + S(1);
                term = term * (x / k);
                sum = sum + term;
            }
            if (!any_lane(wanted & (sum * S(0x1p-54) < term))) break;
        }
        return sum;
    }
    /// Q over the power: a continued fraction, summed as a series.
    template <class S, class M>
    RICCI_HD RICCI_INLINE static constexpr S continued_fraction(const S& a, const S& x, const M& wanted) {
        const S one(1), start = (x + one) - a;
        S p(0), q = (x - one - a) * start, r = S(4) * start, s = one - a, ratio(0), term(1), sum(1);
        for (int n = 0; n < 4000; ++n) {
            p = p + s;
            q = q + r;
            r = r + S(8);
            s = s + S(2);
            const S t = p * (one + ratio);
            ratio = t / (q - t);
            term = ratio * term;
            sum = sum + term;
            if (!any_lane(wanted & (math::abs(sum) * S(0x1p-54) < math::abs(term)))) break;
        }
        return sum * a / start;
    }
    /// Q for x < 1 where it is no more than about a half, by the series of P - 1 + Q without what cancels.
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S near_zero(const S& given_a, const S& x) {
        const S one(1), a = math::minimum(given_a, S(1.3)), gamma = reciprocal_gamma(a);
        const S rest = math::expm1(a * math::log(x)), start = -(gamma + (one + gamma) * rest);
        S term = one, sum(0);
        for (int n = 1; n <= 18; ++n) {
            term = term * (x * S(-1.0 / n));
            sum = sum + term / (a + S(double(n)));
        }
        return start - (one + rest) * (one + gamma) * a * sum;
    }
};

/// For n up to `most`, the n-th derivative with respect to a of x^(a - 1) exp(-x) / gamma(a) over that function itself:
/// the complete Bell polynomial of log(x) - digamma(a), -polygamma(1, a), ...
template <class S>
struct log_moments {
    static constexpr int most = 8;
    S cumulant[most + 1], center;

    RICCI_HD RICCI_INLINE log_moments(int n, const S& a) : center(math::digamma(a)) {
        for (int k = 1; k < n && k < most; ++k) cumulant[k] = -math::polygamma(k, a);
    }
    RICCI_HD RICCI_INLINE S operator()(int n, const S& log_x) const {
        S b[most + 1];
        b[0] = S(1);
        for (int k = 0; k < n; ++k) {
            b[k + 1] = b[k] * (log_x - center);
            double choose = 1;
            for (int i = 1; i <= k; ++i) {
                choose = choose * (k + 1 - i) / i;
                b[k + 1] = math::fma(b[k - i] * cumulant[i], S(choose), b[k + 1]);
            }
        }
        return b[n];
    }
};
/// The n-th derivative with respect to a of x^(c - 1) exp(-x) / gamma(c), c = a - below: that of the density in x is
/// its difference from `below` to `below` + 1, which has a value at x = 0, too. c <= 0 by recurrence from above.
struct density_order {
    int order, below;
};
struct gamma_density_kernel {
    density_order wanted;
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& a, const S& x) const {
        const int n = wanted.order;
        if (n > log_moments<S>::most) return S(std::numeric_limits<double>::quiet_NaN());
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity()), c = a - S(double(wanted.below));
        const auto direct = zero < c;
        const S from = math::select(direct, c, math::select(zero < a, a, one));
        const S z = math::select((zero < x) & (x < infinity), x, one);
        const gamma_power<S> power(from, z);
        S y[log_moments<S>::most + 1];
        y[0] = power.value * (from / z);
        if (n > 0) {
            const log_moments<S> moments(n, from);
            const S log = math::log(z);
            for (int k = 1; k <= n; ++k) y[k] = y[0] * moments(k, log);
        }
        S next = from - one;
        for (int i = 0; i <= wanted.below; ++i, next = next - one) {
            const auto active = (!direct) & (c - S(0.5) < next);
            for (int k = n; k > 0; --k)
                y[k] = math::select(active, math::fma(next, y[k], S(double(k)) * y[k - 1]) / z, y[k]);
            y[0] = math::select(active, next * y[0] / z, y[0]);
        }
        const S value = math::select((x == infinity) | (power.value == zero), zero, y[n]);
        const auto valid = (zero <= x) & ((zero < a) | ((a == zero) & (zero < x)));
        return math::select(valid, math::select(x == zero, n > 0 ? zero : at_zero(c), value),
                            S(std::numeric_limits<double>::quiet_NaN()));
    }

   private:
    /// infinite below c = 1, of the sign of gamma(c), but where that has its poles.
    template <class S>
    RICCI_HD static S at_zero(const S& c) {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity()), floor = math::floor(c),
                                                                                    half = S(0.5) * floor;
        const S sign = math::select(math::floor(half) == half, infinity, -infinity);
        return math::select(c < one, math::select(floor == c, zero, sign), math::select(c == one, one, zero));
    }
};
/// The n-th derivative of P with respect to a, n >= 1: the integral of that up to x, or less that from x on, by the
/// trapezoidal rule after the double exponential substitution for half lines (Takahasi and Mori 1974).
struct gammainc_in_a_kernel {
    int order;
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& a, const S& x) const {
        if (order > log_moments<S>::most) return S(std::numeric_limits<double>::quiet_NaN());
        const S one(1), root = math::sqrt(x), log_x = math::log(x);
        const auto lower = x < a;
        const log_moments<S> moments(order, a);
        // t = x exp(-s) below, x (1 + s) above; s in units of about where the density has fallen to a third
        const S scale = one / math::select(lower, a - x + math::minimum(root, a), x - a + root);
        constexpr double step = 0.1;
        S sum(0);
        for (int k = -38; k <= 45; ++k) {
            const double inner = math::exp(-step * k), node = math::exp(step * k - inner);
            const S s = scale * S(node), v = math::select(lower, -s, math::log1p(s)),
                    r = math::select(lower, math::expm1(-s), s);
            const S slope = math::select(lower, one, -one / (one + s)) * S(node * (1 + inner) * step);
            sum = math::fma(math::exp(math::fma(a, v, -x * r)) * slope, moments(order, log_x + v), sum);
        }
        const S power = gamma_power<S>(a, x).value, zero(0);
        const auto end = (x == zero) | (x == S(std::numeric_limits<double>::infinity())) | (power == zero);
        return math::select(end & (zero < a), zero, (sum * scale) * (power * a));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_2(gammainc, detail::incomplete_gamma_kernel<false>)
RICCI_KERNEL_2(gammaincc, detail::incomplete_gamma_kernel<true>)
RICCI_KERNEL_2_OF_ORDER(gamma_density, detail::gamma_density_kernel)
RICCI_KERNEL_2_OF_ORDER(gammainc_in_a, detail::gammainc_in_a_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
