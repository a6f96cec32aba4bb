// Conversion of the element type.
#pragma once
#include "../declarations.hpp"

namespace ricci {
namespace ops {
/// The conversion itself stands in the tree, where an argument's type differs from the one that its op computes in.
template <class T>
struct astype {
    static constexpr bool differentiable = true;
    static constexpr bool takes_masks = true, converts = true;
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

/// The elements converted to T: complex to real takes the real part, anything to bool is `!= 0`, integers to narrower
/// ones wrap, floats to integers truncate (of what T does not hold, NaN included, to no particular number), floats to
/// narrower ones are rounded to the nearest, ties to even. Differentiable between floating and complex types.
template <element T, expression E>
auto astype(E&& x) {
    return map<ops::astype<T>>(std::forward<E>(x));
}

namespace detail {

/// An expression as it is, or a map to type T; and its value.
template <class T, class E>
auto as_type(const E& e) {
    if constexpr (std::is_same_v<T, typename E::value_type>) return e;
    else return astype<T>(e);
}
template <class T, class E>
auto evaluate_as(const E& e) {
    if constexpr (std::is_same_v<T, typename E::value_type>) return evaluate(e);
    else return evaluate(astype<T>(e));
}

template <class T, class E>
auto readable_as(const E& e) {
    return without_const(evaluate_as<T>(e));
}

}  // namespace detail
}  // namespace ricci
