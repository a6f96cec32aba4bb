// Distributions of vectors: multivariate_normal, dirichlet.
#pragma once
#include "../ops/diagonal.hpp"
#include "../ops/linalg/solve.hpp"
#include "distribution.hpp"

namespace ricci::distributions {

/// Says that a covariance L L^T is given by its Cholesky factor, multivariate_normal(loc, scale_tril(L)): the lower
/// triangle of L, which is all that is read. Throws value_error unless its diagonal is positive.
template <class E>
struct scale_tril {
    E value;

    template <expression X>
    explicit scale_tril(const X& l) : value(evaluate(tril(detail::kept(l)))) {
        detail::require(evaluate(diagonal(value, 0, -2, -1)), detail::condition::positive, "scale_tril",
                        "the diagonal");
    }
};
template <class X>
scale_tril(const X&) -> scale_tril<detail::kept_t<X>>;

namespace detail {

template <class C>
auto cholesky_factor(const C& covariance) {
    return evaluate(linalg::cholesky(kept(covariance)));
}
template <class E>
auto cholesky_factor(const scale_tril<E>& l) {
    return l.value;
}
template <class C>
using cholesky_factor_t = decltype(cholesky_factor(std::declval<const C&>()));

/// |L^-1 d|^2 along the last axis.
template <class L, class D>
auto squared_mahalanobis(const L& l, const D& d) {
    if constexpr (L::rank > 2) {
        return sum(square(linalg::solve_triangular(l, expand_dims(d, -1), false)), {-2, -1});
    } else if constexpr (D::rank == 1) {
        return sum(square(linalg::solve_triangular(l, d, false)));
    } else {  // of all vectors at once
        const auto lead = without_last<1>(d.shape());
        const auto rows = reshape(d, ricci::shape<2>{lead.count(), d.shape()[D::rank - 1]});
        return reshape(sum(square(linalg::solve_triangular(l, matrix_transpose(rows), false)), 0), lead);
    }
}
template <class L>
auto half_log_determinant(const L& l) {
    return sum(log(diagonal(l, 0, -2, -1)), -1);
}

}  // namespace detail

/// Normal vectors, along the last axis, of mean `loc` (..., n) and a covariance (..., n, n), or scale_tril(L); the
/// batch has the axes before. Throws linalg_error for a covariance that is not positive definite.
/// (torch.distributions.MultivariateNormal.)
template <class M, class L>
struct multivariate_normal : distribution<multivariate_normal<M, L>> {
    static constexpr const char* name = "multivariate_normal";
    static constexpr bool reparameterized = true;
    static constexpr int event_rank = 1;
    M loc;
    L factor;  // lower triangular

    template <expression A, class C>
    multivariate_normal(const A& mean, const C& covariance)
        : loc(detail::kept(mean)), factor(detail::cholesky_factor(covariance)) {
        static_assert(M::rank >= 1 && L::rank >= 2,
                      "ricci: multivariate_normal takes a mean (..., n) and a covariance (..., n, n)");
        shape();
    }
    auto parameters() const { return std::tie(loc, factor); }
    auto shape() const { return detail::normal_vectors_shape(detail::common_size{}, loc, factor, name).first; }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return detail::normal_vectors<typename M::value_type, device_t<M>>(loc, factor, extents, g, name);
    }
    template <expression X>
    auto log_prob(const X& x) const {
        const auto n = static_cast<double>(loc.shape()[M::rank - 1]);
        return -0.5 * detail::squared_mahalanobis(factor, evaluate(x - loc)) - detail::half_log_determinant(factor) -
               n * detail::half_log_2pi;
    }
    auto covariance() const { return matmul(factor, matrix_transpose(factor)); }
    auto mean() const {
        return broadcast_to(loc, detail::batch_of(shape(), ricci::shape<1>{loc.shape()[M::rank - 1]}));
    }
    auto variance() const {
        return broadcast_to(sum(square(factor), -1),
                            detail::batch_of(shape(), ricci::shape<1>{loc.shape()[M::rank - 1]}));
    }
    auto entropy() const {
        const auto n = static_cast<double>(loc.shape()[M::rank - 1]);
        return broadcast_to(detail::half_log_determinant(factor) + n * (0.5 + detail::half_log_2pi), shape());
    }
};
template <class A, class C>
multivariate_normal(const A&, const C&) -> multivariate_normal<detail::kept_t<A>, detail::cholesky_factor_t<C>>;

/// Dirichlet of positive parameters along the last axis: vectors of numbers that are not negative, of sum 1; the batch
/// has the axes before. log_prob is that of the vector as it is given, whatever its sum, -infinity where an element is
/// negative. (torch.distributions.Dirichlet.)
template <class C>
struct dirichlet : distribution<dirichlet<C>> {
    static constexpr const char* name = "dirichlet";
    static constexpr bool reparameterized = false;
    static constexpr int event_rank = 1;
    C concentration;

    template <expression A>
    explicit dirichlet(const A& a) : concentration(detail::kept(a)) {
        static_assert(C::rank >= 1, "ricci: dirichlet takes its parameters along the last axis");
        detail::require(concentration, detail::condition::positive, name, "a parameter");
    }
    auto parameters() const { return std::tie(concentration); }
    auto shape() const { return detail::without_last<1>(concentration.shape()); }
    template <int R>
    auto draw(const ricci::shape<R>& extents, generator& g) const {
        return random::dirichlet(concentration, extents, g);
    }
    template <expression X>
    auto log_prob(const X& x) const {
        const auto least = min(x, -1);
        const auto inside = maximum(x, 0);  // where it is not, -infinity is the result, and slopes are finite
        return detail::where_supported(least >= 0, least, sum(xlogy(concentration - 1, inside), -1) - log_normalizer());
    }
    auto mean() const { return concentration / sum(concentration, -1, keepdims); }
    auto variance() const {
        const auto total = evaluate(sum(concentration, -1, keepdims));
        const auto m = concentration / total;
        return m * (1 - m) / (total + 1);
    }
    auto entropy() const {
        const auto total = evaluate(sum(concentration, -1));
        const auto n = static_cast<double>(concentration.shape()[C::rank - 1]);
        return log_normalizer() + (total - n) * digamma(total) - sum((concentration - 1) * digamma(concentration), -1);
    }
    /// The logarithm of the multivariate beta function of the parameters.
    auto log_normalizer() const { return sum(lgamma(concentration), -1) - lgamma(sum(concentration, -1)); }
};
template <class A>
dirichlet(const A&) -> dirichlet<detail::kept_t<A>>;

}  // namespace ricci::distributions
