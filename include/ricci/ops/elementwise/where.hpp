// Selection by a mask.
#pragma once
#include <tuple>

#include "comparison.hpp"
#include "logical.hpp"
#include "negative.hpp"

namespace ricci {
namespace detail {

/// What C++'s numbers become that a mask selects among: registers, of lanes of the mask's.
template <class M, class A, class B>
struct number_beside {
    using type = std::common_type_t<A, B>;
};
template <class M, class A, class B>
    requires requires { typename M::numbers; }
struct number_beside<M, A, B> {
    using type = typename M::numbers;
};
template <class M, class A, class B>
using number_beside_t = typename number_beside<M, A, B>::type;

/// mask ? a : b on any scalar, lane by lane and component by component.
template <class M, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto select_lane(const M& mask, const A& a, const B& b) {
    if constexpr (is_nested_v<A> || is_nested_v<B>) {
        using S = std::conditional_t<(depth_v<A> > depth_v<B>) || (depth_v<A> == depth_v<B> &&
                                                                   (is_complex_scalar_v<A> || !is_complex_scalar_v<B>)),
                                     A, B>;
        const S x(rebased<S>(a)), y(rebased<S>(b));
        if constexpr (is_dual_v<S>) {
            return S(select_lane(mask, x.value, y.value), select_lane(mask, x.tangent, y.tangent));
        } else {
            S z;
            for (int k = 0; k <= S::order; ++k) z[k] = select_lane(mask, x[k], y[k]);
            return z;
        }
    } else if constexpr (is_eager_v<M> || is_eager_v<A> || is_eager_v<B>) {
        return ricci::where(mask, a, b);
    } else if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        using S = number_beside_t<M, A, B>;
        return math::select(mask, static_cast<S>(a), static_cast<S>(b));
    } else if constexpr (std::is_arithmetic_v<A>) {
        return math::select(mask, B(a), b);
    } else if constexpr (std::is_arithmetic_v<B>) {
        return math::select(mask, a, static_cast<A>(b));
    } else {
        return math::select(mask, a, b);
    }
}

}  // namespace detail
namespace ops {
struct where {
    static constexpr bool differentiable = true;
    static constexpr bool selects = true;
    static constexpr bool takes_masks = true;
    template <int I, class C, class... K>
    using argument = std::conditional_t<I == 0, bool, common_t<K...>>;
    template <class C, class... K>
    using result = common_t<K...>;

    template <class M, class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const M& mask, const A& a, const B& b) {
        return detail::select_lane(mask, a, b);
    }
    template <class M, class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const M& mask, const A& a, const B& b) {
        return detail::select_lane(mask, a, b);
    }
    template <class Y, class M, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const M& mask, const A&, const B&, const R&) {
        return adjoints(detail::nothing{}, detail::select_lane(mask, y_bar, 0), detail::select_lane(mask, Y(0), y_bar));
    }
    /// Where argument I is the one selected.
    template <class M, int I>
    RICCI_HD RICCI_INLINE static constexpr auto chosen(const M& mask, std::integral_constant<int, I>) {
        if constexpr (I == 1) return mask;
        else return !mask;
    }
};
}  // namespace ops

/// `a` where the mask holds, else `b`; all three broadcast. The branch that is not selected adds nothing to any
/// derivative, also where it is infinite or NaN.
template <operand M, operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto where(M&& mask, A&& a, B&& b) {
    return map<ops::where>(std::forward<M>(mask), std::forward<A>(a), std::forward<B>(b));
}
template <expression M, operand A>
auto where(const M& mask, const A&) {
    static_assert(always_false<M>,
                  "ricci: where selects from two: where(mask, a, b); where a mask holds says nonzero(mask)");
    return mask;
}

/// The elements of the first choice whose condition holds, `otherwise` where none does, broadcast. A fused map.
/// select(rc::tuple(x < 0, x < 1), rc::tuple(-x, x * x), 1.0). (numpy.select.)
template <expression C, expression... Conditions, operand V, operand... Choices, operand Other>
auto select(const std::tuple<C, Conditions...>& conditions, const std::tuple<V, Choices...>& choices,
            const Other& otherwise) {
    static_assert(sizeof...(Conditions) == sizeof...(Choices), "ricci: select takes a choice for each condition");
    if constexpr (sizeof...(Conditions) == 0) {
        return where(std::get<0>(conditions), std::get<0>(choices), otherwise);
    } else {
        const auto rest = [](const auto&, const auto&... more) { return std::make_tuple(more...); };
        return where(std::get<0>(conditions), std::get<0>(choices),
                     select(std::apply(rest, conditions), std::apply(rest, choices), otherwise));
    }
}
}  // namespace ricci
