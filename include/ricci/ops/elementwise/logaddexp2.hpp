// The logarithm to base 2 of a sum of powers of 2.
#pragma once
#include "../declarations.hpp"
#include "sigmoid.hpp"

namespace ricci {
namespace ops {
struct logaddexp2 : of_reals<floating> {
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        const auto share = math::log1p(math::exp2(-math::abs(a - b))) * A(1.44269504088896340736L);
        return math::select(a == b, a + A(1), math::maximum(a, b) + share);  // infinities
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto gap = 0.69314718055994531 * (a - b);
        return adjoints(y_bar * ricci::sigmoid(gap), y_bar * ricci::sigmoid(-gap));
    }
};
}  // namespace ops

/// log2(2^a + 2^b), broadcast, without overflow; integers promoted to double. -inf beside x gives x. Off by 2 ulp of
/// the larger of |a|, |b| and the result. Derivatives 2^a / (2^a + 2^b) and 2^b / (2^a + 2^b). (numpy.logaddexp2.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logaddexp2(A&& a, B&& b) {
    return map<ops::logaddexp2>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
