// Nonlinear least squares and systems of equations by Levenberg and Marquardt's method: optimize::least_squares, root.
#pragma once
#include "../grad/jacobian.hpp"
#include "../grad/transforms.hpp"
#include "../ops/linalg/factor.hpp"
#include "../ops/linalg/solve.hpp"
#include "unknowns.hpp"

namespace ricci::optimize {

/// When least_squares stops: where a step is shorter than xtol times x; where the residuals are perpendicular, to gtol,
/// to all columns of their Jacobian; where a step, and its linear model, take less than ftol of the sum of squares
/// away; or after as many iterations (-1: 100 times the number of unknowns).
struct least_squares_options {
    double ftol = 0;
    double xtol = 1e-10;
    double gtol = 1e-10;
    index_t max_iterations = -1;
};

/// A minimum, the residuals there, half the sum of their squares, and how the search ended.
template <class X, class R, class C>
struct least_squares_result {
    X x;
    R residuals;
    C cost;
    solver_status status;
};

namespace detail {

/// The residuals' linear model around one place, in unknowns that are scaled so that its columns are of like length.
template <class V>
class damped_model {
    using T = typename V::value_type;

   public:
    template <class J>
    damped_model(const J& jacobian, const V& residuals, const V& scale) : scale_(scale) {
        const auto [q, r] = linalg::qr(evaluate(jacobian / scale));
        r_ = r;
        right_ = evaluate(-matmul(matrix_transpose(q), residuals));
    }
    /// The step, in scaled unknowns, for a damping, by a second factorization, of [R; sqrt(damping) 1].
    V step(double damping) const {
        const index_t n = scale_.size();
        const auto damp = evaluate(T(std::sqrt(damping)) * eye<T>(n));
        const auto [q, r] = linalg::qr(concat(std::make_tuple(r_, damp)));
        const V right = concat(std::make_tuple(right_, zeros<T>({n})));
        return linalg::solve_triangular(r, evaluate(matmul(matrix_transpose(q), right)), true);
    }
    /// By how much the model's sum of squares falls.
    double fall(const V& step, double damping) const {
        const V moved = matmul(r_, step);
        return inner_product(moved, moved) + 2 * damping * inner_product(step, step);
    }
    /// The largest cosine between the residuals, whose length is given, and a column.
    double slope(double length) const {
        const V along = matmul(matrix_transpose(r_), right_);
        const V columns = sqrt(sum(square(r_), 0));
        return largest_of(evaluate(where(columns > 0, along / columns, T(0)))) / length;
    }

   private:
    V scale_, right_;
    tensor<T, 2> r_;
};

/// How much steps are damped: less after those that gain what the model says, ever more after those that do not
/// (Nielsen 1999).
struct marquardt_damping {
    double value = 1e-3, growth = 2;
    /// Of the share of what the model says.
    void accept(double share) {
        const double gain = 2 * share - 1;
        value = std::fmax(value * std::fmax(1.0 / 3, 1 - gain * gain * gain), 1e-30);
        growth = 2;
    }
    void refuse() {
        value *= growth;
        growth *= 2;
    }
};

/// Lessens |residuals(x)| from x, which it moves (Marquardt 1963).
template <class V, class F, class J>
solver_status lessen_squares(const char* who, V& x, const F& residuals, const J& jacobian,
                             const least_squares_options& options) {
    using T = typename V::value_type;
    solver_status status{.evaluations = 1};
    V r = residuals(x);
    check_plain(r);
    if (!is_finite(r)) raise<value_error>({"[", who, "] the residuals must be finite at the start"});
    const double xtol = attainable<T>(options.xtol);
    const index_t most = options.max_iterations < 0 ? 100 * x.size() : options.max_iterations;
    V scale = zeros<T>({x.size()});
    marquardt_damping damping;
    double squares = inner_product(r, r), shortest = std::numeric_limits<double>::infinity();
    tensor<T, 2> j = jacobian(x);
    if (!is_finite(j)) return ended(status, false, "the Jacobian is not finite at the start");
    while (squares > 0) {
        scale = maximum(scale, sqrt(sum(square(j), 0)));
        const damped_model<V> model(j, r, where(scale > 0, scale, T(1)));
        if (model.slope(std::sqrt(squares)) <= attainable<T>(options.gtol))
            return ended(status, true, "the residuals are perpendicular to the Jacobian's columns");
        for (bool moved = false; !moved;) {
            if (status.iterations == most) return ended(status, false, "as many iterations as were allowed");
            ++status.iterations;
            const V step = model.step(damping.value);
            const V there = x + step / where(scale > 0, scale, T(1));
            const V r_there = residuals(there);
            ++status.evaluations;
            const double squares_there = inner_product(r_there, r_there);  // NaN and infinity are no gain
            const double predicted = model.fall(step, damping.value), actual = squares - squares_there;
            const double length = std::sqrt(inner_product(step, step)),
                         size = std::sqrt(inner_product(scale * x, scale * x));
            // where rounding hides what the steps gain, they go on for as long as they shrink
            const double noise = 8 * std::numeric_limits<T>::epsilon() * squares;
            const bool level = std::fabs(actual) <= noise && predicted <= noise;
            if (level && length >= shortest)
                return ended(status, true, "the sum of squares falls no further in its precision");
            if (level) shortest = length;
            moved = actual > 1e-4 * predicted || level;
            if (moved) {
                const tensor<T, 2> j_there = jacobian(there);
                moved = is_finite(j_there);  // the step was too long, as where the residuals are not
                if (moved) j = j_there;
            }
            if (moved) {
                damping.accept(level ? 1 : actual / predicted);
                x = there;
                r = r_there;
            } else {
                damping.refuse();
            }
            const bool flat = std::fabs(actual) <= options.ftol * squares && predicted <= options.ftol * squares;
            if (moved) squares = squares_there;
            if (flat && options.ftol > 0)
                return ended(status, true, "the sum of squares falls no further than by ftol");
            if (length <= xtol * size) return ended(status, true, "the steps are no longer than xtol");
            if (!std::isfinite(damping.value)) return ended(status, false, "no step makes the residuals smaller");
        }
    }
    return status;
}

/// Residuals of structures as a function of one vector to another.
template <class F, class Unravel, class... P>
auto residuals_of_vector(const F& f, const Unravel& unravel, const P&... parameters) {
    return [&f, unravel, parameters...](const auto& v) { return elements_of(f(unravel(v), parameters...)); };
}

template <class F, class S>
struct least_squares_solver {
    const char* who;
    F f;
    S start;
    least_squares_options options;
    std::shared_ptr<solver_status> status;
    template <class... P>
    auto operator()(const P&... parameters) const {
        const auto [flat, unravel] = unknowns(start);
        const auto residuals = residuals_of_vector(f, unravel, parameters...);
        auto x = flat.clone();
        merge_status(*status, lessen_squares(who, x, residuals, jacfwd(residuals), options));
        return unravel(x);
    }
};
template <class F>
struct half_squares {
    F f;
    template <class X, class... P>
    auto operator()(const X& x, const P&... parameters) const {
        return evaluate(0.5 * sum(square(elements_of(f(x, parameters...)))));
    }
};

/// The x of f(x, parameters...) = 0. A minimum of |f| is none unless Newton's step from there is short.
template <class F, class S>
struct root_solver {
    F f;
    S start;
    least_squares_options options;
    std::shared_ptr<solver_status> status;
    template <class... P>
    auto operator()(const P&... parameters) const {
        const auto [flat, unravel] = unknowns(start);
        const auto residuals = residuals_of_vector(f, unravel, parameters...);
        auto x = flat.clone();
        if (const index_t equations = residuals(x).size(); equations != x.size())
            raise<shape_error>({"[root] ", equations, " equations of ", x.size(), " unknowns"});
        auto ended = lessen_squares("root", x, residuals, jacfwd(residuals), options);
        using T = typename std::remove_cvref_t<decltype(x)>::value_type;
        const double near = std::sqrt(std::numeric_limits<T>::epsilon());
        const auto r = residuals(x);
        if (ended.converged && largest_of(r) > 0) {
            const auto newton = linalg::lstsq(jacfwd(residuals)(x), r).solution;
            const auto left = evaluate(r - matmul(jacfwd(residuals)(x), newton));
            ended.converged =
                largest_of(newton) <= near * (largest_of(x) + near) && largest_of(left) <= 0.1 * largest_of(r);
            if (!ended.converged) ended.message = "a minimum of the equations' squares that is no root";
        }
        merge_status(*status, ended);
        return unravel(x);
    }
};

}  // namespace detail

/// The x that minimizes the sum of squares of f(x, parameters...), residuals in an array or a structure of arrays, from
/// the start x0: an array, a number or a structure of float or double. Levenberg and Marquardt's method with the
/// Jacobian by forward mode, n directions at once, for some hundreds of unknowns. Gives x, the residuals, half the sum
/// of their squares, and how it ended: `auto [x, residuals, cost, status] = optimize::least_squares(f, x0)`;
/// status.converged and status.message as minimize has them. Where residuals or their Jacobian are not finite a step
/// was too long. Throws value_error where residuals are not finite at the start. No bounds: let x be a function of what
/// is unbounded, exp(u).
///
/// x is a differentiable function of the parameters, data among them, as minimize's is, with the whole Hessian of the
/// sum of squares. (scipy.optimize.least_squares.)
template <class F, ricci::detail::structured S, class... P>
auto least_squares(F f, const S& x0, least_squares_options options = {}, const P&... parameters) {
    const auto status = std::make_shared<solver_status>();
    const auto x =
        detail::solution_of("least_squares", detail::slope_residual<detail::half_squares<F>>{{f}},
                            detail::least_squares_solver<F, S>{"least_squares", f, x0, options, status}, parameters...);
    const auto residuals = f(x, parameters...);
    const auto cost = evaluate(0.5 * sum(square(detail::elements_of(residuals))));
    return least_squares_result<std::remove_cvref_t<decltype(x)>, std::remove_cvref_t<decltype(residuals)>,
                                std::remove_cvref_t<decltype(cost)>>{x, residuals, cost, *status};
}

template <class F, std::size_t N, class... P>
auto least_squares(F f, const double (&x0)[N], least_squares_options options = {}, const P&... parameters) {
    return least_squares(f, detail::array_in_braces<double>(x0), options, parameters...);
}

/// A solution x and how the search for it ended.
template <class X>
struct root_result {
    X x;
    solver_status status;
};
/// The x near x0 with f(x, parameters...) = 0, as many equations as unknowns, in a structure like x's: damped Newton
/// steps (least_squares'). `auto [x, status] = optimize::root(f, x0)`: status.converged is false, and status.message
/// says why, where it ended elsewhere, in a minimum of |f| for instance. Throws shape_error for another number of
/// equations, value_error where f is not finite at the start. x is a differentiable function of the parameters, as
/// custom_root says. (scipy.optimize.root, fsolve.)
template <class F, ricci::detail::structured S, class... P>
auto root(F f, const S& x0, least_squares_options options = {}, const P&... parameters) {
    const auto status = std::make_shared<solver_status>();
    const auto x = detail::solution_of("root", f, detail::root_solver<F, S>{f, x0, options, status}, parameters...);
    return root_result<std::remove_cvref_t<decltype(x)>>{x, *status};
}
template <class F, std::size_t N, class... P>
auto root(F f, const double (&x0)[N], least_squares_options options = {}, const P&... parameters) {
    return root(f, detail::array_in_braces<double>(x0), options, parameters...);
}

}  // namespace ricci::optimize
