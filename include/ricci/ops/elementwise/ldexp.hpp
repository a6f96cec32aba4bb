// Numbers times powers of 2, and their mantissas and exponents.
#pragma once
#include <tuple>

#include "../../cpu/math/binary.hpp"
#include "../declarations.hpp"
#include "astype.hpp"
#include "isfinite.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct ldexp {
    static constexpr bool differentiable = true;
    static constexpr bool selects = true;
    static constexpr int cost = 4;
    /// The first argument's type: exponents are whole numbers, which it holds as far as they matter, for 16 bits float
    /// does.
    template <class X, class>
    struct scaled {
        using type = inexact_t<common_t<X>>;
    };
    template <int I, class... K>
    using argument = std::conditional_t<I == 0, typename scaled<K...>::type, compute_t<typename scaled<K...>::type>>;
    template <class... K>
    using result = typename scaled<K...>::type;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& exponent) {
        if constexpr (std::is_arithmetic_v<A>) return math::ldexp(inexact_t<A>(x), inexact_t<A>(exponent));
        else return math::ldexp(x, A(exponent));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B& exponent, const R&) {
        return adjoints(map<ops::ldexp>(y_bar, exponent), Y(0));
    }
};
struct binary_exponent : of_reals<floating> {
    static constexpr bool selects = true;
    static constexpr int cost = 6;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::binary_exponent(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
struct mantissa : of_reals<floating> {
    static constexpr bool selects = true;
    static constexpr int cost = 10;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ldexp(x, -math::binary_exponent(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return map<ops::ldexp>(y_bar, -map<ops::binary_exponent>(x));
    }
};
}  // namespace ops

/// x times 2 to the power of whole numbers, broadcast, rounded once; of x's type, integers promoted to double.
/// Derivative by x 2^exponents; by the exponents none. (numpy.ldexp, torch.ldexp.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto ldexp(A&& x, B&& exponents) {
    if constexpr (expression<B>)
        static_assert(std::is_integral_v<value_type_t<B>>, "ricci: ldexp takes exponents that are integers");
    return map<ops::ldexp>(std::forward<A>(x), std::forward<B>(exponents));
}
/// Mantissas m and exponents e (int) of x = m 2^e with 1/2 <= |m| < 1, as a std::tuple of maps: zeros, infinities and
/// NaN are their own mantissas, with the exponent 0. Integers promoted to double. Derivative of the mantissa 2^-e.
/// (numpy.frexp, torch.frexp.)
template <expression E>
auto frexp(const E& x) {
    return std::make_tuple(map<ops::mantissa>(x), astype<int>(map<ops::binary_exponent>(x)));
}
}  // namespace ricci
