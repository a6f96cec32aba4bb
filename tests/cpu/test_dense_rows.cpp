// Maps of few elements whose inputs are windows on arrays: rows about a register's length, in place, and what is no
// such row.
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

/// An array of these extents, or one that broadcasts to them.
template <class T>
rc::tensor<T, 2> broadcast_in_way(int way, index_t rows, index_t columns, index_t first) {
    switch (way) {
        case 0:
            return numbers<T>(rc::shape<2>{rows, columns}, first);
        case 1:
            return numbers<T>(rc::shape<2>{1, columns}, first);
        case 2:
            return numbers<T>(rc::shape<2>{rows, 1}, first);
        case 3:
            return numbers<T>(rc::shape<2>{1, 1}, first);
        case 4:  // every second row, backwards
            return numbers<T>(rc::shape<2>{2 * rows, columns}, first)(slice(none, none, -2), all);
        case 5:  // every second element
            return numbers<T>(rc::shape<2>{rows, 2 * columns}, first)(all, slice(0, none, 2));
        case 6:
            return numbers<T>(rc::shape<2>{rows, columns}, first)(all, slice(none, none, -1));
        case 7:  // a column of a wider array, from below
            return numbers<T>(rc::shape<2>{rows, 3}, first)(slice(none, none, -1), slice(1, 2));
        default:
            return rc::as_strided(numbers<T>(rc::shape<1>{rows}, first), {rows, columns}, {1, 0});
    }
}
constexpr int broadcast_ways = 9;

template <class T>
T broadcast_at(const rc::tensor<T, 2>& x, index_t i, index_t j) {
    return x.at(x.shape(0) == 1 ? 0 : i, x.shape(1) == 1 ? 0 : j);
}
template <class T>
void check_broadcasts(index_t rows, index_t columns, int p, int q) {
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(p);
    CAPTURE(q);
    const auto a = broadcast_in_way<T>(p, rows, columns, 0), b = broadcast_in_way<T>(q, rows, columns, 5);
    const auto row = numbers<T>(rc::shape<1>{columns}, 2);
    auto two = numbers<T>(rc::shape<2>{rows, columns}), with_row = two.clone(), added = two.clone();
    const auto before = two.clone();
    two(rc::ellipsis) = a * b - a;
    with_row(rc::ellipsis) = a * row - b;
    added += a * b;
    const rc::tensor<T, 2> fresh = a * row + b * row;  // of one row, where both have one
    bool right = true;
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) {
            const T u = broadcast_at(a, i, j), v = broadcast_at(b, i, j), w = row.at(j);
            right = right && two.at(i, j) == u * v - u && with_row.at(i, j) == u * w - v;
            right = right && added.at(i, j) == before.at(i, j) + u * v;
            right = right && (fresh.shape(0) <= i || fresh.at(i, j) == u * w + v * w);
        }
    CHECK(right);
}

}  // namespace

TEST_CASE("rows, columns and single elements that broadcast") {
    for (int p = 0; p < broadcast_ways; ++p)
        for (int q = 0; q < broadcast_ways; ++q) {
            for (index_t columns = 1; columns <= 40; ++columns)
                check_broadcasts<double>(1 + columns % 9, columns, p, q);
            for (const index_t columns : {1, 3, 7, 8, 9, 15, 16, 17, 20, 31, 33}) {
                check_broadcasts<float>(5, columns, p, q);
                check_broadcasts<std::int32_t>(9, columns, p, q);
            }
        }
    check_broadcasts<double>(40, 40, 0, 2);  // more than rows are taken for
}
TEST_CASE("what broadcasts in three axes") {
    const auto x = numbers<double>(rc::shape<3>{3, 4, 9});
    const auto column = numbers<double>(rc::shape<3>{3, 1, 1}, 1), plane = numbers<double>(rc::shape<3>{1, 4, 1}, 2);
    const auto matrix = numbers<double>(rc::shape<2>{4, 9}, 3);
    const rc::tensor<double, 3> y = x * column + plane * matrix;
    bool right = true;
    for (index_t i = 0; i < 3; ++i)
        for (index_t j = 0; j < 4; ++j)
            for (index_t k = 0; k < 9; ++k)
                right =
                    right && y.at(i, j, k) == x.at(i, j, k) * column.at(i, 0, 0) + plane.at(0, j, 0) * matrix.at(j, k);
    CHECK(right);
}
TEST_CASE("an array's own row and column, written over it") {
    for (const index_t columns : {3, 5, 9, 20}) {
        CAPTURE(columns);
        auto x = numbers<double>(rc::shape<2>{6, columns});
        const auto before = x.clone();
        x(rc::ellipsis) = x + x(all, slice(0, 1));
        x += x(slice(2, 3), all);
        bool right = true;
        for (index_t i = 0; i < 6; ++i)
            for (index_t j = 0; j < columns; ++j) {
                const auto first = [&](index_t r) { return before.at(r, j) + before.at(r, 0); };
                right = right && x.at(i, j) == first(i) + first(2);
            }
        CHECK(right);
    }
}
TEST_CASE("adjoints of what broadcasts") {
    for (index_t rows = 1; rows <= 9; ++rows)
        for (const index_t columns : {1, 2, 3, 4, 5, 8, 16, 17, 20, 21, 33}) {
            CAPTURE(rows);
            CAPTURE(columns);
            const auto a = numbers<double>(rc::shape<2>{rows, columns}),
                       w = numbers<double>(rc::shape<2>{rows, columns}, 4);
            const auto r = numbers<double>(rc::shape<1>{columns}, 1);
            const auto c = numbers<double>(rc::shape<2>{rows, 1}, 2);
            const auto [y, pull] = rc::vjp([](auto u, auto v, auto s) { return u * v - s * v; }, a, r, c);
            const auto [a_bar, r_bar, c_bar] = pull(w);
            bool right = true;
            for (index_t i = 0; i < rows; ++i) {
                double sum = 0;
                for (index_t j = 0; j < columns; ++j) {
                    right = right && y.at(i, j) == (a.at(i, j) - c.at(i, 0)) * r.at(j);
                    right = right && a_bar.at(i, j) == w.at(i, j) * r.at(j);
                    sum -= w.at(i, j) * r.at(j);
                }
                right = right && c_bar.at(i, 0) == sum;
            }
            for (index_t j = 0; j < columns; ++j) {
                double sum = 0;
                for (index_t i = 0; i < rows; ++i) sum += w.at(i, j) * (a.at(i, j) - c.at(i, 0));
                right = right && r_bar.at(j) == sum;
            }
            CHECK(right);
        }
}
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
