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
/// x^a (1 - x)^b / B(a, b) with y = 1 - x, for positive arguments. Its exponent is carried in two words.
template <class S>
RICCI_HD RICCI_INLINE S beta_power(const S& a, const S& b, const S& x, const S& y, const S& y_tail) {
    const S one(1), zero(0), sum = a + b, part = sum - a, sum_tail = (a - (sum - part)) + (b - part);
    const auto small = sum < one;
    const S middle = math::select(small, one, sum), middle_tail = math::select(small, zero, sum_tail);
    S head(0), tail(0);
    for (int i = 0; i < 2; ++i) {
        const S c = i == 0 ? a : b, z = i == 0 ? x : y, z_tail = i == 0 ? zero : y_tail;
        const S scale = math::maximum(c, one), product = z * middle;
        const S product_tail = math::fma(z, middle, -product) + math::fma(z, middle_tail, z_tail * middle);
        const S ratio = product / scale, ratio_tail = (math::fma(-ratio, scale, product) + product_tail) / product;
        S log, log_tail;
        const auto tiny = ratio < S(0x1p-1000);
        log_in_two_words(math::select(tiny, ratio * S(0x1p200), ratio), log, log_tail);
        log = math::select(tiny, log - S(138.62943611198906), log);
        const S power = c * log, next = head + power, back = next - head;
        tail = tail + ((head - (next - back)) + (power - back)) +
               (math::fma(c, log, -power) + c * (log_tail + ratio_tail));
        head = next;
    }
    // what Stirling's formula takes off the exponent of each
    tail = tail + (math::select(a < one, zero, a) + math::select(b < one, zero, b) - math::select(small, zero, sum));
    const S exponential = math::exp(head), factor = reciprocal_gamma_factor(a) * reciprocal_gamma_factor(b);
    return exponential * math::exp(tail) * (factor / reciprocal_gamma_factor(sum));
}

/// By a continued fraction on that side of the mean where it converges fast (Lentz; DLMF 8.17.22).
struct betainc_kernel {
    template <class S>
    RICCI_HD S operator()(const S& a, const S& b, const S& x) const {
        const S zero(0), one(1), most(1e60);
        const auto usual = (zero < a) & (zero < b) & (zero < x) & (x < one) & (a < most) & (b < most);
        const S p = math::select(usual, a, one), q = math::select(usual, b, one), z = math::select(usual, x, S(0.5));
        const S other = one - z, other_tail = (one - other) - z;
        const auto swapped = p + one < z * (p + q + S(2));
        const S y =
            beta_power(p, q, z, other, other_tail) *
            fraction(math::select(swapped, q, p), math::select(swapped, p, q), math::select(swapped, other, z), usual);
        const S value = math::select(swapped, one - y, y);
        const auto valid = (zero <= a) & (zero <= b) & (zero <= x) & (x <= one);
        // a power of 0 puts all of the distribution at an end, an infinite one at the other
        const auto low = (x == zero) | ((x < one) & ((b == zero) | (b < a)) & !(a == zero));
        const S end = math::select(low, zero, one);
        const auto inside = (zero < x) & (x < one);
        const auto undecided = inside & (((a == zero) & (b == zero)) | ((a == b) & (most <= a)));
        return math::select(usual, value,
                            math::select(valid & !undecided, end, S(std::numeric_limits<double>::quiet_NaN())));
    }

   private:
    template <class S, class M>
    RICCI_HD static S fraction(const S& a, const S& b, const S& x, const M& wanted) {
        const S one(1), sum = a + b;
        S d = one / (one - sum * x / (a + one)), c = one, y = d;
        for (int n = 1; n < 20000; ++n) {
            const S m(static_cast<double>(n)), k = a + m + m;
            const S even = m * (b - m) * x / ((k - one) * k), odd = -(a + m) * (sum + m) * x / (k * (k + one));
            d = one / math::fma(even, d, one);
            c = one + even / c;
            y = y * (d * c);
            d = one / math::fma(odd, d, one);
            c = one + odd / c;
            const S step = d * c;
            y = y * step;
            if (!any_lane(wanted & (S(0x1p-52) < math::abs(step - one)))) break;
        }
        return y / a;
    }
};
/// x^(a - 1) (1 - x)^(b - 1) / B(a, b).
struct beta_density_kernel {
    template <class S>
    RICCI_HD S operator()(const S& a, const S& b, const S& x) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const auto inside = (zero < x) & (x < one);
        const S z = math::select(inside, x, S(0.5)), other = one - z;
        const S y = beta_power(a, b, z, other, (one - other) - z) / (z * other);
        const S c = math::select(x == zero, a, b), start = math::select(x == zero, b, a);
        const S end = math::select(c < one, infinity, math::select(c == one, start, zero));
        const auto valid = (zero < a) & (zero < b) & (zero <= x) & (x <= one);
        return math::select(valid, math::select(inside, y, end), S(std::numeric_limits<double>::quiet_NaN()));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_3(betainc, detail::betainc_kernel)
RICCI_KERNEL_3(beta_density, detail::beta_density_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
