// Comparisons, logic, where, clip, maximum and minimum, allclose: with NaN, signed zeros, infinities, mixed types, masks.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::same;
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
    check_pairs<T>("mixed", [](auto a, auto b) { return (a < b) == (b > T(1)) && !(a >= b) != logical_not(b); },
                   [](T a, T b) { return (a < b) == (b > T(1)) && !(a >= b) != !b; });
}

}  // namespace

TEST_CASE("compare: float") { check_comparisons<float>(); }
TEST_CASE("compare: double") { check_comparisons<double>(); }

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

TEST_CASE("maximum and minimum: NaN wins, from either side") {
    const tensor<double, 1> a{1, nan_, 3, nan_, -inf, 2}, b{2, 1, nan_, nan_, inf, -2};
    CHECK(same(values(maximum(a, b)), {2, nan_, nan_, nan_, inf, 2}));
    CHECK(same(values(minimum(a, b)), {1, nan_, nan_, nan_, -inf, -2}));
    const auto wide = expand(a, {20, 6});
    CHECK(same(values(maximum(wide, b)(17, all)), {2, nan_, nan_, nan_, inf, 2}));
    CHECK(values(maximum(tensor<int, 1>{1, 5}, 3)) == std::vector<int>{3, 5});
    CHECK(values(minimum(tensor<std::int8_t, 1>{-128, 127}, tensor<int, 1>{5, 5})) == std::vector<int>{-128, 5});
    CHECK(values(maximum(tensor<bool, 1>{false, true}, tensor<bool, 1>{false, false})) == flags{false, true});
}

TEST_CASE("clip: limits, NaN, crossed limits, arrays as limits") {
    const tensor<double, 1> x{-2, 0.5, 3, nan_, inf, -inf};
    CHECK(same(values(clip(x, 0, 1)), {0, 0.5, 1, nan_, 1, 0}));
    CHECK(same(values(clip(x, 2, 1)), {1, 1, 1, nan_, 1, 1}));
    CHECK(same(values(clip(x, -inf, 1)), {-2, 0.5, 1, nan_, 1, -inf}));
    CHECK(values(clip(tensor<int, 2>{{1, 5}, {9, 3}}, tensor<int, 1>{2, 4}, 6)) == std::vector<int>{2, 5, 6, 4});
    CHECK(values(clip(tensor<std::uint8_t, 1>{0, 255}, 10, 20)) == std::vector<std::uint8_t>{10, 20});
}

TEST_CASE("where: broadcasting, weak scalars, masks of any type, the other branch never matters") {
    const tensor<double, 1> x{-1, 0, 4};
    CHECK(same(values(where(x > 0.0, sqrt(x), 0)), {0, 0, 2}));
    CHECK(same(values(where(x == 0.0, 1, 1 / x)), {-1, 1, 0.25}));
    CHECK(values(where(x, 1, 2)) == std::vector<int>{1, 2, 1});
    CHECK(same(values(where(tensor<bool, 2>{{true}, {false}}, x, -x)), {-1, 0, 4, 1, -0.0, -4}));
    CHECK(values(where(tensor<int, 1>{0, 2}, tensor<bool, 1>{true, true}, false)) == flags{false, true});
    CHECK(where(tensor<bool, 0>(true), 1.5, tensor<double, 0>(2)).item() == 1.5);
    CHECK(values(where(x > 0.0, x > 3.0, x < -0.5)) == flags{true, false, true});
    CHECK(values(where(tensor<bool, 1>{true, false}, std::complex<float>(0, 1), tensor<float, 1>{2})) ==
          std::vector<std::complex<float>>{{0, 1}, {2, 0}});
}

TEST_CASE("signed zeros and the absolute value") {
    const tensor<double, 1> z{0.0, -0.0, -inf, nan_, -2};
    CHECK(same(values(-z), {-0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(abs(z)), {0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(z * 1), {0.0, -0.0, -inf, nan_, -2}));
    CHECK(same(values(z - 0.0), {0.0, -0.0, -inf, nan_, -2}));
    CHECK(same(values(0.0 - z), {0.0, 0.0, inf, nan_, 2}));
    CHECK(same(values(1 / z), {inf, -inf, -0.0, nan_, -0.5}));
    CHECK(same(values(square(z)), {0.0, 0.0, inf, nan_, 4}));
    CHECK(same(values(sqrt(z)), {0.0, -0.0, nan_, nan_, nan_}));
    CHECK(values(abs(tensor<int, 1>{std::numeric_limits<int>::min(), -5})) == std::vector<int>{std::numeric_limits<int>::min(), 5});
    CHECK(values(abs(tensor<std::uint8_t, 1>{200})) == std::vector<std::uint8_t>{200});
}

TEST_CASE("allclose: NumPy's rule") {
    const tensor<double, 1> a{1, 2, inf}, b{1 + 9e-6, 2, inf};
    CHECK(allclose(a, b));
    CHECK_FALSE(allclose(a, b * 1.1));
    CHECK_FALSE(allclose(a, b, 1e-6));
    CHECK(allclose(a, b, 0, 1e-5));
    CHECK_FALSE(allclose(a, -b));
    CHECK_FALSE(allclose(tensor<double, 1>{nan_}, tensor<double, 1>{nan_}));
    CHECK_FALSE(allclose(tensor<double, 1>{1e300}, tensor<double, 1>{inf}));
    CHECK(allclose(zeros<float>({0}), zeros<float>({0})));
    CHECK(allclose(expand(tensor<double, 0>(1), {3}), tensor<double, 0>(1)));
    CHECK(allclose(tensor<int, 1>{3, 4}, tensor<int, 1>{3, 4}));
    CHECK_FALSE(allclose(tensor<int, 1>{3, 4}, tensor<int, 1>{3, 5}));
    CHECK_FALSE(allclose(tensor<std::uint8_t, 1>{0}, tensor<std::uint8_t, 1>{1}));
    CHECK(allclose(tensor<std::uint8_t, 1>{100}, tensor<std::uint8_t, 1>{101}, 0, 1));
    CHECK(allclose(tensor<bool, 1>{true}, tensor<bool, 1>{true}));
    CHECK_FALSE(allclose(tensor<bool, 1>{true}, tensor<bool, 1>{false}));
    CHECK(allclose(tensor<float, 1>{0.1f}, tensor<double, 1>{0.1}));
    const tensor<std::complex<double>, 1> z{{1, 1}};
    CHECK(allclose(z, z + 1e-7));
    CHECK_FALSE(allclose(z, z + std::complex<double>(0, 0.1)));
}
