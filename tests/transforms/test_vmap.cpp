// vmap itself: axes in and out, shared arguments, sizes, results, refusals.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto m = spread({3, 4}, 1);
const auto cube = spread({2, 3, 4}, 2);

}  // namespace

TEST_CASE("vmap: every axis in and out, counted from either end") {
    auto f = [](auto x) { return x * sum(x, 0); };
    for (int in : {0, 1, 2, -1, -2, -3})
        for (int out : {0, 1, 2, -1, -2, -3}) {
            CAPTURE(in);
            CAPTURE(out);
            check_vmap(f, in_axes(in), out, cube);
        }
}
TEST_CASE("vmap: an axis for each argument, or none") {
    auto f = [](auto a, auto b) { return a * b - b; };
    check_vmap(f, in_axes(0, 1), 0, m, permute(m, {1, 0}));
    check_vmap(f, in_axes(none, 0), -1, spread({4}), m);
    check_vmap(f, in_axes(1, none), 0, m, spread({3}));
    check_vmap(f, in_axes(-1, 0), 0, m, spread({4}));
    check_vmap([](auto a, auto b, auto c) { return a * sum(b) + c; }, in_axes(0, none, 2), 1, spread({4}), m, cube);
}
TEST_CASE("vmap: members that are scalars, and of two ranks at once") {
    check_vmap([](auto x) { return x * x + 1; }, spread({5}));
    check_vmap([](auto a, auto b) { return a * b; }, in_axes(0, 0), 0, spread({3}), m);
    check_vmap([](auto a, auto b) { return b + a; }, in_axes(0, 0), 0, m, spread({3, 2, 4}));
}
TEST_CASE("vmap: the same axis of every argument unless told otherwise") {
    check_close(vmap([](auto a, auto b) { return sum(a * b); })(m, m), sum(m * m, 1));
    check_close(vmap([](auto a, auto b) { return sum(a * b); }, 1)(m, m), sum(m * m, 0));
}
TEST_CASE("vmap: several results, each with an axis of its own") {
    auto f = [](auto x) { return ricci::tuple(evaluate(x * x), sum(x), evaluate(x(newaxis) + x(all, newaxis))); };
    const auto [squares, sums, tables] = vmap(f)(m);
    check_close(squares, m * m);
    check_close(sums, sum(m, 1));
    CHECK(tables.shape() == shape<3>{3, 4, 4});
    const auto [squares1, sums1, tables1] = vmap(f, in_axes(0), out_axes(1, 0, -1))(m);
    check_close(squares1, permute(m * m, {1, 0}));
    check_close(sums1, sum(m, 1));
    check_close(tables1, permute(tables, {1, 2, 0}));
}
TEST_CASE("vmap: a result that does not depend on the mapped argument is repeated") {
    check_close(vmap([](auto) { return 2.0; })(m), full<double>({3}, 2));
    check_close(vmap([](auto) { return m; })(spread({5}))(4), m);
    check_close(vmap([](auto a, auto b) { return evaluate(b + 0 * sum(a)); }, in_axes(0, none))(m, m)(2), m);
}
TEST_CASE("vmap: the mapped function sees the shape of one member") {
    vmap([](auto x) {
        static_assert(decltype(x)::rank == 2);
        CHECK(x.shape() == shape<2>{3, 4});
        CHECK(x.size() == 12);
        CHECK(x.shape(-1) == 4);
        return x;
    })(cube);
}
TEST_CASE("vmap: element types") {
    const tensor<int, 2> n{{1, 2, 3}, {4, 5, 6}};
    const auto sums = vmap([](auto x) { return sum(x); })(n);
    static_assert(std::is_same_v<decltype(sums)::value_type, std::int64_t>);
    CHECK(sums.at(1) == 15);
    const tensor<bool, 2> masks{{true, false, true}, {false, false, true}};
    check_close(vmap([](auto mask, auto x) { return where(mask, x, -x); })(masks, n),
                tensor<int, 2>{{1, -2, 3}, {-4, -5, 6}});
    const tensor<float, 2> single = m;
    const auto y = vmap([](auto x) { return x * 2.0; })(single);
    static_assert(std::is_same_v<decltype(y)::value_type, float>);
    const auto z = vmap([](auto x, auto k) { return x * k; }, in_axes(0, none))(single, 2);  // a C++ number
    CHECK(z.at(1, 1) == doctest::Approx(2 * m.at(1, 1)).epsilon(1e-6));
}
TEST_CASE("vmap: a batch without members, and members without elements") {
    const auto none_at_all = zeros<double>({0, 3});
    CHECK(vmap([](auto x) { return sum(sin(x)); })(none_at_all).shape() == shape<1>{0});
    CHECK(vmap([](auto x) { return x(newaxis) * x(all, newaxis); }, in_axes(0), -1)(none_at_all).shape() ==
          shape<3>{3, 3, 0});
    CHECK(vmap(grad([](auto x) { return sum(x * x); }))(none_at_all).shape() == shape<2>{0, 3});
    CHECK(vmap([](auto x) { return max(x); })(none_at_all).shape() == shape<1>{0});
    CHECK(vmap([](auto x) { return prod(x); })(none_at_all).shape() == shape<1>{0});
    check_close(vmap([](auto x) { return sum(x); })(zeros<double>({3, 0})), zeros<double>({3}));
    CHECK(vmap([](auto x) { return sin(x); }, in_axes(1))(none_at_all).shape() == shape<2>{3, 0});
    CHECK_THROWS_AS(vmap([](auto x) { return max(x); })(zeros<double>({3, 0})), value_error);
}
TEST_CASE("vmap: refusals") {
    auto f = [](auto a, auto b) { return a + b; };
    CHECK_THROWS_AS(vmap(f)(spread({3}), spread({4})), shape_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0, 1))(m, m), shape_error);
    CHECK_THROWS_AS(vmap(f, in_axes(2, 0))(m, m), index_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0, -3))(m, m), index_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0, 0), 2)(m, m), index_error);
    CHECK_THROWS_AS(vmap(f)(m, spread({3, 5})), shape_error);  // the members do not broadcast
    CHECK_THROWS_AS(vmap([](auto x) { return x(4); })(m), index_error);
    CHECK_THROWS_AS(vmap([](auto x) { return sum(x, 1); })(m), index_error);
    CHECK_THROWS_AS(vmap([](auto x) { return reshape(x, {3}); })(m), shape_error);
}
TEST_CASE("vmap: results are arrays of their own, which may be written to") {
    const auto rows = spread({3, 4}, 5), kept_rows = rows.clone();
    const auto c = spread({4}, 6), kept = c.clone();
    const auto check_own = [&](const auto& y) {
        const auto expected = evaluate(y + 1.0);
        y(ellipsis) += 1.0;  // which is refused where a view shows an element several times
        check_close(y, expected, 0);
        check_close(c, kept, 0);
        check_close(rows, kept_rows, 0);
    };
    check_own(vmap([&](auto) { return c; })(rows));
    check_own(vmap([&](auto) { return c(slice(1, 3)); }, in_axes(0), 1)(rows));
    check_own(vmap([](auto x) { return x; })(rows));
    check_own(vmap([](auto x) { return x; }, 1)(rows));
    check_own(vmap([](auto x) { return x(all, newaxis) + zeros_like(x); })(rows));
    check_own(vmap([](auto x) { return broadcast_to(x, {2, 4}); })(rows));
    check_own(vmap([](auto) { return zeros<double>({3}); })(rows));
    check_own(vmap([](auto) { return 2.0; })(rows));
    check_own(vmap([&](auto x) { return vmap([&](auto) { return x; })(c); })(rows));
    check_own(vmap([&](auto) { return grad([](auto y) { return sum(y); })(c); })(rows));
    check_own(std::get<1>(vmap([&](auto x) { return ricci::tuple(x, c); }, in_axes(0), out_axes(0, none))(rows)));
    check_own(std::get<1>(
        vmap([&](auto x, auto y) { return ricci::tuple(x, y); }, in_axes(0, none), out_axes(0, none))(rows, c)));
    check_own(jacfwd([&](auto) { return c; })(c));
    check_own(jacrev([&](auto) { return c; })(c));
    check_own(hessian([&](auto x) { return sum(x); })(c));
    const auto [one, other] = vmap([](auto x) {
        const auto y = evaluate(2 * x);
        return ricci::tuple(y, y);
    })(rows);
    one(ellipsis) += 1.0;
    check_close(other, 2 * rows, 0);
    // what f made is the result, without a copy
    const double* made = nullptr;
    const auto doubled = vmap(
        [&](auto x) {
            const auto y = evaluate(2 * x);
            if constexpr (requires { y.inner().data(); }) made = y.inner().data();
            return y;
        },
        0, 1)(rows);
    CHECK(doubled.data() == made);
}
