// Functions of complex numbers against PyTorch: value, pullback, pushforward, and the pullback of the pullback.
#pragma once
#include "../golden/complex.hpp"
#include "derivatives.hpp"

namespace complex_numbers {

using namespace derivative_checks;
using complex128 = std::complex<double>;

template <class T>
tensor<T, 1> array_of(const std::vector<T>& v) {
    auto x = tensor<T, 1>::uninitialized({static_cast<index_t>(v.size())});
    for (std::size_t i = 0; i < v.size(); ++i) x.data()[i] = v[i];
    return x;
}
inline const auto z0 = array_of(golden::complex_z), w0 = array_of(golden::complex_w), c0 = array_of(golden::complex_c),
                  t0 = array_of(golden::complex_t);
inline const auto r0 = array_of(golden::complex_r);

/// Elements, of whatever type and shape, against PyTorch's: they differ by rounding alone, of a few hundred operations.
template <class A>
void check_elements(const A& actual, const golden::complex_list& expected) {
    const auto a = evaluate(astype<complex128>(actual)).clone();
    REQUIRE(a.size() == static_cast<index_t>(expected.size()));
    double scale = 1;
    for (const auto& e : expected) scale = std::fmax(scale, std::abs(e));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(i);
        CAPTURE(a.data()[i].real());
        CAPTURE(a.data()[i].imag());
        CHECK(std::abs(a.data()[i] - expected[i]) <= 1e-13 * scale);
    }
}
/// A cotangent of the results' type.
template <class Y>
auto cotangent_of(const Y&) {
    if constexpr (is_complex_v<typename Y::value_type>) return c0;
    else return evaluate(real(c0));
}
/// The first derivatives.
template <class F>
void check_first(const char* name, const F& f, const golden::complex_case& expected) {
    CAPTURE(name);
    const auto [y, pull] = vjp(f, z0);
    check_elements(y, expected.value);
    check_elements(pull(cotangent_of(y)), expected.pullback);
    check_elements(std::get<1>(jvp(f, z0, t0)), expected.pushforward);
}
/// The second ones too.
template <class F>
void check(const char* name, const F& f, const golden::complex_case& expected) {
    check_first(name, f, expected);
    CAPTURE(name);
    const auto pullback = [&](const auto& z) {
        const auto pair = vjp(f, z);
        return std::get<1>(pair)(cotangent_of(std::get<0>(pair)));
    };
    check_elements(std::get<1>(vjp(pullback, z0))(t0), expected.second);
}

}  // namespace complex_numbers
