// The logarithm of the multivariate gamma function.
#pragma once
#include <limits>

#include "../../cpu/math/wide_kernel.hpp"
#include "lgamma.hpp"
#include "polygamma.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace ops {
/// The sum of polygamma(order, x - j / 2) over j < dimensions, of lgamma where `order` is -1.
struct multivariate_gamma : of_reals<floating> {
    static constexpr int cost = 300;
    int dimensions = 1, order = -1;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        S y(order < 0 ? 0.28618247146235004 * dimensions * (dimensions - 1) : 0.0);  // log(pi) / 4
        const auto defined = S(0.5 * (dimensions - 1)) < x;
        if (!detail::any_lane(defined)) return S(std::numeric_limits<double>::quiet_NaN());
        for (int j = 0; j < dimensions; ++j) {
            const S z = x - S(0.5 * j);
            y = y + (order < 0 ? math::lgamma(z) : order == 0 ? math::digamma(z) : math::polygamma(order, z));
        }
        return math::select(defined, y, S(std::numeric_limits<double>::quiet_NaN()));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const;
};
}  // namespace ops
namespace detail {

template <class E>
RICCI_HD RICCI_INLINE constexpr auto multivariate_gamma(int dimensions, int order, E&& x) {
    ops::multivariate_gamma op;
    op.dimensions = dimensions;
    op.order = order;
    if constexpr (expression<E>) return make_map(op, std::forward<E>(x));
    else return evaluate_op(op, x);
}

}  // namespace detail
namespace ops {
template <class Y, class S, class R>
RICCI_HD RICCI_INLINE constexpr auto multivariate_gamma::pullback(const Y& y_bar, const S& x, const R&) const {
    return y_bar * detail::multivariate_gamma(dimensions, order + 1, x);
}
}  // namespace ops

/// The logarithm of the multivariate gamma function of each element: d (d - 1) / 4 log(pi) and the sum of lgamma(x - j
/// / 2) for j from 0 to d - 1; integers promoted to double. NaN unless x > (d - 1) / 2, where SciPy and PyTorch throw;
/// at most 2 ulp of the largest term for each of them. Derivative the sum of digamma(x - j / 2). Throws value_error
/// unless d > 0. (scipy.special.multigammaln, torch.special.multigammaln, torch.mvlgamma.)
template <operand E>
auto multigammaln(E&& x, int d) {
    if (d < 1) detail::raise<value_error>({"[multigammaln] the number of dimensions must be positive: ", d});
    return detail::multivariate_gamma(d, -1, std::forward<E>(x));
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
