// vmap: a function mapped over an axis of its arguments, all members at once.
#pragma once
#include "../expr/versions.hpp"
#include "batched.hpp"
#include "chunks.hpp"

namespace ricci {

template <class... Axis>
struct axes_t {
    std::tuple<Axis...> axis;
};

namespace detail {

template <class Axis>
inline constexpr bool is_mapped = !std::is_same_v<Axis, none_t>;
template <class Axis>
concept batch_axis = std::is_integral_v<Axis> && !std::is_same_v<Axis, bool>;
/// An axis, none, or for a tuple or a struct the tuple of what its members have.
template <class>
inline constexpr bool is_in_axis_v = false;
template <batch_axis Axis>
inline constexpr bool is_in_axis_v<Axis> = true;
template <>
inline constexpr bool is_in_axis_v<none_t> = true;
template <class... Axis>
inline constexpr bool is_in_axis_v<std::tuple<Axis...>> = (is_in_axis_v<Axis> && ...);
/// What goes on in the place of something that is no axis, so that this is the only error.
template <class>
struct first_axis {  // no alias: nvcc would drop its parameter, and with it the pack
    using type = int;
};

}  // namespace detail

/// Which axis of each argument vmap maps over; `none` for an argument that all calls share. Negative axes count from
/// the end. One axis for a tuple or a struct is that of all its arrays; a tuple of axes, in_axes(rc::tuple(none, 0),
/// 0), has one for each member.
template <class... Axis>
auto in_axes(Axis... axis) {
    constexpr bool right = (detail::is_in_axis_v<Axis> && ...);
    static_assert(right, "ricci: in_axes takes an integer, or none, for each argument: in_axes(none, 0)");
    if constexpr (right) return axes_t<Axis...>{{axis...}};
    else return axes_t<typename detail::first_axis<Axis>::type...>{};
}
/// Where vmap puts the mapped axis in each result; `none` for one that is the same for all members, which stays as it
/// is.
template <class... Axis>
auto out_axes(Axis... axis) {
    constexpr bool right = ((detail::batch_axis<Axis> || !detail::is_mapped<Axis>) && ...);
    static_assert(right, "ricci: out_axes takes an integer, or none, for each result: out_axes(0, 1)");
    if constexpr (right) return axes_t<Axis...>{{axis...}};
    else return axes_t<typename detail::first_axis<Axis>::type...>{};
}

namespace detail {

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
        if constexpr (std::is_void_v<typename I::wrapper>)
            if (depth == 0) return move_axis(expanded(in_row_order(inner), full), 0, to);
        return move_axis(expanded(inner, full), 0, to);
    } else {
        return y.with_inner([&](const auto& inner) {
            return leave_batch<W>(inner, out_axis, size,
                                  depth + (std::remove_cvref_t<decltype(inner)>::rank - Y::rank));
        });
    }
}

/// A result that is the same for all members, without the mapped axis.
template <class W, class Y>
auto leave_shared(const Y& y) {
    if constexpr (!has_wrapper<W, Y>()) {
        return y;
    } else if constexpr (wrapped_by_v<W, Y>) {
        if (y.inner().shape()[0] != 1)
            raise<value_error>(
                {"[vmap] out_axes(none) is for results that are the same for all members, not for one "
                 "of shape ",
                 y.shape(), " that depends on the mapped arguments"});
        return evaluate(index(y.inner(), 0));
    } else {
        return y.with_inner([](const auto& inner) { return leave_shared<W>(inner); });
    }
}

/// The same for each array in a function's result, which may be a tuple or a struct of them.
template <class W, class Y, class Out>
auto leave_results(const Y& y, const Out& out, index_t size) {
    const auto axes = result_axes<Y>(out);
    const auto arrays = structure<Y>::arrays(y);
    return structure<Y>::template at<0>(generate<structure<Y>::count>([&](auto k) {
        const auto leave = [&](const auto& a) {
            if constexpr (shared_results<Y, Out>()[k()]) return leave_shared<W>(a);
            else return leave_batch<W>(a, axes[static_cast<std::size_t>(k())], size);
        };
        return each_array(leave, get<k()>(arrays));
    }));
}

/// What leaves the outermost vmap, for its user to write to: memory that nobody else sees, no element of it for
/// several.
struct in_its_own_memory {
    bool outermost;
    template <class A>
    A operator()(const A& a) const {
        return a;
    }
    template <class T, int R, class D>
    tensor<T, R, D> operator()(const tensor<T, R, D>& x) const {
        return !outermost || (is_reusable(x) && !repeats_elements(x)) ? x : x.clone();
    }
    template <class T, int R, class D>
    tensor<T, R, D> operator()(const tensor<const T, R, D>& x) const {
        return x.clone();
    }

   private:
    template <class T, int R, class D>
    static bool repeats_elements(const tensor<T, R, D>& x) {
        bool any = false;
        for (const bool one : repeating_axes(view_of_memory(x.shape(), x.strides()))) any = any || one;
        return any;
    }
};

template <class Axes>
constexpr array_set mapped_mask() {
    return []<int... I>(std::integer_sequence<int, I...>) {
        return (array_set(0) | ... | (is_mapped<std::tuple_element_t<I, Axes>> ? only_array(I) : 0));
    }(std::make_integer_sequence<int, std::tuple_size_v<Axes>>{});
}

/// The length of the mapped axes.
template <class Axes, class... A>
index_t batch_size(const Axes& in, const pack<A...>& args) {
    index_t size = -1;
    for_indices<sizeof...(A)>([&](auto i) {
        if constexpr (is_mapped<std::tuple_element_t<i(), Axes>>) {
            const auto measure = [&]<class X>(const X& a) {
                const index_t n = a.shape()[normalize_axis(std::get<i()>(in), X::rank, "vmap")];
                if (size >= 0 && n != size)
                    detail::raise<shape_error>({"[vmap] the mapped axes differ in size: ", size, " and ", n});
                size = n;
            };
            each_array(measure, get<i()>(args));
        }
    });
    if (size < 0) detail::raise<value_error>({"[vmap] the mapped arguments are std::vectors without an element"});
    return size;
}
/// The arguments with their mapped axes in front.
template <class Axes, class... A>
auto batch_in_front(const Axes& in, const pack<A...>& args) {
    return generate<sizeof...(A)>([&](auto i) {
        const auto& a = get<i()>(args);
        if constexpr (is_mapped<std::tuple_element_t<i(), Axes>>) {
            const int axis =
                normalize_axis(std::get<i()>(in), array_in_t<pack_element_t<i(), pack<A...>>>::rank, "vmap");
            return each_array([&](const auto& x) { return axis == 0 ? x : move_axis(x, axis, 0); }, a);
        } else {
            return a;
        }
    });
}
/// f of a whole batch, or of a chunk of one, whose arguments have the mapped axis in front; those in Mapped are mapped.
template <array_set Mapped, class F, class Out, class... A>
auto vmap_members(const F& f, const Out& out, level_t level, index_t size, const pack<A...>& args) {
    using W = batch_by<F>;
    using chain = typename entry_chain<W, F, entered<W, Mapped, A...>, A...>::type;
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto wrap = [&]<class L>(const L& x) { return batched<L, F>(x, level); };
        if constexpr ((Mapped >> i()) & 1) return each_array(wrap, lift(chain{}, get<i()>(args)));
        else return lift_constant(chain{}, get<i()>(args));
    });
    const auto results = [&] {  // alone with their memory, once it has run
        const auto y = unpack([&](const auto&... x) { return evaluate_result(f(x...)); }, inside);
        return leave_results<W>(y, out, size);
    }();
    return map_arrays(results, in_its_own_memory{level == variable_level + 1});
}

/// f of directions, as J v of v: what is computed from anything else, or drawn, is the same for all of them, and may
/// decide conditions.
template <class F>
struct of_directions {
    static constexpr bool shares_values = true;
    F f;
    template <class... V>
    auto operator()(const V&... v) const {
        return f(v...);
    }
};

/// f mapped over a batch of `size` members, of which `arguments(first, count)` gives a part: the arguments of
/// vmap_members.
template <array_set Mapped, class F, class Out, class Options, class Arguments>
auto vmap_batch(const F& f, const Out& out, const Options& options, index_t size, const Arguments& arguments) {
    const transform_scope scope;
    if constexpr (std::is_same_v<Options, mapped_part>) {
        mapped_frame frame(options, &wrapper_identity<batch_by<F>>, scope.level);
        const mapped_frame::call in_progress(frame, options.first, options.count);
        return vmap_members<Mapped>(f, out, scope.level, size, arguments(0, size));
    } else {
        constexpr bool of_derivative = batch_by<F>::shares_values;
        mapped_frame frame(of_derivative ? randomness::same : options.randomness, &wrapper_identity<batch_by<F>>,
                           scope.level, size);
        return in_chunks(options, size, out, [&](index_t first, index_t count) {
            const auto args = arguments(first, count);
            const mapped_frame::call in_progress(frame, first, count);
            return vmap_members<Mapped>(f, out, scope.level, count, args);
        });
    }
}

/// vmap of arrays, and of numbers that are not mapped.
template <array_set Mapped, class F, class Axes, class Out, class Options, class... A>
auto vmap_of_arrays(const F& f, const Axes& in, const Out& out, const Options& options, const A&... args) {
    const auto all = make_pack(args...);
    const index_t size = batch_size(in, all);
    const auto moved = batch_in_front(in, all);
    [[maybe_unused]] const std::uint64_t versions = versions_of(args...);
    return vmap_batch<Mapped>(f, out, options, size, [&](index_t first, index_t count) {
        if constexpr (!std::is_same_v<Options, vmap_options>) {
            return moved;
        } else {
            if (first > 0 && versions_of(args...) != versions) refuse_shared_write("vmap");
            return generate<sizeof...(A)>([&](auto i) {
                const auto stretch = [&](const auto& x) { return stretch_of(x, 0, first, count); };
                if constexpr ((Mapped >> i()) & 1) return each_array(stretch, get<i()>(moved));
                else return get<i()>(moved);
            });
        }
    });
}
template <class F, class Axes, class Out, class Options, class... A>
auto vmap_call(const F& f, const Axes& in, const Out& out, const Options& options, const A&... args) {
    constexpr array_set mapped = mapped_mask<Axes>() & all_arrays<int(sizeof...(A))>();
    static_assert(mapped != 0, "ricci: vmap needs at least one mapped argument");
    constexpr array_set scalars = [] {
        array_set bits = 0, bit = 1;
        ((bits |= array_in_t<A>::rank == 0 ? bit : 0, bit <<= 1), ...);
        return bits;
    }();
    static_assert((mapped & scalars) == 0, "ricci: vmap cannot map over a scalar argument: use none");
    if constexpr ((mapped & scalars) != 0) return refused_result();
    else return vmap_of_arrays<mapped>(f, in, out, options, args...);
}
/// Whether in_axes fits an argument: one axis, or a tuple of as many as it has members, each of which fits its member.
template <class List, class Axes>
inline constexpr bool members_fit_v = false;
template <class Axis, class S>
consteval bool fits_argument() {
    if constexpr (batch_axis<Axis> || !is_mapped<Axis>) return true;
    else if constexpr (requires { typename structure<S>::list; })
        return members_fit_v<typename structure<S>::list, Axis>;
    else return false;
}
template <class... M, class... Axis>
    requires(sizeof...(M) == sizeof...(Axis))
inline constexpr bool members_fit_v<member_list<M...>, std::tuple<Axis...>> = (fits_argument<Axis, M>() && ...);
/// The axis of each array in an argument S.
template <class S, class Axis>
auto axes_of_arrays(const Axis& axis) {
    if constexpr (batch_axis<Axis> || !is_mapped<Axis>) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::make_tuple((static_cast<void>(I), axis)...);
        }(std::make_integer_sequence<int, structure<S>::count>{});
    } else {
        return [&]<class... M>(std::type_identity<member_list<M...>>) {
            return std::apply([](const auto&... a) { return std::tuple_cat(axes_of_arrays<M>(a)...); }, axis);
        }(std::type_identity<typename structure<S>::list>{});
    }
}
/// vmap_call for arguments that may be structures of arrays.
template <class F, class... In, class Out, class Options, class... S>
auto structured_vmap(const F& f, const std::tuple<In...>& in, const Out& out, const Options& options,
                     const S&... args) {
    constexpr bool counted = sizeof...(In) == sizeof...(S);
    static_assert(counted, "ricci: in_axes needs one axis, or none, for each argument");
    constexpr bool fits = members_fit_v<member_list<S...>, std::tuple<In...>>;
    static_assert(fits || !counted,
                  "ricci: a tuple of in_axes is for a tuple or a struct, and has an axis, or none, for each member");
    if constexpr (!fits) {
        return refused_result();
    } else if constexpr (all_operands_v<S...>) {
        return vmap_call(f, in, out, options, as_constant(args)...);
    } else {
        static_assert(
            !((is_mapped<In> && fixed_expression<S>) || ...),
            "ricci: vmap does not map over a fixed_tensor: pass none for it, or a tensor with the batch as an axis");
        const auto axes =
            std::apply([](const auto&... axis) { return std::tuple_cat(axes_of_arrays<S>(axis)...); }, in);
        const flat_function<F, S...> flat{f};
        return unpack([&](const auto&... a) { return vmap_call(flat, axes, out, options, a...); },
                      arrays_acted_on(args...));
    }
}

template <class F, class In, class Out, class Options>
auto make_vmap(const F& f, const In& in, const Out& out, const Options& options) {
    return [f, in, out, options](const auto&... args) { return structured_vmap(f, in, out, options, args...); };
}
/// The same axis for every argument.
template <class F, class Options>
auto make_vmap(const F& f, int in, int out, const Options& options) {
    return [f, in, out, options](const auto&... args) {
        return structured_vmap(f, std::make_tuple((static_cast<void>(args), in)...), std::make_tuple(out), options,
                               args...);
    };
}
/// {0, none}, which in_axes(0, none) would be.
struct braced_axes {
    template <class... A>
        requires(sizeof...(A) > 1 && ((std::is_integral_v<A> || std::is_same_v<A, none_t>) && ...))
    constexpr braced_axes(A...) {}
};

}  // namespace detail

/// `f` mapped over an axis of its arguments: vmap(f, in_axes(none, 0))(w, X) calls f(w, X[i]) for all i at once, with
/// batched operations and no loop. Results have the mapped axis at `out`. Nests, and composes with grad, vjp and jvp in
/// any order. Without in_axes, axis 0 of every argument is mapped. Arguments and results may be tuples, std::arrays,
/// std::vectors, std::maps or structs of arrays (expr/structure.hpp): one axis for an argument is that of all its
/// arrays, one axis for the results that of all of them. A result that is the same for all members comes without the mapped axis where
/// out_axes says none; one that is not is a value_error, unless there is one member. Results are arrays of their own,
/// which may be written to. Numbers that are not mapped reach `f` as they are. The last argument may be vmap_options,
/// {.chunk_size = 64, .randomness = randomness::different}: the batch in chunks, which bound the memory and leave the
/// result as it is; and what random numbers drawn by `f` mean.
/// Throws shape_error when mapped axes differ in size, index_error for an axis out of range, value_error for a
/// chunk_size below 1, or of 1 with out_axes(none), and in chunks for an `f` that writes to an argument that is not
/// mapped.
template <class F, class... In, class... Out>
auto vmap(F f, axes_t<In...> in, axes_t<Out...> out) {
    return detail::make_vmap(f, in.axis, out.axis, detail::no_options{});
}
template <class F, class... In, class... Out>
auto vmap(F f, axes_t<In...> in, axes_t<Out...> out, vmap_options options) {
    return detail::make_vmap(f, in.axis, out.axis, options);
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, int out = 0) {
    return vmap(f, in, out_axes(out));
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, int out, vmap_options options) {
    return vmap(f, in, out_axes(out), options);
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, vmap_options options) {
    return vmap(f, in, out_axes(0), options);
}
template <class F>
    requires(!expression<F>)
auto vmap(F f, int axis = 0, int out = 0) {
    return detail::make_vmap(f, axis, out, detail::no_options{});
}
template <class F>
auto vmap(F f, int axis, int out, vmap_options options) {
    return detail::make_vmap(f, axis, out, options);
}
template <class F>
auto vmap(F f, vmap_options options) {
    return detail::make_vmap(f, 0, 0, options);
}
template <class F, std::floating_point Axis, class... More>
auto vmap(F f, Axis, const More&...) {
    static_assert(always_false<Axis>, "ricci: vmap takes the axis as an integer: vmap(f, 1)");
    return vmap(f);
}
template <class F>
auto vmap(F f, const detail::braced_axes&) {
    static_assert(always_false<F>, "ricci: the axes of several arguments are in_axes: vmap(f, in_axes(0, none))");
    return vmap(f);
}

}  // namespace ricci
