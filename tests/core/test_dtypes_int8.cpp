// Integers of 8 bits, signed and unsigned, through every kind of function.
#include "dtypes/integers.hpp"

TEST_CASE("dtypes: int8 and uint8 wrap, divide, shift and compare as NumPy's") {
    dtypes::check_arithmetic<std::int8_t>();
    dtypes::check_arithmetic<std::uint8_t>();
}
TEST_CASE("dtypes: int8 and uint8 in reductions, scans, orders, products and indices as NumPy's") {
    dtypes::check_arrays<std::int8_t>();
    dtypes::check_arrays<std::uint8_t>();
}
