// LAPACK, where the program links it: RICCI_USE_LAPACK (CMake: ricci::lapack).
#pragma once
#include <cmath>
#include <limits>

#include "matrix.hpp"

// Code that asks whether LAPACK is there is named after the answer: a program may have translation units of both kinds.
#if defined(RICCI_USE_LAPACK)
#define RICCI_LAPACK_NAMESPACE with_lapack
#else
#define RICCI_LAPACK_NAMESPACE without_lapack
#endif

namespace ricci::detail {
inline namespace RICCI_ISA {
inline namespace RICCI_LAPACK_NAMESPACE {

#if !defined(RICCI_USE_LAPACK)
inline constexpr bool has_lapack = false;
#else
inline constexpr bool has_lapack = true;

// The Fortran routines under names of our own: whoever includes another header of LAPACK has other declarations of
// them.
#define RICCI_TEXT(x) RICCI_TEXT_OF(x)
#define RICCI_TEXT_OF(x) #x
#define RICCI_FORTRAN(name, ...) \
    extern "C" void ricci_lapack_##name(__VA_ARGS__) __asm__(RICCI_TEXT(__USER_LABEL_PREFIX__) #name "_")
#define RICCI_LAPACK_SHARED(s, T)                                                              \
    RICCI_FORTRAN(s##gelqf, const int*, const int*, T*, const int*, T*, T*, const int*, int*); \
    inline void lapack_gelqf(int m, int n, T* a, T* tau, T* work, int size, int* info) {       \
        ricci_lapack_##s##gelqf(&m, &n, a, &m, tau, work, &size, info);                        \
    }
#define RICCI_LAPACK_REAL(s, T)                                                                                      \
    RICCI_LAPACK_SHARED(s, T)                                                                                        \
    RICCI_FORTRAN(s##orglq, const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);     \
    RICCI_FORTRAN(s##syevd, const char*, const char*, const int*, T*, const int*, T*, T*, const int*, int*,          \
                  const int*, int*, std::size_t, std::size_t);                                                       \
    RICCI_FORTRAN(s##gesdd, const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*, \
                  T*, const int*, int*, int*, std::size_t);                                                          \
    RICCI_FORTRAN(s##geev, const char*, const char*, const int*, T*, const int*, T*, T*, T*, const int*, T*,         \
                  const int*, T*, const int*, int*, std::size_t, std::size_t);                                       \
    inline void lapack_orglq(int m, int n, int k, T* a, int lda, const T* tau, T* work, int size, int* info) {       \
        ricci_lapack_##s##orglq(&m, &n, &k, a, &lda, tau, work, &size, info);                                        \
    }                                                                                                                \
    inline void lapack_heevd(const char* job, int n, T* a, T* w, T* work, int size, T*, int, int* iwork, int isize,  \
                             int* info) {                                                                            \
        ricci_lapack_##s##syevd(job, "U", &n, a, &n, w, work, &size, iwork, &isize, info, 1, 1);                     \
    }                                                                                                                \
    inline void lapack_gesdd(const char* job, int m, int n, T* a, T* s, T* u, int ldu, T* vt, int ldvt, T* work,     \
                             int size, T*, int* iwork, int* info) {                                                  \
        ricci_lapack_##s##gesdd(job, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &size, iwork, info, 1);             \
    }
#define RICCI_LAPACK_COMPLEX(s, T, R)                                                                                 \
    RICCI_LAPACK_SHARED(s, T)                                                                                         \
    RICCI_FORTRAN(s##unglq, const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*);      \
    RICCI_FORTRAN(s##heevd, const char*, const char*, const int*, T*, const int*, R*, T*, const int*, R*, const int*, \
                  int*, const int*, int*, std::size_t, std::size_t);                                                  \
    RICCI_FORTRAN(s##gesdd, const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*, const int*,  \
                  T*, const int*, R*, int*, int*, std::size_t);                                                       \
    RICCI_FORTRAN(s##geev, const char*, const char*, const int*, T*, const int*, T*, T*, const int*, T*, const int*,  \
                  T*, const int*, R*, int*, std::size_t, std::size_t);                                                \
    inline void lapack_orglq(int m, int n, int k, T* a, int lda, const T* tau, T* work, int size, int* info) {        \
        ricci_lapack_##s##unglq(&m, &n, &k, a, &lda, tau, work, &size, info);                                         \
    }                                                                                                                 \
    inline void lapack_heevd(const char* job, int n, T* a, R* w, T* work, int size, R* rwork, int rsize, int* iwork,  \
                             int isize, int* info) {                                                                  \
        ricci_lapack_##s##heevd(job, "U", &n, a, &n, w, work, &size, rwork, &rsize, iwork, &isize, info, 1, 1);       \
    }                                                                                                                 \
    inline void lapack_gesdd(const char* job, int m, int n, T* a, R* s, T* u, int ldu, T* vt, int ldvt, T* work,      \
                             int size, R* rwork, int* iwork, int* info) {                                             \
        ricci_lapack_##s##gesdd(job, &m, &n, a, &m, s, u, &ldu, vt, &ldvt, work, &size, rwork, iwork, info, 1);       \
    }
RICCI_LAPACK_REAL(s, float)
RICCI_LAPACK_REAL(d, double)
RICCI_LAPACK_COMPLEX(c, std::complex<float>, float)
RICCI_LAPACK_COMPLEX(z, std::complex<double>, double)
inline void lapack_geev(const char* job, int n, float* a, float* w, float* v, float* work, int size, float*,
                        int* info) {
    ricci_lapack_sgeev("N", job, &n, a, &n, w, w + n, nullptr, &n, v, &n, work, &size, info, 1, 1);
}
inline void lapack_geev(const char* job, int n, double* a, double* w, double* v, double* work, int size, double*,
                        int* info) {
    ricci_lapack_dgeev("N", job, &n, a, &n, w, w + n, nullptr, &n, v, &n, work, &size, info, 1, 1);
}
inline void lapack_geev(const char* job, int n, std::complex<float>* a, std::complex<float>* w, std::complex<float>* v,
                        std::complex<float>* work, int size, float* rwork, int* info) {
    ricci_lapack_cgeev("N", job, &n, a, &n, w, nullptr, &n, v, &n, work, &size, rwork, info, 1, 1);
}
inline void lapack_geev(const char* job, int n, std::complex<double>* a, std::complex<double>* w,
                        std::complex<double>* v, std::complex<double>* work, int size, double* rwork, int* info) {
    ricci_lapack_zgeev("N", job, &n, a, &n, w, nullptr, &n, v, &n, work, &size, rwork, info, 1, 1);
}
#undef RICCI_LAPACK_COMPLEX
#undef RICCI_LAPACK_REAL
#undef RICCI_LAPACK_SHARED
#undef RICCI_FORTRAN
#undef RICCI_TEXT_OF
#undef RICCI_TEXT

/// How much memory a routine said it wants, as a number of its own type, which may have been rounded down.
template <class R>
int workspace_size(R wanted) {
    return std::max(1, static_cast<int>(std::ceil(std::nextafter(wanted, std::numeric_limits<R>::infinity()))));
}
/// Calls a routine twice: it says how much memory it wants, then works in it.
template <class T, class Call>
int with_workspace(const Call& call) {
    int info = 0;
    T best(0);
    call(&best, -1, &info);
    if (info != 0) return info;
    const int size = workspace_size(real_part(best));
    const matrix_buffer<T> work(1, size);
    call(work.data(), size, &info);
    return info;
}

// Row-major matrices are LAPACK's transposed: most routines have a twin that works on the transpose, so that nothing is
// copied. All give LAPACK's info.

/// As factor_qr with form_q: R on and above the diagonal of a; q has as many columns as are wanted.
template <class T>
int lapack_qr(const matrix_span<T>& a, const matrix_span<T>& q) {
    const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns), steps = std::min(m, n);
    const matrix_buffer<T> tau(1, steps);
    const int info = with_workspace<T>(
        [&](T* work, int size, int* status) { lapack_gelqf(n, m, a.data, tau.data(), work, size, status); });
    if (info != 0 || q.columns == 0) return info;
    for (index_t i = 0; i < a.rows; ++i) std::copy(a.row(i), a.row(i) + std::min<index_t>(steps, q.columns), q.row(i));
    const int wide = static_cast<int>(q.columns);
    return with_workspace<T>([&](T* work, int size, int* status) {
        lapack_orglq(wide, m, steps, q.data, wide, tau.data(), work, size, status);
    });
}
/// As factor_eigh.
template <class T>
int lapack_eigh(const matrix_span<T>& a, real_t<T>* w, bool vectors) {
    const int n = static_cast<int>(a.rows);
    const char* const job = vectors ? "V" : "N";
    T best(0);
    real_t<T> real_best = 0;
    int integer_best = 0, info = 0;
    lapack_heevd(job, n, a.data, w, &best, -1, &real_best, -1, &integer_best, -1, &info);
    if (info != 0) return info;
    const int size = workspace_size(real_part(best)), real_size = workspace_size(real_best);
    const matrix_buffer<T> work(1, size);
    const matrix_buffer<real_t<T>> real_work(1, real_size);
    const matrix_buffer<int> integer_work(1, integer_best);
    lapack_heevd(job, n, a.data, w, work.data(), size, real_work.data(), real_size, integer_work.data(), integer_best,
                 &info);
    if (vectors)  // the rows are the conjugates of the eigenvectors
        for (index_t i = 0; i < a.rows; ++i) {
            a(i, i) = conjugate(a(i, i));
            for (index_t j = 0; j < i; ++j) {
                const T below = a(i, j);
                a(i, j) = conjugate(a(j, i));
                a(j, i) = conjugate(below);
            }
        }
    return info;
}
/// A = U diag(s) V^H; u and vh of any of the sizes that svd gives, or empty for s alone.
template <class T>
int lapack_svd(const matrix_span<T>& a, const matrix_span<T>& u, real_t<T>* s, const matrix_span<T>& vh) {
    const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns), least = std::min(m, n),
              most = std::max(m, n);
    const bool vectors = u.rows > 0;
    const char* const job = !vectors ? "N" : u.columns == a.rows && vh.rows == a.columns ? "A" : "S";
    const std::size_t wanted =
        static_cast<std::size_t>(least) *
        std::max<std::size_t>(5 * static_cast<std::size_t>(least) + 7, 2 * static_cast<std::size_t>(most + least) + 1);
    const matrix_buffer<real_t<T>> real_work(1, is_complex_v<T> ? static_cast<index_t>(wanted) : 1);
    const matrix_buffer<int> integer_work(1, 8 * least);
    const int left = std::max(1, static_cast<int>(u.columns));
    return with_workspace<T>([&](T* work, int size, int* status) {
        lapack_gesdd(job, n, m, a.data, s, vh.data, n, u.data, left, work, size, real_work.data(), integer_work.data(),
                     status);
    });
}
/// The eigenvalues of any square matrix, and, unless v is empty, eigenvectors of length 1 as the columns of v.
template <class T>
int lapack_eig(const matrix_span<T>& a, std::complex<real_t<T>>* w, const matrix_span<std::complex<real_t<T>>>& v) {
    using R = real_t<T>;
    using C = std::complex<R>;
    const int n = static_cast<int>(a.rows);
    const bool vectors = v.rows > 0;
    const matrix_buffer<T> columns(n, n), right(vectors ? n : 1, vectors ? n : 1), values(2, n);
    const matrix_buffer<R> real_work(2, n);
    copy_turned(a.rows, a.columns, a.data, a.step, columns.data(), a.rows);
    const int info = with_workspace<T>([&](T* work, int size, int* status) {
        lapack_geev(vectors ? "V" : "N", n, columns.data(), values.data(), right.data(), work, size, real_work.data(),
                    status);
    });
    const T *const x = values.data(), *const y = right.data();
    for (int k = 0; k < n; ++k) {
        if constexpr (is_complex_v<T>) {
            w[k] = x[k];
            for (int i = 0; i < n && vectors; ++i) v(i, k) = y[k * n + i];
        } else {  // pairs are packed: the real part of the vectors, then the imaginary one
            w[k] = C(x[k], x[n + k]);
            const int first = x[n + k] < 0 ? k - 1 : k;
            for (int i = 0; i < n && vectors; ++i)
                v(i, k) = x[n + k] == 0
                              ? C(y[k * n + i])
                              : C(y[first * n + i], x[n + k] < 0 ? -y[(first + 1) * n + i] : y[(first + 1) * n + i]);
        }
    }
    return info;
}
#endif

/// The extents from which on LAPACK takes less time than the kernels here (OpenBLAS's, one thread each). Those of
/// linear systems, inverses and Cholesky factors are faster at every size.
template <class T>
struct lapack_from {
    static constexpr index_t qr = is_complex_v<T> ? 64 : 384, eigh = is_complex_v<T> ? 96 : 224,
                             svd = is_complex_v<T> ? 64 : 160;
};
/// Whether LAPACK is linked and takes a matrix of these extents, both at least `least`.
inline bool use_lapack(index_t m, index_t n, index_t least) {
    constexpr index_t most = std::numeric_limits<int>::max();
    return has_lapack && std::min(m, n) >= least && m < most && n < most && m * n < most;
}

}  // namespace RICCI_LAPACK_NAMESPACE
}  // namespace RICCI_ISA
}  // namespace ricci::detail
