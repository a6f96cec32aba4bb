// Arithmetic of the standard library's complex numbers by their parts, for the rules of ops: with numbers of any type,
// which write 2 * x; the product by its formula and the quotient by Smith's, as NumPy has them, where the library's
// look for infinities in a NaN; and all of it because nvcc makes nothing of the library's in code for the GPU. With
// numbers of their own type by the library's parameters: of equals, the constrained one is taken.
#pragma once
#include <complex>
#include <type_traits>

#include "../core/config.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::ops {

/// a / b of complex numbers, by Smith's scaling, which neither over- nor underflows where the divisor does not. (R. L.
/// Smith, Communications of the ACM 5, 1962.)
template <class C>
RICCI_HD RICCI_INLINE constexpr C complex_quotient(const C& a, const C& b) {
    using T = typename C::value_type;
    const T c = b.real(), d = b.imag(), size_c = c < 0 ? -c : c, size_d = d < 0 ? -d : d;
    if (size_c < size_d) {
        const T ratio = c / d, by = d + c * ratio;
        return {(a.real() * ratio + a.imag()) / by, (a.imag() * ratio - a.real()) / by};
    }
    const T ratio = c == 0 ? T(0) : d / c, by = c + d * ratio;
    return {(a.real() + a.imag() * ratio) / by, (a.imag() - a.real() * ratio) / by};
}

#define RICCI_COMPLEX_OPERATOR(op, of_number_left, of_number_right)                                      \
    template <class T>                                                                                   \
        requires(std::is_floating_point_v<T>)                                                            \
    RICCI_HD RICCI_INLINE constexpr std::complex<T> operator op(const T & a, const std::complex<T>& b) { \
        return of_number_left;                                                                           \
    }                                                                                                    \
    template <class T>                                                                                   \
        requires(std::is_floating_point_v<T>)                                                            \
    RICCI_HD RICCI_INLINE constexpr std::complex<T> operator op(const std::complex<T>& a, const T & b) { \
        return of_number_right;                                                                          \
    }                                                                                                    \
    template <class N, class T>                                                                          \
        requires(std::is_arithmetic_v<N> && std::is_floating_point_v<T> && !std::is_same_v<N, T>)        \
    RICCI_HD RICCI_INLINE constexpr std::complex<T> operator op(N number, const std::complex<T>& b) {    \
        const auto a = static_cast<T>(number);                                                           \
        return of_number_left;                                                                           \
    }                                                                                                    \
    template <class N, class T>                                                                          \
        requires(std::is_arithmetic_v<N> && std::is_floating_point_v<T> && !std::is_same_v<N, T>)        \
    RICCI_HD RICCI_INLINE constexpr std::complex<T> operator op(const std::complex<T>& a, N number) {    \
        const auto b = static_cast<T>(number);                                                           \
        return of_number_right;                                                                          \
    }
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator+(const std::complex<T>& a, const std::complex<T>& b) {
    return {a.real() + b.real(), a.imag() + b.imag()};
}
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator-(const std::complex<T>& a, const std::complex<T>& b) {
    return {a.real() - b.real(), a.imag() - b.imag()};
}
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator*(const std::complex<T>& a, const std::complex<T>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator/(const std::complex<T>& a, const std::complex<T>& b) {
    return complex_quotient(a, b);
}
RICCI_COMPLEX_OPERATOR(+, (std::complex<T>(a + b.real(), b.imag())), (std::complex<T>(a.real() + b, a.imag())))
RICCI_COMPLEX_OPERATOR(-, (std::complex<T>(a - b.real(), -b.imag())), (std::complex<T>(a.real() - b, a.imag())))
RICCI_COMPLEX_OPERATOR(*, (std::complex<T>(a * b.real(), a* b.imag())), (std::complex<T>(a.real() * b, a.imag() * b)))
RICCI_COMPLEX_OPERATOR(/, (std::complex<T>(a) / b), (std::complex<T>(a.real() / b, a.imag() / b)))
#undef RICCI_COMPLEX_OPERATOR
template <class N, class T>
    requires(std::is_arithmetic_v<N> && !std::is_same_v<N, T>)
RICCI_HD RICCI_INLINE constexpr bool operator==(N a, const std::complex<T>& b) {
    return static_cast<T>(a) == b;
}
template <class N, class T>
    requires(std::is_arithmetic_v<N> && !std::is_same_v<N, T>)
RICCI_HD RICCI_INLINE constexpr bool operator==(const std::complex<T>& a, N b) {
    return a == static_cast<T>(b);
}

}  // namespace ricci::ops
RICCI_BOTH_SIDES_END
