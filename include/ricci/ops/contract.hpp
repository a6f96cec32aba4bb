// Contractions: matmul.
#pragma once
#include "contract/epilogue.hpp"
#include "contract/matvec.hpp"
#include "operand_mistakes.hpp"
#include "reduce.hpp"

namespace ricci {
namespace detail {

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
        constexpr int R = op::rank;
        if constexpr (B::rank == 1) return detail::call1(detail::matvec_op<R>{}, x, detail::pad_before_first<R - 1>(y));
        else if constexpr (A::rank == 1)
            return detail::call1(detail::matvec_op<R>{{}, true}, y, detail::pad_before_first<R - 1>(x));
        else return detail::call1(op{}, detail::pad_before_first<R>(x), detail::pad_before_first<R>(y));
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
