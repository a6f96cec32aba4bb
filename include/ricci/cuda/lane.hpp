// What element types are inside of device code: themselves, and Thrust's complex numbers for the standard library's,
// which nvcc does not compile for the device.
#pragma once
#include "../cpu/lanes.hpp"
#include "../cpu/reduce_rules.hpp"
#include "device.hpp"

#if defined(RICCI_HAS_GPU)
#include <thrust/complex.h>

// Thrust's own quotient, a template of two types, looks for nothing: it is NaN for divisors that are 0, infinite or
// extreme.
THRUST_NAMESPACE_BEGIN
template <class T>
RICCI_HD RICCI_INLINE complex<T> operator/(const complex<T>& a, const complex<T>& b) {
    return ::ricci::ops::complex_quotient(a, b);
}
THRUST_NAMESPACE_END

namespace ricci {
template <class T>
inline constexpr bool is_complex_v<thrust::complex<T>> = true;
namespace math {
template <class T>
inline constexpr bool is_complex<thrust::complex<T>> = true;
}  // namespace math
namespace detail {
template <class T>
struct real_of<thrust::complex<T>> {
    using type = T;
};
template <class C, class T>
struct complex_like<thrust::complex<C>, T> {
    using type = thrust::complex<T>;
};
template <>
struct wide_of<thrust::complex<float>> {
    using type = thrust::complex<double>;
};
}  // namespace detail
}  // namespace ricci
#endif

namespace ricci::detail {

template <class T>
struct device_lane {
    using type = compute_t<T>;
};
#if defined(RICCI_HAS_GPU)
template <class T>
struct device_lane<std::complex<T>> {
    using type = thrust::complex<T>;
};
#endif
template <class T>
using device_lane_t = typename device_lane<T>::type;

/// How device code sees an element in memory: as the lane, or 16 bits of it.
template <class T>
using device_item_t = std::conditional_t<is_half_v<T>, T, device_lane_t<T>>;

/// One element at a time, each in the type that device code computes in.
struct device_domain {
    template <class U>
    using lane = device_lane_t<U>;
    template <class To, class From, class S>
    RICCI_HD RICCI_INLINE static constexpr lane<To> convert(const S& x) {
        if constexpr (is_half_v<To> && !std::is_same_v<To, From>) return convert_element<To>(x);
        else return convert_element<lane<To>>(x);
    }
};

}  // namespace ricci::detail
