// How many bits are set.
#pragma once
#include <bit>

#include "integers.hpp"

namespace ricci {
namespace ops {
struct bitwise_count : integers {
    static constexpr bool takes_bits = false, takes_elements = true;
    template <class... K>
    struct counted {
        using checked = integers::result<K...>;
        using type = std::uint8_t;
    };
    template <class... K>
    using result = typename counted<K...>::type;
    template <class M>
    RICCI_HD static constexpr std::uint8_t value(const M& x) {
        if constexpr (std::is_same_v<M, bool>) {
            return x;
        } else {
            using U = std::make_unsigned_t<M>;
            const U size = x < M(0) ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
#if defined(__CUDA_ARCH__)  // nvcc compiles the function of 64 bits to nothing
            if constexpr (sizeof(U) == 8)
                return static_cast<std::uint8_t>(std::popcount(static_cast<std::uint32_t>(size)) +
                                                 std::popcount(static_cast<std::uint32_t>(size >> 32)));
            else
#endif
                return static_cast<std::uint8_t>(std::popcount(size));
        }
    }
};
}  // namespace ops

/// How many bits of each integer's absolute value are 1, as 8-bit numbers. No derivative. (numpy.bitwise_count.)
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto bitwise_count(E&& x) {
    return map<ops::bitwise_count>(std::forward<E>(x));
}
}  // namespace ricci
