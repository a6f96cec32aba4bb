// Further names of functions: what NumPy, PyTorch or SciPy call them where the array API standard has another name.
#pragma once
#include "elementwise.hpp"
#include "join.hpp"
#include "random/discrete.hpp"
#include "rearrange.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "sets.hpp"
#include "shape.hpp"
#include "stop_gradient.hpp"

namespace ricci {
namespace detail {

template <class... A>
concept some_expression = (expression<A> || ...);

}  // namespace detail

/// `name(...)` is `function(...)`, whose documentation holds. (By reference to const: a template of the user's with
/// that name is the better match then.)
#define RICCI_ALIAS(name, function)            \
    template <class... A>                      \
        requires detail::some_expression<A...> \
    constexpr auto name(const A&... a) {       \
        return function(a...);                 \
    }
/// Also of axes in braces.
#define RICCI_ALIAS_OF_AXES(name, function)                           \
    RICCI_ALIAS(name, function)                                       \
    template <expression E, int N, class... Keep>                     \
    auto name(const E& x, const int(&axes)[N], const Keep&... keep) { \
        return function(x, axes, keep...);                            \
    }
/// Of a list of arrays, in braces, too.
#define RICCI_ALIAS_OF_LIST(name, function)               \
    template <class List, class... Axis>                  \
    auto name(const List& arrays, const Axis&... axis) {  \
        return function(arrays, axis...);                 \
    }                                                     \
    template <expression E, std::size_t N, class... Axis> \
    auto name(const E(&arrays)[N], const Axis&... axis) { \
        return function(arrays, axis...);                 \
    }                                                     \
    void name(detail::mixed_braces arrays, int axis = 0);

RICCI_ALIAS(absolute, abs)
RICCI_ALIAS(around, round)
RICCI_ALIAS(arccos, acos)
RICCI_ALIAS(arccosh, acosh)
RICCI_ALIAS(arcsin, asin)
RICCI_ALIAS(arcsinh, asinh)
RICCI_ALIAS(arctan, atan)
RICCI_ALIAS(arctan2, atan2)
RICCI_ALIAS(arctanh, atanh)
RICCI_ALIAS(clamp, clip)
RICCI_ALIAS(conjugate, conj)
RICCI_ALIAS(degrees, rad2deg)
RICCI_ALIAS(expit, sigmoid)
RICCI_ALIAS(fabs, abs)
RICCI_ALIAS(fix, trunc)
RICCI_ALIAS(gammaln, lgamma)
RICCI_ALIAS(invert, bitwise_invert)
RICCI_ALIAS(mod, remainder)
RICCI_ALIAS(power, pow)
RICCI_ALIAS(psi, digamma)
RICCI_ALIAS(radians, deg2rad)
RICCI_ALIAS(rint, round)
RICCI_ALIAS(sgn, sign)
RICCI_ALIAS(true_divide, divide)
RICCI_ALIAS_OF_AXES(amax, max)
RICCI_ALIAS_OF_AXES(amin, min)
RICCI_ALIAS(bmm, matmul)
RICCI_ALIAS(mm, matmul)
RICCI_ALIAS(mv, matmul)
RICCI_ALIAS(trapz, trapezoid)
RICCI_ALIAS(unique, unique_values)
RICCI_ALIAS(unsqueeze, expand_dims)
RICCI_ALIAS(unbind, unstack)
RICCI_ALIAS(movedim, moveaxis)
RICCI_ALIAS(swapdims, swapaxes)
RICCI_ALIAS(detach, stop_gradient)
RICCI_ALIAS_OF_LIST(concatenate, concat)
RICCI_ALIAS_OF_LIST(cat, concat)

/// The order of the columns reversed, or of the rows. Views. (numpy.fliplr, numpy.flipud.)
template <expression E>
auto fliplr(const E& x) {
    return flip(x, 1);
}
template <expression E>
auto flipud(const E& x) {
    return flip(x, 0);
}

/// All axes in reverse order: the transpose of a matrix. A view. (numpy.transpose.)
template <expression E>
auto transpose(const E& x) {
    if constexpr (E::rank < 2) {
        return evaluate(x);
    } else {
        int axes[E::rank];
        for (int d = 0; d < E::rank; ++d) axes[d] = E::rank - 1 - d;
        return permute(x, axes);
    }
}
/// In the order named: permute. (numpy.transpose.)
template <expression E, int R>
auto transpose(const E& x, const int (&axes)[R]) {
    return permute(x, axes);
}
/// Two axes exchanged: swapaxes. (torch.transpose.)
template <expression E, std::integral Axis>
auto transpose(const E& x, Axis first, Axis second) {
    return swapaxes(x, first, second);
}
template <expression E, std::integral Axis>
auto transpose(const E& x, Axis) {
    static_assert(always_false<E>,
                  "ricci: transpose reverses all axes, transpose(x), orders them, transpose(x, {1, 0}), or exchanges "
                  "two, transpose(x, 0, 1)");
    return x;
}

namespace random {
/// `integers`, as NumPy and PyTorch call it: randint(0, 10, {3, 4}).
template <class T = std::int64_t, operand L, operand H, int R>
auto randint(const L& low, const H& high, const extent (&extents)[R], generator_ref g = {}) {
    return random::integers<T>(low, high, extents, g);
}
template <class T = std::int64_t, operand H, int R>
auto randint(const H& high, const extent (&extents)[R], generator_ref g = {}) {
    return random::integers<T>(high, extents, g);
}
template <class T = std::int64_t, operand L, operand H>
auto randint(const L& low, const H& high, generator_ref g = {}) {
    return random::integers<T>(low, high, g);
}
template <class T = std::int64_t, operand H>
auto randint(const H& high, generator_ref g = {}) {
    return random::integers<T>(high, g);
}
template <class T = void, class A, class B, std::integral N, class... More>
auto randint(const A&, const B&, N, const More&...) {
    return detail::refused_size<N>();
}
}  // namespace random
using random::randint;

#undef RICCI_ALIAS
#undef RICCI_ALIAS_OF_AXES
#undef RICCI_ALIAS_OF_LIST
}  // namespace ricci
