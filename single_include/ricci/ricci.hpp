// Ricci 0.1.0, the whole library in one header, written by scripts/amalgamate.py: do not edit.
//
// MIT License
//
// Copyright (c) 2026 The Ricci authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.
#pragma once
// ---- ricci/ricci.hpp
// Ricci: tensor calculus. This header is the CPU library; ricci/cuda.hpp adds the GPU.
// ---- ricci/core/print.hpp
// Text of tensors as NumPy 1.24 prints arrays: to_string and operator<<. After numpy/core/arrayprint.py.
#include <charconv>
#include <cmath>
#include <iosfwd>
#include <string>
#include <vector>

// ---- ricci/core/host_value.hpp
// The value of any expression as a tensor that the CPU can read, for printing and files.
// ---- ricci/core/tensor.hpp
// The tensor: a handle on shared storage with a static rank and element type.
#include <initializer_list>

// ---- ricci/core/concepts.hpp
// What the engine calls an expression, an array and an operand; the interface that all expressions share.
#include <utility>

// ---- ricci/core/dtype.hpp
// Element types: which there are, their names, and NumPy's promotion rules with weak scalars (NEP 50).
#include <complex>
#include <concepts>
#include <type_traits>

// ---- ricci/core/config.hpp
// Compiler portability: attributes, the index type, and the host/device markers.
#include <cstddef>
#include <cstdint>

#define RICCI_VERSION_MAJOR 0
#define RICCI_VERSION_MINOR 1
#define RICCI_VERSION_PATCH 0

#if defined(__CUDACC__)
#define RICCI_HD __host__ __device__
// Between these two, templates that serve host and device may be instantiated with host-only functions, by host code that is:
// nvcc warns of it. Elsewhere the warning stands; it is what tells that a function given to `map` is not __device__.
#define RICCI_BOTH_SIDES_BEGIN _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 20011, 20014")
#define RICCI_BOTH_SIDES_END _Pragma("nv_diagnostic pop")
#if defined(__CUDA_ARCH__) && !defined(RICCI_NO_SIMD)
#define RICCI_NO_SIMD  // device code has no vector types; the host pass keeps them
#endif
#else
#define RICCI_HD
#define RICCI_BOTH_SIDES_BEGIN
#define RICCI_BOTH_SIDES_END
#endif

#if defined(__GNUC__) || defined(__clang__)
#define RICCI_INLINE inline __attribute__((always_inline))
#define RICCI_INLINE_LAMBDA __attribute__((always_inline))
#define RICCI_NOINLINE __attribute__((noinline))
#define RICCI_FLATTEN __attribute__((flatten))
// Keeps a pointer in a register of its own. g++ moves a handle's two pointers as one vector, right after they were stored one by
// one: a load that has to wait until both stores are done, and nearly all of the time of a small expression.
#define RICCI_KEEP_SCALAR(pointer) asm("" : "+r"(pointer))
#else
#define RICCI_INLINE inline
#define RICCI_INLINE_LAMBDA
#define RICCI_NOINLINE
#define RICCI_FLATTEN
#define RICCI_KEEP_SCALAR(pointer)
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define RICCI_UNROLL _Pragma("GCC unroll 16")
#else
#define RICCI_UNROLL  // clang does so by itself, and warns at -O1, where it does not, of a pragma; nvcc knows another
#endif

// The headers are included by translation units with different -m flags; whatever is compiled for one instruction set
// carries its name in the mangled symbol, so that the linker never picks an AVX-512 body for an SSE2 caller.
#if defined(RICCI_NO_SIMD) && !defined(__CUDA_ARCH__)  // nvcc's two passes must agree on names
#define RICCI_ISA scalar
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define RICCI_ISA avx512
#elif defined(__AVX512F__)
#define RICCI_ISA avx512f
#elif defined(__AVX2__) && defined(__FMA__)
#define RICCI_ISA avx2_fma
#elif defined(__AVX2__)
#define RICCI_ISA avx2
#elif defined(__AVX__)
#define RICCI_ISA avx
#elif defined(__SSE4_1__)
#define RICCI_ISA sse4
#elif defined(__SSE2__)
#define RICCI_ISA sse2
#elif defined(__ARM_NEON)
#define RICCI_ISA neon
#else
#define RICCI_ISA generic
#endif

namespace ricci {

/// The type of extents, strides and indices: signed, so that negative steps and differences are ordinary arithmetic.
using index_t = std::ptrdiff_t;

}  // namespace ricci

namespace ricci {

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

/// What a tensor may hold, and what may stand beside a tensor as a scalar.
template <class T>
concept element = std::is_arithmetic_v<std::remove_cv_t<T>> || is_complex_v<std::remove_cv_t<T>>;

/// Floating point or complex: the types that have derivatives.
template <class T>
inline constexpr bool is_inexact_v = std::is_floating_point_v<T> || is_complex_v<T>;

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

/// The floating type that holds T's values as NumPy has it: small integers fit float, wider ones need double.
template <class T, class Float>
using float_holding = std::conditional_t<(sizeof(T) <= 2 || std::is_floating_point_v<T>) && (sizeof(Float) <= 4) &&
                                             !std::is_same_v<T, double>,
                                         float, double>;

template <class A, class B>
constexpr auto promote() {
    if constexpr (std::is_same_v<A, B>) {
        return A{};
    } else if constexpr (is_complex_v<A> || is_complex_v<B>) {
        using real = decltype(promote<typename real_of<A>::type, typename real_of<B>::type>());
        return std::complex<std::conditional_t<std::is_floating_point_v<real>, real, double>>{};
    } else if constexpr (std::is_same_v<A, bool>) {
        return B{};
    } else if constexpr (std::is_same_v<B, bool>) {
        return A{};
    } else if constexpr (std::is_floating_point_v<A> && std::is_floating_point_v<B>) {
        return std::conditional_t<(sizeof(A) > sizeof(B)), A, B>{};
    } else if constexpr (std::is_floating_point_v<A>) {
        return float_holding<B, A>{};
    } else if constexpr (std::is_floating_point_v<B>) {
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
        using real = real_t<T>;
        return std::complex<std::conditional_t<std::is_floating_point_v<real>, real, double>>{};
    } else if constexpr (std::is_floating_point_v<S>) {
        return inexact_t<T>{};
    } else if constexpr (std::is_same_v<S, bool>) {
        return T{};
    } else {
        return std::conditional_t<std::is_same_v<T, bool>, std::int64_t, T>{};
    }
}

/// Folds argument kinds (element types and weak<S>) into their common type: the strong ones first, then the weak ones.
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

template <class T, class... Kinds>
struct fold_weak {
    using type = T;
};
template <class T, class U, class... Rest>
struct fold_weak<T, U, Rest...> : fold_weak<T, Rest...> {};
template <class T, class S, class... Rest>
struct fold_weak<T, weak<S>, Rest...> : fold_weak<decltype(promote_weak<T, S>()), Rest...> {};
template <class S, class... Rest>
struct fold_weak<void, weak<S>, Rest...> : fold_weak<S, Rest...> {};

}  // namespace detail

/// The common type of argument kinds, each an element type or a weak scalar.
template <class... Kinds>
using common_t = typename detail::fold_weak<typename detail::fold_common<void, Kinds...>::type, Kinds...>::type;

/// "float32", "int64", ...: the names of the array API standard.
template <element T>
constexpr const char* dtype_name() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, bool>) return "bool";
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

/// Converts an element; complex to real takes the real part, NaN to integer is unspecified as in C++.
template <class To, class From>
RICCI_HD RICCI_INLINE constexpr To convert_element(const From& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (std::is_same_v<To, bool>) return x != From(0);
    else if constexpr (is_complex_v<From> && is_complex_v<To>)
        return To(static_cast<real_t<To>>(x.real()), static_cast<real_t<To>>(x.imag()));
    else if constexpr (is_complex_v<From>) return static_cast<To>(x.real());
    else if constexpr (is_complex_v<To>) return To(static_cast<real_t<To>>(x));
    else return static_cast<To>(x);
}

}  // namespace ricci
// ---- ricci/core/shape.hpp
// Extents and strides: fixed-rank arrays of index_t, their text, and the arithmetic that must not overflow.
#include <limits>

// ---- ricci/core/error.hpp
// The exceptions that the library throws: all derive from ricci::error, all are thrown before anything is written.
#include <stdexcept>

namespace ricci {

/// Base of every exception of the library.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Shapes that do not fit: broadcasting, reshape, matmul, concatenation.
struct shape_error : error {
    using error::error;
};
/// An index or an axis out of range.
struct index_error : error {
    using error::error;
};
/// A value that an operation does not accept.
struct value_error : error {
    using error::error;
};
/// A file that cannot be read, written or understood.
struct io_error : error {
    using error::error;
};
/// A device that failed or is absent.
struct device_error : error {
    using error::error;
};
/// A derivative that cannot be had: an outer transform's value captured by an inner one, a saved value overwritten.
struct gradient_error : error {
    using error::error;
};

template <int R>
struct shape;

namespace detail {

/// Extents (or strides) of any rank.
struct extents_ref {
    const index_t* extent;
    int rank;
};
/// "(2, 3)", "(3,)" and "()", as NumPy prints shapes.
[[gnu::cold]] RICCI_NOINLINE inline std::string shape_text(extents_ref s) {
    std::string text = "(";
    for (int i = 0; i < s.rank; ++i) {
        if (i) text += ", ";
        text += std::to_string(s.extent[i]);
    }
    return text + (s.rank == 1 ? ",)" : ")");
}

/// A piece of an error's text: words, a number, or a shape.
class text_part {
   public:
    text_part(const char* words) : words_(words) {}
    template <class I>
        requires(std::is_integral_v<I>)
    text_part(I number) : number_(static_cast<long long>(number)), kind_(number_kind) {}
    text_part(extents_ref s) : shape_(s), kind_(shape_kind) {}
    template <int R>
    text_part(const shape<R>& s) : text_part(extents_ref{s.extent, R}) {}

    [[gnu::cold]] std::string text() const {
        return kind_ == words_kind    ? std::string(words_)
               : kind_ == number_kind ? std::to_string(number_)
                                      : shape_text(shape_);
    }

   private:
    union {
        const char* words_;
        long long number_;
        extents_ref shape_;
    };
    enum : unsigned char { words_kind, number_kind, shape_kind } kind_ = words_kind;
};

/// Throws an Error whose text is made of the parts. The text is put together here, not where errors are found.
template <class Error>
[[noreturn, gnu::cold]] RICCI_NOINLINE void raise(std::initializer_list<text_part> parts) {
    std::string text;
    for (const text_part& part : parts) text += part.text();
    throw Error(text);
}

}  // namespace detail
}  // namespace ricci

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// The extents (or, counted in elements, the strides) of an array of rank R. Rank 0 is a scalar: no extents, one element.
template <int R>
struct shape {
    static_assert(R >= 0, "ricci: a rank is not negative");
    static constexpr int rank = R;
    index_t extent[R > 0 ? R : 1] = {};

    constexpr index_t& operator[](int i) { return extent[i]; }
    constexpr index_t operator[](int i) const { return extent[i]; }
    constexpr index_t* begin() { return extent; }
    constexpr index_t* end() { return extent + R; }
    constexpr const index_t* begin() const { return extent; }
    constexpr const index_t* end() const { return extent + R; }
    static constexpr int size() { return R; }

    /// Number of elements: the product of the extents.
    constexpr index_t count() const {
        index_t n = 1;
        for (int i = 0; i < R; ++i) n *= extent[i];
        return n;
    }
    friend constexpr bool operator==(const shape& a, const shape& b) {
        for (int i = 0; i < R; ++i)
            if (a.extent[i] != b.extent[i]) return false;
        return true;
    }
};
template <class... N>
shape(N...) -> shape<int(sizeof...(N))>;

/// "(2, 3)", "(3,)" and "()", as NumPy prints shapes.
template <int R>
std::string to_string(const shape<R>& s) {
    return detail::shape_text(detail::extents_ref{s.extent, R});
}

/// One extent in a braced list, from any integer type: zeros<float>({n, 3, v.size()}).
struct extent {
    index_t value;
    template <class I>
        requires(std::is_integral_v<I>)
    constexpr extent(I i) : value(static_cast<index_t>(i)) {}
};

namespace detail {

/// Strides of a row-major array, in elements.
template <int R>
constexpr shape<R> row_major(const shape<R>& extents) {
    shape<R> strides;
    std::size_t step = 1;  // unsigned: the strides of an empty array with huge extents may wrap, none is ever used
    for (int i = R - 1; i >= 0; --i) {
        strides[i] = static_cast<index_t>(step);
        step *= extents[i] > 0 ? static_cast<std::size_t>(extents[i]) : 1;
    }
    return strides;
}

/// Throws unless every extent is non-negative and the array's size in bytes fits in index_t.
template <int R>
constexpr void check_extents(const shape<R>& extents, std::size_t element_size, const char* what) {
    index_t total = static_cast<index_t>(element_size);
    bool empty = false;
    for (int i = 0; i < R; ++i) {
        if (extents[i] < 0) detail::raise<value_error>({"[", what, "] negative extent in shape ", extents});
        if (extents[i] == 0) empty = true;
    }
    if (empty) return;
    for (int i = 0; i < R; ++i) {
        if (extents[i] > std::numeric_limits<index_t>::max() / total)
            detail::raise<value_error>({"[", what, "] the size of shape ", extents, " overflows"});
        total *= extents[i];
    }
}

/// `axis` counted from the front, whichever end it was counted from; throws when it is out of range.
constexpr int normalize_axis(index_t axis, int rank, const char* what) {
    if (axis < -rank || axis >= rank)
        detail::raise<index_error>({"[", what, "] axis ", axis, " is out of range for rank ", rank});
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

/// All extents 1: the shape of what broadcasts to anything of its rank.
template <int R>
constexpr shape<R> unit_shape() {
    shape<R> s;
    for (int i = 0; i < R; ++i) s[i] = 1;
    return s;
}

/// Broadcasts `b` into `a` (aligned at the end, NumPy's rule); false, with `a` half done, when they do not fit.
template <int R, int Q>
RICCI_INLINE constexpr bool try_broadcast(shape<R>& a, const shape<Q>& b) {
    static_assert(Q <= R);
    for (int i = 0; i < Q; ++i) {
        index_t& n = a[R - Q + i];
        if (n == 1) n = b[i];
        else if (b[i] != 1 && b[i] != n) return false;
    }
    return true;
}
/// Says which of the shapes do not broadcast, and at which axis; shapes of rank -1 are left out.
[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_broadcast(const extents_ref* shapes, int count) {
    int rank = 0;
    std::string text;
    for (int i = 0; i < count; ++i) {
        if (shapes[i].rank < 0) continue;
        text += (text.empty() ? "" : " and ") + shape_text(shapes[i]);
        rank = shapes[i].rank > rank ? shapes[i].rank : rank;
    }
    for (int axis = rank - 1; axis >= 0; --axis) {  // the last one that does not fit
        index_t seen = 1;
        for (int i = 0; i < count; ++i) {
            const int d = axis - (rank - shapes[i].rank);
            if (shapes[i].rank < 0 || d < 0 || shapes[i].extent[d] == 1) continue;
            if (seen != 1 && seen != shapes[i].extent[d])
                raise<shape_error>({"The size of tensor a (", seen, ") must match the size of tensor b (",
                                    shapes[i].extent[d], ") at non-singleton dimension ", axis, ": shapes ",
                                    text.c_str()});
            seen = shapes[i].extent[d];
        }
    }
    raise<shape_error>({"shapes do not broadcast: ", text.c_str()});
}
/// Broadcasts `b` into `a`; throws shape_error when they do not fit.
template <int R, int Q>
constexpr void broadcast_into(shape<R>& a, const shape<Q>& b) {
    const shape<R> before = a;
    if (try_broadcast(a, b)) return;
    const extents_ref shapes[] = {{before.extent, R}, {b.extent, Q}};
    refuse_broadcast(shapes, 2);
}

/// A braced list of integers as a shape.
template <int R>
constexpr shape<R> to_shape(const ricci::extent (&extents)[R]) {
    shape<R> s;
    for (int i = 0; i < R; ++i) s[i] = extents[i].value;
    return s;
}

/// `extents` with unit axes in front, up to rank R.
template <int R, int Q>
constexpr shape<R> pad_front(const shape<Q>& extents) {
    static_assert(Q <= R);
    shape<R> padded;
    for (int i = 0; i < R; ++i) padded[i] = i < R - Q ? 1 : extents[i - (R - Q)];
    return padded;
}
/// `extents` behind one more axis.
template <int R>
constexpr shape<R + 1> prefixed(index_t first, const shape<R>& extents) {
    shape<R + 1> s;
    s[0] = first;
    for (int i = 0; i < R; ++i) s[i + 1] = extents[i];
    return s;
}

}  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

namespace ricci {

/// Base of every expression: marks the type.
struct expression_tag {};

/// Anything with a value type, a static rank, a shape and a device: a tensor, a wrapper of one, or a lazy map.
template <class E>
concept expression = std::is_base_of_v<expression_tag, std::remove_cvref_t<E>>;

/// An expression that is already evaluated: a tensor, or a wrapper (recorded, batched, dual) of one.
template <class E>
concept array = expression<E> && std::remove_cvref_t<E>::is_array;

/// An expression that is no map, but fetches its elements when asked: x(indices) of a tensor, which can also be assigned to.
template <class E>
concept deferred = expression<E> && requires(const std::remove_cvref_t<E>& e) { e.fetch(); };

/// A C++ number beside expressions.
template <class S>
concept scalar_value = element<std::remove_cvref_t<S>>;

/// Scalars that kernels compute with in place of numbers: SIMD registers, duals. Specialised where those are defined.
template <class S>
inline constexpr bool is_kernel_scalar_v = false;
template <class S>
concept kernel_scalar = is_kernel_scalar_v<std::remove_cvref_t<S>>;

/// What an element-wise function accepts.
template <class A>
concept operand = expression<A> || scalar_value<A> || kernel_scalar<A>;

/// At least one argument is no plain number, so that the library's operators apply.
template <class... A>
concept operands = (operand<A> && ...) && (!scalar_value<A> || ...);

/// Kernel scalars that bring arithmetic operators of their own (SIMD registers).
template <class S>
inline constexpr bool has_own_operators_v = false;

/// What the library's arithmetic operators take: at least one expression or dual among the operands.
template <class... A>
concept operator_operands =
    (operand<A> && ...) &&
    ((expression<A> || (kernel_scalar<A> && !has_own_operators_v<std::remove_cvref_t<A>>)) || ...);

template <expression E>
using value_type_t = typename std::remove_cvref_t<E>::value_type;
template <expression E>
inline constexpr int rank_v = std::remove_cvref_t<E>::rank;
template <expression E>
using device_t = typename std::remove_cvref_t<E>::device_type;

template <class>
inline constexpr bool always_false = false;

/// A position in a braced list of indices, from any integer type: x({0, 3, n}, all).
struct position {
    index_t value;
    template <class I>
        requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
    constexpr position(I i) : value(static_cast<index_t>(i)) {}
};

/// Gives an expression `x(...)`, NumPy's indexing (see expr/index.hpp and ops/index/advanced.hpp). A braced list of integers is
/// an index array, of rank 2 when its elements are braced: lists for all axes, or one list as the first or second index.
template <class Derived>
struct indexable : expression_tag {
    template <class... Index>
    auto operator()(const Index&... i) const {
        return index(static_cast<const Derived&>(*this), i...);
    }
    template <int... N>
        requires(sizeof...(N) > 0)
    auto operator()(const position (&... lists)[N]) const {
        return index(static_cast<const Derived&>(*this), index_array(lists)...);
    }
    template <int N, int M, int... Rest>
    auto operator()(const position (&list)[N][M], const position (&... lists)[Rest]) const {
        return index(static_cast<const Derived&>(*this), index_array(list), index_array(lists)...);
    }
    template <int N, class First, class... Index>
    auto operator()(const position (&list)[N], const First& first, const Index&... i) const {
        return index(static_cast<const Derived&>(*this), index_array(list), first, i...);
    }
    template <class First, int N, class... Index>
    auto operator()(const First& first, const position (&list)[N], const Index&... i) const {
        return index(static_cast<const Derived&>(*this), first, index_array(list), i...);
    }
    /// The truth value of an array is refused: compare and reduce first.
    template <class B, class Self = Derived>  // Self: Derived is not complete yet
        requires(std::is_same_v<B, bool> && Self::rank > 0)
    explicit operator B() const {
        static_assert(always_false<B>, "ricci: the truth value of an array of rank above 0 is ambiguous: reduce it first");
        return false;
    }
};

}  // namespace ricci
// ---- ricci/core/storage.hpp
// The bytes behind tensors: a counted block, header and payload in one allocation, and the handle that counts it.
#include <atomic>

// ---- ricci/core/allocator.hpp
// Host memory for tensors: the interface of allocators, the caching one, its statistics and limits.
// ---- ricci/core/memory_cache.hpp
// The cache of host memory: size classes, a share for each thread, what is common to all, and the limits.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <new>

// ---- ricci/core/spinlock.hpp
// A lock for a few instructions' worth of work, constant-initialised and never destroyed.

#if __has_include(<sched.h>)
#include <sched.h>
#endif

namespace ricci::detail {

/// A lock that is free of system calls unless it is contended.
class spinlock {
    std::atomic<bool> taken_{false};

   public:
    void lock() {
        for (int spins = 0; taken_.exchange(true, std::memory_order_acquire);)
            while (taken_.load(std::memory_order_relaxed))
                if (++spins > 64) {
#if __has_include(<sched.h>)
                    sched_yield();
#endif
                }
    }
    void unlock() { taken_.store(false, std::memory_order_release); }
};
struct spin_guard {
    spinlock& lock;
    explicit spin_guard(spinlock& l) : lock(l) { lock.lock(); }
    ~spin_guard() { lock.unlock(); }
    spin_guard(const spin_guard&) = delete;
};

}  // namespace ricci::detail

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#define RICCI_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RICCI_ASAN 1
#endif
#endif
#if defined(RICCI_ASAN) && __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#define RICCI_POISON(address, bytes) ASAN_POISON_MEMORY_REGION(address, bytes)
#define RICCI_UNPOISON(address, bytes) ASAN_UNPOISON_MEMORY_REGION(address, bytes)
#else
#define RICCI_POISON(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#define RICCI_UNPOISON(address, bytes) (static_cast<void>(address), static_cast<void>(bytes))
#endif

namespace ricci {

/// Memory that cannot be had: the system refuses it, the limit forbids it, or the size is absurd.
struct memory_error : std::bad_alloc {
    memory_error(std::size_t bytes, std::size_t in_use, std::size_t limit) noexcept {
        if (limit == 0)
            std::snprintf(text_, sizeof text_, "[allocate] out of memory: cannot get %zu bytes (%zu are in use)", bytes,
                          in_use);
        else
            std::snprintf(text_, sizeof text_,
                          "[allocate] %zu bytes would exceed the memory limit of %zu bytes (%zu are in use)", bytes,
                          limit, in_use);
    }
    const char* what() const noexcept override { return text_; }

   private:
    char text_[160];
};

namespace detail::heap {

// Size classes leave a first cache line aside (for the header that storage puts there) and count the rest: multiples of 64
// up to 1 KiB, then eight steps a doubling. So a power of two is a class of its own and no class wastes over an eighth.
inline constexpr std::size_t block_alignment = 64;
inline constexpr std::size_t largest_small = 65536 + 64;
inline constexpr std::size_t largest_block = (std::size_t(1) << 46) + 64;

constexpr int size_class(std::size_t bytes) {
    if (bytes <= 1024 + 64) return bytes ? static_cast<int>((bytes - 1) / 64) : 0;
    const std::size_t last = bytes - 64 - 1;
    const int width = static_cast<int>(std::bit_width(last));
    return 17 + (width - 11) * 8 + static_cast<int>((last >> (width - 4)) & 7);
}
constexpr std::size_t class_bytes(int c) {
    if (c < 17) return static_cast<std::size_t>(c + 1) * 64;
    return (static_cast<std::size_t>((c - 17) % 8 + 9) << ((c - 17) / 8 + 7)) + 64;
}
inline constexpr int small_classes = size_class(largest_small) + 1;
inline constexpr int all_classes = size_class(largest_block) + 1;

struct small_table {
    std::uint32_t bytes[small_classes];
    constexpr small_table() : bytes{} {
        for (int c = 0; c < small_classes; ++c) bytes[c] = static_cast<std::uint32_t>(class_bytes(c));
    }
};
inline constexpr small_table small_sizes;

// A cached block. The link stands where no live header has a field, so that all else can be poisoned while the leak checker,
// which ignores poisoned words, still follows the lists.
struct cached_block {
    unsigned char header[56];
    cached_block* next;
};

// One per thread: small blocks at hand, and counters that only their thread writes (plain moves, no locked instructions).
// `room` is 0 before the thread has enrolled and after it has left, which sends every call down the slow path.
struct thread_cache {
    cached_block* free[small_classes] = {};
    std::size_t room = 0;
    std::atomic<std::int64_t> pending{0};       // in use by this thread's account, not yet in the shared count
    std::atomic<std::int64_t> pending_peak{0};  // the most that `pending` was since it was last shared
    std::atomic<std::uint64_t> allocations{0};
    thread_cache* next = nullptr;
    enum : unsigned char { fresh, enrolled, departed } state = fresh;
};
inline constinit thread_local thread_cache local_cache{};

struct shared_cache {
    spinlock lock;  // guards the members down to `retired`
    cached_block* free[all_classes] = {};
    std::uint64_t last_use[all_classes] = {};
    std::uint64_t clock = 0;
    std::size_t cached = 0;  // bytes in these lists
    thread_cache* threads = nullptr;
    std::uint64_t retired = 0;  // allocations of threads that have ended

    std::atomic<bool> fork_handled{false};
    std::atomic<std::size_t> reserved{0};  // bytes taken from the system
    std::atomic<std::int64_t> in_use{0}, peak{0};
    std::atomic<std::uint64_t> system_calls{0};
    std::atomic<std::size_t> memory_limit{0};  // 0: none
    std::atomic<std::size_t> cache_limit{std::size_t(1) << 30};
};
inline constinit shared_cache shared{};  // trivially destroyed: tensors in static storage may die after everything else

inline constexpr std::int64_t share_at = 65536;
inline constexpr std::size_t thread_room = std::size_t(1) << 20;
template <class N>
void raise_to(std::atomic<N>& a, N value) {
    for (N now = a.load(std::memory_order_relaxed);
         now < value && !a.compare_exchange_weak(now, value, std::memory_order_relaxed););
}
template <class N>
N peek(const std::atomic<N>& a) {
    return a.load(std::memory_order_relaxed);
}
template <class N>
void poke(std::atomic<N>& a, N value) {
    a.store(value, std::memory_order_relaxed);
}

RICCI_NOINLINE inline void share_counters(thread_cache& local) {
    const std::int64_t pending = peek(local.pending);
    const std::int64_t before = shared.in_use.fetch_add(pending, std::memory_order_relaxed);
    raise_to(shared.peak, before + peek(local.pending_peak));
    poke(local.pending, std::int64_t(0));
    poke(local.pending_peak, std::int64_t(0));
}
RICCI_INLINE void count_allocation(thread_cache& local, std::size_t bytes) {
    const std::int64_t pending = peek(local.pending) + static_cast<std::int64_t>(bytes);
    poke(local.pending, pending);
    poke(local.allocations, peek(local.allocations) + 1);
    if (pending > peek(local.pending_peak)) {
        poke(local.pending_peak, pending);
        if (pending >= share_at) share_counters(local);
    }
}
RICCI_INLINE void count_release(thread_cache& local, std::size_t bytes) {
    const std::int64_t pending = peek(local.pending) - static_cast<std::int64_t>(bytes);
    poke(local.pending, pending);
    if (pending <= -share_at) share_counters(local);
}

RICCI_INLINE void push(cached_block*& list, void* block, std::size_t bytes) {
    auto* b = static_cast<cached_block*>(block);
    RICCI_UNPOISON(&b->next, sizeof b->next);
    b->next = list;
    list = b;
    RICCI_POISON(b, sizeof b->header);
    RICCI_POISON(b + 1, bytes - sizeof(cached_block));
}
RICCI_INLINE cached_block* pop(cached_block*& list) {
    cached_block* b = list;
    list = b->next;
    return b;
}
inline void release_chain(cached_block* chain, std::size_t total) {
    while (chain) {
        cached_block* b = pop(chain);
        std::free(b);
    }
    shared.reserved.fetch_sub(total, std::memory_order_relaxed);
}

/// Gives shared cached blocks back to the system until `enough` bytes are returned; the size class that was not used for
/// longest goes first. Returns the bytes released.
inline std::size_t release_cached(std::size_t enough) {
    cached_block* chain = nullptr;
    std::size_t total = 0;
    {
        spin_guard guard(shared.lock);
        while (total < enough && shared.cached > 0) {
            int oldest = -1;
            for (int c = 0; c < all_classes; ++c)
                if (shared.free[c] && (oldest < 0 || shared.last_use[c] < shared.last_use[oldest])) oldest = c;
            const std::size_t bytes = class_bytes(oldest);
            while (total < enough && shared.free[oldest]) {
                cached_block* b = pop(shared.free[oldest]);
                RICCI_UNPOISON(b, bytes);
                b->next = chain;
                chain = b;
                total += bytes;
                shared.cached -= bytes;
            }
        }
    }
    release_chain(chain, total);
    return total;
}

/// Moves this thread's small blocks to the shared lists.
inline void flush_thread(thread_cache& local) {
    spin_guard guard(shared.lock);
    ++shared.clock;
    for (int c = 0; c < small_classes; ++c)
        while (local.free[c]) {
            cached_block* b = pop(local.free[c]);
            b->next = shared.free[c];
            shared.free[c] = b;
            shared.last_use[c] = shared.clock;
            shared.cached += small_sizes.bytes[c];
            local.room += small_sizes.bytes[c];
        }
}

inline void retire_counters(thread_cache& local) {
    share_counters(local);
    spin_guard guard(shared.lock);
    shared.retired += peek(local.allocations);
    poke(local.allocations, std::uint64_t(0));
}
inline void trim_shared() {
    std::size_t cached;
    {
        spin_guard guard(shared.lock);
        cached = shared.cached;
    }
    const std::size_t limit = peek(shared.cache_limit);
    if (cached > limit) release_cached(cached - limit);
}

/// Runs when its thread ends: what the thread kept becomes everyone's.
struct thread_exit {
    ~thread_exit() {
        thread_cache& local = local_cache;
        flush_thread(local);
        retire_counters(local);
        local.room = 0;
        local.state = thread_cache::departed;
        {
            spin_guard guard(shared.lock);
            thread_cache** link = &shared.threads;
            while (*link != &local) link = &(*link)->next;
            *link = local.next;
        }
        trim_shared();
    }
};
/// A child must not inherit the lock from a thread that it does not have.
inline void keep_over_fork() {
#if __has_include(<pthread.h>)
    pthread_atfork([] { shared.lock.lock(); }, [] { shared.lock.unlock(); }, [] { shared.lock.unlock(); });
#endif
}
inline void enroll(thread_cache& local) {
    static thread_local thread_exit at_exit;
    static_cast<void>(&at_exit);
    if (!shared.fork_handled.exchange(true)) keep_over_fork();
    const std::size_t limit = peek(shared.cache_limit);
    local.room = limit < thread_room ? limit : thread_room;
    local.state = thread_cache::enrolled;
    spin_guard guard(shared.lock);
    local.next = shared.threads;
    shared.threads = &local;
}

inline void advise_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#if __has_include(<sys/mman.h>) && defined(MADV_HUGEPAGE)
    if (bytes < std::size_t(4) << 20) return;
    const auto first = (reinterpret_cast<std::uintptr_t>(block) + 4095) & ~std::uintptr_t(4095);
    const auto last = (reinterpret_cast<std::uintptr_t>(block) + bytes) & ~std::uintptr_t(4095);
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a hint: failure changes nothing
#endif
}

/// `bytes` (a class's size) from the system. Cached memory is released when the limit or the system demands it.
inline void* system_allocate(std::size_t bytes, std::size_t asked) {
    const std::size_t reserved = shared.reserved.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    const std::size_t limit = peek(shared.memory_limit);
    const bool over = limit != 0 && reserved > limit;
    if (over && release_cached(reserved - limit) < reserved - limit) {
        flush_thread(local_cache);
        release_cached(reserved - limit);
    }
    void* block = nullptr;
    const bool refused = over && peek(shared.reserved) > limit;
    if (!refused) {
        block = std::aligned_alloc(block_alignment, bytes);
        if (!block) {
            flush_thread(local_cache);
            release_cached(largest_block);
            block = std::aligned_alloc(block_alignment, bytes);
        }
    }
    if (!block) {
        shared.reserved.fetch_sub(bytes, std::memory_order_relaxed);
        share_counters(local_cache);
        throw memory_error(asked, static_cast<std::size_t>(peek(shared.in_use)), refused ? limit : 0);
    }
    shared.system_calls.fetch_add(1, std::memory_order_relaxed);
    advise_huge_pages(block, bytes);
    return block;
}

/// A block of class `c` from the shared lists, or null. A small one brings others of its class along for the thread.
inline cached_block* take_shared(thread_cache& local, int c) {
    const std::size_t bytes = class_bytes(c);
    spin_guard guard(shared.lock);
    shared.last_use[c] = ++shared.clock;
    if (!shared.free[c]) return nullptr;
    cached_block* b = pop(shared.free[c]);
    shared.cached -= bytes;
    if (c < small_classes)
        for (int more = static_cast<int>(16384 / bytes); more > 0 && shared.free[c] && local.room >= bytes; --more) {
            cached_block* extra = pop(shared.free[c]);
            extra->next = local.free[c];
            local.free[c] = extra;
            shared.cached -= bytes;
            local.room -= bytes;
        }
    return b;
}

RICCI_NOINLINE inline void* cache_allocate_slow(std::size_t asked) {
    if (asked > largest_block) throw memory_error(asked, static_cast<std::size_t>(peek(shared.in_use)), 0);
    thread_cache& local = local_cache;
    if (local.state == thread_cache::fresh) enroll(local);
    const int c = size_class(asked);
    const std::size_t bytes = class_bytes(c);
    void* block = take_shared(local, c);
    if (!block) block = system_allocate(bytes, asked);
    count_allocation(local, bytes);
    if (local.state == thread_cache::departed) retire_counters(local);
    RICCI_UNPOISON(block, asked);
    RICCI_POISON(static_cast<unsigned char*>(block) + asked, bytes - asked);
    return block;
}
RICCI_NOINLINE inline void cache_release_slow(void* block, std::size_t asked) noexcept {
    thread_cache& local = local_cache;
    if (local.state == thread_cache::fresh) enroll(local);
    const int c = size_class(asked);
    const std::size_t bytes = class_bytes(c), limit = peek(shared.cache_limit);
    count_release(local, bytes);
    if (local.state == thread_cache::departed) share_counters(local);
    if (c < small_classes && bytes <= limit && local.state == thread_cache::enrolled) {
        flush_thread(local);
        local.room = (limit < thread_room ? limit : thread_room) - bytes;
        push(local.free[c], block, bytes);
    } else if (bytes <= limit) {
        spin_guard guard(shared.lock);
        push(shared.free[c], block, bytes);
        shared.last_use[c] = ++shared.clock;
        shared.cached += bytes;
    } else {
        RICCI_UNPOISON(block, bytes);
        std::free(block);
        shared.reserved.fetch_sub(bytes, std::memory_order_relaxed);
    }
    trim_shared();
}

/// The caching allocator: at least `bytes` bytes, aligned to 64.
RICCI_INLINE void* cache_allocate(std::size_t bytes) {
    if (bytes <= largest_small) [[likely]] {
        thread_cache& local = local_cache;
        const int c = size_class(bytes);
        if (local.free[c]) [[likely]] {
            void* block = pop(local.free[c]);
            local.room += small_sizes.bytes[c];
            count_allocation(local, small_sizes.bytes[c]);
            RICCI_UNPOISON(block, bytes);
            return block;
        }
    }
    return cache_allocate_slow(bytes);
}
RICCI_INLINE void cache_release(void* block, std::size_t bytes) noexcept {
    if (bytes <= largest_small) [[likely]] {
        thread_cache& local = local_cache;
        const int c = size_class(bytes);
        const std::size_t size = small_sizes.bytes[c];
        if (local.room >= size) [[likely]] {
            local.room -= size;
            push(local.free[c], block, size);
            count_release(local, size);
            return;
        }
    }
    cache_release_slow(block, bytes);
}

}  // namespace detail::heap
}  // namespace ricci

namespace ricci {

/// Where tensors get host memory from. `allocate` returns at least `bytes` bytes aligned to `alignment` (a power of two)
/// or throws; `deallocate` gets the same two numbers. Both are called from any thread. An allocator must outlive the
/// tensors that were made while it was set.
class allocator {
   public:
    virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
    virtual void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept = 0;

   protected:
    ~allocator() = default;
};

/// What the caching allocator did so far, over all threads. Sizes are those of size classes: up to an eighth above what was
/// asked for. The peak is exact in a program of one thread, else to within 64 KiB a thread.
struct memory_statistics {
    std::size_t bytes_in_use, bytes_cached, peak_bytes_in_use;
    std::uint64_t allocations, cache_hits;
};

namespace detail::heap {

/// The caching allocator as an `allocator`. Blocks aligned beyond 64 bytes are neither cached nor counted.
class caching_allocator final : public allocator {
   public:
    void* allocate(std::size_t bytes, std::size_t alignment) override {
        if (alignment <= block_alignment) return cache_allocate(bytes);
        const std::size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
        void* block = rounded < bytes || bytes > largest_block ? nullptr : std::aligned_alloc(alignment, rounded);
        if (!block) throw memory_error(bytes, static_cast<std::size_t>(peek(shared.in_use)), 0);
        return block;
    }
    void deallocate(void* block, std::size_t bytes, std::size_t alignment) noexcept override {
        if (alignment <= block_alignment) cache_release(block, bytes);
        else std::free(block);
    }
};
inline constinit caching_allocator default_allocator{};
inline constinit std::atomic<allocator*> current_allocator{
    nullptr};  // null: the caching allocator, without a virtual call

}  // namespace detail::heap

/// The allocator that new tensors on the CPU use.
inline allocator* get_allocator() {
    allocator* current = detail::heap::current_allocator.load(std::memory_order_acquire);
    return current ? current : &detail::heap::default_allocator;
}
/// Makes new tensors on the CPU use `a`; null brings the caching allocator back. Returns the allocator set before. Tensors
/// that exist go back to the allocator that they came from.
inline allocator* set_allocator(allocator* a) {
    allocator* before = detail::heap::current_allocator.exchange(a == &detail::heap::default_allocator ? nullptr : a,
                                                                 std::memory_order_acq_rel);
    return before ? before : &detail::heap::default_allocator;
}

/// Counters of the caching allocator since the program began.
inline memory_statistics allocator_statistics() {
    using namespace detail::heap;
    std::int64_t in_use = peek(shared.in_use), peak = peek(shared.peak);
    std::uint64_t allocations;
    {
        detail::spin_guard guard(shared.lock);
        allocations = shared.retired;
        const std::int64_t base = in_use;
        for (const thread_cache* t = shared.threads; t; t = t->next) {
            allocations += peek(t->allocations);
            in_use += peek(t->pending);
            if (base + peek(t->pending_peak) > peak) peak = base + peek(t->pending_peak);
        }
    }
    if (in_use < 0) in_use = 0;
    if (peak < in_use) peak = in_use;
    const auto used = static_cast<std::size_t>(in_use), reserved = peek(shared.reserved);
    const std::uint64_t missed = peek(shared.system_calls);
    return {used, reserved > used ? reserved - used : 0, static_cast<std::size_t>(peak), allocations,
            allocations > missed ? allocations - missed : 0};
}
/// Makes `peak_bytes_in_use` start again from what is in use now.
inline void reset_peak_statistics() {
    using namespace detail::heap;
    share_counters(local_cache);
    poke(shared.peak, peek(shared.in_use));
}

/// Lets the caching allocator hold at most `bytes` bytes of the system's memory, in use and cached together; 0 takes the
/// limit away. An allocation beyond it throws `memory_error` (a std::bad_alloc) after cached memory was released and did
/// not suffice. What exists already stays.
inline void set_memory_limit(std::size_t bytes) { detail::heap::poke(detail::heap::shared.memory_limit, bytes); }

/// Gives cached memory back to the system: all but what other running threads keep at hand (at most 1 MiB each).
inline void empty_cache() {
    detail::heap::flush_thread(detail::heap::local_cache);
    detail::heap::release_cached(detail::heap::largest_block);
}
/// Bounds what is cached, 1 GiB unless set: beyond it, blocks of the size that was not used for longest are released first.
/// 0 turns caching off, for instance to let a memory checker see every allocation.
inline void set_cache_limit(std::size_t bytes) {
    detail::heap::poke(detail::heap::shared.cache_limit, bytes);
    detail::heap::flush_thread(detail::heap::local_cache);
    if (detail::heap::local_cache.state == detail::heap::thread_cache::enrolled)
        detail::heap::local_cache.room = bytes < detail::heap::thread_room ? bytes : detail::heap::thread_room;
    detail::heap::trim_shared();
}

}  // namespace ricci

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define RICCI_SINGLE_THREADED (__libc_single_threaded)
#else
#define RICCI_SINGLE_THREADED false
#endif

namespace ricci {

/// What a storage handle points to. `data` is the payload: right behind the header for memory of the CPU's allocator, else
/// wherever `release` knows to let go of it.
struct storage_block {
    std::atomic<std::uint32_t> references{1};
    std::atomic<std::uint32_t> version{0};  // how often the payload was written in place
    void* data = nullptr;
    std::size_t bytes = 0;                      // size of the payload
    allocator* owner = nullptr;                 // of this block; null: the caching allocator
    std::size_t block_bytes = 0;                // as asked of `owner`: the header, and the payload if it follows
    void (*release)(storage_block&) = nullptr;  // called before the block goes; null: nothing to do
    void* context = nullptr;                    // for `release`
};

namespace detail {

inline constexpr std::size_t header_bytes = 64;
static_assert(sizeof(storage_block) <= header_bytes && header_bytes == heap::block_alignment);

// Reference counts. A process that never had a second thread counts with plain loads and stores, as libstdc++'s shared_ptr
// does.
template <class Count>
RICCI_INLINE void add_reference(std::atomic<Count>& references) noexcept {
    if (RICCI_SINGLE_THREADED)
        references.store(references.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else references.fetch_add(1, std::memory_order_relaxed);
}
/// Whether that was the last reference.
template <class Count>
RICCI_INLINE bool drop_reference(std::atomic<Count>& references) noexcept {
    // The only owner needs no locked instruction: nobody else can copy the handle meanwhile.
    if (references.load(std::memory_order_acquire) == 1) return true;
    if (RICCI_SINGLE_THREADED) {
        references.store(references.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
        return false;
    }
    return references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

/// A block of `bytes` bytes (header included) with a fresh header.
RICCI_INLINE storage_block* new_block(std::size_t bytes) {
    allocator* owner = heap::current_allocator.load(std::memory_order_acquire);
    void* memory = owner ? owner->allocate(bytes, heap::block_alignment) : heap::cache_allocate(bytes);
    auto* block = ::new (memory) storage_block;
    block->owner = owner;
    block->block_bytes = bytes;
    return block;
}
RICCI_NOINLINE inline void destroy(storage_block* block) noexcept {
    if (block->release) [[unlikely]]
        block->release(*block);
    if (block->owner) [[unlikely]]
        block->owner->deallocate(block, block->block_bytes, heap::block_alignment);
    else heap::cache_release(block, block->block_bytes);
}

// What `adopt` keeps behind the header.
struct foreign_release {
    void (*call)(void*);
    static foreign_release& of(storage_block& block) {
        return *reinterpret_cast<foreign_release*>(reinterpret_cast<unsigned char*>(&block) + header_bytes);
    }
    static void run(storage_block& block) { of(block).call(block.context); }
};

}  // namespace detail

/// A counted handle to bytes. Copies share; the last one gives the bytes back to the allocator (or device, or foreign owner)
/// that they came from. Counting is thread-safe, a single handle is not, as with std::shared_ptr.
class storage {
    storage_block* block_ = nullptr;
    explicit storage(storage_block* block) noexcept : block_(block) {}

   public:
    storage() = default;
    storage(const storage& other) noexcept : block_(other.block_) {
        if (block_) detail::add_reference(block_->references);
    }
    storage(storage&& other) noexcept : block_(std::exchange(other.block_, nullptr)) { RICCI_KEEP_SCALAR(block_); }
    storage& operator=(const storage& other) noexcept {
        storage(other).swap(*this);
        return *this;
    }
    storage& operator=(storage&& other) noexcept {
        storage(std::move(other)).swap(*this);
        return *this;
    }
    ~storage() {
        if (block_ && detail::drop_reference(block_->references)) detail::destroy(block_);
    }
    void swap(storage& other) noexcept { std::swap(block_, other.block_); }

    /// `bytes` uninitialised bytes aligned to 64 from the current allocator. Throws memory_error (a std::bad_alloc).
    static RICCI_NOINLINE storage allocate(std::size_t bytes) {
        if (bytes > std::numeric_limits<std::size_t>::max() - detail::header_bytes) throw memory_error(bytes, 0, 0);
        storage_block* block = detail::new_block(bytes + detail::header_bytes);
        block->data = reinterpret_cast<unsigned char*>(block) + detail::header_bytes;
        block->bytes = bytes;
        return storage(block);
    }
    /// A handle to bytes that the caller owns and keeps alive for as long as anything uses them.
    static storage borrow(void* data, std::size_t bytes) { return external(data, bytes, nullptr, nullptr); }

    /// A handle to bytes that `release(context)` lets go of, called once by the last handle (or at once if this throws).
    static storage adopt(void* data, std::size_t bytes, void (*release)(void* context), void* context) {
        storage_block* block;
        try {
            block = detail::new_block(detail::header_bytes + sizeof(detail::foreign_release));
        } catch (...) {
            release(context);
            throw;
        }
        ::new (&detail::foreign_release::of(*block)) detail::foreign_release{release};
        block->data = data;
        block->bytes = bytes;
        block->release = detail::foreign_release::run;
        block->context = context;
        return storage(block);
    }
    /// The same for other devices: `release(block)` sees the block, with data, bytes and context, before its header goes. If
    /// this throws, `release` was not called.
    static storage external(void* data, std::size_t bytes, void (*release)(storage_block&), void* context) {
        storage_block* block = detail::new_block(detail::header_bytes);
        block->data = data;
        block->bytes = bytes;
        block->release = release;
        block->context = context;
        return storage(block);
    }

    explicit operator bool() const noexcept { return block_ != nullptr; }
    void* data() const noexcept { return block_ ? block_->data : nullptr; }
    /// Size of the payload in bytes.
    std::size_t bytes() const noexcept { return block_ ? block_->bytes : 0; }
    std::uint32_t use_count() const noexcept { return block_ ? block_->references.load(std::memory_order_relaxed) : 0; }
    /// Whether this is the only handle, so that writing to the bytes is seen by nobody else.
    bool unique() const noexcept { return block_ && block_->references.load(std::memory_order_acquire) == 1; }
    /// Whether the bytes are the library's own to reuse: neither borrowed nor adopted nor on another device.
    bool owns_payload() const noexcept {
        return block_ && block_->data == reinterpret_cast<unsigned char*>(block_) + detail::header_bytes;
    }

    /// How often the bytes were written in place; a saved version that differs tells that a saved value is gone.
    std::uint32_t version() const noexcept { return block_ ? block_->version.load(std::memory_order_relaxed) : 0; }
    void bump_version() const noexcept {
        if (!block_) return;
        if (RICCI_SINGLE_THREADED) block_->version.store(version() + 1, std::memory_order_relaxed);
        else block_->version.fetch_add(1, std::memory_order_relaxed);
    }
    const storage_block* block() const noexcept { return block_; }
    friend bool operator==(const storage&, const storage&) = default;
};

}  // namespace ricci

namespace ricci {

/// Host memory, computed on by SIMD and threads.
struct cpu_device {
    static constexpr const char* name = "cpu";
    static storage allocate(std::size_t bytes) { return storage::allocate(bytes); }
};
inline constexpr cpu_device cpu{};

/// A type that says where a tensor lives: ricci::cpu_device, ricci::cuda_device.
template <class D>
concept device_tag = requires(std::size_t bytes) {
    { D::allocate(bytes) } -> std::same_as<storage>;
};

template <element T, int R, class Device>
class tensor;

/// Computes plain ops on one device; specialised by the backends.
template <class Device>
struct executor;

namespace detail {

template <class T, int Depth>
struct nested_list {
    using type = std::initializer_list<typename nested_list<T, Depth - 1>::type>;
};
template <class T>
struct nested_list<T, 0> {
    using type = T;
};

/// A type that no caller can name: keeps rank 0 from having a constructor from braces.
struct no_braces {
    no_braces() = delete;
};

}  // namespace detail

/// A handle on an array of rank R: storage shared by reference count, a data pointer, extents and strides.
///
/// Copying shares (`clone()` copies the elements). Assigning to a named tensor rebinds it; assigning to an unnamed view,
/// `x(all, 0) = e`, and `+=` and friends write the elements in place. `const` on the handle does not protect the data:
/// `tensor<const T, R>` does.
template <element T, int R, class Device = cpu_device>
class tensor : public indexable<tensor<T, R, Device>> {
   public:
    using element_type = T;
    using value_type = std::remove_const_t<T>;
    using device_type = Device;
    using wrapper = void;
    using braces = typename detail::nested_list<value_type, R>::type;
    static constexpr int rank = R;
    static constexpr bool is_array = true;

    /// No elements (all extents 0); of rank 0, one zero.
    tensor() {
        if constexpr (R == 0) *this = tensor(value_type(0));
    }
    tensor(const tensor&) = default;
    tensor(tensor&&) noexcept = default;
    ~tensor() = default;

    /// From nested braces: `tensor<double, 2> a{{1, 2, 3}, {4, 5, 6}}`. Throws shape_error when they are ragged.
    tensor(std::conditional_t<(R > 0), braces, detail::no_braces> values)
        requires(R > 0)
    {
        ricci::shape<R> extents;
        measure<0>(values, extents);
        tensor<value_type, R, cpu_device> host = tensor<value_type, R, cpu_device>::uninitialized(extents);
        value_type* out = host.data();
        copy_braces<0>(values, extents, out);
        adopt_host(std::move(host));
    }

    /// From one number, rank 0.
    template <class S>
        requires(R == 0 && scalar_value<S>)
    tensor(const S& value) {
        auto host = tensor<value_type, 0, cpu_device>::uninitialized({});
        *host.data() = convert_element<value_type>(value);
        adopt_host(std::move(host));
    }

    /// Evaluates an expression of the same rank and device; elements are converted to T.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    tensor(const E& e) {
        static_assert(E::rank == R, "ricci: the expression's rank is not the tensor's rank");
        rebind(e);
    }

    /// An array whose elements are not set.
    static tensor uninitialized(const ricci::shape<R>& extents) {
        detail::check_extents(extents, sizeof(value_type), "tensor");
        return tensor(Device::allocate(static_cast<std::size_t>(extents.count()) * sizeof(value_type)), extents);
    }
    /// A view of `memory`, owning a share of it: for the library's own views and for borrowed data.
    tensor(storage memory, T* data, const ricci::shape<R>& extents, const ricci::shape<R>& strides)
        : memory_(std::move(memory)), data_(data), extents_(extents), strides_(strides) {}

    tensor& operator=(const tensor&) & = default;
    tensor& operator=(tensor&&) & noexcept = default;
    /// Writes the elements of this view.
    tensor& operator=(const tensor& values) && {
        write(*this, values);
        return *this;
    }
    /// Rebinds this name to the value of `e`; its buffer is used again when nothing else owns it and the shape fits.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    RICCI_INLINE tensor& operator=(const E& e) & {
        static_assert(E::rank == R, "ricci: the expression's rank is not the tensor's rank");
        rebind(e);
        return *this;
    }
    /// Writes the elements of this view; `e` is broadcast to its shape.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    tensor& operator=(const E& e) && {
        write(*this, e);
        return *this;
    }
    template <scalar_value S>
    tensor& operator=(const S& value) && {
        write(*this, value);
        return *this;
    }
    template <scalar_value S>
    tensor& operator=(const S& value) & {
        static_assert(R == 0, "ricci: a named tensor is not filled by `x = 1`; write `x(ricci::ellipsis) = 1`");
        if constexpr (R == 0) *this = tensor(value);
        return *this;
    }

    /// In-place arithmetic, visible through every handle on the same storage.
    template <class E>
        requires(expression<E> || scalar_value<E>)
    tensor& operator+=(const E& e) {
        write(*this, *this + e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    tensor& operator-=(const E& e) {
        write(*this, *this - e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    tensor& operator*=(const E& e) {
        write(*this, *this * e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    tensor& operator/=(const E& e) {
        write(*this, *this / e);
        return *this;
    }

    T* data() const { return data_; }
    const ricci::shape<R>& shape() const { return extents_; }
    /// Extent of one axis, negative ones counted from the end.
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, R, "shape")]; }
    /// Steps between neighbours along each axis, in elements.
    const ricci::shape<R>& strides() const { return strides_; }
    /// Number of elements.
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return R; }
    const storage& memory() const { return memory_; }
    static constexpr std::uint64_t level() { return 0; }

    /// True when the elements lie in row-major order without gaps.
    bool is_contiguous() const {
        index_t step = 1;
        for (int i = R - 1; i >= 0; --i) {
            if (extents_[i] != 1 && strides_[i] != step) return size() == 0;
            step *= extents_[i];
        }
        return true;
    }
    /// A contiguous copy.
    tensor<value_type, R, Device> clone() const {
        auto copy = tensor<value_type, R, Device>::uninitialized(extents_);
        write(copy, *this);
        return copy;
    }
    /// The only element; throws shape_error when there is not exactly one.
    value_type item() const {
        if (size() != 1)
            detail::raise<shape_error>({"[item] an array of shape ", extents_, " has ", size(), " elements, not one"});
        return executor<Device>::template read<value_type>(*this);
    }
    operator value_type() const
        requires(R == 0)
    {
        return item();
    }
    /// The element at the given indices (negative ones counted from the end), by reference. CPU only.
    template <class... Index>
        requires(sizeof...(Index) == R && (std::is_integral_v<Index> && ...))
    T& at(Index... index) const {
        static_assert(std::is_same_v<Device, cpu_device>, "ricci: at() reads host memory; use x.to(ricci::cpu) first");
        const index_t i[R + 1] = {static_cast<index_t>(index)..., 0};
        index_t offset = 0;
        for (int d = 0; d < R; ++d) {
            const index_t k = i[d] < 0 ? i[d] + extents_[d] : i[d];
            if (k < 0 || k >= extents_[d])
                detail::raise<index_error>(
                    {"[at] index ", i[d], " is out of bounds for axis ", d, " with size ", extents_[d]});
            offset += k * strides_[d];
        }
        return data_[offset];
    }
    /// The same elements on another device; the handle itself when it is there already.
    template <class Other>
    auto to(Other) const {
        if constexpr (std::is_same_v<Other, Device>) return *this;
        else return transfer<Other>(*this);
    }

   private:
    tensor(storage memory, const ricci::shape<R>& extents)
        : memory_(std::move(memory)),
          data_(static_cast<T*>(memory_.data())),
          extents_(extents),
          strides_(detail::row_major(extents)) {}

    template <class E>
    RICCI_INLINE void rebind(const E& e) {
        assign(*this, e);
    }
    void adopt_host(tensor<value_type, R, cpu_device>&& host) {
        if constexpr (std::is_same_v<Device, cpu_device>)
            *this = tensor(host.memory(), host.data(), host.shape(), host.strides());
        else *this = transfer<Device>(host);
    }
    template <int Depth, class List>
    static void measure(const List& list, ricci::shape<R>& extents) {
        extents[Depth] = static_cast<index_t>(list.size());
        if constexpr (Depth + 1 < R)
            if (list.size()) measure<Depth + 1>(*list.begin(), extents);
    }
    template <int Depth, class List>
    static void copy_braces(const List& list, const ricci::shape<R>& extents, value_type*& out) {
        if (static_cast<index_t>(list.size()) != extents[Depth])
            detail::raise<shape_error>(
                {"[tensor] ragged braces: ", list.size(), " elements where the first list has ", extents[Depth]});
        for (const auto& item : list) {
            if constexpr (Depth + 1 < R) copy_braces<Depth + 1>(item, extents, out);
            else *out++ = item;
        }
    }

    storage memory_;
    T* data_ = nullptr;
    ricci::shape<R> extents_{};
    ricci::shape<R> strides_{};
};

/// A braced list of positions as an index array.
template <int N>
tensor<index_t, 1> index_array(const position (&list)[N]) {
    const auto i = tensor<index_t, 1>::uninitialized({N});
    for (int k = 0; k < N; ++k) i.data()[k] = list[k].value;
    return i;
}
template <int N, int M>
tensor<index_t, 2> index_array(const position (&list)[N][M]) {
    const auto i = tensor<index_t, 2>::uninitialized({N, M});
    for (int k = 0; k < N * M; ++k) i.data()[k] = list[k / M][k % M].value;
    return i;
}

}  // namespace ricci

namespace ricci::detail {

/// A tensor itself if it is on the CPU, else its copy there; a lazy expression's value.
template <expression E>
auto host_value(const E& e) {
    if constexpr (requires { e.memory(), e.data(), e.strides(); }) return e.to(cpu);
    else return tensor<value_type_t<E>, rank_v<E>, device_t<E>>(e).to(cpu);
}

}  // namespace ricci::detail

namespace ricci {
namespace detail {

// NumPy's default print options.
inline constexpr index_t print_threshold = 1000, print_edge = 3;
inline constexpr std::size_t print_width = 75;
inline constexpr int print_precision = 8;

/// A number as decimal text. float and double differ only in what the shortest unique text is; every float is a double.
struct decimal_writer {
    bool single = false;

    std::string shortest(double x, std::chars_format format) const {
        char text[400];
        const auto end = single ? std::to_chars(text, text + sizeof text, static_cast<float>(x), format)
                                : std::to_chars(text, text + sizeof text, x, format);
        return std::string(text, end.ptr);
    }
    /// A whole number with its unique digits first and zeros behind them.
    std::string whole(double x) const {
        std::string digits = shortest(x, std::chars_format::scientific);
        const std::size_t e = digits.find('e'), places = static_cast<std::size_t>(std::stoi(digits.substr(e + 1))) + 1;
        digits.resize(e);
        if (const std::size_t point = digits.find('.'); point != std::string::npos) digits.erase(point, 1);
        digits.resize(places + (x < 0), '0');
        return digits;
    }
    static std::string rounded(double x, std::chars_format format, int digits) {
        char text[400];
        return std::string(text, std::to_chars(text, text + sizeof text, x, format, digits).ptr);
    }
};

/// Digits before and after the point, and the exponent with its sign; the text of a number in parts.
struct number_parts {
    std::string whole, fraction, exponent;

    explicit number_parts(const std::string& text) {
        const std::size_t e = text.find('e'), mantissa = e == std::string::npos ? text.size() : e,
                          point = text.find('.');
        whole = text.substr(0, point < mantissa ? point : mantissa);
        if (point < mantissa) fraction = text.substr(point + 1, mantissa - point - 1);
        if (e != std::string::npos) exponent = text.substr(e + 1);
    }
    void trim() {
        while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    }
};

/// The shortest unique text, cut (correctly rounded, zeros trimmed) after NumPy's eight fractional digits.
inline number_parts limited_parts(decimal_writer writer, double x, std::chars_format format) {
    number_parts parts(writer.shortest(x, format));
    if (parts.fraction.size() > print_precision) {
        parts = number_parts(writer.rounded(x, format, print_precision));
        parts.trim();
    }
    return parts;
}

/// How all numbers of an array are printed: FloatingFormat of NumPy, made from all numbers that will be shown.
class float_format {
    decimal_writer writer_;
    bool plus_, scientific_ = false;
    std::size_t left_ = 0, right_ = 0, fraction_ = 0, exponent_ = 0;

    std::string signed_whole(const std::string& whole) const { return plus_ && whole[0] != '-' ? '+' + whole : whole; }
    std::string padded(const std::string& number, std::size_t width) const {
        return std::string(width > number.size() ? width - number.size() : 0, ' ') + number;
    }
    bool needs_exponent(const std::vector<double>& values) const {
        double most = 0, least = INFINITY;
        for (const double x : values) {
            const double a = std::fabs(x);
            if (a == 0 || !std::isfinite(a)) continue;
            if (a > most) most = a;
            if (a < least) least = a;
        }
        if (most == 0) return false;
        const double ratio = writer_.single ? static_cast<double>(static_cast<float>(most / least)) : most / least;
        return most >= 1e8 || least < 0.0001 || ratio > 1000;
    }

   public:
    float_format(const std::vector<double>& values, bool single, bool plus) : writer_{single}, plus_(plus) {
        scientific_ = needs_exponent(values);
        bool any_finite = false, any_nan = false, any_infinite = false, any_negative_infinite = false;
        for (const double x : values) {
            if (!std::isfinite(x)) {
                any_nan = any_nan || std::isnan(x);
                any_infinite = any_infinite || !std::isnan(x);
                any_negative_infinite = any_negative_infinite || x < 0;
                continue;
            }
            any_finite = true;
            const number_parts p =
                limited_parts(writer_, x, scientific_ ? std::chars_format::scientific : std::chars_format::fixed);
            left_ = std::max(left_, signed_whole(p.whole).size());
            fraction_ = std::max(fraction_, p.fraction.size());
            if (scientific_) exponent_ = std::max(exponent_, p.exponent.size() - 1);
        }
        right_ = scientific_ && any_finite ? exponent_ + 2 + fraction_ : fraction_;
        if (!any_nan && !any_infinite) return;
        const std::size_t inf =
            3 + (plus_ || any_negative_infinite);  // NumPy makes room for both words when there is either
        if (left_ + right_ + 1 < inf) left_ = inf - right_ - 1;
    }

    std::string operator()(double x) const {
        if (std::isnan(x)) return padded(plus_ ? "+nan" : "nan", left_ + right_ + 1);
        if (std::isinf(x)) return padded(x < 0 ? "-inf" : plus_ ? "+inf" : "inf", left_ + right_ + 1);
        if (scientific_) {
            const number_parts p(writer_.rounded(x, std::chars_format::scientific, static_cast<int>(fraction_)));
            const std::string zeros(exponent_ + 1 - p.exponent.size(), '0');
            return padded(signed_whole(p.whole), left_) + "." + p.fraction + "e" + p.exponent[0] + zeros +
                   p.exponent.substr(1);
        }
        const number_parts p = limited_parts(writer_, x, std::chars_format::fixed);
        return padded(signed_whole(p.whole), left_) + "." + p.fraction + std::string(right_ - p.fraction.size(), ' ');
    }
};

/// A number on its own, as Python prints it: shortest unique digits, an exponent below 1e-4 and from 1e16. `point` says
/// whether a whole number gets a ".0".
inline std::string scalar_text(double x, bool single, bool point) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
    const decimal_writer writer{single};
    const double a = std::fabs(x);
    if (a != 0 && (a < 1e-4 || a >= 1e16)) return writer.shortest(x, std::chars_format::scientific);
    std::string text = a >= (single ? 0x1p24 : 0x1p53) ? writer.whole(x) : writer.shortest(x, std::chars_format::fixed);
    if (point && text.find('.') == std::string::npos) text += ".0";
    return text;
}
inline std::string complex_text(double re, double im, bool single) {
    const std::string imaginary = scalar_text(im, single, false) + 'j';
    if (re == 0 && !std::signbit(re)) return imaginary;
    std::string text(1, '(');
    text += scalar_text(re, single, false);
    if (std::isnan(im) || !std::signbit(im)) text += '+';
    text += imaginary;
    return text + ')';
}

/// Sets out words (row-major, extents `shown`, of an array of extents `whole`) in nested brackets: _formatArray of NumPy.
class array_layout {
    const std::vector<std::string>& words_;
    const index_t *whole_, *shown_;
    int rank_;
    std::size_t next_ = 0;

    // Adds a word to the line; one that does not fit begins a new line, unless that would not help.
    static void extend(std::string& text, std::string& line, const std::string& word, std::size_t width,
                       const std::string& indent) {
        if (line.size() + word.size() > width && line.size() > indent.size()) {
            text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line = indent;
        }
        line += word;
    }
    std::string row(index_t count, index_t gap, const std::string& indent, std::size_t width) {
        std::string text, line = indent;
        for (index_t i = 0; i < count; ++i) {
            if (i == gap) {
                extend(text, line, "...", width - 1, indent);
                line += ' ';
            }
            extend(text, line, words_[next_++], width - 1, indent);
            if (i + 1 < count) line += ' ';
        }
        return text + line;
    }
    std::string block(int axis, const std::string& indent, std::size_t width) {
        const index_t count = shown_[axis], gap = count < whole_[axis] ? print_edge : -1;
        std::string text;
        if (axis + 1 == rank_) text = row(count, gap, indent, width);
        else
            for (index_t i = 0; i < count; ++i) {
                const std::string separator(static_cast<std::size_t>(rank_ - axis - 1), '\n');
                if (i == gap) text += indent + "..." + separator;
                text += indent + block(axis + 1, indent + " ", width - 1);
                if (i + 1 < count) text += separator;
            }
        text.replace(0, indent.size(), 1, '[');
        return text + ']';
    }

   public:
    array_layout(const std::vector<std::string>& words, const index_t* whole, const index_t* shown, int rank)
        : words_(words), whole_(whole), shown_(shown), rank_(rank) {}
    std::string text() { return block(0, " ", print_width); }
};

/// Words for the elements of an array, all of one width.
template <class T>
std::vector<std::string> element_words(const std::vector<T>& values) {
    std::vector<std::string> words;
    words.reserve(values.size());
    if constexpr (is_complex_v<T>) {
        std::vector<double> re, im;
        for (const T& z : values) re.push_back(z.real()), im.push_back(z.imag());
        const float_format real(re, sizeof(T) == 8, false), imaginary(im, sizeof(T) == 8, true);
        for (std::size_t i = 0; i < re.size(); ++i) {
            std::string text = imaginary(im[i]);
            text.insert(text.find_last_not_of(' ') + 1, 1, 'j');
            words.push_back(real(re[i]) + text);
        }
    } else if constexpr (std::is_floating_point_v<T>) {
        const std::vector<double> numbers(values.begin(), values.end());
        const float_format format(numbers, sizeof(T) == 4, false);
        for (const double x : numbers) words.push_back(format(x));
    } else {
        std::size_t width = 0;
        for (const T x : values) {
            if constexpr (std::is_same_v<T, bool>) words.push_back(x ? "True" : "False"), width = 5;
            else words.push_back(std::to_string(x));
            width = std::max(width, words.back().size());
        }
        for (std::string& w : words) w.insert(0, width - w.size(), ' ');
    }
    return words;
}

template <class T>
std::string element_text(const T& x) {
    if constexpr (is_complex_v<T>) return complex_text(x.real(), x.imag(), sizeof(T) == 8);
    else if constexpr (std::is_floating_point_v<T>) return scalar_text(static_cast<double>(x), sizeof(T) == 4, true);
    else if constexpr (std::is_same_v<T, bool>) return x ? "True" : "False";
    else return std::to_string(x);
}

template <class T>
std::string array_text(const T* data, const index_t* extents, const index_t* strides, int rank) {
    index_t count = 1;
    for (int i = 0; i < rank; ++i) count *= extents[i];
    if (count == 0) return "[]";
    if (rank == 0) return element_text(*data);
    std::vector<index_t> shown(extents, extents + rank), at(static_cast<std::size_t>(rank), 0);
    if (count > print_threshold)
        for (index_t& n : shown) n = n > 2 * print_edge ? 2 * print_edge : n;

    std::vector<T> values;
    for (int axis = 0; axis >= 0;) {
        index_t offset = 0;
        for (int i = 0; i < rank; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const bool tail = shown[k] < extents[i] && at[k] >= print_edge;
            offset += (at[k] + (tail ? extents[i] - shown[k] : 0)) * strides[i];
        }
        values.push_back(data[offset]);
        for (axis = rank - 1; axis >= 0; --axis) {
            const auto k = static_cast<std::size_t>(axis);
            if (++at[k] < shown[k]) break;
            at[k] = 0;
        }
    }
    const std::vector<std::string> words = element_words(values);
    return array_layout(words, extents, shown.data(), rank).text();
}

}  // namespace detail

/// The text of an array as NumPy's str() gives it with its default options: eight fractional digits at most, columns
/// aligned, lines of 75 characters, `...` in place of the middle of more than 1000 elements. Rank 0 prints as a number.
template <expression E>
std::string to_string(const E& e) {
    const auto host = detail::host_value(e);
    return detail::array_text(host.data(), host.shape().begin(), host.strides().begin(), rank_v<E>);
}

/// Writes to_string(e).
template <class Traits, expression E>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const E& e) {
    return out << to_string(e);
}
/// Writes "(2, 3)".
template <class Traits, int R>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const shape<R>& s) {
    return out << to_string(s);
}

}  // namespace ricci
// ---- ricci/cpu/executor.hpp
// The CPU backend: binds fused ops to tensors and runs them; fills and copies.
#include <array>

// ---- ricci/core/philox.hpp
// Random numbers by counter: Philox4x32-10, uniforms and normals that depend on (seed, index) alone, and the generator.

namespace ricci {
namespace detail {

struct philox_words {
    std::uint32_t word[4];
    friend constexpr bool operator==(const philox_words&, const philox_words&) = default;
};

template <int Rounds>
RICCI_HD RICCI_INLINE constexpr void philox_rounds(std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2,
                                                   std::uint32_t& c3, std::uint32_t k0, std::uint32_t k1) {
    const std::uint64_t p0 = std::uint64_t(0xD2511F53u) * c0, p1 = std::uint64_t(0xCD9E8D57u) * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    if constexpr (Rounds > 1) philox_rounds<Rounds - 1>(c0, c1, c2, c3, k0 + 0x9E3779B9u, k1 + 0xBB67AE85u);
}

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
RICCI_HD constexpr philox_words philox(philox_words counter, std::uint32_t key0, std::uint32_t key1) {
    philox_rounds<10>(counter.word[0], counter.word[1], counter.word[2], counter.word[3], key0, key1);
    return counter;
}

/// What a stream of random bits is for. It is part of the counter, so that calls for different purposes share no bits.
enum class random_stream : std::uint32_t { uniform_float, uniform_double, normal_float, normal_double };

/// The four words of block `block` of the stream `kind` of `seed`.
RICCI_HD constexpr philox_words philox_block(std::uint64_t seed, random_stream kind, std::uint64_t block) {
    return philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                    static_cast<std::uint32_t>(kind), 0}},
                  static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

/// In [0, 1): 24 bits.
RICCI_HD RICCI_INLINE constexpr float unit_float(std::uint32_t w) {
    return static_cast<float>(static_cast<std::int32_t>(w >> 8)) * 0x1p-24f;
}
/// In [0, 1): 53 bits. Two conversions of 32-bit halves, which every instruction set has in vectors.
RICCI_HD RICCI_INLINE constexpr double unit_double(std::uint32_t high, std::uint32_t low) {
    return static_cast<double>(static_cast<std::int32_t>(high >> 6)) * 0x1p-26 +
           static_cast<double>(static_cast<std::int32_t>(low >> 5)) * 0x1p-53;
}

// The functions below have no branches, tables, errno or library calls, so that loops over them vectorise and host and
// device evaluate the same formulas.

/// sqrt(x) for finite x >= 0 by Newton's iteration on 1/sqrt(x); sqrt(0) = 0.
RICCI_HD RICCI_INLINE float square_root(float x) {
    float y = std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<std::uint32_t>(x) >> 1));
    for (int i = 0; i < 3; ++i) y *= 1.5f - 0.5f * x * y * y;
    const float r = x * y;
    return r + 0.5f * y * (x - r * r);
}
RICCI_HD RICCI_INLINE double square_root(double x) {
    double y = std::bit_cast<double>(0x5fe6eb50c7b537a9u - (std::bit_cast<std::uint64_t>(x) >> 1));
    for (int i = 0; i < 4; ++i) y *= 1.5 - 0.5 * x * y * y;
    const double r = x * y;
    return r + 0.5 * y * (x - r * r);
}

/// -2 ln(u) for normal u in (0, 1]. Coefficients: Cephes logf; fdlibm e_log.c.
RICCI_HD RICCI_INLINE float minus_two_log(float u) {
    const std::uint32_t shifted =
        std::bit_cast<std::uint32_t>(u) - 0x3f3504f3u;  // the mantissa goes to [sqrt(1/2), sqrt(2))
    const float e = static_cast<float>(static_cast<std::int32_t>(shifted) >> 23);
    const float f = std::bit_cast<float>((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f, z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return -2.0f * (f - 0.5f * z + f * z * p + e * 0.693147180559945f);
}
RICCI_HD RICCI_INLINE double minus_two_log(double u) {
    const std::uint64_t shifted = std::bit_cast<std::uint64_t>(u) - 0x3fe6a09e667f3bcdu;
    const double e = static_cast<double>(static_cast<std::int32_t>(shifted >> 32) >> 20);
    const double f = std::bit_cast<double>((shifted & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
    const double s = f / (2.0 + f), z = s * s;
    double p = 1.479819860511658591e-01;
    p = p * z + 1.531383769920937332e-01;
    p = p * z + 1.818357216161805012e-01;
    p = p * z + 2.222219843214978396e-01;
    p = p * z + 2.857142874366239149e-01;
    p = p * z + 3.999999999940941908e-01;
    p = p * z + 6.666666666666735130e-01;
    const double h = 0.5 * f * f;
    return -2.0 * (f - (h - s * (h + z * p)) + e * 0.69314718055994530942);
}

/// sin(a) and cos(a) for |a| <= pi/4. Coefficients: Cephes sinf, cosf; fdlibm k_sin.c, k_cos.c.
RICCI_HD RICCI_INLINE void small_sincos(float a, float& s, float& c) {
    const float z = a * a;
    s = a + a * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    c = 1.0f - 0.5f * z + z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
}
RICCI_HD RICCI_INLINE void small_sincos(double a, double& s, double& c) {
    const double z = a * a;
    double p = 1.58969099521155010221e-10;
    p = p * z - 2.50507602534068634195e-08;
    p = p * z + 2.75573137070700676789e-06;
    p = p * z - 1.98412698298579493134e-04;
    p = p * z + 8.33333333332248946124e-03;
    p = p * z - 1.66666666666666324348e-01;
    s = a + a * z * p;
    double q = -1.13596475577881948265e-11;
    q = q * z + 2.08757232129817482790e-09;
    q = q * z - 2.75573143513906633035e-07;
    q = q * z + 2.48015872894767294178e-05;
    q = q * z - 1.38888888888741095749e-03;
    q = q * z + 4.16666666666666019037e-02;
    c = 1.0 - 0.5 * z + z * z * q;
}

/// Two independent standard normals (Box and Muller 1958) of two words: radius from `w`, angle from `v`, whose top two
/// bits are the quadrant, so that the angle needs no reduction. Of magnitude below 6.7.
RICCI_HD RICCI_INLINE void box_muller(std::uint32_t w, std::uint32_t v, float& first, float& second) {
    const float u = static_cast<float>(static_cast<std::int32_t>(w >> 1)) * 0x1p-31f + 0x1p-32f;
    const float t = static_cast<float>(static_cast<std::int32_t>(v << 2)) * 0x1p-32f;  // in [-1/2, 1/2]
    float s, c;
    small_sincos(t * 1.57079632679489661923f, s, c);
    const float r = square_root(minus_two_log(u));
    const std::uint32_t p = std::bit_cast<std::uint32_t>(r * c), q = std::bit_cast<std::uint32_t>(r * s);
    const std::uint32_t swap = (p ^ q) & (0u - ((v >> 30) & 1u)), flip = (v >> 31) << 31;
    first = std::bit_cast<float>(p ^ swap ^ flip);
    second = std::bit_cast<float>(q ^ swap ^ flip);
}
/// The same in double, of the block's four words. Of magnitude below 8.6.
RICCI_HD RICCI_INLINE void box_muller(std::uint32_t w0, std::uint32_t w1, std::uint32_t v0, std::uint32_t v1,
                                      double& first, double& second) {
    const double u = 1.0 - unit_double(w0, w1);
    const double t = static_cast<double>(static_cast<std::int32_t>(v0 << 2)) * 0x1p-32 +
                     static_cast<double>(static_cast<std::int32_t>(v1 >> 8)) * 0x1p-54;
    double s, c;
    small_sincos(t * 1.57079632679489661923, s, c);
    const double r = square_root(minus_two_log(u));
    const std::uint64_t p = std::bit_cast<std::uint64_t>(r * c), q = std::bit_cast<std::uint64_t>(r * s);
    const std::uint64_t swap = (p ^ q) & (std::uint64_t(0) - ((v0 >> 30) & 1u)), flip = std::uint64_t(v0 >> 31) << 63;
    first = std::bit_cast<double>(p ^ swap ^ flip);
    second = std::bit_cast<double>(q ^ swap ^ flip);
}

/// Element `i` of the stream of standard uniforms of `seed`: what fill_uniform writes for it with low 0 and high 1.
template <std::floating_point T>
RICCI_HD T uniform_at(std::uint64_t seed, std::uint64_t i) {
    if constexpr (sizeof(T) == 4)
        return unit_float(philox_block(seed, random_stream::uniform_float, i / 4).word[i % 4]);
    else {
        const philox_words w = philox_block(seed, random_stream::uniform_double, i / 2);
        return unit_double(w.word[i % 2 * 2], w.word[i % 2 * 2 + 1]);
    }
}
/// Element `i` of the stream of standard normals of `seed`: what fill_normal writes for it, to rounding.
template <std::floating_point T>
RICCI_HD T normal_at(std::uint64_t seed, std::uint64_t i) {
    T pair[2];
    if constexpr (sizeof(T) == 4) {
        const philox_words w = philox_block(seed, random_stream::normal_float, i / 4);
        const int at = static_cast<int>(i / 2 % 2) * 2;
        box_muller(w.word[at], w.word[at + 1], pair[0], pair[1]);
    } else {
        const philox_words w = philox_block(seed, random_stream::normal_double, i / 2);
        box_muller(w.word[0], w.word[1], w.word[2], w.word[3], pair[0], pair[1]);
    }
    return pair[i % 2];
}

inline namespace RICCI_ISA {

// A chunk is what one pass computes: `philox_width` counters, their words in structure-of-arrays form. Every element, also of a
// ragged head or tail, goes through a chunk that begins at a multiple of its size, so that its value cannot depend on how
// a range was split.
inline constexpr int philox_width = 16;
template <class T>
inline constexpr int chunk_size = philox_width * (16 / static_cast<int>(sizeof(T)));

RICCI_INLINE void philox_lanes(std::uint64_t seed, random_stream kind, std::uint64_t block,
                               std::uint32_t (&w)[4][philox_width]) {
    const auto low = static_cast<std::uint32_t>(block), high = static_cast<std::uint32_t>(block >> 32);
    for (int j = 0; j < philox_width; ++j) {  // a multiple of `philox_width`: no carry into the high word
        std::uint32_t c0 = low + static_cast<std::uint32_t>(j), c1 = high, c2 = static_cast<std::uint32_t>(kind),
                      c3 = 0;
        philox_rounds<10>(c0, c1, c2, c3, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
        w[0][j] = c0;
        w[1][j] = c1;
        w[2][j] = c2;
        w[3][j] = c3;
    }
}

/// One chunk of uniforms in [low, low + width), of which `last` is the greatest allowed.
RICCI_NOINLINE inline void uniform_chunk(float* out, std::uint64_t seed, std::uint64_t block, float low, float width,
                                         float last) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::uniform_float, block, w);
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 4; ++k) {
            const float x = low + unit_float(w[k][j]) * width;
            out[4 * j + k] = x < last ? x : last;
        }
}
RICCI_NOINLINE inline void uniform_chunk(double* out, std::uint64_t seed, std::uint64_t block, double low, double width,
                                         double last) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::uniform_double, block, w);
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 2; ++k) {
            const double x = low + unit_double(w[2 * k][j], w[2 * k + 1][j]) * width;
            out[2 * j + k] = x < last ? x : last;
        }
}
/// One chunk of normals.
RICCI_NOINLINE inline void normal_chunk(float* out, std::uint64_t seed, std::uint64_t block, float mean,
                                        float deviation) {
    std::uint32_t w[4][philox_width];
    float z[4][philox_width];
    philox_lanes(seed, random_stream::normal_float, block, w);
    for (int k = 0; k < 4; k += 2)
        for (int j = 0; j < philox_width; ++j) {
            float first, second;
            box_muller(w[k][j], w[k + 1][j], first, second);
            z[k][j] = mean + deviation * first;
            z[k + 1][j] = mean + deviation * second;
        }
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 4; ++k) out[4 * j + k] = z[k][j];
}
RICCI_NOINLINE inline void normal_chunk(double* out, std::uint64_t seed, std::uint64_t block, double mean,
                                        double deviation) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::normal_double, block, w);
    for (int j = 0; j < philox_width; ++j) {
        double first, second;
        box_muller(w[0][j], w[1][j], w[2][j], w[3][j], first, second);
        out[2 * j] = mean + deviation * first;
        out[2 * j + 1] = mean + deviation * second;
    }
}

/// Calls `chunk(out, block)` for each chunk that elements offset ... offset + n - 1 touch; the ends go through a buffer.
template <class T, class Chunk>
void fill_chunks(T* out, index_t n, std::uint64_t offset, const Chunk& chunk) {
    constexpr std::uint64_t size = static_cast<std::uint64_t>(chunk_size<T>);
    index_t skip = static_cast<index_t>(offset % size);
    for (std::uint64_t block = offset / size * philox_width; n > 0; block += philox_width) {
        if (skip == 0 && n >= chunk_size<T>) {
            chunk(out, block);
            out += chunk_size<T>;
            n -= chunk_size<T>;
            continue;
        }
        T buffer[chunk_size<T>];
        chunk(buffer, block);
        const index_t count = n < chunk_size<T> - skip ? n : chunk_size<T> - skip;
        for (index_t i = 0; i < count; ++i) out[i] = buffer[skip + i];
        out += count;
        n -= count;
        skip = 0;
    }
}

/// Writes elements offset ... offset + n - 1 of the seed's uniform stream, scaled to [low, high). Element `offset + i`
/// depends on the seed and on `offset + i` alone, so that threads may fill parts. Needs low <= high, both finite.
template <std::floating_point T>
void fill_uniform(T* out, index_t n, std::uint64_t seed, std::uint64_t offset, T low, T high) {
    const T last = low < high ? std::nextafter(high, low) : low;  // low + u * width may round up to high
    fill_chunks(out, n, offset,
                [=](T* to, std::uint64_t block) { uniform_chunk(to, seed, block, low, high - low, last); });
}
/// The same for normals of the given mean and standard deviation.
template <std::floating_point T>
void fill_normal(T* out, index_t n, std::uint64_t seed, std::uint64_t offset, T mean, T deviation) {
    fill_chunks(out, n, offset, [=](T* to, std::uint64_t block) { normal_chunk(to, seed, block, mean, deviation); });
}

}  // namespace RICCI_ISA
}  // namespace detail

/// A stream of random numbers: a seed and how many elements were drawn. The same seed and the same sequence of calls give the
/// same numbers on any number of threads. Copies draw the same numbers again. Drawing is thread-safe; seeding is not.
class generator {
    std::uint64_t seed_, offset_;

   public:
    explicit generator(std::uint64_t seed, std::uint64_t offset = 0) : seed_(seed), offset_(offset) {}

    std::uint64_t seed() const { return seed_; }
    std::uint64_t offset() const { return offset_; }

    /// Reserves the next `count` elements of the stream; returns the index of the first.
    std::uint64_t advance(std::uint64_t count) {
        return std::atomic_ref<std::uint64_t>(offset_).fetch_add(count, std::memory_order_relaxed);
    }
    /// Starts over from another seed.
    void reseed(std::uint64_t seed) {
        seed_ = seed;
        offset_ = 0;
    }
};

/// The generator of calls that name none. A program that does not seed it draws the same numbers on every run.
inline generator& default_generator() {
    static generator instance(0);
    return instance;
}
/// Seeds the generator of calls that name none.
inline void manual_seed(std::uint64_t seed) { default_generator().reseed(seed); }

}  // namespace ricci
// ---- ricci/expr/fused.hpp
// The fused op: a sweep over broadcast inputs whose outputs may be sums over the axes that their shapes lack. Every
// element-wise map, sum, gradient and tangent is one of these, and so are all their derivatives and batches.
// ---- ricci/expr/call.hpp
// The one dispatcher: an op on arrays peels the outermost wrapper and follows that wrapper's rule, until plain tensors are
// left and the op computes.

// ---- ricci/expr/pack.hpp
// A flat heterogeneous aggregate: cheaper to compile and to optimise than std::tuple, and trivially copyable when its
// members are.

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

template <int I, class T>
struct pack_member {
    [[no_unique_address]] T value;
};

template <class Indices, class... T>
struct pack_base;
template <int... I, class... T>
struct pack_base<std::integer_sequence<int, I...>, T...> : pack_member<I, T>... {
    template <class F>
    RICCI_HD RICCI_INLINE constexpr decltype(auto) apply(F&& f) const {
        return f(pack_member<I, T>::value...);
    }
};

/// Members of the types T, by position: get<I>(p).
template <class... T>
struct pack : pack_base<std::make_integer_sequence<int, sizeof...(T)>, T...> {
    static constexpr int size = sizeof...(T);
};
template <class... T>
pack(T...) -> pack<T...>;

template <int I, class T>
RICCI_HD RICCI_INLINE constexpr T& get(pack_member<I, T>& m) {
    return m.value;
}
template <int I, class T>
RICCI_HD RICCI_INLINE constexpr const T& get(const pack_member<I, T>& m) {
    return m.value;
}
template <int I, class T>
RICCI_HD RICCI_INLINE constexpr T&& get(pack_member<I, T>&& m) {
    return std::move(m.value);
}

template <int I, class T>
T pack_type(const pack_member<I, T>&);
/// The I-th member's type.
template <int I, class Pack>
using pack_element_t = decltype(pack_type<I>(std::declval<const Pack&>()));

/// Builds a pack of values.
template <class... T>
RICCI_HD RICCI_INLINE constexpr auto make_pack(T&&... values) {
    return pack<std::decay_t<T>...>{{{std::forward<T>(values)}...}};
}

template <class Indices>
struct index_calls;
template <int... I>
struct index_calls<std::integer_sequence<int, I...>> {
    template <class F, class Join>
    RICCI_HD RICCI_INLINE static constexpr decltype(auto) transform(F&& f, Join&& join) {
        return join(f(std::integral_constant<int, I>{})...);
    }
    template <class F>
    RICCI_HD RICCI_INLINE static constexpr void each(F&& f) {
        (f(std::integral_constant<int, I>{}), ...);
    }
    template <class F>
    RICCI_HD RICCI_INLINE static constexpr auto generate(F&& f) {
        return make_pack(f(std::integral_constant<int, I>{})...);
    }
};

/// Calls f(integral_constant<0>) .. f(integral_constant<N-1>) and hands all results to `join`.
template <int N, class F, class Join>
RICCI_HD RICCI_INLINE constexpr decltype(auto) transform_indices(F&& f, Join&& join) {
    return index_calls<std::make_integer_sequence<int, N>>::transform(std::forward<F>(f), std::forward<Join>(join));
}

/// Calls f(integral_constant<0>), f(integral_constant<1>), ... in order.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr void for_indices(F&& f) {
    index_calls<std::make_integer_sequence<int, N>>::each(std::forward<F>(f));
}

/// The pack {f(0), f(1), ..., f(N-1)}.
template <int N, class F>
RICCI_HD RICCI_INLINE constexpr auto generate(F&& f) {
    return index_calls<std::make_integer_sequence<int, N>>::generate(std::forward<F>(f));
}

/// f(members...) of a pack.
template <class F, class... T>
RICCI_HD RICCI_INLINE constexpr decltype(auto) unpack(F&& f, const pack<T...>& p) {
    return p.apply(std::forward<F>(f));
}

template <int... I, class... A, int... J, class... B>
RICCI_HD RICCI_INLINE constexpr pack<A..., B...> concat_members(
    const pack_base<std::integer_sequence<int, I...>, A...>& a,
    const pack_base<std::integer_sequence<int, J...>, B...>& b) {
    return {{{static_cast<const pack_member<I, A>&>(a).value}..., {static_cast<const pack_member<J, B>&>(b).value}...}};
}
/// One pack after the other.
template <class... A, class... B>
RICCI_HD RICCI_INLINE constexpr auto concat(const pack<A...>& a, const pack<B...>& b) {
    if constexpr (sizeof...(A) == 0) return b;
    else if constexpr (sizeof...(B) == 0) return a;
    else return concat_members(a, b);
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END

namespace ricci {

/// How deep a transform is nested at run time: each grad, jvp or vmap in progress takes the next number, so that a wrapper
/// knows whether another one was made outside or inside of it. Plain tensors are level 0, imperative variables level 1.
using level_t = std::uint64_t;

namespace detail {

inline constexpr level_t variable_level = 1;

/// Counts the transforms in progress on this thread.
inline level_t& transform_depth() {
    static thread_local level_t depth = variable_level;
    return depth;
}
/// Whether reverse mode records what is computed on this thread: what no_grad turns off.
inline bool& recording() {
    static thread_local bool on = true;
    return on;
}
/// Sets recording() for a while.
class recording_scope {
   public:
    explicit recording_scope(bool on) : before_(std::exchange(recording(), on)) {}
    recording_scope(const recording_scope&) = delete;
    recording_scope& operator=(const recording_scope&) = delete;
    ~recording_scope() { recording() = before_; }

   private:
    bool before_;
};
/// A transform in progress; what surrounds it does not turn its recording off.
struct transform_scope {
    level_t level = ++transform_depth();
    recording_scope records{true};
    transform_scope() = default;
    transform_scope(const transform_scope&) = delete;
    transform_scope& operator=(const transform_scope&) = delete;
    ~transform_scope() { --transform_depth(); }
};

template <class A>
struct inner_of {
    using type = typename A::inner_type;
};

/// Whether wrapper W occurs in A's chain of wrappers; with Strict, below the outermost.
template <class W, class A, bool Strict = false>
constexpr bool has_wrapper() {
    using mine = typename A::wrapper;
    if constexpr (std::is_void_v<mine>) return false;
    else if constexpr (!Strict && std::is_same_v<mine, W>) return true;
    else return has_wrapper<W, typename A::inner_type, false>();
}

/// Of two candidates for the outermost wrapper, the one to peel first. Without evidence from nested types it is the one with
/// the higher priority (batched, then dual, then recorded); level stamps catch the cases that this order gets wrong.
template <class W, class... A>
constexpr int candidate_priority() {
    if constexpr (std::is_void_v<W>) return -1;
    else return (has_wrapper<W, A, true>() || ...) ? -1 : W::priority;
}
template <class Best, int Priority, class... A>
struct choose_outermost;
template <class... A>
struct outermost {
    static constexpr auto pick() {
        constexpr int n = sizeof...(A);
        constexpr int priority[] = {candidate_priority<typename A::wrapper, A...>()...};
        int best = 0;
        for (int i = 1; i < n; ++i)
            if (priority[i] > priority[best]) best = i;
        return best;
    }
    template <int I>
    static constexpr auto at() {
        return std::type_identity<typename pack_element_t<I, pack<std::type_identity<A>...>>::type::wrapper>{};
    }
    using type = typename decltype(at<pick()>())::type;
    static_assert(!std::is_void_v<type> || (std::is_void_v<typename A::wrapper> && ...),
                  "ricci: two transforms wrap each other's values here: pass the captured value as an argument");
};
/// The wrapper to peel from an op's arguments; void when all are plain.
template <class... A>
using outermost_t = typename outermost<A...>::type;

template <class W, class A>
inline constexpr bool wrapped_by_v = std::is_same_v<typename A::wrapper, W>;

/// The argument as the next level sees it: without W where it has it.
template <class W, class A>
RICCI_INLINE decltype(auto) peel(const A& a) {
    if constexpr (wrapped_by_v<W, A>) return a.inner();
    else return (a);
}

[[noreturn]] RICCI_NOINLINE inline void refuse_captured(const char* inner, const char* outer) {
    detail::raise<gradient_error>({"a value captured from an outer ", outer, " meets an inner ", inner,
                                   ": pass it as an argument of the inner transform instead of capturing it"});
}

/// What level stamps tell of an argument: its own, if the wrapper in question is its outermost, and the highest below that.
struct level_stamp {
    level_t level, below;
};
template <class W, class A>
RICCI_INLINE level_stamp stamp_of(const A& a) {
    if constexpr (wrapped_by_v<W, A>) return {a.level(), a.inner_level()};
    else return {0, a.level()};
}
inline level_t checked_level(const level_stamp* stamps, int count, const char* name) {
    level_t level = 0, below = 0;
    for (int i = 0; i < count; ++i) {
        if (level && stamps[i].level && level != stamps[i].level) refuse_captured(name, name);
        if (stamps[i].level) level = stamps[i].level;
        if (stamps[i].below > below) below = stamps[i].below;
    }
    if (level && below >= level) refuse_captured("transform", name);
    return level;
}
/// The level of the arguments wrapped by W; constants that a transform lifted are at no level (0). Throws gradient_error when they
/// belong to different transforms, or when a value below W belongs to a transform inside of W's.
template <class W, class... A>
RICCI_INLINE level_t checked_level(const A&... a) {
    const level_stamp stamps[] = {stamp_of<W>(a)...};
    return checked_level(stamps, sizeof...(A), W::name);
}

template <class W, class A>
level_t checked_list_level(const std::vector<A>& list) {
    std::vector<level_stamp> stamps;
    stamps.reserve(list.size());
    for (const A& a : list) stamps.push_back(stamp_of<W>(a));
    return checked_level(stamps.data(), static_cast<int>(stamps.size()), W::name);
}

/// What an op is that is no kernel: neither fused, nor linear, nor given equal arguments as one.
struct opaque_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;
};

/// Whether an op was made by a wrapper other than W together with its value.
template <class Op, class W>
constexpr bool is_known_below() {
    if constexpr (requires { typename Op::known_to; }) return !std::is_same_v<W, typename Op::known_to>;
    else return false;
}
/// Evaluates an op on arrays of any wrappers; the results come as a pack.
template <class Op, class... A>
auto call(const Op& op, const A&... a) {
    using W = outermost_t<A...>;
    if constexpr (is_known_below<Op, W>()) return make_pack(op.y);
    else if constexpr (std::is_void_v<W>) return op.value(a...);
    else return W::call(op, a...);
}

/// The only result of an op that has one.
template <class Op, class... A>
auto call1(const Op& op, const A&... a) {
    return get<0>(call(op, a...));
}

/// Evaluates a linear op of a list of arrays of one type (ops/join.hpp), as long as it happens to be: `value(list)` of plain
/// tensors, `batched(batch)`, and `part(i)`, the op that takes a cotangent of the result to one of the i-th array.
template <class Op, class A>
auto call_list(const Op& op, const std::vector<A>& list) {
    if constexpr (std::is_void_v<typename A::wrapper>) return op.value(list);
    else return A::wrapper::call_list(op, list);
}

}  // namespace detail
}  // namespace ricci
// ---- ricci/expr/combine.hpp
// The reductions that a kernel can carry: sum, product, maximum, minimum.

// ---- ricci/cpu/math.hpp
// The scalar functions of kernels: one name each for scalars (host and device) and for simd registers.

// ---- ricci/cpu/simd.hpp
// A SIMD register of floats or doubles and the mask that comparing two gives: value types over xsimd's registers.

// ---- ricci/cpu/simd_native.hpp
// What the GNU vector extension lacks, on the registers of each instruction set: masks, rounding, fused multiply-add,
// partial loads, scaling by powers of two.

// The arithmetic is that of the GNU vector extension, which g++ and clang share: it is always inlined, and xsimd 8.1 is
// wrong on AVX-512 in `!=` (ordered), unary minus (-0) and `^` of masks.
#if !defined(RICCI_NO_SIMD) && (defined(__GNUC__) || defined(__clang__))
// of xsimd, the registers of the target alone: its functions would take half a second of each translation unit, and its list of
// architectures, which asks the processor, another quarter
#include <complex>
#include <cstddef>
#include <xsimd/types/xsimd_all_registers.hpp>
#if XSIMD_WITH_AVX512F || XSIMD_WITH_AVX || XSIMD_WITH_SSE2 || XSIMD_WITH_NEON64 || XSIMD_WITH_NEON
#define RICCI_HAS_SIMD 1
#else
#include <xsimd/config/xsimd_arch.hpp>
#if !defined(XSIMD_NO_SUPPORTED_ARCHITECTURE)
#define RICCI_HAS_SIMD 1
#endif
#endif
#endif

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

#if XSIMD_WITH_AVX512F
using simd_architecture = xsimd::avx512f;
#elif XSIMD_WITH_AVX
using simd_architecture = xsimd::avx;
#elif XSIMD_WITH_SSE2
using simd_architecture = xsimd::sse2;
#elif XSIMD_WITH_NEON64
using simd_architecture = xsimd::neon64;
#elif XSIMD_WITH_NEON
using simd_architecture = xsimd::neon;
#else
using simd_architecture = xsimd::default_arch;
#endif

// Integers of the lanes' width, and the mask of comparing: vectors of 0 and -1.
template <class Native>
struct native_lane {
    using type = std::remove_cvref_t<decltype(std::declval<Native&>()[0])>;
};
template <class Native>
using native_lane_t = typename native_lane<Native>::type;
template <class Native>
struct native_integers {
    using lane = std::conditional_t<sizeof(native_lane_t<Native>) == 4, std::int32_t, std::int64_t>;
    typedef lane type __attribute__((vector_size(sizeof(Native))));
};
template <class Native>
using native_integers_t = typename native_integers<Native>::type;

// ---- Generic forms: the vector extension, and xsimd where that has none --------------------------------------------

template <class Native>
RICCI_INLINE auto less(Native a, Native b) {
    return (native_integers_t<Native>)(a < b);
}
template <class Native>
RICCI_INLINE auto less_equal(Native a, Native b) {
    return (native_integers_t<Native>)(a <= b);
}
template <class Native>
RICCI_INLINE auto equal(Native a, Native b) {
    return (native_integers_t<Native>)(a == b);
}
template <class Native>
RICCI_INLINE auto not_equal(Native a, Native b) {
    return (native_integers_t<Native>)(a != b);
}
template <class Mask, class Native>
RICCI_INLINE Native blend(Mask m, Native a, Native b) {
    return (native_integers_t<Native>)m ? a : b;
}
// The larger and the smaller; of two values one of which is NaN, either the second or NaN.
template <class Native>
RICCI_INLINE Native larger(Native a, Native b) {
    return a > b ? a : b;
}
template <class Native>
RICCI_INLINE Native smaller(Native a, Native b) {
    return a < b ? a : b;
}
/// A mask of the odd ones among integers of the width of Native's lanes.
template <class Integers, class Native>
RICCI_INLINE auto lowest_set(Integers n, Native) {
    return (n & 1) == 1;
}
template <class Native>
RICCI_INLINE Native multiply_add(Native a, Native b, Native c) {
    return a * b + c;
}
template <class Native>
RICCI_INLINE Native square_root(Native a) {
    for (std::size_t i = 0; i < sizeof(Native) / sizeof(a[0]); ++i)
        a[i] = static_cast<native_lane_t<Native>>(__builtin_sqrt(a[i]));
    return a;
}
/// Not zero if any lane of a mask is true.
template <class Mask>
RICCI_INLINE std::uint64_t mask_bits(Mask m) {
    std::uint64_t half[sizeof(Mask) / 8], any = 0;
    __builtin_memcpy(half, &m, sizeof m);
    for (const std::uint64_t h : half) any |= h;
    return any;
}

// The first n lanes from or to memory, the other lanes zero or untouched. The last argument picks the register.
template <class T, class Native>
RICCI_INLINE Native load_first(const T* p, index_t n, Native*) {
    Native r{};
    T buffer[sizeof(Native) / sizeof(T)] = {};
    for (index_t i = 0; i < n; ++i) buffer[i] = p[i];
    __builtin_memcpy(&r, buffer, sizeof r);
    return r;
}
template <class T, class Native>
RICCI_INLINE void store_first(T* p, index_t n, const Native* r) {
    T buffer[sizeof(Native) / sizeof(T)];
    __builtin_memcpy(buffer, r, sizeof buffer);
    for (index_t i = 0; i < n; ++i) p[i] = buffer[i];
}

enum class rounding { to_nearest = 0, down = 1, up = 2, to_zero = 3 };

template <class Native>
RICCI_INLINE Native with_sign_of(Native magnitude, Native sign) {
    using integers = native_integers_t<Native>;
    constexpr auto low = std::numeric_limits<typename native_integers<Native>::lane>::max();
    return (Native)(((integers)magnitude & low) | ((integers)sign & ~low));
}
template <class Native>
RICCI_INLINE Native magnitude_of(Native a) {
    constexpr auto low = std::numeric_limits<typename native_integers<Native>::lane>::max();
    return (Native)((native_integers_t<Native>)a & low);
}
// Without an instruction: adding 2^23 (2^52) leaves no room for a fraction.
template <rounding Mode, class Native>
RICCI_INLINE Native rounded(Native a) {
    using T = native_lane_t<Native>;
    constexpr T big = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);
    const Native size = magnitude_of(a);
    const Native near = (size + big) - big;
    Native r = near;
    if constexpr (Mode == rounding::to_zero) r = near > size ? near - T(1) : near;
    r = with_sign_of(r, a);
    if constexpr (Mode == rounding::down) r = r > a ? r - T(1) : r;
    if constexpr (Mode == rounding::up) r = with_sign_of(r < a ? r + T(1) : r, a);
    return size < big ? r : a;
}

// Adding it to a small number rounds that to an integer, to nearest, and leaves the integer in the low bits.
template <class T>
inline constexpr T rounding_shift = sizeof(T) == 4 ? T(12582912) : T(6755399441055744);

/// a * 2^n for integral n of any size, rounded once also where the result is subnormal.
template <class Native>
RICCI_INLINE Native scaled(Native a, Native n) {
    using T = native_lane_t<Native>;
    using natural = std::make_unsigned_t<typename native_integers<Native>::lane>;
    typedef natural naturals __attribute__((vector_size(sizeof(Native))));
    constexpr int bits = std::numeric_limits<T>::digits - 1, bias = std::numeric_limits<T>::max_exponent - 1;
    // halves of n by rounding, so that no arithmetic shift of 64-bit integers is needed
    const Native first = (n * T(0.5) + rounding_shift<T>),
                 second = (n - (first - rounding_shift<T>)) + rounding_shift<T>;
    constexpr natural one = static_cast<natural>(bias) << bits;
    return a * (Native)(((naturals)first << bits) + one) * (Native)(((naturals)second << bits) + one);
}

// ---- x86 -----------------------------------------------------------------------------------------------------------

#if defined(__SSE2__)
RICCI_INLINE std::uint64_t mask_bits(__m128 m) { return static_cast<unsigned>(_mm_movemask_ps(m)); }
RICCI_INLINE std::uint64_t mask_bits(__m128d m) { return static_cast<unsigned>(_mm_movemask_pd(m)); }
RICCI_INLINE __m128 larger(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
RICCI_INLINE __m128d larger(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
RICCI_INLINE __m128 smaller(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
RICCI_INLINE __m128d smaller(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
RICCI_INLINE __m128 square_root(__m128 a) { return _mm_sqrt_ps(a); }
RICCI_INLINE __m128d square_root(__m128d a) { return _mm_sqrt_pd(a); }
#endif
#if defined(__SSE4_1__)
template <rounding Mode>
RICCI_INLINE __m128 rounded(__m128 a) {
    return _mm_round_ps(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m128d rounded(__m128d a) {
    return _mm_round_pd(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
#endif
#if defined(__FMA__)
RICCI_INLINE __m128 multiply_add(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
RICCI_INLINE __m128d multiply_add(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
RICCI_INLINE __m256 multiply_add(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
RICCI_INLINE __m256d multiply_add(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#endif

#if defined(__AVX__)
alignas(64) inline constexpr std::int32_t first_lanes_table[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

RICCI_INLINE __m256i first_lanes(index_t n, int words) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first_lanes_table + 8 - n * words));
}
RICCI_INLINE __m256 load_first(const float* p, index_t n, __m256*) { return _mm256_maskload_ps(p, first_lanes(n, 1)); }
RICCI_INLINE __m256d load_first(const double* p, index_t n, __m256d*) {
    return _mm256_maskload_pd(p, first_lanes(n, 2));
}
RICCI_INLINE void store_first(float* p, index_t n, const __m256* r) { _mm256_maskstore_ps(p, first_lanes(n, 1), *r); }
RICCI_INLINE void store_first(double* p, index_t n, const __m256d* r) { _mm256_maskstore_pd(p, first_lanes(n, 2), *r); }
RICCI_INLINE std::uint64_t mask_bits(__m256 m) { return static_cast<unsigned>(_mm256_movemask_ps(m)); }
RICCI_INLINE std::uint64_t mask_bits(__m256d m) { return static_cast<unsigned>(_mm256_movemask_pd(m)); }
RICCI_INLINE __m256 larger(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
RICCI_INLINE __m256d larger(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
RICCI_INLINE __m256 smaller(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
RICCI_INLINE __m256d smaller(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
RICCI_INLINE __m256 square_root(__m256 a) { return _mm256_sqrt_ps(a); }
RICCI_INLINE __m256d square_root(__m256d a) { return _mm256_sqrt_pd(a); }
template <rounding Mode>
RICCI_INLINE __m256 rounded(__m256 a) {
    return _mm256_round_ps(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m256d rounded(__m256d a) {
    return _mm256_round_pd(a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
#endif

// AVX-512 by the zero-masked forms: the plain ones of g++ 12 warn of uninitialized values, and cost the same.
#if defined(__AVX512F__)
inline constexpr __mmask16 all16 = 0xffff;
inline constexpr __mmask8 all8 = 0xff;
RICCI_INLINE unsigned first_bits(index_t n) { return (1u << n) - 1; }
RICCI_INLINE __m512 load_first(const float* p, index_t n, __m512*) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(first_bits(n)), p);
}
RICCI_INLINE __m512d load_first(const double* p, index_t n, __m512d*) {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>(first_bits(n)), p);
}
RICCI_INLINE void store_first(float* p, index_t n, const __m512* r) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>(first_bits(n)), *r);
}
RICCI_INLINE void store_first(double* p, index_t n, const __m512d* r) {
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(first_bits(n)), *r);
}
RICCI_INLINE __mmask16 less(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
RICCI_INLINE __mmask8 less(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
RICCI_INLINE __mmask16 less_equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
RICCI_INLINE __mmask8 less_equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
RICCI_INLINE __mmask16 equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
RICCI_INLINE __mmask8 equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
RICCI_INLINE __mmask16 not_equal(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ); }
RICCI_INLINE __mmask8 not_equal(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ); }
RICCI_INLINE std::uint64_t mask_bits(__mmask16 m) { return m; }
RICCI_INLINE std::uint64_t mask_bits(__mmask8 m) { return m; }
RICCI_INLINE __m512 blend(__mmask16 m, __m512 a, __m512 b) { return _mm512_mask_blend_ps(m, b, a); }
RICCI_INLINE __m512d blend(__mmask8 m, __m512d a, __m512d b) { return _mm512_mask_blend_pd(m, b, a); }
RICCI_INLINE __m512 larger(__m512 a, __m512 b) { return _mm512_maskz_max_ps(all16, a, b); }
RICCI_INLINE __m512d larger(__m512d a, __m512d b) { return _mm512_maskz_max_pd(all8, a, b); }
RICCI_INLINE __m512 smaller(__m512 a, __m512 b) { return _mm512_maskz_min_ps(all16, a, b); }
RICCI_INLINE __m512d smaller(__m512d a, __m512d b) { return _mm512_maskz_min_pd(all8, a, b); }
RICCI_INLINE __m512 square_root(__m512 a) { return _mm512_maskz_sqrt_ps(all16, a); }
RICCI_INLINE __m512d square_root(__m512d a) { return _mm512_maskz_sqrt_pd(all8, a); }
RICCI_INLINE __m512 multiply_add(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
RICCI_INLINE __m512d multiply_add(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
template <rounding Mode>
RICCI_INLINE __m512 rounded(__m512 a) {
    return _mm512_maskz_roundscale_ps(all16, a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
template <rounding Mode>
RICCI_INLINE __m512d rounded(__m512d a) {
    return _mm512_maskz_roundscale_pd(all8, a, static_cast<int>(Mode) | _MM_FROUND_NO_EXC);
}
RICCI_INLINE __m512 reciprocal14(__m512 a) { return _mm512_maskz_rcp14_ps(all16, a); }
RICCI_INLINE __m512d reciprocal14(__m512d a) { return _mm512_maskz_rcp14_pd(all8, a); }
template <class Integers>
RICCI_INLINE __mmask16 lowest_set(Integers n, __m512) {
    return _mm512_test_epi32_mask((__m512i)n, _mm512_set1_epi32(1));
}
template <class Integers>
RICCI_INLINE __mmask8 lowest_set(Integers n, __m512d) {
    return _mm512_test_epi64_mask((__m512i)n, _mm512_set1_epi64(1));
}
RICCI_INLINE __m512 scaled(__m512 a, __m512 n) { return _mm512_maskz_scalef_ps(all16, a, n); }
RICCI_INLINE __m512d scaled(__m512d a, __m512d n) { return _mm512_maskz_scalef_pd(all8, a, n); }
#endif

#if defined(__aarch64__)
RICCI_INLINE float32x4_t multiply_add(float32x4_t a, float32x4_t b, float32x4_t c) { return vfmaq_f32(c, a, b); }
RICCI_INLINE float64x2_t multiply_add(float64x2_t a, float64x2_t b, float64x2_t c) { return vfmaq_f64(c, a, b); }
RICCI_INLINE float32x4_t square_root(float32x4_t a) { return vsqrtq_f32(a); }
RICCI_INLINE float64x2_t square_root(float64x2_t a) { return vsqrtq_f64(a); }
#endif

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD

namespace ricci {
inline namespace RICCI_ISA {

/// A register of `lanes` values of type T, computed with lane by lane. Exists where simd_supported<T>.
template <class T>
struct simd;

/// One boolean for each lane of a simd<T>. Exists where simd_supported<T>.
template <class T>
struct simd_mask;

/// As many complex numbers as simd<T> has lanes (simd_complex.hpp).
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
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        if constexpr (traits::mask_is_bits && lanes == 16)
            return from_native(_mm_test_epi8_mask((__m128i)b, (__m128i)b));
        else if constexpr (traits::mask_is_bits && lanes == 8)
            return from_native(static_cast<native>(_mm_test_epi8_mask(_mm_set1_epi64((__m64)b), _mm_set1_epi8(-1))));
        else
#endif
        {
            const integers wide = __builtin_convertvector(b, integers) != 0;
            if constexpr (traits::mask_is_bits) {
                unsigned bits = 0;
                for (int i = 0; i < lanes; ++i) bits |= (b[i] != 0 ? 1u : 0u) << i;
                return from_native(static_cast<native>(bits));
            } else {
                return from_native((native)wide);
            }
        }
    }
    RICCI_INLINE typename traits::bytes to_bytes() const {
        using bytes = typename traits::bytes;
#if defined(__AVX512BW__) && defined(__AVX512VL__)
        if constexpr (traits::mask_is_bits && lanes == 16) return (bytes)_mm_maskz_set1_epi8(raw(), 1);
        else if constexpr (traits::mask_is_bits && lanes == 8)
            return (bytes)(std::int64_t)_mm_cvtsi128_si64(_mm_maskz_set1_epi8(raw(), 1));
        else
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

    friend RICCI_INLINE simd operator+(simd a, simd b) { return from_native(a.raw() + b.raw()); }
    friend RICCI_INLINE simd operator-(simd a, simd b) { return from_native(a.raw() - b.raw()); }
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
    return !math::any(!m);
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

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

template <class T>
concept real_scalar = std::is_floating_point_v<T>;
template <class T>
concept inexact_scalar = std::is_floating_point_v<T> || is_complex<T>;
template <class T>
concept real_number = std::is_arithmetic_v<T>;

// Integers are promoted to double, as NumPy does.
#define RICCI_MATH_UNARY(name)                      \
    template <inexact_scalar T>                     \
    RICCI_HD inline T name(T x) {                   \
        using std::name;                            \
        return name(x);                             \
    }                                               \
    template <std::integral T>                      \
    RICCI_HD inline double name(T x) {              \
        return math::name(static_cast<double>(x));  \
    }
RICCI_MATH_UNARY(exp)
RICCI_MATH_UNARY(log)
RICCI_MATH_UNARY(sin)
RICCI_MATH_UNARY(cos)
RICCI_MATH_UNARY(tan)
RICCI_MATH_UNARY(atan)
RICCI_MATH_UNARY(tanh)
RICCI_MATH_UNARY(sinh)
RICCI_MATH_UNARY(cosh)
RICCI_MATH_UNARY(asin)
RICCI_MATH_UNARY(acos)
RICCI_MATH_UNARY(asinh)
RICCI_MATH_UNARY(acosh)
RICCI_MATH_UNARY(atanh)
RICCI_MATH_UNARY(sqrt)
#undef RICCI_MATH_UNARY

#define RICCI_MATH_REAL(name)                       \
    template <real_scalar T>                        \
    RICCI_HD inline T name(T x) {                   \
        using std::name;                            \
        return name(x);                             \
    }                                               \
    template <std::integral T>                      \
    RICCI_HD inline double name(T x) {              \
        return math::name(static_cast<double>(x));  \
    }
RICCI_MATH_REAL(expm1)
RICCI_MATH_REAL(log1p)
RICCI_MATH_REAL(exp2)
RICCI_MATH_REAL(log2)
RICCI_MATH_REAL(log10)
RICCI_MATH_REAL(cbrt)
RICCI_MATH_REAL(erf)
RICCI_MATH_REAL(erfc)
#undef RICCI_MATH_REAL

#define RICCI_MATH_ROUNDING(name, function) \
    template <real_scalar T>                \
    RICCI_HD inline T name(T x) {           \
        using std::function;                \
        return function(x);                 \
    }                                       \
    template <std::integral T>              \
    RICCI_HD inline T name(T x) {           \
        return x;                           \
    }
RICCI_MATH_ROUNDING(floor, floor)
RICCI_MATH_ROUNDING(ceil, ceil)
RICCI_MATH_ROUNDING(trunc, trunc)
RICCI_MATH_ROUNDING(round, nearbyint)  // half to even, as NumPy
#undef RICCI_MATH_ROUNDING

/// Sine and cosine together.
template <inexact_scalar T>
RICCI_HD inline void sincos(T x, T& s, T& c) {
    s = math::sin(x);
    c = math::cos(x);
}

#define RICCI_MATH_BINARY(name)                                   \
    template <real_scalar T>                                      \
    RICCI_HD inline T name(T x, T y) {                            \
        using std::name;                                          \
        return name(x, y);                                        \
    }
RICCI_MATH_BINARY(atan2)
RICCI_MATH_BINARY(fmod)
RICCI_MATH_BINARY(hypot)
RICCI_MATH_BINARY(nextafter)
#undef RICCI_MATH_BINARY

/// Integers as unsigned ones of at least 32 bits, whose arithmetic wraps as NumPy's does instead of being undefined; anything
/// else as it is. What is computed so is converted back by whoever knows the result's type.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto wrap(const S& x) {
    if constexpr (std::is_integral_v<S>)
        return static_cast<std::conditional_t<(sizeof(S) > 4), std::uint64_t, std::uint32_t>>(x);
    else return x;
}

/// Absolute value; of a complex number the modulus. The most negative integer stays as it is.
template <class T>
    requires inexact_scalar<T>
RICCI_HD inline auto abs(T x) {
    using std::abs;
    return abs(x);
}
template <std::integral T>
RICCI_HD constexpr T abs(T x) {
    if constexpr (std::is_signed_v<T>)
        return x < 0 ? static_cast<T>(-static_cast<std::make_unsigned_t<T>>(x)) : x;
    else
        return x;
}

/// x to the power y, IEEE 754's special values; of integers by repeated squaring, modulo 2^bits; 0 for a negative power
/// unless x is 1 or -1.
template <real_scalar T>
RICCI_HD inline T pow(T x, T y) {
    using std::pow;
    return pow(x, y);
}
/// Of complex numbers as NumPy: small whole powers by repeated squaring, 1 for the power 0, of 0 else 0, or NaN for a power
/// whose real part is not positive; exp(y log(x)) otherwise.
template <class T>
    requires(is_complex<T>)
RICCI_HD inline T pow(T x, T y) {
    using R = decltype(x.real());
    const auto times = [](const T& a, const T& b) {
        return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    };
    const R re = y.real();
    if (re == R(0) && y.imag() == R(0)) return T(R(1));
    if (x.real() == R(0) && x.imag() == R(0)) {
        if (re > R(0)) return T(R(0));
        return T(std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::quiet_NaN());
    }
    if (y.imag() == R(0) && re > R(-100) && re < R(100) && re == static_cast<R>(static_cast<int>(re))) {
        T result(R(1)), base = x;
        for (int n = static_cast<int>(re < R(0) ? -re : re); n; n >>= 1) {
            if (n & 1) result = times(result, base);
            base = times(base, base);
        }
        return re < R(0) ? T(R(1)) / result : result;
    }
    return math::exp(times(y, math::log(x)));
}
template <std::integral T>
RICCI_HD constexpr T pow(T x, T y) {
    if constexpr (std::is_same_v<T, bool>) {
        return x || !y;
    } else {
        if (y < 0) return x == 1 ? T(1) : x == T(-1) ? T(y % 2 != 0 ? -1 : 1) : T(0);
        std::make_unsigned_t<T> result = 1, base = static_cast<std::make_unsigned_t<T>>(x);
        for (; y != 0; y = static_cast<T>(y >> 1)) {
            if (y & 1) result = static_cast<std::make_unsigned_t<T>>(1ull * result * base);
            base = static_cast<std::make_unsigned_t<T>>(1ull * base * base);
        }
        return static_cast<T>(result);
    }
}

/// a * b + c, rounded once where the hardware does that at full speed, else twice.
template <real_scalar T>
RICCI_HD inline T fma(T a, T b, T c) {
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__) || defined(__CUDA_ARCH__)
    using std::fma;
    return fma(a, b, c);
#else
    return a * b + c;
#endif
}
template <class T>
    requires(std::integral<T> || is_complex<T>)
RICCI_HD constexpr T fma(T a, T b, T c) {
    return static_cast<T>(a * b + c);
}

template <real_number T>
RICCI_HD constexpr bool isnan(T x) {
    return x != x;
}
template <real_number T>
RICCI_HD constexpr bool isinf(T x) {
    if constexpr (std::is_floating_point_v<T>)
        return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
    else
        return false;
}

/// The larger and the smaller of the two; NaN if either is. Of zeros of different sign either.
template <real_number T>
RICCI_HD constexpr T maximum(T a, T b) {
    return a > b || a != a ? a : b;
}
template <real_number T>
RICCI_HD constexpr T minimum(T a, T b) {
    return a < b || a != a ? a : b;
}

/// a if the condition holds, else b.
template <class T>
    requires(real_number<T> || is_complex<T>)
RICCI_HD constexpr T select(bool condition, T a, T b) {
    return condition ? a : b;
}

template <real_scalar T>
RICCI_HD inline T copysign(T magnitude, T sign) {
    using std::copysign;
    return copysign(magnitude, sign);
}
template <real_number T>
RICCI_HD inline bool signbit(T x) {
    if constexpr (std::is_floating_point_v<T>) {
        using std::signbit;
        return signbit(x);
    } else {
        return x < 0;
    }
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END

// ---- ricci/cpu/math_special.hpp
// Scalar functions that the standard library lacks, or gives in a form that threads cannot share.

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

/// log |gamma(x)|; the standard library's own writes a global sign.
template <real_scalar T>
RICCI_HD inline T lgamma(T x) {
#if defined(__CUDA_ARCH__) || !(defined(_GNU_SOURCE) || defined(_DEFAULT_SOURCE) || defined(__APPLE__))
    using std::lgamma;
    return lgamma(x);
#else
    // Near its zeros among the negative numbers it is as exact as the type above: those are few.
    int sign;
    if constexpr (sizeof(T) == 4) {
        return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
    } else {
#if defined(__GLIBC__)
        if (x < 0) return static_cast<T>(::lgammal_r(static_cast<long double>(x), &sign));
#endif
        return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
    }
#endif
}

}  // namespace RICCI_ISA
}  // namespace math

namespace detail {

/// The type that scalar series are summed in: one wider than the result's, where there is one that is not slow.
#if defined(__x86_64__) && !defined(__CUDACC__)
template <class T>
using series_t = std::conditional_t<sizeof(T) == 4, double, long double>;
#else
template <class T>
using series_t = double;
#endif

template <class T>
inline constexpr T pi_v = T(3.14159265358979323846264338327950288L);

/// cos(pi x) / sin(pi x) for x that is no integer.
template <class T>
RICCI_HD inline T cotangent_of_turns(T x) {
    using std::floor;
    using std::tan;
    const T f = x - floor(x + T(0.5));  // in [-1/2, 1/2]
    return f > T(0.25)    ? tan(pi_v<T> * (T(0.5) - f))
           : f < T(-0.25) ? -tan(pi_v<T> * (T(0.5) + f))
                          : 1 / tan(pi_v<T> * f);
}

/// digamma for x > 0: recurrence up to 16, then log(x) - 1 / 2x - sum of B_2k / (2k x^2k).
template <class T>
RICCI_HD inline T positive_digamma(T x) {
    using std::log;
    T sum = 0;
    for (; x < 16; x += 1) sum -= 1 / x;
    const T u = 1 / (x * x);
    const T series =
        u *
        (T(1) / 12 -
         u * (T(1) / 120 -
              u * (T(1) / 252 - u * (T(1) / 240 - u * (T(1) / 132 - u * (T(691) / 32760 -
                                                                         u * (T(1) / 12 - u * (T(3617) / 8160))))))));
    return sum + (log(x) - T(0.5) / x - series);
}
/// polygamma of order n >= 1 for x > 0, without its sign: n! sum of 1 / (x + k)^(n+1), by the Euler-Maclaurin formula
/// from where it converges.
template <class T>
RICCI_HD inline T positive_polygamma(int n, T x) {
    using std::pow;
    T sum = 0;
    for (; x < 16 + n; x += 1) sum += pow(x, T(-n - 1));
    constexpr T bernoulli[] = {T(1) / 6,  T(-1) / 30,     T(1) / 42, T(-1) / 30,
                               T(5) / 66, T(-691) / 2730, T(7) / 6,  T(-3617) / 510};
    const T power = pow(x, T(-n)), u = 1 / (x * x);
    sum += power / T(n) + power / (2 * x);
    T factor = power * u * T(n + 1) / 2;  // of B_2k: (n+1)...(n+2k-1) / (2k)! / x^(n+2k)
    for (int k = 1; k <= 8; ++k) {
        sum += bernoulli[k - 1] * factor;
        factor *= u * T(n + 2 * k) * T(n + 2 * k + 1) / (T(2 * k + 1) * T(2 * k + 2));
    }
    T factorial = 1;
    for (int k = 2; k <= n; ++k) factorial *= T(k);
    return factorial * sum;
}
/// The n-th derivative of -pi cot(pi x) at x: a polynomial in c = cot(pi x), as c' = -pi (1 + c^2).
template <class T>
RICCI_HD inline T cotangent_derivative(int n, T x) {
    constexpr int most = 32;
    T p[most + 2] = {0, 1};
    if (n > most) return std::numeric_limits<T>::quiet_NaN();
    T scale = -pi_v<T>;
    for (int k = 1; k <= n; ++k) {
        T next[most + 2] = {};
        for (int i = 1; i <= k; ++i) {
            next[i - 1] += T(i) * p[i];
            if (i + 1 <= most + 1) next[i + 1] += T(i) * p[i];
        }
        for (int i = 0; i <= k + 1 && i < most + 2; ++i) p[i] = next[i];
        scale *= -pi_v<T>;
    }
    const T c = cotangent_of_turns(x);
    T y = 0;
    for (int i = n + 1; i >= 0; --i) y = y * c + p[i];
    return scale * y;
}

}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

/// The derivative of log gamma(x): NaN at the negative integers and at -inf, -+inf at +-0.
template <real_scalar T>
RICCI_HD inline T digamma(T x) {
    using S = detail::series_t<T>;
    using limits = std::numeric_limits<T>;
    using std::floor;
    if (x > 0) return x <= limits::max() ? static_cast<T>(detail::positive_digamma(static_cast<S>(x))) : x;
    if (x == 0) return -math::copysign(limits::infinity(), x);
    if (!(x < 0) || floor(x) == x) return limits::quiet_NaN();
    const S z = static_cast<S>(x);
    return static_cast<T>(detail::positive_digamma(1 - z) - detail::pi_v<S> * detail::cotangent_of_turns(z));
}

/// The n-th derivative of digamma, n >= 0; below 0 for n up to 32.
template <real_scalar T>
RICCI_HD inline T polygamma(int n, T x) {
    using S = detail::series_t<T>;
    using limits = std::numeric_limits<T>;
    using std::floor;
    if (n < 0) return limits::quiet_NaN();
    if (n == 0) return math::digamma(x);
    const S sign = n % 2 ? S(1) : S(-1), z = static_cast<S>(x);
    if (x > limits::max()) return static_cast<T>(sign) * T(0);
    if (x > 0) return static_cast<T>(sign * detail::positive_polygamma(n, z));
    if (x == 0) return n % 2 ? limits::infinity() : -math::copysign(limits::infinity(), x);
    if (x != x || x < -limits::max()) return limits::quiet_NaN();
    if (floor(x) == x) return n % 2 ? limits::infinity() : limits::quiet_NaN();
    // psi(1 - x) - psi(x) = pi cot(pi x), differentiated
    return static_cast<T>(detail::cotangent_derivative(n, z) - detail::positive_polygamma(n, 1 - z));
}

// ---- Integers and remainders, NumPy's rules
// ------------------------------------------------------------------------------

/// The remainder with the sign of x; of integers 0 for a zero divisor.
template <std::integral T>
RICCI_HD constexpr T fmod(T x, T y) {
    if (y == 0 || y == static_cast<T>(-1)) return 0;  // the most negative number over -1 overflows
    return static_cast<T>(x % y);
}
template <std::integral T>
RICCI_HD constexpr T remainder(T x, T y) {
    const T r = math::fmod(x, y);
    return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(r + y) : r;
}
template <std::integral T>
RICCI_HD constexpr T floor_divide(T x, T y) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == -1) return static_cast<T>(-wrap(x));
    const T q = static_cast<T>(x / y);
    return x % y != 0 && (x < 0) != (y < 0) ? static_cast<T>(q - 1) : q;
}
template <std::integral T>
RICCI_HD constexpr T left_shift(T x, T n) {
    constexpr int bits = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
    if (n < 0 || n >= static_cast<std::int64_t>(bits)) return 0;
    return static_cast<T>(wrap(x) << n);
}
template <std::integral T>
RICCI_HD constexpr T right_shift(T x, T n) {
    constexpr int bits = std::is_same_v<T, bool> ? 1 : static_cast<int>(8 * sizeof(T));
    if (n < 0 || n >= static_cast<std::int64_t>(bits)) return static_cast<T>(x < 0 ? -1 : 0);
    return static_cast<T>(x >> n);
}

/// x times the normal distribution function: x / 2 erfc(u), where what rounding loses of u = -x / sqrt(2) counts.
template <real_scalar T>
RICCI_HD inline T gelu(T x) {
    using std::erfc;
    using std::exp;
    using std::fma;
    if (x < T(-40)) return -T(0);
    if (x > T(40)) return x;
    const double z = static_cast<double>(x), factor = -0.70710678118654757, u = z * factor;
    const double lost = fma(z, factor, -u) + z * 4.8336466567264567e-17;
    return static_cast<T>(z * (0.5 * (erfc(u) - lost * (1.1283791670955126 * exp(-u * u)))));
}

/// The inverse of the error function, by Newton's method on erf near 0 and on erfc near its ends.
template <real_scalar T>
RICCI_HD inline T erfinv(T x) {
    using limits = std::numeric_limits<T>;
    using std::erf;
    using std::erfc;
    using std::exp;
    using std::log;
    using std::sqrt;
    const T size = math::abs(x);
    if (!(size < 1)) return size == 1 ? math::copysign(limits::infinity(), x) : limits::quiet_NaN();
    if (size < T(1e-8)) return x * T(0.88622692545275801);
    // Winitzki's approximation, within 2e-3
    const double z = static_cast<double>(size), w = log((1 - z) * (1 + z)), a = 4.3307467508479 + w / 2;
    double y = sqrt(sqrt(a * a - w * 6.802721088435374) - a);
    for (int i = 0; i < 4; ++i) {
        const double error = z > 0.5 ? (1 - z) - erfc(y) : erf(y) - z;
        const double step = error * 0.88622692545275801 * exp(y * y);
        y -= step / (1 + step * y);
    }
    return math::copysign(static_cast<T>(y), x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
RICCI_BOTH_SIDES_END
// ---- ricci/cpu/simd_math.hpp
// The functions of math.hpp for simd registers: own kernels, at most 2 ulp, with all special values.
// ---- ricci/cpu/simd_tables.hpp
// Tables of the SIMD kernels: 32 floats each, looked up in two registers by one permutation.

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// tanh(x) = t[1] + d (t[2] + d (t[3] + ...)), d = x - t[0], for 0 <= x < 15. The low bits of the binade and the three
/// leading bits of the fraction of 1 + x tell the cell. t[0] lies near its middle, where tanh is all but a float (Gal's
/// method); the cell at 0 begins with 0 + d, which keeps small results relatively accurate. Within 2^-25.3.
alignas(64) inline constexpr float tanh_table[7][32] = {
    {0x1.1fe932p+0f, 0x1.5fe8d8p+0f, 0x1.9febaap+0f, 0x1.dfe98p+0f, 0x1.0fee28p+1f, 0x1.2fe942p+1f,
     0x1.4feb2cp+1f, 0x1.6fe8f2p+1f, 0x1.9fea9ep+1f, 0x1.dff9f8p+1f, 0x1.0fe914p+2f, 0x1.2fea92p+2f,
     0x1.4fedc8p+2f, 0x1.6ffdb2p+2f, 0x1.9002d8p+2f, 0x1.affff6p+2f, 0x1.e0176ep+2f, 0x1.1p+3f,
     0x1.3p+3f, 0x1.5p+3f, 0x1.7p+3f, 0x1.9p+3f, 0x1.bp+3f, 0x1.dp+3f,
     0, 0x1.7fe9d2p-3f, 0x1.3fe8fap-2f, 0x1.bfe8a2p-2f, 0x1.1fea7ep-1f, 0x1.5ff3b8p-1f,
     0x1.9feb3cp-1f, 0x1.dfeaa6p-1f},
    {0x1.9e4cf8p-1f, 0x1.c26e2ep-1f, 0x1.d9c122p-1f, 0x1.e87494p-1f, 0x1.f19558p-1f, 0x1.f7345ep-1f,
     0x1.faa5d8p-1f, 0x1.fcbf22p-1f, 0x1.fe75f6p-1f, 0x1.ff6f0ap-1f, 0x1.ffca86p-1f, 0x1.ffec54p-1f,
     0x1.fff8c4p-1f, 0x1.fffd58p-1f, 0x1.ffff06p-1f, 0x1.ffffa4p-1f, 0x1.ffffecp-1f, 0x1.fffffep-1f,
     0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f,
     0, 0x1.7b7a8ep-3f, 0x1.35e4ap-2f, 0x1.a55f36p-2f, 0x1.04f884p-1f, 0x1.314ff6p-1f,
     0x1.577d94p-1f, 0x1.77ce6p-1f},
    {0x1.6182f6p-2f, 0x1.cef0eep-3f, 0x1.26897ep-3f, 0x1.700d5ap-4f, 0x1.c6d64ap-5f, 0x1.17096p-5f,
     0x1.54bfaap-6f, 0x1.9f1c4cp-7f, 0x1.89726p-8f, 0x1.21c2f4p-9f, 0x1.abb9a4p-11f, 0x1.3ab9f8p-12f,
     0x1.cefcecp-14f, 0x1.53ff9p-15f, 0x1.f4016ep-17f, 0x1.7003c8p-18f, 0x1.478598p-20f, 0x1.639e3p-23f,
     0x1.81057p-26f, 0x1.a0db0ep-29f, 0x1.c3527ep-32f, 0x1.e8a37ap-35f, 0x1.08852ap-37f, 0x1.1e642cp-40f,
     0x1p+0f, 0x1.ee6bep-1f, 0x1.d11bcap-1f, 0x1.a94db6p-1f, 0x1.7afb22p-1f, 0x1.49f03p-1f,
     0x1.198f2p-1f, 0x1.d851bcp-2f},
    {-0x1.1e0e6ap-2f, -0x1.9745d2p-3f, -0x1.10894ap-3f, -0x1.5f2096p-4f, -0x1.ba0796p-5f, -0x1.123e2p-5f,
     -0x1.512f96p-6f, -0x1.9c78bep-7f, -0x1.883e8ep-8f, -0x1.216cfap-9f, -0x1.ab8706p-11f, -0x1.3aa978p-12f,
     -0x1.ceefep-14f, -0x1.53f904p-15f, -0x1.f3f97p-17f, -0x1.6ffe58p-18f, -0x1.473a84p-20f, -0x1.634cb6p-23f,
     -0x1.80ad3cp-26f, -0x1.a07b8ep-29f, -0x1.c2eb1ap-32f, -0x1.e8338ap-35f, -0x1.08489p-37f, -0x1.1e229p-40f,
     0x1.50941ap-22f, -0x1.6e730cp-3f, -0x1.1982dep-2f, -0x1.5e056ap-2f, -0x1.8256e8p-2f, -0x1.897e32p-2f,
     -0x1.79c8e4p-2f, -0x1.5aae44p-2f},
    {0x1.c68858p-4f, 0x1.97f7p-4f, 0x1.33ff88p-4f, 0x1.a897dep-5f, 0x1.15f8aep-5f, 0x1.610a26p-6f,
     0x1.b82866p-7f, 0x1.0f7b3ep-7f, 0x1.03ee48p-8f, 0x1.810f2p-10f, 0x1.1ccb6cp-11f, 0x1.a36fc2p-13f,
     0x1.3499aep-14f, 0x1.c54af8p-16f, 0x1.4d526p-17f, 0x1.eaabb8p-19f, 0x1.b48742p-21f, 0x1.d9f9e6p-24f,
     0x1.009536p-26f, 0x1.15cc38p-29f, 0x1.2cc444p-32f, 0x1.45a27ep-35f, 0x1.608f18p-38f, 0x1.7db598p-41f,
     -0x1.555b34p-2f, -0x1.27a9f6p-2f, -0x1.c1c1dp-3f, -0x1.1701bcp-3f, -0x1.bdde3cp-5f, 0x1.d5f4c4p-7f,
     0x1.06f7dap-4f, 0x1.841718p-4f},
    {0x1.e31558p-9f, -0x1.5a0914p-6f, -0x1.9be13ap-6f, -0x1.55c234p-6f, -0x1.eb90bap-7f, -0x1.48c8b6p-7f,
     -0x1.a659fap-8f, -0x1.091ddp-8f, -0x1.034c4ap-9f, -0x1.8347cp-11f, -0x1.1f4b1ep-12f, -0x1.a79506p-14f,
     -0x1.37c6cp-15f, -0x1.ca06bp-17f, -0x1.50d218p-18f, -0x1.efd4d4p-20f, -0x1.c74b04p-22f, -0x1.ee5a18p-25f,
     -0x1.0b9cfap-27f, -0x1.21bd76p-30f, -0x1.39b24cp-33f, -0x1.53a234p-36f, -0x1.6fb71cp-39f, -0x1.8e1e6ap-42f,
     0x1.f0f11p-12f, 0x1.ce3e06p-4f, 0x1.430e7ep-3f, 0x1.5b89ccp-3f, 0x1.3a0036p-3f, 0x1.e964dcp-4f,
     0x1.47702ap-4f, 0x1.637354p-5f},
    {-0x1.069d0cp-5f, -0x1.374fd2p-7f, 0x1.7193aap-10f, 0x1.2e0bf4p-8f, 0x1.25f2d2p-8f, 0x1.c06f06p-9f,
     0x1.3436c6p-9f, 0x1.91c228p-10f, 0x1.937352p-11f, 0x1.321eecp-12f, 0x1.c8c84ep-14f, 0x1.5171fep-15f,
     0x1.f12258p-17f, 0x1.6d451p-18f, 0x1.0ca35p-19f, 0x1.8b79a2p-21f, 0x1.67f06p-23f, 0x1.86d1bep-26f,
     0x1.a72238p-29f, 0x1.ca1e92p-32f, 0x1.efff6ep-35f, 0x1.0c8106p-37f, 0x1.22b45ap-40f, 0x1.3abd9ap-43f,
     0x1.0a3366p-3f, 0x1.8ba648p-4f, 0x1.751956p-5f, -0x1.876992p-8f, -0x1.645a78p-5f, -0x1.f8bbb2p-5f,
     -0x1.00d91p-4f, -0x1.b2e70ap-5f},
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

// ---- Single instructions -------------------------------------------------------------------------------------------

template <class T>
RICCI_INLINE simd<T> fma(simd<T> a, std::type_identity_t<simd<T>> b, std::type_identity_t<simd<T>> c) {
    return simd<T>::from_native(detail::multiply_add(a.raw(), b.raw(), c.raw()));
}
template <class T>
RICCI_INLINE simd<T> sqrt(simd<T> x) {
    return simd<T>::from_native(detail::square_root(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> abs(simd<T> x) {
    return simd<T>::from_native(detail::magnitude_of(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> copysign(simd<T> magnitude, std::type_identity_t<simd<T>> sign) {
    return simd<T>::from_native(detail::with_sign_of(magnitude.raw(), sign.raw()));
}
template <class T>
RICCI_INLINE simd<T> round(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::to_nearest>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> floor(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::down>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> ceil(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::up>(x.raw()));
}
template <class T>
RICCI_INLINE simd<T> trunc(simd<T> x) {
    return simd<T>::from_native(detail::rounded<detail::rounding::to_zero>(x.raw()));
}
template <class T>
RICCI_INLINE simd_mask<T> isnan(simd<T> x) {
    return x != x;
}
template <class T>
RICCI_INLINE simd_mask<T> isinf(simd<T> x) {
    return math::abs(x) == simd<T>(std::numeric_limits<T>::infinity());
}
template <class T>
RICCI_INLINE simd_mask<T> signbit(simd<T> x) {
    return math::copysign(simd<T>(T(1)), x) < simd<T>(T(0));
}

}  // namespace RICCI_ISA
}  // namespace math

namespace detail {
inline namespace RICCI_ISA {

#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
inline constexpr bool fused_multiply_add = true;
#else
inline constexpr bool fused_multiply_add = false;
#endif

/// c0 + c1 x + c2 x^2 + ... by Horner's rule: the fewest operations; a loop's iterations hide the latency.
template <class T>
RICCI_INLINE simd<T> polynomial(simd<T>, std::type_identity_t<T> c) {
    return c;
}
template <class T, class... C>
RICCI_INLINE simd<T> polynomial(simd<T> x, std::type_identity_t<T> c, C... higher) {
    return math::fma(polynomial(x, higher...), x, c);
}

/// Replaces the lanes of `y` where `m` by the scalar function of x. For inputs so rare that they may be slow.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> by_lane(simd_mask<T> m, T (*function)(T), simd<T> x, simd<T> y) {
    T in[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    x.store(in);
    y.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = function(in[i]);
    return simd<T>::load(out);
}

/// An integer near x in lanes of type T, and the same in the low bits of `shifted`.
template <class T>
struct nearest_integer {
    simd<T> shifted, value;
    RICCI_INLINE nearest_integer(simd<T> x, T factor)
        : shifted(math::fma(x, factor, rounding_shift<T>)), value(shifted - simd<T>(rounding_shift<T>)) {}
};

// ---- Exponential ---------------------------------------------------------------------------------------------------

inline constexpr double log2_e = 1.4426950408889634;

/// x - n log(2); the first product is exact, n being small and the constant short.
template <class T>
RICCI_INLINE simd<T> minus_n_log2(simd<T> x, simd<T> n) {
    if constexpr (sizeof(T) == 4) return math::fma(n, 2.12194440e-4f, math::fma(n, -0.693359375f, x));
    else return math::fma(n, -0x1.ef35793c7673p-45, math::fma(n, -0x1.62e42fefa38p-1, x));
}
/// exp(r) - 1 - r for |r| <= log(2) / 2.
template <class T>
RICCI_INLINE simd<T> small_expm1_tail(simd<T> r) {
    if constexpr (sizeof(T) == 4)
        return r * r * polynomial(r, 0.5f, 0.166666657f, 0.0416663475f, 0.0083333971f, 0.00139416975f, 0.000198421651f);
    else
        return r * r *
               polynomial(r, 0.5, 0.16666666666666677, 0.041666666666666477, 0.0083333333333206819,
                          0.0013888888888975276, 0.00019841269888840984, 2.4801587149997813e-5, 2.7557241197355004e-6,
                          2.7557419392002918e-7, 2.5110173633636883e-8, 2.0870922579797112e-9);
}
/// e / (e + 2) for e + e_low >= 0, e_low the smaller by far.
template <class T>
RICCI_INLINE simd<T> over_itself_plus_2(simd<T> e, simd<T> e_low) {
    const simd<T> one(T(1)), d = e + simd<T>(T(2));
    if constexpr (fused_multiply_add) {
        // The correction squares the error of the reciprocal, so that a coarse one does.
#if defined(__AVX512F__)
        auto inverse = simd<T>::from_native(reciprocal14(d.raw()));
        if constexpr (sizeof(T) == 8) inverse = math::fma(inverse, math::fma(-d, inverse, one), inverse);
#else
        const auto inverse = one / d;
#endif
        const auto q = e * inverse, rest = math::fma(-q, e, math::fma(q, T(-2), e));
        return math::fma(rest + e_low, inverse, q);
    } else {
        const auto q = e / d, rest = e_low - q * (e - (d - simd<T>(T(2))) + e_low);
        const auto corrected = q + rest * simd<T>(T(0.5)) * (one - q);  // 1 / d = (1 - q) / 2
        return simd<T>::from_native(smaller(one.raw(), corrected.raw()));
    }
}
/// exp(r) for |r| <= log(2) / 2: one coefficient less does.
template <class T>
RICCI_INLINE simd<T> small_exp(simd<T> r) {
    simd<T> q;
    if constexpr (sizeof(T) == 4)
        q = polynomial(r, 0.49999994f, 0.166665152f, 0.0416685008f, 0.00836945232f, 0.00138099364f);
    else
        q = polynomial(r, 0.50000000000000122, 0.16666666666666374, 0.041666666666518908, 0.008333333333515219,
                       0.0013888888947012122, 0.00019841269468563955, 2.4801489234941359e-5, 2.7557613886772698e-6,
                       2.7631735333785869e-7, 2.4993424853591874e-8);
    return math::fma(r * r, q, r) + simd<T>(T(1));
}
/// Bounds x to where exp is neither infinite nor 0. NaN stays: the hardware's min and max give the second operand.
template <class T>
RICCI_INLINE simd<T> clamped(simd<T> x, T low, T high) {
    return simd<T>::from_native(larger(simd<T>(low).raw(), smaller(simd<T>(high).raw(), x.raw())));
}

template <class T>
RICCI_INLINE simd<T> exp_anywhere(simd<T> x) {
    x = sizeof(T) == 4 ? clamped<T>(x, T(-104), T(89)) : clamped<T>(x, T(-746), T(710));
    const nearest_integer<T> n(x, T(log2_e));
    return simd<T>::from_native(scaled(small_exp(minus_n_log2(x, n.value)).raw(), n.value.raw()));
}
/// exp where some lane overflows, underflows or is NaN; the same bits in the others.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> special_exp(simd<T> x) {
    return exp_anywhere(x);
}

// ---- Sine and cosine -----------------------------------------------------------------------------------------------

/// Beyond it, reduction by few words of pi is not exact enough.
template <class T>
inline constexpr T far_angle =
    sizeof(T) == 4 ? (fused_multiply_add ? T(65536) : T(4096)) : (fused_multiply_add ? T(1 << 30) : T(1 << 19));

/// x - n pi scale. The first difference is exact, with fused multiplies by itself, without because the words are short.
template <class T>
RICCI_INLINE simd<T> minus_n_pi(simd<T> x, simd<T> n, T scale) {
    if constexpr (sizeof(T) == 4 && fused_multiply_add) {
        const auto r = math::fma(n, 0x1.777a5cp-24f * scale, math::fma(n, -0x1.921fb6p+1f * scale, x));
        return math::fma(n, 0x1.ee59dap-49f * scale, r);
    } else if constexpr (fused_multiply_add) {
        const auto r = math::fma(n, -0x1.1a62633145c07p-53 * scale, math::fma(n, -0x1.921fb54442d18p+1 * scale, x));
        return math::fma(n, 0x1.f1976b7ed8fbcp-109 * scale, r);
    } else {
        constexpr double wide[] = {0x1.921fb544p+1, 0, 0x1.0b4611a6p-33, 0x1.3198a2e037073p-68};
        constexpr double narrow[] = {0x1.92p+1, 0x1.fb4p-11, 0x1.444p-23, 0x1.68c234p-38};
        const auto word = [&](int i) {
            return n * simd<T>(static_cast<T>((sizeof(T) == 4 ? narrow : wide)[i]) * scale);
        };
        const auto r = sizeof(T) == 4 ? x - word(0) - word(1) : x - word(0), third = word(2);
        const auto rest = r - third;
        return rest + (((r - rest) - third) - word(3));
    }
}
/// sin(r) for |r| <= pi/2.
template <class T>
RICCI_INLINE simd<T> half_turn_sin(simd<T> r) {
    const auto u = r * r;
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, -0.166666582f, 0.00833303202f, -0.000198069683f, 2.59974172e-6f);
    else
        p = polynomial(u, -0.16666666666666666, 0.0083333333333331493, -0.00019841269841192681, 2.7557319208283799e-6,
                       -2.505210661022466e-8, 1.605892646197826e-10, -7.6426461391265743e-13, 2.7175357665376524e-15);
    return clamped<T>(math::fma(u * r, p, r), T(-1), T(1));  // at pi/2 rounding may overshoot
}
/// sin(r) and cos(r) for |r| <= pi/4.
template <class T>
RICCI_INLINE simd<T> quarter_turn_sin(simd<T> r, simd<T> u) {
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, -0.166666538f, 0.00833206344f, -0.000195021348f);
    else
        p = polynomial(u, -0.16666666666666621, 0.0083333333333196515, -0.00019841269827577859, 2.7557312912995687e-6,
                       -2.5050635505951824e-8, 1.5889660165489617e-10);
    return math::fma(u * r, p, r);
}
template <class T>
RICCI_INLINE simd<T> quarter_turn_cos(simd<T> u) {
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, 0.0416666418f, -0.00138871849f, 2.44181283e-5f);
    else
        p = polynomial(u, 0.041666666666666574, -0.0013888888888869534, 2.4801587286635124e-5, -2.7557313535281528e-7,
                       2.0875612929244763e-9, -1.135397109657728e-11);
    return math::fma(u * u, p, math::fma(u, T(-0.5), T(1)));
}
/// The bits of n moved so that its lowest becomes the sign.
template <class T>
RICCI_INLINE auto lowest_to_sign(typename simd<T>::naturals n) {
    return n << (sizeof(T) * 8 - 1);
}
template <class T>
RICCI_INLINE simd_mask<T> lowest_is_set(typename simd<T>::naturals n) {
    return simd_mask<T>::from_native((typename simd_mask<T>::native)lowest_set(n, simd<T>(T(0)).raw()));
}
template <class T>
inline constexpr auto sign_only = std::make_unsigned_t<typename simd<T>::traits::integer>(1) << (sizeof(T) * 8 - 1);

// ---- Hyperbolic tangent --------------------------------------------------------------------------------------------

template <class T>
RICCI_INLINE simd<T> tanh_by_table(simd<T> x) {
#if defined(__AVX512F__)
    const auto size = simd<T>::from_native(smaller(simd<T>(14.5f).raw(), magnitude_of(x.raw())));
    const auto cell = _mm512_maskz_srli_epi32(all16, (__m512i)(size + simd<T>(1.0f)).bits(), 20);
    const auto entry = [cell](int i) __attribute__((always_inline)) {
        return simd<T>::from_native(
            _mm512_permutex2var_ps(_mm512_load_ps(tanh_table[i]), cell, _mm512_load_ps(tanh_table[i] + 16)));
    };
    const auto d = size - entry(0);
    auto y = math::fma(entry(6), d, entry(5));
    for (int i = 4; i > 0; --i) y = math::fma(y, d, entry(i));
    return math::copysign(y, x);
#else
    return x;
#endif
}

// ---- Logarithm -----------------------------------------------------------------------------------------------------

/// x as 2^exponent * mantissa, the mantissa in [0.75, 1.5). For positive, finite, normal x; on AVX-512 for any x, zero,
/// infinity and NaN ending in what log makes of them, negative numbers in NaN.
template <class T>
struct exponent_and_mantissa {
    simd<T> exponent, mantissa;
    RICCI_INLINE explicit exponent_and_mantissa(simd<T> x) {
#if defined(__AVX512F__)
        if constexpr (simd<T>::traits::mask_is_bits && sizeof(T) == 4) {
            const __m512 m = _mm512_maskz_getmant_ps(all16, x.raw(), _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
            mantissa = simd<T>::from_native(m);
            exponent = simd<T>::from_native(_mm512_maskz_getexp_ps(all16, x.raw()) - _mm512_maskz_getexp_ps(all16, m));
            return;
        } else if constexpr (simd<T>::traits::mask_is_bits) {
            const __m512d m = _mm512_maskz_getmant_pd(all8, x.raw(), _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
            mantissa = simd<T>::from_native(m);
            exponent = simd<T>::from_native(_mm512_maskz_getexp_pd(all8, x.raw()) - _mm512_maskz_getexp_pd(all8, m));
            return;
        } else
#endif
        {
            constexpr int bits = std::numeric_limits<T>::digits - 1, bias = std::numeric_limits<T>::max_exponent - 1;
            using natural = std::make_unsigned_t<typename simd<T>::traits::integer>;
            // x / 0.75 in whole binades, kept positive: 64-bit lanes have no arithmetic shift before AVX-512
            constexpr natural up = natural(bias + 1) << bits,
                              three_quarters = (natural(bias - 1) << bits) + (natural(1) << (bits - 1));
            const auto n = (x.bits() + (up - three_quarters)) >> bits;
            const auto shift = simd<T>(rounding_shift<T>);
            exponent = simd<T>::from_bits(n + shift.bits()) - shift - simd<T>(T(bias + 1));
            mantissa = simd<T>::from_bits(x.bits() - ((n - natural(bias + 1)) << bits));
        }
    }
};

RICCI_INLINE simd<float> log_of(exponent_and_mantissa<float> x) {
    const auto f = x.mantissa - simd<float>(1), f2 = f * f;
    auto y = f2 * f *
             polynomial(f, 0.333334506f, -0.250000954f, 0.199908614f, -0.16647312f, 0.144783944f, -0.131611913f,
                        0.104630232f, -0.0450748242f);
    y = math::fma(x.exponent, 0x1.7f7d1cp-20f, y);
    y = math::fma(f2, -0.5f, y);
    return math::fma(x.exponent, 0x1.62e4p-1f, f + y);
}

#if defined(__AVX512F__)
// c and -log(c) for c near 1 / m, by the four leading bits of m's fraction, m in [0.75, 1.5). c is short: m c - 1 is
// exact but for its last bits. Around 1 c is 1, so that nothing cancels there.
alignas(64) inline constexpr double log_table[32] = {0x1p+0,
                                                     0x1.d4p-1,
                                                     0x1.bbp-1,
                                                     0x1.a4p-1,
                                                     0x1.9p-1,
                                                     0x1.7dp-1,
                                                     0x1.6cp-1,
                                                     0x1.5dp-1,
                                                     0x1.4e8p+0,
                                                     0x1.418p+0,
                                                     0x1.35p+0,
                                                     0x1.2ap+0,
                                                     0x1.1f8p+0,
                                                     0x1.158p+0,
                                                     0x1.0c8p+0,
                                                     0x1p+0,
                                                     0,
                                                     0.089856329121861048,
                                                     0.14475485499437216,
                                                     0.19806991376209379,
                                                     0.24686007793152578,
                                                     0.29552524991280682,
                                                     0.34117075740276714,
                                                     0.38325270283708063,
                                                     -0.26745943508872067,
                                                     -0.22782009919811161,
                                                     -0.18816383241818299,
                                                     -0.15191604202584197,
                                                     -0.11604541575784265,
                                                     -0.080643488706926725,
                                                     -0.047673469469356904,
                                                     0};

struct log_cell {
    simd<double> inverse, log;
    RICCI_INLINE explicit log_cell(simd<double> mantissa) {
        const __m512i i = _mm512_maskz_srli_epi64(all8, (__m512i)mantissa.bits(), 48);
        inverse = entry(i, log_table);
        log = entry(i, log_table + 16);
    }
    static RICCI_INLINE simd<double> entry(__m512i i, const double* t) {
        return simd<double>::from_native(_mm512_permutex2var_pd(_mm512_load_pd(t), i, _mm512_load_pd(t + 8)));
    }
};

RICCI_INLINE simd<double> log_of(exponent_and_mantissa<double> x) {
    const log_cell cell(x.mantissa);
    const auto r = math::fma(x.mantissa, cell.inverse, -1.0);
    const auto t = cell.log, head = t + r, tail = (t - head) + r;  // |t| > |r| or t = 0
    const auto p = polynomial(r, -0.49999999999999811, 0.333333333333517, -0.25000000001595485, 0.19999999937172239,
                              -0.16666662979052355, 0.14285764128357631, -0.12503259178109696, 0.11113871165639744,
                              -0.090314389860482541);
    return math::fma(x.exponent, 0x1.62e42fefa38p-1, head) +
           math::fma(r * r, p, math::fma(x.exponent, 0x1.ef35793c7673p-45, tail));
}
#else
// fdlibm's scheme: with s = f / (2 + f), log(1 + f) = 2 atanh(s).
template <class T>
    requires(sizeof(T) == 8)
RICCI_INLINE simd<T> log_of(exponent_and_mantissa<T> x) {
    const auto f = x.mantissa - simd<T>(1), s = f / (simd<T>(2) + f), z = s * s, half_square = simd<T>(0.5) * f * f;
    const auto r = z * polynomial(z, 0.66666666666666596, 0.40000000000056951, 0.28571428555767903, 0.22222224302847016,
                                  0.18181665512552544, 0.15391123356484393, 0.13173413210786195, 0.13844269320386215);
    const auto tail = math::fma(s, half_square + r, x.exponent * simd<T>(0x1.ef35793c7673p-45));
    return math::fma(x.exponent, 0x1.62e42fefa38p-1, f - (half_square - tail));
}
#endif

/// log where some lane is zero, subnormal, negative, infinite or NaN.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> special_log(simd<T> x) {
    using limits = std::numeric_limits<T>;
    constexpr T up = sizeof(T) == 4 ? T(1 << 25) : T(std::int64_t(1) << 54);
    const auto tiny = x < simd<T>(limits::min());
    exponent_and_mantissa<T> parts(math::select(tiny, x * simd<T>(up), x));
    parts.exponent = parts.exponent - math::select(tiny, simd<T>(sizeof(T) == 4 ? T(25) : T(54)), simd<T>(T(0)));
    auto y = log_of(parts);
    y = math::select(x < simd<T>(limits::infinity()), y, x);
    y = math::select(x == simd<T>(T(0)), simd<T>(-limits::infinity()), y);
    return math::select(x < simd<T>(T(0)), simd<T>(limits::quiet_NaN()), y);
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> exp(simd<T> x) {
    using namespace detail;
    if constexpr (simd<T>::traits::mask_is_bits) {
        return exp_anywhere(x);
    } else {
        if (!math::all(math::abs(x) <= simd<T>(sizeof(T) == 4 ? T(87) : T(708)))) return special_exp(x);
        const nearest_integer<T> n(x, T(log2_e));
        const auto y = small_exp(minus_n_log2(x, n.value));
        return simd<T>::from_bits(y.bits() + (n.shifted.bits() << (std::numeric_limits<T>::digits - 1)));
    }
}

template <class T>
RICCI_INLINE simd<T> log(simd<T> x) {
    using namespace detail;
    if constexpr (!simd<T>::traits::mask_is_bits) {
        using limits = std::numeric_limits<T>;
        if (!math::all((simd<T>(limits::min()) <= x) & (x <= simd<T>(limits::max())))) return special_log(x);
    }
    return log_of(exponent_and_mantissa<T>(x));
}

/// Sine and cosine together, of one reduction.
template <class T>
RICCI_INLINE void sincos(simd<T> x, simd<T>& s, simd<T>& c) {
    using namespace detail;
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.63661977236758134));
    const auto r = minus_n_pi(size, n.value, T(0.5)), u = r * r;
    const auto a = quarter_turn_sin(r, u), b = quarter_turn_cos(u);
    const auto turned = n.shifted.bits();
    const auto odd = lowest_is_set<T>(turned);
    s = math::select(odd, b, a);
    c = math::select(odd, a, b);
    s = simd<T>::from_bits(s.bits() ^ (((turned & 2) << (sizeof(T) * 8 - 2)) ^ (x.bits() & sign_only<T>)));
    c = simd<T>::from_bits(c.bits() ^ (((turned + 1) & 2) << (sizeof(T) * 8 - 2)));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]] {
        s = by_lane(far, +[](T v) { return math::sin(v); }, x, s);
        c = by_lane(far, +[](T v) { return math::cos(v); }, x, c);
    }
}

template <class T>
RICCI_INLINE simd<T> sin(simd<T> x) {
    using namespace detail;
    if constexpr (!fused_multiply_add) {
        simd<T> s, c;
        math::sincos(x, s, c);
        return s;
    }
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.31830988618379067));
    const auto y = half_turn_sin(minus_n_pi(size, n.value, T(1)));
    const auto s = simd<T>::from_bits(y.bits() ^ lowest_to_sign<T>(n.shifted.bits()) ^ (x.bits() & sign_only<T>));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]]
        return by_lane(far, +[](T v) { return math::sin(v); }, x, s);
    return s;
}

/// By quarter turns, two polynomials: one of half turns would not give cos(0) = 1.
template <class T>
RICCI_INLINE simd<T> cos(simd<T> x) {
    using namespace detail;
    const auto size = math::abs(x);
    const nearest_integer<T> n(size, T(0.63661977236758134));
    const auto r = minus_n_pi(size, n.value, T(0.5)), u = r * r;
    const auto turned = n.shifted.bits();
    auto c = math::select(lowest_is_set<T>(turned), quarter_turn_sin(r, u), quarter_turn_cos(u));
    c = simd<T>::from_bits(c.bits() ^ (((turned + 1) & 2) << (sizeof(T) * 8 - 2)));
    const auto far = simd<T>(far_angle<T>) < size;
    if (math::any(far)) [[unlikely]]
        return by_lane(far, +[](T v) { return math::cos(v); }, x, c);
    return c;
}

template <class T>
RICCI_INLINE simd<T> tanh(simd<T> x) {
    using namespace detail;
    if constexpr (simd<T>::lanes == 16) return tanh_by_table(x);
    // e / (e + 2) with e = exp(2|x|) - 1, beyond the bound 1
    const auto size = math::abs(x);
    const auto y = simd<T>::from_native(smaller(simd<T>(sizeof(T) == 4 ? T(20) : T(40)).raw(), (size + size).raw()));
    const nearest_integer<T> n(y, T(log2_e));
    constexpr int bits = std::numeric_limits<T>::digits - 1;
    const auto power = simd<T>::from_bits((n.shifted.bits() << bits) + simd<T>(T(1)).bits());
    const auto r = minus_n_log2(y, n.value), tail = small_expm1_tail(r), p = r + tail;
    const auto a = power * p, b = power - simd<T>(T(1));
    const auto e = fused_multiply_add ? math::fma(power, p, b) : a + b;
    auto e_low = power * (tail - (p - r));  // what rounding p has lost
    if constexpr (!fused_multiply_add) e_low += (b - e) + a;
    return math::copysign(over_itself_plus_2(e, e_low), x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci

#endif  // RICCI_HAS_SIMD

// ---- ricci/cpu/simd_arithmetic.hpp
// Remainders, roots and neighbours on simd registers.
// ---- ricci/cpu/simd_exponential.hpp
// Relatives of the exponential and the logarithm on simd registers.
// ---- ricci/cpu/simd_pow.hpp
// Powers of simd registers: floats by way of doubles, doubles by a logarithm of twice the precision.

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Replaces the lanes of `z` where `m` by x to the y of the standard library.
template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> pow_by_lane(simd_mask<T> m, simd<T> x, simd<T> y, simd<T> z) {
    T base[simd<T>::lanes], power[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    x.store(base);
    y.store(power);
    z.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = math::pow(base[i], power[i]);
    return simd<T>::load(out);
}

/// The exact value x + y as head + tail; |x| >= |y| or x = 0.
template <class T>
struct exact_sum {
    simd<T> head, tail;
    RICCI_INLINE exact_sum(simd<T> x, simd<T> y) : head(x + y), tail((x - head) + y) {}
};
/// The exact product.
template <class T>
struct exact_product {
    simd<T> head, tail;
    RICCI_INLINE exact_product(simd<T> x, simd<T> y) : head(x * y), tail(math::fma(x, y, -head)) {}
};

/// log(x) as head + tail within 2^-64 of itself, for positive normal x. With s = (m - 1) / (m + 1) for the mantissa m,
/// log(m) = 2 s + s z (2/3 + z (2/5 + ...)), z = s^2: all but the polynomial after 2/3 is carried to double precision's
/// double. Needs fused multiplies.
RICCI_INLINE exact_sum<double> precise_log(simd<double> x) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
    const S m = parts.mantissa, e = parts.exponent, f = m - S(1);
    const S d = m + S(1), d_tail = m - (d - S(1)), inverse = S(1) / d;
    const S s = f * inverse, s_tail = inverse * math::fma(-s, d_tail, math::fma(-s, d, f));
    const exact_product<double> z(s, s);
    const S z_tail = math::fma(s + s, s_tail, z.tail);
    const S q = z.head * polynomial(z.head, 0.40000000000000002, 0.28571428571426116, 0.22222222222850929,
                                    0.18181818097091124, 0.15384622148099303, 0.13332997047414827, 0.11775217258959092,
                                    0.10326231949428243, 0.11618243187839369);
    const exact_sum<double> v(S(0x1.5555555555555p-1), q);
    const exact_product<double> t(z.head, v.head);
    const S t_tail = t.tail + math::fma(z.head, v.tail + S(0x1.5555555555555p-55), z_tail * v.head);
    const exact_product<double> st(s, t.head);
    const S st_tail = st.tail + math::fma(s, t_tail, s_tail * t.head);
    const exact_sum<double> log_m(s + s, st.head);
    const exact_sum<double> sum(e * S(0x1.62e42fefa38p-1), log_m.head);
    const S tail = math::fma(e, 0x1.ef35793c7673p-45, log_m.tail + (st_tail + (s_tail + s_tail)));
    return {sum.head, sum.tail + tail};
}

RICCI_INLINE simd<double> positive_pow(simd<double> x, simd<double> y) {
    using S = simd<double>;
    const auto log_x = precise_log(x);
    const exact_product<double> product(y, log_x.head);
    const S power = clamped<double>(product.head, -746, 710);
    const S rest = math::select(power == product.head, math::fma(y, log_x.tail, product.tail), S(0));
    const nearest_integer<double> n(power, log2_e);
    const S r = math::fma(n.value, -0x1.62e42fefa38p-1, power) + math::fma(n.value, -0x1.ef35793c7673p-45, rest);
    return S::from_native(scaled(small_exp(r).raw(), n.value.raw()));
}

// The lower or upper half of a register of floats, widened, and back.
#if defined(__CUDACC__)  // nvcc loses packs of lanes
template <int First, std::size_t... I>
RICCI_INLINE simd<double> widen(simd<float> x, std::index_sequence<I...>) {
    float from[simd<float>::lanes];
    x.store(from);
    const double to[] = {from[First + I]...};
    return simd<double>::load(to);
}
template <std::size_t... I>
RICCI_INLINE simd<float> narrow(simd<double> low, simd<double> high, std::index_sequence<I...>) {
    double from[sizeof...(I)];
    low.store(from);
    high.store(from + simd<double>::lanes);
    const float to[] = {static_cast<float>(from[I])...};
    return simd<float>::load(to);
}
#else
template <int First, std::size_t... I>
RICCI_INLINE simd<double> widen(simd<float> x, std::index_sequence<I...>) {
    typedef double doubles __attribute__((vector_size(sizeof(simd<double>))));
    const auto r = x.raw();
    return simd<double>::from_native((typename simd<double>::native) __builtin_convertvector(
        __builtin_shufflevector(r, r, (First + static_cast<int>(I))...), doubles));
}
template <std::size_t... I>
RICCI_INLINE simd<float> narrow(simd<double> low, simd<double> high, std::index_sequence<I...>) {
    typedef float halves __attribute__((vector_size(sizeof(simd<float>) / 2)));
    typedef double doubles __attribute__((vector_size(sizeof(simd<double>))));
    const halves a = __builtin_convertvector((doubles)low.raw(), halves),
                 b = __builtin_convertvector((doubles)high.raw(), halves);
    return simd<float>::from_native(
        (typename simd<float>::native)__builtin_shufflevector(a, b, static_cast<int>(I)...));
}
#endif
/// x to the power y in doubles as precise as floats need: within 2^-32.
RICCI_INLINE simd<double> float_pow(simd<double> x, simd<double> y) {
    using S = simd<double>;
    const exponent_and_mantissa<double> parts(x);
#if defined(__AVX512F__)
    const log_cell cell(parts.mantissa);
    const S r = math::fma(parts.mantissa, cell.inverse, S(-1));
    const S p = polynomial(r, -0.49999999998789485, 0.33333332174366515, -0.24999998425145095, 0.20002184701943221,
                           -0.166848521990558, 0.13348323779505875);
    const S log_m = math::fma(r * r, p, cell.log + r);
#else
    const S f = parts.mantissa - S(1), s = f / (S(2) + f), z = s * s;
    const S p = polynomial(z, 0.66666666710868228, 0.39999984474097977, 0.28573196545051838, 0.22134715643338967,
                           0.20127007825607299);
    const S log_m = math::fma(s * z, p, s + s);
#endif
    const S power = clamped<double>(y * math::fma(parts.exponent, 0.69314718055994531, log_m), -110, 90);
    const nearest_integer<double> n(power, log2_e);
    const S r2 = math::fma(n.value, -0.69314718055994531, power);
    const S q = polynomial(r2, 0.50000000717201731, 0.16666665792784427, 0.041666279974596439, 0.0083335108214351028,
                           0.0013945784534720473, 0.00019785034377321534);
    const S e = math::fma(r2 * r2, q, r2) + S(1);
    return S::from_bits(e.bits() + (n.shifted.bits() << 52));
}
RICCI_INLINE simd<float> positive_pow(simd<float> x, simd<float> y) {
    constexpr int middle = simd<double>::lanes;
    using half = std::make_index_sequence<simd<double>::lanes>;
    return narrow(float_pow(widen<0>(x, half()), widen<0>(y, half())),
                  float_pow(widen<middle>(x, half()), widen<middle>(y, half())),
                  std::make_index_sequence<simd<float>::lanes>());
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

/// x to the power y with the special values of IEEE 754. Not inlined: it is long, and kernels are short of registers.
template <class T>
[[gnu::noinline]] simd<T> pow(simd<T> x, std::type_identity_t<simd<T>> y) {
    using namespace detail;
    if constexpr (!simd_supported<double> || (sizeof(T) == 8 && !fused_multiply_add)) {
        return pow_by_lane(simd_mask<T>(true), x, y, x);
    } else {
        using limits = std::numeric_limits<T>;
        const simd<T> size = math::abs(x), largest(limits::max());
        auto z = positive_pow(size, y);
        if (math::any(math::signbit(x))) {
            const auto half = y * simd<T>(T(0.5));
            const auto integral = math::round(y) == y;
            const auto odd = integral & (math::round(half) != half);
            const auto signed_z = math::select(integral, math::select(odd, -z, z), simd<T>(limits::quiet_NaN()));
            z = math::select(x < simd<T>(T(0)), signed_z, z);
        }
        const auto usual = (simd<T>(limits::min()) <= size) & (size <= largest) & (math::abs(y) <= largest);
        if (!math::all(usual)) [[unlikely]]
            return pow_by_lane(!usual, x, y, z);
        return z;
    }
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The exact value a + b as head + tail, whichever is larger (Knuth).
template <class T>
RICCI_INLINE void add_exactly(simd<T> a, simd<T> b, simd<T>& head, simd<T>& tail) {
    head = a + b;
    const simd<T> part = head - a;
    tail = (a - (head - part)) + (b - part);
}

/// exp(x) / 2, which overflows no sooner than cosh.
template <class T>
RICCI_INLINE simd<T> half_exp(simd<T> x) {
    x = sizeof(T) == 4 ? clamped<T>(x, T(-105), T(90)) : clamped<T>(x, T(-747), T(711));
    const nearest_integer<T> n(x, T(log2_e));
    return simd<T>::from_native(scaled(small_exp(minus_n_log2(x, n.value)).raw(), (n.value - simd<T>(T(1))).raw()));
}

/// f on registers of floats, computed in doubles; of doubles as it is.
template <class F, class... S>
RICCI_INLINE simd<double> in_doubles(const F& f, simd<double> x, S... more) {
    return f(x, more...);
}
template <class F, class... S>
RICCI_INLINE simd<float> in_doubles(const F& f, simd<float> x, S... more) {
    constexpr int middle = simd<double>::lanes;
    using half = std::make_index_sequence<simd<double>::lanes>;
    return narrow(f(widen<0>(x, half()), widen<0>(more, half())...),
                  f(widen<middle>(x, half()), widen<middle>(more, half())...),
                  std::make_index_sequence<simd<float>::lanes>());
}

/// Whether kernels in doubles exist: fused multiplies carry their low words.
inline constexpr bool precise_doubles = simd_supported<double> && fused_multiply_add;

/// The logarithm of head + tail, relatively accurate also near 1; for positive, normal head.
RICCI_INLINE simd<double> log_of_sum(simd<double> head, simd<double> tail) {
    const auto log = precise_log(head);
    return log.head + (log.tail + tail / head);
}

/// The square root of head + tail in two words.
RICCI_INLINE void root_of_sum(simd<double> head, simd<double> tail, simd<double>& root, simd<double>& rest) {
    root = math::sqrt(head);
    rest = (math::fma(-root, root, head) + tail) / (root + root);
}

struct asinh_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x), one(1);
        const auto large = S(0x1p500) < size;
        const S a = math::select(large, one, size);
        const exact_product<double> square(a, a);
        S sum, sum_tail, root, rest, head, tail;
        add_exactly(square.head, one, sum, sum_tail);
        root_of_sum(sum, sum_tail + square.tail, root, rest);
        add_exactly(a, root, head, tail);
        S y = log_of_sum(math::select(large, size, head), math::select(large, S(0), tail + rest));
        y = math::select(large, y + S(0.69314718055994531), y);
        y = math::select(size < S(0x1p-28), size, y);
        return math::copysign(math::select(size <= S(std::numeric_limits<double>::max()), y, size), x);
    }
};
struct acosh_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S one(1);
        const auto large = S(0x1p500) < x;
        const S a = math::select(large | (x < one), one, x), t = a - one;
        const exact_product<double> square(t, t);
        S sum, sum_tail, root, rest, head, tail;
        add_exactly(t + t, square.head, sum, sum_tail);
        root_of_sum(sum, sum_tail + square.tail, root, rest);
        rest = math::select(sum == S(0), S(0), rest);
        add_exactly(a, root, head, tail);
        S y = log_of_sum(math::select(large, x, head), math::select(large, S(0), tail + rest));
        y = math::select(large, y + S(0.69314718055994531), y);
        y = math::select(x <= S(std::numeric_limits<double>::max()), y, x);
        return math::select(x < one, S(std::numeric_limits<double>::quiet_NaN()), y);
    }
};
struct atanh_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        using limits = std::numeric_limits<double>;
        const S size = math::abs(x), one(1), a = math::select(size < one, size, S(0));
        S above, above_tail, below, below_tail;
        add_exactly(one, a, above, above_tail);
        add_exactly(one, -a, below, below_tail);
        const S q = above / below, rest = (math::fma(-q, below, above) + above_tail - q * below_tail) / below;
        S y = S(0.5) * log_of_sum(q, rest);
        y = math::select(size < S(0x1p-28), size, y);
        y = math::select(size == one, S(limits::infinity()), y);
        return math::copysign(math::select(size <= one, y, S(limits::quiet_NaN())), x);
    }
};
/// The logarithm to a base, from log(x) in two words and 1 / log(base) in two.
struct log_to_base {
    double factor, factor_tail;
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const auto log = precise_log(x);
        const exact_product<double> product(log.head, S(factor));
        return product.head + (product.tail + math::fma(log.head, factor_tail, log.tail * S(factor)));
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> log1p(simd<T> x) {
    const simd<T> zero(T(0));
    simd<T> head, tail;
    detail::add_exactly(simd<T>(T(1)), x, head, tail);
    const auto log = math::log(head);
    const auto usual = (zero < head) & (head <= simd<T>(std::numeric_limits<T>::max()));
    const auto y = math::select(usual, log + tail / head, log);
    return math::select(math::abs(x) < simd<T>(std::numeric_limits<T>::epsilon() / 4), x, y);
}

template <class T>
RICCI_INLINE simd<T> expm1(simd<T> x) {
    using namespace detail;
    constexpr T most = sizeof(T) == 4 ? T(88) : T(709);
    const auto y = clamped<T>(x, T(-40), most);
    const nearest_integer<T> n(y, T(log2_e));
    constexpr int bits = std::numeric_limits<T>::digits - 1;
    const auto power = simd<T>::from_bits((n.shifted.bits() << bits) + simd<T>(T(1)).bits());
    const auto r = minus_n_log2(y, n.value), tail = small_expm1_tail(r);
    const auto e = math::copysign(math::fma(power, tail, math::fma(power, r, power - simd<T>(T(1)))), x);
    const auto large = simd<T>(most) < x;
    if (math::any(large)) [[unlikely]]
        return math::select(large, math::exp(x), e);
    return e;
}

template <class T>
RICCI_INLINE simd<T> exp2(simd<T> x) {
    using namespace detail;
    x = sizeof(T) == 4 ? clamped<T>(x, T(-151), T(129)) : clamped<T>(x, T(-1076), T(1025));
    const auto n = math::round(x), r = x - n, a = r * simd<T>(T(0.69314718055994531));
    // what the product has lost
    const auto rest = fused_multiply_add ? math::fma(r, T(0.69314718055994531), -a) : simd<T>(T(0));
    constexpr T low = sizeof(T) == 4 ? T(-1.90465429995776804525e-9) : T(2.3190468138462996e-17);
    const auto y = small_exp(a);
    return simd<T>::from_native(scaled(math::fma(y, math::fma(r, low, rest), y).raw(), n.raw()));
}

/// By a polynomial up to 1, where the difference of exponentials would cancel.
template <class T>
RICCI_INLINE simd<T> sinh(simd<T> x) {
    using namespace detail;
    const auto size = math::abs(x), u = x * x, half = half_exp(size);
    simd<T> p;
    if constexpr (sizeof(T) == 4) p = polynomial(u, 0.166666666f, 0.00833333968f, 0.00019838102f, 2.80628026e-06f);
    else
        p = polynomial(u, 0.16666666666666666, 0.008333333333333299, 0.00019841269841324198, 2.7557319191381816e-06,
                       2.5052117695907823e-08, 1.6057679623801638e-10, 7.746178593018827e-13);
    const auto large = math::copysign(half - simd<T>(T(0.25)) / half, x);
    return math::select(size < simd<T>(T(1)), math::fma(u * x, p, x), large);
}
template <class T>
RICCI_INLINE simd<T> cosh(simd<T> x) {
    const auto half = detail::half_exp(math::abs(x));
    return half + simd<T>(T(0.25)) / half;
}

#define RICCI_MATH_PRECISE(name)                                                                  \
    template <class T>                                                                            \
    [[gnu::noinline]] simd<T> name(simd<T> x) {                                                   \
        if constexpr (!detail::precise_doubles)                                                   \
            return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::name(v); }, x, x); \
        else return detail::in_doubles(detail::name##_kernel(), x);                               \
    }
RICCI_MATH_PRECISE(asinh)
RICCI_MATH_PRECISE(acosh)
RICCI_MATH_PRECISE(atanh)
#undef RICCI_MATH_PRECISE

template <class T>
RICCI_INLINE simd<T> log_to_base(simd<T> x, double factor, double factor_tail, T (*scalar)(T)) {
    using limits = std::numeric_limits<T>;
    const auto usual = (simd<T>(limits::min()) <= x) & (x <= simd<T>(limits::max()));
    auto y = x;
    if constexpr (detail::precise_doubles) y = detail::in_doubles(detail::log_to_base{factor, factor_tail}, x);
    const auto rare = detail::precise_doubles ? !usual : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, scalar, x, y);
    return y;
}
template <class T>
[[gnu::noinline]] simd<T> log2(simd<T> x) {
    return math::log_to_base(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, +[](T v) { return math::log2(v); });
}
template <class T>
[[gnu::noinline]] simd<T> log10(simd<T> x) {
    return math::log_to_base(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, +[](T v) { return math::log10(v); });
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Powers of two keep the squares from overflow and underflow.
struct hypot_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x, simd<double> y) const {
        using S = simd<double>;
        const S a = math::abs(x), b = math::abs(y), infinity(std::numeric_limits<double>::infinity());
        const S high = math::maximum(a, b), low = math::minimum(a, b);
        const auto large = S(0x1p500) < high, small = high < S(0x1p-500);
        const S down = math::select(large, S(0x1p-600), math::select(small, S(0x1p600), S(1)));
        const S up = math::select(large, S(0x1p600), math::select(small, S(0x1p-600), S(1)));
        const S h = high * down, l = low * down;
        return math::select((a == infinity) | (b == infinity), infinity, math::sqrt(math::fma(h, h, l * l)) * up);
    }
};
/// Newton's method once on exp(log(x) / 3); numbers so small that their cubes would be inexact are scaled.
struct cbrt_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x);
        const auto small = size < S(0x1p-900);
        const S a = math::select(small, size * S(0x1p162), size);
        const S y = math::exp(math::log(a) * S(1.0 / 3)), square = y * y;
        const S root = y - math::fma(square, y, -a) / (square * S(3));
        const S unscaled = math::select(small, root * S(0x1p-54), root);
        const auto usual = (S(0.0) < size) & (size <= S(std::numeric_limits<double>::max()));
        return math::select(usual, math::copysign(unscaled, x), x);
    }
};

template <class T>
[[gnu::noinline, gnu::cold]] inline simd<T> by_lane(simd_mask<T> m, T (*function)(T, T), simd<T> a, simd<T> b,
                                                    simd<T> y) {
    T left[simd<T>::lanes], right[simd<T>::lanes], out[simd<T>::lanes];
    bool rare[simd<T>::lanes];
    a.store(left);
    b.store(right);
    y.store(out);
    m.store(rare);
    for (int i = 0; i < simd<T>::lanes; ++i)
        if (rare[i]) out[i] = function(left[i], right[i]);
    return simd<T>::load(out);
}

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> hypot(simd<T> x, std::type_identity_t<simd<T>> y) {
    if constexpr (!simd_supported<double>)
        return detail::by_lane(simd_mask<T>(true), +[](T a, T b) { return math::hypot(a, b); }, x, y, x);
    else return detail::in_doubles(detail::hypot_kernel(), x, y);
}
template <class T>
[[gnu::noinline]] simd<T> cbrt(simd<T> x) {
    if constexpr (!simd_supported<double>)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::cbrt(v); }, x, x);
    else return detail::in_doubles(detail::cbrt_kernel(), x);
}

/// Exact: the fused multiply gives the remainder of a quotient that is off by one at most. Quotients that have no unit
/// digit are left to the standard library.
template <class T>
RICCI_INLINE simd<T> fmod(simd<T> x, std::type_identity_t<simd<T>> y) {
    const simd<T> a = math::abs(x), b = math::abs(y), ratio = a / b, q = math::trunc(ratio);
    auto r = math::fma(-q, b, a);
    r = math::select(r < simd<T>(T(0)), r + b, r);
    r = math::copysign(math::select(b <= r, r - b, r), x);
    constexpr T most = sizeof(T) == 4 ? T(1 << 22) : T(std::int64_t(1) << 51);
    const auto usual = (ratio <= simd<T>(most)) & (b <= simd<T>(std::numeric_limits<T>::max()));
    const auto rare = detail::fused_multiply_add ? !usual : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, +[](T u, T v) { return math::fmod(u, v); }, x, y, r);
    return r;
}

template <class T>
RICCI_INLINE simd<T> nextafter(simd<T> x, std::type_identity_t<simd<T>> y) {
    const simd<T> zero(T(0)), up = simd<T>::from_bits(x.bits() + 1), down = simd<T>::from_bits(x.bits() - 1);
    auto r = math::select((x < y) == (zero < x), up, down);
    r = math::select(x == zero, math::copysign(simd<T>(std::numeric_limits<T>::denorm_min()), y), r);
    r = math::select(x == y, y, r);
    return math::select((x != x) | (y != y), x + y, r);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
// ---- ricci/cpu/simd_complex.hpp
// A register of complex numbers: the real parts in one register, the imaginary ones in another.

namespace ricci {
namespace detail {

/// The complex number whose parts are of type S.
template <class S>
struct complex_of {
    using type = std::complex<S>;
};

}  // namespace detail

#if defined(RICCI_HAS_SIMD)
namespace detail {
#if !defined(__CUDACC__)  // nvcc loses the pack of a shuffle
inline namespace RICCI_ISA {

/// Every second lane of two registers, from the first or from the second on; and the reverse.
template <int First, class T, std::size_t... I>
RICCI_INLINE simd<T> every_second(simd<T> a, simd<T> b, std::index_sequence<I...>) {
    return simd<T>::from_native(__builtin_shufflevector(a.raw(), b.raw(), static_cast<int>(2 * I + First)...));
}
template <int First, class T, std::size_t... I>
RICCI_INLINE simd<T> interleaved(simd<T> a, simd<T> b, std::index_sequence<I...>) {
    constexpr int n = simd<T>::lanes;
    return simd<T>::from_native(
        __builtin_shufflevector(a.raw(), b.raw(), static_cast<int>((First + I) / 2 + ((First + I) % 2) * n)...));
}

}  // namespace RICCI_ISA
#endif
template <class T>
struct complex_of<simd<T>> {
    using type = simd_complex<T>;
};
}  // namespace detail

inline namespace RICCI_ISA {

template <class T>
struct simd_complex {
    using value_type = std::complex<T>;
    using mask = simd_mask<T>;
    static constexpr int lanes = simd<T>::lanes;
    simd<T> re, im;

    simd_complex() = default;
    RICCI_INLINE simd_complex(simd<T> r, simd<T> i) : re(r), im(i) {}
    RICCI_INLINE simd_complex(simd<T> r) : re(r), im(T(0)) {}
    RICCI_INLINE simd_complex(std::complex<T> z) : re(z.real()), im(z.imag()) {}
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_INLINE simd_complex(N n) : simd_complex(simd<T>(static_cast<T>(n))) {}
    RICCI_INLINE simd<T> real() const { return re; }
    RICCI_INLINE simd<T> imag() const { return im; }

    static RICCI_INLINE simd_complex load(const std::complex<T>* p) {
        const T* at = reinterpret_cast<const T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes];
        for (int i = 0; i < 2 * lanes; ++i) part[i % 2][i / 2] = at[i];
        return {simd<T>::load(part[0]), simd<T>::load(part[1])};
#else
        const auto a = simd<T>::load(at), b = simd<T>::load(at + lanes);
        constexpr std::make_index_sequence<lanes> all;
        return {detail::every_second<0>(a, b, all), detail::every_second<1>(a, b, all)};
#endif
    }
    RICCI_INLINE void store(std::complex<T>* p) const {
        T* at = reinterpret_cast<T*>(p);
#if defined(__CUDACC__)
        T part[2][lanes];
        re.store(part[0]);
        im.store(part[1]);
        for (int i = 0; i < 2 * lanes; ++i) at[i] = part[i % 2][i / 2];
#else
        constexpr std::make_index_sequence<lanes> all;
        detail::interleaved<0>(re, im, all).store(at);
        detail::interleaved<lanes>(re, im, all).store(at + lanes);
#endif
    }

    friend RICCI_INLINE simd_complex operator+(simd_complex a, simd_complex b) { return {a.re + b.re, a.im + b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a, simd_complex b) { return {a.re - b.re, a.im - b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a) { return {-a.re, -a.im}; }
    friend RICCI_INLINE simd_complex operator+(simd_complex a) { return a; }
    friend RICCI_INLINE simd_complex operator*(simd_complex a, simd_complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    /// Smith's, as NumPy's: by the larger part of the divisor.
    friend RICCI_INLINE simd_complex operator/(simd_complex a, simd_complex b) {
        const auto swapped = math::abs(b.re) < math::abs(b.im);
        const auto large = math::select(swapped, b.im, b.re), small = math::select(swapped, b.re, b.im);
        const simd<T> zero(T(0)), ratio = math::select(large == zero, zero, small / large);
        const auto by = large + small * ratio;
        return {math::select(swapped, a.re * ratio + a.im, a.re + a.im * ratio) / by,
                math::select(swapped, a.im * ratio - a.re, a.im - a.re * ratio) / by};
    }
    friend RICCI_INLINE simd_complex operator+(simd_complex a, simd<T> b) { return {a.re + b, a.im}; }
    friend RICCI_INLINE simd_complex operator+(simd<T> a, simd_complex b) { return {a + b.re, b.im}; }
    friend RICCI_INLINE simd_complex operator-(simd_complex a, simd<T> b) { return {a.re - b, a.im}; }
    friend RICCI_INLINE simd_complex operator-(simd<T> a, simd_complex b) { return {a - b.re, -b.im}; }
    friend RICCI_INLINE simd_complex operator*(simd_complex a, simd<T> b) { return {a.re * b, a.im * b}; }
    friend RICCI_INLINE simd_complex operator*(simd<T> a, simd_complex b) { return b * a; }
    friend RICCI_INLINE simd_complex operator/(simd_complex a, simd<T> b) { return {a.re / b, a.im / b}; }
    friend RICCI_INLINE simd_complex operator/(simd<T> a, simd_complex b) { return simd_complex(a) / b; }
    friend RICCI_INLINE mask operator==(simd_complex a, simd_complex b) { return (a.re == b.re) & (a.im == b.im); }
    friend RICCI_INLINE mask operator==(simd_complex a, simd<T> b) { return a == simd_complex(b); }
    friend RICCI_INLINE mask operator!=(simd_complex a, simd<T> b) { return a != simd_complex(b); }
    friend RICCI_INLINE mask operator!=(simd_complex a, simd_complex b) { return (a.re != b.re) | (a.im != b.im); }
    RICCI_INLINE simd_complex& operator+=(simd_complex b) { return *this = *this + b; }
    RICCI_INLINE simd_complex& operator-=(simd_complex b) { return *this = *this - b; }
    RICCI_INLINE simd_complex& operator*=(simd_complex b) { return *this = *this * b; }
    RICCI_INLINE simd_complex& operator/=(simd_complex b) { return *this = *this / b; }
};

// Beside C++ numbers, which would convert to either kind of register.
#define RICCI_SIMD_COMPLEX_OPERATOR(op)                     \
    template <class N, class T>                             \
        requires(std::is_arithmetic_v<N>)                   \
    RICCI_INLINE auto operator op(N a, simd_complex<T> b) { \
        return simd<T>(static_cast<T>(a)) op b;             \
    }                                                       \
    template <class N, class T>                             \
        requires(std::is_arithmetic_v<N>)                   \
    RICCI_INLINE auto operator op(simd_complex<T> a, N b) { \
        return a op simd<T>(static_cast<T>(b));             \
    }
RICCI_SIMD_COMPLEX_OPERATOR(+)
RICCI_SIMD_COMPLEX_OPERATOR(-)
RICCI_SIMD_COMPLEX_OPERATOR(*)
RICCI_SIMD_COMPLEX_OPERATOR(/)
RICCI_SIMD_COMPLEX_OPERATOR(==)
RICCI_SIMD_COMPLEX_OPERATOR(!=)
#undef RICCI_SIMD_COMPLEX_OPERATOR

}  // namespace RICCI_ISA

namespace math {
inline namespace RICCI_ISA {

/// f of each number, one by one.
template <class T, class F, class... Z>
RICCI_INLINE simd_complex<T> by_number(F f, simd_complex<T> a, Z... b) {
    std::complex<T> x[simd<T>::lanes], y[sizeof...(Z) + 1][simd<T>::lanes];
    a.store(x);
    int k = 0;
    (b.store(y[k++]), ...);
    for (int i = 0; i < simd<T>::lanes; ++i) {
        if constexpr (sizeof...(Z) == 0) x[i] = f(x[i]);
        else x[i] = f(x[i], y[0][i]);
    }
    return simd_complex<T>::load(x);
}
template <class T>
RICCI_INLINE simd_complex<T> select(simd_mask<T> m, simd_complex<T> a, simd_complex<T> b) {
    return {math::select(m, a.re, b.re), math::select(m, a.im, b.im)};
}
#define RICCI_SIMD_COMPLEX_UNARY(name)                                              \
    template <class T>                                                              \
    RICCI_INLINE simd_complex<T> name(simd_complex<T> x) {                          \
        return math::by_number([](std::complex<T> z) { return math::name(z); }, x); \
    }
RICCI_SIMD_COMPLEX_UNARY(log)
RICCI_SIMD_COMPLEX_UNARY(sin)
RICCI_SIMD_COMPLEX_UNARY(cos)
RICCI_SIMD_COMPLEX_UNARY(tanh)
RICCI_SIMD_COMPLEX_UNARY(sqrt)
#undef RICCI_SIMD_COMPLEX_UNARY
template <class T>
RICCI_INLINE simd_complex<T> pow(simd_complex<T> x, simd_complex<T> y) {
    return math::by_number([](std::complex<T> a, std::complex<T> b) { return math::pow(a, b); }, x, y);
}
template <class T>
RICCI_INLINE void sincos(simd_complex<T> x, simd_complex<T>& s, simd_complex<T>& c) {
    s = math::sin(x);
    c = math::cos(x);
}
/// e^a (cos b + i sin b); where that is not finite, one by one.
template <class T>
RICCI_INLINE simd_complex<T> exp(simd_complex<T> x) {
    const auto size = math::exp(x.re);
    simd<T> s, c;
    math::sincos(x.im, s, c);
    const simd_complex<T> y(size * c, size * s);
    const simd<T> huge(std::numeric_limits<T>::max());
    if (math::all((math::abs(y.re) <= huge) & (math::abs(y.im) <= huge))) [[likely]]
        return y;
    return math::by_number([](std::complex<T> z) { return math::exp(z); }, x);
}
/// The root of the sum of squares; where these leave the range of T, one by one.
template <class T>
RICCI_INLINE simd<T> abs(simd_complex<T> x) {
    using limits = std::numeric_limits<T>;
    const auto square = x.re * x.re + x.im * x.im;
    const simd<T> zero(T(0)), low(limits::min() / limits::epsilon()), high(limits::max());
    if (math::all(((low <= square) & (square <= high)) | ((x.re == zero) & (x.im == zero)))) [[likely]]
        return math::sqrt(square);
    return math::by_number([](std::complex<T> z) { return std::complex<T>(math::abs(z)); }, x).re;
}

}  // namespace RICCI_ISA
}  // namespace math
#endif  // RICCI_HAS_SIMD

}  // namespace ricci
// ---- ricci/cpu/simd_error.hpp
// The error function and its relatives on simd registers.

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// exp(power + power_tail) as (head + tail) 2^n.
struct wide_exp {
    simd<double> head, tail, n;
    RICCI_INLINE wide_exp(simd<double> power, simd<double> power_tail) {
        using S = simd<double>;
        power = clamped<double>(power, -800, 710);
        const nearest_integer<double> nearest(power, log2_e);
        n = nearest.value;
        const S a = math::fma(n, -0x1.62e42fefa38p-1, power), b = math::fma(n, -0x1.ef35793c7673p-45, power_tail);
        const exact_sum<double> r(a, b);
        const S rest = small_expm1_tail(r.head);
        head = S(1) + r.head;
        tail = ((S(1) - head) + r.head) + math::fma(r.tail, head, rest);
    }
};
/// (1 + 2x) exp(x^2) erfc(x) in t = (x - 3) / (x + 3), floats (x - 2) / (x + 2), from x = 0.4 up to where erfc
/// vanishes.
template <class T>
RICCI_INLINE simd<T> erfcx_polynomial(simd<T> t) {
    if constexpr (sizeof(T) == 4)
        return polynomial(t, 1.27697838f, -0.0927638255f, -0.166030331f, 0.16405097f, -0.0542231548f, -0.00802361853f,
                          0.0087591074f, 0.00115252341f, -0.00155045943f);
    else
        return polynomial(t, 1.2530080582697296, -0.13562110612458142, -0.047562294353446916, 0.1296451587027896,
                          -0.11927366341555674, 0.06830802734293012, -0.02377051491232605, 0.0025293918333795765,
                          0.0018886902754534662, -0.000779832428253149, -0.0001051591434732395, 0.00012510019036507324,
                          4.946239873415647e-06, -2.010333832536317e-05, -7.211005202048245e-07, 3.4780054934834846e-06,
                          3.351290973512469e-07, -6.230343182603596e-07, -1.1295719050738284e-07, 1.049144868236197e-07,
                          1.9578458373183435e-08, -1.2568364109642774e-08);
}
/// exp(x^2) erfc(x) for x >= 0.4.
template <class T>
RICCI_INLINE simd<T> erfcx(simd<T> x) {
    const simd<T> middle(sizeof(T) == 4 ? T(2) : T(3)), two(T(2));
    return erfcx_polynomial((x - middle) / (x + middle)) / math::fma(two, x, simd<T>(T(1)));
}
/// erf(x) / x - 1 in u = x^2 <= 1.
template <class T>
RICCI_INLINE simd<T> small_erf(simd<T> u) {
    if constexpr (sizeof(T) == 4)
        return polynomial(u, 0.128379166f, -0.376126267f, 0.112835947f, -0.026854212f, 0.00518908742f, -0.000801686429f,
                          7.87587506e-05f);
    else
        return polynomial(u, 0.1283791670955126, -0.37612638903183754, 0.1128379167095512, -0.02686617064512984,
                          0.0052239776254232985, -0.000854832702193483, 0.00012055332902888736, -1.4925647567519332e-05,
                          1.6462045441468418e-06, -1.6364642158167616e-07, 1.4792401209404813e-08,
                          -1.216456005728345e-09, 8.709045129053106e-11, -4.230945824295338e-12);
}

/// erfc(x + x_tail) scale for x >= 0.4, with minus the square given as power + power_tail. What the denominator, the
/// quotient and the argument lose is carried: the slope of exp(x^2) erfc(x) = q is 2 x q - 2 / sqrt(pi).
RICCI_INLINE simd<double> erfc_tail(simd<double> x, simd<double> x_tail, simd<double> power, simd<double> power_tail,
                                    simd<double> scale) {
    using S = simd<double>;
    const S one(1), three(3), p = erfcx_polynomial((x - three) / (x + three)) * scale, twice = x + x;
    const S d = one + twice, d_tail = twice + (one - d), q = p / d;
    const S q_tail =
        math::fma(x_tail, math::fma(twice, q, scale * S(-1.1283791670955126)), (math::fma(-q, d, p) - q * d_tail) / d);
    const wide_exp e(power, power_tail);
    const exact_product<double> y(e.head, q);
    const S z = y.head + (y.tail + math::fma(e.head, q_tail, e.tail * q));
    return S::from_native(scaled(z.raw(), e.n.raw()));
}
struct erfc_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = clamped<double>(math::abs(x), 0.4, 28), one(1);
        const exact_product<double> square(size, size);
        const S tail = erfc_tail(size, S(0), -square.head, -square.tail, one);
        const S near = math::fma(-x, small_erf(x * x), one - x);
        return math::select(math::abs(x) < S(0.4), near, math::select(x < S(0.0), S(2) - tail, tail));
    }
};
/// x times the normal distribution function: 1/2 erfc(-x / sqrt(2)), whose exponent is -x^2 / 2.
struct gelu_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = clamped<double>(math::abs(x), 0.5656854249492381, 39), z = x * S(0.70710678118654752);
        const exact_product<double> square(size, size);
        const S half(0.5), zero(0), one(1);
        const auto negative = x < zero;
        const exact_product<double> u(size, S(0.70710678118654757));
        const S u_tail = math::fma(size, -4.833646656726457e-17, u.tail);
        const S scale = half * math::select(negative, x, one);
        const S tail = erfc_tail(u.head, u_tail, square.head * -half, square.tail * -half, scale);
        const S near = x * (half * math::fma(z, small_erf(z * z), z + one));
        const S y = math::select(math::abs(z) < S(0.4), near, math::select(negative, tail, x * (one - tail)));
        return math::select(x < S(-39.0), -zero, y);
    }
};
/// erfinv within 2^-27, from w = -log(1 - x^2); one step of Halley's method makes it as exact as erf and erfc are.
template <bool Refine>
struct erfinv_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        using limits = std::numeric_limits<double>;
        const S one(1), size = math::abs(x), rest = one - size, w = -math::log(rest * (one + size));
        const auto far = S(6.0) < w;
        S y = size * polynomial(w, 0.8862269299370005, 0.23201345137942367, 0.011551047679936532,
                                -0.0023403828187188347, -0.00011963853740497517, 3.879833335245516e-05,
                                6.533157540664629e-06, -2.658372261663967e-06, 3.2578024700341724e-07,
                                -1.6401233366723792e-08, 2.4375841249546607e-11, 1.9701289962659887e-11);
        if (math::any(far)) {
            const S s = math::sqrt(w);
            y = math::select(
                far,
                size * polynomial(s, -10.25955837411854, 38.87136342684594, -60.76232230208139, 56.96142669134369,
                                  -35.34168960836861, 15.45187187147482, -4.921661707016911, 1.1599336052953944,
                                  -0.20270683794901168, 0.025982246237287794, -0.002376859895288391,
                                  0.00014707755207639362, -5.521231149909746e-06, 9.501250916899191e-08),
                y);
        }
        if constexpr (Refine) {
            const S near = math::fma(y, small_erf(y * y), y) - size, beyond = rest - erfc_kernel()(y);
            const S step = math::select(size < S(0.75), near, beyond) * (S(0.88622692545275801) * math::exp(y * y));
            y = y - step / math::fma(step, y, one);
        }
        y = math::select(size == one, S(limits::infinity()), y);
        return math::copysign(math::select(size <= one, y, S(limits::quiet_NaN())), x);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
RICCI_INLINE simd<T> erf(simd<T> x) {
    using namespace detail;
    const simd<T> one(T(1)), size = math::abs(x), u = x * x;
    const auto near = math::fma(x, small_erf(u), x);
    const auto beyond = one < size;
    if (!math::any(beyond)) return near;
    const auto bounded = clamped<T>(size, T(0.9), T(6.5));
    const auto far = one - math::exp(-bounded * bounded) * erfcx(bounded);
    return math::select(beyond, math::copysign(far, x), near);
}

template <class T>
[[gnu::noinline]] simd<T> erfc(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::erfc(v); }, x, x);
    else return detail::in_doubles(detail::erfc_kernel(), x);
}

template <class T>
[[gnu::noinline]] simd<T> gelu(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::gelu(v); }, x, x);
    else return detail::in_doubles(detail::gelu_kernel(), x);
}
template <class T>
[[gnu::noinline]] simd<T> erfinv(simd<T> x) {
    if constexpr (!detail::precise_doubles)
        return detail::by_lane(simd_mask<T>(true), +[](T v) { return math::erfinv(v); }, x, x);
    else return detail::in_doubles(detail::erfinv_kernel<sizeof(T) == 8>(), x);
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
// ---- ricci/cpu/simd_gamma.hpp
// The logarithm of the gamma function and its derivative on simd registers.

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// lgamma for x >= 2^-1000. Up to 3 by polynomials with its zeros as factors around 1 and 2 and around its minimum
/// between them, below 1/2 less log(x); from 3 on by Stirling's series, the logarithm in two words.
struct lgamma_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const auto low = x < S(0.5), large = S(3) <= x;
        const auto log = precise_log(x);
        if (math::all(large)) return stirling(x, log.head, log.tail);
        const S t = math::select(low, x, x - S(1));
        const S one =
            t * polynomial(t, -0.5772156649015329, 0.822467033424113, -0.4006856343865024, 0.2705808084280286,
                           -0.20738555104042014, 0.16955717692281833, -0.14404989498042264, 0.1255096807585114,
                           -0.11133439587593055, 0.10009852566161506, -0.090949333462438, 0.08339833757314664,
                           -0.07699347519861462, 0.07021187166094772, -0.06779889669774851, 0.08027649594236172,
                           -0.008746290445545691, -0.036102254464269457, -0.6683341025699611, -0.5611277924994944,
                           1.984707030504937, 6.587642406579553, 7.455414527413607, 3.3824682013413416);
        const S s = t - S(0x1.d8b618d5af8fep-2);
        const S middle =
            S(-0x1.f19b9bcc38a42p-4) +
            s * s *
                polynomial(s, 0.4838361227238106, -0.14758772299453085, 0.06462494023890496, -0.032788541088394206,
                           0.017970675117457, -0.010314223053285882, 0.006100535780127365, -0.003684568173200783,
                           0.002259776906437492, -0.0014023159396616674, 0.0008779286556321525, -0.0005526295072286606,
                           0.00035545527664048414, -0.0002439903720679447, 0.00013297789842802915);
        const S t2 = x - S(2);
        const S two =
            t2 * polynomial(t2, 0.42278433509846713, 0.32246703342411326, -0.06735230105319931, 0.0205808084277763,
                            -0.007385551028523695, 0.002890510330968406, -0.0011927539186472448, 0.0005096695337189973,
                            -0.0002231546282994922, 9.945705723331842e-05, -4.4926758280908465e-05,
                            2.0512892566700196e-05, -9.44962703150319e-06, 4.366531989786804e-06, -1.97069310769032e-06,
                            8.10096783905124e-07, -2.691639772799705e-07, 6.07407545286965e-08,
                            -6.7033599145495415e-09);
        S y = math::select(t < S(0.23), one, math::select(t < S(0.73), middle, two));
        y = math::select(low, (y - log.tail) - log.head, y + S(0.0));
        return math::any(large) ? math::select(large, stirling(x, log.head, log.tail), y) : y;
    }
    /// (x - 1/2) (log(x) - 1) + (log(2 pi) - 1) / 2 + 1 / 12x - ...
    RICCI_INLINE static simd<double> stirling(simd<double> x, simd<double> log, simd<double> log_tail) {
        using S = simd<double>;
        const S w = S(1) / x, a = x - S(0.5);
        const S series =
            w * polynomial(w * w, 0.0833333333333333, -0.0027777777777198706, 0.0007936507724234067,
                           -0.0005952350113118343, 0.0008415163778136668, -0.0019068288114279443, 0.006092364447572614,
                           -0.023023388614372777, 0.0813307211132798, -0.2070933006751568, 0.26180852870866445);
        S c, c_tail, sum, sum_tail;
        add_exactly(log, S(-1), c, c_tail);
        const exact_product<double> product(a, c);
        add_exactly(product.head, S(0x1.acfe390c97d69p-2), sum, sum_tail);
        const S y = sum + (sum_tail + (product.tail + math::fma(a, c_tail + log_tail, series)));
        return math::select(x < S(0x1p1014), y, product.head);
    }
};

/// digamma for x >= 2^-1000: with its zero as a factor between 1 and 2, below 1 less 1 / x; by another polynomial up to
/// 3, then the asymptotic series, the logarithm in two words.
struct digamma_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const auto low = x < S(1), large = S(3) <= x;
        const S w = S(1) / x, u = w * w;
        const S series = math::fma(
            u,
            polynomial(u, -0.08333333333333326, 0.008333333333142599, -0.003968253884920039, 0.004166652178650307,
                       -0.00757443060881869, 0.02101916489697652, -0.08064047398067098, 0.37430045081725144,
                       -1.7458633558768843, 6.706334097588544, -17.261883761190983, 21.29861333701341),
            w * S(-0.5));
        const auto log = precise_log(x);
        const S far = log.head + (log.tail + series);
        if (math::all(large)) return far;
        const S from_zero = x - math::select(low, S(0x1.d8b618d5af8fep-2), S(0x1.762d86356be3fp+0));
        const S rest = math::select(low, S(-0x1.1e563779a1f5bp-56), S(0x1.b86a722197829p-54));
        const S t = math::select(low, x - S(0.5), x - S(1.5)), t2 = x - S(2.5);
        const S q = polynomial(
            t, 0.951055876031833, -0.4236274212814605, 0.2405424842407742, -0.14840492305390884, 0.09498872445494122,
            -0.061922133273064534, 0.04076083381242074, -0.02697579675613825, 0.0179072524394512, -0.011908218001568644,
            0.007926944646403797, -0.005279964873257405, 0.003519006401502276, -0.002345267632540769,
            0.0015566317474486838, -0.0010376374098418604, 0.0007233266279287554, -0.0004821990530566789,
            0.0002272331660987376, -0.00015148586836773365, 0.00025968482126430747, -0.00017312261802727394);
        const S p = math::fma(from_zero, q, -rest * q);
        const S two = polynomial(
            t2, 0.7031566406452432, 0.4903577561002345, -0.11810202582086357, 0.03731764146960415, -0.01307316664613865,
            0.004821409817920042, -0.0018305640368755439, 0.0007073882522027979, -0.0002764392890487257,
            0.00010882468831361856, -4.305222744303708e-05, 1.7097814576852476e-05, -6.802386003463138e-06,
            2.672613474275583e-06, -1.0661559311957542e-06, 5.126050992843158e-07, -2.047891022197242e-07);
        S y = math::select(x < S(2), p, two);
        y = math::select(low, (p - w * math::fma(-w, x, S(1))) - w, y);
        return math::any(large) ? math::select(large, far, y) : y;
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

// Zero, negative and subnormal numbers, infinity and NaN by the scalar functions.
#define RICCI_MATH_POSITIVE(name)                                                                  \
    template <class T>                                                                             \
    [[gnu::noinline]] simd<T> name(simd<T> x) {                                                    \
        const auto usual = (simd<T>(sizeof(T) == 4 ? T(0x1p-120) : T(0x1p-1000)) <= x) &           \
                           (x <= simd<T>(std::numeric_limits<T>::max()));                          \
        auto y = x;                                                                                \
        if constexpr (detail::precise_doubles) y = detail::in_doubles(detail::name##_kernel(), x); \
        const auto rare = detail::precise_doubles ? !usual : simd_mask<T>(true);                   \
        if (math::any(rare)) [[unlikely]]                                                          \
            return detail::by_lane(rare, +[](T v) { return math::name(v); }, x, y);                \
        return y;                                                                                  \
    }
RICCI_MATH_POSITIVE(lgamma)
RICCI_MATH_POSITIVE(digamma)
#undef RICCI_MATH_POSITIVE

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif
// ---- ricci/cpu/simd_trigonometric.hpp
// Tangent and the inverse trigonometric functions on simd registers.

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// Rounded to T, and what that leaves.
template <class T>
inline constexpr T half_pi = T(1.57079632679489661923);
template <class T>
inline constexpr T half_pi_rest = sizeof(T) == 8 ? T(6.12323399573676604e-17) : T(-4.37113883e-8);

/// (atan(z) / z - 1) / z^2 in u = z^2 <= 1, off by 3e-17 (double) and 3e-9 (float).
template <class T>
RICCI_INLINE simd<T> atan_polynomial(simd<T> u) {
    if constexpr (sizeof(T) == 8)
        return polynomial(
            u, -0.33333333333333330252, 0.19999999999997532204, -0.14285714285384131545, 0.11111111093490828096,
            -0.090909085908919342252, 0.07692298971033216917, -0.066665646992891042112, 0.058815068777936560666,
            -0.05257973334284110807, 0.047377495795277789723, -0.042603566326016521328, 0.037494868125352471116,
            -0.03127718906699638479, 0.023696731580048622013, -0.015535152475414176125, 0.0083689311784501621357,
            -0.00349588597391630952, 0.0010496035084968515073, -0.00019996189377901382062, 0.000018061954618612152202);
    else
        return polynomial(u, -0.3333333308f, 0.1999994932f, -0.1428400379f, 0.1108826163f, -0.08931826777f,
                          0.0703191425f, -0.04896051403f, 0.02630500111f, -0.009144629761f, 0.001488691939f);
}
/// asin(sqrt(z)) / sqrt(z) - 1 for z <= 1/4.
template <class T>
RICCI_INLINE simd<T> asin_tail(simd<T> z) {
    if constexpr (sizeof(T) == 8)
        return z * polynomial(z, 0.16666666666666669, 0.07499999999998433, 0.04464285714635543, 0.030381944138531247,
                              0.02237217294214989, 0.017352392720869973, 0.013971212973552933, 0.011479177415184906,
                              0.01032281435018578, 0.005457506718640358, 0.01740087944269402, -0.014851887071247204,
                              0.028757851367421566);
    else
        return z *
               polynomial(z, 0.166666663f, 0.0750009454f, 0.0445994015f, 0.0311006627f, 0.0171492384f, 0.0336908472f);
}
/// With s = sqrt((1 - |x|) / 2) for |x| > 1/2: acos(|x|) = 2 asin(s) = root + rest.
template <class T>
struct asin_parts {
    simd<T> root, rest, near;
    simd_mask<T> large;
    RICCI_INLINE explicit asin_parts(simd<T> x) {
        const simd<T> one(T(1)), half(T(0.5)), size = math::abs(x);
        large = half < size;
        const auto z = math::select(large, (one - size) * half, x * x), s = math::sqrt(z), tail = asin_tail(z);
        auto lost = simd<T>(T(0));
        if constexpr (fused_multiply_add) lost = math::fma(-s, s, z) / math::select(s == simd<T>(T(0)), one, s);
        root = s + s;
        rest = math::fma(root, tail, lost);
        near = x * tail;
    }
};
/// (a - root) + (a_rest - rest) for a >= root.
template <class T>
RICCI_INLINE simd<T> turn_minus(T a, T a_rest, simd<T> root, simd<T> rest) {
    const simd<T> whole(a), head = whole - root;
    return head + (((whole - head) - root) + (simd<T>(a_rest) - rest));
}

struct tan_kernel {
    RICCI_INLINE simd<double> operator()(simd<double> x) const {
        using S = simd<double>;
        const S size = math::abs(x);
        const nearest_integer<double> n(size, 0.63661977236758134);
        // in two words: the slope is up to 2 relative to the value, and the reciprocal adds its own error
        const S first = math::fma(n.value, -0x1.921fb54442d18p+0, size);
        const S third = n.value * S(-0x1.1a62633145c07p-54);
        S r, r_tail;
        add_exactly(first, third, r, r_tail);
        r_tail = r_tail + (math::fma(n.value, -0x1.1a62633145c07p-54, -third) + n.value * S(0x1.f1976b7ed8fbcp-110));
        const S u = r * r;
        const S p = r * u *
                    polynomial(u, 0.33333333333333326, 0.13333333333337374, 0.05396825396400942, 0.021869488711250728,
                               0.008863231772517861, 0.003592176159067967, 0.0014554368892911913, 0.0005922433049752777,
                               0.00023058731207990741, 0.00011985660831908242, -3.233018376880038e-06,
                               6.849235091137135e-05, -3.373482899306191e-05, 1.8225362367708427e-05);
        const S t = r + p, t_tail = ((r - t) + p) + math::fma(r_tail * t, t, r_tail);
        const S inverse = S(-1) / t, inverse_tail = inverse * (math::fma(inverse, t, S(1)) + inverse * t_tail);
        const S y = math::select(lowest_is_set<double>(n.shifted.bits()), inverse + inverse_tail, t + t_tail);
        const S signed_y = S::from_bits(y.bits() ^ (x.bits() & sign_only<double>));
        return math::select(size < S(0x1p-27), x, signed_y);
    }
};

}  // namespace RICCI_ISA
}  // namespace detail

namespace math {
inline namespace RICCI_ISA {

template <class T>
[[gnu::noinline]] simd<T> tan(simd<T> x) {
    auto y = x;
    if constexpr (detail::precise_doubles) y = detail::in_doubles(detail::tan_kernel(), x);
    const auto rare = detail::precise_doubles ? !(math::abs(x) <= simd<T>(T(1 << 30))) : simd_mask<T>(true);
    if (math::any(rare)) [[unlikely]]
        return detail::by_lane(rare, +[](T v) { return math::tan(v); }, x, y);
    return y;
}

/// With z = x up to 1 and -1 / x beyond: z + z^3 p(z^2), plus a quarter turn beyond 1.
template <class T>
RICCI_INLINE simd<T> atan(simd<T> x) {
    using namespace detail;
    const simd<T> one(T(1)), zero(T(0)), size = math::abs(x);
    const auto beyond = one < size;
    const simd<T> z = math::select(beyond, -one / size, size), u = z * z;
    // The rest of the quarter turn is added where the sum is small, or it would be rounded away.
    const simd<T> y = z + math::fma(z * u, atan_polynomial(u), math::select(beyond, simd<T>(half_pi_rest<T>), zero));
    return math::copysign(y + math::select(beyond, simd<T>(half_pi<T>), zero), x);
}

template <class T>
RICCI_INLINE simd<T> atan2(simd<T> y, std::type_identity_t<simd<T>> x) {
    using namespace detail;
    const simd<T> zero(T(0)), one(T(1)), a = math::abs(y), b = math::abs(x);
    const auto low = math::minimum(a, b), high = math::maximum(a, b);
    // equal ones include two infinities and two zeros
    const auto q = math::select(low == high, math::select(high == zero, zero, one), low / high), u = q * q;
    const auto tail = q * u * atan_polynomial(u);
    auto angle = math::select(b < a, turn_minus(half_pi<T>, half_pi_rest<T>, q, tail), q + tail);
    angle = math::select(math::signbit(x), turn_minus(2 * half_pi<T>, 2 * half_pi_rest<T>, angle, zero), angle);
    return math::copysign(angle, y);
}

template <class T>
RICCI_INLINE simd<T> asin(simd<T> x) {
    using namespace detail;
    const asin_parts<T> parts(x);
    const auto far = turn_minus(half_pi<T>, half_pi_rest<T>, parts.root, parts.rest);
    return math::select(parts.large, math::copysign(far, x), x + parts.near);
}
template <class T>
RICCI_INLINE simd<T> acos(simd<T> x) {
    using namespace detail;
    const asin_parts<T> parts(x);
    const auto beyond = turn_minus(2 * half_pi<T>, 2 * half_pi_rest<T>, parts.root, parts.rest);
    const auto far = math::select(x < simd<T>(T(0)), beyond, parts.root + parts.rest);
    return math::select(parts.large, far, turn_minus(half_pi<T>, half_pi_rest<T>, x, parts.near));
}

}  // namespace RICCI_ISA
}  // namespace math
}  // namespace ricci
#endif

namespace ricci {

/// The reductions that a kernel can carry. Each gives its identity and joins two scalars or two registers.
struct combine_plus {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(0);
    }
    template <class S>
    RICCI_HD static RICCI_INLINE S join(const S& a, const S& b) {
        return static_cast<S>(math::wrap(a) + math::wrap(b));
    }
};
struct combine_multiply {
    template <class T>
    RICCI_HD static constexpr T identity() {
        return T(1);
    }
    template <class S>
    RICCI_HD static RICCI_INLINE S join(const S& a, const S& b) {
        return static_cast<S>(math::wrap(a) * math::wrap(b));
    }
};
struct combine_maximum {
    template <class T>
    RICCI_HD static constexpr T identity() {
        if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::lowest();
    }
    template <class S>
    RICCI_HD static RICCI_INLINE S join(const S& a, const S& b) {
        return math::maximum(a, b);
    }
};
struct combine_minimum {
    template <class T>
    RICCI_HD static constexpr T identity() {
        if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
        else return std::numeric_limits<T>::max();
    }
    template <class S>
    RICCI_HD static RICCI_INLINE S join(const S& a, const S& b) {
        return math::minimum(a, b);
    }
};

}  // namespace ricci
// ---- ricci/expr/sweep.hpp
// A fused function of any derivative order: a tree swept forward, or forward and backward, over nested duals and series.
//
// With F the tree's function, y = F(x), a seed y_bar and z = (x, y_bar), every derivative that is ever asked of a fused map
// is a component, over the algebra of a nest (expr/nested.hpp), of y or of the gradient of L(z) = y_bar * F(x). The gradient
// of L is (F'(x) y_bar, F(x)); its Jacobian is symmetric, so that the pullback of a reverse sweep is the same sweep over one
// more dual, with the cotangents as tangents. Inputs and outputs are therefore named by components: a variable (slot 0..N-1,
// or N for the seed on the way in and y on the way out) and the powers of the levels' infinitesimals.
// ---- ricci/expr/tree.hpp
// A map without its leaves: the static function that kernels evaluate. Forward on any scalar, and backward by a register
// sweep over traces built in place.
// ---- ricci/expr/map.hpp
// The lazy map: an element-wise op over its arguments, kept as a type until something consumes it.
// ---- ricci/expr/op.hpp
// What an element-wise op is to the engine: its types, how it is evaluated on any scalar, and how derivatives of any order
// follow from its one rule.
// ---- ricci/expr/series.hpp
// What the series rules of ops are made of: products, derivatives and integrals of truncated series, and the recurrence
// behind y' = g(y) x'. (Griewank and Walther, Evaluating Derivatives, chapter 13.)
// ---- ricci/expr/nested.hpp
// Duals and Taylor series nested in each other: levels of differentiation, and the components of such scalars.
//
// A nest is described by the degrees of its levels, one hexadecimal digit each, the innermost level the lowest digit: a dual
// has degree 1, a Taylor series its order. A component is named by the powers of the levels' infinitesimals, in the same
// digits. All such algebras pair a component with the one whose powers make up the full degrees (the functional that takes
// the highest coefficient of a product is symmetric and not degenerate): `degrees - powers` is where an adjoint lives.
// ---- ricci/expr/taylor.hpp
// Truncated Taylor series: a value with derivatives of all orders up to one, over any kernel scalar.

// ---- ricci/expr/dual.hpp
// Dual numbers: a value and a tangent, over any kernel scalar, nested for higher orders.

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// value + tangent * epsilon with epsilon^2 = 0. Every element-wise function of the library takes duals; the derivative
/// comes from the function's own rule. `dual<dual<double>>` carries second derivatives.
template <class S>
struct dual {
    using value_type = S;
    S value{};
    S tangent{};

    constexpr dual() = default;
    RICCI_HD RICCI_INLINE constexpr dual(S v, S t) : value(v), tangent(t) {}
    // Member by member: copied as one block, registers go through memory, in pieces that are no registers.
    RICCI_HD RICCI_INLINE constexpr dual(const dual& other) : value(other.value), tangent(other.tangent) {}
    RICCI_HD RICCI_INLINE constexpr dual& operator=(const dual& other) {
        value = other.value;
        tangent = other.tangent;
        return *this;
    }
    /// A constant: its tangent is zero.
    template <class U>
        requires(std::is_convertible_v<U, S>)
    RICCI_HD RICCI_INLINE constexpr dual(const U& v) : value(v), tangent(0) {}
};

template <class S>
inline constexpr bool is_dual_v = false;
template <class S>
inline constexpr bool is_dual_v<dual<S>> = true;
template <class S>
inline constexpr bool is_kernel_scalar_v<dual<S>> = true;

}  // namespace ricci
RICCI_BOTH_SIDES_END

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// c[0] + c[1] t + ... + c[K] t^K, modulo t^(K+1). Every element-wise function of the library takes these: an op that has a
/// `series` rule by that (the recurrences of Griewank and Walther, Evaluating Derivatives, chapter 13), any other by its
/// pullback. Nests with itself and with dual.
template <class S, int K>
struct taylor {
    static_assert(K >= 1 && K <= 15, "ricci: a Taylor series has an order from 1 to 15");
    using value_type = S;
    static constexpr int order = K;
    S coefficient[K + 1] = {};

    constexpr taylor() = default;
    /// A constant.
    template <class U>
        requires(std::is_convertible_v<U, S>)
    RICCI_HD RICCI_INLINE constexpr taylor(const U& value) : coefficient{S(value)} {
        for (int k = 1; k <= K; ++k) coefficient[k] = S(0);
    }
    /// x + t: the variable of an expansion around x.
    RICCI_HD RICCI_INLINE static constexpr taylor variable(const S& x) {
        taylor t(x);
        t.coefficient[1] = S(1);
        return t;
    }
    RICCI_HD RICCI_INLINE constexpr S& operator[](int k) { return coefficient[k]; }
    RICCI_HD RICCI_INLINE constexpr const S& operator[](int k) const { return coefficient[k]; }
};

template <class S>
inline constexpr bool is_taylor_v = false;
template <class S, int K>
inline constexpr bool is_taylor_v<taylor<S, K>> = true;
template <class S, int K>
inline constexpr bool is_kernel_scalar_v<taylor<S, K>> = true;

}  // namespace ricci
RICCI_BOTH_SIDES_END

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

using degrees_t = unsigned long long;

namespace detail {

/// How many levels there are.
constexpr int level_count(degrees_t degrees) {
    int n = 0;
    for (; degrees; degrees >>= 4) ++n;
    return n;
}
/// A power of the infinitesimal of the level that would come next around the others.
constexpr degrees_t next_level(degrees_t degrees, int power = 1) {
    return static_cast<degrees_t>(power) << (4 * level_count(degrees));
}
/// How many components a nest has.
constexpr int component_count(degrees_t degrees) {
    int n = 1;
    for (; degrees; degrees >>= 4) n *= static_cast<int>(degrees & 15) + 1;
    return n;
}
/// The powers of the i-th component.
constexpr degrees_t component_powers(degrees_t degrees, int i) {
    degrees_t powers = 0;
    for (int shift = 0; degrees >> shift; shift += 4) {
        const int n = static_cast<int>(degrees >> shift & 15) + 1;
        powers |= static_cast<degrees_t>(i % n) << shift;
        i /= n;
    }
    return powers;
}

}  // namespace detail

/// The degrees of a scalar's levels; 0 for one that carries no derivatives.
template <class S>
inline constexpr degrees_t degrees_v = 0;
template <class S>
inline constexpr degrees_t degrees_v<dual<S>> = degrees_v<S> | detail::next_level(degrees_v<S>, 1);
template <class S, int K>
inline constexpr degrees_t degrees_v<taylor<S, K>> = degrees_v<S> | detail::next_level(degrees_v<S>, K);

/// Duals and Taylor series.
template <class S>
inline constexpr bool is_nested_v = degrees_v<S> != 0;

namespace detail {

template <class S>
struct scalar_base {
    using type = S;
};
template <class S>
struct scalar_base<dual<S>> : scalar_base<S> {};
template <class S, int K>
struct scalar_base<taylor<S, K>> : scalar_base<S> {};
/// The scalar at the bottom of a nest.
template <class S>
using scalar_base_t = typename scalar_base<S>::type;

/// S with one level more: a level of degree 1 is a dual.
template <class S, int Degree>
using leveled = std::conditional_t<Degree == 1, dual<S>, taylor<S, Degree>>;

template <class S, degrees_t Degrees>
struct nest {
    static constexpr int shift = 4 * (level_count(Degrees) - 1);
    static constexpr int degree = static_cast<int>(Degrees >> shift);
    static constexpr degrees_t rest = Degrees ^ static_cast<degrees_t>(degree) << shift;
    using inner = nest<S, rest>;
    using type = leveled<typename inner::type, degree>;

    template <degrees_t Powers, class F>
    RICCI_HD RICCI_INLINE static constexpr type make(const F& part) {
        return fill<Powers>(part, std::make_integer_sequence<int, degree + 1>{});
    }

   private:
    template <degrees_t Powers, class F, int... K>
    RICCI_HD RICCI_INLINE static constexpr type fill(const F& part, std::integer_sequence<int, K...>) {
        if constexpr (degree == 1) {
            return type(inner::template make<(Powers | static_cast<degrees_t>(K) << shift)>(part)...);
        } else {
            type t;
            ((t[K] = inner::template make<(Powers | static_cast<degrees_t>(K) << shift)>(part)), ...);
            return t;
        }
    }
};
template <class S>
struct nest<S, 0> {
    using type = S;
    template <degrees_t Powers, class F>
    RICCI_HD RICCI_INLINE static constexpr S make(const F& part) {
        return S(part(std::integral_constant<degrees_t, Powers>{}));
    }
};
/// The nest over S with the given degrees.
template <class S, degrees_t Degrees>
using nest_t = typename nest<S, Degrees>::type;

/// Builds a nest from its components: part(powers) gives each.
template <class S, degrees_t Degrees, class F>
RICCI_HD RICCI_INLINE constexpr nest_t<S, Degrees> make_nested(const F& part) {
    return nest<S, Degrees>::template make<0>(part);
}

/// The component of a nest with the given powers.
template <class S>
RICCI_HD RICCI_INLINE constexpr scalar_base_t<S> component_of(const S& x, degrees_t powers) {
    if constexpr (!is_nested_v<S>) {
        return x;
    } else {
        const int power = static_cast<int>(powers >> (4 * level_count(degrees_v<typename S::value_type>)) & 15);
        if constexpr (is_dual_v<S>) return power ? component_of(x.tangent, powers) : component_of(x.value, powers);
        else return component_of(x[power], powers);
    }
}

/// The value without the outermost level, anything that carries no derivatives itself.
template <class S>
RICCI_HD RICCI_INLINE constexpr const auto& primal(const S& x) {
    if constexpr (is_dual_v<S>) return x.value;
    else if constexpr (is_taylor_v<S>) return x.coefficient[0];
    else return x;
}
/// The value without any level.
template <class S>
RICCI_HD RICCI_INLINE constexpr const auto& innermost(const S& x) {
    if constexpr (is_nested_v<S>) return innermost(primal(x));
    else return x;
}

/// The most levels that any of some scalars has.
template <class... X>
inline constexpr int depth_v = [] {
    int depth = 0;
    ((depth = level_count(degrees_v<X>) > depth ? level_count(degrees_v<X>) : depth), ...);
    return depth;
}();
/// Whether X has a level at the given depth, its outermost: scalars of fewer levels are constants there.
template <int Depth, class X>
inline constexpr bool varies_v = Depth > 0 && level_count(degrees_v<X>) == Depth;

/// What an op sees of an argument one level down.
template <int Depth, class S>
RICCI_HD RICCI_INLINE constexpr const auto& below(const S& x) {
    if constexpr (varies_v<Depth, S>) return primal(x);
    else return x;
}

}  // namespace detail

/// Whether a scalar that is no nest is a complex number; specialised for what stands in for one.
template <class S>
inline constexpr bool is_complex_lane_v = is_complex_v<S>;
/// Whether a scalar, or what a nest is made of, is a complex number.
template <class S>
inline constexpr bool is_complex_scalar_v = is_complex_lane_v<detail::scalar_base_t<S>>;

}  // namespace ricci
RICCI_BOTH_SIDES_END

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

/// A small number beside scalars S, of a type that they combine with.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto factor(int n) {
    using base = scalar_base_t<S>;
    if constexpr (is_inexact_v<base>) return static_cast<real_t<base>>(n);
    else return n;
}

/// {f(c[0]), f(c[1]), ...}: what a linear function makes of a series.
template <class S, int K, class F>
RICCI_HD RICCI_INLINE constexpr auto each_coefficient(const taylor<S, K>& x, const F& f) {
    taylor<std::remove_cvref_t<decltype(f(x[0]))>, K> y;
    for (int k = 0; k <= K; ++k) y[k] = f(x[k]);
    return y;
}

template <class S>
RICCI_HD RICCI_INLINE constexpr const auto& first_coefficient(const S& x) {
    if constexpr (is_taylor_v<S>) return x[0];
    else return x;
}

/// A series of order K - 1; of order 0, a scalar.
template <class S, int K>
using lower_order =
    typename std::conditional_t<K == 1, std::type_identity<S>, std::type_identity<taylor<S, K == 1 ? 1 : K - 1>>>::type;
/// The same series without its last coefficient.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr lower_order<S, K> truncated(const taylor<S, K>& x) {
    if constexpr (K == 1) {
        return x[0];
    } else {
        taylor<S, K - 1> y;
        for (int k = 0; k < K; ++k) y[k] = x[k];
        return y;
    }
}
/// The derivative, of one order less.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr lower_order<S, K> derivative_of(const taylor<S, K>& x) {
    if constexpr (K == 1) {
        return x[1];
    } else {
        taylor<S, K - 1> y;
        for (int k = 0; k < K; ++k) y[k] = x[k + 1] * factor<S>(k + 1);
        return y;
    }
}
/// The series of order K with the value y0 whose derivative is given; a derivative of no level is constant.
template <int K, class S, class D>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> integral(const S& y0, const D& derivative) {
    if constexpr (K == 1) {
        taylor<S, 1> y(y0);
        y[1] = S(derivative);
        return y;
    } else {
        const taylor<S, K - 1> d(derivative);
        taylor<S, K> y(y0);
        for (int k = 1; k <= K; ++k) y[k] = d[k - 1] / factor<S>(k);
        return y;
    }
}

/// Coefficient k of a product.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr S product_coefficient(const taylor<S, K>& a, const taylor<S, K>& b, int k) {
    S sum = a[0] * b[k];
    for (int j = 1; j <= k; ++j) sum = sum + a[j] * b[k - j];
    return sum;
}
template <class A, class B>
RICCI_HD RICCI_INLINE constexpr auto series_product(const A& a, const B& b) {
    if constexpr (!is_taylor_v<A>) {
        return each_coefficient(b, [&](const auto& c) { return a * c; });
    } else if constexpr (!is_taylor_v<B>) {
        return each_coefficient(a, [&](const auto& c) { return c * b; });
    } else {
        A y;
        for (int k = 0; k <= A::order; ++k) y[k] = product_coefficient(a, b, k);
        return y;
    }
}
template <class A, class B>
RICCI_HD RICCI_INLINE constexpr auto series_quotient(const A& a, const B& b) {
    if constexpr (!is_taylor_v<B>) {
        return each_coefficient(a, [&](const auto& c) { return c / b; });
    } else {
        const B numerator(a);
        B y;
        for (int k = 0; k <= B::order; ++k) {
            auto rest = numerator[k];
            for (int j = 1; j <= k; ++j) rest = rest - b[j] * y[k - j];
            y[k] = rest / b[0];
        }
        return y;
    }
}

/// The series y with y' = g x' and the value y0; coefficient(y, k), which may use y up to k, gives g's.
template <class S, int K, class G>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> series_along(const taylor<S, K>& x, const S& y0, const G& coefficient) {
    taylor<S, K> y(y0), g;
    for (int k = 1; k <= K; ++k) {
        g[k - 1] = coefficient(y, k - 1);
        S sum = x[k] * g[0] * factor<S>(k);
        for (int j = 1; j < k; ++j) sum = sum + x[j] * g[k - j] * factor<S>(j);
        y[k] = sum / factor<S>(k);
    }
    return y;
}

/// sum_k c[k] (x - x[0])^k: a function of a series from its own Taylor coefficients at x[0], by Horner's rule.
template <class S, int K>
RICCI_HD RICCI_INLINE constexpr taylor<S, K> composed(const taylor<S, K>& c, const taylor<S, K>& x) {
    taylor<S, K> y(c[K]);
    for (int k = K - 1; k >= 0; --k) {
        for (int n = K; n > 0; --n) {  // x[0] left out: an infinite c[k] must not spoil the coefficients below
            S sum = x[n] * y[0];
            for (int j = 1; j < n; ++j) sum = sum + x[j] * y[n - j];
            y[n] = sum;
        }
        y[0] = c[k];
    }
    return y;
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END

namespace ricci {

/// The adjoints that a pullback returns, one for each argument of the op.
template <class... S>
RICCI_HD RICCI_INLINE constexpr auto adjoints(const S&... s) {
    return detail::make_pack(s...);
}

/// A number as the scalar that a user's function sees outside of SIMD kernels: it makes the library's functions visible to
/// unqualified calls, as registers and duals do.
template <class T>
struct number {
    T value;
    RICCI_HD RICCI_INLINE constexpr number(T v) : value(v) {}
    RICCI_HD RICCI_INLINE constexpr operator T() const { return value; }
};
template <class T>
inline constexpr bool is_kernel_scalar_v<number<T>> = true;
template <class S>
inline constexpr bool is_number_v = false;
template <class T>
inline constexpr bool is_number_v<number<T>> = true;

namespace detail {

template <class S>
RICCI_HD RICCI_INLINE constexpr auto as_number(const S& x) {
    if constexpr (element<S>) return number<S>(x);
    else return x;
}
template <class S>
RICCI_HD RICCI_INLINE constexpr const S& plain(const S& x) {
    return x;
}
template <class T>
RICCI_HD RICCI_INLINE constexpr T plain(const number<T>& x) {
    return x.value;
}

}  // namespace detail

/// Arrays that stand in for scalars when a tree is replayed op by op (see grad/replay.hpp).
template <class S>
inline constexpr bool is_eager_v = false;
/// Sets of inputs that stand in for the numbers computed from them (see grad/dependence.hpp).
template <class S>
inline constexpr bool is_dependence_v = false;

namespace ops {

// C++ has no arithmetic between complex numbers and numbers of another type; the rules of ops write 2 * x.
#define RICCI_COMPLEX_OPERATOR(op)                                                    \
    template <class N, class T>                                                       \
        requires(std::is_arithmetic_v<N> && !std::is_same_v<N, T>)                    \
    RICCI_HD RICCI_INLINE constexpr auto operator op(N a, const std::complex<T>& b) { \
        return static_cast<T>(a) op b;                                                \
    }                                                                                 \
    template <class N, class T>                                                       \
        requires(std::is_arithmetic_v<N> && !std::is_same_v<N, T>)                    \
    RICCI_HD RICCI_INLINE constexpr auto operator op(const std::complex<T>& a, N b) { \
        return a op static_cast<T>(b);                                                \
    }
RICCI_COMPLEX_OPERATOR(+)
RICCI_COMPLEX_OPERATOR(-)
RICCI_COMPLEX_OPERATOR(*)
RICCI_COMPLEX_OPERATOR(/)
RICCI_COMPLEX_OPERATOR(==)
#undef RICCI_COMPLEX_OPERATOR

/// The product by its formula and the quotient by Smith's, as NumPy has them; the standard library's look for infinities in
/// a NaN.
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator*(const std::complex<T>& a, const std::complex<T>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
    requires(std::is_floating_point_v<T>)
RICCI_HD RICCI_INLINE constexpr std::complex<T> operator/(const std::complex<T>& a, const std::complex<T>& b) {
    const T c = b.real(), d = b.imag(), size_c = c < 0 ? -c : c, size_d = d < 0 ? -d : d;
    if (size_c < size_d) {
        const T ratio = c / d, by = d + c * ratio;
        return {(a.real() * ratio + a.imag()) / by, (a.imag() * ratio - a.real()) / by};
    }
    const T ratio = c == 0 ? T(0) : d / c, by = c + d * ratio;
    return {(a.real() + a.imag() * ratio) / by, (a.imag() - a.real() * ratio) / by};
}

// Signatures: which type an op computes in (`argument<I, kinds...>`) and what it gives (`result<kinds...>`). A kind is an
// element type or weak<S> for a C++ number.

/// All arguments in their common type, and the result too: + - * maximum.
struct arithmetic {
    static constexpr bool differentiable = true;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    using result = common_t<K...>;
};
/// As arithmetic, but integers become double: / exp sin.
struct floating {
    static constexpr bool differentiable = true;
    template <int, class... K>
    using argument = inexact_t<common_t<K...>>;
    template <class... K>
    using result = inexact_t<common_t<K...>>;
};
/// Common type in, bool out: < == isnan.
struct comparison {
    static constexpr bool differentiable = false;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class...>
    using result = bool;
};
/// Truth values in and out.
struct logical {
    static constexpr bool differentiable = false;
    static constexpr bool takes_masks = true;
    template <int, class...>
    using argument = bool;
    template <class...>
    using result = bool;
};

}  // namespace ops

namespace detail {

/// Ops that compute on truth values as such, so that SIMD masks will do; arithmetic on bools is left to scalars.
template <class Op>
inline constexpr bool takes_masks_v = requires { requires Op::takes_masks; };

template <class Op, class... X>
concept has_residual = requires(const Op& op, const X&... x) { op.value_with_residual(x...); };

template <class S>
RICCI_HD RICCI_INLINE constexpr auto as_pack(const S& s) {
    return make_pack(s);
}
template <class... S>
RICCI_HD RICCI_INLINE constexpr const pack<S...>& as_pack(const pack<S...>& p) {
    return p;
}

template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_op(const Op& op, const X&... x);

/// The absent member of a sum or of a list of adjoints.
struct nothing {};

RICCI_HD RICCI_INLINE constexpr nothing sum_of_present() { return {}; }
template <class A, class... Rest>
RICCI_HD RICCI_INLINE constexpr auto sum_of_present(const A& a, const Rest&... rest) {
    const auto tail = sum_of_present(rest...);
    if constexpr (std::is_same_v<A, nothing>) return tail;
    else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(tail)>, nothing>) return a;
    else return a + tail;
}

/// An op's value together with what its pullback needs. No reference members: an object that points into itself cannot be
/// split into registers by nvcc, and dangles when it is returned in registers.
template <class Op, class... X>
struct traced_value {
    decltype(evaluate_op(std::declval<const Op&>(), std::declval<const X&>()...)) y;
    RICCI_HD RICCI_INLINE constexpr traced_value(const Op& op, const X&... x) : y(evaluate_op(op, x...)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Op& op, const Y& y_bar, const X&... x) const {
        return as_pack(op.pullback(y_bar, x..., y));
    }
};
template <class Op, class... X>
    requires has_residual<Op, X...>
struct traced_value<Op, X...> {
    using both = decltype(std::declval<const Op&>().value_with_residual(std::declval<const X&>()...));
    both result;
    RICCI_HD RICCI_INLINE constexpr traced_value(const Op& op, const X&... x) : result(op.value_with_residual(x...)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return get<0>(result); }
    template <class Y>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Op& op, const Y& y_bar, const X&... x) const {
        return as_pack(op.pullback(y_bar, x..., get<0>(result), get<1>(result)));
    }
};

/// Ops whose linear part is not its own transpose: those that take complex numbers apart or put them together.
template <class Op, class D, class Y, class... X>
concept has_pushforward =
    requires(const Op& op, const D& x_dot, const Y& y, const X&... x) { op.pushforward(x_dot, x..., y); };
/// What the I-th argument's tangent adds to the result's. The pairing of an adjoint a and a tangent t is the real part of
/// a t, under which multiplication by a number, complex ones included, is its own transpose.
template <int I, class Op, class T, class D, class... X>
RICCI_HD RICCI_INLINE constexpr auto push_argument(const Op& op, const T& traced, const D& x_dot, const X&... x) {
    if constexpr (has_pushforward<Op, D, std::remove_cvref_t<decltype(traced.value())>, X...>)
        return get<I>(as_pack(op.pushforward(x_dot, x..., traced.value())));
    else return get<I>(traced.pullback(op, x_dot, x...));
}
/// A scalar of a nest over real numbers as one of the nest S over complex ones.
template <class S, class D>
RICCI_HD RICCI_INLINE constexpr auto rebased(const D& x) {
    if constexpr (std::is_same_v<S, D> || !is_nested_v<S> || degrees_v<S> != degrees_v<D>) {
        return x;
    } else if constexpr (is_dual_v<S>) {
        using V = typename S::value_type;
        return S(V(rebased<V>(x.value)), V(rebased<V>(x.tangent)));
    } else {
        return each_coefficient(x, [](const auto& c) {
            using V = typename S::value_type;
            return V(rebased<V>(c));
        });
    }
}

/// An element-wise op's Jacobian is diagonal, its own transpose: the pushforward of the argument's tangent is the pullback
/// of it, unless the op has another one, summed over the arguments that carry one.
template <int Depth, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_dual(const Op& op, const X&... x) {
    const traced_value<Op, std::remove_cvref_t<decltype(below<Depth>(x))>...> t(op, below<Depth>(x)...);
    using Y = std::remove_cvref_t<decltype(t.value())>;
    const auto arguments = make_pack(x...);
    auto push = [&](auto i) {
        using Xi = pack_element_t<i(), decltype(arguments)>;
        if constexpr (varies_v<Depth, Xi>)
            return push_argument<i()>(op, t, get<i()>(arguments).tangent, below<Depth>(x)...);
        else return nothing{};
    };
    return transform_indices<sizeof...(X)>(
        push, [&](const auto&... part) { return dual<Y>(t.value(), rebased<Y>(sum_of_present(part...))); });
}

template <class S>
RICCI_HD RICCI_INLINE constexpr auto truncated_or_constant(const S& x) {
    if constexpr (is_taylor_v<S>) return truncated(x);
    else return x;
}
/// An op without a series rule: y' is the pullback of x', which needs x and y to one order less.
template <int K, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto series_by_pullback(const Op& op, const X&... x) {
    const traced_value<Op, decltype(truncated_or_constant(x))...> t(op, truncated_or_constant(x)...);
    const auto arguments = make_pack(x...);
    auto push = [&](auto i) {
        using Xi = pack_element_t<i(), decltype(arguments)>;
        if constexpr (is_taylor_v<Xi>)
            return push_argument<i()>(op, t, derivative_of(get<i()>(arguments)), truncated_or_constant(x)...);
        else return nothing{};
    };
    return transform_indices<sizeof...(X)>(push, [&](const auto&... part) {
        if constexpr (K == 1) return integral<1>(t.value(), sum_of_present(part...));
        else return integral<K>(primal(t.value()), sum_of_present(part...));
    });
}

template <class Op, class... X>
concept has_series = requires(const Op& op, const X&... x) { op.series(x...); };

/// The outermost series among some scalars, of Depth levels, over complex numbers if one of them is.
template <int Depth, class X, class... Rest>
struct outer_series : outer_series<Depth, Rest...> {};
template <int Depth, class X, class... Rest>
    requires(varies_v<Depth, X>)
struct outer_series<Depth, X, Rest...> {
    template <class A, class... B>
    static constexpr auto widest() {
        if constexpr (sizeof...(B) == 0) return std::type_identity<A>{};
        else if constexpr (!is_complex_scalar_v<A> && ((varies_v<Depth, B> && is_complex_scalar_v<B>) || ...))
            return widest<B...>();
        else return std::type_identity<A>{};
    }
    using type = typename decltype(widest<X, Rest...>())::type;
    static_assert(((!varies_v<Depth, Rest> || std::is_same_v<X, Rest> ||
                    (degrees_v<X> == degrees_v<Rest> && is_complex_scalar_v<X> != is_complex_scalar_v<Rest>)) &&
                   ...),
                  "ricci: scalars of different expansions meet: nest them, or make one of them a constant");
};
/// The type of the first series among a rule's arguments, which all others share.
template <class... X>
using first_series_t = typename outer_series<depth_v<X...>, X...>::type;
/// Series of fewer levels are constants: what remains a series varies.
template <class T, int Depth, class X>
RICCI_HD RICCI_INLINE constexpr auto series_argument(const X& x) {
    if constexpr (is_taylor_v<X> && !varies_v<Depth, X>) return T(x);
    else if constexpr (is_taylor_v<X>) return rebased<T>(x);
    else return x;
}
template <int Depth, class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_series(const Op& op, const X&... x) {
    using T = typename outer_series<Depth, X...>::type;
    if constexpr (!(std::is_same_v<X, decltype(series_argument<T, Depth>(x))> && ...))
        return evaluate_series<Depth>(op, series_argument<T, Depth>(x)...);
    else if constexpr (has_series<Op, X...>) return op.series(x...);
    else return series_by_pullback<T::order>(op, x...);
}

template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_nested(const Op& op, const X&... x) {
    constexpr int depth = depth_v<X...>;
    if constexpr (!Op::differentiable) return evaluate_op(op, innermost(x)...);
    else if constexpr (((is_taylor_v<X> && varies_v<depth, X>) || ...)) return evaluate_series<depth>(op, x...);
    else return evaluate_dual<depth>(op, x...);
}

// ---- C++ numbers beside scalars --------------------------------------------------------------------------------------

/// The kind of a scalar for promotion; void for registers and arrays, which combine with numbers by themselves.
template <class X>
struct scalar_kind {
    using base = scalar_base_t<X>;
    using type = std::conditional_t<element<base>, base, void>;
};
template <element X>
struct scalar_kind<X> {
    using type = weak<X>;
};
template <class T>
struct scalar_kind<number<T>> {
    using type = T;
};
template <class Op, class Indices, class... X>
struct number_arguments;
template <class Op, int... I, class... X>
struct number_arguments<Op, std::integer_sequence<int, I...>, X...> {
    template <int K>
    using type = typename Op::template argument<K, typename scalar_kind<X>::type...>;
    template <int K, class A>
    static constexpr bool fits = !element<A> || std::is_same_v<A, type<K>>;
    static constexpr bool convert = !(fits<I, X> && ...);

    template <int K, class A>
    RICCI_HD RICCI_INLINE static constexpr auto at(const A& a) {
        if constexpr (element<A>) return convert_element<type<K>>(a);
        else return a;
    }
    RICCI_HD RICCI_INLINE static constexpr auto evaluate(const Op& op, const X&... x) {
        return evaluate_op(op, at<I>(x)...);
    }
};
/// Whether C++ numbers are to be converted first, as the library promotes (pow(x, 3), 2 * x for a complex x).
template <class Op, class... X>
constexpr bool converts_numbers() {
    if constexpr (!(element<X> || ...) || !((is_number_v<X> || is_nested_v<X>) || ...) ||
                  (std::is_void_v<typename scalar_kind<X>::type> || ...))
        return false;
    else return number_arguments<Op, std::make_integer_sequence<int, sizeof...(X)>, X...>::convert;
}

/// Integers in the type that the op computes in. C++ computes small ones and bools as int: the result is converted.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_integers(const Op& op, const X&... x) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return static_cast<typename Op::template result<X...>>(
            op.value(convert_element<typename Op::template argument<I, X...>>(x)...));
    }(std::make_integer_sequence<int, sizeof...(X)>{});
}

/// An op's value on numbers, SIMD registers, duals and series of them.
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto evaluate_op(const Op& op, const X&... x) {
    if constexpr (converts_numbers<Op, X...>())
        return number_arguments<Op, std::make_integer_sequence<int, sizeof...(X)>, X...>::evaluate(op, x...);
    else if constexpr ((is_number_v<X> || ...)) return as_number(evaluate_op(op, plain(x)...));
    else if constexpr ((is_nested_v<X> || ...)) return evaluate_nested(op, x...);
    else if constexpr ((is_dependence_v<X> || ...)) return joined_dependence(op, x...);
    else if constexpr ((is_eager_v<X> || ...)) return evaluate_eager(op, x...);
    else if constexpr ((std::is_integral_v<X> && ...)) return evaluate_integers(op, x...);
    else return op.value(x...);
}

/// Scalars that compound assignment is given here.
template <class S>
concept assignable_scalar = is_nested_v<S> || is_number_v<S>;

}  // namespace detail

template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator+=(A& a, const B& b) {
    return a = static_cast<A>(a + b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator-=(A& a, const B& b) {
    return a = static_cast<A>(a - b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator*=(A& a, const B& b) {
    return a = static_cast<A>(a * b);
}
template <detail::assignable_scalar A, operand B>
RICCI_HD RICCI_INLINE constexpr A& operator/=(A& a, const B& b) {
    return a = static_cast<A>(a / b);
}

}  // namespace ricci

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// A C++ number inside a map, already converted to the type that promotion gave it.
template <class T>
struct constant : expression_tag {
    using value_type = T;
    static constexpr int rank = 0;
    static constexpr bool is_array = false;
    T value;
    RICCI_HD constexpr explicit constant(T v) : value(v) {}
};

namespace detail {

template <class A>
inline constexpr bool is_constant_v = false;
template <class T>
inline constexpr bool is_constant_v<constant<T>> = true;

/// The kind of an argument for promotion: its element type, or weak<S> for a number.
template <class A>
struct kind_of {
    using type = weak<A>;
};
template <expression A>
struct kind_of<A> {
    using type = typename A::value_type;
};
template <class A>
using kind_t = typename kind_of<std::remove_cvref_t<A>>::type;

/// How many op nodes a map holds; 0 for arrays and numbers.
template <class A>
inline constexpr int op_count_v = 0;

/// Beyond this many ops a map's larger arguments are evaluated, so that neither types nor code grow without bound when an
/// expression is built from repeated uses of itself (h * h + h, nested).
inline constexpr int max_fused_ops = 64;

struct device_mix {};
template <class... A>
struct common_device {
    using type = void;
};
template <class A, class... Rest>
struct common_device<A, Rest...> {
    using rest = typename common_device<Rest...>::type;
    static constexpr auto pick() {
        if constexpr (!expression<A> || is_constant_v<A>) return std::type_identity<rest>{};
        else if constexpr (std::is_void_v<rest> || std::is_same_v<rest, typename A::device_type>)
            return std::type_identity<typename A::device_type>{};
        else return std::type_identity<device_mix>{};
    }
    using type = typename decltype(pick())::type;
};

/// Broadcasts a map's extents with those of an argument; false when they do not fit.
template <int R, class A>
RICCI_INLINE constexpr bool broadcast_argument(shape<R>& extents, const A& x) {
    if constexpr (is_constant_v<A>) return true;
    else return try_broadcast(extents, x.shape());
}
/// The shape of an argument in an error's text; constants have none.
template <class A>
RICCI_INLINE auto shape_of(const A& x) {
    if constexpr (is_constant_v<A>) return nothing{};
    else return x.shape();
}
constexpr extents_ref extents_of(const nothing&) { return {nullptr, -1}; }
template <int R>
constexpr extents_ref extents_of(const shape<R>& s) {
    return {s.extent, R};
}
/// Takes copies, so that the arguments' own shapes can stay in registers.
template <class... Shape>
[[noreturn]] RICCI_INLINE void refuse_shapes(const Shape... shapes) {
    const extents_ref all[] = {extents_of(shapes)...};
    refuse_broadcast(all, sizeof...(Shape));
}

}  // namespace detail

/// The map of `Op` over `Args` (arrays, maps, constants), which it owns. Its shape is the broadcast one, checked when the
/// map is built.
template <class Op, class... Args>
class map_node : public indexable<map_node<Op, Args...>> {
   public:
    using value_type = typename Op::template result<typename Args::value_type...>;
    using device_type = typename detail::common_device<Args...>::type;
    using op_type = Op;
    using arguments_type = detail::pack<Args...>;
    static constexpr int rank = [] {
        int r = 0;
        ((r = Args::rank > r ? Args::rank : r), ...);
        return r;
    }();
    static constexpr bool is_array = false;
    static_assert(!std::is_same_v<device_type, detail::device_mix>,
                  "ricci: the arguments live on different devices; move one with .to(device)");

    /// From the operands as `Store` stores them, in place: a handle is moved once for each node above it.
    template <class Store, int... I, class... A>
    RICCI_INLINE map_node(Op op, Store, std::integer_sequence<int, I...>, A&&... args)
        : op_(op), args_{{{Store::template at<I>(std::forward<A>(args))}...}}, extents_(broadcast_extents()) {}

    const ricci::shape<rank>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return rank; }
    const Op& op() const { return op_; }
    const arguments_type& arguments() const { return args_; }

    /// The value of a map of rank 0.
    operator value_type() const
        requires(rank == 0)
    {
        return evaluate(*this).item();
    }
    /// The only element.
    value_type item() const { return evaluate(*this).item(); }

   private:
    ricci::shape<rank> broadcast_extents() const {
        ricci::shape<rank> extents = detail::unit_shape<rank>();
        if (args_.apply([&](const auto&... x) { return (detail::broadcast_argument(extents, x) && ...); }))
            return extents;
        args_.apply([](const auto&... x) { detail::refuse_shapes(detail::shape_of(x)...); });
        return extents;
    }

    [[no_unique_address]] Op op_;
    arguments_type args_;
    ricci::shape<rank> extents_;
};

namespace detail {

template <class Op, class... Args>
inline constexpr int op_count_v<map_node<Op, Args...>> = 1 + (0 + ... + op_count_v<Args>);

/// Stores an argument of a map: a number as a constant of type T, an expression as itself, a large map evaluated, what is
/// deferred fetched.
template <class T, bool Evaluate, class A>
RICCI_INLINE auto store_argument(A&& a) {
    using E = std::remove_cvref_t<A>;
    if constexpr (!expression<E>) return constant<T>(convert_element<T>(a));
    else if constexpr (deferred<E>) return a.fetch();
    else if constexpr (Evaluate && (op_count_v<E> > max_fused_ops / 8)) return evaluate(a);
    else return E(std::forward<A>(a));
}

/// How a map of `Op` stores operands of the kinds K.
template <class Op, bool Evaluate, class... K>
struct argument_store {
    template <int I, class A>
    RICCI_INLINE static auto at(A&& a) {
        return store_argument<typename Op::template argument<I, K...>, Evaluate>(std::forward<A>(a));
    }
};
// Functions rather than lambdas: nvcc loses captured rvalues.
template <class Op, class Store, int... I, class... A>
RICCI_INLINE auto make_node(Op op, Store store, std::integer_sequence<int, I...> all, A&&... args) {
    return map_node<Op, decltype(Store::template at<I>(std::forward<A>(args)))...>(op, store, all,
                                                                                   std::forward<A>(args)...);
}
/// Builds the lazy node of `op` over expressions and numbers.
template <class Op, class... A>
RICCI_INLINE auto make_map(Op op, A&&... args) {
    constexpr bool evaluate_large = 1 + (0 + ... + op_count_v<std::remove_cvref_t<A>>) > max_fused_ops;
    return make_node(op, argument_store<Op, evaluate_large, kind_t<A>...>{},
                     std::make_integer_sequence<int, sizeof...(A)>{}, std::forward<A>(args)...);
}

}  // namespace detail

/// Applies an element-wise op: lazily to expressions, at once to kernel scalars and numbers.
template <class Op, class... A>
RICCI_HD RICCI_INLINE constexpr auto map(A&&... args) {
    if constexpr ((expression<A> || ...)) return detail::make_map(Op{}, std::forward<A>(args)...);
    else return detail::evaluate_op(Op{}, args...);
}

}  // namespace ricci
RICCI_BOTH_SIDES_END

namespace ricci {

namespace ops {
struct where;
}

namespace detail {

/// The I-th argument of a function, of element type T.
template <int I, class T>
struct slot {
    using value_type = T;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        return load.template get<I>();
    }
};

template <class T>
struct constant_node {
    using value_type = T;
    T value;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load&) const {
        return typename Load::domain::template lane<T>(value);
    }
};

/// Converts between lanes of two element types within a domain, through duals and series.
template <class Domain, class To, class From, class S>
RICCI_HD RICCI_INLINE constexpr auto convert_lane(const S& x) {
    if constexpr (is_dual_v<S>) {
        auto value = convert_lane<Domain, To, From>(x.value);
        return dual<decltype(value)>(value, convert_lane<Domain, To, From>(x.tangent));
    } else if constexpr (is_taylor_v<S>) {
        return each_coefficient(x, [](const auto& c) { return convert_lane<Domain, To, From>(c); });
    } else {
        return Domain::template convert<To, From>(x);
    }
}

template <class To, class Child>
struct cast_node {
    using value_type = To;
    using from = typename Child::value_type;
    [[no_unique_address]] Child child;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        const auto x = child(load);
        if constexpr (!is_inexact_v<To>) return convert_lane<typename Load::domain, To, from>(innermost(x));
        else return convert_lane<typename Load::domain, To, from>(x);
    }
};

/// `Op` over child functions whose values are already of the types that it computes in.
template <class Op, class T, class... Child>
struct op_node {
    using value_type = T;
    [[no_unique_address]] Op op;
    [[no_unique_address]] pack<Child...> children;
    template <class Load>
    RICCI_HD RICCI_INLINE constexpr auto operator()(const Load& load) const {
        return at(load, std::make_integer_sequence<int, sizeof...(Child)>{});
    }

   private:
    template <class Load, int... I>
    RICCI_HD RICCI_INLINE constexpr auto at(const Load& load, std::integer_sequence<int, I...>) const {
        return evaluate_op(op, detail::get<I>(children)(load)...);
    }
};

// ---- traces: the values of a forward sweep, kept in registers for the backward one --------------------------------------

/// `Node` evaluated with its intermediates; `reverse(y_bar, sink)` adds the adjoints of its slots to the sink.
template <class Node, class Load>
struct trace;

template <int I, class T, class Load>
struct trace<slot<I, T>, Load> {
    static constexpr bool active = Load::template active<I> && is_inexact_v<T>;
    decltype(std::declval<const Load&>().template get<I>()) y;
    RICCI_HD RICCI_INLINE constexpr trace(const slot<I, T>&, const Load& load) : y(load.template get<I>()) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const slot<I, T>&, const S& y_bar, Sink& sink) const {
        sink.template add<I>(y_bar);
    }
};

template <class T, class Load>
struct trace<constant_node<T>, Load> {
    static constexpr bool active = false;
    typename Load::domain::template lane<T> y;
    RICCI_HD RICCI_INLINE constexpr trace(const constant_node<T>& n, const Load& load) : y(n(load)) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
};

template <class To, class Child, class Load>
struct trace<cast_node<To, Child>, Load> {
    using node = cast_node<To, Child>;
    using child_trace = trace<Child, Load>;
    static constexpr bool active = child_trace::active && is_inexact_v<To>;
    child_trace child;
    decltype(std::declval<const node&>()(std::declval<const Load&>())) y;
    RICCI_HD RICCI_INLINE constexpr trace(const node& n, const Load& load)
        : child(n.child, load), y(converted(child.value())) {}
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return y; }
    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        child.reverse(n.child, convert_lane<typename Load::domain, typename node::from, To>(y_bar), sink);
    }

   private:
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto converted(const S& x) {
        if constexpr (!is_inexact_v<To>)
            return convert_lane<typename Load::domain, To, typename node::from>(innermost(x));
        else return convert_lane<typename Load::domain, To, typename node::from>(x);
    }
};

/// mask ? a : b (see ops/elementwise/where.hpp).
template <class M, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto select_lane(const M& mask, const A& a, const B& b);

/// Adds only where `mask` holds: what a branch that `where` did not select computes, infinities included, never reaches
/// a leaf.
template <class Sink, class Mask>
struct masked_sink {
    Sink& sink;
    const Mask& mask;
    template <int I, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x_bar) {
        sink.template add<I>(select_lane(mask, x_bar, S(0)));
    }
};

template <int I, class Node, class Load>
struct trace_member {
    trace<Node, Load> value;
    RICCI_HD RICCI_INLINE constexpr trace_member(const Node& n, const Load& load) : value(n, load) {}
};
template <class Node, class Load, class Indices>
struct op_trace;
template <class Op, class T, class... Child, class Load, int... I>
struct op_trace<op_node<Op, T, Child...>, Load, std::integer_sequence<int, I...>> : trace_member<I, Child, Load>... {
    using node = op_node<Op, T, Child...>;
    static constexpr bool active = Op::differentiable && (trace<Child, Load>::active || ...);

    traced_value<Op, std::remove_cvref_t<decltype(std::declval<const trace<Child, Load>&>().value())>...> result;

    RICCI_HD RICCI_INLINE constexpr op_trace(const node& n, const Load& load)
        : trace_member<I, Child, Load>(detail::get<I>(n.children), load)...,
          result(n.op, trace_member<I, Child, Load>::value.value()...) {}
    op_trace(const op_trace&) = delete;  // built in place, never moved
    RICCI_HD RICCI_INLINE constexpr const auto& value() const { return result.value(); }

    template <class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse(const node& n, const S& y_bar, Sink& sink) const {
        const auto bars = result.pullback(n.op, y_bar, trace_member<I, Child, Load>::value.value()...);
        (reverse_child<I>(n, trace_member<I, Child, Load>::value, detail::get<I>(bars), sink), ...);
    }

   private:
    template <int K, class Trace, class S, class Sink>
    RICCI_HD RICCI_INLINE constexpr void reverse_child(const node& n, const Trace& child, const S& bar,
                                                       Sink& sink) const {
        if constexpr (!Trace::active) {
            return;
        } else if constexpr (std::is_same_v<Op, ops::where> && K > 0) {
            const auto& condition = first_of(trace_member<I, Child, Load>::value...);
            const auto chosen = Op::chosen(condition.value(), std::integral_constant<int, K>{});
            masked_sink<Sink, decltype(chosen)> masked{sink, chosen};
            child.reverse(detail::get<K>(n.children), bar, masked);
        } else {
            child.reverse(detail::get<K>(n.children), bar, sink);
        }
    }
    template <class A, class... B>
    RICCI_HD RICCI_INLINE static constexpr const A& first_of(const A& a, const B&...) {
        return a;
    }
};
template <class Op, class T, class... Child, class Load>
struct trace<op_node<Op, T, Child...>, Load>
    : op_trace<op_node<Op, T, Child...>, Load, std::make_integer_sequence<int, sizeof...(Child)>> {
    using base = op_trace<op_node<Op, T, Child...>, Load, std::make_integer_sequence<int, sizeof...(Child)>>;
    using base::base;
};

// ---- cost ----------------------------------------------------------------------------------------------------------------

/// Instructions of an op, roughly: 1 unless the op says otherwise.
template <class Op>
constexpr int op_cost() {
    if constexpr (requires { Op::cost; }) return Op::cost;
    else return 1;
}
/// Instructions of a tree.
template <class Node>
inline constexpr int tree_cost_v = 0;
template <class To, class Child>
inline constexpr int tree_cost_v<cast_node<To, Child>> = 1 + tree_cost_v<Child>;
template <class Op, class T, class... Child>
inline constexpr int tree_cost_v<op_node<Op, T, Child...>> = op_cost<Op>() + (0 + ... + tree_cost_v<Child>);

// ---- from a map to its function ------------------------------------------------------------------------------------------

/// How many slots the function of an expression has.
template <class E>
inline constexpr int slot_count_v = 1;
template <class T>
inline constexpr int slot_count_v<constant<T>> = 0;
template <class Op, class... Args>
inline constexpr int slot_count_v<map_node<Op, Args...>> = (0 + ... + slot_count_v<Args>);

template <class To, class Node>
RICCI_INLINE constexpr auto convert_node(const Node& n) {
    if constexpr (std::is_same_v<To, typename Node::value_type>) return n;
    else return cast_node<To, Node>{n};
}
template <class To, class Node>
using converted_node = std::conditional_t<std::is_same_v<To, typename Node::value_type>, Node, cast_node<To, Node>>;

template <int I, class... Args>
constexpr int slots_before() {
    constexpr int counts[] = {slot_count_v<Args>..., 0};
    int n = 0;
    for (int i = 0; i < I; ++i) n += counts[i];
    return n;
}

/// The function of an expression, its slots numbered from First in the order of its leaves: its type, whether the type tells
/// all (no constants, no captures), and how to make it.
template <int First, class E>
struct tree_of {
    using type = slot<First, typename E::value_type>;
    static constexpr bool stateless = true;
    static RICCI_INLINE type make(const E&) { return {}; }
};
template <int First, class T>
struct tree_of<First, constant<T>> {
    using type = constant_node<T>;
    static constexpr bool stateless = false;
    static RICCI_INLINE type make(const constant<T>& c) { return {c.value}; }
};
template <int First, class E, class Indices>
struct op_tree;
template <int First, class Op, class... Args, int... I>
struct op_tree<First, map_node<Op, Args...>, std::integer_sequence<int, I...>> {
    using node = map_node<Op, Args...>;
    template <int K, class A>
    using child = tree_of<First + slots_before<K, Args...>(), A>;
    template <int K, class A>
    using child_type =
        converted_node<typename Op::template argument<K, typename Args::value_type...>, typename child<K, A>::type>;
    using type = op_node<Op, typename node::value_type, child_type<I, Args>...>;
    static constexpr bool stateless =
        std::is_empty_v<Op> && std::is_default_constructible_v<Op> && (child<I, Args>::stateless && ...);
    static RICCI_INLINE type make(const node& e) {
        if constexpr (stateless) return {};
        else return {e.op(), {{{child_type<I, Args>{child<I, Args>::make(get<I>(e.arguments()))}}...}}};
    }
};
template <int First, class Op, class... Args>
struct tree_of<First, map_node<Op, Args...>>
    : op_tree<First, map_node<Op, Args...>, std::make_integer_sequence<int, sizeof...(Args)>> {};

/// The function of an expression.
template <class E>
RICCI_INLINE auto make_tree(const E& e) {
    return tree_of<0, E>::make(e);
}

RICCI_INLINE constexpr auto concat_all() { return pack<>{}; }
template <class P, class... Rest>
RICCI_INLINE constexpr auto concat_all(const P& p, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0) return p;
    else return concat(p, concat_all(rest...));
}

/// Pointers to the arrays at the leaves of an expression, in slot order.
template <class E>
RICCI_INLINE auto leaves_of(const E& e) {
    if constexpr (is_constant_v<E>) return pack<>{};
    else if constexpr (E::is_array) return make_pack(&e);
    else if constexpr (deferred<E>) return make_pack(&e.fetched());
    else return unpack([](const auto&... a) { return concat_all(leaves_of(a)...); }, e.arguments());
}

}  // namespace detail
}  // namespace ricci

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

struct component {
    int variable;
    degrees_t powers;
};

template <int M>
struct components {
    component at[M > 0 ? M : 1] = {};
    static constexpr int size = M;

    constexpr int find(int variable, degrees_t powers) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable && at[i].powers == powers) return i;
        return -1;
    }
    constexpr bool mentions(int variable) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable) return true;
        return false;
    }
    constexpr bool has_tangent(int variable) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable && at[i].powers) return true;
        return false;
    }
};

/// Components as a type of plain numbers: it keeps symbols short, and nvcc cannot name kernels by arrays.
template <degrees_t... Code>
struct component_list {
    static constexpr components<sizeof...(Code)> value{{component{static_cast<int>(Code & 0xff), Code >> 8}...}};
};
template <auto C, int... I>
auto encode_components(std::integer_sequence<int, I...>)
    -> component_list<(static_cast<degrees_t>(C.at[I].variable) | C.at[I].powers << 8)...>;
template <auto C>
using component_list_of = decltype(encode_components<C>(std::make_integer_sequence<int, C.size>{}));

/// Which inputs of an op carry derivatives, as a type.
template <bool... Active>
struct activity {
    static constexpr bool at[sizeof...(Active) + 1] = {Active..., false};
    static constexpr int count = (0 + ... + int(Active));
    /// How many active inputs come before the i-th.
    static constexpr int before(int i) {
        int n = 0;
        for (int j = 0; j < i; ++j) n += at[j];
        return n;
    }
};

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};
template <int I, class T, class... Rest>
struct type_at : type_at<I - 1, Rest...> {};
template <class T, class... Rest>
struct type_at<0, T, Rest...> {
    using type = T;
};

template <class Sweep, class Domain, class Input>
struct sweep_load;
template <class Sweep, class Output>
struct sweep_sink;

template <int K, degrees_t Powers, bool Adds, class S, class Output>
RICCI_HD RICCI_INLINE constexpr void give_component(const S& x, Output& output) {
    if constexpr (K < 0) return;
    else if constexpr (Adds) output.template add<K>(component_of(x, Powers));
    else output.template set<K>(component_of(x, Powers));
}
template <int Variable, bool Adds, class Sweep, class S, class Output, int... I>
RICCI_HD RICCI_INLINE constexpr void give_components(const S& x, Output& output, std::integer_sequence<int, I...>);

/// The static function of a fused kernel. `Slots` are the element types of the tree's slots; `Order` has the degrees of the
/// nest's levels (0: plain scalars); `In` and `Out` say which components the kernel reads and which it gives.
template <class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
struct sweep;
template <class Tree, class... Slot, degrees_t Order, bool Reverse, class In, class Out>
struct sweep<Tree, type_list<Slot...>, Order, Reverse, In, Out> {
    using tree_type = Tree;
    using value_type = typename Tree::value_type;
    static constexpr int slots = sizeof...(Slot);
    static constexpr degrees_t order = Order;
    static constexpr bool reverse = Reverse;
    static constexpr auto in = In::value;
    static constexpr auto out = Out::value;
    static constexpr int inputs = in.size;
    static constexpr int outputs = out.size;
    /// Element type of a variable; of the seed and the value, the tree's own.
    template <int V>
    using variable_type = typename type_at<V, Slot..., value_type>::type;
    template <int K>
    using input_type = variable_type<in.at[K].variable>;
    template <int K>
    using output_type = variable_type<out.at[K].variable>;

    [[no_unique_address]] Tree tree;

    /// Evaluates on lanes: `input.get<K>()` gives the K-th input, `output.set<K>` and `output.add<K>` take results.
    template <class Domain, class Input, class Output>
    RICCI_HD RICCI_INLINE constexpr void run(const Input& input, Output& output) const {
        const sweep_load<sweep, Domain, Input> load{input};
        if constexpr (!Reverse) {
            give_value(tree(load), output);
        } else {
            const trace<Tree, decltype(load)> t(tree, load);
            sweep_sink<sweep, Output> sink{output};
            if constexpr (decltype(t)::active) t.reverse(tree, load.seed(), sink);
            give_value(t.value(), output);
        }
    }

   private:
    template <class Y, class Output>
    RICCI_HD RICCI_INLINE static constexpr void give_value(const Y& y, Output& output) {
        give_components<slots, false, sweep>(y, output,
                                             std::make_integer_sequence<int, component_count(degrees_v<Y>)>{});
    }
};

/// Hands the components of a variable's value or adjoint to the outputs that ask for them.
template <int Variable, bool Adds, class Sweep, class S, class Output, int... I>
RICCI_HD RICCI_INLINE constexpr void give_components(const S& x, Output& output, std::integer_sequence<int, I...>) {
    (give_component<Sweep::out.find(Variable, component_powers(degrees_v<S>, I)), component_powers(degrees_v<S>, I),
                    Adds>(x, output),
     ...);
}

template <class Sweep, class Domain, class Input>
struct sweep_load {
    using domain = Domain;
    const Input& input;

    template <int I>
    static constexpr bool active = Sweep::out.mentions(I);

    template <int V>
    RICCI_HD RICCI_INLINE constexpr auto variable() const {
        using lane = typename Domain::template lane<typename Sweep::template variable_type<V>>;
        if constexpr (!Sweep::in.has_tangent(V)) {
            static_assert(Sweep::in.find(V, 0) >= 0);
            return input.template get<Sweep::in.find(V, 0)>();
        } else {
            return make_nested<lane, Sweep::order>([&](auto powers) {
                constexpr int k = Sweep::in.find(V, powers());
                if constexpr (k < 0) return lane(0);
                else return input.template get<k>();
            });
        }
    }
    template <int I>
    RICCI_HD RICCI_INLINE constexpr auto get() const {
        return variable<I>();
    }
    RICCI_HD RICCI_INLINE constexpr auto seed() const { return variable<Sweep::slots>(); }
};

template <class Sweep, class Output>
struct sweep_sink {
    Output& output;
    template <int I, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x_bar) {
        give_components<I, true, Sweep>(x_bar, output,
                                        std::make_integer_sequence<int, component_count(degrees_v<S>)>{});
    }
};

// ---- deriving one sweep from another -------------------------------------------------------------------------------------

template <int N>
constexpr components<N> value_inputs() {
    components<N> c;
    for (int i = 0; i < N; ++i) c.at[i] = {i, 0};
    return c;
}

/// The value sweep of a tree over slots of the given types.
template <class Slots, class Tree>
RICCI_INLINE constexpr auto value_sweep(const Tree& tree) {
    constexpr int n = Slots::size;
    return sweep<Tree, Slots, 0, false, component_list_of<value_inputs<n>()>,
                 component_list_of<components<1>{{{n, 0}}}>>{tree};
}

template <class Sweep, class Active>
constexpr auto pullback_inputs() {
    constexpr degrees_t next = Sweep::reverse ? next_level(Sweep::order) : 0;
    components<Sweep::inputs + Sweep::outputs> c;
    for (int i = 0; i < Sweep::inputs; ++i) c.at[i] = Sweep::in.at[i];
    for (int i = 0; i < Sweep::outputs; ++i) {
        component o = Sweep::out.at[i];
        o.powers = (Sweep::order - o.powers) | next;
        c.at[Sweep::inputs + i] = o;
    }
    return c;
}
/// With Value, the value of a forward sweep is the last output: a reduction's comes for free with its gradient.
template <class Sweep, class Active, bool Value>
constexpr auto pullback_outputs() {
    constexpr degrees_t next = Sweep::reverse ? next_level(Sweep::order) : 0;
    components<Active::count + (Value ? 1 : 0)> c;
    int n = 0;
    for (int i = 0; i < Sweep::inputs; ++i)
        if (Active::at[i]) {
            component x = Sweep::in.at[i];
            x.powers = (Sweep::order - x.powers) | next;
            c.at[n++] = x;
        }
    if (Value) c.at[n] = {Sweep::slots, 0};
    return c;
}

/// The pullback of a sweep: its inputs followed by a cotangent for each output; gives the adjoints of the active inputs.
template <class Active, bool Value, class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
RICCI_INLINE constexpr auto pullback_sweep(const sweep<Tree, Slots, Order, Reverse, In, Out>& f) {
    using S = sweep<Tree, Slots, Order, Reverse, In, Out>;
    return sweep<Tree, Slots, (Reverse ? Order | next_level(Order) : Order), true,
                 component_list_of<pullback_inputs<S, Active>()>,
                 component_list_of<pullback_outputs<S, Active, Value>()>>{f.tree};
}

template <class Sweep, class Active, int Degree>
constexpr auto expansion_inputs() {
    components<Sweep::inputs + Degree * Active::count> c;
    int n = 0;
    for (int i = 0; i < Sweep::inputs; ++i) c.at[n++] = Sweep::in.at[i];
    for (int i = 0; i < Sweep::inputs; ++i)
        for (int k = 1; Active::at[i] && k <= Degree; ++k)
            c.at[n++] = {Sweep::in.at[i].variable, Sweep::in.at[i].powers | next_level(Sweep::order, k)};
    return c;
}
template <class Sweep, int Degree>
constexpr auto expansion_outputs() {
    components<(Degree + 1) * Sweep::outputs> c;
    for (int k = 0; k <= Degree; ++k)
        for (int i = 0; i < Sweep::outputs; ++i)
            c.at[k * Sweep::outputs + i] = {Sweep::out.at[i].variable,
                                            Sweep::out.at[i].powers | next_level(Sweep::order, k)};
    return c;
}

/// The expansion to a degree (1: the pushforward): the inputs followed by the coefficients 1, 2, ... of each active one;
/// gives the outputs, then their first coefficients, and so on.
template <class Active, int Degree, class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
RICCI_INLINE constexpr auto expansion_sweep(const sweep<Tree, Slots, Order, Reverse, In, Out>& f) {
    using S = sweep<Tree, Slots, Order, Reverse, In, Out>;
    return sweep<Tree, Slots, (Order | next_level(Order, Degree)), Reverse,
                 component_list_of<expansion_inputs<S, Active, Degree>()>,
                 component_list_of<expansion_outputs<S, Degree>()>>{f.tree};
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END
// ---- ricci/expr/view.hpp
// The two structural ops behind indexing, permute, expand and reshape: an affine view with its transpose, and a reshape.

namespace ricci::detail {

/// Where each axis of a view comes from: out axis d walks source[d] (or nothing: a new or expanded axis) by step[d];
/// start says where each input axis begins.
template <int In, int Out>
struct view_spec {
    shape<In> start;
    shape<Out> extents;
    shape<Out> step;
    int source[Out > 0 ? Out : 1] = {};
};

/// Nothing moved: the spec of the identity, to be edited.
template <int R>
constexpr view_spec<R, R> identity_view(const shape<R>& extents) {
    view_spec<R, R> v;
    v.extents = extents;
    for (int d = 0; d < R; ++d) {
        v.step[d] = 1;
        v.source[d] = d;
    }
    return v;
}

/// The same view of arrays that have a batch as axis 0.
template <int In, int Out>
constexpr view_spec<In + 1, Out + 1> batched_view(const view_spec<In, Out>& v, index_t batch) {
    view_spec<In + 1, Out + 1> b;
    b.extents[0] = batch;
    b.step[0] = 1;
    b.source[0] = 0;
    for (int d = 0; d < In; ++d) b.start[d + 1] = v.start[d];
    for (int d = 0; d < Out; ++d) {
        b.extents[d + 1] = v.extents[d];
        b.step[d + 1] = v.step[d];
        b.source[d + 1] = v.source[d] < 0 ? -1 : v.source[d] + 1;
    }
    return b;
}

/// The view of a view: `inner` first, then `outer`.
template <int Mid, int In, int Out>
constexpr view_spec<In, Out> composed(const view_spec<In, Mid>& inner, const view_spec<Mid, Out>& outer) {
    view_spec<In, Out> v;
    v.start = inner.start;
    v.extents = outer.extents;
    for (int d = 0; d < Mid; ++d)
        if (inner.source[d] >= 0) v.start[inner.source[d]] += inner.step[d] * outer.start[d];
    for (int d = 0; d < Out; ++d) {
        const int through = outer.source[d];
        v.source[d] = through < 0 ? -1 : inner.source[through];
        v.step[d] = through < 0 ? 0 : outer.step[d] * inner.step[through];
    }
    return v;
}
/// Whether a view shows no element twice for having been expanded.
template <int In, int Out>
constexpr bool shows_once(const view_spec<In, Out>& v) {
    for (int d = 0; d < Out; ++d)
        if (v.source[d] < 0 && v.extents[d] != 1) return false;
    return true;
}

template <int In, int Out, class T, class D>
tensor<T, Out, D> apply_view(const view_spec<In, Out>& v, const tensor<T, In, D>& x) {
    shape<Out> strides;
    T* data = x.data();
    if (v.extents.count() > 0)
        for (int d = 0; d < In; ++d) data += v.start[d] * x.strides()[d];
    for (int d = 0; d < Out; ++d) strides[d] = v.source[d] < 0 ? 0 : x.strides()[v.source[d]] * v.step[d];
    return tensor<T, Out, D>(x.memory(), data, v.extents, strides);
}

template <int Q, class A>
auto sum_to(const A& a, const shape<Q>& to);

/// The rules that every linear op of one argument shares.
template <class Op>
struct linear_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = true;
    static constexpr bool merges = false;

    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        const Op& self = static_cast<const Op&>(*this);
        return make_pack(call1(self, *get<0>(inputs)), call1(self, *get<0>(tangents)));
    }
    template <int, class Active, class A, class... D>
    auto expansion(const pack<const A*>& inputs, const pack<const D*...>& series) const {
        const Op& self = static_cast<const Op&>(*this);
        return unpack([&](const auto*... c) { return make_pack(call1(self, *get<0>(inputs)), call1(self, *c)...); },
                      series);
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        return call(static_cast<const Op&>(*this).batched(a.shape()[0]), a);
    }
};

template <int In, int Out>
struct unview_op;

/// A view: x's elements by strides, nothing copied.
template <int In, int Out>
struct view_op : linear_op<view_op<In, Out>> {
    static constexpr const char* name = "view";
    view_spec<In, Out> spec;
    shape<In> from;

    view_op(const view_spec<In, Out>& s, const shape<In>& f) : spec(s), from(f) {}
    template <class T, class D>
    auto value(const tensor<T, In, D>& x) const {
        return make_pack(apply_view(spec, x));
    }
    shape<Out> result_shape() const { return spec.extents; }
    auto transpose() const { return unview_op<In, Out>(spec, from); }
    auto batched(index_t batch) const { return view_op<In + 1, Out + 1>(batched_view(spec, batch), prefixed<In>(batch, from)); }
};

/// The transpose of a view: zeros of the viewed shape with the argument added in through the view.
template <int In, int Out>
struct unview_op : linear_op<unview_op<In, Out>> {
    static constexpr const char* name = "unview";
    view_spec<In, Out> spec;
    shape<In> from;

    unview_op(const view_spec<In, Out>& s, const shape<In>& f) : spec(s), from(f) {}
    template <class T, class D>
    auto value(const tensor<T, Out, D>& y) const {
        // Elements seen many times (expanded axes) are summed first, so that what is left is a plain copy.
        view_spec<In, Out> once = spec;
        index_t covered = 1;
        for (int d = 0; d < Out; ++d)
            if (once.source[d] < 0) once.extents[d] = 1;
        covered = once.extents.count();
        auto x = tensor<T, In, D>::uninitialized(from);
        if (covered != x.size()) executor<D>::fill(x, T(0));
        auto window = apply_view(once, x);
        if (once.extents == y.shape()) executor<D>::copy(y, window);
        else executor<D>::copy(sum_to(y, once.extents), window);
        return make_pack(x);
    }
    shape<In> result_shape() const { return from; }
    auto transpose() const { return view_op<In, Out>(spec, from); }
    auto batched(index_t batch) const { return unview_op<In + 1, Out + 1>(batched_view(spec, batch), prefixed<In>(batch, from)); }
};

/// The same elements in row-major order under another shape: a view where strides allow, else a copy.
template <int In, int Out>
struct reshape_op : linear_op<reshape_op<In, Out>> {
    static constexpr const char* name = "reshape";
    shape<In> from;
    shape<Out> to;

    reshape_op(const shape<In>& f, const shape<Out>& t) : from(f), to(t) {}
    template <class T, class D>
    auto value(const tensor<T, In, D>& x) const {
        shape<Out> strides;
        if (x.is_contiguous() || !strides_after(x, strides)) {
            auto source = x.is_contiguous() ? x : tensor<T, In, D>(x.clone());
            return make_pack(tensor<T, Out, D>(source.memory(), source.data(), to, row_major(to)));
        }
        return make_pack(tensor<T, Out, D>(x.memory(), x.data(), to, strides));
    }
    shape<Out> result_shape() const { return to; }
    auto transpose() const { return reshape_op<Out, In>(to, from); }
    auto batched(index_t batch) const { return reshape_op<In + 1, Out + 1>(prefixed<In>(batch, from), prefixed<Out>(batch, to)); }

   private:
    /// The strides of a view, where there is one: the axes of both shapes fall into groups of equal size, and x's axes in a
    /// group must lie in memory as one axis would. x is not empty.
    template <class T, class D>
    bool strides_after(const tensor<T, In, D>& x, shape<Out>& strides) const {
        index_t extent[In + 1] = {}, stride[In + 1] = {}, wanted[Out + 1] = {};
        for (int d = 0; d < Out; ++d) wanted[d] = to[d];
        int n = 0;
        for (int d = 0; d < In; ++d) {
            if (from[d] == 1) continue;
            extent[n] = from[d];
            stride[n++] = x.strides()[d];
        }
        int o = 0;
        for (int i = 0; i < n; ++i) {
            const int first = o;
            index_t have = extent[i], want = wanted[o++];
            while (have != want) {
                if (want < have) {
                    want *= wanted[o++];
                } else {
                    if (stride[i] != stride[i + 1] * extent[i + 1]) return false;
                    have *= extent[++i];
                }
            }
            strides[o - 1] = stride[i];
            for (int d = o - 1; d > first; --d) strides[d - 1] = strides[d] * wanted[d];
        }
        return true;
    }
};

/// Division by a number, as a linear op: its derivative needs no value, so that a mean's sum may stay uncomputed.
template <class T, int R>
struct scale_op : linear_op<scale_op<T, R>> {
    static constexpr const char* name = "scale";
    T divisor;
    shape<R> extents;

    scale_op(T by, const shape<R>& e) : divisor(by), extents(e) {}
    template <class X>
    auto value(const X& x) const {
        return make_pack(evaluate(x / divisor));
    }
    shape<R> result_shape() const { return extents; }
    auto transpose() const { return *this; }
    auto batched(index_t batch) const { return scale_op<T, R + 1>(divisor, prefixed(batch, extents)); }
};

template <int In, int Out, class A>
auto view_of(const A& a, const view_spec<In, Out>& spec) {
    return call1(view_op<In, Out>(spec, a.shape()), a);
}

/// `a` under another shape of as many elements; itself when the rank is the same (the callers' shapes then are, too).
template <int R, class A>
auto reshaped(const A& a, const shape<R>& to) {
    if constexpr (A::rank == R) {
        if (a.shape() == to) return a;
    }
    return call1(reshape_op<A::rank, R>(a.shape(), to), a);
}

/// Unit axes inserted behind axis 0, up to rank R: (B, 3) -> (B, 1, 3).
template <int R, class A>
auto pad_after_first(const A& a) {
    if constexpr (A::rank == R) {
        return a;
    } else {
        shape<R> to;
        to[0] = a.shape()[0];
        for (int i = 1; i < R; ++i) to[i] = i < R - A::rank + 1 ? 1 : a.shape()[i - (R - A::rank)];
        return reshaped(a, to);
    }
}

}  // namespace ricci::detail

namespace ricci::detail {

/// Where the elements of an output lie in a larger, dense array, in elements. Outputs of one `home` are added up in the array
/// that output `home` gives, which is zero elsewhere; the others come back empty. Or `whole`: an output as any other.
template <int Rank>
struct output_window {
    bool whole;
    unsigned char home;
    index_t offset;
    shape<Rank> strides;
};

/// Whether fused ops on such arrays can write through windows: the wrappers hand them on, the device takes them.
template <class A>
constexpr bool takes_windows() {
    if constexpr (std::is_void_v<typename A::wrapper>)
        return !is_complex_v<typename A::value_type> && requires { executor<typename A::device_type>::takes_windows; };
    else if constexpr (requires { requires A::wrapper::hands_on_windows; })
        return takes_windows<typename A::inner_type>();
    else return false;
}

/// A sweep with the shapes of its outputs; without Reduces no output is ever summed. `Rank` is the rank that all inputs are broadcast to. An output's `padded` shape
/// has extent 1 where the sweep's values are summed; its `result` shape is what the caller sees of the same elements.
/// Outputs k with merge[k] != k are added into output merge[k] and come back empty.
template <class Sweep, int Rank, bool Reduces, int... ResultRank>
struct fused {
    using sweep_type = Sweep;
    static constexpr int rank = Rank;
    static constexpr int outputs = Sweep::outputs;
    static constexpr bool reduces = Reduces;
    /// A reduction's value is computed together with its gradient, so that it need not be computed before.
    static constexpr bool value_with_gradient = Reduces && !Sweep::reverse && Sweep::order == 0;
    static constexpr bool differentiable = is_inexact_v<typename Sweep::value_type>;
    static constexpr bool linear = false;
    static constexpr bool merges = true;
    static constexpr const char* name = "map";

    Sweep sweep;
    shape<Rank> padded[outputs > 0 ? outputs : 1];
    pack<shape<ResultRank>...> result;
    unsigned char merge[outputs > 0 ? outputs : 1];
    const output_window<Rank>* windows = nullptr;  // one for each output; the caller's, for as long as the call takes

    template <class... T>
    auto value(const T&... inputs) const {
        return executor<typename common_device<T...>::type>::template run<
            std::conditional_t<Reduces, combine_plus, void>>(*this, inputs...);
    }

    /// Adjoints of the active inputs, in order; with Value, this op's own value after them.
    template <class Active, bool Value, class... A, class... C>
    auto pullback(const unsigned char* merged, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        return pullback_through<Active, Value>(merged, nullptr, active_shapes<Active>(inputs), inputs, bars);
    }
    /// The same, where adjoints of inputs that are views may go to what they view: `wholes` has the shapes of what comes back.
    template <class Active, bool Value, class Wholes, class... A, class... C>
    auto pullback_through(const unsigned char* merged, const output_window<Rank>* through, const Wholes& wholes,
                          const pack<const A*...>& inputs, const pack<C...>& bars) const {
        auto g = pullback_sweep<Active, Value>(sweep);
        auto op = with_targets(g, concat(active_shapes<Active>(inputs), value_shape<Value>()));
        if (through) {
            op.windows = through;
            op.result = concat(wholes, value_shape<Value>());
        }
        for (int k = 0; k < Active::count; ++k) op.merge[k] = merged ? merged[k] : static_cast<unsigned char>(k);
        if constexpr (Value) {
            op.merge[Active::count] = Active::count;
            op.padded[Active::count] = padded[0];
        }
        return unpack(
            [&](const auto*... a) {
                return transform_indices<sizeof...(C)>(
                    [&](auto k) { return reshaped<Rank>(get<k()>(bars), bar_shape(get<k()>(bars), padded[k()])); },
                    [&](const auto&... bar) { return call(op, *a..., bar...); });
            },
            inputs);
    }

    /// The outputs followed by their tangents; `tangents` holds those of the active inputs.
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    /// The outputs, then their first coefficients, and so on to the degree; `series` holds those of each active input in turn.
    template <int Degree, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        const auto g = expansion_sweep<Active, Degree>(sweep);
        auto op = with_results(g, repeated<Degree + 1>(result));
        for (int n = 0; n < op.outputs; ++n) {
            op.padded[n] = padded[n % outputs];
            op.merge[n] = static_cast<unsigned char>(n - n % outputs + merge[n % outputs]);
        }
        output_window<Rank> expanded[may_have_windows ? op.outputs : 1];
        if (may_have_windows && windows) {
            for (int n = 0; n < op.outputs; ++n) {
                expanded[n] = windows[n % outputs];
                expanded[n].home = static_cast<unsigned char>(n - n % outputs + expanded[n].home);
            }
            op.windows = expanded;
        }
        return unpack(
            [&](const auto*... a) { return unpack([&](const auto*... d) { return call(op, *a..., *d...); }, series); },
            inputs);
    }

    /// The same over arrays whose mapped ones have the batch as axis 0 (of extent 1 where all members share the values).
    template <class Mapped, class... A>
    auto call_batched(const A&... inputs) const {
        index_t batch = 1;
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (Mapped::at[i()]) broadcast_extent(batch, get<i()>(make_pack(&inputs...))->shape()[0]);
        });
        fused<Sweep, Rank + 1, Reduces, (ResultRank + 1)...> op{sweep, {}, prefixed_results(batch), {}};
        for (int k = 0; k < outputs; ++k) {
            op.padded[k] = prefixed<Rank>(batch, padded[k]);
            op.merge[k] = merge[k];
        }
        output_window<Rank + 1> prefixed_windows[may_have_windows ? outputs : 1];
        if (may_have_windows && windows) {
            for_indices<outputs>([&](auto k) {
                const output_window<Rank>& w = windows[k()];
                prefixed_windows[k()] = {w.whole, w.home, w.offset,
                                         prefixed<Rank>(get<k()>(result).count(), w.strides)};
            });
            op.windows = prefixed_windows;
        }
        const auto refs = make_pack(&inputs...);
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (Mapped::at[i()]) return pad_after_first<Rank + 1>(*get<i()>(refs));
                else return *get<i()>(refs);
            },
            [&](const auto&... a) { return call(op, a...); });
    }

    /// The shape that the inputs are broadcast to.
    template <class... T>
    static shape<Rank> iteration_shape(const T&... inputs) {
        shape<Rank> extents = unit_shape<Rank>();
        (broadcast_into(extents, inputs.shape()), ...);
        return extents;
    }

   private:
    static constexpr bool may_have_windows = Reduces && Sweep::reverse;

    static void broadcast_extent(index_t& a, index_t b) {
        if (a == 1) a = b;
        else if (b != 1 && b != a)
            detail::raise<shape_error>({"[vmap] mapped axes of different sizes: ", a, " and ", b});
    }
    auto prefixed_results(index_t batch) const {
        return generate<outputs>([&](auto k) {
            using S = pack_element_t<k(), pack<shape<ResultRank>...>>;
            return prefixed<S::rank>(batch, get<k()>(result));
        });
    }
    /// The padded shape of a cotangent; unit axes for the single zero that stands for an absent one.
    template <class C>
    static shape<Rank> bar_shape(const C& bar, const shape<Rank>& full) {
        if (bar.shape().count() == full.count()) return full;
        return unit_shape<Rank>();
    }
    template <class Active, class... A>
    static auto active_shapes(const pack<const A*...>& inputs) {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (Active::at[i()]) return make_pack(get<i()>(inputs)->shape());
                else return pack<>{};
            },
            [](const auto&... p) { return concat_all(p...); });
    }
    template <bool Value>
    auto value_shape() const {
        if constexpr (Value) return result;
        else return pack<>{};
    }
    template <int Times>
    static auto repeated(const pack<shape<ResultRank>...>& shapes) {
        if constexpr (Times == 1) return shapes;
        else return concat(shapes, repeated<Times - 1>(shapes));
    }
    template <class G, int... Q>
    static auto with_results(const G& g, const pack<shape<Q>...>& shapes) {
        return fused<G, Rank, Reduces, Q...>{g, {}, shapes, {}};
    }
    template <class G, int... Q>
    static auto with_targets(const G& g, const pack<shape<Q>...>& shapes) {
        fused<G, Rank, true, Q...> op{g, {}, shapes, {}};
        for_indices<sizeof...(Q)>([&](auto k) { op.padded[k()] = pad_front<Rank>(get<k()>(shapes)); });
        return op;
    }
};

/// The value of a map's function over its leaves.
template <int Rank, bool Reduces, int ResultRank, class Slots, class Tree>
RICCI_INLINE auto forward_op(const Tree& tree, const shape<Rank>& padded, const shape<ResultRank>& result) {
    auto f = value_sweep<Slots>(tree);
    return fused<decltype(f), Rank, Reduces, ResultRank>{f, {padded}, {{{result}}}, {0}};
}

template <class... A>
type_list<typename A::value_type...> slot_types(const pack<const A*...>&);

}  // namespace ricci::detail

namespace ricci {

/// The value of an expression: an array as it is, a map computed in one pass into a new array (of the wrappers of its leaves).
template <expression E>
RICCI_INLINE auto evaluate(const E& e) {
    if constexpr (E::is_array) {
        return e;
    } else if constexpr (deferred<E>) {
        return e.fetch();
    } else {
        const auto leaves = detail::leaves_of(e);
        const auto op = detail::forward_op<E::rank, false, E::rank, decltype(detail::slot_types(leaves))>(
            detail::make_tree(e), e.shape(), e.shape());
        return detail::unpack([&](const auto*... a) { return detail::call1(op, *a...); }, leaves);
    }
}

}  // namespace ricci
// ---- ricci/cpu/bind.hpp
// Binding: from operands whose types are erased to the loop that runs over them. One copy of this code serves all kernels.
// ---- ricci/cpu/loop.hpp
// The loop nest behind every CPU kernel: merges dimensions, chooses the inner one, splits over threads, and feeds rows to a
// function. It knows no element types: one copy of this code serves all kernels.
// ---- ricci/cpu/nest.hpp
// What the loops of CPU kernels run over: kernels with erased types, their operands, and rows.
#include <cstring>

// ---- ricci/cpu/reduce_rules.hpp
// How partial results of a reduction are kept and joined: accumulators wider than the element type, so that long sums stay
// exact to the last bits, behind function pointers that the loop driver calls.

namespace ricci {

namespace detail {

template <class T>
struct wide_of {
    using type = T;
};
template <>
struct wide_of<float> {
    using type = double;
};
template <>
struct wide_of<std::complex<float>> {
    using type = std::complex<double>;
};

/// The accumulator of a reduction over many rows: for sums, double the precision of float, and compensation of doubles; for anything else one element.
template <class Combine, class T>
struct wide_accumulator {
    T value = Combine::template identity<T>();
    RICCI_HD void add(T x) { value = Combine::join(value, x); }
    RICCI_HD void add(const wide_accumulator& other) { add(other.value); }
    RICCI_HD T result() const { return value; }
};
template <class T>
    requires(std::is_same_v<T, float> || is_complex_v<T>)
struct wide_accumulator<combine_plus, T> {
    using W = typename wide_of<T>::type;
    W value = W(0);
    RICCI_HD void add(W x) { value += x; }
    RICCI_HD void add(const wide_accumulator& other) { value += other.value; }
    RICCI_HD T result() const { return convert_element<T>(value); }
};
template <>
struct wide_accumulator<combine_plus, double> {
    double value = 0, carry = 0;
    RICCI_HD void add(double x) {
        const double t = value + x, back = t - value;
        const double c = (value - (t - back)) + (x - back);  // Knuth's two-sum: the rounding error, exactly
        carry += c == c ? c : 0.0;                           // infinities would leave NaN in the compensation
        value = t;
    }
    RICCI_HD void add(const wide_accumulator& other) {
        add(other.value);
        carry += other.carry;
    }
    RICCI_HD double result() const { return value + carry; }
};

/// What the driver must know of an output's type.
struct output_rules {
    std::size_t item;
    std::size_t wide_item;
    void (*clear)(void* out, index_t n);                        // identities
    void (*clear_wide)(void* wide, index_t n);
    void (*flush)(void* partial, void* wide, index_t n);        // into the accumulators; clears the partial row
    void (*finish)(const void* wide, void* out, index_t n);
    void (*join)(void* wide, const void* other, index_t n);
};

template <class Combine, class T>
struct typed_output_rules {
    using wide = wide_accumulator<Combine, T>;
    static void clear(void* out, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = Combine::template identity<T>();
    }
    static void clear_wide(void* w, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i] = wide{};
    }
    static void flush(void* partial, void* w, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i].add(static_cast<const T*>(partial)[i]);
        clear(partial, n);
    }
    static void finish(const void* w, void* out, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<T*>(out)[i] = static_cast<const wide*>(w)[i].result();
    }
    static void join(void* w, const void* other, index_t n) {
        for (index_t i = 0; i < n; ++i) static_cast<wide*>(w)[i].add(static_cast<const wide*>(other)[i]);
    }
    static constexpr output_rules rules{sizeof(T), sizeof(wide), clear, clear_wide, flush, finish, join};
};

}  // namespace detail
}  // namespace ricci

namespace ricci::detail {

inline constexpr int max_loop_rank = 16;
inline constexpr int max_operands = 256;

/// What happens to the values of an output along a row.
enum class output_mode : unsigned char { store, add, total, skip };

/// One row of a kernel: pointers to its first elements and steps in elements (0 or 1 where the kernel asks for that).
struct row_args {
    index_t n;
    std::byte* const* in;
    const index_t* in_step;
    std::byte* const* out;  // for total: the wide accumulator
    const index_t* out_step;
    const output_mode* mode;
    const unsigned char* merge;
    int rows = 1;  // or row_kernel::block: as many rows, all added to the same row of the only output
    const index_t* row_bytes = nullptr;  // then: from one row to the next, of each input
    bool sheet = false;                  // rows apart from each other, any number: row_bytes has the outputs', too
};

/// Bytes that outputs are added into (see windows.hpp); none where there is no such output.
struct memory_range {
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
    /// Zeros; of floats too.
    void clear() const { std::memset(begin, 0, static_cast<std::size_t>(end - begin)); }
};

/// A compiled kernel: its function object, the function that runs a row of it, and what the driver must know of both.
struct row_kernel {
    const void* function;
    void (*run)(const void* function, const row_args& row);
    int inputs;
    int outputs;
    const std::size_t* input_item;
    const output_rules* const* rules;
    const unsigned char* merge;
    bool any_step;              // the row function takes any steps itself; otherwise only 0 and 1 in, 1 out
    bool takes_blocks = false;  // of rows
    bool takes_sheets = false;
    void (*add)(std::byte* to, index_t step, const std::byte* from, index_t n) = nullptr;  // of kernels with steps of 1
    bool adds_apart = false;  // outputs that are added to may overlap

    static constexpr int block = 4;
};

/// The iteration space, not empty: extents, and for each operand (inputs, then outputs) data and strides in elements. An output's
/// stride of 0 along a longer axis means that it is reduced there.
struct loop_nest {
    int rank = 0;
    index_t extent[max_loop_rank];
    std::byte* data[max_operands];
    index_t stride[max_operands][max_loop_rank];
};

template <class U>
void copy_items(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n) {
    if (to_step == 1 && from_step == 1) {
        std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(U));
        return;
    }
    if (to_step == 1 && from_step == 0) {
        U value;
        std::memcpy(&value, from, sizeof(U));
        for (index_t i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index_t>(sizeof(U)), &value, sizeof(U));
        return;
    }
    for (index_t i = 0; i < n; ++i)
        std::memcpy(to + i * to_step * static_cast<index_t>(sizeof(U)),
                    from + i * from_step * static_cast<index_t>(sizeof(U)), sizeof(U));
}
/// n elements of `item` bytes from one step (in elements) to another.
inline void copy_strided(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n,
                         std::size_t item) {
    switch (item) {
        case 1:
            return copy_items<std::uint8_t>(to, to_step, from, from_step, n);
        case 2:
            return copy_items<std::uint16_t>(to, to_step, from, from_step, n);
        case 4:
            return copy_items<std::uint32_t>(to, to_step, from, from_step, n);
        case 8:
            return copy_items<std::uint64_t>(to, to_step, from, from_step, n);
        case 16:
            return copy_items<std::array<std::uint64_t, 2>>(to, to_step, from, from_step, n);
        default:
            for (index_t i = 0; i < n; ++i)
                std::memcpy(to + i * to_step * static_cast<index_t>(item),
                            from + i * from_step * static_cast<index_t>(item), item);
    }
}

}  // namespace ricci::detail
// ---- ricci/cpu/thread_pool.hpp
// The threads of the CPU backend: one pool for the process, started when first needed, fed with chunks of loops.
#include <climits>
#include <exception>

// <thread> would take a quarter of a second of each translation unit that includes the library.
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
#include <pthread.h>
#include <unistd.h>
#else
#include <thread>
#endif

namespace ricci {
namespace detail {

/// One parallel loop, on its caller's stack. Workers take chunks from `next` until none is left.
struct parallel_job {
    void (*body)(void*, index_t);
    void* context;
    index_t chunks;
    std::atomic<index_t> next{0};
    int workers = 0;             // attached to this job; this and all below guarded by the pool's lock
    std::exception_ptr error{};  // the first one thrown
    parallel_job* link = nullptr;
};

inline constinit thread_local bool inside_parallel = false;

/// The process's pool. It is never destroyed and its threads are detached: whatever static destructors run at exit may
/// still use it. A child of fork starts with no workers and starts its own.
class thread_pool {
   public:
    static thread_pool& instance() {
        static thread_pool& pool = *make();
        return pool;
    }
    int limit() const { return limit_.load(std::memory_order_relaxed); }
    void set_limit(int n) {
        limit_.store(n, std::memory_order_relaxed);
        wake_workers();  // so that surplus ones leave
    }

    void run(parallel_job& job) {
        {
            spin_guard guard(lock_);
            job.link = jobs_;
            jobs_ = &job;
            const index_t useful = job.chunks < limit() ? job.chunks - 1 : limit() - 1;
            while (workers_ < useful && start_worker()) ++workers_;
        }
        wake_workers();
        work_on(job);
        for (;;) {
            const unsigned seen = finished_.load(std::memory_order_acquire);
            {
                spin_guard guard(lock_);
                unlink(job);
                if (job.workers == 0) break;
            }
            finished_.wait(seen, std::memory_order_acquire);
        }
        if (job.error) std::rethrow_exception(job.error);
    }

   private:
    spinlock lock_;  // guards jobs_, workers_ and the jobs' lists
    parallel_job* jobs_ = nullptr;
    int workers_ = 0;
    std::atomic<int> limit_{default_limit()};
    std::atomic<unsigned> posted_{0}, finished_{0};  // counters to sleep on

    static thread_pool* make() {
        auto* pool = new thread_pool;
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
        static constinit thread_pool* forked = nullptr;
        forked = pool;
        pthread_atfork([] { forked->lock_.lock(); }, [] { forked->lock_.unlock(); },
                       [] {
                           forked->jobs_ = nullptr;
                           forked->workers_ = 0;
                           forked->lock_.unlock();
                       });
#endif
        return pool;
    }
    static int default_limit() {
        if (const char* text = std::getenv("RICCI_NUM_THREADS")) {
            const long n = std::strtol(text, nullptr, 10);
            if (n >= 1 && n <= INT_MAX) return static_cast<int>(n);
        }
#if defined(CPU_COUNT)
        cpu_set_t mine;  // what the scheduler grants, which containers and taskset restrict
        if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
#endif
#if defined(_SC_NPROCESSORS_ONLN)
        const long n = sysconf(_SC_NPROCESSORS_ONLN);
        return n > 1 ? static_cast<int>(n) : 1;
#else
        const unsigned n = std::thread::hardware_concurrency();
        return n > 1 ? static_cast<int>(n) : 1;
#endif
    }

    bool start_worker() {
#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes) != 0) return false;
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_t thread;
        const auto entry = [](void* self) -> void* {
            static_cast<thread_pool*>(self)->worker();
            return nullptr;
        };
        const bool started = pthread_create(&thread, &attributes, entry, this) == 0;
        pthread_attr_destroy(&attributes);
        return started;
#else
        try {
            std::thread(&thread_pool::worker, this).detach();
            return true;
        } catch (...) {
            return false;
        }
#endif
    }
    void wake_workers() {
        posted_.fetch_add(1, std::memory_order_release);
        posted_.notify_all();
    }

    void worker() {
        inside_parallel = true;
        for (;;) {
            const unsigned seen = posted_.load(std::memory_order_acquire);
            parallel_job* job = nullptr;
            {
                spin_guard guard(lock_);
                if (workers_ >= limit()) {
                    --workers_;
                    return;
                }
                for (job = jobs_; job; job = job->link)
                    if (job->next.load(std::memory_order_relaxed) < job->chunks) break;
                if (job) ++job->workers;
            }
            if (!job) {
                posted_.wait(seen, std::memory_order_acquire);
                continue;
            }
            take_chunks(*job);
            {
                spin_guard guard(lock_);
                --job->workers;
            }
            finished_.fetch_add(
                1, std::memory_order_release);  // the job may be gone by now: the pool's counter, not its own
            finished_.notify_all();
        }
    }
    void work_on(parallel_job& job) {
        inside_parallel = true;
        take_chunks(job);
        inside_parallel = false;
    }
    void take_chunks(parallel_job& job) {
        try {
            for (index_t i; (i = job.next.fetch_add(1, std::memory_order_relaxed)) < job.chunks;)
                job.body(job.context, i);
        } catch (...) {
            job.next.store(job.chunks, std::memory_order_relaxed);
            spin_guard guard(lock_);
            if (!job.error) job.error = std::current_exception();
        }
    }
    void unlink(parallel_job& job) {
        for (parallel_job** at = &jobs_; *at; at = &(*at)->link)
            if (*at == &job) {
                *at = job.link;
                return;
            }
    }
};

/// Calls body(context, i) once for each i in [0, chunks), on up to num_threads() threads, the caller's among them, and
/// returns when all are done. A call from within a body runs in its thread. The first exception of a body is thrown on
/// to the caller, once no body runs any more; chunks not begun by then are left out.
inline void parallel_for(index_t chunks, void (*body)(void* context, index_t chunk), void* context) {
    if (chunks <= 1 || inside_parallel || thread_pool::instance().limit() == 1) {
        for (index_t i = 0; i < chunks; ++i) body(context, i);
        return;
    }
    parallel_job job{body, context, chunks};
    thread_pool::instance().run(job);
}

}  // namespace detail

/// How many threads the CPU backend uses: as many as the process may run on, unless the environment variable
/// RICCI_NUM_THREADS or set_num_threads says otherwise.
inline int num_threads() { return detail::thread_pool::instance().limit(); }

/// Sets how many threads the CPU backend uses, the calling one included; with 1 none is ever started. Throws
/// value_error unless n >= 1. Results never depend on it.
inline void set_num_threads(int n) {
    if (n < 1) detail::raise<value_error>({"[set_num_threads] the number of threads must be at least 1, got ", n});
    detail::thread_pool::instance().set_limit(n);
}

}  // namespace ricci

namespace ricci::detail {

class loop_driver {
   public:
    loop_driver(loop_nest& nest, const row_kernel& kernel, const memory_range* homes = nullptr)
        : nest_(nest), kernel_(kernel), homes_(homes), operands_(kernel.inputs + kernel.outputs) {}

    void run() {
        for (int k = 0; k < kernel_.outputs; ++k) count_[k] = output_count(k);
        drop_unit_axes();
        choose_inner();
        merge_axes();
        for (int k = 0; k < kernel_.outputs; ++k) reduced_[k] = kernel_.merge[k] == k && is_reduced(k, 0, nest_.rank);
        split();
    }

   private:
    std::byte*& out_data(int k) { return nest_.data[kernel_.inputs + k]; }
    const index_t* out_stride(int k) const { return nest_.stride[kernel_.inputs + k]; }
    bool is_reduced(int k, int first, int last) const {
        for (int d = first; d < last; ++d)
            if (out_stride(k)[d] == 0 && nest_.extent[d] > 1) return true;
        return false;
    }
    index_t output_count(int k) const {
        index_t n = 1;
        for (int d = 0; d < nest_.rank; ++d)
            if (out_stride(k)[d] != 0) n *= nest_.extent[d];
        return n;
    }
    void drop_unit_axes() {
        int kept = 0;
        for (int d = 0; d < nest_.rank; ++d)
            if (nest_.extent[d] != 1) move_axis(d, kept++);
        nest_.rank = kept;
    }
    void move_axis(int from, int to) {
        if (from == to) return;
        nest_.extent[to] = nest_.extent[from];
        for (int o = 0; o < operands_; ++o) nest_.stride[o][to] = nest_.stride[o][from];
    }
    /// The inner axis is the one along which rows cost least: long, and contiguous in most operands.
    void choose_inner() {
        if (nest_.rank < 2) return;
        int best = nest_.rank - 1;
        double best_cost = row_cost(best);
        for (int d = nest_.rank - 2; d >= 0; --d) {
            const double cost = row_cost(d);
            if (cost < 0.7 * best_cost) {
                best = d;
                best_cost = cost;
            }
        }
        for (int d = best; d + 1 < nest_.rank; ++d) swap_axes(d, d + 1);
    }
    void swap_axes(int a, int b) {
        std::swap(nest_.extent[a], nest_.extent[b]);
        for (int o = 0; o < operands_; ++o) std::swap(nest_.stride[o][a], nest_.stride[o][b]);
    }
    /// Nanoseconds for an element when axis d is the inner one, roughly: a row costs 15, one shorter than a register, which
    /// goes through buffers, 50, and a strided access 1.
    double row_cost(int d) const {
        constexpr index_t lanes = 16;
        double cost = 0.2 + (nest_.extent[d] < lanes ? 50.0 : 15.0) / static_cast<double>(nest_.extent[d]);
        for (int o = 0; o < operands_; ++o)
            if (nest_.stride[o][d] != 0 && nest_.stride[o][d] != 1) cost += 1;
        return cost;
    }
    void merge_axes() {
        int last = 0;
        for (int d = 1; d < nest_.rank; ++d) {
            bool together = true;
            for (int o = 0; o < operands_ && together; ++o)
                together = nest_.stride[o][last] == nest_.stride[o][d] * nest_.extent[d];
            if (together) {
                const index_t n = nest_.extent[last] * nest_.extent[d];
                move_axis(d, last);
                nest_.extent[last] = n;
            } else {
                move_axis(d, ++last);
            }
        }
        if (nest_.rank) nest_.rank = last + 1;
    }

    // ---- chunks: the same for any number of threads, so that sums do not depend on it -----------------------------------

    static constexpr index_t grain = index_t(1) << 16;

    void split() {
        index_t total = 1;
        for (int d = 0; d < nest_.rank; ++d) total *= nest_.extent[d];
        chunks_ = 1;
        if (total >= 2 * grain) {
            split_ = 0;
            for (int d = 1; d < nest_.rank; ++d)
                if (nest_.extent[split_] < 8 && nest_.extent[d] > nest_.extent[split_]) split_ = d;
            const index_t most = nest_.rank == 1 ? nest_.extent[0] / 4096 : nest_.extent[split_];
            chunks_ = total / grain;
            if (chunks_ > 64) chunks_ = 64;
            if (chunks_ > most) chunks_ = most;
            for (int k = 0; k < kernel_.outputs; ++k)
                if (reduced_[k]) limit_chunks(k, total);
        }
        if (homes_ && chunks_ > 1 && !chunks_apart()) chunks_ = 1;
        prepare_reduced();
        if (chunks_ <= 1) run_chunk(0);
        else if (homes_) run_chunks_apart();
        else
            parallel_for(
                chunks_, [](void* self, index_t chunk) { static_cast<loop_driver*>(self)->run_chunk(chunk); }, this);
        finish_reduced();
    }
    /// Private accumulators must stay small beside the work; shared ones must not meet in a chunk's range of elements.
    void limit_chunks(int k, index_t total) {
        const index_t* stride = out_stride(k);
        if (stride[split_] == 0) {
            while (chunks_ > 1 && chunks_ * count_[k] > total / 256) chunks_ /= 2;
            return;
        }
        for (int d = 0; d < nest_.rank; ++d)
            if (d != split_ && stride[d] * nest_.extent[d] > stride[split_]) chunks_ = 1;
    }
    bool is_private(int k) const { return chunks_ > 1 && out_stride(k)[split_] == 0; }

    /// Accumulators: one set for each reduced output, or one for each chunk where chunks meet in the same elements.
    void prepare_reduced() {
        std::size_t bytes = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k]) continue;
            const std::size_t copies = is_private(k) ? static_cast<std::size_t>(chunks_) : 1;
            wide_at_[k] = bytes;
            bytes += align(copies * static_cast<std::size_t>(count_[k]) * kernel_.rules[k]->wide_item);
            partial_at_[k] = bytes;
            if (is_private(k)) bytes += align(copies * static_cast<std::size_t>(count_[k]) * kernel_.rules[k]->item);
        }
        if (!bytes) return;
        if (bytes <= sizeof(small_)) scratch_ = small_;
        else {
            memory_ = storage::allocate(bytes);
            scratch_ = static_cast<std::byte*>(memory_.data());
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k]) continue;
            const index_t n = count_[k] * (is_private(k) ? chunks_ : 1);
            kernel_.rules[k]->clear_wide(scratch_ + wide_at_[k], n);
            kernel_.rules[k]->clear(is_private(k) ? scratch_ + partial_at_[k] : out_data(k), n);
        }
    }
    static std::size_t align(std::size_t n) { return (n + 63) & ~std::size_t(63); }

    void finish_reduced() {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!reduced_[k]) continue;
            const output_rules& rules = *kernel_.rules[k];
            std::byte* wide = scratch_ + wide_at_[k];
            if (is_private(k))
                for (index_t c = 1; c < chunks_; ++c)
                    rules.join(wide, wide + static_cast<std::size_t>(c * count_[k]) * rules.wide_item, count_[k]);
            rules.finish(wide, out_data(k), count_[k]);
        }
    }

    struct chunk_state {
        index_t extent[max_loop_rank];
        std::byte* at[max_operands];  // the row's first element; for outputs in mode total, its accumulator
        index_t step[max_operands];
        std::byte* wide[max_operands];
        std::byte* partial[max_operands];
        std::byte* buffer[max_operands];
        output_mode mode[max_operands];
        index_t touched_low[max_operands], touched_high[max_operands];  // bytes of partial
        index_t row_bytes[max_operands];
        index_t rows = 0, length = 1, tile;
        std::byte *cleared[max_operands], *clear_end[max_operands];  // of homes
        bool leads[max_operands];                                    // of windows
        bool flushes = false, buffered = false;
        storage buffers;
    };

    // ---- windows: outputs that are added into larger arrays, where they may overlap --------------------------------------

    static constexpr index_t window_tile = 1024;  // elements of a window before it is added

    bool is_window(int k) const { return homes_ && homes_[k].begin && kernel_.merge[k] == k; }
    int home_of(int k) const {
        int h = 0;
        while (!(is_window(h) && homes_[h].begin == homes_[k].begin)) ++h;
        return h;
    }
    /// What a chunk touches of the home of output h.
    memory_range touched(int h, index_t chunk) const {
        index_t extent[max_loop_rank];
        for (int d = 0; d < nest_.rank; ++d) extent[d] = nest_.extent[d];
        const index_t begin = slice_chunk(chunk, extent);
        memory_range all;
        for (int k = h; k < kernel_.outputs; ++k) {
            if (!is_window(k) || homes_[k].begin != homes_[h].begin) continue;
            const index_t bytes = static_cast<index_t>(item(kernel_.inputs + k));
            std::byte* low = nest_.data[kernel_.inputs + k] + begin * out_stride(k)[split_] * bytes;
            std::byte* high = low + bytes;
            for (int d = 0; d < nest_.rank; ++d) {
                const index_t reach = (extent[d] - 1) * out_stride(k)[d] * bytes;
                (reach < 0 ? low : high) += reach;
            }
            if (!all.begin || low < all.begin) all.begin = low;
            if (high > all.end) all.end = high;
        }
        return all;
    }
    /// Whether chunks follow each other in memory and touch at most their neighbours' ranges, so that every other one can run
    /// at the same time.
    bool chunks_apart() const {
        for (int h = 0; h < kernel_.outputs; ++h) {
            if (!is_window(h) || home_of(h) != h) continue;
            memory_range before = touched(h, 0), last = touched(h, 1);
            for (index_t c = 1; c < chunks_; ++c) {
                if (last.begin < before.begin || last.end < before.end) return false;
                if (c + 1 == chunks_) break;
                const memory_range next = touched(h, c + 1);
                if (next.begin < before.end) return false;
                before = std::exchange(last, next);
            }
        }
        return true;
    }
    /// On one thread, too, so that sums do not depend on their number.
    void run_chunks_apart() {
        parallel_for((chunks_ + 1) / 2,
                     [](void* self, index_t i) { static_cast<loop_driver*>(self)->run_chunk(2 * i); }, this);
        parallel_for(
            chunks_ / 2, [](void* self, index_t i) { static_cast<loop_driver*>(self)->run_chunk(2 * i + 1); }, this);
    }
    /// Windows that meet no other one within a tile are added to by the kernel, the others come through buffers. A chunk
    /// clears what it touches first: an even one all that it touches, an odd one what lies between its neighbours'.
    void set_windows(index_t chunk, chunk_state& s) const {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!is_window(k)) continue;
            s.mode[k] = is_alone(k, s) ? output_mode::add : output_mode::store;
            s.leads[k] = false;
            if (home_of(k) != k) continue;
            s.cleared[k] = homes_[k].begin;
            s.clear_end[k] = homes_[k].end;
            const bool odd = chunk % 2;
            if (chunk > 0) s.cleared[k] = odd ? touched(k, chunk - 1).end : touched(k, chunk).begin;
            if (chunk + 1 < chunks_) s.clear_end[k] = odd ? touched(k, chunk + 1).begin : touched(k, chunk).end;
        }
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (!is_window(k) || home_of(k) != k) continue;
            const int leader = leader_of(k, s);
            if (leader >= 0 && s.mode[leader] == output_mode::add) s.leads[leader] = true;
        }
    }
    /// Of windows that go the same way, the one that is ahead of the others: what it reaches first, it may store.
    int leader_of(int h, const chunk_state& s) const {
        int leader = h;
        for (int k = h; k < kernel_.outputs; ++k) {
            if (!is_window(k) || homes_[k].begin != homes_[h].begin) continue;
            if (s.step[kernel_.inputs + k] != 1 || !same_strides(h, k)) return -1;
            if (nest_.data[kernel_.inputs + k] > nest_.data[kernel_.inputs + leader]) leader = k;
        }
        return leader;
    }
    bool same_strides(int j, int k) const {
        return std::memcmp(out_stride(j), out_stride(k), static_cast<std::size_t>(nest_.rank) * sizeof(index_t)) == 0;
    }
    bool is_alone(int k, const chunk_state& s) const {
        if (kernel_.any_step) return true;
        if (s.step[kernel_.inputs + k] != 1) return false;
        if (kernel_.adds_apart) return true;
        const index_t bytes = std::min(s.length, window_tile) * static_cast<index_t>(item(kernel_.inputs + k));
        for (int j = 0; j < k; ++j) {
            if (!is_window(j) || homes_[j].begin != homes_[k].begin || s.mode[j] != output_mode::add) continue;
            if (!same_strides(j, k)) return false;
            const index_t apart = s.at[kernel_.inputs + k] - s.at[kernel_.inputs + j];
            if (apart < bytes && -apart < bytes) return false;
        }
        return true;
    }
    /// Makes the homes ready for the next n elements of a row: what these reach first is cleared, or stored by the leader.
    void clear_ahead(chunk_state& s, index_t from, index_t n) const {
        for (const bool leads : {true, false})
            for (int k = 0; k < kernel_.outputs; ++k)
                if (is_window(k) && s.leads[k] == leads) make_ready(s, k, from, n);
    }
    void make_ready(chunk_state& s, int k, index_t from, index_t n) const {
        const int o = kernel_.inputs + k, h = home_of(k);
        const index_t bytes = static_cast<index_t>(item(o)), step = s.step[o];
        std::byte* const begin = s.at[o] + from * step * bytes;
        std::byte* end = step > 0 ? begin + ((n - 1) * step + 1) * bytes : begin + bytes;
        if (s.leads[k]) {
            const bool first = begin >= s.cleared[h] && end <= s.clear_end[h];
            s.mode[k] = first ? output_mode::store : output_mode::add;
            if (first) {
                memory_range{s.cleared[h], begin}.clear();
                s.cleared[h] = end;
            }
        }
        if (end > s.clear_end[h]) end = s.clear_end[h];
        if (end <= s.cleared[h]) return;
        memory_range{s.cleared[h], end}.clear();
        s.cleared[h] = end;
    }
    void clear_rest(const chunk_state& s) const {
        for (int k = 0; k < kernel_.outputs; ++k)
            if (is_window(k) && home_of(k) == k) memory_range{s.cleared[k], s.clear_end[k]}.clear();
    }

    // ---- one chunk -------------------------------------------------------------------------------------------------------

    static constexpr index_t total_tile = 4096;   // elements summed in the element type before the wide accumulator
    static constexpr index_t gather_tile = 512;   // elements of a strided operand copied at a time
    static constexpr index_t flush_visits = 256;  // additions to a row before it goes to the wide accumulator

    void run_chunk(index_t chunk) {
        chunk_state s;
        for (int d = 0; d < nest_.rank; ++d) s.extent[d] = nest_.extent[d];
        index_t begin = 0;
        if (chunks_ > 1) begin = slice_chunk(chunk, s.extent);
        if (nest_.rank) s.length = s.extent[nest_.rank - 1];
        set_modes(chunk, s);
        for (int o = 0; o < operands_; ++o) {
            s.step[o] = nest_.rank ? nest_.stride[o][nest_.rank - 1] : 0;
            if (chunks_ > 1) s.at[o] += begin * jump(s, o, split_);
        }
        if (homes_) set_windows(chunk, s);
        set_buffers(s);
        walk(s);
        if (s.flushes) flush(s);
        if (homes_) clear_rest(s);
    }
    /// Narrows the split axis to the chunk; returns where it begins there.
    index_t slice_chunk(index_t chunk, index_t* extent) const {
        const index_t n = nest_.extent[split_], unit = nest_.rank == 1 ? 64 : 1, blocks = (n + unit - 1) / unit;
        const index_t begin = blocks * chunk / chunks_ * unit;
        index_t end = blocks * (chunk + 1) / chunks_ * unit;
        if (end > n) end = n;
        extent[split_] = end - begin;
        return begin;
    }
    std::size_t item(int o) const {
        return o < kernel_.inputs ? kernel_.input_item[o] : kernel_.rules[o - kernel_.inputs]->item;
    }
    bool is_total(const chunk_state& s, int o) const {
        return o >= kernel_.inputs && s.mode[o - kernel_.inputs] == output_mode::total;
    }
    /// Bytes from one element to the next along an axis, of what `at` points into.
    index_t jump(const chunk_state& s, int o, int d) const {
        const std::size_t bytes = is_total(s, o) ? kernel_.rules[o - kernel_.inputs]->wide_item : item(o);
        return nest_.stride[o][d] * static_cast<index_t>(bytes);
    }
    void set_modes(index_t chunk, chunk_state& s) {
        const int inner = nest_.rank - 1;
        for (int o = 0; o < kernel_.inputs; ++o) s.at[o] = nest_.data[o];
        for (int k = 0; k < kernel_.outputs; ++k) {
            std::byte*& at = s.at[kernel_.inputs + k];
            at = out_data(k);
            if (kernel_.merge[k] != k) s.mode[k] = output_mode::skip;
            else if (!reduced_[k]) s.mode[k] = output_mode::store;
            else {
                const output_rules& rules = *kernel_.rules[k];
                const std::size_t own = is_private(k) ? static_cast<std::size_t>(chunk * count_[k]) : 0;
                s.wide[k] = scratch_ + wide_at_[k] + own * rules.wide_item;
                s.partial[k] = is_private(k) ? scratch_ + partial_at_[k] + own * rules.item : out_data(k);
                s.mode[k] = out_stride(k)[inner] == 0 ? output_mode::total : output_mode::add;
                at = s.mode[k] == output_mode::total ? s.wide[k] : s.partial[k];
                s.touched_low[k] = std::numeric_limits<index_t>::max();
                s.touched_high[k] = 0;
                if (s.mode[k] == output_mode::add) s.flushes = true;
            }
        }
    }
    void set_buffers(chunk_state& s) {
        s.tile = s.length;
        for (int k = 0; k < kernel_.outputs; ++k)
            if (s.mode[k] == output_mode::total && s.tile > total_tile) s.tile = total_tile;
        const index_t most = homes_ ? window_tile : gather_tile;
        if (homes_ && s.tile > most) s.tile = most;
        std::size_t bytes = 0;
        for (int o = 0; o < operands_; ++o)
            if (needs_buffer(o, s)) bytes += align(static_cast<std::size_t>(most) * item(o));
        if (!bytes) return;
        s.buffered = true;
        if (s.tile > most) s.tile = most;
        s.buffers = storage::allocate(bytes);
        std::byte* at = static_cast<std::byte*>(s.buffers.data());
        for (int o = 0; o < operands_; ++o) {
            s.buffer[o] = needs_buffer(o, s) ? at : nullptr;
            if (s.buffer[o]) at += align(static_cast<std::size_t>(most) * item(o));
        }
    }
    bool needs_buffer(int o, const chunk_state& s) const {
        if (kernel_.any_step || nest_.rank == 0) return false;
        if (o < kernel_.inputs) return s.step[o] != 0 && s.step[o] != 1;
        if (is_window(o - kernel_.inputs)) return s.mode[o - kernel_.inputs] == output_mode::store;
        return s.mode[o - kernel_.inputs] != output_mode::skip && !is_total(s, o) && s.step[o] != 1;
    }

    void walk(chunk_state& s) {
        const int outer = nest_.rank > 0 ? nest_.rank - 1 : 0, next = outer - 1;
        const bool blocks = next >= 0 && can_block(s, next);
        const bool sheets = next >= 0 && !blocks && can_sheet(s, next);
        index_t index[max_loop_rank] = {};
        for (;;) {
            int rows = blocks && s.extent[next] - index[next] >= row_kernel::block ? row_kernel::block : 1;
            if (sheets) rows = static_cast<int>(s.extent[next]);
            row(s, rows, sheets);
            int d = next;
            for (; d >= 0; --d) {
                const index_t step = d == next ? rows : 1;
                index[d] += step;
                const index_t by = index[d] < s.extent[d] ? step : step - s.extent[d];
                for (int o = 0; o < operands_; ++o) s.at[o] += by * jump(s, o, d);
                if (by == step) break;
                index[d] = 0;
            }
            if (d < 0) return;
        }
    }
    /// Whether neighbouring rows along an axis are added to the same row, so that it is better loaded and stored once for several.
    bool can_block(chunk_state& s, int axis) const {
        if (!kernel_.takes_blocks || s.buffered || s.length > s.tile || s.mode[0] != output_mode::add) return false;
        if (out_stride(0)[axis] != 0) return false;
        for (int o = 0; o < kernel_.inputs; ++o) {
            if (s.step[o] == 0 && nest_.stride[o][axis] != 0) return false;
            s.row_bytes[o] = jump(s, o, axis);
        }
        return true;
    }
    /// Whether the rows along an axis are so short that what comes before each of them counts, and stand apart.
    bool can_sheet(chunk_state& s, int axis) const {
        constexpr index_t longest = 1024;
        if (homes_ || !kernel_.takes_sheets || s.buffered || s.flushes || s.length > longest || s.length > s.tile) return false;
        if (s.extent[axis] > std::numeric_limits<int>::max()) return false;
        for (int o = 0; o < operands_; ++o) s.row_bytes[o] = jump(s, o, axis);
        return true;
    }
    void row(chunk_state& s, int rows, bool sheet = false) {
        if (s.flushes) touch_rows(s);
        if (!s.buffered && s.length <= s.tile) {
            if (homes_) clear_ahead(s, 0, s.length);
            kernel_.run(kernel_.function,
                        row_args{s.length, s.at, s.step, s.at + kernel_.inputs, s.step + kernel_.inputs, s.mode,
                                 kernel_.merge, rows, s.row_bytes, sheet});
        } else {
            for (index_t done = 0; done < s.length; done += s.tile)
                tile(s, done, s.length - done < s.tile ? s.length - done : s.tile);
        }
        if (s.flushes && (s.rows += rows) >= flush_visits) flush(s);
    }
    void touch_rows(chunk_state& s) {
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add || !reduced_[k]) continue;
            const int o = kernel_.inputs + k;
            const index_t bytes = static_cast<index_t>(item(o)), low = s.at[o] - s.partial[k];
            const index_t high = low + (s.length - 1) * s.step[o] * bytes + bytes;
            if (low < s.touched_low[k]) s.touched_low[k] = low;
            if (high > s.touched_high[k]) s.touched_high[k] = high;
        }
    }
    void flush(chunk_state& s) {
        s.rows = 0;
        for (int k = 0; k < kernel_.outputs; ++k) {
            if (s.mode[k] != output_mode::add || !reduced_[k] || s.touched_high[k] <= s.touched_low[k]) continue;
            const output_rules& rules = *kernel_.rules[k];
            const index_t bytes = static_cast<index_t>(rules.item), low = s.touched_low[k] / bytes;
            rules.flush(s.partial[k] + low * bytes, s.wide[k] + low * static_cast<index_t>(rules.wide_item),
                        s.touched_high[k] / bytes - low);
            s.touched_low[k] = std::numeric_limits<index_t>::max();
            s.touched_high[k] = 0;
        }
    }
    void tile(chunk_state& s, index_t from, index_t n) {
        if (homes_) clear_ahead(s, from, n);
        std::byte* at[max_operands];
        std::byte* real[max_operands];
        index_t step[max_operands];
        for (int o = 0; o < operands_; ++o) {
            at[o] = real[o] = is_total(s, o) ? s.at[o] : s.at[o] + from * s.step[o] * static_cast<index_t>(item(o));
            step[o] = s.step[o];
            if (!s.buffered || !s.buffer[o]) continue;
            if (o < kernel_.inputs || s.mode[o - kernel_.inputs] == output_mode::add)
                copy_strided(s.buffer[o], 1, at[o], s.step[o], n, item(o));
            at[o] = s.buffer[o];
            step[o] = 1;
        }
        kernel_.run(kernel_.function,
                    row_args{n, at, step, at + kernel_.inputs, step + kernel_.inputs, s.mode, kernel_.merge});
        if (!s.buffered) return;
        for (int o = kernel_.inputs; o < operands_; ++o) {
            if (!s.buffer[o]) continue;
            if (is_window(o - kernel_.inputs)) kernel_.add(real[o], s.step[o], s.buffer[o], n);
            else copy_strided(real[o], s.step[o], s.buffer[o], 1, n, item(o));
        }
    }

    loop_nest& nest_;
    const row_kernel& kernel_;
    const memory_range* homes_;
    int operands_;
    int split_ = 0;
    index_t chunks_ = 1;
    index_t count_[max_operands];
    bool reduced_[max_operands];
    std::size_t wide_at_[max_operands], partial_at_[max_operands];
    std::byte* scratch_ = nullptr;
    storage memory_;
    alignas(64) std::byte small_[256];
};

}  // namespace ricci::detail

namespace ricci::detail {

/// A tensor as a loop sees it: its first element, and `rank` extents and strides in elements.
struct operand_ref {
    std::byte* data;
    const index_t* extent;
    const index_t* stride;  // null: row-major
    int rank;
};

template <class T>
std::byte* byte_pointer(T* p) {
    return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(p));
}
template <class X>
RICCI_INLINE operand_ref refer(const X& x) {
    static_assert(X::rank <= max_loop_rank, "ricci: rank too high");
    return {byte_pointer(x.data()), x.shape().extent, x.strides().extent, X::rank};
}

/// The common case without a nest: n elements in one row, all operands dense (step 1), or the same element throughout
/// (step 0), which for an output means that all is reduced into it.
class flat_loop {
   public:
    static constexpr index_t most = index_t(1) << 17;  // above, the nest and its threads take over

    flat_loop(const row_kernel& kernel, std::byte* const* data, const index_t* step, index_t n)
        : kernel_(kernel), data_(data), step_(step), n_(n) {}

    void store() {
        output_mode mode[max_operands];
        for (int k = 0; k < kernel_.outputs; ++k)
            mode[k] = kernel_.merge[k] == k ? output_mode::store : output_mode::skip;
        kernel_.run(kernel_.function,
                    row_args{n_, data_, step_, data_ + kernel_.inputs, step_ + kernel_.inputs, mode, kernel_.merge});
    }
    void reduce() {
        output_mode mode[max_operands];
        std::byte* at[max_operands];
        alignas(16) std::byte wide[max_operands][32];
        for (int k = 0; k < kernel_.outputs; ++k) {
            const bool total = step_[kernel_.inputs + k] == 0;
            mode[k] = kernel_.merge[k] != k ? output_mode::skip : total ? output_mode::total : output_mode::store;
            if (mode[k] == output_mode::total) kernel_.rules[k]->clear_wide(wide[k], 1);
        }
        for (index_t from = 0; from < n_; from += tile) {
            for (int o = 0; o < kernel_.inputs; ++o)
                at[o] = data_[o] + from * step_[o] * static_cast<index_t>(kernel_.input_item[o]);
            for (int k = 0; k < kernel_.outputs; ++k)
                at[kernel_.inputs + k] =
                    mode[k] == output_mode::total
                        ? wide[k]
                        : data_[kernel_.inputs + k] + from * static_cast<index_t>(kernel_.rules[k]->item);
            const index_t n = n_ - from < tile ? n_ - from : tile;
            kernel_.run(kernel_.function,
                        row_args{n, at, step_, at + kernel_.inputs, step_ + kernel_.inputs, mode, kernel_.merge});
        }
        for (int k = 0; k < kernel_.outputs; ++k)
            if (mode[k] == output_mode::total) kernel_.rules[k]->finish(wide[k], data_[kernel_.inputs + k], 1);
    }

   private:
    static constexpr index_t tile = 4096;
    row_kernel kernel_;
    std::byte* const* data_;
    const index_t* step_;
    index_t n_;
};

/// A kernel over its operands, the inputs followed by the outputs, all of which broadcast to one iteration space. Where the
/// space is longer than an output, the output is reduced.
class bound_kernel {
   public:
    /// With `homes`, one for each output: an output that has one is added into it, which begins as zeros.
    bound_kernel(const row_kernel& kernel, const operand_ref* operands, const memory_range* homes = nullptr)
        : kernel_(kernel), operand_(operands), homes_(homes), operands_(kernel.inputs + kernel.outputs) {
        for (int o = 0; o < operands_; ++o) rank_ = operand_[o].rank > rank_ ? operand_[o].rank : rank_;
        for (int d = 0; d < rank_; ++d) extent_[d] = 1;
        for (int o = 0; o < operands_; ++o) {
            index_t* extent = extent_ + (rank_ - operand_[o].rank);
            for (int d = 0; d < operand_[o].rank; ++d)
                if (operand_[o].extent[d] != 1) extent[d] = operand_[o].extent[d];
        }
        for (int d = 0; d < rank_; ++d) count_ *= extent_[d];
    }
    RICCI_NOINLINE void run() const {
        if (count_ == 0) return clear_outputs();
        if (homes_ || count_ > flat_loop::most || !run_flat()) run_nest();
    }

   private:
    /// Reductions of nothing: what outputs there are hold identities.
    void clear_outputs() const {
        for (int k = 0; k < kernel_.outputs; ++k) {
            const operand_ref& x = operand_[kernel_.inputs + k];
            index_t n = kernel_.merge[k] == k ? 1 : 0;
            for (int d = 0; d < x.rank; ++d) n *= x.extent[d];
            if (n > 0) kernel_.rules[k]->clear(x.data, n);
            if (homes_ && homes_[k].begin) homes_[k].clear();
        }
    }
    enum class layout { single, dense, other };
    layout layout_of(const operand_ref& x) const {
        index_t n = 1;
        bool dense = true, whole = x.rank == rank_;
        for (int d = x.rank - 1; d >= 0; --d) {
            if (x.stride && x.extent[d] != 1 && x.stride[d] != n) dense = false;
            whole = whole && x.extent[d] == extent_[d];
            n *= x.extent[d];
        }
        return n == 1 ? layout::single : dense && whole ? layout::dense : layout::other;
    }
    /// The case without a loop nest: dense inputs or scalars, outputs dense or reduced to one element.
    bool run_flat() const {
        std::byte* data[max_operands];
        index_t step[max_operands];
        bool reduces = false;
        for (int o = 0; o < operands_; ++o) {
            const layout how = layout_of(operand_[o]);
            if (how == layout::other) return false;
            data[o] = operand_[o].data;
            step[o] = how == layout::dense ? 1 : 0;
            if (o >= kernel_.inputs && how == layout::single && count_ != 1) reduces = true;
        }
        flat_loop loop(kernel_, data, step, count_);
        if (reduces) loop.reduce();
        else loop.store();
        return true;
    }
    void run_nest() const {
        loop_nest nest;
        nest.rank = rank_;
        for (int d = 0; d < rank_; ++d) nest.extent[d] = extent_[d];
        for (int o = 0; o < operands_; ++o) {
            const operand_ref& x = operand_[o];
            nest.data[o] = x.data;
            index_t* stride = nest.stride[o];
            for (int d = 0; d < rank_ - x.rank; ++d) *stride++ = 0;
            index_t dense = 1;
            for (int d = x.rank - 1; d >= 0; --d) {
                stride[d] = x.extent[d] == 1 ? 0 : x.stride ? x.stride[d] : dense;
                dense *= x.extent[d] > 0 ? x.extent[d] : 1;
            }
        }
        loop_driver(nest, kernel_, homes_).run();
    }

    const row_kernel& kernel_;
    const operand_ref* operand_;
    const memory_range* homes_;
    int operands_, rank_ = 0;
    index_t count_ = 1;
    index_t extent_[max_loop_rank];
};

/// Copies elements of `item` bytes to where they broadcast to; neither overlaps the other.
RICCI_NOINLINE inline void copy_elements(std::size_t item, const operand_ref& from, const operand_ref& to) {
    static constexpr unsigned char merge[1] = {0};
    auto run = [](const void* bytes, const row_args& r) {
        copy_strided(r.out[0], r.out_step[0], r.in[0], r.in_step[0], r.n, *static_cast<const std::size_t*>(bytes));
    };
    const output_rules rules{item, 0, [](void*, index_t) {}, nullptr, nullptr, nullptr, nullptr};
    const output_rules* const tables[] = {&rules};
    const row_kernel kernel{&item, run, 1, 1, &item, tables, merge, true};
    const operand_ref operands[] = {from, to};
    bound_kernel(kernel, operands).run();
}

}  // namespace ricci::detail
// ---- ricci/cpu/complex_row.hpp
// Rows of kernels with complex numbers: on registers of the parts, where all other numbers are of the parts' type.
// ---- ricci/cpu/row.hpp
// Rows of kernels: the function that evaluates a sweep along one row, on SIMD registers where all its types allow, else
// element by element.

// ---- ricci/cpu/lanes.hpp
// Lanes: in what a sweep computes on the CPU, registers or single elements, and where its results go in one step.

namespace ricci {

template <class T>
inline constexpr bool is_kernel_scalar_v<simd<T>> = true;
template <class T>
inline constexpr bool is_kernel_scalar_v<simd_mask<T>> = true;

template <class T>
inline constexpr bool is_kernel_scalar_v<simd_complex<T>> = true;
template <class T>
inline constexpr bool is_complex_lane_v<simd_complex<T>> = true;

template <class T>
inline constexpr bool has_own_operators_v<simd<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd_complex<T>> = true;
template <class T>
inline constexpr bool has_own_operators_v<simd_mask<T>> = true;

namespace detail {
inline namespace RICCI_ISA {

/// Lanes of a kernel all of whose values are T, complex numbers of T, or bool.
template <class T>
struct simd_domain {
    template <class U>
    using lane = std::conditional_t<std::is_same_v<U, bool>, simd_mask<T>,
                                    std::conditional_t<std::is_same_v<U, T>, simd<T>, simd_complex<T>>>;
    template <class To, class From, class S>
    RICCI_INLINE static auto convert(const S& x) {
        if constexpr (std::is_same_v<To, From>) return x;
        else if constexpr (is_complex_v<To>) return simd_complex<T>(convert<T, From>(x));
        else if constexpr (is_complex_v<From> && std::is_same_v<To, bool>) return x != simd_complex<T>(T(0));
        else if constexpr (is_complex_v<From>) return x.real();
        else if constexpr (std::is_same_v<From, bool>) return math::select(x, simd<T>(T(1)), simd<T>(T(0)));
        else return x != simd<T>(T(0));
    }
};

}  // namespace RICCI_ISA

/// One element at a time, each in its own type.
struct scalar_domain {
    template <class U>
    using lane = U;
    template <class To, class From, class S>
    RICCI_HD RICCI_INLINE static constexpr To convert(const S& x) {
        return convert_element<To>(x);
    }
};

// ---- can a sweep run on registers? ---------------------------------------------------------------------------------------

struct mixed_lanes;
/// A number's type beside complex ones of it is theirs.
template <class A, class B>
struct mixed_with
    : std::conditional<is_complex_v<A> && std::is_same_v<real_t<A>, B>, A,
                       std::conditional_t<is_complex_v<B> && std::is_same_v<real_t<B>, A>, B, mixed_lanes>> {};
template <class A, class B>
using unite_lanes = typename std::conditional_t<std::is_void_v<A> || std::is_same_v<A, B>, std::type_identity<B>,
                                                mixed_with<A, B>>::type;

template <class A, class T>
constexpr auto add_lane_type() {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<A, mixed_lanes>) return std::type_identity<A>{};
    else return std::type_identity<unite_lanes<A, T>>{};
}
template <class A, class... T>
struct lanes_of_types {
    using type = A;
};
template <class A, class T, class... Rest>
struct lanes_of_types<A, T, Rest...> : lanes_of_types<typename decltype(add_lane_type<A, T>())::type, Rest...> {};

template <class Node>
struct node_types {
    using type = type_list<typename Node::value_type>;
};
template <class... L>
struct join_lists {
    using type = type_list<>;
};
template <class... A>
struct join_lists<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct join_lists<type_list<A...>, type_list<B...>, Rest...> : join_lists<type_list<A..., B...>, Rest...> {};
template <class To, class Child>
struct node_types<cast_node<To, Child>> {
    using type = typename join_lists<type_list<To>, typename node_types<Child>::type>::type;
};
template <class Op, class T, class... Child>
struct node_types<op_node<Op, T, Child...>> {
    static constexpr bool masks_fit = takes_masks_v<Op> || !(std::is_same_v<typename Child::value_type, bool> || ...);
    using type = typename join_lists<std::conditional_t<masks_fit, type_list<T>, type_list<T, mixed_lanes>>,
                                     typename node_types<Child>::type...>::type;
};
template <class List>
struct lane_type;
template <class... T>
struct lane_type<type_list<T...>> {
    using type = typename lanes_of_types<void, T...>::type;
};
/// float or double when every value in the tree is that or bool; complex numbers of these where there are some; otherwise
/// something that simd does not support.
template <class Tree>
using lane_type_t = typename lane_type<typename node_types<Tree>::type>::type;

template <class T>
constexpr bool lanes_supported() {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return simd_supported<T>;
    else return false;
}

/// The parts' type where a sweep with complex numbers runs on registers; else void.
template <class T>
constexpr auto complex_lanes() {
    if constexpr (is_complex_v<T>)
        if constexpr (lanes_supported<real_t<T>>()) return std::type_identity<real_t<T>>{};
        else return std::type_identity<void>{};
    else return std::type_identity<void>{};
}

// ---- outputs of one step --------------------------------------------------------------------------------------------------

/// How outputs that belong to the same leaf meet: not at all, all of a kind in one register, or by a run-time table.
enum class merging { none, all, table };

/// The outputs that a sweep gives in one step, held in registers; adjoints of merged outputs are added up here.
template <class Sweep, class Domain, merging Merge>
struct step_outputs {
    template <int K>
    using lane = typename Domain::template lane<typename Sweep::template output_type<K>>;

    /// The output in whose register K's values are added up.
    template <int K>
    static constexpr int group() {
        if constexpr (Merge != merging::all || Sweep::out.at[K].variable == Sweep::slots) return K;
        else {
            for (int i = 0; i < K; ++i)
                if (Sweep::out.at[i].variable != Sweep::slots && Sweep::out.at[i].powers == Sweep::out.at[K].powers)
                    return i;
            return K;
        }
    }
    template <class Indices>
    struct members;
    template <int... K>
    struct members<std::integer_sequence<int, K...>> {
        using type = pack<lane<K>...>;
    };
    struct indexed {
        lane<0> at[Sweep::outputs];
    };
    std::conditional_t<Merge == merging::table, indexed,
                       typename members<std::make_integer_sequence<int, Sweep::outputs>>::type>
        values;
    const unsigned char* table;

    RICCI_HD RICCI_INLINE constexpr explicit step_outputs(const unsigned char* merge) : table(merge) {
        clear(std::make_integer_sequence<int, Sweep::outputs>{});
    }
    template <int... K>
    RICCI_HD RICCI_INLINE constexpr void clear(std::integer_sequence<int, K...>) {
        ((at<K>() = lane<K>(zero<typename Sweep::template output_type<K>>())), ...);
    }
    /// -0 is the identity of addition that compilers fold away.
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr T zero() {
        if constexpr (Merge == merging::all && std::is_floating_point_v<T>) return -T(0);
        else return T(0);
    }
    template <int K>
    RICCI_HD RICCI_INLINE constexpr lane<K>& at() {
        if constexpr (Merge == merging::table) return values.at[K];
        else return get<K>(values);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void set(const S& x) {
        at<K>() = static_cast<lane<K>>(x);
    }
    template <int K, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x) {
        if constexpr (Merge == merging::none) set<K>(x);
        else if constexpr (Merge == merging::all) at<group<K>()>() = at<group<K>()>() + static_cast<lane<K>>(x);
        else values.at[table[K]] = values.at[table[K]] + static_cast<lane<K>>(x);
    }
};

}  // namespace detail
}  // namespace ricci
// ---- ricci/cpu/output_block.hpp
// Values of a kernel's outputs on their way through a small block: which way each goes is decided once for a block.

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// A stretch of at least one register; the last register overlaps the one before it where the length is no multiple of the
/// lanes. Inputs that stay put along the row have mask 0 and point to one register's worth of copies.
struct span_args {
    index_t n;
    std::byte* const* in;
    const index_t* in_mask;
    std::byte* const* out;
    const output_mode* mode;
    const unsigned char* merge;
    const index_t* row_bytes = nullptr;  // for a block of rows: see row_args
};
/// Adds n numbers to others at a step.
template <class T>
void add_row(std::byte* to, index_t step, const std::byte* from, index_t n) {
    T* const y = reinterpret_cast<T*>(to);
    const T* const x = reinterpret_cast<const T*>(from);
    index_t i = 0;
    if (step == 1)
        for (; i + simd<T>::lanes <= n; i += simd<T>::lanes) (simd<T>::load(y + i) + simd<T>::load(x + i)).store(y + i);
    for (; i < n; ++i) y[i * step] += x[i];
}

/// A block of values of each output, on their way to where the table and the modes send them. Decided once for a block, it
/// costs the loop over registers nothing; and what is added to may overlap.
template <class T, int Outputs>
struct output_block {
    static constexpr int lanes = simd<T>::lanes;
    static constexpr int registers = Outputs > 32 ? 4 : 128 / Outputs > 32 ? 32 : 128 / Outputs;
    static constexpr index_t size = registers * lanes;
    alignas(64) T values[Outputs][size];

    static bool is_direct(const span_args& a, int k) { return a.merge[k] == k && a.mode[k] == output_mode::store; }
    /// From where element `first` of each output is `values[k][0]`; Direct ones are where they belong already.
    template <bool Direct>
    RICCI_NOINLINE void send(const span_args& a, index_t first, index_t skip, index_t n, simd<T>* total) const {
        for (int j = 0; j < Outputs; ++j) {
            if (a.merge[j] != j || a.mode[j] == output_mode::skip) continue;
            const T* from[Outputs + 1];
            int terms = 0;
            for (int k = j; k < Outputs; ++k)
                if (a.merge[k] == j && !(Direct && k == j && is_direct(a, j))) from[terms++] = values[k] + skip;
            T* const y = reinterpret_cast<T*>(a.out[j]) + first;
            if (a.mode[j] == output_mode::total) {
                for (int t = 0; t < terms; ++t) total[j] = total[j] + sum(from[t], n);
                continue;
            }
            int t = 0;
            if (!Direct && a.mode[j] == output_mode::store)
                std::memcpy(y, from[t++], static_cast<std::size_t>(n) * sizeof(T));
            for (; t + 1 < terms; t += 2) add(y, from[t], from[t + 1], n);
            if (t < terms)
                add_row<T>(reinterpret_cast<std::byte*>(y), 1, reinterpret_cast<const std::byte*>(from[t]), n);
        }
    }

   private:
    static simd<T> sum(const T* x, index_t n) {
        simd<T> a(T(0)), b(T(0));
        index_t i = 0;
        for (; i + 2 * lanes <= n; i += 2 * lanes) {
            a = a + simd<T>::load(x + i);
            b = b + simd<T>::load(x + i + lanes);
        }
        for (; i + lanes <= n; i += lanes) a = a + simd<T>::load(x + i);
        if (i < n) a = a + simd<T>::load_partial(x + i, n - i);
        return a + b;
    }
    static void add(T* y, const T* a, const T* b, index_t n) {
        index_t i = 0;
        for (; i + lanes <= n; i += lanes)
            (simd<T>::load(y + i) + (simd<T>::load(a + i) + simd<T>::load(b + i))).store(y + i);
        for (; i < n; ++i) y[i] += a[i] + b[i];
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// ---- SIMD rows ------------------------------------------------------------------------------------------------------------

/// Runs a span; leaves the sums (maxima, ...) of outputs in mode total in totals, one register each.
using span_function = void (*)(const void* sweep, const span_args& args, std::byte* totals);

template <class Sweep, class T>
struct simd_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t mask[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;

    RICCI_INLINE explicit simd_inputs(const span_args& a)
        : simd_inputs(a, std::make_integer_sequence<int, Sweep::inputs>{}) {}
    template <int... K>
    RICCI_INLINE simd_inputs(const span_args& a, std::integer_sequence<int, K...>)
        : at{a.in[K]...}, mask{a.in_mask[K]...} {}
    template <int K>
    RICCI_INLINE auto get() const {
        using U = typename Sweep::template input_type<K>;
        using lane = typename simd_domain<T>::template lane<U>;
        return lane::load(reinterpret_cast<const U*>(at[K]) + (i & mask[K]));
    }
};

/// last_lanes<n> + k: n truths of which the last k hold.
template <int N>
inline constexpr auto last_lanes_table = [] {
    std::array<bool, 2 * N> t{};
    for (int i = N; i < 2 * N; ++i) t[static_cast<std::size_t>(i)] = true;
    return t;
}();
template <int N>
inline constexpr const bool* last_lanes = last_lanes_table<N>.data();

template <class Sweep, class T, merging Merge, class Combine>
struct simd_span {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, Merge == merging::table ? merging::none : Merge>;
    static constexpr int lanes = simd<T>::lanes;

    template <int K>
    RICCI_INLINE static constexpr bool is_group() {
        return outputs_type::template group<K>() == K;
    }

    RICCI_FLATTEN static void run(const void* self, const span_args& args, std::byte* totals) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        simd_inputs<Sweep, T> in(args);
        // copies: a store could change what args point to, for all that the compiler knows
        std::byte* out_at[Sweep::outputs];
        output_mode mode[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        const span_args a{args.n, nullptr, nullptr, out_at, mode, args.merge, args.row_bytes};
        if constexpr (std::is_void_v<Combine>) {
            const index_t last = a.n - lanes;
            for (;;) {
                do {  // there is one register at least
                    outputs_type out(a.merge);
                    sweep.template run<simd_domain<T>>(in, out);
                    store(a, in.i, out, output_indices{});
                    in.i += lanes;
                } while (in.i <= last);
                if (in.i == a.n) break;
                in.i = last;
            }
        } else if constexpr (Merge == merging::table) {
            run_blocks(sweep, in, a, reinterpret_cast<simd<T>*>(totals));
        } else {
            run_reducing(sweep, in, a, reinterpret_cast<simd<T>*>(totals));
        }
    }

   private:
    using output_indices = std::make_integer_sequence<int, Sweep::outputs>;
    template <int... K>
    RICCI_INLINE static void store(const span_args& a, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (void(is_group<K>() &&
              (out.template at<K>().store(reinterpret_cast<typename Sweep::template output_type<K>*>(a.out[K]) + i),
               true)),
         ...);
    }

   public:
    /// Cheap sums want several accumulators, to hide the latency of the addition, and rows added to others block by block.
    static constexpr bool unrolled =
        Sweep::outputs == 1 && tree_cost_v<typename Sweep::tree_type> <= 4 && Sweep::order == 0;

   private:
    RICCI_INLINE static void run_reducing(const Sweep& sweep, simd_inputs<Sweep, T>& in, const span_args& a,
                                          simd<T>* totals) {
        simd<T> total[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) total[k] = simd<T>(Combine::template identity<T>());
        if constexpr (unrolled) {
            if (a.row_bytes) return run_block(sweep, in, a);
            if (a.mode[0] == output_mode::total) run_unrolled(sweep, in, a, total[0]);
        }
        simd_mask<T> fresh(true);  // lanes not yet seen: all, until the last register overlaps
        const index_t last = a.n - lanes;
        for (;;) {
            for (; in.i <= last; in.i += lanes) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                reduce(a, in.i, out, fresh, total, output_indices{});
            }
            if (in.i == a.n) break;
            fresh = simd_mask<T>::load(last_lanes<lanes> + (a.n - in.i));
            in.i = last;
        }
        for (int k = 0; k < Sweep::outputs; ++k) totals[k] = total[k];
    }
    template <int... K>
    RICCI_INLINE static void reduce(const span_args& a, index_t i, outputs_type& out, const simd_mask<T>& fresh,
                                    simd<T>* total, std::integer_sequence<int, K...>) {
        (void(is_group<K>() &&
              (reduce(a.mode[K], reinterpret_cast<T*>(a.out[K]) + i, out.template at<K>(), fresh, total[K]), true)),
         ...);
    }
    RICCI_INLINE static void reduce(output_mode mode, T* out, const simd<T>& v, const simd_mask<T>& fresh,
                                    simd<T>& total) {
        if (mode == output_mode::store) return v.store(out);
        const simd<T> x = math::select(fresh, v, simd<T>(Combine::template identity<T>()));
        if (mode == output_mode::total) total = Combine::join(total, x);
        else Combine::join(simd<T>::load(out), x).store(out);
    }
    template <int... K>
    RICCI_INLINE static void store_at(T* const* to, index_t i, outputs_type& out, std::integer_sequence<int, K...>) {
        (out.template at<K>().store(to[K] + i), ...);
    }
    RICCI_INLINE static void run_blocks(const Sweep& sweep, simd_inputs<Sweep, T>& in, const span_args& a,
                                        simd<T>* totals) {
        static_assert(std::is_same_v<Combine, combine_plus>);
        using block_type = output_block<T, Sweep::outputs>;
        block_type block;
        for (int k = 0; k < Sweep::outputs; ++k) totals[k] = simd<T>(T(0));
        const index_t whole = a.n - a.n % lanes;
        for (index_t first = 0; first < whole; first += block_type::size) {
            const index_t n = whole - first < block_type::size ? whole - first : block_type::size;
            T* to[Sweep::outputs];
            for (int k = 0; k < Sweep::outputs; ++k)
                to[k] = block_type::is_direct(a, k) ? reinterpret_cast<T*>(a.out[k]) + first : block.values[k];
            for (index_t i = 0; i < n; i += lanes) {
                in.i = first + i;
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                store_at(to, i, out, output_indices{});
            }
            block.template send<true>(a, first, 0, n, totals);
        }
        if (whole == a.n) return;
        T* to[Sweep::outputs];
        for (int k = 0; k < Sweep::outputs; ++k) to[k] = block.values[k];
        in.i = a.n - lanes;
        outputs_type out(a.merge);
        sweep.template run<simd_domain<T>>(in, out);
        store_at(to, 0, out, output_indices{});
        block.template send<false>(a, whole, lanes - (a.n - whole), a.n - whole, totals);
    }
    /// A block of rows added to the same row.
    RICCI_INLINE static void run_block(const Sweep& sweep, const simd_inputs<Sweep, T>& first, const span_args& a) {
        simd_inputs<Sweep, T> in[row_kernel::block] = {first, first, first, first};
        for (int r = 1; r < row_kernel::block; ++r)
            for (int k = 0; k < Sweep::inputs; ++k) in[r].at[k] = in[r - 1].at[k] + a.row_bytes[k];
        T* const out = reinterpret_cast<T*>(a.out[0]);
        const auto sum_at = [&](index_t i) {
            const auto value = [&](auto r) {
                in[r()].i = i;
                outputs_type one(a.merge);
                sweep.template run<simd_domain<T>>(in[r()], one);
                return one.template at<0>();
            };
            return transform_indices<row_kernel::block>(
                value, [](const auto& p, const auto& q, const auto& r, const auto& s) {
                    return Combine::join(Combine::join(p, q), Combine::join(r, s));
                });
        };
        index_t i = 0;
        for (; i + lanes <= a.n; i += lanes) Combine::join(simd<T>::load(out + i), sum_at(i)).store(out + i);
        if (i == a.n) return;
        const simd_mask<T> fresh = simd_mask<T>::load(last_lanes<lanes> + (a.n - i));
        i = a.n - lanes;
        const simd<T> rest = math::select(fresh, sum_at(i), simd<T>(Combine::template identity<T>()));
        Combine::join(simd<T>::load(out + i), rest).store(out + i);
    }
    RICCI_INLINE static void run_unrolled(const Sweep& sweep, simd_inputs<Sweep, T>& in, const span_args& a,
                                          simd<T>& total) {
        constexpr int ways = 4;
        simd<T> part[ways];
        for (int w = 0; w < ways; ++w) part[w] = simd<T>(Combine::template identity<T>());
        for (; in.i + ways * lanes <= a.n; in.i += lanes)
            for_indices<ways>([&](auto w) {
                outputs_type out(a.merge);
                sweep.template run<simd_domain<T>>(in, out);
                part[w()] = Combine::join(part[w()], out.template at<0>());
                if constexpr (w() + 1 < ways) in.i += lanes;
            });
        total = Combine::join(Combine::join(part[0], part[1]), Combine::join(part[2], part[3]));
    }
};

/// Inputs that are all dense.
template <class Sweep, class T>
struct dense_registers {
    const std::byte* const* at;
    index_t i;
    template <int K>
    RICCI_INLINE auto get() const {
        using U = typename Sweep::template input_type<K>;
        return simd_domain<T>::template lane<U>::load(reinterpret_cast<const U*>(at[K]) + i);
    }
};
/// A map over n dense elements, one register or more, into data[inputs]: the loop that one would write, for trees so small that
/// what surrounds it counts.
template <class T, class Sweep>
RICCI_INLINE void store_registers(const Sweep& sweep, const std::byte* const* data, std::byte* out, index_t n) {
    using U = typename Sweep::template output_type<0>;
    const auto step = [&](index_t i) {
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep.template run<simd_domain<T>>(dense_registers<Sweep, T>{data, i}, results);
        results.template at<0>().store(reinterpret_cast<U*>(out) + i);
    };
    constexpr index_t lanes = simd<T>::lanes;
    index_t i = 0;
    do {
        step(i);
        i += lanes;
    } while (i <= n - lanes);
    if (i < n) step(n - lanes);
}

/// What a row needs to know of a kernel to run spans; the code of rows itself is shared by all kernels of one lane type.
struct simd_kernel {
    const void* sweep;
    span_function span;
    int inputs, outputs;
    const bool* input_is_bool;
    const bool* output_is_bool;
    bool blocks = false;  // merging::table
};

template <class T, class Combine>
struct simd_row {
    static constexpr int lanes = simd<T>::lanes;
    static constexpr int most = max_operands;
    using wide = wide_accumulator<std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>, T>;

    static void run(const void* self, const row_args& r) {
        const simd_kernel& k = *static_cast<const simd_kernel*>(self);
        if (r.sheet && r.n >= lanes && !writes_over_input(k, r)) return run_sheet(k, r);
        if (r.sheet || (r.rows > 1 && r.n < lanes)) return run_one_by_one(self, r);
        alignas(64) std::byte splat[most][lanes * sizeof(T)];
        std::byte* in[most];
        index_t mask[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = r.in[i];
            mask[i] = r.in_step[i] == 0 ? 0 : -1;
            if (r.in_step[i] != 0) continue;
            in[i] = splat[i];
            fill_register(k, i, r.in[i], in[i]);
        }
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        // where an output is written over an input, registers must not overlap: the rest goes through buffers
        const index_t whole = r.n < lanes || writes_over_input(k, r) ? r.n & ~index_t(lanes - 1) : r.n;
        if (whole) {
            k.span(k.sweep, span_args{whole, in, mask, r.out, r.mode, r.merge, r.rows > 1 ? r.row_bytes : nullptr},
                   totals);
            if constexpr (!std::is_void_v<Combine>) add_totals(k, r, totals);
        }
        if (whole < r.n) tail(k, r, in, mask, whole, totals);
    }
    /// Rows of at least one register: what is the same for all is set up once.
    static void run_sheet(const simd_kernel& k, const row_args& r) {
        alignas(64) std::byte splat[most][lanes * sizeof(T)];
        std::byte *in[most], *out[most];
        index_t mask[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = r.in_step[i] == 0 ? splat[i] : r.in[i];
            mask[i] = r.in_step[i] == 0 ? 0 : -1;
        }
        for (int o = 0; o < k.outputs; ++o) out[o] = r.out[o];
        alignas(64) std::byte totals[most * sizeof(simd<T>)];
        const span_args span{r.n, in, mask, out, r.mode, r.merge};
        row_args one = r;
        one.out = out;
        for (int row = 0; row < r.rows; ++row) {
            for (int i = 0; i < k.inputs; ++i)
                if (mask[i] == 0 && (row == 0 || r.row_bytes[i] != 0))
                    fill_register(k, i, r.in[i] + row * r.row_bytes[i], splat[i]);
            k.span(k.sweep, span, totals);
            if constexpr (!std::is_void_v<Combine>) add_totals(k, one, totals);
            for (int i = 0; i < k.inputs; ++i)
                if (mask[i] != 0) in[i] += r.row_bytes[i];
            for (int o = 0; o < k.outputs; ++o) out[o] += r.row_bytes[k.inputs + o];
        }
    }
    static RICCI_INLINE void fill_register(const simd_kernel& k, int input, const std::byte* from, std::byte* to) {
        if (k.input_is_bool[input]) std::memset(to, *reinterpret_cast<const unsigned char*>(from), lanes);
        else simd<T>(*reinterpret_cast<const T*>(from)).store(reinterpret_cast<T*>(to));
    }
    static void run_one_by_one(const void* self, row_args r) {
        std::byte *in[most], *out[most];
        const bool sheet = r.sheet;
        const int rows = r.rows, inputs = static_cast<const simd_kernel*>(self)->inputs;
        const int outputs = static_cast<const simd_kernel*>(self)->outputs;
        r.rows = 1;
        r.sheet = false;
        for (int row = 0; row < rows; ++row) {
            for (int i = 0; i < inputs; ++i) in[i] = r.in[i] + row * r.row_bytes[i];
            for (int o = 0; o < outputs; ++o) out[o] = r.out[o] + (sheet ? row * r.row_bytes[inputs + o] : 0);
            row_args one = r;
            one.in = in;
            one.out = out;
            run(self, one);
        }
    }
    static bool writes_over_input(const simd_kernel& k, const row_args& r) {
        if constexpr (std::is_void_v<Combine>) {
            for (int i = 0; i < k.inputs; ++i)
                if (r.in[i] == r.out[0]) return true;
        }
        return false;
    }

   private:
    static void add_totals(const simd_kernel& k, const row_args& r, const std::byte* totals) {
        for (int o = 0; o < k.outputs; ++o) {
            if (r.mode[o] != output_mode::total) continue;
            const simd<T> total = reinterpret_cast<const simd<T>*>(totals)[o];
            wide& w = *reinterpret_cast<wide*>(r.out[o]);
            if constexpr (std::is_same_v<Combine, combine_plus>) {
                w.add(reduce_add(total));
            } else {
                T lane[lanes];
                total.store(lane);
                for (int j = 0; j < lanes; ++j) w.add(lane[j]);
            }
        }
    }
    /// The last, partial register: through buffers, so that the same code computes it and nothing is read or written beyond.
    static void tail(const simd_kernel& k, const row_args& r, std::byte* const* from, const index_t* from_mask,
                     index_t at, std::byte* totals) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[most][lanes * sizeof(T)];
        alignas(64) std::byte results[most][lanes * sizeof(T)];
        std::byte* in[most];
        std::byte* out[most];
        output_mode store_all[most];
        for (int i = 0; i < k.inputs; ++i) {
            in[i] = from[i];
            if (from_mask[i] == 0) continue;
            in[i] = buffer[i];
            if (k.input_is_bool[i])
                simd_mask<T>::load_partial(reinterpret_cast<const bool*>(from[i]) + at, rest)
                    .store(reinterpret_cast<bool*>(buffer[i]));
            else
                simd<T>::load_partial(reinterpret_cast<const T*>(from[i]) + at, rest)
                    .store(reinterpret_cast<T*>(buffer[i]));
        }
        for (int o = 0; o < k.outputs; ++o) {
            out[o] = results[o];
            store_all[o] = output_mode::store;
        }
        k.span(k.sweep, span_args{lanes, in, from_mask, out, store_all, r.merge}, totals);
        for (int o = 0; o < k.outputs; ++o) put_tail(k, r, o, results[o], at, rest);
    }
    static void put_tail(const simd_kernel& k, const row_args& r, int o, const std::byte* result, index_t at,
                         index_t rest) {
        if (r.mode[o] == output_mode::skip) return;
        if (k.output_is_bool[o]) {
            std::memcpy(r.out[o] + at, result, static_cast<std::size_t>(rest));
            return;
        }
        const T* v = reinterpret_cast<const T*>(result);
        T* to = reinterpret_cast<T*>(r.out[o]) + at;
        if (r.mode[o] == output_mode::store) {
            simd<T>::load(v).store_partial(to, rest);
        } else if constexpr (!std::is_void_v<Combine>) {
            if (r.mode[o] == output_mode::total)
                for (index_t j = 0; j < rest; ++j) reinterpret_cast<wide*>(r.out[o])->add(v[j]);
            else Combine::join(simd<T>::load_partial(to, rest), simd<T>::load(v)).store_partial(to, rest);
        }
    }
};

// ---- scalar rows ----------------------------------------------------------------------------------------------------------

template <class Sweep>
struct scalar_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t step[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i * step[K]];
    }
};
/// Unit steps known to the compiler, so that simple loops vectorise.
template <class Sweep>
struct dense_inputs {
    const std::byte* at[Sweep::inputs > 0 ? Sweep::inputs : 1];
    index_t i = 0;
    template <int K>
    RICCI_HD RICCI_INLINE auto get() const {
        return reinterpret_cast<const typename Sweep::template input_type<K>*>(at[K])[i];
    }
};

template <class Sweep, class Combine>
struct scalar_row {
    using outputs_type = step_outputs<Sweep, scalar_domain, merging::none>;

    static void run(const void* self, const row_args& r) {
        const Sweep& sweep = *static_cast<const Sweep*>(self);
        bool dense = std::is_void_v<Combine>;
        for (int i = 0; i < Sweep::inputs; ++i) dense = dense && r.in_step[i] == 1;
        for (int o = 0; o < Sweep::outputs; ++o) dense = dense && r.out_step[o] == 1;
        if (dense) run_dense(sweep, r);
        else run_strided(sweep, r);
    }

   private:
    static void run_dense(const Sweep& sweep, const row_args& r) {
        if constexpr (Sweep::outputs == 1) {
            dense_inputs<Sweep> in;
            for (int k = 0; k < Sweep::inputs; ++k) in.at[k] = r.in[k];
            auto* out = reinterpret_cast<typename Sweep::template output_type<0>*>(r.out[0]);
            for (in.i = 0; in.i < r.n; ++in.i) {
                outputs_type step(nullptr);
                sweep.template run<scalar_domain>(in, step);
                out[in.i] = step.template at<0>();
            }
        } else {
            run_strided(sweep, r);
        }
    }
    static void run_strided(const Sweep& sweep, const row_args& r) {
        scalar_inputs<Sweep> in;
        for (int k = 0; k < Sweep::inputs; ++k) {
            in.at[k] = r.in[k];
            in.step[k] = r.in_step[k];
        }
        for (in.i = 0; in.i < r.n; ++in.i) {
            outputs_type step(nullptr);
            sweep.template run<scalar_domain>(in, step);
            for_indices<Sweep::outputs>([&](auto k) { put<k()>(r, in.i, step.template at<k()>()); });
        }
    }
    /// Merged outputs are added one by one into the element (or accumulator) that they share.
    template <int K, class U>
    RICCI_INLINE static void put(const row_args& r, index_t i, const U& v) {
        const int k = r.merge[K];
        U* out = reinterpret_cast<U*>(r.out[k]);
        if constexpr (std::is_void_v<Combine>) {
            out[i * r.out_step[k]] = v;
        } else if (r.mode[k] == output_mode::total) {
            reinterpret_cast<wide_accumulator<Combine, U>*>(r.out[k])->add(v);
        } else {
            U& at = out[i * r.out_step[k]];
            at = r.mode[k] == output_mode::add || k != K ? Combine::join(at, v) : v;
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class Sweep, class T, class Combine>
struct complex_row {
    using outputs_type = step_outputs<Sweep, simd_domain<T>, merging::none>;
    static constexpr int lanes = simd<T>::lanes, inputs = Sweep::inputs, outputs = Sweep::outputs;
    using output_indices = std::make_integer_sequence<int, outputs>;
    template <int K>
    using in_t = typename Sweep::template input_type<K>;
    template <int K>
    using out_t = typename Sweep::template output_type<K>;
    template <int K>
    using out_lane = typename simd_domain<T>::template lane<out_t<K>>;
    static constexpr std::size_t register_bytes = lanes * 2 * sizeof(T);

    static void run(const void* self, const row_args& r) {
        const Sweep sweep = *static_cast<const Sweep*>(self);
        alignas(64) std::byte copies[inputs + 1][register_bytes];
        std::byte* in[inputs + 1];
        index_t mask[inputs + 1];
        for_indices<inputs>([&](auto k) {
            mask[k()] = r.in_step[k()] == 0 ? 0 : -1;
            in[k()] = r.in[k()];
            if (mask[k()]) return;
            in[k()] = copies[k()];
            for (int i = 0; i < lanes; ++i)
                reinterpret_cast<in_t<k()>*>(copies[k()])[i] = *reinterpret_cast<const in_t<k()>*>(r.in[k()]);
        });
        const index_t whole = r.n & ~index_t(lanes - 1);
        if (whole) registers(sweep, span_args{whole, in, mask, r.out, r.mode, r.merge}, r);
        if (whole < r.n) tail(sweep, r, in, mask, whole);
    }

   private:
    RICCI_FLATTEN static void registers(const Sweep& function, const span_args& args, const row_args& r) {
        const Sweep sweep = function;
        simd_inputs<Sweep, T> in(args);
        std::byte* out_at[outputs];
        output_mode mode[outputs];
        for (int k = 0; k < outputs; ++k) {
            out_at[k] = args.out[k];
            mode[k] = args.mode[k];
        }
        outputs_type totals(nullptr);
        if constexpr (!std::is_void_v<Combine>)
            for_indices<outputs>([&](auto k) {
                if constexpr (!std::is_same_v<out_t<k()>, bool>)
                    totals.template at<k()>() = out_lane<k()>(Combine::template identity<out_t<k()>>());
            });
        for (; in.i < args.n; in.i += lanes) {
            outputs_type out(nullptr);
            sweep.template run<simd_domain<T>>(in, out);
            if constexpr (std::is_void_v<Combine>) {
                for_indices<outputs>([&](auto k) { store<k()>(out_at[k()], in.i, out.template at<k()>()); });
            } else {
                merge(args.merge, out);
                for_indices<outputs>([&](auto k) {
                    put<k()>(mode[k()], out_at[k()], in.i, out.template at<k()>(), totals.template at<k()>());
                });
            }
        }
        if constexpr (!std::is_void_v<Combine>)
            for_indices<outputs>([&](auto k) {
                if (mode[k()] != output_mode::total) return;
                alignas(64) std::byte buffer[register_bytes];
                store<k()>(buffer, 0, totals.template at<k()>());
                add_all<k()>(r, buffer, lanes);
            });
    }
    template <int K>
    RICCI_INLINE static void store(std::byte* out, index_t i, const out_lane<K>& v) {
        v.store(reinterpret_cast<out_t<K>*>(out) + i);
    }
    template <int K>
    RICCI_INLINE static void put(output_mode mode, std::byte* out, index_t i, const out_lane<K>& v,
                                 out_lane<K>& total) {
        if constexpr (std::is_same_v<out_t<K>, bool>) {
            if (mode == output_mode::store) store<K>(out, i, v);
        } else {
            if (mode == output_mode::total) total = Combine::join(total, v);
            else if (mode == output_mode::store) store<K>(out, i, v);
            else if (mode == output_mode::add)
                store<K>(out, i, Combine::join(out_lane<K>::load(reinterpret_cast<const out_t<K>*>(out) + i), v));
        }
    }
    /// Adjoints of one leaf are added up in the first one's register.
    RICCI_INLINE static void merge(const unsigned char* table, outputs_type& out) {
        for_indices<outputs>([&](auto k) {
            for_indices<k()>([&](auto j) {
                if constexpr (std::is_same_v<out_t<j()>, out_t<k()>> && !std::is_same_v<out_t<k()>, bool>)
                    if (table[k()] == j()) out.template at<j()>() = out.template at<j()>() + out.template at<k()>();
            });
        });
    }
    template <int K>
    static void add_all(const row_args& r, const std::byte* values, index_t n) {
        if constexpr (!std::is_void_v<Combine>) {
            auto& wide = *reinterpret_cast<wide_accumulator<Combine, out_t<K>>*>(r.out[K]);
            for (index_t i = 0; i < n; ++i) wide.add(reinterpret_cast<const out_t<K>*>(values)[i]);
        }
    }
    /// The last, partial register: through buffers, so that nothing is read or written beyond.
    static void tail(const Sweep& sweep, const row_args& r, std::byte* const* from, const index_t* mask, index_t at) {
        const index_t rest = r.n - at;
        alignas(64) std::byte buffer[inputs + 1][register_bytes] = {};
        simd_inputs<Sweep, T> in(span_args{lanes, from, mask, nullptr, nullptr, nullptr});
        for_indices<inputs>([&](auto k) {
            if (!mask[k()]) return;
            const auto* source = reinterpret_cast<const in_t<k()>*>(from[k()]) + at;
            for (index_t i = 0; i < rest; ++i) reinterpret_cast<in_t<k()>*>(buffer[k()])[i] = source[i];
            in.at[k()] = buffer[k()];
        });
        outputs_type out(nullptr);
        sweep.template run<simd_domain<T>>(in, out);
        if constexpr (!std::is_void_v<Combine>) merge(r.merge, out);
        for_indices<outputs>([&](auto k) {
            alignas(64) std::byte values[register_bytes];
            store<k()>(values, 0, out.template at<k()>());
            const auto* v = reinterpret_cast<const out_t<k()>*>(values);
            auto* to = reinterpret_cast<out_t<k()>*>(r.out[k()]) + at;
            if constexpr (std::is_void_v<Combine>) {
                for (index_t i = 0; i < rest; ++i) to[i] = v[i];
            } else if (r.mode[k()] == output_mode::total) {
                add_all<k()>(r, values, rest);
            } else if (r.mode[k()] == output_mode::store) {
                for (index_t i = 0; i < rest; ++i) to[i] = v[i];
            } else if (r.mode[k()] == output_mode::add) {
                for (index_t i = 0; i < rest; ++i) to[i] = Combine::join(to[i], v[i]);
            }
        });
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
// ---- ricci/cpu/compress.hpp
// Truth values on the CPU: how many are true, where they are, and the elements beside them packed together.

#if defined(__AVX512F__) && !defined(RICCI_NO_SIMD)
#include <immintrin.h>
#endif

namespace ricci::detail {

/// The true ones of n truth values, which are bytes 0 and 1.
inline index_t count_true(const bool* mask, index_t n) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(mask);
    index_t total = 0, i = 0;
    for (; i + 8 <= n; i += 8) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + i, 8);
        total += static_cast<index_t>((eight * 0x0101010101010101u) >> 56);
    }
    for (; i < n; ++i) total += bytes[i];
    return total;
}

/// The elements of x where the mask is true, one after the other; y has room for just those. U has the size of an element.
template <class U>
void compress_elements(const U* x, const bool* mask, index_t n, U* y, index_t selected) {
    index_t i = 0, k = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && !defined(RICCI_NO_SIMD)
    if constexpr (sizeof(U) == 4 || sizeof(U) == 8) {
        constexpr index_t lanes = 64 / sizeof(U);
        for (; i + lanes <= n && k + lanes <= selected;
             i += lanes) {  // a whole register is stored, the next one follows inside it
            const __m512i v = _mm512_loadu_si512(x + i);
            if constexpr (sizeof(U) == 4) {
                const __m128i m = _mm_loadu_si128(reinterpret_cast<const __m128i*>(mask + i));
                const __mmask16 chosen = _mm_test_epi8_mask(m, m);
                _mm512_storeu_si512(y + k, _mm512_maskz_compress_epi32(chosen, v));
                k += __builtin_popcount(chosen);
            } else {
                const __m128i m = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(mask + i));
                const auto chosen = static_cast<__mmask8>(_mm_test_epi8_mask(m, m));
                _mm512_storeu_si512(y + k, _mm512_maskz_compress_epi64(chosen, v));
                k += __builtin_popcount(chosen);
            }
        }
    }
#endif
    for (; k < selected; ++i) {  // branch-free: a false one is overwritten by the next
        std::memcpy(y + k, x + i, sizeof(U));
        k += mask[i];
    }
}
inline void compress_bytes(std::size_t item, const std::byte* x, const bool* mask, index_t n, std::byte* y,
                           index_t selected) {
    const auto as = [&](auto element) {
        using U = decltype(element);
        compress_elements(reinterpret_cast<const U*>(x), mask, n, reinterpret_cast<U*>(y), selected);
    };
    switch (item) {
        case 1:
            return as(std::uint8_t());
        case 2:
            return as(std::uint16_t());
        case 4:
            return as(std::uint32_t());
        case 8:
            return as(std::uint64_t());
        case 16:
            return as(std::array<std::uint64_t, 2>());
        default:
            return as(std::array<std::uint64_t, 4>());
    }
}

/// Where a mask is true: row d of `to`, of `selected` elements, has the positions along axis d, in row-major order of the mask.
inline void find_true(const operand_ref& mask, index_t* to, index_t selected) {
    const int last = mask.rank - 1;
    const index_t length = mask.extent[last], step = mask.stride[last];
    index_t at[max_loop_rank] = {};
    const bool* row = reinterpret_cast<const bool*>(mask.data);
    index_t* const positions = to + last * selected;
    for (index_t k = 0; k < selected;) {
        const index_t first = k;
        for (index_t i = 0; i < length && k < selected; ++i) {
            positions[k] = i;
            k += row[i * step];
        }
        for (int d = 0; d < last; ++d)
            for (index_t j = first; j < k; ++j) to[d * selected + j] = at[d];
        for (int d = last - 1; d >= 0; --d) {
            row += mask.stride[d];
            if (++at[d] < mask.extent[d]) break;
            row -= mask.stride[d] * mask.extent[d];
            at[d] = 0;
        }
    }
}

}  // namespace ricci::detail
// ---- ricci/cpu/gemm.hpp
// The matrix product on the CPU: packed and blocked for floats and doubles, plain loops for the other element types.

// ---- ricci/cpu/gemm_direct.hpp
// Matrix products without packing: for small and narrow matrices, of which too little is used twice.
// ---- ricci/cpu/gemm_kernel.hpp
// The inner loops of the matrix product on SIMD registers: packing into panels, and tiles of C kept in registers.

#if defined(RICCI_HAS_SIMD)

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// The tile of C that fits into the registers, and the blocks of A and B that fit into the caches.
template <class T>
struct gemm_blocks {
#if defined(__AVX512F__) || defined(__aarch64__)
    static constexpr int rows = 12, vectors = 2;  // 24 sums of 32 registers
#else
    static constexpr int rows = 4, vectors = 3;  // 12 sums of 16 registers
#endif
    static constexpr int columns = vectors * simd<T>::lanes;
    static constexpr index_t depth = sizeof(T) == 4 ? 256 : 192;  // a panel of B: depth * columns, in L1
    static constexpr index_t height = 96;                         // a block of A: height * depth, in L2
    static constexpr index_t width = 64 * columns;                // a block of B: depth * width, in L2 or L3
    static_assert(height % rows == 0);
};

template <class T>
struct four {
    typedef T vector __attribute__((vector_size(4 * sizeof(T))));
};

/// Transposes four vectors of four in place.
template <class V>
RICCI_INLINE void transpose_4x4(V& a, V& b, V& c, V& d) {
    const V ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const V cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// to[p * to_row + i] = from[i * across + p * along] for i < n and p < k.
template <class T>
RICCI_NOINLINE inline void copy_transposed(index_t n, index_t k, const T* from, index_t across, index_t along, T* to,
                                           index_t to_row) {
    index_t i = 0;
    if (along == 1) {
        using V = typename four<T>::vector;
        for (; i + 4 <= n; i += 4) {
            const T* row = from + i * across;
            index_t p = 0;
            for (; p + 4 <= k; p += 4) {
                V v[4];
                for (int r = 0; r < 4; ++r) std::memcpy(&v[r], row + r * across + p, sizeof(V));
                transpose_4x4(v[0], v[1], v[2], v[3]);
                for (int r = 0; r < 4; ++r) std::memcpy(to + (p + r) * to_row + i, &v[r], sizeof(V));
            }
            for (; p < k; ++p)
                for (int r = 0; r < 4; ++r) to[p * to_row + i + r] = row[r * across + p];
        }
    }
    if (i < n)
        for (index_t p = 0; p < k; ++p)
            for (index_t r = i; r < n; ++r) to[p * to_row + r] = from[r * across + p * along];
}

/// to[p * Width + i] = from[i * across + p * along] for i < valid, 0 for the other i < Width.
template <int Width, class T>
RICCI_INLINE void pack_panel(index_t k, const T* from, index_t across, index_t along, int valid, T* to) {
    if (across == 1 && valid == Width) {
        for (index_t p = 0; p < k; ++p) std::memcpy(to + p * Width, from + p * along, Width * sizeof(T));
        return;
    }
    if (valid < Width) std::memset(to, 0, static_cast<std::size_t>(k) * Width * sizeof(T));
    copy_transposed<T>(valid, k, from, across, along, to, Width);
}

/// C = sums or C += sums for the first `rows` rows and `columns` columns of a tile.
template <int Rows, int Vectors, class T>
RICCI_INLINE void write_tile(const simd<T> (&sum)[Rows][Vectors], T* c, index_t c_row, int rows, int columns,
                             bool add) {
    constexpr int lanes = simd<T>::lanes;
    const int rest = columns - (Vectors - 1) * lanes;
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        if (i >= rows) return;
        T* to = c + i * c_row;
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v, to += lanes) {
            if (v < Vectors - 1 || rest == lanes) (add ? simd<T>::load(to) + sum[i][v] : sum[i][v]).store(to);
            else (add ? simd<T>::load_partial(to, rest) + sum[i][v] : sum[i][v]).store_partial(to, rest);
        }
    }
}

/// A tile of C from packed panels: `a` of Rows, `b` of b_row elements for each p.
template <int Rows, int Vectors, class T>
RICCI_NOINLINE inline void packed_tile(index_t k, const T* a, const T* b, index_t b_row, T* c, index_t c_row, int rows,
                                       int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    simd<T> sum[Rows][Vectors];
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        if (i < rows) __builtin_prefetch(c + i * c_row, 1);
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
    }
    for (index_t p = 0; p < k; ++p, a += Rows, b += b_row) {
        // A streams from L2, faster than the hardware looks ahead: without this, doubles lose a fifth.
        constexpr int ahead = 1024, line = 64;
        for (int byte = 0; byte < static_cast<int>(Rows * sizeof(T)); byte += line)
            __builtin_prefetch(reinterpret_cast<const char*>(a) + ahead + byte);
        simd<T> right[Vectors];
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) right[v] = simd<T>::load(b + v * lanes);
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> left(a[i]);
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(left, right[v], sum[i][v]);
        }
    }
    write_tile(sum, c, c_row, rows, columns, add);
}

/// A tile as wide as `columns` needs.
template <int Rows, class T>
RICCI_INLINE void panels_tile(index_t k, const T* a, const T* b, T* c, index_t c_row, int rows, int columns, bool add) {
    using blocks = gemm_blocks<T>;
    constexpr int lanes = simd<T>::lanes;
    const int vectors = (columns + lanes - 1) / lanes;
    if (vectors == 1) packed_tile<Rows, 1>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
    else if (vectors == 2) packed_tile<Rows, 2>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
    else packed_tile<Rows, blocks::vectors>(k, a, b, blocks::columns, c, c_row, rows, columns, add);
}

/// Packs `rows` rows of A into panels of gemm_blocks<T>::rows, the last panel as low as multiples of 4 allow.
template <class T>
void pack_rows(index_t rows, index_t k, const T* a, index_t a_row, index_t a_col, T* to) {
    constexpr int height = gemm_blocks<T>::rows;
    for (index_t i = 0; i < rows; i += height, a += height * a_row, to += height * k) {
        const int valid = static_cast<int>(rows - i < height ? rows - i : height);
        if (valid > 8 || height <= 4) pack_panel<height>(k, a, a_row, a_col, valid, to);
        else if (valid > 4) pack_panel<8>(k, a, a_row, a_col, valid, to);
        else pack_panel<4>(k, a, a_row, a_col, valid, to);
    }
}
/// `rows` rows of C from packed rows of A and a packed block of B of n columns.
template <class T>
void multiply_packed(index_t rows, index_t n, index_t k, const T* a, const T* b, T* c, index_t c_row, bool add) {
    using blocks = gemm_blocks<T>;
    for (index_t j = 0; j < n; j += blocks::columns, b += blocks::columns * k) {
        const int columns = static_cast<int>(n - j < blocks::columns ? n - j : blocks::columns);
        for (index_t i = 0; i < rows; i += blocks::rows) {
            const int valid = static_cast<int>(rows - i < blocks::rows ? rows - i : blocks::rows);
            const T* left = a + i * k;
            T* to = c + i * c_row + j;
            if (valid > 8 || blocks::rows <= 4) panels_tile<blocks::rows>(k, left, b, to, c_row, valid, columns, add);
            else if (valid > 4) panels_tile<8>(k, left, b, to, c_row, valid, columns, add);
            else panels_tile<4>(k, left, b, to, c_row, valid, columns, add);
        }
    }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci

#endif  // RICCI_HAS_SIMD

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

// ---- B with contiguous rows: elements of A times vectors of B -------------------------------------------------------

/// The most rows of a tile from unpacked memory; lower ones have even numbers of rows.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int direct_rows = 8;
#else
inline constexpr int direct_rows = 6;
#endif

/// A tile of C from unpacked A (any strides) and B (unit column stride): `rows` <= Rows, the last vector may be partial.
template <int Rows, int Vectors, class T>
RICCI_NOINLINE inline void direct_tile(index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row,
                                       T* c, index_t c_row, int rows, int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    const int rest = columns - (Vectors - 1) * lanes;
    simd<T> sum[Rows][Vectors];
    const T* left[Rows];  // beyond the last row its copies: computed, not stored
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        left[i] = a + (i < rows ? i : rows - 1) * a_row;
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
    }
    const auto step = [&](auto last, index_t p) __attribute__((always_inline)) {
        simd<T> right[Vectors];
        RICCI_UNROLL
        for (int v = 0; v + 1 < Vectors; ++v) right[v] = simd<T>::load(b + p * b_row + v * lanes);
        right[Vectors - 1] = last(b + p * b_row + (Vectors - 1) * lanes);
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> x(left[i][p * a_col]);
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(x, right[v], sum[i][v]);
        }
    };
    if (rest == lanes)
        for (index_t p = 0; p < k; ++p) step([](const T* at) { return simd<T>::load(at); }, p);
    else
        for (index_t p = 0; p < k; ++p) step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, p);
    write_tile(sum, c, c_row, rows, columns, add);
}
template <class T>
using direct_tile_function = decltype(&direct_tile<2, 1, T>);

template <class T>
RICCI_INLINE direct_tile_function<T> direct_tile_for(int rows, int columns) {
    if (columns <= simd<T>::lanes) return rows > 4 ? direct_tile<direct_rows, 1, T> : direct_tile<4, 1, T>;
    if (rows <= 2) return direct_tile<2, 2, T>;
    if (rows <= 4) return direct_tile<4, 2, T>;
    if (rows <= 6) return direct_tile<6, 2, T>;
    return direct_tile<direct_rows, 2, T>;
}
/// How many of `rest` rows to take at once: tiles of even numbers of rows and nearly the same height.
inline int direct_height(index_t rest) {
    if (rest <= direct_rows) return static_cast<int>(rest);
    const index_t tiles = (rest + direct_rows - 1) / direct_rows;
    return static_cast<int>(((rest + tiles - 1) / tiles + 1) & ~index_t(1));
}

/// C = A B; B has unit column stride.
template <class T>
void gemm_direct(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row,
                 T* c, index_t c_row) {
    constexpr index_t width = 2 * simd<T>::lanes, depth = gemm_blocks<T>::depth;
    const index_t in_cache = (index_t(1) << 17) / static_cast<index_t>(sizeof(T));
    for (index_t p = 0; p < k; p += depth) {
        const index_t deep = k - p < depth ? k - p : depth;
        const auto tile = [&](index_t i, int rows, index_t j) {
            const int columns = static_cast<int>(n - j < width ? n - j : width);
            direct_tile_for<T>(rows, columns)(deep, a + i * a_row + p * a_col, a_row, a_col, b + p * b_row + j, b_row,
                                              c + i * c_row + j, c_row, rows, columns, p > 0);
        };
        int rows;
        if (deep * n <= in_cache) {  // B is read again for the next rows: C is written row after row
            for (index_t i = 0; i < m; i += rows) {
                rows = direct_height(m - i);
                for (index_t j = 0; j < n; j += width) tile(i, rows, j);
            }
        } else {
            for (index_t j = 0; j < n; j += width)
                for (index_t i = 0; i < m; i += rows) {
                    rows = direct_height(m - i);
                    tile(i, rows, j);
                }
        }
    }
}

/// Few rows of A (any strides) times B (unit column stride), eight rows of B at a time: the memory streams, C stays in
/// the cache.
template <class T>
void rows_times_matrix(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b,
                       index_t b_row, T* c, index_t c_row) {
    constexpr int lanes = simd<T>::lanes, deep = 8;
    const auto eight_rows = [&](index_t p, const T* x, T* to) {
        simd<T> left[deep];
        const T* row[deep];
        const int valid = static_cast<int>(k - p < deep ? k - p : deep);
        for (int r = 0; r < deep; ++r) {
            row[r] = b + (r < valid ? p + r : k - 1) * b_row;
            left[r] = simd<T>(r < valid ? x[r * a_col] : T(0));
        }
        const auto step = [&](auto load, index_t j) __attribute__((always_inline)) {
            simd<T> sum = p ? load(to + j) : simd<T>(T(0));
            for (int r = 0; r < valid; ++r) sum = math::fma(left[r], load(row[r] + j), sum);
            return sum;
        };
        const auto full = [&](index_t j) __attribute__((always_inline)) {
            simd<T> even = p ? simd<T>::load(to + j) : simd<T>(T(0)), odd(T(0));
            RICCI_UNROLL
            for (int r = 0; r < deep; r += 2) {
                even = math::fma(left[r], simd<T>::load(row[r] + j), even);
                odd = math::fma(left[r + 1], simd<T>::load(row[r + 1] + j), odd);
            }
            (even + odd).store(to + j);
        };
        index_t j = 0;
        if (valid == deep)
            for (; j + lanes <= n; j += lanes) full(j);
        for (; j + lanes <= n; j += lanes) step([](const T* at) { return simd<T>::load(at); }, j).store(to + j);
        if (const index_t rest = n - j; rest > 0)
            step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, j).store_partial(to + j, rest);
    };
    for (index_t p = 0; p < k; p += deep)
        for (index_t i = 0; i < m; ++i) eight_rows(p, a + i * a_row + p * a_col, c + i * c_row);
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD
// ---- ricci/cpu/gemm_dots.hpp
// Matrix products as inner products: A with contiguous rows, B with contiguous columns, few of one or the other.

#if defined(RICCI_HAS_SIMD)
namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// Blocks of Step lanes, in turn of x and y, each the sum of two neighbouring blocks of its register.
template <int Step, class T, std::size_t... L>
RICCI_INLINE simd<T> add_blocks(const simd<T>& x, const simd<T>& y, std::index_sequence<L...>) {
#if defined(__CUDACC__)  // nvcc loses the pack
    T both[2 * sizeof...(L)], sums[sizeof...(L)];
    x.store(both);
    y.store(both + sizeof...(L));
    ((sums[L] = L / Step % 2 ? both[sizeof...(L) + L - Step] + both[sizeof...(L) + L] : both[L] + both[L + Step]), ...);
    return simd<T>::load(sums);
#else
    const auto u = x.raw(), v = y.raw();
    return simd<T>::from_native(
        __builtin_shufflevector(u, v, static_cast<int>(L / Step % 2 ? sizeof...(L) + L - Step : L)...) +
        __builtin_shufflevector(u, v, static_cast<int>(L / Step % 2 ? sizeof...(L) + L : L + Step)...));
#endif
}
template <int Step, class T>
RICCI_INLINE simd<T> add_within_blocks(const simd<T>& x) {
    if constexpr (Step == 0) return x;
    else return add_within_blocks<Step / 2>(x + butterfly<Step>(x, std::make_index_sequence<simd<T>::lanes>()));
}
/// The sums of the lanes of each of N registers; four registers go through the tree together.
template <int N, class T>
RICCI_INLINE void sum_lanes(const simd<T>* x, T* sums) {
    constexpr int lanes = simd<T>::lanes;
    int i = 0;
    if constexpr (lanes >= 4) {
        constexpr auto all = std::make_index_sequence<lanes>();
        RICCI_UNROLL
        for (; i + 4 <= N; i += 4) {
            const simd<T> low = add_blocks<lanes / 2>(x[i], x[i + 1], all);
            const simd<T> high = add_blocks<lanes / 2>(x[i + 2], x[i + 3], all);
            const simd<T> four = add_within_blocks<lanes / 8>(add_blocks<lanes / 4>(low, high, all));
            sums[i] = four[0];
            sums[i + 1] = four[lanes / 2];
            sums[i + 2] = four[lanes / 4];
            sums[i + 3] = four[lanes / 4 * 3];
        }
    }
    for (; i < N; ++i) sums[i] = reduce_add(x[i]);
}

/// A tile of C from rows of A and columns of B, contiguous along k: `rows` <= Rows, `columns` <= Columns.
template <int Rows, int Columns, class T>
RICCI_NOINLINE inline void dots_tile(index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c,
                                     index_t c_row, index_t c_col, int rows, int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    const T *left[Rows], *right[Columns];  // beyond the last its copies: computed, not stored
    simd<T> sum[Rows * Columns];
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) left[i] = a + (i < rows ? i : rows - 1) * a_row;
    RICCI_UNROLL
    for (int j = 0; j < Columns; ++j) right[j] = b + (j < columns ? j : columns - 1) * b_col;
    RICCI_UNROLL
    for (int s = 0; s < Rows * Columns; ++s) sum[s] = simd<T>(T(0));
    const auto step = [&](auto load, index_t p) __attribute__((always_inline)) {
        simd<T> y[Columns];
        RICCI_UNROLL
        for (int j = 0; j < Columns; ++j) y[j] = load(right[j] + p);
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> x = load(left[i] + p);
            RICCI_UNROLL
            for (int j = 0; j < Columns; ++j) sum[i * Columns + j] = math::fma(x, y[j], sum[i * Columns + j]);
        }
    };
    index_t p = 0;
    for (; p + lanes <= k; p += lanes) step([](const T* at) { return simd<T>::load(at); }, p);
    if (const index_t rest = k - p; rest > 0)
        step([rest](const T* at) { return simd<T>::load_partial(at, rest); }, p);
    T total[Rows * Columns];
    sum_lanes<Rows * Columns>(sum, total);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            T& to = c[i * c_row + j * c_col];
            to = add ? to + total[i * Columns + j] : total[i * Columns + j];
        }
}

/// The widest and highest tile of inner products that fits into the registers.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int dots_most = 4;
#else
inline constexpr int dots_most = 3;
#endif

/// The least number of pieces of at most `most`, as even as can be: the size of the first.
inline int even_piece(index_t rest, int most) {
    const index_t pieces = (rest + most - 1) / most;
    return static_cast<int>((rest + pieces - 1) / pieces);
}

/// A strip of C: all of its m rows, and as many columns as one tile has.
template <class T>
void dots_strip(index_t m, index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c, index_t c_row,
                index_t c_col, int columns, bool add) {
    const int most = columns == 1 ? 8 : columns == 2 ? 4 : dots_most;
    int rows;
    for (index_t i = 0; i < m; i += rows, a += rows * a_row, c += rows * c_row) {
        rows = even_piece(m - i, most);
        if (columns == 1) dots_tile<8, 1>(k, a, a_row, b, b_col, c, c_row, c_col, rows, 1, add);
        else if (columns == 2) dots_tile<4, 2>(k, a, a_row, b, b_col, c, c_row, c_col, rows, 2, add);
        else if (dots_most == 3 || (rows <= 3 && columns == 3))
            dots_tile<3, 3>(k, a, a_row, b, b_col, c, c_row, c_col, rows, columns, add);
        else if constexpr (dots_most == 4) {
            if (columns == 4 && rows == 4) dots_tile<4, 4>(k, a, a_row, b, b_col, c, c_row, c_col, 4, 4, add);
            else if (columns == 3) dots_tile<4, 3>(k, a, a_row, b, b_col, c, c_row, c_col, 4, 3, add);
            else dots_tile<4, 3>(k, b, b_col, a, a_row, c, c_col, c_row, 4, rows, add);  // its transpose
        }
    }
}

/// C = A B for an A with contiguous rows and a B with contiguous columns; C has any strides. Best for n <= m.
template <class T>
void dots_product(index_t m, index_t n, index_t k, const T* a, index_t a_row, const T* b, index_t b_col, T* c,
                  index_t c_row, index_t c_col) {
    // columns of B for a strip stay in L1, rows of A for all strips in L2
    constexpr index_t depth = index_t(1) << 12 >> (sizeof(T) / 4), height = 24;
    for (index_t p = 0; p < k; p += depth)
        for (index_t i = 0; i < m; i += height) {
            int columns;
            for (index_t j = 0; j < n; j += columns) {
                columns = even_piece(n - j, dots_most);
                dots_strip(m - i < height ? m - i : height, k - p < depth ? k - p : depth, a + i * a_row + p, a_row,
                           b + j * b_col + p, b_col, c + i * c_row + j * c_col, c_row, c_col, columns, p > 0);
            }
        }
}

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
#endif  // RICCI_HAS_SIMD

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// An m x k matrix A, a k x n matrix B and a row-major m x n matrix C, whose columns have unit stride.
template <class T>
struct gemm_problem {
    index_t m, n, k;
    const T* a;
    index_t a_row, a_col;
    const T* b;
    index_t b_row, b_col;
    T* c;
    index_t c_row;

    /// Rows [i, i + rows) of C.
    gemm_problem rows_from(index_t i, index_t rows) const {
        auto part = *this;
        part.m = rows;
        part.a += i * a_row;
        part.c += i * c_row;
        return part;
    }
};

/// body(first, count) over [0, total) in pieces of `piece`, in parallel.
template <class F>
void parallel_pieces(index_t total, index_t piece, const F& body) {
    struct context {
        index_t total, piece;
        const F& body;
    } state{total, piece, body};
    parallel_for((total + piece - 1) / piece,
                 [](void* c, index_t i) {
                     const auto& s = *static_cast<const context*>(c);
                     const index_t first = i * s.piece;
                     s.body(first, s.total - first < s.piece ? s.total - first : s.piece);
                 },
                 &state);
}

/// Work, in multiply-adds, below which threads do not pay.
inline constexpr index_t gemm_grain = index_t(1) << 18;

// ---- Element types without registers -------------------------------------------------------------------------------

/// Integers wrap around, as NumPy's do: the arithmetic is that of unsigned ones, which is defined.
template <class T>
struct gemm_arithmetic {
    using type = T;
};
template <std::integral T>
struct gemm_arithmetic<T> {
    using type = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;
};

template <class S>
RICCI_INLINE void add_product(S& sum, const S& x, const S& y) {
    if constexpr (math::is_complex<
                      S>)  // the textbook's formula: that of the standard library sorts out infinities, slowly
        sum += S(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
    else sum += x * y;
}

template <class T>
void gemm_plain(const gemm_problem<T>& g) {
    using S = typename gemm_arithmetic<T>::type;
    constexpr index_t piece = 256;  // of a row of C: its sums stay in L1
    S sum[piece];
    for (index_t i = 0; i < g.m; ++i)
        for (index_t j0 = 0; j0 < g.n; j0 += piece) {
            const index_t columns = g.n - j0 < piece ? g.n - j0 : piece;
            for (index_t j = 0; j < columns; ++j) sum[j] = S();
            for (index_t p = 0; p < g.k; ++p) {
                const S x = static_cast<S>(g.a[i * g.a_row + p * g.a_col]);
                const T* row = g.b + p * g.b_row + j0 * g.b_col;
                if (g.b_col == 1)
                    for (index_t j = 0; j < columns; ++j) add_product(sum[j], x, static_cast<S>(row[j]));
                else
                    for (index_t j = 0; j < columns; ++j) add_product(sum[j], x, static_cast<S>(row[j * g.b_col]));
            }
            for (index_t j = 0; j < columns; ++j) g.c[i * g.c_row + j0 + j] = static_cast<T>(sum[j]);
        }
}

// ---- Floats and doubles --------------------------------------------------------------------------------------------

#if defined(RICCI_HAS_SIMD)

inline index_t least(index_t x, index_t y) { return x < y ? x : y; }

/// Memory for n elements: on the stack if they are few.
template <class T>
class gemm_scratch {
   public:
    T* get(index_t n) {
        if (n <= room) return few_;
        many_ = storage::allocate(static_cast<std::size_t>(n) * sizeof(T));
        return static_cast<T*>(many_.data());
    }

   private:
    static constexpr index_t room = 1024;
    storage many_;
    T few_[room];
};

/// Contiguous along k, few rows or few columns: inner products.
template <class T>
void gemm_dots(const gemm_problem<T>& g) {
    if (g.m >= g.n)
        parallel_pieces(g.m, 24 + gemm_grain / (g.k * g.n) / 24 * 24, [&](index_t i, index_t rows) {
            dots_product(rows, g.n, g.k, g.a + i * g.a_row, g.a_row, g.b, g.b_col, g.c + i * g.c_row, g.c_row, 1);
        });
    else
        parallel_pieces(g.n, 24 + gemm_grain / (g.k * g.m) / 24 * 24, [&](index_t j, index_t columns) {
            dots_product(columns, g.m, g.k, g.b + j * g.b_col, g.b_col, g.a, g.a_row, g.c + j, 1, g.c_row);
        });
}
/// The same after B's few columns were made contiguous.
template <class T>
void gemm_gathered_dots(gemm_problem<T> g) {
    gemm_scratch<T> memory;
    T* const b = memory.get(g.k * g.n);
    copy_transposed(g.k, g.n, g.b, g.b_row, g.b_col, b, g.k);
    g.b = b;
    g.b_row = 1;
    g.b_col = g.k;
    gemm_dots(g);
}
/// Few rows of A against a B whose rows are contiguous.
template <class T>
void gemm_rows(const gemm_problem<T>& g) {
    constexpr index_t width = 1024;  // of C: few rows of it stay in L1
    parallel_pieces(g.n, width * (1 + gemm_grain / (g.k * g.m * width)), [&](index_t first, index_t columns) {
        for (index_t j = first; j < first + columns; j += width)
            rows_times_matrix(g.m, least(first + columns - j, width), g.k, g.a, g.a_row, g.a_col, g.b + j, g.b_row,
                              g.c + j, g.c_row);
    });
}
template <class T>
void gemm_simd(const gemm_problem<T>& g);

/// Few columns, and an A whose columns are contiguous: the transpose of C, from which C is copied.
template <class T>
void gemm_columns(const gemm_problem<T>& g) {
    gemm_scratch<T> memory;
    const bool in_place = g.n == 1 && g.c_row == 1;
    T* const c = in_place ? g.c : memory.get(g.m * g.n);
    gemm_simd(gemm_problem<T>{g.n, g.m, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, 1, c, g.m});
    if (!in_place) copy_transposed(g.n, g.m, c, g.m, 1, g.c, g.c_row);
}

/// Packs B block by block, then lets threads take rows of A, pack them and multiply.
template <class T>
void gemm_packed(const gemm_problem<T>& g) {
    using blocks = gemm_blocks<T>;
    const index_t width = least(g.n, blocks::width), depth = least(g.k, blocks::depth);
    const index_t padded = (width + blocks::columns - 1) / blocks::columns * blocks::columns;
    const storage right = storage::allocate(static_cast<std::size_t>(padded * depth) * sizeof(T));
    T* const b = static_cast<T*>(right.data());
    for (index_t j0 = 0; j0 < g.n; j0 += blocks::width) {
        const index_t columns = least(g.n - j0, blocks::width);
        for (index_t p0 = 0; p0 < g.k; p0 += blocks::depth) {
            const index_t k = least(g.k - p0, blocks::depth);
            const T* from = g.b + p0 * g.b_row + j0 * g.b_col;
            parallel_pieces(columns, 8 * blocks::columns, [&](index_t first, index_t count) {
                for (index_t j = first; j < first + count; j += blocks::columns)
                    pack_panel<blocks::columns>(k, from + j * g.b_col, g.b_col, g.b_row,
                                                static_cast<int>(least(columns - j, blocks::columns)), b + j * k);
            });
            parallel_pieces(g.m, blocks::height, [&](index_t first, index_t rows) {
                const index_t room = (rows + blocks::rows - 1) / blocks::rows * blocks::rows;
                const storage left = storage::allocate(static_cast<std::size_t>(room * k) * sizeof(T));
                T* const a = static_cast<T*>(left.data());
                pack_rows(rows, k, g.a + first * g.a_row + p0 * g.a_col, g.a_row, g.a_col, a);
                multiply_packed(rows, columns, k, a, b, g.c + first * g.c_row + j0, g.c_row, p0 > 0);
            });
        }
    }
}

/// Without packing. B's rows are made contiguous where they are not.
template <class T>
void gemm_unpacked(gemm_problem<T> g) {
    constexpr index_t width = 2 * simd<T>::lanes;
    gemm_scratch<T> memory;
    if (g.b_col != 1 && g.n != 1) {
        T* const b = memory.get(g.k * g.n);
        copy_transposed(g.n, g.k, g.b, g.b_col, g.b_row, b, g.n);
        g.b = b;
        g.b_row = g.n;
    }
    if (g.m >= g.n)
        parallel_pieces(g.m, 64 + gemm_grain / (g.n * g.k), [&](index_t i, index_t rows) {
            gemm_direct(rows, g.n, g.k, g.a + i * g.a_row, g.a_row, g.a_col, g.b, g.b_row, g.c + i * g.c_row, g.c_row);
        });
    else
        parallel_pieces(g.n, width * (4 + gemm_grain / (g.m * g.k * width)), [&](index_t j, index_t columns) {
            gemm_direct(g.m, columns, g.k, g.a, g.a_row, g.a_col, g.b + j, g.b_row, g.c + j, g.c_row);
        });
}

/// Which way: packing pays where both matrices are used many times.
template <class T>
void gemm_simd(const gemm_problem<T>& g) {
    constexpr index_t lanes = simd<T>::lanes, small = 64 * 64 * 64, cached = (index_t(1) << 19) / sizeof(T);
    const bool rows_of_b = g.b_col == 1 || g.n == 1, columns_of_b = g.b_row == 1 || g.k == 1;
    const bool rows_of_a = g.a_col == 1 || g.k == 1, deep = g.k >= 4 * lanes, narrow = g.n <= lanes / 2;
    if (g.n == 1 && rows_of_a) return columns_of_b ? gemm_dots(g) : gemm_gathered_dots(g);
    if (g.m == 1 && !rows_of_b && columns_of_b)  // the transpose
        return gemm_simd(gemm_problem<T>{g.n, 1, g.k, g.b, g.b_col, g.b_row, g.a, g.a_col, g.a_row, g.c, 1});
    if (rows_of_b && g.n * g.k <= 1024 && g.m <= 64 && !(narrow && deep))
        return gemm_direct(g.m, g.n, g.k, g.a, g.a_row, g.a_col, g.b, g.b_row, g.c, g.c_row);
    if (deep && rows_of_a && columns_of_b && (g.m * g.n <= 1024 || least(g.m, g.n) <= 12)) return gemm_dots(g);
    if (narrow && deep && rows_of_a) return gemm_gathered_dots(g);
    if (narrow && g.m > g.n && g.m >= lanes && g.a_row == 1) return gemm_columns(g);
    if (g.m <= 4 && rows_of_b && g.n * g.k > 1024 && g.n >= 4 * lanes) return gemm_rows(g);
    const bool few_rows = g.m <= 12 || (g.m <= 32 && g.n * g.k <= cached);
    if (g.n <= 2 * lanes || (rows_of_b && (few_rows || g.k <= 16 || g.m * g.n * g.k <= small))) return gemm_unpacked(g);
    gemm_packed(g);
}
#endif

/// C = A B; C does not overlap A or B. k = 0 gives zeros. Every result is the same for any number of threads.
template <class T>
void gemm(const gemm_problem<T>& g) {
    static_assert(!std::is_same_v<T, bool>, "ricci: gemm has no products of booleans");
    if (g.m == 0 || g.n == 0) return;
    if (g.k == 0) {
        for (index_t i = 0; i < g.m; ++i)
            for (index_t j = 0; j < g.n; ++j) g.c[i * g.c_row + j] = T();
        return;
    }
#if defined(RICCI_HAS_SIMD)
    if constexpr (simd_supported<T>) return gemm_simd(g);
#endif
    parallel_pieces(g.m, 1 + gemm_grain / (g.n * g.k),
                    [&](index_t first, index_t rows) { gemm_plain(g.rows_from(first, rows)); });
}
/// The same for strides counted in elements.
template <class T>
void gemm(index_t m, index_t n, index_t k, const T* a, index_t a_row, index_t a_col, const T* b, index_t b_row,
          index_t b_col, T* c, index_t c_row) {
    gemm(gemm_problem<T>{m, n, k, a, a_row, a_col, b, b_row, b_col, c, c_row});
}

/// Many products of one size: the leading axes of A and B, outermost first; those of C are dense.
template <class T>
struct gemm_batch {
    static constexpr int most_axes = 16;
    gemm_problem<T> product;
    int axes = 0;
    index_t extent[most_axes], a_step[most_axes], b_step[most_axes];

    void add_axis(index_t n, index_t a, index_t b) {
        if (n == 1) return;
        extent[axes] = n;
        a_step[axes] = a;
        b_step[axes++] = b;
    }
    void run() {
        while (axes > 0 && becomes_rows()) --axes;
        index_t count = 1;
        for (int d = 0; d < axes; ++d) count *= extent[d];
        const index_t work = product.m * product.n * product.k;
        if (count <= 1 || work >= gemm_grain) run_range(0, count);
        else parallel_pieces(count, 1 + gemm_grain / (work + 1), [this](index_t i, index_t n) { run_range(i, n); });
    }

   private:
    /// Makes the innermost axis rows of one product: where B stays put and A's rows go on evenly, and where A stays put
    /// and B is a column for each, which are the rows of the transpose.
    bool becomes_rows() {
        gemm_problem<T>& g = product;
        const int d = axes - 1;
        if (b_step[d] == 0 && a_step[d] == g.m * g.a_row) {
            g.m *= extent[d];
            return true;
        }
        if (a_step[d] != 0 || g.n != 1 || d > 0) return false;
        g = {extent[d], g.m, g.k, g.b, b_step[d], g.b_row, g.a, g.a_col, g.a_row, g.c, g.m};
        return true;
    }
    void run_range(index_t first, index_t count) const {
        index_t index[most_axes];
        gemm_problem<T> g = product;
        g.c += first * g.m * g.n;
        for (int d = axes - 1; d >= 0; --d) {
            index[d] = first % extent[d];
            first /= extent[d];
            g.a += index[d] * a_step[d];
            g.b += index[d] * b_step[d];
        }
        for (; count > 0; --count, g.c += g.m * g.n) {
            gemm<T>(g);
            for (int d = axes - 1; d >= 0; --d) {
                const bool wraps = ++index[d] == extent[d];
                g.a += wraps ? a_step[d] * (1 - extent[d]) : a_step[d];
                g.b += wraps ? b_step[d] * (1 - extent[d]) : b_step[d];
                if (!wraps) break;
                index[d] = 0;
            }
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
// ---- ricci/cpu/index_loop.hpp
// The loops of advanced indexing on the CPU: elements and rows read from, written to and added to positions that index
// arrays name. One copy of this code serves all ranks; what depends on types are an index's reader and the mover of elements.

namespace ricci::detail {

/// Adds to offset[t] what the t-th of n indices of one axis moves by; false when one of them is out of range.
using add_offsets_function = bool (*)(const std::byte* index, index_t step, index_t n, index_t extent, index_t stride,
                                      index_t* offset);

/// An index from the front of its axis, whichever end it was counted from.
template <class I>
RICCI_HD RICCI_INLINE index_t wrap_index(I i, index_t extent) {
    if constexpr (std::is_unsigned_v<I>)
        return static_cast<index_t>(i);  // beyond index_t it becomes negative, and is refused
    else return static_cast<index_t>(i) + (i < 0 ? extent : 0);
}
template <class I>
bool add_offsets(const std::byte* bytes, index_t step, index_t n, index_t extent, index_t stride, index_t* offset) {
    const I* index = reinterpret_cast<const I*>(bytes);
    std::size_t wrong =
        0;  // the highest bit tells of an index below 0 or beyond the last one; unsigned, as it may overflow
    const auto visit = [&](index_t t, index_t at) RICCI_INLINE_LAMBDA {
        const auto i = static_cast<std::size_t>(wrap_index(index[at], extent));
        wrong |= i | (static_cast<std::size_t>(extent) - 1 - i);
        offset[t] = static_cast<index_t>(static_cast<std::size_t>(offset[t]) + i * static_cast<std::size_t>(stride));
    };
    if (step == 1)
        for (index_t t = 0; t < n; ++t) visit(t, t);
    else
        for (index_t t = 0; t < n; ++t) visit(t, t * step);
    return static_cast<index_t>(wrong) >= 0;
}
/// The t-th index as it was given.
template <class I>
index_t index_value(const std::byte* bytes, index_t at) {
    return static_cast<index_t>(reinterpret_cast<const I*>(bytes)[at]);
}

/// An index array as the loop sees it, and the axis, as its user counts, that it runs along.
struct index_key {
    operand_ref array;
    std::size_t item;
    add_offsets_function add;
    index_t (*value)(const std::byte*, index_t);
    int axis;
};
template <class X>
index_key refer_key(const X& x, int axis) {
    using I = typename X::value_type;
    return {refer(x), sizeof(I), add_offsets<I>, index_value<I>, axis};
}

/// n rows of `length` elements: those of x start at x + x_at[t], those of y at y + y_at[t], or evenly where y_at is null.
struct row_moves {
    std::byte* x;
    const index_t* x_at;
    std::byte* y;
    const index_t* y_at;
    index_t y_step, n, length;
};
using move_function = void (*)(const row_moves&);

/// The elements of y become those of x, or the other way round; U has the size of an element.
template <class U, bool ToX>
void move_rows(const row_moves& m) {
    U* const x = reinterpret_cast<U*>(m.x);
    U* const y = reinterpret_cast<U*>(m.y);
    const auto move = [](U* a, U* b, std::size_t bytes) RICCI_INLINE_LAMBDA {
        if constexpr (ToX) std::memcpy(a, b, bytes);
        else std::memcpy(b, a, bytes);
    };
    const auto each = [&](const auto& y_offset) RICCI_INLINE_LAMBDA {
        if (m.length > 1) {
            const auto bytes = static_cast<std::size_t>(m.length) * sizeof(U);
            for (index_t t = 0; t < m.n; ++t) move(x + m.x_at[t], y + y_offset(t), bytes);
        } else {
            for (index_t t = 0; t < m.n; ++t) {
                U* at = x + m.x_at[t];
                RICCI_KEEP_SCALAR(at);  // the processors' gathers take twice as long: 1.06 against 0.57 ns a float
                move(at, y + y_offset(t), sizeof(U));
            }
        }
    };
    if (m.y_at) each([&](index_t t) { return m.y_at[t]; });
    else if (m.y_step == 1) each([](index_t t) { return t; });
    else each([&](index_t t) { return t * m.y_step; });
}
/// The elements of y are added to those of x, one row after the other.
template <class T>
void add_rows(const row_moves& m) {
    for (index_t t = 0; t < m.n; ++t) {
        T* const x = reinterpret_cast<T*>(m.x) + m.x_at[t];
        const T* const y = reinterpret_cast<const T*>(m.y) + (m.y_at ? m.y_at[t] : t * m.y_step);
        for (index_t i = 0; i < m.length; ++i) x[i] = static_cast<T>(x[i] + y[i]);
    }
}
template <bool ToX>
move_function mover_of(std::size_t item) {
    switch (item) {
        case 1:
            return move_rows<std::uint8_t, ToX>;
        case 2:
            return move_rows<std::uint16_t, ToX>;
        case 4:
            return move_rows<std::uint32_t, ToX>;
        case 8:
            return move_rows<std::uint64_t, ToX>;
        case 16:
            return move_rows<std::array<std::uint64_t, 2>, ToX>;
        default:
            return move_rows<std::array<std::uint64_t, 4>, ToX>;
    }
}

/// Some axes, merged where all strides allow.
template <int Operands>
struct merged_axes {
    int rank = 0;
    index_t count = 1;
    index_t extent[max_loop_rank];
    index_t stride[max_loop_rank][Operands];

    void append(index_t n, const index_t* step, int operands) {
        count *= n;
        if (n == 1) return;
        bool together = rank > 0;
        for (int o = 0; o < operands && together; ++o) together = stride[rank - 1][o] == step[o] * n;
        if (together) --rank;
        extent[rank] = together ? extent[rank] * n : n;
        for (int o = 0; o < operands; ++o) stride[rank][o] = step[o];
        ++rank;
    }
};

/// The rows of x that index arrays name beside the rows of y. The axes of x: `batch` that the index arrays have too, then free
/// ones, from `at` on one for each index array, then free ones; of y the same with the index arrays' own axes at `at`.
class index_loop {
   public:
    static constexpr int max_keys = max_loop_rank;

    index_loop(const operand_ref& x, const operand_ref& y, std::size_t item, int batch, int at, const index_key* keys,
               int count)
        : x_(x.data), y_(y.data), item_(static_cast<index_t>(item)), keys_(keys), count_(count) {
        for (int k = 0; k < count; ++k) along_[k] = {x.extent[at + k], x.stride[at + k]};
        const int own = keys[0].array.rank - batch;
        for (int d = 0; d < batch; ++d) name_axis(d, &x, d, y, d);
        for (int d = 0; d < own; ++d) name_axis(batch + d, nullptr, 0, y, at + d);
        for (int d = batch; d < at; ++d) free_axis(x, d, y, d);
        for (int d = at + count; d < x.rank; ++d) free_axis(x, d, y, d - count + own);
        if (free_.rank > 0 && free_.stride[free_.rank - 1][0] == 1 && free_.stride[free_.rank - 1][1] == 1)
            length_ = free_.extent[--free_.rank];
    }

    /// Throws index_error when an index is out of range.
    RICCI_NOINLINE void check() const {
        index_t x_at[tile], y_at[tile];
        for (index_t from = 0; from < named_.count; from += tile)
            if (!fill(from, tile_size(from, named_.count), x_at, y_at)) refuse();
    }
    /// Each row of y becomes one of x. Throws index_error, y half written, when an index is out of range.
    RICCI_NOINLINE void gather() {
        move_ = mover_of<false>(static_cast<std::size_t>(item_));
        const index_t work = free_.count > 0 ? free_.count : 1;
        step_ = work >= grain ? 1 : (grain / work + tile - 1) / tile * tile;
        parallel_for((named_.count + step_ - 1) / step_,
                     [](void* self, index_t chunk) {
                         index_loop& loop = *static_cast<index_loop*>(self);
                         const index_t from = chunk * loop.step_, rest = loop.named_.count - from;
                         loop.run(from, rest < loop.step_ ? loop.named_.count : from + loop.step_, loop.x_, loop.y_,
                                  loop.length_, loop.free_);
                     },
                     this);
        if (outside_.load(std::memory_order_relaxed)) refuse();
    }
    /// Moves each row of y to one of x, in order, so that the last one stays (or as `move` does). The indices have been
    /// checked. Threads share the columns, not the rows: which thread comes first never matters.
    RICCI_NOINLINE void scatter(move_function move) {
        move_ = move;
        const bool large = named_.count * free_.count > grain;
        columns_ = large && length_ >= 128;
        step_ = columns_ ? 64 : 1;
        const index_t parts = columns_ ? (length_ + step_ - 1) / step_ : large && free_.rank > 0 ? free_.extent[0] : 1;
        if (parts == 1) return run(0, named_.count, x_, y_, length_, free_);
        parallel_for(parts, [](void* self, index_t part) { static_cast<index_loop*>(self)->scatter_part(part); }, this);
    }
    void put() { scatter(mover_of<true>(static_cast<std::size_t>(item_))); }

   private:
    static constexpr index_t tile = 1024, grain = index_t(1) << 15;
    using free_axes = merged_axes<2>;

    static index_t tile_size(index_t from, index_t to) { return to - from < tile ? to - from : tile; }
    void name_axis(int d, const operand_ref* x, int of_x, const operand_ref& y, int of_y) {
        index_t n = y.extent[of_y], step[max_keys + 2];
        for (int k = 0; k < count_; ++k) n = keys_[k].array.extent[d] == 1 ? n : keys_[k].array.extent[d];
        if (x && x->extent[of_x] != 1) n = x->extent[of_x];
        step[0] = x && x->extent[of_x] != 1 ? x->stride[of_x] : 0;
        step[1] = y.extent[of_y] != 1 ? y.stride[of_y] : 0;
        for (int k = 0; k < count_; ++k) step[2 + k] = keys_[k].array.extent[d] != 1 ? keys_[k].array.stride[d] : 0;
        named_.append(n, step, 2 + count_);
    }
    void free_axis(const operand_ref& x, int of_x, const operand_ref& y, int of_y) {
        const index_t step[2] = {x.stride[of_x], y.stride[of_y]};
        free_.append(x.extent[of_x], step, 2);
    }

    /// Where the rows from .. from + n - 1 of both start; false when an index is out of range.
    bool fill(index_t from, index_t n, index_t* x_at, index_t* y_at) const {
        const int last = named_.rank - 1;
        const index_t length = last < 0 ? 1 : named_.extent[last];
        bool inside = true;
        for (index_t done = 0; done < n;) {
            index_t offset[max_keys + 2] = {};
            index_t rest = from + done;
            for (int d = last; d >= 0; --d) {
                const index_t i = rest % named_.extent[d];
                rest /= named_.extent[d];
                for (int o = 0; o < count_ + 2; ++o) offset[o] += i * named_.stride[d][o];
            }
            const index_t room = length - (from + done) % length, part = n - done < room ? n - done : room;
            const index_t x_step = last < 0 ? 0 : named_.stride[last][0],
                          y_step = last < 0 ? 0 : named_.stride[last][1];
            for (index_t t = 0; t < part; ++t) x_at[done + t] = offset[0] + t * x_step;
            if (last > 0)
                for (index_t t = 0; t < part; ++t) y_at[done + t] = offset[1] + t * y_step;
            for (int k = 0; k < count_; ++k) {
                const index_key& key = keys_[k];
                inside &= key.add(key.array.data + offset[2 + k] * static_cast<index_t>(key.item),
                                  last < 0 ? 0 : named_.stride[last][2 + k], part, along_[k].extent, along_[k].stride,
                                  x_at + done);
            }
            done += part;
        }
        return inside;
    }
    void run(index_t from, index_t to, std::byte* x, std::byte* y, index_t length, const free_axes& outer) {
        index_t x_at[tile], y_at[tile];
        const bool listed = named_.rank > 1;
        const index_t y_step = named_.rank == 1 ? named_.stride[0][1] : 0;
        for (; from < to; from += tile) {
            const index_t n = tile_size(from, to);
            if (!fill(from, n, x_at, y_at)) return outside_.store(true, std::memory_order_relaxed);
            if (free_.count == 0) continue;
            move_outer({x, x_at, listed ? y : y + from * y_step * item_, listed ? y_at : nullptr, y_step, n, length},
                       outer);
        }
    }
    /// The same rows at each position along the outer free axes.
    void move_outer(row_moves m, const free_axes& outer) const {
        index_t at[max_loop_rank] = {};
        for (;;) {
            move_(m);
            int d = outer.rank - 1;
            for (; d >= 0; --d) {
                const index_t by = ++at[d] < outer.extent[d] ? 1 : 1 - outer.extent[d];
                m.x += by * outer.stride[d][0] * item_;
                m.y += by * outer.stride[d][1] * item_;
                if (by == 1) break;
                at[d] = 0;
            }
            if (d < 0) return;
        }
    }
    void scatter_part(index_t part) {
        const index_t x_step = columns_ ? step_ : free_.stride[0][0], y_step = columns_ ? step_ : free_.stride[0][1];
        std::byte* const x = x_ + part * x_step * item_;
        std::byte* const y = y_ + part * y_step * item_;
        if (columns_) {
            const index_t rest = length_ - part * step_;
            return run(0, named_.count, x, y, rest < step_ ? rest : step_, free_);
        }
        free_axes inner = free_;
        inner.extent[0] = 1;
        run(0, named_.count, x, y, length_, inner);
    }
    /// Names the first index that is out of range.
    [[noreturn, gnu::cold]] RICCI_NOINLINE void refuse() const {
        for (index_t from = 0; from < named_.count; ++from)
            for (int k = 0; k < count_; ++k) {
                index_t rest = from, offset = 0, moved = 0;
                for (int d = named_.rank - 1; d >= 0; --d) {
                    offset += rest % named_.extent[d] * named_.stride[d][2 + k];
                    rest /= named_.extent[d];
                }
                const index_key& key = keys_[k];
                if (!key.add(key.array.data + offset * static_cast<index_t>(key.item), 1, 1, along_[k].extent, 0,
                             &moved))
                    raise<index_error>({"index ", key.value(key.array.data, offset), " is out of bounds for axis ",
                                        key.axis, " with size ", along_[k].extent});
            }
        raise<index_error>({"an index is out of bounds"});
    }

    std::byte* x_;
    std::byte* y_;
    index_t item_;
    const index_key* keys_;
    int count_;
    struct {
        index_t extent, stride;
    } along_[max_keys];
    merged_axes<max_keys + 2> named_;
    free_axes free_;
    index_t length_ = 1, step_ = 1;
    bool columns_ = false;
    move_function move_ = nullptr;
    std::atomic<bool> outside_{false};
};

}  // namespace ricci::detail

namespace ricci {
namespace detail {

/// A sweep as the loop driver wants it: its row function and its tables, with the code for registers or for scalars.
template <class Sweep, class Combine>
struct cpu_kernel {
    using combine = std::conditional_t<std::is_void_v<Combine>, combine_plus, Combine>;
    using T = lane_type_t<typename Sweep::tree_type>;
    static constexpr int inputs = Sweep::inputs, outputs = Sweep::outputs;
    template <int... K>
    static constexpr bool any_bool_output(std::integer_sequence<int, K...>) {
        return (std::is_same_v<typename Sweep::template output_type<K>, bool> || ...);
    }
    /// On registers; the maximum of truth values, which are no register of T, is not.
    static constexpr bool vectorised =
        lanes_supported<T>() &&
        (std::is_void_v<Combine> || !any_bool_output(std::make_integer_sequence<int, outputs>{}));
    /// The same with complex numbers: their parts' type, or void.
    static constexpr auto complex_parts() {
        if constexpr (std::is_void_v<Combine> || std::is_same_v<Combine, combine_plus>) return complex_lanes<T>();
        else return std::type_identity<void>{};
    }
    using P = typename decltype(complex_parts())::type;
    static_assert(inputs + outputs <= max_operands, "ricci: too many leaves in one expression");

    template <int... I>
    static constexpr std::array<std::size_t, inputs + 1> input_items(std::integer_sequence<int, I...>) {
        return {sizeof(typename Sweep::template input_type<I>)..., 0};
    }
    template <int... I>
    static constexpr std::array<bool, inputs + 1> input_bools(std::integer_sequence<int, I...>) {
        return {std::is_same_v<typename Sweep::template input_type<I>, bool>..., false};
    }
    template <int... I>
    static constexpr std::array<const output_rules*, outputs> output_tables(std::integer_sequence<int, I...>) {
        return {&typed_output_rules<combine, typename Sweep::template output_type<I>>::rules...};
    }
    template <int... I>
    static constexpr std::array<bool, outputs> output_bools(std::integer_sequence<int, I...>) {
        return {std::is_same_v<typename Sweep::template output_type<I>, bool>...};
    }
    static constexpr auto items = input_items(std::make_integer_sequence<int, inputs>{});
    static constexpr auto in_bool = input_bools(std::make_integer_sequence<int, inputs>{});
    static constexpr auto tables = output_tables(std::make_integer_sequence<int, outputs>{});
    static constexpr auto out_bool = output_bools(std::make_integer_sequence<int, outputs>{});

    const Sweep& sweep;
    const unsigned char* merge;
    [[no_unique_address]] std::conditional_t<vectorised, simd_kernel, nothing> registers{};

    cpu_kernel(const Sweep& s, const unsigned char* m) : sweep(s), merge(m) {
        if constexpr (vectorised) {
            registers = simd_kernel{&sweep, nullptr, inputs, outputs, in_bool.data(), out_bool.data()};
            registers.span = span(registers.blocks);
        }
    }
    row_kernel row() const {
        row_kernel k{&sweep, nullptr, inputs, outputs, items.data(), tables.data(), merge, !vectorised};
        if constexpr (vectorised) {
            k.function = &registers;
            k.run = simd_row<T, Combine>::run;
            k.takes_sheets = true;
            if constexpr (!std::is_void_v<Combine>)
                k.takes_blocks = simd_span<Sweep, T, merging::none, Combine>::unrolled;
            if constexpr (Sweep::reverse) {
                k.add = add_row<T>;
                k.adds_apart = registers.blocks;
            }
        } else if constexpr (!std::is_void_v<P>) {
            k.run = complex_row<Sweep, P, Combine>::run;
            k.any_step = false;
            if constexpr (Sweep::reverse) k.add = add_row<P>;
        } else {
            k.run = scalar_row<Sweep, Combine>::run;
        }
        return k;
    }

   private:
    /// The span for the way in which outputs meet: when all adjoints belong to one leaf their sum stays in one register.
    span_function span(bool& blocks) const {
        blocks = false;
        // which codes are worth compiling: two adjoints are one or apart, many are hardly ever all apart
        constexpr int adjoint_count = [] {
            int n = 0;
            for (int k = 0; k < outputs; ++k) n += Sweep::out.at[k].variable != Sweep::slots;
            return n;
        }();
        if constexpr (!Sweep::reverse || adjoint_count < 2) {
            return simd_span<Sweep, T, merging::none, Combine>::run;
        } else {
            const bool none = merged_as(each_apart.data()), all = merged_as(all_groups.data());
            if (all) return simd_span<Sweep, T, merging::all, Combine>::run;
            if constexpr (adjoint_count <= 4)
                if (none) return simd_span<Sweep, T, merging::none, Combine>::run;
            if constexpr (adjoint_count == 2 && Sweep::order == 0) {
                return simd_span<Sweep, T, merging::none, Combine>::run;
            } else {
                blocks = true;
                return simd_span<Sweep, T, merging::table, Combine>::run;
            }
        }
    }
    bool merged_as(const unsigned char* table) const { return std::memcmp(merge, table, outputs) == 0; }
    template <int... K>
    static constexpr std::array<unsigned char, outputs> group_table(std::integer_sequence<int, K...>) {
        return {static_cast<unsigned char>(step_outputs<Sweep, scalar_domain, merging::all>::template group<K>())...};
    }
    static constexpr auto each_apart = [] {
        std::array<unsigned char, outputs> t{};
        for (std::size_t k = 0; k < t.size(); ++k) t[k] = static_cast<unsigned char>(k);
        return t;
    }();
    static constexpr auto all_groups = group_table(std::make_integer_sequence<int, outputs>{});
};

}  // namespace detail

template <>
struct executor<cpu_device> {
    static constexpr bool takes_windows = true;

    /// Computes a fused op into new tensors; outputs merged into another one come back empty.
    template <class Combine, class Sweep, int Rank, bool Reduces, int... ResultRank, class... T>
    static auto run(const detail::fused<Sweep, Rank, Reduces, ResultRank...>& op, const T&... inputs) {
        using namespace detail;
        auto outputs = generate<Sweep::outputs>([&](auto k) {
            using R = std::remove_cvref_t<decltype(get<k()>(op.result))>;
            using out = tensor<typename Sweep::template output_type<k()>, R::rank, cpu_device>;
            const bool own = op.merge[k()] == k() && (!op.windows || op.windows[k()].home == k());
            return own ? out::uninitialized(get<k()>(op.result)) : out();
        });
        const cpu_kernel<Sweep, Combine> kernel(op.sweep, op.merge);
        const row_kernel row = kernel.row();
        operand_ref operands[sizeof...(T) + Sweep::outputs] = {refer(inputs)...};
        for_indices<Sweep::outputs>([&](auto k) {
            operands[sizeof...(T) + k()] = {byte_pointer(get<k()>(outputs).data()), op.padded[k()].extent, nullptr,
                                            Rank};
        });
        if constexpr (Reduces && Sweep::reverse) {
            if (op.windows) {
                run_through_windows(op, row, operands, outputs);
                return outputs;
            }
        }
        bound_kernel(row, operands).run();
        return outputs;
    }

    /// Computes a map into memory that exists: the elements of `out`, any strides.
    template <class Combine, class Sweep, int Rank, class O, class... T>
    static void run_into(const Sweep& sweep, const shape<Rank>& extents, const O& out, const shape<Rank>& out_strides,
                         const T&... inputs) {
        using namespace detail;
        static constexpr unsigned char merge[1] = {0};
        const cpu_kernel<Sweep, Combine> kernel(sweep, merge);
        const row_kernel row = kernel.row();
        const operand_ref operands[] = {refer(inputs)...,
                                        {byte_pointer(out.data()), extents.extent, out_strides.extent, Rank}};
        bound_kernel(row, operands).run();
    }
    /// The short way for few elements: dense inputs into other, dense memory. False, and nothing done, where it is not that.
    template <class Sweep, class O, class... X>
    static RICCI_INLINE bool run_dense(const Sweep& sweep, const O& out, const X&... inputs) {
        using namespace detail;
        using T = typename cpu_kernel<Sweep, void>::T;
        constexpr int n_inputs = sizeof...(X);
        if constexpr (!cpu_kernel<Sweep, void>::vectorised || n_inputs == 0 || n_inputs > 8 ||
                      ((X::rank != O::rank) || ...)) {
            return false;
        } else {
            const index_t n = out.size();
            if (n < simd<T>::lanes || n > flat_loop::most) return false;
            if (!((inputs.shape() == out.shape() && inputs.is_contiguous()) && ...)) return false;
            const std::byte* const data[] = {byte_pointer(inputs.data())...};
            std::byte* const to = byte_pointer(out.data());
            for (int i = 0; i < n_inputs; ++i)
                if (data[i] == to) return false;  // registers overlap at the end
            if constexpr (tree_cost_v<typename Sweep::tree_type> <= 4) {
                store_registers<T>(sweep, data, to, n);
            } else {
                std::byte* const all[] = {byte_pointer(inputs.data())...};
                static constexpr index_t mask[] = {index_t(sizeof(X) ? -1 : 0)...};
                static constexpr output_mode mode[1] = {output_mode::store};
                static constexpr unsigned char merge[1] = {0};
                simd_span<Sweep, T, merging::none, void>::run(&sweep, span_args{n, all, mask, &to, mode, merge}, nullptr);
            }
            return true;
        }
    }

    template <class T, int R>
    static void fill(const tensor<T, R>& x, const std::type_identity_t<T>& value) {
        if (x.is_contiguous() && x.size() <= detail::flat_loop::most) {
            for (index_t i = 0, n = x.size(); i < n; ++i) x.data()[i] = value;
            return;
        }
        detail::copy_elements(sizeof(T), {detail::byte_pointer(&value), nullptr, nullptr, 0}, detail::refer(x));
    }
    /// Elements first, first + 1, ... of a seed's stream of uniform or normal random numbers into a contiguous tensor.
    template <bool Normal, class T, int R>
    static void random(const tensor<T, R>& x, std::uint64_t seed, std::uint64_t first) {
        if constexpr (Normal) detail::fill_normal(x.data(), x.size(), seed, first, T(0), T(1));
        else detail::fill_uniform(x.data(), x.size(), seed, first, T(0), T(1));
    }
    /// Copies elements of one type to where they broadcast to; the caller has seen to overlap.
    template <class T, int R, class U, int Q>
    static void copy(const tensor<T, R>& from, const tensor<U, Q>& to) {
        static_assert(std::is_same_v<std::remove_const_t<T>, U> && R <= Q);
        detail::copy_elements(sizeof(U), detail::refer(from), detail::refer(to));
    }
    /// c = a times b over the last two axes, the leading ones broadcast; c is new and dense.
    template <class A, class B, class C>
    static void matmul(const A& a, const B& b, const C& c) {
        using T = typename C::value_type;
        detail::gemm_batch<T> batch;
        batch.product = {a.shape()[A::rank - 2],   b.shape()[B::rank - 1],   a.shape()[A::rank - 1], a.data(),
                         a.strides()[A::rank - 2], a.strides()[A::rank - 1], b.data(),               b.strides()[B::rank - 2],
                         b.strides()[B::rank - 1], c.data(),                 b.shape()[B::rank - 1]};
        for (int d = 0; d < C::rank - 2; ++d) {
            const int i = d - (C::rank - A::rank), j = d - (C::rank - B::rank);
            batch.add_axis(c.shape()[d], i < 0 || a.shape()[i] == 1 ? 0 : a.strides()[i],
                           j < 0 || b.shape()[j] == 1 ? 0 : b.strides()[j]);
        }
        batch.run();
    }
    /// y, which is new, becomes what index arrays select from x (ops/index/gather.hpp).
    template <class Spec, class X, class Y, class... I>
    static void gather(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.gather(); }, index...);
    }
    /// Throws index_error for an index that is out of x's range.
    template <class Spec, class X, class Y, class... I>
    static void check_indices(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.check(); }, index...);
    }
    /// The elements of y are added to, or become, those of x that the index arrays name, one after the other.
    template <class Spec, class X, class Y, class... I>
    static void scatter_add(const Spec& spec, const X& x, const Y& y, const I&... index) {
        using T = typename X::value_type;
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.scatter(detail::add_rows<T>); }, index...);
    }
    template <class Spec, class X, class Y, class... I>
    static void put(const Spec& spec, const X& x, const Y& y, const I&... index) {
        with_index_loop(spec, x, y, [](detail::index_loop& loop) { loop.put(); }, index...);
    }
    /// The number of true ones.
    template <int R>
    static index_t count_true(const tensor<bool, R>& mask) {
        if (mask.is_contiguous()) return detail::count_true(mask.data(), mask.size());
        const auto dense = mask.clone();
        return detail::count_true(dense.data(), dense.size());
    }
    /// Where they are: row d has the positions along axis d.
    template <int R>
    static void find_true(const tensor<bool, R>& mask, const tensor<index_t, 2>& positions) {
        detail::find_true(detail::refer(mask), positions.data(), positions.shape()[1]);
    }
    /// The elements of x where a mask of its shape is true, of which y, new and dense, has the number.
    template <class X, int R, class Y>
    static void compress(const X& x, const tensor<bool, R>& mask, const Y& y) {
        if (!x.is_contiguous()) return compress(x.clone(), mask, y);
        if (!mask.is_contiguous()) return compress(x, mask.clone(), y);
        detail::compress_bytes(sizeof(typename X::value_type), detail::byte_pointer(x.data()), mask.data(), x.size(),
                               detail::byte_pointer(y.data()), y.size());
    }
    template <class T, class X>
    static T read(const X& x) {
        return *x.data();
    }

   private:
    template <class Spec, class X, class Y, class F, class... I>
    static void with_index_loop(const Spec& spec, const X& x, const Y& y, F use, const I&... index) {
        int k = 0;
        const detail::index_key keys[] = {detail::refer_key(index, spec.axis[k++])...};
        detail::index_loop loop(detail::refer(x), detail::refer(y), sizeof(typename X::value_type), Spec::batch_rank,
                                spec.at, keys, Spec::arrays);
        use(loop);
    }
    /// Outputs that are windows are added up in their homes.
    template <class Op, class Outputs>
    static void run_through_windows(const Op& op, const detail::row_kernel& row, detail::operand_ref* operands,
                                    const Outputs& outputs) {
        detail::memory_range homes[Op::outputs];
        detail::for_indices<Op::outputs>([&](auto k) {
            const auto& y = detail::get<k()>(outputs);
            std::byte* const begin = detail::byte_pointer(y.data());
            homes[k()] = {begin, begin + static_cast<std::size_t>(y.size()) * row.rules[k()]->item};
        });
        detail::memory_range at[Op::outputs];
        for (int k = 0; k < Op::outputs; ++k) {
            const auto& window = op.windows[k];
            if (window.whole) continue;
            detail::operand_ref& x = operands[row.inputs + k];
            at[k] = homes[window.home];
            x.data = at[k].begin + window.offset * static_cast<index_t>(row.rules[k]->item);
            x.stride = window.strides.extent;
        }
        detail::bound_kernel(row, operands, at).run();
    }
};

}  // namespace ricci
// ---- ricci/expr/assign.hpp
// Assignment: evaluating an expression into a tensor, by rebinding a name or by writing through a view.

namespace ricci {
namespace detail {

/// The first and one past the last address that a tensor's elements occupy.
template <class X>
void address_range(const X& x, const std::byte*& low, const std::byte*& high) {
    index_t below = 0, above = 0;
    for (int d = 0; d < X::rank; ++d) {
        const index_t reach = (x.shape()[d] - 1) * x.strides()[d];
        (reach < 0 ? below : above) += reach;
    }
    low = reinterpret_cast<const std::byte*>(x.data() + below);
    high = reinterpret_cast<const std::byte*>(x.data() + above + 1);
}

/// Whether writing `out` element by element could change an element of `x` that is still to be read: they overlap, and not
/// as the same elements in the same places.
template <class O, class X>
bool write_hazard(const O& out, const X& x) {
    if (out.size() == 0 || x.size() == 0) return false;
    const std::byte *a, *b, *c, *d;
    address_range(out, a, b);
    address_range(x, c, d);
    if (b <= c || d <= a) return false;
    if constexpr (O::rank == X::rank && sizeof(typename O::value_type) == sizeof(typename X::value_type)) {
        if (static_cast<const void*>(out.data()) == static_cast<const void*>(x.data()) && out.shape() == x.shape() &&
            out.strides() == x.strides())
            return false;
    }
    return true;
}

template <class E>
constexpr bool all_plain() {
    using leaves = decltype(leaves_of(std::declval<const E&>()));
    return []<class... A>(std::type_identity<pack<const A*...>>) {
        return (std::is_void_v<typename A::wrapper> && ...);
    }(std::type_identity<leaves>{});
}

/// Runs a map of plain leaves into `out`, whose shape the map broadcasts to and whose strides are given.
template <class E, class O>
RICCI_INLINE void run_map_into(const E& e, const O& out) {
    using T = typename O::value_type;
    if constexpr (E::is_array && std::is_same_v<typename E::value_type, T>) {
        executor<typename O::device_type>::copy(e, out);
        return;
    }
    const auto leaves = leaves_of(e);
    const auto tree = convert_node<T>(make_tree(e));
    const auto sweep = value_sweep<decltype(slot_types(leaves))>(tree);
    unpack(
        [&](const auto*... a) {
            executor<typename O::device_type>::template run_into<void>(sweep, out.shape(), out, out.strides(), *a...);
        },
        leaves);
}

/// Refuses to write into repeated elements: which value they would end up with depends on the order of the writes.
template <class O>
void check_writable(const O& out) {
    for (int d = 0; d < O::rank; ++d)
        if (out.strides()[d] == 0 && out.shape()[d] > 1 && out.size() > 0)
            detail::raise<value_error>({"[assign] axis ", d, " of a view of shape ", out.shape(),
                                        " repeats its elements (it was expanded): write to a clone() of it"});
}

template <class E, class O>
bool any_hazard(const E& e, const O& out) {
    return unpack([&](const auto*... a) { return (false || ... || write_hazard(out, *a)); }, leaves_of(e));
}

/// Whether nobody else sees the elements: no other handle, and, on the CPU, no owner outside of the library.
template <class T, int R, class D>
bool is_reusable(const tensor<T, R, D>& x) {
    return x.memory().unique() && (x.memory().owns_payload() || !std::is_same_v<D, cpu_device>);
}

}  // namespace detail

/// Writes the value of `e`, broadcast and converted, into the elements of `out`. As if `e` had been evaluated first.
/// Throws shape_error when it does not broadcast to the shape of `out`; nothing is written then.
template <class T, int R, class D, class E>
void write(const tensor<T, R, D>& out, const E& e) {
    static_assert(!std::is_const_v<T>, "ricci: this tensor is read-only (its element type is const)");
    detail::check_writable(out);
    if constexpr (scalar_value<E>) {
        executor<D>::fill(out, convert_element<T>(e));
        out.memory().bump_version();
    } else if constexpr (deferred<E>) {
        write(out, e.fetch());
    } else {
        static_assert(E::rank <= R, "ricci: the right side has more dimensions than the view it is assigned to");
        static_assert(std::is_same_v<typename E::device_type, D>, "ricci: the sides live on different devices");
        static_assert(detail::all_plain<E>(),
                      "ricci: a value under grad, jvp or vmap cannot be written into a plain tensor: build the result "
                      "functionally");
        for (int i = 0; i < E::rank; ++i)
            if (e.shape()[i] != 1 && e.shape()[i] != out.shape()[R - E::rank + i])
                detail::raise<shape_error>(
                    {"[assign] shape ", e.shape(), " does not broadcast to the view's shape ", out.shape()});
        if (detail::any_hazard(e, out)) {
            const auto value = tensor<T, R, D>::uninitialized(out.shape());
            detail::run_map_into(e, value);
            executor<D>::copy(value, out);
        } else {
            detail::run_map_into(e, out);
        }
        out.memory().bump_version();
    }
}

namespace detail {

/// A small map of dense leaves, into `out` with no more ado; false when it is not one.
template <class E, class O>
RICCI_INLINE bool run_dense_map(const E& e, const O& out) {
    using T = typename O::value_type;
    const auto leaves = leaves_of(e);
    const auto sweep = value_sweep<decltype(slot_types(leaves))>(convert_node<T>(make_tree(e)));
    return unpack([&](const auto*... a) { return executor<typename O::device_type>::run_dense(sweep, out, *a...); },
                  leaves);
}
template <class T, int R, class D, class E>
RICCI_NOINLINE void assign_map(tensor<T, R, D>& out, const E e) {
    if constexpr (!std::is_const_v<T>) {
        if (out.shape() == e.shape() && is_reusable(out) && out.is_contiguous()) return run_map_into(e, out);
    }
    const auto fresh = tensor<std::remove_const_t<T>, R, D>::uninitialized(e.shape());
    run_map_into(e, fresh);
    out = tensor<T, R, D>(fresh.memory(), fresh.data(), fresh.shape(), fresh.strides());
}

}  // namespace detail

/// Rebinds `out` to the value of `e`. Its buffer is used again when nobody else sees it and the shape fits.
template <class T, int R, class D, class E>
RICCI_INLINE void assign(tensor<T, R, D>& out, const E& e) {
    static_assert(std::is_same_v<typename E::device_type, D>, "ricci: the sides live on different devices");
    static_assert(detail::all_plain<E>(),
                  "ricci: a value under grad, jvp or vmap is not a plain tensor: keep it as auto, or detach it");
    if constexpr (deferred<E>) {
        if constexpr (std::is_same_v<T, typename E::value_type>)
            if (out.shape() == e.shape() && detail::is_reusable(out) && out.is_contiguous() && e.fetch_into(out)) return;
        assign(out, e.fetch());
    } else if constexpr (E::is_array &&
                  requires(T* data) { data = e.data(); }) {  // a read-only view is copied into a tensor<T>
        out = tensor<T, R, D>(e.memory(), e.data(), e.shape(), e.strides());
    } else {
        if constexpr (!std::is_const_v<T>) {
            if (out.shape() == e.shape() && detail::is_reusable(out) && out.is_contiguous() &&
                detail::run_dense_map(e, out))
                return;
        }
        detail::assign_map(out, E(e));  // by value: where the short way is taken, `e` can stay in registers
    }
}

}  // namespace ricci
// ---- ricci/expr/index.hpp
// Basic indexing as NumPy has it: integers, slices of either sign, all, ellipsis and newaxis, always a view. What index arrays
// and masks select is in ops/index.

namespace ricci {

/// "Not given": an open end of a slice, an argument that vmap does not map.
struct none_t {};
inline constexpr none_t none{};

/// start:stop:step of one axis. Negative positions count from the end; `none` leaves an end open; the step may be negative,
/// not zero. Positions beyond the axis are clipped, as in Python.
struct slice {
    static constexpr index_t open = std::numeric_limits<index_t>::min();
    index_t start = open, stop = open, step = 1;

    template <class A, class B>
    constexpr slice(A a, B b, index_t s = 1) : start(position(a)), stop(position(b)), step(s) {}
    template <class B>
    constexpr explicit slice(B b) : stop(position(b)) {}

   private:
    static constexpr index_t position(none_t) { return open; }
    static constexpr index_t position(index_t i) { return i; }
};

/// The whole axis.
struct all_t {};
inline constexpr all_t all{};
/// As many whole axes as are left.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};
/// A new axis of extent 1.
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};

namespace detail {

template <class I>
inline constexpr bool is_integer_index = std::is_integral_v<I> && !std::is_same_v<I, bool>;
template <class I>
inline constexpr bool is_basic_index = is_integer_index<I> || std::is_same_v<I, slice> || std::is_same_v<I, all_t> ||
                                       std::is_same_v<I, ellipsis_t> || std::is_same_v<I, newaxis_t>;

/// An array of integers or truth values as an index.
template <class I>
inline constexpr bool is_index_array = false;
template <expression I>
inline constexpr bool is_index_array<I> = std::is_integral_v<typename I::value_type>;
/// The place of an index array: as many whole axes as it indexes.
template <int N>
struct whole_axes {};

/// Axes that an index of type I uses up and gives.
template <class I>
inline constexpr int axes_used = std::is_same_v<I, ellipsis_t> || std::is_same_v<I, newaxis_t> ? 0 : 1;
template <class I>
inline constexpr int axes_given = is_integer_index<I> || std::is_same_v<I, ellipsis_t> ? 0 : 1;

template <int N>
inline constexpr int axes_used<whole_axes<N>> = N;
template <int N>
inline constexpr int axes_given<whole_axes<N>> = N;

template <int In, int Out>
class index_builder {
   public:
    explicit index_builder(const shape<In>& extents) : from_(extents) {}

    template <class... I>
    view_spec<In, Out> build(const I&... i) {
        constexpr int rest = In - (0 + ... + axes_used<I>);
        constexpr bool dots = (std::is_same_v<I, ellipsis_t> || ...);
        (..., take(i, rest));
        if (!dots) whole(rest);
        return spec_;
    }

   private:
    void axis(index_t start, index_t count, index_t step) {
        spec_.start[in_] = start;
        spec_.extents[out_] = count;
        spec_.step[out_] = step;
        spec_.source[out_++] = in_++;
    }
    void whole(int axes) {
        for (int d = 0; d < axes; ++d) axis(0, from_[in_], 1);
    }
    template <int N>
    void take(whole_axes<N>, int) {
        whole(N);
    }
    template <class I>
    void take(const I& i, int rest) {
        if constexpr (std::is_same_v<I, all_t>) whole(1);
        else if constexpr (std::is_same_v<I, ellipsis_t>) whole(rest);
        else if constexpr (std::is_same_v<I, newaxis_t>) {
            spec_.extents[out_] = 1;
            spec_.step[out_] = 0;
            spec_.source[out_++] = -1;
        } else if constexpr (std::is_same_v<I, slice>) take_slice(i);
        else take_integer(static_cast<index_t>(i));
    }
    void take_integer(index_t i) {
        const index_t n = from_[in_];
        if (i < -n || i >= n)
            detail::raise<index_error>({"index ", i, " is out of bounds for axis ", in_, " with size ", n});
        spec_.start[in_++] = i < 0 ? i + n : i;
    }
    void take_slice(const slice& s) {
        if (s.step == 0) detail::raise<value_error>({"[slice] the step must not be zero"});
        const index_t n = from_[in_];
        const index_t low = s.step > 0 ? 0 : -1, high = s.step > 0 ? n : n - 1;
        auto clip = [&](index_t p, index_t otherwise) {
            if (p == slice::open) return otherwise;
            if (p < 0) p += n;
            return p < low ? low : p > high ? high : p;
        };
        const index_t start = clip(s.start, s.step > 0 ? low : high), stop = clip(s.stop, s.step > 0 ? high : low);
        const index_t gap = s.step > 0 ? stop - start : start - stop;
        const index_t steps = gap > 0 ? (gap - 1) / s.step : 0;  // of the step's sign
        const index_t count = gap > 0 ? (steps < 0 ? -steps : steps) + 1 : 0;
        axis(start, count, count > 1 ? s.step : 1);  // a huge step that is never taken must not overflow strides
    }

    shape<In> from_;
    view_spec<In, Out> spec_;
    int in_ = 0, out_ = 0;
};

}  // namespace detail

/// `x(i, ...)`: integers drop their axis, slices keep it, missing indices mean whole axes. A view; a lazy map is evaluated
/// first. Throws index_error for an integer outside of its axis.
template <expression E, class... I>
    requires(!detail::is_index_array<I> && ...)
auto index(const E& x, const I&... i) {
    constexpr int used = (0 + ... + detail::axes_used<I>);
    static_assert((detail::is_basic_index<I> && ...),
                  "ricci: index with integers, ricci::slice, ricci::all, ricci::ellipsis, ricci::newaxis and arrays of integers "
                  "or truth values");
    static_assert((0 + ... + int(std::is_same_v<I, ellipsis_t>)) <= 1, "ricci: at most one ellipsis in an index");
    static_assert(used <= E::rank, "ricci: more indices than the array has axes");
    constexpr int out = E::rank - used + (0 + ... + (std::is_same_v<I, ellipsis_t> ? 0 : detail::axes_given<I>));
    const auto a = evaluate(x);
    return detail::view_of(a, detail::index_builder<E::rank, out>(a.shape()).build(i...));
}

}  // namespace ricci
// ---- ricci/grad/callback.hpp
// Functions that no transform looks into: pure_callback.
// ---- ricci/expr/structure.hpp
// Arguments and results that are tuples and structs of arrays: taken apart into their arrays, and put together with others.
#include <tuple>

// ---- ricci/expr/lift.hpp
// Bringing a transform's arguments to a common set of wrappers, the captured ones included, before it adds its own.

namespace ricci {

/// Arguments or results of a transformed function, several at a time: rc::tuple(x, y).
template <class... T>
std::tuple<std::decay_t<T>...> tuple(T&&... values) {
    return {std::forward<T>(values)...};
}

namespace detail {

// A chain is the list of wrappers around arrays, the outermost first.

template <class Chain, class A>
struct wrap_chain;
template <class A>
struct wrap_chain<type_list<>, A> {
    using type = A;
};
template <class W, class... Rest, class A>
struct wrap_chain<type_list<W, Rest...>, A> {
    using type = typename W::template wrapped<typename wrap_chain<type_list<Rest...>, A>::type>;
};
/// An array type that bears a chain, to ask ordering questions about.
template <class Chain>
using phantom = typename wrap_chain<Chain, tensor<float, 8>>::type;

template <class W, class A>
struct peeled {
    using type = A;
};
template <class W, class A>
    requires(std::is_same_v<typename A::wrapper, W>)
struct peeled<W, A> {
    using type = typename A::inner_type;
};

template <class... A>
struct chain_of {
    using W = outermost_t<A...>;
    static constexpr auto make() {
        if constexpr (std::is_void_v<W>) return type_list<>{};
        else return []<class... Rest>(type_list<Rest...>) { return type_list<W, Rest...>{}; }
        (typename chain_of<typename peeled<W, A>::type...>::type{});
    }
    using type = decltype(make());
};
template <>
struct chain_of<> {
    using type = type_list<>;
};
/// All wrappers of some arrays, each once, in the order in which they would be peeled.
template <class... A>
using chain_of_t = typename chain_of<A...>::type;

constexpr type_list<> join_all() { return {}; }
template <class... A>
constexpr type_list<A...> join_all(type_list<A...>) {
    return {};
}
template <class... A, class... B, class... Rest>
constexpr auto join_all(type_list<A...>, type_list<B...>, Rest... rest) {
    return join_all(type_list<A..., B...>{}, rest...);
}
template <class W, class... V>
constexpr auto without(type_list<V...>) {
    return join_all(std::conditional_t<std::is_same_v<V, W>, type_list<>, type_list<V>>{}...);
}

/// The wrappers in the results of a function, W aside.
template <class W, class R>
struct result_chain {
    static constexpr auto make() {
        if constexpr (expression<R>) return without<W>(chain_of_t<decltype(evaluate(std::declval<const R&>()))>{});
        else return type_list<>{};
    }
    using type = decltype(make());
};
template <class W, class... R>
struct result_chain<W, std::tuple<R...>> {
    using type = chain_of_t<phantom<typename result_chain<W, R>::type>...>;
};

/// `a` with every wrapper of the chain, as a constant of those that it lacks.
template <class... W, class A>
auto lift(type_list<W...>, const A& a) {
    if constexpr (sizeof...(W) == 0) return a;
    else return lift_one(type_list<W...>{}, a);
}
template <class W, class... Rest, class A>
auto lift_one(type_list<W, Rest...>, const A& a) {
    if constexpr (std::is_same_v<typename A::wrapper, W>) return a.with_inner([](const auto& x) { return lift(type_list<Rest...>{}, x); });
    else return W::constant(lift(type_list<Rest...>{}, a));
}

/// What a transform makes of a caller's argument: numbers become arrays of rank 0, maps are evaluated.
template <class A>
auto as_array(const A& a) {
    if constexpr (expression<A>) return evaluate(a);
    else if constexpr (std::is_integral_v<A>) return tensor<double, 0>(static_cast<double>(a));
    else return tensor<A, 0>(a);
}

/// The wrappers that a transform W of f must lift its arguments to: those of the arguments, and those of values that f
/// captured from outer transforms, which its result shows. `Enter` gives the type of an argument inside.
template <class W, class F, class Enter, class... A>
struct entry_chain {
    using arguments = chain_of_t<A...>;
    template <class Chain, class... L>
    static auto call(type_list<L...>)
        -> std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<const L&>()...))>;
    template <class Chain>
    using result = decltype(call<Chain>(typename Enter::template types<Chain>{}));
    template <class Chain>
    using extended =
        chain_of_t<phantom<Chain>, phantom<typename result_chain<W, result<Chain>>::type>>;
    using type = extended<arguments>;
};

/// Arguments at the inside of a transform W: those whose bit is set in Wrapped bear W, all bear the chain.
template <class W, unsigned Wrapped, class... A>
struct entered {
    template <class Chain>
    struct at {
        template <int I>
        static auto one() {
            using lifted = decltype(lift(Chain{}, std::declval<const pack_element_t<I, pack<A...>>&>()));
            if constexpr ((Wrapped >> I) & 1) return std::type_identity<typename W::template wrapped<lifted>>{};
            else return std::type_identity<lifted>{};
        }
        template <int... I>
        static auto list(std::integer_sequence<int, I...>) {
            return type_list<typename decltype(one<I>())::type...>{};
        }
        using type = decltype(list(std::make_integer_sequence<int, sizeof...(A)>{}));
    };
    template <class Chain>
    using types = typename at<Chain>::type;
};

/// An array of type A with all elements equal, at whatever level its wrappers turn out to be.
template <class A>
auto constant_array(const shape<A::rank>& extents, typename A::value_type value) {
    if constexpr (std::is_void_v<typename A::wrapper>) {
        using D = typename A::device_type;
        auto x = tensor<typename A::value_type, A::rank, D>::uninitialized(extents);
        executor<D>::fill(x, value);
        return x;
    } else {
        return A::wrapper::template constant_of<A>(extents, value);
    }
}

}  // namespace detail
}  // namespace ricci

namespace ricci::detail {

/// A class template whose parameters are the types of its members, in order, with a function `members` that ties them:
///
///     template <class W, class B>
///     struct layer {
///         W weight;
///         B bias;
///         friend auto members(const layer& l) { return std::tie(l.weight, l.bias); }
///     };
template <class S>
concept has_members = requires(const S& s) { members(s); };

/// How the arrays in an argument are found, and how it is built again around others: `at<Offset>(arrays)`.
template <class S>
struct structure {
    static_assert(operand<S>,
                  "ricci: an argument or a result of a transform is an array, a number, a tuple of them, or a "
                  "struct that lists its members");
    static constexpr int count = 1, parts = 1;
    static auto arrays(const S& x) { return make_pack(as_array(x)); }
    template <class F>
    static auto map(const S& x, const F& f) {
        return f(x);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return get<Offset>(arrays);
    }
};

/// The members of a structure, of types M, which build S.
template <class... M>
struct member_list {
    static constexpr int count = (0 + ... + structure<M>::count);
    template <class Tuple>
    static auto arrays(const Tuple& all) {
        return std::apply(
            [](const auto&... m) { return concat_all(structure<std::remove_cvref_t<decltype(m)>>::arrays(m)...); },
            all);
    }
    template <int Offset, class Pack, class Build>
    static auto build(const Pack& arrays, const Build& to) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return to(structure<M>::template at<Offset + before(I)>(arrays)...);
        }(std::make_integer_sequence<int, sizeof...(M)>{});
    }
    template <class Tuple, class F, class Build>
    static auto map(const Tuple& all, const F& f, const Build& to) {
        return std::apply(
            [&](const auto&... m) { return to(structure<std::remove_cvref_t<decltype(m)>>::map(m, f)...); }, all);
    }
    static constexpr int before(int i) {
        const int counts[] = {structure<M>::count..., 0};
        int n = 0;
        for (int k = 0; k < i; ++k) n += counts[k];
        return n;
    }
};

template <class... M>
struct structure<std::tuple<M...>> {
    using list = member_list<M...>;
    static constexpr int count = list::count, parts = sizeof...(M);
    static constexpr int before(int i) { return list::before(i); }
    static auto arrays(const std::tuple<M...>& x) { return list::arrays(x); }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return list::template build<Offset>(arrays, [](const auto&... m) { return std::make_tuple(m...); });
    }
    template <class F>
    static auto map(const std::tuple<M...>& x, const F& f) {
        return list::map(x, f, [](const auto&... m) { return std::make_tuple(m...); });
    }
};

template <class M, std::size_t N>
struct structure<std::array<M, N>> {
    static constexpr int count = int(N) * structure<M>::count, parts = int(N);
    static constexpr int before(int i) { return i * structure<M>::count; }
    static auto arrays(const std::array<M, N>& x) {
        return std::apply([](const auto&... m) { return concat_all(structure<M>::arrays(m)...); }, x);
    }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::array{structure<M>::template at<Offset + I * structure<M>::count>(arrays)...};
        }(std::make_integer_sequence<int, int(N)>{});
    }
    template <class F>
    static auto map(const std::array<M, N>& x, const F& f) {
        return std::apply([&](const auto&... m) { return std::array{structure<M>::map(m, f)...}; }, x);
    }
};

template <template <class...> class S, class... M>
    requires(has_members<S<M...>>)
struct structure<S<M...>> {
    using list = member_list<M...>;
    static constexpr int count = list::count, parts = sizeof...(M);
    static constexpr int before(int i) { return list::before(i); }
    static auto arrays(const S<M...>& x) { return list::arrays(members(x)); }
    template <int Offset, class Pack>
    static auto at(const Pack& arrays) {
        return list::template build<Offset>(
            arrays, [](const auto&... m) { return S<std::remove_cvref_t<decltype(m)>...>{m...}; });
    }
    template <class F>
    static auto map(const S<M...>& x, const F& f) {
        return list::map(members(x), f, [](const auto&... m) { return S<std::remove_cvref_t<decltype(m)>...>{m...}; });
    }
};

/// The same structure with f(array) in place of each array.
template <class S, class F>
auto map_arrays(const S& x, const F& f) {
    return structure<S>::map(x, f);
}
/// A function's result with everything in it evaluated.
template <class R>
auto evaluate_result(const R& r) {
    return map_arrays(r, [](const auto& part) {
        if constexpr (expression<decltype(part)>) return evaluate(part);
        else return tensor<std::remove_cvref_t<decltype(part)>, 0>(part);
    });
}
/// A result without the wrapper W.
template <class W, class R>
auto peel_result(const R& r) {
    return map_arrays(r, [](const auto& part) { return peel<W>(part); });
}

/// The wrappers in results that are structures (see entry_chain).
template <class W, template <class...> class S, class... M>
    requires(has_members<S<M...>>)
struct result_chain<W, S<M...>> : result_chain<W, std::tuple<M...>> {};
template <class W, class M, std::size_t N>
struct result_chain<W, std::array<M, N>> : result_chain<W, M> {};

/// All arguments as they are: nothing to take apart.
template <class... A>
inline constexpr bool all_operands_v = (operand<A> && ...);

/// f of structures as a function of their arrays.
template <class F, class... S>
struct flat_function {
    F f;
    template <class... A>
    auto operator()(const A&... arrays) const {
        const auto all = make_pack(arrays...);
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return f(structure<S>::template at<member_list<S...>::before(I)>(all)...);
        }(std::make_integer_sequence<int, sizeof...(S)>{});
    }
};

/// f(arrays...) of the arrays in structures.
template <class F, class... S>
auto with_arrays(const F& f, const S&... args) {
    return unpack(f, concat_all(structure<S>::arrays(args)...));
}
/// One array, or the tuple of several.
template <class... B>
auto one_or_tuple(const pack<B...>& b) {
    if constexpr (sizeof...(B) == 1) return get<0>(b);
    else return unpack([](const auto&... x) { return std::make_tuple(x...); }, b);
}
/// One array or the tuple of several, as a pack.
template <class R>
auto pack_of(const R& r) {
    if constexpr (operand<R>) return make_pack(r);
    else return std::apply([](const auto&... x) { return make_pack(x...); }, r);
}

}  // namespace ricci::detail

namespace ricci {
namespace detail {

struct callback_name {
    static constexpr const char* name = "pure_callback";
};

/// A function that is called with plain arrays, whatever transforms are around it.
template <class F, class Name>
struct callback_op : opaque_op {
    static constexpr const char* name = Name::name;
    F f;

    template <class... A>
    auto value(const A&... a) const {
        const auto y = evaluate_result(f(a...));
        static_assert(array<std::remove_cvref_t<decltype(y)>>, "ricci: a callback gives one array or number");
        static_assert(std::is_void_v<typename std::remove_cvref_t<decltype(y)>::wrapper>,
                      "ricci: a callback must not capture values under a transform: pass them as arguments");
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>&) const {
        refuse();
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                using X = std::remove_cvref_t<decltype(*get<i()>(inputs))>;
                if constexpr (Active::at[i()]) return make_pack(constant_array<X>(get<i()>(inputs)->shape(), 0));
                else return pack<>{};
            },
            [](const auto&... bars) { return concat_all(bars...); });
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>&) const {
        refuse();
        const auto y = unpack([&](const auto*... a) { return call1(*this, *a...); }, inputs);
        return make_pack(y, y);
    }

   private:
    // at run time: what records a callback inside a custom rule for create_graph seldom pulls back through it
    RICCI_NOINLINE static void refuse() {
        raise<gradient_error>({"[", name, "] a callback has no derivative: give it one by custom_vjp or custom_jvp"});
    }
};
template <class F, class Name>
struct callback_function {
    F f;
    template <class... A>
    auto operator()(const A&... a) const {
        return call1(callback_op<F, Name>{{}, f}, as_array(a)...);
    }
};

}  // namespace detail

/// f as a function that transforms do not look into: it is called with plain tensors, and may read their elements, branch on
/// them, or call other libraries. It must be pure: no effects, the same result for the same arguments. Under vmap it is
/// called once for each member of the batch, and results must agree in shape (set_vmap_fallback says what is said about
/// that); its derivative is a gradient_error unless custom_vjp or custom_jvp give one. Gives one array or number.
/// (jax.pure_callback.)
template <class F>
auto pure_callback(F f) {
    return detail::callback_function<F, detail::callback_name>{f};
}

}  // namespace ricci
// ---- ricci/grad/custom.hpp
// Functions with derivative rules of their own: custom_vjp, custom_jvp, checkpoint; and stop_gradient.
// ---- ricci/vmap/vmap.hpp
// vmap: a function mapped over an axis of its arguments, all members at once.
// ---- ricci/vmap/batched.hpp
// The wrapper of vmap: an array whose axis 0 is hidden from the function that vmap maps.
// ---- ricci/ops/shape.hpp
// Functions that move elements to another shape: permute, reshape, expand and their relatives. Views where strides allow.

namespace ricci {

/// The axes of `x` in another order: axis d of the result is axis `axes[d]` of x. A view. Throws index_error when the axes
/// are no permutation.
template <expression E, int R>
auto permute(const E& x, const int (&axes)[R]) {
    static_assert(R == E::rank, "ricci: permute needs one axis number for each axis");
    const auto a = evaluate(x);
    auto spec = detail::identity_view(a.shape());
    bool seen[R] = {};
    for (int d = 0; d < R; ++d) {
        const int s = detail::normalize_axis(axes[d], R, "permute");
        if (seen[s]) detail::raise<index_error>({"[permute] axis ", s, " is named twice"});
        seen[s] = true;
        spec.source[d] = s;
        spec.extents[d] = a.shape()[s];
    }
    return detail::view_of(a, spec);
}

/// The last two axes exchanged. A view.
template <expression E>
auto matrix_transpose(const E& x) {
    static_assert(E::rank >= 2, "ricci: matrix_transpose needs an array of rank 2 or more");
    const auto a = evaluate(x);
    auto spec = detail::identity_view(a.shape());
    constexpr int i = E::rank - 2, j = E::rank - 1;
    std::swap(spec.source[i], spec.source[j]);
    std::swap(spec.extents[i], spec.extents[j]);
    return detail::view_of(a, spec);
}

/// The same elements in row-major order under another shape; one extent may be -1 and is then inferred. A view where strides
/// allow, else a copy. Throws shape_error when the numbers of elements differ.
template <expression E, int R>
auto reshape(const E& x, const shape<R>& extents) {
    const auto a = evaluate(x);
    const index_t n = a.shape().count();
    shape<R> to = extents;
    int open = -1;
    for (int d = 0; d < R; ++d) {
        if (to[d] >= 0) continue;
        if (to[d] != -1 || open >= 0)
            detail::raise<value_error>({"[reshape] one extent may be -1, no more: ", extents});
        open = d;
        to[d] = 1;
    }
    detail::check_extents(to, 1, "reshape");
    const index_t known = to.count();
    if (open >= 0) to[open] = known > 0 ? n / known : 0;
    if (to.count() != n || (open >= 0 && known == 0))
        detail::raise<shape_error>(
            {"[reshape] an array of shape ", a.shape(), " has ", n, " elements and does not fit shape ", extents});
    return detail::reshaped(a, to);
}
template <expression E, int R>
auto reshape(const E& x, const extent (&extents)[R]) {
    return reshape(x, detail::to_shape(extents));
}

/// `x` broadcast to a shape that its own broadcasts to. A view whose repeated axes have stride 0.
template <expression E, int R>
auto expand(const E& x, const shape<R>& extents) {
    static_assert(R >= E::rank, "ricci: expand cannot drop axes");
    const auto a = evaluate(x);
    detail::view_spec<E::rank, R> spec;
    for (int d = 0; d < R; ++d) {
        const int s = d - (R - E::rank);
        const index_t have = s < 0 ? 1 : a.shape()[s];
        spec.extents[d] = extents[d] == -1 && s >= 0 ? have : extents[d];
        spec.source[d] = s >= 0 && have == spec.extents[d] ? s : -1;
        spec.step[d] = 1;
        if (spec.extents[d] < 0 || (have != spec.extents[d] && have != 1))
            detail::raise<shape_error>({"[expand] shape ", a.shape(), " does not broadcast to ", extents});
    }
    detail::check_extents(spec.extents, 1, "expand");
    return detail::view_of(a, spec);
}
template <expression E, int R>
auto expand(const E& x, const extent (&extents)[R]) {
    return expand(x, detail::to_shape(extents));
}

namespace detail {

/// Axis `from` at position `to`, the others in their order. A view.
template <class A>
auto move_axis(const A& a, int from, int to) {
    auto spec = identity_view(a.shape());
    int s = 0;
    for (int d = 0; d < A::rank; ++d) {
        if (s == from) ++s;
        spec.source[d] = d == to ? from : s++;
        spec.extents[d] = a.shape()[spec.source[d]];
    }
    return view_of(a, spec);
}

/// One new axis of extent 1 at the front. A view.
template <class A>
auto unsqueeze_front(const A& a) {
    return reshaped(a, prefixed(1, a.shape()));
}

/// `a` summed over the axes along which `to` was broadcast to its shape: the transpose of broadcasting.
template <int Q, class A>
auto sum_to(const A& a, const shape<Q>& to) {
    using T = typename A::value_type;
    const auto summed = [&] {
        return call1(forward_op<A::rank, true, Q, type_list<T>>(slot<0, T>{}, pad_front<A::rank>(to), to), a);
    };
    if constexpr (std::is_same_v<decltype(summed()), A>)
        if (a.shape() == to) return a;
    return summed();
}

}  // namespace detail
}  // namespace ricci
// ---- ricci/vmap/fallback.hpp
// The loop over a batch that stands in for an op's batching rule, and what is said about it.

// ---- ricci/ops/join.hpp
// Joining arrays: concat along an axis that they have, stack along a new one. One linear op of a list of arrays.

// ---- ricci/ops/contract.hpp
// Contractions: matmul.
// ---- ricci/ops/reduce.hpp
// Reductions over no, one or several axes. A lazy map is fused into the reduction that consumes it.
// ---- ricci/ops/elementwise.hpp
// Every element-wise op.
// ---- ricci/ops/elementwise/abs.hpp
// The absolute value, and its square.
// ---- ricci/ops/elementwise/complex.hpp
// Complex numbers from their parts.
// ---- ricci/ops/elementwise/negative.hpp
// The negative of each element, and unary minus.
// ---- ricci/ops/declarations.hpp
// What op files share: the engine, scalar mathematics, and the functions that one op's derivative may name before another
// op's file defines them.

namespace ricci {

template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sin(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cos(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sqrt(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto conj(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto real(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto imag(E&& x);
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto complex(A&& re, B&& im);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cosh(E&& x);
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto polygamma(int n, E&& x);
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto pow(A&& a, B&& b);
template <operand M, operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto where(M&& mask, A&& a, B&& b);

}  // namespace ricci

namespace ricci {
namespace ops {
struct negative : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& x) {
        return static_cast<S>(-math::wrap(x));
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::each_coefficient(x, [](const auto& c) { return -c; });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return -y_bar;
    }
};
}  // namespace ops

/// Minus each element, in its own type.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto negative(E&& x) {
    return map<ops::negative>(std::forward<E>(x));
}

template <class E>
    requires(operator_operands<E>)
RICCI_HD RICCI_INLINE constexpr auto operator-(E&& x) {
    return negative(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace detail {

/// The lanes of both parts: the rules write complex(y_bar, 0).
template <class A, class B>
struct part_of {
    using type = std::conditional_t<std::is_arithmetic_v<A>, B, A>;
};
template <class A, class B>
    requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
struct part_of<A, B> {
    using type = inexact_t<std::common_type_t<A, B>>;
};

}  // namespace detail
namespace ops {
struct complex {
    static constexpr bool differentiable = true;
    template <class... K>
    struct part {
        using type = inexact_t<common_t<K...>>;
        static_assert(!is_complex_v<type>,
                      "ricci: the parts of a complex number are real: take real() and imag() first");
    };
    template <int, class... K>
    using argument = typename part<K...>::type;
    template <class... K>
    using result = std::complex<typename part<K...>::type>;

    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& re, const B& im) {
        using S = typename detail::part_of<A, B>::type;
        return typename detail::complex_of<S>::type(S(re), S(im));
    }
    template <class D, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const A&, const B&, const R&) {
        return adjoints(ricci::complex(x_dot, 0), ricci::complex(0, x_dot));
    }
    /// Re(y_bar (a_dot + i b_dot)) = Re(y_bar) a_dot - Im(y_bar) b_dot
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(ricci::real(y_bar), -ricci::imag(y_bar));
    }
};
}  // namespace ops

/// re + i im element by element, broadcast; the parts are real, of their common type, integers promoted to double.
/// (torch.complex.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto complex(A&& re, B&& im) {
    return map<ops::complex>(std::forward<A>(re), std::forward<B>(im));
}

/// The complex numbers of the given absolute values and angles: r cos(angle) + i r sin(angle). (torch.polar.)
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto polar(const A& r, const B& angle) {
    return ricci::complex(r * ricci::cos(angle), r * ricci::sin(angle));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/conj.hpp
// The complex conjugate.

namespace ricci {
namespace ops {
struct conj : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return S(x.real(), -x.imag());
        else return x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return ricci::conj(y_bar);
    }
};
}  // namespace ops

/// The complex conjugate of each element, in its own type; real elements as they are.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto conj(E&& x) {
    return map<ops::conj>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/imag.hpp
// The imaginary part.

namespace ricci {
namespace ops {
struct imag : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.imag();
        else return S(0);
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S&, const R&) {
        return ricci::imag(x_dot);
    }
    /// Re(-i y_bar x_dot) = y_bar Im(x_dot)
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback([[maybe_unused]] const Y& y_bar, const S&, const R&) {
        if constexpr (is_complex_scalar_v<S>) return ricci::complex(0, -y_bar);
        else return Y(0);
    }
};
}  // namespace ops

/// The imaginary part of each element, of the real type; of real elements 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto imag(E&& x) {
    return map<ops::imag>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/real.hpp
// The real part.

namespace ricci {
namespace ops {
struct real : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.real();
        else return x;
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S&, const R&) {
        return ricci::real(x_dot);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        if constexpr (is_complex_scalar_v<S>) return ricci::complex(y_bar, 0);
        else return y_bar;
    }
};
}  // namespace ops

/// The real part of each element, of the real type; real elements as they are.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto real(E&& x) {
    return map<ops::real>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/where.hpp
// Selection by a mask.
// ---- ricci/ops/elementwise/comparison.hpp
// The six comparisons: bool results, no derivative.

namespace ricci {
namespace ops {
struct equal : comparison {
    static constexpr bool takes_masks = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a == b;
    }
};
struct not_equal : comparison {
    static constexpr bool takes_masks = true;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a != b;
    }
};
struct less : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a < b;
    }
};
struct less_equal : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a <= b;
    }
};
struct greater : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a > b;
    }
};
struct greater_equal : comparison {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a >= b;
    }
};
}  // namespace ops

/// a == b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto equal(A&& a, B&& b) {
    return map<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator==(A&& a, B&& b) {
    return map<ops::equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a != b element by element, broadcast, in the common type. NaN is unequal to everything.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto not_equal(A&& a, B&& b) {
    return map<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator!=(A&& a, B&& b) {
    return map<ops::not_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a < b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less(A&& a, B&& b) {
    return map<ops::less>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<(A&& a, B&& b) {
    return map<ops::less>(std::forward<A>(a), std::forward<B>(b));
}

/// a <= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto less_equal(A&& a, B&& b) {
    return map<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<=(A&& a, B&& b) {
    return map<ops::less_equal>(std::forward<A>(a), std::forward<B>(b));
}

/// a > b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater(A&& a, B&& b) {
    return map<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>(A&& a, B&& b) {
    return map<ops::greater>(std::forward<A>(a), std::forward<B>(b));
}

/// a >= b element by element, broadcast, in the common type. Comparisons with NaN are false.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto greater_equal(A&& a, B&& b) {
    return map<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>=(A&& a, B&& b) {
    return map<ops::greater_equal>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/logical.hpp
// Logic on truth values: any element type is taken as `!= 0`.

namespace ricci {
namespace ops {
struct logical_and : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a & b;
    }
};
struct logical_or : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a | b;
    }
};
struct logical_xor : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return a ^ b;
    }
};
struct logical_not : logical {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a) {
        return !a;
    }
};
}  // namespace ops

/// a and b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_and(A&& a, B&& b) {
    return map<ops::logical_and>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator&&(A&& a, B&& b) {
    return map<ops::logical_and>(std::forward<A>(a), std::forward<B>(b));
}

/// a or b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_or(A&& a, B&& b) {
    return map<ops::logical_or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator||(A&& a, B&& b) {
    return map<ops::logical_or>(std::forward<A>(a), std::forward<B>(b));
}

/// a xor b element by element, broadcast.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logical_xor(A&& a, B&& b) {
    return map<ops::logical_xor>(std::forward<A>(a), std::forward<B>(b));
}

/// not a element by element.
template <operand A>
RICCI_HD RICCI_INLINE constexpr auto logical_not(A&& a) {
    return map<ops::logical_not>(std::forward<A>(a));
}
template <class A>
    requires(operands<A>)
RICCI_HD RICCI_INLINE constexpr auto operator!(A&& a) {
    return map<ops::logical_not>(std::forward<A>(a));
}
}  // namespace ricci

namespace ricci {
namespace detail {

/// mask ? a : b on any scalar, lane by lane and component by component.
template <class M, class A, class B>
RICCI_HD RICCI_INLINE constexpr auto select_lane(const M& mask, const A& a, const B& b) {
    if constexpr (is_nested_v<A> || is_nested_v<B>) {
        using S = std::conditional_t<(depth_v<A> > depth_v<B>) || (depth_v<A> == depth_v<B> &&
                                                                   (is_complex_scalar_v<A> || !is_complex_scalar_v<B>)),
                                     A, B>;
        const S x(rebased<S>(a)), y(rebased<S>(b));
        if constexpr (is_dual_v<S>) {
            return S(select_lane(mask, x.value, y.value), select_lane(mask, x.tangent, y.tangent));
        } else {
            S z;
            for (int k = 0; k <= S::order; ++k) z[k] = select_lane(mask, x[k], y[k]);
            return z;
        }
    } else if constexpr (is_eager_v<M> || is_eager_v<A> || is_eager_v<B>) {
        return ricci::where(mask, a, b);
    } else if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        using S = std::common_type_t<A, B>;
        return math::select(mask, static_cast<S>(a), static_cast<S>(b));
    } else if constexpr (std::is_arithmetic_v<A>) {
        return math::select(mask, B(a), b);
    } else if constexpr (std::is_arithmetic_v<B>) {
        return math::select(mask, a, static_cast<A>(b));
    } else {
        return math::select(mask, a, b);
    }
}

}  // namespace detail
namespace ops {
struct where {
    static constexpr bool differentiable = true;
    static constexpr bool takes_masks = true;
    template <int I, class C, class... K>
    using argument = std::conditional_t<I == 0, bool, common_t<K...>>;
    template <class C, class... K>
    using result = common_t<K...>;

    template <class M, class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const M& mask, const A& a, const B& b) {
        return detail::select_lane(mask, a, b);
    }
    template <class M, class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const M& mask, const A& a, const B& b) {
        return detail::select_lane(mask, a, b);
    }
    template <class Y, class M, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const M& mask, const A&, const B&, const R&) {
        return adjoints(detail::nothing{}, detail::select_lane(mask, y_bar, 0), detail::select_lane(mask, Y(0), y_bar));
    }
    /// Where argument I is the one selected.
    template <class M, int I>
    RICCI_HD RICCI_INLINE static constexpr auto chosen(const M& mask, std::integral_constant<int, I>) {
        if constexpr (I == 1) return mask;
        else return !mask;
    }
};
}  // namespace ops

/// `a` where the mask holds, else `b`; all three broadcast. The branch that is not selected adds nothing to any derivative,
/// also where it is infinite or NaN.
template <operand M, operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto where(M&& mask, A&& a, B&& b) {
    return map<ops::where>(std::forward<M>(mask), std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct abs : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::abs(x);
    }
    /// The part of x_dot along x.
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R& y) {
        return ricci::where(y == 0, 0, ricci::real(x_dot * (ricci::conj(x) / y)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        if constexpr (is_complex_scalar_v<S>) return ricci::where(y == 0, 0, y_bar * (ricci::conj(x) / y));
        else return ricci::where(x > 0, y_bar, ricci::where(x < 0, -y_bar, 0));
    }
};

/// |x|^2, smooth at 0 too.
struct squared_abs : arithmetic {
    template <class... K>
    using result = real_t<common_t<K...>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return x.real() * x.real() + x.imag() * x.imag();
        else return math::wrap(x) * math::wrap(x);
    }
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R&) {
        return ricci::real(x_dot * (2 * ricci::conj(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (2 * ricci::conj(x));
    }
};
}  // namespace ops

/// Absolute value of each element, in its own type; of complex elements the modulus, real. abs(-0) = 0.
/// Derivative the sign of x, of complex elements x / |x|; 0 at 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto abs(E&& x) {
    return map<ops::abs>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/acos.hpp
// The arc cosine.

namespace ricci {
namespace ops {
struct acos : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::acos(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return -y_bar / ricci::sqrt((1 - x) * (1 + x));
    }
};
}  // namespace ops

/// Arc cosine of each element, in radians from 0 to pi; integers promoted to double. acos(1) = 0, acos(|x| > 1) = NaN.
/// At most 2 ulp. Derivative -1 / sqrt(1 - x^2), -inf at +-1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto acos(E&& x) {
    return map<ops::acos>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/acosh.hpp
// The inverse hyperbolic cosine.

namespace ricci {
namespace ops {
struct acosh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::acosh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / ricci::sqrt((x - 1) * (x + 1));
    }
};
}  // namespace ops

/// Inverse hyperbolic cosine of each element; integers promoted to double. acosh(1) = 0, acosh(x < 1) = NaN, acosh(inf)
/// = inf. At most 2 ulp. Derivative 1 / sqrt(x^2 - 1), inf at 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto acosh(E&& x) {
    return map<ops::acosh>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/add.hpp
// Addition.

namespace ricci {
namespace ops {
struct add : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap(a) + math::wrap(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        using T = detail::first_series_t<A, B>;
        const T x(a), y(b);
        T z;
        for (int k = 0; k <= T::order; ++k) z[k] = x[k] + y[k];
        return z;
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(y_bar, y_bar);
    }
};
}  // namespace ops

/// a + b element by element, broadcast, in the common type; of two bool arrays, logical or.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto add(A&& a, B&& b) {
    return map<ops::add>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator+(A&& a, B&& b) {
    return map<ops::add>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/angle.hpp
// The angle of a complex number.

namespace ricci {
namespace ops {
struct angle : floating {
    static constexpr int cost = 24;
    template <class... K>
    using result = real_t<inexact_t<common_t<K...>>>;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) return math::atan2(x.imag(), x.real());
        else
            return detail::select_lane(
                x != x, x, detail::select_lane(math::copysign(S(1), x) < S(0), S(3.14159265358979323846), S(0)));
    }
    /// The change of log(x) has the angle's as imaginary part.
    template <class D, class S, class R>
        requires(is_complex_scalar_v<S>)
    RICCI_HD RICCI_INLINE static constexpr auto pushforward(const D& x_dot, const S& x, const R&) {
        return ricci::where(x == 0, 0, ricci::imag(x_dot / x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback([[maybe_unused]] const Y& y_bar, [[maybe_unused]] const S& x,
                                                         const R&) {
        if constexpr (is_complex_scalar_v<S>) return ricci::where(x == 0, 0, ricci::complex(0, -y_bar) / x);
        else return Y(0);
    }
};
}  // namespace ops

/// The angle of each element in the complex plane, in radians from -pi to pi: atan2 of its imaginary part and its real one.
/// Real elements have 0 or, below zero, -0 included, pi; integers promoted to double. Derivative 0 at 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto angle(E&& x) {
    return map<ops::angle>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/asin.hpp
// The arc sine.

namespace ricci {
namespace ops {
struct asin : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::asin(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / ricci::sqrt((1 - x) * (1 + x));
    }
};
}  // namespace ops

/// Arc sine of each element, in radians from -pi/2 to pi/2; integers promoted to double. asin(+-0) = +-0, asin(|x| > 1)
/// = NaN. At most 2 ulp. Derivative 1 / sqrt(1 - x^2), inf at +-1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto asin(E&& x) {
    return map<ops::asin>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/asinh.hpp
// The inverse hyperbolic sine.

namespace ricci {
namespace ops {
struct asinh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::asinh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / ricci::sqrt(x * x + 1);
    }
};
}  // namespace ops

/// Inverse hyperbolic sine of each element; integers promoted to double. asinh(+-0) = +-0, asinh(+-inf) = +-inf. At
/// most 2 ulp. Derivative 1 / sqrt(x^2 + 1).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto asinh(E&& x) {
    return map<ops::asinh>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/astype.hpp
// Conversion of the element type.

namespace ricci {
namespace ops {
/// The conversion itself stands in the tree, where an argument's type differs from the one that its op computes in.
template <class T>
struct astype {
    static constexpr bool differentiable = true;
    static constexpr bool takes_masks = true;
    static constexpr int cost = 1;
    template <int, class...>
    using argument = T;
    template <class...>
    using result = T;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr S value(const S& x) {
        return x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar;
    }
};
}  // namespace ops

/// The elements converted to T; complex to real takes the real part, floats to integers truncate, anything to bool is `!= 0`.
/// Differentiable between floating and complex types.
template <element T, expression E>
RICCI_INLINE auto astype(E&& x) {
    return map<ops::astype<T>>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/atan.hpp
// The arc tangent.

namespace ricci {
namespace ops {
struct atan : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::atan(x);
    }
    /// y' = x' / (1 + x^2)
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        const auto low = detail::truncated(x);
        return detail::integral<T::order>(detail::evaluate_op(atan{}, x[0]),
                                          detail::derivative_of(x) / (1 + low * low));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (1 + x * x);
    }
};
}  // namespace ops

/// Arc tangent of each element, in radians from -pi/2 to pi/2; integers promoted to double. atan(+-0) = +-0,
/// atan(+-inf) = +-pi/2. At most 2 ulp. Derivative 1 / (1 + x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto atan(E&& x) {
    return map<ops::atan>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/atan2.hpp
// The angle of a point.

namespace ricci {
namespace ops {
struct atan2 : floating {
    static constexpr int cost = 30;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& y, const B& x) {
        return math::atan2(y, x);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& y, const B& x, const R&) {
        const auto square = x * x + y * y;
        return adjoints(y_bar * (x / square), y_bar * (-y / square));
    }
};
}  // namespace ops

/// The angle of the point (x, y), from -pi to pi, broadcast; integers promoted to double. Zeros and infinities of
/// either sign as C99 has them: atan2(+-0, x) is +-0 for x > 0 or +0 and +-pi for x < 0 or -0, atan2(+-inf, inf) =
/// +-pi/4. At most 2 ulp. Derivatives x / (x^2 + y^2) and -y / (x^2 + y^2).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto atan2(A&& y, B&& x) {
    return map<ops::atan2>(std::forward<A>(y), std::forward<B>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/atanh.hpp
// The inverse hyperbolic tangent.

namespace ricci {
namespace ops {
struct atanh : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::atanh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / ((1 - x) * (1 + x));
    }
};
}  // namespace ops

/// Inverse hyperbolic tangent of each element; integers promoted to double. atanh(+-0) = +-0, atanh(+-1) = +-inf,
/// atanh(|x| > 1) = NaN. At most 2 ulp. Derivative 1 / (1 - x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto atanh(E&& x) {
    return map<ops::atanh>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_and.hpp
// The bits that both have.
// ---- ricci/ops/elementwise/integers.hpp
// What the bitwise ops share: integers and truth values, no derivative.

namespace ricci {
namespace ops {
struct integers {
    static constexpr bool differentiable = false;
    static constexpr bool takes_masks = true;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    struct common {
        using type = common_t<K...>;
        static_assert(std::is_integral_v<type>, "ricci: bitwise functions take integers and truth values");
    };
    template <class... K>
    using result = typename common<K...>::type;
};
}  // namespace ops
}  // namespace ricci

namespace ricci {
namespace ops {
struct bitwise_and : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a & b);
    }
};
}  // namespace ops

/// The bits that a and b both have, broadcast, in the common type of integers; of truth values `and`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_and(A&& a, B&& b) {
    return map<ops::bitwise_and>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator&(A&& a, B&& b) {
    return map<ops::bitwise_and>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_invert.hpp
// The bits that are not set.

namespace ricci {
namespace ops {
struct bitwise_invert : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a) {
        if constexpr (std::is_integral_v<M> && !std::is_same_v<M, bool>) return static_cast<M>(~a);
        else return !a;
    }
};
}  // namespace ops

/// All bits inverted, in its own integer type; of truth values `not`.
template <operand A>
RICCI_HD RICCI_INLINE constexpr auto bitwise_invert(A&& a) {
    return map<ops::bitwise_invert>(std::forward<A>(a));
}
template <class A>
    requires(operator_operands<A>)
RICCI_HD RICCI_INLINE constexpr auto operator~(A&& a) {
    return map<ops::bitwise_invert>(std::forward<A>(a));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_left_shift.hpp
// Bits moved up.

namespace ricci {
namespace ops {
struct bitwise_left_shift : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return math::left_shift(a, b);
    }
};
}  // namespace ops

/// a times 2^b modulo 2^bits, broadcast, in the common type of integers; 0 for b below 0 or not below the number of
/// bits.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_left_shift(A&& a, B&& b) {
    return map<ops::bitwise_left_shift>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator<<(A&& a, B&& b) {
    return map<ops::bitwise_left_shift>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_or.hpp
// The bits that either has.

namespace ricci {
namespace ops {
struct bitwise_or : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a | b);
    }
};
}  // namespace ops

/// The bits that a or b has, broadcast, in the common type of integers; of truth values `or`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_or(A&& a, B&& b) {
    return map<ops::bitwise_or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator|(A&& a, B&& b) {
    return map<ops::bitwise_or>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_right_shift.hpp
// Bits moved down.

namespace ricci {
namespace ops {
struct bitwise_right_shift : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return math::right_shift(a, b);
    }
};
}  // namespace ops

/// floor(a / 2^b), broadcast, in the common type of integers; for b below 0 or not below the number of bits 0, or -1
/// for a < 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_right_shift(A&& a, B&& b) {
    return map<ops::bitwise_right_shift>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator>>(A&& a, B&& b) {
    return map<ops::bitwise_right_shift>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/bitwise_xor.hpp
// The bits that one has.

namespace ricci {
namespace ops {
struct bitwise_xor : integers {
    template <class M>
    RICCI_HD RICCI_INLINE static constexpr M value(const M& a, const M& b) {
        return static_cast<M>(a ^ b);
    }
};
}  // namespace ops

/// The bits that exactly one of a and b has, broadcast, in the common type of integers; of truth values `xor`.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto bitwise_xor(A&& a, B&& b) {
    return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator^(A&& a, B&& b) {
    return map<ops::bitwise_xor>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/cbrt.hpp
// The cube root.

namespace ricci {
namespace ops {
struct cbrt : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cbrt(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar / (3 * y * y);
    }
};
}  // namespace ops

/// Cube root of each element, negative of negative ones; integers promoted to double. cbrt(+-0) = +-0, cbrt(+-inf) =
/// +-inf. At most 2 ulp. Derivative 1 / (3 cbrt(x)^2), inf at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cbrt(E&& x) {
    return map<ops::cbrt>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/ceil.hpp
// The smallest integer not below.

namespace ricci {
namespace ops {
struct ceil : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::ceil(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The smallest integer not below each element, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto ceil(E&& x) {
    return map<ops::ceil>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/clip.hpp
// Limiting values to an interval.
// ---- ricci/ops/elementwise/maximum.hpp
// The larger of two.

namespace ricci {
namespace ops {
struct maximum : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::maximum(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto half = ricci::where(a == b, y_bar / 2, 0);
        return adjoints(ricci::where(a > b, y_bar, half), ricci::where(b > a, y_bar, half));
    }
};
}  // namespace ops

/// The larger of a and b element by element, broadcast; NaN where either is NaN. Where they are equal each gets half of the
/// derivative (PyTorch's choice).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto maximum(A&& a, B&& b) {
    return map<ops::maximum>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/minimum.hpp
// The smaller of two.

namespace ricci {
namespace ops {
struct minimum : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::minimum(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto half = ricci::where(a == b, y_bar / 2, 0);
        return adjoints(ricci::where(a < b, y_bar, half), ricci::where(b < a, y_bar, half));
    }
};
}  // namespace ops

/// The smaller of a and b element by element, broadcast; NaN where either is NaN. Where they are equal each gets half of the
/// derivative (PyTorch's choice).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto minimum(A&& a, B&& b) {
    return map<ops::minimum>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct clip : arithmetic {
    template <class S, class L, class H>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x, const L& low, const H& high) {
        return math::minimum(math::maximum(x, low), high);
    }
    template <class Y, class S, class L, class H, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const L& low, const H& high, const R&) {
        return adjoints(ricci::where(x >= low && x <= high, y_bar, 0), ricci::where(x < low && low < high, y_bar, 0),
                        ricci::where(x > high || high <= low, y_bar, 0));
    }
};
}  // namespace ops

/// x limited to [low, high], broadcast, in the common type; NaN stays NaN; `high` wins where low > high. The derivative is 1
/// inside and at the limits, 0 outside, where it goes to the limit that was taken (PyTorch's choice).
template <operand X, operand L, operand H>
RICCI_HD RICCI_INLINE constexpr auto clip(X&& x, L&& low, H&& high) {
    return map<ops::clip>(std::forward<X>(x), std::forward<L>(low), std::forward<H>(high));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/copysign.hpp
// A magnitude with another number's sign.
// ---- ricci/ops/elementwise/sign.hpp
// The sign.

namespace ricci {
namespace ops {
struct sign : arithmetic {
    static constexpr int cost = 2;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto low = math::select(x < S(0), static_cast<S>(-1), static_cast<S>(x - x));
        return math::select(x > S(0), S(1), low);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// 1 for positive elements, -1 for negative ones, 0 for zeros, NaN for NaN; in its own type. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sign(E&& x) {
    return map<ops::sign>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct copysign : floating {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::copysign(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B&, const R& y) {
        return adjoints(y_bar * (ricci::sign(a) * ricci::sign(y)), Y(0));
    }
};
}  // namespace ops

/// The magnitude of a with the sign of b, broadcast, that of zeros and NaNs included; integers promoted to double.
/// Derivative by a +-1, 0 where a is 0; by b 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto copysign(A&& a, B&& b) {
    return map<ops::copysign>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/cos.hpp
// The cosine. Its derivative needs the sine, which one evaluation gives with it.
// ---- ricci/ops/elementwise/sin.hpp
// The sine. Its derivative needs the cosine, which one evaluation gives with it.

namespace ricci {
namespace detail {

/// {sin(x), cos(x)} for the price of little more than one, on any scalar.
template <class S>
RICCI_HD RICCI_INLINE constexpr auto sine_and_cosine(const S& x) {
    if constexpr (is_dual_v<S>) {
        const auto both = sine_and_cosine(x.value);
        return make_pack(S(get<0>(both), x.tangent * get<1>(both)), S(get<1>(both), -(x.tangent * get<0>(both))));
    } else if constexpr (is_taylor_v<S>) {
        const auto both = sine_and_cosine(x[0]);
        S s(get<0>(both)), c(get<1>(both));
        using V = typename S::value_type;
        for (int k = 1; k <= S::order; ++k) {  // s' = c x', c' = -s x'
            auto s_sum = x[k] * c[0] * factor<V>(k), c_sum = x[k] * s[0] * factor<V>(k);
            for (int j = 1; j < k; ++j) {
                s_sum = s_sum + x[j] * c[k - j] * factor<V>(j);
                c_sum = c_sum + x[j] * s[k - j] * factor<V>(j);
            }
            s[k] = s_sum / factor<V>(k);
            c[k] = -(c_sum / factor<V>(k));
        }
        return make_pack(s, c);
    } else if constexpr (is_eager_v<S>) {
        return make_pack(ricci::sin(x), ricci::cos(x));
    } else {
        S s, c;
        math::sincos(x, s, c);
        return make_pack(s, c);
    }
}

}  // namespace detail
namespace ops {
struct sin : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sin(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const S& x) {
        return detail::sine_and_cosine(x);
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::get<0>(detail::sine_and_cosine(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&, const R& cosine) {
        return y_bar * cosine;
    }
};
}  // namespace ops

/// Sine of each element, in radians; integers promoted to double. sin(+-0) = +-0, sin(+-inf) = NaN. Derivative cos(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sin(E&& x) {
    return map<ops::sin>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct cos : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cos(x);
    }
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value_with_residual(const S& x) {
        const auto both = detail::sine_and_cosine(x);
        return detail::make_pack(detail::get<1>(both), detail::get<0>(both));
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::get<1>(detail::sine_and_cosine(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&, const R& sine) {
        return -(y_bar * sine);
    }
};
}  // namespace ops

/// Cosine of each element, in radians; integers promoted to double. cos(+-0) = 1, cos(+-inf) = NaN. Derivative -sin(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cos(E&& x) {
    return map<ops::cos>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/cosh.hpp
// The hyperbolic cosine.
// ---- ricci/ops/elementwise/sinh.hpp
// The hyperbolic sine.

namespace ricci {
namespace ops {
struct sinh : floating {
    static constexpr int cost = 30;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sinh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::cosh(x);
    }
};
}  // namespace ops

/// Hyperbolic sine of each element; integers promoted to double. sinh(+-0) = +-0, sinh(+-inf) = +-inf. At most 2 ulp.
/// Derivative cosh(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sinh(E&& x) {
    return map<ops::sinh>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct cosh : floating {
    static constexpr int cost = 25;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::cosh(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sinh(x);
    }
};
}  // namespace ops

/// Hyperbolic cosine of each element; integers promoted to double. cosh(0) = 1, cosh(+-inf) = inf. At most 2 ulp.
/// Derivative sinh(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto cosh(E&& x) {
    return map<ops::cosh>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/deg2rad.hpp
// Degrees to radians.

namespace ricci {
namespace ops {
struct deg2rad : floating {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x * S(0.017453292519943295);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar * 0.017453292519943295;
    }
};
}  // namespace ops

/// Each element times pi / 180; integers promoted to double. At most 1 ulp. Derivative pi / 180.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto deg2rad(E&& x) {
    return map<ops::deg2rad>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/digamma.hpp
// The derivative of the logarithm of the gamma function.
// ---- ricci/ops/elementwise/polygamma.hpp
// The derivatives of digamma.

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
namespace math {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
template <class T>
[[gnu::noinline]] simd<T> polygamma(int n, simd<T> x) {
    T lane[simd<T>::lanes];
    x.store(lane);
    for (T& v : lane) v = math::polygamma(n, v);
    return simd<T>::load(lane);
}
#endif

}  // namespace RICCI_ISA
}  // namespace math

namespace ops {
struct polygamma : floating {
    static constexpr int cost = 400;
    int order = 1;
    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x) const {
        return math::polygamma(order, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        return y_bar * ricci::polygamma(order + 1, x);
    }
};
}  // namespace ops

/// The n-th derivative of digamma at each element; integers promoted to double. n = 0 is digamma itself; for n < 0, and
/// for n > 32 at negative x, NaN. Element by element in higher precision where the machine has it. Derivative
/// polygamma(n + 1, x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto polygamma(int n, E&& x) {
    ops::polygamma op;
    op.order = n;
    if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
}  // namespace ricci
RICCI_BOTH_SIDES_END

namespace ricci {
namespace ops {
struct digamma : floating {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::digamma(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::polygamma(1, x);
    }
};
}  // namespace ops

/// The derivative of log |gamma(x)| of each element; integers promoted to double. digamma(+-0) = -+inf, digamma(inf) =
/// inf, NaN at the negative integers and at -inf. At most 2 ulp for x > 0; below 0 one by one, and near a zero there
/// the error is that of x. Derivative polygamma(1, x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto digamma(E&& x) {
    return map<ops::digamma>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/divide.hpp
// True division.

namespace ricci {
namespace ops {
struct divide : floating {
    static constexpr int cost = 4;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return a / b;
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        return detail::series_quotient(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B& b, const R& y) {
        const auto a_bar = y_bar / b;
        return adjoints(a_bar, -(a_bar * y));
    }
};
}  // namespace ops

/// a / b element by element, broadcast; integers are divided as doubles. x / 0 = +-inf, 0 / 0 = NaN.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto divide(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator/(A&& a, B&& b) {
    return map<ops::divide>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/elu.hpp
// The exponential linear unit.
// ---- ricci/ops/elementwise/expm1.hpp
// exp(x) - 1, exact also for small x.

namespace ricci {
namespace ops {
struct expm1 : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::expm1(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y + 1);
    }
};
}  // namespace ops

/// exp(x) - 1 of each element, accurate also for small x; integers promoted to double. expm1(+-0) = +-0, expm1(-inf) =
/// -1, expm1(inf) = inf. At most 2 ulp. Derivative exp(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto expm1(E&& x) {
    return map<ops::expm1>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct elu : floating {
    static constexpr int cost = 22;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& alpha) {
        return math::select(x > A(0), x, alpha * math::expm1(x));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& alpha, const R&) {
        return adjoints(ricci::where(x > 0, y_bar, y_bar * (alpha * ricci::exp(x))),
                        ricci::where(x > 0, 0, y_bar * ricci::expm1(x)));
    }
};
}  // namespace ops

/// x for x > 0, else alpha (exp(x) - 1), broadcast; integers promoted to double. At most 2 ulp. Derivative 1 for x > 0,
/// else alpha exp(x) (PyTorch's choice at 0).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto elu(A&& x, B&& alpha) {
    return map<ops::elu>(std::forward<A>(x), std::forward<B>(alpha));
}

/// With alpha 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto elu(E&& x) {
    return elu(std::forward<E>(x), 1.0);
}
}  // namespace ricci
// ---- ricci/ops/elementwise/erf.hpp
// The error function.

namespace ricci {
namespace ops {
struct erf : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erf(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (1.1283791670955126 * ricci::exp(-(x * x)));
    }
};
}  // namespace ops

/// The error function of each element, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x; integers promoted to
/// double. erf(+-0) = +-0, erf(+-inf) = +-1. At most 2 ulp. Derivative 2 / sqrt(pi) exp(-x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erf(E&& x) {
    return map<ops::erf>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/erfc.hpp
// The complementary error function.

namespace ricci {
namespace ops {
struct erfc : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erfc(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (-1.1283791670955126 * ricci::exp(-(x * x)));
    }
};
}  // namespace ops

/// 1 - erf(x) of each element, accurate also where it is small; integers promoted to double. erfc(-inf) = 2, erfc(inf)
/// = 0. At most 2 ulp. Derivative -2 / sqrt(pi) exp(-x^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erfc(E&& x) {
    return map<ops::erfc>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/erfinv.hpp
// The inverse of the error function.

namespace ricci {
namespace ops {
struct erfinv : floating {
    static constexpr int cost = 120;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::erfinv(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (0.88622692545275801 * ricci::exp(y * y));
    }
};
}  // namespace ops

/// The y with erf(y) = x, of each element; integers promoted to double. erfinv(+-0) = +-0, erfinv(+-1) = +-inf, NaN
/// beyond. At most 2 ulp. Derivative sqrt(pi) / 2 exp(y^2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto erfinv(E&& x) {
    return map<ops::erfinv>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/exp.hpp
// The exponential.

namespace ricci {
namespace ops {
struct exp : floating {
    static constexpr int cost = 12;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::exp(x);
    }
    /// y' = y x'
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_along(x, detail::evaluate_op(exp{}, x[0]), [](const T& y, int k) { return y[k]; });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * y;
    }
};
}  // namespace ops

/// e to the power of each element; integers promoted to double. exp(-inf) = 0, exp(inf) = inf. Derivative exp(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp(E&& x) {
    return map<ops::exp>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/exp2.hpp
// The power of two.

namespace ricci {
namespace ops {
struct exp2 : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::exp2(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y * 0.69314718055994531);
    }
};
}  // namespace ops

/// 2 to the power of each element; integers promoted to double. exp2(-inf) = 0, exp2(inf) = inf; exact at integers. At
/// most 2 ulp. Derivative y log(2).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto exp2(E&& x) {
    return map<ops::exp2>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/floor.hpp
// The largest integer not above.

namespace ricci {
namespace ops {
struct floor : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::floor(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The largest integer not above each element, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto floor(E&& x) {
    return map<ops::floor>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/floor_divide.hpp
// The integer quotient.

namespace ricci {
namespace ops {
struct floor_divide : arithmetic {
    static constexpr int cost = 24;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        if constexpr (std::is_integral_v<A>) {
            return math::floor_divide(a, b);
        } else {
            const A r = math::fmod(a, b), zero(0), one(1), plain = a / b, whole = (a - r) / b;
            const A quotient = math::select((r != zero) & ((r < zero) != (b < zero)), whole - one, whole);
            const A down = math::floor(quotient);  // (a - r) / b is rounded: the integer may lie above
            const A nearest = math::select(quotient - down > A(0.5), down + one, down);
            return math::select(b == zero, plain, math::select(quotient == zero, math::copysign(zero, plain), nearest));
        }
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const A&, const B&, const R&) {
        return adjoints(Y(0), Y(0));
    }
};
}  // namespace ops

/// floor(a / b) from the exact remainder, as Python's //, broadcast, in the common type. Floats over 0 as a / b has
/// them; of integers 0 for b = 0. Derivatives 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto floor_divide(A&& a, B&& b) {
    return map<ops::floor_divide>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/fmod.hpp
// The remainder with the dividend's sign.
// ---- ricci/ops/elementwise/trunc.hpp
// The integer part.

namespace ricci {
namespace ops {
struct trunc : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::trunc(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// Each element without its fraction, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto trunc(E&& x) {
    return map<ops::trunc>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct fmod : arithmetic {
    static constexpr int cost = 12;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::fmod(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(y_bar, -y_bar * ricci::trunc(a / b));
    }
};
}  // namespace ops

/// a - b trunc(a / b), exact, with the sign of a, broadcast, in the common type. NaN for b = 0 or infinite a; a for
/// infinite b. Of integers 0 for b = 0. Derivatives 1 and -trunc(a / b).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto fmod(A&& a, B&& b) {
    return map<ops::fmod>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/gelu.hpp
// The Gaussian error linear unit.

namespace ricci {
namespace ops {
struct gelu : floating {
    static constexpr int cost = 80;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::gelu(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar *
               (0.5 * ricci::erfc(x * -0.70710678118654752) + x * (0.3989422804014327 * ricci::exp(-0.5 * (x * x))));
    }
};
}  // namespace ops

/// x times the normal distribution function of each element, by erfc (PyTorch's default form); integers promoted to
/// double. 0 at -inf. At most 3 ulp in registers. Derivative Phi(x) + x phi(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto gelu(E&& x) {
    return map<ops::gelu>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/heaviside.hpp
// The step function.

namespace ricci {
namespace ops {
struct heaviside : arithmetic {
    static constexpr int cost = 3;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& at_zero) {
        const auto step = math::select(x == A(0), at_zero, math::select(x > A(0), A(1), A(0)));
        return math::select(math::isnan(x), x, step);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B&, const R&) {
        return adjoints(Y(0), ricci::where(x == 0, y_bar, 0));
    }
};
}  // namespace ops

/// 0 for x < 0, `at_zero` for x = 0, 1 for x > 0, NaN for NaN, broadcast, in the common type. Derivative 0 by x, 1 by
/// `at_zero` where it is taken.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto heaviside(A&& x, B&& at_zero) {
    return map<ops::heaviside>(std::forward<A>(x), std::forward<B>(at_zero));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/hypot.hpp
// The length of a vector.

namespace ricci {
namespace ops {
struct hypot : floating {
    static constexpr int cost = 12;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::hypot(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        return adjoints(y_bar * (a / y), y_bar * (b / y));
    }
};
}  // namespace ops

/// sqrt(a^2 + b^2), broadcast, without overflow or underflow; integers promoted to double. inf if either is infinite,
/// even beside NaN. At most 2 ulp. Derivatives a / y and b / y, NaN at the origin.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto hypot(A&& a, B&& b) {
    return map<ops::hypot>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/isfinite.hpp
// Which elements are finite.

namespace ricci {
namespace ops {
struct isfinite : comparison {
    static constexpr int cost = 2;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return !(math::isnan(x) | math::isinf(x));
    }
};
}  // namespace ops

/// Whether each element is neither NaN nor infinite; always for integers.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isfinite(E&& x) {
    return map<ops::isfinite>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/isinf.hpp
// Which elements are infinite.

namespace ricci {
namespace ops {
struct isinf : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::isinf(x);
    }
};
}  // namespace ops

/// Whether each element is inf or -inf; never for integers.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isinf(E&& x) {
    return map<ops::isinf>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/isnan.hpp
// Which elements are NaN.

namespace ricci {
namespace ops {
struct isnan : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::isnan(x);
    }
};
}  // namespace ops

/// Whether each element is NaN; never for integers.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isnan(E&& x) {
    return map<ops::isnan>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/isreal.hpp
// Which elements are real.

namespace ricci {
namespace ops {
struct isreal : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        if constexpr (is_complex_scalar_v<S>) {
            return x.imag() == decltype(x.imag())(0);
        } else {
            const auto differs = x != x;
            return differs == differs;
        }
    }
};
}  // namespace ops

/// Whether the imaginary part is 0: true of real elements.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto isreal(E&& x) {
    return map<ops::isreal>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/leaky_relu.hpp
// The rectifier with a slope.

namespace ricci {
namespace ops {
struct leaky_relu : floating {
    static constexpr int cost = 3;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& x, const B& slope) {
        return math::select(x > A(0), x, x * slope);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& x, const B& slope, const R&) {
        return adjoints(ricci::where(x > 0, y_bar, y_bar * slope), ricci::where(x > 0, 0, y_bar * x));
    }
};
}  // namespace ops

/// x for x > 0, else slope x, broadcast; integers promoted to double. The slope may be an array that is trained.
/// Derivative 1 for x > 0, else the slope (PyTorch's choice at 0).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto leaky_relu(A&& x, B&& slope) {
    return map<ops::leaky_relu>(std::forward<A>(x), std::forward<B>(slope));
}

/// With the slope 0.01.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto leaky_relu(E&& x) {
    return leaky_relu(std::forward<E>(x), 0.01);
}
}  // namespace ricci
// ---- ricci/ops/elementwise/lerp.hpp
// Linear interpolation.

namespace ricci {
namespace ops {
struct lerp : floating {
    static constexpr int cost = 2;
    template <class A, class B, class W>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b, const W& weight) {
        return math::fma(weight, b - a, a);
    }
    template <class Y, class A, class B, class W, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const W& weight,
                                                         const R&) {
        return adjoints(y_bar * (1 - weight), y_bar * weight, y_bar * (b - a));
    }
};
}  // namespace ops

/// a + weight (b - a), broadcast; integers promoted to double. Derivatives 1 - weight, weight and b - a.
template <operand A, operand B, operand W>
RICCI_HD RICCI_INLINE constexpr auto lerp(A&& a, B&& b, W&& weight) {
    return map<ops::lerp>(std::forward<A>(a), std::forward<B>(b), std::forward<W>(weight));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/lgamma.hpp
// The logarithm of the gamma function.

namespace ricci {
namespace ops {
struct lgamma : floating {
    static constexpr int cost = 100;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::lgamma(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::digamma(x);
    }
};
}  // namespace ops

/// log |gamma(x)| of each element; integers promoted to double. lgamma(1) = lgamma(2) = 0, inf at 0, at the negative
/// integers and at +-inf. At most 2 ulp for x > 0; below 0 one by one, as exact as the standard library. Derivative
/// digamma(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto lgamma(E&& x) {
    return map<ops::lgamma>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/log.hpp
// The natural logarithm.

namespace ricci {
namespace ops {
struct log : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log(x);
    }
    /// y' = x' / x
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::integral<T::order>(detail::evaluate_op(log{}, x[0]),
                                          detail::derivative_of(x) / detail::truncated(x));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / x;
    }
};
}  // namespace ops

/// Natural logarithm of each element; integers promoted to double. log(+-0) = -inf, log(x < 0) = NaN. Derivative 1/x.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log(E&& x) {
    return map<ops::log>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/log10.hpp
// The decimal logarithm.

namespace ricci {
namespace ops {
struct log10 : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log10(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * 2.3025850929940457);
    }
};
}  // namespace ops

/// Logarithm to base 10 of each element; integers promoted to double. log10(+-0) = -inf, log10(x < 0) = NaN. At most 1
/// ulp. Derivative 1 / (x log(10)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log10(E&& x) {
    return map<ops::log10>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/log1p.hpp
// log(1 + x), exact also for small x.

namespace ricci {
namespace ops {
struct log1p : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log1p(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (1 + x);
    }
};
}  // namespace ops

/// log(1 + x) of each element, accurate also for small x; integers promoted to double. log1p(+-0) = +-0, log1p(-1) =
/// -inf, log1p(x < -1) = NaN, log1p(inf) = inf. At most 2 ulp. Derivative 1 / (1 + x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log1p(E&& x) {
    return map<ops::log1p>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/log2.hpp
// The binary logarithm.

namespace ricci {
namespace ops {
struct log2 : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::log2(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * 0.69314718055994531);
    }
};
}  // namespace ops

/// Logarithm to base 2 of each element; integers promoted to double. log2(+-0) = -inf, log2(x < 0) = NaN; exact at
/// powers of 2. At most 1 ulp. Derivative 1 / (x log(2)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log2(E&& x) {
    return map<ops::log2>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/log_sigmoid.hpp
// The logarithm of the logistic function.
// ---- ricci/ops/elementwise/sigmoid.hpp
// The logistic function.

namespace ricci {
namespace ops {
struct sigmoid : floating {
    static constexpr int cost = 20;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto e = math::exp(-math::abs(x));
        return math::select(x < S(0), e, S(1)) / (S(1) + e);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (y * (1 - y));
    }
};
}  // namespace ops

/// 1 / (1 + exp(-x)) of each element; integers promoted to double. 0 at -inf, 1 at inf; small results keep their
/// precision. At most 2 ulp. Derivative y (1 - y).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sigmoid(E&& x) {
    return map<ops::sigmoid>(std::forward<E>(x));
}
}  // namespace ricci

namespace ricci {
namespace ops {
struct log_sigmoid : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::minimum(x, S(0)) - math::log1p(math::exp(-math::abs(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sigmoid(-x);
    }
};
}  // namespace ops

/// log(1 / (1 + exp(-x))) of each element, without underflow; integers promoted to double. -inf at -inf, 0 at inf. At
/// most 2 ulp. Derivative sigmoid(-x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto log_sigmoid(E&& x) {
    return map<ops::log_sigmoid>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/logaddexp.hpp
// The logarithm of a sum of exponentials.

namespace ricci {
namespace ops {
struct logaddexp : floating {
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        const auto sum = math::maximum(a, b) + math::log1p(math::exp(-math::abs(a - b)));
        return math::select(a == b, a + A(0.69314718055994531), sum);  // infinities
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        const auto share = ricci::sigmoid(a - b);
        return adjoints(y_bar * share, y_bar * (1 - share));
    }
};
}  // namespace ops

/// log(exp(a) + exp(b)), broadcast, without overflow; integers promoted to double. -inf beside x gives x. Off by 2 ulp
/// of the larger of |a|, |b| and the result. Derivatives sigmoid(a - b) and sigmoid(b - a).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto logaddexp(A&& a, B&& b) {
    return map<ops::logaddexp>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/logit.hpp
// The inverse of the logistic function.

namespace ricci {
namespace ops {
struct logit : floating {
    static constexpr int cost = 60;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto near = math::abs(x - S(0.5)) < S(0.25);  // there the logarithm would cancel
        const auto twice = x + x - S(1);
        return math::select(near, S(2) * math::atanh(math::select(near, twice, S(0))), math::log(x / (S(1) - x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar / (x * (1 - x));
    }
};
}  // namespace ops

/// log(x / (1 - x)) of each element; integers promoted to double. -inf at 0, inf at 1, NaN outside. At most 3 ulp.
/// Derivative 1 / (x (1 - x)).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto logit(E&& x) {
    return map<ops::logit>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/map.hpp
// The user's own element-wise function.

namespace ricci {

namespace detail {

/// An argument of a user's function for the derivative along one of them: a dual with the given tangent (or none) over a nest of
/// the given degrees. All arguments come to one depth, so that none is taken for a constant of the others' levels.
template <degrees_t Degrees, class D, class S>
RICCI_HD RICCI_INLINE constexpr auto seeded(const D& x_dot, const S& x) {
    using inner = nest_t<scalar_base_t<S>, Degrees>;
    if constexpr (!std::is_same_v<D, nothing>) return dual<inner>(inner(x), inner(rebased<inner>(x_dot)));
    else if constexpr (Degrees > 0) return dual<inner>(inner(x), inner(0));
    else return as_number(x);
}

}  // namespace detail

namespace ops {
/// Calls `f` on scalars; its derivatives come from calling it on duals, one argument at a time.
template <class F>
struct user {
    static constexpr bool differentiable = true;
    static constexpr int cost = 16;
    [[no_unique_address]] F f;
    template <int, class... K>
    using argument = common_t<K...>;
    template <class... K>
    using result = std::remove_cvref_t<decltype(detail::plain(
        std::declval<const F&>()(((void)sizeof(K), std::declval<number<common_t<K...>>>())...)))>;

    template <class... S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S&... x) const {
        return detail::plain(f(detail::as_number(x)...));
    }
    template <class... X>
    RICCI_HD RICCI_INLINE constexpr auto series(const X&... x) const {
        using T = detail::first_series_t<X...>;
        return T(detail::plain(f(detail::as_number(x)...)));
    }
    template <class Y, class... Rest>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const Rest&... rest) const {
        return each_argument<Y>(y_bar, adjoint_of{}, detail::make_pack(rest...),
                                std::make_integer_sequence<int, sizeof...(Rest) - 1>{});
    }
    template <class D, class X, class... Rest>
        requires(is_complex_scalar_v<X>)
    RICCI_HD RICCI_INLINE constexpr auto pushforward(const D& x_dot, const X& x, const Rest&... rest) const {
        return each_argument<D>(x_dot, tangent_of{}, detail::make_pack(x, rest...),
                                std::make_integer_sequence<int, sizeof...(Rest)>{});
    }

   private:
    struct adjoint_of {};
    struct tangent_of {};

    template <class Y, class Kind, class Pack, int... I>
    RICCI_HD RICCI_INLINE constexpr auto each_argument(const Y& given, Kind kind, const Pack& x,
                                                       std::integer_sequence<int, I...> all) const {
        return adjoints(along<I>(given, kind, x, all)...);
    }
    template <int I, class D, class Pack, class Indices>
    RICCI_HD RICCI_INLINE constexpr auto along(const D& x_dot, tangent_of, const Pack& x, Indices all) const {
        return tangent(partial<I>(x_dot, x, all), x_dot);
    }
    /// Of a complex argument, by the tangents u and v along 1 and i: Re(y_bar (a u + b v)) = Re(x_bar (a + i b)).
    template <int I, class Y, class Pack, class Indices>
    RICCI_HD RICCI_INLINE constexpr auto along(const Y& y_bar, adjoint_of, const Pack& x, Indices all) const {
        using S = detail::scalar_base_t<detail::pack_element_t<I, Pack>>;
        const auto u = partial<I>(S(1), x, all);
        if constexpr (!is_complex_scalar_v<S>) {
            return scaled(y_bar, u);
        } else if constexpr (!is_dual_v<std::remove_cvref_t<decltype(u)>>) {
            return decltype(ricci::complex(ricci::real(y_bar), 0))(0);
        } else {
            const auto v = partial<I>(S(0, 1), x, all);
            return ricci::complex(ricci::real(y_bar * u.tangent), -ricci::real(y_bar * v.tangent));
        }
    }
    template <int I, class D, class Pack, int... J>
    RICCI_HD RICCI_INLINE constexpr auto partial(const D& x_dot, const Pack& x,
                                                 std::integer_sequence<int, J...>) const {
        constexpr degrees_t degrees = [] {
            degrees_t d = 0;
            ((d = degrees_v<detail::pack_element_t<J, Pack>> > d ? degrees_v<detail::pack_element_t<J, Pack>> : d),
             ...);
            return d > degrees_v<D> ? d : degrees_v<D>;
        }();
        return f(detail::seeded<degrees>(pick < I == J > (x_dot), detail::get<J>(x))...);
    }
    template <bool Here, class D>
    RICCI_HD RICCI_INLINE static constexpr auto pick(const D& x_dot) {
        if constexpr (Here) return x_dot;
        else return detail::nothing{};
    }
    template <class D, class X>
    RICCI_HD RICCI_INLINE static constexpr auto tangent(const D& y, const X&) {
        if constexpr (is_dual_v<D>) return y.tangent;
        else return X(0);
    }
    template <class Y, class D>
    RICCI_HD RICCI_INLINE static constexpr auto scaled(const Y& y_bar, const D& y) {
        if constexpr (is_dual_v<D>) return y_bar * y.tangent;
        else return Y(0);
    }
};
}  // namespace ops

/// Your own function of scalars, element by element over broadcast arguments in their common type: one pass, on registers
/// or on the GPU, with derivatives of any order and batching. `f` is generic, `[](auto a, auto b) { return a * b + sin(a); }`,
/// and must not branch on its arguments: select with `where(mask, a, b)`.
template <class F, class... A>
    requires(operands<A...> && !operand<F>)
RICCI_INLINE auto map(F f, A&&... args) {
    return detail::make_map(ops::user<F>{f}, std::forward<A>(args)...);
}
template <class F, class... A>
    requires(!operands<A...> && !operand<F>)
auto map(F, A&&...) {
    static_assert(always_false<F>, "ricci: map takes a function, then expressions and numbers, at least one expression");
}

}  // namespace ricci
// ---- ricci/ops/elementwise/multiply.hpp
// Multiplication.

namespace ricci {
namespace ops {
struct multiply : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap(a) * math::wrap(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        return detail::series_product(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(y_bar * b, y_bar * a);
    }
};
}  // namespace ops

/// a * b element by element, broadcast, in the common type; of two bool arrays, logical and.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto multiply(A&& a, B&& b) {
    return map<ops::multiply>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator*(A&& a, B&& b) {
    return map<ops::multiply>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/nan_to_num.hpp
// Numbers in place of NaN and infinities.

RICCI_BOTH_SIDES_BEGIN
namespace ricci {
/// What nan_to_num puts in place; NaN stands for the largest and the lowest number of the type.
struct nan_to_num_options {
    double nan = 0;
    double posinf = std::numeric_limits<double>::quiet_NaN();
    double neginf = std::numeric_limits<double>::quiet_NaN();
};

namespace ops {
struct nan_to_num : arithmetic {
    static constexpr int cost = 6;
    nan_to_num_options options{};
    template <class S>
    RICCI_HD RICCI_INLINE constexpr S value(const S& x) const {
        if constexpr (std::is_integral_v<S>) {
            return x;
        } else {
            using T = std::remove_cvref_t<decltype(innermost_lane(x))>;
            constexpr T most = std::numeric_limits<T>::max();
            const auto high = static_cast<T>(options.posinf), low = static_cast<T>(options.neginf);
            const auto bounded = math::select(x > S(most), S(high == high ? high : most),
                                              math::select(x < S(-most), S(low == low ? low : -most), x));
            return math::select(math::isnan(x), S(static_cast<T>(options.nan)), bounded);
        }
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE constexpr auto pullback(const Y& y_bar, const S& x, const R&) const {
        return ricci::where(ricci::isfinite(x), y_bar, 0);
    }

   private:
    template <class S>
    RICCI_HD static constexpr auto innermost_lane(const S& x) {
        if constexpr (std::is_floating_point_v<S>) return x;
        else return typename S::value_type();
    }
};
}  // namespace ops

/// Each element, but for NaN 0 and for +-inf the largest and lowest number of its type, or what the options say;
/// integers stay. Derivative 1 where x is finite, else 0 (PyTorch's choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto nan_to_num(E&& x, const nan_to_num_options& options = {}) {
    ops::nan_to_num op;
    op.options = options;
    if constexpr (expression<E>) return detail::make_map(op, std::forward<E>(x));
    else return detail::evaluate_op(op, x);
}
}  // namespace ricci
RICCI_BOTH_SIDES_END
// ---- ricci/ops/elementwise/nextafter.hpp
// The neighbour of a number.

namespace ricci {
namespace ops {
struct nextafter : floating {
    static constexpr int cost = 8;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::nextafter(a, b);
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const A&, const B&, const R&) {
        return adjoints(Y(0), Y(0));
    }
};
}  // namespace ops

/// The next number after a in the direction of b, b where they are equal, NaN if either is, broadcast; integers
/// promoted to double. Derivatives 0.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto nextafter(A&& a, B&& b) {
    return map<ops::nextafter>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/positive.hpp
// Each element as it is, and unary plus.

namespace ricci {
namespace ops {
struct positive : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar;
    }
};
}  // namespace ops

/// Each element, in its own type. Derivative 1.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto positive(E&& x) {
    return map<ops::positive>(std::forward<E>(x));
}

template <class E>
    requires(operator_operands<E>)
RICCI_HD RICCI_INLINE constexpr auto operator+(E&& x) {
    return positive(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/pow.hpp
// The power.

namespace ricci {
namespace detail {

/// b >= 0; of a complex number, its real part.
template <class B>
RICCI_HD RICCI_INLINE constexpr auto not_negative(const B& b) {
    if constexpr (is_complex_scalar_v<B>) return not_negative(ricci::real(b));
    else if constexpr (is_nested_v<B>) return not_negative(primal(b));
    else return b >= 0;
}

/// The power of a series to an exponent that does not vary: binomial coefficients, which end where a whole exponent's do.
template <class T, class B>
RICCI_HD RICCI_INLINE constexpr T power_of_series(const T& a, const B& b) {
    using S = typename T::value_type;
    T c(ricci::pow(a[0], b));
    S binomial(1), lower(b);
    for (int k = 1; k <= T::order; ++k) {
        binomial = binomial * (lower / factor<S>(k));
        lower = lower - S(1);
        c[k] = select_lane(innermost(a[0]) == scalar_base_t<S>(0) && innermost(binomial) == scalar_base_t<S>(0), S(0),
                           S(binomial * ricci::pow(a[0], lower)));
    }
    return composed(c, a);
}

}  // namespace detail
namespace ops {
struct pow : arithmetic {
    static constexpr int cost = 40;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::pow(a, b);
    }
    /// a^b = a^b[0] exp((b - b[0]) log(a)); the second factor is 1 where the pullback gives b no adjoint.
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        if constexpr (!is_taylor_v<B>) {
            return detail::power_of_series(a, b);
        } else {
            B change(b);
            change[0] = typename B::value_type(0);
            const auto& value = detail::first_coefficient(a);
            const auto exponent = ricci::where(value == 0 && detail::not_negative(b[0]), 0, change * ricci::log(a));
            return ricci::pow(a, b[0]) * ricci::exp(exponent);
        }
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R& y) {
        const auto a_bar = y_bar * (b * ricci::pow(a, b - 1));
        const auto b_bar = y_bar * (y * ricci::log(a));
        return adjoints(ricci::where(b == 0, 0, a_bar), ricci::where(a == 0 && detail::not_negative(b), 0, b_bar));
    }
};
}  // namespace ops

/// a to the power of b, broadcast, in the common type. pow(x, 0) = 1 for every x; pow(x < 0, b) is NaN unless b is integral.
/// Derivatives b a^(b-1), 0 where b is 0, and a^b log(a), 0 where a is 0 and b is not negative.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto pow(A&& a, B&& b) {
    return map<ops::pow>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/rad2deg.hpp
// Radians to degrees.

namespace ricci {
namespace ops {
struct rad2deg : floating {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return x * S(57.295779513082323);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R&) {
        return y_bar * 57.295779513082323;
    }
};
}  // namespace ops

/// Each element times 180 / pi; integers promoted to double. At most 1 ulp. Derivative 180 / pi.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto rad2deg(E&& x) {
    return map<ops::rad2deg>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/reciprocal.hpp
// The reciprocal.

namespace ricci {
namespace ops {
struct reciprocal : floating {
    static constexpr int cost = 4;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return S(1) / x;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return -y_bar * (y * y);
    }
};
}  // namespace ops

/// 1 / x of each element, correctly rounded; integers promoted to double. +-inf at +-0. Derivative -1 / x^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto reciprocal(E&& x) {
    return map<ops::reciprocal>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/refused.hpp
// Operators between an expression and what is neither expression nor number: refused in one line, not by a list of all
// candidates.

namespace ricci {

/// Exactly one of the two is an expression, and the other nothing that it combines with (text, a container).
template <class A, class B>
concept not_operands = (expression<A> && !operand<B>) || (expression<B> && !operand<A>);

template <class A, class B>
    requires not_operands<A, B>
void operator+(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator-(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator*(const A&, const B&) = delete;
template <class A, class B>
    requires not_operands<A, B>
void operator/(const A&, const B&) = delete;

}  // namespace ricci
// ---- ricci/ops/elementwise/relu.hpp
// The rectifier.

namespace ricci {
namespace ops {
struct relu : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::maximum(x, S(0));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return ricci::where(x > 0, y_bar, 0);
    }
};
}  // namespace ops

/// The larger of x and 0, element by element, in its own type; NaN stays NaN. Derivative 1 for x > 0, else 0 (PyTorch's
/// choice).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto relu(E&& x) {
    return map<ops::relu>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/remainder.hpp
// The remainder with the divisor's sign.

namespace ricci {
namespace ops {
struct remainder : arithmetic {
    static constexpr int cost = 16;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        if constexpr (std::is_integral_v<A>) {
            return math::remainder(a, b);
        } else {
            const A r = math::fmod(a, b), zero(0);
            const A moved = math::select((r != zero) & ((r < zero) != (b < zero)), r + b, r);
            return math::select(moved == zero, math::copysign(zero, b), moved);
        }
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(y_bar, -y_bar * ricci::floor(a / b));
    }
};
}  // namespace ops

/// a - b floor(a / b) with the sign of b, as Python's %, broadcast, in the common type. Exact where signs agree, else
/// rounded once. NaN for b = 0 or infinite a. Of integers 0 for b = 0. Derivatives 1 and -floor(a / b).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto remainder(A&& a, B&& b) {
    return map<ops::remainder>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/round.hpp
// The nearest integer.

namespace ricci {
namespace ops {
struct round : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::round(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y&, const S&, const R&) {
        return Y(0);
    }
};
}  // namespace ops

/// The nearest integer to each element, halves to the even one, in its own type; zeros keep their sign. Derivative 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto round(E&& x) {
    return map<ops::round>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/rsqrt.hpp
// The reciprocal of the square root.

namespace ricci {
namespace ops {
struct rsqrt : floating {
    static constexpr int cost = 8;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return S(1) / math::sqrt(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (-0.5 * y * y * y);
    }
};
}  // namespace ops

/// 1 / sqrt(x) of each element; integers promoted to double. inf at 0, -inf at -0, NaN below. At most 2 ulp. Derivative
/// -y^3 / 2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto rsqrt(E&& x) {
    return map<ops::rsqrt>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/signbit.hpp
// Which elements have their sign bit set.

namespace ricci {
namespace ops {
struct signbit : comparison {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::signbit(x);
    }
};
}  // namespace ops

/// Whether the sign bit of each element is set: of negative numbers, -0 and NaNs of negative sign.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto signbit(E&& x) {
    return map<ops::signbit>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/silu.hpp
// The sigmoid linear unit.

namespace ricci {
namespace ops {
struct silu : floating {
    static constexpr int cost = 25;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto e = math::exp(-math::abs(x));
        return x * math::select(x < S(0), e, S(1)) / (S(1) + e);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        const auto s = ricci::sigmoid(x);
        return y_bar * (s * (1 + x * (1 - s)));
    }
};
}  // namespace ops

/// x sigmoid(x) of each element (also called swish); integers promoted to double. NaN at -inf as 0 times infinity. At
/// most 3 ulp. Derivative s (1 + x (1 - s)), s = sigmoid(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto silu(E&& x) {
    return map<ops::silu>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/sinc.hpp
// The normalized cardinal sine.

namespace ricci {
namespace ops {
struct sinc : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        const auto n = math::round(x), r = x - n, a = r * S(3.14159265358979323846L), half = n * S(0.5);
        const auto whole = math::select(x == S(0), S(1), S(0)), shape = math::sin(a) / a * (r / x);
        const auto y = math::select(r == S(0), whole, math::select(math::round(half) == half, shape, -shape));
        return math::select(math::isinf(x), S(0), y);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R& y) {
        return ricci::where(x == 0, 0, y_bar * ((ricci::cos(3.1415926535897932 * x) - y) / x));
    }
};
}  // namespace ops

/// sin(pi x) / (pi x) of each element, 1 at 0 and exactly 0 at other integers; integers promoted to double. 0 at +-inf.
/// At most 4 ulp. Derivative (cos(pi x) - y) / x, 0 at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sinc(E&& x) {
    return map<ops::sinc>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/softplus.hpp
// A smooth relu: log(1 + exp(x)).

namespace ricci {
namespace ops {
struct softplus : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::maximum(x, S(0)) + math::log1p(math::exp(-math::abs(x)));
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * ricci::sigmoid(x);
    }
};
}  // namespace ops

/// log(1 + exp(x)) of each element, without overflow; integers promoted to double. 0 at -inf, inf at inf. At most 2
/// ulp. Derivative sigmoid(x).
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto softplus(E&& x) {
    return map<ops::softplus>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/sqrt.hpp
// The square root.

namespace ricci {
namespace ops {
struct sqrt : floating {
    static constexpr int cost = 4;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::sqrt(x);
    }
    /// y y = x, coefficient by coefficient.
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        T y(detail::evaluate_op(sqrt{}, x[0]));
        const auto twice = y[0] + y[0];
        for (int k = 1; k <= T::order; ++k) {
            auto rest = x[k];
            for (int j = 1; j < k; ++j) rest = rest - y[j] * y[k - j];
            y[k] = rest / twice;
        }
        return y;
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar / (2 * y);
    }
};
}  // namespace ops

/// Square root of each element; integers promoted to double. sqrt(x < 0) = NaN. Derivative 1 / (2 sqrt(x)), inf at 0.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto sqrt(E&& x) {
    return map<ops::sqrt>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/square.hpp
// The square.

namespace ricci {
namespace ops {
struct square : arithmetic {
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::wrap(x) * math::wrap(x);
    }
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_product(x, x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S& x, const R&) {
        return y_bar * (2 * x);
    }
};
}  // namespace ops

/// The square of each element, in its own type. Derivative 2x.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto square(E&& x) {
    return map<ops::square>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/subtract.hpp
// Subtraction.

namespace ricci {
namespace ops {
struct subtract : arithmetic {
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::wrap(a) - math::wrap(b);
    }
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto series(const A& a, const B& b) {
        using T = detail::first_series_t<A, B>;
        const T x(a), y(b);
        T z;
        for (int k = 0; k <= T::order; ++k) z[k] = x[k] - y[k];
        return z;
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A&, const B&, const R&) {
        return adjoints(y_bar, -y_bar);
    }
};
}  // namespace ops

/// a - b element by element, broadcast, in the common type.
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto subtract(A&& a, B&& b) {
    return map<ops::subtract>(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
    requires(operator_operands<A, B>)
RICCI_HD RICCI_INLINE constexpr auto operator-(A&& a, B&& b) {
    return map<ops::subtract>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/tan.hpp
// The tangent.

namespace ricci {
namespace ops {
struct tan : floating {
    static constexpr int cost = 40;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::tan(x);
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (1 + y * y);
    }
};
}  // namespace ops

/// Tangent of each element, in radians; integers promoted to double. tan(+-0) = +-0, tan(+-inf) = NaN. At most 2 ulp.
/// Derivative 1 + tan(x)^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto tan(E&& x) {
    return map<ops::tan>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/tanh.hpp
// The hyperbolic tangent.

namespace ricci {
namespace ops {
struct tanh : floating {
    static constexpr int cost = 16;
    template <class S>
    RICCI_HD RICCI_INLINE static constexpr auto value(const S& x) {
        return math::tanh(x);
    }
    /// y' = (1 - y^2) x'
    template <class T>
    RICCI_HD RICCI_INLINE static constexpr auto series(const T& x) {
        return detail::series_along(x, detail::evaluate_op(tanh{}, x[0]), [](const T& y, int k) {
            const auto square = detail::product_coefficient(y, y, k);
            return k == 0 ? 1 - square : -square;
        });
    }
    template <class Y, class S, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const S&, const R& y) {
        return y_bar * (1 - y * y);
    }
};
}  // namespace ops

/// Hyperbolic tangent of each element; integers promoted to double. tanh(+-0) = +-0, tanh(+-inf) = +-1.
/// Derivative 1 - tanh(x)^2.
template <operand E>
RICCI_HD RICCI_INLINE constexpr auto tanh(E&& x) {
    return map<ops::tanh>(std::forward<E>(x));
}
}  // namespace ricci
// ---- ricci/ops/elementwise/xlogy.hpp
// A number times a logarithm.

namespace ricci {
namespace ops {
struct xlogy : floating {
    static constexpr int cost = 20;
    template <class A, class B>
    RICCI_HD RICCI_INLINE static constexpr auto value(const A& a, const B& b) {
        return math::select((a == A(0)) & !math::isnan(b), A(0), a * math::log(b));
    }
    template <class Y, class A, class B, class R>
    RICCI_HD RICCI_INLINE static constexpr auto pullback(const Y& y_bar, const A& a, const B& b, const R&) {
        return adjoints(ricci::where(a == 0, ricci::where(b <= 0, 0, y_bar * ricci::log(b)), y_bar * ricci::log(b)),
                        y_bar * (a / b));
    }
};
}  // namespace ops

/// a log(b), 0 where a is 0 unless b is NaN, broadcast; integers promoted to double. Derivatives log(b), 0 where a is 0
/// and b is not positive, and a / b (PyTorch's choice).
template <operand A, operand B>
RICCI_HD RICCI_INLINE constexpr auto xlogy(A&& a, B&& b) {
    return map<ops::xlogy>(std::forward<A>(a), std::forward<B>(b));
}
}  // namespace ricci

namespace ricci {

/// Keeps the reduced axes, with extent 1.
struct keepdims_t {};
inline constexpr keepdims_t keepdims{};
struct dropdims_t {};

template <class K>
concept keep_option = std::is_same_v<K, keepdims_t> || std::is_same_v<K, dropdims_t>;

namespace detail {

/// The axes of a reduction of an array of rank R, and the shapes that it leaves. N is their number, or -1 for all.
template <int R, int N, class Keep>
struct reduction_axes {
    static constexpr int count = N < 0 ? R : N;
    static_assert(count <= R, "ricci: more reduction axes than the array has");
    static constexpr int result_rank = std::is_same_v<Keep, keepdims_t> ? R : R - count;
    shape<R> padded;
    shape<result_rank> result;
    index_t reduced_count = 1;  // elements joined into one

    reduction_axes(const shape<R>& extents, const int* axes, const char* what) : padded(extents) {
        bool reduced[R + 1] = {};
        for (int i = 0; i < count; ++i) {
            const int d = N < 0 ? i : normalize_axis(axes[i], R, what);
            if (reduced[d]) detail::raise<index_error>({"[", what, "] axis ", d, " is named twice"});
            reduced[d] = true;
            reduced_count *= extents[d];
            padded[d] = 1;
        }
        int out = 0;
        for (int d = 0; d < R; ++d)
            if (result_rank == R || !reduced[d]) result[out++] = padded[d];
    }
};

/// The sum of the map `e` over the axes, in type T.
template <class T, class E, class Axes>
auto sum_over(const E& e, const Axes& axes) {
    const auto leaves = leaves_of(e);
    const auto tree = convert_node<T>(make_tree(e));
    const auto op =
        forward_op<E::rank, true, Axes::result_rank, decltype(slot_types(leaves))>(tree, axes.padded, axes.result);
    return unpack([&](const auto*... a) { return call1(op, *a...); }, leaves);
}

/// The type that sums and products of T are computed in: integers widen to 64 bits.
template <class T>
using sum_type = std::conditional_t<
    is_inexact_v<T>, T,
    std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, std::uint64_t, std::int64_t>>;

/// max, min: a reduction by a monoid other than addition, as an op on an array.
template <class Combine, int R, int Q>
struct extremum_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;
    static constexpr const char* name = "max";
    shape<R> padded;
    shape<Q> result;

    template <class T, class D>
    auto value(const tensor<T, R, D>& x) const {
        using U = std::remove_const_t<T>;
        return executor<D>::template run<Combine>(forward_op<R, true, Q, type_list<U>>(slot<0, U>{}, padded, result),
                                                  x);
    }
    /// Elements equal to the extremum share its adjoint evenly.
    template <class X>
    auto shares(const X& x) const {
        const auto hit = x == reshaped(call1(*this, x), padded);
        using T = typename X::value_type;
        const auto one = where(hit, T(1), T(0));
        return evaluate(one / sum_to(evaluate(one), padded));
    }
    template <class W, class D>
    auto shared(const W& weights, const D& x_dot) const {
        return reshaped(sum_to(evaluate(weights * x_dot), padded), result);
    }
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        return make_pack(evaluate(shares(*get<0>(inputs)) * reshaped(get<0>(bars), padded)));
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        const auto& x = *get<0>(inputs);
        return make_pack(call1(*this, x), shared(evaluate(shares(x)), *get<0>(tangents)));
    }
    template <int, class Active, class A, class... D>
    auto expansion(const pack<const A*>& inputs, const pack<const D*...>& series) const {
        const auto& x = *get<0>(inputs);
        const auto weights = evaluate(shares(x));
        return unpack([&](const auto*... c) { return make_pack(call1(*this, x), shared(weights, *c)...); }, series);
    }
    /// Every element may be the extremum.
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>&, const pack<const D*...>& marks) const {
        return make_pack(reshaped(sum_to(*get<0>(marks), padded), result));
    }
    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        const index_t b = a.shape()[0];
        return call(extremum_op<Combine, R + 1, Q + 1>{prefixed(b, padded), prefixed(b, result)}, a);
    }
};

template <class Combine, class E, class Axes>
auto extremum_over(const E& e, const Axes& axes, const char* what) {
    if (axes.reduced_count == 0 && axes.result.count() > 0)
        detail::raise<value_error>({"[", what, "] of an empty axis: shape ", e.shape(), " has no elements there"});
    if constexpr (all_plain<E>()) {
        const auto leaves = leaves_of(e);
        const auto op = forward_op<E::rank, true, Axes::result_rank, decltype(slot_types(leaves))>(
            make_tree(e), axes.padded, axes.result);
        return unpack(
            [&](const auto*... a) {
                return get<0>(executor<typename E::device_type>::template run<Combine>(op, *a...));
            },
            leaves);
    } else {
        return call1(extremum_op<Combine, E::rank, Axes::result_rank>{axes.padded, axes.result}, evaluate(e));
    }
}

/// The product along axis 0, by products of halves: every derivative is that of multiplication, exact where factors are zero.
template <class A>
auto product_of_halves(A a) {
    A odd;
    bool has_odd = false;
    while (a.shape()[0] > 1) {
        const index_t n = a.shape()[0], half = n / 2;
        if (n % 2) {
            const auto last = index(a, slice(n - 1, n));
            odd = has_odd ? evaluate(odd * last) : last;
            has_odd = true;
        }
        a = evaluate(index(a, slice(0, half)) * index(a, slice(half, 2 * half)));
    }
    return index(has_odd ? evaluate(a * odd) : a, 0);
}

template <int R>
constexpr shape<R - 1> dropped_first(const shape<R>& s) {
    shape<R - 1> t;
    for (int i = 1; i < R; ++i) t[i - 1] = s[i];
    return t;
}

template <class T, class E, class Axes>
auto product_over(const E& e, const Axes& axes, const int* numbers, int count) {
    if constexpr (all_plain<E>()) {
        const auto leaves = leaves_of(e);
        const auto op = forward_op<E::rank, true, Axes::result_rank, decltype(slot_types(leaves))>(
            convert_node<T>(make_tree(e)), axes.padded, axes.result);
        return unpack(
            [&](const auto*... a) {
                return get<0>(executor<typename E::device_type>::template run<combine_multiply>(op, *a...));
            },
            leaves);
    } else {
        // the reduced axes to the front, flattened into one
        constexpr int kept = E::rank - Axes::count;
        const auto a = evaluate(e);
        auto spec = identity_view(a.shape());
        shape<kept + 1> flat;
        int front = 0, back = Axes::count;
        for (int d = 0; d < E::rank; ++d) {
            bool reduced = count < 0;
            for (int i = 0; i < count; ++i) reduced = reduced || normalize_axis(numbers[i], E::rank, "prod") == d;
            const int to = reduced ? front++ : back++;
            spec.source[to] = d;
            spec.extents[to] = a.shape()[d];
            if (!reduced) flat[to - Axes::count + 1] = a.shape()[d];
        }
        flat[0] = axes.reduced_count;
        const auto rows = reshaped(view_of(a, spec), flat);
        if (axes.reduced_count == 0) return reshaped(evaluate(sum_to(rows, dropped_first(flat)) + T(1)), axes.result);
        return reshaped(product_of_halves(rows), axes.result);
    }
}

// Each reduction over the axes named by N numbers (all axes for N = -1).

template <int N, class Keep, class E>
auto sum_axes(const E& e, const int* axes) {
    return sum_over<sum_type<typename E::value_type>>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "sum"));
}
template <class A, class T>
auto divided(const A& a, T by) {
    return call1(scale_op<T, A::rank>(by, a.shape()), a);
}
template <int N, class Keep, class E>
auto mean_axes(const E& e, const int* axes) {
    using T = inexact_t<typename E::value_type>;
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, "mean");
    return divided(sum_over<T>(e, a), T(static_cast<real_t<T>>(a.reduced_count)));
}
template <int N, class Keep, class E>
auto max_axes(const E& e, const int* axes) {
    return extremum_over<combine_maximum>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "max"), "max");
}
template <int N, class Keep, class E>
auto min_axes(const E& e, const int* axes) {
    return extremum_over<combine_minimum>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "min"), "min");
}
template <int N, class Keep, class E>
auto prod_axes(const E& e, const int* axes) {
    return product_over<sum_type<typename E::value_type>>(e, reduction_axes<E::rank, N, Keep>(e.shape(), axes, "prod"),
                                                          axes, N);
}
/// Two passes, so that nothing cancels: the mean, then the mean square of the differences from it.
template <int N, class Keep, class E>
auto var_axes(const E& e, const int* axes, double correction, const char* what = "var") {
    using T = real_t<inexact_t<typename E::value_type>>;
    const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, what);
    const auto x = evaluate(e);
    const auto difference = x - mean_axes<N, keepdims_t>(x, axes);
    const double degrees = static_cast<double>(a.reduced_count) - correction;
    const T by = static_cast<T>(degrees > 0 ? degrees : 0);
    if constexpr (is_complex_v<typename E::value_type>)
        return divided(sum_over<T>(map<ops::squared_abs>(difference), a), by);
    else return divided(sum_over<T>(square(difference), a), by);
}
template <int N, class Keep, class E>
auto stddev_axes(const E& e, const int* axes, double correction) {
    return evaluate(sqrt(var_axes<N, Keep>(e, axes, correction, "stddev")));
}

/// An axis of any integer type; a template, so that braces, `sum(x, {0})`, mean the list of axes.
template <std::integral Axis>
constexpr int axis_number(Axis axis) {
    const auto wide = static_cast<long long>(axis);
    return wide == static_cast<int>(wide) ? static_cast<int>(wide)
                                          : std::numeric_limits<int>::max();  // out of range as well
}

template <class T, class E>
auto as_type(const E& e) {
    if constexpr (std::is_same_v<T, typename E::value_type>) return e;
    else return astype<T>(e);
}

}  // namespace detail

/// Sum of the elements; integers and bools are summed as 64-bit integers. The sum of no elements is 0. Floats are added in
/// blocks with a wider accumulator: the error does not grow with the number of elements as a plain loop's does.
template <expression E, keep_option Keep = dropdims_t>
auto sum(const E& x, Keep = {}) {
    return detail::sum_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto sum(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::sum_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto sum(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::sum_axes<N, Keep>(x, axes);
}

/// Arithmetic mean; integers give double. NaN of no elements.
template <expression E, keep_option Keep = dropdims_t>
auto mean(const E& x, Keep = {}) {
    return detail::mean_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto mean(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::mean_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto mean(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::mean_axes<N, Keep>(x, axes);
}

/// Largest element; NaN if any is NaN. Throws value_error when there is none. Elements that tie share the derivative evenly.
template <expression E, keep_option Keep = dropdims_t>
auto max(const E& x, Keep = {}) {
    return detail::max_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto max(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::max_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto max(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::max_axes<N, Keep>(x, axes);
}

/// Smallest element; NaN if any is NaN. Throws value_error when there is none. Elements that tie share the derivative evenly.
template <expression E, keep_option Keep = dropdims_t>
auto min(const E& x, Keep = {}) {
    return detail::min_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto min(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::min_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto min(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::min_axes<N, Keep>(x, axes);
}

/// Product of the elements; integers and bools as 64-bit integers. The product of no elements is 1. Derivatives are exact
/// also where elements are zero.
template <expression E, keep_option Keep = dropdims_t>
auto prod(const E& x, Keep = {}) {
    return detail::prod_axes<-1, Keep>(x, nullptr);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto prod(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::prod_axes<1, Keep>(x, &number);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto prod(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::prod_axes<N, Keep>(x, axes);
}

/// Variance, the mean square of the (of complex elements, absolute) differences from the mean, over n - correction (0: of the population, NumPy's and the
/// array API's default; 1: the unbiased estimate). Computed in two passes.
template <expression E, keep_option Keep = dropdims_t>
auto var(const E& x, Keep = {}, double correction = 0) {
    return detail::var_axes<-1, Keep>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto var(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::var_axes<1, Keep>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto var(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::var_axes<N, Keep>(x, axes, correction);
}

/// Standard deviation, the square root of var.
template <expression E, keep_option Keep = dropdims_t>
auto stddev(const E& x, Keep = {}, double correction = 0) {
    return detail::stddev_axes<-1, Keep>(x, nullptr, correction);
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto stddev(const E& x, Axis axis, Keep = {}, double correction = 0) {
    const int number = detail::axis_number(axis);
    return detail::stddev_axes<1, Keep>(x, &number, correction);
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto stddev(const E& x, const int (&axes)[N], Keep = {}, double correction = 0) {
    return detail::stddev_axes<N, Keep>(x, axes, correction);
}

/// Whether |a - b| <= absolute + relative * |b| holds for all elements, broadcast (NumPy's rule). NaN is close to nothing.
template <expression A, expression B>
bool allclose(const A& a, const B& b, double relative = 1e-5, double absolute = 1e-8) {
    using T = inexact_t<promote_t<typename A::value_type, typename B::value_type>>;
    const auto x = detail::as_type<T>(a);
    const auto y = detail::as_type<T>(b);
    const auto allowed = absolute + relative * abs(y);
    const auto near = (abs(x - y) <= allowed && allowed < std::numeric_limits<double>::infinity()) || x == y;
    return sum(!near).item() == 0;
}

}  // namespace ricci

namespace ricci {
namespace detail {

template <class X>
auto swapped(const X& x) {
    return matrix_transpose(x);
}

template <int RA, int RB>
void check_batches(const shape<RA>& a, const shape<RB>& b) {
    for (int i = 3; i <= RA && i <= RB; ++i)
        if (a[RA - i] != b[RB - i] && a[RA - i] != 1 && b[RB - i] != 1)
            detail::raise<shape_error>({"[matmul] the leading dimensions of a ", a, " and b ", b,
                                        " must broadcast: ", a[RA - i], " != ", b[RB - i]});
}

/// The product of matrices in the last two axes, the leading axes broadcast. RA, RB >= 2.
template <int RA, int RB>
struct matmul_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;
    static constexpr const char* name = "matmul";
    static constexpr int rank = RA > RB ? RA : RB;

    template <class A, class B>
    static shape<rank> result_shape(const A& a, const B& b) {
        shape<rank> batch = pad_front<rank>(a.shape());
        shape<rank> other = pad_front<rank>(b.shape());
        for (int i = rank - 2; i < rank; ++i) batch[i] = other[i] = 1;
        broadcast_into(batch, other);
        batch[rank - 2] = a.shape()[RA - 2];
        batch[rank - 1] = b.shape()[RB - 1];
        return batch;
    }
    template <class A, class B>
    auto value(const A& a, const B& b) const {
        using D = typename A::device_type;
        auto c = tensor<typename A::value_type, rank, D>::uninitialized(result_shape(a, b));
        executor<D>::matmul(a, b, c);
        return make_pack(c);
    }
    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        const auto& c_bar = get<0>(bars);
        auto a_bar = [&] { return sum_to(call1(matmul_op<C::rank, RB>{}, c_bar, swapped(b)), a.shape()); };
        auto b_bar = [&] { return sum_to(call1(matmul_op<RA, C::rank>{}, swapped(a), c_bar), b.shape()); };
        if constexpr (Active::at[0] && Active::at[1]) return make_pack(a_bar(), b_bar());
        else if constexpr (Active::at[0]) return make_pack(a_bar());
        else return make_pack(b_bar());
    }
    template <class Active, class A, class B, class... D>
    auto pushforward(const pack<const A*, const B*>& inputs, const pack<const D*...>& tangents) const {
        const auto& a = *get<0>(inputs);
        const auto& b = *get<1>(inputs);
        auto y = call1(*this, a, b);
        if constexpr (Active::at[0] && Active::at[1])
            return make_pack(y, evaluate(call1(*this, *get<0>(tangents), b) + call1(*this, a, *get<1>(tangents))));
        else if constexpr (Active::at[0]) return make_pack(y, call1(*this, *get<0>(tangents), b));
        else return make_pack(y, call1(*this, a, *get<0>(tangents)));
    }
    /// As if no factor were zero.
    template <class Active, class A, class B, class... D>
    auto dependence(const pack<const A*, const B*>& inputs, const pack<const D*...>& marks) const {
        const A a = constant_array<A>(get<0>(inputs)->shape(), 1);
        const B b = constant_array<B>(get<1>(inputs)->shape(), 1);
        return make_pack(get<1>(pushforward<Active>(pack<const A*, const B*>{{{&a}, {&b}}}, marks)));
    }
    /// The product of two series (Cauchy's): coefficient k is the sum of a_j b_(k-j).
    template <int Degree, class Active, class A, class B, class... D>
    auto expansion(const pack<const A*, const B*>& inputs, const pack<const D*...>& series) const {
        const auto a = coefficients<Degree, Active::at[0], 0>(*get<0>(inputs), series);
        const auto b = coefficients<Degree, Active::at[1], Active::at[0] ? Degree : 0>(*get<1>(inputs), series);
        return generate<Degree + 1>([&](auto k) {
            if constexpr (!Active::at[0]) return call1(*this, get<0>(a), get<k()>(b));
            else if constexpr (!Active::at[1]) return call1(*this, get<k()>(a), get<0>(b));
            else
                return transform_indices<k() + 1>([&](auto j) { return call1(*this, get<j()>(a), get<k() - j()>(b)); },
                                                  [](const auto&... product) { return evaluate((product + ...)); });
        });
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        constexpr int a_rank = Mapped::at[0] ? rank + 1 : RA, b_rank = Mapped::at[1] ? rank + 1 : RB;
        if constexpr (Mapped::at[0] && Mapped::at[1])
            return call(matmul_op<a_rank, b_rank>{}, pad_after_first<a_rank>(a), pad_after_first<b_rank>(b));
        else if constexpr (Mapped::at[0]) return call(matmul_op<a_rank, b_rank>{}, pad_after_first<a_rank>(a), b);
        else return call(matmul_op<a_rank, b_rank>{}, a, pad_after_first<b_rank>(b));
    }

   private:
    /// The value of an argument, with its series if it has one, which begins at First.
    template <int Degree, bool Varies, int First, class X, class Series>
    static auto coefficients(const X& x, const Series& series) {
        if constexpr (!Varies) return make_pack(x);
        else return concat(make_pack(x), generate<Degree>([&](auto k) { return *get<First + k()>(series); }));
    }
};

template <class T, class E>
auto evaluate_as(const E& e) {
    if constexpr (std::is_same_v<T, typename E::value_type>) return evaluate(e);
    else return evaluate(astype<T>(e));
}

}  // namespace detail

/// Matrix product by NumPy's rules: the last axis of `a` against the second to last of `b` (the only one of a vector), the
/// leading axes broadcast; a vector's missing axis does not appear in the result. Elements in their common type.
/// Throws shape_error when the contracted extents differ.
template <expression A, expression B>
auto matmul(const A& a, const B& b) {
    static_assert(A::rank >= 1 && B::rank >= 1, "ricci: matmul needs arrays of rank 1 or more; use * with scalars");
    using T = promote_t<typename A::value_type, typename B::value_type>;
    const auto x = detail::evaluate_as<T>(a);
    const auto y = detail::evaluate_as<T>(b);
    constexpr int inner = B::rank == 1 ? 0 : B::rank - 2;
    if (x.shape()[A::rank - 1] != y.shape()[inner])
        detail::raise<shape_error>({"[matmul] the last dimension of a ", x.shape(), " must match the ",
                                    B::rank == 1 ? "only" : "second to last", " of b ", y.shape(), ": ",
                                    x.shape()[A::rank - 1], " != ", y.shape()[inner]});
    if constexpr (A::rank > 2 && B::rank > 2) detail::check_batches(x.shape(), y.shape());
    if constexpr (A::rank == 1 && B::rank == 1) return sum(x * y);
    else if constexpr (A::rank == 1) return index(matmul(index(x, newaxis, all), y), ellipsis, 0, all);
    else if constexpr (B::rank == 1) return index(matmul(x, index(y, all, newaxis)), ellipsis, 0);
    else return detail::call1(detail::matmul_op<A::rank, B::rank>{}, x, y);
}

}  // namespace ricci

namespace ricci {
namespace detail {

/// Arrays one after the other along an axis. `begin[i]` is where the i-th starts, the last entry where all end. Linear: its
/// derivative is itself, its transpose gives each array the view of its part.
template <int R>
struct concat_op {
    static constexpr const char* name = "concat";
    int axis;
    std::vector<index_t> begin;
    shape<R> extents;

    /// The view of the i-th array's part.
    view_op<R, R> part(std::size_t i) const {
        auto spec = identity_view(extents);
        spec.start[axis] = begin[i];
        spec.extents[axis] = begin[i + 1] - begin[i];
        return {spec, extents};
    }
    template <class T, class D>
    auto value(const std::vector<tensor<T, R, D>>& list) const {
        const auto y = tensor<std::remove_const_t<T>, R, D>::uninitialized(extents);
        for (std::size_t i = 0; i < list.size(); ++i) executor<D>::copy(list[i], apply_view(part(i).spec, y));
        return y;
    }
    concat_op<R + 1> batched(index_t batch) const { return {axis + 1, begin, prefixed(batch, extents)}; }
};

/// Checked, and applied to arrays of one type.
template <class A>
auto concat_list(const std::vector<A>& list, int at, const char* who) {
    static_assert(A::rank >= 1, "ricci: concat needs arrays of rank 1 or more; stack joins scalars");
    if (list.empty()) detail::raise<value_error>({"[", who, "] needs at least one array"});
    concat_op<A::rank> op{normalize_axis(at, A::rank, who), {0}, list[0].shape()};
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto extents = list[i].shape();
        op.begin.push_back(op.begin.back() + extents[op.axis]);
        extents[op.axis] = op.extents[op.axis];
        if (!(extents == op.extents))
            detail::raise<shape_error>({"[", who, "] the arrays must agree in every axis but axis ", op.axis, ": array ",
                                        index_t(i), " has shape ", list[i].shape(), ", array 0 has ", list[0].shape()});
    }
    op.extents[op.axis] = op.begin.back();
    return call_list(op, list);
}

template <class L>
inline constexpr bool is_array_sequence = false;
template <expression E>
inline constexpr bool is_array_sequence<std::vector<E>> = true;
template <expression E, std::size_t N>
inline constexpr bool is_array_sequence<std::array<E, N>> = true;
template <expression... E>
inline constexpr bool is_array_sequence<std::tuple<E...>> = true;
/// A list of arrays: a vector or a std::array of one type, or a tuple of several.
template <class L>
concept array_sequence = is_array_sequence<L>;

/// The arrays to join, evaluated, of one type: the common element type under all of their wrappers.
template <class E>
auto array_list(const E* list, std::size_t count) {
    using A = std::remove_cvref_t<decltype(evaluate(*list))>;
    std::vector<A> arrays;
    arrays.reserve(count);
    for (std::size_t i = 0; i < count; ++i) arrays.push_back(evaluate(list[i]));
    return arrays;
}
template <class First, class... E>
auto array_list(const std::tuple<First, E...>& list) {
    static_assert(((First::rank == E::rank) && ...), "ricci: arrays to join must have the same rank");
    using T = common_t<typename First::value_type, typename E::value_type...>;
    return std::apply(
        [](const auto&... x) {
            const auto arrays = make_pack(evaluate_as<T>(x)...);
            return unpack(
                [](const auto&... a) {
                    using chain = chain_of_t<std::remove_cvref_t<decltype(a)>...>;
                    return std::vector{lift(chain{}, a)...};
                },
                arrays);
        },
        list);
}
template <class E>
auto array_list(const std::vector<E>& list) {
    return array_list(list.data(), list.size());
}
template <class E, std::size_t N>
auto array_list(const std::array<E, N>& list) {
    return array_list(list.data(), N);
}

/// A new axis of extent 1 as axis `at`. A view.
template <class A>
auto unsqueeze(const A& a, int at) {
    view_spec<A::rank, A::rank + 1> spec;
    for (int d = 0; d <= A::rank; ++d) {
        spec.step[d] = 1;
        spec.source[d] = d == at ? -1 : d - (d > at);
        spec.extents[d] = d == at ? 1 : a.shape()[spec.source[d]];
    }
    return view_of(a, spec);
}
template <class A>
auto stack_list(const std::vector<A>& list, int at, const char* who) {
    if (list.empty()) detail::raise<value_error>({"[", who, "] needs at least one array"});
    const int axis = normalize_axis(at, A::rank + 1, who);
    std::vector<std::remove_cvref_t<decltype(unsqueeze(list[0], axis))>> parts;
    parts.reserve(list.size());
    for (const auto& a : list) {
        if (!(a.shape() == list[0].shape()))
            detail::raise<shape_error>({"[", who, "] the arrays must have the same shape: array ", index_t(parts.size()),
                                        " has ", a.shape(), ", array 0 has ", list[0].shape()});
        parts.push_back(unsqueeze(a, axis));
    }
    return concat_list(parts, axis, who);
}
template <class A>
auto flatten_list(const std::vector<A>& list) {
    std::vector<std::remove_cvref_t<decltype(reshaped(list[0], shape<1>{}))>> flat;
    for (const auto& a : list) flat.push_back(reshaped(a, shape<1>{a.size()}));
    return concat_list(flat, 0, "concat");
}

}  // namespace detail

/// The arrays of a list one after the other along an axis that they have: concat({a, b}, 1), concat(rc::tuple(a, b)) for
/// arrays of several types, or a std::vector or std::array of them. Their shapes agree but for that axis; element types are
/// promoted. Throws shape_error when shapes differ otherwise, index_error for an axis out of range, value_error for an
/// empty list. Linear: the adjoint of each array is its part of the result's.
template <detail::array_sequence List>
auto concat(const List& arrays, int axis = 0) {
    return detail::concat_list(detail::array_list(arrays), axis, "concat");
}
template <expression E, std::size_t N>
auto concat(const E (&arrays)[N], int axis = 0) {
    return detail::concat_list(detail::array_list(arrays, N), axis, "concat");
}
/// With `none` for an axis, all elements of arrays of any one rank, flattened.
template <detail::array_sequence List>
auto concat(const List& arrays, none_t) {
    return detail::flatten_list(detail::array_list(arrays));
}
template <expression E, std::size_t N>
auto concat(const E (&arrays)[N], none_t) {
    return detail::flatten_list(detail::array_list(arrays, N));
}

/// The arrays of a list, given as concat's and all of one shape, along a new axis at position `axis` of the result. Throws
/// shape_error when their shapes differ, index_error for an axis out of range, value_error for an empty list. Linear.
template <detail::array_sequence List>
auto stack(const List& arrays, int axis = 0) {
    return detail::stack_list(detail::array_list(arrays), axis, "stack");
}
template <expression E, std::size_t N>
auto stack(const E (&arrays)[N], int axis = 0) {
    return detail::stack_list(detail::array_list(arrays, N), axis, "stack");
}

}  // namespace ricci

namespace ricci {

/// What vmap does when an op has no batching rule, so that it must be called once for each member of the batch: nothing,
/// a note on standard error (once for each such op), or a value_error.
enum class vmap_fallback { silent, note, error };

namespace detail {

inline vmap_fallback& fallback_setting() {
    static thread_local vmap_fallback setting = vmap_fallback::note;
    return setting;
}
/// `noted` is the op's own: whether it was spoken of before.
RICCI_NOINLINE inline void report_fallback(const char* op, index_t size, std::atomic<bool>& noted) {
    if (fallback_setting() == vmap_fallback::silent) return;
    if (fallback_setting() == vmap_fallback::error)
        raise<value_error>({"[vmap] ", op, " has no batching rule and would be called ", size,
                            " times; set_vmap_fallback(vmap_fallback::note) allows that"});
    if (!noted.exchange(true))
        std::fprintf(stderr,
                     "ricci: [vmap] %s has no batching rule: it is called for each member of the batch (here %lld)\n",
                     op, static_cast<long long>(size));
}

/// op on each member of a batch, the results stacked: arrays of any wrappers, the members of the mapped ones in front.
template <class Mapped, class Op, class... A>
auto call_members(const Op& op, const A&... a) {
    static std::atomic<bool> noted{false};
    const auto refs = make_pack(&a...);
    index_t size = 1;
    for_indices<sizeof...(A)>([&](auto i) {
        if constexpr (Mapped::at[i()]) size = get<i()>(refs)->shape()[0] == 1 ? size : get<i()>(refs)->shape()[0];
    });
    report_fallback(Op::name, size, noted);
    const auto member = [&](index_t m) {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                const auto& x = *get<i()>(refs);
                if constexpr (Mapped::at[i()]) return index(x, x.shape()[0] == 1 ? 0 : m);
                else return x;
            },
            [&](const auto&... x) { return call1(op, x...); });
    };
    using Y = decltype(member(0));
    if (size == 0) return make_pack(constant_array<decltype(stack_list(std::vector<Y>{}, 0, ""))>({}, 0));
    std::vector<Y> results;
    results.reserve(static_cast<std::size_t>(size));
    for (index_t m = 0; m < size; ++m) {
        results.push_back(member(m));
        if (!(results[static_cast<std::size_t>(m)].shape() == results[0].shape()))
            raise<shape_error>({"[vmap] ", Op::name, " gave shape ", results.back().shape(), " for member ", m, " and ",
                                results[0].shape(), " for the first"});
    }
    return make_pack(stack_list(results, 0, "vmap"));
}

}  // namespace detail

/// What vmap does, on this thread, about ops without a batching rule; a note at first. Gives the setting before.
inline vmap_fallback set_vmap_fallback(vmap_fallback setting) {
    return std::exchange(detail::fallback_setting(), setting);
}

}  // namespace ricci

namespace ricci {

template <array A, class Tag>
class batched;

/// The rule of vmap. Tag (the mapped function's type) tells nested vmaps apart.
template <class Tag>
struct batch_by {
    static constexpr const char* name = "vmap";
    static constexpr bool differentiates = false;
    static constexpr int priority = 3;
    static constexpr bool hands_on_windows = true;
    template <class Inner>
    using wrapped = batched<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = batch_by;
        const level_t level = detail::checked_level<W>(a...);
        using mapped = detail::activity<detail::wrapped_by_v<W, A>...>;
        return detail::unpack(
            [&](const auto&... r) {
                return detail::make_pack(batched<std::remove_cvref_t<decltype(r)>, Tag>(r, level)...);
            },
            call_inside<mapped>(op, detail::peel<W>(a)...));
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<batch_by>(list);
        index_t batch = 1;
        for (const A& a : list) batch = a.inner().shape()[0] == 1 ? batch : a.inner().shape()[0];
        std::vector<typename A::inner_type> inner;
        inner.reserve(list.size());
        for (const A& a : list) inner.push_back(expand(a.inner(), detail::prefixed(batch, a.shape())));
        return rewrapped(detail::call_list(op.batched(batch), inner), level);
    }
    /// By the op's batching rule, or member by member.
    template <class Mapped, class Op, class... A>
    static auto call_inside(const Op& op, const A&... a) {
        if constexpr (requires { op.template call_batched<Mapped>(a...); })
            return op.template call_batched<Mapped>(a...);
        else return detail::call_members<Mapped>(op, a...);
    }
    /// An array with the batch in front as one under this vmap.
    template <class A>
    static auto rewrapped(const A& inner, level_t level) {
        return batched<A, Tag>(inner, level);
    }
    /// The same values in every member of the batch: a batch axis of extent 1, which broadcasts.
    template <class A>
    static auto constant(const A& a) {
        auto inner = detail::unsqueeze_front(a);
        return batched<decltype(inner), Tag>(inner, 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return A(detail::constant_array<typename A::inner_type>(detail::prefixed(1, extents), value), 0);
    }
};

/// An array under vmap: `inner()` has the mapped axis in front, of extent 1 when all members share the values.
template <array A, class Tag>
class batched : public indexable<batched<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = batch_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank - 1;
    static constexpr bool is_array = true;

    batched() = default;
    batched(A inner, level_t level) : inner_(std::move(inner)), level_(level) {
        for (int d = 0; d < rank; ++d) extents_[d] = inner_.shape()[d + 1];
    }
    const A& inner() const { return inner_; }
    level_t level() const { return level_; }
    level_t inner_level() const { return inner_.level(); }
    /// The extents that the mapped function sees.
    const ricci::shape<rank>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return rank; }

    template <class F>
    auto with_inner(const F& f) const {
        auto inner = f(inner_);
        return batched<decltype(inner), Tag>(inner, level_);
    }

   private:
    A inner_;
    level_t level_ = 0;
    ricci::shape<rank> extents_{};
};

}  // namespace ricci
// ---- ricci/vmap/chunks.hpp
// Mapping a batch piece by piece: results written where they belong as they come.

// ---- ricci/core/randomness.hpp
// Random numbers under vmap: what a mapped function may draw, and which numbers each member of the batch gets.

namespace ricci {

/// What drawing random numbers inside a mapped function does: it is refused; each member of the batch gets numbers of
/// its own; or all get the same.
enum class randomness { error, different, same };

namespace detail {

/// Tells wrappers apart at run time.
template <class W>
inline char wrapper_identity = 0;

/// A vmap in progress on this thread. Its batch may come in chunks; the numbers do not depend on how: the first chunk
/// reserves them for the whole batch, and the others find them in the list of what was reserved.
class mapped_frame {
   public:
    mapped_frame(randomness draws, const void* wrapper, std::uint64_t depth, index_t members)
        : mode(draws), identity(wrapper), level(depth), size(members) {}
    mapped_frame(const mapped_frame&) = delete;
    mapped_frame& operator=(const mapped_frame&) = delete;

    const randomness mode;
    const void* const identity;  // of the wrapper
    const std::uint64_t level;
    const index_t size;             // of the batch
    index_t first = 0, count = 0;   // the members in this chunk
    const mapped_frame* outer() const { return outer_; }

    static mapped_frame*& innermost() {
        static thread_local mapped_frame* frame = nullptr;
        return frame;
    }
    /// The mapped function is being called for the members first ... first + count - 1.
    class call {
       public:
        call(mapped_frame& frame, index_t first, index_t count) : frame_(frame) {
            frame.first = first;
            frame.count = count;
            frame.next_ = 0;
            frame.outer_ = innermost();
            innermost() = &frame;
        }
        call(const call&) = delete;
        call& operator=(const call&) = delete;
        ~call() { innermost() = frame_.outer_; }

       private:
        mapped_frame& frame_;
    };

    /// Reserves `n` elements of the generator's stream, once for all chunks of every vmap in progress; the index of the
    /// first.
    static std::uint64_t reserve(generator& g, std::uint64_t n) { return reserve_in(innermost(), g, n); }

   private:
    static std::uint64_t reserve_in(mapped_frame* frame, generator& g, std::uint64_t n) {
        if (!frame) return g.advance(n);
        auto& list = frame->reserved_;
        if (frame->next_ == list.size()) list.push_back(reserve_in(frame->outer_, g, n));
        return list[frame->next_++];
    }

    mapped_frame* outer_ = nullptr;
    std::vector<std::uint64_t> reserved_;
    std::size_t next_ = 0;
};

/// Reserves numbers that all members share. Throws value_error inside a vmap that does not want that.
inline std::uint64_t reserve_shared(generator& g, index_t n, const char* who) {
    for (const mapped_frame* f = mapped_frame::innermost(); f; f = f->outer()) {
        if (f->mode == randomness::error)
            detail::raise<value_error>({"[", who, "] random numbers inside vmap: give vmap the option {.randomness = "
                                        "randomness::same} for one draw that all members share, or randomness::different and "
                                        "draw with ", who, "_like(x) of a mapped x"});
        if (f->mode == randomness::different)
            detail::raise<value_error>({"[", who, "] inside vmap with randomness::different gives every member the same numbers: "
                                        "draw with ", who, "_like(x) of a mapped x"});
    }
    return mapped_frame::reserve(g, static_cast<std::uint64_t>(n));
}

}  // namespace detail
}  // namespace ricci

namespace ricci {

/// How vmap, and the Jacobians that are vmaps, go about it: vmap(f, in_axes(0), {.chunk_size = 64}).
struct vmap_options {
    static constexpr index_t whole = std::numeric_limits<index_t>::max();
    /// At most so many members of the batch are computed at once: less memory, the same result.
    index_t chunk_size = whole;
    /// What random numbers drawn inside mean (ops/random_like.hpp).
    ricci::randomness randomness = ricci::randomness::error;
};

namespace detail {

/// The results of the chunks as one array: plain ones are copied into place at once and kept no longer, those under an outer
/// transform are joined by concat when all are there.
template <class Y>
class joined_chunks {
    static constexpr bool plain = std::is_void_v<typename Y::wrapper>;

   public:
    void add(const Y& part, int axis, index_t first, index_t size) {
        axis_ = axis;
        if constexpr (plain) {
            auto extents = part.shape();
            if (first == 0) {
                extents[axis] = size;
                whole_ = decltype(whole_)::uninitialized(extents);
            }
            auto spec = identity_view(part.shape());
            spec.start[axis] = first;
            executor<typename Y::device_type>::copy(part, apply_view(spec, whole_));
        } else {
            parts_.push_back(part);
        }
    }
    Y take() const {
        if constexpr (plain) return Y(whole_.memory(), whole_.data(), whole_.shape(), whole_.strides());
        else return lift(chain_of_t<Y>{}, concat_list(parts_, axis_, "vmap"));
    }

   private:
    struct none_whole {};
    template <class X>
    struct plain_of {
        using type = none_whole;
    };
    template <class T, int R, class D>
    struct plain_of<tensor<T, R, D>> {
        using type = tensor<std::remove_const_t<T>, R, D>;
    };
    int axis_ = 0;
    [[no_unique_address]] typename plain_of<Y>::type whole_{};
    std::vector<Y> parts_;
};

/// The axis of each array in results of type Y, from one axis for all of them or one for each member.
template <class Y, class... Axis>
auto result_axes(const std::tuple<Axis...>& out) {
    static_assert(sizeof...(Axis) == 1 || !expression<Y>, "ricci: out_axes names more axes than the function has results");
    static_assert(sizeof...(Axis) == 1 || sizeof...(Axis) == structure<Y>::parts,
                  "ricci: out_axes needs one axis for each result, or one for all");
    const auto given = std::apply([](auto... axis) { return std::array{static_cast<int>(axis)...}; }, out);
    std::array<int, structure<Y>::count> axes{};
    if constexpr (sizeof...(Axis) == 1) {
        axes.fill(given[0]);
    } else {
        for (int m = 0; m < structure<Y>::parts; ++m)
            for (int k = structure<Y>::before(m); k < structure<Y>::before(m + 1); ++k) axes[k] = given[m];
    }
    return axes;
}

/// No options, known at compile time: nothing of what follows is compiled.
struct no_options {
    static constexpr ricci::randomness randomness = ricci::randomness::error;
};

/// `part(first, count)`, an array or a structure of them whose mapped axes are at `out`, for a batch of `size` members.
template <class Out, class Part>
auto in_chunks(no_options, index_t size, const Out&, const Part& part) {
    return part(index_t(0), size);
}
template <class Out, class Part>
auto in_chunks(const vmap_options& options, index_t size, const Out& out, const Part& part) {
    const index_t most = options.chunk_size;
    if (most < 1) detail::raise<value_error>({"[vmap] chunk_size must be at least 1: ", most});
    if (size <= most) return part(index_t(0), size);
    using Y = std::remove_cvref_t<decltype(part(size, size))>;
    using results = decltype(structure<Y>::arrays(std::declval<const Y&>()));
    const auto axes = result_axes<Y>(out);
    auto joined = generate<results::size>([](auto k) { return joined_chunks<pack_element_t<k(), results>>(); });
    for (index_t first = 0; first < size; first += most) {
        const index_t count = size - first < most ? size - first : most;
        const auto arrays = structure<Y>::arrays(part(first, count));
        for_indices<results::size>([&](auto k) {
            using R = pack_element_t<k(), results>;
            get<k()>(joined).add(get<k()>(arrays), normalize_axis(axes[k()], R::rank, "vmap"), first, size);
        });
    }
    return structure<Y>::template at<0>(generate<results::size>([&](auto k) { return get<k()>(joined).take(); }));
}

}  // namespace detail
}  // namespace ricci

namespace ricci {

template <class... Axis>
struct axes_t {
    std::tuple<Axis...> axis;
};

/// Which axis of each argument vmap maps over; `none` for an argument that all calls share. Negative axes count from the end.
template <class... Axis>
axes_t<Axis...> in_axes(Axis... axis) {
    return {{axis...}};
}
/// Where vmap puts the mapped axis in each result.
template <class... Axis>
axes_t<Axis...> out_axes(Axis... axis) {
    return {{axis...}};
}

namespace detail {

template <class Axis>
inline constexpr bool is_mapped = !std::is_same_v<Axis, none_t>;

/// Result of a mapped function with the mapped axis back in its shape, wherever among the wrappers it is.
template <class W, class Y>
auto leave_batch(const Y& y, int out_axis, index_t size, int depth = 0) {
    if constexpr (!has_wrapper<W, Y>()) {
        return leave_batch<W>(W::constant(y), out_axis, size, depth);
    } else if constexpr (wrapped_by_v<W, Y>) {
        const auto& inner = y.inner();
        using I = std::remove_cvref_t<decltype(inner)>;
        const int to = depth + normalize_axis(out_axis, I::rank - depth, "vmap");
        shape<I::rank> full = inner.shape();
        full[0] = size;
        return move_axis(expand(inner, full), 0, to);
    } else {
        return y.with_inner([&](const auto& inner) {
            return leave_batch<W>(inner, out_axis, size,
                                  depth + (std::remove_cvref_t<decltype(inner)>::rank - Y::rank));
        });
    }
}

/// The same for each array in a function's result, which may be a tuple or a struct of them.
template <class W, class Y, class Out>
auto leave_results(const Y& y, const Out& out, index_t size) {
    const auto axes = result_axes<Y>(out);
    const auto arrays = structure<Y>::arrays(y);
    return structure<Y>::template at<0>(generate<structure<Y>::count>(
        [&](auto k) { return leave_batch<W>(get<k()>(arrays), axes[static_cast<std::size_t>(k())], size); }));
}

template <class Axes>
constexpr unsigned mapped_mask() {
    return []<int... I>(std::integer_sequence<int, I...>) {
        return (0u | ... | (is_mapped<std::tuple_element_t<I, Axes>> ? 1u << I : 0u));
    }(std::make_integer_sequence<int, std::tuple_size_v<Axes>>{});
}

/// The length of the mapped axes.
template <class Axes, class... A>
index_t batch_size(const Axes& in, const pack<A...>& args) {
    index_t size = -1;
    for_indices<sizeof...(A)>([&](auto i) {
        using X = pack_element_t<i(), pack<A...>>;
        if constexpr (is_mapped<std::tuple_element_t<i(), Axes>>) {
            const index_t n = get<i()>(args).shape()[normalize_axis(std::get<i()>(in), X::rank, "vmap")];
            if (size >= 0 && n != size)
                detail::raise<shape_error>({"[vmap] the mapped axes differ in size: ", size, " and ", n});
            size = n;
        }
    });
    return size;
}
/// The arguments with their mapped axes in front.
template <class Axes, class... A>
auto batch_in_front(const Axes& in, const pack<A...>& args) {
    return generate<sizeof...(A)>([&](auto i) {
        const auto& a = get<i()>(args);
        if constexpr (is_mapped<std::tuple_element_t<i(), Axes>>) {
            const int axis = normalize_axis(std::get<i()>(in), pack_element_t<i(), pack<A...>>::rank, "vmap");
            return axis == 0 ? a : move_axis(a, axis, 0);
        } else {
            return a;
        }
    });
}
/// The members first ... first + count - 1 of a batch. A view.
template <class A>
auto members_of(const A& a, index_t first, index_t count) {
    auto spec = identity_view(a.shape());
    spec.start[0] = first;
    spec.extents[0] = count;
    return view_of(a, spec);
}

/// f of a whole batch, or of a chunk of one, whose arguments have the mapped axis in front; those in Mapped are mapped.
template <unsigned Mapped, class F, class Out, class... A>
auto vmap_members(const F& f, const Out& out, level_t level, index_t size, const pack<A...>& args) {
    using W = batch_by<F>;
    using chain = typename entry_chain<W, F, entered<W, Mapped, A...>, A...>::type;
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        auto lifted = lift(chain{}, get<i()>(args));
        if constexpr ((Mapped >> i()) & 1) return batched<decltype(lifted), F>(lifted, level);
        else return lifted;
    });
    const auto y = unpack([&](const auto&... x) { return evaluate_result(f(x...)); }, inside);
    return leave_results<W>(y, out, size);
}

/// f mapped over a batch of `size` members, of which `arguments(first, count)` gives a part: the arguments of vmap_members.
template <unsigned Mapped, class F, class Out, class Options, class Arguments>
auto vmap_batch(const F& f, const Out& out, const Options& options, index_t size, const Arguments& arguments) {
    const transform_scope scope;
    mapped_frame frame(options.randomness, &wrapper_identity<batch_by<F>>, scope.level, size);
    return in_chunks(options, size, out, [&](index_t first, index_t count) {
        const auto args = arguments(first, count);
        const mapped_frame::call in_progress(frame, first, count);
        return vmap_members<Mapped>(f, out, scope.level, count, args);
    });
}

template <class F, class Axes, class Out, class Options, class... A>
auto vmap_call(const F& f, const Axes& in, const Out& out, const Options& options, const A&... args) {
    static_assert(std::tuple_size_v<Axes> == sizeof...(A), "ricci: in_axes needs one axis, or none, for each argument");
    constexpr unsigned mapped = mapped_mask<Axes>();
    static_assert(mapped != 0, "ricci: vmap needs at least one mapped argument");
    constexpr unsigned scalars = [] {
        unsigned bits = 0, bit = 1;
        ((bits |= A::rank == 0 ? bit : 0, bit <<= 1), ...);
        return bits;
    }();
    static_assert((mapped & scalars) == 0, "ricci: vmap cannot map over a scalar argument: use none");
    const auto all = make_pack(args...);
    const index_t size = batch_size(in, all);
    const auto moved = batch_in_front(in, all);
    return vmap_batch<mapped>(f, out, options, size, [&](index_t first, index_t count) {
        if constexpr (std::is_same_v<Options, no_options>) {
            return moved;
        } else {
            return generate<sizeof...(A)>([&](auto i) {
                if constexpr ((mapped >> i()) & 1) return members_of(get<i()>(moved), first, count);
                else return get<i()>(moved);
            });
        }
    });
}
/// The axis of an argument, for each of its arrays.
template <int Count, class Axis>
auto repeated_axis(const Axis& axis) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return std::make_tuple((static_cast<void>(I), axis)...); }
    (std::make_integer_sequence<int, Count>{});
}
/// vmap_call for arguments that may be structures of arrays.
template <class F, class... In, class Out, class Options, class... S>
auto structured_vmap(const F& f, const std::tuple<In...>& in, const Out& out, const Options& options, const S&... args) {
    if constexpr (all_operands_v<S...>) {
        return vmap_call(f, in, out, options, as_array(args)...);
    } else {
        static_assert(sizeof...(In) == sizeof...(S), "ricci: in_axes needs one axis, or none, for each argument");
        const auto axes =
            std::apply([](const auto&... axis) { return std::tuple_cat(repeated_axis<structure<S>::count>(axis)...); }, in);
        const flat_function<F, S...> flat{f};
        return with_arrays([&](const auto&... a) { return vmap_call(flat, axes, out, options, a...); }, args...);
    }
}

template <class F, class In, class Out, class Options>
auto make_vmap(const F& f, const In& in, const Out& out, const Options& options) {
    return [f, in, out, options](const auto&... args) { return structured_vmap(f, in, out, options, args...); };
}
/// The same axis for every argument.
template <class F, class Options>
auto make_vmap(const F& f, int in, int out, const Options& options) {
    return [f, in, out, options](const auto&... args) {
        return structured_vmap(f, std::make_tuple((static_cast<void>(args), in)...), std::make_tuple(out), options, args...);
    };
}
}  // namespace detail

/// `f` mapped over an axis of its arguments: vmap(f, in_axes(none, 0))(w, X) calls f(w, X[i]) for all i at once, with batched
/// operations and no loop. Results have the mapped axis at `out`. Nests, and composes with grad, vjp and jvp in any order.
/// Without in_axes, axis 0 of every argument is mapped. Arguments and results may be tuples, arrays or structs of arrays
/// (expr/structure.hpp): one axis for an argument is that of all its arrays, one axis for the results that of all of them.
/// The last argument may be vmap_options, {.chunk_size = 64, .randomness = randomness::different}: the batch in chunks,
/// which bound the memory and leave the result as it is; and what random numbers drawn by `f` mean.
/// Throws shape_error when mapped axes differ in size, index_error for an axis out of range, value_error for a chunk_size
/// below 1.
template <class F, class... In, class... Out>
auto vmap(F f, axes_t<In...> in, axes_t<Out...> out) {
    return detail::make_vmap(f, in.axis, out.axis, detail::no_options{});
}
template <class F, class... In, class... Out>
auto vmap(F f, axes_t<In...> in, axes_t<Out...> out, vmap_options options) {
    return detail::make_vmap(f, in.axis, out.axis, options);
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, int out = 0) {
    return vmap(f, in, out_axes(out));
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, int out, vmap_options options) {
    return vmap(f, in, out_axes(out), options);
}
template <class F, class... In>
auto vmap(F f, axes_t<In...> in, vmap_options options) {
    return vmap(f, in, out_axes(0), options);
}
template <class F>
auto vmap(F f, int axis = 0, int out = 0) {
    return detail::make_vmap(f, axis, out, detail::no_options{});
}
template <class F>
auto vmap(F f, int axis, int out, vmap_options options) {
    return detail::make_vmap(f, axis, out, options);
}
template <class F>
auto vmap(F f, vmap_options options) {
    return detail::make_vmap(f, 0, 0, options);
}

}  // namespace ricci
// ---- ricci/grad/transforms.hpp
// The function transforms of reverse and forward mode: grad, value_and_grad, vjp, jvp, hvp.
// ---- ricci/grad/dual_tensor.hpp
// The wrapper of jvp: an array with its tangent.

namespace ricci {

template <array A, class Tag>
class dual_tensor;

namespace detail {

/// How jvp takes tangents through an op: by the op's own rule, unless Tag, which marks the function, has another one
/// (grad/dependence.hpp).
template <class Tag>
struct push_rule {
    static constexpr bool hands_on_windows = true;
    template <class Active, class Op, class Inputs, class Tangents>
    static auto push(const Op& op, const Inputs& inputs, const Tangents& tangents) {
        return op.template pushforward<Active>(inputs, tangents);
    }
};

}  // namespace detail

/// The rule of jvp. Tag (the function's type) tells nested ones apart.
template <class Tag>
struct push_by {
    static constexpr const char* name = "jvp";
    static constexpr bool differentiates = true;
    static constexpr int priority = 2;
    static constexpr bool hands_on_windows = requires { detail::push_rule<Tag>::hands_on_windows; };
    template <class Inner>
    using wrapped = dual_tensor<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = push_by;
        const level_t level = detail::checked_level<W>(a...);
        using plain = decltype(detail::call(op, detail::peel<W>(a)...));
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type>) {
            return detail::call(op, detail::peel<W>(a)...);
        } else {
            using active = detail::activity<has_tangent<A>()...>;
            if constexpr (active::count == 0) {
                return detail::call(op, detail::peel<W>(a)...);
            } else {
                const auto both = detail::push_rule<Tag>::template push<active>(
                    op, detail::make_pack(&detail::peel<W>(a)...), detail::concat_all(tangent_of(a)...));
                return detail::generate<plain::size>([&](auto k) {
                    return make(detail::get<k()>(both), detail::get<plain::size + k()>(both), level);
                });
            }
        }
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<push_by>(list);
        std::vector<typename A::inner_type> values, tangents;
        for (const A& a : list) {
            values.push_back(a.inner());
            tangents.push_back(a.tangent());
        }
        return make(detail::call_list(op, values), detail::call_list(op, tangents), level);
    }
    template <class A>
    static auto constant(const A& a) {
        return dual_tensor<A, Tag>(a, detail::constant_array<A>(a.shape(), typename A::value_type(0)), 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        using inner = typename A::inner_type;
        return A(detail::constant_array<inner>(extents, value), detail::constant_array<inner>(extents, 0), 0);
    }

   private:
    template <class A>
    static constexpr bool has_tangent() {
        return detail::wrapped_by_v<push_by, A> && is_inexact_v<typename A::value_type>;
    }
    template <class A>
    static auto tangent_of(const A& a) {
        if constexpr (has_tangent<A>()) return detail::make_pack(&a.tangent());
        else return detail::pack<>{};
    }
    template <class Y, class D>
    static auto make(const Y& y, const D& y_dot, level_t level) {
        using chain = detail::chain_of_t<Y, D>;  // the tangent may be batched where the value is not
        auto value = detail::lift(chain{}, y);
        auto tangent = detail::lift(chain{}, y_dot);
        return dual_tensor<decltype(value), Tag>(value, tangent, level);
    }
};

/// An array under jvp: `inner()` is its value, `tangent()` the derivative along the chosen direction.
template <array A, class Tag>
class dual_tensor : public indexable<dual_tensor<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = push_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    dual_tensor() = default;
    dual_tensor(A value, A tangent, level_t level) : value_(std::move(value)), tangent_(std::move(tangent)), level_(level) {}
    const A& inner() const { return value_; }
    const A& tangent() const { return tangent_; }
    level_t level() const { return level_; }
    level_t inner_level() const { return value_.level() > tangent_.level() ? value_.level() : tangent_.level(); }
    const ricci::shape<rank>& shape() const { return value_.shape(); }
    index_t shape(int axis) const { return value_.shape(axis); }
    index_t size() const { return value_.size(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, the tangent left aside.
    value_type item() const { return value_.item(); }

    template <class F>
    auto with_inner(const F& f) const {
        auto value = f(value_);
        return dual_tensor<decltype(value), Tag>(value, f(tangent_), level_);
    }

   private:
    A value_, tangent_;
    level_t level_ = 0;
};

}  // namespace ricci
// ---- ricci/grad/recorded.hpp
// The wrapper of reverse mode: an array that remembers how it was computed.

// ---- ricci/grad/anomaly.hpp
// Anomaly detection: which op's derivative made a NaN. All of this is cold.
#include <string_view>

namespace ricci::detail {

template <class T>
RICCI_NOINLINE bool any_nan(const T* data, const index_t* extents, const index_t* strides, int rank) {
    if (rank == 0) return *data != *data;
    for (index_t i = 0; i < *extents; ++i)
        if (any_nan(data + i * *strides, extents + 1, strides + 1, rank - 1)) return true;
    return false;
}
template <class A>
bool has_nan(const A& a) {
    if constexpr (!std::is_void_v<typename A::wrapper>) {
        return has_nan(a.inner());
    } else {
        const auto host = a.to(cpu_device{});
        return any_nan(host.data(), host.shape().extent, host.strides().extent, A::rank);
    }
}

/// The name of an op's type without its namespace, as the compiler prints it.
template <class Op>
std::string_view type_text() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("Op = ") + 5);
    text = text.substr(0, text.find_first_of(";]<"));
    const auto colon = text.rfind(':');
    return colon == text.npos ? text : text.substr(colon + 1);
}

/// A tree as nested calls, its slots as the letters a, b, c...
template <class Node>
struct tree_text;
template <int I, class T>
struct tree_text<slot<I, T>> {
    static void append(std::string& to) { to += static_cast<char>('a' + I % 26); }
};
template <class T>
struct tree_text<constant_node<T>> {
    static void append(std::string& to) { to += "number"; }
};
template <class To, class Child>
struct tree_text<cast_node<To, Child>> : tree_text<Child> {};
template <class Op, class T, class... Child>
struct tree_text<op_node<Op, T, Child...>> {
    static void append(std::string& to) {
        to += type_text<Op>();
        const char* before = "(";
        ((to += before, tree_text<Child>::append(to), before = ", "), ...);
        to += ")";
    }
};

/// An op as a user would know it.
template <class Op>
std::string op_text() {
    std::string text;
    if constexpr (requires { typename Op::sweep_type; }) {
        tree_text<typename Op::sweep_type::tree_type>::append(text);
        return Op::reduces ? "sum(" + text + ")" : text;
    } else {
        return Op::name;
    }
}
template <class A>
void refuse_nan(const A& adjoint, int argument, std::string (*op)()) {
    if (!has_nan(adjoint)) return;
    const std::string name = op();
    detail::raise<gradient_error>({"[backward] the derivative of ", name.c_str(), " with respect to argument ",
                                   argument, ", of shape ", adjoint.shape(), ", has a NaN"});
}

}  // namespace ricci::detail
// ---- ricci/grad/graph_value.hpp
// The arrays of the graph: a vertex's outputs, the cotangents gathered for them, and what users ask to see of those.
#include <optional>

// ---- ricci/grad/conjugate.hpp
// Complex gradients: where the engine's adjoints become PyTorch's gradients, and back.
//
// Inside, an adjoint a and a tangent t are paired by Re(a t), so that the rule of a holomorphic op is calculus as one knows
// it, with no conjugates, the same for pullback and pushforward. What users see is the conjugate: the gradient of a real loss L
// with respect to z is dL/d(Re z) + i dL/d(Im z), the direction of steepest ascent (torch.autograd).

namespace ricci::detail {

/// The conjugate of a complex array; a real one itself.
template <class A>
RICCI_INLINE decltype(auto) conjugated(const A& a) {
    if constexpr (is_complex_v<typename A::value_type>) return evaluate(conj(a));
    else return (a);
}

}  // namespace ricci::detail
// ---- ricci/grad/graph.hpp
// The tape: vertices that remember an op and its inputs, and pull cotangents back through it. What is not typed by an op
// (reference counts, ordering, the backward pass) is written once, here.
#include <queue>

namespace ricci::detail {

class vertex;
class backward_pass;

/// A node of the graph: the application of an op, or a variable.
class vertex {
   public:
    /// Of a transform at `level`, whose inputs' values belong to transforms up to `inner_level`.
    vertex(level_t level, level_t inner_level) : level_(level), inner_level_(inner_level), age_(next_age()) {}
    vertex(const vertex&) = delete;
    vertex& operator=(const vertex&) = delete;
    virtual ~vertex() = default;
    /// Sends the cotangents of its outputs to its inputs.
    virtual void pull(backward_pass& pass) = 0;
    /// The same with cotangents that are recorded in their turn; variables alone can.
    virtual void pull_recorded(backward_pass&) {
        detail::raise<gradient_error>(
            {"[autograd::grad] create_graph needs variables: inside grad or vjp, nest the transforms instead"});
    }
    virtual bool is_variable() const { return false; }
    /// Where an output that is a view of a value of its own type lies there (a view_spec), and in `viewed` that value (a
    /// graph_value), so that cotangents can go there at once; null for all others.
    virtual const void* window(backward_pass&, void*& /*viewed*/) { return nullptr; }
    /// Computes outputs whose value was put off.
    virtual void compute() {}
    /// Drops cotangents that a backward pass did not come to pull, because it threw.
    virtual void forget() {}
    /// Lets go of the inputs, after the last backward pass.
    virtual void free() {}

    void retain() { add_reference(references_); }
    RICCI_NOINLINE void release() {
        if (drop_reference(references_)) die(this);
    }
    /// Whether someone else holds it than the backward pass that is at it.
    bool is_held() const { return references_.load(std::memory_order_acquire) > 1; }
    level_t level() const { return level_; }
    level_t inner_level() const { return inner_level_; }
    std::uint64_t age() const { return age_; }

   protected:
    spinlock computing;  // threads that read one graph compute a value that was put off once
    bool freed = false;

    void check_not_freed() const {
        if (freed)
            detail::raise<gradient_error>(
                {"[backward] this part of the graph was freed by a backward pass with retain_graph = "
                 "false: leave it true for all but the last"});
    }

   private:
    static std::uint64_t next_age() {
        static std::atomic<std::uint64_t> age{0};
        add_reference(age);
        return age.load(std::memory_order_relaxed);
    }
    /// Vertices die one after the other, not one inside the other: a long chain must not exhaust the stack.
    static RICCI_NOINLINE void die(vertex* v) {
        static thread_local std::vector<vertex*>* dying = nullptr;
        if (dying) return dying->push_back(v);
        std::vector<vertex*> list;
        dying = &list;
        for (;;) {
            delete v;
            if (list.empty()) break;
            v = list.back();
            list.pop_back();
        }
        dying = nullptr;
    }

    std::atomic<int> references_{0};
    level_t level_, inner_level_;
    std::uint64_t age_;
    bool queued_ = false;
    friend class backward_pass;
};

/// A counted reference to a vertex.
class vertex_ref {
   public:
    vertex_ref() = default;
    explicit vertex_ref(vertex* v) : vertex_(v) {
        if (v) v->retain();
    }
    vertex_ref(const vertex_ref& other) : vertex_ref(other.vertex_) {}
    vertex_ref(vertex_ref&& other) noexcept : vertex_(std::exchange(other.vertex_, nullptr)) {}
    vertex_ref& operator=(vertex_ref other) noexcept {
        std::swap(vertex_, other.vertex_);
        return *this;
    }
    ~vertex_ref() {
        if (vertex_) vertex_->release();
    }
    /// Takes over a reference that was counted already.
    static vertex_ref adopt(vertex* v) {
        vertex_ref r;
        r.vertex_ = v;
        return r;
    }
    vertex* get() const { return vertex_; }

   private:
    vertex* vertex_ = nullptr;
};

/// Whether backward passes of this thread look for NaN: what autograd::detect_anomaly turns on.
inline bool& checking_gradients() {
    static thread_local bool on = false;
    return on;
}

/// Vertices that received a cotangent, latest first: an order in which every cotangent is complete before it is pulled back.
class backward_pass {
   public:
    bool recording = false;     // cotangents are themselves recorded (create_graph)
    bool accumulating = false;  // variables add what arrives to their gradients (backward)
    bool freeing = false;       // vertices let go of their inputs once they are done (retain_graph = false)
    const bool checking = checking_gradients();

    backward_pass() = default;
    backward_pass(const backward_pass&) = delete;
    backward_pass& operator=(const backward_pass&) = delete;
    /// What is still waiting was left by an exception: the graph is good for the next pass.
    ~backward_pass() {
        while (!waiting_.empty()) next().get()->forget();
    }
    void push(vertex* v) {
        if (v->queued_) return;
        waiting_.push(v);
        v->queued_ = true;
        v->retain();
    }
    void run() {
        const recording_scope records(true);  // a no_grad around backward is not about what backward itself records
        while (!waiting_.empty()) {
            const vertex_ref v = next();
            try {
                if (recording) v.get()->pull_recorded(*this);
                else v.get()->pull(*this);
            } catch (...) {
                v.get()->forget();
                throw;
            }
            if (freeing) v.get()->free();
        }
    }

   private:
    struct older {
        bool operator()(const vertex* a, const vertex* b) const { return a->age() < b->age(); }
    };
    vertex_ref next() {
        vertex_ref v = vertex_ref::adopt(waiting_.top());
        waiting_.pop();
        v.get()->queued_ = false;
        return v;
    }
    std::priority_queue<vertex*, std::vector<vertex*>, older> waiting_;  // each retained; the latest on top
};

}  // namespace ricci::detail
// ---- ricci/grad/hooks.hpp
// What users ask of the gradient of a variable's value: hooks that see it, a place where it is kept.
#include <memory>

namespace ricci {

template <array A, class Tag>
class recorded;

namespace detail {

/// A user's function that sees a gradient on its way, and may replace it.
template <class A, class Tag>
class gradient_hook {
   public:
    gradient_hook() = default;
    gradient_hook(const gradient_hook&) = delete;
    gradient_hook& operator=(const gradient_hook&) = delete;
    virtual ~gradient_hook() = default;
    virtual std::optional<A> call(const A& gradient) const = 0;
    virtual std::optional<recorded<A, Tag>> call(const recorded<A, Tag>& gradient) const = 0;
    std::uint64_t number = 0;
    std::unique_ptr<gradient_hook> next;
};

/// What is asked of a variable's gradient; most values have nothing of it.
template <class A, class Tag>
struct gradient_requests {
    bool retained = false;      // retain_grad
    std::optional<A> gradient;  // accumulated by backward
    bool wanted = false;        // by autograd::grad, which finds it here:
    std::optional<A> seen;
    std::optional<recorded<A, Tag>> recorded_seen;
    std::unique_ptr<gradient_hook<A, Tag>> hooks;
    std::uint64_t hooks_made = 0;

    template <class C>
    void run_hooks(std::optional<C>& bar) const {
        for (const auto* hook = hooks.get(); hook; hook = hook->next.get())
            if (auto other = hook->call(*bar)) {
                if (!(other->shape() == bar->shape()))
                    detail::raise<shape_error>({"[register_hook] the hook made a gradient of shape ", other->shape(),
                                                " out of one of shape ", bar->shape()});
                bar = std::move(other);
            }
    }
};

/// Whether F's arguments have fixed types: it is no generic lambda.
template <class F>
concept fixed_callable = requires { &F::operator(); };

/// f's answer to a gradient of type C; none where f only looks.
template <class C, class F>
std::optional<C> hook_answer(const F& f, const C& gradient) {
    if constexpr (std::is_void_v<decltype(f(gradient))>) {
        f(gradient);
        return {};
    } else {
        return C(f(gradient));
    }
}

template <class A, class Tag, class F>
class typed_hook final : public gradient_hook<A, Tag> {
   public:
    explicit typed_hook(F f) : f_(std::move(f)) {}
    std::optional<A> call(const A& gradient) const override { return hook_answer(f_, gradient); }
    std::optional<recorded<A, Tag>> call(const recorded<A, Tag>& gradient) const override {
        if constexpr (std::is_void_v<decltype(f_(gradient.inner()))>) {
            f_(gradient.inner());
            return {};
        } else if constexpr (fixed_callable<F>) {
            detail::raise<gradient_error>(
                {"[register_hook] under create_graph a hook that replaces a gradient is given one that "
                 "is recorded: let it take any array (const auto&)"});
        } else {
            return hook_answer(f_, gradient);
        }
    }

   private:
    F f_;
};

}  // namespace detail
}  // namespace ricci

namespace ricci::detail {

/// a + b into a, in place where nobody else sees a's memory.
template <class A>
void accumulate_into(std::optional<A>& a, const A& b) {
    if (!a) {
        a = b;
        return;
    }
    if constexpr (std::is_void_v<typename A::wrapper>) {
        const bool in_place = is_reusable(*a) && a->is_contiguous();
        const A sum = in_place ? *a : A::uninitialized(a->shape());
        run_map_into(*a + b, sum);
        if (in_place) sum.memory().bump_version();
        a = sum;
    } else {
        a = evaluate(*a + b);
    }
}
template <class A>
std::optional<A> taken(std::optional<A>& a) {
    std::optional<A> value = std::move(a);
    a.reset();
    return value;
}

/// The version of a plain tensor's memory, which in-place writes raise; wrappers check their own parts.
template <class A>
std::uint32_t version_of(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) return a.memory() ? a.memory().version() : 0;
    else return 0;
}

/// An output of a vertex: its value (perhaps put off) and the cotangent gathered for it.
template <class A>
class plain_graph_value {
   public:
    vertex* owner;
    shape<A::rank> extents;
    std::optional<A> cotangent;

    bool is_known() const { return known_.load(std::memory_order_acquire); }
    /// The value, once it is known.
    const A& value() const { return *value_; }
    void set(const A& a) {
        value_ = a;
        first_version_ = version_of(a);
        known_.store(true, std::memory_order_release);
    }
    /// How often the value was written in place; one that is put off was not.
    std::uint32_t writes() const { return is_known() ? version_of(*value_) - first_version_ : 0; }
    void forget() { cotangent.reset(); }
    /// Whether someone wants to see the cotangent.
    static constexpr bool is_requested() { return false; }

   private:
    std::optional<A> value_;
    std::uint32_t first_version_ = 0;  // of the value's memory, when it was set
    std::atomic<bool> known_{false};   // threads that read one graph may find a value at the same time
};

template <class A, class Tag, bool Variable = Tag::is_variable>
class graph_value : public plain_graph_value<A> {
   public:
    /// The cotangent that was gathered.
    std::optional<A> take(const backward_pass&) { return taken(this->cotangent); }
};

template <class A, class Tag>
class graph_value<A, Tag, true> : public plain_graph_value<A> {
   public:
    std::optional<recorded<A, Tag>> recorded_cotangent;

    /// What is asked of the gradient, to add to it.
    gradient_requests<A, Tag>& requests() {
        if (!requests_) requests_ = std::make_unique<gradient_requests<A, Tag>>();
        return *requests_;
    }
    const gradient_requests<A, Tag>* find_requests() const { return requests_.get(); }
    bool is_requested() const { return requests_ != nullptr; }
    void forget() {
        this->cotangent.reset();
        recorded_cotangent.reset();
    }
    /// The cotangent that was gathered, as the hooks leave it; those who asked for it get theirs.
    std::optional<A> take(const backward_pass& pass) {
        std::optional<A> bar = taken(this->cotangent);
        if (!bar) return bar;
        const bool shown = requests_ || (pass.accumulating && this->owner->is_variable());
        conjugate(bar, shown);
        if (requests_) requests_->run_hooks(bar);
        if (requests_ && requests_->wanted) requests_->seen = bar;
        if (pass.accumulating && (this->owner->is_variable() || (requests_ && requests_->retained)))
            accumulate_into(requests().gradient, *bar);
        conjugate(bar, shown && !this->owner->is_variable());
        return bar;
    }
    std::optional<recorded<A, Tag>> take_recorded() {
        auto bar = taken(recorded_cotangent);
        if (!bar || !requests_) return bar;
        conjugate(bar, true);
        requests_->run_hooks(bar);
        if (requests_->wanted) requests_->recorded_seen = bar;
        conjugate(bar, true);
        return bar;
    }

   private:
    /// Between adjoint and gradient, for those who see it.
    template <class C>
    static void conjugate(std::optional<C>& bar, bool shown) {
        if constexpr (is_complex_v<typename C::value_type>)
            if (shown) bar = conjugated(*bar);
    }

    std::unique_ptr<gradient_requests<A, Tag>> requests_;
};

}  // namespace ricci::detail
// ---- ricci/grad/window_plan.hpp
// Where the adjoints of a fused op's inputs go: those of inputs that are views go to what these view, in the same pass.

namespace ricci::detail {

/// merged[n]: the first of the identities (null ones left out) that equals the n-th.
inline void find_equal(const void* const* ids, int count, unsigned char* merged) {
    for (int i = 0; i < count; ++i) {
        if (!ids[i]) continue;
        int k = 0;
        for (int j = 0; ids[j] != ids[i]; ++j) k += ids[j] != nullptr;
        *merged++ = static_cast<unsigned char>(k);
    }
}
/// Views that keep the rank show a value of their own type, which has a place for their cotangents.
template <class Op>
inline constexpr bool is_window_op_v = false;
template <int R>
inline constexpr bool is_window_op_v<view_op<R, R>> = true;

template <int R, int Rank>
output_window<Rank> window_at(const view_spec<R, R>& at, const shape<R>& whole, output_window<Rank> w) {
    const shape<R> steps = row_major(whole);
    w.whole = false;
    w.offset = 0;
    for (int d = 0; d < R; ++d) w.offset += at.start[d] * steps[d];
    for (int d = 0; d < R; ++d) w.strides[Rank - R + d] = at.source[d] < 0 ? 0 : at.step[d] * steps[at.source[d]];
    return w;
}

/// For the outputs of the pullback of a fused op of that rank with so many active inputs: whose cotangent each is for, which
/// are the same and added up in registers, and which lie in windows.
template <int Rank, int Count>
class window_plan {
   public:
    unsigned char merged[Count + 1];
    output_window<Rank> windows[Count + 1];

    /// Output k is for the value v; returns the shape of what comes back. `extents` are those that the op iterates over: where
    /// adjoints are summed, there are no windows.
    template <class V>
    auto place(int k, V* v, backward_pass& pass, const shape<Rank>& extents) {
        windows[k] = {true, static_cast<unsigned char>(k), 0, {}};
        void* viewed = nullptr;
        if (const void* spec = v->owner->window(pass, viewed); spec && v->extents.count() == extents.count()) {
            constexpr int rank = decltype(v->extents)::rank;
            using spec_type = view_spec<rank, rank>;
            spec_type at = *static_cast<const spec_type*>(spec);
            v = static_cast<V*>(viewed);
            while ((spec = v->owner->window(pass, viewed))) {
                at = composed(*static_cast<const spec_type*>(spec), at);
                v = static_cast<V*>(viewed);
            }
            windows[k] = window_at(at, v->extents, windows[k]);
            any_ = true;
        }
        values_[k] = v;
        return v->extents;
    }
    /// Once all are placed.
    void finish() {
        windows[Count] = {true, Count, 0, {}};
        for (int k = 0; k < Count; ++k) {
            int j = 0;
            while (!same(j, k)) ++j;
            merged[k] = static_cast<unsigned char>(j);
            if (windows[k].whole) continue;
            for (j = 0; windows[j].whole || values_[j] != values_[k];) ++j;
            windows[k].home = static_cast<unsigned char>(j);
        }
    }
    /// Null where no output has a window.
    const output_window<Rank>* through() const { return any_ ? windows : nullptr; }
    /// Whether output k comes back, rather than in another one.
    bool comes_back(int k) const { return merged[k] == k && windows[k].home == k; }
    void* value(int k) const { return values_[k]; }

   private:
    bool same(int j, int k) const {
        const output_window<Rank>&a = windows[j], &b = windows[k];
        if (values_[j] != values_[k] || a.whole != b.whole) return false;
        return a.whole || (a.offset == b.offset && a.strides == b.strides);
    }
    void* values_[Count + 1];
    bool any_ = false;
};

}  // namespace ricci::detail

namespace ricci {

namespace detail {

template <class Op, class W, class... A>
class op_vertex;
template <class Op, class W, class A>
class list_vertex;
template <class A, class Tag>
class leaf_vertex;
template <class A, class Tag>
class hook_handle;
/// The backward step of an op whose cotangents are recorded in their turn (grad/replay.hpp).
template <class Op, class W, class... A>
struct replay;
template <class X, class C>
void deliver_recorded(backward_pass& pass, const X& x, const C& bar);

}  // namespace detail

/// The rule of grad, vjp and backward: one vertex for each op, a fused map being one op.
template <class Tag>
struct record_by {
    using tag = Tag;
    static constexpr const char* name = "grad";
    static constexpr bool differentiates = true;
    static constexpr int priority = Tag::is_variable ? 0 : 1;
    template <class Inner>
    using wrapped = recorded<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = record_by;
        if constexpr (requires { op.template saved<W>(detail::peel<W>(a)...); }) {
            if constexpr ((is_active<A>() || ...))
                return call(op.template saved<W>(detail::peel<W>(a)...), a...);
            else return detail::call(op, detail::peel<W>(a)...);
        } else {
            return record(op, a...);
        }
    }
    template <class Op, class... A>
    static auto record(const Op& op, const A&... a) {
        using W = record_by;
        const level_t level = detail::checked_level<W>(a...);
        using plain = decltype(detail::call(op, detail::peel<W>(a)...));
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type> ||
                      !(is_active<A>() || ...)) {
            return detail::call(op, detail::peel<W>(a)...);
        } else if (level == 0 || !detail::recording()) {  // constants that a transform lifted, or no_grad
            const auto values = detail::call(op, detail::peel<W>(a)...);
            return detail::generate<plain::size>([&](auto k) { return constant(detail::get<k()>(values)); });
        } else {
            auto* v = new detail::op_vertex<Op, W, A...>(op, level, a...);
            return detail::generate<plain::size>([&](auto k) {
                return recorded<detail::pack_element_t<k(), plain>, Tag>(&detail::get<k()>(v->outputs));
            });
        }
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<record_by>(list);
        std::vector<typename A::inner_type> values;
        values.reserve(list.size());
        for (const A& a : list) values.push_back(a.inner());
        auto y = detail::call_list(op, values);
        if constexpr (is_active<A>()) {
            if (level == 0 || !detail::recording()) return constant(y);
            auto* v = new detail::list_vertex<Op, record_by, A>(op, level, list, y);
            return recorded<decltype(y), Tag>(&v->output);
        } else {
            return y;
        }
    }
    /// A value without history.
    template <class A>
    static auto constant(const A& a) {
        return recorded<A, Tag>(a, 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return A(detail::constant_array<typename A::inner_type>(extents, value), 0);
    }
    template <class A>
    static constexpr bool is_active() {
        return detail::wrapped_by_v<record_by, A> && is_inexact_v<typename A::value_type>;
    }
};

/// An array under reverse-mode differentiation. `inner()` is its value.
template <array A, class Tag>
class recorded : public indexable<recorded<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = record_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    recorded() : recorded(A(), 0) {}
    /// A variable: a leaf of the graph.
    recorded(const A& value, level_t level) : recorded(&(new detail::leaf_vertex<A, Tag>(value, level))->output) {}
    explicit recorded(detail::graph_value<A, Tag>* output) : output_(output) { output_->owner->retain(); }
    recorded(const recorded& other) : recorded(other.output_) {}
    recorded(recorded&& other) noexcept : output_(std::exchange(other.output_, nullptr)) {}
    recorded& operator=(recorded other) noexcept {
        std::swap(output_, other.output_);
        return *this;
    }
    ~recorded() {
        if (output_) output_->owner->release();
    }

    /// A variable (imperative style), from its value.
    recorded(const A& value)
        requires(Tag::is_variable)
        : recorded(value, detail::variable_level) {}
    /// The value of a recorded expression.
    template <expression E>
        requires(!E::is_array && std::is_same_v<decltype(evaluate(std::declval<const E&>())), recorded>)
    recorded(const E& e) : recorded(evaluate(e)) {}

    const A& inner() const {
        if (!output_->is_known()) owner()->compute();
        return output_->value();
    }
    level_t level() const { return owner()->level(); }
    level_t inner_level() const { return owner()->inner_level(); }
    const ricci::shape<rank>& shape() const { return output_->extents; }
    index_t shape(int axis) const { return shape()[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return shape().count(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, without its history.
    value_type item() const { return inner().item(); }
    /// The value, as a handle on the same memory: writing through it, `w.value() -= 0.1 * w.grad()`, is not recorded.
    A value() const { return inner(); }
    /// The gradient that backward accumulated here; zeros before. Throws gradient_error for a computed value without retain_grad.
    A grad() const
        requires(Tag::is_variable)
    {
        const auto* requests = output_->find_requests();
        if (!is_leaf() && !(requests && requests->retained))
            detail::raise<gradient_error>(
                {"[grad] this value was computed, and only variables keep their gradients: call its "
                 "retain_grad() before backward"});
        return requests && requests->gradient ? *requests->gradient : detail::constant_array<A>(shape(), 0);
    }
    /// Forgets the accumulated gradient.
    void zero_grad() const
        requires(Tag::is_variable)
    {
        if (output_->find_requests()) output_->requests().gradient.reset();
    }
    /// Has backward keep the gradient of this computed value, too.
    void retain_grad() const
        requires(Tag::is_variable)
    {
        check_requires_grad("retain_grad");
        output_->requests().retained = true;
    }
    /// Has every backward pass call f with the gradient of this value, once it is complete; an array that f returns takes its
    /// place. f takes a tensor; one that returns something and is used under create_graph takes any array (`const auto&`).
    template <class F>
    detail::hook_handle<A, Tag> register_hook(F f) const
        requires(Tag::is_variable)
    {
        check_requires_grad("register_hook");
        return detail::hook_handle<A, Tag>(*output_, std::move(f));
    }
    /// The same value as a constant: nothing that is computed from it is sent back here.
    recorded detach() const
        requires(Tag::is_variable)
    {
        return recorded(inner(), 0);
    }
    /// Whether derivatives flow back from here: false for constants and for what no_grad and detach gave.
    bool requires_grad() const { return level() != 0; }
    /// Whether it was made, not computed.
    bool is_leaf() const { return owner()->is_variable(); }
    detail::vertex* owner() const { return output_->owner; }
    detail::graph_value<A, Tag>* output() const { return output_; }

    /// Itself; a history cannot be carried to another depth of wrappers.
    template <class F>
    auto with_inner(const F&) const {
        using B = decltype(std::declval<const F&>()(std::declval<const A&>()));
        if constexpr (std::is_same_v<A, B>) {
            return *this;
        } else {
            detail::refuse_captured("transform", wrapper::name);
            return recorded<B, Tag>();
        }
    }

   private:
    void check_requires_grad(const char* what) const {
        if (!requires_grad())
            detail::raise<gradient_error>({"[", what, "] this value is a constant: it came from no_grad or detach()"});
    }

    detail::graph_value<A, Tag>* output_;  // counted through its owner
};

namespace detail {

/// What register_hook gives: remove() takes the hook away again.
template <class A, class Tag>
class hook_handle {
   public:
    template <class F>
    hook_handle(graph_value<A, Tag>& output, F f) : output_(&output), owner_(output.owner) {
        auto& requests = output.requests();
        auto* last = &requests.hooks;
        while (*last) last = &(*last)->next;
        last->reset(new typed_hook<A, Tag, F>(std::move(f)));
        (*last)->number = number_ = ++requests.hooks_made;
    }
    void remove() const {
        auto* at = &output_->requests().hooks;
        while (*at && (*at)->number != number_) at = &(*at)->next;
        if (*at) *at = std::move((*at)->next);
    }

   private:
    graph_value<A, Tag>* output_;
    vertex_ref owner_;
    std::uint64_t number_;
};

/// A variable of the graph: what backward delivers cotangents to.
template <class A, class Tag>
class leaf_vertex final : public vertex {
   public:
    graph_value<A, Tag> output;

    leaf_vertex(const A& value, level_t level) : vertex(level, value.level()) {
        output.owner = this;
        output.extents = value.shape();
        output.set(value);
    }
    bool is_variable() const override { return true; }
    /// Under grad and vjp the cotangent stays, for the transform to take.
    void pull(backward_pass& pass) override {
        if constexpr (Tag::is_variable) output.take(pass);
    }
    void pull_recorded(backward_pass&) override {
        if constexpr (Tag::is_variable) output.take_recorded();
    }
    void forget() override { output.forget(); }
};

/// Ops whose value is a view, or a copy where none will do: there is nothing to put off.
template <class Op>
inline constexpr bool is_view_op_v = false;
template <int In, int Out>
inline constexpr bool is_view_op_v<view_op<In, Out>> = true;
template <int In, int Out>
inline constexpr bool is_view_op_v<reshape_op<In, Out>> = true;

/// Adds an adjoint to the cotangent of an input's value.
template <class W, class A, class C>
void deliver_one(backward_pass& pass, graph_value<A, typename W::tag>& x, const C& adjoint) {
    if constexpr (std::is_same_v<A, C>) {
        accumulate_into(x.cotangent, adjoint);
        pass.push(x.owner);
    } else {
        refuse_captured(W::name, "transform");
    }
}

/// The application of an op to arrays of which some are recorded by W.
template <class Op, class W, class... A>
class op_vertex final : public vertex {
    using results = decltype(call(std::declval<const Op&>(), peel<W>(std::declval<const A&>())...));
    using active = activity<W::template is_active<A>()...>;
    static constexpr bool lazy = Op::value_with_gradient || Op::linear;

    template <class>
    struct values_of;
    template <class... R>
    struct values_of<pack<R...>> {
        using type = pack<graph_value<R, typename W::tag>...>;
        static constexpr bool take_windows = (takes_windows<R>() && ...);
    };
    static constexpr bool through_windows =
        Op::merges && values_of<results>::take_windows &&
        (takes_windows<std::remove_cvref_t<decltype(peel<W>(std::declval<const A&>()))>>() && ...);

   public:
    static constexpr int outputs_count = results::size;
    typename values_of<results>::type outputs;

    op_vertex(const Op& op, level_t level, const A&... a)
        : vertex(level, highest_below(a...)), op_(op), inputs_{{{a}...}}, versions_{input_version(a)..., 0} {
        if constexpr (is_view_op_v<Op>) {
            if (get<0>(inputs_).output()->is_known()) compute();
        } else if constexpr (!lazy) {
            compute();
        }
        for_indices<outputs_count>([&](auto k) {
            get<k()>(outputs).owner = this;
            get<k()>(outputs).extents = output_shape<k()>();
        });
    }
    void compute() override {
        const spin_guard alone(computing);
        if (get<0>(outputs).is_known()) return;
        check_not_freed();
        check_versions("the value of ");
        const auto r = unpack([&](const auto&... a) { return call(op_, peel<W>(a)...); }, inputs_);
        for_indices<outputs_count>([&](auto k) { get<k()>(outputs).set(get<k()>(r)); });
    }
    void forget() override {
        for_indices<outputs_count>([&](auto k) { get<k()>(outputs).forget(); });
    }
    void free() override {
        if (is_held() && !get<0>(outputs).is_known()) compute();
        const pack<A...> dropped(std::move(inputs_));
        freed = true;
    }
    void pull(backward_pass& pass) override {
        check_not_freed();
        if constexpr (Op::linear) {
            if (const auto bar = get<0>(outputs).take(pass)) deliver(pass, call(op_.transpose(), *bar));
        } else {
            check_versions("the derivative of ");
            const auto bars = cotangents(pass);
            const auto inner = unpack([](const auto&... a) { return make_pack(&peel<W>(a)...); }, inputs_);
            // the value too, even where it is known: it costs next to nothing, another kernel to compile costs
            constexpr bool with_value = Op::value_with_gradient;
            if constexpr (through_windows) {
                window_plan<Op::rank, active::count> plan;
                const auto wholes = place_adjoints(pass, plan);
                const auto adjoints =
                    op_.template pullback_through<active, with_value>(plan.merged, plan.through(), wholes, inner, bars);
                keep_value(adjoints);
                deliver_planned(pass, plan, adjoints);
            } else {
                unsigned char merged[active::count + 1];
                find_merged(merged);
                const auto adjoints = op_.template pullback<active, with_value>(merged, inner, bars);
                keep_value(adjoints);
                deliver(pass, adjoints, merged);
            }
        }
    }
    const void* window(backward_pass& pass, void*& viewed) override {
        if constexpr (is_window_op_v<Op>) {
            auto* const from = get<0>(inputs_).output();
            if constexpr (std::is_same_v<decltype(from->extents), decltype(get<0>(outputs).extents)> &&
                          std::is_same_v<graph_value<pack_element_t<0, results>, typename W::tag>,
                                         std::remove_pointer_t<decltype(from)>>) {
                if (pass.checking || get<0>(outputs).is_requested() || !shows_once(op_.spec)) return nullptr;
                check_not_freed();
                if (pass.freeing) pass.push(this);
                viewed = from;
                return &op_.spec;
            }
        }
        return vertex::window(pass, viewed);
    }

    void pull_recorded(backward_pass& pass) override {
        if constexpr (W::tag::is_variable) {
            check_not_freed();
            if constexpr (!Op::linear) check_versions("the derivative of ");
            replay<Op, W, A...>::pull(*this, pass, op_, inputs_);
        } else {
            vertex::pull_recorded(pass);
        }
    }

   private:
    template <int K>
    auto output_shape() const {
        if constexpr (Op::linear) return op_.result_shape();
        else if constexpr (lazy) return get<K>(op_.result);
        else return get<K>(outputs).value().shape();
    }
    static level_t highest_below(const A&... a) {
        level_t level = 0;
        ((level = std::max(level, below(a))), ...);
        return level;
    }
    template <class X>
    static level_t below(const X& x) {
        if constexpr (wrapped_by_v<W, X>) return x.inner_level();
        else return x.level();
    }
    /// What came back for each output; a single zero, which broadcasts, for an output that nothing used. Outputs merged into
    /// another one share its cotangent.
    auto cotangents(const backward_pass& pass) {
        const auto taken = generate<outputs_count>([&](auto k) { return get<k()>(outputs).take(pass); });
        return generate<outputs_count>([&](auto k) {
            using R = pack_element_t<k(), results>;
            const std::optional<R>* found = &get<k()>(taken);
            if constexpr (outputs_count > 1)
                for_indices<outputs_count>([&](auto j) {
                    if constexpr (std::is_same_v<pack_element_t<j(), results>, R>)
                        if (op_.merge[k()] == j()) found = &get<j()>(taken);
                });
            return *found ? **found : constant_array<R>(unit_shape<R::rank>(), 0);
        });
    }
    /// Active inputs that are the same array: their adjoints are added inside the kernel.
    void find_merged(unsigned char* merged) const {
        inputs_.apply([&](const auto&... a) {
            const void* const ids[] = {identity(a)...};
            find_equal(ids, sizeof...(A), merged);
        });
    }
    template <class X>
    static const void* identity(const X& x) {
        if constexpr (W::template is_active<X>()) return x.output();
        else return nullptr;
    }
    /// Plans where adjoints go; gives the shapes that they come back in.
    template <class Plan>
    auto place_adjoints(backward_pass& pass, Plan& plan) const {
        const auto extents = inputs_.apply([](const auto&... a) { return Op::iteration_shape(peel<W>(a)...); });
        const auto wholes = transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (active::at[i()])
                    return make_pack(plan.place(active::before(i()), get<i()>(inputs_).output(), pass, extents));
                else return pack<>{};
            },
            [](const auto&... p) { return concat_all(p...); });
        plan.finish();
        return wholes;
    }
    template <class Adjoints>
    void keep_value(const Adjoints& adjoints) {
        if constexpr (Op::value_with_gradient) {
            const spin_guard alone(computing);
            if (!get<0>(outputs).is_known()) get<0>(outputs).set(get<active::count>(adjoints));
        }
    }
    template <class Adjoints, class Plan>
    void deliver_planned(backward_pass& pass, const Plan& plan, const Adjoints& adjoints) const {
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) {
                constexpr int k = active::before(i());
                using value = graph_value<typename pack_element_t<i(), pack<A...>>::inner_type, typename W::tag>;
                if (plan.comes_back(k))
                    deliver_adjoint<i()>(pass, *static_cast<value*>(plan.value(k)), get<k>(adjoints));
            }
        });
    }
    template <class Adjoints>
    void deliver(backward_pass& pass, const Adjoints& adjoints, const unsigned char* merged = nullptr) const {
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) {
                constexpr int k = active::before(i());
                if (Op::merges && merged[k] != k) return;  // added to its representative's
                deliver_adjoint<i()>(pass, *get<i()>(inputs_).output(), get<k>(adjoints));
            }
        });
    }
    template <int I, class V, class C>
    void deliver_adjoint(backward_pass& pass, V& value, const C& adjoint) const {
        if constexpr (W::tag::is_variable)
            if (pass.checking) [[unlikely]]
                refuse_nan(adjoint, I, op_text<Op>);
        deliver_one<W>(pass, value, adjoint);
    }
    /// Raised by every write in place to an input's value.
    template <class X>
    static std::uint32_t input_version(const X& x) {
        if constexpr (wrapped_by_v<W, X>) return x.output()->writes();
        else return version_of(x);
    }
    void check_versions(const char* what) const {
        const bool written = inputs_.apply([&](const auto&... a) {
            const std::uint32_t now[] = {input_version(a)..., 0};
            return std::memcmp(now, versions_, sizeof now) != 0;
        });
        if (written)
            detail::raise<gradient_error>(
                {"[backward] a value that ", what, Op::name, " needs was changed in place after it was recorded"});
    }

    Op op_;
    pack<A...> inputs_;
    std::uint32_t versions_[sizeof...(A) + 1];
};

}  // namespace detail
}  // namespace ricci

// ---- ricci/grad/list_vertex.hpp
// The vertex of an op that takes a list of arrays.

namespace ricci::detail {

/// The application of a linear op to a list of recorded arrays.
template <class Op, class W, class A>
class list_vertex final : public vertex {
    using result = decltype(call_list(std::declval<const Op&>(), std::declval<const std::vector<typename A::inner_type>&>()));

   public:
    graph_value<result, typename W::tag> output;

    list_vertex(const Op& op, level_t level, const std::vector<A>& list, const result& y)
        : vertex(level, highest_below(list)), op_(op), inputs_(list) {
        output.owner = this;
        output.extents = y.shape();
        output.set(y);
    }
    void forget() override { output.forget(); }
    void free() override {
        inputs_.clear();
        freed = true;
    }
    void pull(backward_pass& pass) override {
        check_not_freed();
        const auto bar = output.take(pass);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            deliver_one<W>(pass, *inputs_[i].output(), call1(op_.part(i), *bar));
    }
    void pull_recorded(backward_pass& pass) override {
        if constexpr (W::tag::is_variable) {
            check_not_freed();
            const auto bar = output.take_recorded();
            for (std::size_t i = 0; i < inputs_.size(); ++i) deliver_recorded(pass, inputs_[i], call1(op_.part(i), *bar));
        } else {
            vertex::pull_recorded(pass);
        }
    }

   private:
    static level_t highest_below(const std::vector<A>& list) {
        level_t level = 0;
        for (const A& a : list) level = std::max(level, a.inner_level());
        return level;
    }
    Op op_;
    std::vector<A> inputs_;
};

}  // namespace ricci::detail

namespace ricci {

/// The arguments, counted from 0, that a derivative is taken with respect to: grad(f, argnums<0, 2>).
template <int... I>
struct argnums_t {};
template <int... I>
inline constexpr argnums_t<I...> argnums{};

/// For functions that return rc::tuple(value, aux): only the value is differentiated, aux is handed on.
struct has_aux_t {};
inline constexpr has_aux_t has_aux{};

namespace detail {

/// Marks what one grad or vjp of F recorded.
template <class F>
struct record_tag {
    static constexpr bool is_variable = false;
};

template <class X>
auto adjoint_or_zero(const X& x) {
    auto bar = taken(x.output()->cotangent);
    return bar ? *bar : constant_array<typename X::inner_type>(x.shape(), 0);
}

/// Runs the backward pass from those results `y` that W recorded, and returns the gradient of each variable, of the type of its
/// value.
template <class W, class... Y, class... C, class... X>
auto run_backward(const pack<Y...>& y, const pack<C...>& y_bar, const X&... x) {
    backward_pass pass;
    for_indices<sizeof...(Y)>([&](auto k) {
        const auto& result = get<k()>(y);
        if constexpr (wrapped_by_v<W, std::remove_cvref_t<decltype(result)>>) {
            accumulate_into(result.output()->cotangent, conjugated(get<k()>(y_bar)));
            pass.push(result.owner());
        }
    });
    pass.run();
    return make_pack(conjugated(adjoint_or_zero(x))...);
}
/// f applied to arguments of which those in the mask Wrapped are recorded: the traced result, and the variables.
template <unsigned Wrapped, class F, class Chain, class... A>
auto record_call(const F& f, Chain chain, level_t level, const A&... args) {
    using W = record_by<record_tag<F>>;
    const auto lifted = make_pack(lift(chain, args)...);
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto& a = get<i()>(lifted);
        using L = std::remove_cvref_t<decltype(a)>;
        if constexpr ((Wrapped >> i()) & 1) {
            static_assert(is_inexact_v<typename L::value_type>,
                          "ricci: derivatives are taken with respect to floating or complex arguments");
            return typename W::template wrapped<L>(a, level);
        } else {
            return a;
        }
    });
    auto y = unpack([&](const auto&... a) { return evaluate_result(f(a...)); }, inside);
    return make_pack(y, inside);
}
template <unsigned Wrapped, class F, class... A>
using record_chain =
    typename entry_chain<record_by<record_tag<F>>, F, entered<record_by<record_tag<F>>, Wrapped, A...>, A...>::type;

template <bool Aux, class R>
const auto& differentiated_result(const R& r) {
    if constexpr (Aux) {
        static_assert(!expression<R>, "ricci: has_aux wants a function that returns rc::tuple(value, aux)");
        return std::get<0>(r);
    } else {
        static_assert(expression<R>, "ricci: grad takes functions of one result; use has_aux, or vjp for several");
        return r;
    }
}

/// Value, gradient and aux of a scalar function, with respect to the arguments I.
template <bool Value, bool Aux, int... I, class F, class... A>
auto gradient_of(argnums_t<I...>, const F& f, const A&... args) {
    static_assert(((I >= 0 && I < int(sizeof...(A))) && ...), "ricci: argnums names an argument that was not given");
    using W = record_by<record_tag<F>>;
    constexpr unsigned wrapped = (0u | ... | (1u << I));
    using chain = record_chain<wrapped, F, A...>;
    const transform_scope scope;
    const auto traced = record_call<wrapped>(f, chain{}, scope.level, args...);
    const auto& y = differentiated_result<Aux>(get<0>(traced));
    const auto& inside = get<1>(traced);
    using Y = std::remove_cvref_t<decltype(y)>;
    static_assert(Y::rank == 0, "ricci: grad takes functions with a scalar result (rank 0); use vjp, jacrev or a sum");
    static_assert(
        !is_complex_v<typename Y::value_type>,
        "ricci: grad takes functions with a real result: of a complex one take vjp, or the abs, real or imag of it");
    const auto gradient = one_or_tuple([&] {
        if constexpr (wrapped_by_v<W, Y>)
            return run_backward<W>(make_pack(y), make_pack(constant_array<typename Y::inner_type>(shape<0>{}, 1)),
                                   get<I>(inside)...);
        else  // does not depend on the arguments
            return make_pack(adjoint_or_zero(get<I>(inside))...);
    }());
    if constexpr (Aux) {
        const auto aux = peel_result<W>(std::get<1>(get<0>(traced)));
        if constexpr (Value) return std::make_tuple(std::make_tuple(peel<W>(y), aux), gradient);
        else return std::make_tuple(gradient, aux);
    } else {
        if constexpr (Value) return std::make_tuple(peel<W>(y), gradient);
        else return gradient;
    }
}

/// The numbers of the arrays in the arguments I, of structures S.
template <class List, class... S, int... I>
auto array_numbers(argnums_t<I...>) {
    constexpr int counts[] = {structure<S>::count..., 0};
    constexpr auto numbers = [counts] {
        struct {
            int at[List::count + 1] = {}, size = 0;
        } n;
        for (const int i : {I...})
            for (int k = 0; k < counts[i]; ++k) n.at[n.size++] = List::before(i) + k;
        return n;
    }();
    return [&]<int... K>(std::integer_sequence<int, K...>) { return argnums_t<numbers.at[K]...>{}; }
    (std::make_integer_sequence<int, numbers.size>{});
}
/// Derivatives with respect to arrays, put together as the arguments, of types S, that the arrays belong to.
template <class... S, class Arrays>
auto regrouped(const Arrays& arrays) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return one_or_tuple(make_pack(structure<S>::template at<member_list<S...>::before(I)>(arrays)...));
    }(std::make_integer_sequence<int, sizeof...(S)>{});
}
template <int I, class... S>
using argument_t = std::tuple_element_t<I, std::tuple<S...>>;

/// gradient_of for arguments that may be structures of arrays.
template <bool Value, bool Aux, int... I, class F, class... S>
auto structured_gradient(argnums_t<I...> arguments, const F& f, const S&... args) {
    if constexpr (all_operands_v<S...>) {
        return gradient_of<Value, Aux>(arguments, f, as_array(args)...);
    } else {
        static_assert(((I >= 0 && I < int(sizeof...(S))) && ...), "ricci: argnums names an argument that was not given");
        const auto numbers = array_numbers<member_list<S...>, S...>(arguments);
        const flat_function<F, S...> flat{f};
        const auto result =
            with_arrays([&](const auto&... a) { return gradient_of<Value, Aux>(numbers, flat, a...); }, args...);
        if constexpr (!Value && !Aux) return regrouped<argument_t<I, S...>...>(pack_of(result));
        else if constexpr (!Value)
            return std::make_tuple(regrouped<argument_t<I, S...>...>(pack_of(std::get<0>(result))),
                                   std::get<1>(result));
        else
            return std::make_tuple(std::get<0>(result),
                                   regrouped<argument_t<I, S...>...>(pack_of(std::get<1>(result))));
    }
}

/// The callable that vjp returns: cotangents of f's result to adjoints of its arguments.
template <class F, class Chain, class Traced, class... A>
class pullback_function {
   public:
    pullback_function(const F& f, level_t level, const Traced& traced, const A&... args)
        : f_(f), level_(level), traced_(traced), args_{{{args}...}} {}

    /// One adjoint for one argument, else a tuple of them. Cotangents under an outer transform (vmap of the pullback, say)
    /// record the function anew under that transform.
    template <class C>
    auto operator()(const C& cotangent) const {
        using Y = std::remove_cvref_t<decltype(get<0>(traced_))>;
        static_assert(structure<C>::count == structure<Y>::count,
                      "ricci: the pullback takes one cotangent for each array in the result, in a structure like the result's");
        const auto results = structure<Y>::arrays(get<0>(traced_));
        const auto given = structure<C>::arrays(cotangent);
        const auto bars = generate<structure<Y>::count>([&](auto k) {
            using R = pack_element_t<k(), decltype(results)>;
            static_assert(pack_element_t<k(), decltype(given)>::rank == R::rank,
                          "ricci: the cotangent's rank is not the result's");
            return evaluate_as<typename R::value_type>(get<k()>(given));
        });
        return unpack([&](const auto&... c) { return pull_lifted(c...); }, bars);
    }

   private:
    template <class... C>
    auto pull_lifted(const C&... c) const {
        using extended = chain_of_t<phantom<Chain>, phantom<chain_of_t<C>>...>;
        if constexpr (std::is_same_v<extended, Chain>) {
            return pull(traced_, make_pack(lift(Chain{}, c)...));
        } else {
            const transform_scope scope;
            constexpr unsigned every = (1u << sizeof...(A)) - 1;
            return unpack(
                [&](const auto&... a) {
                    return pull(record_call<every>(f_, extended{}, scope.level, a...), make_pack(lift(extended{}, c)...));
                },
                args_);
        }
    }
    template <class T, class Bars>
    static auto pull(const T& traced, const Bars& bars) {
        using Y = std::remove_cvref_t<decltype(get<0>(traced))>;
        const auto results = structure<Y>::arrays(get<0>(traced));
        for_indices<structure<Y>::count>([&](auto k) {
            const auto &y = get<k()>(results).shape(), &bar = get<k()>(bars).shape();
            if (!(bar == y))
                detail::raise<shape_error>({"[vjp] the cotangent's shape ", bar, " is not the result's ", y});
        });
        return unpack(
            [&](const auto&... x) {
                return one_or_tuple(run_backward<record_by<record_tag<F>>>(results, bars, x...));
            },
            get<1>(traced));
    }
    F f_;
    level_t level_;
    Traced traced_;
    pack<A...> args_;
};

template <class F, class... A>
auto vjp_of(const F& f, const A&... args) {
    constexpr unsigned every = (1u << sizeof...(A)) - 1;
    using chain = record_chain<every, F, A...>;
    const transform_scope scope;
    const auto traced = record_call<every>(f, chain{}, scope.level, args...);
    const auto value = peel_result<record_by<record_tag<F>>>(get<0>(traced));
    return std::make_tuple(value, pullback_function<F, chain, std::remove_cvref_t<decltype(traced)>, A...>(
                                      f, scope.level, traced, args...));
}

/// The values and the tangents of a function's results.
template <class W, class Y>
auto split_dual(const Y& result) {
    const auto tangent = [](const auto& y) {
        using R = std::remove_cvref_t<decltype(y)>;
        if constexpr (wrapped_by_v<W, R>) return y.tangent();
        else return constant_array<R>(y.shape(), 0);
    };
    return std::make_tuple(peel_result<W>(result), map_arrays(result, tangent));
}

/// Value and tangent of f at the primals along the tangents.
template <class F, class... A, class... D>
auto jvp_of(const F& f, const pack<A...>& primals, const pack<D...>& tangents) {
    using W = push_by<F>;
    static_assert(sizeof...(A) == sizeof...(D), "ricci: jvp needs one tangent for each primal");
    static_assert(((A::rank == D::rank) && ...), "ricci: a tangent's rank is not its primal's");
    using enter = entered<W, (1u << sizeof...(A)) - 1, decltype(lift(chain_of_t<A, D>{}, std::declval<const A&>()))...>;
    using chain = typename entry_chain<W, F, enter, A..., D...>::type;
    const transform_scope scope;
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto& x = get<i()>(primals);
        const auto& d = get<i()>(tangents);
        if (!(x.shape() == d.shape()))
            detail::raise<shape_error>({"[jvp] the tangent's shape ", d.shape(), " is not the primal's ", x.shape()});
        auto value = lift(chain{}, x);
        using V = decltype(value);
        static_assert(is_inexact_v<typename V::value_type>,
                      "ricci: derivatives are taken with respect to floating or complex arguments");
        return dual_tensor<V, F>(value, lift(chain{}, evaluate_as<typename V::value_type>(d)), scope.level);
    });
    return split_dual<W>(unpack([&](const auto&... a) { return evaluate_result(f(a...)); }, inside));
}
/// The arguments that jvp was given: one, or a tuple.
template <class T>
auto arguments_of(const T& t) {
    if constexpr (operand<T> || has_members<T>) return std::tuple<T>(t);
    else return t;
}
template <class F, class... P, class T>
auto structured_jvp(const F& f, const std::tuple<P...>& primals, const T& tangents) {
    const auto arrays = [](const auto&... a) { return concat_all(structure<std::remove_cvref_t<decltype(a)>>::arrays(a)...); };
    const auto values = std::apply(arrays, primals);
    const auto directions = std::apply(arrays, tangents);
    if constexpr (all_operands_v<P...>) return jvp_of(f, values, directions);
    else return jvp_of(flat_function<F, P...>{f}, values, directions);
}

}  // namespace detail

/// The gradient of a function with a scalar result: a function of the same arguments that gives the derivative with respect
/// to the first one, of its shape, or to those that `argnums<0, 2>` names, as a tuple. With has_aux, f returns
/// rc::tuple(value, aux), and the result is the tuple (gradient, aux). An argument may be a tuple, a std::array or a struct of
/// arrays (expr/structure.hpp); its gradient is one of the same kind. Of a complex argument z
/// the gradient is dL/d(Re z) + i dL/d(Im z), PyTorch's convention; the result L is real. Composes with every transform, itself
/// included.
template <class F, int... I>
auto grad(F f, argnums_t<I...> arguments) {
    return [f, arguments](const auto&... args) {
        return detail::structured_gradient<false, false>(arguments, f, args...);
    };
}
template <class F, int... I>
auto grad(F f, argnums_t<I...> arguments, has_aux_t) {
    return [f, arguments](const auto&... args) {
        return detail::structured_gradient<false, true>(arguments, f, args...);
    };
}
template <class F>
auto grad(F f) {
    return grad(f, argnums<0>);
}
template <class F>
auto grad(F f, has_aux_t) {
    return grad(f, argnums<0>, has_aux);
}

/// As grad, giving the tuple (value, gradient); a sum's value comes out of the gradient's own pass. With has_aux, the tuple
/// ((value, aux), gradient).
template <class F, int... I>
auto value_and_grad(F f, argnums_t<I...> arguments) {
    return [f, arguments](const auto&... args) {
        return detail::structured_gradient<true, false>(arguments, f, args...);
    };
}
template <class F, int... I>
auto value_and_grad(F f, argnums_t<I...> arguments, has_aux_t) {
    return [f, arguments](const auto&... args) {
        return detail::structured_gradient<true, true>(arguments, f, args...);
    };
}
template <class F>
auto value_and_grad(F f) {
    return value_and_grad(f, argnums<0>);
}
template <class F>
auto value_and_grad(F f, has_aux_t) {
    return value_and_grad(f, argnums<0>, has_aux);
}

/// The tuple (f(args...), pullback). `pullback(c)` is the vector-Jacobian product of a cotangent of the result's shape: the
/// adjoint of the argument, or the tuple of those of several. A result that is a tuple or a struct of arrays takes a
/// structure of cotangents like it. Of complex arrays, PyTorch's: the gradient of Re(sum(conj(c) y)); that is c conj(f'(z))
/// where f is holomorphic.
template <class F, class... A>
auto vjp(F f, const A&... args) {
    if constexpr (detail::all_operands_v<A...>) {
        return detail::vjp_of(f, detail::as_array(args)...);
    } else {
        const detail::flat_function<F, A...> flat{f};
        const auto pair = detail::with_arrays([&](const auto&... a) { return detail::vjp_of(flat, a...); }, args...);
        const auto pull = [pull = std::get<1>(pair)](const auto& cotangent) {
            return detail::regrouped<A...>(detail::pack_of(pull(cotangent)));
        };
        return std::make_tuple(std::get<0>(pair), pull);
    }
}

/// The tuple (f(primals), Jacobian times tangents). Primals and tangents: one array each, or tuples of as many as f has
/// arguments, tangents of the primals' shapes. Of complex arrays, the derivative along the tangents, which need not be
/// holomorphic: f'(z) z_dot where f is.
template <class F, class P, class T>
auto jvp(F f, const P& primals, const T& tangents) {
    return detail::structured_jvp(f, detail::arguments_of(primals), detail::arguments_of(tangents));
}

/// Hessian of f at x times v, forward over reverse: the cost of a few gradients, no matrix.
template <class F, class X, class V>
auto hvp(F f, const X& x, const V& v) {
    return std::get<1>(jvp(grad(f), x, v));
}

/// The tuple (f(args...), the derivative at args as a function): `push(tangents...)` gives the tangent of the result,
/// along one tangent for each argument, of its shape. The value is computed once; each call of `push` is a jvp, which
/// computes it anew in the pass that computes the tangent (in fused maps that is almost free, in matmul it doubles the
/// work). Linear in the tangents as far as every transform is concerned: its transpose is the pullback of `vjp(f,
/// args...)`, and that of any linear function is the pullback of its vjp at zeros. (jax.linearize,
/// torch.func.linearize; jax.linear_transpose.)
template <class F, class... A>
auto linearize(F f, const A&... args) {
    const auto at = [](const auto& a) {
        if constexpr (operand<decltype(a)>) return detail::as_array(a);
        else return a;
    };
    const auto primals = std::make_tuple(at(args)...);
    const auto value = std::apply([&](const auto&... x) { return detail::evaluate_result(f(x...)); }, primals);
    return std::make_tuple(value, [f, primals](const auto&... tangents) {
        static_assert(sizeof...(tangents) == sizeof...(A),
                      "ricci: the linear map needs one tangent for each argument of linearize");
        return std::get<1>(jvp(f, primals, std::make_tuple(tangents...)));
    });
}

}  // namespace ricci

namespace ricci {
namespace detail {

template <class B>
auto as_tuple(const B& b) {
    if constexpr (operand<B>) return std::make_tuple(b);
    else return b;
}

/// What a user's rule gives for an argument x, checked and under x's wrappers.
template <class X, class B>
auto fitted_adjoint(const X& x, const B& b, const char* who) {
    const auto bar = evaluate_as<typename X::value_type>(as_array(b));
    static_assert(std::remove_cvref_t<decltype(bar)>::rank == X::rank,
                  "ricci: a derivative rule gave an array of another rank than the argument's");
    if (!(bar.shape() == x.shape()))
        raise<shape_error>({"[", who, "] the rule gave shape ", bar.shape(), " for an argument of shape ", x.shape()});
    return lift(chain_of_t<X>{}, bar);
}
/// The adjoints of the active arguments, from a tuple of the gradients of all.
template <class Active, class... A, class... B>
auto active_adjoints(const pack<const A*...>& inputs, const std::tuple<B...>& bars, const char* who) {
    static_assert(sizeof...(A) == sizeof...(B), "ricci: the backward rule must give one adjoint for each argument");
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            if constexpr (Active::at[i()])
                return make_pack(
                    conjugated(fitted_adjoint(*get<i()>(inputs), std::get<static_cast<std::size_t>(i())>(bars), who)));
            else return pack<>{};
        },
        [](const auto&... p) { return concat_all(p...); });
}

/// vmap's in_axes for arguments of which the mapped ones have the batch in front.
template <class Mapped, int... I>
auto mapped_axes(std::integer_sequence<int, I...>) {
    auto axis = []<int K>(std::integral_constant<int, K>) {
        if constexpr (Mapped::at[K]) return 0;
        else return none;
    };
    return in_axes(axis(std::integral_constant<int, I>{})...);
}
/// Mapped arguments with the whole batch, where it is of extent 1 because all members share the values.
template <class Mapped, class F, class... A>
auto with_whole_batch(const F& f, const A&... a) {
    index_t batch = 1;
    const auto refs = make_pack(&a...);
    for_indices<sizeof...(A)>([&](auto i) {
        if constexpr (Mapped::at[i()]) batch = get<i()>(refs)->shape()[0] == 1 ? batch : get<i()>(refs)->shape()[0];
    });
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            const auto& x = *get<i()>(refs);
            auto full = x.shape();
            if constexpr (Mapped::at[i()]) full[0] = batch;
            return expand(x, full);
        },
        f);
}
/// A batched backward rule: adjoints of arguments that are not mapped are summed over the batch.
template <class Mapped, class Backward>
auto batched_backward(const Backward& backward) {
    return [backward](const auto&... r) {
        const auto rule = [backward](const auto&... x) { return as_tuple(backward(x...)); };
        return std::apply(
            [](const auto&... bar) {
                const auto refs = make_pack(&bar...);
                return transform_indices<sizeof...(bar)>(
                    [&](auto i) {
                        if constexpr (Mapped::at[i()]) return *get<i()>(refs);
                        else return evaluate(sum(*get<i()>(refs), 0));
                    },
                    [](const auto&... b) { return std::make_tuple(b...); });
            },
            vmap(rule)(r...));
    };
}

/// Value and tangent by a user's rule(primals, tangents); the tangents of inactive arguments are zeros.
template <class Active, class Rule, class... A, class... D>
auto push_by_rule(const Rule& rule, const pack<const A*...>& inputs, const pack<const D*...>& tangents) {
    const auto all = transform_indices<sizeof...(A)>(
        [&](auto i) {
            const auto& x = *get<i()>(inputs);
            if constexpr (Active::at[i()]) return *get<Active::before(i())>(tangents);
            else return constant_array<std::remove_cvref_t<decltype(x)>>(x.shape(), 0);
        },
        [](const auto&... t) { return std::make_tuple(t...); });
    const auto both = unpack([&](const auto*... a) { return rule(std::make_tuple(*a...), all); }, inputs);
    return make_pack(evaluate_result(std::get<0>(both)), evaluate_result(std::get<1>(both)));
}
template <class Mapped, int... I>
auto mapped_axes_twice(std::integer_sequence<int, I...> all) {
    const auto axes = mapped_axes<Mapped>(all);
    return std::apply([](const auto&... a) { return in_axes(a...); }, std::tuple_cat(axes.axis, axes.axis));
}
/// rule((x...), (t...)) from one list of arguments.
template <std::size_t N, class Rule, class... X>
auto split_rule(const Rule& rule, const X&... xt) {
    const auto all = std::make_tuple(xt...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return rule(std::make_tuple(std::get<I>(all)...), std::make_tuple(std::get<N + I>(all)...));
    }(std::make_index_sequence<N>{});
}
/// A batched forward rule.
template <class Mapped, class Rule>
auto batched_rule(const Rule& rule) {
    return [rule](const auto& primals, const auto& tangents) {
        return std::apply(
            [&](const auto&... x) {
                const auto both = [rule](const auto&... xt) { return split_rule<sizeof...(x)>(rule, xt...); };
                const auto axes = mapped_axes_twice<Mapped>(std::make_integer_sequence<int, sizeof...(x)>{});
                return std::apply([&](const auto&... t) { return vmap(both, axes)(x..., t...); }, tangents);
            },
            primals);
    };
}

/// In place of a forward rule that was not given.
struct no_rule {};

/// A custom function as W recorded it: its value is known, with what the forward rule saved for the backward one.
template <class W, class Forward, class Backward, class Y, class... R>
struct saved_op : opaque_op {
    static constexpr const char* name = "custom_vjp";
    using known_to = W;
    Forward forward;
    Backward backward;
    Y y;
    std::tuple<R...> residuals;

    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        const auto bar = conjugated(get<0>(bars));
        const auto pull = [&](const auto&... r) { return as_tuple(backward(r..., bar)); };
        if constexpr ((wrapped_by_v<W, A> || ...)) {  // create_graph: what was saved must be recorded, too
            const auto again = unpack([&](const auto*... a) { return forward(*a...); }, inputs);
            return active_adjoints<Active>(
                inputs, std::apply([&](const auto&, const auto&... r) { return pull(evaluate(r)...); }, again), name);
        } else {
            return active_adjoints<Active>(inputs, std::apply(pull, residuals), name);
        }
    }
};

template <class F, class Forward, class Backward, class Push = no_rule>
struct custom_vjp_op : opaque_op {
    static constexpr const char* name = "custom_vjp";
    F f;
    Forward forward;
    Backward backward;
    [[no_unique_address]] Push push;

    template <class... A>
    auto value(const A&... a) const {
        return make_pack(evaluate_result(f(a...)));
    }
    /// The same op with the value and the residuals that W's backward pass will need.
    template <class W, class... A>
    auto saved(const A&... a) const {
        return std::apply(
            [&](const auto& y, const auto&... r) {
                return saved_op<W, Forward, Backward, std::remove_cvref_t<decltype(y)>, std::remove_cvref_t<decltype(r)>...>{
                    {}, forward, backward, y, {r...}};
            },
            evaluate_result(forward(a...)));
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        constexpr bool given = !std::is_same_v<Push, no_rule>;
        static_assert(given,
                      "ricci: a custom_vjp function has no forward mode: give it a forward rule too, or use custom_jvp");
        if constexpr (given) return push_by_rule<Active>(push, inputs, tangents);
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        const auto in = mapped_axes<Mapped>(std::make_integer_sequence<int, sizeof...(A)>{});
        const auto batched_f = vmap(f, in);
        const auto batched_forward = vmap(forward, in);
        const auto rule = batched_backward<Mapped>(backward);
        const auto batched_push = [&] {
            if constexpr (std::is_same_v<Push, no_rule>) return push;
            else return batched_rule<Mapped>(push);
        }();
        const custom_vjp_op<std::remove_cvref_t<decltype(batched_f)>, std::remove_cvref_t<decltype(batched_forward)>,
                            std::remove_cvref_t<decltype(rule)>, std::remove_cvref_t<decltype(batched_push)>>
            op{{}, batched_f, batched_forward, rule, batched_push};
        return with_whole_batch<Mapped>([&](const auto&... x) { return call(op, evaluate(x)...); }, a...);
    }
};

template <class F, class Rule>
struct custom_jvp_op : opaque_op {
    static constexpr const char* name = "custom_jvp";
    F f;
    Rule rule;

    template <class... A>
    auto value(const A&... a) const {
        return make_pack(evaluate_result(f(a...)));
    }
    /// The transpose of the tangent map, which is linear.
    template <class Active, bool, class... A, class... C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C...>& bars) const {
        return unpack(
            [&](const auto*... a) {
                const auto primals = std::make_tuple(*a...);
                const auto push = [&](const auto&... t) { return std::get<1>(rule(primals, std::make_tuple(t...))); };
                const auto transposed = vjp(push, evaluate(constant_array<A>(a->shape(), 0))...);
                return active_adjoints<Active>(inputs, as_tuple(std::get<1>(transposed)(conjugated(get<0>(bars)))),
                                               name);
            },
            inputs);
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return push_by_rule<Active>(rule, inputs, tangents);
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        const auto in = mapped_axes<Mapped>(std::make_integer_sequence<int, sizeof...(A)>{});
        const auto batched_f = vmap(f, in);
        const auto rule_of_batches = batched_rule<Mapped>(rule);
        const custom_jvp_op<std::remove_cvref_t<decltype(batched_f)>, std::remove_cvref_t<decltype(rule_of_batches)>> op{
            {}, batched_f, rule_of_batches};
        return with_whole_batch<Mapped>([&](const auto&... x) { return call(op, evaluate(x)...); }, a...);
    }
};

/// A function whose backward pass starts from its arguments alone.
template <class F>
struct recompute {
    F f;
    template <class... A>
    auto operator()(const A&... argument_then_bar) const {
        const auto all = std::make_tuple(argument_then_bar...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::get<1>(vjp(f, std::get<I>(all)...))(std::get<sizeof...(A) - 1>(all));
        }(std::make_index_sequence<sizeof...(A) - 1>{});
    }
};

}  // namespace detail

/// `f` with a backward rule of its own. `forward(args...)` gives rc::tuple(value, saved...); `backward(saved..., cotangent)` the
/// adjoint of the argument, or rc::tuple of those of all (of complex ones, in the convention of vjp). Written with the library's functions, both differentiate again; the
/// function can be batched. Forward mode is refused at compile time. (JAX's custom_vjp, torch.autograd.Function.)
template <class F, class Forward, class Backward>
auto custom_vjp(F f, Forward forward, Backward backward) {
    return [op = detail::custom_vjp_op<F, Forward, Backward>{{}, f, forward, backward, {}}](const auto&... args) {
        return detail::call1(op, detail::as_array(args)...);
    };
}
/// The same with a forward rule as well, `push(primals, tangents)` as custom_jvp's: both modes go by the rules given.
template <class F, class Forward, class Backward, class Push>
auto custom_vjp(F f, Forward forward, Backward backward, Push push) {
    return [op = detail::custom_vjp_op<F, Forward, Backward, Push>{{}, f, forward, backward, push}](const auto&... args) {
        return detail::call1(op, detail::as_array(args)...);
    };
}

/// `f` with a forward rule of its own: `rule(primals, tangents)`, both tuples, gives rc::tuple(value, tangent) and must be linear in
/// the tangents; reverse mode is its transpose. Differentiates again and can be batched. (JAX's custom_jvp.)
template <class F, class Rule>
auto custom_jvp(F f, Rule rule) {
    return [op = detail::custom_jvp_op<F, Rule>{{}, f, rule}](const auto&... args) {
        return detail::call1(op, detail::as_array(args)...);
    };
}

/// f(args...), of which the backward pass remembers the arguments alone and computes the rest once more: memory for time.
/// (torch.utils.checkpoint, jax.checkpoint.)
template <class F, class... A>
auto checkpoint(F f, const A&... args) {
    const auto forward = [f](const auto&... x) { return ricci::tuple(f(x...), x...); };
    return custom_vjp(f, forward, detail::recompute<F>{f})(args...);
}

/// The value of x as a constant of every derivative, forward and backward, in progress; batches stay batches.
template <expression E>
auto stop_gradient(const E& x) {
    if constexpr (!E::is_array) {
        return stop_gradient(evaluate(x));
    } else if constexpr (std::is_void_v<typename E::wrapper>) {
        return x;
    } else if constexpr (E::wrapper::differentiates) {
        return stop_gradient(x.inner());
    } else {
        return x.with_inner([](const auto& inner) { return stop_gradient(inner); });
    }
}

}  // namespace ricci
// ---- ricci/grad/gradcheck.hpp
// gradcheck: a user's derivatives against central differences.

namespace ricci {

/// The step of the differences, and how far a derivative d may be from a difference e: |d - e| <= atol + rtol |e|. (The defaults
/// are PyTorch's, for arguments of about 1 in double precision.)
struct gradcheck_options {
    double step = 1e-6;
    double atol = 1e-5;
    double rtol = 1e-3;
};
/// Which derivatives gradcheck compares with differences: those of vjp, of jvp, or of both.
enum class gradcheck_mode { both, backward, forward };

namespace detail {

/// How many real numbers an element is: a complex one's parts stand side by side.
template <class T>
inline constexpr int parts_v = is_complex_v<T> ? 2 : 1;
/// The real numbers of a plain dense array.
template <class A>
auto parts_of(const A& a) {
    return reinterpret_cast<real_t<typename A::value_type>*>(a.data());
}
/// The elements of an array of any shape, in row-major order, as real numbers.
template <class A>
std::vector<double> flat_values(const A& a) {
    using T = std::conditional_t<is_complex_v<typename A::value_type>, std::complex<double>, double>;
    const auto dense = evaluate(astype<T>(a)).clone();
    return {parts_of(dense), parts_of(dense) + parts_v<T> * dense.size()};
}
/// Refuses derivatives of all outputs by one element of an argument, or of one output by all, that are not the differences.
inline void check_derivative(double d, double difference, const gradcheck_options& options, const char* mode, index_t output,
                             std::size_t argument, index_t element) {
    if (std::fabs(d - difference) <= options.atol + options.rtol * std::fabs(difference)) return;
    raise<gradient_error>({"[gradcheck] ", mode, ": the derivative of output element ", output, " by element ", element,
                           " of argument ", argument, " is ", std::to_string(d).c_str(), ", differences give ",
                           std::to_string(difference).c_str()});
}

/// table[j][k]: the derivative of output element k by element j of an argument, of complex ones of the parts.
using difference_table = std::vector<std::vector<double>>;
/// The central differences for argument I.
template <std::size_t I, class F, class... X>
difference_table differences_of(const F& f, const std::tuple<X...>& inputs, double step) {
    const auto at = [&](index_t j, double by) {
        auto moved = std::apply([](const auto&... x) { return std::make_tuple(x.clone()...); }, inputs);
        parts_of(std::get<I>(moved))[j] += by;
        return flat_values(std::apply([&](const auto&... x) { return evaluate_result(f(x...)); }, moved));
    };
    difference_table columns;
    using X_I = std::tuple_element_t<I, std::tuple<X...>>;
    for (index_t j = 0; j < parts_v<typename X_I::value_type> * std::get<I>(inputs).size(); ++j) {
        auto column = at(j, step);
        const auto below = at(j, -step);
        for (std::size_t k = 0; k < column.size(); ++k) column[k] = (column[k] - below[k]) / (2 * step);
        columns.push_back(column);
    }
    return columns;
}

template <class X>
X zeros_of(const X& x) {
    return constant_array<X>(x.shape(), 0);
}
template <std::size_t I, class F, class... X>
void check_backward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                    const gradcheck_options& options) {
    const auto pair = std::apply([&](const auto&... x) { return vjp(f, x...); }, inputs);
    const auto& value = std::get<0>(pair);
    for (index_t k = 0; k < parts_v<typename std::remove_cvref_t<decltype(value)>::value_type> * value.size(); ++k) {
        const auto bar = zeros_of(value);
        parts_of(bar)[k] = 1;
        const auto adjoint = flat_values([&] {
            const auto adjoints = std::get<1>(pair)(bar);
            if constexpr (sizeof...(X) == 1) return adjoints;
            else return std::get<I>(adjoints);
        }());
        for (std::size_t j = 0; j < expected.size(); ++j)
            check_derivative(adjoint[j], expected[j][static_cast<std::size_t>(k)], options, "backward", k, I,
                             static_cast<index_t>(j));
    }
}
template <std::size_t I, class F, class... X>
void check_forward(const F& f, const std::tuple<X...>& inputs, const difference_table& expected,
                   const gradcheck_options& options) {
    for (std::size_t j = 0; j < expected.size(); ++j) {
        const auto direction = std::apply([&](const auto&... x) { return std::make_tuple(zeros_of(x)...); }, inputs);
        parts_of(std::get<I>(direction))[j] = 1;
        const auto tangent = flat_values(std::get<1>(jvp(f, inputs, direction)));
        for (std::size_t k = 0; k < tangent.size(); ++k)
            check_derivative(tangent[k], expected[j][k], options, "forward", static_cast<index_t>(k), I,
                             static_cast<index_t>(j));
    }
}

template <gradcheck_mode Mode, std::size_t I, class F, class... X>
void check_argument(const F& f, const std::tuple<X...>& inputs, const gradcheck_options& options) {
    const auto expected = differences_of<I>(f, inputs, options.step);
    if constexpr (Mode != gradcheck_mode::forward) check_backward<I>(f, inputs, expected, options);
    if constexpr (Mode != gradcheck_mode::backward) check_forward<I>(f, inputs, expected, options);
}

}  // namespace detail

/// Compares the derivatives of f (arrays to one array), backward and forward, with central differences: every element of the
/// result by every element of every argument. Arguments: a tuple of arrays of doubles, where f is smooth. Complex elements are
/// two numbers each, the real part and the imaginary one, and counted so. True, or throws gradient_error, which names the first
/// element that differs and both numbers. (torch.autograd.gradcheck.)
template <gradcheck_mode Mode = gradcheck_mode::both, class F, class... X>
bool gradcheck(F f, const std::tuple<X...>& inputs, gradcheck_options options = {}) {
    static_assert((std::is_same_v<real_t<typename X::value_type>, double> && ...),
                  "ricci: gradcheck needs arguments of doubles: differences of floats tell nothing");
    [&]<std::size_t... I>(std::index_sequence<I...>) { (detail::check_argument<Mode, I>(f, inputs, options), ...); }
    (std::index_sequence_for<X...>{});
    return true;
}

/// The same for second derivatives: checks the pullback of f along a fixed cotangent. (torch.autograd.gradgradcheck.)
template <gradcheck_mode Mode = gradcheck_mode::both, class F, class... X>
bool gradgradcheck(F f, const std::tuple<X...>& inputs, gradcheck_options options = {}) {
    const auto value = std::apply([&](const auto&... x) { return evaluate(f(x...)); }, inputs);
    const auto cotangent = detail::constant_array<std::remove_cvref_t<decltype(value)>>(value.shape(), 0);
    for (index_t k = 0; k < cotangent.size(); ++k) {
        using T = typename std::remove_cvref_t<decltype(value)>::value_type;
        cotangent.data()[k] = T(1 + 0.25 * static_cast<double>(k % 3));
        if constexpr (is_complex_v<T>) cotangent.data()[k] *= T(0.8, 0.6);
    }
    return std::apply(
        [&](const auto&... x) {
            // one argument's adjoint at a time: a pullback of several gives a tuple
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                const auto adjoint = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
                    return [&](const auto&... v) {
                        const auto adjoints = std::get<1>(vjp(f, v...))(cotangent);
                        if constexpr (sizeof...(X) == 1) return adjoints;
                        else return std::get<K>(adjoints);
                    };
                };
                return (gradcheck<Mode>(adjoint(std::integral_constant<std::size_t, I>{}), std::make_tuple(x...), options) && ...);
            }(std::index_sequence_for<X...>{});
        },
        inputs);
}

}  // namespace ricci
// ---- ricci/grad/implicit.hpp
// Derivatives of solutions of equations, by the implicit function theorem: custom_root, custom_fixed_point.

// ---- ricci/grad/jacobian.hpp
// Jacobians and Hessians, dense: vmaps of products with the elements of a basis.
// ---- ricci/ops/create.hpp
// New arrays: constant, evenly spaced, random, and over memory that exists.
#include <span>

namespace ricci {

/// An array of the given shape whose elements are not set. Throws value_error for a negative extent or a size that overflows,
/// std::bad_alloc when memory does not suffice; so do the others here.
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> empty(const shape<R>& extents, Device = {}) {
    return tensor<T, R, Device>::uninitialized(extents);
}
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> empty(const extent (&extents)[R], Device = {}) {
    return tensor<T, R, Device>::uninitialized(detail::to_shape(extents));
}

/// All elements `value`.
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> full(const shape<R>& extents, const std::type_identity_t<T>& value, Device = {}) {
    auto x = tensor<T, R, Device>::uninitialized(extents);
    executor<Device>::fill(x, value);
    return x;
}
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> full(const extent (&extents)[R], const std::type_identity_t<T>& value, Device device = {}) {
    return full<T>(detail::to_shape(extents), value, device);
}

/// All elements 0.
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> zeros(const shape<R>& extents, Device device = {}) {
    return full<T>(extents, T(0), device);
}
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> zeros(const extent (&extents)[R], Device device = {}) {
    return full<T>(detail::to_shape(extents), T(0), device);
}

/// All elements 1.
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> ones(const shape<R>& extents, Device device = {}) {
    return full<T>(extents, T(1), device);
}
template <element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> ones(const extent (&extents)[R], Device device = {}) {
    return full<T>(detail::to_shape(extents), T(1), device);
}

namespace detail {

/// start + i * step, rounded twice, as everyone else's are: contracted, linspace(-1, 1, 11) would have 6e-17 in its middle.
template <class T>
void write_sequence(T* x, index_t n, T start, T step) {
    for (index_t i = 0; i < n; ++i) x[i] = static_cast<T>(i) * step;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    for (index_t i = 0; i < n; ++i) x[i] = start + x[i];
}

}  // namespace detail

/// start, start + step, ... below (for a negative step, above) stop: ceil((stop - start) / step) elements, each
/// start + i * step. Throws value_error for a step of 0.
template <element T, device_tag Device = cpu_device>
tensor<T, 1, Device> arange(std::type_identity_t<T> start, std::type_identity_t<T> stop,
                            std::type_identity_t<T> step = T(1), Device device = {}) {
    if (step == T(0)) detail::raise<value_error>({"[arange] the step must not be zero"});
    index_t n = 0;
    if constexpr (std::is_integral_v<T>) {
        if (step > T(0) ? stop > start : stop < start) {
            const auto gap = step > T(0) ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                         : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
            const auto by = step > T(0) ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
            n = static_cast<index_t>((gap - 1) / by + 1);
        }
    } else {
        const double count =
            std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
        if (!(count < 9e18)) detail::raise<value_error>({"[arange] the number of elements is not finite or too large"});
        n = count > 0 ? static_cast<index_t>(count) : 0;
    }
    auto x = tensor<T, 1>::uninitialized({n});
    if constexpr (std::is_integral_v<T>) {  // modulo 2^64, so that no intermediate overflows
        for (index_t i = 0; i < n; ++i)
            x.data()[i] = static_cast<T>(static_cast<std::uint64_t>(start) +
                                         static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step));
    } else {
        detail::write_sequence(x.data(), n, start, step);
    }
    return x.to(device);
}
template <element T, device_tag Device = cpu_device>
tensor<T, 1, Device> arange(std::type_identity_t<T> stop, Device device = {}) {
    return arange<T>(T(0), stop, T(1), device);
}

/// n values evenly spaced from start to stop, both included. Throws value_error for a negative n.
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T>)
tensor<T, 1, Device> linspace(std::type_identity_t<T> start, std::type_identity_t<T> stop, index_t n,
                              Device device = {}) {
    if (n < 0) detail::raise<value_error>({"[linspace] the number of values must not be negative: ", n});
    auto x = tensor<T, 1>::uninitialized({n});
    const T step = n > 1 ? (stop - start) / static_cast<T>(n - 1) : T(0);
    detail::write_sequence(x.data(), n, start, step);
    if (n > 1) x.data()[n - 1] = stop;
    return x.to(device);
}

/// Ones on a diagonal, zeros elsewhere: rows x columns, diagonal `k` (above the main one when positive).
template <element T, device_tag Device = cpu_device>
tensor<T, 2, Device> eye(index_t rows, index_t columns, index_t k = 0, Device device = {}) {
    auto x = zeros<T>(shape<2>{rows, columns});
    if (-rows < k && k < columns)
        for (index_t i = k < 0 ? -k : 0; i < rows && i + k < columns; ++i) x.data()[i * columns + i + k] = T(1);
    return x.to(device);
}
/// The identity matrix.
template <element T, device_tag Device = cpu_device>
tensor<T, 2, Device> eye(index_t rows, Device device = {}) {
    return eye<T>(rows, rows, 0, device);
}

/// A view of memory that the caller owns and keeps alive; of a span of const, a read-only tensor. Throws shape_error when the
/// span has another number of elements than the shape.
template <class T, std::size_t N, int R>
tensor<T, R> borrow(std::span<T, N> values, const shape<R>& extents) {
    detail::check_extents(extents, sizeof(T), "borrow");
    if (static_cast<index_t>(values.size()) != extents.count())
        detail::raise<shape_error>({"[borrow] ", values.size(), " elements do not fill shape ", extents});
    auto* data = const_cast<std::remove_const_t<T>*>(values.data());
    return tensor<T, R>(storage::borrow(data, values.size_bytes()), values.data(), extents, detail::row_major(extents));
}
template <class T, std::size_t N>
tensor<T, 1> borrow(std::span<T, N> values) {
    return borrow(values, shape<1>{static_cast<index_t>(values.size())});
}

/// A copy of a span's elements, in the given shape.
template <class T, std::size_t N, int R>
tensor<std::remove_const_t<T>, R> from_span(std::span<T, N> values, const shape<R>& extents) {
    return borrow(values, extents).clone();
}
template <class T, std::size_t N>
tensor<std::remove_const_t<T>, 1> from_span(std::span<T, N> values) {
    return borrow(values).clone();
}

/// Uniform random numbers in [0, 1). Counter-based: the same generator state gives the same numbers on any number of threads
/// and on the GPU. Inside a function under vmap they are the same for all members of the batch and must be asked for, by
/// vmap's option {.randomness = randomness::same}; otherwise value_error is thrown: rand_like gives each member its own.
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> rand(const shape<R>& extents, generator& g = default_generator(), Device = {}) {
    auto x = tensor<T, R, Device>::uninitialized(extents);
    executor<Device>::template random<false>(x, g.seed(), detail::reserve_shared(g, x.size(), "rand"));
    return x;
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> rand(const extent (&extents)[R], generator& g = default_generator(), Device device = {}) {
    return rand<T>(detail::to_shape(extents), g, device);
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> rand(const extent (&extents)[R], generator&& g, Device device = {}) {
    return rand<T>(detail::to_shape(extents), g, device);
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> rand(const shape<R>& extents, generator&& g, Device device = {}) {
    return rand<T>(extents, g, device);
}

/// Standard normal random numbers (mean 0, variance 1), counter-based as rand.
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> randn(const shape<R>& extents, generator& g = default_generator(), Device = {}) {
    auto x = tensor<T, R, Device>::uninitialized(extents);
    executor<Device>::template random<true>(x, g.seed(), detail::reserve_shared(g, x.size(), "randn"));
    return x;
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> randn(const extent (&extents)[R], generator& g = default_generator(), Device device = {}) {
    return randn<T>(detail::to_shape(extents), g, device);
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> randn(const extent (&extents)[R], generator&& g, Device device = {}) {
    return randn<T>(detail::to_shape(extents), g, device);
}
template <std::floating_point T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> randn(const shape<R>& extents, generator&& g, Device device = {}) {
    return randn<T>(extents, g, device);
}

}  // namespace ricci

namespace ricci {
namespace detail {

/// Arrays of x's shape with one element 1 and the others 0: those for the elements first ... first + count - 1.
template <class X>
auto basis_of(const X& x, index_t first, index_t count) {
    using T = typename X::value_type;
    static_assert(
        !is_complex_v<T>,
        "ricci: Jacobian matrices are those of real functions: take vjp or jvp of complex ones, or map their parts");
    const auto unit = eye<T>(count, x.shape().count(), first).to(typename X::device_type{});
    return reshaped(unit, prefixed(count, x.shape()));
}
template <int Q, class J, int R>
auto split_last(const J& j, const shape<R>& y, const shape<Q>& x) {
    shape<R + Q> to;
    for (int d = 0; d < R; ++d) to[d] = y[d];
    for (int d = 0; d < Q; ++d) to[R + d] = x[d];
    return reshaped(j, to);
}

/// f as a function of its I-th argument alone, the others as given.
template <int I, class F, class... A>
auto function_of(const F& f, const A&... args) {
    static_assert(I >= 0 && I < int(sizeof...(A)), "ricci: argnums names an argument that was not given");
    return [f, all = make_pack(args...)](const auto& v) {
        const auto pick = [&](auto k) -> const auto& {
            if constexpr (k() == I) return v;
            else return get<k()>(all);
        };
        return transform_indices<sizeof...(A)>(pick, f);
    };
}
/// `derivative(f_I, x_I)`, where f_I is f as a function of its I-th argument.
template <int I, class D, class F, class... A>
auto argument_derivative(const D& derivative, const F& f, const pack<A...>& args) {
    return derivative(unpack([&](const auto&... a) { return function_of<I>(f, a...); }, args), get<I>(args));
}
/// Derivatives with respect to each of the arrays in arguments of types S: for each array in the result, if that is a
/// structure, they are put together as the arguments that they belong to.
template <class... S, class... J>
auto arranged(const pack<J...>& by_array) {
    using R = pack_element_t<0, pack<J...>>;
    if constexpr (operand<R>) {
        return regrouped<S...>(by_array);
    } else {
        return structure<R>::template at<0>(generate<structure<R>::count>([&](auto y) {
            return regrouped<S...>(generate<sizeof...(J)>([&](auto k) {
                return get<y()>(structure<pack_element_t<k(), pack<J...>>>::arrays(get<k()>(by_array)));
            }));
        }));
    }
}
/// `derivative(f_k, x_k)` for the arrays x_k in the arguments that argnums names, f_k being f as a function of x_k alone.
template <class D, class F, int... I, class... S>
auto argument_derivatives(const D& derivative, const F& f, argnums_t<I...> arguments, const S&... args) {
    static_assert(((I >= 0 && I < int(sizeof...(S))) && ...), "ricci: argnums names an argument that was not given");
    const auto arrays = concat_all(structure<S>::arrays(args)...);
    const auto each = [&]<int... K>(const auto& flat, argnums_t<K...>) {
        return arranged<argument_t<I, S...>...>(make_pack(argument_derivative<K>(derivative, flat, arrays)...));
    };
    if constexpr (all_operands_v<S...>) return each(f, arguments);
    else return each(flat_function<F, S...>{f}, array_numbers<member_list<S...>, S...>(arguments));
}
template <class D, class F, int... I>
auto for_each_argument(const D& derivative, const F& f, argnums_t<I...> arguments) {
    return [derivative, f, arguments](const auto&... args) {
        return argument_derivatives(derivative, f, arguments, args...);
    };
}

template <class Options>
struct forward_jacobian {
    Options options;
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        const auto push = [&](auto v) { return std::get<1>(jvp(f, x, v)); };
        const auto basis = [&](index_t first, index_t count) { return make_pack(basis_of(x, first, count)); };
        const auto columns = vmap_batch<1>(push, std::make_tuple(-1), options, x.shape().count(), basis);
        return map_arrays(columns, [&](const auto& column) {
            using J = std::remove_cvref_t<decltype(column)>;
            shape<J::rank - 1> y;
            for (int d = 0; d < J::rank - 1; ++d) y[d] = column.shape()[d];
            return split_last(column, y, x.shape());
        });
    }
};
template <class Options>
struct reverse_jacobian {
    Options options;
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        const auto pair = vjp(f, x);
        using Y = std::remove_cvref_t<decltype(std::get<0>(pair))>;
        const auto results = structure<Y>::arrays(std::get<0>(pair));
        return structure<Y>::template at<0>(generate<structure<Y>::count>([&](auto k) {
            const auto& y = get<k()>(results);
            const auto pull = [&](auto c) { return std::get<1>(pair)(cotangent_of<Y, k()>(results, c)); };
            const auto basis = [&](index_t first, index_t count) { return make_pack(basis_of(y, first, count)); };
            const auto rows = vmap_batch<1>(pull, std::make_tuple(0), options, y.shape().count(), basis);
            return split_last(rows, y.shape(), x.shape());
        }));
    }

   private:
    /// A cotangent of one array in a result, zeros for the others.
    template <class Y, int K, class Results, class C>
    static auto cotangent_of(const Results& results, const C& c) {
        return structure<Y>::template at<0>(generate<Results::size>([&](auto k) {
            using R = pack_element_t<k(), Results>;
            if constexpr (k() == K) return c;
            else
                return constant_array<tensor<typename R::value_type, R::rank, typename R::device_type>>(
                    get<k()>(results).shape(), 0);
        }));
    }
};
template <class Options>
struct forward_over_reverse {
    Options options;
    template <class F, class X>
    auto operator()(const F& f, const X& x) const {
        return forward_jacobian<Options>{options}(grad(f), x);
    }
};
template <class F, int I, class Options>
auto make_hessian(const F& f, argnums_t<I> argument, const Options& options) {
    return [f, argument, options](const auto&... args) {
        if constexpr (all_operands_v<std::remove_cvref_t<decltype(args)>...>)
            return argument_derivatives(forward_over_reverse<Options>{options}, f, argument, args...);
        else  // the blocks of all pairs of arrays
            return argument_derivatives(forward_jacobian<Options>{options}, grad(f, argument), argument, args...);
    };
}

}  // namespace detail

/// The Jacobian of f with respect to its first argument, or to those that argnums<...> names (a tuple of several):
/// shape(result) + shape(x), one tangent for each element of x, all at once or `chunk_size` at a time (vmap_options). A
/// result that is a tuple or a struct of arrays gives such a structure of what belongs to each array in it, and an argument
/// that is one (expr/structure.hpp) a structure of the Jacobians with respect to its arrays. For functions with few inputs;
/// jacrev for those with few outputs. Real functions alone: of complex arguments take jvp or vjp.
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::forward_jacobian<detail::no_options>{}, f, arguments);
}
template <class F, int... I>
auto jacfwd(F f, argnums_t<I...> arguments, vmap_options options) {
    return detail::for_each_argument(detail::forward_jacobian<vmap_options>{options}, f, arguments);
}
template <class F>
auto jacfwd(F f) {
    return jacfwd(f, argnums<0>);
}
template <class F>
auto jacfwd(F f, vmap_options options) {
    return jacfwd(f, argnums<0>, options);
}

/// The Jacobian of f, as jacfwd gives it, by one cotangent for each element of the result.
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments) {
    return detail::for_each_argument(detail::reverse_jacobian<detail::no_options>{}, f, arguments);
}
template <class F, int... I>
auto jacrev(F f, argnums_t<I...> arguments, vmap_options options) {
    return detail::for_each_argument(detail::reverse_jacobian<vmap_options>{options}, f, arguments);
}
template <class F>
auto jacrev(F f) {
    return jacrev(f, argnums<0>);
}
template <class F>
auto jacrev(F f, vmap_options options) {
    return jacrev(f, argnums<0>, options);
}

/// The matrix of second derivatives of a function with a scalar result with respect to one argument, shape(x) + shape(x):
/// forward over reverse, with jacfwd's options. An argument that is a tuple or a struct of arrays gives the blocks
/// shape(a) + shape(b) of each pair of its arrays, as a structure over a of structures over b.
template <class F, int I>
auto hessian(F f, argnums_t<I> argument) {
    return detail::make_hessian(f, argument, detail::no_options{});
}
template <class F, int I>
auto hessian(F f, argnums_t<I> argument, vmap_options options) {
    return detail::make_hessian(f, argument, options);
}
template <class F>
auto hessian(F f) {
    return hessian(f, argnums<0>);
}
template <class F>
auto hessian(F f, vmap_options options) {
    return hessian(f, argnums<0>, options);
}

}  // namespace ricci

namespace ricci {
namespace detail {

/// Gaussian elimination with partial pivoting of one dense matrix.
template <class T>
class elimination {
   public:
    /// Factors a matrix given by strides. Throws value_error when it is singular.
    void factor(const T* a, index_t n, index_t row_stride, index_t column_stride) {
        n_ = n;
        lu_.resize(static_cast<std::size_t>(n * n));
        pivot_.resize(static_cast<std::size_t>(n));
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j) at(i, j) = a[i * row_stride + j * column_stride];
        for (index_t k = 0; k < n; ++k) eliminate(k);
    }
    void solve(const T* b, index_t b_stride, T* x) const {
        for (index_t i = 0; i < n_; ++i) x[i] = b[i * b_stride];
        for (index_t k = 0; k < n_; ++k) {
            std::swap(x[k], x[pivot_[static_cast<std::size_t>(k)]]);
            for (index_t i = k + 1; i < n_; ++i) x[i] -= at(i, k) * x[k];
        }
        for (index_t k = n_ - 1; k >= 0; --k) {
            for (index_t j = k + 1; j < n_; ++j) x[k] -= at(k, j) * x[j];
            x[k] /= at(k, k);
        }
    }

   private:
    void eliminate(index_t k) {
        index_t p = k;
        for (index_t i = k + 1; i < n_; ++i)
            if (math::abs(at(i, k)) > math::abs(at(p, k))) p = i;
        if (at(p, k) == T(0))
            raise<value_error>(
                {"[custom_root] the Jacobian of the residual, ", n_, " x ", n_, ", is singular at the solution"});
        pivot_[static_cast<std::size_t>(k)] = p;
        for (index_t j = 0; j < n_ && p != k; ++j) std::swap(at(p, j), at(k, j));
        for (index_t i = k + 1; i < n_; ++i) {
            const T m = at(i, k) /= at(k, k);
            for (index_t j = k + 1; j < n_; ++j) at(i, j) -= m * at(k, j);
        }
    }
    // rows are exchanged whole, so that solve exchanges elements as it goes
    T& at(index_t i, index_t j) { return lu_[static_cast<std::size_t>(i * n_ + j)]; }
    const T& at(index_t i, index_t j) const { return lu_[static_cast<std::size_t>(i * n_ + j)]; }

    index_t n_ = 0;
    std::vector<T> lu_;
    std::vector<index_t> pivot_;
};

/// x with a x = b: matrices (batch..., n, n) and vectors (batch..., n).
template <int Batch>
struct dense_solve_op : opaque_op {
    static constexpr const char* name = "solve";

    template <class T, class U>
    auto value(const tensor<T, Batch + 2>& a, const tensor<U, Batch + 1>& b) const {
        const index_t n = b.shape()[Batch];
        const tensor<U, Batch + 1> x = tensor<U, Batch + 1>::uninitialized(b.shape());
        elimination<U> lu;
        const T* factored = nullptr;
        for (index_t m = 0, count = n > 0 ? b.size() / n : 0; m < count; ++m) {
            index_t a_at = 0, b_at = 0, rest = m;
            for (int d = Batch - 1; d >= 0; --d) {
                const index_t i = rest % b.shape()[d];
                rest /= b.shape()[d];
                a_at += i * a.strides()[d];
                b_at += i * b.strides()[d];
            }
            if (a.data() + a_at != factored)  // many right sides of one matrix come one after the other
                lu.factor(factored = a.data() + a_at, n, a.strides()[Batch], a.strides()[Batch + 1]);
            lu.solve(b.data() + b_at, b.strides()[Batch], x.data() + m * n);
        }
        return make_pack(x);
    }
    template <class Active, bool, class A, class B, class C>
    auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
        const auto& a = *get<0>(inputs);
        const auto b_bar = call1(*this, matrix_transpose(a), get<0>(bars));
        const auto a_bar = [&] {
            const auto x = call1(*this, a, *get<1>(inputs));
            return evaluate(-index(b_bar, ellipsis, newaxis) * index(x, ellipsis, newaxis, all));
        };
        if constexpr (Active::at[0] && Active::at[1]) return make_pack(a_bar(), b_bar);
        else if constexpr (Active::at[0]) return make_pack(a_bar());
        else return make_pack(b_bar);
    }
    template <class Active, class A, class B, class... D>
    auto pushforward(const pack<const A*, const B*>& inputs, const pack<const D*...>& tangents) const {
        const auto& a = *get<0>(inputs);
        const auto x = call1(*this, a, *get<1>(inputs));
        const auto moved = [&] { return sum(*get<0>(tangents) * index(x, ellipsis, newaxis, all), -1); };  // a_dot x
        const auto right = [&] {
            if constexpr (Active::at[0] && Active::at[1]) return evaluate(*get<1>(tangents) - moved());
            else if constexpr (Active::at[0]) return evaluate(-moved());
            else return *get<0>(tangents);
        };
        return make_pack(x, call1(*this, a, right()));
    }
    template <class Mapped, class A, class B>
    auto call_batched(const A& a, const B& b) const {
        const index_t size = Mapped::at[0] && a.shape()[0] != 1 ? a.shape()[0] : Mapped::at[1] ? b.shape()[0] : 1;
        return call(dense_solve_op<Batch + 1>{}, whole_batch<Mapped::at[0]>(a, size),
                    whole_batch<Mapped::at[1]>(b, size));
    }

   private:
    template <bool IsMapped, class A>
    static auto whole_batch(const A& a, index_t size) {
        if constexpr (IsMapped) {
            auto full = a.shape();
            full[0] = size;
            return expand(a, full);
        } else {
            return expand(a, prefixed(size, a.shape()));
        }
    }
};

/// Solves matvec(x) = b with the dense matrix of the linear function, found by one batched product with the unit
/// vectors.
struct dense_linear_solve {
    template <class F, class B>
    auto operator()(const F& matvec, const B& b) const {
        using T = typename B::value_type;
        static_assert(!is_complex_v<T>,
                      "ricci: the dense solve is that of real equations: give a linear_solve for complex ones");
        if constexpr (B::rank == 0) {
            return evaluate(b / matvec(constant_array<tensor<T, 0, typename B::device_type>>({}, 1)));
        } else {
            const index_t n = b.shape().count();
            const auto columns = vmap(matvec)(basis_of(b, 0, n));
            const auto a = matrix_transpose(reshaped(columns, shape<2>{n, n}));
            return reshaped(call1(dense_solve_op<0>{}, a, reshaped(b, shape<1>{n})), b.shape());
        }
    }
};

// With F(x, theta) = 0 and J = dF/dx at the solution: J x_dot = -dF/dtheta theta_dot, and theta_bar = -(dF/dtheta)^T u
// with J^T u = x_bar (Blondel et al. 2021).

struct solver_name {
    static constexpr const char* name = "the solver of custom_root";
};

template <class Residual, class Solve, class LinearSolve>
struct root_function;

template <class X, class Y>
void check_residual(const X& x, const Y& y) {
    static_assert(X::rank == Y::rank, "ricci: the residual must have the solution's rank");
    if (!(x.shape() == y.shape()))
        raise<shape_error>({"[custom_root] the residual's shape ", y.shape(), " is not the solution's ", x.shape()});
}

/// The solution, and what the backward rule needs: the solution and theta.
template <class Root>
struct root_forward {
    Root root;
    template <class... A>
    auto operator()(const A&... theta) const {
        const auto x = root(theta...);
        return std::make_tuple(x, x, theta...);
    }
};
template <class Residual, class LinearSolve>
struct root_backward {
    Residual residual;
    LinearSolve linear_solve;
    template <class X, class... Rest>
    auto operator()(const X& x, const Rest&... theta_then_bar) const {
        const auto all = std::make_tuple(theta_then_bar...);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return pull(x, std::get<sizeof...(Rest) - 1>(all), std::get<I>(all)...);
        }(std::make_index_sequence<sizeof...(Rest) - 1>{});
    }

   private:
    template <class X, class C, class... A>
    auto pull(const X& x, const C& x_bar, const A&... theta) const {
        const auto of_x = vjp([residual = residual, theta...](const auto& v) { return residual(v, theta...); }, x);
        check_residual(x, std::get<0>(of_x));
        const auto u = linear_solve([pull = std::get<1>(of_x)](const auto& c) { return pull(c); }, x_bar);
        const auto of_theta = vjp([residual = residual, x](const auto&... t) { return residual(x, t...); }, theta...);
        return as_tuple(std::get<1>(of_theta)(evaluate(-u)));
    }
};
template <class Residual, class LinearSolve, class Root>
struct root_push {
    Residual residual;
    LinearSolve linear_solve;
    Root root;
    template <class... A, class T>
    auto operator()(const std::tuple<A...>& theta, const T& theta_dot) const {
        const auto x = std::apply(root, theta);
        const auto of_theta =
            jvp([residual = residual, x](const auto&... t) { return residual(x, t...); }, theta, theta_dot);
        check_residual(x, std::get<0>(of_theta));
        const auto of_x = [residual = residual, theta](const auto& v) {
            return std::apply([&](const auto&... t) { return residual(v, t...); }, theta);
        };
        const auto push = [of_x, x](const auto& v) { return std::get<1>(jvp(of_x, x, v)); };
        return std::make_tuple(x, linear_solve(push, evaluate(-std::get<1>(of_theta))));
    }
};

template <class Residual, class Solve, class LinearSolve>
struct root_function {
    Residual residual;
    Solve solve;
    LinearSolve linear_solve;

    /// Differentiable itself, so that the rules, which call it, are.
    template <class... A>
    auto operator()(const A&... theta) const {
        const custom_vjp_op<callback_function<Solve, solver_name>, root_forward<root_function>,
                            root_backward<Residual, LinearSolve>, root_push<Residual, LinearSolve, root_function>>
            op{{}, {solve}, {*this}, {residual, linear_solve}, {residual, linear_solve, *this}};
        return call1(op, as_array(theta)...);
    }
};

template <class Step>
struct fixed_point_residual {
    Step step;
    template <class X, class... A>
    auto operator()(const X& x, const A&... theta) const {
        return evaluate(step(x, theta...) - x);
    }
};

}  // namespace detail

/// The solution x of residual(x, theta...) = 0 as a differentiable function of theta: `solve(theta...)` finds it, by
/// any code, and is not differentiated; derivatives, forward and backward and of any order, come from the implicit
/// function theorem (Blondel et al. 2021; jax.lax.custom_root). x and theta are arrays of any rank, theta of floating
/// types; the residual has x's shape and is written with the library's functions. What derivatives are wanted for must
/// be an argument, not a capture, of both functions. `solve` sees plain arrays: under vmap it is called once for each
/// member of the batch.
///
/// `linear_solve(matvec, b)` gives x with matvec(x) = b, a linear function of arrays of b's shape, as transforms nest
/// under the same transforms, so in public functions. The default builds the matrix, n = x.size() products at once, and
/// eliminates with partial pivoting: O(n^2) memory and O(n^3) time, for n up to some hundreds. Throws shape_error when
/// the residual's shape is not x's; with the default, value_error when the Jacobian is singular.
template <class Residual, class Solve, class LinearSolve = detail::dense_linear_solve>
auto custom_root(Residual residual, Solve solve, LinearSolve linear_solve = {}) {
    return detail::root_function<Residual, Solve, LinearSolve>{residual, solve, linear_solve};
}

/// The fixed point x = step(x, theta...) as a differentiable function of theta: custom_root of step(x, theta...) - x.
template <class Step, class Solve, class LinearSolve = detail::dense_linear_solve>
auto custom_fixed_point(Step step, Solve solve, LinearSolve linear_solve = {}) {
    return custom_root(detail::fixed_point_residual<Step>{step}, solve, linear_solve);
}

}  // namespace ricci
// ---- ricci/grad/jet.hpp
// Taylor mode: derivatives of all orders up to one, in one pass: jet, and derivative and derivatives of scalar functions.
// ---- ricci/grad/taylor_tensor.hpp
// The wrapper of jet: an array with the coefficients of its Taylor series.

namespace ricci {

template <array A, int Degree, class Tag>
class taylor_tensor;

/// The rule of jet. Fused maps run once, on scalars that are series; linear ops map each coefficient; an op that has no
/// `expansion` follows from its pushforward, at a cost that may double with each order. Tag (the function's type) tells
/// nested ones apart.
template <class Tag, int Degree>
struct expand_by {
    static constexpr const char* name = "jet";
    static constexpr bool differentiates = true;
    static constexpr int priority = 2;
    static constexpr bool hands_on_windows = true;
    template <class Inner>
    using wrapped = taylor_tensor<Inner, Degree, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = expand_by;
        const level_t level = detail::checked_level<W>(a...);
        using plain = decltype(detail::call(op, detail::peel<W>(a)...));
        using active = detail::activity<has_series<A>()...>;
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type> || active::count == 0) {
            return detail::call(op, detail::peel<W>(a)...);
        } else {
            const auto parts = coefficients<active>(op, level, a...);
            return detail::generate<plain::size>([&](auto i) {
                return detail::transform_indices<Degree + 1>(
                    [&](auto k) -> const auto& { return detail::get<k() * plain::size + i()>(parts); },
                    [&](const auto&... c) { return make(level, c...); });
            });
        }
    }
    template <class A>
    static auto constant(const A& a) {
        const auto zero = detail::constant_array<A>(a.shape(), typename A::value_type(0));
        return detail::transform_indices<Degree>(
            [&](auto) -> const auto& { return zero; },
            [&](const auto&... c) { return taylor_tensor<A, Degree, Tag>(0, a, c...); });
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return constant(detail::constant_array<typename A::inner_type>(extents, value));
    }

   private:
    template <class A>
    static constexpr bool has_series() {
        return detail::wrapped_by_v<expand_by, A> && is_inexact_v<typename A::value_type>;
    }
    template <class A>
    static auto series_of(const A& a) {
        if constexpr (has_series<A>()) return detail::generate<Degree>([&](auto k) { return &a.coefficient(k() + 1); });
        else return detail::pack<>{};
    }
    /// The coefficients of the op's results, those of power 0 first.
    template <class Active, class Op, class... A>
    static auto coefficients(const Op& op, level_t level, const A&... a) {
        using W = expand_by;
        const auto inputs = detail::make_pack(&detail::peel<W>(a)...);
        if constexpr (requires { op.template expansion<Degree, Active>(inputs, detail::concat_all(series_of(a)...)); })
            return op.template expansion<Degree, Active>(inputs, detail::concat_all(series_of(a)...));
        else if constexpr (Degree == 1)
            return op.template pushforward<Active>(inputs, detail::concat_all(series_of(a)...));
        else return by_pushforward<Active>(op, level, a...);
    }
    /// y' is the pushforward of x' at x, both to one order less, where the op's rule is made of ops on series.
    template <class Active, class Op, class... A>
    static auto by_pushforward(const Op& op, level_t level, const A&... a) {
        const auto x = detail::make_pack(lowered<0>(a, level)...);
        const auto x_dot = detail::concat_all(derivative(a, level)...);
        const auto addresses = [](const auto&... each) { return detail::make_pack(&each...); };
        const auto both =
            op.template pushforward<Active>(detail::unpack(addresses, x), detail::unpack(addresses, x_dot));
        constexpr int n = decltype(both)::size / 2;
        return detail::generate<n*(Degree + 1)>([&](auto at) {
            constexpr int k = at() / n, i = at() % n;
            if constexpr (k == 0) return lowered_coefficient<0>(detail::get<i>(both));
            else {
                const auto c = lowered_coefficient<k - 1>(detail::get<n + i>(both));
                return evaluate(c / static_cast<typename std::remove_cvref_t<decltype(c)>::value_type>(k));
            }
        });
    }
    using lower = expand_by<Tag, Degree - 1>;
    /// The coefficients from First on, Degree of them, as a series; what has none as it is.
    template <int First, class A>
    static auto lowered(const A& a, level_t level) {
        if constexpr (!has_series<A>()) return detail::peel<expand_by>(a);
        else
            return detail::transform_indices<Degree>(
                [&](auto k) -> const auto& { return a.coefficient(k() + First); },
                [&](const auto&... c) {
                    return typename lower::template wrapped<typename A::inner_type>(level, c...);
                });
    }
    template <class A>
    static auto derivative(const A& a, level_t level) {
        if constexpr (!has_series<A>()) return detail::pack<>{};
        else
            return detail::transform_indices<Degree>(
                [&](auto k) { return evaluate(a.coefficient(k() + 1) * static_cast<typename A::value_type>(k() + 1)); },
                [&](const auto&... c) {
                    return detail::make_pack(typename lower::template wrapped<typename A::inner_type>(level, c...));
                });
    }
    template <int K, class Y>
    static auto lowered_coefficient(const Y& y) {
        if constexpr (detail::wrapped_by_v<lower, Y>) return y.coefficient(K);
        else if constexpr (K == 0) return y;
        else return detail::constant_array<Y>(y.shape(), 0);
    }
    template <class... C>
    static auto make(level_t level, const C&... c) {
        using chain = detail::chain_of_t<C...>;  // a coefficient may be batched where the value is not
        using A = std::common_type_t<decltype(detail::lift(chain{}, c))...>;
        return taylor_tensor<A, Degree, Tag>(level, detail::lift(chain{}, c)...);
    }
};

/// An array under jet: `inner()` is its value, `coefficient(k)` what stands before t^k.
template <array A, int Degree, class Tag>
class taylor_tensor : public indexable<taylor_tensor<A, Degree, Tag>> {
   public:
    using inner_type = A;
    using wrapper = expand_by<Tag, Degree>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    taylor_tensor() = default;
    template <class... C>
        requires(sizeof...(C) == Degree + 1)
    explicit taylor_tensor(level_t level, const C&... c) : coefficients_{c...}, level_(level) {}
    const A& inner() const { return coefficients_[0]; }
    const A& coefficient(int k) const { return coefficients_[static_cast<std::size_t>(k)]; }
    level_t level() const { return level_; }
    level_t inner_level() const {
        level_t highest = 0;
        for (const A& c : coefficients_) highest = higher(highest, c.level());
        return highest;
    }
    const ricci::shape<rank>& shape() const { return inner().shape(); }
    index_t shape(int axis) const { return inner().shape(axis); }
    index_t size() const { return inner().size(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, the series left aside.
    value_type item() const { return inner().item(); }

    template <class F>
    auto with_inner(const F& f) const {
        return std::apply(
            [&](const auto&... c) {
                using B = std::common_type_t<decltype(f(c))...>;
                return taylor_tensor<B, Degree, Tag>(level_, f(c)...);
            },
            coefficients_);
    }

   private:
    static constexpr level_t higher(level_t a, level_t b) { return a < b ? b : a; }

    std::array<A, Degree + 1> coefficients_;
    level_t level_ = 0;
};

}  // namespace ricci

namespace ricci {
namespace detail {

/// k!, exact up to the highest degree.
constexpr double factorial(int k) {
    double product = 1;
    for (int j = 2; j <= k; ++j) product *= j;
    return product;
}
template <class X>
auto scaled_coefficient(const X& x, double by) {
    if (by == 1) return x;
    return evaluate(x * static_cast<typename X::value_type>(by));
}

/// The value of jet's result or, for K > 0, its K-th derivative.
template <class W, int K, class Y>
auto jet_derivative(const Y& y) {
    if constexpr (!expression<Y>) {
        return std::apply([](const auto&... part) { return std::make_tuple(jet_derivative<W, K>(part)...); }, y);
    } else if constexpr (wrapped_by_v<W, Y>) {
        return scaled_coefficient(y.coefficient(K), factorial(K));
    } else if constexpr (K == 0) {
        return y;
    } else {
        return constant_array<Y>(y.shape(), 0);
    }
}

/// One argument of jet: its value, then its derivatives, each checked and divided by k!.
template <class Chain, class X, class... D>
auto coefficients_of(const X& x, const D&... d) {
    static_assert(((X::rank == D::rank) && ...), "ricci: jet: a derivative's rank is not its argument's");
    auto value = lift(Chain{}, x);
    using V = decltype(value);
    static_assert(is_inexact_v<typename V::value_type>,
                  "ricci: derivatives are taken with respect to floating or complex arguments");
    int k = 0;
    const auto coefficient = [&](const auto& each) {
        if (!(each.shape() == x.shape()))
            detail::raise<shape_error>(
                {"[jet] derivative ", k + 1, " of an argument has shape ", each.shape(), ", the argument ", x.shape()});
        return scaled_coefficient(lift(Chain{}, evaluate_as<typename V::value_type>(each)), 1 / factorial(++k));
    };
    return std::array<V, sizeof...(D) + 1>{value, coefficient(d)...};
}

template <class T>
auto as_arrays(const T& series) {
    return std::apply([](const auto&... d) { return make_pack(as_array(d)...); }, series);
}
/// f at the arguments x with the given series, a pack of arrays each.
template <int Degree, class F, class... A, class... S>
auto jet_of(const F& f, const pack<A...>& x, const S&... series) {
    using W = expand_by<F, Degree>;
    static_assert(sizeof...(A) == sizeof...(S), "ricci: jet needs the derivatives of each argument");
    static_assert(((S::size == Degree) && ...), "ricci: jet needs as many derivatives of each argument");
    using given =
        decltype([]<class... All>(const pack<All...>&) { return chain_of_t<All...>{}; }(concat_all(x, series...)));
    using enter = entered<W, (1u << sizeof...(A)) - 1, decltype(lift(given{}, std::declval<const A&>()))...>;
    using chain = typename entry_chain<W, F, enter, phantom<given>>::type;
    const transform_scope scope;
    const auto all = make_pack(series...);
    const auto inside = generate<sizeof...(A)>([&](auto i) {
        const auto c =
            unpack([&](const auto&... d) { return coefficients_of<chain>(get<i()>(x), d...); }, get<i()>(all));
        using V = typename decltype(c)::value_type;
        return std::apply([&](const auto&... each) { return taylor_tensor<V, Degree, F>(scope.level, each...); }, c);
    });
    const auto y = unpack([&](const auto&... a) { return evaluate_result(f(a...)); }, inside);
    return transform_indices<Degree>(
        [&](auto k) { return jet_derivative<W, k() + 1>(y); },
        [&](const auto&... d) { return std::make_tuple(jet_derivative<W, 0>(y), std::make_tuple(d...)); });
}

/// Refuses a function of complex numbers whose derivative u along 1 and v along i differ: those of conj, real, abs.
template <class S>
constexpr void check_analytic(const S& u, const S& v, S turn) {
    const auto difference = std::abs(v - turn * u), size = std::abs(u) + std::abs(v);
    if (difference > 1e3 * std::sqrt(std::numeric_limits<real_t<S>>::epsilon()) * size)
        raise<gradient_error>(
            {"[derivative] the function is not analytic (it takes conj, real, imag, abs or angle of its "
             "argument): it has no complex derivative; take jvp or grad"});
}

}  // namespace detail

/// The value and the derivatives of f along a curve: with x(t) given by its value `x` and its derivatives `series` =
/// (x', x'', ..., of order k) at t = 0, the tuple (f(x), (y', y'', ..., of order k)) of y(t) = f(x(t)). Derivatives,
/// not Taylor coefficients (JAX's jet): along a line, x' = v and 0 from there on, they are the directional derivatives
/// of f. One pass over truncated series, where k nested jvps would compute 2^k components. Several arguments come as
/// tuples, x = rc::tuple(x1, x2) and series = rc::tuple(rc::tuple(x1', ...), rc::tuple(x2', ...)). Orders up to 15;
/// composes with the other transforms. Throws shape_error when a derivative has not its argument's shape. Griewank and
/// Walther, Evaluating Derivatives, ch. 13; Bettencourt, Johnson, Duvenaud, Taylor-mode automatic differentiation,
/// 2019.
template <class F, operand X, class... D>
auto jet(F f, const X& x, const std::tuple<D...>& series) {
    static_assert(sizeof...(D) >= 1 && sizeof...(D) <= 15, "ricci: jet takes 1 to 15 derivatives of its argument");
    return detail::jet_of<int(sizeof...(D))>(f, detail::make_pack(detail::as_array(x)), detail::as_arrays(series));
}
template <class F, class... X, class First, class... Series>
auto jet(F f, const std::tuple<X...>& x, const std::tuple<First, Series...>& series) {
    constexpr int degree = int(std::tuple_size_v<First>);
    static_assert(degree >= 1 && degree <= 15, "ricci: jet takes 1 to 15 derivatives of each argument");
    return std::apply(
        [&](const auto&... each) {
            return detail::jet_of<degree>(f, detail::as_arrays(x), detail::as_arrays(each)...);
        },
        series);
}

/// Value and derivative of a function of one number: the pair (f(x), f'(x)). `f` is any code that is generic in its
/// scalar; it may branch and loop. x is a floating or complex number, an integer, taken as a double, or a dual or series of an
/// outer derivative. Of a complex x, f is evaluated along 1 and along i; throws gradient_error where the two show that it is not
/// analytic.
template <class F, class X>
    requires(scalar_value<X> || kernel_scalar<X>)
constexpr auto derivative(const F& f, const X& x) {
    using T = std::conditional_t<std::is_integral_v<X>, double, X>;
    const auto y = f(dual<T>(T(x), T(1)));
    using Y = std::remove_cvref_t<decltype(y)>;
    if constexpr (is_complex_scalar_v<T> && detail::depth_v<Y> > detail::depth_v<T>) {
        using C = detail::scalar_base_t<T>;
        static_assert(is_complex_scalar_v<Y>, "ricci: a real function of a complex number has no complex derivative");
        const auto other = f(dual<T>(T(x), T(C(0, 1))));
        detail::check_analytic(detail::innermost(y.tangent), detail::innermost(other.tangent), C(0, 1));
    }
    if constexpr (detail::depth_v<Y> > detail::depth_v<T>) return std::make_pair(y.value, y.tangent);
    else return std::make_pair(y, Y(0));  // does not depend on x
}

/// f(x), f'(x), ..., the K-th derivative of a function of one number, as a std::array: one evaluation of f on a Taylor
/// series of order K. What f and x may be is as for `derivative`.
template <int K, class F, class X>
    requires(scalar_value<X> || kernel_scalar<X>)
constexpr auto derivatives(const F& f, const X& x) {
    static_assert(K >= 1 && K <= 15, "ricci: derivatives<K> has an order K from 1 to 15");
    using T = std::conditional_t<std::is_integral_v<X>, double, X>;
    const taylor<T, K> y(f(taylor<T, K>::variable(T(x))));
    if constexpr (is_complex_scalar_v<T>) {
        using C = detail::scalar_base_t<T>;
        auto along = taylor<T, K>::variable(T(x));
        along[1] = T(C(0, 1));
        const taylor<T, K> other(f(along));
        C turn(1);
        for (int k = 1; k <= K; ++k) {
            turn = turn * C(0, 1);
            detail::check_analytic(detail::innermost(y[k]), detail::innermost(other[k]), turn);
        }
    }
    std::array<T, K + 1> orders{};
    for (int k = 0; k <= K; ++k)
        orders[static_cast<std::size_t>(k)] = y[k] * static_cast<real_t<detail::scalar_base_t<T>>>(detail::factorial(k));
    return orders;
}

}  // namespace ricci
// ---- ricci/grad/sparse.hpp
// Sparse Jacobians and Hessians: many columns, or rows, by one product each colour.
// ---- ricci/grad/coloring.hpp
// Colourings of sparsity patterns: which columns (or rows) of a derivative can be computed together.
// ---- ricci/grad/sparsity.hpp
// Sparse matrices in compressed rows (CSR), and the patterns of their entries: given, or found from a function.

// ---- ricci/grad/dependence.hpp
// Which elements of a function's result depend on which elements of its argument, whatever their values: jvp with NaN
// for every tangent that is not zero, and in place of each op's rule one that only says what reaches what.

RICCI_BOTH_SIDES_BEGIN  // the rules of ops are called with sets here
    namespace ricci {
    /// The inputs of a kernel that a number was computed from, as a set of bits, in place of that number. Run through a
    /// sweep it tells which output depends on which input: x + y has the adjoints (y_bar, y_bar), which do not depend
    /// on x.
    struct dependence_set {
        std::uint64_t inputs = 0;
        constexpr dependence_set() = default;
        template <class N>
            requires(std::is_arithmetic_v<N>)
        RICCI_HD constexpr dependence_set(N) {}
        /// The K-th input alone; those from the 64th on count as one.
        static constexpr dependence_set of(int k) {
            dependence_set s;
            s.inputs = std::uint64_t(1) << (k < 63 ? k : 63);
            return s;
        }
    };
    /// The same in place of a complex number, whose abs and angle have derivatives that vary.
    struct complex_dependence_set : dependence_set {
        using dependence_set::dependence_set;
        constexpr complex_dependence_set() = default;
        constexpr complex_dependence_set(const dependence_set& s) : dependence_set(s) {}
    };
    template <class T>
    using dependence_of = std::conditional_t<is_complex_v<T>, complex_dependence_set, dependence_set>;
    template <>
    inline constexpr bool is_complex_lane_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_dependence_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_eager_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_kernel_scalar_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_dependence_v<dependence_set> = true;
    template <>
    inline constexpr bool is_eager_v<dependence_set> = true;  // where and sin are called as ops, not on registers
    template <>
    inline constexpr bool is_kernel_scalar_v<dependence_set> = true;

    /// An op on sets: their union; of an op without derivative (a comparison) the empty set.
    template <class Op, class... X>
    constexpr auto joined_dependence(const Op&, const X&... x) {
        constexpr bool is_complex = std::is_same_v<Op, ops::complex> || (is_complex_scalar_v<X> || ...);
        std::conditional_t<is_complex, complex_dependence_set, dependence_set> joined;
        if constexpr (Op::differentiable) {
            const auto add = [&](const auto& s) {
                if constexpr (is_dependence_v<std::remove_cvref_t<decltype(s)>>) joined.inputs |= s.inputs;
            };
            (add(x), ...);
        }
        return joined;
    }

    namespace detail {

    /// Lanes that are sets.
    struct dependence_domain {
        template <class T>
        using lane = dependence_of<T>;
        template <class To, class, class S>
        static constexpr dependence_of<To> convert(const S& x) {
            if constexpr (is_inexact_v<To> && is_dependence_v<S>) return x;
            else return {};
        }
    };
    template <class Sweep>
    struct dependence_inputs {
        template <int K>
        constexpr auto get() const {
            return dependence_of<typename Sweep::template input_type<K>>(dependence_set::of(K));
        }
    };
    template <int N>
    struct dependence_outputs {
        std::uint64_t reached[N > 0 ? N : 1] = {};
        template <int K, class S>
        constexpr void set(const S& x) {
            add<K>(x);
        }
        template <int K, class S>
        constexpr void add(const S& x) {
            if constexpr (is_dependence_v<S>) reached[K] |= x.inputs;
        }
    };

    /// The sum of marks (0 or NaN), each broadcast to `extents` and summed to `to`; none gives zeros.
    template <class Total, int R, class Mark>
    void join_marks(Total& total, const Mark& mark, const shape<R>& extents, const shape<R>& to) {
        using T = typename Total::value_type;
        const auto wide = expand(evaluate_as<T>(mark), extents);
        total = lift(chain_of_t<Total>{}, evaluate(total + (extents == to ? wide : sum_to(wide, to))));
    }

    /// Marks of the outputs of a fused op: an output has those of the inputs that it depends on, element by element.
    template <class Active, class Sweep, int Rank, bool Reduces, int... Q, class... A, class... D, class... Y>
    auto fused_marks(const fused<Sweep, Rank, Reduces, Q...>& op, const pack<const A*...>& inputs,
                     const pack<const D*...>& marks, const pack<Y...>& y) {
        dependence_outputs<Sweep::outputs> found;
        op.sweep.template run<dependence_domain>(dependence_inputs<Sweep>{}, found);
        for (int k = 0; k < Sweep::outputs; ++k)
            if (op.merge[k] != k) found.reached[op.merge[k]] |= found.reached[k];
        const auto extents =
            unpack([](const auto*... a) { return fused<Sweep, Rank, Reduces, Q...>::iteration_shape(*a...); }, inputs);
        return generate<Sweep::outputs>([&](auto k) {
            using result = pack_element_t<k(), pack<Y...>>;
            using plain = tensor<typename result::value_type, Rank, typename result::device_type>;
            auto total = lift(chain_of_t<D...>{}, constant_array<plain>(op.padded[k()], 0));
            for_indices<sizeof...(A)>([&](auto i) {
                if constexpr (Active::at[i()])
                    if (found.reached[k()] & dependence_set::of(i()).inputs)
                        join_marks(total, *get<Active::before(i())>(marks), extents, op.padded[k()]);
            });
            if (op.merge[k()] == k()) return reshaped(total, get<k()>(op.result));
            using empty = tensor<typename result::value_type, result::rank, typename result::device_type>;
            return lift(chain_of_t<D...>{}, constant_array<empty>(get<k()>(y).shape(), 0));
        });
    }
    /// Marks of the outputs of any op: linear ones take them as they take tangents, some have a rule; of the rest
    /// nothing is known, so that every element depends on every element.
    template <class Active, class Op, class... A, class... D, class... Y>
    auto output_marks(const Op& op, const pack<const A*...>& inputs, const pack<const D*...>& marks,
                      const pack<Y...>& y) {
        if constexpr (requires { typename Op::sweep_type; }) {
            return fused_marks<Active>(op, inputs, marks, y);
        } else if constexpr (Op::linear) {
            return call(op, *get<0>(marks));
        } else if constexpr (requires { op.template dependence<Active>(inputs, marks); }) {
            return op.template dependence<Active>(inputs, marks);
        } else {
            const auto any = unpack([](const auto*... d) { return evaluate((sum(*d) + ...)); }, marks);
            return generate<sizeof...(Y)>([&](auto k) {
                using result = pack_element_t<k(), pack<Y...>>;
                return expand(evaluate_as<typename result::value_type>(any), get<k()>(y).shape());
            });
        }
    }

    /// f, marked for jvp to find what depends on what.
    template <class F>
    struct traced_dependence {
        F f;
        template <class... A>
        auto operator()(const A&... a) const {
            return f(a...);
        }
    };
    template <class F>
    struct push_rule<traced_dependence<F>> {
        template <class Active, class Op, class Inputs, class Tangents>
        static auto push(const Op& op, const Inputs& inputs, const Tangents& tangents) {
            const auto y = unpack([&](const auto*... a) { return call(op, *a...); }, inputs);
            return concat(y, output_marks<Active>(op, inputs, tangents, y));
        }
    };

    }  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

namespace ricci {

/// A sparse matrix in compressed rows: the entries of row i are values[k] at columns[k], ascending, for k from
/// row_offsets[i] to row_offsets[i + 1]. The arrays are handles: several matrices of one pattern share the first two.
template <element T>
struct csr_matrix {
    tensor<std::int64_t, 1> row_offsets;  // rows + 1 of them
    tensor<std::int64_t, 1> columns;
    tensor<T, 1> values;
    ricci::shape<2> extents;

    const ricci::shape<2>& shape() const { return extents; }
    /// The number of entries.
    index_t nnz() const { return columns.size(); }
    /// The same matrix with its zeros: rows x columns.
    tensor<T, 2> to_dense() const {
        auto dense = zeros<T>(extents);
        for (index_t i = 0; i < extents[0]; ++i)
            for (index_t k = row_offsets.at(i); k < row_offsets.at(i + 1); ++k)
                dense.at(i, columns.at(k)) = values.at(k);
        return dense;
    }
};

/// Where a matrix may have entries other than zero: CSR without values. It keeps copies of what it is made from.
class sparsity_pattern {
   public:
    sparsity_pattern() : sparsity_pattern(zeros<bool>({0, 0})) {}
    /// The entries that are true.
    explicit sparsity_pattern(const tensor<bool, 2>& dense) : extents_(dense.shape()) {
        std::vector<std::int64_t> offsets{0}, columns;
        for (index_t i = 0; i < extents_[0]; ++i) {
            for (index_t j = 0; j < extents_[1]; ++j)
                if (dense.at(i, j)) columns.push_back(j);
            offsets.push_back(static_cast<std::int64_t>(columns.size()));
        }
        keep(offsets, columns);
    }
    /// From CSR arrays. Throws shape_error when there are not rows + 1 offsets, value_error when they do not rise from
    /// 0 to the number of columns, index_error when the columns of a row are not ascending numbers below the matrix's.
    sparsity_pattern(const tensor<std::int64_t, 1>& row_offsets, const tensor<std::int64_t, 1>& columns,
                     const ricci::shape<2>& extents)
        : extents_(extents), row_offsets_(row_offsets.clone()), columns_(columns.clone()) {
        check();
    }
    const ricci::shape<2>& shape() const { return extents_; }
    /// The number of entries.
    index_t nnz() const { return columns_.size(); }
    const tensor<std::int64_t, 1>& row_offsets() const { return row_offsets_; }
    const tensor<std::int64_t, 1>& columns() const { return columns_; }
    /// The pattern as a boolean matrix.
    tensor<bool, 2> to_dense() const {
        auto dense = zeros<bool>(extents_);
        for_entries([&](index_t, index_t i, index_t j) { dense.at(i, j) = true; });
        return dense;
    }
    /// The pattern of the transpose, by counting.
    sparsity_pattern transpose() const {
        std::vector<std::int64_t> offsets(static_cast<std::size_t>(extents_[1] + 1)),
            rows(static_cast<std::size_t>(nnz()));
        for_entries([&](index_t, index_t, index_t j) { ++offsets[static_cast<std::size_t>(j) + 1]; });
        for (std::size_t j = 1; j < offsets.size(); ++j) offsets[j] += offsets[j - 1];
        auto next = offsets;
        for_entries([&](index_t, index_t i, index_t j) {
            rows[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = i;
        });
        sparsity_pattern t;
        t.extents_ = {extents_[1], extents_[0]};
        t.keep(offsets, rows);
        return t;
    }
    friend bool operator==(const sparsity_pattern& a, const sparsity_pattern& b) {
        return a.extents_ == b.extents_ && same(a.row_offsets_, b.row_offsets_) && same(a.columns_, b.columns_);
    }
    /// visit(k, i, j) for each entry k, at row i and column j.
    template <class F>
    void for_entries(const F& visit) const {
        for (index_t i = 0; i < extents_[0]; ++i)
            for (index_t k = row_offsets_.data()[i]; k < row_offsets_.data()[i + 1]; ++k)
                visit(k, i, columns_.data()[k]);
    }

   private:
    void keep(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& columns) {
        row_offsets_ = from_span(std::span(offsets));
        columns_ = from_span(std::span(columns));
    }
    static bool same(const tensor<std::int64_t, 1>& a, const tensor<std::int64_t, 1>& b) {
        if (!(a.shape() == b.shape())) return false;
        for (index_t k = 0; k < a.size(); ++k)  // a loop: an expression would cost compile time wherever this is included
            if (a.data()[k] != b.data()[k]) return false;
        return true;
    }
    void check() const {
        detail::check_extents(extents_, 1, "sparsity_pattern");
        if (row_offsets_.size() != extents_[0] + 1)
            detail::raise<shape_error>({"[sparsity_pattern] a matrix of shape ", extents_, " needs ", extents_[0] + 1,
                                        " row offsets, not ", row_offsets_.size()});
        const std::int64_t* offset = row_offsets_.data();
        bool rises = offset[0] == 0 && offset[extents_[0]] == nnz();
        for (index_t i = 0; i < extents_[0]; ++i) rises = rises && offset[i] <= offset[i + 1];
        if (!rises) detail::raise<value_error>({"[sparsity_pattern] row offsets must rise from 0 to ", nnz()});
        for_entries([&](index_t k, index_t i, index_t j) {
            if (j < 0 || j >= extents_[1] || (k > offset[i] && columns_.data()[k - 1] >= j))
                detail::raise<index_error>({"[sparsity_pattern] column ", j, " of row ", i,
                                            ": columns must ascend in a row and be below ", extents_[1]});
        });
    }

    ricci::shape<2> extents_;
    tensor<std::int64_t, 1> row_offsets_, columns_;
};

namespace detail {

/// As many rows of n elements as keep a batch of them near 32 MB of doubles.
inline index_t chunk_of_rows(index_t n) {
    const index_t rows = (index_t(1) << 22) / (n > 0 ? n : 1);
    return rows > 0 ? rows : 1;
}
/// What the functions here demand of f and x.
template <class X>
constexpr void check_sparse_argument() {
    static_assert(
        std::is_void_v<typename X::wrapper> && X::rank == 1 && std::is_same_v<typename X::device_type, cpu_device>,
        "ricci: sparse derivatives are computed at a plain vector on the CPU: a tensor of rank 1, not under a "
        "transform");
    static_assert(!is_complex_v<typename X::value_type>, "ricci: sparse derivatives are those of real functions");
}

}  // namespace detail

/// The pattern of the Jacobian of f, from vectors to vectors, at arguments of x's size: entry (i, j) where element i of
/// the result is computed from element j of x.
///
/// Found by tracing f once for all elements, without looking at values: 0 * x, both branches of `where`, both arguments
/// of `maximum` and all elements under `max` count, comparisons do not. So the pattern is never too small for the
/// course that f took at x, and may be larger than the Jacobian's: where entries cancel, in a product with a constant
/// matrix that has zeros (all its entries count), and after functions whose insides cannot be seen (custom_vjp and
/// custom_jvp: all results by all arguments). What it cannot see: another course of f, when f branches in C++ on its
/// argument's values or sizes, and numbers that f takes out of arrays by item(), which are constants to every
/// derivative. Costs one dense Jacobian in time; of memory, chunks of columns.
template <class F, expression E>
sparsity_pattern jacobian_sparsity(F f, const E& x) {
    const auto a = evaluate(x);
    using X = std::remove_cvref_t<decltype(a)>;
    using T = typename X::value_type;
    detail::check_sparse_argument<X>();
    const detail::traced_dependence<F> traced{f};
    const auto push = [&](const auto& v) { return std::get<1>(jvp(traced, a, v)); };
    const index_t n = a.size(), chunk = detail::chunk_of_rows(n);
    std::vector<std::int64_t> offsets{0}, rows;
    index_t m = -1;
    for (index_t first = 0; first < n || m < 0; first += chunk) {  // once when n is 0: f says the number of rows
        const index_t count = n - first < chunk ? n - first : chunk;
        const auto seeds = zeros<T>({count, n});
        for (index_t k = 0; k < count; ++k) seeds.at(k, first + k) = std::numeric_limits<T>::quiet_NaN();
        const auto marks = evaluate(vmap(push)(seeds));
        static_assert(std::remove_cvref_t<decltype(marks)>::rank == 2,
                      "ricci: sparse Jacobians are of functions from vectors to vectors");
        static_assert(!is_complex_v<typename std::remove_cvref_t<decltype(marks)>::value_type>,
                      "ricci: sparse derivatives are those of real functions");
        m = marks.shape()[1];
        for (index_t k = 0; k < count; ++k) {
            for (index_t i = 0; i < m; ++i)
                if (std::isnan(marks.at(k, i))) rows.push_back(i);
            offsets.push_back(static_cast<std::int64_t>(rows.size()));
        }
    }
    return sparsity_pattern(from_span(std::span(offsets)), from_span(std::span(rows)), {n, m}).transpose();
}

/// The pattern of the Hessian of f, from vectors to scalars: that of the Jacobian of its gradient, made symmetric. Sums
/// keep their terms apart: sum(sin(x)) has a diagonal.
template <class F, expression E>
sparsity_pattern hessian_sparsity(F f, const E& x) {
    const auto found = jacobian_sparsity(grad(f), x);
    const auto mirrored = found.transpose();
    if (found == mirrored) return found;
    std::vector<std::int64_t> offsets{0}, columns;
    for (index_t i = 0; i < found.shape()[0]; ++i) {
        index_t a = found.row_offsets().at(i), b = mirrored.row_offsets().at(i);
        const index_t a_end = found.row_offsets().at(i + 1), b_end = mirrored.row_offsets().at(i + 1);
        while (a < a_end || b < b_end) {
            const std::int64_t p = a < a_end ? found.columns().at(a) : found.shape()[1];
            const std::int64_t q = b < b_end ? mirrored.columns().at(b) : found.shape()[1];
            columns.push_back(p < q ? p : q);
            a += p <= q;
            b += q <= p;
        }
        offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    return sparsity_pattern(from_span(std::span(offsets)), from_span(std::span(columns)), found.shape());
}

}  // namespace ricci

namespace ricci {

/// A colour for each column, row or variable, numbered from 0, and how many colours there are.
struct coloring {
    tensor<std::int64_t, 1> colors;
    index_t count = 0;
};

namespace detail {

/// The vertices 0 .. n-1, those of large degree first, equal ones in order (Welsh and Powell 1967).
inline std::vector<index_t> largest_first(const std::vector<index_t>& degree) {
    index_t most = 0;
    for (const index_t d : degree) most = d > most ? d : most;
    std::vector<index_t> start(static_cast<std::size_t>(most + 2)), order(degree.size());
    for (const index_t d : degree) ++start[static_cast<std::size_t>(most - d + 1)];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (std::size_t v = 0; v < degree.size(); ++v)
        order[static_cast<std::size_t>(start[static_cast<std::size_t>(most - degree[v])]++)] = static_cast<index_t>(v);
    return order;
}
inline std::vector<index_t> natural_order(index_t n) {
    std::vector<index_t> order;
    for (index_t v = 0; v < n; ++v) order.push_back(v);
    return order;
}

/// Gives each vertex, in this order, the least colour that `forbid(v, colors, forbidden)` leaves: it sets forbidden[c]
/// = v.
template <class Forbid>
coloring color_greedily(const std::vector<index_t>& order, const Forbid& forbid) {
    const auto n = static_cast<index_t>(order.size());
    coloring result{full<std::int64_t>({n}, -1), 0};
    std::int64_t* colors = result.colors.data();
    std::vector<index_t> forbidden(order.size() + 1, -1);
    for (const index_t v : order) {
        forbid(v, colors, forbidden.data());
        index_t c = 0;
        while (forbidden[static_cast<std::size_t>(c)] == v) ++c;
        colors[v] = c;
        result.count = c + 1 > result.count ? c + 1 : result.count;
    }
    return result;
}

/// For p and its transpose: f(w) for each column w that shares a row with column v, v itself included, perhaps
/// repeatedly.
template <class F>
void for_conflicts(const sparsity_pattern& p, const sparsity_pattern& t, index_t v, const F& f) {
    for (index_t k = t.row_offsets().data()[v]; k < t.row_offsets().data()[v + 1]; ++k) {
        const index_t i = t.columns().data()[k];
        for (index_t l = p.row_offsets().data()[i]; l < p.row_offsets().data()[i + 1]; ++l) f(p.columns().data()[l]);
    }
}

}  // namespace detail

/// Colours such that no two columns of a colour have entries in one row (Curtis, Powell and Reid 1974; Coleman and Moré
/// 1983): a product with the sum of a colour's unit vectors gives all entries of its columns. Greedy, the columns in
/// their order and by falling number of conflicts; the better of both.
inline coloring column_coloring(const sparsity_pattern& pattern) {
    const auto t = pattern.transpose();
    const index_t n = pattern.shape()[1];
    std::vector<index_t> degree(static_cast<std::size_t>(n)), seen(static_cast<std::size_t>(n), -1);
    for (index_t v = 0; v < n; ++v)
        detail::for_conflicts(pattern, t, v, [&](index_t w) {
            degree[static_cast<std::size_t>(v)] += seen[static_cast<std::size_t>(w)] != v;
            seen[static_cast<std::size_t>(w)] = v;
        });
    const auto forbid = [&](index_t v, const std::int64_t* colors, index_t* forbidden) {
        detail::for_conflicts(pattern, t, v, [&](index_t w) {
            if (colors[w] >= 0) forbidden[colors[w]] = v;
        });
    };
    const auto banded = detail::color_greedily(detail::natural_order(n), forbid);
    const auto sorted = detail::color_greedily(detail::largest_first(degree), forbid);
    return banded.count <= sorted.count ? banded : sorted;
}
/// The same for rows: no two of a colour have entries in one column.
inline coloring row_coloring(const sparsity_pattern& pattern) { return column_coloring(pattern.transpose()); }

/// Colours of the variables of a symmetric matrix such that neighbours differ and no path of four variables has only
/// two: a star colouring (Coleman and Moré 1984; Gebremedhin, Manne and Pothen 2005, section 4), which finds every
/// entry or its mirror image alone in a product. Greedy, by falling degree. Throws value_error when the pattern is not
/// symmetric.
inline coloring star_coloring(const sparsity_pattern& pattern) {
    if (!(pattern == pattern.transpose()))
        detail::raise<value_error>({"[star_coloring] the pattern of shape ", pattern.shape(), " is not symmetric"});
    const std::int64_t* first = pattern.row_offsets().data();
    const std::int64_t* to = pattern.columns().data();
    const index_t n = pattern.shape()[0];
    std::vector<index_t> degree;
    for (index_t v = 0; v < n; ++v) degree.push_back(first[v + 1] - first[v]);
    std::vector<index_t> times(static_cast<std::size_t>(n + 1));  // how many neighbours of v have a colour
    const auto forbid = [&](index_t v, const std::int64_t* colors, index_t* forbidden) {
        const auto colored = [&](index_t w) { return w != v && colors[w] >= 0; };
        const auto count = [&](index_t by) {
            for (index_t k = first[v]; k < first[v + 1]; ++k)
                if (colored(to[k])) times[static_cast<std::size_t>(colors[to[k]])] += by;
        };
        count(1);
        for (index_t k = first[v]; k < first[v + 1]; ++k) {
            const index_t w = to[k];
            if (!colored(w)) continue;
            forbidden[colors[w]] = v;
            for (index_t l = first[w]; l < first[w + 1]; ++l) {
                const index_t x = to[l];
                if (x == w || !colored(x)) continue;
                // w2 - v - w - x, with w2 as w
                bool two = times[static_cast<std::size_t>(colors[w])] > 1;
                // v - w - x - y, with y as w
                for (index_t m = first[x]; m < first[x + 1] && !two; ++m)
                    two = to[m] != w && colors[to[m]] == colors[w];
                if (two) forbidden[colors[x]] = v;
            }
        }
        count(-1);
    };
    return detail::color_greedily(detail::largest_first(degree), forbid);
}

}  // namespace ricci

namespace ricci {
namespace detail {

/// How the entries of a derivative come out of products with sums of unit vectors: `seeds`, one a row, and for each
/// entry its place in the products, one a row, `width` elements wide.
struct compression {
    sparsity_pattern pattern;
    bool by_rows = false;
    tensor<double, 2> seeds;
    index_t width = 0;
    tensor<std::int64_t, 1> place;

    compression() = default;
    /// `line(i, j)` is the row or column whose product holds entry (i, j), `at(i, j)` where.
    template <class Line, class At>
    compression(const sparsity_pattern& p, bool rows, const coloring& c, index_t products_width, const Line& line,
                const At& at)
        : pattern(p),
          by_rows(rows),
          seeds(zeros<double>({c.count, c.colors.size()})),
          width(products_width),
          place(zeros<std::int64_t>({p.nnz()})) {
        for (index_t v = 0; v < c.colors.size(); ++v) seeds.at(c.colors.at(v), v) = 1;
        p.for_entries(
            [&](index_t k, index_t i, index_t j) { place.at(k) = c.colors.at(line(i, j)) * width + at(i, j); });
    }
    index_t colors() const { return seeds.shape()[0]; }

    /// The matrix, from `product(seed)`, chunks of seeds at a time.
    template <class T, class Product>
    csr_matrix<T> values(const Product& product) const {
        const auto products = tensor<T, 2>::uninitialized({colors(), width});
        const index_t chunk = chunk_of_rows(width > seeds.shape()[1] ? width : seeds.shape()[1]);
        for (index_t first = 0; first < colors(); first += chunk) {
            const slice rows(first, first + chunk);
            const auto some = evaluate(vmap(product)(evaluate_as<T>(seeds(rows))));
            static_assert(
                std::remove_cvref_t<decltype(some)>::rank == 2,
                "ricci: sparse derivatives are of functions from vectors to vectors or, Hessians, to scalars");
            if (some.shape()[1] != width) refuse_shape(some.shape()[1]);
            products(rows) = some;
        }
        csr_matrix<T> m{pattern.row_offsets().clone(), pattern.columns().clone(),
                        tensor<T, 1>::uninitialized({pattern.nnz()}), pattern.shape()};
        for (index_t k = 0; k < pattern.nnz(); ++k) m.values.data()[k] = products.data()[place.data()[k]];
        return m;
    }

   private:
    [[noreturn, gnu::cold]] RICCI_NOINLINE void refuse_shape(index_t results) const {
        raise<shape_error>({"[sparse_jacobian] a pattern of shape ", pattern.shape(), " does not fit a function with ",
                            results, by_rows ? " arguments" : " results"});
    }
};

inline compression jacobian_compression(const sparsity_pattern& p) {
    const auto columns = column_coloring(p), rows = row_coloring(p);
    const auto row = [](index_t i, index_t) { return i; };
    const auto column = [](index_t, index_t j) { return j; };
    if (columns.count <= rows.count) return compression(p, false, columns, p.shape()[0], column, row);
    return compression(p, true, rows, p.shape()[1], row, column);
}
inline compression hessian_compression(const sparsity_pattern& p) {
    if (p.shape()[0] != p.shape()[1])
        raise<shape_error>({"[sparse_hessian] the pattern of a Hessian is square, not ", p.shape()});
    const auto star = star_coloring(p);
    const std::int64_t* color = star.colors.data();
    // entry (i, j) stands alone in row i of the product of j's colour, unless i has another neighbour of that colour
    const std::int64_t* first = p.row_offsets().data();
    const std::int64_t* to = p.columns().data();
    const auto alone = [&](index_t i, index_t j) {
        index_t others = 0;
        for (index_t k = first[i]; k < first[i + 1]; ++k) others += to[k] != j && color[to[k]] == color[j];
        return others == 0;
    };
    const auto line = [&](index_t i, index_t j) { return alone(i, j) ? j : i; };
    const auto at = [&](index_t i, index_t j) { return alone(i, j) ? i : j; };
    return compression(p, false, star, p.shape()[0], line, at);
}

/// A function with the plan of its sparse derivative, which is made once: from a given pattern, or from the one found
/// at the first argument, and anew when arguments of another size come. Calls may run at the same time.
template <class Rule, class F>
class sparse_derivative {
   public:
    explicit sparse_derivative(const F& f) : f_(f) {}
    sparse_derivative(const F& f, const sparsity_pattern& p)
        : f_(f), given_(true), planned_(true), plan_(Rule::compress(p)) {}
    sparse_derivative(const sparse_derivative& other)
        : f_(other.f_), given_(other.given_), plan_(other.known(planned_)) {}

    /// The derivative at x.
    template <expression E>
    auto operator()(const E& x) const {
        const auto a = evaluate(x);
        check_sparse_argument<std::remove_cvref_t<decltype(a)>>();
        return Rule::evaluate(f_, plan(a), a);
    }
    /// The pattern that is used at x.
    template <expression E>
    sparsity_pattern pattern(const E& x) const {
        return plan(evaluate(x)).pattern;
    }
    /// How many products give the derivative at x.
    template <expression E>
    index_t colors(const E& x) const {
        return plan(evaluate(x)).colors();
    }

   private:
    compression known(bool& planned) const {
        const spin_guard guard(lock_);
        planned = planned_;
        return plan_;
    }
    template <class X>
    compression plan(const X& x) const {
        bool planned = false;
        auto p = known(planned);
        if (planned && p.pattern.shape()[1] == x.size()) return p;
        if (given_)
            raise<shape_error>({"[", Rule::name, "] a pattern of shape ", p.pattern.shape(),
                                " does not fit an argument of shape ", x.shape()});
        p = Rule::compress(Rule::find(f_, x));
        const spin_guard guard(lock_);
        plan_ = p;
        planned_ = true;
        return p;
    }

    F f_;
    bool given_ = false;
    mutable spinlock lock_;
    mutable bool planned_ = false;  // before plan_, whose copy sets it
    mutable compression plan_;
};

struct sparse_jacobian_rule {
    static constexpr const char* name = "sparse_jacobian";
    static compression compress(const sparsity_pattern& p) { return jacobian_compression(p); }
    template <class F, class X>
    static sparsity_pattern find(const F& f, const X& x) {
        return jacobian_sparsity(f, x);
    }
    template <class F, class X>
    static auto evaluate(const F& f, const compression& plan, const X& x) {
        using T = typename X::value_type;
        if (!plan.by_rows) return plan.values<T>([&](const auto& v) { return std::get<1>(jvp(f, x, v)); });
        const auto pair = vjp(f, x);
        const auto& y = std::get<0>(pair);
        static_assert(!is_complex_v<typename std::remove_cvref_t<decltype(y)>::value_type>,
                      "ricci: sparse derivatives are those of real functions");
        if (y.size() != plan.pattern.shape()[0])
            raise<shape_error>({"[", name, "] a pattern of shape ", plan.pattern.shape(),
                                " does not fit a function with ", y.size(), " results"});
        return plan.values<T>([&](const auto& c) { return std::get<1>(pair)(c); });
    }
};
struct sparse_hessian_rule {
    static constexpr const char* name = "sparse_hessian";
    static compression compress(const sparsity_pattern& p) { return hessian_compression(p); }
    template <class F, class X>
    static sparsity_pattern find(const F& f, const X& x) {
        return hessian_sparsity(f, x);
    }
    template <class F, class X>
    static auto evaluate(const F& f, const compression& plan, const X& x) {
        return plan.values<typename X::value_type>([&](const auto& v) { return hvp(f, x, v); });
    }
};

}  // namespace detail

/// The Jacobian of f, from vectors to vectors, as a sparse matrix: a function of x that gives a csr_matrix. Columns
/// that have no row in common are computed together (Curtis, Powell and Reid 1974), or rows that have no column in
/// common where that takes fewer products: as many jvps, or vjps, as there are colours, batched. The pattern is found
/// at the first x (see jacobian_sparsity, also for what it cannot see) unless given; pattern and colours are kept for
/// the calls that follow. x is a plain tensor of rank 1 on the CPU. Throws shape_error when the pattern does not fit.
/// Entries that the pattern lacks are added to others, unnoticed.
template <class F>
auto sparse_jacobian(F f) {
    return detail::sparse_derivative<detail::sparse_jacobian_rule, F>(f);
}
template <class F>
auto sparse_jacobian(F f, const sparsity_pattern& pattern) {
    return detail::sparse_derivative<detail::sparse_jacobian_rule, F>(f, pattern);
}

/// The Hessian of f, from vectors to scalars, as sparse_jacobian gives Jacobians: Hessian-vector products by a star
/// colouring (Gebremedhin, Manne and Pothen 2005), which reads an entry from its mirror image where that saves
/// products. Throws shape_error when the pattern is not square or does not fit x, value_error when it is not symmetric.
template <class F>
auto sparse_hessian(F f) {
    return detail::sparse_derivative<detail::sparse_hessian_rule, F>(f);
}
template <class F>
auto sparse_hessian(F f, const sparsity_pattern& pattern) {
    return detail::sparse_derivative<detail::sparse_hessian_rule, F>(f, pattern);
}

}  // namespace ricci
// ---- ricci/grad/variable.hpp
// The imperative style of torch.autograd: variables, backward, autograd::grad.
// ---- ricci/grad/modes.hpp
// Guards that say how a thread records: no_grad, enable_grad, inference_mode, autograd::detect_anomaly.

namespace ricci {

/// While it lives, nothing that this thread computes from variables is recorded: results are constants. Inside of a function
/// that grad or vjp differentiates, what is computed under it counts as constant.
class [[nodiscard]] no_grad : detail::recording_scope {
   public:
    no_grad() : recording_scope(false) {}
};
/// While it lives, this thread records again, inside of a no_grad.
class [[nodiscard]] enable_grad : detail::recording_scope {
   public:
    enable_grad() : recording_scope(true) {}
};
/// For code that only evaluates; records nothing, as no_grad.
using inference_mode = no_grad;

/// Whether this thread records.
inline bool is_grad_enabled() { return detail::recording(); }

namespace autograd {

/// While it lives, backward passes that this thread runs throw gradient_error at the first op whose derivative has a NaN, naming
/// the op. Every cotangent is looked at: for debugging.
class [[nodiscard]] detect_anomaly {
   public:
    detect_anomaly() : before_(std::exchange(ricci::detail::checking_gradients(), true)) {}
    detect_anomaly(const detect_anomaly&) = delete;
    detect_anomaly& operator=(const detect_anomaly&) = delete;
    ~detect_anomaly() { ricci::detail::checking_gradients() = before_; }

   private:
    bool before_;
};

}  // namespace autograd
}  // namespace ricci
// ---- ricci/grad/replay.hpp
// create_graph: the backward step of a variable's op with recorded cotangents. A fused map is replayed op by op, from a
// finite set of op types, since a fused gradient recorded as a new fused map would make types without end.

RICCI_BOTH_SIDES_BEGIN  // the rules of ops are called with arrays here
namespace ricci {

/// An array as a kernel scalar: ops on it are evaluated at once, one by one.
template <class A>
struct eager {
    A value;
    eager(const A& a) : value(a) {}
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_HD eager(N n) : value(detail::constant_array<A>(detail::unit_shape<A::rank>(), static_cast<typename A::value_type>(n))) {}
};
template <class A>
inline constexpr bool is_eager_v<eager<A>> = true;
template <class A>
inline constexpr bool is_kernel_scalar_v<eager<A>> = true;
template <class A>
inline constexpr bool is_complex_lane_v<eager<A>> = is_complex_v<typename A::value_type>;

namespace detail {

/// Marks what variables record.
struct variable_tag {
    static constexpr bool is_variable = true;
};

template <class X>
const auto& eager_argument(const X& x) {
    if constexpr (is_eager_v<X>) return x.value;
    else return x;
}
template <class A>
auto make_eager(const A& a) {
    return eager<A>(a);
}

/// `a` broadcast or summed to a shape.
template <int Q, class A>
auto fitted(const A& a, const shape<Q>& to) {
    constexpr int rank = A::rank > Q ? A::rank : Q;
    auto full = pad_front<rank>(a.shape());
    broadcast_into(full, to);
    if constexpr (A::rank == Q) {
        if (a.shape() == to) return a;
        if (full == a.shape()) return sum_to(a, to);
    }
    return sum_to(expand(a, full), to);
}

/// The type of an op's value on eager scalars, spelt out: its deduction would go in circles, since recording a value
/// compiles its derivative, which computes with such values.
template <class Op, class... X>
struct eager_value {
    using node = decltype(make_map(std::declval<const Op&>(), eager_argument(std::declval<const X&>())...));
    using plain = tensor<typename node::value_type, node::rank, typename node::device_type>;
    template <class Y>
    struct is_recorded : std::bool_constant<!std::is_void_v<typename Y::wrapper>> {};
    template <class Y>
    static constexpr bool records() {
        if constexpr (is_eager_v<Y>) return is_recorded<std::remove_cvref_t<decltype(std::declval<Y>().value)>>::value;
        else return false;
    }
    static constexpr bool recorded_value = is_inexact_v<typename node::value_type> && (records<X>() || ...);
    using type = eager<std::conditional_t<recorded_value, recorded<plain, variable_tag>, plain>>;
};

/// Lanes that are arrays; numbers stay numbers.
struct eager_domain {
    template <class U>
    using lane = U;
    template <class To, class From, class S>
    static auto convert(const S& x) {
        if constexpr (std::is_same_v<To, From>) return x;
        else if constexpr (is_eager_v<S>) return make_eager(evaluate(astype<To>(x.value)));
        else return convert_element<To>(x);
    }
};

}  // namespace detail

/// An op on eager scalars: evaluated at once.
template <class Op, class... X>
typename detail::eager_value<Op, X...>::type evaluate_eager(const Op& op, const X&... x) {
    return detail::make_eager(evaluate(detail::make_map(op, detail::eager_argument(x)...)));
}

namespace detail {

/// Inputs of a sweep as eager scalars.
template <class Pack>
struct eager_inputs {
    const Pack& arrays;
    template <int K>
    auto get() const {
        return make_eager(detail::get<K>(arrays));
    }
};
/// Results of a sweep on eager scalars, handed on as they come: to(integral_constant<K>, array).
template <class To>
struct eager_outputs {
    const To& to;
    template <int K, class S>
    void set(const S& x) {
        to(std::integral_constant<int, K>{}, x);
    }
    template <int K, class S>
    void add(const S& x) {
        to(std::integral_constant<int, K>{}, x);
    }
};

template <class Node>
inline constexpr bool is_leaf_node = false;
template <int I, class T>
inline constexpr bool is_leaf_node<slot<I, T>> = true;
template <class T>
inline constexpr bool is_leaf_node<constant_node<T>> = true;
template <class To, class Child>
inline constexpr bool is_leaf_node<cast_node<To, Child>> = is_leaf_node<Child>;
template <class Node>
inline constexpr bool is_single_op = false;
template <class Op, class T, class... Child>
inline constexpr bool is_single_op<op_node<Op, T, Child...>> = (is_leaf_node<Child> && ...);

/// Sends a recorded cotangent to a recorded input; to one that depends on no variable, nothing.
template <class X, class C>
void deliver_recorded(backward_pass& pass, const X& x, const C& bar) {
    if constexpr (std::is_void_v<typename X::wrapper>) {
        return;
    } else if constexpr (std::is_same_v<X, C>) {
        accumulate_into(x.output()->recorded_cotangent, bar);
        pass.push(x.owner());
    } else if constexpr (std::is_same_v<typename X::inner_type, C>) {
        deliver_recorded(pass, x, X(bar, 0));
    } else {
        refuse_captured("transform", "variable");
    }
}

template <class Op, class W, class... A>
struct replay {
    using active = activity<W::template is_active<A>()...>;

    template <class Vertex>
    static void pull(Vertex& v, backward_pass& pass, const Op& op, const pack<A...>& inputs) {
        const auto bars = generate<Vertex::outputs_count>([&](auto k) { return take<k()>(v); });
        if constexpr (Op::linear) {
            deliver_recorded(pass, get<0>(inputs), call1(op.transpose(), *get<0>(bars)));
        } else {
            const auto refs = unpack([](const auto&... a) { return make_pack(&a...); }, inputs);
            const auto adjoints = op.template pullback<active, false>(nullptr, refs, make_pack(*get<0>(bars)));
            for_active(inputs, [&](auto k, const auto& x) { deliver_recorded(pass, x, get<k()>(adjoints)); });
        }
    }
    /// The cotangent that arrived for output K, empty when none did.
    template <int K, class Vertex>
    static auto take(Vertex& v) {
        return get<K>(v.outputs).take_recorded();
    }
    template <class F>
    static void for_active(const pack<A...>& inputs, const F& f) {
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) f(std::integral_constant<int, active::before(i())>{}, get<i()>(inputs));
        });
    }
};

template <class Sweep, int Rank, bool Reduces, int... ResultRank, class W, class... A>
struct replay<fused<Sweep, Rank, Reduces, ResultRank...>, W, A...> {
    using op_type = fused<Sweep, Rank, Reduces, ResultRank...>;
    using tree_type = typename Sweep::tree_type;
    using base = replay<linear_op<op_type>, W, A...>;

    template <class Vertex>
    static void pull(Vertex& v, backward_pass& pass, const op_type& op, const pack<A...>& inputs) {
        const auto bars = generate<Vertex::outputs_count>([&](auto k) { return base::template take<k()>(v); });
        if constexpr (!Sweep::reverse && Sweep::order == 0 && is_leaf_node<tree_type>) pull_sum(pass, op, inputs, *get<0>(bars));
        else if constexpr (!Sweep::reverse && Sweep::order == 0 && !Reduces && is_single_op<tree_type>)
            pull_single(pass, op.sweep.tree, inputs, *get<0>(bars));
        else if constexpr (Sweep::order > 0)
            detail::raise<gradient_error>({"[autograd::grad] create_graph through the forward mode of an inner transform that "
                                           "captured a variable: pass it as an argument of that transform instead"});
        else pull_replayed(pass, op, inputs, bars);
    }

   private:
    static constexpr auto eager_in = value_inputs<int(sizeof...(A)) + 1>();
    static constexpr auto eager_out = [] {
        components<base::active::count> c;
        int n = 0;
        for (int i = 0; i < int(sizeof...(A)); ++i)
            if (base::active::at[i]) c.at[n++] = {i, 0};
        return c;
    }();
    /// The reverse sweep of a tree that is a single op.
    using eager_sweep = sweep<tree_type, type_list<typename A::value_type...>, 0, true, component_list_of<eager_in>,
                              component_list_of<eager_out>>;

    /// A plain sum: its cotangent, repeated along the reduced axes.
    template <class C>
    static void pull_sum(backward_pass& pass, const op_type& op, const pack<A...>& inputs, const C& bar) {
        const auto& x = get<0>(inputs);
        const auto wide = expand(reshaped<Rank>(bar, op.padded[0]), x.shape());
        deliver_recorded(pass, x, evaluate_as<typename std::remove_cvref_t<decltype(x)>::value_type>(wide));
    }
    /// One op: its own rule, on arrays in place of scalars.
    template <class C>
    static void pull_single(backward_pass& pass, const tree_type& tree, const pack<A...>& inputs, const C& bar) {
        const eager_inputs<pack<A...>> arrays{inputs};
        using load_type = sweep_load<eager_sweep, eager_domain, eager_inputs<pack<A...>>>;
        const load_type load{arrays};
        const trace<tree_type, load_type> t(tree, load);
        auto give = [&](auto k, const auto& x_bar) {
            base::for_active(inputs, [&](auto j, const auto& x) {
                if constexpr (j() == k()) deliver_recorded(pass, x, fitted(x_bar.value, x.shape()));
            });
        };
        eager_outputs<decltype(give)> out{give};
        sweep_sink<eager_sweep, eager_outputs<decltype(give)>> sink{out};
        if constexpr (decltype(t)::active) t.reverse(tree, make_eager(bar), sink);
    }
    /// Anything larger: computed anew from the same inputs op by op; backward goes on through what that recorded.
    template <class Bars>
    static void pull_replayed(backward_pass& pass, const op_type& op, const pack<A...>& inputs, const Bars& bars) {
        const eager_inputs<pack<A...>> arrays{inputs};
        const auto extents = unpack([](const auto&... a) { return op_type::iteration_shape(a...); }, inputs);
        auto give = [&](auto k, const auto& y) {
            const auto& bar = merged_bar<k()>(op, bars);
            if (!bar) return;
            const auto result = reshaped(fitted(expand(y.value, extents), op.padded[k()]), get<k()>(op.result));
            deliver_recorded(pass, result, *bar);
        };
        eager_outputs<decltype(give)> out{give};
        op.sweep.template run<eager_domain>(arrays, out);
    }
    /// Outputs merged into another one share its cotangent.
    template <int K, class Bars>
    static const auto& merged_bar(const op_type& op, const Bars& bars) {
        using B = pack_element_t<K, Bars>;
        const B* found = &get<K>(bars);
        for_indices<Bars::size>([&](auto j) {
            if constexpr (std::is_same_v<pack_element_t<j(), Bars>, B>)
                if (op.merge[K] == j()) found = &get<j()>(bars);
        });
        return *found;
    }
};

}  // namespace detail

}  // namespace ricci
RICCI_BOTH_SIDES_END

namespace ricci {

/// An array that records what is computed from it, for backward() and autograd::grad(). Made from a tensor, which it shares;
/// `w.value()` is that tensor, `w.grad()` the gradient that backward() accumulated.
template <class T, int R, class Device = cpu_device>
using variable = recorded<tensor<T, R, Device>, detail::variable_tag>;

namespace autograd {

/// retain_graph: false lets the graph go as the pass is done with it, which lowers the peak of memory; another pass through it
/// is then an error. create_graph: the gradients are recorded in their turn, for derivatives of higher order. Maps are replayed op
/// by op for that: an infinite derivative in a branch that `where` did not select gives NaN then, as in PyTorch (nested grad is
/// free of it). allow_unused: an input that the outputs do not depend on gets zeros; otherwise that is an error.
struct grad_options {
    bool retain_graph = true;
    bool create_graph = false;
    bool allow_unused = false;
};
struct backward_options {
    bool retain_graph = true;
};

}  // namespace autograd

namespace detail {

template <class Y>
auto one_like(const Y&) {
    static_assert(
        Y::rank == 0,
        "ricci: backward starts from a scalar (rank 0): reduce the result first, or give the gradient of the result");
    static_assert(
        !is_complex_v<typename Y::value_type>,
        "ricci: backward starts from a real scalar: take abs, real or imag of it, or give the gradient of the result");
    return constant_array<typename Y::inner_type>(shape<0>{}, 1);
}
/// The output of a computation with variables.
template <class E>
auto differentiable_output(const E& e) {
    auto y = evaluate(e);
    static_assert(std::is_same_v<typename decltype(y)::wrapper, record_by<variable_tag>>,
                  "ricci: backward needs a value that was computed from variables");
    if (!y.requires_grad())
        raise<gradient_error>(
            {"[backward] this value is a constant: it was computed under no_grad, or from detached values only"});
    return y;
}
/// Sends a cotangent, a plain array or a recorded one, into an output.
template <class Y, class G>
void seed(backward_pass& pass, const Y& y, const G& gradient) {
    using A = typename Y::inner_type;
    const auto bar = evaluate(conjugated(evaluate_as<typename Y::value_type>(as_array(gradient))));
    using B = std::remove_cvref_t<decltype(bar)>;
    static_assert(B::rank == Y::rank, "ricci: the gradient's rank is not the output's");
    if (!(bar.shape() == y.shape()))
        raise<shape_error>({"[backward] the gradient's shape ", bar.shape(), " is not the output's ", y.shape()});
    if (pass.recording) accumulate_into(y.output()->recorded_cotangent, Y(bar));
    else if constexpr (std::is_same_v<B, A>) accumulate_into(y.output()->cotangent, bar);
    else accumulate_into(y.output()->cotangent, bar.inner());
    pass.push(y.owner());
}

/// Has the values whose cotangents autograd::grad asks for keep them, while it runs.
template <class... X>
class request {
   public:
    explicit request(const std::tuple<X...>& inputs) : inputs_(inputs) { mark(true); }
    request(const request&) = delete;
    request& operator=(const request&) = delete;
    ~request() { mark(false); }

   private:
    void mark(bool wanted) const {
        auto set = [wanted](auto& requests) {
            requests.wanted = wanted;
            requests.seen.reset();
            requests.recorded_seen.reset();
        };
        std::apply([&](const auto&... x) { (set(x.output()->requests()), ...); }, inputs_);
    }
    const std::tuple<X...>& inputs_;
};

template <class X>
X requested_gradient(const X& x, autograd::grad_options options) {
    const auto& found = x.output()->requests();
    if (options.create_graph && found.recorded_seen) return *found.recorded_seen;
    if (!options.create_graph && found.seen) return X(*found.seen, 0);
    if (!options.allow_unused)
        raise<gradient_error>({"[autograd::grad] an input of shape ", x.shape(),
                               " is not part of the output's graph: pass {.allow_unused = true} to get zeros"});
    return X(constant_array<typename X::inner_type>(x.shape(), 0), 0);
}

}  // namespace detail

/// Adds the derivative of a scalar to `.grad()` of every variable that it was computed from, and of the computed values that
/// retain_grad() was called of. Throws gradient_error for a constant, and where a value that the derivative needs was changed in
/// place. One thread at a time may run through a graph; several may read its values.
template <expression E>
void backward(const E& loss, autograd::backward_options options = {}) {
    const auto y = detail::differentiable_output(loss);
    backward(y, detail::one_like(y), options);
}
/// The same for an output of any shape, with the derivative of the final scalar with respect to it (same shape), as
/// `y.backward(gradient)` in PyTorch.
template <expression E, operand G>
void backward(const E& output, const G& gradient, autograd::backward_options options = {}) {
    const auto y = detail::differentiable_output(output);
    detail::backward_pass pass;
    pass.accumulating = true;
    pass.freeing = !options.retain_graph;
    detail::seed(pass, y, gradient);
    pass.run();
}

namespace autograd {

/// The derivatives of a scalar with respect to the given variables (or computed values), as a tuple of variables; `.grad()` is
/// left alone. Throws gradient_error for an input that the output does not depend on, unless allow_unused.
template <expression E, class... X>
auto grad(const E& output, const std::tuple<X...>& inputs, grad_options options = {}) {
    const auto y = ricci::detail::differentiable_output(output);
    return grad(std::make_tuple(y), inputs, std::make_tuple(ricci::detail::one_like(y)), options);
}
/// The same for outputs of any shape, with the derivatives of the final scalar with respect to each (PyTorch's grad_outputs); under
/// create_graph these may be variables themselves.
template <class... E, class... X, class... G>
auto grad(const std::tuple<E...>& outputs, const std::tuple<X...>& inputs, const std::tuple<G...>& grad_outputs,
          grad_options options = {}) {
    static_assert(sizeof...(E) == sizeof...(G), "ricci: autograd::grad needs one of grad_outputs for each output");
    const ricci::detail::request<X...> request(inputs);
    ricci::detail::backward_pass pass;
    pass.recording = options.create_graph;
    pass.freeing = !options.retain_graph;
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (ricci::detail::seed(pass, ricci::detail::differentiable_output(std::get<I>(outputs)),
                             std::get<I>(grad_outputs)),
         ...);
    }(std::make_integer_sequence<int, sizeof...(E)>{});
    pass.run();
    return std::apply(
        [&](const auto&... x) { return std::make_tuple(ricci::detail::requested_gradient(x, options)...); }, inputs);
}

}  // namespace autograd
}  // namespace ricci
// ---- ricci/io/npy.hpp
// NumPy's .npy files, versions 1.0 to 3.0: load_npy, save_npy. Format: numpy/lib/format.py.
#include <cerrno>

namespace ricci {
namespace detail {

class binary_file {
    std::FILE* file_;
    std::string name_;  // "[load_npy] 'path'", what every error begins with

   public:
    binary_file(const char* op, const std::string& path, const char* mode)
        : file_(std::fopen(path.c_str(), mode)), name_(std::string("[") + op + "] '" + path + "'") {
        if (!file_) fail(std::string(" cannot be opened: ") + std::strerror(errno));
    }
    ~binary_file() {
        if (file_) std::fclose(file_);
    }
    binary_file(const binary_file&) = delete;
    binary_file& operator=(const binary_file&) = delete;

    [[noreturn]] void fail(const std::string& why) const { throw io_error(name_ + why); }

    /// Bytes in the file; leaves the position at its start.
    std::size_t size() {
        const long end = std::fseek(file_, 0, SEEK_END) == 0 ? std::ftell(file_) : -1;
        if (end < 0 || std::fseek(file_, 0, SEEK_SET) != 0)
            fail(std::string(" has no size, is it a regular file? ") + std::strerror(errno));
        return static_cast<std::size_t>(end);
    }
    void read(void* to, std::size_t bytes, const char* what) {
        errno = 0;
        if (bytes && std::fread(to, 1, bytes, file_) != bytes)
            fail(std::ferror(file_) ? std::string(" cannot be read: ") + std::strerror(errno)
                                    : std::string(" is truncated in its ") + what);
    }
    void write(const void* from, std::size_t bytes) {
        if (bytes && std::fwrite(from, 1, bytes, file_) != bytes)
            fail(std::string(" cannot be written: ") + std::strerror(errno));
    }
    /// Writes what is buffered; a full disk shows up here at the latest.
    void close() {
        std::FILE* file = std::exchange(file_, nullptr);
        if (std::fclose(file) != 0) fail(std::string(" cannot be written: ") + std::strerror(errno));
    }
};

/// What a .npy file says of itself, its strings not yet interpreted.
struct npy_header {
    std::string descr;
    bool fortran_order = false;
    std::vector<index_t> shape;
    std::size_t data_at = 0;  // where the elements begin
};

/// Reads the header's Python literal, a dict of exactly the keys descr, fortran_order and shape. Anything else throws.
class npy_parser {
    const std::string& text_;
    const binary_file& file_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& what) const {
        file_.fail(" has a broken header: " + what + " at byte " + std::to_string(at_) + " of " + text_.substr(0, 200));
    }
    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    bool accept(const char* word) {
        skip_space();
        const std::size_t length = std::strlen(word);
        if (text_.compare(at_, length, word) != 0) return false;
        at_ += length;
        return true;
    }
    void expect(const char* word) {
        if (!accept(word)) fail(std::string("no '") + word + "'");
    }
    std::string quoted() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') fail("no string");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string::npos) fail("an unfinished string");
        std::string s = text_.substr(at_ + 1, end - at_ - 1);
        if (s.find('\\') != std::string::npos) fail("an escape sequence");
        at_ = end + 1;
        return s;
    }
    index_t extent() {
        skip_space();
        const std::size_t begin = at_;
        index_t n = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            const index_t digit = text_[at_] - '0';
            if (n > (std::numeric_limits<index_t>::max() - digit) / 10) fail("an extent that overflows");
            n = n * 10 + digit;
        }
        if (at_ == begin) fail("no extent");
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
        return n;
    }
    std::vector<index_t> tuple() {
        std::vector<index_t> extents;
        expect("(");
        while (!accept(")")) {
            extents.push_back(extent());
            if (accept(",")) continue;
            if (extents.size() == 1) fail("no ',' after the only extent");  // (3) is a number, not a tuple
            expect(")");
            break;
        }
        return extents;
    }
    std::string description() {
        skip_space();
        if (at_ < text_.size() && text_[at_] == '[')
            file_.fail(" holds records (a structured dtype), which tensors cannot");
        return quoted();
    }

   public:
    npy_parser(const std::string& text, const binary_file& file) : text_(text), file_(file) {}

    npy_header parse() {
        npy_header header;
        bool seen[3] = {};
        expect("{");
        while (!accept("}")) {
            const std::string key = quoted();
            expect(":");
            const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
            if (which < 0) fail("the unknown key '" + key + "'");
            if (std::exchange(seen[which], true)) fail("the key '" + key + "' twice");
            if (which == 0) header.descr = description();
            else if (which == 2) header.shape = tuple();
            else if (!(header.fortran_order = accept("True"))) expect("False");
            if (accept(",")) continue;
            expect("}");
            break;
        }
        skip_space();
        if (at_ != text_.size()) fail("something after the dict");
        if (!seen[0] || !seen[1] || !seen[2]) fail("a missing key");
        return header;
    }
};

/// Reads magic, version and header; leaves the file at its data. `size` is the file's.
inline npy_header read_npy_header(binary_file& file, std::size_t size) {
    unsigned char start[12] = {};
    if (size >= 4) {
        file.read(start, 4, "magic");
        if (std::memcmp(start, "PK\3\4", 4) == 0) file.fail(" is a zip archive (.npz), not a .npy file");
        if (std::memcmp(start, "\x93NUM", 4) != 0) file.fail(" is not a .npy file");
    }
    if (size < 10) file.fail(" is not a .npy file: it has " + std::to_string(size) + " bytes");
    file.read(start + 4, 6, "header");
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) file.fail(" is not a .npy file");
    const int major = start[6], minor = start[7];
    if (major < 1 || major > 3 || minor != 0)
        file.fail(" is of version " + std::to_string(major) + "." + std::to_string(minor) +
                  "; 1.0, 2.0 and 3.0 are known");
    std::size_t length = start[8] | std::size_t(start[9]) << 8, offset = 10;
    if (major > 1) {
        if (size < 12) file.fail(" is truncated in its header");
        file.read(start + 10, 2, "header");
        length |= std::size_t(start[10]) << 16 | std::size_t(start[11]) << 24;
        offset = 12;
    }
    if (length > size - offset) file.fail(" is truncated in its header");
    std::string text(length, '\0');
    file.read(text.data(), length, "header");
    npy_header header = npy_parser(text, file).parse();
    header.data_at = offset + length;
    return header;
}

/// '<f4' taken apart.
struct npy_dtype {
    char order = 0, kind = 0;
    int bytes = 0;
};
inline npy_dtype parse_descr(const std::string& descr) {
    npy_dtype d;
    std::size_t at = 0;
    d.order = !descr.empty() && std::strchr("<>|=", descr[0]) ? descr[at++] : '=';
    if (at < descr.size()) d.kind = descr[at++];
    if (at == descr.size() || descr.size() - at > 2) return {};
    for (; at < descr.size(); ++at) {
        if (descr[at] < '0' || descr[at] > '9') return {};
        d.bytes = d.bytes * 10 + (descr[at] - '0');
    }
    return d;
}
/// "float32", or the file's own word where the array API has no name.
inline std::string dtype_text(const std::string& descr) {
    const npy_dtype d = parse_descr(descr);
    const char* name = d.kind == 'i'   ? "int"
                       : d.kind == 'u' ? "uint"
                       : d.kind == 'f' ? "float"
                       : d.kind == 'c' ? "complex"
                                       : nullptr;
    if (d.kind == 'b' && d.bytes == 1) return "bool";
    return name ? name + std::to_string(8 * d.bytes) : "dtype '" + descr + "'";
}
inline std::string extents_text(const std::vector<index_t>& extents) {
    std::string text = "(";
    for (const index_t n : extents) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
    return text + (extents.size() == 1 ? ",)" : ")");
}

template <class T>
inline constexpr char npy_kind = std::is_same_v<T, bool>       ? 'b'
                                 : is_complex_v<T>             ? 'c'
                                 : std::is_floating_point_v<T> ? 'f'
                                 : std::is_signed_v<T>         ? 'i'
                                                               : 'u';
template <class T>
inline constexpr bool npy_element = element<T> && (is_complex_v<T> ? sizeof(T) <= 16 : sizeof(T) <= 8);

/// Throws unless the header fits what was asked for and the data that it promises can be in the file.
inline void check_npy(const binary_file& file, const npy_header& header, char kind, std::size_t bytes,
                      const char* asked, int rank, std::size_t available) {
    const npy_dtype d = parse_descr(header.descr);
    if (d.kind != kind || d.bytes != static_cast<int>(bytes) || static_cast<int>(header.shape.size()) != rank)
        file.fail(" holds " + dtype_text(header.descr) + " of shape " + extents_text(header.shape) + ", asked for " +
                  asked + " of rank " + std::to_string(rank));
    std::size_t total = bytes;
    for (const index_t n : header.shape)
        if (n == 0) return;
    for (const index_t n : header.shape) {
        if (static_cast<std::size_t>(n) > available / total)  // also when the product would overflow
            file.fail(" is truncated: " + std::to_string(available) + " bytes of data do not hold " + asked +
                      " of shape " + extents_text(header.shape));
        total *= static_cast<std::size_t>(n);
    }
}

/// Reverses the bytes of each number of `width` bytes.
inline void swap_bytes(void* data, std::size_t bytes, std::size_t width) {
    auto* p = static_cast<unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; i += width)
        for (std::size_t k = 0; k < width / 2; ++k) std::swap(p[i + k], p[i + width - 1 - k]);
}

inline void write_npy_header(binary_file& file, char kind, std::size_t bytes, bool fortran_order,
                             const index_t* extents, int rank) {
    const char order = bytes == 1 ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    std::string text = std::string("{'descr': '") + order + kind + std::to_string(bytes) +
                       "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                       ", 'shape': " + extents_text({extents, extents + rank}) + ", }";
    // As NumPy does it: room for the growing axis's extent to be overwritten, then padding to 64 bytes and a newline.
    if (rank > 0) text.append(21 - std::to_string(extents[fortran_order ? rank - 1 : 0]).size(), ' ');
    text.append(64 - (10 + text.size() + 1) % 64, ' ');
    text += '\n';
    const unsigned char start[10] = {0x93,
                                     'N',
                                     'U',
                                     'M',
                                     'P',
                                     'Y',
                                     1,
                                     0,
                                     static_cast<unsigned char>(text.size() & 255),
                                     static_cast<unsigned char>(text.size() >> 8)};
    file.write(start, sizeof start);
    file.write(text.data(), text.size());
}

}  // namespace detail

namespace detail {

/// Reads `count` elements and makes them ones of this machine.
template <class T>
void read_elements(binary_file& file, T* out, std::size_t count, char order) {
    file.read(out, count * sizeof(T), "data");
    constexpr std::size_t width = sizeof(real_t<T>);
    if (order == (std::endian::native == std::endian::little ? '>' : '<')) swap_bytes(out, count * sizeof(T), width);
    if constexpr (std::is_same_v<T, bool>) {  // any other byte than 0 and 1 would be undefined behaviour
        auto* bytes = reinterpret_cast<unsigned char*>(out);
        for (std::size_t i = 0; i < count; ++i) bytes[i] = bytes[i] != 0;
    }
}

template <int R>
constexpr shape<R> reversed(const shape<R>& s) {
    shape<R> r;
    for (int i = 0; i < R; ++i) r[i] = s[R - 1 - i];
    return r;
}
/// The view with all axes reversed.
template <class T, int R>
tensor<T, R> transposed(const tensor<T, R>& x) {
    return {x.memory(), x.data(), reversed(x.shape()), reversed(x.strides())};
}
template <class T, int R>
tensor<const T, R> read_only(const tensor<T, R>& x) {
    return {x.memory(), x.data(), x.shape(), x.strides()};
}

}  // namespace detail

/// Reads a .npy file of exactly this element type and rank into a row-major tensor: bool, (u)int8 to 64, float32/64,
/// complex64/128, of either byte order and either memory order. Throws io_error, saying what the file holds, when that is
/// something else, and when the file is broken, truncated or absent. Nothing is allocated before the file's size was checked.
template <class T, int R>
tensor<T, R> load_npy(const std::string& path) {
    static_assert(detail::npy_element<T>, "ricci: .npy files hold bool, integers, float, double and complex of those");
    detail::binary_file file("load_npy", path, "rb");
    const std::size_t size = file.size();
    const detail::npy_header header = detail::read_npy_header(file, size);
    detail::check_npy(file, header, detail::npy_kind<T>, sizeof(T), dtype_name<T>(), R, size - header.data_at);

    shape<R> extents;
    for (int i = 0; i < R; ++i) extents[i] = header.shape[static_cast<std::size_t>(i)];
    const bool column_major = header.fortran_order && R > 1;
    auto stored = tensor<T, R>::uninitialized(column_major ? detail::reversed(extents) : extents);
    detail::read_elements(file, stored.data(), static_cast<std::size_t>(stored.size()),
                          detail::parse_descr(header.descr).order);
    return column_major ? detail::transposed(stored).clone() : stored;
}

/// Writes the value of `e` as a .npy file of version 1.0, byte for byte as numpy.save does: column-major if the elements lie
/// so in memory, else row-major. Throws io_error when the file cannot be written; what was written of it then stays.
template <expression E>
void save_npy(const std::string& path, const E& e) {
    using T = value_type_t<E>;
    constexpr int R = rank_v<E>;
    static_assert(detail::npy_element<T>, "ricci: .npy files hold bool, integers, float, double and complex of those");
    const auto host = detail::host_value(e);
    const bool fortran_order = !host.is_contiguous() && detail::transposed(host).is_contiguous();
    const auto stored =
        host.is_contiguous() || fortran_order ? detail::read_only(host) : detail::read_only(host.clone());

    detail::binary_file file("save_npy", path, "wb");
    detail::write_npy_header(file, detail::npy_kind<T>, sizeof(T), fortran_order, stored.shape().begin(), R);
    file.write(stored.data(), static_cast<std::size_t>(stored.size()) * sizeof(T));
    file.close();
}

}  // namespace ricci
// ---- ricci/ops/index.hpp
// Advanced indexing: index arrays and masks, and the functions that select and write elements by position.
// ---- ricci/ops/index/advanced.hpp
// x(rows, all): index arrays among the indices. NumPy's rules for what is selected and for the order of the result's axes.
// ---- ricci/ops/index/selection.hpp
// What x(indices) of a tensor is: an expression that fetches the selected elements when they are needed, and writes them when
// it is assigned to.
// ---- ricci/ops/index/mask.hpp
// Masks as indices: where truth values are true. How many are is known at run time only, so that a batch of different masks is
// refused; under the other transforms a mask is a constant.

namespace ricci {
namespace detail {

/// The values of a mask without the transforms around it. Under vmap all members must share it.
template <class M>
auto plain_mask(const M& mask, const char* who) {
    if constexpr (std::is_void_v<typename M::wrapper>) {
        return mask;
    } else if constexpr (M::wrapper::differentiates) {
        return plain_mask(mask.inner(), who);
    } else {
        if (mask.inner().shape()[0] != 1)
            raise<value_error>({"[", who,
                                "] how many elements a mask selects depends on its values, which vmap makes differ "
                                "between the members of a batch: use where, which keeps the shape"});
        return plain_mask(index(mask.inner(), 0), who);
    }
}
/// The positions at which a mask is true, one row for each of its axes.
template <class M>
auto true_positions(const M& mask) {
    static_assert(M::rank >= 1);
    using D = typename M::device_type;
    const auto found = tensor<index_t, 2, D>::uninitialized({M::rank, executor<D>::count_true(mask)});
    executor<D>::find_true(mask, found);
    return found;
}
template <class E>
auto truth_of(const E& e) {
    if constexpr (std::is_same_v<typename E::value_type, bool>) return evaluate(e);
    else return evaluate(e != typename E::value_type(0));
}
/// The rows of a mask's positions as index arrays; those of a rank of 0 are zeros, along a new axis.
template <class M>
auto mask_positions(const M& mask, const char* who) {
    const auto plain = plain_mask(mask, who);
    if constexpr (M::rank == 0) {
        return mask_positions(index(plain, newaxis), who);
    } else {
        const auto found = true_positions(plain);
        return generate<M::rank>([&](auto d) { return index(found, d()); });
    }
}

}  // namespace detail

/// Where `x` is not zero: for each of its axes an array of positions, in row-major order, as a std::tuple; of rank 0 as for
/// one element. x(i, j) with these selects the elements. Throws value_error where vmap makes `x` differ between members.
template <expression E>
auto nonzero(const E& x) {
    return detail::unpack([](const auto&... i) { return std::make_tuple(i...); },
                          detail::mask_positions(detail::truth_of(x), "nonzero"));
}
/// The same as one array with a row for each element found: (count, rank). (torch.nonzero.)
template <expression E>
auto argwhere(const E& x) {
    static_assert(E::rank >= 1, "ricci: argwhere needs an array of rank 1 or more");
    return matrix_transpose(detail::true_positions(detail::plain_mask(detail::truth_of(x), "argwhere")));
}
/// where with one argument: nonzero.
template <expression E>
auto where(const E& condition) {
    return nonzero(condition);
}

}  // namespace ricci
// ---- ricci/ops/index/put.hpp
// The op that writes elements at positions that index arrays name; what is named more than once gets the last value.
// ---- ricci/ops/index/gather.hpp
// The ops of advanced indexing: gather, its transpose scatter, and put. They are closed under derivatives and batches, and all
// functions of indices come down to them.

namespace ricci::detail {

/// Arrays of indices into an array x of rank R: N of them, of rank Q and one shape, for the N axes of x from `at` on. The first
/// B axes of all arrays are a batch that x and the indices share; those of extent 1 broadcast. `axis` has the axes' numbers as
/// the user counts them. What the indices select has x's shape with their own Q - B axes at `at`.
template <int R, int N, int Q, int B>
struct index_spec {
    static constexpr int from_rank = R, arrays = N, index_rank = Q, batch_rank = B, rank = R - N + Q - B;
    using batched = index_spec<R + 1, N, Q + 1, B + 1>;
    int at = B;
    int axis[N] = {};

    batched in_batch() const {
        batched b{at + 1, {}};
        for (int k = 0; k < N; ++k) b.axis[k] = axis[k];
        return b;
    }
    /// The shape of what is selected from a shape.
    template <class... I>
    shape<rank> selected(const shape<R>& from, const I&... index) const {
        const shape<Q> named = common_shape(index...);
        shape<rank> s;
        for (int d = 0; d < B; ++d) s[d] = from[d] == 1 ? named[d] : from[d];
        for (int d = B; d < Q; ++d) s[at + d - B] = named[d];
        for (int d = B; d < R - N; ++d) s[d < at ? d : d + Q - B] = from[d < at ? d : d + N];
        return s;
    }
    /// The shape that the index arrays broadcast to: their batches may have different extents, one of them 1.
    template <class... I>
    static shape<Q> common_shape(const I&... index) {
        shape<Q> named = unit_shape<Q>();
        (broadcast_into(named, index.shape()), ...);
        return named;
    }
};

template <class Spec>
struct scatter_op;

/// An op of arrays and index arrays under vmap: all of them get a batch axis, of extent 1 where they are shared.
template <class Mapped, class Op, class... A>
auto call_in_batch(const Op& op, const A&... a) {
    const auto all = make_pack(&a...);
    return transform_indices<sizeof...(A)>(
        [&](auto i) {
            if constexpr (Mapped::at[i()]) return *get<i()>(all);
            else return unsqueeze_front(*get<i()>(all));
        },
        [&](const auto&... x) { return call(op, x...); });
}
/// `a`, summed over the axes of extent 1 in `to` where it is longer.
template <int Q, class A>
auto summed_to(const A& a, const shape<Q>& to) {
    return a.shape() == to ? a : sum_to(a, to);
}
/// Calls f with the arrays that a pack points at from First on.
template <int First, class F, class Pack>
auto with_rest(const Pack& p, const F& f) {
    return transform_indices<Pack::size - First>([&](auto k) -> const auto& { return *get<First + k()>(p); }, f);
}

/// The rules that ops share which are linear in their first argument and take index arrays after it.
template <class Op>
struct linear_in_first {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;

    template <class Active, class... A, class D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        const Op& self = static_cast<const Op&>(*this);
        return with_rest<1>(inputs, [&](const auto&... index) {
            return unpack(
                [&](const auto*... c) {
                    return make_pack(call1(self, *get<0>(inputs), index...), call1(self, *c, index...)...);
                },
                series);
        });
    }
    template <class Active, class... A, class D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }
};

/// The shape that index arrays of any ranks broadcast to.
template <class... I>
auto common_extents(const I&... index) {
    constexpr int rank = [] {
        int r = 0;
        ((r = I::rank > r ? I::rank : r), ...);
        return r;
    }();
    shape<rank> extents = unit_shape<rank>();
    (broadcast_into(extents, index.shape()), ...);
    return extents;
}
/// An index array, evaluated, on the device of what it indexes.
template <class D, class I>
auto placed(const I& i) {
    if constexpr (std::is_same_v<typename I::device_type, D>) return evaluate(i);
    else return evaluate(i).to(D{});
}

/// The elements of x that index arrays name: x, index... -> y. Linear in x; the transpose is scatter_op.
template <class Spec>
struct gather_op : linear_in_first<gather_op<Spec>> {
    static constexpr const char* name = "gather";
    Spec spec;

    explicit gather_op(const Spec& s) : spec(s) {}
    template <class X, class... I>
    auto value(const X& x, const I&... index) const {
        using D = typename X::device_type;
        auto y = tensor<typename X::value_type, Spec::rank, D>::uninitialized(spec.selected(x.shape(), index...));
        executor<D>::gather(spec, x, y, index...);
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<1>(inputs, [&](const auto&... index) {
            return call(scatter_op<Spec>(spec, get<0>(inputs)->shape()), get<0>(bars), index...);
        });
    }
    template <class Mapped, class X, class... I>
    auto call_batched(const X& x, const I&... index) const {
        return call_in_batch<Mapped>(gather_op<typename Spec::batched>(spec.in_batch()), x, index...);
    }
};

/// Zeros of a shape with the elements of y added where index arrays say: y, index... -> x. Where the batch of `to` has extent 1
/// all members are added to the same elements. Linear in y; the transpose is gather_op. Positions that are named more than once
/// are added to in the order of the indices, on any number of threads.
template <class Spec>
struct scatter_op : linear_in_first<scatter_op<Spec>> {
    static constexpr const char* name = "scatter_add";
    Spec spec;
    shape<Spec::from_rank> to;

    scatter_op(const Spec& s, const shape<Spec::from_rank>& t) : spec(s), to(t) {}
    template <class Y, class... I>
    auto value(const Y& y, const I&... index) const {
        using D = typename Y::device_type;
        using T = typename Y::value_type;
        auto x = tensor<T, Spec::from_rank, D>::uninitialized(to);
        executor<D>::fill(x, T(0));
        executor<D>::check_indices(spec, x, y, index...);
        executor<D>::scatter_add(spec, x, y, index...);
        return make_pack(x);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<1>(inputs, [&](const auto&... index) {
            return make_pack(summed_to(call1(gather_op<Spec>(spec), get<0>(bars), index...), get<0>(inputs)->shape()));
        });
    }
    template <class Mapped, class Y, class... I>
    auto call_batched(const Y& y, const I&... index) const {
        shape<1> batch{1};
        int k = 0;
        const auto widen = [&](const auto& a) {
            if (Mapped::at[k++]) broadcast_into(batch, shape<1>{a.shape()[0]});
        };
        (widen(y), ..., widen(index));
        return call_in_batch<Mapped>(scatter_op<typename Spec::batched>(spec.in_batch(), prefixed(batch[0], to)), y,
                                     index...);
    }
};

}  // namespace ricci::detail

namespace ricci::detail {

/// Which of the positions that index arrays name in a space of some extents, behind a batch, are named for the last time:
/// index... -> truth values of the arrays' shape. The space has the rank of the batch and one axis for each array.
template <class Spec>
struct last_named_op {
    static constexpr const char* name = "last_named";
    Spec spec;
    shape<Spec::arrays> extents;

    template <class... I>
    auto value(const I&... index) const {
        using D = typename common_device<I...>::type;
        const auto named = Spec::common_shape(index...);
        shape<Spec::from_rank> space;
        for (int d = 0; d < Spec::batch_rank; ++d) space[d] = named[d];
        for (int k = 0; k < Spec::arrays; ++k) space[Spec::batch_rank + k] = extents[k];
        const auto order = reshape(positions<D>(named.count()), named);
        const auto last = tensor<index_t, Spec::from_rank, D>::uninitialized(space);
        const auto seen = tensor<index_t, Spec::index_rank, D>::uninitialized(named);
        executor<D>::check_indices(spec, last, order, index...);
        executor<D>::put(spec, last, order, index...);
        executor<D>::gather(spec, last, seen, index...);
        return make_pack(evaluate(seen == order));
    }
    template <class Mapped, class... I>
    auto call_batched(const I&... index) const {
        return call_in_batch<Mapped>(last_named_op<typename Spec::batched>{spec.in_batch(), extents}, index...);
    }

   private:
    template <class D>
    static auto positions(index_t n) {
        auto p = tensor<index_t, 1>::uninitialized({n});
        for (index_t i = 0; i < n; ++i) p.data()[i] = i;
        return p.to(D{});
    }
};

/// x with the elements that index arrays name replaced by those of v, one after the other: x, v, index... -> y. Linear in x and
/// v together. Of a value that a later one replaces the derivative is 0; Unique promises that there is none.
template <class Spec, bool Unique>
struct put_op {
    static constexpr bool value_with_gradient = false;
    static constexpr bool linear = false;
    static constexpr bool merges = false;
    static constexpr const char* name = "index_put";
    Spec spec;

    template <class X, class V, class... I>
    auto value(const X& x, const V& v, const I&... index) const {
        using D = typename X::device_type;
        auto extents = x.shape();
        const auto named = Spec::common_shape(index...);
        for (int d = 0; d < Spec::batch_rank; ++d)
            extents[d] = x.shape()[d] != 1 ? x.shape()[d] : v.shape()[d] != 1 ? v.shape()[d] : named[d];
        auto y = tensor<typename X::value_type, Spec::from_rank, D>::uninitialized(extents);
        executor<D>::check_indices(spec, y, v, index...);
        executor<D>::copy(x, y);
        executor<D>::put(spec, y, v, index...);
        return make_pack(y);
    }
    template <class Active, bool, class... A, class C>
    auto pullback(const unsigned char*, const pack<const A*...>& inputs, const pack<C>& bars) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto& x = *get<0>(inputs);
            const auto& v = *get<1>(inputs);
            const auto x_bar = [&] {
                return summed_to(call1(*this, get<0>(bars), zeros_like(v), index...), x.shape());
            };
            const auto v_bar = [&] { return summed_to(kept(x, get<0>(bars), index...), v.shape()); };
            if constexpr (Active::at[0] && Active::at[1]) return make_pack(x_bar(), v_bar());
            else if constexpr (Active::at[0]) return make_pack(x_bar());
            else return make_pack(v_bar());
        });
    }
    template <class Active, class... A, class... D>
    auto pushforward(const pack<const A*...>& inputs, const pack<const D*...>& tangents) const {
        return expansion<1, Active>(inputs, tangents);
    }
    template <int Degree, class Active, class... A, class... D>
    auto expansion(const pack<const A*...>& inputs, const pack<const D*...>& series) const {
        return with_rest<2>(inputs, [&](const auto&... index) {
            const auto& x = *get<0>(inputs);
            const auto& v = *get<1>(inputs);
            return generate<Degree + 1>([&](auto k) {
                if constexpr (k() == 0) return call1(*this, x, v, index...);
                else if constexpr (!Active::at[1]) return call1(*this, *get<k() - 1>(series), zeros_like(v), index...);
                else if constexpr (!Active::at[0]) return call1(*this, zeros_like(x), *get<k() - 1>(series), index...);
                else return call1(*this, *get<k() - 1>(series), *get<Degree + k() - 1>(series), index...);
            });
        });
    }
    template <class Active, class... A, class... D>
    auto dependence(const pack<const A*...>& inputs, const pack<const D*...>& marks) const {
        return make_pack(get<1>(pushforward<Active>(inputs, marks)));
    }
    template <class Mapped, class... A>
    auto call_batched(const A&... a) const {
        return call_in_batch<Mapped>(put_op<typename Spec::batched, Unique>{spec.in_batch()}, a...);
    }

   private:
    template <class A>
    static A zeros_like(const A& a) {
        return constant_array<A>(a.shape(), 0);
    }
    /// What comes back to v: of replaced values nothing.
    template <class X, class C, class... I>
    auto kept(const X& x, const C& y_bar, const I&... index) const {
        const auto v_bar = call1(gather_op<Spec>(spec), y_bar, index...);
        if constexpr (Unique) {
            return v_bar;
        } else {
            constexpr int batch = Spec::batch_rank;
            using space = index_spec<batch + Spec::arrays, Spec::arrays, Spec::index_rank, batch>;
            last_named_op<space> op{{batch, {}}, {}};
            for (int k = 0; k < Spec::arrays; ++k) {
                op.spec.axis[k] = spec.axis[k];
                op.extents[k] = x.shape()[spec.at + k];
            }
            const auto last = call1(op, index...);
            auto extents = unit_shape<Spec::rank>();
            for (int d = 0; d < batch; ++d) extents[d] = last.shape()[d];
            for (int d = batch; d < Spec::index_rank; ++d) extents[spec.at + d - batch] = last.shape()[d];
            return evaluate(where(reshaped(last, extents), v_bar, typename C::value_type(0)));
        }
    }
};

}  // namespace ricci::detail

namespace ricci {
namespace detail {

/// Whether two tensors may share elements.
template <class A, class B>
bool share_memory(const A& a, const B& b) {
    if (a.size() == 0 || b.size() == 0) return false;
    const std::byte *a_low, *a_high, *b_low, *b_high;
    address_range(a, a_low, a_high);
    address_range(b, b_low, b_high);
    return a_low < b_high && b_low < a_high;
}
/// `a`, or a copy of it where it may share elements with what is written.
template <class Out, class A>
A apart_from(const Out& out, const A& a) {
    if (!share_memory(out, a)) return a;
    const auto copy = a.clone();
    return A(copy.memory(), copy.data(), copy.shape(), copy.strides());
}
/// Throws shape_error unless the right side of an assignment broadcasts to a selection.
template <int Q, int R>
void check_right_side(const shape<Q>& e, const shape<R>& selected) {
    for (int d = 0; d < Q; ++d)
        if (e[d] != 1 && e[d] != selected[R - Q + d])
            raise<shape_error>({"[assign] shape ", e, " does not broadcast to the selection's shape ", selected});
}
/// The right side of an assignment: of X's element type, evaluated, of the selection's shape, apart from what is written.
template <class X, class E, int R>
auto right_side(const X& x, const E& e, const shape<R>& selected) {
    using T = typename X::value_type;
    using D = typename X::device_type;
    static_assert(!std::is_const_v<typename X::element_type>,
                  "ricci: this tensor is read-only (its element type is const)");
    check_writable(x);
    if constexpr (scalar_value<E>) {
        return expand(tensor<T, 0, D>(convert_element<T>(e)), selected);
    } else {
        static_assert(E::rank <= R, "ricci: the right side has more dimensions than the selection it is assigned to");
        static_assert(std::is_same_v<typename E::device_type, D>, "ricci: the sides live on different devices");
        static_assert(all_plain<E>(),
                      "ricci: a value under grad, jvp or vmap cannot be written into a plain tensor: build the result "
                      "functionally, with index_put or where");
        check_right_side(e.shape(), selected);
        return expand(apart_from(x, evaluate_as<T>(e)), selected);
    }
}

/// What selections share: reading, and arithmetic in place.
template <class Derived>
class writable : public indexable<Derived> {
   public:
    static constexpr bool is_array = false;
    static constexpr int ndim() { return Derived::rank; }
    index_t shape(int axis) const { return self().shape()[normalize_axis(axis, Derived::rank, "shape")]; }
    index_t size() const { return self().shape().count(); }
    auto item() const { return self().fetch().item(); }
    auto clone() const { return self().fetch(); }
    template <class Device>
    auto to(Device device) const {
        return self().fetch().to(device);
    }

    template <class E>
    void operator+=(const E& e) && {
        self().write(self().fetch() + e);
    }
    template <class E>
    void operator-=(const E& e) && {
        self().write(self().fetch() - e);
    }
    template <class E>
    void operator*=(const E& e) && {
        self().write(self().fetch() * e);
    }
    template <class E>
    void operator/=(const E& e) && {
        self().write(self().fetch() / e);
    }

   private:
    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail

/// The elements of a tensor that index arrays select. They are read when an expression that holds this is built or evaluated.
///
/// Assigning to the unnamed result of x(indices) writes the tensor's elements; the right side is broadcast. Where the indices
/// name an element more than once the last one stays, also of x(i) += 1, which then adds 1 once, as in NumPy; x(i).add(1) adds
/// each time. Everything is checked before anything is written, and the right side may read the same memory.
template <class X, class Spec, class... I>
class selection : public detail::writable<selection<X, Spec, I...>> {
   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = Spec::rank;
    using detail::writable<selection>::shape;

    selection(const Spec& spec, const X& x, const I&... index)
        : spec_(spec), x_(x), index_{{{index}...}}, extents_(spec.selected(x.shape(), index...)) {}
    selection(const selection&) = default;
    selection& operator=(const selection& e) && {
        write(e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    selection& operator=(const E& e) && {
        write(e);
        return *this;
    }
    /// Adds `e`, broadcast, to the selected elements: to those that the indices name several times as often. (numpy.add.at.)
    template <class E>
        requires(expression<E> || scalar_value<E>)
    void add(const E& e) const {
        write_by([](auto&&... a) { executor<device_type>::scatter_add(a...); }, e);
    }

    const ricci::shape<rank>& shape() const { return extents_; }
    operator value_type() const
        requires(rank == 0)
    {
        return this->item();
    }
    /// The selected elements, copied. Throws index_error for an index outside of its axis.
    auto fetch() const {
        return detail::unpack([&](const auto&... i) { return detail::call1(detail::gather_op<Spec>(spec_), x_, i...); },
                              index_);
    }
    /// The same, kept here until they are fetched again.
    const auto& fetched() const { return cache_ = fetch(); }
    /// The same into memory that nobody else sees, dense; false, and nothing done, where that is no faster.
    template <class Y>
    bool fetch_into(const Y& y) const {
        constexpr int long_rows = 8;  // the indices are read twice, so that a wrong one leaves y as it is
        if (y.size() < long_rows * detail::get<0>(index_).size()) return false;
        detail::unpack(
            [&](const auto&... i) {
                executor<device_type>::check_indices(spec_, x_, y, i...);
                executor<device_type>::gather(spec_, x_, y, i...);
            },
            index_);
        return true;
    }

    template <class E>
    void write(const E& e) const {
        write_by([](auto&&... a) { executor<device_type>::put(a...); }, e);
    }

   private:
    template <class How, class E>
    void write_by(const How& how, const E& e) const {
        const auto y = detail::right_side(x_, e, extents_);
        detail::unpack(
            [&](const auto&... i) {
                executor<device_type>::check_indices(spec_, x_, y, i...);
                how(spec_, x_, y, detail::apart_from(x_, i)...);
            },
            index_);
        x_.memory().bump_version();
    }

    Spec spec_;
    X x_;
    detail::pack<I...> index_;
    ricci::shape<rank> extents_;
    mutable tensor<value_type, rank, device_type> cache_{storage(), nullptr, {}, {}};
};

/// The elements of a tensor where a mask of its shape is true: as selection, in one pass and without indices.
template <class X, class M>
class mask_selection : public detail::writable<mask_selection<X, M>> {
   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = 1;
    using detail::writable<mask_selection>::shape;

    mask_selection(const X& x, const M& mask)
        : x_(x), mask_(mask), extents_{{executor<device_type>::count_true(mask)}} {}
    mask_selection(const mask_selection&) = default;
    mask_selection& operator=(const mask_selection& e) && {
        write(e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    mask_selection& operator=(const E& e) && {
        write(e);
        return *this;
    }
    template <class E>
        requires(expression<E> || scalar_value<E>)
    void add(const E& e) const {
        write(fetch() + e);
    }

    const ricci::shape<1>& shape() const { return extents_; }
    tensor<value_type, 1, device_type> fetch() const {
        auto y = tensor<value_type, 1, device_type>::uninitialized(extents_);
        executor<device_type>::compress(x_, mask_, y);
        return y;
    }
    const auto& fetched() const { return cache_ = fetch(); }
    template <class Y>
    bool fetch_into(const Y& y) const {
        executor<device_type>::compress(x_, mask_, y);
        return true;
    }

    template <class E>
    void write(const E& e) const {
        if constexpr (scalar_value<E>) {
            ricci::write(x_, where(mask_, convert_element<value_type>(e), x_));
        } else {
            const auto y = detail::right_side(x_, e, extents_);
            const auto found = detail::true_positions(mask_);
            const detail::index_spec<X::rank, X::rank, 1, 0> spec{0, {}};
            detail::transform_indices<X::rank>(
                [&](auto d) { return index(found, d()); },
                [&](const auto&... i) { executor<device_type>::put(spec, x_, y, i...); });
            x_.memory().bump_version();
        }
    }

   private:
    X x_;
    M mask_;
    ricci::shape<1> extents_;
    mutable tensor<value_type, 1, device_type> cache_{storage(), nullptr, {}, {}};
};

namespace detail {

template <class Spec, class X, class... I>
auto make_selection(const Spec& spec, const X& x, const I&... index) {
    if constexpr (std::is_void_v<typename X::wrapper> && (std::is_void_v<typename I::wrapper> && ...))
        return selection<X, Spec, I...>(spec, x, index...);
    else return call1(gather_op<Spec>(spec), x, index...);
}

}  // namespace detail
}  // namespace ricci

namespace ricci {
namespace detail {

/// What an index stands for among the axes of x.
struct index_use {
    int used, given;  // axes of x, axes of the view that the other indices give
    bool is_array, is_dots;
    bool keeps_apart;  // index arrays on both sides of it are apart
};
template <class I>
constexpr index_use use_of() {
    if constexpr (!is_index_array<I>) {
        return {axes_used<I>, std::is_same_v<I, ellipsis_t> ? 0 : axes_given<I>, false, std::is_same_v<I, ellipsis_t>,
                !is_integer_index<I>};
    } else if constexpr (std::is_same_v<typename I::value_type, bool>) {
        return {I::rank, I::rank > 0 ? I::rank : 1, true, false, false};
    } else {
        return {1, 1, true, false, false};
    }
}

/// Where index arrays are: computed from the indices' types.
template <int R, class... I>
struct index_layout {
    static constexpr int count = sizeof...(I);
    static constexpr int used = (0 + ... + use_of<I>().used);
    static constexpr bool has_dots = (use_of<I>().is_dots || ...);
    static constexpr int rest = R - used;  // whole axes, at the ellipsis or the end
    static constexpr int view_rank = rest + (0 + ... + use_of<I>().given);
    static constexpr int arrays = (0 + ... + (use_of<I>().is_array ? use_of<I>().given : 0));

    int view_axis[arrays > 0 ? arrays : 1] = {};  // that each array runs along, in the view
    int axis[arrays > 0 ? arrays : 1] = {};       // and in x
    int at = 0;                                   // where the arrays' own axes are among the result's

    constexpr index_layout() {
        constexpr index_use use[] = {use_of<I>()...};
        int x = 0, view = 0, key = 0, before = 0;
        int first = -1;
        bool apart = false, adjacent = true;
        for (int i = 0; i < count; ++i) {
            const bool advanced = use[i].is_array || (!use[i].keeps_apart);
            if (advanced && first < 0) {
                first = i;
                before = view;
            }
            if (advanced && apart) adjacent = false;
            if (first >= 0 && use[i].keeps_apart) apart = true;
            if (use[i].is_array)
                for (int n = 0; n < use[i].given; ++n) {
                    view_axis[key] = view + n;
                    axis[key++] = x + n;
                }
            x += use[i].is_dots ? rest : use[i].used;
            view += use[i].is_dots ? rest : use[i].given;
        }
        at = adjacent ? before : 0;
    }
};

/// An index without its arrays.
template <class I>
auto without_array(const I& i) {
    if constexpr (!is_index_array<I>) return i;
    else if constexpr (use_of<I>().used == 0) return newaxis;
    else return whole_axes<use_of<I>().used>{};
}
/// The arrays of an index: those of a mask say where it is true.
template <class D, class I>
auto arrays_of(const I& i) {
    if constexpr (!is_index_array<I>) return pack<>{};
    else if constexpr (std::is_same_v<typename I::value_type, bool>) return mask_positions(placed<D>(i), "index");
    else return make_pack(placed<D>(i));
}
template <class A>
inline constexpr bool is_plain = std::is_void_v<typename A::wrapper>;
/// A single mask for all axes, of a tensor.
template <class A, class... I>
inline constexpr bool is_whole_mask = false;
template <class A, class I>
    requires(is_index_array<I>)
inline constexpr bool is_whole_mask<A, I> =
    std::is_same_v<typename I::value_type, bool> && I::rank > 0 &&
    A::rank == I::rank&& is_plain<A>&& is_plain<std::remove_cvref_t<decltype(evaluate(std::declval<const I&>()))>>;

/// Throws index_error unless a mask has the extents of the axes that it indexes, from `first` on.
template <int R, class I>
void check_mask(const shape<R>& extents, int first, const I& i) {
    if constexpr (is_index_array<I>)
        if constexpr (std::is_same_v<typename I::value_type, bool>)
            for (int d = 0; d < I::rank; ++d)
                if (i.shape()[d] != extents[first + d])
                    raise<index_error>({"[index] a mask of shape ", i.shape(), " does not fit an array of shape ",
                                        extents, ": axis ", first + d, " has size ", extents[first + d], ", the mask ",
                                        i.shape()[d]});
}

/// `a` with the axes that arrays run along moved together, to where the arrays' own axes belong.
template <class Layout, class A>
auto arrays_together(const A& a, const Layout& layout) {
    auto spec = identity_view(a.shape());
    bool taken[A::rank + 1] = {}, moved = false;
    for (int k = 0; k < Layout::arrays; ++k) taken[layout.view_axis[k]] = true;
    int next = 0;
    for (int d = 0; d < A::rank; ++d) {
        const int k = d - layout.at;
        if (k >= 0 && k < Layout::arrays) {
            spec.source[d] = layout.view_axis[k];
        } else {
            while (taken[next]) ++next;
            spec.source[d] = next++;
        }
        spec.extents[d] = a.shape()[spec.source[d]];
        moved = moved || spec.source[d] != d;
    }
    if constexpr (std::is_same_v<A, decltype(view_of(a, spec))>)
        if (!moved) return a;
    return view_of(a, spec);
}

/// An index array under the common shape of all. A view.
template <int Q, class I>
auto expanded_index(const I& i, const shape<Q>& extents) {
    if constexpr (std::is_same_v<I, decltype(expand(i, extents))>)  // a view of recorded integers is not recorded
        if (i.shape() == extents) return i;
    return expand(i, extents);
}

/// What index arrays, of ranks up to Q, select from `a`, along the axes from `at` on whose numbers the user knows as `axis`.
template <class A, class... I>
auto select_from(const A& a, int at, const int* axis, const I&... index) {
    const auto extents = common_extents(index...);
    index_spec<A::rank, sizeof...(I), decltype(common_extents(index...))::rank, 0> spec{at, {}};
    for (int k = 0; k < spec.arrays; ++k) spec.axis[k] = axis[k];
    return make_selection(spec, a, expanded_index(index, extents)...);
}

/// a(i...), where `arrays` are the arrays among the indices.
template <class A, class Arrays, class... I>
auto select_arrays(const A& a, const Arrays& arrays, const I&... i) {
    using layout_type = index_layout<A::rank, I...>;
    constexpr layout_type layout;
    const auto view = view_of(a, index_builder<A::rank, layout_type::view_rank>(a.shape()).build(without_array(i)...));
    const auto source = arrays_together(view, layout);
    return unpack([&](const auto&... array) { return select_from(source, layout.at, layout.axis, array...); }, arrays);
}

/// e(i...) of a map, of plain tensors: what is left of it is computed when that is less than half of the map, else the map first.
template <class E, class Arrays, class... I>
auto select_from_map(const E& e, const Arrays& arrays, const I&... i) {
    using layout_type = index_layout<E::rank, I...>;
    constexpr layout_type layout;
    index_t indexed = 1;
    for (int k = 0; k < layout_type::arrays; ++k) indexed *= e.shape()[layout.axis[k]];
    const index_t selected = unpack([](const auto&... array) { return common_extents(array...).count(); }, arrays);
    if (2 * selected > indexed) return select_arrays(evaluate(e), arrays, i...).fetch();
    const auto leaves = leaves_of(e);
    const auto parts = unpack(
        [&](const auto*... a) { return make_pack(select_arrays(expand(*a, e.shape()), arrays, i...).fetch()...); },
        leaves);
    const auto extents = get<0>(parts).shape();
    constexpr int rank = std::remove_cvref_t<decltype(extents)>::rank;
    const auto op = forward_op<rank, false, rank, decltype(slot_types(leaves))>(make_tree(e), extents, extents);
    return unpack([&](const auto&... part) { return call1(op, part...); }, parts);
}
/// A map of plain tensors indexed by plain arrays; a mask of rank 0 indexes no axis of it.
template <class E, class Arrays, class... I>
constexpr bool selects_from_map() {
    if constexpr (E::is_array || deferred<E>) return false;
    else if constexpr (!all_plain<E>() || ((is_index_array<I> && use_of<I>().used == 0) || ...)) return false;
    else
        return []<class... A>(std::type_identity<pack<A...>>) {
            return (is_plain<A> && ...);
        }(std::type_identity<Arrays>{});
}

}  // namespace detail

/// `x(i, ...)` with index arrays: integers of any type and rank, which broadcast together and may count from the end, beside
/// integers, slices, all, ellipsis and newaxis. The arrays' common axes stand where the arrays did, or in front of all others
/// when a slice, an ellipsis or a newaxis stands between arrays (or integers), as in NumPy. Of a plain tensor, what is selected
/// is fetched when it is needed, and can be assigned to (see selection); of anything else it is an array. Of a map no more than
/// what is selected is computed where that is less. The derivative adds up what comes back to the same element. Throws index_error for an index outside of its axis.
template <expression E, class... I>
    requires(detail::is_index_array<I> || ...)
auto index(const E& x, const I&... i) {
    using layout_type = detail::index_layout<E::rank, I...>;
    static_assert(
        ((detail::is_basic_index<I> || detail::is_index_array<I>) && ...),
        "ricci: index with integers, ricci::slice, ricci::all, ricci::ellipsis, ricci::newaxis and arrays of integers "
        "or truth values");
    static_assert((0 + ... + int(std::is_same_v<I, ellipsis_t>)) <= 1, "ricci: at most one ellipsis in an index");
    static_assert(layout_type::rest >= 0, "ricci: more indices than the array has axes");
    int first = 0;
    (..., (detail::check_mask(x.shape(), first, i),
           first += detail::use_of<I>().is_dots ? layout_type::rest : detail::use_of<I>().used));
    using value = std::remove_cvref_t<decltype(evaluate(x))>;
    if constexpr (detail::is_whole_mask<value, I...>) {
        return mask_selection(evaluate(x), detail::placed<device_t<E>>(i)...);
    } else {
        const auto arrays = detail::concat_all(detail::arrays_of<device_t<E>>(i)...);
        using arrays_type = std::remove_cvref_t<decltype(arrays)>;
        if constexpr (detail::selects_from_map<E, arrays_type, I...>()) return detail::select_from_map(x, arrays, i...);
        else return detail::select_arrays(evaluate(x), arrays, i...);
    }
}

}  // namespace ricci
// ---- ricci/ops/index/masked.hpp
// Functions of masks: masked_fill, masked_select, masked_scatter, compress.
// ---- ricci/ops/index/write.hpp
// New arrays with elements written or added at positions: index_put, index_add, and the functions along an axis.
// ---- ricci/ops/index/take.hpp
// Elements selected along an axis: take, index_select.

namespace ricci {

/// The elements of `x` along an axis at the positions `indices` (integers of any type and rank, negative ones counted from the
/// end), whose axes take the place of that axis. Throws index_error for a position or an axis out of range. (numpy.take.)
template <expression E, expression I>
auto take(const E& x, const I& indices, int axis) {
    static_assert(E::rank >= 1, "ricci: take needs an array of rank 1 or more");
    static_assert(std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
                  "ricci: the indices must be integers");
    const int at = detail::normalize_axis(axis, E::rank, "take");
    return evaluate(detail::select_from(evaluate(x), at, &at, detail::placed<device_t<E>>(indices)));
}
template <expression E, int N>
auto take(const E& x, const position (&indices)[N], int axis) {
    return take(x, index_array(indices), axis);
}
/// Without an axis, from all elements in row-major order.
template <expression E, expression I>
auto take(const E& x, const I& indices) {
    return take(reshape(x, {-1}), indices, 0);
}
template <expression E, int N>
auto take(const E& x, const position (&indices)[N]) {
    return take(x, index_array(indices));
}

/// The rows of `x` along `axis` at the positions `indices`, an array of rank 1. Throws index_error for a position or an axis out
/// of range. (torch.index_select.)
template <expression E, expression I>
auto index_select(const E& x, int axis, const I& indices) {
    static_assert(I::rank == 1, "ricci: index_select takes indices of rank 1; take those of any rank");
    return take(x, indices, axis);
}
template <expression E, int N>
auto index_select(const E& x, int axis, const position (&indices)[N]) {
    return take(x, indices, axis);
}

}  // namespace ricci

namespace ricci {
namespace detail {

/// Values to write: of type T, under the shape of what they go to.
template <class T, class D, class V, int R>
auto values_for(const V& v, const shape<R>& selected, const char* who) {
    if constexpr (scalar_value<V>) {
        return expand(tensor<T, 0, D>(convert_element<T>(v)), selected);
    } else {
        static_assert(V::rank <= R, "ricci: the values have more dimensions than what they are written to");
        for (int d = 0; d < V::rank; ++d)
            if (v.shape()[d] != 1 && v.shape()[d] != selected[R - V::rank + d])
                raise<shape_error>(
                    {"[", who, "] values of shape ", v.shape(), " do not broadcast to the selected shape ", selected});
        return expand(evaluate_as<T>(v), selected);
    }
}
/// x with v written (or, with Add, added) where index arrays say, along the axes from `at` on.
template <bool Add, bool Unique, class X, class V, class... I>
auto written(const X& x, int at, const V& v, const char* who, const I&... index) {
    using T = typename X::value_type;
    const auto extents = common_extents(index...);
    using spec_type = index_spec<X::rank, sizeof...(I), decltype(common_extents(index...))::rank, 0>;
    static_assert(int(sizeof...(I)) <= X::rank, "ricci: more indices than the array has axes");
    spec_type spec{at, {}};
    for (int k = 0; k < spec_type::arrays; ++k) spec.axis[k] = at + k;
    const auto values = [&](const auto&... i) {
        const auto y = values_for<T, typename X::device_type>(v, spec.selected(x.shape(), i...), who);
        if constexpr (Add) return evaluate(x + call1(scatter_op<spec_type>(spec, x.shape()), y, i...));
        else return call1(put_op<spec_type, Unique>{spec}, x, y, i...);
    };
    return values(expanded_index(index, extents)...);
}
template <bool Add, class X, class V, class... I>
auto index_put_arrays(const X& x, const std::tuple<I...>& indices, const V& v) {
    static_assert((is_index_array<I> && ...) && sizeof...(I) > 0,
                  "ricci: index_put takes arrays of integers or truth values as indices");
    return std::apply(
        [&](const auto&... i) {
            int first = 0;
            (..., (check_mask(x.shape(), first, i), first += use_of<I>().used));
            static_assert(((use_of<I>().used > 0) && ...), "ricci: index_put takes no masks of rank 0");
            return unpack([&](const auto&... array) { return written<Add, false>(x, 0, v, "index_put", array...); },
                          concat_all(arrays_of<typename X::device_type>(i)...));
        },
        indices);
}

/// The op's spec along an axis: all other axes are a batch, and the axis is the last one.
template <int R>
using along_spec = index_spec<R, 1, R, R - 1>;
template <int R>
along_spec<R> along(int axis) {
    return {R - 1, {axis}};
}
/// The first extents of each axis but the last one.
template <class A, int R>
auto region_of(const A& a, const shape<R>& extents) {
    auto spec = identity_view(a.shape());
    for (int d = 0; d < R - 1; ++d) spec.extents[d] = extents[d];
    return spec;
}
template <int R, class E, class I>
int check_along(const E& x, int axis, const I& index, const char* who, bool smaller) {
    static_assert(R >= 1 && I::rank == R, "ricci: the indices must have as many dimensions as the array");
    static_assert(std::is_integral_v<typename I::value_type> && !std::is_same_v<typename I::value_type, bool>,
                  "ricci: the indices must be integers");
    const int at = normalize_axis(axis, R, who);
    for (int d = 0; d < R; ++d) {
        const index_t n = index.shape()[d], have = x.shape()[d];
        if (d != at && (smaller ? n > have : n != have && n != 1 && have != 1))
            raise<shape_error>({"[", who, "] indices of shape ", index.shape(), " do not fit an array of shape ",
                                x.shape(), " along axis ", at});
    }
    return at;
}
/// The extents of two arrays broadcast in all axes but one, which comes last and has extent `length`.
template <int R>
shape<R> beside_last(const shape<R>& a, const shape<R>& b, index_t length) {
    shape<R> s;
    for (int d = 0; d < R - 1; ++d) s[d] = a[d] == 1 ? b[d] : a[d];
    s[R - 1] = length;
    return s;
}
/// x with v written (or added) along an axis, in the region that the indices cover.
template <bool Add, class X, class I, class V>
auto written_along(const X& x, int axis, const I& index, const V& v, const char* who) {
    constexpr int R = X::rank;
    using T = typename X::value_type;
    const auto target = move_axis(x, axis, R - 1);
    const auto i = move_axis(index, axis, R - 1);
    const auto y = move_axis(values_for<T, typename X::device_type>(v, index.shape(), who), axis, R - 1);
    const auto region = region_of(target, i.shape());
    const auto filled = [&](const auto& part) { return call1(unview_op<R, R>(region, target.shape()), part); };
    if constexpr (Add) {
        const auto sums = call1(scatter_op<along_spec<R>>(along<R>(axis), region.extents), y, i);
        return evaluate(x + move_axis(filled(sums), R - 1, axis));
    } else {
        const auto part = call1(put_op<along_spec<R>, false>{along<R>(axis)}, view_of(target, region), y, i);
        if (region.extents == target.shape()) return move_axis(part, R - 1, axis);
        const auto inside = expand(tensor<bool, 0, typename X::device_type>(true), region.extents);
        return move_axis(evaluate(where(filled(inside), filled(part), target)), R - 1, axis);
    }
}

}  // namespace detail

/// `x` with the elements x(indices...) replaced by `v`, which is broadcast: index_put(x, rc::tuple(rows, columns), v). The
/// indices are arrays of integers or masks, for the leading axes. An element that is named more than once gets the last value,
/// and the derivative of the others is 0. Throws as x(indices...) does, and shape_error when `v` does not broadcast.
/// (torch.index_put, jax's x.at[].set.)
template <expression E, class... I, class V>
auto index_put(const E& x, const std::tuple<I...>& indices, const V& v) {
    return detail::index_put_arrays<false>(evaluate(x), indices, v);
}
/// With `accumulate`, `v` is added, to elements that are named several times as often.
template <expression E, class... I, class V>
auto index_put(const E& x, const std::tuple<I...>& indices, const V& v, bool accumulate) {
    const auto a = evaluate(x);
    return accumulate ? detail::index_put_arrays<true>(a, indices, v) : detail::index_put_arrays<false>(a, indices, v);
}

/// `x` with `v` added to its rows along `axis` at the positions `indices` (rank 1), to a row that is named several times as
/// often. Throws index_error for a position or an axis out of range, shape_error when `v` does not broadcast to those rows.
template <expression E, expression I, class V>
auto index_add(const E& x, int axis, const I& indices, const V& v) {
    static_assert(I::rank == 1, "ricci: index_add takes indices of rank 1");
    const int at = detail::normalize_axis(axis, E::rank, "index_add");
    return detail::written<true, true>(evaluate(x), at, v, "index_add", detail::placed<device_t<E>>(indices));
}

/// For each line of `x` along `axis` the elements at the positions in the same line of `indices`; the other axes broadcast.
/// Throws index_error for a position or an axis out of range, shape_error. (numpy.take_along_axis: what argsort gives.)
template <expression E, expression I>
auto take_along_axis(const E& x, const I& indices, int axis) {
    constexpr int R = E::rank;
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<R>(a, axis, i, "take_along_axis", false);
    const auto source = detail::move_axis(a, at, R - 1);
    const auto lines = detail::move_axis(i, at, R - 1);
    const auto y = detail::call1(detail::gather_op<detail::along_spec<R>>(detail::along<R>(at)), source, lines);
    return detail::move_axis(y, R - 1, at);
}
/// y[i][j] = x[indices[i][j]][j] along axis 0, and so on: as take_along_axis, with indices that may cover only a part of the
/// other axes. (torch.gather.)
template <expression E, expression I>
auto gather(const E& x, int axis, const I& indices) {
    constexpr int R = E::rank;
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<R>(a, axis, i, "gather", true);
    auto spec = detail::identity_view(a.shape());
    for (int d = 0; d < R; ++d) spec.extents[d] = d == at ? a.shape()[d] : i.shape()[d];
    return take_along_axis(detail::view_of(a, spec), i, at);
}

/// `x` with `v` written at the positions that take_along_axis reads. (numpy.put_along_axis, which writes in place.)
template <expression E, expression I, class V>
auto put_along_axis(const E& x, const I& indices, const V& v, int axis) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    const int at = detail::check_along<E::rank>(a, axis, i, "put_along_axis", false);
    auto extents = i.shape();
    for (int d = 0; d < E::rank; ++d)
        if (d != at) extents[d] = a.shape()[d];
    return detail::written_along<false>(a, at, expand(i, extents), v, "put_along_axis");
}
/// `x` with `v` written at the positions that gather reads; `v` broadcasts to the indices. An element that is named more than
/// once gets the last value, and the derivative of the others is 0. (torch.scatter.)
template <expression E, expression I, class V>
auto scatter(const E& x, int axis, const I& indices, const V& v) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    return detail::written_along<false>(a, detail::check_along<E::rank>(a, axis, i, "scatter", true), i, v, "scatter");
}
/// `x` with `v` added at the positions that gather reads: the transpose of gather. (torch.scatter_add.)
template <expression E, expression I, class V>
auto scatter_add(const E& x, int axis, const I& indices, const V& v) {
    const auto a = evaluate(x);
    const auto i = detail::placed<device_t<E>>(indices);
    return detail::written_along<true>(a, detail::check_along<E::rank>(a, axis, i, "scatter_add", true), i, v,
                                       "scatter_add");
}

}  // namespace ricci

namespace ricci {
namespace detail {

template <class M>
constexpr void require_mask() {
    static_assert(std::is_same_v<typename M::value_type, bool>,
                  "ricci: a mask holds truth values: compare with 0 first");
}

}  // namespace detail

/// `x` with `value` where the mask is true; all broadcast. One fused pass, and nothing that depends on the mask but values, so
/// that it may differ between the members of a batch. (torch.masked_fill.)
template <expression E, expression M, class V>
auto masked_fill(const E& x, const M& mask, const V& value) {
    detail::require_mask<M>();
    using T = typename E::value_type;
    if constexpr (scalar_value<V>) return where(mask, convert_element<T>(value), x);
    else return where(mask, astype<T>(value), x);
}

/// The elements of `x` where the mask is true, in row-major order; the two broadcast. Throws value_error where vmap makes the
/// mask differ between members. (torch.masked_select.)
template <expression E, expression M>
auto masked_select(const E& x, const M& mask) {
    detail::require_mask<M>();
    constexpr int R = E::rank > M::rank ? E::rank : M::rank;
    shape<R> extents = detail::unit_shape<R>();
    detail::broadcast_into(extents, x.shape());
    detail::broadcast_into(extents, mask.shape());
    return evaluate(index(expand(x, extents), expand(mask, extents)));
}

/// `x` with the elements where the mask, of its shape, is true replaced by the first ones of `values`, one after the other.
/// Throws shape_error when there are too few, value_error where vmap makes the mask differ between members. (torch.masked_scatter.)
template <expression E, expression M, expression V>
auto masked_scatter(const E& x, const M& mask, const V& values) {
    detail::require_mask<M>();
    static_assert(E::rank >= 1 && M::rank <= E::rank,
                  "ricci: masked_scatter needs an array of rank 1 or more and a mask of at most its rank");
    const auto a = evaluate(x);
    const auto found = detail::mask_positions(evaluate(expand(mask, a.shape())), "masked_scatter");
    const auto flat = reshape(values, {-1});
    const index_t n = detail::get<0>(found).shape()[0];
    if (n > flat.shape()[0])
        detail::raise<shape_error>(
            {"[masked_scatter] the mask selects ", n, " elements, and there are ", flat.shape()[0], " values"});
    return detail::unpack(
        [&](const auto&... i) {
            return detail::written<false, true>(a, 0, index(flat, slice(0, n)), "masked_scatter", i...);
        },
        found);
}

/// The rows of `x` along `axis` where the condition, of rank 1 and at most as long as the axis, is true. Throws value_error
/// where vmap makes the condition differ between members, index_error. (numpy.compress.)
template <expression C, expression E>
auto compress(const C& condition, const E& x, int axis) {
    static_assert(C::rank == 1, "ricci: compress takes a condition of rank 1");
    const auto found = detail::mask_positions(detail::truth_of(condition), "compress");
    return take(x, detail::get<0>(found), axis);
}
/// Without an axis, of all elements in row-major order.
template <expression C, expression E>
auto compress(const C& condition, const E& x) {
    return compress(condition, reshape(x, {-1}), 0);
}

}  // namespace ricci
// ---- ricci/ops/random_like.hpp
// Random arrays of another array's shape. Under vmap that is one member's: each gets its own numbers, or all the same.

namespace ricci {
namespace detail {

/// The mapped axes that a random array gets, the outermost vmap's first: `extent` of `size` members from `first` on; a
/// single one where all share the numbers.
struct random_axes {
    static constexpr int most = 16;
    struct axis {
        index_t extent, first, size;
    };
    int count = 0;
    axis at[most];

    /// The elements that are reserved: members of `n`.
    std::uint64_t reserved(index_t n) const {
        std::uint64_t total = static_cast<std::uint64_t>(n);
        for (int d = 0; d < count; ++d) total *= static_cast<std::uint64_t>(at[d].size);
        return total;
    }
};

/// The part of a reserved range that belongs to a chunk, into a dense array whose leading axes are the mapped ones.
/// Where they are whole, they run on in the stream as they do in memory.
template <bool Normal, class T, int R, class D>
void fill_random(const tensor<T, R, D>& x, const random_axes& axes, index_t n, std::uint64_t seed, std::uint64_t begin) {
    int outer = axes.count;
    index_t run = n;
    while (outer > 0) {
        const auto& a = axes.at[--outer];
        run *= a.extent;
        if (a.extent != a.size) break;
    }
    index_t runs = 1;
    for (int d = 0; d < outer; ++d) runs *= axes.at[d].extent;
    for (index_t i = 0; i < runs; ++i) {
        std::uint64_t member = 0, scale = 1;
        index_t rest = i;
        for (int d = axes.count - 1; d >= 0; --d) {
            const auto& a = axes.at[d];
            index_t k = a.first;
            if (d < outer) {
                k += rest % a.extent;
                rest /= a.extent;
            }
            member += static_cast<std::uint64_t>(k) * scale;
            scale *= static_cast<std::uint64_t>(a.size);
        }
        executor<D>::template random<Normal>(tensor<T, 1, D>(x.memory(), x.data() + i * run, {run}, {1}), seed,
                                             begin + member * static_cast<std::uint64_t>(n));
    }
}

/// The vmap in progress that an array's outermost wrapper belongs to; of several of one function, the next one outside
/// `inside`.
inline const mapped_frame* frame_of(const void* identity, const mapped_frame* inside) {
    const mapped_frame* f = inside ? inside->outer() : mapped_frame::innermost();
    while (f && f->identity != identity) f = f->outer();
    return f;
}

[[noreturn]] RICCI_NOINLINE inline void refuse_random_like(const char* who, const mapped_frame* f) {
    if (f && f->mode == randomness::different)
        detail::raise<value_error>({"[", who, "] the example is not mapped by every vmap in progress with "
                                    "randomness::different, whose members would get the same numbers: give it one that is"});
    detail::raise<value_error>({"[", who, "] random numbers inside vmap: give vmap the option {.randomness = "
                                "randomness::different} or {.randomness = randomness::same}"});
}

template <bool Normal>
class random_like_call {
   public:
    random_like_call(generator& g, const char* who) : generator_(g), who_(who) {}

    /// A random array with the batches of `x` and none of its derivatives.
    template <class A>
    auto operator()(const A& x) {
        if constexpr (std::is_void_v<typename A::wrapper>) {
            return draw<typename A::value_type, A::rank, typename A::device_type>(x.shape());
        } else if constexpr (A::wrapper::differentiates) {
            return (*this)(x.inner());
        } else {
            const mapped_frame* f = frame_of(&wrapper_identity<typename A::wrapper>, nullptr);
            for (int i = 0; i < used_ && f; ++i)
                if (f == frames_[i]) {
                    f = frame_of(&wrapper_identity<typename A::wrapper>, f);
                    i = -1;
                }
            if (!f || f->mode == randomness::error || used_ == random_axes::most) refuse_random_like(who_, nullptr);
            frames_[used_++] = f;
            const auto inner = (*this)(x.inner());
            return A::wrapper::rewrapped(inner, f->level);
        }
    }

   private:
    template <class T, int R, class D>
    tensor<T, R, D> draw(const shape<R>& like) {
        int different = 0;
        for (const mapped_frame* f = mapped_frame::innermost(); f; f = f->outer()) {
            if (f->mode == randomness::error) refuse_random_like(who_, f);
            different += f->mode == randomness::different;
        }
        random_axes axes;
        auto extents = like;
        index_t n = 1;
        for (int d = 0; d < used_; ++d) {  // the innermost vmap is the outermost wrapper
            const mapped_frame* f = frames_[used_ - 1 - d];
            const bool own = f->mode == randomness::different;
            different -= own;
            axes.at[axes.count++] = own ? random_axes::axis{f->count, f->first, f->size} : random_axes::axis{1, 0, 1};
            extents[d] = axes.at[d].extent;
        }
        if (different) {
            const mapped_frame* f = mapped_frame::innermost();
            while (f->mode != randomness::different) f = f->outer();
            refuse_random_like(who_, f);
        }
        for (int d = used_; d < R; ++d) n *= extents[d];
        auto x = tensor<T, R, D>::uninitialized(extents);
        const std::uint64_t begin = mapped_frame::reserve(generator_, axes.reserved(n));
        fill_random<Normal>(x, axes, n, generator_.seed(), begin);
        return x;
    }

    generator& generator_;
    const char* who_;
    const mapped_frame* frames_[random_axes::most] = {};
    int used_ = 0;
};

template <bool Normal, expression E>
auto random_like(const E& x, generator& g, const char* who) {
    static_assert(std::is_floating_point_v<typename E::value_type>,
                  "ricci: random numbers take the element type of the example, which must be float or double");
    return random_like_call<Normal>(g, who)(evaluate(x));
}

}  // namespace detail

/// Uniform random numbers in [0, 1), of the shape, element type and device of `x`, constants of every derivative.
/// Inside vmap, where `x` is one member, its option `randomness` decides: with `different` each member of the batch
/// gets numbers of its own, those of rand with the batch in front, whatever the chunk size; with `same` all get one
/// draw; otherwise value_error is thrown, as it is when a vmap with `different` does not map `x`.
template <expression E>
auto rand_like(const E& x, generator& g = default_generator()) {
    return detail::random_like<false>(x, g, "rand_like");
}
template <expression E>
auto rand_like(const E& x, generator&& g) {
    return detail::random_like<false>(x, g, "rand_like");
}

/// Standard normal random numbers (mean 0, variance 1), otherwise as rand_like.
template <expression E>
auto randn_like(const E& x, generator& g = default_generator()) {
    return detail::random_like<true>(x, g, "randn_like");
}
template <expression E>
auto randn_like(const E& x, generator&& g) {
    return detail::random_like<true>(x, g, "randn_like");
}

}  // namespace ricci
// ---- ricci/vmap/state.hpp
// Ensembles: models of one structure stacked into one model, which vmap evaluates at once.

namespace ricci {
namespace detail {

template <class S>
auto stack_structures(const S* models, std::size_t count) {
    if (count == 0) detail::raise<value_error>({"[stack_state] needs at least one model"});
    using arrays = decltype(structure<S>::arrays(*models));
    return structure<S>::template at<0>(generate<arrays::size>([&](auto k) {
        std::vector<pack_element_t<k(), arrays>> list;
        list.reserve(count);
        for (std::size_t i = 0; i < count; ++i) list.push_back(get<k()>(structure<S>::arrays(models[i])));
        return stack_list(list, 0, "stack_state");
    }));
}

}  // namespace detail

/// Models of one type, structs of arrays that list their members (expr/structure.hpp), as one whose arrays have a
/// leading axis: vmap(model, in_axes(0, none))(stack_state(models), x) evaluates an ensemble. A list as stack takes it:
/// stack_state({a, b}), or a std::vector or std::array. Throws shape_error when the models' shapes differ, value_error
/// for an empty list. Linear, and differentiable as stack is. (torch.func.stack_module_state.)
template <class S>
auto stack_state(const std::vector<S>& models) {
    return detail::stack_structures(models.data(), models.size());
}
template <class S, std::size_t N>
auto stack_state(const std::array<S, N>& models) {
    return detail::stack_structures(models.data(), N);
}
template <class S, std::size_t N>
auto stack_state(const S (&models)[N]) {
    return detail::stack_structures(models, N);
}

/// The models that stack_state stacked, as a std::vector: views of the stacked arrays. Throws shape_error when their
/// leading axes differ.
template <class S>
auto unstack_state(const S& stacked) {
    const auto arrays = detail::structure<S>::arrays(stacked);
    const auto model = [&](index_t i) {
        return detail::structure<S>::template at<0>(
            detail::unpack([&](const auto&... a) { return detail::make_pack(index(a, i)...); }, arrays));
    };
    const index_t count = detail::get<0>(arrays).shape()[0];
    detail::unpack(
        [&](const auto&... a) {
            static_assert(((std::remove_cvref_t<decltype(a)>::rank >= 1) && ...),
                          "ricci: unstack_state needs arrays of rank 1 or more: the models are along axis 0");
            for (const index_t n : {a.shape()[0]...})
                if (n != count)
                    detail::raise<shape_error>({"[unstack_state] the leading axes differ in size: ", count, " and ", n});
        },
        arrays);
    std::vector<decltype(model(0))> models;
    models.reserve(static_cast<std::size_t>(count));
    for (index_t i = 0; i < count; ++i) models.push_back(model(i));
    return models;
}

}  // namespace ricci
