// What a library of LAPACK's kind is asked for on the device, by a library that does it on copies by the CPU's kernels
// or by the definition: matrices are column-major, triangles that are not read hold NaN.
#include <ricci/cuda/by_device.hpp>
#include <ricci/cuda/linalg_calls.hpp>

#include "agree.hpp"

namespace {

using rc::index_t;

template <class T>
struct column_major {
    T* data;
    index_t rows, columns;
    T& operator()(index_t i, index_t j) const { return data[j * rows + i]; }
    rc::tensor<T, 2> read() const {
        auto x = rc::empty<T>({rows, columns});
        for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < columns; ++j) x.at(i, j) = (*this)(i, j);
        return x;
    }
    void write(const rc::tensor<T, 2>& x) const {
        for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < columns; ++j) (*this)(i, j) = x.at(i, j);
    }
    /// The Hermitian matrix of which the upper triangle is here.
    rc::tensor<T, 2> read_upper() const {
        auto x = rc::empty<T>({rows, rows});
        for (index_t j = 0; j < rows; ++j)
            for (index_t i = 0; i <= j; ++i) {
                x.at(j, i) = conjugate((*this)(i, j));
                x.at(i, j) = (*this)(i, j);
            }
        return x;
    }
    static T conjugate(const T& x) {
        if constexpr (rc::is_complex_v<T>) return std::conj(x);
        else return x;
    }
};
const auto not_a_number = std::numeric_limits<double>::quiet_NaN();
using cpu = rc::linalg_backend<rc::cpu_device>;

struct reference_library {
    template <class T>
    static void lu(index_t m, index_t n, T* a, index_t* pivots, int* info) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> c{a, m, n};
        auto x = c.read();
        *info = 0;
        for (index_t k = 0; k < std::min(m, n); ++k) {
            index_t best = k;
            for (index_t i = k; i < m; ++i)
                if (std::abs(x.at(i, k)) > std::abs(x.at(best, k))) best = i;
            pivots[k] = best + 1;
            for (index_t j = 0; j < n; ++j) std::swap(x.at(k, j), x.at(best, j));
            if (x.at(k, k) == T(0)) {
                if (*info == 0) *info = static_cast<int>(k) + 1;
                continue;
            }
            for (index_t i = k + 1; i < m; ++i) {
                x.at(i, k) /= x.at(k, k);
                for (index_t j = k + 1; j < n; ++j) x.at(i, j) -= x.at(i, k) * x.at(k, j);
            }
        }
        c.write(x);
    }
    template <class T>
    static void solve_lu(bool transpose, index_t n, index_t columns, const T* lu, const index_t* pivots, T* x) {
        RICCI_DEVICE_WORK(copy);
        const auto f = column_major<T>{const_cast<T*>(lu), n, n}.read();
        const column_major<T> b{x, n, columns};
        for (index_t c = 0; c < columns; ++c) {
            if (!transpose) {
                for (index_t k = 0; k < n; ++k) std::swap(b(k, c), b(pivots[k] - 1, c));
                for (index_t i = 0; i < n; ++i)
                    for (index_t j = 0; j < i; ++j) b(i, c) -= f.at(i, j) * b(j, c);
                for (index_t i = n; i-- > 0;) {
                    for (index_t j = i + 1; j < n; ++j) b(i, c) -= f.at(i, j) * b(j, c);
                    b(i, c) /= f.at(i, i);
                }
            } else {
                for (index_t i = 0; i < n; ++i) {
                    for (index_t j = 0; j < i; ++j) b(i, c) -= f.at(j, i) * b(j, c);
                    b(i, c) /= f.at(i, i);
                }
                for (index_t i = n; i-- > 0;)
                    for (index_t j = i + 1; j < n; ++j) b(i, c) -= f.at(j, i) * b(j, c);
                for (index_t k = n; k-- > 0;) std::swap(b(k, c), b(pivots[k] - 1, c));
            }
        }
    }
    template <class T>
    static void lu_of_many(index_t count, index_t n, T** a, int* pivots, int* info) {
        RICCI_DEVICE_WORK(copy);
        std::vector<index_t> wide(static_cast<std::size_t>(n));
        for (index_t i = 0; i < count; ++i) {
            lu(n, n, a[i], wide.data(), info + i);
            for (index_t k = 0; k < n; ++k) pivots[i * n + k] = static_cast<int>(wide[static_cast<std::size_t>(k)]);
        }
        ++batches;
    }
    template <class T>
    static void solve_lu_of_many(index_t count, bool transpose, index_t n, index_t columns, T** lu, const int* pivots,
                                 T** x) {
        RICCI_DEVICE_WORK(copy);
        for (index_t i = 0; i < count; ++i) {
            const std::vector<index_t> wide(pivots + i * n, pivots + (i + 1) * n);
            solve_lu(transpose, n, columns, lu[i], wide.data(), x[i]);
        }
        ++batches;
    }
    static inline int batches = 0;
    template <class T>
    static void solve_triangle_from_right(bool upper, bool unit, index_t m, index_t n, const T* a, T* x) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> t{const_cast<T*>(a), n, n}, b{x, m, n};
        for (index_t r = 0; r < m; ++r)
            for (index_t k = 0; k < n; ++k) {
                const index_t j = upper ? k : n - 1 - k;
                for (index_t l = 0; l < k; ++l) {
                    const index_t i = upper ? l : n - 1 - l;
                    b(r, j) -= b(r, i) * t(i, j);
                }
                if (!unit) b(r, j) /= t(j, j);
            }
    }
    template <class T>
    static void cholesky_upper(index_t n, T* a, int* info) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> c{a, n, n};
        *info = 0;
        for (index_t j = 0; j < n && *info == 0; ++j)
            for (index_t i = 0; i <= j; ++i) {
                T sum = c(i, j);
                for (index_t k = 0; k < i; ++k) sum -= column_major<T>::conjugate(c(k, i)) * c(k, j);
                if (i < j) c(i, j) = sum / c(i, i);
                else if (std::real(sum) > 0) c(i, i) = std::sqrt(std::real(sum));
                else *info = static_cast<int>(i) + 1;
                if (i < j) c(j, i) = static_cast<T>(not_a_number);
            }
    }
    /// Reflectors 1 - tau v v^H with v(k) = 1 (LAPACK's larfg).
    template <class T>
    static void qr(index_t m, index_t n, T* a, T* tau) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> c{a, m, n};
        for (index_t k = 0; k < std::min(m, n); ++k) {
            double below = 0;
            for (index_t i = k + 1; i < m; ++i) below += std::norm(c(i, k));
            const T alpha = c(k, k);
            tau[k] = 0;
            if (below == 0 && std::imag(alpha) == 0) continue;
            const auto size = std::sqrt(std::norm(alpha) + static_cast<rc::real_t<T>>(below));
            const T beta = std::real(alpha) > 0 ? T(-size) : T(size);
            tau[k] = (beta - alpha) / beta;
            for (index_t i = k + 1; i < m; ++i) c(i, k) /= alpha - beta;
            c(k, k) = beta;
            for (index_t j = k + 1; j < n; ++j) reflect(c, k, column_major<T>::conjugate(tau[k]), c, j);
        }
    }
    template <class T>
    static void form_q(index_t m, index_t n, index_t k, T* a, const T* tau) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> c{a, m, n};
        auto q = rc::zeros<T>({n, m});
        const column_major<T> to{q.data(), m, n};
        for (index_t j = 0; j < n; ++j) {
            to(j, j) = 1;
            for (index_t r = k; r-- > 0;) reflect(c, r, tau[r], to, j);
        }
        std::copy(q.data(), q.data() + m * n, a);
    }
    template <class T>
    static void eigh_upper(bool vectors, index_t n, T* a, rc::real_t<T>* w, int* info) {
        RICCI_DEVICE_WORK(copy);
        const column_major<T> c{a, n, n};
        const auto x = c.read_upper();
        cpu::eigh(x, w, vectors, "eigh");
        if (vectors) c.write(x);
        *info = 0;
    }
    template <class T>
    static void svd(bool vectors, bool all, index_t m, index_t n, T* a, rc::real_t<T>* s, T* u, T* vh, int* info) {
        RICCI_DEVICE_WORK(copy);
        REQUIRE(m >= n);
        const auto x = column_major<T>{a, m, n}.read();
        auto left = rc::empty<T>({m, all ? m : n}), right = rc::empty<T>({n, n});
        cpu::svd(x, left, s, right, vectors, "svd");
        if (vectors) {
            column_major<T>{u, m, left.shape()[1]}.write(left);
            column_major<T>{vh, n, n}.write(right);
        }
        *info = 0;
    }

   private:
    /// Column j of `to` times 1 - factor v v^H, with v in column k of `from`.
    template <class T>
    static void reflect(const column_major<T>& from, index_t k, T factor, const column_major<T>& to, index_t j) {
        T along = to(k, j);
        for (index_t i = k + 1; i < from.rows; ++i) along += column_major<T>::conjugate(from(i, k)) * to(i, j);
        to(k, j) -= factor * along;
        for (index_t i = k + 1; i < from.rows; ++i) to(i, j) -= factor * along * from(i, k);
    }
};
using calls = rc::detail::linalg_by_calls<reference_library>;

template <class T, int R>
auto matrices(const int (&extents)[R], std::uint64_t seed = 1) {
    const auto x = random_tensor<double>(extents, seed);
    const auto y = random_tensor<double>(extents, seed + 10);
    if constexpr (rc::is_complex_v<T>) return rc::evaluate(rc::complex(x, y));
    else return rc::evaluate(rc::astype<T>(x));
}
template <class A>
auto on_device(const A& a) {
    return a.clone().to(rc::cuda).clone();
}
template <class A>
auto adjoint(const A& a) {
    return rc::evaluate(rc::conj(rc::matrix_transpose(a)));
}

}  // namespace

TEST_CASE_TEMPLATE("cuda: systems, inverses and determinants by a library", T, double, std::complex<double>) {
    const auto a = matrices<T>({2, 3, 4, 4});
    for (const int columns : {1, 3}) {
        const auto b = matrices<T>({2, 3, 4, columns}, 2);
        const auto x = on_device(b);
        reference_library::batches = 0;
        calls::solve(on_device(a), x);
        check_equal(x, rc::linalg::solve(a, b));
        CHECK(reference_library::batches == 2);
        const auto big = matrices<T>({2, 70, 70}, 4);
        const auto rhs = matrices<T>({2, 70, columns}, 5);
        const auto y = on_device(rhs);
        calls::solve(on_device(big), y);  // one by one
        check_equal(rc::matmul(big, y.to(rc::cpu)), rhs);
        CHECK(reference_library::batches == 2);
        const auto one = on_device(rc::evaluate(a(0, 0)));
        const auto shared = on_device(b);
        const auto pivots = rc::empty<index_t>({4}, rc::cuda);
        calls::factor_and_solve(one, pivots.data(), shared);
        check_equal(shared, rc::linalg::solve(a(0, 0), b));
        calls::solve_transposed(one, pivots.data(), shared, "solve");
        check_equal(rc::matmul(rc::matrix_transpose(a(0, 0)), shared.to(rc::cpu)), rc::linalg::solve(a(0, 0), b));
        for (const bool upper : {false, true})
            for (const bool unit : {false, true}) {
                const auto y = on_device(b);
                const auto expected = b.clone();
                calls::solve_triangular(on_device(a), y, upper, unit);
                cpu::solve_triangular(a.clone(), expected, upper, unit);
                check_equal(y, expected);
            }
    }
    const auto y = on_device(a);
    calls::inverse(a.to(rc::cuda), y);
    check_equal(y, rc::linalg::inv(a));
    const auto det = rc::empty<T>({2, 3}, rc::cuda);
    const auto sign = rc::empty<T>({2, 3}, rc::cuda);
    const auto log = rc::empty<double>({2, 3}, rc::cuda);
    calls::determinants(on_device(a), det.data());
    check_equal(det, rc::linalg::det(a));
    calls::log_determinants(on_device(a), sign.data(), log.data());
    check_equal(sign, rc::linalg::slogdet(a).sign);
    check_equal(log, rc::linalg::slogdet(a).logabsdet);
    for (const auto& x : {matrices<T>({2, 5, 3}), matrices<T>({2, 3, 5}), matrices<T>({2, 4, 4})}) {
        const auto lu = on_device(x);
        const auto expected = x.clone();
        const auto order = rc::empty<index_t>({2, x.shape()[1]}, rc::cuda);
        const auto same = rc::empty<index_t>(order.shape());
        calls::lu(lu, order.data());
        if constexpr (!rc::is_complex_v<T>) {  // of complex numbers the CPU's largest is that by |re| + |im|
            cpu::lu(expected, same.data());
            check_equal(order, same);
            check_equal(lu, expected);
        }
        const index_t k = std::min(x.shape()[1], x.shape()[2]);
        const auto l = rc::evaluate(rc::tril(lu.to(rc::cpu)(rc::all, rc::all, rc::slice(0, k)), -1) +
                                    rc::eye<double>(x.shape()[1], k));
        const auto u = rc::evaluate(rc::triu(lu.to(rc::cpu)(rc::all, rc::slice(0, k))));
        check_equal(rc::matmul(l, u),
                    rc::take_along_axis(x, rc::evaluate(order.to(rc::cpu)(rc::all, rc::all, rc::newaxis)), 1));
    }
}

TEST_CASE_TEMPLATE("cuda: orthogonal and positive factors by a library", T, double, std::complex<double>) {
    const auto b = matrices<T>({3, 4, 4});
    const auto a = rc::evaluate(rc::matmul(b, adjoint(b)) + rc::eye<double>(4));
    auto spoilt = on_device(a);  // what is above the diagonal is not read
    spoilt = rc::evaluate(rc::tril(spoilt) + rc::triu(rc::full_like(spoilt, T(100)), 1));
    calls::cholesky(spoilt);
    check_equal(spoilt, rc::linalg::cholesky(a));
    auto lower = on_device(a);
    lower = rc::evaluate(rc::tril(lower) + rc::triu(rc::full_like(lower, T(100)), 1));
    const auto w = rc::empty<double>({3, 4}, rc::cuda);
    calls::eigh(lower, w.data(), true, "eigh");
    check_equal(w, rc::linalg::eigvalsh(a));
    const auto v = lower.to(rc::cpu);
    check_equal(rc::matmul(a, v), rc::evaluate(v * w.to(rc::cpu)(rc::all, rc::newaxis)));
    check_equal(rc::matmul(adjoint(v), v), rc::evaluate(rc::zeros_like(v) + rc::eye<double>(4)));
    const auto again = rc::empty<double>({3, 4}, rc::cuda);
    calls::eigh(on_device(a), again.data(), false, "eigvalsh");
    check_equal(again, w);
    for (const auto& x :
         {matrices<T>({2, 5, 3}), matrices<T>({2, 3, 5}), matrices<T>({2, 4, 4}), matrices<T>({2, 3, 1})}) {
        const index_t m = x.shape()[1], n = x.shape()[2], k = std::min(m, n);
        for (const bool whole : {false, true}) {
            const index_t columns = whole ? m : k;
            const auto q = rc::empty<T>({2, m, columns}, rc::cuda);
            const auto r = rc::empty<T>({2, columns, n}, rc::cuda);
            calls::qr(on_device(x), q, r);
            const auto qh = q.to(rc::cpu);
            check_equal(rc::matmul(qh, r.to(rc::cpu)), x);
            check_equal(r, rc::evaluate(rc::triu(r.to(rc::cpu))));
            check_equal(rc::matmul(adjoint(qh), qh),
                        rc::evaluate(rc::zeros<T>({2, columns, columns}) + rc::eye<double>(columns)));
            const auto u = rc::empty<T>({2, m, columns}, rc::cuda);
            const auto vh = rc::empty<T>({2, whole ? n : k, n}, rc::cuda);
            const auto s = rc::empty<double>({2, k}, rc::cuda);
            const auto only = rc::empty<double>({2, k}, rc::cuda);
            calls::svd(on_device(x), u, s.data(), vh, true, "svd");
            check_equal(s, rc::linalg::svdvals(x));
            const auto left = u.to(rc::cpu)(rc::all, rc::all, rc::slice(0, k)),
                       right = vh.to(rc::cpu)(rc::all, rc::slice(0, k));
            check_equal(rc::matmul(rc::evaluate(left * s.to(rc::cpu)(rc::all, rc::newaxis)), rc::evaluate(right)), x);
            check_equal(rc::matmul(adjoint(u.to(rc::cpu)), u.to(rc::cpu)),
                        rc::evaluate(rc::zeros<T>({2, columns, columns}) + rc::eye<double>(columns)));
            using A = std::remove_cvref_t<decltype(u)>;
            calls::svd(on_device(x), A(), only.data(), A(), false, "svdvals");
            check_equal(only, s);
        }
    }
}

TEST_CASE("cuda: what a library refuses, and what it does not have") {
    auto a = matrices<double>({3, 3, 3});
    a(1, rc::all, 1) = 0.0;
    const auto x = rc::zeros<double>({3, 3, 2}, rc::cuda);
    // of the factors of the transpose
    CHECK_THROWS_WITH_AS(calls::solve(on_device(a), x), "[solve] matrix 1 of the batch is singular: U(2, 2) is 0",
                         rc::linalg_error);
    a(1, 1, 1) = not_a_number;
    const auto w = rc::empty<double>({3, 3}, rc::cuda);
    CHECK_THROWS_WITH_AS(calls::eigh(on_device(a), w.data(), true, "eigh"),
                         "[eigh] matrix 1 of the batch has an element that is not finite, at (1, 1)", rc::linalg_error);
    CHECK_THROWS_WITH_AS(calls::cholesky(on_device(rc::evaluate(-rc::eye<double>(2)))),
                         "[cholesky] the matrix is not positive definite: the leading minor of order 1 is not positive",
                         rc::linalg_error);
    const auto none = rc::zeros<double>({3, 0, 2}, rc::cuda);
    calls::solve(rc::zeros<double>({3, 0, 0}, rc::cuda), none);
    const auto q = rc::empty<double>({2, 3, 3}, rc::cuda);
    const auto r = rc::empty<double>({2, 3, 0}, rc::cuda);
    calls::qr(rc::zeros<double>({2, 3, 0}, rc::cuda), q, r);
    check_equal(q, rc::evaluate(rc::zeros<double>({2, 3, 3}) + rc::eye<double>(3)));
    const auto b = matrices<double>({2, 3, 3});
    const auto e = on_device(b);
    calls::exponential(e);
    check_equal(e, rc::linalg::matrix_exp(b));
}

TEST_CASE("cuda: each device has a handle of its own, made when it is first asked for") {
    static int made = 0, gone = 0;
    struct handle {
        int number = ++made;
        ~handle() { ++gone; }
    };
    {
        rc::detail::by_device<const handle> handles;
        const handle& second = handles[2];
        CHECK(second.number == 1);
        CHECK(handles[0].number == 2);
        CHECK(&handles[2] == &second);
        CHECK(handles[0].number == 2);
        CHECK(made == 2);
    }
    CHECK(gone == 2);
}
