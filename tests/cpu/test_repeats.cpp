// Expressions that hold a subexpression twice, over the same arrays, where it is computed once, and over others.
#include <doctest/doctest.h>

#include <cmath>
#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

/// The form of which the tests are: (1 - a) / (1 + b).
constexpr auto ratio = [](const auto& a, const auto& b) { return (1.0 - a) / (1.0 + b); };

template <class E>
constexpr bool shares() {
    return rc::detail::repeats_v<std::remove_cvref_t<decltype(rc::detail::make_tree(std::declval<E>()))>>.any();
}
template <class A, class B>
double at(const A& a, const B& b, index_t i, index_t j) {
    return (1 - std::exp(-2 * a.at(i, j))) / (1 + std::exp(-2 * b.at(i, j)));
}
/// exp(-2 a) and exp(-2 b) in the ratio; 4 ulp: each exp has one, the sum and the quotient half of one, 1 - a may
/// cancel.
template <class A, class B>
void check_values(const A& a, const B& b) {
    const auto y = rc::evaluate(ratio(exp(-2.0 * a), exp(-2.0 * b)));
    const auto wide_a = rc::evaluate(a + 0.0 * b), wide_b = rc::evaluate(b + 0.0 * a);
    for (index_t i = 0; i < y.shape(0); ++i)
        for (index_t j = 0; j < y.shape(1); ++j) {
            CAPTURE(i);
            CAPTURE(j);
            CHECK(std::abs(y.at(i, j) - at(wide_a, wide_b, i, j)) < 2e-15);
        }
}
rc::tensor<double, 2> numbers(index_t rows, index_t columns, unsigned seed) {
    return rc::rand<double>({rows, columns}, rc::generator(seed)) + 0.5;
}

TEST_CASE("the subtrees of a function that are repeated") {
    using tensor = rc::tensor<double, 1>;
    const auto form = [](auto x, auto y) { return ratio(exp(-2.0 * x), exp(-2.0 * y)); };
    static_assert(shares<decltype(form(tensor(), tensor()))>());
    const auto other = [](auto x, auto y) { return ratio(exp(-2.0 * x), exp(2.0 + y)); };
    static_assert(!shares<decltype(other(tensor(), tensor()))>());
    static_assert(!shares<decltype(tensor() * tensor() + tensor() * tensor())>());  // takes less than to find out
    const auto nested = [](auto x) {
        const auto e = exp(x + 1.0);
        const auto s = sin(e) / (2.0 + e);
        return s * s + e;
    };
    using tree = std::remove_cvref_t<decltype(rc::detail::make_tree(nested(tensor())))>;
    for (const int i : {0, 1, 2, 3, 4}) CHECK(rc::detail::repeats_v<tree>.slot[std::size_t(i)] == 0);
}

TEST_CASE("repeated subexpressions of the same arrays and of others") {
    for (const index_t columns : {1, 7, 16, 37, 1000}) {
        CAPTURE(columns);
        const auto x = numbers(3, columns, 1), y = numbers(3, columns, 2);
        check_values(x, x);
        check_values(x, y);
        check_values(x(rc::slice(0, 1)), x);                    // one row against all
        check_values(x, x(rc::slice(rc::none, rc::none, -1)));  // the same memory in another order
        const auto column = numbers(3, 1, 3);
        check_values(column, y);
    }
    // what stays put along rows: the same elements, others in other rows alone
    const auto column = numbers(40, 1, 3), same = column.clone(), later = column.clone();
    later.data()[33] += 1;
    const auto y = numbers(40, 24, 4);
    for (const auto& b : {column, same, later}) {
        const auto z = rc::evaluate(ratio(exp(-2.0 * column), exp(-2.0 * b)) + y);
        for (index_t i = 0; i < 40; ++i)
            for (const index_t j : {0, 23}) CHECK(std::abs(z.at(i, j) - y.at(i, j) - at(column, b, i, 0)) < 4e-15);
    }
}

TEST_CASE("repeated subexpressions with other numbers") {
    const auto x = numbers(2, 37, 1);
    for (const double p : {-2.0, 1.5}) {
        const auto y = rc::evaluate(ratio(exp(-2.0 * x), exp(p * x)));
        for (index_t i = 0; i < 2; ++i)
            for (index_t j = 0; j < 37; ++j)
                CHECK(std::abs(y.at(i, j) - (1 - std::exp(-2 * x.at(i, j))) / (1 + std::exp(p * x.at(i, j)))) < 2e-15);
    }
}

TEST_CASE("derivatives of repeated subexpressions") {
    // s^3 - s of s = 1 / (x + c), the derivatives of which are -3 s^4 + s^2 and 12 s^5 - 2 s^3
    const index_t n = 37;
    const auto x = rc::evaluate(numbers(1, n, 1)(0)), c = rc::evaluate(numbers(1, n, 2)(0)),
               v = rc::evaluate(numbers(1, n, 3)(0));
    const auto f = [&](auto z) {
        const auto s = 1.0 / (z + c);
        return sum(s * s * s - s);
    };
    const auto slope = rc::grad(f)(x);
    const auto curvature = rc::hvp(f, x, v);
    const auto [by_x, by_y] = rc::grad(
        [&](auto p, auto q) {
            const auto s = 1.0 / (p + c), t = 1.0 / (q + c);
            return sum(s * s * t - t);
        },
        rc::argnums<0, 1>)(x, v);
    for (index_t i = 0; i < n; ++i) {
        const double s = 1 / (x.at(i) + c.at(i)), t = 1 / (v.at(i) + c.at(i)), s2 = s * s;
        CHECK(slope.at(i) == doctest::Approx(s2 - 3 * s2 * s2).epsilon(1e-13));
        CHECK(curvature.at(i) == doctest::Approx((12 * s2 * s2 * s - 2 * s2 * s) * v.at(i)).epsilon(1e-13));
        CHECK(by_x.at(i) == doctest::Approx(-2 * s2 * s * t).epsilon(1e-13));
        CHECK(by_y.at(i) == doctest::Approx(t * t * (1 - s2)).epsilon(1e-13));
    }
}

}  // namespace
