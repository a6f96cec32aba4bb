// Derivatives of functions put together from others, whose results stand in test_names.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

const tensor<double, 1> places{0, 1, 3, 4};

}  // namespace

TEST_CASE("names: derivatives") {
    const auto x = spread({3, 4}), y = spread({2, 4}, 30);
    CHECK(gradgradcheck([](auto a, auto b) { return cdist(a, b); }, ricci::tuple(x, y)));
    CHECK(gradcheck([](auto a, auto b) { return cdist(a, b, 3); }, ricci::tuple(x, y)));
    CHECK(gradcheck([](auto a) { return pdist(a); }, ricci::tuple(x)));
    CHECK(all(grad([](auto a) { return sum(cdist(a, a)); })(zeros<double>({2, 2})) == 0).item());
    CHECK(gradcheck([](auto a, auto b) { return cosine_similarity(a, b); }, ricci::tuple(x, y(slice(0, 1)))));
    CHECK(gradcheck([](auto a) { return normalize(a); }, ricci::tuple(x)));
    CHECK(gradgradcheck([](auto a) { return logcumsumexp(a, 1); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return cumulative_trapezoid(a, places); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto p, auto a) { return polyfit(p, a, 2); }, ricci::tuple(places, evaluate(x(0)))));
    CHECK(gradcheck([](auto c) { return polyder(c) * polyint(c)(slice(0, 3)); }, ricci::tuple(evaluate(x(0)))));
    CHECK(gradcheck([](auto a) { return nancumprod(a, 1) + nancumsum(a, 1) + ptp(a, 1, keepdims); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a, auto b) { return block_diag(a, b); }, ricci::tuple(x, y)));
    CHECK(gradcheck([](auto a, auto b) { return insert(append(a, b, 0), 1, a(0), 0); }, ricci::tuple(x, y)));
    CHECK(gradcheck([](auto a) { return erase(a, {0, 2}, 1); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return insert(a, {2, 0}, a(0), 0); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return partition(a, 1); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a) { return softmin(a, 1); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a, auto b) { return fill_diagonal(a, b); },
                    ricci::tuple(x, evaluate(y(0, slice(0, 3))(newaxis, all)(0)))));
    const auto z = spread({3, 4}, 5);
    CHECK(gradgradcheck([](auto a, auto b) { return mse_loss(a, b) + huber_loss(a, b, 0.7); }, ricci::tuple(x, z)));
    CHECK(gradcheck([](auto a, auto b) { return l1_loss(a, b) + smooth_l1_loss(a, b, 2); }, ricci::tuple(x, z)));
    const tensor<int, 1> classes{3, 0, 1};
    CHECK(gradcheck([=](auto a) { return cross_entropy(a, classes); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto a, auto b) { return binary_cross_entropy_with_logits(a, b); }, ricci::tuple(x, z)));
    CHECK(gradcheck([](auto a) { return select(ricci::tuple(a < -1, a < 1), ricci::tuple(-a, a * a), 2.0); },
                    ricci::tuple(x)));
}
