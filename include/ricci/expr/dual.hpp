// Dual numbers: a value and a tangent, over any kernel scalar, nested for higher orders.
#pragma once
#include <iosfwd>
#include <limits>
#include <type_traits>

#include "../core/concepts.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {

/// A copy of a scalar, of a SIMD register by what it holds: the structure around it, copied as such, is memory to g++,
/// which then keeps it up to date to no end.
template <class S>
RICCI_HD RICCI_INLINE constexpr S copied(const S& x) {
    if constexpr (requires { S::from_native(x.raw()); }) return S::from_native(x.raw());
    else return x;
}

}  // namespace detail

/// value + tangent * epsilon with epsilon^2 = 0. Every element-wise function of the library takes duals; the derivative
/// comes from the function's own rule. `dual<dual<double>>` carries second derivatives.
template <class S>
struct dual {
    using value_type = S;
    S value{};
    S tangent{};

    constexpr dual() = default;
    RICCI_HD RICCI_INLINE constexpr dual(const S& v, const S& t)
        : value(detail::copied(v)), tangent(detail::copied(t)) {}
    // Member by member: copied as one block, registers go through memory, in pieces that are no registers.
    RICCI_HD RICCI_INLINE constexpr dual(const dual& other)
        : value(detail::copied(other.value)), tangent(detail::copied(other.tangent)) {}
    RICCI_HD RICCI_INLINE constexpr dual& operator=(const dual& other) {
        value = detail::copied(other.value);
        tangent = detail::copied(other.tangent);
        return *this;
    }
    /// A constant: its tangent is zero.
    template <class U>
        requires(std::is_convertible_v<U, S>)
    RICCI_HD RICCI_INLINE constexpr dual(const U& v) : value(v), tangent(0) {}

    /// dual(value, tangent)
    template <class Traits>
    friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const dual& x) {
        return out << "dual(" << x.value << ", " << x.tangent << ')';
    }
};

template <class S>
inline constexpr bool is_dual_v = false;
template <class S>
inline constexpr bool is_dual_v<dual<S>> = true;
template <class S>
inline constexpr bool is_kernel_scalar_v<dual<S>> = true;

}  // namespace ricci
RICCI_BOTH_SIDES_END

/// Those of the scalar, which convert to constants: generic code asks for epsilon() of what it computes with.
template <class S>
struct std::numeric_limits<ricci::dual<S>> : std::numeric_limits<S> {};
