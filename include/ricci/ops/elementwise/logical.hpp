// Logic on truth values: any element type is taken as `!= 0`.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct logical_and : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a & b;
    }
};
struct logical_or : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a | b;
    }
};
struct logical_xor : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a ^ b;
    }
};
struct logical_not : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a) {
        if constexpr (std::is_same_v<M, bool>)  // !a, in words that g++ turns into vector code
            return static_cast<unsigned char>(static_cast<unsigned char>(a) ^ 3) > 2;
        else return !a;
    }
};
}  // namespace ops

/// a and b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_and(A&& a, B&& b) {
    return map<ops::logical_and>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator&&(A&& a, B&& b) {
    return map<ops::logical_and>(std::forward<A>(a), std::forward<B>(b));
}

/// a or b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_or(A&& a, B&& b) {
    return map<ops::logical_or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator||(A&& a, B&& b) {
    return map<ops::logical_or>(std::forward<A>(a), std::forward<B>(b));
}

/// a xor b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_xor(A&& a, B&& b) {
    return map<ops::logical_xor>(std::forward<A>(a), std::forward<B>(b));
}

/// not a element by element.
template <operand A>
RICCI_HD RICCI_INLINE constexpr auto logical_not(A&& a) {
    return map<ops::logical_not>(std::forward<A>(a));
}
template <class A>
    requires(operands<A>)
RICCI_HD RICCI_INLINE constexpr auto operator!(A&& a) {
    return map<ops::logical_not>(std::forward<A>(a));
}
}  // namespace ricci
