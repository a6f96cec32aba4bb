// Distributions without a cheap inverse: each a struct that turns an element's own random numbers into one that it
// follows. They are element-wise ops of the element's index in the generator's stream and the parameters, so that
// broadcasting, threads, vmap and the GPU are those of any op.
#pragma once
#include "../../core/substream.hpp"
#include "../declarations.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::ops {
inline namespace RICCI_ISA {

/// Of an index (or bits) and parameters of type P; computed in double, no derivative.
template <class Result, class P = double>
struct variate {
    static constexpr bool differentiable = false;
    static constexpr int cost = 150;
    template <int I, class...>
    using argument = std::conditional_t<I == 0, std::uint64_t, P>;
    template <class...>
    using result = Result;
    std::uint64_t seed;
};

/// By squeezed rejection of a cubed normal (Marsaglia and Tsang 2000), the shape below 1 by a power of a uniform.
struct gamma_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double shape) const {
        detail::substream draws(seed, index);
        return draw(draws, shape);
    }
    RICCI_HD static double draw(detail::substream& draws, double shape) {
        double power;
        const double x = scaled(draws, shape, power);
        return shape < 1 ? x * math::exp(power) : x;
    }
    /// The logarithm of a variate, which does not underflow as those of small shapes do.
    RICCI_HD static double logarithm(detail::substream& draws, double shape) {
        double power;
        const double x = scaled(draws, shape, power);
        return math::log(x) + power;
    }

   private:
    /// A variate but for a factor exp(power), which is there for shapes below 1.
    RICCI_HD static double scaled(detail::substream& draws, double shape, double& power) {
        if (shape == 0) {
            power = -std::numeric_limits<double>::infinity();
            return 1;
        }
        const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / (3 * math::sqrt(d));
        for (;;) {
            double u;
            const double x = draws.normal(u), root = 1 + c * x;
            if (root <= 0) continue;
            const double v = root * root * root, square = x * x;
            if (u >= 1 - 0.0331 * square * square && math::log(u) >= 0.5 * square + d * (1 - v + math::log(v)))
                continue;
            power = shape < 1 ? math::log(draws.positive()) / shape : 0;
            return d * v;
        }
    }
};

/// The logarithm of a gamma variate.
struct log_gamma_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double shape) const {
        detail::substream draws(seed, index);
        return gamma_variate::logarithm(draws, shape);
    }
};

/// A normal over the root of a chi-square over its degrees of freedom, by the latter's logarithm, which does not
/// underflow where there are few.
struct student_t_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double freedom) const {
        detail::substream draws(seed, index);
        double u;
        const double z = draws.normal(u), half = 0.5 * freedom;
        if (half > 1e18) return z;  // the rest rounds to 1
        return z * math::exp(0.5 * (math::log(half) - gamma_variate::logarithm(draws, half)));
    }
};

/// X / (X + Y) of two gammas, where one of the parameters is below 1 by their logarithms: those of small ones
/// underflow.
struct beta_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double a, double b) const {
        detail::substream draws(seed, index);
        if (a >= 1 && b >= 1) {
            const double x = gamma_variate::draw(draws, a), y = gamma_variate::draw(draws, b);
            return x / (x + y);
        }
        const double x = gamma_variate::logarithm(draws, a), y = gamma_variate::logarithm(draws, b);
        const double infinity = std::numeric_limits<double>::infinity();
        if (x == -infinity && y == -infinity)
            return draws.uniform() * (a + b) < a ? 1 : 0;  // what is left in the limit
        return 1 / (1 + math::exp(y - x));
    }
};

/// An angle in [-pi, pi] of mean direction 0, by rejection from a wrapped Cauchy distribution (Best and Fisher 1979);
/// of a concentration above 1e7 a normal, from which it differs by less than 1e-7 of its deviation.
struct vonmises_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double concentration) const {
        detail::substream draws(seed, index);
        if (concentration > 1e7) {
            double u;
            return draws.normal(u) / math::sqrt(concentration);
        }
        const double r = 1 + math::sqrt(1 + 4 * concentration * concentration), t = 2 * concentration / r;
        for (;;) {
            const double z = math::cos(3.14159265358979323846 * draws.uniform());
            const double w = (t + z) / (1 + t * z), y = 0.5 * r - concentration * w, v = draws.positive();
            if (y * (2 - y) < v && math::log(y / v) + 1 < y) continue;
            const double angle = math::acos(w < -1 ? -1 : w > 1 ? 1 : w);
            return draws.uniform() < 0.5 ? -angle : angle;
        }
    }
};

/// Small rates by inversion, others by transformed rejection with a squeeze (Hormann 1993, PTRS).
struct poisson_variate : variate<std::int64_t> {
    static constexpr double most = 9.2e18;  // rates whose variates are 64-bit integers
    RICCI_HD std::int64_t value(std::uint64_t index, double rate) const {
        detail::substream draws(seed, index);
        return static_cast<std::int64_t>(rate < 10 ? by_inversion(draws.uniform(), rate) : by_rejection(draws, rate));
    }

   private:
    RICCI_HD static double by_inversion(double u, double rate) {
        double k = 0, p = math::exp(-rate), below = p;
        while (u >= below) {
            p *= rate / ++k;
            if (below + p == below) break;  // what is left of u is rounding
            below += p;
        }
        return k;
    }
    RICCI_HD static double by_rejection(detail::substream& draws, double rate) {
        const double root = math::sqrt(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
        const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), squeeze = 0.9277 - 3.6224 / (b - 2);
        for (;;) {
            const double u = draws.uniform() - 0.5, v = draws.uniform(), edge = 0.5 - (u < 0 ? -u : u);
            const double k = math::floor((2 * a / edge + b) * u + rate + 0.43);
            if (edge >= 0.07 && v <= squeeze) return k;
            if (!(k >= 0) || (edge < 0.013 && v > edge)) continue;
            if (math::log(v * inverse_alpha / (a / (edge * edge) + b)) <= log_probability(k, rate)) return k;
        }
    }
    /// log(rate^k exp(-rate) / k!). Of large rates by Stirling's formula and the deviance (Loader 2000): the terms of
    /// the plain formula cancel.
    RICCI_HD static double log_probability(double k, double rate) {
        if (rate < 1e8) return k * math::log(rate) - rate - math::lgamma(k + 1);
        const double x = (k - rate) / rate, deviance = rate * ((1 + x) * math::log1p(x) - x);
        return -deviance - 0.5 * math::log(6.283185307179586 * k) - 1 / (12 * k);
    }
};

/// Successes among n trials: few expected ones by inversion, others by transformed rejection with a squeeze (Hormann
/// 1993, BTRS), of the rarer of success and failure.
struct binomial_variate : variate<std::int64_t> {
    static constexpr double most = 9007199254740992.0;  // trials that doubles count one by one
    RICCI_HD std::int64_t value(std::uint64_t index, double n, double p) const {
        detail::substream draws(seed, index);
        const bool rare = p <= 0.5;
        const double q = rare ? p : 1 - p;
        const double k = n * q < 10 ? by_inversion(draws.uniform(), n, q) : by_rejection(draws, n, q);
        return static_cast<std::int64_t>(rare ? k : n - k);
    }

   private:
    RICCI_HD static double by_inversion(double u, double n, double p) {
        const double odds = p / (1 - p);
        double k = 0, mass = math::exp(n * math::log1p(-p)), below = mass;
        while (u >= below && k < n) {
            mass *= (n - k) / (k + 1) * odds;
            ++k;
            if (below + mass == below) break;  // what is left of u is rounding
            below += mass;
        }
        return k;
    }
    RICCI_HD static double by_rejection(detail::substream& draws, double n, double p) {
        const double root = math::sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * root, a = -0.0873 + 0.0248 * b + 0.01 * p;
        const double alpha = (2.83 + 5.1 / b) * root, squeeze = 0.92 - 4.2 / b;
        const double top = log_mass(math::floor((n + 1) * p), n, p);
        for (;;) {
            const double u = draws.uniform() - 0.5, v = draws.positive(), edge = 0.5 - (u < 0 ? -u : u);
            const double k = math::floor((2 * a / edge + b) * u + n * p + 0.5);
            if (edge >= 0.07 && v <= squeeze) return k;
            if (!(k >= 0 && k <= n)) continue;
            if (math::log(v * alpha / (a / (edge * edge) + b)) <= log_mass(k, n, p) - top) return k;
        }
    }
    /// The logarithm of the probability of k but for what does not depend on k, by deviances, whose terms do not cancel
    /// where n is large (Loader 2000).
    RICCI_HD static double log_mass(double k, double n, double p) {
        return -deviance(k, n * p) - deviance(n - k, n * (1 - p)) - stirling(k) - stirling(n - k);
    }
    /// x log(x / m) + m - x.
    RICCI_HD static double deviance(double x, double m) {
        const double e = (x - m) / m;
        return x > 0 ? m * ((1 + e) * math::log1p(e) - e) : m;
    }
    /// log x! - (x log x - x).
    RICCI_HD static double stirling(double x) {
        if (x < 16) return x > 0 ? math::lgamma(x + 1) - x * math::log(x) + x : 0;
        const double r = 1 / x, square = r * r;
        return 0.5 * math::log(6.283185307179586 * x) + r * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260)));
    }
};

/// A normal between two bounds, by the rejection that accepts about half of its proposals or more wherever they lie:
/// from the normal, the uniform or, in the tails, the exponential distribution (Robert 1995).
struct truncated_normal_variate : variate<double> {
    RICCI_HD double value(std::uint64_t index, double mean, double stddev, double low, double high) const {
        detail::substream draws(seed, index);
        const double from = (low - mean) / stddev, to = (high - mean) / stddev;
        if (from > std::numeric_limits<double>::max()) return low;  // so far out that nothing is beyond it
        if (to < -std::numeric_limits<double>::max()) return high;
        return mean + stddev * standard(draws, from, to);
    }

   private:
    RICCI_HD static double standard(detail::substream& draws, double low, double high) {
        if (low > 0) return tail(draws, low, high);
        if (high < 0) return -tail(draws, -high, -low);
        const double width = high - low;
        for (double u;;) {
            const double z = width > 2.5 ? draws.normal(u) : low + width * draws.uniform();
            if (width > 2.5 ? low <= z && z <= high : draws.uniform() < math::exp(-0.5 * z * z)) return z;
        }
    }
    RICCI_HD static double tail(detail::substream& draws, double low, double high) {
        if (low > 1e8) return low + exponential(draws, low, high - low);  // what the density is there
        const double root = math::sqrt(low * low + 4), rate = 0.5 * (low + root), width = high - low;
        const double worth = 2 / (low + root) * math::exp(0.25 * low * (low - root) + 0.5);
        for (;;) {
            const bool narrow = width < worth;
            const double z = low + (narrow ? width * draws.uniform() : exponential(draws, rate, width));
            const double log_ratio = narrow ? 0.5 * (low - z) * (low + z) : -0.5 * (z - rate) * (z - rate);
            if (draws.uniform() < math::exp(log_ratio)) return z;
        }
    }
    /// Between 0 and `width`.
    RICCI_HD static double exponential(detail::substream& draws, double rate, double width) {
        return -math::log1p(draws.uniform() * math::expm1(-rate * width)) / rate;
    }
};

/// Of 64 bits, the integers low ... high - 1 without bias (Lemire 2019): the high word of their product with the
/// number of integers. The few low words that would make some integers more frequent than others are drawn again.
template <class W>
struct integer_variate : variate<W, W> {
    static constexpr int cost = 12;
    RICCI_HD W value(std::uint64_t bits, W low, W high) const {
        const std::uint64_t count = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        if (bits * count < count) [[unlikely]]
            bits = unbiased(this->seed, bits, count);
        return static_cast<W>(static_cast<std::uint64_t>(low) + detail::high_half(bits, count));
    }

   private:
    RICCI_HD RICCI_NOINLINE static std::uint64_t unbiased(std::uint64_t seed, std::uint64_t bits, std::uint64_t count) {
        const std::uint64_t surplus = (0 - count) % count;
        detail::substream more(seed, bits, detail::random_stream::again);
        while (bits * count < surplus) bits = more.bits();
        return bits;
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::ops
RICCI_BOTH_SIDES_END
