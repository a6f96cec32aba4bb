// Spherical Bessel functions of integer order, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// j_n: its power series for small arguments; above n the recurrence upwards from j_0 and j_1; between them that
/// downwards from far above n, scaled by what it makes of these two (Miller).
struct spherical_jn_kernel {
    int order;
    template <class S>
    RICCI_HD S operator()(const S& x) const {
        const S zero(0), one(1), z = math::abs(x), infinity(std::numeric_limits<double>::infinity());
        const auto small = z * z <= S(4.0 * order + 6);
        const auto above = (!small) & (S(order) < z);
        const S safe = math::select(small | (z == infinity), one, z);
        const S first = math::sin(safe) / safe, second = (first - math::cos(safe)) / safe;
        S y = any_lane(small) ? series(math::select(small, z, zero)) : zero;
        if (any_lane(above)) y = math::select(above, upwards(safe, first, second), y);
        const auto between = !(small | above);
        if (any_lane(between & (z == z))) y = math::select(between, downwards(safe, first, second), y);
        y = math::select(z == infinity, zero, math::select(z == z, y, z));
        return order % 2 != 0 ? math::select(x < zero, -y, y) : y;
    }

   private:
    /// z^n / (2 n + 1)!! (1 - z^2 / 2 / (2 n + 3) (1 - z^2 / 4 / (2 n + 5) (1 - ...))).
    template <class S>
    RICCI_HD S series(const S& z) const {
        const S half = S(-0.5) * z * z;
        S sum(1);
        for (int k = 24; k > 0; --k) sum = math::fma(half * S(1 / (k * (2.0 * (order + k) + 1))), sum, S(1));
        for (int k = 1; k <= order; ++k) sum = sum * (z * S(1 / (2.0 * k + 1)));
        return sum;
    }
    template <class S>
    RICCI_HD S upwards(const S& z, const S& first, const S& second) const {
        S before = first, y = order == 0 ? first : second;
        for (int k = 1; k < order; ++k) {
            const S next = math::fma(S(2.0 * k + 1) / z, y, -before);
            before = y;
            y = next;
        }
        return y;
    }
    template <class S>
    RICCI_HD S downwards(const S& z, const S& first, const S& second) const {
        const S large(0x1p800), scale(0x1p-800);
        S above(0), at(0x1p-900), wanted(0);
        for (int k = order + 20 + static_cast<int>(14 * math::cbrt(static_cast<double>(order))); k > 0; --k) {
            const S below = math::fma(S(2.0 * k + 1) / z, at, -above);
            above = at;
            at = below;
            if (k - 1 == order) wanted = at;
            const auto grown = large < math::abs(at);
            if (!any_lane(grown)) continue;
            above = math::select(grown, above * scale, above);
            at = math::select(grown, at * scale, at);
            wanted = math::select(grown, wanted * scale, wanted);
        }
        // of 0 and 1, by the larger of the two
        return wanted * math::select(math::abs(above) < math::abs(at), first / at, second / above);
    }
};
/// y_n: upwards from y_0 and y_1.
struct spherical_yn_kernel {
    int order;
    template <class S>
    RICCI_HD S operator()(const S& x) const {
        const S zero(0), z = math::abs(x), infinity(std::numeric_limits<double>::infinity());
        const S safe = math::select(z == infinity, S(1), z);
        S before = -math::cos(safe) / safe, y = before;
        if (order > 0) y = (before - math::sin(safe)) / safe;
        for (int k = 1; k < order; ++k) {
            const S next = math::fma(S(2.0 * k + 1) / safe, y, -before);
            before = y;
            y = math::select(y == -infinity, y, next);  // once too large, no difference of such
        }
        y = math::select(z == infinity, zero, y);
        return order % 2 == 0 ? math::select(x < zero, -y, y) : y;
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1_OF_ORDER(spherical_jn, detail::spherical_jn_kernel)
RICCI_KERNEL_1_OF_ORDER(spherical_yn, detail::spherical_yn_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
