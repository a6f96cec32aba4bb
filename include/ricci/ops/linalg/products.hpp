// Products and parts of matrices: matrix_power, multi_dot, cross, householder_product, vander, diagonal, trace.
#pragma once
#include "solve.hpp"

namespace ricci {
namespace detail {

/// The cheapest order of a product of matrices: split[i][j] is where the product of i ... j is parted (Cormen et al.,
/// 15.2).
template <int N>
class product_order {
   public:
    explicit product_order(const index_t (&extents)[N + 1]) {
        double cost[N][N] = {};
        for (int length = 2; length <= N; ++length)
            for (int i = 0; i + length <= N; ++i) {
                const int j = i + length - 1;
                double least = std::numeric_limits<double>::infinity();
                for (int k = i; k < j; ++k) {
                    const double sum = cost[i][k] + cost[k + 1][j] +
                                       static_cast<double>(extents[i]) * static_cast<double>(extents[k + 1]) *
                                           static_cast<double>(extents[j + 1]);
                    if (sum < least) {
                        least = sum;
                        split_[i][j] = k;
                    }
                }
                cost[i][j] = least;
            }
    }
    template <class A>
    A multiply(const std::array<A, N>& list, int i, int j) const {
        if (i == j) return list[static_cast<std::size_t>(i)];
        const int k = split_[i][j];
        return product(multiply(list, i, k), multiply(list, k + 1, j));
    }

   private:
    int split_[N][N] = {};
};

}  // namespace detail

namespace linalg {

/// A to an integer power by repeated squaring, for the square matrices in the last two axes; negative powers of the
/// inverse. Integers stay integers; throws value_error for a negative power of theirs.
template <expression A>
auto matrix_power(const A& a, int n) {
    constexpr bool integers =
        std::is_integral_v<typename A::value_type> && !std::is_same_v<typename A::value_type, bool>;
    const auto x = [&] {
        if constexpr (integers) {
            static_assert(A::rank >= 2, "ricci: linalg needs matrices: arrays of rank 2 or more");
            const auto whole = evaluate(a);
            detail::check_square(whole, "matrix_power");
            return whole;
        } else {
            return detail::square_argument(a, "matrix_power");
        }
    }();
    using X = std::remove_cvref_t<decltype(x)>;
    X base = x;
    if (n < 0) {
        if constexpr (integers)
            detail::raise<value_error>(
                {"[matrix_power] matrices of integers have no power ", n, ": take astype<double> of them"});
        else base = detail::as_called("matrix_power", [&] { return inv(x); });
    }
    unsigned power = n < 0 ? 0u - static_cast<unsigned>(n) : static_cast<unsigned>(n);
    if (power == 0)  // the identity, also of what is infinite or NaN
        return X(evaluate(where(isfinite(x), x, 0) * typename X::value_type(0) + detail::identity_like(x)));
    X y = base;
    for (bool started = false;; base = X(detail::product(base, base))) {
        if (power & 1u) {
            y = started ? X(detail::product(y, base)) : base;
            started = true;
        }
        if ((power >>= 1) == 0) return y;
    }
}

/// A double would be cut to an integer.
template <expression A, std::floating_point Power>
auto matrix_power(const A&, Power) {
    static_assert(always_false<A>,
                  "ricci: matrix_power takes an integer; of Hermitian matrices, auto [w, V] = linalg::eigh(a), other "
                  "powers are matmul(V * pow(w, p), matrix_transpose(conj(V)))");
}

/// The product of two or more matrices in the cheapest order; the first and the last may be vectors, whose axis does
/// not appear in the result. Integers stay integers. Throws shape_error where extents do not fit.
template <expression First, expression... Rest>
auto multi_dot(const First& first, const Rest&... rest) {
    static_assert(sizeof...(Rest) > 0, "ricci: multi_dot needs two or more factors");
    using C = common_t<typename First::value_type, typename Rest::value_type...>;
    using T = std::conditional_t<std::is_integral_v<C> && !std::is_same_v<C, bool>, C, detail::matrix_element<C>>;
    using Last = detail::pack_element_t<sizeof...(Rest) - 1, detail::pack<Rest...>>;
    constexpr bool vector_first = First::rank == 1, vector_last = Last::rank == 1;
    constexpr int count = 1 + sizeof...(Rest);
    const auto matrices = detail::make_pack(detail::evaluate_as<T>(first), detail::evaluate_as<T>(rest)...);
    const auto whole = detail::generate<count>([&](auto i) {
        const auto& x = detail::get<i()>(matrices);
        constexpr int rank = std::remove_cvref_t<decltype(x)>::rank;
        static_assert(rank == 2 || (rank == 1 && (i() == 0 || i() == count - 1)),
                      "ricci: multi_dot multiplies matrices; the first and the last factor may be vectors");
        if constexpr (rank == 2) return x;
        else if constexpr (i() == 0) return evaluate(detail::as_row(x));
        else return evaluate(detail::as_column(x));
    });
    index_t extents[count + 1];
    detail::for_indices<count>([&](auto i) {
        const auto& s = detail::get<i()>(whole).shape();
        if (i() > 0 && extents[i()] != s[0])
            detail::raise<shape_error>({"[multi_dot] the columns of factor ", i() - 1, " ",
                                        detail::get<(i() > 0 ? i() - 1 : 0)>(whole).shape(),
                                        " must be as many as the rows of factor ", i(), " ", s, ": ", extents[i()],
                                        " != ", s[0]});
        extents[i()] = s[0];
        extents[i() + 1] = s[1];
    });
    const auto y = detail::unpack(
        [&](const auto&... x) {
            using chain = detail::chain_of_t<std::remove_cvref_t<decltype(x)>...>;
            const std::array list{detail::lift(chain{}, x)...};
            return detail::product_order<count>(extents).multiply(list, 0, count - 1);
        },
        whole);
    if constexpr (vector_first && vector_last) return evaluate(index(y, 0, 0));
    else if constexpr (vector_first) return evaluate(index(y, 0));
    else if constexpr (vector_last) return evaluate(index(y, all, 0));
    else return y;
}

/// The cross product of vectors of three elements along an axis; the other axes broadcast. (numpy.linalg.cross.)
template <expression A, expression B>
auto cross(const A& a, const B& b, int axis = -1) {
    const int i = detail::normalize_axis(axis, A::rank, "cross"), j = detail::normalize_axis(axis, B::rank, "cross");
    const auto x = moveaxis(a, i, -1);
    const auto y = moveaxis(b, j, -1);
    if (x.shape()[A::rank - 1] != 3 || y.shape()[B::rank - 1] != 3)
        detail::raise<shape_error>({"[cross] the vectors must have 3 elements along axis ", axis, ": shapes ",
                                    evaluate(a).shape(), " and ", evaluate(b).shape()});
    const auto part = [](const auto& v, int k) { return index(v, ellipsis, k); };
    const auto component = [&](int k) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        return evaluate(part(x, p) * part(y, q) - part(x, q) * part(y, p));
    };
    return detail::as_called("cross", [&] {
        return moveaxis(stack(std::make_tuple(component(0), component(1), component(2)), -1), -1, axis);
    });
}

/// The first columns of H_0 H_1 ... H_(k-1), H_i = I - tau_i v_i v_i^H, v_i column i of `a` with a 1 on the diagonal
/// and zeros above: the Q of LAPACK's geqrf. (torch.linalg.householder_product.)
template <expression A, expression T>
auto householder_product(const A& a, const T& tau) {
    static_assert(T::rank == A::rank - 1, "ricci: householder_product needs one factor for each reflection");
    using E = promote_t<detail::matrix_element<typename A::value_type>, typename T::value_type>;
    const auto v = detail::evaluate_as<E>(detail::matrix_argument(a));
    const auto t = detail::evaluate_as<E>(tau);
    using V = std::remove_cvref_t<decltype(v)>;
    const index_t m = v.shape()[V::rank - 2], n = v.shape()[V::rank - 1], k = t.shape()[V::rank - 2];
    if (m < n || n < k)
        detail::raise<shape_error>({"[householder_product] a ", v.shape(),
                                    " must have at least as many rows as columns, and "
                                    "tau ",
                                    t.shape(), " at most as many elements"});
    const auto vectors = evaluate(tril(v, -1) + eye<real_t<E>>(m, n, 0, device_t<V>{}));
    auto q = detail::lift(detail::chain_of_t<V, std::remove_cvref_t<decltype(t)>>{},
                          evaluate(vectors * E(0) + eye<real_t<E>>(m, n, 0, device_t<V>{})));
    for (index_t i = k - 1; i >= 0; --i) {
        const auto column = evaluate(index(vectors, ellipsis, slice(i, i + 1)));
        const auto factor = detail::as_matrix(evaluate(index(t, ellipsis, i)));
        q = evaluate(q - factor * detail::product(column, detail::product(detail::adjoint(column), q)));
    }
    return q;
}

/// Vandermonde's matrices: column j has the j-th powers of the vectors in the last axis, n columns, as many as
/// elements if n is -1. Integers as 64 bits. Throws value_error for other negative numbers. (torch.linalg.vander; the
/// powers ascend.)
template <expression E>
auto vander(const E& x, index_t n = -1) {
    static_assert(E::rank >= 1, "ricci: vander needs a vector");
    using V = typename E::value_type;
    using T = std::conditional_t<is_inexact_v<V>, V, promote_t<V, std::int64_t>>;
    const auto a = detail::evaluate_as<T>(x);
    if (n < -1) detail::raise<value_error>({"[vander] the number of columns must not be negative: ", n});
    const index_t count = n < 0 ? a.shape()[E::rank - 1] : n;
    const auto exponents = evaluate(astype<real_t<T>>(arange<index_t>(count))).to(device_t<E>{});
    return evaluate(pow(detail::as_column(a), exponents));
}

/// Diagonal `k` of the matrices in the last two axes. A view. (numpy.linalg.diagonal.)
template <expression E>
auto diagonal(const E& x, index_t k = 0) {
    return ricci::diagonal(x, k, -2, -1);
}
/// The sum of diagonal `k` of the matrices in the last two axes. (numpy.linalg.trace.)
template <expression E>
auto trace(const E& x, index_t k = 0) {
    return ricci::trace(x, k, -2, -1);
}

}  // namespace linalg
}  // namespace ricci
