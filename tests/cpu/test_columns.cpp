// Sums over the axis next to the innermost one, with rows shorter and longer than a register, beside loops.
#include <doctest/doctest.h>

#include <algorithm>

#include "numbers.hpp"

namespace rc = ricci;
using rc::all;
using rc::index_t;
using rc::newaxis;
using rc::none;
using rc::slice;

namespace {

/// Sums and maxima of x, (groups, rows, n) in any layout, with factors for each row, column and group.
template <class T, class X>
void check(const X& x) {
    const index_t groups = x.shape(0), rows = x.shape(1), n = x.shape(2);
    CAPTURE(groups);
    CAPTURE(rows);
    CAPTURE(n);
    const auto w = numbers<T>(rc::shape<2>{rows, n});
    const auto by_row = numbers<T>(rc::shape<1>{rows});
    const auto own = numbers<T>(rc::shape<2>{groups, rows});
    const rc::tensor<T, 2> plain = sum(x, 1), highest = max(x, 1), shared = sum(x * w, 1),
                           weighted = sum(x * by_row(all, newaxis), 1), each = sum(own(all, all, newaxis) * x + w, 1);
    bool right = true;
    for (index_t g = 0; g < groups; ++g)
        for (index_t j = 0; j < n; ++j) {
            double s = 0, a = 0, b = 0, c = 0, m = static_cast<double>(x.at(g, 0, j));
            for (index_t r = 0; r < rows; ++r) {
                const double v = static_cast<double>(x.at(g, r, j)), u = static_cast<double>(w.at(r, j));
                s += v;
                a += v * u;
                b += v * static_cast<double>(by_row.at(r));
                c += static_cast<double>(own.at(g, r)) * v + u;
                m = std::max(m, v);
            }
            right = right && static_cast<double>(plain.at(g, j)) == s && static_cast<double>(highest.at(g, j)) == m;
            right = right && static_cast<double>(shared.at(g, j)) == a && static_cast<double>(weighted.at(g, j)) == b;
            right = right && static_cast<double>(each.at(g, j)) == c;
        }
    CHECK(right);
}

template <class T>
void check_layouts(index_t groups, index_t rows, index_t n) {
    check<T>(numbers<T>(rc::shape<3>{groups, rows, n}));
    const auto wide = numbers<T>(rc::shape<3>{groups, rows, n + 3});
    check<T>(wide(all, all, slice(1, n + 1)));
    check<T>(wide(all, slice(none, none, -1), slice(0, n)));
    check<T>(wide(slice(none, none, -1), all, slice(3, none)));
    check<T>(permute(numbers<T>(rc::shape<3>{rows, groups, n}), {1, 0, 2}));
    check<T>(permute(rc::unfold(numbers<T>(rc::shape<2>{groups + rows - 1, n}), 0, rows), {0, 2, 1}));
    check<T>(rc::as_strided(numbers<T>(rc::shape<2>{rows, n}), {groups, rows, n}, {0, n, 1}));
}

const int lengths[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 33, 64, 100};

TEST_CASE_TEMPLATE("columns: sums over rows in any layout", T, double, float, std::int32_t) {
    for (const index_t n : lengths) {
        check_layouts<T>(300, 5, n);
        check_layouts<T>(40, 29, n);
    }
    check_layouts<T>(1500, 3, 3);
    check_layouts<T>(700, 4, 2);
}
TEST_CASE_TEMPLATE("columns: groups too large to be added up at once", T, double, float) {
    for (const index_t n : {3, 8, 16, 24, 70}) {
        check_layouts<T>(3, 700, n);
        check<T>(numbers<T>(rc::shape<3>{1, 1500, n}));
    }
    check<T>(numbers<T>(rc::shape<3>{7, 255, 40}));
    check<T>(numbers<T>(rc::shape<3>{7, 256, 150}));
    check<T>(numbers<T>(rc::shape<3>{5, 257, 250}));
    check<T>(numbers<T>(rc::shape<3>{5, 33, 1000}));
}
/// A sum of more instructions, whose rows go to its kernel as they are, and a gradient in what all rows share.
template <class T, class X>
void check_dear(const X& x) {
    const index_t groups = x.shape(0), rows = x.shape(1), n = x.shape(2);
    CAPTURE(groups);
    CAPTURE(rows);
    CAPTURE(n);
    const auto f = [](const auto& a, const auto& w) { return ((a * a + w) * a - w) * a + a; };
    const auto w = numbers<T>(rc::shape<1>{n});
    const rc::tensor<T, 2> y = sum(f(x, w), 1);
    const rc::tensor<T, 1> slope = rc::grad([&](auto v) { return sum(f(x, v)); })(w);
    bool right = true;
    for (index_t j = 0; j < n; ++j) {
        double slopes = 0;
        for (index_t g = 0; g < groups; ++g) {
            double s = 0;
            for (index_t r = 0; r < rows; ++r) {
                const double a = static_cast<double>(x.at(g, r, j));
                s += f(a, static_cast<double>(w.at(j)));
                slopes += a * a - a;
            }
            right = right && static_cast<double>(y.at(g, j)) == s;
        }
        right = right && static_cast<double>(slope.at(j)) == slopes;
    }
    CHECK(right);
}
TEST_CASE_TEMPLATE("columns: dearer sums of few and of many rows", T, double, float) {
    for (const index_t n : {3, 16, 21, 40})
        for (const index_t rows : {5, 256, 257, 900}) {
            check_dear<T>(numbers<T>(rc::shape<3>{3, rows, n}));
            const auto wide = numbers<T>(rc::shape<3>{2, rows, n + 3});
            check_dear<T>(wide(all, slice(none, none, -1), slice(2, n + 2)));
            check_dear<T>(permute(numbers<T>(rc::shape<3>{rows, 2, n}), {1, 0, 2}));
        }
}
TEST_CASE_TEMPLATE("columns: of elements that are narrower than what they are added up in", T, float, double) {
    for (const index_t n : {5, 100, 700, 1500, 2500, 4000}) {
        CAPTURE(n);
        const auto x = numbers<T>(rc::shape<3>{2, 30, n});
        const auto w = numbers<T>(rc::shape<1>{30});
        const auto some = evaluate(x > T(0));
        const auto halves = rc::evaluate(rc::astype<rc::float16>(x));
        const rc::tensor<T, 2> y = sum(where(some, w(all, newaxis), T(1)), 1), z = sum(halves * w(all, newaxis), 1);
        bool right = true;
        for (index_t g = 0; g < 2; ++g)
            for (index_t j = 0; j < n; ++j) {
                double s = 0, t = 0;
                for (index_t r = 0; r < 30; ++r) {
                    const double v = static_cast<double>(x.at(g, r, j)), u = static_cast<double>(w.at(r));
                    s += v > 0 ? u : 1;
                    t += v * u;
                }
                right = right && static_cast<double>(y.at(g, j)) == s && static_cast<double>(z.at(g, j)) == t;
            }
        CHECK(right);
    }
}
TEST_CASE("columns: of several axes that are added up") {
    const auto x = numbers<double>(rc::shape<4>{4, 6, 5, 7});
    const auto y = rc::as_strided(x, {4, 6, 5, 7}, {210, 35, 0, 1}), z = rc::as_strided(x, {4, 6, 5, 7}, {35, 0, 7, 1});
    const rc::tensor<double, 2> apart = sum(x, {0, 2}), same = sum(y, {1, 2}), still = sum(z, {1, 2});
    bool right = true;
    for (index_t i = 0; i < 6; ++i)
        for (index_t j = 0; j < 7; ++j) {
            double a = 0, b = 0, c = 0;
            for (index_t k = 0; k < 4; ++k)
                for (index_t l = 0; l < 5; ++l) a += x.at(k, i, l, j);
            for (index_t k = 0; k < 6; ++k)
                for (index_t l = 0; l < 5; ++l) {
                    b += y.at(i % 4, k, l, j);
                    c += z.at(i % 4, k, l, j);
                }
            right = right && apart.at(i, j) == a && same.at(i % 4, j) == b && still.at(i % 4, j) == c;
        }
    CHECK(right);
}
TEST_CASE("columns: the same on several threads, and over more axes") {
    const auto x = numbers<double>(rc::shape<4>{30, 20, 40, 12});
    const rc::tensor<double, 3> one = sum(x * x, 2);
    const rc::tensor<double, 2> two = sum(x, {0, 2});
    rc::set_num_threads(3);
    const rc::tensor<double, 3> three = sum(x * x, 2);
    const rc::tensor<double, 2> four = sum(x, {0, 2});
    rc::set_num_threads(1);
    CHECK(rc::array_equal(one, three));
    CHECK(rc::array_equal(two, four));
    double s = 0, t = 0;
    for (index_t i = 0; i < 40; ++i) s += x.at(7, 5, i, 11) * x.at(7, 5, i, 11);
    for (index_t g = 0; g < 30; ++g)
        for (index_t i = 0; i < 40; ++i) t += x.at(g, 3, i, 2);
    CHECK(one.at(7, 5, 11) == s);
    CHECK(two.at(3, 2) == t);
}

}  // namespace
