// Iterative solvers of linear equations, differentiable by the implicit rule: cg, bicgstab, gmres.
#pragma once
#include <memory>
#include <tuple>

#include "../ops/sparse.hpp"
#include "implicit.hpp"
#include "krylov.hpp"

namespace ricci {

/// A solution, and how the solver ended.
template <class X>
struct solver_result {
    X x;
    solver_info info;
};

namespace detail {

inline void merge_info(solver_info& all, const solver_info& one) {
    all.converged = all.converged && one.converged;
    all.iterations = one.iterations > all.iterations ? one.iterations : all.iterations;
    all.residual = one.residual > all.residual || one.residual != one.residual ? one.residual : all.residual;
}

/// A dense matrix as a linear operator; every member of a batch of Batch axes has its own.
template <bool Transposed>
struct dense_operator {
    static constexpr int rank = 2;
    dense_operator<!Transposed> transposed() const { return {}; }
    template <int Batch, class A, class X>
    auto apply(const A& a, const X& x) const {
        const auto column = reshaped(x, appended(x.shape()));
        if constexpr (Transposed) return dropped(matmul(matrix_transpose(a), column));
        else return dropped(matmul(a, column));
    }
    /// The adjoint of the matrix in y = A x.
    template <int Batch, class Y, class X>
    auto matrix_adjoint(const Y& y_bar, const X& x) const {
        const auto products = [](const auto& i, const auto& j) {
            return evaluate(index(i, ellipsis, newaxis) * index(j, ellipsis, newaxis, all));
        };
        if constexpr (Transposed) return products(x, y_bar);
        else return products(y_bar, x);
    }
    template <int R>
    static shape<R + 1> appended(const shape<R>& x) {
        shape<R + 1> to;
        for (int d = 0; d < R; ++d) to[d] = x[d];
        to[R] = 1;
        return to;
    }
    template <class Y>
    static auto dropped(const Y& y) {
        shape<Y::rank - 1> to;
        for (int d = 0; d < Y::rank - 1; ++d) to[d] = y.shape()[d];
        return reshaped(y, to);
    }
};
/// A sparse matrix of a fixed pattern, by its values.
template <bool Transposed>
struct sparse_operator {
    static constexpr int rank = 1;
    csr_pattern pattern;
    sparse_operator<!Transposed> transposed() const { return {pattern}; }
    template <int Batch, class V, class X>
    auto apply(const V& v, const X& x) const {
        using dense = dense_operator<false>;
        return dense::dropped(
            call1(sparse_product_op<Transposed, Batch>{{}, pattern}, v, reshaped(x, dense::appended(x.shape()))));
    }
    template <int Batch, class Y, class X>
    auto matrix_adjoint(const Y& y_bar, const X& x) const {
        using dense = dense_operator<false>;
        const auto y_column = reshaped(y_bar, dense::appended(y_bar.shape()));
        const auto x_column = reshaped(x, dense::appended(x.shape()));
        if constexpr (Transposed) return call1(sampled_product_op<Batch>{{}, pattern}, x_column, y_column);
        else return call1(sampled_product_op<Batch>{{}, pattern}, y_column, x_column);
    }
};

/// A method with another preconditioner, starting from 0.
template <template <class, class> class Method, class P, class O, class Q>
Method<Q, solver_options> restarted(const Method<P, O>& m, const Q& preconditioner) {
    return {{static_cast<const solver_options&>(m.options), preconditioner}};
}
/// The same method for other right sides.
template <template <class, class> class Method, class P, class O>
auto restarted(const Method<P, O>& m) {
    return restarted(m, m.preconditioner);
}
/// A preconditioner of arrays of a right side's shape, for its elements as a vector.
template <class P, int Rank>
struct shaped_preconditioner {
    P of_arrays;
    shape<Rank> extents;
    template <class V>
    auto operator()(const V& r) const {
        const auto y = evaluate(of_arrays(reshaped(r, extents)));
        static_assert(std::remove_cvref_t<decltype(y)>::rank == Rank,
                      "ricci: a preconditioner gives an array of its argument's rank");
        if (!(y.shape() == extents))
            raise<shape_error>(
                {"[iterative solver] the preconditioner gives shape ", y.shape(), " for one of ", extents});
        return reshaped(y, r.shape());
    }
    auto transposed() const
        requires requires(const P& p) { p.transposed(); }
    {
        return shaped_preconditioner<decltype(of_arrays.transposed()), Rank>{of_arrays.transposed(), extents};
    }
};
/// The method for right sides of a shape.
template <int Rank, template <class, class> class Method, class P, class O>
auto method_for(const shape<Rank>& extents, const Method<P, O>& m) {
    if constexpr (Rank == 1 || Method<P, O>::is_plain) return m;
    else return Method<shaped_preconditioner<P, Rank>, O>{{m.options, {m.preconditioner, extents}}};
}
/// The same for the transposed equations. A preconditioner of a method for symmetric matrices serves both.
template <template <class, class> class Method, class P, class O>
auto transposed_method(const Method<P, O>& m) {
    if constexpr (Method<P, O>::symmetric) return restarted(m);
    else if constexpr (requires { m.preconditioner.transposed(); }) return restarted(m, m.preconditioner.transposed());
    else return restarted(m, no_preconditioner{});
}

template <class W, class Op, class X>
struct solved_op;

/// x with A x = b, for matrices (batch..., what Operator takes) and vectors (batch..., n).
template <class Operator, class Method, int Batch>
struct krylov_op : opaque_op {
    static constexpr const char* name = "iterative solver";
    Operator matrix;
    Method method;
    std::shared_ptr<solver_info> info;

    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using T = typename B::value_type;
        const shape<Batch> batch = common_batch<Batch>(a, b);
        shape<Batch + 1> extents;
        for (int d = 0; d < Batch; ++d) extents[d] = batch[d];
        const index_t n = extents[Batch] = b.shape()[Batch];
        const auto x = tensor<T, Batch + 1>(constant_array<tensor<T, Batch + 1>>(extents, T(0)));
        for (index_t i = 0, count = n > 0 ? batch.count() : 0; i < count; ++i) {
            const auto own = member<Operator::rank>(a, batch, i);
            const tensor<T, 1> to(x.memory(), x.data() + i * n, {n}, {1}), right(member<1>(b, batch, i).clone());
            if constexpr (requires { method.solve(matrix, own, right, to); }) {  // by the matrix, not by its products
                method.solve(matrix, own, right, to);
            } else {
                const auto apply = [&](const tensor<T, 1>& v) {
                    return Method::template as_dense<T>(matrix.template apply<0>(own, v));
                };
                const auto ended = run_method(method, apply, right, to);
                if (info) merge_info(*info, ended);
            }
        }
        return make_pack(x);
    }
    /// The adjoints of matrix and right side, of which the solution is known.
    template <class Active, class A, class B, class X, class C>
    auto adjoints(const A& a, const B& b, const X& x, const C& x_bar) const {
        const auto u = silent(matrix.transposed(), transposed_method(method), a, x_bar);
        return two_adjoints<Active>(
            [&] { return sum_to(matrix.template matrix_adjoint<Batch>(evaluate(-u), x), a.shape()); },
            [&] { return sum_to(u, b.shape()); });
    }
    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        return adjoints<Active>(a, b, call1(*this, a, b), get<0>(bars));
    }
    template <class W, class A, class B>
    auto saved(const A& a, const B& b) const {
        const auto x = call1(*this, a, b);
        return solved_op<W, krylov_op, std::remove_cvref_t<decltype(x)>>{{}, *this, x};
    }
    template <class Active, class A, class B, class... D>
    auto pushforward(const pack<const A*, const B*>& inputs, const pack<const D*...>& tangents) const {
        const auto& a = *get<0>(inputs);
        const auto x = call1(*this, a, *get<1>(inputs));
        const auto moved = [&] { return matrix.template apply<Batch>(*get<0>(tangents), x); };  // a_dot x
        return make_pack(x, silent(matrix, restarted(method), a, moved_right_side<Active>(tangents, moved)));
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        return call_with_batch<Mapped>(krylov_op<Operator, Method, Batch + 1>{{}, matrix, method, info}, a, b);
    }

   private:
    template <class M, class N, class A, class B>
    static auto silent(const M& m, const N& n, const A& a, const B& b) {
        return call1(krylov_op<M, N, Batch>{{}, m, n, nullptr}, a, b);
    }
    template <int R, class A>
    static auto member(const A& a, const shape<Batch>& batch, index_t i) {
        shape<R> extents, strides;
        for (int d = 0; d < R; ++d) {
            extents[d] = a.shape()[Batch + d];
            strides[d] = a.strides()[Batch + d];
        }
        return tensor<const typename A::value_type, R>(a.memory(), a.data() + member_offset(a, batch, i), extents,
                                                       strides);
    }
};
/// The same as W recorded it, with its solution.
template <class W, class Op, class X>
struct solved_op : opaque_op {
    static constexpr const char* name = "iterative solver";
    using known_to = W;
    Op op;
    X y;

    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        if constexpr (wrapped_by_v<W, A> || wrapped_by_v<W, B>)  // create_graph: the solution must be recorded, too
            return op.template adjoints<Active>(a, b, call1(op, a, b), get<0>(bars));
        else return op.template adjoints<Active>(a, b, y, get<0>(bars));
    }
};

/// Solves by a method where all is plain, and by the dense matrix inside of further transforms.
template <class Method>
struct krylov_linear_solve {
    Method method;
    template <class F, class B>
    auto operator()(const F& matvec, const B& b) const {
        if constexpr (std::is_void_v<typename B::wrapper> &&
                      std::is_void_v<typename std::remove_cvref_t<decltype(matvec(b))>::wrapper>)
            return solve_by(method, matvec, b, nullptr);
        else return dense_linear_solve{}(matvec, b);
    }
    auto transposed() const {
        return krylov_linear_solve<decltype(transposed_method(method))>{transposed_method(method)};
    }
};
/// x with f(x) = b by a method, for plain arrays of any rank, whose elements are the unknowns.
template <class Method, class F, class B>
auto solve_by(const Method& method, const F& f, const B& b, solver_info* info) {
    using T = typename B::value_type;
    const auto flat = tensor<T, 1>(reshaped(tensor<T, B::rank>(b.clone()), shape<1>{b.size()}));
    const auto x = tensor<T, 1>(constant_array<tensor<T, 1>>(flat.shape(), T(0)));
    const auto apply = [&](const tensor<T, 1>& v) {
        const auto y = evaluate(f(tensor<T, B::rank>(reshaped(v, b.shape()))));
        static_assert(std::remove_cvref_t<decltype(y)>::rank == B::rank,
                      "ricci: a linear operator gives an array of its argument's rank");
        if (!(y.shape() == b.shape()))
            raise<shape_error>({"[iterative solver] the operator gives shape ", y.shape(), " for one of ", b.shape()});
        return Method::template as_dense<T>(reshaped(y, v.shape()));
    };
    const solver_info ended = run_method(method, apply, flat, x);
    if (info) merge_info(*info, ended);
    return tensor<T, B::rank>(reshaped(x, b.shape()));
}

/// The residual of f(x, parameters...) = b.
template <class F>
struct operator_residual {
    F f;
    template <class X, class B, class... P>
    auto operator()(const X& x, const B& b, const P&... parameters) const {
        return evaluate(f(x, parameters...) - b);
    }
};

template <class A>
inline constexpr bool is_sparse_v = false;
template <class T, class V>
inline constexpr bool is_sparse_v<csr_matrix<T, V>> = true;
template <class A>
inline constexpr bool is_entries_v = false;
template <class T, class V>
inline constexpr bool is_entries_v<coo_matrix<T, V>> = true;

template <class Method, class A, class B, class... P>
auto solve_iteratively(const char* who, const Method& method, const A& a, const B& right, const P&... parameters) {
    const auto info = std::make_shared<solver_info>();
    const auto finish = [&](const auto& x) { return solver_result<std::remove_cvref_t<decltype(x)>>{x, *info}; };
    if constexpr (is_sparse_v<A> || expression<A>) {
        static_assert(B::rank == 1, "ricci: iterative solvers take the right side as a vector; vmap solves many");
        static_assert(sizeof...(P) == 0, "ricci: a matrix has no parameters");
        const auto matrix = [&] {
            if constexpr (is_sparse_v<A>) return a;
            else return evaluate(a);
        }();
        using V = std::remove_cvref_t<decltype(matrix)>;
        const auto b = evaluate(right);
        if (!(matrix.shape() == shape<2>{b.shape()[0], b.shape()[0]}))
            raise<shape_error>({"[", who, "] a matrix of shape ", matrix.shape(),
                                " does not fit a right side of shape ", b.shape(),
                                ": it must be square, and as large"});
        if constexpr (is_sparse_v<A>) {
            using T = matrix_element<promote_t<typename decltype(V::values)::value_type, typename B::value_type>>;
            const sparse_operator<false> op{matrix.pattern()};
            return finish(call1(krylov_op<sparse_operator<false>, Method, 0>{{}, op, method, info},
                                evaluate_as<T>(matrix.values), evaluate_as<T>(b)));
        } else {
            using T = matrix_element<promote_t<typename V::value_type, typename B::value_type>>;
            return finish(call1(krylov_op<dense_operator<false>, Method, 0>{{}, {}, method, info},
                                evaluate_as<T>(matrix), evaluate_as<T>(b)));
        }
    } else if constexpr (is_entries_v<A>) {
        static_cast<void>(sizeof(refused_entries<A>));
        return finish(right);
    } else if constexpr (scalar_value<A>) {
        static_assert(always_false<A>,
                      "ricci: an iterative solver takes a matrix, a csr_matrix or a function that multiplies by one: "
                      "cg([](auto x) { return 2.0 * x; }, b)");
        return finish(right);
    } else {
        const auto b_method = method_for(right.shape(), method);
        const auto solve = [b_method, a, info](const auto& b, const auto&... p) {
            return solve_by(b_method, [&](const auto& x) { return a(x, p...); }, b, info.get());
        };
        const auto x = custom_root(operator_residual<A>{a}, solve, krylov_linear_solve{restarted(b_method)})(
            evaluate_as<matrix_element<typename B::value_type>>(right), parameters...);
        return finish(x);
    }
}

}  // namespace detail

/// Solves A x = b by conjugate gradients, for symmetric (Hermitian) positive definite A: a dense matrix, a csr_matrix,
/// or a function f(x, parameters...) that applies one to arrays of b's shape. `preconditioner(r)` applies an
/// approximation of A's inverse, symmetric as well, to arrays of that shape. Gives x and how it ended:
/// `auto [x, info] = cg(a, b)`; where it did not converge, info.converged is false and x the last iterate, as SciPy's
/// and JAX's solvers have it, or NaN where the residual is no number: nothing is thrown. Starts from 0, or from
/// options.starting_from(x0). Elements are those of linalg::solve: integers as double, 16 bits as float.
///
/// Derivatives with respect to b, the matrix (or its values) and the parameters, forward and backward, come from the
/// implicit function theorem, x_bar solving A^T u = x_bar by the same method, and are as exact as its tolerance; what a
/// function captures is constant. Of matrices they are of any order, and vmap solves members one by one; of functions,
/// inside of further transforms, the dense matrix is built (custom_root). Throws shape_error for a matrix that does not
/// fit b.
template <class A, expression B, std::derived_from<solver_options> Options = solver_options,
          class Preconditioner = no_preconditioner, class... P>
auto cg(const A& a, const B& b, Options options = {}, Preconditioner preconditioner = {}, const P&... parameters) {
    return detail::solve_iteratively("cg", detail::cg_method<Preconditioner, Options>{{options, preconditioner}}, a, b,
                                     parameters...);
}
/// The same for any invertible A by BiCGSTAB: two products with A an iteration, little memory, residuals that may leap.
/// The transposed equations of derivatives use the preconditioner where it has `transposed()`, as a
/// transposable_preconditioner{apply, apply_transposed} has, and none otherwise.
template <class A, expression B, std::derived_from<solver_options> Options = solver_options,
          class Preconditioner = no_preconditioner, class... P>
auto bicgstab(const A& a, const B& b, Options options = {}, Preconditioner preconditioner = {},
              const P&... parameters) {
    return detail::solve_iteratively(
        "bicgstab", detail::bicgstab_method<Preconditioner, Options>{{options, preconditioner}}, a, b, parameters...);
}
/// The same by GMRES: residuals never grow; it keeps up to options.restart vectors. Ends where a cycle brings nothing
/// more.
template <class A, expression B, std::derived_from<solver_options> Options = solver_options,
          class Preconditioner = no_preconditioner, class... P>
auto gmres(const A& a, const B& b, Options options = {}, Preconditioner preconditioner = {}, const P&... parameters) {
    return detail::solve_iteratively("gmres", detail::gmres_method<Preconditioner, Options>{{options, preconditioner}},
                                     a, b, parameters...);
}

}  // namespace ricci
