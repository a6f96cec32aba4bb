// vmap and the Jacobians in chunks: the same results whatever the size, under every other transform.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto m = spread({7, 3});
const index_t sizes[] = {1, 2, 3, 6, 7, 8};  // most do not divide the batch

}  // namespace

TEST_CASE("chunks: values, axes in and out, shared arguments") {
    const auto f = [](auto x, auto w) { return x * sum(x * w); };
    const auto w = spread({3}, 4);
    const auto expected = vmap(f, in_axes(0, none))(m, w);
    for (index_t n : sizes) {
        CAPTURE(n);
        const vmap_options chunks{.chunk_size = n};
        check_close(vmap(f, in_axes(0, none), chunks)(m, w), expected);
        check_close(vmap(f, in_axes(-2, none), -1, chunks)(m, w), permute(expected, {1, 0}));
        check_close(vmap(f, in_axes(1, none), out_axes(1), chunks)(permute(m, {1, 0}), w), permute(expected, {1, 0}));
        check_close(vmap([](auto x) { return sin(x); }, chunks)(m), sin(m));
        check_close(vmap([](auto x) { return sum(x); }, 1, 0, chunks)(m), sum(m, 0));
        check_close(vmap([](auto) { return 2.0; }, chunks)(m), full<double>({7}, 2), 0);
    }
}
TEST_CASE("chunks: several results, each with its axis") {
    const auto f = [](auto x) { return ricci::tuple(x * x, sum(x), x(newaxis) + x(all, newaxis)); };
    for (index_t n : sizes) {
        CAPTURE(n);
        const auto [squares, sums, tables] = vmap(f, in_axes(0), out_axes(1, 0, -1), {.chunk_size = n})(m);
        check_close(squares, permute(m * m, {1, 0}));
        check_close(sums, sum(m, 1));
        check_close(tables, permute(m(all, newaxis) + m(all, all, newaxis), {1, 2, 0}));
    }
}
TEST_CASE("chunks: integers, read-only memory, batches without members") {
    const tensor<int, 2> n{{1, 2}, {3, 4}, {5, 6}};
    const auto doubled = vmap([](auto x) { return x * 2; }, {.chunk_size = 2})(n);
    static_assert(std::is_same_v<decltype(doubled)::value_type, int>);
    check_close(doubled, n * 2);
    const double memory[] = {1, 2, 3, 4};
    check_close(vmap([](auto x) { return x; }, {.chunk_size = 3})(borrow(std::span(memory))),
                tensor<double, 1>{1, 2, 3, 4});
    CHECK(vmap([](auto x) { return sum(x); }, {.chunk_size = 2})(zeros<double>({0, 3})).shape() == shape<1>{0});
}
TEST_CASE("chunks: no more members than a chunk are seen at once") {
    index_t most = 0, calls = 0;
    const auto f = [&](auto x) {
        ++calls;
        if constexpr (requires { x.inner(); }) most = std::max(most, x.inner().shape()[0]);
        return x;
    };
    vmap(f, {.chunk_size = 3})(m);
    CHECK(most == 3);
    CHECK(calls == 3);
}
TEST_CASE("chunks: under grad, grad of grad, jvp and another vmap") {
    const auto f = [](auto x) { return sum(sin(x) * x(0)); };
    const auto whole = [&](auto x) { return sum(square(vmap(f)(x))); };
    const auto other = spread({7, 3}, 9);
    for (index_t n : sizes) {
        CAPTURE(n);
        const auto parts = [&](auto x) { return sum(square(vmap(f, {.chunk_size = n})(x))); };
        check_close(grad(parts)(m), grad(whole)(m));
        check_close(hvp(parts, m, other), hvp(whole, m, other));
        check_close(std::get<1>(jvp(parts, m, other)), std::get<1>(jvp(whole, m, other)));
        check_close(vmap(parts, {.chunk_size = 1})(stack({m, other})), stack({whole(m), whole(other)}));
    }
}
TEST_CASE("chunks: vmap of a vjp, vjp of a vmap") {
    const auto f = [](auto x) { return tanh(x) * sum(x); };
    const auto cotangents = spread({7, 3}, 11);
    const auto rows = [&](auto x, auto c) { return std::get<1>(vjp(f, x))(c); };
    const auto expected = vmap(rows)(m, cotangents);
    for (index_t i = 0; i < 7; ++i) check_close(expected(i), rows(m(i), cotangents(i)));
    const auto pull = std::get<1>(vjp(f, m(0)));
    for (index_t n : sizes) {
        CAPTURE(n);
        check_close(vmap(rows, {.chunk_size = n})(m, cotangents), expected);
        check_close(std::get<1>(vjp(vmap(f, {.chunk_size = n}), m))(cotangents), expected);
        check_close(vmap(pull, {.chunk_size = n})(cotangents),
                    vmap(pull)(cotangents));  // one pullback, many cotangents
    }
}
TEST_CASE("chunks: variables") {
    const variable<double, 2> w = m;
    backward(sum(square(vmap([](auto x) { return x * x; }, {.chunk_size = 3})(w))));  // w^4
    check_close(w.grad(), 4 * m * m * m);
}
TEST_CASE("chunks: what a chunk_size must be") {
    const auto f = [](auto x) { return x; };
    CHECK_THROWS_WITH_AS(vmap(f, {.chunk_size = 0})(m), "[vmap] chunk_size must be at least 1: 0", value_error);
    CHECK_THROWS_AS(vmap(f, {.chunk_size = -1})(m), value_error);
    CHECK_THROWS_AS(jacfwd(f, {.chunk_size = 0})(m), value_error);
    CHECK_THROWS_AS(jacrev(f, {.chunk_size = 0})(m), value_error);
    CHECK_THROWS_AS(vmap(f, in_axes(0), 2, {.chunk_size = 2})(m), index_error);
}
TEST_CASE("chunks: an argument that all calls share is not written to by each of them") {
    const auto f = [](auto w, auto x) {
        w += 1;
        return w * x;
    };
    const char* const refused =
        "[vmap] the function is called several times here, and writes to an argument that all calls share: "
        "it is to write to a copy, auto y = x.clone()";
    const auto w = spread({3}, 4);
    const auto expected = evaluate((w + 1.0) * m);
    const auto chunks = [&](auto g, index_t size) { return vmap(g, in_axes(none, 0), {.chunk_size = size}); };
    CHECK_THROWS_WITH_AS(chunks(f, 3)(w.clone(), m), refused, value_error);
    CHECK_THROWS_WITH_AS(chunks([&](auto p, auto x) { return f(std::get<0>(p), x); }, 1)(ricci::tuple(w.clone(), 2), m),
                         refused, value_error);
    check_close(chunks(f, 7)(w.clone(), m), expected);  // one call
    check_close(chunks([&](auto v, auto x) { return f(v.clone(), x); }, 3)(w, m), expected);
    // a Jacobian's function is called for each chunk of directions, and by jacrev again for all of them
    const auto g = [&](auto x, auto v) { return f(v, x); };
    check_close(jacfwd(g)(w, w.clone()), diag(evaluate(w + 1.0)));
    CHECK_THROWS_AS(jacfwd(g, {.chunk_size = 2})(w, w.clone()), value_error);
    CHECK_THROWS_AS(jacrev(g)(w, w.clone()), value_error);
    const auto counts = [](auto x, auto y, auto c) {  // called for each of two arguments
        c += 1.0;
        return x * y * c;
    };
    CHECK_THROWS_AS(jacfwd(counts, argnums<0, 1>)(w, w, w.clone()), value_error);
}
