// Activations, losses, normalizations, transposed convolutions and resized pictures against PyTorch, in two memory
// layouts, and what they refuse.
#include "../golden/functional.hpp"
#include "close_calls.hpp"

using namespace ricci;

namespace {

using calls::numbers;

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto x = numbers(l, shape{3, 4}, 1), y = numbers(l, shape{3, 4}, 2), z = numbers(l, shape{3, 4}, 3);
    const auto p = evaluate(sigmoid(x)), t = evaluate(sigmoid(y)), bits = evaluate(astype<double>(x > 0));
    const auto sign = evaluate(where(y > 0, 1.0, -1.0));
    const auto signs = evaluate(where(y(all, 0) > 0, 1.0, -1.0));
    const tensor<int, 1> classes{2, 0, 3};
    const auto lp = log_softmax(x, 1);
    const auto w = evaluate(square(numbers(l, shape{4}, 5)));
    const auto images = numbers(l, shape{2, 4, 6, 5}, 1);
    const auto line = images(0).reshape({2, 4, 15})(ellipsis, slice(0, 7));
    const auto k2 = numbers(l, shape{4, 3, 3, 2}, 2);
    const auto k1 = numbers(l, shape{4, 2, 3}, 4);
    const auto b = numbers(l, shape{6}, 3);
    RICCI_FUNCTIONAL_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("functional: results of PyTorch") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}

TEST_CASE("functional: special values and types") {
    const double nan = calls::not_a_number;
    CHECK(std::isnan(binary_cross_entropy(tensor{-0.5}, tensor{1.0}).item()));
    CHECK(std::isnan(binary_cross_entropy(tensor{nan}, tensor{1.0}).item()));
    CHECK(std::isnan(adaptive_max_pool1d(tensor{1.0, nan, 2.0}, 2)(0).item()));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(array_equal(adaptive_avg_pool1d(tensor{inf, 1.0, 2.0, 3.0, 4.0}, 3), tensor{inf, 2.0, 3.5}));
    CHECK(array_equal(isnan(interpolate<interpolation::area>(tensor{nan, 1.0, 2.0, 3.0, 4.0}, {3})),
                      tensor{true, false, false}));
    CHECK(all(isnan(softshrink(tensor{nan}) + hardshrink(tensor{nan}) + threshold(tensor{nan}, 0, 1))).item());
    CHECK(softsign(1.0) == 0.5);
    const tensor<double, 1> steep{-1, 0.5, 3}, beta{2, 0.5, 30};
    const tensor<double, 1> soft{0.063464005521486247, 1.65187883975768712, 3};
    CHECK(allclose(softplus(steep, beta), soft, 1e-14, 0));
    CHECK(softplus(0.5, 0.5) == doctest::Approx(1.65187883975768712).epsilon(1e-15));
    CHECK(array_equal(softplus(tensor{1, 2}, 2), softplus(tensor{1.0, 2.0}, 2.0)));
    static_assert(std::is_same_v<decltype(evaluate(softplus(tensor{1.0f}, 2.0)))::value_type, float>);
    CHECK(allclose(grad([&](auto a) { return sum(softplus(a, beta)); })(steep), sigmoid(beta * steep), 1e-14, 0));
    CHECK(atleast_1d(sum(ones<double>({2}))).shape() == shape{1});
    CHECK(atleast_2d(ones<double>({2})).shape() == shape{1, 2});
    CHECK(array_equal(interpolate(tensor{1, 2}, {4}), tensor{1, 1, 2, 2}));
    static_assert(std::is_same_v<decltype(interpolate(tensor{1, 2}, {4}))::value_type, int>);
    static_assert(std::is_same_v<decltype(adaptive_avg_pool1d(tensor{1, 2}, 1))::value_type, double>);
    static_assert(std::is_same_v<decltype(rms_norm(tensor{1.0f, 2.0f}, 2))::value_type, float>);
    static_assert(std::is_same_v<decltype(evaluate(softsign(tensor{1.0f})))::value_type, float>);
    CHECK(rms_norm(zeros<float>({2}), 2, 0.0).size() == 2);
    CHECK(group_norm(zeros<double>({0, 4, 3}), 2).shape() == shape{0, 4, 3});
    CHECK(conv_transpose1d(zeros<double>({0, 2, 3}), ones<double>({2, 1, 2})).shape() == shape{0, 1, 4});
    CHECK(array_equal(conv_transpose2d(ones<double>({1, 3, 3}), tensor<double, 4>{{{{inf, 1}, {1, 1}}}}),
                      tensor<double, 3>{{{inf, inf, inf, 1}, {inf, inf, inf, 2}, {inf, inf, inf, 2}, {1, 2, 2, 1}}}));
}

TEST_CASE("functional: refusals") {
    const auto x = ones<double>({2, 4, 6, 5});
    CHECK_THROWS_WITH_AS(
        conv_transpose2d(x, ones<double>({3, 3, 2, 2})),
        "[conv_transpose2d] 1 groups of weights of shape (3, 3, 2, 2) for pictures of shape (2, 4, 6, 5): "
        "channels 4 and 3",
        shape_error);
    CHECK_THROWS_WITH_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), {.stride = 2, .output_padding = {0, 2}}),
                         "[conv_transpose2d] axis 1: stride 2, padding 0, output_padding 2, dilation 1", value_error);
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), {.padding = 4}), shape_error);
    constexpr index_t far = std::numeric_limits<index_t>::max() / 2 + 1;  // 4 of them are 0 to an index
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 5, 5}), {.dilation = far}), value_error);
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), {.stride = far}), value_error);
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), {.padding = far}), value_error);
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), ones<double>({4})), shape_error);
    CHECK_THROWS_WITH_AS(group_norm(x, 3), "[group_norm] 3 groups do not divide the 4 channels of shape (2, 4, 6, 5)",
                         shape_error);
    CHECK_THROWS_WITH_AS(rms_norm(x, {6}), "[rms_norm] extent 6 for axis 3 of shape (2, 4, 6, 5), which has 5",
                         shape_error);
    CHECK_THROWS_WITH_AS(glu(x), "[glu] axis 3 of shape (2, 4, 6, 5) has no halves", shape_error);
    CHECK_THROWS_AS(prelu(x, ones<double>({3})), shape_error);
    CHECK_THROWS_WITH_AS(adaptive_avg_pool2d(x, {3, 0}),
                         "[adaptive_avg_pool2d] axis 3 of shape (2, 4, 6, 5) cannot be resized to 0 elements",
                         value_error);
    CHECK_THROWS_AS(interpolate(x, {2, 2}, true), value_error);
    CHECK_THROWS_WITH_AS(pixel_shuffle(x, 3), "[pixel_shuffle] channels of shape (2, 4, 6, 5) for a factor of 3",
                         shape_error);
    CHECK_THROWS_AS(pixel_unshuffle(x, 2), shape_error);
    CHECK_THROWS_AS(nll_loss(ones<double>({2, 3}), tensor{0, 3}), index_error);
    CHECK_THROWS_WITH_AS(nll_loss(ones<double>({2, 3}), tensor{0, -1}),
                         "[nll_loss] class -1 does not lie between 0 and 2", index_error);
    CHECK_THROWS_AS(nll_loss(ones<double>({2, 3}), tensor{0, -1}, ones<double>({3})), index_error);
    CHECK_THROWS_AS(nll_loss(ones<double>({2, 3}), tensor{0, 1}, ones<double>({2})), shape_error);
    CHECK_THROWS_WITH_AS(pairwise_distance(ones<double>({2}), ones<double>({2}), -0.5),
                         "[pairwise_distance] the order must not be negative: -0.5", value_error);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_AS(adaptive_max_pool2d(x, most), value_error);
    CHECK_THROWS_WITH_AS(
        adaptive_avg_pool2d(x, {most, index_t(1)}),
        "[adaptive_avg_pool2d] axis 2 of shape (2, 4, 6, 5) cannot be resized to 9223372036854775807 elements",
        value_error);
    CHECK_THROWS_AS(fold(ones<double>({1, 4, 9}), most, 2), value_error);
    CHECK_THROWS_AS(fold(ones<double>({1, 4, 9}), {most / 8, most / 8}, 2), value_error);
    CHECK_THROWS_AS(fold(ones<double>({1, 4, 9}), {4, 4}, {index_t(-1), most}), value_error);
    CHECK_THROWS_AS(conv_transpose2d(x, ones<double>({4, 3, 2, 2}), ones<double>({3}), {.groups = most}), shape_error);
}

TEST_CASE("losses: integers do not wrap around") {
    const tensor<std::uint8_t, 1> x{0, 200}, y{1, 20};
    CHECK(mse_loss(x, y).item() == 16200.5);
    CHECK(mse_loss(tensor{100000}, tensor{0}).item() == 1e10);
    CHECK(mse_loss(tensor{100000}, 0).item() == 1e10);
    CHECK(l1_loss<reduction::sum>(x, y).item() == 181);
    CHECK(l1_loss<reduction::sum>(tensor{std::numeric_limits<int>::min()}, 1).item() == 2147483649.0);
    CHECK(huber_loss<reduction::sum>(x, y).item() == 0.5 + 179.5);
    CHECK(smooth_l1_loss<reduction::sum>(x, y, 2).item() == 0.25 + 179);
    CHECK(gaussian_nll_loss<reduction::none>(x, y, tensor{1, 1}).at(1) == 16200);
    CHECK(margin_ranking_loss<reduction::sum>(x, y, tensor{1, -1}).item() == 181);
    CHECK(soft_margin_loss<reduction::sum>(y, tensor<std::uint8_t, 1>{0, 1}).item() ==
          doctest::Approx(std::log(2) + std::log1p(std::exp(-20))));
    CHECK(poisson_nll_loss<reduction::none>(y, x).at(1) == doctest::Approx(std::exp(20) - 4000));
    static_assert(std::is_same_v<decltype(mse_loss(tensor<float, 1>{1}, tensor{1.0f}))::value_type, float>);
    static_assert(std::is_same_v<decltype(mse_loss(tensor<float, 1>{1}, 1))::value_type, float>);
    static_assert(std::is_same_v<decltype(huber_loss(tensor<float, 1>{1}, 1))::value_type, float>);
}

TEST_CASE("huber_loss: smooth at 0, finite slopes everywhere, thresholds") {
    const double inf = std::numeric_limits<double>::infinity();
    const auto huber = [](auto a) { return huber_loss<reduction::sum>(a, 0.0, 2); };
    const auto smooth = [](auto a) { return smooth_l1_loss<reduction::sum>(a, 0.0, 2); };
    const tensor x{0.0, 1.0, 2.0, -3.0, inf};
    CHECK(array_equal(grad(huber)(x), tensor{0.0, 1.0, 2.0, -2.0, 2.0}));
    CHECK(array_equal(hvp(huber, tensor{0.0, 1.0, -3.0}, tensor{1.0, 1.0, 1.0}), tensor{1.0, 1.0, 0.0}));
    CHECK(array_equal(hvp(smooth, tensor{0.0, 1.0, -3.0}, tensor{1.0, 1.0, 1.0}), tensor{0.5, 0.5, 0.0}));
    CHECK(smooth_l1_loss(x(slice(0, 4)), 0.0, 0).item() == l1_loss(x(slice(0, 4)), 0.0).item());
    CHECK_THROWS_AS(smooth_l1_loss(x, 0.0, -1), value_error);
    CHECK_THROWS_WITH_AS(huber_loss(x, 0.0, 0), "[huber_loss] delta must be positive: 0", value_error);
    CHECK_THROWS_WITH_AS(gaussian_nll_loss(x, 0.0, tensor{1.0, 1.0, 1.0, 1.0, -1.0}),
                         "[gaussian_nll_loss] a variance must not be negative", value_error);
    CHECK_THROWS_AS(gaussian_nll_loss(x, 0.0, -1.0), value_error);
}

TEST_CASE("losses of classes want a class for each row") {
    const auto logits = zeros({4, 3});
    CHECK_THROWS_WITH_AS(cross_entropy(logits, tensor{1}),
                         "[cross_entropy] classes of shape (1,) for the rows of shape (4, 3): 1 != 4", shape_error);
    CHECK_THROWS_WITH_AS(cross_entropy(logits, tensor{0, 1, 2, 3}, ones({3})),
                         "[cross_entropy] class 3 does not lie between 0 and 2", index_error);
    CHECK_THROWS_AS(cross_entropy(logits, tensor{1}, {.ignore_index = -100}), shape_error);
    CHECK_THROWS_AS(cross_entropy(zeros({1, 3}), tensor{1, 0, 2}), shape_error);
}

TEST_CASE("gaussian_nll_loss: a variance for each row") {
    const tensor x{{1.0, 2.0}, {3.0, 5.0}};
    const auto each = gaussian_nll_loss<reduction::none>(x, 0.0, tensor{1.0, 4.0});
    CHECK(allclose(each, 0.5 * (log(tensor{{1.0}, {4.0}}) + x * x / tensor{{1.0}, {4.0}}), 1e-15));
}

TEST_CASE("losses with a margin: the derivative at the margin is torch's") {
    const auto zero = zeros({3});
    CHECK(
        array_equal(grad([&](auto a) { return margin_ranking_loss<reduction::sum>(a, zero, 1.0); })(zero), -ones({3})));
    CHECK(array_equal(grad([&](auto a) { return hinge_embedding_loss<reduction::sum>(a, -ones({3})); })(ones({3})),
                      -ones({3})));
}

TEST_CASE("pictures of which nothing is asked are copied") {
    const auto x = ones({1, 2, 4});
    for (auto y : {max_pool1d(x, 1), interpolate(x, {4}), repeat(x, 1, 2), tile(x, {1, 1, 1})}) y += 1.0;
    CHECK(array_equal(x, ones({1, 2, 4})));
}

TEST_CASE("gaussian_nll_loss: a whole number for all variances") {
    const tensor<double, 1> x{1, 2, 3}, t{1, 3, 5};
    for (const int variance : {0, 1, 2})
        CHECK(gaussian_nll_loss(x, t, variance).item() == gaussian_nll_loss(x, t, double(variance)).item());
    CHECK(gaussian_nll_loss<reduction::none>(x, t, 2).at(2) == doctest::Approx(std::log(2) / 2 + 1));
}
TEST_CASE("pixel_shuffle, unfold: arrays of their own, of factor and windows of one, too") {
    const auto x = ones({1, 4, 2, 2});
    pixel_shuffle(x, 1)(0, 0, 0, 0) = 5.0;
    pixel_unshuffle(x, 1)(0, 0, 0, 0) = 5.0;
    unfold(x, 1)(0, 0, 0) = 5.0;
    CHECK(all(x == 1).item());
    CHECK(pixel_shuffle(x, 1).data() != x.data());
    CHECK(unfold(x, 1).data() != x.data());
    CHECK(pixel_unshuffle(x, 1).data() != x.data());
}
TEST_CASE("pixel_shuffle: factors whose square no index holds") {
    const auto x = ones({4, 2, 2});
    CHECK_THROWS_WITH_AS(pixel_shuffle(x, index_t(1) << 32),
                         "[pixel_shuffle] channels of shape (4, 2, 2) for a factor of 4294967296", shape_error);
    CHECK_THROWS_AS(pixel_shuffle(x, 4), shape_error);
    CHECK_THROWS_AS(pixel_unshuffle(x, index_t(1) << 32), shape_error);
}

TEST_CASE("losses: weights of probabilities, of elements, and of positive targets (torch 2)") {
    const tensor<double, 2> x{{0.5, -1, 2}, {1.5, 0, -0.5}}, p{{0.2, 0.5, 0.3}, {1, 0, 0}};
    const tensor<double, 1> w{1, 2, 0.5};
    CHECK(cross_entropy(x, p, w).item() == doctest::Approx(1.9660629813581545).epsilon(1e-13));
    CHECK(cross_entropy(x, p, w, {.label_smoothing = 0.1}).item() ==
          doctest::Approx(1.9930705920740401).epsilon(1e-13));
    CHECK(cross_entropy(x, p, {.label_smoothing = 0.1}).item() == doctest::Approx(1.2171668377764853).epsilon(1e-13));
    CHECK(allclose(cross_entropy<reduction::none>(x, p, w), tensor{3.6257702504871623, 0.30635571222914665}, 1e-13));
    CHECK_THROWS_AS(cross_entropy(x, p, ones({2})), shape_error);
    CHECK_THROWS_AS(cross_entropy(x, p, {.ignore_index = 1}), value_error);
    CHECK_THROWS_AS(cross_entropy(x, p, {.label_smoothing = 2}), value_error);
    const tensor<bool, 2> t = p > 0.25;
    CHECK(binary_cross_entropy_with_logits(x, t, 1, w).item() == doctest::Approx(0.8387836345768069).epsilon(1e-13));
    CHECK(binary_cross_entropy_with_logits(x, t, w).item() == doctest::Approx(0.9148017493217891).epsilon(1e-13));
    CHECK(binary_cross_entropy_with_logits<reduction::sum>(x, p, w, 3).item() ==
          doctest::Approx(8.34586962391762).epsilon(1e-13));
    CHECK(binary_cross_entropy_with_logits(tensor{-50.0}, 0, 1, 3).item() ==
          doctest::Approx(std::exp(-50.0)).epsilon(1e-13));
    CHECK(binary_cross_entropy(sigmoid(x), p, w).item() == doctest::Approx(0.8481350826551223).epsilon(1e-12));
    CHECK(gradcheck(
        [=](auto a, auto q, auto by) {
            return binary_cross_entropy_with_logits(a, q, by, by * by) +
                   cross_entropy(a, q, by, {.label_smoothing = 0.2});
        },
        ricci::tuple(x, p, w)));
}
