// Singular vectors of bidiagonal matrices by divide and conquer (Gu and Eisenstat 1995): two halves and the row between
// them, whose vectors one matrix product puts together.
#pragma once
#include "bidiagonal.hpp"
#include "divide.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The singular values of an upper bidiagonal matrix, in no order, exact beside the largest one, and its vectors as the
/// rows of two matrices.
template <class R>
class bidiagonal_halves {
    static constexpr R eps = std::numeric_limits<R>::epsilon();

   public:
    /// d and e, which has room for n elements, are overwritten by the values and by nothing of use.
    bidiagonal_halves(index_t n, R* d, R* e, const matrix_span<R>& u, const matrix_span<R>& v)
        : d_(d), e_(e), u_(u), v_(v), old_(n + 1, n + 1), of_u_(n, n), of_v_(n, n), numbers_(5, n), places_(4, n) {}

    /// False when a part does not converge.
    bool run() {
        const index_t n = u_.rows;
        R largest = 0;
        for (index_t i = 0; i < n; ++i)
            largest = std::max({largest, std::abs(d_[i]), i + 1 < n ? std::abs(e_[i]) : R(0)});
        const R least = largest * std::sqrt(std::numeric_limits<R>::min());
        for (index_t i = 0; i < n; ++i) {  // rotations of less would be inexact
            if (std::abs(d_[i]) < least) d_[i] = 0;
            if (i + 1 < n && std::abs(e_[i]) < least) e_[i] = 0;
        }
        return solve(0, n, 0);
    }

   private:
    static constexpr index_t undivided = 32;
    enum kind : index_t { upper, whole, lower, deflated };  // where a vector has elements

    /// Rows first ... first + n - 1 of the matrix, and as many columns, or with `beside` one more: then the vector that
    /// the part takes to 0 comes last.
    bool solve(index_t first, index_t n, index_t beside) {
        if (n <= undivided) return solve_undivided(first, n, beside);
        const index_t half = n / 2;
        const R middle[] = {d_[first + half], e_[first + half]};
        if (!solve(first, half, 1) || !solve(first + half + 1, n - half - 1, beside)) return false;
        merge(first, n, half, beside, middle);
        return true;
    }
    bool solve_undivided(index_t first, index_t n, index_t beside) {
        const auto u = u_.block(first, first, n, n), v = v_.block(first, first, n + beside, n + beside);
        R *const d = d_ + first, *const e = e_ + first;
        fill_identity(u);
        fill_identity(v);
        R outside = beside ? e[n - 1] : R(0);
        for (index_t i = n - 1; i >= 0 && outside != 0;
             --i) {  // the last column's only element is turned into column i
            R c, s, length;
            make_rotation(d[i], outside, c, s, length);
            d[i] = length;
            rotate_rows(v.columns, c, s, v.row(n), v.row(i));
            if (i > 0) {
                outside = -s * e[i - 1];
                e[i - 1] *= c;
            }
        }
        return bidiagonal_qr<R>(n, d, e, u, v.block(0, 0, n, n + beside)).run();
    }

    /// Of the halves' values on a diagonal and, between them, a row z of what `middle` is in their vectors: its element
    /// of the upper half's last vector comes first, with a 0 on the diagonal.
    void merge(index_t first, index_t n, index_t half, index_t beside, const R* middle) {
        const auto u = u_.block(first, first, n, n), v = v_.block(first, first, n + beside, n + beside);
        R *const d = d_ + first, *const z = numbers_.span().row(0);
        index_t* const kinds = places_.span().row(1);
        for (index_t i = 0; i < n; ++i) {
            std::fill(u.row(i) + (i < half ? half : 0), u.row(i) + (i < half ? n : half + 1), R(0));
            if (i == half) std::fill(u.row(i), u.row(i) + n, R(0));
        }
        u(half, half) = 1;
        for (index_t i = 0; i < v.rows; ++i)
            std::fill(v.row(i) + (i <= half ? half + 1 : 0), v.row(i) + (i <= half ? v.columns : half + 1), R(0));
        R largest = std::max(std::abs(middle[0]), std::abs(middle[1]));
        d[half] = 0;
        for (index_t i = 0; i < n; ++i) largest = std::max(largest, d[i]);
        if (largest == 0) return;
        const R factor = power_of_two_near(largest);  // near 1, as squares and quotients of squares are taken
        scale_row(n, 1 / factor, d);
        for (index_t i = 0; i < n; ++i) {
            z[i] = (i <= half ? middle[0] * v(i, half) : middle[1] * v(i, half + 1)) / factor;
            kinds[i] = i < half ? upper : i > half ? lower : beside ? whole : upper;
        }
        if (beside) {  // of the two vectors that the halves take to 0 one goes on to
            const R other = middle[1] * v(n, half + 1) / factor, length = std::hypot(z[half], other);
            if (length > 0) rotate_rows(v.columns, z[half] / length, -other / length, v.row(half), v.row(n));
            z[half] = length;
        }
        const R negligible = 8 * eps * largest / factor;
        if (std::abs(z[half]) <= negligible) z[half] = negligible;
        combine(n, half, deflate(n, half, d, z, negligible, u, v), d, z, u, v);
        scale_row(n, factor, d);
    }
    /// Takes out the values that the row leaves alone: those of negligible z, and of two near values one, after a
    /// rotation that makes its z zero. The others' places come, ascending, to places_' row 2; how many there are.
    index_t deflate(index_t n, index_t half, R* d, R* z, R negligible, const matrix_span<R>& u,
                    const matrix_span<R>& v) {
        index_t *const order = places_.span().row(0), *const kinds = places_.span().row(1),
                       *const left = places_.span().row(2);
        for (index_t i = 0; i < n; ++i) order[i] = i;
        std::swap(order[0], order[half]);
        std::sort(order + 1, order + n, [d](index_t i, index_t j) { return d[i] != d[j] ? d[i] < d[j] : i < j; });
        index_t kept = 1;
        left[0] = half;
        for (index_t k = 1; k < n; ++k) {
            const index_t i = order[k], before = left[kept - 1];
            if (std::abs(z[i]) <= negligible) {
                kinds[i] = deflated;
            } else if (kept > 1 && d[i] - d[before] <= negligible) {
                const R length = std::hypot(z[i], z[before]), c = z[i] / length, s = z[before] / length;
                z[i] = length;
                rotate_rows(u.columns, c, s, u.row(before), u.row(i));
                rotate_rows(v.columns, c, s, v.row(before), v.row(i));
                if (kinds[i] != kinds[before]) kinds[i] = whole;
                kinds[before] = deflated;
                left[kept - 1] = i;
            } else {
                left[kept++] = i;
            }
        }
        if (kept > 1) d[left[1]] = std::max(d[left[1]], negligible / 2);
        return kept;
    }
    /// The new vectors from those that are left. Rows are first put in the order of their kinds, so that no product has
    /// a block of zeros.
    void combine(index_t n, index_t half, index_t kept, R* d, const R* z, const matrix_span<R>& u,
                 const matrix_span<R>& v) {
        const auto numbers = numbers_.span();
        R *const poles = numbers.row(1), *const weights = numbers.row(2), *const exact = numbers.row(3),
                 *const values = numbers.row(4);
        index_t *const place = places_.span().row(0), *const from = places_.span().row(3);
        const index_t *const kinds = places_.span().row(1), *const left = places_.span().row(2);
        const matrix_span<R> of_u{of_u_.data(), kept, kept, kept}, of_v{of_v_.data(), kept, kept, kept};
        R squares = 0;
        for (index_t j = 0; j < kept; ++j) squares += z[left[j]] * z[left[j]];
        const R length = std::sqrt(squares);
        index_t count[3] = {}, next = kept;
        for (index_t j = 0; j < kept; ++j) {
            values[j] = d[left[j]];
            poles[j] = values[j] * values[j];
            weights[j] = z[left[j]] / length;
            ++count[kinds[left[j]]];
        }
        index_t at[3] = {0, count[upper], count[upper] + count[whole]};
        for (index_t j = 0; j < kept; ++j) from[place[j] = at[kinds[left[j]]]++] = left[j];
        for (index_t i = 0; i < n; ++i)
            if (kinds[i] == deflated) from[next++] = i;
        for (index_t k = kept; k < n; ++k) exact[k] = d[from[k]];
        std::copy(exact + kept, exact + n, d + kept);
        solve_secular(kept, poles, weights, squares, of_v, d, exact);
        for (index_t k = 0; k < kept; ++k) {
            d[k] = std::sqrt(d[k]);
            R *const right = of_v.row(k), *const to = of_u.row(k);
            for (index_t j = 0; j < kept; ++j) weights[j] = exact[j] / right[j];
            for (index_t j = 1; j < kept; ++j) poles[j] = values[j] * weights[j];
            poles[0] = -1;
            const R of_right = 1 / length_of(kept, weights), of_left = 1 / length_of(kept, poles);
            for (index_t j = 0; j < kept; ++j) {
                right[place[j]] = weights[j] * of_right;
                to[place[j]] = poles[j] * of_left;
            }
        }
        const index_t top = count[upper] + count[whole], bottom = count[whole] + count[lower];
        const auto turn = [&](const matrix_span<R>& x, const matrix_span<R>& by, index_t end, index_t begin) {
            const matrix_span<R> old{old_.data(), n, x.columns, x.columns};
            for (index_t k = 0; k < n; ++k) std::copy(x.row(from[k]), x.row(from[k]) + x.columns, old.row(k));
            multiply(by.block(0, 0, kept, top), old.block(0, 0, top, end), x.block(0, 0, kept, end));
            multiply(by.block(0, count[upper], kept, bottom), old.block(count[upper], begin, bottom, x.columns - begin),
                     x.block(0, begin, kept, x.columns - begin));
            copy_matrix(old.block(kept, 0, n - kept, x.columns), x.block(kept, 0, n - kept, x.columns));
        };
        turn(u, of_u, half, half + 1);
        for (index_t k = 0; k < n; ++k) u(k, half) = k < kept ? of_u(k, place[0]) : R(0);
        turn(v, of_v, half + 1, half + 1);
    }

    R *d_, *e_;
    matrix_span<R> u_, v_;
    matrix_buffer<R> old_, of_u_, of_v_, numbers_;
    matrix_buffer<index_t> places_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
