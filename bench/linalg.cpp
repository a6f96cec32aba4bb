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
void dsyevd_(const char* job, const char* part, const int* n, double* a, const int* lda, double* w, double* work,
             const int* size, int* integers, const int* count, int* info);
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* size, int* integers, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* size,
             int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau, double* work,
             const int* size, int* info);
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

// ---- Decompositions, all factors of them: compared by what has no free sign, the values and |R| ---------------------

rc::tensor<double, 2> symmetric(index_t n) {
    const auto a = input<double>(1, n, n);
    return rc::evaluate(a + rc::matrix_transpose(a));
}
#if defined(RICCI_USE_LAPACK)
/// Room for a decomposition by LAPACK of an n x n matrix.
struct lapack_room {
    int n, size, count, info = 0;
    rc::tensor<double, 2> a, u, v;
    rc::tensor<double, 1> values;
    std::vector<double> work;
    std::vector<int> integers;

    explicit lapack_room(index_t order)
        : n(int(order)),
          size(8 * n * n + 200 * n),
          count(10 * n + 100),
          a(general(order)),
          u(general(order)),
          v(general(order)),
          values(input<double>(3, order).clone()),
          work(std::size_t(size)),
          integers(std::size_t(count)) {}
};
#endif
void eigh_row(index_t n) {
    row r("eigh", n, 1e-11, [n] { return numbers(rc::linalg::eigvalsh(symmetric(n))); });
    r.add("ricci", [n] {
        return [a = symmetric(n), w = rc::tensor<double, 1>(), v = rc::tensor<double, 2>()]() mutable {
            std::tie(w, v) = members(rc::linalg::eigh(a));
            return whole(w);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [n] {
        return [a = symmetric(n), m = lapack_room(n)]() mutable {
            std::copy(a.begin(), a.end(), m.a.data());
            dsyevd_("V", "L", &m.n, m.a.data(), &m.n, m.values.data(), m.work.data(), &m.size, m.integers.data(),
                    &m.count, &m.info);
            return whole(m.values);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        const auto a = symmetric(n);
        return [m = Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n)),
                solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(n)]() mutable {
            solver.compute(m);
            return result(solver.eigenvalues().data(), solver.eigenvalues().size());
        };
    });
#endif
}
void svd_row(index_t n) {
    row r("svd", n, 1e-11, [n] { return numbers(rc::linalg::svdvals(input<double>(1, n, n))); });
    r.add("ricci", [n] {
        return [a = input<double>(1, n, n), u = rc::tensor<double, 2>(), s = rc::tensor<double, 1>(),
                vh = rc::tensor<double, 2>()]() mutable {
            std::tie(u, s, vh) = members(rc::linalg::svd(a));
            return whole(s);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [n] {
        return [a = input<double>(1, n, n), m = lapack_room(n)]() mutable {
            std::copy(a.begin(), a.end(), m.a.data());
            dgesdd_("A", &m.n, &m.n, m.a.data(), &m.n, m.values.data(), m.u.data(), &m.n, m.v.data(), &m.n,
                    m.work.data(), &m.size, m.integers.data(), &m.info);
            return whole(m.values);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [n] {
        const auto a = input<double>(1, n, n);
        return [m = Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n)),
                solver = Eigen::BDCSVD<Eigen::MatrixXd>(n, n, Eigen::ComputeFullU | Eigen::ComputeFullV)]() mutable {
            solver.compute(m);
            return result(solver.singularValues().data(), solver.singularValues().size());
        };
    });
#endif
}
/// Both factors; |R|'s diagonal is compared.
void qr_row(index_t n) {
    const auto sizes_of = [](const auto& r) { return rc::evaluate(rc::abs(rc::diagonal(r))); };
    row r("qr", n, 1e-11, [=] { return numbers(sizes_of(rc::linalg::qr(input<double>(1, n, n)).R)); });
    r.add("ricci", [=] {
        return [=, a = input<double>(1, n, n), q = rc::tensor<double, 2>(), y = rc::tensor<double, 2>(),
                sizes = rc::tensor<double, 1>()]() mutable {
            std::tie(q, y) = members(rc::linalg::qr(a));
            sizes = sizes_of(y);
            return whole(sizes);
        };
    });
#if defined(RICCI_USE_LAPACK)
    r.add("lapack", [=] {
        return [=, a = rc::matrix_transpose(input<double>(1, n, n)).clone(), m = lapack_room(n),
                tau = std::vector<double>(std::size_t(n)), sizes = rc::tensor<double, 1>()]() mutable {
            std::copy(a.begin(), a.end(), m.a.data());
            dgeqrf_(&m.n, &m.n, m.a.data(), &m.n, tau.data(), m.work.data(), &m.size, &m.info);
            for (int j = 0; j < m.n; ++j) {
                const double* const column = m.a.data() + j * m.n;
                std::copy(column, column + j + 1, m.u.data() + j * m.n);
                std::fill(m.u.data() + j * m.n + j + 1, m.u.data() + (j + 1) * m.n, 0.0);
            }
            dorgqr_(&m.n, &m.n, &m.n, m.a.data(), &m.n, tau.data(), m.work.data(), &m.size, &m.info);
            sizes = sizes_of(m.u);
            return whole(sizes);
        };
    });
#endif
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        const auto a = input<double>(1, n, n);
        return [=, m = Eigen::MatrixXd(Eigen::Map<const Eigen::MatrixXd>(a.data(), n, n).transpose()),
                q = Eigen::MatrixXd(), y = Eigen::MatrixXd(), sizes = Eigen::VectorXd()]() mutable {
            const Eigen::HouseholderQR<Eigen::MatrixXd> factored(m);
            q = factored.householderQ();
            y = factored.matrixQR().triangularView<Eigen::Upper>();
            sizes = y.diagonal().cwiseAbs();
            return result(sizes.data(), sizes.size());
        };
    });
#endif
}

// ---- Small ones ----------------------------------------------------------------------------------------------------

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

/// Eigenvalues and eigenvectors of 3 x 3 matrices.
void small_eigh_row(index_t count) {
    const auto matrices = [count] {
        const auto a = rc::reshape(input<double>(4, count * 9), {count, 3, 3});
        return rc::evaluate(a + rc::matrix_transpose(a));
    };
    row r("eigh3x3", count, 1e-12, [=] { return numbers(rc::linalg::eigvalsh(matrices())); });
    r.add("ricci", [=] {
        return [a = matrices(), w = rc::tensor<double, 2>(), v = rc::tensor<double, 3>()]() mutable {
            std::tie(w, v) = members(rc::linalg::eigh(a));
            return whole(w);
        };
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [=] {
        return [a = matrices(), v = matrices(), w = input<double>(5, count, 3).clone()] {
            for (index_t k = 0; k < a.shape()[0]; ++k) {
                const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(
                    Eigen::Map<const Eigen::Matrix3d>(a.data() + 9 * k));
                Eigen::Map<Eigen::Vector3d>(w.data() + 3 * k) = solver.eigenvalues();
                Eigen::Map<Eigen::Matrix3d>(v.data() + 9 * k) = solver.eigenvectors().transpose();
            }
            return whole(w);
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
    for (const index_t n : {10, 100, 300}) {
        eigh_row(n);
        svd_row(n);
        qr_row(n);
    }
    small_inverses_row(10000);
    small_eigh_row(10000);
    return true;
}();

}  // namespace
