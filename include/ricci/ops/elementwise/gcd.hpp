// The greatest common divisor and the least common multiple.
#pragma once
#include "integers.hpp"

namespace ricci {
namespace ops {
struct gcd : integers {
    static constexpr bool takes_bits = false, takes_elements = true;
    static constexpr int cost = 100;
    template <class M>
    RICCI_HD static constexpr M value(const M& x, const M& y) {
        if constexpr (std::is_same_v<M, bool>) {
            return x || y;
        } else {
            using U = std::make_unsigned_t<M>;
            U a = x < M(0) ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
            U b = y < M(0) ? static_cast<U>(U(0) - static_cast<U>(y)) : static_cast<U>(y);
            while (b != 0) {
                const U rest = static_cast<U>(a % b);
                a = b;
                b = rest;
            }
            return static_cast<M>(a);
        }
    }
};
struct lcm : integers {
    static constexpr bool takes_bits = false, takes_elements = true;
    static constexpr int cost = 100;
    template <class M>
    RICCI_HD static constexpr M value(const M& x, const M& y) {
        if constexpr (std::is_same_v<M, bool>) {
            return x && y;
        } else {
            using U = std::make_unsigned_t<M>;
            if (x == M(0) || y == M(0)) return M(0);
            const U a = x < M(0) ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
            const U b = y < M(0) ? static_cast<U>(U(0) - static_cast<U>(y)) : static_cast<U>(y);
            return static_cast<M>(static_cast<std::uint64_t>(a / static_cast<U>(gcd::value(x, y))) * b);
        }
    }
};
}  // namespace ops

/// The greatest common divisor of integers, of their absolute values, broadcast, in the common type; gcd(0, x) = |x|.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto gcd(A&& a, B&& b) {
    return map<ops::gcd>(std::forward<A>(a), std::forward<B>(b));
}
/// The least common multiple of integers, of their absolute values, broadcast, in the common type, wrapped where that
/// is too short; 0 where either is 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto lcm(A&& a, B&& b) {
    return map<ops::lcm>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
