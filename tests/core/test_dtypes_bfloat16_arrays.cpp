// Arrays of bfloat16 through reductions, scans, orders and products.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: bfloat16 in reductions, scans, orders and products") {
    dtypes::check_half_arrays<ricci::bfloat16>();
}
TEST_CASE("dtypes: numbers from bfloat16 arrays of rank 0") { dtypes::check_half_numbers<ricci::bfloat16>(); }
