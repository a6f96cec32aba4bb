// Inner transforms that capture a value of an outer one: what each gives of F(x, y) = sin(x y), by the library and in
// closed form, and the check of an outer transform over it.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <string>

#include "real.hpp"

namespace captured {

using namespace ricci;
using reference::real;

// ---- inner transforms in y; x is captured ---------------------------------------------------------------------------

struct inner_grad {
    static constexpr const char* name = "grad";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return grad([x](auto v) { return sin(x * v); })(y);
    }
    static real reference(real x, real y) { return x * reference::cos(x * y); }
};
struct inner_value_and_grad {
    static constexpr const char* name = "value_and_grad";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const auto [value, slope] = value_and_grad([x](auto v) { return sin(x * v); })(y);
        return value + 2 * slope;
    }
    static real reference(real x, real y) { return reference::sin(x * y) + 2 * x * reference::cos(x * y); }
};
struct inner_jvp {
    static constexpr const char* name = "jvp";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return std::get<1>(jvp([x](auto v) { return sin(x * v); }, y, 1.5));
    }
    static real reference(real x, real y) { return 1.5 * x * reference::cos(x * y); }
};
struct inner_jvp_along_captured {
    static constexpr const char* name = "jvp along a captured tangent";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return std::get<1>(jvp([x](auto v) { return sin(x * v); }, y, x));
    }
    static real reference(real x, real y) { return x * x * reference::cos(x * y); }
};
struct inner_vjp {
    static constexpr const char* name = "vjp";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const auto [value, pull] = vjp([x](auto v) { return sin(x * v); }, y);
        return value * pull(1.5);
    }
    static real reference(real x, real y) { return reference::sin(x * y) * 1.5 * x * reference::cos(x * y); }
};
struct inner_vjp_of_captured {
    static constexpr const char* name = "vjp with a captured cotangent";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const auto [value, pull] = vjp([x](auto v) { return sin(x * v); }, y);
        return pull(x * x);
    }
    static real reference(real x, real y) { return x * x * x * reference::cos(x * y); }
};
struct inner_vmap {
    static constexpr const char* name = "vmap";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const tensor<double, 1> k{1, 2, 3};
        return sum(vmap([x, y](auto v) { return sin(x * y * v) * v; })(k));
    }
    static real reference(real x, real y) {
        return reference::sin(x * y) + 2 * reference::sin(2 * x * y) + 3 * reference::sin(3 * x * y);
    }
};
struct inner_vmap_of_grad {
    static constexpr const char* name = "vmap of grad";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const tensor<double, 1> k{1, 2};
        return sum(vmap(grad([x](auto v) { return sin(x * v); }))(evaluate(k * y)));
    }
    static real reference(real x, real y) { return x * (reference::cos(x * y) + reference::cos(2 * x * y)); }
};
struct inner_pull_in_vmap {
    static constexpr const char* name = "vmap of a pullback";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        const tensor<double, 1> k{1, 2};
        const auto pair = vjp([x](auto v) { return sin(x * v); }, y);
        const auto pull = std::get<1>(pair);
        return sum(vmap([pull](auto c) { return pull(c); })(k));
    }
    static real reference(real x, real y) { return 3 * x * reference::cos(x * y); }
};
struct inner_hvp {
    static constexpr const char* name = "hvp";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return hvp([x](auto v) { return sin(x * v); }, y, 1.5);
    }
    static real reference(real x, real y) { return -1.5 * x * x * reference::sin(x * y); }
};
struct inner_hessian {
    static constexpr const char* name = "hessian";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return hessian([x](auto v) { return sin(x * v); })(y);
    }
    static real reference(real x, real y) { return -x * x * reference::sin(x * y); }
};
struct inner_jacfwd {
    static constexpr const char* name = "jacfwd";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return jacfwd([x](auto v) { return sin(x * v); })(y);
    }
    static real reference(real x, real y) { return x * reference::cos(x * y); }
};
struct inner_jacrev {
    static constexpr const char* name = "jacrev";
    template <class X, class Y>
    static auto apply(const X& x, const Y& y) {
        return jacrev([x](auto v) { return sin(x * v); })(y);
    }
    static real reference(real x, real y) { return x * reference::cos(x * y); }
};

// ---- where the inner function's argument comes from -----------------------------------------------------------------

struct constant_argument {
    static constexpr const char* name = "a constant argument";
    template <class X>
    static auto of(const X&) {
        return tensor<double, 0>(0.7);
    }
    static real of(real) { return 0.7; }
};
struct dependent_argument {
    static constexpr const char* name = "an argument that depends on the captured value";
    template <class X>
    static auto of(const X& x) {
        return evaluate(0.5 * x);
    }
    static real of(real x) { return 0.5 * x; }
};

/// x times the inner transform's result: the function that the outer transform is applied to.
template <class Inner, class Argument>
struct function {
    template <class X>
    auto operator()(const X& x) const {
        return x * Inner::apply(x, Argument::of(x));
    }
    static real reference(real x) { return x * Inner::reference(x, Argument::of(x)); }
};

// ---- outer transforms -----------------------------------------------------------------------------------------------

struct outer_grad {
    static constexpr const char* name = "grad";
    template <class F>
    static void check(const F& f) {
        CHECK(grad(f)(0.9).item() == doctest::Approx(double(reference::derivative(F::reference, 0.9))).epsilon(1e-11));
    }
};
struct outer_value_and_grad {
    static constexpr const char* name = "value_and_grad";
    template <class F>
    static void check(const F& f) {
        const auto [value, slope] = value_and_grad(f)(0.9);
        CHECK(value.item() == doctest::Approx(double(F::reference(0.9))).epsilon(1e-11));
        CHECK(slope.item() == doctest::Approx(double(reference::derivative(F::reference, 0.9))).epsilon(1e-11));
    }
};
struct outer_vjp {
    static constexpr const char* name = "vjp";
    template <class F>
    static void check(const F& f) {
        const auto [value, pull] = vjp(f, 0.9);
        CHECK(value.item() == doctest::Approx(double(F::reference(0.9))).epsilon(1e-11));
        CHECK(pull(2.0).item() == doctest::Approx(double(2 * reference::derivative(F::reference, 0.9))).epsilon(1e-11));
    }
};
struct outer_jvp {
    static constexpr const char* name = "jvp";
    template <class F>
    static void check(const F& f) {
        const auto [value, slope] = jvp(f, 0.9, 2.0);
        CHECK(value.item() == doctest::Approx(double(F::reference(0.9))).epsilon(1e-11));
        CHECK(slope.item() == doctest::Approx(double(2 * reference::derivative(F::reference, 0.9))).epsilon(1e-11));
    }
};
struct outer_vmap {
    static constexpr const char* name = "vmap";
    template <class F>
    static void check(const F& f) {
        const tensor<double, 1> x{0.9, -0.4, 1.3};
        const auto y = vmap(f)(x);
        for (int i = 0; i < 3; ++i) CHECK(y.at(i) == doctest::Approx(double(F::reference(x.at(i)))).epsilon(1e-11));
    }
};

/// Right, or refused with the advice to pass the captured value as an argument.
template <class Outer, class Inner, class Argument>
bool right_or_refused() {
    CAPTURE(Outer::name);
    CAPTURE(Inner::name);
    CAPTURE(Argument::name);
    try {
        Outer::check(function<Inner, Argument>{});
        return true;
    } catch (const gradient_error& e) {
        CHECK(std::string(e.what()).find("pass it as an argument") != std::string::npos);
        return false;
    }
}
/// Both must work.
template <class Outer, class Inner>
void check_captured() {
    CHECK(right_or_refused<Outer, Inner, constant_argument>());
    CHECK(right_or_refused<Outer, Inner, dependent_argument>());
}

}  // namespace captured
