// Ordinary differential equations: odeint.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "../grad/callback.hpp"
#include "../grad/custom.hpp"
#include "../grad/ravel_pytree.hpp"
#include "../ops/join.hpp"
#include "../ops/rearrange.hpp"
#include "runge_kutta.hpp"

namespace ricci {
namespace detail {

/// Whether derivatives are taken with respect to a parameter: numbers and integers are constants.
template <class P>
constexpr bool is_ode_constant() {
    if constexpr (scalar_value<P>) return true;
    else return !is_inexact_v<typename decltype(ravel_pytree(std::declval<const P&>()).flat)::value_type>;
}
/// Whether a derivative has complex elements where the state's are real.
template <class State, class Slope>
constexpr bool is_complex_slope_of_real() {
    constexpr int n = arrays_of_pytree<State>::size;
    if constexpr (n != arrays_of_pytree<Slope>::size) return false;  // of another size
    else
        return []<int... K>(std::integer_sequence<int, K...>) {
            return ((is_complex_v<element_of_pytree<K, Slope>> && !is_complex_v<element_of_pytree<K, State>>) || ...);
        }(std::make_integer_sequence<int, n>{});
}
/// dy/dt for a state of structure S, and parameters, as a function of vectors.
template <class F, class S>
struct ode_of_vectors {
    using made_of = F;
    F f;
    unravel_pytree<S> unravel;
    template <class Y, class T, class... P>
    auto operator()(const Y& y, const T& t, const P&... parameters) const {
        const auto derivative = as_plain_result(f(unravel(y), t, parameters...));
        static_assert(!is_complex_slope_of_real<S, std::remove_cvref_t<decltype(derivative)>>(),
                      "ricci: the derivative is complex, so must the state be: astype<std::complex<double>>(y0)");
        const auto slope = ravel_pytree(derivative).flat;
        if (!(slope.shape() == y.shape()))
            raise<shape_error>({"[odeint] the derivative has ", slope.size(), " elements and the state ", y.size()});
        return evaluate_as<typename Y::value_type>(slope);
    }

   private:
    template <class R>
    static auto as_plain_result(const R& r) {
        if constexpr (expression<R>) return evaluate(r);
        else return r;
    }
};

/// The states at all times, as rows, of vectors without wrappers.
template <class F>
struct ode_steps {
    F f;
    ode_options options;
    template <class Y, class Times, class... P>
    auto operator()(const Y& start, const Times& times, const P&... parameters) const {
        using T = typename Y::value_type;
        const auto t = evaluate_as<double>(times).clone();
        const index_t n = t.size();
        check_times(t);
        const auto rows = tensor<T, 2>::uninitialized({n, start.size()});
        const auto slope = [&](const tensor<T, 1>& y, const tensor<real_t<T>, 0>& at) -> tensor<T, 1> {
            const auto dy = f(y, at, parameters...);
            static_assert(std::is_void_v<typename std::remove_cvref_t<decltype(dy)>::wrapper>,
                          "ricci: what the function of odeint captures may not be under a transform: give it as a "
                          "parameter");
            return dy;
        };
        write(index(rows, 0), start);
        if (t.at(0) == t.at(n - 1)) {
            write(rows, start);
            return rows;
        }
        dormand_prince<T, decltype(slope)> method(slope, start.clone(), t.at(0), t.at(n - 1), options);
        for (index_t i = 1; i < n; ++i) write(index(rows, i), method.at(t.at(i)));
        return rows;
    }

   private:
    static void check_times(const tensor<double, 1>& t) {
        const index_t n = t.size();
        const double ahead = n > 1 && t.at(n - 1) < t.at(0) ? -1 : 1;
        for (index_t i = 0; i < n; ++i) {
            if (!std::isfinite(t.at(i)))
                raise<value_error>({"[odeint] times must be finite: ", t.at(i), " at place ", i});
            if (i > 0 && (t.at(i) - t.at(i - 1)) * ahead < 0)
                raise<value_error>(
                    {"[odeint] times must ascend, or descend: ", t.at(i - 1), " comes before ", t.at(i)});
        }
    }
};

struct odeint_name {
    static constexpr const char* name = "odeint";
};
/// The states at all times as a differentiable function of the first one, the times and the parameters.
template <class F>
struct ode_solution;

/// Which arguments of f(y, t, parameters...) move along with y.
template <class... P>
using ode_moving = activity<true, false, !is_ode_constant<P>()...>;
template <class... P>
auto moving_parameters(const P&... parameters) {
    return unpack([](const auto&... m) { return std::make_tuple(m...); },
                  chosen_among<activity<!is_ode_constant<P>()...>>(std::make_tuple(parameters...)));
}
/// f(all...) as a function of the arguments that move.
template <class F, class Y, class T, class... P>
auto moving_ode(const F& f, const Y& y, const T& t, const P&... parameters) {
    return function_of_chosen<ode_moving<P...>>(f, std::make_tuple(y, t, parameters...));
}

/// The equations of (y, y_dot); behind N parameters come the tangents of those that move.
template <class F, int N>
struct tangent_equations {
    using made_of = F;
    F f;
    template <class S, class T, class... P>
    auto operator()(const S& state, const T& t, const P&... parameters_then_tangents) const {
        const auto all = std::make_tuple(parameters_then_tangents...);
        return [&]<std::size_t... I, std::size_t... K>(std::index_sequence<I...>, std::index_sequence<K...>) {
            const auto& y = std::get<0>(state);
            const auto at = std::tuple_cat(std::make_tuple(y), moving_parameters(std::get<I>(all)...));
            return jvp(moving_ode(f, y, t, std::get<I>(all)...), at,
                       std::make_tuple(std::get<1>(state), std::get<N + K>(all)...));
        }(std::make_index_sequence<N>{}, std::make_index_sequence<sizeof...(P) - N>{});
    }
};
/// The equations of (y, adjoint, gradients of the parameters that move...), to be followed backward.
template <class F>
struct adjoint_equations {
    using made_of = F;
    F f;
    template <class S, class T, class... P>
    auto operator()(const S& state, const T& t, const P&... parameters) const {
        const auto& y = std::get<0>(state);
        const auto of_moving =
            std::apply([&](const auto&... m) { return vjp(moving_ode(f, y, t, parameters...), y, m...); },
                       moving_parameters(parameters...));
        return std::tuple_cat(std::make_tuple(std::get<0>(of_moving)),
                              as_tuple(std::get<1>(of_moving)(evaluate(-std::get<1>(state)))));
    }
};

/// The states of a structure at all times, as rows.
template <class F, class S, class Times, class... P>
auto ode_rows(const F& f, const ode_options& options, const S& start, const Times& times, const P&... parameters) {
    const auto raveled = ravel_pytree(start);
    const ode_of_vectors<F, S> of_vectors{f, raveled.unravel};
    return ode_solution<std::remove_cvref_t<decltype(of_vectors)>>{of_vectors, options}(raveled.flat, times,
                                                                                        parameters...);
}
template <class F, class Y, class T, class... P>
auto slope_at(const F& f, const Y& y, const T& t, const P&... parameters) {
    return f(y, evaluate_as<real_t<typename Y::value_type>>(t), parameters...);
}
template <class A>
auto row_of(const A& a, index_t i) {
    return evaluate(index(a, i));
}
/// What a step along `slope` adds to a result of that gradient: Re(conj(gradient) slope), summed.
template <class G, class V>
auto change_along(const G& gradient, const V& slope) {
    if constexpr (is_complex_v<typename G::value_type>)
        return evaluate(sum(real(gradient) * real(slope) + imag(gradient) * imag(slope)));
    else return evaluate(sum(gradient * slope));
}

template <class F>
struct ode_forward {
    ode_solution<F> solution;
    template <class Y, class Times, class... P>
    auto operator()(const Y& start, const Times& times, const P&... parameters) const {
        const auto rows = solution(start, times, parameters...);
        return std::make_tuple(rows, rows, times, parameters...);
    }
};
/// The adjoint method: from each time back to the one before, with the state that was found there (Chen et al. 2018).
template <class F>
struct ode_backward {
    F f;
    ode_options options;
    template <class Rows, class Times, class... Rest>
    auto operator()(const Rows& rows, const Times& times, const Rest&... parameters_then_bar) const {
        constexpr std::size_t count = sizeof...(Rest) - 1;
        const auto all = std::make_tuple(parameters_then_bar...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return pull(rows, times, std::get<count>(all), std::get<I>(all)...);
        }(std::make_index_sequence<count>{});
    }

   private:
    template <class Rows, class Times, class C, class... P>
    auto pull(const Rows& rows, const Times& times, const C& bar, const P&... parameters) const {
        using T = typename Rows::value_type;
        const auto lifted = [&](const auto& x) {
            return std::apply([&](const auto&... m) { return lift(x, rows, times, bar, m...); },
                              moving_parameters(parameters...));
        };
        const index_t n = rows.shape()[0];
        auto adjoint = lifted(zeros<T>({rows.shape()[1]}));
        auto gradients = std::apply(
            [&](const auto&... m) {
                return std::make_tuple(lifted(tree_map([](const auto& a) { return evaluate(zeros_like(a)); }, m))...);
            },
            moving_parameters(parameters...));
        std::vector<std::remove_cvref_t<decltype(lifted(evaluate_as<T>(index(times, 0))))>> of_times(
            static_cast<std::size_t>(n));
        for (index_t i = n; i-- > 0;) {
            const auto y = row_of(rows, i);
            const auto slope = slope_at(f, y, index(times, i), parameters...);
            const auto own = i == 0 ? change_along(evaluate(-adjoint), slope) : change_along(row_of(bar, i), slope);
            of_times[static_cast<std::size_t>(i)] = lifted(own);
            adjoint = lifted(evaluate(adjoint + row_of(bar, i)));
            if (i == 0) break;
            const auto back = flip(evaluate(index(times, slice(i - 1, i + 1))));
            const auto start = std::tuple_cat(std::make_tuple(y, adjoint), gradients);
            const auto moved = ravel_pytree(start).unravel(
                row_of(ode_rows(adjoint_equations<F>{f}, options, start, back, parameters...), 1));
            adjoint = lifted(std::get<1>(moved));
            [&]<std::size_t... K>(std::index_sequence<K...>) {
                ((std::get<K>(gradients) = lifted(std::get<2 + K>(moved))), ...);
            }(std::make_index_sequence<std::tuple_size_v<decltype(gradients)>>{});
        }
        return with_constants<0>(std::make_tuple(adjoint, stack(of_times)), gradients, parameters...);
    }
    /// The adjoints of all parameters behind those that are known, none for constants.
    template <int K, class Known, class G>
    static auto with_constants(const Known& known, const G&) {
        return known;
    }
    template <int K, class Known, class G, class P, class... Rest>
    static auto with_constants(const Known& known, const G& gradients, const P&, const Rest&... rest) {
        if constexpr (is_ode_constant<P>())
            return with_constants<K>(std::tuple_cat(known, std::make_tuple(none)), gradients, rest...);
        else
            return with_constants<K + 1>(std::tuple_cat(known, std::make_tuple(std::get<K>(gradients))), gradients,
                                         rest...);
    }
};
template <class F>
struct ode_push {
    F f;
    ode_options options;
    template <class... X, class... D>
    auto operator()(const std::tuple<X...>& primals, const std::tuple<D...>& tangents) const {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return push(std::get<0>(primals), std::get<1>(primals), std::get<0>(tangents), std::get<1>(tangents),
                        std::make_tuple(std::get<2 + I>(tangents)...), std::get<2 + I>(primals)...);
        }(std::make_index_sequence<sizeof...(X) - 2>{});
    }

   private:
    template <class Y, class Times, class DY, class DT, class D, class... P>
    auto push(const Y& start, const Times& times, const DY& start_dot, const DT& times_dot, const D& tangents,
              const P&... parameters) const {
        const index_t n = times.shape()[0], m = start.shape()[0];
        const auto moved_by = [&](const auto& y, index_t i) {
            return evaluate(slope_at(f, y, index(times, i), parameters...) * index(times_dot, i));
        };
        const auto first = evaluate(start_dot - moved_by(start, 0));
        const auto both = std::apply(
            [&](const auto&... d) {
                return ode_rows(tangent_equations<F, int(sizeof...(P))>{f}, options, std::make_tuple(start, first),
                                times, parameters..., d...);
            },
            moving_tangents(tangents, parameters...));
        const auto rows = evaluate(index(both, all, slice(0, m)));
        const auto along = evaluate(index(both, all, slice(m, 2 * m)));
        std::vector<std::remove_cvref_t<decltype(moved_by(row_of(rows, 0), 0))>> shifts;
        for (index_t i = 0; i < n; ++i) shifts.push_back(moved_by(row_of(rows, i), i));
        return std::make_tuple(rows, evaluate(along + stack(shifts)));
    }
    template <class D, class... P>
    static auto moving_tangents(const D& tangents, const P&...) {
        return unpack([](const auto&... m) { return std::make_tuple(m...); },
                      chosen_among<activity<!is_ode_constant<P>()...>>(tangents));
    }
};

template <class F>
struct ode_solution {
    F f;
    ode_options options;
    template <class Y, class Times, class... P>
    auto operator()(const Y& start, const Times& times, const P&... parameters) const {
        using steps = callback_function<ode_steps<F>, odeint_name, as_argument_of<false>>;
        return custom_vjp(steps{{f, options}}, ode_forward<F>{*this}, ode_backward<F>{f, options},
                          ode_push<F>{f, options})(start, times, parameters...);
    }
};

}  // namespace detail

/// The solution of dy/dt = f(y, t, parameters...) from y0 at times(0), at all times, which ascend or descend: y0 with
/// an axis of the times in front of every array in it, y0 itself first. y0 is an array, a number or a structure of
/// arrays (expr/structure.hpp), real or complex, f gives its derivative in the same structure, and t is an array of
/// rank 0. Dormand and Prince's steps of order 5, as long as the tolerances allow and values between
/// by a quartic; for equations that are not stiff. Throws value_error for times out of order or none, shape_error for a
/// derivative of another size, convergence_error where the steps become too many or too short.
///
/// Differentiable in y0, the times and the parameters, forward by the tangents' equations and backward by the adjoint's
/// (Chen et al. 2018), of any order: what derivatives are wanted for must be a parameter, not a capture. They are those
/// of the equations, as exact as the tolerances, and not of the steps. Under vmap each member has steps of its own, one
/// after the other: a state that is a batch is faster. (scipy.integrate.solve_ivp with RK45,
/// jax.experimental.ode.odeint.)
template <class F, detail::structured S, expression Times, class... P>
auto odeint(F f, const S& y0, const Times& times, ode_options options = {}, const P&... parameters) {
    static_assert(Times::rank == 1, "ricci: odeint takes the times as a vector");
    const auto raveled = ravel_pytree(y0);
    using T = typename decltype(raveled.flat)::value_type;
    static_assert(std::is_floating_point_v<real_t<T>>,
                  "ricci: a state is of float or double, or complex: tensor{1.0, 0.0}");
    if (times.shape()[0] == 0) detail::raise<value_error>({"[odeint] the times begin with that of y0: there are none"});
    const auto rows = detail::ode_rows(
        f, options, y0, detail::evaluate_as<inexact_t<typename Times::value_type>>(times), parameters...);
    return vmap(raveled.unravel)(rows);
}

}  // namespace ricci
