// Diagonals and triangles of matrices: diagonal, diag, diag_embed, trace, fill_diagonal, tril, triu; their indices.
#pragma once
#include "create.hpp"
#include "index.hpp"
#include "rearrange.hpp"

namespace ricci {
namespace detail {

/// Where a diagonal of the matrices in the last two axes begins, and how long it is.
struct diagonal_place {
    index_t row, column, length;
    diagonal_place(index_t rows, index_t columns, index_t k) : row(k < 0 ? -k : 0), column(k > 0 ? k : 0) {
        const index_t height = rows - row, width = columns - column;
        length = height < width ? height : width;
        if (length <= 0) row = column = length = 0;
    }
};
template <int R>
shape<R - 1> diagonal_shape(const shape<R>& from, index_t length) {
    shape<R - 1> s;
    for (int d = 0; d < R - 2; ++d) s[d] = from[d];
    s[R - 2] = length;
    return s;
}
template <int R, class T, class D>
tensor<T, R - 1, D> diagonal_view(const tensor<T, R, D>& x, const diagonal_place& at) {
    const index_t down = x.strides()[R - 2], right = x.strides()[R - 1];
    return {x.memory(), x.data() + at.row * down + at.column * right, diagonal_shape(x.shape(), at.length),
            diagonal_shape(x.strides(), down + right)};
}

template <int R>
struct undiagonal_op;
/// A diagonal of the matrices in the last two axes, as the last axis. A view.
template <int R>
struct diagonal_op : linear_op<diagonal_op<R>> {
    static constexpr const char* name = "diagonal";
    diagonal_place at;
    shape<R> from;

    diagonal_op(const diagonal_place& a, const shape<R>& f) : at(a), from(f) {}
    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        return make_pack(diagonal_view(x, at));
    }
    shape<R - 1> result_shape() const { return diagonal_shape(from, at.length); }
    auto transpose() const { return undiagonal_op<R>(at, from); }
    auto batched(index_t batch) const { return diagonal_op<R + 1>(at, prefixed<R>(batch, from)); }
};
/// Its transpose: matrices of zeros with the last axis on the diagonal.
template <int R>
struct undiagonal_op : linear_op<undiagonal_op<R>> {
    static constexpr const char* name = "undiagonal";
    diagonal_place at;
    shape<R> from;

    undiagonal_op(const diagonal_place& a, const shape<R>& f) : at(a), from(f) {}
    template <class T, class D>
    auto value(const tensor<T, R - 1, D>& y) const {
        const auto x = full<std::remove_const_t<T>>(from, std::remove_const_t<T>(0), D{});
        executor<D>::copy(y, diagonal_view(x, at));
        return make_pack(x);
    }
    shape<R> result_shape() const { return from; }
    auto transpose() const { return diagonal_op<R>(at, from); }
    auto batched(index_t batch) const { return undiagonal_op<R + 1>(at, prefixed<R>(batch, from)); }
};

/// Truth values of a matrix: whether column - row lies in first ... last.
inline tensor<bool, 2> diagonal_band(index_t rows, index_t columns, index_t first, index_t last) {
    const auto inside = tensor<bool, 2>::uninitialized({rows, columns});
    const auto column = [columns](index_t c, index_t i) {  // c + i, or the nearer end: c may be any number
        return c <= -i ? 0 : c >= columns - i ? columns : c + i;
    };
    bool* row = inside.data();
    for (index_t i = 0; i < rows; ++i, row += columns) {
        const index_t begin = column(first, i), end = column(last, i) + (last >= -i && last < columns - i);
        std::fill_n(row, columns, false);
        if (begin < end) std::fill(row + begin, row + end, true);
    }
    return inside;
}
/// Zeros outside of a band of the last two axes.
template <class E>
auto banded(const E& x, index_t first, index_t last) {
    static_assert(E::rank >= 2, "ricci: tril and triu need an array of rank 2 or more");
    const auto inside = diagonal_band(x.shape()[E::rank - 2], x.shape()[E::rank - 1], first, last);
    using T = typename E::value_type;
    return where(inside.to(device_t<E>{}), x, T(0));
}

}  // namespace detail

/// The lower triangle of the last two axes: zeros above diagonal `k` (0 the main one, positive ones above it). A fused
/// map.
template <expression E>
auto tril(const E& x, index_t k = 0) {
    return detail::banded(x, std::numeric_limits<index_t>::min(), k);
}
/// The upper triangle of the last two axes: zeros below diagonal `k`. A fused map.
template <expression E>
auto triu(const E& x, index_t k = 0) {
    return detail::banded(x, k, std::numeric_limits<index_t>::max());
}

/// The n x m matrix (square unless m is given) of ones up to diagonal `k`, zeros above. (numpy.tri.)
template <element T = double>
auto tri(index_t n, index_t m = -1, index_t k = 0) {
    const shape<2> extents{n, m == -1 ? n : m};
    detail::check_extents(extents, sizeof(T), "tri");
    return evaluate(astype<T>(detail::diagonal_band(extents[0], extents[1], std::numeric_limits<index_t>::min(), k)));
}

/// Diagonal `k` (0 the main one, positive ones above it) of the matrices in two axes, as the last axis of the result;
/// of the first two axes unless others are named, as in NumPy and PyTorch. A view. Throws index_error for equal axes.
template <expression E>
auto diagonal(const E& x, index_t k = 0, int row_axis = 0, int column_axis = 1) {
    static_assert(E::rank >= 2, "ricci: diagonal needs an array of rank 2 or more");
    const int axes[] = {row_axis, column_axis};
    const auto a = moveaxis(x, axes, {E::rank - 2, E::rank - 1});
    const detail::diagonal_place at(a.shape()[E::rank - 2], a.shape()[E::rank - 1], k);
    return detail::call1(detail::diagonal_op<E::rank>(at, a.shape()), a);
}

/// Of a vector the square matrix with it on diagonal `k`, zeros elsewhere; of a matrix its diagonal `k`. (numpy.diag.)
template <expression E>
auto diag(const E& x, index_t k = 0) {
    static_assert(E::rank == 1 || E::rank == 2, "ricci: diag takes a vector or a matrix; diagonal more axes");
    if constexpr (E::rank == 2) {
        return diagonal(x, k);
    } else {
        const index_t n = x.shape()[0] + (k < 0 ? -k : k);
        return detail::call1(detail::undiagonal_op<2>(detail::diagonal_place(n, n, k), shape<2>{n, n}), evaluate(x));
    }
}

/// Matrices with the last axis of `x` on diagonal `k`, zeros elsewhere: in the last two axes unless others, of the
/// result, are named. The inverse of `diagonal` with the same arguments. Linear. Throws index_error for equal axes.
/// (torch.diag_embed.)
template <expression E>
auto diag_embed(const E& x, index_t k = 0, int row_axis = -2, int column_axis = -1) {
    static_assert(E::rank >= 1, "ricci: diag_embed needs an array of rank 1 or more");
    constexpr int R = E::rank + 1;
    const auto a = evaluate(x);
    const index_t n = a.shape()[E::rank - 1] + (k < 0 ? -k : k);
    shape<R> extents;
    for (int d = 0; d < R - 2; ++d) extents[d] = a.shape()[d];
    extents[R - 2] = extents[R - 1] = n;
    const int axes[] = {row_axis, column_axis};
    return moveaxis(detail::call1(detail::undiagonal_op<R>(detail::diagonal_place(n, n, k), extents), a),
                    {R - 2, R - 1}, axes);
}

/// `x` with `value`, a number or as many as the diagonal has, on the main diagonal of its last two axes. A fused map;
/// in place, write(diagonal(x), value). Throws shape_error for another number of values. (numpy.fill_diagonal of a
/// matrix, which writes into it.)
template <expression E, operand V>
[[nodiscard]] auto fill_diagonal(const E& x, const V& value) {
    static_assert(E::rank >= 2, "ricci: fill_diagonal needs an array of rank 2 or more");
    const index_t rows = x.shape()[E::rank - 2], columns = x.shape()[E::rank - 1];
    const auto on = detail::diagonal_band(rows, columns, 0, 0);
    if constexpr (!expression<V>) {
        return where(on.to(device_t<E>{}), value, x);
    } else if constexpr (V::rank == 0) {
        return where(on.to(device_t<E>{}), value, x);
    } else {
        const index_t size = value.shape()[V::rank - 1], length = rows < columns ? rows : columns;
        if (size != length && size != 1)
            detail::raise<shape_error>({"[fill_diagonal] ", size, " values for a diagonal of ", length});
        // along the shorter of the two, beside which the other goes on
        return where(on.to(device_t<E>{}), expand_dims(value, columns < rows ? V::rank - 1 : V::rank), x);
    }
}

/// The indices of the lower triangle of n x m matrices (square unless m is given), up to diagonal `k`: rows and columns
/// as a std::tuple of 64-bit integers, x(tril_indices(3)). (numpy.tril_indices.)
template <std::integral N>
auto tril_indices(N n, index_t k = 0, index_t m = -1) {
    return nonzero(detail::diagonal_band(n, m < 0 ? index_t(n) : m, std::numeric_limits<index_t>::min(), k));
}
/// Those of the upper triangle, from diagonal `k`.
template <std::integral N>
auto triu_indices(N n, index_t k = 0, index_t m = -1) {
    return nonzero(detail::diagonal_band(n, m < 0 ? index_t(n) : m, k, std::numeric_limits<index_t>::max()));
}
/// Those of the diagonal of n x n matrices.
template <std::integral N>
auto diag_indices(N n) {
    const auto i = arange<std::int64_t>(n);
    return std::make_tuple(i, i);
}

/// The sum of diagonal `k` of the matrices in the first two axes, or those named.
template <expression E>
auto trace(const E& x, index_t k = 0, int row_axis = 0, int column_axis = 1) {
    return sum(diagonal(x, k, row_axis, column_axis), -1);
}

}  // namespace ricci
