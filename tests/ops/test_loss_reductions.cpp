// Losses added up, and of each element, pair or row, against PyTorch; their gradients and batches.
#include "../golden/functional.hpp"
#include "close_calls.hpp"

using namespace ricci;

namespace {

template <int R>
tensor<double, R> numbers(const shape<R>& extents, int seed) {
    return calls::numbers(reference::layout::permuted, extents, seed);
}

}  // namespace

TEST_CASE("losses: sums and single losses of PyTorch") {
    const auto x = numbers(shape{3, 4}, 1), y = numbers(shape{3, 4}, 2), z = numbers(shape{3, 4}, 3);
    const auto p = evaluate(sigmoid(x)), t = evaluate(sigmoid(y));
    const auto sign = evaluate(where(y > 0, 1.0, -1.0));
    const tensor<int, 1> classes{2, 0, 3};
    const auto lp = log_softmax(x, 1);
    const auto w = evaluate(square(numbers(shape{4}, 5)));
    RICCI_REDUCTION_CASES(RICCI_CHECK_CLOSE);
}

TEST_CASE("losses: gradients of sums, a loss for each member of a batch") {
    const auto x = numbers(shape{3, 4}, 1), y = numbers(shape{3, 4}, 2);
    const auto total = [&](auto a) { return mse_loss<reduction::sum>(a, y); };
    CHECK(allclose(grad(total)(x), 2 * (x - y), 1e-14));
    const auto each = vmap([](auto a, auto b) { return mse_loss<reduction::sum>(a, b); })(x, y);
    CHECK(allclose(each, sum(square(x - y), 1), 1e-14));
    const tensor<int, 1> classes{2, 0, 3};
    CHECK(allclose(jacrev([&](auto a) { return cross_entropy<reduction::none>(a, classes); })(x)(1, 1),
                   softmax(x, 1)(1) - one_hot(tensor{0}, 4)(0), 1e-13));
    CHECK(mse_loss<reduction::none>(tensor{1.0f, 2.0f}, 1).at(1) == 1.0f);
}
