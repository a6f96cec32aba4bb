// A row of the test table: what a public function is given, what it must return, how exact it is, how often it
// differentiates.
#pragma once
#include "dense.hpp"

namespace table {

inline constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// ---- arguments ------------------------------------------------------------------------------------------------------

/// Numbers between two bounds, in the element type under test. R is the rank: 2 for element-wise functions, whose
/// arguments take many shapes; other functions name a shape.
template <int R>
struct real_argument {
    static constexpr int rank = R;
    static constexpr bool is_mask = false;
    double low, high;
    ricci::shape<R> shape;
};
inline real_argument<2> reals(double low, double high) { return {low, high, {}}; }
template <int R>
real_argument<R> reals(double low, double high, const ricci::shape<R>& shape) {
    return {low, high, shape};
}
/// Truth values, whatever the element type under test; nothing is differentiated with respect to them.
struct mask_argument {
    static constexpr int rank = 2;
    static constexpr bool is_mask = true;
    double low = 0, high = 1;
    ricci::shape<2> shape{};
};
inline mask_argument masks() { return {}; }

template <class... A>
std::tuple<A...> args(A... a) {
    return {a...};
}

// ---- element types, derivatives, error bounds -----------------------------------------------------------------------

template <class... T>
struct types {};
using floats = types<float, double>;
using numbers = types<float, double, std::int32_t, std::int64_t>;
using signed_numbers = types<float, double, std::int32_t, std::int64_t, std::int8_t>;
using everything = types<float, double, std::int32_t, std::int64_t, std::int8_t, bool>;

/// Halves go where floats go.
template <class Types>
inline constexpr bool takes_halves = false;
template <class... T>
inline constexpr bool takes_halves<types<T...>> = (std::is_same_v<T, float> || ...);

template <int N>
struct order {
    static constexpr int value = N;
};
inline constexpr order<0> never{};
inline constexpr order<1> once{};
inline constexpr order<2> any_order{};  // two are checked: the second derivative is the first one's own rule

/// Units in the last place that results may be off, in float and in double; integers and truth values are exact.
struct bounds {
    double of_float = 0.5, of_double = 0.5;
    constexpr bounds() = default;
    constexpr bounds(double both) : of_float(both), of_double(both) {}
    constexpr bounds(double f, double d) : of_float(f), of_double(d) {}
};

// ---- rows -----------------------------------------------------------------------------------------------------------

/// The call is that of the function that the row is named after.
struct by_name {};

/// `reference` takes long doubles (an element-wise function) or dense arrays and gives what the function must.
template <class Reference, class Args, class Types = numbers, class Order = order<2>, class Call = by_name>
struct row {
    Reference reference;
    Args args;
    std::vector<double> special{};  // tried in every combination of the arguments, in float and double
    bounds ulp{};
    Types dtypes{};
    Order differentiable = {};
    Call call{};  // when the function takes more than its arrays: axes, a shape
};

/// For functions that no reference on arrays describes (creation, random numbers): the test that covers them instead.
struct covered_by {
    const char* test;
};

}  // namespace table
