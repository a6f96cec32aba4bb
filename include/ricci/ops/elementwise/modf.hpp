// Numbers as whole and broken parts, pairs as quotients and remainders.
#pragma once
#include <tuple>

#include "floor_divide.hpp"
#include "remainder.hpp"
#include "trunc.hpp"

namespace ricci {
namespace ops {
/// What is behind the point, with the number's sign, which a - trunc(a) loses where it is 0.
struct fraction : of_reals<floating> {
    static constexpr bool selects = true;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const S whole = math::trunc(x);
        return math::copysign(math::select(x == whole, S(0), x - whole), x);  // of infinities 0
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar;
    }
};
}  // namespace ops

/// The part of each element behind the point and the whole one, both with its sign, as a std::tuple of maps; infinities
/// are whole. Integers promoted to double. Derivatives 1 and 0. (numpy.modf.)
template <expression E>
auto modf(const E& x) {
    using T = inexact_t<typename E::value_type>;
    const auto a = astype<T>(x);
    return std::make_tuple(detail::make_map(ops::fraction{}, a), trunc(a));
}
/// floor_divide(a, b) and remainder(a, b), broadcast, as a std::tuple of maps. (Python's and NumPy's divmod.)
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto divmod(const A& a, const B& b) {
    return std::make_tuple(floor_divide(a, b), remainder(a, b));
}
}  // namespace ricci
