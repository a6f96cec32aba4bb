// Linear systems of matrices with few diagonals.
#pragma once
#include <utility>
#include <vector>

#include "matrix.hpp"

namespace ricci {
namespace detail {

template <class T>
auto pivot_size(const T& x) {
    if constexpr (is_complex_v<T>) return std::abs(x.real()) + std::abs(x.imag());
    else return std::abs(x);
}

/// Solves T x = b over b, rows of `columns` numbers, by elimination with the rows exchanged where that makes the pivot
/// larger (LAPACK's gtsv). `upper`, `main` and `lower` are T's diagonals of n - 1, n and n - 1 numbers and are
/// overwritten. False for a singular T.
template <class T>
bool solve_tridiagonal(index_t n, T* upper, T* main, T* lower, T* b, index_t columns) {
    for (index_t i = 0; i + 1 < n; ++i) {
        T *const row = b + i * columns, *const next = row + columns;
        if (pivot_size(main[i]) >= pivot_size(lower[i])) {
            if (main[i] == T(0)) return false;
            const T factor = lower[i] / main[i];
            main[i + 1] -= factor * upper[i];
            lower[i] = T(0);  // of the second diagonal above the main one, from here on
            for (index_t k = 0; k < columns; ++k) next[k] -= factor * row[k];
        } else {
            const T factor = main[i] / lower[i], corner = main[i + 1];
            main[i] = lower[i];
            main[i + 1] = upper[i] - factor * corner;
            upper[i] = corner;
            lower[i] = T(0);
            if (i + 2 < n) {
                lower[i] = upper[i + 1];
                upper[i + 1] *= -factor;
            }
            for (index_t k = 0; k < columns; ++k) row[k] = std::exchange(next[k], row[k] - factor * next[k]);
        }
    }
    if (main[n - 1] == T(0)) return false;
    for (index_t i = n - 1; i >= 0; --i) {
        T *const row = b + i * columns, *const next = row + columns;
        for (index_t k = 0; k < columns; ++k) {
            if (i + 1 < n) row[k] -= upper[i] * next[k];
            if (i + 2 < n) row[k] -= lower[i] * next[columns + k];
            row[k] /= main[i];
        }
    }
    return true;
}

/// The same of `lower` and `upper` diagonals beside the main one (LAPACK's gbsv). `bands` are those diagonals, the
/// uppermost first, of n numbers each, from their first row or column on.
template <class T>
bool solve_banded(index_t n, index_t lower, index_t upper, const T* bands, T* b, index_t columns) {
    const index_t width = 2 * lower + upper + 1;  // of a row: exchanges make it wider by `lower`
    std::vector<T> rows(static_cast<std::size_t>(n * width));
    const auto at = [&](index_t i, index_t j) -> T& { return rows[i * width + j - i + lower]; };
    for (index_t k = upper; k >= -lower; --k)
        for (index_t i = std::max(-k, index_t(0)); i < n && i + k < n; ++i)
            at(i, i + k) = bands[(upper - k) * n + (k < 0 ? i + k : i)];
    for (index_t i = 0; i < n; ++i) {
        const index_t last = std::min(i + lower, n - 1), end = std::min(i + lower + upper + 1, n);
        index_t pivot = i;
        for (index_t r = i + 1; r <= last; ++r)
            if (pivot_size(at(r, i)) > pivot_size(at(pivot, i))) pivot = r;
        if (at(pivot, i) == T(0)) return false;
        if (pivot != i) {
            for (index_t j = i; j < end; ++j) std::swap(at(i, j), at(pivot, j));
            for (index_t c = 0; c < columns; ++c) std::swap(b[i * columns + c], b[pivot * columns + c]);
        }
        for (index_t r = i + 1; r <= last; ++r) {
            const T factor = at(r, i) / at(i, i);
            for (index_t j = i + 1; j < end; ++j) at(r, j) -= factor * at(i, j);
            for (index_t c = 0; c < columns; ++c) b[r * columns + c] -= factor * b[i * columns + c];
        }
    }
    for (index_t i = n - 1; i >= 0; --i)
        for (index_t c = 0; c < columns; ++c) {
            T& x = b[i * columns + c];
            for (index_t j = i + 1; j < std::min(i + lower + upper + 1, n); ++j) x -= at(i, j) * b[j * columns + c];
            x /= at(i, i);
        }
    return true;
}

}  // namespace detail
}  // namespace ricci
