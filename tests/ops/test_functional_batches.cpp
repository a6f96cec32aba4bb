// Batches of the functions whose results stand in test_functional.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("functional: batches") {
    const auto x = spread({2, 4, 5, 6});
    const auto each = [&](auto f) { check_vmap(f, x); };
    const auto k = spread({5, 2, 3}, 30);
    const auto k2 = spread({4, 2, 3, 2}, 30);
    each([=](auto a) { return conv_transpose1d(a, k, {.stride = 2, .padding = 1}); });
    each([=](auto a) { return conv_transpose2d(a, k2, {.stride = 2}); });
    each([](auto a) { return group_norm(a, 5) + rms_norm(a, {5, 6}) + glu(a, 2)(all, all, newaxis, 0); });
    each([](auto a) { return instance_norm(a, a(0, all, 0), a(0, all, 1)) + prelu(a, a(0, all, 0)); });
    each([](auto a) { return adaptive_avg_pool2d(a, {3, 4}) + adaptive_max_pool2d(a, {3, 4}); });
    each([](auto a) { return pixel_unshuffle(pixel_shuffle(a, 2), 2) * atleast_3d(sum(a)); });
    each([](auto a) { return interpolate<interpolation::linear>(a, {3, 4}) + interpolate(a, {3, 4}); });
    each(
        [](auto a) { return nll_loss(a, argmax(a, 2)) + binary_cross_entropy(sigmoid(a), a > 0) + kl_div(a, exp(a)); });
    each([](auto a) { return soft_margin_loss(a, 1) + hinge_embedding_loss(a, where(a > 0, 1, -1)); });
    each([](auto a) {
        return margin_ranking_loss(a, a * a, 1) + gaussian_nll_loss(a, 1, exp(a)) + poisson_nll_loss(a, 2);
    });
    each([](auto a) { return triplet_margin_loss(a, a * a, exp(a)) + cosine_embedding_loss(a, a * a, -1); });
    const auto other = spread({5, 6});
    each([=](auto a) { return triplet_margin_loss(other, a, 2 * other, 1, 2, true); });
}
