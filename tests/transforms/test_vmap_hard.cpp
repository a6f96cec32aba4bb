// vmap's hard cases, after functorch's tests: captured batches, negative axes, what is unused or constant, refusals.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto m = spread({4, 3});
const auto v = spread({5}, 9);
const auto cube = spread({2, 4, 3}, 3);

}  // namespace

TEST_CASE("nested vmap: a value that the inner function captured from the outer one") {
    // the outer product: x of the outer vmap, y of the inner one
    const auto table = vmap([](auto x) { return vmap([&](auto y) { return x * y; })(v); })(m);
    CHECK(table.shape() == shape<3>{4, 5, 3});
    check_close(table, m(all, newaxis) * v(all, newaxis));
    // captured and mapped both times
    const auto mixed = vmap([](auto x) { return vmap([&](auto y) { return y * sum(x) + x(0); })(x); })(m);
    for (index_t i = 0; i < 4; ++i) check_close(mixed(i), m(i) * sum(m(i)) + m(i, 0));
    // three deep, each captured by the next, in chunks that divide nothing
    const auto deep = vmap(
        [](auto a) {
            return vmap([&](auto b) { return vmap([&](auto c) { return sum(a) * sum(b) * c; }, {.chunk_size = 2})(v); },
                        {.chunk_size = 3})(m);
        },
        {.chunk_size = 1})(cube);
    check_close(deep, sum(cube, {1, 2})(all, newaxis, newaxis) * sum(m, 1)(all, newaxis) * v);
}
TEST_CASE("nested vmap: the inner function does not use its own argument, or only the captured one") {
    const auto y = vmap([](auto x) { return vmap([&](auto) { return x; })(v); })(m);
    for (index_t i = 0; i < 5; ++i) check_close(y(all, i), m);
    const auto z = vmap([](auto) { return vmap([](auto y) { return y; })(v); })(m);
    for (index_t i = 0; i < 4; ++i) check_close(z(i), v);
    const auto c = vmap([](auto) { return vmap([](auto) { return 1.5; })(v); })(m);
    check_close(c, full<double>({4, 5}, 1.5));
}
TEST_CASE("nested vmap: every axis of both, from the end") {
    const auto f = [](auto x) { return x * sum(x); };
    for (int a : {-3, -2, -1})
        for (int b : {-2, -1})
            for (int out : {-2, -1}) {
                CAPTURE(a);
                CAPTURE(b);
                CAPTURE(out);
                check_vmap([&](auto x) { return vmap(f, in_axes(b), out)(x); }, in_axes(a), a, cube);
            }
}
TEST_CASE("vmap: unused arguments, mapped and shared") {
    check_close(vmap([](auto x, auto) { return x; }, in_axes(0, 0))(m, spread({4})), m);
    check_close(vmap([](auto, auto y) { return y; }, in_axes(0, none))(m, v), expand(v, {4, 5}));
    check_close(vmap(grad([](auto x, auto) { return sum(x); }), in_axes(0, none))(m, v), ones<double>({4, 3}));
    // the gradient of an argument that the function does not use
    check_close(vmap(grad([](auto, auto x) { return sum(x); }))(m, m), zeros<double>({4, 3}));
    check_close(grad([](auto x) { return sum(vmap([](auto, auto y) { return sum(y); })(x, m)); })(m), zeros<double>({4, 3}));
    CHECK_THROWS_AS(vmap([](auto x, auto) { return x; }, in_axes(0, 0))(m, v), shape_error);  // even so the sizes must agree
}
TEST_CASE("vmap: results that do not depend on the batch, with derivatives") {
    const auto f = [](auto x, auto w) { return ricci::tuple(sum(w * w), sum(x * w)); };
    const auto w = spread({3}, 6);
    const auto total = [&](auto weight) {
        const auto [shared, own] = vmap(f, in_axes(0, none), {.chunk_size = 3})(m, weight);
        return sum(shared) + sum(own);  // 4 w.w + the rows' sum times w
    };
    check_close(grad(total)(w), 8 * w + sum(m, 0));
    check_close(hessian(total)(w), 8 * eye<double>(3));
}
TEST_CASE("vmap: batches of size 0 and 1, nested") {
    const auto f = [](auto x) { return vmap([&](auto y) { return y * sum(x); })(x); };
    CHECK(vmap(f)(zeros<double>({0, 3})).shape() == shape<2>{0, 3});
    CHECK(vmap(f)(zeros<double>({3, 0})).shape() == shape<2>{3, 0});
    CHECK(vmap(f, {.chunk_size = 1})(zeros<double>({0, 0})).shape() == shape<2>{0, 0});
    const auto one = spread({1, 3});
    check_close(vmap(f)(one)(0), one(0) * sum(one(0)));
    check_close(vmap([](auto x) { return sum(x); })(spread({4, 1})), spread({4}));
}
TEST_CASE("vjp of vmap and vmap of vjp, nested twice") {
    const auto f = [](auto x) { return sin(x) * sum(x); };
    const auto bars = spread({2, 4, 3}, 7);
    const auto mapped = vmap(vmap(f, {.chunk_size = 3}), {.chunk_size = 1});
    const auto expected = vmap(vmap([&](auto x, auto c) { return std::get<1>(vjp(f, x))(c); }))(cube, bars);
    check_close(std::get<1>(vjp(mapped, cube))(bars), expected);
    for (index_t i = 0; i < 2; ++i)
        for (index_t j = 0; j < 4; ++j)
            check_close(expected(i, j), cos(cube(i, j)) * bars(i, j) * sum(cube(i, j)) + sum(sin(cube(i, j)) * bars(i, j)));
}
TEST_CASE("vmap: refusals leave nothing behind") {
    const auto add = [](auto a, auto b) { return a + b; };
    CHECK_THROWS_WITH_AS(vmap(add)(m, v), "[vmap] the mapped axes differ in size: 4 and 5", shape_error);
    CHECK_THROWS_AS(vmap(add, {.chunk_size = 2})(m, v), shape_error);
    CHECK_THROWS_AS(vmap(add, in_axes(-3, 0))(m, m), index_error);
    CHECK_THROWS_AS(vmap([](auto x) { return x(7); }, {.chunk_size = 2, .randomness = randomness::same})(m), index_error);
    CHECK(rand<double>({2}, generator(1)).shape() == shape<1>{2});  // no vmap is in progress any more
    check_close(grad([](auto x) { return sum(vmap([](auto y) { return y * y; })(x)); })(v), 2 * v);
}
