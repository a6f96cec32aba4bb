// The six comparisons: bool results, no derivative.
#pragma once
#include "../declarations.hpp"

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
struct less : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a < b;
    }
};
struct less_equal : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a <= b;
    }
};
struct greater : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a > b;
    }
};
struct greater_equal : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a >= b;
    }
};
}  // namespace ops

namespace detail {
template <class A>
inline constexpr bool is_comparison_v = false;
template <class Op, class... Args>
inline constexpr bool is_comparison_v<map_node<Op, Args...>> = std::is_base_of_v<ops::comparison, Op>;
/// `low < x < high` would compare truth values with a number.
template <class A, class B>
constexpr void check_chain() {
    if constexpr (is_comparison_v<std::remove_cvref_t<A>> && !kernel_scalar<B>)
        static_assert(std::is_same_v<common_t<kind_t<B>>, bool>,
                      "ricci: comparisons are not chained: (low < x) && (x < high) for low < x < high");
}
}  // namespace detail

/// a == b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto equal(A&& a, B&& b) {
    return map<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator==(A&& a, B&& b) {
    return map<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a != b element by element, broadcast, in the common type. NaN is unequal to everything.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto not_equal(A&& a, B&& b) {
    return map<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator!=(A&& a, B&& b) {
    return map<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a < b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less(A&& a, B&& b) {
    return map<ops::less>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return map<ops::less>(std::forward<A>(a), std::forward<B>(b));
}

/// a <= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less_equal(A&& a, B&& b) {
    return map<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<=(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return map<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a > b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater(A&& a, B&& b) {
    return map<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return map<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}

/// a >= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater_equal(A&& a, B&& b) {
    return map<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>=(A&& a, B&& b) {
    detail::check_chain<A, B>();
    return map<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
