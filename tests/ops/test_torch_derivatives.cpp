// Derivatives and batches of the functions whose results stand in test_torch.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

TEST_CASE("torch: derivatives and batches") {
    const auto x = spread({3, 4});
    const auto w = spread({2, 3, 4}, 7);
    const auto f = [](auto a) {
        const auto [v, m] = var_mean(a, 1, keepdims, 1);
        const auto [s, n] = std_mean(a);
        return kthvalue(a, 2, 0).values + aminmax(a, 0).max * aminmax(a).min + sum(v) * m(0) + s * n;
    };
    CHECK(gradcheck(f, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return sum(square(diag_embed(a, 1, 0, 1)), 2); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return cartesian_prod(a(0), a(1)) * sum(combinations(a(2))); }, ricci::tuple(x)));
    check_vmap(f, w);
    const auto windows = [](auto a) { return unfold(a, 2, {.stride = {1, 2}, .padding = 1}); };
    const auto picture = spread({1, 3, 4}, 2);
    CHECK(gradcheck([=](auto a) { return square(windows(a)); }, ricci::tuple(picture)));
    CHECK(gradcheck([](auto a) { return square(fold(a, 2, 2, {.padding = 1})); }, ricci::tuple(spread({4, 9}))));
    check_vmap(windows, spread({2, 1, 3, 4}));
    check_vmap([](auto a) { return fold(a, {3, 2}, {2, 1}); }, spread({2, 4, 4}));
    check_close(grad([=](auto a) { return sum(windows(a) * windows(picture)); })(picture),
                fold(windows(picture), {3, 4}, 2, {.stride = {1, 2}, .padding = 1}));
    const auto loss = [](auto a, auto by) {
        return cross_entropy(a, tensor<int, 1>{-1, 3, 0}, exp(by), {.ignore_index = -1, .label_smoothing = 0.2});
    };
    CHECK(gradcheck(loss, ricci::tuple(x, spread({4}))));
    check_vmap([=](auto a) { return loss(a, a(0)); }, w);
    check_vmap(
        [](auto a) { return diag_embed(a, -1) + cartesian_prod(a(0), a(1))(3, 0) * combinations(a(2), 3)(1, 2); }, w);
    check_vmap([](auto a) { return topk(a, 2).values * astype<double>(kthvalue(a, 2, 1, keepdims).indices); }, w);
    check_close(vmap([](auto a) { return topk(a, 2); })(x).values, topk(x, 2).values);
    check_close(vmap([](auto a) { return aminmax(a); })(x).max, max(x, 1));
    check_close(std::get<1>(jvp([](auto a) { return aminmax(a, 1); }, x, x)).min, min(x, 1));
}
