// span(), begin() and end() of tensors: the standard's algorithms, and views that have none.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <algorithm>
#include <numeric>
#include <ranges>

using namespace ricci;

static_assert(std::ranges::contiguous_range<const tensor<double, 2>>);
static_assert(std::ranges::sized_range<const tensor<const int, 1>>);
static_assert(std::is_same_v<std::ranges::range_reference_t<tensor<const int, 1>>, const int&>);

TEST_CASE("span: the standard's algorithms read and write a tensor") {
    tensor<double, 2> x{{3, 1, 2}, {6, 5, 4}};
    std::ranges::sort(x);
    CHECK(all(x == tensor<double, 2>{{1, 2, 3}, {4, 5, 6}}).item());
    CHECK(std::accumulate(x.begin(), x.end(), 0.0) == 21);
    CHECK(std::ranges::max(x) == 6);
    for (double& element : x) element *= 2;
    CHECK(x.span()[5] == 12);
    CHECK(x.span().data() == x.data());
    std::ranges::fill(x(1).span(), 0.0);  // a row of a row-major array
    CHECK(x.at(0, 2) == 6);
    CHECK(x.at(1, 0) == 0);
    const tensor<const double, 1> read_only = borrow(std::span<const double>(x.span()));
    CHECK(std::ranges::equal(read_only, x));
    CHECK(tensor<float, 0>(7.0f).span()[0] == 7.0f);
    CHECK(tensor<float, 2>().span().empty());
}

TEST_CASE("span: a view that is not contiguous has none") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK_THROWS_WITH_AS(
        x(all, 1).span(),
        "[span] the elements of a view of shape (2,) and strides (3,) do not lie in order without gaps: "
        "use a clone() of it",
        value_error);
    CHECK_THROWS_AS(x(all, slice(0, 2)).end(), value_error);
    CHECK(x(all, 1).clone().span()[1] == 5);
}
