// Linear systems of matrices with few diagonals: solve_tridiagonal, solve_banded.
#pragma once
#include <vector>

#include "../../cpu/linalg/banded.hpp"
#include "../join.hpp"
#include "../rearrange.hpp"
#include "../resized_axis.hpp"
#include "matrix_op.hpp"

namespace ricci {
namespace detail {

/// A^-1 B for A of `lower` and `upper` diagonals beside the main one. The bands (..., upper + 1 + lower, n) are A's
/// diagonals from the uppermost on, each from its first row or column on and filled up with zeros, so that the bands of
/// A's transpose are these in the other order.
struct banded_op : matrix_op<banded_op> {
    static constexpr const char* name = "solve_banded";
    index_t lower, upper;
    const char* caller;

    banded_op(index_t l, index_t u, const char* who) : lower(l), upper(u), caller(who) {}

    template <class A, class B>
    auto value(const A& bands, const B& b) const {
        using T = typename B::value_type;
        static_assert(std::is_same_v<typename B::device_type, cpu_device>,
                      "ricci: solve_banded and solve_tridiagonal run on the CPU only");
        const auto t = bands.clone();
        const auto x = b.clone();
        const index_t n = b.shape()[B::rank - 2], columns = b.shape()[B::rank - 1], count = lower + 1 + upper;
        for_blocks(t.size() / (count * n), n * (columns + 8) * (lower + 1), [&](index_t i) {
            T* const band = t.data() + i * count * n;
            T* const right = x.data() + i * n * columns;
            if (!(lower == 1 && upper == 1 ? solve_tridiagonal(n, band, band + n, band + 2 * n, right, columns)
                                           : solve_banded(n, lower, upper, band, right, columns)))
                raise<linalg_error>({"[", caller, "] a matrix of ", n, " rows is singular"});
        });
        return make_pack(x);
    }
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto transposed = banded_op(upper, lower, caller);
        const auto b_bar = call1(transposed, flip(*get<0>(inputs), A::rank - 2), get<0>(bars));
        const auto& x = get<0>(y);
        return two_adjoints<Active>(
            [&] {  // what the ends of the outer diagonals get is dropped by what put zeros there
                std::vector<std::remove_cvref_t<decltype(evaluate(sum(b_bar * x, B::rank - 1)))>> diagonals;
                for (index_t k = upper; k >= -lower; --k)
                    diagonals.push_back(
                        evaluate(-sum(k < 0 ? moved(b_bar, -k) * x : b_bar * moved(x, k), B::rank - 1)));
                return evaluate(stack(diagonals, A::rank - 2));
            },
            [&] { return b_bar; });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto product = [&] {  // of A's tangent
            const auto& x = get<0>(y);
            const auto band = [&](index_t k) {
                const auto d = as_column(index(*get<0>(dots), ellipsis, upper - k, all));
                return k < 0 ? moved(evaluate(d * x), k) : evaluate(d * moved(x, k));
            };
            auto all_of = band(upper);
            for (index_t k = upper - 1; k >= -lower; --k) all_of = evaluate(all_of + band(k));
            return all_of;
        };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, product)));
    }

   private:
    /// Row i + k in the place of row i.
    template <class X>
    static auto moved(const X& x, index_t k) {
        return evaluate(roll(x, -k, X::rank - 2));
    }
};
/// The op for right sides that are vectors or matrices.
template <class A, class B>
auto solve_bands(const banded_op& op, const A& bands, const B& b) {
    const auto solved = [&](const auto& t, const auto& y) { return call1(op, t, y); };
    if constexpr (B::rank == 1)
        return index(with_common_batch(bands, evaluate(as_column(b)), op.caller, solved), ellipsis, 0);
    else return with_common_batch(bands, b, op.caller, solved);
}

}  // namespace detail

namespace linalg {

/// The x with T x = b for the tridiagonal matrices whose main diagonals are `diagonal` (..., n), those below and above
/// it `lower` and `upper` (..., n - 1); the leading axes of the diagonals are equal and broadcast with those of `b`: a
/// vector (n,), or matrices (..., n, k), as in solve. On the CPU, in time n k, by elimination with partial pivoting.
/// Throws linalg_error for a singular matrix, shape_error where extents do not fit. Elements in the common type,
/// integers as double. Derivatives as solve's, of the diagonals alone. (scipy.linalg.solve_banded((1, 1), ...),
/// jax.lax.linalg.tridiagonal_solve.)
template <expression L, expression M, expression U, expression B>
auto solve_tridiagonal(const L& lower, const M& diagonal, const U& upper, const B& b) {
    static_assert(M::rank >= 1 && L::rank == M::rank && U::rank == M::rank,
                  "ricci: solve_tridiagonal takes diagonals of one rank, (..., n - 1), (..., n) and (..., n - 1)");
    static_assert(B::rank >= 1, "ricci: the right side of a linear system is a vector or matrices");
    using T = detail::matrix_element<promote_t<promote_t<typename L::value_type, typename M::value_type>,
                                               promote_t<typename U::value_type, typename B::value_type>>>;
    constexpr int last = M::rank - 1;
    const auto below = detail::evaluate_as<T>(lower);
    const auto main = detail::evaluate_as<T>(diagonal);
    const auto above = detail::evaluate_as<T>(upper);
    const auto right = detail::evaluate_as<T>(b);
    auto outer = main.shape();
    const index_t n = outer[last]--;
    if (n < 1 || below.shape() != outer || above.shape() != outer)
        detail::raise<shape_error>({"[solve_tridiagonal] diagonals ", below.shape(), ", ", main.shape(), " and ",
                                    above.shape(), " must be one shorter than the main one on either side of it"});
    if (right.shape()[B::rank == 1 ? 0 : B::rank - 2] != n)
        detail::raise<shape_error>({"[solve_tridiagonal] diagonals ", main.shape(), " do not fit a right side ",
                                    right.shape(), ": ", n, " != ", right.shape()[B::rank == 1 ? 0 : B::rank - 2]});
    outer[last] = 1;
    const auto end = zeros<T>(outer, device_t<M>{});
    const auto bands = stack(
        std::make_tuple(concat(std::make_tuple(above, end), last), main, concat(std::make_tuple(below, end), last)),
        last);
    return detail::solve_bands(detail::banded_op(1, 1, "solve_tridiagonal"), bands, right);
}

/// The x with A x = b for matrices A that are 0 but on their main diagonal and on `lower_and_upper` {l, u} diagonals
/// below and above it, given as LAPACK and SciPy have them: bands[u + i - j][j] = A[i][j], (..., l + 1 + u, n), whose
/// corners without an element of A do not count. Leading axes and b as solve_tridiagonal's. On the CPU, in time n l (l
/// + u + k), by elimination with partial pivoting. Throws linalg_error for a singular matrix, shape_error where extents
/// do not fit. Elements in the common type, integers as double. Derivatives as solve's, of the bands alone.
/// (scipy.linalg.solve_banded.)
template <expression A, expression B>
auto solve_banded(const extent (&lower_and_upper)[2], const A& bands, const B& b) {
    static_assert(A::rank >= 2, "ricci: solve_banded({l, u}, bands, b) takes bands (..., l + 1 + u, n)");
    static_assert(B::rank >= 1, "ricci: the right side of a linear system is a vector or matrices");
    using T = detail::matrix_element<promote_t<typename A::value_type, typename B::value_type>>;
    constexpr int last = A::rank - 1;
    const index_t l = lower_and_upper[0].value, u = lower_and_upper[1].value;
    const auto given = detail::evaluate_as<T>(bands);
    const auto right = detail::evaluate_as<T>(b);
    const index_t n = given.shape()[last];
    if (l < 0 || u < 0 || n < 1 || given.shape()[last - 1] - 1 - u != l)
        detail::raise<shape_error>(
            {"[solve_banded] bands ", given.shape(), " are not ", l, " + 1 + ", u, " diagonals of a row or more"});
    if (right.shape()[B::rank == 1 ? 0 : B::rank - 2] != n)
        detail::raise<shape_error>({"[solve_banded] bands ", given.shape(), " do not fit a right side ", right.shape(),
                                    ": ", n, " != ", right.shape()[B::rank == 1 ? 0 : B::rank - 2]});
    std::vector<std::remove_cvref_t<decltype(evaluate(index(given, ellipsis, 0, all)))>> rows;
    for (index_t k = u; k >= -l; --k) {
        const auto row = index(given, ellipsis, u - k, all);
        const index_t count = std::max(n - (k < 0 ? -k : k), index_t(0));
        const auto part = evaluate(detail::stretch_of(row, last - 1, k < 0 ? 0 : n - count, count));
        rows.push_back(evaluate(detail::resized_axis(part, last - 1, n)));
    }
    return detail::solve_bands(detail::banded_op(l, u, "solve_banded"), evaluate(stack(rows, last - 1)), right);
}

}  // namespace linalg
}  // namespace ricci
