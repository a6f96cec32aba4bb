// Element types: which there are, their names, and NumPy's promotion rules with weak scalars (NEP 50).
#pragma once
#include <complex>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

#include "error.hpp"
#include "half.hpp"

namespace ricci {

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

/// NumPy's and PyTorch's names, beside float16 and bfloat16, of what C++ calls otherwise: zeros<float32>({3, 4}).
using float32 = float;
using float64 = double;
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

namespace detail {
template <class T>
inline constexpr bool is_element_v = std::is_arithmetic_v<T> || is_half_v<T> || is_complex_v<T>;
}

/// What a tensor may hold, and what may stand beside a tensor as a scalar. (Concepts that many functions ask are one
/// question each: compilers ask the parts of a disjunction one by one, for every function anew.)
template <class T>
concept element = detail::is_element_v<std::remove_cv_t<T>>;

/// The real floating types, float16 and bfloat16 among them.
template <class T>
inline constexpr bool is_real_floating_v = std::is_floating_point_v<T> || is_half_v<T>;

/// The type that kernels compute in: float for float16 and bfloat16, any other type itself.
template <class T>
using compute_t = std::conditional_t<is_half_v<T>, float, T>;

/// Floating point or complex: the types that have derivatives.
template <class T>
inline constexpr bool is_inexact_v = is_real_floating_v<T> || is_complex_v<T>;

namespace detail {

template <class T>
struct real_of {
    using type = T;
};
template <class T>
struct real_of<std::complex<T>> {
    using type = T;
};

template <int Bytes>
struct signed_of_size;
template <>
struct signed_of_size<1> {
    using type = std::int8_t;
};
template <>
struct signed_of_size<2> {
    using type = std::int16_t;
};
template <>
struct signed_of_size<4> {
    using type = std::int32_t;
};
template <>
struct signed_of_size<8> {
    using type = std::int64_t;
};
template <>
struct signed_of_size<16> {
    using type = double;  // NumPy: int64 with uint64 is float64
};

/// The floating type of at least Float's precision that holds an integer type's values as NumPy has it: 8 bits fit
/// every one, 16 float, wider ones need double.
template <class Integer, class Float>
using float_holding =
    std::conditional_t<(sizeof(Integer) == 1 || std::is_same_v<Float, double>), Float,
                       std::conditional_t<(sizeof(Integer) == 2), std::conditional_t<is_half_v<Float>, float, Float>,
                                          std::conditional_t<(sizeof(Float) < sizeof(double)), double, Float>>>;

/// Of two real floating types: the longer; float for both of 16 bits.
template <class A, class B>
using longer_float =
    std::conditional_t<is_half_v<A> && is_half_v<B>, float, std::conditional_t<(sizeof(A) > sizeof(B)), A, B>>;

/// Complex numbers as C's are, of parts T; specialised for those of other libraries.
template <class C, class T>
struct complex_like {
    using type = std::complex<T>;
};
/// Complex numbers as C's are, if it is complex, whose parts hold T: integers need double, 16 bits are float.
template <class C, class T>
using complex_holding = typename complex_like<C, std::conditional_t<is_real_floating_v<T>, compute_t<T>, double>>::type;

template <class A, class B>
constexpr auto promote() {
    if constexpr (std::is_same_v<A, B>) {
        return A{};
    } else if constexpr (is_complex_v<A> || is_complex_v<B>) {
        return complex_holding<std::conditional_t<is_complex_v<A>, A, B>,
                               decltype(promote<typename real_of<A>::type, typename real_of<B>::type>())>{};
    } else if constexpr (std::is_same_v<A, bool>) {
        return B{};
    } else if constexpr (std::is_same_v<B, bool>) {
        return A{};
    } else if constexpr (is_real_floating_v<A> && is_real_floating_v<B>) {
        return longer_float<A, B>{};
    } else if constexpr (is_real_floating_v<A>) {
        return float_holding<B, A>{};
    } else if constexpr (is_real_floating_v<B>) {
        return float_holding<A, B>{};
    } else if constexpr (std::is_signed_v<A> == std::is_signed_v<B>) {
        return std::conditional_t<(sizeof(A) >= sizeof(B)), A, B>{};
    } else {
        constexpr int s = std::is_signed_v<A> ? sizeof(A) : sizeof(B), u = std::is_signed_v<A> ? sizeof(B) : sizeof(A);
        return typename signed_of_size<(s > u ? s : 2 * u)>::type{};
    }
}

}  // namespace detail

/// The real type under a complex one; any other type itself.
template <class T>
using real_t = typename detail::real_of<T>::type;

/// The common type of two element types, by NumPy's table.
template <element A, element B>
using promote_t = decltype(detail::promote<A, B>());

/// T if it is inexact, else double: what sin, `/` and mean make of integers.
template <class T>
using inexact_t = std::conditional_t<is_inexact_v<T>, T, double>;

/// A C++ scalar beside tensors: it takes part in promotion by its kind alone (a float tensor times 2.0 stays float).
template <element S>
struct weak {};

namespace detail {

template <class T, class S>
constexpr auto promote_weak() {
    if constexpr (is_complex_v<S>) {
        return complex_holding<std::conditional_t<is_complex_v<T>, T, S>, real_t<T>>{};
    } else if constexpr (is_real_floating_v<S>) {
        return inexact_t<T>{};
    } else if constexpr (std::is_same_v<S, bool>) {
        return T{};
    } else {
        return std::conditional_t<std::is_same_v<T, bool>, std::int64_t, T>{};
    }
}

/// Folds element types into their common type and leaves out the numbers among the kinds, weak<S>.
template <class Strong, class... Rest>
struct fold_common;
template <class T>
struct fold_common<T> {
    using type = T;
};
template <class T, class U, class... Rest>
struct fold_common<T, U, Rest...> : fold_common<decltype(promote<T, U>()), Rest...> {};
template <class U, class... Rest>
struct fold_common<void, U, Rest...> : fold_common<U, Rest...> {};
template <class S, class... Rest>
struct fold_common<void, weak<S>, Rest...> : fold_common<void, Rest...> {};
template <class T, class S, class... Rest>
struct fold_common<T, weak<S>, Rest...> : fold_common<T, Rest...> {};
template <>
struct fold_common<void> {
    using type = void;
};
/// The common type of the arrays. Of three or more the inexact types come first and meet each integer type on its own,
/// as in NumPy: int8, uint16 and float32 are float32, though int8 and uint16 are int32, which needs double.
template <class... Kinds>
struct common_strong : fold_common<void, std::conditional_t<is_inexact_v<Kinds>, Kinds, weak<bool>>..., Kinds...> {};
template <class A>
struct common_strong<A> : fold_common<void, A> {};
template <class A, class B>
struct common_strong<A, B> : fold_common<void, A, B> {};

template <class T, class... Kinds>
struct fold_weak {
    using type = T;
};
template <class T, class U, class... Rest>
struct fold_weak<T, U, Rest...> : fold_weak<T, Rest...> {};
template <class T, class S, class... Rest>
struct fold_weak<T, weak<S>, Rest...> : fold_weak<decltype(promote_weak<T, S>()), Rest...> {};
/// The type of two numbers without an array, in either order: of different kinds the richer one's.
template <class S, class U>
constexpr auto promote_numbers() {
    if constexpr (is_inexact_v<S> == is_inexact_v<U>) {
        using P = decltype(promote<S, U>());
        return std::conditional_t<is_inexact_v<P> && !is_inexact_v<S>, std::int64_t, P>{};  // of uint64 and int
    } else {
        return std::conditional_t<is_inexact_v<S>, S, U>{};
    }
}
template <class S, class... Rest>
struct fold_weak<void, weak<S>, Rest...> {
    using type = S;
};
template <class S, class U, class... Rest>
struct fold_weak<void, weak<S>, weak<U>, Rest...> : fold_weak<void, weak<decltype(promote_numbers<S, U>())>, Rest...> {
};

}  // namespace detail

/// The common type of argument kinds, each an element type or a weak scalar.
template <class... Kinds>
using common_t = typename detail::fold_weak<typename detail::common_strong<Kinds...>::type, Kinds...>::type;

/// "float32", "int64", ...: the names of the array API standard.
template <element T>
constexpr const char* dtype_name() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, bool>) return "bool";
    else if constexpr (std::is_same_v<U, float16>) return "float16";
    else if constexpr (std::is_same_v<U, bfloat16>) return "bfloat16";
    else if constexpr (std::is_same_v<U, float>) return "float32";
    else if constexpr (std::is_same_v<U, double>) return "float64";
    else if constexpr (std::is_same_v<U, std::complex<float>>) return "complex64";
    else if constexpr (std::is_same_v<U, std::complex<double>>) return "complex128";
    else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
        return sizeof(U) == 1 ? "int8" : sizeof(U) == 2 ? "int16" : sizeof(U) == 4 ? "int32" : "int64";
    else if constexpr (std::is_integral_v<U>)
        return sizeof(U) == 1 ? "uint8" : sizeof(U) == 2 ? "uint16" : sizeof(U) == 4 ? "uint32" : "uint64";
    else return "long double";
}

/// An element as kernels compute with it.
template <class T>
RICCI_HD RICCI_INLINE constexpr compute_t<T> in_compute_type(const T& x) {
    return x;
}

/// Converts an element; complex to real takes the real part, NaN to integer is unspecified as in C++.
template <class To, class From>
RICCI_HD RICCI_INLINE RICCI_ANY_RESULT constexpr To convert_element(const From& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (is_half_v<From>) return convert_element<To>(static_cast<float>(x));
    else if constexpr (std::is_same_v<To, bool>) return x != From(0);
    else if constexpr (is_complex_v<From> && is_complex_v<To>)
        return To(static_cast<real_t<To>>(x.real()), static_cast<real_t<To>>(x.imag()));
    else if constexpr (is_complex_v<From>) return static_cast<To>(x.real());
    else if constexpr (is_complex_v<To>) return To(static_cast<real_t<To>>(x));
    else return static_cast<To>(x);
}

namespace detail {
template <class T>
[[noreturn, gnu::cold]] RICCI_NOINLINE void refuse_number(text_part number) {
    raise<value_error>({"the number ", number, " is out of the range of ", dtype_name<T>(),
                        ", the type of the array's elements: astype<std::int64_t>(x) gives it a wider one"});
}
/// Whether a number, an integer or a real one, is below (above) all that the integers T can be; NaN is neither.
/// Characters are numbers here.
template <class T, class N>
RICCI_HD RICCI_INLINE constexpr bool is_below_all(const N& x) {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<N>) return std::cmp_less(+x, +limits::min());
    else return x < static_cast<double>(limits::min());
}
template <class T, class N>
RICCI_HD RICCI_INLINE constexpr bool is_above_all(const N& x) {
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<N>) return std::cmp_greater(+x, +limits::max());
    else return x >= 2.0 * static_cast<double>(limits::max() / 2 + 1);  // the greatest itself may be no double
}
/// A C++ number beside an array, in the type that promotion gives it: what integers cannot hold is refused, as in
/// NumPy, where C++ would wrap it and `x < -1` hold for unsigned x.
template <class To, class From>
RICCI_INLINE constexpr To convert_number(const From& x) {
#if !defined(__CUDA_ARCH__)  // kernels refuse nothing
    if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && !std::is_same_v<To, bool> &&
                  !std::is_same_v<From, bool>) {
        if (is_below_all<To>(x) || is_above_all<To>(x)) refuse_number<To>(x);
    } else if constexpr (std::is_integral_v<To> && !std::is_same_v<To, bool> && std::is_floating_point_v<From>) {
        // C++ cuts off what is behind the point
        const bool below = is_below_all<To>(x) && x <= static_cast<double>(std::numeric_limits<To>::min()) - 1;
        if (x != x || below || is_above_all<To>(x)) refuse_number<To>(x);
    }
#endif
    return convert_element<To>(x);
}

/// Truth values, unsigned and signed integers, real and complex numbers, in this order.
template <class T>
inline constexpr int kind_order_v = std::is_same_v<T, bool> ? 0
                                    : is_complex_v<T>       ? 4
                                    : is_real_floating_v<T> ? 3
                                    : std::is_signed_v<T>   ? 2
                                                            : 1;
/// Refuses to store complex numbers as real ones, where the imaginary parts would be lost. (NumPy and PyTorch warn.)
template <class To, class From>
constexpr void check_stays_complex() {
    static_assert(is_complex_v<std::remove_const_t<To>> || !is_complex_v<From>,
                  "ricci: complex numbers do not fit into an array of real ones: take real(z), imag(z) or abs(z)");
}
/// The same of what is written: a number, or an array of numbers.
template <class To, class V>
constexpr void check_value_stays_complex() {
    if constexpr (element<V>) check_stays_complex<To, V>();
    else if constexpr (requires { typename V::value_type; }) check_stays_complex<To, typename V::value_type>();
}
/// Refuses to store the results of arithmetic in place where that would cut them to another kind. (NumPy's
/// casting="same_kind".)
template <class To, class From>
constexpr void check_in_place() {
    static_assert(
        kind_order_v<From> <= kind_order_v<std::remove_const_t<To>>,
        "ricci: x += y gives another kind of numbers than x holds (floats and integers, say), as k /= 2 does: "
        "k = astype<int>(k / 2.0) or k = floor_divide(k, 2) for integers k");
}
}  // namespace detail

}  // namespace ricci
