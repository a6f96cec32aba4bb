// Products of arrays beside matmul: dot, vdot, vecdot, matvec, vecmat, inner, outer, tensordot.
#pragma once
#include "../contract.hpp"
#include "../rearrange.hpp"
#include "pair.hpp"

namespace ricci {
namespace detail {

/// What the products of A and B are computed in.
template <class A, class B>
using product_t = promote_t<typename A::value_type, typename B::value_type>;

/// The conjugate, lazily; a real array itself.
template <class E>
auto lazily_conjugated(const E& x) {
    if constexpr (is_complex_v<typename E::value_type>) return conj(x);
    else return x;
}
/// The sum of products over all axes, or over one, in the factors' type.
template <class T, class E, class... Axis>
auto sum_products(const E& products, Axis... axis) {
    return evaluate_as<T>(sum(products, axis...));
}

/// The products of a and b summed over pairs of axes; the result's axes are the others of a, then those of b.
template <int N, class A, class B>
auto contract_axes(const A& a, const B& b, const int* a_axes, const int* b_axes, const char* who) {
    static_assert(N <= A::rank && N <= B::rank, "ricci: tensordot sums over more axes than an array has");
    constexpr int free = A::rank + B::rank - 2 * N, L = free + N;
    using T = product_t<A, B>;
    const auto x = evaluate_as<compute_t<T>>(a);
    const auto y = evaluate_as<compute_t<T>>(b);
    int x_at[A::rank + 1], y_at[B::rank + 1];
    for (int d = 0; d < A::rank; ++d) x_at[d] = -1;
    for (int d = 0; d < B::rank; ++d) y_at[d] = -1;
    for (int i = 0; i < N; ++i) {
        const int d = normalize_axis(a_axes[i], A::rank, who), e = normalize_axis(b_axes[i], B::rank, who);
        if (x_at[d] >= 0) raise<index_error>({"[", who, "] axis ", d, " of a is named twice"});
        if (y_at[e] >= 0) raise<index_error>({"[", who, "] axis ", e, " of b is named twice"});
        if (x.shape()[d] != y.shape()[e])
            raise<shape_error>({"[", who, "] axis ", d, " of a ", x.shape(), " must match axis ", e, " of b ",
                                y.shape(), ": ", x.shape()[d], " != ", y.shape()[e]});
        x_at[d] = y_at[e] = free + i;
    }
    shape<free> result;
    int next = 0;
    for (int d = 0; d < A::rank; ++d)
        if (x_at[d] < 0) {
            result[next] = x.shape()[d];
            x_at[d] = next++;
        }
    for (int d = 0; d < B::rank; ++d)
        if (y_at[d] < 0) {
            result[next] = y.shape()[d];
            y_at[d] = next++;
        }
    const std::uint64_t summed = ((std::uint64_t(1) << N) - 1) << free;
    return evaluate_as<T>(reshaped(contract(spread_axes<L>(x, x_at), spread_axes<L>(y, y_at), summed), result));
}

template <class A, class B>
constexpr void check_product_types(const A&, const B&) {
    static_assert(!std::is_same_v<product_t<A, B>, bool>,
                  "ricci: products of arrays are of numbers: convert truth values with astype");
}

}  // namespace detail

/// Sums of products over pairs of axes, axis a_axes[i] of `a` with axis b_axes[i] of `b`: their extents must be equal.
/// The result has the other axes of `a`, then those of `b`. One matrix product; arrays are copied only where the axes
/// that it joins do not lie in memory as one. (numpy.tensordot.)
template <expression A, expression B, int N>
auto tensordot(const A& a, const B& b, const int (&a_axes)[N], const int (&b_axes)[N]) {
    detail::check_product_types(a, b);
    return detail::contract_axes<N>(a, b, a_axes, b_axes, "tensordot");
}
/// Over the last N axes of `a` and the first N of `b`, in order; N = 0 is the outer product of all their axes. The
/// number of axes is part of the result's type: tensordot<1>(a, b).
template <int N = 2, expression A, expression B>
auto tensordot(const A& a, const B& b) {
    static_assert(N >= 0, "ricci: tensordot sums over no negative number of axes");
    detail::check_product_types(a, b);
    int a_axes[N + 1] = {}, b_axes[N + 1] = {};
    for (int i = 0; i < N; ++i) {
        a_axes[i] = A::rank - N + i;
        b_axes[i] = i;
    }
    return detail::contract_axes<N>(a, b, a_axes, b_axes, "tensordot");
}
/// As NumPy's axes: tensordot(a, b, {{1}, {0}}).
template <expression A, expression B, int N>
auto tensordot(const A& a, const B& b, const int (&axes)[2][N]) {
    return tensordot(a, b, axes[0], axes[1]);
}
template <expression A, expression B, class... Axes>
    requires(sizeof...(Axes) > 0)
auto tensordot(const A& a, const B&, const Axes&...) {
    static_assert(always_false<A>,
                  "ricci: tensordot is told how many axes, tensordot<1>(a, b), or which, tensordot(a, b, {1}, {0}): "
                  "their number is part of the result's type");
    return a;
}

/// NumPy's dot: the product of numbers and scalars with anything; the inner product of vectors; otherwise sums over the
/// last axis of `a` and the second to last of `b` (the only one of a vector), the others of `a` before those of `b`.
/// For matrices it is matmul. Nothing is conjugated. Throws shape_error when the contracted extents differ.
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto dot(const A& a, const B& b) {
    if constexpr (detail::is_number<A> || detail::is_number<B>) {
        return evaluate(a * b);
    } else {
        detail::check_product_types(a, b);
        using T = detail::product_t<A, B>;
        constexpr int axis = B::rank == 1 ? 0 : B::rank - 2;
        const auto x = evaluate(a);
        const auto y = evaluate(b);
        if (x.shape()[A::rank - 1] != y.shape()[axis])
            detail::raise<shape_error>({"[dot] the last dimension of a ", x.shape(), " must match the ",
                                        B::rank == 1 ? "only" : "second to last", " of b ", y.shape(), ": ",
                                        x.shape()[A::rank - 1], " != ", y.shape()[axis]});
        if constexpr (A::rank == 1 && B::rank == 1) {
            return detail::sum_products<T>(x * y);
        } else if constexpr (B::rank <= 2 || A::rank == 1) {
            return matmul(x, y);
        } else {
            const int a_axes[] = {A::rank - 1}, b_axes[] = {axis};
            return detail::contract_axes<1>(x, y, a_axes, b_axes, "dot");
        }
    }
}

/// The sum of conj(a) b over all elements, taken in row-major order: of any two shapes of as many. Throws shape_error
/// when the numbers of elements differ. (numpy.vdot.)
template <expression A, expression B>
auto vdot(const A& a, const B& b) {
    detail::check_product_types(a, b);
    const auto x = evaluate(a);
    const auto y = evaluate(b);
    if (x.size() != y.size())
        detail::raise<shape_error>({"[vdot] a ", x.shape(), " and b ", y.shape(),
                                    " must have as many elements: ", x.size(), " != ", y.size()});
    using T = detail::product_t<A, B>;
    return detail::sum_products<T>(detail::lazily_conjugated(x) * detail::reshaped(y, x.shape()));
}

/// The sum of conj(a) b along one axis, the others broadcast: a batch of inner products, each one pass. Axes are
/// counted in the common shape; the one that is summed must be in both arrays and have the same extent. (The array
/// API's vecdot.)
template <expression A, expression B>
auto vecdot(const A& a, const B& b, int axis = -1) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: vecdot needs arrays of rank 1 or more; use * with scalars");
    detail::check_product_types(a, b);
    constexpr int R = A::rank > B::rank ? A::rank : B::rank;
    const auto x = evaluate(a);
    const auto y = evaluate(b);
    const int from_end = detail::normalize_axis(axis, R, "vecdot") - R, i = A::rank + from_end, j = B::rank + from_end;
    if (i < 0 || j < 0)
        detail::raise<index_error>({"[vecdot] axis ", axis, " is not in both a ", x.shape(), " and b ", y.shape()});
    if (x.shape()[i] != y.shape()[j])
        detail::raise<shape_error>({"[vecdot] axis ", axis, " of a ", x.shape(), " must match that of b ", y.shape(),
                                    ": ", x.shape()[i], " != ", y.shape()[j]});
    return detail::sum_products<detail::product_t<A, B>>(detail::lazily_conjugated(x) * y, from_end);
}
/// Matrices (the last two axes of `a`) times vectors (the last axis of `x`), their other axes broadcast; matmul takes x
/// for one vector, or for a matrix. (numpy.matvec.)
template <expression A, expression X>
auto matvec(const A& a, const X& x) {
    static_assert(A::rank >= 2 && X::rank >= 1, "ricci: matvec takes matrices and vectors");
    return squeeze(matmul(a, expand_dims(evaluate(x), -1)), -1);
}
/// Vectors, conjugated, times matrices, as matvec. (numpy.vecmat.)
template <expression X, expression A>
auto vecmat(const X& x, const A& a) {
    static_assert(X::rank >= 1 && A::rank >= 2, "ricci: vecmat takes vectors and matrices");
    return squeeze(matmul(expand_dims(evaluate(detail::lazily_conjugated(x)), -2), a), -2);
}

/// Sums of products over the last axes of both: the other axes of `a`, then those of `b`; numbers and scalars multiply.
/// Nothing is conjugated. Throws shape_error when the last extents differ. (numpy.inner.)
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto inner(const A& a, const B& b) {
    if constexpr (detail::is_number<A> || detail::is_number<B>) {
        return evaluate(a * b);
    } else if constexpr (A::rank == 1 && B::rank == 1) {
        return dot(a, b);
    } else {
        detail::check_product_types(a, b);
        const int a_axes[] = {A::rank - 1}, b_axes[] = {B::rank - 1};
        return detail::contract_axes<1>(a, b, a_axes, b_axes, "inner");
    }
}

/// All products of an element of `a` and one of `b`, both taken in row-major order: shape (a.size(), b.size()). A map,
/// computed where it is used. (numpy.outer.)
template <expression A, expression B>
auto outer(const A& a, const B& b) {
    detail::check_product_types(a, b);
    const auto x = evaluate(a);
    const auto y = evaluate(b);
    return detail::reshaped(x, shape<2>{x.size(), 1}) * detail::reshaped(y, shape<2>{1, y.size()});
}

}  // namespace ricci
