// Maps of few elements whose inputs are windows on arrays: rows about a register's length, in place, and what is no such row.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "numbers.hpp"

namespace rc = ricci;
using rc::all;
using rc::index_t;
using rc::none;
using rc::slice;

namespace {

template <class T>
void check_stencil(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto x = numbers<T>(rc::shape<2>{rows + 2, columns + 2});
    const slice head(0, -2), inner(1, -1), tail(2, none);
    const auto laplace = x(head, inner) + x(tail, inner) + x(inner, head) + x(inner, tail) - T(4) * x(inner, inner);
    const rc::tensor<T, 2> fresh = laplace;
    auto reused = rc::tensor<T, 2>::uninitialized({rows, columns}),
         framed = numbers<T>(rc::shape<2>{rows, columns + 1});
    const T* const memory = reused.data();
    reused = laplace;
    const auto written = rc::tensor<T, 2>::uninitialized({rows, columns});
    written(rc::ellipsis) = laplace;
    framed(all, slice(0, -1)) = laplace;  // rows with gaps between them
    const rc::tensor<T, 2> mixed =
        x(inner, inner) - x(slice(none, none, -1), all)(inner, inner) + x(all, slice(none, none, -1))(inner, inner);
    bool right = reused.data() == memory;
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) {
            const T v =
                x.at(i, j + 1) + x.at(i + 2, j + 1) + x.at(i + 1, j) + x.at(i + 1, j + 2) - 4 * x.at(i + 1, j + 1);
            right =
                right && fresh.at(i, j) == v && reused.at(i, j) == v && written.at(i, j) == v && framed.at(i, j) == v;
            right = right && mixed.at(i, j) == x.at(i + 1, j + 1) - x.at(rows - i, j + 1) + x.at(i + 1, columns - j);
        }
    for (index_t i = 0; i < rows; ++i)
        right = right && framed.at(i, -1) == T((i * 7 * (columns + 1) + 7 * columns + 3) % 13 - 5);
    CHECK(right);
}

}  // namespace

TEST_CASE("a stencil of windows") {
    for (const index_t columns : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 64})
        for (const index_t rows : {1, 2, 5, 16}) check_stencil<float>(rows, columns);
    for (const index_t columns : {1, 3, 4, 5, 8, 11}) check_stencil<double>(6, columns);
    for (const index_t columns : {3, 9}) check_stencil<std::int32_t>(6, columns);
    check_stencil<float>(33, 31);
    check_stencil<float>(32, 33);
}
TEST_CASE("windows of rank 3") {
    const auto x = numbers<float>(rc::shape<3>{5, 6, 12});
    const rc::tensor<float, 3> y =
        x(slice(1, none), slice(2, -1), slice(0, 10)) * 2.f - x(slice(0, -1), slice(0, 3), slice(2, none));
    const rc::tensor<float, 3> turned =
        rc::permute(x, {1, 0, 2})(slice(0, 3), slice(0, 4), slice(1, 11)) + y(slice(0, 3), slice(0, 1), all);
    bool right = true;
    for (index_t i = 0; i < 4; ++i)
        for (index_t j = 0; j < 3; ++j)
            for (index_t k = 0; k < 10; ++k)
                right = right && y.at(i, j, k) == x.at(i + 1, j + 2, k) * 2 - x.at(i, j, k + 2);
    for (index_t j = 0; j < 3; ++j)
        for (index_t i = 0; i < 4; ++i)
            for (index_t k = 0; k < 10; ++k) right = right && turned.at(j, i, k) == x.at(i, j, k + 1) + y.at(j, 0, k);
    CHECK(right);
}
TEST_CASE("windows written over what they show") {
    for (const index_t columns : {5, 9, 20}) {
        CAPTURE(columns);
        auto x = numbers<float>(rc::shape<2>{6, columns});
        const auto before = x.clone();
        const auto wide = numbers<float>(rc::shape<2>{6, columns + 3}, 6);
        x += wide(all, slice(1, -2));  // each element in its own place
        bool right = true;
        for (index_t i = 0; i < 6; ++i)
            for (index_t j = 0; j < columns; ++j) right = right && x.at(i, j) == before.at(i, j) + wide.at(i, j + 1);
        const auto now = x.clone();
        x(slice(1, none), all) =
            x(slice(0, -1), all) + wide(slice(0, 5), slice(0, -3));  // rows that are read after they were written
        for (index_t i = 1; i < 6; ++i)
            for (index_t j = 0; j < columns; ++j) right = right && x.at(i, j) == now.at(i - 1, j) + wide.at(i - 1, j);
        x = x(slice(none, none, -1), all) - wide(all, slice(3, none));  // a name that its own right side shows
        for (index_t j = 0; j < columns; ++j) right = right && x.at(5, j) == now.at(0, j) - wide.at(5, j + 3);
        CHECK(right);
    }
}
TEST_CASE("windows of nothing, and values that are not numbers") {
    const auto x = numbers<float>(rc::shape<2>{4, 6});
    const rc::tensor<float, 2> empty = x(slice(0, 0), all) + x(slice(4, 4), all),
                               narrow = x(all, slice(2, 2)) * x(all, slice(3, 3));
    CHECK(empty.shape(0) == 0);
    CHECK(narrow.shape(1) == 0);
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const rc::tensor<float, 2> y{{1, nan, 3, 4}, {inf, 6, -0.f, 8}};
    const rc::tensor<float, 2> left = y(all, slice(0, 3)) - y(all, slice(1, none)), mirrored = -y(all, slice(1, 3));
    CHECK(std::isnan(left.at(0, 0)));
    CHECK(std::isnan(left.at(0, 1)));
    CHECK(left.at(0, 2) == -1);
    CHECK(left.at(1, 0) == inf);
    CHECK(left.at(1, 2) == -8);
    CHECK(!std::signbit(mirrored.at(1, 1)));
}
TEST_CASE("truth values and converted integers in windows") {
    const auto x = numbers<float>(rc::shape<2>{5, 11});
    const auto i = numbers<std::int16_t>(rc::shape<2>{5, 12}, 1);
    const rc::tensor<bool, 2> more = x(all, slice(1, none)) > x(all, slice(0, -1));
    const rc::tensor<float, 2> sum = x(all, slice(1, none)) + rc::astype<float>(i(all, slice(0, 10)));
    bool right = true;
    for (index_t r = 0; r < 5; ++r)
        for (index_t c = 0; c < 10; ++c)
            right = right && more.at(r, c) == (x.at(r, c + 1) > x.at(r, c)) &&
                    sum.at(r, c) == x.at(r, c + 1) + float(i.at(r, c));
    CHECK(right);
}
