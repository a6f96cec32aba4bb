// all, any, count_nonzero, argmax and argmin against NumPy; ties, NaN, no elements, batches.
#include "../golden/search.hpp"
#include "calls.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("search: NumPy's results, in every memory layout and as floats") {
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        const auto value = [](index_t i) { return 37 * i % 11 - 5; };
        const auto check = [](const auto& x) { RICCI_SEARCH_CASES(RICCI_CHECK_CALL); };
        check(reference::make<int>(l, shape{3, 4, 7}, value));
        check(reference::make<float>(l, shape{3, 4, 7}, value));
    }
}

TEST_CASE("search: NaN, infinities, long axes, no elements") {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(argmax(tensor<double, 1>{1, nan, inf, nan}).item() == 1);
    CHECK(argmin(tensor<double, 1>{1, nan, -inf}).item() == 1);
    CHECK(argmax(tensor<double, 1>{-inf, -inf}).item() == 0);
    CHECK(argmin(tensor<float, 1>{3, -2, 7, -2}).item() == 1);
    auto x = zeros<float>({100000});
    x(99999) = -1;
    CHECK(argmin(x).item() == 99999);
    CHECK(all(tensor<double, 1>{nan, 1}).item());
    CHECK(all(zeros<double>({0})).item());
    CHECK(!any(zeros<double>({0, 3})).item());
    CHECK(count_nonzero(zeros<bool>({0, 2}), 0).shape() == shape{2});
    CHECK_THROWS_WITH_AS(argmax(zeros<double>({2, 0}), 1),
                         "[argmax] of an empty axis: shape (2, 0) has no elements there", value_error);
    CHECK(argmax(zeros<double>({0, 2}), 1).shape() == shape{0});
    CHECK_THROWS_AS(argmax(zeros<double>({2, 2}), 2), index_error);
}

TEST_CASE_TEMPLATE("search: short rows, the extremum and its equals in every place, NaN before and after it", T, float,
                   double) {
    const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
    index_t wrong = 0;
    for (const index_t n : {1, 2, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 150})
        for (index_t i = 0; i < n; ++i) {
            auto x = full<T>({2, n}, T(1));
            for (index_t k = i; k < n; k += 3) x(all, k) = T(2);
            wrong += argmax(x, 1)(0).item() != i || argmin(evaluate(-x), 1)(1).item() != i;
            x(0, all) = -inf;
            wrong += argmax(x, 1)(0).item() != 0;
            x(1, i) = nan;
            wrong += argmax(x, 1)(1).item() != i || argmin(x, 1)(1).item() != i;
            x(1, n / 2) = nan;
            wrong += argmax(x, 1)(1).item() != std::min(i, n / 2);
        }
    CHECK(wrong == 0);
}

TEST_CASE("search: truth values are counted beyond what a byte holds") {
    for (const index_t n : {1, 63, 64, 65, 255, 256, 64 * 255, 64 * 255 + 1, 64 * 256 + 63, 100000}) {
        CAPTURE(n);
        const auto ones = full<bool>({n}, true);
        CHECK(count_nonzero(ones).item() == n);
        CHECK(sum(ones).item() == n);
        CHECK(count_nonzero(!ones).item() == 0);
        const auto third = evaluate(remainder(arange<int>(static_cast<int>(n)), 3) == 0);
        CHECK(count_nonzero(third).item() == (n + 2) / 3);
        CHECK(count_nonzero(!third).item() == n - (n + 2) / 3);
        CHECK(sum(third && !third).item() == 0);
        CHECK(count_nonzero(flip(third)(slice(none, none, 2))).item() ==
              count_nonzero(third.clone()(slice(n - 1, none, -2))).item());
    }
    const auto x = full<bool>({3, 20000}, true);
    CHECK(all(sum(x, 1) == 20000).item());
    CHECK(all(sum(x, 0) == 3).item());
}

TEST_CASE("search: constants of derivatives, and in batches") {
    const tensor<double, 2> x{{3, 1, 2}, {4, 9, 5}};
    CHECK(allclose(vmap([](auto row) { return argmax(row); })(x), tensor<int, 1>{0, 1}));
    CHECK(allclose(vmap([](auto row) { return all(row > 1.5); })(x), tensor<int, 1>{0, 1}));
    CHECK(allclose(grad([](auto v) { return sum(v(argmax(v))) + sum(astype<double>(argmax(v))); })(x(1)),
                   tensor<double, 1>{0, 1, 0}));
}

TEST_CASE("search: unravel_index") {
    const tensor<double, 2> x{{1, 9, 3}, {4, 5, 6}};
    const auto [row, column] = unravel_index(5, shape{2, 3});
    CHECK(row.item() == 1);
    CHECK(column.item() == 2);
    const auto [i, j] = unravel_index(argmax(x), x.shape());
    CHECK(i.item() == 0);
    CHECK(j.item() == 1);
    const auto [a, b, c] = unravel_index(arange<int>(24), shape{2, 3, 4});
    CHECK(all(a * 12 + b * 4 + c == arange<int>(24)).item());
    CHECK(all(c < 4).item());
    CHECK(all(b < 3).item());
    CHECK(unravel_index(zeros<int>({0}), shape{0, 3})[1].size() == 0);
    CHECK_THROWS_WITH_AS(unravel_index(tensor<int, 1>{0, 6}, x.shape()),
                         "[unravel_index] a position 6 does not lie between 0 and 5", index_error);
    CHECK_THROWS_AS(unravel_index(tensor<int, 0>(-1), x.shape()), index_error);
    const auto rows = vmap([](auto r) { return unravel_index(argmax(r), shape{3, 1})[0]; })(x);
    CHECK(all(rows == tensor<int, 1>{1, 2}).item());
}

TEST_CASE("search: numbers that integers do not hold select all or none, in batches too") {
    const tensor<std::uint8_t, 1> u{1, 2, 255};
    CHECK(u(u > -1).size() == 3);
    CHECK(u(u + u == 300).size() == 0);
    CHECK(count_nonzero(u < 256).item() == 3);
    CHECK(all(where(u != 300, 1.0, 2.0) == 1).item());
    CHECK(all(vmap([](auto x) { return x < 256; })(u)).item());
}
