// Maps and sums of few elements in rows, some of whose inputs stay put along rows or down them.
#include <doctest/doctest.h>

#include <cmath>

#include "numbers.hpp"

namespace rc = ricci;
using rc::all;
using rc::index_t;
using rc::newaxis;
using rc::none;

namespace {

template <class T>
bool close(T a, T b) {
    return std::abs(a - b) <= T(64) * std::numeric_limits<T>::epsilon() * (1 + std::abs(b));
}

/// What a vmap over the rows, or the columns, of x computes, beside loops.
template <class T>
void check_batch(index_t rows, index_t columns, bool by_columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(by_columns);
    const auto x = numbers<T>(by_columns ? rc::shape<2>{columns, rows} : rc::shape<2>{rows, columns});
    const auto w = numbers<T>(rc::shape<1>{columns}), u = numbers<T>(rc::shape<1>{rows});
    const auto f = [](auto v, auto weights, auto own) {
        return rc::tuple(v * weights + own * weights, v * (weights * own) + weights * own, sum(v * weights),
                         sum(v * weights + weights * own), sum(v * v * own));
    };
    const int axis = by_columns ? 1 : 0;
    const auto [a, b, c, d, e] = rc::vmap(f, rc::in_axes(axis, none, 0))(x, w, u);
    REQUIRE(a.shape() == rc::shape<2>{rows, columns});
    REQUIRE(c.shape() == rc::shape<1>{rows});
    bool right = true;
    for (index_t r = 0; r < rows; ++r) {
        T dot = 0, more = 0, squares = 0;
        for (index_t j = 0; j < columns; ++j) {
            const T v = by_columns ? x.at(j, r) : x.at(r, j);
            right = right && close(a.at(r, j), v * w.at(j) + u.at(r) * w.at(j));
            right = right && close(b.at(r, j), v * (w.at(j) * u.at(r)) + w.at(j) * u.at(r));
            dot += v * w.at(j);
            more += v * w.at(j) + w.at(j) * u.at(r);
            squares += v * v * u.at(r);
        }
        right = right && close(c.at(r), dot) && close(d.at(r), more) && close(e.at(r), squares);
    }
    CHECK(right);
}
template <class T>
void check_sums(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto x = numbers<T>(rc::shape<2>{rows, columns});
    const auto w = numbers<T>(rc::shape<1>{columns}), u = numbers<T>(rc::shape<1>{rows});
    const rc::tensor<T, 1> along = sum(x * w, 1), down = sum(x * w, 0), across = sum(x * u(all, newaxis), 1),
                           weighted = sum(x * u(all, newaxis) + w, 0);
    bool right = true;
    for (index_t r = 0; r < rows; ++r) {
        T one = 0, other = 0;
        for (index_t j = 0; j < columns; ++j) {
            one += x.at(r, j) * w.at(j);
            other += x.at(r, j) * u.at(r);
        }
        right = right && close(along.at(r), one) && close(across.at(r), other);
    }
    for (index_t j = 0; j < columns; ++j) {
        T one = 0, other = 0;
        for (index_t r = 0; r < rows; ++r) {
            one += x.at(r, j) * w.at(j);
            other += x.at(r, j) * u.at(r) + w.at(j);
        }
        right = right && close(down.at(j), one) && close(weighted.at(j), other);
    }
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("batches of rows", T, float, double) {
    for (const index_t rows : {1, 2, 5, 16, 20, 130})
        for (const index_t columns : {1, 3, 4, 7, 8, 9, 16, 17, 20, 31, 40})
            for (const bool by_columns : {false, true}) check_batch<T>(rows, columns, by_columns);
}
TEST_CASE_TEMPLATE("sums along rows and down them", T, float, double) {
    for (const index_t rows : {1, 2, 5, 16, 20, 130})
        for (const index_t columns : {1, 3, 4, 7, 8, 9, 16, 17, 20, 31, 40}) check_sums<T>(rows, columns);
}
TEST_CASE("rows that lie apart, backwards, or in three axes") {
    const auto x = numbers<double>(rc::shape<2>{12, 40});
    const auto y = numbers<double>(rc::shape<1>{20});
    const auto odd = x(rc::slice(0, none, 2), rc::slice(3, 23)), back = x(all, rc::slice(none, none, -2));
    const auto f = [](auto v, auto w) { return sum(v * w + w); };
    const auto g = rc::vmap(f, rc::in_axes(0, none));
    const auto a = g(odd, y), b = g(back, y);
    for (index_t r = 0; r < 6; ++r) {
        double expected = 0;
        for (index_t j = 0; j < 20; ++j) expected += x.at(2 * r, 3 + j) * y.at(j) + y.at(j);
        CHECK(a.at(r) == doctest::Approx(expected).epsilon(1e-12));
    }
    for (index_t r = 0; r < 12; ++r) {
        double expected = 0;
        for (index_t j = 0; j < 20; ++j) expected += x.at(r, 39 - 2 * j) * y.at(j) + y.at(j);
        CHECK(b.at(r) == doctest::Approx(expected).epsilon(1e-12));
    }
    const auto cube = rc::reshape(x, {4, 6, 20});
    const auto c = rc::vmap([](auto v, auto w) { return v * w + w; }, rc::in_axes(0, none))(cube, y);
    bool right = true;
    for (index_t i = 0; i < 4; ++i)
        for (index_t r = 0; r < 6; ++r)
            for (index_t j = 0; j < 20; ++j)
                right = right && close(c.at(i, r, j), cube.at(i, r, j) * y.at(j) + y.at(j));
    CHECK(right);
}
