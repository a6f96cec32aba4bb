// The six comparisons: bool results, no derivative.
#pragma once
#include <limits>
#include <utility>

#include "astype.hpp"
#include "logical.hpp"

namespace ricci {
namespace ops {
struct equal : comparison {
    static constexpr bool takes_masks = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a == b;
    }
};
struct not_equal : comparison {
    static constexpr bool takes_masks = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a != b;
    }
};
struct less : of_reals<comparison> {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a < b;
    }
};
struct less_equal : of_reals<comparison> {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a <= b;
    }
};
struct greater : of_reals<comparison> {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a > b;
    }
};
struct greater_equal : of_reals<comparison> {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a >= b;
    }
};
}  // namespace ops

namespace detail {
/// A comparison of integers with a number, which may be one that their type does not hold: the answer is the same for
/// all then.
template <class Op>
struct number_comparison : Op {
    bool open = true, answer = false;
    template <class A, class B>
    RICCI_HD RICCI_INLINE constexpr auto value(const A& a, const B& b) const {
        return static_cast<bool>((Op::value(a, b) & open) | answer);
    }
};
/// Whether integers stand beside a number that may be none of them.
template <class A, class S>
constexpr bool may_exceed() {
    if constexpr (expression<A> && std::is_integral_v<std::remove_cvref_t<S>>) {
        using T = value_type_t<A>;
        using from = std::numeric_limits<std::remove_cvref_t<S>>;
        using to = std::numeric_limits<T>;
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                      !std::is_same_v<typename std::remove_cvref_t<S>, bool>)
            return std::cmp_less(from::min(), to::min()) || std::cmp_greater(from::max(), to::max());
        else return false;
    } else {
        return false;
    }
}

/// Whether A are signed integers and B unsigned ones whose common type is double, in which large ones look equal.
template <class A, class B>
constexpr bool differ_in_sign() {
    if constexpr (expression<A> && expression<B>) {
        using T = value_type_t<A>;
        using U = value_type_t<B>;
        return std::is_integral_v<T> && std::is_signed_v<T> && std::is_same_v<U, std::uint64_t>;
    } else {
        return false;
    }
}
/// Integers with what says where those below 0 lie: the comparison of the others, and its answer there.
template <bool Answer, class A, class E>
RICCI_HD RICCI_INLINE constexpr auto with_negative(const A& a, const E& others) {
    if constexpr (Answer) return map<ops::logical_or>(map<ops::less>(a, 0), others);
    else return map<ops::logical_and>(map<ops::greater_equal>(a, 0), others);
}

template <class Op, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto compare(A&& a, B&& b) {
    if constexpr (differ_in_sign<A, B>()) {
        return with_negative<Op::value(-1, 0)>(a, map<Op>(astype<std::uint64_t>(a), std::forward<B>(b)));
    } else if constexpr (differ_in_sign<B, A>()) {
        return with_negative<Op::value(0, -1)>(b, map<Op>(std::forward<A>(a), astype<std::uint64_t>(b)));
    } else if constexpr (may_exceed<A, B>()) {
        const bool below = is_below_all<value_type_t<A>>(b), above = is_above_all<value_type_t<A>>(b);
        const number_comparison<Op> op{{}, !below && !above, (below && Op::value(1, 0)) || (above && Op::value(0, 1))};
        return make_map(op, std::forward<A>(a), op.open ? static_cast<value_type_t<A>>(b) : value_type_t<A>(0));
    } else if constexpr (may_exceed<B, A>()) {
        const bool below = is_below_all<value_type_t<B>>(a), above = is_above_all<value_type_t<B>>(a);
        const number_comparison<Op> op{{}, !below && !above, (below && Op::value(0, 1)) || (above && Op::value(1, 0))};
        return make_map(op, op.open ? static_cast<value_type_t<B>>(a) : value_type_t<B>(0), std::forward<B>(b));
    } else {
        return map<Op>(std::forward<A>(a), std::forward<B>(b));
    }
}

template <class A>
inline constexpr bool is_comparison_v = false;
template <class Op, class... Args>
inline constexpr bool is_comparison_v<map_node<Op, Args...>> = std::is_base_of_v<ops::comparison, Op>;
/// `low < x < high` would compare truth values with a number.
template <class A, class B>
constexpr void check_chain() {
    if constexpr (is_comparison_v<std::remove_cvref_t<A>> && !kernel_scalar<B>) {
        constexpr bool of_truths = std::is_same_v<common_t<kind_t<B>>, bool>;
        static_assert(of_truths, "ricci: comparisons are not chained: (low < x) && (x < high) for low < x < high");
    }
}
}  // namespace detail

/// a == b element by element, broadcast, in the common type. Comparisons with NaN are false. A number that integers
/// beside it cannot hold is below or above all of them, and signed integers beside uint64 are compared exactly, here
/// and in the other comparisons.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto equal(A&& a, B&& b) {
    return detail::compare<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator==(A&& a, B&& b) {
    return detail::compare<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a != b element by element, broadcast, in the common type. NaN is unequal to everything.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto not_equal(A&& a, B&& b) {
    return detail::compare<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator!=(A&& a, B&& b) {
    return detail::compare<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a < b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less(A&& a, B&& b) {
    return detail::compare<ops::less>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return detail::compare<ops::less>(std::forward<A>(a), std::forward<B>(b));
}

/// a <= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less_equal(A&& a, B&& b) {
    return detail::compare<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<=(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return detail::compare<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a > b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater(A&& a, B&& b) {
    return detail::compare<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return detail::compare<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}

/// a >= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater_equal(A&& a, B&& b) {
    return detail::compare<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>=(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return detail::compare<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
