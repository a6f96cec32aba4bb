// Random vectors: dirichlet, multivariate_normal. What they share stands in continuous.hpp.
#pragma once
#include "../contract.hpp"
#include "../linalg/factor.hpp"
#include "../softmax.hpp"
#include "continuous.hpp"

namespace ricci {
namespace detail {

/// The shape of vectors: that which the parameters' leading axes broadcast to, or which was asked for, and their
/// length.
template <int R>
shape<R + 1> sample_vectors(common_size, const shape<R>& common, index_t n, const char*) {
    return vector_shape(common, n);
}
template <int R, int C>
shape<R + 1> sample_vectors(const shape<R>& extents, const shape<C>& common, index_t n, const char* who) {
    static_assert(C <= R, "ricci: a parameter has more axes than the shape that is asked for");
    for (int d = 0; d < C; ++d)
        if (common[d] != 1 && common[d] != extents[R - C + d])
            raise<shape_error>(
                {"[", who, "] parameters of leading axes ", common, " do not broadcast to shape ", extents});
    const auto all = vector_shape(extents, n);
    check_extents(all, 1, who);
    return all;
}

template <class T, class D, class A, class Size>
auto dirichlet_sample(const A& given, const Size& size, generator& g) {
    static_assert(expression<A> && rank_v<A> >= 1, "ricci: dirichlet takes its parameters along the last axis");
    using Y = sample_type<T, A>;
    static_assert(std::is_floating_point_v<compute_t<Y>>, "ricci: dirichlet gives floating-point numbers");
    const auto given_a = evaluate(as_type<double>(constant_parameter(parameter(given))));
    shape<rank_v<A> - 1> lead;
    for (int d = 0; d < rank_v<A> - 1; ++d) lead[d] = given_a.shape()[d];
    const index_t n = given_a.shape()[rank_v<A> - 1];
    if (n == 0) raise<value_error>({"[dirichlet] of an empty axis: parameters of shape ", given_a.shape()});
    const auto extents = sample_vectors(size, lead, n, "dirichlet");
    require(given_a, condition::positive, "dirichlet", "a parameter");
    require(given_a, condition::finite, "dirichlet", "a parameter");
    // one element is 1 where parameters are that small, with the same chances; the logarithms must be finite
    const auto a = evaluate(given_a * maximum(1.0, 1e-290 / max(given_a, -1, keepdims)));
    const auto index = draw<random_source::index, std::uint64_t, D>(extents, g, "dirichlet", a);
    const auto logarithm = make_map(ops::log_gamma_variate{{g.seed()}}, index, a);
    return evaluate_as<Y>(softmax(evaluate(logarithm), -1));
}

/// The leading axes of normal vectors of a mean (..., n) and a factor (..., n, n), to which both broadcast, and the
/// shape of the vectors.
template <class M, class L, class Size>
auto normal_vectors_shape(const Size& size, const M& mean, const L& l, const char* who) {
    constexpr int RM = rank_v<M> - 1, RL = rank_v<L> - 2, Batch = RM > RL ? RM : RL;
    const index_t n = l.shape()[RL];
    if (mean.shape()[RM] != n || l.shape()[RL + 1] != n)
        raise<shape_error>({"[", who, "] a mean ", mean.shape(), " does not fit a covariance ", l.shape(), ": ",
                            mean.shape()[RM], " != ", n});
    shape<RM> lead;
    for (int d = 0; d < RM; ++d) lead[d] = mean.shape()[d];
    auto common = pad_front<Batch>(lead);
    broadcast_into(common, pad_front<Batch>(batch_shape(l.shape())));
    return std::make_pair(common, sample_vectors(size, common, n, who));
}
/// mean + L z, of normal vectors z.
template <class U, class D, class M, class L, class Size>
auto normal_vectors(const M& mean, const L& l, const Size& size, generator& g, const char* who) {
    const auto extents = normal_vectors_shape(size, mean, l, who).second;
    const auto z = draw<random_source::normal, U, D>(extents, g, who, mean, l);
    const auto spread = [&] {
        if constexpr (rank_v<L> > 2) return index(matmul(l, as_column(z)), ellipsis, 0);
        else if constexpr (std::remove_cvref_t<decltype(z)>::rank == 1) return matmul(l, z);
        else return matmul(z, matrix_transpose(l));  // one product
    }();
    return evaluate(mean + spread);
}
template <class T, class D, class M, class C, class Size>
auto multivariate_normal_sample(const M& given_mean, const C& given_covariance, const Size& size, generator& g) {
    static_assert(expression<M> && expression<C> && rank_v<M> >= 1 && rank_v<C> >= 2,
                  "ricci: multivariate_normal takes a mean (..., n) and a covariance (..., n, n)");
    using Y = sample_type<T, M, C>;
    using U = compute_t<Y>;
    static_assert(std::is_floating_point_v<U>, "ricci: multivariate_normal gives floating-point numbers");
    const auto mean = evaluate(as_type<U>(given_mean));
    const auto l = evaluate(linalg::cholesky(as_type<U>(given_covariance)));
    return evaluate_as<Y>(normal_vectors<U, D>(mean, l, size, g, "multivariate_normal"));
}

}  // namespace detail

namespace random {

/// Dirichlet of positive parameters along the last axis, as are the samples, which are not negative and of sum 1; a
/// shape that is given is that of the axes before it: dirichlet(a, {1000}) of a vector (n,) is (1000, n). A constant of
/// every derivative. Throws value_error for parameters that are not positive and finite.
/// (numpy.random.Generator.dirichlet, torch.distributions.Dirichlet.)
template <class T = void, expression A>
auto dirichlet(const A& a, generator_ref g = {}) {
    return detail::dirichlet_sample<T, cpu_device>(a, detail::common_size{}, g);
}
template <class T = void, expression A, int R>
auto dirichlet(const A& a, const shape<R>& extents, generator_ref g = {}) {
    return detail::dirichlet_sample<T, cpu_device>(a, extents, g);
}
template <class T = void, expression A, int R>
auto dirichlet(const A& a, const extent (&extents)[R], generator_ref g = {}) {
    return detail::dirichlet_sample<T, cpu_device>(a, detail::to_shape(extents), g);
}

/// Normal vectors of a mean (..., n) and a covariance (..., n, n), symmetric and positive definite, of which the lower
/// triangle is read: mean + L z by its Cholesky factor L (where that is known, matmul(L, randn({n})) is all). A shape
/// that is given is that of the axes before the last, to which the parameters' leading axes broadcast, as they do to
/// each other without. Differentiable in both. Throws linalg_error for a covariance that is not positive definite,
/// shape_error where extents do not fit. (numpy.random.Generator.multivariate_normal with method="cholesky",
/// torch.distributions.MultivariateNormal.)
template <class T = void, expression M, expression C>
auto multivariate_normal(const M& mean, const C& covariance, generator_ref g = {}) {
    return detail::multivariate_normal_sample<T, cpu_device>(mean, covariance, detail::common_size{}, g);
}
template <class T = void, expression M, expression C, int R>
auto multivariate_normal(const M& mean, const C& covariance, const shape<R>& extents, generator_ref g = {}) {
    return detail::multivariate_normal_sample<T, cpu_device>(mean, covariance, extents, g);
}
template <class T = void, expression M, expression C, int R>
auto multivariate_normal(const M& mean, const C& covariance, const extent (&extents)[R], generator_ref g = {}) {
    return detail::multivariate_normal_sample<T, cpu_device>(mean, covariance, detail::to_shape(extents), g);
}

}  // namespace random
}  // namespace ricci
