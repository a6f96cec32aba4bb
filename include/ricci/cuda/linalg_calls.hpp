// Decompositions of stacks of matrices on the device by a library of LAPACK's kind, whose matrices are column-major.
#pragma once
#include <thrust/find.h>

#include "../core/product_in_range.hpp"
#include "../cpu/linalg.hpp"
#include "../expr/assign.hpp"
#include "executor.hpp"
#include "thrust_call.hpp"

namespace ricci::detail {

/// The first of some indices for which `is` holds; `count` where there is none. Waits for the device.
template <class Is>
index_t first_index(index_t count, const Is& is) {
    index_t found = count;
    if (count > 0)
        call_thrust([&](const auto& policy) {
            const thrust::counting_iterator<index_t> begin(0);
            found = *thrust::find_if(policy, begin, begin + count, is);
        });
    return found;
}

// ---- what is asked of elements, and done to them: row-major matrices one after the other ----------------------------

template <class L>
struct zero_on_diagonal {
    const L* a;
    index_t n;
    RICCI_HD bool operator()(index_t i) const { return a[i / n * n * n + i % n * (n + 1)] == L(0); }
};
template <class R>
struct not_finite {
    const R* a;
    index_t rows, columns, parts;  // two of a complex number
    bool lower;
    RICCI_HD bool operator()(index_t i) const {
        const index_t j = i % columns, row = i / columns % rows;
        if (lower && j > row) return false;
        for (index_t p = 0; p < parts; ++p)
            if (!(a[parts * i + p] - a[parts * i + p] == R(0))) return true;
        return false;
    }
};
/// One on the diagonal of matrices of so many rows and columns, zero elsewhere.
template <class L>
struct identity_kernel {
    L* a;
    index_t rows, columns;
    RICCI_HD void operator()(index_t i) const { a[i] = L(i % columns == i / columns % rows ? 1 : 0); }
};
/// Zeros above the diagonal of square matrices.
template <class L>
struct lower_kernel {
    L* a;
    index_t n;
    RICCI_HD void operator()(index_t i) const {
        if (i % n > i / n % n) a[i] = L(0);
    }
};
/// r = the first rows of column-major matrices of m rows, zeros below the diagonal.
template <class L>
struct upper_kernel {
    const L* a;
    L* r;
    index_t m, rows, columns;
    RICCI_HD void operator()(index_t i) const {
        const index_t j = i % columns, row = i / columns % rows, matrix = i / columns / rows;
        r[i] = row <= j ? a[(matrix * columns + j) * m + row] : L(0);
    }
};
/// y = the adjoints of square matrices.
template <class R, bool Complex>
struct adjoint_kernel {
    const R* x;
    R* y;
    index_t n;
    RICCI_HD void operator()(index_t i) const {
        const index_t from = i / (n * n) * n * n + i % n * n + i / n % n;
        if constexpr (Complex) {
            y[2 * i] = x[2 * from];
            y[2 * i + 1] = -x[2 * from + 1];
        } else {
            y[i] = x[from];
        }
    }
};
/// The rows' order after the exchanges of one matrix: row k with pivots[k], counted from 1.
struct row_order_kernel {
    const index_t* pivots;
    index_t* order;
    index_t rows, steps;
    RICCI_HD void operator()(index_t matrix) const {
        index_t* const to = order + matrix * rows;
        for (index_t k = 0; k < rows; ++k) to[k] = k;
        for (index_t k = 0; k < steps; ++k) {
            const index_t other = pivots[matrix * steps + k] - 1, here = to[k];
            to[k] = to[other];
            to[other] = here;
        }
    }
};
template <class L, class R>
struct determinant_kernel {
    L* lu;  // whose pivots may change places, but for the logarithm
    const index_t* pivots;
    L* to;
    R* logarithm;  // of the absolute value; `to` is the sign then
    index_t n;

    RICCI_HD void operator()(index_t matrix) const {
        L* const first = lu + matrix * n * n;
        bool odd = false;
        for (index_t k = 0; k < n; ++k) odd = odd != (pivots[matrix * n + k] != k + 1);
        L product(1);
        if (logarithm) {
            R sum(0);
            for (index_t k = 0; k < n; ++k) {
                const L pivot = first[k * (n + 1)];
                const R size = math::abs(pivot);
                sum += math::log(size);
                product = product * (size == R(0) ? L(0) : pivot / size);
            }
            logarithm[matrix] = sum;
        } else product = product_in_range(first, n + 1, n, [](const L& x) { return math::abs(x); });
        to[matrix] = odd ? -product : product;
    }
};

/// Where the matrices of a stack begin, or all of them if step is 0.
template <class T>
struct begin_kernel {
    T* first;
    index_t step;
    T** to;
    RICCI_HD void operator()(index_t i) const { to[i] = first + i * step; }
};
/// Pivots as one library has them for those of the other, repeated where there are fewer of them.
template <class From, class To>
struct pivot_kernel {
    const From* from;
    To* to;
    index_t count;
    RICCI_HD void operator()(index_t i) const { to[i] = static_cast<To>(from[i % count]); }
};

/// What each matrix's factorization says: zero where it went well. Reading it waits for the device.
class device_failures {
   public:
    explicit device_failures(index_t count) : codes_(tensor<int, 1, cuda_device>::uninitialized(shape<1>{{count}})) {
        executor<cuda_device>::fill(codes_, 0);
    }
    int* at(index_t matrix) const { return codes_.data() + matrix; }
    void report(first_failure& f) const {
        const auto codes = transfer<cpu_device>(codes_);
        for (index_t i = 0; i < codes.size(); ++i)
            if (codes.data()[i] != 0) f.report(i, codes.data()[i]);
    }

   private:
    tensor<int, 1, cuda_device> codes_;
};

/// linalg_backend's functions (cpu/linalg.hpp) by Library's, which take one column-major matrix each. A dense row-major
/// matrix is its own transpose there: where that will do nothing is moved.
template <class Library>
struct linalg_by_calls {
    template <class T, int R>
    using array = tensor<T, R, cuda_device>;

    template <class T, int Q, int R>
    static void solve(const array<T, Q>& a, const array<T, R>& x) {
        const auto pivots = new_array<index_t>(stack_of(a).count * stack_of(a).rows);
        factor_and_solve(a, pivots.data(), x);
    }
    template <class T, int Q, int R>
    static void factor_and_solve(const array<T, Q>& a, index_t* pivots, const array<T, R>& x) {
        const auto as = stack_of(a);
        factor(as, pivots);
        check_diagonal(as, "solve", check_singular);
        solve_factored(as, pivots, x, true);
    }
    template <class T, int Q, int R>
    static void solve_transposed(const array<T, Q>& lu, const index_t* pivots, const array<T, R>& x, const char* op) {
        const auto as = stack_of(lu);
        check_diagonal(as, op, check_singular);
        solve_factored(as, pivots, x, false);
    }
    template <class T, int R>
    static void solve_triangular(const array<T, R>& a, const array<T, R>& x, bool upper, bool unit) {
        const auto as = stack_of(a), xs = stack_of(x);
        if (!unit) check_diagonal(as, "solve_triangular", check_triangle);
        if (x.size() == 0) return;
        // X^T = B^T A^-T, and A^T is what lies there
        for (index_t i = 0; i < xs.count; ++i)
            Library::solve_triangle_from_right(!upper, unit, xs.columns, as.rows, as[as.count == 1 ? 0 : i].data,
                                               xs[i].data);
    }
    template <class T, int R>
    static void inverse(const array<T, R>& a, const array<std::remove_const_t<T>, R>& y) {
        const auto factors = a.clone();
        const auto as = stack_of(factors), ys = stack_of(y);
        const auto pivots = new_array<index_t>(as.count * as.rows);
        factor(as, pivots.data());
        check_diagonal(as, "inv", check_singular);
        fill_identity(ys);
        // (Y A)^T = A^T Y^T: the identity becomes Y^T, which as it lies there is Y
        solve_columns(as, pivots.data(), ys.data, ys.count, as.rows, false);
    }
    template <class T, int R>
    static void lu(const array<T, R>& a, index_t* order) {
        const auto columns = transposed(a);
        const auto as = stack_of(a), cs = stack_of(columns);
        const index_t steps = std::min(as.rows, as.columns);
        const auto pivots = new_array<index_t>(as.count * steps);
        if (steps > 0) {
            const device_failures singular(as.count);  // as they may be
            for (index_t i = 0; i < as.count; ++i)
                Library::lu(as.rows, as.columns, cs[i].data, pivots.data() + i * steps, singular.at(i));
            copy_transposed(columns, a);
        }
        launch(as.count, row_order_kernel{pivots.data(), order, as.rows, steps});
    }
    template <class T, int R>
    static void determinants(const array<T, R>& a, std::remove_const_t<T>* to) {
        find_determinants(a.clone(), to, static_cast<real_t<std::remove_const_t<T>>*>(nullptr), nullptr);
    }
    template <class T, int R>
    static void log_determinants(const array<T, R>& a, T* sign, real_t<T>* logarithm, index_t* kept = nullptr) {
        find_determinants(a, sign, logarithm, kept);
    }
    /// The lower triangle is what lies there as the upper one of A^T = U^H U, with U = L^T.
    template <class T, int R>
    static void cholesky(const array<T, R>& a) {
        const auto as = stack_of(a);
        if (a.size() == 0) return;
        const device_failures failures(as.count);
        for (index_t i = 0; i < as.count; ++i) Library::cholesky_upper(as.rows, as[i].data, failures.at(i));
        launch(a.size(), lower_kernel<device_lane_t<T>>{lanes(as.data), as.rows});
        first_failure f;
        failures.report(f);
        check_positive(f, as.count);
    }
    template <class T, int R>
    static void qr(const array<T, R>& a, const array<T, R>& q, const array<T, R>& r) {
        const auto as = stack_of(a), qs = stack_of(q), rs = stack_of(r);
        const index_t m = as.rows, n = as.columns, steps = std::min(m, n);
        if (steps == 0) return fill_identity(qs);
        const auto columns = transposed(a);
        const auto factors = new_array<T>(as.count * steps);
        const auto cs = stack_of(columns);
        for (index_t i = 0; i < as.count; ++i) Library::qr(m, n, cs[i].data, factors.data() + i * steps);
        launch(r.size(), upper_kernel<device_lane_t<T>>{lanes(cs.data), lanes(rs.data), m, rs.rows, n});
        if (q.size() == 0) return;
        auto turned = q.shape();
        std::swap(turned[R - 2], turned[R - 1]);
        const auto reflectors = array<T, R>::uninitialized(turned);
        const auto hs = stack_of(reflectors);
        const index_t shared = std::min(n, qs.columns);
        for (index_t i = 0; i < as.count; ++i) {
            copy_on_device(hs[i].data, cs[i].data, static_cast<std::size_t>(m * shared) * sizeof(T));
            Library::form_q(m, qs.columns, steps, hs[i].data, factors.data() + i * steps);
        }
        copy_transposed(reflectors, q);
    }
    /// What lies there is the transpose, of which the upper triangle is read; its eigenvectors are the conjugates.
    template <class T, int R>
    static void eigh(const array<T, R>& a, real_t<T>* w, bool vectors, const char* op) {
        const auto as = stack_of(a);
        const index_t n = as.rows;
        check_all_finite(as, op, true);
        if (a.size() == 0) return;
        const device_failures failures(as.count);
        for (index_t i = 0; i < as.count; ++i) Library::eigh_upper(vectors, n, as[i].data, w + i * n, failures.at(i));
        first_failure f;
        failures.report(f);
        check_converged(f, op, as.count);
        if (!vectors) return;
        using part = real_t<T>;
        const auto columns = a.clone();
        launch(a.size(), adjoint_kernel<part, is_complex_v<T>>{reinterpret_cast<const part*>(columns.data()),
                                                               reinterpret_cast<part*>(as.data), n});
    }
    template <class T, int R>
    static void svd(const array<T, R>& a, const array<T, R>& u, real_t<T>* s, const array<T, R>& vh, bool vectors,
                    const char* op) {
        const auto as = stack_of(a), us = stack_of(u), vs = stack_of(vh);
        const index_t m = as.rows, n = as.columns, k = std::min(m, n);
        check_all_finite(as, op, false);
        if (k == 0) {
            if (!vectors) return;
            fill_identity(us);
            return fill_identity(vs);
        }
        const bool all = vectors && us.columns == m && vs.rows == n;
        const device_failures failures(as.count);
        const auto one_by_one = [&](index_t rows, index_t columns, const auto& from, const auto& left,
                                    const auto& right) {
            for (index_t i = 0; i < as.count; ++i)
                Library::svd(vectors, all, rows, columns, from[i].data, s + i * k, left[i].data, right[i].data,
                             failures.at(i));
        };
        if (m <= n) {  // A^T = conj(V) S U^T, which as they lie there are V^H and U
            one_by_one(n, m, as, vs, us);
        } else {
            const auto columns = transposed(a), left = transposed_room(u), right = transposed_room(vh);
            one_by_one(m, n, stack_of(columns), stack_of(left), stack_of(right));
            if (vectors) {
                copy_transposed(left, u);
                copy_transposed(right, vh);
            }
        }
        first_failure f;
        failures.report(f);
        check_converged(f, op, as.count);
    }

    // ---- what such libraries do not have: on the host
    template <class T, int R>
    static void lu_in_order(const array<T, R>& a) {
        on_host(a, [](const auto& x) { linalg_backend<cpu_device>::lu_in_order(x); });
    }
    template <class T, int R>
    static void cofactors(const array<T, R>& a) {
        on_host(a, [](const auto& x) { linalg_backend<cpu_device>::cofactors(x); });
    }
    template <class T, int R>
    static void cofactor_changes(const array<T, R>& a, const array<T, R>& b) {
        const auto x = transfer<cpu_device>(a);
        on_host(b, [&](const auto& y) { linalg_backend<cpu_device>::cofactor_changes(x, y); });
    }
    template <class T, int R>
    static void exponential(const array<T, R>& a) {
        on_host(a, [](const auto& x) { linalg_backend<cpu_device>::exponential(x); });
    }
    template <class T, int R, class C>
    static void eig(const array<T, R>& a, C* w, const array<C, R>& v, bool vectors, const char* op) {
        const auto x = transfer<cpu_device>(a);
        const auto values = tensor<C, 1>::uninitialized(shape<1>{{stack_of(x).count * stack_of(x).rows}});
        on_host(v, [&](const auto& y) { linalg_backend<cpu_device>::eig(x, values.data(), y, vectors, op); });
        upload(w, values.data(), static_cast<std::size_t>(values.size()) * sizeof(C));
    }

   private:
    template <class T>
    static device_lane_t<T>* lanes(T* x) {
        return reinterpret_cast<device_lane_t<T>*>(x);
    }
    template <class U>
    static array<U, 1> new_array(index_t count) {
        return array<U, 1>::uninitialized(shape<1>{{count}});  // nvcc drops braces that are to become a shape
    }
    template <class T, int R, class F>
    static void on_host(const array<T, R>& a, const F& f) {
        const auto x = transfer<cpu_device>(a).clone();  // a's memory may be the host's
        f(x);
        upload(a.data(), x.data(), static_cast<std::size_t>(x.size()) * sizeof(T));
    }
    /// The last two axes exchanged: a view, a dense copy, memory for one, and what lies in one back.
    template <class T, int R>
    static auto exchanged(const array<T, R>& x) {
        auto spec = identity_view(x.shape());
        std::swap(spec.source[R - 2], spec.source[R - 1]);
        std::swap(spec.extents[R - 2], spec.extents[R - 1]);
        return apply_view(spec, x);
    }
    template <class T, int R>
    static array<T, R> transposed(const array<T, R>& x) {
        return exchanged(x).clone();
    }
    template <class T, int R>
    static array<T, R> transposed_room(const array<T, R>& x) {
        return array<T, R>::uninitialized(exchanged(x).shape());
    }
    template <class T, int R>
    static void copy_transposed(const array<T, R>& from, const array<T, R>& to) {
        executor<cuda_device>::copy(exchanged(from), to);
    }
    template <class T>
    static void fill_identity(const matrix_stack<T>& a) {
        launch(a.count * a.rows * a.columns, identity_kernel<device_lane_t<T>>{lanes(a.data), a.rows, a.columns});
    }
    /// Whether one call for all of so many matrices takes less time than one for each.
    static bool are_many_small(index_t count, index_t n) { return count > 1 && n <= 64 && count >> 31 == 0; }
    /// Pointers to the matrices of a stack, or as many to the only one.
    template <class T>
    class stack_pointers {
       public:
        stack_pointers(const matrix_stack<T>& a, index_t count)
            : stack_pointers(a.data, a.count == 1 ? 0 : a.rows * a.columns, count) {}
        stack_pointers(T* first, index_t step, index_t count)
            : memory_(cuda_device::allocate(static_cast<std::size_t>(count) * sizeof(T*))) {
            launch(count, begin_kernel<T>{first, step, data()});
        }
        T** data() const { return static_cast<T**>(memory_.data()); }

       private:
        storage memory_;
    };
    /// What lies there, A^T, is factored in its place; square.
    template <class T>
    static void factor(const matrix_stack<T>& a, index_t* pivots) {
        const index_t all = a.count * a.rows;
        if (all == 0) return;
        const device_failures singular(a.count);  // seen on the diagonal
        if (are_many_small(a.count, a.rows)) {
            const auto narrow = new_array<int>(all);
            Library::lu_of_many(a.count, a.rows, stack_pointers(a, a.count).data(), narrow.data(), singular.at(0));
            return launch(all, pivot_kernel<int, index_t>{narrow.data(), pivots, all});
        }
        for (index_t i = 0; i < a.count; ++i)
            Library::lu(a.rows, a.rows, a[i].data, pivots + i * a.rows, singular.at(i));
    }
    template <class T, class Raise>
    static void check_diagonal(const matrix_stack<T>& a, const char* op, const Raise& raise_error) {
        const index_t count = a.count * a.rows;
        const index_t at = first_index(count, zero_on_diagonal<device_lane_t<T>>{lanes(a.data), a.rows});
        if (at == count) return;
        first_failure f;
        f.report(at / a.rows, at % a.rows);
        raise_error(f, op, a.count);
    }
    template <class T>
    static void check_all_finite(const matrix_stack<T>& a, const char* op, bool lower) {
        using part = real_t<T>;
        const index_t size = a.rows * a.columns, count = a.count * size;
        const index_t at = first_index(count, not_finite<part>{reinterpret_cast<const part*>(a.data), a.rows, a.columns,
                                                               is_complex_v<T> ? 2 : 1, lower});
        if (at == count) return;
        first_failure f;
        f.report(at / size, at % size);
        refuse_not_finite(f, a.count, a.columns, op);
    }
    /// Of column-major right sides, `count` times `width` columns.
    template <class T>
    static void solve_columns(const matrix_stack<T>& a, const index_t* pivots, T* x, index_t count, index_t width,
                              bool transpose) {
        const index_t size = a.rows * width;
        if (size == 0) return;
        if (are_many_small(count, a.rows)) {
            const auto narrow = new_array<int>(count * a.rows);
            launch(narrow.size(), pivot_kernel<index_t, int>{pivots, narrow.data(), a.count * a.rows});
            Library::solve_lu_of_many(count, transpose, a.rows, width, stack_pointers(a, count).data(), narrow.data(),
                                      stack_pointers<T>(x, size, count).data());
        } else {
            for (index_t i = 0; i < count; ++i) {
                const index_t k = a.count == 1 ? 0 : i;
                Library::solve_lu(transpose, a.rows, width, a[k].data, pivots + k * a.rows, x + i * size);
            }
        }
    }
    /// x = A^-1 x, or transposed, of what lies as the factors of A^T.
    template <class T, int R>
    static void solve_factored(const matrix_stack<T>& a, const index_t* pivots, const array<T, R>& x, bool transpose) {
        if (x.size() == 0) return;
        const bool one_column = stack_of(x).columns == 1;
        const auto columns = one_column ? x : transposed(x);
        solve_columns(a, pivots, columns.data(), stack_of(x).count, stack_of(x).columns, transpose);
        if (!one_column) copy_transposed(columns, x);
    }
    template <class T, int R>
    static void find_determinants(const array<T, R>& a, T* to, real_t<T>* logarithm, index_t* kept) {
        const auto as = stack_of(a);
        const auto own = new_array<index_t>(kept ? 0 : as.count * as.rows);
        index_t* const pivots = kept ? kept : own.data();
        factor(as, pivots);
        launch(as.count,
               determinant_kernel<device_lane_t<T>, real_t<T>>{lanes(as.data), pivots, lanes(to), logarithm, as.rows});
    }
};

}  // namespace ricci::detail
