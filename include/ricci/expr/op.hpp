// What an element-wise op is to the engine: its types, how it is evaluated on any scalar, and how derivatives of any order
// follow from its one rule.
#pragma once
#include "dual.hpp"
#include "pack.hpp"

namespace ricci {

/// The adjoints that a pullback returns, one for each argument of the op.
template <class... S>
RICCI_HD RICCI_INLINE constexpr auto adjoints(const S&... s) {
    return detail::make_pack(s...);
}

/// A number as the scalar that a user's function sees outside of SIMD kernels: it makes the library's functions visible to
/// unqualified calls, as registers and duals do.
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

namespace ops {

// Signatures: which type an op computes in (`argument<I, kinds...>`) and what it gives (`result<kinds...>`). A kind is an
// element type or weak<S> for a C++ number.

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
    else return a + tail;
}

/// An op's value together with what its pullback needs. No reference members: an object that points into itself cannot be
/// split into registers by nvcc, and dangles when it is returned in registers.
template <class Op, class... X>
struct traced_value {
    decltype(evaluate_op(std::declval<const Op&>(), std::declval<const X&>()...)) y;
    RICCI_HD RICCI_INLINE constexpr traced_value(const Op& op, const X&... x) : y(evaluate_op(op, x...)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Op& op, const Y& y_bar, const X&... x) const {
        return as_pack(op.pullback(y_bar, x..., y));
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
        return as_pack(op.pullback(y_bar, x..., get<0>(result), get<1>(result)));
    }
};

/// An element-wise op's Jacobian is diagonal, its own transpose: the pushforward of the argument's tangent is the pullback
/// of it, summed over the arguments that carry one.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_dual(const Op& op, const X&... x) {
    if constexpr (!Op::differentiable) {
        return evaluate_op(op, primal(x)...);
    } else {
        const traced_value<Op, std::remove_cvref_t<decltype(primal(x))>...> t(op, primal(x)...);
        using Y = std::remove_cvref_t<decltype(t.value())>;
        const auto arguments = make_pack(x...);
        auto push = [&](auto i) {
            using Xi = pack_element_t<i(), decltype(arguments)>;
            if constexpr (is_dual_v<Xi>) return get<i()>(t.pullback(op, get<i()>(arguments).tangent, primal(x)...));
            else return nothing{};
        };
        return transform_indices<sizeof...(X)>(push, [&](const auto&... part) { return dual<Y>(t.value(), sum_of_present(part...)); });
    }
}

/// An op's value on numbers, SIMD registers or duals of them.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_op(const Op& op, const X&... x) {
    if constexpr ((is_number_v<X> || ...)) return as_number(evaluate_op(op, plain(x)...));
    else if constexpr ((is_dual_v<X> || ...)) return evaluate_dual(op, x...);
    else if constexpr ((is_dependence_v<X> || ...)) return joined_dependence(op, x...);
    else if constexpr ((is_eager_v<X> || ...)) return evaluate_eager(op, x...);
    else if constexpr ((std::is_integral_v<X> && ...))  // C++ computes small integers and bools as int
        return static_cast<typename Op::template result<X...>>(op.value(x...));
    else return op.value(x...);
}

}  // namespace detail
}  // namespace ricci
