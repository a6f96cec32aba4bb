// Small arrays of fixed extents, one after the other: what inner loops of simulation, robotics and geometry do. Beside
// loops written by hand for these sizes, and Eigen's fixed types.
#include <ricci/fixed.hpp>

#include "bench.hpp"
#if RICCI_BENCH_EIGEN
#include <Eigen/Dense>
#endif

namespace {

using namespace bench;

constexpr index_t many = 128;

/// Number k of the inputs: `many` arrays of type M, whose elements are consecutive doubles; matrices with 4 added to
/// the diagonal, so that none is near a singular one.
template <class M, index_t Rows, index_t Columns>
std::vector<M> arrays(int k) {
    const double* from = input<double>(k, many * Rows * Columns).data();
    std::vector<M> x(many);
    for (index_t n = 0; n < many; ++n)
        for (index_t i = 0; i < Rows * Columns; ++i)
            x[static_cast<std::size_t>(n)].data()[i] = *from++ + (Columns > 1 && i / Columns == i % Columns ? 4 : 0);
    return x;
}
template <index_t... N>
struct plain_array {
    double x[(N * ...)];
    double* data() { return x; }
    const double* data() const { return x; }
};

/// f of each of the inputs (of types A ...), into a Y.
template <class Y, class F, class... A>
auto for_each_array(F f, std::vector<A>... inputs) {
    return [f, y = std::vector<Y>(many), inputs...]() mutable {
        for (std::size_t i = 0; i < many; ++i) f(y[i], inputs[i]...);
        return result(y[0].data(), static_cast<index_t>(many * sizeof(Y) / sizeof(double)));
    };
}

template <index_t N>
using matrix = rc::fixed_tensor<double, N, N>;
template <index_t N>
using vector = rc::fixed_tensor<double, N>;
template <index_t N>
using hand_matrix = plain_array<N, N>;
template <index_t N>
using hand_vector = plain_array<N>;
#if RICCI_BENCH_EIGEN
template <int N>
using eigen_matrix = Eigen::Matrix<double, N, N, Eigen::RowMajor>;
template <int N>
using eigen_vector = Eigen::Matrix<double, N, 1>;
#endif

template <index_t N>
hand_vector<N> product(const hand_matrix<N>& a, const hand_vector<N>& x) {
    hand_vector<N> y;
    for (index_t i = 0; i < N; ++i) {
        double sum = 0;
        for (index_t k = 0; k < N; ++k) sum += a.x[i * N + k] * x.x[k];
        y.x[i] = sum;
    }
    return y;
}
template <index_t N>
hand_matrix<N> product(const hand_matrix<N>& a, const hand_matrix<N>& b) {
    hand_matrix<N> c;
    for (index_t i = 0; i < N; ++i)
        for (index_t j = 0; j < N; ++j) {
            double sum = 0;
            for (index_t k = 0; k < N; ++k) sum += a.x[i * N + k] * b.x[k * N + j];
            c.x[i * N + j] = sum;
        }
    return c;
}
hand_matrix<3> inverse(const hand_matrix<3>& m) {
    const double* a = m.x;
    const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    const double by = 1 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    return {{c0 * by, (a[2] * a[7] - a[1] * a[8]) * by, (a[1] * a[5] - a[2] * a[4]) * by,  //
             c1 * by, (a[0] * a[8] - a[2] * a[6]) * by, (a[2] * a[3] - a[0] * a[5]) * by,  //
             c2 * by, (a[1] * a[6] - a[0] * a[7]) * by, (a[0] * a[4] - a[1] * a[3]) * by}};
}
hand_vector<3> solution(const hand_matrix<3>& a, const hand_vector<3>& b) { return product(inverse(a), b); }

/// What tensors give for all arrays at once.
template <index_t N>
rc::tensor<double, 3> stacked(int k) {
    const auto x = arrays<matrix<N>, N, N>(k);
    return rc::from_span(std::span(x[0].data(), static_cast<std::size_t>(many * N * N)), rc::shape{many, N, N});
}
std::vector<double> listed(const auto& e) {
    const auto x = rc::evaluate(e).clone();
    return {x.begin(), x.end()};
}

void matrix_times_vector() {  // A (B (A x)) + x
    const row r("fixed_transform", many, 1e-13, [] {
        std::vector<double> y;
        const auto a = arrays<hand_matrix<3>, 3, 3>(0), b = arrays<hand_matrix<3>, 3, 3>(1);
        const auto x = arrays<hand_vector<3>, 3, 1>(2);
        for (std::size_t i = 0; i < many; ++i) {
            const auto z = product(a[i], product(b[i], product(a[i], x[i])));
            for (int k = 0; k < 3; ++k) y.push_back(z.x[k] + x[i].x[k]);
        }
        return y;
    });
    r.add("ricci", [] {
        return for_each_array<vector<3>>([](auto& y, const auto& a, const auto& b,
                                            const auto& x) { y = rc::matmul(a, rc::matmul(b, rc::matmul(a, x))) + x; },
                                         arrays<matrix<3>, 3, 3>(0), arrays<matrix<3>, 3, 3>(1),
                                         arrays<vector<3>, 3, 1>(2));
    });
    r.add("hand", [] {
        return for_each_array<hand_vector<3>>(
            [](auto& y, const auto& a, const auto& b, const auto& x) {
                const auto z = product(a, product(b, product(a, x)));
                for (int k = 0; k < 3; ++k) y.x[k] = z.x[k] + x.x[k];
            },
            arrays<hand_matrix<3>, 3, 3>(0), arrays<hand_matrix<3>, 3, 3>(1), arrays<hand_vector<3>, 3, 1>(2));
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [] {
        return for_each_array<eigen_vector<3>>(
            [](auto& y, const auto& a, const auto& b, const auto& x) { y.noalias() = a * (b * (a * x)) + x; },
            arrays<eigen_matrix<3>, 3, 3>(0), arrays<eigen_matrix<3>, 3, 3>(1), arrays<eigen_vector<3>, 3, 1>(2));
    });
#endif
}

void matrix_product() {
    const row r("fixed_matmul", many, 1e-13, [] { return listed(rc::matmul(stacked<4>(0), stacked<4>(1))); });
    r.add("ricci", [] {
        return for_each_array<matrix<4>>([](auto& y, const auto& a, const auto& b) { y = rc::matmul(a, b); },
                                         arrays<matrix<4>, 4, 4>(0), arrays<matrix<4>, 4, 4>(1));
    });
    r.add("hand", [] {
        return for_each_array<hand_matrix<4>>([](auto& y, const auto& a, const auto& b) { y = product(a, b); },
                                              arrays<hand_matrix<4>, 4, 4>(0), arrays<hand_matrix<4>, 4, 4>(1));
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [] {
        return for_each_array<eigen_matrix<4>>([](auto& y, const auto& a, const auto& b) { y.noalias() = a * b; },
                                               arrays<eigen_matrix<4>, 4, 4>(0), arrays<eigen_matrix<4>, 4, 4>(1));
    });
#endif
}

void matrix_inverse() {
    const row r("fixed_inverse", many, 1e-12, [] { return listed(rc::linalg::inv(stacked<3>(0))); });
    r.add("ricci", [] {
        return for_each_array<matrix<3>>([](auto& y, const auto& a) { y = rc::linalg::inv(a); },
                                         arrays<matrix<3>, 3, 3>(0));
    });
    r.add("hand", [] {
        return for_each_array<hand_matrix<3>>([](auto& y, const auto& a) { y = inverse(a); },
                                              arrays<hand_matrix<3>, 3, 3>(0));
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [] {
        return for_each_array<eigen_matrix<3>>([](auto& y, const auto& a) { y = a.inverse(); },
                                               arrays<eigen_matrix<3>, 3, 3>(0));
    });
#endif
}

void linear_system() {
    const row r("fixed_solve", many, 1e-12, [] {
        const auto x = arrays<vector<3>, 3, 1>(2);
        const auto b = rc::from_span(std::span(x[0].data(), static_cast<std::size_t>(many * 3)),
                                     rc::shape{many, index_t(3), index_t(1)});
        return listed(rc::linalg::solve(stacked<3>(0), b));
    });
    r.add("ricci", [] {
        return for_each_array<vector<3>>([](auto& y, const auto& a, const auto& b) { y = rc::linalg::solve(a, b); },
                                         arrays<matrix<3>, 3, 3>(0), arrays<vector<3>, 3, 1>(2));
    });
    r.add("hand", [] {
        return for_each_array<hand_vector<3>>([](auto& y, const auto& a, const auto& b) { y = solution(a, b); },
                                              arrays<hand_matrix<3>, 3, 3>(0), arrays<hand_vector<3>, 3, 1>(2));
    });
#if RICCI_BENCH_EIGEN
    r.add("eigen", [] {
        return for_each_array<eigen_vector<3>>(
            [](auto& y, const auto& a, const auto& b) { y.noalias() = a.inverse() * b; },
            arrays<eigen_matrix<3>, 3, 3>(0), arrays<eigen_vector<3>, 3, 1>(2));
    });
#endif
}

void elementwise() {  // a b + 2 c - a / (b b + 1)
    const row r("fixed_chain", many, 1e-14, [] {
        const auto a = arrays<vector<4>, 4, 1>(0), b = arrays<vector<4>, 4, 1>(1), c = arrays<vector<4>, 4, 1>(2);
        std::vector<double> y;
        for (std::size_t i = 0; i < many; ++i)
            for (int k = 0; k < 4; ++k)
                y.push_back(a[i](k) * b[i](k) + 2 * c[i](k) - a[i](k) / (b[i](k) * b[i](k) + 1));
        return y;
    });
    r.add("ricci", [] {
        return for_each_array<vector<4>>(
            [](auto& y, const auto& a, const auto& b, const auto& c) { y = a * b + 2 * c - a / (b * b + 1); },
            arrays<vector<4>, 4, 1>(0), arrays<vector<4>, 4, 1>(1), arrays<vector<4>, 4, 1>(2));
    });
    r.add("hand", [] {
        return for_each_array<hand_vector<4>>(
            [](auto& y, const auto& a, const auto& b, const auto& c) {
                hand_vector<4> z;
                for (int k = 0; k < 4; ++k) z.x[k] = a.x[k] * b.x[k] + 2 * c.x[k] - a.x[k] / (b.x[k] * b.x[k] + 1);
                y = z;
            },
            arrays<hand_vector<4>, 4, 1>(0), arrays<hand_vector<4>, 4, 1>(1), arrays<hand_vector<4>, 4, 1>(2));
    });
#if RICCI_BENCH_EIGEN
    using eigen_array = Eigen::Array<double, 4, 1>;
    r.add("eigen", [] {
        return for_each_array<eigen_array>(
            [](auto& y, const auto& a, const auto& b, const auto& c) { y = a * b + 2 * c - a / (b * b + 1); },
            arrays<eigen_array, 4, 1>(0), arrays<eigen_array, 4, 1>(1), arrays<eigen_array, 4, 1>(2));
    });
#endif
}

void sine() {
    const row r("fixed_sine", many, 1e-14, [] {
        std::vector<double> y;
        for (const auto& x : arrays<vector<4>, 4, 1>(0))
            for (const double e : x) y.push_back(std::sin(e) * e);
        return y;
    });
    r.add("ricci", [] {
        return for_each_array<vector<4>>([](auto& y, const auto& x) { y = sin(x) * x; }, arrays<vector<4>, 4, 1>(0));
    });
    r.add("hand", [] {
        return for_each_array<hand_vector<4>>(
            [](auto& y, const auto& x) {
                for (int k = 0; k < 4; ++k) y.x[k] = std::sin(x.x[k]) * x.x[k];
            },
            arrays<hand_vector<4>, 4, 1>(0));
    });
#if RICCI_BENCH_EIGEN
    using eigen_array = Eigen::Array<double, 4, 1>;
    r.add("eigen", [] {
        return for_each_array<eigen_array>([](auto& y, const auto& x) { y = x.sin() * x; },
                                           arrays<eigen_array, 4, 1>(0));
    });
#endif
}

const bool registered = [] {
    matrix_times_vector();
    matrix_product();
    matrix_inverse();
    linear_system();
    elementwise();
    sine();
    return true;
}();

}  // namespace
