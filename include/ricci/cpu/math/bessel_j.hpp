// The Bessel functions of the orders 0 and 1, of the first and the second kind, of numbers and registers alike, in
// doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// J_n(x), n = 0 or 1, up to x = 5, over x where n = 1, in t = 2 (x / 5)^2 - 1.
template <int Order, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_j_near(const S& t) {
    if constexpr (Order == 0)
        return long_horner<double>(
            t, -0.3847445098140454, -0.21650541389819178, 0.7094160035335418, -0.36018076595038634, 0.08539182354259656,
            -0.012035214154329387, 0.001134363509587348, -7.683433602059964e-05, 3.9285088848017415e-06,
            -1.571842855967114e-07, 5.059298537833959e-09, -1.3389964734793006e-10, 2.9662823114304994e-12,
            -5.582307850390602e-14, 9.04291865108098e-16, -1.272529623381277e-17);
    else
        return long_horner<double>(t, 0.03464086622371068, -0.22701312113073338, 0.17288676765618544,
                                   -0.054650767067261796, 0.00962817132346351, -0.001088988969203854,
                                   8.60544563430716e-05, -5.0284913725460405e-06, 2.263453712592626e-07,
                                   -8.094877660880076e-09, 2.3566337933580354e-10, -5.695261736206678e-12,
                                   1.1611200023207015e-13, -2.0257143580530837e-15, 3.05417410934387e-17);
}
/// What Y_0(x) has more than 2 / pi log(x) J_0(x); over x, what Y_1(x) has more than 2 / pi (log(x) J_1(x) - 1 / x).
template <int Order, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_y_near(const S& t) {
    if constexpr (Order == 0)
        return long_horner<double>(t, 0.4837248578102995, -0.4326558222855125, -0.4705763655297288, 0.38851639956570944,
                                   -0.11151682184328618, 0.01763534538933875, -0.0018028096665526022,
                                   0.00012994629092087043, -6.9855043677424995e-06, 2.914220687772586e-07,
                                   -9.720964498735135e-09, 2.6539990841505484e-10, -6.0431800819788006e-12,
                                   1.1655644277636366e-13, -1.9305329316713124e-15, 2.7720674959983853e-17);
    else
        return long_horner<double>(
            t, 0.13974939033568806, 0.09108650838448444, -0.16312020358118715, 0.06634695354779108,
            -0.013433433740818153, 0.0016688031328635938, -0.0001414183579449178, 8.73309830485033e-06,
            -4.1137780773696086e-07, 1.5288901821935808e-08, -4.6013042449452613e-10, 1.1448948814338089e-11,
            -2.395476597845752e-13, 4.2745900758431e-15, -6.587839495515896e-17, 8.846734411761482e-19);
}
/// P and x Q of sqrt(pi x / 2) (J_n, Y_n) = (P cos(c) - Q sin(c), P sin(c) + Q cos(c)) with c = x - (2 n + 1) pi / 4,
/// from x = 5 on, in t = 2 (5 / x)^2 - 1.
template <int Order, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_modulus(const S& t) {
    if constexpr (Order == 0)
        return long_horner<double>(
            t, 0.9986347659091991, -0.0013274931272003938, 3.4917305812360574e-05, -2.45996332181163e-06,
            2.9759005971931966e-07, -5.086431842118327e-08, 1.1058735249078502e-08, -2.8705733968372007e-09,
            8.54003871977743e-10, -2.8507882214749614e-10, 1.03670169736276e-10, -3.55791675038456e-11,
            1.3943589383812143e-11, -1.3427834580652596e-11, 7.0047738350679404e-12, 3.294537743078791e-12,
            -2.112308142670184e-12, -2.20674838856665e-12, 1.271448860182751e-12);
    else
        return long_horner<double>(
            t, 1.0022906462560661, 0.0022414632139171843, -4.5782806531072834e-05, 2.978621105488198e-06,
            -3.466718703841604e-07, 5.7916673513040425e-08, -1.2403160522530066e-08, 3.184989113497515e-09,
            -9.398603120711416e-10, 3.116677600985356e-10, -1.1274284970593131e-10, 3.865458762420017e-11,
            -1.5111147250068467e-11, 1.4331075657099443e-11, -7.452578731257578e-12, -3.4635354592927326e-12,
            2.221451936085203e-12, 2.3383709391960292e-12, -1.3452285163269796e-12);
}
template <int Order, class S>
RICCI_HD RICCI_INLINE constexpr S bessel_phase(const S& t) {
    if constexpr (Order == 0)
        return long_horner<double>(
            t, -0.12361496352611864, 0.001314213972910718, -6.338715442570719e-05, 6.239113141935349e-06,
            -9.409875025757304e-07, 1.887034505194863e-07, -4.6398295102107785e-08, 1.3292985676535e-08,
            -4.291854003116158e-09, 1.542575204364545e-09, -5.969821444753257e-10, 2.0249811441709766e-10,
            -8.111328054313481e-11, 1.0208647777768692e-10, -5.589254466073372e-11, -3.130149228873468e-11,
            2.011820464502252e-11, 1.85869065512807e-11, -1.100006927000901e-11);
    else
        return long_horner<double>(
            t, 0.3730474331740802, -0.0018648496218418088, 7.898094178007923e-05, -7.369927918557262e-06,
            1.0798853625826433e-06, -2.126679076480073e-07, 5.164194152345208e-08, -1.4660442774020817e-08,
            4.7001232348716684e-09, -1.6792603140027183e-09, 6.468049960710546e-10, -2.196036309995082e-10,
            8.782434427216027e-11, -1.0859506993277121e-10, 5.929267394923431e-11, 3.290937177790792e-11,
            -2.1148957220138363e-11, -1.9660021286047175e-11, 1.1618795104468154e-11);
}

/// J_n, or Y_n of the second kind: each side only where some element is on it, all by Chebyshev interpolation. Beyond,
/// the sine and the cosine of c are sums of those of x, which no rounding of c shifts.
template <int Order, bool Second>
struct bessel_j_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S size = math::abs(x), bound(5), zero(0), infinity(std::numeric_limits<double>::infinity());
        const auto beyond = bound < size;
        S y(0);
        if (any_lane(!beyond)) y = near(math::minimum(size, bound));
        if (any_lane(beyond)) y = math::select(beyond, far(math::maximum(size, bound)), y);
        y = math::select(size == infinity, zero, y);
        if constexpr (Second) {
            y = math::select(x == zero, -infinity, y);
            return math::select(zero <= x, y, S(std::numeric_limits<double>::quiet_NaN()));
        } else if constexpr (Order == 0) {
            return y;
        } else {
            return math::select(x < zero, -y, math::select(x == zero, x, y));
        }
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static S near(const S& x) {
        const S t = math::fma(S(0.08) * x, x, S(-1)), factor = Order == 0 ? S(1) : x;
        const S j = factor * bessel_j_near<Order>(t);
        if constexpr (!Second) {
            return j;
        } else {
            const S part = Order == 0 ? math::log(x) * j : math::fma(math::log(x), j, S(-1) / x);
            return math::fma(S(0.63661977236758138), part, factor * bessel_y_near<Order>(t));
        }
    }
    template <class S>
    RICCI_HD RICCI_INLINE static S far(const S& x) {
        const S inverse = S(1) / x, u = S(5) * inverse, t = math::fma(u + u, u, S(-1));
        S sine, cosine;
        math::sincos(x, sine, cosine);
        // sqrt(2) times the cosine and the sine of c
        const S sum = sine + cosine, difference = sine - cosine;
        const S along = Order == 0 ? sum : difference, across = Order == 0 ? difference : -sum;
        const S p = bessel_modulus<Order>(t), q = inverse * bessel_phase<Order>(t);
        const S turned = Second ? math::fma(p, across, q * along) : math::fma(p, along, -(q * across));
        return turned * (S(0.56418958354775629) / math::sqrt(x));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(j0, detail::bessel_j_kernel<0, false>)
RICCI_KERNEL_1(j1, detail::bessel_j_kernel<1, false>)
RICCI_KERNEL_1(y0, detail::bessel_j_kernel<0, true>)
RICCI_KERNEL_1(y1, detail::bessel_j_kernel<1, true>)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
