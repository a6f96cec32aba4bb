// Batches of functions of layers, whose results stand in test_neural.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("neural: batches") {
    const auto x = spread({2, 4, 5, 6});
    const auto each = [&](auto f) { check_vmap(f, x); };
    const auto w = spread({2, 4, 3, 2}, 30);
    const auto w1 = spread({2, 5, 2}, 10);
    each([=](auto a) { return conv2d(a, w, {.padding = 1}); });
    each([=](auto a) { return conv1d(a, w1, {.stride = 2}); });
    each([](auto a) { return conv2d(a, expand_dims(a(all, slice(0, 2), slice(1, 3)), 0), {.padding = {0, 1}}); });
    each([=](auto a) {
        return grad([&](auto k) { return sum(square(conv2d(a, k, {.stride = 2, .padding = 1}))); })(w);
    });
    const auto w3 = spread({2, 4, 2, 3, 2}, 20);
    each([=](auto a) { return conv3d(expand_dims(a, 1)(all, {0, 0, 0, 0}), w3, {.stride = {1, 2, 1}}); });
    each([=](auto a) { return conv_transpose3d(expand_dims(a, 0), w3(slice(0, 1)), {.padding = 1}); });
    each([](auto a) { return max_pool3d(a, 2) + avg_pool3d(a, {2, 2, 2}); });
    each([](auto a) { return max_pool2d(a, 2) + avg_pool2d(a, 2); });
    each([](auto a) { return max_pool1d(a, 3, {.padding = 1}) * avg_pool1d(a, 3, {.padding = 1}); });
    each([](auto a) { return layer_norm(a, {5, 6}) + layer_norm(a, {6}, a(0, 0), a(0, 1)); });
    each([](auto a) { return batch_norm(a, a(0, all, 0), a(0, all, 1)); });
    each([](auto a) { return embedding(argmax(a, 0) % 5, a(0)); });
    each([](auto a) { return scaled_dot_product_attention(a, a, a); });
    each([](auto a) { return scaled_dot_product_attention(a, a, a, matmul(a, matrix_transpose(a)) > 1.0); });
    each([](auto a) { return dropout(a, 0.5, false); });
}
