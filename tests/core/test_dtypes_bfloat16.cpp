// Arrays of bfloat16 through every kind of function.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: bfloat16 is computed as float and rounded once") { dtypes::check_half_maps<ricci::bfloat16>(); }
TEST_CASE("dtypes: bfloat16 in reductions, scans, orders and products") {
    dtypes::check_half_arrays<ricci::bfloat16>();
}
