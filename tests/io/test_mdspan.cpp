// Tensors as std::mdspan and back; nothing where the standard library lacks it.
#include <ricci/io/mdspan.hpp>
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

using namespace ricci;

TEST_CASE("mdspan: tensors as mdspan, and mdspans as tensors") {
#if defined(__cpp_lib_mdspan)
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const auto m = to_mdspan(permute(x, {1, 0}));
    CHECK(m.extent(0) == 3);
    CHECK(m[2, 1] == 6);
    m[0, 1] = 7;
    CHECK(x.at(1, 0) == 7);
    CHECK(to_mdspan(tensor<const double, 2>(x.memory(), x.data(), x.shape(), x.strides()))[0, 1] == 2);
    CHECK(to_mdspan(tensor<int, 0>(5))[] == 5);
    CHECK(to_mdspan(zeros<int>({0, 3})).size() == 0);
    CHECK_THROWS_WITH_AS(to_mdspan(tensor<double, 1>(x(0)(slice(none, none, -1)))),
                         "[to_mdspan] a view of strides (-1,): they must be positive", value_error);
    CHECK_THROWS_WITH_AS(to_mdspan(unfold(tensor<double, 1>{1, 2, 3, 4}, 0, 3)),
                         "[to_mdspan] a view of shape (2, 3) and strides (1, 1): it shows an element more than once",
                         value_error);
    CHECK(to_mdspan(unfold(tensor<double, 1>{1, 2, 3, 4}, 0, 4))[0, 3] == 4);

    double values[6] = {1, 2, 3, 4, 5, 6};
    const auto row_major = borrow(std::mdspan(values, 2, 3));
    CHECK(row_major.at(1, 0) == 4);
    const std::mdspan<double, std::dextents<int, 2>, std::layout_left> left(values, 2, 3);
    const auto column_major = borrow(left);
    CHECK(column_major.at(1, 0) == 2);
    column_major.at(1, 2) = 9;
    CHECK(values[5] == 9);
    CHECK(borrow(std::mdspan<const double, std::extents<int, 3>>(values)).at(2) == 3);
#endif
}
