// log(1 + x), exact also for small x.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct log1p : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log1p(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (1 + x);
    }
};
}  // namespace ops

/// log(1 + x) of each element, accurate also for small x; integers promoted to double. log1p(+-0) = +-0, log1p(-1) =
/// -inf, log1p(x < -1) = NaN, log1p(inf) = inf. At most 2 ulp. Derivative 1 / (1 + x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log1p(E&& x) {
    return map<ops::log1p>(std::forward<E>(x));
}
}  // namespace ricci
