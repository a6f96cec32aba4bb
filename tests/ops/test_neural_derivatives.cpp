// Derivatives of functions of layers, whose results stand in test_neural.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("neural: derivatives") {
    const auto x = spread({2, 4, 4, 3}), w = spread({2, 2, 3, 2}, 30);
    const auto b = spread({2}, 5);
    CHECK(gradcheck([](auto a, auto k, auto c) { return conv2d(a, k, c, {.stride = 2, .padding = 1, .groups = 2}); },
                    ricci::tuple(x, w, b)));
    const auto line = spread({2, 4, 5}), w1 = spread({2, 4, 2}, 30);
    CHECK(gradgradcheck([](auto a, auto k) { return conv1d(a, k, {.padding = 1, .dilation = 2}); },
                        ricci::tuple(line, w1)));
    const auto volume = spread({1, 2, 3, 4, 3}), w3 = spread({2, 1, 2, 2, 2}, 30);
    CHECK(gradgradcheck([](auto a, auto k) { return conv3d(a, k, {.stride = {1, 2, 1}, .padding = 1, .groups = 2}); },
                        ricci::tuple(volume, w3)));
    CHECK(gradcheck([](auto a, auto k, auto c) { return conv_transpose3d(a, k, c, {.stride = {1, 2, 1}}); },
                    ricci::tuple(volume, w3, spread({1}, 5))));
    CHECK(gradcheck([](auto a) { return max_pool3d(a, 2, {.stride = 1}) * avg_pool3d(a, 2, {.stride = 1}); },
                    ricci::tuple(volume)));
    CHECK(gradcheck([](auto a) { return max_pool2d(a, {2, 3}, {.stride = 1, .padding = {1, 0}}); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return avg_pool1d(a, 2, {.stride = 1, .padding = 1}); }, ricci::tuple(line)));
    const auto s = spread({5}, 3), c = spread({4}, 6);
    CHECK(gradcheck([](auto a, auto k, auto o) { return layer_norm(a, {5}, k, o); }, ricci::tuple(line, s, s)));
    CHECK(gradcheck([](auto a, auto k, auto o) { return batch_norm(a, k, o); }, ricci::tuple(line, c, c)));
    CHECK(gradcheck([](auto k) { return embedding(tensor<int, 1>{1, 0, 1}, k); }, ricci::tuple(spread({2, 3}))));
    const auto q = spread({3, 4}), k = spread({5, 4}, 7), v = spread({5, 2}, 9);
    CHECK(gradcheck([](auto l, auto m, auto r) { return scaled_dot_product_attention(l, m, r, {.is_causal = true}); },
                    ricci::tuple(q, k, v)));
}

TEST_CASE("neural: third derivatives of convolutions") {  // its first adjoints' adjoints, and theirs
    const auto x = spread({1, 2, 4, 3}), w = spread({2, 1, 3, 2}, 30);
    const auto slope = [](auto a, auto k) {
        return grad([&](auto p) { return sum(square(conv2d(p, k, {.stride = 2, .padding = 1, .groups = 2}))); })(a);
    };
    CHECK(gradgradcheck(slope, ricci::tuple(x, w)));
}
