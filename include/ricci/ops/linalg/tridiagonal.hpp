// Linear systems of tridiagonal matrices: solve_tridiagonal.
#pragma once
#include "../../cpu/linalg/banded.hpp"
#include "../join.hpp"
#include "../rearrange.hpp"
#include "matrix_op.hpp"

namespace ricci {
namespace detail {

/// T^-1 B. The bands (..., 3, n) are the diagonals above, on and below T's main one, each from its first row or column on: the
/// last elements of the first and the third are zeros, so that the bands of T's transpose are these in the other order.
struct tridiagonal_op : matrix_op<tridiagonal_op> {
    static constexpr const char* name = "solve_tridiagonal";

    template <class A, class B>
    auto value(const A& bands, const B& b) const {
        using T = typename B::value_type;
        static_assert(std::is_same_v<typename B::device_type, cpu_device>,
                      "ricci: solve_tridiagonal runs on the CPU only");
        const auto t = bands.clone();
        const auto x = b.clone();
        const index_t n = b.shape()[B::rank - 2], columns = b.shape()[B::rank - 1];
        for_blocks(t.size() / (3 * n), n * (columns + 8), [&](index_t i) {
            T* const diagonal = t.data() + i * 3 * n;
            if (!solve_tridiagonal(n, diagonal, diagonal + n, diagonal + 2 * n, x.data() + i * n * columns, columns))
                raise<linalg_error>({"[solve_tridiagonal] a matrix of ", n, " rows is singular"});
        });
        return make_pack(x);
    }
    template <class Active, class A, class B, class Y, class C>
    auto adjoints(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<C>& bars) const {
        const auto b_bar = call1(*this, flip(*get<0>(inputs), A::rank - 2), get<0>(bars));
        const auto& x = get<0>(y);
        return two_adjoints<Active>(
            [&] {  // what the last elements of the outer diagonals get is dropped by what put zeros there
                const auto of_band = [&](const auto& rows, const auto& columns) {
                    return sum(rows * columns, B::rank - 1);
                };
                return evaluate(
                    -stack(std::make_tuple(of_band(b_bar, above(x)), of_band(b_bar, x), of_band(above(b_bar), x)),
                           A::rank - 2));
            },
            [&] { return b_bar; });
    }
    template <class Active, class A, class B, class Y, class... D>
    auto tangents(const pack<const A*, const B*>& inputs, const pack<Y>& y, const pack<const D*...>& dots) const {
        const auto product = [&] {  // of T's tangent
            const auto& x = get<0>(y);
            const auto band = [&](int i) { return as_column(index(*get<0>(dots), ellipsis, i, all)); };
            return evaluate(band(0) * above(x) + band(1) * x + roll(evaluate(band(2) * x), 1, B::rank - 2));
        };
        return make_pack(call1(*this, *get<0>(inputs), moved_right_side<Active>(dots, product)));
    }

   private:
    /// Row i + 1 in the place of row i.
    template <class X>
    static auto above(const X& x) {
        return roll(x, -1, X::rank - 2);
    }
};

}  // namespace detail

namespace linalg {

/// The x with T x = b for the tridiagonal matrices whose main diagonals are `diagonal` (..., n), those below and above it `lower`
/// and `upper` (..., n - 1); the leading axes of the diagonals are equal and broadcast with those of `b`: a vector (n,), or matrices
/// (..., n, k), as in solve. On the CPU, in time n k, by elimination with partial pivoting. Throws linalg_error for a singular matrix, shape_error where extents
/// do not fit. Elements in the common type, integers as double. Derivatives as solve's, of the diagonals alone.
/// (scipy.linalg.solve_banded((1, 1), ...), jax.lax.linalg.tridiagonal_solve.)
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
    const auto solved = [](const auto& t, const auto& y) { return detail::call1(detail::tridiagonal_op{}, t, y); };
    if constexpr (B::rank == 1)
        return index(detail::with_common_batch(bands, evaluate(detail::as_column(right)), "solve_tridiagonal", solved),
                     ellipsis, 0);
    else return detail::with_common_batch(bands, right, "solve_tridiagonal", solved);
}

}  // namespace linalg
}  // namespace ricci
