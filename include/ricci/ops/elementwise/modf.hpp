// Numbers as whole and broken parts, pairs as quotients and remainders.
#pragma once
#include <tuple>

#include "copysign.hpp"
#include "floor_divide.hpp"
#include "isinf.hpp"
#include "remainder.hpp"
#include "subtract.hpp"
#include "trunc.hpp"
#include "where.hpp"

namespace ricci {

/// The part of each element behind the point and the whole one, both with its sign, as a std::tuple of maps; infinities are
/// whole. Integers promoted to double. Derivatives 1 and 0. (numpy.modf.)
template <expression E>
auto modf(const E& x) {
    using T = inexact_t<typename E::value_type>;
    const auto a = astype<T>(x);
    return std::make_tuple(copysign(where(isinf(a), T(0), a - trunc(a)), a), trunc(a));
}
/// floor_divide(a, b) and remainder(a, b), broadcast, as a std::tuple of maps. (Python's and NumPy's divmod.)
template <operand A, operand B>
    requires(expression<A> || expression<B>)
auto divmod(const A& a, const B& b) {
    return std::make_tuple(floor_divide(a, b), remainder(a, b));
}
}  // namespace ricci
