// A smooth relu: log(1 + exp(x)).
#pragma once
#include "../declarations.hpp"
#include "divide.hpp"
#include "multiply.hpp"
#include "sigmoid.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace ops {
struct softplus : of_reals<floating> {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::maximum(x, S(0)) + math::log1p(math::exp(-math::abs(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sigmoid(x);
    }
};
}  // namespace ops

/// log(1 + exp(x)) of each element, without overflow; integers promoted to double. 0 at -inf, inf at inf. At most 3
/// ulp. Derivative sigmoid(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto softplus(E&& x) {
    return map<ops::softplus>(std::forward<E>(x));
}
/// log(1 + exp(beta x)) / beta, broadcast, by softplus; no threshold: beyond torch's this is exact, too.
/// (torch.nn.functional.softplus.)
template <operand E, operand B>
RICCI_HD RICCI_INLINE constexpr auto softplus(const E& x, const B& beta) {
    return ricci::softplus(x * beta) / beta;
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
