// Quotients by a number that many are divided by, without a division for each.
#pragma once
#include <limits>

#include "../math/basics.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

template <class T>
struct simd_divisor;

/// Where three multiplications and a look at the operands take less than a division, which is so of the longest
/// registers only: units divide 512 bits at half the pace of 256.
#if defined(RICCI_HAS_SIMD)
template <class T>
inline constexpr bool divides_by_reciprocals = fused_multiply_add && simd<T>::traits::mask_is_bits;

/// A divisor and what is known of it. `a / d` is the quotient that the processor gives, to the bit: with r the
/// reciprocal rounded to nearest, q = a r is within 3/2 ulp of it, and q + (a - q d) r, both sums fused, is the
/// quotient rounded to nearest (Markstein, IBM J. Res. Dev. 34, 1990; Brisebarre, Muller, Raina, IEEE Trans. Comput.
/// 53, 2004; for formats of 4 to 11 bits tried on all pairs), as long as the remainder does not underflow. Other
/// quotients are the processor's: those of numbers close to underflow, those by divisors that are not of moderate size,
/// whose reciprocal is NaN here, and those that overflow on the way, which come out as NaN. The remainder is q d - a,
/// and subtracted, so that zeros keep their sign; with negative divisors, which therefore are not of moderate size, it
/// is the other way round.
template <class T>
struct simd_divisor {
    static constexpr T most = sizeof(T) == 4 ? T(0x1p30) : T(0x1p250);
    /// Of numerators whose quotient by `most` is normal, and its remainder too, in units of the last bits.
    static constexpr T least_numerator = sizeof(T) == 4 ? T(0x1p-95) : T(0x1p-767);
    /// Quotients of smaller ones are below this: one comparison finds these and NaN.
    static constexpr T least_quotient = least_numerator * most;

    simd<T> value, reciprocal;

    simd_divisor() = default;
    RICCI_INLINE explicit simd_divisor(simd<T> d)
        : value(d),
          reciprocal(math::select((simd<T>(1 / most) <= d) & (d <= simd<T>(most)), simd<T>(T(1)) / d,
                                  simd<T>(std::numeric_limits<T>::quiet_NaN()))) {}

    friend RICCI_INLINE simd<T> operator/(simd<T> a, const simd_divisor& d) {
        const simd<T> near = a * d.reciprocal, excess = math::fma(near, d.value, -a);
        const simd<T> q = math::fma(-excess, d.reciprocal, near);
        const simd_mask<T> doubtful = !(simd<T>(least_quotient) <= math::abs(q));
        if (math::any(doubtful)) [[unlikely]]
            if (math::any(doubtful & ((a != simd<T>(T(0))) | (q != q))))
                return a / d.value;  // zeros are common, and right
        return q;
    }
};
#else
template <class T>
inline constexpr bool divides_by_reciprocals = false;
#endif

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
