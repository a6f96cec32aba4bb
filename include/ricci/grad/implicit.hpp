// Derivatives of solutions of equations, by the implicit function theorem: custom_root, custom_fixed_point.
#pragma once
#include "../ops/linalg/solve.hpp"
#include "callback.hpp"
#include "custom.hpp"
#include "jacobian.hpp"

namespace ricci {
namespace detail {

/// Solves matvec(x) = b with the dense matrix of the linear function, found by one batched product with the unit
/// vectors.
struct dense_linear_solve {
    const char* who = "custom_root";  // whose equations they are

    template <class F, class B>
    auto operator()(const F& matvec, const B& b) const {
        using T = typename B::value_type;
        static_assert(!is_complex_v<T>,
                      "ricci: the dense solve is that of real equations: give a linear_solve for complex ones");
        const index_t n = b.shape().count();
        const auto columns = [&] {
            if constexpr (B::rank == 0) return matvec(constant_array<tensor<T, 0, typename B::device_type>>({}, 1));
            else return vmap(matvec)(basis_of(b, 0, n));
        }();
        const auto a = matrix_transpose(reshaped(columns, shape<2>{n, n}));
        try {
            const auto x = call1(solve_op{}, evaluate_as<matrix_element<T>>(a),
                                 evaluate_as<matrix_element<T>>(reshaped(b, shape<2>{n, 1})));
            return evaluate_as<T>(reshaped(x, b.shape()));
        } catch (const linalg_error&) {
            raise<value_error>(
                {"[", who, "] the Jacobian of the residual, ", n, " x ", n, ", is singular at the solution"});
        }
    }
};

/// What solves the transposed equations: the same, but for a linear solver that says otherwise.
template <class LinearSolve>
auto transposed_solver(const LinearSolve& solve) {
    if constexpr (requires { solve.transposed(); }) return solve.transposed();
    else return solve;
}

// With F(x, theta) = 0 and J = dF/dx at the solution: J x_dot = -dF/dtheta theta_dot, and theta_bar = -(dF/dtheta)^T u
// with J^T u = x_bar (Blondel et al. 2021).

/// What the user called, by its residual.
template <class Residual>
inline constexpr bool of_fixed_point_v = false;
template <bool FixedPoint>
struct solver_name {
    static constexpr const char* name = FixedPoint ? "the solver of custom_fixed_point" : "the solver of custom_root";
};

template <class Residual, class Solve, class LinearSolve>
struct root_function;

template <class X, class Y>
void check_residual(const X& x, const Y& y, const char* what = "[custom_root] the residual's") {
    static_assert(X::rank == Y::rank, "ricci: the residual, or step, must have the solution's rank");
    if (!(x.shape() == y.shape()))
        raise<shape_error>({what, " shape ", y.shape(), " is not the solution's ", x.shape()});
}

/// The solution, and what the backward rule needs: the solution and theta.
template <class Root>
struct root_forward {
    Root root;
    template <class... A>
    auto operator()(const A&... theta) const {
        const auto x = root(theta...);
        return std::make_tuple(x, x, theta...);
    }
};
template <class Residual, class LinearSolve>
struct root_backward {
    Residual residual;
    LinearSolve linear_solve;
    template <class X, class... Rest>
    auto operator()(const X& x, const Rest&... theta_then_bar) const {
        const auto all = std::make_tuple(theta_then_bar...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return pull(x, std::get<sizeof...(Rest) - 1>(all), std::get<I>(all)...);
        }(std::make_index_sequence<sizeof...(Rest) - 1>{});
    }

   private:
    template <class X, class C, class... A>
    auto pull(const X& x, const C& x_bar, const A&... theta) const {
        const auto of_x = vjp([residual = residual, theta...](const auto& v) { return residual(v, theta...); }, x);
        check_residual(x, std::get<0>(of_x));
        const of_directions pull_x{[pull = std::get<1>(of_x)](const auto& c) { return pull(c); }};
        const auto u = transposed_solver(linear_solve)(pull_x, x_bar);
        const auto of_theta = vjp([residual = residual, x](const auto&... t) { return residual(x, t...); }, theta...);
        return as_tuple(std::get<1>(of_theta)(evaluate(-u)));
    }
};
template <class Residual, class LinearSolve, class Root>
struct root_push {
    Residual residual;
    LinearSolve linear_solve;
    Root root;
    template <class... A, class T>
    auto operator()(const std::tuple<A...>& theta, const T& theta_dot) const {
        const auto x = std::apply(root, theta);
        const auto of_theta =
            jvp([residual = residual, x](const auto&... t) { return residual(x, t...); }, theta, theta_dot);
        check_residual(x, std::get<0>(of_theta));
        const auto of_x = [residual = residual, theta](const auto& v) {
            return std::apply([&](const auto&... t) { return residual(v, t...); }, theta);
        };
        const of_directions push{[of_x, x](const auto& v) { return std::get<1>(jvp(of_x, x, v)); }};
        return std::make_tuple(x, linear_solve(push, evaluate(-std::get<1>(of_theta))));
    }
};

template <class Residual, class Solve, class LinearSolve>
struct root_function {
    Residual residual;
    Solve solve;
    LinearSolve linear_solve;

    /// Differentiable itself, so that the rules, which call it, are.
    auto op() const {
        return custom_vjp_op<callback_of_arrays<Solve, solver_name<of_fixed_point_v<Residual>>>,
                             root_forward<root_function>, root_backward<Residual, LinearSolve>,
                             root_push<Residual, LinearSolve, root_function>>{
            {}, {solve}, {*this}, {residual, linear_solve}, {residual, linear_solve, *this}};
    }
    template <class... A>
    auto operator()(const A&... theta) const {
        return call1(op(), theta...);
    }
};

/// The residual of structures as one of arrays.
template <class Residual, class In, class Out>
struct residual_of_arrays {
    using made_of = Residual;
    Residual residual;
    In in;
    Out out;
    template <class X, class... A>
    auto operator()(const X& x, const A&... theta) const {
        const auto unknowns = out.together(make_pack(x));
        return std::apply([&](const auto&... t) { return out.apart_alike(residual(unknowns, t...), "custom_root"); },
                          in.together(make_pack(theta...)));
    }
};
/// What custom_root returns.
template <class Residual, class Solve, class LinearSolve>
struct root_of_structures {
    Residual residual;
    Solve solve;
    LinearSolve linear_solve;
    template <class... S>
    auto operator()(const S&... theta) const {
        const auto op = [this]<class In, class Out>(const In& in, const Out& out) {
            using flat_residual = residual_of_arrays<Residual, In, Out>;
            using flat_solve = function_of_arrays<Solve, In, Out>;
            using flat = root_function<flat_residual, flat_solve, LinearSolve>;
            return flat{{residual, in, out}, {solve, in, out}, linear_solve}.op();
        };
        return call_of_arrays<as_argument_of<true>, results_in_a_row>(solve, op, theta...);
    }
};

template <class Step>
struct fixed_point_residual {
    Step step;
    template <class X, class... A>
    auto operator()(const X& x, const A&... theta) const {
        if constexpr (operand<X>) {
            const auto after = step(x, theta...);
            if constexpr (expression<decltype(after)>)  // before one is broadcast to the other
                check_residual(x, after, "[custom_fixed_point] the step's");
            return evaluate(after - x);
        } else {
            return tree_map([](const auto& after, const auto& before) { return after - before; }, step(x, theta...), x);
        }
    }
};
template <class Step>
inline constexpr bool of_fixed_point_v<fixed_point_residual<Step>> = true;
template <class Residual, class In, class Out>
inline constexpr bool of_fixed_point_v<residual_of_arrays<Residual, In, Out>> = of_fixed_point_v<Residual>;

}  // namespace detail

/// The solution x of residual(x, theta...) = 0 as a differentiable function of theta: `solve(theta...)` finds it, by
/// any code, and is not differentiated; derivatives, forward and backward and of any order, come from the implicit
/// function theorem (Blondel et al. 2021; jax.lax.custom_root). x is an array of any rank, theta are arrays of floating
/// types, or either is a tuple, a std::vector or a struct of arrays (expr/structure.hpp); the residual has x's
/// structure and shapes and is written with the library's functions. What derivatives are wanted for must be an
/// argument, not a capture, of both functions. `solve` sees plain arrays, numbers as those of rank 0: under vmap it is
/// called once for each member of the batch.
///
/// `linear_solve(matvec, b)` gives x with matvec(x) = b, a linear function of arrays of b's shape (of a structure's
/// elements in a row), as transforms nest under the same transforms, so in public functions; of gradients it is J^T's,
/// which `linear_solve.transposed()` solves where there is one. The default builds the matrix, n = x.size() products at
/// once, and eliminates with partial pivoting: O(n^2) memory and O(n^3) time, for n up to some hundreds. Throws
/// shape_error when the residual's shape is not x's; with the default, value_error when the Jacobian is singular.
template <class Residual, class Solve, class LinearSolve = detail::dense_linear_solve>
auto custom_root(Residual residual, Solve solve, LinearSolve linear_solve = {}) {
    return detail::root_of_structures<Residual, Solve, LinearSolve>{residual, solve, linear_solve};
}

/// The fixed point x = step(x, theta...) as a differentiable function of theta: custom_root of step(x, theta...) - x.
/// Throws shape_error when the step's shape is not x's.
template <class Step, class Solve, class LinearSolve>
auto custom_fixed_point(Step step, Solve solve, LinearSolve linear_solve) {
    return custom_root(detail::fixed_point_residual<Step>{step}, solve, linear_solve);
}
template <class Step, class Solve>
auto custom_fixed_point(Step step, Solve solve) {
    return custom_fixed_point(step, solve, detail::dense_linear_solve{"custom_fixed_point"});
}

}  // namespace ricci
