// Sorting by digits against the standard library's stable sort, bit by bit: NaN, zeros of both signs, equal elements.
#include <doctest/doctest.h>
#include <ricci/core/philox.hpp>
#include <ricci/cpu/lines.hpp>

#include <cstring>
#include <limits>

using namespace ricci;

namespace {

template <class T>
std::vector<T> mixed(index_t n, bool few_values) {
    std::vector<T> x(static_cast<std::size_t>(n));
    std::vector<std::uint64_t> bits(x.size());
    detail::fill_bits(bits.data(), n, 7, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if constexpr (std::is_integral_v<T>) {
            x[i] = static_cast<T>(few_values ? bits[i] % 5 : bits[i]);
        } else {
            constexpr T special[] = {0,
                                     -T(0),
                                     std::numeric_limits<T>::infinity(),
                                     -std::numeric_limits<T>::infinity(),
                                     std::numeric_limits<T>::denorm_min(),
                                     -std::numeric_limits<T>::denorm_min(),
                                     std::numeric_limits<T>::quiet_NaN(),
                                     -std::numeric_limits<T>::quiet_NaN()};
            if (few_values || bits[i] % 4 == 0) x[i] = special[bits[i] / 4 % 8];
            else x[i] = static_cast<T>(detail::normal_at<double>(7, i));
        }
    }
    return x;
}
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE_TEMPLATE("radix: the order of a stable sort", T, float, double, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
    const index_t n = 3 * detail::radix_worth<T> + 5;
    for (const bool few : {false, true})
        for (const bool descending : {false, true}) {
            const auto x = mixed<T>(n, few);
            const auto before = [=](T a, T b) { return detail::sorts_before(a, b, descending); };
            auto expected = x, sorted = x;
            std::stable_sort(expected.begin(), expected.end(), before);
            detail::sort_values(sorted.data(), n, 1, descending);
            CHECK(same_bits(sorted, expected));
            detail::sort_values(sorted.data(), n, 1, descending);  // what is sorted already
            CHECK(same_bits(sorted, expected));

            std::vector<std::int64_t> places(x.size()), order(x.size());
            std::iota(order.begin(), order.end(), std::int64_t(0));
            const auto at = [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; };
            std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return before(at(i), at(j)); });
            detail::argsort_lines(x.data(), places.data(), detail::line_grid(shape<1>{n}, 0), n, descending);
            CHECK(places == order);
        }
}
TEST_CASE("radix: lines across memory, of which only some elements are wanted") {
    constexpr index_t n = 5000, lines = 3, count = 4000;
    const auto x = mixed<float>(n * lines, false);
    const detail::line_grid g(shape<2>{n, lines}, 0);
    std::vector<std::int64_t> all(n * lines), some(count * lines);
    detail::argsort_lines(x.data(), all.data(), g, n, false);
    detail::argsort_lines(x.data(), some.data(), g, count, false);
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
    auto sorted = x;
    detail::sort_lines(sorted.data(), g, false);
    bool same = true;
    for (std::size_t i = 0; i < n * lines; ++i) {
        const float picked = x[static_cast<std::size_t>(all[i]) * lines + i % lines];
        same = same && std::memcmp(&picked, &sorted[i], sizeof(float)) == 0;
    }
    CHECK(same);
}
