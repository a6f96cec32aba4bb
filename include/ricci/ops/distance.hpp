// Distances and directions of vectors: cdist, pdist, pairwise_distance, cosine_similarity, normalize.
#pragma once
#include "contract.hpp"
#include "diagonal.hpp"
#include "norm.hpp"
#include "row_distance.hpp"

namespace ricci {
namespace detail {

/// What Op(metric) gives of x where the p-norm is one of which there are kernels, and, if its derivatives are wanted,
/// rules; else g().
template <class Op, class G, class... X>
auto with_row_metric(double p, const G& g, const X&... x) {
    if constexpr ((has_row_distances<device_t<X>, typename X::value_type> && ...)) {
        if (p == 1) return call1(Op(row_metric::city_block), x...);
        if (p == 2) return call1(Op(row_metric::euclidean), x...);
        if constexpr ((std::is_void_v<typename X::wrapper> && ...))
            if (p == std::numeric_limits<double>::infinity()) return call1(Op(row_metric::chebyshev), x...);
    }
    return g();
}

/// The p-norm along the last axis of a map that is not computed as a whole.
template <class D>
auto length_along_last(const D& difference, double p, const char* who) {
    using R = real_t<typename D::value_type>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto root = [](const auto& s, const auto& f) { return evaluate(constant_where(s == R(0), R(0), s, f)); };
    const auto two = [&] { return root(evaluate(sum(square(difference), -1)), [](const auto& s) { return sqrt(s); }); };
    using Y = decltype(two());
    if (p == 2) return two();
    if (p == 1 || difference.shape()[D::rank - 1] == 0) return Y(evaluate(sum(abs(difference), -1)));
    if (p == infinity) return Y(evaluate(max(abs(difference), -1)));
    if (p == 0) return Y(evaluate(sum(where(difference == R(0), R(0), R(1)), -1)));
    if (!(p > 0)) raise<value_error>({"[", who, "] the order must not be negative: ", p});
    const R order = static_cast<R>(p);
    const auto powers = where(difference == R(0), R(0), pow(abs(where(difference == R(0), R(1), difference)), order));
    return Y(root(evaluate(sum(powers, -1)), [&](const auto& s) { return pow(s, 1 / order); }));
}

}  // namespace detail

/// The distances |a_i - b_j| in the p-norm (infinity too; 0 counts unequal elements) of each row of `a` (m x k) to each
/// of `b` (n x k): m x n. Integers give double. The derivative at distance 0 is 0. Throws shape_error where rows differ
/// in length, value_error unless p >= 0. (torch.cdist, scipy.spatial.distance.cdist.)
template <expression A, expression B>
auto cdist(const A& a, const B& b, double p = 2) {
    static_assert(A::rank == 2 && B::rank == 2, "ricci: cdist takes two matrices, whose rows are points");
    using T = inexact_t<promote_t<typename A::value_type, typename B::value_type>>;
    static_assert(!is_complex_v<T>, "ricci: cdist takes real numbers");
    if (a.shape()[1] != b.shape()[1])
        detail::raise<shape_error>({"[cdist] rows of a ", a.shape(), " and of b ", b.shape(),
                                    " must have one length: ", a.shape()[1], " != ", b.shape()[1]});
    const auto x = detail::evaluate_as<compute_t<T>>(a);
    const auto y = detail::evaluate_as<compute_t<T>>(b);
    return detail::evaluate_as<T>(detail::with_row_metric<detail::row_distances_op>(
        p, [&] { return detail::length_along_last(expand_dims(x, 1) - expand_dims(y, 0), p, "cdist"); }, x, y));
}
/// The distances of each two different rows, (0, 1), (0, 2), ..., (1, 2), ...: n (n - 1) / 2 of them. (torch.pdist.)
template <expression A>
auto pdist(const A& a, double p = 2) {
    static_assert(A::rank == 2, "ricci: pdist takes a matrix, whose rows are points");
    using T = inexact_t<typename A::value_type>;
    const auto x = detail::evaluate_as<compute_t<T>>(a);
    return detail::evaluate_as<T>(detail::with_row_metric<detail::pair_distances_op>(
        p,
        [&] {
            const auto [i, j] = triu_indices(x.shape()[0], 1);
            return detail::length_along_last(take(x, i, 0) - take(x, j, 0), p, "pdist");
        },
        x));
}

/// The distances of vectors along the last axis, broadcast: the p-norm of a - b + epsilon. Integers give double. Throws
/// value_error unless p >= 0. (torch.nn.functional.pairwise_distance; the epsilon keeps equal vectors from an infinite
/// slope there.)
template <expression A, expression B>
auto pairwise_distance(const A& a, const B& b, double p = 2, double epsilon = 1e-6) {
    using T = inexact_t<promote_t<typename A::value_type, typename B::value_type>>;
    static_assert(!is_complex_v<T>, "ricci: pairwise_distance takes real numbers");
    const auto x = detail::evaluate_as<compute_t<T>>(a);
    const auto y = detail::evaluate_as<compute_t<T>>(b);
    return detail::evaluate_as<T>(detail::length_along_last(x - y + epsilon, p, "pairwise_distance"));
}

/// The cosines of the angles between vectors along an axis, broadcast; a length below `least` counts as that. Integers
/// give double. (torch.nn.functional.cosine_similarity, whose axis is 1 unless it is given.)
template <expression A, expression B>
auto cosine_similarity(const A& a, const B& b, int axis = -1, double least = 1e-8) {
    using T = inexact_t<promote_t<typename A::value_type, typename B::value_type>>;
    using W = compute_t<T>;  // in 16 bits sums of squares would overflow, and a small `least` be 0
    const auto [x, y] = broadcast_arrays(detail::evaluate_as<W>(a), detail::evaluate_as<W>(b));
    const int d = detail::normalize_axis(axis, rank_v<decltype(x)>, "cosine_similarity");
    return detail::evaluate_as<T>(sum(x * y, d) / (maximum(norm(x, d), least) * maximum(norm(y, d), least)));
}
/// Vectors along an axis divided by their p-norm, or by `least` where that is greater. Integers give double.
/// (torch.nn.functional.normalize, whose axis is 1 unless it is given.)
template <expression E>
auto normalize(const E& x, double p = 2, int axis = -1, double least = 1e-12) {
    using T = inexact_t<typename E::value_type>;
    const auto a = detail::evaluate_as<compute_t<T>>(x);
    const int d = detail::normalize_axis(axis, E::rank, "normalize");
    return detail::evaluate_as<T>(a / maximum(norm(a, d, keepdims, p), least));
}

}  // namespace ricci
