// The cross entropy of two probabilities of a bit, which binary_cross_entropy is the mean of; and of a logit.
#pragma once
#include "../declarations.hpp"
#include "log.hpp"
#include "log1p.hpp"
#include "sigmoid.hpp"
#include "where.hpp"

namespace ricci::ops {

/// -t log p - (1 - t) log(1 - p), where no logarithm is less than -100 (torch's choice).
struct binary_entropy : of_reals<floating> {
    static constexpr int cost = 50;
    static constexpr double least = -100, least_exp = 3.720075976020836e-44;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& p, const B& t) {
        return (t - B(1)) * math::maximum(math::log1p(-p), A(least)) - t * math::maximum(math::log(p), A(least));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& p, const B& t, const R&) {
        // where a logarithm is -100 it is constant: the infinite slope beside it must not be met
        const auto low = p <= double(least_exp), high = p >= 1;  // a copy: device code has no static member to refer to
        const auto of_p = ricci::where(low, double(least), ricci::log(ricci::where(low, 1, p)));
        const auto of_rest = ricci::where(high, double(least), ricci::log1p(-ricci::where(high, 0, p)));
        const auto spread = p * (1 - p);
        return adjoints(y_bar * ((p - t) / ricci::where(spread < 1e-12, 1e-12, spread)), y_bar * (of_rest - of_p));
    }
};
/// The same for p = sigmoid(x): softplus(x) - t x, of which nothing would be left for a large x and t = 1.
struct binary_entropy_of_logit : of_reals<floating> {
    static constexpr int cost = 45;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& t) {
        return (math::maximum(x, A(0)) - x * t) + math::log1p(math::exp(-math::abs(x)));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& t, const R&) {
        return adjoints(y_bar * (ricci::sigmoid(x) - t), -(y_bar * x));
    }
};

}  // namespace ricci::ops
