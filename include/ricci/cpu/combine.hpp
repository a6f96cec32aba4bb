// The reductions that a kernel can carry: sum, product, maximum, minimum, whether any holds, bits of integers.
#pragma once
#include <limits>

#include "../core/dtype.hpp"
#include "math.hpp"

namespace ricci {

/// The reductions that a kernel can carry. Each gives its identity and joins two scalars or two registers.
struct combine_plus {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(0);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        return static_cast<S>(math::wrap(a) + math::wrap(b));
    }
};
struct combine_multiply {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(1);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        // as registers multiply: the operator of numbers recovers infinities, by a function that takes 50 times as long
        if constexpr (is_complex_v<S>)
            return S(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
        else return static_cast<S>(math::wrap(a) * math::wrap(b));
    }
};
struct combine_maximum {
    template <class T>
    RICCI_HD static constexpr T identity() {
        if constexpr (is_real_floating_v<T>) return -std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::lowest();
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        if constexpr (is_half_v<S>) return S(math::maximum(static_cast<float>(a), static_cast<float>(b)));
        else return math::maximum(a, b);
    }
};
struct combine_minimum {
    template <class T>
    RICCI_HD static constexpr T identity() {
        if constexpr (is_real_floating_v<T>) return std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::max();
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        if constexpr (is_half_v<S>) return S(math::minimum(static_cast<float>(a), static_cast<float>(b)));
        else return math::minimum(a, b);
    }
};
/// Of truth values.
struct combine_or {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(false);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        return static_cast<S>(a | b);
    }
};
/// Of the bits of integers.
struct combine_bits_and {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return static_cast<T>(~T(0));
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        return static_cast<S>(a & b);
    }
};
struct combine_bits_or {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(0);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        return static_cast<S>(a | b);
    }
};
struct combine_bits_xor : combine_bits_or {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S join(const S& a, const S& b) {
        return static_cast<S>(a ^ b);
    }
};

}  // namespace ricci
