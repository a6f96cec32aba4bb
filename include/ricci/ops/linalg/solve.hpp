// Linear systems and inverses: solve, solve_triangular, inv, tensorsolve, tensorinv.
#pragma once
#include "matrix_op.hpp"

namespace ricci {
namespace detail {

/// What rules need of A: its transpose's inverse, times an array or by itself.
template <class A>
struct transposed_inverse {
    const A& a;
    template <class X>
    auto solve(const X& x) const;
    auto matrix() const;
};
/// The same of a plain A, by the factors that the value was computed with.
template <class A>
struct factored_inverse {
    A lu;
    tensor<index_t, 1, typename A::device_type> swaps;
    const char* op;

    factored_inverse(const A& factors, const char* who)
        : lu(factors),
          swaps(tensor<index_t, 1, typename A::device_type>::uninitialized({rows_of_all(factors)})),
          op(who) {}
    template <class X>
    auto solve(const X& x) const {
        const auto y = x.clone();
        if (y.size() > 0) linalg_backend<typename A::device_type>::solve_transposed(lu, swaps.data(), y, op);
        return y;
    }
    auto matrix() const { return solve(evaluate_as<typename A::value_type>(expanded(identity_like(lu), lu.shape()))); }

   private:
    static index_t rows_of_all(const A& a) {
        const index_t n = a.shape()[A::rank - 1];
        return n > 0 ? a.size() / n : 0;
    }
};
/// An op whose value W's reverse mode keeps, with the factors of its first argument.
template <class W, class Op, class Y, class A>
struct factored_op : opaque_op {
    static constexpr const char* name = Op::name;
    using known_to = W;
    Op op;
    factored_inverse<A> inverse;
    Y y;

    template <class Active, bool, class... B, class... C>
    auto pullback(const unsigned char*, const pack<const B*...>& inputs, const pack<C...>& bars) const {
        if constexpr ((wrapped_by_v<W, B> || ...))  // create_graph: the value must be recorded, too
            return op.template adjoints<Active>(inputs, call_all(op, inputs), bars);
        else if constexpr ((std::is_void_v<typename C::wrapper> && ...))
            return op.template adjoints_by<Active>(inverse, inputs, y, bars);
        else return op.template adjoints<Active>(inputs, y, bars);
    }
};

/// A^-1 B.
struct solve_op : matrix_op<solve_op> {
    static constexpr const char* name = "solve";

    template <class A, class B>
    auto value(const A& a, const B& b) const {
        want_linalg<typename A::device_type>();
        const auto x = b.clone();
        if (x.size() > 0 || a.size() > 0)
            linalg_backend<typename A::device_type>::solve(x.size() > 0 ? own_matrices(a) : a.clone(), x);
        return make_pack(x);
    }
    template <class W, class A, class B>
    auto saved(const A& a, const B& b) const {
        if constexpr (std::is_void_v<typename A::wrapper> && std::is_void_v<typename B::wrapper>) {
            using D = typename A::device_type;
            want_linalg<D>();
            const auto x = b.clone();
            const factored_inverse inverse(x.size() > 0 ? own_matrices(a) : a.clone(), name);
            if (a.size() > 0) linalg_backend<D>::factor_and_solve(inverse.lu, inverse.swaps.data(), x);
            const auto y = make_pack(x);
            return factored_op<W, solve_op, std::remove_cvref_t<decltype(y)>,
                               std::remove_cvref_t<decltype(inverse.lu)>>{{}, *this, inverse, y};
        } else {
            return matrix_op<solve_op>::template saved<W>(a, b);
        }
    }
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        return adjoints_by<Active>(transposed_inverse<A>{*get<0>(inputs)}, inputs, y, bars);
    }
    template <class Active, class Inverse, class A, class B, class Y, class C>
    auto adjoints_by(const Inverse& inverse, const pack<const A*, const B*>&, const pack<Y>& y,
                     const pack<C>& bars) const {
        const auto b_bar = inverse.solve(get<0>(bars));
        return two_adjoints<Active>([&] { return evaluate(-product(b_bar, matrix_transpose(get<0>(y)))); },
                                    [&] { return b_bar; });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto moved = [&] { return product(*get<0>(dots), get<0>(y)); };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, moved)));
    }
};

/// A^-1 B of triangular matrices.
struct triangular_op : matrix_op<triangular_op> {
    static constexpr const char* name = "solve_triangular";
    bool upper, unit;

    triangular_op(bool u, bool ones) : upper(u), unit(ones) {}
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        want_linalg<typename A::device_type>();
        const auto x = b.clone();
        linalg_backend<typename A::device_type>::solve_triangular(dense_of(a), x, upper, unit);
        return make_pack(x);
    }
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto b_bar = call1(triangular_op(!upper, unit), matrix_transpose(*get<0>(inputs)), get<0>(bars));
        return two_adjoints<Active>([&] { return evaluate(-own_part(product(b_bar, matrix_transpose(get<0>(y))))); },
                                    [&] { return b_bar; });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto moved = [&] { return product(own_part(*get<0>(dots)), get<0>(y)); };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, moved)));
    }

   private:
    /// The triangle that is read.
    template <class E>
    auto own_part(const E& e) const {
        const index_t first = upper ? index_t(unit) : std::numeric_limits<index_t>::min();
        const index_t last = upper ? std::numeric_limits<index_t>::max() : -index_t(unit);
        return evaluate(banded(e, first, last));
    }
};
template <class A, class B>
auto triangular_solve(const A& a, const B& b, bool upper, bool unit = false) {
    return call1(triangular_op(upper, unit), a, b);
}
/// X with X A = B.
template <class A, class B>
auto triangular_solve_right(const A& a, const B& b, bool upper) {
    return matrix_transpose(triangular_solve(matrix_transpose(a), matrix_transpose(b), !upper));
}

struct inverse_op : matrix_op<inverse_op> {
    static constexpr const char* name = "inv";

    template <class A>
    auto value(const A& a) const {
        want_linalg<typename A::device_type>();
        using D = typename A::device_type;
        const auto y = tensor<typename A::value_type, A::rank, D>::uninitialized(a.shape());
        linalg_backend<D>::inverse(a, y);
        return make_pack(y);
    }
    template <class Active, class A, class Y, class C>
    auto adjoints(const pack<const A*>&, const pack<Y>& y, const pack<C>& bars) const {
        const auto turned = matrix_transpose(get<0>(y));
        return make_pack(evaluate(-product(turned, get<0>(bars), turned)));
    }
    template <class Active, class A, class Y, class D>
    auto tangents(const pack<const A*>&, const pack<Y>& y, const pack<const D*>& dots) const {
        return make_pack(evaluate(-product(get<0>(y), *get<0>(dots), get<0>(y))));
    }
};
template <class A>
auto inverse_of(const A& a) {
    return call1(inverse_op{}, a);
}

template <class A>
template <class X>
auto transposed_inverse<A>::solve(const X& x) const {
    return call1(solve_op{}, matrix_transpose(a), x);
}
template <class A>
auto transposed_inverse<A>::matrix() const {
    return matrix_transpose(inverse_of(a));
}

/// f(a, b) for a right side that may be a vector.
template <class A, class B, class F>
auto with_right_side(const A& a, const B& b, const char* op, const F& f) {
    using T = promote_t<typename A::value_type, matrix_element<typename B::value_type>>;
    const auto right = evaluate(as_type<T>(evaluate(b)));
    const auto left = evaluate(as_type<T>(a));
    const int rows = B::rank == 1 ? 0 : B::rank - 2;
    static_assert(B::rank >= 1, "ricci: the right side of a linear system is a vector or matrices");
    if (right.shape()[rows] != left.shape()[A::rank - 2])
        raise<shape_error>({"[", op, "] the rows of a ", left.shape(), " and b ", right.shape(),
                            " must be as many: ", left.shape()[A::rank - 2], " != ", right.shape()[rows]});
    if constexpr (B::rank == 1) return index(with_common_batch(left, evaluate(as_column(right)), op, f), ellipsis, 0);
    else return with_common_batch(left, right, op, f);
}

/// X with A X = B, or X A = B, of triangular A.
template <class A, class B>
auto triangular_solution(const A& a, const B& b, bool upper, bool left, bool unit, const char* who) {
    const auto x = square_argument(a, who);
    const auto solved = [=](bool above) {
        return [=](const auto& p, const auto& q) { return triangular_solve(p, q, above, unit); };
    };
    if constexpr (B::rank == 1) {
        return with_right_side(left ? x : matrix_transpose(x), b, who, solved(upper == left));
    } else {
        if (left) return with_right_side(x, b, who, solved(upper));
        return matrix_transpose(with_right_side(matrix_transpose(x), matrix_transpose(b), who, solved(!upper)));
    }
}

}  // namespace detail

namespace linalg {

/// The X with A X = B for square matrices in the last two axes; the leading axes broadcast. A `b` of rank 1 is one
/// vector, as in NumPy 2. Throws linalg_error for a singular matrix, shape_error where extents do not fit. Elements
/// in the common type, integers as double. By LU with partial pivoting. Derivatives: B_bar = A^-T X_bar, A_bar =
/// -B_bar X^T.
template <expression A, expression B>
auto solve(const A& a, const B& b) {
    return detail::with_right_side(detail::square_argument(a, "solve"), b, "solve", [](const auto& x, const auto& y) {
        return detail::call1(detail::solve_op{}, x, y);
    });
}

/// The X with A X = B (with `left` false, X A = B) for triangular matrices, of which the other triangle is not read;
/// with `unitriangular` the diagonal is taken for ones and not read either. Throws linalg_error where the diagonal
/// has a 0. (torch.linalg.solve_triangular.)
template <expression A, expression B>
auto solve_triangular(const A& a, const B& b, detail::yes_or_no upper, detail::yes_or_no left = true,
                      detail::yes_or_no unitriangular = false) {
    return detail::triangular_solution(a, b, upper, left, unitriangular, "solve_triangular");
}

template <expression A, expression B>
auto solve_triangular(const A&, const B& b) {
    static_assert(always_false<A>,
                  "ricci: solve_triangular(a, b, upper) is told whether a is upper (true) or lower triangular");
    return b;
}

/// The X with A X = B of a Cholesky factor: A = L L^H, or with `upper` U^H U. The right side comes first, vectors as in
/// solve. By two triangular systems, with their errors and derivatives. (torch.cholesky_solve.)
template <expression B, expression L>
auto cholesky_solve(const B& b, const L& factor, detail::yes_or_no upper = false) {
    static_assert(L::rank >= 2, "ricci: cholesky_solve(b, l) takes the right side first, then the factor, a matrix");
    const auto f = evaluate(factor);
    const auto conjugate_transpose = detail::adjoint(f);
    const auto solved = [](const auto& a, const auto& y, bool above) {
        return detail::triangular_solution(a, y, above, true, false, "cholesky_solve");
    };
    if (upper) return solved(f, solved(conjugate_transpose, b, false), true);
    return solved(conjugate_transpose, solved(f, b, false), true);
}

/// The inverse of the square matrices in the last two axes. Throws linalg_error for a singular one; where a system is
/// to be solved, solve is faster and more exact. Derivative Y_dot = -Y A_dot Y.
template <expression A>
auto inv(const A& a) {
    return detail::inverse_of(detail::square_argument(a, "inv"));
}

/// The inverse of the linear map that contracts the last axes of `a`: its first `Ind` axes and the others have as many
/// elements, and tensordot(tensorinv(a), b, Ind) is x where tensordot(a, x) is b. (numpy.linalg.tensorinv.)
template <int Ind = 2, expression A>
auto tensorinv(const A& a) {
    static_assert(Ind > 0 && Ind < A::rank, "ricci: tensorinv needs axes on either side");
    const auto x = evaluate(a);
    shape<A::rank> extents;
    index_t rows = 1, columns = 1;
    for (int d = 0; d < A::rank; ++d) {
        (d < Ind ? rows : columns) *= x.shape()[d];
        extents[d < Ind ? d + A::rank - Ind : d - Ind] = x.shape()[d];
    }
    if (rows != columns)
        detail::raise<shape_error>({"[tensorinv] the first ", Ind, " axes of a ", x.shape(), " have ", rows,
                                    " elements, the others ", columns});
    return reshape(inv(reshape(x, shape<2>{rows, columns})), extents);
}
/// The x with tensordot(a, x, x.ndim()) = b: the last axes of `a`, behind as many as `b` has, are the shape of the
/// result. (numpy.linalg.tensorsolve.)
template <expression A, expression B>
auto tensorsolve(const A& a, const B& b) {
    static_assert(A::rank >= B::rank, "ricci: tensorsolve: a must have the axes of b and those of the result");
    const auto x = evaluate(a);
    const auto y = evaluate(b);
    constexpr int R = A::rank - B::rank;
    shape<R> extents;
    for (int d = 0; d < R; ++d) extents[d] = x.shape()[B::rank + d];
    const index_t n = y.size();
    if (extents.count() * n != x.size() || extents.count() != n)
        detail::raise<shape_error>({"[tensorsolve] a ", x.shape(), " is no square map to b ", y.shape()});
    return reshape(solve(reshape(x, shape<2>{n, n}), reshape(y, shape<1>{n})), extents);
}

}  // namespace linalg
}  // namespace ricci
