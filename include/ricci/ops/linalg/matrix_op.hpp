// What the ops of linear algebra share: arguments, batches, rules in terms of arguments and results, and a value that
// reverse mode keeps.
#pragma once
#include "../../core/linalg_backend.hpp"
#include "../../expr/conjugate.hpp"
#include "../contract.hpp"
#include "../diagonal.hpp"
#include "../elementwise.hpp"
#include "../join.hpp"
#include "../named.hpp"

namespace ricci::detail {

// ---- Notation of the rules -----------------------------------------------------------------------------------------

/// The conjugate transpose.
template <class A>
auto adjoint(const A& a) {
    return matrix_transpose(conjugated(a));
}
template <class A, class B>
auto product(const A& a, const B& b) {
    using op = product_op<A, B>;
    return call1(op{}, pad_before_first<op::rank>(a), pad_before_first<op::rank>(b));
}
template <class A, class B, class... Rest>
auto product(const A& a, const B& b, const Rest&... rest) {
    return product(product(a, b), rest...);
}
template <class A>
auto diagonal_of(const A& a) {
    return diagonal(a, 0, A::rank - 2, A::rank - 1);
}
/// Square matrices with the last axis on the diagonal.
template <class A>
auto diagonal_matrix(const A& v) {
    shape<A::rank + 1> extents;
    const index_t n = v.shape()[A::rank - 1];
    for (int d = 0; d < A::rank; ++d) extents[d] = v.shape()[d];
    extents[A::rank] = n;
    return call1(undiagonal_op<A::rank + 1>(diagonal_place(n, n, 0), extents), v);
}
/// Vectors as columns, or rows, of matrices with one.
template <class A>
auto as_column(const A& v) {
    return index(v, ellipsis, newaxis);
}
template <class A>
auto as_row(const A& v) {
    return index(v, ellipsis, newaxis, all);
}
/// One number of each matrix as matrices of one element.
template <class A>
auto as_matrix(const A& number) {
    return index(number, ellipsis, newaxis, newaxis);
}
template <class A>
auto real_diagonal(const A& a) {
    if constexpr (is_complex_v<typename A::value_type>) return evaluate(real(diagonal_of(a)));
    else return evaluate(diagonal_of(a));
}
/// The matrix in the type of another one: real where that is.
template <class T, class A>
auto in_type(const A& a) {
    if constexpr (is_complex_v<typename A::value_type> && !is_complex_v<T>) return evaluate(real(a));
    else return evaluate_as<T>(a);
}
template <class E>
auto identity_like(const E& a) {
    return eye<real_t<typename E::value_type>>(a.shape()[E::rank - 1], device_t<E>{});
}
/// The lower triangle with its diagonal halved, of which the diagonal's imaginary part is dropped: Murray's Phi (2016).
template <class A>
auto lower_half(const A& a) {
    using T = typename A::value_type;
    const auto lower = evaluate(tril(a, -1));
    return evaluate(lower + evaluate_as<T>(diagonal_matrix(evaluate(real_diagonal(a) * real_t<T>(0.5)))));
}
template <class A>
auto hermitian_part(const A& a) {
    return evaluate((a + adjoint(a)) * real_t<typename A::value_type>(0.5));
}
/// 1 / x, where x is 0 `at_zero`.
template <class E, class Z>
auto inverse_or(const E& e, const Z& at_zero) {
    using R = typename E::value_type;
    const auto x = evaluate(e);
    return evaluate(where(x == R(0), at_zero, R(1) / where(x == R(0), R(1), x)));
}
/// The same of what the elements of square matrices stand for as pairs: 0 on the diagonal.
template <class E, class Z>
auto inverse_of_pairs(const E& e, const Z& at_zero) {
    using R = typename E::value_type;
    const auto one = identity_like(e);
    return evaluate(inverse_or(where(one == real_t<R>(1), R(1), e), at_zero) - one);
}
/// What 1 / 0 stands for in a derivative: NaN of what a function uses, else 0.
template <class R, class U>
auto undetermined(const U& used) {
    constexpr R nan = std::numeric_limits<R>::quiet_NaN();
    if constexpr (std::is_same_v<U, bool>) return used ? nan : R(0);
    else return evaluate(where(used, nan, R(0)));
}
/// x / y; where y is 0, NaN unless x is 0, too.
template <class A, class B>
auto quotient_or_nan(const A& x, const B& y) {
    return evaluate(x * inverse_or(y, undetermined<real_t<typename A::value_type>>(abs(x) != 0)));
}
/// Whether anything came back for a result.
template <class Bar, int R>
bool has_cotangent(const Bar& bar, const shape<R>& extents) {
    return bar.shape() == extents;
}
/// What came back for a result: zeros of its shape where nothing did.
template <class Bar, int R>
Bar whole_cotangent(const Bar& bar, const shape<R>& extents) {
    return has_cotangent(bar, extents) ? bar : Bar(detail::expanded(bar, extents));
}

// ---- Arguments -----------------------------------------------------------------------------------------------------

template <class T>
using matrix_element = compute_t<inexact_t<T>>;

/// An argument as the ops take it: evaluated, integers as double, 16 bits as float.
template <class E>
auto matrix_argument(const E& x) {
    using T = matrix_element<typename E::value_type>;
    static_assert(E::rank >= 2, "ricci: linalg needs matrices: arrays of rank 2 or more");
    if constexpr (E::rank >= 2) return readable_as<T>(x);
    else return tensor<T, 2>();  // a matrix, so that the error is the only one
}
template <class A>
void check_square(const A& a, const char* op) {
    if (a.shape()[A::rank - 1] != a.shape()[A::rank - 2])
        raise<shape_error>({"[", op, "] the last two extents of a ", a.shape(),
                            " must be equal: ", a.shape()[A::rank - 2], " != ", a.shape()[A::rank - 1]});
}
template <class E>
auto square_argument(const E& x, const char* op) {
    const auto a = matrix_argument(x);
    check_square(a, op);
    return a;
}
template <int R>
shape<R - 2> batch_shape(const shape<R>& s) {
    shape<R - 2> batch;
    for (int d = 0; d < R - 2; ++d) batch[d] = s[d];
    return batch;
}
/// `batch` with two more extents.
template <int R>
shape<R + 2> matrix_shape(const shape<R>& batch, index_t rows, index_t columns) {
    shape<R + 2> s;
    for (int d = 0; d < R; ++d) s[d] = batch[d];
    s[R] = rows;
    s[R + 1] = columns;
    return s;
}
/// `batch` with one more extent.
template <int R>
shape<R + 1> vector_shape(const shape<R>& batch, index_t n) {
    shape<R + 1> s;
    for (int d = 0; d < R; ++d) s[d] = batch[d];
    s[R] = n;
    return s;
}
/// f(a, b) of arrays of matrices, both broadcast to their common leading extents; throws shape_error where there are
/// none.
template <class A, class B, class F>
auto with_common_batch(const A& a, const B& b, const char* op, const F& f) {
    check_batches(a.shape(), b.shape(), op);
    constexpr int RA = A::rank, RB = B::rank, Batch = (RA > RB ? RA : RB) - 2;
    shape<Batch> batch = pad_front<Batch>(batch_shape(a.shape()));
    broadcast_into(batch, pad_front<Batch>(batch_shape(b.shape())));
    return f(detail::expanded(a, matrix_shape(batch, a.shape()[RA - 2], a.shape()[RA - 1])),
             detail::expanded(b, matrix_shape(batch, b.shape()[RB - 2], b.shape()[RB - 1])));
}
/// One matrix where a batch repeats it, else a copy: dense either way, and nobody else's.
template <class T, int R, class D>
tensor<std::remove_const_t<T>, R, D> own_matrices(const tensor<T, R, D>& a) {
    tensor<T, R, D> one = a;
    bool repeats = R > 2;
    for (int d = 0; d < R - 2; ++d) repeats = repeats && (a.strides()[d] == 0 || a.shape()[d] == 1);
    if (repeats && a.size() > 0) {
        auto extents = a.shape();
        for (int d = 0; d < R - 2; ++d) extents[d] = 1;
        one = tensor<T, R, D>(a.memory(), a.data(), extents, a.strides());
    }
    return one.clone();
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

/// An op whose value W's reverse mode keeps: rules want results as well as arguments.
template <class W, class Op, class Y>
struct kept_op : opaque_op {
    static constexpr const char* name = Op::name;
    using known_to = W;
    Op op;
    Y y;

    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        if constexpr ((wrapped_by_v<W, A> || ...))  // create_graph: the value must be recorded, too
            return op.template adjoints<Active>(inputs, call_all(op, inputs), bars);
        else return op.template adjoints<Active>(inputs, y, bars);
    }
};

/// An op on the matrices in the last two axes, all arguments of the same leading extents. Derived has
/// `value(a...)`, `adjoints<Active>(inputs, results, cotangents)` and `tangents<Active>(inputs, results, tangents)`.
template <class Derived>
struct matrix_op : opaque_op {
    template <class W, class... A>
    auto saved(const A&... a) const {
        const auto y = call(self(), a...);
        return kept_op<W, Derived, std::remove_cvref_t<decltype(y)>>{{}, self(), y};
    }
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        return self().template adjoints<Active>(inputs, call_all(self(), inputs), bars);
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        const auto y = call_all(self(), inputs);
        return concat(y, self().template tangents<Active>(inputs, y, tangents));
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(self(), a);
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        return with_common_batch(with_batch_axis<Mapped::at[0]>(a), with_batch_axis<Mapped::at[1]>(b), Derived::name,
                                 [&](const auto& x, const auto& y) { return call(self(), x, y); });
    }

   private:
    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

/// What the backend makes of a copy of the argument, in its place.
template <class A, class F>
auto computed_in_place(const A& a, const F& f) {
    using D = typename A::device_type;
    want_linalg<D>();
    const auto y = a.clone();
    f(linalg_backend<D>(), y);
    return make_pack(y);
}
/// B' - A' X, which the tangent of X = A^-1 B is the solution for. `moved` gives A' X.
template <class Active, class Dots, class F>
auto moved_right_side(const Dots& dots, const F& moved) {
    if constexpr (Active::at[0] && Active::at[1]) return evaluate(*get<1>(dots) - moved());
    else if constexpr (Active::at[0]) return evaluate(-moved());
    else return *get<0>(dots);
}

/// A function of square matrices by a power series, as the exponential. Its derivative along E is the upper right block
/// of its value at [A E; 0 A] (Najfeld and Havel 1995).
template <class Derived>
struct matrix_function_op : matrix_op<Derived> {
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>& inputs, const pack<Y>&, const pack<C>& bars) const {
        return make_pack(derivative_along(matrix_transpose(*get<0>(inputs)), get<0>(bars)));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>& inputs, const pack<Y>&, const pack<const D*>& dots) const {
        return make_pack(derivative_along(*get<0>(inputs), *get<0>(dots)));
    }

   private:
    template <class A, class E>
    auto derivative_along(const A& a, const E& e) const {
        const auto zero = evaluate(a * typename A::value_type(0));
        const auto top = concat(std::make_tuple(a, e), A::rank - 1);
        const auto bottom = concat(std::make_tuple(zero, a), A::rank - 1);
        const auto y = call1(static_cast<const Derived&>(*this), concat(std::make_tuple(top, bottom), A::rank - 2));
        const index_t n = a.shape()[A::rank - 1];
        return stretch_of(stretch_of(y, A::rank - 2, 0, n), A::rank - 1, n, n);
    }
};

}  // namespace ricci::detail
