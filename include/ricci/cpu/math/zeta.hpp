// The Hurwitz zeta function, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The sum of (q + k)^-s, the first ten terms and those below q + k = s one by one unless they no longer count, the
/// rest by the Euler-Maclaurin formula.
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
        S rest = math::fma(lead, one / (-power - one), S(0.5) * last);
        S factor = last * (-power) / base;
        for (int k = 0; k < euler_maclaurin_terms; ++k) {
            rest = math::fma(factor, S(euler_maclaurin(k)), rest);
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

/// The n-th derivative with respect to s: the same with power series in s, up to its n-th power, in place of numbers.
struct zeta_in_s_kernel {
    static constexpr int most = 8;
    int order;
    template <class S>
    RICCI_HD S operator()(const S& given_s, const S& given_q) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const S nan(std::numeric_limits<double>::quiet_NaN());
        if (order > most) return nan;
        const auto usual = (one < given_s) & (given_s < infinity) & (zero < given_q) & (given_q < infinity);
        const S s = math::select(usual, given_s, S(2));
        S base = math::select(usual, given_q, one), sum(0), term[most + 1];
        auto more = usual;
        for (int k = 0; any_lane(more); ++k) {
            powers(base, s, term);
            sum = math::select(more, sum + term[order], sum);
            base = math::select(more, base + one, base);
            const auto counts = math::abs(sum) * S(0x1p-60) < math::abs(term[order] * base);  // the logarithm of 1 is 0
            more = more & (k < 2 ? base == base : counts) & ((base < s) | (base <= S(10.0 + order)));
        }
        // what the series of the rest begins with: the integral, base^-(s - 1 + e) over s - 1 + e
        powers(base, s - one, term);
        S lead(0);
        for (int i = 0; i <= order; ++i) {
            lead = (term[i] - lead) / (s - one);
            term[i] = term[i] / base;
        }
        S rest = math::fma(S(0.5), term[order], lead);
        for (int i = 0; i <= order; ++i) term[i] = term[i] / base;
        times(term, s);
        for (int k = 0; k < euler_maclaurin_terms; ++k) {
            rest = math::fma(term[order], S(euler_maclaurin(k)), rest);
            times(term, s + S(2 * k + 1.0));
            times(term, s + S(2 * k + 2.0));
            for (int i = 0; i <= order; ++i) term[i] = term[i] / (base * base);
        }
        const auto small =
            math::abs(lead) < math::abs(sum) * S(0x1p-60);  // where the series may be far from converging
        double factorial = 1;
        for (int i = 2; i <= order; ++i) factorial *= i;
        const S y = S(factorial) * (sum + math::select(small, zero, rest));
        const S pole = order % 2 ? -infinity : infinity, end = math::select(one <= given_q, zero, infinity);
        const auto at_end = ((given_q == infinity) & (one < given_s)) | ((given_s == infinity) & (zero < given_q));
        return math::select(usual, y,
                            math::select((given_s == one) & (zero < given_q), pole, math::select(at_end, end, nan)));
    }

   private:
    /// base^-(s + e) in powers of e.
    template <class S>
    RICCI_HD void powers(const S& base, const S& s, S* term) const {
        const S log = -math::log(base);
        term[0] = math::pow(base, -s);
        for (int i = 1; i <= order; ++i) term[i] = term[i - 1] * log * S(1.0 / i);
    }
    /// The series times c + e.
    template <class S>
    RICCI_HD void times(S* term, const S& c) const {
        for (int i = order; i > 0; --i) term[i] = math::fma(term[i], c, term[i - 1]);
        term[0] = term[0] * c;
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_2(zeta, detail::zeta_kernel)
RICCI_KERNEL_2_OF_ORDER(zeta_in_s, detail::zeta_in_s_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
