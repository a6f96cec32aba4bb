// Functions of layers against PyTorch, in two memory layouts, and what they refuse.
#include "../golden/neural.hpp"
#include "close_calls.hpp"

using namespace ricci;

namespace {

using calls::numbers;

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto x = numbers(l, shape{2, 4, 6, 5}, 1), w = numbers(l, shape{4, 2, 3, 2}, 2);
    const auto b = numbers(l, shape{4}, 3);
    const auto w1 = numbers(l, shape{3, 4, 2}, 4);
    const auto volume = numbers(l, shape{2, 2, 4, 5, 3}, 8), w3 = numbers(l, shape{4, 1, 2, 3, 2}, 9);
    const auto line = x(0).reshape({2, 4, 15});
    const auto q = numbers(l, shape{2, 3, 4}, 5), k = numbers(l, shape{2, 5, 4}, 6), v = numbers(l, shape{2, 5, 2}, 7);
    const auto seen = evaluate((arange(5) + arange(3)(all, newaxis)) % 3 != 0);
    RICCI_NEURAL_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("neural: results of PyTorch") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}

TEST_CASE("neural: a shape is as good as extents in braces") {
    const auto x = numbers(reference::layout::permuted, shape{2, 4, 6, 5}, 1);
    const auto w = evaluate(x(0, 0));
    CHECK(array_equal(layer_norm(x, w.shape(), w, w, 1e-3), layer_norm(x, {6, 5}, w, w, 1e-3)));
    CHECK(array_equal(rms_norm(x, w.shape(), w), rms_norm(x, {6, 5}, w)));
    CHECK(array_equal(layer_norm(x, x.shape()), standardize(x, {0, 1, 2, 3}, {.epsilon = 1e-5})));
}

TEST_CASE("neural: normalizations with a weight alone") {
    const auto x = numbers(reference::layout::permuted, shape{2, 4, 6, 5}, 1);
    const auto w = evaluate(x(0, 0));
    const auto v = evaluate(x(0, all, 0, 0));
    CHECK(array_equal(layer_norm(x, {6, 5}, w), layer_norm(x, {6, 5}, w, zeros({6, 5}))));
    CHECK(array_equal(layer_norm(x, 5, w(0), 1e-3), layer_norm(x, 5, w(0), zeros({5}), 1e-3)));
    CHECK(array_equal(group_norm(x, 2, v), group_norm(x, 2, v, zeros({4}))));
    CHECK(array_equal(instance_norm(x, v, 1e-2), instance_norm(x, v, zeros({4}), 1e-2)));
    CHECK_THROWS_WITH_AS(layer_norm(x, {5}, v), "[layer_norm] a weight or bias of shape (4,) for extents (5,)",
                         shape_error);
    CHECK_THROWS_WITH_AS(group_norm(x, 2, w(0)), "[group_norm] a vector of shape (5,) for 4 channels", shape_error);
}

TEST_CASE("neural: dropout") {
    const auto x = ones({1000});
    const auto y = dropout(x, 0.25, true, generator(1));
    CHECK(all(y == 0.0 || y == 1 / 0.75).item());
    CHECK(std::abs(double(mean(y)) - 1) < 0.1);
    CHECK(all(dropout(x, 0.25, false) == x).item());
    CHECK(all(dropout(x, 1) == 0).item());
    CHECK(all(grad([&](auto a) { return sum(dropout(a, 0.25, true, generator(1))); })(x) == y).item());
    CHECK_THROWS_AS(dropout(x, 1.5), value_error);
}

TEST_CASE("neural: special values and types") {
    const double nan = calls::not_a_number;
    CHECK(std::isnan(max_pool1d(tensor{1.0, nan, 2.0, 3.0}, 2)(0).item()));
    CHECK(max_pool1d(tensor{-3, -2, -1}, 2, {.padding = 1})(0).item() == -3);
    static_assert(std::is_same_v<decltype(avg_pool1d(tensor{1, 2}, 2))::value_type, double>);
    static_assert(std::is_same_v<decltype(conv1d(ones<float>({1, 2}), ones<float>({1, 1, 1})))::value_type, float>);
    CHECK(conv2d(zeros({0, 1, 3, 3}), ones({2, 1, 2, 2})).shape() == shape{0, 2, 2, 2});
}

TEST_CASE("neural: integers among what is learnt") {
    const tensor<int, 2> q{{2, 0}, {0, 2}}, k{{1, 0}, {0, 3}};
    const auto v = tensor<double, 2>{{1, 2}, {3, 4}};
    CHECK(allclose(scaled_dot_product_attention(q, k, v),
                   scaled_dot_product_attention(astype<double>(q), astype<double>(k), v)));
    CHECK(allclose(scaled_dot_product_attention(astype<std::uint8_t>(q), k, v), scaled_dot_product_attention(q, k, v)));
    const auto x = ones({2, 2});
    CHECK(allclose(batch_norm(x, ones({2}), tensor{0, 3}, ones({2}), tensor{1.0, 2.0}, 1.0),
                   tensor<double, 2>{{1, 2}, {1, 2}}));
    CHECK(allclose(batch_norm(2 * x, ones({2}), tensor{0, 3}, ones({2}), zeros({2}), 1.0),
                   tensor<double, 2>{{1, 0.5}, {1, 0.5}}));
}

TEST_CASE("neural: a query that sees no key takes nothing, as torch has it") {
    const auto q = numbers(reference::layout::permuted, shape{2, 3}, 1);
    const auto k = numbers(reference::layout::permuted, shape{4, 3}, 2);
    const tensor<bool, 2> mask{{false, false, false, false}, {true, false, true, true}};
    const auto y = scaled_dot_product_attention(q, k, k, mask);
    CHECK(array_equal(y(0), zeros({3})));
    CHECK(allclose(y(1), scaled_dot_product_attention(q, k, k, mask(slice(1, none)))(1)));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(array_equal(scaled_dot_product_attention(q, k, k, where(mask, 0.0, -inf)), y));
    const auto slopes =
        grad([&](auto a) { return sum(scaled_dot_product_attention(a, a, a(all), mask(all, slice(0, 2)))); })(q);
    CHECK(all(isfinite(slopes)).item());
    CHECK(
        gradgradcheck([&](auto a, auto b) { return scaled_dot_product_attention(a, b, b, mask); }, ricci::tuple(q, k)));
    CHECK(scaled_dot_product_attention(q, k(slice(0, 0)), k(slice(0, 0)), zeros<bool>({2, 0})).shape() == shape{2, 3});
}

TEST_CASE("neural: what is not finite stays in the windows that have it") {
    const double inf = std::numeric_limits<double>::infinity();
    const auto slopes = [](auto x, auto w) { return grad([=](auto k) { return sum(conv2d(x, k)); })(w); };
    CHECK(
        array_equal(grad([=](auto k) { return sum(conv1d(tensor<double, 2>{{1, 1, 1, 1, inf}}, k)); })(ones({1, 1, 2})),
                    tensor<double, 3>{{{4, inf}}}));
    const auto x = ones({1, 4, 4});
    x(0, 0, 3) = inf;
    CHECK(array_equal(slopes(x, ones({1, 1, 2, 2})), tensor<double, 4>{{{{9, inf}, {9, 9}}}}));
}

TEST_CASE("neural: gradients do not depend on the number of threads") {
    const auto x = rand({40, 64, 6, 6}, generator(1)), w = ones({1, 64, 3, 3});
    const auto slopes = [&] { return grad([&](auto k) { return sum(square(conv2d(x, k))); })(w); };
    const int threads = num_threads();
    set_num_threads(1);
    const auto alone = slopes();
    set_num_threads(2);
    const auto together = slopes();
    set_num_threads(threads);
    CHECK(array_equal(alone, together));
}

TEST_CASE("neural: windows beside each other, and their phases") {
    constexpr int n = 16;
    const auto x = numbers(reference::layout::permuted, shape{1, 2, 2 * n, n}, 1);
    const auto w = numbers(reference::layout::permuted, shape{3, 2, n, n}, 2);
    const auto tiles = x.reshape({2, 2, n, n});  // channel, place
    tensor<double, 4> y = zeros({1, 3, 2, 1}), x_bar = zeros({1, 2, 2 * n, n}), w_bar = zeros({3, 2, n, n});
    for (int o = 0; o < 3; ++o)
        for (int p = 0; p < 2; ++p) {
            y(0, o, p, 0) = sum(tiles(all, p) * w(o));
            x_bar(0, all, slice(p * n, (p + 1) * n)) += y(0, o, p, 0) * w(o);
            w_bar(o) += y(0, o, p, 0) * tiles(all, p);
        }
    const auto half = [](auto a, auto k) { return sum(square(conv2d(a, k, {.stride = n}))) / 2; };
    CHECK(allclose(conv2d(x, w, {.stride = n}), y));
    const auto [x_slopes, w_slopes] = grad(half, argnums<0, 1>)(x, w);
    CHECK(allclose(x_slopes, x_bar));
    CHECK(allclose(w_slopes, w_bar));
    // Of windows of 5 elements, 2 apart, each phase has its own: the first, third and fifth, and the others.
    const auto shared =
        grad([](auto a) { return sum(square(conv1d(a, arange(1.0, 6.0).reshape({1, 1, 5}), {.stride = 2}))) / 2; });
    CHECK(array_equal(shared(ones({1, 9})), tensor<double, 2>{{15, 30, 60, 90, 135, 90, 120, 60, 75}}));
}

TEST_CASE("neural: refusals") {
    const auto x = ones({2, 4, 6, 5});
    CHECK_THROWS_WITH_AS(
        conv2d(x, ones({3, 3, 2, 2})),
        "[conv2d] 1 groups of weights of shape (3, 3, 2, 2) for pictures of shape (2, 4, 6, 5): channels 4 and 1 * 3",
        shape_error);
    CHECK_THROWS_WITH_AS(
        conv2d(x, ones({3, 4, 2, 6})),
        "[conv2d] axis 1 of the weights, of shape (3, 4, 2, 6), spans 6 elements, of the picture with its margin "
        "there are 5",
        shape_error);
    CHECK_THROWS_AS(conv2d(x, ones({3, 4, 2, 2}), {.stride = 0}), value_error);
    CHECK_THROWS_WITH_AS(
        conv2d(x, ones({3, 4, 2, 2}), {.stride = {1, 2}, .padding = "same"}),
        "[conv2d] axis 1: padding \"same\" with stride 2, which must be 1, and dilation 1", value_error);
    CHECK_THROWS_WITH_AS(conv2d(x, ones({3, 4, 2, 2}), {.padding = "full"}),
                         "[convolution] padding is a number, \"same\" or \"valid\": full", value_error);
    constexpr index_t far = std::numeric_limits<index_t>::max() / 2 + 1;  // 4 of them are 0 to an index
    CHECK_THROWS_WITH_AS(conv2d(x, ones({3, 4, 5, 5}), {.dilation = {1, far}}),
                         "[conv2d] axis 1: stride 1, padding 0, dilation 4611686018427387904", value_error);
    CHECK_THROWS_AS(conv2d(x, ones({3, 4, 2, 2}), {.padding = far}), value_error);
    CHECK_THROWS_AS(max_pool2d(x, 2, {.padding = far}), value_error);
    constexpr index_t most = 2 * (far - 1) + 1;
    CHECK_THROWS_AS(conv2d(x, ones({3, 4, 2, 2}), {.groups = most}), shape_error);
    CHECK_THROWS_AS(max_pool2d(x, most, {.padding = far - 1}), value_error);
    CHECK(array_equal(max_pool2d(x, 2, {.stride = most}), ones({2, 4, 1, 1})));
    CHECK(array_equal(avg_pool2d(x, 2, {.stride = most, .ceil_mode = true}), ones({2, 4, 1, 1})));
    CHECK(conv1d(ones({1, 5}), ones({1, 1, 3}), {.stride = 2 * (far - 1) + 1}).shape() == shape{1, 1});
    CHECK_THROWS_AS(conv2d(x, ones({3, 4, 2, 2}), ones({2})), shape_error);
    CHECK_THROWS_WITH_AS(max_pool2d(x, 2, {.padding = 2}), "[max_pool2d] a padding of 2 around windows of 2 elements",
                         value_error);
    CHECK_THROWS_AS(avg_pool2d(x, {7, 1}), value_error);
    CHECK_THROWS_WITH_AS(layer_norm(x, {6}), "[layer_norm] extent 6 for axis 3 of shape (2, 4, 6, 5), which has 5",
                         shape_error);
    CHECK_THROWS_AS(batch_norm(x, ones({3}), ones({4})), shape_error);
    CHECK_THROWS_AS(embedding(tensor{4}, ones({4, 2})), index_error);
    CHECK_THROWS_WITH_AS(embedding(tensor{0, -1}, ones({4, 2})),
                         "[embedding] the number of a row -1 does not lie between 0 and 3", index_error);
    CHECK(embedding(zeros<int>({0}), ones({4, 2})).shape() == shape{0, 2});
    CHECK_THROWS_WITH_AS(layer_norm(ones({2, 1}), {1}, ones({4}), ones({4})),
                         "[layer_norm] a weight or bias of shape (4,) for extents (1,)", shape_error);
    CHECK_THROWS_AS(layer_norm(x, {5}, ones({5}), ones({4})), shape_error);
    CHECK_THROWS_AS(rms_norm(ones({2, 1}), {1}, ones({4})), shape_error);
}
TEST_CASE("pooling: dilation, ceil_mode, count_include_pad, by definition") {  // and as torch 2 gives them
    const index_t n = 7;
    const auto x = evaluate(sin(1.7 * arange(7.0)));
    const auto check = [&](index_t k, index_t stride, index_t padding, index_t dilation, bool ceil_mode, bool count) {
        CAPTURE(k);
        CAPTURE(stride);
        CAPTURE(padding);
        CAPTURE(dilation);
        CAPTURE(ceil_mode);
        std::vector<double> largest, means;
        for (index_t first = -padding; first < n; first += stride) {
            const index_t end = first + (k - 1) * dilation + 1;
            const bool leaves = end > n + padding,
                       begins_behind = leaves && first - stride + (k - 1) * dilation + 1 >= n + padding;
            if (leaves && (!ceil_mode || begins_behind)) break;
            double most = -1e9, sum = 0, elements = 0;
            for (index_t i = first; i < end; i += dilation) {
                if (i >= 0 && i < n) most = std::max(most, x.at(i)), sum += x.at(i);
                elements += count ? i < n + padding : i >= 0 && i < n;
            }
            largest.push_back(most), means.push_back(sum / elements);
        }
        CHECK(array_equal(
            max_pool1d(x, k, {.stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode}),
            from_span(largest)));
        if (dilation > 1) return;
        const auto y = avg_pool1d(
            x, k, {.stride = stride, .padding = padding, .ceil_mode = ceil_mode, .count_include_pad = count});
        REQUIRE(y.size() == static_cast<index_t>(means.size()));
        CHECK(allclose(y, from_span(means), 1e-14, 1e-15));
    };
    for (const bool ceil_mode : {false, true})
        for (const bool count : {false, true})
            for (index_t k = 1; k <= 4; ++k)
                for (index_t stride = 1; stride <= 3; ++stride)
                    for (index_t padding = 0; padding <= k / 2; ++padding)
                        for (index_t dilation = 1; dilation <= 2; ++dilation)
                            check(k, stride, padding, dilation, ceil_mode, count);
    CHECK_THROWS_WITH_AS(max_pool1d(x, 5, {.dilation = 2}),
                         "[max_pool1d] windows of 5 elements, 2 apart, every 5 of an axis of 7 with margins of 0",
                         value_error);
}
