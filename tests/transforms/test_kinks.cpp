// Derivatives where a function has none in the strict sense: the values that PyTorch chooses, in every order and mode.
#include <limits>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

template <class F, int R>
void check_slopes(const F& f, const tensor<double, R>& x, const tensor<double, R>& expected) {
    check_close(grad([f](auto v) { return sum(f(v)); })(x), expected);
    check_close(std::get<1>(jvp(f, x, ones<double>(x.shape()))), expected);
}

}  // namespace

TEST_CASE("kinks: abs") {
    auto f = [](auto x) { return abs(x); };
    check_slopes(f, tensor<double, 1>{-2, -0.0, 0, 3}, tensor<double, 1>{-1, 0, 0, 1});
    check_close(hvp([f](auto x) { return sum(f(x)); }, tensor<double, 1>{-2, 0}, ones<double>({2})),
                zeros<double>({2}));
}
TEST_CASE("kinks: maximum and minimum share a tie") {
    const tensor<double, 1> a{1, 2, 3}, b{2, 2, 2};
    const auto [y, pull] = vjp([](auto u, auto v) { return maximum(u, v) + 10 * minimum(u, v); }, a, b);
    const auto [a_bar, b_bar] = pull(ones<double>({3}));
    check_close(a_bar, tensor<double, 1>{10, 5.5, 1});
    check_close(b_bar, tensor<double, 1>{1, 5.5, 10});
    check_slopes([](auto x) { return maximum(x, x); }, a, ones<double>({3}));
    check_slopes([](auto x) { return maximum(x, 2); }, a, tensor<double, 1>{0, 0.5, 1});
}
TEST_CASE("kinks: max and min share a tie evenly") {
    const tensor<double, 2> x{{1, 3, 3}, {2, 2, 2}};
    check_close(grad([](auto v) { return max(v); })(x), tensor<double, 2>{{0, 0.5, 0.5}, {0, 0, 0}});
    check_close(grad([](auto v) { return sum(min(v, 1)); })(x),
                tensor<double, 2>{{1, 0, 0}, {1.0 / 3, 1.0 / 3, 1.0 / 3}});
    const tensor<double, 2> x_dot{{9, 1, 2}, {3, 6, 9}};
    check_close(std::get<1>(jvp([](auto v) { return max(v, 1); }, x, x_dot)), tensor<double, 1>{1.5, 6});
}
TEST_CASE("kinks: clip is the identity up to its limits") {
    check_slopes([](auto x) { return clip(x, 0, 1); }, tensor<double, 1>{-1, 0, 0.5, 1, 2},
                 tensor<double, 1>{0, 1, 1, 1, 0});
    const tensor<double, 1> x{-1, 0.5, 2};
    const auto [y, pull] =
        vjp([](auto v, auto low, auto high) { return clip(v, low, high); }, x, zeros<double>({3}), ones<double>({3}));
    const auto [x_bar, low_bar, high_bar] = pull(ones<double>({3}));
    check_close(x_bar, tensor<double, 1>{0, 1, 0});
    check_close(low_bar, tensor<double, 1>{1, 0, 0});
    check_close(high_bar, tensor<double, 1>{0, 0, 1});
}
TEST_CASE("kinks: clip between limits that meet passes everything once") {
    const tensor<double, 1> x{-1, 1, 3}, at = ones<double>({3});
    const auto [y, pull] = vjp([](auto v, auto low, auto high) { return clip(v, low, high); }, x, at, at);
    const auto [x_bar, low_bar, high_bar] = pull(at);
    check_close(x_bar, tensor<double, 1>{0, 1, 0});
    check_close(low_bar, zeros<double>({3}));
    check_close(high_bar, tensor<double, 1>{1, 0, 1});
}
TEST_CASE("kinks: pow at 0 and with exponent 0") {
    const tensor<double, 1> x{0, 0, 0, 0, 2}, p{0, 1, 2, 3, 0};
    const auto [y, pull] = vjp([](auto a, auto b) { return pow(a, b); }, x, p);
    check_close(y, tensor<double, 1>{1, 0, 0, 0, 1});
    const auto [x_bar, p_bar] = pull(ones<double>({5}));
    check_close(x_bar, tensor<double, 1>{0, 1, 0, 0, 0});
    CHECK(p_bar.at(1) == 0);
    CHECK(p_bar.at(2) == 0);
    CHECK(p_bar.at(4) == doctest::Approx(std::log(2.0)));
    const tensor<double, 1> at{-1.5, 0, 2};
    check_slopes([](auto v) { return pow(v, 2); }, at, tensor<double, 1>{-3, 0, 4});
    check_slopes([](auto v) { return pow(v, 3.0); }, at, tensor<double, 1>{6.75, 0, 12});
    check_slopes([](auto v) { return pow(v, 0); }, at, zeros<double>({3}));
    check_close(hvp([](auto v) { return sum(pow(v, 2)); }, at, ones<double>({3})), full<double>({3}, 2));
    check_close(hvp([](auto v) { return sum(pow(v, 3)); }, at, ones<double>({3})), 6 * at);
    check_close(hvp([](auto v) { return sum(pow(v, 1)); }, at, ones<double>({3})), zeros<double>({3}));
}
TEST_CASE("kinks: pow with exponent 0 has a mixed second derivative") {
    const tensor<double, 1> a{2, 0.5, 3, 0}, b = zeros<double>({4}), expected{0.5, 2, 1.0 / 3, 0};
    auto slope = [](auto v, auto u) { return grad([v](auto w) { return sum(pow(w, v)); })(u); };
    check_close(std::get<1>(jvp([&](auto v) { return slope(v, a); }, b, ones<double>({4}))), expected);
    check_close(grad([&](auto v) { return sum(slope(v, a)); })(b), expected);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    check_close(grad([](auto v) { return sum(pow(v, zeros<double>({4}))); })(tensor<double, 1>{0, nan, inf, 5e-324}),
                zeros<double>({4}));
}
TEST_CASE("kinks: remainders where the quotient rounds to a whole number") {
    const tensor<double, 1> a{1, -1, 1, 7}, b{0.1, 0.1, -0.1, inf};  // the quotients are 9.99..., and 0
    const auto ones4 = ones<double>({4});
    check_close(grad([&](auto v) { return sum(fmod(a, v)); })(b), tensor<double, 1>{-9, 9, 9, 0});
    check_close(grad([&](auto v) { return sum(a % v); })(b), tensor<double, 1>{-9, 10, 10, 0});
    check_close(std::get<1>(jvp([&](auto v) { return a % v; }, b, ones4)), tensor<double, 1>{-9, 10, 10, 0});
}
TEST_CASE("kinks: atan2 at the origin has the derivative 0") {
    const tensor<double, 1> y{0, 0, 3}, x{0, 2, 4};
    const auto [y_bar, x_bar] = grad([](auto a, auto b) { return sum(atan2(a, b)); }, argnums<0, 1>)(y, x);
    check_close(y_bar, tensor<double, 1>{0, 0.5, 0.16});
    check_close(x_bar, tensor<double, 1>{0, 0, -0.12});
}
TEST_CASE("kinks: stddev of equal elements has the derivative 0") {
    const tensor<double, 2> x{{2, 2, 2}, {1, 2, 3}};
    const auto slope = std::sqrt(1.0 / 6);
    const tensor<double, 2> expected{{0, 0, 0}, {-slope, 0, slope}};
    check_close(grad([](auto v) { return sum(nanstddev(v, 1)); })(x), expected);
    check_close(grad([](auto v) { return sum(stddev(v, 1)); })(x), expected);
    check_close(std::get<1>(jvp([](auto v) { return stddev(v, 1); }, x, x)), tensor<double, 1>{0, 2 * slope});
    check_close(hvp([](auto v) { return sum(stddev(v, 1)); }, zeros<double>({2, 3}), x), zeros<double>({2, 3}));
}
TEST_CASE("logaddexp: the smaller share keeps its digits") {
    auto f = [](auto a, auto b) { return sum(logaddexp(a, b)); };
    const auto [a_bar, b_bar] = grad(f, argnums<0, 1>)(tensor<double, 1>{50, 0}, tensor<double, 1>{0, 40});
    const double small[] = {1 / (1 + std::exp(50.0)), 1 / (1 + std::exp(40.0))};
    CHECK(b_bar.at(0) == doctest::Approx(small[0]).scale(0));
    CHECK(a_bar.at(1) == doctest::Approx(small[1]).scale(0));
    CHECK(a_bar.at(0) == 1);
}
TEST_CASE("logaddexp: infinite ties are shared, and infinities beside numbers have it all") {
    const tensor<double, 1> a{-inf, inf, -inf, 3, 2}, b{-inf, inf, 3, -inf, 2};
    auto f = [](auto u, auto v) { return sum(logaddexp(u, v)); };
    const auto [a_bar, b_bar] = grad(f, argnums<0, 1>)(a, b);
    check_close(a_bar, tensor<double, 1>{0.5, 0.5, 0, 1, 0.5});
    check_close(b_bar, tensor<double, 1>{0.5, 0.5, 1, 0, 0.5});
    check_close(grad([&](auto u) { return sum(grad(f)(u, b)); })(a), tensor<double, 1>{0, 0, 0, 0, 0.25});
}
TEST_CASE("kinks: sqrt at 0 and log at 0 are infinite, and stay out of what does not use them") {
    const tensor<double, 1> x{0, 4};
    check_close(grad([](auto v) { return sum(sqrt(v(slice(1, 2)))); })(x), tensor<double, 1>{0, 0.25});
    CHECK(grad([](auto v) { return sum(sqrt(v)); })(x).at(0) == inf);
    CHECK(grad([](auto v) { return sum(log(v)); })(x).at(0) == inf);
}
TEST_CASE("kinks: comparisons and casts to integers have no derivative") {
    const tensor<double, 1> x{-1.5, 0.5, 2.5};
    check_close(grad([](auto v) { return sum((v > 0) * v); })(x), tensor<double, 1>{0, 1, 1});
    check_close(grad([](auto v) { return sum(astype<int>(v) * v); })(x), tensor<double, 1>{-1, 0, 2});
    check_close(grad([](auto v) { return sum(astype<double>(v > 0)); })(x), zeros<double>({3}));
    check_close(grad([](auto v) { return sum(where(logical_and(v > 0, v < 1), v * v, 0)); })(x),
                tensor<double, 1>{0, 1, 0});
}
TEST_CASE("kinks: elu") {
    auto f = [](auto x) { return elu(x, 2.0); };
    check_slopes(f, tensor<double, 1>{-inf, 0, -0.0, 3}, tensor<double, 1>{0, 2, 2, 1});
    check_close(hvp([f](auto x) { return sum(f(x)); }, tensor<double, 1>{-1, 0, 3}, ones<double>({3})),
                tensor<double, 1>{2 * std::exp(-1.0), 0, 0});
}
TEST_CASE("sinc: derivatives at and near 0, where its quotient has no digits, and on both sides of the series' end") {
    const double pi = 3.14159265358979323846;
    auto f = [](auto x) { return sinc(x); };
    for (const double x : {0.0, 1e-8, 1e-3, 0.2}) {  // the series of sin(a) / a, differentiated
        double first = 0, second = 0, third = 0, factor = 1;
        for (int n = 1; n < 15; ++n) {
            factor *= -pi * pi / (2 * n * (2 * n + 1));
            first += factor * 2 * n * std::pow(x, 2 * n - 1);
            second += factor * 2 * n * (2 * n - 1) * std::pow(x, 2 * n - 2);
            if (n > 1) third += factor * 2 * n * (2 * n - 1) * (2 * n - 2) * std::pow(x, 2 * n - 3);
        }
        CHECK(grad(f)(x).item() == doctest::Approx(first).epsilon(1e-14));
        CHECK(grad(grad(f))(x).item() == doctest::Approx(second).epsilon(1e-14));
        CHECK(grad(grad(grad(f)))(x).item() == doctest::Approx(third).epsilon(1e-13));
    }
    for (auto g : {+[](double x) { return grad([](auto v) { return sinc(v); })(x).item(); },
                   +[](double x) { return grad(grad([](auto v) { return sinc(v); }))(x).item(); }})
        CHECK(g(std::nextafter(0.25, 0)) == doctest::Approx(g(0.25)).epsilon(1e-13));
    const std::complex<double> z(0.5, 0.5), y(0.7986963159564631, -0.7986963159564631);  // numpy.sinc
    CHECK(std::abs(evaluate(sinc(tensor<std::complex<double>, 0>(z))).item() - y) < 1e-15);
    CHECK(evaluate(sinc(tensor<std::complex<double>, 0>(0.0))).item() == 1.0);
}

namespace {

/// f of the root, whose slope at 0 is infinite, where the op leaves that out.
template <class F>
void check_left_out(const F& f, const tensor<double, 1>& slope) {
    const tensor<double, 1> x{0, 4};
    const auto g = [f](auto v) { return f(sqrt(v)); };
    const auto push = [&](auto x_dot) { return std::get<1>(jvp(g, x, x_dot)); };
    check_close(push(ones<double>({2})), slope);
    check_close(vmap(push)(ones<double>({3, 2})), slope + zeros<double>({3, 2}));
    check_close(jacfwd(g)(x), diag(slope));
}

}  // namespace

// 0 * inf: torch.func.jvp and jacfwd give these; backward, where the order of the factors is another one, NaN as
// PyTorch does.
TEST_CASE("kinks: what an op leaves out counts for nothing, for one tangent and for many") {
    const tensor<double, 1> from_4{0, 0.25}, none{0, 0};
    check_left_out([](auto r) { return maximum(r, 1); }, from_4);
    check_left_out([](auto r) { return maximum(1, r); }, from_4);
    check_left_out([](auto r) { return minimum(-r, -1); }, -from_4);
    check_left_out([](auto r) { return clip(r, 0.5, 1); }, none);
    check_left_out([](auto r) { return clip(r, 0.5, 3); }, from_4);
    check_left_out([](auto r) { return where(r > 1, r, 1); }, from_4);
    check_left_out([](auto r) { return relu(r); }, from_4);
    check_left_out([](auto r) { return relu(r - 1); }, from_4);
    check_left_out([](auto r) { return abs(r); }, from_4);
    check_left_out([](auto r) { return sign(r) + floor(r) + ceil(r) + trunc(r) + round(r); }, none);
}
TEST_CASE("kinks: ties are shared in every mode, for many tangents too") {
    const tensor<double, 1> x{-1, 2, 5};
    const auto f = [](auto v) { return maximum(v, 2) + 10 * minimum(v, 2) + 100 * relu(v - 2) + 1000 * abs(v - 2); };
    const tensor<double, 1> slope{-990, 5.5, 1101};
    check_slopes(f, x, slope);
    check_close(jacfwd(f)(x), diag(slope));
    check_close(jacrev(f)(x), diag(slope));
    const auto s = [f](auto v) { return sum(f(v)); };
    check_close(vmap([&](auto v) { return hvp(s, x, v); })(ones<double>({2, 3})), zeros<double>({2, 3}));
    check_close(std::get<1>(jvp(grad(s), x, ones<double>({3}))), zeros<double>({3}));
    check_close(hessian(s)(x), zeros<double>({3, 3}));
}
TEST_CASE("kinks: what selects takes infinite and undefined tangents for many directions as for one") {
    const tensor<double, 1> x{0, 4, 0.5};
    const auto check = [&](auto f) {  // f of the root's values, a map of its own
        const auto g = [f](auto v) { return f(evaluate(sqrt(v))); };
        const auto j = jacfwd(g)(x);
        for (index_t k = 0; k < 3; ++k) {
            auto along = zeros<double>({3});
            along.data()[k] = 1;
            const auto column = evaluate(std::get<1>(jvp(g, x, along)));
            for (index_t i = 0; i < 3; ++i) {
                CHECK(std::isnan(j.at(i, k)) == std::isnan(column.at(i)));
                if (std::isfinite(column.at(i))) CHECK(j.at(i, k) == doctest::Approx(column.at(i)).epsilon(1e-14));
                else if (!std::isnan(column.at(i))) CHECK(j.at(i, k) == column.at(i));
            }
        }
    };
    const tensor<double, 1> c{0.5, -0.9, -2};
    check([c](auto r) { return relu(tanh(r) + c); });
    check([](auto r) { return relu(tanh(r) - 0.9); });
    check([](auto r) { return maximum(tanh(r), 0.0); });
    check([](auto r) { return relu(1 + r * r * exp(r)); });  // a slope of 0 that is not left out
    check([](auto r) { return where(r > 1, exp(r) * sin(r), 2.0); });
    check([](auto r) { return where(r > 1, 2.0, exp(r)); });
    check([](auto r) { return floor(3 * exp(r)); });
}
TEST_CASE("kinks: what is 0 there by choice is so in recorded gradients") {
    // d/dv of the sum of the real part of df/dv, by hand; at 0 as PyTorch has it
    const auto check_second = [](const auto& f, const auto& x, const auto& expected) {
        using T = typename std::remove_cvref_t<decltype(x)>::value_type;
        const auto part = [](const auto& slope) {
            if constexpr (is_complex_v<T>) return sum(real(slope));
            else return sum(slope);
        };
        variable<T, 1> v = x;
        const auto [slope] = autograd::grad(sum(f(v)), ricci::tuple(v), {.create_graph = true});
        check_close(slope.value(), grad([&](auto w) { return sum(f(w)); })(x));
        check_close(autograd::grad(part(slope), v), expected);
        check_close(grad([&](auto u) { return part(grad([&](auto w) { return sum(f(w)); })(u)); })(x), expected);
    };
    using C = std::complex<double>;
    const tensor<C, 1> z{C(0), C(0.6, 0.8)};
    check_second([](auto v) { return abs(v); }, z, tensor<C, 1>{C(0), C(0.64, -0.48)});
    check_second([](auto v) { return square(abs(v)); }, z, tensor<C, 1>{C(0), C(2)});
    check_second([](auto v) { return angle(v); }, z, tensor<C, 1>{C(0), C(0.96, 0.28)});
    check_second([](auto v) { return real(sign(v)); }, z, tensor<C, 1>{C(0), C(-1.152, 0.064)});
    const tensor<double, 1> x{0, 0.5}, beside{0, 1};
    check_second([&](auto v) { return atan2(v, beside); }, x, tensor<double, 1>{0, -0.64});
    check_second([](auto v) { return pow(v, v + 2); }, tensor<double, 1>{0, 1}, tensor<double, 1>{2, 8});
    const tensor<double, 1> curved{0, 2};  // of |v|^2 as the square of a root
    const tensor<double, 2> sides{{-1, 1}};
    check_second([](auto v) { return square(norm(v(all, newaxis), 1)); }, x, curved);
    check_second([](auto v) { return square(linalg::norm(v(all, newaxis), 3, 1)); }, x, curved);
    check_second([&](auto v) { return square(stddev(v(all, newaxis) * sides, 1)); }, x, curved);
    check_second([](auto v) { return square(cdist(v(all, newaxis), zeros<double>({1, 1}))); }, x, curved);
}
