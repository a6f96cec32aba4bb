// Limiting values to an interval.
#pragma once
#include <limits>

#include "maximum.hpp"
#include "minimum.hpp"

namespace ricci {
struct none_t;
namespace ops {
struct clip : of_reals<arithmetic> {
    static constexpr bool selects = true;
    template <class S, class L, class H>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x, const L& low, const H& high) {
        return math::minimum(math::maximum(x, low), high);
    }
    template <class Y, class S, class L, class H, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const L& low, const H& high,
                                                         const R&) {
        return adjoints(ricci::where(x >= low && x <= high, y_bar, 0), ricci::where(x < low && low < high, y_bar, 0),
                        ricci::where(x > high || (x < low && high <= low), y_bar, 0));
    }
};
/// Its derivative at the limits is theirs.
struct hardtanh : clip {
    template <class Y, class S, class L, class H, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const L& low, const H& high,
                                                         const R&) {
        return adjoints(ricci::where(x <= low || x >= high, 0, y_bar), ricci::where(x <= low && low < high, y_bar, 0),
                        ricci::where(x >= high || (x < low && high <= low), y_bar, 0));
    }
};
}  // namespace ops

namespace detail {
/// A bound of integers X; one that lies outside of what they can be, where it bounds nothing, as the last of these.
template <class X, bool IsLow, class B>
RICCI_HD RICCI_INLINE constexpr decltype(auto) bound_within(B&& bound) {
    using V = std::remove_cvref_t<B>;
    if constexpr (expression<X> && std::is_integral_v<V> && !std::is_same_v<V, bool>) {
        using T = typename std::remove_cvref_t<X>::value_type;
        using limits = std::numeric_limits<T>;
        if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) return V(bound);
        else if (IsLow) return is_below_all<T>(bound) ? static_cast<V>(limits::min()) : V(bound);
        else return is_above_all<T>(bound) ? static_cast<V>(limits::max()) : V(bound);
    } else {
        return std::forward<B>(bound);
    }
}
}  // namespace detail

/// x limited to [low, high], broadcast, in the common type; NaN stays NaN; `high` wins where low > high. Numbers beyond
/// what integers x can be are no bounds, clip(uint8, -1, 256); a low one above all of them, which the result would be,
/// throws value_error. The derivative is 1 inside and at the limits, 0 outside, where it goes to the limit that was
/// taken (PyTorch's choice for long; 2.15 has 0 at a number).
template <operand X, operand L, operand H>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low, H&& high) {
    return map<ops::clip>(std::forward<X>(x), detail::bound_within<X, true>(std::forward<L>(low)),
                          detail::bound_within<X, false>(std::forward<H>(high)));
}

namespace detail {
/// Bounds that bound nothing, as weak numbers.
template <class X, class Y>
struct no_bounds {
    using T = common_t<kind_t<X>, kind_t<Y>>;
    using limits = std::numeric_limits<std::conditional_t<std::is_integral_v<T>, T, double>>;
    static constexpr auto high = limits::has_infinity ? limits::infinity() : limits::max();
    static constexpr auto low = limits::has_infinity ? -limits::infinity() : limits::lowest();
};
}  // namespace detail

/// With one bound, clip(x, low), clip(x, low, none) and clip(x, none, high), or with none.
template <operand X, operand L>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low) {
    constexpr auto high = detail::no_bounds<X, L>::high;
    return clip(std::forward<X>(x), std::forward<L>(low), high);
}
template <operand X, operand H>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, const none_t&, H&& high) {
    constexpr auto low = detail::no_bounds<X, H>::low;
    return clip(std::forward<X>(x), low, std::forward<H>(high));
}
template <operand X, operand L>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low, const none_t&) {
    return clip(std::forward<X>(x), std::forward<L>(low));
}
template <operand X>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, const none_t& low, const none_t&) {
    constexpr auto high = detail::no_bounds<X, X>::high;
    return clip(std::forward<X>(x), low, high);
}
/// clip(x, -1, 1), or between other bounds, with derivative 0 at the bounds, as relu has it.
/// (torch.nn.functional.hardtanh; relu6 is hardtanh(x, 0, 6).)
template <operand X, operand L = int, operand H = int>
RICCI_HD RICCI_INLINE constexpr auto hardtanh(X&& x, L&& low = -1, H&& high = 1) {
    return map<ops::hardtanh>(std::forward<X>(x), detail::bound_within<X, true>(std::forward<L>(low)),
                              detail::bound_within<X, false>(std::forward<H>(high)));
}
}  // namespace ricci
