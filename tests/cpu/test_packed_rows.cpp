// Rows with steps, packed and unpacked: the copies themselves, and maps and sums whose short axes lie inside the long
// ones.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::layout;
using reference::layouts;
using reference::make;
using reference::values;

namespace {

template <class U>
U number(index_t i) {
    if constexpr (std::is_integral_v<U>) return static_cast<U>(i * 2654435761u + 1);
    else return U{static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(~i)};
}

/// Packs `rows` rows of n elements, `apart` elements from each other and with `step` between a row's elements, and
/// unpacks them again: every element where it belongs, and nothing else touched.
template <class U>
bool round_trip(index_t rows, index_t n, index_t apart, index_t step) {
    constexpr index_t size = sizeof(U);
    const index_t room = n + 5, reach = (rows - 1) * apart + (n - 1) * step + 1;
    std::vector<U> from, packed(static_cast<std::size_t>(rows * room), number<U>(-1));
    for (index_t i = 0; i < reach; ++i) from.push_back(number<U>(i));
    std::vector<U> back(from.size(), number<U>(-2));
    std::vector<index_t> strided_at, packed_at;
    for (index_t r = 0; r < rows; ++r) {
        strided_at.push_back(r * apart * size);
        packed_at.push_back(r * room * size);
    }
    detail::row_pairs pairs{detail::byte_pointer(from.data()),
                            detail::byte_pointer(packed.data()),
                            strided_at.data(),
                            packed_at.data(),
                            rows,
                            step * size};
    detail::copier_of<U>.pack(true, pairs, n);
    pairs.strided = detail::byte_pointer(back.data());
    detail::copier_of<U>.pack(false, pairs, n);
    std::vector<U> expected(packed.size(), number<U>(-1)), there(back.size(), number<U>(-2));
    for (index_t r = 0; r < rows; ++r)
        for (index_t i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(r * apart + i * step);
            expected[static_cast<std::size_t>(r * room + i)] = from[at];
            there[at] = from[at];
        }
    return packed == expected && back == there;
}
template <class U>
void check_round_trips() {
    for (index_t rows = 1; rows <= 20; ++rows)
        for (index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 71, 130}) {
            CAPTURE(rows);
            CAPTURE(n);
            CHECK(round_trip<U>(rows, n, 1, rows));      // rows side by side, and nothing else
            CHECK(round_trip<U>(rows, n, 1, rows + 3));  // with something between
            CHECK(round_trip<U>(rows, n, 3, 3 * rows));
            CHECK(round_trip<U>(rows, n, 3 * n, 3));
        }
}

double small(index_t i) {
    return static_cast<double>((i * 7919 + 13) % 101) - 50;
}  // exact in every type that holds it
double other(index_t i) { return static_cast<double>((i * 104729 + 5) % 31) - 15; }

/// 2 a - b, read and written in all layouts, and its sums over each axis.
template <class T, int R>
void check_maps(const shape<R>& extents) {
    CAPTURE(to_string(extents));
    for (layout la : layouts)
        for (layout lb : {layout::contiguous, layout::permuted, layout::strided}) {
            CAPTURE(reference::name(la));
            CAPTURE(reference::name(lb));
            const auto a = make<T>(la, extents, small), b = make<T>(lb, extents, other);
            const auto plain = tensor<T, R>::uninitialized(extents), out = reference::arrange<T>(lb, extents);
            reference::for_each_index(extents, [&](const auto& at) {
                reference::element(plain, at) =
                    static_cast<T>(T(2) * reference::element(a, at) - reference::element(b, at));
            });
            out(ellipsis) = a * T(2) - b;
            CHECK(values(out) == values(plain));
            out(ellipsis) = a;
            CHECK(values(out) == values(a));
            for (int axis = 0; axis < R; ++axis) {
                CAPTURE(axis);
                const tensor<T, R - 1> totals = sum(a * T(2) - b, axis);
                shape<R> as_one = extents;
                as_one[axis] = 1;
                tensor<T, R> expected = zeros<T>(as_one);
                reference::for_each_index(extents, [&](auto at) {
                    const T x = reference::element(plain, at);
                    at[axis] = 0;
                    T& total = reference::element(expected, at);
                    total = static_cast<T>(total + x);
                });
                CHECK(values(totals) == values(expected));
            }
        }
}

}  // namespace

TEST_CASE("packed rows: there and back, element by element") {
    check_round_trips<std::uint8_t>();
    check_round_trips<std::uint32_t>();
    check_round_trips<std::uint64_t>();
    check_round_trips<std::array<std::uint64_t, 2>>();
}

TEST_CASE("packed rows: short axes inside long ones") {
    check_maps<float>(shape{200, 3});
    check_maps<float>(shape{517, 3, 3});
    check_maps<float>(shape{70, 40});
    check_maps<double>(shape{1030, 2});
    check_maps<double>(shape{130, 5, 7});
    check_maps<int>(shape{333, 9});
    check_maps<std::complex<float>>(shape{111, 3, 2});
}

TEST_CASE("packed rows: more rows than one accumulator takes, and threads") {
    check_maps<float>(shape{300, 260});
    check_maps<float>(shape{3, 7001, 9});
    const auto x = reference::make<float>(layout::contiguous, shape{60000, 3, 3}, small);
    std::vector<float> first, totals;
    for (const int threads : {1, 2, 5}) {
        set_num_threads(threads);
        const auto turned = permute(x, {0, 2, 1});
        const tensor<float, 3> y = turned * 0.1f + x;
        const tensor<float, 2> s = sum(turned * 0.1f, 2);
        if (first.empty()) {
            first = values(y);
            totals = values(s);
            bool right = true;
            reference::for_each_index(x.shape(), [&](const auto& at) {
                const float expected = x(at[0], at[2], at[1]).item() * 0.1f + x(at[0], at[1], at[2]).item();
                right = right && std::abs(y(at[0], at[1], at[2]).item() - expected) <= 1e-5f;  // fused or not
            });
            CHECK(right);
        } else {
            CHECK(values(y) == first);
            CHECK(values(s) == totals);
        }
    }
}
