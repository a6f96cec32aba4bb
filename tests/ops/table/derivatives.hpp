// The derivatives of a row's function: reverse mode against differences of the reference, forward mode against reverse
// mode, the second order against differences of the first; and batches against a loop over their members.
#pragma once
#include <ricci/ricci.hpp>

#include "values.hpp"

namespace table {

template <class Row>
inline constexpr int active_arguments_v = []<class... A>(std::type_identity<std::tuple<A...>>) {
    return (0 + ... + int(!A::is_mask));
}(std::type_identity<decltype(Row::args)>{});
/// The position of argument I among those that are differentiated.
template <class Row, int I>
constexpr int active_before() {
    if constexpr (I == 0) return 0;
    else return active_before<Row, I - 1>() + !argument_t<Row, I - 1>::is_mask;
}

/// The function with its masks filled in: of the arguments that are differentiated.
template <class Row, class Call, class All>
auto bind_masks(const Row&, const Call& call, const All& all) {
    return [&call, &all](const auto&... active) {
        const auto given = std::tie(active...);
        auto pick = [&](auto i) -> const auto& {
            if constexpr (argument_t<Row, i()>::is_mask) return std::get<i()>(all);
            else return std::get<active_before<Row, i()>()>(given);
        };
        return [&]<int... I>(std::integer_sequence<int, I...>) { return call(pick(std::integral_constant<int, I>{})...); }
        (std::make_integer_sequence<int, arguments_v<Row>>{});
    };
}
template <class Row, class All>
auto active_of(const All& all) {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
        return std::tuple_cat([&] {
            if constexpr (argument_t<Row, I>::is_mask) return std::tuple<>{};
            else return std::make_tuple(std::get<I>(all));
        }()...);
    }(std::make_integer_sequence<int, arguments_v<Row>>{});
}

template <class X>
auto as_tuple(const X& x) {
    if constexpr (ricci::expression<X>) return std::make_tuple(x);
    else return x;
}
template <class T, int R>
ricci::tensor<T, R> weights(const ricci::shape<R>& extents, unsigned seed) {
    reference::noise random{seed * 7919u + 12345u};
    return reference::make<T>(layout::contiguous, extents, [&](index_t) { return random.between(-1, 1); }).to(RICCI_TEST_DEVICE);
}

/// Adjoints of all active arguments for the cotangent w.
template <class F, class X, class W>
auto adjoints(const F& f, const X& x, const W& w) {
    return std::apply([&](const auto&... a) { return as_tuple(std::get<1>(ricci::vjp(f, a...))(w)); }, x);
}

template <class A>
real dot(const A& a, const dense& b) {
    const dense x = to_dense(ricci::evaluate(a).to(ricci::cpu));
    real sum = 0;
    for (std::size_t i = 0; i < x.values.size(); ++i) sum += x.values[i] * b.values[i];
    return sum;
}

/// The arguments of the derivative checks: small, those after the first broadcast.
template <class T, class Row>
auto smooth_arguments(const Row& row, unsigned seed = 17) {
    const auto all = noisy<T>(
        row,
        [&](auto i) {
            if constexpr (!is_elementwise<Row>) return std::get<i()>(row.args).shape;
            else return i() == 0 ? ricci::shape<2>{3, 9} : i() % 2 ? ricci::shape<2>{1, 9} : ricci::shape<2>{3, 1};
        },
        [](int i) { return i == 0 ? layout::reversed : layout::contiguous; }, seed);
    return std::apply([](const auto&... x) { return std::make_tuple(x.to(RICCI_TEST_DEVICE)...); }, all);
}

/// d(w . reference)/d(argument I) by central differences in long double.
template <int I, class Row>
dense difference(const Row& row, std::vector<dense> x, const dense& w) {
    auto loss = [&] {
        const dense y = [&]<int... J>(std::integer_sequence<int, J...>) {
            return expected(row, x[static_cast<std::size_t>(J)]...);
        }(std::make_integer_sequence<int, arguments_v<Row>>{});
        real sum = 0;
        for (std::size_t k = 0; k < y.values.size(); ++k) sum += w.values[k] * y.values[k];
        return sum;
    };
    dense d = dense::zeros(x[I].shape);
    for (std::size_t k = 0; k < d.values.size(); ++k) {
        const real h = 1e-6L, was = x[I].values[k];
        x[I].values[k] = was + h;
        const real above = loss();
        x[I].values[k] = was - h;
        d.values[k] = (above - loss()) / (2 * h);
        x[I].values[k] = was;
    }
    return d;
}

/// Elements that agree to a tolerance relative to the largest one (or 1).
template <class A>
void check_near(const char* what, const A& actual, const dense& truth, double tolerance) {
    const dense x = to_dense(ricci::evaluate(actual).to(ricci::cpu));
    CAPTURE(std::string(what));
    CHECK(x.shape == truth.shape);
    if (x.shape != truth.shape) return;
    real scale = 1, worst = 0;
    for (std::size_t i = 0; i < x.values.size(); ++i) {
        scale = std::max(scale, std::abs(truth.values[i]));
        const real error = std::abs(x.values[i] - truth.values[i]);
        if (!(error <= worst)) worst = error;
    }
    CAPTURE(static_cast<double>(worst / scale));
    CHECK(worst <= static_cast<real>(tolerance) * scale);
}

template <class T, class Row, class Call>
void check_first_order(const Row& row, const Call& call) {
    const auto all = smooth_arguments<T>(row);
    const auto f = bind_masks(row, call, all);
    const auto x = active_of<Row>(all);
    const auto w = weights<T>(std::apply([&](const auto&... a) { return ricci::evaluate(f(a...)).shape(); }, x), 1);
    const auto bars = adjoints(f, x, w);
    const auto references = std::apply([](const auto&... a) { return std::vector<dense>{to_dense(a.to(ricci::cpu))...}; }, all);
    const dense dense_w = to_dense(w.to(ricci::cpu));
    each<arguments_v<Row>>([&](auto i) {
        if constexpr (!argument_t<Row, i()>::is_mask) {
            CAPTURE(i());
            check_near("pullback", std::get<active_before<Row, i()>()>(bars), difference<i()>(row, references, dense_w),
                       std::is_same_v<T, float> ? 2e-5 : 1e-9);
        }
        return 0;
    });
    if constexpr (std::is_same_v<T, double>) {
        const auto v = std::apply([](const auto&... a) { return std::make_tuple(weights<T>(a.shape(), 2)...); }, x);
        const auto pushed = std::get<1>(ricci::jvp(f, x, v));
        real pulled = 0;
        each<active_arguments_v<Row>>([&](auto i) { return pulled += dot(std::get<i()>(bars), to_dense(std::get<i()>(v).to(ricci::cpu))); });
        CAPTURE(static_cast<double>(pulled));
        CHECK(std::abs(dot(pushed, dense_w) - pulled) <= 1e-12L * (1 + std::abs(pulled)));
    }
}

template <class Row, class Call>
void check_second_order(const Row& row, const Call& call) {
    const auto all = smooth_arguments<double>(row);
    const auto f = bind_masks(row, call, all);
    const auto x = active_of<Row>(all);
    const auto w = weights<double>(std::apply([&](const auto&... a) { return ricci::evaluate(f(a...)).shape(); }, x), 3);
    const auto v = std::apply([](const auto&... a) { return std::make_tuple(weights<double>(a.shape(), 4)...); }, x);
    const auto gradient = [&](const auto&... a) { return as_tuple(std::get<1>(ricci::vjp(f, a...))(w)); };
    const auto second = as_tuple(std::get<1>(ricci::jvp(gradient, x, v)));
    const double h = 1e-5;
    auto moved = [&](double by) {
        return each<active_arguments_v<Row>>([&](auto i) { return ricci::evaluate(std::get<i()>(x) + by * std::get<i()>(v)); });
    };
    const auto above = adjoints(f, moved(h), w), below = adjoints(f, moved(-h), w);
    each<active_arguments_v<Row>>([&](auto i) {
        CAPTURE(i());
        check_near("second order", std::get<i()>(second),
                   to_dense(ricci::evaluate((std::get<i()>(above) - std::get<i()>(below)) / (2 * h)).to(ricci::cpu)), 1e-6);
        return 0;
    });
}

/// vmap over axis 0 of all arguments, and of the first one alone, against calls on the members.
template <class Row, class Call>
void check_batches(const Row& row, const Call& call) {
    constexpr index_t members = 3;
    reference::noise random;
    const auto batches = each<arguments_v<Row>>([&](auto i) {
        const auto& a = std::get<i()>(row.args);
        using E = element_t<Row, i(), double>;
        auto extents = a.shape;
        if constexpr (is_elementwise<Row>) extents = i() % 2 ? ricci::shape<2>{1, 9} : ricci::shape<2>{5, 9};
        return reference::make<E>(layout::permuted, ricci::detail::prefixed(members, extents), [&](index_t) { return sample<E>(random, a.low, a.high); })
            .to(RICCI_TEST_DEVICE);
    });
    auto compare_members = [&](const auto& batched, bool all_mapped) {
        for (index_t m = 0; m < members; ++m) {
            const auto alone = each<arguments_v<Row>>([&](auto i) { return std::get<i()>(batches)(i() == 0 || all_mapped ? m : 0); });
            const auto y = std::apply([&](const auto&... a) { return ricci::evaluate(call(a...)); }, alone);
            using E = typename decltype(y)::value_type;
            check_near("vmap", batched(m), to_dense(y.to(ricci::cpu)), std::is_floating_point_v<E> ? 1e-14 : 0);
        }
    };
    std::apply([&](const auto&... b) { compare_members(ricci::evaluate(ricci::vmap(call)(b...)), true); }, batches);
    if constexpr (arguments_v<Row> > 1)
        [&]<int... I>(std::integer_sequence<int, I...>) {
            const auto one = ricci::vmap(call, ricci::in_axes([] {
                                             if constexpr (I == 0) return 0;
                                             else return ricci::none;
                                         }()...));
            compare_members(ricci::evaluate(one([&] {
                                if constexpr (I == 0) return std::get<0>(batches);
                                else return std::get<I>(batches)(0);
                            }()...)),
                            false);
        }(std::make_integer_sequence<int, arguments_v<Row>>{});
}

}  // namespace table
