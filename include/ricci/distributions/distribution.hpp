// What the distributions share: parameters that are kept, samples of a shape, and what follows from the rest.
#pragma once
#include <limits>
#include <numbers>
#include <tuple>

#include "../ops/checked_values.hpp"
#include "../ops/contract/members.hpp"
#include "../ops/operand_mistakes.hpp"
#include "../ops/random.hpp"
#include "../ops/shape.hpp"
#include "../ops/stop_gradient.hpp"

/// Probability distributions as objects, by torch.distributions' names, parameters and formulas.
///
/// Parameters are numbers or arrays, real and floating (integers count as double), which broadcast to the batch's
/// shape, `shape()`; so do the values that log_prob, cdf and icdf are asked for, whose results are lazy expressions.
/// All is differentiable in the parameters and values as the functions are that it is made of, and may be under any
/// transform. A constructor throws value_error for parameters that the distribution does not have (where they are NaN,
/// too), shape_error where they do not broadcast. Of numbers alone all results are numbers.
///
/// - `sample({n, m}, g)` draws an array of shape (n, m, ...batch), `sample(g)` and `sample()` one of the batch's, from
///   the generator g, or the default one; a constant of every derivative. `rsample` is the same, differentiable in the
///   parameters, where random::'s function of that name is.
/// - `log_prob(x)` is the logarithm of the density or the probability at x, -infinity where x is none of the values
///   that the distribution takes; NaN at NaN.
/// - `cdf(x)` is the probability of values up to x, and `icdf(q)` its inverse, NaN unless 0 <= q <= 1.
/// - `mean()`, `variance()`, `stddev()`, and `entropy()`, in nats, are of the batch's shape. Moments that do not exist
///   are NaN, or infinity where they diverge.
namespace ricci::distributions {
namespace detail {
using namespace ricci::detail;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double half_log_2pi = 0.91893853320467274178;

/// A parameter as it is kept: evaluated once, of floating type; numbers stay numbers, whose type gives way to arrays'.
template <class P>
auto kept(const P& p) {
    if constexpr (expression<P>) {
        static_assert(!is_complex_v<typename P::value_type>, "ricci: the parameters of a distribution are real");
        return evaluate(as_type<inexact_t<typename P::value_type>>(p));
    } else {
        return static_cast<double>(p);
    }
}
template <class P>
using kept_t = decltype(kept(std::declval<const P&>()));

/// Where a density is asked for: an array, or a number, of floating type.
template <class X>
auto point(const X& x) {
    if constexpr (expression<X>) return x;
    else return static_cast<double>(x);
}
/// log_prob where x is such a value as the distribution takes, else -infinity; NaN where x is.
template <class M, class X, class E>
auto where_supported(const M& inside, const X& x, const E& e) {
    return where(inside, e, where(isnan(x), not_a_number, -infinity));
}
/// All extents but the last N.
template <int N, int R>
ricci::shape<R - N> without_last(const ricci::shape<R>& whole) {
    ricci::shape<R - N> lead;
    for (int d = 0; d < R - N; ++d) lead[d] = whole[d];
    return lead;
}
/// q, or NaN unless it is a probability.
template <class Q>
auto probability(const Q& q) {
    return where(q >= 0 && q <= 1, q, not_a_number);
}

}  // namespace detail

/// The base of distributions. `Self` has `name`, `parameters()`, a tuple, and `draw(extents, generator)`, which
/// random:: does.
template <class Self>
class distribution {
   public:
    /// The batch's: that to which the parameters broadcast.
    auto shape() const {
        return std::apply(
            [](const auto&... p) { return detail::sample_shape(detail::common_size{}, Self::name, p...); },
            self().parameters());
    }
    template <int R>
    auto sample(const ricci::shape<R>& extents, generator_ref g = {}) const {
        return stop_gradient(self().draw(detail::batch_of(extents, self().shape()), g));
    }
    template <int R>
    auto sample(const extent (&extents)[R], generator_ref g = {}) const {
        return sample(detail::to_shape(extents), g);
    }
    auto sample(generator_ref g = {}) const { return sample(ricci::shape<0>{}, g); }
    template <std::integral N, class... More>
    auto sample(N, const More&...) const {
        return detail::refused_size<N>();
    }
    template <int R, std::integral Seed>
    auto sample(const extent (&)[R], Seed) const {
        return detail::refused_seed<Seed>();
    }
    template <int R>
    auto rsample(const ricci::shape<R>& extents, generator_ref g = {}) const {
        static_assert(Self::reparameterized,
                      "ricci: what this distribution draws is a constant of its parameters: sample instead of rsample");
        return self().draw(detail::batch_of(extents, self().shape()), g);
    }
    template <int R>
    auto rsample(const extent (&extents)[R], generator_ref g = {}) const {
        return rsample(detail::to_shape(extents), g);
    }
    auto rsample(generator_ref g = {}) const { return rsample(ricci::shape<0>{}, g); }
    template <std::integral N, class... More>
    auto rsample(N, const More&...) const {
        return detail::refused_size<N>();
    }
    template <int R, std::integral Seed>
    auto rsample(const extent (&)[R], Seed) const {
        return detail::refused_seed<Seed>();
    }
    auto stddev() const { return sqrt(self().variance()); }

   protected:
    /// A function of some of the parameters as one of the batch's shape; of numbers alone a number.
    template <class E>
    auto spread(const E& e) const {
        const auto extents = shape();
        if constexpr (expression<E>) {
            return broadcast_to(e, extents);
        } else if constexpr (extents.rank == 0) {
            return e;
        } else {
            return std::apply(
                [&](const auto&... p) {
                    return full<decltype(detail::floating_parameters<std::remove_cvref_t<decltype(p)>...>())>(extents,
                                                                                                              e);
                },
                self().parameters());
        }
    }

   private:
    const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace ricci::distributions
