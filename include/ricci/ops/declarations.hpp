// What op files share: the engine, scalar mathematics, and the functions that one op's derivative may name before
// another op's file defines them.
#pragma once
#include "../cpu/math.hpp"
#include "../expr/map.hpp"

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sin(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sigmoid(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cos(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sqrt(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto conj(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto real(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto imag(E&& x);
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto complex(A&& re, B&& im);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cosh(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto polygamma(int n, E&& x);
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto pow(A&& a, B&& b);
template <operand M, operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto where(M&& mask, A&& a, B&& b);

}  // namespace ricci
