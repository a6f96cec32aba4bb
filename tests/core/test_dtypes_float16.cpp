// Arrays of float16 through every kind of function.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: float16 is computed as float and rounded once") { dtypes::check_half_maps<ricci::float16>(); }
TEST_CASE("dtypes: float16 in reductions, scans, orders and products") { dtypes::check_half_arrays<ricci::float16>(); }
