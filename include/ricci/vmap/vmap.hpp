// vmap, and the Jacobians that are vmaps of products.
#pragma once
#include "../grad/transforms.hpp"
#include "../ops/create.hpp"
#include "batched.hpp"

namespace ricci {

template <class... Axis>
struct axes_t {
    std::tuple<Axis...> axis;
};

/// Which axis of each argument vmap maps over; `none` for an argument that all calls share. Negative axes count from the end.
template <class... Axis>
axes_t<Axis...> in_axes(Axis... axis) {
    return {{axis...}};
}
/// Where vmap puts the mapped axis in each result.
template <class... Axis>
axes_t<Axis...> out_axes(Axis... axis) {
    return {{axis...}};
}

namespace detail {

template <class Axis>
inline constexpr bool is_mapped = !std::is_same_v<Axis, none_t>;

/// Result of a mapped function with the mapped axis back in its shape, wherever among the wrappers it is.
template <class W, class Y>
auto leave_batch(const Y& y, int out_axis, index_t size, int depth = 0) {
    if constexpr (!has_wrapper<W, Y>()) {
        return leave_batch<W>(W::constant(y), out_axis, size, depth);
    } else if constexpr (wrapped_by_v<W, Y>) {
        const auto& inner = y.inner();
        using I = std::remove_cvref_t<decltype(inner)>;
        const int to = depth + normalize_axis(out_axis, I::rank - depth, "vmap");
        shape<I::rank> full = inner.shape();
        full[0] = size;
        return move_axis(expand(inner, full), 0, to);
    } else {
        return y.with_inner([&](const auto& inner) {
            return leave_batch<W>(inner, out_axis, size,
                                  depth + (std::remove_cvref_t<decltype(inner)>::rank - Y::rank));
        });
    }
}

/// The same for each result of a function of several, each with its own axis or all with one.
template <class W, class Y, class... Axis>
auto leave_results(const Y& y, const std::tuple<Axis...>& out, index_t size) {
    if constexpr (expression<Y>) {
        static_assert(sizeof...(Axis) == 1, "ricci: out_axes names more axes than the function has results");
        return leave_batch<W>(y, std::get<0>(out), size);
    } else {
        constexpr int n = std::tuple_size_v<Y>;
        static_assert(sizeof...(Axis) == 1 || sizeof...(Axis) == n,
                      "ricci: out_axes needs one axis for each result, or one for all");
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::make_tuple(
                leave_batch<W>(std::get<I>(y), std::get < sizeof...(Axis) == 1 ? 0 : I > (out), size)...);
        }(std::make_integer_sequence<int, n>{});
    }
}

template <class F, class Axes, class Out, class... A>
auto vmap_call(const F& f, const Axes& in, const Out& out_axis, const A&... args) {
    using W = batch_by<F>;
    static_assert(std::tuple_size_v<Axes> == sizeof...(A), "ricci: in_axes needs one axis, or none, for each argument");
    constexpr unsigned mapped = []<int... I>(std::integer_sequence<int, I...>) {
        return (0u | ... | (is_mapped<std::tuple_element_t<I, Axes>> ? 1u << I : 0u));
    }(std::make_integer_sequence<int, sizeof...(A)>{});
    static_assert(mapped != 0, "ricci: vmap needs at least one mapped argument");
    // the batch in front, hidden: what `constant` makes of a member's type
    const auto refs = make_pack(args...);
    index_t size = -1;
    const auto moved = generate<sizeof...(A)>([&](auto i) {
        const auto& a = get<i()>(refs);
        using X = std::remove_cvref_t<decltype(a)>;
        if constexpr ((mapped >> i()) & 1) {
            static_assert(X::rank >= 1, "ricci: vmap cannot map over a scalar argument: use none");
            const int axis = normalize_axis(std::get<i()>(in), X::rank, "vmap");
            const index_t n = a.shape()[axis];
            if (size >= 0 && n != size)
                detail::raise<shape_error>({"[vmap] the mapped axes differ in size: ", size, " and ", n});
            size = n;
            return axis == 0 ? a : move_axis(a, axis, 0);
        } else {
            return a;
        }
    });
    const transform_scope scope;
    return unpack(
        [&](const auto&... a) {
            using chain = typename entry_chain<W, F, entered<W, mapped, std::remove_cvref_t<decltype(a)>...>,
                                               std::remove_cvref_t<decltype(a)>...>::type;
            const auto inside = generate<sizeof...(A)>([&](auto i) {
                auto lifted = lift(chain{}, get<i()>(moved));
                if constexpr ((mapped >> i()) & 1) return batched<decltype(lifted), F>(lifted, scope.level);
                else return lifted;
            });
            auto y = unpack([&](const auto&... x) { return evaluate_result(f(x...)); }, inside);
            return leave_results<W>(y, out_axis, size);
        },
        moved);
}
/// The axis of an argument, for each of its arrays.
template <int Count, class Axis>
auto repeated_axis(const Axis& axis) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return std::make_tuple((static_cast<void>(I), axis)...); }
    (std::make_integer_sequence<int, Count>{});
}
/// vmap_call for arguments that may be structures of arrays.
template <class F, class... In, class Out, class... S>
auto structured_vmap(const F& f, const std::tuple<In...>& in, const Out& out, const S&... args) {
    if constexpr (all_operands_v<S...>) {
        return vmap_call(f, in, out, as_array(args)...);
    } else {
        static_assert(sizeof...(In) == sizeof...(S), "ricci: in_axes needs one axis, or none, for each argument");
        const auto axes =
            std::apply([](const auto&... axis) { return std::tuple_cat(repeated_axis<structure<S>::count>(axis)...); }, in);
        const flat_function<F, S...> flat{f};
        return with_arrays([&](const auto&... a) { return vmap_call(flat, axes, out, a...); }, args...);
    }
}
}  // namespace detail

/// `f` mapped over an axis of its arguments: vmap(f, in_axes(none, 0))(w, X) calls f(w, X[i]) for all i at once, with batched
/// operations and no loop. Results have the mapped axis at `out`. Nests, and composes with grad, vjp and jvp in any order.
/// Without in_axes, axis 0 of every argument is mapped. The axis of an argument that is a structure (grad/structure.hpp) is that of
/// all its arrays.
template <class F, class... In, class... Out>
auto vmap(F f, axes_t<In...> in, axes_t<Out...> out) {
    return [f, in, out](const auto&... args) {
        return detail::structured_vmap(f, in.axis, out.axis, args...);
    };
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, int out = 0) {
    return vmap(f, in, out_axes(out));
}
template <class F>
auto vmap(F f, int axis = 0, int out = 0) {
    return [f, axis, out](const auto&... args) {
        return detail::structured_vmap(f, std::make_tuple((static_cast<void>(args), axis)...), std::make_tuple(out), args...);
    };
}

namespace detail {

/// One basis array of x's shape for each of its elements: (n, shape...).
template <class X>
auto basis_of(const X& x) {
    using T = typename X::value_type;
    auto unit = eye<T>(x.shape().count()).to(typename X::device_type{});
    return reshaped(unit, prefixed(x.shape().count(), x.shape()));
}
template <int Q, class J, int R>
auto split_last(const J& j, const shape<R>& y, const shape<Q>& x) {
    shape<R + Q> to;
    for (int d = 0; d < R; ++d) to[d] = y[d];
    for (int d = 0; d < Q; ++d) to[R + d] = x[d];
    return reshaped(j, to);
}

/// f as a function of its I-th argument alone, the others as given.
template <int I, class F, class... A>
auto function_of(const F& f, const A&... args) {
    static_assert(I >= 0 && I < int(sizeof...(A)), "ricci: argnums names an argument that was not given");
    return [f, all = make_pack(args...)](const auto& v) {
        const auto pick = [&](auto k) -> const auto& {
            if constexpr (k() == I) return v;
            else return get<k()>(all);
        };
        return transform_indices<sizeof...(A)>(pick, f);
    };
}
/// `derivative(f_I, x_I)`, where f_I is f as a function of its I-th argument.
template <int I, class D, class F, class... A>
auto argument_derivative(const D& derivative, const F& f, const pack<A...>& args) {
    return derivative(unpack([&](const auto&... a) { return function_of<I>(f, a...); }, args), get<I>(args));
}
/// The same for each argument that argnums names: one, or the tuple of several.
template <class D, class F, int... I>
auto for_each_argument(const D& derivative, const F& f, argnums_t<I...>) {
    return [derivative, f](const auto&... args) {
        const auto arrays = make_pack(as_array(args)...);
        return one_or_tuple(make_pack(argument_derivative<I>(derivative, f, arrays)...));
    };
}

struct forward_jacobian {
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        auto push = [&](auto v) { return std::get<1>(jvp(f, x, v)); };
        const auto columns = vmap(push, in_axes(0), -1)(basis_of(x));
        using J = std::remove_cvref_t<decltype(columns)>;
        shape<J::rank - 1> y;
        for (int d = 0; d < J::rank - 1; ++d) y[d] = columns.shape()[d];
        return split_last(columns, y, x.shape());
    }
};
struct reverse_jacobian {
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        const auto pair = vjp(f, x);
        const auto& y = std::get<0>(pair);
        auto pull = [&](auto c) { return std::get<1>(pair)(c); };
        const auto rows = vmap(pull, in_axes(0))(basis_of(y));
        return split_last(rows, y.shape(), x.shape());
    }
};
struct forward_over_reverse {
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        return forward_jacobian{}(grad(f), x);
    }
};

}  // namespace detail

/// The Jacobian of f with respect to its first argument, or to those that argnums<...> names (a tuple of several):
/// shape(result) + shape(x), one tangent for each element of x, all at once. For functions with few inputs; jacrev for those
/// with few outputs.
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::forward_jacobian{}, f, arguments);
}
template <class F>
auto jacfwd(F f) {
    return jacfwd(f, argnums<0>);
}

/// The Jacobian of f, as jacfwd gives it, by one cotangent for each element of the result.
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::reverse_jacobian{}, f, arguments);
}
template <class F>
auto jacrev(F f) {
    return jacrev(f, argnums<0>);
}

/// The matrix of second derivatives of a function with a scalar result with respect to one argument, shape(x) + shape(x):
/// forward over reverse.
template <class F, int I>
auto hessian(F f, argnums_t<I> argument) {
    return detail::for_each_argument(detail::forward_over_reverse{}, f, argument);
}
template <class F>
auto hessian(F f) {
    return hessian(f, argnums<0>);
}

}  // namespace ricci
