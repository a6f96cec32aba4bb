// Gradients of bfloat16.
#include "../core/dtypes/half.hpp"

TEST_CASE("gradients: bfloat16, by every transform") { dtypes::check_half_gradients<ricci::bfloat16>(); }
