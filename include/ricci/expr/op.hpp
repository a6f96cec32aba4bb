// What an element-wise op is to the engine: its types, how it is evaluated on any scalar, and how derivatives of any
// order follow from its one rule.
#pragma once
#include "complex_arithmetic.hpp"
#include "series.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// The adjoints that a pullback returns, one for each argument of the op.
template <class... S>
RICCI_HD RICCI_INLINE constexpr auto adjoints(const S&... s) {
    return detail::make_pack(detail::copied(s)...);
}

/// A number as the scalar that a user's function sees outside of SIMD kernels: it makes the library's functions visible
/// to unqualified calls, as registers and duals do.
template <class T>
struct number {
    T value;
    RICCI_HD RICCI_INLINE constexpr number(T v) : value(v) {}
    RICCI_HD RICCI_INLINE constexpr operator T() const { return value; }
};
template <class T>
inline constexpr bool is_kernel_scalar_v<number<T>> = true;
template <class S>
inline constexpr bool is_number_v = false;
template <class T>
inline constexpr bool is_number_v<number<T>> = true;

namespace detail {

template <class S>
RICCI_HD RICCI_INLINE constexpr auto as_number(const S& x) {
    if constexpr (element<S>) return number<S>(x);
    else return x;
}
template <class S>
RICCI_HD RICCI_INLINE constexpr const S& plain(const S& x) {
    return x;
}
template <class T>
RICCI_HD RICCI_INLINE constexpr T plain(const number<T>& x) {
    return x.value;
}

}  // namespace detail

/// Arrays that stand in for scalars when a tree is replayed op by op (see grad/replay.hpp).
template <class S>
inline constexpr bool is_eager_v = false;
/// Sets of inputs that stand in for the numbers computed from them (see grad/dependence.hpp).
template <class S>
inline constexpr bool is_dependence_v = false;
/// Scalars whose computation is recorded (see tape.hpp).
template <class S>
inline constexpr bool is_taped_v = false;

namespace ops {

// Signatures: which type an op computes in (`argument<I, kinds...>`) and what it gives (`result<kinds...>`). A kind is
// an element type or weak<S> for a C++ number.

/// All arguments in their common type, and the result too: + - * maximum.
struct arithmetic {
    static constexpr bool differentiable = true;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    using result = common_t<K...>;
};
/// As arithmetic, but integers become double: / exp sin.
struct floating {
    static constexpr bool differentiable = true;
    template <int, class... K>
    using argument = inexact_t<common_t<K...>>;
    template <class... K>
    using result = inexact_t<common_t<K...>>;
};
/// Common type in, bool out: < == isnan.
struct comparison {
    static constexpr bool differentiable = false;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class...>
    using result = bool;
};
/// The same of an op that complex numbers have none of: floor, <, erf.
template <class Kind>
struct of_reals : Kind {
    static constexpr bool takes_complex = false;
};
/// Truth values in and out.
struct logical {
    static constexpr bool differentiable = false;
    static constexpr bool takes_masks = true;
    template <int, class...>
    using argument = bool;
    template <class...>
    using result = bool;
};

}  // namespace ops

namespace detail {

/// Ops that compute on truth values as such, so that SIMD masks will do; arithmetic on bools is left to scalars.
template <class Op>
inline constexpr bool takes_masks_v = requires { requires Op::takes_masks; };
/// Ops on the bits of integers, to which a number may be given as C++ writes masks, x & ~7, for unsigned x too.
template <class Op>
inline constexpr bool takes_bits_v = requires { requires Op::takes_bits; };
/// Ops that compute on single elements only, never on registers.
template <class Op>
inline constexpr bool takes_elements_v = requires { requires Op::takes_elements; };

template <class Op, class... X>
concept has_residual = requires(const Op& op, const X&... x) { op.value_with_residual(x...); };

template <class S>
RICCI_HD RICCI_INLINE constexpr auto as_pack(const S& s) {
    return make_pack(s);
}
template <class... S>
RICCI_HD RICCI_INLINE constexpr const pack<S...>& as_pack(const pack<S...>& p) {
    return p;
}

template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_op(const Op& op, const X&... x);

/// The absent member of a sum or of a list of adjoints.
struct nothing {};

RICCI_HD RICCI_INLINE constexpr nothing sum_of_present() { return {}; }
template <class A, class... Rest>
RICCI_HD RICCI_INLINE constexpr auto sum_of_present(const A& a, const Rest&... rest) {
    const auto tail = sum_of_present(rest...);
    if constexpr (std::is_same_v<A, nothing>) return tail;
    else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(tail)>, nothing>) return a;
    else {
        using ops::operator+;
        return a + tail;
    }
}

/// mask ? a : b on any scalar (see ops/elementwise/where.hpp).
template <class M, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto select_lane(const M& mask, const A& a, const B& b);

/// Instructions of an op, roughly: 1 unless the op says otherwise.
template <class Op>
constexpr int op_cost() {
    if constexpr (requires { Op::cost; }) return Op::cost;
    else return 1;
}

/// v + epsilon t, with the infinitesimal of a nest's Depth-th level from within.
template <int Depth, class S>
RICCI_HD RICCI_INLINE constexpr auto plus_tangent(const S& v, const S& t) {
    if constexpr (std::is_same_v<S, nothing> || std::is_integral_v<S>) return v;
    else if constexpr (level_count(degrees_v<S>) < Depth) return dual<S>(v, t);
    else if constexpr (level_count(degrees_v<S>) > Depth)
        return S(plus_tangent<Depth>(v.value, t.value), plus_tangent<Depth>(v.tangent, t.tangent));
    else return S(v.value, static_cast<typename S::value_type>(sum_of_present(v.tangent, t.value)));
}
/// 0 where a tangent is, else what an op makes of it.
template <class Y, class S>
RICCI_HD RICCI_INLINE constexpr auto unless_still(const Y& y_dot, const S& s) {
    if constexpr (std::is_same_v<S, nothing> || std::is_integral_v<S>) return s;
    else return select_lane(y_dot == Y(0), S(0), s);
}
/// Whether tangents of (co)tangents are looked at: not by ops of one instruction, whose slopes are finite, nor of
/// complex numbers.
template <class Op, class S>
inline constexpr bool skips_zeros_v = op_cost<Op>() > 1 &&
                                      (std::is_floating_point_v<S> ||
                                       (!std::is_void_v<typename register_in<S>::type> && !is_complex_lane_v<S>));
/// `pull`, a linear function that gives a pack, of a nest's components one by one, so that a tangent of 0 counts for
/// nothing where the slope is infinite: mostly it is that of a constant, a seed of 1 say. IsTangent: y_bar is such a
/// part.
template <class Op, bool IsTangent = false, class Y, class Pull>
RICCI_HD RICCI_INLINE constexpr auto pull_by_parts(const Y& y_bar, const Pull& pull) {
    if constexpr (!skips_zeros_v<Op, scalar_base_t<Y>> || is_taylor_v<Y>) {
        return pull(y_bar);
    } else if constexpr (is_dual_v<Y>) {
        const auto value = pull_by_parts<Op, IsTangent>(y_bar.value, pull);
        const auto tangent = pull_by_parts<Op, true>(y_bar.tangent, pull);
        return transform_indices<std::remove_const_t<decltype(value)>::size>(
            [&](auto i) { return plus_tangent<level_count(degrees_v<Y>)>(get<i()>(value), get<i()>(tangent)); },
            [](const auto&... bar) { return make_pack(bar...); });
    } else if constexpr (IsTangent) {
        return unpack([&](const auto&... bar) { return make_pack(unless_still(y_bar, bar)...); }, pull(y_bar));
    } else {
        return pull(y_bar);
    }
}

/// An op's value together with what its pullback needs. No reference members: an object that points into itself cannot
/// be split into registers by nvcc, and dangles when it is returned in registers.
template <class Op, class... X>
struct traced_value {
    decltype(evaluate_op(std::declval<const Op&>(), std::declval<const X&>()...)) y;
    RICCI_HD RICCI_INLINE constexpr traced_value(const Op& op, const X&... x) : y(evaluate_op(op, x...)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Op& op, const Y& y_bar, const X&... x) const {
        return pull_by_parts<Op>(
            y_bar, [&](const auto& part) RICCI_INLINE_LAMBDA { return as_pack(op.pullback(part, x..., y)); });
    }
};
template <class Op, class... X>
    requires has_residual<Op, X...>
struct traced_value<Op, X...> {
    using both = decltype(std::declval<const Op&>().value_with_residual(std::declval<const X&>()...));
    both result;
    RICCI_HD RICCI_INLINE constexpr traced_value(const Op& op, const X&... x) : result(op.value_with_residual(x...)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return get<0>(result); }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Op& op, const Y& y_bar, const X&... x) const {
        return pull_by_parts<Op>(y_bar, [&](const auto& part) RICCI_INLINE_LAMBDA {
            return as_pack(op.pullback(part, x..., get<0>(result), get<1>(result)));
        });
    }
};

/// Ops whose linear part is not its own transpose: those that take complex numbers apart or put them together.
template <class Op, class D, class Y, class... X>
concept has_pushforward =
    requires(const Op& op, const D& x_dot, const Y& y, const X&... x) { op.pushforward(x_dot, x..., y); };
/// What the I-th argument's tangent adds to the result's. The pairing of an adjoint a and a tangent t is the real part
/// of a t, under which multiplication by a number, complex ones included, is its own transpose.
template <int I, class Op, class T, class D, class... X>
RICCI_HD RICCI_INLINE constexpr auto push_argument(const Op& op, const T& traced, const D& x_dot, const X&... x) {
    if constexpr (has_pushforward<Op, D, std::remove_cvref_t<decltype(traced.value())>, X...>)
        return get<I>(pull_by_parts<Op>(x_dot, [&](const auto& part) RICCI_INLINE_LAMBDA {
            return as_pack(op.pushforward(part, x..., traced.value()));
        }));
    else return get<I>(traced.pullback(op, x_dot, x...));
}
/// A scalar of a nest over real numbers as one of the nest S over complex ones.
template <class S, class D>
RICCI_HD RICCI_INLINE constexpr auto rebased(const D& x) {
    if constexpr (std::is_same_v<S, D> || !is_nested_v<S> || degrees_v<S> != degrees_v<D>) {
        return x;
    } else if constexpr (is_dual_v<S>) {
        using V = typename S::value_type;
        return S(V(rebased<V>(x.value)), V(rebased<V>(x.tangent)));
    } else {
        return each_coefficient(x, [](const auto& c) {
            using V = typename S::value_type;
            return V(rebased<V>(c));
        });
    }
}

/// An element-wise op's Jacobian is diagonal, its own transpose: the pushforward of the argument's tangent is the
/// pullback of it, unless the op has another one, summed over the arguments that carry one.
template <int Depth, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_dual(const Op& op, const X&... x) {
    const traced_value<Op, std::remove_cvref_t<decltype(below<Depth>(x))>...> t(op, below<Depth>(x)...);
    using Y = std::remove_cvref_t<decltype(t.value())>;
    const auto arguments = make_pack(x...);
    auto push = [&](auto i) {
        using Xi = pack_element_t<i(), decltype(arguments)>;
        if constexpr (varies_v<Depth, Xi>)
            return push_argument<i()>(op, t, get<i()>(arguments).tangent, below<Depth>(x)...);
        else return nothing{};
    };
    return transform_indices<sizeof...(X)>(
        push, [&](const auto&... part) { return dual<Y>(t.value(), rebased<Y>(sum_of_present(part...))); });
}

template <class S>
RICCI_HD RICCI_INLINE constexpr auto truncated_or_constant(const S& x) {
    if constexpr (is_taylor_v<S>) return truncated(x);
    else return x;
}
/// An op without a series rule: y' is the pullback of x', which needs x and y to one order less.
template <int K, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto series_by_pullback(const Op& op, const X&... x) {
    const traced_value<Op, decltype(truncated_or_constant(x))...> t(op, truncated_or_constant(x)...);
    const auto arguments = make_pack(x...);
    auto push = [&](auto i) {
        using Xi = pack_element_t<i(), decltype(arguments)>;
        if constexpr (is_taylor_v<Xi>)
            return push_argument<i()>(op, t, derivative_of(get<i()>(arguments)), truncated_or_constant(x)...);
        else return nothing{};
    };
    return transform_indices<sizeof...(X)>(push, [&](const auto&... part) {
        if constexpr (K == 1) return integral<1>(t.value(), sum_of_present(part...));
        else return integral<K>(primal(t.value()), sum_of_present(part...));
    });
}

template <class Op, class... X>
concept has_series = requires(const Op& op, const X&... x) { op.series(x...); };

/// The outermost series among some scalars, of Depth levels, over complex numbers if one of them is.
template <int Depth, class X, class... Rest>
struct outer_series : outer_series<Depth, Rest...> {};
template <int Depth, class X, class... Rest>
    requires(varies_v<Depth, X>)
struct outer_series<Depth, X, Rest...> {
    template <class A, class... B>
    static constexpr auto widest() {
        if constexpr (sizeof...(B) == 0) return std::type_identity<A>{};
        else if constexpr (!is_complex_scalar_v<A> && ((varies_v<Depth, B> && is_complex_scalar_v<B>) || ...))
            return widest<B...>();
        else return std::type_identity<A>{};
    }
    using type = typename decltype(widest<X, Rest...>())::type;
    static_assert(((!varies_v<Depth, Rest> || std::is_same_v<X, Rest> ||
                    (degrees_v<X> == degrees_v<Rest> && is_complex_scalar_v<X> != is_complex_scalar_v<Rest>)) &&
                   ...),
                  "ricci: scalars of different expansions meet: nest them, or make one of them a constant");
};
/// The type of the first series among a rule's arguments, which all others share.
template <class... X>
using first_series_t = typename outer_series<depth_v<X...>, X...>::type;
/// Series of fewer levels are constants: what remains a series varies.
template <class T, int Depth, class X>
RICCI_HD RICCI_INLINE constexpr auto series_argument(const X& x) {
    if constexpr (is_taylor_v<X> && !varies_v<Depth, X>) return T(x);
    else if constexpr (is_taylor_v<X>) return rebased<T>(x);
    else return x;
}
template <int Depth, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_series(const Op& op, const X&... x) {
    using T = typename outer_series<Depth, X...>::type;
    if constexpr (!(std::is_same_v<X, decltype(series_argument<T, Depth>(x))> && ...))
        return evaluate_series<Depth>(op, series_argument<T, Depth>(x)...);
    else if constexpr (has_series<Op, X...>) return op.series(x...);
    else return series_by_pullback<T::order>(op, x...);
}

template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_nested(const Op& op, const X&... x) {
    constexpr int depth = depth_v<X...>;
    if constexpr (!Op::differentiable) return evaluate_op(op, innermost(x)...);
    else if constexpr (((is_taylor_v<X> && varies_v<depth, X>) || ...)) return evaluate_series<depth>(op, x...);
    else return evaluate_dual<depth>(op, x...);
}

// ---- C++ numbers beside scalars -------------------------------------------------------------------------------------

/// The kind of a scalar for promotion; void for registers and arrays, which combine with numbers by themselves.
template <class X>
struct scalar_kind {
    using base = scalar_base_t<X>;
    using type = std::conditional_t<element<base>, base, void>;
};
template <element X>
struct scalar_kind<X> {
    using type = weak<X>;
};
template <class T>
struct scalar_kind<number<T>> {
    using type = T;
};
template <class Op, class Indices, class... X>
struct number_arguments;
template <class Op, int... I, class... X>
struct number_arguments<Op, std::integer_sequence<int, I...>, X...> {
    template <int K>
    using type = typename Op::template argument<K, typename scalar_kind<X>::type...>;
    template <int K, class A>
    static constexpr bool fits = !element<A> || std::is_same_v<A, compute_t<type<K>>>;
    static constexpr bool convert = !(fits<I, X> && ...);

    template <int K, class A>
    RICCI_HD RICCI_INLINE static constexpr auto at(const A& a) {
        if constexpr (element<A>) return in_compute_type(convert_element<type<K>>(a));
        else return a;
    }
    RICCI_HD RICCI_INLINE static constexpr auto evaluate(const Op& op, const X&... x) {
        return evaluate_op(op, at<I>(x)...);
    }
};
/// Whether C++ numbers are to be converted first, as the library promotes (pow(x, 3), 2 * x for a complex x).
template <class Op, class... X>
constexpr bool converts_numbers() {
    if constexpr (!(element<X> || ...) || !((is_number_v<X> || is_nested_v<X>) || ...) ||
                  (std::is_void_v<typename scalar_kind<X>::type> || ...))
        return false;
    else return number_arguments<Op, std::make_integer_sequence<int, sizeof...(X)>, X...>::convert;
}

/// Plain numbers in the types that the op computes in.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_converted(const Op& op, const X&... x) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return op.value(convert_element<typename Op::template argument<I, X...>>(x)...);
    }(std::make_integer_sequence<int, sizeof...(X)>{});
}
/// Integers among themselves. C++ computes small ones and bools as int: the result is converted.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_integers(const Op& op, const X&... x) {
    return static_cast<typename Op::template result<X...>>(evaluate_converted(op, x...));
}
/// Whether C++'s numbers are not of one type.
template <class... X>
inline constexpr bool differ_as_plain_numbers = false;
template <class X, class... More>
inline constexpr bool differ_as_plain_numbers<X, More...> =
    std::is_arithmetic_v<X> && (std::is_arithmetic_v<More> && ...) && !(std::is_same_v<X, More> && ...);

/// The register among scalars; void where there is none.
template <class... X>
struct register_among {
    using type = void;
};
template <class X, class... More>
struct register_among<X, More...>
    : std::conditional_t<std::is_void_v<typename register_in<X>::type>, register_among<More...>, register_in<X>> {};

/// Whether C++'s numbers stand beside registers that can hold them: they become registers, for which alone ops are
/// written. Conditions are for the op to take.
template <class Op, class... X>
constexpr bool fills_registers() {
    using R = typename register_among<X...>::type;
    if constexpr (requires { Op::takes_masks; } || std::is_void_v<R> || !(std::is_arithmetic_v<X> || ...)) return false;
    else return is_inexact_v<typename R::value_type> || ((!std::is_arithmetic_v<X> || std::is_integral_v<X>) && ...);
}
template <class R, class X>
RICCI_HD RICCI_INLINE constexpr auto as_register(const X& x) {
    if constexpr (std::is_arithmetic_v<X>) return R(convert_element<typename R::value_type>(x));
    else return x;
}

/// An op's value on numbers, SIMD registers, duals and series of them.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_op(const Op& op, const X&... x) {
    if constexpr (fills_registers<Op, X...>())
        return evaluate_op(op, as_register<typename register_among<X...>::type>(x)...);
    else if constexpr ((is_taped_v<X> || ...)) return record_op(op, x...);
    else if constexpr (converts_numbers<Op, X...>())
        return number_arguments<Op, std::make_integer_sequence<int, sizeof...(X)>, X...>::evaluate(op, x...);
    else if constexpr ((is_number_v<X> || ...)) return as_number(evaluate_op(op, plain(x)...));
    else if constexpr ((is_nested_v<X> || ...)) return evaluate_nested(op, x...);
    else if constexpr ((is_dependence_v<X> || ...)) return joined_dependence(op, x...);
    else if constexpr ((is_eager_v<X> || ...)) return evaluate_eager(op, x...);
    else if constexpr ((std::is_integral_v<X> && ...)) return evaluate_integers(op, x...);
    else if constexpr (differ_as_plain_numbers<X...>) return evaluate_converted(op, x...);
    else if constexpr ((is_half_v<X> || ...)) return evaluate_op(op, in_compute_type(x)...);
    else return op.value(x...);
}

/// Scalars that compound assignment is given here.
template <class S>
concept assignable_scalar = is_nested_v<S> || is_number_v<S> || is_taped_v<S>;

}  // namespace detail

template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator+=(A& a, const B& b) {
    return a = static_cast<A>(a + b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator-=(A& a, const B& b) {
    return a = static_cast<A>(a - b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator*=(A& a, const B& b) {
    return a = static_cast<A>(a * b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator/=(A& a, const B& b) {
    return a = static_cast<A>(a / b);
}

}  // namespace ricci
RICCI_BOTH_SIDES_END
