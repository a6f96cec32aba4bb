// The logarithm of a sum of exponentials.
#pragma once
#include "../declarations.hpp"
#include "isinf.hpp"
#include "logical.hpp"
#include "sigmoid.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct logaddexp : of_reals<floating> {
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        const auto sum = math::maximum(a, b) + math::log1p(math::exp(-math::abs(a - b)));
        return math::select(a == b, a + A(0.69314718055994531), sum);  // infinities
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        // infinite ties, whose difference is NaN, are shared as others are
        const auto difference = ricci::where(a == b && ricci::isinf(a), 0, a - b);
        // two: 1 - sigmoid(a - b) has no digits where b's share is small
        return adjoints(y_bar * ricci::sigmoid(difference), y_bar * ricci::sigmoid(-difference));
    }
};
}  // namespace ops

/// log(exp(a) + exp(b)), broadcast, without overflow; integers promoted to double. -inf beside x gives x. Off by 2 ulp
/// of the larger of |a|, |b| and the result. Derivatives sigmoid(a - b) and sigmoid(b - a), 1/2 each
/// where a = b, infinities too.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logaddexp(A&& a, B&& b) {
    return map<ops::logaddexp>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
