// Comparisons and logic: with NaN, signed zeros, infinities, mixed types.
#include <doctest/doctest.h>

#include <limits>
#include <utility>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::values;
using flags = std::vector<bool>;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
const std::vector<double> samples{0.0, -0.0, 1, -1, 2.5, inf, -inf, nan_, 5e-324, 1e308};

/// op(a, b) by the library, over all pairs of samples in element type T, against op by C++; n copies to fill registers.
template <class T, class F, class G>
void check_pairs(const char* what, F ours, G reference_) {
    CAPTURE(std::string(what));
    std::vector<T> a, b;
    for (int copies = 0; copies < 3; ++copies)
        for (double x : samples)
            for (double y : samples) {
                a.push_back(static_cast<T>(x));
                b.push_back(static_cast<T>(y));
            }
    const auto result = values(ours(borrow(std::span<const T>(a)), borrow(std::span<const T>(b))));
    bool right = true;
    for (std::size_t i = 0; i < a.size(); ++i) right = right && result[i] == reference_(a[i], b[i]);
    CHECK(right);
}

template <class T>
void check_comparisons() {
    check_pairs<T>("==", [](auto a, auto b) { return a == b; }, [](T a, T b) { return a == b; });
    check_pairs<T>("!=", [](auto a, auto b) { return a != b; }, [](T a, T b) { return a != b; });
    check_pairs<T>("<", [](auto a, auto b) { return a < b; }, [](T a, T b) { return a < b; });
    check_pairs<T>("<=", [](auto a, auto b) { return a <= b; }, [](T a, T b) { return a <= b; });
    check_pairs<T>(">", [](auto a, auto b) { return a > b; }, [](T a, T b) { return a > b; });
    check_pairs<T>(">=", [](auto a, auto b) { return a >= b; }, [](T a, T b) { return a >= b; });
    check_pairs<T>("&&", [](auto a, auto b) { return a && b; }, [](T a, T b) { return a && b; });
    check_pairs<T>("||", [](auto a, auto b) { return a || b; }, [](T a, T b) { return a || b; });
    check_pairs<T>("xor", [](auto a, auto b) { return logical_xor(a, b); }, [](T a, T b) { return !a != !b; });
    check_pairs<T>("!", [](auto a, auto) { return !a; }, [](T a, T) { return !a; });
    check_pairs<T>(
        "mixed", [](auto a, auto b) { return (a < b) == (b > T(1)) && !(a >= b) != logical_not(b); },
        [](T a, T b) { return (a < b) == (b > T(1)) && !(a >= b) != !b; });
}

}  // namespace

TEST_CASE("compare: float") { check_comparisons<float>(); }
TEST_CASE("compare: double") { check_comparisons<double>(); }

TEST_CASE("compare: signed integers beside uint64 exactly, as NumPy 2") {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
    const tensor<std::int64_t, 1> a{-1, most, most, 0, std::numeric_limits<std::int64_t>::min(), 5, most - 1, -7, 3};
    const tensor<std::uint64_t, 1> b{top, std::uint64_t(most) + 1, std::uint64_t(most), 0, 0, 4, std::uint64_t(most), 7,
                                     3};
    for (index_t i = 0; i < a.size(); ++i) {
        const std::int64_t x = a.at(i);
        const std::uint64_t y = b.at(i);
        CAPTURE(i);
        CHECK(bool((a == b)(i)) == std::cmp_equal(x, y));
        CHECK(bool((a != b)(i)) == std::cmp_not_equal(x, y));
        CHECK(bool((a < b)(i)) == std::cmp_less(x, y));
        CHECK(bool((a <= b)(i)) == std::cmp_less_equal(x, y));
        CHECK(bool((b > a)(i)) == std::cmp_greater(y, x));
        CHECK(bool((b >= a)(i)) == std::cmp_greater_equal(y, x));
        CHECK(bool((a > b)(i)) == std::cmp_greater(x, y));
        CHECK(bool((b < a)(i)) == std::cmp_less(y, x));
    }
    CHECK(values(a.astype<std::int8_t>()(slice(5, none)) == b(slice(5, none))) == flags{false, false, false, true});
}

TEST_CASE("compare: named functions, integers, bools, mixed types, complex") {
    const tensor<int, 1> i{1, 2, 3};
    const tensor<double, 1> d{1, 2.5, -3};
    CHECK(values(equal(i, d)) == flags{true, false, false});
    CHECK(values(not_equal(i, 2)) == flags{true, false, true});
    CHECK(values(less(i, d)) == flags{false, true, false});
    CHECK(values(less_equal(1, i)) == flags{true, true, true});
    CHECK(values(greater(2.5, i)) == flags{true, true, false});
    CHECK(values(greater_equal(i, d)) == flags{true, false, true});
    CHECK(values(i == tensor<bool, 1>{true, true, true}) == flags{true, false, false});
    CHECK(values(logical_and(i, d - 1)) == flags{false, true, true});
    CHECK(values(logical_or(i - 1, d - 1)) == flags{false, true, true});
    CHECK(values(tensor<std::uint8_t, 1>{200} > tensor<std::int8_t, 1>{-1}) == flags{true});
    CHECK(values(tensor<std::int64_t, 1>{1} == tensor<std::uint64_t, 1>{1}) == flags{true});
    const tensor<std::complex<double>, 1> z{{1, 0}, {1, 1}};
    CHECK(values(z == 1) == flags{true, false});
    CHECK(values(z != z) == flags{false, false});
}
