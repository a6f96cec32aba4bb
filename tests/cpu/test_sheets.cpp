// Rows one after the other in one call of a kernel: lengths beside the register's, numbers of rows beside what the
// buffers hold, operands that stay put along the rows, between them, or both.
#include <doctest/doctest.h>

#include <cmath>
#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

// small whole numbers: sums and products are exact in any order
template <class T>
rc::tensor<T, 2> numbers(index_t rows, index_t columns, int start) {
    auto x = rc::empty<T>({rows, columns});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + start) % 13 - 5);
    return x;
}

template <class T>
void check(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto wide = numbers<T>(rows, columns + 3, 1), column = numbers<T>(rows, 1, 2),
               row = numbers<T>(1, columns, 3);
    const auto x = wide(rc::all, rc::slice(1, columns + 1));
    const rc::tensor<T, 2> y = x * column + row, back = rc::flip(x, 0) - column;
    const rc::tensor<T, 1> sums = rc::sum(x * column, 1), largest = rc::max(x + row, 1);
    const rc::tensor<T, 2> kept = rc::sum(x * x, 1, rc::keepdims);
    // more to compute, of operands whose elements differ in size
    const rc::tensor<bool, 2> chosen = x > T(0);
    const auto halves = numbers<rc::float16>(rows, columns, 4);
    const rc::tensor<T, 2> many = rc::where(chosen, (x * column + row) * x - column, halves * row) * row + x;
    auto part = rc::zeros<T>({rows, columns + 2});
    part(rc::all, rc::slice(0, columns)) = x + column;
    const auto slope = rc::grad([&](auto c) { return rc::sum(rc::square(x) * c * row); })(column);
    bool maps = true, reductions = true, rest = true;
    for (index_t i = 0; i < rows; ++i) {
        T sum = 0, square = 0, most = -100, s = 0;
        for (index_t j = 0; j < columns; ++j) {
            const T v = wide.at(i, j + 1), c = column.at(i, 0), r = row.at(0, j);
            maps = maps && y.at(i, j) == v * c + r && back.at(i, j) == wide.at(rows - 1 - i, j + 1) - c &&
                   part.at(i, j) == v + c &&
                   many.at(i, j) == (v > 0 ? (v * c + r) * v - c : static_cast<T>(halves.at(i, j)) * r) * r + v;
            sum += v * c;
            square += v * v;
            s += v * v * r;
            most = std::max(most, v + r);
        }
        rest = rest && part.at(i, columns) == 0 && part.at(i, columns + 1) == 0;
        reductions =
            reductions && sums.at(i) == sum && kept.at(i, 0) == square && largest.at(i) == most && slope.at(i, 0) == s;
    }
    CHECK(maps);
    CHECK(reductions);
    CHECK(rest);
}

}  // namespace

namespace {

/// Few elements that lie in windows on larger arrays: read there, written there, and both.
template <class T>
void check_windows(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    using rc::slice;
    const auto wide = numbers<T>(rows + 2, columns + 2, 1), column = numbers<T>(rows, 1, 2);
    const auto inside = slice(1, rows + 1), along = slice(1, columns + 1);
    const auto x = wide(inside, along);
    const rc::tensor<T, 2> cross = wide(slice(0, rows), along) + wide(slice(2, rows + 2), along) +
                                   wide(inside, slice(0, columns)) * wide(inside, slice(2, columns + 2)) - T(4) * x;
    const auto mask = wide > T(1);
    const rc::tensor<bool, 2> held = mask;
    const rc::tensor<T, 2> chosen = rc::where(held(inside, along), x, column);
    const rc::tensor<float, 2> narrow = rc::astype<float>(rc::astype<rc::float16>(wide)(inside, along) + 1);
    const auto target = wide.clone();
    target(inside, along) = target(inside, along) * column + T(1);  // each element in the place of its own
    bool right = true;
    for (index_t i = 0; i < rows + 2; ++i)
        for (index_t j = 0; j < columns + 2; ++j) {
            const T v = wide.at(i, j);
            if (i == 0 || j == 0 || i > rows || j > columns) {
                right = right && target.at(i, j) == v;
                continue;
            }
            const T c = column.at(i - 1, 0), sum = wide.at(i - 1, j) + wide.at(i + 1, j);
            right = right && target.at(i, j) == v * c + 1 && chosen.at(i - 1, j - 1) == (v > 1 ? v : c) &&
                    cross.at(i - 1, j - 1) == sum + wide.at(i, j - 1) * wide.at(i, j + 1) - 4 * v &&
                    narrow.at(i - 1, j - 1) == static_cast<float>(v) + 1;
        }
    CHECK(right);
}

/// Maps that are written where an operand lies, whole or inside of a larger array.
template <class T>
void check_in_place(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto from = numbers<T>(rows, columns + 2, 1), column = numbers<T>(rows, 1, 2),
               row = numbers<T>(1, columns, 3);
    const auto along = rc::slice(1, columns + 1);
    auto x = from(rc::all, along).clone();
    const auto wide = from.clone();
    x *= column;
    x += column * row;
    x = (x - row) * x + x * column - T(2) * x;
    wide(rc::all, along) = (wide(rc::all, along) + column) * row;
    bool right = true;
    for (index_t i = 0; i < rows; ++i) {
        const T c = column.at(i, 0);
        right = right && wide.at(i, 0) == from.at(i, 0) && wide.at(i, columns + 1) == from.at(i, columns + 1);
        for (index_t j = 0; j < columns; ++j) {
            const T v = from.at(i, j + 1), r = row.at(0, j), y = v * c + c * r;
            right = right && x.at(i, j) == (y - r) * y + y * c - 2 * y && wide.at(i, j + 1) == (v + c) * r;
        }
    }
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("maps in place", T, float, double, rc::index_t) {
    for (const index_t rows : {1, 3, 65, 130})
        for (index_t columns = 1; columns < 40; ++columns) check_in_place<T>(rows, columns);
    check_in_place<T>(5, 1027);
}
TEST_CASE_TEMPLATE("few elements in windows", T, float, double) {
    for (const index_t rows : {2, 5, 16})
        for (const index_t columns : {7, 8, 13, 14, 15, 16, 24, 31, 32}) check_windows<T>(rows, columns);
    check_windows<T>(2, 250);
    check_windows<T>(3, 171);
}
TEST_CASE("rows in sheets are what they are one by one") {
    for (const index_t rows : {1, 2, 5, 127, 129, 257})
        for (const index_t columns : {15, 16, 17, 31, 33, 100}) check<float>(rows, columns);
    for (const index_t columns : {1023, 1024, 1025}) check<float>(3, columns);
    check<double>(300, 19);
}

TEST_CASE_TEMPLATE("maps and moments of fewer elements than a register has", T, float, double) {
    for (index_t n = 1; n <= 17; ++n) {
        CAPTURE(n);
        const auto a = numbers<T>(1, n, 1)(0, rc::all), b = numbers<T>(1, n, 2)(0, rc::all);
        auto y = rc::zeros<T>({n});
        y = a * b + a;
        const auto means = rc::mean(numbers<T>(n, 4, 3), 1), spread = rc::stddev(numbers<T>(n, 4, 3), 1);
        const auto rows = numbers<T>(n, 4, 3);
        for (index_t i = 0; i < n; ++i) {
            CHECK(y.at(i) == a.at(i) * b.at(i) + a.at(i));
            T sum = 0, squares = 0;
            for (index_t j = 0; j < 4; ++j) sum += rows.at(i, j);
            for (index_t j = 0; j < 4; ++j) squares += (rows.at(i, j) - sum / 4) * (rows.at(i, j) - sum / 4);
            CHECK(means.at(i) == sum / 4);  // quarters: nothing is rounded
            CHECK(spread.at(i) == std::sqrt(squares / 4));
        }
    }
}
