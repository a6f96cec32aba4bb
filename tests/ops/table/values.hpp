// The value of a row's function over element types, memory layouts, shapes and special values.
#pragma once
#include <doctest/doctest.h>

#include <tuple>

#include "row.hpp"

// The device that the table runs on: define it before including to run the same rows elsewhere.
#ifndef RICCI_TEST_DEVICE
#define RICCI_TEST_DEVICE ricci::cpu
#endif

namespace table {

using reference::layout;

template <class Row>
inline constexpr int arguments_v = std::tuple_size_v<decltype(Row::args)>;
template <class Row, int I>
using argument_t = std::tuple_element_t<I, decltype(Row::args)>;
template <class Row, int I, class T>
using element_t = std::conditional_t<argument_t<Row, I>::is_mask, bool, T>;

/// Calls f(integral_constant<0>) .. f(integral_constant<N-1>) and returns the tuple of the results.
template <int N, class F>
auto each(F f) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return std::make_tuple(f(std::integral_constant<int, I>{})...); }
    (std::make_integer_sequence<int, N>{});
}

template <class Reference, class Args>
inline constexpr bool elementwise_v = false;
template <class Reference, class... A>
inline constexpr bool elementwise_v<Reference, std::tuple<A...>> = requires(const Reference& r) { r((static_cast<void>(sizeof(A)), real(0))...); };
template <class Row>
inline constexpr bool is_elementwise = elementwise_v<decltype(Row::reference), decltype(Row::args)>;

/// What the result must be, from arrays that were rounded to the element type already.
template <class Row, class... X>
dense expected(const Row& row, const X&... x) {
    if constexpr (is_elementwise<Row>) return map(row.reference, x...);
    else return row.reference(x...);
}

template <class T>
T sample(reference::noise& random, double low, double high) {
    const double x = random.between(low, high);
    if constexpr (std::is_same_v<T, bool>) return x > (low + high) / 2;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(std::min(std::floor(high), std::max(std::ceil(low), std::round(x))));
    else return static_cast<T>(x);
}

using half = ricci::float16;

/// A half is computed in float and rounded once: its own rounding, and 2^-13 of what float may be off.
template <class T>
double bound(const bounds& ulp) {
    if constexpr (std::is_same_v<T, half>) return 0.5 + std::ldexp(ulp.of_float, -13);
    else return std::is_same_v<T, float> ? ulp.of_float : ulp.of_double;
}
inline double half_ulps(half got, real truth) {
    const real x = static_cast<real>(static_cast<double>(got));
    const half nearest = static_cast<half>(static_cast<double>(truth));
    if (reference::same(x, static_cast<real>(static_cast<double>(nearest)), false)) return 0.5;
    if (!std::isfinite(x) || !std::isfinite(truth)) return inf;
    return static_cast<double>(std::abs(std::ldexp(x - truth, 10 - std::max(std::ilogb(truth), -14))));
}

/// Compares shape and elements; reports the worst element only.
template <class Row, class Y>
void compare(const Row& row, const Y& result, const dense& truth) {
    const auto y = ricci::evaluate(result).to(ricci::cpu);
    using T = typename decltype(y)::value_type;
    const dense got = to_dense(y);
    CHECK(got.shape == truth.shape);
    if (got.shape != truth.shape) return;
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < got.values.size(); ++i) {
        double error;
        if constexpr (std::is_floating_point_v<T>) error = reference::ulps(static_cast<T>(got.values[i]), truth.values[i]);
        else if constexpr (std::is_same_v<T, half>)
            error = half_ulps(static_cast<half>(static_cast<double>(got.values[i])), truth.values[i]);
        else error = got.values[i] == static_cast<real>(static_cast<T>(static_cast<std::int64_t>(truth.values[i]))) ? 0 : inf;
        if (error > worst) {
            worst = error;
            at = i;
        }
    }
    if (worst <= bound<T>(row.ulp)) return;
    CAPTURE(ricci::dtype_name<T>());
    CAPTURE(worst);
    CAPTURE(static_cast<double>(got.values[at]));
    CAPTURE(static_cast<double>(truth.values[at]));
    CHECK(worst <= bound<T>(row.ulp));
}

template <class Row, class Call, class... X>
void check_call(const Row& row, const Call& call, const std::tuple<X...>& x) {
    std::apply([&](const auto&... a) { compare(row, call(a.to(RICCI_TEST_DEVICE)...), expected(row, to_dense(a)...)); }, x);
}

/// Arguments with noise in them; shapes and layouts by their number.
template <class T, class Row, class Shapes, class Layouts>
auto noisy(const Row& row, const Shapes& shapes, const Layouts& layouts, unsigned seed = 0) {
    reference::noise random{0x9E3779B97F4A7C15ull + seed};
    return each<arguments_v<Row>>([&](auto i) {
        const auto& a = std::get<i()>(row.args);
        using E = element_t<Row, i(), T>;
        return reference::make<E>(layouts(i()), shapes(i), [&](index_t) { return sample<E>(random, a.low, a.high); });
    });
}
template <class Row>
auto own_shapes(const Row& row) {
    return [&row](auto i) { return std::get<i()>(row.args).shape; };
}

template <class T, class Row, class Call>
void check_layouts(const Row& row, const Call& call) {
    for (layout l : reference::layouts)
        for (layout other : {layout::contiguous, layout::permuted, layout::reversed}) {
            const auto layouts = [&](int i) { return i == 0 ? l : other; };
            if (arguments_v<Row> == 1 && other != layout::contiguous) continue;
            CAPTURE(reference::name(l));
            CAPTURE(reference::name(other));
            if constexpr (is_elementwise<Row>) {
                for (const ricci::shape<2>& extents : {ricci::shape<2>{1, 1}, {1, 130}, {7, 37}, {0, 3}}) {
                    check_call(row, call, noisy<T>(row, [&](auto) { return extents; }, layouts));
                    auto broadcast = [&](auto i) {
                        ricci::shape<2> e = extents;
                        if (i() > 0) e[i() % 2 ? 0 : 1] = 1;
                        return e;
                    };
                    if (arguments_v<Row> > 1) check_call(row, call, noisy<T>(row, broadcast, layouts));
                }
            } else {
                check_call(row, call, noisy<T>(row, own_shapes(row), layouts));
            }
        }
}

/// Every combination of special values, in vectors long enough for registers and in short ones.
template <class T, class Row, class Call>
void check_special(const Row& row, const Call& call) {
    const auto n = static_cast<index_t>(row.special.size());
    if (n == 0) return;
    index_t combinations = 1;
    for (int i = 0; i < arguments_v<Row>; ++i) combinations *= n;
    for (index_t copies : {1, 40}) {
        auto value = [&](int argument) {
            index_t step = 1;
            for (int i = 0; i < argument; ++i) step *= n;
            return [&, step](index_t i) { return row.special[static_cast<std::size_t>(i % combinations / step % n)]; };
        };
        const ricci::shape<2> extents{copies, combinations};
        check_call(row, call, each<arguments_v<Row>>([&](auto i) {
            using E = element_t<Row, i(), T>;
            return reference::make<E>(layout::contiguous, extents, value(i()));
        }));
    }
}

/// Numbers of rank 0, which take no loop.
template <class Row, class Call>
void check_rank_0(const Row& row, const Call& call) {
    reference::noise random;
    check_call(row, call, each<arguments_v<Row>>([&](auto i) {
        const auto& a = std::get<i()>(row.args);
        using E = element_t<Row, i(), double>;
        return ricci::tensor<E, 0>(sample<E>(random, a.low, a.high));
    }));
}

/// Halves, which go through the loops as float does, in arrays that a register does not divide.
template <class Row, class Call>
void check_halves(const Row& row, const Call& call) {
    const auto layouts = [](int i) { return i == 0 ? layout::reversed : layout::contiguous; };
    if constexpr (is_elementwise<Row>)
        check_call(row, call, noisy<half>(row, [](auto) { return ricci::shape<2>{7, 37}; }, layouts));
    else check_call(row, call, noisy<half>(row, own_shapes(row), layouts));
}

template <class T, class Row, class Call>
void check_values(const Row& row, const Call& call) {
    check_layouts<T>(row, call);
    if constexpr (is_elementwise<Row>) {
        if constexpr (std::is_floating_point_v<T>) check_special<T>(row, call);
        if constexpr (std::is_same_v<T, double>) check_rank_0(row, call);
    }
}

}  // namespace table
