// Rows that are added to other rows, longer than the cache holds: values, tangents and adjoints of which all, or some,
// are sums over an outer axis, over the rows, or over both.
#include <doctest/doctest.h>

#include <algorithm>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::index_t;

namespace {

// small whole numbers: sums and products are exact in any order
template <class T, int R>
rc::tensor<T, R> numbers(const rc::shape<R>& extents, int start) {
    auto x = rc::empty<T>(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + start) % 5 - 2);
    return x;
}

template <class T>
void check(index_t n) {
    CAPTURE(n);
    constexpr index_t k = 3, d = 6;
    const auto p = numbers<T>(rc::shape<2>{d, n}, 1), c = numbers<T>(rc::shape<2>{k, d}, 2),
               v = numbers<T>(rc::shape<2>{k, d}, 3), w = numbers<T>(rc::shape<2>{k, n}, 4);
    const auto distance = [](auto points, auto centers) {
        return sum(square(points(rc::newaxis) - centers(rc::all, rc::all, rc::newaxis)), 1);
    };
    const auto of_centers = [&](auto centers) { return distance(p, centers); };
    const auto loss = [&](auto centers) { return sum(w * of_centers(centers)); };
    const auto [y, y_dot] = rc::jvp(of_centers, c, v);
    const rc::tensor<T, 2> slope = rc::grad(loss)(c), curve = rc::hvp(loss, c, v);
    const rc::tensor<T, 2> push = rc::grad([&](auto points) { return sum(w * distance(points, c)); })(p);
    const rc::tensor<T, 1> bias =
        rc::grad([&](auto b) { return sum(square(p) * square(p + b)); })(numbers<T>(rc::shape<1>{n}, 2));
    bool sums = true, rows = true;
    auto expected = rc::zeros<T>({2, k, d});
    for (index_t j = 0; j < n; ++j) {
        T b = 0;
        for (index_t e = 0; e < d; ++e)
            b += 2 * p.at(e, j) * p.at(e, j) * (p.at(e, j) + static_cast<T>((j * 7 + 2) % 5 - 2));
        rows = rows && bias.at(j) == b;
        for (index_t i = 0; i < k; ++i) {
            T value = 0, tangent = 0;
            for (index_t e = 0; e < d; ++e) {
                const T by = p.at(e, j) - c.at(i, e);
                value += by * by;
                tangent -= 2 * by * v.at(i, e);
                expected.at(0, i, e) -= 2 * by * w.at(i, j);
                expected.at(1, i, e) += 2 * v.at(i, e) * w.at(i, j);
            }
            rows = rows && y.at(i, j) == value && y_dot.at(i, j) == tangent;
        }
        for (index_t e = 0; e < d; ++e) {
            T toward = 0;
            for (index_t i = 0; i < k; ++i) toward += 2 * w.at(i, j) * (p.at(e, j) - c.at(i, e));
            rows = rows && push.at(e, j) == toward;
        }
    }
    for (index_t i = 0; i < k; ++i)
        for (index_t e = 0; e < d; ++e)
            sums = sums && slope.at(i, e) == expected.at(0, i, e) && curve.at(i, e) == expected.at(1, i, e);
    CHECK(sums);
    CHECK(rows);
}

/// Sums, maxima and truths over the first axis, of so many rows: they go to a kernel in blocks, as many as there are
/// before what was added is moved on.
template <class T>
void check_rows(index_t rows, index_t columns) {
    CAPTURE(rows);
    CAPTURE(columns);
    const auto x = numbers<T>(rc::shape<2>{rows, columns}, 1), column = numbers<T>(rc::shape<2>{rows, 1}, 3);
    const rc::tensor<T, 1> total = sum(x, 0), product = sum(x * column, 0), largest = rc::max(x, 0),
                           other = sum(x(rc::slice(0, rc::none, 2), rc::all), 0),
                           shifted = sum(x(rc::all, rc::slice(1, rc::none)), 0);
    const rc::tensor<bool, 1> found = rc::any(x == T(2), 0);
    bool right = true;
    for (index_t j = 0; j < columns; ++j) {
        T a = 0, b = 0, c = x.at(0, j), d = 0;
        bool e = false;
        for (index_t i = 0; i < rows; ++i) {
            a += x.at(i, j);
            b += x.at(i, j) * column.at(i, 0);
            c = std::max(c, x.at(i, j));
            if (i % 2 == 0) d += x.at(i, j);
            e = e || x.at(i, j) == T(2);
        }
        right = right && total.at(j) == a && product.at(j) == b && largest.at(j) == c && other.at(j) == d &&
                found.at(j) == e;
        if (j > 0) right = right && shifted.at(j - 1) == a;
    }
    CHECK(right);
}

}  // namespace

TEST_CASE("any number of rows is added to one") {
    for (const index_t columns : {3, 16, 17, 100, 2500})
        for (const index_t rows : {1, 3, 4, 7, 8, 9, 255, 256, 257, 259, 260, 263, 515}) {
            check_rows<float>(rows, columns);
            check_rows<double>(rows, columns);
        }
}
TEST_CASE("long rows are added up as short ones are") {
    for (const index_t n : {1, 7, 8, 100, 2047, 2048, 3000, 4099, 20000}) check<double>(n);
}
TEST_CASE("long rows of floats are, too") {
    for (const index_t n : {15, 16, 17, 5461, 6144, 16385}) check<float>(n);
}
