// The iterations of conjugate gradients, BiCGSTAB and GMRES on plain vectors.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "../cpu/dense_vectors.hpp"
#include "../ops/create.hpp"
#include "../ops/shape.hpp"

namespace ricci {

template <class X>
struct started_options;
/// When an iterative solver stops: where the residual's norm is at most max(rtol |b|, atol), or after as many
/// iterations (-1: ten times the number of unknowns). GMRES starts again after `restart` vectors.
struct solver_options {
    double rtol = 1e-5;
    double atol = 0;
    index_t max_iterations = -1;
    index_t restart = 20;

    /// These options, to start from x0, which has the right side's shape, and not from 0. The solution does not depend
    /// on it: the equations of derivatives start from 0.
    template <expression X>
    auto starting_from(const X& x0) const {
        const auto start = detail::evaluate_as<compute_t<inexact_t<typename X::value_type>>>(x0);
        return started_options<std::remove_cvref_t<decltype(start)>>{*this, start};
    }
};
template <class X>
struct started_options : solver_options {
    static_assert(std::is_void_v<typename X::wrapper>, "ricci: a solver starts from a plain array");
    X x0;
};
/// How an iterative solver ended. Of a batch: the most iterations, the largest residual, and whether all converged.
struct solver_info {
    bool converged = true;
    index_t iterations = 0;
    double residual = 0;  // |b - A x|, as the recurrences have it
};
/// No preconditioner.
struct no_preconditioner {};
/// A preconditioner that can be applied transposed, too: then methods for any matrix use it in the transposed equations
/// of derivatives.
template <class F, class G>
struct transposable_preconditioner {
    F apply;
    G apply_transposed;
    template <class R>
    auto operator()(const R& r) const {
        return apply(r);
    }
    transposable_preconditioner<G, F> transposed() const { return {apply_transposed, apply}; }
};
template <class F, class G>
transposable_preconditioner(F, G) -> transposable_preconditioner<F, G>;

namespace detail {

template <class T>
using dense_vector = tensor<T, 1>;

template <class T>
T times_conjugate(const T& x, const T& y) {  // conj(x) y
    if constexpr (is_complex_v<T>)
        return T(x.real() * y.real() + x.imag() * y.imag(), x.real() * y.imag() - x.imag() * y.real());
    else return x * y;
}
template <class T>
T vector_product(const dense_vector<T>& x, const dense_vector<T>& y) {
    const index_t n = x.size();
    if constexpr (simd_supported<T>) {
        return dense_dot(x.data(), y.data(), n);
    } else {
        T sum[4] = {};  // four chains, which do not wait for each other
        for (index_t i = 0; i + 4 <= n; i += 4)
            for (index_t j = 0; j < 4; ++j) sum[j] += times_conjugate(x.data()[i + j], y.data()[i + j]);
        for (index_t i = n - n % 4; i < n; ++i) sum[0] += times_conjugate(x.data()[i], y.data()[i]);
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}
/// NaN where one is.
template <class T>
real_t<T> largest_element(const dense_vector<T>& x) {
    real_t<T> largest = 0;
    for (index_t i = 0, n = x.size(); i < n; ++i) {
        const real_t<T> size = std::abs(x.data()[i]);
        if (size > largest || size != size) largest = size;
    }
    return largest;
}
/// The length of x, of which the product with itself is given: of multiples where squares overflow or lose bits, as
/// those of A x do though x is of length 1.
template <class T>
double vector_length(const dense_vector<T>& x, const T& product) {
    using R = real_t<T>;
    using limits = std::numeric_limits<R>;
    const R square = std::abs(product);
    if (square > limits::min() / limits::epsilon() && square <= limits::max())
        return std::sqrt(static_cast<double>(square));
    const R largest = largest_element(x);
    if (square != square || largest == 0 || !std::isfinite(largest)) return static_cast<double>(square);
    double sum = 0;
    for (index_t i = 0, n = x.size(); i < n; ++i) {
        const auto ratio = static_cast<double>(std::abs(x.data()[i]) / largest);
        sum += ratio * ratio;
    }
    return std::sqrt(sum) * static_cast<double>(largest);
}
template <class T>
double vector_length(const dense_vector<T>& x) {
    return vector_length(x, vector_product(x, x));
}
/// y = y + a x, and y = x + a y.
template <class T>
void add_multiple(const dense_vector<T>& y, T a, const dense_vector<T>& x) {
    add_multiple(y.data(), a, x.data(), y.size());
}
template <class T>
void scale_and_add(const dense_vector<T>& y, T a, const dense_vector<T>& x) {
    scale_and_add(y.data(), a, x.data(), y.size());
}

/// What all methods share: the limits, where they start, and applying a preconditioner.
template <class Preconditioner, class Options = solver_options>
struct krylov_method {
    Options options;
    Preconditioner preconditioner;

    static constexpr bool is_plain = std::is_same_v<Preconditioner, no_preconditioner>;
    template <class T>
    double limit(const dense_vector<T>& b) const {
        const double relative = options.rtol * vector_length(b);
        return relative > options.atol ? relative : options.atol;
    }
    template <class T>
    index_t most(const dense_vector<T>& b) const {
        return options.max_iterations < 0 ? 10 * b.size() : options.max_iterations;
    }
    void check_start([[maybe_unused]] index_t unknowns) const {
        if constexpr (!std::is_same_v<Options, solver_options>)
            if (options.x0.size() != unknowns)
                raise<shape_error>({"[iterative solver] the start ", options.x0.shape(), " has ", options.x0.size(),
                                    " elements, the right side ", unknowns});
    }
    /// x, which is 0, becomes the guess if there is one; gives b - A x.
    template <class T, class Apply>
    dense_vector<T> start(const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x) const {
        const dense_vector<T> r = b.clone();
        if constexpr (!std::is_same_v<Options, solver_options>) {
            const auto& x0 = options.x0;
            add_multiple(x, T(1), as_dense<T>(reshaped(x0, shape<1>{x0.size()})));
            add_multiple(r, T(-1), apply(x));
        }
        return r;
    }
    template <class T>
    dense_vector<T> precondition(const dense_vector<T>& r) const {
        if constexpr (is_plain) return r;
        else return as_dense<T>(preconditioner(r));
    }
    /// What a function gave, checked, as a vector of its own.
    template <class T, class E>
    static dense_vector<T> as_dense(const E& e) {
        static_assert(E::rank == 1, "ricci: an operator or preconditioner gives an array of its argument's rank");
        const auto y = evaluate_as<T>(e);
        static_assert(std::is_void_v<typename std::remove_cvref_t<decltype(y)>::wrapper>,
                      "ricci: an operator or preconditioner captures no value of grad, jvp or vmap: let f(x, p) take "
                      "it, as a parameter, cg(f, b, {}, {}, p)");
        return dense_vector<T>(y).clone();
    }
};

/// Conjugate gradients (Hestenes and Stiefel 1952), preconditioned.
template <class Preconditioner, class Options = solver_options>
struct cg_method : krylov_method<Preconditioner, Options> {
    static constexpr bool symmetric = true;
    template <class T, class Apply>
    solver_info run(const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x) const {
        const double limit = this->limit(b);
        const dense_vector<T> r = this->start(apply, b, x);
        dense_vector<T> z = this->precondition(r), p = z.clone();
        T rz = vector_product(r, z);
        solver_info info{false, 0, vector_length(r)};
        for (const index_t most = this->most(b); info.residual > limit && info.iterations < most; ++info.iterations) {
            const dense_vector<T> ap = apply(p);
            const T curvature = vector_product(p, ap);
            if (curvature == T(0) || rz == T(0)) break;  // squares vanish before lengths do
            const T alpha = rz / curvature;
            add_multiple(x, alpha, p);
            add_multiple(r, -alpha, ap);
            z = this->precondition(r);
            const T next = vector_product(r, z);
            if constexpr (cg_method::is_plain) info.residual = vector_length(r, next);
            else info.residual = vector_length(r);
            scale_and_add(p, next / rz, z);
            rz = next;
        }
        info.converged = info.residual <= limit;
        return info;
    }
};

/// BiCGSTAB (van der Vorst 1992), preconditioned from the right.
template <class Preconditioner, class Options = solver_options>
struct bicgstab_method : krylov_method<Preconditioner, Options> {
    static constexpr bool symmetric = false;
    template <class T, class Apply>
    solver_info run(const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x) const {
        const double limit = this->limit(b);
        const dense_vector<T> r = this->start(apply, b, x), shadow = r.clone();
        dense_vector<T> p = r.clone();
        T rho = vector_product(shadow, r);
        solver_info info{false, 0, vector_length(r)};
        for (const index_t most = this->most(b); info.residual > limit && info.iterations < most; ++info.iterations) {
            const dense_vector<T> y = this->precondition(p), v = apply(y);
            const T along = vector_product(shadow, v);
            if (along == T(0)) break;
            const T alpha = rho / along;
            add_multiple(r, -alpha, v);
            add_multiple(x, alpha, y);
            info.residual = vector_length(r);
            if (info.residual <= limit) {
                ++info.iterations;
                break;
            }
            const dense_vector<T> z = this->precondition(r), t = apply(z);
            const auto length = static_cast<real_t<T>>(vector_length(t));
            if (length == 0) break;
            const T omega = vector_product(t, r) / length / length;  // its square may overflow, or vanish
            add_multiple(x, omega, z);
            add_multiple(r, -omega, t);
            info.residual = vector_length(r);
            const T next = vector_product(shadow, r);
            if (next == T(0) || omega == T(0)) {
                ++info.iterations;
                break;
            }
            const T beta = next / rho * (alpha / omega);
            rho = next;
            add_multiple(p, -omega, v);
            scale_and_add(p, beta, r);
        }
        info.converged = info.residual <= limit;
        return info;
    }
};

/// Restarted GMRES (Saad and Schultz 1986): Arnoldi's vectors, Givens rotations, preconditioned from the right.
template <class Preconditioner, class Options = solver_options>
struct gmres_method : krylov_method<Preconditioner, Options> {
    static constexpr bool symmetric = false;
    template <class T, class Apply>
    solver_info run(const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x) const {
        const double limit = this->limit(b);
        const index_t n = b.size(), wanted = this->options.restart < 1 ? 1 : this->options.restart;
        const auto m = static_cast<std::size_t>(wanted < n ? wanted : n);
        dense_vector<T> r = this->start(apply, b, x);
        solver_info info{false, 0, vector_length(r)};
        for (const index_t most = this->most(b); info.residual > limit && info.iterations < most;) {
            const double before = info.residual;
            const auto [steps, residual] = cycle(apply, r, x, m, most - info.iterations, limit);
            info.iterations += steps;
            r = b.clone();
            add_multiple(r, T(-1), apply(x));
            info.residual = vector_length(r);
            if (steps == 0 || !(info.residual < before)) break;  // stagnates, or lost to rounding
        }
        info.converged = info.residual <= limit;
        return info;
    }

   private:
    struct progress {
        index_t steps;
        double residual;
    };
    /// At most m steps from x, whose residual is r; adds the best correction to x.
    template <class T, class Apply>
    progress cycle(const Apply& apply, const dense_vector<T>& r, const dense_vector<T>& x, std::size_t m, index_t most,
                   double limit) const {
        const double length = vector_length(r);
        std::vector<dense_vector<T>> basis{r.clone()}, directions;
        for (index_t i = 0; i < r.size(); ++i) basis[0].data()[i] /= static_cast<real_t<T>>(length);
        std::vector<std::vector<T>> h;
        std::vector<T> c, s, g{T(static_cast<real_t<T>>(length))};
        while (h.size() < m && static_cast<index_t>(h.size()) < most && std::abs(g.back()) > limit) {
            const std::size_t k = h.size();
            directions.push_back(this->precondition(basis[k]).clone());
            const dense_vector<T> w = apply(directions[k]);
            const double noise = std::numeric_limits<real_t<T>>::epsilon() * vector_length(w);
            std::vector<T> column(k + 2);
            for (int pass = 0; pass < 2; ++pass)  // twice is enough to be orthogonal
                for (std::size_t i = 0; i <= k; ++i) {
                    const T along = vector_product(basis[i], w);
                    column[i] += along;
                    add_multiple(w, -along, basis[i]);
                }
            const double rest = vector_length(w);
            column[k + 1] = T(static_cast<real_t<T>>(rest));
            for (std::size_t i = 0; i < k; ++i) rotate(column[i], column[i + 1], c[i], s[i]);
            const double size = std::hypot(static_cast<double>(std::abs(column[k])), rest);
            if (!(size > noise)) {  // singular: along this direction nothing is gained
                directions.pop_back();
                break;
            }
            c.push_back(column[k] / static_cast<real_t<T>>(size));
            s.push_back(column[k + 1] / static_cast<real_t<T>>(size));
            rotate(column[k], column[k + 1], c[k], s[k]);
            g.push_back(T(0));
            rotate(g[k], g[k + 1], c[k], s[k]);
            h.push_back(column);
            if (rest <= noise) break;
            for (index_t i = 0; i < w.size(); ++i) w.data()[i] /= static_cast<real_t<T>>(rest);
            basis.push_back(w);
        }
        for (std::size_t k = h.size(); k-- > 0;) {
            for (std::size_t j = k + 1; j < h.size(); ++j) g[k] -= h[j][k] * g[j];
            g[k] /= h[k][k];
            add_multiple(x, g[k], directions[k]);
        }
        return {static_cast<index_t>(h.size()), static_cast<double>(std::abs(g.back()))};
    }
    /// (c^H, s; -s, c) times (a, b), s real.
    template <class T>
    static void rotate(T& a, T& b, const T& c, const T& s) {
        const T top = times_conjugate(c, a) + s * b;
        b = c * b - s * a;
        a = top;
    }
};

template <class T>
void scale(const dense_vector<T>& x, real_t<T> factor) {
    for (index_t i = 0, n = x.size(); i < n; ++i) x.data()[i] *= factor;
}
/// Runs a method on equations whose right side was multiplied by a power of two where squares of its elements would
/// overflow or vanish: solutions are in proportion to it, to the last bit.
template <class Method, class T, class Apply>
solver_info run_scaled(Method& method, const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x,
                       real_t<T> largest) {
    using limits = std::numeric_limits<real_t<T>>;
    int exponent = 0;
    std::frexp(largest, &exponent);
    if (std::abs(exponent) < limits::max_exponent / 4) return method.run(apply, b, x);
    constexpr int most = limits::max_exponent - limits::digits;
    exponent = exponent > most ? most : exponent < -most ? -most : exponent;
    const auto down = std::ldexp(real_t<T>(1), -exponent), up = std::ldexp(real_t<T>(1), exponent);
    method.options.atol *= down;
    if constexpr (requires { method.options.x0; }) method.options.x0 = evaluate(method.options.x0 * down);
    scale(b, down);
    solver_info info = method.run(apply, b, x);
    scale(x, up);
    info.residual *= up;
    return info;
}
/// Solves A x = b by a method; x is 0 before. A right side of zeros has the solution 0, wherever the method would
/// start; where the right side or the residual is no number, neither is x.
template <class Method, class T, class Apply>
solver_info run_method(Method method, const Apply& apply, const dense_vector<T>& b, const dense_vector<T>& x) {
    method.check_start(b.size());
    const real_t<T> largest = largest_element(b);
    if (largest == 0) return {};
    solver_info info{false, 0, static_cast<double>(largest)};
    if (std::isfinite(largest)) info = run_scaled(method, apply, b, x, largest);
    if (!std::isfinite(info.residual))
        for (index_t i = 0, n = x.size(); i < n; ++i) x.data()[i] = T(std::numeric_limits<real_t<T>>::quiet_NaN());
    return info;
}

}  // namespace detail
}  // namespace ricci
