// Jacobians and Hessians, dense: vmaps of products with the elements of a basis.
#pragma once
#include "../ops/create.hpp"
#include "../vmap/vmap.hpp"
#include "transforms.hpp"

namespace ricci {
namespace detail {

/// Arrays of x's shape with one element 1 and the others 0: those for the elements first ... first + count - 1.
template <class X>
auto basis_of(const X& x, index_t first, index_t count) {
    using T = typename X::value_type;
    static_assert(
        !is_complex_v<T>,
        "ricci: Jacobian matrices are those of real functions: take vjp or jvp of complex ones, or map their parts");
    const auto unit = eye<T>(count, x.shape().count(), first).to(typename X::device_type{});
    return reshaped(unit, prefixed(count, x.shape()));
}
template <int Q, class J, int R>
auto split_last(const J& j, const shape<R>& y, const shape<Q>& x) {
    shape<R + Q> to;
    for (int d = 0; d < R; ++d) to[d] = y[d];
    for (int d = 0; d < Q; ++d) to[R + d] = x[d];
    return reshaped(j, to);
}

/// f as a function of its I-th argument alone, the others as given, of these versions; with `Alike` lifted to what it
/// is given, for structs whose members have one type.
template <int I, bool Alike, class F, class... A>
auto function_of(const F& f, std::uint64_t versions, const A&... args) {
    return made_from<F>([f, all = make_pack(args...), versions]<class V>(const V& v) {
        if (unpack([](const auto&... a) { return versions_of(a...); }, all) != versions)
            refuse_shared_write("jacobian");
        const auto pick = [&](auto k) -> decltype(auto) {
            if constexpr (k() == I) return (v);
            else if constexpr (Alike) return lift(chain_of_t<V>{}, get<k()>(all));
            else return (get<k()>(all));
        };
        return transform_indices<sizeof...(A)>(pick, f);
    });
}
/// f, which takes a list of arrays, as a function of the i-th alone.
template <class F, class A>
auto function_of_item(const F& f, const list_of_arrays<A>& list, std::size_t i) {
    return made_from<F>([f, list, i]<class V>(const V& v) {
        auto all = lift(chain_of_t<V>{}, list);
        all.items[i] = v;
        return f(all);
    });
}
/// `derivative(f, x)`, for a list the list of those with respect to each array in it.
template <class D, class F, class X>
auto place_derivative(const D& derivative, const F& f, const X& x) {
    if constexpr (is_list_v<X>) {
        const auto of_item = [&](std::size_t i) {
            return place_derivative(derivative, function_of_item(f, x, i), x.items[i]);
        };
        list_of_arrays<decltype(of_item(0))> all{.keys = x.keys};
        for (std::size_t i = 0; i < x.items.size(); ++i) all.items.push_back(of_item(i));
        return all;
    } else {
        return derivative(f, x);
    }
}
/// `derivative(f_I, x_I)`, where f_I is f as a function of its I-th argument.
template <int I, bool Alike, class D, class F, class... A>
auto argument_derivative(const D& derivative, const F& f, std::uint64_t versions, const pack<A...>& args) {
    return place_derivative(derivative,
                            unpack([&](const auto&... a) { return function_of<I, Alike>(f, versions, a...); }, args),
                            differentiated_place(get<I>(args)));
}
/// The derivatives of what `pick` takes from a result, an array or a list, put together as arguments of types S.
template <class... S, class... J, class Pick>
auto arranged_place(const pack<J...>& by_array, const Pick& pick) {
    using place = std::remove_cvref_t<decltype(pick(std::declval<const array_in_t<pack_element_t<0, pack<J...>>>&>()))>;
    if constexpr (is_list_v<place>) {
        const auto of_item = [&](std::size_t i) {
            return arranged_place<S...>(by_array, [&](const auto& r) { return pick(r).items[i]; });
        };
        std::size_t length = 0;
        list_of_arrays<decltype(of_item(0))> all;
        const auto measure = [&](const auto& r) {
            length = pick(r).items.size();
            all.keys = pick(r).keys;
        };
        for_indices<sizeof...(J)>([&](auto k) { each_array(measure, get<k()>(by_array)); });
        for (std::size_t i = 0; i < length; ++i) all.items.push_back(of_item(i));
        return all;
    } else {
        return regrouped<S...>(generate<sizeof...(J)>([&](auto k) { return each_array(pick, get<k()>(by_array)); }));
    }
}
/// Derivatives with respect to each of the arrays in arguments of types S: for each array in the result, if that is a
/// structure, they are put together as the arguments that they belong to.
template <class... S, class... J>
auto arranged(const pack<J...>& by_array) {
    using R = array_in_t<pack_element_t<0, pack<J...>>>;
    if constexpr (operand<R>) {
        return regrouped<S...>(by_array);
    } else {
        return structure<R>::template at<0>(generate<structure<R>::count>([&](auto y) {
            return arranged_place<S...>(
                by_array, []<class T>(const T& r) { return get<decltype(y)::value>(structure<T>::arrays(r)); });
        }));
    }
}
/// `derivative(f_k, x_k)` for the arrays x_k in the arguments that argnums names, f_k being f as a function of x_k
/// alone.
template <class D, class F, int... I, class... S>
auto argument_derivatives(const D& derivative, const F& f, argnums_t<I...> arguments, const S&... args) {
    const auto arrays = arrays_acted_on<I...>(args...);
    const std::uint64_t versions = unpack([](const auto&... a) { return versions_of(a...); }, arrays);
    const auto each = [&]<int... K>(const auto& flat, argnums_t<K...>) {
        return arranged<argument_t<I, S...>...>(
            make_pack(argument_derivative<K, !(members_apart_v<S> && ...)>(derivative, flat, versions, arrays)...));
    };
    if constexpr (!all_operands_v<S...>)
        return each(repeating<flat_function<F, S...>>{{f}}, array_numbers<member_list<S...>, S...>(arguments));
    else if constexpr (sizeof...(I) > 1) return each(repeating<F>{f}, arguments);
    else return each(f, arguments);
}
/// The tuple (derivative, aux), where derivatives(g) is the function that gives those of g with respect to the
/// arguments I. Aux is that of one more call of f.
template <class D, class F, int... I>
auto derivative_and_aux(const D& derivatives, const F& f, argnums_t<I...>) {
    return [derivatives, f](const auto&... args) {
        const repeating<F> same{f};
        const auto derivative = derivatives(value_function<true>(same));
        const auto result = unpack(same, arguments_to_change<I...>(args...));
        using R = std::remove_const_t<decltype(result)>;
        require_aux<R>();
        if constexpr (is_value_and_aux_v<R>)
            return std::make_tuple(derivative(args...), evaluate_aux(std::get<1>(result)));
        else return std::make_tuple(0, 0);
    };
}
template <class D, class F, int... I>
auto for_each_argument(const D& derivative, const F& f, argnums_t<I...> arguments) {
    return [derivative, f, arguments](const auto&... args) {
        return argument_derivatives(derivative, f, numbered_from_zero<int(sizeof...(args))>(arguments), args...);
    };
}

template <class Options>
struct forward_jacobian {
    Options options;
    template <class F, class X>
    auto operator()(const F& f, const X& given) const {
        const X x = in_batch_order(given);
        const of_directions push{[&](const auto& v) { return std::get<1>(jvp(f, x, v)); }};
        unit_directions units;
        const auto basis = [&](index_t first, index_t count) {
            auto directions = basis_of(x, first, count);
            if constexpr (std::is_void_v<typename X::wrapper> && std::is_same_v<typename X::device_type, cpu_device>)
                units.set(directions, first);
            return make_pack(std::move(directions));
        };
        const auto columns = vmap_batch<1>(push, std::make_tuple(-1), options, x.shape().count(), basis);
        return map_arrays(columns, [&](const auto& column) {
            using J = std::remove_cvref_t<decltype(column)>;
            static_assert(is_inexact_v<typename J::value_type>,
                          "ricci: jacfwd takes functions of floating results: integers and truths have no derivative");
            shape<J::rank - 1> y;
            for (int d = 0; d < J::rank - 1; ++d) y[d] = column.shape()[d];
            return split_last(column, y, x.shape());
        });
    }
};
template <class Options>
struct reverse_jacobian {
    Options options;
    template <class F, class X>
    auto operator()(const F& f, const X& given) const {
        const X x = in_batch_order(given);
        const auto pullback = vjp_of<false>(f, x);
        using Y = std::remove_cvref_t<decltype(pullback.result())>;
        const auto results = structure<Y>::arrays(pullback.result());
        return structure<Y>::template at<0>(generate<structure<Y>::count>([&](auto k) {
            const auto pull = [&](const auto& c) { return pullback(cotangent_of<Y, k()>(results, c)); };
            return rows_of(get<k()>(results), pull, x);
        }));
    }

   private:
    /// The rows of an array y in the result, or those of each in a list, where pull(c) is the adjoint of x for a
    /// cotangent of y.
    template <class Y, class Pull, class X>
    auto rows_of(const Y& y, const Pull& pull, const X& x) const {
        if constexpr (is_list_v<Y>) {
            const auto of_item = [&](std::size_t i) {
                const auto pull_item = [&]<class C>(const C& c) {
                    auto all = lift(chain_of_t<C>{}, each_array(zeros_like_result, y));
                    all.items[i] = c;
                    return pull(all);
                };
                return rows_of(y.items[i], pull_item, x);
            };
            list_of_arrays<decltype(of_item(0))> all{.keys = y.keys};
            for (std::size_t i = 0; i < y.items.size(); ++i) all.items.push_back(of_item(i));
            return all;
        } else {
            const of_directions directions{pull};
            const auto basis = [&](index_t first, index_t count) { return make_pack(basis_of(y, first, count)); };
            const auto rows = vmap_batch<1>(directions, std::make_tuple(0), options, y.shape().count(), basis);
            return split_last(rows, y.shape(), x.shape());
        }
    }
    static constexpr auto zeros_like_result = []<class R>(const R& r) {
        return constant_array<tensor<typename R::value_type, R::rank, typename R::device_type>>(r.shape(), 0);
    };
    /// A cotangent of one array in a result, zeros for the others, in its wrappers: a std::array has one type.
    template <class Y, int K, class Results, class C>
    static auto cotangent_of(const Results& results, const C& c) {
        return structure<Y>::template at<0>(generate<Results::size>([&](auto k) {
            if constexpr (k() == K) return c;
            else return lift(chain_of_t<C>{}, each_array(zeros_like_result, get<k()>(results)));
        }));
    }
};
/// What f gives where gradient_of records it.
template <int I, class F, class... A>
using recorded_result =
    pack_element_t<0, decltype(record_call<only_array(I), record_by<record_tag<F, false>>, true, true>(
                          std::declval<const F&>(),
                          record_chain<only_array(I), record_by<record_tag<F, false>>, F, A...>{}, level_t{},
                          std::declval<const A&>()...))>;
/// Whether a function's result for arrays is an array with axes.
template <int I, class F, class... S>
consteval bool has_axes() {
    if constexpr (!all_operands_v<S...>) return false;
    else {
        return []<class... A>(const pack<A...>*) {
            using R = recorded_result<I, F, A...>;
            if constexpr (expression<R>) return R::rank > 0;
            else return false;
        }(static_cast<const decltype(arrays_acted_on<I>(std::declval<const S&>()...))*>(nullptr));
    }
}
/// Forward over reverse; of a structure the blocks of all pairs of arrays.
template <class F, int I, class Options>
auto make_hessian(const F& f, argnums_t<I> argument, const Options& options) {
    const auto first = made_from<F>([f, argument, options]<class... S>(const S&... args) {
        constexpr int number = argument_number<I, int(sizeof...(S))>();
        if constexpr (has_axes<number, F, S...>())
            return argument_derivatives(reverse_jacobian<Options>{options}, f, argnums<number>, args...);
        else return structured_gradient<false, false, false>(argument, f, args...);
    });
    return for_each_argument(forward_jacobian<Options>{options}, first, argument);
}

/// A position among the arguments that argnums names, -1 for the others.
template <int K, int... I>
constexpr int place_among(argnums_t<I...>) {
    int at = -1, n = 0;
    ((at = I == K ? n : at, ++n), ...);
    return at;
}
/// f as a function of the tuple of several arguments, the others as given.
template <class F, int... I, class... S>
auto function_of_several(const F& f, argnums_t<I...>, const S&... args) {
    return made_from<F>([f, all = make_pack(args...)](const auto& chosen) {
        const auto pick = [&](auto k) -> const auto& {
            constexpr int at = place_among<k()>(argnums_t<I...>{});
            if constexpr (at < 0) return get<k()>(all);
            else return std::get<at>(chosen);
        };
        return transform_indices<sizeof...(S)>(pick, f);
    });
}
template <class F, int... I, class Options>
    requires(sizeof...(I) > 1)
auto make_hessian(const F& f, argnums_t<I...> arguments, const Options& options) {
    return [f, arguments, options](const auto&... args) {
        constexpr int count = sizeof...(args);
        const auto of_several = function_of_several(f, numbered_from_zero<count>(arguments), args...);
        return make_hessian(of_several, argnums<0>,
                            options)(std::make_tuple(get<argument_number<I, count>()>(make_pack(args...))...));
    };
}

}  // namespace detail

/// The Jacobian of f with respect to its first argument, or to those that argnums<...> names (a tuple of several):
/// shape(result) + shape(x), one tangent for each element of x, all at once or `chunk_size` at a time (vmap_options);
/// the random numbers that f draws are the same for all of them. Numbers among the other arguments reach f as they are,
/// integers as integers. A result that is a tuple or a struct of arrays gives such a structure of what belongs to each
/// array in it, and an argument that is one (expr/structure.hpp) a structure of the Jacobians with respect to its
/// arrays. For functions with few inputs; jacrev for those with few outputs. Real functions alone: of complex arguments
/// take jvp or vjp. With has_aux, of f that returns rc::tuple(value, aux), the tuple (Jacobian, aux): jacfwd(f,
/// has_aux), jacfwd(f, argnums<1>, has_aux); aux is that of one more call of f.
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::forward_jacobian<detail::no_options>{}, f, arguments);
}
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments, vmap_options options) {
    return detail::for_each_argument(detail::forward_jacobian<vmap_options>{options}, f, arguments);
}
template <class F>
auto jacfwd(F f) {
    return jacfwd(f, argnums<0>);
}
template <class F>
auto jacfwd(F f, vmap_options options) {
    return jacfwd(f, argnums<0>, options);
}
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments, has_aux_t, vmap_options options = {}) {
    return detail::derivative_and_aux([=](const auto& g) { return jacfwd(g, arguments, options); }, f, arguments);
}
template <class F>
auto jacfwd(F f, has_aux_t, vmap_options options = {}) {
    return jacfwd(f, argnums<0>, has_aux, options);
}
template <class F, expression X, expression... More>
auto jacfwd(F, const X& x, const More&...) {
    static_assert(always_false<F>, "ricci: jacfwd(f) is a function: jacfwd(f)(x)");
    return x;
}

/// The Jacobian of f, as jacfwd gives it, with has_aux, too, by one cotangent for each element of the result.
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::reverse_jacobian<detail::no_options>{}, f, arguments);
}
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments, vmap_options options) {
    return detail::for_each_argument(detail::reverse_jacobian<vmap_options>{options}, f, arguments);
}
template <class F>
auto jacrev(F f) {
    return jacrev(f, argnums<0>);
}
template <class F>
auto jacrev(F f, vmap_options options) {
    return jacrev(f, argnums<0>, options);
}
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments, has_aux_t, vmap_options options = {}) {
    return detail::derivative_and_aux([=](const auto& g) { return jacrev(g, arguments, options); }, f, arguments);
}
template <class F>
auto jacrev(F f, has_aux_t, vmap_options options = {}) {
    return jacrev(f, argnums<0>, has_aux, options);
}
template <class F, expression X, expression... More>
auto jacrev(F, const X& x, const More&...) {
    static_assert(always_false<F>, "ricci: jacrev(f) is a function: jacrev(f)(x)");
    return x;
}

/// The second derivatives of a function with respect to an argument: of a number the matrix, shape(x) + shape(x), of an
/// array shape(result) + shape(x) + shape(x), as jacfwd(jacrev(f)) is. Forward over reverse, with jacfwd's options. An
/// argument that is a tuple or a struct of arrays gives the blocks shape(a) + shape(b) of each pair of its arrays, as a
/// structure over a of structures over b; so do several arguments, argnums<0, 2>, as tuples of tuples. With has_aux,
/// the tuple (Hessian, aux).
template <class F, int... I>
auto hessian(F f, argnums_t<I...> arguments) {
    return detail::make_hessian(f, arguments, detail::no_options{});
}
template <class F, int... I>
auto hessian(F f, argnums_t<I...> arguments, vmap_options options) {
    return detail::make_hessian(f, arguments, options);
}
template <class F>
auto hessian(F f) {
    return hessian(f, argnums<0>);
}
template <class F>
auto hessian(F f, vmap_options options) {
    return hessian(f, argnums<0>, options);
}
template <class F, int... I>
auto hessian(F f, argnums_t<I...> arguments, has_aux_t, vmap_options options = {}) {
    return detail::derivative_and_aux([=](const auto& g) { return hessian(g, arguments, options); }, f, arguments);
}
template <class F>
auto hessian(F f, has_aux_t, vmap_options options = {}) {
    return hessian(f, argnums<0>, has_aux, options);
}
template <class F, expression X, expression... More>
auto hessian(F, const X& x, const More&...) {
    static_assert(always_false<F>, "ricci: hessian(f) is a function: hessian(f)(x)");
    return x;
}

}  // namespace ricci
