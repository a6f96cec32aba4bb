// Integers of 32 bits, signed and unsigned, through every kind of function.
#include "dtypes/integers.hpp"

TEST_CASE("dtypes: int32 and uint32 wrap, divide, shift and compare as NumPy's") {
    dtypes::check_arithmetic<std::int32_t>();
    dtypes::check_arithmetic<std::uint32_t>();
}
TEST_CASE("dtypes: int32 and uint32 in reductions, scans, orders, products and indices as NumPy's") {
    dtypes::check_arrays<std::int32_t>();
    dtypes::check_arrays<std::uint32_t>();
}
