// Reductions of few elements: over each choice of axes, of rows beside the register's length, wherever the elements
// lie.
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
rc::tensor<T, 2> laid_out(int way, index_t a, index_t b) {
    switch (way) {
        case 0:
            return numbers<T>(rc::shape<2>{a, b});
        case 1:
            return rc::permute(numbers<T>(rc::shape<2>{b, a}), {1, 0});
        case 2:
            return numbers<T>(rc::shape<2>{a, 2 * b})(all, slice(0, none, 2));
        case 3:
            return numbers<T>(rc::shape<2>{a, b + 3})(slice(none, none, -1), slice(2, -1));
        case 4:
            return numbers<T>(rc::shape<2>{1, b});
        default:
            return numbers<T>(rc::shape<2>{a, 1});
    }
}

template <class T>
void check(index_t a, index_t b) {
    for (int p = 0; p < 6; ++p) {
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(p);
        const auto x = laid_out<T>(p, a, b);
        const auto z = numbers<T>(rc::shape<2>{a, b}, 5);
        const rc::tensor<T, 1> down = rc::sum(x * z, 0), along = rc::sum(x * z, 1), own = rc::sum(x, 0),
                               most = rc::max(x + z, 0), least = rc::min(x - z, 1);
        const rc::tensor<T, 2> kept = rc::sum(rc::square(x - z) * z + x * z, 0, rc::keepdims);
        const auto at = [&](index_t i, index_t j) { return x.at(x.shape(0) == 1 ? 0 : i, x.shape(1) == 1 ? 0 : j); };
        bool right = true;
        for (index_t j = 0; j < b; ++j) {
            T s = 0, m = -100, k = 0, o = 0;
            for (index_t i = 0; i < a; ++i) {
                const T u = at(i, j), v = z.at(i, j);
                s += u * v;
                k += (u - v) * (u - v) * v + u * v;
                m = std::max(m, u + v);
                if (i < x.shape(0) && j < x.shape(1)) o += u;
            }
            right = right && down.at(j) == s && most.at(j) == m && kept.at(0, j) == k;
            if (j < x.shape(1)) right = right && own.at(j) == o;
        }
        for (index_t i = 0; i < a; ++i) {
            T s = 0, m = 100;
            for (index_t j = 0; j < b; ++j) {
                s += at(i, j) * z.at(i, j);
                m = std::min(m, at(i, j) - z.at(i, j));
            }
            right = right && along.at(i) == s && least.at(i) == m;
        }
        CHECK(right);
    }
}

}  // namespace

TEST_CASE("few elements are reduced as one by one") {
    for (const index_t columns : {1, 2, 5, 8, 9, 15, 16, 17, 33})
        for (const index_t rows : {2, 4, 5, 10, 17}) check<float>(rows, columns);
    for (const index_t columns : {3, 8, 11}) check<double>(9, columns);
    check<float>(300, 3);
    check<float>(3, 300);
    check<float>(256, 4);
    check<double>(64, 16);
}
TEST_CASE("over several axes") {
    const auto x = numbers<float>(rc::shape<3>{4, 5, 6});
    const auto y = rc::permute(numbers<float>(rc::shape<3>{6, 4, 5}), {1, 2, 0});
    for (const auto& v : {x, y}) {
        const rc::tensor<float, 1> outer = rc::sum(v, {0, 2}), last = rc::sum(v, {0, 1}), first = rc::sum(v, {1, 2});
        const rc::tensor<float, 2> middle = rc::sum(v * v, 1), back = rc::sum(v + 1, 0);
        float sums[3][6] = {}, middles[4][6] = {}, backs[5][6] = {};
        for (index_t i = 0; i < 4; ++i)
            for (index_t j = 0; j < 5; ++j)
                for (index_t k = 0; k < 6; ++k) {
                    const float u = v.at(i, j, k);
                    sums[0][i] += u, sums[1][j] += u, sums[2][k] += u;
                    middles[i][k] += u * u, backs[j][k] += u + 1;
                }
        bool right = true;
        for (index_t i = 0; i < 4; ++i) right = right && first.at(i) == sums[0][i];
        for (index_t j = 0; j < 5; ++j) right = right && outer.at(j) == sums[1][j];
        for (index_t k = 0; k < 6; ++k) right = right && last.at(k) == sums[2][k];
        for (index_t i = 0; i < 4; ++i)
            for (index_t k = 0; k < 6; ++k) right = right && middle.at(i, k) == middles[i][k];
        for (index_t j = 0; j < 5; ++j)
            for (index_t k = 0; k < 6; ++k) right = right && back.at(j, k) == backs[j][k];
        CHECK(right);
    }
}
namespace {

template <class T>
void check_pairs(index_t a, index_t b, index_t c) {
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    const auto x = numbers<T>(rc::shape<2>{a, c}), y = numbers<T>(rc::shape<2>{b, c}, 5);
    const auto w = numbers<T>(rc::shape<2>{a, b}, 7);
    const auto d = x(all, rc::newaxis) - y;
    const rc::tensor<T, 2> squares = rc::sum(d * d, 2), forces = rc::sum(d * w(all, all, rc::newaxis), 1),
                           columns = rc::sum(d * y, 0), most = rc::max(d, 2);
    bool right = true;
    for (index_t i = 0; i < a; ++i)
        for (index_t j = 0; j < b; ++j) {
            T s = 0, m = -100;
            for (index_t k = 0; k < c; ++k) {
                const T u = x.at(i, k) - y.at(j, k);
                s += u * u, m = std::max(m, u);
            }
            right = right && squares.at(i, j) == s && most.at(i, j) == m;
        }
    for (index_t k = 0; k < c; ++k) {
        for (index_t i = 0; i < a; ++i) {
            T s = 0;
            for (index_t j = 0; j < b; ++j) s += (x.at(i, k) - y.at(j, k)) * w.at(i, j);
            right = right && forces.at(i, k) == s;
        }
        for (index_t j = 0; j < b; ++j) {
            T s = 0;
            for (index_t i = 0; i < a; ++i) s += (x.at(i, k) - y.at(j, k)) * y.at(j, k);
            right = right && columns.at(j, k) == s;
        }
    }
    CHECK(right);
}

}  // namespace

TEST_CASE("differences of all pairs, in pieces") {
    for (const index_t c : {1, 2, 3, 5, 10}) {
        check_pairs<double>(20, 20, c);
        check_pairs<double>(41, 37, c);
        check_pairs<double>(500, 5, c);
        check_pairs<float>(47, 47, c);
        check_pairs<float>(5, 600, c);
        check_pairs<float>(1, 700, c);
    }
    check_pairs<double>(3, 3, 200);
    check_pairs<float>(1000, 2, 2);
    check_pairs<float>(1030, 1, 3);
}
TEST_CASE("NaN, infinities and zeros of few elements") {
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const rc::tensor<float, 2> x{{1, inf, -0.f, nan}, {2, -inf, -0.f, 1}, {3, 1, -0.f, -inf}};
    const rc::tensor<float, 1> sums = rc::sum(x, 0), most = rc::max(x, 0), along = rc::min(x, 1);
    CHECK(sums.at(0) == 6);
    CHECK(std::isnan(sums.at(1)));
    CHECK(sums.at(2) == 0);
    CHECK(std::isnan(sums.at(3)));
    CHECK(most.at(1) == inf);
    CHECK(std::isnan(most.at(3)));
    CHECK(std::isnan(along.at(0)));
    CHECK(along.at(1) == -inf);
}
TEST_CASE("gradients that are sums of few elements") {
    const auto x = numbers<double>(rc::shape<2>{6, 5});
    const auto row = numbers<double>(rc::shape<1>{5}),
               slope = rc::grad([&](auto r) { return rc::sum(x * rc::square(r)); })(row);
    bool right = true;
    for (index_t j = 0; j < 5; ++j) {
        double s = 0;
        for (index_t i = 0; i < 6; ++i) s += x.at(i, j) * 2 * row.at(j);
        right = right && slope.at(j) == s;
    }
    CHECK(right);
}
namespace {

template <class T>
void check_middle(index_t outer, index_t n, index_t inner) {
    CAPTURE(outer);
    CAPTURE(n);
    CAPTURE(inner);
    auto x = numbers<T>(rc::shape<3>{outer, n, inner});
    const auto z = numbers<T>(rc::shape<3>{outer, n, inner}, 8);
    const rc::tensor<bool, 3> odd = z > T(2);
    const rc::tensor<T, 2> sums = rc::sum(x, 1), dots = rc::sum(x * z + T(1), 1), most = rc::max(x, 1),
                           products = rc::prod(rc::sign(x + T(0.5)), 1), averages = rc::mean(x, 1);
    const rc::tensor<T, 2> chosen = rc::sum(rc::where(odd, x, T(0)), 1);
    const rc::tensor<T, 3> least = rc::min(x - z, 1, rc::keepdims);
    bool right = true;
    for (index_t o = 0; o < outer; ++o)
        for (index_t j = 0; j < inner; ++j) {
            T s = 0, d = 0, m = -100, p = 1, l = 100, c = 0;
            for (index_t k = 0; k < n; ++k) {
                const T u = x.at(o, k, j), v = z.at(o, k, j);
                s += u, d += u * v + 1, m = std::max(m, u), l = std::min(l, u - v), p *= u < 0 ? T(-1) : T(1);
                if (v > 2) c += u;
            }
            right = right && sums.at(o, j) == s && dots.at(o, j) == d && most.at(o, j) == m && chosen.at(o, j) == c;
            right = right && products.at(o, j) == p && least.at(o, 0, j) == l && averages.at(o, j) == s / T(n);
        }
    CHECK(right);
    // a NaN is seen in its own line, and nowhere else
    const index_t size = x.size(), steps = size < 40 ? 1 : size / 37;
    for (index_t i = 0; i < size; i += steps) {
        const T kept = x.data()[i];
        x.data()[i] = std::numeric_limits<T>::quiet_NaN();
        const rc::tensor<T, 2> with = rc::sum(x, 1), top = rc::max(x, 1);
        for (index_t k = 0; k < with.size(); ++k) {
            const bool mine = k == i / (n * inner) * inner + i % inner;
            right = right && std::isnan(with.data()[k]) == mine && std::isnan(top.data()[k]) == mine;
        }
        x.data()[i] = kept;
    }
    CHECK(right);
}

}  // namespace

TEST_CASE("few dense elements are reduced along a middle, first or last axis") {
    for (const index_t outer : {1, 2, 7})
        for (const index_t n : {1, 2, 3, 7, 8, 9, 17, 31})
            for (const index_t inner : {1, 2, 3, 4, 8, 9, 16, 17, 21}) check_middle<float>(outer, n, inner);
    for (const index_t n : {2, 5, 9})
        for (const index_t inner : {1, 3, 4, 5, 8}) check_middle<double>(3, n, inner);
    check_middle<float>(1, 1000, 1);
    check_middle<float>(1, 255, 4);
    check_middle<float>(300, 3, 1);
}
TEST_CASE("dense elements of other types") {
    const rc::tensor<bool, 2> truths = numbers<float>(rc::shape<2>{10, 10}) > 0.f;
    const auto whole = numbers<std::int32_t>(rc::shape<2>{10, 10});
    const rc::tensor<rc::float16, 2> halves = rc::astype<rc::float16>(whole);
    const rc::tensor<double, 1> counts = rc::mean(truths, 1), means = rc::mean(whole, 0);
    const rc::tensor<std::int64_t, 1> sums = rc::sum(whole, 1);
    const rc::tensor<rc::float16, 1> rounded = rc::sum(halves, 1);
    bool right = true;
    for (index_t i = 0; i < 10; ++i) {
        std::int64_t row = 0, column = 0, count = 0;
        for (index_t j = 0; j < 10; ++j) row += whole.at(i, j), column += whole.at(j, i), count += truths.at(i, j);
        right = right && sums.at(i) == row && means.at(i) == double(column) / 10 && counts.at(i) == double(count) / 10;
        right = right && static_cast<float>(rounded.at(i)) == float(row);
    }
    CHECK(right);
}
TEST_CASE("few sums of nothing, and of axes of extent 1") {
    const auto none_of = rc::zeros<float>({0, 5}), no_columns = rc::zeros<float>({5, 0});
    CHECK(rc::tensor<float, 1>(rc::sum(none_of, 0)).at(4) == 0);
    CHECK(rc::tensor<float, 1>(rc::sum(none_of, 1)).size() == 0);
    CHECK(rc::tensor<float, 1>(rc::sum(no_columns, 1)).at(4) == 0);
    CHECK(rc::tensor<float, 1>(rc::sum(no_columns, 0)).size() == 0);
    const auto x = numbers<float>(rc::shape<4>{1, 12, 1, 9});
    const rc::tensor<float, 2> ends = rc::sum(x, {0, 2}), outer = rc::sum(x, {1, 2});
    const rc::tensor<float, 3> same = rc::sum(x, 0);
    bool right = true;
    for (index_t i = 0; i < 12; ++i)
        for (index_t j = 0; j < 9; ++j)
            right = right && ends.at(i, j) == x.at(0, i, 0, j) && same.at(i, 0, j) == x.at(0, i, 0, j);
    for (index_t j = 0; j < 9; ++j) {
        float s = 0;
        for (index_t i = 0; i < 12; ++i) s += x.at(0, i, 0, j);
        right = right && outer.at(0, j) == s;
    }
    CHECK(right);
}
