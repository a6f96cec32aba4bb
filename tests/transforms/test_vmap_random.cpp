// Random numbers under vmap: refused, one draw for all members, or each member's own, whatever the chunks.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto m = spread({7, 3});
const auto different = randomness::different;
const auto same = randomness::same;
constexpr std::uint64_t seed = 5;

}  // namespace

TEST_CASE("rand_like, randn_like outside of vmap: rand and randn of the example's shape") {
    generator g(seed), h(seed);
    check_close(rand_like(m, g), rand<double>({7, 3}, h), 0);
    check_close(randn_like(m * 2.0, g), randn<double>({7, 3}, h), 0);
    CHECK(g.offset() == h.offset());
    const tensor<float, 1> x{1, 2};
    const auto y = rand_like(x, generator(seed));
    static_assert(std::is_same_v<decltype(y), const tensor<float, 1>>);
    check_close(y, rand<float>({2}, generator(seed)), 0);
    // constants of every derivative: d/dx of x r is r
    const auto r = rand<double>({7, 3}, generator(seed));
    check_close(grad([](auto v) { return sum(v * rand_like(v, generator(seed))); })(m), r);
    check_close(std::get<1>(jvp([](auto v) { return rand_like(v, generator(seed)); }, m, m)), 0 * m);
}
TEST_CASE("random numbers under vmap are refused by default, wherever they are drawn") {
    generator g(seed);
    CHECK_THROWS_WITH_AS(
        vmap([&](auto x) { return x * rand<double>({3}, g); })(m),
        "[rand] random numbers inside vmap: give vmap the option {.randomness = randomness::same} for one "
        "draw that all members share, or randomness::different and draw with rand_like(x) of a mapped x",
        value_error);
    CHECK_THROWS_WITH_AS(vmap([&](auto x) { return x * randn_like(x, g); })(m),
                         "[randn_like] random numbers inside vmap: give vmap the option {.randomness = "
                         "randomness::different} or {.randomness = randomness::same}",
                         value_error);
    CHECK_THROWS_AS(vmap([&](auto x) { return x * randn<double>({3}, g); }, {.chunk_size = 2})(m), value_error);
    CHECK_THROWS_AS(vmap([&](auto x) { return x * rand_like(m(0), g); })(m),
                    value_error);  // an example that is not mapped
    CHECK(g.offset() == 0);        // nothing was drawn
    CHECK(vmap([](auto x) { return x; })(m).shape() == m.shape());
    CHECK(rand<double>({2}, g).shape() == shape<1>{2});  // what was refused is over
}
TEST_CASE("same: one draw for all members, by rand and by rand_like") {
    const auto r = rand<double>({3}, generator(seed));
    for (index_t n : {1, 2, 3, 7, 8}) {
        CAPTURE(n);
        generator g(seed), h(seed);
        const vmap_options options{.chunk_size = n, .randomness = same};
        check_close(vmap([&](auto x) { return x * rand<double>({3}, g); }, options)(m), m * r, 0);
        check_close(vmap([&](auto x) { return x * rand_like(x, h); }, options)(m), m * r, 0);
        CHECK(g.offset() == 3);
        CHECK(h.offset() == 3);
        // two draws are two, in every chunk the same two
        const auto two = [&](auto x) {
            const auto first = rand<double>({3}, g);
            return x * first - x * rand_like(x, g);
        };
        const auto y = vmap(two, {.chunk_size = n, .randomness = same})(m);
        check_close(y, m * rand<double>({3}, generator(seed, 3)) - m * rand<double>({3}, generator(seed, 6)), 0);
    }
}
TEST_CASE("different: each member's own numbers, those of one draw for the whole batch, in chunks of any size") {
    const auto r = randn<double>({7, 3}, generator(seed));
    const auto s = rand<double>({7, 3}, generator(seed, 21));
    for (index_t n : {1, 2, 3, 7, 8}) {
        CAPTURE(n);
        generator g(seed);
        const auto f = [&](auto x) {
            const auto scale = randn_like(x, g);
            const auto shift = rand_like(x, g);
            return x * scale + shift;
        };
        check_close(vmap(f, {.chunk_size = n, .randomness = different})(m), m * r + s, 0);
        CHECK(g.offset() == 42);
        // the axis that is mapped lies elsewhere
        g = generator(seed);
        check_close(vmap(f, in_axes(1), 1, {.chunk_size = n, .randomness = different})(permute(m, {1, 0})),
                    permute(m * r + s, {1, 0}), 0);
    }
}
TEST_CASE("different: rand has no batch to draw for, an example that is not mapped neither") {
    generator g(seed);
    CHECK_THROWS_WITH_AS(vmap([&](auto x) { return x * rand<double>({3}, g); }, {.randomness = different})(m),
                         "[rand] inside vmap with randomness::different gives every member the same numbers: draw with "
                         "rand_like(x) of a mapped x",
                         value_error);
    CHECK_THROWS_WITH_AS(
        vmap([&](auto x) { return x * rand_like(m(0), g); }, {.randomness = different})(m),
        "[rand_like] the example is not mapped by every vmap in progress with randomness::different, whose "
        "members would get the same numbers: give it one that is",
        value_error);
    CHECK(g.offset() == 0);
}
TEST_CASE("nested: each vmap's own choice") {
    const auto cube = spread({4, 5, 2});
    const auto f = [](generator& g) { return [&g](auto x) { return x * rand_like(x, g); }; };
    const auto nested = [&](generator& g, randomness outer, randomness inner, index_t n, index_t k) {
        return vmap([&](auto x) { return vmap(f(g), {.chunk_size = k, .randomness = inner})(x); },
                    {.chunk_size = n, .randomness = outer})(cube);
    };
    const auto each = rand<double>({4, 5, 2}, generator(seed));
    const auto rows = rand<double>({4, 1, 2}, generator(seed));
    const auto columns = rand<double>({5, 2}, generator(seed));
    const auto one = rand<double>({2}, generator(seed));
    for (index_t n : {1, 3, 4})
        for (index_t k : {2, 5}) {
            CAPTURE(n);
            CAPTURE(k);
            generator a(seed), b(seed), c(seed), d(seed);
            check_close(nested(a, different, different, n, k), cube * each, 0);
            check_close(nested(b, different, same, n, k), cube * rows, 0);
            check_close(nested(c, same, different, n, k), cube * columns, 0);
            check_close(nested(d, same, same, n, k), cube * one, 0);
            CHECK(a.offset() == 40);
            CHECK(b.offset() == 8);
            CHECK(c.offset() == 10);
            CHECK(d.offset() == 2);
        }
    generator g(seed);
    CHECK_THROWS_AS(nested(g, randomness::error, different, 4, 5), value_error);
    CHECK_THROWS_AS(nested(g, different, randomness::error, 4, 5), value_error);
    // an inner example that the outer vmap does not map
    const auto inner = [&](auto) { return vmap(f(g), {.randomness = different})(cube(0)); };
    CHECK_THROWS_AS(vmap(inner, {.randomness = different})(cube), value_error);
}
TEST_CASE("different: under grad, and a shared argument of a mapped function") {
    generator g(seed);
    const auto r = rand<double>({7, 3}, generator(seed));
    const auto noisy = [&](auto w, auto x) { return sum(w * x * rand_like(x, g)); };
    const auto per_sample = vmap(grad(noisy), in_axes(none, 0), {.chunk_size = 3, .randomness = different});
    check_close(per_sample(spread({3}), m), m * r);
    g = generator(seed);
    const auto total = [&](auto w) {
        return sum(vmap(noisy, in_axes(none, 0), {.chunk_size = 3, .randomness = different})(w, m));
    };
    check_close(grad(total)(spread({3})), sum(m * r, 0));
}
TEST_CASE("the numbers do not depend on the number of threads") {
    // 40000 members of 3: above the size from which work is split
    const auto many = ones<double>({40000, 3});
    const auto draw = [&] {
        generator g(seed);
        return vmap([&](auto x) { return x * randn_like(x, g); }, {.chunk_size = 7777, .randomness = different})(many);
    };
    const int before = num_threads();
    set_num_threads(1);
    const auto alone = draw();
    set_num_threads(4);
    const auto together = draw();
    set_num_threads(before);
    check_close(together, alone, 0);
    check_close(alone, randn<double>({40000, 3}, generator(seed)), 0);
}
TEST_CASE("different: a batch without members draws nothing") {
    generator g(seed);
    const auto f = [&](auto x) { return x * rand_like(x, g); };
    CHECK(vmap(f, {.chunk_size = 2, .randomness = different})(zeros<double>({0, 3})).shape() == shape<2>{0, 3});
    CHECK(g.offset() == 0);
}
TEST_CASE("Jacobians of functions that draw: the same numbers for all directions, arguments and aux") {
    const tensor<double, 1> x{0.5, -0.3, 0.8}, y{1, 2, 3};
    const auto r = rand<double>({3}, generator(seed));
    for (index_t n : {1, 2, 3}) {
        CAPTURE(n);
        const vmap_options chunks{.chunk_size = n};
        const auto check_drawn = [&](const auto& derivative, const auto& expected) {
            generator g(seed);
            check_close(derivative(g), expected);
            CHECK(g.offset() == 3);  // once
        };
        const auto f = [](generator& g) { return [&g](auto a) { return a * a * rand_like(a, g); }; };
        const auto h = [](generator& g) { return [&g](auto a) { return sum(a * a * a * rand<double>({3}, g)); }; };
        check_drawn([&](generator& g) { return jacfwd(f(g), chunks)(x); }, diag(evaluate(2 * x * r)));
        check_drawn([&](generator& g) { return jacrev(f(g), chunks)(x); }, diag(evaluate(2 * x * r)));
        check_drawn([&](generator& g) { return hessian(h(g), chunks)(x); }, diag(evaluate(6 * x * r)));
        check_drawn([&](generator& g) { return jacrev(jacfwd(h(g), chunks), chunks)(x); }, diag(evaluate(6 * x * r)));
        generator g(seed);
        const auto of_two = [&](auto a, auto b) { return a * b * rand_like(a, g); };
        const auto [of_x, of_y] = jacfwd(of_two, argnums<0, 1>, chunks)(x, y);
        check_close(of_x, diag(evaluate(y * r)));
        check_close(of_y, diag(evaluate(x * r)));
        g = generator(seed);
        const auto with_aux = [&](auto a) {
            const auto drawn = rand_like(a, g);
            return ricci::tuple(a * drawn, drawn);
        };
        const auto [j, drawn] = jacrev(with_aux, has_aux, chunks)(x);
        check_close(j, diag(r));
        check_close(drawn, r, 0);
        // members of a batch have numbers of their own
        g = generator(seed);
        const auto rows = vmap([&](auto a) { return jacfwd([&](auto b) { return b * rand_like(b, g); }, chunks)(a); },
                               {.randomness = different})(m);
        const auto all = rand<double>({7, 3}, generator(seed));
        for (index_t i = 0; i < 7; ++i) check_close(rows(i), diag(all(i).clone()));
    }
}
