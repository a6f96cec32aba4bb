// exp(x) - 1, exact also for small x.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct expm1 : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::expm1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y + 1);
    }
};
}  // namespace ops

/// exp(x) - 1 of each element, accurate also for small x; integers promoted to double. expm1(+-0) = +-0, expm1(-inf) =
/// -1, expm1(inf) = inf. At most 2 ulp. Derivative exp(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto expm1(E&& x) {
    return map<ops::expm1>(std::forward<E>(x));
}
}  // namespace ricci
