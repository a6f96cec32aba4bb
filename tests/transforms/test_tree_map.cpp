// Structures of arrays gone through by tree_map and lifted.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

template <class W, class B>
struct line {
    W slope;
    B offset;
    friend auto members(const line& l) { return std::tie(l.slope, l.offset); }
};
using model = line<tensor<double, 1>, tensor<double, 0>>;

template <class W, class B>
struct two_layers {  // members share parameters
    W w1;
    B b1;
    W w2;
    B b2;
    friend auto members(const two_layers& n) { return std::tie(n.w1, n.b1, n.w2, n.b2); }
};

template <class W, class B>
struct deep_net {  // parameters that no member is of the type of
    std::array<line<W, B>, 2> layers;
    std::tuple<line<W, B>, B> head;
    friend auto members(const deep_net& n) { return std::tie(n.layers, n.head); }
};
template <class L>
struct shared_net {
    std::array<L, 2> layers;
    friend auto members(const shared_net& n) { return std::tie(n.layers); }
};

}  // namespace

TEST_CASE("tree_map: a struct of the results, or its arrays written in place") {
    const model m{{1, 2}, 3.0}, step{{10, 20}, 30.0};
    const model next = tree_map([](auto p, auto d) { return p - 0.1 * d; }, m, step);
    check_close(next.slope, tensor<double, 1>{0, 0});
    CHECK(next.offset.item() == doctest::Approx(0));
    CHECK(m.offset.item() == 3);
    tree_map([](auto p, auto d, auto e) { p += d + e; }, m, step, next);
    check_close(m.slope, tensor<double, 1>{11, 22});
    CHECK(m.offset.item() == doctest::Approx(33));
}

TEST_CASE("tree_map: tuples in arrays, numbers, other element types") {
    const std::array pairs{ricci::tuple(1.0, tensor<double, 1>{1, 2}), ricci::tuple(2.0, tensor<double, 1>{3, 4})};
    const auto counts = tree_map([](auto x) { return astype<int>(2 * x); }, pairs);
    static_assert(std::is_same_v<decltype(counts), const std::array<std::tuple<int, tensor<int, 1>>, 2>>);
    CHECK(std::get<0>(counts[1]) == 4);
    CHECK(std::get<1>(counts[1]).at(1) == 8);
}

TEST_CASE("tree_map: structs whose members share template parameters") {
    using net = two_layers<tensor<double, 2>, tensor<double, 1>>;
    const net n{{{1, 2}, {3, 4}}, {5, 6}, {{7, 8}, {9, 10}}, {11, 12}};
    // f = sum(w1) sum(w2) + sum(b1 b2): the gradients are the other sum, and the other vector
    const auto f = [](auto m) { return sum(m.w1) * sum(m.w2) + sum(m.b1 * m.b2); };
    net g = grad(f)(n);
    check_close(g.w1, full({2, 2}, 34.0));
    check_close(g.b1, n.b2);
    check_close(g.w2, full({2, 2}, 10.0));
    check_close(g.b2, n.b1);
    g = tree_map([](auto p, auto d) { return p - d; }, n, g);
    check_close(g.w2, tensor<double, 2>{{-3, -2}, {-1, 0}});
    check_close(g.b2, tensor<double, 1>{6, 6});
    const auto sums = vmap([](auto m) { return sum(m.w1) + m.b2; })(n);
    check_close(sums, tensor<double, 1>{14, 19});
}

TEST_CASE("tree_map: numbers stay numbers, so that steps can be assigned") {
    using fit = line<tensor<double, 1>, double>;
    const auto f = [](auto m) { return sum(square(m.slope)) + square(m.offset); };
    fit m{{1, 2}, 3.0};
    for (int i = 0; i < 2; ++i) m = tree_map([](auto p, auto d) { return p - 0.25 * d; }, m, grad(f)(m));  // halves it
    check_close(m.slope, tensor<double, 1>{0.25, 0.5});
    CHECK(m.offset == 0.75);
    // under a transform they are arrays of it: f of half m is f(m) / 4
    const auto half = [&](auto p) { return f(tree_map([](auto q) { return 0.5 * q; }, p)); };
    CHECK(double(grad(half)(m).offset) == 0.375);
    CHECK(double(half(m)) == doctest::Approx(0.25 * double(f(m))));
}

TEST_CASE("tree_map: under grad, an unrolled step of descent") {
    // f(m) = sum(slope^2) + offset^2 after a step of rate 0.1: 0.64 f, gradient 1.28 m
    const auto f = [](auto m) { return sum(square(m.slope)) + square(m.offset); };
    const auto stepped = [&](auto m) { return f(tree_map([](auto p, auto d) { return p - 0.1 * d; }, m, grad(f)(m))); };
    const auto g = grad(stepped)(model{{1, 2}, 3.0});
    check_close(g.slope, tensor<double, 1>{1.28, 2.56});
    CHECK(g.offset.item() == doctest::Approx(3.84));
}

TEST_CASE("lift: beside structs, of tuples, and of numbers beside duals") {
    const auto f = [](auto m, auto x) {
        auto state = lift(zeros({2}), m);
        auto moments = lift(ricci::tuple(0.0, zeros({2})), m, x);
        for (int i = 0; i < 2; ++i) {
            state = state + m.slope * x;
            moments = ricci::tuple(sum(state), evaluate(state * m.offset));
        }
        return std::get<0>(moments) + sum(std::get<1>(moments));  // 2 (1 + offset) sum(slope x)
    };
    const auto g = grad(f)(model{{1, 2}, 3.0}, tensor<double, 1>{5, 7});
    check_close(g.slope, tensor<double, 1>{40, 56});
    CHECK(g.offset.item() == doctest::Approx(38));
    const auto cube = [](auto t) {
        auto s = lift(0.0, t);
        for (int i = 0; i < 3; ++i) s = s + t * t * t;
        return s;
    };
    CHECK(derivative(cube, 2.0).second == doctest::Approx(36));
    CHECK(ricci::derivatives<2>(cube, 2.0)[2] == doctest::Approx(36));
}

TEST_CASE("tree_map: structs whose parameters are those of their members") {
    const model a{{1, 2}, 3.0}, b{{4, 5}, 6.0};
    const shared_net<model> n{{a, b}};
    // f = sum(s0 s1) + o0^2 o1: the gradients are (s1, 2 o0 o1) and (s0, o0^2)
    const auto f = [](auto m) {
        return sum(m.layers[0].slope * m.layers[1].slope) + square(m.layers[0].offset) * m.layers[1].offset;
    };
    const shared_net<model> g = grad(f)(n);
    check_close(g.layers[0].slope, b.slope);
    CHECK(g.layers[0].offset.item() == doctest::Approx(36));
    check_close(g.layers[1].slope, a.slope);
    CHECK(g.layers[1].offset.item() == doctest::Approx(9));

    const deep_net<tensor<double, 1>, tensor<double, 0>> d{{a, b}, {a, 2.0}};
    const auto h = tree_map([](auto p) { return 2 * p; }, d);
    static_assert(std::is_same_v<decltype(h.layers), std::array<model, 2>>);
    CHECK(std::get<1>(h.head).item() == 4);
    check_close(std::get<0>(h.head).slope, tensor<double, 1>{2, 4});
    const auto per = vmap([](auto m, auto x) { return sum(m.layers[1].slope * x) + m.layers[0].offset; },
                          in_axes(none, 0))(d, tensor<double, 2>{{1, 0}, {1, 1}});
    check_close(per, tensor<double, 1>{7, 12});
}
