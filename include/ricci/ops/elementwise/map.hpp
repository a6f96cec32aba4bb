// The user's own element-wise function.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {

namespace detail {

/// An argument of a user's function for the derivative along one of them: a dual over a nest of the given degrees, with tangent
/// 1 where Seed. All arguments come to one depth, so that none is taken for a constant of the others' levels.
template <bool Seed, degrees_t Degrees, class S>
RICCI_HD RICCI_INLINE constexpr auto seeded(const S& x) {
    using inner = nest_t<scalar_base_t<S>, Degrees>;
    if constexpr (Seed) return dual<inner>(inner(x), inner(1));
    else if constexpr (Degrees > 0) return dual<inner>(inner(x), inner(0));
    else return as_number(x);
}

}  // namespace detail

namespace ops {
/// Calls `f` on scalars; its derivatives come from calling it on duals, one argument at a time.
template <class F>
struct user {
    static constexpr bool differentiable = true;
    static constexpr int cost = 16;
    [[no_unique_address]] F f;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    using result = std::remove_cvref_t<decltype(detail::plain(
        std::declval<const F&>()(((void)sizeof(K), std::declval<number<common_t<K...>>>())...)))>;

    template <class... S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S&... x) const {
        return detail::plain(f(detail::as_number(x)...));
    }
    template <class... X>
    RICCI_HD RICCI_INLINE constexpr auto series(const X&... x) const {
        using T = detail::first_series_t<X...>;
        return T(detail::plain(f(detail::as_number(x)...)));
    }
    template <class Y, class... Rest>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const Rest&... rest) const {
        return along(y_bar, detail::make_pack(rest...), std::make_integer_sequence<int, sizeof...(Rest) - 1>{});
    }

   private:
    template <class Y, class Pack, int... I>
    RICCI_HD RICCI_INLINE constexpr auto along(const Y& y_bar, const Pack& x, std::integer_sequence<int, I...> all) const {
        return adjoints(scaled(y_bar, partial<I>(x, all))...);
    }
    template <int I, class Pack, int... J>
    RICCI_HD RICCI_INLINE constexpr auto partial(const Pack& x, std::integer_sequence<int, J...>) const {
        constexpr degrees_t degrees = [] {
            degrees_t d = 0;
            ((d = degrees_v<detail::pack_element_t<J, Pack>> > d ? degrees_v<detail::pack_element_t<J, Pack>> : d),
             ...);
            return d;
        }();
        return f(detail::seeded < I == J, degrees > (detail::get<J>(x))...);
    }
    template <class Y, class D>
    RICCI_HD RICCI_INLINE static constexpr auto scaled(const Y& y_bar, const D& y) {
        if constexpr (is_dual_v<D>) return y_bar * y.tangent;
        else return detail::select_lane(false, y_bar, 0);
    }
};
}  // namespace ops

/// Your own function of scalars, element by element over broadcast arguments in their common type: one pass, on registers
/// or on the GPU, with derivatives of any order and batching. `f` is generic, `[](auto a, auto b) { return a * b + sin(a); }`,
/// and must not branch on its arguments: select with `where(mask, a, b)`.
template <class F, class... A>
    requires(operands<A...> && !operand<F>)
RICCI_INLINE auto map(F f, A&&... args) {
    return detail::make_map(ops::user<F>{f}, std::forward<A>(args)...);
}
template <class F, class... A>
    requires(!operands<A...> && !operand<F>)
auto map(F, A&&...) {
    static_assert(always_false<F>, "ricci: map takes a function, then expressions and numbers, at least one expression");
}

}  // namespace ricci
