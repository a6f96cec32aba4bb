// The neighbour of a number.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct nextafter : of_reals<floating> {
    static constexpr bool selects = true;
    static constexpr int cost = 8;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::nextafter(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const A&, const B&, const R&) {
        return adjoints(Y(0), Y(0));
    }
};
/// Among the numbers of a type of 16 bits, which are computed with as float: by as many of float's steps as make one of
/// theirs, but by no less than the smallest of them.
template <class H>
struct nextafter_of : nextafter {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& a, const S& to) {
        using limits = std::numeric_limits<H>;
        constexpr float steps = 1 << (std::numeric_limits<float>::digits - limits::digits);
        const S least(static_cast<float>(limits::denorm_min())), most(static_cast<float>(limits::max())),
            infinity(std::numeric_limits<float>::infinity());
        const S by = math::abs(math::nextafter(a, to) - a) * S(steps), step = math::select(by > least, by, least);
        const S next = math::abs(math::select(a < to, a + step, a - step));
        const S bounded = math::copysign(math::select(next > most, infinity, next), math::select(a == S(0), to, a));
        // where an infinity is left, the largest number is next
        const S left = math::select(math::abs(a) == infinity, math::copysign(most, a), bounded);
        return math::select(a == to, to, math::select((a != a) | (to != to), a + to, left));
    }
};
}  // namespace ops

namespace detail {
template <class A, class B>
constexpr auto nextafter_op() {
    if constexpr (kernel_scalar<A> || kernel_scalar<B>) return ops::nextafter{};
    else if constexpr (is_half_v<common_t<kind_t<A>, kind_t<B>>>)
        return ops::nextafter_of<common_t<kind_t<A>, kind_t<B>>>{};
    else return ops::nextafter{};
}
}  // namespace detail

/// The next number of their type after a in the direction of b, b where they are equal, NaN if either is, broadcast;
/// integers promoted to double. Derivatives 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto nextafter(A&& a, B&& b) {
    return map<decltype(detail::nextafter_op<A, B>())>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
