// Arrays of float16 through reductions, scans, orders and products.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: float16 in reductions, scans, orders and products") { dtypes::check_half_arrays<ricci::float16>(); }
TEST_CASE("dtypes: numbers from float16 arrays of rank 0") { dtypes::check_half_numbers<ricci::float16>(); }
