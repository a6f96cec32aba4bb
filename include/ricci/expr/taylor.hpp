// Truncated Taylor series: a value with derivatives of all orders up to one, over any kernel scalar.
#pragma once
#include <type_traits>

#include "dual.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// c[0] + c[1] t + ... + c[K] t^K, modulo t^(K+1). Every element-wise function of the library takes these: an op that
/// has a `series` rule by that (the recurrences of Griewank and Walther, Evaluating Derivatives, chapter 13), any other
/// by its pullback. Nests with itself and with dual.
template <class S, int K>
struct taylor {
    static_assert(K >= 1 && K <= 15, "ricci: a Taylor series has an order from 1 to 15");
    using value_type = S;
    static constexpr int order = K;
    S coefficient[K + 1] = {};

    constexpr taylor() = default;
    /// A constant.
    template <class U>
        requires(std::is_convertible_v<U, S>)
    RICCI_HD RICCI_INLINE constexpr taylor(const U& value) : coefficient{S(value)} {
        for (int k = 1; k <= K; ++k) coefficient[k] = S(0);
    }
    /// x + t: the variable of an expansion around x.
    RICCI_HD RICCI_INLINE static constexpr taylor variable(const S& x) {
        taylor t(x);
        t.coefficient[1] = S(1);
        return t;
    }
    RICCI_HD RICCI_INLINE constexpr S& operator[](int k) { return coefficient[k]; }
    RICCI_HD RICCI_INLINE constexpr const S& operator[](int k) const { return coefficient[k]; }
};

template <class S>
inline constexpr bool is_taylor_v = false;
template <class S, int K>
inline constexpr bool is_taylor_v<taylor<S, K>> = true;
template <class S, int K>
inline constexpr bool is_kernel_scalar_v<taylor<S, K>> = true;

}  // namespace ricci
RICCI_BOTH_SIDES_END

template <class S, int K>
struct std::numeric_limits<ricci::taylor<S, K>> : std::numeric_limits<S> {};
