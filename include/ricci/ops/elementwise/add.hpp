// Addition.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
struct add : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap<B>(a) + math::wrap<A>(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        using T = detail::first_series_t<A, B>;
        const T x(a), y(b);
        T z;
        for (int k = 0; k <= T::order; ++k) z[k] = x[k] + y[k];
        return z;
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(y_bar, y_bar);
    }
};
}  // namespace ops

/// a + b element by element, broadcast, in the common type; of two bool arrays, logical or.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto add(A&& a, B&& b) {
    return map<ops::add>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator+(A&& a, B&& b) {
    return map<ops::add>(std::forward<A>(a), std::forward<B>(b));
}

/// One more, in place: `counts(k)++`.
template <expression E>
void operator++(E&& x) {
    std::forward<E>(x) += 1;
}
template <expression E>
void operator++(E&& x, int) {
    std::forward<E>(x) += 1;
}
}  // namespace ricci
