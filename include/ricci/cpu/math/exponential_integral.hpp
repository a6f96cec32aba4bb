// The exponential integrals Ei, E1 and En, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Ei(x), or E1(x) = -Ei(-x) of x >= 0. Far from 0 it is exp(x) / x times a slow function of 1 / x, near it the
/// logarithm and an entire function. (Cody and Thacher 1968, 1969; the approximations by mpmath.)
struct expi_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S zero(0), one(1), eight(8), nan(std::numeric_limits<double>::quiet_NaN());
        const auto positive = zero < x, below = x < zero;
        S y = nan;
        if (any_lane(below)) y = math::select(below, -decaying(math::select(below, -x, one)), nan);
        if (any_lane(positive & (x <= eight)))
            y = math::select(positive, near(math::minimum(math::select(positive, x, one), eight)), y);
        if (any_lane(eight < x)) y = math::select(eight < x, growing(math::maximum(x, eight)), y);
        return math::select(x == zero, S(-std::numeric_limits<double>::infinity()), y);
    }
    /// E1(t) for t > 0. Up to 1 by its distance from the logarithm, in powers of t - 1, where that cancels most.
    template <class S>
    RICCI_HD RICCI_INLINE static S decaying(const S& t) {
        const S one(1), v = math::minimum(math::maximum(t, one), S(800));  // where exp(-t) has underflowed
        const S top = horner<double>(v, 4.3229154772200395, 786.7547823261035, 9960.8765320519, 38463.4882062325,
                                     63028.52042242962, 50858.26024307405, 21788.537490189115, 5107.070925699701,
                                     646.6529875657878, 40.90292727891245, 1.0);
        const S bottom = v * horner<double>(v, 226.5461682757669, 5020.928286860448, 31120.432785524707,
                                            80110.3629451538, 101456.07943908477, 69018.94763469312, 26358.66421117972,
                                            5715.820985978521, 686.555914844734, 41.902927278912394, 1.0);
        const S y = math::exp(-t) * top / bottom;
        const auto close = t < one;
        if (!any_lane(close)) return y;
        const S inner = math::minimum(t, one), u = inner - one;
        const S rest = horner<double>(u, 0.21938393439552029, 0.6321205588285577, -0.1321205588285577,
                                      0.02676713235713134, -0.004747039219039334, 0.0007319693654605722,
                                      -9.903080297963755e-05, 1.1891592551296418e-05, -1.2811501797410775e-06,
                                      1.250212672618509e-07, -1.1144413422243527e-08, 9.11443980962485e-10,
                                      -7.076670595533986e-11, 4.1886763679569996e-12, -5.158054777851381e-13);
        return math::select(close, rest - math::log(inner), y);
    }

   private:
    /// log(x / x0) + (x - x0) r(x) for x up to 8, where x0 is the zero.
    template <class S>
    RICCI_HD RICCI_INLINE static S near(const S& x) {
        const S x0(0.3725074107813666), away = (x - x0) - S(1.3140183414386028e-17), change = away / x0;
        const auto close = math::abs(change) < S(0.25);
        S log = math::log1p(math::select(close, change, S(0)));
        if (any_lane(!close)) {
            const auto tiny = x < S(0x1p-1000);  // the quotient would be subnormal
            log = math::select(close, log, math::log(x / math::select(tiny, S(1), x0)));
            log = math::select(tiny, log + S(0.9874983466453419), log);
        }
        const S r = long_horner<double>(
            x, 1.1014081059037335, 0.2722311099556954, 0.0596796447862839, 0.011071160227748426, 0.001756994738365167,
            0.0002424866468583201, 2.954347165752024e-05, 3.2182080287075332e-06, 3.167769013237464e-07,
            2.8435545593369368e-08, 2.340768720337534e-09, 1.8034878459064726e-10, 1.1992560980423915e-11,
            1.0584110113174879e-12, -5.753354323518891e-15, 1.5364909663234472e-14, -1.9420732187936146e-15,
            2.982194163334628e-16, -3.090842946462976e-17, 2.652088003879248e-18, -1.6483276574740182e-19,
            7.47610411836738e-21, -2.1295293418326486e-22, 3.1809084256715773e-24);
        return math::fma(away, r, log);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static S growing(const S& x) {
        const S w = S(1) / x, most(24);
        S slow = x;
        if (any_lane(x < most)) {
            const S u = math::fma(w, S(24), S(-2));
            slow = long_horner<double>(
                u, 1.1029745449067592, 0.0663599969871749, 0.01143817510780097, 0.002284538127901456,
                -0.0007168215029033172, -0.0006719540763485106, 9.334164289715698e-05, 0.00013732289781970782,
                -4.6166559793343575e-05, -1.7692148326867955e-05, 1.6579944885638026e-05, -2.7617786523020113e-06,
                -2.5346984317962296e-06, 1.9046663812117448e-06, -4.2919907663239844e-07, -2.009695747237099e-07,
                2.1444652102257967e-07, -8.593888886470386e-08, 1.17604175925247e-08, 1.3997759435286605e-08,
                -1.915847898869641e-08, 8.376812810019062e-09, 2.791598188274376e-09, -2.979994579526709e-09,
                7.38953497759851e-11, 2.6905339673864606e-10);
        }
        if (any_lane(most <= x)) {
            const S u = math::fma(w, S(48), S(-1));
            slow = math::select(
                most <= x,
                long_horner<double>(
                    u, 1.0217607036601566, 0.022753072027361203, 0.0010637687855469507, 7.863790795929546e-05,
                    8.211967491388118e-06, 1.1430194549158816e-06, 2.0531270010781703e-07, 4.68389469607205e-08,
                    1.3569966703857371e-08, 5.068685889975313e-09, 2.450505025930037e-09, 1.5433693301190875e-09,
                    1.0697278399774904e-09, 1.4919915273103306e-10, -9.522556330704613e-10, -8.548955845121399e-10,
                    1.9799623864786584e-10, 4.852413449606105e-10, 8.12059948969991e-12, -1.415893024984991e-10,
                    -7.468941889016729e-12, 1.8753708030501866e-11),
                slow);
        }
        // the exponential is infinite before its quotient by x is
        const auto late = S(700) < x;
        const S power = math::exp(x - math::select(late, S(64), S(0)));
        const S y = (power * w) * slow * math::select(late, S(6.235149080811617e+27), S(1));
        return math::select(x < S(std::numeric_limits<double>::infinity()), y, x);
    }
};
struct exp1_kernel {
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const S y = expi_kernel::decaying(math::select(zero < x, x, one));
        const S end = math::select(x == zero, infinity, S(std::numeric_limits<double>::quiet_NaN()));
        return math::select(zero < x, y, end);
    }
};
/// En(x). Up to 2 by the recurrence n E(n + 1) = exp(-x) - x En from E1, or from so many steps below n that what it
/// begins with does not show; beyond by a continued fraction (Abramowitz and Stegun 5.1.14, 5.1.22). For n < 1 the
/// recurrence downwards.
struct expn_kernel {
    int n;
    template <class S>
    RICCI_HD RICCI_INLINE S operator()(const S& x) const {
        const S zero(0), one(1), infinity(std::numeric_limits<double>::infinity());
        const auto inside = (zero < x) & (x < infinity);
        const S t = math::select(inside, x, one), fall = math::exp(-t);
        S y = n < 1 ? below(t, fall) : n == 1 ? expi_kernel::decaying(t) : zero;
        if (n > 1) {
            const auto close = t <= S(2);
            if (any_lane(close)) y = upwards(math::select(close, t, one), fall);
            if (any_lane(!close)) y = math::select(close, y, fall / fraction(math::select(close, S(2), t)));
        }
        y = math::select(x == infinity, zero, y);
        const S end = n > 1 ? S(1 / static_cast<double>(n - 1)) : infinity;
        return math::select(inside | (x == infinity), y,
                            math::select(x == zero, end, S(std::numeric_limits<double>::quiet_NaN())));
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE S below(const S& t, const S& fall) const {
        S y = fall / t;
        for (int j = 1; j <= -n; ++j) y = (fall + S(j) * y) / t;
        return y;
    }
    template <class S>
    RICCI_HD RICCI_INLINE S upwards(const S& t, const S& fall) const {
        int j = n > 40 ? n - 30 : 1;
        S y = j == 1 ? expi_kernel::decaying(t) : fall / (t + S(j));
        for (; j < n; ++j) y = (fall - t * y) * S(1 / static_cast<double>(j));
        return y;
    }
    template <class S>
    RICCI_HD RICCI_INLINE S fraction(const S& t) const {
        int k = any_lane(t < S(4)) ? 56 : 32;
        const S first = t + S(n);
        S y = first + S(2 * k);
        for (; k > 0; --k) y = (first + S(2 * k - 2)) - S(k * (static_cast<double>(n) + (k - 1))) / y;
        return y;
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1(expi, detail::expi_kernel)
RICCI_KERNEL_1(exp1, detail::exp1_kernel)
RICCI_KERNEL_1_OF_ORDER(expn, detail::expn_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
