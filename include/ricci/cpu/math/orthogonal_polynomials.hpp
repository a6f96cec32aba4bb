// Classical orthogonal polynomials by their recurrences, of numbers and registers alike, in doubles.
#pragma once
#include "wide_kernel.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {

/// Which Jacobi polynomial, scaled to be `at_one` at 1; 0 for a negative degree.
struct jacobi_polynomial {
    int degree;
    double alpha, beta, at_one;
};
/// Which Laguerre polynomial, times `scale`.
struct laguerre_polynomial {
    int degree;
    double alpha, scale;
};
/// Which Hermite polynomial, times `scale`: the leading coefficient is step^degree.
struct hermite_polynomial {
    int degree;
    double step, scale;
};
/// The product of (k + above) / (k + below) for k from 1 to n: a ratio of binomial coefficients.
RICCI_HD inline double product_of_ratios(int n, double above, double below) {
    double y = 1;
    for (int k = 1; k <= n; ++k) y *= (k + above) / (k + below);
    return y;
}

inline namespace RICCI_ISA {

/// By differences of successive degrees, whose sums lose nothing near 1 (Reinsch; Gautschi, Orthogonal Polynomials,
/// 2004), for arguments from 0 on; others by reflection.
struct jacobi_kernel {
    jacobi_polynomial p;
    template <class S>
    RICCI_HD S operator()(const S& x) const {
        if (p.degree <= 0) return S(p.degree < 0 ? 0.0 : p.at_one);
        const auto negative = x < S(0);
        const S z = math::abs(x);
        S y = p.alpha == p.beta ? symmetric(z) : upwards(z, p.alpha, p.beta);
        if (p.alpha != p.beta && any_lane(negative))
            y = math::select(negative, S(product_of_ratios(p.degree, p.beta, p.alpha)) * upwards(z, p.beta, p.alpha),
                             y);
        if (p.degree % 2 != 0) y = math::select(negative, -y, y);
        return S(p.at_one) * y;
    }

   private:
    template <class S>
    RICCI_HD S upwards(const S& z, double a, double b) const {
        const S away = z - S(1);
        S difference = S((a + b + 2) / (2 * (a + 1))) * away, y = S(1) + difference;
        for (int k = 1; k < p.degree; ++k) {
            const double t = 2.0 * k + a + b, below = 2 * (k + a + 1) * (k + a + b + 1) * t;
            difference = math::fma(S(t * (t + 1) * (t + 2) / below) * away, y,
                                   S(2 * k * (k + b) * (t + 2) / below) * difference);
            y = y + difference;
        }
        return y;
    }
    /// Of equal parameters, Gegenbauer's; near 0, where half of them vanish, by the recurrence of three degrees.
    template <class S>
    RICCI_HD S symmetric(const S& z) const {
        const auto near = z < S(0.5);
        const double order = p.alpha + 0.5;
        S y = z;
        if (any_lane(!near)) {
            const S away = z - S(1);
            S difference = away;
            for (int k = 2; k <= p.degree; ++k) {
                const double below = k + 2 * order - 1;
                difference = math::fma(S(2 * (k + order - 1) / below) * away, y, S((k - 1) / below) * difference);
                y = y + difference;
            }
        }
        if (!any_lane(near)) return y;
        S before(1), at = z;
        for (int k = 2; k <= p.degree; ++k) {
            const double below = k + 2 * order - 1;
            const S next = math::fma(S(2 * (k + order - 1) / below) * z, at, -S((k - 1) / below) * before);
            before = at;
            at = next;
        }
        return math::select(near, at, y);
    }
};
/// By differences of successive degrees, too.
struct laguerre_kernel {
    laguerre_polynomial p;
    template <class S>
    RICCI_HD S operator()(const S& x) const {
        if (p.degree <= 0) return S(p.degree < 0 ? 0.0 : p.scale);
        S difference = S(p.alpha) - x, y = S(1) + difference;
        for (int k = 2; k <= p.degree; ++k) {
            difference = math::fma(S(k - 1 + p.alpha), difference, -x * y) * S(1.0 / k);
            y = y + difference;
        }
        // beyond all zeros the terms of a sum that overflows have one sign, but not in floating point
        const S infinity(p.degree % 2 != 0 ? -std::numeric_limits<double>::infinity()
                                           : std::numeric_limits<double>::infinity());
        return S(p.scale) * math::select((S(4 * (p.degree + p.alpha + 1)) < x) & (y != y), infinity, y);
    }
};
struct hermite_kernel {
    hermite_polynomial p;
    template <class S>
    RICCI_HD S operator()(const S& x) const {
        if (p.degree <= 0) return S(p.degree < 0 ? 0.0 : p.scale);
        S before(1), y = S(p.step) * x;
        for (int k = 2; k <= p.degree; ++k) {
            const S next = S(p.step) * math::fma(x, y, S(1.0 - k) * before);
            before = y;
            y = next;
        }
        const S infinity(std::numeric_limits<double>::infinity());
        const S beyond = p.degree % 2 != 0 ? math::select(x < S(0), -infinity, infinity) : infinity;
        return S(p.scale) * math::select((S(4 * (p.degree + 1.0)) < x * x) & (y != y), beyond, y);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
namespace math {
inline namespace RICCI_ISA {

RICCI_KERNEL_1_OF_ORDER(jacobi, detail::jacobi_kernel)
RICCI_KERNEL_1_OF_ORDER(laguerre, detail::laguerre_kernel)
RICCI_KERNEL_1_OF_ORDER(hermite, detail::hermite_kernel)

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
