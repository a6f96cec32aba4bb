// The regularised incomplete beta function, of numbers and registers alike, in doubles.
#pragma once
#include "incomplete_gamma.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// What of 1 / gamma(a) is left without its power: of Stirling's formula from 1 on, below it all.
template <class S>
RICCI_HD RICCI_INLINE constexpr S reciprocal_gamma_factor(const S& a) {
    const S one(1);
    return math::select(a < one, a * (one + reciprocal_gamma(math::minimum(a, one))),
                        stirling_ratio(math::maximum(a, one)) * math::sqrt(a * S(0.15915494309189535)));
}
/// x^a (1 - x)^b / B(a, b) with y = 1 - x, for positive arguments. Its exponent is carried in two words; where a and b
/// are at least 1 it is taken off the largest value.
template <class S>
struct beta_power {
    S distance, away, exponential, value;  // -log(value / largest), (a + b) x - a where a >= 1, the exponential, value

    RICCI_HD RICCI_INLINE beta_power(const S& a, const S& b, const S& x, const S& y, const S& y_tail) {
        const S one(1), zero(0), sum = a + b, part = sum - a, sum_tail = (a - (sum - part)) + (b - part);
        const auto small = sum < one;
        const S middle = math::select(small, one, sum), middle_tail = math::select(small, zero, sum_tail);
        S head(0), tail(0);
        for (int i = 1; i >= 0; --i) {
            const S c = i == 0 ? a : b, z = i == 0 ? x : y, z_tail = i == 0 ? zero : y_tail;
            const S p = z * middle, p_tail = rounded_once(z, middle, -p) + math::fma(z, middle_tail, z_tail * middle);
            const power_exponent<S> each(c, p, p_tail, math::select(small, zero, p));
            const S next = head + each.head, back = next - head;
            tail = tail + ((head - (next - back)) + (each.head - back)) + each.tail;
            head = next;
            away = each.away;
        }
        const S exponent = head + tail, power = math::exp(exponent);
        distance = -exponent;
        exponential = math::fma(power, (head - exponent) + tail, power);
        // the quotient first: the product of two tiny factors might vanish
        value =
            exponential * (reciprocal_gamma_factor(a) * (reciprocal_gamma_factor(b) / reciprocal_gamma_factor(sum)));
    }
};
/// The smaller of both shares over exp(-distance) for a, b >= 10000 and within 0.03 of the mean, relative to the
/// smaller parameter; skew = (b - a) / max(a, b) where the share is that below x. (DiDonato and Morris 1992, ACM TOMS
/// 708, BASYM.)
template <class S, class M>
RICCI_HD S beta_near_middle(const S& a, const S& b, const S& skew, const S& distance, const M& wanted) {
    constexpr int most = 12;
    const S one(1), low = math::minimum(a, b), high = math::maximum(a, b), h = low / high, r0 = one / (one + h);
    const S w0 = one / math::sqrt(low * (one + h)), z = math::sqrt(distance), double_distance = distance + distance;
    S power[most + 1], q[most + 1], c[most + 1], d[most + 1];
    power[0] = skew * S(2. / 3);
    c[0] = power[0] * S(-0.5);
    d[0] = -c[0];
    const S root(0.35355339059327376);  // 2^(-3/2)
    S j0 = S(0.886226925452758 / 2) * math::erfcx(z), j1 = root, sum = math::fma(d[0] * w0, j1, j0);
    S s = one, h_power = one, w = w0, even = z / (root + root), odd = double_distance;
    for (int n = 2; n <= most; n += 2) {
        h_power = h_power * (h * h);
        power[n - 1] = r0 * (h * h_power + one) * S(2.0 / (n + 2));
        s = s + h_power;
        power[n] = skew * s * S(2.0 / (n + 3));
        for (int i = n; i <= n + 1; ++i) {
            const double r = -0.5 * (i + 1);
            q[0] = power[0] * S(r);
            for (int m = 2; m <= i; ++m) {
                S inner(0);
                for (int j = 1; j < m; ++j) inner = math::fma(power[j - 1] * S(j * r - (m - j)), q[m - j - 1], inner);
                q[m - 1] = math::fma(power[m - 1], S(r), inner * S(1.0 / m));
            }
            c[i - 1] = q[i - 1] * S(1.0 / (i + 1));
            S inner = c[i - 1];
            for (int j = 1; j < i; ++j) inner = math::fma(d[i - j - 1], c[j - 1], inner);
            d[i - 1] = -inner;
        }
        j0 = math::fma(root, even, S(n - 1.0) * j0);
        j1 = math::fma(root, odd, S(double(n)) * j1);
        even = double_distance * even;
        odd = double_distance * odd;
        const S first = d[n - 1] * (w * w0) * j0, second = d[n] * (w * w0 * w0) * j1;
        w = w * w0 * w0;
        sum = sum + (first + second);
        if (!any_lane(wanted & (sum * S(0x1p-54) < math::abs(first) + math::abs(second)))) break;
    }
    const auto correction = [](const S& v) { return (S(1. / 12) - S(1. / 360) / (v * v)) / v; };
    return S(1.1283791670955126) * sum * math::exp(correction(a + b) - correction(a) - correction(b));
}
/// gamma(a + b) / (gamma(1 + b) gamma(a)) z^b (1 + b sum) - 1 as a product less 1, that loses nothing for small b <= 1:
/// minus the share below 1 - z, for z (1 + a) < 0.9; the sum is the power series' (DLMF 8.17.7).
template <class S, class M>
RICCI_HD S beta_near_end(const S& a, const S& b, const S& z, const M& wanted) {
    const S one(1), zero(0);
    const auto join = [](const S& u, const S& v) { return math::fma(u, v, u + v); };  // (1 + u) (1 + v) - 1
    // gamma(a + b) / gamma(a) from 10 up by Stirling's formula, whose differences have the factor b; below by
    // recurrence
    const auto small = a < S(10);
    const S c = math::select(small, a + S(10), a), sum = c + b, u = one / sum, v = one / c;
    S shift(0);
    if (any_lane(wanted & small))
        for (int k = 0; k < 10; ++k) shift = join(shift, math::select(small, -b / (a + b + S(double(k))), zero));
    constexpr double f[] = {1. / 12,   -1. / 360,      1. / 1260, -1. / 1680,
                            1. / 1188, -691. / 360360, 1. / 156,  -3617. / 122400};
    S value(f[7]), slope(0);
    for (int k = 6; k >= 0; --k) {
        slope = math::fma(slope, u * u, value);
        value = math::fma(value, v * v, S(f[k]));
    }
    const S stirling = -b * u * v * math::fma(u * (u + v), slope, value);
    const S log_gamma = math::fma(sum - S(0.5), math::log1p(b * v), stirling - b);
    S term = one, series(0);
    for (int n = 1; n < 400; ++n) {
        const S k = S(double(n));
        term = term * ((k - a) * z / k);
        const S next = term / (b + k);
        series = series + next;
        if (!any_lane(wanted & (math::abs(series) * S(0x1p-54) < math::abs(next)))) break;
    }
    const S power = math::expm1(math::fma(b, math::log(z * c), log_gamma));
    return join(join(power, shift), join(reciprocal_gamma(b), b * series));
}

/// By a continued fraction on that side of the mean where it converges fast (ACM TOMS 708, BFRAC), but where b < 1 on
/// that below x, which may be small, or near x = 1 by the power series of the other's distance from 1. Large parameters
/// near their mean by an asymptotic expansion.
struct betainc_kernel {
    template <class S>
    RICCI_HD S operator()(const S& a, const S& b, const S& x) const {
        const S zero(0), one(1), most(1e60), large(10000);
        const auto usual = (zero < a) & (zero < b) & (zero < x) & (x < one) & (a < most) & (b < most);
        const S p = math::select(usual, a, one), q = math::select(usual, b, one), z = math::select(usual, x, S(0.5));
        const S other = one - z, other_tail = (one - other) - z;
        const beta_power<S> power(p, q, z, other, other_tail);
        const auto uniform = (large <= p) & (large <= q) & (math::abs(power.away) < S(0.03) * math::minimum(p, q));
        const auto end = (q < one) & (other * (p + one) < S(0.9));
        const S distance = math::select(p < one, p - z * (p + q), -power.away);
        const auto swapped = (one <= q) & !end & (distance < zero);
        const auto fraction = usual & !(uniform | end);
        S y = zero;
        if (any_lane(fraction))
            y = power.value * continued_fraction(math::select(swapped, q, p), math::select(swapped, p, q),
                                                 math::select(swapped, other, z),
                                                 math::select(swapped, -distance, distance), fraction);
        if (any_lane(uniform)) {
            const S skew = (q - p) / math::maximum(p, q);
            y = math::select(uniform,
                             power.exponential * beta_near_middle(math::maximum(p, large), math::maximum(q, large),
                                                                  math::select(swapped, -skew, skew),
                                                                  math::maximum(power.distance, zero), uniform),
                             y);
        }
        y = math::select(swapped, one - y, y);
        if (any_lane(end)) y = math::select(end, -beta_near_end(p, math::minimum(q, one), other, end), y);
        return math::select(usual, y, at_ends(a, b, x));
    }

   private:
    /// A power of 0 puts all of the distribution at an end, an infinite one at the other.
    template <class S>
    RICCI_HD static S at_ends(const S& a, const S& b, const S& x) {
        const S zero(0), one(1), most(1e60);
        const auto valid = (zero <= a) & (zero <= b) & (zero <= x) & (x <= one);
        const auto low = (x == zero) | ((x < one) & ((b == zero) | (b < a)) & !(a == zero));
        const auto inside = (zero < x) & (x < one);
        const auto undecided = inside & (((a == zero) & (b == zero)) | ((most <= a) & (most <= b)));
        return math::select(valid & !undecided, math::select(low, zero, one),
                            S(std::numeric_limits<double>::quiet_NaN()));
    }
    /// distance = a - (a + b) x is given, since it may cancel.
    template <class S, class M>
    RICCI_HD static S continued_fraction(const S& a, const S& b, const S& x, const S& distance, const M& wanted) {
        const S one(1), sum = a + b, c = distance + one, twice = S(2) - x;
        S inverse = one / (a + one), ratio = (a + one) / c, last(0), weight = ratio, change = one;
        for (int n = 1; n < 20000; ++n) {
            const S m(static_cast<double>(n)), before = m - one, w = m * (b - m) * x;
            const S front = n == 1 ? one : a + before;  // a itself is taken out at the end
            const S alpha = (front * inverse) * ((sum + before) * inverse) * (w * x),
                    next_inverse = one / (a + one + m + m);
            const S beta = m + w * inverse + (a + m) * next_inverse * math::fma(m, twice, c);
            const S norm = one / math::fma(alpha, weight, beta), next = math::fma(alpha, last, beta * ratio) * norm;
            last = ratio * norm;
            weight = norm;
            inverse = next_inverse;
            change = math::abs(next - ratio);
            ratio = next;
            if (!any_lane(wanted & (S(0x1p-52) * ratio < change))) break;
        }
        return math::select(change < S(0x1p-44) * ratio, ratio / a, S(std::numeric_limits<double>::quiet_NaN()));
    }
};
/// x^(a - 1) (1 - x)^(b - 1) / B(a, b).
struct beta_density_kernel {
    template <class S>
    RICCI_HD S operator()(const S& a, const S& b, const S& x) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const auto inside = (zero < x) & (x < one);
        const S z = math::select(inside, x, S(0.5)), other = one - z;
        const S y = beta_power<S>(a, b, z, other, (one - other) - z).value / (z * other);
        const S c = math::select(x == zero, a, b), start = math::select(x == zero, b, a);
        const S end = math::select(c < one, infinity, math::select(c == one, start, zero));
        const auto valid = (zero < a) & (zero < b) & (zero <= x) & (x <= one);
        return math::select(valid, math::select(inside, y, end), S(std::numeric_limits<double>::quiet_NaN()));
    }
};

/// How often to differentiate with respect to a and to b.
struct beta_order {
    int a, b;
};
/// The derivative of x^(a - 1) (1 - x)^(b - 1) / B(a, b) of some order over that function itself, given log(x) and
/// log(1 - x): a complete Bell polynomial of the derivatives of its logarithm.
template <class S>
struct beta_moments {
    static constexpr int most = 6;  // in both together
    beta_order order;
    S cumulant[most + 1][most + 1];

    RICCI_HD beta_moments(const beta_order& n, const S& a, const S& b) : order(n) {
        const int total = n.a + n.b;
        for (int k = 0; k < total; ++k) {
            const S both = gamma_slope(k, a + b);
            for (int i = 0; i <= k + 1; ++i) cumulant[i][k + 1 - i] = both;
            if (n.a > k) cumulant[k + 1][0] = both - gamma_slope(k, a);
            if (n.b > k) cumulant[0][k + 1] = both - gamma_slope(k, b);
        }
    }
    RICCI_HD S operator()(const S& log_x, const S& log_other) const {
        S d[most + 1][most + 1];
        d[0][0] = S(1);
        for (int j = 0; j < order.b; ++j) {
            d[0][j + 1] = d[0][j] * log_other;
            for (int v = 0; v <= j; ++v)
                d[0][j + 1] = math::fma(d[0][j - v] * cumulant[0][v + 1], S(choose(j, v)), d[0][j + 1]);
        }
        for (int i = 0; i < order.a; ++i)
            for (int j = 0; j <= order.b; ++j) {
                S next = d[i][j] * log_x;
                for (int u = 0; u <= i; ++u)
                    for (int v = 0; v <= j; ++v)
                        next = math::fma(d[i - u][j - v] * cumulant[u + 1][v], S(choose(i, u) * choose(j, v)), next);
                d[i + 1][j] = next;
            }
        return d[order.a][order.b];
    }

   private:
    RICCI_HD static S gamma_slope(int k, const S& x) { return k == 0 ? math::digamma(x) : math::polygamma(k, x); }
    RICCI_HD static constexpr double choose(int n, int k) {
        double y = 1;
        for (int i = 1; i <= k; ++i) y = y * (n + 1 - i) / i;
        return y;
    }
};
struct beta_density_in_kernel {
    beta_order order;
    template <class S>
    RICCI_HD S operator()(const S& a, const S& b, const S& x) const {
        const S nan(std::numeric_limits<double>::quiet_NaN()), zero(0);
        if (order.a + order.b > beta_moments<S>::most) return nan;
        const S y = beta_density_kernel()(a, b, x);
        const auto inside = (zero < x) & (x < S(1)) & (zero < y);
        const S z = math::select(inside, x, S(0.5));
        const S factor = beta_moments<S>(order, a, b)(math::log(z), math::log1p(-z));
        return y * math::select(inside | (y != y), factor, S(1));
    }
};
/// A derivative of the share below x with respect to a and b: the integral of that of the density up to x, or less that
/// from x on, by the trapezoidal rule after the double exponential substitution for half lines. (Takahasi and Mori
/// 1974.)
struct betainc_in_kernel {
    beta_order order;
    template <class S>
    RICCI_HD S operator()(const S& given_a, const S& given_b, const S& given_x) const {
        const S zero(0), one(1), most(1e60), nan(std::numeric_limits<double>::quiet_NaN());
        if (order.a + order.b > beta_moments<S>::most) return nan;
        const auto usual = (zero < given_a) & (zero < given_b) & (zero < given_x) & (given_x < one) & (given_a < most) &
                           (given_b < most);
        const S a = math::select(usual, given_a, one), b = math::select(usual, given_b, one);
        const S x = math::select(usual, given_x, S(0.5)), rest = one - x, rest_tail = (one - rest) - x;
        const S power = beta_power<S>(a, b, x, rest, rest_tail).value;
        const auto swapped = a * rest < b * x;
        const S p = math::select(swapped, b, a), q = math::select(swapped, a, b);
        const S z = math::select(swapped, rest, x), other = math::select(swapped, x, rest);
        const S log_z = math::log(z), log_other = math::log1p(-z), ratio = z / other;
        const beta_moments<S> moments(order, a, b);
        // t = z exp(-s), s in units of about where the density has fallen to a third
        const S slope = math::maximum(math::fma(-ratio, math::maximum(q - one, zero), p), zero);
        const S scale = one / (slope + math::minimum(math::sqrt(q * ratio * (one + ratio)), p));
        constexpr double step = 0.1;
        S sum(0);
        for (int k = -38; k <= 45; ++k) {
            const double inner = math::exp(-step * k), node = math::exp(step * k - inner);
            const S s = scale * S(node), growth = math::log1p(-ratio * math::expm1(-s));  // of 1 - t
            const S log_t = log_z - s, log_rest = log_other + growth;
            const S moment = moments(math::select(swapped, log_rest, log_t), math::select(swapped, log_t, log_rest));
            const S density = math::exp(math::fma(q - one, growth, -p * s));
            sum = math::fma(density * S(node * (1 + inner) * step), moment, sum);
        }
        const S y = (sum * scale) * (power / other);
        const auto at_end = (zero < given_a) & (zero < given_b) & ((given_x == zero) | (given_x == one));
        const S inside = math::select(power == zero, zero, math::select(swapped, -y, y));
        return math::select(usual, inside, math::select(at_end, zero, nan));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_3(betainc, detail::betainc_kernel)
RICCI_KERNEL_3(beta_density, detail::beta_density_kernel)
RICCI_KERNEL_3_OF_ORDER(beta_density_in, detail::beta_density_in_kernel)
RICCI_KERNEL_3_OF_ORDER(betainc_in, detail::betainc_in_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
