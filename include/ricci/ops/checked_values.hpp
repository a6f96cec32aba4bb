// Checks of the values in arrays, before anything is computed of them: parameters of distributions, classes, lengths.
#pragma once
#include <cstdio>
#include <utility>

#include "elementwise.hpp"
#include "reduce.hpp"

namespace ricci::detail {

template <class A>
const auto& plain_array(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) return a;
    else return plain_array(a.inner());
}
/// The least and the greatest element; NaN both if there is one.
template <class T>
struct extremes {
    T low, high;
    bool any;
};
template <class T>
extremes<compute_t<T>> extremes_of(const T* x, index_t n) {
    using W = compute_t<T>;
    if (n == 0) return {W(), W(), false};
    extremes<W> e{x[0], x[0], true};
    for (index_t i = 1; i < n; ++i) {
        e.low = math::minimum(e.low, W(x[i]));
        e.high = math::maximum(e.high, W(x[i]));
    }
    return e;
}
/// The range of an array's elements, whatever wraps it, or of a number. (On the CPU by a loop, which compiles faster
/// than reductions.)
template <class P>
auto parameter_range(const P& p) {
    if constexpr (expression<P>) {
        using T = std::remove_const_t<typename P::value_type>;
        const auto& plain = plain_array(p);
        if constexpr (std::is_same_v<device_t<P>, cpu_device>) {
            const auto dense = dense_of(plain);
            return extremes_of<T>(dense.data(), dense.size());
        } else {
            using W = compute_t<T>;
            if (plain.size() == 0) return extremes<W>{W(), W(), false};
            return extremes<W>{W(min(plain).item()), W(max(plain).item()), true};
        }
    } else {
        return extremes_of(&p, 1);
    }
}

/// What a parameter must be; NaN is none of these.
enum class condition { positive, not_negative, finite, probability };

[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_parameter(const char* who, const char* what, condition must,
                                                                    double value) {
    constexpr const char* words[] = {
        " must be positive: ", " must not be negative: ", " must be finite: ", " must lie between 0 and 1: "};
    char number[32];
    std::snprintf(number, sizeof(number), "%g", value);
    raise<value_error>({"[", who, "] ", what, words[static_cast<int>(must)], number});
}
/// Throws value_error, with the element that is furthest off, unless all elements of a parameter meet a condition.
template <class P>
void require(const P& p, condition must, const char* who, const char* what) {
    const auto range = parameter_range(p);
    if (!range.any) return;
    const double low = static_cast<double>(range.low), high = static_cast<double>(range.high);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool low_fits = must == condition::positive ? low > 0
                          : must == condition::finite ? low > -infinity
                                                      : low >= 0;
    const bool high_fits = must == condition::probability ? high <= 1
                           : must == condition::finite    ? high < infinity
                                                          : true;
    if (!low_fits) refuse_parameter(who, what, must, low);
    if (!high_fits) refuse_parameter(who, what, must, high);
}
/// The same, of truth values that say whether each element of several parameters fits the others.
template <class M>
void require_all(const M& fits, const char* who, const char* what) {
    const auto range = parameter_range(fits);
    if (range.any && !range.low) raise<value_error>({"[", who, "] ", what});
}
/// Throws Error, with the one furthest below or above, unless integers lie between two, ends included.
template <class Error, class X>
void require_between(const X& integers, index_t low, index_t high, const char* who, const char* what) {
    const auto range = parameter_range(integers);
    if (!range.any) return;
    const bool below = std::cmp_less(+range.low, low);
    if (below || std::cmp_greater(+range.high, high))
        raise<Error>({"[", who, "] ", what, " ", +(below ? range.low : range.high), " does not lie between ", low,
                      " and ", high});
}

}  // namespace ricci::detail
