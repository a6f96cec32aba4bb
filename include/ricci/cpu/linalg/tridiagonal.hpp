// Eigenvalues and eigenvectors of symmetric tridiagonal matrices by implicit QL steps.
#pragma once
#include "rotations.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The eigenvalues of a tridiagonal matrix by implicit QL steps (Dubrulle, Martin and Wilkinson 1968), which need small elements
/// before large ones: blocks that begin with a larger one than they end with are read from their end.
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
    // of a matrix whose largest element's square is a normal number far from its end: rotations of less would be inexact
    static inline const R tiny = std::sqrt(std::numeric_limits<R>::min());

    /// Elements as the block is read.
    R& diagonal(index_t i) { return d_[backward_ ? first_ + last_ - i : i]; }
    R& beside(index_t i) { return e_[backward_ ? first_ + last_ - 1 - i : i]; }
    bool is_negligible(index_t i) const {
        return std::abs(e_[i]) <=
                   std::numeric_limits<R>::epsilon() * std::sqrt(std::abs(d_[i])) * std::sqrt(std::abs(d_[i + 1])) ||
               std::abs(e_[i]) < tiny;
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

}  // namespace RICCI_ISA
}  // namespace ricci::detail
