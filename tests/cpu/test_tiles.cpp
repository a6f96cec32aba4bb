// Short rows and few elements, which run as one row: extents beside the register's and the tile's, steps of every kind,
// operands that stay put along some axes, results that are written through views.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::all;
using rc::index_t;
using rc::none;
using rc::slice;

namespace {

template <class T>
T number(index_t i) {
    return static_cast<T>((i * 7 + 3) % 13 - 5);
}
template <class T, int R>
rc::tensor<T, R> numbers(const rc::shape<R>& extents) {
    auto x = rc::tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = number<T>(i);
    return x;
}
/// Small whole numbers in an array of these extents that lies in memory in one of several ways.
template <class T>
rc::tensor<T, 3> laid_out(int way, index_t a, index_t b, index_t c) {
    switch (way) {
        case 0:
            return numbers<T>(rc::shape<3>{a, b, c});
        case 1:  // every second element, from an odd place
            return numbers<T>(rc::shape<3>{a, b, 2 * c + 1})(all, all, slice(1, none, 2));
        case 2:  // backwards
            return numbers<T>(rc::shape<3>{a, b, c})(all, all, slice(none, none, -1));
        case 3:  // every third row of a wider array
            return numbers<T>(rc::shape<3>{a, 3 * b, c + 2})(all, slice(0, none, 3), slice(1, -1));
        case 4:
            return rc::permute(numbers<T>(rc::shape<3>{c, b, a}), {2, 1, 0});
        case 5:
            return rc::permute(numbers<T>(rc::shape<3>{b, c, a}), {2, 0, 1});
        case 6:  // one row for all
            return numbers<T>(rc::shape<3>{1, 1, c});
        case 7:  // one element for each row
            return numbers<T>(rc::shape<3>{a, b, 1});
        case 8:
            return numbers<T>(rc::shape<3>{1, b, 1});
        case 9:
            return numbers<T>(rc::shape<3>{a, 1, 5 * c})(all, all, slice(0, none, 5));
        case 10:  // the last element is at the array's end
            return numbers<T>(rc::shape<3>{1, b, 3 * c - 2})(all, all, slice(0, none, 3));
        default:
            return numbers<T>(rc::shape<3>{a, b, 4 * c - 3})(all, all, slice(0, none, 4));
    }
}
constexpr int ways = 12;

template <class T>
T at(const rc::tensor<T, 3>& x, index_t i, index_t j, index_t k) {
    return x.at(x.shape(0) == 1 ? 0 : i, x.shape(1) == 1 ? 0 : j, x.shape(2) == 1 ? 0 : k);
}

template <class T>
void check(index_t a, index_t b, index_t c) {
    const auto whole = numbers<T>(rc::shape<3>{a, b, c});
    for (int p = 0; p < ways; ++p) {
        const int q = (p * 5 + 1) % ways;
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(c);
        CAPTURE(p);
        const auto x = laid_out<T>(p, a, b, c), z = laid_out<T>(q, a, b, c);
        const rc::tensor<T, 3> y = x * z + whole;
        const rc::tensor<bool, 3> less = x < z + whole;
        auto wide = numbers<T>(rc::shape<3>{a, 2 * b, c + 1}), turned = numbers<T>(rc::shape<3>{c, a, 2 * b});
        wide(all, slice(1, none, 2), slice(0, -1)) = x * z + whole;
        rc::permute(turned, {1, 2, 0})(all, slice(0, none, 2), slice(none, none, -1)) = x * z + whole;
        bool right = true, kept = true;
        for (index_t i = 0; i < a; ++i)
            for (index_t j = 0; j < b; ++j)
                for (index_t k = 0; k < c; ++k) {
                    const T u = at(x, i, j, k), v = at(z, i, j, k), w = whole.at(i, j, k);
                    const T expected = static_cast<T>(u * v + w);
                    right = right && y.at(i, j, k) == expected && less.at(i, j, k) == (u < v + w);
                    right = right && wide.at(i, 2 * j + 1, k) == expected && turned.at(c - 1 - k, i, 2 * j) == expected;
                    kept = kept && wide.at(i, 2 * j, k) == number<T>((i * 2 * b + 2 * j) * (c + 1) + k) &&
                           turned.at(k, i, 2 * j + 1) == number<T>((k * a + i) * 2 * b + 2 * j + 1);
                }
        CHECK(right);
        CHECK(kept);
    }
}

}  // namespace

TEST_CASE("short rows are what their elements are one by one") {
    for (const index_t columns : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 33}) {
        check<float>(2, 3, columns);
        check<float>(1, 61, columns);
        check<double>(3, 2, columns);
    }
    check<float>(1, 1, 100);
    check<float>(1, 1, 1500);
    check<float>(7, 90, 10);
    check<double>(5, 1, 700);
    check<float>(40, 1, 63);
}
TEST_CASE("of other element types") {
    for (const index_t columns : {2, 9, 20}) {
        check<int>(3, 4, columns);
        check<std::int8_t>(2, 5, columns);
        check<long>(1, 30, columns);
        check<rc::float16>(4, 3, columns);
    }
    using z = std::complex<float>;
    for (const index_t n : {3, 10, 40}) {
        auto x = rc::tensor<z, 2>::uninitialized(rc::shape<2>{n, 7});
        for (index_t i = 0; i < x.size(); ++i) x.data()[i] = z(number<float>(i), number<float>(i + 5));
        const auto s = x(all, slice(0, none, 3)), column = x(all, slice(1, 2));
        const rc::tensor<z, 2> y = s * column + s;
        bool right = true;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < 3; ++j) right = right && y.at(i, j) == x.at(i, 3 * j) * x.at(i, 1) + x.at(i, 3 * j);
        CHECK(right);
    }
}
TEST_CASE("gradients of short rows") {
    const auto x = numbers<double>(rc::shape<2>{9, 10});
    const auto f = [&](auto v) { return rc::sum(rc::square(v(all, slice(0, none, 2))) * v(all, slice(1, none, 2))); };
    const rc::tensor<double, 2> slope = rc::grad(f)(x);
    bool right = true;
    for (index_t i = 0; i < 9; ++i)
        for (index_t j = 0; j < 10; j += 2) {
            const double u = x.at(i, j), v = x.at(i, j + 1);
            right = right && slope.at(i, j) == 2 * u * v && slope.at(i, j + 1) == u * u;
        }
    CHECK(right);
    auto [product, slopes] = rc::jvp([](auto u, auto v) { return u * v; },
                                     rc::tuple(x, rc::permute(x, {0, 1})(all, slice(none, none, -1))), rc::tuple(x, x));
    CHECK(rc::allclose(product, x * rc::flip(x, 1)));
    CHECK(rc::allclose(slopes, x * rc::flip(x, 1) + x * x));
}
TEST_CASE("an array is changed by views of itself") {
    auto x = numbers<float>(rc::shape<2>{10, 10});
    const auto before = x.clone();
    x += rc::permute(x, {1, 0});
    x(all, slice(0, none, 2)) *= x(all, slice(1, none, 2));
    bool right = true;
    for (index_t i = 0; i < 10; ++i)
        for (index_t j = 0; j < 10; ++j) {
            const auto sum = [&](index_t k) { return before.at(i, k) + before.at(k, i); };
            right = right && x.at(i, j) == (j % 2 == 0 ? sum(j) * sum(j + 1) : sum(j));
        }
    CHECK(right);
}
