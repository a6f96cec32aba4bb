// Gradients of the user's own functions of several arguments, which are swept backward over a tape: against closed
// forms, and against the same function applied to whole arrays.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class F, int N>
constexpr int ops_on_tape = [] {
    using G = std::remove_cvref_t<F>;
    if constexpr (detail::goes_onto_tape<G, N>()) return detail::plan_of<G, N>::value.ops;
    else return -1;
}();

/// a b / c + exp(a - c) and what a function may do on the way: variables that change, numbers, a loop, and work in
/// vain.
inline constexpr auto several = [](auto a, auto b, auto c) {
    auto s = a * 1;
    for (int i = 0; i < 2; ++i) s = s * b;
    s /= b;
    [[maybe_unused]] const auto unused = sin(a) * 2;
    auto two = decltype(a)(1);
    two += 1;
    s = s * two / 2 / c;
    s += exp(a - c);
    return s;
};
inline constexpr auto smooth = [](auto a, auto b, auto c) {
    const auto h = a * b + sin(c);
    const auto g = h * h + h * c;  // shared
    return log(1 + g * g) * sqrt(2 + a * a) - c * c * c / (1 + exp(-b));
};
inline constexpr auto chosen = [](auto a, auto b, auto c) { return where(a > 0, sqrt(a) * b, c); };
inline constexpr auto on_complex = [](auto a, auto b, auto c) { return a * b * c + exp(a) / c; };

static_assert(ops_on_tape<decltype(several), 3> > 5);
static_assert(ops_on_tape<decltype(smooth), 3> > 10);
static_assert(ops_on_tape<decltype(chosen), 3> < 0);                                // it selects
static_assert(ops_on_tape<decltype([](auto a, auto, auto) { return a; }), 3> < 0);  // nothing to tape

template <class T>
tensor<T, 1> numbers(index_t n, int seed) {
    return evaluate(T(0.5) + rand<T>({n}, generator(static_cast<std::uint64_t>(seed))));
}
template <class X, class Y>
bool near(const X& x, const Y& y, double tolerance) {
    const tensor<typename X::value_type, 1> a = evaluate(ravel(x)), b = evaluate(ravel(y));
    if (a.size() != b.size()) return false;
    for (index_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a.at(i) - b.at(i)) <= tolerance * (1 + std::abs(b.at(i))))) return false;
    return true;
}

template <class T>
void check_closed_forms(double tolerance) {
    for (index_t n : {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 70, 1000}) {
        CAPTURE(n);
        const auto a = numbers<T>(n, 1), b = numbers<T>(n, 2), c = numbers<T>(n, 3);
        const auto [value, g] =
            value_and_grad([](auto... x) { return sum(map(several, x...)); }, argnums<0, 1, 2>)(a, b, c);
        const tensor<T, 1> e = exp(a - c);
        CHECK(near(std::get<0>(g), b / c + e, tolerance));
        CHECK(near(std::get<1>(g), a / c, tolerance));
        CHECK(near(std::get<2>(g), -a * b / (c * c) - e, tolerance));
        CHECK(value.item() == doctest::Approx(double(sum(a * b / c + e).item())).epsilon(tolerance));
    }
}

// The same function by one map and as an expression of arrays, whose rules are other ones.
inline constexpr auto by_map = [](auto x) { return sum(map(smooth, x, x * x, 1 / x)); };
inline constexpr auto by_arrays = [](auto x) { return sum(smooth(x, x * x, 1 / x)); };

}  // namespace

TEST_CASE("map, swept: closed forms, at lengths around the width of a register") {
    check_closed_forms<double>(1e-13);
    check_closed_forms<float>(2e-5);
}

TEST_CASE("map, swept: second derivatives and Taylor series, as of arrays") {
    for (index_t n : {1, 8, 19}) {
        CAPTURE(n);
        const auto x = numbers<double>(n, 4), v = numbers<double>(n, 5);
        CHECK(near(grad(by_map)(x), grad(by_arrays)(x), 1e-12));
        CHECK(near(hvp(by_map, x, v), hvp(by_arrays, x, v), 1e-11));
        CHECK(near(std::get<1>(jvp(grad(by_map), x, v)), std::get<1>(jvp(grad(by_arrays), x, v)), 1e-11));
        const auto twice = [](auto f) { return [f](auto y) { return sum(square(grad(f)(y))); }; };
        CHECK(near(grad(twice(by_map))(x), grad(twice(by_arrays))(x), 1e-10));
        const double step = 1e-6;
        const auto up = grad(by_map)(evaluate(x + step * v)), down = grad(by_map)(evaluate(x - step * v));
        CHECK(near(hvp(by_map, x, v), (up - down) / (2 * step), 1e-6));
    }
}

TEST_CASE("map, swept: batches, broadcasting, and arguments without derivative") {
    const auto x = reshape(numbers<double>(21, 6), {7, 3});
    CHECK(near(vmap(grad(by_map))(x), vmap(grad(by_arrays))(x), 1e-12));
    const auto row = numbers<double>(3, 7);
    const tensor<double, 1> two = 2 * ones<double>({3});
    const auto one = [&](auto r) { return sum(map(smooth, x, r, two)); };
    const auto other = [&](auto r) { return sum(smooth(x, r, two)); };
    CHECK(near(grad(one)(row), grad(other)(row), 1e-12));
}

TEST_CASE("map: what no tape takes, by duals as before") {
    const auto a = numbers<double>(9, 8), b = numbers<double>(9, 9), c = numbers<double>(9, 10);
    const double factor = 3;
    const auto captures = [factor](auto p, auto q, auto r) { return factor * p * q * r; };
    static_assert(ops_on_tape<decltype(captures), 3> < 0);
    const auto g = grad([&](auto p) { return sum(map(captures, p, b, c)); })(a);
    CHECK(near(g, 3.0 * b * c, 1e-14));

    tensor<double, 1> zero = zeros<double>({9});  // the branch that is not selected is infinite
    const auto [za, zb, zc] = grad([](auto... p) { return sum(map(chosen, p...)); }, argnums<0, 1, 2>)(zero, b, c);
    CHECK(near(za, zero, 0));
    CHECK(near(zb, zero, 0));
    CHECK(near(zc, ones<double>({9}), 0));

    // integers, whose quotient is no integer, beside what is differentiated
    const tensor<int, 1> three{3, 1}, two{2, 2}, none{0, 0};
    const auto quotient = [](auto p, auto q, auto r) { return p / q + r; };
    const auto above = [&](auto x) { return sum(where(map(quotient, three, two, none) > 1.2, x * x, x)); };
    CHECK(near(grad(above)(tensor<double, 1>{5, 7}), tensor<double, 1>{10, 1}, 0));

    const tensor<std::complex<double>, 1> z = complex(a, b), w = complex(b, c), u = complex(c, a);
    const auto of_map = [&](auto p) { return sum(real(map(on_complex, p, w, u))); };
    const auto of_arrays = [&](auto p) { return sum(real(on_complex(p, w, u))); };
    CHECK(near(grad(of_map)(z), grad(of_arrays)(z), 1e-13));
}
