// Minima of functions by L-BFGS: optimize::minimize.
#pragma once
#include <vector>

#include "../grad/transforms.hpp"
#include "unknowns.hpp"

namespace ricci::optimize {

/// When minimize stops: where no element of the gradient is larger than gtol, or the value falls by less than ftol
/// times itself (or 1), or after as many iterations (-1: 200 times the number of unknowns). The Hessian is known by the
/// last `history` steps: as many as there are iterations make it BFGS, at that many vectors of memory.
struct minimize_options {
    double gtol = 1e-5;
    double ftol = 0;
    index_t max_iterations = -1;
    index_t history = 20;
};

/// A minimum, the function's value there, and how the search ended.
template <class X, class V>
struct minimum {
    X x;
    V value;
    solver_status status;
};

namespace detail {

/// A function along a line, and its slope.
struct line_point {
    double step, value, slope;
};
/// The place between two points where the cubic through both, with their slopes, is least; the middle where it has
/// none.
inline double cubic_minimum(const line_point& a, const line_point& b) {
    const double width = b.step - a.step;
    const double d1 = a.slope + b.slope - 3 * (b.value - a.value) / width;
    const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), width);
    const double at = b.step - width * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
    const double low = a.step + 0.1 * width, high = b.step - 0.1 * width;
    return std::isfinite(at) ? std::fmin(std::fmax(at, std::fmin(low, high)), std::fmax(low, high))
                             : a.step + 0.5 * width;
}
/// A step with Wolfe's strong conditions, or the best one that falls, else 0. Between `low`, which falls enough and is
/// still falling, and `high`, which does not or is rising, there is always one (Nocedal & Wright 2006, lemma 3.1).
/// `noise` is what rounding may make of the value: near a minimum slopes tell more than values (Hager & Zhang 2005).
/// `shortest` is a step that rounding makes none.
template <class Evaluate>
double wolfe_step(const line_point& start, double first, double noise, double shortest, const Evaluate& evaluate_at) {
    constexpr double least_fall = 1e-4, curvature = 0.9;
    constexpr int most = 40;
    line_point low = start, high = start;
    bool bracketed = false;
    double step = first;
    for (int i = 0; i < most; ++i) {
        const line_point here = evaluate_at(step);
        const bool falls = here.value <= start.value + least_fall * step * start.slope + noise;
        if (!falls || !std::isfinite(here.slope)) {  // NaN falls not
            high = here;
            bracketed = true;
        } else if (std::fabs(here.slope) <= -curvature * start.slope) {
            return step;
        } else if (here.slope > 0) {
            high = here;
            bracketed = true;
        } else {
            low = here;
        }
        if (!bracketed) step *= 4;
        else if (std::isfinite(high.value) && std::isfinite(high.slope)) step = cubic_minimum(low, high);
        else step = low.step + 0.1 * (high.step - low.step);
        if (!std::isfinite(step) || step == low.step || step == high.step || step <= shortest) break;
    }
    return low.step;
}

/// What the gradient's changes along the last steps say of the inverse Hessian (Nocedal 1980).
template <class V>
class inverse_hessian {
   public:
    explicit inverse_hessian(index_t history) : history_(history) {}
    bool empty() const { return pairs_.empty(); }
    void forget() { pairs_.clear(); }
    void add(const V& step, const V& change) {
        const double curvature = inner_product(step, change);
        if (!(curvature > 0)) return;
        if (history_ > 0 && static_cast<index_t>(pairs_.size()) == history_) pairs_.erase(pairs_.begin());
        if (history_ > 0) pairs_.push_back({step, change, curvature});
    }
    V operator()(const V& gradient) const {
        V d = gradient.clone();
        std::vector<double> along(pairs_.size());
        for (std::size_t i = pairs_.size(); i-- > 0;) {
            along[i] = inner_product(pairs_[i].step, d) / pairs_[i].curvature;
            d -= along[i] * pairs_[i].change;
        }
        if (!pairs_.empty()) d *= pairs_.back().curvature / inner_product(pairs_.back().change, pairs_.back().change);
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            d += (along[i] - inner_product(pairs_[i].change, d) / pairs_[i].curvature) * pairs_[i].step;
        return d;
    }

   private:
    struct pair {
        V step, change;
        double curvature;
    };
    std::vector<pair> pairs_;
    index_t history_;
};

/// Minimizes from x, which it moves; value_and_slope(x) gives a tuple of a number and a vector.
template <class V, class F>
solver_status descend(V& x, const F& value_and_slope, const minimize_options& options) {
    using T = typename V::value_type;
    constexpr int most_level_steps = 10;
    solver_status status;
    double value = 0;
    V slope;
    const auto look = [&](const V& at) {
        ++status.evaluations;
        auto [y, g] = value_and_slope(at);
        slope = g;
        return y;
    };
    value = look(x);
    if (!std::isfinite(value) || !is_finite(slope))
        raise<value_error>({"[minimize] the function and its gradient must be finite at the start"});
    const index_t most = options.max_iterations < 0 ? 200 * x.size() : options.max_iterations;
    inverse_hessian<V> hessian(options.history);
    double flattest = std::numeric_limits<double>::infinity();
    int level_steps = 0;
    while (largest_of(slope) > options.gtol) {
        if (status.iterations == most) return ended(status, false, "as many iterations as were allowed");
        V direction = evaluate(-hessian(slope));
        double along = inner_product(direction, slope);
        if (!(along < 0)) {
            hessian.forget();
            direction = evaluate(-slope);
            along = -inner_product(slope, slope);
        }
        const V from = x.clone(), slope_there = slope.clone();
        const double noise = 8 * std::numeric_limits<T>::epsilon() * std::fabs(value);
        // the gradient's length says nothing of the first step's: none longer than 1
        const double first = hessian.empty() ? std::fmin(1, 1 / std::sqrt(-along)) : 1;
        line_point last{};
        const auto at_step = [&](double step) {
            x = from + T(step) * direction;
            const double y = look(x);
            return last = {step, y, inner_product(slope, direction)};
        };
        const double shortest = 0.5 * std::numeric_limits<T>::epsilon() *
                                min(where(direction != 0, abs(from / direction), HUGE_VAL)).item();
        const double step = wolfe_step({0, value, along}, first, noise, shortest, at_step);
        if (last.step != step) at_step(step);
        const double fall = value - last.value;
        ++status.iterations;
        if (step == 0 || !(fall >= -noise)) {
            value = last.value;
            if (hessian.empty()) return ended(status, false, "no step makes the value smaller in its precision");
            hessian.forget();  // once more, along the gradient
            continue;
        }
        const double size = std::fmax(1, std::fmax(std::fabs(value), std::fabs(last.value)));
        value = last.value;
        // where rounding hides what the steps gain, some may still find a smaller slope
        const double steepness = largest_of(slope);
        level_steps = fall > noise || steepness < flattest ? 0 : level_steps + 1;
        flattest = std::fmin(flattest, steepness);
        if (level_steps > most_level_steps)
            return ended(status, false, "no step makes the value smaller in its precision");
        hessian.add(evaluate(x - from), evaluate(slope - slope_there));
        if (fall <= options.ftol * size && options.ftol > 0)
            return ended(status, true, "the value falls no further than by ftol");
    }
    return status;
}

template <class F, class S>
struct minimizer {
    F f;
    S start;
    minimize_options options;
    std::shared_ptr<solver_status> status;
    template <class... P>
    auto operator()(const P&... parameters) const {
        const auto [flat, unravel] = unknowns(start);
        const auto of_vector = [&, together = unravel](const auto& v) { return f(together(v), parameters...); };
        auto x = flat.clone();
        merge_status(*status, descend(
                                  x,
                                  [&](const auto& v) {
                                      const auto both = value_and_grad(of_vector)(v);
                                      check_plain(std::get<0>(both));
                                      return std::make_pair(static_cast<double>(std::get<0>(both).item()),
                                                            evaluate(std::get<1>(both)));
                                  },
                                  options));
        return unravel(x);
    }
};

}  // namespace detail

/// A local minimum of f(x, parameters...), a scalar, from the start x0: an array, a number or a structure of arrays
/// (expr/structure.hpp) of float or double. L-BFGS with a line search of Wolfe's strong conditions (Nocedal & Wright
/// 2006), with f's gradient. Gives x, f's value there, and how it ended: `auto [x, value, status] =
/// optimize::minimize(f, x0)`; where it did not converge, status.converged is false, status.message says why, and x is
/// the best place found, as SciPy's and JAX's have it. Values that are not finite are steps too long. Throws
/// value_error where f or its gradient is not finite at the start.
///
/// x is a differentiable function of the parameters, by the implicit function theorem: what derivatives are wanted for,
/// or vmap maps over, must be a parameter, not a capture; derivatives are as exact as gtol, and solve equations with
/// the dense Hessian (custom_root). Under vmap members are solved one by one. (scipy.optimize.minimize.)
template <class F, ricci::detail::structured S, class... P>
auto minimize(F f, const S& x0, minimize_options options = {}, const P&... parameters) {
    const auto status = std::make_shared<solver_status>();
    const auto x = detail::solution_of("minimize", detail::slope_residual<F>{f},
                                       detail::minimizer<F, S>{f, x0, options, status}, parameters...);
    const auto value = evaluate(f(x, parameters...));
    return minimum<std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(value)>>{x, value, *status};
}
template <class F, std::size_t N, class... P>
auto minimize(F f, const double (&x0)[N], minimize_options options = {}, const P&... parameters) {
    return minimize(f, detail::array_in_braces<double>(x0), options, parameters...);
}

}  // namespace ricci::optimize
