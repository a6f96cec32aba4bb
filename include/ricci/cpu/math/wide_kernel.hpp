// Kernels in doubles that are written once for numbers and for registers, of floats by way of doubles.
#pragma once
#include "bessel.hpp"
#include "error_function.hpp"
#include "gamma.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

RICCI_HD RICCI_INLINE constexpr bool any_lane(bool m) { return m; }
/// log(x) as head + tail, for positive normal x, where the machine has what that takes.
RICCI_HD inline void log_in_two_words(double x, double& head, double& tail) {
    using std::log;
    using W = series_t<double>;
    const W y = log(static_cast<W>(x));
    head = static_cast<double>(y);
    tail = static_cast<double>(y - static_cast<W>(head));
}
/// a b + c rounded once, of numbers on every processor: what tells the second word of a product.
template <class S>
RICCI_HD RICCI_INLINE constexpr S rounded_once(const S& a, const S& b, const S& c) {
    using std::fma;
    if constexpr (std::is_same_v<S, double>) return fma(a, b, c);
    else return math::fma(a, b, c);
}
#if defined(RICCI_HAS_SIMD)
template <class T>
RICCI_INLINE bool any_lane(simd_mask<T> m) {
    return math::any(m);
}
RICCI_INLINE void log_in_two_words(simd<double> x, simd<double>& head, simd<double>& tail) {
    const auto log = precise_log(x);
    head = log.head;
    tail = log.tail;
}
/// The kernel on registers; lane by lane where there are none of doubles, or products have no second word.
template <class Kernel, class T, class... X>
RICCI_INLINE simd<T> in_double_registers(const Kernel& kernel, simd<T> x, X... more) {
    if constexpr (precise_doubles) {
        return in_doubles(kernel, x, more...);
    } else {
        T lane[1 + sizeof...(X)][simd<T>::lanes];
        const simd<T> all[] = {x, more...};
        for (std::size_t k = 0; k <= sizeof...(X); ++k) all[k].store(lane[k]);
        for (int i = 0; i < simd<T>::lanes; ++i)
            lane[0][i] = [&]<std::size_t... K>(std::index_sequence<K...>) {
                return static_cast<T>(kernel(static_cast<double>(lane[K][i])...));
            }(std::make_index_sequence<1 + sizeof...(X)>());
        return simd<T>::load(lane[0]);
    }
}
#endif

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

// Define math::name of numbers and of registers by a kernel. What derivative rules compute in vain is left out, since
// these functions have no effects.
#define RICCI_KERNEL_OF_NUMBERS_1(name, ...)                          \
    template <real_scalar T>                                          \
    RICCI_HD inline T name(T x) {                                     \
        return static_cast<T>(__VA_ARGS__()(static_cast<double>(x))); \
    }
#define RICCI_KERNEL_OF_NUMBERS_1_OF_ORDER(name, ...)                  \
    template <class N, real_scalar T>                                  \
    RICCI_HD inline T name(N n, T x) {                                 \
        return static_cast<T>(__VA_ARGS__{n}(static_cast<double>(x))); \
    }
#define RICCI_KERNEL_OF_NUMBERS_2(name, ...)                                                  \
    template <real_scalar T>                                                                  \
    RICCI_HD inline T name(T a, T x) {                                                        \
        return static_cast<T>(__VA_ARGS__()(static_cast<double>(a), static_cast<double>(x))); \
    }
#define RICCI_KERNEL_OF_NUMBERS_2_OF_ORDER(name, ...)                                          \
    template <class N, real_scalar T>                                                          \
    RICCI_HD inline T name(N n, T a, T x) {                                                    \
        return static_cast<T>(__VA_ARGS__{n}(static_cast<double>(a), static_cast<double>(x))); \
    }
#define RICCI_KERNEL_OF_NUMBERS_3(name, ...)                                                                          \
    template <real_scalar T>                                                                                          \
    RICCI_HD inline T name(T a, T b, T x) {                                                                           \
        return static_cast<T>(__VA_ARGS__()(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x))); \
    }
#define RICCI_KERNEL_OF_NUMBERS_3_OF_ORDER(name, ...)                                                                  \
    template <class N, real_scalar T>                                                                                  \
    RICCI_HD inline T name(N n, T a, T b, T x) {                                                                       \
        return static_cast<T>(__VA_ARGS__{n}(static_cast<double>(a), static_cast<double>(b), static_cast<double>(x))); \
    }
#if defined(RICCI_HAS_SIMD)
#define RICCI_KERNEL_1(name, ...)                             \
    RICCI_KERNEL_OF_NUMBERS_1(name, __VA_ARGS__)              \
    template <class T>                                        \
    [[gnu::noinline, gnu::const]] simd<T> name(simd<T> x) {   \
        return detail::in_double_registers(__VA_ARGS__(), x); \
    }
#define RICCI_KERNEL_1_OF_ORDER(name, ...)                       \
    RICCI_KERNEL_OF_NUMBERS_1_OF_ORDER(name, __VA_ARGS__)        \
    template <class N, class T>                                  \
    [[gnu::noinline, gnu::const]] simd<T> name(N n, simd<T> x) { \
        return detail::in_double_registers(__VA_ARGS__{n}, x);   \
    }
#define RICCI_KERNEL_2(name, ...)                                                            \
    RICCI_KERNEL_OF_NUMBERS_2(name, __VA_ARGS__)                                             \
    template <class T>                                                                       \
    [[gnu::noinline, gnu::const]] simd<T> name(simd<T> a, std::type_identity_t<simd<T>> x) { \
        return detail::in_double_registers(__VA_ARGS__(), a, x);                             \
    }
#define RICCI_KERNEL_2_OF_ORDER(name, ...)                                                        \
    RICCI_KERNEL_OF_NUMBERS_2_OF_ORDER(name, __VA_ARGS__)                                         \
    template <class N, class T>                                                                   \
    [[gnu::noinline, gnu::const]] simd<T> name(N n, simd<T> a, std::type_identity_t<simd<T>> x) { \
        return detail::in_double_registers(__VA_ARGS__{n}, a, x);                                 \
    }
#define RICCI_KERNEL_3(name, ...)                                                                       \
    RICCI_KERNEL_OF_NUMBERS_3(name, __VA_ARGS__)                                                        \
    template <class T>                                                                                  \
    [[gnu::noinline, gnu::const]] simd<T> name(simd<T> a, simd<T> b, std::type_identity_t<simd<T>> x) { \
        return detail::in_double_registers(__VA_ARGS__(), a, b, x);                                     \
    }
#define RICCI_KERNEL_3_OF_ORDER(name, ...)                                                      \
    RICCI_KERNEL_OF_NUMBERS_3_OF_ORDER(name, __VA_ARGS__)                                       \
    template <class N, class T>                                                                 \
    [[gnu::noinline, gnu::const]] simd<T> name(N n, simd<T> a, std::type_identity_t<simd<T>> b, \
                                               std::type_identity_t<simd<T>> x) {               \
        return detail::in_double_registers(__VA_ARGS__{n}, a, b, x);                            \
    }
#else
#define RICCI_KERNEL_1 RICCI_KERNEL_OF_NUMBERS_1
#define RICCI_KERNEL_1_OF_ORDER RICCI_KERNEL_OF_NUMBERS_1_OF_ORDER
#define RICCI_KERNEL_2 RICCI_KERNEL_OF_NUMBERS_2
#define RICCI_KERNEL_2_OF_ORDER RICCI_KERNEL_OF_NUMBERS_2_OF_ORDER
#define RICCI_KERNEL_3 RICCI_KERNEL_OF_NUMBERS_3
#define RICCI_KERNEL_3_OF_ORDER RICCI_KERNEL_OF_NUMBERS_3_OF_ORDER
#endif
