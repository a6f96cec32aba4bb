// Arrays of float16 through element-wise functions.
#include "dtypes/half.hpp"

TEST_CASE("dtypes: float16 is computed as float and rounded once") { dtypes::check_half_maps<ricci::float16>(); }
TEST_CASE("dtypes: the neighbours of float16") { dtypes::check_half_neighbours<ricci::float16>(); }
