// What the engine calls an expression, an array and an operand; the interface that all expressions share.
#pragma once
#include <tuple>
#include <utility>

#include "dtype.hpp"
#include "member_mistakes.hpp"
#include "shape.hpp"

namespace ricci {

/// Base of every expression: marks the type.
struct expression_tag : refused_members {};

/// Anything with a value type, a static rank, a shape and a device: a tensor, a wrapper of one, or a lazy map.
template <class E>
concept expression = std::is_base_of_v<expression_tag, std::remove_cvref_t<E>>;

namespace detail {
/// An expression that is already evaluated: a tensor, or a wrapper (recorded, batched, dual) of one.
template <class E>
concept array = expression<E> && std::remove_cvref_t<E>::is_array;
}  // namespace detail

/// An expression that is no map, but fetches its elements when asked: x(indices) of a tensor, which can also be
/// assigned to, and a fixed_tensor.
template <class E>
concept deferred = expression<E> && requires(const std::remove_cvref_t<E>& e) { e.fetch(); };

/// An expression that holds its elements itself and has its extents in its type: a fixed_tensor.
template <class E>
inline constexpr bool is_fixed_v = false;
template <class E>
concept fixed_expression = expression<E> && is_fixed_v<std::remove_cvref_t<E>>;

/// A C++ number beside expressions.
template <class S>
concept scalar_value = detail::is_element_v<std::remove_cvref_t<S>>;

/// What can be written into an array.
template <class E>
concept expression_or_number = expression<E> || scalar_value<E>;

namespace detail {
/// A truth value as a parameter: a bool would take text, too, and always be true.
class yes_or_no {
   public:
    template <std::convertible_to<bool> B>
        requires(!std::is_pointer_v<std::decay_t<B>>)
    RICCI_HD constexpr yes_or_no(const B& yes) : yes_(yes) {}
    template <class Character>
    RICCI_HD constexpr yes_or_no(const Character*) : yes_() {
        static_assert(always_false<Character>, "ricci: here stands true or false, not text or a pointer");
    }
    RICCI_HD constexpr operator bool() const { return yes_; }

   private:
    bool yes_;
};
/// A number as a parameter that others, as torch's `training`, would be taken for: true would be 1.
class plain_number {
   public:
    template <std::convertible_to<double> N>
    RICCI_HD constexpr plain_number(const N& value) : value_(static_cast<double>(value)) {
        static_assert(!std::is_same_v<N, bool>, "ricci: a number stands here, not true or false");
    }
    RICCI_HD constexpr operator double() const { return value_; }

   private:
    double value_;
};
}  // namespace detail

/// Scalars that kernels compute with in place of numbers: SIMD registers, duals. Specialised where those are defined.
template <class S>
inline constexpr bool is_kernel_scalar_v = false;
template <class S>
concept kernel_scalar = is_kernel_scalar_v<std::remove_cvref_t<S>>;

/// What an element-wise function accepts.
template <class A>
concept operand = expression_or_number<A> || kernel_scalar<A>;

/// At least one argument is no plain number, so that the library's operators apply.
template <class... A>
concept operands = (operand<A> && ...) && (!scalar_value<A> || ...);

namespace detail {

/// A number, or an array of rank 0: what multiplies each element of another array.
template <class E>
inline constexpr bool is_number = scalar_value<E>;
template <expression E>
inline constexpr bool is_number<E> = E::rank == 0;
/// The type of its element, or of an array's elements.
template <class E>
struct number_type : std::type_identity<E> {};
template <expression E>
struct number_type<E> : std::type_identity<typename E::value_type> {};
template <class E>
using number_t = typename number_type<E>::type;
/// An element of type T in braces of which one is a result of rank 0: a number or a result of a type that with T has
/// the common type T, as a count among doubles.
template <class T>
class element_in_braces {
    T value_;

   public:
    template <class N>
        requires(is_number<N> && std::is_same_v<std::common_type_t<number_t<N>, T>, T>)
    constexpr element_in_braces(const N& x) : value_(static_cast<T>(static_cast<number_t<N>>(x))) {}
    constexpr operator T() const { return value_; }
};
/// What doubles, ints and results of rank 0, doubles or integers, have in common in braces.
struct number_in_braces {
    template <class N>
        requires(std::is_same_v<N, int> || (is_number<N> && std::is_same_v<number_t<N>, double>) ||
                 (expression<N> && is_number<N> && std::is_integral_v<number_t<N>>))
    constexpr number_in_braces(const N&) {}
};

}  // namespace detail

/// Kernel scalars that bring arithmetic operators of their own (SIMD registers).
template <class S>
inline constexpr bool has_own_operators_v = false;

namespace detail {
template <class A>
inline constexpr bool takes_operators_v = expression<A> || (kernel_scalar<A> && !has_own_operators_v<A>);
}

/// What the library's arithmetic operators take: at least one expression or dual among the operands. (That first, since
/// each operator of the library on text or other things asks it.)
template <class... A>
concept operator_operands = (detail::takes_operators_v<std::remove_cvref_t<A>> || ...) && (operand<A> && ...);

template <expression E>
using value_type_t = typename std::remove_cvref_t<E>::value_type;
template <expression E>
inline constexpr int rank_v = std::remove_cvref_t<E>::rank;
template <expression E>
using device_t = typename std::remove_cvref_t<E>::device_type;

namespace detail {

/// The kind of an argument for promotion: its element type, or weak<S> for a number.
template <class A>
struct kind_of {
    static_assert(
        element<A>,
        "ricci: a dual or series, as derivative and derivatives give them to functions of a number, is no operand "
        "beside arrays: jvp and jet differentiate functions of arrays along a curve, jet(f, 0.3, rc::tuple(1.0, 0.0))");
    using type = weak<std::conditional_t<element<A>, A, double>>;
};
template <expression A>
struct kind_of<A> {
    using type = typename A::value_type;
};
template <class A>
using kind_t = typename kind_of<std::remove_cvref_t<A>>::type;

}  // namespace detail

/// A position in a braced list of indices, from any integer type: x({0, 3, n}, all).
struct position {
    index_t value;
    template <class I>
        requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
    constexpr position(I i) : value(detail::as_position(i)) {}
};

namespace detail {
/// What wraps variables, the values of the imperative style; and what is such a value.
template <class W>
concept variable_wrapper = requires { requires W::tag::is_variable; };
template <class A>
concept variable_like = variable_wrapper<typename A::wrapper>;

/// Extents in a container: a std::array gives a shape, a vector is refused.
template <class V>
concept extent_list = !expression<V> && requires(const V& v) {
    v.size();
    requires std::is_integral_v<std::remove_cvref_t<decltype(*v.data())>>;
};
template <extent_list V>
constexpr auto shape_of_list(const V& v) {
    if constexpr (requires { std::tuple_size<V>::value; }) {
        shape<int(std::tuple_size<V>::value)> extents;
        for (int d = 0; d < extents.size(); ++d) extents[d] = static_cast<index_t>(v.data()[d]);
        return extents;
    } else {
        static_assert(
            always_false<V>,
            "ricci: the number of axes is part of an array's type, which a vector's length is not: extents are "
            "in braces, {rows, columns}, or in a std::array");
        return shape<1>{};
    }
}
}  // namespace detail

template <expression E, int R>
auto reshape(const E& x, const shape<R>& extents);
template <element T, expression E>
RICCI_INLINE auto astype(E&& x);
namespace autograd {
struct backward_options;
}
namespace detail {
template <class... Arguments>
void run_backward_from(const Arguments&... arguments);
}

/// Gives an expression `x(...)`, NumPy's indexing (see expr/index.hpp and ops/index/advanced.hpp). A braced list of
/// integers is an index array, of rank 2 when its elements are braced: lists for all axes, or one list as the first or
/// second index.
template <class Derived>
struct indexable : expression_tag {
    /// The transpose of a matrix, a view: matrix_transpose, which also takes stacks of matrices.
    auto T() const {
        static_assert(
            Derived::rank == 2,
            "ricci: x.T() is of a matrix; a vector becomes a column by x(all, newaxis), the axes of other arrays are "
            "exchanged by permute, swapaxes and matrix_transpose");
        return matrix_transpose(static_cast<const Derived&>(*this));
    }
    /// The only element, x.item(), as another type of number. (libtorch's.)
    template <element To>
    To item() const {
        return static_cast<To>(static_cast<const Derived&>(*this).item());
    }
    /// Refused: what goes by another name here.
    template <class Never = Derived>
    const Never& flatten() const {
        static_assert(always_false<Never>,
                      "ricci: x.flatten() is ravel(x).clone() here, or ravel(x), which may be a view");
        return static_cast<const Derived&>(*this);
    }
    template <class Never = Derived>
    const Never& copy() const {
        static_assert(always_false<Never>, "ricci: x.copy() is x.clone() here, of an expression evaluate(x)");
        return static_cast<const Derived&>(*this);
    }
    template <class Never = Derived, class... Axes>
    const Never& transpose(const Axes&...) const {
        static_assert(
            always_false<Never>,
            "ricci: x.transpose() is x.T() of a matrix here; all axes in an order: permute(x, {1, 0}); two of "
            "them exchanged: swapaxes(x, 0, 1)");
        return static_cast<const Derived&>(*this);
    }
    /// Refused, for loops over elements; arrays in memory have their own.
    template <class Never = Derived>
    typename Never::value_type* begin() const {
        static_assert(
            always_false<Never>,
            "ricci: `a * b` is an expression, which has no elements yet: `for (double x : evaluate(a * b))`; under "
            "derivatives and vmap, `for (auto row : unstack(x))`");
        return nullptr;
    }
    template <class Never = Derived>
    typename Never::value_type* end() const {
        return nullptr;
    }
    /// ricci::reshape as a member, since it ends chains: arange(12).reshape({3, 4}).
    template <int R>
    auto reshape(const shape<R>& extents) const {
        return ricci::reshape(static_cast<const Derived&>(*this), extents);
    }
    template <int R>
    auto reshape(const extent (&extents)[R]) const {
        return reshape(detail::to_shape(extents));
    }
    auto reshape(no_extents) const { return reshape(shape<0>{}); }
    template <detail::extent_value... N>
        requires(sizeof...(N) > 0)
    auto reshape(const N&... extents) const {
        return reshape(shape<int(sizeof...(N))>{extent(extents).value...});
    }
    auto reshape(const detail::extent_list auto& extents) const { return reshape(detail::shape_of_list(extents)); }
    template <class T>
        requires(std::is_floating_point_v<T> || std::is_convertible_v<T, const char*>)
    auto reshape(const T&) const {
        static_assert(always_false<T>, "ricci: extents are integers: x.reshape(3, 4)");
        return static_cast<const Derived&>(*this);
    }
    /// ricci::astype as a member: arange(12).astype<float>().
    template <element T>
    auto astype() const {
        return ricci::astype<T>(static_cast<const Derived&>(*this));
    }
    using expression_tag::astype;  // refused
    /// ricci::backward as members: loss.backward(), y.backward(gradient).
    template <class Options = autograd::backward_options>
        requires(!expression<Options>)
    void backward(const Options& options = {}) const {
        detail::run_backward_from(static_cast<const Derived&>(*this), options);
    }
    template <expression G, class Options = autograd::backward_options>
    void backward(const G& gradient, const Options& options = {}) const {
        detail::run_backward_from(static_cast<const Derived&>(*this), gradient, options);
    }
    /// Of what is no array a constant, since what was written there would be lost.
    template <class... Index>
    RICCI_INLINE constexpr decltype(auto) operator()(const Index&... i) const& {
        using part = decltype(index(static_cast<const Derived&>(*this), i...));
        using result = std::conditional_t<Derived::is_array || !part::is_array, part, const part>;
        return static_cast<result>(index(static_cast<const Derived&>(*this), i...));
    }
    template <int... N>
        requires(sizeof...(N) > 0)
    decltype(auto) operator()(const position (&... lists)[N]) const& {
        return (*this)(index_array(lists)...);
    }
    template <int N, int M, int... Rest>
    decltype(auto) operator()(const position (&list)[N][M], const position (&... lists)[Rest]) const& {
        return (*this)(index_array(list), index_array(lists)...);
    }
    template <int N, class First, class... Index>
    decltype(auto) operator()(const position (&list)[N], const First& first, const Index&... i) const& {
        return (*this)(index_array(list), first, i...);
    }
    template <class First, int N, class... Index>
    decltype(auto) operator()(const First& first, const position (&list)[N], const Index&... i) const& {
        return (*this)(first, index_array(list), i...);
    }
    template <std::same_as<bool> B, int N, class... Index>
    const Derived& operator()(const B (&)[N], const Index&...) const& {
        static_assert(always_false<B>, "ricci: a mask is an array: x(tensor{true, false})");
        return static_cast<const Derived&>(*this);
    }
    /// By a tuple of indices, as nonzero(mask) gives one: x(nonzero(x > 0)).
    template <class... Index>
    decltype(auto) operator()(const std::tuple<Index...>& indices) const& {
        return std::apply([&](const Index&... i) -> decltype(auto) { return (*this)(i...); }, indices);
    }
    template <class I>
    auto operator[](const I&) const {
        static_assert(always_false<I>, "ricci: indices stand in parentheses, x(0, 1), not in brackets");
    }
    /// What is lazy or constant is not changed in place.
    template <class E>
    void operator+=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator-=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator*=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator/=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator%=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator&=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator|=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator^=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator<<=(const E&) const& {
        in_place<E>();
    }
    template <class E>
    void operator>>=(const E&) const& {
        in_place<E>();
    }
    /// The number of a rank-0 array of float16 or bfloat16 as any other, double(sum(x)) say: from float16 C++ would go
    /// no further.
    template <class N, class Self = Derived>  // Self: Derived is not complete yet
        requires(Self::rank == 0 && is_half_v<typename Self::value_type> && std::is_arithmetic_v<N>)
    operator N() const {
        return static_cast<N>(static_cast<float>(typename Self::value_type(static_cast<const Self&>(*this))));
    }
    /// The truth value of an array is refused: compare and reduce first.
    template <class B, class Self = Derived>  // Self: Derived is not complete yet
        requires(std::is_same_v<B, bool> && Self::rank > 0)
    explicit operator B() const {
        static_assert(always_false<B>,
                      "ricci: the truth value of an array of rank above 0 is ambiguous: reduce it first");
        return false;
    }

   private:
    template <class E>
    static void in_place() {
        static_assert(always_false<E>,
                      "ricci: an expression, `auto y = a * b`, a part of it, y(0), and what has a constant name are "
                      "not changed in place: `auto y = evaluate(a * b)` is an array, which y += e changes");
    }
};

}  // namespace ricci
