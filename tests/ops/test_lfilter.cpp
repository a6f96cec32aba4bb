// signal::lfilter: SciPy's results, the recurrence itself, derivatives, batches, errors.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// The recurrence as it is written, of arrays of numbers and under transforms.
template <class B, class A, class X>
auto by_recurrence(const B& b, const A& a, const X& x) {
    const index_t n = x.shape()[0];
    auto y = lift(zeros<double>({n}), sum(b) + sum(a) + sum(x));
    for (index_t i = 0; i < n; ++i) {
        auto at = evaluate(0.0 * b(0) * a(0) * x(0));
        for (index_t k = 0; k < b.shape()[0] && k <= i; ++k) at = evaluate(at + b(k) * x(i - k));
        for (index_t k = 1; k < a.shape()[0] && k <= i; ++k) at = evaluate(at - a(k) * y(i - k));
        y(i) = at / a(0);
    }
    return y;
}

}  // namespace

TEST_CASE("lfilter: SciPy's results") {
    const tensor<double, 1> x{1, -2, 3, 0.5, 4, -1};
    const auto both = evaluate(stack(ricci::tuple(x, flip(x))));
    const auto same = [](const auto& y, const auto& want) { CHECK(allclose(y, want, 1e-14, 1e-14)); };
    same(signal::lfilter(tensor<double, 1>{0.5, 0.25}, tensor<double, 1>{2, -1, 0.5}, x),
         tensor<double, 1>{0.25, -0.25, 0.3125, 0.71875, 1.34375, 0.7421875});
    same(signal::lfilter(tensor<int, 1>{1, 2, 3}, tensor<int, 1>{4}, x),
         tensor<double, 1>{0.25, 0, 0.5, 0.125, 3.5, 2.125});
    same(signal::lfilter(tensor<double, 1>{1}, tensor<double, 1>{1, 0.5, 0.25, 0.125}, both, 0),
         tensor<double, 2>{{1, -2, 3, 0.5, 4, -1}, {-1.5, 5, -1, 2.75, -4, 1.5}});
    same(signal::lfilter(tensor<double, 1>{1, -1}, tensor<double, 1>{1, -0.9}, both),
         tensor<double, 2>{{1, -2.1, 3.11, 0.29899999999999993, 3.7691, -1.6078100000000002},
                           {-1, 4.1, 0.18999999999999995, 2.671, -2.5961000000000003, 0.6635099999999996}});
    // coefficients in braces
    const tensor<double, 1> decay{0.1, -0.11, 0.201, 0.2309, 0.60781, 0.447029};
    same(signal::lfilter({0.1}, {1, -0.9}, x), decay);
    same(signal::lfilter(0.1, {1, -0.9}, x), decay);
    same(signal::lfilter({0.1}, tensor<double, 1>{1, -0.9}, both, -1)(0), decay);
    same(signal::lfilter({0.1}, {1, -0.9}, x, zeros<double>({1})).y, decay);
    static_assert(std::is_same_v<decltype(signal::lfilter({0.1}, 1, astype<float>(x)))::value_type, float>);
    const auto line = arange(20.0);
    same(signal::filtfilt({0.1}, {1, -0.9}, line),
         signal::filtfilt(tensor<double, 1>{0.1}, tensor<double, 1>{1, -0.9}, line));
    // more coefficients than elements
    same(signal::lfilter(arange(1.0, 9.0), ones<double>({8}), tensor<double, 1>{1, 0, 2}), tensor<double, 1>{1, 1, 3});
    using complex = std::complex<double>;
    same(signal::lfilter(tensor<complex, 1>{{1, 1}}, tensor<complex, 1>{{1, 0}, {0, -0.5}}, tensor<double, 1>{1, 2, 3}),
         tensor<complex, 1>{{1, 1}, {1.5, 2.5}, {1.75, 3.75}});
    CHECK(signal::lfilter(ones<double>({2}), ones<double>({2}), zeros<double>({3, 0})).shape() == shape{3, 0});
    static_assert(
        std::is_same_v<decltype(signal::lfilter(tensor<float, 1>{1}, tensor<float, 1>{1}, tensor<float16, 1>{1})),
                       tensor<float, 1>>);
}
TEST_CASE("lfilter: orders for which there are kernels of their own, and others") {
    const auto x = randn({2, 40}, generator(1));
    for (index_t order = 0; order <= 11; ++order) {
        CAPTURE(order);
        const auto b = randn({order + 1}, generator(2));
        const auto a = evaluate(concat(std::make_tuple(ones({1}), randn({order}, generator(3)) / 12.0)));
        const auto y = signal::lfilter(b, a, x), turned = signal::lfilter(b, a, matrix_transpose(x), 0);
        for (index_t row : {0, 1}) CHECK(allclose(y(row), by_recurrence(b, a, evaluate(x(row))), 1e-12, 1e-12));
        CHECK(array_equal(turned, matrix_transpose(y)));
    }
}
TEST_CASE("lfilter: derivatives to third order, and batches") {
    const tensor<double, 1> b{0.5, 0.25, -1}, a{2, -1, 0.5}, x{1, -2, 3, 0.5, 4};
    const auto f = [](auto p, auto q, auto z) { return sum(sin(signal::lfilter(p, q, z))); };
    const auto g = [](auto p, auto q, auto z) { return sum(sin(by_recurrence(p, q, z))); };
    const auto same = [](const auto& p, const auto& q) { CHECK(allclose(p, q, 1e-10, 1e-12)); };
    same(signal::lfilter(b, a, x), by_recurrence(b, a, x));
    const auto [fb, fa, fx] = grad(f, argnums<0, 1, 2>)(b, a, x);
    const auto [gb, ga, gx] = grad(g, argnums<0, 1, 2>)(b, a, x);
    same(fb, gb), same(fa, ga), same(fx, gx);
    same(std::get<1>(jvp(f, ricci::tuple(b, a, x), ricci::tuple(a, b, 2 * x))),
         std::get<1>(jvp(g, ricci::tuple(b, a, x), ricci::tuple(a, b, 2 * x))));
    CHECK(gradgradcheck(f, ricci::tuple(b, a, x)));
    const auto second = hessian([&](auto q) { return f(b, q, x); });
    const auto third = jacfwd([&](auto q) { return sum(second(q), 0); })(a);
    for (index_t i = 0; i < 3; ++i) {  // by differences, of a truncation error of some 1e-9
        const auto step = evaluate(where(arange(3) == i, 1e-5, 0.0));
        const auto difference = evaluate(sum(second(evaluate(a + step)) - second(evaluate(a - step)), 0) / 2e-5);
        CHECK(allclose(third(all, i), difference, 1e-6, 1e-6));
    }
    const auto rows = evaluate(stack(ricci::tuple(a, a + 0.5)));
    const auto mapped = vmap([&](auto q) { return grad(f, argnums<1>)(b, q, x); })(rows);
    same(mapped(0), fa);
    same(mapped(1), grad(f, argnums<1>)(b, evaluate(a + 0.5), x));
    const auto lines = evaluate(stack(ricci::tuple(x, 3 * x)));
    same(vmap([&](auto z) { return signal::lfilter(b, a, z); })(lines), signal::lfilter(b, a, lines));
}
TEST_CASE("lfilter: coefficients of which one is differentiated or mapped alone") {
    const tensor<double, 1> b{1, 2}, a{1, 0.5};
    const auto x = arange(20.0);
    const auto both = [&](auto p) { return sum(signal::filtfilt(p, a, x)); };
    CHECK(gradcheck(both, ricci::tuple(b)));
    CHECK(gradcheck([&](auto q) { return sum(signal::filtfilt(b, q, x)); }, ricci::tuple(a)));
    CHECK(gradcheck([&](auto p) { return signal::lfilter_zi(p, a); }, ricci::tuple(b)));
    const auto rows = evaluate(stack(ricci::tuple(b, a)));
    const auto mapped = vmap(both)(rows);
    CHECK(allclose(mapped, stack(ricci::tuple(both(b), both(a)))));
}
TEST_CASE("lfilter: what does not fit") {
    const tensor<double, 1> x{1, 2};
    CHECK_THROWS_WITH_AS(signal::lfilter(zeros<double>({0}), x, x),
                         "[lfilter] the coefficients b (0,) and a (2,) must not be empty", shape_error);
    CHECK_THROWS_AS(signal::lfilter(x, x, x, 1), index_error);
}
