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
    return map<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
