// Three nested transforms, the innermost capturing the values of both outer ones: D_x( x * D_y( y * D_z sin(x y z) ) ),
// where each D is a transform of one scalar argument.
#pragma once
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include "real.hpp"

namespace nested {

using namespace ricci;
using reference::real;

struct by_grad {
    static constexpr const char* name = "grad";
    template <class F>
    static auto apply(const F& f, double at) {
        return grad(f)(at);
    }
    template <class F>
    static real reference(const F& f, real at) {
        return reference::derivative(f, at);
    }
};
struct by_jvp {
    static constexpr const char* name = "jvp";
    template <class F>
    static auto apply(const F& f, double at) {
        return std::get<1>(jvp(f, at, 2.0));
    }
    template <class F>
    static real reference(const F& f, real at) {
        return 2 * reference::derivative(f, at);
    }
};
struct by_vmap {
    static constexpr const char* name = "vmap";
    template <class F>
    static auto apply(const F& f, double at) {
        return sum(vmap(f)(tensor<double, 1>{at, 2 * at}));
    }
    template <class F>
    static real reference(const F& f, real at) {
        return f(at) + f(2 * at);
    }
};

/// Both captured values meet the innermost argument.
template <class A, class B, class C>
void check_both() {
    CAPTURE(A::name);
    CAPTURE(B::name);
    CAPTURE(C::name);
    const auto actual = A::apply(
        [](auto x) { return x * B::apply([x](auto y) { return y * C::apply([x, y](auto z) { return sin(x * y * z); }, 0.4); }, 0.6); }, 0.8);
    const real expected = A::reference(
        [](real x) {
            return x * B::reference([x](real y) { return y * C::reference([x, y](real z) { return reference::sin(x * y * z); }, 0.4); }, 0.6);
        },
        0.8);
    CHECK(actual.item() == doctest::Approx(double(expected)).epsilon(1e-10));
}
/// The innermost function captures from two levels out, past a transform whose value it does not see.
template <class A, class B, class C>
void check_skipping() {
    CAPTURE(A::name);
    CAPTURE(B::name);
    CAPTURE(C::name);
    const auto actual = A::apply(
        [](auto x) { return B::apply([x](auto y) { return y * y * C::apply([x](auto z) { return sin(x * z); }, 0.4); }, 0.6); }, 0.8);
    const real expected = A::reference(
        [](real x) {
            return B::reference([x](real y) { return y * y * C::reference([x](real z) { return reference::sin(x * z); }, 0.4); }, 0.6);
        },
        0.8);
    CHECK(actual.item() == doctest::Approx(double(expected)).epsilon(1e-10));
}

template <class A, class B>
void check_each_both() {
    check_both<A, B, by_grad>();
    check_both<A, B, by_jvp>();
    check_both<A, B, by_vmap>();
}
template <class A, class B>
void check_each_skipping() {
    check_skipping<A, B, by_grad>();
    check_skipping<A, B, by_jvp>();
    check_skipping<A, B, by_vmap>();
}

}  // namespace nested
