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

TEST_CASE("search: constants of derivatives, and in batches") {
    const tensor<double, 2> x{{3, 1, 2}, {4, 9, 5}};
    CHECK(allclose(vmap([](auto row) { return argmax(row); })(x), tensor<int, 1>{0, 1}));
    CHECK(allclose(vmap([](auto row) { return all(row > 1.5); })(x), tensor<int, 1>{0, 1}));
    CHECK(allclose(grad([](auto v) { return sum(v(argmax(v))) + sum(astype<double>(argmax(v))); })(x(1)),
                   tensor<double, 1>{0, 1, 0}));
}
