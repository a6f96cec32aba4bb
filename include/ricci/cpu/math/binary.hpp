// Numbers times powers of 2, and the exponents of numbers.
#pragma once
#include "basics.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

/// x times 2 to the power n, a whole number of any size, rounded once.
template <real_scalar T>
RICCI_HD inline T ldexp(T x, T n) {
    using std::ldexp;
    constexpr T bound = T(4 * std::numeric_limits<T>::max_exponent);
    if (n != n) return n;
    return ldexp(x, static_cast<int>(n < -bound ? -bound : n > bound ? bound : n));
}
/// The exponent e of x = m 2^e with 1/2 <= |m| < 1; 0 of zeros, infinities and NaN.
template <real_scalar T>
RICCI_HD inline T binary_exponent(T x) {
    using std::frexp;
    if (x == 0 || x - x != 0) return 0;
    int exponent = 0;
    (void)frexp(x, &exponent);
    return static_cast<T>(exponent);
}

#if defined(RICCI_HAS_SIMD)
/// By three powers of 2 where the machine has no instruction: whatever another one follows leaves no bit behind that
/// counts.
template <class T>
RICCI_INLINE simd<T> ldexp(simd<T> x, std::type_identity_t<simd<T>> n) {
    using S = simd<T>;
#if defined(__AVX512F__)
    if constexpr (S::traits::mask_is_bits) return S::from_native(detail::scaled(x.raw(), n.raw()));
#endif
    constexpr int most = std::numeric_limits<T>::max_exponent - 1, least = 1 - most;
    constexpr int room = least + std::numeric_limits<T>::digits;
    const auto step = [](S e) RICCI_INLINE_LAMBDA {
        return math::select(e < S(T(least)), S(T(room)), math::select(e > S(T(most)), S(T(most)), e));
    };
    const auto power = [](S e) RICCI_INLINE_LAMBDA { return S::from_native(detail::scaled(S(T(1)).raw(), e.raw())); };
    const S all =
        math::select(n < S(T(3 * least)), S(T(3 * least)), math::select(n > S(T(3 * most)), S(T(3 * most)), n));
    const S first = step(all), second = step(all - first), rest = all - first - second;
    const S third = math::select(rest < S(T(least)), S(T(least)), rest);
    return x * power(first) * power(second) * power(third);
}
template <class T>
RICCI_INLINE simd<T> binary_exponent(simd<T> x) {
    using S = simd<T>;
    constexpr int digits = std::numeric_limits<T>::digits, bias = std::numeric_limits<T>::max_exponent - 1;
    const S size = math::abs(x), shift(detail::rounding_shift<T>);
    const auto subnormal = size < S(std::numeric_limits<T>::min());
    const S normal = math::select(subnormal, size * S(T(std::uint64_t(1) << digits)), size);
    const S exponent = S::from_bits((normal.bits() >> (digits - 1)) + shift.bits()) - shift - S(T(bias - 1));
    const S whole = exponent - math::select(subnormal, S(T(digits)), S(T(0)));
    return math::select((size == S(T(0))) | !(size < S(std::numeric_limits<T>::infinity())), S(T(0)), whole);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
