// Contractions: matmul.
#pragma once
#include "contract/bilinear.hpp"
#include "contract/epilogue.hpp"
#include "operand_mistakes.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

/// Throws shape_error unless the leading extents of two arrays of matrices broadcast.
template <int RA, int RB>
void check_batches(const shape<RA>& a, const shape<RB>& b, const char* op) {
    for (int i = RA < RB ? RA : RB; i >= 3; --i)
        if (a[RA - i] != b[RB - i] && a[RA - i] != 1 && b[RB - i] != 1)
            raise<shape_error>({"[", op, "] the leading dimensions of a ", a, " and b ", b,
                                " must broadcast: ", a[RA - i], " != ", b[RB - i]});
}

/// The product of matrices in the last two axes, of rank 2 or more, the leading axes broadcast. Factors and product may
/// each be transposed: so adjoints are such products too, and lie as what they are the adjoints of.
template <int R>
struct matmul_op : bilinear_op<matmul_op<R>> {
    static constexpr const char* name = "matmul";
    static constexpr int rank = R;
    bool turns_a = false, turns_b = false, turns_c = false;

    template <class A, class B>
    shape<R> result_shape(const A& a, const B& b) const {
        shape<R> batch = a.shape(), other = b.shape();
        for (int i = R - 2; i < R; ++i) batch[i] = other[i] = 1;
        broadcast_into(batch, other);
        batch[R - 2 + turns_c] = a.shape()[R - 2 + turns_a];
        batch[R - 1 - turns_c] = b.shape()[R - 1 - turns_b];
        return batch;
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using D = typename A::device_type;
        auto c = tensor<typename A::value_type, R, D>::uninitialized(result_shape(a, b));
        if (turns_c) executor<D>::matmul(factor(b, !turns_b), factor(a, !turns_a), c);
        else executor<D>::matmul(factor(a, turns_a), factor(b, turns_b), c);
        return make_pack(c);
    }
    template <class A, class B, class C>
    auto left_adjoint(const A& a, const B& b, const C& c_bar) const {
        return product_to(a.shape(), {{}, turns_c, !turns_b, turns_a}, c_bar, b);
    }
    template <class A, class B, class C>
    auto right_adjoint(const A& a, const B& b, const C& c_bar) const {
        return product_to(b.shape(), {{}, !turns_a, turns_c, turns_b}, a, c_bar);
    }
    /// Adds the adjoint of the left factor (K = 0) or of the right one to `to`, which is that factor's shape with any
    /// strides and is plain, as all are; false, and nothing done, where the adjoint is a sum over leading axes.
    template <int K, class X, class A, class B, class C>
    bool add_adjoint(const X& to, const A& a, const B& b, const C& c_bar) const {
        if constexpr (K == 0) return add_product(to, {{}, turns_c, !turns_b, turns_a}, c_bar, b);
        else return add_product(to, {{}, !turns_a, turns_c, turns_b}, a, c_bar);
    }
    matmul_op<R + 1> batched() const { return {{}, turns_a, turns_b, turns_c}; }

   private:
    /// Adds op(x, y) to `to`, unless their leading axes were broadcast. Of one column and one row each element is one
    /// product.
    template <class Z, class X, class Y>
    static bool add_product(const Z& to, const matmul_op& op, const X& x, const Y& y) {
        if (to.shape() != op.result_shape(x, y)) return false;
        const auto sums = factor(to, op.turns_c);
        const bool turns = sums.strides()[R - 1] != 1 && sums.strides()[R - 2] == 1;
        const auto rows = factor(sums, turns);
        if (x.shape()[R - 1 - op.turns_a] == 1 &&
            (turns ? added_outer(factor(y, !op.turns_b), factor(x, !op.turns_a), rows)
                   : added_outer(factor(x, op.turns_a), factor(y, op.turns_b), rows)))
            return true;
        run_map_into(rows + get<0>(matmul_op{{}, op.turns_a, op.turns_b, turns}.value(x, y)), rows);
        return true;
    }
    template <class X, class Y, class Z>
    static bool added_outer(const X& column, const Y& row, const Z& to) {
        using executor_type = executor<typename Z::device_type>;
        if constexpr (requires { executor_type::add_outer(column, row, to); })
            return executor_type::add_outer(column, row, to);
        else return false;
    }
    /// The product of x and y, summed over those leading axes that have the extent 1 in `to`. Over all of them it is
    /// one product, of the rows that lie one after the other in both, and needs no room for the many.
    template <class X, class Y>
    static auto product_to(const shape<R>& to, const matmul_op& op, const X& x, const Y& y) {
        if constexpr (R > 2) {
            const index_t inner = x.shape()[R - 1 - op.turns_a];
            index_t count = 1;
            bool sums_all = true;
            for (int d = 0; d < R - 2; ++d) {
                count *= x.shape()[d];
                sums_all = sums_all && to[d] == 1;
            }
            if (sums_all && count > 1 && (inner == 1 || (op.turns_a && !op.turns_b))) {
                const matmul_op one{{}, true, false, op.turns_c};
                return sum_to(call1(one, stacked(x, count * inner, x.shape()[R - 2 + op.turns_a]),
                                    stacked(y, count * inner, y.shape()[R - 1 - op.turns_b])),
                              to);
            }
        }
        return sum_to(call1(op, x, y), to);
    }
    /// All elements of x as one matrix beside leading axes of extent 1.
    template <class X>
    static auto stacked(const X& x, index_t rows, index_t columns) {
        shape<R> to;
        for (int d = 0; d < R - 2; ++d) to[d] = 1;
        to[R - 2] = rows;
        to[R - 1] = columns;
        return reshaped(x, to);
    }
    /// The matrices of x or their transposes, borrowed.
    template <class X>
    static auto factor(const X& x, bool turns) {
        shape<X::rank> extents = x.shape(), strides = x.strides();
        if (turns) {
            std::swap(extents[X::rank - 2], extents[X::rank - 1]);
            std::swap(strides[X::rank - 2], strides[X::rank - 1]);
        }
        return tensor<typename X::element_type, X::rank, typename X::device_type>(storage(), x.data(), extents,
                                                                                  strides);
    }
};

template <class D>
concept has_half_products = requires { executor<D>::has_half_products; };

/// The factors of a product of elements T as it takes them: 16 bits become float, but plain arrays of them stay where
/// the device multiplies such.
template <class T, class A, class B>
auto matmul_factors(const A& a, const B& b) {
    static_assert(!std::is_same_v<T, bool>, "ricci: no products of truth values: convert them by astype");
    if constexpr (is_half_v<T> && std::is_same_v<typename A::value_type, typename B::value_type>) {
        const auto x = evaluate(a);
        const auto y = evaluate(b);
        using X = std::remove_cvref_t<decltype(x)>;
        using Y = std::remove_cvref_t<decltype(y)>;
        if constexpr (std::is_void_v<typename X::wrapper> && std::is_void_v<typename Y::wrapper> &&
                      has_half_products<typename X::device_type>)
            return make_pack(x, y);
        else return make_pack(evaluate_as<float>(x), evaluate_as<float>(y));
    } else {
        return make_pack(evaluate_as<compute_t<T>>(a), evaluate_as<compute_t<T>>(b));
    }
}

/// Throws shape_error unless x and y can be multiplied.
template <class X, class Y>
void check_factors(const X& x, const Y& y) {
    constexpr int last = X::rank - 1, inner = Y::rank == 1 ? 0 : Y::rank - 2;
    if (x.shape()[last] != y.shape()[inner])
        raise<shape_error>({"[matmul] the last dimension of a ", x.shape(), " must match the ",
                            Y::rank == 1 ? "only" : "second to last", " of b ", y.shape(), ": ", x.shape()[last],
                            " != ", y.shape()[inner]});
    if constexpr (X::rank > 2 && Y::rank > 2) check_batches(x.shape(), y.shape(), "matmul");
}
/// The right factor as matrices of rank R; the left one's rows are an axis before its first.
template <int R, class X>
auto right_matrix(const X& x) {
    if constexpr (X::rank == 1) return pad_before_first<R>(index(x, all, newaxis));
    else return pad_before_first<R>(x);
}
template <class X, class Y>
using product_op = matmul_op<(X::rank < 2 && Y::rank < 2) ? 2 : (X::rank > Y::rank ? X::rank : Y::rank)>;

/// The shape of a product without the axes that vectors lack.
template <class X, class Y>
auto product_shape(const shape<product_op<X, Y>::rank>& full) {
    constexpr int R = product_op<X, Y>::rank;
    shape<R - (X::rank == 1) - (Y::rank == 1)> kept;
    int n = 0;
    for (int d = 0; d < R; ++d)
        if (!(d == R - 2 && X::rank == 1) && !(d == R - 1 && Y::rank == 1)) kept[n++] = full[d];
    return kept;
}

/// Whether the product of A and B, of elements T, can be computed together with what F makes of it.
template <class T, class F, class A, class B>
constexpr bool maps_with_product() {
    if constexpr (fixed_expression<A> && fixed_expression<B>) {
        return false;
    } else {
        using factors = decltype(matmul_factors<T>(std::declval<const A&>(), std::declval<const B&>()));
        using X = pack_element_t<0, factors>;
        using Y = pack_element_t<1, factors>;
        if constexpr (!std::is_void_v<typename X::wrapper> || !std::is_void_v<typename Y::wrapper> ||
                      !std::is_same_v<typename X::value_type, T>)
            return false;
        else
            return maps_pending<F, T, product_op<X, Y>::rank - (X::rank == 1) - (Y::rank == 1),
                                typename X::device_type>();
    }
}

}  // namespace detail

/// Matrix product by NumPy's rules: the last axis of `a` against the second to last of `b` (the only one of a vector),
/// the leading axes broadcast; a vector's missing axis does not appear in the result. Elements in their common type;
/// those of 16 bits are multiplied and added as float and rounded once; on the CPU, outside of transforms, without
/// float copies. Throws shape_error when the contracted extents differ.
template <expression A, expression B>
auto matmul(const A& a, const B& b) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: matmul needs arrays of rank 1 or more; use * with scalars");
    using T = promote_t<typename A::value_type, typename B::value_type>;
    const auto factors = detail::matmul_factors<T>(a, b);
    const auto& x = detail::get<0>(factors);
    const auto& y = detail::get<1>(factors);
    detail::check_factors(x, y);
    constexpr bool widened = !std::is_same_v<typename std::remove_cvref_t<decltype(x)>::value_type, T>;
    if constexpr (widened) {
        return detail::evaluate_as<T>(matmul(x, y));
    } else if constexpr (A::rank == 1 && B::rank == 1) {
        return detail::evaluate_as<T>(sum(x * y));
    } else {
        using op = detail::product_op<A, B>;
        const auto c = detail::call1(op{}, detail::pad_before_first<op::rank>(x), detail::right_matrix<op::rank>(y));
        if constexpr (A::rank == 1) return index(c, ellipsis, 0, all);
        else if constexpr (B::rank == 1) return index(c, ellipsis, 0);
        else return c;
    }
}

/// f(matmul(a, b)) for an element-wise map of the product: matmul(x, w, [&](auto xw) { return relu(xw + bias); }).
/// Other arrays of the map broadcast to the product's shape, which the map must have, or shape_error is thrown; its
/// elements may be of another type. On the CPU, blocks of the product go through the map while they are in the cache,
/// and sums of elements of 16 bits before they are rounded. Under transforms, of factors or of what f captures, the
/// rules of matmul and of the map apply. f is called once, with the product or with what stands for it: anything but a
/// map of it is a compile error.
template <expression A, expression B, class F>
    requires(!operand<F>)
auto matmul(const A& a, const B& b, F&& f) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: matmul needs arrays of rank 1 or more; use * with scalars");
    using T = promote_t<typename A::value_type, typename B::value_type>;
    if constexpr (!detail::maps_with_product<T, F, A, B>()) {
        const auto y = detail::mapped(f, matmul(a, b));
        if constexpr (fixed_expression<decltype(y)>) return y;
        else return evaluate(y);
    } else {
        const auto factors = detail::matmul_factors<T>(a, b);
        const auto& x = detail::get<0>(factors);
        const auto& y = detail::get<1>(factors);
        detail::check_factors(x, y);
        using op = detail::product_op<A, B>;
        const auto left = detail::pad_before_first<op::rank>(x);
        const auto right = detail::right_matrix<op::rank>(y);
        const auto full = op{}.result_shape(left, right);
        return detail::mapped_product<T>(f, left, right, full, detail::product_shape<A, B>(full));
    }
}

}  // namespace ricci
