// Spence's function, the dilogarithm of 1 - z, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Li2(1 - z) by a series in u = -log(z), of Bernoulli numbers, for |u| up to 2; what z is below by its reflection to
/// 1 - z, what it is above by its inversion to 1 / z too, where u is small.
struct spence_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& z) const {
        const S zero(0), one(1), reflected(1.6449340668482264);  // pi^2 / 6
        const S log = math::log(z);
        const auto low = z < S(0.1353), high = S(7.389) < z;
        const auto outside = low | high;
        if (!any_lane(outside)) return series(zero - log);
        const S t = math::select(high, one / z, math::select(low, z, zero)), v = -math::log1p(-t);
        const S near = series(math::select(outside, v, zero - log));
        const S crossed = math::select(t == zero, zero, log * v);
        const S above = crossed - math::fma(S(0.5) * log, log, reflected);
        return math::select(low, (reflected - near) + crossed, math::select(high, above + near, near));
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static S series(const S& u) {
        const S q = u * u;
        const S rest = horner<double>(q, 0.027777777777777776, -0.00027777777777777724, 4.724111866963933e-06,
                                      -9.185773072722886e-08, 1.897886960839624e-09, -4.064757276005094e-11,
                                      8.921377111181611e-13, -1.9924724181182316e-14, 4.475071364230071e-16,
                                      -9.51777090117877e-18, 1.4430564029589455e-19);
        return math::fma(q, math::fma(u, rest, S(-0.25)), u);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(spence, detail::spence_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
