// The logarithm of the beta function.
#pragma once
#include <limits>

#include "../declarations.hpp"
#include "digamma.hpp"

namespace ricci {
namespace ops {
struct betaln : of_reals<floating> {
    static constexpr int cost = 300;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& a, const S& b) {
        const S half(0.5), infinity(std::numeric_limits<double>::infinity());
        const S low = math::minimum(a, b), high = math::maximum(a, b), sum = low + high;
        const auto near = (high < S(10)) | (low < S(0));
        const S gamma = math::lgamma(low);
        // where arguments are large, differences of log gamma would cancel: what is left of Stirling's formula
        const S change = stirling_rest(high) - stirling_rest(sum), share = -low / sum, log_rest = math::log1p(share);
        const S mixed = (gamma + change) + (low - low * math::log(sum)) + (high - half) * log_rest;
        const S large = (S(0.91893853320467274178) - half * math::log(high)) + (stirling_rest(low) + change) +
                        (low - half) * math::log(-share) + high * log_rest;
        const S direct = (gamma - math::lgamma(sum)) + math::lgamma(high);
        const S y = math::select(near, direct, math::select(low < S(10), mixed, large));
        const S with_poles = math::select((low == S(0)) & (S(0) <= high), infinity, y);
        return math::select(high == infinity,
                            math::select(S(0) < low, -infinity, math::select(math::isnan(low), low, infinity)),
                            with_poles);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto both = ricci::digamma(a + b);
        return adjoints(y_bar * (ricci::digamma(a) - both), y_bar * (ricci::digamma(b) - both));
    }

   private:
    /// lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2 for x >= 10.
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S stirling_rest(const S& x) {
        const S w = S(1) / x, u = w * w;
        return w * (S(1. / 12) -
                    u * (S(1. / 360) -
                         u * (S(1. / 1260) -
                              u * (S(1. / 1680) - u * (S(1. / 1188) - u * (S(691. / 360360) - u * S(1. / 156)))))));
    }
};
}  // namespace ops

/// log |B(a, b)| = lgamma(a) + lgamma(b) - lgamma(a + b), broadcast, without its cancellation where one of them is
/// large; integers promoted to double. inf where one is 0 and the other is not negative, and where one is negative and
/// the other infinite; negative integers give inf, or NaN where a + b is one or 0, too. At most 1e-15 (1 + |lgamma| of
/// the smaller one) off, for positive a and b. Derivatives digamma(a) - digamma(a + b) and digamma(b) - digamma(a + b).
/// (scipy.special.betaln; TOMS 708.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto betaln(A&& a, B&& b) {
    return map<ops::betaln>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
