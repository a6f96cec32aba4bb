// A number times a logarithm.
#pragma once
#include "../declarations.hpp"
#include "where.hpp"

namespace ricci {
namespace ops {
struct xlogy : floating {
    static constexpr int cost = 20;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::select((a == A(0)) & !math::isnan(b), A(0), a * math::log(b));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(ricci::where(a == 0, ricci::where(b <= 0, 0, y_bar * ricci::log(b)), y_bar * ricci::log(b)),
                        y_bar * (a / b));
    }
};
}  // namespace ops

/// a log(b), 0 where a is 0 unless b is NaN, broadcast; integers promoted to double. Derivatives log(b), 0 where a is 0
/// and b is not positive, and a / b (PyTorch's choice).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto xlogy(A&& a, B&& b) {
    return map<ops::xlogy>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
