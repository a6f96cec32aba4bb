// What the solvers share: unknowns as one vector, how iterations end, and solutions as functions of parameters.
#pragma once
#include <cmath>
#include <limits>
#include <memory>

#include "../grad/implicit.hpp"
#include "../grad/ravel_pytree.hpp"
#include "../grad/transforms.hpp"
#include "../ops/create.hpp"
#include "../ops/reduce.hpp"

namespace ricci::optimize {

/// How an iteration ended. Of a batch: whether all converged, and the most iterations and evaluations.
struct solver_status {
    bool converged = true;
    index_t iterations = 0;
    index_t evaluations = 0;            // of the function
    const char* message = "converged";  // why it ended
};

namespace detail {

using namespace ricci::detail;

inline solver_status ended(solver_status status, bool converged, const char* message) {
    status.converged = converged;
    status.message = message;
    return status;
}
inline void merge_status(solver_status& all, const solver_status& one) {
    if (!one.converged || all.iterations == 0) all.message = one.message;
    all.converged = all.converged && one.converged;
    all.iterations = one.iterations > all.iterations ? one.iterations : all.iterations;
    all.evaluations = one.evaluations > all.evaluations ? one.evaluations : all.evaluations;
}

/// A structure of unknowns as one vector, and back.
template <class S>
auto unknowns(const S& start) {
    auto raveled = ravel_pytree(start);
    using V = std::remove_cvref_t<decltype(raveled.flat)>;
    static_assert(std::is_floating_point_v<typename V::value_type>,
                  "ricci: the unknowns of a solver are of float or double: tensor{1.0, 2.0}");
    static_assert(std::is_void_v<typename V::wrapper>,
                  "ricci: a solver starts from plain arrays, of which its solution is no function");
    return raveled;
}
/// All elements of a structure as one vector.
template <class S>
auto elements_of(const S& all) {
    if constexpr (expression<S>) return evaluate(ravel_pytree(evaluate(all)).flat);
    else return evaluate(ravel_pytree(all).flat);
}
template <class V>
void check_plain(const V&) {
    static_assert(std::is_void_v<typename V::wrapper>,
                  "ricci: what the function of a solver captures may not be under a transform: give it as a parameter");
}
template <class A, class B>
double inner_product(const A& a, const B& b) {
    return static_cast<double>(sum(a * b).item());
}
template <class A>
double largest_of(const A& a) {
    return a.size() == 0 ? 0 : static_cast<double>(max(abs(a)).item());
}
template <class A>
bool is_finite(const A& a) {
    return std::isfinite(largest_of(a));  // NaN where one is
}
/// A tolerance that elements of type T can meet.
template <class T>
double attainable(double tolerance) {
    return std::fmax(tolerance, 8.0 * std::numeric_limits<T>::epsilon());
}

/// The gradient, which is zero at a minimum.
template <class F>
struct slope_residual {
    F f;
    template <class X, class... P>
    auto operator()(const X& x, const P&... parameters) const {
        return grad(f)(x, parameters...);
    }
};
/// What `solve(parameters...)` finds, the x with residual(x, parameters...) = 0, as a function of the parameters.
template <class Residual, class Solve, class... P>
auto solution_of(const char* who, const Residual& residual, const Solve& solve, const P&... parameters) {
    if constexpr (sizeof...(P) == 0) return solve();
    else return custom_root(residual, solve, dense_linear_solve{who})(parameters...);
}

}  // namespace detail
}  // namespace ricci::optimize
