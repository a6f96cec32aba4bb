// Lazy maps of arrays in every memory layout, of sizes that cross registers, tiles and threads.
#include <doctest/doctest.h>

#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;

namespace {

double small(index_t i) {
    return static_cast<double>((i * 7919 + 13) % 101) - 50;
}  // exact in every type that holds it
double other(index_t i) { return static_cast<double>((i * 104729 + 5) % 31) - 15; }

/// a * 2 + b by elements.
template <class T, int R>
std::vector<T> axpy(const tensor<T, R>& a, const tensor<T, R>& b) {
    std::vector<T> y;
    reference::for_each_index(a.shape(), [&](const auto& at) {
        y.push_back(static_cast<T>(reference::element(a, at) * T(2) + reference::element(b, at)));
    });
    return y;
}

template <class T, int R>
void check_layouts(const shape<R>& extents) {
    CAPTURE(to_string(extents));
    for (layout la : layouts)
        for (layout lb : layouts) {
            CAPTURE(reference::name(la));
            CAPTURE(reference::name(lb));
            const auto a = make<T>(la, extents, small), b = make<T>(lb, extents, other);
            const auto expected = axpy(a, b);
            CHECK(values(a * T(2) + b) == expected);
            if (lb == layout::expanded) continue;
            const auto out = reference::arrange<T>(lb, extents);
            out(ellipsis) = a * T(2) + b;
            CHECK(values(out) == expected);
        }
}

}  // namespace

TEST_CASE("map: every layout with every layout, read and written") {
    check_layouts<float>(shape{3, 5});
    check_layouts<float>(shape{33, 17});
    check_layouts<float>(shape{2, 3, 4, 5});
    check_layouts<double>(shape{7, 1, 9});
    check_layouts<double>(shape{40});
    check_layouts<int>(shape{13, 11});
    check_layouts<std::int64_t>(shape{3, 0, 5});
    check_layouts<std::complex<float>>(shape{6, 7});
}

TEST_CASE("map: every layout with every layout, large") {
    check_layouts<float>(shape{301, 701});
    check_layouts<double>(shape{70, 40, 80});
}

TEST_CASE("map: lengths around the width of a register") {
    for (index_t n = 0; n < 140; ++n) {
        CAPTURE(n);
        const auto f = make<float>(layout::contiguous, shape{n}, small);
        const auto d = make<double>(layout::contiguous, shape{n}, other);
        const auto m = f > 0.0f;
        const tensor<float, 1> y = where(m, f * 2.0f, f - 1.0f);
        const tensor<double, 1> z = where(d > 0.0, d, -d);
        const tensor<bool, 1> both = m && !(f == 3.0f);
        bool right = y.size() == n;
        for (index_t i = 0; i < n; ++i) {
            const float x = f.at(i);
            right = right && y.at(i) == (x > 0 ? x * 2 : x - 1) && z.at(i) == std::abs(d.at(i)) &&
                    both.at(i) == (x > 0 && x != 3);
        }
        CHECK(right);
    }
}
TEST_CASE("map: more rows than columns, broadcast into memory that goes on along the rows") {
    const index_t n = 20011, m = 9;
    const auto b = rand<float>({n}, generator(1)), w = rand<float>({m}, generator(2));
    const auto turned = empty<float>({m, n});
    const auto y = permute(turned, {1, 0});
    y(ellipsis) = b(all, newaxis) * w;
    const tensor<float, 2> rows = b(all, newaxis) * w;
    const double total = sum(b(all, newaxis) * w).item();
    double expected = 0;
    bool right = true;
    for (index_t i = 0; i < n; ++i)
        for (index_t k = 0; k < m; ++k) {
            const float one = b.at(i) * w.at(k);
            right = right && turned.at(k, i) == one && rows.at(i, k) == one;
            expected += double(one);
        }
    CHECK(right);
    CHECK(total == doctest::Approx(expected).epsilon(1e-5));
}
