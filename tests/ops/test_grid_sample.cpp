// grid_sample and affine_grid against PyTorch, values and gradients; derivatives of higher order, batches, refusals.
#include "../golden/torch.hpp"
#include "../transforms/mapped.hpp"
#include "close_calls.hpp"

using namespace mapped;

namespace grid_sample_cases {

tensor<double, 1> row(reference::layout l, index_t n, int seed) {
    return reference::make<double>(l, shape{n},
                                   [=](index_t i) { return static_cast<double>((37 * i + 11 * seed) % 29 - 14) / 8; });
}
template <interpolation Mode>
auto both_slopes(const tensor<double, 4>& x, const tensor<double, 4>& grid, const sampling_options& options) {
    return grad([=](auto a, auto g) { return mean(square(grid_sample<Mode>(a, g, options))); }, argnums<0, 1>)(x, grid);
}
template <interpolation Mode, int Which>
auto sampled_slope(const tensor<double, 4>& x, const tensor<double, 4>& grid, const sampling_options& options) {
    return std::get<Which>(both_slopes<Mode>(x, grid, options));
}

}  // namespace grid_sample_cases
using namespace grid_sample_cases;

TEST_CASE("grid_sample: results of PyTorch") {
    const auto l = reference::layout::reversed;
    const auto images = row(l, 120, 1).reshape({2, 3, 4, 5});
    const auto grid = evaluate(row(l, 24, 4) * 0.77).reshape({2, 3, 2, 2});
    const auto line = row(l, 36, 2).reshape({2, 3, 6}), maps = row(l, 12, 5).reshape({2, 2, 3});
    const auto line_grid = evaluate(row(l, 16, 5)(slice(0, none, 2)) * 0.9).reshape({2, 4, 1});
    const auto solid = row(l, 36, 3).reshape({1, 2, 3, 2, 3});
    const auto solid_grid = evaluate(row(l, 24, 6) * 0.6).reshape({1, 2, 2, 2, 3});
    const auto solid_maps = row(l, 12, 6).reshape({1, 3, 4});
    RICCI_SAMPLED_CASES(RICCI_CHECK_CLOSE);
}
TEST_CASE("grid_sample: derivatives of second order, and batches") {
    const auto x = spread({1, 2, 3, 3});
    const auto maps = spread({1, 2, 3}, 5);
    const auto seen = [](auto a, auto m) {
        return grid_sample<interpolation::cubic>(a, affine_grid(m, {1, 2, 2, 1}), {.padding = pad_mode::replicate});
    };
    CHECK(gradgradcheck(seen, ricci::tuple(x, maps)));
    const auto many = spread({2, 1, 2, 3, 3}), grids = spread({2, 1, 2, 2, 2}, 3);
    check_vmap(
        [&](auto a) {
            return grid_sample(a, grids(0)) +
                   grid_sample(x(all, all), tanh(a(all, 0, slice(0, 2), newaxis, slice(0, 2))));
        },
        many);
    check_vmap(
        [&](auto g) {
            return grid_sample<interpolation::nearest>(x, g) * grid_sample(x, sin(g), {.padding = pad_mode::reflect});
        },
        grids);
}
TEST_CASE("grid_sample: many channels and places, by definition") {
    const index_t channels = 7, height = 9, width = 11, places = 1100;
    const auto x = randn<double>({2, channels, height, width}, generator(1));
    const auto grid = evaluate(rand<double>({2, places, 1, 2}, generator(2)) * 2.6 - 1.3);
    const auto y = grid_sample(x, grid);
    double far = 0;
    for (index_t b = 0; b < 2; ++b)
        for (index_t p = 0; p < places; ++p) {
            const double u = ((grid.at(b, p, 0, 0) + 1) * static_cast<double>(width) - 1) / 2;
            const double v = ((grid.at(b, p, 0, 1) + 1) * static_cast<double>(height) - 1) / 2;
            const index_t i = static_cast<index_t>(std::floor(v)), j = static_cast<index_t>(std::floor(u));
            for (index_t c = 0; c < channels; ++c) {
                double sum = 0;
                for (index_t k = i; k < i + 2; ++k)
                    for (index_t l = j; l < j + 2; ++l)
                        if (k >= 0 && k < height && l >= 0 && l < width)
                            sum += (1 - std::abs(v - static_cast<double>(k))) *
                                   (1 - std::abs(u - static_cast<double>(l))) * x.at(b, c, k, l);
                far = std::max(far, std::abs(sum - y.at(b, c, p, 0)));
            }
        }
    CHECK(far < 1e-12);
    // what a place outside gives or takes does not depend on what is not finite elsewhere
    const double inf = std::numeric_limits<double>::infinity();
    x(all, all, 0, 0) = inf;
    const auto outside = full({2, 3, 1, 2}, 3.0);
    const auto slopes = grad([](auto a, auto g) { return sum(grid_sample(a, g)); }, argnums<0, 1>)(x, outside);
    CHECK(array_equal(grid_sample(x, outside), zeros({2, channels, 3, 1})));
    CHECK(array_equal(std::get<0>(slopes), zeros({2, channels, height, width})));
    CHECK(array_equal(std::get<1>(slopes), zeros({2, 3, 1, 2})));
    const auto [y0, pull] = vjp([](auto a) { return grid_sample(a, full({2, 3, 1, 2}, 3.0)); }, x);
    CHECK(array_equal(pull(full({2, channels, 3, 1}, inf)), zeros({2, channels, height, width})));
}
TEST_CASE("grid_sample: what is not finite, and types") {
    const double inf = std::numeric_limits<double>::infinity(), nan = calls::not_a_number;
    const auto x = tensor{inf, 1.0, 2.0}.reshape({1, 1, 3});
    const auto at = [](double a, double b) { return tensor{a, b}.reshape({1, 2, 1}); };
    CHECK(array_equal(ravel(grid_sample(x, at(1, inf))), tensor{1.0, 0.0}));
    CHECK(array_equal(ravel(grid_sample(x, at(2, -1e300), {.padding = pad_mode::replicate})), tensor{2.0, inf}));
    CHECK(ravel(grid_sample(x, at(nan, 0), {.padding = pad_mode::replicate}))(0).item() == inf);  // NaN as -1
    const auto slope = grad([](auto a, auto g) { return sum(grid_sample(a, g)); }, argnums<0, 1>)(x, at(1, 5));
    CHECK(array_equal(ravel(std::get<0>(slope)), tensor{0.0, 0.0, 0.5}));
    CHECK(array_equal(ravel(std::get<1>(slope)), tensor{-3.0, 0.0}));
    static_assert(
        std::is_same_v<decltype(grid_sample(ones<float>({1, 1, 2}), ones<float>({1, 1, 1})))::value_type, float>);
    static_assert(
        std::is_same_v<decltype(grid_sample(ones<int>({1, 1, 2}), ones<float>({1, 1, 1})))::value_type, double>);
    CHECK(grid_sample(ones<bfloat16>({0, 1, 2}), ones<bfloat16>({0, 4, 1})).shape() == shape{0, 1, 4});
}
TEST_CASE("grid_sample: refusals") {
    const auto x = ones({2, 3, 4, 5});
    CHECK_THROWS_WITH_AS(grid_sample(x, ones({1, 2, 2, 2})),
                         "[grid_sample] a grid of shape (1, 2, 2, 2) for pictures of shape (2, 3, 4, 5)", shape_error);
    CHECK_THROWS_AS(grid_sample(x, ones({2, 2, 2, 3})), shape_error);
    CHECK_THROWS_AS(grid_sample(ones({2, 3, 0, 5}), ones({2, 2, 2, 2})), value_error);
    CHECK_THROWS_AS(grid_sample(x, ones({2, 2, 2, 2}), {.padding = pad_mode::circular}), value_error);
    CHECK_THROWS_WITH_AS(affine_grid(ones({2, 2, 3}), {1, 3, 4, 5}),
                         "[affine_grid] maps of shape (2, 2, 3) for pictures of shape (1, 3, 4, 5)", shape_error);
    CHECK_THROWS_WITH_AS(affine_grid(ones({2, 2, 3}), {2, 3, -1, 4}),
                         "[affine_grid] negative extent in shape (2, -1, 4, 2)", value_error);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_AS(affine_grid(ones({2, 2, 3}), {index_t(2), index_t(3), most, most}), value_error);
}
