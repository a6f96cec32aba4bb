// The Gaussian error linear unit.
#pragma once
#include "../declarations.hpp"
#include "erfc.hpp"
#include "sigmoid.hpp"

namespace ricci {
namespace ops {
struct gelu : of_reals<floating> {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::gelu(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar *
               (0.5 * ricci::erfc(x * -0.70710678118654752) + x * (0.3989422804014327 * ricci::exp(-0.5 * (x * x))));
    }
};
struct gelu_tanh : floating {
    static constexpr int cost = 30;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        // x (1 + tanh(u / 2)) / 2 = x / (1 + exp(-u)), without the difference
        const auto u = S(1.5957691216057308L) * x * (S(1) + S(0.044715L) * (x * x));
        return x / (S(1) + math::exp(-u));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        const auto square = x * x;
        const auto gate = detail::logistic_pair(S(1.5957691216057308 * x * (1 + 0.044715 * square)));
        const auto slope = 1.5957691216057308 * (1 + 0.134145 * square);
        return y_bar * (detail::get<0>(gate) + x * (detail::get<0>(gate) * detail::get<1>(gate)) * slope);
    }
};
}  // namespace ops

/// x times the normal distribution function of each element, by erfc (PyTorch's default form); integers promoted to
/// double. 0 at -inf. At most 3 ulp in registers. Derivative Phi(x) + x phi(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto gelu(E&& x) {
    return map<ops::gelu>(std::forward<E>(x));
}

/// gelu by its usual approximation, x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, within 5e-4 of it; integers
/// promoted to double. (torch.nn.functional.gelu with approximate="tanh", jax.nn.gelu.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto gelu_tanh(E&& x) {
    return map<ops::gelu_tanh>(std::forward<E>(x));
}
}  // namespace ricci
