// Quantiles of the beta distribution, the inverse of the incomplete beta function, of numbers and registers alike.
#pragma once
#include "incomplete_beta.hpp"
#include "normal.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The x with I_x(a, b) = p, or 1 - I_x(a, b) = p for the upper share. The logarithm of the smaller of the two shares
/// is a concave function of log(x / (1 - x)), on which Newton's method converges from anywhere.
template <bool Upper>
struct beta_quantile_kernel {
    template <class S>
    RICCI_HD S operator()(const S& given_a, const S& given_b, const S& p) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const auto valid = (zero < given_a) & (given_a < infinity) & (zero < given_b) & (given_b < infinity) &
                           (zero <= p) & (p <= one);
        const S a = math::select(valid, given_a, one), b = math::select(valid, given_b, one);
        const S small = math::select(valid, math::minimum(p, one - p), S(0.5));
        const auto by_lower = Upper ? p > S(0.5) : p <= S(0.5);
        const S odds = math::exp(start(a, b, small, by_lower));
        S x = odds / (one + odds), rest = one / (one + odds);
        S retreat = one;  // from where the share is none, or all, of what doubles tell: not past where it was told
        for (int i = 0; i < 60; ++i) {
            // of the side that is nearer 0, where x tells more
            const auto near_0 = x < rest;
            const S near_a = math::select(near_0, a, b), near_b = math::select(near_0, b, a),
                    near_x = math::select(near_0, x, rest);
            S share = math::betainc(math::select(by_lower, a, b), math::select(by_lower, b, a),
                                    math::select(by_lower, x, rest));
            const auto across = ((near_0 & !by_lower) | (by_lower & !near_0)) & (near_x < S(0.01));
            if (any_lane(across)) {
                const S other = math::betainc(near_a, near_b, near_x);
                share = math::select(across & (other < S(0.9)), one - other, share);
            }
            const S density = math::beta_density(near_a, near_b, near_x);
            const S newton = math::log(share / small) * share / (x * rest * density);
            const S wanted = math::select(by_lower, -newton, newton);
            const auto told = wanted == wanted;
            const S bounded = math::select(told, math::maximum(math::minimum(wanted, S(2)), S(-2)),
                                           math::select(by_lower, retreat, -retreat));
            retreat = math::select(told, S(0.5) * math::abs(bounded), one);
            const S grown = x * math::exp(bounded), whole = rest + grown;
            x = grown / whole;
            rest = rest / whole;
            if (!any_lane((math::abs(bounded) > S(1e-9)) & (zero < x) & (zero < rest) & (zero < small))) break;
        }
        const S at_zero = Upper ? one : zero, at_one = Upper ? zero : one;
        const S y = math::select(p == zero, at_zero, math::select(p == one, at_one, x));
        return math::select(valid, y, S(std::numeric_limits<double>::quiet_NaN()));
    }

   private:
    /// log(x / (1 - x)) of a normal variate, or by the first term of a series where that is far out.
    template <class S, class M>
    RICCI_HD static S start(const S& a, const S& b, const S& small, const M& by_lower) {
        const S one(1), z = math::ndtri(small), side = math::select(by_lower, a, b);
        const S normal = math::log(math::select(by_lower, a / b, b / a)) + z * math::sqrt(one / a + one / b);
        const S beta = math::lgamma(a) + math::lgamma(b) - math::lgamma(a + b);
        const S power = (math::log(small * side) + beta) / side;
        const S outward = math::select(power < S(-2), power, math::maximum(normal, math::minimum(power, S(0)) - S(2)));
        return math::select(by_lower, outward, -outward);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_3(betaincinv, detail::beta_quantile_kernel<false>)
RICCI_KERNEL_3(betainccinv, detail::beta_quantile_kernel<true>)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
