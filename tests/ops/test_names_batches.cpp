// Batches of functions put together from others, whose results stand in test_names.cpp.
#include "../transforms/mapped.hpp"

using namespace mapped;

namespace {

const tensor<double, 1> places{0, 1, 3, 4};
const tensor<int, 1> ties{1, 0, 1, 0};

}  // namespace

TEST_CASE("names: batches") {
    const auto x = spread({2, 3, 4});
    const auto each = [&](auto f) { check_vmap(f, x); };
    each([](auto a) { return cdist(a, a, 1); });
    each([](auto a) { return pdist(a); });
    each([](auto a) { return normalize(cosine_similarity(a, a(0)), 2, 0); });
    each([](auto a) { return logcumsumexp(a, 0); });
    each([](auto a) { return nancumsum(a, 1) + nancumprod(a, 1); });
    each([](auto a) { return cumulative_trapezoid(a, places); });
    each([](auto a) { return polyfit(places, matrix_transpose(a), 1); });
    each([](auto a) { return polyder(a(0)) * polyint(a(0))(slice(0, 3)); });
    each([](auto a) { return nanargmax(a, 1) + nanargmin(a, 1); });
    each([](auto a) { return ptp(a, 0); });
    each([](auto a) { return block_diag(a, a); });
    each([](auto a) { return insert(a, 1, 2 * a(0), 0) + 1.0; });
    each([](auto a) { return insert(a, {2, 0}, 2 * a(0), 0) + 1.0; });
    each([](auto a) { return append(erase(a, 1, 0), a, 0); });
    each([](auto a) { return partition(a, 1) + argpartition(a, 1); });
    each([](auto a) { return lexsort(ricci::tuple(a(0), a(1))); });
    each([](auto a) { return lexsort(ricci::tuple(ties, floor(a(0)), ties, a(1) > 0)); });
    each([](auto a) { return fill_diagonal(a, 1.0); });
    each([](auto a) { return a(triu_indices(3, 0, 4)); });
    each([](auto a) { return a(tril_indices(3, 0, 4)); });
    each([](auto a) { return a(diag_indices(3)); });
    each([](auto a) { return one_hot(argmax(a, 1), 4); });
    each([](auto a) { return cross_entropy(a, argmax(a, 1)) + huber_loss(a, 0.0) + mse_loss(a, 1); });
    each([](auto a) { return l1_loss(a, 0.0) + smooth_l1_loss(a, 0.0) + binary_cross_entropy_with_logits(a, a > 0); });
    each([](auto a) { return select(ricci::tuple(a < 0), ricci::tuple(-a), a * a) + softmin(a, 1); });
    each([](auto a) { return gcd(argmax(a, 1), 6) + lcm(argmax(a, 1), 2); });
    each([](auto a) { return std::get<0>(histogram2d(a, 2 * a, 2, 3, {-1, 1}, {-2, 2})); });
    each([](auto a) { return ravel_multi_index(ricci::tuple(argmax(a, 1), argmin(a, 1)), shape{4, 4}); });
    CHECK_THROWS_WITH_AS(
        vmap([](auto a) { return union1d(a, a); })(x),
        "[unique_values] the result's shape depends on the values, which vmap makes differ between the "
        "members of a batch",
        value_error);
}
