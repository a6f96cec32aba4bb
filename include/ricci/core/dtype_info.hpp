// What programs ask about element types, by the array API standard: finfo, iinfo, isdtype, can_cast, result_type.
#pragma once
#include <limits>

#include "concepts.hpp"

namespace ricci {

/// An element type as a value, which functions return and compare: `result_type(x, y) == dtype<float>`.
template <element T>
struct dtype_t {
    using type = T;
    /// Its name in the array API standard.
    static constexpr const char* name = dtype_name<T>();

    template <class U>
    friend constexpr bool operator==(dtype_t, dtype_t<U>) {
        return std::is_same_v<T, U>;
    }
};
template <element T>
inline constexpr dtype_t<std::remove_cv_t<T>> dtype{};

/// The limits of a floating type; of a complex type those of its parts.
template <element T>
    requires(is_real_floating_v<T>)
struct finfo_t {
    dtype_t<T> dtype;                                   ///< The type that the other members have
    int bits = static_cast<int>(8 * sizeof(T));         ///< How many it occupies
    T eps = std::numeric_limits<T>::epsilon();          ///< From 1 to the next larger number
    T max = std::numeric_limits<T>::max();              ///< The largest number
    T min = std::numeric_limits<T>::lowest();           ///< The most negative number
    T smallest_normal = std::numeric_limits<T>::min();  ///< The smallest positive number of full precision
};
/// The limits of an integer type.
template <std::integral T>
struct iinfo_t {
    dtype_t<T> dtype;                            ///< The type that max and min have
    int bits = static_cast<int>(8 * sizeof(T));  ///< How many it occupies
    T max = std::numeric_limits<T>::max();       ///< The largest number
    T min = std::numeric_limits<T>::min();       ///< The smallest number
};

namespace detail {

template <class T>
struct kind_of<dtype_t<T>> {
    using type = T;
};

/// An expression or an element type as a value.
template <class A>
inline constexpr bool is_typed_v = expression<A>;
template <class T>
inline constexpr bool is_typed_v<dtype_t<T>> = true;

inline void not_a_kind_of_dtype() {}

}  // namespace detail

/// What has an element type: an expression, or `dtype<T>`.
template <class A>
concept typed = detail::is_typed_v<std::remove_cvref_t<A>>;

/// A kind of element types: "bool", "signed integer", "unsigned integer", "integral" (the two before), "real floating",
/// "complex floating" or "numeric" (all but bool). Any other word does not compile.
struct dtype_kind {
    static constexpr int boolean = 1, signed_integer = 2, unsigned_integer = 4, real_floating = 8,
                         complex_floating = 16;
    int types;

    consteval dtype_kind(const char* name) : types(types_of(name)) {
        if (types == 0) detail::not_a_kind_of_dtype();  // not constexpr: the error that names what is wrong
    }

   private:
    static consteval bool equal(const char* a, const char* b) {
        while (*a && *a == *b) ++a, ++b;
        return *a == *b;
    }
    static consteval int types_of(const char* name) {
        constexpr int integral = signed_integer | unsigned_integer;
        if (equal(name, "bool")) return boolean;
        if (equal(name, "signed integer")) return signed_integer;
        if (equal(name, "unsigned integer")) return unsigned_integer;
        if (equal(name, "integral")) return integral;
        if (equal(name, "real floating")) return real_floating;
        if (equal(name, "complex floating")) return complex_floating;
        if (equal(name, "numeric")) return integral | real_floating | complex_floating;
        return 0;
    }
};

/// Machine limits of a floating type; of a complex one, of its parts: `finfo<float>().eps`, `finfo(x).max`.
template <element T>
constexpr auto finfo() {
    static_assert(is_inexact_v<T>, "ricci: finfo is of floating types; iinfo is of integers");
    return finfo_t<real_t<T>>{};
}
template <typed A>
constexpr auto finfo(const A&) {
    return finfo<detail::kind_t<A>>();
}

/// Machine limits of an integer type: `iinfo<std::int8_t>().max`, `iinfo(x).bits`.
template <element T>
constexpr auto iinfo() {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                  "ricci: iinfo is of integer types; finfo is of floating ones");
    return iinfo_t<T>{};
}
template <typed A>
constexpr auto iinfo(const A&) {
    return iinfo<detail::kind_t<A>>();
}

/// Whether an element type is of a kind, or of one of some: `isdtype<T>("integral")`,
/// `isdtype<T>({"integral", "bool"})`.
template <element T>
constexpr bool isdtype(dtype_kind kind) {
    using U = std::remove_cv_t<T>;
    constexpr int own = std::is_same_v<U, bool> ? dtype_kind::boolean
                        : is_complex_v<U>       ? dtype_kind::complex_floating
                        : is_real_floating_v<U> ? dtype_kind::real_floating
                        : std::is_signed_v<U>   ? dtype_kind::signed_integer
                                                : dtype_kind::unsigned_integer;
    return (kind.types & own) != 0;
}
template <element T, int N>
constexpr bool isdtype(const dtype_kind (&kinds)[N]) {
    for (const dtype_kind& kind : kinds)
        if (isdtype<T>(kind)) return true;
    return false;
}
/// The same of an expression's elements, or of `dtype<T>`.
template <typed A>
constexpr bool isdtype(const A&, dtype_kind kind) {
    return isdtype<detail::kind_t<A>>(kind);
}
template <typed A, int N>
constexpr bool isdtype(const A&, const dtype_kind (&kinds)[N]) {
    return isdtype<detail::kind_t<A>>(kinds);
}

/// Whether every value of type From is one of type To by the promotion rules, so that converting loses nothing but, of
/// wide integers to double, their last bits: `can_cast<std::int8_t, float>()`, `can_cast<double>(x)` of an expression
/// x.
template <element From, element To>
constexpr bool can_cast() {
    return std::is_same_v<promote_t<std::remove_cv_t<From>, std::remove_cv_t<To>>, std::remove_cv_t<To>>;
}
template <element To, typed A>
constexpr bool can_cast(const A&) {
    return can_cast<detail::kind_t<A>, To>();
}

/// The element type of the result of arithmetic among arguments, each an expression, `dtype<T>` or a C++ number, which
/// counts by its kind alone: `result_type(x, y, 2.0) == dtype<float>`, `decltype(result_type(x, y))::type`.
template <class... A>
    requires(sizeof...(A) > 0 && ((typed<A> || scalar_value<A>) && ...))
constexpr auto result_type(const A&...) {
    return dtype_t<common_t<detail::kind_t<A>...>>{};
}
/// The same of types: result_type_t<tensor<int, 1>, dtype_t<float>, double> is double.
template <class... A>
    requires(sizeof...(A) > 0 && ((typed<A> || scalar_value<A>) && ...))
using result_type_t = common_t<detail::kind_t<A>...>;

}  // namespace ricci
