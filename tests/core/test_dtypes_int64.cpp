// Integers of 64 bits, signed and unsigned, through every kind of function.
#include "dtypes/integers.hpp"

TEST_CASE("dtypes: int64 and uint64 wrap, divide, shift and compare as NumPy's") {
    dtypes::check_arithmetic<std::int64_t>();
    dtypes::check_arithmetic<std::uint64_t>();
}
TEST_CASE("dtypes: int64 and uint64 in reductions, scans, orders, products and indices as NumPy's") {
    dtypes::check_arrays<std::int64_t>();
    dtypes::check_arrays<std::uint64_t>();
}
