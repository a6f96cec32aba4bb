// bilinear, lp_pool1d, lp_pool2d, lp_pool3d, alpha_dropout, rrelu, multilabel_margin_loss and
// triplet_margin_with_distance_loss against PyTorch; their derivatives, batches and refusals.
#include "../golden/layers.hpp"
#include "close_calls.hpp"

namespace rc = ricci;
using namespace ricci;

TEST_CASE("layers: results of PyTorch") {
    const auto n = [](const auto& extents, int seed) {
        return calls::numbers(reference::layout::permuted, extents, seed);
    };
    const auto x = n(shape{3, 4}, 1), y = n(shape{3, 4}, 2), z = n(shape{3, 4}, 3);
    const auto a = n(shape{2, 3, 4}, 4), b = n(shape{2, 3, 2}, 5), w = n(shape{3, 4, 2}, 6);
    const auto c = n(shape{3}, 7);
    const auto images = n(shape{2, 2, 5, 6}, 8), volume = n(shape{2, 4, 5, 3}, 9);
    const tensor<int, 2> labels{{2, 0, -1, 3}, {-1, 1, 2, 3}, {1, 3, 0, 2}};
    const auto far = [](const auto& p, const auto& q) { return max(abs(p - q), -1); };
    RICCI_LAYER_CASES(RICCI_CHECK_CLOSE);
}
TEST_CASE("layers: derivatives and batches") {
    const auto x = randn<double>({3, 4}, generator(1)), y = randn<double>({3, 2}, generator(2));
    const auto w = randn<double>({2, 4, 2}, generator(3));
    CHECK(gradcheck([](auto a, auto b, auto w) { return bilinear(a, b, w); }, rc::tuple(x, y, w)));
    CHECK(allclose(vmap([&](auto a, auto b) { return bilinear(a, b, w); })(x, y), bilinear(x, y, w)));
    CHECK(gradcheck([](auto a) { return lp_pool1d(a, 2, 2); }, x));
    CHECK(array_equal(grad([](auto a) { return sum(lp_pool1d(a, 2, 2)); })(zeros(2, 4)), zeros(2, 4)));
    const tensor<int, 2> labels{{2, 0, -1, 3}, {-1, 1, 2, 3}, {1, 3, 0, 2}};
    CHECK(gradcheck([&](auto a) { return multilabel_margin_loss(a, labels); }, x));
    const auto z = evaluate(x + 0.5), v = evaluate(1 - 2 * x);
    CHECK(
        gradcheck([](auto a, auto p, auto n) { return triplet_margin_loss(a, p, n, 4, 2, true); }, rc::tuple(x, z, v)));
}
TEST_CASE("layers: what is drawn") {
    const auto x = randn<double>({100000}, generator(1));
    const auto y = alpha_dropout(x, 0.3, true, generator(2));
    CHECK(std::abs(mean(y).item()) < 0.02);  // of a deviation of 1 / sqrt(100000)
    CHECK(std::abs(stddev(y).item() - 1) < 0.02);
    CHECK(array_equal(alpha_dropout(x, 0.3, false), x));
    const double dropped = min(alpha_dropout(zeros(100), 0.3, true, generator(2))).item();
    CHECK(std::abs(static_cast<double>(sum(y == dropped).item()) / 1e5 - 0.3) < 0.01);
    CHECK(
        array_equal(grad([](auto a) { return sum(alpha_dropout(a, 0.3, true, generator(2))); })(x) == 0, y == dropped));
    const auto slopes = evaluate(rrelu(-abs(x), 0.25, 0.5, true, generator(3)) / -abs(x));
    CHECK(min(slopes).item() >= 0.25);
    CHECK(max(slopes).item() <= 0.5);
    CHECK(std::abs(mean(slopes).item() - 0.375) < 0.002);
}
TEST_CASE("layers: refusals") {
    const auto x = ones(3, 4);
    CHECK_THROWS_WITH_AS(bilinear(x, x, ones(2, 4, 3)),
                         "[bilinear] features of shapes (3, 4) and (3, 4) for a weight of shape (2, 4, 3)",
                         shape_error);
    CHECK_THROWS_AS(bilinear(x, x, ones(2, 4, 4), ones(3)), shape_error);
    CHECK_THROWS_AS(lp_pool1d(x, 0, 2), value_error);
    CHECK_THROWS_AS(multilabel_margin_loss(x, full({3, 4}, 4)), index_error);
    CHECK_THROWS_AS(alpha_dropout(x, 1.5), value_error);
    CHECK_THROWS_AS(rrelu(x, 0.5, 0.25), value_error);
}
