// Linear layers, whole channels, pooled volumes, losses of several margins and labels, and runs of equal elements,
// against PyTorch.
#include "../golden/channels.hpp"
#include "close_calls.hpp"

using namespace ricci;

namespace {

using calls::numbers;

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto x = numbers(l, shape{3, 4}, 1), w = numbers(l, shape{5, 4}, 2), v = numbers(l, shape{5, 5}, 6);
    const auto b = numbers(l, shape{5}, 3), share = evaluate(square(numbers(l, shape{4}, 5)));
    const auto images = numbers(l, shape{2, 6, 3, 5}, 1);
    const auto volumes = numbers(l, shape{2, 2, 5, 6, 7}, 2);
    const auto labels = evaluate(numbers(l, shape{3, 4}, 4) > 0);
    const tensor<int, 1> classes{2, 0, 3};
    const tensor<int, 2> runs{{1, 1, 2, 2}, {2, 3, 1, 1}};
    RICCI_CHANNEL_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace

TEST_CASE("channels: results of PyTorch") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}
TEST_CASE("channels: dropout of whole ones") {
    const auto x = ones<float>({40, 50, 3, 4});
    const auto y = dropout2d(x, 0.25, true, generator(1));
    const tensor<float, 2> first = y(all, all, 0, 0);
    CHECK(ricci::all(y == first(ellipsis, newaxis, newaxis)).item());
    CHECK(ricci::all(first == 0 || first == 1 / 0.75f).item());
    // 2000 draws: six standard deviations of the share that is 0
    CHECK(std::abs(double(mean(astype<double>(first == 0))) - 0.25) < 6 * std::sqrt(0.25 * 0.75 / 2000));
    CHECK(array_equal(dropout2d(x, 0.25, false), x));
    CHECK(ricci::all(dropout1d(x(0, all, all, 0), 1) == 0).item());
    CHECK(array_equal(grad([](auto a) { return sum(dropout3d(a, 0.5, true, generator(2))); })(x),
                      dropout3d(x, 0.5, true, generator(2))));
    CHECK(dropout1d(zeros<float>({2, 3, 0})).shape() == shape{2, 3, 0});
    CHECK_THROWS_AS(dropout2d(x, 1.5), value_error);
}
TEST_CASE("channels: draws of Gumbel's distribution") {
    const tensor<double, 1> weights{0.1, 0.2, 0.7};
    const auto logits = evaluate(log(weights) + zeros({20000, 1}));
    const auto hard = gumbel_softmax(logits, 0.5, true, -1, generator(3));
    CHECK(ricci::all(hard == 0 || hard == 1).item());
    CHECK(ricci::all(sum(hard, 1) == 1).item());
    CHECK(allclose(mean(hard, 0), weights, 0, 6 * std::sqrt(0.25 / 20000)));
    const auto soft = gumbel_softmax(logits, 0.5, false, -1, generator(3));
    CHECK(array_equal(argmax(soft, 1), argmax(hard, 1)));
    const auto few = logits(slice(0, 4)).clone();
    const auto slope = [&](bool one) {
        return grad([=](auto a) {
            return sum(tensor<double, 1>{1, 2, 3} * gumbel_softmax(a, 0.5, one, 1, generator(4)));
        })(few);
    };
    CHECK(allclose(slope(true), slope(false), 1e-14, 1e-14));
}
TEST_CASE("channels: derivatives") {
    const auto x = numbers(reference::layout::permuted, shape{2, 4, 3}, 1);
    const auto w = numbers(reference::layout::permuted, shape{2, 3}, 2);
    const auto b = numbers(reference::layout::permuted, shape{2}, 3);
    CHECK(gradcheck([](auto a, auto m, auto v) { return linear(sin(a), m, v); }, ricci::tuple(x, w, b)));
    CHECK(gradcheck([](auto a) { return local_response_norm(channel_shuffle(a, 2), 3, {.alpha = 0.5}); },
                    ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return multi_margin_loss(a, tensor<int, 1>{1, 0, 2, 2}, 2, 0.7); },
                    ricci::tuple(x(0).clone())));
    CHECK(gradcheck([](auto a) { return multilabel_soft_margin_loss(a, a > 0.3); }, ricci::tuple(x(0).clone())));
}
TEST_CASE("channels: volumes in fewer parts") {
    const auto x = numbers(reference::layout::permuted, shape{2, 3, 4, 5}, 1);
    const auto f = [](auto a) { return adaptive_avg_pool3d(a, {2, 3, 2}) + adaptive_max_pool3d(square(a), {2, 3, 2}); };
    CHECK(gradcheck(f, ricci::tuple(x)));
    CHECK(allclose(vmap(f)(x(newaxis))(0), f(x), 1e-14, 1e-14));
    // the largest of a bin, wherever they lie in it, share alike
    const auto share = grad([](auto a) { return sum(adaptive_max_pool3d(a, 1)); })(ones({2, 2, 2}));
    CHECK(array_equal(share, full({2, 2, 2}, 0.125)));
}
TEST_CASE("channels: runs of equal elements") {
    const auto [values, inverse, counts] =
        unique_consecutive(tensor<double, 1>{1, 1, 2, calls::not_a_number, calls::not_a_number});
    CHECK(values.size() == 4);
    CHECK(array_equal(inverse, tensor{0, 0, 1, 2, 3}));
    CHECK(array_equal(counts, tensor{2, 1, 1, 1}));
    CHECK(unique_consecutive(zeros<int>({0})).counts.size() == 0);
}
TEST_CASE("channels: batches") {
    const auto x = numbers(reference::layout::permuted, shape{3, 2, 4, 5}, 1);
    const auto w = numbers(reference::layout::permuted, shape{2, 5}, 2);
    const auto f = [&](auto a) {
        return linear(local_response_norm(channel_shuffle(a(newaxis), 2), 2)(0), w) +
               multi_margin_loss(a(0), tensor<int, 1>{1, 0, 2, 4}) + multilabel_soft_margin_loss(a(0), a(1) > 0);
    };
    const auto all_at_once = vmap(f)(x);
    for (index_t i = 0; i < 3; ++i) CHECK(allclose(all_at_once(i), f(x(i).clone()), 1e-13, 1e-13));
}
TEST_CASE("channels: what they refuse") {
    const auto x = ones({3, 4});
    CHECK_THROWS_WITH_AS(linear(x, ones({2, 3})),
                         "[linear] 4 features in the last axis of shape (3, 4) for a weight of shape (2, 3), (features "
                         "out, features in): 4 != 3",
                         shape_error);
    CHECK_THROWS_AS(linear(x, ones({2, 4}), ones({3})), shape_error);
    CHECK_THROWS_WITH_AS(channel_shuffle(x, 3), "[channel_shuffle] 4 channels do not make 3 groups", shape_error);
    CHECK_THROWS_AS(local_response_norm(ones({1, 2, 3}), 0), value_error);
    CHECK_THROWS_AS(multi_margin_loss(x, tensor<int, 1>{0, 1, 4}), index_error);
}
