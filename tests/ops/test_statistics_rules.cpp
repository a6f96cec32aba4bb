// Derivatives and batches of statistics and of functions of samples; lift.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("statistics: derivatives and batches") {
    const auto x = spread({3, 5}), w = evaluate(square(spread({3, 5}, 9)) + 1.0);
    const tensor<double, 1> places{-2, -0.4, 0.3, 1, 2.5}, values{1, -2, 3, 0, 5};
    const auto averages = [](auto a, auto b) { return average(a, b, 1); };
    CHECK(gradgradcheck(averages, ricci::tuple(x, w)));
    CHECK(gradcheck([](auto a) { return corrcoef(a); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto a) { return corrcoef(a); }, ricci::tuple(evaluate(x * 64))));
    CHECK(gradgradcheck([](auto a) { return cov(a); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a, auto p, auto v) { return interp(a, p, v); }, ricci::tuple(x, places, values)));
    CHECK(gradcheck([](auto a) { return nanquantile(a, 0.4, 1); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto c, auto a) { return polyval(c, a); }, ricci::tuple(values, evaluate(x(0)))));
    CHECK(gradcheck([](auto y, auto p) { return gradient(y, p, -1, 2); }, ricci::tuple(x, places)));
    check_vmap(averages, in_axes(0, 0), 0, spread({2, 3, 5}), evaluate(square(spread({2, 3, 5}, 9)) + 1.0));
    check_vmap([](auto a) { return cov(a); }, spread({2, 3, 4}));
    check_vmap([&](auto a) { return interp(a, places, values, -1.0); }, x);
    check_vmap([](auto a) { return gradient(a); }, x);
    check_vmap([](auto a) { return nanmedian(a, 0); }, x);
    // NaN among the elements has no derivative
    const tensor<double, 1> holed{3, std::numeric_limits<double>::quiet_NaN(), 1, 2};
    check_close(grad([](auto a) { return nanmedian(a); })(holed), tensor<double, 1>{0, 0, 0, 1});
}

TEST_CASE("standardize: against SciPy and PyTorch, derivatives and batches") {
    const tensor<double, 2> x{{1, 2, 4, 8, -3}, {3, 1, 4, 1, 5}, {9, 2, 6, 5, 3}};
    // scipy.stats.zscore(x, axis=1, ddof=1), zscore(x, axis=0), torch.nn.functional.layer_norm(x, (5,), eps=1e-3), (3,
    // 5)
    check_close(evaluate(standardize(x, 1, {.correction = 1})(0)),
                tensor<double, 1>{-0.34676418323264896, -0.09907548092361397, 0.396301923694456, 1.3870567329305958,
                                  -1.337518992468789});
    const tensor<double, 1> column{0.7071067811865474, -1.4142135623730951, 0.7071067811865474};
    check_close(evaluate(standardize(x, 0)(all, 1)), column);
    check_close(evaluate(standardize(astype<int>(x), std::int64_t(-2))(all, 1)), column);
    const auto layer = [](auto a) { return standardize(a, -1, {.epsilon = 1e-3}); };
    check_close(evaluate(layer(x)(1)), tensor<double, 1>{0.12497559308772999, -1.1247803377895689, 0.7498535585263794,
                                                         -1.1247803377895689, 1.3747315239650286});
    check_close(evaluate(standardize(x, {0, 1}, {.epsilon = 1e-3})(2)),
                tensor<double, 1>{1.9199185031483341, -0.4799796257870837, 0.8913907336045837, 0.5485481437566668,
                                  -0.13713703593916685});
    const auto w = evaluate(square(reshape(arange<double>(15), {3, 5})));  // torch's gradient
    check_close(evaluate(grad([&](auto a) { return sum(layer(a) * w); })(x)(0)),
                tensor<double, 1>{-1.8398489785185992, -1.4355306672292998, -0.3499802744955747, 1.5442067408167492,
                                  2.081153179426723});
    CHECK(gradgradcheck(layer, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return standardize(a, {0, 1}); }, ricci::tuple(x)));
    check_vmap([](auto a) { return standardize(a, 0); }, x);
    CHECK(allclose(standardize(astype<float16>(x), 1), standardize(x, 1), 1e-3, 1e-3));
    const auto z = complex(x, matrix_transpose(reshape(x, {5, 3})));
    check_close(standardize(z, 1), evaluate((z - mean(z, 1, keepdims)) / stddev(z, 1, keepdims)));
    const auto z4 = standardize(as_strided(x, {3, 2}, {5, 2}), 1);  // rows with steps
    check_close(z4, tensor<double, 2>{{-1, 1}, {-1, 1}, {1, -1}});
    CHECK_THROWS_AS(standardize(x, 2), index_error);
}

TEST_CASE("standardize: derivatives of third order, in every mode, as those of the formula") {
    const tensor<double, 1> x{1, 2, 4, -3}, w{0.5, -1, 2, 3}, t{1, 0.5, -2, 0.25};
    const auto formula = [](auto a) { return (a - mean(a)) / sqrt(sum(square(a - mean(a))) / 3.0 + 0.25); };
    const auto op = [](auto a) { return standardize(a, 0, {.epsilon = 0.25, .correction = 1}); };
    const auto weighed = [&](const auto& f) { return [&](auto a) { return sum(f(a) * w * f(a)); }; };
    const auto third = [&](const auto& f) {
        const auto second = [&](auto a) {
            return sum(grad([&](auto b) { return sum(grad(weighed(f))(b) * t); })(a) * t);
        };
        return grad(second)(x);
    };
    check_close(third(op), third(formula));
    const auto [y, series] = jet(op, x, ricci::tuple(t, w));
    const auto [expected, terms] = jet([&](auto a) { return evaluate(formula(a)); }, x, ricci::tuple(t, w));
    check_close(std::get<1>(series), std::get<1>(terms));
    const auto rows = stack({x, w, t});
    check_close(vmap(grad(weighed(op)))(rows), vmap(grad(weighed(formula)))(rows));
    const auto along_rows = [&](auto a) { return sum(standardize(a, 1, {.epsilon = 0.25, .correction = 1}) * rows); };
    const auto by_rows = [&](auto a) { return sum(vmap(formula)(a) * rows); };
    const auto product = evaluate(rows * 2 + 1);
    check_close(hvp(along_rows, product, rows), hvp(by_rows, product, rows));
    CHECK(standardize(zeros<double>({3, 0}), 1).size() == 0);
    CHECK(grad([](auto a) { return sum(standardize(a, 1)); })(zeros<double>({3, 0})).size() == 0);
}

TEST_CASE("lift: a state that a loop changes under a transform") {
    const auto steps = [](auto rate) {
        auto state = lift(tensor<double, 1>{1, 2}, rate);
        for (int k = 0; k < 3; ++k) state = evaluate(state * rate);
        return sum(state);
    };
    const tensor<double, 0> rate(1.5);
    CHECK(steps(rate).item() == 3 * 1.5 * 1.5 * 1.5);
    CHECK(grad(steps)(rate).item() == 9 * 1.5 * 1.5);
    CHECK(hessian(steps)(rate).item() == 18 * 1.5);
    check_vmap(steps, spread({4}));
}
