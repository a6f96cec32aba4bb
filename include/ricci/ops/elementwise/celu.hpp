// The exponential linear unit whose slope is continuous.
#pragma once
#include "../declarations.hpp"
#include "expm1.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct celu : of_reals<floating> {
    static constexpr int cost = 24;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& alpha) {
        return math::select(x > A(0), x, alpha * math::expm1(x / alpha));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& alpha, const R&) {
        const auto below = ricci::where(x > 0, 0, x) / alpha;
        const auto slope = ricci::exp(below);
        return adjoints(y_bar * slope, y_bar * (ricci::expm1(below) - below * slope));
    }
};
}  // namespace ops

/// elu with exp(x / alpha) in the place of exp(x), whose slope is continuous: x for x > 0, else alpha (exp(x / alpha) -
/// 1), where a negative alpha is one of growth; integers promoted to double. (torch.nn.functional.celu; Barron 2017.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto celu(const E& x, double alpha = 1) {
    return map<ops::celu>(x, alpha);
}
}  // namespace ricci
