// The principal square root and logarithm of a matrix by its Schur form: the root of the triangle by its recurrence
// (Bjorck and Hammarling 1983), the logarithm by roots and Pade approximants (Al-Mohy and Higham 2012).
#pragma once
#include <numbers>

#include "../math/legendre.hpp"
#include "schur.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Principal functions of an upper triangular matrix, in its place.
template <class R>
class triangular_functions {
   public:
    using C = std::complex<R>;
    explicit triangular_functions(const matrix_span<C>& t) : t_(t), n_(t.rows) {}

    /// False where there is none.
    bool square_root() {
        for (index_t i = n_ - 1; i >= 0; --i) {
            C* const row = t_.row(i);
            row[i] = std::sqrt(row[i]);
            for (index_t j = i + 1; j < n_; ++j) {
                const C sum = row[i] + t_(j, j);
                if (row[j] == C(0)) continue;
                if (sum == C(0)) return false;
                row[j] /= sum;
                add_scaled(n_ - j - 1, -row[j], t_.row(j) + j + 1, row + j + 1);
            }
        }
        return true;
    }
    /// Of a matrix without an eigenvalue 0.
    void logarithm() {
        const matrix_buffer<C> original(2, n_);
        C *const values = original.span().row(0), *const beside = original.span().row(1);
        for (index_t i = 0; i < n_; ++i) {
            values[i] = t_(i, i);
            beside[i] = i + 1 < n_ ? t_(i, i + 1) : C(0);
        }
        int degree = 7;
        const int roots = take_roots(values, degree);
        degree = std::min(degree, 7);
        for (index_t i = 0; i < n_; ++i) t_(i, i) = root_less_1(values[i], roots);
        const R power = std::ldexp(R(1), -roots);
        for (index_t i = 0; i + 1 < n_; ++i)
            t_(i, i + 1) = beside[i] * divided_difference(values[i], values[i + 1], power);
        approximate(degree, std::ldexp(R(1), roots));
        for (index_t i = 0; i < n_; ++i) t_(i, i) = std::log(values[i]);
        for (index_t i = 0; i + 1 < n_; ++i)
            t_(i, i + 1) = beside[i] * divided_difference(values[i], values[i + 1], R(0));
    }

   private:
    /// Takes roots until T - 1 is small enough for an approximant; their number, and its degree (algorithm 4.1).
    int take_roots(const C* values, int& degree) {
        constexpr R reach[] = {1.59e-5, 2.31e-3, 1.94e-2, 6.21e-2, 1.28e-1, 2.06e-1, 2.88e-1};  // table 2.1
        int roots = 0, extra = 0;
        for (;;) {
            R largest = 0;
            for (index_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(root_less_1(values[i], roots)));
            if (largest <= reach[6] || roots == 100) break;
            square_root();
            ++roots;
        }
        const matrix_buffer<C> r(n_, n_), square(n_, n_), other(n_, n_);
        for (; roots < 100; ++roots) {
            copy_matrix(t_, r.span());
            for (index_t i = 0; i < n_; ++i) {
                std::fill(r.span().row(i), r.span().row(i) + i, C(0));
                r.span()(i, i) = root_less_1(values[i], roots);
            }
            multiply(r.span(), r.span(), square.span());
            const R second = std::sqrt(norm(square.span()));
            multiply(r.span(), square.span(), other.span());
            const R third = std::cbrt(norm(other.span()));
            multiply(square.span(), square.span(), other.span());
            const R fourth = std::sqrt(std::sqrt(norm(other.span())));
            const R two = std::max(second, third), three = std::min(two, std::max(third, fourth));
            degree = 1;
            while (degree <= 7 && !((degree < 3 ? two : three) <= reach[degree - 1])) ++degree;
            if (degree <= 6 || (degree == 7 && !(three / 2 <= reach[4] && extra < 2))) return roots;
            extra += degree == 7;
            square_root();
        }
        return roots;
    }
    static R norm(const matrix_span<C>& a) {  // the largest sum of a row, as good as that of a column here
        R largest = 0;
        for (index_t i = 0; i < a.rows; ++i) {
            R sum = 0;
            for (index_t j = i; j < a.columns; ++j) sum += std::abs(a(i, j));
            largest = std::max(largest, sum);
        }
        return largest;
    }
    /// a^(2^-k) - 1 without cancellation (Al-Mohy 2012).
    static C root_less_1(C a, int k) {
        if (k == 0) return a - R(1);
        const C start = a - R(1);
        a = std::sqrt(a);
        C product = R(1) + a;
        for (int j = 1; j < k; ++j) {
            a = std::sqrt(a);
            product *= R(1) + a;
        }
        return start / product;
    }
    /// (f(b) - f(a)) / (b - a) of f(x) = x^power or, for a power of 0, log x (Higham and Lin 2011, (5.5), (5.6);
    /// Higham 2008, (11.28)).
    static C divided_difference(C a, C b, R power) {
        const C log_a = std::log(a), log_b = std::log(b);
        const auto f = [&](const C& logarithm) { return power == 0 ? logarithm : std::exp(power * logarithm); };
        if (a == b) return power == 0 ? R(1) / a : power * std::exp((power - R(1)) * log_a);
        if (std::abs(b - a) > std::abs(a + b) / 2) return (f(log_b) - f(log_a)) / (b - a);
        const R turns = std::ceil((std::imag(log_b - log_a) - std::numbers::pi_v<R>) / (2 * std::numbers::pi_v<R>));
        const C half = std::atanh((b - a) / (b + a)) + C(0, std::numbers::pi_v<R> * turns);
        if (power == 0) return R(2) * half / (b - a);
        return std::exp(power / 2 * (log_a + log_b)) * (R(2) * std::sinh(power * half) / (b - a));
    }
    /// log(1 + R) of small R, by partial fractions of Pade's approximant: Gauss's quadrature of R / (1 + x R).
    void approximate(int degree, R scale) {
        double nodes[7], weights[7];
        gauss_legendre_rule(degree, nodes, weights);
        const matrix_buffer<C> sum(n_, n_), part(n_, n_);
        std::fill(sum.data(), sum.data() + n_ * n_, C(0));
        const auto y = part.span();
        for (int p = 0; p < degree; ++p) {
            const R x = static_cast<R>(0.5 + 0.5 * nodes[p]), weight = static_cast<R>(0.5 * weights[p]);
            for (index_t i = n_ - 1; i >= 0; --i) {
                std::copy(t_.row(i) + i, t_.row(i) + n_, y.row(i) + i);
                for (index_t k = i + 1; k < n_; ++k) add_scaled(n_ - k, -x * t_(i, k), y.row(k) + k, y.row(i) + k);
                divide_row(n_ - i, R(1) + x * t_(i, i), y.row(i) + i);
                add_scaled(n_ - i, C(weight), y.row(i) + i, sum.span().row(i) + i);
            }
        }
        copy_matrix(sum.span(), t_);
        for (index_t i = 0; i < n_; ++i) scale_row(n_, scale, t_.row(i));
    }

    matrix_span<C> t_;
    index_t n_;
};

enum class principal_function { square_root, logarithm };

/// A becomes its principal square root or logarithm. Eigenvalues that are negative up to rounding count as such, with
/// the argument pi; a real matrix with one has no real result.
template <class T>
void principal(const matrix_span<T>& a, principal_function which, const char* op) {
    const bool is_root = which == principal_function::square_root;
    const char* const what = is_root ? "square root" : "logarithm";
    const index_t n = a.rows;
    const auto schur = schur_of(a, op);
    const auto t = schur.t();
    double size = 0;
    for (index_t i = 0; i < n; ++i)
        for (index_t j = i; j < n; ++j) size = std::max(size, size_of(t(i, j)));
    const double rounding = 4 * static_cast<double>(n) * std::numeric_limits<double>::epsilon() * size;
    for (index_t i = 0; i < n; ++i) {
        auto& value = t(i, i);
        if (value == 0.0 && !is_root) raise<value_error>({"[", op, "] a singular matrix has no logarithm"});
        if (!(value.real() < 0) || std::abs(value.imag()) > rounding) continue;
        if (!is_complex_v<T> && (!is_root || value.real() < -rounding))
            raise<value_error>({"[", op, "] a real matrix with a negative eigenvalue, ", value.real(),
                                ", has no real principal ", what, ": convert it to a complex one"});
        value = value.real();
    }
    triangular_functions<double> f(t);
    if (is_root && !f.square_root()) raise<value_error>({"[", op, "] a singular matrix without a square root"});
    if (!is_root) f.logarithm();
    for (index_t i = 0; i < n; ++i) std::fill(t.row(i), t.row(i) + i, std::complex<double>(0));
    schur.turn_back(t);
    copy_rounded(t, a);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail
