// The sine. Its derivative needs the cosine, which one evaluation gives with it.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace detail {

/// {sin(x), cos(x)} for the price of little more than one, on any scalar.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto sine_and_cosine(const S& x) {
    if constexpr (is_dual_v<S>) {
        const auto both = sine_and_cosine(x.value);
        return make_pack(S(get<0>(both), x.tangent * get<1>(both)), S(get<1>(both), -(x.tangent * get<0>(both))));
    } else if constexpr (is_eager_v<S>) {
        return make_pack(ricci::sin(x), ricci::cos(x));
    } else {
        S s, c;
        math::sincos(x, s, c);
        return make_pack(s, c);
    }
}

}  // namespace detail
namespace ops {
struct sin : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sin(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const S& x) {
        return detail::sine_and_cosine(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&, const R& cosine) {
        return y_bar * cosine;
    }
};
}  // namespace ops

/// Sine of each element, in radians; integers promoted to double. sin(+-0) = +-0, sin(+-inf) = NaN. Derivative cos(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sin(E&& x) {
    return map<ops::sin>(std::forward<E>(x));
}
}  // namespace ricci
