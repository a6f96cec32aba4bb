// The composition table: {none, grad, jvp, vmap} of {none, grad, jvp, vmap} of {none, grad, vmap} over functions of
// three numbers that give three numbers. Each transform makes such a function from such a function:
//   grad  x -> gradient of sum(c * f(x))
//   jvp   x -> derivative of f at x along v
//   vmap  x -> sum over i of a_i f(s_i x), with all the f(s_i x) from one vmap
// The reference does the same with plain numbers: derivatives by five-point differences in long double, whose error
// (rounding 1e-19 / h^order, truncation h^4) stays below 1e-8 for three nested ones at h = 2e-3.
#pragma once
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <ricci/ricci.hpp>

namespace composition {

namespace rc = ricci;
using real = long double;
using vec = std::array<real, 3>;
using function = std::function<vec(const vec&)>;

inline constexpr double c[3] = {0.7, -1.1, 0.4}, v[3] = {0.3, 0.8, -0.5}, a[2] = {1.5, -0.6}, s[2] = {1.0, 0.8};

inline rc::tensor<double, 1> constants(const double (&values)[3]) { return rc::tensor<double, 1>{values[0], values[1], values[2]}; }

// ---- the transforms, by the library and by differences --------------------------------------------------------------

struct none {
    template <class F>
    static auto apply(F f) {
        return f;
    }
    static function reference(function f) { return f; }
};

/// Derivative at 0 of t -> f(x + t d).
inline vec along(const function& f, const vec& x, const vec& d) {
    const real h = 2e-3L;
    auto at = [&](real t) {
        vec y = x;
        for (int i = 0; i < 3; ++i) y[i] += t * d[i];
        return f(y);
    };
    const vec p1 = at(h), m1 = at(-h), p2 = at(2 * h), m2 = at(-2 * h);
    vec y{};
    for (int i = 0; i < 3; ++i) y[i] = (8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h);
    return y;
}

struct grad {
    template <class F>
    static auto apply(F f) {
        return [f](auto x) { return rc::grad([f](auto y) { return sum(constants(c) * f(y)); })(x); };
    }
    static function reference(function f) {
        return [f](const vec& x) {
            vec g{};
            for (int i = 0; i < 3; ++i) {
                vec d{};
                d[i] = 1;
                const vec y = along(f, x, d);
                for (int j = 0; j < 3; ++j) g[i] += c[j] * y[j];
            }
            return g;
        };
    }
};

struct jvp {
    template <class F>
    static auto apply(F f) {
        return [f](auto x) { return std::get<1>(rc::jvp(f, x, constants(v))); };
    }
    static function reference(function f) {
        return [f](const vec& x) { return along(f, x, {v[0], v[1], v[2]}); };
    }
};

struct vmap {
    template <class F>
    static auto apply(F f) {
        return [f](auto x) {
            const rc::tensor<double, 2> scale{{s[0]}, {s[1]}}, weight{{a[0]}, {a[1]}};
            return sum(weight * rc::vmap([f](auto y) { return rc::evaluate(f(y)); })(scale * x), 0);
        };
    }
    static function reference(function f) {
        return [f](const vec& x) {
            vec total{};
            for (int i = 0; i < 2; ++i) {
                const vec y = f({s[i] * x[0], s[i] * x[1], s[i] * x[2]});
                for (int j = 0; j < 3; ++j) total[j] += a[i] * y[j];
            }
            return total;
        };
    }
};

// ---- one entry of the table -----------------------------------------------------------------------------------------

template <class Case, class A, class B, class C>
void check(const char* name) {
    CAPTURE(name);
    const rc::tensor<double, 1> x{0.45, -0.7, 0.9};
    const auto f = A::apply(B::apply(C::apply([](auto y) { return Case::value(y); })));
    const rc::tensor<double, 1> y = rc::evaluate(f(x));
    const vec expected = A::reference(B::reference(C::reference(Case::reference)))({0.45L, -0.7L, 0.9L});
    for (int i = 0; i < 3; ++i) CHECK(y.at(i) == doctest::Approx(static_cast<double>(expected[i])).epsilon(1e-7));
}

/// All twelve inner combinations of one outer transform.
template <class Case, class A>
void check_outer() {
    check<Case, A, none, none>("none none");
    check<Case, A, none, grad>("none grad");
    check<Case, A, none, vmap>("none vmap");
    check<Case, A, grad, none>("grad none");
    check<Case, A, grad, grad>("grad grad");
    check<Case, A, grad, vmap>("grad vmap");
    check<Case, A, jvp, none>("jvp none");
    check<Case, A, jvp, grad>("jvp grad");
    check<Case, A, jvp, vmap>("jvp vmap");
    check<Case, A, vmap, none>("vmap none");
    check<Case, A, vmap, grad>("vmap grad");
    check<Case, A, vmap, vmap>("vmap vmap");
}

// ---- the functions --------------------------------------------------------------------------------------------------

struct chain {
    template <class X>
    static auto value(const X& x) {
        return sin(x) * exp(-x * x) / (1 + x * x);
    }
    static vec reference(const vec& x) {
        vec y;
        for (int i = 0; i < 3; ++i) y[i] = std::sin(x[i]) * std::exp(-x[i] * x[i]) / (1 + x[i] * x[i]);
        return y;
    }
};

struct broadcast {
    template <class X>
    static auto value(const X& x) {
        const rc::tensor<double, 2> w{{0.5}, {-1.2}};
        return sum(tanh(w * x), 0) * x(0);
    }
    static vec reference(const vec& x) {
        vec y;
        for (int i = 0; i < 3; ++i) y[i] = (std::tanh(0.5L * x[i]) + std::tanh(-1.2L * x[i])) * x[0];
        return y;
    }
};

struct reduction {
    template <class X>
    static auto value(const X& x) {
        return x * sum(square(x)) - mean(x);
    }
    static vec reference(const vec& x) {
        const real total = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], mean = (x[0] + x[1] + x[2]) / 3;
        return {x[0] * total - mean, x[1] * total - mean, x[2] * total - mean};
    }
};

struct slicing {
    template <class X>
    static auto value(const X& x) {
        return x(rc::slice(rc::none, rc::none, -1)) * exp(x) + sum(square(x(rc::slice(1, rc::none))));
    }
    static vec reference(const vec& x) {
        const real tail = x[1] * x[1] + x[2] * x[2];
        return {x[2] * std::exp(x[0]) + tail, x[1] * std::exp(x[1]) + tail, x[0] * std::exp(x[2]) + tail};
    }
};

struct product {
    static constexpr double m[3][3] = {{0.3, -0.8, 0.5}, {1.1, 0.2, -0.4}, {-0.6, 0.9, 0.7}};
    template <class X>
    static auto value(const X& x) {
        const rc::tensor<double, 2> w{{m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
        return tanh(matmul(w, x)) * x;
    }
    static vec reference(const vec& x) {
        vec y;
        for (int i = 0; i < 3; ++i) y[i] = std::tanh(m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2]) * x[i];
        return y;
    }
};

struct selection {
    template <class X>
    static auto value(const X& x) {
        return where(x > 0.1, exp(x) * x, square(x) * x - x);
    }
    static vec reference(const vec& x) {
        vec y;
        for (int i = 0; i < 3; ++i) y[i] = x[i] > 0.1L ? std::exp(x[i]) * x[i] : x[i] * x[i] * x[i] - x[i];
        return y;
    }
};

}  // namespace composition
