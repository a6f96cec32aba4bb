// unique_values, unique_counts, unique_inverse and unique_all along an axis, against NumPy; NaN, empty arrays, errors.
#include "../golden/sets.hpp"
#include "calls.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("unique slices: NumPy's results, in every memory layout") {
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        const auto m = reference::make<int>(l, shape{4, 6, 2}, [](index_t i) { return i / 12 * i % 3; });
        RICCI_SLICE_CASES(RICCI_CHECK_CALL);
    }
}

TEST_CASE("unique slices: each NaN by itself, empty ones, errors") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const tensor<double, 2> x{{nan, 1}, {2, 1}, {nan, 1}, {2, -0.0}, {2, 0.0}};
    const auto [values, first, inverse, counts] = unique_all(x, 0);
    CHECK(allclose(values(slice(0, 2)), tensor<double, 2>{{2, 0}, {2, 1}}));
    CHECK(allclose(first, tensor<int, 1>{3, 1, 0, 2}));
    CHECK(allclose(inverse, tensor<int, 1>{2, 1, 3, 0, 0}));
    CHECK(allclose(counts, tensor<int, 1>{2, 1, 1, 1}));
    CHECK(unique_values(zeros<double>({0, 3}), 0).shape() == shape{0, 3});
    CHECK(unique_values(zeros<double>({2, 0}), 0).shape() == shape{1, 0});
    CHECK(unique_values(zeros<double>({2, 0}), 1).shape() == shape{2, 0});
    CHECK_THROWS_AS(unique_values(x, 2), index_error);
    CHECK_THROWS_AS(vmap([](auto v) { return unique_values(v, 0); })(zeros<double>({2, 3, 2})), value_error);
}
