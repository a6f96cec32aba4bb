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

TEST_CASE("nanmax: lines of nothing else than NaN, or than infinity, beside others") {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const index_t n : {1, 3, 8, 70}) {
        CAPTURE(n);
        auto x = full<double>({3, n}, nan);
        x(1) = -inf;
        x(2, n - 1) = 2.0;
        const auto rows = nanmax(x, 1), columns = nanmax(x, 0), least = nanmin(x, 1);
        CHECK(isnan(rows)(0).item());
        CHECK(rows.at(1) == -inf);
        CHECK(rows.at(2) == 2);
        CHECK(least.at(1) == -inf);
        CHECK(columns.at(0) == (n == 1 ? 2 : -inf));
        CHECK(columns.at(n - 1) == 2);
        CHECK(nanmax(x).item() == 2);
        CHECK(isnan(nanmax(x(0))).item());
        CHECK(isnan(nanmin(full<float>({n, 5}, std::numeric_limits<float>::quiet_NaN()), 0))(4).item());
    }
}
