// Quotients and remainders by an integer that many are divided by, without a division for each.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../../core/config.hpp"

namespace ricci::math {

/// A divisor and its reciprocal. The quotient is estimated in double and corrected by what it leaves of the dividend: as exact as
/// the processor's division, and in registers where loops are. Of 0, 1 and -1, by which estimates would overflow, quotients are
/// known.
template <class T>
    requires(std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>)
struct integer_divisor {
    using U = std::make_unsigned_t<T>;
    T value, other;  // `other` is the divisor but for those three
    double reciprocal;
    bool known;

    RICCI_HD RICCI_INLINE constexpr explicit integer_divisor(T d)
        : value(d),
          other(d >= -1 && d <= 1 ? T(2) : d),
          reciprocal(1.0 / static_cast<double>(other)),
          known(other != d) {}

    struct floored {
        T quotient, remainder;
    };
    /// q and r of x = q d + r where r is between 0 and the divisor, which it may not be.
    RICCI_HD RICCI_INLINE constexpr floored divide(T x) const {
        U q = static_cast<U>(static_cast<T>(static_cast<double>(x) * reciprocal));
        T r = static_cast<T>(static_cast<U>(x) - q * static_cast<U>(other));
        if constexpr (sizeof(T) == 8) {  // a double has not all of its digits: r may still be some thousand divisors
            const U more = static_cast<U>(static_cast<T>(static_cast<double>(r) * reciprocal));
            q += more;
            r = static_cast<T>(static_cast<U>(r) - more * static_cast<U>(other));
        }
        const bool under = (r != 0) & ((r < 0) != (other < 0));
        q -= under ? U(1) : U(0);
        r += under ? other : T(0);
        const bool over = other < 0 ? r <= other : r >= other;
        q += over ? U(1) : U(0);
        r -= over ? other : T(0);
        return {static_cast<T>(q), r};
    }
};

template <class T>
inline constexpr bool has_integer_divisor = std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;

template <class T>
RICCI_HD RICCI_INLINE constexpr T remainder(T x, const integer_divisor<T>& d) {
    return d.known ? T(0) : d.divide(x).remainder;
}
template <class T>
RICCI_HD RICCI_INLINE constexpr T floor_divide(T x, const integer_divisor<T>& d) {
    using U = std::make_unsigned_t<T>;
    const T by_known = static_cast<T>(static_cast<U>(x) * static_cast<U>(d.value));  // modulo 2^bits, as -x is
    return d.known ? by_known : d.divide(x).quotient;
}

}  // namespace ricci::math
