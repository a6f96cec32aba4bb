// concat and stack: every way to give the list, axes, element types, layouts, derivatives, refusals.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

const auto a = spread({2, 3});
const auto b = spread({4, 3}, 9);

}  // namespace

TEST_CASE("concat: braces, tuples, vectors, arrays; any axis") {
    const auto y = concat({a, b});
    CHECK(y.shape() == shape<2>{6, 3});
    check_close(y(slice(0, 2)), a);
    check_close(y(slice(2, 6)), b);
    check_close(concat(ricci::tuple(a, b)), y);
    check_close(concat(std::vector{a, b}), y);
    check_close(concat(std::array{a, b}), y);
    const auto wide = concat({permute(a, {1, 0}), permute(b, {1, 0})}, -1);  // views whose strides are not row-major
    check_close(wide, permute(y, {1, 0}));
    CHECK(wide.is_contiguous());
    check_close(concat({a, b}, none), reshape(y, {18}));
    check_close(concat(ricci::tuple(a * 2.0, b)), concat({evaluate(a * 2.0), b}));
    check_close(concat({a}), a);
    // a reversed view and one of stride 0
    check_close(concat(ricci::tuple(b(slice(none, none, -2)), expand(a(0), {3, 3}))),
                stack({b(3), b(1), a(0), a(0), a(0)}));
}
TEST_CASE("concat: the result is new memory, empty arrays add nothing") {
    const auto y = concat({a});
    y(0, 0) = 7.0;
    CHECK(a.at(0, 0) != 7.0);
    const auto nothing = zeros<double>({0, 3});
    check_close(concat({a, nothing, a}), concat({a, a}));
    CHECK(concat({nothing, nothing}).shape() == shape<2>{0, 3});
}
TEST_CASE("concat, pad: of read-only arrays") {
    const std::vector<double> numbers{1, 2};
    const auto fixed = borrow(std::span(numbers));
    check_close(concat(ricci::tuple(fixed, 2.0 * fixed, tensor<double, 1>{7})), tensor<double, 1>{1, 2, 2, 4, 7});
    check_close(stack({fixed, fixed}), tensor<double, 2>{{1, 2}, {1, 2}});
    check_close(pad(fixed, 1), tensor<double, 1>{0, 1, 2, 0});
}
TEST_CASE("concat: element types are promoted") {
    const tensor<int, 1> n{1, 2};
    const tensor<float, 1> x{0.5f};
    const auto y = concat(ricci::tuple(n, n, x));
    static_assert(std::is_same_v<decltype(y)::value_type, promote_t<int, float>>);
    check_close(y, tensor<double, 1>{1, 2, 1, 2, 0.5});
    const tensor<bool, 1> t{true};
    static_assert(std::is_same_v<decltype(concat(ricci::tuple(t, n)))::value_type, int>);
}
TEST_CASE("stack: a new axis at any position") {
    const auto c = spread({2, 3}, 5);
    const auto first = stack({a, c});
    CHECK(first.shape() == shape<3>{2, 2, 3});
    check_close(first(1), c);
    check_close(stack({a, c}, 1), permute(first, {1, 0, 2}));
    check_close(stack(std::vector{a, c}, -1), permute(first, {1, 2, 0}));
    const tensor<double, 0> s(1.5), t(2.5);
    check_close(stack({s, t}), tensor<double, 1>{1.5, 2.5});  // scalars
}
TEST_CASE("concat, stack: derivatives of lists, repeated arrays included") {
    auto f = [](auto x, auto y) { return sum(square(concat(ricci::tuple(x, x * y, x), 1))); };
    auto g = [](auto x, auto y) { return 2 * sum(square(x)) + sum(square(x * y)); };
    const auto c = spread({2, 3}, 5);
    check_close(grad(f)(a, c), grad(g)(a, c));
    check_close(grad(f, argnums<1>)(a, c), grad(g, argnums<1>)(a, c));
    check_close(hessian([&](auto x) { return f(x, c); })(a), hessian([&](auto x) { return g(x, c); })(a));
    const auto [y, t] = jvp([](auto x) { return stack({x, x}, 1); }, a, c);
    check_close(t, stack({c, c}, 1));
    auto h = [&](auto x) { return sum(sum(grad(f)(x, c)) * x); };  // grad of grad, concat inside both
    check_close(grad(h)(a), grad([&](auto x) { return sum(sum(grad(g)(x, c)) * x); })(a));
}
TEST_CASE("concat: variables, backward and create_graph") {
    const variable<double, 2> w = a;
    const auto loss = sum(square(concat(std::vector{w, w}) * concat({w, variable<double, 2>(a)})));  // w^4 + w^2 a^2
    const auto [slope] = autograd::grad(loss, std::make_tuple(w), {.create_graph = true});
    check_close(slope.value(), 4 * a * a * a + 2 * a * a * a);
    const auto [curve] = autograd::grad(evaluate(sum(slope)), std::make_tuple(w), {.create_graph = true});
    check_close(curve.value(), 14 * a * a);  // 12 w^2 + 2 a^2
    const auto [third] = autograd::grad(evaluate(sum(curve)), std::make_tuple(w), {.retain_graph = true});
    check_close(third.value(), 24 * a);
    backward(loss);
    check_close(w.grad(), 6 * a * a * a);
}
TEST_CASE("concat: batches, shared members among them") {
    const auto rows = spread({5, 2}, 3);
    const auto fixed = spread({3}, 8);
    check_vmap([](auto x, auto y) { return concat(ricci::tuple(x, y, x)); }, in_axes(0, none), 0, rows, fixed);
    check_vmap([](auto x, auto y) { return concat(ricci::tuple(x, y)); }, in_axes(1, 0), 1, permute(rows, {1, 0}),
               spread({5, 3}, 4));
    check_vmap([](auto x) { return concat({x, x}, none); }, spread({5, 2, 3}));
    check_vmap([](auto x, auto y) { return stack(ricci::tuple(x, y), -1); }, in_axes(0, none), 1, spread({5, 3}),
               fixed);
    check_vmap([](auto x) { return grad([](auto v) { return sum(square(concat({v, v})) * concat({v, v})); })(x); },
               rows);
}
TEST_CASE("concat, stack: refusals") {
    CHECK_THROWS_WITH_AS(
        concat({a, spread({2, 4})}),
        "[concat] the arrays must agree in every axis but axis 0: array 1 has shape (2, 4), array 0 has (2, 3)",
        shape_error);
    CHECK_THROWS_WITH_AS(stack({a, b}),
                         "[stack] the arrays must have the same shape: array 1 has (4, 3), array 0 has (2, 3)",
                         shape_error);
    CHECK_THROWS_AS(concat({a, b}, 2), index_error);
    CHECK_THROWS_AS(stack({a, a}, 3), index_error);
    CHECK_THROWS_AS(concat(std::vector<tensor<double, 1>>{}), value_error);
    CHECK_THROWS_AS(stack(std::vector<tensor<double, 1>>{}), value_error);
    CHECK_THROWS_AS(concat(std::vector<tensor<double, 1>>{}, none), value_error);
}
TEST_CASE("stack: numbers among arrays of rank 0") {
    const tensor<double, 1> v{2, 3};
    const tensor<double, 1> constant{6, 1};
    check_close(stack(ricci::tuple(v(0) * v(1), 1)), constant);
    check_close(stack(ricci::tuple(1, 2.5)), tensor{1.0, 2.5});
    const auto f = [](auto x) {
        return stack(ricci::tuple(x(0) * x(1), 1.0));
    };  // NumPy's and JAX's np.array([x * y, 1.])
    check_close(f(v), constant);
    const tensor<double, 2> jacobian{{3, 2}, {0, 0}};
    check_close(jacfwd(f)(v), jacobian);
    check_close(jacrev(f)(v), jacobian);
    const auto rotation = [](auto t) {
        return stack(ricci::tuple(stack(ricci::tuple(1, 0.0f, t * 0)), stack(ricci::tuple(0, cos(t), -sin(t))),
                                  stack(ricci::tuple(0, sin(t), cos(t)))));
    };
    const double c = std::cos(2.0), s = std::sin(2.0);
    check_close(rotation(v(0)), tensor<double, 2>{{1, 0, 0}, {0, c, -s}, {0, s, c}});
    check_close(jacfwd(rotation)(v(0)), tensor<double, 2>{{0, 0, 0}, {0, -s, -c}, {0, c, -s}});
    check_close(hessian([](auto x) { return sum(square(stack(ricci::tuple(1, x(0) * x(1))))); })(v),
                tensor<double, 2>{{18, 24}, {24, 8}});
    check_close(vmap([](auto x) { return stack(ricci::tuple(x, 5, x * x), -1); })(v),
                tensor<double, 2>{{2, 5, 4}, {3, 5, 9}});

    // beside arrays numbers are weak
    const tensor<float, 0> x = 0.5f;
    const tensor<int, 0> n = 2;
    const tensor<bool, 0> b = true;
    static_assert(std::is_same_v<decltype(stack(ricci::tuple(x, 1.5)))::value_type, float>);
    static_assert(std::is_same_v<decltype(stack(ricci::tuple(1.5, n)))::value_type, double>);
    static_assert(std::is_same_v<decltype(stack(ricci::tuple(n, 7L)))::value_type, int>);
    static_assert(std::is_same_v<decltype(stack(ricci::tuple(b, 7)))::value_type, std::int64_t>);
    static_assert(std::is_same_v<decltype(stack(ricci::tuple(x, 1, n)))::value_type, promote_t<float, int>>);
    check_close(stack(ricci::tuple(1.5, n)), tensor<double, 1>{1.5, 2});
    CHECK_THROWS(stack(ricci::tuple(tensor<std::uint8_t, 0>(7), 300)));
}
TEST_CASE("stack: maps of single elements, of any kinds") {
    const tensor<double, 1> x{1, 2, 4};
    const tensor<int, 1> n{5, 6};
    const tensor<float16, 1> h{0.5f};
    const std::vector<double> numbers{7, 8};
    const auto fixed = borrow(std::span(numbers));
    check_close(stack(ricci::tuple(10.0 * (x(1) - x(0)), x(2), sqrt(x(2)))), tensor<double, 1>{10, 4, 2});
    const auto mixed = stack(ricci::tuple(n(0) + n(1), x(1) * 0.5, fixed(0), 2.0 * fixed(1), sum(x), x(0) < x(1)));
    static_assert(std::is_same_v<decltype(mixed)::value_type, double>);
    check_close(mixed, tensor<double, 1>{11, 1, 7, 16, 7, 1});
    const auto halves = stack(ricci::tuple(h(0) * h(0), h(0)));
    static_assert(std::is_same_v<decltype(halves)::value_type, float16>);
    check_close(halves, tensor<float16, 1>{0.25f, 0.5f});
    check_close(stack(ricci::tuple(complex(x(0), x(1)), x(2))),
                tensor<std::complex<double>, 1>{{1.0, 2.0}, {4.0, 0.0}});
    const auto sines = evaluate(sin(x));  // alone as in a row
    CHECK(array_equal(stack(ricci::tuple(sin(x(0)), sin(x(1)), sin(x(2)))), sines));
    auto y = zeros<double>({3});
    for (int i = 0; i < 3; ++i) y(i) = sin(x(i));
    CHECK(array_equal(y, sines));
    const auto one = stack(ricci::tuple(x(0)));
    x(0) = 9.0;
    check_close(one, tensor<double, 1>{1});  // new memory
    CHECK_THROWS_AS(stack(ricci::tuple(x(0), x(1) * 2.0), 2), index_error);
}
TEST_CASE("concat, stack: large arrays whose parts alternate in memory") {
    for (const int threads : {1, 3}) {
        set_num_threads(threads);
        for (const index_t rows : {index_t(3), index_t(7001)}) {
            const index_t n = rows == 3 ? 30001 : 13;
            const auto x = reshape(astype<double>(arange(rows * n)), {rows, n}), y = evaluate(-x);
            const auto narrow = reshape(astype<double>(arange(rows * (n - 2))), {rows, n - 2});
            const auto wide = concat({x, narrow, y}, 1);
            CHECK(wide.shape() == shape{rows, 3 * n - 2});
            CHECK(array_equal(wide(all, slice(0, n)), x));
            CHECK(array_equal(wide(all, slice(n, 2 * n - 2)), narrow));
            CHECK(array_equal(wide(all, slice(2 * n - 2, none)), y));
            const auto beside = stack({x, y, x}, 1);
            CHECK(array_equal(beside(all, 0), x));
            CHECK(array_equal(beside(all, 1), y));
            CHECK(array_equal(beside(all, 2), x));
            const auto turned = concat({x.T(), y.T()}, 1);  // of columns
            CHECK(array_equal(turned(all, slice(0, rows)), x.T()));
            CHECK(array_equal(turned(all, slice(rows, none)), y.T()));
        }
    }
    set_num_threads(1);
}
