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
    } else if constexpr (is_taylor_v<S>) {
        const auto both = sine_and_cosine(x[0]);
        S s(get<0>(both)), c(get<1>(both));
        using V = typename S::value_type;
        for (int k = 1; k <= S::order; ++k) {  // s' = c x', c' = -s x'
            auto s_sum = x[k] * c[0] * factor<V>(k), c_sum = x[k] * s[0] * factor<V>(k);
            for (int j = 1; j < k; ++j) {
                s_sum = s_sum + x[j] * c[k - j] * factor<V>(j);
                c_sum = c_sum + x[j] * s[k - j] * factor<V>(j);
            }
            s[k] = s_sum / factor<V>(k);
            c[k] = -(c_sum / factor<V>(k));
        }
        return make_pack(s, c);
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
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::get<0>(detail::sine_and_cosine(x));
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
