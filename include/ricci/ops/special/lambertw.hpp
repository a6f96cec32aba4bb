// Lambert's W.
#pragma once
#include "../../cpu/math/lambert_w.hpp"
#include "../declarations.hpp"
#include "../elementwise/exp.hpp"

namespace ricci {
namespace ops {
struct lambertw : of_reals<floating> {
    static constexpr int cost = 120;
    bool lower = false;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::lambert_w(lower, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S&, const R& y) const {
        return y_bar * (ricci::exp(-y) / (1 + y));
    }
};
}  // namespace ops

/// The w with w exp(w) = x for each element, at least -1, or with `branch` -1 at most -1; integers promoted to double.
/// Real: NaN below -1/e, in the lower branch from 0 on too; what -1/e may have been rounded to gives -1. 0 at +-0, inf
/// at inf; -inf at 0 in the lower branch. At most 3 ulp, measured by mpmath. Derivative exp(-w) / (1 + w), infinite at
/// -1/e. Throws value_error for other branches. (scipy.special.lambertw, whose complex branches it has not.)
template <operand E>
auto lambertw(E&& x, int branch = 0) {
    if (branch != 0 && branch != -1)
        detail::raise<value_error>({"[lambertw] the real branches are 0 and -1, not ", branch});
    ops::lambertw op;
    op.lower = branch == -1;
    if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
}  // namespace ricci
