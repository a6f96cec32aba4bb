// Linear systems, factors and inverses beside LAPACK called directly, Eigen and hand-written loops.
#include "bench.hpp"

#if RICCI_BENCH_EIGEN
#include <Eigen/Dense>
#endif
#if defined(RICCI_USE_LAPACK)
extern "C" {
void dgesv_(const int* n, const int* k, double* a, const int* lda, int* p, double* b, const int* ldb, int* info);
void dpotrf_(const char* part, const int* n, double* a, const int* lda, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* p, int* info);
void dgetri_(const int* n, double* a, const int* lda, const int* p, double* work, const int* size, int* info);
}
#endif

namespace {

using namespace bench;

/// A well conditioned matrix and a definite one.
rc::tensor<double, 2> general(index_t n) {
    return rc::evaluate(input<double>(1, n, n) + double(n) * rc::eye<double>(n));
}
rc::tensor<double, 2> definite(index_t n) {
    const auto a = input<double>(2, n, n);
    return rc::evaluate(rc::matmul(a, rc::matrix_transpose(a)) + double(n) * rc::eye<double>(n));
}
template <class X>
std::vector<double> numbers(const X& x) {
    const auto y = x.clone();
    return {y.data(), y.data() + y.size()};
}

void solve_row(index_t n) {
    row r("solve", n, 1e-9, [n] { return numbers(rc::linalg::solve(general(n), input<double>(3, n))); });
    r.add("ricci", [n] {
        return [a = general(n), b = input<double>(3, n), x = rc::tensor<double, 1>()]() mutable {
            x = rc::linalg::solve(a, b);
            return whole(x);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [n] {
        return [n = int(n), a = rc::matrix_transpose(general(n)).clone(), lu = general(n), b = input<double>(3, n),
                x = input<double>(3, n).clone(), p = std::vector<int>(std::size_t(n))]() mutable {
            std::copy(a.begin(), a.end(), lu.data());
            std::copy(b.begin(), b.end(), x.data());
            int info = 0;
            const int one = 1;
            dgesv_(&n, &one, lu.data(), &n, p.data(), x.data(), &n, &info);
            return whole(x);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        const auto a = general(n);
        const auto b = input<double>(3, n);
        return [m = Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n).transpose()),
                v = Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(b.data(), n)), x = Eigen::VectorXd()]() mutable {
            x = m.partialPivLu().solve(v);
            return result(x.data(), x.size());
        };
    });
#endif
}
void cholesky_row(index_t n) {
    row r("cholesky", n, 1e-9, [n] { return numbers(rc::linalg::cholesky(definite(n))); });
    r.add("ricci", [n] {
        return [a = definite(n), l = rc::tensor<double, 2>()]() mutable {
            l = rc::linalg::cholesky(a);
            return whole(l);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [n] {
        return [n = int(n), a = definite(n), l = definite(n)]() mutable {
            std::copy(a.begin(), a.end(), l.data());
            int info = 0;
            dpotrf_("U", &n, l.data(), &n, &info);
            for (int i = 0; i < n; ++i) std::fill(l.data() + i * n + i + 1, l.data() + (i + 1) * n, 0.0);
            return whole(l);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        using matrix = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
        const auto a = definite(n);
        return [m = matrix(Eigen::Map<const matrix>(a.data(), n, n)), l = matrix()]() mutable {
            l = m.llt().matrixL();
            return result(l.data(), l.size());
        };
    });
#endif
}
void inverse_row(index_t n) {
    row r("inv", n, 1e-9, [n] { return numbers(rc::linalg::inv(general(n))); });
    r.add("ricci", [n] {
        return [a = general(n), y = rc::tensor<double, 2>()]() mutable {
            y = rc::linalg::inv(a);
            return whole(y);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [n] {
        return [n = int(n), a = general(n), y = general(n), p = std::vector<int>(std::size_t(n)),
                work = std::vector<double>(std::size_t(64 * n))]() mutable {
            std::copy(a.begin(), a.end(), y.data());
            int info = 0;
            const int size = 64 * n;
            dgetrf_(&n, &n, y.data(), &n, p.data(), &info);
            dgetri_(&n, y.data(), &n, p.data(), work.data(), &size, &info);
            return whole(y);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        using matrix = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;
        const auto a = general(n);
        return [m = matrix(Eigen::Map<const matrix>(a.data(), n, n)), y = matrix()]() mutable {
            y = m.partialPivLu().inverse();
            return result(y.data(), y.size());
        };
    });
#endif
}

/// By two by two minors: 16 matrices at a time, an element of each in one vector, which is what one writes by hand.
void invert_by_minors(const float* from, float* to, index_t count) {
    constexpr index_t w = 16;
    float m[16][w], y[16][w];
    for (index_t first = 0; first < count; first += w) {
        const index_t n = std::min(w, count - first);
        for (index_t k = 0; k < n; ++k)
            for (int e = 0; e < 16; ++e) m[e][k] = from[(first + k) * 16 + e];
        for (index_t k = 0; k < w; ++k) {
            const float s0 = m[0][k] * m[5][k] - m[4][k] * m[1][k], s1 = m[0][k] * m[6][k] - m[4][k] * m[2][k];
            const float s2 = m[0][k] * m[7][k] - m[4][k] * m[3][k], s3 = m[1][k] * m[6][k] - m[5][k] * m[2][k];
            const float s4 = m[1][k] * m[7][k] - m[5][k] * m[3][k], s5 = m[2][k] * m[7][k] - m[6][k] * m[3][k];
            const float c5 = m[10][k] * m[15][k] - m[14][k] * m[11][k], c4 = m[9][k] * m[15][k] - m[13][k] * m[11][k];
            const float c3 = m[9][k] * m[14][k] - m[13][k] * m[10][k], c2 = m[8][k] * m[15][k] - m[12][k] * m[11][k];
            const float c1 = m[8][k] * m[14][k] - m[12][k] * m[10][k], c0 = m[8][k] * m[13][k] - m[12][k] * m[9][k];
            const float d = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
            y[0][k] = (m[5][k] * c5 - m[6][k] * c4 + m[7][k] * c3) * d;
            y[1][k] = (-m[1][k] * c5 + m[2][k] * c4 - m[3][k] * c3) * d;
            y[2][k] = (m[13][k] * s5 - m[14][k] * s4 + m[15][k] * s3) * d;
            y[3][k] = (-m[9][k] * s5 + m[10][k] * s4 - m[11][k] * s3) * d;
            y[4][k] = (-m[4][k] * c5 + m[6][k] * c2 - m[7][k] * c1) * d;
            y[5][k] = (m[0][k] * c5 - m[2][k] * c2 + m[3][k] * c1) * d;
            y[6][k] = (-m[12][k] * s5 + m[14][k] * s2 - m[15][k] * s1) * d;
            y[7][k] = (m[8][k] * s5 - m[10][k] * s2 + m[11][k] * s1) * d;
            y[8][k] = (m[4][k] * c4 - m[5][k] * c2 + m[7][k] * c0) * d;
            y[9][k] = (-m[0][k] * c4 + m[1][k] * c2 - m[3][k] * c0) * d;
            y[10][k] = (m[12][k] * s4 - m[13][k] * s2 + m[15][k] * s0) * d;
            y[11][k] = (-m[8][k] * s4 + m[9][k] * s2 - m[11][k] * s0) * d;
            y[12][k] = (-m[4][k] * c3 + m[5][k] * c1 - m[6][k] * c0) * d;
            y[13][k] = (m[0][k] * c3 - m[1][k] * c1 + m[2][k] * c0) * d;
            y[14][k] = (-m[12][k] * s3 + m[13][k] * s1 - m[14][k] * s0) * d;
            y[15][k] = (m[8][k] * s3 - m[9][k] * s1 + m[10][k] * s0) * d;
        }
        for (index_t k = 0; k < n; ++k)
            for (int e = 0; e < 16; ++e) to[(first + k) * 16 + e] = y[e][k];
    }
}
rc::tensor<float, 3> small_matrices(index_t count) {
    return rc::evaluate(rc::reshape(input(4, count * 16), {count, 4, 4}) + 4.0f * rc::eye<float>(4));
}
void small_inverses_row(index_t count) {
    row r("inv4x4", count, 1e-4, [count] {
        const auto y = rc::linalg::inv(rc::evaluate(rc::astype<double>(small_matrices(count))));
        return numbers(y);
    });
    r.add("ricci", [count] {
        return [a = small_matrices(count), y = rc::tensor<float, 3>()]() mutable {
            y = rc::linalg::inv(a);
            return whole(y);
        };
    });
    r.add("hand", [count] {
        return [a = small_matrices(count), y = small_matrices(count)] {
            invert_by_minors(a.data(), y.data(), a.shape()[0]);
            return whole(y);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [count] {
        using matrix = Eigen::Matrix<float, 4, 4, Eigen::RowMajor>;
        return [a = small_matrices(count), y = small_matrices(count)] {
            for (index_t k = 0; k < a.shape()[0]; ++k)
                Eigen::Map<matrix>(y.data() + 16 * k) = Eigen::Map<const matrix>(a.data() + 16 * k).inverse();
            return whole(y);
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : {8, 32, 100, 300, 1000}) {
        solve_row(n);
        cholesky_row(n);
        inverse_row(n);
    }
    small_inverses_row(10000);
    return true;
}();

}  // namespace
