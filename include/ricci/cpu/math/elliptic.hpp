// The complete elliptic integrals of the first and the second kind, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// K(1 - p): P(p) - log(p) Q(p), minimax polynomials of both at once (of Hastings' form; fitted by mpmath), for p from
/// 0 to 1; beyond by K(1 - p) = K(1 - 1 / p) / sqrt(p).
struct ellipkm1_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& p) const {
        const S one(1), zero(0);
        const auto beyond = one < p;
        const S q = math::select(beyond, one / p, p);
        const S rest =
            horner<double>(q, 1.3862943611198906, 0.09657359028243515, 0.0308851477246873, 0.014938213423630711,
                           0.008796664196176439, 0.006251456127532268, 0.007076782520262957, 0.009957996034698728,
                           0.007758154220835714, 0.002138733448739786, 0.0001252276960069073);
        const S factor =
            horner<double>(q, 0.5, 0.12499999999972283, 0.0703124994990024, 0.04882799729258909, 0.03737563776526546,
                           0.030092510949836556, 0.023748930551474152, 0.015136786598174422, 0.005665492981849869,
                           0.0008479298839222704, 2.6538731838629474e-05);
        const S y = math::fma(-math::log(q), factor, rest);
        if (!any_lane(beyond)) return y;
        return math::select(beyond, math::select(q == zero, zero, y / math::sqrt(p)), y);
    }
};
struct ellipk_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& m) const {
        return ellipkm1_kernel()(S(1) - m);
    }
};
/// E(1 - p) in the same way: 1 + p (P(p) - log(p) Q(p)), and E(1 - p) = sqrt(p) E(1 - 1 / p).
struct ellipe_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& m) const {
        const S one(1), zero(0), p = one - m;
        const auto beyond = one < p;
        const S q = math::select(beyond, one / p, p);
        const S rest =
            horner<double>(q, 0.4431471805607561, 0.056805194351225025, 0.021831770928546025, 0.011567857169301773,
                           0.007573538766825894, 0.007740339339532236, 0.01071845507146758, 0.008723817069730095,
                           0.0025324904790582853, 0.00015568305845362602);
        const S factor =
            horner<double>(q, 0.2499999999999159, 0.09374999975465806, 0.05859366985383404, 0.04271839447915227,
                           0.033488062445112675, 0.026203645660271068, 0.016944238869761076, 0.006551955227516538,
                           0.0010206847202742114, 3.3274842330954756e-05);
        const S part = math::fma(-math::log(q), factor, rest);
        const S y = math::fma(q, math::select(q == zero, zero, part), one);
        return any_lane(beyond) ? math::select(beyond, y * math::sqrt(p), y) : y;
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(ellipkm1, detail::ellipkm1_kernel)
RICCI_KERNEL_1(ellipk, detail::ellipk_kernel)
RICCI_KERNEL_1(ellipe, detail::ellipe_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
