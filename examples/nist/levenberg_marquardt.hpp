// Nonlinear least squares: More's Levenberg-Marquardt (The Levenberg-Marquardt algorithm, 1978), then Gauss-Newton
// steps down to the rounding level, and what the fit says about its own precision.
#pragma once
#include <ricci/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pivoted_qr.hpp"

namespace nist {

/// What a model is at one vector of parameters: residual = y - prediction, jacobian = d prediction / d parameters.
struct linearization {
    std::vector<double> residual;
    matrix jacobian;

    double sum_of_squares() const { return dot(residual, residual); }
    bool is_finite() const {
        double total = sum_of_squares();
        for (std::size_t j = 0; j < jacobian.columns(); ++j) total += norm(jacobian.column(j));
        return std::isfinite(total);
    }
};

struct fit_options {
    double first_radius = 1;  ///< first step at most this often the length of the scaled starting point
    std::size_t max_evaluations = 20000;
};

/// A minimum of the sum of squares and its precision.
struct fit {
    std::vector<double> parameters;
    std::vector<double> deviation;  ///< standard deviation of each parameter
    std::vector<double> rounding;   ///< relative error of each parameter that rounding the residuals explains
    double residual_sum_of_squares = 0, residual_deviation = 0;
    std::size_t evaluations = 0;
    double last_step = 0;  ///< largest relative change of a parameter in the best of the last steps
};

namespace detail {

/// The linear least squares problem of one iteration, in parameters scaled so that columns have comparable length.
class scaled_step {
public:
    scaled_step(const linearization& at, const std::vector<double>& scale)
        : qr_(divide_columns(at.jacobian, scale)), projected_(qr_.project(at.residual)) {}

    /// The Gauss-Newton step.
    std::vector<double> newton() const { return qr_.solve_projected(projected_); }
    const pivoted_qr& qr() const { return qr_; }

    /// The step of length `radius` (within a tenth), or the Gauss-Newton step where that is shorter; sets `damping`.
    std::vector<double> within(double radius, double& damping) const {
        std::vector<double> step = newton();
        damping = 0;
        double excess = norm(step) - radius;
        if (excess <= 0.1 * radius) return step;

        const double slope = gradient_norm();
        double lower = qr_.rank() == step.size() ? correction(qr_, step, excess, radius) : 0, upper = slope / radius;
        damping = std::clamp(slope / norm(step), lower, std::max(lower, upper));
        for (int i = 0; i < 20; ++i) {
            if (!(damping > 0)) damping = std::max(0.001 * upper, std::numeric_limits<double>::min());
            const pivoted_qr damped(damp(damping));
            std::vector<double> right = projected_;
            right.resize(2 * right.size());
            step = damped.solve_projected(damped.project(right));
            excess = norm(step) - radius;
            if (std::abs(excess) <= 0.1 * radius) break;
            (excess > 0 ? lower : upper) = damping;
            damping = std::max(lower, damping + correction(damped, step, excess, radius));
            if (damping > upper) damping = std::sqrt(lower * upper);
        }
        return step;
    }

    /// |J step|^2.
    double fall(const std::vector<double>& step) const {
        double sum = 0;
        for (std::size_t i = 0; i < step.size(); ++i) {
            double row = 0;
            for (std::size_t j = i; j < step.size(); ++j) row += qr_.r(i, j) * step[qr_.pivot(j)];
            sum += row * row;
        }
        return sum;
    }

private:
    static matrix divide_columns(matrix a, const std::vector<double>& scale) {
        for (std::size_t j = 0; j < a.columns(); ++j)
            for (double& value : a.column(j)) value /= scale[j];
        return a;
    }

    double gradient_norm() const {
        double sum = 0;
        for (std::size_t j = 0; j < projected_.size(); ++j) {
            double column = 0;
            for (std::size_t i = 0; i <= j; ++i) column += qr_.r(i, j) * projected_[i];
            sum += column * column;
        }
        return std::sqrt(sum);
    }

    /// [R transpose(P); sqrt(damping) I]
    matrix damp(double damping) const {
        const std::size_t n = projected_.size();
        matrix stacked(2 * n, n);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i <= j; ++i) stacked(i, qr_.pivot(j)) = qr_.r(i, j);
            stacked(n + j, j) = std::sqrt(damping);
        }
        return stacked;
    }

    /// Hebden's Newton correction of the damping for |step(damping)| = radius.
    static double correction(const pivoted_qr& qr, const std::vector<double>& step, double excess, double radius) {
        std::vector<double> direction = step;
        for (double& value : direction) value /= excess + radius;
        const auto w = qr.solve_transposed(direction);
        return excess / (radius * dot(w, w));
    }

    pivoted_qr qr_;
    std::vector<double> projected_;
};

inline std::vector<double> column_norms(const matrix& a) {
    std::vector<double> lengths(a.columns());
    for (std::size_t j = 0; j < a.columns(); ++j) {
        lengths[j] = norm(a.column(j));
        if (!(lengths[j] > 0)) lengths[j] = 1;
    }
    return lengths;
}

inline std::vector<double> moved(std::vector<double> from, const std::vector<double>& step,
                                 const std::vector<double>& scale) {
    for (std::size_t j = 0; j < from.size(); ++j) from[j] += step[j] / scale[j];
    return from;
}

/// The relative changes of the sum of squares that a step promises and brings.
struct progress {
    double predicted, actual, slope;
    double ratio() const { return predicted > 0 ? actual / predicted : 0; }
};

/// More's rule for the next trust radius.
inline double next_radius(double radius, double step_length, double damping, const progress& change) {
    if (change.ratio() <= 0.25) {
        const double parabola = change.actual >= 0 ? 0.5 : 0.5 * change.slope / (change.slope + 0.5 * change.actual);
        return std::max(parabola, 0.1) * std::min(radius, 10 * step_length);
    }
    return damping == 0 || change.ratio() >= 0.75 ? 2 * step_length : radius;
}

/// Damped steps until neither the sum of squares nor the parameters change to working precision.
template <class Linearize>
linearization descend(Linearize& linearize, std::vector<double>& b, const fit_options& options,
                      std::size_t& evaluations) {
    constexpr double tiny = 4 * std::numeric_limits<double>::epsilon();
    linearization here = linearize(b);
    evaluations = 1;
    if (!here.is_finite()) throw ricci::value_error("the model is not finite at the starting values");
    std::vector<double> scale = column_norms(here.jacobian);
    double radius = 0;

    while (here.sum_of_squares() > 0) {
        const std::vector<double> lengths = column_norms(here.jacobian);
        for (std::size_t j = 0; j < b.size(); ++j) scale[j] = std::max(scale[j], lengths[j]);
        double length = 0;
        for (std::size_t j = 0; j < b.size(); ++j) length = std::hypot(length, scale[j] * b[j]);
        if (evaluations == 1) radius = options.first_radius * (length > 0 ? length : 1);

        const scaled_step problem(here, scale);
        for (bool accepted = false; !accepted;) {
            if (evaluations++ >= options.max_evaluations) return here;
            double damping = 0;
            const std::vector<double> step = problem.within(radius, damping);
            std::vector<double> there_b = moved(b, step, scale);
            linearization there = linearize(there_b);

            const double now = here.sum_of_squares(), step_length = norm(step);
            const double linear = problem.fall(step) / now, damped = damping * step_length * step_length / now;
            const progress change{
                .predicted = linear + 2 * damped,
                .actual = there.is_finite() ? 1 - there.sum_of_squares() / now : -std::numeric_limits<double>::max(),
                .slope = -(linear + damped)};
            radius = next_radius(radius, step_length, damping, change);
            accepted = change.ratio() >= 1e-4;
            if (accepted) {
                b = std::move(there_b);
                here = std::move(there);
            }
            const bool flat = std::abs(change.actual) <= tiny && change.predicted <= tiny;
            if (flat || radius <= tiny * length) return here;
        }
    }
    return here;
}

/// Gauss-Newton steps for as long as they shrink: the sum of squares is flat here, the step is not.
template <class Linearize>
linearization polish(Linearize& linearize, linearization here, fit& result) {
    constexpr int patience = 4;
    std::vector<double> b = result.parameters;
    const double ceiling = here.sum_of_squares() * 1.01 + std::numeric_limits<double>::min();
    linearization best = here;
    result.last_step = std::numeric_limits<double>::infinity();
    for (int since_best = 0; since_best < patience && result.last_step > 0;) {
        const std::vector<double> scale = column_norms(here.jacobian);
        const std::vector<double> step = scaled_step(here, scale).newton();
        double size = 0;
        for (std::size_t j = 0; j < b.size(); ++j)
            if (step[j] != 0) size = std::max(size, std::abs(step[j] / scale[j]) / std::max(std::abs(b[j]), 1e-300));
        if (size < result.last_step) {
            result.last_step = size;
            result.parameters = b;
            best = here;
            since_best = 0;
        } else {
            ++since_best;
        }
        b = moved(b, step, scale);
        here = linearize(b);
        ++result.evaluations;
        if (!here.is_finite() || here.sum_of_squares() > ceiling) break;
    }
    return best;
}

/// Standard deviations from inverse(R), and the errors that rounding each prediction (taken as two units in the last
/// place of the observation) causes through the pseudo-inverse of the Jacobian.
inline void judge(const linearization& at, const std::vector<double>& y, fit& result) {
    const std::size_t n = at.residual.size(), p = result.parameters.size();
    const std::vector<double> scale = column_norms(at.jacobian);
    const scaled_step problem(at, scale);
    result.residual_sum_of_squares = at.sum_of_squares();
    result.residual_deviation = n > p ? std::sqrt(result.residual_sum_of_squares / static_cast<double>(n - p)) : 0;
    for (std::size_t j = 0; j < p; ++j) {
        std::vector<double> unit(p);
        unit[j] = 1;
        auto w = problem.qr().solve_transposed(unit);
        result.deviation.push_back(problem.qr().rank() == p ? result.residual_deviation * norm(w) / scale[j]
                                                            : std::numeric_limits<double>::infinity());
        w.resize(p);
        const std::vector<double> row = problem.qr().solve_projected(w);
        double error = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double inverse = 0;
            for (std::size_t k = 0; k < p; ++k) inverse += at.jacobian(i, k) / scale[k] * row[k];
            error += std::abs(inverse / scale[j]) * (std::abs(y[i]) + std::abs(y[i] - at.residual[i]));
        }
        result.rounding.push_back(error * std::numeric_limits<double>::epsilon() / std::abs(result.parameters[j]));
    }
}

}  // namespace detail

/// Minimizes |y - model(b)| from `start`. `linearize(b)` returns the linearization at b; it may be infinite or NaN
/// anywhere but at the start, such steps are taken back. Throws ricci::value_error for fewer observations than
/// parameters.
template <class Linearize>
fit levenberg_marquardt(Linearize linearize, const std::vector<double>& y, std::vector<double> start,
                        fit_options options = {}) {
    if (y.size() < start.size())
        throw ricci::value_error("a fit of " + std::to_string(start.size()) +
                                 " parameters needs as many observations, not " + std::to_string(y.size()));
    fit result;
    linearization at = detail::descend(linearize, start, options, result.evaluations);
    result.parameters = std::move(start);
    at = detail::polish(linearize, std::move(at), result);
    detail::judge(at, y, result);
    return result;
}

}  // namespace nist
