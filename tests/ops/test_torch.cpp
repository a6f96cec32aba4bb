// What PyTorch has and NumPy has not against PyTorch, in two memory layouts, and what they refuse.
#include "../golden/torch.hpp"
#include "close_calls.hpp"

using namespace ricci;

namespace torch_cases {

using calls::numbers;

void check_all(reference::layout l) {
    CAPTURE(reference::name(l));
    const auto x = numbers(l, shape{3, 4}, 1);
    const auto u = numbers(l, shape{3}, 2), v = numbers(l, shape{2}, 3);
    const auto w = evaluate(square(numbers(l, shape{4}, 5)));
    const tensor gaps{2, -100, 1};
    const auto columns = numbers(l, shape{2, 12, 6}, 7);
    const auto image = numbers(l, shape{1, 2, 5, 4}, 8);
    RICCI_TORCH_CASES(RICCI_CHECK_CLOSE);
}

}  // namespace torch_cases
using namespace torch_cases;

TEST_CASE("torch: results of PyTorch") {
    check_all(reference::layout::permuted);
    check_all(reference::layout::reversed);
}
TEST_CASE("torch: results with names are read as tuples") {
    const tensor x{3.0, calls::not_a_number, 1.0, 3.0};
    const auto [values, indices] = kthvalue(x, 3);
    CHECK(values.item() == 3);
    CHECK(indices.item() == 3);
    CHECK(std::isnan(std::get<0>(kthvalue(x, 4)).item()));
    tensor<double, 1> largest;
    tensor<std::int64_t, 1> places;
    std::tie(largest, places) = topk(x, 2, 0, false);
    CHECK(array_equal(largest, tensor{1.0, 3.0}));
    CHECK(array_equal(places, tensor{2, 0}));
    const auto [low, high] = aminmax(tensor{4, -2, 7});
    CHECK(low.item() == -2);
    CHECK(high.item() == 7);
    CHECK(std::isnan(aminmax(x).min.item()));
}
TEST_CASE("torch: no elements, and none chosen") {
    CHECK(combinations(tensor{1, 2}, 0).shape() == shape{1, 0});
    CHECK(combinations(zeros({0}), 2).shape() == shape{0, 2});
    CHECK(combinations(zeros({0}), 2, true).shape() == shape{0, 2});
    CHECK(cartesian_prod(zeros({0}), tensor{1, 2}).shape() == shape{0, 2});
    CHECK(diag_embed(zeros({2, 0})).shape() == shape{2, 0, 0});
    CHECK(diag_embed(zeros({0}), 1).shape() == shape{1, 1});
    CHECK(array_equal(combinations(tensor{true, false}), tensor<bool, 2>{{true, false}}));
}
TEST_CASE("torch: sums of windows of 16 bits are rounded once") {
    constexpr double e = 0x1p-8;  // 1 + e would be 1, in whatever order three windows are added
    const tensor<double, 2> columns{{0, 0, e}, {0, e, 0}, {1, 0, 0}, {0, 0, 1}, {0, e, 0}, {e, 0, 0}};
    const auto y = astype<double>(fold(astype<bfloat16>(columns), {1, 5}, {1, 3}));
    CHECK(array_equal(y(all, 0, 2), tensor{1 + 2 * e, 1 + 2 * e}));
}
TEST_CASE("torch: refusals") {
    const auto x = randn({3, 4}, generator(1));
    CHECK_THROWS_WITH_AS(kthvalue(x, 5), "[kthvalue] element 5 of axis 1 of shape (3, 4), which has 1 to 4",
                         value_error);
    CHECK_THROWS_AS(kthvalue(x, 0), value_error);
    CHECK_THROWS_AS(diag_embed(x, 0, 1, -2), index_error);
    CHECK_THROWS_WITH_AS(aminmax(zeros({0})), "[aminmax] of an empty axis: shape (0,) has no elements there",
                         value_error);
    CHECK_THROWS_WITH_AS(ptp(zeros({0, 2}), 0), "[ptp] of an empty axis: shape (0, 2) has no elements there", value_error);
    CHECK_THROWS_WITH_AS(ptp(zeros({0, 2}), 2), "[ptp] axis 2 is out of range for rank 2", index_error);
    CHECK_THROWS_AS(unfold(ones({1, 3, 3}), 4), value_error);
    CHECK_THROWS_AS(unfold(ones({1, 3, 3}), {0, 1}), value_error);
    CHECK_THROWS_AS(unfold(ones({1, 3, 3}), 2, {.padding = -1}), value_error);
    CHECK_THROWS_WITH_AS(fold(ones({4, 5}), {3, 3}, 2),
                         "[fold] columns of shape (4, 5) for windows of 2 x 2 elements, 2 x 2 of them", shape_error);
    CHECK_THROWS_AS(fold(ones({5, 4}), {3, 3}, 2), shape_error);
    CHECK_THROWS_AS(cross_entropy(x, tensor{0, -100, 1}), index_error);
    CHECK_THROWS_AS(cross_entropy(x, tensor{0, 4, 1}, {.ignore_index = -100}), index_error);
    CHECK_THROWS_WITH_AS(cross_entropy(x, tensor{0, 1, 1}, ones({3}), {.label_smoothing = 0.1}),
                         "[cross_entropy] weights of shape (3,) for the classes of shape (3, 4)", shape_error);
    CHECK(std::isnan(cross_entropy(x, tensor{7, 7, 7}, {.ignore_index = 7}).item()));
    CHECK_THROWS_WITH_AS(combinations(x(0), -1), "[combinations] of -1 elements", value_error);
    CHECK_THROWS_WITH_AS(combinations(arange(100), 50),
                         "[combinations] there are more ways to choose 50 of 100 than an array has rows", shape_error);
}
