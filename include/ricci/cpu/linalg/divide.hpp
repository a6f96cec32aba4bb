// Eigenvectors of symmetric tridiagonal matrices by divide and conquer (Cuppen 1981; Gu and Eisenstat 1994): two
// halves, whose vectors one matrix product puts together.
#pragma once
#include "tridiagonal.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The sums of z^2 / (x - t) and of z^2 / (x - t)^2 over some poles x.
template <class R>
struct pole_sums {
    R value = 0, slope = 0;

    pole_sums(index_t n, const R* x, const R* z, R t) {
        index_t j = 0;
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<R>) {
            using lane = simd<R>;
            lane values(R(0)), slopes(R(0));
            for (; j + lane::lanes <= n; j += lane::lanes) {
                const lane weight = lane::load(z + j), quotient = weight / (lane::load(x + j) - lane(t));
                values = math::fma(weight, quotient, values);
                slopes = math::fma(quotient, quotient, slopes);
            }
            if (j > 0) value = reduce_add(values), slope = reduce_add(slopes);
        }
#endif
        for (; j < n; ++j) {
            const R quotient = z[j] / (x[j] - t);
            value += z[j] * quotient;
            slope += quotient * quotient;
        }
    }
};

/// The eigenvalues of diag(d) + rho z z^T with ascending d, rho > 0, |z| = 1 and no z that is negligible: the zeros of
/// 1 / rho + the sum of z_j^2 / (d_j - x), one behind each d.
template <class R>
class secular_equation {
   public:
    secular_equation(index_t n, const R* d, const R* z, R rho) : n_(n), d_(d), z_(z), rho_(rho), offset_(1 / rho) {}

    /// The k-th zero x, and d_j - x for all j, which are exact to a few ulp: distances are kept from the nearer of the
    /// poles beside it (Li 1993).
    R zero(index_t k, R* distances) const {
        const bool last = k + 1 == n_;
        if (n_ == 1) {
            distances[0] = -rho_ * z_[0] * z_[0];
            return d_[0] - distances[0];
        }
        index_t origin = k;
        R low = 0, high = rho_ * 2, t = rho_ / 2;
        if (!last) {
            const R half = (d_[k + 1] - d_[k]) / 2;
            set_distances(k, distances);
            if (offset_ + pole_sums<R>(n_, distances, z_, half).value >= 0) {
                high = half;
            } else {
                origin = k + 1;
                low = -half;
                high = 0;
            }
            t = first_guess(k, origin, half, distances);
            if (!(t > low && t < high)) t = (low + high) / 2;
        }
        set_distances(origin, distances);
        const index_t left =
            last ? k - 1 : k;  // the poles between which a rational function is fitted: this and the next
        for (int step = 0; step < most_steps; ++step) {
            const pole_sums<R> before(left + 1, distances, z_, t),
                behind(n_ - left - 1, distances + left + 1, z_ + left + 1, t);
            const R f = offset_ + before.value + behind.value, slope = before.slope + behind.slope;
            const R exact = offset_ + 8 * (std::abs(before.value) + std::abs(behind.value)) + std::abs(t) * slope;
            if (std::abs(f) <= std::numeric_limits<R>::epsilon() * exact) break;
            (f < 0 ? low : high) = t;
            R next = t + correction(distances[left] - t, distances[left + 1] - t, f, before.slope, behind.slope, last);
            if (!(next > low && next < high) || step > most_steps / 2) next = low + (high - low) / 2;
            if (next == t || next == low || next == high) break;
            t = next;
        }
        for (index_t j = 0; j < n_; ++j) distances[j] -= t;
        return d_[origin] + t;
    }

   private:
    static constexpr int most_steps = 100;

    void set_distances(index_t origin, R* to) const {
        for (index_t j = 0; j < n_; ++j) to[j] = d_[j] - d_[origin];
    }
    /// The zero of a function with the two poles beside it that has the right value in the middle, counted from the
    /// origin; `distances` are from pole k.
    R first_guess(index_t k, index_t origin, R half, const R* distances) const {
        const R p = z_[k] * z_[k], q = z_[k + 1] * z_[k + 1], gap = 2 * half;
        R c = offset_;
        c += pole_sums<R>(k, distances, z_, half).value;
        c += pole_sums<R>(n_ - k - 2, distances + k + 2, z_ + k + 2, half).value;
        if (origin == k) {
            const R a = c * gap + p + q, b = p * gap, root = std::sqrt(std::abs(a * a - 4 * b * c));
            return a > 0 ? 2 * b / (a + root) : (a - root) / (2 * c);
        }
        const R a = c * gap - p - q, b = q * gap, root = std::sqrt(std::abs(a * a + 4 * b * c));
        return a < 0 ? 2 * b / (a - root) : -(a + root) / (2 * c);
    }
    /// The step to the zero of c + r / (x - t) + s / (y - t), which has the function's value and, for the poles on
    /// either side, its slopes ("the middle way"); Newton's where that goes the wrong way.
    static R correction(R x, R y, R f, R left_slope, R right_slope, bool last) {
        const R slope = left_slope + right_slope;
        R c = f - x * left_slope - y * right_slope;
        const R a = (x + y) * f - x * y * slope, b = x * y * f;
        if (last && c < 0) c = -c;
        const R root = std::sqrt(std::abs(a * a - 4 * b * c));
        R step;
        if (last) step = a >= 0 ? (a + root) / (2 * c) : 2 * b / (a - root);
        else step = a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
        return f * step < 0 ? step : -f / slope;
    }

    index_t n_;
    const R *d_, *z_;
    R rho_, offset_;
};

/// The zeros of an equation of n poles, their distances from the poles as the rows of a matrix, and the weights, rho
/// among them, of which these zeros are exactly those: with them the vectors are orthogonal (Gu and Eisenstat 1994).
template <class R>
void solve_secular(index_t n, const R* poles, const R* weights, R rho, const matrix_span<R>& distances, R* zeros,
                   R* exact) {
    const secular_equation<R> equation(n, poles, weights, rho);
    parallel_pieces(n, 16, [&](index_t k, index_t some) {
        for (const index_t end = k + some; k < end; ++k) zeros[k] = equation.zero(k, distances.row(k));
    });
    std::fill(exact, exact + n, R(1));
    for (index_t k = 0; k < n; ++k) {
        const R* const distance = distances.row(k);
        for (index_t j = 0; j < k; ++j) exact[j] *= distance[j] / (poles[j] - poles[k]);
        exact[k] *= distance[k];
        for (index_t j = k + 1; j < n; ++j) exact[j] *= distance[j] / (poles[j] - poles[k]);
    }
    for (index_t j = 0; j < n; ++j) exact[j] = std::copysign(std::sqrt(std::abs(exact[j])), weights[j]);
}

/// The eigenvalues of a tridiagonal matrix, in no order, and its eigenvectors as the rows of a matrix.
template <class R>
class tridiagonal_halves {
   public:
    /// d and e, which has room for n elements, are overwritten by the values and by nothing of use.
    tridiagonal_halves(index_t n, R* d, R* e, const matrix_span<R>& vectors)
        : d_(d), e_(e), vectors_(vectors), old_(n, n), products_(n, n), numbers_(4, n), places_(3, n) {}

    bool run() {
        const index_t n = vectors_.rows;
        R largest = 0;
        for (index_t i = 0; i < n; ++i)
            largest = std::max({largest, std::abs(d_[i]), i + 1 < n ? std::abs(e_[i]) : R(0)});
        const R factor = largest > 0 ? power_of_two_near(largest) : R(1);
        scale_row(n, 1 / factor, d_);
        scale_row(n - 1, 1 / factor, e_);
        if (!solve(0, n)) return false;
        scale_row(n, factor, d_);
        return true;
    }

   private:
    static constexpr index_t undivided = 32;
    enum kind : index_t { upper, whole, lower, deflated };  // where a vector has elements

    bool solve(index_t first, index_t n) {
        const auto z = vectors_.block(first, first, n, n);
        if (n <= undivided) {
            fill_identity(z);
            return tridiagonal_ql<R>(n, d_ + first, e_ + first, z).run();
        }
        const index_t half = n / 2;
        const R rho = e_[first + half - 1];
        d_[first + half - 1] -= std::abs(rho);
        d_[first + half] -= std::abs(rho);
        if (!solve(first, half) || !solve(first + half, n - half)) return false;
        for (index_t i = 0; i < half; ++i) std::fill(z.row(i) + half, z.row(i) + n, R(0));
        for (index_t i = half; i < n; ++i) std::fill(z.row(i), z.row(i) + half, R(0));
        merge(first, n, half, rho);
        return true;
    }

    /// The eigenvectors of diag(d) + |rho| v v^T, v's elements being the halves' ends.
    void merge(index_t first, index_t n, index_t half, R rho) {
        const auto z = vectors_.block(first, first, n, n);
        R *const d = d_ + first, *const v = numbers_.span().row(0);
        index_t *const order = places_.span().row(0), *const kinds = places_.span().row(1);
        const R root = std::sqrt(R(0.5));
        R largest = 0, largest_v = 0;
        for (index_t i = 0; i < n; ++i) {
            v[i] = root * (i < half ? z(i, half - 1) : rho < 0 ? -z(i, half) : z(i, half));
            order[i] = i;
            kinds[i] = i < half ? upper : lower;
            largest = std::max(largest, std::abs(d[i]));
            largest_v = std::max(largest_v, std::abs(v[i]));
        }
        rho = 2 * std::abs(rho);
        constexpr R eps =
            std::numeric_limits<R>::epsilon();  // beside the whole matrix, whose largest element is near 1, its square
        const R negligible = eps * std::max({8 * largest, 8 * largest_v * rho, eps});
        std::sort(order, order + n, [d](index_t i, index_t j) { return d[i] != d[j] ? d[i] < d[j] : i < j; });
        const index_t kept = deflate(n, d, v, rho, negligible, z);
        if (kept > 0) combine(n, half, kept, d, v, rho, z);
    }
    /// Takes out the pairs that the update leaves alone: those of negligible v, and of two near values one, after a
    /// rotation that makes its v zero. The others' places come, ascending, to places_' row 2; how many there are.
    index_t deflate(index_t n, R* d, R* v, R rho, R negligible, const matrix_span<R>& z) {
        const index_t* const order = places_.span().row(0);
        index_t *const kinds = places_.span().row(1), *const left = places_.span().row(2);
        index_t kept = 0, before = -1;
        for (index_t k = 0; k < n; ++k) {
            const index_t i = order[k];
            if (rho * std::abs(v[i]) <= negligible) {
                kinds[i] = deflated;
                continue;
            }
            if (before >= 0) {
                const R length = std::hypot(v[i], v[before]), c = v[i] / length, s = v[before] / length;
                if (std::abs((d[i] - d[before]) * c * s) <= negligible) {
                    v[i] = length;
                    v[before] = 0;
                    rotate_rows(z.columns, c, s, z.row(before), z.row(i));
                    const R x = d[before], y = d[i];
                    d[before] = x * c * c + y * s * s;
                    d[i] = x * s * s + y * c * c;
                    if (kinds[i] != kinds[before]) kinds[i] = whole;
                    kinds[before] = deflated;
                } else {
                    left[kept++] = before;
                }
            }
            before = i;
        }
        if (before >= 0) left[kept++] = before;
        return kept;
    }
    /// The new vectors, from those that are left. Rows are first put in the order of their kinds, so that no product
    /// has a block of zeros.
    void combine(index_t n, index_t half, index_t kept, R* d, const R* v, R rho, const matrix_span<R>& z) {
        const auto numbers = numbers_.span();
        R *const poles = numbers.row(1), *const weights = numbers.row(2), *const exact = numbers.row(3);
        index_t *const place = places_.span().row(0), *const left = places_.span().row(2);
        const index_t* const kinds = places_.span().row(1);
        const matrix_span<R> old{old_.data(), n, n, n}, s{products_.data(), kept, kept, kept};
        R squares = 0;
        for (index_t j = 0; j < kept; ++j) squares += v[left[j]] * v[left[j]];
        const R length = std::sqrt(squares);
        for (index_t j = 0; j < kept; ++j) {
            poles[j] = d[left[j]];
            weights[j] = v[left[j]] / length;
        }
        index_t count[3] = {}, next = kept;
        for (index_t j = 0; j < kept; ++j) ++count[kinds[left[j]]];
        for (index_t i = 0; i < n; ++i)
            if (kinds[i] == deflated) {
                std::copy(z.row(i), z.row(i) + n, old.row(next));
                exact[next++] = d[i];
            }
        index_t at[3] = {0, count[upper], count[upper] + count[whole]};
        for (index_t j = 0; j < kept; ++j) {
            place[j] = at[kinds[left[j]]]++;
            std::copy(z.row(left[j]), z.row(left[j]) + n, old.row(place[j]));
        }
        std::copy(exact + kept, exact + n, d + kept);
        solve_secular(kept, poles, weights, rho * squares, s, d, exact);
        for (index_t k = 0; k < kept; ++k) {
            R* const row = s.row(k);
            for (index_t j = 0; j < kept; ++j) poles[j] = exact[j] / row[j];
            const R scale = 1 / length_of(kept, poles);
            for (index_t j = 0; j < kept; ++j) row[place[j]] = poles[j] * scale;
        }
        const index_t top = count[upper] + count[whole], bottom = count[whole] + count[lower];
        multiply(s.block(0, 0, kept, top), old.block(0, 0, top, half), z.block(0, 0, kept, half));
        multiply(s.block(0, count[upper], kept, bottom), old.block(count[upper], half, bottom, n - half),
                 z.block(0, half, kept, n - half));
        copy_matrix(old.block(kept, 0, n - kept, n), z.block(kept, 0, n - kept, n));
    }

    R *d_, *e_;
    matrix_span<R> vectors_;
    matrix_buffer<R> old_, products_, numbers_;
    matrix_buffer<index_t> places_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
