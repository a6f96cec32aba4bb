// Terms of entropies: entr, rel_entr, xlog1py.
#pragma once
#include <limits>

#include "../declarations.hpp"
#include "log.hpp"
#include "log1p.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct entr : of_reals<floating> {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto beside = math::select(x < S(0), S(-std::numeric_limits<double>::infinity()), x);
        return math::select(x > S(0), -x * math::log(x), beside);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (-1 - ricci::log(x));
    }
};
struct rel_entr : of_reals<floating> {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& a, const S& b) {
        const auto ratio = a / b;
        const auto close = (S(0.5) < ratio) & (ratio < S(2));  // there the difference is exact, the quotient is not
        const auto usual = (S(0) < ratio) & (ratio < S(std::numeric_limits<double>::infinity()));
        const auto apart = math::select(usual, math::log(ratio), math::log(a) - math::log(b));
        const auto log = math::select(close, math::log1p((a - b) / b), apart);
        const auto beside = math::select((a == S(0)) & (S(0) <= b), S(0), S(std::numeric_limits<double>::infinity()));
        const auto unknown = (a != a) | (b != b);
        return math::select(unknown, a + b, math::select((S(0) < a) & (S(0) < b), a * log, beside));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto none = a == 0 && b == 0;
        const auto p = ricci::where(none, 1, a);
        const auto q = ricci::where(none, 1, b);
        return adjoints(ricci::where(none, 0, y_bar * (1 + (ricci::log(p) - ricci::log(q)))),
                        ricci::where(none, 0, y_bar * -(p / q)));
    }
};
struct xlog1py : floating {
    static constexpr int cost = 20;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::select((a == A(0)) & !math::isnan(b), A(0), a * math::log1p(b));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto log = ricci::log1p(b);
        return adjoints(ricci::where(a == 0, ricci::where(b <= -1, 0, y_bar * log), y_bar * log),
                        y_bar * (a / (1 + b)));
    }
};
}  // namespace ops

/// -x log(x) of each element, 0 at 0, -inf below; integers promoted to double: an entropy's terms. Derivative -1 -
/// log(x), inf at 0. (scipy.special.entr, torch.special.entr.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto entr(E&& x) {
    return map<ops::entr>(std::forward<E>(x));
}
/// a log(a / b), 0 where a is 0 and b is not negative, inf where either is otherwise not positive, broadcast; accurate
/// also where a and b are close: the terms of a divergence. Integers promoted to double. Derivatives 1 + log(a / b) and
/// -a / b, 0 where both are 0, as in the terms of sparse distributions (JAX's choice). (scipy.special.rel_entr.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto rel_entr(A&& a, B&& b) {
    return map<ops::rel_entr>(std::forward<A>(a), std::forward<B>(b));
}
/// a log(1 + b), 0 where a is 0 unless b is NaN, broadcast; integers promoted to double. Derivatives log(1 + b), 0
/// where a is 0 and b is at most -1, and a / (1 + b). (scipy.special.xlog1py, torch.special.xlog1py.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto xlog1py(A&& a, B&& b) {
    return map<ops::xlog1py>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
