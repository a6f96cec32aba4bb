// The logistic function. Its derivative needs what is missing to 1, sigmoid(-x), to all digits.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace detail {

/// {sigmoid(x), sigmoid(-x)} for the price of little more than one, on any scalar.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto logistic_pair(const S& x) {
    if constexpr (is_dual_v<S>) {
        const auto both = logistic_pair(x.value);
        const auto change = x.tangent * (get<0>(both) * get<1>(both));
        return make_pack(S(get<0>(both), change), S(get<1>(both), -change));
    } else if constexpr (is_taylor_v<S>) {
        const auto both = logistic_pair(x[0]);
        S y(get<0>(both)), rest(get<1>(both));
        using V = typename S::value_type;
        for (int k = 1; k <= S::order; ++k) {  // y' = y (1 - y) x'
            auto sum = x[k] * (y[0] * rest[0]) * factor<V>(k);
            for (int j = 1; j < k; ++j) sum = sum + x[j] * product_coefficient(y, rest, k - j) * factor<V>(j);
            y[k] = sum / factor<V>(k);
            rest[k] = -y[k];
        }
        return make_pack(y, rest);
    } else if constexpr (is_eager_v<S> || is_dependence_v<S> || is_taped_v<S>) {
        return make_pack(ricci::sigmoid(x), ricci::sigmoid(-x));
    } else {
        const auto e = math::exp(-math::abs(x)), d = S(1) + e, lost = (S(1) - d) + e;  // by rounding d
        const auto negative = x < S(0);
        const auto quotient = math::select(negative, e, S(1)) / d;
        const auto y =
            quotient - quotient * (lost * math::select(negative, S(1) - quotient, quotient));  // the last is 1 / d
        return make_pack(S(y), S(math::select(negative, S(1) - y, e * y)));
    }
}

}  // namespace detail
namespace ops {
struct sigmoid : of_reals<floating> {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return detail::get<0>(detail::logistic_pair(x));
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const S& x) {
        return detail::logistic_pair(x);
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::get<0>(detail::logistic_pair(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y, const R& rest) {
        return y_bar * (y * rest);
    }
};
}  // namespace ops

/// 1 / (1 + exp(-x)) of each element; integers promoted to double. 0 at -inf, 1 at inf; small results keep their
/// precision. At most 2 ulp. Derivative y (1 - y).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sigmoid(E&& x) {
    return map<ops::sigmoid>(std::forward<E>(x));
}
}  // namespace ricci
