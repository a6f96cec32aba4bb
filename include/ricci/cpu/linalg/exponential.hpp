// The exponential of a matrix: Pade approximants with scaling and squaring (Higham 2005), scaled no more than the
// powers of the matrix ask for (Al-Mohy and Higham 2009).
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

/// Pade's approximant of degree [m/m]: (V - U)^-1 (V + U), U odd and V even in A. The powers kept are A^2, A^4, ... up
/// to A^(m - 1) or, for m = 13, A^6.
template <class T>
class pade {
   public:
    explicit pade(const matrix_span<T>& a) : a_(a), powers_(), n_(a.rows), u_(n_, n_), v_(n_, n_), scratch_(n_, n_) {}

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
        int which = 0;
        while (which < last && norm > reach[which]) ++which;
        const int m = degrees[which], kept = m == 13 ? 3 : m / 2;
        const matrix_buffer<T> powers(kept * n_, n_);
        powers_ = powers.span();
        int squarings = 0;
        if (norm > reach[last]) std::frexp(norm / reach[last], &squarings);
        scale(a_, -squarings);
        multiply(a_, a_, power(1));
        for (int k = 2; k <= kept; ++k) multiply(power(k - 1), power(1), power(k));
        if (squarings > 0) {
            const int fewer = squarings - needed_squarings(squarings, m, reach[last]);
            scale(a_, fewer);
            for (int k = 1; k <= kept; ++k) scale(power(k), 2 * k * fewer);
            squarings -= fewer;
        }
        approximate(m, kept);
        for (; squarings > 0; --squarings) {
            multiply(a_, a_, scratch_.span());
            copy_matrix(scratch_.span(), a_);
        }
    }

   private:
    void fill(real_t<T> value) {
        for (index_t i = 0; i < n_; ++i) std::fill(a_.row(i), a_.row(i) + n_, T(value));
    }
    matrix_span<T> power(int k) const { return powers_.block((k - 1) * n_, 0, n_, n_); }
    static void scale(const matrix_span<T>& x, int exponent) {
        for (index_t i = 0; i < x.rows && exponent != 0; ++i)
            scale_row(x.columns, std::ldexp(real_t<T>(1), exponent), x.row(i));
    }
    /// How many of the squarings that |A| asks for the powers of A do, which a matrix far from a normal one makes much
    /// smaller: each squaring too many doubles the error.
    int needed_squarings(int squarings, int m, double reach) const {
        constexpr bool narrow = sizeof(real_t<T>) == 4;
        constexpr int most_fewer = narrow ? 15 : 75;  // the approximant has products of m factors near |A|
        const double size = std::max(std::pow(static_cast<double>(one_norm(power(2))), 1.0 / 4),
                                     std::pow(static_cast<double>(one_norm(power(3))), 1.0 / 6));
        int fewer = most_fewer;
        while (fewer > 0 && std::ldexp(size, fewer) > reach) --fewer;
        fewer = std::min(fewer, squarings);
        // the backward error's first term, of the absolute values, must be below the unit roundoff
        double first = 1;  // (m!)^2 / ((2m)! (2m + 1)!)
        for (int k = 1; k <= m; ++k) first *= k / (static_cast<double>(m + k) * (m + 1 + k));
        first /= m + 1;
        for (int k = 1; k <= m; ++k) first /= k;
        const double growth = absolute_growth(fewer, 2 * m + 1);
        const double excess = std::log2(first * growth / std::ldexp(1.0, narrow ? -24 : -53)) / (2 * m);
        if (!(excess <= 0)) fewer -= excess < fewer ? static_cast<int>(std::ceil(excess)) : fewer;
        return squarings - fewer;
    }
    /// The norm of the n-th power of the absolute values of 2^exponent A, over that of the first.
    double absolute_growth(int exponent, int n) const {
        const matrix_buffer<double> absolute(n_, n_), sums(2, n_);
        const auto size = absolute.span();
        for (index_t i = 0; i < n_; ++i)
            for (index_t j = 0; j < n_; ++j) size(i, j) = std::ldexp(static_cast<double>(std::abs(a_(i, j))), exponent);
        double *from = sums.span().row(0), *to = sums.span().row(1), first = 1;
        std::fill(from, from + n_, 1.0);
        for (int k = 0; k < n; ++k) {
            std::fill(to, to + n_, 0.0);
            for (index_t i = 0; i < n_; ++i) add_scaled(n_, from[i], size.row(i), to);
            if (k == 0) first = *std::max_element(to, to + n_);
            std::swap(from, to);
        }
        return *std::max_element(from, from + n_) / first;
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
    void approximate(int m, int kept) {
        real_t<T> b[14];
        coefficients(m, b);
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

    matrix_span<T> a_, powers_;
    index_t n_;
    matrix_buffer<T> u_, v_, scratch_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
