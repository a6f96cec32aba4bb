// Functions whose results are structs, tuples and arrays, under vmap, jvp, vjp, jacfwd, jacrev and has_aux.
#include <array>

#include "mapped.hpp"

using namespace mapped;

namespace {

template <class Mean, class Spread>
struct moments {
    Mean mean;
    Spread spread;
    friend auto members(const moments& m) { return std::tie(m.mean, m.spread); }
};
template <class Mean, class Spread>
moments(Mean, Spread) -> moments<Mean, Spread>;

const auto describe = [](auto x) { return moments{sum(x * x), evaluate(sin(x))}; };
const auto nested = [](auto x) { return ricci::tuple(describe(x), std::array{evaluate(x * x), evaluate(x + x)}, 2.0); };
const auto m = spread({4, 3});
const auto x0 = spread({3}, 5);
const auto v0 = spread({3}, 7);

}  // namespace

TEST_CASE("vmap: a struct of results, one axis for all or one for each member") {
    const auto all = vmap(describe)(m);
    check_close(all.mean, sum(m * m, 1));
    check_close(all.spread, sin(m));
    const auto each = vmap(describe, in_axes(0), out_axes(0, 1), {.chunk_size = 3})(m);
    check_close(each.mean, all.mean);
    check_close(each.spread, permute(all.spread, {1, 0}));
    const auto [described, list, constant] = vmap(nested, {.chunk_size = 3})(m);
    check_close(described.spread, all.spread);
    check_close(list[1], m + m);
    check_close(constant, full<double>({4}, 2));
}
TEST_CASE("jvp: a struct of values and a struct of tangents") {
    const auto [value, tangent] = jvp(describe, x0, v0);
    check_close(value.mean, sum(x0 * x0));
    check_close(tangent.mean, 2 * sum(x0 * v0));
    check_close(tangent.spread, cos(x0) * v0);
    const auto slope = std::get<1>(jvp(nested, x0, v0));
    check_close(std::get<1>(slope)[0], 2 * x0 * v0);
    check_close(std::get<2>(slope), zeros<double>(shape<0>{}));
}
TEST_CASE("vjp: the pullback takes cotangents in the result's structure") {
    const auto [value, pull] = vjp(describe, x0);
    check_close(value.spread, sin(x0));
    const auto expected = evaluate(6 * x0 + cos(x0) * v0);
    check_close(pull(moments{3.0, v0}), expected);
    check_close(pull(ricci::tuple(3.0, v0)), expected);  // any structure with as many arrays
    const auto scales = spread({4}, 3);
    const auto bars =
        vmap([&, p = pull](auto s) { return p(moments{s, evaluate(s * v0)}); }, {.chunk_size = 3})(scales);
    for (index_t i = 0; i < 4; ++i) check_close(bars(i), scales.at(i) * (2 * x0 + cos(x0) * v0));
    // one array that is returned twice, and one that depends on nothing
    const auto twice = vjp([](auto x) { return ricci::tuple(x, x, x0, sum(x)); }, x0);
    check_close(std::get<1>(twice)(ricci::tuple(v0, x0, v0, 2.0)), v0 + x0 + 2.0);
    CHECK_THROWS_AS(pull(moments{3.0, spread({4})}), shape_error);
}
TEST_CASE("jacfwd, jacrev: a struct of Jacobians") {
    const auto forward = jacfwd(describe)(x0), reverse = jacrev(describe)(x0);
    check_close(forward.mean, 2 * x0);
    check_close(forward.spread, eye<double>(3) * cos(x0));
    check_close(reverse.mean, forward.mean);
    check_close(reverse.spread, forward.spread);
}
TEST_CASE("has_aux: a struct beside the value") {
    const auto [gradient, aux] = grad([](auto x) { return ricci::tuple(sum(x * x), describe(x)); }, has_aux)(x0);
    check_close(gradient, 2 * x0);
    check_close(aux.spread, sin(x0));
}
TEST_CASE("a captured batch in a struct of results is found") {
    const auto outer = vmap([](auto y) {
        const auto slopes = grad([&](auto x) { return describe(x * y).mean; })(x0);
        return slopes + vmap([&](auto s) { return describe(s * y); })(v0).mean;
    });
    const auto actual = outer(m);
    for (index_t i = 0; i < 4; ++i) check_close(actual(i), 2 * x0 * m(i) * m(i) + v0 * v0 * sum(m(i) * m(i)));
}

TEST_CASE("results: a std::pair counts as a tuple") {
    const auto f = [](auto x) { return std::pair(sum(x), evaluate(2.0 * x)); };
    const auto x = spread({2, 3});
    const auto [sums, doubled] = vmap(f)(x);
    check_close(sums, sum(x, 1));
    check_close(doubled, 2.0 * x);
    const auto [value, tangent] = jvp(f, ricci::tuple(x), ricci::tuple(x));
    check_close(std::get<0>(tangent), sum(x));
    check_close(std::get<1>(tangent), 2.0 * x);
}
TEST_CASE("arguments: a std::pair is one inside, and so is its gradient") {
    const tensor<double, 1> v{1, 2, 3};
    const tensor<double, 2> m{{1, 2, 3}, {4, 5, 6}};
    const auto f = [](auto p) { return sum(matmul(p.second, p.first)); };
    const auto g = grad(f)(std::pair(v, m));
    static_assert(std::is_same_v<decltype(g), const std::pair<tensor<double, 1>, tensor<double, 2>>>);
    CHECK(array_equal(g.first, tensor<double, 1>{5, 7, 9}));
    CHECK(array_equal(g.second, tensor<double, 2>{{1, 2, 3}, {1, 2, 3}}));
}
TEST_CASE("arguments: more arrays than a word has bits") {
    std::array<tensor<double, 1>, 40> p;
    for (int i = 0; i < 40; ++i) p[static_cast<std::size_t>(i)] = full<double>({2}, i + 1.0);
    const auto f = [](const auto& q) { return sum(q[0] * q[0]) + sum(q[33] * q[39]); };
    const auto g = grad(f)(p);
    CHECK(array_equal(g[0], full<double>({2}, 2)));
    CHECK(array_equal(g[33], full<double>({2}, 40)));
    CHECK(array_equal(g[39], full<double>({2}, 34)));
    CHECK(array_equal(vmap(f)(p), full<double>({2}, 1361)));
    CHECK(std::get<1>(jvp(f, std::tuple(p), std::tuple(p))).item() == 5444);
}
