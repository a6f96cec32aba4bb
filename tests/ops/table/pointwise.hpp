// Rows of element-wise ops at the price of an op: what one op adds to the engine (its kernel on registers, its rule on
// every kind of scalar), checked on registers and scalars without an array: a second of compile time where a `row`
// costs ten. The engine around it (layouts, broadcasting, batches, graphs) is tested by the rows that are `row`s;
// check_together runs a sample of ops through it.
#pragma once
#include "transforms.hpp"

namespace table {

/// As `row`, for functions of numbers alone. `dtypes` adds integers to float and double.
template <class Reference, class Args, class Types = types<>, class Order = order<2>, class Call = by_name>
struct pointwise {
    Reference reference;
    Args args;
    std::vector<double> special{};
    bounds ulp{};
    Types dtypes{};
    Order differentiable = {};
    Call call{};
    bool signed_zeros = true;  // whether a zero's sign is part of the answer
};
template <class Row>
inline constexpr bool is_pointwise_v = false;
template <class... P>
inline constexpr bool is_pointwise_v<pointwise<P...>> = true;

/// Values of T for each argument: noise between its bounds, then every combination of the special values.
template <class T, class Row>
auto points(const Row& row, index_t noisy_ones, bool with_special) {
    constexpr int count = arguments_v<Row>;
    std::array<std::vector<T>, count> all;
    reference::noise random;
    each<count>([&](auto i) {
        const auto& a = std::get<i()>(row.args);
        for (index_t k = 0; k < noisy_ones; ++k) all[i()].push_back(sample<T>(random, a.low, a.high));
        return 0;
    });
    std::size_t combinations = with_special && !row.special.empty() ? 1 : 0;
    for (int i = 0; i < count; ++i) combinations *= row.special.size();
    for (std::size_t k = 0; k < combinations; ++k) {
        std::size_t digits = k;
        for (auto& values : all) {
            values.push_back(static_cast<T>(row.special[digits % row.special.size()]));
            digits /= row.special.size();
        }
    }
    return all;
}
/// f(lane values) for k-th points.
template <class F, class All>
auto at_point(const F& f, const All& all, std::size_t k) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return f(all[I][k]...);
    }(std::make_index_sequence<std::tuple_size_v<All>>{});
}

/// The largest error of some results, and where it is.
struct worst_case {
    double error = 0, limit = 0, got = 0, truth = 0;
    std::size_t at = 0;

    void report(const char* what, const std::vector<double>& arguments) const {
        CAPTURE(std::string(what));
        std::string where;
        for (double a : arguments) where += std::to_string(a) + " ";
        CAPTURE(where);
        CAPTURE(got);
        CAPTURE(truth);
        CAPTURE(error);
        CHECK(error <= limit);
    }
    void add(double e, double g, double t, std::size_t k) {
        if (e <= error) return;
        error = e;
        got = g;
        truth = t;
        at = k;
    }
};
template <class All>
std::vector<double> arguments_at(const All& all, std::size_t k) {
    std::vector<double> x;
    for (const auto& values : all) x.push_back(static_cast<double>(values[k]));
    return x;
}

/// The error of a result: in units of the last place of T; integers and truth values are exact.
template <class T>
double error_of(T got, real truth, bool signed_zeros) {
    if constexpr (std::is_floating_point_v<T>) {
        if (signed_zeros && got == 0 && truth == 0 && std::signbit(got) != std::signbit(truth)) return inf;
        return reference::ulps(got, truth);
    } else {
        return got == static_cast<T>(static_cast<std::int64_t>(truth)) ? 0 : inf;
    }
}

template <class S>
struct lane_of {
    using type = S;
};
template <class T>
struct lane_of<ricci::simd<T>> {
    using type = T;
};
template <class T>
struct lane_of<ricci::simd_mask<T>> {
    using type = bool;
};
/// Without fused multiplies many kernels are the C library's, lane by lane.
#if defined(RICCI_HAS_SIMD)
inline constexpr bool registers_are_exact = ricci::detail::fused_multiply_add;
#else
inline constexpr bool registers_are_exact = false;
#endif

/// Calls f on registers of the points, the last one filled in part; out[k] takes lane by lane what `component` picks.
template <class T, class All, class F, class Out>
void on_registers(const All& all, const F& f, const Out& out) {
    constexpr index_t lanes = ricci::simd<T>::lanes;
    const auto n = static_cast<index_t>(all[0].size());
    for (index_t at = 0; at < n; at += lanes) {
        const index_t part = std::min(lanes, n - at);
        const auto load = [&](const std::vector<T>& v) {
            return part == lanes ? ricci::simd<T>::load(v.data() + at)
                                 : ricci::simd<T>::load_partial(v.data() + at, part);
        };
        const auto y = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return f(load(all[I])...);
        }(std::make_index_sequence<std::tuple_size_v<All>>{});
        typename lane_of<std::remove_cvref_t<decltype(y)>>::type results[lanes];
        if (part == lanes) y.store(results);
        else y.store_partial(results, part);
        for (index_t i = 0; i < part; ++i) out(static_cast<std::size_t>(at + i), results[i]);
    }
}

/// Of numbers alone: transcendental functions are the C library's, which in double keeps to 4 ulp.
template <class T>
double number_bound(const bounds& ulp) {
    return bound<T>(ulp) > 1 ? std::max(bound<T>(ulp), 4.0) : bound<T>(ulp);
}

template <class T, class Row, class Call>
void check_numbers(const Row& row, const Call& call) {
    const auto all = points<T>(row, 203, std::is_floating_point_v<T>);
    worst_case scalars, registers;
    for (std::size_t k = 0; k < all[0].size(); ++k) {
        const auto y = ricci::detail::plain(at_point([&](auto... x) { return call(ricci::number<T>(x)...); }, all, k));
        const real truth =
            at_point([&](auto... x) { return static_cast<real>(row.reference(static_cast<real>(x)...)); }, all, k);
        scalars.limit = number_bound<std::remove_cvref_t<decltype(y)>>(row.ulp);
        scalars.add(error_of(y, truth, row.signed_zeros), static_cast<double>(y), static_cast<double>(truth), k);
    }
    scalars.report("number", arguments_at(all, scalars.at));
    // the types that promotion gives arrays are those of numbers
    using Y = decltype(ricci::detail::plain(at_point([&](auto... x) { return call(ricci::number<T>(x)...); }, all, 0)));
    using node = decltype(at_point([&](auto... x) { return call(ricci::tensor<decltype(x), 1>()...); }, all, 0));
    static_assert(std::is_same_v<typename node::value_type, std::remove_cvref_t<Y>>);
    if constexpr (std::is_floating_point_v<T> && ricci::simd_supported<T>) {
        registers.limit = registers_are_exact ? bound<T>(row.ulp) : number_bound<T>(row.ulp);
        on_registers<T>(all, call, [&](std::size_t k, auto y) {
            const real truth =
                at_point([&](auto... x) { return static_cast<real>(row.reference(static_cast<real>(x)...)); }, all, k);
            registers.add(error_of(y, truth, row.signed_zeros), static_cast<double>(y), static_cast<double>(truth), k);
        });
        registers.report("register", arguments_at(all, registers.at));
    }
}

inline double relative_error(double a, real b) {
    const double e = static_cast<double>(std::abs(static_cast<real>(a) - b) / std::max(real(1), std::abs(b)));
    return e == e ? e : inf;
}

/// d reference / d(argument I), by central differences.
template <int I, class Row, class... X>
real slope(const Row& row, X... x) {
    const real h = 1e-6L;
    const auto moved = [&](real by) {
        std::array<real, sizeof...(X)> a{static_cast<real>(x)...};
        a[I] += by;
        return std::apply([&](auto... v) { return static_cast<real>(row.reference(v...)); }, a);
    };
    return (moved(h) - moved(-h)) / (2 * h);
}

/// Each partial derivative of the rule on duals, of numbers and of registers, against differences of the reference.
template <int I, class Row, class Call>
void check_partial(const Row& row, const Call& call) {
    const auto partial = [&]<class S>(std::type_identity<S>, const auto&... x) {
        int i = 0;
        const std::array<ricci::dual<S>, sizeof...(x)> a{ricci::dual<S>(x, S(static_cast<int>(i++ == I)))...};
        return std::apply([&](const auto&... d) { return call(d...); }, a).tangent;
    };
    const auto all = points<double>(row, 40, false);
    worst_case scalars, doubles, singles;
    scalars.limit = 1e-9;
    doubles.limit = 1e-12;
    singles.limit = 2e-5;
    std::vector<double> truth;
    for (std::size_t k = 0; k < all[0].size(); ++k) {
        const double y = at_point([&](auto... x) { return partial(std::type_identity<double>(), x...); }, all, k);
        const real d = at_point([&](auto... x) { return slope<I>(row, x...); }, all, k);
        scalars.add(relative_error(y, d), y, static_cast<double>(d), k);
        truth.push_back(y);
    }
    scalars.report("pullback", arguments_at(all, scalars.at));
    if constexpr (ricci::simd_supported<double>) {
        on_registers<double>(
            all, [&](auto... x) { return partial(std::type_identity<ricci::simd<double>>(), x...); },
            [&](std::size_t k, double y) { doubles.add(relative_error(y, truth[k]), y, truth[k], k); });
        doubles.report("pullback in registers", arguments_at(all, doubles.at));
    }
    if constexpr (ricci::simd_supported<float>) {
        const auto rounded = points<float>(row, 40, false);
        on_registers<float>(
            rounded, [&](auto... x) { return partial(std::type_identity<ricci::simd<float>>(), x...); },
            [&](std::size_t k, float y) {
                const double d =
                    static_cast<double>(at_point([&](auto... x) { return slope<I>(row, x...); }, rounded, k));
                singles.add(relative_error(y, d), y, d, k);
            });
        singles.report("pullback in registers of floats", arguments_at(rounded, singles.at));
    }
}

/// Along a direction in all arguments: the second derivative by duals of duals against differences of the first, and
/// the Taylor series against both.
template <class Row, class Call>
void check_orders(const Row& row, const Call& call) {
    const auto all = points<double>(row, 20, false);
    const double direction[] = {0.7, -0.4, 0.9};
    using D = ricci::dual<double>;
    using DD = ricci::dual<D>;
    using Series = ricci::taylor<double, 3>;
    const auto along = [&](auto make, const auto&... x) {
        int i = 0;
        const std::array a{make(x, direction[i++])...};
        return std::apply([&](const auto&... d) { return call(d...); }, a);
    };
    const auto second = [&](double by, auto... x) {
        return along([by](double v, double u) { return DD(D(v + by * u, u), D(u, 0)); }, x...).tangent.tangent;
    };
    const double h = 1e-5;
    worst_case duals, first, two, three;
    duals.limit = 1e-6;
    first.limit = two.limit = 1e-11;
    three.limit = 1e-5;
    for (std::size_t k = 0; k < all[0].size(); ++k)
        at_point(
            [&](auto... x) {
                const auto d = [&](double by) {
                    return along([by](double v, double u) { return D(v + by * u, u); }, x...).tangent;
                };
                const double dd = second(0, x...), difference = (d(h) - d(-h)) / (2 * h);
                duals.add(relative_error(dd, difference), dd, difference, k);
                const auto s = along(
                    [](double v, double u) {
                        Series t(v);
                        t[1] = u;
                        return t;
                    },
                    x...);
                first.add(relative_error(s[1], d(0)), s[1], d(0), k);
                two.add(relative_error(2 * s[2], dd), 2 * s[2], dd, k);
                const double third = (second(h, x...) - second(-h, x...)) / (2 * h);
                three.add(relative_error(6 * s[3], third), 6 * s[3], third, k);
                return 0;
            },
            all, k);
    duals.report("second order", arguments_at(all, duals.at));
    first.report("series, first order", arguments_at(all, first.at));
    two.report("series, second order", arguments_at(all, two.at));
    three.report("series, third order", arguments_at(all, three.at));
}

template <class Row, class Call>
void check_pointwise(const Row& row, const Call& call) {
    check_numbers<float>(row, call);
    check_numbers<double>(row, call);
    [&]<class... T>(types<T...>) { (check_numbers<T>(row, call), ...); }(row.dtypes);
    constexpr int order = decltype(row.differentiable)::value;
    if constexpr (order >= 1)
        each<arguments_v<Row>>([&](auto i) {
            CAPTURE(i());
            check_partial<i()>(row, call);
            return 0;
        });
    if constexpr (order >= 2) check_orders(row, call);
}

/// A function of one array that uses many ops, through the engine: its value, its gradient and its second order by
/// create_graph, against the same function on scalars. Its argument lies between 0.1 and 0.9.
template <class F>
void check_together(const F& f) {
    constexpr index_t n = 21;
    reference::noise random;
    const auto x = reference::make<double>(layout::contiguous, ricci::shape<1>{n},
                                           [&](index_t) { return random.between(0.1, 0.9); });
    const auto w = weights<double>(x.shape(), 3), v = weights<double>(x.shape(), 4);
    const auto scalar = [&](auto of) {
        dense y{{n}, {}};
        for (index_t i = 0; i < n; ++i) y.values.push_back(static_cast<real>(of(x.data()[i], i)));
        return y;
    };
    using D = ricci::dual<double>;
    check_near("value", f(x), scalar([&](double at, index_t) { return f(D(at, 0)).value; }), 1e-14);
    const auto slope = [&](double at, index_t i) { return w.data()[i] * f(D(at, 1)).tangent; };
    check_near("gradient", std::get<1>(ricci::vjp(f, x))(w), scalar(slope), 1e-13);

    const ricci::variable<double, 1> a(x);
    const auto y = ricci::evaluate(f(a));
    const auto g =
        ricci::autograd::grad(std::make_tuple(y), std::make_tuple(a), std::make_tuple(w), {.create_graph = true});
    ricci::backward(std::get<0>(g), v);
    const auto curvature = [&](double at, index_t i) {
        return w.data()[i] * v.data()[i] * f(ricci::dual<D>(D(at, 1), D(1, 0))).tangent.tangent;
    };
    check_near("create_graph", a.grad(), scalar(curvature), 1e-12);
}

}  // namespace table
