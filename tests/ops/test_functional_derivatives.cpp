// Derivatives of the functions whose results stand in test_functional.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("functional: derivatives of losses and activations") {
    const auto x = spread({3, 4}), y = spread({3, 4}, 5);
    CHECK(gradcheck([](auto a) { return softsign(a) + hardswish(a) * hardsigmoid(a) + celu(a, 0.7) + tanhshrink(a); },
                    ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return softshrink(a) + hardshrink(a) + threshold(a, 0.3, 1); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto p, auto t) { return binary_cross_entropy(sigmoid(p), sigmoid(t)); }, ricci::tuple(x, y)));
    CHECK(gradcheck([](auto p, auto t) { return kl_div(p, sigmoid(t)) + kl_div(p, t, true) + poisson_nll_loss(p, t); },
                    ricci::tuple(x, y)));
    CHECK(gradcheck([](auto p, auto t) { return gaussian_nll_loss(p, t, exp(p)) + soft_margin_loss(p, t); },
                    ricci::tuple(x, y)));
    const tensor<int, 1> classes{3, 0, 1};
    CHECK(gradcheck([=](auto a, auto w) { return nll_loss(a, classes, exp(w)); }, ricci::tuple(x, evaluate(y(0)))));
    CHECK(gradcheck([](auto a, auto b) { return triplet_margin_loss(a, b, a * b, 2) + margin_ranking_loss(a, b, 1); },
                    ricci::tuple(x, y)));
    CHECK(gradcheck([](auto a, auto b) { return cosine_embedding_loss(a, b, 1) + hinge_embedding_loss(a, b > 0, 0.4); },
                    ricci::tuple(x, y)));
}

TEST_CASE("functional: binary_cross_entropy where a logarithm is infinite has torch's derivatives") {
    const tensor<double, 1> p{0, 0, 1, 1}, t{1, 0, 1, 0};
    const auto f = [](auto a, auto b) { return 4 * binary_cross_entropy(a, b); };
    CHECK(array_equal(grad(f)(p, t), tensor<double, 1>{-1e12, 0, 0, 1e12}));
    CHECK(array_equal(grad(f, argnums<1>)(p, t), tensor<double, 1>{100, 100, -100, -100}));
    CHECK(all(isfinite(hessian([=](auto a) { return f(a, t); })(p))).item());
}

TEST_CASE("functional: derivatives where pieces meet are torch's") {
    const tensor<double, 1> x{-4, -3, 0, 3, 4};
    CHECK(array_equal(grad([](auto a) { return sum(hardswish(a)); })(x), tensor<double, 1>{0, 0, 0.5, 1, 1}));
    CHECK(array_equal(grad([](auto a) { return sum(hardsigmoid(a)); })(x), tensor<double, 1>{0, 0, 1. / 6, 0, 0}));
    const tensor<double, 1> y{-1, -3, 0, 1, 2};
    CHECK(allclose(celu(y, -2), tensor<double, 1>{-1.2974425414002564, -6.96337814067613, 0, 1, 2}, 1e-15, 0));
    CHECK(allclose(grad([](auto a) { return sum(celu(a, -2)); })(y), exp(maximum(-y / 2, 0)), 1e-15, 0));
}

TEST_CASE("functional: derivatives of rel_entr where both are 0") {
    const tensor<double, 1> a{0, 2}, b{0, 1};
    const auto f = [](auto p, auto q) { return sum(rel_entr(p, q)); };
    CHECK(array_equal(grad(f)(a, b), tensor<double, 1>{0, 1 + std::log(2.0)}));
    CHECK(array_equal(grad(f, argnums<1>)(a, b), tensor<double, 1>{0, -2}));
    CHECK(array_equal(hessian([=](auto p) { return f(p, b); })(a), tensor<double, 2>{{0, 0}, {0, 0.5}}));
}

TEST_CASE("functional: negative integers in derivatives keep their sign under further ones") {
    const tensor<double, 1> x{0.3, 0.7, 1.1, 2, 3};
    const auto h = hessian([](auto a) { return sum(square(entr(a))); })(x);
    CHECK(allclose(diagonal(h), 2 * (square(1 + log(x)) + log(x)), 1e-13));
}

TEST_CASE("functional: derivatives of log_ndtr far out, by mpmath") {
    const auto f = [](auto a) { return sum(log_ndtr(a)); };
    const tensor<double, 1> x{-13.9, -14.1, -30, -1e3, -1e6, -1e10};
    const tensor<double, 1> slope{13.971216307022305, 14.170225826653482, 30.033259667433676,
                                  1000.000999998,     1000000.000001,     10000000000.0};
    const tensor<double, 1> change{-0.9949784299959248, -0.9951158225432555, -0.9988962284881099,
                                   -0.999999000006,     -0.999999999999,     -1.0};
    CHECK(allclose(grad(f)(x), slope, 1e-13, 0));
    CHECK(allclose(grad([=](auto a) { return sum(grad(f)(a)); })(x), change, 1e-10, 0));
    CHECK(allclose(grad(f)(tensor{-100.0f, -1e4f, -1e30f}), tensor{100.00999800f, 1e4f, 1e30f}, 1e-6, 0));
}

TEST_CASE("functional: derivatives of layers") {
    const auto x = spread({2, 4, 3});
    const auto w = spread({4}, 3), b = spread({4}, 6);
    CHECK(gradcheck([](auto a, auto k, auto o) { return group_norm(a, 2, k, o); }, ricci::tuple(x, w, b)));
    CHECK(gradcheck([](auto a, auto k) { return rms_norm(a, {4, 3}) + prelu(a, k); }, ricci::tuple(x, w)));
    const auto k = spread({4, 1, 2}, 30);
    const auto c = spread({2}, 5);
    CHECK(gradcheck(
        [](auto a, auto m, auto o) {
            return conv_transpose1d(a, m, o, {.stride = 2, .padding = 1, .output_padding = 1, .groups = 2});
        },
        ricci::tuple(x, k, c)));
    CHECK(gradcheck([](auto a) { return adaptive_avg_pool2d(a, {3, 2}) * adaptive_max_pool2d(a, {3, 2}); },
                    ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return interpolate<interpolation::linear>(a, {5, 2}); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return interpolate<interpolation::cubic>(a, {5}) * interpolate(a, {5}); },
                    ricci::tuple(x)));
}

TEST_CASE("functional: all that are largest in a bin share its derivative evenly") {
    const auto slope = [](const auto& x, auto f) { return grad([=](auto a) { return sum(f(a)); })(x); };
    const auto thirds = slope(ones<double>({3}), [](auto a) { return adaptive_max_pool1d(a, 1); });
    CHECK(allclose(thirds, full<double>({3}, 1.0 / 3)));
    // bins of elements 0 1, 1 2 3 and 3 4
    const auto uneven = slope(ones<double>({5}), [](auto a) { return adaptive_max_pool1d(a, 3); });
    CHECK(allclose(uneven, tensor{1. / 2, 1. / 2 + 1. / 3, 1. / 3, 1. / 3 + 1. / 2, 1. / 2}));
    const tensor<double, 2> corner{{1, 1}, {1, 0}};
    CHECK(allclose(slope(corner, [](auto a) { return adaptive_max_pool2d(a, 1); }), corner / 3.0));
    CHECK(array_equal(adaptive_max_pool1d(tensor{3, 1, -7, -9, -8}, 3), tensor{3, 1, -8}));
}
