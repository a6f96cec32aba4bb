// Sizes of vectors and matrices: vector_norm, matrix_norm, norm, cond.
#pragma once
#include "../norm.hpp"
#include "../stop_gradient.hpp"
#include "determinant.hpp"
#include "svd.hpp"

namespace ricci {
namespace linalg {

/// Norms of matrices beside the numbers 1, -1, 2, -2 and the infinities.
enum class matrix_order { frobenius, nuclear };

}  // namespace linalg
namespace detail {

/// f of the singular values, which stand as the rows of matrices, so that f's axes are those of a.
template <class A, class F>
auto on_singular_values(const A& a, const F& f) {
    return f(evaluate(as_row(singular_values(a, "matrix_norm"))));
}

/// Refuses a number that no norm of matrices has for its order.
inline void check_matrix_order(double order, const char* who) {
    const double size = order < 0 ? -order : order;
    if (size != 1 && size != 2 && size != std::numeric_limits<double>::infinity())
        raise<value_error>({"[", who, "] the order of a matrix norm must be 1, -1, 2, -2 or infinite: ", order});
}

/// A matrix that has a condition number.
template <class E>
auto conditioned_argument(const E& e) {
    const auto a = matrix_argument(e);
    if (a.shape(-1) == 0 || a.shape(-2) == 0)
        raise<value_error>({"[cond] empty matrices have no condition number: shape ", a.shape()});
    return a;
}

/// Of vectors, those along an axis, orders are numbers.
template <class Order, class... More>
concept no_order = !std::is_arithmetic_v<Order> && !keep_option<Order> &&
                   (!std::is_same_v<Order, linalg::matrix_order> || (std::is_integral_v<More> || ...));
template <class Never>
struct refused_order_of_norm : refused_result {
    static_assert(always_false<Never>,
                  "ricci: the orders with a name are linalg::matrix_order::frobenius, which norm(x) is, and "
                  "linalg::matrix_order::nuclear, others numbers: norm(x, 1), of matrices in the axes {0, 1} "
                  "norm(x, 1, {0, 1}), of the vectors along one norm(x, 1, 0), cond(x, 1)");
};

}  // namespace detail

namespace linalg {

/// The order-norm of all elements, or of the vectors along one or several axes; see norm(x, axes, keepdims, order).
template <expression E, keep_option Keep = dropdims_t>
auto vector_norm(const E& x, double order = 2, Keep keep = {}) {
    return ricci::norm(x, keep, order);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto vector_norm(const E& x, double order, Axis axis, Keep keep = {}) {
    return ricci::norm(x, axis, keep, order);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto vector_norm(const E& x, double order, const int (&axes)[N], Keep keep = {}) {
    return ricci::norm(x, axes, keep, order);
}

/// The root of the sum of squares, or the sum of the singular values, of the matrices in the last two axes.
template <expression E, keep_option Keep = dropdims_t>
auto matrix_norm(const E& x, matrix_order order = matrix_order::frobenius, Keep keep = {}) {
    const auto a = detail::matrix_argument(x);
    using Y = decltype(ricci::norm(a, {-2, -1}, keep));
    if (order == matrix_order::frobenius) return ricci::norm(a, {-2, -1}, keep);
    return detail::on_singular_values(a, [](const auto& s) { return Y(sum(s, {-2, -1}, Keep{})); });
}
/// The norm that vectors' norms induce: `order` 1 the largest sum of a column's absolute values, infinity that of a
/// row's, 2 the largest singular value, all 0 of empty matrices; negative orders the smallest. Throws value_error for
/// others, and where there is no smallest.
template <expression E, keep_option Keep = dropdims_t>
auto matrix_norm(const E& x, double order, Keep keep = {}) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto a = detail::matrix_argument(x);
    using Y = decltype(ricci::norm(a, {-2, -1}, keep));
    const bool largest = order > 0;
    detail::check_matrix_order(order, "matrix_norm");
    if (largest && (a.shape(-1) == 0 || a.shape(-2) == 0)) return ricci::norm(a, {-2, -1}, keep);
    const index_t rows = a.shape(-2), columns = a.shape(-1);
    if (!largest && (order == -1 ? columns : order == -2 ? std::min(rows, columns) : rows) == 0)
        detail::raise<value_error>({"[matrix_norm] there is no smallest ",
                                    order == -1   ? "column"
                                    : order == -2 ? "singular value"
                                                  : "row",
                                    " of a matrix in an array of shape ", a.shape()});
    const auto extremum = [&](const auto& sums) {
        return Y(largest ? Y(max(sums, {-2, -1}, keep)) : Y(min(sums, {-2, -1}, keep)));
    };
    if (order == 1 || order == -1) return extremum(evaluate(sum(abs(a), -2, keepdims)));
    if (order == infinity || order == -infinity) return extremum(evaluate(sum(abs(a), -1, keepdims)));
    return detail::on_singular_values(a, extremum);
}

/// matrix_norm of the matrices in two other axes, rows and columns. (numpy.linalg.norm's axis, torch's dim.)
template <expression E, class Order, keep_option Keep = dropdims_t>
    requires(std::is_arithmetic_v<Order> || std::is_same_v<Order, matrix_order>)
auto matrix_norm(const E& x, Order order, const int (&axes)[2], Keep keep = {}) {
    constexpr int last = E::rank - 1;
    static_assert(E::rank >= 2, "ricci: the norm of matrices needs an array of rank 2 or more");
    const int row = detail::normalize_axis(axes[0], E::rank, "matrix_norm");
    const int column = detail::normalize_axis(axes[1], E::rank, "matrix_norm");
    if (row == column) detail::raise<value_error>({"[matrix_norm] rows and columns must be two axes: ", row, " twice"});
    const int beside = column > row ? column - 1 : column;  // where the columns are once the rows are last
    const auto matrices = detail::move_axis(detail::move_axis(evaluate(x), row, last), beside, last);
    const auto y = [&] {
        if constexpr (std::is_arithmetic_v<Order>) return matrix_norm(matrices, static_cast<double>(order), keep);
        else return matrix_norm(matrices, order, keep);
    }();
    if constexpr (std::is_same_v<Keep, dropdims_t>) return y;
    else return detail::move_axis(detail::move_axis(y, last, beside), last, row);
}

/// The 2-norm of all elements: of matrices the Frobenius norm.
template <expression E, keep_option Keep = dropdims_t>
auto norm(const E& x, Keep keep = {}) {
    return ricci::norm(x, keep);
}
/// Of an order: the vector's norm of an array of rank 1, the matrix norm of one of rank 2.
template <expression E, keep_option Keep = dropdims_t>
auto norm(const E& x, double order, Keep keep = {}) {
    static_assert(E::rank == 1 || E::rank == 2,
                  "ricci: linalg::norm of an order takes a vector or a matrix: use "
                  "vector_norm or matrix_norm for stacks of them");
    if constexpr (E::rank == 1) {
        return vector_norm(x, order, keep);
    } else {
        detail::check_matrix_order(order, "norm");
        return matrix_norm(x, order, keep);
    }
}
template <expression E, keep_option Keep = dropdims_t>
auto norm(const E& x, matrix_order order, Keep keep = {}) {
    return matrix_norm(x, order, keep);
}
/// Of an order along an axis, of vectors, or along two axes, of matrices: norm(x, 2, 1), norm(x, 1, {0, 1}, keepdims).
/// (numpy.linalg.norm(x, ord, axis, keepdims), torch.linalg.norm.)
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto norm(const E& x, double order, Axis axis, Keep keep = {}) {
    return vector_norm(x, order, axis, keep);
}
template <expression E, class Order, keep_option Keep = dropdims_t>
    requires(std::is_arithmetic_v<Order> || std::is_same_v<Order, matrix_order>)
auto norm(const E& x, Order order, const int (&axes)[2], Keep keep = {}) {
    return matrix_norm(x, order, axes, keep);
}

// Orders that are none.
template <expression A, class Order, class... More>
    requires(detail::no_order<Order, More...>)
auto norm(const A&, const Order&, const More&...) {
    return detail::refused_order_of_norm<A>();
}
template <expression A, class Order, class... More>
    requires(detail::no_order<Order, More...>)
auto matrix_norm(const A&, const Order&, const More&...) {
    return detail::refused_order_of_norm<A>();
}
template <expression A, class Order, class... More>
    requires(detail::no_order<Order, More...>)
auto cond(const A&, const Order&, const More&...) {
    return detail::refused_order_of_norm<A>();
}

/// The condition number: the quotient of the largest and the smallest singular value, infinite for singular matrices.
/// Throws value_error for empty ones, linalg_error for elements that are not finite, whatever the norm.
template <expression A>
auto cond(const A& a) {
    const auto x = detail::conditioned_argument(a);
    const auto s = detail::singular_values(x, "cond");
    using R = typename std::remove_cvref_t<decltype(s)>::value_type;
    const auto least = min(s, -1);
    return evaluate(where(least == R(0), std::numeric_limits<R>::infinity(), max(s, -1) / least));
}
/// The same in another norm, |A| |A^-1|, of square matrices; of order 2 and -2 (its reciprocal) of any.
template <expression A, class Order>
    requires(std::is_arithmetic_v<Order> || std::is_same_v<Order, matrix_order>)
auto cond(const A& a, Order order) {
    const auto norms = [](const auto& x, auto p) {
        using T = typename std::remove_cvref_t<decltype(x)>::value_type;
        using D = device_t<std::remove_cvref_t<decltype(x)>>;
        const auto singular = evaluate(abs(slogdet(stop_gradient(x)).sign) == real_t<T>(0));
        const auto regular = where(singular(ellipsis, newaxis, newaxis), eye<T>(x.shape()[x.rank - 1]).to(D{}), x);
        const auto product = matrix_norm(x, p) * matrix_norm(inv(regular), p);
        return evaluate(where(singular, std::numeric_limits<real_t<T>>::infinity(), product));
    };
    const auto x = detail::conditioned_argument(a);
    using Y = decltype(matrix_norm(x));
    if constexpr (std::is_arithmetic_v<Order>) {
        detail::check_matrix_order(static_cast<double>(order), "cond");
        if (order == Order(2)) return Y(cond(x));
        if (order == Order(-2)) return Y(evaluate(1 / cond(x)));
        return Y(norms(detail::square_argument(x, "cond"), static_cast<double>(order)));
    } else {
        return Y(norms(detail::square_argument(x, "cond"), order));
    }
}

}  // namespace linalg
}  // namespace ricci
