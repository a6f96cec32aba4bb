// A SIMD register of floats or doubles and the mask that comparing two gives: value types over xsimd's registers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../core/concepts.hpp"
#include "../core/config.hpp"
#include "simd/native.hpp"

namespace ricci {
inline namespace RICCI_ISA {

/// A register of `lanes` values of type T, computed with lane by lane. Exists where simd_supported<T>.
template <class T>
struct simd;

/// One boolean for each lane of a simd<T>. Exists where simd_supported<T>.
template <class T>
struct simd_mask;

/// As many complex numbers as simd<T> has lanes (simd/complex.hpp).
template <class T>
struct simd_complex;

/// Whether simd<T> exists: float and double on the instruction sets that xsimd knows, unless RICCI_NO_SIMD is defined.
template <class T>
inline constexpr bool simd_supported = false;

#if defined(RICCI_HAS_SIMD)
template <>
inline constexpr bool simd_supported<float> = xsimd::types::has_simd_register<float, detail::simd_architecture>::value;
template <>
inline constexpr bool simd_supported<double> =
    xsimd::types::has_simd_register<double, detail::simd_architecture>::value;
#endif

}  // namespace RICCI_ISA

template <class T>
inline constexpr bool is_kernel_scalar_v<simd<T>> = true;
template <class T>
inline constexpr bool is_kernel_scalar_v<simd_mask<T>> = true;
template <class T>
inline constexpr bool is_kernel_scalar_v<simd_complex<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd_mask<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd_complex<T>> = true;

#if defined(RICCI_HAS_SIMD)
namespace detail {
inline namespace RICCI_ISA {

template <class T>
struct simd_traits {
    using native = typename xsimd::types::simd_register<T, detail::simd_architecture>::register_type;
    using native_mask = typename xsimd::types::get_bool_simd_register_t<T, detail::simd_architecture>::register_type;
    using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    static constexpr int lanes = static_cast<int>(sizeof(native) / sizeof(T));
    typedef native unaligned __attribute__((aligned(1), may_alias));
    static constexpr bool mask_is_bits = std::is_integral_v<native_mask>;
    static constexpr unsigned all_bits = lanes >= 32 ? ~0u : (1u << lanes) - 1;
    typedef integer integers __attribute__((vector_size(sizeof(native))));
    typedef std::make_unsigned_t<integer> naturals __attribute__((vector_size(sizeof(native))));
    typedef unsigned char bytes __attribute__((vector_size(lanes)));
};

}  // namespace RICCI_ISA
}  // namespace detail

inline namespace RICCI_ISA {

template <class T>
struct simd_mask {
    using traits = detail::simd_traits<T>;
    using value_type = bool;
    using numbers = simd<T>;
    using native = typename traits::native_mask;
    using integers = typename traits::integers;
    static constexpr int lanes = traits::lanes;
    native v;

    simd_mask() = default;
    RICCI_INLINE simd_mask(bool b) {
        if constexpr (traits::mask_is_bits) v = static_cast<native>(b ? traits::all_bits : 0u);
        else v = (native)(integers{} - static_cast<typename traits::integer>(b));
    }
    static RICCI_INLINE simd_mask from_native(native r) {
        simd_mask m;
        m.v = r;
        return m;
    }
    RICCI_INLINE native raw() const { return v; }
    template <class B>
        requires(std::is_same_v<B, bool>)
    explicit operator B() const {
        static_assert(
            always_false<B>,
            "ricci: a condition in a map's function is another one for each lane: where(a > 0, b, c), not ? : or if");
        return false;
    }

    /// The lanes from `lanes` booleans.
    static RICCI_INLINE simd_mask load(const bool* p) {
        typename traits::bytes b;
        __builtin_memcpy(&b, p, sizeof b);
        return from_bytes(b);
    }
    /// The first n lanes from n booleans (0 < n < lanes), the others false; reads no further.
    static RICCI_INLINE simd_mask load_partial(const bool* p, index_t n) {
        typename traits::bytes b{};
        for (index_t i = 0; i < n; ++i) b[i] = p[i];
        return from_bytes(b);
    }
    RICCI_INLINE void store(bool* p) const {
        const auto b = to_bytes();
        __builtin_memcpy(p, &b, sizeof b);
    }
    RICCI_INLINE void store_partial(bool* p, index_t n) const {
        const auto b = to_bytes();
        for (index_t i = 0; i < n; ++i) p[i] = b[i] != 0;
    }

    friend RICCI_INLINE simd_mask operator&(simd_mask a, simd_mask b) {
        if constexpr (traits::mask_is_bits) return from_native(static_cast<native>(a.raw() & b.raw()));
        else return from_native((native)((integers)a.raw() & (integers)b.raw()));
    }
    friend RICCI_INLINE simd_mask operator|(simd_mask a, simd_mask b) {
        if constexpr (traits::mask_is_bits) return from_native(static_cast<native>(a.raw() | b.raw()));
        else return from_native((native)((integers)a.raw() | (integers)b.raw()));
    }
    friend RICCI_INLINE simd_mask operator^(simd_mask a, simd_mask b) {
        if constexpr (traits::mask_is_bits) return from_native(static_cast<native>(a.raw() ^ b.raw()));
        else return from_native((native)((integers)a.raw() ^ (integers)b.raw()));
    }
    friend RICCI_INLINE simd_mask operator!=(simd_mask a, simd_mask b) { return a ^ b; }
    friend RICCI_INLINE simd_mask operator!(simd_mask a) { return a ^ simd_mask(true); }
    friend RICCI_INLINE simd_mask operator==(simd_mask a, simd_mask b) { return !(a ^ b); }

   private:
    static RICCI_INLINE simd_mask from_bytes(typename traits::bytes b) {
#if defined(__AVX512BW__)
        if constexpr (traits::mask_is_bits && lanes == 16) return from_native(detail::mask_of_bytes((__m128i)b));
        else if constexpr (traits::mask_is_bits && lanes == 8)
            return from_native(static_cast<native>(detail::mask_of_bytes(_mm_set1_epi64((__m64)b))));
#endif
#if defined(__SSE4_2__)
        // by hand: conversions of vectors as short as these are taken apart, lane by lane
        if constexpr (requires(__m128i low, native m) { detail::mask_of_truths(low, m); }) {
            std::uint64_t low = 0;
            __builtin_memcpy(&low, &b, sizeof b);
            const __m128i truths = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&low));
            return from_native(detail::mask_of_truths(truths, native{}));
        }
#endif
        if constexpr (traits::mask_is_bits) {
            unsigned bits = 0;
            for (int i = 0; i < lanes; ++i) bits |= (b[i] != 0 ? 1u : 0u) << i;
            return from_native(static_cast<native>(bits));
        } else {
            const integers wide = __builtin_convertvector(b, integers) != 0;
            return from_native((native)wide);
        }
    }
    RICCI_INLINE typename traits::bytes to_bytes() const {
        using bytes = typename traits::bytes;
#if defined(__AVX512BW__)
        if constexpr (traits::mask_is_bits && lanes == 16) return (bytes)detail::bytes_of_mask(raw());
        else if constexpr (traits::mask_is_bits && lanes == 8)
            return (bytes)(std::int64_t)_mm_cvtsi128_si64(detail::bytes_of_mask(raw()));
#endif
#if defined(__SSE2__)
        if constexpr (!traits::mask_is_bits) {
            const __m128i truths = detail::truths_of(raw());
            bytes b;
            __builtin_memcpy(&b, &truths, sizeof b);
            return b;
        }
#endif
        if constexpr (traits::mask_is_bits) {
            bytes b{};
            for (int i = 0; i < lanes; ++i) b[i] = static_cast<unsigned char>((raw() >> i) & 1);
            return b;
        } else {
            return __builtin_convertvector((integers)raw() & 1, bytes);
        }
    }
};

template <class T>
struct simd {
    using traits = detail::simd_traits<T>;
    using value_type = T;
    using native = typename traits::native;
    using naturals = typename traits::naturals;
    using mask = simd_mask<T>;
    static constexpr int lanes = traits::lanes;
    native v;

    simd() = default;
    RICCI_INLINE simd(T x) : v(x - native{}) {}  // x - 0 is x, -0 included, and compilers make it one broadcast
    static RICCI_INLINE simd from_native(native r) {
        simd x;
        x.v = r;
        return x;
    }
    /// The lanes whose bits are those of `i`.
    static RICCI_INLINE simd from_bits(naturals i) { return from_native((native)i); }
    RICCI_INLINE native raw() const { return v; }
    RICCI_INLINE naturals bits() const { return (naturals)raw(); }
    RICCI_INLINE T operator[](int i) const { return raw()[i]; }

    /// The lanes from `lanes` values; no alignment is needed.
    static RICCI_INLINE simd load(const T* p) {
        return from_native(*reinterpret_cast<const typename traits::unaligned*>(p));
    }
    /// The first n lanes from n values (0 < n < lanes), the others zero; touches no memory beyond.
    static RICCI_INLINE simd load_partial(const T* p, index_t n) {
        return from_native(detail::load_first(p, n, static_cast<native*>(nullptr)));
    }
    RICCI_INLINE void store(T* p) const { *reinterpret_cast<typename traits::unaligned*>(p) = v; }
    RICCI_INLINE void store_partial(T* p, index_t n) const {
        const native r = raw();
        detail::store_first(p, n, &r);
    }

    friend RICCI_INLINE simd operator+(simd a, simd b) {
        native sum = a.raw() + b.raw();
        RICCI_KEEP_ROUNDING(sum);
        return from_native(sum);
    }
    friend RICCI_INLINE simd operator-(simd a, simd b) {
        native sum = a.raw() - b.raw();
        RICCI_KEEP_ROUNDING(sum);
        return from_native(sum);
    }
    friend RICCI_INLINE simd operator*(simd a, simd b) { return from_native(a.raw() * b.raw()); }
    friend RICCI_INLINE simd operator/(simd a, simd b) { return from_native(a.raw() / b.raw()); }
    friend RICCI_INLINE simd operator-(simd a) { return from_native(-a.raw()); }
    friend RICCI_INLINE simd operator+(simd a) { return a; }
    RICCI_INLINE simd& operator+=(simd b) { return *this = *this + b; }
    RICCI_INLINE simd& operator-=(simd b) { return *this = *this - b; }
    RICCI_INLINE simd& operator*=(simd b) { return *this = *this * b; }
    RICCI_INLINE simd& operator/=(simd b) { return *this = *this / b; }

    // Ordered comparisons, but for !=: a NaN differs from everything.
    friend RICCI_INLINE mask operator<(simd a, simd b) { return to_mask(detail::less(a.raw(), b.raw())); }
    friend RICCI_INLINE mask operator<=(simd a, simd b) { return to_mask(detail::less_equal(a.raw(), b.raw())); }
    friend RICCI_INLINE mask operator>(simd a, simd b) { return b < a; }
    friend RICCI_INLINE mask operator>=(simd a, simd b) { return b <= a; }
    friend RICCI_INLINE mask operator==(simd a, simd b) { return to_mask(detail::equal(a.raw(), b.raw())); }
    friend RICCI_INLINE mask operator!=(simd a, simd b) { return to_mask(detail::not_equal(a.raw(), b.raw())); }

   private:
    template <class R>
    static RICCI_INLINE mask to_mask(R r) {
        return mask::from_native((typename mask::native)r);
    }
};

}  // namespace RICCI_ISA

namespace math {
inline namespace RICCI_ISA {

/// Whether any lane is true.
template <class T>
RICCI_INLINE bool any(simd_mask<T> m) {
    return detail::mask_bits(m.raw()) != 0;
}
/// Whether all lanes are true.
template <class T>
RICCI_INLINE bool all(simd_mask<T> m) {
    if constexpr (simd_mask<T>::traits::mask_is_bits) return !math::any(!m);
    else return detail::all_lanes(m.raw());
}

/// a where m, b elsewhere: a bitwise choice, so nothing of the other side's value shows.
template <class T>
RICCI_INLINE simd<T> select(simd_mask<T> m, simd<T> a, simd<T> b) {
    return simd<T>::from_native(detail::blend(m.raw(), a.raw(), b.raw()));
}
template <class T>
RICCI_INLINE simd_mask<T> select(simd_mask<T> m, simd_mask<T> a, simd_mask<T> b) {
    return (m & a) | ((!m) & b);
}

/// The larger and the smaller of each pair of lanes; NaN where either is NaN.
template <class T>
RICCI_INLINE simd<T> maximum(simd<T> a, simd<T> b) {
    return math::select(a != a, a, simd<T>::from_native(detail::larger(a.raw(), b.raw())));
}
template <class T>
RICCI_INLINE simd<T> minimum(simd<T> a, simd<T> b) {
    return math::select(a != a, a, simd<T>::from_native(detail::smaller(a.raw(), b.raw())));
}

}  // namespace RICCI_ISA
}  // namespace math

namespace detail {
inline namespace RICCI_ISA {

template <int Step, class T, std::size_t... I>
RICCI_INLINE simd<T> butterfly(simd<T> x, std::index_sequence<I...>) {
#if defined(__CUDACC__)  // nvcc loses the pack
    T from[sizeof...(I)], to[sizeof...(I)];
    x.store(from);
    ((to[I] = from[I ^ Step]), ...);
    return simd<T>::load(to);
#else
    const auto r = x.raw();
    return simd<T>::from_native(__builtin_shufflevector(r, r, static_cast<int>(I ^ Step)...));
#endif
}
// f over all lanes, as a tree whose first level pairs the lower with the upper half.
template <int Step, class T, class F>
RICCI_INLINE T fold_lanes(simd<T> x, F f) {
    if constexpr (Step == 0) return x[0];
    else return fold_lanes<Step / 2>(f(x, butterfly<Step>(x, std::make_index_sequence<simd<T>::lanes>())), f);
}
/// The lanes of x whose number has no bit of Step, those of y else, each joined with the one that differs in that bit.
template <int Step, class T, class F, std::size_t... I>
RICCI_INLINE simd<T> fold_pair(simd<T> x, simd<T> y, F f, std::index_sequence<I...>) {
    constexpr int n = simd<T>::lanes;
#if defined(__CUDACC__)  // nvcc loses the pack
    T from[2 * n], own[n], other[n];
    x.store(from);
    y.store(from + n);
    ((own[I] = from[(int(I) & Step) != 0 ? n + I : I]), ...);
    ((other[I] = from[(int(I) & Step) != 0 ? n + (I ^ Step) : I ^ Step]), ...);
    return f(simd<T>::load(own), simd<T>::load(other));
#else
    const auto a = x.raw(), b = y.raw();
    return f(simd<T>::from_native(__builtin_shufflevector(a, b, ((int(I) & Step) != 0 ? n + int(I) : int(I))...)),
             simd<T>::from_native(
                 __builtin_shufflevector(a, b, ((int(I) & Step) != 0 ? n + int(I ^ Step) : int(I ^ Step))...)));
#endif
}
/// fold_lanes of several registers, `apart` from each other, in half of its instructions: of the j-th in lane
/// j * lanes / Count.
template <int Count, int Step = 1, class T, class F>
RICCI_INLINE simd<T> fold_registers(const simd<T>* x, int apart, F f) {
    constexpr int lanes = simd<T>::lanes, stretch = lanes / Count;
    constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(lanes)>();
    if constexpr (Step == lanes) {
        return *x;
    } else {
        const simd<T> a = fold_registers<Count, 2 * Step>(x, apart, f);
        if constexpr (Step < stretch) return f(a, butterfly<Step>(a, all));
        else return fold_pair<Step>(a, fold_registers<Count, 2 * Step>(x + Step / stretch * apart, apart, f), f, all);
    }
}
// Structs rather than lambdas, which nothing forces to be inlined.
struct add_lanes {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> a, simd<T> b) const {
        return a + b;
    }
};
struct max_lanes {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> a, simd<T> b) const {
        return math::maximum(a, b);
    }
};
struct min_lanes {
    template <class T>
    RICCI_INLINE simd<T> operator()(simd<T> a, simd<T> b) const {
        return math::minimum(a, b);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

inline namespace RICCI_ISA {

/// The sum of the lanes, added as a tree.
template <class T>
RICCI_INLINE T reduce_add(simd<T> x) {
    return detail::fold_lanes<simd<T>::lanes / 2>(x, detail::add_lanes());
}
/// The largest lane; NaN if any is.
template <class T>
RICCI_INLINE T reduce_max(simd<T> x) {
    return detail::fold_lanes<simd<T>::lanes / 2>(x, detail::max_lanes());
}
/// The smallest lane; NaN if any is.
template <class T>
RICCI_INLINE T reduce_min(simd<T> x) {
    return detail::fold_lanes<simd<T>::lanes / 2>(x, detail::min_lanes());
}

}  // namespace RICCI_ISA
#endif  // RICCI_HAS_SIMD

}  // namespace ricci
