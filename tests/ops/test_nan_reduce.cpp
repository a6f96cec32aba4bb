// nansum, nanprod, nanmean, nanmax, nanmin, nanvar, nanstddev: NumPy's results.
#include "reduced.hpp"

using namespace reduced;

TEST_CASE("nan reductions: NumPy's results") {
    const auto y = numbers_and_nan();
    RICCI_NAN_CASES(RICCI_CHECK_REDUCED);
    CHECK(nansum(tensor<int, 1>{1, 2}).item() == 3);
    CHECK(nanmax(tensor<int, 1>{1, 2}, 0).item() == 2);
    CHECK(nanmean(tensor<int, 1>{1, 2}).item() == 1.5);
    CHECK(nansum(zeros<float>({0})).item() == 0);
    CHECK(std::isnan(nanmean(zeros<float>({0})).item()));
    CHECK_THROWS_WITH_AS(nanmax(zeros<double>({2, 0}), 1),
                         "[nanmax] of an empty axis: shape (2, 0) has no elements there", value_error);
    const tensor<double, 1> infinite{-inf, NAN};
    CHECK(nanmax(infinite).item() == -inf);
}
