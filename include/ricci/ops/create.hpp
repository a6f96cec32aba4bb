// New arrays: constant, random, and over memory that exists; those of evenly spaced numbers are in evenly_spaced.hpp.
#pragma once
#include <span>

#include "../core/randomness.hpp"
#include "../core/refused.hpp"
#include "../cpu/executor.hpp"
#include "../expr/assign.hpp"
#include "../expr/index.hpp"
#include "elementwise/astype.hpp"
#include "elementwise/complex.hpp"
#include "elementwise/divide.hpp"
#include "elementwise/floor.hpp"
#include "elementwise/multiply.hpp"
#include "evenly_spaced.hpp"

namespace ricci {

/// An array of the given shape whose elements are not set. Throws value_error for a negative extent or a size that
/// overflows, std::bad_alloc when memory does not suffice; so do the others here.
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> empty(const shape<R>& extents, Device = {}) {
    return tensor<T, R, Device>::uninitialized(extents);
}
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> empty(const extent (&extents)[R], Device = {}) {
    return tensor<T, R, Device>::uninitialized(detail::to_shape(extents));
}
template <element T = double, device_tag Device = cpu_device>
tensor<T, 0, Device> empty(no_extents, Device device = {}) {
    return empty<T>(shape<0>{}, device);
}
template <element T = double, detail::extent_value... N>
    requires(sizeof...(N) > 0)
auto empty(const N&... extents) {
    return empty<T>(shape<int(sizeof...(N))>{extent(extents).value...});
}
template <element T = double>
auto empty(const detail::extent_list auto& extents) {
    return empty<T>(detail::shape_of_list(extents));
}

namespace detail {
/// What an array of T is filled with: whatever converts to T.
template <class V, class T>
concept fills = std::convertible_to<const V&, T>;
template <class T, fills<T> V>
T filling_value(const V& value) {
    if constexpr (scalar_value<V>) return convert_number<T>(value);
    else return static_cast<T>(value);
}
}  // namespace detail

/// All elements `value`. Throws value_error for an integer that T cannot hold.
template <element T, device_tag Device = cpu_device, int R, detail::fills<T> V = T>
tensor<T, R, Device> full(const shape<R>& extents, const V& value, Device = {}) {
    auto x = tensor<T, R, Device>::uninitialized(extents);
    executor<Device>::fill(x, detail::filling_value<T>(value));
    return x;
}
template <element T, device_tag Device = cpu_device, int R, detail::fills<T> V = T>
tensor<T, R, Device> full(const extent (&extents)[R], const V& value, Device device = {}) {
    return full<T>(detail::to_shape(extents), value, device);
}
template <element T, device_tag Device = cpu_device, detail::fills<T> V = T>
tensor<T, 0, Device> full(no_extents, const V& value, Device device = {}) {
    return full<T>(shape<0>{}, value, device);
}

/// Of the value's type: full({2, 3}, 1.5).
template <std::nullptr_t = nullptr, element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> full(const shape<R>& extents, const T& value, Device device = {}) {
    return full<T>(extents, value, device);
}
template <std::nullptr_t = nullptr, element T, device_tag Device = cpu_device, int R>
tensor<T, R, Device> full(const extent (&extents)[R], const T& value, Device device = {}) {
    return full<T>(detail::to_shape(extents), value, device);
}
template <std::nullptr_t = nullptr, element T, device_tag Device = cpu_device>
tensor<T, 0, Device> full(no_extents, const T& value, Device device = {}) {
    return full<T>(shape<0>{}, value, device);
}
template <std::nullptr_t = nullptr, element T>
auto full(const detail::extent_list auto& extents, const T& value) {
    return full<T>(detail::shape_of_list(extents), value);
}
template <element T, detail::extent_list Extents, detail::fills<T> V = T>
auto full(const Extents& extents, const V& value) {
    return full<T>(detail::shape_of_list(extents), value);
}
/// Of one axis: full(3, 1.5).
template <std::nullptr_t = nullptr, detail::extent_value N, element T>
auto full(const N& n, const T& value) {
    return full<T>(shape<1>{extent(n).value}, value);
}
template <element T, detail::extent_value N, detail::fills<T> V = T>
auto full(const N& n, const V& value) {
    return full<T>(shape<1>{extent(n).value}, value);
}

/// All elements 0.
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> zeros(const shape<R>& extents, Device device = {}) {
    return full<T>(extents, T(0), device);
}
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> zeros(const extent (&extents)[R], Device device = {}) {
    return full<T>(detail::to_shape(extents), T(0), device);
}
template <element T = double, device_tag Device = cpu_device>
tensor<T, 0, Device> zeros(no_extents, Device device = {}) {
    return zeros<T>(shape<0>{}, device);
}
template <element T = double, detail::extent_value... N>
    requires(sizeof...(N) > 0)
auto zeros(const N&... extents) {
    return zeros<T>(shape<int(sizeof...(N))>{extent(extents).value...});
}
template <element T = double>
auto zeros(const detail::extent_list auto& extents) {
    return zeros<T>(detail::shape_of_list(extents));
}

/// All elements 1.
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> ones(const shape<R>& extents, Device device = {}) {
    return full<T>(extents, T(1), device);
}
template <element T = double, device_tag Device = cpu_device, int R>
tensor<T, R, Device> ones(const extent (&extents)[R], Device device = {}) {
    return full<T>(detail::to_shape(extents), T(1), device);
}
template <element T = double, device_tag Device = cpu_device>
tensor<T, 0, Device> ones(no_extents, Device device = {}) {
    return ones<T>(shape<0>{}, device);
}
template <element T = double, detail::extent_value... N>
    requires(sizeof...(N) > 0)
auto ones(const N&... extents) {
    return ones<T>(shape<int(sizeof...(N))>{extent(extents).value...});
}
template <element T = double>
auto ones(const detail::extent_list auto& extents) {
    return ones<T>(detail::shape_of_list(extents));
}

namespace detail {

/// A vector of numbers f(i), i < m, on a device.
template <class T, class D, class F>
auto vector_of(index_t m, const F& f) {
    const auto v = tensor<T, 1>::uninitialized({m});
    for (index_t i = 0; i < m; ++i) v.data()[i] = static_cast<T>(f(i));
    return v.to(D{});
}
/// What random numbers of T are made of, and the shape of that: a complex one of two along a last axis.
template <class T>
using drawn_t = compute_t<real_t<T>>;
template <class T, int R>
auto drawn_shape(const shape<R>& extents) {
    shape<R + is_complex_v<T>> parts;
    for (int d = 0; d < R; ++d) parts[d] = extents[d];
    if constexpr (is_complex_v<T>) parts[R] = 2;
    return parts;
}
/// Random numbers as T; 16 bits keep the leading ones of a uniform number, so that none becomes 1; complex normal ones
/// have variance 1, each part half of it.
template <random_source Source, class T, class X>
auto as_drawn(const X& x) {
    if constexpr (is_complex_v<T>) {
        const real_t<T> scale(Source == random_source::normal ? 0.70710678118654752440 : 1);
        return evaluate(ricci::complex(x(ellipsis, 0) * scale, x(ellipsis, 1) * scale));
    } else if constexpr (!is_half_v<T>) {
        return x;
    } else if constexpr (Source == random_source::uniform) {
        constexpr float steps = static_cast<float>(1 << std::numeric_limits<T>::digits);
        return evaluate(astype<T>(floor(x * steps) / steps));
    } else {
        return evaluate(astype<T>(x));
    }
}

}  // namespace detail

/// Ones on a diagonal, zeros elsewhere: rows x columns, diagonal `k` (above the main one when positive).
template <element T = double, device_tag Device = cpu_device>
tensor<T, 2, Device> eye(index_t rows, index_t columns, index_t k = 0, Device device = {}) {
    auto x = zeros<T>(shape<2>{rows, columns});
    if (-rows < k && k < columns)
        for (index_t i = k < 0 ? -k : 0; i < rows && i + k < columns; ++i) x.data()[i * columns + i + k] = T(1);
    return x.to(device);
}
/// The identity matrix.
template <element T = double, device_tag Device = cpu_device>
tensor<T, 2, Device> eye(index_t rows, Device device = {}) {
    return eye<T>(rows, rows, 0, device);
}

namespace detail {
/// Lists of numbers, or of lists: a std::vector, a std::array, but no array of the library's. Their depth, 0 for
/// numbers.
template <class V>
inline constexpr int list_depth = 0;
template <class V>
    requires(!expression<V> &&
             requires(const V& v) {
                 typename V::value_type;
                 v.size(), v.begin(), v.end();
             })
inline constexpr int list_depth<V> = 1 + list_depth<typename V::value_type>;
/// What a span may be had of, whose elements are numbers.
template <class V>
concept contiguous_container = !expression<V> && requires(V& v) { std::span(v); } &&
                               list_depth<typename decltype(std::span(std::declval<V&>()))::value_type> == 0 &&
                               !std::is_array_v<typename decltype(std::span(std::declval<V&>()))::value_type>;
/// Lists whose elements are not side by side: vectors of vectors or arrays, std::vector<bool>.
template <class V>
concept scattered_list = list_depth<V> > 0 && !contiguous_container<const V>;

template <class V>
struct list_element {
    using type = V;
};
template <class V>
    requires(list_depth<V> > 0)
struct list_element<V> : list_element<typename V::value_type> {};

/// Copies a list of the given extents to y and moves it on.
template <class T, class V>
void copy_list(const V& list, const index_t* extent, T*& y) {
    if constexpr (list_depth<V> == 0) {
        *y++ = list;
    } else {
        if (static_cast<index_t>(list.size()) != *extent)
            raise<shape_error>({"[from_span] a list of ", list.size(), " elements stands beside one of ", *extent});
        for (const auto& part : list) copy_list<T>(static_cast<const typename V::value_type&>(part), extent + 1, y);
    }
}
/// The extents of a list as its first lists have them.
template <class V>
void list_extents(const V& list, index_t* extent) {
    *extent = static_cast<index_t>(list.size());
    if constexpr (list_depth<V> > 1) {
        if (list.size() != 0) list_extents(*list.begin(), extent + 1);
    }
}
}  // namespace detail

/// A view of memory that the caller owns and keeps alive: of a span or of a vector with a name; of const elements, a
/// read-only tensor. Throws shape_error when there is another number of elements than the shape has, value_error for a
/// null pointer.
template <class T, std::size_t N, int R>
tensor<T, R> borrow(std::span<T, N> values, const shape<R>& extents) {
    detail::check_extents(extents, sizeof(T), "borrow");
    if (static_cast<index_t>(values.size()) != extents.count())
        detail::raise<shape_error>({"[borrow] ", values.size(), " elements do not fill shape ", extents});
    if (!values.data() && !values.empty()) detail::raise<value_error>({"[borrow] a null pointer to shape ", extents});
    const auto memory = storage::borrow(const_cast<std::remove_const_t<T>*>(values.data()), values.size_bytes());
    return tensor<T, R>(memory.template for_elements<T>(), values.data(), extents, detail::row_major(extents));
}
template <class T, std::size_t N>
tensor<T, 1> borrow(std::span<T, N> values) {
    return borrow(values, shape<1>{static_cast<index_t>(values.size())});
}
template <class T, std::size_t N, int R>
tensor<T, R> borrow(std::span<T, N> values, const extent (&extents)[R]) {
    return borrow(values, detail::to_shape(extents));
}
template <detail::contiguous_container V>
auto borrow(V& values) {
    return borrow(std::span(values));
}
template <detail::contiguous_container V, int R>
auto borrow(V& values, const extent (&extents)[R]) {
    return borrow(std::span(values), detail::to_shape(extents));
}
/// Of as many elements from a pointer on as the shape has. (torch.from_blob.)
template <class P, int R>
    requires std::is_pointer_v<P>
auto borrow(const P& values, const shape<R>& extents) {
    const auto size = static_cast<std::size_t>(extents.count() > 0 ? extents.count() : 0);  // which borrow checks
    return borrow(std::span(values, size), extents);
}
template <class P, int R>
    requires std::is_pointer_v<P>
auto borrow(const P& values, const extent (&extents)[R]) {
    return borrow(values, detail::to_shape(extents));
}

/// An array as it is, a map evaluated; the elements of a span without a copy (see borrow), of vectors, braces and lists
/// in lists with one, as NumPy has it. With a type asked for, arrays are converted where they have another.
/// (numpy.asarray.)
template <expression E>
auto asarray(const E& x) {
    return evaluate(x);
}
template <element T, expression E>
auto asarray(const E& x) {
    return detail::evaluate_as<T>(x);
}
/// Of a number, one of rank 0.
template <element T>
tensor<T, 0> asarray(const T& x) {
    return tensor<T, 0>(x);
}
template <class T, std::size_t N>
tensor<T, 1> asarray(std::span<T, N> values) {
    return borrow(values);
}

/// A copy of the elements of a span, a vector or a std::array, in the given shape: from_span(v, {2, 3}). (numpy.array
/// of a list.)
template <class T, std::size_t N, int R>
tensor<std::remove_const_t<T>, R> from_span(std::span<T, N> values, const shape<R>& extents) {
    return borrow(values, extents).clone();
}
template <class T, std::size_t N>
tensor<std::remove_const_t<T>, 1> from_span(std::span<T, N> values) {
    return borrow(values).clone();
}
template <class T, std::size_t N, int R>
tensor<std::remove_const_t<T>, R> from_span(std::span<T, N> values, const extent (&extents)[R]) {
    return from_span(values, detail::to_shape(extents));
}
template <detail::contiguous_container V>
auto from_span(const V& values) {
    return from_span(std::span(values));
}
template <detail::contiguous_container V, int R>
auto from_span(const V& values, const extent (&extents)[R]) {
    return from_span(std::span(values), detail::to_shape(extents));
}
namespace detail {
/// Numbers in a call's braces as an array, of the type that one number would have beside elements of type T.
template <class T, class N, std::size_t Count>
auto array_in_braces(const N (&numbers)[Count]) {
    using U = common_t<T, weak<N>>;
    const auto x = tensor<U, 1>::uninitialized(shape<1>{static_cast<index_t>(Count)});
    for (std::size_t i = 0; i < Count; ++i) x.data()[i] = static_cast<U>(numbers[i]);
    return x;
}
}  // namespace detail
/// A copy of lists in lists, a std::vector<std::vector<double>> or std::vector<std::array<double, 3>>: an axis for each
/// level. Throws shape_error when they are ragged.
template <detail::scattered_list V>
auto from_span(const V& lists) {
    using T = typename detail::list_element<V>::type;
    static_assert(element<T>,
                  "ricci: an array's elements are numbers: float, double, the integers, bool, std::complex");
    shape<detail::list_depth<V>> extents;
    for (index_t& n : extents.extent) n = 0;
    detail::list_extents(lists, extents.extent);
    auto x = tensor<T, detail::list_depth<V>>::uninitialized(extents);
    T* at = x.data();
    detail::copy_list<T>(lists, extents.extent, at);
    return x;
}

template <detail::contiguous_container V>
auto asarray(const V& values) {
    return from_span(values);
}
template <detail::scattered_list V>
auto asarray(const V& lists) {
    return from_span(lists);
}
template <element T, int N>
tensor<T, 1> asarray(const T (&values)[N]) {
    return from_span(std::span(values));
}
template <element T, int M, int N>
tensor<T, 2> asarray(const T (&rows)[M][N]) {
    auto x = tensor<T, 2>::uninitialized({M, N});
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) x.data()[i * N + j] = rows[i][j];
    return x;
}

namespace detail {

template <random_source Source, class T, class Device, int R>
tensor<T, R, Device> draw_shared(const shape<R>& extents, generator& g, const char* who) {
    auto x = tensor<drawn_t<T>, R + is_complex_v<T>, Device>::uninitialized(drawn_shape<T>(extents));
    executor<Device>::template random<Source>(x, g.seed(), reserve_shared(g, x.size(), who));
    return as_drawn<Source, T>(x);
}

/// A number in a generator's place: true and false are other options.
template <class N>
concept bare_seed = std::integral<N> && !std::same_as<N, bool>;
template <class Seed>
struct refused_seed : refused_result {
    static_assert(always_false<Seed>, "ricci: a seed makes a generator: rand<T>({3, 4}, generator(42))");
};
/// A number in a shape's place.
template <class Extent>
struct refused_size : refused_result {
    static_assert(always_false<Extent>,
                  "ricci: a shape stands in braces after the parameters, as in random::normal(0, 1, {5})");
};

}  // namespace detail

/// Uniform random numbers in [0, 1), of complex ones both parts. Counter-based: the same generator state gives the same
/// numbers on any number of threads and on the GPU. Inside a function under vmap they are the same for all members of
/// the batch and must be asked for, by vmap's option {.randomness = randomness::same}; otherwise value_error is thrown:
/// rand_like gives each member its own.
template <element T = double, device_tag Device = cpu_device, int R>
    requires(is_inexact_v<T>)
tensor<T, R, Device> rand(const shape<R>& extents, generator_ref g = {}, Device = {}) {
    return detail::draw_shared<detail::random_source::uniform, T, Device>(extents, g, "rand");
}
template <element T = double, device_tag Device = cpu_device, int R>
    requires(is_inexact_v<T>)
tensor<T, R, Device> rand(const extent (&extents)[R], generator_ref g = {}, Device device = {}) {
    return rand<T>(detail::to_shape(extents), g, device);
}
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T>)
tensor<T, 0, Device> rand(no_extents, generator_ref g = {}, Device device = {}) {
    return rand<T>(shape<0>{}, g, device);
}
template <element T = double, class... G>
    requires(sizeof...(G) < 2 && (std::same_as<std::remove_cvref_t<G>, generator> && ...))
auto rand(G&&... g) {  // one number
    return rand<T>(shape<0>{}, g...);
}
template <element T = double, std::integral... N>
    requires(sizeof...(N) > 0)
auto rand(N... extents) {
    return rand<T>(shape<int(sizeof...(N))>{static_cast<index_t>(extents)...});
}
template <element T = double>
auto rand(const detail::extent_list auto& extents, generator_ref g = {}) {
    return rand<T>(detail::shape_of_list(extents), g);
}
template <element T = double, int R, std::integral Seed>
auto rand(const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}

/// Standard normal random numbers (mean 0, variance 1; of complex ones each part has half of that), counter-based as
/// rand.
template <element T = double, device_tag Device = cpu_device, int R>
    requires(is_inexact_v<T>)
tensor<T, R, Device> randn(const shape<R>& extents, generator_ref g = {}, Device = {}) {
    return detail::draw_shared<detail::random_source::normal, T, Device>(extents, g, "randn");
}
template <element T = double, device_tag Device = cpu_device, int R>
    requires(is_inexact_v<T>)
tensor<T, R, Device> randn(const extent (&extents)[R], generator_ref g = {}, Device device = {}) {
    return randn<T>(detail::to_shape(extents), g, device);
}
template <element T = double, device_tag Device = cpu_device>
    requires(is_inexact_v<T>)
tensor<T, 0, Device> randn(no_extents, generator_ref g = {}, Device device = {}) {
    return randn<T>(shape<0>{}, g, device);
}
template <element T = double, class... G>
    requires(sizeof...(G) < 2 && (std::same_as<std::remove_cvref_t<G>, generator> && ...))
auto randn(G&&... g) {  // one number
    return randn<T>(shape<0>{}, g...);
}
template <element T = double, std::integral... N>
    requires(sizeof...(N) > 0)
auto randn(N... extents) {
    return randn<T>(shape<int(sizeof...(N))>{static_cast<index_t>(extents)...});
}
template <element T = double>
auto randn(const detail::extent_list auto& extents, generator_ref g = {}) {
    return randn<T>(detail::shape_of_list(extents), g);
}
template <element T = double, int R, std::integral Seed>
auto randn(const extent (&)[R], Seed) {
    return detail::refused_seed<Seed>();
}

}  // namespace ricci
