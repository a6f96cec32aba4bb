// Householder QR with column pivoting of a small dense matrix: least squares without squaring the condition number.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace nist {

/// A dense matrix, stored by columns.
class matrix {
public:
    matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& operator()(std::size_t i, std::size_t j) { return values_[j * rows_ + i]; }
    double operator()(std::size_t i, std::size_t j) const { return values_[j * rows_ + i]; }
    std::span<double> column(std::size_t j) { return {values_.data() + j * rows_, rows_}; }
    std::span<const double> column(std::size_t j) const { return {values_.data() + j * rows_, rows_}; }

private:
    std::size_t rows_, columns_;
    std::vector<double> values_;
};

inline double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

/// A P = Q R for a matrix with at least as many rows as columns; the diagonal of R falls in magnitude.
class pivoted_qr {
public:
    explicit pivoted_qr(matrix a) : qr_(std::move(a)), scale_(qr_.columns()), pivot_(qr_.columns()) {
        std::iota(pivot_.begin(), pivot_.end(), std::size_t{0});
        for (std::size_t k = 0; k < qr_.columns(); ++k) {
            bring_longest_column_to(k);
            reflect_column(k);
        }
        const double tiny = static_cast<double>(qr_.rows()) * std::numeric_limits<double>::epsilon();
        while (rank_ < qr_.columns() && std::abs(r(rank_, rank_)) > tiny * std::abs(r(0, 0))) ++rank_;
    }

    /// Columns that are independent to working precision.
    std::size_t rank() const { return rank_; }
    double r(std::size_t i, std::size_t j) const { return i == j ? diagonal_[i] : i < j ? qr_(i, j) : 0.0; }
    std::size_t pivot(std::size_t k) const { return pivot_[k]; }

    /// The first entries, as many as there are columns, of transpose(Q) v.
    std::vector<double> project(std::vector<double> v) const {
        for (std::size_t k = 0; k < qr_.columns(); ++k) reflect(k, v);
        v.resize(qr_.columns());
        return v;
    }

    /// Least squares: x that minimizes |A x - v|, given project(v). Dependent columns get 0.
    std::vector<double> solve_projected(const std::vector<double>& q_v) const {
        std::vector<double> x(qr_.columns());
        for (std::size_t k = rank_; k-- > 0;) {
            double sum = q_v[k];
            for (std::size_t j = k + 1; j < rank_; ++j) sum -= r(k, j) * x[pivot_[j]];
            x[pivot_[k]] = sum / r(k, k);
        }
        return x;
    }

    /// inverse(transpose(R)) transpose(P) v on the independent columns.
    std::vector<double> solve_transposed(const std::vector<double>& v) const {
        std::vector<double> x(rank_);
        for (std::size_t k = 0; k < rank_; ++k) {
            double sum = v[pivot_[k]];
            for (std::size_t i = 0; i < k; ++i) sum -= r(i, k) * x[i];
            x[k] = sum / r(k, k);
        }
        return x;
    }

private:
    // The norms are computed anew for each column: the usual downdating loses digits, and these matrices are small.
    void bring_longest_column_to(std::size_t k) {
        std::size_t best = k;
        double longest = -1;
        for (std::size_t j = k; j < qr_.columns(); ++j)
            if (const double length = norm(qr_.column(j).subspan(k)); length > longest) longest = length, best = j;
        if (best == k) return;
        std::ranges::swap_ranges(qr_.column(k), qr_.column(best));
        std::swap(pivot_[k], pivot_[best]);
    }

    /// Turns column k into the Householder vector that annihilates it below row k, and applies it to the columns after.
    void reflect_column(std::size_t k) {
        const auto v = qr_.column(k).subspan(k);
        const double length = norm(v);
        diagonal_.push_back(v[0] > 0 ? -length : length);
        v[0] -= diagonal_[k];
        scale_[k] = length > 0 ? -1 / (diagonal_[k] * v[0]) : 0;  // 2 / |v|^2
        for (std::size_t j = k + 1; j < qr_.columns(); ++j) reflect(k, qr_.column(j));
    }

    void reflect(std::size_t k, std::span<double> target) const {
        const auto v = qr_.column(k).subspan(k);
        const double factor = scale_[k] * dot(v, target.subspan(k));
        for (std::size_t i = 0; i < v.size(); ++i) target[k + i] -= factor * v[i];
    }

    matrix qr_;  // R above the diagonal, Householder vectors on and below it
    std::vector<double> diagonal_, scale_;
    std::vector<std::size_t> pivot_;
    std::size_t rank_ = 0;
};

}  // namespace nist
