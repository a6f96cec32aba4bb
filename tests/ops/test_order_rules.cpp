// Scans and sorting: NaN, zeros of both signs, accuracy, no elements, threads; derivatives, batches; errors.
#include <ricci/ricci.hpp>

#include "../reference.hpp"
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("order: NaN comes last, equal elements keep their order") {
    const tensor<double, 1> x{3, not_a_number, -inf, inf, -0.0, not_a_number, 0.0, 3};
    CHECK(allclose(argsort(x), tensor<int, 1>{2, 4, 6, 0, 7, 3, 1, 5}));
    CHECK(allclose(argsort(x, 0, true), tensor<int, 1>{3, 0, 7, 4, 6, 2, 1, 5}));
    const auto y = sort(x);
    CHECK(std::signbit(y.at(1)));
    CHECK(!std::signbit(y.at(2)));
    CHECK(y.at(5) == inf);
    CHECK((std::isnan(y.at(6)) && std::isnan(y.at(7))));
    CHECK(allclose(std::get<1>(topk(x, 3)), tensor<int, 1>{3, 0, 7}));
    CHECK(std::isnan(median(x).item()));
    CHECK(std::isnan(quantile(x, 0.1).item()));
    CHECK(allclose(searchsorted(tensor<double, 1>{1, 2, not_a_number}, tensor<double, 1>{0, 2, 5, not_a_number}),
                   tensor<int, 1>{0, 1, 2, 2}));
    const auto [m, at] = cummax(tensor<double, 1>{1, 3, 3, not_a_number, 9}, 0);
    CHECK(allclose(at, tensor<int, 1>{0, 1, 2, 3, 3}));
    CHECK(array_equal(cummax(tensor{{2, 1}, {3, 3}}).indices, tensor<std::int64_t, 1>{0, 0, 2, 3}));
    CHECK(array_equal(cummin(tensor{2, 1, 3}).values, tensor{2, 1, 1}));
    const tensor<double, 1> twice{not_a_number, 1, not_a_number, 0};  // the latest, as PyTorch has it
    CHECK(allclose(std::get<1>(cummin(twice, 0)), tensor<int, 1>{0, 0, 2, 2}));
    CHECK((m.at(2) == 3 && std::isnan(m.at(4))));
}

TEST_CASE("order: quantiles beside infinities, truth values across lines") {
    const double inf = std::numeric_limits<double>::infinity();
    const tensor<double, 1> low{-inf, -inf, 3}, high{1, inf, inf}, both{-inf, inf};
    CHECK(quantile(low, 0.25).item() == -inf);
    CHECK(quantile(low, 0.75).item() == -inf);
    CHECK(quantile(high, 0.25).item() == inf);
    CHECK(quantile(high, 0.75).item() == inf);
    CHECK(std::isnan(quantile(both, 0.5).item()));
    CHECK(nanquantile(low, 0.25).item() == -inf);
    const auto sorted = sort(tensor<bool, 2>{{true, false}, {false, true}, {true, false}}, 0);
    CHECK(array_equal(sorted, tensor<bool, 2>{{false, false}, {true, false}, {true, true}}));
}
TEST_CASE("order: long lines on several threads, sums of floats in double") {
    const auto x = randn<float>({4, 50000}, generator(7));
    set_num_threads(1);
    const auto sums = cumulative_sum(x, 1);
    const auto order = argsort(x, 0);
    const auto sorted = sort(x, 1);
    set_num_threads(4);
    CHECK(sum(cumulative_sum(x, 1) != sums).item() == 0);
    CHECK(sum(argsort(x, 0) != order).item() == 0);
    CHECK(sum(sort(x, 1) != sorted).item() == 0);
    set_num_threads(1);
    CHECK(all(diff(sorted, 1, 1) >= 0.0f).item());
    CHECK(cumulative_sum(ones<float>({1 << 25})).at((1 << 25) - 1) == float(1 << 25));  // float sums stop at 2^24
}

template <class T>
void check_first_places(const tensor<T, 2>& x) {
    for (const bool largest : {false, true})
        for (const int axis : {0, 1}) {
            const auto all = argsort(x, axis, largest);
            for (const index_t k : {0, 1, 7, 40, 300}) {
                const auto [values, places] = topk(x, k, axis, largest);
                const auto first = evaluate(axis == 0 ? all(slice(0, k), ricci::all) : all(ricci::all, slice(0, k)));
                CHECK_MESSAGE(array_equal(places, first), "the first ", k, " along axis ", axis);
            }
        }
}
TEST_CASE("order: the first places are those of the whole order") {
    const auto x = randn<double>({700, 501}, generator(3));
    check_first_places<double>(x);
    check_first_places<double>(where(x > 1.0, not_a_number, where(x < -1.0, inf, x)));
    check_first_places<float>(astype<float>(round(x)));  // many equal ones, zeros of both signs
    check_first_places<float16>(astype<float16>(x));
    check_first_places<double>(sort(x, 1));
    check_first_places<std::uint8_t>(astype<std::uint8_t>(abs(50 * x)));
    check_first_places<double>(where(x > -2.2, not_a_number, x));
}
TEST_CASE("order: no elements") {
    CHECK(cumulative_sum(zeros<double>({0, 3}), 0, true).shape() == shape{1, 3});
    CHECK(sort(zeros<double>({2, 0})).shape() == shape{2, 0});
    CHECK(argsort(zeros<double>({0, 2})).shape() == shape{0, 2});
    CHECK(diff(zeros<double>({0})).shape() == shape{0});
    CHECK(trapezoid(zeros<double>({2, 0}))(1).item() == 0);
    // sums of neighbours and their sum would not be float16 numbers, but the integral is
    CHECK(float(trapezoid(full<float16>({5}, float16(40000.0f)), 0.25).item()) == 40000);
    CHECK(float(trapezoid(full<float16>({5}, float16(40000.0f)), linspace(0, 1, 5).astype<float16>()).item()) == 40000);
    CHECK(std::get<0>(topk(zeros<double>({3}), 0)).shape() == shape{0});
    CHECK_THROWS_AS(median(zeros<double>({0})), value_error);
}

TEST_CASE("order: derivatives and batches") {
    const auto x = spread({3, 5}), w = spread({3, 5}, 9);
    check_close(grad([&](auto v) { return sum(cumulative_sum(v, 1) * w); })(x), flip(cumulative_sum(flip(w, 1), 1), 1));
    check_close(grad([&](auto v) { return sum(sort(v, 1) * w); })(x), put_along_axis(w, argsort(x, 1), w, 1));
    check_close(vmap([](auto v) { return cumulative_sum(v, 0); })(x), cumulative_sum(x, 1));
    check_close(vmap([](auto v) { return sort(v); })(x), sort(x, 1));
    check_close(vmap([](auto v) { return median(v); })(x), median(x, 1));
    check_close(vmap([](auto v) { return cumulative_prod(v, 0); })(x), cumulative_prod(x, 1));
    check_close(vmap([&](auto v) { return astype<double>(searchsorted(sort(x(0)), v)); })(x),
                astype<double>(searchsorted(sort(x(0)), x)));
    const tensor<double, 1> zeros_in{2, 0, 3, 0, 5};
    CHECK(sum(cumsum(x, 1) != cumulative_sum(x, 1)).item() == 0);
    CHECK(sum(cumsum(x) != cumulative_sum(x)).item() == 0);
    CHECK(sum(cumprod(x, 0) != cumulative_prod(x, 0)).item() == 0);
    const auto products = [](auto v) { return sum(cumulative_prod(v, 0)); };
    check_close(grad(products)(zeros_in), tensor<double, 1>{1, 2 + 6, 0, 0, 0});
    CHECK(gradgradcheck([](auto v) { return cumulative_prod(v, 0); }, ricci::tuple(evaluate(x(0)))));
    CHECK(gradcheck([](auto v) { return std::get<0>(cummax(v, 0)); }, ricci::tuple(evaluate(x(1)))));
    CHECK(gradcheck([](auto v) { return quantile(v, 0.3); }, ricci::tuple(evaluate(x(2)))));
    check_close(grad([](auto v) { return trapezoid(square(v), 0.5); })(x(0)),
                x(0) * tensor<double, 1>{0.5, 1, 1, 1, 0.5});
    check_close(hessian([](auto v) { return sum(square(diff(v))); })(x(0)),
                2 * matmul(matrix_transpose(diff(eye<double>(5), 1, 0)), diff(eye<double>(5), 1, 0)));
}

TEST_CASE("order: errors") {
    const auto x = spread({3, 5});
    CHECK_THROWS_WITH_AS(topk(x, 6), "[topk] 6 elements of axis 1 of shape (3, 5), which has 5", value_error);
    CHECK_THROWS_AS(sort(x, 2), index_error);
    CHECK_THROWS_AS(quantile(x, 1.5), value_error);
    CHECK_THROWS_AS(diff(x, -1), value_error);
    CHECK_THROWS_WITH_AS(trapezoid(x, spread({4})), "[trapezoid] places of shape (4,) for axis 1 of shape (3, 5)",
                         shape_error);
}

TEST_CASE("cumulative_prod: derivatives where elements are zero, along any axis, of complex numbers") {
    const auto products = [](auto v) { return sum(cumulative_prod(v, 0)); };
    // x0 + x0 x1 + x0 x1 x2 + x0 x1 x2 x3: the third derivative by x0, x1 and x2 is 1 + x3
    const auto third = jacfwd(jacrev(grad(products)))(tensor<double, 1>{0, 0, 0, 2});
    CHECK(third.at(0, 1, 2) == 3);
    CHECK(third.at(2, 0, 1) == 3);
    CHECK(third.at(0, 1, 3) == 0);
    CHECK(third.at(0, 0, 1) == 0);
    const auto x = spread({3, 5, 2}), w = spread({3, 5, 2}, 9);
    for (const int axis : {0, 1, 2}) {
        const auto weighed = [&](auto v) { return sum(cumulative_prod(v, axis) * w); };
        const auto whole = grad(weighed)(x);
        CHECK(gradcheck(weighed, ricci::tuple(x)));
        CHECK(gradgradcheck(weighed, ricci::tuple(x)));
        check_close(std::get<1>(jvp(weighed, x, w)), sum(whole * w));
        const auto part = evaluate(index(x, slice(0, 3), 0)), by = evaluate(index(w, slice(0, 3), 0));
        const int across = axis == 0, along = 1 - across;
        const auto of_line = [](auto v, auto u) { return sum(cumulative_prod(v, 0) * u); };
        check_close(vmap(grad(of_line), in_axes(across, across), out_axes(across))(part, by),
                    grad([&](auto v) { return sum(cumulative_prod(v, along) * by); })(part));
    }
    const auto z = evaluate(complex(x(0), x(1)));
    CHECK(gradgradcheck([](auto v) { return sum(real(cumulative_prod(v, 1) * std::complex<double>(1, 2))); },
                        ricci::tuple(z)));
    CHECK(grad(products)(zeros<double>({0})).size() == 0);
    CHECK(grad([](auto v) { return sum(cumprod(v, 1)); })(ones<double>({5, 1})).shape() == shape{5, 1});
}
