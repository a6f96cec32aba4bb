// Three axes of which the last is short: maps, sums and gradients in tiles, beside loops; any layout, few elements and
// so many that threads share them.
#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <vector>

#include "numbers.hpp"

namespace rc = ricci;
using rc::all;
using rc::index_t;
using rc::none;
using rc::slice;

namespace {

/// An array of such extents that lies in memory in one of several ways.
template <class T>
rc::tensor<T, 3> laid_out(int way, index_t a, index_t b, index_t c, index_t start) {
    const auto dense = [&](index_t i, index_t j, index_t k) { return numbers<T>(rc::shape<3>{i, j, k}, start); };
    switch (way) {
        case 0:
            return dense(a, b, c);
        case 1:
            return dense(a, b, c + 3)(all, all, slice(1, c + 1));
        case 2:
            return dense(a, b, c)(slice(none, none, -1), slice(none, none, -1), all);
        case 3:
            return dense(a, b, c)(all, all, slice(none, none, -1));
        case 4:
            return rc::permute(dense(b, a, c), {1, 0, 2});
        case 5:
            return rc::permute(dense(c, b, a), {2, 1, 0});
        case 6:
            return rc::permute(dense(a, c, b), {0, 2, 1});
        default:
            return dense(a, 2 * b, c)(all, slice(0, none, 2), all);
    }
}
constexpr int layouts = 8;

/// Factors that stay put along one axis or two.
template <class T>
struct operands {
    rc::tensor<T, 3> x, group, row, column, one;

    operands(int way, index_t a, index_t b, index_t c)
        : x(laid_out<T>(way, a, b, c, 3)),
          group(laid_out<T>(way % 4, a, 1, c, 1)),
          row(laid_out<T>(way, a, b, 1, 2)),
          column(laid_out<T>(way, 1, b, c, 4)),
          one(laid_out<T>(way, a, 1, 1, 5)) {}
};
template <class F>
void for_each(index_t a, index_t b, index_t c, const F& f) {
    for (index_t i = 0; i < a; ++i)
        for (index_t j = 0; j < b; ++j)
            for (index_t k = 0; k < c; ++k) f(i, j, k);
}
/// A result as arrays hold it.
template <class T, class V>
T held(V v) {
    if constexpr (rc::is_complex_v<T>) return v;
    else return static_cast<T>(v);
}

template <class T>
void check_maps(int way, index_t a, index_t b, index_t c) {
    CAPTURE(way);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    const operands<T> o(way, a, b, c);
    const rc::tensor<T, 3> by_group = o.x * o.group, by_row = o.x * o.row, by_column = o.x + o.column,
                           by_one = o.x - o.one, mixed = (o.x + o.group) * o.row - o.column * o.one;
    const auto wide = numbers<T>(rc::shape<3>{a, b + 1, c + 2});
    wide(all, slice(1, none), slice(1, -1)) = o.x * o.group;
    const auto turned = numbers<T>(rc::shape<3>{c, a, b});
    rc::permute(turned, {1, 2, 0}) = o.x * o.group;
    auto kept = laid_out<T>(way, a, b, c, 3);  // changed in place, as it lies
    kept *= o.group;
    kept += o.row;
    bool right = true, written = true, outside = true;
    for_each(a, b, c, [&](index_t i, index_t j, index_t k) {
        const T x = o.x.at(i, j, k), g = o.group.at(i, 0, k), r = o.row.at(i, j, 0), d = o.column.at(0, j, k),
                e = o.one.at(i, 0, 0);
        right = right && by_group.at(i, j, k) == held<T>(x * g) && by_row.at(i, j, k) == held<T>(x * r) &&
                by_column.at(i, j, k) == held<T>(x + d) && by_one.at(i, j, k) == held<T>(x - e) &&
                mixed.at(i, j, k) == held<T>((x + g) * r - d * e);
        written = written && wide.at(i, j + 1, k + 1) == held<T>(x * g) && turned.at(k, i, j) == held<T>(x * g) &&
                  kept.at(i, j, k) == held<T>(x * g + r);
        outside = outside && wide.at(i, j + 1, 0) == held<T>(((i * (b + 1) + j + 1) * (c + 2) * 7 + 3) % 13 - 5);
    });
    CHECK(right);
    CHECK(written);
    CHECK(outside);
}

/// Sums over the middle axis and over the last one, of enough to compute that they do not go by columns.
template <class T>
void check_sums(int way, index_t a, index_t b, index_t c) {
    CAPTURE(way);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    const operands<T> o(way, a, b, c);
    const auto f = [](const auto& x, const auto& g, const auto& r) { return ((x + g) * r - x) * g + r * x; };
    const rc::tensor<T, 2> down = sum(f(o.x, o.group, o.row), 1), along = sum(f(o.x, o.group, o.row), 2),
                           cheap = sum(o.x * o.group, 1), cheap_along = sum(o.x * o.group, 2),
                           highest = max(f(o.x, o.group, o.row), 1), lowest = min(f(o.x, o.group, o.row), 2);
    const rc::tensor<bool, 2> any_down = any(o.x + o.row > o.group, 1), any_along = any(o.x > o.group + T(4), 2);
    std::vector<double> s(a * c), t(a * b), u(a * c), v(a * b), h(a * c, -1e9), l(a * b, 1e9);
    std::vector<char> p(a * c), q(a * b);
    for_each(a, b, c, [&](index_t i, index_t j, index_t k) {
        const double x = static_cast<double>(o.x.at(i, j, k)), g = static_cast<double>(o.group.at(i, 0, k)),
                     r = static_cast<double>(o.row.at(i, j, 0)), y = f(x, g, r);
        s[i * c + k] += y;
        t[i * b + j] += y;
        u[i * c + k] += x * g;
        v[i * b + j] += x * g;
        h[i * c + k] = std::max(h[i * c + k], y);
        l[i * b + j] = std::min(l[i * b + j], y);
        p[i * c + k] |= x + r > g;
        q[i * b + j] |= x > g + 4;
    });
    bool right = true;
    for_each(a, 1, c, [&](index_t i, index_t, index_t k) {
        right = right && down.at(i, k) == s[i * c + k] && cheap.at(i, k) == u[i * c + k] &&
                highest.at(i, k) == h[i * c + k] && any_down.at(i, k) == (p[i * c + k] != 0);
    });
    CHECK(right);
    for_each(a, b, 1, [&](index_t i, index_t j, index_t) {
        right = right && along.at(i, j) == t[i * b + j] && cheap_along.at(i, j) == v[i * b + j] &&
                lowest.at(i, j) == l[i * b + j] && any_along.at(i, j) == (q[i * b + j] != 0);
    });
    CHECK(right);
}

/// The slopes of a sum in operands that stay put along some axes, all at once, one by one, and with the value.
template <class T>
void check_gradients(int way, index_t a, index_t b, index_t c) {
    CAPTURE(way);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    const operands<T> o(way, a, b, c);
    const auto f = [&](auto g, auto r, auto d, auto e) { return sum((o.x * g + e) * r * r + d * g * o.x); };
    const auto [g_bar, r_bar, d_bar, e_bar] = rc::grad(f, rc::argnums<0, 1, 2, 3>)(o.group, o.row, o.column, o.one);
    const auto [value, alone] = rc::value_and_grad([&](auto g) { return f(g, o.row, o.column, o.one); })(o.group);
    const auto whole = rc::grad([&](auto x) { return sum(rc::square(x) * o.group * o.row + x * o.column); })(o.x);
    const auto twice = rc::grad([&](auto g) { return f(g, o.row, o.column, o.one) + sum(g * o.row); })(o.group);
    std::vector<double> g_sum(a * c), r_sum(a * b), d_sum(b * c), e_sum(a), t_sum(a * c);
    double total = 0;
    bool right = true;
    for_each(a, b, c, [&](index_t i, index_t j, index_t k) {
        const double x = o.x.at(i, j, k), g = o.group.at(i, 0, k), r = o.row.at(i, j, 0), d = o.column.at(0, j, k),
                     e = o.one.at(i, 0, 0);
        total += (x * g + e) * r * r + d * g * x;
        g_sum[i * c + k] += x * r * r + d * x;
        t_sum[i * c + k] += x * r * r + d * x + r;
        r_sum[i * b + j] += 2 * (x * g + e) * r;
        d_sum[j * c + k] += g * x;
        e_sum[i] += r * r;
        right = right && whole.at(i, j, k) == 2 * x * g * r + d;
    });
    CHECK(right);
    for_each(a, 1, c, [&](index_t i, index_t, index_t k) {
        right = right && g_bar.at(i, 0, k) == g_sum[i * c + k] && alone.at(i, 0, k) == g_sum[i * c + k] &&
                twice.at(i, 0, k) == t_sum[i * c + k] && e_bar.at(i, 0, 0) == e_sum[i];
    });
    for_each(a, b, 1, [&](index_t i, index_t j, index_t) { right = right && r_bar.at(i, j, 0) == r_sum[i * b + j]; });
    for_each(1, b, c, [&](index_t, index_t j, index_t k) {
        right = right && d_bar.at(0, j, k) == static_cast<T>(d_sum[j * c + k]);
    });
    CHECK(right);
    CHECK(value.item() == static_cast<T>(total));
}

const index_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 20, 31, 33, 47};

}  // namespace

TEST_CASE_TEMPLATE("short rows: maps in any layout", T, float, double) {
    for (const index_t c : lengths)
        for (int way = 0; way < layouts; ++way) {
            check_maps<T>(way, 3, 4, c);
            check_maps<T>(way, 2 + 2000 / (5 * c), 5, c);
            if (c % 3 == 0) check_maps<T>(way, 3, 70, c);
        }
}
TEST_CASE_TEMPLATE("short rows: maps of other types", T, std::int8_t, std::int32_t, rc::float16, std::complex<float>) {
    for (const index_t c : {2, 3, 7, 9, 16, 21})
        for (int way = 0; way < layouts; ++way) check_maps<T>(way, 2 + 2000 / (5 * c), 5, c);
}
TEST_CASE_TEMPLATE("short rows: sums in any layout", T, float, double, std::int32_t) {
    for (const index_t c : lengths)
        for (int way = 0; way < layouts; ++way) {
            check_sums<T>(way, 2 + 2000 / (5 * c), 5, c);
            if (c % 4 == 0) check_sums<T>(way, 9, 300, c);
        }
}
TEST_CASE_TEMPLATE("short rows: gradients in what stays put", T, float, double) {
    for (const index_t c : lengths)
        for (const int way : {0, 1, 4, 5, 7}) check_gradients<T>(way, 2 + 2000 / (5 * c), 5, c);
    check_gradients<T>(0, 300, 4, 9);  // more than are added up in one precision
    check_gradients<T>(0, 12, 40, 8);
}
TEST_CASE_TEMPLATE("short rows: so many that threads share them", T, float, double) {
    for (const int threads : {1, 3}) {
        const int before = rc::num_threads();
        rc::set_num_threads(threads);
        for (const index_t c : {3, 7, 12, 17})
            for (const int way : {0, 2, 4, 5}) {
                check_maps<T>(way, 140000 / (5 * c), 5, c);
                check_sums<T>(way, 140000 / (5 * c), 5, c);
            }
        check_maps<T>(0, 2, 9000, 9);
        check_sums<T>(0, 2, 9000, 9);
        check_gradients<T>(0, 3000, 5, 10);
        check_gradients<T>(0, 4, 5000, 8);
        rc::set_num_threads(before);
    }
}
TEST_CASE("short rows: sums are the same on any number of threads") {
    const auto x = rc::randn<float>({6000, 6, 9}, rc::generator(1)), d = rc::randn<float>({1, 6, 9}, rc::generator(2));
    const auto run = [&](int threads) {
        const int before = rc::num_threads();
        rc::set_num_threads(threads);
        const auto slopes = rc::grad([&](auto v) { return sum(rc::exp(x * v)); })(d);
        rc::set_num_threads(before);
        return slopes;
    };
    const auto one = run(1), four = run(4);
    bool same = true;
    for (index_t i = 0; i < one.size(); ++i) same = same && one.data()[i] == four.data()[i];
    CHECK(same);
    const auto exact = rc::sum(rc::astype<double>(x) * rc::exp(rc::astype<double>(x) * rc::astype<double>(d)), 0);
    const rc::tensor<double, 2> expected = exact;
    double error = 0;
    for (index_t i = 0; i < one.size(); ++i) error = std::max(error, std::abs(one.data()[i] / expected.data()[i] - 1));
    CHECK(error < 1e-5);
}
