// Quantiles of the gamma distribution, the inverse of the incomplete gamma functions, of numbers and registers alike.
#pragma once
#include "incomplete_gamma.hpp"
#include "normal.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The x with P(a, x) = p, or Q(a, x) = p for the upper share. The logarithm of the smaller of the two shares is a
/// concave function of log(x), on which Newton's method converges from anywhere.
template <bool Upper>
struct gamma_quantile_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& a, const S& p) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const S rest = one - p, small = math::minimum(p, rest);
        const auto by_lower = Upper ? p > S(0.5) : p <= S(0.5);
        S x = math::exp(start(a, small, by_lower));
        S retreat = one;  // from where the share is none, or all, of what doubles tell: not past where it was told
        for (int i = 0; i < 60; ++i) {
            const S share = math::select(by_lower, math::gammainc(a, x), math::gammaincc(a, x));
            const S slope = x * math::gamma_density(density_order{0, 0}, a, x) / share;
            const S newton = math::log(share / small) / slope;
            const S wanted = math::select(by_lower, -newton, newton);
            const auto told = wanted == wanted;
            const S bounded = math::select(told, math::maximum(math::minimum(wanted, S(2)), S(-2)),
                                           math::select(by_lower, retreat, -retreat));
            retreat = math::select(told, S(0.5) * math::abs(bounded), one);
            x = x * math::exp(bounded);  // of log(x) the sum would be rounded by more
            if (!any_lane((math::abs(bounded) > S(1e-9)) & (x > zero)))
                break;  // the error is the square of the last step
        }
        const auto valid = (zero < a) & (a < infinity) & (zero <= p) & (p <= one);
        const S at_zero = Upper ? infinity : zero, at_one = Upper ? zero : infinity;
        const S y = math::select(p == zero, at_zero, math::select(p == one, at_one, x));
        return math::select(valid, y, S(std::numeric_limits<double>::quiet_NaN()));
    }

   private:
    /// log(x) by Wilson and Hilferty's cube of a normal variate (1931), or by the first term of a series where that is
    /// far off.
    template <class S, class M>
    RICCI_HD RICCI_INLINE static S start(const S& a, const S& small, const M& by_lower) {
        const S one(1), z = math::ndtri(small), width = S(1.0 / 3) / math::sqrt(a);
        const S root = one - width * width + math::select(by_lower, z, -z) * width;
        const S cube = math::log(a) + S(3) * math::log(math::maximum(root, S(1e-3)));
        const S power = (math::log(small) + math::lgamma(a + one)) / a;
        const S tail = math::log(one - math::log(small));
        const auto normal = (root > S(0.3)) & (a > S(0.5));
        const S whole = (math::log(one - small) + math::lgamma(a + one)) / a;  // where nearly all lies next to 0
        const S upper = math::select(whole < S(-3), whole, tail);
        return math::select(normal, cube, math::select(by_lower, power, upper));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_2(gammaincinv, detail::gamma_quantile_kernel<false>)
RICCI_KERNEL_2(gammainccinv, detail::gamma_quantile_kernel<true>)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
