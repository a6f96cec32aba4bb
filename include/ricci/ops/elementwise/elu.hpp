// The exponential linear unit.
#pragma once
#include "../declarations.hpp"
#include "exp.hpp"
#include "expm1.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct elu : of_reals<floating> {
    static constexpr int cost = 22;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& alpha) {
        return math::select(x > A(0), x, alpha * math::expm1(x));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& alpha, const R&) {
        // at 0, between 1 and alpha, it is alpha, and counts as constant (PyTorch)
        const auto slope = ricci::where(x < 0, alpha * ricci::exp(x), alpha);
        return adjoints(ricci::where(x > 0, y_bar, y_bar * slope), ricci::where(x > 0, 0, y_bar * ricci::expm1(x)));
    }
};
struct selu : of_reals<floating> {
    static constexpr int cost = 22;
    static constexpr double scale = 1.0507009873554804934,
                            alpha = 1.7580993408473768600;  // the latter times the former
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::select(x > S(0), S(scale) * x, S(alpha) * math::expm1(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        // copies: device code has no static member to refer to
        return y_bar * ricci::where(x > 0, double(scale), double(alpha) * ricci::exp(x));
    }
};
}  // namespace ops

/// x for x > 0, else alpha (exp(x) - 1), broadcast; integers promoted to double. At most 2 ulp. Derivative 1 for x > 0,
/// else alpha exp(x) (PyTorch's choice at 0).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto elu(A&& x, B&& alpha) {
    return map<ops::elu>(std::forward<A>(x), std::forward<B>(alpha));
}

/// With alpha 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto elu(E&& x) {
    return elu(std::forward<E>(x), 1.0);
}

/// 1.0507 elu(x, 1.6733), which keeps mean 0 and variance 1; integers promoted to double. (torch.nn.functional.selu;
/// Klambauer et al. 2017.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto selu(E&& x) {
    return map<ops::selu>(std::forward<E>(x));
}
}  // namespace ricci
