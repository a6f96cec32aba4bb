// Large matrix products by CBLAS: RICCI_USE_CBLAS (CMake: ricci::blas). Without it the library multiplies them itself.
#pragma once
#include <complex>
#include <limits>

#include "../../core/config.hpp"
#include "blas_threads.hpp"

#if defined(RICCI_USE_CBLAS)
#include <cblas.h>
// Code that asks whether CBLAS is there is named after the answer: a program may have translation units of both kinds.
#define RICCI_BLAS_NAMESPACE with_cblas
#else
#define RICCI_BLAS_NAMESPACE without_cblas
#endif

namespace ricci::detail {
inline namespace RICCI_BLAS_NAMESPACE {

/// A matrix by strides as BLAS takes it: row-major or transposed, the other step being 1.
struct blas_operand {
    bool fits = false, transposed = false;
    int leading = 1;

    blas_operand(index_t rows, index_t columns, index_t row, index_t column) {
        constexpr index_t most = std::numeric_limits<int>::max();
        if (rows > most || columns > most) return;
        transposed = column != 1 && row == 1;
        const index_t step = transposed ? column : row;
        fits = (transposed || column == 1) && step >= (transposed ? rows : columns) && step <= most;
        leading = fits ? static_cast<int>(step) : 1;
    }
};

/// Whether CBLAS is there, the elements are of its types, and the product is large enough to be worth a call.
template <class T>
constexpr bool worth_blas([[maybe_unused]] index_t m, [[maybe_unused]] index_t n, [[maybe_unused]] index_t k) {
#if defined(RICCI_USE_CBLAS)
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::complex<float>> ||
                  std::is_same_v<T, std::complex<double>>)
        return m >= 16 && n >= 16 && k >= 16 && m * n * k >= index_t(128) * 128 * 128;
#endif
    return false;
}

#if defined(RICCI_USE_CBLAS)
/// C = A B, row-major; the factors fit.
template <class T>
void blas_gemm(int m, int n, int k, const T* a, blas_operand x, const T* b, blas_operand y, T* c, int c_row) {
    const auto transpose_a = x.transposed ? CblasTrans : CblasNoTrans;
    const auto transpose_b = y.transposed ? CblasTrans : CblasNoTrans;
    const T one(1), zero(0);
    if constexpr (std::is_same_v<T, float>)
        cblas_sgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, one, a, x.leading, b, y.leading, zero, c, c_row);
    else if constexpr (std::is_same_v<T, double>)
        cblas_dgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, one, a, x.leading, b, y.leading, zero, c, c_row);
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        cblas_cgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, &one, a, x.leading, b, y.leading, &zero, c,
                    c_row);
    else
        cblas_zgemm(CblasRowMajor, transpose_a, transpose_b, m, n, k, &one, a, x.leading, b, y.leading, &zero, c,
                    c_row);
}
/// The lower triangle of C = A A^T, row-major; the factor fits.
template <class T>
void blas_syrk(int n, int k, const T* a, blas_operand x, T* c, int c_row) {
    const auto transpose = x.transposed ? CblasTrans : CblasNoTrans;
    const T one(1), zero(0);
    if constexpr (std::is_same_v<T, float>)
        cblas_ssyrk(CblasRowMajor, CblasLower, transpose, n, k, one, a, x.leading, zero, c, c_row);
    else if constexpr (std::is_same_v<T, double>)
        cblas_dsyrk(CblasRowMajor, CblasLower, transpose, n, k, one, a, x.leading, zero, c, c_row);
    else if constexpr (std::is_same_v<T, std::complex<float>>)
        cblas_csyrk(CblasRowMajor, CblasLower, transpose, n, k, &one, a, x.leading, &zero, c, c_row);
    else cblas_zsyrk(CblasRowMajor, CblasLower, transpose, n, k, &one, a, x.leading, &zero, c, c_row);
}
#endif

/// C = A B by CBLAS, or, where B is A's transpose, its lower triangle; false, and nothing done, where the product is
/// small or its matrices do not lie as BLAS wants them.
template <class T>
bool try_blas(index_t m, index_t n, index_t k, [[maybe_unused]] const T* a, index_t a_row, index_t a_col,
              [[maybe_unused]] const T* b, index_t b_row, index_t b_col, [[maybe_unused]] T* c, index_t c_row,
              [[maybe_unused]] bool symmetric) {
    if (!worth_blas<T>(m, n, k)) return false;
    const blas_operand x(m, k, a_row, a_col), y(k, n, b_row, b_col), z(m, n, c_row, 1);
    if (!x.fits || !y.fits || !z.fits) return false;
#if defined(RICCI_USE_CBLAS)
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::complex<float>> ||
                  std::is_same_v<T, std::complex<double>>) {
        if (symmetric) blas_syrk(static_cast<int>(m), static_cast<int>(k), a, x, c, z.leading);
        else blas_gemm(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), a, x, b, y, c, z.leading);
    }
#endif
    return true;
}

}  // namespace RICCI_BLAS_NAMESPACE
}  // namespace ricci::detail
