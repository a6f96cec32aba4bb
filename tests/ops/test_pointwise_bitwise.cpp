// Bitwise functions and operators, integer remainders, neighbours: against C++ and NumPy on arrays.
#include "table/table.hpp"

#include <limits>

RICCI_ROW(bitwise_and, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(bitwise_or, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(bitwise_xor, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(bitwise_invert, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(bitwise_left_shift, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(bitwise_right_shift, covered_by{"ops/test_pointwise_bitwise.cpp"});
RICCI_ROW(nextafter, covered_by{"ops/test_pointwise_bitwise.cpp"});

namespace rc = ricci;
using reference::values;

TEST_CASE("bitwise functions of integers are those of C++, and operators are theirs") {
    const rc::tensor<int, 1> a{12, -7, 255, 0}, b{10, 3, -1, 5};
    CHECK(values(rc::bitwise_and(a, b)) == std::vector<int>{12 & 10, -7 & 3, 255, 0});
    CHECK(values(a & b) == values(rc::bitwise_and(a, b)));
    CHECK(values(rc::bitwise_or(a, b)) == std::vector<int>{12 | 10, -7 | 3, -1, 5});
    CHECK(values(a | b) == values(rc::bitwise_or(a, b)));
    CHECK(values(rc::bitwise_xor(a, b)) == std::vector<int>{12 ^ 10, -7 ^ 3, 255 ^ -1, 5});
    CHECK(values(a ^ b) == values(rc::bitwise_xor(a, b)));
    CHECK(values(rc::bitwise_invert(a)) == std::vector<int>{-13, 6, -256, -1});
    CHECK(values(~a) == values(rc::bitwise_invert(a)));
    CHECK(values(a & 4) == std::vector<int>{4, 0, 4, 0});
}

TEST_CASE("bitwise functions of truth values are logic") {
    const rc::tensor<bool, 1> a{true, true, false, false}, b{true, false, true, false};
    CHECK(values(a & b) == std::vector<bool>{true, false, false, false});
    CHECK(values(a | b) == std::vector<bool>{true, true, true, false});
    CHECK(values(a ^ b) == std::vector<bool>{false, true, true, false});
    CHECK(values(~a) == std::vector<bool>{false, false, true, true});
    // of masks inside a kernel of floats
    const rc::tensor<float, 1> x{-1, 0.25f, 0.5f, 3};
    CHECK(values(rc::where(~(x > 0.0f) | (x > 1.0f), -x, x)) == std::vector<float>{1, 0.25f, 0.5f, -3});
}

TEST_CASE("shifts: NumPy's values also where C++ has none") {
    const rc::tensor<std::int8_t, 1> a{1, -128, 64, 5, -3}, n{7, 1, 8, -1, 100};
    CHECK(values(rc::bitwise_left_shift(a, n)) == std::vector<std::int8_t>{-128, 0, 0, 0, 0});
    CHECK(values(rc::bitwise_right_shift(a, n)) == std::vector<std::int8_t>{0, -64, 0, 0, -1});
    const rc::tensor<std::uint8_t, 1> u{200};
    CHECK(values(u >> 3) == std::vector<std::uint8_t>{25});
    CHECK(values(u << 1) == std::vector<std::uint8_t>{144});
}

TEST_CASE("remainders of integers: signs as NumPy's, 0 for a zero divisor") {
    constexpr int lowest = std::numeric_limits<int>::min();
    const rc::tensor<int, 1> a{7, -7, 7, -7, 5, lowest, -6}, b{3, 3, -3, -3, 0, -1, 3};
    CHECK(values(rc::fmod(a, b)) == std::vector<int>{1, -1, 1, -1, 0, 0, 0});
    CHECK(values(rc::remainder(a, b)) == std::vector<int>{1, 2, -2, -1, 0, 0, 0});
    CHECK(values(rc::floor_divide(a, b)) == std::vector<int>{2, -3, -3, 2, 0, lowest, -2});
}

TEST_CASE("nextafter: the standard library's, in registers and scalars") {
    std::vector<double> x, y;
    for (double u : {0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1.7e308, 2.2250738585072014e-308, table::inf, -table::inf, table::nan})
        for (double v : {0.0, -0.0, 1.0, -2.0, 1e300, table::inf, -table::inf, table::nan}) x.push_back(u), y.push_back(v);
    const auto a = rc::from_span(std::span<const double>(x)), b = rc::from_span(std::span<const double>(y));
    const auto next = values(rc::nextafter(a, b));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(x[i]);
        CAPTURE(y[i]);
        CHECK(reference::same(next[i], std::nextafter(x[i], y[i])));
        CHECK(reference::same(static_cast<double>(rc::nextafter(x[i], y[i])), std::nextafter(x[i], y[i])));
    }
}
