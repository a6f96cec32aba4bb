// What arrays under a transform have in common: a name is rebound, x = e, also by what would write to memory elsewhere,
// x += e and x(...) = e; none is taken for a number.
#pragma once
#include "place.hpp"

namespace ricci {
namespace detail {

/// Expressions of which an array of type A under a transform may be made, `A y = x * x`.
template <class E, class A>
concept evaluates_to = expression<E> && !E::is_array && std::is_same_v<decltype(evaluate(std::declval<const E&>())), A>;

}  // namespace detail

template <class Derived>
struct traced : indexable<Derived> {
    /// Rebinds this name to the value of `e`, of the same rank, converted to its element type. What is not under the
    /// transform that the name is under comes to be a constant of it.
    template <operand E>
    Derived& operator=(const E& e) & {
        auto& self = static_cast<Derived&>(*this);
        using T = typename Derived::value_type;
        detail::check_value_stays_complex<T, E>();
        if constexpr (scalar_value<E>) {
            static_assert(Derived::rank == 0,
                          "ricci: a named array is not filled by `x = 1`; write `x(ricci::ellipsis) = 1`");
            rebind(self, tensor<T, 0>(convert_element<T>(e)));
        } else {
            static_assert(E::rank == Derived::rank,
                          "ricci: the expression's rank is not that of the array it is assigned to");
            rebind(self, detail::evaluate_as<T>(e));
        }
        return self;
    }
    /// Refused: an unnamed array, as x(0), is no place to write to.
    template <class E>
    void operator=(const E&) && {
        static_assert(
            always_false<E>,
            "ricci: x(...) = e under a transform needs a name x to write to, that is not constant: one captured by "
            "a lambda is copied first, auto y = x");
    }
    /// x = x + e, of x's shape. Other names of what x held would see the write in a plain array, and are refused from
    /// then on.
    template <operand E>
    Derived& operator+=(const E& e) & {
        return changed(self() + e);
    }
    template <operand E>
    Derived& operator-=(const E& e) & {
        return changed(self() - e);
    }
    template <operand E>
    Derived& operator*=(const E& e) & {
        return changed(self() * e);
    }
    template <operand E>
    Derived& operator/=(const E& e) & {
        return changed(self() / e);
    }
    template <operand E>
    Derived& operator%=(const E& e) & {
        return changed(self() % e);
    }
    template <operand E>
    Derived& operator&=(const E& e) & {
        return changed(self() & e);
    }
    template <operand E>
    Derived& operator|=(const E& e) & {
        return changed(self() | e);
    }
    template <operand E>
    Derived& operator^=(const E& e) & {
        return changed(self() ^ e);
    }
    template <operand E>
    Derived& operator<<=(const E& e) & {
        return changed(self() << e);
    }
    template <operand E>
    Derived& operator>>=(const E& e) & {
        return changed(self() >> e);
    }
    using indexable<Derived>::operator+=, indexable<Derived>::operator-=, indexable<Derived>::operator*=,
        indexable<Derived>::operator/=, indexable<Derived>::operator%=, indexable<Derived>::operator&=,
        indexable<Derived>::operator|=, indexable<Derived>::operator^=, indexable<Derived>::operator<<=,
        indexable<Derived>::operator>>=;

    /// A part of x, which may be assigned to (expr/place.hpp).
    template <class... I>
    RICCI_INLINE auto operator()(const I&... i) & {
        return detail::place_in(self(), i...);
    }
    template <int... N>
        requires(sizeof...(N) > 0)
    auto operator()(const position (&... lists)[N]) & {
        return detail::place_in(self(), index_array(lists)...);
    }
    template <int N, class First, class... I>
    auto operator()(const position (&list)[N], const First& first, const I&... i) & {
        return detail::place_in(self(), index_array(list), first, i...);
    }
    template <int N, int M, int... Rest>
    auto operator()(const position (&list)[N][M], const position (&... lists)[Rest]) & {
        return detail::place_in(self(), index_array(list), index_array(lists)...);
    }
    template <class First, int N, class... I>
    auto operator()(const First& first, const position (&list)[N], const I&... i) & {
        return detail::place_in(self(), first, index_array(list), i...);
    }
    template <class... I>
    auto operator()(const std::tuple<I...>& indices) & {
        return std::apply([&](const I&... i) { return detail::place_in(self(), i...); }, indices);
    }
    using indexable<Derived>::operator();

    /// The same values in memory of their own.
    auto clone() const { return evaluate(positive(static_cast<const Derived&>(*this))); }
    /// Refused, as the derivative would be lost, or the members of a batch.
    template <class T, class Self = Derived>  // Self: Derived is not complete yet
        requires(Self::rank == 0 && (std::is_same_v<T, typename Self::value_type> ||
                                     (is_half_v<typename Self::value_type> && std::is_arithmetic_v<T>)))
    operator T() const {
        using W = typename Self::wrapper;
        detail::check_number<W>();
        if constexpr (detail::has_number<W>) return static_cast<T>(static_cast<const Self&>(*this).item());
        else return T();
    }

   private:
    Derived& self() { return static_cast<Derived&>(*this); }
    template <class E>
    Derived& changed(const E& e) {
        detail::change(self(), e);
        return self();
    }
    template <class Y>
    static void rebind(Derived& self, const Y& y) {
        using lifted = decltype(detail::lift(detail::chain_of_t<Derived>{}, y));
        if constexpr (std::is_convertible_v<Y, Derived>) {
            self = Derived(y);
        } else {
            constexpr bool under_the_same = std::is_same_v<lifted, Derived>;  // a name: clang writes out the condition
            static_assert(
                under_the_same,
                "ricci: the right side is under a transform that the name on the left is not under: where a loop "
                "begins, `auto x = lift(start, y)` brings it under those of y");
            if constexpr (under_the_same) self = detail::lift(detail::chain_of_t<Derived>{}, y);
        }
    }
};

namespace detail {
/// Arrays of one element under a transform.
template <class A>
concept traced_number = requires {
    typename A::wrapper;
    requires A::rank == 0;
};
}  // namespace detail

/// A number takes a value under a transform where that has a number, as in `a = x`.
template <class A, detail::traced_number B>
    requires std::is_arithmetic_v<A>
A& operator+=(A& a, const B& b) {
    return a += static_cast<typename B::value_type>(b);
}
template <class A, detail::traced_number B>
    requires std::is_arithmetic_v<A>
A& operator-=(A& a, const B& b) {
    return a -= static_cast<typename B::value_type>(b);
}
template <class A, detail::traced_number B>
    requires std::is_arithmetic_v<A>
A& operator*=(A& a, const B& b) {
    return a *= static_cast<typename B::value_type>(b);
}
template <class A, detail::traced_number B>
    requires std::is_arithmetic_v<A>
A& operator/=(A& a, const B& b) {
    return a /= static_cast<typename B::value_type>(b);
}

}  // namespace ricci
