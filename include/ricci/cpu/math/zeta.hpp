// The Hurwitz zeta function, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The sum of (q + k)^-s, the first ten terms and those below q + k = s one by one unless they no longer count, the rest
/// by the Euler-Maclaurin formula.
struct zeta_kernel {
    template <class S>
    RICCI_HD S operator()(const S& s, const S& q) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const auto negative = q <= zero;
        const auto whole = math::floor(q) == q, between = math::floor(q) < q;
        const auto defined = (zero < q) | (between & (math::floor(s) == s) & (S(-0x1p20) < q));
        const auto usual = (one < s) & (s < infinity) & defined & (q < infinity);
        const S power = math::select(usual, -s, S(-2));
        S base = math::select(usual, q, one), sum(0);
        auto more = usual;
        for (int k = 0; any_lane(more); ++k) {
            const S term = math::pow(base, power);
            sum = math::select(more, sum + term, sum);
            base = math::select(more, base + one, base);
            const auto counts = (base <= zero) | (math::abs(sum) * S(0x1p-60) < math::abs(term * base));
            more = more & counts & ((base < -power) | (base <= S(10)) | (k < 9 ? base == base : base != base));
        }
        const S u = one / (base * base), last = math::pow(base, power);
        // where the power underflows, as the one whose sum it is may not
        const auto vanishing = usual & (last < S(0x1p-960)) & (zero < base);
        S lead = last * base;
        if (any_lane(vanishing)) lead = math::select(vanishing, math::pow(base, one + power), lead);
        constexpr double coefficients[] = {1. / 12,
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
        S rest = math::fma(lead, one / (-power - one), S(0.5) * last);
        S factor = last * (-power) / base;
        for (int k = 0; k < 12; ++k) {
            rest = math::fma(factor, S(coefficients[k]), rest);
            factor = factor * u * (S(2 * k + 1.0) - power) * (S(2 * k + 2.0) - power);
        }
        const auto small = lead < math::abs(sum) * S(0x1p-60);  // where the series may be far from converging
        const S y = sum + math::select(small, zero, rest);
        const S nan(std::numeric_limits<double>::quiet_NaN());
        const auto pole = (s == one) | ((one < s) & negative & whole);
        const S end = math::select(one < q, zero, math::select(q == one, one, infinity));
        const auto at_end = ((q == infinity) & (one < s)) | ((s == infinity) & (zero < q));
        return math::select(usual, y, math::select(pole & (q == q), infinity, math::select(at_end, end, nan)));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_2(zeta, detail::zeta_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
