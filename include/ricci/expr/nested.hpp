// Duals and Taylor series nested in each other: levels of differentiation, and the components of such scalars.
//
// A nest is described by the degrees of its levels, one hexadecimal digit each, the innermost level the lowest digit: a
// dual has degree 1, a Taylor series its order. A component is named by the powers of the levels' infinitesimals, in
// the same digits. All such algebras pair a component with the one whose powers make up the full degrees (the
// functional that takes the highest coefficient of a product is symmetric and not degenerate): `degrees - powers` is
// where an adjoint lives.
#pragma once
#include "../core/dtype.hpp"
#include "pack.hpp"
#include "taylor.hpp"

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

/// The register of numbers that a scalar is, or is made of; void of others. Registers are known by what they have: this
/// file knows no executor.
template <class S>
struct register_in {
    using type = void;
};
template <class S>
    requires requires {
        typename S::mask;
        typename S::value_type;
        S::lanes;
    }
struct register_in<S> {
    using type = S;
};
template <class S>
struct register_in<dual<S>> : register_in<scalar_base_t<S>> {};
template <class S, int K>
struct register_in<taylor<S, K>> : register_in<scalar_base_t<S>> {};

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
};
template <class S>
struct nest<S, 0> {
    using type = S;
};
/// The nest over S with the given degrees.
template <class S, degrees_t Degrees>
using nest_t = typename nest<S, Degrees>::type;

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
