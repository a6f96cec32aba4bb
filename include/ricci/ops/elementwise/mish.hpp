// A smooth activation with a self-made gate.
#pragma once
#include "../declarations.hpp"
#include "sigmoid.hpp"

namespace ricci {
namespace ops {
struct mish : of_reals<floating> {
    static constexpr int cost = 30;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        // with u = exp(-|x|), tanh(log(1 + exp(x))) is a quotient of polynomials whose terms are all positive
        const auto u = math::exp(-math::abs(x));
        const auto above = S(1) + u * S(2), below = u * (u + S(2));
        return x * math::select(x >= S(0), above / (above + u * u * S(2)), below / (below + S(2)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        // tanh(softplus(x)) is (1 - r^2) / (1 + r^2) with r = 1 - s, s = sigmoid(x): 1 - r = s, and near 1 the rest is
        // what counts
        const auto both = detail::logistic_pair(x);
        const auto &s = detail::get<0>(both), &rest = detail::get<1>(both);
        const auto below = 1 / (1 + rest * rest), share = rest * below;
        const auto gate = ricci::where(x > 0, 1 - 2 * (rest * share), s * (1 + rest) * below);
        return y_bar * (gate + x * s * (4 * (share * share)));
    }
};
}  // namespace ops

/// x tanh(log(1 + exp(x))) of each element; integers promoted to double. NaN at -inf. At most 4 ulp.
/// (torch.nn.functional.mish; Misra 2019.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto mish(E&& x) {
    return map<ops::mish>(std::forward<E>(x));
}
}  // namespace ricci
