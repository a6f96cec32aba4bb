// Pairs of einsum's operands of which the subscripts alone say that they are a batch of matrix products.
#pragma once
#include <optional>

#include "../contract.hpp"
#include "einsum_steps.hpp"
#include "pair.hpp"

namespace ricci::detail {

/// What the subscripts of two operands stand for, as contraction_plan has it where no extent is 1: axes of both,
/// leading or summed, and of one alone.
struct pair_kinds {
    struct axis {
        int a, b;  // where it is in the operands
    };
    struct axes {
        axis at[contraction_plan::most] = {};
        int count = 0;
        constexpr void add(axis x) { at[count++] = x; }
    };
    axes leading, rows, columns, inner;
    bool is_plain = true;       // no axis is a diagonal, or summed in one operand alone
    bool is_ordered = true;     // the result has the leading axes first and does not mix rows and columns
    bool is_exchanged = false;  // it has columns before rows

    constexpr explicit pair_kinds(const einsum_layout& layout) {
        const axis_places &a = layout.operand[0], &b = layout.operand[1];
        is_plain = a.alone == 0 && b.alone == 0 && a.repeated().first == a.count && b.repeated().first == b.count;
        int stage = 0;
        char first_of_one = 0, last_of_one = 0;
        for (int d = 0; d < layout.axes; ++d) {
            const axis x{find(a, d), find(b, d)};
            const bool both = x.a >= 0 && x.b >= 0;
            if (d >= layout.result_rank) {
                if (both) inner.add(x);
                continue;
            }
            const char kind = both ? 'l' : x.a >= 0 ? 'r' : 'c';
            (both ? leading : kind == 'r' ? rows : columns).add(x);
            if (both) {
                is_ordered = is_ordered && stage == 0;
            } else if (kind != last_of_one) {
                is_ordered = is_ordered && ++stage <= 2;
                if (first_of_one == 0) first_of_one = kind;
                last_of_one = kind;
            }
        }
        is_exchanged = first_of_one == 'c' && rows.count > 0;
    }
    /// Whether some subscript is summed that both have while one has another that the other lacks.
    constexpr bool has_matrices() const { return inner.count > 0 && (rows.count > 0 || columns.count > 0); }

   private:
    static constexpr int find(const axis_places& x, int place) {
        for (int i = 0; i < x.count; ++i)
            if (x.at[i] == place) return i;
        return -1;
    }
};

template <const einsum_layout& Layout>
inline constexpr pair_kinds pair_kinds_of = pair_kinds(Layout);

template <int pair_kinds::axis::* Operand, class X>
joined_axes join_axes(const pair_kinds::axes& x, const X& operand) {
    joined_axes y;
    for (int i = x.count - 1; i >= 0; --i) {
        const int d = x.at[i].*Operand;
        y.add_outer(operand.shape()[d], operand.strides()[d]);
    }
    return y;
}

/// How matmul_op has two operands that are batches of matrices beside equal leading axes, their rows, columns and inner
/// axes perhaps several that stand side by side: which of them, and whether the product, are to be transposed.
struct pair_product {
    bool is_one = false, turns_a = false, turns_b = false, turns_c = false;

    constexpr explicit pair_product(const pair_kinds& kinds) {
        using axis = pair_kinds::axis;
        const int leading = kinds.leading.count, inner = kinds.inner.count;
        if (!kinds.is_plain || !kinds.is_ordered || kinds.rows.count == 0 || kinds.columns.count == 0 || inner == 0)
            return;
        turns_a = kinds.inner.at[0].a < kinds.rows.at[0].a;
        turns_b = kinds.columns.at[0].b < kinds.inner.at[0].b;
        turns_c = kinds.is_exchanged;
        is_one = follow(kinds.leading, &axis::a, 0) && follow(kinds.leading, &axis::b, 0) &&
                 follow(kinds.rows, &axis::a, leading + (turns_a ? inner : 0)) &&
                 follow(kinds.columns, &axis::b, leading + (turns_b ? 0 : inner)) &&
                 follow(kinds.inner, &axis::a, leading + (turns_a ? 0 : kinds.rows.count)) &&
                 follow(kinds.inner, &axis::b, leading + (turns_b ? kinds.columns.count : 0));
    }

   private:
    /// Whether these are the axes of an operand from one on.
    static constexpr bool follow(const pair_kinds::axes& x, int pair_kinds::axis::* operand, int first) {
        for (int i = 0; i < x.count; ++i)
            if (x.at[i].*operand != first + i) return false;
        return true;
    }
};
template <const einsum_layout& Layout>
inline constexpr pair_product pair_product_of = pair_product(pair_kinds_of<Layout>);

/// x with its axes behind the leading ones as two, the first of which are `count`.
template <int Leading, class X>
decltype(auto) as_matrices(const X& x, int count) {
    if constexpr (X::rank == Leading + 2) {
        return (x);
    } else {
        shape<Leading + 2> to;
        for (int d = 0; d < Leading + 2; ++d) to[d] = d < Leading ? x.shape()[d] : 1;
        for (int d = Leading; d < X::rank; ++d) to[d < Leading + count ? Leading : Leading + 1] *= x.shape()[d];
        return reshaped(x, to);
    }
}
/// A plain array whose axes of extent 1 repeat what they have to the given extents.
template <class X>
X repeated(const X& x, const shape<X::rank>& to) {
    shape<X::rank> strides = x.strides();
    for (int d = 0; d < X::rank; ++d)
        if (x.shape()[d] != to[d]) strides[d] = 0;
    return X(x.memory(), x.data(), to, strides);
}
/// Whether these are operands for product_of_pair: two matrices of one type, or of which a transform wraps one.
template <const einsum_layout& Layout, class... X>
constexpr bool is_pair_of_matrices() {
    if constexpr (sizeof...(X) != 2) return false;
    else return pair_product_of<Layout>.is_one;
}
/// Their product. Where one has extent 1 on a summed axis, the other is summed; of plain arrays the one is repeated
/// there instead, for which nothing but the product is compiled.
template <fixed_string Text, const einsum_layout& Layout, class A, class B>
auto product_of_pair(const A& a, const B& b) {
    constexpr const pair_product& product = pair_product_of<Layout>;
    constexpr const pair_kinds& kinds = pair_kinds_of<Layout>;
    constexpr int leading = kinds.leading.count, rows = kinds.rows.count, columns = kinds.columns.count,
                  inner = kinds.inner.count;
    constexpr bool is_plain = std::is_void_v<typename A::wrapper> && std::is_void_v<typename B::wrapper>;
    shape<A::rank> x = a.shape();
    shape<B::rank> y = b.shape();
    for (const auto* shared : {&kinds.leading, &kinds.inner})
        for (int i = 0; i < shared->count; ++i) {
            const auto [at, other] = shared->at[i];
            const index_t n = a.shape()[at], m = b.shape()[other];
            if (n == m) continue;
            if (n != 1 && m != 1)
                refuse_einsum(Text.text, Layout.subscript[Layout.operand[0].at[at]], {a.shape().extent, A::rank}, n,
                              {b.shape().extent, B::rank}, m);
            if (shared == &kinds.inner) x[at] = y[other] = !is_plain ? 1 : n == 1 ? m : n;
        }
    const auto multiply = [&](const auto& p, const auto& q) {
        const matmul_op<leading + 2> op{{}, product.turns_a, product.turns_b, product.turns_c};
        const auto z = call1(op, as_matrices<leading>(p, product.turns_a ? inner : rows),
                             as_matrices<leading>(q, product.turns_b ? columns : inner));
        if constexpr (rows + columns == 2) {
            return z;
        } else {
            shape<leading + rows + columns> to;
            for (int d = 0; d < leading; ++d) to[d] = z.shape()[d];
            const int row = leading + (product.turns_c ? columns : 0), column = leading + (product.turns_c ? 0 : rows);
            for (int i = 0; i < rows; ++i) to[row + i] = x[kinds.rows.at[i].a];
            for (int i = 0; i < columns; ++i) to[column + i] = y[kinds.columns.at[i].b];
            return reshaped(z, to);
        }
    };
    if constexpr (is_plain) {
        return multiply(repeated(a, x), repeated(b, y));
    } else {
        if (x == a.shape() && y == b.shape()) return multiply(a, b);
        return multiply(sum_to(a, x), sum_to(b, y));
    }
}

/// Whether subscripts and types allow multiplied_pair.
template <const einsum_layout& Layout, class A, class B>
constexpr bool multiplies_pair() {
    constexpr const pair_kinds& kinds = pair_kinds_of<Layout>;
    return std::is_void_v<typename A::wrapper> && std::is_void_v<typename B::wrapper> &&
           std::is_same_v<std::remove_const_t<typename A::value_type>, std::remove_const_t<typename B::value_type>> &&
           kinds.is_plain && kinds.is_ordered && kinds.has_matrices();
}
/// The contraction of plain arrays, where extents and strides make it a batch of matrix products as they lie; nothing,
/// for contract_op to do, where they do not.
template <const einsum_layout& Layout, class A, class B>
auto multiplied_pair(const A& a, const B& b) {
    constexpr const pair_kinds& kinds = pair_kinds_of<Layout>;
    using T = std::remove_const_t<typename A::value_type>;
    using D = typename A::device_type;
    using axis = pair_kinds::axis;
    constexpr int R = Layout.result_rank, M = kinds.leading.count + 2;
    using matrices = tensor<T, M, D>;
    std::optional<tensor<T, R, D>> c;
    for (const auto* shared : {&kinds.leading, &kinds.inner})
        for (int i = 0; i < shared->count; ++i)
            if (a.shape()[shared->at[i].a] != b.shape()[shared->at[i].b]) return c;
    const auto rows = join_axes<&axis::a>(kinds.rows, a), a_inner = join_axes<&axis::a>(kinds.inner, a);
    const auto columns = join_axes<&axis::b>(kinds.columns, b), b_inner = join_axes<&axis::b>(kinds.inner, b);
    if (!rows.fits || !columns.fits || !a_inner.fits || !b_inner.fits || a_inner.extent <= 1 ||
        (rows.extent == 1 && columns.extent == 1))
        return c;
    shape<M> a_extents, b_extents, c_extents, a_strides, b_strides;
    shape<R> result;
    for (int i = 0; i < kinds.leading.count; ++i) {
        const axis x = kinds.leading.at[i];
        result[i] = a_extents[i] = b_extents[i] = c_extents[i] = a.shape()[x.a];
        a_strides[i] = a.strides()[x.a];
        b_strides[i] = b.strides()[x.b];
    }
    int next = kinds.leading.count;
    const auto list_rows = [&] {
        for (int i = 0; i < kinds.rows.count; ++i) result[next++] = a.shape()[kinds.rows.at[i].a];
    };
    if (!kinds.is_exchanged) list_rows();
    for (int i = 0; i < kinds.columns.count; ++i) result[next++] = b.shape()[kinds.columns.at[i].b];
    if (kinds.is_exchanged) list_rows();
    if (result.count() == 0) return c;
    const auto set = [](shape<M>& x, index_t row, index_t column) {
        x[M - 2] = row;
        x[M - 1] = column;
    };
    c.emplace(tensor<T, R, D>::uninitialized(result));
    // borrowed: all three outlive the product
    const auto multiply = [&](const auto& x, const joined_axes& x_rows, const joined_axes& x_inner, const auto& y,
                              const joined_axes& y_columns, const joined_axes& y_inner, shape<M> x_extents,
                              shape<M> x_strides, shape<M> y_extents, shape<M> y_strides) {
        set(x_extents, x_rows.extent, x_inner.extent);
        set(x_strides, x_rows.step, x_inner.step);
        set(y_extents, x_inner.extent, y_columns.extent);
        set(y_strides, y_inner.step, y_columns.step);
        set(c_extents, x_rows.extent, y_columns.extent);
        executor<D>::matmul(matrices(storage(), const_cast<T*>(x.data()), x_extents, x_strides),
                            matrices(storage(), const_cast<T*>(y.data()), y_extents, y_strides),
                            matrices(storage(), c->data(), c_extents, row_major(c_extents)));
    };
    if constexpr (kinds.is_exchanged)
        multiply(b, columns, b_inner, a, rows, a_inner, b_extents, b_strides, a_extents, a_strides);
    else multiply(a, rows, a_inner, b, columns, b_inner, a_extents, a_strides, b_extents, b_strides);
    return c;
}

}  // namespace ricci::detail
