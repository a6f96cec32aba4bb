// The exponential of a matrix: Pade approximants with scaling and squaring (Higham 2005).
#pragma once
#include "lu.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The largest sum of a column's absolute values.
template <class T>
real_t<T> one_norm(const matrix_span<T>& a) {
    using R = real_t<T>;
    R largest = 0;
    for (index_t j = 0; j < a.columns; ++j) {
        R sum = 0;
        for (index_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
        if (sum != sum) return sum;
        largest = std::max(largest, sum);
    }
    return largest;
}

/// Pade's approximant of degree [m/m]: (V - U)^-1 (V + U), U odd and V even in A. `powers` are A^2, A^4, ... up to
/// A^(m - 1) or, for m = 13, A^6.
template <class T>
class pade {
   public:
    explicit pade(const matrix_span<T>& a) : a_(a), n_(a.rows), u_(n_, n_), v_(n_, n_), scratch_(n_, n_) {}

    /// A becomes its exponential.
    void run() {
        using R = real_t<T>;
        constexpr bool narrow = sizeof(R) == 4;
        // where an approximant's backward error stays below the unit roundoff (Higham 2005, table 2.3; float: Al-Mohy)
        constexpr int degrees_of_double[] = {3, 5, 7, 9, 13}, degrees_of_float[] = {3, 5, 7};
        constexpr double reach_of_double[] = {1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1,
                                              2.097847961257068, 5.371920351148152};
        constexpr double reach_of_float[] = {4.258730016922831e-1, 1.880152677804762, 3.925724783138660};
        const int* degrees = narrow ? degrees_of_float : degrees_of_double;
        const double* reach = narrow ? reach_of_float : reach_of_double;
        const int last = narrow ? 2 : 4;
        const double norm = static_cast<double>(one_norm(a_));
        if (!(norm <= std::numeric_limits<R>::max())) return fill(std::numeric_limits<R>::quiet_NaN());
        int which = 0, squarings = 0;
        while (which < last && norm > reach[which]) ++which;
        if (norm > reach[last]) {
            std::frexp(norm / reach[last], &squarings);
            for (index_t i = 0; i < n_; ++i)
                for (index_t j = 0; j < n_; ++j) a_(i, j) *= std::ldexp(R(1), -squarings);
        }
        approximate(degrees[which]);
        for (; squarings > 0; --squarings) {
            multiply(a_, a_, scratch_.span());
            copy_matrix(scratch_.span(), a_);
        }
    }

   private:
    void fill(real_t<T> value) {
        for (index_t i = 0; i < n_; ++i) std::fill(a_.row(i), a_.row(i) + n_, T(value));
    }
    /// The coefficients b(0) ... b(m) of the numerator.
    static void coefficients(int m, real_t<T>* b) {
        double c = 1;  // divided by that of the highest power, which is 1
        for (int k = m; k >= 0; --k) {
            b[k] = static_cast<real_t<T>>(c);
            c *= static_cast<double>(k) * (2 * m - k + 1) / (m - k + 1);
        }
    }
    /// to += factor from.
    void add(real_t<T> factor, const matrix_span<T>& from, const matrix_span<T>& to) const {
        for (index_t i = 0; i < n_; ++i) add_scaled(n_, T(factor), from.row(i), to.row(i));
    }
    static void clear(const matrix_span<T>& x) {
        for (index_t i = 0; i < x.rows; ++i) std::fill(x.row(i), x.row(i) + x.columns, T(0));
    }
    void add_identity(real_t<T> factor, const matrix_span<T>& to) const {
        for (index_t i = 0; i < n_; ++i) to(i, i) += factor;
    }
    void approximate(int m) {
        real_t<T> b[14];
        coefficients(m, b);
        const int kept = m == 13 ? 3 : m / 2;
        const matrix_buffer<T> powers(kept * n_, n_);
        const auto power = [&](int k) { return powers.span().block((k - 1) * n_, 0, n_, n_); };
        multiply(a_, a_, power(1));
        for (int k = 2; k <= kept; ++k) multiply(power(k - 1), power(1), power(k));
        const auto u = u_.span(), v = v_.span(), w = scratch_.span();
        clear(w);
        clear(v);
        if (m == 13) {  // the higher half by Horner's rule in A^6
            for (int k = 1; k <= 3; ++k) {
                add(b[2 * k + 7], power(k), w);
                add(b[2 * k + 6], power(k), v);
            }
            multiply(power(3), w, u);
            copy_matrix(u, w);
            multiply(power(3), v, u);
            copy_matrix(u, v);
        }
        for (int k = 1; k <= kept; ++k) {
            add(b[2 * k + 1], power(k), w);
            add(b[2 * k], power(k), v);
        }
        add_identity(b[1], w);
        add_identity(b[0], v);
        multiply(a_, w, u);
        // (V - U) X = V + U
        for (index_t i = 0; i < n_; ++i)
            for (index_t j = 0; j < n_; ++j) {
                a_(i, j) = v(i, j) + u(i, j);
                w(i, j) = v(i, j) - u(i, j);
            }
        const matrix_buffer<index_t> swaps(1, n_);
        factor_lu(w, swaps.data());
        solve_factored(w, swaps.data(), a_);
    }

    matrix_span<T> a_;
    index_t n_;
    matrix_buffer<T> u_, v_, scratch_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
