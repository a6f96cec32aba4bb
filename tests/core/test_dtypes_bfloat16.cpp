// Arrays of bfloat16 through element-wise functions.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: bfloat16 is computed as float and rounded once") { dtypes::check_half_maps<ricci::bfloat16>(); }
TEST_CASE("dtypes: the neighbours of bfloat16") { dtypes::check_half_neighbours<ricci::bfloat16>(); }
