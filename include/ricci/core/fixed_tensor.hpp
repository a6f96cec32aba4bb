// A tensor whose extents are in its type and whose elements are in itself: small arrays, without memory of their own.
#pragma once
#include "tensor.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

template <class T, index_t... Extents>
class fixed_tensor;
template <class T, index_t... Extents>
inline constexpr bool is_fixed_v<fixed_tensor<T, Extents...>> = true;

/// What a fixed_tensor may hold: elements, and scalars that kernels compute with in place of numbers, dual<double> for
/// one.
template <class T>
concept fixed_element = (element<T> || kernel_scalar<T>) && !std::is_const_v<T>;

namespace detail {

/// Arrays of up to this many elements are computed element by element in straight code, larger ones in loops.
inline constexpr index_t max_unrolled = 32;

/// All whole numbers below N, at compile time.
template <index_t N>
using index_sequence = std::make_integer_sequence<index_t, N>;

/// A fixed_tensor as a tensor; of scalars that are no elements there is none.
template <class T, int R>
struct tensor_of_fixed {
    using type = void;
};
template <element T, int R>
struct tensor_of_fixed<T, R> {
    using type = tensor<T, R>;
};

/// What numbers in braces are elements of: the first one's type where there is none in common, as of scalars of
/// kernels.
template <class S, class... Rest>
struct common_in_braces : std::type_identity<S> {};
template <element S, element... Rest>
    requires requires { typename std::common_type_t<S, Rest...>; }
struct common_in_braces<S, Rest...> : std::common_type<S, Rest...> {};

template <class X, class V, class... I>
RICCI_INLINE constexpr void set_fixed(X& x, const V& value, const I&... i);

}  // namespace detail

/// An array of the given extents, none for a scalar, that holds its elements itself, in row-major order and nothing
/// else: a value as std::array is one, trivially copyable, where tensor is a handle. Nothing is ever allocated.
///
/// Every function of the library takes it as it takes tensors. Maps, reductions, products and the linear algebra of
/// fixed tensors alone are computed at once, in straight code, and give fixed tensors; extents that do not fit are then
/// compile errors. Beside a tensor, and in all other functions, it counts as the tensor of its elements.
template <class T, index_t... Extents>
class fixed_tensor : public indexable<fixed_tensor<T, Extents...>> {
    static_assert(fixed_element<T>,
                  "ricci: a fixed_tensor holds numbers, or scalars that stand in for them as dual<double> does");
    static_assert(((Extents >= 0) && ...), "ricci: an extent is not negative");

   public:
    using value_type = T;
    using device_type = cpu_device;
    static constexpr int rank = sizeof...(Extents);
    static constexpr bool is_array = false;
    static constexpr index_t count = (index_t(1) * ... * Extents);
    /// A fixed tensor of these extents with elements of another type.
    template <class U>
    using with = fixed_tensor<U, Extents...>;
    /// The extent of one axis, negative ones counted from the end.
    template <int Axis>
    static constexpr index_t extent = [] {
        static_assert(Axis >= -rank && Axis < rank, "ricci: the fixed tensor has no such axis");
        return ricci::shape<rank>{{Extents...}}[Axis < 0 ? Axis + rank : Axis];
    }();

    /// All elements 0.
    constexpr fixed_tensor() = default;

    /// From the elements of a vector: `fixed_tensor<double, 3> v{1, 2, 3}`.
    template <operand... S>
        requires(rank == 1 && (!expression<S> && ...) && (sizeof...(S) > 1 || (sizeof...(S) == 1 && count == 1)))
    RICCI_INLINE constexpr fixed_tensor(const S&... values) : elements_{element_in_braces(values)...} {
        static_assert(sizeof...(S) == count, "ricci: a fixed tensor needs as many values as it has elements");
    }
    /// From the rows of a matrix: `fixed_tensor<double, 2, 2> m{{1, 2}, {3, 4}}`.
    template <index_t... Length>
        requires(rank == 2 && sizeof...(Length) > 0)
    RICCI_INLINE constexpr fixed_tensor(const T (&... rows)[Length]) {
        static_assert(sizeof...(Length) == extent<0> && ((Length == extent<-1>) && ...),
                      "ricci: a fixed tensor needs as many rows, and as many values in each, as its extents say");
        T* to = elements_;
        ((to = copy_row(rows, to)), ...);
    }
    /// From nested braces. Throws shape_error when they do not have the fixed extents.
    constexpr fixed_tensor(
        std::conditional_t<(rank > 2), typename detail::nested_list<T, rank>::type, detail::no_braces> values)
        requires(rank > 2)
    {
        T* to = elements_;
        copy_braces<0>(values, to);
    }
    /// From a number, rank 0.
    template <operand S>
        requires(rank == 0 && !expression<S>)
    RICCI_INLINE constexpr fixed_tensor(const S& value) : elements_{element_from_number(value)} {}

    /// The elements of another fixed tensor of these extents, converted.
    template <class U>
        requires(!std::is_same_v<T, U>)
    RICCI_INLINE constexpr fixed_tensor(const fixed_tensor<U, Extents...>& other)
        : fixed_tensor(generate([&](index_t k) RICCI_INLINE_LAMBDA { return element_from(other.data()[k]); })) {}
    template <class U, index_t... Other>
        requires(!std::is_same_v<fixed_tensor<T, Extents...>, fixed_tensor<T, Other...>>)
    constexpr fixed_tensor(const fixed_tensor<U, Other...>&) {
        static_assert(always_false<U>, "ricci: the extents of the two fixed tensors differ");
    }
    /// The value of an expression on the CPU; elements are converted to T. Throws shape_error where the shape is
    /// another.
    template <expression E>
        requires(!fixed_expression<E>)
    fixed_tensor(const E& e) {
        static_assert(E::rank == rank, "ricci: the expression's rank is not the fixed tensor's rank");
        const tensor<T, rank> value(e);
        if (!(value.shape() == shape()))
            detail::raise<shape_error>(
                {"[fixed_tensor] the shape ", value.shape(), " is not the fixed one, ", shape()});
        const auto dense = detail::dense_of(value);
        for (index_t k = 0; k < count; ++k) elements_[k] = dense.data()[k];
    }

    constexpr fixed_tensor(const fixed_tensor&) = default;
    constexpr fixed_tensor& operator=(const fixed_tensor&) & = default;
    /// Refused: an unnamed fixed tensor, as m(0, all), is a copy.
    template <class E>
    void operator=(const E&) && {
        static_assert(
            always_false<E>,
            "ricci: indices of a fixed_tensor give a copy, which is not assigned to: use m.set(value, 0, all)");
    }

    /// The values f(0), f(1), ... as elements in row-major order.
    template <class F>
    RICCI_INLINE static constexpr fixed_tensor generate(const F& f) {
        if constexpr (count <= detail::max_unrolled) {
            return fixed_tensor(from_values{}, f, detail::index_sequence<count>{});
        } else {
            fixed_tensor x;
            for (index_t k = 0; k < count; ++k) x.elements_[k] = f(k);
            return x;
        }
    }
    /// All elements `value`.
    RICCI_INLINE static constexpr fixed_tensor full(const T& value) {
        return generate([&](index_t) RICCI_INLINE_LAMBDA { return value; });
    }
    static constexpr fixed_tensor zeros() { return fixed_tensor(); }
    static constexpr fixed_tensor ones() { return full(T(1)); }
    /// Ones on the diagonal of a matrix, zeros elsewhere.
    static constexpr fixed_tensor eye()
        requires(rank == 2)
    {
        return generate([](index_t k) { return T(k / extent<1> == k % extent<1> ? 1 : 0); });
    }

    /// In-place arithmetic; `e` is broadcast to these extents.
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator+=(const E& e) {
        return change(*this + e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator-=(const E& e) {
        return change(*this - e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator*=(const E& e) {
        return change(*this * e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator/=(const E& e) {
        return change(*this / e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator%=(const E& e) {
        return change(*this % e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator&=(const E& e) {
        return change(*this & e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator|=(const E& e) {
        return change(*this | e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator^=(const E& e) {
        return change(*this ^ e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator<<=(const E& e) {
        return change(*this << e);
    }
    template <operand E>
    RICCI_INLINE constexpr fixed_tensor& operator>>=(const E& e) {
        return change(*this >> e);
    }

    RICCI_INLINE constexpr T* data() { return elements_; }
    RICCI_INLINE constexpr const T* data() const { return elements_; }
    RICCI_INLINE constexpr T* begin() { return elements_; }
    RICCI_INLINE constexpr const T* begin() const { return elements_; }
    RICCI_INLINE constexpr T* end() { return elements_ + count; }
    RICCI_INLINE constexpr const T* end() const { return elements_ + count; }
    static constexpr ricci::shape<rank> shape() { return {{Extents...}}; }
    static constexpr index_t shape(int axis) { return shape()[detail::normalize_axis(axis, rank, "shape")]; }
    static constexpr index_t size() { return count; }
    static constexpr int ndim() { return rank; }

    using indexable<fixed_tensor>::operator();
    /// The element at the given indices, by reference; negative ones count from the end. Throws index_error for one
    /// outside of its axis. Other indices give what they give of tensors, as a copy: a fixed tensor unless there are
    /// slices or arrays.
    template <class... I>
        requires(sizeof...(I) == rank && ((std::is_integral_v<I> && !std::is_same_v<I, bool>) && ...))
    RICCI_INLINE constexpr T& operator()(const I&... i) {
        return elements_[offset(i...)];
    }
    template <class... I>
        requires(sizeof...(I) == rank && ((std::is_integral_v<I> && !std::is_same_v<I, bool>) && ...))
    RICCI_INLINE constexpr const T& operator()(const I&... i) const {
        return elements_[offset(i...)];
    }

    /// Writes a number or an array, broadcast, to the elements that x(i, ...) would give: m.set(column, all, 0).
    template <operand V, class... I>
    RICCI_INLINE constexpr void set(const V& value, const I&... i) {
        detail::set_fixed(*this, value, i...);
    }

    /// The only element.
    using indexable<fixed_tensor>::item;
    RICCI_INLINE constexpr T item() const {
        static_assert(count == 1, "ricci: item() is for one element: this fixed tensor has another number of them");
        return elements_[0];
    }
    RICCI_INLINE constexpr operator T() const
        requires(rank == 0)
    {
        return elements_[0];
    }

    /// The tensor of these elements.
    template <class U = T>
    typename detail::tensor_of_fixed<U, rank>::type fetch() const {
        static_assert(element<U>,
                      "ricci: a fixed_tensor of scalars that are no numbers has no tensor: this function takes it not");
        auto x = tensor<U, rank>::uninitialized(shape());
        fetch_into(x);
        return x;
    }
    template <class X>
    bool fetch_into(const X& x) const {
        for (index_t k = 0; k < count; ++k) x.data()[k] = elements_[k];
        return true;
    }

    /// An index on an axis of n elements, counted from the front. Throws index_error for one outside.
    RICCI_INLINE static constexpr index_t position_on(index_t i, index_t n, int axis) {
        const index_t k = i < 0 ? i + n : i;
        if (k < 0 || k >= n) [[unlikely]]
            detail::raise<index_error>({"index ", i, " is out of bounds for axis ", axis, " with size ", n});
        return k;
    }

   private:
    template <class E>
    RICCI_INLINE constexpr fixed_tensor& change(const E& e) {
        if constexpr (element<T> && element<value_type_t<E>>) detail::check_in_place<T, value_type_t<E>>();
        return *this = fixed_tensor(e);
    }
    struct from_values {};
    template <class F, index_t... K>
    RICCI_INLINE constexpr fixed_tensor(from_values, const F& f, std::integer_sequence<index_t, K...>)
        : elements_{static_cast<T>(f(K))...} {}

    template <class S>
    RICCI_INLINE static constexpr T element_from(const S& value) {
        if constexpr (element<T> && element<S>) return convert_element<T>(value);
        else return static_cast<T>(value);
    }
    template <class S>
    RICCI_INLINE static constexpr T element_from_number(const S& value) {
        if constexpr (element<T> && element<S>) return detail::convert_number<T>(value);
        else return static_cast<T>(value);
    }
    /// As the language has it of other braces: {1.5} is no integer, which would cut it.
    template <class S>
    RICCI_INLINE static constexpr T element_in_braces(const S& value) {
        if constexpr (element<T> && element<S>)
            static_assert(
                is_complex_v<T> || (!is_complex_v<S> && (is_inexact_v<T> || !is_inexact_v<S>)),
                "ricci: a number in braces would be cut: integers take no real ones, real ones no complex ones: "
                "fixed_tensor<double, 2>{1, 1.5}");
        return element_from_number(value);
    }
    RICCI_INLINE static constexpr T* copy_row(const auto& row, T* to) {
        for (const T& x : row) *to++ = x;
        return to;
    }
    template <int Axis, class List>
    static constexpr void copy_braces(const List& list, T*& to) {
        if constexpr (Axis == rank) {
            *to++ = list;
        } else {
            if (static_cast<index_t>(list.size()) != extent<Axis>)
                detail::raise<shape_error>({"[fixed_tensor] braces with ", list.size(), " parts along axis ", Axis,
                                            " of a fixed tensor of shape ", shape()});
            for (const auto& part : list) copy_braces<Axis + 1>(part, to);
        }
    }
    template <class... I>
    RICCI_INLINE static constexpr index_t offset(const I&... i) {
        index_t at = 0;
        int axis = 0;
        ((at = at * Extents + position_on(detail::as_position(i), Extents, axis++)), ...);
        return at;
    }
    T elements_[count > 0 ? count : 1]{};
};

template <operand S, operand... Rest>
    requires(!expression<S> && (!expression<Rest> && ...) && sizeof...(Rest) > 0)
fixed_tensor(const S&, const Rest&...)
    -> fixed_tensor<typename detail::common_in_braces<S, Rest...>::type, index_t(1 + sizeof...(Rest))>;
template <class T, index_t N, index_t... Rest>
fixed_tensor(const T (&first)[N], const T (&... rest)[Rest]) -> fixed_tensor<T, index_t(1 + sizeof...(Rest)), N>;

}  // namespace ricci
RICCI_BOTH_SIDES_END
