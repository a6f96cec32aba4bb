// Singular values of bidiagonal matrices, and the reduction of any matrix to one.
#pragma once
#include "qr.hpp"
#include "rotations.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A = Q B P^H of an m x n matrix with m >= n: B real, d on its diagonal and e above it. Below the diagonal, in
/// columns, the vectors of Q's reflections, as factor_qr leaves them, with factors tau_q; those of P's in the rows of
/// p, from column k + 1 on, tau_p. Reflections of a panel of columns and rows change the rest of A together, by a
/// product of matrices: before that, A's elements are those of A - L^T R (Dongarra, Sorensen and Hammarling 1989).
template <class T>
class bidiagonal_reduction {
    using R = real_t<T>;
    static constexpr index_t panel = 32;

   public:
    bidiagonal_reduction(const matrix_span<T>& a, R* d, R* e, T* tau_q, const matrix_span<T>& p, T* tau_p)
        : a_(a),
          p_(p),
          d_(d),
          e_(e),
          tau_q_(tau_q),
          tau_p_(tau_p),
          left_(2 * panel, a.rows),
          right_(2 * panel, a.columns),
          vector_(1, a.rows) {}

    void run() {
        const index_t n = a_.columns, most = a_.rows <= panel ? 1 : panel;  // small matrices stay in the cache
        for (index_t k = 0; k < n; k += most) {
            const index_t width = std::min(most, n - k), next = k + width;
            for (index_t q = 0; q < width; ++q) reduce(k + q, 2 * q);
            const auto l = left_.span(), r = right_.span();
            subtract_product(a_.block(next, next, a_.rows - next, n - next), 2 * width, l.data + next, 1, l.step,
                             r.data + next, r.step, 1);
        }
    }

   private:
    T* left(index_t i) const { return left_.span().row(i); }
    T* right(index_t i) const { return right_.span().row(i); }

    /// Column and row k, for which the first `count` rows of L and R are known; adds two.
    void reduce(index_t k, index_t count) {
        const index_t m = a_.rows, rest = a_.columns - k - 1, below = m - k - 1;
        T *const v = left(count), *const x = left(count + 1);
        for (index_t i = k; i < m; ++i) v[i] = a_(i, k);
        for (index_t q = 0; q < count; ++q) add_scaled(m - k, T(-right(q)[k]), left(q) + k, v + k);
        tau_q_[k] = make_reflection(v[k], below, v + k + 1, d_[k]);
        for (index_t i = k + 1; i < m; ++i) a_(i, k) = v[i];
        v[k] = T(1);
        if (rest == 0) return;
        // A becomes A - v y with y = conj(tau) v^H A
        T *const y = right(count) + k + 1, *const u_bar = right(count + 1) + k + 1, *const top = a_.row(k) + k + 1;
        const T* factors = v;
        if constexpr (is_complex_v<T>) {
            for (index_t i = k; i < m; ++i) vector_.data()[i] = conjugate(v[i]);
            factors = vector_.data();
        }
        gemm<T>(1, rest, below + 1, factors + k, m, 1, top, a_.step, 1, y, rest);
        for (index_t q = 0; q < count; ++q)
            add_scaled(rest, T(-dot_product(below + 1, factors + k, left(q) + k)), right(q) + k + 1, y);
        scale_row(rest, conjugate(tau_q_[k]), y);
        // A's row k, which the next reflection comes from: A becomes A - x u^H with x = tau A u
        for (index_t q = 0; q <= count; ++q) add_scaled(rest, T(-left(q)[k]), right(q) + k + 1, top);
        T* const u = p_.row(k) + k + 1;
        for (index_t j = 0; j < rest; ++j) u[j] = conjugate(top[j]);
        tau_p_[k] = make_reflection(u[0], rest - 1, u + 1, e_[k]);
        u[0] = T(1);
        for (index_t j = 0; j < rest; ++j) u_bar[j] = conjugate(u[j]);
        gemm<T>(below, 1, rest, top + a_.step, a_.step, 1, u, 1, 1, x + k + 1, 1);
        for (index_t q = 0; q <= count; ++q)
            add_scaled(below, T(-dot_product(rest, right(q) + k + 1, u)), left(q) + k + 1, x + k + 1);
        scale_row(below, tau_p_[k], x + k + 1);
    }

    matrix_span<T> a_, p_;
    R *d_, *e_;
    T *tau_q_, *tau_p_;
    matrix_buffer<T> left_, right_, vector_;
};

/// Givens' rotation: c f + s g = r, c g - s f = 0.
template <class R>
RICCI_INLINE void make_rotation(R f, R g, R& c, R& s, R& r) {
    if (g == 0) {
        c = 1, s = 0, r = f;
        return;
    }
    const R squares = f * f + g * g;
    const bool exact = squares > std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() &&
                       squares <= std::numeric_limits<R>::max();
    r = std::copysign(exact ? std::sqrt(squares) : std::hypot(f, g), f);
    c = f / r;
    s = g / r;
}

/// The singular values of an upper bidiagonal matrix, by QR steps with shifts that become zero where these would spoil
/// small values (Demmel and Kahan 1990): each is found to a few ulp.
template <class T>
class bidiagonal_qr {
    using R = real_t<T>;
    static constexpr R eps = std::numeric_limits<R>::epsilon() / 2;

   public:
    /// The rows of u and vh, unless they are empty, are rotated along. d and e are overwritten.
    bidiagonal_qr(index_t n, R* d, R* e, const matrix_span<T>& u, const matrix_span<T>& vh)
        : n_(n), d_(d), e_(e), vh_(vh), left_(u), right_(vh) {}

    /// The values come to d, in no order. False when they do not converge.
    bool run() {
        R mu = n_ > 0 ? std::abs(d_[0]) : R(0), least = mu;
        for (index_t i = 1; i < n_ && least > 0; ++i) least = std::min(least, mu = std::abs(d_[i]) * kept(mu, i - 1));
        const R n = static_cast<R>(std::max<index_t>(n_, 1));
        tolerance_ = std::clamp(std::pow(eps, R(-0.125)), R(10), R(100)) * eps;
        // rotations of still smaller elements, of a matrix of elements near 1, would be inexact
        threshold_ = std::max(tolerance_ * least / std::sqrt(n), std::sqrt(std::numeric_limits<R>::min()));
        index_t left = 6 * n_ * n_, last = n_ - 1;  // of the rotations that they grant
        while (last > 0) {
            index_t first = last;
            while (first > 0 && std::abs(e_[first - 1]) > threshold_) --first;
            if (first == last) e_[--last] = 0;
            else if (!splits(first, last)) left -= last - first;
            if (left < 0) return false;
        }
        left_.apply();
        right_.apply();
        for (index_t i = 0; i < n_; ++i)
            if (std::signbit(d_[i])) {
                d_[i] = -d_[i];
                if (vh_.rows > 0) scale_row(vh_.columns, R(-1), vh_.row(i));
            }
        return true;
    }

   private:
    /// The part that e(i) leaves of mu, a bound of the smallest value.
    R kept(R mu, index_t i) const { return mu / (mu + std::abs(e_[i])); }
    /// One step on a block; true where an element beside the diagonal was found negligible instead.
    bool splits(index_t first, index_t last) {
        if (first > last_ || last < first_)  // a new one: chase the bulge from the large end to the small one
            upward_ = std::abs(d_[first]) < std::abs(d_[last]);
        first_ = first;
        last_ = last;
        R least = 0;
        if (is_split(first, last, least)) return true;
        const R shift = shift_of(first, last, least);
        if (shift == 0) upward_ ? chase_up_unshifted(first, last) : chase_down_unshifted(first, last);
        else upward_ ? chase_up(first, last, shift) : chase_down(first, last, shift);
        return false;
    }
    /// Whether some e is small beside what it could change (their criterion 1), which it becomes 0 for; else a bound of
    /// the values.
    bool is_split(index_t first, index_t last, R& least) {
        const auto negligible = [&](index_t i, R beside) {
            if (std::abs(e_[i]) > tolerance_ * beside) return false;
            e_[i] = 0;
            return true;
        };
        if (!upward_) {
            if (negligible(last - 1, std::abs(d_[last]))) return true;
            R mu = least = std::abs(d_[first]);
            for (index_t i = first; i < last; ++i) {
                if (negligible(i, mu)) return true;
                mu = std::abs(d_[i + 1]) * kept(mu, i);
                least = std::min(least, mu);
            }
        } else {
            if (negligible(first, std::abs(d_[first]))) return true;
            R mu = least = std::abs(d_[last]);
            for (index_t i = last - 1; i >= first; --i) {
                if (negligible(i, mu)) return true;
                mu = std::abs(d_[i]) * kept(mu, i);
                least = std::min(least, mu);
            }
        }
        return false;
    }
    R shift_of(index_t first, index_t last, R least) const {
        R largest = 0;
        for (index_t i = first; i <= last; ++i)
            largest = std::max({largest, std::abs(d_[i]), i < last ? std::abs(e_[i]) : R(0)});
        if (static_cast<R>(n_) * tolerance_ * (least / largest) <= std::max(eps, R(0.01) * tolerance_)) return 0;
        const R beside = upward_ ? std::abs(d_[last]) : std::abs(d_[first]);
        const R shift =
            upward_ ? least_of(d_[first], e_[first], d_[first + 1]) : least_of(d_[last - 1], e_[last - 1], d_[last]);
        return beside > 0 && (shift / beside) * (shift / beside) < eps ? R(0) : shift;
    }
    /// The smaller singular value of (f g; 0 h).
    static R least_of(R f, R g, R h) {
        f = std::abs(f), g = std::abs(g), h = std::abs(h);
        const R small = std::min(f, h), large = std::max(f, h);
        if (small == 0) return 0;
        if (g < large) {
            const R sum = 1 + small / large, difference = (large - small) / large, q = (g / large) * (g / large);
            return small * (2 / (std::sqrt(sum * sum + q) + std::sqrt(difference * difference + q)));
        }
        const R q = large / g;
        if (q == 0) return (small * large) / g;
        const R sum = (1 + small / large) * q, difference = ((large - small) / large) * q;
        return 2 * ((small * (1 / (std::sqrt(1 + sum * sum) + std::sqrt(1 + difference * difference)))) * q);
    }
    void begin(index_t first, index_t last, bool descending) {
        left_.begin(descending ? last : first, last - first, descending);
        right_.begin(descending ? last : first, last - first, descending);
    }
    void chase_down_unshifted(index_t first, index_t last) {
        begin(first, last, false);
        R c = 1, old_c = 1, s = 0, old_s = 0, r = 0;
        for (index_t i = first; i < last; ++i) {
            make_rotation(d_[i] * c, e_[i], c, s, r);
            if (i > first) e_[i - 1] = old_s * r;
            make_rotation(old_c * r, d_[i + 1] * s, old_c, old_s, d_[i]);
            right_.add(c, -s);
            left_.add(old_c, -old_s);
        }
        const R h = d_[last] * c;
        d_[last] = h * old_c;
        e_[last - 1] = h * old_s;
    }
    void chase_up_unshifted(index_t first, index_t last) {
        begin(first, last, true);
        R c = 1, old_c = 1, s = 0, old_s = 0, r = 0;
        for (index_t i = last; i > first; --i) {
            make_rotation(d_[i] * c, e_[i - 1], c, s, r);
            if (i < last) e_[i] = old_s * r;
            make_rotation(old_c * r, d_[i - 1] * s, old_c, old_s, d_[i]);
            left_.add(c, s);
            right_.add(old_c, old_s);
        }
        const R h = d_[first] * c;
        d_[first] = h * old_c;
        e_[first] = h * old_s;
    }
    void chase_down(index_t first, index_t last, R shift) {
        begin(first, last, false);
        R f = (std::abs(d_[first]) - shift) * (std::copysign(R(1), d_[first]) + shift / d_[first]), g = e_[first];
        for (index_t i = first; i < last; ++i) {
            R c, s, r, left_c, left_s;
            make_rotation(f, g, c, s, r);
            if (i > first) e_[i - 1] = r;
            f = c * d_[i] + s * e_[i];
            e_[i] = c * e_[i] - s * d_[i];
            g = s * d_[i + 1];
            d_[i + 1] *= c;
            make_rotation(f, g, left_c, left_s, d_[i]);
            f = left_c * e_[i] + left_s * d_[i + 1];
            d_[i + 1] = left_c * d_[i + 1] - left_s * e_[i];
            if (i + 1 < last) {
                g = left_s * e_[i + 1];
                e_[i + 1] *= left_c;
            }
            right_.add(c, -s);
            left_.add(left_c, -left_s);
        }
        e_[last - 1] = f;
    }
    void chase_up(index_t first, index_t last, R shift) {
        begin(first, last, true);
        R f = (std::abs(d_[last]) - shift) * (std::copysign(R(1), d_[last]) + shift / d_[last]), g = e_[last - 1];
        for (index_t i = last; i > first; --i) {
            R c, s, r, right_c, right_s;
            make_rotation(f, g, c, s, r);
            if (i < last) e_[i] = r;
            f = c * d_[i] + s * e_[i - 1];
            e_[i - 1] = c * e_[i - 1] - s * d_[i];
            g = s * d_[i - 1];
            d_[i - 1] *= c;
            make_rotation(f, g, right_c, right_s, d_[i]);
            f = right_c * e_[i - 1] + right_s * d_[i - 1];
            d_[i - 1] = right_c * d_[i - 1] - right_s * e_[i - 1];
            if (i - 1 > first) {
                g = right_s * e_[i - 2];
                e_[i - 2] *= right_c;
            }
            left_.add(c, s);
            right_.add(right_c, right_s);
        }
        e_[first] = f;
    }

    index_t n_;
    R *d_, *e_;
    matrix_span<T> vh_;
    pending_rotations<T> left_, right_;
    R tolerance_ = 0, threshold_ = 0;
    index_t first_ = -1, last_ = -1;
    bool upward_ = false;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
