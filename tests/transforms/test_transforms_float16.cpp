// float16 under vmap and jvp, and through a matrix product.
#include "../core/dtypes/half.hpp"

TEST_CASE("transforms: of float16") { dtypes::check_half_transforms<ricci::float16>(); }
