// Products of fixed vectors and matrices: matmul, dot, inner, vdot, outer, cross; transposes and traces.
#pragma once
#include "../contract/products.hpp"
#include "../diagonal.hpp"
#include "../linalg/products.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

/// The types that a product's terms are computed in, and its result's.
template <class A, class B>
struct fixed_product_types {
    using result = std::remove_cvref_t<decltype(std::declval<const A&>() * std::declval<const B&>())>;
    using computed = result;
};
template <element A, element B>
struct fixed_product_types<A, B> {
    using result = promote_t<A, B>;
    using computed = compute_t<result>;
};

/// Rows of `inner` numbers of a and columns of b: element (i, j) of their product, where steps say how the factors lie.
template <class W, index_t Inner, class A, class B>
RICCI_INLINE constexpr W inner_sum(const A* a, index_t a_step, const B* b, index_t b_step) {
    return join_values<Inner>([](const W& x, const W& y)
                                  RICCI_INLINE_LAMBDA { return static_cast<W>(math::wrap(x) + math::wrap(y)); },
                              [&](index_t k) RICCI_INLINE_LAMBDA {
                                  return static_cast<W>(math::wrap(converted_fixed<W>(a[k * a_step])) *
                                                        math::wrap(converted_fixed<W>(b[k * b_step])));
                              });
}

#if defined(__GNUC__)
/// Whether a row of Columns numbers of W is a register, or a few of them.
template <class W, index_t Columns>
inline constexpr bool row_is_register =
    std::is_floating_point_v<W> && sizeof(W) <= 8 &&
    (Columns * sizeof(W) == 16 || Columns * sizeof(W) == 32 || Columns * sizeof(W) == 64);

/// A product whose rows are sums of multiples of the rows of b.
template <class Y, index_t Rows, index_t Inner, index_t Columns, class W>
RICCI_INLINE Y multiply_by_rows(const W* a, const W* b) {
    typedef W row __attribute__((vector_size(Columns * sizeof(W))));
    row sum[Rows], part;
    for (index_t k = 0; k < Inner; ++k) {
        __builtin_memcpy(&part, b + k * Columns, sizeof part);
        for (index_t i = 0; i < Rows; ++i) {
            if (k == 0) sum[i] = a[i * Inner] * part;
            else sum[i] += a[i * Inner + k] * part;
        }
    }
    return Y::generate([&](index_t k) RICCI_INLINE_LAMBDA { return sum[k / Columns][k % Columns]; });
}
#else
template <class W, index_t Columns>
inline constexpr bool row_is_register = false;
#endif

/// The product of a, of Rows x Inner, and b, of Inner x Columns, both dense, as a Y of as many elements.
template <class Y, index_t Rows, index_t Inner, index_t Columns, class A, class B>
RICCI_INLINE constexpr Y multiply_fixed(const A& a, const B& b) {
    using W = typename fixed_product_types<typename A::value_type, typename B::value_type>::computed;
    if constexpr (std::is_same_v<W, typename A::value_type> && std::is_same_v<W, typename B::value_type> &&
                  row_is_register<W, Columns> && Inner > 0 && Inner <= 8 && Rows <= 8)
        if (!std::is_constant_evaluated()) return multiply_by_rows<Y, Rows, Inner, Columns>(a.data(), b.data());
    if constexpr (Inner == 0) {
        return Y();
    } else if constexpr (Rows * Columns <= max_unrolled && Inner <= max_unrolled) {
        return Y::generate([&](index_t k) RICCI_INLINE_LAMBDA {
            return inner_sum<W, Inner>(a.data() + k / Columns * Inner, 1, b.data() + k % Columns, Columns);
        });
    } else {
        Y y;
        for (index_t i = 0; i < Rows; ++i) {  // rows of b added up, which compilers make registers of
            W row[Columns] = {};
            for (index_t k = 0; k < Inner; ++k) {
                const W factor = converted_fixed<W>(a.data()[i * Inner + k]);
                for (index_t j = 0; j < Columns; ++j)
                    row[j] =
                        static_cast<W>(math::wrap(row[j]) +
                                       math::wrap(factor) * math::wrap(converted_fixed<W>(b.data()[k * Columns + j])));
            }
            for (index_t j = 0; j < Columns; ++j)
                y.data()[i * Columns + j] = converted_fixed<typename Y::value_type>(row[j]);
        }
        return y;
    }
}

}  // namespace detail

/// The matrix product of fixed vectors and matrices, a fixed tensor. Extents that do not match are a compile error.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto matmul(const A& a, const B& b) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: matmul needs arrays of rank 1 or more; use * with scalars");
    using T = typename detail::fixed_product_types<typename A::value_type, typename B::value_type>::result;
    constexpr int last = B::rank == 1 ? 0 : B::rank - 2;
    static_assert(A::template extent<-1> == B::template extent<last>,
                  "ricci: matmul: the last extent of a must match the second to last of b (the only one of a vector)");
    constexpr index_t inner = A::template extent<-1>;
    if constexpr (A::rank > 2 || B::rank > 2) {
        return matmul(a.fetch(), b.fetch());
    } else if constexpr (A::rank == 1 && B::rank == 1) {
        return detail::multiply_fixed<fixed_tensor<T>, 1, inner, 1>(a, b);
    } else if constexpr (A::rank == 1) {
        constexpr index_t n = B::template extent<1>;
        return detail::multiply_fixed<fixed_tensor<T, n>, 1, inner, n>(a, b);
    } else if constexpr (B::rank == 1) {
        constexpr index_t m = A::template extent<0>;
        return detail::multiply_fixed<fixed_tensor<T, m>, m, inner, 1>(a, b);
    } else {
        constexpr index_t m = A::template extent<0>, n = B::template extent<1>;
        return detail::multiply_fixed<fixed_tensor<T, m, n>, m, inner, n>(a, b);
    }
}

/// NumPy's dot of fixed scalars, vectors and matrices: the product by a scalar, or matmul.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto dot(const A& a, const B& b) {
    if constexpr (A::rank == 0 || B::rank == 0) return a * b;
    else if constexpr (A::rank <= 2 && B::rank <= 2) return matmul(a, b);
    else return dot(a.fetch(), b.fetch());
}
/// Sums of products over the last axes of both.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto inner(const A& a, const B& b) {
    if constexpr (A::rank == 0 || B::rank == 0) return a * b;
    else if constexpr (A::rank <= 2 && B::rank == 1) return matmul(a, b);
    else if constexpr (A::rank <= 2 && B::rank == 2) return matmul(a, matrix_transpose(b));
    else return inner(a.fetch(), b.fetch());
}
/// The sum of conj(a) b over all elements.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto vdot(const A& a, const B& b) {
    static_assert(A::count == B::count, "ricci: vdot: the fixed tensors must have as many elements");
    using T = typename detail::fixed_product_types<typename A::value_type, typename B::value_type>::result;
    if constexpr (is_complex_v<typename A::value_type>)
        return detail::multiply_fixed<fixed_tensor<T>, 1, A::count, 1>(conj(a), b);
    else return detail::multiply_fixed<fixed_tensor<T>, 1, A::count, 1>(a, b);
}
/// The sum of conj(a) b of two vectors.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto vecdot(const A& a, const B& b, int axis = -1) {
    if constexpr (A::rank == 1 && B::rank == 1) {
        static_cast<void>(detail::normalize_axis(axis, 1, "vecdot"));
        static_assert(A::count == B::count, "ricci: vecdot: the vectors must have as many elements");
        return vdot(a, b);
    } else {
        return vecdot(a.fetch(), b.fetch(), axis);
    }
}
/// All products of an element of `a` and one of `b`: extents a.size(), b.size().
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr auto outer(const A& a, const B& b) {
    using T = typename detail::fixed_product_types<typename A::value_type, typename B::value_type>::result;
    return detail::multiply_fixed<fixed_tensor<T, A::count, B::count>, A::count, 1, B::count>(a, b);
}

/// The last two axes exchanged.
template <fixed_expression E>
RICCI_INLINE constexpr auto matrix_transpose(const E& x) {
    static_assert(E::rank >= 2, "ricci: matrix_transpose needs an array of rank 2 or more");
    if constexpr (E::rank == 2) {
        constexpr index_t rows = E::template extent<0>, columns = E::template extent<1>;
        return fixed_tensor<typename E::value_type, columns, rows>::generate(
            [&](index_t k) RICCI_INLINE_LAMBDA { return x.data()[k % rows * columns + k / rows]; });
    } else {
        return matrix_transpose(x.fetch());
    }
}
/// The sum of diagonal `k` of a fixed matrix, as of a tensor. Throws index_error for equal axes.
template <fixed_expression E>
    requires(E::rank == 2)
RICCI_INLINE constexpr auto trace(const E& x, index_t k = 0, int row_axis = 0, int column_axis = 1) {
    constexpr index_t rows = E::template extent<0>, columns = E::template extent<1>;
    using T = typename E::value_type;
    const int first = detail::normalize_axis(row_axis, 2, "trace"),
              second = detail::normalize_axis(column_axis, 2, "trace");
    if (first == second) detail::raise<index_error>({"[trace] axis ", first, " is named twice"});
    constexpr index_t most = rows + columns;  // k may be any number
    const index_t k_or_end = k < -most ? -most : k > most ? most : k, shift = first == 0 ? k_or_end : -k_or_end;
    return sum(fixed_tensor<T, (rows < columns ? rows : columns)>::generate([&](index_t i) RICCI_INLINE_LAMBDA {
        const index_t row = shift < 0 ? i - shift : i, column = shift > 0 ? i + shift : i;
        return row < rows && column < columns ? T(x.data()[row * columns + column]) : T(0);
    }));
}

namespace linalg {

/// The cross product of two fixed vectors of three elements.
template <fixed_expression A, fixed_expression B>
    requires(A::rank == 1 && B::rank == 1)
RICCI_INLINE constexpr auto cross(const A& a, const B& b, int axis = -1) {
    static_cast<void>(detail::normalize_axis(axis, 1, "cross"));
    static_assert(A::count == 3 && B::count == 3, "ricci: cross: the vectors must have 3 elements");
    using types = detail::fixed_product_types<typename A::value_type, typename B::value_type>;
    using W = typename types::computed;
    return fixed_tensor<typename types::result, 3>::generate([&](index_t k) RICCI_INLINE_LAMBDA {
        const auto x = [&](index_t i) RICCI_INLINE_LAMBDA { return detail::converted_fixed<W>(a.data()[(k + i) % 3]); };
        const auto y = [&](index_t i) RICCI_INLINE_LAMBDA { return detail::converted_fixed<W>(b.data()[(k + i) % 3]); };
        return x(1) * y(2) - x(2) * y(1);
    });
}
template <fixed_expression E>
    requires(E::rank == 2)
RICCI_INLINE constexpr auto trace(const E& x, index_t k = 0) {
    return ricci::trace(x, k);
}
template <fixed_expression E>
RICCI_INLINE constexpr auto matrix_transpose(const E& x) {
    return ricci::matrix_transpose(x);
}

}  // namespace linalg
}  // namespace ricci
