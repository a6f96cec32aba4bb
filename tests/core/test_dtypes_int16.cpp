// Integers of 16 bits, signed and unsigned, through every kind of function.
#include "dtypes/integers.hpp"

TEST_CASE("dtypes: int16 and uint16 wrap, divide, shift and compare as NumPy's") {
    dtypes::check_arithmetic<std::int16_t>();
    dtypes::check_arithmetic<std::uint16_t>();
}
TEST_CASE("dtypes: int16 and uint16 in reductions, scans, orders, products and indices as NumPy's") {
    dtypes::check_arrays<std::int16_t>();
    dtypes::check_arrays<std::uint16_t>();
}
