// Linear systems of tridiagonal matrices.
#pragma once
#include <utility>

#include "matrix.hpp"

namespace ricci {
namespace detail {

/// Solves T x = b over b, rows of `columns` numbers, by elimination with the rows exchanged where that makes the pivot larger
/// (LAPACK's gtsv). `upper`, `main` and `lower` are T's diagonals of n - 1, n and n - 1 numbers and are overwritten. False for a
/// singular T.
template <class T>
bool solve_tridiagonal(index_t n, T* upper, T* main, T* lower, T* b, index_t columns) {
    const auto size = [](const T& x) {
        if constexpr (is_complex_v<T>) return std::abs(x.real()) + std::abs(x.imag());
        else return std::abs(x);
    };
    for (index_t i = 0; i + 1 < n; ++i) {
        T *const row = b + i * columns, *const next = row + columns;
        if (size(main[i]) >= size(lower[i])) {
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

}  // namespace detail
}  // namespace ricci
