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

TEST_CASE_TEMPLATE("nan reductions: of 16 bits as of float, rounded once", H, float16, bfloat16) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const tensor<H, 2> x{{nan, 2, -1}, {1, 3, nan}, {nan, inf, -7}};
    const tensor<float, 2> wide = astype<float>(x);
    CHECK(array_equal(nanmax(x, 0), astype<H>(nanmax(wide, 0))));
    CHECK(array_equal(nanmin(x, 1), astype<H>(nanmin(wide, 1))));
    CHECK(double(nanmax(x)) == inf);
    CHECK(double(nanmin(x)) == -7);
    CHECK(isnan(nanmax(full<H>({2, 3}, nan), 1))(0).item());
    CHECK(double(nanmean(full<H>({100000}, 3))) == 3);
    CHECK(double(nanvar(arange<H>(0, 100))) == H(833.25));
    CHECK(double(nanstddev(arange<H>(0, 100))) == H(std::sqrt(833.25)));
    // the largest number of the type, also where what is computed in float exceeds it
    const double largest = std::numeric_limits<H>::max();
    CHECK(double(nan_to_num(full<H>({}, inf))) == largest);
    CHECK(double(nan_to_num(full<H>({}, -inf))) == -largest);
    const tensor<H, 1> big{largest, 1, nan};
    const tensor<H, 1> bounded = nan_to_num(big * 2);
    CHECK((double(bounded(0)) == largest && double(bounded(1)) == 2 && double(bounded(2)) == 0));
}
