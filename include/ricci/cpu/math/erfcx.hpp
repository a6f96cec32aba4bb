// exp(x^2) erfc(x), of numbers and registers alike.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

struct erfcx_kernel {
    RICCI_HD double operator()(double x) const {
        using std::erfc;
        if (x > 25) return far(x);
        const double square = x * x, y = math::exp(square) * erfc(x);
        return square < 710 ? math::fma(y, rounded_once(x, x, -square), y) : y;
    }
#if defined(RICCI_HAS_SIMD)
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x);
        S y = erfcx<double>(math::maximum(math::minimum(size, S(25)), S(0.4)));
        if (any_lane(S(25) < size)) y = math::select(S(25) < size, far(size), y);
        if (!any_lane(x < S(0.4))) return y;
        const S square = x * x, exponential = math::exp(square), twice = exponential + exponential;
        const S near = exponential * math::fma(-x, small_erf(square), S(1) - x), rest = rounded_once(x, x, -square);
        y = math::select(x < S(0), math::select(square < S(709), math::fma(twice, rest, twice - y), twice), y);
        return math::select(size < S(0.4), near, y);
    }
#endif

   private:
    /// The asymptotic series for x >= 25.
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S far(const S& x) {
        const S w = S(1) / x, u = S(0.5) * w * w;
        return S(0.5641895835477563) * w * horner<double>(u, 1.0, -1.0, 3.0, -15.0, 105.0, -945.0, 10395.0, -135135.0);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(erfcx, detail::erfcx_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
