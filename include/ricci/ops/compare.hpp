// Whether arrays are equal, or close: isclose, allclose, array_equal.
#pragma once
#include "../core/dtype_info.hpp"
#include "reduce.hpp"

namespace ricci {

namespace ops {
/// NumPy's rule for numbers that are close. One op: a tree of its parts would hold each argument six times.
struct is_close : comparison {
    template <int, class... K>
    using argument = compute_t<inexact_t<common_t<K...>>>;
    double rtol, atol;
    bool equal_nan;

    template <class S>
    RICCI_HD RICCI_INLINE constexpr auto value(const S& x, const S& y) const {
        using R = decltype(math::abs(y));
        const R allowed = R(atol) + R(rtol) * math::abs(y), nan_is_nan(equal_nan ? 1 : 0),
                infinite(std::numeric_limits<double>::infinity());
        const auto near = (math::abs(x - y) <= allowed) & (math::abs(y) < infinite) & (math::abs(x) < infinite);
        const auto both_nan = (x != x) & (y != y) & (nan_is_nan == R(1));
        return static_cast<decltype(allowed < allowed)>(near | (x == y) | both_nan);
    }
};
}  // namespace ops

/// Where |a - b| <= atol + rtol * |b|, broadcast, bool (NumPy's rule), of arrays and numbers. Infinities are close to
/// themselves; NaN is close to nothing, with equal_nan to NaN.
template <operand A, operand B>
    requires(operands<A, B>)
auto isclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, detail::yes_or_no equal_nan = false) {
    return evaluate(detail::make_map(ops::is_close{{}, rtol, atol, equal_nan}, a, b));
}
/// Whether isclose holds for all elements.
template <operand A, operand B>
    requires(operands<A, B>)
bool allclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8, detail::yes_or_no equal_nan = false) {
    // those that are not are counted as floats, in registers
    using T = inexact_t<result_type_t<A, B>>;
    using count = decltype(math::abs(compute_t<T>()));
    return sum(detail::as_type<count>(!detail::make_map(ops::is_close{{}, rtol, atol, equal_nan}, a, b))).item() == 0;
}
/// Whether two arrays have the same shape and equal elements; NaN equals nothing. (numpy.array_equal, torch.equal.)
template <expression A, expression B>
bool array_equal(const A& a, const B& b) {
    if constexpr (A::rank != B::rank) {
        return false;
    } else {
        return a.shape() == b.shape() && sum(a != b).item() == 0;
    }
}
/// The same; with `equal_nan`, NaN equals NaN.
template <expression A, expression B>
bool array_equal(const A& a, const B& b, detail::yes_or_no equal_nan) {
    if constexpr (A::rank == B::rank && is_inexact_v<typename A::value_type> && is_inexact_v<typename B::value_type>)
        if (equal_nan) return a.shape() == b.shape() && sum(a != b && (a == a || b == b)).item() == 0;
    return array_equal(a, b);
}

}  // namespace ricci
