// Eigenvalues and eigenvectors of symmetric tridiagonal matrices by implicit QL steps.
#pragma once
#include "rotations.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether the square of an element beside the diagonal is nothing next to the two elements on it.
template <class R>
RICCI_INLINE bool is_negligible_square(R square, R upper, R lower) {
    constexpr R eps = std::numeric_limits<R>::epsilon();
    return square <= std::abs(eps * upper) * std::abs(eps * lower);
}

/// The eigenvalues of a tridiagonal matrix by implicit QL steps (Dubrulle, Martin and Wilkinson 1968), which need small
/// elements before large ones: blocks that begin with a larger one than they end with are read from their end.
template <class T>
class tridiagonal_ql {
    using R = real_t<T>;

   public:
    /// The rows of z, unless it is empty, are rotated along.
    tridiagonal_ql(index_t n, R* d, R* e, const matrix_span<T>& z) : n_(n), d_(d), e_(e), rotations_(z) {}

    /// The values come to d, in no order. False when they take more than 50 steps each, one with another.
    bool run() {
        index_t steps = 50 * n_;
        for (first_ = 0; first_ < n_; first_ = last_ + 1) {
            for (last_ = first_; last_ + 1 < n_ && !is_negligible(last_);) ++last_;
            backward_ = std::abs(d_[last_]) < std::abs(d_[first_]);
            for (index_t l = first_; l < last_;) {
                index_t m = l;
                while (m < last_ && !is_negligible(backward_ ? first_ + last_ - 1 - m : m)) ++m;
                if (m == l) {
                    ++l;
                } else if (steps-- == 0) {
                    return false;
                } else {
                    step(l, m);
                }
            }
        }
        rotations_.apply();
        return true;
    }

   private:
    // of a matrix whose largest element's square is a normal number far from its end: rotations of less would be
    // inexact
    static inline const R tiny = std::sqrt(std::numeric_limits<R>::min());

    /// Elements as the block is read.
    R& diagonal(index_t i) { return d_[backward_ ? first_ + last_ - i : i]; }
    R& beside(index_t i) { return e_[backward_ ? first_ + last_ - 1 - i : i]; }
    bool is_negligible(index_t i) const {
        return std::abs(e_[i]) < tiny || is_negligible_square(e_[i] * e_[i], d_[i], d_[i + 1]);
    }
    static R length(R f, R g) {
        const R squares = f * f + g * g;
        return squares > std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() ? std::sqrt(squares)
                                                                                           : std::hypot(f, g);
    }
    void step(index_t l, index_t m) {
        R g = (diagonal(l + 1) - diagonal(l)) / (2 * beside(l));
        g = diagonal(m) - diagonal(l) + beside(l) / (g + std::copysign(std::hypot(g, R(1)), g));
        R s = 1, c = 1, p = 0;
        rotations_.begin(backward_ ? first_ + last_ - m : m, m - l, !backward_);
        for (index_t i = m - 1; i >= l; --i) {
            const R f = s * beside(i), b = c * beside(i), r = length(f, g);
            if (i + 1 < m) beside(i + 1) = r;
            if (r == 0) {  // the matrix splits here
                diagonal(i + 1) -= p;
                if (m < last_) beside(m) = 0;
                return rotations_.end_after(m - 1 - i);
            }
            s = f / r;
            c = g / r;
            const R h = diagonal(i + 1) - p, t = (diagonal(i) - h) * s + 2 * c * b;
            p = s * t;
            diagonal(i + 1) = h + p;
            g = c * t - b;
            rotations_.add(c, backward_ ? -s : s);
        }
        diagonal(l) -= p;
        beside(l) = g;
        if (m < last_) beside(m) = 0;
    }

    index_t n_;
    R *d_, *e_;
    pending_rotations<T> rotations_;
    index_t first_ = 0, last_ = 0;
    bool backward_ = false;
};

/// The eigenvalues alone: the same steps on the squares of the elements beside the diagonal, which take no roots (Pal,
/// Walker and Kahan; Parlett 1980, 8.15). Of a matrix whose largest element's square is a normal number far from its
/// end.
template <class R>
class tridiagonal_values {
   public:
    /// The values come to d, in no order; e is overwritten.
    tridiagonal_values(index_t n, R* d, R* e) : n_(n), d_(d), squares_(e) {}

    /// False when they take more than 50 steps each, one with another.
    bool run() {
        for (index_t i = 0; i + 1 < n_; ++i) squares_[i] *= squares_[i];
        index_t steps = 50 * n_;
        for (index_t first = 0, last; first < n_; first = last + 1) {
            for (last = first; last + 1 < n_ && !is_negligible(last);) ++last;
            if (std::abs(d_[last]) < std::abs(d_[first])) {  // small elements before large ones
                std::reverse(d_ + first, d_ + last + 1);
                std::reverse(squares_ + first, squares_ + last);
            }
            for (index_t l = first; l < last;) {
                index_t m = l;
                while (m < last && !is_negligible(m)) ++m;
                if (m == l) {
                    ++l;
                } else if (m == l + 1) {
                    solve_pair(l);
                    l += 2;
                } else if (steps-- == 0) {
                    return false;
                } else {
                    if (m < last) squares_[m] = 0;
                    step(l, m);
                }
            }
        }
        return true;
    }

   private:
    bool is_negligible(index_t i) const {
        return squares_[i] < std::numeric_limits<R>::min() || is_negligible_square(squares_[i], d_[i], d_[i + 1]);
    }
    /// Both values of rows l and l + 1: the larger one, and by the determinant the smaller one.
    void solve_pair(index_t l) {
        const R sum = d_[l] + d_[l + 1], difference = d_[l] - d_[l + 1];
        const R root = std::sqrt(difference * difference + 4 * squares_[l]);
        const R large = std::abs(d_[l]) > std::abs(d_[l + 1]) ? d_[l] : d_[l + 1],
                small = std::abs(d_[l]) > std::abs(d_[l + 1]) ? d_[l + 1] : d_[l];
        const R far = (sum + std::copysign(root, sum)) / 2;
        d_[l] = far;
        d_[l + 1] = far != 0 ? (large / far) * small - squares_[l] / far : R(0);
    }
    void step(index_t l, index_t m) {
        const R beside = std::sqrt(squares_[l]), g = (d_[l + 1] - d_[l]) / (2 * beside);
        const R shift = d_[l] - beside / (g + std::copysign(std::hypot(g, R(1)), g));
        R c = 1, s = 0, gamma = d_[m] - shift, p = gamma * gamma;
        for (index_t i = m - 1; i >= l; --i) {
            const R square = squares_[i], r = p + square, old_c = c, old_gamma = gamma, here = d_[i];
            if (i + 1 < m) squares_[i + 1] = s * r;
            c = p / r;
            s = square / r;
            const R inverse = r / p;  // of c, and sooner there than its quotient
            gamma = c * (here - shift) - s * old_gamma;
            d_[i + 1] = old_gamma + (here - gamma);
            p = p >= std::numeric_limits<R>::min() ? gamma * gamma * inverse : old_c * square;
        }
        squares_[l] = s * p;
        d_[l] = shift + gamma;
    }

    index_t n_;
    R *d_, *squares_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
