// The Airy function Ai and its slope, of numbers, in doubles; of registers lane by lane.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Ai, or its slope: by Taylor series from multiples of a half, of which Ai and Ai' are known (by mpmath), up to 10 in
/// size, by its asymptotic series beyond (DLMF 9.7).
struct airy_kernel {
    bool slope;
    RICCI_HD double operator()(double x) const {
        if (x != x) return x;
        const double size = x < 0 ? -x : x;
        if (size <= 10) return near_place(x);
        if (size > 0x1p340) return x > 0 ? 0 : slope ? std::numeric_limits<double>::quiet_NaN() : 0;
        const phase z(size);
        return x > 0 ? decaying(size, z) : waving(size, z);
    }

   private:
    /// 2/3 x^1.5 and what was rounded off, which exp and cos of large numbers see.
    struct phase {
        double head, tail;
        RICCI_HD explicit phase(double x) {
            const double root = math::sqrt(x), rest = rounded_once(-root, root, x) / (2 * root);
            const double twice = 2 * x * root, below = rounded_once(2 * x, root, -twice) + 2 * x * rest;
            head = twice / 3;
            tail = (rounded_once(-3.0, head, twice) + below) / 3;
        }
    };
    /// From the next place above, where x > 0: along the decay all terms have one sign.
    RICCI_HD double near_place(double x) const {
        constexpr double values[] = {
            0.04024123848644319,    0.3191032477191282,     -0.022133721547341403,  -0.33029023763020887,
            -0.0527050503563862,    0.3217757163806479,     0.18428083525050565,    -0.2380203019971158,
            -0.3291451736298231,    0.017781541276574976,   0.35076100902411433,    0.2921527810559595,
            -0.07026553294928951,   -0.37553382314043193,   -0.37881429367765806,   -0.11232506769296609,
            0.22740742820168558,    0.4642565777488694,     0.5355608832923521,     0.4757280916105396,
            0.3550280538878172,     0.23169360648083348,    0.13529241631288141,    0.07174949700810541,
            0.03492413042327438,    0.01572592338047049,    0.006591139357460719,   0.002584098786989635,
            0.0009515638512048018,  0.00033025032351430896, 0.00010834442813607442, 3.368531190859981e-05,
            9.947694360252889e-06,  2.7958823432049136e-06, 7.492128863997167e-07,  1.9172560675134309e-07,
            4.6922076160992316e-08, 1.0997009755195506e-08, 2.47116843087249e-09,   5.330263704617492e-10,
            1.1047532552898686e-10};
        constexpr double slopes[] = {
            0.99626504413279,        -0.10809531881187123,   -0.9756639809263316,    -0.03231334828463914,
            0.9355609381983065,      0.3188095066985546,     -0.7710081684101265,    -0.6749524925132022,
            0.3459354872813429,      0.8641972177713984,     0.32719281855444315,    -0.5233625323157477,
            -0.7906285753685813,     -0.34344343345404815,   0.3145837692165988,     0.6788527342647943,
            0.618259020741691,       0.3091869672024104,     -0.01016056711664521,   -0.20408167033954738,
            -0.2588194037928068,     -0.2249105326646839,    -0.1591474412967932,    -0.09738201284230132,
            -0.05309038443365363,    -0.026250881035903232,  -0.011912976705951319,  -0.005004413967952583,
            -0.001958640950204179,   -0.0007178665675575089, -0.0002474138908684625, -8.046339130556515e-05,
            -2.4765200397034955e-05, -7.231931466601793e-06, -2.008150894738792e-06, -5.312713959720545e-07,
            -1.3414392979067865e-07, -3.237725440447602e-08, -7.480641389658946e-09, -1.6566394593740667e-09,
            -3.5206336767389237e-10};
        const double at = x > 0 ? math::ceil(2 * x) : math::floor(2 * x + 0.5), place = at / 2, h = x - place;
        const int k = static_cast<int>(at) + 20;
        // y'' = x y: coefficient n + 2 is (place * that of n + that of n - 1) / ((n + 1) (n + 2))
        double before = 0, a = values[k], b = slopes[k], power = 1, value = a, rise = b;
        for (int n = 0; n < 26; ++n) {
            const double next = (place * a + before) / ((n + 1.0) * (n + 2.0));
            before = a;
            a = b;
            b = next;
            power *= h;
            value += a * power;
            rise += (n + 2) * b * power;
        }
        return slope ? rise : value;
    }
    /// Coefficients of Ai's asymptotic series, u, or of its slope's, v: their alternating sum, or in two parts that of
    /// even and of odd powers.
    template <class Take>
    RICCI_HD void series(double zeta, const Take& take) const {
        double u = 1;
        for (int k = 0; k < 20; ++k) {
            take(k, slope ? (6 * k + 1) * u / (1 - 6 * k) : u);
            const double j = k + 1;
            u *= (6 * j - 5) * (6 * j - 3) * (6 * j - 1) / (216 * j * (2 * j - 1)) / zeta;
        }
    }
    static constexpr double root_of_pi = 1.7724538509055160273;
    RICCI_HD double decaying(double x, const phase& z) const {
        double sum = 0;
        series(z.head, [&](int k, double term) { sum += k % 2 == 0 ? term : -term; });
        const double root = math::sqrt(math::sqrt(x)), scale = math::exp(-z.head) * (1 - z.tail) / (2 * root_of_pi);
        return slope ? -root * scale * sum : scale / root * sum;
    }
    RICCI_HD double waving(double x, const phase& z) const {
        double even = 0, odd = 0;
        series(z.head, [&](int k, double term) {
            double& part = k % 2 == 0 ? even : odd;
            part += k % 4 < 2 ? term : -term;
        });
        const double root = math::sqrt(math::sqrt(x)), c = math::cos(z.head) - z.tail * math::sin(z.head),
                     s = math::sin(z.head) + z.tail * math::cos(z.head);
        // cos and sin of zeta - pi / 4
        const double cosine = (c + s) * 0.70710678118654752440, sine = (s - c) * 0.70710678118654752440;
        return slope ? root / root_of_pi * (sine * even - cosine * odd)
                     : (cosine * even + sine * odd) / (root * root_of_pi);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_OF_NUMBERS_1_OF_ORDER(airy, detail::airy_kernel)
#if defined(RICCI_HAS_SIMD)
template <class T>
[[gnu::noinline, gnu::const]] simd<T> airy(bool slope, simd<T> x) {
    return detail::by_lane(simd_mask<T>(true), [slope](T v) { return math::airy(slope, v); }, x, x);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
